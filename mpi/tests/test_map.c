/* test_map.c: tests a hash map on ranks against the core's map of the whole. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

/* A pair as the key of a map. */
typedef struct pair32 {
    int32_t x, y;
} pair32;
static const char pair32_text[] = "typedef struct pair32 { int32_t x, y; } pair32;";
static const mcl_type pair32_type = { .name = "pair32", .size = 8, .alignment = 4, .source = pair32_text };

typedef struct map_case {
    const char *name;
    const mcl_type *key, *value; /* types of keys and values; value is NULL for a set */
    const mcl_op *fold;
    int only_finds; /* 1 if keys are only inserted and found, since each further call compiles programs */
} map_case;

static const map_case cases[] = {
    { "uint32 to uint32", MCL_UINT32, MCL_UINT32, MCL_ADD, 0 },
    { "a pair of numbers to double", &pair32_type, MCL_DOUBLE, NULL, 0 },
    { "float to four numbers", MCL_FLOAT, MCL_FLOAT4, NULL, 1 },
    { "a set of int64", MCL_INT64, NULL, NULL, 1 },
};

/* A map on all ranks, and on rank 0 a map of the core with the same entries. */
typedef struct map_pair {
    ranks_test *test;
    const map_case *c;
    mcl_mpi_map *ranks;
    mcl_map *core;
} map_pair;

static mcl_input whole_of(const map_pair *m, const spread *data, mcl_buffer **buffer)
{
    const size_t bytes = (size_t)data->count * data->type->size;
    expect_core(m->test, mcl_buffer_create(m->test->context, bytes, data->whole, buffer), "the whole");
    return mcl_from_buffer(data->type, *buffer, 0, data->count);
}

static mcl_input values_of(const map_case *c, const spread *values)
{
    return c->value ? spread_input(values) : (mcl_input){ 0 };
}

typedef enum change { INSERT, ASSIGN, APPLY, ERASE } change;

static mcl_status change_core(const map_pair *m, change what, mcl_input keys, mcl_input values)
{
    mcl_queue *const queue = m->test->queue;
    if (what == ERASE) return mcl_map_erase(queue, m->core, keys, NULL);
    if (what == INSERT) return mcl_map_insert(queue, m->core, keys, values, NULL);
    if (what == ASSIGN) return mcl_map_insert_or_assign(queue, m->core, keys, values, NULL);
    return mcl_map_insert_or_apply(queue, m->core, keys, values, m->c->fold, NULL);
}

static mcl_status change_ranks(const map_pair *m, change what, mcl_input keys, mcl_input values)
{
    mcl_mpi *const mpi = m->test->mpi;
    if (what == ERASE) return mcl_mpi_map_erase(mpi, m->ranks, keys, NULL);
    if (what == INSERT) return mcl_mpi_map_insert(mpi, m->ranks, keys, values, NULL);
    if (what == ASSIGN) return mcl_mpi_map_insert_or_assign(mpi, m->ranks, keys, values, NULL);
    return mcl_mpi_map_insert_or_apply(mpi, m->ranks, keys, values, m->c->fold, NULL);
}

static void change_both(const map_pair *m, change what, const spread *keys, const spread *values, const char *name)
{
    expect_ok(m->test, change_ranks(m, what, spread_input(keys), values_of(m->c, values)), name);
    if (m->test->rank > 0) return;
    mcl_buffer *key_buffer = NULL, *value_buffer = NULL;
    const mcl_input all = whole_of(m, keys, &key_buffer);
    const mcl_input all_values = m->c->value ? whole_of(m, values, &value_buffer) : (mcl_input){ 0 };
    expect_core(m->test, change_core(m, what, all, all_values), name);
    mcl_buffer_release(key_buffer);
    mcl_buffer_release(value_buffer);
}

/* Finds keys on all ranks. A key that is not in the map gets missing, or its output does not change. */
static void find_both(const map_pair *m, const spread *keys, int has_missing, const char *name)
{
    static _Thread_local unsigned char values[MOST * 16], found[MOST];
    ranks_test *const test = m->test;
    const mcl_type *const type = m->c->value ? m->c->value : MCL_UINT8;
    const unsigned char seven[16] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
    const void *const missing = has_missing ? seven : NULL;
    room out = room_make(test, type, keys->own), out_found = room_make(test, MCL_UINT8, keys->own);
    const mcl_output to = m->c->value ? room_output(&out) : (mcl_output){ 0 };
    expect_ok(test,
              mcl_mpi_map_find(test->mpi, m->ranks, spread_input(keys), to, missing, room_output(&out_found), NULL),
              name);
    if (test->rank == 0) {
        const unsigned char pattern = 0xa5; /* byte that fills new buffers */
        mcl_buffer *all = NULL, *to_values = NULL, *to_found = NULL;
        const mcl_input in = whole_of(m, keys, &all);
        expect_core(test, mcl_buffer_create(test->context, sizeof values, NULL, &to_values), name);
        expect_core(test, mcl_buffer_create(test->context, sizeof found, NULL, &to_found), name);
        expect_core(test, mcl_buffer_fill(test->queue, to_values, 0, sizeof values, &pattern, 1), name);
        const mcl_output all_to = m->c->value ? mcl_to_buffer(type, to_values, 0, keys->count) : (mcl_output){ 0 };
        expect_core(test,
                    mcl_map_find(test->queue, m->core, in, all_to, missing,
                                 mcl_to_buffer(MCL_UINT8, to_found, 0, keys->count), NULL),
                    name);
        expect_core(test, mcl_buffer_read(test->queue, to_values, 0, sizeof values, values), name);
        expect_core(test, mcl_buffer_read(test->queue, to_found, 0, sizeof found, found), name);
        mcl_buffer_release(all);
        mcl_buffer_release(to_values);
        mcl_buffer_release(to_found);
    }
    expect_part(test, &out_found, found, keys->count, keys->first, keys->own, name);
    if (m->c->value) expect_part(test, &out, values, keys->count, keys->first, keys->own, name);
    room_free(&out);
    room_free(&out_found);
}

static void contains_again(const map_pair *m, const spread *keys, const char *name)
{
    ranks_test *const test = m->test;
    room found = room_make(test, MCL_INT8, keys->own), beside = room_make(test, MCL_UINT8, keys->own);
    unsigned char a[MOST], b[MOST];
    expect_ok(test, mcl_mpi_map_contains(test->mpi, m->ranks, spread_input(keys), room_output(&found), NULL), name);
    expect_ok(
        test,
        mcl_mpi_map_find(test->mpi, m->ranks, spread_input(keys), (mcl_output){ 0 }, NULL, room_output(&beside), NULL),
        name);
    const size_t bytes = (size_t)keys->own;
    expect_core(test, mcl_buffer_read(test->queue, found.buffer, (size_t)found.offset, bytes, a), name);
    expect_core(test, mcl_buffer_read(test->queue, beside.buffer, (size_t)beside.offset, bytes, b), name);
    expect_true(test, memcmp(a, b, bytes) == 0, name);
    room_free(&found);
    room_free(&beside);
}

/* Returns a sum that differs for different sets of entries, but not for another order. */
static uint64_t sum_of(const unsigned char *keys, size_t key_size, const unsigned char *values, size_t value_size,
                       int64_t count)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < count; ++k) {
        uint64_t state = 14695981039346656037u;
        for (size_t at = 0; at < key_size; ++at) state = (state ^ keys[(size_t)k * key_size + at]) * 1099511628211u;
        for (size_t at = 0; at < value_size; ++at)
            state = (state ^ values[(size_t)k * value_size + at]) * 1099511628211u;
        sum += random_next(&state);
    }
    return sum;
}

static uint64_t sum_of_core(const map_pair *m, int64_t *count, const char *name)
{
    static _Thread_local unsigned char keys[MOST * 8], values[MOST * 16];
    ranks_test *const test = m->test;
    const size_t value_size = m->c->value ? m->c->value->size : 0;
    mcl_buffer *to_keys = NULL, *to_values = NULL;
    expect_core(test, mcl_buffer_create(test->context, sizeof keys, NULL, &to_keys), name);
    expect_core(test, mcl_buffer_create(test->context, sizeof values, NULL, &to_values), name);
    expect_core(test,
                mcl_map_retrieve_all(test->queue, m->core, mcl_to_buffer(m->c->key, to_keys, 0, MOST),
                                     m->c->value ? mcl_to_buffer(m->c->value, to_values, 0, MOST) : (mcl_output){ 0 },
                                     mcl_to_host(MCL_INT64, count), NULL),
                name);
    expect_core(test, mcl_buffer_read(test->queue, to_keys, 0, sizeof keys, keys), name);
    expect_core(test, mcl_buffer_read(test->queue, to_values, 0, sizeof values, values), name);
    mcl_buffer_release(to_keys);
    mcl_buffer_release(to_values);
    return sum_of(keys, m->c->key->size, values, value_size, *count);
}

/* Retrieves all entries, and checks that each is on one rank. Owners must have similar numbers of entries. */
static void retrieve_both(const map_pair *m, const char *name)
{
    static _Thread_local unsigned char keys[MOST * 8], values[MOST * 16];
    ranks_test *const test = m->test;
    const size_t key_size = m->c->key->size, value_size = m->c->value ? m->c->value->size : 0;
    int64_t own = -1, whole = -1, all = 0, size = -1, whole_size = -1;
    room to = room_make(test, m->c->key, MOST),
         to_values = room_make(test, m->c->value ? m->c->value : m->c->key, MOST);
    expect_ok(test,
              mcl_mpi_map_retrieve_all(test->mpi, m->ranks, room_output(&to),
                                       m->c->value ? room_output(&to_values) : (mcl_output){ 0 },
                                       mcl_to_host(MCL_INT64, &own), mcl_to_host(MCL_INT64, &whole), NULL),
              name);
    expect_ok(
        test,
        mcl_mpi_map_size(test->mpi, m->ranks, mcl_to_host(MCL_INT64, &size), mcl_to_host(MCL_INT64, &whole_size), NULL),
        name);
    expect_true(test, size == own && whole_size == whole, name);
    expect_true(test, own <= 3 * whole / (2 * test->size) + 40, "owners have about as many keys each");
    const size_t key_bytes = (size_t)own * key_size, value_bytes = (size_t)own * value_size;
    expect_core(test, mcl_buffer_read(test->queue, to.buffer, (size_t)to.offset * key_size, key_bytes, keys), name);
    expect_core(test,
                mcl_buffer_read(test->queue, to_values.buffer, (size_t)to_values.offset * to_values.type->size,
                                value_bytes, values),
                name);
    uint64_t sum = sum_of(keys, key_size, values, value_size, own), right = 0;
    if (test->rank == 0) right = sum_of_core(m, &all, name);
    sum = (uint64_t)sum_of_all(test, (int64_t)sum);
    expect_bytes(test, &whole, &all, sizeof whole, name);
    expect_bytes(test, &sum, &right, sizeof sum, name);
    room_free(&to);
    room_free(&to_values);
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

/* Makes random entries. Keys are small numbers, so that no key is a sentinel. A key always has the same value, since
 * any of several values may win. */
static void make_entries(const map_case *c, uint64_t seed, uint64_t span, int64_t count, unsigned char *keys,
                         unsigned char *values)
{
    const size_t key_size = c->key->size, value_size = c->value ? c->value->size : 1;
    for (int64_t k = 0; k < count; ++k) {
        const uint64_t key = random_next(&seed) % span;
        uint64_t state = key;
        memcpy(keys + (size_t)k * key_size, &key, key_size);
        for (size_t at = 0; at < value_size; ++at) /* bytes that make no NaN */
            values[(size_t)k * value_size + at] = (unsigned char)(random_next(&state) % 64);
    }
}

static void map_round(ranks_test *test, const map_case *c, int64_t count, uint64_t span, cut_kind cut)
{
    static _Thread_local unsigned char keys[MOST * 8], values[MOST * 16];
    char name[96];
    snprintf(name, sizeof name, "map, %s, %lld of %llu keys, cut %d", c->name, (long long)count,
             (unsigned long long)span, (int)cut);
    const mcl_map_config config = { .key = c->key, .value = c->value, .capacity = 64 };
    map_pair m = { .test = test, .c = c };
    expect_ok(test, mcl_mpi_map_create(test->mpi, &config, &m.ranks), name);
    if (test->rank == 0) expect_core(test, mcl_map_create(test->context, &config, &m.core), name);
    make_entries(c, 1, span, count, keys, values);
    const mcl_type *const value = c->value ? c->value : MCL_UINT8;
    spread entered = spread_make(test, c->key, keys, count, cut), with = spread_make(test, value, values, count, cut);
    make_entries(c, 2, 2 * span, count, keys, values);
    const cut_kind other = (cut_kind)((cut + 2) % CUT_KINDS);
    spread others = spread_make(test, c->key, keys, count, other),
           others_with = spread_make(test, value, values, count, other);
    change_both(&m, INSERT, &entered, &with, name);
    find_both(&m, &others, 1, name);
    if (c->fold) change_both(&m, APPLY, &others, &others_with, name);
    retrieve_both(&m, name);
    if (!c->only_finds) {
        change_both(&m, ERASE, &others, &others_with, name);
        find_both(&m, &entered, 0, name);
        change_both(&m, ASSIGN, &others, &others_with, name);
        contains_again(&m, &others, name);
        retrieve_both(&m, name);
    }
    int64_t left = -1;
    expect_ok(test, mcl_mpi_map_clear(test->mpi, m.ranks, NULL), name);
    expect_ok(test, mcl_mpi_map_size(test->mpi, m.ranks, mcl_to_nowhere(), mcl_to_host(MCL_INT64, &left), NULL), name);
    expect_true(test, left == 0, name);
    spread_free(&entered);
    spread_free(&with);
    spread_free(&others);
    spread_free(&others_with);
    mcl_mpi_map_release(m.ranks);
    mcl_map_release(m.core);
}

/* ---- errors ------------------------------------------------------------------------------------------------ */

static void sentinel_case(ranks_test *test, mcl_mpi_map *map)
{
    const uint32_t keys[] = { 11, 12, UINT32_MAX, 13 };
    const mcl_options checks = { .flags = MCL_VALIDATE };
    const int bad_rank = test->size / 2;
    int64_t skipped = -1, entries = -1;
    char words[96];
    mcl_buffer *buffer = NULL;
    expect_core(test, mcl_buffer_create(test->context, sizeof keys, keys, &buffer), "keys");
    const mcl_input in = mcl_from_buffer(MCL_UINT32, buffer, 0, test->rank == bad_rank ? 4 : 2);
    const uint32_t start = 0;
    const mcl_input values = mcl_from_counting(MCL_UINT32, &start, 4);
    snprintf(words, sizeof words, "mcl_mpi_map_insert: rank %d: mcl_map_contains: |2", bad_rank);
    expect_failure(test, mcl_mpi_map_insert(test->mpi, map, in, values, &checks), MCL_ERROR_PRECONDITION, words,
                   "a sentinel that is looked for");
    const mcl_result to = mcl_to_host(MCL_INT64, &entries);
    expect_ok(test, mcl_mpi_map_size(test->mpi, map, mcl_to_nowhere(), to, NULL), "entries");
    expect_true(test, entries == 0, "nothing is entered where a sentinel is found");
    expect_ok(test, mcl_mpi_map_insert(test->mpi, map, in, values, NULL), "a sentinel");
    expect_ok(test, mcl_mpi_map_size(test->mpi, map, mcl_to_nowhere(), to, NULL), "entries");
    expect_ok(test, mcl_mpi_map_skipped(test->mpi, map, mcl_to_nowhere(), mcl_to_host(MCL_INT64, &skipped), NULL),
              "skipped keys");
    expect_true(test, entries == 3 && skipped == 1, "a sentinel is skipped and counted");
    mcl_buffer_release(buffer);
}

static void error_cases(ranks_test *test)
{
    const mcl_map_config config = { .key = MCL_UINT32, .value = MCL_UINT32 };
    mcl_mpi_map *map = NULL, *second = NULL;
    const uint32_t start = 0;
    const int is_bad = test->rank == test->size / 2;
    char words[128];
    expect_ok(test, mcl_mpi_map_create(test->mpi, &config, &map), "a map");
    expect_ok(test, mcl_mpi_map_create(test->mpi, &config, &second), "another map");
    sentinel_case(test, map);
    const mcl_input keys = mcl_from_counting(MCL_UINT32, &start, 50);
    const mcl_input signed_keys = mcl_from_counting(MCL_INT32, &start, 50);
    room out = room_make(test, MCL_UINT32, 50), found = room_make(test, MCL_UINT8, 50);
    snprintf(words, sizeof words, "mcl_mpi_map_insert: rank %d: |keys is of int32_t; expected uint32_t",
             test->size / 2);
    expect_failure(test, mcl_mpi_map_insert(test->mpi, map, is_bad ? signed_keys : keys, keys, NULL), MCL_ERROR_TYPE,
                   words, "keys of another type");
    mcl_output narrow = room_output(&out);
    if (is_bad) narrow.capacity = 3;
    snprintf(words, sizeof words, "mcl_mpi_map_find: rank %d: |values has room for 3 elements; expected 50",
             test->size / 2);
    expect_failure(test, mcl_mpi_map_find(test->mpi, map, keys, narrow, &start, room_output(&found), NULL),
                   MCL_ERROR_ARGUMENT, words, "answers into too little room");
    const mcl_op with_extract = { .role = MCL_ROLE_FOLD, .expression = "p + q", .extract = "x + 1", .commutative = 1 };
    expect_failure(test, mcl_mpi_map_insert_or_apply(test->mpi, map, keys, keys, &with_extract, NULL),
                   MCL_ERROR_UNSUPPORTED, "mcl_mpi_map_insert_or_apply: rank 0: op has extract", "an extract");
    expect_failure(test, mcl_mpi_map_erase(test->mpi, NULL, keys, NULL), MCL_ERROR_ARGUMENT,
                   "mcl_mpi_map_erase: rank 0: map is NULL", "no map");
    if (test->size > 1) {
        expect_failure(test, mcl_mpi_map_erase(test->mpi, test->rank == test->size - 1 ? second : map, keys, NULL),
                       MCL_ERROR_PRECONDITION, "mcl_mpi_map_erase|expected the same call", "different maps");
        const mcl_map_config other = { .key = MCL_UINT32, .value = test->rank ? MCL_FLOAT : MCL_UINT32 };
        mcl_mpi_map *none = NULL;
        expect_failure(test, mcl_mpi_map_create(test->mpi, &other, &none), MCL_ERROR_PRECONDITION,
                       "mcl_mpi_map_create|config->value is float|uint32_t|expected the same call",
                       "maps of different types");
        expect_true(test, !none, "no map where it fails");
    }
    expect_ok(test, mcl_mpi_map_insert(test->mpi, map, keys, keys, NULL), "after errors");
    room_free(&out);
    room_free(&found);
    mcl_mpi_map_release(map);
    mcl_mpi_map_release(second);
}

/* Inserts more keys than the other tests. The value of a key is its index in the whole sequence. */
static void many_keys(ranks_test *test)
{
    enum { MANY = (1 << 20) + 777 };
    const uint32_t first = (uint32_t)test->rank * MANY, none = 0;
    const mcl_binding place = mcl_binding_value("first", MCL_UINT32, &first);
    const mcl_input keys =
        mcl_from_expression(MCL_UINT32, "((uint32_t)i + first) * 2654435761u + 7u", NULL, &place, 1, MANY);
    const mcl_map_config config = { .key = MCL_UINT32, .value = MCL_UINT32 };
    mcl_mpi_map *map = NULL;
    room found = room_make(test, MCL_UINT32, MANY);
    int64_t entries = 0, right = 0;
    expect_ok(test, mcl_mpi_map_create(test->mpi, &config, &map), "a map of many keys");
    for (int turn = 0; turn < 2; ++turn)
        expect_ok(test, mcl_mpi_map_insert(test->mpi, map, keys, mcl_from_counting(MCL_UINT32, &first, MANY), NULL),
                  "many keys");
    expect_ok(test, mcl_mpi_map_size(test->mpi, map, mcl_to_nowhere(), mcl_to_host(MCL_INT64, &entries), NULL),
              "the size of many keys");
    expect_true(test, entries == (int64_t)test->size * MANY, "the size of many keys");
    expect_ok(test, mcl_mpi_map_find(test->mpi, map, keys, room_output(&found), &none, (mcl_output){ 0 }, NULL),
              "many keys are found");
    const mcl_binding bound[] = { place, mcl_binding_buffer("found", MCL_UINT32, room_output(&found).buffer,
                                                            room_output(&found).offset) };
    expect_core(test,
                mcl_reduce(test->queue,
                           mcl_from_expression(MCL_INT64, "found[i] == (uint32_t)i + first", NULL, bound, 2, MANY),
                           MCL_ADD, mcl_to_host(MCL_INT64, &right), NULL),
                "values of many keys");
    expect_true(test, right == MANY, "values of many keys");
    mcl_mpi_map_release(map);
    room_free(&found);
}

void test_map(ranks_test *test)
{
    static const struct {
        int64_t count;
        uint64_t span; /* number of different keys */
    } sizes[] = { { MOST, 1500 }, { 0, 1 }, { 1, 1 }, { 60, 7 }, { 1400, 1000000 } };
    enum { CASES = sizeof cases / sizeof cases[0] };
    if (!takes_turn(test, 0)) return;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n)
        for (size_t k = 0; k < CASES; ++k) {
            const size_t chosen = test->size > 4 ? 3 - (size_t)test->size % 2 : (size_t)test->size % 2;
            if (test->size > 2 ? n > 0 || k != chosen : (n + k) % 2 == 0) continue;
            map_round(test, &cases[k], sizes[n].count, sizes[n].span, (cut_kind)((n + 2 * k) % CUT_KINDS));
        }
    if (test->size == 2 || test->size == 4) error_cases(test);
    if (test->size == 2) many_keys(test);
}
