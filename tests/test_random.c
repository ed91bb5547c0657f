/* test_random.c: random numbers and shuffles are uniform, and unrelated between seeds, as promised. Seeds are fixed, so
 * that each run gives the same figures. */
#include "support/arrays.h"

#include "values/seed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The library's permutations, compiled for the host. */
#define SHUFFLE_TEXT(...) __VA_ARGS__
#include "values/shuffle.inc"

enum { COUNT = 1 << 16 };

/* Returns how many standard deviations chi-square is from its expected value. */
static double deviations(const int32_t *counts, int cells, double expected)
{
    double sum = 0;

    for (int k = 0; k < cells; k++) sum += (counts[k] - expected) * (counts[k] - expected) / expected;
    return (sum - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

#define EXPECT_UNIFORM(counts, cells, expected, ...)                                                                   \
    do {                                                                                                               \
        const double far = deviations(counts, cells, expected);                                                        \
        ck_assert_msg(far > -5 && far < 5, __VA_ARGS__, far);                                                          \
    } while (0)

/* ---- shuffles --------------------------------------------------------------------------------------------------- */

static int64_t place_of(int64_t index, int64_t count, uint64_t seed)
{
    const uint64_t key = mcl__seed_word(seed, MCL__SEED_SHUFFLE);
    int bits = 1;

    while ((int64_t)1 << bits < count) bits++;
    return count <= 64 ? mcl_shuffled_few(index, count, key) : mcl_shuffled(index, count, key, bits);
}

/* Returns the number of the order that a seed gives, below count's factorial. */
static int order_of(int count, uint64_t seed)
{
    int64_t places[8];
    int order = 0;

    for (int k = 0; k < count; k++) places[k] = place_of(k, count, seed);
    for (int k = 0; k < count; k++) {
        int smaller = 0;
        for (int j = k + 1; j < count; j++) smaller += places[j] < places[k];
        order = order * (count - k) + smaller;
    }
    return order;
}

START_TEST(orders_of_few_elements_come_alike)
{
    static int32_t counts[40320];
    int orders = 2;

    for (int count = 3; count <= 8; count++) {
        orders *= count;
        const int seeds = 10 * orders < 12000 ? 12000 : 10 * orders;
        memset(counts, 0, sizeof counts);
        for (int seed = 0; seed < seeds; seed++) counts[order_of(count, (uint64_t)seed)]++;
        EXPECT_UNIFORM(counts, orders, (double)seeds / orders, "orders of %d: %g", count);
    }
}
END_TEST

START_TEST(places_of_an_element_come_alike)
{
    static const int counts_of[] = { 9, 10, 16, 64, 65, 100, 1000 };
    static int32_t counts[1000];

    for (int c = 0; c < 7; c++)
        for (int k = 0; k < 3; k++) {
            const int count = counts_of[c], seeds = 20 * count < 20000 ? 20000 : 20 * count;
            const int64_t index = k == 0 ? 0 : k == 1 ? count / 2 : count - 1;
            memset(counts, 0, sizeof counts);
            for (int seed = 0; seed < seeds; seed++) counts[place_of(index, count, (uint64_t)seed)]++;
            EXPECT_UNIFORM(counts, count, (double)seeds / count, "element %d of %d: %g", (int)index, count);
        }
}
END_TEST

/* Pairs of indices are counted: of two elements, and of one element with two neighbouring seeds. */
START_TEST(pairs_of_places_come_alike)
{
    static int32_t elements[100 * 100], neighbours[100 * 100];
    static const int counts_of[] = { 9, 16, 100 };

    for (int c = 0; c < 3; c++) {
        const int count = counts_of[c], seeds = 10 * count * count;
        int used = 0;
        memset(elements, 0, sizeof elements);
        memset(neighbours, 0, sizeof neighbours);
        for (int seed = 0; seed < seeds; seed++) {
            const int64_t first = place_of(0, count, (uint64_t)seed), last = place_of(count - 1, count, (uint64_t)seed);
            elements[first * count + last]++;
            neighbours[first * count + place_of(0, count, (uint64_t)seed + 1)]++;
        }
        for (int k = 0; k < count * count; k++)
            if (k / count != k % count) elements[used++] = elements[k];
        ck_assert_int_eq(used, count * (count - 1));
        EXPECT_UNIFORM(elements, used, (double)seeds / used, "first and last of %d: %g", count);
        EXPECT_UNIFORM(neighbours, count * count, (double)seeds / count / count, "neighbouring seeds of %d: %g", count);
    }
}
END_TEST

START_TEST(a_device_shuffles_as_the_host_does)
{
    static const int counts_of[] = { 1, 2, 8, 64, 65, 1000 };
    mcl_buffer *in = array_empty(_i, 1000 * sizeof(int32_t));
    mcl_buffer *out = array_empty(_i, 1000 * sizeof(int32_t));
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t got[1000];

    test_ok(mcl_transform(queue, ints_counting(1000), ints_out(in, 1000), NULL));
    for (int c = 0; c < 6; c++)
        for (uint64_t seed = 7; seed < 9; seed++) {
            const int count = counts_of[c];
            test_ok(mcl_transform(queue, mcl_from_shuffled(MCL_INT32, in, 0, count, seed), ints_out(out, count), NULL));
            ARRAY_READ(_i, out, got);
            for (int k = 0; k < count; k++) ck_assert_int_eq(got[k], place_of(k, count, seed));
        }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* ---- random numbers --------------------------------------------------------------------------------------------- */

static void make(int device, const mcl_type *type, uint64_t seed, int64_t first, const void *low, const void *high,
                 void *got)
{
    mcl_buffer *out = array_empty(device, COUNT * type->size);

    test_ok(
        mcl_random(test_device_at(device)->queue, mcl_to_buffer(type, out, 0, COUNT), seed, first, low, high, NULL));
    array_read(device, out, got, COUNT * type->size);
    mcl_buffer_release(out);
}

static void make_words(int device, uint64_t seed, int64_t first, uint64_t *got)
{
    const uint64_t low = 0, high = UINT64_MAX;

    make(device, MCL_UINT64, seed, first, &low, &high, got);
}

/* The test counts bytes, and pairs of neighbours' nibbles, at each index of the words and at far positions. */
START_TEST(bits_and_bytes_come_alike)
{
    static const int64_t firsts[] = { 0, (INT64_C(1) << 32) - 5, INT64_MAX - COUNT / 2 };
    static uint64_t words[COUNT];
    int32_t bytes[256], pairs[256];

    for (int f = 0; f < 3; f++) {
        make_words(_i, 3, firsts[f], words);
        for (int shift = 0; shift < 64; shift += 8) {
            memset(bytes, 0, sizeof bytes);
            memset(pairs, 0, sizeof pairs);
            for (int k = 0; k < COUNT; k++) {
                bytes[words[k] >> shift & 255]++;
                pairs[(words[k] >> shift & 15) << 4 | (words[(k + 1) % COUNT] >> shift & 15)]++;
            }
            EXPECT_UNIFORM(bytes, 256, COUNT / 256.0, "bytes at bit %d: %g", shift);
            EXPECT_UNIFORM(pairs, 256, COUNT / 256.0, "pairs at bit %d: %g", shift);
        }
    }
}
END_TEST

/* Returns the correlation of words with other, in standard deviations. */
static double correlation(const uint64_t *words, const uint64_t *other, int shift)
{
    double sum = 0;

    for (int k = 0; k < COUNT; k++)
        sum += ((double)words[k] * 0x1p-64 - 0.5) * ((double)other[(k + shift) % COUNT] * 0x1p-64 - 0.5);
    return sum * 12 / sqrt(COUNT);
}

START_TEST(numbers_do_not_depend_on_those_before)
{
    static uint64_t words[COUNT];
    int runs = 1;

    make_words(_i, 11, 0, words);
    for (int shift = 1; shift <= 16; shift++) {
        const double far = correlation(words, words, shift);
        ck_assert_msg(fabs(far) < 5, "numbers %d apart: %g", shift, far);
    }
    for (int k = 2; k < COUNT; k++) runs += (words[k] > words[k - 1]) != (words[k - 1] > words[k - 2]);
    const double far = (runs - (2.0 * COUNT - 1) / 3) / sqrt((16.0 * COUNT - 29) / 90);
    ck_assert_msg(fabs(far) < 5, "runs up and down: %d, %g", runs, far);
}
END_TEST

START_TEST(neighbouring_seeds_have_nothing_in_common)
{
    static uint64_t words[COUNT], other[COUNT];
    static const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t seeds[] = {
        6, 7, 4, 5 + (UINT64_C(1) << 32), 5 ^ UINT64_C(1) << 63, 5 + step, 5 + 2 * step, ~UINT64_C(5)
    };

    make_words(_i, 5, 0, words);
    for (int s = 0; s < 8; s++) {
        int flipped = 0;
        make_words(_i, seeds[s], 0, other);
        for (int shift = 0; shift < 9; shift++) {
            int same = 0;
            const double far = correlation(words, other, shift);
            ck_assert_msg(fabs(far) < 5, "seed %d moved by %d: %g", s, shift, far);
            for (int k = 0; k + shift < COUNT; k++)
                same += words[k] == other[k + shift] || words[k + shift] == other[k];
            ck_assert_msg(same == 0, "seed %d moved by %d: %d numbers are the same", s, shift, same);
        }
        for (int k = 0; k < COUNT; k++)
            for (uint64_t rest = words[k] ^ other[k]; rest; rest &= rest - 1) flipped++;
        const double far = (flipped - 32.0 * COUNT) / sqrt(16.0 * COUNT);
        ck_assert_msg(fabs(far) < 5, "bits that differ by seed %d: %g", s, far);
    }
}
END_TEST

/* The range has three quarters of all numbers. A product with only 64 random bits would give every third number twice
 * as often. */
START_TEST(wide_ranges_of_integers_have_each_number_alike)
{
    static uint64_t words[COUNT];
    const uint64_t low = 0, high = UINT64_C(3) * (UINT64_C(1) << 62) - 1;
    const int8_t least = INT8_MIN, most = INT8_MAX;
    static int8_t bytes[COUNT];
    int32_t counts[256] = { 0 };

    make(_i, MCL_UINT64, 9, 0, &low, &high, words);
    for (int k = 0; k < COUNT; k++) {
        ck_assert(words[k] <= high);
        counts[words[k] % 3]++;
    }
    EXPECT_UNIFORM(counts, 3, COUNT / 3.0, "rests by %d: %g", 3);
    memset(counts, 0, sizeof counts);
    make(_i, MCL_INT8, 9, 0, &least, &most, bytes);
    for (int k = 0; k < COUNT; k++) counts[bytes[k] + 128]++;
    EXPECT_UNIFORM(counts, 256, COUNT / 256.0, "numbers of %d bits: %g", 8);
}
END_TEST

START_TEST(floats_fill_the_widest_range)
{
    static float got[COUNT];
    static const float ends[][2] = { { -FLT_MAX, FLT_MAX }, { 0, 1 }, { -3e38f, 1e38f }, { -5, 5 } };
    int32_t counts[64];

    for (int e = 0; e < 4; e++) {
        const double low = (double)ends[e][0], high = (double)ends[e][1];
        memset(counts, 0, sizeof counts);
        make(_i, MCL_FLOAT, 21, 0, &ends[e][0], &ends[e][1], got);
        for (int k = 0; k < COUNT; k++) {
            ck_assert_msg(got[k] >= ends[e][0] && got[k] < ends[e][1], "range %d: %g", e, (double)got[k]);
            counts[(int)(((double)got[k] - low) / (high - low) * 64)]++;
        }
        EXPECT_UNIFORM(counts, 64, COUNT / 64.0, "floats of range %d: %g", e);
    }
}
END_TEST

START_TEST(doubles_fill_the_widest_range)
{
    static double got[COUNT];
    const double low = -DBL_MAX, high = DBL_MAX;
    int32_t counts[64] = { 0 };

    if (!test_device_at(_i)->info.has_double) return;
    make(_i, MCL_DOUBLE, 22, 0, &low, &high, got);
    for (int k = 0; k < COUNT; k++) {
        ck_assert(got[k] >= low && got[k] < high);
        counts[(int)((got[k] / 2 / DBL_MAX + 0.5) * 64)]++;
    }
    EXPECT_UNIFORM(counts, 64, COUNT / 64.0, "%s: %g", "doubles");
}
END_TEST

#define EXPECT_REFUSED(low, high, words)                                                                               \
    do {                                                                                                               \
        const float ends[] = { low, high };                                                                            \
        test_fails(mcl_random(test_device_at(_i)->queue, mcl_to_buffer(MCL_FLOAT, out, 0, 8), 1, 0, &ends[0],          \
                              &ends[1], NULL),                                                                         \
                   MCL_ERROR_ARGUMENT, "mcl_random|" words);                                                           \
    } while (0)

START_TEST(bounds_that_are_no_numbers_are_told)
{
    mcl_buffer *out = array_empty(_i, 32);

    EXPECT_REFUSED(-INFINITY, 1, "low is -inf|a finite number");
    EXPECT_REFUSED(0, INFINITY, "high is inf|a finite number");
    EXPECT_REFUSED(NAN, 1, "low is|nan|a finite number");
    EXPECT_REFUSED(0, NAN, "high is|nan|a finite number");
    EXPECT_REFUSED(1, 0, "high is 0|low is 1");
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, orders_of_few_elements_come_alike, device);
    test_add(tcase, places_of_an_element_come_alike, device);
    test_add(tcase, pairs_of_places_come_alike, device);
    test_add(tcase, a_device_shuffles_as_the_host_does, device);
    test_add(tcase, bits_and_bytes_come_alike, device);
    test_add(tcase, numbers_do_not_depend_on_those_before, device);
    test_add(tcase, neighbouring_seeds_have_nothing_in_common, device);
    test_add(tcase, wide_ranges_of_integers_have_each_number_alike, device);
    test_add(tcase, floats_fill_the_widest_range, device);
    test_add(tcase, doubles_fill_the_widest_range, device);
    test_add(tcase, bounds_that_are_no_numbers_are_told, device);
}

int main(void)
{
    return test_main("random", add);
}
