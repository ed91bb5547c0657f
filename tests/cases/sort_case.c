/* sort_case.c: compares mcl_sort, mcl_sort_pairs and mcl_sort_indices with the order of the keys. */
#include "case.h"

#include <stdlib.h>

/* Makes random keys with many equal ones. In every third problem they are sorted or reversed. */
static void sort_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n;
    const int64_t span = n / 2 + 2 < kind->span ? n / 2 + 2 : kind->span;
    const case_order order = problem->seed % 6 == 1   ? ORDER_ASCENDING
                             : problem->seed % 6 == 4 ? ORDER_DESCENDING
                                                      : ORDER_RANDOM;

    case_add_input(problem, kind, variant->source, n, span, order);
    if (variant->value) case_add_counting(problem, variant->value, 0, n);
}

static void sort_add_indices(case_problem *problem, const int64_t *order)
{
    const element *kind = problem->variant->index_element;
    unsigned char *out = case_add_output(problem, kind, problem->n);

    for (int64_t k = 0; k < problem->n; k++) case_store_index(kind, order[k], case_at(kind, out, k));
}

static void sort_expect(case_problem *problem)
{
    int64_t *order = case_sorted_indices(problem, NULL, 0);

    if (problem->variant->kind == SORT_INDICES)
        sort_add_indices(problem, order);
    else
        case_add_ordered(problem, &problem->inputs[0], order);
    if (problem->variant->value) case_add_ordered(problem, &problem->inputs[1], order);
    free(order);
}

static mcl_status sort_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;

    if (variant->kind == SORT_INDICES)
        return mcl_sort_indices(queue, operands->in[0], operands->out[0], before, options);
    if (!variant->value) return mcl_sort(queue, operands->in[0], operands->out[0], before, options);
    return mcl_sort_pairs(queue, operands->in[0], operands->in[1], operands->out[0], operands->out[1], before, options);
}

#define MERGING(...) { .sort_method = MCL_SORT_MERGE, __VA_ARGS__ }
static const case_variant variants[] = {
    MERGING(.element = &element_int32),
    MERGING(.element = &element_int32, .value = &element_int32, .in_place = 1),
    MERGING(.element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7, .in_place = 1),
    MERGING(.element = &element_uint64, .threads = 128, .items = 8, .flags = MCL_INDEX_64),
    MERGING(.element = &element_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION),
    MERGING(.element = &element_float, .value = &element_point, .threads = 1, .items = 31, .flags = MCL_VALIDATE),
    MERGING(.element = &element_double, .threads = 1, .items = 1000, .descending = 1, .in_place = 1),
    MERGING(.element = &element_half, .value = &element_wide, .threads = 32, .items = 15, .in_place = 1),
    MERGING(.element = &element_wide, .threads = 64, .items = 3, .in_place = 1),
    MERGING(.element = &element_wide, .value = &element_double, .threads = 1, .items = 300, .flags = MCL_INDEX_64),
    MERGING(.element = &element_uint32, .kind = SORT_INDICES, .index_element = &element_int64, .threads = 128,
            .items = 1, .descending = 1, .source = FROM_STEP),
    MERGING(.element = &element_wide, .kind = SORT_INDICES, .index_element = &element_int32, .threads = 1, .items = 50),
    MERGING(.element = &element_int32, .kind = SORT_INDICES, .index_element = &element_int32),
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    MERGING(.element = &element_int8),
    MERGING(.element = &element_int32, .in_place = 1),
    MERGING(.element = &element_uint64),
    MERGING(.element = &element_float, .descending = 1, .in_place = 1),
    MERGING(.element = &element_double),
    MERGING(.element = &element_half),
    MERGING(.element = &element_point, .in_place = 1),
    MERGING(.element = &element_wide),
    MERGING(.element = &element_wide, .in_place = 1),
    MERGING(.element = &element_int8, .value = &element_point),
    MERGING(.element = &element_int32, .value = &element_int32),
    MERGING(.element = &element_int32, .value = &element_wide, .in_place = 1),
    MERGING(.element = &element_uint64, .value = &element_uint64, .in_place = 1),
    MERGING(.element = &element_double, .value = &element_int8),
    MERGING(.element = &element_point, .value = &element_int32),
    MERGING(.element = &element_wide, .value = &element_int64, .in_place = 1),
    MERGING(.element = &element_int32, .kind = SORT_INDICES, .index_element = &element_int32),
    MERGING(.element = &element_point, .kind = SORT_INDICES, .index_element = &element_int64),
    MERGING(.element = &element_wide, .kind = SORT_INDICES, .index_element = &element_int32),
};

const mcl_case sort_case = {
    .name = "sort",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = sort_make,
    .expect = sort_expect,
    .call = sort_call,
};
