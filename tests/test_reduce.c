/* test_reduce.c: mcl_reduce. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <limits.h>
#include <math.h>
#include <string.h>

START_TEST(reduce_equals_the_loop)
{
    run_case_round(&reduce_case, _i);
}
END_TEST

START_TEST(reduce_of_nothing_is_the_identity)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t number = 99;
    float extreme = 0;
    mcl_int32_at at = { 0, 0 };

    test_ok(mcl_reduce(queue, ints(NULL, 0), MCL_ADD, mcl_to_host(MCL_INT32, &number), NULL));
    ck_assert_int_eq(number, 0);
    test_ok(mcl_reduce(queue, ints(NULL, 0), MCL_MULTIPLY, mcl_to_host(MCL_INT32, &number), NULL));
    ck_assert_int_eq(number, 1);
    test_ok(mcl_reduce(queue, ints(NULL, 0), MCL_MAX, mcl_to_host(MCL_INT32, &number), NULL));
    ck_assert_int_eq(number, INT32_MIN);
    test_ok(mcl_reduce(queue, ints(NULL, 0), MCL_MAX_INDEX, mcl_to_host(MCL_INT32_AT, &at), NULL));
    ck_assert_int_eq(at.value, INT32_MIN);
    ck_assert_int_eq(at.index, -1);
    test_ok(mcl_reduce(queue, mcl_from_buffer(MCL_FLOAT, NULL, 0, 0), MCL_MIN, mcl_to_host(MCL_FLOAT, &extreme), NULL));
    ck_assert(isinf(extreme) && extreme > 0);
}
END_TEST

START_TEST(reduce_of_nothing_with_an_initial_value_is_that_value)
{
    const int32_t initial = 42;
    const mcl_options options = { .initial = &initial };
    int32_t number = 0;

    test_ok(mcl_reduce(test_device_at(_i)->queue, ints(NULL, 0), MCL_ADD, mcl_to_host(MCL_INT32, &number), &options));
    ck_assert_int_eq(number, 42);
}
END_TEST

/* A call may store no result. It then does all else. */
START_TEST(a_result_of_a_type_without_a_place_goes_nowhere)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t one = 1, offsets[] = { 0, 2, 5 };
    const mcl_input ones = mcl_from_constant(MCL_INT32, &one, 5);
    mcl_buffer *begins = ARRAY_OF(_i, offsets), *out = array_empty(_i, 2 * sizeof one);
    int32_t sums[2];

    test_ok(mcl_reduce(queue, ones, MCL_ADD, mcl_to_host(MCL_INT32, NULL), NULL));
    test_ok(mcl_reduce(queue, ones, MCL_ADD, mcl_to_slot(MCL_INT32, NULL, 0), NULL));
    test_ok(mcl_segmented_reduce(queue, ones, mcl_segments_from_offsets(ints(begins, 3)), ints_out(out, 2), MCL_ADD,
                                 mcl_to_host(MCL_INT64, NULL), NULL));
    ARRAY_READ(_i, out, sums);
    ck_assert(sums[0] == 2 && sums[1] == 3);
    mcl_buffer_release(begins);
    mcl_buffer_release(out);
}
END_TEST

/* The identity is never folded on the left of data. Otherwise the result here would be index -1. */
START_TEST(max_index_of_all_lowest_values_is_0)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int counts[] = { 1, 2, 31, 64, 1000, 3000 };

    for (int mapping = 0; mapping < 2; mapping++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            const int32_t lowest = INT32_MIN;
            const mcl_options options = { .tile_threads = mapping ? 1 : 64, .tile_items = 3 };
            mcl_int32_at at = { 0, 99 };
            test_ok(mcl_reduce(queue, mcl_from_constant(MCL_INT32, &lowest, counts[c]), MCL_MAX_INDEX,
                               mcl_to_host(MCL_INT32_AT, &at), &options));
            ck_assert_int_eq(at.index, 0);
            ck_assert_int_eq(at.value, INT32_MIN);
        }
}
END_TEST

/* A call may have fewer elements than parts. It leaves the queue's slots as zero all the same. */
START_TEST(reduce_clamps_a_count_from_the_device_to_its_bound)
{
    enum { BOUND = 10000 };
    static const mcl_options tilings[] = { { .tile_threads = 0 }, { .tile_threads = 32, .tile_items = 3 } };
    mcl_queue *queue = test_device_at(_i)->queue;
    const int64_t slots[] = { 0, -5, INT64_MIN, 700, BOUND, BOUND + 1, INT64_MAX };
    const int32_t expected[] = { 0, 0, 0, 700, BOUND, BOUND, BOUND };
    const int32_t one = 1;
    mcl_buffer *buffer = ARRAY_OF(_i, slots);

    for (int k = 0; k < 14; k++) {
        int32_t sum = -1;
        const mcl_input in = mcl_with_count(mcl_from_constant(MCL_INT32, &one, BOUND), buffer, k % 7);
        test_ok(mcl_reduce(queue, in, MCL_ADD, mcl_to_host(MCL_INT32, &sum), &tilings[k / 7]));
        ck_assert_msg(sum == expected[k % 7], "slot %lld gives %d", (long long)slots[k % 7], sum);
        test_slots_are_zero(queue, "a reduction of fewer elements");
    }
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(a_result_keeps_its_content_where_the_device_counts_nothing_and_there_is_no_identity)
{
    const mcl_op first = { .role = MCL_ROLE_FOLD, .expression = "p" };
    const int64_t none = 0;
    int32_t content = 1234;
    mcl_buffer *slot = array_of(_i, &none, sizeof none);
    mcl_buffer *result = array_of(_i, &content, sizeof content);
    const mcl_input in = mcl_with_count(mcl_from_constant(MCL_INT32, &content, 500), slot, 0);

    test_ok(mcl_reduce(test_device_at(_i)->queue, in, &first, mcl_to_slot(MCL_INT32, result, 0), NULL));
    content = 0;
    array_read(_i, result, &content, sizeof content);
    ck_assert_int_eq(content, 1234);
    mcl_buffer_release(slot);
    mcl_buffer_release(result);
}
END_TEST

START_TEST(a_result_converts_to_another_built_in_type)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t start = 1;
    int64_t wide = 0;
    float real = 0;

    test_ok(
        mcl_reduce(queue, mcl_from_counting(MCL_INT32, &start, 1000), MCL_ADD, mcl_to_host(MCL_INT64, &wide), NULL));
    ck_assert_int_eq(wide, 500500);
    test_ok(
        mcl_reduce(queue, mcl_from_counting(MCL_INT32, &start, 1000), MCL_ADD, mcl_to_host(MCL_FLOAT, &real), NULL));
    ck_assert(real == 500500.0f);
}
END_TEST

START_TEST(an_operator_reads_an_array_bound_to_it)
{
    const int32_t weights[] = { 5, 0, 7, 1 };
    mcl_buffer *table = ARRAY_OF(_i, weights);
    mcl_op weighted = { .role = MCL_ROLE_FOLD,
                        .expression = "p + q",
                        .identity = "0",
                        .extract = "x * weight[i % 4]",
                        .binding_count = 1 };
    const int32_t one = 1;
    int32_t sum = 0;

    weighted.bindings[0] = mcl_binding_buffer("weight", MCL_INT32, table, 0);
    test_ok(mcl_reduce(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &one, 1002), &weighted,
                       mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, 250 * 13 + 5);
    mcl_buffer_release(table);
}
END_TEST

/* The sums are rounded. The tree's sum may differ from the loop's by a known bound, but is the same in each call. */
START_TEST(a_sum_of_floats_has_the_same_bits_on_every_call)
{
    enum { COUNT = 3000 };
    static float data[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    double exact = 0;
    double magnitude = 0;
    float first = 0;

    for (int k = 0; k < COUNT; k++) {
        data[k] = (float)test_random(3, (uint64_t)k) * 1e-19f - 0.7f;
        exact += (double)data[k];
        magnitude += fabs((double)data[k]);
    }
    mcl_buffer *buffer = ARRAY_OF(_i, data);
    for (int k = 0; k < 10; k++) {
        float sum = 0;
        test_ok(mcl_reduce(queue, mcl_from_buffer(MCL_FLOAT, buffer, 0, COUNT), MCL_ADD, mcl_to_host(MCL_FLOAT, &sum),
                           NULL));
        if (k == 0) first = sum;
        ck_assert_mem_eq(&sum, &first, sizeof sum);
    }
    ck_assert(fabs((double)first - exact) <= magnitude * COUNT * 6e-8);
    mcl_buffer_release(buffer);
}
END_TEST

/* Sums of floats commute, so this operator tells whether groups keep the order where they fold floats in batches. */
START_TEST(floats_are_folded_in_their_order)
{
    const int32_t count = test_is_small() ? 2003 : 200003;
    const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q == 0 ? p : q", .identity = "0", .value = MCL_FLOAT };
    const mcl_options options = { .tile_threads = 32, .tile_items = 1 };
    const int32_t first = 1;
    int32_t got = 0;
    test_ok(mcl_reduce(test_device_at(_i)->queue, mcl_from_counting(MCL_INT32, &first, count), &last,
                       mcl_to_host(MCL_INT32, &got), &options));
    ck_assert_int_eq(got, count);
}
END_TEST

START_TEST(least_and_greatest_come_together)
{
    const int32_t keys[] = { 31, 4, -15, 92, 65, 35, 89, 79 };
    const float reals[] = { 0.5f, -2.0f, 1.25f, NAN };
    const uint8_t bytes[] = { 9, 255, 1 };
    const int64_t none = 0;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, keys), *floats = ARRAY_OF(_i, reals), *small = ARRAY_OF(_i, bytes);
    mcl_buffer *slot = array_of(_i, &none, sizeof none), *out = array_empty(_i, 16);
    int32_t keys_read[4];
    mcl_int32_range range = { 0, 0 };
    mcl_float_range of_reals = { 0, 0 };
    mcl_uint8_range of_bytes = { 0, 0 };

    test_ok(mcl_min_max(queue, ints(in, 8), mcl_to_host(MCL_INT32_RANGE, &range), NULL));
    ck_assert(range.least == -15 && range.greatest == 92);
    test_ok(mcl_min_max(queue, mcl_with_count(ints(in, 8), slot, 0), mcl_to_slot(MCL_INT32_RANGE, out, 1), NULL));
    array_read(_i, out, keys_read, sizeof keys_read);
    ck_assert(keys_read[2] == INT32_MAX && keys_read[3] == INT32_MIN);
    test_ok(
        mcl_min_max(queue, mcl_from_buffer(MCL_FLOAT, floats, 0, 3), mcl_to_host(MCL_FLOAT_RANGE, &of_reals), NULL));
    ck_assert(of_reals.least == -2.0f && of_reals.greatest == 1.25f);
    test_ok(
        mcl_min_max(queue, mcl_from_buffer(MCL_FLOAT, floats, 0, 4), mcl_to_host(MCL_FLOAT_RANGE, &of_reals), NULL));
    ck_assert(of_reals.least == -2.0f && isnan(of_reals.greatest));
    test_ok(mcl_min_max(queue, mcl_from_buffer(MCL_UINT8, small, 0, 3), mcl_to_host(MCL_UINT8_RANGE, &of_bytes), NULL));
    ck_assert(of_bytes.least == 1 && of_bytes.greatest == 255);
    test_fails(mcl_min_max(queue, ints(in, 9), mcl_to_host(MCL_INT32_RANGE, &range), NULL), MCL_ERROR_ARGUMENT,
               "mcl_min_max|in|9");
    test_fails(mcl_min_max(queue, ints(in, 8), mcl_to_host(MCL_INT32, &range), NULL), MCL_ERROR_TYPE,
               "mcl_min_max|result");
    test_fails(mcl_min_max(queue, mcl_from_buffer(MCL_HALF, in, 0, 8), mcl_to_host(MCL_FLOAT_RANGE, &of_reals), NULL),
               MCL_ERROR_TYPE, "mcl_min_max|in is half");
    mcl_buffer_release(in);
    mcl_buffer_release(floats);
    mcl_buffer_release(small);
    mcl_buffer_release(slot);
    mcl_buffer_release(out);
}
END_TEST

/* Data have each type's lowest and highest value, so the range is the type's whole range. */
START_TEST(every_type_has_a_range)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int has_double = test_device_at(_i)->info.has_double;

#define TRY(upper, lower, text, low, high)                                                                             \
    do {                                                                                                               \
        const text data[] = { 7, low, 9, high, 3 };                                                                    \
        mcl_##lower##_range got = { 0, 0 };                                                                            \
        mcl_buffer *in = ARRAY_OF(_i, data);                                                                           \
        test_ok(                                                                                                       \
            mcl_min_max(queue, mcl_from_buffer(MCL_##upper, in, 0, 5), mcl_to_host(MCL_##upper##_RANGE, &got), NULL)); \
        ck_assert(got.least == data[1] && got.greatest == data[3]);                                                    \
        mcl_buffer_release(in);                                                                                        \
    } while (0)
    TRY(INT8, int8, int8_t, INT8_MIN, INT8_MAX);
    TRY(INT16, int16, int16_t, INT16_MIN, INT16_MAX);
    TRY(INT32, int32, int32_t, INT32_MIN, INT32_MAX);
    TRY(INT64, int64, int64_t, INT64_MIN, INT64_MAX);
    TRY(UINT8, uint8, uint8_t, 0, UINT8_MAX);
    TRY(UINT16, uint16, uint16_t, 0, UINT16_MAX);
    TRY(UINT32, uint32, uint32_t, 0, UINT32_MAX);
    TRY(UINT64, uint64, uint64_t, 0, UINT64_MAX);
    TRY(FLOAT, float, float, -1e30f, 1e30f);
    if (has_double) TRY(DOUBLE, double, double, -1e300, 1e300);
#undef TRY
}
END_TEST

/* Elements are structs and the result is a number, but the operator does not say which type it folds. */
START_TEST(a_fold_of_structs_into_a_number_is_told_that_it_has_no_value)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_int32_range one = { 1, 2 };
    const mcl_op sum = { .expression = "p + q", .extract = "x.least" };
    int32_t total = 0;

    test_fails(
        mcl_reduce(queue, mcl_from_constant(MCL_INT32_RANGE, &one, 8), &sum, mcl_to_host(MCL_INT32, &total), NULL),
        MCL_ERROR_TYPE, "mcl_reduce: result is int32_t and op folds |op.value is NULL: it folds the elements' type");
    mcl_op with_value = sum;
    with_value.value = MCL_INT32;
    test_ok(mcl_reduce(queue, mcl_from_constant(MCL_INT32_RANGE, &one, 8), &with_value, mcl_to_host(MCL_INT32, &total),
                       NULL));
    ck_assert_int_eq(total, 8);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, reduce_equals_the_loop, device, run_case_rounds(&reduce_case));
    test_add(tcase, reduce_of_nothing_is_the_identity, device);
    test_add(tcase, reduce_of_nothing_with_an_initial_value_is_that_value, device);
    test_add(tcase, a_result_of_a_type_without_a_place_goes_nowhere, device);
    test_add(tcase, max_index_of_all_lowest_values_is_0, device);
    test_add(tcase, reduce_clamps_a_count_from_the_device_to_its_bound, device);
    test_add(tcase, a_result_keeps_its_content_where_the_device_counts_nothing_and_there_is_no_identity, device);
    test_add(tcase, a_result_converts_to_another_built_in_type, device);
    test_add(tcase, an_operator_reads_an_array_bound_to_it, device);
    test_add(tcase, floats_are_folded_in_their_order, device);
    test_add(tcase, least_and_greatest_come_together, device);
    test_add(tcase, every_type_has_a_range, device);
    test_add(tcase, a_fold_of_structs_into_a_number_is_told_that_it_has_no_value, device);
    test_add(tcase, a_sum_of_floats_has_the_same_bits_on_every_call, device);
}

int main(void)
{
    return test_main("reduce", add);
}
