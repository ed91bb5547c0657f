/* test_map.c: mcl_map. */
#include "support/maps.h"
#include "support/run_case.h"

#include "cases/elements.h"

#include <stdlib.h>
#include <string.h>

/* The kernels' own functions for hashes and search orders, which find keys that collide. */
#include "kernels/map/map_way.clh"

START_TEST(map_equals_sorted_lists)
{
    run_case_round(&map_case, _i);
}
END_TEST

static int64_t skipped_of(int device, mcl_map *map)
{
    int64_t count = -1;

    test_ok(mcl_map_skipped(test_device_at(device)->queue, map, mcl_to_host(MCL_INT64, &count), NULL));
    return count;
}

START_TEST(counts_go_to_slots_without_waiting)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, 100, 0);
    const int32_t sentinels[] = { -1, 3, -2, -1 };
    int64_t got[3] = { -1, -1, -1 };
    mcl_buffer *slots = ARRAY_OF(_i, got);
    mcl_buffer *keys = array_empty(_i, 400);
    mcl_buffer *odd = ARRAY_OF(_i, sentinels);

    map_insert(_i, map, map_counting(1, 40), map_counting(1, 40), NULL);
    map_insert(_i, map, ints(odd, 4), map_counting(1, 4), NULL);
    test_ok(mcl_map_size(queue, map, mcl_to_slot(MCL_INT64, slots, 0), NULL));
    test_ok(mcl_map_skipped(queue, map, mcl_to_slot(MCL_INT64, slots, 1), NULL));
    test_ok(mcl_map_retrieve_all(queue, map, ints_out(keys, 100), (mcl_output){ 0 }, mcl_to_slot(MCL_INT64, slots, 2),
                                 NULL));
    test_ok(mcl_map_erase(queue, map, mcl_with_count(ints(keys, 100), slots, 2), NULL));
    ARRAY_READ(_i, slots, got);
    ck_assert(got[0] == 40 && got[1] == 3 && got[2] == 40);
    ck_assert_int_eq(map_size_of(_i, map), 0);
    mcl_buffer_release(slots);
    mcl_buffer_release(keys);
    mcl_buffer_release(odd);
    mcl_map_release(map);
}
END_TEST

/* ---- keys that meet ------------------------------------------------------------------------------------------ */

/* A search without an end visits all buckets, whatever their number is and wherever it begins. */
START_TEST(a_search_comes_to_every_bucket_once)
{
    static const uint32_t counts[] = { 1, 2, 3, 4, 5, 8, 9, 31, 127, 4093, 4096, 4097, 4101, 12289 };
    static unsigned char seen[12289];

    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (uint32_t hash = 0; hash < 20; hash++) {
            map_way way = way_begin(counts[c], map_hash_32(hash));
            memset(seen, 0, sizeof seen);
            for (uint32_t k = 0; k < counts[c]; k++, way_go_on(counts[c], hash % 2 ? 1 : 4, &way)) {
                ck_assert_uint_lt(way.bucket, counts[c]);
                ck_assert_int_eq(seen[way.bucket]++, 0);
            }
            ck_assert_uint_eq(way.bucket, way.home);
        }
}
END_TEST

/* Makes keys that all begin in bucket 0 of a table. */
static void colliding_keys(int32_t *keys, int count, uint32_t buckets)
{
    int found = 0;

    for (int32_t key = 1; found < count; key++)
        if (map_bucket(map_hash_32((uint32_t)key), buckets) == 0) keys[found++] = key;
}

START_TEST(keys_that_all_begin_in_one_bucket_are_kept_apart)
{
    enum { COUNT = 200, BUCKETS = 64 };
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t keys[COUNT];
    int32_t got[COUNT];
    colliding_keys(keys, COUNT, BUCKETS);
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, sizeof got);
    const int32_t missing = -7;

    for (int k = 0; k < MAP_TILINGS; k++) {
        mcl_map *map = map_with(_i, BUCKETS * 4, 1);
        map_insert(_i, map, ints(in, COUNT), map_counting(100, COUNT), &map_tilings[k]);
        test_ok(mcl_map_erase(queue, map, mcl_from_buffer(MCL_INT32, in, 50, 50), &map_tilings[k]));
        map_insert(_i, map, mcl_from_buffer(MCL_INT32, in, 40, 20), map_counting(500, 20), &map_tilings[k]);
        ck_assert_int_eq(map_size_of(_i, map), 160);
        test_ok(mcl_map_find(queue, map, ints(in, COUNT), ints_out(out, COUNT), &missing, (mcl_output){ 0 },
                             &map_tilings[k]));
        ARRAY_READ(_i, out, got);
        for (int i = 0; i < COUNT; i++) {
            const int32_t expected = i < 50 || i >= 100 ? 100 + i : i < 60 ? 500 + i - 40 : missing;
            ck_assert_int_eq(got[i], expected);
        }
        mcl_map_release(map);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(one_key_many_times_is_one_entry)
{
    enum { COUNT = 1000 };
    mcl_queue *queue = test_device_at(_i)->queue;
    static map_entry entries[MAP_ENTRIES_MAX];
    const int32_t key = 17;
    const int32_t first = 100;

    for (int k = 0; k < MAP_TILINGS; k++) {
        mcl_map *map = map_with(_i, 4000, 0);
        const mcl_input same = mcl_from_constant(MCL_INT32, &key, COUNT);
        map_insert(_i, map, same, map_counting(first, COUNT), &map_tilings[k]);
        ck_assert_int_eq(map_entries_of(_i, map, NULL, entries), 1);
        ck_assert(entries[0].key == key && entries[0].value >= first && entries[0].value < first + COUNT);
        const int32_t kept = entries[0].value;
        map_insert(_i, map, map_counting(0, 20), map_counting(9000, 20), &map_tilings[k]);
        ck_assert_int_eq(map_entries_of(_i, map, NULL, entries), 20);
        ck_assert_int_eq(entries[17].value, kept);
        test_ok(mcl_map_insert_or_assign(queue, map, same, map_counting(7000, COUNT), &map_tilings[k]));
        ck_assert_int_eq(map_entries_of(_i, map, NULL, entries), 20);
        ck_assert(entries[17].value >= 7000 && entries[17].value < 7000 + COUNT);
        mcl_map_release(map);
    }
}
END_TEST

START_TEST(sentinels_are_skipped_and_counted_or_refused)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_options validate = { .flags = MCL_VALIDATE };
    const int32_t keys[] = { 4, 10, 20, 5, 10, 6 };
    const int32_t empty = 20;
    const int32_t erased = 10;
    const mcl_map_config config = {
        .key = MCL_INT32, .value = MCL_INT32, .empty_key = &empty, .erased_key = &erased, .capacity = 50
    };
    uint8_t flags[6];
    mcl_map *map = NULL;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *found = array_empty(_i, sizeof flags);
    const mcl_output to = mcl_to_buffer(MCL_UINT8, found, 0, 6);

    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &map));
    test_fails(mcl_map_insert(queue, map, ints(in, 6), map_counting(0, 6), &validate), MCL_ERROR_PRECONDITION,
               "mcl_map_insert|keys[1]|sentinel");
    test_fails(mcl_map_contains(queue, map, mcl_from_buffer(MCL_INT32, in, 2, 4), to, &validate),
               MCL_ERROR_PRECONDITION, "mcl_map_contains|keys[0]|sentinel");
    test_ok(mcl_map_insert(queue, map, ints(in, 1), map_counting(0, 1), &validate));
    ck_assert_int_eq(map_size_of(_i, map), 1);
    ck_assert_int_eq(skipped_of(_i, map), 0);
    map_insert(_i, map, ints(in, 6), map_counting(0, 6), NULL);
    test_ok(mcl_map_erase(queue, map, mcl_from_buffer(MCL_INT32, in, 1, 3), NULL));
    test_ok(mcl_map_contains(queue, map, ints(in, 6), to, NULL));
    ARRAY_READ(_i, found, flags);
    ck_assert(flags[0] && !flags[1] && !flags[2] && !flags[3] && !flags[4] && flags[5]);
    ck_assert_int_eq(map_size_of(_i, map), 2);
    ck_assert_int_eq(skipped_of(_i, map), 3);
    test_ok(mcl_map_clear(queue, map, NULL));
    ck_assert_int_eq(map_size_of(_i, map), 0);
    ck_assert_int_eq(skipped_of(_i, map), 0);
    mcl_buffer_release(in);
    mcl_buffer_release(found);
    mcl_map_release(map);
}
END_TEST

/* ---- sets ---------------------------------------------------------------------------------------------------- */

static int64_t count_found(int device, mcl_map *set, mcl_input keys, const mcl_options *options)
{
    static uint8_t flags[4096];
    mcl_buffer *found = array_empty(device, sizeof flags);
    int64_t count = 0;

    test_ok(
        mcl_map_contains(test_device_at(device)->queue, set, keys, mcl_to_buffer(MCL_UINT8, found, 0, 4096), options));
    array_read(device, found, flags, (size_t)keys.count);
    for (int64_t k = 0; k < keys.count; k++) count += flags[k];
    mcl_buffer_release(found);
    return count;
}

START_TEST(a_set_has_keys_alone)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_map_config config = { .key = MCL_INT32, .capacity = 8, .max_load = 0.95 };
    const mcl_input none = { 0 };
    mcl_buffer *keys = array_empty(_i, 2000 * sizeof(int32_t));

    for (int k = 0; k < MAP_TILINGS; k++) {
        const mcl_options *options = &map_tilings[k];
        int64_t count = -1;
        mcl_map *set = NULL;
        test_ok(mcl_map_create(test_device_at(_i)->context, &config, &set));
        ck_assert_int_eq(mcl_map_capacity(set), 8); /* a bucket has 8 slots */
        test_ok(mcl_map_insert(queue, set, map_counting(0, 1000), none, options));
        test_ok(mcl_map_insert(queue, set, map_counting(500, 1000), none, options));
        ck_assert_int_eq(map_size_of(_i, set), 1500);
        ck_assert_int_eq(count_found(_i, set, map_counting(-10, 2000), options), 1500);
        test_ok(mcl_map_erase(queue, set, map_counting(400, 200), options));
        ck_assert_int_eq(count_found(_i, set, map_counting(0, 1500), options), 1300);
        test_ok(mcl_map_retrieve_all(queue, set, ints_out(keys, 2000), (mcl_output){ 0 },
                                     mcl_to_host(MCL_INT64, &count), NULL));
        ck_assert_int_eq(count, 1300);
        ck_assert_int_eq(count_found(_i, set, ints(keys, 1300), options), 1300);
        test_ok(mcl_map_clear(queue, set, NULL));
        ck_assert_int_eq(count_found(_i, set, map_counting(0, 1500), options), 0);
        mcl_map_release(set);
    }
    mcl_buffer_release(keys);
}
END_TEST

START_TEST(a_set_refuses_values)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_map_config config = { .key = MCL_INT32 };
    const mcl_input keys = map_counting(0, 10), none = { 0 };
    mcl_buffer *out = array_empty(_i, 400);
    mcl_map *set = NULL;

    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &set));
    test_fails(mcl_map_insert(queue, set, keys, keys, NULL), MCL_ERROR_ARGUMENT, "mcl_map_insert|values|set");
    test_fails(mcl_map_insert_or_assign(queue, set, keys, none, NULL), MCL_ERROR_ARGUMENT,
               "mcl_map_insert_or_assign|set");
    test_fails(mcl_map_insert_or_apply(queue, set, keys, none, MCL_ADD, NULL), MCL_ERROR_ARGUMENT,
               "mcl_map_insert_or_apply|set");
    test_fails(mcl_map_find(queue, set, keys, ints_out(out, 10), NULL, (mcl_output){ 0 }, NULL), MCL_ERROR_ARGUMENT,
               "mcl_map_find|values|set");
    test_fails(mcl_map_retrieve_all(queue, set, (mcl_output){ 0 }, ints_out(out, 10), mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_map_retrieve_all|values|set");
    ck_assert_int_eq(map_size_of(_i, set), 0);
    mcl_buffer_release(out);
    mcl_map_release(set);
}
END_TEST

/* ---- growth -------------------------------------------------------------------------------------------------- */

START_TEST(a_map_grows_by_bounds_and_true_numbers_replace_them)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, 100, 0.5);
    const int32_t key = 3;

    map_insert(_i, map, mcl_from_constant(MCL_INT32, &key, 50), map_counting(0, 50), NULL);
    ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
    ck_assert_int_eq(map_size_of(_i, map), 1); /* one slot is filled, and not the bound of 50 */
    map_insert(_i, map, map_counting(100, 49), map_counting(0, 49), NULL);
    ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
    map_insert(_i, map, map_counting(0, 1), map_counting(0, 1), NULL);
    ck_assert_int_eq(mcl_map_sub_map_count(map), 2); /* the new sub-map is twice as large */
    ck_assert_int_eq(mcl_map_capacity(map), 200);
    test_ok(mcl_map_reserve(queue, map, 1000, NULL));
    ck_assert_int_eq(mcl_map_sub_map_count(map), 3);
    const int64_t capacity = mcl_map_capacity(map);
    map_insert(_i, map, map_counting(1000, 500), map_counting(0, 500), NULL);
    map_insert(_i, map, map_counting(2000, 449), map_counting(0, 449), NULL);
    ck_assert_int_eq(mcl_map_capacity(map), capacity);
    ck_assert_int_eq(map_size_of(_i, map), 1000);
    test_ok(mcl_map_reserve(queue, map, 1000, NULL));
    ck_assert_int_eq(mcl_map_capacity(map), capacity);
    test_ok(mcl_map_clear(queue, map, NULL));
    ck_assert_int_eq(map_size_of(_i, map), 0);
    ck_assert_int_eq(mcl_map_capacity(map), capacity);
    map_insert(_i, map, map_counting(0, 10), map_counting(7, 10), NULL);
    map_expect_steps(_i, map, NULL, 10, 0, 1, 7);
    mcl_map_release(map);
}
END_TEST

START_TEST(the_same_keys_again_and_again_make_no_large_map)
{
    enum { KEYS = 1000, CALLS = 300, SLOTS_A_KEY = 25 };
    mcl_map *map = map_with(_i, 0, 0);

    for (int call = 0; call < CALLS; call++)
        test_ok(mcl_map_insert_or_assign(test_device_at(_i)->queue, map, map_counting(0, KEYS),
                                         map_counting(call, KEYS), NULL));
    ck_assert_int_le(mcl_map_capacity(map), SLOTS_A_KEY * KEYS);
    ck_assert_int_eq(map_size_of(_i, map), KEYS);
    map_expect_steps(_i, map, NULL, KEYS, 0, 1, CALLS - 1);
    mcl_map_release(map);
}
END_TEST

START_TEST(a_map_of_erased_keys_is_used_again)
{
    enum { KEYS = 1024 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, KEYS, 1);

    for (int32_t round = 0; round < 3; round++) {
        map_insert(_i, map, map_counting(round * KEYS, KEYS), map_counting(0, KEYS), NULL);
        map_expect_steps(_i, map, NULL, KEYS, round * KEYS, 1, 0);
        test_ok(mcl_map_erase(queue, map, map_counting(round * KEYS, KEYS), NULL));
    }
    ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
    ck_assert_int_eq(map_size_of(_i, map), 0);
    /* the number that was just read says that nothing is left */
    map_insert(_i, map, map_counting(7, 10), map_counting(70, 10), NULL);
    map_expect_steps(_i, map, NULL, 10, 7, 1, 70);
    ck_assert_int_eq(map_size_of(_i, map), 10);
    mcl_map_release(map);
}
END_TEST

/* Allocates, but refuses blocks above a size. */
static mcl_status limited_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    return bytes > *(const size_t *)user ? MCL_ERROR_MEMORY : mcl_block_create(context, bytes, block);
}

static void limited_release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    (void)user;
    (void)bytes;
    mcl_block_release(context, block);
}

START_TEST(memory_that_runs_out_leaves_the_map_as_it_was)
{
    size_t limit = SIZE_MAX;
    const mcl_allocator allocator = { &limit, limited_allocate, limited_release };
    mcl_context *context = test_context(_i);
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 10000 };
    mcl_queue *queue = NULL;
    mcl_map *map = NULL;
    int64_t size = -1;

    test_ok(mcl_context_set_allocator(context, &allocator));
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_queue_reserve(queue, 1 << 16));
    test_ok(mcl_map_create(context, &config, &map));
    test_ok(mcl_map_insert(queue, map, map_counting(0, 3000), map_counting(0, 3000), NULL));
    limit = 0;
    /* the bound is 6000 and the true number 3000, so the call waits for it and needs no memory */
    test_ok(mcl_map_insert(queue, map, map_counting(0, 2000), map_counting(0, 2000), NULL));
    test_ok(mcl_map_insert(queue, map, map_counting(0, 2000), map_counting(0, 2000), NULL));
    test_fails(mcl_map_insert(queue, map, map_counting(0, 5000), map_counting(0, 5000), NULL), MCL_ERROR_MEMORY, "");
    test_fails(mcl_map_reserve(queue, map, 5001, NULL), MCL_ERROR_MEMORY, "");
    test_ok(mcl_map_reserve(queue, map, 5000, NULL));
    test_ok(mcl_map_size(queue, map, mcl_to_host(MCL_INT64, &size), NULL));
    ck_assert_int_eq(size, 3000);
    ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
    limit = 10000 * 8 - 1; /* not enough for twice as many slots, but for as many as are needed */
    test_ok(mcl_map_insert(queue, map, map_counting(3000, 2001), map_counting(0, 2001), NULL));
    ck_assert_int_eq(mcl_map_sub_map_count(map), 2);
    test_ok(mcl_map_size(queue, map, mcl_to_host(MCL_INT64, &size), NULL));
    ck_assert_int_eq(size, 5001);
    mcl_map_release(map);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* ---- a model ------------------------------------------------------------------------------------------------- */

enum { MODEL_KEYS = 700, BATCH = 64 };

typedef struct model {
    int device;
    mcl_map *map;
    int is_there[MODEL_KEYS];
    int32_t values[MODEL_KEYS];
    mcl_buffer *keys;
    mcl_buffer *in;
    mcl_buffer *out;
    mcl_buffer *found;
    int64_t entries;
} model;

/* Makes one call on count keys, distinct within an insertion, on the map and on plain arrays. */
static void model_call(model *m, uint64_t turn, int count, const mcl_options *options)
{
    mcl_queue *queue = test_device_at(m->device)->queue;
    const int what = (int)(test_random(turn, 1000) % 4);
    const int32_t first = (int32_t)(test_random(turn, 1001) % MODEL_KEYS);
    const int32_t missing = -5;
    int32_t keys[BATCH];
    int32_t values[BATCH];
    uint8_t flags[BATCH];

    for (int k = 0; k < count; k++) {
        /* the keys are distinct, since 11 does not divide MODEL_KEYS */
        const int key = keys[k] = (first + k * 11) % MODEL_KEYS;
        values[k] = (int32_t)(test_random(turn, (uint64_t)k) >> 40);
        const int enters = what == 0 ? !m->is_there[key] : what == 1;
        if (enters) m->values[key] = values[k];
        m->entries += what < 2 ? !m->is_there[key] : what == 2 ? -m->is_there[key] : 0;
        if (what < 3) m->is_there[key] = what < 2;
    }
    test_ok(mcl_buffer_write(queue, m->keys, 0, sizeof keys, keys));
    test_ok(mcl_buffer_write(queue, m->in, 0, sizeof values, values));
    if (what == 0) test_ok(mcl_map_insert(queue, m->map, ints(m->keys, count), ints(m->in, count), options));
    if (what == 1) test_ok(mcl_map_insert_or_assign(queue, m->map, ints(m->keys, count), ints(m->in, count), options));
    if (what == 2) test_ok(mcl_map_erase(queue, m->map, ints(m->keys, count), options));
    if (what < 3) return;
    test_ok(mcl_map_find(queue, m->map, ints(m->keys, count), ints_out(m->out, count), &missing,
                         mcl_to_buffer(MCL_UINT8, m->found, 0, count), options));
    ARRAY_READ(m->device, m->out, values);
    ARRAY_READ(m->device, m->found, flags);
    for (int k = 0; k < count; k++) {
        ck_assert_int_eq(flags[k], m->is_there[keys[k]]);
        ck_assert_int_eq(values[k], flags[k] ? m->values[keys[k]] : missing);
    }
}

static void model_compare(model *m, const mcl_options *options)
{
    static map_entry entries[MAP_ENTRIES_MAX];
    const int64_t count = map_entries_of(m->device, m->map, options, entries);

    ck_assert_int_eq(count, m->entries);
    for (int64_t k = 0; k < count; k++) {
        ck_assert(m->is_there[entries[k].key]);
        ck_assert_int_eq(entries[k].value, m->values[entries[k].key]);
        ck_assert(k == 0 || entries[k].key != entries[k - 1].key);
    }
}

/* There are 1e5 operations on single keys, in calls of up to BATCH. */
START_TEST(random_operations_do_what_they_do_to_a_plain_map)
{
    static model m;
    const int64_t operations = test_sees_races(_i) ? 1000 : test_is_small() ? 5000 : 100000;
    uint64_t turn = 0;

    memset(&m, 0, sizeof m);
    m.device = _i;
    m.map = map_with(_i, 16, 0.8);
    m.keys = array_empty(_i, BATCH * sizeof(int32_t));
    m.in = array_empty(_i, BATCH * sizeof(int32_t));
    m.out = array_empty(_i, BATCH * sizeof(int32_t));
    m.found = array_empty(_i, BATCH);
    for (int64_t done = 0; done < operations; turn++) {
        const int count = 1 + (int)(test_random(turn, 1002) % BATCH);
        model_call(&m, turn, count, &map_tilings[turn % MAP_TILINGS]);
        done += count;
        if (turn % 100 == 99) model_compare(&m, &map_tilings[turn / 100 % MAP_TILINGS]);
        if (turn % 500 == 499) {
            test_ok(mcl_map_clear(test_device_at(_i)->queue, m.map, NULL));
            memset(m.is_there, 0, sizeof m.is_there);
            m.entries = 0;
        }
    }
    model_compare(&m, NULL);
    mcl_buffer_release(m.keys);
    mcl_buffer_release(m.in);
    mcl_buffer_release(m.out);
    mcl_buffer_release(m.found);
    mcl_map_release(m.map);
}
END_TEST

/* ---- refused calls ------------------------------------------------------------------------------------------- */

#define ARGUMENT(call, words) test_fails(call, MCL_ERROR_ARGUMENT, words)
#define TYPE_ERROR(call, words) test_fails(call, MCL_ERROR_TYPE, words)

START_TEST(maps_refuse_what_they_cannot_be)
{
    mcl_context *context = test_device_at(_i)->context;
    const int32_t key = 5;
    const mcl_map_config narrow = { .key = MCL_INT16, .value = MCL_INT32 };
    const mcl_map_config long_values = { .key = MCL_INT32, .value = element_wide.type };
    const mcl_map_config negative = { .key = MCL_INT32, .value = MCL_INT32, .capacity = -1 };
    const mcl_map_config loaded = { .key = MCL_INT32, .value = MCL_INT32, .max_load = 1.5 };
    const mcl_map_config alike = { .key = MCL_INT32, .value = MCL_INT32, .empty_key = &key, .erased_key = &key };
    const mcl_map_config huge = { .key = MCL_INT32, .value = MCL_INT32, .capacity = INT64_MAX };
    const mcl_map_config none = { 0 };
    mcl_map *map = NULL;

    ARGUMENT(mcl_map_create(NULL, &narrow, &map), "mcl_map_create|context");
    ARGUMENT(mcl_map_create(context, NULL, &map), "mcl_map_create|config");
    ARGUMENT(mcl_map_create(context, &narrow, NULL), "mcl_map_create|out");
    ck_assert_int_ne(mcl_map_create(context, &none, &map), MCL_OK);
    TYPE_ERROR(mcl_map_create(context, &narrow, &map), "mcl_map_create|config->key|int16_t");
    TYPE_ERROR(mcl_map_create(context, &long_values, &map), "mcl_map_create|config->value|64 bytes|16");
    ARGUMENT(mcl_map_create(context, &negative, &map), "mcl_map_create|config->capacity|-1");
    ARGUMENT(mcl_map_create(context, &loaded, &map), "mcl_map_create|config->max_load|1.5");
    ARGUMENT(mcl_map_create(context, &alike, &map), "mcl_map_create|empty_key|erased_key");
    test_fails(mcl_map_create(context, &huge, &map), MCL_ERROR_MEMORY, "mcl_map_create|slots");
    ck_assert_ptr_null(map);
    mcl_map_release(NULL);
    ck_assert_int_eq(mcl_map_capacity(NULL), 0);
    ck_assert_int_eq(mcl_map_sub_map_count(NULL), 0);
}
END_TEST

/* Keys of 4 bytes work everywhere, keys of 8 bytes where groups share 64-bit atomics. */
START_TEST(maps_of_wide_keys_need_wide_atomics)
{
    const mcl_map_config wide_keys = { .key = MCL_INT64, .value = MCL_INT32, .capacity = 50 };
    const int lacks = strcmp(test_device_at(_i)->info.status_word_path, "none") == 0;
    mcl_map *map = NULL;

    const mcl_status made = mcl_map_create(test_device_at(_i)->context, &wide_keys, &map);
    ck_assert_int_eq(made, lacks ? MCL_ERROR_UNSUPPORTED : MCL_OK);
    if (lacks) ck_assert_ptr_nonnull(strstr(mcl_last_error(), "int64_t"));
    mcl_map_release(map);
}
END_TEST

START_TEST(maps_refuse_calls_that_they_cannot_do)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, 100, 0);
    mcl_buffer *a = array_empty(_i, 400);
    mcl_buffer *b = array_empty(_i, 400);
    const mcl_input keys = ints(a, 50);
    const mcl_input reals = mcl_from_buffer(MCL_FLOAT, a, 0, 50);
    const mcl_output out = ints_out(b, 50);
    const mcl_output flags = mcl_to_buffer(MCL_UINT8, b, 300, 50);
    const mcl_output none = { 0 };
    const mcl_options bad_way = { .append = (mcl_append)6 };
    const mcl_options bad_width = { .append = MCL_APPEND_SUB_GROUP_TILE, .append_width = 3 };
    int32_t narrow;
    int64_t count;

    ARGUMENT(mcl_map_insert(NULL, map, keys, keys, NULL), "mcl_map_insert|queue");
    ARGUMENT(mcl_map_insert(queue, NULL, keys, keys, NULL), "mcl_map_insert|map");
    ARGUMENT(mcl_map_insert(queue, map, keys, ints(b, 49), NULL), "mcl_map_insert|values|49|50");
    TYPE_ERROR(mcl_map_insert(queue, map, reals, keys, NULL), "mcl_map_insert|keys|float|int32_t");
    TYPE_ERROR(mcl_map_insert_or_assign(queue, map, keys, reals, NULL), "mcl_map_insert_or_assign|values|float");
    ARGUMENT(mcl_map_find(queue, map, keys, ints_out(b, 49), NULL, none, NULL), "mcl_map_find|values|49|50");
    ARGUMENT(mcl_map_find(queue, map, keys, ints_out(a, 50), NULL, none, NULL), "mcl_map_find|overlap");
    ARGUMENT(mcl_map_find(queue, map, keys, out, NULL, mcl_to_buffer(MCL_UINT8, b, 150, 50), NULL),
             "mcl_map_find|overlap");
    TYPE_ERROR(mcl_map_find(queue, map, keys, none, NULL, out, NULL), "mcl_map_find|found|int32_t");
    ARGUMENT(mcl_map_contains(queue, map, keys, none, NULL), "mcl_map_contains|found");
    TYPE_ERROR(mcl_map_erase(queue, map, reals, NULL), "mcl_map_erase|keys|float");
    ARGUMENT(mcl_map_retrieve_all(queue, map, out, out, mcl_to_nowhere(), NULL), "mcl_map_retrieve_all|overlap");
    ARGUMENT(mcl_map_retrieve_all(queue, map, out, none, mcl_to_nowhere(), &bad_way), "mcl_map_retrieve_all|append|6");
    ARGUMENT(mcl_map_retrieve_all(queue, map, out, none, mcl_to_nowhere(), &bad_width), "append_width|3");
    ARGUMENT(mcl_map_retrieve_all(queue, map, out, none, mcl_to_slot(MCL_INT64, b, 1), NULL),
             "mcl_map_retrieve_all|count|overlap");
    TYPE_ERROR(mcl_map_retrieve_all(queue, map, out, none, mcl_to_host(MCL_FLOAT, &narrow), NULL), "count|float");
    TYPE_ERROR(mcl_map_size(queue, map, mcl_to_host(MCL_FLOAT, &narrow), NULL), "mcl_map_size|count|float");
    ARGUMENT(mcl_map_reserve(queue, map, -1, NULL), "mcl_map_reserve|entries|-1");
    test_ok(mcl_map_find(queue, map, keys, none, NULL, flags, NULL));
    test_ok(mcl_map_size(queue, map, mcl_to_host(MCL_INT64, &count), NULL));
    ck_assert_int_eq(count, 0);
    mcl_buffer_release(a);
    mcl_buffer_release(b);
    mcl_map_release(map);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, map_equals_sorted_lists, device, run_case_rounds(&map_case));
    test_add(tcase, counts_go_to_slots_without_waiting, device);
    test_add(tcase, a_search_comes_to_every_bucket_once, device);
    test_add(tcase, keys_that_all_begin_in_one_bucket_are_kept_apart, device);
    test_add(tcase, one_key_many_times_is_one_entry, device);
    test_add(tcase, sentinels_are_skipped_and_counted_or_refused, device);
    test_add(tcase, a_set_has_keys_alone, device);
    test_add(tcase, a_set_refuses_values, device);
    test_add(tcase, a_map_grows_by_bounds_and_true_numbers_replace_them, device);
    test_add(tcase, the_same_keys_again_and_again_make_no_large_map, device);
    test_add(tcase, a_map_of_erased_keys_is_used_again, device);
    test_add(tcase, memory_that_runs_out_leaves_the_map_as_it_was, device);
    test_add(tcase, random_operations_do_what_they_do_to_a_plain_map, device);
    test_add(tcase, maps_refuse_what_they_cannot_be, device);
    test_add(tcase, maps_of_wide_keys_need_wide_atomics, device);
    test_add(tcase, maps_refuse_calls_that_they_cannot_do, device);
}

int main(void)
{
    return test_main("map", add);
}
