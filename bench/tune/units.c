/* units.c: lists the rows of tuning that are to be found, and the rows of the bench that measure each. */
#include "tune.h"

#include <stdlib.h>
#include <string.h>

static size_t op_bytes(const bench_op *op, const bench_type *type)
{
    return op->tile_bytes ? op->tile_bytes(type) : type->element->type->size;
}

/* Returns 1 where a row of the bench measures an operation. An operation in two passes is measured by the row of its
 * single-pass form, with the flag MCL_DETERMINISTIC. */
static int op_measures(const tune_options *options, const bench_op *op, const char *operation, unsigned *flags)
{
    static const char ending[] = "_two_pass";
    const size_t length = op->tuning ? strlen(op->tuning) : 0;
    *flags = 0;
    if (!op->tuning || !op->run) return 0;
    /* a sort by the method that the library chooses depends on parameters alone, so it measures no tile */
    if (!options->parameter && op->operation == &sort_case && op->variant.sort_method == MCL_SORT_AUTO) return 0;
    if (strcmp(op->tuning, operation) == 0) return 1;
    *flags = MCL_DETERMINISTIC;
    if (strncmp(operation, op->tuning, length) == 0 && strcmp(operation + length, ending) == 0) return 1;
    /* Only sorts by merging have blocks. */
    *flags = 0;
    return strcmp(operation, "sort_block") == 0 && strncmp(op->name, "mergesort_", strlen("mergesort_")) == 0;
}

static int is_wanted(const tune_options *options, const char *operation)
{
    for (int k = 0; k < options->operation_count; k++)
        if (strcmp(options->operations[k], operation) == 0) return 1;
    return options->operation_count == 0;
}

static tune_unit *unit_of(tuner *t, const char *operation, size_t bytes)
{
    for (int k = 0; k < t->unit_count; k++)
        if (strcmp(t->units[k].operation, operation) == 0 && t->units[k].bytes == bytes) return &t->units[k];
    if (t->unit_count == TUNE_UNITS_MAX) return NULL;
    tune_unit *const unit = &t->units[t->unit_count++];
    unit->operation = operation;
    unit->bytes = bytes;
    return unit;
}

/* Thins the list out to the number most, at equal distances, so that few rows of the bench represent many. */
static void thin_out(tune_unit *unit, int most)
{
    if (unit->case_count <= most) return;
    for (int k = 0; k < most; k++) {
        const int place = most > 1 ? k * (unit->case_count - 1) / (most - 1) : 0;
        unit->cases[k] = unit->cases[place];
    }
    unit->case_count = most;
}

static void add_operation(tuner *t, const char *operation)
{
    const tune_options *const options = t->options;
    for (int o = 0; o < bench_op_count; o++) {
        unsigned flags = 0;
        if (!op_measures(options, bench_ops[o], operation, &flags)) continue;
        for (int k = 0; k < options->type_count; k++) {
            const bench_type *const type = options->types[k];
            const int lacks = type->element->type->kind == MCL_KIND_FLOAT && type->element->type->size == 8 &&
                              !t->bench.info.has_double;
            if (lacks || !bench_op_takes(bench_ops[o], type)) continue;
            tune_unit *const unit = unit_of(t, operation, op_bytes(bench_ops[o], type));
            if (!unit || unit->case_count == TUNE_CASES_MAX) continue;
            unit->cases[unit->case_count++] = (tune_case){ .op = bench_ops[o], .type = type, .flags = flags };
        }
    }
}

/* Returns 1 where the device uses the operation. Only groups sort blocks. */
static int is_used(const tuner *t, const char *operation)
{
    return t->bench.info.mapping == MCL_MAPPING_GROUP || strcmp(operation, "sort_block") != 0;
}

int tune_units_make(tuner *t)
{
    t->units = calloc(TUNE_UNITS_MAX, sizeof *t->units);
    if (!t->units) {
        bench_note("no host memory for the list of operations");
        return -1;
    }
    for (int k = 0; mcl_operation_name(k); k++) {
        const char *const operation = mcl_operation_name(k);
        const int before = t->unit_count;
        if (!is_wanted(t->options, operation) || !is_used(t, operation)) continue;
        add_operation(t, operation);
        if (t->unit_count == before)
            tune_note(t, "%s: the bench has no row that measures it with these types", operation);
    }
    const int most = t->options->effort == TUNE_QUICK ? 1 : t->options->effort == TUNE_USUAL ? 4 : TUNE_CASES_MAX;
    for (int k = 0; k < t->unit_count; k++) thin_out(&t->units[k], most);
    return 0;
}

/* ---- their data --------------------------------------------------------------------------------------------- */

static int case_open(tuner *t, const tune_case *c, int64_t n, bench_case *out)
{
    *out = (bench_case){ .bench = &t->bench, .op = c->op, .type = c->type, .n = n };
    return bench_case_open(out);
}

int tune_unit_open(tuner *t, tune_unit *unit)
{
    const int64_t share = 64;
    const int64_t least = 2000;
    const int64_t small = t->n / share > least ? t->n / share : t->n < least ? t->n : least;
    for (int k = 0; k < unit->case_count; k++) {
        tune_progress(t, "%s of %zu bytes: data and reference of %s", unit->operation, unit->bytes,
                      unit->cases[k].op->name);
        if (case_open(t, &unit->cases[k], small, &unit->cases[k].small) != 0) return -1;
        if (case_open(t, &unit->cases[k], t->n, &unit->cases[k].full) != 0) return -1;
    }
    return 0;
}

void tune_unit_close(tune_unit *unit)
{
    for (int k = 0; k < unit->case_count; k++) {
        if (unit->cases[k].small.bench) bench_case_close(&unit->cases[k].small);
        if (unit->cases[k].full.bench) bench_case_close(&unit->cases[k].full);
        memset(&unit->cases[k].small, 0, sizeof unit->cases[k].small);
        memset(&unit->cases[k].full, 0, sizeof unit->cases[k].full);
    }
}
