/* test_device_library.c: compares each piece that users' kernels may include, in a separate kernel, with a loop on the
 * host. Pieces that work on one tile are here; tests/pieces has searches and sorts. */
#include "support/arrays.h"
#include "golden/golden_check.h"
#include "pieces/pieces.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 64 * 1024 };
static int32_t numbers[NUMBERS_MAX], places[NUMBERS_MAX], got[NUMBERS_MAX], expected[NUMBERS_MAX];

static void fill(int64_t count, uint64_t seed)
{
    ck_assert_int_le(12 * count, NUMBERS_MAX);
    for (int64_t k = 0; k < count; ++k) {
        numbers[k] = (int32_t)test_random(seed, (uint64_t)k);
        places[k] = (int32_t)k;
    }
    for (int64_t k = count - 1; k > 0; --k) {
        const int64_t other = (int64_t)(test_random(seed + 2, (uint64_t)k) % (uint64_t)(k + 1));
        const int32_t place = places[k];
        places[k] = places[other];
        places[other] = place;
    }
    if (count > 2) numbers[1] = 0, numbers[2] = -1;
}

/* ---- loads and stores --------------------------------------------------------------------------------------- */

static int32_t marked(const pieces *at, int64_t k)
{
    return (int32_t)((uint32_t)numbers[k] * 3u + (uint32_t)(k % at->size));
}

static void check_moves(pieces *at, int64_t n)
{
    const mcl_input in = pieces_input(at, numbers, n);
    const mcl_output out = pieces_output(at, 4 * n);
    pieces_run(at, (mcl_launch){ TILES_MOVE,
                                 mcl_tile_groups(&at->tile, n),
                                 { mcl_argument_input(&in), mcl_argument_output(&out) } });
    pieces_read(at, out.buffer, got, 4 * n);
    for (int64_t k = 0; k < n; ++k) {
        expected[k] = expected[2 * n + k] = numbers[k];
        expected[n + k] = expected[3 * n + k] = marked(at, k);
    }
    pieces_same(got, expected, 4 * n, "loads and stores", n);
}

static void check_gathers(pieces *at, int64_t n)
{
    const mcl_input in = pieces_input(at, numbers, n), from = pieces_input(at, places, n);
    const mcl_output out = pieces_output(at, 5 * n);
    pieces_run(at, (mcl_launch){ TILES_GATHER,
                                 mcl_tile_groups(&at->tile, n),
                                 { mcl_argument_input(&in), mcl_argument_input(&from), mcl_argument_output(&out) } });
    pieces_read(at, out.buffer, got, 5 * n);
    for (int64_t k = 0; k < n; ++k) {
        expected[k] = expected[n + k] = numbers[places[k]];
        expected[2 * n + places[k]] = expected[3 * n + k] = numbers[k];
        expected[4 * n + k] = 77;
    }
    pieces_same(got, expected, 5 * n, "gathers, a scatter, wide runs", n);
}

START_TEST(tiles_are_loaded_and_stored)
{
    pieces at = pieces_begin(_i, PIECES_TILES);
    for (int size = 0; pieces_size(&at, size) > 0; ++size) {
        const int64_t n = pieces_size(&at, size);
        fill(n, (uint64_t)n);
        check_moves(&at, n);
        check_gathers(&at, n);
        pieces_end(&at);
    }
}
END_TEST

/* ---- folds, scans, ranks ------------------------------------------------------------------------------------ */

static void check_folds(pieces *at, int64_t n)
{
    static int64_t sums[256];
    const int64_t tiles = mcl_tile_groups(&at->tile, n);
    const mcl_input in = pieces_input(at, numbers, n);
    const mcl_output out = pieces_output(at, 2 * n);
    const mcl_output totals = mcl_to_buffer(MCL_INT64, pieces_buffer(at, NULL, 4 * tiles), 0, 2 * tiles);
    pieces_run(at,
               (mcl_launch){ TILES_FOLD,
                             tiles,
                             { mcl_argument_input(&in), mcl_argument_output(&out), mcl_argument_output(&totals) } });
    pieces_read(at, out.buffer, got, 2 * n);
    pieces_read(at, totals.buffer, sums, 4 * tiles);
    uint32_t sum = 0, segment = 0;
    int begins = 1;
    for (int64_t k = 0; k < n; ++k) {
        const uint32_t x = piece_of(numbers[k]);
        sum = k % at->size ? piece_join(sum, x) : x;
        expected[k] = (int32_t)sum;
        segment = begins || k % at->size == 0 ? x : piece_join(segment, x);
        expected[n + k] = (int32_t)segment;
        begins = numbers[k] % 3 == 0;
        if (k + 1 < n && (k + 1) % at->size) continue;
        ck_assert_uint_eq((uint32_t)sums[k / at->size], sum);
        ck_assert_uint_eq((uint32_t)sums[tiles + k / at->size], sum);
    }
    pieces_same(got, expected, at->serial ? n : 2 * n, "scans", n);
}

static void check_choices(pieces *at, int64_t n)
{
    static int64_t counts[256];
    const int64_t tiles = mcl_tile_groups(&at->tile, n);
    const int32_t zero = 0;
    const mcl_input in = pieces_input(at, numbers, n);
    const mcl_output out = pieces_output(at, 2 * n);
    const mcl_output totals = mcl_to_buffer(MCL_INT64, pieces_buffer(at, NULL, 2 * tiles), 0, tiles);
    pieces_run(at, (mcl_launch){ TILES_CHOOSE,
                                 tiles,
                                 { mcl_argument_input(&in), mcl_argument_output(&out), mcl_argument_output(&totals),
                                   mcl_argument_buffer(pieces_buffer(at, &zero, 1), 0) } });
    pieces_read(at, out.buffer, got, 2 * n);
    pieces_read(at, totals.buffer, counts, 2 * tiles);
    int64_t kept = 0;
    int32_t rank = 0;
    for (int64_t k = 0; k < n; ++k) {
        const int keeps = numbers[k] % 3 == 0;
        if (k % at->size == 0) rank = 0;
        expected[k] = keeps ? rank : -1;
        if (keeps) expected[n + kept++] = (int32_t)k;
        rank += keeps;
        if ((k + 1) % at->size == 0 || k + 1 == n) ck_assert_int_eq(counts[k / at->size], rank);
    }
    pieces_same(got, expected, n, "ranks", n);
    qsort(got + n, (size_t)kept, sizeof *got, compare_ints);
    pieces_same(got + n, expected + n, kept, "appended places", n);
}

START_TEST(tiles_are_folded_and_ranked)
{
    pieces at = pieces_begin(_i, PIECES_TILES);
    for (int size = 0; pieces_size(&at, size) > 0; ++size) {
        const int64_t n = pieces_size(&at, size);
        fill(n, 100 + (uint64_t)n);
        check_folds(&at, n);
        if (!at.serial) check_choices(&at, n);
        pieces_end(&at);
    }
}
END_TEST

/* The steps are the passes that a book prints for a scan of 20 numbers. */
START_TEST(steps_of_a_scan_are_the_printed_ones)
{
    static const char *const labels[] = { "pass_offset_1", "pass_offset_2", "pass_offset_4", "pass_offset_8",
                                          "pass_offset_16" };
    golden file = golden_open("scan-kogge-stone-20");
    const golden_section *const data = golden_need(&file, "data");
    pieces at = pieces_begin(2 * _i, PIECES_TILES);
    int64_t width = 0;
    const mcl_input in = pieces_input(&at, data->ints, data->count);
    const mcl_output out = pieces_output(&at, 5 * 32);
    const mcl_output told = mcl_to_buffer(MCL_INT64, pieces_buffer(&at, NULL, 2), 0, 1);
    pieces_run(&at, (mcl_launch){ TILES_SHUFFLE,
                                  1,
                                  { mcl_argument_input(&in), mcl_argument_output(&out), mcl_argument_output(&told) } });
    pieces_read(&at, out.buffer, got, 5 * 32);
    pieces_read(&at, told.buffer, &width, 2);
    ck_assert_int_ge(width, 2);
    for (int k = 0; k < 5 && 1 << k < width; ++k)
        for (int item = 0; item < data->count && item < width; ++item)
            ck_assert_int_eq(got[32 * k + item], golden_need(&file, labels[k])->ints[item]);
    pieces_end(&at);
    golden_free(&file);
}
END_TEST

/* ---- words, numbers, parts ---------------------------------------------------------------------------------- */

static int32_t extracted(uint32_t x, int first, int size)
{
    uint32_t bits = 0;
    for (int k = 0; k < size; ++k) bits |= (x >> (first + k) & 1u) << k;
    return (int32_t)bits;
}

static int32_t inserted(uint32_t into, uint32_t x, int first, int size)
{
    uint32_t bits = into;
    for (int k = 0; k < size; ++k) bits = (bits & ~(1u << (first + k))) | (x >> k & 1u) << (first + k);
    return (int32_t)bits;
}

/* Expects the sections of word_tiles for element k of n. */
static void expect_word(int64_t k, int64_t n)
{
    const uint32_t x = (uint32_t)numbers[k], quarter = (x >> 2) + 1;
    const int first = (int)(k % 32), size = (int)(k / 32 % (33 - first));
    int lowest = 0, highest = 31, down = 0, up = 0;
    uint32_t reversed = 0;
    while (lowest < 32 && !(x >> lowest & 1u)) ++lowest;
    while (highest >= 0 && !(x >> highest & 1u)) --highest;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
    while (down < 31 && (2u << down) <= quarter) ++down;
    while ((uint64_t)1 << up < quarter) ++up;
    const int32_t sections[] = { lowest,
                                 highest,
                                 (int32_t)reversed,
                                 extracted(x, first, size),
                                 inserted(x, x * 2654435761u, first, size),
                                 down,
                                 up,
                                 (int32_t)(((int64_t)(x >> 2) + k) / (1 + k)),
                                 (int32_t)(k + k / 16) };
    for (int s = 0; s < 9; ++s) expected[s * n + k] = sections[s];
}

START_TEST(words_are_taken_apart)
{
    pieces at = pieces_begin(_i, PIECES_TILES);
    const int64_t n = pieces_size(&at, 4);
    fill(n, 7);
    for (int64_t k = 0; k < 64 && k < n; ++k)
        numbers[k] = k < 32 ? (int32_t)(1u << k) : (int32_t)(0xffffffffu >> (k % 32));
    numbers[n - 1] = 0;
    const mcl_input in = pieces_input(&at, numbers, n);
    const mcl_output out = pieces_output(&at, 9 * n);
    pieces_run(&at, (mcl_launch){ TILES_WORDS,
                                  mcl_tile_groups(&at.tile, n),
                                  { mcl_argument_input(&in), mcl_argument_output(&out) } });
    pieces_read(&at, out.buffer, got, 9 * n);
    for (int64_t k = 0; k < n; ++k) expect_word(k, n);
    pieces_same(got, expected, 9 * n, "words", n);
    pieces_end(&at);
}
END_TEST

/* The test has the limits of types, and the parts that a book prints. */
START_TEST(types_have_limits_and_work_has_parts)
{
    enum { LIMITS = 18, TOLD = 128 };
    static const int64_t limits[LIMITS] = { INT8_MIN,  INT8_MAX,   0,         UINT8_MAX, INT16_MIN, INT16_MAX,
                                            0,         UINT16_MAX, INT32_MIN, INT32_MAX, 0,         UINT32_MAX,
                                            INT64_MIN, INT64_MAX,  0,         -1,        1,         1 };
    golden file = golden_open("library-task-range");
    const int32_t *const sizes = golden_need(&file, "num_tiles_num_ctas")->ints;
    const int32_t *const begins = golden_need(&file, "begin")->ints, *const ends = golden_need(&file, "end")->ints;
    int64_t told[TOLD] = { 0 };
    pieces at = pieces_begin(_i, PIECES_TILES);
    const mcl_output out = mcl_to_buffer(MCL_INT64, pieces_buffer(&at, NULL, 2 * TOLD), 0, TOLD);
    const int parts = sizes[1];
    ck_assert_int_le(LIMITS + 2 * parts + 3, TOLD);
    pieces_run(&at,
               (mcl_launch){ TILES_NUMBERS,
                             1,
                             { mcl_argument_output(&out), mcl_argument_int32(sizes[0]), mcl_argument_int32(parts) } });
    pieces_read(&at, out.buffer, told, 2 * TOLD);
    for (int k = 0; k < LIMITS; ++k) ck_assert_int_eq(told[k], limits[k]);
    for (int k = 0; k < parts; ++k) {
        ck_assert_int_eq(told[LIMITS + 2 * k], begins[k]);
        ck_assert_int_eq(told[LIMITS + 2 * k + 1], ends[k]);
    }
    ck_assert_int_eq(told[LIMITS + 2 * parts], parts);
    ck_assert_int_eq(told[LIMITS + 2 * parts + 1], sizes[0]);
    ck_assert_int_eq(told[LIMITS + 2 * parts + 2], 3);
    pieces_end(&at);
    golden_free(&file);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, tiles_are_loaded_and_stored, device, 2);
    test_add_loop(tcase, tiles_are_folded_and_ranked, device, 2);
    test_add_loop(tcase, steps_of_a_scan_are_the_printed_ones, device, 1);
    test_add_loop(tcase, words_are_taken_apart, device, 2);
    test_add_loop(tcase, types_have_limits_and_work_has_parts, device, 2);
    pieces_add_searches(tcase, device);
    pieces_add_sorts(tcase, device);
}

int main(void)
{
    return test_main("device_library", add);
}
