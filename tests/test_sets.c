/* test_sets.c: mcl_set_intersection, _union, _difference, _symmetric_difference and their _pairs. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"
#include "support/two_lists.h"

#include <string.h>

START_TEST(sets_equal_the_loops)
{
    run_case_round(&sets_case, _i);
}
END_TEST

/* ---- small inputs, both mappings, both numbers of passes -------------------------------------------------------- */

typedef mcl_status (*set_of_keys)(mcl_queue *, mcl_input, mcl_input, mcl_output, const mcl_op *, mcl_result,
                                  const mcl_options *);
static const set_of_keys operations[] = { mcl_set_intersection, mcl_set_union, mcl_set_difference,
                                          mcl_set_symmetric_difference };
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* Returns tiles of both mappings. Each operation runs in one pass with one of them, and in two with the other. The next
 * operation has them the other way round, since devices build each program that a test uses. */
enum { FORMS = 2 };
static mcl_options form_of(int operation, int form)
{
    const int is_serial = form == 0;
    return (mcl_options){ .tile_threads = is_serial ? 1 : 32,
                          .tile_items = is_serial ? 50 : 3,
                          .passes = 1 + (operation + form) % 2 };
}

/* Checks that the results are count copies of the key, in every form. */
static void expect_copies(int device, int operation, mcl_input a, mcl_input b, int key, int64_t count)
{
    static int32_t got[8000];
    const mcl_output out = ints_out(array_empty(device, sizeof got), 8000);

    for (int form = 0; form < FORMS; form++) {
        const mcl_options options = form_of(operation, form);
        int64_t found = -1;
        test_ok(operations[operation](test_device_at(device)->queue, a, b, out, MCL_LESS,
                                      mcl_to_host(MCL_INT64, &found), &options));
        ck_assert_msg(found == count, "operation %d, form %d: %lld results", operation, form, (long long)found);
        ARRAY_READ(device, out.buffer, got);
        for (int64_t k = 0; k < count; k++)
            ck_assert_msg(got[k] == key, "operation %d, form %d: %lld is %d", operation, form, (long long)k, got[k]);
    }
    mcl_buffer_release(out.buffer);
}

/* Runs are as long as the inputs, and cross many tiles. */
START_TEST(all_keys_equal_on_both_sides)
{
    const int64_t lengths[][2] = {
        { 1000, 1000 }, { 3001, 500 }, { 500, 3001 }, { 1, 2000 }, { 2000, 1 }, { 1500, 0 }
    };
    mcl_buffer *sevens = array_of_copies(_i, 7, 3001);

    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const int64_t m = lengths[k][0];
        const int64_t n = lengths[k][1];
        expect_copies(_i, 0, ints(sevens, m), ints(sevens, n), 7, m < n ? m : n);
        expect_copies(_i, 1, ints(sevens, m), ints(sevens, n), 7, m > n ? m : n);
        expect_copies(_i, 2, ints(sevens, m), ints(sevens, n), 7, m > n ? m - n : 0);
        expect_copies(_i, 3, ints(sevens, m), ints(sevens, n), 7, m > n ? m - n : n - m);
    }
    mcl_buffer_release(sevens);
}
END_TEST

START_TEST(keys_without_a_match_and_empty_sides)
{
    mcl_buffer *one = array_of_copies(_i, 1, 700);
    mcl_buffer *two = array_of_copies(_i, 2, 900);
    const mcl_input nothing = ints(NULL, 0);
    const mcl_input ones = ints(one, 700);
    const mcl_input twos = ints(two, 900);

    expect_copies(_i, 0, ones, twos, 0, 0);
    expect_copies(_i, 2, twos, ones, 2, 900);
    expect_copies(_i, 2, ones, twos, 1, 700);
    for (int operation = 0; operation < OPERATIONS; operation++) {
        expect_copies(_i, operation, nothing, nothing, 0, 0);
        expect_copies(_i, operation, ones, nothing, 1, operation == 0 ? 0 : 700);
        expect_copies(_i, operation, nothing, twos, 2, operation % 2 ? 900 : 0);
    }
    mcl_buffer_release(one);
    mcl_buffer_release(two);
}
END_TEST

/* Among equal keys the first ones of a are matched, and the last ones are left over. */
START_TEST(values_tell_which_copies_are_results)
{
    enum { M = 1000, N = 400 };
    static int32_t numbers[M + N];
    static int32_t got[M + N];
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < M + N; k++) numbers[k] = k;
    mcl_buffer *sevens = array_of_copies(_i, 7, M);
    mcl_buffer *places = ARRAY_OF(_i, numbers);
    mcl_buffer *keys = array_empty(_i, sizeof got);
    mcl_buffer *values = array_empty(_i, sizeof got);
    const mcl_input a = ints(sevens, M);
    const mcl_input b = ints(sevens, N);
    const mcl_input a_values = ints(places, M);
    const mcl_input b_values = mcl_from_buffer(MCL_INT32, places, M, N);
    const mcl_input unlooked = { .type = NULL };
    const mcl_output out = ints_out(keys, M + N);
    const mcl_output to = ints_out(values, M + N);

    const mcl_options group = form_of(0, 1);
    test_ok(mcl_set_intersection_pairs(queue, a, a_values, b, unlooked, out, to, MCL_LESS, mcl_to_nowhere(), &group));
    ARRAY_READ(_i, values, got);
    for (int k = 0; k < N; k++) ck_assert_int_eq(got[k], k);
    const mcl_options serial = form_of(2, 0);
    test_ok(mcl_set_difference_pairs(queue, a, a_values, b, unlooked, out, to, MCL_LESS, mcl_to_nowhere(), &serial));
    ARRAY_READ(_i, values, got);
    for (int k = 0; k < M - N; k++) ck_assert_int_eq(got[k], N + k);
    const mcl_options other_group = form_of(1, 1);
    test_ok(mcl_set_union_pairs(queue, b, b_values, a, a_values, out, to, MCL_LESS, mcl_to_nowhere(), &other_group));
    ARRAY_READ(_i, values, got);
    for (int k = 0; k < M; k++) ck_assert_int_eq(got[k], k < N ? M + k : k);
    const mcl_options other_serial = form_of(3, 0);
    test_ok(mcl_set_symmetric_difference_pairs(queue, b, b_values, a, a_values, out, to, MCL_LESS, mcl_to_nowhere(),
                                               &other_serial));
    ARRAY_READ(_i, values, got);
    for (int k = 0; k < M - N; k++) ck_assert_int_eq(got[k], N + k);
    mcl_buffer_release(sevens);
    mcl_buffer_release(places);
    mcl_buffer_release(keys);
    mcl_buffer_release(values);
}
END_TEST

/* ---- counts and capacities -------------------------------------------------------------------------------------- */

/* Makes the first multiples of a number. */
static mcl_buffer *multiples(int device, int32_t number, int count)
{
    static int32_t data[8000];

    for (int k = 0; k < count; k++) data[k] = number * k;
    return array_of(device, data, sizeof *data * (size_t)count);
}

/* The device's counts leave most groups of both passes without a tile. */
START_TEST(counts_of_the_device_may_be_far_below_their_bounds)
{
    enum { COUNT = 8000 };
    const int64_t slots[] = { 0, 3, INT64_MIN, INT64_MAX };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *twos = multiples(_i, 2, COUNT);
    mcl_buffer *counts = ARRAY_OF(_i, slots);

    for (int turn = 0; turn < 4 * FORMS; turn++) {
        const mcl_options options = form_of(turn % 4, turn / 4);
        for (int k = 0; k < 4; k++) {
            const int64_t expected = k == 1 ? 3 : k == 3 ? COUNT : 0;
            int64_t count = -1;
            test_ok(mcl_set_intersection(queue, mcl_with_count(ints(twos, COUNT), counts, k), ints(twos, COUNT),
                                         (mcl_output){ 0 }, MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
            ck_assert_int_eq(count, expected);
            test_ok(mcl_set_union(queue, mcl_with_count(ints(twos, COUNT), counts, k),
                                  mcl_with_count(ints(twos, COUNT), counts, 1), (mcl_output){ 0 }, MCL_LESS,
                                  mcl_to_host(MCL_INT64, &count), &options));
            ck_assert_int_eq(count, expected > 3 ? expected : 3);
        }
    }
    mcl_buffer_release(twos);
    mcl_buffer_release(counts);
}
END_TEST

/* The order has a bound value, in one pass and in two. POCL 5.0's compiler crashed there. */
START_TEST(unions_are_counted_under_an_order_with_a_value)
{
    const int64_t slots[] = { 28, 130 };
    const int32_t bits = 0xff;
    const mcl_binding mask = mcl_binding_value("mask", MCL_INT32, &bits);
    const mcl_op before = {
        .role = MCL_ROLE_ORDER, .expression = "(p & mask) < (q & mask)", .bindings = { mask }, .binding_count = 1
    };
    mcl_buffer *ones = multiples(_i, 1, 200);
    mcl_buffer *counts = ARRAY_OF(_i, slots);
    const mcl_input a = mcl_with_count(ints(ones, 200), counts, 0), b = mcl_with_count(ints(ones, 200), counts, 1);

    for (int passes = 1; passes <= 2; passes++) {
        const mcl_options options = { .tile_threads = 64, .tile_items = 1, .passes = passes };
        int32_t count = -1;
        test_ok(mcl_set_union(test_device_at(_i)->queue, a, b, (mcl_output){ 0 }, &before,
                              mcl_to_host(MCL_INT32, &count), &options));
        ck_assert_int_eq(count, slots[1]);
    }
    mcl_buffer_release(ones);
    mcl_buffer_release(counts);
}
END_TEST

/* The results are the even numbers without multiples of three, which are every third of them. */
START_TEST(results_past_the_capacity_are_counted_and_not_stored)
{
    enum { COUNT = 900, NEEDED = COUNT / 3 * 2 };
    static int32_t expected[NEEDED];
    mcl_queue *queue = test_device_at(_i)->queue;
    const int64_t capacities[] = { NEEDED, NEEDED - 1, 1, 0 };
    mcl_buffer *twos = multiples(_i, 2, COUNT);
    mcl_buffer *threes = multiples(_i, 3, COUNT);
    const mcl_input a = ints(twos, COUNT);
    const mcl_input b = ints(threes, COUNT);

    for (int k = 0; k < NEEDED; k++) expected[k] = k % 2 ? 6 * (k / 2) + 4 : 6 * (k / 2) + 2;
    for (int turn = 0; turn < 4 * FORMS; turn++) {
        const int64_t capacity = capacities[turn % 4];
        const mcl_options options = form_of(2, turn / 4);
        const int64_t before[2] = { -1, -1 };
        int64_t host = -1;
        int64_t slots[2];
        guarded out;
        mcl_buffer *slot = ARRAY_OF(_i, before);
        char what[] = "output of limited capacity";

        guarded_create(test_device_at(_i)->context, &element_int32, NEEDED, NULL, turn % 3, &out);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, capacity);
        test_ok(mcl_set_difference(queue, a, mcl_with_count(b, slot, 1), to, MCL_LESS, mcl_to_nowhere(), &options));
        test_ok(mcl_set_difference(queue, a, b, to, MCL_LESS, mcl_to_slot(MCL_INT64, slot, 0), &options));
        guarded_expect(queue, &out, (unsigned char *)expected, capacity, what);
        ARRAY_READ(_i, slot, slots);
        ck_assert_int_eq(slots[0], NEEDED);
        ck_assert_int_eq(slots[1], -1);
        const mcl_status status =
            mcl_set_difference(queue, a, b, to, MCL_LESS, mcl_to_host_and_slot(MCL_INT64, &host, slot, 1), &options);
        if (capacity < NEEDED && capacity > 0)
            test_fails(status, MCL_ERROR_CAPACITY, "mcl_set_difference|out has capacity|600 or more");
        else
            test_ok(status);
        ck_assert_int_eq(host, NEEDED);
        guarded_expect(queue, &out, (unsigned char *)expected, capacity, what);
        ARRAY_READ(_i, slot, slots);
        ck_assert_int_eq(slots[1], NEEDED);
        guarded_free(&out);
        mcl_buffer_release(slot);
    }
    mcl_buffer_release(twos);
    mcl_buffer_release(threes);
}
END_TEST

START_TEST(the_shorter_output_limits_pairs)
{
    enum { COUNT = 600 };
    mcl_buffer *twos = multiples(_i, 2, COUNT);
    const mcl_input a = ints(twos, COUNT);
    const mcl_options options = form_of(0, 1);
    int64_t count = -1;
    guarded keys;
    guarded values;
    mcl_queue *queue = test_device_at(_i)->queue;
    static int32_t expected[COUNT];
    char what[] = "outputs of pairs";

    for (int k = 0; k < COUNT; k++) expected[k] = 2 * k;
    guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 1, &keys);
    guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 2, &values);
    test_fails(mcl_set_intersection_pairs(queue, a, a, a, a, mcl_to_buffer(MCL_INT32, keys.buffer, keys.first, COUNT),
                                          mcl_to_buffer(MCL_INT32, values.buffer, values.first, COUNT - 1), MCL_LESS,
                                          mcl_to_host(MCL_INT64, &count), &options),
               MCL_ERROR_CAPACITY, "mcl_set_intersection_pairs|600|599|out_values");
    ck_assert_int_eq(count, COUNT);
    guarded_expect(queue, &keys, (unsigned char *)expected, COUNT - 1, what);
    guarded_expect(queue, &values, (unsigned char *)expected, COUNT - 1, what);
    guarded_free(&keys);
    guarded_free(&values);
    mcl_buffer_release(twos);
}
END_TEST

/* An output may be larger than the results can be. Only the part that they may fill must be apart from the inputs. */
START_TEST(what_no_result_can_fill_may_be_an_input)
{
    enum { FEW = 300, MANY = 500 };
    static const int64_t counts[][2] = { { FEW, MANY }, { MANY, FEW } };

    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int k = 0; k < 2; k++) {
            const int64_t m = counts[k][0], n = counts[k][1];
            const int64_t most[OPERATIONS] = { FEW, m + n, m, m + n };
            mcl_queue *queue = test_device_at(_i)->queue;
            mcl_buffer *sevens = array_of_copies(_i, 7, (int)(most[operation] + n));
            const mcl_input a = ints(sevens, m);
            const mcl_output out =
                ints_out(array_empty(_i, (size_t)(most[operation] + n) * sizeof(int32_t)), most[operation] + n);
            mcl_input b = mcl_from_buffer(MCL_INT32, out.buffer, most[operation], n);
            test_ok(operations[operation](queue, a, b, out, MCL_LESS, mcl_to_nowhere(), NULL));
            --b.offset;
            test_fails(operations[operation](queue, a, b, out, MCL_LESS, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
                       "out overlaps b");
            mcl_buffer_release(sevens);
            mcl_buffer_release(out.buffer);
        }
}
END_TEST

START_TEST(counts_from_the_device_are_clamped_to_their_bounds)
{
    enum { BOUND = 700 };
    const int64_t slots[] = { 0, -9, INT64_MIN, 300, BOUND, BOUND + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 300, BOUND, BOUND, BOUND };
    mcl_buffer *slot = ARRAY_OF(_i, slots);
    mcl_buffer *numbers = multiples(_i, 1, BOUND);
    static int32_t got[2 * BOUND];
    const mcl_output out = ints_out(array_empty(_i, sizeof got), 2 * BOUND);

    for (int k = 0; k < 7 * FORMS; k++) {
        const int m = counts[k % 7];
        const int n = counts[(k + 3) % 7];
        const mcl_input a = mcl_with_count(ints(numbers, BOUND), slot, k % 7);
        const mcl_input b = mcl_with_count(ints(numbers, BOUND), slot, (k + 3) % 7);
        const mcl_options of_union = form_of(1, k / 7);
        const mcl_options of_difference = form_of(3, k / 7);
        int64_t count = -1;
        test_ok(
            mcl_set_union(test_device_at(_i)->queue, a, b, out, MCL_LESS, mcl_to_host(MCL_INT64, &count), &of_union));
        ck_assert_int_eq(count, m > n ? m : n);
        ARRAY_READ(_i, out.buffer, got);
        for (int i = 0; i < count; i++) ck_assert_int_eq(got[i], i);
        test_ok(mcl_set_symmetric_difference(test_device_at(_i)->queue, a, b, out, MCL_LESS,
                                             mcl_to_host(MCL_INT64, &count), &of_difference));
        ck_assert_int_eq(count, m > n ? m - n : n - m);
    }
    mcl_buffer_release(out.buffer);
    mcl_buffer_release(slot);
    mcl_buffer_release(numbers);
}
END_TEST

/* ---- bad data and bad calls ------------------------------------------------------------------------------------ */

/* Keys are in no order, or repeated in spite of the flag. Values are unspecified, but memory outside the operands is
 * not touched. */
START_TEST(bad_keys_are_never_read_or_written_past_their_ends)
{
    static int32_t keys[TWO_LISTS_COUNT];

    for (int turn = 0; turn < 4 * FORMS; turn++) {
        const case_variant sets = { .element = &element_int32, .kind = turn % 4 };
        mcl_options options = form_of(turn % 4, turn / 4);
        const int repeats = turn == 3 || turn == 5;
        if (repeats) options.flags = MCL_UNIQUE_KEYS;
        random_ints(keys, TWO_LISTS_COUNT, repeats ? 20 : 1000, (uint64_t)turn, repeats);
        two_lists_stay_inside(_i, &sets_case, &sets, keys, 1,
                              turn % 3 ? TWO_LISTS_COUNT + TWO_LISTS_COUNT / 3 : TWO_LISTS_COUNT / 4, turn % 4,
                              &options);
    }
}
END_TEST

START_TEST(validation_names_the_first_unsorted_key_and_nothing_is_written)
{
    const case_variant unions = { .element = &element_int32, .kind = SET_UNION };
    const case_variant differences = { .element = &element_int32, .kind = SET_DIFFERENCE };
    const mcl_options options = { .flags = MCL_VALIDATE };
    const mcl_input bad = mcl_from_expression(MCL_INT32, "i == 617 || i == 903 ? 3 : (int32_t)i", NULL, NULL, 0, 1000);
    guarded out;

    two_lists_name_unsorted_keys(_i, &sets_case, &unions, 1, "mcl_set_union");
    two_lists_name_unsorted_keys(_i, &sets_case, &differences, 1, "mcl_set_difference");
    guarded_create(test_device_at(_i)->context, &element_int32, 21, NULL, 0, &out);
    test_fails(mcl_cut_balanced_path(test_device_at(_i)->queue, ints_counting(1000), bad, 100,
                                     mcl_to_buffer(MCL_INT32, out.buffer, out.first, 21), MCL_LESS, &options),
               MCL_ERROR_PRECONDITION, "mcl_cut_balanced_path|b[617]");
    guarded_unchanged(test_device_at(_i)->queue, &out, "cuts of keys that failed their validation");
    guarded_free(&out);
}
END_TEST

START_TEST(bad_arguments_are_named)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t data[100] = { 0 };
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = ARRAY_OF(_i, data);
    const mcl_input a = ints(in, 100);
    const mcl_output to = ints_out(out, 100);
    const mcl_options thrice = { .passes = 3 };
    int32_t small;

    test_fails(mcl_set_union(NULL, a, a, to, MCL_LESS, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_set_union|queue is NULL");
    test_fails(mcl_set_union(queue, a, a, to, NULL, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_set_union|before");
    test_fails(mcl_set_union(queue, a, a, to, MCL_LESS, mcl_to_nowhere(), &thrice), MCL_ERROR_ARGUMENT,
               "mcl_set_union|passes|3");
    test_fails(mcl_set_union(queue, a, a, to, MCL_LESS, mcl_to_host(MCL_FLOAT, &small), NULL), MCL_ERROR_TYPE,
               "mcl_set_union|count|float|MCL_INT64");
    test_fails(
        mcl_set_intersection(queue, a, mcl_from_buffer(MCL_FLOAT, in, 0, 100), to, MCL_LESS, mcl_to_nowhere(), NULL),
        MCL_ERROR_TYPE, "mcl_set_intersection|float|int32_t");
    test_fails(mcl_set_difference(queue, ints(in, 101), a, to, MCL_LESS, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_set_difference|a|101");
    test_fails(mcl_set_difference(queue, a, ints(out, 100), mcl_to_buffer(MCL_INT32, out, 99, 1), MCL_LESS,
                                  mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_set_difference|out overlaps b");
    test_fails(mcl_set_difference(queue, a, a, ints_out(out, 50), MCL_LESS, mcl_to_slot(MCL_INT64, out, 24), NULL),
               MCL_ERROR_ARGUMENT, "mcl_set_difference|count overlaps out");
    test_fails(mcl_set_symmetric_difference(queue, a, a, to, MCL_LESS, mcl_to_slot(MCL_INT64, in, 0), NULL),
               MCL_ERROR_ARGUMENT, "mcl_set_symmetric_difference|count overlaps a");
    test_fails(mcl_set_union_pairs(queue, a, a, a, ints(in, 99), to, to, MCL_LESS, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_set_union_pairs|b_values has 99|as b_keys|100");
    test_fails(mcl_set_union_pairs(queue, a, a, a, a, to, to, MCL_LESS, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_set_union_pairs|out_values overlaps out_keys");
    test_fails(mcl_set_intersection_pairs(queue, a, mcl_from_buffer(MCL_FLOAT, in, 0, 100), a, a, to, to, MCL_LESS,
                                          mcl_to_nowhere(), NULL),
               MCL_ERROR_TYPE, "mcl_set_intersection_pairs|values|float");
    test_fails(mcl_cut_balanced_path(queue, a, a, 0, to, MCL_LESS, NULL), MCL_ERROR_ARGUMENT,
               "mcl_cut_balanced_path|tile|0");
    test_fails(mcl_cut_balanced_path(queue, a, a, 1, to, MCL_LESS, NULL), MCL_ERROR_ARGUMENT,
               "mcl_cut_balanced_path|out|201");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* ---- the partition --------------------------------------------------------------------------------------------- */

/* The cuts, for every tile size and run of keys, are compared with a walk along the path, one pair at a time. */
START_TEST(balanced_path_never_cuts_a_pair)
{
    enum { M = 300, N = 240 };
    int32_t a[M];
    int32_t b[N];
    int32_t cuts[M + N + 1];
    int64_t wide[M + N + 1];
    const mcl_options unique = { .flags = MCL_UNIQUE_KEYS };

    for (int turn = 0; turn < 12; turn++) {
        const int tile = turn % 3 == 0 ? 1 : turn % 3 == 1 ? 7 : 64;
        const int spans[] = { 1, 5, 100, 100000 };
        const int is_unique = turn / 3 == 3;
        random_ints(a, M, spans[turn / 3], (uint64_t)turn, 1);
        random_ints(b, N, spans[turn / 3], (uint64_t)turn + 100, 1);
        for (int k = 0; k < M && is_unique; k++) a[k] = 3 * k + (turn % 2);
        for (int k = 0; k < N && is_unique; k++) b[k] = 2 * k;
        mcl_buffer *in_a = ARRAY_OF(_i, a);
        mcl_buffer *in_b = ARRAY_OF(_i, b);
        mcl_buffer *out = array_empty(_i, sizeof wide);
        const int count = (M + N + tile - 1) / tile + 1;
        test_ok(mcl_cut_balanced_path(test_device_at(_i)->queue, ints(in_a, M), ints(in_b, N), tile,
                                      ints_out(out, count), MCL_LESS, is_unique ? &unique : NULL));
        array_read(_i, out, cuts, sizeof *cuts * (size_t)count);
        test_ok(mcl_cut_balanced_path(test_device_at(_i)->queue, ints(in_a, M), ints(in_b, N), tile,
                                      mcl_to_buffer(MCL_INT64, out, 0, count), MCL_LESS, NULL));
        array_read(_i, out, wide, sizeof *wide * (size_t)count);
        for (int k = 0, i = 0, j = 0; k < count; k++) {
            const int diagonal = k * tile < M + N ? k * tile : M + N;
            while (i + j < diagonal) { /* a step takes one key, or one pair of equal keys */
                const int takes_a = j == N || (i < M && a[i] <= b[j]);
                const int takes_b = i == M || (j < N && b[j] <= a[i]);
                i += takes_a;
                j += takes_b;
            }
            const int star = i + j > diagonal;
            ck_assert_msg(cuts[k] == (i | (star ? INT32_MIN : 0)), "turn %d: cut %d is %x, not %d%s", turn, k, cuts[k],
                          i, star ? " with a star" : "");
            ck_assert_msg(wide[k] == (i | (star ? INT64_MIN : 0)), "turn %d: 64-bit cut %d", turn, k);
        }
        mcl_buffer_release(in_a);
        mcl_buffer_release(in_b);
        mcl_buffer_release(out);
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sets_equal_the_loops, device, run_case_rounds(&sets_case));
    test_add(tcase, all_keys_equal_on_both_sides, device);
    test_add(tcase, keys_without_a_match_and_empty_sides, device);
    test_add(tcase, values_tell_which_copies_are_results, device);
    test_add(tcase, counts_of_the_device_may_be_far_below_their_bounds, device);
    test_add(tcase, unions_are_counted_under_an_order_with_a_value, device);
    test_add(tcase, results_past_the_capacity_are_counted_and_not_stored, device);
    test_add(tcase, the_shorter_output_limits_pairs, device);
    test_add(tcase, what_no_result_can_fill_may_be_an_input, device);
    test_add(tcase, counts_from_the_device_are_clamped_to_their_bounds, device);
    test_add(tcase, bad_keys_are_never_read_or_written_past_their_ends, device);
    test_add(tcase, validation_names_the_first_unsorted_key_and_nothing_is_written, device);
    test_add(tcase, bad_arguments_are_named, device);
    test_add(tcase, balanced_path_never_cuts_a_pair, device);
}

int main(void)
{
    return test_main("sets", add);
}
