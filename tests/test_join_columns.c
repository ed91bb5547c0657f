/* test_join_columns.c: compares mcl_join_columns with rows that are found by comparing every pair. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/plain_join.h"
#include "support/run_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 300, N = 260, ROOM = 3000, COLUMNS = 8, SIDES = 2, KINDS = 6 };

/* ---- rows -------------------------------------------------------------------------------------------------------- */

typedef struct table {
    int32_t a[M], b[N];
    join_row rows[ROOM];
    int64_t count;
} table;

static int has_partner(const table *t, int32_t key, int n)
{
    for (int j = 0; j < n; j++)
        if (t->b[j] == key) return 1;
    return 0;
}

/* Joins the first m and n keys by comparing every pair. */
static void table_join(table *t, int kind, int m, int n)
{
    static int32_t rows_a[ROOM];
    static int32_t rows_b[ROOM];

    t->count = kind < MCL_JOIN_SEMI ? plain_join(kind, t->a, m, t->b, n, rows_a, rows_b) : 0;
    for (int i = 0; i < m && kind >= MCL_JOIN_SEMI; i++) {
        if (has_partner(t, t->a[i], n) != (kind == MCL_JOIN_SEMI)) continue;
        rows_a[t->count] = i;
        rows_b[t->count++] = -1;
    }
    ck_assert(t->count <= ROOM);
    for (int64_t k = 0; k < t->count; k++) {
        const int32_t key = rows_a[k] < 0 ? t->b[rows_b[k]] : t->a[rows_a[k]];
        t->rows[k] = (join_row){ key, rows_a[k], rows_b[k] };
    }
    qsort(t->rows, (size_t)t->count, sizeof *t->rows, compare_join_rows);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* The kinds of both sides' columns: numbers that go through the sort together, a column that goes alone, more columns
 * than a launch fetches, columns too wide for the sort, none. */
typedef struct column_set {
    const element *kinds[SIDES][COLUMNS];
} column_set;

static const column_set sets[] = {
    { { { &element_int32, &element_float }, { &element_uint32, &element_half } } },
    { { { &element_half }, { &element_point } } },
    { { { &element_int8, &element_half, &element_uint8, &element_int32 },
        { &element_int8, &element_uint8, &element_int8, &element_int8, &element_uint8, &element_int8,
          &element_int8 } } },
    { { { &element_wide, &element_int64, &element_point, &element_int64, &element_int8, &element_half }, { NULL } } },
    { { { NULL }, { &element_int64 } } },
};
enum { SETS = sizeof sets / sizeof sets[0] };

static unsigned char column_byte(int side, int column, int64_t k, size_t b)
{
    return (unsigned char)(k * 7 + (int64_t)b * 3 + column + 100 * side);
}

typedef struct columns {
    const column_set *set;
    int counts[SIDES];
    mcl_buffer *in[SIDES][COLUMNS];
    guarded out[SIDES][COLUMNS], keys;
    mcl_join_column list[SIDES][COLUMNS];
    unsigned char null_value[MCL_VALUE_BYTES_MAX];
} columns;

static mcl_output guarded_out(const guarded *array, int64_t room)
{
    return mcl_to_buffer(array->kind->type, array->buffer, array->first, room);
}

static mcl_buffer *buffer_of(mcl_context *context, const void *data, size_t bytes)
{
    mcl_buffer *made = NULL;

    test_ok(mcl_buffer_create(context, bytes, data, &made));
    return made;
}

/* Makes the columns. Every second column has a null value. */
static void columns_begin(mcl_context *context, const column_set *set, int64_t room, columns *c)
{
    static unsigned char data[M * MCL_VALUE_BYTES_MAX];

    memset(c, 0, sizeof *c);
    memset(c->null_value, 0x7b, sizeof c->null_value);
    c->set = set;
    guarded_create(context, &element_int32, room, NULL, 1, &c->keys);
    for (int side = 0; side < SIDES; side++)
        for (int k = 0; k < COLUMNS && set->kinds[side][k]; k++) {
            const element *const kind = set->kinds[side][k];
            const size_t size = kind->type->size;
            for (size_t at = 0; at < M * size; at++) data[at] = column_byte(side, k, (int64_t)(at / size), at % size);
            c->in[side][k] = buffer_of(context, data, M * size);
            guarded_create(context, kind, room, NULL, k % 3, &c->out[side][k]);
            c->list[side][k] = (mcl_join_column){ mcl_from_buffer(kind->type, c->in[side][k], 0, M),
                                                  guarded_out(&c->out[side][k], room), k % 2 ? c->null_value : NULL };
            c->counts[side] = k + 1;
        }
}

static void columns_end(columns *c)
{
    guarded_free(&c->keys);
    for (int side = 0; side < SIDES; side++)
        for (int k = 0; k < c->counts[side]; k++) {
            mcl_buffer_release(c->in[side][k]);
            guarded_free(&c->out[side][k]);
        }
}

/* Checks that the outputs have the first stored rows and nothing else. */
static void columns_expect(mcl_queue *queue, const columns *c, const table *t, int has_b, int64_t stored)
{
    static unsigned char expected[ROOM * MCL_VALUE_BYTES_MAX];
    char what[40];

    for (int side = 0; side < SIDES; side++)
        for (int k = 0; k < c->counts[side]; k++) {
            const size_t size = c->set->kinds[side][k]->type->size;
            const int64_t written = side == 0 || has_b ? stored : 0;
            for (size_t at = 0; at < (size_t)written * size; at++) {
                const join_row *const of = &t->rows[at / size];
                const int32_t index = side ? of->b : of->a;
                expected[at] = index < 0 ? (k % 2 ? c->null_value[0] : 0) : column_byte(side, k, index, at % size);
            }
            (void)snprintf(what, sizeof what, "columns_%c[%d]", side ? 'b' : 'a', k);
            guarded_expect(queue, &c->out[side][k], expected, written, what);
        }
    for (int64_t k = 0; k < stored; k++)
        memcpy(expected + (size_t)k * sizeof(int32_t), &t->rows[k].key, sizeof(int32_t));
    guarded_expect(queue, &c->keys, expected, stored, "out_keys");
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

/* Rows of tuning for the ways to join. Columns always go with the sort, never, or as the built-in row says, and are
 * fetched in tiles of either mapping. In the last ways the smaller side becomes a table, where its tiles have one
 * work-item; the very last one has buckets. */
static const char *const ways[] = {
    "join.move_percent \"\" 0\ntransform \"\" any 1 100\n",
    "join.move_percent \"\" 1073741824\ntransform \"\" any 32 3\n",
    "transform \"\" any 1 100\n",
    "join.move_percent \"\" 0\ntransform \"\" any 32 5\n",
    "join.table_least_serial \"\" 1\njoin.table_ratio_serial \"\" 1\njoin.move_percent \"\" 0\n",
    "join.table_least_serial \"\" 1\njoin.table_ratio_serial \"\" 1\njoin.bucket_keys_serial \"\" 1\n"
    "join.move_percent \"\" 1073741824\n",
};
enum { WAYS = sizeof ways / sizeof ways[0], TABLE_WAYS = 4 /* ways from this one on use tables */ };

/* The operands of a test: a way's queue, and the keys. */
typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *a, *b, *slots;
    table t;
} world;

static void world_begin(int device, int way, world *w)
{
    memset(w, 0, sizeof *w);
    w->context = test_context_of_rows(device, ways[way]);
    test_ok(mcl_queue_create(w->context, 0, &w->queue));
    random_ints(w->t.a, M, 90, 5, 0);
    random_ints(w->t.b, N, 110, 6, 0);
    w->a = buffer_of(w->context, w->t.a, sizeof w->t.a);
    w->b = buffer_of(w->context, w->t.b, sizeof w->t.b);
    w->slots = buffer_of(w->context, NULL, 4 * sizeof(int64_t));
}

static void world_end(world *w)
{
    mcl_buffer_release(w->a);
    mcl_buffer_release(w->b);
    mcl_buffer_release(w->slots);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

static mcl_status call(const world *w, const columns *c, int kind, int64_t room, mcl_result count,
                       const mcl_options *options)
{
    return mcl_join_columns(w->queue, (mcl_join_kind)kind, ints(w->a, M), ints(w->b, N), c->list[0], c->counts[0],
                            c->list[1], c->counts[1], guarded_out(&c->keys, room), MCL_LESS, count, options);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

START_TEST(join_columns_equals_the_loop)
{
    run_case_round(&join_columns_case, _i);
}
END_TEST

static void every_set(world *w, int kind, const mcl_options *options)
{
    columns c;

    table_join(&w->t, kind, M, N);
    for (int set = 0; set < SETS; set++) {
        int64_t count = -1;
        columns_begin(w->context, &sets[set], ROOM, &c);
        test_ok(call(w, &c, kind, ROOM, mcl_to_host(MCL_INT64, &count), options));
        ck_assert_int_eq(count, w->t.count);
        columns_expect(w->queue, &c, &w->t, kind < MCL_JOIN_SEMI, count);
        columns_end(&c);
    }
}

START_TEST(columns_are_those_of_the_rows)
{
    static world w;

    for (int way = 0; way < WAYS; way++) {
        const int has_groups = way % 2 && way < TABLE_WAYS;
        const mcl_options options = { .tile_threads = has_groups ? 32 : 1,
                                      .tile_items = has_groups ? 5 : 60,
                                      .passes = way < TABLE_WAYS ? way % 3 : 0,
                                      .flags = way == 3 ? MCL_INDEX_64 : 0 };
        world_begin(_i, way, &w);
        for (int kind = 0; kind < KINDS; kind++)
            if (test_takes_half(way / 2 + kind)) every_set(&w, kind, &options);
        world_end(&w);
    }
}
END_TEST

/* There is much room, so columns that are too wide for the sort are copied without a row of tuning. */
START_TEST(much_room_changes_nothing)
{
    static world w;

    world_begin(_i, 2, &w);
    every_set(&w, MCL_JOIN_OUTER, NULL);
    world_end(&w);
}
END_TEST

/* The lowest capacity, of the keys' output or of a column's, limits all outputs. A call without a count on the host
 * does not fail. */
START_TEST(too_little_room_is_told)
{
    static world w;
    columns c;
    const int64_t room = 100;

    for (int way = 0; way < 2; way++) {
        int64_t count = -1;
        int32_t narrow = -1;
        world_begin(_i, way, &w);
        table_join(&w.t, MCL_JOIN_OUTER, M, N);
        columns_begin(w.context, &sets[2], ROOM, &c);
        c.list[1][6].out.capacity = room;
        test_fails(call(&w, &c, MCL_JOIN_OUTER, room + 1, mcl_to_host(MCL_INT64, &count), NULL), MCL_ERROR_CAPACITY,
                   "mcl_join_columns|columns_b[6].out has capacity 100");
        ck_assert_int_eq(count, w.t.count);
        columns_expect(w.queue, &c, &w.t, 1, room);
        columns_end(&c);
        columns_begin(w.context, &sets[3], ROOM, &c);
        test_ok(call(&w, &c, MCL_JOIN_OUTER, room, mcl_to_slot(MCL_INT32, w.slots, 3), NULL));
        test_ok(mcl_buffer_read(w.queue, w.slots, 3 * sizeof narrow, sizeof narrow, &narrow));
        ck_assert_int_eq(narrow, w.t.count);
        columns_expect(w.queue, &c, &w.t, 1, room);
        c.list[0][1].out.capacity = 0;
        test_ok(call(&w, &c, MCL_JOIN_OUTER, room, mcl_to_host(MCL_INT64, &count), NULL));
        ck_assert_int_eq(count, w.t.count);
        columns_end(&c);
        world_end(&w);
    }
}
END_TEST

/* Neither side has keys, or one has none, or counts in slots are below the bounds. Columns of a side without keys have
 * no memory. */
START_TEST(sides_may_be_empty)
{
    static world w;
    columns c;
    static const int sizes[][SIDES] = { { 0, 0 }, { 0, N }, { M, 0 }, { M / 3, N / 2 } };
    const int64_t none = 0;

    for (int round = 0; round < 2 * 4 * 2; round++) {
        const int way = round % 2;
        const int kind = round / 8 ? MCL_JOIN_OUTER : MCL_JOIN_RIGHT;
        const int *const size = sizes[round / 2 % 4];
        const int64_t numbers[] = { size[0], size[1], -1, -1 };
        int64_t count = -1;
        world_begin(_i, way, &w);
        test_ok(mcl_buffer_write(w.queue, w.slots, 0, sizeof numbers, numbers));
        table_join(&w.t, kind, size[0], size[1]);
        columns_begin(w.context, &sets[round % 3], ROOM, &c);
        mcl_input a = mcl_with_count(ints(w.a, M), w.slots, 0);
        mcl_input b = mcl_with_count(ints(w.b, N), w.slots, 1);
        if (size[0] == 0) a = ints(NULL, 0);
        if (size[1] == 0) b = ints(NULL, 0);
        for (int side = 0; side < SIDES; side++)
            for (int k = 0; k < c.counts[side] && size[side] == none; k++)
                c.list[side][k].in = mcl_from_buffer(c.list[side][k].in.type, NULL, 0, 0);
        test_ok(mcl_join_columns(w.queue, (mcl_join_kind)kind, a, b, c.list[0], c.counts[0], c.list[1], c.counts[1],
                                 guarded_out(&c.keys, ROOM), MCL_LESS,
                                 mcl_to_host_and_slot(MCL_INT64, &count, w.slots, 2), NULL));
        ck_assert_int_eq(count, w.t.count);
        columns_expect(w.queue, &c, &w.t, 1, count);
        columns_end(&c);
        world_end(&w);
    }
}
END_TEST

/* An output that is left out is not stored and limits nothing. Without any output rows are counted. */
START_TEST(outputs_may_be_left_out)
{
    static world w;
    columns c;
    const mcl_output none = { .type = NULL };

    for (int way = 0; way < 2; way++) {
        int64_t count = -1;
        world_begin(_i, way, &w);
        table_join(&w.t, MCL_JOIN_LEFT, M, N);
        columns_begin(w.context, &sets[2], ROOM, &c);
        mcl_join_column *const kept = &c.list[0][2];
        for (int side = 0; side < SIDES; side++)
            for (int k = 0; k < c.counts[side]; k++)
                if (&c.list[side][k] != kept) c.list[side][k].out = none;
        test_ok(mcl_join_columns(w.queue, MCL_JOIN_LEFT, ints(w.a, M), ints(w.b, N), c.list[0], c.counts[0], c.list[1],
                                 c.counts[1], none, MCL_LESS, mcl_to_nowhere(), NULL));
        for (int k = 0; k < c.counts[1]; k++) guarded_unchanged(w.queue, &c.out[1][k], "a column of b");
        guarded_unchanged(w.queue, &c.keys, "out_keys");
        guarded_unchanged(w.queue, &c.out[0][1], "a column of a");
        uint8_t got[ROOM];
        test_ok(mcl_buffer_read(w.queue, c.out[0][2].buffer, (size_t)c.out[0][2].first, (size_t)w.t.count, got));
        for (int64_t k = 0; k < w.t.count; k++) ck_assert_int_eq(got[k], column_byte(0, 2, w.t.rows[k].a, 0));
        kept->out = none;
        test_ok(mcl_join_columns(w.queue, MCL_JOIN_LEFT, ints(w.a, M), ints(w.b, N), c.list[0], c.counts[0], NULL, 0,
                                 none, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
        ck_assert_int_eq(count, w.t.count);
        columns_end(&c);
        world_end(&w);
    }
}
END_TEST

/* Keys with the caller's own order are sorted by merging. */
START_TEST(keys_may_be_expressions_in_any_order)
{
    static world w;
    columns c;
    const mcl_op downwards = { .role = MCL_ROLE_ORDER, .expression = "q < p" };

    for (int way = 0; way < 2; way++) {
        int64_t count = -1;
        world_begin(_i, way, &w);
        for (int k = 0; k < M; k++) w.t.a[k] = -(k % 50);
        for (int k = 0; k < N; k++) w.t.b[k] = -(k % 70);
        table_join(&w.t, MCL_JOIN_OUTER, M, N);
        columns_begin(w.context, &sets[0], ROOM, &c);
        test_ok(mcl_join_columns(
            w.queue, MCL_JOIN_OUTER, mcl_from_expression(MCL_INT32, "(int32_t)(i % 50)", NULL, NULL, 0, M),
            mcl_from_expression(MCL_INT32, "(int32_t)(i % 70)", NULL, NULL, 0, N), c.list[0], 2, c.list[1], 2,
            (mcl_output){ .type = NULL }, &downwards, mcl_to_host(MCL_INT64, &count), NULL));
        ck_assert_int_eq(count, w.t.count);
        /* rows come from the highest key down, which are the host's negative keys from the lowest up */
        uint32_t got[ROOM];
        test_ok(mcl_buffer_read(w.queue, c.out[0][0].buffer, (size_t)c.out[0][0].first * sizeof *got,
                                (size_t)count * sizeof *got, got));
        for (int64_t k = 0; k < count; k++) {
            uint32_t expected = 0;
            for (size_t b = 0; b < sizeof expected && w.t.rows[k].a >= 0; b++)
                expected |= (uint32_t)column_byte(0, 0, w.t.rows[k].a, b) << 8 * b;
            ck_assert_uint_eq(got[k], expected);
        }
        columns_end(&c);
        world_end(&w);
    }
}
END_TEST

START_TEST(errors_name_the_column)
{
    static world w;
    columns c;
    int64_t count = -1;
    const mcl_result to = mcl_to_host(MCL_INT64, &count);
    const mcl_options tiny = { .sort_method = MCL_SORT_RADIX };

    world_begin(_i, 2, &w);
    columns_begin(w.context, &sets[2], ROOM, &c);
    const mcl_join_column good = c.list[1][5];
    mcl_join_column *const bad = &c.list[1][5];
#define FAILS(status, words)                                                                                           \
    test_fails(call(&w, &c, MCL_JOIN_INNER, ROOM, to, NULL), status, "mcl_join_columns|" words);                       \
    *bad = good
    bad->out.type = MCL_UINT8;
    FAILS(MCL_ERROR_TYPE, "columns_b[5].out is uint8_t|columns_b[5].in");
    bad->in.count = N - 1;
    FAILS(MCL_ERROR_ARGUMENT, "columns_b[5].in|259|260");
    bad->in = mcl_from_constant(MCL_INT8, c.null_value, N);
    FAILS(MCL_ERROR_ARGUMENT, "columns_b[5].in is an expression; expected a buffer (mcl_transform");
    bad->out = c.list[1][6].out;
    FAILS(MCL_ERROR_ARGUMENT, "columns_b[6].out overlaps columns_b[5].out");
    bad->out = c.list[1][0].out;
    FAILS(MCL_ERROR_ARGUMENT, "overlaps columns_b[");
    bad->out.buffer = c.in[0][0];
    bad->out.offset = 0;
    bad->out.capacity = M;
    FAILS(MCL_ERROR_ARGUMENT, "columns_b[5].out overlaps columns_a[0].in");
    bad->out.buffer = w.a;
    bad->out.offset = 0;
    bad->out.capacity = M;
    FAILS(MCL_ERROR_ARGUMENT, "columns_b[5].out overlaps a");
    test_fails(call(&w, &c, 6, ROOM, to, NULL), MCL_ERROR_ARGUMENT, "mcl_join_columns: kind is 6");
    c.counts[1] = -1;
    test_fails(call(&w, &c, MCL_JOIN_INNER, ROOM, to, NULL), MCL_ERROR_ARGUMENT,
               "mcl_join_columns: columns_b is given and column_count_b -1");
    test_ok(call(&w, &c, MCL_JOIN_SEMI, ROOM, to, &tiny));
    c.counts[1] = 0;
    test_fails(mcl_join_columns(w.queue, MCL_JOIN_INNER, ints(w.a, M), ints(w.b, N), NULL, 2, NULL, 0,
                                guarded_out(&c.keys, ROOM), MCL_LESS, to, NULL),
               MCL_ERROR_ARGUMENT, "mcl_join_columns: columns_a is NULL and column_count_a 2");
    test_fails(mcl_join_columns(w.queue, MCL_JOIN_INNER, ints(w.a, M), ints(w.b, N), c.list[0], 1, NULL, 0,
                                ints_out(w.b, N), MCL_LESS, to, NULL),
               MCL_ERROR_ARGUMENT, "mcl_join_columns: out_keys overlaps b");
    columns_end(&c);
    world_end(&w);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, join_columns_equals_the_loop, device, run_case_rounds(&join_columns_case));
    test_add(tcase, columns_are_those_of_the_rows, device);
    test_add(tcase, much_room_changes_nothing, device);
    test_add(tcase, too_little_room_is_told, device);
    test_add(tcase, sides_may_be_empty, device);
    test_add(tcase, outputs_may_be_left_out, device);
    test_add(tcase, keys_may_be_expressions_in_any_order, device);
    test_add(tcase, errors_name_the_column, device);
}

int main(void)
{
    return test_main("join_columns", add);
}
