/* merge_runs_case.c: compares mcl_merge_runs and mcl_merge_runs_pairs with the stable order of all keys. A variant's
 * length is the number of runs, and the seed chooses their lengths. value: type of the values in pairs. */
#include "case.h"

#include <stdlib.h>

enum { RUNS_MOST = 1000 };

/* Returns the index where run r begins. The runs have one length, or short ones come before long ones, or one run has
 * all keys, or many are empty. */
static int64_t run_begin(const case_problem *problem, int64_t r)
{
    const int64_t runs = problem->variant->length, n = problem->n;

    if (r == 0 || r == runs) return r == 0 ? 0 : n;
    switch (problem->seed % 4) {
    case 0:
        return r * n / runs;
    case 1:
        return r * r * n / (runs * runs);
    case 2:
        return r > runs / 2 ? n : 0;
    default:
        return r / 3 * 3 * n / runs;
    }
}

/* Sorts the keys of each run. */
static void sort_runs(case_problem *problem)
{
    const element *kind = problem->variant->element;
    const size_t size = kind->type->size, bytes = (size_t)problem->n * size;
    case_input *keys = &problem->inputs[0];
    unsigned char *const arrays[] = { keys->data, keys->table };
    int64_t starts[RUNS_MOST], start_count = 0;

    for (int64_t r = 1; r < problem->variant->length; r++) {
        const int64_t begin = run_begin(problem, r), last = start_count > 0 ? starts[start_count - 1] : 0;
        if (begin > last && begin < problem->n) starts[start_count++] = begin;
    }
    int64_t *order = case_sorted_indices(problem, starts, start_count);
    unsigned char *copy = malloc(bytes + 1);
    for (int a = 0; a < 2 && copy; a++) {
        if (!arrays[a]) continue;
        memcpy(copy, arrays[a], bytes);
        for (int64_t k = 0; k < problem->n; k++)
            memcpy(arrays[a] + (size_t)k * size, copy + (size_t)order[k] * size, size);
    }
    free(copy);
    free(order);
}

static void merge_runs_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element, *offset = variant->index_element;
    const int64_t n = problem->n, wanted = problem->seed % 3 == 0 ? 4 : n / 2 + 2;

    case_add_input(problem, kind, variant->source, n, wanted < kind->span ? wanted : kind->span, ORDER_RANDOM);
    if (variant->source == FROM_BUFFER || variant->source == FROM_EXPRESSION) sort_runs(problem);
    if (variant->value) case_add_counting(problem, variant->value, 0, n);
    case_add_input(problem, offset, FROM_BUFFER, variant->length + 1, 0, ORDER_RANDOM);
    for (int64_t r = 0; r <= variant->length; r++)
        offset->from_integer(offset->zero + run_begin(problem, r),
                             case_at(offset, problem->inputs[problem->input_count - 1].data, r));
}

static void merge_runs_expect(case_problem *problem)
{
    int64_t *order = case_sorted_indices(problem, NULL, 0);

    case_add_ordered(problem, &problem->inputs[0], order);
    if (problem->variant->value) case_add_ordered(problem, &problem->inputs[1], order);
    free(order);
}

static mcl_status merge_runs_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                                  const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    mcl_input offsets = o->in[variant->value ? 2 : 1];

    offsets.count = variant->length + 1; /* the number of runs stays, although other counts may become bounds */
    if (!variant->value) return mcl_merge_runs(queue, o->in[0], offsets, o->out[0], before, options);
    return mcl_merge_runs_pairs(queue, o->in[0], o->in[1], offsets, o->out[0], o->out[1], before, options);
}

/* The variants have 1 to 33 runs, or many. Their levels end in the output or in scratch. */
static const case_variant variants[] = {
    { .element = &element_int32, .index_element = &element_int32, .length = 1 },
    { .element = &element_int32, .value = &element_int32, .index_element = &element_int32, .length = 2 },
    { .element = &element_int8,
      .value = &element_uint64,
      .threads = 64,
      .items = 7,
      .index_element = &element_uint32,
      .length = 3 },
    { .element = &element_uint64,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .flags = MCL_INDEX_64,
      .index_element = &element_int64,
      .length = 5 },
    { .element = &element_point,
      .threads = 32,
      .items = 2,
      .source = FROM_EXPRESSION,
      .index_element = &element_int32,
      .length = 33 },
    { .element = &element_float,
      .value = &element_point,
      .threads = 1,
      .items = 31,
      .flags = MCL_VALIDATE,
      .index_element = &element_int64,
      .length = 8 },
    { .element = &element_double,
      .threads = 1,
      .items = 1,
      .descending = 1,
      .index_element = &element_int32,
      .length = 17 },
    { .element = &element_int32,
      .value = &element_int8,
      .threads = 256,
      .items = 1,
      .descending = 1,
      .flags = MCL_INDEX_64,
      .index_element = &element_int32,
      .length = 33 },
    { .element = &element_half, .threads = 64, .items = 31, .index_element = &element_uint32, .length = 7 },
    { .element = &element_point,
      .value = &element_int32,
      .threads = 1,
      .items = 8,
      .source = FROM_EXPRESSION,
      .index_element = &element_int32,
      .length = 4 },
    { .element = &element_uint32, .threads = 32, .items = 5, .index_element = &element_int64, .length = RUNS_MOST },
    { .element = &element_wide, .threads = 64, .items = 3, .index_element = &element_int32, .length = 6 },
};
static const case_variant all_variants[] = {
    { .element = &element_int32, .index_element = &element_int32, .length = 12 },
    { .element = &element_half, .index_element = &element_int32, .length = 9 },
    { .element = &element_double, .value = &element_int8, .index_element = &element_int64, .length = 31 },
    { .element = &element_wide, .value = &element_int64, .index_element = &element_uint32, .length = 3 },
};

const mcl_case merge_runs_case = {
    .name = "merge_runs",
    .tiled_as = "merge",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = merge_runs_make,
    .expect = merge_runs_expect,
    .call = merge_runs_call,
};
