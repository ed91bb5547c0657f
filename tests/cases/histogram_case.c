/* histogram_case.c: compares the three histograms with the loop. Inputs: elements; levels for histogram_range; weights,
 * if any. A variant's value is the type of the bins, its index_element the type of the weights, its length the number
 * of bins. */
#include "case.h"

#include <stdlib.h>

/* The bounds between which even bins lie. */
typedef struct bounds {
    double low, high;
} bounds;

static int64_t bin_count(const case_variant *variant)
{
    return variant->length ? variant->length : 10;
}

static int is_float(const element *kind)
{
    return kind->type->kind == MCL_KIND_FLOAT;
}

/* Returns an integer of any type as 64 bits. */
static int64_t integer_at(const element *kind, const unsigned char *x)
{
    const int bits = (int)kind->type->size * 8;
    uint64_t number = 0;

    memcpy(&number, x, kind->type->size);
    if (bits == 64 || kind->type->kind == MCL_KIND_UNSIGNED) return (int64_t)number;
    return (int64_t)(number << (64 - bits)) >> (64 - bits);
}

static double real_at(const element *kind, const unsigned char *x)
{
    uint16_t half;
    float single;
    double real;

    memcpy(&half, x, sizeof half);
    if (kind->type->size == sizeof half) return (double)half_value(half);
    memcpy(&single, x, sizeof single);
    if (kind->type->size == sizeof single) return (double)single;
    memcpy(&real, x, sizeof real);
    return real;
}

/* ---- inputs ----------------------------------------------------------------------------------------------------- */

static void histogram_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    if (variant->kind == HISTOGRAM_RANGE)
        case_add_input(problem, variant->element, FROM_BUFFER, bin_count(variant) + 1, 0, ORDER_ASCENDING);
    if (variant->index_element)
        case_add_input(problem, variant->index_element, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
}

/* Returns the bounds: all values of the integer type, or the middle of the tests' elements, so that some lie
 * outside. */
static bounds bounds_of(const case_variant *variant)
{
    const element *kind = variant->element;
    const double whole = (double)(UINT64_C(1) << (kind->type->size * 8 - 1));
    const int64_t eighth = kind->span / 8;
    const double offset = kind == &element_half ? 400 : (double)kind->zero;

    if (variant->form == HISTOGRAM_WHOLE && kind->type->kind == MCL_KIND_SIGNED) return (bounds){ -whole, whole };
    if (variant->form == HISTOGRAM_WHOLE) return (bounds){ 0, 2 * whole };
    return (bounds){ (double)eighth - offset, (double)(kind->span - eighth) - offset + (is_float(kind) ? 0.5 : 0) };
}

/* ---- the bin of an element -------------------------------------------------------------------------------------- */

/* Returns t * bins / span, rounded down, where t < span < 2^63. It goes through the bits of bins, since the product may
 * have more than 64 bits. */
static int64_t share(uint64_t t, uint64_t bins, uint64_t span)
{
    uint64_t quotient = 0;
    uint64_t rest = 0;

    if (span >> 32 == 0 || (t >> 40 == 0 && bins >> 24 == 0)) return (int64_t)(t * bins / span);
    for (int bit = 63; bit >= 0; bit--) {
        quotient = 2 * quotient + (2 * rest >= span);
        rest = 2 * rest - (2 * rest >= span ? span : 0);
        if (!(bins >> bit & 1)) continue;
        rest += t;
        quotient += rest >= span;
        rest -= rest >= span ? span : 0;
    }
    return (int64_t)quotient;
}

/* Returns the even bin of a float, in the arithmetic that histogram.h gives, in the elements' type. */
static int64_t even_real(const element *kind, const unsigned char *x, bounds b, int64_t bins)
{
    const double real = real_at(kind, x);

    if (!(real >= b.low && real < b.high)) return -1;
    if (kind->type->size == sizeof(double)) {
        const double place = (real - b.low) * ((double)bins / (b.high - b.low));
        return place < (double)bins ? (int64_t)place : bins - 1;
    }
    const float low = (float)b.low;
    const float scale = (float)((double)bins / (double)((float)b.high - low));
    const float moved = (float)real - low;
    const float place = moved * scale;
    return place < (float)bins ? (int64_t)place : bins - 1;
}

static int64_t even_bin(const case_variant *variant, const unsigned char *x, bounds b)
{
    const element *kind = variant->element;

    if (is_float(kind)) return even_real(kind, x, b, bin_count(variant));
    const int64_t low = (int64_t)b.low;
    const int64_t number = integer_at(kind, x);
    const uint64_t span = (uint64_t)(b.high - b.low);
    if (number < low || (uint64_t)number - (uint64_t)low >= span) return -1;
    return share((uint64_t)number - (uint64_t)low, (uint64_t)bin_count(variant), span);
}

static int64_t range_bin(const case_problem *problem, const unsigned char *x)
{
    const case_input *levels = &problem->inputs[1];
    const element *kind = levels->element;

    for (int64_t k = 0; k < levels->count; k++)
        if (kind->before(x, case_at(kind, levels->data, k))) return k - 1;
    return -1;
}

static const mcl_op bin_of_number = { .role = MCL_ROLE_INDEX, .expression = "(int64_t)x % 16 + i % 5 - 2" };
static const mcl_op bin_of_point = { .role = MCL_ROLE_INDEX, .expression = "x.id % 16 + i % 5 - 2" };

static int64_t number_bin(const element *kind, const unsigned char *x, int64_t k)
{
    int32_t id;

    if (kind != &element_point) return integer_at(kind, x) % 16 + k % 5 - 2;
    memcpy(&id, x + 8, sizeof id);
    return id % 16 + k % 5 - 2;
}

static int64_t bin_at(const case_problem *problem, int64_t k, bounds b)
{
    const case_input *in = &problem->inputs[0];
    const unsigned char *x = case_at(in->element, in->data, k);

    if (problem->variant->kind == HISTOGRAM_EVEN) return even_bin(problem->variant, x, b);
    if (problem->variant->kind == HISTOGRAM_RANGE) return range_bin(problem, x);
    return number_bin(in->element, x, k);
}

/* ---- the sums --------------------------------------------------------------------------------------------------- */

static void add_weight(const element *bins, unsigned char *bin, const element *weights, const unsigned char *weight)
{
    const double real = weights && is_float(weights) ? real_at(weights, weight)
                        : weights                    ? (double)integer_at(weights, weight)
                                                     : 1;
    const float single = (float)real;
    const int64_t number = weights ? integer_at(weights, weight) : 1;
    const uint64_t wide = (uint64_t)number;
    const uint32_t narrow = (uint32_t)wide;

    if (bins == &element_float)
        bins->add(bin, &single, bin);
    else if (bins == &element_double)
        bins->add(bin, &real, bin);
    else if (bins->type->size == sizeof wide)
        element_uint64.add(bin, &wide, bin);
    else
        element_uint32.add(bin, &narrow, bin);
}

static void histogram_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const bounds b = bounds_of(variant);
    const int64_t bins = bin_count(variant);
    const case_input *weights = variant->index_element ? &problem->inputs[problem->input_count - 1] : NULL;
    unsigned char *out = case_add_output(problem, variant->value, bins);

    for (int64_t k = 0; k < problem->n; k++) {
        const int64_t bin = bin_at(problem, k, b);
        if (bin < 0 || bin >= bins) continue;
        add_weight(variant->value, case_at(variant->value, out, bin), variant->index_element,
                   weights ? case_at(weights->element, weights->data, k) : NULL);
    }
}

static mcl_status histogram_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                 const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const bounds b = bounds_of(variant);
    const mcl_input *weights = variant->index_element ? &operands->in[problem->input_count - 1] : NULL;
    mcl_output bins = operands->out[0];

    bins.capacity = bin_count(variant);
    if (variant->kind == HISTOGRAM_EVEN)
        return mcl_histogram_even(queue, operands->in[0], b.low, b.high, weights, bins, options);
    if (variant->kind == HISTOGRAM_RANGE)
        return mcl_histogram_range(queue, operands->in[0], operands->in[1], weights, bins, options);
    return mcl_histogram(queue, operands->in[0], variant->element == &element_point ? &bin_of_point : &bin_of_number,
                         weights, bins, options);
}

#define EVEN(type, bins, ...)                                                                                          \
    { .element = &element_##type, .value = &element_##bins, .kind = HISTOGRAM_EVEN, __VA_ARGS__ }
#define RANGE(type, bins, ...)                                                                                         \
    { .element = &element_##type, .value = &element_##bins, .kind = HISTOGRAM_RANGE, __VA_ARGS__ }
#define NUMBER(type, bins, ...)                                                                                        \
    { .element = &element_##type, .value = &element_##bins, .kind = HISTOGRAM_NUMBER, __VA_ARGS__ }
static const case_variant variants[] = {
    EVEN(int32, int32, .length = 256),
    EVEN(int8, uint32, .length = 1000, .threads = 64, .items = 7),
    EVEN(uint64, int64, .length = 77, .threads = 128, .items = 8, .flags = MCL_INDEX_64),
    EVEN(float, uint32, .length = 9, .threads = 32, .items = 2, .source = FROM_EXPRESSION),
    EVEN(uint32, int32, .length = 20000, .threads = 64, .items = 3, .form = HISTOGRAM_WHOLE),
    EVEN(int32, int64, .length = 5000, .threads = 1, .items = 31),
    RANGE(int32, int32, .length = 31, .threads = 64, .items = 15),
    RANGE(double, int32, .length = 300, .threads = 1, .items = 64, .flags = MCL_VALIDATE),
    NUMBER(int32, int32, .length = 13, .threads = 256, .items = 1, .source = FROM_COUNTING),
    NUMBER(point, int64, .length = 18, .threads = 64, .items = 5, .index_element = &element_int32),
    EVEN(int32, float, .length = 64, .threads = 64, .items = 8, .index_element = &element_float),
    EVEN(half, double, .length = 50, .threads = 32, .items = 4, .index_element = &element_int8),
    EVEN(int32, float, .threads = 1, .items = 100, .index_element = &element_float, .flags = MCL_DETERMINISTIC),
    RANGE(uint64, uint64, .length = 6000, .threads = 128, .items = 2, .index_element = &element_int64),
    EVEN(int64, int32, .length = 100000, .threads = 128, .items = 6, .index_element = &element_int8),
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    EVEN(int8, int32, .length = 256, .form = HISTOGRAM_WHOLE),
    EVEN(int16, uint32, .length = 300),
    EVEN(int32, int32, .length = 4096),
    EVEN(int64, int64, .length = 7),
    EVEN(uint8, uint64, .length = 256, .form = HISTOGRAM_WHOLE),
    EVEN(uint32, int32, .length = 65536, .form = HISTOGRAM_WHOLE),
    EVEN(uint64, int32, .length = 3),
    EVEN(float, int32, .length = 100),
    EVEN(double, int64, .length = 1000),
    EVEN(half, uint32, .length = 33),
    RANGE(int32, int32, .length = 100),
    RANGE(float, uint64, .length = 5),
    NUMBER(int32, int32, .length = 16),
    NUMBER(point, uint32, .length = 12),
    NUMBER(int32, int64, .length = 16, .index_element = &element_int64),
    NUMBER(int32, double, .length = 16, .index_element = &element_double),
    EVEN(int32, float, .length = 9000, .index_element = &element_float),
    EVEN(int32, uint32, .length = 40, .index_element = &element_uint8),
};
#undef EVEN
#undef RANGE
#undef NUMBER

const mcl_case histogram_case = {
    .name = "histogram",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .make = histogram_make,
    .expect = histogram_expect,
    .call = histogram_call,
};
