/* test_histogram.c: mcl_histogram, mcl_histogram_even, mcl_histogram_range. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <math.h>
#include <stdlib.h>

START_TEST(histogram_equals_the_loop)
{
    run_case_round(&histogram_case, _i);
}
END_TEST

enum { MOST_BINS = 16 };

/* Checks that both mappings give these counts of even bins. */
static void expect_even(int device, const mcl_type *type, const void *data, int64_t count, double low, double high,
                        const int64_t *expected, int64_t bins)
{
    mcl_buffer *in = array_of(device, data, (size_t)count * type->size);
    mcl_buffer *out = array_empty(device, MOST_BINS * sizeof(int64_t));

    for (int threads = 1; threads <= 64; threads += 63) {
        const mcl_options options = { .tile_threads = threads, .tile_items = 4 };
        int64_t seen[MOST_BINS];
        test_ok(mcl_histogram_even(test_device_at(device)->queue, mcl_from_buffer(type, in, 0, count), low, high, NULL,
                                   mcl_to_buffer(MCL_INT64, out, 0, bins), &options));
        array_read(device, out, seen, (size_t)bins * sizeof *seen);
        for (int64_t k = 0; k < bins; k++)
            ck_assert_msg(seen[k] == expected[k], "%d work-items: bin %lld has %lld, expected %lld", threads,
                          (long long)k, (long long)seen[k], (long long)expected[k]);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
#define EXPECT_EVEN(type, data, low, high, expected)                                                                   \
    expect_even(_i, type, data, sizeof(data) / sizeof((data)[0]), low, high, expected,                                 \
                sizeof(expected) / sizeof((expected)[0]))

/* The bounds are at the ends of types, bins are more than numbers, and spans do not divide evenly. */
START_TEST(even_bins_of_integers_are_exact)
{
    static const uint8_t bytes[] = { 0, 1, 127, 128, 254, 255, 255 };
    static const int32_t words[] = { INT32_MIN, -1, 0, 1, INT32_MAX, INT32_MAX };
    static const uint64_t wides[] = { 0, 1, UINT64_MAX / 3, UINT64_MAX / 3 + 1, UINT64_MAX, UINT64_MAX - 1 };
    static const int64_t signed_wides[] = { INT64_MIN, -1, 0, INT64_MAX };
    static const int32_t few[] = { -2, -1, 0, 1, 2, 3 };

    EXPECT_EVEN(MCL_UINT8, bytes, 0, 256, ((int64_t[]){ 3, 4 }));
    EXPECT_EVEN(MCL_UINT8, bytes, 1, 255, ((int64_t[]){ 2, 2 }));
    EXPECT_EVEN(MCL_INT32, words, -2147483648.0, 2147483648.0, ((int64_t[]){ 1, 1, 2, 2 }));
    EXPECT_EVEN(MCL_INT32, words, -2147483648.0, 2147483647.0, ((int64_t[]){ 1, 1, 2, 0 }));
    EXPECT_EVEN(MCL_UINT64, wides, 0, 18446744073709551616.0, ((int64_t[]){ 3, 1, 2 }));
    EXPECT_EVEN(MCL_INT64, signed_wides, -9223372036854775808.0, 9223372036854775808.0, ((int64_t[]){ 2, 2 }));
    EXPECT_EVEN(MCL_INT32, few, -1, 2, ((int64_t[]){ 1, 0, 1, 0, 0, 1, 0, 0 }));
    EXPECT_EVEN(MCL_INT32, few, -1, 3, ((int64_t[]){ 2, 1, 1 }));
}
END_TEST

START_TEST(even_bins_of_floats_leave_out_nan_and_what_lies_outside)
{
    const float inputs[] = { NAN, -INFINITY, INFINITY, -0.0f, 0.5f, 0.875f, 1.0f, 1.5f, 2.0f, -0.5f };

    EXPECT_EVEN(MCL_FLOAT, inputs, 0, 2, ((int64_t[]){ 3, 2 }));
    EXPECT_EVEN(MCL_FLOAT, inputs, -1, 2, ((int64_t[]){ 1, 3, 2 }));
}
END_TEST

START_TEST(levels_may_be_equal_and_leave_out_nan)
{
    static const float levels[] = { 0, 1, 1, 4, INFINITY };
    const float inputs[] = { NAN, -1, 0, 0.5f, 1, 3, 4, 1e30f, INFINITY };
    static const int32_t expected[] = { 2, 0, 2, 2 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, inputs);
    mcl_buffer *bounds = ARRAY_OF(_i, levels);
    mcl_buffer *out = array_empty(_i, sizeof expected);

    for (int threads = 1; threads <= 64; threads += 63) {
        const mcl_options options = { .tile_threads = threads, .flags = MCL_VALIDATE };
        int32_t seen[4];
        test_ok(mcl_histogram_range(queue, mcl_from_buffer(MCL_FLOAT, in, 0, 9),
                                    mcl_from_buffer(MCL_FLOAT, bounds, 0, 5), NULL, ints_out(out, 4), &options));
        ARRAY_READ(_i, out, seen);
        ck_assert_mem_eq(seen, expected, sizeof seen);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(bounds);
    mcl_buffer_release(out);
}
END_TEST

/* Numbers have 64 bits, and there are 2^24 bins. A number outside changes nothing. */
START_TEST(there_may_be_many_bins)
{
    enum { BINS = 1 << 24, COUNT = 1000 };
    static const mcl_op spread = { .role = MCL_ROLE_INDEX,
                                   .expression = "i == 7 ? -1 : i * 16777 + (i > 990) * 4000000000" };
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;

    if (test_sees_races(_i)) {
        test_skip(_i, "there_may_be_many_bins", "oclgrind takes more than 24 GiB for these bins");
        return;
    }
    mcl_buffer *out = array_empty(_i, (size_t)BINS * sizeof(int32_t));

    for (int threads = 1; threads <= 64; threads += 63) {
        const mcl_options options = { .tile_threads = threads };
        int32_t sum = 0;
        test_ok(mcl_histogram(queue, mcl_from_constant(MCL_INT32, &one, COUNT), &spread, NULL, ints_out(out, BINS),
                              &options));
        test_ok(mcl_reduce(queue, ints(out, BINS), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
        ck_assert_int_eq(sum, 990);
        test_ok(mcl_reduce(queue, ints(out, BINS), MCL_MAX, mcl_to_host(MCL_INT32, &sum), NULL));
        ck_assert_int_eq(sum, 1);
    }
    mcl_buffer_release(out);
}
END_TEST

/* Counters of 16 bits reach 2^15 many times, in the lower and the upper half of a word. Large groups and many ranges
 * make few parts, so that this happens on any device. */
START_TEST(counts_in_ranges_of_bins_pass_16_bits)
{
    enum { BINS = 200000, COUNT = 1500000 };
    static const mcl_op skewed = { .role = MCL_ROLE_INDEX,
                                   .expression =
                                       "i % 16 == 0 ? i % 200000 : i % 16 == 1 ? 199999 : i % 16 == 2 ? -1 : x" };
    static const int32_t favorites[] = { 0, 16383 };

    if (test_sees_races(_i)) {
        test_skip(_i, "counts_in_ranges_of_bins_pass_16_bits", "takes oclgrind minutes");
        return;
    }
    mcl_buffer *out = array_empty(_i, BINS * sizeof(int32_t));
    int32_t *expected = calloc(BINS, sizeof *expected), *seen = calloc(BINS, sizeof *seen);

    for (int f = 0; f < 2; f++) {
        const mcl_options options = { .tile_threads = 512, .tile_items = f ? 8 : 1 };
        memset(expected, 0, BINS * sizeof *expected);
        for (int i = 0; i < COUNT; i++) {
            const int bin = i % 16 == 0 ? i % BINS : i % 16 == 1 ? BINS - 1 : favorites[f];
            if (i % 16 != 2) expected[bin]++;
        }
        test_ok(mcl_histogram(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &favorites[f], COUNT), &skewed,
                              NULL, ints_out(out, BINS), &options));
        array_read(_i, out, seen, BINS * sizeof *seen);
        ck_assert_mem_eq(seen, expected, BINS * sizeof *seen);
    }
    free(expected);
    free(seen);
    mcl_buffer_release(out);
}
END_TEST

/* Returns an element of one of four spreads: random, also without a bin; in the last bin; in three bins; even. */
static int32_t element_of(int spread, int32_t bins, int i)
{
    const int32_t drawn = (int32_t)(test_random((uint64_t)bins, (uint64_t)i) % (uint64_t)(bins + 2)) - 1;
    const int32_t elements[] = { drawn, bins - 1, i % 3 * (bins / 3), drawn / 2 * 2 };
    return elements[spread];
}

static void compare_counts(int at, int spread, int32_t bins, mcl_options options)
{
    enum { COUNT = 300000 };
    static const mcl_op same = { .role = MCL_ROLE_INDEX, .expression = "x" };
    int32_t *const elements = calloc(COUNT, sizeof *elements);
    int32_t *const expected = calloc((size_t)bins, sizeof *expected), *const seen = calloc((size_t)bins, sizeof *seen);
    if (!elements || !expected || !seen) abort();
    for (int i = 0; i < COUNT; i++) {
        elements[i] = element_of(spread, bins, i);
        if (elements[i] >= 0 && elements[i] < bins) expected[elements[i]]++;
    }
    mcl_buffer *const in = array_of(at, elements, COUNT * sizeof *elements);
    mcl_buffer *const out = array_empty(at, (size_t)bins * sizeof *seen);
    test_ok(mcl_histogram(test_device_at(at)->queue, ints(in, COUNT), &same, NULL, ints_out(out, bins), &options));
    array_read(at, out, seen, (size_t)bins * sizeof *seen);
    ck_assert_mem_eq(seen, expected, (size_t)bins * sizeof *seen);
    free(elements);
    free(expected);
    free(seen);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}

/* The numbers of bins are near the largest ones that a group's memory holds, in cells and in counters of 16 bits. */
START_TEST(bins_beside_what_memory_holds)
{
    static const int32_t bins[] = { 8191, 8192, 8193, 16385, 24449, 65535, 65536, 65537, 131073, 200001 };
    enum { SPREADS = 4, ROUNDS = SPREADS * sizeof bins / sizeof *bins };

    for (int round = 0; round < ROUNDS; round++) {
        const mcl_options options = { .tile_threads = 256, .tile_items = 4 + round % 5 };
        if (test_sample_takes(round, ROUNDS)) compare_counts(_i, round % SPREADS, bins[round / SPREADS], options);
    }
}
END_TEST

START_TEST(bins_of_nothing_are_zero)
{
    const int64_t none = 0;
    mcl_buffer *slot = array_of(_i, &none, sizeof none);
    mcl_buffer *out = array_empty(_i, 8 * sizeof(int32_t));
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < 4; k++) {
        const mcl_options options = { .tile_threads = k % 2 ? 64 : 1 };
        const mcl_input in =
            k < 2 ? ints(NULL, 0) : mcl_with_count(mcl_from_step(MCL_INT32, &none, &none, 99), slot, 0);
        int32_t seen[8];
        memset(seen, 1, sizeof seen);
        test_ok(mcl_buffer_write(queue, out, 0, sizeof seen, seen));
        test_ok(mcl_histogram_even(queue, in, 0, 8, NULL, ints_out(out, 8), &options));
        ARRAY_READ(_i, out, seen);
        for (int bin = 0; bin < 8; bin++) ck_assert_int_eq(seen[bin], 0);
    }
    test_ok(mcl_histogram_even(queue, ints(NULL, 0), 0, 8, NULL, ints_out(out, 0), NULL));
    mcl_buffer_release(slot);
    mcl_buffer_release(out);
}
END_TEST

/* ---- mistakes --------------------------------------------------------------------------------------------------- */

typedef struct mistakes {
    mcl_queue *queue;
    mcl_buffer *in, *out;
} mistakes;

static void even_mistakes(const mistakes *m)
{
    const mcl_input in = ints(m->in, 8), bytes = mcl_from_buffer(MCL_UINT8, m->in, 0, 8);
    const mcl_input reals = mcl_from_buffer(MCL_FLOAT, m->in, 0, 8);
    const mcl_output out = ints_out(m->out, 4);
    mcl_queue *queue = m->queue;

#define EVEN(status, words, given, low, high, bins)                                                                    \
    test_fails(mcl_histogram_even(queue, given, low, high, NULL, bins, NULL), status, "mcl_histogram_even|" words)
    test_fails(mcl_histogram_even(NULL, in, 0, 1, NULL, out, NULL), MCL_ERROR_ARGUMENT, "queue|NULL");
    EVEN(MCL_ERROR_ARGUMENT, "low is 5 and high is 5; expected low below high", in, 5, 5, out);
    EVEN(MCL_ERROR_ARGUMENT, "low is 0.5; expected a whole number from -2147483648 to 2147483648", in, 0.5, 5, out);
    EVEN(MCL_ERROR_ARGUMENT, "high is 257; expected a whole number from 0 to 256, as in is uint8_t", bytes, 0, 257,
         out);
    EVEN(MCL_ERROR_ARGUMENT, "low is |nan; expected a whole number", in, NAN, 1, out);
    EVEN(MCL_ERROR_ARGUMENT, "high is inf; expected a finite number", reals, 0, INFINITY, out);
    EVEN(MCL_ERROR_ARGUMENT, "expected a distance that float can hold", reals, -3e38, 3e38, out);
    EVEN(MCL_ERROR_ARGUMENT, "expected a distance that float can hold", reals, 1, 1 + 1e-12, out);
    EVEN(MCL_ERROR_ARGUMENT, "bins has capacity 0; expected 1 or more", in, 0, 9, ints_out(m->out, 0));
    EVEN(MCL_ERROR_ARGUMENT, "bins overlaps in", in, 0, 9, ints_out(m->in, 4));
    EVEN(MCL_ERROR_TYPE, "bins is float; expected MCL_INT32, MCL_UINT32, MCL_INT64 or MCL_UINT64", in, 0, 9,
         mcl_to_buffer(MCL_FLOAT, m->out, 0, 4));
    EVEN(MCL_ERROR_TYPE, "bins is int8_t; expected MCL_INT32", in, 0, 9, mcl_to_buffer(MCL_INT8, m->out, 0, 4));
#undef EVEN
}

static void weight_mistakes(const mistakes *m)
{
    const mcl_input in = ints(m->in, 8), few = ints(m->in, 7), reals = mcl_from_buffer(MCL_FLOAT, m->in, 0, 8);
    const mcl_output sums = mcl_to_buffer(MCL_FLOAT, m->out, 0, 4);
    const mcl_options group = { .flags = MCL_DETERMINISTIC, .tile_threads = 32 };
    const mcl_options serial = { .flags = MCL_DETERMINISTIC, .tile_threads = 1 };

    test_fails(mcl_histogram_even(m->queue, in, 0, 9, &few, sums, NULL), MCL_ERROR_ARGUMENT, "weights|7|8");
    test_fails(mcl_histogram_even(m->queue, in, 0, 9, &reals, ints_out(m->out, 4), NULL), MCL_ERROR_TYPE,
               "bins is int32_t and weights is float; expected MCL_FLOAT or MCL_DOUBLE bins");
    test_fails(mcl_histogram_even(m->queue, in, 0, 9, &reals, sums, &group), MCL_ERROR_UNSUPPORTED,
               "bins is float with MCL_DETERMINISTIC|options->tile_threads 1");
    test_ok(mcl_histogram_even(m->queue, in, 0, 9, &reals, sums, &serial));
}

static void other_mistakes(const mistakes *m)
{
    const mcl_op test = { .role = MCL_ROLE_TEST, .expression = "x > 3" };
    const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "x", .identity = "0" };
    const mcl_input in = ints(m->in, 8);
    const mcl_output out = ints_out(m->out, 4);
    const mcl_options validate = { .flags = MCL_VALIDATE };

    test_fails(mcl_histogram(m->queue, in, NULL, NULL, out, NULL), MCL_ERROR_ARGUMENT, "mcl_histogram|bin is NULL");
    test_fails(mcl_histogram(m->queue, in, &test, NULL, out, NULL), MCL_ERROR_ARGUMENT,
               "bin is a test; expected an index");
    test_fails(mcl_histogram(m->queue, in, &bin, NULL, out, NULL), MCL_ERROR_ARGUMENT, "bin has an identity");
    test_fails(mcl_histogram_range(m->queue, in, ints(m->in, 4), NULL, out, NULL), MCL_ERROR_ARGUMENT,
               "mcl_histogram_range|levels has 4 elements; expected 5 or more");
    test_fails(mcl_histogram_range(m->queue, in, mcl_from_buffer(MCL_FLOAT, m->in, 0, 5), NULL, out, NULL),
               MCL_ERROR_TYPE, "levels is float; expected int32_t, the type of in");
    test_fails(mcl_histogram_range(m->queue, in, in, NULL, out, &validate), MCL_ERROR_PRECONDITION, "levels|2");
}

START_TEST(mistakes_are_told)
{
    const int32_t numbers[] = { 1, 2, 1, 4, 5, 6, 7, 8 };
    const mistakes m = { test_device_at(_i)->queue, ARRAY_OF(_i, numbers), array_empty(_i, 64) };

    even_mistakes(&m);
    weight_mistakes(&m);
    other_mistakes(&m);
    mcl_buffer_release(m.in);
    mcl_buffer_release(m.out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, histogram_equals_the_loop, device, run_case_rounds(&histogram_case));
    test_add(tcase, even_bins_of_integers_are_exact, device);
    test_add(tcase, even_bins_of_floats_leave_out_nan_and_what_lies_outside, device);
    test_add(tcase, levels_may_be_equal_and_leave_out_nan, device);
    test_add(tcase, there_may_be_many_bins, device);
    test_add(tcase, counts_in_ranges_of_bins_pass_16_bits, device);
    test_add(tcase, bins_beside_what_memory_holds, device);
    test_add(tcase, bins_of_nothing_are_zero, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("histogram", add);
}
