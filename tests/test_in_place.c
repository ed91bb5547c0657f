/* test_in_place.c: outputs over memory that an input reads, for every pair of an input and an output of every call.
 * Either the call is refused and changes nothing, or it has the results of a call with separate memory. */
#include "support/arrays.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 600, ROOM = 8 * COUNT };

/* The memory that an output may replace: none, an array, or also an array where an expression reads only its own
 * element. REFUSED: no call allows it. */
typedef enum allowed { NEVER, ARRAY, ELEMENT, REFUSED } allowed;

/* The operands of a call. in reads the memory that out replaces. Other operands have separate memory. */
typedef struct operands {
    mcl_queue *queue;
    mcl_input in, other;
    mcl_output out, beside;
    mcl_result slot; /* element of out, as a result */
    mcl_map *map;
    mcl_multimap *multimap;
} operands;

static const mcl_op is_odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };
static const mcl_op is_two = { .role = MCL_ROLE_TEST, .expression = "x == 2" };
static const mcl_op is_one = { .role = MCL_ROLE_TEST, .expression = "i == 77" };
static const mcl_op by_five = { .role = MCL_ROLE_INDEX, .expression = "x % 5" };
static const mcl_op before_by_text = { .role = MCL_ROLE_ORDER, .expression = "p < q" };
static const int32_t missing = -1;
/* Elements lie in several tiles, so that one tile may store what another tile still has to read. */
static const mcl_options small_tiles = { .tile_items = 3 };

static mcl_column column(mcl_input in, mcl_output out)
{
    return (mcl_column){ in, out };
}

static mcl_partition_column split(mcl_input in, mcl_output out, mcl_output rejected)
{
    return (mcl_partition_column){ in, out, rejected };
}

static mcl_aggregate sum(mcl_input in, mcl_output out)
{
    return (mcl_aggregate){ in, MCL_ADD, out };
}

static mcl_join_column joined(mcl_input in, mcl_output out)
{
    return (mcl_join_column){ in, out, NULL };
}

/* Returns a short input, which serves as splitters. */
static mcl_input first_few(mcl_input input)
{
    input.count = 40;
    return input;
}

static mcl_segments offsets(mcl_input in)
{
    return mcl_segments_from_offsets(in);
}

static mcl_output bytes_of(mcl_output out)
{
    return mcl_to_buffer(MCL_UINT8, out.buffer, out.offset * 4, out.capacity);
}

#define NONE ((mcl_output){ 0 })
#define NOTHING ((mcl_input){ 0 })
#define NOWHERE mcl_to_nowhere()
#define WORK mcl_work_items(COUNT)
#define ROWS mcl_segments_from_rows(COUNT / 5, 5)
#define COLUMN(...)                                                                                                    \
    (mcl_column[])                                                                                                     \
    {                                                                                                                  \
        column(__VA_ARGS__)                                                                                            \
    }
#define MOVE(function, ...) function(o->queue, __VA_ARGS__, &small_tiles)

/* The calls as X(name, allowed, call). */
#define ELEMENT_CALLS(X)                                                                                               \
    X(transform, ELEMENT, MOVE(mcl_transform, IN, OUT))                                                                \
    X(scatter_values, NEVER, MOVE(mcl_scatter, IN, OTHER, OUT))                                                        \
    X(scatter_indices, NEVER, MOVE(mcl_scatter, OTHER, IN, OUT))                                                       \
    X(scatter_flags, NEVER, MOVE(mcl_scatter_flagged, OTHER, OTHER, IN, OUT))                                          \
    X(remove, NEVER, MOVE(mcl_bulk_remove, IN, FEW(OTHER), OUT))                                                       \
    X(remove_indices, NEVER, MOVE(mcl_bulk_remove, TWICE_AS_MANY, IN, OUT))                                            \
    X(insert, NEVER, MOVE(mcl_bulk_insert, IN, OTHER, OTHER, OUT))                                                     \
    X(insert_indices, NEVER, MOVE(mcl_bulk_insert, OTHER, IN, OTHER, OUT))                                             \
    X(insert_into, NEVER, MOVE(mcl_bulk_insert, OTHER, OTHER, IN, OUT))                                                \
    X(search_a, ELEMENT,                                                                                               \
      MOVE(mcl_sorted_search, IN, OTHER, MCL_LOWER, mcl_found_indices(OUT), mcl_found_nothing(), MCL_LESS))            \
    X(search_a_beside, ELEMENT,                                                                                        \
      MOVE(mcl_sorted_search, IN, OTHER, MCL_UPPER, mcl_found_indices(OUT), mcl_found_indices(BESIDE), MCL_LESS))      \
    X(search_b, ELEMENT,                                                                                               \
      MOVE(mcl_sorted_search, OTHER, IN, MCL_LOWER, mcl_found_nothing(), mcl_found_indices(OUT), MCL_LESS))            \
    X(search_other, NEVER,                                                                                             \
      MOVE(mcl_sorted_search, OTHER, IN, MCL_LOWER, mcl_found_indices(OUT), mcl_found_nothing(), MCL_LESS))            \
    X(search_matches, NEVER,                                                                                           \
      MOVE(mcl_sorted_search, IN, OTHER, MCL_LOWER, mcl_found_matches(OUT, NOWHERE), mcl_found_nothing(), MCL_LESS))   \
    X(search_counts, NEVER,                                                                                            \
      MOVE(mcl_sorted_search, IN, OTHER, MCL_LOWER, mcl_found_matches(NONE, SLOT), mcl_found_nothing(), MCL_LESS))     \
    X(needles_lower, ELEMENT, MOVE(mcl_sorted_search_needles, IN, OTHER, MCL_LOWER, OUT, MCL_LESS))                    \
    X(needles_upper, ELEMENT, MOVE(mcl_sorted_search_needles, IN, OTHER, MCL_UPPER, OUT, &before_by_text))             \
    X(haystack, NEVER, MOVE(mcl_sorted_search_needles, OTHER, IN, MCL_LOWER, OUT, MCL_LESS))                           \
    X(equality_bounds, ELEMENT, MOVE(mcl_equality_count, OTHER, OTHER, IN, OUT, MCL_LESS, MCL_EQUALITY))               \
    X(equality_needles, NEVER, MOVE(mcl_equality_count, IN, OTHER, OTHER, OUT, MCL_LESS, MCL_EQUALITY))                \
    X(equality_haystack, NEVER, MOVE(mcl_equality_count, OTHER, IN, OTHER, OUT, MCL_LESS, MCL_EQUALITY))

#define FOLD_CALLS(X)                                                                                                  \
    X(reduce, NEVER, MOVE(mcl_reduce, IN, MCL_ADD, SLOT))                                                              \
    X(reduce_same_bits, NEVER, mcl_reduce(o->queue, IN, MCL_ADD, SLOT, &(mcl_options){ .flags = MCL_REPRODUCIBLE }))   \
    X(min_max, NEVER, MOVE(mcl_min_max, IN, mcl_to_slot(MCL_INT32_RANGE, OUT.buffer, OUT.offset / 2)))                 \
    X(find_if, NEVER, MOVE(mcl_find_if, IN, &is_two, SLOT))                                                            \
    X(count_if, NEVER, MOVE(mcl_count_if, IN, &is_two, SLOT))                                                          \
    X(scan, ARRAY, MOVE(mcl_scan, IN, OUT, MCL_ADD, MCL_EXCLUSIVE, NOWHERE))                                           \
    X(scan_inclusive, ARRAY, MOVE(mcl_scan, IN, OUT, MCL_MAX, MCL_INCLUSIVE, NOWHERE))                                 \
    X(scan_total, NEVER, MOVE(mcl_scan, IN, BESIDE, MCL_ADD, MCL_EXCLUSIVE, SLOT))                                     \
    X(scan_by_key, ARRAY, MOVE(mcl_scan_by_key, OTHER, IN, OUT, MCL_ADD, NULL, MCL_EXCLUSIVE))                         \
    X(scan_by_key_keys, NEVER, MOVE(mcl_scan_by_key, IN, OTHER, OUT, MCL_ADD, NULL, MCL_INCLUSIVE))                    \
    X(reduce_by_key_keys, NEVER, MOVE(mcl_reduce_by_key, IN, OTHER, OUT, BESIDE, MCL_ADD, NULL, NOWHERE))              \
    X(reduce_by_key_cross, NEVER, MOVE(mcl_reduce_by_key, IN, OTHER, BESIDE, OUT, MCL_ADD, NULL, NOWHERE))             \
    X(reduce_by_key_values, NEVER, MOVE(mcl_reduce_by_key, OTHER, IN, BESIDE, OUT, MCL_ADD, NULL, NOWHERE))            \
    X(reduce_by_key_out_keys, NEVER, MOVE(mcl_reduce_by_key, OTHER, IN, OUT, BESIDE, MCL_ADD, NULL, NOWHERE))          \
    X(reduce_by_key_count, NEVER, MOVE(mcl_reduce_by_key, IN, OTHER, BESIDE, NONE, MCL_ADD, NULL, SLOT))               \
    X(segmented_reduce, NEVER, MOVE(mcl_segmented_reduce, IN, ROWS, OUT, MCL_ADD, NOWHERE))                            \
    X(segmented_reduce_count, NEVER, MOVE(mcl_segmented_reduce, IN, ROWS, BESIDE, MCL_ADD, SLOT))                      \
    X(segmented_reduce_by, NEVER, MOVE(mcl_segmented_reduce, OTHER, offsets(IN), OUT, MCL_ADD, NOWHERE))               \
    X(segmented_reduce_heads, NEVER,                                                                                   \
      MOVE(mcl_segmented_reduce, OTHER, mcl_segments_from_indices(IN), OUT, MCL_ADD, NOWHERE))                         \
    X(segmented_reduce_flags, NEVER,                                                                                   \
      MOVE(mcl_segmented_reduce, OTHER, mcl_segments_from_flags(IN), OUT, MCL_ADD, NOWHERE))                           \
    X(segmented_scan, ARRAY, MOVE(mcl_segmented_scan, IN, ROWS, OUT, MCL_ADD, MCL_EXCLUSIVE))                          \
    X(segmented_scan_by, NEVER, MOVE(mcl_segmented_scan, OTHER, offsets(IN), OUT, MCL_ADD, MCL_EXCLUSIVE))             \
    X(segmented_scan_heads, NEVER,                                                                                     \
      MOVE(mcl_segmented_scan, OTHER, mcl_segments_from_indices(IN), OUT, MCL_ADD, MCL_EXCLUSIVE))                     \
    X(group_by_keys, NEVER, MOVE(mcl_group_by, IN, OUT, NULL, 0, NOWHERE))                                             \
    X(group_by_count, NEVER, MOVE(mcl_group_by, IN, BESIDE, NULL, 0, SLOT))                                            \
    X(group_by_cross, NEVER, MOVE(mcl_group_by, IN, BESIDE, (mcl_aggregate[]){ sum(OTHER, OUT) }, 1, NOWHERE))         \
    X(group_by_values, NEVER, MOVE(mcl_group_by, OTHER, BESIDE, (mcl_aggregate[]){ sum(IN, OUT) }, 1, NOWHERE))        \
    X(group_by_out_keys, NEVER, MOVE(mcl_group_by, OTHER, OUT, (mcl_aggregate[]){ sum(IN, BESIDE) }, 1, NOWHERE))      \
    X(group_by_second, NEVER,                                                                                          \
      MOVE(mcl_group_by, OTHER, NONE, (mcl_aggregate[]){ sum(OTHER, OUT), sum(IN, BESIDE) }, 2, NOWHERE))              \
    X(distinct, NEVER, MOVE(mcl_distinct, IN, OUT, NOWHERE))                                                           \
    X(histogram, NEVER, MOVE(mcl_histogram, IN, &by_five, NULL, OUT))                                                  \
    X(histogram_weights, NEVER, MOVE(mcl_histogram, OTHER, &by_five, &IN, OUT))                                        \
    X(histogram_even, NEVER, MOVE(mcl_histogram_even, IN, 0, 64, NULL, OUT))                                           \
    X(histogram_even_weights, NEVER, MOVE(mcl_histogram_even, OTHER, 0, 64, &IN, OUT))                                 \
    X(histogram_range, NEVER, MOVE(mcl_histogram_range, IN, OTHER, NULL, SOME(OUT)))                                   \
    X(histogram_levels, NEVER, MOVE(mcl_histogram_range, OTHER, IN, NULL, SOME(OUT)))

#define SELECT_CALLS(X)                                                                                                \
    X(compact, ARRAY, MOVE(mcl_compact, IN, OUT, &is_odd, NOWHERE))                                                    \
    X(compact_count, NEVER, MOVE(mcl_compact, IN, BESIDE, &is_odd, SLOT))                                              \
    X(compact_any_order, ARRAY,                                                                                        \
      mcl_compact(o->queue, IN, OUT, &is_one, NOWHERE, &(mcl_options){ .flags = MCL_UNORDERED }))                      \
    X(compact_column, ARRAY, MOVE(mcl_compact_columns, OTHER, BESIDE, COLUMN(IN, OUT), 1, &is_odd, NOWHERE))           \
    X(compact_column_cross, NEVER, MOVE(mcl_compact_columns, IN, BESIDE, COLUMN(OTHER, OUT), 1, &is_odd, NOWHERE))     \
    X(compact_column_out, NEVER, MOVE(mcl_compact_columns, OTHER, OUT, COLUMN(IN, BESIDE), 1, &is_odd, NOWHERE))       \
    X(compact_fifth, ARRAY,                                                                                            \
      MOVE(mcl_compact_columns, OTHER, NONE,                                                                           \
           (mcl_column[]){ column(OTHER, NONE), column(OTHER, NONE), column(OTHER, NONE), column(OTHER, NONE),         \
                           column(OTHER, NONE), column(IN, OUT) },                                                     \
           6, &is_odd, NOWHERE))                                                                                       \
    X(compact_fifth_cross, NEVER,                                                                                      \
      MOVE(mcl_compact_columns, OTHER, OUT,                                                                            \
           (mcl_column[]){ column(OTHER, NONE), column(OTHER, NONE), column(OTHER, NONE), column(OTHER, NONE),         \
                           column(OTHER, NONE), column(IN, BESIDE) },                                                  \
           6, &is_odd, NOWHERE))                                                                                       \
    X(compact_flagged, ARRAY, MOVE(mcl_compact_flagged, IN, OTHER, OUT, NOWHERE))                                      \
    X(compact_flags, ARRAY, MOVE(mcl_compact_flagged, OTHER, IN, OUT, NOWHERE))                                        \
    X(compact_stencil, ARRAY, MOVE(mcl_compact_stencil, IN, OTHER, OUT, &is_odd, NOWHERE))                             \
    X(compact_stencils, ARRAY, MOVE(mcl_compact_stencil, OTHER, IN, OUT, &is_odd, NOWHERE))                            \
    X(unique, ARRAY, MOVE(mcl_unique, IN, OUT, MCL_EQUAL, NOWHERE))                                                    \
    X(unique_keys, ARRAY, MOVE(mcl_unique_by_key, IN, OTHER, OUT, BESIDE, MCL_EQUAL, NOWHERE))                         \
    X(unique_values, ARRAY, MOVE(mcl_unique_by_key, OTHER, IN, BESIDE, OUT, MCL_EQUAL, NOWHERE))                       \
    X(unique_cross, NEVER, MOVE(mcl_unique_by_key, IN, OTHER, BESIDE, OUT, MCL_EQUAL, NOWHERE))                        \
    X(unique_column, ARRAY, MOVE(mcl_unique_columns, OTHER, BESIDE, COLUMN(IN, OUT), 1, MCL_EQUAL, NOWHERE))           \
    X(runs, ARRAY, MOVE(mcl_run_length_encode, IN, OUT, BESIDE, MCL_EQUAL, NOWHERE))                                   \
    X(run_lengths, NEVER, MOVE(mcl_run_length_encode, IN, BESIDE, OUT, MCL_EQUAL, NOWHERE))                            \
    X(decode_values, NEVER, MOVE(mcl_run_length_decode, IN, OTHER, OUT, NOWHERE))                                      \
    X(decode_lengths, NEVER, MOVE(mcl_run_length_decode, OTHER, IN, OUT, NOWHERE))                                     \
    X(decode_count, NEVER, MOVE(mcl_run_length_decode, OTHER, IN, BESIDE, SLOT))                                       \
    X(partition, ARRAY, MOVE(mcl_partition, IN, OUT, BESIDE, &is_odd, NOWHERE))                                        \
    X(partition_rejected, NEVER, MOVE(mcl_partition, IN, BESIDE, OUT, &is_odd, NOWHERE))                               \
    X(partition_flags, ARRAY, MOVE(mcl_partition_flagged, OTHER, IN, OUT, BESIDE, NOWHERE))                            \
    X(partition_stencil, NEVER, MOVE(mcl_partition_stencil, OTHER, IN, BESIDE, OUT, &is_odd, NOWHERE))                 \
    X(partition_column, ARRAY,                                                                                         \
      MOVE(mcl_partition_columns, OTHER, BESIDE, NONE, (mcl_partition_column[]){ split(IN, OUT, NONE) }, 1, &is_odd,   \
           NOWHERE))                                                                                                   \
    X(partition_column_rejected, NEVER,                                                                                \
      MOVE(mcl_partition_columns, OTHER, BESIDE, NONE, (mcl_partition_column[]){ split(IN, NONE, OUT) }, 1, &is_odd,   \
           NOWHERE))                                                                                                   \
    X(three_first, ARRAY, MOVE(mcl_partition_three, IN, OUT, BESIDE, NONE, &is_odd, &is_two, NOWHERE))                 \
    X(three_second, NEVER, MOVE(mcl_partition_three, IN, BESIDE, OUT, NONE, &is_odd, &is_two, NOWHERE))                \
    X(three_rest, NEVER, MOVE(mcl_partition_three, IN, BESIDE, NONE, OUT, &is_odd, &is_two, NOWHERE))                  \
    X(multisplit, NEVER, MOVE(mcl_multisplit, IN, OUT, &by_five, 5, NONE, NONE))                                       \
    X(multisplit_offsets, NEVER, MOVE(mcl_multisplit, IN, BESIDE, &by_five, 5, OUT, NONE))                             \
    X(multisplit_counts, NEVER, MOVE(mcl_multisplit, IN, BESIDE, &by_five, 5, NONE, OUT))                              \
    X(multisplit_values, NEVER, MOVE(mcl_multisplit_pairs, OTHER, IN, BESIDE, OUT, &by_five, 5, NONE, NONE))           \
    X(multisplit_cross, NEVER, MOVE(mcl_multisplit_pairs, OTHER, IN, OUT, BESIDE, &by_five, 5, NONE, NONE))            \
    X(splitters, NEVER, MOVE(mcl_multisplit_by_splitters, IN, OUT, first_few(OTHER), NOTHING, MCL_LESS, NONE, NONE))   \
    X(splitters_of, NEVER,                                                                                             \
      MOVE(mcl_multisplit_by_splitters, OTHER, OUT, first_few(IN), NOTHING, MCL_LESS, NONE, NONE))                     \
    X(splitters_at, NEVER, MOVE(mcl_multisplit_by_splitters, OTHER, OUT, first_few(OTHER), IN, MCL_LESS, NONE, NONE))  \
    X(splitters_values, NEVER,                                                                                         \
      MOVE(mcl_multisplit_by_splitters_pairs, OTHER, IN, BESIDE, OUT, first_few(OTHER), NOTHING, MCL_LESS, NONE,       \
           NONE))

#define SORT_CALLS(X)                                                                                                  \
    X(sort, ARRAY, MOVE(mcl_sort, IN, OUT, MCL_LESS))                                                                  \
    X(sort_by_text, ARRAY, MOVE(mcl_sort, IN, OUT, &before_by_text))                                                   \
    X(sort_keys, ARRAY, MOVE(mcl_sort_pairs, IN, OTHER, OUT, BESIDE, MCL_LESS))                                        \
    X(sort_values, ARRAY, MOVE(mcl_sort_pairs, OTHER, IN, BESIDE, OUT, MCL_LESS))                                      \
    X(sort_cross, NEVER, MOVE(mcl_sort_pairs, IN, OTHER, BESIDE, OUT, MCL_LESS))                                       \
    X(sort_values_cross, NEVER, MOVE(mcl_sort_pairs, OTHER, IN, OUT, BESIDE, MCL_LESS))                                \
    X(sort_indices, NEVER, MOVE(mcl_sort_indices, IN, OUT, MCL_LESS))                                                  \
    X(columns_indices, NEVER, MOVE(mcl_sort_columns_indices, (mcl_key_column[]){ { IN, MCL_LESS } }, 1, OUT))          \
    X(sort_column, ARRAY, MOVE(mcl_sort_columns, (mcl_key_column[]){ { OTHER, MCL_LESS } }, 1, COLUMN(IN, OUT), 1))    \
    X(sort_columns_cross, NEVER,                                                                                       \
      MOVE(mcl_sort_columns, (mcl_key_column[]){ { OTHER, MCL_LESS } }, 1,                                             \
           (mcl_column[]){ column(IN, BESIDE), column(OTHER, OUT) }, 2))                                               \
    X(locality_sort, ARRAY, MOVE(mcl_locality_sort, IN, OUT, MCL_LESS, NULL))                                          \
    X(locality_values, ARRAY, MOVE(mcl_locality_sort_pairs, OTHER, IN, BESIDE, OUT, MCL_LESS, NULL))                   \
    X(locality_cross, NEVER, MOVE(mcl_locality_sort_pairs, IN, OTHER, BESIDE, OUT, MCL_LESS, NULL))                    \
    X(rows_sort, ARRAY, MOVE(mcl_segmented_sort, IN, ROWS, OUT, MCL_LESS, MCL_STABLE, NULL))                           \
    X(segmented_sort, ARRAY, MOVE(mcl_segmented_sort, IN, offsets(OTHER), OUT, MCL_LESS, MCL_STABLE, NULL))            \
    X(segmented_sort_by, NEVER, MOVE(mcl_segmented_sort, OTHER, offsets(IN), OUT, MCL_LESS, MCL_STABLE, NULL))         \
    X(segmented_sort_heads, NEVER,                                                                                     \
      MOVE(mcl_segmented_sort, OTHER, mcl_segments_from_indices(IN), OUT, MCL_LESS, MCL_STABLE, NULL))                 \
    X(segmented_values, ARRAY,                                                                                         \
      MOVE(mcl_segmented_sort_pairs, OTHER, IN, ROWS, BESIDE, OUT, MCL_LESS, MCL_STABLE, NULL))                        \
    X(segmented_cross, NEVER,                                                                                          \
      MOVE(mcl_segmented_sort_pairs, OTHER, IN, ROWS, OUT, BESIDE, MCL_LESS, MCL_STABLE, NULL))                        \
    X(segmented_indices, NEVER,                                                                                        \
      MOVE(mcl_segmented_sort_indices, IN, ROWS, NONE, OUT, MCL_INDEX_IN_SEGMENT, MCL_LESS, MCL_STABLE, NULL))         \
    X(samples, NEVER, MOVE(mcl_splitters_sample, IN, 3, 0, OUT, NONE))                                                 \
    X(samples_at, NEVER, MOVE(mcl_splitters_sample, IN, 3, 0, BESIDE, OUT))                                            \
    X(chosen, NEVER, MOVE(mcl_splitters_choose, IN, NOTHING, FEW(OTHER), OUT, NONE))                                   \
    X(chosen_positions, NEVER, MOVE(mcl_splitters_choose, OTHER, IN, FEW(OTHER), OUT, NONE))                           \
    X(chosen_at, NEVER, MOVE(mcl_splitters_choose, OTHER, IN, FEW(OTHER), BESIDE, OUT))                                \
    X(chosen_shares, NEVER, MOVE(mcl_splitters_choose, OTHER, NOTHING, IN, OUT, NONE))                                 \
    X(merge_a, NEVER, MOVE(mcl_merge, IN, OTHER, OUT, MCL_LESS))                                                       \
    X(merge_b, NEVER, MOVE(mcl_merge, OTHER, IN, OUT, MCL_LESS))                                                       \
    X(merge_values, NEVER, MOVE(mcl_merge_pairs, OTHER, OTHER, OTHER, IN, BESIDE, OUT, MCL_LESS))                      \
    X(merge_cross, NEVER, MOVE(mcl_merge_pairs, OTHER, IN, OTHER, OTHER, OUT, BESIDE, MCL_LESS))                       \
    X(merge_runs, NEVER, MOVE(mcl_merge_runs, IN, FEW(OTHER), OUT, MCL_LESS))                                          \
    X(merge_runs_by, NEVER, MOVE(mcl_merge_runs, OTHER, IN, OUT, MCL_LESS))                                            \
    X(merge_runs_values, NEVER, MOVE(mcl_merge_runs_pairs, OTHER, IN, FEW(OTHER), BESIDE, OUT, MCL_LESS))              \
    X(merge_runs_cross, NEVER, MOVE(mcl_merge_runs_pairs, OTHER, IN, FEW(OTHER), OUT, BESIDE, MCL_LESS))               \
    X(top_k, NEVER, MOVE(mcl_top_k, IN, mcl_amount_of(40), OUT, MCL_LESS, NOWHERE))                                    \
    X(top_k_count, NEVER, MOVE(mcl_top_k, IN, mcl_amount_of(40), BESIDE, MCL_LESS, SLOT))                              \
    X(top_k_amount, NEVER, MOVE(mcl_top_k, OTHER, mcl_amount_of_each(40, IN), BEFORE, MCL_LESS, NOWHERE))              \
    X(top_k_values, NEVER, MOVE(mcl_top_k_pairs, OTHER, IN, mcl_amount_of(40), BESIDE, OUT, MCL_LESS, NOWHERE))        \
    X(top_k_cross, NEVER, MOVE(mcl_top_k_pairs, OTHER, IN, mcl_amount_of(40), OUT, BESIDE, MCL_LESS, NOWHERE))         \
    X(top_k_indices, NEVER, MOVE(mcl_top_k_indices, IN, mcl_amount_of(40), OUT, MCL_LESS, NOWHERE))                    \
    X(nth_element, NEVER, MOVE(mcl_nth_element, IN, mcl_amount_of(7), SLOT, MCL_LESS))                                 \
    X(nth_elements, NEVER, MOVE(mcl_nth_elements, IN, OTHER, OUT, MCL_LESS))                                           \
    X(nth_ranks, NEVER, MOVE(mcl_nth_elements, OTHER, IN, OUT, MCL_LESS))                                              \
    X(segmented_top_k, NEVER, MOVE(mcl_segmented_top_k, IN, ROWS, mcl_amount_of(2), OUT, NONE, MCL_LESS))              \
    X(segmented_top_k_counts, NEVER, MOVE(mcl_segmented_top_k, IN, ROWS, mcl_amount_of(2), BESIDE, OUT, MCL_LESS))     \
    X(segmented_top_k_by, NEVER, MOVE(mcl_segmented_top_k, OTHER, offsets(IN), mcl_amount_of(2), OUT, NONE, MCL_LESS)) \
    X(segmented_top_k_amounts, NEVER,                                                                                  \
      MOVE(mcl_segmented_top_k, OTHER, ROWS, mcl_amount_of_each(2, IN), OUT, NONE, MCL_LESS))                          \
    X(segmented_top_k_values, NEVER,                                                                                   \
      MOVE(mcl_segmented_top_k_pairs, OTHER, IN, ROWS, mcl_amount_of(2), BESIDE, OUT, NONE, MCL_LESS))                 \
    X(segmented_top_k_indices, NEVER,                                                                                  \
      MOVE(mcl_segmented_top_k_indices, IN, ROWS, mcl_amount_of(2), OUT, NONE, MCL_LESS))                              \
    X(segmented_nth, NEVER, MOVE(mcl_segmented_nth_element, IN, ROWS, mcl_amount_of(2), OUT, MCL_LESS))                \
    X(segmented_nth_heads, NEVER,                                                                                      \
      MOVE(mcl_segmented_nth_element, OTHER, mcl_segments_from_indices(IN), mcl_amount_of(2), OUT, MCL_LESS))          \
    X(segmented_nth_ranks, NEVER,                                                                                      \
      MOVE(mcl_segmented_nth_element, OTHER, ROWS, mcl_amount_of_each(2, IN), OUT, MCL_LESS))                          \
    X(quantiles, NEVER, MOVE(mcl_quantiles, IN, HALVES, OUT, MCL_LESS, MCL_INTERPOLATION_LOWER))                       \
    X(segmented_quantiles, NEVER, MOVE(mcl_segmented_quantiles, IN, ROWS, HALF, OUT, MCL_LESS, MCL_INTERPOLATION_LOWER))

#define OTHER_CALLS(X)                                                                                                 \
    X(cut_search, NEVER, MOVE(mcl_cut_search, IN, COUNT, 1, MCL_LOWER, OUT))                                           \
    X(cut_merge_path, NEVER, MOVE(mcl_cut_merge_path, IN, OTHER, 2, 0, MCL_LOWER, OUT, MCL_LESS))                      \
    X(cut_merge_path_b, NEVER, MOVE(mcl_cut_merge_path, OTHER, IN, 2, 0, MCL_LOWER, OUT, MCL_LESS))                    \
    X(cut_balanced_path, NEVER, MOVE(mcl_cut_balanced_path, OTHER, IN, 2, OUT, MCL_LESS))                              \
    X(expand, NEVER, MOVE(mcl_interval_expand, WORK, IN, OTHER, OUT))                                                  \
    X(expand_offsets, NEVER, MOVE(mcl_interval_expand, WORK, OTHER, IN, OUT))                                          \
    X(move, NEVER, MOVE(mcl_interval_move, WORK, IN, OTHER, OTHER, OTHER, OUT))                                        \
    X(move_from, NEVER, MOVE(mcl_interval_move, WORK, OTHER, IN, OTHER, OTHER, OUT))                                   \
    X(move_to, NEVER, MOVE(mcl_interval_move, WORK, OTHER, OTHER, IN, OTHER, OUT))                                     \
    X(gather, NEVER, MOVE(mcl_interval_gather, WORK, IN, OTHER, OTHER, OUT))                                           \
    X(interval_scatter, NEVER, MOVE(mcl_interval_scatter, WORK, OTHER, IN, OTHER, OUT))                                \
    X(balance_objects, NEVER, MOVE(mcl_load_balance_search, WORK, IN, OUT, NONE))                                      \
    X(balance_ranks, NEVER, MOVE(mcl_load_balance_search, WORK, IN, NONE, OUT))                                        \
    X(balanced, NEVER, MOVE(mcl_transform_load_balanced, IN, OTHER, OUT))                                              \
    X(balanced_offsets, NEVER, MOVE(mcl_transform_load_balanced, OTHER, IN, OUT))                                      \
    X(intersection_a, NEVER, MOVE(mcl_set_intersection, IN, OTHER, OUT, MCL_LESS, NOWHERE))                            \
    X(intersection_count, NEVER, MOVE(mcl_set_intersection, IN, OTHER, BESIDE, MCL_LESS, SLOT))                        \
    X(union_b, NEVER, MOVE(mcl_set_union, OTHER, IN, OUT, MCL_LESS, NOWHERE))                                          \
    X(difference_a, NEVER, MOVE(mcl_set_difference, IN, OTHER, OUT, MCL_LESS, NOWHERE))                                \
    X(symmetric_b, NEVER, MOVE(mcl_set_symmetric_difference, OTHER, IN, OUT, MCL_LESS, NOWHERE))                       \
    X(union_values, NEVER, MOVE(mcl_set_union_pairs, OTHER, IN, OTHER, OTHER, BESIDE, OUT, MCL_LESS, NOWHERE))         \
    X(union_cross, NEVER, MOVE(mcl_set_union_pairs, OTHER, OTHER, OTHER, IN, OUT, BESIDE, MCL_LESS, NOWHERE))          \
    X(join_a, NEVER, MOVE(mcl_join, MCL_JOIN_INNER, IN, OTHER, OUT, BESIDE, MCL_LESS, NOWHERE))                        \
    X(join_b, NEVER, MOVE(mcl_join, MCL_JOIN_LEFT, OTHER, IN, OUT, BESIDE, MCL_LESS, NOWHERE))                         \
    X(join_unsorted_a, NEVER, MOVE(mcl_join_unsorted, MCL_JOIN_INNER, IN, OTHER, OUT, BESIDE, MCL_LESS, NOWHERE))      \
    X(join_unsorted_b, NEVER, MOVE(mcl_join_unsorted, MCL_JOIN_INNER, OTHER, IN, BESIDE, OUT, MCL_LESS, NOWHERE))      \
    X(join_count, NEVER, MOVE(mcl_join_unsorted, MCL_JOIN_INNER, OTHER, IN, BESIDE, NONE, MCL_LESS, SLOT))             \
    X(join_gather, NEVER, MOVE(mcl_join_gather, IN, OTHER, &missing, OUT))                                             \
    X(join_gather_column, NEVER, MOVE(mcl_join_gather, OTHER, IN, &missing, OUT))                                      \
    X(join_keys, NEVER, MOVE(mcl_join_columns, MCL_JOIN_INNER, IN, OTHER, NULL, 0, NULL, 0, OUT, MCL_LESS, NOWHERE))   \
    X(join_keys_b, NEVER, MOVE(mcl_join_columns, MCL_JOIN_INNER, OTHER, IN, NULL, 0, NULL, 0, OUT, MCL_LESS, NOWHERE)) \
    X(join_column, NEVER,                                                                                              \
      MOVE(mcl_join_columns, MCL_JOIN_INNER, OTHER, OTHER, (mcl_join_column[]){ joined(IN, OUT) }, 1, NULL, 0, BESIDE, \
           MCL_LESS, NOWHERE))                                                                                         \
    X(join_column_cross, NEVER,                                                                                        \
      MOVE(mcl_join_columns, MCL_JOIN_INNER, OTHER, IN, (mcl_join_column[]){ joined(OTHER, OUT) }, 1, NULL, 0, BESIDE, \
           MCL_LESS, NOWHERE))                                                                                         \
    X(map_find, NEVER, MOVE(mcl_map_find, o->map, IN, OUT, &missing, NONE))                                            \
    X(map_found, NEVER, MOVE(mcl_map_find, o->map, IN, BESIDE, &missing, bytes_of(OUT)))                               \
    X(map_contains, NEVER, MOVE(mcl_map_contains, o->map, IN, bytes_of(OUT)))                                          \
    X(multimap_count, NEVER, MOVE(mcl_multimap_count, o->multimap, IN, OUT))                                           \
    X(multimap_rows, NEVER, MOVE(mcl_multimap_retrieve, o->multimap, IN, OUT, BESIDE, NONE, NOWHERE))                  \
    X(multimap_values, NEVER, MOVE(mcl_multimap_retrieve, o->multimap, IN, BESIDE, OUT, NONE, NOWHERE))                \
    X(multimap_offsets, NEVER, MOVE(mcl_multimap_retrieve, o->multimap, IN, BESIDE, NONE, OUT, NOWHERE))               \
    X(multimap_found, NEVER, MOVE(mcl_multimap_retrieve, o->multimap, IN, BESIDE, NONE, NONE, SLOT))

#define CALLS(X) ELEMENT_CALLS(X) FOLD_CALLS(X) SELECT_CALLS(X) SORT_CALLS(X) OTHER_CALLS(X)
#define IN (o->in)
#define OTHER (o->other)
#define OUT (o->out)
#define BESIDE (o->beside)
#define SLOT (o->slot)
#define FEW(input) mcl_from_expression(MCL_INT32, "3 * i", NULL, NULL, 0, 10)
#define BEFORE mcl_to_buffer(MCL_INT32, OUT.buffer, OUT.offset - 1, COUNT)
#define TWICE_AS_MANY mcl_from_constant(MCL_INT32, &missing, 2 * COUNT)
#define SOME(output) mcl_to_buffer(MCL_INT32, (output).buffer, (output).offset, COUNT - 1)
#define HALVES mcl_from_constant(MCL_DOUBLE, &half, COUNT)
#define HALF mcl_from_constant(MCL_DOUBLE, &half, 1)

enum {
#define X(name, allowed, ...) CALL_##name,
    CALLS(X)
#undef X
        CALL_COUNT
};

static const struct {
    const char *name;
    allowed allowed;
} calls[] = {
#define X(name, allowed, ...) { #name, allowed },
    CALLS(X)
#undef X
};

static mcl_status make_call(int call, const operands *o)
{
    static const double half = 0.5;
    switch (call) {
#define X(name, allowed, ...)                                                                                          \
    case CALL_##name:                                                                                                  \
        return __VA_ARGS__;
        CALLS(X)
#undef X
    default:
        return MCL_ERROR_UNSUPPORTED;
    }
}

/* ---- inputs that read an array -------------------------------------------------------------------------------- */

enum { BEGIN = 16 }; /* index of the array in its buffer; even, so that a result of two numbers may begin there */

/* An input of COUNT elements, and the outputs that may begin where its array begins. */
typedef struct form {
    allowed needed; /* calls that allow less refuse the input */
    const char *expression;
    const char *source;
    int shift; /* distance of the bound array from the output */
} form;

#define TWICE(of) "static inline int32_t twice(const int32_t " of ") { return 2 * " of "; }"
static const form forms[] = {
    { ARRAY, NULL, NULL, 0 },
    { ELEMENT, "x [\ti ] & 127", NULL, 0 },
    { ELEMENT, "twice(x[i]) / 2 + y[i] - other_x[3].x * 0", TWICE("of"), 0 },
    { REFUSED, NULL, NULL, 1 },
    { REFUSED, NULL, NULL, -1 },
    { REFUSED, "x[i]", NULL, 1 },
    { REFUSED, "x[i]", NULL, -1 },
    { REFUSED, "x[599 - i]", NULL, 0 },
    { REFUSED, "x[i + 0]", NULL, 0 },
    { REFUSED, "x[(i)]", NULL, 0 },
    { REFUSED, "i[x]", NULL, 0 },
    { REFUSED, "x[i] + x[0]", NULL, 0 },
    { REFUSED, "y[i] + x[0]", NULL, 0 },
    { REFUSED, "x[i] + y[i > 0 ? i - 1 : 0]", NULL, 0 },
    { REFUSED, "*(x + i)", NULL, 0 },
    { REFUSED, "(&x[i])[0]", NULL, 0 },
    { REFUSED, "(&(x[i]))[0]", NULL, 0 },
    { REFUSED, "own(x, i)", "static inline int32_t own(__global const int32_t *of, int64_t k) { return of[k]; }", 0 },
    { REFUSED, "twice(x[i])", TWICE("x"), 0 },
    { REFUSED, "FIRST", "#define FIRST x[0]", 0 },
    { REFUSED, "PASTE(x, )[0] + PASTE(x, [i])", "#define PASTE(a, b) a##b", 0 },
    { REFUSED, "x[i] /* + x[0] */", NULL, 0 },
    { REFUSED, "x[i] // x[0]", NULL, 0 },
    { REFUSED, "mcl_bound.in_data_x[0]", NULL, 0 },
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

static mcl_input form_input(const form *of, mcl_buffer *buffer, mcl_buffer *other)
{
    const int64_t begin = BEGIN + of->shift;
    const mcl_binding bindings[] = { mcl_binding_buffer("x", MCL_INT32, buffer, begin),
                                     mcl_binding_buffer("y", MCL_INT32, buffer, begin),
                                     mcl_binding_buffer("other_x", MCL_INT2, other, 0) };

    if (!of->expression) return mcl_from_buffer(MCL_INT32, buffer, begin, COUNT);
    return mcl_from_expression(MCL_INT32, of->expression, of->source, bindings, strchr(of->expression, 'y') ? 3 : 1,
                               COUNT);
}

/* ---- one call ------------------------------------------------------------------------------------------------- */

enum { INTS = BEGIN + ROOM };
static int32_t content[INTS], got[INTS], expected[INTS];

static void trial_open(operands *o, int device)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    const mcl_multimap_config several = { .key = MCL_INT32, .value = MCL_INT32 };

    memset(o, 0, sizeof *o);
    o->queue = test_device_at(device)->queue;
    for (int k = 0; k < INTS; k++) content[k] = k < BEGIN ? -k : (k - BEGIN) / 10;
    o->other = ints(array_of(device, content + BEGIN, COUNT * sizeof *content), COUNT);
    o->beside = ints_out(array_empty(device, ROOM * sizeof *content), ROOM);
    test_ok(mcl_map_create(test_device_at(device)->context, &config, &o->map));
    test_ok(mcl_multimap_create(test_device_at(device)->context, &several, &o->multimap));
}

static void trial_close(operands *o)
{
    mcl_buffer_release(o->other.buffer);
    mcl_buffer_release(o->beside.buffer);
    mcl_map_release(o->map);
    mcl_multimap_release(o->multimap);
}

/* Makes the call with an output that begins in buffer where in's array begins. */
static mcl_status call_into(operands *o, int call, mcl_input in, mcl_buffer *buffer)
{
    o->in = in;
    o->out = mcl_to_buffer(MCL_INT32, buffer, BEGIN, ROOM);
    o->slot = mcl_to_slot(MCL_INT32, buffer, BEGIN + 1); /* the result is in a part of the array, too */
    return make_call(call, o);
}

static void expect_refused(operands *o, int call, mcl_input in, mcl_buffer *shared, const char *text)
{
    const mcl_status status = call_into(o, call, in, shared);

    ck_assert_msg(status == MCL_ERROR_ARGUMENT, "%s over %s: %s", calls[call].name, text, mcl_status_name(status));
    ck_assert_msg(strstr(mcl_last_error(), "overlaps") || strstr(mcl_last_error(), "replaces") ||
                      strstr(mcl_last_error(), "expression"), /* for calls that take no expression, or no array */
                  "%s over %s: %s", calls[call].name, text, mcl_last_error());
}

/* Checks that the results equal the results of an equal call with separate memory. */
static void expect_right(operands *o, int call, const form *of, int device)
{
    mcl_buffer *const shared = ARRAY_OF(device, content), *const apart = ARRAY_OF(device, content);
    const mcl_input in = form_input(of, shared, o->other.buffer);
    const char *const text = of->expression ? of->expression : "an array";

    ck_assert_msg(call_into(o, call, in, apart) == MCL_OK, "%s of %s: %s", calls[call].name, text, mcl_last_error());
    ck_assert_msg(call_into(o, call, in, shared) == MCL_OK, "%s over %s: %s", calls[call].name, text, mcl_last_error());
    ARRAY_READ(device, apart, expected);
    ARRAY_READ(device, shared, got);
    for (int k = 0; k < INTS; k++)
        ck_assert_msg(got[k] == expected[k], "%s over %s: element %d is %d, not %d", calls[call].name, text, k - BEGIN,
                      got[k], expected[k]);
    mcl_buffer_release(shared);
    mcl_buffer_release(apart);
}

START_TEST(an_output_over_what_is_read_is_right_or_refused)
{
    operands o;

    trial_open(&o, _i);
    mcl_buffer *const shared = ARRAY_OF(_i, content);
    for (int call = 0; call < CALL_COUNT; call++)
        for (int k = 0; k < FORM_COUNT; k++) {
            const form *const of = &forms[k];
            if (!test_takes_half(call + k)) continue;
            const char *const text = of->expression ? of->expression : of->shift ? "a part of an array" : "an array";
            if (calls[call].allowed >= of->needed)
                expect_right(&o, call, of, _i);
            else
                expect_refused(&o, call, form_input(of, shared, o.other.buffer), shared, text);
        }
    ARRAY_READ(_i, shared, got);
    ck_assert_mem_eq(got, content, sizeof got);
    trial_close(&o);
    mcl_buffer_release(shared);
}
END_TEST

START_TEST(no_call_stores_over_its_view)
{
    operands o;

    trial_open(&o, _i);
    mcl_buffer *const shared = ARRAY_OF(_i, content);
    for (int call = 0; call < CALL_COUNT; call++) {
        const mcl_input views[] = {
            mcl_from_reversed(MCL_INT32, shared, BEGIN, COUNT),
            mcl_from_rotated(MCL_INT32, shared, BEGIN, COUNT, 0),
            mcl_from_shuffled(MCL_INT32, shared, BEGIN, COUNT, 5),
            mcl_from_differences(MCL_INT32, shared, BEGIN, COUNT),
            mcl_from_neighbours(MCL_INT32, "p[i]", NULL, MCL_INT32, shared, BEGIN, COUNT + 1),
            mcl_from_neighbours(MCL_INT32, "q[i]", NULL, MCL_INT32, shared, BEGIN - 1, COUNT + 1),
        };
        for (size_t k = 0; k < sizeof views / sizeof *views; k++)
            expect_refused(&o, call, views[k], shared, views[k].expression);
    }
    trial_close(&o);
    mcl_buffer_release(shared);
}
END_TEST

static mcl_input bound_to(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    const mcl_binding x = mcl_binding_buffer("x", type, buffer, offset);

    return mcl_from_expression(MCL_INT32, "(int32_t)x[i]", NULL, &x, 1, count);
}

#define REFUSE(call, words) test_fails(call, MCL_ERROR_ARGUMENT, words)

/* The bound array has elements of the output's size. Counts and operators may be read at any time, and their texts may
 * redefine a name of the expression. */
START_TEST(sizes_counts_and_operators_are_looked_at_too)
{
    operands o;
    mcl_op before = { .role = MCL_ROLE_ORDER, .expression = "p < q", .source = "#define FIRST x[0]" };
    mcl_op bound = { .role = MCL_ROLE_ORDER, .expression = "p < q + 0 * y[0]", .binding_count = 1 };

    trial_open(&o, _i);
    mcl_buffer *const shared = ARRAY_OF(_i, content);
    const mcl_output out = mcl_to_buffer(MCL_INT32, shared, BEGIN, COUNT);
    const mcl_input in = bound_to(MCL_INT32, shared, BEGIN, COUNT);
    bound.bindings[0] = mcl_binding_buffer("y", MCL_INT32, shared, BEGIN);
    REFUSE(mcl_transform(o.queue, bound_to(MCL_INT16, shared, 2 * BEGIN, COUNT), out, NULL),
           "mcl_transform|out overlaps in's binding x");
    REFUSE(mcl_transform(o.queue, bound_to(MCL_INT64, shared, BEGIN / 2, COUNT), out, NULL),
           "mcl_transform|out overlaps in's binding x");
    REFUSE(mcl_transform(o.queue, mcl_with_count_of(in, MCL_INT32, shared, BEGIN), out, NULL), "count slot");
    REFUSE(mcl_transform(o.queue, mcl_from_reversed(MCL_INT32, shared, BEGIN, COUNT), out, NULL),
           "mcl_transform|out replaces in's binding x|x[last - i]|x[i] alone");
    REFUSE(mcl_sorted_search_needles(o.queue, in, o.other, MCL_LOWER, out, &before, NULL),
           "mcl_sorted_search_needles|out replaces needles's binding x");
    REFUSE(mcl_sorted_search_needles(o.queue, in, o.other, MCL_LOWER, out, &bound, NULL),
           "mcl_sorted_search_needles|out overlaps before's binding y");
    test_ok(mcl_transform(o.queue, mcl_from_reversed(MCL_INT32, shared, BEGIN, 0), out, NULL));
    ARRAY_READ(_i, shared, got);
    ck_assert_mem_eq(got, content, sizeof got);
    test_ok(mcl_transform(o.queue, bound_to(MCL_UINT32, shared, BEGIN, COUNT), out, NULL));
    ARRAY_READ(_i, shared, got);
    ck_assert_mem_eq(got, content, sizeof got);
    trial_close(&o);
    mcl_buffer_release(shared);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, an_output_over_what_is_read_is_right_or_refused, device);
    test_add(tcase, no_call_stores_over_its_view, device);
    test_add(tcase, sizes_counts_and_operators_are_looked_at_too, device);
}

int main(void)
{
    return test_main("in_place", add);
}
