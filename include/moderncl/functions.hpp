// functions.hpp: the functions of moderncl.hpp that only call a C function. tools/list_functions makes this file.
#ifndef MODERNCL_FUNCTIONS_HPP
#define MODERNCL_FUNCTIONS_HPP

// clang-format off
#define MCL_CPP_FUNCTIONS(X)                                                                                           \
    X(allocator_simple) X(amount_of) X(amount_of_each) X(argument_buffer) X(argument_index) X(argument_input)          \
    X(argument_int32) X(argument_int64) X(argument_output) X(argument_scratch) X(argument_value) X(block_create)       \
    X(block_release) X(buffer_bytes) X(buffer_copy) X(buffer_create) X(buffer_fill) X(buffer_read)                     \
    X(buffer_read_async) X(buffer_write) X(buffer_write_async) X(bulk_insert) X(bulk_remove) X(compact)                \
    X(compact_columns) X(compact_flagged) X(compact_stencil) X(context_create) X(context_info)                         \
    X(context_load_tuning) X(context_memory) X(context_set_allocator) X(context_set_build_function)                    \
    X(context_set_disk_cache) X(context_set_memory_cache) X(context_tile) X(context_trim_memory)                       \
    X(context_tuning_parameter) X(count_if) X(cut_balanced_path) X(cut_merge_path) X(cut_search) X(device_list)        \
    X(dialect_text) X(distinct) X(equality_count) X(event_milliseconds) X(event_record) X(event_wait) X(find_if)       \
    X(found_index_matches) X(found_indices) X(found_matches) X(found_nothing) X(group_by) X(histogram)                 \
    X(histogram_even) X(histogram_range) X(host_group_by) X(host_join) X(host_sort) X(host_sort_pairs)                 \
    X(interval_expand) X(interval_gather) X(interval_move) X(interval_scatter) X(join) X(join_columns)                 \
    X(join_gather) X(join_unsorted) X(kernel_launch) X(kernel_tile) X(last_error) X(load_balance_search)               \
    X(locality_sort) X(locality_sort_pairs) X(log_set) X(map_capacity) X(map_clear) X(map_contains) X(map_create)      \
    X(map_erase) X(map_find) X(map_insert) X(map_insert_or_apply) X(map_insert_or_assign) X(map_reserve)               \
    X(map_retrieve_all) X(map_size) X(map_skipped) X(map_sub_map_count) X(merge) X(merge_pairs) X(merge_runs)          \
    X(merge_runs_pairs) X(min_max) X(multimap_clear) X(multimap_count) X(multimap_create) X(multimap_erase)            \
    X(multimap_insert) X(multimap_retrieve) X(multimap_retrieve_all) X(multimap_size) X(multisplit)                    \
    X(multisplit_by_splitters) X(multisplit_by_splitters_pairs) X(multisplit_pairs) X(nth_element) X(nth_elements)     \
    X(op_accumulator) X(operation_name) X(partition) X(partition_columns) X(partition_flagged) X(partition_stencil)    \
    X(partition_three) X(quantiles) X(queue_context) X(queue_create) X(queue_create_preparing) X(queue_finish)         \
    X(queue_flush) X(queue_reserve) X(queue_scratch_bytes) X(queue_scratch_peak) X(queue_wait) X(record_begin)         \
    X(record_end) X(reduce) X(reduce_by_key) X(replay) X(run_length_decode) X(run_length_encode) X(scan)               \
    X(scan_by_key) X(scatter) X(scatter_flagged) X(segmented_nth_element) X(segmented_quantiles) X(segmented_reduce)   \
    X(segmented_scan) X(segmented_sort) X(segmented_sort_indices) X(segmented_sort_pairs) X(segmented_top_k)           \
    X(segmented_top_k_indices) X(segmented_top_k_pairs) X(segments_from_begins) X(segments_from_flags)                 \
    X(segments_from_indices) X(segments_from_offsets) X(segments_from_rows) X(set_difference)                          \
    X(set_difference_pairs) X(set_intersection) X(set_intersection_pairs) X(set_symmetric_difference)                  \
    X(set_symmetric_difference_pairs) X(set_union) X(set_union_pairs) X(sort) X(sort_columns)                          \
    X(sort_columns_indices) X(sort_indices) X(sort_pairs) X(sort_report_format) X(sorted_search)                       \
    X(sorted_search_needles) X(splitters_choose) X(splitters_sample) X(status_name) X(tile_groups) X(tile_parameter)   \
    X(to_nowhere) X(top_k) X(top_k_indices) X(top_k_pairs) X(transform) X(transform_load_balanced)                     \
    X(tuning_parameter_name) X(twister_int) X(twister_next) X(twister_real) X(twister_seed) X(unique)                  \
    X(unique_by_key) X(unique_columns) X(version) X(with_count_of) X(work_in_slot) X(work_in_slot_of) X(work_items)
// clang-format on
#endif
