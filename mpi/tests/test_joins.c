/* test_joins.c: tests joins with rows in any order (MCL_UNORDERED) against a plain loop. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1500, ROOM = 24000, KEY_BYTES = 8 };

/* The keys of the two sides of a case. Most keys of a hot side are equal. */
typedef enum pattern {
    FEW_COPIES,
    NO_MATCH,
    HOT_A,
    HOT_B,
    HOT_BOTH,
    HOT_ALONE, /* a hot key in each side that the other side does not have */
    HOT_EVEN,  /* hot keys at even indices */
    HOT_FEW,   /* hot keys on many ranks, with fewer copies than ranks */
    SMALL_A,
    SMALL_B,
    SMALL_UNEVEN, /* a small side, and a large side that is all on one rank */
    NEARLY_EMPTY,
    PATTERNS
} pattern;

static uint32_t number_of(pattern of, int is_b, int64_t k, uint64_t random)
{
    const uint32_t rest = (uint32_t)(random >> 8) % 1000;
    const int is_tenth = random % 10 == 0;
    switch (of) {
    case NO_MATCH:
        return 2 * rest + (uint32_t)is_b;
    case HOT_A:
        return !is_b && !is_tenth ? 7 : is_b && k < 3 ? 7 : rest;
    case HOT_B:
        return is_b && !is_tenth ? 7 : !is_b && k < 3 ? 7 : rest;
    case HOT_BOTH:
        return k % 11 == 0 ? 7 : rest;
    case HOT_ALONE:
        return is_tenth ? rest : 2000 + (uint32_t)is_b;
    case HOT_FEW:
        return k < 6 - is_b ? 7 : rest + 8;
    case HOT_EVEN:
        return !is_b && k % 2 == 0 ? 7 : is_b && k == 0 ? 7 : rest;
    default:
        return rest % 300;
    }
}

static int64_t count_of(pattern of, int is_b)
{
    if (of == SMALL_A) return is_b ? MOST : 40;
    if (of == SMALL_B || of == SMALL_UNEVEN) return is_b ? 30 : MOST;
    if (of == NEARLY_EMPTY) return is_b ? 5 : 0;
    return is_b ? MOST / 2 : MOST;
}

/* Returns a number as a key that fits the type, also in one byte. Signed types also get negative keys. */
static int64_t as_key(const mcl_type *type, uint32_t number)
{
    const int64_t wide = type->size == 1 ? number % 120 : number;
    return type->kind == MCL_KIND_UNSIGNED ? wide : wide - 60;
}

static void put_key(const mcl_type *type, int64_t key, unsigned char *to)
{
    const int8_t one = (int8_t)key;
    const int16_t two = (int16_t)key;
    const int32_t four = (int32_t)key;
    const double real = (double)key;
    const void *const bytes = type->kind == MCL_KIND_FLOAT ? (const void *)&real
                              : type->size == 1            ? (const void *)&one
                              : type->size == 2            ? (const void *)&two
                              : type->size == 4            ? (const void *)&four
                                                           : (const void *)&key;
    memcpy(to, bytes, type->size);
}

static cut_kind cut_of(const ranks_test *test, pattern of, int is_b)
{
    if (of == SMALL_UNEVEN) return CUT_FIRST;
    return of == SMALL_A || of == SMALL_B ? CUT_EVEN : (cut_kind)(((int)of + is_b + test->size) % CUT_KINDS);
}

static spread side_of(ranks_test *test, const mcl_type *type, pattern of, int is_b, cut_kind cut, int64_t *keys)
{
    static _Thread_local unsigned char whole[MOST * KEY_BYTES];
    const int64_t count = count_of(of, is_b);
    uint64_t seed = (uint64_t)of * 2 + (uint64_t)is_b;
    for (int64_t k = 0; k < count; ++k) {
        keys[k] = as_key(type, number_of(of, is_b, k, random_next(&seed)));
        put_key(type, keys[k], whole + (size_t)k * type->size);
    }
    return spread_make(test, type, whole, count, cut);
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

typedef struct rows {
    int64_t count;
    uint64_t sum; /* sum that differs for different sets of rows, but not for another order */
} rows;

static void add_row(rows *to, int64_t a, int64_t b)
{
    uint64_t state = (uint64_t)a * 0x100000001b3u + (uint64_t)b;
    to->sum += random_next(&state);
    ++to->count;
}

static int has_b(mcl_join_kind kind)
{
    return kind != MCL_JOIN_SEMI && kind != MCL_JOIN_ANTI;
}

static rows join_whole(mcl_join_kind kind, const int64_t *a, int64_t a_count, const int64_t *b, int64_t b_count)
{
    unsigned char *const is_met = calloc(MOST, 1);
    rows to = { 0, 0 };
    for (int64_t i = 0; i < a_count; ++i) {
        int64_t partners = 0;
        for (int64_t j = 0; j < b_count; ++j) {
            if (a[i] != b[j]) continue;
            ++partners;
            is_met[j] = 1;
            if (has_b(kind)) add_row(&to, i, j);
        }
        if (partners == 0 && (kind == MCL_JOIN_LEFT || kind == MCL_JOIN_OUTER)) add_row(&to, i, -1);
        if (!has_b(kind) && (partners > 0) == (kind == MCL_JOIN_SEMI)) add_row(&to, i, 0);
    }
    for (int64_t j = 0; j < b_count; ++j)
        if (!is_met[j] && (kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER)) add_row(&to, -1, j);
    free(is_met);
    return to;
}

static void expect_rows(ranks_test *test, const rows *expected, const room *out_a, const room *out_b, int64_t own,
                        const char *name)
{
    int64_t *const a = calloc(ROOM, sizeof *a), *const b = calloc(ROOM, sizeof *b);
    rows got = { 0, 0 };
    if (own > ROOM) own = 0;
    expect_core(test, mcl_buffer_read(test->queue, out_a->buffer, (size_t)out_a->offset * 8, (size_t)own * 8, a), name);
    if (out_b)
        expect_core(test, mcl_buffer_read(test->queue, out_b->buffer, (size_t)out_b->offset * 8, (size_t)own * 8, b),
                    name);
    for (int64_t k = 0; k < own; ++k) add_row(&got, a[k], b[k]);
    expect_true(test, (uint64_t)sum_of_all(test, (int64_t)got.sum) == expected->sum, name);
    expect_true(test, sum_of_all(test, own) == expected->count, name);
    expect_guards(test, out_a, own);
    if (out_b) expect_guards(test, out_b, own);
    free(a);
    free(b);
}

/* Makes a join and checks its rows. Returns the number of rows on this rank. */
static int64_t join_case(ranks_test *test, const mcl_type *type, pattern of, mcl_join_kind kind, const mcl_op *before)
{
    static _Thread_local int64_t a_keys[MOST], b_keys[MOST];
    const mcl_options any_order = { .flags = MCL_UNORDERED };
    char name[96];
    spread a = side_of(test, type, of, 0, cut_of(test, of, 0), a_keys),
           b = side_of(test, type, of, 1, cut_of(test, of, 1), b_keys);
    const rows expected = join_whole(kind, a_keys, a.count, b_keys, b.count);
    room out_a = room_make(test, MCL_INT64, ROOM), out_b = room_make(test, MCL_INT64, ROOM);
    int64_t own = -1, whole = -1;
    snprintf(name, sizeof name, "unordered join of kind %d, pattern %d, of %s", (int)kind, (int)of, type->name);
    expect_ok(test,
              mcl_mpi_join_unsorted(test->mpi, kind, spread_input(&a), spread_input(&b), room_output(&out_a),
                                    room_output(&out_b), before, mcl_to_host(MCL_INT64, &own),
                                    mcl_to_host(MCL_INT64, &whole), &any_order),
              name);
    expect_true(test, whole == expected.count, name);
    expect_rows(test, &expected, &out_a, has_b(kind) ? &out_b : NULL, own, name);
    room_free(&out_a);
    room_free(&out_b);
    spread_free(&a);
    spread_free(&b);
    return own;
}

/* ---- hot keys ---------------------------------------------------------------------------------------------- */

/* Checks that the rows of a hot key are spread over all ranks. */
static void expect_spread(ranks_test *test, pattern of, mcl_join_kind kind, int64_t own)
{
    const int64_t share = sum_of_all(test, own) / test->size;
    expect_true(test, most_of_all(test, own) * 2 <= share * 3, "rows of a hot key are on all ranks");
    if (most_of_all(test, own) * 2 > share * 3 && test->rank == 0)
        fprintf(stderr, "  pattern %d, kind %d\n", (int)of, (int)kind);
}

/* Counts the rows of a join on new ranks, and returns their info: the bytes held and sent for this join alone. */
static mcl_mpi_info cost_of_join(ranks_test *test, pattern of, mcl_join_kind kind)
{
    static _Thread_local int64_t keys[MOST];
    const mcl_options any_order = { .flags = MCL_UNORDERED };
    const mcl_output none = { 0 };
    spread a = side_of(test, MCL_INT32, of, 0, CUT_EVEN, keys), b = side_of(test, MCL_INT32, of, 1, CUT_EVEN, keys);
    mcl_mpi *ranks = NULL;
    mcl_mpi_info info = { .device_bytes = 0 };
    expect_ok(test, make_ranks(test, test->queue, MCL_MPI_AUTO, &ranks), "ranks");
    expect_ok(test,
              mcl_mpi_join_unsorted(ranks, kind, spread_input(&a), spread_input(&b), none, none, MCL_LESS,
                                    mcl_to_nowhere(), mcl_to_nowhere(), &any_order),
              "rows are counted");
    expect_ok(test, mcl_mpi_get_info(ranks, &info), "what ranks hold");
    mcl_mpi_release(ranks);
    info.device_bytes = most_of_all(test, info.device_bytes);
    info.bytes_sent = sum_of_all(test, info.bytes_sent);
    spread_free(&a);
    spread_free(&b);
    return info;
}

/* ---- calls without some outputs, and wrong calls ----------------------------------------------------------- */

static void other_outputs(ranks_test *test)
{
    static _Thread_local int64_t a_keys[MOST], b_keys[MOST];
    const mcl_options any_order = { .flags = MCL_UNORDERED };
    const mcl_output none = { 0 };
    spread a = side_of(test, MCL_INT32, FEW_COPIES, 0, CUT_EVEN, a_keys),
           b = side_of(test, MCL_INT32, FEW_COPIES, 1, CUT_RANDOM, b_keys);
    const rows expected = join_whole(MCL_JOIN_INNER, a_keys, a.count, b_keys, b.count);
    room few = room_make(test, MCL_INT64, 3);
    int64_t whole = -1;
    const mcl_result nowhere = mcl_to_nowhere(), all = mcl_to_host(MCL_INT64, &whole);
    expect_ok(test,
              mcl_mpi_join_unsorted(test->mpi, MCL_JOIN_INNER, spread_input(&a), spread_input(&b), none, none, MCL_LESS,
                                    nowhere, all, &any_order),
              "rows are counted");
    expect_true(test, whole == expected.count, "rows are counted");
    expect_failure(test,
                   mcl_mpi_join_unsorted(test->mpi, MCL_JOIN_INNER, spread_input(&a), spread_input(&b), none,
                                         room_output(&few), MCL_LESS, nowhere, all, &any_order),
                   MCL_ERROR_CAPACITY, "mcl_mpi_join_unsorted: rank ", "too many rows");
    expect_guards(test, &few, 3);
    room_free(&few);
    spread_free(&a);
    spread_free(&b);
}

static void refused(ranks_test *test)
{
    const int32_t zero = 0;
    const mcl_input keys = mcl_from_counting(MCL_INT32, &zero, 100);
    const mcl_options own = { .flags = test->rank == 0 ? MCL_UNORDERED : 0 };
    const mcl_output none = { 0 };
    if (test->size == 1) return;
    expect_failure(test,
                   mcl_mpi_join_unsorted(test->mpi, MCL_JOIN_INNER, keys, keys, none, none, MCL_LESS, mcl_to_nowhere(),
                                         mcl_to_nowhere(), &own),
                   MCL_ERROR_PRECONDITION, "flags", "one rank asks for an order");
}

/* ---- suite ------------------------------------------------------------------------------------------------- */

static void hot_cases(ranks_test *test)
{
    static const struct {
        pattern of;
        mcl_join_kind kind;
    } cases[] = { { HOT_A, MCL_JOIN_INNER },     { HOT_A, MCL_JOIN_LEFT },       { HOT_A, MCL_JOIN_SEMI },
                  { HOT_B, MCL_JOIN_INNER },     { HOT_B, MCL_JOIN_RIGHT },      { HOT_ALONE, MCL_JOIN_ANTI },
                  { HOT_ALONE, MCL_JOIN_OUTER }, { SMALL_UNEVEN, MCL_JOIN_LEFT } };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k)
        expect_spread(test, cases[k].of, cases[k].kind,
                      join_case(test, MCL_INT32, cases[k].of, cases[k].kind, MCL_LESS));
    if (!test->by->is_one_process || test->size == 1) return;
    const mcl_mpi_info usual = cost_of_join(test, NO_MATCH, MCL_JOIN_SEMI),
                       alone = cost_of_join(test, HOT_ALONE, MCL_JOIN_SEMI),
                       in_b = cost_of_join(test, HOT_B, MCL_JOIN_SEMI),
                       small = cost_of_join(test, SMALL_B, MCL_JOIN_SEMI);
    expect_true(test, alone.device_bytes * 2 <= usual.device_bytes * 3, "memory with hot keys");
    expect_true(test, in_b.bytes_sent < usual.bytes_sent, "b's copies of a hot key do not travel");
    expect_true(test, small.bytes_sent == 30 * 4 * (test->size - 1), "of a small b the keys alone travel");
}

void test_joins(ranks_test *test)
{
    const mcl_type *const types[] = { MCL_INT64, MCL_UINT8, MCL_INT16, MCL_UINT64, MCL_INT8, MCL_DOUBLE };
    static const mcl_join_kind kinds[] = { MCL_JOIN_OUTER, MCL_JOIN_INNER, MCL_JOIN_SEMI };
    /* threads compile each program only once, so they run all cases */
    if (!test->by->is_one_process && ((test->size != 3 && test->size != 7) || !takes_turn(test, 1))) return;
    other_outputs(test);
    refused(test);
    for (int of = 0; of < PATTERNS; ++of)
        for (int kind = MCL_JOIN_INNER; kind <= MCL_JOIN_ANTI; ++kind)
            join_case(test, MCL_INT32, (pattern)of, (mcl_join_kind)kind, kind % 2 ? MCL_LESS : MCL_GREATER);
    hot_cases(test);
    for (int k = 0; k < 6; ++k) {
        if (test->size > 4 && k > 1) continue; /* with many ranks each rank compiles a split of its own */
        join_case(test, types[k], FEW_COPIES, kinds[k % 3], MCL_LESS);
        join_case(test, types[k], types[k]->size > 1 ? HOT_A : SMALL_B, kinds[k % 3], MCL_LESS);
    }
}
