/* test_multimap.c: compares mcl_multimap with a list of entries, which is searched for each key. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/maps.h"

#include <stdlib.h>
#include <string.h>

/* The order of keys that the kernels use. */
#include "kernels/map/key_order.clh"

enum { ENTRIES_MAX = 3000, PROBES = 300, ROWS_MAX = 40000 };

/* The entries of a multimap of int32 to int32, in the order of insertion. */
typedef struct entry_list {
    map_entry entries[ENTRIES_MAX];
    int64_t count;
    int32_t inserted; /* number of all insertions, so that values tell the order */
} entry_list;

static mcl_multimap *multimap_of(int device, const mcl_type *key, const mcl_type *value, int64_t capacity)
{
    const mcl_multimap_config config = { .key = key, .value = value, .capacity = capacity };
    mcl_multimap *map = NULL;

    test_ok(mcl_multimap_create(test_device_at(device)->context, &config, &map));
    return map;
}

static int64_t size_of(int device, mcl_multimap *map)
{
    int64_t count = -1;

    test_ok(mcl_multimap_size(test_device_at(device)->queue, map, mcl_to_host(MCL_INT64, &count), NULL));
    return count;
}

/* ---- insert and erase, on the device and in the list ---------------------------------------------------------- */

/* Inserts random keys. They are below universe; a universe of 0 stands for keys of all bits, with -1 and -2 among
 * them. */
static void insert_random(int device, mcl_multimap *map, entry_list *list, int64_t count, int32_t universe,
                          const mcl_options *options)
{
    static int32_t keys[ENTRIES_MAX];
    static int32_t values[ENTRIES_MAX];

    for (int64_t k = 0; k < count; k++) {
        const uint64_t drawn = test_random((uint64_t)list->inserted, 5 + (uint64_t)universe);
        keys[k] = universe > 0 ? (int32_t)(drawn % (uint64_t)universe) : (int32_t)(drawn >> 40) - 3;
        if (universe == 0 && k % 3 == 0) keys[k] = -1 - (int32_t)(k % 2);
        values[k] = list->inserted++;
        list->entries[list->count++] = (map_entry){ keys[k], values[k] };
    }
    mcl_buffer *in = array_of(device, keys, sizeof keys);
    mcl_buffer *with = array_of(device, values, sizeof values);
    test_ok(mcl_multimap_insert(test_device_at(device)->queue, map, ints(in, count), ints(with, count), options));
    mcl_buffer_release(in);
    mcl_buffer_release(with);
}

static void erase(int device, mcl_multimap *map, entry_list *list, const int32_t *keys, int64_t count,
                  const mcl_options *options)
{
    mcl_buffer *in = array_of(device, keys, (size_t)count * sizeof *keys);
    int64_t kept = 0;

    test_ok(mcl_multimap_erase(test_device_at(device)->queue, map, ints(in, count), options));
    for (int64_t e = 0; e < list->count; e++) {
        int is_erased = 0;
        for (int64_t k = 0; k < count; k++) is_erased |= keys[k] == list->entries[e].key;
        if (!is_erased) list->entries[kept++] = list->entries[e];
    }
    list->count = kept;
    mcl_buffer_release(in);
}

/* ---- what is there -------------------------------------------------------------------------------------------- */

/* Finds the rows and values of all entries of the keys, and returns their number. */
static int64_t rows_of(const entry_list *list, const int32_t *keys, int64_t count, int32_t *rows, int32_t *values,
                       int64_t *offsets)
{
    int64_t found = 0;

    for (int64_t k = 0; k < count; k++) {
        offsets[k] = found;
        for (int64_t e = 0; e < list->count; e++) {
            if (list->entries[e].key != keys[k]) continue;
            ck_assert_int_lt(found, ROWS_MAX);
            rows[found] = (int32_t)k;
            values[found++] = list->entries[e].value;
        }
    }
    return found;
}

static void expect_rows(int device, mcl_multimap *map, const entry_list *list, const int32_t *probes,
                        const mcl_options *options)
{
    static int32_t rows[ROWS_MAX];
    static int32_t values[ROWS_MAX];
    mcl_queue *queue = test_device_at(device)->queue;
    int64_t offsets[PROBES];
    int64_t found = -1;
    const int64_t expected = rows_of(list, probes, PROBES, rows, values, offsets);
    mcl_buffer *in = array_of(device, probes, PROBES * sizeof *probes);
    guarded out[3];

    guarded_create(test_device_at(device)->context, &element_int32, expected, NULL, 1, &out[0]);
    guarded_create(test_device_at(device)->context, &element_int32, expected, NULL, 2, &out[1]);
    guarded_create(test_device_at(device)->context, &element_int64, PROBES, NULL, 3, &out[2]);
    test_ok(mcl_multimap_retrieve(
        queue, map, ints(in, PROBES), mcl_to_buffer(MCL_INT32, out[0].buffer, out[0].first, expected),
        mcl_to_buffer(MCL_INT32, out[1].buffer, out[1].first, expected),
        mcl_to_buffer(MCL_INT64, out[2].buffer, out[2].first, PROBES), mcl_to_host(MCL_INT64, &found), options));
    ck_assert_int_eq(found, expected);
    guarded_expect(queue, &out[0], (unsigned char *)rows, expected, "rows");
    guarded_expect(queue, &out[1], (unsigned char *)values, expected, "values");
    guarded_expect(queue, &out[2], (unsigned char *)offsets, PROBES, "offsets");
    for (int k = 0; k < 3; k++) guarded_free(&out[k]);
    mcl_buffer_release(in);
}

static void expect_counts(int device, mcl_multimap *map, const entry_list *list, const int32_t *probes,
                          const mcl_options *options)
{
    mcl_queue *queue = test_device_at(device)->queue;
    int32_t counts[PROBES] = { 0 };
    mcl_buffer *in = array_of(device, probes, PROBES * sizeof *probes);
    guarded out;

    for (int k = 0; k < PROBES; k++)
        for (int64_t e = 0; e < list->count; e++) counts[k] += list->entries[e].key == probes[k];
    guarded_create(test_device_at(device)->context, &element_int32, PROBES, NULL, 1, &out);
    test_ok(mcl_multimap_count(queue, map, ints(in, PROBES), mcl_to_buffer(MCL_INT32, out.buffer, out.first, PROBES),
                               options));
    guarded_expect(queue, &out, (unsigned char *)counts, PROBES, "counts");
    guarded_free(&out);
    mcl_buffer_release(in);
}

/* Compares by the kernels' order of keys, then by the order of insertion, which values tell. */
static int in_order(const void *p, const void *q)
{
    const map_entry *a = p;
    const map_entry *b = q;
    const uint32_t first = key_order_32((uint32_t)a->key);
    const uint32_t second = key_order_32((uint32_t)b->key);

    return first != second ? (first > second) - (first < second) : (a->value > b->value) - (a->value < b->value);
}

static void expect_all(int device, mcl_multimap *map, const entry_list *list, const mcl_options *options)
{
    static map_entry sorted[ENTRIES_MAX];
    static int32_t column[2][ENTRIES_MAX];
    mcl_queue *queue = test_device_at(device)->queue;
    int64_t found = -1;
    guarded out[2];

    memcpy(sorted, list->entries, sizeof sorted);
    qsort(sorted, (size_t)list->count, sizeof *sorted, in_order);
    for (int64_t e = 0; e < list->count; e++) column[0][e] = sorted[e].key;
    for (int64_t e = 0; e < list->count; e++) column[1][e] = sorted[e].value;
    for (int k = 0; k < 2; k++)
        guarded_create(test_device_at(device)->context, &element_int32, list->count, NULL, k + 1, &out[k]);
    test_ok(mcl_multimap_retrieve_all(queue, map, mcl_to_buffer(MCL_INT32, out[0].buffer, out[0].first, list->count),
                                      mcl_to_buffer(MCL_INT32, out[1].buffer, out[1].first, list->count),
                                      mcl_to_host(MCL_INT64, &found), options));
    ck_assert_int_eq(found, list->count);
    for (int k = 0; k < 2; k++) {
        guarded_expect(queue, &out[k], (unsigned char *)column[k], list->count, k ? "values" : "keys");
        guarded_free(&out[k]);
    }
}

static void expect_same(int device, mcl_multimap *map, const entry_list *list, const mcl_options *options)
{
    int32_t probes[PROBES];

    /* keys of a few entries, and others; a key with thousands of entries comes only a few times */
    for (int k = 0; k < PROBES; k++) {
        probes[k] = k % 2 || list->count == 0 ? k - 4 : list->entries[k * 7 % list->count].key;
        if (list->count > 200 && list->entries[0].key == list->entries[1].key && k > 10) probes[k] = k + 5000;
    }
    ck_assert_int_eq(size_of(device, map), list->count);
    expect_counts(device, map, list, probes, options);
    expect_rows(device, map, list, probes, options);
    expect_all(device, map, list, options);
}

START_TEST(entries_are_those_of_a_list)
{
    static const int32_t universes[] = { 1, 40, 100000, 0 };
    static entry_list list;
    static const int32_t erased[] = { 7, 0, -1, 123456, 7, 30, 12 };

    for (int u = 0; u < 4; u++) {
        const mcl_options *options = &map_tilings[u % MAP_TILINGS];
        mcl_multimap *map = multimap_of(_i, MCL_INT32, MCL_INT32, u % 2 ? 0 : 10);
        list.count = 0;
        expect_same(_i, map, &list, options); /* none */
        insert_random(_i, map, &list, 200, universes[u], options);
        insert_random(_i, map, &list, 1000, universes[u], options);
        expect_same(_i, map, &list, options);
        insert_random(_i, map, &list, 77, universes[u], options);
        expect_same(_i, map, &list, options); /* merges the new entries */
        erase(_i, map, &list, erased, 7, options);
        expect_same(_i, map, &list, options);
        insert_random(_i, map, &list, 500, universes[u], options);
        ck_assert_int_eq(size_of(_i, map), list.count); /* the key has entries in both lists */
        expect_same(_i, map, &list, options);
        test_ok(mcl_multimap_clear(test_device_at(_i)->queue, map, NULL));
        list.count = 0;
        expect_same(_i, map, &list, options);
        insert_random(_i, map, &list, 50, universes[u], options);
        expect_same(_i, map, &list, options);
        mcl_multimap_release(map);
    }
}
END_TEST

/* ---- other types ---------------------------------------------------------------------------------------------- */

typedef struct triple {
    float x;
    float y;
    float z;
} triple;
static const mcl_type triple_type = { .name = "triple",
                                      .size = sizeof(triple),
                                      .source = "typedef struct { float x, y, z; } triple;" };

START_TEST(keys_may_be_wide_and_values_structs)
{
    enum { COUNT = 500 };
    mcl_queue *queue = test_device_at(_i)->queue;
    int64_t keys[COUNT];
    triple values[COUNT];
    triple got[COUNT];
    int64_t found = -1;
    const int64_t wanted = (int64_t)3 << 40;
    mcl_multimap *map = multimap_of(_i, MCL_INT64, &triple_type, 0);

    for (int k = 0; k < COUNT; k++) {
        keys[k] = (int64_t)(k % 5) << 40;
        values[k] = (triple){ (float)k, 0.5f, -(float)k };
    }
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *with = ARRAY_OF(_i, values);
    mcl_buffer *out = array_empty(_i, sizeof got);
    for (int part = 0; part < 2; part++) {
        test_ok(mcl_multimap_insert(queue, map, mcl_from_buffer(MCL_INT64, in, part * COUNT / 2, COUNT / 2),
                                    mcl_from_buffer(&triple_type, with, part * COUNT / 2, COUNT / 2), NULL));
        test_ok(mcl_multimap_retrieve(queue, map, mcl_from_constant(MCL_INT64, &wanted, 1), (mcl_output){ 0 },
                                      mcl_to_buffer(&triple_type, out, 0, COUNT), (mcl_output){ 0 },
                                      mcl_to_host(MCL_INT64, &found), NULL));
        ck_assert_int_eq(found, (part + 1) * COUNT / 10);
    }
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT / 5; k++) ck_assert_int_eq(memcmp(&got[k], &values[5 * k + 3], sizeof *got), 0);
    mcl_buffer_release(in);
    mcl_buffer_release(with);
    mcl_buffer_release(out);
    mcl_multimap_release(map);
}
END_TEST

START_TEST(a_multiset_counts_keys)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const float keys[] = { 2.5f, -0.0f, 0.0f, 2.5f, 7.0f, 0.0f, 2.5f };
    const float probes[] = { 0.0f, -0.0f, 1.0f, 2.5f };
    uint32_t counts[4];
    float left[7];
    int64_t count = -1;
    mcl_multimap *set = multimap_of(_i, MCL_FLOAT, NULL, 0);
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *looked_for = ARRAY_OF(_i, probes);
    mcl_buffer *out = array_empty(_i, sizeof left);

    test_ok(mcl_multimap_insert(queue, set, mcl_from_buffer(MCL_FLOAT, in, 0, 3), (mcl_input){ 0 }, NULL));
    test_ok(mcl_multimap_count(queue, set, mcl_from_buffer(MCL_FLOAT, looked_for, 0, 4),
                               mcl_to_buffer(MCL_UINT32, out, 0, 4), NULL));
    test_ok(mcl_multimap_insert(queue, set, mcl_from_buffer(MCL_FLOAT, in, 3, 4), (mcl_input){ 0 }, NULL));
    test_ok(mcl_multimap_count(queue, set, mcl_from_buffer(MCL_FLOAT, looked_for, 0, 4),
                               mcl_to_buffer(MCL_UINT32, out, 0, 4), NULL));
    ARRAY_READ(_i, out, counts);
    ck_assert(counts[0] == 2 && counts[1] == 1 && counts[2] == 0 && counts[3] == 3);
    test_ok(mcl_multimap_erase(queue, set, mcl_from_buffer(MCL_FLOAT, looked_for, 2, 2), NULL));
    test_ok(mcl_multimap_retrieve_all(queue, set, mcl_to_buffer(MCL_FLOAT, out, 0, 7), (mcl_output){ 0 },
                                      mcl_to_host(MCL_INT64, &count), NULL));
    ck_assert_int_eq(count, 4);
    ARRAY_READ(_i, out, left);
    int zeros = 0;
    int sevens = 0;
    for (int k = 0; k < 4; k++) zeros += left[k] == 0.0f;
    for (int k = 0; k < 4; k++) sevens += left[k] == 7.0f;
    ck_assert(zeros == 3 && sevens == 1);
    mcl_buffer_release(in);
    mcl_buffer_release(looked_for);
    mcl_buffer_release(out);
    mcl_multimap_release(set);
}
END_TEST

/* ---- counts on the device, room ------------------------------------------------------------------------------- */

START_TEST(counts_in_slots_are_known_to_the_device_alone)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int64_t count = 5;
    int64_t got[3] = { -1, -1, -1 };
    int32_t values[20];
    mcl_multimap *map = multimap_of(_i, MCL_INT32, MCL_INT32, 40);
    mcl_buffer *slot = array_of(_i, &count, sizeof count);
    mcl_buffer *slots = ARRAY_OF(_i, got);
    mcl_buffer *out = array_empty(_i, sizeof values);
    const int32_t three = 3;

    /* 5 of 30 keys are inserted each time, all equal to 3 */
    for (int k = 0; k < 3; k++)
        test_ok(mcl_multimap_insert(queue, map, mcl_with_count(mcl_from_constant(MCL_INT32, &three, 30), slot, 0),
                                    map_counting(100 * k, 30), NULL));
    test_ok(mcl_multimap_size(queue, map, mcl_to_slot(MCL_INT64, slots, 0), NULL));
    test_ok(mcl_multimap_retrieve(queue, map, mcl_with_count(map_counting(2, 20), slot, 0), (mcl_output){ 0 },
                                  mcl_to_buffer(MCL_INT32, out, 0, 20), (mcl_output){ 0 },
                                  mcl_to_slot(MCL_INT64, slots, 1), NULL));
    test_ok(mcl_multimap_erase(queue, map, mcl_with_count(map_counting(-3, 20), slot, 0), NULL)); /* the keys -3 to 1 */
    test_ok(mcl_multimap_retrieve_all(queue, map, (mcl_output){ 0 }, (mcl_output){ 0 },
                                      mcl_to_slot(MCL_INT64, slots, 2), NULL));
    ARRAY_READ(_i, slots, got);
    ck_assert(got[0] == 15 && got[1] == 15 && got[2] == 15);
    ARRAY_READ(_i, out, values);
    for (int k = 0; k < 15; k++) ck_assert_int_eq(values[k], k % 5 + 100 * (k / 5));
    test_ok(mcl_multimap_erase(queue, map, mcl_with_count(map_counting(-1, 20), slot, 0), NULL)); /* the keys -1 to 3 */
    ck_assert_int_eq(size_of(_i, map), 0);
    mcl_buffer_release(slot);
    mcl_buffer_release(slots);
    mcl_buffer_release(out);
    mcl_multimap_release(map);
}
END_TEST

START_TEST(rows_past_the_capacity_are_not_stored)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_multimap *map = multimap_of(_i, MCL_INT32, MCL_INT32, 0);
    const int32_t key = 9;
    int64_t found = -1;
    guarded rows;
    guarded values;
    const int32_t expected_rows[] = { 0, 0, 0, 0 };
    const int32_t expected_values[] = { 50, 51, 52, 53 };

    test_ok(mcl_multimap_insert(queue, map, mcl_from_constant(MCL_INT32, &key, 10), map_counting(50, 10), NULL));
    guarded_create(test_device_at(_i)->context, &element_int32, 6, NULL, 1, &rows);
    guarded_create(test_device_at(_i)->context, &element_int32, 4, NULL, 2, &values);
    test_fails(mcl_multimap_retrieve(queue, map, map_counting(9, 2),
                                     mcl_to_buffer(MCL_INT32, rows.buffer, rows.first, 6),
                                     mcl_to_buffer(MCL_INT32, values.buffer, values.first, 4), (mcl_output){ 0 },
                                     mcl_to_host(MCL_INT64, &found), NULL),
               MCL_ERROR_CAPACITY, "mcl_multimap_retrieve|rows and values have room for 4 entries|10");
    ck_assert_int_eq(found, 10);
    guarded_expect(queue, &rows, (const unsigned char *)expected_rows, 4, "rows");
    guarded_expect(queue, &values, (const unsigned char *)expected_values, 4, "values");
    found = -1;
    test_fails(mcl_multimap_retrieve_all(queue, map, (mcl_output){ 0 },
                                         mcl_to_buffer(MCL_INT32, values.buffer, values.first, 4),
                                         mcl_to_host(MCL_INT64, &found), NULL),
               MCL_ERROR_CAPACITY, "mcl_multimap_retrieve_all|keys and values have room for 4 entries|10");
    ck_assert_int_eq(found, 10);
    guarded_expect(queue, &values, (const unsigned char *)expected_values, 4, "values");
    test_ok(mcl_multimap_retrieve(queue, map, map_counting(9, 2), mcl_to_buffer(MCL_INT32, rows.buffer, rows.first, 0),
                                  (mcl_output){ 0 }, (mcl_output){ 0 }, mcl_to_host(MCL_INT64, &found), NULL));
    guarded_expect(queue, &rows, (const unsigned char *)expected_rows, 4, "rows");
    guarded_free(&rows);
    guarded_free(&values);
    mcl_multimap_release(map);
}
END_TEST

START_TEST(orders_of_keys_are_one_to_one)
{
    if (_i > 0) return;
    for (uint64_t k = 0; k < 100000; k++) {
        const uint64_t key = k < 1000 ? UINT64_MAX - k : test_random(k, 3);
        ck_assert_uint_eq(key_of_order_32(key_order_32((uint32_t)key)), (uint32_t)key);
        ck_assert_uint_eq(key_of_order_64(key_order_64(key)), key);
    }
}
END_TEST

/* ---- bad input ------------------------------------------------------------------------------------------------ */

START_TEST(wrong_makings_are_refused)
{
    mcl_context *context = test_device_at(_i)->context;
    const mcl_multimap_config narrow = { .key = MCL_INT16, .value = MCL_INT32 };
    const mcl_multimap_config negative = { .key = MCL_INT32, .capacity = -1 };
    const mcl_multimap_config none = { .value = MCL_INT32 };
    mcl_multimap *map = NULL;

    test_fails(mcl_multimap_create(NULL, &narrow, &map), MCL_ERROR_ARGUMENT, "mcl_multimap_create|context");
    test_fails(mcl_multimap_create(context, &narrow, NULL), MCL_ERROR_ARGUMENT, "mcl_multimap_create|out");
    test_fails(mcl_multimap_create(context, NULL, &map), MCL_ERROR_ARGUMENT, "mcl_multimap_create|config");
    test_fails(mcl_multimap_create(context, &narrow, &map), MCL_ERROR_TYPE, "config->key is int16_t|4 or 8 bytes");
    test_fails(mcl_multimap_create(context, &none, &map), MCL_ERROR_ARGUMENT, "config->key has type NULL");
    test_fails(mcl_multimap_create(context, &negative, &map), MCL_ERROR_ARGUMENT, "config->capacity is -1");
    ck_assert_ptr_null(map);
    mcl_multimap_release(NULL);
}
END_TEST

START_TEST(wrong_calls_are_refused_and_change_nothing)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_multimap *map = multimap_of(_i, MCL_INT32, MCL_INT32, 0);
    mcl_multimap *set = multimap_of(_i, MCL_INT32, NULL, 0);
    mcl_buffer *out = array_empty(_i, 400);
    const mcl_input keys = map_counting(1, 20);
    const float real = 1;
    const mcl_input reals = mcl_from_constant(MCL_FLOAT, &real, 20);
    const mcl_output none = { 0 };
    const mcl_output to = ints_out(out, 20);
    const mcl_result nowhere = mcl_to_nowhere();

    test_fails(mcl_multimap_insert(queue, NULL, keys, keys, NULL), MCL_ERROR_ARGUMENT,
               "mcl_multimap_insert|map is NULL");
    test_fails(mcl_multimap_insert(queue, map, reals, keys, NULL), MCL_ERROR_TYPE, "keys is float|int32_t");
    test_fails(mcl_multimap_insert(queue, map, keys, reals, NULL), MCL_ERROR_TYPE, "values is float|int32_t");
    test_fails(mcl_multimap_insert(queue, map, keys, map_counting(1, 19), NULL), MCL_ERROR_ARGUMENT, "values");
    test_fails(mcl_multimap_insert(queue, map, keys, (mcl_input){ 0 }, NULL), MCL_ERROR_ARGUMENT,
               "values has type NULL");
    test_fails(mcl_multimap_insert(queue, set, keys, keys, NULL), MCL_ERROR_ARGUMENT, "values is given|set");
    test_fails(mcl_multimap_count(queue, map, keys, none, NULL), MCL_ERROR_ARGUMENT, "mcl_multimap_count|counts");
    test_fails(mcl_multimap_count(queue, map, keys, ints_out(out, 19), NULL), MCL_ERROR_ARGUMENT, "counts|19|20");
    test_fails(mcl_multimap_count(queue, map, keys, mcl_to_buffer(MCL_FLOAT, out, 0, 20), NULL), MCL_ERROR_TYPE,
               "counts is float");
    test_fails(mcl_multimap_count(queue, map, ints(out, 20), to, NULL), MCL_ERROR_ARGUMENT, "counts overlaps keys");
    test_fails(mcl_multimap_retrieve(queue, set, keys, none, to, none, nowhere, NULL), MCL_ERROR_ARGUMENT,
               "mcl_multimap_retrieve|values is given|set");
    test_fails(mcl_multimap_retrieve(queue, map, keys, to, to, none, nowhere, NULL), MCL_ERROR_ARGUMENT,
               "values overlaps rows");
    test_fails(mcl_multimap_retrieve(queue, map, keys, none, none, ints_out(out, 19), nowhere, NULL),
               MCL_ERROR_ARGUMENT, "offsets|19|20");
    test_fails(mcl_multimap_retrieve(queue, map, keys, mcl_to_buffer(MCL_UINT8, out, 0, 20), none, none, nowhere, NULL),
               MCL_ERROR_TYPE, "rows is uint8_t");
    test_fails(mcl_multimap_retrieve_all(queue, map, mcl_to_buffer(MCL_FLOAT, out, 0, 20), none, nowhere, NULL),
               MCL_ERROR_TYPE, "mcl_multimap_retrieve_all|keys is float");
    test_fails(mcl_multimap_erase(queue, map, reals, NULL), MCL_ERROR_TYPE, "mcl_multimap_erase|keys is float");
    test_fails(mcl_multimap_size(queue, NULL, nowhere, NULL), MCL_ERROR_ARGUMENT, "mcl_multimap_size|map is NULL");
    test_fails(mcl_multimap_clear(NULL, map, NULL), MCL_ERROR_ARGUMENT, "mcl_multimap_clear|queue");
    mcl_recording *recording = NULL;
    test_ok(mcl_record_begin(queue));
    test_fails(mcl_multimap_insert(queue, map, keys, keys, NULL), MCL_ERROR_UNSUPPORTED,
               "mcl_multimap_insert|multimap");
    test_ok(mcl_record_end(queue, &recording));
    mcl_recording_release(recording);
    ck_assert_int_eq(size_of(_i, map), 0);
    mcl_buffer_release(out);
    mcl_multimap_release(map);
    mcl_multimap_release(set);
}
END_TEST

/* A key with 2^16 entries is looked up 2^16 times. That makes 2^32 rows, and half of the offsets need more than 31
 * bits. */
START_TEST(offsets_that_do_not_fit_are_the_highest_number)
{
    enum { MANY = 1 << 16 };
    static int32_t got[MANY];
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    const int32_t seven = 7;
    const mcl_input keys = mcl_from_constant(MCL_INT32, &seven, MANY);
    mcl_buffer *const offsets = array_empty(_i, sizeof got);
    mcl_multimap *map = NULL;
    int64_t count = -1;

    if (test_is_small()) return;
    test_ok(mcl_multimap_create(test_device_at(_i)->context, &config, &map));
    test_ok(mcl_multimap_insert(queue, map, keys, keys, NULL));
    test_ok(mcl_multimap_retrieve(queue, map, keys, (mcl_output){ 0 }, (mcl_output){ 0 }, ints_out(offsets, MANY),
                                  mcl_to_host(MCL_INT64, &count), NULL));
    ck_assert_int_eq(count, (int64_t)MANY * MANY);
    ARRAY_READ(_i, offsets, got);
    for (int64_t k = 0; k < MANY; k++) ck_assert_int_eq(got[k], k * MANY < INT32_MAX ? k * MANY : INT32_MAX);
    mcl_multimap_release(map);
    mcl_buffer_release(offsets);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, offsets_that_do_not_fit_are_the_highest_number, device);
    test_add(tcase, entries_are_those_of_a_list, device);
    test_add(tcase, keys_may_be_wide_and_values_structs, device);
    test_add(tcase, a_multiset_counts_keys, device);
    test_add(tcase, counts_in_slots_are_known_to_the_device_alone, device);
    test_add(tcase, rows_past_the_capacity_are_not_stored, device);
    test_add(tcase, orders_of_keys_are_one_to_one, device);
    test_add(tcase, wrong_makings_are_refused, device);
    test_add(tcase, wrong_calls_are_refused_and_change_nothing, device);
}

int main(void)
{
    return test_main("multimap", add);
}
