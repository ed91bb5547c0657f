/* sorted_search_case.c: mcl_sorted_search, mcl_sorted_search_needles and mcl_equality_count against bounds found by one
 * pointer that only goes on. element: the keys; value: of indices; matches are bytes; kind: the bounds of a. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

enum { BOTH, NEEDLES, EQUALITY };

static int before(const case_variant *variant, const unsigned char *p, const unsigned char *q)
{
    return variant->descending ? variant->element->before(q, p) : variant->element->before(p, q);
}

/* Bounds of the needles in the haystack. */
static void find_bounds(const case_problem *problem, const case_input *needles, const case_input *haystack, int upper,
                        int64_t *bounds)
{
    const case_variant *variant = problem->variant;
    int64_t j = 0;

    for (int64_t k = 0; k < needles->count; k++) {
        const unsigned char *x = case_at(variant->element, needles->data, k);
        for (; j < haystack->count; j++) {
            const unsigned char *y = case_at(variant->element, haystack->data, j);
            if (upper ? before(variant, x, y) : !before(variant, y, x)) break;
        }
        bounds[k] = j;
    }
}

static void store_one(const element *kind, mcl_find find, int64_t place, int matches, unsigned char *out)
{
    kind->from_integer((find == MCL_FIND_MATCH ? matches : place) + kind->zero, out);
    if (find == MCL_FIND_INDEX_MATCH && matches) out[kind->type->size - 1] |= 0x80; /* devices are little-endian */
}

static int64_t *numbers_of(int64_t count)
{
    int64_t *numbers = calloc((size_t)count + 1, sizeof *numbers);
    if (!numbers) abort();
    return numbers;
}

/* One side's output; gives how many of its keys match. */
static int64_t add_side(case_problem *problem, int side, mcl_find find, int upper)
{
    const case_input *needles = &problem->inputs[side];
    const case_input *haystack = &problem->inputs[1 - side];
    const element *kind = find == MCL_FIND_MATCH ? &element_uint8 : problem->variant->value;
    int64_t *low = numbers_of(needles->count);
    int64_t *high = numbers_of(needles->count);
    int64_t matched = 0;

    find_bounds(problem, needles, haystack, 0, low);
    find_bounds(problem, needles, haystack, 1, high);
    unsigned char *out = case_add_output(problem, kind, needles->count);
    for (int64_t k = 0; k < needles->count; k++) {
        const int matches = high[k] > low[k];
        const int64_t equal = high[k] - low[k];
        const int64_t place = problem->variant->form == EQUALITY ? (equal > 1 ? equal : 1) : (upper ? high : low)[k];
        store_one(kind, find, place, matches, case_at(kind, out, k));
        matched += matches;
    }
    if (problem->variant->form == EQUALITY) {
        case_input *lower = &problem->inputs[problem->input_count];
        case_add_input(problem, kind, FROM_BUFFER, needles->count, 2, ORDER_RANDOM);
        for (int64_t k = 0; k < needles->count; k++)
            store_one(kind, MCL_FIND_INDEX_MATCH, low[k], high[k] > low[k], case_at(kind, lower->data, k));
    }
    free(low);
    free(high);
    return matched;
}

static void search_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t splits[] = { problem->n / 2, problem->n, 0, problem->n / 3, problem->n - problem->n / 7 };
    const int64_t a_count = splits[problem->seed % 5];
    const case_order order = variant->descending ? ORDER_DESCENDING : ORDER_ASCENDING;
    /* few different keys make long runs of equal ones */
    const int64_t wanted = problem->seed % 3 == 0 ? 7 : problem->n + 2;
    const int64_t span = wanted < kind->span ? wanted : kind->span;
    int64_t matched = 0;

    case_add_input(problem, kind, variant->source, a_count, span, order);
    case_add_input(problem, kind, FROM_BUFFER, problem->n - a_count, span, order);
    if (variant->a_find) matched = add_side(problem, 0, (mcl_find)variant->a_find, variant->kind == MCL_UPPER);
    if (variant->b_find) {
        const int64_t b_matched = add_side(problem, 1, (mcl_find)variant->b_find, variant->kind == MCL_LOWER);
        if (variant->a_find < MCL_FIND_MATCH) matched = b_matched;
    }
    if (variant->a_find >= MCL_FIND_MATCH || variant->b_find >= MCL_FIND_MATCH)
        element_int64.from_integer(matched + element_int64.zero, case_add_result(problem, &element_int64));
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

    if (variant->form == NEEDLES)
        return mcl_sorted_search_needles(queue, operands->in[0], operands->in[1], bounds, operands->out[0], order,
                                         options);
    if (variant->form == EQUALITY)
        return mcl_equality_count(queue, operands->in[0], operands->in[1], operands->in[2], operands->out[0], order,
                                  MCL_LEFT_JOIN, options);
    return mcl_sorted_search(
        queue, operands->in[0], operands->in[1], bounds,
        found(variant->a_find, operands->out[0], a_counts ? operands->result : mcl_to_nowhere()),
        found(variant->b_find, operands->out[variant->a_find != 0], a_counts ? mcl_to_nowhere() : operands->result),
        order, options);
}

static int64_t search_bytes(const case_problem *problem)
{
    int64_t bytes = problem->n * (int64_t)problem->variant->element->type->size;

    for (int k = 0; k < problem->output_count; k++)
        bytes += problem->outputs[k].count * (int64_t)problem->outputs[k].element->type->size;
    return bytes;
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = NEEDLES },
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
      .form = NEEDLES,
      .kind = MCL_UPPER,
      .threads = 128,
      .items = 3,
      .descending = 1,
      .flags = MCL_VALIDATE },
    { .element = &element_int32, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = EQUALITY },
    { .element = &element_point,
      .value = &element_int64,
      .a_find = MCL_FIND_INDEX,
      .form = EQUALITY,
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
/* What the product adds. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .value = &element_int32, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_MATCH },
    { .element = &element_int32, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = NEEDLES },
    { .element = &element_uint64, .value = &element_int64, .a_find = MCL_FIND_INDEX, .b_find = MCL_FIND_INDEX },
    { .element = &element_float, .value = &element_int32, .b_find = MCL_FIND_INDEX_MATCH, .kind = MCL_UPPER },
    { .element = &element_double, .value = &element_int64, .a_find = MCL_FIND_MATCH, .descending = 1 },
    { .element = &element_half, .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = EQUALITY },
    { .element = &element_point, .value = &element_int32, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_INDEX },
    { .element = &element_wide, .value = &element_int64, .a_find = MCL_FIND_INDEX, .form = NEEDLES, .kind = MCL_UPPER },
};

const mcl_case sorted_search_case = {
    .name = "sorted_search",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = search_make,
    .call = search_call,
    .bytes_moved = search_bytes,
};
