/* rows.c: what is measured of the operations that the tests know too: an operation, and how its inputs are spread. */
#include "bench.h"

#define ROW(row, operation_, ...)                                                                                      \
    const bench_op bench_op_##row = { .name = #row,                                                                    \
                                      .operation = &operation_##_case,                                                 \
                                      .reference = bench_operation_expect,                                             \
                                      .bytes = bench_operation_bytes,                                                  \
                                      .run = bench_operation_run,                                                      \
                                      __VA_ARGS__ };

#define NUMBERS "int32 int64 float32 float64 uint32 uint64"

/* ---- one pass over the elements --------------------------------------------------------------------------------- */

ROW(copy, transform, .recorded = "memcpy_d2d", .tuning = "transform", .prepare = bench_uniform)

ROW(select_if_50, compact, .recorded = "select_if_50 copy_if_50 transform_compact_50", .tuning = "compact",
    .variant = { .kind = COMPACT }, .takes_result = 1, .prepare = bench_uniform)
ROW(select_flagged_50, compact, .tuning = "compact", .variant = { .kind = COMPACT_FLAGGED }, .takes_result = 1,
    .prepare = bench_uniform_flags)
ROW(partition_if_50, compact, .tuning = "compact", .variant = { .kind = PARTITION }, .takes_result = 1,
    .prepare = bench_uniform)

#define BULK(percent)                                                                                                  \
    ROW(bulk_remove_##percent, bulk, .tuning = "bulk_remove", .share = (percent),                                      \
        .variant = { .value = &element_int32, .kind = BULK_REMOVE }, .prepare = bench_removed)                         \
    ROW(bulk_insert_##percent, bulk, .tuning = "bulk_insert", .share = (percent),                                      \
        .variant = { .value = &element_int32, .kind = BULK_INSERT }, .prepare = bench_inserted)
BULK(1)
BULK(10)
BULK(25)
BULK(50)
BULK(75)

/* ---- two sorted inputs ------------------------------------------------------------------------------------------ */

ROW(merge_keys, merge, .tuning = "merge", .prepare = bench_sorted_parts)
ROW(merge_pairs, merge, .tuning = "merge_pairs", .has_values = 1, .prepare = bench_sorted_parts)

#define SEARCH(row, ...)                                                                                               \
    ROW(sorted_search_##row, sorted_search, .tuning = "sorted_search",                                                 \
        .variant = { .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = SEARCH_NEEDLES }, __VA_ARGS__)
SEARCH(lower_25_75, .share = 25, .prepare = bench_sorted_parts)
SEARCH(lower_50_50, .prepare = bench_sorted_parts)
SEARCH(lower_n_n, .prepare = bench_sorted_wholes)
ROW(sorted_search_complete_50_50, sorted_search, .tuning = "sorted_search",
    .variant = { .value = &element_int32, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_INDEX_MATCH },
    .prepare = bench_sorted_parts)

#define SET(operation_, kind_)                                                                                         \
    ROW(set_##operation_, sets, .types = NUMBERS, .recorded = "set_" #operation_ " multiset_" #operation_,             \
        .tuning = "sets", .variant = { .kind = (kind_) }, .prepare = bench_sorted_parts_half)                          \
    ROW(set_##operation_##_pairs, sets, .types = NUMBERS, .tuning = "sets_pairs", .has_values = 1,                     \
        .recorded = "set_" #operation_ "_by_key multiset_" #operation_ "_pairs", .variant = { .kind = (kind_) },       \
        .prepare = bench_sorted_parts_half)
SET(intersection, SET_INTERSECTION)
SET(union, SET_UNION)
SET(difference, SET_DIFFERENCE)
SET(symmetric_difference, SET_SYMMETRIC_DIFFERENCE)

/* Floats below n / 2 are too few: keys would repeat more often than those of other types. */
#define JOIN(ending, kind_, recorded_)                                                                                 \
    ROW(join_##ending, join, .types = "int32 int64 float64 uint32 uint64", .recorded = (recorded_), .tuning = "join",  \
        .variant = { .kind = (kind_) }, .prepare = bench_sorted_parts_half)
JOIN(inner, MCL_JOIN_INNER, "join_inner inner_join inner_join_idiom")
JOIN(left, MCL_JOIN_LEFT, "join_left")
JOIN(right, MCL_JOIN_RIGHT, "join_right")
JOIN(outer, MCL_JOIN_OUTER, "join_outer")

/* ---- sorts ------------------------------------------------------------------------------------------------------ */

static size_t wider_bytes(const bench_type *type)
{
    const size_t key = type->element->type->size;
    const size_t value = type->value->type->size;
    return key > value ? key : value;
}

ROW(mergesort_keys, sort, .tuning = "sort", .variant = { .sort_method = MCL_SORT_MERGE }, .prepare = bench_uniform)
ROW(mergesort_pairs, sort, .tuning = "sort_pairs", .has_values = 1, .variant = { .sort_method = MCL_SORT_MERGE },
    .prepare = bench_uniform)
ROW(radixsort_keys, sort, .types = NUMBERS " int8", .tuning = "radix_sort",
    .variant = { .sort_method = MCL_SORT_RADIX }, .prepare = bench_uniform)
ROW(radixsort_pairs, sort, .types = NUMBERS " int8", .tuning = "radix_sort_pairs", .tile_bytes = wider_bytes,
    .has_values = 1, .variant = { .sort_method = MCL_SORT_RADIX }, .prepare = bench_uniform)
/* Recorded peers have no rows of their own for the library's choice: the fastest of them sort by digits. */
ROW(sort_keys, sort, .recorded = "radixsort_keys", .tuning = "sort", .prepare = bench_uniform)
ROW(sort_pairs, sort, .recorded = "radixsort_pairs", .tuning = "sort_pairs", .has_values = 1, .prepare = bench_uniform)

#define SEGSORT(mean)                                                                                                  \
    ROW(segsort_keys_avg##mean, segmented_sort, .tuning = "segmented_sort", .variant = { .length = (mean) },           \
        .prepare = bench_uniform_segments)                                                                             \
    ROW(segsort_pairs_avg##mean, segmented_sort, .tuning = "segmented_sort_pairs", .has_values = 1,                    \
        .variant = { .length = (mean) }, .prepare = bench_uniform_segments)
SEGSORT(10)
SEGSORT(100)
SEGSORT(1000)
SEGSORT(100000)

ROW(localitysort_keys, locality_sort, .tuning = "locality_sort", .prepare = bench_uniform)
ROW(localitysort_pairs, locality_sort, .tuning = "locality_sort_pairs", .has_values = 1, .prepare = bench_uniform)
ROW(localitysort_keys_local, locality_sort, .types = NUMBERS, .tuning = "locality_sort", .prepare = bench_nearly_sorted)
ROW(localitysort_pairs_local, locality_sort, .types = NUMBERS, .tuning = "locality_sort_pairs", .has_values = 1,
    .prepare = bench_nearly_sorted)

/* ---- folds ------------------------------------------------------------------------------------------------------ */

static const fold *sum_of(const bench_type *type)
{
    return type->sum;
}
static const fold *max_index_of(const bench_type *type)
{
    return type->max_index;
}
static const fold *max_pair_of(const bench_type *type)
{
    return type->max_pair;
}

/* Tiles are chosen by the accumulator: an element with its index. */
static size_t pair_bytes(const bench_type *type)
{
    return type->max_index->value->type->size;
}

ROW(reduce_sum, reduce, .tuning = "reduce", .fold = sum_of, .takes_result = 1, .prepare = bench_uniform)
ROW(exclusive_scan_sum, scan, .tuning = "scan", .fold = sum_of, .prepare = bench_uniform)
/* The recorded scan_maxindex moves pairs both ways: it belongs to scan_maxpair. */
ROW(scan_maxindex, scan, .types = NUMBERS " int8", .recorded = "", .tuning = "scan", .tile_bytes = pair_bytes,
    .fold = max_index_of, .variant = { .kind = MCL_INCLUSIVE }, .prepare = bench_uniform)
ROW(scan_maxpair, scan, .types = NUMBERS, .recorded = "scan_maxindex", .tuning = "scan", .tile_bytes = pair_bytes,
    .fold = max_pair_of, .variant = { .kind = MCL_INCLUSIVE }, .prepare = bench_uniform_pairs)

#define SEGREDUCE(mean)                                                                                                \
    ROW(segreduce_sum_avg##mean, segmented_reduce, .types = NUMBERS " struct12", .tuning = "segmented_reduce",         \
        .fold = sum_of, .variant = { .length = (mean) }, .seed = 12, .prepare = bench_uniform_in_offsets)
SEGREDUCE(10)
SEGREDUCE(100)
SEGREDUCE(1000)
SEGREDUCE(100000)
ROW(segscan_sum_avg100, segmented_scan, .types = NUMBERS, .tuning = "segmented_scan", .fold = sum_of,
    .variant = { .length = 100, .kind = MCL_INCLUSIVE }, .seed = 14, .prepare = bench_uniform_in_offsets)

#define REDUCE_BY_KEY(mean)                                                                                            \
    ROW(reduce_by_key_avg##mean, reduce_by_key, .types = NUMBERS " struct12", .tuning = "reduce_by_key",               \
        .fold = sum_of, .variant = { .length = (mean) }, .takes_result = 1, .seed = 10,                                \
        .prepare = bench_uniform_in_runs)
REDUCE_BY_KEY(10)
REDUCE_BY_KEY(1000)
ROW(scan_by_key_avg100, scan_by_key, .types = NUMBERS, .tuning = "scan_by_key", .fold = sum_of,
    .variant = { .length = 100, .kind = MCL_INCLUSIVE }, .seed = 16, .prepare = bench_uniform_in_runs)

/* ---- objects and intervals -------------------------------------------------------------------------------------- */

#define BALANCE(ending, mean, half)                                                                                    \
    ROW(load_balance_search_##ending, load_balance, .types = "int32", .tuning = "load_balance", .has_half = (half),    \
        .variant = { .value = &element_int32, .length = (mean) }, .prepare = bench_objects)
BALANCE(avg10, 10, 0)
BALANCE(avg25, 25, 0)
BALANCE(avg100, 100, 0)
BALANCE(avg1000, 1000, 0)
BALANCE(half, 25, 1)

#define INTERVAL(row, form_, mean, half, recorded_)                                                                    \
    ROW(interval_##row, interval, .recorded = (recorded_), .tuning = "interval", .has_half = (half),                   \
        .variant = { .value = &element_int32, .form = (form_), .length = (mean) }, .prepare = bench_intervals)
#define EXPAND(ending, mean, half)                                                                                     \
    INTERVAL(expand_##ending, INTERVAL_EXPAND, mean, half, "interval_expand_" #ending " expand_copy_batched_" #ending)
#define MOVE(kind, form_, ending, mean, half)                                                                          \
    INTERVAL(kind##_##ending, form_, mean, half,                                                                       \
             "interval_move_" #ending " copy_batched_" #ending " memcpy_batched_" #ending)
EXPAND(avg25, 25, 0)
EXPAND(avg100, 100, 0)
EXPAND(avg1000, 1000, 0)
EXPAND(half, 25, 1)
MOVE(move, INTERVAL_MOVE, avg25, 25, 0)
MOVE(move, INTERVAL_MOVE, avg100, 100, 0)
MOVE(move, INTERVAL_MOVE, avg1000, 1000, 0)
MOVE(move, INTERVAL_MOVE, half, 25, 1)
MOVE(gather, INTERVAL_GATHER, avg25, 25, 0)
MOVE(gather, INTERVAL_GATHER, avg100, 100, 0)
MOVE(gather, INTERVAL_GATHER, avg1000, 1000, 0)
MOVE(scatter, INTERVAL_SCATTER, avg25, 25, 0)
MOVE(scatter, INTERVAL_SCATTER, avg100, 100, 0)
MOVE(scatter, INTERVAL_SCATTER, avg1000, 1000, 0)
