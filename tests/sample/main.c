/* main.c: a sample of the suite for a machine that has no test framework: each operation of tests/cases at three sizes
 * on one device, its outputs and result compared with those of the obvious loop.
 *
 *   moderncl-sample [DEVICE]
 *
 * The last line is "sample: N passed, N failed". 0: all passed; 1: some failed; 2: there is no such device. */
#include "cases/case.h"

#include <stdio.h>
#include <stdlib.h>

static const mcl_case *const cases[] = {
    &transform_case,
    &reduce_case,
    &scan_case,
    &merge_case,
    &merge_runs_case,
    &cuts_case,
    &sort_case,
    &radix_sort_case,
    &sort_columns_case,
    &sorted_search_case,
    &load_balance_case,
    &interval_case,
    &compact_case,
    &bulk_case,
    &sets_case,
    &join_case,
    &join_columns_case,
    &segmented_reduce_case,
    &segmented_scan_case,
    &reduce_by_key_case,
    &scan_by_key_case,
    &segmented_sort_case,
    &row_sort_case,
    &locality_sort_case,
    &map_case,
    &multisplit_case,
    &splitters_case,
    &histogram_case,
    &top_k_case,
    &find_case,
    &group_by_case,
    &segmented_top_k_case,
};
enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

static const int64_t sizes[] = { 1, 1000, 30000 };
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static size_t bytes_of(const element *kind, int64_t count)
{
    return (size_t)count * kind->type->size;
}

/* ---- one problem --------------------------------------------------------------------------------------------- */

typedef struct problem_run {
    mcl_context *context;
    mcl_queue *queue;
    case_problem problem;
    case_operands operands;
    mcl_buffer *inputs[CASE_INPUTS];
    mcl_buffer *outputs[CASE_OUTPUTS];
    unsigned char *result;
} problem_run;

/* Makes the inputs. Buffers have at least a byte, since a problem of one element may have operands without elements. */
static mcl_status inputs_make(problem_run *run)
{
    for (int k = 0; k < run->problem.input_count; ++k) {
        const case_input *const input = &run->problem.inputs[k];
        const size_t bytes = bytes_of(input->element, input->count);
        const mcl_status status =
            mcl_buffer_create(run->context, bytes ? bytes : 1, bytes ? input->data : NULL, &run->inputs[k]);
        if (status != MCL_OK) return status;
        run->operands.in[k] = mcl_from_buffer(input->element->type, run->inputs[k], 0, input->count);
    }
    return MCL_OK;
}

static mcl_status outputs_make(problem_run *run)
{
    for (int k = 0; k < run->problem.output_count; ++k) {
        const case_output *const output = &run->problem.outputs[k];
        const size_t bytes = bytes_of(output->element, output->count);
        const mcl_status status =
            mcl_buffer_create(run->context, bytes ? bytes : 1, bytes ? output->earlier : NULL, &run->outputs[k]);
        if (status != MCL_OK) return status;
        run->operands.out[k] = mcl_to_buffer(output->element->type, run->outputs[k], 0, output->count);
    }
    const case_output *const result = &run->problem.result;
    run->operands.result = mcl_to_nowhere();
    if (!result->element) return MCL_OK;
    run->result = malloc(bytes_of(result->element, result->count) + 1);
    if (!run->result) return MCL_ERROR_MEMORY;
    run->operands.result = mcl_to_host(result->element->type, run->result);
    return MCL_OK;
}

static int64_t differing(const case_output *wanted, const unsigned char *found)
{
    int64_t count = 0;
    for (int64_t k = 0; k < wanted->count; ++k) {
        const size_t at = bytes_of(wanted->element, k);
        count += !element_same(wanted->element, found + at, wanted->data + at);
    }
    return count;
}

static mcl_status outputs_compare(const problem_run *run, int64_t *wrong)
{
    if (run->result) *wrong += differing(&run->problem.result, run->result);
    for (int k = 0; k < run->problem.output_count; ++k) {
        const case_output *const wanted = &run->problem.outputs[k];
        const size_t bytes = bytes_of(wanted->element, wanted->count);
        unsigned char *const found = malloc(bytes + 1);
        if (!found) return MCL_ERROR_MEMORY;
        const mcl_status status = bytes ? mcl_buffer_read(run->queue, run->outputs[k], 0, bytes, found) : MCL_OK;
        if (status == MCL_OK) *wrong += differing(wanted, found);
        free(found);
        if (status != MCL_OK) return status;
    }
    return MCL_OK;
}

static void run_free(problem_run *run)
{
    for (int k = 0; k < CASE_INPUTS; ++k) mcl_buffer_release(run->inputs[k]);
    for (int k = 0; k < CASE_OUTPUTS; ++k) mcl_buffer_release(run->outputs[k]);
    free(run->result);
    case_free(&run->problem);
}

/* Runs a problem. Returns 1 where the device's results equal the loop's. */
static int problem_passes(mcl_context *context, mcl_queue *queue, const mcl_case *c, const case_variant *variant,
                          int64_t n)
{
    problem_run run = { .context = context, .queue = queue };
    const mcl_options options = { .flags = variant->flags,
                                  .tile_threads = variant->threads,
                                  .tile_items = variant->items,
                                  .sort_method = variant->sort_method,
                                  .passes = variant->passes };
    int64_t wrong = 0;
    case_make(c, variant, n, (uint64_t)n, 0, &run.problem);
    mcl_status status = inputs_make(&run);
    if (status == MCL_OK) status = outputs_make(&run);
    if (status == MCL_OK) status = c->call(queue, &run.problem, &run.operands, &options);
    if (status == MCL_OK) status = outputs_compare(&run, &wrong);
    if (status != MCL_OK) printf("FAILED: %s of %lld: %s\n", c->name, (long long)n, mcl_last_error());
    if (wrong) printf("FAILED: %s of %lld: %lld elements differ\n", c->name, (long long)n, (long long)wrong);
    run_free(&run);
    return status == MCL_OK && !wrong;
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

/* Returns the first variant that the device can run and that has separate outputs. Every case has one. */
static const case_variant *variant_for(const mcl_case *c, const mcl_device_info *info)
{
    for (int k = 0; k < c->variant_count; ++k) {
        const case_variant *const variant = &c->variants[k];
        if (!variant->in_place && (info->has_double || !case_needs_double(variant))) return variant;
    }
    return &c->variants[0];
}

int main(int count, char **arguments)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_device_info info;
    int passed = 0;
    if (mcl_context_create(count > 1 ? arguments[1] : NULL, &context) || mcl_queue_create(context, 0, &queue) ||
        mcl_context_info(context, &info)) {
        fprintf(stderr, "%s\n", mcl_last_error());
        mcl_context_release(context);
        return 2;
    }
    printf("device: %s\n", info.name);
    for (int k = 0; k < CASE_COUNT; ++k)
        for (int i = 0; i < SIZE_COUNT; ++i)
            passed += problem_passes(context, queue, cases[k], variant_for(cases[k], &info), sizes[i]);
    mcl_queue_release(queue);
    mcl_context_release(context);
    printf("%d operations at %d sizes\n", CASE_COUNT, SIZE_COUNT);
    printf("sample: %d passed, %d failed\n", passed, CASE_COUNT * SIZE_COUNT - passed);
    return passed < CASE_COUNT * SIZE_COUNT;
}
