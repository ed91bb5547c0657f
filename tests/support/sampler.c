/* sampler.c: one call of every primitive. */
#include "sampler.h"

#include <string.h>

static mcl_input sorted(const sampler *s)
{
    return mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
}
static mcl_output to(mcl_buffer *buffer, int64_t count)
{
    return mcl_to_buffer(MCL_INT32, buffer, 0, count);
}

static mcl_status transform(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_transform(queue, sorted(s), to(s->output, SAMPLER_COUNT), options);
}

static mcl_status scatter(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_scatter(queue, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), options);
}

static mcl_status uniform(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const int32_t low = 0;
    const int32_t high = 9;

    return mcl_random(queue, to(s->output, SAMPLER_COUNT), 1, 0, &low, &high, options);
}

static mcl_status reduce_to_host(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int32_t sum;

    return mcl_reduce(queue, sorted(s), MCL_ADD, mcl_to_host(MCL_INT32, &sum), options);
}

static mcl_status reduce_to_slot(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_reduce(queue, sorted(s), MCL_MAX, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status scan(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_scan(queue, mcl_with_count(sorted(s), s->slots, 0), to(s->output, SAMPLER_COUNT), MCL_ADD, MCL_EXCLUSIVE,
                    mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status scan_in_two_passes(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options deterministic = { 0 };
    int32_t total;

    if (options) deterministic = *options;
    deterministic.flags |= MCL_DETERMINISTIC;
    return mcl_scan(queue, sorted(s), to(s->output, SAMPLER_COUNT), MCL_ADD, MCL_INCLUSIVE,
                    mcl_to_host(MCL_INT32, &total), &deterministic);
}

static mcl_status merge(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_merge(queue, sorted(s), sorted(s), to(s->output, 2 * SAMPLER_COUNT), MCL_LESS, options);
}

static mcl_status merge_pairs(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_merge_pairs(queue, sorted(s), sorted(s), sorted(s), sorted(s), to(s->output, 2 * SAMPLER_COUNT),
                           to(s->values, 2 * SAMPLER_COUNT), MCL_LESS, options);
}

static mcl_status bounds(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_binary_search_partition(queue, sorted(s), SAMPLER_COUNT, 100, MCL_LOWER, to(s->output, SAMPLER_COUNT),
                                       options);
}

static mcl_status merge_path(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_merge_path_partition(queue, sorted(s), sorted(s), 100, 0, MCL_LOWER, to(s->output, SAMPLER_COUNT),
                                    MCL_LESS, options);
}

static mcl_segments every_seventh(void)
{
    static const int32_t zero = 0;
    static const int32_t seven = 7;

    return mcl_segments_from_indices(mcl_step(MCL_INT32, &zero, &seven, SAMPLER_COUNT / 7));
}

static mcl_status segmented_sort(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_segmented_sort(queue, mcl_with_count(sorted(s), s->slots, 0), every_seventh(),
                              to(s->output, SAMPLER_COUNT), MCL_GREATER, 1, NULL, options);
}

static mcl_status segmented_sort_with_report(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_sort_report report;

    return mcl_segmented_sort_pairs(queue, sorted(s), sorted(s), every_seventh(), to(s->output, SAMPLER_COUNT),
                                    to(s->values, SAMPLER_COUNT), MCL_GREATER, 0, &report, options);
}

static mcl_status locality_sort(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_locality_sort(queue, sorted(s), to(s->output, SAMPLER_COUNT), MCL_LESS, NULL, options);
}

const sampler_entry sampler_entries[] = {
    { "transform", transform, 0 },
    { "scatter", scatter, 0 },
    { "random", uniform, 0 },
    { "reduce to the host", reduce_to_host, 1 },
    { "reduce to a slot", reduce_to_slot, 0 },
    { "scan", scan, 0 },
    { "scan in two passes", scan_in_two_passes, 1 },
    { "merge", merge, 0 },
    { "merge of pairs", merge_pairs, 0 },
    { "binary search partition", bounds, 0 },
    { "merge path partition", merge_path, 0 },
    { "segmented sort", segmented_sort, 0 },
    { "segmented sort with a report", segmented_sort_with_report, 1 },
    { "locality sort", locality_sort, 0 },
};
const int sampler_entry_count = sizeof sampler_entries / sizeof sampler_entries[0];

static mcl_status create_buffers(sampler *s)
{
    static int32_t data[SAMPLER_COUNT];
    const int64_t slots[2] = { SAMPLER_COUNT, 0 };
    mcl_status status;

    for (int32_t k = 0; k < SAMPLER_COUNT; k++) data[k] = k;
    status = mcl_buffer_create(s->context, sizeof data, data, &s->sorted);
    if (status == MCL_OK) status = mcl_buffer_create(s->context, 2 * sizeof data, NULL, &s->output);
    if (status == MCL_OK) status = mcl_buffer_create(s->context, 2 * sizeof data, NULL, &s->values);
    if (status == MCL_OK) status = mcl_buffer_create(s->context, sizeof slots, slots, &s->slots);
    return status;
}

mcl_status sampler_create(mcl_context *context, sampler *out)
{
    memset(out, 0, sizeof *out);
    out->context = context;
    const mcl_status status = create_buffers(out);
    if (status != MCL_OK) sampler_free(out);
    return status;
}

void sampler_free(sampler *s)
{
    mcl_buffer_release(s->sorted);
    mcl_buffer_release(s->output);
    mcl_buffer_release(s->values);
    mcl_buffer_release(s->slots);
    memset(s, 0, sizeof *s);
}
