/* test_top_k.c: the calls of top_k.h. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

START_TEST(top_k_equals_the_sorted_sequence)
{
    run_case_round(&top_k_case, _i);
}
END_TEST

/* The sentence also has the function's name. */
#define EXPECT(queue, in, k, out, status, words)                                                                       \
    test_fails(mcl_top_k(queue, in, mcl_amount_of(k), out, MCL_LESS, mcl_to_nowhere(), NULL), status,                  \
               "mcl_top_k|" words)
#define EXPECT_RANK(in, rank, result, status, words)                                                                   \
    test_fails(mcl_nth_element(queue, in, mcl_amount_of(rank), result, MCL_LESS, NULL), status,                        \
               "mcl_nth_element|" words)

START_TEST(mistakes_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    mcl_buffer *out = array_empty(_i, 64);
    int32_t number;
    float real;

    EXPECT(NULL, ints(in, 8), 3, ints_out(out, 8), MCL_ERROR_ARGUMENT, "queue|NULL");
    EXPECT(queue, ints(in, 8), -1, ints_out(out, 8), MCL_ERROR_ARGUMENT, "k is -1|0 or more");
    EXPECT(queue, mcl_from_expression(MCL_INT32, "0", NULL, NULL, 0, (int64_t)1 << 33), (int64_t)1 << 32,
           ints_out(out, 8), MCL_ERROR_UNSUPPORTED, "k is 4294967296|4294967295");
    EXPECT(queue, ints(in, 8), 3, ints_out(out, 2), MCL_ERROR_ARGUMENT, "out|2|3");
    EXPECT(queue, ints(in, 8), 9, ints_out(out, 7), MCL_ERROR_ARGUMENT, "out|7|8");
    EXPECT(queue, ints(in, 8), 3, ints_out(in, 8), MCL_ERROR_ARGUMENT, "keys|out|overlap");
    EXPECT(queue, ints(in, 8), 3, mcl_to_buffer(MCL_FLOAT, out, 0, 8), MCL_ERROR_TYPE, "out is float|expected int32_t");
    test_fails(mcl_top_k(queue, ints(in, 8), mcl_amount_of(3), ints_out(out, 8), NULL, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_top_k|before");
    test_fails(mcl_top_k(queue, ints(in, 8), mcl_amount_of(3), ints_out(out, 8), MCL_LESS,
                         mcl_to_host(MCL_FLOAT, &real), NULL),
               MCL_ERROR_TYPE, "mcl_top_k|count is float");
    test_fails(mcl_top_k_pairs(queue, ints(in, 8), ints(in, 7), mcl_amount_of(3), ints_out(out, 3), ints_out(out, 3),
                               MCL_LESS, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_top_k_pairs|values|7|8");
    test_fails(mcl_top_k_indices(queue, ints(in, 8), mcl_amount_of(3), mcl_to_buffer(MCL_FLOAT, out, 0, 8), MCL_LESS,
                                 mcl_to_nowhere(), NULL),
               MCL_ERROR_TYPE, "mcl_top_k_indices|out is float");
    EXPECT_RANK(ints(in, 8), 8, mcl_to_host(MCL_INT32, &number), MCL_ERROR_ARGUMENT, "rank is 8|less than 8");
    EXPECT_RANK(ints(in, 8), -1, mcl_to_host(MCL_INT32, &number), MCL_ERROR_ARGUMENT, "rank is -1|0 or more");
    EXPECT_RANK(ints(in, 8), 1, mcl_to_host(MCL_FLOAT, &real), MCL_ERROR_TYPE, "result is float|expected int32_t");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

#define EXPECT_QUANTILES(keys, fractions, out, interpolation, status, words)                                           \
    test_fails(mcl_quantiles(queue, keys, fractions, out, MCL_LESS, interpolation, NULL), status,                      \
               "mcl_quantiles|" words)

START_TEST(mistakes_of_many_ranks_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    mcl_buffer *out = array_empty(_i, 64);
    const float half = 0.5f;
    const mcl_input two = mcl_from_constant(MCL_FLOAT, &half, 2);
    const mcl_amount float_slot = mcl_amount_in_slot(3, MCL_FLOAT, out, 0);
    int32_t number;

    test_fails(mcl_top_k(queue, ints(in, 8), float_slot, ints_out(out, 8), MCL_LESS, mcl_to_nowhere(), NULL),
               MCL_ERROR_TYPE, "mcl_top_k|k is float|MCL_INT32, MCL_UINT32 or MCL_INT64");
    test_fails(mcl_top_k(queue, ints(in, 8), mcl_amount_of_each(3, ints(in, 0)), ints_out(out, 8), MCL_LESS,
                         mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_top_k|k has no element|one or more");
    test_fails(mcl_top_k(queue, ints(in, 8), mcl_amount_in_slot(3, MCL_INT32, out, 2), ints_out(out, 3), MCL_LESS,
                         mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_top_k|k|out|overlap");
    test_fails(mcl_nth_element(queue, ints(in, 8), mcl_amount_in_slot(8, MCL_INT32, out, 0),
                               mcl_to_host(MCL_INT32, &number), MCL_LESS, NULL),
               MCL_ERROR_ARGUMENT, "mcl_nth_element|rank is 8|less than 8");
    test_fails(mcl_nth_elements(queue, ints(in, 8), two, ints_out(out, 8), MCL_LESS, NULL), MCL_ERROR_TYPE,
               "mcl_nth_elements|ranks is float|MCL_INT32, MCL_UINT32 or MCL_INT64");
    test_fails(mcl_nth_elements(queue, ints(in, 8), ints(out, 3), ints_out(out, 8), MCL_LESS, NULL), MCL_ERROR_ARGUMENT,
               "mcl_nth_elements|ranks|out|overlap");
    EXPECT_QUANTILES(ints(in, 8), ints(out, 2), ints_out(in, 8), MCL_INTERPOLATION_LOWER, MCL_ERROR_TYPE,
                     "fractions is int32_t|MCL_FLOAT or MCL_DOUBLE");
    EXPECT_QUANTILES(ints(in, 8), two, ints_out(out, 1), MCL_INTERPOLATION_LOWER, MCL_ERROR_ARGUMENT, "out|1|2");
    EXPECT_QUANTILES(ints(in, 8), two, ints_out(in, 2), MCL_INTERPOLATION_LOWER, MCL_ERROR_ARGUMENT,
                     "keys|out|overlap");
    EXPECT_QUANTILES(ints(in, 8), two, ints_out(out, 2), MCL_INTERPOLATION_LINEAR, MCL_ERROR_TYPE,
                     "out is int32_t|MCL_FLOAT or MCL_DOUBLE");
    EXPECT_QUANTILES(mcl_from_buffer(element_point.type, in, 0, 2), two, mcl_to_buffer(MCL_FLOAT, out, 0, 2),
                     MCL_INTERPOLATION_LINEAR, MCL_ERROR_TYPE, "keys is point|a built-in type");
    EXPECT_QUANTILES(ints(in, 8), two, ints_out(out, 2), (mcl_interpolation)-1, MCL_ERROR_ARGUMENT,
                     "interpolation is -1");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* The device has fewer keys than the host's bound, so no key has the rank. */
START_TEST(a_rank_that_no_key_has_leaves_its_slot)
{
    enum { COUNT = 3000 };
    static int32_t numbers[COUNT + 1];
    mcl_queue *queue = test_device_at(_i)->queue;
    for (int k = 0; k < COUNT; k++) numbers[k] = k;
    numbers[COUNT] = COUNT - 1;
    mcl_buffer *in = ARRAY_OF(_i, numbers);
    mcl_buffer *out = array_empty(_i, 2 * sizeof(int32_t));
    const mcl_input keys = mcl_with_count_of(ints(in, COUNT), MCL_INT32, in, COUNT);
    int32_t got[2] = { -1, -1 };

    test_ok(mcl_buffer_write(queue, out, 0, sizeof got, got));
    for (int k = 0; k < 2; k++)
        test_ok(mcl_nth_element(queue, keys, mcl_amount_of(COUNT - 2 + k), mcl_to_slot(MCL_INT32, out, k), MCL_GREATER,
                                NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_int_eq(got[0], 0);
    ck_assert_int_eq(got[1], -1);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* Two floats or doubles, and the value in their middle. */
typedef struct between {
    double low, high, middle;
} between;

static int is_as(double x, double expected)
{
    return x == expected || (isnan(x) && isnan(expected));
}

static void read_reals(int device, mcl_buffer *from, const mcl_type *type, double *out)
{
    float narrow[7];

    if (type == MCL_DOUBLE) {
        array_read(device, from, out, 7 * sizeof *out);
        return;
    }
    ARRAY_READ(device, from, narrow);
    for (int k = 0; k < 7; k++) out[k] = (double)narrow[k];
}

/* Checks quantiles of two numbers at ascending fractions, in a sequence and in a segment. They have both keys at the
 * ends, never descend, and have the expected middle. */
static void expect_between(int device, const mcl_type *type, const between *b, mcl_interpolation interpolation)
{
    static const float fractions[] = { 0, 1e-30f, 0.25f, 0.5f, 0.75f, 0.9999999f, 1 };
    const double pair[2] = { b->low, b->high };
    const float narrow[2] = { (float)b->low, (float)b->high };
    mcl_queue *queue = test_device_at(device)->queue;
    mcl_buffer *in = type == MCL_FLOAT ? ARRAY_OF(device, narrow) : ARRAY_OF(device, pair);
    mcl_buffer *at = ARRAY_OF(device, fractions);
    mcl_buffer *out = array_empty(device, 7 * sizeof(double));
    const mcl_input keys = mcl_from_buffer(type, in, 0, 2), all = mcl_from_buffer(MCL_FLOAT, at, 0, 7);
    const mcl_output to = mcl_to_buffer(type, out, 0, 7);
    double got[7];

    for (int is_segment = 0; is_segment < 2; is_segment++) {
        if (is_segment)
            test_ok(mcl_segmented_quantiles(queue, keys, mcl_segments_from_rows(1, 2), all, to, MCL_LESS, interpolation,
                                            NULL));
        else
            test_ok(mcl_quantiles(queue, keys, all, to, MCL_LESS, interpolation, NULL));
        read_reals(device, out, type, got);
        ck_assert(is_as(got[0], pair[0]) && is_as(got[6], type == MCL_FLOAT ? (double)narrow[1] : pair[1]));
        ck_assert_msg(is_as(got[3], b->middle), "between %g and %g: %g; expected %g", b->low, b->high, got[3],
                      b->middle);
        for (int k = 1; k < 7; k++) ck_assert_msg(!(got[k] < got[k - 1]), "fraction %d gives less", k);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(at);
    mcl_buffer_release(out);
}

static void expect_all_between(int device, const mcl_type *type, const between *pairs, int count)
{
    static const between special[] = {
        { -INFINITY, 5, -INFINITY },        { 5, INFINITY, INFINITY }, { -INFINITY, INFINITY, NAN },
        { INFINITY, INFINITY, INFINITY },   { 5, NAN, NAN },           { INFINITY, NAN, NAN },
        { -INFINITY, -INFINITY, -INFINITY }
    };
    enum { SPECIAL = sizeof special / sizeof special[0] };

    for (int k = 0; k < count + SPECIAL; k++) {
        const between *const pair = k < count ? &pairs[k] : &special[k - count];
        expect_between(device, type, pair, MCL_INTERPOLATION_LINEAR);
        expect_between(device, type, pair, MCL_INTERPOLATION_MIDPOINT);
    }
}

START_TEST(what_lies_between_two_keys_does_not_overflow)
{
    static const between floats[] = { { -(double)3e38f, (double)3e38f, 0 },
                                      { -(double)FLT_MAX, (double)FLT_MAX, 0 },
                                      { (double)3e38f, (double)3.2e38f, (double)3.1e38f },
                                      { 1, (double)1.0000001f, 1 } };
    static const between doubles[] = { { -1e308, 1e308, 0 },
                                       { -DBL_MAX, DBL_MAX, 0 },
                                       { 0x1p1023, 0x1.8p1023, 0x1.4p1023 },
                                       { -0x1.8p1023, -0x1p1023, -0x1.4p1023 },
                                       { 1, 1 + DBL_EPSILON, 1 } };

    expect_all_between(_i, MCL_FLOAT, floats, 4);
    if (test_device_at(_i)->info.has_double) expect_all_between(_i, MCL_DOUBLE, doubles, 5);
}
END_TEST

/* Work-groups whose last sub-group is not full count ranks like full ones. The sequence has three levels there. */
START_TEST(groups_have_any_number_of_work_items)
{
    enum { COUNT = 1201, FEW = 20, MANY = 300, STEP = 7919, TILES = 2 };
    static const mcl_options tiles[TILES] = { { .tile_threads = 33, .tile_items = 3, .flags = MCL_UNORDERED },
                                              { .tile_threads = 100, .tile_items = 2, .flags = MCL_UNORDERED } };
    static int32_t numbers[COUNT], got[MANY];
    mcl_queue *queue = test_device_at(_i)->queue;
    for (int k = 0; k < COUNT; k++) numbers[k] = (int32_t)((int64_t)k * STEP % COUNT);
    mcl_buffer *in = ARRAY_OF(_i, numbers);
    mcl_buffer *out = array_empty(_i, sizeof got);

    for (int t = 0; t < (test_is_small() ? 1 : TILES); t++) {
        const mcl_options same = { .tile_threads = tiles[t].tile_threads, .tile_items = tiles[t].tile_items };
        int32_t rank = -1;
        int64_t sum = 0;
        test_ok(mcl_top_k(queue, ints(in, COUNT), mcl_amount_of(FEW), ints_out(out, FEW), MCL_LESS, mcl_to_nowhere(),
                          &tiles[t]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < FEW; k++) ck_assert_int_eq(got[k], k);
        test_ok(mcl_top_k(queue, ints(in, COUNT), mcl_amount_of(MANY), ints_out(out, MANY), MCL_GREATER,
                          mcl_to_nowhere(), &tiles[t]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < MANY; k++) sum += got[k];
        ck_assert_int_eq(sum, (int64_t)MANY * (2 * COUNT - MANY - 1) / 2);
        test_ok(mcl_nth_element(queue, ints(in, COUNT), mcl_amount_of(COUNT / 3), mcl_to_host(MCL_INT32, &rank),
                                MCL_LESS, &same));
        ck_assert_int_eq(rank, COUNT / 3);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* Selections give the same keys where rows of tuning say that they cost nothing, and that they cost more than a
 * sort. */
START_TEST(ranks_are_selected_or_taken_from_a_sort)
{
    enum { COUNT = 30011, FEW = 3001, RANKS = 5, WAYS = 2, STEP = 7919 };
    static const char *const ways[WAYS] = {
        "top_k.select_call_cost \"\" 0\ntop_k.select_word_cost \"\" 0\n",
        "top_k.select_call_cost \"\" 1073741824\ntop_k.select_word_cost \"\" 16777216\n"
        "top_k.sort_bytes \"\" 1073741824\n",
    };
    const int count = test_is_small() ? FEW : COUNT;
    const int32_t ranks[RANKS] = { count / 2, 0, 77, count - 1, 77 };
    static int32_t keys[COUNT], sorted[COUNT];
    size_t scratch[WAYS];
    for (int64_t k = 0; k < count; k++) keys[k] = (int32_t)(k * STEP % count);

    for (int way = 0; way < WAYS; way++) {
        mcl_context *const context = test_context_of_rows(_i, ways[way]);
        mcl_buffer *in = NULL, *at = NULL, *out = NULL, *all = NULL;
        mcl_queue *queue = NULL, *preparing = NULL;
        int32_t got[RANKS];
        test_ok(mcl_queue_create(context, 0, &queue));
        test_ok(mcl_queue_create_preparing(context, &preparing));
        test_ok(mcl_buffer_create(context, sizeof keys, keys, &in));
        test_ok(mcl_buffer_create(context, sizeof ranks, ranks, &at));
        test_ok(mcl_buffer_create(context, sizeof ranks, ranks, &out));
        test_ok(mcl_buffer_create(context, sizeof keys, NULL, &all));
        test_ok(mcl_nth_elements(preparing, ints(in, count), ints(at, RANKS), ints_out(out, RANKS), MCL_LESS, NULL));
        scratch[way] = mcl_queue_scratch_bytes(preparing);
        test_ok(mcl_nth_elements(queue, ints(in, count), ints(at, RANKS), ints_out(out, RANKS), MCL_LESS, NULL));
        test_ok(mcl_buffer_read(queue, out, 0, sizeof got, got));
        for (int k = 0; k < RANKS; k++) ck_assert_int_eq(got[k], ranks[k]);
        /* all keys in order, from a sort as well; their number has a type, and no place */
        if (!test_sees_races(_i)) {
            test_ok(mcl_top_k(queue, ints(in, count), mcl_amount_of(count), ints_out(all, count), MCL_LESS,
                              mcl_to_host(MCL_INT32, NULL), NULL));
            test_ok(mcl_buffer_read(queue, all, 0, sizeof sorted, sorted));
            for (int k = 0; k < count; k++) ck_assert_int_eq(sorted[k], k);
        }
        mcl_buffer_release(all);
        mcl_buffer_release(in);
        mcl_buffer_release(at);
        mcl_buffer_release(out);
        mcl_queue_release(preparing);
        mcl_queue_release(queue);
        mcl_context_release(context);
    }
    ck_assert_uint_gt(scratch[1], (size_t)count * sizeof keys[0]);
    ck_assert_uint_ne(scratch[0], scratch[1]);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, top_k_equals_the_sorted_sequence, device, run_case_rounds(&top_k_case));
    test_add(tcase, a_rank_that_no_key_has_leaves_its_slot, device);
    test_add(tcase, what_lies_between_two_keys_does_not_overflow, device);
    test_add(tcase, groups_have_any_number_of_work_items, device);
    test_add(tcase, ranks_are_selected_or_taken_from_a_sort, device);
    test_add(tcase, mistakes_are_told, device);
    test_add(tcase, mistakes_of_many_ranks_are_told, device);
}

int main(void)
{
    return test_main("top_k", add);
}
