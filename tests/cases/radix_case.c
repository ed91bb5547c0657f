/* radix_case.c: compares radix sort with a sort of the host by the same bits. The seed chooses the spread of the keys,
 * the order and the bits, so that one program serves many choices. */
#include "case.h"
#include "radix_call.h"

#include <stdlib.h>
#include <string.h>

typedef enum radix_spread {
    SPREAD_RANDOM, /* all bits */
    SPREAD_FEW,    /* four values; for floats, both zeros and NaN of both signs */
    SPREAD_SORTED,
    SPREAD_REVERSED,
    SPREAD_EQUAL,
    SPREAD_NEAR, /* small numbers, so that the high digits are equal */
    SPREAD_COUNT
} radix_spread;

/* The choices that a seed stands for. */
typedef struct radix_choice {
    radix_spread spread;
    int descending;
    int first_bit;
    int end_bit; /* 0: all */
} radix_choice;

static radix_choice radix_chosen(const case_problem *problem)
{
    const uint64_t r = test_random(problem->seed, 77);
    const int bits = 8 * (int)problem->variant->element->type->size;
    const int windows[][2] = { { 0, 0 }, { 0, 0 },           { 3, bits < 17 ? bits : 17 },
                               { 0, 1 }, { bits - 1, bits }, { bits / 2 - 1, bits } };
    /* floats take all bits or need a program for the window */
    const int is_whole = problem->variant->element->type->kind == MCL_KIND_FLOAT && !problem->variant->kind;
    const int *window = windows[is_whole ? 0 : r / 64 % 6];
    const radix_choice chosen = { (radix_spread)(r % 64 % SPREAD_COUNT), (int)(r >> 20 & 1), window[0], window[1] };
    return chosen;
}

/* ---- the keys -------------------------------------------------------------------------------------------------- */

static uint64_t radix_few(const mcl_type *type, uint64_t r)
{
    const uint64_t top = (uint64_t)1 << (8 * type->size - 1);
    /* for floats these are both zeros, and NaN of both signs */
    const uint64_t values[] = { 0, top, top - 1, UINT64_MAX };

    return values[r % 4];
}

static void radix_spread_keys(case_problem *problem)
{
    const element *kind = problem->variant->element;
    case_input *input = &problem->inputs[0];
    const radix_spread spread = radix_chosen(problem).spread;

    if (input->source != FROM_BUFFER || spread > SPREAD_FEW) return;
    for (int64_t k = 0; k < input->count; k++) {
        const uint64_t r = test_random(problem->seed + 5, (uint64_t)k);
        const uint64_t bits = spread == SPREAD_RANDOM ? r : radix_few(kind->type, r);
        memcpy(case_at(kind, input->data, k), &bits,
               kind->type->size); /* the low bytes, since hosts of the tests are little-endian */
    }
}

static void radix_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *value = variant->value;
    const radix_spread spread = radix_chosen(problem).spread;
    const case_order order = spread == SPREAD_SORTED     ? ORDER_ASCENDING
                             : spread == SPREAD_REVERSED ? ORDER_DESCENDING
                                                         : ORDER_RANDOM;

    case_add_input(problem, variant->element, variant->source, problem->n, spread == SPREAD_EQUAL ? 1 : 0, order);
    radix_spread_keys(problem);
    if (value) case_add_counting(problem, value, 0, problem->n);
}

/* Expects the order by the bits of the window. */
static void radix_expect(case_problem *problem)
{
    const case_input *keys = &problem->inputs[0];
    const mcl_type *type = keys->element->type;
    const radix_choice chosen = radix_chosen(problem);
    const int end = chosen.end_bit ? chosen.end_bit : 8 * (int)type->size;
    const uint64_t mask = UINT64_MAX >> (64 - (end - chosen.first_bit));
    case_ranked *ranked = malloc((size_t)(problem->n + 1) * sizeof *ranked);
    int64_t *order = malloc((size_t)(problem->n + 1) * sizeof *order);

    if (!ranked || !order) abort();
    for (int64_t k = 0; k < problem->n; k++) {
        const uint64_t window = case_rank(type, case_at(keys->element, keys->data, k)) >> chosen.first_bit & mask;
        ranked[k] = (case_ranked){ window ^ (chosen.descending ? mask : 0), k };
    }
    ranked = case_sort_ranked(ranked, problem->n, end - chosen.first_bit);
    for (int64_t k = 0; k < problem->n; k++) order[k] = ranked[k].index;
    for (int k = 0; k < problem->input_count; k++) case_add_ordered(problem, &problem->inputs[k], order);
    free(ranked);
    free(order);
}

/* ---- the call -------------------------------------------------------------------------------------------------- */

static mcl_status radix_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                             const mcl_options *options)
{
    const radix_choice chosen = radix_chosen(problem);
    mcl_options own = *options;

    own.sort_method = MCL_SORT_RADIX;
    own.first_bit = chosen.first_bit;
    own.end_bit = chosen.end_bit;
    return sort_by_radix(queue, operands->in[0], operands->in[1], operands->out[0], operands->out[1],
                         chosen.descending ? MCL_GREATER : MCL_LESS, &own);
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_uint32, .value = &element_int32, .in_place = 1 },
    { .element = &element_int8, .value = &element_uint64, .threads = 32, .items = 9 },
    { .element = &element_int16, .threads = 24, .items = 20, .in_place = 1 },
    { .element = &element_uint64, .threads = 8, .items = 31, .source = FROM_STEP, .flags = MCL_INDEX_64 },
    { .element = &element_int64, .value = &element_int64, .threads = 1, .items = 100, .in_place = 1 },
    { .element = &element_float, .value = &element_half, .threads = 1, .items = 200 },
    { .element = &element_double, .threads = 1, .items = 31, .flags = MCL_INDEX_64, .kind = RADIX_WINDOWS },
    { .element = &element_half, .value = &element_point, .threads = 12, .items = 16, .kind = RADIX_WINDOWS },
    { .element = &element_float, .value = &element_wide, .threads = 1, .items = 31, .source = FROM_EXPRESSION },
    { .element = &element_int32, .value = &element_wide, .threads = 1, .items = 1, .in_place = 1 },
    { .element = &element_uint8, .value = &element_int8, .in_place = 1, .threads = 8, .items = 25 },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int8 },
    { .element = &element_int16 },
    { .element = &element_int32 },
    { .element = &element_int64 },
    { .element = &element_uint8 },
    { .element = &element_uint32 },
    { .element = &element_uint64 },
    { .element = &element_float, .kind = RADIX_WINDOWS },
    { .element = &element_double, .kind = RADIX_WINDOWS },
    { .element = &element_half, .kind = RADIX_WINDOWS },
    { .element = &element_int8, .value = &element_point },
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int32, .value = &element_wide },
    { .element = &element_uint64, .value = &element_uint64 },
    { .element = &element_double, .value = &element_int8 },
    { .element = &element_half, .value = &element_half },
};

const mcl_case radix_sort_case = {
    .name = "radix_sort",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = radix_make,
    .expect = radix_expect,
    .call = radix_call,
};
