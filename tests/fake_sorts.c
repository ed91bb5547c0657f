/* fake_sorts.c: calls of kernel_texts of the sorts by merging and of top-k. */
#include "fake_backend.h"
#include "fake_calls.h"
#include "tuning/rows.h"

/* Sorts by merging, in place and not, with few tiles and with many. Many tiles are merged by four runs at once. */
mcl_status call_sort(const bench *at)
{
    const mcl_op *const before = at->element->before;
    mcl_options options = *at->options;
    int *const few = &at->queue->context->tuning->parameters[MCL__PARAMETER_sort_few_tiles];
    const int usual = *few;
    options.sort_method = MCL_SORT_MERGE;
    MCL__TRY(mcl_sort(at->queue, from(at, 0), to(at, 0, COUNT), before, &options));
    *few = 0;
    MCL__TRY(mcl_sort(at->queue, from(at, 0), to(at, 1, COUNT), before, &options));
    MCL__TRY(mcl_sort_pairs(at->queue, from(at, 0), integers(at, 2), to(at, 1, COUNT), integers_to(at, 3), before,
                            &options));
    *few = usual;
    return MCL_OK;
}

/* Selects by a sort of all keys, and by a search. */
static mcl_status select_both_ways(const bench *at, const mcl_options *options)
{
    static const int bytes[] = { 1 << 30, 0 };
    const mcl_result one = mcl_to_slot(at->element->type, at->buffers[4], 0);
    const mcl_op *const before = at->element->before;
    int *const parameters = at->queue->context->tuning->parameters;
    for (int k = 0; k < 2; ++k) {
        parameters[MCL__PARAMETER_top_k_sort_bytes] = parameters[MCL__PARAMETER_top_k_rank_sort_bytes] = bytes[k];
        MCL__TRY(mcl_nth_element(at->queue, from(at, 0), mcl_amount_of(9), one, before, options));
        MCL__TRY(mcl_top_k_pairs(at->queue, from(at, 0), integers(at, 2), mcl_amount_of(COUNT / 2),
                                 to(at, 1, COUNT / 2), mcl_to_buffer(MCL_INT32, at->buffers[3], 0, COUNT / 2), before,
                                 mcl_to_nowhere(), options));
    }
    return MCL_OK;
}

mcl_status call_top_k(const bench *at)
{
    const mcl_op *const before = at->element->before;
    const float start = 0.25f, step = 0.5f;
    mcl_options own = *at->options;
    MCL__TRY(select_both_ways(at, at->options));
    MCL__TRY(mcl_quantiles(at->queue, from(at, 0), mcl_from_step(MCL_FLOAT, &start, &step, 9), to(at, 1, 9), before,
                           MCL_INTERPOLATION_NEAREST, at->options));
    MCL__TRY(mcl_top_k(at->queue, from(at, 0), mcl_amount_in_slot(9, MCL_INT32, at->buffers[2], 0), to(at, 1, 9),
                       before, mcl_to_nowhere(), at->options));
    own.flags |= MCL_UNORDERED; /* by rounds */
    return mcl_top_k(at->queue, from(at, 0), mcl_amount_of(COUNT / 2), to(at, 1, COUNT / 2), before, mcl_to_nowhere(),
                     own.flags & MCL_DETERMINISTIC ? at->options : &own);
}

/* Groups by tables, with as many keys as a GPU needs for tables: with no, one and three aggregates, of 4 and of 8
 * bytes. Floats are added as wide sums. */
static mcl_status group_by_tables(const bench *at, const mcl_options *options)
{
    enum { MANY = 1 << 20 };
    static const mcl_op wide = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
    };
    const mcl_input keys = mcl_from_buffer(MCL_INT32, at->buffers[0], 0, MANY);
    const mcl_input wide_keys = mcl_from_buffer(MCL_INT64, at->buffers[0], 0, MANY);
    const mcl_input values = mcl_from_buffer(MCL_INT32, at->buffers[1], 0, MANY);
    const mcl_type *const real = at->queue->context->limits.has_double ? MCL_DOUBLE : MCL_FLOAT;
    const mcl_aggregate aggregates[] = {
        { values, &wide, mcl_to_buffer(MCL_INT64, at->buffers[2], 0, COUNT) },
        { values, MCL_MAX, mcl_to_buffer(MCL_INT32, at->buffers[3], 0, COUNT) },
        { mcl_from_buffer(real, at->buffers[1], 0, MANY), MCL_ADD, mcl_to_buffer(real, at->buffers[4], 0, COUNT) },
    };
    const mcl_aggregate floats = { mcl_from_buffer(MCL_FLOAT, at->buffers[1], 0, MANY), MCL_ADD,
                                   mcl_to_buffer(MCL_FLOAT, at->buffers[4], 0, COUNT) };
    const mcl_output list = mcl_to_buffer(MCL_INT32, at->buffers[5], 0, COUNT);
    MCL__TRY(mcl_distinct(at->queue, keys, list, mcl_to_nowhere(), options));
    MCL__TRY(mcl_group_by(at->queue, keys, list, aggregates, 1, mcl_to_nowhere(), options));
    MCL__TRY(mcl_group_by(at->queue, keys, list, &floats, 1, mcl_to_nowhere(), options));
    return mcl_group_by(at->queue, wide_keys, (mcl_output){ 0 }, aggregates, 3, mcl_to_nowhere(), options);
}

/* Groups in all ways. Tables of the serial mapping are compiled for every device unless only default tiles are wanted.
 * The library chooses them on no GPU, so for GPUs they are checked and not optimised. */
mcl_status call_group_by(const bench *at)
{
    mcl_options options = *at->options;
    const int checks_only = fake_checks_only;
    MCL__TRY(group_by_tables(at, &options));
    if (fake_default_tiles) return MCL_OK;
    options.tile_threads = 1;
    fake_checks_only = 1;
    const mcl_status status = group_by_tables(at, &options);
    fake_checks_only = checks_only;
    return status;
}

/* Sorts by columns. The first word is made of indices, and the second word of the order so far. */
mcl_status call_sort_columns(const bench *at)
{
    const mcl_key_column keys[] = { { from(at, 0), at->element->before },
                                    { integers(at, 3), MCL_LESS },
                                    { integers(at, 3), MCL_GREATER },
                                    { integers(at, 3), MCL_LESS } };
    return mcl_sort_columns_indices(at->queue, keys, 4, integers_to(at, 1), at->options);
}

/* Selects in segments, in few rows, which are cut into parts, and in sorted segments. */
mcl_status call_segmented_top_k(const bench *at)
{
    int *const parameters = at->queue->context->tuning->parameters;
    parameters[MCL__PARAMETER_segmented_top_k_part_groups] = 4;
    for (int sorts = 0; sorts < 2; ++sorts) {
        parameters[MCL__PARAMETER_segmented_top_k_sort_length] = sorts << 24;
        MCL__TRY(mcl_segmented_top_k_indices(at->queue, from(at, 0), mcl_segments_from_rows(2, COUNT / 2),
                                             mcl_amount_of(9), mcl_to_buffer(MCL_INT32, at->buffers[1], 0, 18),
                                             (mcl_output){ 0 }, at->element->before, at->options));
    }
    parameters[MCL__PARAMETER_segmented_top_k_sort_length] = 0;
    return mcl_segmented_top_k(at->queue, from(at, 0), mcl_segments_from_begins(integers(at, 3)), mcl_amount_of(1),
                               to(at, 1, COUNT), integers_to(at, 2), at->element->before, at->options);
}

mcl_status call_segmented_sort_unstable(const bench *at)
{
    return mcl_segmented_sort(at->queue, from(at, 0), mcl_segments_from_flags(integers(at, 3)), to(at, 1, COUNT),
                              at->element->before, MCL_UNSTABLE, NULL, at->options);
}

mcl_status call_segmented_sort_rows(const bench *at)
{
    return mcl_segmented_sort(at->queue, from(at, 0), mcl_segments_from_rows(COUNT / 1000, 1000), to(at, 1, COUNT),
                              at->element->before, MCL_UNSTABLE, NULL, at->options);
}
