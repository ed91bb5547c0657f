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

/* Not a number, infinities and both zeros in turn; zeros of both signs are equal and keep their order. */
static void float_keys(float *keys, int count)
{
    const float chosen[] = { 0.0f, NAN, -0.0f, -INFINITY, 1.5f, INFINITY, -0.0f, -2.0f };

    for (int k = 0; k < count; k++) keys[k] = chosen[test_random(3, (uint64_t)k) % 8];
}

/* Insertion: stable by itself. */
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

/* word_order's answers are neither 0 and 1 nor of one sign: nonzero means before. */
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

/* Orders that are none: values are unspecified, but each is a key, and memory is not touched elsewhere. */
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

/* ---- blocks of several tiles ------------------------------------------------------------------------------------ */

/* Rows that make blocks of four tiles; the device halves them where its work-group memory is too small. */
START_TEST(blocks_of_several_tiles_sort_as_well)
{
    enum { COUNT = 5000 };
    static const char rows[] = "sort \"\" any 32 3\nsort_pairs \"\" any 32 5\nsort_block \"\" any 128 1\n";
    static int32_t keys[COUNT];
    static int32_t got[COUNT];
    static int32_t places[COUNT];
    folder f;
    char path[FOLDER_PATH_BYTES + 64];
    mcl_context *context = test_context(_i);
    mcl_queue *queue;
    mcl_buffer *in;
    mcl_buffer *out;
    mcl_buffer *values;

    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    test_ok(mcl_context_load_tuning(context, path));
    folder_remove(&f);
    test_ok(mcl_queue_create(context, 0, &queue));
    random_ints(keys, COUNT, COUNT / 3, 9, 0);
    test_ok(mcl_buffer_create(context, sizeof keys, keys, &in));
    test_ok(mcl_buffer_create(context, sizeof keys, NULL, &out));
    test_ok(mcl_buffer_create(context, sizeof keys, NULL, &values));
    const int sizes[] = { 1, 95, 384, 385, 640, 1919, 1921, test_is_small() ? 2500 : COUNT };
    for (int s = 0; s < 8; s++) {
        const int count = sizes[s];
        const size_t bytes = sizeof *keys * (size_t)count;
        test_ok(mcl_sort_pairs(queue, ints(in, count), ints_counting(count), ints_out(out, count),
                               ints_out(values, count), MCL_LESS, &(mcl_options){ .sort_method = MCL_SORT_MERGE }));
        test_ok(mcl_buffer_read(queue, out, 0, bytes, got));
        test_ok(mcl_buffer_read(queue, values, 0, bytes, places));
        for (int k = 0; k < count; k++) {
            ck_assert_int_eq(got[k], keys[places[k]]);
            ck_assert(k == 0 || got[k - 1] < got[k] || (got[k - 1] == got[k] && places[k - 1] < places[k]));
        }
        test_ok(mcl_sort(queue, ints(in, count), ints_out(values, count), MCL_LESS,
                         &(mcl_options){ .sort_method = MCL_SORT_MERGE }));
        test_ok(mcl_buffer_read(queue, values, 0, bytes, places));
        ck_assert_mem_eq(places, got, bytes);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(values);
    mcl_queue_release(queue);
    mcl_context_release(context);
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
    test_add(tcase, operands_that_do_not_fit_are_named, device);
    test_add(tcase, ways_of_sorting_that_do_not_apply_are_refused, device);
}

int main(void)
{
    return test_main("sort", add);
}
