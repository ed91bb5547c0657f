/* radix_case.c: radix sort against a sort of the host by the same bits. The seed chooses how keys are spread, the
 * order and the bits that are looked at, so that one program serves many of them. */
#include "case.h"
#include "radix_call.h"

#include <stdlib.h>
#include <string.h>

typedef enum radix_spread {
    SPREAD_RANDOM, /* all bits */
    SPREAD_FEW,    /* four values, of floats both zeros and NaN of both signs */
    SPREAD_SORTED,
    SPREAD_REVERSED,
    SPREAD_EQUAL,
    SPREAD_NEAR, /* small numbers: high digits are all the same */
    SPREAD_COUNT
} radix_spread;

/* What a seed stands for. */
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
    /* A window of floats takes a program of its own. */
    const int is_whole = problem->variant->element->type->kind == MCL_KIND_FLOAT && !problem->variant->kind;
    const int *window = windows[is_whole ? 0 : r / 64 % 6];
    const radix_choice chosen = { (radix_spread)(r % 64 % SPREAD_COUNT), (int)(r >> 20 & 1), window[0], window[1] };
    return chosen;
}

/* ---- the order ------------------------------------------------------------------------------------------------- */

static uint64_t radix_bits(const mcl_type *type, const unsigned char *key)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (type->size) {
    case 1:
        memcpy(&one, key, sizeof one);
        return one;
    case 2:
        memcpy(&two, key, sizeof two);
        return two;
    case 4:
        memcpy(&four, key, sizeof four);
        return four;
    default:
        memcpy(&eight, key, sizeof eight);
        return eight;
    }
}

/* An unsigned number of the key's order. */
static uint64_t radix_image(const mcl_type *type, const unsigned char *key)
{
    static const int exponent_bits[] = { 0, 0, 5, 0, 8, 0, 0, 0, 11 };
    const int bits = 8 * (int)type->size;
    const uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t all = top | (top - 1);
    const uint64_t x = radix_bits(type, key);

    if (type->kind == MCL_KIND_UNSIGNED) return x;
    if (type->kind == MCL_KIND_SIGNED) return x ^ top;
    const int fraction_bits = bits - 1 - exponent_bits[type->size];
    const uint64_t infinity = (top - 1) >> fraction_bits << fraction_bits;
    if ((x & ~top) > infinity) return all;
    if ((x & ~top) == 0) return top;
    return x & top ? x ^ all : x | top;
}

typedef struct ranked {
    uint64_t rank;
    int64_t place;
} ranked;

static int ranked_before(const void *p, const void *q)
{
    const ranked *a = p;
    const ranked *b = q;

    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void radix_reference(case_problem *problem, unsigned char *keys, unsigned char *values)
{
    const element *kind = problem->variant->element;
    const element *value = problem->variant->value;
    const radix_choice chosen = radix_chosen(problem);
    const int end = chosen.end_bit ? chosen.end_bit : 8 * (int)kind->type->size;
    const uint64_t mask = UINT64_MAX >> (64 - (end - chosen.first_bit));
    ranked *order = malloc((size_t)(problem->n ? problem->n : 1) * sizeof *order);

    if (!order) abort();
    for (int64_t k = 0; k < problem->n; k++) {
        const uint64_t image = radix_image(kind->type, case_at(kind, problem->inputs[0].data, k));
        order[k].rank = (image >> chosen.first_bit & mask) ^ (chosen.descending ? mask : 0);
        order[k].place = k;
    }
    qsort(order, (size_t)problem->n, sizeof *order, ranked_before);
    for (int64_t k = 0; k < problem->n; k++) {
        memcpy(case_at(kind, keys, k), case_at(kind, problem->inputs[0].data, order[k].place), kind->type->size);
        if (value)
            memcpy(case_at(value, values, k), case_at(value, problem->inputs[1].data, order[k].place),
                   value->type->size);
    }
    free(order);
}

/* ---- the keys -------------------------------------------------------------------------------------------------- */

static uint64_t radix_few(const mcl_type *type, uint64_t r)
{
    const uint64_t top = (uint64_t)1 << (8 * type->size - 1);
    const uint64_t values[] = { 0, top, top - 1, UINT64_MAX }; /* floats: both zeros, NaN of both signs */

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
               kind->type->size); /* the low bytes: hosts here are little-endian */
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
    if (value) {
        case_add_input(problem, value, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
        for (int64_t k = 0; k < problem->n; k++)
            value->from_integer(k % value->span, case_at(value, problem->inputs[1].data, k));
    }
    unsigned char *keys = case_add_output(problem, variant->element, problem->n);
    unsigned char *values = value ? case_add_output(problem, value, problem->n) : NULL;
    radix_reference(problem, keys, values);
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

static int64_t radix_bytes(const case_problem *problem)
{
    const case_variant *variant = problem->variant;

    return 2 * problem->n * (int64_t)(variant->element->type->size + (variant->value ? variant->value->type->size : 0));
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
/* What the product adds. */
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
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = radix_make,
    .call = radix_call,
    .bytes_moved = radix_bytes,
};
