/* test_run_length.c: mcl_run_length_decode, alone, and after mcl_run_length_encode. */
#include "cases/case.h"
#include "support/arrays.h"

#include <stdlib.h>

START_TEST(a_small_sequence)
{
    const int32_t values[] = { 7, 2, 9, 4, 8 }, lengths[] = { 3, 2, 0, 1, -5 };
    const int32_t expected[] = { 7, 7, 7, 2, 2, 4, -1, -1 };
    int32_t got[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, values), *often = ARRAY_OF(_i, lengths), *out = ARRAY_OF(_i, got);
    uint32_t count = 0;

    test_ok(mcl_run_length_decode(queue, ints(in, 5), ints(often, 5), ints_out(out, 8), mcl_to_host(MCL_UINT32, &count),
                                  NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_uint_eq(count, 6);
    ck_assert_mem_eq(got, expected, sizeof expected);
    mcl_buffer_release(in);
    mcl_buffer_release(often);
    mcl_buffer_release(out);
}
END_TEST

/* Runs are random, most of them short and some empty. */
START_TEST(what_was_encoded_is_decoded)
{
    enum { COUNT = 20000 };
    const mcl_options tilings[] = { { 0 },
                                    { .tile_threads = 1, .tile_items = 100 },
                                    { .tile_threads = 64, .tile_items = 5 } };
    mcl_queue *queue = test_device_at(_i)->queue;
    const int n = test_is_small() ? 2000 : COUNT;
    int32_t *data = malloc(sizeof *data * COUNT), *got = malloc(sizeof *got * COUNT);

    for (int k = 0; k < n; k++)
        data[k] = k > 0 && test_random(5, (uint64_t)k) % 8 ? data[k - 1] : (int32_t)(test_random(6, (uint64_t)k) % 9);
    for (int t = 0; t < 3; t++) {
        mcl_buffer *in = array_of(_i, data, sizeof *data * (size_t)n);
        mcl_buffer *heads = array_empty(_i, sizeof *data * (size_t)n),
                   *lengths = array_empty(_i, sizeof *data * (size_t)n);
        mcl_buffer *out = array_empty(_i, sizeof *data * (size_t)n), *slots = array_empty(_i, 2 * sizeof(int64_t));
        int64_t counts[2];
        test_ok(mcl_run_length_encode(queue, ints(in, n), ints_out(heads, n), ints_out(lengths, n), MCL_EQUAL,
                                      mcl_to_slot(MCL_INT64, slots, 0), NULL));
        test_ok(mcl_run_length_decode(queue, mcl_with_count(ints(heads, n), slots, 0), ints(lengths, n),
                                      ints_out(out, n), mcl_to_slot(MCL_INT64, slots, 1), &tilings[t]));
        ARRAY_READ(_i, slots, counts);
        array_read(_i, out, got, sizeof *got * (size_t)n);
        ck_assert_int_eq(counts[1], n);
        ck_assert_mem_eq(got, data, sizeof *got * (size_t)n);
        mcl_buffer_release(in);
        mcl_buffer_release(heads);
        mcl_buffer_release(lengths);
        mcl_buffer_release(out);
        mcl_buffer_release(slots);
    }
    free(data);
    free(got);
}
END_TEST

START_TEST(a_capacity_is_kept)
{
    const int32_t values[] = { 7, 2 }, lengths[] = { 3, INT32_MAX };
    int32_t slots[4] = { 0 };
    int32_t got[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, values), *often = ARRAY_OF(_i, lengths), *out = ARRAY_OF(_i, got);
    mcl_buffer *slot = ARRAY_OF(_i, slots);
    int64_t whole = 0;
    int32_t count = 0;

    test_fails(mcl_run_length_decode(queue, ints(in, 2), ints(often, 2), ints_out(out, 5),
                                     mcl_to_host(MCL_INT64, &whole), NULL),
               MCL_ERROR_CAPACITY, "mcl_run_length_decode|5|2147483650");
    ARRAY_READ(_i, out, got);
    ck_assert(got[2] == 7 && got[4] == 2 && got[5] == -1);
    ck_assert_int_eq(whole, (int64_t)INT32_MAX + 3);
    test_ok(mcl_run_length_decode(queue, ints(in, 2), ints(often, 2), (mcl_output){ 0 }, mcl_to_host(MCL_INT32, &count),
                                  NULL));
    ck_assert_int_eq(count, INT32_MAX); /* the type's highest value, since the count is larger */
    test_ok(mcl_run_length_decode(queue, ints(in, 2), ints(often, 2), ints_out(out, 5), mcl_to_slot(MCL_INT32, slot, 3),
                                  NULL));
    ARRAY_READ(_i, slot, slots);
    ck_assert(slots[2] == 0 && slots[3] == INT32_MAX);
    test_ok(mcl_run_length_decode(queue, mcl_with_count(ints(in, 2), slot, 0), ints(often, 2), ints_out(out, 5),
                                  mcl_to_host(MCL_INT64, &whole), NULL));
    ck_assert_int_eq(whole, 0);
    test_ok(mcl_run_length_decode(queue, ints(NULL, 0), ints(NULL, 0), ints_out(out, 5), mcl_to_host(MCL_INT64, &whole),
                                  NULL));
    ck_assert_int_eq(whole, 0);
    mcl_buffer_release(in);
    mcl_buffer_release(often);
    mcl_buffer_release(out);
    mcl_buffer_release(slot);
}
END_TEST

/* Sums above the room that an output of the call's has, where the caller wants none. */
START_TEST(an_output_that_is_left_out_has_room_for_any_count)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int64_t often = (int64_t)1 << 47;
    const mcl_input lengths = mcl_from_constant(MCL_INT64, &often, 3);
    int64_t whole = -1;

    test_ok(mcl_run_length_decode(queue, mcl_from_counting(MCL_INT64, &often, 3), lengths, (mcl_output){ 0 },
                                  mcl_to_host(MCL_INT64, &whole), NULL));
    ck_assert_int_eq(whole, 3 * often);
}
END_TEST

START_TEST(mistakes_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64), *out = array_empty(_i, 64);
    const mcl_result nowhere = mcl_to_nowhere();
    float real;

    test_fails(mcl_run_length_decode(NULL, ints(in, 8), ints(in, 8), ints_out(out, 8), nowhere, NULL),
               MCL_ERROR_ARGUMENT, "mcl_run_length_decode|queue|NULL");
    test_fails(mcl_run_length_decode(queue, ints(in, 8), ints(in, 7), ints_out(out, 8), nowhere, NULL),
               MCL_ERROR_ARGUMENT, "mcl_run_length_decode|lengths|7|8");
    test_fails(mcl_run_length_decode(queue, ints(in, 8), ints(in, 8), ints_out(in, 8), nowhere, NULL),
               MCL_ERROR_ARGUMENT, "mcl_run_length_decode|out|overlap");
    test_fails(mcl_run_length_decode(queue, ints(in, 8), mcl_from_buffer(MCL_FLOAT, in, 0, 8), ints_out(out, 8),
                                     nowhere, NULL),
               MCL_ERROR_TYPE, "mcl_run_length_decode|lengths is float");
    test_fails(
        mcl_run_length_decode(queue, ints(in, 8), ints(in, 8), mcl_to_buffer(MCL_INT64, out, 0, 8), nowhere, NULL),
        MCL_ERROR_TYPE, "mcl_run_length_decode|out is int64_t");
    test_fails(
        mcl_run_length_decode(queue, ints(in, 8), ints(in, 8), ints_out(out, 8), mcl_to_host(MCL_FLOAT, &real), NULL),
        MCL_ERROR_TYPE, "mcl_run_length_decode|count is float");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_small_sequence, device);
    test_add(tcase, what_was_encoded_is_decoded, device);
    test_add(tcase, a_capacity_is_kept, device);
    test_add(tcase, an_output_that_is_left_out_has_room_for_any_count, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("run_length", add);
}
