/* reduce_case.c: compares mcl_reduce with the loop that folds from left to right. */
#include "case.h"

static void reduce_make(case_problem *problem)
{
    case_add_input(problem, problem->variant->fold->in, problem->variant->source, problem->n, 0, ORDER_RANDOM);
}

static void reduce_expect(case_problem *problem)
{
    const fold *by = problem->variant->fold;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    int defined = fold_start(by, problem->has_initial ? problem->initial : NULL, sum);

    for (int64_t k = 0; k < problem->n; k++)
        fold_step(by, case_at(by->in, problem->inputs[0].data, k), k, sum, &defined);
    fold_total(by, sum, case_add_result(problem, fold_total_element(by)));
}

static mcl_status reduce_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                              const mcl_options *options)
{
    return mcl_reduce(queue, operands->in[0], problem->variant->fold->op, operands->result, options);
}

static const case_variant variants[] = {
    { .fold = &fold_add_int32 },
    { .fold = &fold_add_int8, .threads = 64, .items = 7 },
    { .fold = &fold_add_uint64, .source = FROM_STEP, .threads = 128, .items = 8, .flags = MCL_INDEX_64 },
    { .fold = &fold_add_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .fold = &fold_add_double, .threads = 1, .items = 31, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_affine, .threads = 32, .items = 3 },
    { .fold = &fold_affine, .threads = 1, .items = 8, .source = FROM_EXPRESSION, .flags = MCL_INDEX_64 },
    { .fold = &fold_max_index_int32, .threads = 64, .items = 31 },
    { .fold = &fold_tagged, .threads = 64, .items = 3 },
    { .fold = &fold_widened, .source = FROM_COUNTING },
    { .fold = &fold_max_half, .threads = 32, .items = 5 },
    { .fold = &fold_modular, .threads = 1, .items = 1 },
    { .fold = &fold_add_float, .threads = 32, .items = 1 },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .fold = &fold_add_int8 },        { .fold = &fold_add_int32 },       { .fold = &fold_add_uint64 },
    { .fold = &fold_add_float },       { .fold = &fold_add_double },      { .fold = &fold_add_point },
    { .fold = &fold_add_wide },        { .fold = &fold_max_int32 },       { .fold = &fold_min_float },
    { .fold = &fold_xor_uint64 },      { .fold = &fold_max_half },        { .fold = &fold_widened },
    { .fold = &fold_max_index_int32 }, { .fold = &fold_min_index_float }, { .fold = &fold_max_at_int32 },
    { .fold = &fold_max_at_double },   { .fold = &fold_affine },          { .fold = &fold_matrix },
    { .fold = &fold_tagged },          { .fold = &fold_flagged },         { .fold = &fold_halved },
    { .fold = &fold_modular },
};

const mcl_case reduce_case = {
    .name = "reduce",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = reduce_make,
    .expect = reduce_expect,
    .call = reduce_call,
};
