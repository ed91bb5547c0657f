/* searches.c: tests pieces that search, and the merges and load balancing that use them. */
#include "pieces.h"
#include "golden/golden_check.h"
#include "support/arrays.h"

#include <string.h>

enum { KEYS_MAX = 5 * PIECES_TILE_MAX, FOUND_MAX = 8 * KEYS_MAX };
static int32_t a[KEYS_MAX], b[KEYS_MAX], a_values[KEYS_MAX], b_values[KEYS_MAX], got[FOUND_MAX], expected[FOUND_MAX];
static int32_t other[FOUND_MAX];

/* Two sorted inputs: their keys have few values or many, are all equal, or all keys of a come before those of b. */
typedef struct problem {
    int64_t a_count;
    int64_t b_count;
    mcl_input a;
    mcl_input b;
} problem;

enum { KINDS = 4 };

static problem make_problem(pieces *at, int64_t a_count, int64_t b_count, int kind)
{
    const int32_t spans[KINDS] = { 9, 100000, 1, 50 };
    ck_assert_int_le(a_count, KEYS_MAX);
    ck_assert_int_le(b_count, KEYS_MAX);
    random_ints(a, a_count, spans[kind], 11 + (uint64_t)a_count, 1);
    random_ints(b, b_count, spans[kind], 12 + (uint64_t)b_count, 1);
    for (int64_t k = 0; k < a_count; ++k) a_values[k] = (int32_t)k;
    for (int64_t k = 0; k < b_count; ++k) {
        b_values[k] = 100000 + (int32_t)k;
        if (kind == 3) b[k] += 100;
    }
    return (problem){ a_count, b_count, pieces_input(at, a, a_count), pieces_input(at, b, b_count) };
}

static int64_t bound_of(const int32_t *keys, int64_t count, int32_t key, int upper)
{
    int64_t k = 0;
    while (k < count && (keys[k] < key || (upper && keys[k] == key))) ++k;
    return k;
}

/* ---- bounds and paths --------------------------------------------------------------------------------------- */

static void check_bounds(pieces *at, const problem *p)
{
    const mcl_output found = pieces_output(at, 7 * p->b_count);
    pieces_run(at,
               (mcl_launch){ SEARCHES_BOUNDS,
                             mcl_tile_groups(&at->tile, p->b_count),
                             { mcl_argument_input(&p->a), mcl_argument_input(&p->b), mcl_argument_output(&found) } });
    pieces_read(at, found.buffer, got, 7 * p->b_count);
    for (int64_t k = 0; k < p->b_count; ++k) {
        const int32_t lower = (int32_t)bound_of(a, p->a_count, b[k], 0);
        expected[k] = lower;
        expected[p->b_count + k] = (int32_t)bound_of(a, p->a_count, b[k], 1);
        for (int levels = 0; levels <= 4; ++levels) expected[(2 + levels) * p->b_count + k] = lower;
    }
    pieces_same(got, expected, 7 * p->b_count, "bounds", p->b_count);
}

/* Walks along the merge. On the balanced path each copy of a key in a is followed by its partner in b. */
static void expect_paths(const problem *p)
{
    const int64_t total = p->a_count + p->b_count, diagonals = total + 1;
    int64_t i = 0, upper_i = 0, paired_i = 0, paired_j = 0;
    int pair_open = 0;
    for (int64_t d = 0; d <= total; ++d) {
        expected[d] = (int32_t)i;
        expected[diagonals + d] = (int32_t)upper_i;
        expected[2 * diagonals + d] = (int32_t)(2 * paired_i + pair_open);
        if (d == total) break;
        i += i < p->a_count && (d - i >= p->b_count || a[i] <= b[d - i]);
        upper_i += upper_i < p->a_count && (d - upper_i >= p->b_count || a[upper_i] < b[d - upper_i]);
        if (pair_open) { /* a's key has just been taken, and b has its partner */
            ++paired_j;
            pair_open = 0;
            continue;
        }
        const int takes_a = paired_i < p->a_count && (paired_j >= p->b_count || a[paired_i] <= b[paired_j]);
        pair_open = takes_a && paired_j < p->b_count && a[paired_i] == b[paired_j];
        paired_i += takes_a;
        paired_j += !takes_a;
    }
}

static void check_paths(pieces *at, const problem *p)
{
    const int64_t diagonals = p->a_count + p->b_count + 1;
    const mcl_output found = pieces_output(at, 3 * diagonals);
    pieces_run(at,
               (mcl_launch){ SEARCHES_PATHS,
                             mcl_tile_groups(&at->tile, diagonals),
                             { mcl_argument_input(&p->a), mcl_argument_input(&p->b), mcl_argument_output(&found) } });
    pieces_read(at, found.buffer, got, 3 * diagonals);
    expect_paths(p);
    pieces_same(got, expected, 3 * diagonals, "paths", diagonals);
}

/* ---- merges and sorted searches ----------------------------------------------------------------------------- */

static mcl_buffer *cut(pieces *at, int pass, const mcl_input *first, const mcl_input *second, int64_t tiles)
{
    mcl_buffer *const split = pieces_buffer(at, NULL, tiles + 1);
    const int64_t groups = (tiles + at->tile.threads) / at->tile.threads;
    pieces_run(at, (mcl_launch){ pass,
                                 groups,
                                 { mcl_argument_input(first), mcl_argument_input(second), mcl_argument_buffer(split, 0),
                                   mcl_argument_index(tiles + 1) } });
    return split;
}

static void check_merge(pieces *at, const problem *p, mcl_buffer *split)
{
    const int64_t total = p->a_count + p->b_count;
    const mcl_input of_a = pieces_input(at, a_values, p->a_count), of_b = pieces_input(at, b_values, p->b_count);
    const mcl_output out = pieces_output(at, total), out_values = pieces_output(at, total);
    pieces_run(at, (mcl_launch){ SEARCHES_MERGE,
                                 mcl_tile_groups(&at->tile, total),
                                 { mcl_argument_input(&p->a), mcl_argument_input(&p->b), mcl_argument_input(&of_a),
                                   mcl_argument_input(&of_b), mcl_argument_buffer(split, 0), mcl_argument_output(&out),
                                   mcl_argument_output(&out_values) } });
    pieces_read(at, out.buffer, got, total);
    pieces_read(at, out_values.buffer, got + total, total);
    int64_t i = 0;
    for (int64_t k = 0; k < total; ++k) {
        const int64_t j = k - i;
        const int takes_a = i < p->a_count && (j >= p->b_count || a[i] <= b[j]);
        expected[k] = takes_a ? a[i] : b[j];
        expected[total + k] = takes_a ? a_values[i] : b_values[j];
        i += takes_a;
    }
    pieces_same(got, expected, 2 * total, "merge", total);
}

static void check_search(pieces *at, const problem *p, mcl_buffer *split)
{
    const int64_t total = p->a_count + p->b_count, tiles = mcl_tile_groups(&at->tile, total);
    const mcl_output found = pieces_output(at, total);
    mcl_buffer *const counts = pieces_buffer(at, NULL, 2 * tiles);
    int64_t a_matches = 0, b_matches = 0;
    pieces_run(at, (mcl_launch){ SEARCHES_FIND,
                                 tiles,
                                 { mcl_argument_input(&p->a), mcl_argument_input(&p->b), mcl_argument_buffer(split, 0),
                                   mcl_argument_output(&found), mcl_argument_buffer(counts, 0) } });
    pieces_read(at, found.buffer, got, total);
    for (int64_t k = 0; k < p->a_count; ++k) {
        const int64_t place = bound_of(b, p->b_count, a[k], 0);
        const int matches = place < p->b_count && b[place] == a[k];
        expected[k] = (int32_t)(2 * place) + matches;
        a_matches += matches;
    }
    for (int64_t k = 0; k < p->b_count; ++k) {
        const int64_t place = bound_of(a, p->a_count, b[k], 1);
        const int matches = place > 0 && a[place - 1] == b[k];
        expected[p->a_count + k] = (int32_t)(2 * place) + matches;
        b_matches += matches;
    }
    pieces_same(got, expected, total, "sorted search", total);
    pieces_read(at, counts, other, 2 * tiles);
    for (int64_t k = 0; k < tiles; ++k) {
        a_matches -= other[2 * k];
        b_matches -= other[2 * k + 1];
    }
    ck_assert_int_eq(a_matches, 0);
    ck_assert_int_eq(b_matches, 0);
}

START_TEST(keys_are_found_and_merged)
{
    if (pieces_skip(_i, "merges and sorted searches")) return;
    pieces at = pieces_begin(_i, PIECES_SEARCHES);
    for (int turn = 0; turn < 5 * KINDS; turn++) {
        if (!test_sample_takes(turn, 5 * KINDS)) continue;
        const int64_t n = pieces_size(&at, turn % 5), m = pieces_size(&at, (turn + 2 + turn / 5) % 6);
        const problem p = make_problem(&at, n, m, turn / 5);
        const int64_t tiles = mcl_tile_groups(&at.tile, n + m);
        check_bounds(&at, &p);
        check_paths(&at, &p);
        mcl_buffer *const split = cut(&at, SEARCHES_CUT, &p.a, &p.b, tiles);
        check_merge(&at, &p, split);
        check_search(&at, &p, split);
        pieces_end(&at);
    }
}
END_TEST

/* ---- load balance ------------------------------------------------------------------------------------------- */

/* Checks load balancing. counts: number of items of each object. */
static void check_balance(pieces *at, const int32_t *counts, int64_t objects)
{
    int64_t items = 0;
    for (int64_t k = 0; k < objects; ++k) {
        a[k] = (int32_t)items;
        for (int32_t rank = 0; rank < counts[k]; ++rank, ++items) {
            expected[items] = (int32_t)k;
            other[items] = rank;
        }
    }
    ck_assert_int_le(2 * items, FOUND_MAX);
    memcpy(expected + items, other, (size_t)items * sizeof *other);
    const mcl_input offsets = pieces_input(at, a, objects);
    const mcl_input work = mcl_from_buffer(MCL_INT32, pieces_buffer(at, NULL, items), 0, items);
    const int64_t tiles = mcl_tile_groups(&at->tile, items + objects);
    const mcl_output found = pieces_output(at, 2 * items);
    mcl_buffer *const split = cut(at, SEARCHES_CUT_WORK, &offsets, &work, tiles);
    pieces_run(at, (mcl_launch){ SEARCHES_BALANCE,
                                 tiles,
                                 { mcl_argument_input(&offsets), mcl_argument_input(&work),
                                   mcl_argument_buffer(split, 0), mcl_argument_output(&found) } });
    pieces_read(at, found.buffer, got, 2 * items);
    pieces_same(got, expected, 2 * items, "load balance", items);
    pieces_end(at);
}

START_TEST(work_is_balanced)
{
    pieces at = pieces_begin(_i, PIECES_SEARCHES);
    int32_t counts[400];
    random_ints(counts, 400, 4, 5, 0); /* many small objects, some without items */
    check_balance(&at, counts, 400);
    memset(counts, 0, sizeof counts);
    counts[3] = 3 * at.size + 1; /* one large object among empty objects */
    check_balance(&at, counts, 400);
    counts[399] = at.size;
    check_balance(&at, counts, 400);
    check_balance(&at, counts, 3); /* no items */
    counts[0] = 1;
    check_balance(&at, counts, 1);
    golden file = golden_open("load-balance-walk-40");
    const golden_section *const printed = golden_need(&file, "counts");
    check_balance(&at, printed->ints, printed->count);
    golden_same(&file, "refs", got, golden_need(&file, "refs")->count);
    golden_same(&file, "ranks", got + golden_need(&file, "refs")->count, golden_need(&file, "ranks")->count);
    golden_free(&file);
}
END_TEST

void pieces_add_searches(TCase *tcase, int device)
{
    test_add_loop(tcase, keys_are_found_and_merged, device, 2);
    test_add_loop(tcase, work_is_balanced, device, 2);
}
