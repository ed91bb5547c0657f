/* merge_case.c: compares mcl_merge and mcl_merge_pairs with a loop that takes the smaller head, or the head of a where
 * both are equal. */
#include "case.h"

/* Returns a's part of n: half, all or nothing, an uneven part, or few elements on one side. */
static int64_t merge_a_count(int64_t n, uint64_t seed)
{
    switch (seed % 7) {
    case 0:
        return n / 2;
    case 1:
        return n;
    case 2:
        return 0;
    case 3:
        return n / 3;
    case 4:
        return n / 40;
    case 5:
        return n - n / 40;
    default:
        return n - n / 7;
    }
}

static void merge_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t a_count = merge_a_count(problem->n, problem->seed);
    const int64_t b_count = problem->n - a_count;
    const case_order order = variant->descending ? ORDER_DESCENDING : ORDER_ASCENDING;
    const int64_t span = problem->n / 2 + 2 < kind->span ? problem->n / 2 + 2 : kind->span;

    case_add_input(problem, kind, variant->source, a_count, span, order);
    case_add_input(problem, kind, FROM_BUFFER, b_count, span, order);
    if (!variant->value) return;
    case_add_counting(problem, variant->value, 0, a_count);
    case_add_counting(problem, variant->value, a_count, b_count);
}

CASE_LOOP merge_loop(const case_problem *problem, case_type type)
{
    const case_variant variant = *problem->variant;
    const case_input a = problem->inputs[0];
    const case_input b = problem->inputs[1];
    const int64_t n = problem->n;
    unsigned char *keys = problem->outputs[0].data;
    int64_t i = 0;
    int64_t j = 0;

    for (int64_t k = 0; k < n; k++) {
        const unsigned char *p = a.data + (size_t)i * type.size;
        const unsigned char *q = b.data + (size_t)j * type.size;
        const int from_b = i == a.count || (j < b.count && case_before(&variant, type, q, p));
        memcpy(keys + (size_t)k * type.size, from_b ? q : p, type.size);
        if (variant.value) case_copy(&problem->inputs[2 + from_b], from_b ? j : i, problem->outputs[1].data, k);
        i += !from_b;
        j += from_b;
    }
}

static void merge_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;

    case_add_output(problem, variant->element, problem->n);
    if (variant->value) case_add_output(problem, variant->value, problem->n);
    CASE_TYPED(merge_loop, problem, variant->element);
}

static mcl_status merge_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                             const mcl_options *options)
{
    const mcl_op *before = problem->variant->descending ? MCL_GREATER : problem->variant->element->less;

    if (!problem->variant->value)
        return mcl_merge(queue, operands->in[0], operands->in[1], operands->out[0], before, options);
    return mcl_merge_pairs(queue, operands->in[0], operands->in[2], operands->in[1], operands->in[3], operands->out[0],
                           operands->out[1], before, options);
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7 },
    { .element = &element_uint64, .threads = 128, .items = 8, .source = FROM_STEP, .flags = MCL_INDEX_64 },
    { .element = &element_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_float, .value = &element_point, .threads = 1, .items = 31, .flags = MCL_VALIDATE },
    { .element = &element_double, .threads = 1, .items = 1, .descending = 1 },
    { .element = &element_int32,
      .value = &element_int8,
      .threads = 256,
      .items = 1,
      .descending = 1,
      .flags = MCL_INDEX_64 },
    { .element = &element_half, .threads = 64, .items = 31 },
    { .element = &element_point, .value = &element_int32, .threads = 1, .items = 8 },
    { .element = &element_uint32, .value = &element_double, .threads = 32, .items = 5, .source = FROM_COUNTING },
    { .element = &element_wide, .threads = 64, .items = 3 },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int8 },
    { .element = &element_int32 },
    { .element = &element_uint64 },
    { .element = &element_float, .descending = 1 },
    { .element = &element_double },
    { .element = &element_half },
    { .element = &element_point },
    { .element = &element_wide },
    { .element = &element_int8, .value = &element_point },
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int32, .value = &element_wide, .flags = MCL_VALIDATE },
    { .element = &element_uint64, .value = &element_uint64 },
    { .element = &element_double, .value = &element_int8 },
    { .element = &element_point, .value = &element_int32 },
    { .element = &element_wide, .value = &element_int64 },
};

const mcl_case merge_case = {
    .name = "merge",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = merge_make,
    .expect = merge_expect,
    .call = merge_call,
    .plain_inputs = 2,
    .plain_outputs = 1,
};
