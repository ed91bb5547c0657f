/* test_segmented.c: mcl_segmented_reduce and mcl_segmented_scan, with segments by offsets and by flags. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1500 };

/* Tiles of both mappings, small enough that a sequence of COUNT has several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

START_TEST(segmented_reduce_equals_the_loop)
{
    run_case_round(&segmented_reduce_case, _i);
}
END_TEST

START_TEST(segmented_scan_equals_the_loop)
{
    run_case_round(&segmented_scan_case, _i);
}
END_TEST

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

/* Compares sums of 1, 2, 3 ... over segments of int32 offsets, by one call, with the loop. */
static void check_sums(int device, const int32_t *offsets, int64_t segments, int32_t count, const mcl_options *options)
{
    int32_t *got = calloc((size_t)segments + 1, sizeof *got);
    const int32_t start = 1;
    mcl_buffer *in = array_of(device, offsets, (size_t)(segments + 1) * sizeof *offsets);
    mcl_buffer *out = array_empty(device, (size_t)(segments + 1) * sizeof *got);

    test_ok(mcl_segmented_reduce(test_device_at(device)->queue, mcl_from_counting(MCL_INT32, &start, count),
                                 mcl_segments_from_offsets(ints(in, segments + 1)), ints_out(out, segments), MCL_ADD,
                                 mcl_to_nowhere(), options));
    array_read(device, out, got, (size_t)segments * sizeof *got);
    for (int64_t s = 0; s < segments; s++) {
        int32_t sum = 0;
        for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) sum += k + 1;
        ck_assert_msg(got[s] == sum, "segment %lld of %lld is %d, not %d", (long long)s, (long long)segments, got[s],
                      sum);
    }
    free(got);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}

START_TEST(empty_segments_of_any_number_give_the_identity)
{
    enum { SEGMENTS = 2999 };
    static int32_t offsets[SEGMENTS + 1];

    for (int tiling = 0; tiling < TILINGS; tiling++) {
        for (int32_t count = 0; count < 3; count++) {
            /* all elements lie in the middle of the empty segments, then before them, then after them */
            for (int s = 0; s <= SEGMENTS; s++) offsets[s] = s > SEGMENTS / 2 ? count : 0;
            check_sums(_i, offsets, SEGMENTS, count, &tilings[tiling]);
            for (int s = 0; s <= SEGMENTS; s++) offsets[s] = s > 0 ? count : 0;
            check_sums(_i, offsets, SEGMENTS, count, &tilings[tiling]);
            for (int s = 0; s <= SEGMENTS; s++) offsets[s] = s < SEGMENTS ? 0 : count;
            check_sums(_i, offsets, SEGMENTS, count, &tilings[tiling]);
        }
    }
}
END_TEST

START_TEST(one_segment_may_be_everything_or_a_part)
{
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        for (int32_t begin = 0; begin < 200; begin += 37) {
            const int32_t whole[] = { begin, COUNT };
            const int32_t part[] = { begin, COUNT - 2 * begin };
            const int32_t neighbours[] = { begin, begin, begin + 100, COUNT - begin, COUNT - begin };
            check_sums(_i, whole, 1, COUNT, &tilings[tiling]);
            check_sums(_i, part, 1, COUNT, &tilings[tiling]);
            check_sums(_i, neighbours, 4, COUNT, &tilings[tiling]);
        }
    }
}
END_TEST

START_TEST(segments_of_tile_length_end_where_tiles_do)
{
    static int32_t offsets[COUNT + 1];

    for (int tiling = 0; tiling < TILINGS; tiling++) {
        const int32_t tile = tiling == 0 ? 100 : 96;
        for (int32_t length = tile - 2; length <= tile + 1; length++) {
            const int segments = COUNT / length;
            for (int s = 0; s <= segments; s++) offsets[s] = s * length;
            check_sums(_i, offsets, segments, COUNT, &tilings[tiling]);
        }
    }
}
END_TEST

/* ---- segments that are long on average ----------------------------------------------------------------------- */

/* PIECE: several groups fold a longer segment, where each segment is folded separately. */
enum { PIECE = 32768, LONG_COUNT = 4 * PIECE + 1234 };

static const mcl_options long_tilings[] = { { .tile_threads = 32, .tile_items = 3 }, { .tile_threads = 256 }, { 0 } };
enum { LONG_TILINGS = sizeof long_tilings / sizeof long_tilings[0] };

/* Returns 1 where this number of elements takes minutes, as with oclgrind. */
static int skips_long(int device, const char *test)
{
    if (test_sees_races(device)) test_skip(device, test, "takes oclgrind minutes");
    return test_sees_races(device);
}

/* Compares sums, and the indices of the largest elements, of 3 i % 1009 over segments with the loop. */
static void check_long(int device, const int32_t *offsets, int64_t segments, const mcl_options *options)
{
    enum { MOST = 3000 };
    static int32_t sums[MOST], places[MOST];
    const int64_t count = offsets[segments] > LONG_COUNT ? offsets[segments] : LONG_COUNT;
    const mcl_input in = mcl_from_expression(MCL_INT32, "(int32_t)(i * 3 % 1009)", NULL, NULL, 0, count);
    mcl_queue *queue = test_device_at(device)->queue;
    mcl_buffer *by = array_of(device, offsets, (size_t)(segments + 1) * sizeof *offsets);
    mcl_buffer *out = array_empty(device, sizeof sums);

    ck_assert_int_le(segments, MOST);
    test_ok(mcl_segmented_reduce(queue, in, mcl_segments_from_offsets(ints(by, segments + 1)), ints_out(out, segments),
                                 MCL_ADD, mcl_to_nowhere(), options));
    ARRAY_READ(device, out, sums);
    test_ok(mcl_segmented_reduce(queue, in, mcl_segments_from_offsets(ints(by, segments + 1)), ints_out(out, segments),
                                 MCL_MAX_INDEX, mcl_to_nowhere(), options));
    ARRAY_READ(device, out, places);
    for (int64_t s = 0; s < segments; s++) {
        int32_t sum = 0, place = offsets[s];
        for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) {
            sum += k * 3 % 1009;
            if (k * 3 % 1009 > place * 3 % 1009) place = k;
        }
        ck_assert_msg(sums[s] == sum, "segment %lld of %lld is %d, not %d", (long long)s, (long long)segments, sums[s],
                      sum);
        ck_assert_msg(offsets[s] == offsets[s + 1] || places[s] == place, "segment %lld of %lld: largest at %d, not %d",
                      (long long)s, (long long)segments, places[s], place);
    }
    mcl_buffer_release(by);
    mcl_buffer_release(out);
}

START_TEST(long_segments_end_anywhere_in_pieces)
{
    enum { SHAPES = 7 };
    static const int32_t shapes[SHAPES][7] = {
        { 0, LONG_COUNT, LONG_COUNT, LONG_COUNT, LONG_COUNT, LONG_COUNT, LONG_COUNT },
        { 5, 5, 5, 6, LONG_COUNT - 1, LONG_COUNT - 1, LONG_COUNT },
        { 0, PIECE, 2 * PIECE, 3 * PIECE + 1, 4 * PIECE + 2, 4 * PIECE + 2, 4 * PIECE + 3 },
        { PIECE, 2 * PIECE + 1, 2 * PIECE + 2, 4 * PIECE, 4 * PIECE, LONG_COUNT, LONG_COUNT },
        { PIECE - 1, 2 * PIECE, 2 * PIECE, 3 * PIECE + 1, 3 * PIECE + 1, LONG_COUNT, LONG_COUNT },
        { 1, 1, PIECE + 2, 3 * PIECE - 7, 4 * PIECE, 4 * PIECE, 4 * PIECE },
        { PIECE - 3, PIECE - 1, 2 * PIECE + 2, 2 * PIECE + 2, 2 * PIECE + 5, 2 * PIECE + 5, 2 * PIECE + 5 },
    };
    static int32_t many[301];

    check_long(_i, shapes[SHAPES - 1], 6, &long_tilings[0]);
    if (skips_long(_i, "long_segments_end_anywhere_in_pieces")) return;
    for (int tiling = 0; tiling < LONG_TILINGS; tiling++) {
        for (int k = 0; k < SHAPES; k++) check_long(_i, shapes[k], 6, &long_tilings[tiling]);
        /* one giant segment, and some segments that are long for a sub-group, among short and empty segments */
        for (int s = 0; s <= 300; s++) many[s] = s < 99 ? s * 5 : s < 110 ? 5000 : s < 200 ? 99000 + s : 131000 + s;
        check_long(_i, many, 300, &long_tilings[tiling]);
    }
}
END_TEST

/* There are more segments than groups that run at once. Each sub-group folds one segment, except the long ones. */
START_TEST(many_long_segments_are_for_sub_groups)
{
    enum { SEGMENTS = 2800 };
    static int32_t offsets[SEGMENTS + 1];

    if (skips_long(_i, "many_long_segments_are_for_sub_groups")) return;
    for (int s = 0; s < SEGMENTS; s++) {
        const int special = s % 100 == 50 ? 4095 + s / 100 % 3 : s % 900 == 31 ? 70000 + s : s % 611;
        const int length = s % 7 == 3 ? 0 : special;
        offsets[s + 1] = offsets[s] + length;
    }
    for (int tiling = 0; tiling < LONG_TILINGS; tiling++) check_long(_i, offsets, SEGMENTS, &long_tilings[tiling]);
}
END_TEST

START_TEST(long_segments_of_an_expression_see_segment_and_rank)
{
    static const int32_t offsets[] = { 3, 9, 9, 2 * PIECE + 1, LONG_COUNT - 5 };
    int32_t got[4];
    const int32_t start = 3;
    mcl_queue *queue = test_device_at(_i)->queue;

    if (skips_long(_i, "long_segments_of_an_expression_see_segment_and_rank")) return;
    const mcl_input placed =
        mcl_from_expression(MCL_INT32, "(int32_t)(segment * 2 + rank % 5 + i % 3)", NULL, NULL, 0, LONG_COUNT);
    /* this fold returns the first number that is not 3 and does not commute; 3 in front is its identity */
    const mcl_op first = { .role = MCL_ROLE_FOLD, .expression = "p != 3 ? p : q", .identity = "3" };
    mcl_buffer *by = ARRAY_OF(_i, offsets), *out = array_empty(_i, sizeof got);

    for (int tiling = 0; tiling < LONG_TILINGS; tiling++) {
        const mcl_options *options = &long_tilings[tiling];
        test_ok(mcl_segmented_reduce(queue, placed, mcl_segments_from_offsets(ints(by, 5)), ints_out(out, 4), MCL_ADD,
                                     mcl_to_nowhere(), options));
        ARRAY_READ(_i, out, got);
        for (int s = 0; s < 4; s++) {
            int32_t sum = 0;
            for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) sum += s * 2 + (k - offsets[s]) % 5 + k % 3;
            ck_assert_int_eq(got[s], sum);
        }
        test_ok(mcl_segmented_reduce(queue, mcl_from_counting(MCL_INT32, &start, LONG_COUNT),
                                     mcl_segments_from_offsets(ints(by, 5)), ints_out(out, 4), &first, mcl_to_nowhere(),
                                     options));
        ARRAY_READ(_i, out, got);
        for (int s = 0; s < 4; s++) ck_assert_int_eq(got[s], offsets[s] == offsets[s + 1] ? 3 : offsets[s] + 3);
    }
    mcl_buffer_release(by);
    mcl_buffer_release(out);
}
END_TEST

/* Offsets in disorder, some with segments of several pieces, have no effect on the next call. */
START_TEST(long_segments_in_disorder_do_no_harm_to_later_calls)
{
    enum { SEGMENTS = 300 };
    static const int32_t sorted[] = { 0, 0, PIECE + 9, 3 * PIECE + 2, LONG_COUNT };
    static int32_t offsets[SEGMENTS + 1];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_empty(_i, sizeof offsets);

    if (skips_long(_i, "long_segments_in_disorder_do_no_harm_to_later_calls")) return;
    for (int round = 0; round < 8; round++) {
        for (int s = 0; s <= SEGMENTS; s++)
            offsets[s] = (int32_t)(test_random((uint64_t)round + 9, (uint64_t)s) % (LONG_COUNT + 1000u)) - 500;
        if (round % 2) offsets[0] = 0, offsets[SEGMENTS] = LONG_COUNT;
        mcl_buffer *by = ARRAY_OF(_i, offsets);
        const mcl_options *options = &long_tilings[round % LONG_TILINGS];
        test_ok(mcl_segmented_reduce(queue,
                                     mcl_from_expression(MCL_INT32, "(int32_t)(i % 7)", NULL, NULL, 0, LONG_COUNT),
                                     mcl_segments_from_offsets(ints(by, SEGMENTS + 1)), ints_out(out, SEGMENTS),
                                     MCL_ADD, mcl_to_nowhere(), options));
        check_long(_i, sorted, 4, options);
        mcl_buffer_release(by);
    }
    mcl_buffer_release(out);
}
END_TEST

/* ---- expressions ------------------------------------------------------------------------------------------------ */

START_TEST(an_expression_sees_segment_and_rank)
{
    static int32_t offsets[COUNT / 7 + 2];
    static int32_t got[COUNT / 7 + 1];
    enum { SEGMENTS = COUNT / 7 + 1 };
    const mcl_input placed =
        mcl_from_expression(MCL_INT32, "(int32_t)(segment * 100 + rank + 0 * i)", NULL, NULL, 0, COUNT);

    for (int s = 0; s <= SEGMENTS; s++) offsets[s] = s * 7 < COUNT ? s * 7 - s % 3 % (s + 1) : COUNT;
    mcl_buffer *in = ARRAY_OF(_i, offsets);
    mcl_buffer *out = array_empty(_i, sizeof got);
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        test_ok(mcl_segmented_reduce(test_device_at(_i)->queue, placed,
                                     mcl_segments_from_offsets(ints(in, SEGMENTS + 1)), ints_out(out, SEGMENTS),
                                     MCL_ADD, mcl_to_nowhere(), &tilings[tiling]));
        ARRAY_READ(_i, out, got);
        for (int s = 0; s < SEGMENTS; s++) {
            const int32_t length = offsets[s + 1] - offsets[s];
            ck_assert_int_eq(got[s], length * s * 100 + length * (length - 1) / 2);
        }
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* One call multiplies a matrix in CSR form by a vector. */
START_TEST(a_sparse_matrix_is_multiplied_in_one_call)
{
    const int32_t rows[] = { 0, 2, 2, 5, 6 };
    const int32_t columns[] = { 0, 3, 1, 2, 3, 0 };
    const float values[] = { 1, 2, 3, 4, 5, 6 };
    const float x[] = { 10, 20, 30, 40 };
    const float expected[] = { 90, 0, 380, 60 };
    float got[4];
    mcl_buffer *buffers[] = { ARRAY_OF(_i, rows), ARRAY_OF(_i, columns), ARRAY_OF(_i, values), ARRAY_OF(_i, x),
                              array_empty(_i, sizeof got) };
    const mcl_binding bindings[] = { mcl_binding_buffer("columns", MCL_INT32, buffers[1], 0),
                                     mcl_binding_buffer("values", MCL_FLOAT, buffers[2], 0),
                                     mcl_binding_buffer("x", MCL_FLOAT, buffers[3], 0) };

    test_ok(mcl_segmented_reduce(test_device_at(_i)->queue,
                                 mcl_from_expression(MCL_FLOAT, "values[i] * x[columns[i]]", NULL, bindings, 3, 6),
                                 mcl_segments_from_offsets(ints(buffers[0], 5)),
                                 mcl_to_buffer(MCL_FLOAT, buffers[4], 0, 4), MCL_ADD, mcl_to_nowhere(), NULL));
    ARRAY_READ(_i, buffers[4], got);
    for (int s = 0; s < 4; s++) ck_assert(got[s] == expected[s]);
    for (int k = 0; k < 5; k++) mcl_buffer_release(buffers[k]);
}
END_TEST

/* ---- counts and scratch ----------------------------------------------------------------------------------------- */

START_TEST(counts_from_the_device_are_clamped_to_their_bounds)
{
    const int64_t slots[] = { 0, -5, INT64_MIN, 1, 700, COUNT, INT64_MAX };
    static int32_t offsets[COUNT];
    static int32_t before[COUNT];
    static int32_t got[COUNT];
    const int32_t one = 1;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    for (int k = 0; k < COUNT; k++) offsets[k] = k;
    memset(before, 0x77, sizeof before);
    mcl_buffer *places = ARRAY_OF(_i, offsets);
    for (int k = 0; k < 28; k++) {
        const int elements = k / 2 % 7, ends = (k / 2 + k / 14) % 7;
        const int64_t count = slots[elements] < 0 ? 0 : slots[elements] > COUNT ? COUNT : slots[elements];
        const int64_t end_count = slots[ends] < 0 ? 0 : slots[ends] > COUNT ? COUNT : slots[ends];
        mcl_buffer *out = ARRAY_OF(_i, before);
        test_ok(mcl_segmented_reduce(test_device_at(_i)->queue,
                                     mcl_with_count(mcl_from_constant(MCL_INT32, &one, COUNT), slot, elements),
                                     mcl_segments_from_offsets(mcl_with_count(ints(places, COUNT), slot, ends)),
                                     ints_out(out, COUNT), MCL_ADD, mcl_to_nowhere(), &tilings[k % TILINGS]));
        ARRAY_READ(_i, out, got);
        for (int64_t s = 0; s < COUNT; s++) {
            const int32_t expected = s + 1 >= end_count ? before[0] : s < count;
            ck_assert_msg(got[s] == expected, "%lld of %lld: segment %lld is %d", (long long)count,
                          (long long)end_count, (long long)s, got[s]);
        }
        mcl_buffer_release(out);
    }
    mcl_buffer_release(slot);
    mcl_buffer_release(places);
}
END_TEST

/* Checks that a call has the same bits with the caller's scratch in a queue that has no slots: the tree is the same. */
static void check_float_bits(int device, int count)
{
    enum { SEGMENTS = 20 };
    static float data[LONG_COUNT];
    int32_t offsets[SEGMENTS + 1];
    float first[SEGMENTS], got[SEGMENTS];
    mcl_queue *queues[] = { test_device_at(device)->queue, NULL };
    mcl_buffer *scratch = array_empty(device, 1 << 20);

    for (int k = 0; k < count; k++) data[k] = (float)test_random(4, (uint64_t)k) * 1e-19f - 0.7f;
    for (int s = 0; s <= SEGMENTS; s++)
        offsets[s] = s < SEGMENTS ? (int32_t)((int64_t)s * s * count / (2 * SEGMENTS * SEGMENTS)) : count;
    mcl_buffer *in = ARRAY_OF(device, data), *places = ARRAY_OF(device, offsets),
               *out = array_empty(device, sizeof got);
    test_ok(mcl_queue_create(test_device_at(device)->context, 0, &queues[1]));
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        for (int k = 0; k < 6; k++) {
            mcl_options options = tilings[tiling];
            if (k % 2) options.scratch = scratch;
            if (k % 2) options.scratch_bytes = 1 << 20;
            test_ok(mcl_segmented_reduce(queues[k % 2], mcl_from_buffer(MCL_FLOAT, in, 0, count),
                                         mcl_segments_from_offsets(ints(places, SEGMENTS + 1)),
                                         mcl_to_buffer(MCL_FLOAT, out, 0, SEGMENTS), MCL_ADD, mcl_to_nowhere(),
                                         &options));
            test_ok(mcl_buffer_read(queues[k % 2], out, 0, sizeof got, k ? got : first));
            if (k) ck_assert_mem_eq(got, first, sizeof got);
        }
    }
    mcl_buffer *buffers[] = { in, places, out, scratch };
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
    mcl_queue_release(queues[1]);
}

START_TEST(sums_of_floats_have_the_same_bits_on_every_call)
{
    check_float_bits(_i, COUNT);
    if (!skips_long(_i, "long sums_of_floats_have_the_same_bits_on_every_call")) check_float_bits(_i, LONG_COUNT);
}
END_TEST

START_TEST(more_segments_than_capacity_are_counted_and_not_written)
{
    const uint32_t flags[] = { 0xFFFFFFFEu, 1 }; /* the flags make 33 segments of 40 elements */
    int32_t got[40];
    int64_t count = 0;
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *words = ARRAY_OF(_i, flags);
    const mcl_input in = mcl_from_constant(MCL_INT32, &one, 40), by = mcl_from_buffer(MCL_UINT32, words, 0, 2);

    for (int tiling = 0; tiling < TILINGS; tiling++) {
        memset(got, 0x55, sizeof got);
        mcl_buffer *out = ARRAY_OF(_i, got);
        test_fails(mcl_segmented_reduce(queue, in, mcl_segments_from_flags(by), ints_out(out, 20), MCL_ADD,
                                        mcl_to_host(MCL_INT64, &count), &tilings[tiling]),
                   MCL_ERROR_CAPACITY, "mcl_segmented_reduce|out|20|33");
        ck_assert_int_eq(count, 33);
        ARRAY_READ(_i, out, got);
        for (int s = 0; s < 40; s++) ck_assert_int_eq(got[s], s < 20 ? 1 : 0x55555555);
        test_ok(mcl_segmented_reduce(queue, in, mcl_segments_from_flags(by), ints_out(out, 0), MCL_ADD,
                                     mcl_to_host(MCL_INT64, &count), &tilings[tiling]));
        ck_assert_int_eq(count, 33);
        test_ok(mcl_segmented_reduce(queue, in, mcl_segments_from_flags(by), ints_out(out, 33), MCL_ADD,
                                     mcl_to_host(MCL_INT64, &count), &tilings[tiling]));
        ARRAY_READ(_i, out, got);
        ck_assert_int_eq(got[32], 8);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(words);
}
END_TEST

/* ---- bad data --------------------------------------------------------------------------------------------------- */

/* Offsets are in any order, before and after the elements. Results are unspecified, nothing else is written, and the
 * call ends. */
START_TEST(offsets_in_disorder_never_write_elsewhere)
{
    enum { SEGMENTS = 700 };
    static int64_t offsets[SEGMENTS + 1];
    static int32_t data[COUNT];
    test_device *device = test_device_at(_i);
    guarded in, places, folds, scans;

    /* several tiles would store results of the same segments */
    if (test_sees_races(_i)) {
        test_skip(_i, "offsets_in_disorder_never_write_elsewhere", "oclgrind reports what tiles store twice");
        return;
    }
    for (int round = 0; round < 6; round++) {
        for (int s = 0; s <= SEGMENTS; s++) {
            const int64_t random = (int64_t)(test_random((uint64_t)round, (uint64_t)s) >> 3);
            offsets[s] = round < 2 ? random % COUNT : round < 4 ? random - ((int64_t)1 << 60) : COUNT - 2 * s;
        }
        guarded_create(device->context, &element_int32, COUNT, (const unsigned char *)data, 1, &in);
        guarded_create(device->context, &element_int64, SEGMENTS + 1, (const unsigned char *)offsets, 2, &places);
        guarded_create(device->context, &element_int32, SEGMENTS, NULL, 0, &folds);
        guarded_create(device->context, &element_int32, COUNT, NULL, 3, &scans);
        const mcl_input from = mcl_from_buffer(MCL_INT32, in.buffer, in.first, COUNT);
        const mcl_input by = mcl_from_buffer(MCL_INT64, places.buffer, places.first, SEGMENTS + 1);
        test_ok(mcl_segmented_reduce(device->queue, from, mcl_segments_from_offsets(by),
                                     mcl_to_buffer(MCL_INT32, folds.buffer, folds.first, SEGMENTS), MCL_ADD,
                                     mcl_to_nowhere(), &tilings[round % TILINGS]));
        test_ok(mcl_segmented_scan(device->queue, from, mcl_segments_from_offsets(by),
                                   mcl_to_buffer(MCL_INT32, scans.buffer, scans.first, COUNT), MCL_ADD, MCL_INCLUSIVE,
                                   &tilings[round % TILINGS]));
        guarded *const written[] = { &folds, &scans };
        for (int k = 0; k < 2; k++) {
            unsigned char *now = malloc(written[k]->bytes);
            const size_t first = (size_t)written[k]->first * 4, length = (size_t)written[k]->count * 4;
            array_read(_i, written[k]->buffer, now, written[k]->bytes);
            ck_assert_mem_eq(now, written[k]->content, first);
            ck_assert_mem_eq(now + first + length, written[k]->content + first + length,
                             written[k]->bytes - first - length);
            free(now);
        }
        guarded_unchanged(device->queue, &in, "elements");
        guarded_unchanged(device->queue, &places, "offsets");
        guarded *const all[] = { &in, &places, &folds, &scans };
        for (int k = 0; k < 4; k++) guarded_free(all[k]);
    }
}
END_TEST

START_TEST(validation_names_the_first_offset_that_is_wrong)
{
    int32_t offsets[] = { 0, 5, 9, 8, 20, 3 };
    int32_t got[50];
    const mcl_options options = { .flags = MCL_VALIDATE };
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_input in = mcl_from_constant(MCL_INT32, &one, 50);

    memset(got, 0x11, sizeof got);
    mcl_buffer *places = ARRAY_OF(_i, offsets), *out = ARRAY_OF(_i, got);
    test_fails(mcl_segmented_reduce(queue, in, mcl_segments_from_offsets(ints(places, 6)), ints_out(out, 5), MCL_ADD,
                                    mcl_to_nowhere(), &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_reduce|segments[3]|sorted");
    test_fails(mcl_segmented_scan(queue, in, mcl_segments_from_offsets(ints(places, 6)), ints_out(out, 50), MCL_ADD,
                                  MCL_INCLUSIVE, &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_scan|segments[3]|sorted");
    mcl_buffer_release(places);
    offsets[3] = 19;
    offsets[5] = 51;
    places = ARRAY_OF(_i, offsets);
    test_fails(mcl_segmented_reduce(queue, in, mcl_segments_from_offsets(ints(places, 6)), ints_out(out, 5), MCL_ADD,
                                    mcl_to_nowhere(), &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_reduce|segments[5]|range|50");
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < 50; k++) ck_assert_int_eq(got[k], 0x11111111);
    test_ok(mcl_segmented_reduce(queue, in, mcl_segments_from_offsets(ints(places, 5)), ints_out(out, 4), MCL_ADD,
                                 mcl_to_nowhere(), &options));
    mcl_buffer_release(places);
    mcl_buffer_release(out);
}
END_TEST

/* ---- errors ----------------------------------------------------------------------------------------------------- */

START_TEST(what_does_not_fit_is_named)
{
    static int32_t data[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, data), *out = array_empty(_i, sizeof data);
    const mcl_input a = ints(in, COUNT), words = mcl_from_buffer(MCL_UINT32, in, 0, COUNT / 32 + 1);
    const mcl_output to = ints_out(out, COUNT);
    const mcl_op plain = { .role = MCL_ROLE_FOLD, .expression = "p + q" };
    int64_t count;

    test_fails(mcl_segmented_reduce(queue, a, mcl_segments_from_offsets(mcl_from_buffer(MCL_FLOAT, in, 0, 10)), to,
                                    MCL_ADD, mcl_to_nowhere(), NULL),
               MCL_ERROR_TYPE, "mcl_segmented_reduce|segments|float|integer");
    test_fails(mcl_segmented_reduce(queue, a, mcl_segments_from_offsets(ints(in, 10)), ints_out(out, 8), MCL_ADD,
                                    mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_reduce|out|capacity 8|9");
    test_fails(mcl_segmented_reduce(queue, a, mcl_segments_from_offsets(ints(in, 10)), ints_out(in, 9), MCL_ADD,
                                    mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_reduce|out|overlaps in");
    test_fails(mcl_segmented_reduce(queue, a, mcl_segments_from_offsets(a), to, NULL, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_reduce|op is NULL");
    test_fails(mcl_segmented_scan(queue, a, mcl_segments_from_offsets(a), to, MCL_ADD, MCL_EXCLUSIVE_WITH_TOTAL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_scan|kind is 2");
    test_fails(mcl_segmented_scan(queue, a, mcl_segments_from_offsets(a), to, &plain, MCL_EXCLUSIVE, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_scan|identity|exclusive");
    test_fails(mcl_segmented_scan(queue, a, mcl_segments_from_flags(mcl_from_buffer(MCL_UINT32, in, 0, COUNT / 32)), to,
                                  MCL_ADD, MCL_INCLUSIVE, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_scan|segments|46 words|1500|47");
    test_fails(mcl_segmented_scan(queue, a, mcl_segments_from_flags(mcl_from_buffer(MCL_UINT8, in, 0, COUNT)), to,
                                  MCL_ADD, MCL_INCLUSIVE, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_scan|segments|uint8_t|MCL_UINT32");
    test_fails(mcl_segmented_reduce(queue, a, mcl_segments_from_flags(words), to, MCL_ADD,
                                    mcl_to_slot(MCL_FLOAT, out, 0), NULL),
               MCL_ERROR_TYPE, "mcl_segmented_reduce|count|MCL_INT64");
    test_fails(mcl_segmented_reduce(queue, a, mcl_segments_from_flags(words), to, MCL_ADD,
                                    mcl_to_slot(MCL_INT64, out, 3), NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_reduce|count|overlaps|out");
    test_ok(mcl_segmented_reduce(queue, ints(NULL, 0), mcl_segments_from_flags(ints(NULL, 0)), ints_out(NULL, 0),
                                 &plain, mcl_to_host(MCL_INT64, &count), NULL));
    ck_assert_int_eq(count, 0);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* An element of 8 bytes and an accumulator of 9 take 16 bytes of work-group memory together. */
START_TEST(an_accumulator_may_be_aligned_less_than_an_element)
{
    static const char source[] = "typedef struct letters { uint8_t of[9]; } letters;";
    static const mcl_type letters = { .name = "letters", .size = 9, .source = source, .kind = MCL_KIND_STRUCT };
    const mcl_op larger = { .role = MCL_ROLE_FOLD,
                            .expression = "p.of[0] > q.of[0] ? p : q",
                            .value = &letters,
                            .extract = "first(x)",
                            .source = "static inline letters first(int64_t x)"
                                      " { letters l; for (int k = 0; k < 9; ++k) l.of[k] = (uint8_t)x; return l; }" };
    static const mcl_options full = { .tile_threads = 32, .tile_items = 31 };
    const int64_t numbers[] = { 1, 9, 2, 4, 3 };
    const int32_t offsets[] = { 0, 2, 5 };
    uint8_t got[18] = { 0 };
    mcl_buffer *in = ARRAY_OF(_i, numbers), *begins = ARRAY_OF(_i, offsets), *out = array_empty(_i, sizeof got);
    test_ok(mcl_segmented_reduce(test_device_at(_i)->queue, mcl_from_buffer(MCL_INT64, in, 0, 5),
                                 mcl_segments_from_offsets(ints(begins, 3)), mcl_to_buffer(&letters, out, 0, 2),
                                 &larger, mcl_to_nowhere(), &full));
    ARRAY_READ(_i, out, got);
    ck_assert(got[0] == 9 && got[8] == 9 && got[9] == 4 && got[17] == 4);
    mcl_buffer_release(in);
    mcl_buffer_release(begins);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, segmented_reduce_equals_the_loop, device, run_case_rounds(&segmented_reduce_case));
    test_add_loop(tcase, segmented_scan_equals_the_loop, device, run_case_rounds(&segmented_scan_case));
    test_add(tcase, empty_segments_of_any_number_give_the_identity, device);
    test_add(tcase, one_segment_may_be_everything_or_a_part, device);
    test_add(tcase, segments_of_tile_length_end_where_tiles_do, device);
    test_add(tcase, long_segments_end_anywhere_in_pieces, device);
    test_add(tcase, many_long_segments_are_for_sub_groups, device);
    test_add(tcase, long_segments_of_an_expression_see_segment_and_rank, device);
    test_add(tcase, long_segments_in_disorder_do_no_harm_to_later_calls, device);
    test_add(tcase, an_expression_sees_segment_and_rank, device);
    test_add(tcase, a_sparse_matrix_is_multiplied_in_one_call, device);
    test_add(tcase, counts_from_the_device_are_clamped_to_their_bounds, device);
    test_add(tcase, sums_of_floats_have_the_same_bits_on_every_call, device);
    test_add(tcase, more_segments_than_capacity_are_counted_and_not_written, device);
    test_add(tcase, offsets_in_disorder_never_write_elsewhere, device);
    test_add(tcase, validation_names_the_first_offset_that_is_wrong, device);
    test_add(tcase, what_does_not_fit_is_named, device);
    test_add(tcase, an_accumulator_may_be_aligned_less_than_an_element, device);
}

int main(void)
{
    return test_main("segmented", add);
}
