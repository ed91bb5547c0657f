/* sampler_selections.c: calls that choose, group or order elements by their keys. */
#include "sampler_calls.h"

mcl_status sampler_multisplit(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    static const mcl_op bucket = { .role = MCL_ROLE_INDEX, .expression = "x / 3" };

    return mcl_multisplit(queue, sorted(s), to(s->output, SAMPLER_COUNT), &bucket, 20, to(s->values, 21),
                          (mcl_output){ 0 }, options);
}

mcl_status sampler_even_histogram(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_histogram_even(queue, sorted(s), 0, SAMPLER_COUNT, NULL, to(s->output, SAMPLER_COUNT), options);
}

mcl_status sampler_top_k(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_top_k(queue, sorted(s), mcl_amount_of(10), to(s->output, SAMPLER_COUNT), MCL_GREATER, mcl_to_nowhere(),
                     options);
}

mcl_status sampler_top_k_many(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_top_k(queue, mcl_with_count(sorted(s), s->slots, 0), mcl_amount_of(SAMPLER_COUNT),
                     to(s->output, SAMPLER_COUNT), MCL_GREATER, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

mcl_status sampler_segmented_top_k(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_segments rows =
        mcl_segments_from_offsets(mcl_from_expression(MCL_INT32, "i * 50", NULL, NULL, 0, SAMPLER_COUNT / 50 + 1));

    return mcl_segmented_top_k(queue, sorted(s), rows, mcl_amount_of(10), to(s->output, SAMPLER_COUNT),
                               (mcl_output){ 0 }, MCL_GREATER, options);
}

mcl_status sampler_segmented_top_k_flags(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_segments rows = mcl_segments_from_flags(sorted(s));

    return mcl_segmented_top_k_indices(queue, mcl_with_count(sorted(s), s->slots, 0), rows, mcl_amount_of(3),
                                       to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT), MCL_LESS, options);
}

mcl_status sampler_segmented_quantiles(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_segments rows =
        mcl_segments_from_offsets(mcl_from_expression(MCL_INT32, "i * 50", NULL, NULL, 0, SAMPLER_COUNT / 50 + 1));

    const float half = 0.5f;

    return mcl_segmented_quantiles(queue, sorted(s), rows, mcl_from_constant(MCL_FLOAT, &half, 1),
                                   to(s->output, SAMPLER_COUNT), MCL_LESS, MCL_INTERPOLATION_LOWER, options);
}

mcl_status sampler_nth_element(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_nth_element(queue, sorted(s), mcl_amount_of(SAMPLER_COUNT / 2), mcl_to_slot(MCL_INT32, s->slots, 3),
                           MCL_LESS, options);
}

static const mcl_op beyond = { .role = MCL_ROLE_TEST, .expression = "x > 100" };

mcl_status sampler_find_first(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_find_if(queue, mcl_with_count(sorted(s), s->slots, 0), &beyond, mcl_to_slot(MCL_INT64, s->slots, 1),
                       options);
}

mcl_status sampler_decode_runs(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_run_length_decode(queue, mcl_with_count(sorted(s), s->slots, 0), sorted(s), to(s->output, SAMPLER_COUNT),
                                 mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

mcl_status sampler_least_and_greatest(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_min_max(queue, sorted(s), mcl_to_slot(MCL_INT32_RANGE, s->slots, 1), options);
}

mcl_status sampler_count_those(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_count_if(queue, sorted(s), &beyond, mcl_to_slot(MCL_INT32, s->slots, 3), options);
}

mcl_status sampler_group_by(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_aggregate sums = { sorted(s), MCL_ADD, to(s->output, SAMPLER_COUNT) };

    return mcl_group_by(queue, mcl_with_count(sorted(s), s->slots, 0), (mcl_output){ 0 }, &sums, 1,
                        mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

/* Sums and means: a mean makes a call within the call. */
mcl_status sampler_group_by_means(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_aggregate parts[] = {
        { sorted(s), MCL_ADD, to(s->output, SAMPLER_COUNT / 2) },
        { sorted(s), MCL_MEAN, mcl_to_buffer(MCL_FLOAT, s->output, SAMPLER_COUNT / 2, SAMPLER_COUNT / 2) },
        { sorted(s), MCL_MIN, mcl_to_buffer(MCL_INT32, s->output, SAMPLER_COUNT, SAMPLER_COUNT / 2) }
    };

    return mcl_group_by(queue, mcl_with_count(sorted(s), s->slots, 0), (mcl_output){ 0 }, parts, 3,
                        mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

mcl_status sampler_distinct(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_distinct(queue, sorted(s), to(s->output, SAMPLER_COUNT), mcl_to_nowhere(), options);
}

/* A word of both columns, and then a column by itself; with values in place of another output. */
mcl_status sampler_sort_columns(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    static const mcl_op own = { .role = MCL_ROLE_ORDER, .expression = "p / 8 < q / 8" };
    const mcl_key_column keys[] = { { mcl_with_count(sorted(s), s->slots, 0), &own },
                                    { sorted(s), MCL_GREATER },
                                    { sorted(s), MCL_LESS } };
    const mcl_column columns[] = { { sorted(s), to(s->output, SAMPLER_COUNT) },
                                   { sorted(s), to(s->values, SAMPLER_COUNT) } };

    return mcl_sort_columns(queue, keys, 3, columns, 2, options);
}

mcl_status sampler_sort_columns_indices(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_key_column keys[] = { { sorted(s), MCL_GREATER }, { sorted(s), MCL_LESS }, { sorted(s), MCL_LESS } };

    return mcl_sort_columns_indices(queue, keys, 3, to(s->output, SAMPLER_COUNT), options);
}

mcl_status sampler_quantiles(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const float start = 0.25f, step = 0.5f;

    return mcl_quantiles(queue, mcl_with_count(sorted(s), s->slots, 0), mcl_from_step(MCL_FLOAT, &start, &step, 2),
                         mcl_to_buffer(MCL_FLOAT, s->values, 0, 2), MCL_LESS, MCL_INTERPOLATION_LINEAR, options);
}

mcl_status sampler_many_quantiles(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const float start = 0, step = 0.125f;

    return mcl_quantiles(queue, sorted(s), mcl_from_step(MCL_FLOAT, &start, &step, 9), to(s->output, 9), MCL_LESS,
                         MCL_INTERPOLATION_NEAREST, options);
}
