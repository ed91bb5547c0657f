/* sort_case.c: mcl_sort, mcl_sort_pairs and mcl_sort_indices against the C library's qsort of places. */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What qsort's comparison looks at: one problem at a time. */
static const case_problem *sorted;

static int sorts_before(int64_t i, int64_t j)
{
    const element *kind = sorted->inputs[0].element;
    const unsigned char *p = case_at(kind, sorted->inputs[0].data, i);
    const unsigned char *q = case_at(kind, sorted->inputs[0].data, j);

    return sorted->variant->descending ? kind->before(q, p) : kind->before(p, q);
}

/* Equal keys (neither sorts before the other) keep their order. */
static int compare_places(const void *p, const void *q)
{
    const int64_t i = *(const int64_t *)p;
    const int64_t j = *(const int64_t *)q;

    if (sorts_before(i, j)) return -1;
    if (sorts_before(j, i)) return 1;
    return (i > j) - (i < j);
}

static int64_t *sort_places(const case_problem *problem)
{
    int64_t *places = malloc((size_t)problem->n * sizeof *places + 1);

    if (!places) {
        fprintf(stderr, "out of host memory\n");
        exit(2);
    }
    for (int64_t k = 0; k < problem->n; k++) places[k] = k;
    sorted = problem;
    qsort(places, (size_t)problem->n, sizeof *places, compare_places);
    return places;
}

static void gather(const case_input *from, const int64_t *places, unsigned char *out)
{
    for (int64_t k = 0; k < from->count; k++)
        memcpy(case_at(from->element, out, k), case_at(from->element, from->data, places[k]),
               from->element->type->size);
}

/* Random keys with many equal ones; every third problem is sorted or reversed to begin with. */
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
    if (variant->value) {
        case_add_input(problem, variant->value, FROM_BUFFER, n, 0, ORDER_RANDOM);
        for (int64_t k = 0; k < n; k++)
            variant->value->from_integer(k % variant->value->span, case_at(variant->value, problem->inputs[1].data, k));
    }
    int64_t *places = sort_places(problem);
    if (variant->kind == SORT_INDICES) {
        unsigned char *out = case_add_output(problem, variant->index_element, n);
        for (int64_t k = 0; k < n; k++) {
            const int32_t place = (int32_t)places[k];
            const int is_wide = variant->index_element == &element_int64;
            memcpy(case_at(variant->index_element, out, k), is_wide ? (const void *)&places[k] : &place,
                   variant->index_element->type->size);
        }
    } else {
        gather(&problem->inputs[0], places, case_add_output(problem, kind, n));
    }
    if (variant->value) gather(&problem->inputs[1], places, case_add_output(problem, variant->value, n));
    free(places);
}

static mcl_status sort_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    mcl_options merging = *options;

    merging.sort_method = MCL_SORT_MERGE;
    if (variant->kind == SORT_INDICES)
        return mcl_sort_indices(queue, operands->in[0], operands->out[0], before, &merging);
    if (!variant->value) return mcl_sort(queue, operands->in[0], operands->out[0], before, &merging);
    return mcl_sort_pairs(queue, operands->in[0], operands->in[1], operands->out[0], operands->out[1], before,
                          &merging);
}

static int64_t sort_bytes(const case_problem *problem)
{
    const case_variant *variant = problem->variant;

    return 2 * problem->n * (int64_t)(variant->element->type->size + (variant->value ? variant->value->type->size : 0));
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_int32, .value = &element_int32, .in_place = 1 },
    { .element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7, .in_place = 1 },
    { .element = &element_uint64, .threads = 128, .items = 8, .flags = MCL_INDEX_64 },
    { .element = &element_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_float, .value = &element_point, .threads = 1, .items = 31, .flags = MCL_VALIDATE },
    { .element = &element_double, .threads = 1, .items = 1000, .descending = 1, .in_place = 1 },
    { .element = &element_half, .value = &element_wide, .threads = 32, .items = 15, .in_place = 1 },
    { .element = &element_wide, .threads = 64, .items = 3, .in_place = 1 },
    { .element = &element_wide, .value = &element_double, .threads = 1, .items = 300, .flags = MCL_INDEX_64 },
    { .element = &element_uint32,
      .kind = SORT_INDICES,
      .index_element = &element_int64,
      .threads = 128,
      .items = 1,
      .descending = 1,
      .source = FROM_STEP },
    { .element = &element_wide, .kind = SORT_INDICES, .index_element = &element_int32, .threads = 1, .items = 50 },
    { .element = &element_int32, .kind = SORT_INDICES, .index_element = &element_int32 },
};
/* What the product adds. */
static const case_variant all_variants[] = {
    { .element = &element_int8 },
    { .element = &element_int32, .in_place = 1 },
    { .element = &element_uint64 },
    { .element = &element_float, .descending = 1, .in_place = 1 },
    { .element = &element_double },
    { .element = &element_half },
    { .element = &element_point, .in_place = 1 },
    { .element = &element_wide },
    { .element = &element_wide, .in_place = 1 },
    { .element = &element_int8, .value = &element_point },
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int32, .value = &element_wide, .in_place = 1 },
    { .element = &element_uint64, .value = &element_uint64, .in_place = 1 },
    { .element = &element_double, .value = &element_int8 },
    { .element = &element_point, .value = &element_int32 },
    { .element = &element_wide, .value = &element_int64, .in_place = 1 },
    { .element = &element_int32, .kind = SORT_INDICES, .index_element = &element_int32 },
    { .element = &element_point, .kind = SORT_INDICES, .index_element = &element_int64 },
    { .element = &element_wide, .kind = SORT_INDICES, .index_element = &element_int32 },
};

const mcl_case sort_case = {
    .name = "sort",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = sort_make,
    .call = sort_call,
    .bytes_moved = sort_bytes,
};
