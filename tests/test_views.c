/* test_views.c: inputs that read a buffer in another order, or read neighbours. */
#include "cases/elements.h"
#include "support/arrays.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 8 };
static const int32_t keys[COUNT] = { 31, 4, 15, 92, 65, 35, 89, 79 };

/* Checks that mcl_transform copies the expected elements of a view. */
static void expect_view(int device, mcl_input view, const int32_t *expected, int count)
{
    mcl_buffer *out = array_empty(device, 64);
    int32_t got[16] = { 0 };

    ck_assert_int_eq(view.count, count);
    test_ok(mcl_transform(test_device_at(device)->queue, view, ints_out(out, 16), NULL));
    ARRAY_READ(device, out, got);
    for (int k = 0; k < count; k++) ck_assert_int_eq(got[k], expected[k]);
    mcl_buffer_release(out);
}

START_TEST(a_reversed_sequence_begins_with_the_last_element)
{
    const int32_t reversed[] = { 89, 35, 65, 92, 15, 4 };
    const int64_t three = 3;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *slot = array_of(_i, &three, sizeof three);
    mcl_buffer *out = array_empty(_i, 32);
    int32_t got[8];
    const int32_t zeros[8] = { 0 };

    expect_view(_i, mcl_from_reversed(MCL_INT32, in, 1, 6), reversed, 6);
    expect_view(_i, mcl_from_reversed(MCL_INT32, in, 0, 0), reversed, 0);
    test_ok(mcl_buffer_write(test_device_at(_i)->queue, out, 0, sizeof zeros, zeros));
    test_ok(mcl_transform(test_device_at(_i)->queue, mcl_with_count(mcl_from_reversed(MCL_INT32, in, 1, 6), slot, 0),
                          ints_out(out, 8), NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_int_eq(got[2], 65);
    ck_assert_int_eq(got[3], 0);
    mcl_buffer_release(in);
    mcl_buffer_release(slot);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(a_rotated_sequence_wraps_round)
{
    const int32_t by_one[] = { 15, 92, 65, 35, 89, 4 };
    const int32_t by_minus_one[] = { 89, 4, 15, 92, 65, 35 };
    const int64_t same[] = { 1, 7, -5, 6000001 };
    mcl_buffer *in = ARRAY_OF(_i, keys);

    for (int k = 0; k < 4; k++) expect_view(_i, mcl_from_rotated(MCL_INT32, in, 1, 6, same[k]), by_one, 6);
    expect_view(_i, mcl_from_rotated(MCL_INT32, in, 1, 6, -1), by_minus_one, 6);
    expect_view(_i, mcl_from_rotated(MCL_INT32, in, 1, 6, 0), keys + 1, 6);
    /* the rotation is a multiple of 6 */
    expect_view(_i, mcl_from_rotated(MCL_INT32, in, 1, 6, INT64_MIN + 2), keys + 1, 6);
    expect_view(_i, mcl_from_rotated(MCL_INT32, in, 1, 0, 3), keys, 0);
    mcl_buffer_release(in);
}
END_TEST

START_TEST(differences_are_undone_by_a_scan)
{
    const int32_t differences[] = { 31, -27, 11, 77, -27, -30, 54, -10 };
    const int8_t narrow[] = { 127, -128, 0, -1 };
    const int8_t wrapped[] = { 127, 1, -128, -1 };
    const float real[] = { 0.5f, 2.0f, 1.25f };
    const int sizes[] = { 1, 2, 8 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *bytes = ARRAY_OF(_i, narrow);
    mcl_buffer *reals = ARRAY_OF(_i, real);
    mcl_buffer *out = array_empty(_i, 32);
    int32_t got[COUNT];
    int8_t got_bytes[4];
    float got_reals[3];

    for (int k = 0; k < 3; k++) {
        const mcl_input view = mcl_from_differences(MCL_INT32, in, 0, sizes[k]);
        expect_view(_i, view, differences, sizes[k]);
        test_ok(mcl_scan(queue, view, ints_out(out, COUNT), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL));
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, keys, (size_t)sizes[k] * sizeof *keys);
    }
    test_ok(
        mcl_transform(queue, mcl_from_differences(MCL_INT8, bytes, 0, 4), mcl_to_buffer(MCL_INT8, out, 0, 4), NULL));
    array_read(_i, out, got_bytes, sizeof got_bytes);
    ck_assert_mem_eq(got_bytes, wrapped, sizeof wrapped);
    test_ok(
        mcl_transform(queue, mcl_from_differences(MCL_FLOAT, reals, 0, 3), mcl_to_buffer(MCL_FLOAT, out, 0, 3), NULL));
    array_read(_i, out, got_reals, sizeof got_reals);
    ck_assert(got_reals[0] == 0.5f && got_reals[1] == 1.5f && got_reals[2] == -0.75f);
    mcl_buffer_release(in);
    mcl_buffer_release(bytes);
    mcl_buffer_release(reals);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(views_of_halves_have_their_numbers)
{
    enum { MANY = 70 }; /* more elements than a shuffle moves one by one */
    mcl_queue *queue = test_device_at(_i)->queue;
    uint16_t bits[MANY];
    float got[MANY];
    for (int k = 0; k < MANY; k++) bits[k] = half_bits_of((float)(2 * k + 1));
    mcl_buffer *in = ARRAY_OF(_i, bits);
    mcl_buffer *out = array_empty(_i, sizeof got);
    const mcl_output floats = mcl_to_buffer(MCL_FLOAT, out, 0, MANY);

    test_ok(mcl_transform(queue, mcl_from_reversed(MCL_HALF, in, 0, MANY), floats, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < MANY; k++) ck_assert(got[k] == (float)(2 * (MANY - 1 - k) + 1));
    test_ok(mcl_transform(queue, mcl_from_rotated(MCL_HALF, in, 0, MANY, 1), floats, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < MANY; k++) ck_assert(got[k] == (float)(2 * ((k + 1) % MANY) + 1));
    test_ok(mcl_transform(queue, mcl_from_differences(MCL_HALF, in, 0, MANY), floats, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < MANY; k++) ck_assert(got[k] == (k > 0 ? 2.0f : 1.0f));
    test_ok(mcl_transform(
        queue, mcl_from_neighbours(MCL_FLOAT, "half_to_float(p[i]) + half_to_float(q[i])", NULL, MCL_HALF, in, 0, MANY),
        floats, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k + 1 < MANY; k++) ck_assert(got[k] == (float)(4 * k + 4));
    for (int count = 64; count <= MANY; count += MANY - 64) {
        float sum = 0;
        test_ok(mcl_reduce(queue, mcl_from_shuffled(MCL_HALF, in, 0, count, 1), MCL_ADD, mcl_to_host(MCL_FLOAT, &sum),
                           NULL));
        ck_assert(sum == (float)(count * count));
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(neighbours_are_seen_together)
{
    const int32_t rises[] = { 0, 1, 1, 0, 0, 1, 0 };
    const int32_t doubled[] = { 104, 38 };
    mcl_buffer *in = ARRAY_OF(_i, keys);

    expect_view(_i, mcl_from_neighbours(MCL_INT32, "p[i] < q[i]", NULL, MCL_INT32, in, 0, COUNT), rises, COUNT - 1);
    expect_view(_i,
                mcl_from_neighbours(MCL_INT32, "sum_of(p[i], q[i]) + q[i] - p[i] * 2 + 3 * p[i] - q[i]",
                                    "static inline int32_t sum_of(int32_t a, int32_t b) { return a + b; }", MCL_INT32,
                                    in, 5, 1),
                rises, 0);
    expect_view(_i, mcl_from_neighbours(MCL_INT32, "p[i] * 2 + q[i] - 6", NULL, MCL_INT32, in, 1, 1), doubled, 0);
    expect_view(_i, mcl_from_neighbours(MCL_INT32, "p[i]", NULL, MCL_INT32, in, 0, 0), doubled, 0);
    mcl_buffer_release(in);
}
END_TEST

/* Copies a shuffled sequence 0, 1, 2 ..., and checks that each number comes once. */
static void read_permutation(int device, int64_t count, uint64_t seed, int32_t *out)
{
    mcl_queue *queue = test_device_at(device)->queue;
    mcl_buffer *in = array_empty(device, (size_t)count * sizeof *out);
    mcl_buffer *shuffled = array_empty(device, (size_t)count * sizeof *out);

    test_ok(mcl_transform(queue, ints_counting(count), ints_out(in, count), NULL));
    test_ok(mcl_transform(queue, mcl_from_shuffled(MCL_INT32, in, 0, count, seed), ints_out(shuffled, count), NULL));
    array_read(device, shuffled, out, (size_t)count * sizeof *out);
    mcl_buffer_release(in);
    mcl_buffer_release(shuffled);
}

START_TEST(a_shuffled_sequence_has_each_element_once)
{
    const int64_t counts[] = { 1, 2, 3, 7, 64, 65, 1000 };

    for (int k = 0; k < 7; k++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            int32_t got[1000];
            char seen[1000] = { 0 };
            read_permutation(_i, counts[k], seed * UINT64_C(0x123456789abcdef), got);
            for (int64_t j = 0; j < counts[k]; j++) {
                ck_assert(got[j] >= 0 && got[j] < counts[k] && !seen[got[j]]);
                seen[got[j]] = 1;
            }
        }
}
END_TEST

/* One seed in six gives each of the six orders of three elements. The number among 600 seeds is within five standard
 * deviations (46) of that. About one element of a long sequence stays in place. */
START_TEST(seeds_give_all_orders_alike)
{
    int orders[6] = { 0 };
    int32_t got[1000];
    int stayed = 0;

    for (uint64_t seed = 0; seed < 600; seed++) {
        read_permutation(_i, 3, seed, got);
        orders[got[0] * 2 + (got[1] > got[2])]++;
    }
    for (int k = 0; k < 6; k++) ck_assert_msg(abs(orders[k] - 100) < 46, "order %d came %d times", k, orders[k]);
    for (uint64_t seed = 0; seed < 20; seed++) {
        read_permutation(_i, 1000, seed, got);
        for (int k = 0; k < 1000; k++) stayed += got[k] == k;
    }
    ck_assert_msg(stayed > 2 && stayed < 42, "%d elements of 20,000 stayed", stayed);
}
END_TEST

START_TEST(one_seed_gives_one_order_on_every_device)
{
    const int32_t expected[] = { 5, 2, 9, 3, 4, 0, 7, 6, 1, 8 };
    int32_t got[10];

    read_permutation(_i, 10, 12345, got);
    ck_assert_mem_eq(got, expected, sizeof expected);
}
END_TEST

#define EXPECT(view, status, words)                                                                                    \
    test_fails(mcl_transform(test_device_at(_i)->queue, view, ints_out(out, 16), NULL), status,                        \
               "mcl_transform|in|" words)

START_TEST(a_range_that_does_not_fit_is_told)
{
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, 64);

    EXPECT(mcl_from_reversed(MCL_INT32, in, 0, 9), MCL_ERROR_ARGUMENT, "x|9");
    EXPECT(mcl_from_reversed(MCL_INT32, in, 0, -1), MCL_ERROR_ARGUMENT, "-1");
    EXPECT(mcl_from_reversed(MCL_INT32, NULL, 0, 3), MCL_ERROR_ARGUMENT, "x|NULL");
    EXPECT(mcl_from_reversed(NULL, in, 0, 3), MCL_ERROR_ARGUMENT, "NULL");
    EXPECT(mcl_from_rotated(MCL_INT32, in, 4, 5, 2), MCL_ERROR_ARGUMENT, "x|5");
    EXPECT(mcl_from_rotated(MCL_INT32, in, -1, 5, 2), MCL_ERROR_ARGUMENT, "x|-1");
    EXPECT(mcl_from_shuffled(MCL_INT32, in, 1, 8, 2), MCL_ERROR_ARGUMENT, "x|8");
    EXPECT(mcl_from_differences(MCL_INT32, in, 8, 1), MCL_ERROR_ARGUMENT, "x|1");
    EXPECT(mcl_from_differences(MCL_INT32_AT, in, 0, 1), MCL_ERROR_ARGUMENT, "empty expression");
    EXPECT(mcl_from_neighbours(MCL_INT32, "p[i]", NULL, MCL_INT32, in, 1, 8), MCL_ERROR_ARGUMENT, "q|7");
    EXPECT(mcl_from_neighbours(MCL_INT32, NULL, NULL, MCL_INT32, in, 1, 2), MCL_ERROR_ARGUMENT, "empty expression");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_reversed_sequence_begins_with_the_last_element, device);
    test_add(tcase, a_rotated_sequence_wraps_round, device);
    test_add(tcase, differences_are_undone_by_a_scan, device);
    test_add(tcase, views_of_halves_have_their_numbers, device);
    test_add(tcase, neighbours_are_seen_together, device);
    test_add(tcase, a_shuffled_sequence_has_each_element_once, device);
    test_add(tcase, seeds_give_all_orders_alike, device);
    test_add(tcase, one_seed_gives_one_order_on_every_device, device);
    test_add(tcase, a_range_that_does_not_fit_is_told, device);
}

int main(void)
{
    return test_main("views", add);
}
