/* test_group_by.c: tests groups and distinct keys of a sequence on ranks, against the core's call on the whole. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2500, AGGREGATES = 5, VALUE_BYTES = 8 };

static const mcl_type twelve = { .name = "key_of_twelve",
                                 .size = 12,
                                 .source = "typedef struct { int a; int b; int c; } key_of_twelve;",
                                 .kind = MCL_KIND_STRUCT };

/* A fold to the last value. It is associative, but not commutative. */
static const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q" };
static const mcl_op squares = { .role = MCL_ROLE_FOLD, .expression = "p + q", .extract = "x * x", .commutative = 1 };

/* Lists aggregates with the values of a part of the whole sequence. All their folds are exact in any order. */
static void list_aggregates(mcl_aggregate *list, int64_t first, int64_t count)
{
    const mcl_binding at = mcl_binding_value("first", MCL_INT64, &first);
    const mcl_input whole = mcl_from_expression(MCL_INT32, "(int32_t)((i + first) % 1000) - 400", NULL, &at, 1, count),
                    real = mcl_from_expression(MCL_FLOAT, "(float)((i + first) % 64)", NULL, &at, 1, count);
    list[0] = (mcl_aggregate){ .values = whole, .op = MCL_ADD };
    list[1] = (mcl_aggregate){ .values = real, .op = MCL_MIN };
    list[2] = (mcl_aggregate){ .values = mcl_from_counting(MCL_INT64, &first, count), .op = &last };
    list[3] = (mcl_aggregate){ .values = whole, .op = MCL_MEAN };
    list[4] = (mcl_aggregate){ .values = real, .op = &squares };
}
static const mcl_type *out_type(int k)
{
    return k == 0 || k == 2 ? MCL_INT64 : k == 3 ? MCL_DOUBLE : MCL_FLOAT;
}

/* The groups of the whole sequence in the core's order. All ranks have them. */
typedef struct groups {
    int64_t count;
    unsigned char keys[MOST * 16], values[AGGREGATES][MOST * VALUE_BYTES];
} groups;

static void group_whole(ranks_test *test, const spread *data, int aggregates, groups *to, const char *name)
{
    mcl_buffer *from = NULL, *keys = NULL, *values[AGGREGATES] = { NULL };
    mcl_aggregate list[AGGREGATES];
    const size_t size = data->type->size;
    list_aggregates(list, 0, data->count);
    expect_core(test, mcl_buffer_create(test->context, (size_t)data->count * size + 1, data->whole, &from), name);
    expect_core(test, mcl_buffer_create(test->context, sizeof to->keys, NULL, &keys), name);
    for (int k = 0; k < aggregates; ++k) {
        expect_core(test, mcl_buffer_create(test->context, sizeof to->values[k], NULL, &values[k]), name);
        list[k].out = mcl_to_buffer(out_type(k), values[k], 0, MOST);
    }
    expect_core(test,
                mcl_group_by(test->queue, mcl_from_buffer(data->type, from, 0, data->count),
                             mcl_to_buffer(data->type, keys, 0, MOST), list, aggregates,
                             mcl_to_host(MCL_INT64, &to->count), NULL),
                name);
    expect_core(test, mcl_buffer_read(test->queue, keys, 0, sizeof to->keys / 16 * size, to->keys), name);
    for (int k = 0; k < aggregates; ++k) {
        expect_core(test, mcl_buffer_read(test->queue, values[k], 0, (size_t)MOST * out_type(k)->size, to->values[k]),
                    name);
        mcl_buffer_release(values[k]);
    }
    mcl_buffer_release(from);
    mcl_buffer_release(keys);
}

static void read_room(ranks_test *test, const room *from, int64_t count, unsigned char *to)
{
    const size_t size = from->type->size;
    if (count > 0)
        expect_core(test,
                    mcl_buffer_read(test->queue, from->buffer, (size_t)from->offset * size, (size_t)count * size, to),
                    "a result");
}

/* Checks that this rank's groups are groups of the whole, in the same order. All ranks together must have each group
 * once. */
static void expect_groups(ranks_test *test, const groups *expected, const groups *got, int aggregates, size_t size,
                          const char *name)
{
    int64_t at = -1, sum = 0;
    int is_right = 1;
    for (int64_t k = 0; k < got->count && is_right; ++k) {
        const unsigned char *const key = got->keys + (size_t)k * size;
        do ++at;
        while (at < expected->count && memcmp(key, expected->keys + (size_t)at * size, size) != 0);
        is_right = at < expected->count;
        for (int a = 0; a < aggregates && is_right; ++a) {
            const size_t bytes = out_type(a)->size;
            is_right = memcmp(got->values[a] + (size_t)k * bytes, expected->values[a] + (size_t)at * bytes, bytes) == 0;
        }
        sum += at;
    }
    expect_true(test, is_right, name);
    expect_true(test, sum_of_all(test, got->count) == expected->count, name);
    expect_true(test, sum_of_all(test, sum) == expected->count * (expected->count - 1) / 2, name);
}

static void group_case(ranks_test *test, const spread *data, int aggregates, const char *name)
{
    groups *const expected = calloc(1, sizeof *expected), *const got = calloc(1, sizeof *got);
    mcl_aggregate list[AGGREGATES];
    room keys = room_make(test, data->type, data->count), values[AGGREGATES];
    int64_t whole = -1;
    list_aggregates(list, data->first, data->own);
    for (int k = 0; k < aggregates; ++k) {
        values[k] = room_make(test, out_type(k), data->count);
        list[k].out = room_output(&values[k]);
    }
    const mcl_result own = mcl_to_host(MCL_INT64, &got->count), all = mcl_to_host(MCL_INT64, &whole);
    expect_ok(test,
              aggregates > 0 ? mcl_mpi_group_by(test->mpi, spread_input(data), room_output(&keys), list, aggregates,
                                                own, all, NULL)
                             : mcl_mpi_distinct(test->mpi, spread_input(data), room_output(&keys), own, all, NULL),
              name);
    if (test->rank == 0) group_whole(test, data, aggregates, expected, name);
    tell_all(test, expected, sizeof *expected);
    read_room(test, &keys, got->count, got->keys);
    expect_guards(test, &keys, got->count);
    for (int k = 0; k < aggregates; ++k) {
        read_room(test, &values[k], got->count, got->values[k]);
        expect_guards(test, &values[k], got->count);
        room_free(&values[k]);
    }
    expect_true(test, whole == expected->count, name);
    expect_groups(test, expected, got, aggregates, data->type->size, name);
    room_free(&keys);
    free(expected);
    free(got);
}

/* ---- wrong calls ------------------------------------------------------------------------------------------- */

static void refused(ranks_test *test)
{
    const int32_t zero = 0;
    const mcl_input keys = mcl_from_counting(MCL_INT32, &zero, 100);
    const mcl_result nowhere = mcl_to_nowhere();
    static const mcl_op combined = { .role = MCL_ROLE_FOLD, .expression = "p + q", .combine = "v" };
    mcl_aggregate sum = { .values = keys, .op = &combined };
    const mcl_output none = { 0 };
    expect_failure(test, mcl_mpi_group_by(test->mpi, keys, none, &sum, 1, nowhere, nowhere, NULL),
                   MCL_ERROR_UNSUPPORTED, "mcl_mpi_group_by: rank 0: aggregates[0].op has combine", "combine");
    sum.op = NULL;
    expect_failure(test, mcl_mpi_group_by(test->mpi, keys, none, &sum, 1, nowhere, nowhere, NULL), MCL_ERROR_ARGUMENT,
                   "aggregates[0].op is NULL", "no operator");
    expect_failure(test, mcl_mpi_group_by(test->mpi, keys, none, NULL, 2, nowhere, nowhere, NULL), MCL_ERROR_ARGUMENT,
                   "there are 2 aggregates, and the list is NULL", "no list");
    room few = room_make(test, MCL_INT32, 1);
    expect_failure(test, mcl_mpi_distinct(test->mpi, keys, room_output(&few), nowhere, nowhere, NULL),
                   MCL_ERROR_CAPACITY, "mcl_mpi_distinct", "no room");
    expect_guards(test, &few, 1);
    room_free(&few);
    if (test->size == 1) return;
    sum.op = test->rank == 0 ? MCL_ADD : MCL_MAX;
    expect_failure(test, mcl_mpi_group_by(test->mpi, keys, none, &sum, 1, nowhere, nowhere, NULL),
                   MCL_ERROR_PRECONDITION, "aggregates[0].op->", "another operator");
    sum.op = MCL_ADD;
    expect_failure(test, mcl_mpi_group_by(test->mpi, keys, none, &sum, test->rank == 0, nowhere, nowhere, NULL),
                   MCL_ERROR_PRECONDITION, "aggregate_count is 0, on rank 0 1", "fewer aggregates");
}

/* ---- suite ------------------------------------------------------------------------------------------------- */

typedef enum key_kind { KEYS_FEW, KEYS_HOT, KEYS_MANY, KEYS_BYTES, KEYS_TWELVE, KEY_KINDS } key_kind;

static void make_keys(key_kind kind, size_t size, int64_t count, unsigned char *to)
{
    uint64_t seed = (uint64_t)kind + 9;
    for (int64_t k = 0; k < count; ++k) {
        const uint64_t number = random_next(&seed) >> 20;
        uint32_t words[4] = { (uint32_t)(number % 60), 0, 0, 0 };
        if (kind == KEYS_HOT) words[0] = number % 10 ? 7 : words[0];
        if (kind == KEYS_MANY) words[1] = (uint32_t)(number % 3000);
        if (kind == KEYS_TWELVE) words[2] = (uint32_t)(number / 60 % 4);
        memcpy(to + (size_t)k * size, words, size);
    }
}

void test_group_by(ranks_test *test)
{
    static const char *const names[KEY_KINDS] = { "few", "hot", "many", "bytes", "of twelve bytes" };
    const mcl_type *const types[KEY_KINDS] = { MCL_UINT32, MCL_UINT32, MCL_INT64, MCL_UINT8, &twelve };
    static const int64_t counts[] = { 0, 1, MOST };
    /* threads compile each program only once, so they run all cases */
    if (!test->by->is_one_process && ((test->size != 3 && test->size != 7) || !takes_turn(test, 0))) return;
    unsigned char *const whole = malloc(MOST * 16);
    refused(test);
    for (int kind = 0; kind < KEY_KINDS; ++kind)
        for (int n = 0; n < 3; ++n) {
            const cut_kind cut = (cut_kind)((kind + n + test->size) % CUT_KINDS);
            char name[64];
            snprintf(name, sizeof name, "groups of %s keys, %lld, cut %d", names[kind], (long long)counts[n], (int)cut);
            if (kind > 0 && n < 2) continue;                  /* for other kinds one count is enough */
            if (test->size > 4 && kind != KEYS_HOT) continue; /* many ranks compile a split each */
            make_keys((key_kind)kind, types[kind]->size, counts[n], whole);
            spread data = spread_make(test, types[kind], whole, counts[n], cut);
            group_case(test, &data, kind == KEYS_FEW ? AGGREGATES : 1, name);
            if (kind == KEYS_FEW || kind == KEYS_TWELVE) group_case(test, &data, 0, name);
            spread_free(&data);
        }
    free(whole);
}
