/* test_radix_sort.c: radix sort. */
#include "cases/radix_call.h"
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(radix_sort_equals_the_hosts)
{
    run_case_round(&radix_sort_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 4 } };
static const mcl_output nowhere = { 0 };
static const mcl_input none = { 0 };

/* NaN come after every number, and zeros of both signs are equal. All keep their bits. */
START_TEST(floats_keep_their_bits_and_equal_ones_their_order)
{
    static const uint32_t keys[] = { 0x7fc00001, 0x80000000, 0xff800000, 0x00000000, 0xffc12345, 0x7f800000,
                                     0x80000001, 0x7f800001, 0x00000001, 0x80000000, 0xffffffff, 0xbf800000 };
    static const uint32_t ascending[] = { 0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0x00000000, 0x80000000,
                                          0x00000001, 0x7f800000, 0x7fc00001, 0xffc12345, 0x7f800001, 0xffffffff };
    static const uint32_t descending[] = { 0x7fc00001, 0xffc12345, 0x7f800001, 0xffffffff, 0x7f800000, 0x00000001,
                                           0x80000000, 0x00000000, 0x80000000, 0x80000001, 0xbf800000, 0xff800000 };
    enum { COUNT = sizeof keys / sizeof keys[0] };
    uint32_t got[COUNT];
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, sizeof got);

    for (int turn = 0; turn < 4; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        test_ok(sort_by_radix(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, COUNT), none,
                              mcl_to_buffer(MCL_FLOAT, out, 0, COUNT), nowhere, turn / 2 ? MCL_GREATER : MCL_LESS,
                              &tilings[turn % 2]));
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, turn / 2 ? descending : ascending, sizeof got);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(radix_sort_clamps_counts_from_the_device_to_their_bounds)
{
    enum { BOUND = 300 };
    static int32_t keys[BOUND];
    static int32_t got[BOUND + 1];
    static int32_t before[BOUND + 1];
    const int64_t slots[] = { 0, -9, INT64_MIN, 100, BOUND, BOUND + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 100, BOUND, BOUND, BOUND };
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    memset(before, 0x77, sizeof before);
    for (int k = 0; k < BOUND; k++) keys[k] = BOUND - k;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    for (int k = 0; k < 14; k++) {
        if (!test_takes_tile(&tilings[k % 2])) continue;
        const int count = counts[k / 2];
        mcl_buffer *out = ARRAY_OF(_i, before);
        test_ok(sort_by_radix(test_device_at(_i)->queue, mcl_with_count(ints(in, BOUND), slot, k / 2), none,
                              ints_out(out, BOUND), nowhere, MCL_LESS, &tilings[k % 2]));
        ARRAY_READ(_i, out, got);
        for (int i = 0; i <= BOUND; i++)
            ck_assert_msg(got[i] == (i < count ? BOUND - count + 1 + i : before[0]), "count %d: element %d is %d",
                          count, i, got[i]);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(slot);
}
END_TEST

/* The call is that of mcl_sort_indices: keys are not kept, and values are their indices. Numbers of passes are odd and
 * even. */
START_TEST(places_are_sorted_without_keeping_the_keys)
{
    enum { COUNT = 500, SPAN = 1 << 20 };
    static const int ends[] = { 0, 20, 8 };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];

    random_ints(keys, COUNT, SPAN, 11, 0);
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, sizeof got);
    for (int turn = 0; turn < 6; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        mcl_options options = tilings[turn % 2];
        options.end_bit = ends[turn / 2];
        const int32_t mask = options.end_bit ? (1 << options.end_bit) - 1 : SPAN - 1;
        test_ok(sort_by_radix(test_device_at(_i)->queue, ints(in, COUNT), ints_counting(COUNT), nowhere,
                              ints_out(out, COUNT), MCL_LESS, &options));
        ARRAY_READ(_i, out, got);
        for (int k = 1; k < COUNT; k++) {
            const int32_t p = keys[got[k - 1]] & mask;
            const int32_t q = keys[got[k]] & mask;
            ck_assert_msg(p < q || (p == q && got[k - 1] < got[k]), "turn %d: places %d and %d at %d", turn, got[k - 1],
                          got[k], k);
        }
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(scratch_is_known_beforehand_and_may_be_the_callers)
{
    enum { COUNT = 500 };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    mcl_queue *preparing = NULL;

    random_ints(keys, COUNT, COUNT, 12, 0);
    mcl_buffer *buffer = ARRAY_OF(_i, keys);
    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        mcl_options options = tilings[tiling];
        test_ok(mcl_queue_create_preparing(test_device_at(_i)->context, &preparing));
        test_ok(
            sort_by_radix(preparing, ints(buffer, COUNT), none, ints_out(buffer, COUNT), nowhere, MCL_LESS, &options));
        const size_t bytes = mcl_queue_scratch_bytes(preparing);
        mcl_queue_release(preparing);
        ck_assert_uint_ge(bytes, sizeof keys);
        options.scratch = array_empty(_i, bytes);
        options.scratch_bytes = bytes - 1;
        test_fails(sort_by_radix(test_device_at(_i)->queue, ints(buffer, COUNT), none, ints_out(buffer, COUNT), nowhere,
                                 MCL_LESS, &options),
                   MCL_ERROR_ARGUMENT, "mcl_sort|scratch_bytes");
        options.scratch_bytes = bytes;
        test_ok(sort_by_radix(test_device_at(_i)->queue, ints(buffer, COUNT), none, ints_out(buffer, COUNT), nowhere,
                              tiling ? MCL_GREATER : MCL_LESS, &options));
        ARRAY_READ(_i, buffer, got);
        for (int k = 1; k < COUNT; k++) ck_assert(tiling ? got[k - 1] >= got[k] : got[k - 1] <= got[k]);
        mcl_buffer_release(options.scratch);
    }
    mcl_buffer_release(buffer);
}
END_TEST

/* One program serves types of one size, both orders and all windows of integers. */
START_TEST(one_program_sorts_all_integers_of_a_size)
{
    enum { COUNT = 100 };
    mcl_context *context = test_context(_i);
    mcl_queue *queue = NULL;
    mcl_buffer *in = NULL;
    mcl_buffer *out = NULL;
    mcl_options options = tilings[0];

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, COUNT * sizeof(int32_t), NULL, &in));
    test_ok(mcl_buffer_create(context, COUNT * sizeof(int32_t), NULL, &out));
    for (int turn = 0; turn < 4; turn++) {
        const mcl_type *type = turn % 2 ? MCL_INT32 : MCL_UINT32;
        options.end_bit = turn * 5;
        test_ok(sort_by_radix(queue, mcl_from_buffer(type, in, 0, COUNT), none, mcl_to_buffer(type, out, 0, COUNT),
                              nowhere, turn / 2 ? MCL_GREATER : MCL_LESS, &options));
        ck_assert_int_eq(mcl__program_count(context), 1);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* Keys that processors sort by buckets. */
enum { MANY = (1 << 17) + 77 };

/* Returns a key of a spread. Keys are spread over all numbers, over few, or have a few far outside. Others are crowds
 * that differ in some lower bits, or mostly equal. The last two have about 3, or just 12, keys for each value of the
 * upper bits. */
static uint64_t spread_key(int spread, uint64_t random, int64_t k)
{
    switch (spread) {
    case 0:
        return random;
    case 1:
        return random % 999 + 5;
    case 2:
        return k % 10000 == 3 ? random : (random % 5000 + 70000) << 20;
    case 3:
        return (random % 1000) << 53 | (random >> 20) % 64;
    case 4:
        return k % 8 ? 12345678 : random;
    case 5:
        return random % (MANY / 3) * 0x9e3779b97f4a7c15u >> 20 << 20 | random >> 63;
    default:
        return (uint64_t)k / 12 * 0x9e3779b97f4a7c15u >> 20 << 20 | random >> 44;
    }
}

/* Checks the order. Values are 0, 1, 2 ..., so that they show whether equal keys keep their order. */
static void expect_order(const uint64_t *keys, const uint64_t *sorted, const int32_t *places, int spread, int turn)
{
    for (int k = 0; k < MANY; k++) {
        ck_assert_msg(places[k] >= 0 && places[k] < MANY && sorted[k] == keys[places[k]],
                      "spread %d, turn %d: key %d is not that of its value", spread, turn, k);
        if (k == 0) continue;
        const int rises = turn / 2 ? sorted[k - 1] > sorted[k] : sorted[k - 1] < sorted[k];
        ck_assert_msg(rises || (sorted[k - 1] == sorted[k] && places[k - 1] < places[k]),
                      "spread %d, turn %d: key %d is out of order", spread, turn, k);
    }
}

/* Each spread is sorted in both orders, to other arrays and in place. */
START_TEST(many_keys_of_any_spread_are_sorted)
{
    enum { SPREADS = 7 };
    static uint64_t keys[MANY];
    static uint64_t sorted[MANY];
    static int32_t places[MANY];
    uint64_t random = 9;

    if (test_is_small()) return;
    for (int spread = 0; spread < SPREADS; spread++) {
        for (int64_t k = 0; k < MANY; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            keys[k] = spread_key(spread, random ^ random >> 33, k);
        }
        for (int turn = 0; turn < 4; turn++) {
            for (int32_t k = 0; k < MANY; k++) places[k] = k;
            mcl_buffer *in = ARRAY_OF(_i, keys);
            mcl_buffer *values = ARRAY_OF(_i, places);
            mcl_buffer *out = turn % 2 ? in : array_empty(_i, sizeof keys);
            mcl_buffer *out_values = turn % 2 ? values : array_empty(_i, sizeof places);
            test_ok(sort_by_radix(test_device_at(_i)->queue, mcl_from_buffer(MCL_UINT64, in, 0, MANY),
                                  ints(values, MANY), mcl_to_buffer(MCL_UINT64, out, 0, MANY),
                                  ints_out(out_values, MANY), turn / 2 ? MCL_GREATER : MCL_LESS, NULL));
            ARRAY_READ(_i, out, sorted);
            ARRAY_READ(_i, out_values, places);
            expect_order(keys, sorted, places, spread, turn);
            if (out != in) mcl_buffer_release(out);
            if (out_values != values) mcl_buffer_release(out_values);
            mcl_buffer_release(in);
            mcl_buffer_release(values);
        }
    }
}
END_TEST

/* Sorts keys of type that differ in the bits of mask alone. in_place: keys, or keys and values, are sorted in place. */
static void sort_masked(int device, const mcl_type *type, uint64_t mask, int in_place, int has_values, int descends)
{
    enum { COUNT = 700, SMALL_COUNT = 150 };
    const int count = test_is_small() ? SMALL_COUNT : COUNT;
    uint64_t keys[COUNT] = { 0 };
    uint64_t sorted[COUNT];
    unsigned char bytes[sizeof keys] = { 0 };
    const size_t size = type->size;
    int32_t places[COUNT] = { 0 };
    int seen[COUNT] = { 0 };
    const mcl_options *const tile = &tilings[(mask + (uint64_t)in_place) % 3 != 0];

    for (int k = 0; k < count; k++) {
        keys[k] =
            ((test_random(77, (uint64_t)k) & mask) | (0x123456789abcdef0u & ~mask)) & UINT64_MAX >> (64 - 8 * size);
        memcpy(bytes + (size_t)k * size, &keys[k], size);
        places[k] = k;
    }
    mcl_buffer *in = ARRAY_OF(device, bytes);
    mcl_buffer *values = ARRAY_OF(device, places);
    mcl_buffer *out = in_place ? in : array_empty(device, sizeof keys);
    mcl_buffer *out_values = in_place == 1 ? values : array_empty(device, sizeof places);
    test_ok(sort_by_radix(test_device_at(device)->queue, mcl_from_buffer(type, in, 0, count),
                          has_values ? ints(values, count) : none, mcl_to_buffer(type, out, 0, count),
                          has_values ? ints_out(out_values, count) : nowhere, descends ? MCL_GREATER : MCL_LESS, tile));
    ARRAY_READ(device, out, bytes);
    for (int k = 0; k < count; k++) {
        sorted[k] = 0;
        memcpy(&sorted[k], bytes + (size_t)k * size, size);
    }
    if (has_values) ARRAY_READ(device, out_values, places);
    uint64_t sum = 0;
    for (int k = 0; k < count; k++) {
        const int rises = k == 0 || (descends ? sorted[k - 1] > sorted[k] : sorted[k - 1] < sorted[k]);
        ck_assert_msg(rises || sorted[k - 1] == sorted[k], "bits %llx: key %d", (unsigned long long)mask, k);
        sum += sorted[k] - keys[k];
        if (!has_values) continue;
        ck_assert_msg(places[k] >= 0 && places[k] < count && sorted[k] == keys[places[k]] && !seen[places[k]]++,
                      "bits %llx: value %d", (unsigned long long)mask, k);
        ck_assert_msg(rises || places[k - 1] < places[k], "bits %llx: order of value %d", (unsigned long long)mask, k);
    }
    ck_assert_uint_eq(sum, 0);
    if (out != in) mcl_buffer_release(out);
    if (out_values != values) mcl_buffer_release(out_values);
    mcl_buffer_release(in);
    mcl_buffer_release(values);
}

/* Where all keys have the same digit, a sort needs no pass for it. The rest may be an odd number of passes, or none. */
START_TEST(digits_that_all_keys_share_are_left_out)
{
    static const mcl_type *const types[] = { MCL_UINT64, MCL_UINT32, MCL_UINT16 };
    static const uint64_t masks[] = { 0,        0xff,         0xff00000000000000, 0xff00ff,           0xffffff,
                                      0x303030, 0xf000000001, 0x8000000000000000, 0xff00ff00ff00ff00, UINT64_MAX };

    for (int k = 0; k < 60; k += test_is_small() ? 7 : 1)
        for (int type = 0; type < 3; type++)
            sort_masked(_i, types[type], masks[k % 10], k / 10 % 3, k / 30, k % 3 == 1);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, radix_sort_equals_the_hosts, device, run_case_rounds(&radix_sort_case));
    test_add(tcase, floats_keep_their_bits_and_equal_ones_their_order, device);
    test_add(tcase, radix_sort_clamps_counts_from_the_device_to_their_bounds, device);
    test_add(tcase, places_are_sorted_without_keeping_the_keys, device);
    test_add(tcase, scratch_is_known_beforehand_and_may_be_the_callers, device);
    test_add(tcase, one_program_sorts_all_integers_of_a_size, device);
    test_add(tcase, many_keys_of_any_spread_are_sorted, device);
    test_add(tcase, digits_that_all_keys_share_are_left_out, device);
}

int main(void)
{
    return test_main("radix_sort", add);
}
