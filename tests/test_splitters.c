/* test_splitters.c: samples, splitters, and multisplits by splitters. test_sample_sort.c tests a whole sort with
 * them. */
#include "support/arrays.h"
#include "support/hostile.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(splitters_equal_the_loop)
{
    run_case_round(&splitters_case, _i);
}
END_TEST

/* Tiles of both mappings, small enough that a sequence of COUNT has several. */
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

/* A splitter on an earlier rank has a negative position. */
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

/* ---- samples ---------------------------------------------------------------------------------------------------- */

/* Element k is 3 * k + 7. */
START_TEST(each_stretch_has_one_sample)
{
    static const int64_t counts[] = { 0, 1, 2, 63, 64, 65, 1000, COUNT }, strides[] = { 1, 2, 7, 64, 5000 };
    const int32_t start = 7, step = 3;
    const int64_t first = (int64_t)1 << 33;
    int32_t got[COUNT];
    int64_t positions[COUNT], spread = 0;

    for (int k = 0; k < 8 * 5; k++) {
        const int64_t count = counts[k / 5], stride = strides[k % 5], samples = (count + stride - 1) / stride;
        mcl_buffer *out = array_of_copies(_i, -1, COUNT), *at = array_empty(_i, sizeof positions);
        test_ok(mcl_splitters_sample(test_device_at(_i)->queue, mcl_from_step(MCL_INT32, &start, &step, count), stride,
                                     first, ints_out(out, samples), mcl_to_buffer(MCL_INT64, at, 0, samples),
                                     &tilings[k % TILINGS]));
        ARRAY_READ(_i, out, got);
        ARRAY_READ(_i, at, positions);
        for (int64_t s = 0; s < samples; s++) {
            const int64_t index = positions[s] - first, end = (s + 1) * stride < count ? (s + 1) * stride : count;
            ck_assert(index >= s * stride && index < end);
            ck_assert_int_eq(got[s], 7 + 3 * index);
            if (stride == 64 && count == COUNT) spread += index % stride < stride / 2;
        }
        for (int64_t s = samples; s < COUNT; s++) ck_assert_int_eq(got[s], -1);
        mcl_buffer_release(out);
        mcl_buffer_release(at);
    }
    ck_assert(spread > 3 && spread < COUNT / 64 - 3); /* samples lie in both halves of stretches */
}
END_TEST

START_TEST(samples_end_where_the_device_says)
{
    const int64_t slot = 100;
    mcl_buffer *count = array_of(_i, &slot, sizeof slot), *out = array_of_copies(_i, -1, 20);
    int32_t got[20];

    test_ok(mcl_splitters_sample(test_device_at(_i)->queue, mcl_with_count(ints_counting(200), count, 0), 10, 0,
                                 ints_out(out, 20), none, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < 20; k++) ck_assert(k < 10 ? got[k] / 10 == k : got[k] == -1);
    mcl_buffer_release(count);
    mcl_buffer_release(out);
}
END_TEST

/* Chooses splitters and checks them. Sample k is k, at position 2 * k. */
static void expect_chosen(int device, mcl_input shares, int64_t samples, const int32_t *wanted)
{
    const int32_t zero = 0, two = 2;
    const int64_t splitters = shares.count - 1;
    mcl_buffer *out = array_of_copies(device, -1, 300), *at = array_of_copies(device, -1, 300);
    int32_t got[300], positions[300];

    test_ok(mcl_splitters_choose(test_device_at(device)->queue, ints_counting(samples),
                                 mcl_from_step(MCL_INT32, &zero, &two, samples), shares, ints_out(out, splitters),
                                 ints_out(at, splitters), NULL));
    ARRAY_READ(device, out, got);
    ARRAY_READ(device, at, positions);
    for (int64_t k = 0; k < splitters; k++) {
        ck_assert_int_eq(got[k], wanted[k]);
        ck_assert_int_eq(positions[k], wanted[k] < 0 ? -1 : 2 * wanted[k]);
    }
    mcl_buffer_release(out);
    mcl_buffer_release(at);
}

START_TEST(splitters_part_samples_by_shares)
{
    const int32_t one = 1;
    const int64_t uneven[] = { 3, 0, -5, 1, 4 }, huge[] = { INT64_MAX, 0, INT64_MAX, INT64_MAX },
                  nothing[] = { 0, -1, 0 };
    mcl_buffer *shares[] = { ARRAY_OF(_i, uneven), ARRAY_OF(_i, huge), ARRAY_OF(_i, nothing) };

    expect_chosen(_i, mcl_from_constant(MCL_INT32, &one, 4), 100, (const int32_t[]){ 25, 50, 75 });
    expect_chosen(_i, mcl_from_constant(MCL_INT32, &one, 4), 2, (const int32_t[]){ 0, 1, 1 });
    expect_chosen(_i, mcl_from_constant(MCL_INT32, &one, 3), 0, (const int32_t[]){ -1, -1 });
    expect_chosen(_i, mcl_from_constant(MCL_INT32, &one, 1), 100, NULL);
    expect_chosen(_i, mcl_from_buffer(MCL_INT64, shares[0], 0, 5), 80, (const int32_t[]){ 30, 30, 30, 40 });
    expect_chosen(_i, mcl_from_buffer(MCL_INT64, shares[0], 0, 3), 80, (const int32_t[]){ 79, 79 });
    expect_chosen(_i, mcl_from_buffer(MCL_INT64, shares[1], 0, 4), 90, (const int32_t[]){ 30, 30, 60 });
    expect_chosen(_i, mcl_from_buffer(MCL_INT64, shares[2], 0, 3), 90, (const int32_t[]){ -1, -1 });
    for (int k = 0; k < 3; k++) mcl_buffer_release(shares[k]);
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

START_TEST(mistakes_about_samples_are_told)
{
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64), *to = array_empty(_i, 64), *third = array_empty(_i, 64);
    const mcl_input three = mcl_from_constant(MCL_INT32, &one, 3);

#define SAMPLE(stride, first, out, positions, status, words)                                                           \
    test_fails(mcl_splitters_sample(queue, ints(in, 8), stride, first, out, positions, NULL), status,                  \
               "mcl_splitters_sample|" words)
    SAMPLE(0, 0, ints_out(to, 8), none, MCL_ERROR_ARGUMENT, "stride is 0; expected 1 or more");
    SAMPLE(1, -1, ints_out(to, 8), none, MCL_ERROR_ARGUMENT, "first is -1; expected 0 to");
    SAMPLE(3, 0, ints_out(to, 2), none, MCL_ERROR_ARGUMENT, "out has capacity 2|3");
    SAMPLE(3, 0, none, none, MCL_ERROR_ARGUMENT, "out");
    SAMPLE(3, 0, ints_out(in, 3), none, MCL_ERROR_ARGUMENT, "out overlaps in");
    SAMPLE(3, 0, ints_out(to, 3), ints_out(to, 3), MCL_ERROR_ARGUMENT, "positions overlaps out");
    SAMPLE(3, 0, ints_out(to, 3), ints_out(third, 2), MCL_ERROR_ARGUMENT, "positions has capacity 2|3");
    SAMPLE(3, INT32_MAX, ints_out(to, 3), ints_out(third, 3), MCL_ERROR_TYPE,
           "positions is MCL_INT32; expected MCL_INT64");
    SAMPLE(3, 0, mcl_to_buffer(MCL_FLOAT, to, 0, 3), none, MCL_ERROR_TYPE, "out is float; expected int32_t");

#define CHOOSE(positions, shares, out, out_positions, status, words)                                                   \
    test_fails(mcl_splitters_choose(queue, ints(in, 8), positions, shares, out, out_positions, NULL), status,          \
               "mcl_splitters_choose|" words)
    CHOOSE(nowhere, ints_counting(0), ints_out(to, 2), none, MCL_ERROR_ARGUMENT,
           "shares has 0 elements; expected 1 to");
    CHOOSE(nowhere, ints_counting(32769), ints_out(to, 2), none, MCL_ERROR_ARGUMENT, "shares has 32769 elements");
    CHOOSE(nowhere, mcl_from_buffer(MCL_FLOAT, third, 0, 3), ints_out(to, 2), none, MCL_ERROR_TYPE, "shares is float");
    CHOOSE(nowhere, three, ints_out(to, 1), none, MCL_ERROR_ARGUMENT, "out has capacity 1|2");
    CHOOSE(nowhere, three, ints_out(to, 2), ints_out(third, 2), MCL_ERROR_ARGUMENT,
           "out_positions is given without positions");
    CHOOSE(ints(third, 7), three, ints_out(to, 2), none, MCL_ERROR_ARGUMENT, "positions|7|8");
    CHOOSE(ints(third, 8), three, ints_out(to, 2), ints_out(to, 2), MCL_ERROR_ARGUMENT, "out_positions overlaps out");
    CHOOSE(nowhere, three, ints_out(in, 2), none, MCL_ERROR_ARGUMENT, "out overlaps samples");
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
    test_add(tcase, each_stretch_has_one_sample, device);
    test_add(tcase, samples_end_where_the_device_says, device);
    test_add(tcase, splitters_part_samples_by_shares, device);
    test_add(tcase, validation_finds_splitters_that_are_not_sorted, device);
    test_add(tcase, splitters_in_no_order_stay_in_the_outputs, device);
    test_add(tcase, mistakes_are_told, device);
    test_add(tcase, mistakes_about_samples_are_told, device);
}

int main(void)
{
    return test_main("splitters", add);
}
