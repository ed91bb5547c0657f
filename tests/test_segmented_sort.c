/* test_segmented_sort.c: tests mcl_segmented_sort, its forms for pairs and for indices, and its reports. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(segmented_sort_equals_the_loop)
{
    run_case_round(&segmented_sort_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };

/* Sorts the elements between starts, which ascend and lie in [0, count]. */
static void sort_between(int32_t *data, int count, const int32_t *starts, int start_count)
{
    int begin = 0;

    for (int k = 0; k <= start_count; k++) {
        const int end = k < start_count ? starts[k] : count;
        qsort(data + begin, (size_t)(end - begin), sizeof *data, compare_ints);
        begin = end;
    }
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

START_TEST(pairs_are_sorted_in_place_and_equal_keys_keep_their_order)
{
    enum { COUNT = 5000 };
    static int32_t keys[COUNT];
    static int32_t got_keys[COUNT];
    static int32_t got[COUNT];
    const int32_t zero = 0;
    const int32_t seven = 700;
    const mcl_segments segments = mcl_segments_from_indices(mcl_from_step(MCL_INT32, &zero, &seven, 8));

    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        mcl_queue *queue = test_device_at(_i)->queue;
        random_ints(keys, COUNT, 5, 77, 0);
        mcl_buffer *key_buffer = ARRAY_OF(_i, keys);
        mcl_buffer *values = array_empty(_i, sizeof got);
        test_ok(mcl_transform(queue, ints_counting(COUNT), ints_out(values, COUNT), NULL));
        test_ok(mcl_segmented_sort_pairs(queue, ints(key_buffer, COUNT), ints(values, COUNT), segments,
                                         ints_out(key_buffer, COUNT), ints_out(values, COUNT), MCL_GREATER, MCL_STABLE,
                                         NULL, &tilings[tiling]));
        ARRAY_READ(_i, key_buffer, got_keys);
        ARRAY_READ(_i, values, got);
        for (int k = 0; k < COUNT; k++) {
            ck_assert_int_eq(got_keys[k], keys[got[k]]);
            ck_assert_int_eq(got[k] / 700, k / 700);
            if (k % 700 == 0) continue;
            ck_assert_msg(got_keys[k] < got_keys[k - 1] || (got_keys[k] == got_keys[k - 1] && got[k] > got[k - 1]),
                          "tiling %d: place %d", tiling, k);
        }
        mcl_buffer_release(key_buffer);
        mcl_buffer_release(values);
    }
}
END_TEST

START_TEST(pairs_of_an_unstable_sort_stay_together)
{
    enum { COUNT = 3000 };
    static int32_t keys[COUNT];
    static int32_t got_keys[COUNT];
    static int32_t got[COUNT];
    static int seen[COUNT];
    const int32_t zero = 0;
    const int32_t step = 100;
    const mcl_segments segments = mcl_segments_from_indices(mcl_from_step(MCL_INT32, &zero, &step, COUNT / 100));

    random_ints(keys, COUNT, 9, 5, 0);
    mcl_buffer *key_buffer = ARRAY_OF(_i, keys);
    mcl_buffer *values = array_empty(_i, sizeof got);
    mcl_buffer *out = array_empty(_i, sizeof got);
    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        test_ok(mcl_segmented_sort_pairs(test_device_at(_i)->queue, ints(key_buffer, COUNT), ints_counting(COUNT),
                                         segments, ints_out(out, COUNT), ints_out(values, COUNT), MCL_LESS,
                                         MCL_UNSTABLE, NULL, &tilings[tiling]));
        ARRAY_READ(_i, out, got_keys);
        ARRAY_READ(_i, values, got);
        memset(seen, 0, sizeof seen);
        for (int k = 0; k < COUNT; k++) {
            ck_assert_int_eq(got[k] / 100, k / 100);
            ck_assert_int_eq(seen[got[k]]++, 0);
            ck_assert_int_eq(got_keys[k], keys[got[k]]);
            ck_assert(k % 100 == 0 || got_keys[k - 1] <= got_keys[k]);
        }
    }
    mcl_buffer_release(key_buffer);
    mcl_buffer_release(values);
    mcl_buffer_release(out);
}
END_TEST

/* ---- indices ---------------------------------------------------------------------------------------------------- */

/* Rows have LENGTH keys, and keys are sorted in place. Then a count leaves the last rows out. */
START_TEST(rows_have_their_indices_and_their_keys_in_place)
{
    enum { ROWS = 41, LENGTH = 73, COUNT = ROWS * LENGTH, LESS = 30 * LENGTH + 5 };
    static int32_t keys[COUNT];
    static int32_t sorted[COUNT];
    static int32_t got[COUNT];
    static const int64_t slots[] = { LESS };
    const int32_t zero = 0;
    const int32_t length = LENGTH;
    const mcl_segments rows = mcl_segments_from_offsets(mcl_from_step(MCL_INT32, &zero, &length, ROWS + 1));
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    random_ints(keys, COUNT, 9, 12, 0);
    for (int turn = 0; turn < 8; turn++) {
        if (!test_takes_tile(&tilings[turn / 4])) continue;
        const int in_rows = turn & 1;
        const int count = turn & 2 ? LESS : COUNT;
        memset(got, 0x77, sizeof got);
        mcl_buffer *buffer = ARRAY_OF(_i, keys);
        mcl_buffer *indices = ARRAY_OF(_i, got);
        const mcl_input in = ints(buffer, COUNT);
        test_ok(mcl_segmented_sort_indices(
            queue, turn & 2 ? mcl_with_count(in, slot, 0) : in, rows, ints_out(buffer, COUNT), ints_out(indices, COUNT),
            in_rows ? MCL_INDEX_IN_SEGMENT : MCL_INDEX_IN_SEQUENCE, MCL_LESS, MCL_STABLE, NULL, &tilings[turn / 4]));
        ARRAY_READ(_i, buffer, sorted);
        ARRAY_READ(_i, indices, got);
        for (int k = 0; k < count; k++) {
            const int row = k / LENGTH * LENGTH;
            const int index = in_rows ? row + got[k] : got[k];
            ck_assert_int_eq(index / LENGTH, k / LENGTH);
            ck_assert_int_eq(sorted[k], keys[index]);
            if (k == row) continue;
            ck_assert(sorted[k - 1] < sorted[k] || (sorted[k - 1] == sorted[k] && got[k - 1] < got[k]));
        }
        for (int k = count; k < COUNT; k++) ck_assert(sorted[k] == keys[k] && got[k] == 0x77777777);
        mcl_buffer_release(buffer);
        mcl_buffer_release(indices);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(a_recording_sorts_indices_of_other_keys_again)
{
    enum { COUNT = 2000, LENGTH = 9 };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    const int32_t zero = 0;
    const int32_t length = LENGTH;
    const mcl_segments rows =
        mcl_segments_from_begins(mcl_from_step(MCL_INT32, &zero, &length, (COUNT + LENGTH - 1) / LENGTH));
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_recording *recording = NULL;
    mcl_buffer *buffer = ARRAY_OF(_i, keys);
    mcl_buffer *indices = ARRAY_OF(_i, got);

    test_ok(mcl_record_begin(queue));
    test_ok(mcl_segmented_sort_indices(queue, ints(buffer, COUNT), rows, (mcl_output){ 0 }, ints_out(indices, COUNT),
                                       MCL_INDEX_IN_SEGMENT, MCL_GREATER, MCL_STABLE, NULL, NULL));
    test_ok(mcl_record_end(queue, &recording));
    for (uint64_t seed = 1; seed < 3; seed++) {
        random_ints(keys, COUNT, 1000, seed, 0);
        test_ok(mcl_buffer_write(queue, buffer, 0, sizeof keys, keys));
        test_ok(mcl_replay(queue, recording, NULL));
        ARRAY_READ(_i, indices, got);
        for (int k = 0; k < COUNT; k++) {
            const int row = k / LENGTH * LENGTH;
            ck_assert(got[k] >= 0 && got[k] < LENGTH && row + got[k] < COUNT);
            if (k == row) continue;
            const int32_t left = keys[row + got[k - 1]], right = keys[row + got[k]];
            ck_assert(left > right || (left == right && got[k - 1] < got[k]));
        }
    }
    mcl_recording_release(recording);
    mcl_buffer_release(buffer);
    mcl_buffer_release(indices);
}
END_TEST

/* ---- data that is not as it should be --------------------------------------------------------------------------- */

START_TEST(starts_in_any_order_count_and_those_out_of_range_do_not)
{
    enum { COUNT = 1000 };
    static int32_t data[COUNT];
    static const int32_t starts[] = { 900, -5, 17, 17, INT32_MIN, COUNT, 333, INT32_MAX, COUNT + 1, 0, 334 };
    static const int32_t counted[] = { 0, 17, 333, 334, 900 };
    guarded in;
    guarded out;

    mcl_buffer *start_buffer = ARRAY_OF(_i, starts);
    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        random_ints(data, COUNT, 1000, 3, 0);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, 0, &in);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 1, &out);
        const mcl_input keys = mcl_from_buffer(MCL_INT32, in.buffer, in.first, COUNT);
        test_ok(mcl_segmented_sort(test_device_at(_i)->queue, keys, mcl_segments_from_indices(ints(start_buffer, 11)),
                                   mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT), MCL_LESS, MCL_STABLE, NULL,
                                   &tilings[tiling]));
        sort_between(data, COUNT, counted, 5);
        guarded_expect(test_device_at(_i)->queue, &out, (unsigned char *)data, COUNT, "starts out of range");
        guarded_unchanged(test_device_at(_i)->queue, &in, "keys beside starts out of range");
        guarded_free(&in);
        guarded_free(&out);
    }
    mcl_buffer_release(start_buffer);
}
END_TEST

START_TEST(comparators_that_are_no_order_write_nothing_outside_the_output)
{
    enum { COUNT = 2000 };
    static const mcl_op none = { .role = MCL_ROLE_ORDER, .expression = "1" };
    static const mcl_op odd = { .role = MCL_ROLE_ORDER,
                                .expression = "((uint32_t)p * 2654435761u ^ (uint32_t)q * 40503u) >> 7 & 1" };
    static int32_t data[COUNT];
    const int32_t step = 450;
    const int32_t zero = 0;
    guarded values;
    guarded out;

    for (int turn = 0; turn < 4; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        const mcl_op *before = turn / 2 ? &odd : &none;
        random_ints(data, COUNT, 1 << 30, 8, 0);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, 0, &out);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, 2, &values);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT);
        test_ok(mcl_segmented_sort_pairs(test_device_at(_i)->queue,
                                         mcl_from_buffer(MCL_INT32, out.buffer, out.first, COUNT), ints_counting(COUNT),
                                         mcl_segments_from_indices(mcl_from_step(MCL_INT32, &zero, &step, 5)), to,
                                         mcl_to_buffer(MCL_INT32, values.buffer, values.first, COUNT), before,
                                         MCL_STABLE, NULL, &tilings[turn % 2]));
        const size_t bytes = COUNT * sizeof *data;
        const size_t first = (size_t)out.first * sizeof *data;
        const size_t first_value = (size_t)values.first * sizeof *data;
        test_ok(mcl_buffer_read(test_device_at(_i)->queue, out.buffer, first, bytes, out.content + first));
        test_ok(mcl_buffer_read(test_device_at(_i)->queue, values.buffer, first_value, bytes,
                                values.content + first_value));
        guarded_unchanged(test_device_at(_i)->queue, &out, "keys of a comparator that is no order");
        guarded_unchanged(test_device_at(_i)->queue, &values, "values of a comparator that is no order");
        guarded_free(&out);
        guarded_free(&values);
    }
}
END_TEST

START_TEST(validation_names_the_first_start_out_of_range_and_nothing_is_written)
{
    enum { COUNT = 100 };
    static int32_t data[COUNT];
    const int32_t starts[] = { 0, 5, COUNT, COUNT + 1, -1 };
    const mcl_options options = { .flags = MCL_VALIDATE };
    guarded out;

    mcl_buffer *start_buffer = ARRAY_OF(_i, starts);
    mcl_buffer *keys = ARRAY_OF(_i, data);
    guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 0, &out);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT);
    test_fails(mcl_segmented_sort(test_device_at(_i)->queue, ints(keys, COUNT),
                                  mcl_segments_from_indices(ints(start_buffer, 5)), to, MCL_LESS, MCL_STABLE, NULL,
                                  &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_sort|segments[3]");
    guarded_unchanged(test_device_at(_i)->queue, &out, "output of a sort that failed its validation");
    test_ok(mcl_segmented_sort(test_device_at(_i)->queue, ints(keys, COUNT),
                               mcl_segments_from_indices(ints(start_buffer, 3)), to, MCL_LESS, MCL_STABLE, NULL,
                               &options));
    mcl_buffer_release(start_buffer);
    mcl_buffer_release(keys);
    guarded_free(&out);
}
END_TEST

START_TEST(counts_from_the_device_are_clamped_to_their_bounds)
{
    enum { BOUND = 700, STARTS = 6 };
    static int32_t data[BOUND];
    static int32_t expected[BOUND];
    static int32_t got[BOUND];
    static const int32_t starts[STARTS] = { 3, 100, 101, 250, 499, 690 };
    static const int64_t slots[] = { 0, -9, INT64_MIN, 300, BOUND, BOUND + 1, INT64_MAX, 2 };
    static const int counts[] = { 0, 0, 0, 300, BOUND, BOUND, BOUND, 2 };
    mcl_buffer *slot = ARRAY_OF(_i, slots);
    mcl_buffer *start_buffer = ARRAY_OF(_i, starts);

    random_ints(data, BOUND, 1000, 9, 0);
    mcl_buffer *keys = ARRAY_OF(_i, data);
    for (int k = 0; k < 16; k++) {
        if (!test_takes_tile(&tilings[k % 2])) continue;
        const int count = counts[k / 2];
        const int start_slot = (k / 2 + 3) % 8;
        const int start_count = counts[start_slot] < STARTS ? counts[start_slot] : STARTS;
        int used = 0;
        memset(expected, 0x55, sizeof expected);
        mcl_buffer *out = array_of(_i, expected, sizeof expected);
        memcpy(expected, data, (size_t)count * sizeof *data);
        while (used < start_count && starts[used] < count) used++;
        sort_between(expected, count, starts, used);
        test_ok(
            mcl_segmented_sort(test_device_at(_i)->queue, mcl_with_count(ints(keys, BOUND), slot, k / 2),
                               mcl_segments_from_indices(mcl_with_count(ints(start_buffer, STARTS), slot, start_slot)),
                               ints_out(out, BOUND), MCL_LESS, MCL_STABLE, NULL, &tilings[k % 2]));
        ARRAY_READ(_i, out, got);
        ck_assert_msg(memcmp(got, expected, sizeof got) == 0, "%d keys and %d starts", count, start_count);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(slot);
    mcl_buffer_release(start_buffer);
    mcl_buffer_release(keys);
}
END_TEST

/* ---- errors ----------------------------------------------------------------------------------------------------- */

START_TEST(what_can_be_known_beforehand_is_refused)
{
    enum { COUNT = 64 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *buffer = array_empty(_i, 4 * COUNT * sizeof(int32_t));
    const mcl_input keys = ints(buffer, COUNT);
    const mcl_input values = mcl_from_buffer(MCL_INT32, buffer, COUNT, COUNT);
    const mcl_input heads = mcl_from_buffer(MCL_INT32, buffer, 2 * COUNT, 4);
    const mcl_segments starts = mcl_segments_from_indices(heads);
    const mcl_output out = mcl_to_buffer(MCL_INT32, buffer, 3 * COUNT, COUNT);
    const mcl_output shifted = mcl_to_buffer(MCL_INT32, buffer, 1, COUNT);
    mcl_input wrong = heads;

    test_fails(mcl_segmented_sort(queue, keys, starts, shifted, MCL_LESS, MCL_STABLE, NULL, NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_sort|out overlaps keys");
    test_fails(mcl_segmented_sort(queue, keys, starts, mcl_to_buffer(MCL_INT32, buffer, 2 * COUNT, COUNT), MCL_LESS,
                                  MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort|out overlaps segments");
    test_fails(mcl_segmented_sort(queue, keys, starts, ints_out(buffer, COUNT - 1), MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort|out|capacity 63");
    test_fails(mcl_segmented_sort(queue, keys, starts, mcl_to_buffer(MCL_FLOAT, buffer, 3 * COUNT, COUNT), MCL_LESS,
                                  MCL_STABLE, NULL, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_sort|int32_t|float");
    test_fails(mcl_segmented_sort(queue, keys, starts, out, NULL, MCL_STABLE, NULL, NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_sort|before");
    wrong.type = MCL_FLOAT;
    test_fails(mcl_segmented_sort(queue, keys, mcl_segments_from_indices(wrong), out, MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_sort|segments|float|integer");
    test_fails(
        mcl_segmented_sort(queue, keys, mcl_segments_from_flags(keys), out, MCL_LESS, (mcl_stability)7, NULL, NULL),
        MCL_ERROR_ARGUMENT, "mcl_segmented_sort: stability is 7; expected MCL_UNSTABLE or MCL_STABLE");
    test_fails(mcl_segmented_sort(queue, keys, mcl_segments_from_flags(wrong), out, MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_sort|segments|float|MCL_UINT32");
    test_fails(mcl_segmented_sort_pairs(queue, keys, values, starts, out, out, MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_pairs|out_values overlaps out_keys");
    test_fails(mcl_segmented_sort_pairs(queue, keys, mcl_from_buffer(MCL_INT32, buffer, COUNT, COUNT - 1), starts,
                                        ints_out(buffer, COUNT), out, MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_pairs|values has 63|as keys|64");
    test_fails(mcl_segmented_sort_pairs(queue, keys, values, starts, mcl_to_buffer(MCL_INT32, buffer, COUNT, COUNT),
                                        out, MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_pairs|out_keys overlaps values");
    test_fails(mcl_segmented_sort_pairs(queue, keys, values, starts, ints_out(buffer, COUNT),
                                        mcl_to_buffer(MCL_FLOAT, buffer, 3 * COUNT, COUNT), MCL_LESS, MCL_STABLE, NULL,
                                        NULL),
               MCL_ERROR_TYPE, "mcl_segmented_sort_pairs|out_values|float");
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(indices_that_cannot_be_stored_are_refused)
{
    enum { COUNT = 64 };
    const int8_t zero = 0;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *buffer = array_empty(_i, 3 * COUNT * sizeof(int32_t));
    const mcl_input keys = ints(buffer, COUNT);
    const mcl_segments starts = mcl_segments_from_indices(mcl_from_buffer(MCL_INT32, buffer, COUNT, 4));
    const mcl_output none = { 0 };
    const mcl_output out = mcl_to_buffer(MCL_INT32, buffer, 2 * COUNT, COUNT);
    const mcl_output floats = mcl_to_buffer(MCL_FLOAT, buffer, 2 * COUNT, COUNT);

    test_fails(mcl_segmented_sort_indices(queue, keys, starts, none, floats, MCL_INDEX_IN_SEQUENCE, MCL_LESS,
                                          MCL_STABLE, NULL, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_sort_indices|out_indices is float|MCL_INT64");
    test_fails(mcl_segmented_sort_indices(queue, keys, starts, none, none, MCL_INDEX_IN_SEQUENCE, MCL_LESS, MCL_STABLE,
                                          NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_indices: out_indices");
    test_fails(mcl_segmented_sort_indices(queue, keys, starts, none, out, (mcl_index_origin)2, MCL_LESS, MCL_STABLE,
                                          NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_indices: origin is 2; expected MCL_INDEX_IN_SEQUENCE");
    test_fails(mcl_segmented_sort_indices(queue, keys, starts, none, ints_out(buffer, COUNT), MCL_INDEX_IN_SEQUENCE,
                                          MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_indices: out_indices overlaps keys");
    test_fails(mcl_segmented_sort_indices(queue, keys, starts, out, out, MCL_INDEX_IN_SEQUENCE, MCL_LESS, MCL_STABLE,
                                          NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort_indices: out_indices overlaps out_keys");
    test_fails(mcl_segmented_sort_indices(queue, mcl_from_constant(MCL_INT8, &zero, INT64_C(1) << 31), starts, none,
                                          out, MCL_INDEX_IN_SEQUENCE, MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_sort_indices: out_indices is MCL_INT32|MCL_INT64|2147483648");
    mcl_buffer_release(buffer);
}
END_TEST

/* ---- reports ---------------------------------------------------------------------------------------------------- */

enum { BOOK_TILE = 1408, BOOK_THREADS = 128 };

/* Returns a report on count random keys, where one in mean begins a segment. All work is by passes. */
static mcl_sort_report report_of(int device, int64_t count, int64_t mean, const mcl_options *options)
{
    const int64_t start_count = count / mean;
    const uint64_t seed = 11;
    const int32_t low = 0;
    const int32_t high = INT32_MAX;
    int32_t *starts = malloc((size_t)start_count * sizeof *starts);
    mcl_sort_report report;
    mcl_queue *queue = NULL;
    mcl_buffer *keys = NULL;
    mcl_buffer *start_buffer = NULL;

    ck_assert_ptr_nonnull(starts);
    mcl_context *context = test_context_with(device, "mends_seams=0");
    random_ints(starts, start_count, (int32_t)count, seed, 1);
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, (size_t)start_count * sizeof *starts, starts, &start_buffer));
    test_ok(mcl_buffer_create(context, (size_t)count * sizeof(int32_t), NULL, &keys));
    test_ok(mcl_random(queue, ints_out(keys, count), seed, 0, &low, &high, NULL));
    test_ok(mcl_segmented_sort(queue, ints(keys, count), mcl_segments_from_indices(ints(start_buffer, start_count)),
                               ints_out(keys, count), MCL_LESS, MCL_STABLE, &report, options));
    mcl_buffer_release(keys);
    mcl_buffer_release(start_buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
    free(starts);
    return report;
}

/* Returns the number of passes over all tiles that equals the merged tiles. */
static double passes_merged(const mcl_sort_report *report)
{
    double merges = 0;

    for (int pass = 0; pass < report->pass_count; pass++) merges += (double)report->merge_tiles[pass];
    return merges / (double)report->tiles;
}

/* Returns the book's tile, in the device's own mapping where the device allows it. */
static mcl_options book_tiling(int device)
{
    const mcl_device_info *info = &test_device_at(device)->info;
    const int serial = info->mapping == MCL_MAPPING_SERIAL && info->loop_budget <= 0;

    return (mcl_options){ .tile_threads = serial ? 1 : BOOK_THREADS,
                          .tile_items = serial ? BOOK_TILE : BOOK_TILE / BOOK_THREADS };
}

/* The book sorts 10,000,000 keys in segments of 300 and 10,000 on average, in 2.28 and 5.66 passes. It does not say how
 * heads were drawn, but its numbers show it. With random heads, one in 300, 12 of its 3551 first seams would have a
 * head and need no merge, but 2 have. Also, segments across later seams would take 2.6 tiles each, but take 48. Random
 * heads three times as far apart give the book's numbers in every pass. (One in 300 and one in 10,000 give 2.00 and
 * 4.29 passes.) Fewer keys lack only the last passes, in which hardly anything moves. */
START_TEST(as_many_passes_are_merged_as_in_the_book)
{
    const int64_t count = test_is_full() ? 10000000 : 3000000;
    const int64_t apart = 3;
    const mcl_options options = book_tiling(_i);
    static const struct {
        int64_t mean;
        double passes;
    } told[] = { { 300, 2.28 }, { 10000, 5.66 } };

    if (test_is_small()) return;
    for (int k = 0; k < 2; k++) {
        const mcl_sort_report report = report_of(_i, count, apart * told[k].mean, &options);
        const double passes = passes_merged(&report);
        ck_assert_int_eq(report.tile, BOOK_TILE);
        ck_assert_int_eq(report.tiles, (count + BOOK_TILE - 1) / BOOK_TILE);
        ck_assert_int_eq(report.mended, 0);
        ck_assert_msg(passes > told[k].passes * 0.95 && passes < told[k].passes * 1.05,
                      "segments of %lld on average take %.3f passes instead of %.2f", (long long)told[k].mean, passes,
                      told[k].passes);
    }
}
END_TEST

/* With one group a tile, or few groups and a queue, the same tiles move. */
START_TEST(both_mappings_and_the_queue_move_the_same_tiles)
{
    enum { COUNT = 60000, TILE = 96 };
    const int64_t means[] = { 20, 400, COUNT };
    const mcl_options serial = { .tile_threads = 1, .tile_items = TILE };
    const mcl_options group = { .tile_threads = 32, .tile_items = TILE / 32 };

    if (test_is_small()) return;
    for (int k = 0; k < 3; k++) {
        const mcl_sort_report a = report_of(_i, COUNT, means[k], &serial);
        const mcl_sort_report b = report_of(_i, COUNT, means[k], &group);
        ck_assert_int_eq(a.tile, TILE);
        ck_assert_int_eq(b.tile, TILE);
        ck_assert_int_eq(a.pass_count, b.pass_count);
        for (int pass = 0; pass < a.pass_count; pass++) {
            ck_assert_int_eq(a.merge_tiles[pass], b.merge_tiles[pass]);
            ck_assert_int_eq(a.copy_tiles[pass], b.copy_tiles[pass]);
        }
    }
}
END_TEST

/* A group plans one tile fewer than it has work-items. The last tiles are planned as well, by one more group. */
START_TEST(the_last_tile_is_planned_whatever_the_number_of_tiles_is)
{
    enum { TILE = 96, TILES_MOST = 63, COUNT_MOST = TILES_MOST * TILE };
    static const int tiles[] = { 32, TILES_MOST };
    static int32_t data[COUNT_MOST], got[COUNT_MOST];
    const mcl_options options = { .tile_threads = 32, .tile_items = TILE / 32 };
    const int32_t zero = 0, all = COUNT_MOST;
    const mcl_segments whole = mcl_segments_from_indices(mcl_from_step(MCL_INT32, &zero, &all, 1));
    mcl_context *context = test_context_of_rows(_i, "segmented_sort.direct_tiles \"\" 0\n");
    mcl_queue *queue = NULL;
    mcl_buffer *keys = NULL;

    test_ok(mcl_queue_create(context, 0, &queue));
    random_ints(data, COUNT_MOST, 100000, 3, 0);
    for (int k = 0; k < (test_is_small() ? 1 : 2); k++) {
        const int count = tiles[k] * TILE;
        test_ok(mcl_buffer_create(context, (size_t)count * sizeof *data, data, &keys));
        test_ok(
            mcl_segmented_sort(queue, ints(keys, count), whole, ints_out(keys, count), MCL_LESS, 0, NULL, &options));
        test_ok(mcl_buffer_read(queue, keys, 0, (size_t)count * sizeof *got, got));
        for (int j = 1; j < count; j++) ck_assert_int_le(got[j - 1], got[j]);
        mcl_buffer_release(keys);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

START_TEST(short_segments_are_mended_and_nothing_else_moves)
{
    enum { COUNT = 10000, TILE = 100 };
    static int32_t data[COUNT];
    const int32_t zero = 0;
    const int32_t step = 30;
    const mcl_options options = { .tile_threads = 1, .tile_items = TILE };
    const mcl_segments segments = mcl_segments_from_indices(mcl_from_step(MCL_INT32, &zero, &step, COUNT / 30 + 1));
    const char *features = getenv("MCL_FEATURES");
    mcl_sort_report report;

    if (features && strstr(features, "mends_seams=0")) return;
    random_ints(data, COUNT, 1000, 1, 0);
    mcl_buffer *keys = ARRAY_OF(_i, data);
    test_ok(mcl_segmented_sort(test_device_at(_i)->queue, ints(keys, COUNT), segments, ints_out(keys, COUNT), MCL_LESS,
                               MCL_STABLE, &report, &options));
    ck_assert_int_eq(report.tiles, COUNT / TILE);
    ck_assert_int_eq(report.mended, 66); /* every third of 99 seams is a head */
    for (int pass = 0; pass < report.pass_count; pass++) {
        ck_assert_int_eq(report.merge_tiles[pass], 0);
        ck_assert_int_eq(report.copy_tiles[pass], 0);
    }
    mcl_buffer_release(keys);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, segmented_sort_equals_the_loop, device, run_case_rounds(&segmented_sort_case));
    test_add(tcase, pairs_are_sorted_in_place_and_equal_keys_keep_their_order, device);
    test_add(tcase, pairs_of_an_unstable_sort_stay_together, device);
    test_add(tcase, rows_have_their_indices_and_their_keys_in_place, device);
    test_add(tcase, a_recording_sorts_indices_of_other_keys_again, device);
    test_add(tcase, starts_in_any_order_count_and_those_out_of_range_do_not, device);
    test_add(tcase, comparators_that_are_no_order_write_nothing_outside_the_output, device);
    test_add(tcase, validation_names_the_first_start_out_of_range_and_nothing_is_written, device);
    test_add(tcase, counts_from_the_device_are_clamped_to_their_bounds, device);
    test_add(tcase, what_can_be_known_beforehand_is_refused, device);
    test_add(tcase, indices_that_cannot_be_stored_are_refused, device);
    test_add(tcase, as_many_passes_are_merged_as_in_the_book, device);
    test_add(tcase, both_mappings_and_the_queue_move_the_same_tiles, device);
    test_add(tcase, the_last_tile_is_planned_whatever_the_number_of_tiles_is, device);
    test_add(tcase, short_segments_are_mended_and_nothing_else_moves, device);
}

int main(void)
{
    return test_main("segmented_sort", add);
}
