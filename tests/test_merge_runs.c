/* test_merge_runs.c: mcl_merge_runs and mcl_merge_runs_pairs. */
#include "support/arrays.h"
#include "support/hostile.h"
#include "support/run_case.h"

#include <stdlib.h>

START_TEST(merge_of_runs_equals_the_loop)
{
    run_case_round(&merge_runs_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

/* ---- order ------------------------------------------------------------------------------------------------------ */

START_TEST(equal_keys_keep_the_order_of_runs)
{
    enum { COUNT = 900, RUNS = 9 };
    const int32_t seven = 7;
    int32_t got[COUNT];
    mcl_buffer *keys = array_empty(_i, sizeof got), *values = array_empty(_i, sizeof got);

    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_merge_runs_pairs(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &seven, COUNT),
                                     ints_counting(COUNT),
                                     mcl_from_expression(MCL_INT32, "i * 100", NULL, NULL, 0, RUNS + 1),
                                     ints_out(keys, COUNT), ints_out(values, COUNT), MCL_LESS, &tilings[k]));
        ARRAY_READ(_i, values, got);
        for (int32_t j = 0; j < COUNT; j++) ck_assert_int_eq(got[j], j);
    }
    mcl_buffer_release(keys);
    mcl_buffer_release(values);
}
END_TEST

/* The test has every number of runs, and every length of a few runs. */
START_TEST(all_small_sizes_are_merged)
{
    enum { MOST = 33, ROUNDS = 2 * MOST };
    int32_t numbers[6 * MOST], offsets[MOST + 1], got[6 * MOST];

    for (int round = 0; round < ROUNDS; round++) {
        if (!test_sample_takes(round, ROUNDS)) continue;
        const int runs = 1 + round / 2;
        offsets[0] = 0;
        for (int r = 0; r < runs; r++) {
            const int length = (r * 7 + runs) % 6;
            random_ints(numbers + offsets[r], length, 20, (uint64_t)(r + 100 * runs), 1);
            offsets[r + 1] = offsets[r] + length;
        }
        const int count = offsets[runs];
        mcl_buffer *keys = ARRAY_OF(_i, numbers), *at = ARRAY_OF(_i, offsets), *out = array_of_copies(_i, -1, 6 * MOST);
        test_ok(mcl_merge_runs(test_device_at(_i)->queue, ints(keys, count), ints(at, runs + 1), ints_out(out, count),
                               MCL_LESS, &tilings[round % 2]));
        ARRAY_READ(_i, out, got);
        qsort(numbers, (size_t)count, sizeof numbers[0], compare_ints);
        for (int k = 0; k < count; k++) ck_assert_int_eq(got[k], numbers[k]);
        for (int k = count; k < 6 * MOST; k++) ck_assert_int_eq(got[k], -1);
        mcl_buffer_release(keys);
        mcl_buffer_release(at);
        mcl_buffer_release(out);
    }
}
END_TEST

START_TEST(keys_outside_all_runs_are_left_out)
{
    const int32_t numbers[] = { 90, 91, 5, 8, 1, 2, 9, 4, 92, 93 }, offsets[] = { 2, 4, 7, 8 };
    const int32_t wanted[] = { 1, 2, 4, 5, 8, 9, -1, -1, -1, -1 };
    mcl_buffer *keys = ARRAY_OF(_i, numbers), *at = ARRAY_OF(_i, offsets);
    int32_t got[10];

    for (int k = 0; k < TILINGS; k++) {
        mcl_buffer *out = array_of_copies(_i, -1, 10);
        test_ok(mcl_merge_runs(test_device_at(_i)->queue, ints(keys, 10), ints(at, 4), ints_out(out, 10), MCL_LESS,
                               &tilings[k]));
        ARRAY_READ(_i, out, got);
        for (int j = 0; j < 10; j++) ck_assert_int_eq(got[j], wanted[j]);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(keys);
    mcl_buffer_release(at);
}
END_TEST

START_TEST(without_runs_or_keys_nothing_is_stored)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_of_copies(_i, -1, 10);
    int32_t got[10];

    test_ok(mcl_merge_runs(queue, ints_counting(10), ints_counting(1), ints_out(out, 10), MCL_LESS, NULL));
    test_ok(mcl_merge_runs(queue, ints_counting(0), ints_counting(9), ints_out(out, 0), MCL_LESS, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < 10; k++) ck_assert_int_eq(got[k], -1);
    mcl_buffer_release(out);
}
END_TEST

/* An expression gives 2^40 runs. Nearly 2^34 empty runs follow each of the LENGTH keys. */
START_TEST(far_more_runs_than_keys)
{
    enum { FIRST = 3, LENGTH = 7, RUNS = 64, END = FIRST + LENGTH * RUNS, COUNT = END + 5, SPAN = 20 };
    const mcl_input offsets =
        mcl_from_expression(MCL_INT64, "3 + 7 * (i >> 34)", NULL, NULL, 0, (INT64_C(1) << 40) + 1);
    int32_t numbers[COUNT], expected[COUNT], got[COUNT];
    int count = 0;

    random_ints(numbers, COUNT, SPAN, 5, 0);
    for (int r = 0; r < RUNS; r++) random_ints(numbers + FIRST + LENGTH * r, LENGTH, SPAN, (uint64_t)r, 1);
    for (int32_t key = 0; key < SPAN; key++)
        for (int32_t k = FIRST; k < END; k++)
            if (numbers[k] == key) expected[count++] = k;
    while (count < COUNT) expected[count++] = -1;
    mcl_buffer *const keys = ARRAY_OF(_i, numbers), *const out = array_empty(_i, sizeof got);
    for (int k = 0; k < TILINGS; k++) {
        if (!test_sample_takes(k, TILINGS)) continue;
        mcl_buffer *const values = array_of_copies(_i, -1, COUNT);
        test_ok(mcl_merge_runs_pairs(test_device_at(_i)->queue, ints(keys, COUNT), ints_counting(COUNT), offsets,
                                     ints_out(out, COUNT), ints_out(values, COUNT), MCL_LESS, &tilings[k]));
        ARRAY_READ(_i, values, got);
        for (int j = 0; j < COUNT; j++) ck_assert_int_eq(got[j], expected[j]);
        mcl_buffer_release(values);
    }
    mcl_buffer_release(keys);
    mcl_buffer_release(out);
}
END_TEST

/* ---- preconditions ---------------------------------------------------------------------------------------------- */

typedef struct hostile_operands {
    const mcl_op *before;
    hostile_array keys, values, offsets, out, out_values;
} hostile_operands;

static mcl_status merge_hostile(mcl_queue *queue, const hostile_turn *turn, const void *given,
                                const mcl_options *options)
{
    const hostile_operands *const o = given;

    (void)turn;
    return mcl_merge_runs_pairs(queue, hostile_input(&o->keys), hostile_input(&o->values), hostile_input(&o->offsets),
                                hostile_output(&o->out), hostile_output(&o->out_values), o->before, options);
}

/* Offsets are numbers like the keys. Some fall, and some lie outside. Where they fall, runs overlap, and two work-items
 * store to one index. */
START_TEST(runs_and_offsets_in_no_order_stay_in_the_outputs)
{
    enum { MOST = 2000, RUNS = 40 };
    static const mcl_op orders[] = { { .role = MCL_ROLE_ORDER, .expression = "p < q" },
                                     { .role = MCL_ROLE_ORDER, .expression = "p != q" },
                                     { .role = MCL_ROLE_ORDER, .expression = "1" } };
    static int32_t numbers[MOST], offsets[RUNS + 1];

    for (int turn = 0; turn < 3 * HOSTILE_KINDS; turn++) {
        if (!test_sample_takes(turn, 3 * HOSTILE_KINDS)) continue;
        const hostile_turn of = { _i, hostile_options(turn), orders[turn % 3].expression };
        hostile_operands o = { .before = &orders[turn % 3] };
        hostile_array *const arrays[] = { &o.keys, &o.values, &o.offsets, &o.out, &o.out_values };
        hostile_ints(numbers, MOST, turn / 3);
        random_ints(offsets, RUNS + 1, MOST + MOST / 4, (uint64_t)turn, 0);
        if (turn % 2) hostile_ints(offsets, RUNS + 1, turn / 3);
        if (test_sees_races(_i)) qsort(offsets, RUNS + 1, sizeof offsets[0], compare_ints);
        o.keys = hostile_array_of(_i, MCL_INT32, numbers, MOST);
        o.values = hostile_array_of(_i, MCL_INT32, numbers, MOST);
        o.offsets = hostile_array_of(_i, MCL_INT32, offsets, RUNS + 1);
        o.out = hostile_array_empty(_i, MCL_INT32, MOST);
        o.out_values = hostile_array_empty(_i, MCL_INT32, MOST);
        hostile_run(&of, merge_hostile, &o);
        for (int k = 0; k < 5; k++) {
            hostile_read(_i, arrays[k], NULL, of.what);
            hostile_free(arrays[k]);
        }
    }
}
END_TEST

/* A tile of the first pair gets as its end a cut of the third pair, which begins before the tile. No two tiles store to
 * one index. Only keys may be read, not the numbers beside them. */
START_TEST(a_cut_of_another_pair_leads_to_no_key_outside)
{
    static const int32_t offsets[] = { 0, 10, 12, 12, 1, 1, 1, 1, 1 };
    static const struct {
        int threads, items;
    } tiles[] = { { 1, 4 }, { 2, 2 }, { 4, 1 } };
    int32_t keys[32], got[12];

    for (int k = 0; k < 32; k++) keys[k] = k < 10 ? 5 + k : k < 12 ? k - 10 : -7;
    mcl_buffer *const in = ARRAY_OF(_i, keys), *const at = ARRAY_OF(_i, offsets),
                      *const out = array_empty(_i, sizeof got);
    for (int t = 0; t < 3; t++) {
        const mcl_options options = { .tile_threads = tiles[t].threads, .tile_items = tiles[t].items };
        test_ok(mcl_merge_runs(test_device_at(_i)->queue, ints(in, 12), ints(at, 9), ints_out(out, 12), MCL_LESS,
                               &options));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < 12; k++) ck_assert_int_ne(got[k], -7);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(at);
    mcl_buffer_release(out);
}
END_TEST

/* ---- mistakes --------------------------------------------------------------------------------------------------- */

#define EXPECT(keys, offsets, out, before, flags_, status, words)                                                      \
    test_fails(mcl_merge_runs(queue, keys, offsets, out, before, &(mcl_options){ .flags = flags_ }), status,           \
               "mcl_merge_runs|" words)

START_TEST(mistakes_are_told)
{
    const int32_t falling[] = { 0, 5, 3, 8 }, beyond[] = { 0, 3, 9, 9 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64), *to = array_empty(_i, 64), *third = array_empty(_i, 64);
    mcl_buffer *at = ARRAY_OF(_i, falling), *past = ARRAY_OF(_i, beyond);
    const mcl_output out = ints_out(to, 8);

    EXPECT(ints(in, 8), ints_counting(0), out, MCL_LESS, 0, MCL_ERROR_ARGUMENT,
           "offsets has 0 elements; expected 1 or more, one more than runs");
    EXPECT(ints(in, 8), (mcl_input){ 0 }, out, MCL_LESS, 0, MCL_ERROR_ARGUMENT, "offsets");
    EXPECT(ints(in, 8), mcl_from_buffer(MCL_INT16, third, 0, 3), out, MCL_LESS, 0, MCL_ERROR_TYPE,
           "offsets is int16_t");
    EXPECT(ints(in, 8), ints(at, 4), ints_out(to, 7), MCL_LESS, 0, MCL_ERROR_ARGUMENT, "out has capacity 7|8");
    EXPECT(ints(in, 8), ints(at, 4), ints_out(in, 8), MCL_LESS, 0, MCL_ERROR_ARGUMENT, "out overlaps keys");
    EXPECT(ints(in, 8), ints(to, 4), out, MCL_LESS, 0, MCL_ERROR_ARGUMENT, "out overlaps offsets");
    EXPECT(ints(in, 8), ints(at, 4), mcl_to_buffer(MCL_FLOAT, to, 0, 8), MCL_LESS, 0, MCL_ERROR_TYPE,
           "out is float; expected int32_t");
    EXPECT(ints(in, 8), ints(at, 4), (mcl_output){ 0 }, MCL_LESS, 0, MCL_ERROR_ARGUMENT, "out");
    EXPECT(ints(in, 8), ints(at, 4), out, NULL, 0, MCL_ERROR_ARGUMENT, "before is NULL");
    EXPECT(ints(in, 8), ints(at, 4), out, MCL_ADD, 0, MCL_ERROR_ARGUMENT, "before is MCL_ADD");
    EXPECT(ints(in, 8), ints(at, 4), out, MCL_LESS, MCL_VALIDATE, MCL_ERROR_PRECONDITION, "offsets|2");
    EXPECT(ints(in, 8), ints(past, 4), out, MCL_LESS, MCL_VALIDATE, MCL_ERROR_PRECONDITION, "offsets|2");
    test_fails(
        mcl_merge_runs_pairs(queue, ints(in, 8), ints(third, 7), ints(at, 4), out, ints_out(third, 8), MCL_LESS, NULL),
        MCL_ERROR_ARGUMENT, "mcl_merge_runs_pairs|values|7|8");
    test_fails(mcl_merge_runs_pairs(queue, ints(in, 8), ints_counting(8), ints(at, 4), out, out, MCL_LESS, NULL),
               MCL_ERROR_ARGUMENT, "mcl_merge_runs_pairs|out_values overlaps out_keys");
    mcl_buffer_release(in);
    mcl_buffer_release(to);
    mcl_buffer_release(third);
    mcl_buffer_release(at);
    mcl_buffer_release(past);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, merge_of_runs_equals_the_loop, device, run_case_rounds(&merge_runs_case));
    test_add(tcase, equal_keys_keep_the_order_of_runs, device);
    test_add(tcase, all_small_sizes_are_merged, device);
    test_add(tcase, keys_outside_all_runs_are_left_out, device);
    test_add(tcase, without_runs_or_keys_nothing_is_stored, device);
    test_add(tcase, far_more_runs_than_keys, device);
    test_add(tcase, runs_and_offsets_in_no_order_stay_in_the_outputs, device);
    test_add(tcase, a_cut_of_another_pair_leads_to_no_key_outside, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("merge_runs", add);
}
