/* multisplit_case.c: compares mcl_multisplit and mcl_multisplit_pairs with the obvious loop. A variant's length is the
 * number of buckets. value: type of the values in pairs. form: how an element's bucket is computed. */
#include "case.h"

/* Returns the number of outputs that are elements. After them come offsets and counts. */
static int moved_count(const case_problem *problem)
{
    return problem->variant->value ? 2 : 1;
}

/* Returns the divisor for buckets by a remainder. Some remainders belong to no bucket, and negative numbers have
 * negative remainders. */
static int64_t modulus_of(const case_problem *problem)
{
    return problem->variant->length + problem->variant->length / 3 + 1;
}

/* ---- the inputs ------------------------------------------------------------------------------------------------- */

static void multisplit_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    if (variant->value) case_add_counting(problem, variant->value, 0, problem->n);
}

/* ---- what it gives ---------------------------------------------------------------------------------------------- */

/* Returns a number of any type as an int64_t. For structs it returns the member that the expression reads. */
static int64_t number_of(const element *kind, const unsigned char *x)
{
    const size_t size = kind->type->size;
    uint64_t bits = 0;
    float real;
    double wide_real;
    uint16_t half;
    int32_t id;

    if (kind == &element_half) {
        memcpy(&half, x, sizeof half);
        return (int64_t)half_value(half);
    }
    if (kind == &element_float) {
        memcpy(&real, x, sizeof real);
        return (int64_t)real;
    }
    if (kind == &element_double) {
        memcpy(&wide_real, x, sizeof wide_real);
        return (int64_t)wide_real;
    }
    if (kind == &element_point) {
        memcpy(&id, x + 8, sizeof id);
        return id;
    }
    memcpy(&bits, x, size < sizeof bits ? size : sizeof bits);
    if (kind->type->kind == MCL_KIND_SIGNED && size < sizeof bits && bits >> (8 * size - 1))
        bits |= UINT64_MAX << 8 * size;
    return (int64_t)bits;
}

static int64_t bucket_of(const case_problem *problem, int64_t k)
{
    const element *kind = problem->inputs[0].element;
    const int64_t x = number_of(kind, case_at(kind, problem->inputs[0].data, k));
    const int64_t buckets = problem->variant->length, modulus = modulus_of(problem);
    int64_t number = kind == &element_uint64 ? (int64_t)((uint64_t)x % (uint64_t)modulus) : x % modulus;

    if (problem->variant->form == SPLIT_BY_LOW_BITS) number = (int64_t)((uint32_t)x % 8);
    if (problem->variant->form == SPLIT_BY_HIGH_BITS) number = (int64_t)((uint32_t)x >> 24);
    if (problem->variant->form == SPLIT_BY_INDEX) number = k * 5 % modulus;
    return number >= 0 && number < buckets ? number : buckets - 1;
}

static void multisplit_expect(case_problem *problem)
{
    case_expect_buckets(problem, moved_count(problem), bucket_of);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static mcl_op bucket_op(const case_problem *problem, const int64_t *modulus)
{
    const element *kind = problem->inputs[0].element;
    const int form = problem->variant->form;
    mcl_op op = { .role = MCL_ROLE_INDEX, .binding_count = form <= SPLIT_BY_INDEX };

    op.expression = form == SPLIT_BY_INDEX                  ? "i * 5 % modulus"
                    : form == SPLIT_BY_LOW_BITS             ? "(uint32_t)x % 8"
                    : form == SPLIT_BY_HIGH_BITS            ? "(uint32_t)x >> 24"
                    : kind == &element_point                ? "x.id % modulus"
                    : kind == &element_wide                 ? "x.key % modulus"
                    : kind->type->kind == MCL_KIND_FLOAT    ? "(int64_t)x % modulus"
                    : kind->type->kind == MCL_KIND_UNSIGNED ? "x % (uint64_t)modulus"
                                                            : "x % modulus";
    op.bindings[0] = mcl_binding_value("modulus", MCL_INT64, modulus);
    return op;
}

static mcl_status multisplit_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                                  const mcl_options *options)
{
    const int buckets = problem->variant->length;
    const int64_t modulus = modulus_of(problem);
    const mcl_op bucket = bucket_op(problem, &modulus);
    const mcl_output none = { 0 };
    const int is_counted = problem->variant->index_element != NULL, moved = moved_count(problem);
    const mcl_output offsets = is_counted ? o->out[moved] : none, counts = is_counted ? o->out[moved + 1] : none;

    if (problem->variant->value)
        return mcl_multisplit_pairs(queue, o->in[0], o->in[1], o->out[0], o->out[1], &bucket, buckets, offsets, counts,
                                    options);
    return mcl_multisplit(queue, o->in[0], o->out[0], &bucket, buckets, offsets, counts, options);
}

/* The variants have many numbers of bits, both mappings, types of every size, and tiles with fewer elements than
 * buckets. */
static const case_variant variants[] = {
    { .element = &element_int32, .index_element = &element_int32, .length = 8 },
    { .element = &element_uint32, .value = &element_int32, .index_element = &element_uint32, .length = 256 },
    { .element = &element_uint64,
      .threads = 64,
      .items = 7,
      .source = FROM_EXPRESSION,
      .index_element = &element_int64,
      .length = 100 },
    { .element = &element_float, .threads = 32, .items = 5, .flags = MCL_INDEX_64, .length = 2 },
    { .element = &element_double,
      .value = &element_wide,
      .threads = 1,
      .items = 31,
      .index_element = &element_int32,
      .length = 37 },
    { .element = &element_point,
      .value = &element_int8,
      .threads = 128,
      .items = 3,
      .index_element = &element_int64,
      .length = 13 },
    { .element = &element_int8, .threads = 32, .items = 31, .index_element = &element_int32, .length = 1 },
    { .element = &element_half,
      .value = &element_int64,
      .threads = 64,
      .items = 9,
      .flags = MCL_DETERMINISTIC,
      .index_element = &element_uint32,
      .length = 64 },
    { .element = &element_wide, .threads = 32, .items = 2, .index_element = &element_int32, .length = 200 },
    { .element = &element_int64,
      .value = &element_half,
      .threads = 1,
      .items = 100,
      .flags = MCL_INDEX_64,
      .source = FROM_STEP,
      .length = 256 },
    { .element = &element_int16,
      .threads = 256,
      .items = 4,
      .form = SPLIT_BY_INDEX,
      .index_element = &element_int64,
      .length = 5 },
    { .element = &element_uint32,
      .value = &element_uint32,
      .threads = 256,
      .items = 8,
      .form = SPLIT_BY_HIGH_BITS,
      .index_element = &element_int32,
      .length = 256 },
};
static const case_variant all_variants[] = {
    { .element = &element_int8, .index_element = &element_int32, .length = 3 },
    { .element = &element_int32, .index_element = &element_int64, .length = 8 },
    { .element = &element_uint64, .index_element = &element_uint32, .length = 32 },
    { .element = &element_half, .index_element = &element_int32, .length = 16 },
    { .element = &element_wide, .index_element = &element_int32, .length = 256 },
    { .element = &element_uint32, .value = &element_uint8, .index_element = &element_int64, .length = 256 },
    { .element = &element_double, .value = &element_point, .length = 128 },
    { .element = &element_point, .value = &element_wide, .index_element = &element_int32, .length = 17 },
    { .element = &element_int32, .value = &element_int32, .form = SPLIT_BY_INDEX, .length = 4 },
};

const mcl_case multisplit_case = {
    .name = "multisplit",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = multisplit_make,
    .expect = multisplit_expect,
    .call = multisplit_call,
};
