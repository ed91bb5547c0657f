/* test_sort_columns.c: mcl_sort_columns_indices and mcl_sort_columns. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <math.h>
#include <string.h>

START_TEST(sort_columns_equals_the_loop)
{
    run_case_round(&sort_columns_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };

/* ---- floats ------------------------------------------------------------------------------------------------------ */

/* The order of floats is that of mcl_sort: NaN is last and equal to NaN, and -0 equals +0. So the next column decides
 * among equal floats, and then the index. */
START_TEST(zeros_are_equal_and_nans_are_equal_and_last)
{
    enum { COUNT = 10 };
    const float nan = (float)NAN;
    const float floats[COUNT] = { nan, -0.0f, 1, 0.0f, -INFINITY, -nan, -0.0f, INFINITY, nan, 0.0f };
    const int32_t numbers[COUNT] = { 2, 5, 0, 4, 0, 1, 4, 0, 1, 5 };
    static const int32_t up[COUNT] = { 4, 3, 6, 1, 9, 2, 7, 5, 8, 0 };
    static const int32_t down[COUNT] = { 5, 8, 0, 7, 2, 3, 6, 1, 9, 4 };
    int32_t got[COUNT];
    mcl_buffer *first = ARRAY_OF(_i, floats);
    mcl_buffer *second = ARRAY_OF(_i, numbers);
    mcl_buffer *out = array_empty(_i, sizeof got);

    for (int turn = 0; turn < 4; turn++) {
        const mcl_key_column keys[] = {
            { mcl_from_buffer(MCL_FLOAT, first, 0, COUNT), turn & 1 ? MCL_GREATER : MCL_LESS },
            { ints(second, COUNT), MCL_LESS },
        };
        test_ok(mcl_sort_columns_indices(test_device_at(_i)->queue, keys, 2, ints_out(out, COUNT), &tilings[turn / 2]));
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, turn & 1 ? down : up, sizeof got);
    }
    mcl_buffer_release(first);
    mcl_buffer_release(second);
    mcl_buffer_release(out);
}
END_TEST

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { ROWS = 3000, KEPT = 1234 };

typedef struct table {
    int32_t year[ROWS], index[ROWS];
    float price[ROWS];
} table;

static void table_fill(table *t, uint64_t seed)
{
    int32_t prices[ROWS];

    random_ints(t->year, ROWS, 40, seed, 0);
    random_ints(prices, ROWS, 20, seed + 1, 0);
    for (int k = 0; k < ROWS; k++) {
        t->price[k] = (float)prices[k] - 10;
        t->index[k] = k;
    }
}

/* Checks that the first count rows are sorted by year and falling price, and that the others are unchanged. */
static void table_check(const table *t, const table *from, int count)
{
    for (int k = 0; k < ROWS; k++) {
        const int32_t at = t->index[k];
        ck_assert(k < count ? at >= 0 && at < count : at == k);
        ck_assert(t->year[k] == from->year[at] && t->price[k] == from->price[at]);
        if (k == 0 || k >= count) continue;
        ck_assert_int_le(t->year[k - 1], t->year[k]);
        if (t->year[k - 1] < t->year[k]) continue;
        ck_assert(t->price[k - 1] > t->price[k] || (t->price[k - 1] == t->price[k] && t->index[k - 1] < t->index[k]));
    }
}

/* All columns are sorted in place, keys too: all rows, or the number that the device says. */
START_TEST(a_table_is_sorted_in_place)
{
    static table from, got;
    static const int32_t counts[] = { KEPT };
    mcl_buffer *slot = ARRAY_OF(_i, counts);

    table_fill(&from, 3);
    /* with oclgrind each tiling and each count comes once, since a turn takes half a minute */
    for (int turn = 0; turn < 4; turn += test_is_small() ? 3 : 1) {
        mcl_buffer *year = ARRAY_OF(_i, from.year);
        mcl_buffer *price = ARRAY_OF(_i, from.price);
        mcl_buffer *index = ARRAY_OF(_i, from.index);
        const mcl_input years = ints(year, ROWS), prices = mcl_from_buffer(MCL_FLOAT, price, 0, ROWS);
        const mcl_key_column keys[] = {
            { turn & 1 ? mcl_with_count_of(years, MCL_INT32, slot, 0) : years, MCL_LESS },
            { prices, MCL_GREATER },
        };
        const mcl_column columns[] = { { years, ints_out(year, ROWS) },
                                       { prices, mcl_to_buffer(MCL_FLOAT, price, 0, ROWS) },
                                       { ints(index, ROWS), ints_out(index, ROWS) } };
        test_ok(mcl_sort_columns(test_device_at(_i)->queue, keys, 2, columns, 3, &tilings[turn / 2]));
        ARRAY_READ(_i, year, got.year);
        ARRAY_READ(_i, price, got.price);
        ARRAY_READ(_i, index, got.index);
        table_check(&got, &from, turn & 1 ? KEPT : ROWS);
        mcl_buffer_release(year);
        mcl_buffer_release(price);
        mcl_buffer_release(index);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(a_recording_sorts_other_rows_again)
{
    static table from, got;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_recording *recording = NULL;
    mcl_buffer *year = ARRAY_OF(_i, from.year);
    mcl_buffer *price = ARRAY_OF(_i, from.price);
    mcl_buffer *index = array_empty(_i, sizeof got.index);
    static const mcl_op own = { .role = MCL_ROLE_ORDER, .expression = "p > q" };
    const mcl_key_column keys[] = { { ints(year, ROWS), MCL_LESS },
                                    { mcl_from_buffer(MCL_FLOAT, price, 0, ROWS), &own } };

    test_ok(mcl_record_begin(queue));
    test_ok(mcl_sort_columns_indices(queue, keys, 2, ints_out(index, ROWS), NULL));
    test_ok(mcl_record_end(queue, &recording));
    for (uint64_t seed = 5; seed < 7; seed++) {
        table_fill(&from, seed);
        test_ok(mcl_buffer_write(queue, year, 0, sizeof from.year, from.year));
        test_ok(mcl_buffer_write(queue, price, 0, sizeof from.price, from.price));
        test_ok(mcl_replay(queue, recording, NULL));
        ARRAY_READ(_i, index, got.index);
        for (int k = 0; k < ROWS; k++) {
            ck_assert(got.index[k] >= 0 && got.index[k] < ROWS);
            got.year[k] = from.year[got.index[k]];
            got.price[k] = from.price[got.index[k]];
        }
        table_check(&got, &from, ROWS);
    }
    mcl_recording_release(recording);
    mcl_buffer_release(year);
    mcl_buffer_release(price);
    mcl_buffer_release(index);
}
END_TEST

/* Rows with an order that contradicts itself come in some order, and nothing else is written. */
START_TEST(orders_that_are_none_give_indices_of_rows)
{
    enum { COUNT = 1000 };
    static const mcl_op none = { .role = MCL_ROLE_ORDER, .expression = "1" };
    static int32_t data[COUNT], got[COUNT];
    mcl_buffer *buffer;
    guarded out;

    random_ints(data, COUNT, 9, 1, 0);
    buffer = ARRAY_OF(_i, data);
    for (int turn = 0; turn < 4; turn++) {
        const mcl_key_column own = { ints(buffer, COUNT), &none }, plain = { ints(buffer, COUNT), MCL_LESS };
        const mcl_key_column keys[] = { turn & 1 ? own : plain, turn & 1 ? plain : own, own };
        guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 1, &out);
        test_ok(mcl_sort_columns_indices(test_device_at(_i)->queue, keys, 3,
                                         mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT), &tilings[turn / 2]));
        test_ok(
            mcl_buffer_read(test_device_at(_i)->queue, out.buffer, (size_t)out.first * sizeof *got, sizeof got, got));
        for (int k = 0; k < COUNT; k++) ck_assert(got[k] >= 0 && got[k] < COUNT);
        memcpy(out.content + (size_t)out.first * sizeof *got, got, sizeof got);
        guarded_unchanged(test_device_at(_i)->queue, &out, "indices of an order that is none");
        guarded_free(&out);
    }
    mcl_buffer_release(buffer);
}
END_TEST

/* ---- errors ------------------------------------------------------------------------------------------------------ */

START_TEST(what_can_be_known_beforehand_is_refused)
{
    enum { COUNT = 64 };
    const int8_t zero = 0;
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *buffer = array_empty(_i, 5 * COUNT * sizeof(int32_t));
    const mcl_input at[] = { ints(buffer, COUNT), mcl_from_buffer(MCL_INT32, buffer, COUNT, COUNT),
                             mcl_from_buffer(MCL_INT32, buffer, COUNT, COUNT - 1) };
    const mcl_output out = mcl_to_buffer(MCL_INT32, buffer, 2 * COUNT, COUNT);
    const mcl_output other = mcl_to_buffer(MCL_INT32, buffer, 3 * COUNT, COUNT);
    const mcl_key_column good[] = { { at[0], MCL_LESS }, { at[1], MCL_GREATER } };
    const mcl_key_column fewer[] = { { at[0], MCL_LESS }, { at[2], MCL_GREATER } };
    const mcl_key_column orderless[] = { { at[0], MCL_LESS }, { at[1], NULL } };
    const mcl_key_column summed[] = { { at[0], MCL_ADD } };
    const mcl_key_column many[] = { { mcl_from_constant(MCL_INT8, &zero, INT64_C(1) << 31), MCL_LESS } };
    const mcl_column twice[] = { { at[0], out }, { at[1], out } };
    const mcl_column crossed[] = { { at[0], ints_out(buffer, COUNT) }, { at[0], out } };
    const mcl_column shifted[] = { { at[0], mcl_to_buffer(MCL_INT32, buffer, 1, COUNT) } };
    const mcl_column typed[] = { { at[0], other }, { at[1], mcl_to_buffer(MCL_FLOAT, buffer, 2 * COUNT, COUNT) } };
    const mcl_column few[] = { { at[2], out } };
    const mcl_column nothing[] = { { at[0], { 0 } } };
    const mcl_options method = { .sort_method = MCL_SORT_RADIX };

#define INDICES(keys, count, to) mcl_sort_columns_indices(queue, keys, count, to, NULL)
#define VALUES(columns, count) mcl_sort_columns(queue, good, 2, columns, count, NULL)
    test_fails(INDICES(good, 0, out), MCL_ERROR_ARGUMENT, "mcl_sort_columns_indices: keys is given and key_count 0");
    test_fails(INDICES(NULL, 2, out), MCL_ERROR_ARGUMENT, "mcl_sort_columns_indices: keys is NULL");
    test_fails(INDICES(fewer, 2, out), MCL_ERROR_ARGUMENT, "keys[1].keys has 63|as keys[0].keys");
    test_fails(INDICES(orderless, 2, out), MCL_ERROR_ARGUMENT, "mcl_sort_columns_indices: keys[1].before");
    test_fails(INDICES(summed, 1, out), MCL_ERROR_ARGUMENT, "mcl_sort_columns_indices: keys[0].before");
    test_fails(INDICES(good, 2, ints_out(buffer, COUNT)), MCL_ERROR_ARGUMENT, "out overlaps keys[0].keys");
    test_fails(INDICES(good, 2, ((mcl_output){ 0 })), MCL_ERROR_ARGUMENT, "mcl_sort_columns_indices: out");
    test_fails(INDICES(good, 2, mcl_to_buffer(MCL_FLOAT, buffer, 2 * COUNT, COUNT)), MCL_ERROR_TYPE, "out is float");
    test_fails(INDICES(many, 1, out), MCL_ERROR_TYPE, "out is MCL_INT32|MCL_INT64|2147483648");
    test_fails(VALUES(NULL, 1), MCL_ERROR_ARGUMENT, "mcl_sort_columns: columns is NULL and column_count 1");
    test_fails(VALUES(few, -1), MCL_ERROR_ARGUMENT, "mcl_sort_columns: columns is given and column_count -1");
    test_fails(VALUES(twice, 2), MCL_ERROR_ARGUMENT, "columns[0].out overlaps columns[1].out");
    test_fails(VALUES(crossed, 2), MCL_ERROR_ARGUMENT, "columns[0].out overlaps columns[1].in");
    test_fails(VALUES(shifted, 1), MCL_ERROR_ARGUMENT, "columns[0].out overlaps columns[0].in");
    test_fails(VALUES(typed, 2), MCL_ERROR_TYPE, "columns[1].out|float|int32_t");
    test_fails(VALUES(few, 1), MCL_ERROR_ARGUMENT, "columns[0].in has 63|as keys[0].keys");
    test_fails(VALUES(nothing, 1), MCL_ERROR_ARGUMENT, "mcl_sort_columns: columns[0].out");
    test_fails(mcl_sort_columns(queue, good, 2, NULL, 0, &method), MCL_ERROR_ARGUMENT, "options->sort_method");
    test_ok(mcl_sort_columns(queue, good, 2, NULL, 0, NULL));
    mcl_buffer_release(buffer);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sort_columns_equals_the_loop, device, run_case_rounds(&sort_columns_case));
    test_add(tcase, zeros_are_equal_and_nans_are_equal_and_last, device);
    test_add(tcase, a_table_is_sorted_in_place, device);
    test_add(tcase, a_recording_sorts_other_rows_again, device);
    test_add(tcase, orders_that_are_none_give_indices_of_rows, device);
    test_add(tcase, what_can_be_known_beforehand_is_refused, device);
}

int main(void)
{
    return test_main("sort_columns", add);
}
