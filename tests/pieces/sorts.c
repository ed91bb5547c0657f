/* sorts.c: tests pieces that sort, and pieces of multiset operations. */
#include "pieces.h"
#include "support/arrays.h"

#include <string.h>

enum { KEYS_MAX = 5 * PIECES_TILE_MAX };
static int32_t keys[KEYS_MAX], values[KEYS_MAX], got[2 * KEYS_MAX], got_places[2 * KEYS_MAX], expected[2 * KEYS_MAX],
    expected_values[2 * KEYS_MAX];

/* Sorts each segment by insertion, stable. A segment begins at a set bit of heads. */
static void sort_segments(const int32_t *from, int64_t count, const uint32_t *heads, int32_t *to, int32_t *to_places)
{
    int64_t begin = 0;
    for (int64_t k = 0; k < count; ++k) {
        int64_t place = k;
        if (heads && (heads[k / 32] >> (k % 32) & 1u)) begin = k;
        for (; place > begin && from[k] < to[place - 1]; --place) {
            to[place] = to[place - 1];
            to_places[place] = to_places[place - 1];
        }
        to[place] = from[k];
        to_places[place] = (int32_t)k;
    }
}

/* ---- networks and frames ------------------------------------------------------------------------------------ */

/* Checks an unstable result. A key's old index may be that of any equal key, and each index comes once in its
 * segment. */
static void check_unstable(const int32_t *from, const int32_t *sorted, const int32_t *places, int count)
{
    uint32_t seen = 0;
    for (int k = 0; k < count; ++k) {
        ck_assert_int_ge(places[k], 0);
        ck_assert_int_lt(places[k], count);
        ck_assert_uint_eq(seen >> places[k] & 1u, 0);
        seen |= 1u << places[k];
        ck_assert_int_eq(from[places[k]], sorted[k]);
    }
}

static void check_networks(pieces *at, int32_t span)
{
    const int is_stable = !at->serial; /* see piece_kernel */
    const int items = at->tile.items, lists = at->serial ? 40 : at->tile.threads;
    const int n = lists * items;
    uint32_t flags[PIECES_THREADS_MAX];
    for (int k = 0; k < lists; ++k)
        flags[k] = k == 0 ? 0 : k == 1 ? 0xffffffffu : (uint32_t)test_random(3, (uint64_t)k) & 0x24924924u;
    random_ints(keys, n, span, 21, 0);
    const mcl_input in = pieces_input(at, keys, n);
    const mcl_output out = pieces_output(at, 2 * n), places = pieces_output(at, 2 * n);
    pieces_run(at, (mcl_launch){ SORTS_NETWORKS,
                                 mcl_tile_groups(&at->tile, n),
                                 { mcl_argument_input(&in), mcl_argument_output(&out), mcl_argument_output(&places),
                                   mcl_argument_buffer(pieces_buffer(at, flags, lists), 0) } });
    pieces_read(at, out.buffer, got, 2 * n);
    pieces_read(at, places.buffer, got_places, 2 * n);
    for (int list = 0; list < lists; ++list) {
        const int first = list * items;
        sort_segments(keys + first, items, NULL, expected + first, expected_values + first);
        sort_segments(keys + first, items, flags + list, expected + n + first, expected_values + n + first);
        for (int half = 0; half < 2 && !is_stable; ++half)
            check_unstable(keys + first, got + half * n + first, got_places + half * n + first, items);
    }
    pieces_same(got, expected, 2 * n, "networks", n);
    if (is_stable) pieces_same(got_places, expected_values, 2 * n, "places of networks", n);
    pieces_end(at);
}

START_TEST(networks_sort)
{
    pieces at = pieces_begin(_i, PIECES_SORTS);
    check_networks(&at, 8);
    check_networks(&at, 1000000);
    check_networks(&at, 1);
}
END_TEST

START_TEST(frames_are_those_of_pairs_of_lists)
{
    /* the group mapping alone, since one work-item has no lists to merge */
    pieces at = pieces_begin(2 * _i, PIECES_SORTS);
    const int threads = at.tile.threads, items = at.tile.items;
    for (int width = 1; width < threads; width *= 2)
        for (int count = at.size; count > 0; count -= at.size / 3) {
            const mcl_output places = pieces_output(&at, 4 * threads);
            pieces_run(&at, (mcl_launch){ SORTS_FRAMES,
                                          1,
                                          { mcl_argument_output(&places), mcl_argument_int32(width),
                                            mcl_argument_int32(count) } });
            pieces_read(&at, places.buffer, got, 4 * threads);
            for (int item = 0; item < threads; ++item) {
                const int begin = item / (2 * width) * 2 * width * items, length = width * items;
                const int a_begin = begin < count ? begin : count;
                const int a_end = begin + length < count ? begin + length : count;
                const int b_end = begin + 2 * length < count ? begin + 2 * length : count;
                const int diagonal = item * items - begin;
                const int32_t frame[] = { a_begin, a_end, b_end,
                                          diagonal < b_end - a_begin ? diagonal : b_end - a_begin };
                pieces_same(got + 4 * item, frame, 4, "frames", width);
            }
            pieces_end(&at);
        }
}
END_TEST

/* ---- mergesorts --------------------------------------------------------------------------------------------- */

/* One of the two arrays between which passes alternate. */
typedef struct side {
    mcl_output keys;
    mcl_output values;
} side;

static side make_side(pieces *at, int64_t n)
{
    const side made = { pieces_output(at, n), pieces_output(at, n) };
    return made;
}

static mcl_input read_back(mcl_output output)
{
    return mcl_from_buffer(output.type, output.buffer, output.offset, output.capacity);
}

static void read_side(pieces *at, const side *from, int64_t n)
{
    pieces_read(at, from->keys.buffer, got, n);
    pieces_read(at, from->values.buffer, got_places, n);
}

static void check_sort(pieces *at, int64_t n, int32_t span)
{
    const int64_t tiles = mcl_tile_groups(&at->tile, n);
    random_ints(keys, n, span, 31 + (uint64_t)n, 0);
    for (int64_t k = 0; k < n; ++k) values[k] = (int32_t)k;
    const mcl_input in = pieces_input(at, keys, n), in_values = pieces_input(at, values, n);
    side from = make_side(at, n), to = make_side(at, n);
    mcl_buffer *const split = pieces_buffer(at, NULL, tiles + 1);
    pieces_run(at, (mcl_launch){ SORTS_TILES,
                                 tiles,
                                 { mcl_argument_input(&in), mcl_argument_input(&in_values),
                                   mcl_argument_output(&from.keys), mcl_argument_output(&from.values),
                                   mcl_argument_output(&to.keys), mcl_argument_output(&to.values) } });
    for (int64_t run_tiles = 1; run_tiles < tiles; run_tiles *= 2) {
        const mcl_input a = read_back(from.keys), a_values = read_back(from.values);
        pieces_run(at, (mcl_launch){ SORTS_CUT,
                                     tiles / at->tile.threads + 1,
                                     { mcl_argument_input(&a), mcl_argument_buffer(split, 0),
                                       mcl_argument_index(run_tiles), mcl_argument_index(tiles) } });
        pieces_run(at, (mcl_launch){ SORTS_MERGE,
                                     tiles,
                                     { mcl_argument_input(&a), mcl_argument_input(&a_values),
                                       mcl_argument_buffer(split, 0), mcl_argument_index(run_tiles),
                                       mcl_argument_output(&to.keys), mcl_argument_output(&to.values) } });
        const side merged = to;
        to = from;
        from = merged;
    }
    read_side(at, &from, n);
    sort_segments(keys, n, NULL, expected, expected_values);
    pieces_same(got, expected, n, "sorted keys", n);
    pieces_same(got_places, expected_values, n, "sorted values", n);
    pieces_end(at);
}

START_TEST(blocks_and_runs_are_sorted)
{
    static const int32_t spans[] = { 10, 1000000, 1 };
    if (pieces_skip(_i, "a mergesort of pieces")) return;
    pieces at = pieces_begin(_i, PIECES_SORTS);
    for (int turn = 0; turn < 15; turn++)
        if (test_sample_takes(turn, 15)) check_sort(&at, pieces_size(&at, turn % 5), spans[turn / 5]);
}
END_TEST

/* Does the levels of a segmented sort: a plan puts tasks into a queue, and two groups do them. */
static side sort_levels(pieces *at, int64_t n, side first, side second)
{
    enum { JOB_WORDS = 8, RANGE_WORDS = 2 }; /* words of 32 bits in a job and in a range, with 32-bit positions */
    const int64_t tiles = mcl_tile_groups(&at->tile, n);
    side from = first, to = second;
    mcl_buffer *ranges = at->buffers[at->buffer_count - 2], *const same = at->buffers[at->buffer_count - 1];
    for (int level = 0; (int64_t)1 << level < tiles; ++level) {
        const int32_t zeros[2] = { 0, 0 };
        const int before = at->buffer_count;
        mcl_buffer *const parents = pieces_buffer(at, NULL, RANGE_WORDS * tiles);
        mcl_buffer *const queue = pieces_buffer(at, NULL, JOB_WORDS * tiles);
        mcl_buffer *const counts = pieces_buffer(at, zeros, 2);
        pieces_run(at,
                   (mcl_launch){
                       SEGMENTS_PLAN,
                       (tiles + at->tile.threads - 1) / at->tile.threads,
                       { mcl_argument_output(&to.keys), mcl_argument_output(&from.keys),
                         mcl_argument_output(&to.values), mcl_argument_output(&from.values), mcl_argument_index(n),
                         mcl_argument_buffer(ranges, 0), mcl_argument_buffer(parents, 0), mcl_argument_buffer(same, 0),
                         mcl_argument_int32(level), mcl_argument_buffer(queue, 0), mcl_argument_buffer(counts, 0) } });
        pieces_run(at, (mcl_launch){ SEGMENTS_WORK,
                                     2,
                                     { mcl_argument_output(&to.keys), mcl_argument_output(&from.keys),
                                       mcl_argument_output(&to.values), mcl_argument_output(&from.values),
                                       mcl_argument_buffer(queue, 0), mcl_argument_buffer(counts, 0) } });
        ck_assert_int_eq(before + 3, at->buffer_count);
        ranges = parents;
        const side merged = to;
        to = from;
        from = merged;
    }
    return from;
}

/* Checks a segmented sort. length: the segments' mean length, about. */
static void check_segments(pieces *at, int64_t n, int32_t span, int length)
{
    static uint32_t heads[KEYS_MAX / 32 + 1];
    const int64_t tiles = mcl_tile_groups(&at->tile, n), words = (n + 31) / 32;
    memset(heads, 0, sizeof heads);
    for (int64_t k = 0; k < n; ++k)
        if (test_random(9, (uint64_t)(k * length)) % (uint64_t)length == 0) heads[k / 32] |= 1u << (k % 32);
    random_ints(keys, n, span, 41 + (uint64_t)n, 0);
    for (int64_t k = 0; k < n; ++k) values[k] = (int32_t)k;
    const mcl_input in = pieces_input(at, keys, n), in_values = pieces_input(at, values, n);
    const mcl_input in_heads = mcl_from_buffer(MCL_UINT32, pieces_buffer(at, heads, words), 0, words);
    const side first = make_side(at, n), second = make_side(at, n);
    mcl_buffer *const ranges = pieces_buffer(at, NULL, 2 * tiles), *const same = pieces_buffer(at, NULL, tiles);
    pieces_run(at,
               (mcl_launch){ SEGMENTS_TILES,
                             tiles,
                             { mcl_argument_input(&in), mcl_argument_input(&in_values), mcl_argument_input(&in_heads),
                               mcl_argument_output(&first.keys), mcl_argument_output(&second.keys),
                               mcl_argument_output(&first.values), mcl_argument_output(&second.values),
                               mcl_argument_buffer(ranges, 0), mcl_argument_buffer(same, 0) } });
    const side last = sort_levels(at, n, first, second);
    read_side(at, &last, n);
    sort_segments(keys, n, heads, expected, expected_values);
    pieces_same(got, expected, n, "keys in segments", n);
    pieces_same(got_places, expected_values, n, "values in segments", n);
    pieces_end(at);
}

START_TEST(segments_are_sorted_from_a_queue)
{
    static const int lengths[] = { 1, 7, 100, 1000000 };
    if (pieces_skip(_i, "a segmented sort of pieces")) return;
    pieces at = pieces_begin(_i, PIECES_SEGMENTS);
    for (int turn = 0; turn < 20; turn++)
        if (test_sample_takes(turn, 20))
            check_segments(&at, pieces_size(&at, turn % 5), turn % 2 ? 10 : 1000000, lengths[turn / 5]);
}
END_TEST

/* ---- multisets ---------------------------------------------------------------------------------------------- */

/* Makes the symmetric difference: for each key the last copies of the input that has more of them. */
static int64_t expect_difference(const int32_t *a, int64_t a_count, const int32_t *b, int64_t b_count)
{
    int64_t i = 0, j = 0, to = 0;
    while (i < a_count || j < b_count) {
        const int takes_a = i < a_count && (j >= b_count || a[i] < b[j]);
        const int takes_b = j < b_count && (i >= a_count || b[j] < a[i]);
        if (takes_a || takes_b) {
            expected[to] = takes_a ? a[i] : b[j];
            expected_values[to++] = (int32_t)(takes_a ? i : 100000 + j);
        }
        i += !takes_b;
        j += !takes_a;
    }
    return to;
}

static void check_sets(pieces *at, int64_t a_count, int64_t b_count, int32_t span)
{
    static int32_t a[KEYS_MAX], b[KEYS_MAX], b_values[KEYS_MAX];
    const int64_t total = a_count + b_count, size = at->size - !at->serial;
    const int64_t tiles = (total + size - 1) / size;
    int32_t told = -1;
    random_ints(a, a_count, span, 51, 1);
    random_ints(b, b_count, span, 52, 1);
    for (int32_t k = 0; k < KEYS_MAX; ++k) {
        values[k] = k;
        b_values[k] = 100000 + k;
    }
    const mcl_input in_a = pieces_input(at, a, a_count), in_b = pieces_input(at, b, b_count);
    const mcl_input of_a = pieces_input(at, values, a_count), of_b = pieces_input(at, b_values, b_count);
    const side out = make_side(at, total);
    mcl_buffer *const split = pieces_buffer(at, NULL, tiles + 1), *const counts = pieces_buffer(at, NULL, tiles + 1);
    pieces_run(at, (mcl_launch){ SETS_CUT,
                                 tiles / at->tile.threads + 1,
                                 { mcl_argument_input(&in_a), mcl_argument_input(&in_b), mcl_argument_buffer(split, 0),
                                   mcl_argument_index(tiles + 1) } });
    for (int stores = 0; stores < 2; ++stores) {
        pieces_run(at, (mcl_launch){ SETS_DO,
                                     tiles,
                                     { mcl_argument_input(&in_a), mcl_argument_input(&in_b), mcl_argument_input(&of_a),
                                       mcl_argument_input(&of_b), mcl_argument_buffer(split, 0),
                                       mcl_argument_output(&out.keys), mcl_argument_output(&out.values),
                                       mcl_argument_index(total), mcl_argument_buffer(counts, 0),
                                       mcl_argument_int32(stores) } });
        if (!stores)
            pieces_run(at, (mcl_launch){ SETS_ADD, 1, { mcl_argument_buffer(counts, 0), mcl_argument_index(tiles) } });
    }
    const int64_t results = expect_difference(a, a_count, b, b_count);
    test_ok(mcl_buffer_read(at->device->queue, counts, (size_t)tiles * sizeof told, sizeof told, &told));
    ck_assert_int_eq(told, results);
    read_side(at, &out, results);
    pieces_same(got, expected, results, "keys of a set operation", total);
    pieces_same(got_places, expected_values, results, "values of a set operation", total);
    pieces_end(at);
}

START_TEST(multisets_differ)
{
    static const int32_t spans[] = { 40, 1000000, 1 };
    if (pieces_skip(_i, "a set operation of pieces")) return;
    pieces at = pieces_begin(_i, PIECES_SETS);
    for (int turn = 0; turn < 18; turn++)
        if (test_sample_takes(turn, 18))
            check_sets(&at, pieces_size(&at, turn % 5), pieces_size(&at, (turn + 2 + turn / 5) % 6), spans[turn / 6]);
}
END_TEST

void pieces_add_sorts(TCase *tcase, int device)
{
    test_add_loop(tcase, networks_sort, device, 2);
    test_add_loop(tcase, frames_are_those_of_pairs_of_lists, device, 1);
    test_add_loop(tcase, blocks_and_runs_are_sorted, device, 2);
    test_add_loop(tcase, segments_are_sorted_from_a_queue, device, 2);
    test_add_loop(tcase, multisets_differ, device, 2);
}
