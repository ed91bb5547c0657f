/* sampler.c: makes one call of every primitive: by its case, or by hand where no case makes it. A case gets its
 * operands by letters, which input_of and output_of read. */
#include "cases/case.h"
#include "sampler.h"
#include "sampler_maps.h"

#include <stdio.h>
#include <string.h>

/* ---- calls of cases --------------------------------------------------------------------------------------------- */

static mcl_input input_of(const sampler *s, char letter)
{
    static const int32_t zero = 0, seven = 7;
    static const float half = 0.5f;
    mcl_input first = sorted(s);

    first.count = SAMPLER_COUNT / 3;
    switch (letter) {
    case 'c': /* counts from the device */
        return mcl_with_count(sorted(s), s->slots, 0);
    case 'f': /* offsets of rows of fifty elements */
        return mcl_from_expression(MCL_INT32, "i * 50", NULL, NULL, 0, SAMPLER_COUNT / 50 + 1);
    case 'h': /* a half, the fraction of the median */
        return mcl_from_constant(MCL_FLOAT, &half, 1);
    case 't': /* a third */
        return first;
    case 'z': /* every seventh number from 0 on */
        return mcl_from_step(MCL_INT32, &zero, &seven, SAMPLER_COUNT / 7);
    default:
        return sorted(s);
    }
}

static mcl_output output_of(const sampler *s, char letter)
{
    switch (letter) {
    case 'o':
        return to(s->output, SAMPLER_COUNT);
    case 'O':
        return to(s->output, 2 * SAMPLER_COUNT);
    case 'v':
        return to(s->values, SAMPLER_COUNT);
    case 'V':
        return to(s->values, 2 * SAMPLER_COUNT);
    case 'w': /* further on */
        return mcl_to_buffer(MCL_INT32, s->values, SAMPLER_COUNT, SAMPLER_COUNT);
    default:
        return (mcl_output){ 0 };
    }
}

typedef enum result_place { NOWHERE, HOST, HOST_32, SLOT, SLOT_32 } result_place;

static mcl_result result_of(const sampler *s, result_place place)
{
    static int64_t host[3];

    if (place == HOST || place == HOST_32) return mcl_to_host(place == HOST ? MCL_INT64 : MCL_INT32, host);
    if (place == SLOT) return mcl_to_slot(MCL_INT64, s->slots, 1);
    return place == SLOT_32 ? mcl_to_slot(MCL_INT32, s->slots, 3) : mcl_to_nowhere();
}

/* Makes the call of a case. Letters name its operands. These are static, since the stack may be small. */
static mcl_status by_case(const sampler *s, mcl_queue *queue, const mcl_options *options, const mcl_case *of,
                          const case_variant *variant, const char *in, const char *out, result_place result)
{
    static case_operands operands;

    memset(&operands, 0, sizeof operands);
    for (int k = 0; in[k]; k++) operands.in[k] = input_of(s, in[k]);
    for (int k = 0; out[k]; k++) operands.out[k] = output_of(s, out[k]);
    operands.result = result_of(s, result);
    return case_call(of, variant, SAMPLER_COUNT, &operands, queue, options);
}

static mcl_status plain(const sampler *s, mcl_queue *queue, const mcl_options *options, const mcl_case *of)
{
    static const case_variant variant = { .element = &element_int32 };
    char in[5], out[3];

    snprintf(in, sizeof in, "%.*s", of->plain_inputs, "ssss");
    snprintf(out, sizeof out, "%.*s", of->plain_outputs, "OV");
    return by_case(s, queue, options, of, &variant, in, out, NOWHERE);
}

/* Makes the function name, which calls the case of; further arguments are members of the variant. */
#define CALL(name, of, in, out, result, ...)                                                                           \
    static mcl_status name(sampler *s, mcl_queue *queue, const mcl_options *options)                                   \
    {                                                                                                                  \
        static const case_variant variant = { .element = &element_int32, __VA_ARGS__ };                                \
        return by_case(s, queue, options, &of##_case, &variant, in, out, result);                                      \
    }
#define KEYS .value = NULL
#define PAIRS .value = &element_int32
#define SUM .fold = &fold_add_int32
#define LARGEST_FIRST .descending = 1

#define X(name)                                                                                                        \
    static mcl_status plain_##name(sampler *s, mcl_queue *queue, const mcl_options *options)                           \
    {                                                                                                                  \
        return plain(s, queue, options, &name##_case);                                                                 \
    }
PLAIN_CASE_LIST(X)
#undef X

static const case_test odd = { .op = { .role = MCL_ROLE_TEST, .expression = "x & 1" } };
static const case_test beyond = { .op = { .role = MCL_ROLE_TEST, .expression = "x > 100" } };

CALL(reduce_to_host, reduce, "s", "", HOST_32, SUM)
CALL(reduce_to_slot, reduce, "s", "", SLOT, .fold = &fold_max_int32)
CALL(scan, scan, "c", "o", SLOT, SUM, .kind = MCL_EXCLUSIVE)
CALL(scan_in_two_passes, scan, "s", "o", HOST_32, SUM, .kind = MCL_INCLUSIVE, .flags = MCL_DETERMINISTIC)
CALL(merge_pairs, merge, "ssss", "OV", NOWHERE, PAIRS)
CALL(merge_validated, merge, "ss", "O", NOWHERE, .flags = MCL_VALIDATE)
CALL(merge_of_runs, merge_runs, "cf", "o", NOWHERE, .length = 5)
CALL(merge_of_runs_pairs, merge_runs, "ssf", "ov", NOWHERE, PAIRS, .length = 20)
CALL(set_intersection, sets, "cs", "o", SLOT, .kind = SET_INTERSECTION)
CALL(set_difference_in_two_passes, sets, "ss", "o", HOST, .kind = SET_DIFFERENCE, .passes = 2)
CALL(set_union_of_pairs, sets, "ssss", "OV", SLOT, .kind = SET_UNION, PAIRS)
CALL(join_right, join, "cs", "ov", SLOT, .kind = MCL_JOIN_RIGHT)
CALL(join_left_in_two_passes, join, "ss", "ov", HOST, .kind = MCL_JOIN_LEFT, .passes = 2)
CALL(bounds, cuts, "s", "o", NOWHERE, .coop = -1, .kind = MCL_LOWER, .wanted = 100)
CALL(merge_path, cuts, "ss", "o", NOWHERE, .kind = MCL_LOWER, .wanted = 100)
CALL(sort, sort, "s", "o", NOWHERE, LARGEST_FIRST, .sort_method = MCL_SORT_MERGE)
CALL(sort_indices, sort, "s", "o", NOWHERE, LARGEST_FIRST, .kind = SORT_INDICES)
CALL(radix_sort, sort, "ss", "ov", NOWHERE, LARGEST_FIRST, PAIRS, .sort_method = MCL_SORT_RADIX)
CALL(compact, compact, "c", "o", SLOT, .test = &odd)
CALL(compact_in_any_order, compact, "s", "o", SLOT, .test = &odd, .flags = MCL_UNORDERED)
CALL(partition_in_two_passes, compact, "s", "ov", HOST, .kind = PARTITION, .test = &odd, .flags = MCL_DETERMINISTIC)
CALL(partition_three, compact, "s", "ovw", SLOT, .kind = PARTITION_THREE, .test = &odd)
CALL(run_lengths, compact, "s", "ov", NOWHERE, .kind = RUN_LENGTH_ENCODE)
CALL(bulk_remove, bulk, "st", "o", NOWHERE, .kind = BULK_REMOVE)
CALL(bulk_insert, bulk, "sss", "O", NOWHERE, .kind = BULK_INSERT)
CALL(segmented_reduce, segmented_reduce, "ss", "o", NOWHERE, SUM, .segments = MCL_SEGMENT_OFFSETS)
CALL(segmented_reduce_flags, segmented_reduce, "ss", "o", HOST, SUM, .segments = MCL_SEGMENT_FLAGS)
CALL(segmented_scan, segmented_scan, "ss", "o", NOWHERE, SUM, .segments = MCL_SEGMENT_OFFSETS, .kind = MCL_EXCLUSIVE)
CALL(reduce_by_key, reduce_by_key, "ss", "ov", SLOT, SUM)
CALL(scan_by_key, scan_by_key, "ss", "o", NOWHERE, SUM, .kind = MCL_INCLUSIVE)
CALL(segmented_sort, segmented_sort, "cz", "o", NOWHERE, LARGEST_FIRST)
CALL(sort_of_rows, segmented_sort, "czs", "ov", NOWHERE, LARGEST_FIRST, PAIRS, .form = SEGMENTED_ROWS, .length = 7)
CALL(segmented_sort_indices, segmented_sort, "sz", "o", NOWHERE, LARGEST_FIRST,
     .form = SEGMENTED_INDICES | SEGMENTED_DROPS_KEYS | SEGMENTED_IN_SEGMENTS)
CALL(locality_sort, locality_sort, "s", "o", NOWHERE, KEYS)
CALL(sorted_search, sorted_search, "ss", "ov", HOST, .a_find = MCL_FIND_INDEX_MATCH, .b_find = MCL_FIND_INDEX)
CALL(equality_count, sorted_search, "sss", "o", NOWHERE, .form = SEARCH_EQUALITY)
CALL(load_balance, load_balance, "ss", "ov", NOWHERE, .form = BALANCE_BOTH)
CALL(transform_load_balanced, load_balance, "ss", "o", NOWHERE, .form = BALANCE_EXPRESSION, PAIRS)
CALL(interval_move, interval, "sssss", "o", NOWHERE, .form = INTERVAL_MOVE)
CALL(interval_expand, interval, "sss", "o", NOWHERE, .form = INTERVAL_EXPAND)
CALL(multisplit, multisplit, "s", "ov", NOWHERE, .length = 20, .index_element = &element_int32)
CALL(splitters, splitters, "css", "ov", NOWHERE, .form = SPLITTERS_AT_POSITIONS, .length = 20)
CALL(top_k, top_k, "s", "o", NOWHERE, LARGEST_FIRST, .length = 10)
CALL(top_k_many, top_k, "c", "o", SLOT, LARGEST_FIRST, .length = SAMPLER_COUNT)
CALL(nth_element, top_k, "s", "", SLOT_32, .kind = NTH_ELEMENT, .length = 1)
CALL(find_first, find, "c", "", SLOT, .kind = FIND_IF, .test = &beyond)
CALL(count_those, find, "s", "", SLOT_32, .kind = COUNT_IF, .test = &beyond)
CALL(group_by, group_by, "cs", "-o", SLOT, SUM)
CALL(distinct, group_by, "s", "o", NOWHERE, .kind = DISTINCT)
CALL(segmented_top_k, segmented_top_k, "sf", "o", NOWHERE, LARGEST_FIRST, .form = WITHOUT_COUNTS, .wanted = 10)
CALL(segmented_top_k_flags, segmented_top_k, "cs", "ov", NOWHERE, .kind = TOP_K_INDICES, .segments = MCL_SEGMENT_FLAGS,
     .wanted = 3)
CALL(segmented_quantiles, segmented_top_k, "sfh", "o", NOWHERE, .kind = QUANTILE, .form = MCL_INTERPOLATION_LOWER,
     .wanted = 1)

CALL(compact_flagged, compact, "cs", "o", SLOT, .kind = COMPACT_FLAGGED)
CALL(compact_stencil, compact, "ss", "o", HOST, .kind = COMPACT_STENCIL, .test = &odd)
CALL(partition_flagged, compact, "ss", "ov", SLOT, .kind = PARTITION_FLAGGED)
CALL(partition_stencil, compact, "cs", "ov", NOWHERE, .kind = PARTITION_STENCIL, .test = &odd)
CALL(unique, compact, "c", "o", SLOT, .kind = UNIQUE)
CALL(unique_by_key, compact, "ss", "ov", HOST, .kind = UNIQUE_BY_KEY)
CALL(histogram, histogram, "c", "o", NOWHERE, .kind = HISTOGRAM_NUMBER)
CALL(histogram_range, histogram, "ss", "o", NOWHERE, .kind = HISTOGRAM_RANGE, .length = SAMPLER_COUNT - 1)
CALL(interval_gather, interval, "ssss", "o", NOWHERE, .form = INTERVAL_GATHER)
CALL(interval_scatter, interval, "ssss", "o", NOWHERE, .form = INTERVAL_SCATTER)
CALL(locality_sort_pairs, locality_sort, "ss", "ov", NOWHERE, PAIRS)
CALL(multisplit_pairs, multisplit, "ss", "ov", NOWHERE, PAIRS, .length = 20)
CALL(splitters_pairs, splitters, "sss", "ov", NOWHERE, PAIRS, .length = 20)
CALL(nth_elements, top_k, "sz", "o", NOWHERE, .kind = NTH_ELEMENTS)
CALL(top_k_indices, top_k, "c", "o", HOST, .kind = TOP_K_INDICES, .length = 10)
CALL(top_k_pairs, top_k, "ss", "ov", SLOT, PAIRS, .length = 10)
CALL(segmented_nth_element, segmented_top_k, "sf", "o", NOWHERE, .kind = NTH_ELEMENT, .wanted = 1)
CALL(segmented_top_k_pairs, segmented_top_k, "sfs", "ov", NOWHERE, PAIRS, .form = WITHOUT_COUNTS, .wanted = 10)
CALL(set_union, sets, "ss", "O", HOST, .kind = SET_UNION)
CALL(set_symmetric_difference, sets, "ts", "O", SLOT, .kind = SET_SYMMETRIC_DIFFERENCE)
CALL(set_intersection_of_pairs, sets, "csss", "ov", SLOT, .kind = SET_INTERSECTION, PAIRS)
CALL(set_difference_of_pairs, sets, "stst", "ov", HOST, .kind = SET_DIFFERENCE, PAIRS)
CALL(set_symmetric_difference_of_pairs, sets, "stst", "OV", NOWHERE, .kind = SET_SYMMETRIC_DIFFERENCE, PAIRS)
CALL(sorted_search_needles, sorted_search, "cs", "o", NOWHERE, .form = SEARCH_NEEDLES)

/* ---- calls by hand ---------------------------------------------------------------------------------------------- */

static mcl_status scatter(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_scatter(queue, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), options);
}

static mcl_status scatter_flagged(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_scatter_flagged(queue, sorted(s), sorted(s), sorted(s), to(s->output, SAMPLER_COUNT), options);
}

/* Calls compact by hand and not by its case, whose arrays of columns take much of a small stack. */
static mcl_status compact_columns(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_column column = { sorted(s), to(s->values, SAMPLER_COUNT) };

    return mcl_compact_columns(queue, sorted(s), to(s->output, SAMPLER_COUNT), &column, 1, &odd.op,
                               mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status partition_columns(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_partition_column column = { sorted(s), to(s->values, SAMPLER_COUNT), output_of(s, 'w') };

    return mcl_partition_columns(queue, sorted(s), to(s->output, SAMPLER_COUNT), (mcl_output){ 0 }, &column, 1, &odd.op,
                                 mcl_to_nowhere(), options);
}

static mcl_status unique_columns(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_column column = { sorted(s), to(s->values, SAMPLER_COUNT) };

    return mcl_unique_columns(queue, sorted(s), to(s->output, SAMPLER_COUNT), &column, 1, MCL_EQUAL,
                              mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status uniform(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const int32_t low = 0;
    const int32_t high = 9;

    return mcl_random(queue, to(s->output, SAMPLER_COUNT), 1, 0, &low, &high, options);
}

static mcl_status segmented_sort_with_report(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_sort_report report;

    return mcl_segmented_sort_pairs(queue, sorted(s), sorted(s), mcl_segments_from_indices(input_of(s, 'z')),
                                    to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT), MCL_GREATER,
                                    MCL_UNSTABLE, &report, options);
}

static mcl_status join_unsorted(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_join_unsorted(queue, MCL_JOIN_INNER, sorted(s), sorted(s), to(s->output, SAMPLER_COUNT),
                             to(s->values, SAMPLER_COUNT), MCL_LESS, mcl_to_host(MCL_INT64, &count), options);
}

static mcl_status join_in_any_order(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_options any = options ? *options : (mcl_options){ 0 };

    any.flags |= MCL_UNORDERED;
    return join_unsorted(s, queue, &any);
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

static mcl_status balanced_path(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_cut_balanced_path(queue, sorted(s), sorted(s), 100, to(s->output, SAMPLER_COUNT), MCL_LESS, options);
}

/* Launches a user's kernel with scratch, after it has asked for the kernel's tile. */
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

    mcl_tile tile;
    const mcl_status status = mcl_kernel_tile(queue, &kernel, options, &tile);

    return status == MCL_OK ? mcl_kernel_launch(queue, &kernel, &launch, 1, &scratch, 1, options) : status;
}

static mcl_status samples(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_splitters_sample(queue, sorted(s), 7, 100, to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                options);
}

static mcl_status splitters_of_samples(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const int32_t one = 1;

    return mcl_splitters_choose(queue, sorted(s), sorted(s), mcl_from_constant(MCL_INT32, &one, 9), to(s->output, 8),
                                to(s->values, 8), options);
}

static mcl_status even_histogram(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_histogram_even(queue, sorted(s), 0, SAMPLER_COUNT, NULL, to(s->output, SAMPLER_COUNT), options);
}

static mcl_status decode_runs(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_run_length_decode(queue, mcl_with_count(sorted(s), s->slots, 0), sorted(s), to(s->output, SAMPLER_COUNT),
                                 mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

static mcl_status least_and_greatest(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_min_max(queue, sorted(s), mcl_to_slot(MCL_INT32_RANGE, s->slots, 1), options);
}

/* Makes sums and means. A mean makes a call within the call. */
static mcl_status group_by_means(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_aggregate parts[] = {
        { sorted(s), MCL_ADD, to(s->output, SAMPLER_COUNT / 2) },
        { sorted(s), MCL_MEAN, mcl_to_buffer(MCL_FLOAT, s->output, SAMPLER_COUNT / 2, SAMPLER_COUNT / 2) },
        { sorted(s), MCL_MIN, mcl_to_buffer(MCL_INT32, s->output, SAMPLER_COUNT, SAMPLER_COUNT / 2) }
    };

    return mcl_group_by(queue, mcl_with_count(sorted(s), s->slots, 0), (mcl_output){ 0 }, parts, 3,
                        mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

/* Sorts by a word of two columns, then by a column alone, with values that follow the order. */
static mcl_status sort_columns(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    static const mcl_op own = { .role = MCL_ROLE_ORDER, .expression = "p / 8 < q / 8" };
    const mcl_key_column keys[] = { { mcl_with_count(sorted(s), s->slots, 0), &own },
                                    { sorted(s), MCL_GREATER },
                                    { sorted(s), MCL_LESS } };
    const mcl_column columns[] = { { sorted(s), to(s->output, SAMPLER_COUNT) },
                                   { sorted(s), to(s->values, SAMPLER_COUNT) } };

    return mcl_sort_columns(queue, keys, 3, columns, 2, options);
}

static mcl_status sort_columns_indices(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_key_column keys[] = { { sorted(s), MCL_GREATER }, { sorted(s), MCL_LESS }, { sorted(s), MCL_LESS } };

    return mcl_sort_columns_indices(queue, keys, 3, to(s->output, SAMPLER_COUNT), options);
}

static mcl_status quantiles(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const float start = 0.25f, step = 0.5f;

    return mcl_quantiles(queue, mcl_with_count(sorted(s), s->slots, 0), mcl_from_step(MCL_FLOAT, &start, &step, 2),
                         mcl_to_buffer(MCL_FLOAT, s->values, 0, 2), MCL_LESS, MCL_INTERPOLATION_LINEAR, options);
}

static mcl_status many_quantiles(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const float start = 0, step = 0.125f;

    return mcl_quantiles(queue, sorted(s), mcl_from_step(MCL_FLOAT, &start, &step, 9), to(s->output, 9), MCL_LESS,
                         MCL_INTERPOLATION_NEAREST, options);
}

/* clang-format off: a line each, which tools/new_primitive knows */
#define X(name) { #name, plain_##name, 0 },
#define Y(name, words, memory) { words, sampler_##name, memory },
const sampler_entry sampler_entries[] = {
    PLAIN_CASE_LIST(X) SAMPLER_MAP_LIST(Y){ "sort by columns", sort_columns, 0 },
    { "sort of indices by columns", sort_columns_indices, 0 },
    { "multisplit", multisplit, 0 },
    { "multisplit by splitters", splitters, 0 },
    { "merge of runs", merge_of_runs, 0 },
    { "samples", samples, 0 },
    { "splitters of samples", splitters_of_samples, 0 },
    { "histogram", even_histogram, 0 },
    { "top_k", top_k, 0 },
    { "top_k of many", top_k_many, 0 },
    { "nth_element", nth_element, 0 },
    { "quantiles", quantiles, 0 },
    { "many quantiles", many_quantiles, 0 },
    { "find_if", find_first, 0 },
    { "count_if", count_those, 0 },
    { "min_max", least_and_greatest, 0 },
    { "run-length decode", decode_runs, 0 },
    { "group_by", group_by, 0 },
    { "group_by of means", group_by_means, 0 },
    { "distinct", distinct, 0 },
    { "segmented top_k", segmented_top_k, 0 },
    { "segmented quantiles", segmented_quantiles, 0 },
    { "segmented top_k by flags", segmented_top_k_flags, 0 },
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
    { "merge, validated", merge_validated, SAMPLER_OWN_SCRATCH },
    { "radix sort", radix_sort, 0 },
    { "set union of pairs", set_union_of_pairs, 0 },
    { "unsorted join", join_unsorted, 0 },
    { "join in any order", join_in_any_order, 0 },
    { "join of columns", join_columns, 0 },
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
    { "compact by flags", compact_flagged, 0 },
    { "compact by a stencil", compact_stencil, 0 },
    { "compact of columns", compact_columns, 0 },
    { "partition by flags", partition_flagged, 0 },
    { "partition by a stencil", partition_stencil, 0 },
    { "partition of columns", partition_columns, 0 },
    { "unique", unique, 0 },
    { "unique by key", unique_by_key, 0 },
    { "unique of columns", unique_columns, 0 },
    { "histogram by numbers", histogram, 0 },
    { "histogram of ranges", histogram_range, 0 },
    { "interval gather", interval_gather, 0 },
    { "interval scatter", interval_scatter, 0 },
    { "locality sort of pairs", locality_sort_pairs, 0 },
    { "multisplit of pairs", multisplit_pairs, 0 },
    { "multisplit of pairs by splitters", splitters_pairs, 0 },
    { "merge of runs of pairs", merge_of_runs_pairs, 0 },
    { "nth_elements", nth_elements, 0 },
    { "top_k of indices", top_k_indices, 0 },
    { "top_k of pairs", top_k_pairs, 0 },
    { "segmented nth_element", segmented_nth_element, 0 },
    { "segmented top_k of pairs", segmented_top_k_pairs, 0 },
    { "set union", set_union, 0 },
    { "set symmetric difference", set_symmetric_difference, 0 },
    { "set intersection of pairs", set_intersection_of_pairs, 0 },
    { "set difference of pairs", set_difference_of_pairs, 0 },
    { "set symmetric difference of pairs", set_symmetric_difference_of_pairs, 0 },
    { "sorted search of needles", sorted_search_needles, 0 },
    { "scatter by flags", scatter_flagged, 0 },
};
#undef X
#undef Y
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
