/* test_bounds_folds.c: folds, scans, compactions and radix sorts with data, operators and device counts that break
 * every precondition. They must stay in their memory and end. */
#include "support/hostile.h"

#include <stdlib.h>

enum { LENGTH_MAX = 3001, SIZES = 5, COUNTS = 5 };
static const int64_t sizes[SIZES] = { 1, 2, 97, 1000, LENGTH_MAX };
/* Counts in the slot of a count; at index 0 there is no slot. */
static const int64_t slot_counts[COUNTS] = { 0, -1, INT64_MIN, INT64_MAX, 37 };

/* A fold, an equality and a test that make no sense. */
static const mcl_op no_fold = { .role = MCL_ROLE_FOLD, .expression = "p * 3 - q", .identity = "7" };
static const mcl_op no_equality = { .role = MCL_ROLE_EQUALITY, .expression = "p < q || p == 3" };
static const mcl_op odd_test = { .role = MCL_ROLE_TEST, .expression = "x ^ (x >> 3)" };
static const mcl_op other_test = { .role = MCL_ROLE_TEST, .expression = "x == x" };
static const mcl_op no_bucket = { .role = MCL_ROLE_INDEX, .expression = "x * x - i" };
static const mcl_op never = { .role = MCL_ROLE_TEST, .expression = "0" };

typedef struct operands {
    hostile_array in, values, offsets, flags, out, second, rest, lengths, results, slot;
    int has_slot;
} operands;

static mcl_input counted(const operands *o, const hostile_array *array)
{
    const mcl_input input = hostile_input(array);
    return o->has_slot ? mcl_with_count(input, o->slot.buffer, o->slot.first) : input;
}

static mcl_result result_at(const operands *o)
{
    return mcl_to_slot(MCL_INT64, o->results.buffer, o->results.first);
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

#define CALL(name, ...)                                                                                                \
    static mcl_status name(mcl_queue *queue, const hostile_turn *turn, const void *given, const mcl_options *options)  \
    {                                                                                                                  \
        const operands *const o = given;                                                                               \
        (void)turn;                                                                                                    \
        return __VA_ARGS__;                                                                                            \
    }

CALL(by_reduce,
     mcl_reduce(queue, counted(o, &o->in), &no_fold, mcl_to_slot(MCL_INT32, o->out.buffer, o->out.first), options))
CALL(by_scan,
     mcl_scan(queue, counted(o, &o->in), hostile_output(&o->out), &no_fold, MCL_EXCLUSIVE, mcl_to_nowhere(), options))
CALL(by_scan_inclusive, mcl_scan(queue, counted(o, &o->in), hostile_output(&o->out), &no_fold, MCL_INCLUSIVE,
                                 mcl_to_slot(MCL_INT32, o->rest.buffer, o->rest.first), options))
CALL(by_segmented_reduce,
     mcl_segmented_reduce(queue, counted(o, &o->in), mcl_segments_from_offsets(hostile_input(&o->offsets)),
                          hostile_output(&o->out), &no_fold, mcl_to_nowhere(), options))
CALL(by_segmented_reduce_add,
     mcl_segmented_reduce(queue, counted(o, &o->in), mcl_segments_from_offsets(hostile_input(&o->offsets)),
                          hostile_output(&o->out), MCL_ADD, mcl_to_nowhere(), options))
CALL(by_segmented_reduce_long,
     mcl_segmented_reduce(queue, counted(o, &o->in),
                          mcl_segments_from_offsets(mcl_from_buffer(MCL_INT64, o->offsets.buffer, o->offsets.first,
                                                                    o->offsets.count < 5 ? o->offsets.count : 5)),
                          hostile_output(&o->out), MCL_ADD, mcl_to_nowhere(), options))
CALL(by_segmented_reduce_flags,
     mcl_segmented_reduce(queue, hostile_input(&o->in), mcl_segments_from_flags(hostile_input(&o->flags)),
                          hostile_output(&o->lengths), &no_fold, result_at(o), options))
CALL(by_segmented_reduce_begins,
     mcl_segmented_reduce(queue, counted(o, &o->in),
                          mcl_segments_from_begins(mcl_from_buffer(MCL_INT64, o->offsets.buffer, o->offsets.first,
                                                                   o->offsets.count - 1)),
                          hostile_output(&o->out), &no_fold, result_at(o), options))
CALL(by_segmented_reduce_indices,
     mcl_segmented_reduce(queue, counted(o, &o->in), mcl_segments_from_indices(hostile_input(&o->offsets)),
                          hostile_output(&o->lengths), &no_fold, result_at(o), options))
CALL(by_segmented_scan_begins,
     mcl_segmented_scan(queue, counted(o, &o->in), mcl_segments_from_begins(hostile_input(&o->offsets)),
                        hostile_output(&o->out), &no_fold, MCL_EXCLUSIVE, options))
CALL(by_segmented_scan,
     mcl_segmented_scan(queue, counted(o, &o->in), mcl_segments_from_offsets(hostile_input(&o->offsets)),
                        hostile_output(&o->out), &no_fold, MCL_INCLUSIVE, options))
CALL(by_segmented_scan_flags,
     mcl_segmented_scan(queue, hostile_input(&o->in), mcl_segments_from_flags(hostile_input(&o->flags)),
                        hostile_output(&o->out), &no_fold, MCL_EXCLUSIVE, options))
CALL(by_reduce_by_key,
     mcl_reduce_by_key(queue, counted(o, &o->in), hostile_input(&o->values), hostile_output(&o->lengths),
                       hostile_output(&o->second), &no_fold, &no_equality, result_at(o), options))
CALL(by_scan_by_key, mcl_scan_by_key(queue, counted(o, &o->in), hostile_input(&o->values), hostile_output(&o->out),
                                     &no_fold, &no_equality, MCL_EXCLUSIVE, options))
CALL(by_compact, mcl_compact(queue, counted(o, &o->in), hostile_output(&o->lengths), &odd_test, result_at(o), options))
CALL(by_compact_unordered,
     mcl_compact(queue, counted(o, &o->in), hostile_output(&o->lengths), &other_test, result_at(o),
                 &(mcl_options){ .flags = options->flags | MCL_UNORDERED,
                                 .tile_threads = options->tile_threads,
                                 .tile_items = options->tile_items,
                                 .append = MCL_APPEND_GROUP_SCAN,
                                 .scratch = options->scratch,
                                 .scratch_offset = options->scratch_offset,
                                 .scratch_bytes = options->scratch_bytes }))
CALL(by_compact_flagged, mcl_compact_flagged(queue, counted(o, &o->in), hostile_input(&o->values),
                                             hostile_output(&o->lengths), result_at(o), options))
CALL(by_partition, mcl_partition(queue, counted(o, &o->in), hostile_output(&o->lengths), hostile_output(&o->rest),
                                 &odd_test, result_at(o), options))
CALL(by_compact_columns,
     mcl_compact_columns(queue, counted(o, &o->in), hostile_output(&o->lengths),
                         (mcl_column[]){ { hostile_input(&o->in), { 0 } },
                                         { hostile_input(&o->in), { 0 } },
                                         { hostile_input(&o->in), { 0 } },
                                         { hostile_input(&o->in), { 0 } },
                                         { hostile_input(&o->values), hostile_output(&o->second) } },
                         5, &other_test, result_at(o), options))
CALL(by_partition_columns,
     mcl_partition_columns(queue, counted(o, &o->in), (mcl_output){ 0 }, hostile_output(&o->lengths),
                           &(mcl_partition_column){ hostile_input(&o->values), hostile_output(&o->second),
                                                    hostile_output(&o->rest) },
                           1, &other_test, result_at(o), options))
CALL(by_partition_pairs,
     mcl_partition_columns(queue, counted(o, &o->in), hostile_output(&o->out), hostile_output(&o->lengths),
                           &(mcl_partition_column){ hostile_input(&o->values), hostile_output(&o->second),
                                                    hostile_output(&o->rest) },
                           1, &odd_test, result_at(o), options))
CALL(by_partition_three,
     mcl_partition_three(queue, counted(o, &o->in), hostile_output(&o->lengths), hostile_output(&o->second),
                         hostile_output(&o->rest), &never, &odd_test, result_at(o), options))
CALL(by_unique, mcl_unique(queue, counted(o, &o->in), hostile_output(&o->lengths), &no_equality, result_at(o), options))
CALL(by_unique_by_key,
     mcl_unique_by_key(queue, counted(o, &o->in), hostile_input(&o->values), hostile_output(&o->lengths),
                       hostile_output(&o->second), &no_equality, result_at(o), options))
CALL(by_run_lengths, mcl_run_length_encode(queue, counted(o, &o->in), hostile_output(&o->lengths),
                                           hostile_output(&o->second), &no_equality, result_at(o), options))
CALL(by_multisplit, mcl_multisplit_pairs(queue, counted(o, &o->in), hostile_input(&o->values), hostile_output(&o->out),
                                         hostile_output(&o->rest), &no_bucket, 1 + (int)(o->in.count % 256),
                                         (mcl_output){ 0 }, (mcl_output){ 0 }, options))
CALL(by_radix_sort, mcl_sort_pairs(queue, counted(o, &o->in), hostile_input(&o->values), hostile_output(&o->out),
                                   hostile_output(&o->rest), MCL_GREATER, options))

static const struct {
    const char *name;
    hostile_call call;
} calls[] = {
    { "mcl_reduce", by_reduce },
    { "mcl_scan", by_scan },
    { "mcl_scan, inclusive", by_scan_inclusive },
    { "mcl_segmented_reduce", by_segmented_reduce },
    { "mcl_segmented_reduce, MCL_ADD", by_segmented_reduce_add },
    { "mcl_segmented_reduce, few segments", by_segmented_reduce_long },
    { "mcl_segmented_reduce_flags", by_segmented_reduce_flags },
    { "mcl_segmented_reduce, begins", by_segmented_reduce_begins },
    { "mcl_segmented_reduce, indices", by_segmented_reduce_indices },
    { "mcl_segmented_scan", by_segmented_scan },
    { "mcl_segmented_scan, begins", by_segmented_scan_begins },
    { "mcl_segmented_scan_flags", by_segmented_scan_flags },
    { "mcl_reduce_by_key", by_reduce_by_key },
    { "mcl_scan_by_key", by_scan_by_key },
    { "mcl_compact", by_compact },
    { "mcl_compact, unordered", by_compact_unordered },
    { "mcl_compact_flagged", by_compact_flagged },
    { "mcl_partition", by_partition },
    { "mcl_compact_columns", by_compact_columns },
    { "mcl_partition_columns", by_partition_columns },
    { "mcl_partition_columns, nothing left out", by_partition_pairs },
    { "mcl_partition_three", by_partition_three },
    { "mcl_unique", by_unique },
    { "mcl_unique_by_key", by_unique_by_key },
    { "mcl_run_length_encode", by_run_lengths },
    { "mcl_multisplit_pairs", by_multisplit },
    { "mcl_sort_pairs", by_radix_sort },
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- one problem ---------------------------------------------------------------------------------------------- */

/* Makes offsets that rise and fall, repeat, and lie far outside on both sides. */
static void hostile_offsets(int64_t *out, int64_t count, int kind)
{
    static const int64_t far[] = { -1, INT64_MIN, INT64_MAX, -5000000000, 5000000000, 0 };
    for (int64_t k = 0; k < count; k++) {
        out[k] = count - k;
        if (kind == 1) out[k] = k * 7919 % (count + 1);
        if (kind == 2) out[k] = far[k % 6];
        if (kind == 3) out[k] = k < count / 2 ? INT64_MIN : INT64_MAX;
        if (kind == 4 && k % 5 == 0) out[k] = far[k / 5 % 6];
    }
}

/* Makes the operands. Outputs of lists are shorter than the possible results. */
static operands begin(int device, int64_t count, int kind)
{
    static int32_t numbers[LENGTH_MAX], others[LENGTH_MAX];
    static int64_t offsets[LENGTH_MAX + 1];
    operands o = { .has_slot = slot_counts[kind] != 0 };
    hostile_ints(numbers, count, kind % HOSTILE_KINDS);
    hostile_ints(others, count, 4);
    hostile_offsets(offsets, count + 1, kind);
    o.in = hostile_array_of(device, MCL_INT32, numbers, count);
    o.values = hostile_array_of(device, MCL_INT32, others, count);
    o.offsets = hostile_array_of(device, MCL_INT64, offsets, count + 1);
    o.flags = hostile_array_of(device, MCL_UINT32, others, (count + 31) / 32);
    o.out = hostile_array_empty(device, MCL_INT32, count);
    o.rest = hostile_array_empty(device, MCL_INT32, count);
    o.second = hostile_array_empty(device, MCL_INT32, count / 3);
    o.lengths = hostile_array_empty(device, MCL_INT32, count / 2);
    o.results = hostile_array_empty(device, MCL_INT64, 3);
    o.slot = hostile_array_of(device, MCL_INT64, &slot_counts[kind], 1);
    return o;
}

static void end(int device, operands *o, const char *what)
{
    hostile_array *const arrays[] = { &o->in,   &o->values, &o->offsets, &o->flags,   &o->out,
                                      &o->rest, &o->second, &o->lengths, &o->results, &o->slot };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        hostile_read(device, arrays[k], NULL, what);
        hostile_free(arrays[k]);
    }
}

enum { TILES = 4, ROUNDS = CALLS * TILES };

START_TEST(nothing_outside_is_written_and_every_call_ends)
{
    const int round = _i % ROUNDS, device = _i / ROUNDS, call = round % CALLS, tile = round / CALLS;
    const hostile_turn turn = { device, hostile_options(round + tile), calls[call].name };
    if (!test_sample_takes(round, ROUNDS)) return;
    for (int size = 0; size < SIZES; size++)
        for (int kind = 0; kind < COUNTS; kind++) {
            operands o = begin(device, sizes[size], kind);
            hostile_run(&turn, calls[call].call, &o);
            end(device, &o, turn.what);
        }
}
END_TEST

/* A map with all slots filled takes no more keys of a sub-map than it has room for. */
START_TEST(a_full_map_is_searched_and_filled_in_its_memory)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 64, .max_load = 1 };
    operands o = begin(_i, 1000, 3);
    mcl_map *map = NULL;
    int64_t size = 0;
    const int64_t huge = INT64_MAX;
    hostile_array slot = hostile_array_of(_i, MCL_INT64, &huge, 1);
    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &map));
    const mcl_input few =
        mcl_with_count(mcl_from_buffer(MCL_INT32, o.in.buffer, o.in.first, 64), slot.buffer, slot.first);
    for (int round = 0; round < 3; round++) {
        test_ok(mcl_map_insert(queue, map, few, hostile_input(&o.values), NULL));
        test_ok(mcl_map_find(queue, map, hostile_input(&o.in), hostile_output(&o.out), NULL, (mcl_output){ 0 }, NULL));
        test_ok(mcl_map_insert_or_assign(queue, map, counted(&o, &o.in), hostile_input(&o.values), NULL));
        test_ok(mcl_map_insert_or_apply(queue, map, counted(&o, &o.in), hostile_input(&o.values), MCL_ADD, NULL));
        test_ok(mcl_map_erase(queue, map, hostile_input(&o.values), NULL));
        test_ok(mcl_map_retrieve_all(queue, map, hostile_output(&o.lengths), hostile_output(&o.second),
                                     mcl_to_nowhere(), NULL));
    }
    test_ok(mcl_map_size(queue, map, mcl_to_host(MCL_INT64, &size), NULL));
    ck_assert_int_le(size, mcl_map_capacity(map));
    ck_assert_int_ge(size, 1);
    mcl_map_release(map);
    hostile_free(&slot);
    end(_i, &o, "a full map");
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, nothing_outside_is_written_and_every_call_ends, device, ROUNDS);
    test_add(tcase, a_full_map_is_searched_and_filled_in_its_memory, device);
}

int main(void)
{
    return test_main("bounds_folds", add);
}
