/* sort_columns_case.c: compares mcl_sort_columns and mcl_sort_columns_indices with the order of rows, found by
 * merging. */
#include "case.h"

#include <stdlib.h>

enum { KEYS_MAX = 9 };

/* The key columns for each kind of variant. */
typedef struct key_set {
    int count;
    const element *kinds[KEYS_MAX];
    unsigned descending; /* bit k is set where column k has the order MCL_GREATER */
} key_set;

static const key_set sets[] = {
    [SORT_COLUMNS_TWO] = { 2, { &element_int32, &element_float }, 2 },
    [SORT_COLUMNS_LONE] = { 1, { &element_half }, 1 },
    [SORT_COLUMNS_WORDS] = { 3, { &element_int8, &element_uint64, &element_float }, 2 },
    [SORT_COLUMNS_OWN_FIRST] = { 2, { &element_point, &element_int64 }, 2 },
    [SORT_COLUMNS_OWN_LAST] = { 3, { &element_int32, &element_int8, &element_wide }, 1 },
    [SORT_COLUMNS_BYTES] = { 9,
                             { &element_int8, &element_uint8, &element_int8, &element_int8, &element_uint8,
                               &element_int8, &element_int8, &element_uint8, &element_int8 },
                             0xaa },
    [SORT_COLUMNS_DOUBLES] = { 2, { &element_double, &element_uint32 }, 1 },
};

static const key_set *set_of(const case_problem *problem)
{
    return &sets[problem->variant->kind];
}

static int key_before(const case_problem *problem, int column, int64_t p, int64_t q)
{
    const case_input *keys = &problem->inputs[column];
    const unsigned char *x = case_at(keys->element, keys->data, p);
    const unsigned char *y = case_at(keys->element, keys->data, q);

    return set_of(problem)->descending >> column & 1 ? keys->element->before(y, x) : keys->element->before(x, y);
}

static int row_before(const case_problem *problem, int64_t p, int64_t q)
{
    for (int k = 0; k < set_of(problem)->count; k++) {
        if (key_before(problem, k, p, q)) return 1;
        if (key_before(problem, k, q, p)) return 0;
    }
    return 0;
}

static void merge_rows(const case_problem *problem, const int64_t *from, int64_t *to, int64_t left, int64_t width)
{
    const int64_t n = problem->n;
    const int64_t middle = left + width < n ? left + width : n;
    const int64_t end = middle + width < n ? middle + width : n;
    int64_t i = left;
    int64_t j = middle;

    for (int64_t k = left; k < end; k++) {
        const int takes_right = i == middle || (j < end && row_before(problem, from[j], from[i]));
        to[k] = from[takes_right ? j++ : i++];
    }
}

static int64_t *sorted_rows(const case_problem *problem)
{
    int64_t *order = malloc((size_t)(problem->n + 1) * sizeof *order);
    int64_t *spare = malloc((size_t)(problem->n + 1) * sizeof *spare);

    if (!order || !spare) abort();
    for (int64_t k = 0; k < problem->n; k++) order[k] = k;
    for (int64_t width = 1; width < problem->n; width *= 2) {
        for (int64_t left = 0; left < problem->n; left += 2 * width) merge_rows(problem, order, spare, left, width);
        int64_t *merged = spare;
        spare = order;
        order = merged;
    }
    free(spare);
    return order;
}

/* Expects the indices, or all key columns in their order. */
static void sort_columns_expect(case_problem *problem)
{
    const element *kind = problem->variant->index_element;
    int64_t *order = sorted_rows(problem);

    if (kind) {
        unsigned char *out = case_add_output(problem, kind, problem->n);
        for (int64_t k = 0; k < problem->n; k++) case_store_index(kind, order[k], case_at(kind, out, k));
    }
    for (int k = 0; k < set_of(problem)->count && !kind; k++) case_add_ordered(problem, &problem->inputs[k], order);
    free(order);
}

/* Makes columns with few different keys, so that later columns decide. */
static void sort_columns_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const key_set *set = set_of(problem);
    const int64_t span = problem->seed % 3 == 1 ? 0 : 3;

    for (int k = 0; k < set->count; k++)
        case_add_input(problem, set->kinds[k], k == 0 ? variant->source : FROM_BUFFER, problem->n, span, ORDER_RANDOM);
}

static mcl_status sort_columns_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                    const mcl_options *options)
{
    const key_set *set = set_of(problem);
    mcl_key_column keys[KEYS_MAX];
    mcl_column columns[KEYS_MAX];

    for (int k = 0; k < set->count; k++) {
        keys[k].keys = operands->in[k];
        keys[k].before = set->descending >> k & 1 ? MCL_GREATER : set->kinds[k]->less;
        columns[k].in = operands->in[k];
        columns[k].out = operands->out[k];
    }
    if (problem->variant->index_element)
        return mcl_sort_columns_indices(queue, keys, set->count, operands->out[0], options);
    return mcl_sort_columns(queue, keys, set->count, columns, set->count, options);
}

#define COLUMNS(set, first, ...) { .element = &element_##first, .kind = SORT_COLUMNS_##set, __VA_ARGS__ }
static const case_variant variants[] = {
    COLUMNS(TWO, int32, .index_element = &element_int32),
    COLUMNS(TWO, int32, .threads = 64, .items = 5),
    COLUMNS(TWO, int32, .threads = 1, .items = 300, .in_place = 1),
    COLUMNS(LONE, half, .threads = 32, .items = 4, .index_element = &element_int64),
    COLUMNS(WORDS, int8, .threads = 64, .items = 4, .index_element = &element_int32),
    COLUMNS(WORDS, int8, .source = FROM_EXPRESSION, .flags = MCL_INDEX_64),
    COLUMNS(OWN_FIRST, point, .threads = 32, .items = 5, .index_element = &element_int64),
    COLUMNS(OWN_FIRST, point, .threads = 1, .items = 100, .in_place = 1),
    COLUMNS(OWN_LAST, int32, .threads = 64, .items = 3, .index_element = &element_int32),
    COLUMNS(OWN_LAST, int32, .source = FROM_STEP, .threads = 1, .items = 50),
    COLUMNS(BYTES, int8, .threads = 128, .items = 2, .in_place = 1),
    COLUMNS(BYTES, int8, .index_element = &element_int32),
    COLUMNS(DOUBLES, double, .threads = 64, .items = 6, .index_element = &element_int32),
};
static const case_variant all_variants[] = {
    COLUMNS(TWO, int32, .index_element = &element_int32),
    COLUMNS(WORDS, int8, .flags = MCL_INDEX_64),
    COLUMNS(OWN_FIRST, point, .in_place = 1),
    COLUMNS(OWN_LAST, int32, .index_element = &element_int64),
    COLUMNS(BYTES, int8, .index_element = &element_int32),
    COLUMNS(DOUBLES, double, .in_place = 1),
};

const mcl_case sort_columns_case = {
    .name = "sort_pairs",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = sort_columns_make,
    .expect = sort_columns_expect,
    .call = sort_columns_call,
};
