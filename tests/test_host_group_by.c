/* test_host_group_by.c: mcl_host_group_by. */
#include "support/host_keys.h"

#include "cases/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 256 * 1024, SMALL_LIMIT = 96 * 1024, COUNTS = 7 };

static int64_t count_at(int k)
{
    static const int64_t counts[COUNTS] = { 0, 1, 2, 700, 5000, 40000, 200000 };
    static const int64_t small_counts[COUNTS] = { 0, 1, 2, 64, 700, 2000, 3000 };
    return test_is_small() ? small_counts[k] : counts[k];
}

static int64_t limit(void)
{
    return test_is_small() ? SMALL_LIMIT : LIMIT;
}

/* ---- reference ----------------------------------------------------------------------------------------------- */

/* Keys of 12 bytes: numbers whose lowest byte comes first. */
MCL_SOURCE(long_key_source, typedef struct long_key { uint32_t low; uint32_t middle; uint32_t high; } long_key;)
static const mcl_type long_key_type = MCL_TYPE(long_key, long_key_source);

enum { KEY_TYPES = 5 };
static const mcl_type *key_type_at(int k)
{
    static const mcl_type *const types[KEY_TYPES] = { &mcl_type_int32, &mcl_type_int64, &mcl_type_float, &long_key_type,
                                                      &mcl_type_uint16 };
    return types[k];
}

/* Stores the key of a number. Larger numbers have later keys. */
static void key_make(const mcl_type *type, int64_t number, unsigned char *key)
{
    const int64_t above = number + (INT64_C(1) << 40);
    const long_key longer = { 7, (uint32_t)above, (uint32_t)(above >> 32) };
    const int32_t narrow = (int32_t)number;
    const uint16_t short_number = (uint16_t)(number & 0x3ff);
    const float real = (float)(number & 0xffff) + 1.0f; /* a float whose bits ascend with the number */
    const void *const from = type == MCL_INT32    ? (const void *)&narrow
                             : type == MCL_INT64  ? (const void *)&number
                             : type == MCL_FLOAT  ? (const void *)&real
                             : type == MCL_UINT16 ? (const void *)&short_number
                                                  : (const void *)&longer;
    memcpy(key, from, type->size);
}

/* An element, or a group: its sum, least value, count, and first and last index. */
typedef struct group {
    int64_t number, sum, least, count, first, last;
} group;

static int compare(const void *a, const void *b)
{
    const group *const p = a, *const q = b;
    if (p->number != q->number) return p->number < q->number ? -1 : 1;
    return p->first < q->first ? -1 : p->first > q->first;
}

static int64_t masked(const mcl_type *type, int64_t number)
{
    return type == MCL_FLOAT ? number & 0xffff : type == MCL_UINT16 ? number & 0x3ff : number;
}

/* Groups elements by sorting them, and returns the number of groups. */
static int64_t group_by_host(group *all, int64_t count)
{
    int64_t groups = 0;
    qsort(all, (size_t)count, sizeof *all, compare);
    for (int64_t k = 0; k < count; k++) {
        group *const last = groups > 0 ? &all[groups - 1] : NULL;
        if (!last || last->number != all[k].number) {
            all[groups++] = all[k];
            continue;
        }
        last->sum += all[k].sum;
        last->least = all[k].least < last->least ? all[k].least : last->least;
        last->count++;
        last->last = all[k].last;
    }
    return groups;
}

/* ---- rounds -------------------------------------------------------------------------------------------------- */

/* A fold that does not commute: it keeps the first number of the first pair and the last number of the last pair. */
MCL_SOURCE(ends_source, typedef struct ends { int32_t first; int32_t last; } ends;
           static inline ends ends_of(int32_t at) { const ends all = { at, at }; return all; }
           static inline ends ends_joined(ends p, ends q) { const ends all = { p.first, q.last }; return all; })
static const mcl_type ends_type = MCL_TYPE(ends, ends_source);
static const mcl_op ends_fold = { .role = MCL_ROLE_FOLD,
                                  .expression = "ends_joined(p, q)",
                                  .source = ends_source,
                                  .value = &ends_type,
                                  .extract = "ends_of(x)" };

typedef struct arrays {
    int64_t count;
    unsigned char *keys, *out_keys;
    int32_t *values, *indices, *least;
    int64_t *sums, *counts;
    ends *both;
    group *expected;
} arrays;

static arrays arrays_make(const mcl_type *type, host_keys_distribution distribution, int64_t count)
{
    const size_t room = (size_t)count + 1;
    arrays made = { .count = count };
    made.keys = malloc(room * type->size);
    made.out_keys = malloc(room * type->size);
    made.values = malloc(room * sizeof *made.values);
    made.indices = malloc(room * sizeof *made.indices);
    made.least = malloc(room * sizeof *made.least);
    made.sums = malloc(room * sizeof *made.sums);
    made.counts = malloc(room * sizeof *made.counts);
    made.both = malloc(room * sizeof *made.both);
    made.expected = malloc(room * sizeof *made.expected);
    if (!made.keys || !made.out_keys || !made.values || !made.indices || !made.least || !made.sums || !made.counts ||
        !made.both || !made.expected)
        abort();
    for (int64_t k = 0; k < count; k++) {
        const int64_t number = masked(type, host_keys_number(distribution, k, count));
        made.values[k] = (int32_t)(test_random(72, (uint64_t)k) % 2000001) - 1000000;
        made.indices[k] = (int32_t)k;
        made.expected[k] = (group){ number, made.values[k], made.values[k], 1, k, k };
        key_make(type, number, made.keys + (size_t)k * type->size);
    }
    return made;
}

static void arrays_free(arrays *made)
{
    void *const all[] = { made->keys, made->out_keys, made->values, made->indices, made->least,
                          made->sums, made->counts,   made->both,   made->expected };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}

static void check_groups(const mcl_type *type, const arrays *of, int64_t groups)
{
    unsigned char key[16];
    for (int64_t g = 0; g < groups; g++) {
        const group *const wanted = &of->expected[g];
        key_make(type, wanted->number, key);
        ck_assert_msg(memcmp(of->out_keys + (size_t)g * type->size, key, type->size) == 0, "the key of group %lld",
                      (long long)g);
        ck_assert_int_eq(of->sums[g], wanted->sum);
        ck_assert_int_eq(of->least[g], wanted->least);
        ck_assert_int_eq(of->counts[g], wanted->count);
        ck_assert_int_eq(of->both[g].first, wanted->first);
        ck_assert_int_eq(of->both[g].last, wanted->last);
    }
}

static void group_round(int device, int entries, const mcl_type *type, host_keys_distribution distribution,
                        int64_t count)
{
    arrays of = arrays_make(type, distribution, count);
    const mcl_host_aggregate aggregates[] = {
        { MCL_INT32, of.values, MCL_ADD, MCL_INT64, of.sums },
        { MCL_INT32, of.values, MCL_MIN, MCL_INT32, of.least },
        { NULL, NULL, MCL_ADD, MCL_INT64, of.counts },
        { MCL_INT32, of.values, MCL_MAX, NULL, NULL },
        { MCL_INT32, of.indices, &ends_fold, &ends_type, of.both },
    };
    const int64_t expected = group_by_host(of.expected, count);
    int64_t found = -1;
    host_keys_room room;

    host_keys_room_make(&room, test_device_at(device)->context, entries, limit());
    test_ok(mcl_host_group_by(&room.room, type, of.keys, count, aggregates, 5, of.out_keys, count, &found));
    ck_assert_int_eq(found, expected);
    check_groups(type, &of, expected);
    arrays_free(&of);
}

enum { ROUNDS = KEYS_DISTRIBUTIONS * KEY_TYPES * COUNTS };

START_TEST(groups_are_those_of_the_host)
{
    const int device = _i / ROUNDS, round = _i % ROUNDS;
    const int type = (round + round / KEY_TYPES) % KEY_TYPES, size = round / KEY_TYPES % COUNTS;
    if (!test_sample_takes(round, ROUNDS)) return;
    group_round(device, 1 + round / 3 % 2, key_type_at(type), (host_keys_distribution)(round / KEY_TYPES / COUNTS),
                count_at(size));
}
END_TEST

/* ---- other calls --------------------------------------------------------------------------------------------- */

/* Keys of any size ascend by their bytes, from the lowest byte on. Sums of halves are floats. */
START_TEST(keys_have_any_size_up_to_16_bytes)
{
    enum { ELEMENTS = 40, GROUPS = 10 };
    static const uint16_t one_half[2] = { 0x3c00, 0x3800 }; /* the halves 1 and 0.5 */
    unsigned char keys[ELEMENTS * 16], out[ELEMENTS * 16];
    uint16_t values[ELEMENTS];
    float sums[GROUPS];
    char name[32], source[96];
    host_keys_room room;

    host_keys_room_make(&room, test_device_at(_i)->context, 1, limit());
    for (int k = 0; k < ELEMENTS; k++) values[k] = one_half[k / GROUPS % 2];
    for (int size = 1; size <= 16; size++) {
        const mcl_type type = { .name = name, .size = (size_t)size, .alignment = 1, .source = source };
        const mcl_host_aggregate sum = { MCL_HALF, values, MCL_ADD, MCL_FLOAT, sums };
        int64_t groups = 0;
        if (!test_sample_takes(size - 1, 16)) continue;
        snprintf(name, sizeof name, "key_of_%d", size);
        snprintf(source, sizeof source, "typedef struct { uint8_t at[%d]; } key_of_%d;", size, size);
        memset(keys, 7, sizeof keys);
        for (int k = 0; k < ELEMENTS; k++) keys[k * size + size - 1] = (unsigned char)(k % GROUPS);
        test_ok(mcl_host_group_by(&room.room, &type, keys, ELEMENTS, &sum, 1, out, GROUPS, &groups));
        ck_assert_int_eq(groups, GROUPS);
        for (int g = 0; g < GROUPS; g++) {
            ck_assert_int_eq(out[g * size + size - 1], g);
            ck_assert_float_eq(sums[g], 3.0f); /* the sum 1 + 0.5 + 1 + 0.5 */
        }
    }
}
END_TEST

/* Without aggregates the call finds distinct keys. Where there are too many, it stores the first ones. */
START_TEST(capacity_is_the_limit)
{
    const int64_t count = count_at(COUNTS - 2);
    arrays of = arrays_make(MCL_INT32, KEYS_UNIFORM, count);
    const int64_t expected = group_by_host(of.expected, count), room_for = expected / 2;
    int32_t *const found_keys = (int32_t *)(void *)of.out_keys;
    int64_t found = -1;
    host_keys_room room;

    host_keys_room_make(&room, test_device_at(_i)->context, 1, limit());
    found_keys[room_for] = 0x5a5a5a5a;
    test_fails(mcl_host_group_by(&room.room, MCL_INT32, of.keys, count, NULL, 0, found_keys, room_for, &found),
               MCL_ERROR_CAPACITY, "mcl_host_group_by: capacity is|or more");
    ck_assert_int_eq(found, expected);
    for (int64_t g = 0; g < room_for; g++) ck_assert_int_eq(found_keys[g], of.expected[g].number);
    ck_assert_int_eq(found_keys[room_for], 0x5a5a5a5a);
    found = -1;
    test_ok(mcl_host_group_by(&room.room, MCL_INT32, of.keys, count, NULL, 0, NULL, 0, &found));
    ck_assert_int_eq(found, expected);
    arrays_free(&of);
}
END_TEST

/* The call uses at most the device memory that the header says, and afterwards none. */
START_TEST(device_memory_stays_within_bytes)
{
    enum { QUEUES = 3, BESIDE = 300 * 1024 };
    const int64_t count = test_is_small() ? 3000 : 400000, bytes = test_is_small() ? SMALL_LIMIT : 4 << 20;
    mcl_context *const context = test_context(_i);
    arrays of = arrays_make(MCL_INT32, KEYS_ZIPF, count);
    const mcl_host_aggregate sum = { MCL_INT32, of.values, MCL_ADD, MCL_INT64, of.sums };
    mcl_memory_statistics before, after;
    host_keys_room room;

    test_ok(mcl_context_memory(context, &before));
    host_keys_room_make(&room, context, 1, bytes);
    test_ok(mcl_host_group_by(&room.room, MCL_INT32, of.keys, count, &sum, 1, of.out_keys, count, NULL));
    test_ok(mcl_context_memory(context, &after));
    ck_assert_int_eq(after.bytes_in_use, before.bytes_in_use);
    ck_assert_int_le(after.bytes_peak, bytes + bytes / 8 + QUEUES * BESIDE);
    arrays_free(&of);
    mcl_context_release(context);
}
END_TEST

static void refuse_ops(host_keys_room *of, mcl_host_aggregate a, const int32_t *keys, int32_t *out)
{
    static const mcl_op combined = { .role = MCL_ROLE_FOLD, .expression = "p + q", .combine = "v" };
    static const mcl_op empty = { .role = MCL_ROLE_FOLD };
    const struct {
        const mcl_op *op;
        mcl_status status;
        const char *words;
    } ops[] = { { MCL_MEAN, MCL_ERROR_UNSUPPORTED, "aggregates[0].op is MCL_MEAN" },
                { MCL_LESS, MCL_ERROR_ARGUMENT, "aggregates[0].op is no fold" },
                { MCL_MAX_INDEX, MCL_ERROR_UNSUPPORTED, "aggregates[0].op has the accumulator" },
                { &combined, MCL_ERROR_UNSUPPORTED, "aggregates[0].op has combine" },
                { &empty, MCL_ERROR_ARGUMENT, "aggregates[0].op is no fold" },
                { NULL, MCL_ERROR_ARGUMENT, "aggregates[0].op is NULL" } };
    for (int k = 0; k < 6; k++) {
        a.op = ops[k].op;
        test_fails(mcl_host_group_by(&of->room, MCL_INT32, keys, 8, &a, 1, out, 8, NULL), ops[k].status, ops[k].words);
    }
}

/* Refuses the second aggregate, which the sentence names by its index among all, also after one without out. */
static void refuse_second(host_keys_room *of, const int32_t *keys)
{
    static const mcl_type pair = { .name = "pair", .size = 8, .source = "typedef struct { int32_t a, b; } pair;" };
    int64_t sums[8];
    const mcl_host_aggregate all[] = { { MCL_INT32, keys, MCL_ADD, MCL_INT32, NULL },
                                       { MCL_INT32, keys, MCL_ADD, &pair, sums } };
    test_fails(mcl_host_group_by(&of->room, MCL_INT32, keys, 8, all, 2, NULL, 8, NULL), MCL_ERROR_TYPE,
               "mcl_host_group_by: |aggregates[1].out");
}

START_TEST(mistakes_are_told)
{
    static const mcl_type wide = { .name = "wide", .size = 17, .source = "typedef struct { uint8_t at[17]; } wide;" };
    static const mcl_op cut = { .role = MCL_ROLE_FOLD, .expression = "p +" };
    int32_t keys[8] = { 3, 1, 4, 1, 5, 9, 2, 6 }, values[8] = { 0 }, out[8], sums[8];
    host_keys_room of;
    mcl_host_aggregate a = { MCL_INT32, values, MCL_ADD, MCL_INT32, sums };

#define EXPECT(type, keys, count, aggregates, out, capacity, status, words)                                            \
    test_fails(mcl_host_group_by(&of.room, type, keys, count, &a, aggregates, out, capacity, NULL), status,            \
               "mcl_host_group_by: |" words)
    host_keys_room_make(&of, test_device_at(_i)->context, 1, limit());
    EXPECT(NULL, keys, 8, 1, out, 8, MCL_ERROR_TYPE, "key_type is NULL");
    EXPECT(&wide, keys, 8, 1, out, 8, MCL_ERROR_TYPE, "key_type has keys of 17 bytes; expected 1 to 16");
    EXPECT(MCL_INT32, NULL, 8, 1, out, 8, MCL_ERROR_ARGUMENT, "keys is NULL");
    EXPECT(MCL_INT32, keys, -2, 1, out, 8, MCL_ERROR_ARGUMENT, "count is -2");
    EXPECT(MCL_INT32, keys, 8, 1, out, -3, MCL_ERROR_ARGUMENT, "capacity is -3");
    EXPECT(MCL_INT32, keys, 8, 18, out, 8, MCL_ERROR_ARGUMENT, "aggregate_count is 18|0 to 17");
    EXPECT(MCL_INT32, keys, 8, -1, out, 8, MCL_ERROR_ARGUMENT, "aggregate_count is -1|0 to 17");
    EXPECT(MCL_INT32, keys, 8, 1, sums, 8, MCL_ERROR_ARGUMENT, "an aggregate's out overlaps out_keys");
    EXPECT(MCL_INT32, keys, 8, 1, keys, 8, MCL_ERROR_ARGUMENT, "out_keys overlaps keys");
    a.out_type = NULL;
    EXPECT(MCL_INT32, keys, 8, 1, out, 8, MCL_ERROR_TYPE, "aggregates[0].out_type is NULL");
    a.out_type = MCL_INT32;
    a.values = NULL;
    EXPECT(MCL_INT32, keys, 8, 1, out, 8, MCL_ERROR_ARGUMENT, "aggregates[0].values is NULL; expected 8 elements");
    a.values = values;
    a.value_type = NULL;
    EXPECT(MCL_INT32, keys, 8, 1, out, 8, MCL_ERROR_TYPE, "aggregates[0].values is given, and its type is NULL");
    a.value_type = MCL_INT32;
    refuse_ops(&of, a, keys, out);
    a.op = &cut;
    a.out = NULL;
    EXPECT(MCL_INT32, keys, 8, 1, out, 8, MCL_ERROR_BUILD, "");
    refuse_second(&of, keys);
    int64_t groups = -7;
    test_fails(mcl_host_group_by(NULL, MCL_INT32, keys, 8, NULL, 0, out, 8, &groups), MCL_ERROR_ARGUMENT, "room is");
    test_fails(mcl_host_group_by(&of.room, MCL_INT32, keys, 8, NULL, 1, out, 8, &groups), MCL_ERROR_ARGUMENT,
               "aggregate_count is 1 and aggregates is NULL");
    ck_assert_int_eq(groups, -7);
    test_fails(mcl_host_group_by(&of.room, MCL_INT32, keys, 8, NULL, 0, out, 2, NULL), MCL_ERROR_CAPACITY,
               "capacity is 2");
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, groups_are_those_of_the_host, device, ROUNDS);
    test_add(tcase, keys_have_any_size_up_to_16_bytes, device);
    test_add(tcase, capacity_is_the_limit, device);
    test_add(tcase, device_memory_stays_within_bytes, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("host_group_by", add);
}
