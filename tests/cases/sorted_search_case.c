/* sorted_search_case.c: compares mcl_sorted_search, mcl_sorted_search_needles and mcl_equality_count with bounds found
 * by two pointers that only move forward. element: type of the keys; value: type of indices; matches are bytes; kind:
 * the bounds of a. */
#include "case.h"

#include <stdlib.h>

static void store_one(const element *kind, mcl_find find, int64_t index, int matches, unsigned char *out)
{
    kind->from_integer((find == MCL_FIND_MATCH ? matches : index) + kind->zero, out);
    /* devices of the tests are little-endian */
    if (find == MCL_FIND_INDEX_MATCH && matches) out[kind->type->size - 1] |= 0x80;
}

/* Returns the element type of a side's output. */
static const element *found_of(const case_variant *variant, int side)
{
    const int find = side ? variant->b_find : variant->a_find;
    return find == MCL_FIND_MATCH ? &element_uint8 : variant->value;
}

/* Fills one side's output, and counts the side's keys that match. */
CASE_LOOP search_side(case_problem *problem, case_type type, int side)
{
    const case_variant variant = *problem->variant;
    const case_input needles = problem->inputs[side];
    const case_input haystack = problem->inputs[1 - side];
    const mcl_find find = (mcl_find)(side ? variant.b_find : variant.a_find);
    const int upper = (variant.kind == MCL_UPPER) != side;
    const case_output out = problem->outputs[side && variant.a_find];
    int64_t low = 0;
    int64_t high = 0;
    int64_t matched = 0;

    for (int64_t k = 0; k < needles.count; k++) {
        const unsigned char *x = needles.data + (size_t)k * type.size;
        while (low < haystack.count && case_before(&variant, type, haystack.data + (size_t)low * type.size, x)) low++;
        if (high < low) high = low;
        while (high < haystack.count && !case_before(&variant, type, x, haystack.data + (size_t)high * type.size))
            high++;
        const int64_t equal = high - low;
        const int64_t index = variant.form == SEARCH_EQUALITY ? (equal > 1 ? equal : 1) : upper ? high : low;
        store_one(out.element, find, index, equal > 0, case_at(out.element, out.data, k));
        matched += equal > 0;
    }
    /* where both sides have matches, the first side's are counted */
    if (find >= MCL_FIND_MATCH && problem->result.data && (!side || variant.a_find < MCL_FIND_MATCH))
        memcpy(problem->result.data, &matched, sizeof matched);
}

CASE_LOOP search_loop(case_problem *problem, case_type type)
{
    if (problem->variant->a_find) search_side(problem, type, 0);
    if (problem->variant->b_find) search_side(problem, type, 1);
}

static void search_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;

    if (variant->a_find) case_add_output(problem, found_of(variant, 0), problem->inputs[0].count);
    if (variant->b_find) case_add_output(problem, found_of(variant, 1), problem->inputs[1].count);
    if (variant->a_find >= MCL_FIND_MATCH || variant->b_find >= MCL_FIND_MATCH)
        case_add_result(problem, &element_int64);
    CASE_TYPED(search_loop, problem, variant->element);
}

/* Adds an input of lower bounds with match bits, which an equality count takes. */
static void search_add_lower(case_problem *problem)
{
    case_variant lower = *problem->variant;
    case_problem searched = *problem;
    lower.form = SEARCH_NEEDLES;
    lower.a_find = MCL_FIND_INDEX_MATCH;
    searched.variant = &lower;
    search_expect(&searched);

    const case_output *found = &searched.outputs[0];
    case_add_input(problem, found->element, FROM_BUFFER, found->count, 2, ORDER_RANDOM);
    memcpy(problem->inputs[2].data, found->data, (size_t)found->count * found->element->type->size);
    free(found->data);
    free(searched.result.data);
}

static void search_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n, splits[] = { n / 2, n, 0, n / 3, n - n / 7, n / 40, n - n / 40 };
    const int64_t a_count = splits[problem->seed % 7];
    const case_order order = variant->descending ? ORDER_DESCENDING : ORDER_ASCENDING;
    /* few different keys make long runs of equal keys */
    const int64_t wanted = problem->seed % 3 == 0 ? 7 : problem->n + 2;
    const int64_t span = wanted < kind->span ? wanted : kind->span;

    case_add_input(problem, kind, variant->source, a_count, span, order);
    case_add_input(problem, kind, FROM_BUFFER, problem->n - a_count, span, order);
    if (variant->form == SEARCH_EQUALITY) search_add_lower(problem);
}

static mcl_found found(int find, mcl_output out, mcl_result count)
{
    switch (find) {
    case MCL_FIND_INDEX:
        return mcl_found_indices(out);
    case MCL_FIND_MATCH:
        return mcl_found_matches(out, count);
    case MCL_FIND_INDEX_MATCH:
        return mcl_found_index_matches(out, count);
    default:
        return mcl_found_nothing();
    }
}

static mcl_status search_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                              const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *order = variant->descending ? MCL_GREATER : variant->element->less;
    const mcl_bounds bounds = (mcl_bounds)variant->kind;
    const int a_counts = variant->a_find >= MCL_FIND_MATCH;

    if (variant->form == SEARCH_NEEDLES)
        return mcl_sorted_search_needles(queue, operands->in[0], operands->in[1], bounds, operands->out[0], order,
                                         options);
    if (variant->form == SEARCH_EQUALITY)
        return mcl_equality_count(queue, operands->in[0], operands->in[1], operands->in[2], operands->out[0], order,
                                  MCL_LEFT_JOIN, options);
    return mcl_sorted_search(
        queue, operands->in[0], operands->in[1], bounds,
        found(variant->a_find, operands->out[0], a_counts ? operands->result : mcl_to_nowhere()),
        found(variant->b_find, operands->out[variant->a_find != 0], a_counts ? mcl_to_nowhere() : operands->result),
        order, options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = SEARCH_NEEDLES },
    { .element = &element_int32,
      .value = &element_int32,
      .a_find = MCL_FIND_INDEX_MATCH,
      .b_find = MCL_FIND_INDEX_MATCH,
      .threads = 64,
      .items = 7 },
    { .element = &element_int8,
      .value = &element_int64,
      .a_find = MCL_FIND_MATCH,
      .b_find = MCL_FIND_INDEX,
      .threads = 32,
      .items = 31 },
    { .element = &element_uint64,
      .value = &element_int64,
      .a_find = MCL_FIND_INDEX_MATCH,
      .b_find = MCL_FIND_MATCH,
      .source = FROM_STEP,
      .kind = MCL_UPPER,
      .threads = 1,
      .items = 37 },
    { .element = &element_point,
      .value = &element_int32,
      .b_find = MCL_FIND_INDEX_MATCH,
      .source = FROM_EXPRESSION,
      .threads = 64,
      .items = 2,
      .flags = MCL_INDEX_64 },
    { .element = &element_float, .value = &element_int32, .a_find = MCL_FIND_MATCH, .b_find = MCL_FIND_MATCH },
    { .element = &element_double,
      .value = &element_int64,
      .a_find = MCL_FIND_INDEX,
      .form = SEARCH_NEEDLES,
      .kind = MCL_UPPER,
      .threads = 128,
      .items = 3,
      .descending = 1,
      .flags = MCL_VALIDATE },
    { .element = &element_int32, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = SEARCH_EQUALITY },
    { .element = &element_point,
      .value = &element_int64,
      .a_find = MCL_FIND_INDEX,
      .form = SEARCH_EQUALITY,
      .threads = 32,
      .items = 5,
      .flags = MCL_INDEX_64 },
    { .element = &element_wide,
      .value = &element_int32,
      .a_find = MCL_FIND_INDEX,
      .b_find = MCL_FIND_INDEX,
      .threads = 64,
      .items = 2 },
    { .element = &element_half, .value = &element_int32, .b_find = MCL_FIND_INDEX, .threads = 1, .items = 1 },
    { .element = &element_uint32,
      .value = &element_uint32,
      .a_find = MCL_FIND_INDEX_MATCH,
      .kind = MCL_UPPER,
      .source = FROM_COUNTING,
      .threads = 256,
      .items = 1 },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .value = &element_int32, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_MATCH },
    { .element = &element_int32, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = SEARCH_NEEDLES },
    { .element = &element_uint64, .value = &element_int64, .a_find = MCL_FIND_INDEX, .b_find = MCL_FIND_INDEX },
    { .element = &element_float, .value = &element_int32, .b_find = MCL_FIND_INDEX_MATCH, .kind = MCL_UPPER },
    { .element = &element_double, .value = &element_int64, .a_find = MCL_FIND_MATCH, .descending = 1 },
    { .element = &element_half, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = SEARCH_EQUALITY },
    { .element = &element_point, .value = &element_int32, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_INDEX },
    { .element = &element_wide,
      .value = &element_int64,
      .a_find = MCL_FIND_INDEX,
      .form = SEARCH_NEEDLES,
      .kind = MCL_UPPER },
};

const mcl_case sorted_search_case = {
    .name = "sorted_search",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = search_make,
    .expect = search_expect,
    .call = search_call,
};
