/* test_agree.c: tests that all ranks fail if one rank's call differs in one item. The sentence must name the item. */
#include "ranks_test.h"

#include <stdio.h>
#include <string.h>

/* ---- calls of all kinds ------------------------------------------------------------------------------------ */

MCL_SOURCE(pair_source, typedef struct pair { int32_t low, high; } pair;)
static const char other_pair_source[] = "typedef struct pair { int32_t high, low; } pair;";
static const mcl_member pair_members[] = { { "low", 0 }, { "high", 4 } };
static const mcl_member other_members[] = { { "low", 0 }, { "high", 0 } };
static const int32_t one = 1, two = 2;
static const int64_t long_one = 1;

typedef struct operands {
    ranks_test *test;
    mcl_type pair; /* struct type of values that are pairs */
    mcl_input in, second, values, more_values, weights, points, levels;
    mcl_op fold, before, equal, keep, bucket;
    mcl_output out, out_values, bins;
    mcl_result result, total;
    mcl_options options;
    mcl_scan_kind kind;
    mcl_join_kind join;
    mcl_segments segments;
    mcl_interpolation interpolation;
    int64_t number;
    double low, high;
    int has_weights;
    mcl_map_config config;
    mcl_mpi_map *map, *other_map;
    const void *missing;
    mcl_output found;
    int64_t sum;
} operands;

enum { FEW = 4, BINS = 3, ROOM = 64 };

static void operands_make(operands *o, ranks_test *test, mcl_buffer *outputs)
{
    static const float half = 0.5f;
    memset(o, 0, sizeof *o);
    o->test = test;
    o->pair = (mcl_type)MCL_TYPE(pair, pair_source);
    o->pair.member_count = 2;
    o->pair.members = pair_members;
    o->in = o->second = o->values = o->more_values = o->weights = mcl_from_constant(MCL_INT32, &one, FEW);
    o->points = mcl_from_constant(MCL_FLOAT, &half, 2);
    o->levels = mcl_from_counting(MCL_INT32, &one, BINS + 1);
    o->fold = *MCL_ADD;
    o->before = *MCL_LESS;
    o->equal = *MCL_EQUAL;
    o->keep = (mcl_op){ .role = MCL_ROLE_TEST, .expression = "x > limit", .binding_count = 1 };
    o->keep.bindings[0] = mcl_binding_value("limit", MCL_INT32, &one);
    o->bucket = (mcl_op){ .role = MCL_ROLE_INDEX, .expression = "x" };
    o->out = mcl_to_buffer(MCL_INT32, outputs, 0, ROOM);
    o->out_values = mcl_to_buffer(MCL_INT32, outputs, ROOM, ROOM);
    o->bins = mcl_to_buffer(MCL_INT32, outputs, 0, BINS);
    o->result = o->total = mcl_to_host(MCL_INT32, &o->sum);
    o->segments = mcl_segments_from_rows(2, FEW / 2);
    o->high = 8;
    o->number = 2;
    o->has_weights = 1;
    o->config = (mcl_map_config){ .key = MCL_INT32, .value = MCL_INT32 };
    o->missing = &one;
    o->found = mcl_to_buffer(MCL_UINT8, outputs, 0, ROOM);
}

#define CALL(name, ...)                                                                                                \
    static mcl_status name(operands *o)                                                                                \
    {                                                                                                                  \
        mcl_mpi *const mpi = o->test->mpi;                                                                             \
        return mcl_mpi_##name(mpi, __VA_ARGS__);                                                                       \
    }
#define NO mcl_to_nowhere()

CALL(reduce, o->in, &o->fold, o->result, &o->options)
CALL(scan, o->in, o->out, &o->fold, o->kind, o->total, &o->options)
CALL(reduce_by_key, o->in, o->values, o->out, o->out_values, &o->fold, &o->equal, NO, NO, &o->options)
CALL(group_by, o->in, o->out, (&(mcl_aggregate){ .values = o->values, .op = &o->fold, .out = o->out_values }), 1, NO,
     NO, &o->options)
CALL(distinct, o->in, o->out, NO, NO, &o->options)
CALL(scan_by_key, o->in, o->values, o->out, &o->fold, &o->equal, o->kind, &o->options)
CALL(segmented_reduce, o->in, o->segments, o->out, &o->fold, NO, NO, &o->options)
CALL(segmented_scan, o->in, o->segments, o->out, &o->fold, o->kind, &o->options)
CALL(compact, o->in, o->out, &o->keep, NO, NO, &o->options)
CALL(partition, o->in, o->out, o->out_values, &o->keep, NO, NO, &o->options)
CALL(unique, o->in, o->out, &o->equal, NO, NO, &o->options)
CALL(redistribute, o->in, MCL_MPI_SAME, o->out, NO, &o->options)
CALL(multisplit_pairs, o->in, o->values, o->out, o->out_values, &o->bucket, NO, &o->options)
CALL(multisplit, o->in, o->out, &o->bucket, NO, &o->options)
CALL(sort, o->in, MCL_MPI_SAME, o->out, &o->before, NO, &o->options)
CALL(sort_pairs, o->in, o->values, MCL_MPI_SAME, o->out, o->out_values, &o->before, NO, &o->options)
CALL(sort_indices, o->in, MCL_MPI_SAME, o->out, &o->before, NO, &o->options)
CALL(merge, o->in, o->second, MCL_MPI_SAME, o->out, &o->before, NO, &o->options)
CALL(merge_pairs, o->in, o->values, o->second, o->more_values, MCL_MPI_SAME, o->out, o->out_values, &o->before, NO,
     &o->options)
CALL(set_union, o->in, o->second, o->out, &o->before, NO, NO, &o->options)
CALL(set_union_pairs, o->in, o->values, o->second, o->more_values, o->out, o->out_values, &o->before, NO, NO,
     &o->options)
CALL(set_intersection_pairs, o->in, o->values, o->second, o->more_values, o->out, o->out_values, &o->before, NO, NO,
     &o->options)
CALL(join_unsorted, o->join, o->in, o->second, (mcl_output){ 0 }, (mcl_output){ 0 }, &o->before, NO, NO, &o->options)
CALL(top_k, o->in, o->number, o->out, &o->before, NO, &o->options)
CALL(top_k_pairs, o->in, o->values, o->number, o->out, o->out_values, &o->before, NO, &o->options)
CALL(top_k_indices, o->in, o->number, mcl_to_buffer(MCL_INT64, o->out.buffer, 0, 8), &o->before, NO, &o->options)
CALL(nth_element, o->in, o->number, o->result, &o->before, &o->options)
CALL(nth_elements, o->in, o->second, o->out, &o->before, &o->options)
CALL(quantiles, o->in, o->points, o->out, &o->before, o->interpolation, &o->options)
CALL(histogram, o->in, &o->bucket, o->has_weights ? &o->weights : NULL, o->bins, &o->options)
CALL(histogram_even, o->in, o->low, o->high, o->has_weights ? &o->weights : NULL, o->bins, &o->options)
CALL(histogram_range, o->in, o->levels, o->has_weights ? &o->weights : NULL, o->bins, &o->options)
CALL(map_insert, o->map, o->in, o->values, &o->options)
CALL(map_insert_or_assign, o->map, o->in, o->values, &o->options)
CALL(map_insert_or_apply, o->map, o->in, o->values, &o->fold, &o->options)
CALL(map_find, o->map, o->in, o->out, o->missing, o->found, &o->options)
CALL(map_contains, o->map, o->in, o->found, &o->options)
CALL(map_erase, o->map, o->in, &o->options)
CALL(map_retrieve_all, o->map, o->out, o->out_values, NO, NO, &o->options)
CALL(map_size, o->map, NO, NO, &o->options)
CALL(map_skipped, o->map, NO, NO, &o->options)
CALL(map_clear, o->map, &o->options)

static mcl_status map_create(operands *o)
{
    mcl_mpi_map *made = NULL;
    const mcl_status status = mcl_mpi_map_create(o->test->mpi, &o->config, &made);
    mcl_mpi_map_release(made);
    return status;
}

/* ---- changes on one rank ----------------------------------------------------------------------------------- */

#define CHANGE(name, ...)                                                                                              \
    static void name(operands *o)                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
    }

CHANGE(in_type, o->in = mcl_from_constant(MCL_UINT32, &one, FEW))
CHANGE(second_type, o->second = mcl_from_constant(MCL_UINT32, &one, FEW))
CHANGE(values_type, o->values = mcl_from_constant(MCL_FLOAT, &one, FEW))
CHANGE(more_values_type, o->more_values = mcl_from_constant(MCL_FLOAT, &one, FEW))
CHANGE(weights_type, o->weights = mcl_from_constant(MCL_UINT32, &one, FEW))
CHANGE(no_weights, o->has_weights = 0)
CHANGE(result_type, o->result.type = MCL_INT64)
CHANGE(total_type, o->total.type = MCL_INT64)
CHANGE(out_type, o->out.type = MCL_UINT32)
CHANGE(bins_type, o->bins.type = MCL_UINT32)
CHANGE(bin_count, o->bins.capacity = BINS - 1)
CHANGE(level_count, o->levels.count = BINS)
CHANGE(levels_type, o->levels = mcl_from_counting(MCL_INT64, &long_one, BINS + 1))
CHANGE(points_type, static const double half = 0.5; o->points = mcl_from_constant(MCL_DOUBLE, &half, 2))
CHANGE(points_value, static const float third = 0.3f; o->points = mcl_from_constant(MCL_FLOAT, &third, 2))
CHANGE(points_count, o->second.count = FEW - 1)
CHANGE(low_bound, o->low = 1)
CHANGE(high_bound, o->high = 9)
CHANGE(other_number, o->number = 3)
CHANGE(scan_kind, o->kind = MCL_INCLUSIVE)
CHANGE(join_kind, o->join = MCL_JOIN_LEFT)
CHANGE(segment_kind, o->segments = mcl_segments_from_flags(mcl_from_constant(MCL_UINT32, &one, FEW)))
CHANGE(row_length, o->segments = mcl_segments_from_rows(4, 1))
CHANGE(interpolated, o->interpolation = MCL_INTERPOLATION_HIGHER)
CHANGE(fold_value, o->fold.value = MCL_INT64)
CHANGE(fold_result, o->fold.result = MCL_INT64)
CHANGE(fold_expression, o->fold.expression = "q + p")
CHANGE(fold_source, o->fold.source = "typedef int32_t unused;")
CHANGE(fold_identity, o->fold.identity = "(0)")
CHANGE(fold_extract, o->fold.extract = "x + 1")
CHANGE(fold_combine, o->fold.combine = "v + 1")
CHANGE(fold_commutative, o->fold.commutative = !o->fold.commutative)
CHANGE(fold_role, o->fold.role = MCL_ROLE_FUNCTION)
CHANGE(fold_binding, o->fold.binding_count = 1; o->fold.bindings[0] = mcl_binding_value("by", MCL_INT32, &one))
CHANGE(fold_pair, o->fold.value = &o->pair)
CHANGE(fold_pair_size, o->fold.value = &o->pair; o->pair.size = 16)
CHANGE(fold_pair_alignment, o->fold.value = &o->pair; o->pair.alignment = 8)
CHANGE(fold_pair_source, o->fold.value = &o->pair; o->pair.source = other_pair_source)
CHANGE(fold_pair_members, o->fold.value = &o->pair; o->pair.members = other_members)
CHANGE(initial_one, o->options.initial = &one)
CHANGE(initial_two, o->options.initial = &two)
CHANGE(before_expression, o->before = *MCL_GREATER)
CHANGE(equal_source, o->equal.source = "typedef int32_t unused;")
CHANGE(bucket_expression, o->bucket.expression = "x + 1")
CHANGE(binding_value, o->keep.bindings[0] = mcl_binding_value("limit", MCL_INT32, &two))
CHANGE(binding_type, o->keep.bindings[0] = mcl_binding_value("limit", MCL_UINT32, &one))
CHANGE(binding_name, o->keep.bindings[0] = mcl_binding_value("bound", MCL_INT32, &one))
CHANGE(binding_array, o->keep.bindings[0] = mcl_binding_buffer("limit", MCL_INT32, o->out.buffer, 0))
CHANGE(flags, o->options.flags = MCL_INDEX_64)
CHANGE(validated, o->options.flags = MCL_VALIDATE)
CHANGE(method, o->options.sort_method = MCL_SORT_MERGE)
CHANGE(set_of_keys, o->config.value = NULL)
CHANGE(map_key, o->config.key = MCL_UINT32)
CHANGE(map_value, o->config.value = MCL_INT64)
CHANGE(map_empty, o->config.empty_key = &two)
CHANGE(map_erased, o->config.erased_key = &two)
CHANGE(map_other, o->map = o->other_map)
CHANGE(no_missing, o->missing = NULL)
CHANGE(missing_two, o->missing = &two)
CHANGE(no_found, o->found = (mcl_output){ 0 })
CHANGE(no_values, o->out = (mcl_output){ 0 })

/* Differences between ranks. change is applied on one rank. base is applied on all ranks first, or is NULL. */
static const struct difference {
    mcl_status (*call)(operands *o);
    void (*base)(operands *o);
    void (*change)(operands *o);
    const char *words;
} differences[] = {
    { reduce, NULL, in_type, "the type of in is uint32_t|int32_t" },
    { reduce, NULL, fold_value, "op->value is int64_t|not given" },
    { reduce, fold_value, fold_pair, "op->value is pair of 8 bytes|int64_t" },
    { reduce, fold_pair, fold_pair_size, "op->value is pair of 16 bytes|pair of 8 bytes" },
    { reduce, fold_pair, fold_pair_alignment, "op->value is pair of 8 bytes" },
    { reduce, fold_pair, fold_pair_source, "op->value is pair of 8 bytes" },
    { reduce, fold_pair, fold_pair_members, "op->value is pair of 8 bytes" },
    { reduce, NULL, fold_result, "op->result is int64_t" },
    { reduce, NULL, fold_expression, "op->expression is \"q + p\"|\"p + q\"" },
    { reduce, NULL, fold_source, "op->source is |not given" },
    { reduce, NULL, fold_identity, "op->identity is \"(0)\"" },
    { reduce, NULL, fold_extract, "op->extract is \"x + 1\"|not given" },
    { reduce, NULL, fold_combine, "op->combine is \"v + 1\"" },
    { reduce, NULL, fold_commutative, "op->commutative is " },
    { reduce, NULL, fold_role, "op->role is 5" },
    { reduce, NULL, fold_binding, "op->binding_count is 1" },
    { reduce, NULL, initial_one, "options->initial is 01000000|not given" },
    { reduce, initial_two, initial_one, "options->initial is 01000000|02000000" },
    { reduce, NULL, result_type, "the type of result is int64_t|int32_t" },
    { reduce, NULL, flags, "options->flags is 4" },
    { scan, NULL, fold_value, "op->value is int64_t" },
    { scan, NULL, out_type, "the type of out is uint32_t" },
    { scan, NULL, total_type, "the type of total is int64_t" },
    { scan, NULL, scan_kind, "kind is 1" },
    { scan, NULL, initial_one, "options->initial" },
    { scan, NULL, flags, "options->flags" },
    { group_by, NULL, in_type, "the type of keys is uint32_t" },
    { group_by, NULL, values_type, "the type of values 0 is float" },
    { group_by, NULL, fold_value, "aggregates[0].op->value is int64_t" },
    { group_by, NULL, flags, "options->flags" },
    { distinct, NULL, in_type, "the type of keys is uint32_t" },
    { reduce_by_key, NULL, in_type, "the type of keys is uint32_t" },
    { reduce_by_key, NULL, values_type, "the type of values is float" },
    { reduce_by_key, NULL, fold_value, "op->value is int64_t" },
    { reduce_by_key, NULL, equal_source, "equal->source is " },
    { reduce_by_key, NULL, flags, "options->flags" },
    { scan_by_key, NULL, in_type, "the type of keys is uint32_t" },
    { scan_by_key, NULL, values_type, "the type of elements is float" },
    { scan_by_key, NULL, fold_value, "op->value is int64_t" },
    { scan_by_key, NULL, equal_source, "equal->source is " },
    { scan_by_key, NULL, scan_kind, "kind is 1" },
    { scan_by_key, NULL, out_type, "the type of out is uint32_t" },
    { segmented_reduce, NULL, in_type, "the type of elements is uint32_t" },
    { segmented_reduce, NULL, fold_value, "op->value is int64_t" },
    { segmented_reduce, NULL, segment_kind, "segments.kind is " },
    { segmented_reduce, NULL, row_length, "segments.row_length is " },
    { segmented_reduce, NULL, out_type, "the type of out is uint32_t" },
    { segmented_reduce, NULL, initial_one, "options->initial" },
    { segmented_reduce, NULL, validated, "options->flags" },
    { segmented_scan, NULL, fold_value, "op->value is int64_t" },
    { segmented_scan, NULL, scan_kind, "kind is 1" },
    { compact, NULL, in_type, "the type of in is uint32_t" },
    { compact, NULL, binding_value, "the operator->bindings[0] is int32_t limit 02000000" },
    { compact, NULL, binding_type, "the operator->bindings[0] is uint32_t limit" },
    { compact, NULL, binding_name, "the operator->bindings[0] is int32_t bound" },
    { compact, NULL, binding_array, "the operator->bindings[0] is int32_t limit array" },
    { compact, NULL, flags, "options->flags" },
    { partition, NULL, binding_value, "the operator->bindings[0] is " },
    { unique, NULL, equal_source, "the operator->source" },
    { redistribute, NULL, in_type, "the type of in is uint32_t" },
    { redistribute, NULL, flags, "options->flags" },
    { multisplit, NULL, bucket_expression, "bucket->expression is \"x + 1\"" },
    { multisplit_pairs, NULL, values_type, "the type of values is float" },
    { multisplit_pairs, NULL, in_type, "the type of keys is uint32_t" },
    { multisplit, NULL, flags, "options->flags" },
    { sort, NULL, in_type, "the type of keys is uint32_t" },
    { sort, NULL, before_expression, "before->expression is \"LESS(q, p)\"" },
    { sort, NULL, method, "options->sort_method is 1" },
    { sort, NULL, flags, "options->flags" },
    { sort_pairs, NULL, values_type, "the type of values is float" },
    { sort_indices, NULL, before_expression, "before->expression is" },
    { merge, NULL, before_expression, "before->expression is" },
    { merge, NULL, second_type, "the type of b's keys is uint32_t" },
    { merge_pairs, NULL, values_type, "the type of a's values is float" },
    { merge_pairs, NULL, more_values_type, "the type of b's values is float" },
    { merge, NULL, flags, "options->flags" },
    { set_union, NULL, in_type, "the type of a's keys is uint32_t" },
    { set_union, NULL, before_expression, "before->expression is" },
    { set_union_pairs, NULL, more_values_type, "the type of b's values is float" },
    { set_intersection_pairs, NULL, values_type, "the type of a's values is float" },
    { set_union, NULL, flags, "options->flags" },
    { join_unsorted, NULL, second_type, "the type of b is uint32_t" },
    { join_unsorted, NULL, before_expression, "before->expression is" },
    { join_unsorted, NULL, join_kind, "kind is" },
    { join_unsorted, NULL, method, "options->sort_method is 1" },
    { top_k, NULL, other_number, "k is 3|2" },
    { top_k_pairs, NULL, values_type, "the type of values is float" },
    { top_k_indices, NULL, before_expression, "before->expression is" },
    { top_k, NULL, flags, "options->flags" },
    { nth_element, NULL, other_number, "nth is 3" },
    { nth_element, NULL, before_expression, "before->expression is" },
    { nth_element, NULL, flags, "options->flags" },
    { nth_elements, NULL, points_count, "indices is 3 of them" },
    { nth_elements, NULL, second_type, "the type of indices is uint32_t" },
    { quantiles, NULL, points_type, "the type of fractions is double" },
    { quantiles, NULL, points_value, "fractions is 2 of them" },
    { quantiles, NULL, interpolated, "interpolation is" },
    { quantiles, NULL, flags, "options->flags" },
    { histogram, NULL, bucket_expression, "bin->expression is" },
    { histogram, NULL, in_type, "the type of in is uint32_t" },
    { histogram, NULL, bins_type, "the type of bins is uint32_t" },
    { histogram, NULL, bin_count, "the number of bins is 2" },
    { histogram, NULL, weights_type, "the type of weights is uint32_t" },
    { histogram, NULL, no_weights, "the type of weights is not given" },
    { histogram_even, NULL, low_bound, "low is 1" },
    { histogram_even, NULL, high_bound, "high is 9" },
    { histogram_even, NULL, flags, "options->flags" },
    { histogram_range, NULL, level_count, "the number of levels is 3" },
    { histogram_range, NULL, levels_type, "the type of levels is int64_t" },
    { map_create, NULL, map_key, "config->key is uint32_t" },
    { map_create, NULL, map_value, "config->value is int64_t" },
    { map_create, NULL, set_of_keys, "config->value is not given" },
    { map_create, NULL, map_empty, "config->empty_key is 02000000" },
    { map_create, NULL, map_erased, "config->erased_key is 02000000" },
    { map_insert, NULL, map_other, "the number of map is " },
    { map_insert, NULL, flags, "options->flags" },
    { map_insert_or_assign, NULL, map_other, "the number of map is " },
    { map_insert_or_apply, NULL, fold_expression, "op->expression is" },
    { map_insert_or_apply, NULL, fold_value, "op->value is" },
    { map_find, NULL, missing_two, "missing is 02000000" },
    { map_find, NULL, no_missing, "missing is not given" },
    { map_find, NULL, no_found, "whether found is given is 0" },
    { map_find, NULL, no_values, "whether values are given is 0" },
    { map_contains, NULL, flags, "options->flags" },
    { map_erase, NULL, map_other, "the number of map is " },
    { map_retrieve_all, NULL, map_other, "the number of map is " },
    { map_size, NULL, map_other, "the number of map is " },
    { map_skipped, NULL, flags, "options->flags" },
    { map_clear, NULL, map_other, "the number of map is " },
};

/* ---- tests ------------------------------------------------------------------------------------------------- */

static void expect_difference(operands *o, const struct difference *d, int other)
{
    ranks_test *const test = o->test;
    char what[160], rank[160];
    const size_t number = (size_t)(d - differences);
    snprintf(what, sizeof what, "row %zu, %s, on rank %d", number, d->words, other);
    if (d->base) d->base(o);
    if (d->change && test->rank == other) d->change(o);
    const mcl_status status = d->call(o);
    expect_failure(test, status, MCL_ERROR_PRECONDITION, "expected the same call on all ranks", what);
    /* other ranks compare with rank 0, so a change on rank 0 is reported by rank 1 */
    snprintf(rank, sizeof rank, ": rank %d: |%s", other > 0 ? other : 1, other > 0 ? d->words : "");
    expect_failure(test, status, MCL_ERROR_PRECONDITION, rank, what);
}

/* Checks that ranks fail if one of them calls another function with the same operands. */
static void expect_other_function(operands *o, mcl_status (*call)(operands *o), mcl_status (*other)(operands *o))
{
    ranks_test *const test = o->test;
    const mcl_status status = test->rank == test->size - 1 ? other(o) : call(o);
    expect_failure(test, status, MCL_ERROR_PRECONDITION, "the function is \"mcl_mpi_|on rank 0 \"mcl_mpi_|expected the",
                   "another function");
}

/* Checks items that may differ between ranks: an empty part, the tile, the kind of input, and a missing result. */
static void own_items(ranks_test *test, mcl_buffer *outputs)
{
    static const operands none;
    operands o = none;
    operands_make(&o, test, outputs);
    if (test->rank == 0) {
        o.in.count = 0;
        o.options.tile_threads = 1;
        o.options.tile_items = 64;
    }
    if (test->rank == test->size - 1) o.total = mcl_to_nowhere();
    expect_ok(test, scan(&o), "a tile, a count and a wish for a total of a rank's own");
    if (test->rank != test->size - 1) expect_true(test, (int32_t)o.sum == FEW * (test->size - 1), "the total");
}

void test_agree(ranks_test *test)
{
    static _Thread_local operands o;
    static const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    mcl_buffer *outputs = NULL;
    mcl_mpi_map *maps[2] = { NULL, NULL };
    if (test->size == 1) return;
    expect_core(test, mcl_buffer_create(test->context, 2 * ROOM * 8, NULL, &outputs), "memory of the outputs");
    for (int k = 0; k < 2; ++k) expect_ok(test, mcl_mpi_map_create(test->mpi, &config, &maps[k]), "a map");
    for (size_t k = 0; k < sizeof differences / sizeof differences[0]; ++k)
        for (int other = 0; other < test->size; other += test->size - 1) {
            operands_make(&o, test, outputs);
            o.map = maps[0];
            o.other_map = maps[1];
            expect_difference(&o, &differences[k], other);
        }
    operands_make(&o, test, outputs);
    o.map = maps[0];
    expect_other_function(&o, reduce, scan);
    expect_other_function(&o, sort, merge);
    expect_other_function(&o, histogram_even, histogram_range);
    expect_other_function(&o, map_size, map_skipped);
    expect_other_function(&o, map_insert, reduce);
    own_items(test, outputs);
    for (int k = 0; k < 2; ++k) mcl_mpi_map_release(maps[k]);
    mcl_buffer_release(outputs);
}
