/* test_group_by.c: mcl_group_by, mcl_distinct. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(groups_equal_those_of_sorted_keys)
{
    run_case_round(&group_by_case, _i);
}
END_TEST

static const mcl_options deterministic = { .flags = MCL_DETERMINISTIC };

/* One call makes sums, counts, lowest and highest values. One aggregate is left out. */
START_TEST(a_small_example)
{
    static const int32_t keys[] = { 3, -1, 3, 7, -1, 3 };
    static const int32_t values[] = { 10, 20, 30, 40, 50, 60 };
    static const mcl_op wide_sum = { .role = MCL_ROLE_FOLD, .expression = "p + q", .value = MCL_INT64 };
    const int32_t one = 1;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in_keys = ARRAY_OF(_i, keys);
    mcl_buffer *in_values = ARRAY_OF(_i, values);
    mcl_buffer *out[4];
    mcl_buffer *sums = array_empty(_i, 3 * sizeof(int64_t));
    int32_t found[3];
    int64_t totals[3];
    int32_t groups = 0;
    static const int32_t wanted[4][3] = { { -1, 3, 7 }, { 2, 3, 1 }, { 20, 10, 40 }, { 50, 60, 40 } };

    for (int k = 0; k < 4; k++) out[k] = array_empty(_i, sizeof found);
    const mcl_aggregate aggregates[] = {
        { mcl_from_constant(MCL_INT32, &one, 6), MCL_ADD, ints_out(out[1], 3) },
        { ints(in_values, 6), MCL_MIN, ints_out(out[2], 3) },
        { ints(in_values, 6), MCL_MULTIPLY, { 0 } },
        { ints(in_values, 6), MCL_MAX, ints_out(out[3], 3) },
        { ints(in_values, 6), &wide_sum, mcl_to_buffer(MCL_INT64, sums, 0, 3) },
    };
    test_ok(mcl_group_by(queue, ints(in_keys, 6), ints_out(out[0], 3), aggregates, 5, mcl_to_host(MCL_INT32, &groups),
                         &deterministic));
    ck_assert_int_eq(groups, 3);
    for (int k = 0; k < 4; k++) {
        ARRAY_READ(_i, out[k], found);
        ck_assert_mem_eq(found, wanted[k], sizeof found);
        mcl_buffer_release(out[k]);
    }
    ARRAY_READ(_i, sums, totals);
    ck_assert_int_eq(totals[0], 70);
    ck_assert_int_eq(totals[1], 100);
    ck_assert_int_eq(totals[2], 40);
    mcl_buffer_release(sums);
    mcl_buffer_release(in_keys);
    mcl_buffer_release(in_values);
}
END_TEST

/* There are more aggregates of each kind than one pass over tables takes. Integers are added atomically; other values
 * are exchanged. Key 0, which stands for an empty slot, is one of the keys. */
enum { MANY_AGGREGATES = 7, WIDE = 2 };

typedef struct many {
    int32_t groups; /* at most */
    int32_t *keys, *values;
    int64_t *sums;   /* MANY_AGGREGATES sums for each group */
    int32_t *counts; /* number of elements of each group */
} many;

static many many_make(int32_t count, int32_t groups)
{
    const size_t bytes = (size_t)count * sizeof(int32_t);
    int64_t *const all_sums = calloc((size_t)groups * MANY_AGGREGATES, sizeof(int64_t));
    many made = { groups, malloc(bytes), malloc(bytes), all_sums, calloc((size_t)groups, sizeof(int32_t)) };

    if (!made.keys || !made.values || !made.sums || !made.counts) abort();
    for (int k = 0; k < count; k++) {
        const int32_t group = (int32_t)(test_random(5, (uint64_t)k) % (uint64_t)groups);
        const int32_t value = (int32_t)(test_random(6, (uint64_t)k) % 2001) - 1000;
        const int is_first = made.counts[group]++ == 0;
        int64_t *const sums = made.sums + (size_t)group * MANY_AGGREGATES;
        made.keys[k] = group - groups / 2;
        made.values[k] = value;
        sums[0] += value;
        sums[1] = is_first || value < sums[1] ? value : sums[1];
        sums[WIDE] += value;
        sums[3] = is_first ? value : (int32_t)((uint32_t)sums[3] * (uint32_t)value);
        sums[4] = is_first || value > sums[4] ? value : sums[4];
        sums[5] ^= value;
        sums[6] = is_first ? value : sums[6] & value;
    }
    return made;
}

static void many_free(many *made)
{
    free(made->keys);
    free(made->values);
    free(made->sums);
    free(made->counts);
}

/* Checks the sums of aggregate k of all groups, in their order. */
static void many_check(int device, const many *expected, int k, mcl_buffer *out, int64_t found)
{
    const size_t bytes = k == WIDE ? sizeof(int64_t) : sizeof(int32_t);
    unsigned char *const sums = malloc((size_t)found * bytes);
    int64_t g = 0;

    if (!sums) abort();
    array_read(device, out, sums, (size_t)found * bytes);
    for (int32_t group = 0; group < expected->groups; group++) {
        int32_t narrow;
        int64_t sum;
        if (expected->counts[group] == 0) continue;
        memcpy(&narrow, sums + (size_t)g * bytes, sizeof narrow);
        sum = narrow;
        if (k == WIDE) memcpy(&sum, sums + (size_t)g * bytes, sizeof sum);
        ck_assert_int_eq(sum, expected->sums[(size_t)group * MANY_AGGREGATES + (size_t)k]);
        g++;
    }
    ck_assert_int_eq(g, found);
    free(sums);
}

static void many_aggregates(int device, const mcl_options *tile, int32_t count, int32_t groups)
{
    static const mcl_op wide_sum = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
    };
    static const mcl_op *const ops[MANY_AGGREGATES] = { MCL_ADD, MCL_MIN, &wide_sum, MCL_MULTIPLY,
                                                        MCL_MAX, MCL_XOR, MCL_AND };
    many made = many_make(count, groups);
    mcl_buffer *in_keys = array_of(device, made.keys, (size_t)count * sizeof(int32_t));
    mcl_buffer *in_values = array_of(device, made.values, (size_t)count * sizeof(int32_t));
    mcl_buffer *out_keys = array_empty(device, (size_t)groups * sizeof(int32_t));
    mcl_aggregate aggregates[MANY_AGGREGATES];
    mcl_buffer *out[MANY_AGGREGATES];
    int64_t found = 0, g = 0;

    for (int k = 0; k < MANY_AGGREGATES; k++) {
        out[k] = array_empty(device, (size_t)groups * sizeof(int64_t));
        aggregates[k] = (mcl_aggregate){ ints(in_values, count), ops[k],
                                         mcl_to_buffer(k == WIDE ? MCL_INT64 : MCL_INT32, out[k], 0, groups) };
    }
    test_ok(mcl_group_by(test_device_at(device)->queue, ints(in_keys, count), ints_out(out_keys, groups), aggregates,
                         MANY_AGGREGATES, mcl_to_host(MCL_INT64, &found), tile));
    array_read(device, out_keys, made.keys, (size_t)found * sizeof(int32_t));
    for (int32_t group = 0; group < groups; group++)
        if (made.counts[group] > 0) ck_assert_int_eq(made.keys[g++], group - groups / 2);
    for (int k = 0; k < MANY_AGGREGATES; k++) {
        many_check(device, &made, k, out[k], found);
        mcl_buffer_release(out[k]);
    }
    mcl_buffer_release(in_keys);
    mcl_buffer_release(in_values);
    mcl_buffer_release(out_keys);
    many_free(&made);
}

START_TEST(aggregates_may_be_many)
{
    static const mcl_options tiles[] = { { .tile_threads = 1, .tile_items = 1000 },
                                         { .tile_threads = 64, .tile_items = 4 } };
    const int32_t count = test_is_small() ? 1 << 14 : 40000; /* with fewer keys no tables are made */

    for (int k = 0; k < 2; k++) {
        many_aggregates(_i, &tiles[k], count, 3); /* many neighbouring keys are equal */
        many_aggregates(_i, &tiles[k], count, 300);
        many_aggregates(_i, &tiles[k], count, 3000);      /* a small table moves to a large one */
        many_aggregates(_i, &tiles[k], count, count / 4); /* shares of the keys have tables */
        /* more groups than tables take; oclgrind sorts these for minutes with tiles of one work-item */
        if (k > 0 || !test_is_small()) many_aggregates(_i, &tiles[k], count, count / 4 * 3);
    }
}
END_TEST

/* ---- ways -------------------------------------------------------------------------------------------------------- */

/* Patterns of keys: some are folded by tables, some by shares of the keys, some by neither. */
enum { RANDOM, SORTED, HALF_ARE_ONE, ONE_SLOT, ONE_SLOT_LATE, SPECIAL, PATTERNS };
enum { FOLDED = 3 };

/* Returns a key of a pattern. The factor undoes the factor by which tables hash, so that all keys want the same
 * slot. */
static uint32_t pattern_key(int pattern, uint32_t k, uint32_t count, uint32_t groups)
{
    static const uint32_t specials[] = { 0, 0x80000000u, 0x7fc00000u, 0xffc00001u, 0xffffffffu, 1 };
    const uint32_t drawn = (uint32_t)(test_random(8, k) % groups), scattered = drawn * 0x85ebca6bu + 1;
    const int is_late = pattern == ONE_SLOT_LATE && k > count / 2;

    if (pattern == SORTED) return (uint32_t)((uint64_t)k * groups / count);
    if (pattern == ONE_SLOT || is_late) return drawn * 0xb39d557u;
    if (pattern == HALF_ARE_ONE && k % 2) return 77;
    if (pattern == SPECIAL && k % 3 == 0) return specials[test_random(9, k) % 6];
    return scattered;
}

/* Returns keys of a type, made from 32 bits. */
static mcl_buffer *pattern_keys(int device, const mcl_type *type, int pattern, uint32_t count, uint32_t groups)
{
    unsigned char *const keys = malloc(count * type->size);

    if (!keys) abort();
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t key = (uint64_t)pattern_key(pattern, k, count, groups) * (type->size > 4 ? 0x100000001u : 1);
        memcpy(keys + k * type->size, &key, type->size);
    }
    mcl_buffer *const made = array_of(device, keys, count * type->size);
    free(keys);
    return made;
}

/* The results of a call: the keys, a sum of doubles that needs no rounding, the counts, and the highest floats. */
typedef struct folded {
    mcl_buffer *out[1 + FOLDED];
    int64_t groups;
} folded;

static const size_t folded_bytes[FOLDED] = { sizeof(double), sizeof(int32_t), sizeof(float) };

static void fold_pattern(int device, mcl_input keys, mcl_buffer *values, const mcl_options *options, folded *got)
{
    const int64_t count = keys.count, room = count;
    const int32_t one = 1;
    const mcl_binding bound = mcl_binding_buffer("v", MCL_INT32, values, 0);
    const mcl_input reals = mcl_from_expression(MCL_DOUBLE, "(double)v[i] / 4", NULL, &bound, 1, count);
    const mcl_input floats = mcl_from_buffer(MCL_FLOAT, values, 0, count);

    got->out[FOLDED] = array_empty(device, (size_t)room * keys.type->size);
    for (int k = 0; k < FOLDED; k++) got->out[k] = array_empty(device, (size_t)room * folded_bytes[k]);
    const mcl_aggregate aggregates[FOLDED] = {
        { reals, MCL_ADD, mcl_to_buffer(MCL_DOUBLE, got->out[0], 0, room) },
        { mcl_from_constant(MCL_INT32, &one, count), MCL_ADD, mcl_to_buffer(MCL_INT32, got->out[1], 0, room) },
        { floats, MCL_MAX, mcl_to_buffer(MCL_FLOAT, got->out[2], 0, room) },
    };
    test_ok(mcl_group_by(test_device_at(device)->queue, keys, mcl_to_buffer(keys.type, got->out[FOLDED], 0, room),
                         aggregates, FOLDED, mcl_to_host(MCL_INT64, &got->groups), options));
}

static void folded_compare(int device, const folded *got, const folded *expected, int k, size_t bytes, const char *what)
{
    unsigned char *const p = malloc(bytes), *const q = malloc(bytes);

    if (!p || !q) abort();
    array_read(device, got->out[k], p, bytes);
    array_read(device, expected->out[k], q, bytes);
    ck_assert_msg(memcmp(p, q, bytes) == 0, "%s, output %d differs", what, k);
    free(p);
    free(q);
}

/* Compares a call with one that has MCL_DETERMINISTIC, which sorts the keys. */
static void compare_pattern(int device, const mcl_type *type, int pattern, uint32_t count, uint32_t groups, int is_slot)
{
    const mcl_options serial = { .tile_threads = 1, .tile_items = 700 };
    const int64_t known = count - count / 16;
    mcl_buffer *const keys = pattern_keys(device, type, pattern, count, groups);
    mcl_buffer *const slot = array_of(device, &known, sizeof known);
    int32_t *const numbers = malloc(count * sizeof *numbers);
    folded got, expected;
    char what[80];

    if (!numbers) abort();
    random_ints(numbers, count, 1 << 20, 11, 0);
    mcl_buffer *const values = array_of(device, numbers, count * sizeof *numbers);
    mcl_input in = mcl_from_buffer(type, keys, 0, count);
    if (is_slot) in = mcl_with_count(in, slot, 0);
    (void)snprintf(what, sizeof what, "pattern %d, %s, %u groups", pattern, type->name, groups);
    fold_pattern(device, in, values, &serial, &got);
    fold_pattern(device, in, values, &deterministic, &expected);
    ck_assert_msg(got.groups == expected.groups, "%s: %lld, expected %lld", what, (long long)got.groups,
                  (long long)expected.groups);
    folded_compare(device, &got, &expected, FOLDED, (size_t)got.groups * type->size, what);
    for (int k = 0; k < FOLDED; k++)
        folded_compare(device, &got, &expected, k, (size_t)got.groups * folded_bytes[k], what);
    for (int k = 0; k <= FOLDED; k++) {
        mcl_buffer_release(got.out[k]);
        mcl_buffer_release(expected.out[k]);
    }
    mcl_buffer_release(keys);
    mcl_buffer_release(slot);
    mcl_buffer_release(values);
    free(numbers);
}

START_TEST(all_ways_give_the_same_groups)
{
    const mcl_type *const types[] = { MCL_UINT32, MCL_FLOAT, MCL_INT64, MCL_UINT16, MCL_DOUBLE };
    const uint32_t count = test_is_small() ? 1 << 14 : 60000;
    const uint32_t groups[] = { 1, 40, count / 12, count / 6, count / 2, count };

    if (test_device_at(_i)->info.has_double == 0) return;
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int k = 0; k < 6; k++)
            if (test_takes_half(pattern + k))
                compare_pattern(_i, types[(pattern + k) % 5], pattern, count, groups[k], (pattern + k) % 3 == 0);
    /* With more elements parts have a third table. The numbers lie on both sides of its first and last number of
     * groups. */
    const uint32_t more[] = { 255, 257, 4090, 4100, 12000, 12600, 140000, 320000 };
    for (int k = 0; k < 8 && !test_is_small(); k++)
        compare_pattern(_i, types[k % 2 ? 4 : k % 4], k % 3 ? SPECIAL : RANDOM, 600000, more[k], k % 2);
}
END_TEST

/* Checks means of floats and of integers, as floats. One mean is left out, and a sum comes between the means. */
static void means(int device, const mcl_options *options, int32_t count, int32_t groups)
{
    many made = many_make(count, groups);
    mcl_queue *queue = test_device_at(device)->queue;
    mcl_buffer *in_keys = array_of(device, made.keys, (size_t)count * sizeof(int32_t));
    mcl_buffer *in_values = array_of(device, made.values, (size_t)count * sizeof(int32_t));
    mcl_buffer *out = array_empty(device, (size_t)groups * 3 * sizeof(float));
    const mcl_binding values = mcl_binding_buffer("v", MCL_INT32, in_values, 0);
    const mcl_input halves = mcl_from_expression(MCL_FLOAT, "0.5f * (float)v[i]", NULL, &values, 1, count);
    const mcl_input narrow = mcl_from_expression(MCL_INT16, "(int16_t)v[i]", NULL, &values, 1, count);
    const mcl_aggregate aggregates[] = {
        { halves, MCL_MEAN, mcl_to_buffer(MCL_FLOAT, out, 0, groups) },
        { ints(in_values, count), MCL_ADD, mcl_to_buffer(MCL_INT32, out, groups, groups) },
        { ints(in_values, count), MCL_MEAN, { 0 } },
        { narrow, MCL_MEAN, mcl_to_buffer(MCL_FLOAT, out, 2 * groups, groups) },
    };
    float *const found = malloc((size_t)groups * 3 * sizeof(float));
    int32_t seen = 0, g = 0;

    if (!found) abort();
    test_ok(mcl_group_by(queue, ints(in_keys, count), (mcl_output){ 0 }, aggregates, 4, mcl_to_host(MCL_INT32, &seen),
                         options));
    array_read(device, out, found, (size_t)groups * 3 * sizeof(float));
    for (int32_t group = 0; group < groups; group++) {
        int32_t sum;
        if (made.counts[group] == 0) continue;
        const double expected = (double)made.sums[(size_t)group * MANY_AGGREGATES] / made.counts[group];
        memcpy(&sum, &found[groups + g], sizeof sum);
        ck_assert_int_eq(sum, made.sums[(size_t)group * MANY_AGGREGATES]);
        ck_assert_double_eq_tol((double)found[g], expected / 2, 1e-4);
        ck_assert_double_eq_tol((double)found[2 * groups + g], expected, 1e-4);
        g++;
    }
    ck_assert_int_eq(g, seen);
    free(found);
    mcl_buffer_release(in_keys);
    mcl_buffer_release(in_values);
    mcl_buffer_release(out);
    many_free(&made);
}

START_TEST(means_are_sums_by_counts)
{
    static const mcl_options tiles[] = { { .tile_threads = 1, .tile_items = 1000 },
                                         { .tile_threads = 64, .tile_items = 4 } };

    for (int k = 0; k < 2; k++) {
        means(_i, &tiles[k], 1 << 14, 300);
        means(_i, &tiles[k], 500, 100);
    }
    means(_i, &deterministic, 1000, 7);
    means(_i, NULL, 1, 1);
}
END_TEST

/* The counts of keys and of groups stay on the device, and some means have too little room. */
START_TEST(means_have_their_capacities)
{
    static const int32_t keys[] = { 5, 5, 2, 9, 9, 9, 4, 4 };
    static const int32_t values[] = { 1, 2, 40, 5, 6, 10, 0, 0 };
    static const int64_t before[] = { 6, -7 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in_keys = ARRAY_OF(_i, keys);
    mcl_buffer *in_values = ARRAY_OF(_i, values);
    mcl_buffer *slots = ARRAY_OF(_i, before);
    mcl_buffer *out = ARRAY_OF(_i, values);
    mcl_aggregate mean = { ints(in_values, 8), MCL_MEAN, mcl_to_buffer(MCL_FLOAT, out, 0, 8) };
    const mcl_input six = mcl_with_count(ints(in_keys, 8), slots, 0);
    int64_t after[2];
    float found[8];
    int32_t untouched[8];

    test_ok(mcl_group_by(queue, six, (mcl_output){ 0 }, &mean, 1, mcl_to_slot(MCL_INT64, slots, 1), &deterministic));
    ARRAY_READ(_i, slots, after);
    ARRAY_READ(_i, out, found);
    ARRAY_READ(_i, out, untouched);
    ck_assert_int_eq(after[1], 3);
    ck_assert_double_eq_tol((double)found[0], 40, 1e-5);
    ck_assert_double_eq_tol((double)found[1], 1.5, 1e-5);
    ck_assert_double_eq_tol((double)found[2], 7, 1e-5);
    ck_assert_mem_eq(untouched + 3, values + 3, 5 * sizeof(int32_t));
    mean.out.capacity = 2;
    test_fails(mcl_group_by(queue, six, (mcl_output){ 0 }, &mean, 1, mcl_to_host(MCL_INT64, after), NULL),
               MCL_ERROR_CAPACITY, "mcl_group_by|aggregates[0].out has capacity 2|expected 3");
    ck_assert_int_eq(after[0], 3);
    mean.out.capacity = 0;
    test_ok(mcl_group_by(queue, six, (mcl_output){ 0 }, &mean, 1, mcl_to_host(MCL_INT64, after), NULL));
    ARRAY_READ(_i, out, untouched);
    ck_assert_mem_eq(untouched + 3, values + 3, 5 * sizeof(int32_t));
    mcl_buffer_release(in_keys);
    mcl_buffer_release(in_values);
    mcl_buffer_release(slots);
    mcl_buffer_release(out);
}
END_TEST

/* Bits decide: the zeros of a float differ, and a NaN equals itself. */
START_TEST(keys_are_equal_where_their_bits_are)
{
    static const uint32_t bits[] = { 0x7fc00000, 0, 0x80000000, 0x7fc00000, 0x7fc00001, 0x80000000, 0x3f800000 };
    static const uint32_t wanted[] = { 0, 0x3f800000, 0x7fc00000, 0x7fc00001, 0x80000000 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, bits);
    mcl_buffer *out = array_empty(_i, sizeof wanted);
    uint32_t found[5];
    int64_t groups = 0;

    test_ok(mcl_distinct(queue, mcl_from_buffer(MCL_FLOAT, in, 0, 7), mcl_to_buffer(MCL_FLOAT, out, 0, 5),
                         mcl_to_host(MCL_INT64, &groups), &deterministic));
    ck_assert_int_eq(groups, 5);
    ARRAY_READ(_i, out, found);
    ck_assert_mem_eq(found, wanted, sizeof wanted);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* Keys of 16 bytes with any alignment. Many keys have equal low halves, and many others equal high halves. */
MCL_SOURCE(wide_key_source, typedef struct { uint8_t byte[16]; } wide_key;)
MCL_SOURCE(aligned_key_source, typedef struct { int64_t low; int32_t high; int32_t rest; } aligned_key;)
enum { WIDE_KEYS = 1000, HALVES = 10 };

static void wide_keys(int device, const mcl_type *type)
{
    mcl_queue *queue = test_device_at(device)->queue;
    int64_t keys[WIDE_KEYS][2];
    int64_t found[HALVES * HALVES + 1][2];
    int32_t counts[HALVES * HALVES + 1];
    int32_t groups = 0, seen = 0;
    const int32_t one = 1;

    for (int k = 0; k < WIDE_KEYS; k++)
        for (int half = 0; half < 2; half++)
            keys[k][half] = (int64_t)(test_random(77, 2 * (uint64_t)k + (uint64_t)half) % HALVES) << (half ? 40 : 3);
    mcl_buffer *in = array_of(device, keys, sizeof keys);
    mcl_buffer *out = array_empty(device, sizeof found);
    mcl_buffer *out_counts = array_empty(device, sizeof counts);
    const mcl_aggregate aggregate = { mcl_from_constant(MCL_INT32, &one, WIDE_KEYS), MCL_ADD,
                                      mcl_to_buffer(MCL_INT32, out_counts, 0, HALVES * HALVES + 1) };
    test_ok(mcl_group_by(queue, mcl_from_buffer(type, in, 0, WIDE_KEYS),
                         mcl_to_buffer(type, out, 0, HALVES * HALVES + 1), &aggregate, 1,
                         mcl_to_host(MCL_INT32, &groups), NULL));
    array_read(device, out, found, sizeof found);
    array_read(device, out_counts, counts, sizeof counts);
    ck_assert_int_le(groups, HALVES * HALVES);
    for (int g = 0; g < groups; g++) {
        int32_t equal = 0;
        for (int k = 0; k < WIDE_KEYS; k++) equal += memcmp(keys[k], found[g], sizeof keys[k]) == 0;
        ck_assert_int_eq(counts[g], equal);
        seen += equal;
        for (int other = 0; other < g; other++) ck_assert(memcmp(found[g], found[other], sizeof found[g]) != 0);
    }
    ck_assert_int_eq(seen, WIDE_KEYS);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(out_counts);
}

START_TEST(keys_may_have_16_bytes)
{
    const mcl_type bytes = MCL_TYPE(wide_key, wide_key_source);
    const mcl_type aligned = MCL_TYPE(aligned_key, aligned_key_source);

    wide_keys(_i, &bytes);
    wide_keys(_i, &aligned);
}
END_TEST

/* The count of keys comes from the device, and the count of groups goes there, so nothing waits. */
START_TEST(counts_stay_on_the_device)
{
    static const int32_t keys[] = { 5, 5, 2, 9, 9, 9, 4, 4 };
    static const int64_t before[] = { 6, -7 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *slots = ARRAY_OF(_i, before);
    mcl_buffer *out = array_empty(_i, sizeof keys);
    int64_t after[2];
    int32_t found[8];

    test_ok(mcl_distinct(queue, mcl_with_count(ints(in, 8), slots, 0), ints_out(out, 8),
                         mcl_to_slot(MCL_INT64, slots, 1), &deterministic));
    ARRAY_READ(_i, slots, after);
    ARRAY_READ(_i, out, found);
    ck_assert_int_eq(after[1], 3);
    ck_assert_int_eq(found[0], 2);
    ck_assert_int_eq(found[1], 5);
    ck_assert_int_eq(found[2], 9);
    mcl_buffer_release(in);
    mcl_buffer_release(slots);
    mcl_buffer_release(out);
}
END_TEST

/* Groups are only counted, or stored where there is not room for all. */
START_TEST(capacities_are_limits)
{
    static const int32_t keys[] = { 5, 1, 2, 1, 3, 9 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = ARRAY_OF(_i, keys);
    int32_t found[6];
    int64_t groups = 0;
    const mcl_aggregate aggregate = { ints(in, 6), MCL_ADD, ints_out(out, 2) };

    test_ok(mcl_distinct(queue, ints(in, 6), (mcl_output){ 0 }, mcl_to_host(MCL_INT64, &groups), NULL));
    ck_assert_int_eq(groups, 5);
    test_fails(mcl_distinct(queue, ints(in, 6), ints_out(out, 3), mcl_to_host(MCL_INT64, &groups), &deterministic),
               MCL_ERROR_CAPACITY, "mcl_distinct|out has capacity 3|expected 5");
    ARRAY_READ(_i, out, found);
    for (int k = 0; k < 6; k++) ck_assert_int_eq(found[k], k < 3 ? k + 1 : keys[k]);
    groups = 0;
    test_fails(
        mcl_group_by(queue, ints(in, 6), (mcl_output){ 0 }, &aggregate, 1, mcl_to_host(MCL_INT64, &groups), NULL),
        MCL_ERROR_CAPACITY, "mcl_group_by|aggregates[0].out has capacity 2|expected 5");
    ck_assert_int_eq(groups, 5);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* The sentence also names the function. */
#define EXPECT(keys, out_keys, list, count, status, words)                                                             \
    test_fails(mcl_group_by(queue, keys, out_keys, list, count, mcl_to_nowhere(), NULL), status, "mcl_group_by|" words)

START_TEST(mistakes_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    mcl_buffer *out = array_empty(_i, 64);
    mcl_op by_index = { .role = MCL_ROLE_FOLD, .expression = "p + q", .extract = "x * i" };
    const mcl_aggregate none = { ints(in, 8), NULL, ints_out(out, 8) };
    const mcl_aggregate few = { ints(in, 7), MCL_ADD, ints_out(out, 8) };
    const mcl_aggregate over = { ints(in, 8), MCL_ADD, ints_out(in, 8) };
    const mcl_aggregate twice[] = { { ints(in, 8), MCL_ADD, ints_out(out, 8) },
                                    { ints(in, 8), MCL_MAX, ints_out(out, 8) } };
    const mcl_aggregate indexed = { ints(in, 8), MCL_MAX_INDEX, ints_out(out, 8) };
    const mcl_aggregate whole = { ints(in, 8), MCL_MEAN, ints_out(out, 8) };
    const mcl_aggregate points = { mcl_from_buffer(element_wide.type, in, 0, 1), MCL_MEAN, { 0 } };
    const mcl_aggregate shared[] = { { ints(in, 8), MCL_MEAN, mcl_to_buffer(MCL_FLOAT, out, 0, 8) },
                                     { ints(in, 8), MCL_MEAN, mcl_to_buffer(MCL_FLOAT, out, 4, 8) } };
    const mcl_aggregate named = { ints(in, 8), &by_index, ints_out(out, 8) };
    uint32_t number;

    EXPECT(ints(in, 8), (mcl_output){ 0 }, NULL, -1, MCL_ERROR_ARGUMENT, "aggregate_count is -1");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, NULL, 2, MCL_ERROR_ARGUMENT, "aggregates is NULL");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, &none, 1, MCL_ERROR_ARGUMENT, "aggregates[0].op|NULL");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, &few, 1, MCL_ERROR_ARGUMENT, "aggregates[0].values|7|8");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, &over, 1, MCL_ERROR_ARGUMENT, "aggregates[0].out|overlap");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, twice, 2, MCL_ERROR_ARGUMENT, "aggregates[1].out|overlap");
    EXPECT(ints(in, 8), ints_out(out, 8), twice, 1, MCL_ERROR_ARGUMENT, "overlap");
    EXPECT(ints(in, 8), ints_out(in, 8), NULL, 0, MCL_ERROR_ARGUMENT, "out_keys|overlap");
    EXPECT(ints(in, 8), mcl_to_buffer(MCL_FLOAT, out, 0, 8), NULL, 0, MCL_ERROR_TYPE, "out_keys is float");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, &indexed, 1, MCL_ERROR_UNSUPPORTED, "aggregates[0].op|MCL_INDEXED");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, &named, 1, MCL_ERROR_UNSUPPORTED, "aggregates[0].op|names i");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, &whole, 1, MCL_ERROR_TYPE, "aggregates[0].out is int32_t|MCL_FLOAT");
    EXPECT(ints(in, 1), (mcl_output){ 0 }, &points, 1, MCL_ERROR_TYPE, "aggregates[0].op is MCL_MEAN|numbers");
    EXPECT(ints(in, 8), (mcl_output){ 0 }, shared, 2, MCL_ERROR_ARGUMENT, "aggregates[1].out|overlap");
    test_fails(mcl_reduce(queue, ints(in, 8), MCL_MEAN, mcl_to_slot(MCL_INT32, out, 0), NULL), MCL_ERROR_ARGUMENT,
               "mcl_reduce: op is MCL_MEAN|mcl_group_by alone|MCL_ADD");
    EXPECT(mcl_from_buffer(element_wide.type, in, 0, 1), (mcl_output){ 0 }, NULL, 0, MCL_ERROR_TYPE, "64 bytes|16");
    test_fails(mcl_distinct(queue, mcl_from_expression(MCL_INT32, "0", NULL, NULL, 0, (int64_t)1 << 33),
                            (mcl_output){ 0 }, mcl_to_host(MCL_UINT32, &number), NULL),
               MCL_ERROR_TYPE, "mcl_distinct|count is uint32_t|8589934592");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, groups_equal_those_of_sorted_keys, device, run_case_rounds(&group_by_case));
    test_add(tcase, a_small_example, device);
    test_add(tcase, aggregates_may_be_many, device);
    test_add(tcase, all_ways_give_the_same_groups, device);
    test_add(tcase, means_are_sums_by_counts, device);
    test_add(tcase, means_have_their_capacities, device);
    test_add(tcase, keys_are_equal_where_their_bits_are, device);
    test_add(tcase, keys_may_have_16_bytes, device);
    test_add(tcase, counts_stay_on_the_device, device);
    test_add(tcase, capacities_are_limits, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("group_by", add);
}
