/* test_by_key.c: mcl_reduce_by_key and mcl_scan_by_key. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <math.h>
#include <string.h>

/* Tiles of both mappings, so that a thousand keys have several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 32, .tile_items = 3, .flags = MCL_DETERMINISTIC } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

START_TEST(reduce_by_key_equals_the_loop)
{
    run_case_round(&reduce_by_key_case, _i);
}
END_TEST

START_TEST(scan_by_key_equals_the_loop)
{
    run_case_round(&scan_by_key_case, _i);
}
END_TEST

/* The key of a run is its first, also where the operator calls others equal. */
START_TEST(keys_equal_by_your_own_operator_make_a_run)
{
    enum { COUNT = 1000 };
    static int32_t keys[COUNT];
    static int32_t out_keys[COUNT];
    static int32_t sums[COUNT];
    const mcl_op same_ten = { .expression = "p / 10 == q / 10" };
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < COUNT; k++) keys[k] = k + 3;
    mcl_buffer *in = ARRAY_OF(_i, keys), *heads = array_empty(_i, sizeof keys), *folds = array_empty(_i, sizeof keys);
    for (int tiling = 0; tiling < TILINGS; tiling++) {
        int64_t count = 0;
        test_ok(mcl_reduce_by_key(queue, ints(in, COUNT), mcl_constant(MCL_INT32, &one, COUNT), ints_out(heads, COUNT),
                                  ints_out(folds, COUNT), MCL_ADD, &same_ten, mcl_to_host(MCL_INT64, &count),
                                  &tilings[tiling]));
        ck_assert_int_eq(count, 101);
        ARRAY_READ(_i, heads, out_keys);
        ARRAY_READ(_i, folds, sums);
        for (int r = 0; r < count; r++) {
            ck_assert_int_eq(out_keys[r], r == 0 ? 3 : r * 10);
            ck_assert_int_eq(sums[r], r == 0 ? 7 : r == 100 ? 3 : 10);
        }
    }
    mcl_buffer_release(in);
    mcl_buffer_release(heads);
    mcl_buffer_release(folds);
}
END_TEST

START_TEST(a_nan_is_a_run_of_its_own)
{
    const float keys[] = { 1, 1, NAN, NAN, 0.0f, -0.0f };
    float got[6];
    int64_t count = 0;
    const int32_t one = 1;
    mcl_buffer *in = ARRAY_OF(_i, keys), *heads = array_empty(_i, sizeof keys), *folds = array_empty(_i, sizeof got);

    test_ok(mcl_reduce_by_key(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, 6),
                              mcl_constant(MCL_INT32, &one, 6), mcl_to_buffer(MCL_FLOAT, heads, 0, 6),
                              mcl_to_buffer(MCL_FLOAT, folds, 0, 6), MCL_ADD, NULL, mcl_to_host(MCL_INT64, &count),
                              NULL));
    ck_assert_int_eq(count, 4);
    ARRAY_READ(_i, folds, got);
    ck_assert(got[0] == 2 && got[1] == 1 && got[2] == 1 && got[3] == 2);
    mcl_buffer_release(in);
    mcl_buffer_release(heads);
    mcl_buffer_release(folds);
}
END_TEST

START_TEST(each_capacity_is_a_limit_of_its_own)
{
    enum { COUNT = 600 };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    static int32_t before[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < COUNT; k++) keys[k] = k / 3;
    memset(before, 0x21, sizeof before);
    mcl_buffer *in = ARRAY_OF(_i, keys);
    for (int k = 0; k < TILINGS * 2; k++) {
        const int limited_keys = k % 2;
        int64_t count = 0;
        mcl_buffer *heads = ARRAY_OF(_i, before), *folds = ARRAY_OF(_i, before);
        test_fails(mcl_reduce_by_key(queue, ints(in, COUNT), ints(in, COUNT),
                                     ints_out(heads, limited_keys ? 150 : COUNT),
                                     ints_out(folds, limited_keys ? COUNT : 150), MCL_MAX, NULL,
                                     mcl_to_host(MCL_INT64, &count), &tilings[k / 2]),
                   MCL_ERROR_CAPACITY, limited_keys ? "mcl_reduce_by_key|out_keys|150|200" : "out_values|150|200");
        ck_assert_int_eq(count, 200);
        for (int output = 0; output < 2; output++) {
            const int written = (output == 0) == limited_keys ? 150 : 200;
            ARRAY_READ(_i, output == 0 ? heads : folds, got);
            for (int r = 0; r < COUNT; r++) ck_assert_int_eq(got[r], r < written ? r : before[0]);
        }
        /* left out: only counted */
        test_ok(mcl_reduce_by_key(queue, ints(in, COUNT), ints(in, COUNT), ints_out(NULL, 0), ints_out(NULL, 0),
                                  MCL_MAX, NULL, mcl_to_host(MCL_INT64, &count), &tilings[k / 2]));
        ck_assert_int_eq(count, 200);
        mcl_buffer_release(heads);
        mcl_buffer_release(folds);
    }
    mcl_buffer_release(in);
}
END_TEST

START_TEST(a_count_from_the_device_is_clamped_to_its_bound)
{
    enum { COUNT = 1000 };
    static int32_t keys[COUNT];
    const int64_t slots[] = { 0, -5, INT64_MIN, 700, COUNT, INT64_MAX };
    const int64_t counts[] = { 0, 0, 0, 70, 100, 100 };
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < COUNT; k++) keys[k] = k / 10;
    mcl_buffer *in = ARRAY_OF(_i, keys), *slot = ARRAY_OF(_i, slots), *out = array_empty(_i, 2 * sizeof keys);
    for (int k = 0; k < 6 * TILINGS; k++) {
        int64_t count = -1;
        test_ok(mcl_reduce_by_key(queue, mcl_with_count(ints(in, COUNT), slot, k % 6), ints(in, COUNT),
                                  ints_out(out, COUNT), mcl_to_buffer(MCL_INT32, out, COUNT, COUNT), MCL_ADD, NULL,
                                  mcl_to_host(MCL_INT64, &count), &tilings[k / 6]));
        ck_assert_int_eq(count, counts[k % 6]);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(slot);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(what_does_not_fit_is_named)
{
    enum { COUNT = 100 };
    static int32_t data[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, data), *out = array_empty(_i, 2 * sizeof data);
    const mcl_input a = ints(in, COUNT);
    const mcl_output to = ints_out(out, COUNT), to_second = mcl_to_buffer(MCL_INT32, out, COUNT, COUNT);
    const mcl_input points = mcl_from_buffer(element_point.type, in, 0, 10);

    test_fails(mcl_reduce_by_key(queue, a, ints(in, 99), to, to_second, MCL_ADD, NULL, mcl_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce_by_key|values has 99|as keys|100");
    test_fails(mcl_reduce_by_key(queue, a, a, mcl_to_buffer(MCL_INT64, out, 0, 10), to_second, MCL_ADD, NULL,
                                 mcl_nowhere(), NULL),
               MCL_ERROR_TYPE, "mcl_reduce_by_key|int32_t|out_keys|int64_t");
    test_fails(mcl_reduce_by_key(queue, a, a, to, to, MCL_ADD, NULL, mcl_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_reduce_by_key|out_keys|overlaps|out_values");
    test_fails(mcl_reduce_by_key(queue, a, a, to, ints_out(in, COUNT), MCL_ADD, NULL, mcl_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce_by_key|out_values|overlaps|keys");
    test_fails(mcl_reduce_by_key(queue, points, a, mcl_to_buffer(element_point.type, out, 0, 10), to_second, MCL_ADD,
                                 NULL, mcl_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce_by_key|equal is NULL|point");
    test_fails(mcl_reduce_by_key(queue, a, a, to, to_second, MCL_ADD, NULL, mcl_to_slot(MCL_INT32, out, 0), NULL),
               MCL_ERROR_TYPE, "mcl_reduce_by_key|count|MCL_INT64");
    test_fails(mcl_scan_by_key(queue, a, a, ints_out(out, 99), MCL_ADD, NULL, MCL_INCLUSIVE, NULL), MCL_ERROR_ARGUMENT,
               "mcl_scan_by_key|out|capacity 99|100");
    test_fails(mcl_scan_by_key(queue, a, a, to, MCL_ADD, NULL, 7, NULL), MCL_ERROR_ARGUMENT,
               "mcl_scan_by_key|kind is 7");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, reduce_by_key_equals_the_loop, device, run_case_rounds(&reduce_by_key_case));
    test_add_loop(tcase, scan_by_key_equals_the_loop, device, run_case_rounds(&scan_by_key_case));
    test_add(tcase, keys_equal_by_your_own_operator_make_a_run, device);
    test_add(tcase, a_nan_is_a_run_of_its_own, device);
    test_add(tcase, each_capacity_is_a_limit_of_its_own, device);
    test_add(tcase, a_count_from_the_device_is_clamped_to_its_bound, device);
    test_add(tcase, what_does_not_fit_is_named, device);
}

int main(void)
{
    return test_main("by_key", add);
}
