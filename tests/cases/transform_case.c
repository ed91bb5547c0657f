/* transform_case.c: compares mcl_transform with a copy that converts as C does. */
#include "case.h"

#include <string.h>

/* Converts an element from int32, whose values fit all types of the variants. */
static void transform_convert(const element *from, const element *to, const unsigned char *x, unsigned char *out)
{
    int32_t number;

    if (from == to) {
        memcpy(out, x, from->type->size);
        return;
    }
    memcpy(&number, x, sizeof number);
    to->from_integer(number + to->zero, out);
}

static void transform_make(case_problem *problem)
{
    case_add_input(problem, problem->variant->element, problem->variant->source, problem->n, 0, ORDER_RANDOM);
}

static void transform_expect(case_problem *problem)
{
    const element *from = problem->variant->element;
    const element *to = problem->variant->value ? problem->variant->value : from;
    unsigned char *out = case_add_output(problem, to, problem->n);

    for (int64_t k = 0; k < problem->n; k++)
        transform_convert(from, to, case_at(from, problem->inputs[0].data, k), case_at(to, out, k));
}

static mcl_status transform_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                 const mcl_options *options)
{
    (void)problem;
    return mcl_transform(queue, operands->in[0], operands->out[0], options);
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_int8, .threads = 64, .items = 7 },
    { .element = &element_uint64, .threads = 128, .items = 8, .source = FROM_STEP, .flags = MCL_INDEX_64 },
    { .element = &element_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_point, .threads = 1, .items = 31 },
    { .element = &element_double, .source = FROM_CONSTANT },
    { .element = &element_half, .threads = 1, .items = 1, .source = FROM_EXPRESSION },
    { .element = &element_int32, .value = &element_double, .threads = 64, .items = 31 },
    { .element = &element_int32, .value = &element_float, .in_place = 1, .threads = 1, .items = 8 },
    { .element = &element_int32, .value = &element_int64, .source = FROM_COUNTING, .threads = 256, .items = 1 },
    { .element = &element_float, .source = FROM_EXPRESSION, .in_place = 1, .flags = MCL_INDEX_64 },
    { .element = &element_wide, .threads = 32, .items = 3 },
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
    { .element = &element_float },
    { .element = &element_double },
    { .element = &element_half },
    { .element = &element_point },
    { .element = &element_wide },
    { .element = &element_int32, .value = &element_float },
    { .element = &element_int32, .value = &element_double },
    { .element = &element_int32, .value = &element_int64 },
    { .element = &element_int32, .in_place = 1 },
    { .element = &element_point, .in_place = 1 },
    { .element = &element_uint64, .in_place = 1, .source = FROM_EXPRESSION },
};

const mcl_case transform_case = {
    .name = "transform",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = transform_make,
    .expect = transform_expect,
    .call = transform_call,
    .plain_inputs = 1,
    .plain_outputs = 1,
};
