/* find_case.c: compares mcl_find_if and mcl_count_if with the loop over the elements. */
#include "case.h"

#include <math.h>

/* Makes random keys. In every third problem they ascend or descend. */
static void find_make(case_problem *problem)
{
    const case_order order = problem->seed % 6 == 1   ? ORDER_ASCENDING
                             : problem->seed % 6 == 4 ? ORDER_DESCENDING
                                                      : ORDER_RANDOM;

    case_add_input(problem, problem->variant->element, problem->variant->source, problem->n, 0, order);
}

/* Stores the highest number of a type, or infinity. A compiler that sees it as a binding does not know its value. */
static void highest_of(const mcl_type *type, unsigned char *limit)
{
    const float real = INFINITY;
    const double wide = INFINITY;

    memset(limit, 0xff, type->size);
    if (type->kind == MCL_KIND_SIGNED) limit[type->size - 1] = 0x7f; /* the sign is in the last byte */
    if (type->kind == MCL_KIND_FLOAT && type->size == sizeof real) memcpy(limit, &real, sizeof real);
    if (type->kind == MCL_KIND_FLOAT && type->size == sizeof wide) memcpy(limit, &wide, sizeof wide);
}

/* Makes the limit with which elements are compared: no element is above it, or few, half or nearly all are. With a
 * length of the variant no number at all is above it. */
static void limit_of(const case_problem *problem, unsigned char *limit)
{
    const element *kind = problem->variant->element;
    const int64_t span = kind->span, many = problem->n + 2 < span ? problem->n + 2 : span;
    const int64_t limits[] = { span - 1, span - 1 - span / many, span / 2, span / 50 };

    kind->from_integer(limits[problem->seed % 4], limit);
    if (problem->variant->length > 0) highest_of(kind->type, limit);
}

static int holds(const case_problem *problem, const unsigned char *limit, const unsigned char *x)
{
    const case_test *test = problem->variant->test;
    return test && problem->variant->length == 0 ? test->holds(x) : problem->variant->element->before(limit, x);
}

static void find_expect(case_problem *problem)
{
    const element *kind = problem->variant->element;
    const int finds = problem->variant->kind == FIND_IF;
    unsigned char limit[MCL_VALUE_BYTES_MAX] = { 0 };
    int64_t first = problem->n, count = 0;

    limit_of(problem, limit);
    for (int64_t k = problem->n - 1; k >= 0; k--) {
        if (!holds(problem, limit, case_at(kind, problem->inputs[0].data, k))) continue;
        first = k;
        count++;
    }
    memcpy(case_add_result(problem, &element_int64), finds ? &first : &count, sizeof first);
}

static mcl_status find_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    unsigned char limit[MCL_VALUE_BYTES_MAX] = { 0 };

    limit_of(problem, limit);
    const mcl_op test = variant->test && variant->length == 0 ? variant->test->op : case_above(variant->element, limit);
    if (variant->kind == FIND_IF) return mcl_find_if(queue, operands->in[0], &test, operands->result, options);
    return mcl_count_if(queue, operands->in[0], &test, operands->result, options);
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_int8, .threads = 64, .items = 7 },
    { .element = &element_uint64, .source = FROM_STEP, .threads = 128, .items = 8, .flags = MCL_INDEX_64 },
    { .element = &element_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_double, .threads = 1, .items = 31 },
    { .element = &element_wide, .threads = 256, .items = 1 },
    { .element = &element_wide, .threads = 1, .items = 8, .source = FROM_EXPRESSION, .flags = MCL_INDEX_64 },
    { .element = &element_half, .threads = 96, .items = 5 },
    { .element = &element_float, .threads = 1, .items = 1 },
    { .element = &element_int32, .kind = COUNT_IF },
    { .element = &element_point, .kind = COUNT_IF, .threads = 64, .items = 3 },
    { .element = &element_uint64, .kind = COUNT_IF, .threads = 1, .items = 64, .flags = MCL_INDEX_64 },
};
static const case_variant all_variants[] = {
    { .element = &element_int8 },
    { .element = &element_int32 },
    { .element = &element_uint64 },
    { .element = &element_float },
    { .element = &element_half },
    { .element = &element_double },
    { .element = &element_point },
    { .element = &element_wide },
    { .element = &element_int32, .kind = COUNT_IF },
    { .element = &element_double, .kind = COUNT_IF },
};

const mcl_case find_case = {
    .name = "find",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = find_make,
    .expect = find_expect,
    .call = find_call,
};
