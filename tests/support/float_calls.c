#include "support/float_calls.h"

/* ---- the numbers as operands ------------------------------------------------------------------------------------- */

static mcl_input values_of(const float_numbers *n)
{
    return mcl_from_buffer(MCL_FLOAT, n->in, 0, n->count);
}

static mcl_input keys_of(const float_numbers *n)
{
    return mcl_from_buffer(MCL_INT32, n->key, 0, n->count);
}

static mcl_input groups_of(const float_numbers *n)
{
    return mcl_from_buffer(MCL_INT32, n->group, 0, n->count);
}

static mcl_output sums_to(const float_numbers *n, int64_t count)
{
    return mcl_to_buffer(MCL_FLOAT, n->out, 0, count);
}

static mcl_segments by_offsets(const float_numbers *n)
{
    return mcl_segments_from_offsets(mcl_from_buffer(MCL_INT32, n->begin, 0, n->run_count + 1));
}

static mcl_segments by_begins(const float_numbers *n)
{
    return mcl_segments_from_begins(mcl_from_buffer(MCL_INT32, n->begin, 0, n->run_count));
}

static mcl_segments by_indices(const float_numbers *n)
{
    return mcl_segments_from_indices(mcl_from_buffer(MCL_INT32, n->begin, 0, n->run_count));
}

static mcl_segments by_flags(const float_numbers *n)
{
    return mcl_segments_from_flags(mcl_from_buffer(MCL_UINT32, n->flag, 0, (n->count + 31) / 32));
}

/* ---- the calls --------------------------------------------------------------------------------------------------- */

#define CALL(name)                                                                                                     \
    static mcl_status name(mcl_context *context, mcl_queue *queue, const float_numbers *n, const mcl_options *options)

CALL(reduce)
{
    (void)context;
    return mcl_reduce(queue, values_of(n), n->op, mcl_to_slot(MCL_FLOAT, n->out, 0), options);
}

/* Reduces with an operator that is not declared as commutative, so the order is kept. */
CALL(reduce_in_order)
{
    const mcl_op op = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0" };
    (void)context;
    return mcl_reduce(queue, values_of(n), &op, mcl_to_slot(MCL_FLOAT, n->out, 0), options);
}

CALL(scan)
{
    (void)context;
    return mcl_scan(queue, values_of(n), sums_to(n, n->count), n->op, MCL_INCLUSIVE, mcl_to_nowhere(), options);
}

/* Scans elements for which compilers make no vectors. */
CALL(scan_of_extracts)
{
    const mcl_op op = { .role = MCL_ROLE_FOLD, .expression = "p + q", .extract = "1 * x", .commutative = 1 };
    (void)context;
    return mcl_scan(queue, values_of(n), sums_to(n, n->count), &op, MCL_INCLUSIVE, mcl_to_nowhere(), options);
}

CALL(scan_total)
{
    (void)context;
    return mcl_scan(queue, values_of(n), (mcl_output){ 0 }, n->op, MCL_INCLUSIVE, mcl_to_slot(MCL_FLOAT, n->out, 0),
                    options);
}

#define SEGMENTED(name, segments)                                                                                      \
    CALL(reduce_##name)                                                                                                \
    {                                                                                                                  \
        (void)context;                                                                                                 \
        return mcl_segmented_reduce(queue, values_of(n), segments(n), sums_to(n, n->run_count), n->op,                 \
                                    mcl_to_nowhere(), options);                                                        \
    }                                                                                                                  \
    CALL(scan_##name)                                                                                                  \
    {                                                                                                                  \
        (void)context;                                                                                                 \
        return mcl_segmented_scan(queue, values_of(n), segments(n), sums_to(n, n->count), n->op, MCL_INCLUSIVE,        \
                                  options);                                                                            \
    }
SEGMENTED(offsets, by_offsets)
SEGMENTED(begins, by_begins)
SEGMENTED(indices, by_indices)
SEGMENTED(flags, by_flags)

CALL(reduce_by_key)
{
    (void)context;
    return mcl_reduce_by_key(queue, keys_of(n), values_of(n), (mcl_output){ 0 }, sums_to(n, n->run_count), n->op, NULL,
                             mcl_to_nowhere(), options);
}

CALL(scan_by_key)
{
    (void)context;
    return mcl_scan_by_key(queue, keys_of(n), values_of(n), sums_to(n, n->count), n->op, NULL, MCL_INCLUSIVE, options);
}

#define GROUPED(name, by)                                                                                              \
    CALL(name)                                                                                                         \
    {                                                                                                                  \
        const mcl_aggregate part = { values_of(n), by, sums_to(n, n->run_count) };                                     \
        (void)context;                                                                                                 \
        return mcl_group_by(queue, groups_of(n), mcl_to_buffer(MCL_INT32, n->out_keys, 0, n->run_count), &part, 1,     \
                            mcl_to_nowhere(), options);                                                                \
    }
GROUPED(group_by, n->op)
GROUPED(group_by_means, MCL_MEAN)

CALL(histogram)
{
    const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "x" };
    const mcl_input weights = values_of(n);
    (void)context;
    return mcl_histogram(queue, groups_of(n), &bin, &weights, sums_to(n, n->run_count), options);
}

CALL(histogram_even)
{
    const mcl_input weights = values_of(n);
    (void)context;
    return mcl_histogram_even(queue, groups_of(n), 0, n->run_count, &weights, sums_to(n, n->run_count), options);
}

CALL(histogram_range)
{
    const int32_t zero = 0, one = 1;
    const mcl_input weights = values_of(n), levels = mcl_from_step(MCL_INT32, &zero, &one, n->run_count + 1);
    (void)context;
    return mcl_histogram_range(queue, groups_of(n), levels, &weights, sums_to(n, n->run_count), options);
}

CALL(map_insert_or_apply)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_FLOAT, .capacity = 2 * (int64_t)n->run_count };
    const mcl_output keys = mcl_to_buffer(MCL_INT32, n->out_keys, 0, n->run_count);
    mcl_map *map = NULL;
    mcl_status status = mcl_map_create(context, &config, &map);
    if (status == MCL_OK) status = mcl_map_insert_or_apply(queue, map, groups_of(n), values_of(n), n->op, options);
    if (status == MCL_OK)
        status = mcl_map_retrieve_all(queue, map, keys, sums_to(n, n->run_count), mcl_to_nowhere(), NULL);
    mcl_map_release(map);
    return status;
}

const float_call float_calls[] = {
    { "mcl_reduce", FLOAT_ALL, 0, 1, FLOAT_FLAGS, 2, 2, reduce, FLOAT_PLAIN },
    { "mcl_reduce in order", FLOAT_ALL, 0, 0, FLOAT_FLAGS, 2, 2, reduce_in_order, FLOAT_PLAIN },
    { "mcl_scan", FLOAT_PREFIXES, 0, 1, FLOAT_FLAGS, 2, 2, scan, FLOAT_PLAIN },
    { "mcl_scan of extracts", FLOAT_PREFIXES, 0, 0, FLOAT_FLAGS, 2, 2, scan_of_extracts, FLOAT_PLAIN },
    { "mcl_scan, total alone", FLOAT_ALL, 0, 1, FLOAT_FLAGS, 2, 2, scan_total, FLOAT_PLAIN },
    { "mcl_segmented_reduce by offsets", FLOAT_RUNS, 0, 1, FLOAT_FLAGS, 2, 2, reduce_offsets, FLOAT_PLAIN },
    { "mcl_segmented_reduce by begins", FLOAT_RUNS, 0, 1, FLOAT_FLAGS, 2, 2, reduce_begins, FLOAT_PLAIN },
    { "mcl_segmented_reduce by indices", FLOAT_RUNS, 0, 1, FLOAT_FLAGS, 2, 2, reduce_indices, FLOAT_PLAIN },
    { "mcl_segmented_reduce by flags", FLOAT_RUNS, 0, 1, FLOAT_FLAGS, 2, 2, reduce_flags, FLOAT_PLAIN },
    { "mcl_segmented_scan by offsets", FLOAT_RUN_PARTS, 0, 1, FLOAT_FLAGS, 2, 2, scan_offsets, FLOAT_PLAIN },
    { "mcl_segmented_scan by begins", FLOAT_RUN_PARTS, 0, 1, FLOAT_FLAGS, 2, 2, scan_begins, FLOAT_PLAIN },
    { "mcl_segmented_scan by indices", FLOAT_RUN_PARTS, 0, 1, FLOAT_FLAGS, 2, 2, scan_indices, FLOAT_PLAIN },
    { "mcl_segmented_scan by flags", FLOAT_RUN_PARTS, 0, 1, FLOAT_FLAGS, 2, 2, scan_flags, FLOAT_PLAIN },
    { "mcl_reduce_by_key", FLOAT_RUNS, 0, 1, FLOAT_FLAGS, 2, 2, reduce_by_key, FLOAT_PLAIN },
    { "mcl_scan_by_key", FLOAT_RUN_PARTS, 0, 1, FLOAT_FLAGS, 2, 2, scan_by_key, FLOAT_PLAIN },
    { "mcl_group_by", FLOAT_GROUPS, 1, 1, FLOAT_FLAGS, 2, 2, group_by, FLOAT_PLAIN },
    { "mcl_group_by, means", FLOAT_GROUPS, 1, 0, FLOAT_FLAGS, 2, 2, group_by_means, FLOAT_MEAN },
    { "mcl_histogram with weights", FLOAT_GROUPS, 0, 0, FLOAT_FLAGS_IN_SERIAL, 2, 0, histogram, FLOAT_FROM_ZERO },
    { "mcl_histogram_even with weights", FLOAT_GROUPS, 0, 0, FLOAT_FLAGS_IN_SERIAL, 2, 0, histogram_even,
      FLOAT_FROM_ZERO },
    { "mcl_histogram_range with weights", FLOAT_GROUPS, 0, 0, FLOAT_FLAGS_IN_SERIAL, 2, 0, histogram_range,
      FLOAT_FROM_ZERO },
    { "mcl_map_insert_or_apply", FLOAT_GROUPS, 1, 1, FLOAT_NO_FLAGS, 0, 0, map_insert_or_apply, FLOAT_PLAIN },
};
const int float_call_count = sizeof float_calls / sizeof float_calls[0];
