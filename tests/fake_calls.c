/* fake_calls.c: the calls of kernel_texts, and those of them that are in no file of their kind. */
#include "fake_calls.h"

static mcl_input from(const bench *at, int buffer)
{
    return mcl_from_buffer(at->element->type, at->buffers[buffer], 0, COUNT);
}

static mcl_output to(const bench *at, int buffer, int64_t count)
{
    return mcl_to_buffer(at->element->type, at->buffers[buffer], 0, count);
}

static mcl_input numbers(const bench *at, int buffer)
{
    return mcl_from_buffer(MCL_INT32, at->buffers[buffer], 0, COUNT);
}

static mcl_status call_transform(const bench *at)
{
    return mcl_transform(at->queue, from(at, 0), to(at, 1, COUNT), at->options);
}

static mcl_status call_scatter(const bench *at)
{
    return mcl_scatter(at->queue, from(at, 0), numbers(at, 1), to(at, 2, COUNT), at->options);
}

static mcl_status call_scatter_flagged(const bench *at)
{
    return mcl_scatter_flagged(at->queue, from(at, 0), numbers(at, 1), numbers(at, 3), to(at, 2, COUNT), at->options);
}

static mcl_status call_random(const bench *at)
{
    const double zeros[8] = { 0 };
    if (at->element->type->kind == MCL_KIND_STRUCT) return MCL_OK;
    return mcl_random(at->queue, to(at, 0, COUNT), 1, 0, zeros, zeros, at->options);
}

/* Where a fold with MCL_MAX_INDEX goes: the index. */
static const mcl_type *folded(const bench *at)
{
    return at->element->add == MCL_MAX_INDEX ? MCL_INT64 : at->element->type;
}

static mcl_status call_reduce(const bench *at)
{
    return mcl_reduce(at->queue, from(at, 0), at->element->add, mcl_to_slot(folded(at), at->buffers[1], 0),
                      at->options);
}

static mcl_status call_scan_kind(const bench *at, mcl_scan_kind kind)
{
    return mcl_scan(at->queue, from(at, 0), mcl_to_buffer(folded(at), at->buffers[1], 0, COUNT), at->element->add, kind,
                    mcl_to_slot(folded(at), at->buffers[2], 0), at->options);
}

static mcl_status call_scan_exclusive(const bench *at)
{
    return call_scan_kind(at, MCL_EXCLUSIVE);
}

static mcl_status call_scan_inclusive(const bench *at)
{
    return call_scan_kind(at, MCL_INCLUSIVE);
}

/* Moving elements is the same for integers and floats of one size. */
static int is_float(const bench *at)
{
    return at->element->type->kind == MCL_KIND_FLOAT;
}

static mcl_result count_slot(const bench *at)
{
    return mcl_to_slot(MCL_INT64, at->buffers[5], 0);
}

static mcl_status call_compact(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_compact(at->queue, from(at, 0), to(at, 1, COUNT), at->element->keep, count_slot(at), at->options);
}

static mcl_status call_find_if(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_find_if(at->queue, from(at, 0), at->element->keep, count_slot(at), at->options);
}

static mcl_status call_compact_columns(const bench *at)
{
    mcl_column columns[5] = { { from(at, 2), to(at, 3, COUNT) } };
    if (is_float(at)) return MCL_OK;
    for (int k = 1; k < 5; ++k) columns[k].in = mcl_from_buffer(MCL_UINT8, at->buffers[4], 0, COUNT);
    columns[1].out = mcl_to_buffer(MCL_UINT8, at->buffers[5], 64, COUNT);
    columns[4].out = mcl_to_buffer(MCL_UINT8, at->buffers[5], 64 + COUNT, COUNT);
    return mcl_compact_columns(at->queue, from(at, 0), to(at, 1, COUNT), columns, 5, at->element->keep, count_slot(at),
                               at->options);
}

static mcl_status call_compact_unordered(const bench *at)
{
    mcl_options options = *at->options;
    options.flags = MCL_UNORDERED | (options.flags & MCL_INDEX_64);
    if (is_float(at)) return MCL_OK;
    return mcl_compact(at->queue, from(at, 0), to(at, 1, COUNT), at->element->keep, count_slot(at), &options);
}

static mcl_status call_compact_flagged(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_compact_flagged(at->queue, from(at, 0), mcl_from_buffer(MCL_UINT8, at->buffers[1], 0, COUNT),
                               to(at, 2, COUNT), count_slot(at), at->options);
}

static mcl_status call_partition_two(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_partition(at->queue, from(at, 0), to(at, 1, COUNT), to(at, 2, COUNT), at->element->keep, count_slot(at),
                         at->options);
}

static mcl_status call_partition_columns(const bench *at)
{
    const mcl_partition_column list[] = { { from(at, 2), to(at, 3, COUNT), to(at, 4, COUNT) } };
    if (is_float(at)) return MCL_OK;
    return mcl_partition_columns(at->queue, from(at, 0), to(at, 1, COUNT), (mcl_output){ 0 }, list, 1,
                                 at->element->keep, count_slot(at), at->options);
}

static mcl_status call_partition_three(const bench *at)
{
    static const mcl_op keep_third = { .role = MCL_ROLE_TEST, .expression = "i % 3 == 0" };
    if (is_float(at)) return MCL_OK;
    return mcl_partition_three(at->queue, from(at, 0), to(at, 1, COUNT), to(at, 2, COUNT), to(at, 3, COUNT),
                               at->element->keep, &keep_third, count_slot(at), at->options);
}

static mcl_status call_unique_by_key(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_unique_by_key(at->queue, from(at, 0), from(at, 1), to(at, 2, COUNT), to(at, 3, COUNT), at->element->same,
                             count_slot(at), at->options);
}

static mcl_status call_run_lengths(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_run_length_encode(at->queue, from(at, 0), to(at, 1, COUNT),
                                 mcl_to_buffer(MCL_INT32, at->buffers[2], 0, COUNT), at->element->same, count_slot(at),
                                 at->options);
}

static mcl_status call_bulk_remove(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_bulk_remove(at->queue, from(at, 0), numbers(at, 1), to(at, 2, COUNT), at->options);
}

static mcl_status call_bulk_insert(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_bulk_insert(at->queue, from(at, 0), numbers(at, 1), from(at, 2), to(at, 3, 2 * COUNT), at->options);
}

static mcl_status call_merge(const bench *at)
{
    return mcl_merge(at->queue, from(at, 0), from(at, 1), to(at, 2, 2 * COUNT), at->element->before, at->options);
}

static mcl_status call_merge_pairs(const bench *at)
{
    return mcl_merge_pairs(at->queue, from(at, 0), from(at, 3), from(at, 1), from(at, 4), to(at, 2, 2 * COUNT),
                           to(at, 5, 2 * COUNT), at->element->before, at->options);
}

static mcl_status call_cuts(const bench *at)
{
    const mcl_output out = mcl_to_buffer(MCL_INT32, at->buffers[2], 0, COUNT);
    const mcl_type *type = at->element->type;
    if (type->kind != MCL_KIND_STRUCT && type->kind != MCL_KIND_FLOAT)
        MCL__TRY(mcl_cut_search(at->queue, from(at, 0), COUNT, 1024, MCL_LOWER, out, at->options));
    MCL__TRY(mcl_cut_merge_path(at->queue, from(at, 0), from(at, 1), 1024, 0, MCL_LOWER, out, at->element->before,
                                at->options));
    return mcl_cut_balanced_path(at->queue, from(at, 0), from(at, 1), 1024, out, at->element->before, at->options);
}

/* The two kernels of the group mapping that differ most, with values of both inputs and of one. */
static mcl_status call_set_symmetric_difference(const bench *at)
{
    return mcl_set_symmetric_difference(at->queue, from(at, 0), from(at, 1), to(at, 2, 2 * COUNT), at->element->before,
                                        mcl_to_nowhere(), at->options);
}

static mcl_status call_set_union_pairs(const bench *at)
{
    return mcl_set_union_pairs(at->queue, from(at, 0), from(at, 3), from(at, 1), from(at, 4), to(at, 2, 2 * COUNT),
                               to(at, 5, 2 * COUNT), at->element->before, mcl_to_nowhere(), at->options);
}

static mcl_status call_set_difference_pairs(const bench *at)
{
    return mcl_set_difference_pairs(at->queue, from(at, 0), from(at, 3), from(at, 1), from(at, 4), to(at, 2, COUNT),
                                    to(at, 5, COUNT), at->element->before, mcl_to_nowhere(), at->options);
}

static mcl_status call_set_intersection_twice(const bench *at)
{
    mcl_options twice = *at->options;
    twice.passes = 2;
    return mcl_set_intersection(at->queue, from(at, 0), from(at, 1), to(at, 2, COUNT), at->element->before,
                                mcl_to_nowhere(), &twice);
}

/* What the kinds of join differ in: rows of b alone, of a alone, both, no pairs; and whether tiles wait. */
static mcl_status call_join(const bench *at, mcl_join_kind kind, int passes)
{
    mcl_options options = *at->options;
    options.passes = passes;
    return mcl_join(at->queue, kind, from(at, 0), from(at, 1), mcl_to_buffer(MCL_INT32, at->buffers[2], 0, 2 * COUNT),
                    mcl_to_buffer(MCL_INT32, at->buffers[3], 0, 2 * COUNT), at->element->before, mcl_to_nowhere(),
                    &options);
}

/* A side goes through the sort as one number, or as it is; the other side follows its order. */
static mcl_status call_join_columns(const bench *at)
{
    const mcl_join_column of_a[] = { { numbers(at, 1), mcl_to_buffer(MCL_INT32, at->buffers[2], 0, COUNT), NULL },
                                     { mcl_from_buffer(MCL_INT16, at->buffers[1], 0, COUNT),
                                       mcl_to_buffer(MCL_INT16, at->buffers[3], 0, COUNT), NULL } };
    const mcl_join_column of_b[] = { { from(at, 0), to(at, 4, COUNT), NULL } };
    mcl_options digits = *at->options;
    if (is_float(at)) return MCL_OK;
    digits.sort_method = MCL_SORT_RADIX; /* of many keys */
    return mcl_join_columns(at->queue, MCL_JOIN_OUTER, numbers(at, 0), numbers(at, 1), of_a, 2, of_b, 1,
                            (mcl_output){ 0 }, MCL_LESS, count_slot(at), &digits);
}

static mcl_status call_join_inner(const bench *at)
{
    return call_join(at, MCL_JOIN_INNER, 0);
}

static mcl_status call_join_outer(const bench *at)
{
    return call_join(at, MCL_JOIN_OUTER, 0);
}

static mcl_status call_join_right_twice(const bench *at)
{
    return call_join(at, MCL_JOIN_RIGHT, 2);
}

static mcl_status call_join_anti(const bench *at)
{
    return call_join(at, MCL_JOIN_ANTI, 0);
}

static mcl_output numbers_to(const bench *at, int buffer)
{
    return mcl_to_buffer(MCL_INT32, at->buffers[buffer], 0, COUNT);
}

static mcl_status call_search_needles(const bench *at)
{
    return mcl_sorted_search_needles(at->queue, from(at, 0), from(at, 1), MCL_LOWER, numbers_to(at, 2),
                                     at->element->before, at->options);
}

static mcl_status call_search_both(const bench *at)
{
    return mcl_sorted_search(at->queue, from(at, 0), from(at, 1), MCL_LOWER,
                             mcl_found_index_matches(numbers_to(at, 2), mcl_to_slot(MCL_INT64, at->buffers[3], 0)),
                             mcl_found_index_matches(numbers_to(at, 4), mcl_to_slot(MCL_INT64, at->buffers[3], 1)),
                             at->element->before, at->options);
}

static mcl_status call_equality_count(const bench *at)
{
    return mcl_equality_count(at->queue, from(at, 0), from(at, 1), numbers(at, 3), numbers_to(at, 2),
                              at->element->before, MCL_LEFT_JOIN, at->options);
}

static mcl_status call_load_balance(const bench *at)
{
    return mcl_load_balance_search(at->queue, mcl_work_items(COUNT), numbers(at, 0), numbers_to(at, 1),
                                   numbers_to(at, 2), at->options);
}

static mcl_status call_transform_balanced(const bench *at)
{
    const mcl_binding binding = mcl_binding_buffer("values", at->element->type, at->buffers[2], 0);
    const mcl_input item = mcl_from_expression(at->element->type, "values[object + rank]", NULL, &binding, 1, COUNT);
    return mcl_transform_load_balanced(at->queue, item, numbers(at, 0), to(at, 1, COUNT), at->options);
}

static mcl_status call_interval_expand(const bench *at)
{
    return mcl_interval_expand(at->queue, mcl_work_items(COUNT), from(at, 0), numbers(at, 1), to(at, 2, COUNT),
                               at->options);
}

static mcl_status call_interval_move(const bench *at)
{
    return mcl_interval_move(at->queue, mcl_work_items(COUNT), from(at, 0), numbers(at, 1), numbers(at, 3),
                             numbers(at, 4), to(at, 2, COUNT), at->options);
}

/* With the programs that put intervals in order. */
static mcl_status call_interval_order(const bench *at)
{
    mcl__limits *const limits = &at->queue->context->limits;
    const int earlier = limits->interval_order;
    limits->interval_order = MCL__ORDER_ALWAYS;
    const mcl_status status = call_interval_move(at);
    limits->interval_order = earlier;
    return status;
}

static mcl_status call_interval_gather(const bench *at)
{
    return mcl_interval_gather(at->queue, mcl_work_items(COUNT), from(at, 0), numbers(at, 1), numbers(at, 4),
                               to(at, 2, COUNT), at->options);
}

#define SEGMENTED(name, ...)                                                                                           \
    static mcl_status call_segmented_##name(const bench *at)                                                           \
    {                                                                                                                  \
        const mcl_output out = mcl_to_buffer(folded(at), at->buffers[2], 0, COUNT);                                    \
        const mcl_result count = mcl_to_slot(MCL_INT64, at->buffers[3], 0);                                            \
        (void)count;                                                                                                   \
        return __VA_ARGS__;                                                                                            \
    }
#define REDUCE_BY(segments)                                                                                            \
    mcl_segmented_reduce(at->queue, from(at, 0), segments, out, at->element->add, count, at->options)
#define SCAN_BY(segments)                                                                                              \
    mcl_segmented_scan(at->queue, from(at, 0), segments, out, at->element->add, MCL_INCLUSIVE, at->options)
SEGMENTED(reduce, REDUCE_BY(mcl_segments_from_offsets(numbers(at, 1))))
SEGMENTED(reduce_begins, REDUCE_BY(mcl_segments_from_begins(numbers(at, 1))))
SEGMENTED(reduce_flags, REDUCE_BY(mcl_segments_from_flags(mcl_from_buffer(MCL_UINT32, at->buffers[1], 0, COUNT))))
SEGMENTED(scan, SCAN_BY(mcl_segments_from_offsets(numbers(at, 1))))
SEGMENTED(scan_indices, SCAN_BY(mcl_segments_from_indices(numbers(at, 1))))

static mcl_status call_reduce_by_key(const bench *at)
{
    return mcl_reduce_by_key(at->queue, numbers(at, 1), from(at, 0), mcl_to_buffer(MCL_INT32, at->buffers[2], 0, COUNT),
                             mcl_to_buffer(folded(at), at->buffers[4], 0, COUNT), at->element->add, NULL,
                             mcl_to_slot(MCL_INT64, at->buffers[3], 0), at->options);
}

static mcl_status call_scan_by_key(const bench *at)
{
    return mcl_scan_by_key(at->queue, numbers(at, 1), from(at, 0), mcl_to_buffer(folded(at), at->buffers[2], 0, COUNT),
                           at->element->add, NULL, MCL_EXCLUSIVE, at->options);
}

const fake_call fake_calls[] = {
    { "transform", call_transform },
    { "example-bfs", call_bfs },
    { "example-filter-scan", call_filter_scan },
    { "example-merge-unique", call_merge_unique },
    { "splitter-ranks", call_splitter_ranks },
    { "scatter", call_scatter },
    { "scatter-flagged", call_scatter_flagged },
    { "random", call_random },
    { "reduce", call_reduce },
    { "scan-exclusive", call_scan_exclusive },
    { "scan-inclusive", call_scan_inclusive },
    { "compact", call_compact },
    { "find-if", call_find_if },
    { "compact-columns", call_compact_columns },
    { "compact-unordered", call_compact_unordered },
    { "compact-flagged", call_compact_flagged },
    { "partition-two", call_partition_two },
    { "partition-columns", call_partition_columns },
    { "partition-three", call_partition_three },
    { "unique-by-key", call_unique_by_key },
    { "run-lengths", call_run_lengths },
    { "bulk-remove", call_bulk_remove },
    { "bulk-insert", call_bulk_insert },
    { "merge", call_merge },
    { "merge-pairs", call_merge_pairs },
    { "sort", call_sort },
    { "sort-pairs", call_sort_pairs },
    { "sort-indices", call_sort_indices },
    { "sort-columns", call_sort_columns },
    { "cuts", call_cuts },
    { "multisplit-8", call_multisplit_8 },
    { "multisplit-256", call_multisplit_256 },
    { "multisplit-pairs-8", call_multisplit_pairs_8 },
    { "multisplit-pairs-256", call_multisplit_pairs_256 },
    { "radix-sort", call_radix_sort_keys },
    { "radix-sort-pairs", call_radix_sort_pairs },
    { "search-needles", call_search_needles },
    { "search-both", call_search_both },
    { "equality-count", call_equality_count },
    { "load-balance", call_load_balance },
    { "transform-balanced", call_transform_balanced },
    { "interval-expand", call_interval_expand },
    { "interval-move", call_interval_move },
    { "interval-order", call_interval_order },
    { "interval-gather", call_interval_gather },
    { "set-symmetric-difference", call_set_symmetric_difference },
    { "set-union-pairs", call_set_union_pairs },
    { "set-difference-pairs", call_set_difference_pairs },
    { "set-intersection-two-pass", call_set_intersection_twice },
    { "join-inner", call_join_inner },
    { "join-outer", call_join_outer },
    { "join-right-two-pass", call_join_right_twice },
    { "join-anti", call_join_anti },
    { "join-columns", call_join_columns },
    { "segmented-sort", call_segmented_sort },
    { "segmented-sort-unstable", call_segmented_sort_unstable },
    { "segmented-sort-pairs", call_segmented_sort_pairs },
    { "segmented-sort-indices", call_segmented_sort_indices },
    { "segmented-sort-rows", call_segmented_sort_rows },
    { "segmented-sort-rows-indices", call_segmented_sort_rows_indices },
    { "segmented-sort-rows-short", call_segmented_sort_rows_short },
    { "segmented-sort-rows-by-digits", call_segmented_sort_rows_by_digits },
    { "locality-sort", call_locality_sort },
    { "locality-sort-pairs", call_locality_sort_pairs },
    { "segmented-reduce", call_segmented_reduce },
    { "segmented-reduce-begins", call_segmented_reduce_begins },
    { "segmented-reduce-flags", call_segmented_reduce_flags },
    { "segmented-scan", call_segmented_scan },
    { "segmented-scan-indices", call_segmented_scan_indices },
    { "reduce-by-key", call_reduce_by_key },
    { "scan-by-key", call_scan_by_key },
    { "histogram", call_histogram },
    { "top_k", call_top_k },
    { "segmented-top_k", call_segmented_top_k },
    { "group_by", call_group_by },
    { "segmented-nth", call_segmented_nth },
    { "map-insert", call_map_insert },
    { "map-set", call_map_set },
    { "map-assign", call_map_assign },
    { "map-apply", call_map_apply },
    { "map-find", call_map_find },
    { "map-erase", call_map_erase },
    { "map-retrieve", call_map_retrieve },
    { "multimap", call_multimap },
};
const int fake_call_count = sizeof fake_calls / sizeof fake_calls[0];
