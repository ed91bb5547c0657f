/* test_row_sort.c: sorts of rows of one length: rows that fit a tile, which take one launch, and longer rows. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <stdlib.h>
#include <string.h>

START_TEST(row_sort_equals_the_loop)
{
    run_case_round(&row_sort_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };

/* Checks the indices of a stable sort of each row, counted from the row's first element. Elements from inside on have
 * 0. */
static void expect_indices(const int32_t *keys, const int32_t *got, int count, int length, int inside)
{
    for (int k = 0; k < count; k++) {
        const int row = k / length * length;
        if (k >= inside) {
            ck_assert_int_eq(got[k], 0);
            continue;
        }
        ck_assert(got[k] >= 0 && got[k] < length && row + got[k] < inside);
        if (k == row) continue;
        const int32_t left = keys[row + got[k - 1]], right = keys[row + got[k]];
        ck_assert(left < right || (left == right && got[k - 1] < got[k]));
    }
}

/* The device counts rows and keys, and gives the bounds or smaller numbers. */
START_TEST(the_device_counts_rows_and_keys)
{
    enum { LENGTH = 13, ROWS = 40, COUNT = ROWS * LENGTH + 5 };
    static const struct {
        int64_t offsets, keys; /* in slots */
        int inside, count;     /* of them */
    } turns[] = { { ROWS + 1, COUNT, ROWS * LENGTH, COUNT },
                  { 11, COUNT, 10 * LENGTH, COUNT },
                  { ROWS + 1, 20 * LENGTH + 4, 20 * LENGTH + 4, 20 * LENGTH + 4 },
                  { 11, 4 * LENGTH, 4 * LENGTH, 4 * LENGTH },
                  { 1, COUNT, 0, COUNT },
                  { 0, COUNT, 0, COUNT },
                  { -5, COUNT, 0, COUNT },
                  { INT64_MAX, INT64_MAX, ROWS * LENGTH, COUNT },
                  { ROWS + 1, 0, 0, 0 } };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;

    random_ints(keys, COUNT, 6, 3, 0);
    mcl_buffer *key_buffer = ARRAY_OF(_i, keys);
    for (int turn = 0; turn < 2 * (int)(sizeof turns / sizeof turns[0]); turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        const int64_t slots[] = { turns[turn / 2].offsets, turns[turn / 2].keys };
        memset(got, 0x77, sizeof got);
        mcl_buffer *slot = ARRAY_OF(_i, slots);
        mcl_buffer *indices = ARRAY_OF(_i, got);
        mcl_segments rows = mcl_segments_from_rows(ROWS, LENGTH);
        rows.input = mcl_with_count(rows.input, slot, 0);
        test_ok(mcl_segmented_sort_indices(queue, mcl_with_count(ints(key_buffer, COUNT), slot, 1), rows,
                                           (mcl_output){ 0 }, ints_out(indices, COUNT), MCL_INDEX_IN_SEGMENT, MCL_LESS,
                                           MCL_STABLE, NULL, &tilings[turn % 2]));
        ARRAY_READ(_i, indices, got);
        expect_indices(keys, got, turns[turn / 2].count, LENGTH, turns[turn / 2].inside);
        for (int k = turns[turn / 2].count; k < COUNT; k++) ck_assert_int_eq(got[k], 0x77777777);
        mcl_buffer_release(slot);
        mcl_buffer_release(indices);
    }
    mcl_buffer_release(key_buffer);
}
END_TEST

START_TEST(many_rows_are_recorded_and_sorted_again)
{
    enum { ROWS = 30000, LENGTH = 5, COUNT = ROWS * LENGTH };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_recording *recording = NULL;
    mcl_buffer *buffer = ARRAY_OF(_i, keys);
    mcl_buffer *indices = ARRAY_OF(_i, got);

    test_ok(mcl_record_begin(queue));
    test_ok(mcl_segmented_sort_indices(queue, ints(buffer, COUNT), mcl_segments_from_rows(ROWS, LENGTH),
                                       (mcl_output){ 0 }, ints_out(indices, COUNT), MCL_INDEX_IN_SEGMENT, MCL_LESS,
                                       MCL_STABLE, NULL, NULL));
    test_ok(mcl_record_end(queue, &recording));
    for (uint64_t seed = 1; seed < 3; seed++) {
        random_ints(keys, COUNT, 9, seed, 0);
        test_ok(mcl_buffer_write(queue, buffer, 0, sizeof keys, keys));
        test_ok(mcl_replay(queue, recording, NULL));
        ARRAY_READ(_i, indices, got);
        expect_indices(keys, got, COUNT, LENGTH, COUNT);
    }
    mcl_recording_release(recording);
    mcl_buffer_release(buffer);
    mcl_buffer_release(indices);
}
END_TEST

START_TEST(rows_that_fit_a_tile_need_no_merges)
{
    enum { LENGTH = 40, ROWS = 100, COUNT = ROWS * LENGTH };
    static int32_t keys[COUNT];
    mcl_sort_report report = { .pass_count = 7 };
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_options options = { .tile_threads = 32, .tile_items = 5 };

    random_ints(keys, COUNT, 1000, 4, 0);
    mcl_buffer *buffer = ARRAY_OF(_i, keys);
    test_ok(mcl_segmented_sort(queue, ints(buffer, COUNT), mcl_segments_from_rows(ROWS, LENGTH),
                               ints_out(buffer, COUNT), MCL_LESS, MCL_STABLE, &report, &options));
    ck_assert_int_eq(report.pass_count, 0);
    ck_assert_int_eq(report.mended, 0);
    ck_assert_int_eq(report.tile, 4 * LENGTH); /* 8 work-items sort a row */
    ck_assert_int_eq(report.tiles, ROWS / 4);
    mcl_buffer_release(buffer);
}
END_TEST

/* ---- data that is not as it should be --------------------------------------------------------------------------- */

START_TEST(comparators_that_are_no_order_write_nothing_outside_the_output)
{
    enum { LENGTH = 30, COUNT = 2000 };
    static const mcl_op none = { .role = MCL_ROLE_ORDER, .expression = "1" };
    static const mcl_op odd = { .role = MCL_ROLE_ORDER,
                                .expression = "((uint32_t)p * 2654435761u ^ (uint32_t)q * 40503u) >> 7 & 1" };
    static int32_t data[COUNT];
    static int32_t got[COUNT];
    guarded keys;
    guarded values;

    for (int turn = 0; turn < 4; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        random_ints(data, COUNT, 1 << 30, 8, 0);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, 0, &keys);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, 2, &values);
        test_ok(mcl_segmented_sort_pairs(
            test_device_at(_i)->queue, mcl_from_buffer(MCL_INT32, keys.buffer, keys.first, COUNT), ints_counting(COUNT),
            mcl_segments_from_rows(COUNT / LENGTH, LENGTH), mcl_to_buffer(MCL_INT32, keys.buffer, keys.first, COUNT),
            mcl_to_buffer(MCL_INT32, values.buffer, values.first, COUNT), turn / 2 ? &odd : &none, MCL_STABLE, NULL,
            &tilings[turn % 2]));
        const size_t bytes = COUNT * sizeof *data;
        const size_t first = (size_t)keys.first * sizeof *data;
        const size_t first_value = (size_t)values.first * sizeof *data;
        test_ok(mcl_buffer_read(test_device_at(_i)->queue, values.buffer, first_value, bytes, got));
        for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k] / LENGTH, k / LENGTH);
        memcpy(values.content + first_value, got, bytes);
        test_ok(mcl_buffer_read(test_device_at(_i)->queue, keys.buffer, first, bytes, keys.content + first));
        guarded_unchanged(test_device_at(_i)->queue, &keys, "keys of a comparator that is no order");
        guarded_unchanged(test_device_at(_i)->queue, &values, "values of a comparator that is no order");
        guarded_free(&keys);
        guarded_free(&values);
    }
}
END_TEST

START_TEST(rows_that_cannot_be_are_refused)
{
    enum { COUNT = 100 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *buffer = array_empty(_i, 2 * COUNT * sizeof(int32_t));
    const mcl_output out = ints_out(buffer, COUNT);
    const mcl_options checked = { .flags = MCL_VALIDATE };

    test_fails(mcl_segmented_sort(queue, ints(buffer, COUNT), mcl_segments_from_rows(2, -3), out, MCL_LESS, MCL_STABLE,
                                  NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort|2 rows of length -3");
    test_fails(mcl_segmented_sort(queue, ints(buffer, COUNT), mcl_segments_from_rows(INT64_MAX / 2, 3), out, MCL_LESS,
                                  MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "rows of length 3");
    test_fails(mcl_segmented_sort(queue, ints(buffer, COUNT), mcl_segments_from_rows(-4, 3), out, MCL_LESS, MCL_STABLE,
                                  NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort|segments has count -4");
    test_fails(mcl_segmented_sort(queue, ints(buffer, COUNT), mcl_segments_from_rows(34, 3), out, MCL_LESS, MCL_STABLE,
                                  NULL, &checked),
               MCL_ERROR_PRECONDITION, "segments");
    test_ok(mcl_segmented_sort(queue, ints(buffer, COUNT), mcl_segments_from_rows(5, 0), out, MCL_LESS, MCL_STABLE,
                               NULL, &checked));
    mcl_buffer_release(buffer);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, row_sort_equals_the_loop, device, run_case_rounds(&row_sort_case));
    test_add(tcase, the_device_counts_rows_and_keys, device);
    test_add(tcase, many_rows_are_recorded_and_sorted_again, device);
    test_add(tcase, rows_that_fit_a_tile_need_no_merges, device);
    test_add(tcase, comparators_that_are_no_order_write_nothing_outside_the_output, device);
    test_add(tcase, rows_that_cannot_be_are_refused, device);
}

int main(void)
{
    return test_main("row_sort", add);
}
