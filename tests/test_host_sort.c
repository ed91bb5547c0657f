/* test_host_sort.c: mcl_host_sort, mcl_host_sort_pairs. */
#include "support/host_keys.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 64 * 1024, SMALL_LIMIT = 12 * 1024, COUNTS = 9 };

/* Returns a count: none, one, all in one chunk, or near the borders of chunks. With the last count buckets are cut
 * again. */
static int64_t count_at(int k)
{
    static const int64_t counts[COUNTS] = { 0, 1, 2, 640, 2559, 2560, 5121, 30000, 300000 };
    static const int64_t small_counts[COUNTS] = { 0, 1, 2, 64, 480, 481, 960, 1500, 3000 };
    return test_is_small() ? small_counts[k] : counts[k];
}

static int64_t limit(void)
{
    return test_is_small() ? SMALL_LIMIT : LIMIT;
}

/* Checks that the keys are in the order of the host's sort. */
static void check_sorted(const host_keys_type *type, const void *keys, const void *sorted, int64_t count)
{
    const size_t size = type->type->size;
    int64_t *const order = host_keys_order(type, keys, count);
    int64_t wrong = -1;
    for (int64_t k = count - 1; k >= 0; k--)
        if (memcmp((const char *)sorted + (size_t)k * size, (const char *)keys + (size_t)order[k] * size, size) != 0)
            wrong = k;
    ck_assert_msg(wrong < 0, "%s, %lld keys: the one at %lld is another", type->type->name, (long long)count,
                  (long long)wrong);
    free(order);
}

static void sort_round(int device, int entries, const host_keys_type *type, host_keys_distribution distribution,
                       int64_t count, int in_place)
{
    const size_t bytes = (size_t)count * type->type->size;
    host_keys_room room;
    void *const keys = host_keys_make(type, distribution, count);
    void *const given = malloc(bytes + 1), *const other = malloc(bytes + 1);
    void *const out = in_place ? given : other;

    if (!given || !other) abort();
    memcpy(given, keys, bytes);
    memset(other, 0xee, bytes);
    host_keys_room_make(&room, test_device_at(device)->context, entries, limit());
    test_ok(mcl_host_sort(&room.room, type->type, given, out, count, type->before));
    check_sorted(type, keys, out, count);
    free(keys);
    free(given);
    free(other);
}

enum { ROUNDS = KEYS_DISTRIBUTIONS * HOST_KEYS_TYPES * COUNTS };

START_TEST(keys_are_sorted_as_by_the_host)
{
    const int device = _i / ROUNDS, round = _i % ROUNDS;
    const int type = (round + round / HOST_KEYS_TYPES) % HOST_KEYS_TYPES, size = round / HOST_KEYS_TYPES % COUNTS;
    if (!test_sample_takes(round, ROUNDS)) return;
    if (host_keys_type_at(type)->type == MCL_DOUBLE && !test_device_at(device)->info.has_double) return;
    sort_round(device, 1 + round / 3 % 2, host_keys_type_at(type),
               (host_keys_distribution)(round / HOST_KEYS_TYPES / COUNTS), count_at(size), round % 3 == 0);
}
END_TEST

/* ---- pairs --------------------------------------------------------------------------------------------------- */

/* Returns a type of values, of 1, 8 or 12 bytes. A value is an index, or its lowest byte. */
static const mcl_type *value_type_at(int k)
{
    static const mcl_type *const types[] = { MCL_UINT8, MCL_INT64, MCL_UINT3 };
    return types[k];
}

static void value_make(const mcl_type *type, int64_t index, unsigned char *value)
{
    memset(value, 0, type->size);
    for (size_t k = 0; k < type->size && k < sizeof index; k++) value[k] = (unsigned char)((uint64_t)index >> 8 * k);
}

static void check_pairs(const host_keys_type *type, const void *keys, const void *sorted, const mcl_type *value_type,
                        const unsigned char *values, int64_t count)
{
    int64_t *const order = host_keys_order(type, keys, count);
    unsigned char wanted[MCL_VALUE_BYTES_MAX];

    check_sorted(type, keys, sorted, count);
    for (int64_t k = 0; k < count; k++) {
        value_make(value_type, order[k], wanted);
        ck_assert_msg(memcmp(values + (size_t)k * value_type->size, wanted, value_type->size) == 0,
                      "%lld values of %s: the one at %lld is of another key", (long long)count, value_type->name,
                      (long long)k);
    }
    free(order);
}

static void pairs_round(int device, int entries, const host_keys_type *type, const mcl_type *value_type,
                        host_keys_distribution distribution, int64_t count, int in_place)
{
    const size_t bytes = (size_t)count * type->type->size, value_bytes = (size_t)count * value_type->size;
    host_keys_room room;
    void *const keys = host_keys_make(type, distribution, count);
    unsigned char *const out_keys = malloc(bytes + 1), *const values = malloc(value_bytes + 1);
    unsigned char *const other = malloc(value_bytes + 1), *const out = in_place ? values : other;

    if (!out_keys || !values || !other) abort();
    for (int64_t k = 0; k < count; k++) value_make(value_type, k, values + (size_t)k * value_type->size);
    host_keys_room_make(&room, test_device_at(device)->context, entries, 2 * limit());
    test_ok(mcl_host_sort_pairs(&room.room, type->type, keys, value_type, values, out_keys, out, count, type->before));
    check_pairs(type, keys, out_keys, value_type, out, count);
    free(keys);
    free(out_keys);
    free(values);
    free(other);
}

enum { VALUE_TYPES = 3, PAIRS_ROUNDS = ROUNDS };

START_TEST(values_follow_their_keys)
{
    const int device = _i / PAIRS_ROUNDS, round = _i % PAIRS_ROUNDS;
    const int type = (round + round / HOST_KEYS_TYPES) % HOST_KEYS_TYPES, size = round / HOST_KEYS_TYPES % COUNTS;
    if (!test_sample_takes(round, PAIRS_ROUNDS)) return;
    if (host_keys_type_at(type)->type == MCL_DOUBLE && !test_device_at(device)->info.has_double) return;
    pairs_round(device, 1 + round / 4 % 2, host_keys_type_at(type), value_type_at(round / 2 % VALUE_TYPES),
                (host_keys_distribution)(round / HOST_KEYS_TYPES / COUNTS), count_at(size), round % 2);
}
END_TEST

/* ---- room ---------------------------------------------------------------------------------------------------- */

/* The caller's scratch is enough, and nothing past its end is written. */
START_TEST(scratch_may_be_the_callers)
{
    const int64_t count = count_at(COUNTS - 2);
    const size_t bytes = (size_t)count * sizeof(int32_t);
    const host_keys_type *const type = host_keys_type_at(0);
    unsigned char *const scratch = malloc(bytes + 1), *const out = malloc(bytes);
    host_keys_room room;
    void *const keys = host_keys_make(type, KEYS_UNIFORM, count);

    if (!scratch || !out) abort();
    scratch[bytes] = 0x5a;
    host_keys_room_make(&room, test_device_at(_i)->context, 1, limit());
    room.room.scratch = scratch;
    room.room.scratch_bytes = bytes - 1;
    test_fails(mcl_host_sort(&room.room, MCL_INT32, keys, out, count, MCL_LESS), MCL_ERROR_ARGUMENT,
               "mcl_host_sort: room->scratch_bytes is");
    room.room.scratch_bytes = bytes;
    test_ok(mcl_host_sort(&room.room, MCL_INT32, keys, out, count, MCL_LESS));
    check_sorted(type, keys, out, count);
    ck_assert_int_eq(scratch[bytes], 0x5a);
    free(scratch);
    free(out);
    free(keys);
}
END_TEST

/* The call uses at most the device memory that the header says, and afterwards none. */
START_TEST(device_memory_stays_within_bytes)
{
    enum { QUEUES = 3, BESIDE = 300 * 1024 };
    const int64_t count = test_is_small() ? 3000 : 1500000, bytes = test_is_small() ? SMALL_LIMIT : 4 << 20;
    mcl_context *const context = test_context(_i);
    const host_keys_type *const type = host_keys_type_at(0);
    host_keys_room room;
    mcl_memory_statistics before, after;
    int32_t *const keys = host_keys_make(type, KEYS_UNIFORM, count);

    test_ok(mcl_context_memory(context, &before));
    host_keys_room_make(&room, context, 1, bytes);
    test_ok(mcl_host_sort(&room.room, MCL_INT32, keys, keys, count, MCL_LESS));
    test_ok(mcl_context_memory(context, &after));
    ck_assert_int_eq(after.bytes_in_use, before.bytes_in_use);
    ck_assert_int_le(after.bytes_peak, bytes + bytes / 8 + QUEUES * BESIDE);
    free(keys);
    mcl_context_release(context);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------------ */

/* An allocator whose memory ends at a chosen allocation. */
typedef struct poor {
    int left, blocks;
} poor;

static mcl_status poor_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    poor *const own = user;
    if (own->left-- <= 0) return MCL_ERROR_MEMORY;
    own->blocks++;
    return mcl_block_create(context, bytes, block);
}

static void poor_release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    (void)bytes;
    ((poor *)user)->blocks--;
    mcl_block_release(context, block);
}

/* Whichever allocation fails, the call reports it, and releases its memory. */
START_TEST(no_device_memory_is_lost)
{
    const int64_t count = count_at(COUNTS - 2) * 2;
    mcl_context *const context = test_context(_i);
    poor own = { 0, 0 };
    const mcl_allocator allocator = { &own, poor_allocate, poor_release };
    host_keys_room room;
    int32_t *const keys = host_keys_make(host_keys_type_at(0), KEYS_UNIFORM, count);
    mcl_status status = MCL_ERROR_MEMORY;
    int fails = 0;

    test_ok(mcl_context_set_allocator(context, &allocator));
    host_keys_room_make(&room, context, 1, limit());
    for (; status != MCL_OK && fails < 200; fails++) {
        own.left = fails;
        status = mcl_host_sort(&room.room, MCL_INT32, keys, keys, count, MCL_LESS);
        if (status != MCL_OK) test_fails(status, MCL_ERROR_MEMORY, "mcl_host_sort: ");
        ck_assert_int_eq(own.blocks, 0);
    }
    ck_assert_int_eq(status, MCL_OK);
    ck_assert_int_gt(fails, 10);
    free(keys);
    mcl_context_release(context);
}
END_TEST

/* The orders have bound values, or also hold for equal keys. */
START_TEST(orders_are_any_text)
{
    static const char distance[] = "(p > middle ? p - middle : middle - p) < (q > middle ? q - middle : middle - q)";
    const int32_t middle = 11;
    const mcl_op nearest = { .role = MCL_ROLE_ORDER,
                             .expression = distance,
                             .binding_count = 1,
                             .bindings = { mcl_binding_value("middle", MCL_INT32, &middle) } };
    const mcl_op not_after = { .role = MCL_ROLE_ORDER, .expression = "p <= q" };
    const mcl_op unlike = { .role = MCL_ROLE_ORDER, .expression = "p != q" };
    const int64_t count = count_at(COUNTS - 2);
    host_keys_room room;
    int32_t *const keys = host_keys_make(host_keys_type_at(0), KEYS_ZIPF, count);
    int32_t *const out = malloc((size_t)count * sizeof *out);

    if (!out) abort();
    host_keys_room_make(&room, test_device_at(_i)->context, 1, limit());
    test_ok(mcl_host_sort(&room.room, MCL_INT32, keys, out, count, &nearest));
    for (int64_t k = 1; k < count; k++) ck_assert_int_le(llabs(out[k - 1] - middle), llabs(out[k] - middle));
    test_ok(mcl_host_sort(&room.room, MCL_INT32, keys, out, count, &unlike)); /* it ends */
    test_ok(mcl_host_sort(&room.room, MCL_INT32, keys, out, count, &not_after));
    check_sorted(host_keys_type_at(0), keys, out, count);
    free(keys);
    free(out);
}
END_TEST

START_TEST(mistakes_are_told)
{
    static const mcl_type wide = { .name = "wide", .size = 65, .source = "typedef struct { uint8_t at[65]; } wide;" };
    static const mcl_type empty = { .name = "empty", .source = "typedef struct { } empty;" };
    static const mcl_op wrong = { .role = MCL_ROLE_ORDER, .expression = "p < nothing" };
    int32_t keys[8] = { 3, 1, 4, 1, 5, 9, 2, 6 }, out[8];
    host_keys_room of;
    mcl_host_room *const room = &of.room;

#define EXPECT(type, keys, out, count, before, status, words)                                                          \
    test_fails(mcl_host_sort(room, type, keys, out, count, before), status, "mcl_host_sort: |" words)
    host_keys_room_make(&of, test_device_at(_i)->context, 2, limit());
    EXPECT(NULL, keys, out, 8, MCL_LESS, MCL_ERROR_TYPE, "type is NULL");
    EXPECT(&wide, keys, out, 8, MCL_LESS, MCL_ERROR_TYPE, "type has elements of 65 bytes; expected 1 to 64");
    EXPECT(&empty, keys, out, 8, MCL_LESS, MCL_ERROR_TYPE, "type has elements of 0 bytes; expected 1 to 64");
    EXPECT(MCL_INT32, keys, out, -1, MCL_LESS, MCL_ERROR_ARGUMENT, "count is -1; expected 0 to");
    EXPECT(MCL_INT32, keys, out, ((int64_t)1 << 48) + 1, MCL_LESS, MCL_ERROR_ARGUMENT, "count is 281474976710657;");
    test_ok(mcl_host_sort(room, MCL_INT32, NULL, NULL, 0, MCL_LESS));
    EXPECT(MCL_INT32, NULL, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "keys is NULL; expected 8 elements");
    EXPECT(MCL_INT32, keys, NULL, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "out is NULL");
    EXPECT(MCL_INT32, keys, keys + 1, 7, MCL_LESS, MCL_ERROR_ARGUMENT, "out overlaps keys");
    EXPECT(MCL_INT32, keys, out, 8, NULL, MCL_ERROR_ARGUMENT, "before is NULL");
    EXPECT(MCL_INT32, keys, out, 8, &wrong, MCL_ERROR_BUILD, "nothing");
    room->scratch = out;
    room->scratch_bytes = sizeof out;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->scratch overlaps out");
    room->scratch = keys;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->scratch overlaps keys");
    room->scratch = NULL;
    of.devices[0].bytes = of.devices[1].bytes = 200;
    int32_t *const many = calloc(1000, sizeof *many);
    if (!many) abort();
    EXPECT(MCL_INT32, many, many, 1000, MCL_LESS, MCL_ERROR_ARGUMENT, "room->devices[0] has 66 bytes|chunk of 64");
    free(many);
    of.devices[1].bytes = -1;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->devices[1].bytes is -1");
    of.devices[1].context = NULL;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->devices[1].context is NULL");
    room->device_count = 0;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->device_count is 0 and room->devices is given");
    room->device_count = 65;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->device_count is 65|1 to 64");
    room->device_count = 1;
    room->devices = NULL;
    EXPECT(MCL_INT32, keys, out, 8, MCL_LESS, MCL_ERROR_ARGUMENT, "room->devices is NULL");
    test_fails(mcl_host_sort(NULL, MCL_INT32, keys, out, 8, MCL_LESS), MCL_ERROR_ARGUMENT, "room is NULL");
}
END_TEST

START_TEST(mistakes_of_pairs_are_told)
{
    int32_t keys[8] = { 3, 1, 4, 1, 5, 9, 2, 6 }, values[8] = { 0 }, out[8], more[8];
    host_keys_room of;

#define EXPECT_PAIRS(value_type, values, out, more, status, words)                                                     \
    test_fails(mcl_host_sort_pairs(&of.room, MCL_INT32, keys, value_type, values, out, more, 8, MCL_LESS), status,     \
               "mcl_host_sort_pairs: |" words)
    host_keys_room_make(&of, test_device_at(_i)->context, 1, limit());
    EXPECT_PAIRS(NULL, values, out, more, MCL_ERROR_TYPE, "value_type is NULL");
    EXPECT_PAIRS(MCL_INT32, NULL, out, more, MCL_ERROR_ARGUMENT, "values is NULL; expected 8 elements");
    EXPECT_PAIRS(MCL_INT32, values, NULL, more, MCL_ERROR_ARGUMENT, "out_keys is NULL");
    EXPECT_PAIRS(MCL_INT32, values, out, NULL, MCL_ERROR_ARGUMENT, "out_values is NULL");
    EXPECT_PAIRS(MCL_INT32, values, out, out, MCL_ERROR_ARGUMENT, "out_values overlaps out_keys");
    EXPECT_PAIRS(MCL_INT32, values, values, more, MCL_ERROR_ARGUMENT, "out_keys overlaps values");
    EXPECT_PAIRS(MCL_INT32, values, out, values + 1, MCL_ERROR_ARGUMENT, "out_values overlaps values|exactly");
    test_fails(mcl_host_sort_pairs(&of.room, NULL, keys, MCL_INT32, values, out, more, 8, MCL_LESS), MCL_ERROR_TYPE,
               "mcl_host_sort_pairs: key_type is NULL");
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, keys_are_sorted_as_by_the_host, device, ROUNDS);
    test_add_loop(tcase, values_follow_their_keys, device, PAIRS_ROUNDS);
    test_add(tcase, scratch_may_be_the_callers, device);
    test_add(tcase, device_memory_stays_within_bytes, device);
    test_add(tcase, no_device_memory_is_lost, device);
    test_add(tcase, orders_are_any_text, device);
    test_add(tcase, mistakes_are_told, device);
    test_add(tcase, mistakes_of_pairs_are_told, device);
}

int main(void)
{
    return test_main("host_sort", add);
}
