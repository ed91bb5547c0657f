/* runs_case.c: compares folds and scans of segments and of runs of equal keys with a loop over each run. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

/* ---- the loops -------------------------------------------------------------------------------------------------- */

static int run_start(const case_problem *problem, unsigned char *sum)
{
    return fold_start(problem->variant->fold, problem->has_initial ? problem->initial : NULL, sum);
}

/* Stores a reduction's result. out keeps its content where there is no result. */
static void run_fold(const case_problem *problem, const unsigned char *values, int64_t begin, int64_t end,
                     unsigned char *out)
{
    const fold *by = problem->variant->fold;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    int defined = run_start(problem, sum);

    for (int64_t k = begin; k < end; k++) fold_step(by, values + (size_t)k * by->in->type->size, k, sum, &defined);
    if (defined || by->identity) fold_total(by, sum, out);
}

static void run_scan(const case_problem *problem, const unsigned char *values, int64_t begin, int64_t end,
                     unsigned char *out)
{
    const fold *by = problem->variant->fold;
    const int inclusive = problem->variant->kind & MCL_INCLUSIVE;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    int defined = run_start(problem, sum);

    for (int64_t k = begin; k < end; k++) {
        const unsigned char *x = values + (size_t)k * by->in->type->size;
        unsigned char *to = out + (size_t)k * by->stored->type->size;
        if (!inclusive) fold_combine(by, x, sum, to);
        fold_step(by, x, k, sum, &defined);
        if (inclusive) fold_combine(by, x, sum, to);
    }
}

/* ---- problems --------------------------------------------------------------------------------------------------- */

static void segmented_make(case_problem *problem)
{
    problem->has_initial = problem->has_initial && !problem->variant->no_initial;
    case_add_segmented(problem, problem->variant->fold->in);
}

/* Makes runs of equal keys. Neighbouring runs have different keys, and keys come back later. */
static void by_key_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element ? variant->element : &element_int32;
    const case_runs made = case_runs_make(problem, 0, problem->n, 1);

    problem->has_initial = problem->has_initial && !problem->variant->no_initial;

    case_add_input(problem, kind, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
    for (int64_t r = 0; r < made.count; r++)
        for (int64_t k = made.begins[r]; k < made.begins[r + 1]; k++)
            kind->from_integer(r % (kind->span < 7 ? 2 : 7), case_at(kind, problem->inputs[0].data, k));
    case_add_input(problem, variant->fold->in, variant->source, problem->n, 0, ORDER_RANDOM);
    free(made.begins);
}

/* ---- the runs of given inputs ----------------------------------------------------------------------------------- */

static case_runs runs_of_keys(const case_problem *problem)
{
    const case_input *keys = &problem->inputs[0];
    const size_t size = keys->element->type->size;
    case_runs read = case_runs_empty(problem->n);

    for (int64_t k = 0; k < problem->n; k++) {
        const unsigned char *key = keys->data + (size_t)k * size;
        if (k == 0 || !element_same(keys->element, key - size, key)) read.begins[read.count++] = k;
    }
    read.begins[read.count] = problem->n;
    return read;
}

/* ---- what they give --------------------------------------------------------------------------------------------- */

static void add_scanned(case_problem *problem, case_runs found, int values, unsigned char *out)
{
    for (int64_t r = 0; r < found.count; r++)
        run_scan(problem, problem->inputs[values].data, found.begins[r], found.begins[r + 1], out);
    free(found.begins);
}

static void add_folded(case_problem *problem, case_runs found, int values, unsigned char *out)
{
    const element *stored = fold_total_element(problem->variant->fold);

    for (int64_t r = 0; r < found.count; r++)
        run_fold(problem, problem->inputs[values].data, found.begins[r], found.begins[r + 1], case_at(stored, out, r));
    memcpy(case_add_result(problem, &element_int64), &found.count, sizeof found.count);
    free(found.begins);
}

static void segmented_scan_expect(case_problem *problem)
{
    unsigned char *out = case_add_kept_output(problem, problem->variant->fold->stored, problem->n);
    add_scanned(problem, case_runs_of_segments(problem), 0, out);
}

static void segmented_reduce_expect(case_problem *problem)
{
    const case_runs found = case_runs_of_segments(problem);
    unsigned char *out = case_add_kept_output(problem, fold_total_element(problem->variant->fold), found.count);
    add_folded(problem, found, 0, out);
}

static void scan_by_key_expect(case_problem *problem)
{
    unsigned char *out = case_add_output(problem, problem->variant->fold->stored, problem->n);
    add_scanned(problem, runs_of_keys(problem), 1, out);
}

static void reduce_by_key_expect(case_problem *problem)
{
    const case_runs found = runs_of_keys(problem);
    const case_input *keys = &problem->inputs[0];
    unsigned char *out_keys = case_add_output(problem, keys->element, found.count);
    unsigned char *out = case_add_output(problem, fold_total_element(problem->variant->fold), found.count);

    for (int64_t r = 0; r < found.count; r++) case_copy(keys, found.begins[r], out_keys, r);
    add_folded(problem, found, 1, out);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static mcl_segments segments_of(const case_problem *problem, const case_operands *operands)
{
    return (mcl_segments){ .input = operands->in[1], .kind = problem->variant->segments };
}

static mcl_status segmented_reduce_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                        const mcl_options *options)
{
    return mcl_segmented_reduce(queue, operands->in[0], segments_of(problem, operands), operands->out[0],
                                problem->variant->fold->op, operands->result, options);
}

static mcl_status segmented_scan_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                      const mcl_options *options)
{
    return mcl_segmented_scan(queue, operands->in[0], segments_of(problem, operands), operands->out[0],
                              problem->variant->fold->op, problem->variant->kind, options);
}

static const mcl_op same_point = { .role = MCL_ROLE_EQUALITY, .expression = "p.x == q.x && p.y == q.y" };

/* Returns the equality of keys, or NULL where == is right. */
static const mcl_op *equal_of(const case_problem *problem)
{
    return problem->inputs[0].element->is_number ? NULL : &same_point;
}

static mcl_status reduce_by_key_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                     const mcl_options *options)
{
    return mcl_reduce_by_key(queue, operands->in[0], operands->in[1], operands->out[0], operands->out[1],
                             problem->variant->fold->op, equal_of(problem), operands->result, options);
}

static mcl_status scan_by_key_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                   const mcl_options *options)
{
    return mcl_scan_by_key(queue, operands->in[0], operands->in[1], operands->out[0], problem->variant->fold->op,
                           equal_of(problem), problem->variant->kind, options);
}

/* ---- variants --------------------------------------------------------------------------------------------------- */

static const case_variant reduce_variants[] = {
    { .fold = &fold_add_int32 },
    { .fold = &fold_add_int8, .threads = 64, .items = 7, .length = 3, .no_initial = 1 },
    { .fold = &fold_add_uint64,
      .source = FROM_STEP,
      .threads = 128,
      .items = 8,
      .flags = MCL_INDEX_64,
      .length = 200,
      .no_initial = 1 },
    { .fold = &fold_add_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION, .no_initial = 1 },
    { .fold = &fold_add_double, .threads = 1, .items = 31, .length = 5000, .no_initial = 1 },
    { .fold = &fold_affine, .threads = 256, .items = 1, .length = 30, .no_initial = 1 },
    { .fold = &fold_matrix, .threads = 64, .items = 31, .flags = MCL_INDEX_64, .length = 1000, .no_initial = 1 },
    { .fold = &fold_max_index_int32, .threads = 1, .items = 300, .length = 100 },
    { .fold = &fold_tagged, .threads = 2, .items = 3 },
    { .fold = &fold_add_wide, .threads = 32, .items = 3, .no_initial = 1 },
    { .fold = &fold_add_float, .threads = 1, .items = 100, .segments = MCL_SEGMENT_FLAGS, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 5, .segments = MCL_SEGMENT_FLAGS, .length = 100, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 6, .segments = MCL_SEGMENT_BEGINS },
    { .fold = &fold_add_int32, .threads = 128, .items = 7, .segments = MCL_SEGMENT_BEGINS, .length = 3000 },
    { .fold = &fold_affine, .threads = 1, .items = 33, .segments = MCL_SEGMENT_BEGINS, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 7, .segments = MCL_SEGMENT_INDICES },
    { .fold = &fold_add_int32, .threads = 1, .items = 100, .segments = MCL_SEGMENT_INDICES, .no_initial = 1 },
    { .fold = &fold_add_float, .threads = 32, .items = 3, .length = 3000, .no_initial = 1 },
    { .fold = &fold_add_float, .threads = 32, .items = 4, .length = 100, .flags = MCL_DETERMINISTIC },
};

static const case_variant scan_variants[] = {
    { .fold = &fold_add_int32, .length = 100, .no_initial = 1 },
    { .fold = &fold_add_int8,
      .threads = 64,
      .items = 7,
      .kind = MCL_INCLUSIVE,
      .segments = MCL_SEGMENT_FLAGS,
      .no_initial = 1 },
    { .fold = &fold_add_point,
      .threads = 32,
      .items = 2,
      .source = FROM_EXPRESSION,
      .kind = MCL_INCLUSIVE,
      .flags = MCL_INDEX_64,
      .no_initial = 1 },
    { .fold = &fold_max_index_int32, .threads = 64, .items = 3, .in_place = 1, .length = 300 },
    { .fold = &fold_tagged, .threads = 1, .items = 30 },
    { .fold = &fold_flagged,
      .threads = 1,
      .items = 8,
      .in_place = 1,
      .segments = MCL_SEGMENT_FLAGS,
      .length = 3,
      .no_initial = 1 },
    { .fold = &fold_add_wide, .threads = 32, .items = 1, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 6, .segments = MCL_SEGMENT_BEGINS, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_int32, .threads = 1, .items = 29, .segments = MCL_SEGMENT_BEGINS, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 7, .segments = MCL_SEGMENT_INDICES, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_int32, .threads = 1, .items = 28, .segments = MCL_SEGMENT_INDICES, .in_place = 1 },
    { .fold = &fold_add_float, .threads = 32, .items = 3, .kind = MCL_INCLUSIVE, .length = 1000, .no_initial = 1 },
};

static const case_variant reduce_by_key_variants[] = {
    { .fold = &fold_add_int32, .element = &element_int32, .no_initial = 1 },
    { .fold = &fold_add_int8, .element = &element_uint64, .threads = 64, .items = 7, .length = 3, .no_initial = 1 },
    { .fold = &fold_add_uint64,
      .element = &element_int8,
      .source = FROM_STEP,
      .threads = 128,
      .items = 8,
      .flags = MCL_INDEX_64,
      .length = 1000,
      .no_initial = 1 },
    { .fold = &fold_matrix, .element = &element_point, .threads = 1, .items = 100, .length = 30, .no_initial = 1 },
    { .fold = &fold_tagged, .element = &element_int32, .threads = 64, .items = 31, .length = 1 },
    { .fold = &fold_max_index_int32,
      .element = &element_double,
      .threads = 64,
      .items = 5,
      .flags = MCL_DETERMINISTIC },
    { .fold = &fold_add_wide, .element = &element_int32, .threads = 32, .items = 1, .no_initial = 1 },
    { .fold = &fold_add_float, .element = &element_int32, .threads = 32, .items = 3, .length = 300, .no_initial = 1 },
};

static const case_variant scan_by_key_variants[] = {
    { .fold = &fold_add_int32, .element = &element_int32, .kind = MCL_INCLUSIVE, .no_initial = 1 },
    { .fold = &fold_affine, .element = &element_uint64, .threads = 64, .items = 7, .length = 100, .no_initial = 1 },
    { .fold = &fold_halved,
      .element = &element_float,
      .threads = 64,
      .items = 3,
      .flags = MCL_DETERMINISTIC,
      .no_initial = 1 },
};

/* Types and operators for the product. */
static const case_variant all_reductions[] = {
    { .fold = &fold_add_int8 },
    { .fold = &fold_add_int32, .length = 300 },
    { .fold = &fold_add_int32, .segments = MCL_SEGMENT_FLAGS },
    { .fold = &fold_add_uint64, .length = 3 },
    { .fold = &fold_add_float },
    { .fold = &fold_add_double, .segments = MCL_SEGMENT_FLAGS, .length = 300 },
    { .fold = &fold_add_point },
    { .fold = &fold_add_wide },
    { .fold = &fold_min_float, .length = 100 },
    { .fold = &fold_max_half },
    { .fold = &fold_widened },
    { .fold = &fold_max_index_int32 },
    { .fold = &fold_max_at_double },
    { .fold = &fold_affine, .length = 1000 },
    { .fold = &fold_matrix },
    { .fold = &fold_tagged },
    { .fold = &fold_tagged, .segments = MCL_SEGMENT_FLAGS, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_modular },
};

static const case_variant all_scans[] = {
    { .fold = &fold_add_int8 },
    { .fold = &fold_add_int32, .kind = MCL_INCLUSIVE, .length = 300 },
    { .fold = &fold_add_int32, .segments = MCL_SEGMENT_FLAGS, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_add_uint64, .length = 3 },
    { .fold = &fold_add_float },
    { .fold = &fold_add_double, .segments = MCL_SEGMENT_FLAGS, .length = 300 },
    { .fold = &fold_add_point, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_wide },
    { .fold = &fold_max_half },
    { .fold = &fold_max_index_int32 },
    { .fold = &fold_affine, .length = 1000 },
    { .fold = &fold_matrix, .kind = MCL_INCLUSIVE },
    { .fold = &fold_tagged, .segments = MCL_SEGMENT_FLAGS, .in_place = 1 },
    { .fold = &fold_flagged },
    { .fold = &fold_modular, .kind = MCL_INCLUSIVE },
};

const mcl_case segmented_reduce_case = {
    .name = "segmented_reduce",
    CASE_VARIANTS(reduce_variants),
    CASE_ALL(all_reductions),
    .sources = 1,
    .make = segmented_make,
    .expect = segmented_reduce_expect,
    .call = segmented_reduce_call,
};

const mcl_case segmented_scan_case = {
    .name = "segmented_scan",
    CASE_VARIANTS(scan_variants),
    CASE_ALL(all_scans),
    .sources = 1,
    .make = segmented_make,
    .expect = segmented_scan_expect,
    .call = segmented_scan_call,
};

const mcl_case reduce_by_key_case = {
    .name = "reduce_by_key",
    CASE_VARIANTS(reduce_by_key_variants),
    CASE_ALL(all_reductions),
    .make = by_key_make,
    .expect = reduce_by_key_expect,
    .call = reduce_by_key_call,
};

const mcl_case scan_by_key_case = {
    .name = "scan_by_key",
    CASE_VARIANTS(scan_by_key_variants),
    CASE_ALL(all_scans),
    .make = by_key_make,
    .expect = scan_by_key_expect,
    .call = scan_by_key_call,
};
