/* test_large.c: calls on more elements than 32-bit numbers count. They need a device with 16 GiB; others skip the test,
 * and its name is printed. */
#include "support/arrays.h"

#include <stdio.h>

static const int64_t count = (INT64_C(1) << 32) + 5;
static const int64_t memory_needed = INT64_C(16) << 30;

static int too_small(int device, const char *what)
{
    const mcl_device_info *info = &test_device_at(device)->info;
    if (info->is_gpu && info->memory_total >= memory_needed) return 0;
    return test_skip(device, what, "not a GPU with 16 GiB of memory");
}

/* Makes a buffer whose element k is k % 3 as an int8. */
static mcl_buffer *thirds(test_device *device)
{
    mcl_buffer *buffer = NULL;
    test_ok(mcl_buffer_create(device->context, (size_t)count, NULL, &buffer));
    test_ok(mcl_transform(device->queue, mcl_from_expression(MCL_INT8, "i % 3", NULL, NULL, 0, count),
                          mcl_to_buffer(MCL_INT8, buffer, 0, count), NULL));
    return buffer;
}

/* An operator that adds int8 in 64 bits. */
static const mcl_op wide_add = {
    .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
};

START_TEST(reduce_of_more_than_2_to_the_32_elements_is_right)
{
    if (too_small(_i, "reduce of 2^32 + 5 int8")) return;
    test_device *const device = test_device_at(_i);
    mcl_buffer *const data = thirds(device);
    const int64_t expected = count / 3 * 3 + (count % 3 == 2);
    int64_t sum = -1;
    test_ok(mcl_reduce(device->queue, mcl_from_buffer(MCL_INT8, data, 0, count), &wide_add,
                       mcl_to_host(MCL_INT64, &sum), NULL));
    ck_assert_int_eq(sum, expected);
    mcl_buffer_release(data);
}
END_TEST

/* Scans. The device compares the sums, modulo 256, with the expected ones. */
static void check_scan(int index, unsigned flags)
{
    test_device *const device = test_device_at(index);
    mcl_buffer *const data = thirds(device);
    mcl_buffer *sums = NULL;
    const mcl_options options = { .flags = flags };
    int64_t total = -1;
    int64_t wrong = -1;
    test_ok(mcl_buffer_create(device->context, (size_t)count, NULL, &sums));
    test_ok(mcl_scan(device->queue, mcl_from_buffer(MCL_INT8, data, 0, count), mcl_to_buffer(MCL_UINT8, sums, 0, count),
                     &wide_add, MCL_EXCLUSIVE, mcl_to_host(MCL_INT64, &total), &options));
    ck_assert_int_eq(total, count / 3 * 3 + (count % 3 == 2));
    const mcl_binding bound[] = { mcl_binding_buffer("sums", MCL_UINT8, sums, 0) };
    const mcl_input differences =
        mcl_from_expression(MCL_INT64, "sums[i] != (uint8_t)(i / 3 * 3 + (i % 3 == 2))", NULL, bound, 1, count);
    test_ok(mcl_reduce(device->queue, differences, MCL_ADD, mcl_to_host(MCL_INT64, &wrong), NULL));
    ck_assert_int_eq(wrong, 0);
    mcl_buffer_release(sums);
    mcl_buffer_release(data);
}

START_TEST(scan_of_more_than_2_to_the_32_elements_is_right)
{
    if (!too_small(_i, "scan of 2^32 + 5 int8")) check_scan(_i, 0);
}
END_TEST

START_TEST(scan_of_more_than_2_to_the_32_elements_in_two_passes_is_right)
{
    if (!too_small(_i, "scan of 2^32 + 5 int8 in two passes")) check_scan(_i, MCL_DETERMINISTIC);
}
END_TEST

START_TEST(compaction_of_more_than_2_to_the_32_elements_is_right)
{
    if (too_small(_i, "compaction of 2^32 + 5 int8")) return;
    test_device *const device = test_device_at(_i);
    mcl_buffer *const data = thirds(device);
    const mcl_op nonzero = { .role = MCL_ROLE_TEST, .expression = "x" };
    mcl_buffer *kept = NULL;
    int64_t count_kept = -1;
    int64_t wrong = -1;
    test_ok(mcl_buffer_create(device->context, (size_t)count, NULL, &kept));
    test_ok(mcl_compact(device->queue, mcl_from_buffer(MCL_INT8, data, 0, count),
                        mcl_to_buffer(MCL_INT8, kept, 0, count), &nonzero, mcl_to_host(MCL_INT64, &count_kept), NULL));
    ck_assert_int_eq(count_kept, count - (count + 2) / 3);
    const mcl_binding bound[] = { mcl_binding_buffer("kept", MCL_INT8, kept, 0) };
    const mcl_input differences = mcl_from_expression(MCL_INT64, "kept[i] != 1 + i % 2", NULL, bound, 1, count_kept);
    test_ok(mcl_reduce(device->queue, differences, MCL_ADD, mcl_to_host(MCL_INT64, &wrong), NULL));
    ck_assert_int_eq(wrong, 0);
    mcl_buffer_release(kept);
    mcl_buffer_release(data);
}
END_TEST

/* Sorts 2^31 + 7 keys, a permutation of 0, 1, 2 ... modulo 251. Each of the 251 values has its range of sorted
 * indices. */
static void check_sort(int index, mcl_sort_method method)
{
    enum { VALUES = 251, STEP = 97 };
    const int64_t n = (INT64_C(1) << 31) + 7;
    test_device *const device = test_device_at(index);
    const mcl_options options = { .sort_method = method };
    mcl_buffer *keys = NULL;
    int64_t wrong = -1;
    test_ok(mcl_buffer_create(device->context, (size_t)n, NULL, &keys));
    const mcl_output all = mcl_to_buffer(MCL_INT8, keys, 0, n);
    test_ok(
        mcl_transform(device->queue, mcl_from_expression(MCL_INT8, "i * 97 % 251 - 125", NULL, NULL, 0, n), all, NULL));
    test_ok(mcl_sort(device->queue, mcl_from_buffer(MCL_INT8, keys, 0, n), all, MCL_LESS, &options));

    int64_t starts[VALUES]; /* index where each value begins among the sorted keys */
    int64_t start = 0;
    for (int64_t value = 0, first; value < VALUES; value++) {
        for (first = 0; first * STEP % VALUES != value;) first++;
        starts[value] = start;
        start += (n - first + VALUES - 1) / VALUES;
    }
    ck_assert_int_eq(start, n);
    mcl_buffer *const table = ARRAY_OF(index, starts);
    const mcl_binding bound[] = { mcl_binding_buffer("keys", MCL_INT8, keys, 0),
                                  mcl_binding_buffer("starts", MCL_INT64, table, 0) };
    const mcl_input differences = mcl_from_expression(
        MCL_INT64, "i < starts[keys[i] + 125] || (keys[i] < 125 && i >= starts[keys[i] + 126])", NULL, bound, 2, n);
    test_ok(mcl_reduce(device->queue, differences, MCL_ADD, mcl_to_host(MCL_INT64, &wrong), NULL));
    ck_assert_int_eq(wrong, 0);
    mcl_buffer_release(table);
    mcl_buffer_release(keys);
}

START_TEST(mergesort_of_more_than_2_to_the_31_keys_is_right)
{
    if (!too_small(_i, "mergesort of 2^31 + 7 int8")) check_sort(_i, MCL_SORT_MERGE);
}
END_TEST

START_TEST(radix_sort_of_more_than_2_to_the_31_keys_is_right)
{
    if (!too_small(_i, "radix sort of 2^31 + 7 int8")) check_sort(_i, MCL_SORT_RADIX);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, reduce_of_more_than_2_to_the_32_elements_is_right, device);
    test_add(tcase, scan_of_more_than_2_to_the_32_elements_is_right, device);
    test_add(tcase, scan_of_more_than_2_to_the_32_elements_in_two_passes_is_right, device);
    test_add(tcase, compaction_of_more_than_2_to_the_32_elements_is_right, device);
    test_add(tcase, mergesort_of_more_than_2_to_the_31_keys_is_right, device);
    test_add(tcase, radix_sort_of_more_than_2_to_the_31_keys_is_right, device);
}

int main(void)
{
    return test_main("large", add);
}
