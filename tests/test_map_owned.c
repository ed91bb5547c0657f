/* test_map_owned.c: large maps. Processors put their keys in parts by ranges of buckets before they enter them. Each
 * group has the buckets of one part. */
#include "support/maps.h"

#include <stdlib.h>
#include <string.h>

/* The kernels' own functions for hashes and search orders, which find keys that begin in one window of buckets. */
#include "kernels/map/map_way.clh"

enum { SLOTS = 4 * MAP_WINDOW_BUCKETS }; /* slots of a window */

/* Most keys begin in the first of two windows. They are more than its slots, so searches go on to the second window. */
START_TEST(keys_go_beyond_their_window)
{
    enum { FIRST = SLOTS + 500, COUNT = FIRST + 500, ERASED = 100, ASSIGNED = 2000 };
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_map *map = map_with(_i, 2 * SLOTS, 1);
    int first = 0;
    int second = FIRST;

    if (test_is_small()) {
        mcl_map_release(map);
        return;
    }
    for (int32_t key = 1; first < FIRST || second < COUNT; key++) {
        const int is_first = map_bucket(map_hash_32((uint32_t)key), 2 * MAP_WINDOW_BUCKETS) < MAP_WINDOW_BUCKETS;
        if (is_first && first < FIRST) keys[first++] = key;
        if (!is_first && second < COUNT) keys[second++] = key;
    }
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, sizeof got);
    map_insert(_i, map, ints(in, COUNT), map_counting(0, COUNT), NULL);
    ck_assert_int_eq(map_size_of(_i, map), COUNT);
    test_ok(mcl_map_erase(queue, map, ints(in, ERASED), NULL));
    test_ok(mcl_map_insert_or_assign(queue, map, ints(in, ASSIGNED), map_counting(COUNT, ASSIGNED), NULL));
    ck_assert_int_eq(map_size_of(_i, map), COUNT);
    ck_assert_int_eq(mcl_map_sub_map_count(map), 1);
    test_ok(mcl_map_find(queue, map, ints(in, COUNT), ints_out(out, COUNT), NULL, (mcl_output){ 0 }, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], k < ASSIGNED ? COUNT + k : k);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_map_release(map);
}
END_TEST

/* ---- values of all widths ---------------------------------------------------------------------------------------- */

enum { KEYS_MOST = 9000, TIMES = 3, FEW = 30, ELEMENTS_MOST = TIMES * KEYS_MOST };

static int32_t key_count(void)
{
    return test_is_small() ? 300 : KEYS_MOST;
}

typedef struct owned_pair {
    int64_t sum, least;
} owned_pair;
static const mcl_type pair_type = {
    .name = "owned_pair",
    .size = sizeof(owned_pair),
    .kind = MCL_KIND_STRUCT,
    .source = "typedef struct owned_pair { int64_t sum, least; } owned_pair;",
};

/* Returns keys. Element k has number k % key_count() of the different keys. */
static mcl_input keys_of(const mcl_type *type, int64_t count)
{
    const int32_t keys = key_count();
    const mcl_binding binding = mcl_binding_value("keys", MCL_INT32, &keys);
    return mcl_from_expression(type, "i % keys * 77777 - 5", NULL, &binding, 1, count);
}

/* Enters and folds elements twice: first into a map with some keys in an earlier sub-map, then once more. */
static mcl_map *fold_twice(int device, const mcl_type *key, mcl_input values, const mcl_op *op)
{
    const mcl_map_config config = { .key = key, .value = values.type, .capacity = 64 };
    mcl_queue *queue = test_device_at(device)->queue;
    mcl_input few = values;
    mcl_map *map = NULL;

    few.count = FEW;
    test_ok(mcl_map_create(test_device_at(device)->context, &config, &map));
    test_ok(mcl_map_insert(queue, map, keys_of(key, FEW), few, NULL));
    test_ok(mcl_map_insert_or_apply(queue, map, keys_of(key, TIMES * key_count()), values, op, NULL));
    test_ok(mcl_map_insert_or_apply(queue, map, keys_of(key, TIMES * key_count()), values, op, NULL));
    ck_assert_int_eq(map_size_of(device, map), key_count());
    return map;
}

START_TEST(folds_of_words_are_whole)
{
    static int64_t got[KEYS_MOST];
    const int64_t keys = key_count();
    const mcl_type *const types[] = { MCL_INT32, MCL_INT64 };
    const int lacks_wide_keys = strcmp(test_device_at(_i)->info.status_word_path, "none") == 0;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_empty(_i, sizeof got);

    for (int t = 0; t < (lacks_wide_keys ? 1 : 2); t++) {
        const mcl_input values = mcl_from_expression(MCL_INT64, "i", NULL, NULL, 0, TIMES * keys);
        mcl_map *map = fold_twice(_i, types[t], values, MCL_ADD);
        test_ok(mcl_map_find(queue, map, keys_of(types[t], keys), mcl_to_buffer(MCL_INT64, out, 0, keys), NULL,
                             (mcl_output){ 0 }, NULL));
        ARRAY_READ(_i, out, got);
        for (int64_t k = 0; k < keys; k++) ck_assert_int_eq(got[k], 2 * TIMES * (k + keys) + (k < FEW ? k : 0));
        mcl_map_release(map);
    }
    mcl_buffer_release(out);
}
END_TEST

START_TEST(folds_of_structs_are_whole)
{
    static owned_pair got[KEYS_MOST];
    const int64_t keys = key_count();
    const int64_t elements = TIMES * keys;
    const mcl_op op = { .role = MCL_ROLE_FOLD,
                        .expression = "owned_fold(p, q)",
                        .source = "static inline owned_pair owned_fold(owned_pair p, const owned_pair q)\n"
                                  "{ p.sum += q.sum; if (q.least < p.least) p.least = q.least; return p; }",
                        .commutative = 1 };
    mcl_queue *queue = test_device_at(_i)->queue;
    owned_pair *const pairs = malloc(ELEMENTS_MOST * sizeof *pairs);

    ck_assert_ptr_nonnull(pairs);
    for (int64_t k = 0; k < elements; k++) pairs[k] = (owned_pair){ k, elements - k };
    mcl_buffer *in = array_of(_i, pairs, (size_t)elements * sizeof *pairs);
    mcl_buffer *out = array_empty(_i, sizeof got);
    mcl_map *map = fold_twice(_i, MCL_INT32, mcl_from_buffer(&pair_type, in, 0, elements), &op);
    test_ok(mcl_map_find(queue, map, keys_of(MCL_INT32, keys), mcl_to_buffer(&pair_type, out, 0, keys), NULL,
                         (mcl_output){ 0 }, NULL));
    ARRAY_READ(_i, out, got);
    for (int64_t k = 0; k < keys; k++) {
        ck_assert_int_eq(got[k].sum, 2 * TIMES * (k + keys) + (k < FEW ? k : 0));
        ck_assert_int_eq(got[k].least, keys - k);
    }
    free(pairs);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_map_release(map);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, keys_go_beyond_their_window, device);
    test_add(tcase, folds_of_words_are_whole, device);
    test_add(tcase, folds_of_structs_are_whole, device);
}

int main(void)
{
    return test_main("map_owned", add);
}
