/* test_splitters.c: mcl_multisplit_by_splitters and its pairs. */
#include "support/arrays.h"
#include "support/hostile.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(splitters_equal_the_loop)
{
    run_case_round(&splitters_case, _i);
}
END_TEST

/* Tiles of both mappings, so that a sequence of COUNT has several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 64, .tile_items = 5, .flags = MCL_INDEX_64 } };
enum { COUNT = 1500, TILINGS = sizeof tilings / sizeof tilings[0] };

static const mcl_output none = { 0 };
static const mcl_input nowhere = { 0 };

/* ---- equal keys ------------------------------------------------------------------------------------------------- */

/* Expects offsets, of int32. */
#define EXPECT_OFFSETS(buffer, ...)                                                                                    \
    do {                                                                                                               \
        const int32_t wanted[] = { __VA_ARGS__ };                                                                      \
        int32_t got[sizeof wanted / sizeof wanted[0]];                                                                 \
        ARRAY_READ(_i, buffer, got);                                                                                   \
        for (size_t k = 0; k < sizeof got / sizeof got[0]; k++) ck_assert_int_eq(got[k], wanted[k]);                   \
    } while (0)

START_TEST(equal_splitters_leave_buckets_empty_without_positions)
{
    const int32_t sevens[] = { 7, 7, 7, 9 }, seven = 7;
    mcl_buffer *splitters = ARRAY_OF(_i, sevens), *offsets = array_empty(_i, 6 * sizeof(int32_t));

    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_multisplit_by_splitters(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &seven, COUNT),
                                            none, ints(splitters, 4), nowhere, MCL_LESS, ints_out(offsets, 6), none,
                                            &tilings[k]));
        EXPECT_OFFSETS(offsets, 0, 0, 0, 0, COUNT, COUNT);
    }
    mcl_buffer_release(splitters);
    mcl_buffer_release(offsets);
}
END_TEST

/* Of a splitter on an earlier rank the position is negative. */
START_TEST(equal_keys_are_spread_by_their_positions)
{
    const int32_t sevens[] = { 7, 7, 7, 9 }, seven = 7;
    const int64_t positions[] = { -10, 40, 940, 0 };
    mcl_buffer *splitters = ARRAY_OF(_i, sevens), *at = ARRAY_OF(_i, positions);
    mcl_buffer *offsets = array_empty(_i, 6 * sizeof(int32_t)), *rows = array_empty(_i, COUNT * sizeof(int32_t));
    int32_t got[COUNT];

    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_multisplit_by_splitters_pairs(
            test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &seven, COUNT), ints_counting(COUNT), none,
            ints_out(rows, COUNT), ints(splitters, 4), mcl_from_buffer(MCL_INT64, at, 0, 4), MCL_LESS,
            ints_out(offsets, 6), none, &tilings[k]));
        EXPECT_OFFSETS(offsets, 0, 0, 40, 940, COUNT, COUNT);
        ARRAY_READ(_i, rows, got);
        for (int32_t j = 0; j < COUNT; j++) ck_assert_int_eq(got[j], j);
    }
    mcl_buffer_release(splitters);
    mcl_buffer_release(at);
    mcl_buffer_release(offsets);
    mcl_buffer_release(rows);
}
END_TEST

START_TEST(without_splitters_all_elements_are_of_one_bucket)
{
    mcl_buffer *offsets = array_empty(_i, 2 * sizeof(int32_t));
    const mcl_input splitters = mcl_from_buffer(MCL_INT32, NULL, 0, 0);

    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_multisplit_by_splitters(test_device_at(_i)->queue, ints_counting(COUNT), none, splitters, nowhere,
                                            MCL_LESS, ints_out(offsets, 2), none, &tilings[k]));
        EXPECT_OFFSETS(offsets, 0, COUNT);
    }
    mcl_buffer_release(offsets);
}
END_TEST

/* ---- preconditions ---------------------------------------------------------------------------------------------- */

START_TEST(validation_finds_splitters_that_are_not_sorted)
{
    const int32_t numbers[] = { 1, 5, 3 };
    const mcl_options validate = { .flags = MCL_VALIDATE };
    mcl_buffer *splitters = ARRAY_OF(_i, numbers), *offsets = array_of_copies(_i, 77, 5);

    test_fails(mcl_multisplit_by_splitters(test_device_at(_i)->queue, ints_counting(9), none, ints(splitters, 3),
                                           nowhere, MCL_LESS, ints_out(offsets, 5), none, &validate),
               MCL_ERROR_PRECONDITION, "mcl_multisplit_by_splitters|splitters|2");
    EXPECT_OFFSETS(offsets, 77, 77, 77, 77, 77);
    mcl_buffer_release(splitters);
    mcl_buffer_release(offsets);
}
END_TEST

typedef struct hostile_operands {
    const mcl_op *before;
    hostile_array in, values, out, out_values, splitters, offsets;
} hostile_operands;

static mcl_status split_hostile(mcl_queue *queue, const hostile_turn *turn, const void *given,
                                const mcl_options *options)
{
    const hostile_operands *const o = given;

    (void)turn;
    return mcl_multisplit_by_splitters_pairs(queue, hostile_input(&o->in), hostile_input(&o->values),
                                             hostile_output(&o->out), hostile_output(&o->out_values),
                                             hostile_input(&o->splitters), hostile_input(&o->splitters), o->before,
                                             hostile_output(&o->offsets), none, options);
}

START_TEST(splitters_in_no_order_stay_in_the_outputs)
{
    enum { MOST = 2000, SPLITTERS = 99 };
    static const mcl_op orders[] = { { .role = MCL_ROLE_ORDER, .expression = "p < q" },
                                     { .role = MCL_ROLE_ORDER, .expression = "p != q" },
                                     { .role = MCL_ROLE_ORDER, .expression = "1" } };
    static int32_t numbers[MOST];

    for (int turn = 0; turn < 3 * HOSTILE_KINDS; turn++) {
        if (!test_sample_takes(turn, 3 * HOSTILE_KINDS)) continue;
        const hostile_turn of = { _i, hostile_options(turn), orders[turn % 3].expression };
        hostile_operands o = { .before = &orders[turn % 3] };
        hostile_array *const arrays[] = { &o.in, &o.values, &o.out, &o.out_values, &o.splitters, &o.offsets };
        hostile_ints(numbers, MOST, turn / 3);
        o.in = hostile_array_of(_i, MCL_INT32, numbers, MOST);
        o.values = hostile_array_of(_i, MCL_INT32, numbers, MOST);
        o.out = hostile_array_empty(_i, MCL_INT32, MOST);
        o.out_values = hostile_array_empty(_i, MCL_INT32, MOST);
        o.splitters = hostile_array_of(_i, MCL_INT32, numbers, SPLITTERS);
        o.offsets = hostile_array_empty(_i, MCL_INT32, SPLITTERS + 2);
        hostile_run(&of, split_hostile, &o);
        for (int k = 0; k < 6; k++) {
            hostile_read(_i, arrays[k], NULL, of.what);
            hostile_free(arrays[k]);
        }
    }
}
END_TEST

/* ---- mistakes --------------------------------------------------------------------------------------------------- */

#define EXPECT(in, out, splitters, positions, before, offsets, status, words)                                          \
    test_fails(mcl_multisplit_by_splitters(queue, in, out, splitters, positions, before, offsets, none, NULL), status, \
               "mcl_multisplit_by_splitters|" words)

START_TEST(mistakes_are_told)
{
    static const mcl_op bucket = { .role = MCL_ROLE_INDEX, .expression = "x" };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64), *to = array_empty(_i, 64), *third = array_empty(_i, 2048);
    const mcl_output out = ints_out(to, 8);
    const mcl_input floats = mcl_from_buffer(MCL_FLOAT, third, 0, 3);

    EXPECT(ints(in, 8), out, ints(third, 256), nowhere, MCL_LESS, none, MCL_ERROR_ARGUMENT,
           "splitters has 256 elements; expected 0 to 255");
    EXPECT(ints(in, 8), out, nowhere, nowhere, MCL_LESS, none, MCL_ERROR_ARGUMENT, "splitters");
    EXPECT(ints(in, 8), out, floats, nowhere, MCL_LESS, none, MCL_ERROR_TYPE, "splitters is float; expected int32_t");
    EXPECT(ints(in, 8), out, ints(third, 3), ints(third, 2), MCL_LESS, none, MCL_ERROR_ARGUMENT, "positions|2|3");
    EXPECT(ints(in, 8), out, ints(third, 3), floats, MCL_LESS, none, MCL_ERROR_TYPE, "positions is float");
    EXPECT(ints(in, 8), out, ints(third, 3), nowhere, NULL, none, MCL_ERROR_ARGUMENT, "before is NULL");
    EXPECT(ints(in, 8), out, ints(third, 3), nowhere, &bucket, none, MCL_ERROR_ARGUMENT, "before is an index");
    EXPECT(ints(in, 8), out, ints(to, 3), nowhere, MCL_LESS, none, MCL_ERROR_ARGUMENT, "out overlaps splitters");
    EXPECT(ints(in, 8), out, ints(third, 3), nowhere, MCL_LESS, ints_out(third, 5), MCL_ERROR_ARGUMENT,
           "offsets overlaps splitters");
    EXPECT(ints(in, 8), none, ints(third, 3), ints(to, 3), MCL_LESS, ints_out(to, 5), MCL_ERROR_ARGUMENT,
           "offsets overlaps positions");
    EXPECT(ints(in, 8), out, ints(third, 3), nowhere, MCL_LESS, ints_out(in, 3), MCL_ERROR_ARGUMENT,
           "offsets has capacity 3|5");
    test_fails(mcl_multisplit_by_splitters_pairs(queue, ints(in, 8), ints(third, 7), out, none, ints(third, 3), nowhere,
                                                 MCL_LESS, none, none, NULL),
               MCL_ERROR_ARGUMENT, "mcl_multisplit_by_splitters_pairs|values|7|8");
    mcl_buffer_release(in);
    mcl_buffer_release(to);
    mcl_buffer_release(third);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, splitters_equal_the_loop, device, run_case_rounds(&splitters_case));
    test_add(tcase, equal_splitters_leave_buckets_empty_without_positions, device);
    test_add(tcase, equal_keys_are_spread_by_their_positions, device);
    test_add(tcase, without_splitters_all_elements_are_of_one_bucket, device);
    test_add(tcase, validation_finds_splitters_that_are_not_sorted, device);
    test_add(tcase, splitters_in_no_order_stay_in_the_outputs, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("splitters", add);
}
