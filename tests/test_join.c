/* test_join.c: mcl_join. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/plain_join.h"
#include "support/run_case.h"
#include "support/two_lists.h"

#include <stdlib.h>

START_TEST(joins_equal_the_loops)
{
    run_case_round(&join_case, _i);
}
END_TEST

/* ---- small inputs, both mappings, both numbers of passes -------------------------------------------------------- */

enum { KINDS = MCL_JOIN_ANTI + 1, FORMS = 2 };

/* Returns the options of a form. Each kind runs in one pass with one mapping and in two with the other. The next kind
 * has them the other way round, since devices build each program that a test uses. */
static mcl_options form_of(int kind, int form)
{
    const int is_serial = form == 0;
    return (mcl_options){ .tile_threads = is_serial ? 1 : 32,
                          .tile_items = is_serial ? 50 : 3,
                          .passes = 1 + (kind + form) % 2 };
}

static int has_b(int kind)
{
    return kind < MCL_JOIN_SEMI;
}

/* Stores row k that a kind of join makes of keys that are all equal, or all different. */
static void row_of(int kind, int64_t m, int64_t n, int is_equal, int64_t k, int32_t row[2])
{
    const int matched = is_equal && m > 0 && n > 0;
    row[0] = row[1] = -1;
    if (kind == MCL_JOIN_SEMI || kind == MCL_JOIN_ANTI) {
        row[0] = (int32_t)k;
        return;
    }
    if (matched) {
        row[0] = (int32_t)(k / n);
        row[1] = (int32_t)(k % n);
    } else if (kind == MCL_JOIN_RIGHT || (kind == MCL_JOIN_OUTER && k >= m)) {
        row[1] = (int32_t)(kind == MCL_JOIN_RIGHT ? k : k - m);
    } else {
        row[0] = (int32_t)k;
    }
}

static int64_t rows_of(int kind, int64_t m, int64_t n, int is_equal)
{
    const int matched = is_equal && m > 0 && n > 0;
    switch (kind) {
    case MCL_JOIN_SEMI:
        return matched ? m : 0;
    case MCL_JOIN_ANTI:
        return matched ? 0 : m;
    case MCL_JOIN_INNER:
        return matched ? m * n : 0;
    case MCL_JOIN_LEFT:
        return matched ? m * n : m;
    case MCL_JOIN_RIGHT:
        return matched ? m * n : n;
    default:
        return matched ? m * n : m + n;
    }
}

/* Joins an a of equal keys with a b of equal keys. is_equal says whether the keys of b equal the keys of a. */
static void expect_rows(int device, int kind, mcl_input a, mcl_input b, int is_equal)
{
    const int64_t needed = rows_of(kind, a.count, b.count, is_equal);
    const size_t bytes = sizeof(int32_t) * (size_t)(needed + 1);
    int32_t *got_a = malloc(bytes);
    int32_t *got_b = malloc(bytes);
    const mcl_output out_a = ints_out(array_empty(device, bytes), needed + 1);
    const mcl_output out_b = ints_out(array_empty(device, bytes), needed + 1);

    for (int form = 0; form < FORMS; form++) {
        const mcl_options options = form_of(kind, form);
        int64_t count = -1;
        test_ok(mcl_join(test_device_at(device)->queue, (mcl_join_kind)kind, a, b, out_a, out_b, MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_msg(count == needed, "kind %d, form %d, %lld x %lld: %lld rows", kind, form, (long long)a.count,
                      (long long)b.count, (long long)count);
        array_read(device, out_a.buffer, got_a, bytes);
        array_read(device, out_b.buffer, got_b, bytes);
        for (int64_t k = 0; k < count; k++) {
            int32_t row[2];
            row_of(kind, a.count, b.count, is_equal, k, row);
            ck_assert_msg(got_a[k] == row[0] && (!has_b(kind) || got_b[k] == row[1]),
                          "kind %d, form %d, %lld x %lld: row %lld is (%d, %d)", kind, form, (long long)a.count,
                          (long long)b.count, (long long)k, got_a[k], got_b[k]);
        }
    }
    mcl_buffer_release(out_a.buffer);
    mcl_buffer_release(out_b.buffer);
    free(got_a);
    free(got_b);
}

/* m x n rows come from runs across many tiles. For few keys of a windows hold parts of runs, for many keys hundreds of
 * runs. */
START_TEST(all_keys_equal_on_both_sides)
{
    const int64_t lengths[][2] = { { 200, 300 }, { 1501, 40 }, { 40, 1501 }, { 1, 2000 }, { 2000, 1 } };
    mcl_buffer *sevens = array_of_copies(_i, 7, 2000);

    for (int kind = 0; kind < KINDS; kind++)
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const int64_t a_count = lengths[k][0];
            const int64_t share = test_sees_races(_i) && a_count >= 40 ? 8 : 1; /* devices that report races are slow */
            expect_rows(_i, kind, ints(sevens, a_count / share), ints(sevens, lengths[k][1]), 1);
        }
    mcl_buffer_release(sevens);
}
END_TEST

START_TEST(keys_without_a_match_and_empty_sides)
{
    mcl_buffer *one = array_of_copies(_i, 1, 700);
    mcl_buffer *two = array_of_copies(_i, 2, 900);
    const mcl_input nothing = ints(NULL, 0);

    for (int kind = 0; kind < KINDS; kind++) {
        expect_rows(_i, kind, ints(one, 700), ints(two, 900), 0);
        expect_rows(_i, kind, ints(two, 900), ints(one, 700), 0);
        expect_rows(_i, kind, ints(one, 700), nothing, 0);
        expect_rows(_i, kind, nothing, ints(two, 900), 0);
        expect_rows(_i, kind, nothing, nothing, 0);
    }
    mcl_buffer_release(one);
    mcl_buffer_release(two);
}
END_TEST

/* Runs have every length, also a little longer and a little shorter than tiles, so that they cross tile edges in every
 * way. Between them are keys that only one side has. */
START_TEST(runs_across_the_edges_of_tiles)
{
    enum { M = 640, N = 560, MOST = 60000 };
    static int32_t a[M];
    static int32_t b[N];
    static int32_t expected_a[MOST];
    static int32_t expected_b[MOST];
    static int32_t got_a[MOST];
    static int32_t got_b[MOST];
    const mcl_output out_a = ints_out(array_empty(_i, sizeof got_a), MOST);
    const mcl_output out_b = ints_out(array_empty(_i, sizeof got_b), MOST);

    for (int turn = 0; turn < 4 * FORMS; turn++) {
        const int kind = turn % 4;
        const mcl_options options = form_of(kind, turn / 4);
        for (int k = 0; k < M; k++) a[k] = (k + turn) / (1 + turn * 9) * 2;
        for (int k = 0; k < N; k++) b[k] = k / (1 + (turn * 13) % 70) * (1 + turn % 3);
        mcl_buffer *in_a = ARRAY_OF(_i, a);
        mcl_buffer *in_b = ARRAY_OF(_i, b);
        const int64_t needed = plain_join(kind, a, M, b, N, expected_a, expected_b);
        int64_t count = -1;
        test_ok(mcl_join(test_device_at(_i)->queue, (mcl_join_kind)kind, ints(in_a, M), ints(in_b, N), out_a, out_b,
                         MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_msg(count == needed, "turn %d: %lld rows, not %lld", turn, (long long)count, (long long)needed);
        ARRAY_READ(_i, out_a.buffer, got_a);
        ARRAY_READ(_i, out_b.buffer, got_b);
        for (int64_t k = 0; k < count; k++)
            ck_assert_msg(got_a[k] == expected_a[k] && got_b[k] == expected_b[k],
                          "turn %d: row %lld is (%d, %d), not (%d, %d)", turn, (long long)k, got_a[k], got_b[k],
                          expected_a[k], expected_b[k]);
        mcl_buffer_release(in_a);
        mcl_buffer_release(in_b);
    }
    mcl_buffer_release(out_a.buffer);
    mcl_buffer_release(out_b.buffer);
}
END_TEST

/* ---- counts and capacities -------------------------------------------------------------------------------------- */

/* 60 keys of a have 20 equal keys of b each, and 100 others have none. */
enum { LIMITED_A = 160, LIMITED_B = 70, LIMITED_ROWS = 60 * 20 + 100 + 50 };
static mcl_buffer *limited_side(int device, int is_b)
{
    int32_t data[LIMITED_A];
    const int count = is_b ? LIMITED_B : LIMITED_A;

    for (int k = 0; k < count; k++) data[k] = is_b ? (k < 20 ? 50 : 1000 + k) : k < 50 ? k : k < 110 ? 50 : k;
    return array_of(device, data, sizeof *data * (size_t)count);
}

/* Checks a join with limited room. A capacity of 0 or less is added to the capacity that is needed. */
static void expect_limited(int device, int kind, int form, int64_t capacity)
{
    static int32_t a[LIMITED_A];
    static int32_t b[LIMITED_B];
    static int32_t rows_a[LIMITED_ROWS];
    static int32_t rows_b[LIMITED_ROWS];
    mcl_queue *queue = test_device_at(device)->queue;
    const mcl_options options = form_of(kind, form);
    const int64_t before[2] = { -1, -1 };
    mcl_buffer *in_a = limited_side(device, 0);
    mcl_buffer *in_b = limited_side(device, 1);
    mcl_buffer *slot = ARRAY_OF(device, before);
    guarded out_a;
    guarded out_b;
    int64_t slots[2];
    int64_t host = -1;
    char what[] = "rows of limited capacity";

    ARRAY_READ(device, in_a, a);
    ARRAY_READ(device, in_b, b);
    const int64_t needed = plain_join(kind, a, LIMITED_A, b, LIMITED_B, rows_a, rows_b);
    const int64_t stored = capacity <= 0 ? needed + capacity : capacity < needed ? capacity : needed;
    guarded_create(test_device_at(device)->context, &element_int32, needed, NULL, form, &out_a);
    guarded_create(test_device_at(device)->context, &element_int32, needed, NULL, kind % 3, &out_b);
    const mcl_output to_a = mcl_to_buffer(MCL_INT32, out_a.buffer, out_a.first, stored);
    const mcl_output to_b = mcl_to_buffer(MCL_INT32, out_b.buffer, out_b.first, form ? stored : needed);
    test_ok(mcl_join(queue, (mcl_join_kind)kind, ints(in_a, LIMITED_A), ints(in_b, LIMITED_B), to_a, to_b, MCL_LESS,
                     mcl_to_slot(MCL_INT64, slot, 0), &options));
    ARRAY_READ(device, slot, slots);
    ck_assert_int_eq(slots[0], needed);
    ck_assert_int_eq(slots[1], -1);
    const mcl_status status = mcl_join(queue, (mcl_join_kind)kind, ints(in_a, LIMITED_A), ints(in_b, LIMITED_B), to_a,
                                       to_b, MCL_LESS, mcl_to_host_and_slot(MCL_INT64, &host, slot, 1), &options);
    if (stored < needed && stored > 0)
        test_fails(status, MCL_ERROR_CAPACITY, "mcl_join|out_|has capacity|or more");
    else
        test_ok(status);
    ck_assert_int_eq(host, needed);
    ARRAY_READ(device, slot, slots);
    ck_assert_int_eq(slots[1], needed);
    guarded_expect(queue, &out_a, (unsigned char *)rows_a, stored, what);
    guarded_expect(queue, &out_b, (unsigned char *)rows_b, stored, what);
    guarded_free(&out_a);
    guarded_free(&out_b);
    mcl_buffer_release(in_a);
    mcl_buffer_release(in_b);
    mcl_buffer_release(slot);
}

/* The capacity is the number of rows or a little less. Or it is so small that rows of windows, rows of b alone, or all
 * rows are cut off. */
START_TEST(rows_past_the_capacity_are_counted_and_not_stored)
{
    static const int64_t capacities[] = { 0, -1, -60, 700, 130, 1 };

    for (int kind = 0; kind < 4; kind++)
        for (int form = 0; form < FORMS; form++)
            for (size_t k = 0; k < sizeof capacities / sizeof capacities[0]; k++)
                expect_limited(_i, kind, form, capacities[k]);
}
END_TEST

START_TEST(counts_from_the_device_are_clamped_to_their_bounds)
{
    enum { BOUND = 700 };
    const int64_t slots[] = { 0, -9, INT64_MIN, 300, BOUND, BOUND + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 300, BOUND, BOUND, BOUND };
    static int32_t data[BOUND];
    static int32_t got[2 * BOUND];

    for (int k = 0; k < BOUND; k++) data[k] = k;
    mcl_buffer *slot = ARRAY_OF(_i, slots);
    mcl_buffer *numbers = ARRAY_OF(_i, data);
    const mcl_output out_a = ints_out(array_empty(_i, sizeof got), 2 * BOUND);
    const mcl_output out_b = ints_out(array_empty(_i, sizeof got), 2 * BOUND);
    for (int k = 0; k < 7 * FORMS; k++) {
        const int m = counts[k % 7];
        const int n = counts[(k + 3) % 7];
        const mcl_input a = mcl_with_count(ints(numbers, BOUND), slot, k % 7);
        const mcl_input b = mcl_with_count(ints(numbers, BOUND), slot, (k + 3) % 7);
        const mcl_options outer = form_of(3, k / 7);
        const mcl_options anti = form_of(5, k / 7);
        int64_t count = -1;
        test_ok(mcl_join(test_device_at(_i)->queue, MCL_JOIN_OUTER, a, b, out_a, out_b, MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &outer));
        ck_assert_int_eq(count, m > n ? m : n);
        ARRAY_READ(_i, out_a.buffer, got);
        for (int i = 0; i < count; i++) ck_assert_int_eq(got[i], i < m ? i : -1);
        ARRAY_READ(_i, out_b.buffer, got);
        for (int i = 0; i < count; i++) ck_assert_int_eq(got[i], i < n ? i : -1);
        test_ok(mcl_join(test_device_at(_i)->queue, MCL_JOIN_ANTI, a, b, out_a, out_b, MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &anti));
        ck_assert_int_eq(count, m > n ? m - n : 0);
    }
    mcl_buffer_release(out_a.buffer);
    mcl_buffer_release(out_b.buffer);
    mcl_buffer_release(slot);
    mcl_buffer_release(numbers);
}
END_TEST

/* One key has a tenth of all elements on either side: 10^6 keys have 10^10 rows, for which no memory has room. */
START_TEST(rows_that_nobody_has_room_for_are_counted)
{
    const int run = test_is_small() ? 50000 : 100000;
    const int keys = test_is_small() ? 51000 : 1000000;
    enum { WINDOW = 3000 };
    mcl_queue *queue = test_device_at(_i)->queue;
    static int32_t got[WINDOW];
    int64_t count = -1;

    if (test_sees_races(_i)) {
        (void)test_skip(_i, "10^10 rows", "the device is too slow for these keys");
        return;
    }
    const mcl_binding bound[] = { mcl_binding_value("run", MCL_INT32, &run) };
    const mcl_input a = mcl_from_expression(MCL_INT32, "(int32_t)(i < run ? 0 : i)", NULL, bound, 1, keys);
    const mcl_input b = mcl_from_expression(MCL_INT32, "(int32_t)(i < run ? 0 : i + 2000000000)", NULL, bound, 1, keys);
    const mcl_output none = mcl_to_buffer(MCL_INT32, NULL, 0, 0);
    const int64_t matched = (int64_t)run * run;
    test_ok(mcl_join(queue, MCL_JOIN_INNER, a, b, none, none, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    ck_assert_int_eq(count, matched);
    test_ok(mcl_join(queue, MCL_JOIN_OUTER, a, b, none, none, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    ck_assert_int_eq(count, matched + 2 * (int64_t)(keys - run));
    const mcl_output out_a = ints_out(array_empty(_i, sizeof got), WINDOW);
    const mcl_output out_b = ints_out(array_empty(_i, sizeof got), WINDOW);
    test_fails(mcl_join(queue, MCL_JOIN_INNER, a, b, out_a, out_b, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL),
               MCL_ERROR_CAPACITY, "mcl_join|3000");
    ck_assert_int_eq(count, matched);
    ARRAY_READ(_i, out_b.buffer, got);
    for (int k = 0; k < WINDOW; k++) ck_assert_int_eq(got[k], k);
    mcl_buffer_release(out_a.buffer);
    mcl_buffer_release(out_b.buffer);
}
END_TEST

/* ---- bad data and bad calls ------------------------------------------------------------------------------------ */

/* Keys are in no order. Values are unspecified, but memory outside the operands is not touched. */
START_TEST(bad_keys_are_never_read_or_written_past_their_ends)
{
    static int32_t keys[TWO_LISTS_COUNT];

    for (int turn = 0; turn < 4 * FORMS; turn++) {
        const case_variant joins = { .element = &element_int32, .kind = turn % 4 };
        mcl_options options = form_of(turn % 4, turn / 4);
        if (test_sees_races(_i)) options.tile_threads = 1, options.tile_items = 1400;
        random_ints(keys, TWO_LISTS_COUNT, turn % 2 ? 20 : 1000, (uint64_t)turn, 0);
        two_lists_stay_inside(_i, &join_case, &joins, keys, 2, turn % 3 ? 4 * TWO_LISTS_COUNT : TWO_LISTS_COUNT / 4,
                              turn % 4, &options);
    }
}
END_TEST

START_TEST(validation_names_the_first_unsorted_key_and_nothing_is_written)
{
    const case_variant joins = { .element = &element_int32, .kind = MCL_JOIN_INNER };

    two_lists_name_unsorted_keys(_i, &join_case, &joins, 2, "mcl_join");
}
END_TEST

#define JOIN(kind, a, b, out_a, out_b, count) mcl_join(queue, kind, a, b, out_a, out_b, MCL_LESS, count, NULL)

START_TEST(bad_arguments_are_named)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t data[100] = { 0 };
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = ARRAY_OF(_i, data);
    mcl_buffer *other = ARRAY_OF(_i, data);
    const mcl_input a = ints(in, 100);
    const mcl_output to = ints_out(out, 100);
    const mcl_output also = ints_out(other, 100);
    const mcl_result none = mcl_to_nowhere();
    const mcl_options thrice = { .passes = 3 };
    int32_t small;

    test_fails(mcl_join(NULL, MCL_JOIN_INNER, a, a, to, also, MCL_LESS, none, NULL), MCL_ERROR_ARGUMENT,
               "mcl_join|queue is NULL");
    test_fails(mcl_join(queue, MCL_JOIN_INNER, a, a, to, also, NULL, none, NULL), MCL_ERROR_ARGUMENT,
               "mcl_join|before");
    test_fails(mcl_join(queue, MCL_JOIN_INNER, a, a, to, also, MCL_LESS, none, &thrice), MCL_ERROR_ARGUMENT,
               "mcl_join|passes|3");
    test_fails(JOIN((mcl_join_kind)6, a, a, to, also, none), MCL_ERROR_ARGUMENT, "mcl_join|kind is 6");
    test_fails(JOIN(MCL_JOIN_LEFT, a, a, to, also, mcl_to_host(MCL_FLOAT, &small)), MCL_ERROR_TYPE,
               "mcl_join|count|float|MCL_INT64");
    test_fails(JOIN(MCL_JOIN_LEFT, a, mcl_from_buffer(MCL_FLOAT, in, 0, 100), to, also, none), MCL_ERROR_TYPE,
               "mcl_join|float|int32_t");
    test_fails(JOIN(MCL_JOIN_LEFT, ints(in, 101), a, to, also, none), MCL_ERROR_ARGUMENT, "mcl_join|a|101");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(other);
}
END_TEST

START_TEST(bad_outputs_are_named)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t data[100] = { 0 };
    const int32_t zero = 0;
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = ARRAY_OF(_i, data);
    mcl_buffer *other = ARRAY_OF(_i, data);
    const mcl_input a = ints(in, 100);
    const mcl_output to = ints_out(out, 100);
    const mcl_output also = ints_out(other, 100);
    const mcl_result none = mcl_to_nowhere();
    const mcl_input endless = mcl_from_constant(MCL_INT32, &zero, INT64_C(1) << 32);

    test_fails(JOIN(MCL_JOIN_LEFT, a, a, mcl_to_buffer(MCL_UINT32, out, 0, 100), also, none), MCL_ERROR_TYPE,
               "mcl_join|out_a|uint32_t|MCL_INT32 or MCL_INT64");
    test_fails(JOIN(MCL_JOIN_LEFT, a, endless, to, also, none), MCL_ERROR_TYPE, "mcl_join|out_b|4294967296|MCL_INT64");
    test_fails(JOIN(MCL_JOIN_RIGHT, a, a, to, to, none), MCL_ERROR_ARGUMENT, "mcl_join|out_b overlaps out_a");
    test_fails(JOIN(MCL_JOIN_RIGHT, a, ints(other, 100), to, mcl_to_buffer(MCL_INT32, other, 99, 1), none),
               MCL_ERROR_ARGUMENT, "mcl_join|out_b overlaps b");
    test_fails(JOIN(MCL_JOIN_OUTER, a, a, to, also, mcl_to_slot(MCL_INT64, other, 24)), MCL_ERROR_ARGUMENT,
               "mcl_join|out_b overlaps count");
    test_fails(JOIN(MCL_JOIN_SEMI, a, a, to, also, mcl_to_slot(MCL_INT64, in, 0)), MCL_ERROR_ARGUMENT,
               "mcl_join|count overlaps a");
    test_ok(JOIN(MCL_JOIN_SEMI, a, a, to, to, none));
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(other);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, joins_equal_the_loops, device, run_case_rounds(&join_case));
    test_add(tcase, all_keys_equal_on_both_sides, device);
    test_add(tcase, keys_without_a_match_and_empty_sides, device);
    test_add(tcase, runs_across_the_edges_of_tiles, device);
    test_add(tcase, rows_past_the_capacity_are_counted_and_not_stored, device);
    test_add(tcase, counts_from_the_device_are_clamped_to_their_bounds, device);
    test_add(tcase, rows_that_nobody_has_room_for_are_counted, device);
    test_add(tcase, bad_keys_are_never_read_or_written_past_their_ends, device);
    test_add(tcase, validation_names_the_first_unsorted_key_and_nothing_is_written, device);
    test_add(tcase, bad_arguments_are_named, device);
    test_add(tcase, bad_outputs_are_named, device);
}

int main(void)
{
    return test_main("join", add);
}
