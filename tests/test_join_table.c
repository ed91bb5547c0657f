/* test_join_table.c: compares joins by a table with joins that sort both sides. The rows must be equal, and so must
 * their order but for MCL_UNORDERED. passes 2 requests the sort where the order counts. */
#include "support/arrays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 9000, SMALL = 400, MANY = 3000, ROOM = 40000, GUARD = 64, SPAN_ALL = 1 << 30 };

/* Rows of tuning by which the smallest calls join by tables. With rows_of_buckets keys go through buckets from 128 keys
 * of the smaller side on. */
#define ROWS_OF_TABLES "join.table_least_serial \"\" 1\njoin.table_ratio_serial \"\" 1\n"
static const char rows_of_tables[] = ROWS_OF_TABLES;
static const char rows_of_buckets[] = ROWS_OF_TABLES "join.bucket_keys_serial \"\" 1\n";

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
} world;

static void world_begin(int device, const char *rows, world *w)
{
    w->context = test_context_of_rows(device, rows);
    test_ok(mcl_queue_create(w->context, 0, &w->queue));
}

static void world_end(world *w)
{
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

static mcl_buffer *buffer_of(const world *w, const void *data, size_t bytes)
{
    mcl_buffer *made = NULL;

    test_ok(mcl_buffer_create(w->context, bytes, data, &made));
    return made;
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

typedef struct pattern {
    const char *name;
    int32_t span;        /* bound of the keys in [0, span); 1: all are equal */
    int every_second_is; /* key that half of the large side has; 0: none */
    uint32_t factor;     /* factor by which keys are multiplied */
} pattern;

/* The patterns of keys. The last factor is the inverse of the factor by which tables hash, so that all keys want the
 * same slot. */
static const pattern patterns[] = {
    { "few keys", 40, 0, 1 },
    { "keys that rarely meet", SPAN_ALL, 0, 1 },
    { "keys with partners", 500, 0, 1 },
    { "all equal", 1, 0, 1 },
    { "a hot key", 300, 7, 1 },
    { "negative keys", 300, 0, 0x90000001u },
    { "one slot", 350, 0, 0xb39d557u },
};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

/* Makes a float key. Zeros of both signs are equal, and so are NaN of both signs. */
static void float_make(const mcl_type *type, uint64_t key, int is_negative, unsigned char *out)
{
    const int32_t number = (int32_t)(uint32_t)key;
    const double sign = is_negative ? -1 : 1;
    const double real = copysign(number == 1 ? NAN : number / 4.0, number == 0 || number == 1 ? sign : number);
    const float narrow = (float)real;

    if (type->size == 8)
        memcpy(out, &real, sizeof real);
    else
        memcpy(out, &narrow, sizeof narrow);
}

/* Makes keys as numbers of any size, from the lowest bytes of each number. */
static void keys_make(const pattern *of, const mcl_type *type, int64_t count, uint64_t seed, int is_large,
                      unsigned char *out)
{
    static int32_t drawn[LARGE];

    random_ints(drawn, count, of->span, seed, 0);
    for (int64_t k = 0; k < count; k++) {
        uint64_t key = (uint32_t)drawn[k] * of->factor;
        if (is_large && of->every_second_is && k % 2) key = (uint64_t)of->every_second_is;
        if (type->size == 8) key |= key << 40;
        if (type->kind == MCL_KIND_FLOAT)
            float_make(type, key, k % 2 != 0, out + (size_t)k * type->size);
        else
            memcpy(out + (size_t)k * type->size, &key, type->size);
    }
}

typedef struct sides {
    mcl_buffer *a, *b, *slots;
    mcl_input in_a, in_b;
} sides;

/* Makes both sides. is_counted: 1 where the counts are on the device, and below their bounds. */
static void sides_begin(const world *w, const pattern *of, const mcl_type *type, int64_t m, int64_t n, int is_counted,
                        sides *s)
{
    static unsigned char keys[LARGE * 8];
    const int64_t counts[] = { m - m / 8, n - n / 8 };

    keys_make(of, type, m, 3, m >= n, keys);
    s->a = buffer_of(w, keys, (size_t)m * type->size);
    keys_make(of, type, n, 4, n > m, keys);
    s->b = buffer_of(w, keys, (size_t)n * type->size);
    s->slots = buffer_of(w, counts, sizeof counts);
    s->in_a = mcl_from_buffer(type, s->a, 0, m);
    s->in_b = mcl_from_buffer(type, s->b, 0, n);
    if (!is_counted) return;
    s->in_a = mcl_with_count(s->in_a, s->slots, 0);
    s->in_b = mcl_with_count(s->in_b, s->slots, 1);
}

static void sides_end(sides *s)
{
    mcl_buffer_release(s->a);
    mcl_buffer_release(s->b);
    mcl_buffer_release(s->slots);
}

/* ---- both ways --------------------------------------------------------------------------------------------------- */

/* The results of a call, with the memory after them. */
typedef struct result {
    int32_t a[ROOM + GUARD], b[ROOM + GUARD];
    int64_t count;
} result;

/* Joins. which: bits of the outputs that are wanted. */
static void join(const world *w, const sides *s, mcl_join_kind kind, const mcl_op *before, int64_t room, int which,
                 const mcl_options *options, result *out)
{
    memset(out, 0x5a, sizeof *out);
    mcl_buffer *to_a = buffer_of(w, out->a, sizeof out->a), *to_b = buffer_of(w, out->b, sizeof out->b);
    const int64_t none = -1;
    mcl_buffer *slot = buffer_of(w, &none, sizeof none);
    const mcl_output out_a = which & 1 ? ints_out(to_a, room) : (mcl_output){ .type = NULL };
    const mcl_output out_b = which & 2 ? ints_out(to_b, room) : (mcl_output){ .type = NULL };
    test_ok(mcl_join_unsorted(w->queue, kind, s->in_a, s->in_b, out_a, out_b, before, mcl_to_slot(MCL_INT64, slot, 0),
                              options));
    test_ok(mcl_buffer_read(w->queue, to_a, 0, sizeof out->a, out->a));
    test_ok(mcl_buffer_read(w->queue, to_b, 0, sizeof out->b, out->b));
    test_ok(mcl_buffer_read(w->queue, slot, 0, sizeof out->count, &out->count));
    mcl_buffer_release(to_a);
    mcl_buffer_release(to_b);
    mcl_buffer_release(slot);
}

static void compare(const world *w, const sides *s, mcl_join_kind kind, const mcl_op *before, int64_t room, int which,
                    int flags, const char *what)
{
    static result by_table, by_sorts;
    const mcl_options table = { .flags = (unsigned)flags, .tile_threads = 1 };
    const mcl_options sorts = { .flags = (unsigned)flags, .tile_threads = 1, .passes = 2 };

    join(w, s, kind, before, room, which, &table, &by_table);
    join(w, s, kind, before, room, which, &sorts, &by_sorts);
    ck_assert_msg(by_table.count == by_sorts.count, "%s: %lld rows by a table, %lld by sorts", what,
                  (long long)by_table.count, (long long)by_sorts.count);
    for (int k = 0; k < ROOM + GUARD; k++)
        ck_assert_msg(by_table.a[k] == by_sorts.a[k] && by_table.b[k] == by_sorts.b[k],
                      "%s, kind %d: row %d of %lld is (%d, %d) by a table, (%d, %d) by sorts", what, (int)kind, k,
                      (long long)by_table.count, by_table.a[k], by_table.b[k], by_sorts.a[k], by_sorts.b[k]);
}

/* Returns 1 where a round is taken. Simulators take seconds for a sort, and some compilers for a program, so small
 * tests take a sample. */
static int takes(int round, int rounds)
{
    return !test_is_small() || test_sample_takes(round, rounds);
}

/* Returns 1 where a step of a round is taken: half of them, but for small tests, whose rounds are few. */
static int takes_step(int step)
{
    return test_is_small() || test_takes_half(step);
}

static void compare_sizes(int device, const char *rows)
{
    /* With MANY keys most searches end in their first slot, and keys are placed with their lines fetched first. */
    static const int64_t sizes[][2] = { { LARGE, SMALL }, { SMALL, LARGE }, { 700, 700 },
                                        { 300, 1 },       { 5, 2000 },      { LARGE, MANY } };
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    const mcl_type *const types[] = { MCL_INT32, MCL_UINT64, MCL_UINT8, MCL_FLOAT };
    world w;
    sides s;

    world_begin(device, rows, &w);
    for (int size = 0; size < SIZES; size++)
        for (int k = 0; k < PATTERNS; k++) {
            const int turn = size + k;
            if (!takes(size * PATTERNS + k, SIZES * PATTERNS) || !takes_step(size / 2 + k)) continue;
            sides_begin(&w, &patterns[k], types[turn % 4], sizes[size][0], sizes[size][1], turn % 3 == 0, &s);
            compare(&w, &s, MCL_JOIN_INNER, turn % 2 ? MCL_GREATER : MCL_LESS, ROOM, 3, turn % 5 ? 0 : MCL_INDEX_64,
                    patterns[k].name);
            compare(&w, &s, MCL_JOIN_SEMI, turn % 2 ? MCL_LESS : MCL_GREATER, ROOM, 1, 0, patterns[k].name);
            sides_end(&s);
        }
    world_end(&w);
}

START_TEST(a_table_gives_the_rows_of_sorts)
{
    compare_sizes(_i, rows_of_tables);
}
END_TEST

START_TEST(buckets_give_the_rows_of_sorts)
{
    compare_sizes(_i, rows_of_buckets);
}
END_TEST

/* Compares all kinds, also those in which keys of the small side have rows without a partner. Rows of b alone come
 * last. */
static void compare_kinds(int device, const char *rows)
{
    static const mcl_join_kind kinds[] = { MCL_JOIN_LEFT, MCL_JOIN_SEMI, MCL_JOIN_ANTI };
    mcl_device_info info;
    world w;
    sides s;

    world_begin(device, rows, &w);
    test_ok(mcl_context_info(w.context, &info));
    for (int k = 0; k < PATTERNS; k++) {
        const mcl_type *const real = info.has_double ? MCL_DOUBLE : MCL_FLOAT;
        const mcl_op *const before = k % 2 ? MCL_GREATER : MCL_LESS;
        if (!takes(k, PATTERNS)) continue;
        sides_begin(&w, &patterns[k], k % 2 ? real : MCL_INT32, k % 2 ? SMALL : 30, 5000, k % 3 == 0, &s);
        for (int kind = 0; kind < 3; kind++) {
            if (!takes_step(k / 2 + kind)) continue;
            compare(&w, &s, kinds[kind], before, ROOM, kind == 0 ? 3 : 1, 0, patterns[k].name);
            compare(&w, &s, kinds[kind], before, 17, kind == 0 ? 3 : 1, 0, patterns[k].name);
        }
        sides_end(&s);
        sides_begin(&w, &patterns[k], k % 2 ? real : MCL_INT32, 5000, k % 2 ? SMALL : 30, k % 3 == 0, &s);
        for (int which = 1; which < 4; which++)
            if (takes_step(k / 2 + which))
                compare(&w, &s, MCL_JOIN_RIGHT, before, which == 2 ? 17 : ROOM, which, 0, patterns[k].name);
        sides_end(&s);
    }
    world_end(&w);
}

START_TEST(a_table_gives_the_rows_of_each_kind)
{
    compare_kinds(_i, rows_of_tables);
}
END_TEST

START_TEST(buckets_give_the_rows_of_each_kind)
{
    compare_kinds(_i, rows_of_buckets);
}
END_TEST

/* Compares joins with less room than rows, with one output alone, and with none. */
static void compare_rooms(int device, const char *rows)
{
    static const int64_t rooms[] = { 0, 1, 777, 5000 };
    world w;
    sides s;

    world_begin(device, rows, &w);
    for (int k = 0; k < PATTERNS; k++) {
        if (!takes(k, PATTERNS)) continue;
        sides_begin(&w, &patterns[k], MCL_INT32, k % 2 ? 3000 : 200, k % 2 ? 200 : 3000, 0, &s);
        for (int room = 0; room < 4; room++)
            if (takes_step(k / 2 + room / 2))
                compare(&w, &s, MCL_JOIN_INNER, MCL_LESS, rooms[room], (k + room) % 4, 0, patterns[k].name);
        sides_end(&s);
    }
    world_end(&w);
}

START_TEST(a_table_stores_what_there_is_room_for)
{
    compare_rooms(_i, rows_of_tables);
}
END_TEST

START_TEST(buckets_store_what_there_is_room_for)
{
    compare_rooms(_i, rows_of_buckets);
}
END_TEST

/* Joins by counts on the device that are zero. */
static void join_none(int device, const char *rows)
{
    world w;
    sides s;
    static result got;
    const int64_t none[] = { 0, 0 };

    world_begin(device, rows, &w);
    for (int side = 0; side < 2; side++) {
        sides_begin(&w, &patterns[0], MCL_INT32, 2000, 200, 1, &s);
        test_ok(mcl_buffer_write(w.queue, s.slots, (size_t)side * sizeof none[0], sizeof none[0], none));
        join(&w, &s, MCL_JOIN_INNER, MCL_LESS, ROOM, 3, NULL, &got);
        ck_assert_int_eq(got.count, 0);
        ck_assert_int_eq(got.a[0], 0x5a5a5a5a);
        sides_end(&s);
    }
    world_end(&w);
}

START_TEST(a_table_of_no_keys_has_no_rows)
{
    join_none(_i, rows_of_tables);
}
END_TEST

START_TEST(buckets_of_no_keys_have_no_rows)
{
    join_none(_i, rows_of_buckets);
}
END_TEST

/* ---- rows in any order ------------------------------------------------------------------------------------------- */

typedef struct pair {
    int32_t a, b;
} pair;

static int compare_pairs(const void *p, const void *q)
{
    const pair *const x = p, *const y = q;

    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Sorts the rows that a result has stored. */
static int64_t pairs_of(const result *of, int64_t room, pair *out)
{
    const int64_t count = of->count < room ? of->count : room;

    for (int64_t k = 0; k < count; k++) out[k] = (pair){ of->a[k], of->b[k] };
    qsort(out, (size_t)count, sizeof *out, compare_pairs);
    return count;
}

/* Compares rows in any order with those of sorts. Where there are more rows than room, the stored ones must be some of
 * them, each once. */
static void compare_unordered(const world *w, const sides *s, mcl_join_kind kind, const mcl_op *before, int64_t room,
                              int which, const mcl_options *options, const char *what)
{
    static result any, sorted;
    static pair got[ROOM], expected[ROOM];
    const mcl_options sorts = { .tile_threads = 1, .passes = 2 };

    join(w, s, kind, before, room, which, options, &any);
    join(w, s, kind, before, ROOM, which, &sorts, &sorted);
    ck_assert_msg(any.count == sorted.count, "%s, kind %d: %lld rows, not %lld", what, (int)kind, (long long)any.count,
                  (long long)sorted.count);
    const int64_t stored = pairs_of(&any, room, got), all = pairs_of(&sorted, ROOM, expected);
    for (int64_t k = stored; k < ROOM + GUARD; k++)
        ck_assert_msg(any.a[k] == 0x5a5a5a5a && any.b[k] == 0x5a5a5a5a, "%s: row %lld was written", what, (long long)k);
    if (sorted.count > ROOM) return; /* which rows there are is not known */
    for (int64_t k = 0, from = 0; k < stored; k++, from++) {
        while (from < all && compare_pairs(&expected[from], &got[k]) < 0 && stored < all) from++;
        ck_assert_msg(from < all && compare_pairs(&expected[from], &got[k]) == 0,
                      "%s, kind %d, threads %d: no row, or twice a row (%d, %d)", what, (int)kind,
                      options->tile_threads, got[k].a, got[k].b);
    }
}

/* Tiles of one work-item and of several. */
static const mcl_options unordered[] = {
    { .flags = MCL_UNORDERED },
    { .flags = MCL_UNORDERED, .tile_threads = 1, .tile_items = 100 },
    { .flags = MCL_UNORDERED, .tile_threads = 64, .tile_items = 5 },
    { .flags = MCL_UNORDERED | MCL_INDEX_64, .tile_threads = 32, .tile_items = 4, .passes = 2 },
    { .flags = MCL_UNORDERED, .tile_threads = 1, .tile_items = 33, .passes = 2 },
};
enum { UNORDERED = sizeof unordered / sizeof unordered[0] };

START_TEST(rows_in_any_order_are_those_of_sorts)
{
    static const int64_t sizes[][2] = { { LARGE, SMALL }, { SMALL, LARGE }, { 700, 700 }, { 3, 1 }, { 5, 2000 } };
    enum { SIZES = sizeof sizes / sizeof sizes[0], KINDS = 6 };
    static const int64_t rooms[] = { ROOM, 777, ROOM, 0 };
    const mcl_type *types[] = { MCL_INT32, MCL_UINT64, MCL_UINT8, MCL_FLOAT, MCL_DOUBLE };
    mcl_device_info info;
    world w;
    sides s;

    world_begin(_i, rows_of_tables, &w);
    test_ok(mcl_context_info(w.context, &info));
    if (!info.has_double) types[4] = MCL_INT64;
    for (int size = 0; size < SIZES; size++)
        for (int k = 0; k < PATTERNS; k++) {
            const int round = size * PATTERNS + k, turn = size + 2 * k;
            if (!takes(round, SIZES * PATTERNS) || !takes_step(size / 2 + k)) continue;
            sides_begin(&w, &patterns[k], types[turn % 5], sizes[size][0], sizes[size][1], turn % 3 == 0, &s);
            for (int kind = 0; kind < KINDS; kind++) {
                const int pairs = kind < MCL_JOIN_SEMI, which = pairs ? 3 - (round + kind) % 4 % 3 : 1;
                /* a sample has one order of each type, whose sorts are most of the programs */
                const int descends = test_sample_step() > 1 ? turn % 5 % 2 : (round + kind) % 2;
                if (test_sample_step() > 1 && kind != round % KINDS) continue;
                compare_unordered(&w, &s, (mcl_join_kind)kind, descends ? MCL_GREATER : MCL_LESS,
                                  rooms[(round + kind) % 4], which, &unordered[(round / 2 + kind) % UNORDERED],
                                  patterns[k].name);
            }
            sides_end(&s);
        }
    world_end(&w);
}
END_TEST

/* Keys that want the same slot are more than a search takes steps. Some have no slot, and are found in the sorted
 * keys. */
START_TEST(keys_without_a_slot_are_found)
{
    world w;
    sides s;

    world_begin(_i, rows_of_tables, &w);
    sides_begin(&w, &patterns[PATTERNS - 1], MCL_INT32, test_is_small() ? 700 : LARGE, SMALL, 0, &s);
    for (int k = 1; k < 3; k++)
        compare_unordered(&w, &s, MCL_JOIN_INNER, MCL_LESS, ROOM, 3, &unordered[k], patterns[PATTERNS - 1].name);
    sides_end(&s);
    world_end(&w);
}
END_TEST

/* One side's keys are not sorted, so the rows follow it. Sorted joins would have the order of keys. */
START_TEST(rows_in_any_order_come_from_a_table)
{
    static result got;
    world w;
    sides s;
    int falls = 0;

    world_begin(_i, rows_of_tables, &w);
    sides_begin(&w, &patterns[2], MCL_INT32, 3000, SMALL, 0, &s);
    for (int without = 0; without < 2; without++) {
        const mcl_options options = { .flags = MCL_UNORDERED | (without ? MCL_DETERMINISTIC : 0), .tile_threads = 1 };
        join(&w, &s, MCL_JOIN_INNER, MCL_LESS, ROOM, 3, &options, &got);
        ck_assert_int_gt(got.count, 100);
        falls = 0;
        for (int k = 1; k < got.count; k++) falls += got.a[k] < got.a[k - 1];
        ck_assert_msg(without ? falls > 0 : falls == 0, "%d rows have a lower index of a than the row before", falls);
    }
    const mcl_options appends = { .flags = MCL_UNORDERED, .append = MCL_APPEND_GROUP_SCAN };
    test_fails(mcl_join_unsorted(w.queue, MCL_JOIN_INNER, s.in_a, s.in_b, (mcl_output){ .type = NULL },
                                 (mcl_output){ .type = NULL }, MCL_LESS, mcl_to_slot(MCL_INT64, s.slots, 0), &appends),
               MCL_ERROR_ARGUMENT, "mcl_join_unsorted|append");
    sides_end(&s);
    world_end(&w);
}
END_TEST

/* Columns whose values are the indices of their rows, so that rows of columns tell which rows they are. */
static void compare_columns(const world *w, const sides *s, int m, int n, mcl_join_kind kind,
                            const mcl_options *options)
{
    static result sorted;
    static pair got[ROOM], expected[ROOM];
    static int32_t index[LARGE], a[ROOM], b[ROOM], keys[ROOM], keys_a[LARGE], keys_b[LARGE];
    const int32_t none = -1;
    int64_t count = -1;

    for (int k = 0; k < LARGE; k++) index[k] = k;
    mcl_buffer *const at = buffer_of(w, index, sizeof index), *const to_a = buffer_of(w, a, sizeof a),
                      *const to_b = buffer_of(w, b, sizeof b), *const to_keys = buffer_of(w, keys, sizeof keys);
    const mcl_join_column of_a[] = { { mcl_from_buffer(MCL_INT32, at, 0, m), ints_out(to_a, ROOM), &none } };
    const mcl_join_column of_b[] = { { mcl_from_buffer(MCL_INT32, at, 0, n), ints_out(to_b, ROOM), &none } };
    const int has_b = kind < MCL_JOIN_SEMI;
    test_ok(mcl_join_columns(w->queue, kind, s->in_a, s->in_b, of_a, 1, of_b, has_b, ints_out(to_keys, ROOM), MCL_LESS,
                             mcl_to_host(MCL_INT64, &count), options));
    const mcl_options sorts = { .passes = 2 };
    join(w, s, kind, MCL_LESS, ROOM, has_b ? 3 : 1, &sorts, &sorted);
    ck_assert_int_eq(count, sorted.count);
    ck_assert_int_le(count, ROOM);
    test_ok(mcl_buffer_read(w->queue, to_a, 0, sizeof a, a));
    test_ok(mcl_buffer_read(w->queue, to_b, 0, sizeof b, b));
    test_ok(mcl_buffer_read(w->queue, to_keys, 0, sizeof keys, keys));
    test_ok(mcl_buffer_read(w->queue, s->a, 0, (size_t)m * sizeof *keys_a, keys_a));
    test_ok(mcl_buffer_read(w->queue, s->b, 0, (size_t)n * sizeof *keys_b, keys_b));
    for (int k = 0; k < count; k++) {
        got[k] = (pair){ a[k], has_b ? b[k] : 0x5a5a5a5a };
        ck_assert_int_eq(keys[k], a[k] >= 0 ? keys_a[a[k]] : keys_b[b[k]]);
    }
    qsort(got, (size_t)count, sizeof *got, compare_pairs);
    pairs_of(&sorted, ROOM, expected);
    for (int k = 0; k < count; k++)
        ck_assert_msg(compare_pairs(&got[k], &expected[k]) == 0, "kind %d: row %d is (%d, %d), not (%d, %d)", (int)kind,
                      k, got[k].a, got[k].b, expected[k].a, expected[k].b);
    mcl_buffer *const all[] = { at, to_a, to_b, to_keys };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) mcl_buffer_release(all[k]);
}

START_TEST(columns_in_any_order_are_those_of_sorts)
{
    world w;
    sides s;

    world_begin(_i, rows_of_tables, &w);
    for (int k = 0; k < 2; k++) {
        const int m = k ? SMALL : 3000, n = k ? 3000 : SMALL;
        if (!takes(k, 2)) continue;
        sides_begin(&w, &patterns[2], MCL_INT32, m, n, 0, &s);
        for (int kind = 0; kind < 6; kind++)
            if (takes_step(k + kind))
                compare_columns(&w, &s, m, n, (mcl_join_kind)kind, &unordered[(k + kind) % UNORDERED]);
        sides_end(&s);
    }
    world_end(&w);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_table_gives_the_rows_of_sorts, device);
    test_add(tcase, buckets_give_the_rows_of_sorts, device);
    test_add(tcase, a_table_gives_the_rows_of_each_kind, device);
    test_add(tcase, buckets_give_the_rows_of_each_kind, device);
    test_add(tcase, a_table_stores_what_there_is_room_for, device);
    test_add(tcase, buckets_store_what_there_is_room_for, device);
    test_add(tcase, a_table_of_no_keys_has_no_rows, device);
    test_add(tcase, buckets_of_no_keys_have_no_rows, device);
    test_add(tcase, rows_in_any_order_are_those_of_sorts, device);
    test_add(tcase, keys_without_a_slot_are_found, device);
    test_add(tcase, rows_in_any_order_come_from_a_table, device);
    test_add(tcase, columns_in_any_order_are_those_of_sorts, device);
}

int main(void)
{
    return test_main("join_table", add);
}
