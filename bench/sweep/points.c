/* points.c: chooses values of a parameter, also on both sides of the library's thresholds, and random sets of values.
 * It also writes a point as a text. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The factor between neighbouring values. It is below the distance at which the rule compares points. */
#define STEP 1.45
/* The factor between a random set's value and its neighbour's. */
#define NEIGHBOUR 1.25

int sweep_parameter_count(const sweep_op *op)
{
    int count = 0;
    while (count < SWEEP_PARAMETERS && op->parameters[count].name) count++;
    return count;
}

int64_t sweep_n_most(const bench *b, const sweep_op *op)
{
    const int64_t most = b->info.is_gpu ? 100000000 : 10000000;
    return op->most && op->most < most ? op->most : most;
}

void sweep_base(const bench *b, const sweep_op *op, int64_t *v)
{
    for (int p = 0; p < sweep_parameter_count(op); p++) v[p] = op->parameters[p].base;
    v[0] = b->options->size_count ? b->options->sizes[0] : b->info.is_gpu ? 30000000 : 1000000;
    if (v[0] > sweep_n_most(b, op)) v[0] = sweep_n_most(b, op);
}

int sweep_fits(const sweep_op *op, const int64_t *v)
{
    for (int p = 1; p < sweep_parameter_count(op); p++)
        if (!op->parameters[p].names && !op->parameters[p].values && !op->parameters[p].above_n && v[p] > v[0])
            return 0;
    return 1;
}

/* ---- thresholds ------------------------------------------------------------------------------------------------- */

/* Asks the library for a threshold. Returns 0, after a sentence, where the library has no such number. */
static int limit_value(bench *b, const sweep_op *op, const sweep_limit *limit, int64_t n, int64_t *value)
{
    int number = 0, threads = 1, items = 1;
    const size_t bytes = (size_t)(op->element_bytes ? op->element_bytes : 4);
    *value = limit->number;
    if (limit->tuning) {
        if (mcl_context_tuning_parameter(b->context, limit->tuning, &number) != MCL_OK)
            return bench_failed(op->name), 0;
        *value = number;
    }
    const int tiles = limit->scale == SWEEP_TILES || limit->scale == SWEEP_TILES_A_UNIT;
    if (tiles && mcl_context_tile(b->context, op->tile, bytes, &threads, &items) != MCL_OK)
        return bench_failed(op->name), 0;
    if (tiles) *value *= (int64_t)threads * items;
    if (limit->scale == SWEEP_A_UNIT || limit->scale == SWEEP_TILES_A_UNIT) *value *= b->info.compute_units;
    if (limit->scale == SWEEP_EXPONENT) *value = INT64_C(1) << *value;
    if (limit->scale == SWEEP_BYTES) *value /= (int64_t)bytes;
    if (limit->scale == SWEEP_A_BYTE) *value *= (int64_t)bytes;
    if (limit->scale == SWEEP_PERCENT) *value = *value * n / 100;
    return 1;
}

static int compare_numbers(const void *p, const void *q)
{
    const int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;
    return (a > b) - (a < b);
}

static void add_value(int64_t *values, int *count, int64_t value, int64_t least, int64_t most)
{
    if (value >= least && value <= most && *count < SWEEP_VALUES_MOST) values[(*count)++] = value;
}

static int sorted_values(int64_t *values, int count)
{
    int kept = 0;
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    for (int k = 0; k < count; k++)
        if (kept == 0 || values[k] != values[kept - 1]) values[kept++] = values[k];
    return kept;
}

/* Reorders sorted values so that each first part of the list covers the whole range: both ends, the middle, the
 * quarters. */
static void coarse_first(int64_t *values, int count)
{
    int64_t order[SWEEP_VALUES_MOST];
    char taken[SWEEP_VALUES_MOST] = { 0 };
    int filled = 0, step = 1;
    while (step < count) step *= 2;
    for (; step > 0; step /= 2)
        for (int k = 0; k < count; k += step)
            if (!taken[k]) order[filled++] = values[k], taken[k] = 1;
    memcpy(values, order, (size_t)count * sizeof *values);
}

int sweep_values(bench *b, const sweep_op *op, int parameter, int64_t n_most, int64_t *values)
{
    const sweep_parameter *const p = &op->parameters[parameter];
    int64_t v[SWEEP_PARAMETERS] = { 0 };
    int count = 0;
    sweep_base(b, op, v);
    const int64_t most = parameter == 0 ? n_most : p->above_n || p->most < v[0] ? p->most : v[0];
    if (p->names || p->values) {
        for (int k = 0; p->names ? p->names[k] != NULL : p->values[k] != 0; k++)
            add_value(values, &count, p->names ? k : p->values[k], 0, INT64_MAX);
        return count;
    }
    for (double value = (double)p->least; value < (double)most;
         value = value * STEP < value + 1 ? value + 1 : value * STEP)
        add_value(values, &count, (int64_t)value, p->least, most);
    add_value(values, &count, most, p->least, most);
    add_value(values, &count, v[parameter], p->least, most);
    for (int k = 0; k < SWEEP_LIMITS && (p->limits[k].tuning || p->limits[k].number); k++) {
        int64_t limit = 0;
        if (!limit_value(b, op, &p->limits[k], v[0], &limit)) b->failures++;
        for (int side = -1; side <= 1; side += 2) add_value(values, &count, limit + side, p->least, most);
    }
    count = sorted_values(values, count);
    coarse_first(values, count);
    return count;
}

/* ---- random sets ------------------------------------------------------------------------------------------------ */

uint64_t sweep_random_next(uint64_t *state)
{
    uint64_t r = *state += 0x9E3779B97F4A7C15u;
    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9u;
    r = (r ^ (r >> 27)) * 0x94D049BB133111EBu;
    return r ^ (r >> 31);
}

static int64_t choice_count(const sweep_parameter *p)
{
    int64_t count = 0;
    while (p->names ? p->names[count] != NULL : p->values[count] != 0) count++;
    return count;
}

/* Draws a number whose logarithm is uniform. */
static int64_t draw_number(uint64_t *state, int64_t least, int64_t most)
{
    const double share = (double)(sweep_random_next(state) >> 11) * 0x1p-53;
    return most > least ? (int64_t)((double)least * pow((double)most / (double)least, share)) : most;
}

void sweep_draw(const bench *b, const sweep_op *op, uint64_t *state, int64_t *v)
{
    sweep_base(b, op, v);
    for (int p = 0; p < sweep_parameter_count(op); p++) {
        const sweep_parameter *const parameter = &op->parameters[p];
        const int64_t chosen = (int64_t)(sweep_random_next(state) >> 1);
        if (parameter->names)
            v[p] = chosen % choice_count(parameter);
        else if (parameter->values)
            v[p] = parameter->values[chosen % choice_count(parameter)];
        else {
            const int64_t most = p == 0 ? sweep_n_most(b, op) : parameter->most;
            v[p] = draw_number(state, parameter->least, p == 0 || parameter->above_n || most < v[0] ? most : v[0]);
        }
    }
}

int sweep_draw_neighbour(const sweep_op *op, uint64_t *state, int64_t *v)
{
    for (int tries = 0; tries < 16; tries++) {
        const int p = (int)(sweep_random_next(state) % (uint64_t)sweep_parameter_count(op));
        const sweep_parameter *const parameter = &op->parameters[p];
        if (parameter->names || parameter->values || v[p] < 4) continue;
        const int64_t kept = v[p];
        v[p] = (int64_t)((double)v[p] * NEIGHBOUR);
        if ((p == 0 || v[p] <= parameter->most) && sweep_fits(op, v)) return p;
        v[p] = kept;
    }
    return -1;
}

/* ---- a point as a text ------------------------------------------------------------------------------------------ */

static int add_value_text(const sweep_point *point, int p, char *text, size_t bytes)
{
    const sweep_parameter *const parameter = &point->op->parameters[p];
    if (parameter->names) return snprintf(text, bytes, " %s=%s", parameter->name, parameter->names[point->v[p]]);
    return snprintf(text, bytes, " %s=%lld", parameter->name, (long long)point->v[p]);
}

/* Writes the operation and its values. For a random set it writes all values, else those that differ from the base
 * point's values. */
void sweep_point_text(const sweep_point *point, char *text, size_t bytes)
{
    int length = snprintf(text, bytes, "%s", point->op->name);
    for (int p = 0; p < sweep_parameter_count(point->op); p++) {
        const int is_told = p == point->parameter || p == 0 || point->v[p] != point->op->parameters[p].base;
        if (is_told && length >= 0 && (size_t)length < bytes)
            length += add_value_text(point, p, text + length, bytes - (size_t)length);
    }
}
