/* objects.c: makes work units of objects, and intervals in random order. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static uint64_t mixed(uint64_t seed, uint64_t k)
{
    uint64_t r = k + seed * 0x9E3779B97F4A7C15U;
    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9U;
    r = (r ^ (r >> 27)) * 0x94D049BB133111EBU;
    return r ^ (r >> 31);
}

static int64_t object_count(const bench_case *c)
{
    return c->n / c->variant.length > 0 ? c->n / c->variant.length : 1;
}

/* Writes an input from its own host memory, which is free until the input is fetched. */
static mcl_status input_write(bench_case *c, int index)
{
    const bench_array *array = &c->problem.in[index];
    return mcl_buffer_write(c->bench->queue, array->device, 0, (size_t)array->count * array->type->size, array->host);
}

/* Fills offsets with exponential gaps, which are the gaps of sorted uniform numbers. */
static mcl_status fill_offsets(bench_case *c, int index, uint64_t seed)
{
    int32_t *const offsets = c->problem.in[index].host;
    const int64_t count = c->problem.in[index].count;
    double *const sums = malloc((size_t)(count + 1) * sizeof *sums);
    if (!sums) return MCL_ERROR_MEMORY;
    sums[0] = 0;
    for (int64_t k = 0; k < count; k++)
        sums[k + 1] = sums[k] - log(((double)(mixed(seed, (uint64_t)k) >> 11) + 0.5) * 0x1p-53);
    const double scale = (double)c->n / sums[count] * (c->op->has_half ? 0.5 : 1);
    for (int64_t k = 0; k < count; k++) {
        offsets[k] = (int32_t)(sums[k] * scale);
        if (c->op->has_half && k > count / 2) offsets[k] += (int32_t)(c->n / 2);
    }
    free(sums);
    return input_write(c, index);
}

/* Fills the starts of the objects' intervals. The intervals lie one after the other in a random order. */
static mcl_status fill_starts(bench_case *c, int index, uint64_t seed)
{
    const int32_t *const from = c->problem.in[0].host;
    int32_t *const starts = c->problem.in[index].host;
    const int64_t count = c->problem.in[index].count;
    int32_t *const order = malloc((size_t)count * sizeof *order);
    int32_t place = 0;
    if (!order) return MCL_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const int64_t other = (int64_t)(mixed(seed, (uint64_t)k) % (uint64_t)(k + 1));
        order[k] = order[other];
        order[other] = (int32_t)k;
    }
    for (int64_t k = 0; k < count; k++) {
        const int64_t object = order[k];
        const int64_t end = object + 1 < count ? from[object + 1] : c->n;
        starts[object] = place;
        place += (int32_t)(end - from[object]);
    }
    free(order);
    return input_write(c, index);
}

/* ---- rows' inputs ----------------------------------------------------------------------------------------------- */

static mcl_status add_offsets(bench_case *c, uint64_t seed)
{
    mcl_status status = bench_add_elements(c, c->variant.value, object_count(c));
    if (status == MCL_OK) status = fill_offsets(c, 0, seed);
    bench_add_work(c);
    return status;
}

mcl_status bench_objects(bench_case *c)
{
    return add_offsets(c, 13);
}

mcl_status bench_intervals(bench_case *c)
{
    const int form = c->variant.form;
    const int lists = form == INTERVAL_EXPAND ? 0 : form == INTERVAL_MOVE ? 2 : 1;
    const int64_t moved = form == INTERVAL_EXPAND ? object_count(c) : c->n;
    mcl_status status = add_offsets(c, 68);
    if (status == MCL_OK) status = bench_add_uniform(c, c->variant.element, moved, 1);
    for (int k = 0; k < lists && status == MCL_OK; k++) {
        status = bench_add_elements(c, c->variant.value, object_count(c));
        if (status == MCL_OK) status = fill_starts(c, 2 + k, 69 + (uint64_t)k);
    }
    return status;
}
