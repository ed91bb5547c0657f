/* rows.c: the rows that are measured, in the order of --list. A row of an operation that the tests know gives only the
 * distribution of its inputs. The other rows exist in the bench alone. */
#include "bench.h"

#include <string.h>

#define NUMBERS "int32 int64 float32 float64 uint32 uint64"

#define ROW_RUN(row, operation_, run_, ...)                                                                            \
    &(const bench_op)                                                                                                  \
    {                                                                                                                  \
        .name = (row), .operation = &operation_##_case, .reference = bench_operation_expect,                           \
        .bytes = bench_operation_bytes, .run = (run_), __VA_ARGS__                                                     \
    }
#define ROW(row, operation_, ...) ROW_RUN(row, operation_, bench_operation_run, __VA_ARGS__)

/* ---- what types choose ------------------------------------------------------------------------------------------ */

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

static const fold *widened_of(const bench_type *type)
{
    (void)type;
    return &fold_widened_int32;
}

/* Returns the bytes by which tiles are chosen: the size of the accumulator, which is an element with its index. */
static size_t pair_bytes(const bench_type *type)
{
    return type->max_index->value->type->size;
}

static size_t wider_bytes(const bench_type *type)
{
    const size_t key = type->element->type->size;
    const size_t value = type->value->type->size;
    return key > value ? key : value;
}

/* ---- rows of a family ------------------------------------------------------------------------------------------- */

#define SORT(row, tuning_, method, ...)                                                                                \
    ROW(row, sort, .tuning = tuning_, .variant = { .sort_method = (method) }, .prepare = bench_uniform, __VA_ARGS__)

#define SEARCH(ending, ...)                                                                                            \
    ROW("sorted_search_" ending, sorted_search, .tuning = "sorted_search",                                             \
        .variant = { .value = &element_int32, .a_find = MCL_FIND_INDEX, .form = SEARCH_NEEDLES }, __VA_ARGS__)

/* Rows of load balancing. ending: last part of the name; mean: work units of an object; half: 1 where one object has
 * half of all work units. */
#define BALANCE(ending, mean, half)                                                                                    \
    ROW("load_balance_search_" ending, load_balance, .types = "int32", .tuning = "load_balance", .has_half = (half),   \
        .variant = { .value = &element_int32, .length = (mean) }, .prepare = bench_objects)
#define INTERVAL(row, recorded_, form_, mean, half)                                                                    \
    ROW(row, interval, .recorded = (recorded_), .tuning = "interval", .has_half = (half),                              \
        .variant = { .value = &element_int32, .form = (form_), .length = (mean) }, .prepare = bench_intervals)
#define EXPAND(ending, mean, half)                                                                                     \
    INTERVAL("interval_expand_" ending, "interval_expand_" ending " expand_copy_batched_" ending, INTERVAL_EXPAND,     \
             mean, half)
#define EXPAND_BY_SCAN(row, mean)                                                                                      \
    ROW_RUN(row, interval, bench_expand_by_scan, .recorded = "", .tuning = "interval",                                 \
            .variant = { .value = &element_int32, .form = INTERVAL_EXPAND, .length = (mean) },                         \
            .prepare = bench_expand_by_scan_prepare)
#define MOVE(kind, form_, ending, mean, half)                                                                          \
    INTERVAL("interval_" kind "_" ending, "interval_move_" ending " copy_batched_" ending " memcpy_batched_" ending,   \
             form_, mean, half)

/* Rows of multisplit, which make offsets and counts too. */
#define SPLIT(ending, tuning_, buckets, form_, ...)                                                                    \
    ROW("multisplit_" ending, multisplit, .types = "uint32 int32 int64", .tuning = (tuning_),                          \
        .variant = { .index_element = &element_int32, .form = (form_), .length = (buckets) },                          \
        .prepare = bench_uniform, __VA_ARGS__)

/* Rows of bulk removal. The peers' rows have the same percentage in their names. */
#define REMOVE(percent)                                                                                                \
    ROW("bulk_remove_" #percent, bulk, .tuning = "bulk_remove", .share = (percent),                                    \
        .variant = { .value = &element_int32, .kind = BULK_REMOVE }, .prepare = bench_removed)
#define INSERT(percent)                                                                                                \
    ROW("bulk_insert_" #percent, bulk, .tuning = "bulk_insert", .share = (percent),                                    \
        .variant = { .value = &element_int32, .kind = BULK_INSERT }, .prepare = bench_inserted)

#define SET(kind_, name_)                                                                                              \
    ROW("set_" name_, sets, .types = NUMBERS, .recorded = "set_" name_ " multiset_" name_, .tuning = "sets",           \
        .variant = { .kind = (kind_) }, .prepare = bench_sorted_parts_half)
#define SET_PAIRS(kind_, name_)                                                                                        \
    ROW("set_" name_ "_pairs", sets, .types = NUMBERS, .recorded = "set_" name_ "_by_key multiset_" name_ "_pairs",    \
        .tuning = "sets_pairs", .has_values = 1, .variant = { .kind = (kind_) }, .prepare = bench_sorted_parts_half)

/* Rows of joins. float32 is left out: below n / 2 it has too few numbers, and keys would repeat more often than those
 * of other types. */
#define JOIN(kind_, row, recorded_)                                                                                    \
    ROW(row, join, .types = "int32 int64 float64 uint32 uint64", .recorded = (recorded_), .tuning = "join",            \
        .variant = { .kind = (kind_) }, .prepare = bench_sorted_parts_half)

/* Rows of joins of tables: keys of bench_tables, and two columns of 4 bytes on either side. The recorded peers have no
 * such rows. */
#define JOIN_TABLES(row, form_, small, by_clock_)                                                                      \
    ROW(row, join_columns, .types = "int32", .recorded = "", .tuning = "join", .by_clock = (by_clock_),                \
        .variant = { .kind = MCL_JOIN_INNER, .form = (form_), .length = (small) }, .prepare = bench_tables)

#define SEGSORT(mean)                                                                                                  \
    ROW("segsort_keys_avg" #mean, segmented_sort, .tuning = "segmented_sort", .variant = { .length = (mean) },         \
        .prepare = bench_uniform_segments)
#define SEGSORT_PAIRS(mean)                                                                                            \
    ROW("segsort_pairs_avg" #mean, segmented_sort, .tuning = "segmented_sort_pairs", .has_values = 1,                  \
        .variant = { .length = (mean) }, .prepare = bench_uniform_segments)
#define SORT_COLUMNS(ending, kind_)                                                                                    \
    ROW("sort_columns_" ending, sort_columns, .types = "int32", .tuning = "radix_sort_pairs",                          \
        .variant = { .kind = (kind_), .index_element = &element_int32 }, .prepare = bench_uniform_keys)
/* Rows of segmented sorts of one length: their keys, and their order as indices. */
#define SEGSORT_ROWS(length_)                                                                                          \
    ROW("segsort_rows_" #length_, segmented_sort, .types = NUMBERS, .tuning = "segmented_sort",                        \
        .variant = { .form = SEGMENTED_ROWS, .length = (length_) }, .prepare = bench_uniform_rows)
#define ARGSORT_ROWS(length_)                                                                                          \
    ROW("argsort_rows_" #length_, segmented_sort, .types = NUMBERS, .tuning = "segmented_sort_pairs",                  \
        .variant = { .form = SEGMENTED_INDICES | SEGMENTED_DROPS_KEYS | SEGMENTED_ROWS,                                \
                     .index_element = &element_int32,                                                                  \
                     .length = (length_) },                                                                            \
        .prepare = bench_uniform_rows)
#define LOCALITY(row, ...) ROW(row, locality_sort, .tuning = "locality_sort", __VA_ARGS__)
#define LOCALITY_PAIRS(row, ...) ROW(row, locality_sort, .tuning = "locality_sort_pairs", .has_values = 1, __VA_ARGS__)

#define SEGREDUCE(mean)                                                                                                \
    ROW("segreduce_sum_avg" #mean, segmented_reduce, .types = NUMBERS " struct12", .tuning = "segmented_reduce",       \
        .fold = sum_of, .variant = { .length = (mean) }, .seed = 12, .prepare = bench_uniform_in_offsets)
#define REDUCE_BY_KEY(mean)                                                                                            \
    ROW("reduce_by_key_avg" #mean, reduce_by_key, .types = NUMBERS " struct12", .tuning = "reduce_by_key",             \
        .fold = sum_of, .variant = { .length = (mean) }, .takes_result = 1, .seed = 10,                                \
        .prepare = bench_uniform_in_runs)

/* Rows of histograms, with even bins over all values of an element. */
#define HISTOGRAM(ending, bins, prepare_)                                                                              \
    ROW("histogram_" ending, histogram, .types = "int32 uint32", .tuning = "histogram",                                \
        .variant = { .value = &element_int32, .kind = HISTOGRAM_EVEN, .form = HISTOGRAM_WHOLE, .length = (bins) },     \
        .prepare = (prepare_))

#define TOP_K(ending, many, prepare_, ...)                                                                             \
    ROW("topk_" ending, top_k, .types = NUMBERS, .tuning = "top_k", .variant = { .kind = TOP_K, .length = (many) },    \
        .prepare = (prepare_), __VA_ARGS__)

#define TOP_K_OF_ROWS(columns, many)                                                                                   \
    ROW("topk_rows_" #columns "_k" #many, segmented_top_k, .types = NUMBERS, .tuning = "segmented_top_k",              \
        .variant = { .form = WITHOUT_COUNTS | TOP_K_ROWS, .length = (columns), .wanted = (many) },                     \
        .prepare = bench_uniform_rows)

/* Rows of group-by: random keys below groups; 64-bit sums of 32-bit values. */
#define GROUP_BY(ending, groups)                                                                                       \
    ROW("group_by_" ending, group_by, .types = "int32", .tuning = "group_by", .fold = widened_of,                      \
        .variant = { .kind = GROUP_BY, .length = (groups) }, .takes_result = 1, .prepare = bench_grouped)

/* ---- the rows --------------------------------------------------------------------------------------------------- */

const bench_op *const bench_ops[] = {
    ROW("copy", transform, .recorded = "memcpy_d2d", .tuning = "transform", .prepare = bench_uniform),
    ROW("find_if_none", find, .types = NUMBERS, .tuning = "find", .variant = { .kind = FIND_IF, .length = 1 },
        .takes_result = 1, .prepare = bench_uniform),
    ROW("reduce_sum", reduce, .tuning = "reduce", .fold = sum_of, .takes_result = 1, .prepare = bench_uniform),
    ROW("reduce_sum_deterministic", reduce, .types = "float32 float64", .recorded = "reduce_sum",
        .tuning = "scan_two_pass", .fold = sum_of, .variant = { .flags = MCL_DETERMINISTIC }, .takes_result = 1,
        .prepare = bench_uniform),
    ROW("reduce_sum_reproducible", reduce, .types = "float32 float64", .recorded = "reduce_sum",
        .tuning = "scan_two_pass", .fold = sum_of, .variant = { .flags = MCL_REPRODUCIBLE }, .takes_result = 1,
        .prepare = bench_uniform),
    ROW("count_if_50", find, .types = NUMBERS, .tuning = "reduce", .variant = { .kind = COUNT_IF }, .takes_result = 1,
        .prepare = bench_uniform),
    ROW("exclusive_scan_sum", scan, .tuning = "scan", .fold = sum_of, .prepare = bench_uniform),
    ROW("exclusive_scan_sum_deterministic", scan, .types = "float32 float64", .recorded = "exclusive_scan_sum",
        .tuning = "scan_two_pass", .fold = sum_of, .variant = { .flags = MCL_DETERMINISTIC }, .prepare = bench_uniform),
    ROW("exclusive_scan_sum_reproducible", scan, .types = "float32 float64", .recorded = "exclusive_scan_sum",
        .tuning = "scan_two_pass", .fold = sum_of, .variant = { .flags = MCL_REPRODUCIBLE }, .prepare = bench_uniform),
    /* The recorded scan_maxindex reads and writes pairs, so it belongs to scan_maxpair. */
    ROW("scan_maxindex", scan, .types = NUMBERS " int8", .recorded = "", .tuning = "scan", .tile_bytes = pair_bytes,
        .fold = max_index_of, .variant = { .kind = MCL_INCLUSIVE }, .prepare = bench_uniform),
    ROW("scan_maxpair", scan, .types = NUMBERS, .recorded = "scan_maxindex", .tuning = "scan", .tile_bytes = pair_bytes,
        .fold = max_pair_of, .variant = { .kind = MCL_INCLUSIVE }, .prepare = bench_uniform_pairs),
    ROW("merge_keys", merge, .tuning = "merge", .prepare = bench_sorted_parts),
    ROW("merge_pairs", merge, .tuning = "merge_pairs", .has_values = 1, .prepare = bench_sorted_parts),
    ROW("merge_runs_keys_8", merge_runs, .recorded = "", .variant = { .length = 8 }, .prepare = bench_sorted_runs),
    ROW("merge_runs_pairs_8", merge_runs, .recorded = "", .has_values = 1, .variant = { .length = 8 },
        .prepare = bench_sorted_runs),
    SORT("mergesort_keys", "sort", MCL_SORT_MERGE, .has_values = 0),
    SORT("mergesort_pairs", "sort_pairs", MCL_SORT_MERGE, .has_values = 1),
    SORT("radixsort_keys", "radix_sort", MCL_SORT_RADIX, .types = NUMBERS " int8 int16"),
    SORT("radixsort_pairs", "radix_sort_pairs", MCL_SORT_RADIX, .types = NUMBERS " int8", .tile_bytes = wider_bytes,
         .has_values = 1),
    /* Recorded peers have no rows for the library's choice of method. The fastest peers sort by digits. */
    SORT("sort_keys", "sort", MCL_SORT_AUTO, .types = NUMBERS " int8 int16 struct12", .recorded = "radixsort_keys"),
    SORT("sort_pairs", "sort_pairs", MCL_SORT_AUTO, .recorded = "radixsort_pairs", .has_values = 1),
    SEARCH("lower_25_75", .share = 25, .prepare = bench_sorted_parts),
    SEARCH("lower_50_50", .prepare = bench_sorted_parts),
    SEARCH("lower_n_n", .prepare = bench_sorted_wholes),
    ROW("sorted_search_complete_50_50", sorted_search, .tuning = "sorted_search",
        .variant = { .value = &element_int32, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_INDEX_MATCH },
        .prepare = bench_sorted_parts),
    BALANCE("avg10", 10, 0),
    BALANCE("avg25", 25, 0),
    BALANCE("avg100", 100, 0),
    BALANCE("avg1000", 1000, 0),
    BALANCE("half", 25, 1),
    EXPAND("avg25", 25, 0),
    EXPAND("avg100", 100, 0),
    EXPAND("avg1000", 1000, 0),
    EXPAND("half", 25, 1),
    EXPAND_BY_SCAN("interval_expand_by_scan_avg25", 25),
    EXPAND_BY_SCAN("interval_expand_by_scan_avg1000", 1000),
    MOVE("move", INTERVAL_MOVE, "avg25", 25, 0),
    MOVE("move", INTERVAL_MOVE, "avg100", 100, 0),
    MOVE("move", INTERVAL_MOVE, "avg1000", 1000, 0),
    MOVE("move", INTERVAL_MOVE, "half", 25, 1),
    MOVE("gather", INTERVAL_GATHER, "avg25", 25, 0),
    MOVE("gather", INTERVAL_GATHER, "avg100", 100, 0),
    MOVE("gather", INTERVAL_GATHER, "avg1000", 1000, 0),
    MOVE("scatter", INTERVAL_SCATTER, "avg25", 25, 0),
    MOVE("scatter", INTERVAL_SCATTER, "avg100", 100, 0),
    MOVE("scatter", INTERVAL_SCATTER, "avg1000", 1000, 0),
    ROW("select_if_50", compact, .recorded = "select_if_50 copy_if_50 transform_compact_50", .tuning = "compact",
        .variant = { .kind = COMPACT }, .takes_result = 1, .prepare = bench_uniform),
    ROW("select_flagged_50", compact, .tuning = "compact", .variant = { .kind = COMPACT_FLAGGED }, .takes_result = 1,
        .prepare = bench_uniform_flags),
    ROW("compact_pairs_50", compact, .tuning = "compact", .has_values = 1, .variant = { .kind = COMPACT_COLUMNS },
        .takes_result = 1, .prepare = bench_uniform),
    ROW("compact_columns_8_50", compact, .tuning = "compact", .has_values = 1,
        .variant = { .kind = COMPACT_COLUMNS, .length = 8 }, .takes_result = 1, .prepare = bench_uniform_columns),
    ROW("unique_avg10", compact, .types = "int32 int64", .tuning = "compact",
        .variant = { .kind = UNIQUE, .length = 10 }, .takes_result = 1, .seed = 17, .prepare = bench_runs),
    ROW("run_length_encode_avg10", compact, .types = "int32 int64", .tuning = "compact",
        .variant = { .kind = RUN_LENGTH_ENCODE, .value = &element_int32, .length = 10 }, .takes_result = 1, .seed = 17,
        .prepare = bench_runs),
    ROW("partition_if_50", compact, .tuning = "compact", .variant = { .kind = PARTITION }, .takes_result = 1,
        .prepare = bench_uniform),
    ROW("partition_pairs_50", compact, .tuning = "compact", .has_values = 1, .variant = { .kind = PARTITION_COLUMNS },
        .takes_result = 1, .prepare = bench_uniform),
    SPLIT("keys_8", "multisplit", 8, SPLIT_BY_LOW_BITS, .has_values = 0),
    SPLIT("keys_256", "multisplit_many", 256, SPLIT_BY_HIGH_BITS, .has_values = 0),
    SPLIT("pairs_8", "multisplit_pairs", 8, SPLIT_BY_LOW_BITS, .tile_bytes = wider_bytes, .has_values = 1),
    SPLIT("pairs_256", "multisplit_many_pairs", 256, SPLIT_BY_HIGH_BITS, .tile_bytes = wider_bytes, .has_values = 1),
    ROW("splitters_keys_8", splitters, .types = NUMBERS, .recorded = "",
        .variant = { .index_element = &element_int32, .length = 8 }, .prepare = bench_with_splitters),
    ROW("splitters_pairs_8", splitters, .types = NUMBERS, .recorded = "", .has_values = 1,
        .variant = { .index_element = &element_int32, .length = 8 }, .prepare = bench_with_splitters),
    REMOVE(1),
    REMOVE(10),
    REMOVE(25),
    REMOVE(50),
    REMOVE(75),
    INSERT(1),
    INSERT(10),
    INSERT(25),
    INSERT(50),
    INSERT(75),
    SET(SET_INTERSECTION, "intersection"),
    SET(SET_UNION, "union"),
    SET(SET_DIFFERENCE, "difference"),
    SET(SET_SYMMETRIC_DIFFERENCE, "symmetric_difference"),
    SET_PAIRS(SET_INTERSECTION, "intersection"),
    SET_PAIRS(SET_UNION, "union"),
    SET_PAIRS(SET_DIFFERENCE, "difference"),
    SET_PAIRS(SET_SYMMETRIC_DIFFERENCE, "symmetric_difference"),
    JOIN(MCL_JOIN_INNER, "join_inner", "join_inner inner_join inner_join_idiom"),
    JOIN(MCL_JOIN_LEFT, "join_left", "join_left"),
    JOIN(MCL_JOIN_RIGHT, "join_right", "join_right"),
    JOIN(MCL_JOIN_OUTER, "join_outer", "join_outer"),
    JOIN_TABLES("join_columns_inner", JOIN_COLUMNS, 0, 0),
    JOIN_TABLES("join_columns_1e4", JOIN_COLUMNS, 10000, 0),
    JOIN_TABLES("join_rows_gather", JOIN_ROWS_GATHER, 0, 1),
    SORT_COLUMNS("2", SORT_COLUMNS_TWO),
    SEGSORT(10),
    SEGSORT(100),
    SEGSORT(1000),
    SEGSORT(100000),
    SEGSORT_PAIRS(10),
    SEGSORT_PAIRS(100),
    SEGSORT_PAIRS(1000),
    SEGSORT_PAIRS(100000),
    SEGSORT_ROWS(8),
    SEGSORT_ROWS(64),
    SEGSORT_ROWS(1000),
    ARGSORT_ROWS(8),
    ARGSORT_ROWS(1000),
    ARGSORT_ROWS(100000),
    LOCALITY("localitysort_keys", .prepare = bench_uniform),
    LOCALITY_PAIRS("localitysort_pairs", .prepare = bench_uniform),
    LOCALITY("localitysort_keys_local", .types = NUMBERS, .prepare = bench_nearly_sorted),
    LOCALITY_PAIRS("localitysort_pairs_local", .types = NUMBERS, .prepare = bench_nearly_sorted),
    SEGREDUCE(10),
    SEGREDUCE(100),
    SEGREDUCE(1000),
    SEGREDUCE(100000),
    REDUCE_BY_KEY(10),
    REDUCE_BY_KEY(1000),
    ROW("segscan_sum_avg100", segmented_scan, .types = NUMBERS, .tuning = "segmented_scan", .fold = sum_of,
        .variant = { .length = 100, .kind = MCL_INCLUSIVE }, .seed = 14, .prepare = bench_uniform_in_offsets),
    ROW("scan_by_key_avg100", scan_by_key, .types = NUMBERS, .tuning = "scan_by_key", .fold = sum_of,
        .variant = { .length = 100, .kind = MCL_INCLUSIVE }, .seed = 16, .prepare = bench_uniform_in_runs),
    HISTOGRAM("256", 256, bench_uniform),
    HISTOGRAM("256_skewed", 256, bench_skewed),
    HISTOGRAM("4096", 4096, bench_uniform),
    HISTOGRAM("65536", 65536, bench_uniform),
    TOP_K("keys_k10", 10, bench_uniform, .has_values = 0),
    TOP_K("keys_k1000", 1000, bench_uniform, .has_values = 0),
    TOP_K("keys_skewed_k1000", 1000, bench_skewed, .has_values = 0),
    TOP_K("pairs_k1000", 1000, bench_uniform, .has_values = 1),
    TOP_K("pairs_k100000", 100000, bench_uniform, .has_values = 1),
    ROW("nth_element", top_k, .types = NUMBERS, .tuning = "top_k", .variant = { .kind = NTH_ELEMENT, .length = 1 },
        .takes_result = 1, .prepare = bench_uniform),
    ROW("nth_element_skewed", top_k, .types = NUMBERS, .tuning = "top_k",
        .variant = { .kind = NTH_ELEMENT, .length = 1 }, .takes_result = 1, .prepare = bench_skewed),
    ROW("topk_indices_k1000", top_k, .types = NUMBERS, .tuning = "top_k",
        .variant = { .kind = TOP_K_INDICES, .index_element = &element_int32, .length = 1000 },
        .prepare = bench_uniform),
    TOP_K_OF_ROWS(100000, 64),
    TOP_K_OF_ROWS(1000, 8),
    GROUP_BY("1e3", 1000),
    GROUP_BY("1e6", 1000000),
    ROW("distinct", group_by, .types = "int32", .tuning = "group_by",
        .variant = { .kind = DISTINCT, .length = 1000000 }, .takes_result = 1, .prepare = bench_grouped),
    ROW("median_rows_1000", segmented_top_k, .types = NUMBERS, .tuning = "top_k",
        .variant = { .kind = QUANTILE, .length = 1000, .wanted = 6 }, .prepare = bench_rows_with_half),
    ROW("nth_rows_1000", segmented_top_k, .types = NUMBERS, .tuning = "top_k",
        .variant = { .kind = NTH_ELEMENT, .length = 1000, .wanted = 500 }, .prepare = bench_uniform_rows),
    &bench_op_min_max,
    &bench_op_quartiles,
    &bench_op_shuffled,
    &bench_op_spmv_rmat,
    &bench_op_map_insert,
    &bench_op_map_find,
    &bench_op_map_find_half,
    &bench_op_map_insert_grow,
    &bench_op_map_insert_load_80,
    &bench_op_map_insert_load_90,
    &bench_op_map_insert_load_95,
    &bench_op_map_find_load_80,
    &bench_op_map_find_load_90,
    &bench_op_map_find_load_95,
    &bench_op_map_find_half_load_95,
    &bench_op_map_upsert,
    &bench_op_map_find_grown,
    &bench_op_map_retrieve_all,
    &bench_op_multimap_insert,
    &bench_op_multimap_insert_one_key,
    &bench_op_multimap_retrieve,
    &bench_op_multimap_retrieve_one_key,
    &bench_op_host_overhead,
    &bench_op_replay,
    &bench_op_bfs_rmat,
    &bench_op_first_result,
};
const int bench_op_count = sizeof bench_ops / sizeof *bench_ops;
_Static_assert(sizeof bench_ops / sizeof *bench_ops <= BENCH_LIST_MAX, "a run without --op lists all of them");

const bench_op *bench_op_find(const char *name)
{
    for (int k = 0; k < bench_op_count; k++)
        if (strcmp(bench_ops[k]->name, name) == 0) return bench_ops[k];
    return NULL;
}

const char *bench_op_name(int index)
{
    return index >= 0 && index < bench_op_count ? bench_ops[index]->name : NULL;
}
