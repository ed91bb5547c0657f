/* new_name_case.c: mcl_new_name against the obvious loop. */
#include "case.h"

static void new_name_make(case_problem *problem)
{
    case_add_input(problem, problem->variant->element, problem->variant->source, problem->n, 0, ORDER_RANDOM);
}

static void new_name_expect(case_problem *problem)
{
    const element *kind = problem->variant->element;
    unsigned char *in = problem->inputs[0].data;
    unsigned char *out = case_add_output(problem, kind, problem->n);

    if (problem->n > 0) memcpy(out, in, kind->type->size);
    for (int64_t k = 1; k < problem->n; k++)
        kind->add(case_at(kind, in, k - 1), case_at(kind, in, k), case_at(kind, out, k));
}

static mcl_status new_name_call(mcl_queue *queue, const case_problem *problem,
                                const case_operands *operands, const mcl_options *options)
{
    (void)problem;
    return mcl_new_name(queue, operands->in[0], operands->out[0], options);
}

/* The variants of a sample: each type with one kind of input and one tile, in both mappings. For --full the product has
 * every combination. */
static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_int64, .threads = 64, .items = 7, .source = FROM_STEP },
    { .element = &element_float, .threads = 1, .items = 31, .source = FROM_EXPRESSION },
    { .element = &element_half, .threads = 32, .items = 2, .flags = MCL_INDEX_64 },
    { .element = &element_int8, .threads = 1, .items = 1 },
    { .element = &element_double, .threads = 128, .items = 3, .source = FROM_EXPRESSION },
};
static const case_variant all_variants[] = {
    { .element = &element_int8 },   { .element = &element_int16 }, { .element = &element_int32 },
    { .element = &element_int64 },  { .element = &element_uint8 }, { .element = &element_uint32 },
    { .element = &element_uint64 }, { .element = &element_float }, { .element = &element_double },
    { .element = &element_half },
};

const mcl_case new_name_case = {
    .name = "new_name",
    .tiled_as = "transform",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = new_name_make,
    .expect = new_name_expect,
    .call = new_name_call,
    .plain_inputs = 1,
    .plain_outputs = 1,
};
