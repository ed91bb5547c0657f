/* test_host_join.c: mcl_host_join. */
#include "support/host_keys.h"

#include "cases/case.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 96 * 1024, SMALL_LIMIT = 96 * 1024, SIZES = 8, KINDS = MCL_JOIN_ANTI + 1 };

static void sizes_at(int k, int64_t *a, int64_t *b)
{
    static const int64_t sizes[SIZES][2] = { { 0, 0 },       { 0, 300 },     { 5, 0 },         { 1, 1 },
                                             { 1500, 1500 }, { 40000, 900 }, { 2000, 100000 }, { 60000, 60000 } };
    static const int64_t small_sizes[SIZES][2] = { { 0, 0 },     { 0, 30 },    { 5, 0 },     { 1, 1 },
                                                   { 100, 100 }, { 2000, 90 }, { 60, 3000 }, { 2000, 2000 } };
    *a = test_is_small() ? small_sizes[k][0] : sizes[k][0];
    *b = test_is_small() ? small_sizes[k][1] : sizes[k][1];
}

static int64_t limit(void)
{
    return test_is_small() ? SMALL_LIMIT : LIMIT;
}

/* ---- reference ----------------------------------------------------------------------------------------------- */

typedef struct rows {
    int64_t count, room;
    int64_t *a, *b;
} rows;

/* Counts a row, and stores it if there is room. */
static void add_row(rows *to, int64_t a, int64_t b)
{
    if (to->count < to->room) {
        to->a[to->count] = a;
        to->b[to->count] = b;
    }
    to->count++;
}

static int comes_before(const host_keys_type *type, const void *p, const void *q)
{
    const int64_t a = type->number(p), b = type->number(q);
    return type->descends ? a > b : a < b;
}

typedef struct keys {
    const host_keys_type *type;
    int64_t count;
    unsigned char *data;
    int64_t *order;
} keys;

static const void *key_at(const keys *of, int64_t k)
{
    return of->data + (size_t)of->order[k] * of->type->type->size;
}

/* Joins by walking both sides in the order of their keys. */
static void join_by_host(mcl_join_kind kind, const keys *a, const keys *b, rows *out)
{
    int64_t first = 0;
    for (int64_t i = 0; i < a->count; i++) {
        while (first < b->count && comes_before(a->type, key_at(b, first), key_at(a, i))) first++;
        int64_t end = first;
        if (kind == MCL_JOIN_SEMI || kind == MCL_JOIN_ANTI) {
            const int is_there = first < b->count && !comes_before(a->type, key_at(a, i), key_at(b, first));
            if (is_there == (kind == MCL_JOIN_SEMI)) add_row(out, a->order[i], -1);
            continue;
        }
        for (; end < b->count && !comes_before(a->type, key_at(a, i), key_at(b, end)); end++)
            add_row(out, a->order[i], b->order[end]);
        if (end == first && (kind == MCL_JOIN_LEFT || kind == MCL_JOIN_OUTER)) add_row(out, a->order[i], -1);
    }
    first = 0;
    for (int64_t j = 0; j < b->count && (kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER); j++) {
        while (first < a->count && comes_before(a->type, key_at(a, first), key_at(b, j))) first++;
        if (first == a->count || comes_before(a->type, key_at(b, j), key_at(a, first))) add_row(out, -1, b->order[j]);
    }
}

static rows rows_make(int64_t room)
{
    rows made = { .room = room };
    made.a = malloc(((size_t)room + 1) * sizeof *made.a);
    made.b = malloc(((size_t)room + 1) * sizeof *made.b);
    if (!made.a || !made.b) abort();
    for (int64_t k = 0; k <= room; k++) made.a[k] = made.b[k] = -7;
    return made;
}

static void rows_free(rows *made)
{
    free(made->a);
    free(made->b);
}

static keys keys_make(const host_keys_type *type, host_keys_distribution distribution, int64_t count)
{
    keys made = { type, count, host_keys_make(type, distribution, count), NULL };
    made.order = host_keys_order(type, made.data, count);
    return made;
}

static void keys_free(keys *made)
{
    free(made->data);
    free(made->order);
}

/* ---- rounds -------------------------------------------------------------------------------------------------- */

/* Checks that both outputs have the host's rows, as far as there is room, and nothing after them. */
static void check_rows(mcl_join_kind kind, const rows *found, const rows *wanted, int has_a, int has_b)
{
    const int64_t stored = wanted->count < wanted->room ? wanted->count : wanted->room;
    const int has_rows_b = has_b && kind != MCL_JOIN_SEMI && kind != MCL_JOIN_ANTI;
    ck_assert_int_eq(found->count, wanted->count);
    for (int64_t k = 0; k < stored; k++) {
        if (has_a) ck_assert_msg(found->a[k] == wanted->a[k], "row %lld has another key of a", (long long)k);
        if (has_rows_b) ck_assert_msg(found->b[k] == wanted->b[k], "row %lld has another key of b", (long long)k);
    }
    for (int64_t k = has_a ? stored : 0; k <= wanted->room; k++) ck_assert_int_eq(found->a[k], -7);
    for (int64_t k = has_rows_b ? stored : 0; k <= wanted->room; k++) ck_assert_int_eq(found->b[k], -7);
}

static void join_round(int device, mcl_join_kind kind, const host_keys_type *type, const keys *a, const keys *b,
                       int64_t room_for, int turn)
{
    const int has_a = turn % 5 != 1, has_b = turn % 5 != 2;
    rows found = rows_make(room_for), wanted = rows_make(room_for);
    host_keys_room room;

    join_by_host(kind, a, b, &wanted);
    host_keys_room_make(&room, test_device_at(device)->context, 1 + turn % 2, limit());
    const mcl_status status =
        mcl_host_join(&room.room, kind, type->type, a->data, a->count, b->data, b->count, type->before,
                      has_a ? found.a : NULL, has_b ? found.b : NULL, room_for, &found.count);
    const int has_outputs = has_a || (has_b && kind != MCL_JOIN_SEMI && kind != MCL_JOIN_ANTI);
    if (wanted.count > room_for && room_for > 0 && has_outputs)
        test_fails(status, MCL_ERROR_CAPACITY, "mcl_host_join: capacity is|or more");
    else
        test_ok(status);
    if (status == MCL_OK || status == MCL_ERROR_CAPACITY) check_rows(kind, &found, &wanted, has_a, has_b);
    rows_free(&found);
    rows_free(&wanted);
}

/* Keys with many copies make more rows than a bucket has room for. Some rooms hold no row at all. */
enum { ROUNDS = KEYS_DISTRIBUTIONS * KINDS * SIZES };

START_TEST(rows_are_those_of_the_host)
{
    const int device = _i / ROUNDS, round = _i % ROUNDS, turn = round / KINDS;
    const int kind = (round + round / KINDS) % KINDS, size = round / KINDS % SIZES;
    const host_keys_type *const type = host_keys_type_at(round / 2 % HOST_KEYS_TYPES);
    const host_keys_distribution distribution = (host_keys_distribution)(round / KINDS / SIZES);
    int64_t a_count, b_count;

    if (!test_sample_takes(round, ROUNDS)) return;
    if (type->type == MCL_DOUBLE && !test_device_at(device)->info.has_double) return;
    sizes_at(size, &a_count, &b_count);
    /* to count most products of sides with one key would take the host minutes */
    const int is_dense = distribution == KEYS_ONE || distribution == KEYS_TWO || distribution == KEYS_FEW ||
                         distribution == KEYS_ONE_HOT || distribution == KEYS_ZIPF;
    if (is_dense && a_count > 2000 && b_count > 2000) b_count = 2000;
    keys a = keys_make(type, distribution, a_count), b = keys_make(type, distribution, b_count);
    const int64_t room_for = turn % 4 == 0 ? (a_count + b_count) / 2 : turn % 7 == 1 ? 0 : 3 * (a_count + b_count);
    join_round(device, (mcl_join_kind)kind, type, &a, &b, room_for, turn);
    keys_free(&a);
    keys_free(&b);
}
END_TEST

/* No chunk holds all copies of the key. Its rows are made on the host, with partners and without. */
START_TEST(a_hot_key_meets_itself)
{
    const int64_t a_count = test_is_small() ? 40 : 300, b_count = test_is_small() ? 3000 : 50000;
    const host_keys_type *const type = host_keys_type_at(0);
    keys a = keys_make(type, KEYS_ONE_HOT, a_count), b = keys_make(type, KEYS_ONE_HOT, b_count);
    keys other = keys_make(type, KEYS_ONE, a_count);

    for (int kind = 0; kind < KINDS; kind++) {
        if (!test_sample_takes(kind, KINDS)) continue;
        join_round(_i, (mcl_join_kind)kind, type, &a, &b, (a_count + 1) * b_count, 0);
        join_round(_i, (mcl_join_kind)kind, type, &b, &a, (a_count + 1) * b_count, 0);
        join_round(_i, (mcl_join_kind)kind, type, &b, &other, b_count, 0);
    }
    keys_free(&other);
    keys_free(&a);
    keys_free(&b);
}
END_TEST

/* Buckets have many more rows than keys, since their few keys all meet each other. */
START_TEST(rows_may_be_many)
{
    const int64_t a_count = test_is_small() ? 300 : 1700, b_count = test_is_small() ? 200 : 2100;
    const host_keys_type *const type = host_keys_type_at(3);
    keys a = keys_make(type, KEYS_FEW, a_count), b = keys_make(type, KEYS_FEW, b_count);

    for (int kind = 0; kind < KINDS; kind++) {
        if (!test_sample_takes(kind, KINDS)) continue;
        join_round(_i, (mcl_join_kind)kind, type, &a, &b, a_count * b_count / 8, 0);
        join_round(_i, (mcl_join_kind)kind, type, &a, &b, a_count * b_count / 32, 0);
    }
    keys_free(&a);
    keys_free(&b);
}
END_TEST

/* The call uses at most the device memory that the header says, and afterwards none. */
START_TEST(device_memory_stays_within_bytes)
{
    enum { QUEUES = 3, BESIDE = 300 * 1024 };
    const int64_t count = test_is_small() ? 2000 : 200000, bytes = test_is_small() ? SMALL_LIMIT : 4 << 20;
    mcl_context *const context = test_context(_i);
    const host_keys_type *const type = host_keys_type_at(0);
    keys a = keys_make(type, KEYS_SORTED, count), b = keys_make(type, KEYS_REVERSED, count);
    rows found = rows_make(count);
    mcl_memory_statistics before, after;
    host_keys_room room;

    test_ok(mcl_context_memory(context, &before));
    host_keys_room_make(&room, context, 1, bytes);
    test_ok(mcl_host_join(&room.room, MCL_JOIN_INNER, MCL_INT32, a.data, count, b.data, count, MCL_LESS, found.a,
                          found.b, count, &found.count));
    test_ok(mcl_context_memory(context, &after));
    ck_assert_int_eq(after.bytes_in_use, before.bytes_in_use);
    ck_assert_int_le(after.bytes_peak, bytes + bytes / 8 + QUEUES * BESIDE);
    rows_free(&found);
    keys_free(&a);
    keys_free(&b);
    mcl_context_release(context);
}
END_TEST

/* Without outputs rows are counted, whatever the capacity. A single output gets its rows. */
START_TEST(either_output_may_be_left_out)
{
    const int32_t a[4] = { 1, 2, 3, 4 }, b[4] = { 2, 3, 4, 5 };
    int64_t out[8], count = 0;
    host_keys_room of;

    host_keys_room_make(&of, test_device_at(_i)->context, 1, limit());
#define JOIN(out_a, out_b, capacity)                                                                                   \
    mcl_host_join(&of.room, MCL_JOIN_LEFT, MCL_INT32, a, 4, b, 4, MCL_LESS, out_a, out_b, capacity, &count)
    test_ok(JOIN(NULL, NULL, 1));
    ck_assert_int_eq(count, 4);
    test_ok(JOIN(out, NULL, 4));
    for (int k = 0; k < 4; k++) ck_assert_int_eq(out[k], k);
    test_ok(JOIN(NULL, out, 4));
    for (int k = 0; k < 4; k++) ck_assert_int_eq(out[k], k - 1);
    test_fails(JOIN(NULL, out, 3), MCL_ERROR_CAPACITY, "mcl_host_join: capacity is 3; expected 4 or more");
    test_ok(JOIN(out, out + 4, 0));
}
END_TEST

START_TEST(mistakes_are_told)
{
    int32_t a[4] = { 1, 2, 3, 4 }, b[4] = { 2, 3, 4, 5 };
    int64_t out_a[8], out_b[8];
    host_keys_room of;

#define EXPECT(kind, type, a, a_count, b, b_count, out_a, out_b, capacity, status, words)                              \
    test_fails(mcl_host_join(&of.room, kind, type, a, a_count, b, b_count, MCL_LESS, out_a, out_b, capacity, NULL),    \
               status, "mcl_host_join: |" words)
    host_keys_room_make(&of, test_device_at(_i)->context, 1, limit());
    EXPECT((mcl_join_kind)6, MCL_INT32, a, 4, b, 4, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "kind is 6");
    EXPECT((mcl_join_kind)-1, MCL_INT32, a, 4, b, 4, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "kind is -1");
    EXPECT(MCL_JOIN_LEFT, NULL, a, 4, b, 4, out_a, out_b, 8, MCL_ERROR_TYPE, "type is NULL");
    EXPECT(MCL_JOIN_LEFT, MCL_INT32, NULL, 4, b, 4, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "a is NULL; expected 4");
    EXPECT(MCL_JOIN_LEFT, MCL_INT32, a, 4, NULL, 4, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "b is NULL; expected 4");
    EXPECT(MCL_JOIN_LEFT, MCL_INT32, a, -1, b, 4, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "a_count is -1");
    EXPECT(MCL_JOIN_LEFT, MCL_INT32, a, 4, b, -1, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "b_count is -1");
    EXPECT(MCL_JOIN_LEFT, MCL_INT32, a, 4, b, 4, out_a, out_b, -1, MCL_ERROR_ARGUMENT, "capacity is -1");
    EXPECT(MCL_JOIN_LEFT, MCL_INT32, a, 4, b, 4, out_a, out_a, 8, MCL_ERROR_ARGUMENT, "out_b overlaps out_a");
    EXPECT(MCL_JOIN_LEFT, MCL_INT64, out_a, 4, b, 4, out_a, out_b, 8, MCL_ERROR_ARGUMENT, "out_a overlaps a");
    test_fails(mcl_host_join(&of.room, MCL_JOIN_INNER, MCL_INT32, a, 4, b, 4, NULL, out_a, out_b, 8, NULL),
               MCL_ERROR_ARGUMENT, "mcl_host_join: before is NULL");
    test_fails(mcl_host_join(NULL, MCL_JOIN_INNER, MCL_INT32, a, 4, b, 4, MCL_LESS, out_a, out_b, 8, NULL),
               MCL_ERROR_ARGUMENT, "mcl_host_join: room is NULL");
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, rows_are_those_of_the_host, device, ROUNDS);
    test_add(tcase, a_hot_key_meets_itself, device);
    test_add(tcase, rows_may_be_many, device);
    test_add(tcase, device_memory_stays_within_bytes, device);
    test_add(tcase, either_output_may_be_left_out, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("host_join", add);
}
