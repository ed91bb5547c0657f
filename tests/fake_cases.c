/* fake_cases.c: the list of the calls of kernel_texts, and the calls that have no file of their own. A case makes a
 * call, or the call is written by hand. A case gets its operands by letters, which input_of and output_of read. */
#include "fake_backend.h"
#include "fake_calls.h"
#include "tuning/rows.h"

#include "cases/case.h"

#include <stdio.h>

/* ---- calls of cases --------------------------------------------------------------------------------------------- */

/* Returns 1 where a call on floats adds nothing, since moving elements is the same for integers and floats of one
 * size. */
static int is_float(const bench *at)
{
    return at->element->type->kind == MCL_KIND_FLOAT;
}

/* Returns the type of a fold's result: with MCL_MAX_INDEX the index. */
static const mcl_type *folded(const bench *at)
{
    return at->element->add == MCL_MAX_INDEX ? MCL_INT64 : at->element->type;
}

static mcl_result count_slot(const bench *at)
{
    return mcl_to_slot(MCL_INT64, at->buffers[5], 0);
}

/* Returns the input that a letter names: 0 to 5 for the elements of this buffer, a to f for its numbers. */
static mcl_input input_of(const bench *at, char letter, int length)
{
    mcl_input rows = integers(at, 0);

    switch (letter) {
    case 'r': /* rows of the variant's length; the count is the number of rows */
        rows.count = COUNT / length + 1;
        return rows;
    case 'u':
        return mcl_from_buffer(MCL_UINT32, at->buffers[1], 0, COUNT);
    case 'y':
        return mcl_from_buffer(MCL_UINT8, at->buffers[1], 0, COUNT);
    default:
        return letter >= 'a' ? integers(at, letter - 'a') : from(at, letter - '0');
    }
}

/* Returns the output that a letter names, as input_of does; A to F have the fold's type. */
static mcl_output output_of(const bench *at, char letter)
{
    const mcl_type *type = letter >= 'a' ? MCL_INT32 : letter >= 'A' ? folded(at) : at->element->type;
    const int buffer = letter - (letter >= 'a' ? 'a' : letter >= 'A' ? 'A' : '0');

    return letter == '-' ? (mcl_output){ 0 } : mcl_to_buffer(type, at->buffers[buffer], 0, (int64_t)2 * COUNT);
}

typedef enum result_place { NOWHERE, COUNTED, FOLDED } result_place;

/* Makes the call of a case. Where the variant has an element, a fold and a test, they are the bench's. */
static mcl_status by_case(const bench *at, const mcl_case *of, case_variant variant, const char *in, const char *out,
                          result_place result)
{
    const element kind = { .name = at->element->name, .type = at->element->type, .less = at->element->before };
    const fold sum = { .op = at->element->add };
    const case_test keep = { .op = *at->element->keep };
    case_operands operands = { .result = mcl_to_nowhere() };

    if (!variant.element) variant.element = &kind;
    variant.fold = &sum;
    variant.test = &keep;
    for (int k = 0; in[k]; ++k) operands.in[k] = input_of(at, in[k], variant.length);
    for (int k = 0; out[k]; ++k) operands.out[k] = output_of(at, out[k]);
    if (result == COUNTED) operands.result = count_slot(at);
    if (result == FOLDED) operands.result = mcl_to_slot(folded(at), at->buffers[5], 0);
    return case_call(of, &variant, COUNT, &operands, at->queue, at->options);
}

/* Makes the call of a case without an operator. An operation need not take each type. */
static mcl_status plain(const bench *at, const mcl_case *of)
{
    char in[5], out[3];
    snprintf(in, sizeof in, "%.*s", of->plain_inputs, "0134");
    snprintf(out, sizeof out, "%.*s", of->plain_outputs, "25");
    const mcl_status status = by_case(at, of, (case_variant){ .value = NULL }, in, out, NOWHERE);
    return status == MCL_ERROR_TYPE ? MCL_OK : status;
}
#define X(name)                                                                                                        \
    static mcl_status plain_##name(const bench *at)                                                                    \
    {                                                                                                                  \
        return plain(at, &name##_case);                                                                                \
    }
PLAIN_CASE_LIST(X)
#undef X

/* Makes call_NAME, which calls the case OF; further arguments are members of the variant. MOVE leaves floats out. */
#define CALL(name, of, in, out, result, ...)                                                                           \
    static mcl_status call_##name(const bench *at)                                                                     \
    {                                                                                                                  \
        return by_case(at, &of##_case, (case_variant){ __VA_ARGS__ }, in, out, result);                                \
    }
#define MOVE(name, of, in, out, result, ...)                                                                           \
    CALL(any_##name, of, in, out, result, __VA_ARGS__)                                                                 \
    static mcl_status call_##name(const bench *at)                                                                     \
    {                                                                                                                  \
        return is_float(at) ? MCL_OK : call_any_##name(at);                                                            \
    }
#define KEYS .value = NULL
#define PAIRS .value = &element_int32
#define OF_NUMBERS .element = &element_int32
#define PLACES_IN_SEGMENTS (SEGMENTED_INDICES | SEGMENTED_DROPS_KEYS | SEGMENTED_IN_SEGMENTS)

CALL(reduce, reduce, "0", "", FOLDED, KEYS)
CALL(scan_exclusive, scan, "0", "B", FOLDED, .kind = MCL_EXCLUSIVE)
CALL(scan_inclusive, scan, "0", "B", FOLDED, .kind = MCL_INCLUSIVE)
MOVE(compact, compact, "0", "1", COUNTED, .kind = COMPACT)
MOVE(compact_flagged, compact, "0y", "2", COUNTED, .kind = COMPACT_FLAGGED)
MOVE(partition_two, compact, "0", "12", COUNTED, .kind = PARTITION)
MOVE(partition_columns, compact, "02", "1-34", COUNTED, .kind = PARTITION_COLUMNS)
MOVE(partition_three, compact, "0", "123", COUNTED, .kind = PARTITION_THREE)
MOVE(bulk_remove, bulk, "0b", "2", NOWHERE, .kind = BULK_REMOVE)
MOVE(bulk_insert, bulk, "02b", "3", NOWHERE, .kind = BULK_INSERT)
CALL(merge_pairs, merge, "0134", "25", NOWHERE, PAIRS)
CALL(merge_runs, merge_runs, "0b", "2", NOWHERE, .length = 9)
CALL(merge_runs_pairs, merge_runs, "01b", "25", NOWHERE, PAIRS, .length = 9)
CALL(sort_pairs, sort, "01", "23", NOWHERE, PAIRS, .sort_method = MCL_SORT_MERGE)
CALL(sort_indices, sort, "0", "b", NOWHERE, .kind = SORT_INDICES, .sort_method = MCL_SORT_MERGE)
/* The two kernels of the group mapping that differ most: with values of both inputs, and with values of one. */
CALL(set_symmetric_difference, sets, "01", "2", NOWHERE, .kind = SET_SYMMETRIC_DIFFERENCE)
CALL(set_union_pairs, sets, "0134", "25", NOWHERE, .kind = SET_UNION, PAIRS)
CALL(set_difference_pairs, sets, "0134", "25", NOWHERE, .kind = SET_DIFFERENCE, PAIRS)
CALL(set_intersection_twice, sets, "01", "2", NOWHERE, .kind = SET_INTERSECTION, .passes = 2)
/* The kinds of joins that have different kernels: rows of b alone, of a alone, of both, no pairs; and tiles that wait
 * or do not. */
CALL(join_inner, join, "01", "cd", NOWHERE, .kind = MCL_JOIN_INNER)
CALL(join_outer, join, "01", "cd", NOWHERE, .kind = MCL_JOIN_OUTER)
CALL(join_right_twice, join, "01", "cd", NOWHERE, .kind = MCL_JOIN_RIGHT, .passes = 2)
CALL(join_anti, join, "01", "cd", NOWHERE, .kind = MCL_JOIN_ANTI)
CALL(search_needles, sorted_search, "01", "c", NOWHERE, .form = SEARCH_NEEDLES, .kind = MCL_LOWER)
CALL(equality_count, sorted_search, "01d", "c", NOWHERE, .form = SEARCH_EQUALITY)
CALL(load_balance, load_balance, "aa", "bc", NOWHERE, .form = BALANCE_BOTH)
CALL(interval_expand, interval, "bb0", "2", NOWHERE, .form = INTERVAL_EXPAND)
CALL(interval_move, interval, "eb0bd", "2", NOWHERE, .form = INTERVAL_MOVE)
CALL(interval_gather, interval, "eb0b", "2", NOWHERE, .form = INTERVAL_GATHER)
CALL(segmented_reduce, segmented_reduce, "0b", "C", COUNTED, .segments = MCL_SEGMENT_OFFSETS)
CALL(segmented_reduce_begins, segmented_reduce, "0b", "C", COUNTED, .segments = MCL_SEGMENT_BEGINS)
CALL(segmented_reduce_flags, segmented_reduce, "0u", "C", COUNTED, .segments = MCL_SEGMENT_FLAGS)
CALL(segmented_scan, segmented_scan, "0b", "C", NOWHERE, .segments = MCL_SEGMENT_OFFSETS, .kind = MCL_INCLUSIVE)
CALL(segmented_scan_indices, segmented_scan, "0b", "C", NOWHERE, .segments = MCL_SEGMENT_INDICES, .kind = MCL_INCLUSIVE)
CALL(reduce_by_key, reduce_by_key, "b0", "cE", COUNTED, OF_NUMBERS)
CALL(scan_by_key, scan_by_key, "b0", "C", NOWHERE, OF_NUMBERS, .kind = MCL_EXCLUSIVE)
CALL(rank_of_segments, segmented_top_k, "0d", "1", NOWHERE, .kind = NTH_ELEMENT, .segments = MCL_SEGMENT_BEGINS,
     .wanted = 1)
/* Calls segmented nth by a selection, and by a sort of all segments. */
static mcl_status call_segmented_nth(const bench *at)
{
    at->queue->context->tuning->parameters[MCL__PARAMETER_segmented_top_k_rank_sort_length] = 0;
    return call_rank_of_segments(at);
}
static mcl_status call_segmented_nth_sorted(const bench *at)
{
    at->queue->context->tuning->parameters[MCL__PARAMETER_segmented_top_k_rank_sort_length] = 1 << 24;
    return call_rank_of_segments(at);
}
CALL(segmented_sort, segmented_sort, "0d", "1", NOWHERE, KEYS)
CALL(segmented_sort_pairs, segmented_sort, "0d2", "14", NOWHERE, PAIRS)
CALL(segmented_sort_indices, segmented_sort, "0d", "b", NOWHERE, .form = PLACES_IN_SEGMENTS)
CALL(segmented_sort_rows_indices, segmented_sort, "0r", "b", NOWHERE, .form = PLACES_IN_SEGMENTS | SEGMENTED_ROWS,
     .length = 1000)
CALL(segmented_sort_rows_short, segmented_sort, "0r2", "14", NOWHERE, PAIRS, .form = SEGMENTED_ROWS, .length = 8)
CALL(segmented_sort_rows_by_digits, segmented_sort, "0r", "b", NOWHERE, .form = PLACES_IN_SEGMENTS | SEGMENTED_ROWS,
     .length = COUNT / 2)
CALL(locality_sort, locality_sort, "0", "1", NOWHERE, KEYS)
CALL(locality_sort_pairs, locality_sort, "02", "14", NOWHERE, PAIRS)

/* ---- calls by hand ---------------------------------------------------------------------------------------------- */

static mcl_status call_scatter(const bench *at)
{
    return mcl_scatter(at->queue, from(at, 0), integers(at, 1), to(at, 2, COUNT), at->options);
}

static mcl_status call_scatter_flagged(const bench *at)
{
    return mcl_scatter_flagged(at->queue, from(at, 0), integers(at, 1), integers(at, 3), to(at, 2, COUNT), at->options);
}

static mcl_status call_random(const bench *at)
{
    const double zeros[8] = { 0 };
    if (at->element->type->kind == MCL_KIND_STRUCT) return MCL_OK;
    return mcl_random(at->queue, to(at, 0, COUNT), 1, 0, zeros, zeros, at->options);
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

static mcl_status call_unique_by_key(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_unique_by_key(at->queue, from(at, 0), from(at, 1), to(at, 2, COUNT), to(at, 3, COUNT), at->element->same,
                             count_slot(at), at->options);
}

static mcl_status call_run_lengths(const bench *at)
{
    if (is_float(at)) return MCL_OK;
    return mcl_run_length_encode(at->queue, from(at, 0), to(at, 1, COUNT), integers_to(at, 2), at->element->same,
                                 count_slot(at), at->options);
}

static mcl_status call_cuts(const bench *at)
{
    const mcl_output out = integers_to(at, 2);
    const mcl_type *type = at->element->type;
    if (type->kind != MCL_KIND_STRUCT && type->kind != MCL_KIND_FLOAT)
        MCL__TRY(mcl_cut_search(at->queue, from(at, 0), COUNT, 1024, MCL_LOWER, out, at->options));
    MCL__TRY(mcl_cut_merge_path(at->queue, from(at, 0), from(at, 1), 1024, 0, MCL_LOWER, out, at->element->before,
                                at->options));
    return mcl_cut_balanced_path(at->queue, from(at, 0), from(at, 1), 1024, out, at->element->before, at->options);
}

/* Joins columns. One side goes through the sort as one number or as it is, and the other side follows its order. */
static mcl_status call_join_columns(const bench *at)
{
    const mcl_join_column of_a[] = { { integers(at, 1), integers_to(at, 2), NULL },
                                     { mcl_from_buffer(MCL_INT16, at->buffers[1], 0, COUNT),
                                       mcl_to_buffer(MCL_INT16, at->buffers[3], 0, COUNT), NULL } };
    const mcl_join_column of_b[] = { { from(at, 0), to(at, 4, COUNT), NULL } };
    mcl_options digits = *at->options;
    if (is_float(at)) return MCL_OK;
    digits.sort_method = MCL_SORT_RADIX; /* a sort of many keys */
    return mcl_join_columns(at->queue, MCL_JOIN_OUTER, integers(at, 0), integers(at, 1), of_a, 2, of_b, 1,
                            (mcl_output){ 0 }, MCL_LESS, count_slot(at), &digits);
}

static mcl_status call_join_any_order(const bench *at)
{
    mcl_options any = *at->options;
    any.flags |= MCL_UNORDERED;
    if (at->element->type->kind == MCL_KIND_STRUCT) return MCL_OK; /* sorts and a join, which others call */
    return mcl_join_unsorted(at->queue, MCL_JOIN_LEFT, from(at, 0), from(at, 1), integers_to(at, 2), integers_to(at, 4),
                             at->element->before, count_slot(at), &any);
}

static mcl_status call_search_both(const bench *at)
{
    return mcl_sorted_search(at->queue, from(at, 0), from(at, 1), MCL_LOWER,
                             mcl_found_index_matches(integers_to(at, 2), mcl_to_slot(MCL_INT64, at->buffers[3], 0)),
                             mcl_found_index_matches(integers_to(at, 4), mcl_to_slot(MCL_INT64, at->buffers[3], 1)),
                             at->element->before, at->options);
}

static mcl_status call_transform_balanced(const bench *at)
{
    const mcl_binding binding = mcl_binding_buffer("values", at->element->type, at->buffers[2], 0);
    const mcl_input item = mcl_from_expression(at->element->type, "values[object + rank]", NULL, &binding, 1, COUNT);
    return mcl_transform_load_balanced(at->queue, item, integers(at, 0), to(at, 1, COUNT), at->options);
}

/* Calls intervals with the programs that put them in order. */
static mcl_status call_interval_order(const bench *at)
{
    mcl__limits *const limits = &at->queue->context->limits;
    const int earlier = limits->interval_order;
    limits->interval_order = MCL__ORDER_ALWAYS;
    const mcl_status status = call_interval_move(at);
    limits->interval_order = earlier;
    return status;
}

/* clang-format off */
#define X(name) { #name, plain_##name },
const fake_call fake_calls[] = {
    PLAIN_CASE_LIST(X)
    { "example-bfs", call_bfs },
    { "example-filter-scan", call_filter_scan },
    { "example-merge-unique", call_merge_unique },
    { "bounds", call_bounds },
    { "key-regions", call_key_regions },
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
    { "merge-pairs", call_merge_pairs },
    { "merge-runs", call_merge_runs },
    { "merge-runs-pairs", call_merge_runs_pairs },
    { "sort", call_sort },
    { "sort-pairs", call_sort_pairs },
    { "sort-indices", call_sort_indices },
    { "sort-columns", call_sort_columns },
    { "cuts", call_cuts },
    { "multisplit-8", call_multisplit_8 },
    { "multisplit-256", call_multisplit_256 },
    { "multisplit-pairs-8", call_multisplit_pairs_8 },
    { "multisplit-pairs-256", call_multisplit_pairs_256 },
    { "samples", call_samples },
    { "splitters", call_splitters },
    { "splitters-8", call_splitters_7 },
    { "splitters-256", call_splitters_255 },
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
    { "join-any-order", call_join_any_order },
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
    { "segmented-nth-sorted", call_segmented_nth_sorted },
    { "map-insert", call_map_insert },
    { "map-set", call_map_set },
    { "map-assign", call_map_assign },
    { "map-apply", call_map_apply },
    { "map-find", call_map_find },
    { "map-erase", call_map_erase },
    { "map-retrieve", call_map_retrieve },
    { "multimap", call_multimap },
};
#undef X
/* clang-format on */
const int fake_call_count = sizeof fake_calls / sizeof fake_calls[0];
