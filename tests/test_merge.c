/* test_merge.c: mcl_merge and mcl_merge_pairs. */
#include "support/arrays.h"
#include "support/run_case.h"
#include "support/two_lists.h"

#include <math.h>
#include <string.h>

START_TEST(merge_equals_the_loop)
{
    run_case_round(&merge_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };

START_TEST(equal_keys_of_a_come_before_those_of_b)
{
    enum { COUNT = 500 };
    const int32_t seven = 7;
    int32_t got[2 * COUNT];
    const mcl_input key = mcl_from_constant(MCL_INT32, &seven, COUNT);
    const int32_t from_b = 10000;

    for (int tiling = 0; tiling < 2; tiling++) {
        mcl_buffer *keys = array_empty(_i, sizeof got);
        mcl_buffer *values = array_empty(_i, sizeof got);
        test_ok(mcl_merge_pairs(test_device_at(_i)->queue, key, ints_counting(COUNT), key,
                                mcl_from_counting(MCL_INT32, &from_b, COUNT), ints_out(keys, 2 * COUNT),
                                ints_out(values, 2 * COUNT), MCL_LESS, &tilings[tiling]));
        ARRAY_READ(_i, values, got);
        for (int k = 0; k < 2 * COUNT; k++) ck_assert_int_eq(got[k], k < COUNT ? k : from_b + k - COUNT);
        mcl_buffer_release(keys);
        mcl_buffer_release(values);
    }
}
END_TEST

START_TEST(floats_merge_with_nan_last_and_both_zeros_equal)
{
    const float a[] = { -INFINITY, -0.0f, 1.0f, INFINITY, NAN };
    const float b[] = { -3.0f, 0.0f, 2.0f, NAN };
    const float expected[] = { -INFINITY, -3.0f, -0.0f, 0.0f, 1.0f, 2.0f, INFINITY, NAN, NAN };
    float got[9];
    mcl_buffer *a_buffer = ARRAY_OF(_i, a);
    mcl_buffer *b_buffer = ARRAY_OF(_i, b);
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_merge(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, a_buffer, 0, 5),
                      mcl_from_buffer(MCL_FLOAT, b_buffer, 0, 4), mcl_to_buffer(MCL_FLOAT, out, 0, 9), MCL_LESS, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < 9; k++)
        ck_assert_msg(isnan(expected[k]) ? isnan(got[k])
                                         : got[k] == expected[k] && !signbit(got[k]) == !signbit(expected[k]),
                      "element %d is %g", k, (double)got[k]);
    mcl_buffer_release(a_buffer);
    mcl_buffer_release(b_buffer);
    mcl_buffer_release(out);
}
END_TEST

/* Keys are in no order. Values are unspecified, but memory outside the operands is not touched. */
START_TEST(unsorted_inputs_are_never_read_or_written_past_their_ends)
{
    const case_variant merges = { .element = &element_int32 };
    static int32_t keys[TWO_LISTS_COUNT];

    for (int turn = 0; turn < 8; turn++) {
        random_ints(keys, TWO_LISTS_COUNT, 1000, (uint64_t)turn, 0);
        two_lists_stay_inside(_i, &merge_case, &merges, keys, 1, TWO_LISTS_COUNT + TWO_LISTS_COUNT / 3, turn % 4,
                              &tilings[turn % 2]);
    }
}
END_TEST

START_TEST(validation_names_the_first_unsorted_key_and_nothing_is_written)
{
    const case_variant merges = { .element = &element_int32 };

    two_lists_name_unsorted_keys(_i, &merge_case, &merges, 1, "mcl_merge");
}
END_TEST

START_TEST(merge_clamps_counts_from_the_device_to_their_bounds)
{
    enum { BOUND = 700 };
    static int32_t got[2 * BOUND + 1];
    static int32_t before[2 * BOUND + 1];
    const int64_t slots[] = { 0, -9, INT64_MIN, 300, BOUND, BOUND + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 300, BOUND, BOUND, BOUND };
    const int32_t zero = 0;
    const int32_t two = 2;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    memset(before, 0x77, sizeof before);
    for (int k = 0; k < 14; k++) {
        const int a_count = counts[k / 2];
        const int b_count = counts[(k / 2 + 3) % 7];
        const mcl_input even = mcl_from_step(MCL_INT32, &zero, &two, BOUND);
        mcl_buffer *out = ARRAY_OF(_i, before);
        test_ok(mcl_merge(test_device_at(_i)->queue, mcl_with_count(even, slot, k / 2),
                          mcl_with_count(even, slot, (k / 2 + 3) % 7), ints_out(out, 2 * BOUND), MCL_LESS,
                          &tilings[k % 2]));
        ARRAY_READ(_i, out, got);
        for (int i = 0; i <= 2 * BOUND; i++) {
            const int shared = a_count < b_count ? a_count : b_count;
            const int expected = i >= a_count + b_count ? before[0] : i < 2 * shared ? i / 2 * 2 : 2 * (i - shared);
            ck_assert_msg(got[i] == expected, "counts %d and %d: element %d is %d", a_count, b_count, i, got[i]);
        }
        mcl_buffer_release(out);
    }
    mcl_buffer_release(slot);
}
END_TEST

/* A struct of five bytes, so that the bytes of a tile's keys are no multiple of an index's bytes. */
MCL_SOURCE(
    letters_source, typedef struct letters { uint8_t of[5]; } letters;
    static inline int letters_before(letters p, letters q) { return p.of[0] < q.of[0]; })
static const mcl_type letters_type = MCL_TYPE(letters, letters_source);

START_TEST(keys_of_an_odd_size_fit_the_memory_that_the_tile_is_chosen_by)
{
    enum { COUNT = 100 };
    static const mcl_options full = { .tile_threads = 2, .tile_items = 31 };
    const mcl_op before = { MCL_ROLE_ORDER, "letters_before(p, q)", .source = letters_source };
    letters a[COUNT] = { { { 0 } } }, b[COUNT] = { { { 0 } } }, got[2 * COUNT];

    for (int k = 0; k < COUNT; k++) {
        a[k].of[0] = (uint8_t)(2 * k);
        b[k].of[0] = (uint8_t)(2 * k + 1);
    }
    mcl_buffer *a_buffer = ARRAY_OF(_i, a);
    mcl_buffer *b_buffer = ARRAY_OF(_i, b);
    mcl_buffer *out = array_empty(_i, sizeof got);
    test_ok(mcl_merge(test_device_at(_i)->queue, mcl_from_buffer(&letters_type, a_buffer, 0, COUNT),
                      mcl_from_buffer(&letters_type, b_buffer, 0, COUNT),
                      mcl_to_buffer(&letters_type, out, 0, 2 * COUNT), &before, &full));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < 2 * COUNT; k++) ck_assert_int_eq(got[k].of[0], k);
    mcl_buffer_release(a_buffer);
    mcl_buffer_release(b_buffer);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, merge_equals_the_loop, device, run_case_rounds(&merge_case));
    test_add(tcase, equal_keys_of_a_come_before_those_of_b, device);
    test_add(tcase, floats_merge_with_nan_last_and_both_zeros_equal, device);
    test_add(tcase, unsorted_inputs_are_never_read_or_written_past_their_ends, device);
    test_add(tcase, validation_names_the_first_unsorted_key_and_nothing_is_written, device);
    test_add(tcase, merge_clamps_counts_from_the_device_to_their_bounds, device);
    test_add(tcase, keys_of_an_odd_size_fit_the_memory_that_the_tile_is_chosen_by, device);
}

int main(void)
{
    return test_main("merge", add);
}
