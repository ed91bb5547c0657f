/* test_multisplit.c: mcl_multisplit, mcl_multisplit_pairs. They are run again with MCL_FEATURES=poll_limit=0, where
 * every look-back gives up at once and counts earlier tiles itself. They are also run without look-back. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/hostile.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(multisplit_equals_the_loop)
{
    run_case_round(&multisplit_case, _i);
}
END_TEST

enum { COUNT = 1500, BUCKETS = 6 };

/* Tiles of both mappings, small enough that a sequence of COUNT has several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 64, .tile_items = 5, .flags = MCL_INDEX_64 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

static const mcl_op sixths = { .role = MCL_ROLE_INDEX, .expression = "x % 6" };
static const mcl_output none = { 0 };

/* ---- what is left out ------------------------------------------------------------------------------------------- */

/* Checks the result that sixths gives for the numbers 0, 1, 2 ... */
static void expect_sixths(const int32_t *out, const int32_t *offsets, const int32_t *counts, int32_t count)
{
    int32_t to = 0;

    for (int32_t b = 0; b < BUCKETS; b++) {
        if (offsets) ck_assert_int_eq(offsets[b], to);
        if (counts) ck_assert_int_eq(counts[b], (count + 5 - b) / 6);
        for (int32_t x = b; x < count; x += 6, to++)
            if (out) ck_assert_int_eq(out[to], x);
    }
    if (offsets) ck_assert_int_eq(offsets[BUCKETS], count);
}

START_TEST(each_output_may_be_left_out)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t got[COUNT], offsets[BUCKETS + 1], counts[BUCKETS];

    for (int k = 0; k < 8 * TILINGS; k++) {
        if (!test_takes_tile(&tilings[k / 8])) continue;
        mcl_buffer *out = array_empty(_i, sizeof got);
        mcl_buffer *starts = array_empty(_i, sizeof offsets);
        mcl_buffer *numbers = array_empty(_i, sizeof counts);
        const int has_out = k % 2, has_offsets = k / 2 % 2, has_counts = k / 4 % 2;
        test_ok(mcl_multisplit(queue, ints_counting(COUNT), has_out ? ints_out(out, COUNT) : none, &sixths, BUCKETS,
                               has_offsets ? ints_out(starts, BUCKETS + 1) : none,
                               has_counts ? ints_out(numbers, BUCKETS) : none, &tilings[k / 8]));
        ARRAY_READ(_i, out, got);
        ARRAY_READ(_i, starts, offsets);
        ARRAY_READ(_i, numbers, counts);
        expect_sixths(has_out ? got : NULL, has_offsets ? offsets : NULL, has_counts ? counts : NULL, COUNT);
        mcl_buffer_release(out);
        mcl_buffer_release(starts);
        mcl_buffer_release(numbers);
    }
}
END_TEST

START_TEST(keys_or_values_alone_are_moved)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t got[COUNT];

    for (int k = 0; k < 2 * TILINGS; k++) {
        if (!test_takes_tile(&tilings[k / 2])) continue;
        mcl_buffer *out = array_empty(_i, sizeof got);
        test_ok(mcl_multisplit_pairs(queue, ints_counting(COUNT), ints_counting(COUNT + 1),
                                     k % 2 ? ints_out(out, COUNT) : none, k % 2 ? none : ints_out(out, COUNT), &sixths,
                                     BUCKETS, none, none, &tilings[k / 2]));
        ARRAY_READ(_i, out, got);
        expect_sixths(got, NULL, NULL, COUNT);
        mcl_buffer_release(out);
    }
}
END_TEST

/* ---- numbers and counts ----------------------------------------------------------------------------------------- */

/* Each expression gives bucket 1 for the elements 0 to 9, and no bucket for the others. */
START_TEST(numbers_of_no_bucket_are_of_the_last)
{
    static const char *const expressions[] = {
        "x < 10 ? 1 : 3",
        "x < 10 ? 1 : -1",
        "x < 10 ? (uint64_t)1 : (uint64_t)-1",
        "i < 10 ? (int64_t)1 : (int64_t)1 << 40",
        "i < 10 ? 1 : (int64_t)1 << 32",
        "x < 10 ? 1.5f : 3.5f",
        "x < 10 ? 1.5f : -1.5f",
        "i < 10 ? 1 : (int64_t)-1 << 63",
    };
    mcl_queue *queue = test_device_at(_i)->queue;
    int64_t offsets[4];
    mcl_buffer *starts = array_empty(_i, sizeof offsets);

    for (int k = 0; k < 8 * TILINGS; k++) {
        if (!test_takes_tile(&tilings[k / 8])) continue;
        const mcl_op op = { .role = MCL_ROLE_INDEX, .expression = expressions[k % 8] };
        test_ok(mcl_multisplit(queue, ints_counting(COUNT), none, &op, 3, mcl_to_buffer(MCL_INT64, starts, 0, 4), none,
                               &tilings[k / 8]));
        ARRAY_READ(_i, starts, offsets);
        ck_assert(offsets[0] == 0 && offsets[1] == 0 && offsets[2] == 10 && offsets[3] == COUNT);
    }
    mcl_buffer_release(starts);
}
END_TEST

START_TEST(a_count_from_the_device_is_clamped_to_its_bound)
{
    const int64_t slots[] = { 0, -5, 700, COUNT + 1, INT64_MAX };
    const int32_t counts[] = { 0, 0, 700, COUNT, COUNT };
    mcl_buffer *slot = ARRAY_OF(_i, slots);
    int32_t offsets[BUCKETS + 1], got[COUNT], values[COUNT];

    for (int k = 0; k < 5 * TILINGS; k++) {
        if (!test_takes_tile(&tilings[k / 5])) continue;
        guarded out;
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, k % 4, &out);
        mcl_buffer *starts = array_empty(_i, sizeof offsets);
        mcl_buffer *beside = array_empty(_i, sizeof values);
        test_ok(mcl_multisplit_pairs(test_device_at(_i)->queue, mcl_with_count(ints_counting(COUNT), slot, k % 5),
                                     ints_counting(COUNT), mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT),
                                     ints_out(beside, COUNT), &sixths, BUCKETS, ints_out(starts, BUCKETS + 1), none,
                                     &tilings[k / 5]));
        ARRAY_READ(_i, starts, offsets);
        ARRAY_READ(_i, beside, values);
        test_ok(mcl_buffer_read(test_device_at(_i)->queue, out.buffer, (size_t)out.first * 4, sizeof got, got));
        expect_sixths(got, offsets, NULL, counts[k % 5]);
        expect_sixths(values, NULL, NULL, counts[k % 5]);
        guarded_expect(test_device_at(_i)->queue, &out, (unsigned char *)got, counts[k % 5], "out");
        mcl_buffer_release(starts);
        mcl_buffer_release(beside);
        guarded_free(&out);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(of_nothing_every_bucket_is_empty)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t numbers[256 + 257];

    for (int k = 0; k < TILINGS; k++) {
        if (!test_takes_tile(&tilings[k])) continue;
        memset(numbers, 0x55, sizeof numbers);
        mcl_buffer *buffer = ARRAY_OF(_i, numbers);
        test_ok(mcl_multisplit(queue, ints(NULL, 0), ints_out(NULL, 0), &sixths, 256,
                               mcl_to_buffer(MCL_INT32, buffer, 256, 257), ints_out(buffer, 256), &tilings[k]));
        ARRAY_READ(_i, buffer, numbers);
        for (int n = 0; n < 256 + 257; n++) ck_assert_int_eq(numbers[n], 0);
        mcl_buffer_release(buffer);
    }
}
END_TEST

/* ---- answers that differ from call to call ---------------------------------------------------------------------- */

/* An expression that counts its calls. After the first count calls the bucket differs: either all elements have left
 * the counted bucket, or each call gives a random bucket. */
static const char varying_source[] = "static inline uint32_t call_of(__global const uint32_t *calls) {\n"
                                     "    return atomic_add_global((__global uint32_t *)calls, 1u);\n"
                                     "}\n";
static const char *const varying[] = { "call_of(calls) < bound ? 0 : 99", "call_of(calls) < bound ? 99 : 0",
                                       "call_of(calls) * 2654435761u >> 25" };

typedef struct varying_operands {
    mcl_op op;
    hostile_array in, values, out, out_values, offsets, calls;
} varying_operands;

static mcl_status split_varying(mcl_queue *queue, const hostile_turn *turn, const void *given,
                                const mcl_options *options)
{
    const varying_operands *const o = given;

    (void)turn;
    return mcl_multisplit_pairs(queue, hostile_input(&o->in), hostile_input(&o->values), hostile_output(&o->out),
                                hostile_output(&o->out_values), &o->op, 100, hostile_output(&o->offsets), none,
                                options);
}

static void split_one(int device, const char *expression, int64_t count, int tile)
{
    static int32_t numbers[5000];
    const hostile_turn turn = { device, hostile_options(tile), expression };
    const uint32_t bound = (uint32_t)count;
    uint32_t calls = 0;
    varying_operands o = { .op = { .role = MCL_ROLE_INDEX, .expression = expression, .source = varying_source } };
    hostile_array *const arrays[] = { &o.in, &o.values, &o.out, &o.out_values, &o.offsets };

    hostile_ints(numbers, count, 0);
    o.in = hostile_array_of(device, MCL_INT32, numbers, count);
    o.values = hostile_array_of(device, MCL_INT32, numbers, count);
    o.out = hostile_array_empty(device, MCL_INT32, count);
    o.out_values = hostile_array_empty(device, MCL_INT32, count);
    o.offsets = hostile_array_empty(device, MCL_INT32, 101);
    o.calls = hostile_array_of(device, MCL_UINT32, &calls, 1);
    o.op.binding_count = 2;
    o.op.bindings[0] = mcl_binding_buffer("calls", MCL_UINT32, o.calls.buffer, o.calls.first);
    o.op.bindings[1] = mcl_binding_value("bound", MCL_UINT32, &bound);
    hostile_run(&turn, split_varying, &o);
    for (int k = 0; k < 5; k++) {
        hostile_read(device, arrays[k], NULL, expression);
        hostile_free(arrays[k]);
    }
    hostile_read(device, &o.calls, &calls, expression);
    hostile_free(&o.calls);
    /* with fewer calls no element was asked about twice, and the test shows nothing */
    ck_assert_uint_ge(calls, 2 * bound);
}

START_TEST(answers_that_differ_from_call_to_call_stay_in_the_outputs)
{
    static const int64_t counts[] = { 1, 97, 1000, 5000 };

    if (test_sees_races(_i)) {
        test_skip(_i, "answers_that_differ_from_call_to_call_stay_in_the_outputs",
                  "oclgrind reports what tiles store twice");
        return;
    }
    for (int kind = 0; kind < 3; kind++)
        for (int size = 0; size < 4; size++)
            for (int tile = 0; tile < 4; tile++) split_one(_i, varying[kind], counts[size], tile);
}
END_TEST

/* ---- errors ----------------------------------------------------------------------------------------------------- */

/* The sentence also has the function's name. */
#define EXPECT(in, out, op, count, offsets, counts, status, words)                                                     \
    test_fails(mcl_multisplit(queue, in, out, op, count, offsets, counts, NULL), status, "mcl_multisplit|" words)
#define EXPECT_PAIRS(values, out, out_values, status, words)                                                           \
    test_fails(mcl_multisplit_pairs(queue, ints(in, 8), values, out, out_values, &sixths, 2, none, none, NULL),        \
               status, "mcl_multisplit_pairs|" words)

START_TEST(mistakes_are_told)
{
    static const mcl_op test = { .role = MCL_ROLE_TEST, .expression = "x" };
    static const mcl_op identity = { .role = MCL_ROLE_INDEX, .expression = "x", .identity = "0" };
    static const mcl_op empty = { .role = MCL_ROLE_INDEX, .expression = "" };
    static const mcl_op wrong = { .role = MCL_ROLE_INDEX, .expression = "x +" };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64), *to = array_empty(_i, 64), *third = array_empty(_i, 64);
    const mcl_output out = ints_out(to, 8), floats = mcl_to_buffer(MCL_FLOAT, to, 0, 8);
    const mcl_output narrow = mcl_to_buffer(MCL_INT16, third, 0, 8);

    EXPECT(ints(in, 8), out, &sixths, 0, none, none, MCL_ERROR_ARGUMENT, "bucket_count is 0; expected 1 to 256");
    EXPECT(ints(in, 8), out, &sixths, 257, none, none, MCL_ERROR_ARGUMENT, "bucket_count is 257; expected 1 to 256");
    EXPECT(ints(in, 8), out, NULL, 2, none, none, MCL_ERROR_ARGUMENT, "bucket is NULL; expected an index in x");
    EXPECT(ints(in, 8), out, &test, 2, none, none, MCL_ERROR_ARGUMENT, "bucket is a test; expected an index");
    EXPECT(ints(in, 8), out, MCL_ADD, 2, none, none, MCL_ERROR_ARGUMENT, "bucket is MCL_ADD, a fold; expected");
    EXPECT(ints(in, 8), out, &identity, 2, none, none, MCL_ERROR_ARGUMENT, "bucket has an identity, as folds have");
    EXPECT(ints(in, 8), out, &empty, 2, none, none, MCL_ERROR_ARGUMENT, "bucket has expression \"\"");
    EXPECT(ints(in, 8), out, &wrong, 2, none, none, MCL_ERROR_BUILD, "kernels/select/multisplit.cl");
    EXPECT(ints(in, 8), floats, &sixths, 2, none, none, MCL_ERROR_TYPE, "out is float; expected int32_t");
    EXPECT(ints(in, 8), ints_out(to, 7), &sixths, 2, none, none, MCL_ERROR_ARGUMENT, "out has capacity 7|8");
    EXPECT(ints(in, 8), ints_out(in, 8), &sixths, 2, none, none, MCL_ERROR_ARGUMENT, "out overlaps in");
    EXPECT(ints(in, 8), out, &sixths, 2, ints_out(third, 2), none, MCL_ERROR_ARGUMENT, "offsets has capacity 2|3");
    EXPECT(ints(in, 8), out, &sixths, 2, none, ints_out(third, 1), MCL_ERROR_ARGUMENT, "counts has capacity 1|2");
    EXPECT(ints(in, 8), out, &sixths, 2, narrow, none, MCL_ERROR_TYPE,
           "offsets is int16_t; expected MCL_INT32, MCL_UINT32 or MCL_INT64");
    EXPECT(ints(in, 8), out, &sixths, 2, none, narrow, MCL_ERROR_TYPE, "counts is int16_t; expected MCL_INT32");
    EXPECT(ints(in, 8), out, &sixths, 2, ints_out(to, 3), none, MCL_ERROR_ARGUMENT, "offsets overlaps out");
    EXPECT(ints(in, 8), out, &sixths, 2, ints_out(third, 3), ints_out(third, 2), MCL_ERROR_ARGUMENT,
           "counts overlaps offsets");
    EXPECT(ints_counting((int64_t)INT32_MAX + 1), none, &sixths, 2, ints_out(third, 3), none, MCL_ERROR_TYPE,
           "offsets is");
    EXPECT_PAIRS(ints(third, 7), out, none, MCL_ERROR_ARGUMENT, "values|7|8");
    EXPECT_PAIRS(ints(third, 8), out, out, MCL_ERROR_ARGUMENT, "out_values overlaps out_keys");
    EXPECT_PAIRS(ints(third, 8), none, floats, MCL_ERROR_TYPE, "out_values is float; expected int32_t");
    test_fails(mcl_multisplit(NULL, ints(in, 8), out, &sixths, 2, none, none, NULL), MCL_ERROR_ARGUMENT, "queue|NULL");
    mcl_buffer_release(in);
    mcl_buffer_release(to);
    mcl_buffer_release(third);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, multisplit_equals_the_loop, device, run_case_rounds(&multisplit_case));
    test_add(tcase, each_output_may_be_left_out, device);
    test_add(tcase, keys_or_values_alone_are_moved, device);
    test_add(tcase, numbers_of_no_bucket_are_of_the_last, device);
    test_add(tcase, a_count_from_the_device_is_clamped_to_its_bound, device);
    test_add(tcase, of_nothing_every_bucket_is_empty, device);
    test_add(tcase, answers_that_differ_from_call_to_call_stay_in_the_outputs, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("multisplit", add);
}
