/* test_sort.c: mcl_sort, mcl_sort_pairs and mcl_sort_indices by merging. */
#include "support/arrays.h"
#include "support/folder.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(sort_equals_the_loop)
{
    run_case_round(&sort_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = {
    { .tile_threads = 1, .tile_items = 50, .sort_method = MCL_SORT_MERGE },
    { .tile_threads = 32, .tile_items = 3, .sort_method = MCL_SORT_MERGE },
};

/* ---- orders ---------------------------------------------------------------------------------------------------- */

static int float_before(float p, float q)
{
    return p < q || (isnan(q) && !isnan(p));
}

/* Makes NaN, infinities and both zeros in turn. Zeros of both signs are equal and keep their order. */
static void float_keys(float *keys, int count)
{
    const float chosen[] = { 0.0f, NAN, -0.0f, -INFINITY, 1.5f, INFINITY, -0.0f, -2.0f };

    for (int k = 0; k < count; k++) keys[k] = chosen[test_random(3, (uint64_t)k) % 8];
}

/* Sorts by insertion, which is stable. */
static void float_sort(float *keys, int count, int descending)
{
    for (int k = 1; k < count; k++) {
        const float key = keys[k];
        int place = k;
        for (; place > 0 && (descending ? float_before(keys[place - 1], key) : float_before(key, keys[place - 1]));
             place--)
            keys[place] = keys[place - 1];
        keys[place] = key;
    }
}

START_TEST(floats_sort_with_nan_last_and_both_zeros_equal)
{
    enum { COUNT = 700 };
    float keys[COUNT];
    float expected[COUNT];
    float got[COUNT];

    for (int turn = 0; turn < 4; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        float_keys(keys, COUNT);
        memcpy(expected, keys, sizeof keys);
        float_sort(expected, COUNT, turn / 2);
        mcl_buffer *buffer = ARRAY_OF(_i, keys);
        test_ok(mcl_sort(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, buffer, 0, COUNT),
                         mcl_to_buffer(MCL_FLOAT, buffer, 0, COUNT), turn / 2 ? MCL_GREATER : MCL_LESS,
                         &tilings[turn % 2]));
        ARRAY_READ(_i, buffer, got);
        for (int k = 0; k < COUNT; k++)
            ck_assert_msg(isnan(expected[k]) ? isnan(got[k])
                                             : got[k] == expected[k] && !signbit(got[k]) == !signbit(expected[k]),
                          "turn %d: element %d is %g, expected %g", turn, k, (double)got[k], (double)expected[k]);
        mcl_buffer_release(buffer);
    }
}
END_TEST

/* ---- strings: keys are places in a table of the user's --------------------------------------------------------- */

enum { WORD_BYTES = 8 };

/* clang-format off */
MCL_SOURCE(word_source,
typedef struct word { uint8_t letters[8]; } word;
static inline int word_order(const word p, const word q)
{
    int k;
    for (k = 0; k < 8; k++)
        if (p.letters[k] != q.letters[k]) return (int)p.letters[k] - (int)q.letters[k];
    return 0;
}
)
/* clang-format on */
static const mcl_type word_type = MCL_TYPE(word, word_source);

/* Returns an order whose answers are neither 0 and 1 nor of one sign. Any nonzero answer means that p comes before
 * q. */
static mcl_op words_before(mcl_buffer *table)
{
    mcl_op before = { .role = MCL_ROLE_ORDER,
                      .expression = "word_order(words[p], words[q]) < 0 ? 7 * (q + 1) : 0",
                      .source = word_source,
                      .binding_count = 1 };
    before.bindings[0] = mcl_binding_buffer("words", &word_type, table, 0);
    return before;
}

START_TEST(strings_sort_by_places_in_a_table)
{
    enum { WORDS = 200, COUNT = 1500 };
    static word words[WORDS];
    static int32_t keys[COUNT];
    static int32_t expected[COUNT];
    static int32_t got[COUNT];

    for (int k = 0; k < WORDS; k++)
        for (int j = 0; j < WORD_BYTES; j++)
            words[k].letters[j] = (uint8_t)('a' + test_random(5, (uint64_t)(k * WORD_BYTES + j)) % 2);
    random_ints(keys, COUNT, WORDS, 6, 0);
    memcpy(expected, keys, sizeof keys);
    for (int k = 1; k < COUNT; k++) {
        const int32_t key = expected[k];
        int place = k;
        for (; place > 0 && word_order(words[key], words[expected[place - 1]]) < 0; place--)
            expected[place] = expected[place - 1];
        expected[place] = key;
    }
    mcl_buffer *table = ARRAY_OF(_i, words);
    const mcl_op before = words_before(table);
    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        mcl_buffer *buffer = ARRAY_OF(_i, keys);
        test_ok(mcl_sort(test_device_at(_i)->queue, ints(buffer, COUNT), ints_out(buffer, COUNT), &before,
                         &tilings[tiling]));
        ARRAY_READ(_i, buffer, got);
        ck_assert_mem_eq(got, expected, sizeof got);
        mcl_buffer_release(buffer);
    }
    mcl_buffer_release(table);
}
END_TEST

/* ---- bad data -------------------------------------------------------------------------------------------------- */

/* Orders contradict themselves. Values are unspecified, but each is a key, and no other memory is touched. */
START_TEST(orders_that_contradict_themselves_do_no_harm)
{
    enum { COUNT = 1000 };
    static const mcl_op orders[] = { { .role = MCL_ROLE_ORDER, .expression = "1" },
                                     { .role = MCL_ROLE_ORDER, .expression = "p <= q" },
                                     { .role = MCL_ROLE_ORDER, .expression = "(p * 31 + q * 17) % 7 < 3" } };
    static int32_t data[COUNT];
    static unsigned char is_key[COUNT];
    guarded keys;
    guarded values;
    char what[] = "sort by an order that is none";
    int32_t got[COUNT];

    random_ints(data, COUNT, COUNT, 1, 0);
    for (int k = 0; k < COUNT; k++) is_key[data[k]] = 1;
    for (int turn = 0; turn < 6; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, turn % 4, &keys);
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, (unsigned char *)data, 1, &values);
        const mcl_output out = mcl_to_buffer(MCL_INT32, keys.buffer, keys.first, COUNT);
        const mcl_output out_values = mcl_to_buffer(MCL_INT32, values.buffer, values.first, COUNT);
        test_ok(mcl_sort_pairs(test_device_at(_i)->queue, mcl_from_buffer(MCL_INT32, keys.buffer, keys.first, COUNT),
                               mcl_from_buffer(MCL_INT32, values.buffer, values.first, COUNT), out, out_values,
                               &orders[turn / 2], &tilings[turn % 2]));
        guarded *arrays[] = { &keys, &values };
        for (int a = 0; a < 2; a++) {
            const size_t start = (size_t)arrays[a]->first * sizeof(int32_t);
            test_ok(mcl_buffer_read(test_device_at(_i)->queue, arrays[a]->buffer, start, sizeof got,
                                    arrays[a]->content + start));
            memcpy(got, arrays[a]->content + start, sizeof got);
            for (int k = 0; k < COUNT; k++)
                ck_assert_msg(got[k] >= 0 && got[k] < COUNT && is_key[got[k]], "element %d is %d", k, got[k]);
            guarded_unchanged(test_device_at(_i)->queue, arrays[a], what);
            guarded_free(arrays[a]);
        }
    }
}
END_TEST

/* ---- counts ---------------------------------------------------------------------------------------------------- */

START_TEST(sort_clamps_counts_from_the_device_and_leaves_what_lies_past_them)
{
    enum { BOUND = 700 };
    static int32_t keys[BOUND];
    static int32_t expected[BOUND];
    static int32_t got[BOUND];
    const int64_t slots[] = { 0, -9, INT64_MIN, 300, BOUND, BOUND + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 300, BOUND, BOUND, BOUND };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    for (int k = 0; k < BOUND; k++) keys[k] = BOUND - k;
    for (int turn = 0; turn < 14; turn++) {
        if (!test_takes_tile(&tilings[turn % 2])) continue;
        const int count = counts[turn / 2];
        mcl_buffer *sorted = ARRAY_OF(_i, keys);
        mcl_buffer *places = ARRAY_OF(_i, keys);
        const mcl_input in = mcl_with_count(ints(sorted, BOUND), slot, turn / 2);
        test_ok(mcl_sort_indices(queue, in, ints_out(places, BOUND), MCL_LESS, &tilings[turn % 2]));
        test_ok(mcl_sort(queue, in, ints_out(sorted, BOUND), MCL_LESS, &tilings[turn % 2]));
        for (int k = 0; k < BOUND; k++) expected[k] = k < count ? keys[count - 1 - k] : keys[k];
        ARRAY_READ(_i, sorted, got);
        ck_assert_mem_eq(got, expected, sizeof got);
        for (int k = 0; k < BOUND; k++) expected[k] = k < count ? count - 1 - k : keys[k];
        ARRAY_READ(_i, places, got);
        ck_assert_mem_eq(got, expected, sizeof got);
        mcl_buffer_release(sorted);
        mcl_buffer_release(places);
    }
    mcl_buffer_release(slot);
}
END_TEST

/* ---- tiles and levels by rows ------------------------------------------------------------------------------------ */

enum { ROWS_COUNT = 5000 };

typedef struct row_sort {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *in, *out, *values;
} row_sort;

/* Makes a context with rows of tuning, and arrays of ROWS_COUNT elements. */
static void row_sort_make(row_sort *sort, int device, const char *rows)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];

    sort->context = test_context(device);
    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    test_ok(mcl_context_load_tuning(sort->context, path));
    folder_remove(&f);
    test_ok(mcl_queue_create(sort->context, 0, &sort->queue));
    test_ok(mcl_buffer_create(sort->context, ROWS_COUNT * sizeof(int32_t), NULL, &sort->in));
    test_ok(mcl_buffer_create(sort->context, ROWS_COUNT * sizeof(int32_t), NULL, &sort->out));
    test_ok(mcl_buffer_create(sort->context, ROWS_COUNT * sizeof(int32_t), NULL, &sort->values));
}

static void row_sort_free(row_sort *sort)
{
    mcl_buffer_release(sort->in);
    mcl_buffer_release(sort->out);
    mcl_buffer_release(sort->values);
    mcl_queue_release(sort->queue);
    mcl_context_release(sort->context);
}

/* Sorts keys by merges, with their indices and alone. Where keys are equal, indices must grow. */
static void row_sort_check(const row_sort *sort, const int32_t *keys, int count, const char *name)
{
    static int32_t got[ROWS_COUNT], places[ROWS_COUNT];
    const size_t bytes = sizeof *keys * (size_t)count;
    const mcl_options merges = { .sort_method = MCL_SORT_MERGE };
    mcl_queue *queue = sort->queue;

    test_ok(mcl_buffer_write(queue, sort->in, 0, bytes, keys));
    test_ok(mcl_sort_pairs(queue, ints(sort->in, count), ints_counting(count), ints_out(sort->out, count),
                           ints_out(sort->values, count), MCL_LESS, &merges));
    test_ok(mcl_buffer_read(queue, sort->out, 0, bytes, got));
    test_ok(mcl_buffer_read(queue, sort->values, 0, bytes, places));
    for (int k = 0; k < count; k++) {
        ck_assert_int_ge(places[k], 0);
        ck_assert_int_lt(places[k], count);
        ck_assert_msg(got[k] == keys[places[k]], "%s, %d keys: key %d", name, count, k);
        ck_assert_msg(k == 0 || got[k - 1] < got[k] || (got[k - 1] == got[k] && places[k - 1] < places[k]),
                      "%s, %d keys: key %d is not in order", name, count, k);
    }
    test_ok(mcl_sort(queue, ints(sort->in, count), ints_out(sort->values, count), MCL_LESS, &merges));
    test_ok(mcl_buffer_read(queue, sort->values, 0, bytes, places));
    ck_assert_mem_eq(places, got, bytes);
}

/* Rows make blocks of four tiles. The device halves the blocks where its work-group memory is too small. */
START_TEST(blocks_of_several_tiles_sort_as_well)
{
    static int32_t keys[ROWS_COUNT];
    row_sort sort;
    const int sizes[] = { 1, 95, 384, 385, 640, 1919, 1921, test_is_small() ? 2500 : ROWS_COUNT };

    row_sort_make(&sort, _i, "sort \"\" any 32 3\nsort_pairs \"\" any 32 5\nsort_block \"\" any 128 1\n");
    random_ints(keys, ROWS_COUNT, ROWS_COUNT / 3, 9, 0);
    for (int s = 0; s < 8; s++) row_sort_check(&sort, keys, sizes[s], "random keys");
    row_sort_free(&sort);
}
END_TEST

/* Levels merge four runs of few tiles each. Runs have any lengths, and their keys interleave in any way. */
START_TEST(four_runs_merge_as_two_do)
{
    enum { TILE = 32 * 3, SPREADS = 8 };
    static const char *const names[SPREADS] = { "random",   "few values", "equal",       "sorted",
                                                "reversed", "saw",        "one low key", "runs of equal keys" };
    static int32_t keys[ROWS_COUNT];
    row_sort sort;
    const int sizes[] = { 2 * TILE,  2 * TILE + 1,  3 * TILE,      4 * TILE - 1,  4 * TILE + 1, 7 * TILE + 5,
                          16 * TILE, 16 * TILE + 1, 17 * TILE - 1, 33 * TILE + 7, ROWS_COUNT };

    row_sort_make(&sort, _i,
                  "sort \"\" any 32 3\nsort_pairs \"\" any 32 3\nsort_four \"\" any 32 3\n"
                  "sort_four_pairs \"\" any 32 3\nsort_block \"\" any 32 1\nsort.few_tiles \"\" 0\n");
    for (int s = 0; s < 11; s++) {
        const int count = sizes[s];
        if (test_is_small() && count > 17 * TILE) continue;
        for (int spread = 0; spread < SPREADS; spread++) {
            if (!test_sample_takes(s * SPREADS + spread, 11 * SPREADS)) continue;
            random_ints(keys, count, spread == 0 ? count : 3, 9 + s, 0);
            for (int k = 0; k < count && spread > 1; k++)
                keys[k] = spread == 2   ? 7
                          : spread == 3 ? k
                          : spread == 4 ? count - k
                          : spread == 5 ? k % (TILE + 1)
                          : spread == 6 ? (k == count - 1 ? -1 : k)
                                        : (count - k) / TILE * 2;
            row_sort_check(&sort, keys, count, names[spread]);
        }
    }
    row_sort_free(&sort);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------------------------- */

#define ARGUMENT(call, words) test_fails(call, MCL_ERROR_ARGUMENT, words)
#define TYPE_ERROR(call, words) test_fails(call, MCL_ERROR_TYPE, words)

enum { FEW = 100 };

START_TEST(operands_that_do_not_fit_are_named)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t before[2 * FEW];
    int32_t got[2 * FEW];

    memset(before, 0x31, sizeof before);
    mcl_buffer *a = ARRAY_OF(_i, before);
    mcl_buffer *b = ARRAY_OF(_i, before);
    const mcl_input keys = ints(a, FEW);
    const mcl_output out = ints_out(b, FEW);
    const mcl_output floats = mcl_to_buffer(MCL_FLOAT, b, 0, FEW);
    const mcl_output shifted = mcl_to_buffer(MCL_INT32, a, 1, FEW);
    const mcl_output after = mcl_to_buffer(MCL_INT32, b, FEW, FEW);
    mcl_op by_table = { .role = MCL_ROLE_ORDER, .expression = "t[p] < t[q]", .binding_count = 1 };
    by_table.bindings[0] = mcl_binding_buffer("t", MCL_INT32, b, 0);

    ARGUMENT(mcl_sort(NULL, keys, out, MCL_LESS, NULL), "mcl_sort|queue is NULL");
    ARGUMENT(mcl_sort(queue, ints(a, -1), out, MCL_LESS, NULL), "mcl_sort|keys|count|-1");
    ARGUMENT(mcl_sort(queue, keys, ints_out(b, FEW - 1), MCL_LESS, NULL), "mcl_sort|out|99");
    ARGUMENT(mcl_sort(queue, keys, out, NULL, NULL), "mcl_sort|before is NULL");
    TYPE_ERROR(mcl_sort(queue, keys, floats, MCL_LESS, NULL), "mcl_sort|out is float|int32_t|the type of keys");
    ARGUMENT(mcl_sort(queue, keys, shifted, MCL_LESS, NULL), "mcl_sort|out overlaps keys");
    ARGUMENT(mcl_sort(queue, keys, out, &by_table, NULL), "mcl_sort|out overlaps before's binding t");
    const mcl_binding table = mcl_binding_buffer("t", MCL_INT32, b, 0);
    ARGUMENT(mcl_sort(queue, mcl_from_expression(MCL_INT32, "t[i]", NULL, &table, 1, FEW), out, MCL_LESS, NULL),
             "mcl_sort|out overlaps keys's binding t");

    ARGUMENT(mcl_sort_pairs(queue, keys, ints(a, FEW - 1), out, after, MCL_LESS, NULL),
             "mcl_sort_pairs|values has 99|as keys|100");
    ARGUMENT(mcl_sort_pairs(queue, keys, keys, out, out, MCL_LESS, NULL),
             "mcl_sort_pairs|out_values overlaps out_keys");
    ARGUMENT(
        mcl_sort_pairs(queue, keys, mcl_from_buffer(MCL_INT32, b, FEW, FEW), out, ints_out(a, FEW), MCL_LESS, NULL),
        "mcl_sort_pairs|out_values overlaps keys");
    TYPE_ERROR(mcl_sort_pairs(queue, keys, keys, after, floats, MCL_LESS, NULL),
               "mcl_sort_pairs|out_values is float|int32_t|the type of values");

    TYPE_ERROR(mcl_sort_indices(queue, keys, floats, MCL_LESS, NULL), "mcl_sort_indices|out is float|MCL_INT64");
    ARGUMENT(mcl_sort_indices(queue, keys, ints_out(a, FEW), MCL_LESS, NULL), "mcl_sort_indices|out overlaps keys");
    const int32_t zero = 0;
    TYPE_ERROR(
        mcl_sort_indices(queue, mcl_from_constant(MCL_INT8, &zero, INT64_C(1) << 31), ints_out(b, FEW), MCL_LESS, NULL),
        "mcl_sort_indices|out is MCL_INT32|MCL_INT64|2147483648");

    ARRAY_READ(_i, a, got);
    ck_assert_mem_eq(got, before, sizeof got);
    ARRAY_READ(_i, b, got);
    ck_assert_mem_eq(got, before, sizeof got);
    mcl_buffer_release(a);
    mcl_buffer_release(b);
}
END_TEST

START_TEST(ways_of_sorting_that_do_not_apply_are_refused)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    static const mcl_op by_last_digit = { .role = MCL_ROLE_ORDER, .expression = "p % 10 < q % 10" };
    mcl_buffer *a = array_empty(_i, FEW * sizeof(int32_t));
    const mcl_output out = ints_out(a, FEW);
    mcl_options options = { .sort_method = (mcl_sort_method)3 };

    ARGUMENT(mcl_sort(queue, ints(a, FEW), out, MCL_LESS, &options), "mcl_sort|sort_method is 3");
    options = (mcl_options){ .sort_method = MCL_SORT_RADIX };
    test_fails(mcl_sort(queue, ints(a, FEW), out, &by_last_digit, &options), MCL_ERROR_UNSUPPORTED,
               "mcl_sort|radix sort|int32_t|MCL_LESS");
    options = (mcl_options){ .end_bit = 8 };
    test_fails(mcl_sort(queue, ints(a, FEW), out, &by_last_digit, &options), MCL_ERROR_UNSUPPORTED,
               "mcl_sort|radix sort|int32_t|MCL_LESS");
    options = (mcl_options){ .sort_method = MCL_SORT_MERGE, .first_bit = 3, .end_bit = 8 };
    ARGUMENT(mcl_sort(queue, ints(a, FEW), out, MCL_LESS, &options), "mcl_sort|first_bit is 3|end_bit 8");
    mcl_buffer_release(a);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sort_equals_the_loop, device, run_case_rounds(&sort_case));
    test_add(tcase, floats_sort_with_nan_last_and_both_zeros_equal, device);
    test_add(tcase, strings_sort_by_places_in_a_table, device);
    test_add(tcase, orders_that_contradict_themselves_do_no_harm, device);
    test_add(tcase, sort_clamps_counts_from_the_device_and_leaves_what_lies_past_them, device);
    test_add(tcase, blocks_of_several_tiles_sort_as_well, device);
    test_add(tcase, four_runs_merge_as_two_do, device);
    test_add(tcase, operands_that_do_not_fit_are_named, device);
    test_add(tcase, ways_of_sorting_that_do_not_apply_are_refused, device);
}

int main(void)
{
    return test_main("sort", add);
}
