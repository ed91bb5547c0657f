/* test_interval.c: mcl_interval_expand, _move, _gather and _scatter. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include "device/device.h"

#include <string.h>

START_TEST(interval_equals_the_loop)
{
    run_case_round(&interval_case, _i);
}
END_TEST

enum { COUNT = 600, ROOM = 400 };

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };
/* Tiles of both mappings that hold all elements. */
static const mcl_options wholes[] = { { .tile_threads = 1, .tile_items = 4 * COUNT },
                                      { .tile_threads = 128, .tile_items = 31 } };

/* The interval is long, with every alignment of source and target, for elements that share 16 bytes. */
START_TEST(one_long_interval_moves_whole_whatever_its_alignment)
{
    enum { LONG = 1000 };
    static unsigned char data[2 * LONG];
    static unsigned char got[2 * LONG];
    static unsigned char expected[2 * LONG];
    const int32_t zero = 0;
    const mcl_input offsets = mcl_from_constant(MCL_INT32, &zero, 1);
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < 2 * LONG; k++) data[k] = (unsigned char)(k * 7 + k / 256);
    mcl_buffer *in = ARRAY_OF(_i, data);
    for (int turn = 0; turn < 40; turn++) {
        const int32_t from = turn % 17;
        const int32_t to = turn * 5 % 23;
        mcl_buffer *out = ARRAY_OF(_i, data);
        test_ok(mcl_interval_move(queue, mcl_work_items(LONG), mcl_from_buffer(MCL_UINT8, in, 0, 2 * LONG),
                                  mcl_from_constant(MCL_INT32, &from, 1), mcl_from_constant(MCL_INT32, &to, 1), offsets,
                                  mcl_to_buffer(MCL_UINT8, out, 0, 2 * LONG), &tilings[1]));
        memcpy(expected, data, sizeof data);
        memcpy(expected + to, data + from, LONG);
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected, sizeof got);
        test_ok(mcl_interval_expand(queue, mcl_work_items(LONG), mcl_from_buffer(MCL_UINT8, in, from, 1), offsets,
                                    mcl_to_buffer(MCL_UINT8, out, to, LONG), &tilings[1]));
        memset(expected + to, data[from], LONG);
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected, sizeof got);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(in);
}
END_TEST

/* Elements of an interval that reaches outside are moved if they lie inside, with 32-bit and with 64-bit indices. */
START_TEST(elements_from_outside_or_to_outside_are_left_out)
{
    const int64_t starts[] = { 8, -3, ROOM - 2, INT64_MIN, INT64_MAX, INT64_C(1) << 32, -(INT64_C(1) << 32), ROOM, 20 };
    enum { INTERVALS = sizeof starts / sizeof starts[0], LENGTH = 8 };
    int32_t offsets[INTERVALS];
    int32_t targets[INTERVALS];
    static int32_t data[ROOM];
    int32_t expected[ROOM];
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < ROOM; k++) data[k] = k;
    for (int k = 0; k < INTERVALS; k++) offsets[k] = targets[k] = k * LENGTH;
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *far_starts = ARRAY_OF(_i, starts);
    mcl_buffer *lists = ARRAY_OF(_i, offsets);
    const mcl_input from = mcl_from_buffer(MCL_INT64, far_starts, 0, INTERVALS);
    const mcl_work work = mcl_work_items(INTERVALS * LENGTH);
    for (int turn = 0; turn < 4; turn++) {
        const int scatters = turn / 2;
        mcl_options options = tilings[turn % 2];
        options.flags = turn == 1 || turn == 2 ? MCL_INDEX_64 : 0;
        guarded out;
        memset(expected, 0x44, sizeof expected);
        guarded_create(test_device_at(_i)->context, &element_int32, ROOM, (unsigned char *)expected, turn % 4, &out);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, ROOM);
        test_ok(scatters ? mcl_interval_scatter(queue, work, ints(in, ROOM), from, ints(lists, INTERVALS), to, &options)
                         : mcl_interval_move(queue, work, ints(in, ROOM), from, ints(lists, INTERVALS),
                                             ints(lists, INTERVALS), to, &options));
        for (int k = 0; k < INTERVALS; k++)
            for (int rank = 0; rank < LENGTH; rank++) {
                const int is_near = starts[k] > -100 && starts[k] < ROOM + 100;
                const int64_t place = is_near ? starts[k] + rank : -1;
                if (place >= 0 && place < ROOM && scatters) expected[place] = k * LENGTH + rank;
                if (place >= 0 && place < ROOM && !scatters) expected[k * LENGTH + rank] = (int32_t)place;
            }
        guarded_expect(queue, &out, (unsigned char *)expected, ROOM, "elements outside");
        guarded_free(&out);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(far_starts);
    mcl_buffer_release(lists);
}
END_TEST

/* Offsets, sources and targets have any values. */
START_TEST(bad_lists_are_never_followed_past_the_ends)
{
    static int64_t data[COUNT];
    guarded lists;
    guarded in;
    guarded out;
    char what[] = "intervals with bad lists";
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_context *context = test_device_at(_i)->context;

    for (int turn = 0; turn < 9; turn++) {
        for (int k = 0; k < COUNT; k++) {
            const int64_t number = (int64_t)test_random((uint64_t)turn, (uint64_t)k);
            data[k] = turn % 3 == 0 ? number % 3000 : turn % 3 == 1 ? number : 2 * COUNT - k;
        }
        mcl_options options = test_sees_races(_i) ? wholes[turn % 2] : tilings[turn % 2];
        options.flags = turn % 4 == 2 ? MCL_INDEX_64 : 0;
        guarded_create(context, &element_int64, COUNT, (unsigned char *)data, turn % 4, &lists);
        guarded_create(context, &element_int32, 2 * COUNT, NULL, 2, &in);
        guarded_create(context, &element_int32, 2 * COUNT, NULL, turn % 3, &out);
        const mcl_input numbers = mcl_from_buffer(MCL_INT64, lists.buffer, lists.first, COUNT);
        const mcl_input source = mcl_from_buffer(MCL_INT32, in.buffer, in.first, 2 * COUNT);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, 2 * COUNT);
        const mcl_work work = mcl_work_items(2 * COUNT);
        if (turn % 3)
            test_ok(mcl_interval_expand(queue, work, source, numbers, to, &options));
        else if (test_sees_races(_i)) /* elements of overlapping targets are written twice */
            test_ok(mcl_interval_gather(queue, work, source, numbers, numbers, to, &options));
        else
            test_ok(mcl_interval_move(queue, work, source, numbers, numbers, numbers, to, &options));
        const size_t start = (size_t)out.first * sizeof(int32_t);
        test_ok(mcl_buffer_read(queue, out.buffer, start, 2 * COUNT * sizeof(int32_t), out.content + start));
        guarded_unchanged(queue, &out, what);
        guarded_unchanged(queue, &in, what);
        guarded_unchanged(queue, &lists, what);
        guarded_free(&lists);
        guarded_free(&in);
        guarded_free(&out);
    }
}
END_TEST

/* Makes intervals. Interval k has k % 4 elements and goes to index 4 * (7 * k % COUNT). */
static void spread_intervals(int32_t *offsets, int32_t *targets, int32_t *expected)
{
    int32_t items = 0;

    for (int k = 0; k < COUNT; k++) {
        offsets[k] = items;
        targets[k] = 7 * k % COUNT * 4;
        for (int rank = 0; rank < k % 4; rank++) expected[targets[k] + rank] = items++;
    }
}

/* In the order of their targets or not, elements go to the same indices. The call takes exactly the scratch that it
 * asks for. */
START_TEST(moves_in_the_order_of_targets_are_the_same_and_take_scratch_for_their_lists)
{
    enum { ITEMS = COUNT / 4 * 6 };
    static int32_t offsets[COUNT];
    static int32_t targets[COUNT];
    static int32_t expected[4 * COUNT];
    static int32_t got[4 * COUNT];
    const mcl_input in = ints_counting(ITEMS);
    const mcl_work work = mcl_work_items(ITEMS);
    int64_t asked[2];

    memset(expected, 0x55, sizeof expected);
    spread_intervals(offsets, targets, expected);
    for (int turn = 0; turn < 4; turn++) {
        mcl_context *context = test_context(_i);
        mcl_queue *queue = NULL;
        mcl_queue *prepared = NULL;
        mcl_buffer *lists[2] = { NULL };
        mcl_buffer *out = NULL;
        mcl_buffer *scratch = NULL;
        mcl_options options = tilings[turn / 2];
        context->limits.interval_order = turn % 2 ? MCL__ORDER_ALWAYS : MCL__ORDER_NEVER;
        test_ok(mcl_queue_create(context, 0, &queue));
        test_ok(mcl_queue_create_preparing(context, &prepared));
        test_ok(mcl_buffer_create(context, sizeof offsets, offsets, &lists[0]));
        test_ok(mcl_buffer_create(context, sizeof targets, targets, &lists[1]));
        memset(got, 0x55, sizeof got);
        test_ok(mcl_buffer_create(context, sizeof got, got, &out));
        const mcl_input at = ints(lists[0], COUNT);
        const mcl_input to = ints(lists[1], COUNT);
        test_ok(mcl_interval_scatter(prepared, work, in, to, at, ints_out(out, 4 * COUNT), &options));
        options.scratch_bytes = mcl_queue_scratch_bytes(prepared);
        asked[turn % 2] = (int64_t)options.scratch_bytes;
        test_ok(mcl_buffer_create(context, options.scratch_bytes, NULL, &scratch));
        options.scratch = scratch;
        test_ok(mcl_interval_scatter(queue, work, in, to, at, ints_out(out, 4 * COUNT), &options));
        test_ok(mcl_buffer_read(queue, out, 0, sizeof got, got));
        ck_assert_mem_eq(got, expected, sizeof got);
        if (turn % 2) ck_assert_int_ge(asked[1] - asked[0], COUNT * 16);
        mcl_buffer_release(scratch);
        mcl_buffer_release(out);
        mcl_buffer_release(lists[1]);
        mcl_buffer_release(lists[0]);
        mcl_queue_release(prepared);
        mcl_queue_release(queue);
        mcl_context_release(context);
    }
}
END_TEST

START_TEST(counts_from_the_device_are_clamped_to_their_bounds)
{
    static int32_t offsets[COUNT];
    static int32_t got[COUNT];
    const int64_t slots[] = { 0, -3, INT64_MIN, 250, COUNT, COUNT + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 250, COUNT, COUNT, COUNT };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    for (int k = 0; k < COUNT; k++) offsets[k] = k;
    mcl_buffer *starts = ARRAY_OF(_i, offsets);
    for (int turn = 0; turn < 14; turn++) {
        const int work = counts[turn / 2];
        const int objects = counts[(turn / 2 + 3) % 7];
        mcl_buffer *out = array_empty(_i, sizeof got);
        memset(got, 0x33, sizeof got);
        test_ok(mcl_buffer_write(queue, out, 0, sizeof got, got));
        /* the slot of the values is not read */
        test_ok(mcl_interval_expand(
            queue, mcl_work_in_slot(COUNT, slot, turn / 2), mcl_with_count(ints(starts, COUNT), slot, 0),
            mcl_with_count(ints(starts, COUNT), slot, (turn / 2 + 3) % 7), ints_out(out, COUNT), &tilings[turn % 2]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < COUNT; k++)
            ck_assert_int_eq(got[k], k < work && objects > 0 ? (k < objects ? k : objects - 1) : 0x33333333);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(starts);
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(validation_names_the_first_interval_outside_and_nothing_is_written)
{
    int32_t starts[100];
    int32_t offsets[100];
    guarded out;
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_options options = { .flags = MCL_VALIDATE };
    const mcl_work work = mcl_work_items(500);

    for (int k = 0; k < 100; k++) starts[k] = offsets[k] = 5 * k;
    offsets[70] = offsets[71]; /* interval 70 is empty, wherever it starts */
    starts[70] = -9;
    mcl_buffer *good = ARRAY_OF(_i, starts);
    starts[30] = 496;
    starts[90] = -1;
    mcl_buffer *bad = ARRAY_OF(_i, starts);
    mcl_buffer *lengths = ARRAY_OF(_i, offsets);
    guarded_create(test_device_at(_i)->context, &element_int32, 500, NULL, 0, &out);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, 500);
    const mcl_input in = ints_counting(500);
    const mcl_input at = ints(lengths, 100);
    test_fails(mcl_interval_move(queue, work, in, ints(bad, 100), ints(good, 100), at, to, &options),
               MCL_ERROR_PRECONDITION, "mcl_interval_move|gather[30]|in|500");
    test_fails(mcl_interval_move(queue, work, in, ints(good, 100), ints(bad, 100), at, to, &options),
               MCL_ERROR_PRECONDITION, "mcl_interval_move|scatter[30]|out|500");
    test_fails(mcl_interval_gather(queue, work, in, ints(bad, 100), at, to, &options), MCL_ERROR_PRECONDITION,
               "mcl_interval_gather|gather[30]");
    test_fails(mcl_interval_scatter(queue, work, in, ints(bad, 100), at, to, &options), MCL_ERROR_PRECONDITION,
               "mcl_interval_scatter|scatter[30]");
    offsets[9] = 0;
    test_ok(mcl_buffer_write(queue, lengths, 0, sizeof offsets, offsets));
    test_fails(mcl_interval_expand(queue, work, in, at, to, &options), MCL_ERROR_PRECONDITION,
               "mcl_interval_expand|offsets[9]");
    offsets[0] = 1;
    test_ok(mcl_buffer_write(queue, lengths, 0, sizeof offsets, offsets));
    test_fails(mcl_interval_gather(queue, work, in, ints(good, 100), at, to, &options), MCL_ERROR_PRECONDITION,
               "mcl_interval_gather|offsets[0]");
    guarded_unchanged(queue, &out, "output of a move that failed its validation");
    mcl_buffer_release(good);
    mcl_buffer_release(bad);
    mcl_buffer_release(lengths);
    guarded_free(&out);
}
END_TEST

#define FAILS(call, status, words) test_fails(call, MCL_ERROR_##status, words)

START_TEST(errors_of_intervals_name_what_is_wrong)
{
    static int32_t data[2 * COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *lists = ARRAY_OF(_i, data);
    mcl_buffer *out = ARRAY_OF(_i, data);
    const mcl_input at = ints(lists, COUNT);
    const mcl_output to = ints_out(out, COUNT);
    const mcl_work work = mcl_work_items(COUNT);

    FAILS(mcl_interval_expand(queue, mcl_work_items(-1), at, at, to, NULL), ARGUMENT, "mcl_interval_expand|work|-1");
    FAILS(mcl_interval_expand(queue, work, ints(lists, 3), at, to, NULL), ARGUMENT, "values|3|600");
    FAILS(mcl_interval_expand(queue, work, at, at, ints_out(out, 5), NULL), ARGUMENT, "out|5|600");
    FAILS(mcl_interval_expand(queue, work, at, mcl_from_buffer(MCL_FLOAT, lists, 0, 4), to, NULL), TYPE,
          "offsets|float|integer");
    FAILS(mcl_interval_expand(queue, work, at, at, mcl_to_buffer(MCL_FLOAT, out, 0, COUNT), NULL), TYPE,
          "values|int32_t|out|float");
    FAILS(mcl_interval_expand(queue, work, ints(out, COUNT), at, to, NULL), ARGUMENT, "out|values|overlaps");
    FAILS(mcl_interval_move(queue, work, at, ints(lists, 7), at, at, to, NULL), ARGUMENT, "mcl_interval_move|gather|7");
    FAILS(mcl_interval_move(queue, work, at, at, mcl_from_buffer(MCL_FLOAT, lists, 0, COUNT), at, to, NULL), TYPE,
          "scatter|float|integer");
    FAILS(mcl_interval_move(queue, work, at, at, ints(out, COUNT), at, to, NULL), ARGUMENT, "out|scatter|overlaps");
    FAILS(mcl_interval_gather(queue, work, at, at, at, ints_out(lists, COUNT), NULL), ARGUMENT, "out|offsets|overlaps");
    FAILS(mcl_interval_gather(queue, work, at, at, at, ints_out(out, COUNT - 1), NULL), ARGUMENT,
          "mcl_interval_gather|out|599|600");
    FAILS(mcl_interval_scatter(queue, work, ints(lists, COUNT - 1), at, at, to, NULL), ARGUMENT,
          "mcl_interval_scatter|in|599|600");
    mcl_buffer_release(lists);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, interval_equals_the_loop, device, run_case_rounds(&interval_case));
    test_add(tcase, one_long_interval_moves_whole_whatever_its_alignment, device);
    test_add(tcase, elements_from_outside_or_to_outside_are_left_out, device);
    test_add(tcase, bad_lists_are_never_followed_past_the_ends, device);
    test_add(tcase, moves_in_the_order_of_targets_are_the_same_and_take_scratch_for_their_lists, device);
    test_add(tcase, counts_from_the_device_are_clamped_to_their_bounds, device);
    test_add(tcase, validation_names_the_first_interval_outside_and_nothing_is_written, device);
    test_add(tcase, errors_of_intervals_name_what_is_wrong, device);
}

int main(void)
{
    return test_main("interval", add);
}
