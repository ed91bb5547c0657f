/* scan_case.c: compares mcl_scan with the loop that keeps a running fold. */
#include "case.h"

static void scan_make(case_problem *problem)
{
    case_add_input(problem, problem->variant->fold->in, problem->variant->source, problem->n, 0, ORDER_RANDOM);
}

/* Expects every prefix, and as the result the fold of all elements. */
static void scan_expect(case_problem *problem)
{
    const int kind = problem->variant->kind;
    const fold *by = problem->variant->fold;
    const int at_end = kind == MCL_EXCLUSIVE_WITH_TOTAL || kind == MCL_INCLUSIVE_WITH_TOTAL;
    const unsigned char no_element[MCL_VALUE_BYTES_MAX] = { 0 }; /* the element that a combine gets with the total */
    unsigned char sum[MCL_VALUE_BYTES_MAX] = { 0 };
    int defined = fold_start(by, problem->has_initial ? problem->initial : NULL, sum);
    unsigned char *out = case_add_output(problem, by->stored, problem->n + at_end);

    for (int64_t k = 0; k < problem->n; k++) {
        const unsigned char *x = case_at(by->in, problem->inputs[0].data, k);
        if (!(kind & MCL_INCLUSIVE)) fold_combine(by, x, sum, case_at(by->stored, out, k));
        fold_step(by, x, k, sum, &defined);
        if (kind & MCL_INCLUSIVE) fold_combine(by, x, sum, case_at(by->stored, out, k));
    }
    if (at_end) fold_combine(by, no_element, sum, case_at(by->stored, out, problem->n));
    fold_total(by, sum, case_add_result(problem, fold_total_element(by)));
}

static mcl_status scan_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    return mcl_scan(queue, operands->in[0], operands->out[0], problem->variant->fold->op, problem->variant->kind,
                    operands->result, options);
}

static const case_variant variants[] = {
    { .fold = &fold_add_int32 },
    { .fold = &fold_add_int8, .threads = 64, .items = 7, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_uint64, .source = FROM_STEP, .threads = 128, .items = 8, .flags = MCL_INDEX_64 },
    { .fold = &fold_add_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION, .kind = MCL_INCLUSIVE_WITH_TOTAL },
    { .fold = &fold_add_double,
      .threads = 1,
      .items = 31,
      .flags = MCL_DETERMINISTIC,
      .kind = MCL_EXCLUSIVE_WITH_TOTAL },
    { .fold = &fold_affine, .threads = 256, .items = 1 },
    { .fold = &fold_matrix, .threads = 64, .items = 5, .kind = MCL_INCLUSIVE, .flags = MCL_INDEX_64 },
    { .fold = &fold_max_index_int32, .threads = 64, .items = 31, .in_place = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 3 },
    { .fold = &fold_flagged, .threads = 1, .items = 8, .in_place = 1 },
    { .fold = &fold_halved, .threads = 32, .items = 7, .kind = MCL_EXCLUSIVE_WITH_TOTAL, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_add_wide, .threads = 32, .items = 1, .kind = MCL_INCLUSIVE },
    { .fold = &fold_widened, .threads = 1, .items = 2, .source = FROM_COUNTING },
    { .fold = &fold_add_float, .threads = 32, .items = 3, .kind = MCL_INCLUSIVE },
    { .fold = &fold_affine, .threads = 1, .items = 100 },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .fold = &fold_add_int8 },
    { .fold = &fold_add_int32, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_int32, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_add_uint64, .kind = MCL_EXCLUSIVE_WITH_TOTAL },
    { .fold = &fold_add_float },
    { .fold = &fold_add_double, .kind = MCL_INCLUSIVE_WITH_TOTAL },
    { .fold = &fold_add_point },
    { .fold = &fold_add_wide, .kind = MCL_EXCLUSIVE_WITH_TOTAL },
    { .fold = &fold_max_int32, .kind = MCL_INCLUSIVE, .in_place = 1 },
    { .fold = &fold_min_float },
    { .fold = &fold_xor_uint64, .in_place = 1 },
    { .fold = &fold_max_half },
    { .fold = &fold_widened, .kind = MCL_INCLUSIVE_WITH_TOTAL },
    { .fold = &fold_max_index_int32 },
    { .fold = &fold_min_index_float, .kind = MCL_EXCLUSIVE_WITH_TOTAL },
    { .fold = &fold_max_at_int32 },
    { .fold = &fold_max_at_double, .kind = MCL_INCLUSIVE },
    { .fold = &fold_affine },
    { .fold = &fold_affine, .kind = MCL_INCLUSIVE_WITH_TOTAL, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_matrix, .kind = MCL_INCLUSIVE },
    { .fold = &fold_tagged },
    { .fold = &fold_tagged, .kind = MCL_INCLUSIVE_WITH_TOTAL, .in_place = 1 },
    { .fold = &fold_flagged },
    { .fold = &fold_halved, .kind = MCL_INCLUSIVE },
    { .fold = &fold_modular },
};

const mcl_case scan_case = {
    .name = "scan",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = scan_make,
    .expect = scan_expect,
    .call = scan_call,
};
