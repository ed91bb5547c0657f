/* test_segmented_top_k.c: the calls of segmented_top_k.h. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

START_TEST(segmented_top_k_equals_the_sorted_segments)
{
    run_case_round(&segmented_top_k_case, _i);
}
END_TEST

/* Rows of a matrix are segments, given by an expression without memory. */
START_TEST(rows_of_a_matrix_are_segments)
{
    enum { ROWS = 3, COLUMNS = 5, WANTED = 2 };
    static const int32_t matrix[ROWS * COLUMNS] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9 };
    static const int32_t expected[ROWS * WANTED] = { 4, 2, 0, 2, 2, 4 };
    int32_t got[ROWS * WANTED];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, matrix);
    mcl_buffer *out = array_empty(_i, sizeof got);
    const mcl_segments rows =
        mcl_segments_from_offsets(mcl_from_expression(MCL_INT64, "i * 5", NULL, NULL, 0, ROWS + 1));

    test_ok(mcl_segmented_top_k_indices(queue, ints(in, ROWS * COLUMNS), rows, mcl_amount_of(WANTED),
                                        ints_out(out, ROWS * WANTED), (mcl_output){ 0 }, MCL_GREATER, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < ROWS * WANTED; k++) ck_assert_int_eq(got[k], expected[k]);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* ---- rows that a group has room for ------------------------------------------------------------------------------ */

/* Rows with many equal keys, the last row short. Keys are indices of a list whose elements are in order. */
enum { FIT_ROWS = 5, FIT_COLUMNS = 37, FIT_COUNT = FIT_ROWS * FIT_COLUMNS - 3, FIT_LEVELS = 6 };
typedef struct fit_list {
    const mcl_type *type;
    const void *elements; /* elements of four bytes */
    const int *levels;    /* level of each element; equal elements have equal levels */
} fit_list;

static int fit_pick(int k)
{
    return (int)((uint32_t)k * 2654435761u >> 16) % FIT_LEVELS;
}

/* Returns the index in the row of the element of a rank. */
static int fit_expected(const fit_list *list, int row, int length, int rank, int descends)
{
    for (int j = 0; j < length; j++) {
        const int own = list->levels[fit_pick(row * FIT_COLUMNS + j)];
        int earlier = 0;
        for (int i = 0; i < length; i++) {
            const int other = list->levels[fit_pick(row * FIT_COLUMNS + i)];
            earlier += other == own ? i < j : (other < own) != descends;
        }
        if (earlier == rank) return j;
    }
    return -1;
}

static void fit_check(int device, const fit_list *list, mcl_buffer *in, int wanted, int descends,
                      const mcl_options *options)
{
    const mcl_segments rows = mcl_segments_from_rows(FIT_ROWS, FIT_COLUMNS);
    mcl_queue *queue = test_device_at(device)->queue;
    int32_t got[FIT_ROWS * FIT_COLUMNS];
    mcl_buffer *out = array_empty(device, sizeof got);
    test_ok(mcl_segmented_top_k_indices(queue, mcl_from_buffer(list->type, in, 0, FIT_COUNT), rows,
                                        mcl_amount_of(wanted), ints_out(out, (int64_t)FIT_ROWS * wanted),
                                        (mcl_output){ 0 }, descends ? MCL_GREATER : MCL_LESS, options));
    ARRAY_READ(device, out, got);
    for (int row = 0; row < FIT_ROWS; row++) {
        const int length = row < FIT_ROWS - 1 ? FIT_COLUMNS : FIT_COLUMNS - 3;
        for (int rank = 0; rank < wanted && rank < length; rank++)
            ck_assert_int_eq(got[row * wanted + rank], fit_expected(list, row, length, rank, descends));
    }
    mcl_buffer_release(out);
}

START_TEST(rows_that_fit_a_group_are_in_order)
{
    static const int32_t numbers[FIT_LEVELS] = { INT32_MIN, -1, 0, 7, INT32_MAX - 1, INT32_MAX };
    static const uint32_t counts[FIT_LEVELS] = { 0, 1, 2, INT32_MAX, UINT32_MAX - 1, UINT32_MAX };
    const float floats[FIT_LEVELS] = { -INFINITY, -1.5f, -0.0f, 0.0f, INFINITY, NAN };
    static const int all[FIT_LEVELS] = { 0, 1, 2, 3, 4, 5 }, zeros[FIT_LEVELS] = { 0, 1, 2, 2, 4, 5 };
    const fit_list lists[] = { { MCL_INT32, numbers, all }, { MCL_UINT32, counts, all }, { MCL_FLOAT, floats, zeros } };
    static const int tiles[][2] = { { 0, 0 }, { 32, 2 }, { 16, 4 }, { 64, 3 } };
    static const int wanted[] = { 1, 5, 20, 37 };
    for (int k = 0; k < 3; k++) {
        uint32_t words[FIT_COUNT];
        for (int i = 0; i < FIT_COUNT; i++)
            memcpy(words + i, (const char *)lists[k].elements + 4 * fit_pick(i), sizeof words[i]);
        mcl_buffer *in = ARRAY_OF(_i, words);
        for (int t = 0; t < 4; t++)
            for (int w = 0; w < 4; w++)
                for (int descends = 0; descends < (k < 2 ? 2 : 1); descends++)
                    fit_check(_i, lists + k, in, wanted[w], descends,
                              &(mcl_options){ .tile_threads = tiles[t][0], .tile_items = tiles[t][1] });
        mcl_buffer_release(in);
    }
}
END_TEST

/* ---- long rows --------------------------------------------------------------------------------------------------- */

/* Two rows of few different keys. Elements with equal keys are in the order of their indices, wherever a row is cut. */
enum { LONG_ROWS = 2, LONG_COLUMNS = 2500, LONG_COUNT = LONG_ROWS * LONG_COLUMNS, LONG_LEVELS = 40, LONG_WANTED = 900 };

static int32_t long_key(int k)
{
    return (int32_t)((uint32_t)k * 2654435761u >> 16) % LONG_LEVELS;
}

/* Stores the indices in a row of the row's first elements. */
static void long_expected(int row, int32_t *indices)
{
    int count = 0;
    for (int level = 0; level < LONG_LEVELS; level++)
        for (int k = 0; k < LONG_COLUMNS && count < LONG_WANTED; k++)
            if (long_key(row * LONG_COLUMNS + k) == level) indices[count++] = k;
}

/* Checks a result. Values are read by the chosen keys' indices in the input. */
static void long_check(int device, const int32_t *indices, const int32_t *values, const int32_t *counts, int wanted)
{
    for (int row = 0; row < LONG_ROWS; row++) {
        int32_t expected[LONG_WANTED];
        long_expected(row, expected);
        ck_assert_int_eq(counts[row], wanted);
        for (int k = 0; k < wanted; k++) {
            ck_assert_msg(indices[row * wanted + k] == expected[k], "device %d, row %d of %d: index %d is %d, not %d",
                          device, row, wanted, k, (int)indices[row * wanted + k], (int)expected[k]);
            ck_assert_int_eq(values[row * wanted + k], row * LONG_COLUMNS + expected[k]);
        }
    }
}

START_TEST(long_rows_keep_the_order_of_equal_keys)
{
    static const int wanted[] = { 1, 7, 150, LONG_WANTED }; /* for the last number processors sort (cost.c) */
    const mcl_segments rows = mcl_segments_from_rows(LONG_ROWS, LONG_COLUMNS);
    mcl_queue *queue = test_device_at(_i)->queue;
    static int32_t keys[LONG_COUNT];
    int32_t indices[LONG_ROWS * LONG_WANTED], values[LONG_ROWS * LONG_WANTED], counts[LONG_ROWS];
    for (int k = 0; k < LONG_COUNT; k++) keys[k] = long_key(k);
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *out = array_empty(_i, sizeof indices);
    mcl_buffer *out_values = array_empty(_i, sizeof values);
    mcl_buffer *lengths = array_empty(_i, sizeof counts);
    for (int w = 0; w < 4; w++) {
        const int64_t room = (int64_t)LONG_ROWS * wanted[w];
        test_ok(mcl_segmented_top_k_pairs(queue, ints(in, LONG_COUNT), ints_counting(LONG_COUNT), rows,
                                          mcl_amount_of(wanted[w]), ints_out(out, room), ints_out(out_values, room),
                                          ints_out(lengths, LONG_ROWS), MCL_LESS, NULL));
        test_ok(mcl_segmented_top_k_indices(queue, ints(in, LONG_COUNT), rows, mcl_amount_of(wanted[w]),
                                            ints_out(out, room), (mcl_output){ 0 }, MCL_LESS, NULL));
        ARRAY_READ(_i, out, indices);
        ARRAY_READ(_i, out_values, values);
        ARRAY_READ(_i, lengths, counts);
        long_check(_i, indices, values, counts, wanted[w]);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(out_values);
    mcl_buffer_release(lengths);
}
END_TEST

/* A row is cut into 8 parts. Most parts are as long as a group's tile, and the first parts are one element longer. The
 * first keys in order are the last elements of these longer parts. */
START_TEST(no_part_of_a_row_is_too_long_for_its_group)
{
    enum { PARTS = 8, LONGER = 3, TILE_MOST = 2048, COUNT_MOST = PARTS * TILE_MOST + LONGER };
    static int32_t keys[COUNT_MOST];
    int32_t got[LONGER];
    mcl_context *context = test_context_with(_i, "mapping=group");
    mcl_queue *queue = NULL;
    mcl_buffer *in = NULL, *out = NULL;

    test_load_rows(context, "segmented_top_k.part_groups \"\" 1024\nsegmented_top_k.part_length \"\" 1\n"
                            "segmented_top_k.sort_length \"\" 0\n");
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, TILE_MOST * sizeof *keys, NULL, &out));
    for (int tile = 64; tile <= (test_is_small() ? TILE_MOST / 8 : TILE_MOST); tile *= 2) {
        const int count = PARTS * tile + LONGER, wanted = count / (PARTS * PARTS);
        for (int k = 0; k < count; k++) keys[k] = k;
        for (int part = 0; part < LONGER; part++) keys[(part + 1) * (tile + 1) - 1] = part - LONGER;
        test_ok(mcl_buffer_create(context, sizeof keys, keys, &in));
        test_ok(mcl_segmented_top_k(queue, ints(in, count), mcl_segments_from_rows(1, count), mcl_amount_of(wanted),
                                    ints_out(out, wanted), (mcl_output){ 0 }, MCL_LESS, NULL));
        test_ok(mcl_buffer_read(queue, out, 0, sizeof got, got));
        for (int k = 0; k < LONGER; k++) ck_assert_int_eq(got[k], k - LONGER);
        mcl_buffer_release(in);
    }
    mcl_buffer_release(out);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* ---- by a selection or by a sort --------------------------------------------------------------------------------- */

/* Segments of 0 to 6 elements. Keys have few values, and equal keys may differ in bits. */
enum {
    WAY_SEGMENTS = 300,
    WAY_FEW = 45,
    WAY_WANTED = 4,
    WAY_RANK = 2,
    WAY_FRACTIONS = 2,
    WAYS_MOST = 7 * WAY_SEGMENTS
};

typedef struct way_results {
    uint32_t keys[WAY_SEGMENTS * WAY_WANTED], values[WAY_SEGMENTS * WAY_WANTED], indices[WAY_SEGMENTS * WAY_WANTED];
    uint32_t counts[WAY_SEGMENTS], ranks[WAY_SEGMENTS], keys_at[WAY_SEGMENTS * WAY_FRACTIONS];
    uint32_t between[WAY_SEGMENTS * WAY_FRACTIONS];
} way_results;

static mcl_output way_out(const mcl_type *type, mcl_buffer *results, size_t offset, int64_t count)
{
    return mcl_to_buffer(type, results, (int64_t)(offset / 4), count);
}

#define WAY_OUT(type, member) way_out(type, out, offsetof(way_results, member), sizeof got->member / 4)

/* Makes all calls in one way. Elements to which nothing is stored keep their content. */
static void way_run(int device, const char *rows, const mcl_options *options, way_results *got)
{
    static const float keys[] = { 1, -0.0f, NAN, 0, -INFINITY, -1, INFINITY };
    const float third = 0.34f;
    float in[WAYS_MOST];
    int32_t begins[WAY_SEGMENTS + 1] = { 0 };
    const int number = test_is_small() ? WAY_FEW : WAY_SEGMENTS;
    for (int s = 0; s < number; s++) begins[s + 1] = begins[s] + (s * 5 + s / 7) % 7;
    const int64_t count = begins[number];
    for (int k = 0; k < WAYS_MOST; k++) in[k] = keys[((uint32_t)k * 2654435761u >> 16) % 7];
    mcl_context *context = test_context_of_rows(device, rows);
    mcl_queue *queue = NULL;
    mcl_buffer *list = NULL, *offsets = NULL, *out = NULL;
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, sizeof in, in, &list));
    test_ok(mcl_buffer_create(context, sizeof begins, begins, &offsets));
    memset(got, 0x5a, sizeof *got);
    test_ok(mcl_buffer_create(context, sizeof *got, got, &out));
    const mcl_input from = mcl_from_buffer(MCL_FLOAT, list, 0, count);
    const mcl_input fractions = mcl_from_step(MCL_FLOAT, &third, &third, WAY_FRACTIONS);
    const mcl_segments segments = mcl_segments_from_offsets(ints(offsets, number + 1));
    test_ok(mcl_segmented_top_k_pairs(queue, from, ints_counting(count), segments, mcl_amount_of(WAY_WANTED),
                                      WAY_OUT(MCL_FLOAT, keys), WAY_OUT(MCL_INT32, values), WAY_OUT(MCL_INT32, counts),
                                      MCL_LESS, options));
    test_ok(mcl_segmented_top_k_indices(queue, from, segments, mcl_amount_of(WAY_WANTED), WAY_OUT(MCL_INT32, indices),
                                        (mcl_output){ 0 }, MCL_LESS, options));
    test_ok(mcl_segmented_nth_element(queue, from, segments, mcl_amount_of(WAY_RANK), WAY_OUT(MCL_FLOAT, ranks),
                                      MCL_LESS, options));
    test_ok(mcl_segmented_quantiles(queue, from, segments, fractions, WAY_OUT(MCL_FLOAT, keys_at), MCL_LESS,
                                    MCL_INTERPOLATION_NEAREST, options));
    test_ok(mcl_segmented_quantiles(queue, from, segments, fractions, WAY_OUT(MCL_FLOAT, between), MCL_LESS,
                                    MCL_INTERPOLATION_LINEAR, options));
    test_ok(mcl_buffer_read(queue, out, 0, sizeof *got, got));
    mcl_buffer_release(list);
    mcl_buffer_release(offsets);
    mcl_buffer_release(out);
    mcl_queue_release(queue);
    mcl_context_release(context);
}

/* Keys that compare equal are taken in the order of their indices, so that even their bits are equal. */
START_TEST(both_ways_give_the_same_bits)
{
    static const char selects[] = "segmented_top_k.sort_length \"\" 0\nsegmented_top_k.rank_sort_length \"\" 0\n"
                                  "segmented_top_k.sort_rounds \"\" 16777216\nsegmented_top_k.key_cost \"\" 0\n"
                                  "segmented_top_k.entry_cost \"\" 0\nsegmented_top_k.level_cost \"\" 0\n"
                                  "segmented_top_k.rank_key_cost \"\" 0\n";
    static const char sorts[] = "segmented_top_k.sort_length \"\" 16777216\n"
                                "segmented_top_k.rank_sort_length \"\" 16777216\n"
                                "segmented_top_k.key_cost \"\" 16777216\n"
                                "segmented_top_k.rank_key_cost \"\" 16777216\n";
    static const mcl_options tiles[] = { { 0 },
                                         { .tile_threads = 1, .tile_items = 64 },
                                         { .tile_threads = 32, .tile_items = 4 } };
    way_results expected, got;
    for (int t = 0; t < 3; t++) {
        if (!test_takes_tile(&tiles[t])) continue;
        way_run(_i, selects, &tiles[t], &expected);
        way_run(_i, sorts, &tiles[t], &got);
        ck_assert_mem_eq(got.keys, expected.keys, sizeof got.keys);
        ck_assert_mem_eq(got.values, expected.values, sizeof got.values);
        ck_assert_mem_eq(got.indices, expected.indices, sizeof got.indices);
        ck_assert_mem_eq(got.counts, expected.counts, sizeof got.counts);
        ck_assert_mem_eq(got.ranks, expected.ranks, sizeof got.ranks);
        ck_assert_mem_eq(got.keys_at, expected.keys_at, sizeof got.keys_at);
        for (int k = 0; k < WAY_SEGMENTS * WAY_FRACTIONS; k++) { /* a NaN may have other bits */
            float x, y;
            memcpy(&x, &got.between[k], 4);
            memcpy(&y, &expected.between[k], 4);
            ck_assert_msg(x == y || (x != x && y != y), "quantile %d", k);
        }
    }
}
END_TEST

/* The sentence also has the function's name. */
#define EXPECT(queue, in, segments, k, out, counts, status, words)                                                     \
    test_fails(mcl_segmented_top_k(queue, in, segments, mcl_amount_of(k), out, counts, MCL_LESS, NULL), status,        \
               "mcl_segmented_top_k|" words)

#define EXPECT_RANK(segments, rank, out, status, words)                                                                \
    test_fails(mcl_segmented_nth_element(queue, ints(in, 8), segments, rank, out, MCL_LESS, NULL), status,             \
               "mcl_segmented_nth_element|" words)
#define EXPECT_QUANTILES(segments, fractions, out, interpolation, status, words)                                       \
    test_fails(mcl_segmented_quantiles(queue, ints(in, 8), segments, fractions, out, MCL_LESS, interpolation, NULL),   \
               status, "mcl_segmented_quantiles|" words)

START_TEST(mistakes_of_ranks_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    mcl_buffer *out = array_empty(_i, 64);
    const mcl_segments three = mcl_segments_from_offsets(mcl_from_expression(MCL_INT64, "i * 2", NULL, NULL, 0, 4));

    const float half = 0.5f;
    const mcl_input one = mcl_from_constant(MCL_FLOAT, &half, 1), two = mcl_from_constant(MCL_FLOAT, &half, 2);
    const mcl_amount none = mcl_amount_of_each(2, ints(out, 0));

    EXPECT_RANK(three, mcl_amount_of(-1), ints_out(out, 3), MCL_ERROR_ARGUMENT, "rank is -1|0 or more");
    EXPECT_RANK(three, mcl_amount_of(1), ints_out(out, 2), MCL_ERROR_ARGUMENT, "out|2|3");
    EXPECT_RANK(three, mcl_amount_of(1), ints_out(in, 3), MCL_ERROR_ARGUMENT, "keys|out|overlap");
    EXPECT_RANK(three, none, ints_out(in, 3), MCL_ERROR_ARGUMENT, "rank has no element|one or more");
    EXPECT_RANK(three, mcl_amount_of_each(2, ints(out, 3)), ints_out(out, 3), MCL_ERROR_ARGUMENT, "rank|out|overlap");
    EXPECT_RANK(three, mcl_amount_in_slot(2, MCL_FLOAT, out, 9), ints_out(out, 3), MCL_ERROR_TYPE,
                "rank is float|MCL_INT32, MCL_UINT32 or MCL_INT64");
    EXPECT_QUANTILES(three, one, mcl_to_buffer(MCL_FLOAT, out, 0, 3), MCL_INTERPOLATION_LOWER, MCL_ERROR_TYPE,
                     "out is float|expected int32_t");
    EXPECT_QUANTILES(three, one, ints_out(out, 3), MCL_INTERPOLATION_LINEAR, MCL_ERROR_TYPE,
                     "out is int32_t|MCL_FLOAT or MCL_DOUBLE");
    EXPECT_QUANTILES(three, ints(out, 1), ints_out(out, 3), MCL_INTERPOLATION_LOWER, MCL_ERROR_TYPE,
                     "fractions is int32_t|MCL_FLOAT or MCL_DOUBLE");
    EXPECT_QUANTILES(three, two, ints_out(out, 5), MCL_INTERPOLATION_LOWER, MCL_ERROR_ARGUMENT, "out|5|6");
    EXPECT_QUANTILES(three, one, ints_out(out, 3), (mcl_interpolation)5, MCL_ERROR_ARGUMENT, "interpolation is 5");
    EXPECT_QUANTILES(mcl_segments_from_flags(ints(in, 0)), one, ints_out(out, 3), MCL_INTERPOLATION_LOWER,
                     MCL_ERROR_ARGUMENT, "segments has 0 words|1 for 8");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(mistakes_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    mcl_buffer *out = array_empty(_i, 64);
    mcl_buffer *numbers = array_empty(_i, 64);
    const mcl_output none = { 0 };
    const mcl_segments three = mcl_segments_from_offsets(ints(numbers, 4));

    EXPECT(NULL, ints(in, 8), three, 2, ints_out(out, 6), none, MCL_ERROR_ARGUMENT, "queue|NULL");
    EXPECT(queue, ints(in, 8), three, -1, ints_out(out, 6), none, MCL_ERROR_ARGUMENT, "k is -1|0 or more");
    EXPECT(queue, ints(in, 8), three, INT64_MAX / 2, ints_out(out, 6), none, MCL_ERROR_ARGUMENT, "3 rows|too many");
    EXPECT(queue, ints(in, 8), three, 2, ints_out(out, 5), none, MCL_ERROR_ARGUMENT, "out|5|6");
    EXPECT(queue, ints(in, 8), three, 2, ints_out(out, 6), mcl_to_buffer(MCL_INT32, out, 8, 2), MCL_ERROR_ARGUMENT,
           "counts|2|3");
    EXPECT(queue, ints(in, 8), three, 2, ints_out(out, 6), mcl_to_buffer(MCL_INT32, out, 5, 3), MCL_ERROR_ARGUMENT,
           "out|counts|overlap");
    EXPECT(queue, ints(in, 8), three, 2, ints_out(in, 6), none, MCL_ERROR_ARGUMENT, "keys|out|overlap");
    EXPECT(queue, ints(in, 8), three, 2, ints_out(numbers, 6), none, MCL_ERROR_ARGUMENT, "segments|out|overlap");
    EXPECT(queue, ints(in, 8), three, 2, mcl_to_buffer(MCL_FLOAT, out, 0, 6), none, MCL_ERROR_TYPE,
           "out is float|expected int32_t");
    EXPECT(queue, ints(in, 8), three, 2, ints_out(out, 6), mcl_to_buffer(MCL_FLOAT, numbers, 4, 3), MCL_ERROR_TYPE,
           "counts is float");
    EXPECT(queue, ints(in, 8), mcl_segments_from_offsets(mcl_from_buffer(MCL_FLOAT, numbers, 0, 4)), 2,
           ints_out(out, 6), none, MCL_ERROR_TYPE, "segments is float");
    EXPECT(queue, ints(in, 8), ((mcl_segments){ .input = ints(numbers, 4), .kind = (mcl_segment_kind)9 }), 2,
           ints_out(out, 6), none, MCL_ERROR_ARGUMENT, "segments.kind is 9");
    test_fails(mcl_segmented_top_k_pairs(queue, ints(in, 8), ints(in, 7), three, mcl_amount_of(2), ints_out(out, 6),
                                         ints_out(out, 6), none, MCL_LESS, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_top_k_pairs|values|7|8");
    test_fails(mcl_segmented_top_k_indices(queue, ints(in, 8), three, mcl_amount_of(2),
                                           mcl_to_buffer(MCL_FLOAT, out, 0, 6), none, MCL_LESS, NULL),
               MCL_ERROR_TYPE, "mcl_segmented_top_k_indices|out is float");
    test_fails(mcl_segmented_top_k(queue, ints(in, 8), three, mcl_amount_of_each(2, ints(out, 0)), ints_out(out, 6),
                                   none, MCL_LESS, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_top_k|k has no element|one or more");
    test_fails(mcl_segmented_top_k(queue, ints(in, 8), three, mcl_amount_of(2), ints_out(out, 6), none, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_top_k|before");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(numbers);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, segmented_top_k_equals_the_sorted_segments, device, run_case_rounds(&segmented_top_k_case));
    test_add(tcase, rows_of_a_matrix_are_segments, device);
    test_add(tcase, rows_that_fit_a_group_are_in_order, device);
    test_add(tcase, long_rows_keep_the_order_of_equal_keys, device);
    test_add(tcase, no_part_of_a_row_is_too_long_for_its_group, device);
    test_add(tcase, both_ways_give_the_same_bits, device);
    test_add(tcase, mistakes_are_told, device);
    test_add(tcase, mistakes_of_ranks_are_told, device);
}

int main(void)
{
    return test_main("segmented_top_k", add);
}
