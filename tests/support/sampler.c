/* sampler.c: one call of every primitive, but for those of sampler_selections.c. */
#include "sampler_calls.h"

#include <string.h>

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

static mcl_status set_intersection(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_set_intersection(queue, mcl_with_count(sorted(s), s->slots, 0), sorted(s), to(s->output, SAMPLER_COUNT),
                                MCL_LESS, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status set_difference_in_two_passes(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options twice = { 0 };
    int64_t count;

    if (options) twice = *options;
    twice.passes = 2;
    return mcl_set_difference(queue, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), MCL_LESS,
                              mcl_to_host(MCL_INT64, &count), &twice);
}

/* The rows are as many as the count in the slot says. */
static mcl_status join_right(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_join(queue, MCL_JOIN_RIGHT, mcl_with_count(sorted(s), s->slots, 0), sorted(s),
                    to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT), MCL_LESS,
                    mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status join_left_in_two_passes(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options twice = { 0 };
    int64_t count;

    if (options) twice = *options;
    twice.passes = 2;
    return mcl_join(queue, MCL_JOIN_LEFT, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT),
                    to(s->values, SAMPLER_COUNT), MCL_LESS, mcl_to_host(MCL_INT64, &count), &twice);
}

static mcl_status bounds(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_cut_search(queue, sorted(s), SAMPLER_COUNT, 100, MCL_LOWER, to(s->output, SAMPLER_COUNT), options);
}

static mcl_status merge_path(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_cut_merge_path(queue, sorted(s), sorted(s), 100, 0, MCL_LOWER, to(s->output, SAMPLER_COUNT), MCL_LESS,
                              options);
}

static mcl_status sort(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options merging = options ? *options : (mcl_options){ 0 };
    merging.sort_method = MCL_SORT_MERGE;
    return mcl_sort(queue, sorted(s), to(s->output, SAMPLER_COUNT), MCL_GREATER, &merging);
}

static mcl_status sort_indices(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_sort_indices(queue, sorted(s), to(s->output, SAMPLER_COUNT), MCL_GREATER, options);
}

static const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };

static mcl_status compact(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_compact(queue, mcl_with_count(sorted(s), s->slots, 0), to(s->output, SAMPLER_COUNT), &odd,
                       mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status partition_in_two_passes(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options deterministic = { 0 };
    int64_t counts[2];

    if (options) deterministic = *options;
    deterministic.flags |= MCL_DETERMINISTIC;
    return mcl_partition(queue, sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT), &odd,
                         mcl_to_host(MCL_INT64, counts), &deterministic);
}

static mcl_status run_lengths(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_run_length_encode(queue, sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                 MCL_EQUAL, mcl_to_nowhere(), options);
}

static mcl_status bulk_remove(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_input first = sorted(s);

    first.count = SAMPLER_COUNT / 3;
    return mcl_bulk_remove(queue, sorted(s), first, to(s->output, SAMPLER_COUNT), options);
}

static mcl_status bulk_insert(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_bulk_insert(queue, sorted(s), sorted(s), sorted(s), to(s->output, 2 * SAMPLER_COUNT), options);
}

static mcl_status segmented_reduce(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_segmented_reduce(queue, sorted(s), mcl_segments_from_offsets(sorted(s)),
                                to(s->output, SAMPLER_COUNT - 1), MCL_ADD, mcl_to_nowhere(), options);
}

static mcl_status segmented_reduce_flags(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_segmented_reduce(queue, sorted(s), mcl_segments_from_flags(sorted(s)), to(s->output, SAMPLER_COUNT),
                                MCL_ADD, mcl_to_host(MCL_INT64, &count), options);
}

static mcl_status segmented_scan(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_segmented_scan(queue, sorted(s), mcl_segments_from_offsets(sorted(s)), to(s->output, SAMPLER_COUNT),
                              MCL_ADD, MCL_EXCLUSIVE, options);
}

static mcl_status reduce_by_key(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_reduce_by_key(queue, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                             MCL_ADD, NULL, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status scan_by_key(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_scan_by_key(queue, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), MCL_ADD, NULL, MCL_INCLUSIVE,
                           options);
}

static mcl_segments every_seventh(void)
{
    static const int32_t zero = 0;
    static const int32_t seven = 7;

    return mcl_segments_from_indices(mcl_from_step(MCL_INT32, &zero, &seven, SAMPLER_COUNT / 7));
}

static mcl_status segmented_sort(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_segmented_sort(queue, mcl_with_count(sorted(s), s->slots, 0), every_seventh(),
                              to(s->output, SAMPLER_COUNT), MCL_GREATER, MCL_STABLE, NULL, options);
}

static mcl_status sort_of_rows(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_segmented_sort_pairs(queue, mcl_with_count(sorted(s), s->slots, 0), sorted(s),
                                    mcl_segments_from_rows(SAMPLER_COUNT / 7, 7), to(s->output, SAMPLER_COUNT),
                                    to(s->values, SAMPLER_COUNT), MCL_GREATER, MCL_STABLE, NULL, options);
}

static mcl_status segmented_sort_with_report(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_sort_report report;

    return mcl_segmented_sort_pairs(queue, sorted(s), sorted(s), every_seventh(), to(s->output, SAMPLER_COUNT),
                                    to(s->values, SAMPLER_COUNT), MCL_GREATER, MCL_UNSTABLE, &report, options);
}

static mcl_status segmented_sort_indices(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_segmented_sort_indices(queue, sorted(s), every_seventh(), (mcl_output){ 0 },
                                      to(s->output, SAMPLER_COUNT), MCL_INDEX_IN_SEGMENT, MCL_GREATER, MCL_STABLE, NULL,
                                      options);
}

static mcl_status locality_sort(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_locality_sort(queue, sorted(s), to(s->output, SAMPLER_COUNT), MCL_LESS, NULL, options);
}

static mcl_status compact_in_any_order(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options unordered = options ? *options : (mcl_options){ 0 };

    unordered.flags |= MCL_UNORDERED;
    return mcl_compact(queue, sorted(s), to(s->output, SAMPLER_COUNT), &odd, mcl_to_slot(MCL_INT64, s->slots, 1),
                       &unordered);
}

/* Into an empty map, so that it does not grow however often it is called. */
static mcl_status map_insert(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_status status = mcl_map_clear(queue, s->map, NULL);

    return status == MCL_OK ? mcl_map_insert(queue, s->map, sorted(s), sorted(s), options) : status;
}

/* The same with a fold. */
static mcl_status map_apply(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_status status = mcl_map_clear(queue, s->map, NULL);

    if (status != MCL_OK) return status;
    return mcl_map_insert_or_apply(queue, s->map, sorted(s), sorted(s), MCL_MAX, options);
}

static mcl_status map_find(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_find(queue, s->map, mcl_with_count(sorted(s), s->slots, 0), to(s->output, SAMPLER_COUNT), NULL,
                        (mcl_output){ 0 }, options);
}

static mcl_status map_retrieve_all(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_map_retrieve_all(queue, s->map, to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                mcl_to_host(MCL_INT64, &count), options);
}

static mcl_status map_skipped(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_skipped(queue, s->map, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status map_erase(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_erase(queue, s->map, sorted(s), options);
}

static mcl_status merge_validated(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options validated = options ? *options : (mcl_options){ 0 };

    validated.flags |= MCL_VALIDATE;
    return mcl_merge(queue, sorted(s), sorted(s), to(s->output, 2 * SAMPLER_COUNT), MCL_LESS, &validated);
}

static mcl_status radix_sort(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options by_digits = options ? *options : (mcl_options){ 0 };

    by_digits.sort_method = MCL_SORT_RADIX;
    return mcl_sort_pairs(queue, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                          MCL_GREATER, &by_digits);
}

static mcl_status set_union_of_pairs(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_set_union_pairs(queue, sorted(s), sorted(s), sorted(s), sorted(s), to(s->output, 2 * SAMPLER_COUNT),
                               to(s->values, 2 * SAMPLER_COUNT), MCL_LESS, mcl_to_slot(MCL_INT64, s->slots, 1),
                               options);
}

static mcl_status join_unsorted(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_join_unsorted(queue, MCL_JOIN_INNER, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT),
                             to(s->values, SAMPLER_COUNT), MCL_LESS, mcl_to_host(MCL_INT64, &count), options);
}

static mcl_status join_columns(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_join_column of_a[] = { { sorted(s), to(s->output, SAMPLER_COUNT), NULL } };
    const mcl_join_column of_b[] = { { sorted(s), to(s->values, SAMPLER_COUNT), NULL } };

    return mcl_join_columns(queue, MCL_JOIN_OUTER, mcl_with_count(sorted(s), s->slots, 0), sorted(s), of_a, 1, of_b, 1,
                            (mcl_output){ 0 }, MCL_LESS, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status join_gather(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_join_gather(queue, sorted(s), sorted(s), NULL, to(s->output, SAMPLER_COUNT), options);
}

static mcl_status sorted_search(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_sorted_search(queue, sorted(s), sorted(s), MCL_LOWER,
                             mcl_found_index_matches(to(s->output, SAMPLER_COUNT), mcl_to_host(MCL_INT64, &count)),
                             mcl_found_indices(to(s->values, SAMPLER_COUNT)), MCL_LESS, options);
}

static mcl_status equality_count(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_equality_count(queue, sorted(s), sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), MCL_LESS,
                              MCL_EQUALITY, options);
}

static mcl_status load_balance(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_load_balance_search(queue, mcl_work_items(SAMPLER_COUNT), sorted(s), to(s->output, SAMPLER_COUNT),
                                   to(s->values, SAMPLER_COUNT), options);
}

static mcl_status transform_load_balanced(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_transform_load_balanced(queue,
                                       mcl_from_expression(MCL_INT32, "(int32_t)object", NULL, NULL, 0, SAMPLER_COUNT),
                                       sorted(s), to(s->output, SAMPLER_COUNT), options);
}

static mcl_status interval_move(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_interval_move(queue, mcl_work_items(SAMPLER_COUNT), sorted(s), sorted(s), sorted(s), sorted(s),
                             to(s->output, SAMPLER_COUNT), options);
}

static mcl_status interval_expand(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_interval_expand(queue, mcl_work_items(SAMPLER_COUNT), sorted(s), sorted(s), to(s->output, SAMPLER_COUNT),
                               options);
}

/* Into an empty multimap, as above. */
static mcl_status multimap_insert(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_status status = mcl_multimap_clear(queue, s->multimap, NULL);

    return status == MCL_OK ? mcl_multimap_insert(queue, s->multimap, sorted(s), sorted(s), options) : status;
}

/* Calls that put entries in order, of a multimap of their own. */
static mcl_status multimap_filled(sampler *s, mcl_queue *queue, mcl_multimap **map)
{
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = SAMPLER_COUNT };
    mcl_status status = mcl_multimap_create(s->context, &config, map);

    if (status == MCL_OK) status = mcl_multimap_insert(queue, *map, sorted(s), sorted(s), NULL);
    return status;
}

static mcl_status multimap_retrieve(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_multimap *map = NULL;
    mcl_status status = multimap_filled(s, queue, &map);

    if (status == MCL_OK)
        status =
            mcl_multimap_retrieve(queue, map, sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                  (mcl_output){ 0 }, mcl_to_slot(MCL_INT64, s->slots, 2), options);
    mcl_multimap_release(map);
    return status;
}

static mcl_status multimap_erase(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_multimap *map = NULL;
    mcl_status status = multimap_filled(s, queue, &map);

    if (status == MCL_OK) status = mcl_multimap_erase(queue, map, sorted(s), options);
    mcl_multimap_release(map);
    return status;
}

/* Two sub-maps and more, in a map of its own. */
static mcl_status map_growth(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = SAMPLER_COUNT / 4 };
    mcl_map *map = NULL;
    mcl_status status = mcl_map_create(s->context, &config, &map);

    if (status == MCL_OK) status = mcl_map_insert_or_assign(queue, map, sorted(s), sorted(s), options);
    mcl_map_release(map);
    return status;
}

static mcl_status map_size(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_map_size(queue, s->map, mcl_to_host(MCL_INT64, &count), options);
}

static mcl_status map_contains(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_contains(queue, s->map, sorted(s), mcl_to_buffer(MCL_UINT8, s->output, 0, SAMPLER_COUNT), options);
}

static mcl_status balanced_path(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_cut_balanced_path(queue, sorted(s), sorted(s), 100, to(s->output, SAMPLER_COUNT), MCL_LESS, options);
}

static mcl_status partition_three(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    static const mcl_op large = { .role = MCL_ROLE_TEST, .expression = "x > 100" };

    return mcl_partition_three(queue, sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                               mcl_to_buffer(MCL_INT32, s->values, SAMPLER_COUNT, SAMPLER_COUNT), &odd, &large,
                               mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

/* A kernel of the caller's own, with scratch. */
static mcl_status own_kernel(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    static const mcl_kernel kernel = {
        .name = "sampler.cl",
        .text = "MCL_KERNEL(1) sampler_copy(PARAMS_in, PARAMS_out, ARRAY_PARAM(int32_t, spare))\n"
                "{\n"
                "    const input_in in = MAKE_in;\n"
                "    const output_out out = MAKE_out;\n"
                "    const index_type i = get_group_id(0);\n"
                "    ARRAY(int32_t, spare)[i] = load_in(in, i);\n"
                "    store_out(out, i, ARRAY(int32_t, spare)[i]);\n"
                "}\n",
        .passes = { { "sampler_copy", "in out array", 1 } },
        .inputs = { { .name = "in", .type = MCL_INT32 } },
        .outputs = { { .name = "out", .type = MCL_INT32 } },
    };
    const mcl_input in = sorted(s);
    const mcl_output out = to(s->output, SAMPLER_COUNT);
    const size_t scratch = SAMPLER_COUNT * sizeof(int32_t);
    const mcl_launch launch = { .groups = SAMPLER_COUNT,
                                .arguments = { mcl_argument_input(&in), mcl_argument_output(&out),
                                               mcl_argument_scratch(0) } };

    return mcl_kernel_launch(queue, &kernel, &launch, 1, &scratch, 1, options);
}

/* clang-format off: a line each, which tools/new_primitive knows */
#define X(name, function, memory) { name, sampler_##function, memory },
const sampler_entry sampler_entries[] = {
    SAMPLER_SELECTIONS(X){ "transform", transform, 0 },
    { "scatter", scatter, 0 },
    { "random", uniform, 0 },
    { "reduce to the host", reduce_to_host, 0 },
    { "reduce to a slot", reduce_to_slot, 0 },
    { "scan", scan, 0 },
    { "scan in two passes", scan_in_two_passes, 0 },
    { "compact", compact, 0 },
    { "partition in two passes", partition_in_two_passes, 0 },
    { "run lengths", run_lengths, 0 },
    { "bulk remove", bulk_remove, 0 },
    { "bulk insert", bulk_insert, 0 },
    { "merge", merge, 0 },
    { "merge of pairs", merge_pairs, 0 },
    { "sort", sort, 0 },
    { "sort of indices", sort_indices, 0 },
    { "set intersection", set_intersection, 0 },
    { "set difference in two passes", set_difference_in_two_passes, 0 },
    { "right join", join_right, 0 },
    { "left join in two passes", join_left_in_two_passes, 0 },
    { "binary search partition", bounds, 0 },
    { "merge path partition", merge_path, 0 },
    { "segmented reduce", segmented_reduce, 0 },
    { "segmented reduce by flags", segmented_reduce_flags, 0 },
    { "segmented scan", segmented_scan, 0 },
    { "reduce by key", reduce_by_key, 0 },
    { "scan by key", scan_by_key, 0 },
    { "segmented sort", segmented_sort, 0 },
    { "sort of rows", sort_of_rows, 0 },
    { "segmented sort with a report", segmented_sort_with_report, 0 },
    { "segmented sort of indices", segmented_sort_indices, 0 },
    { "locality sort", locality_sort, 0 },
    { "compact in any order", compact_in_any_order, 0 },
    { "map insert", map_insert, 0 },
    { "map insert or apply", map_apply, SAMPLER_TAKES_LESS },
    { "map find", map_find, 0 },
    { "map retrieve all", map_retrieve_all, 0 },
    { "map skipped", map_skipped, 0 },
    { "map erase", map_erase, 0 },
    { "map size", map_size, 0 },
    { "map contains", map_contains, 0 },
    { "map growth", map_growth, SAMPLER_ALLOCATES },
    { "multimap insert", multimap_insert, 0 },
    { "multimap retrieve", multimap_retrieve, SAMPLER_ALLOCATES },
    { "multimap erase", multimap_erase, SAMPLER_ALLOCATES },
    { "merge, validated", merge_validated, SAMPLER_OWN_SCRATCH },
    { "radix sort", radix_sort, 0 },
    { "set union of pairs", set_union_of_pairs, 0 },
    { "unsorted join", join_unsorted, SAMPLER_ALLOCATES },
    { "join of columns", join_columns, SAMPLER_ALLOCATES },
    { "join's gather", join_gather, 0 },
    { "sorted search", sorted_search, 0 },
    { "equality count", equality_count, 0 },
    { "load balance search", load_balance, 0 },
    { "load-balanced transform", transform_load_balanced, 0 },
    { "interval move", interval_move, 0 },
    { "interval expand", interval_expand, 0 },
    { "balanced path partition", balanced_path, 0 },
    { "partition in three", partition_three, 0 },
    { "kernel of one's own", own_kernel, 0 },
};
#undef X
/* clang-format on */
const int sampler_entry_count = sizeof sampler_entries / sizeof sampler_entries[0];

static mcl_status create_buffers(sampler *s)
{
    static int32_t data[SAMPLER_COUNT];
    const int64_t slots[4] = { SAMPLER_COUNT, 0, 0, 0 };
    mcl_status status;

    for (int32_t k = 0; k < SAMPLER_COUNT; k++) data[k] = k;
    status = mcl_buffer_create(s->context, sizeof data, data, &s->sorted);
    if (status == MCL_OK) status = mcl_buffer_create(s->context, 2 * sizeof data, NULL, &s->output);
    if (status == MCL_OK) status = mcl_buffer_create(s->context, 2 * sizeof data, NULL, &s->values);
    if (status == MCL_OK) status = mcl_buffer_create(s->context, sizeof slots, slots, &s->slots);
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 2 * SAMPLER_COUNT };
    const mcl_multimap_config multimap = { .key = MCL_INT32, .value = MCL_INT32, .capacity = SAMPLER_COUNT };
    if (status == MCL_OK) status = mcl_map_create(s->context, &config, &s->map);
    if (status == MCL_OK) status = mcl_multimap_create(s->context, &multimap, &s->multimap);
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
    mcl_map_release(s->map);
    mcl_multimap_release(s->multimap);
    memset(s, 0, sizeof *s);
}
