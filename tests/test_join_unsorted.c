/* test_join_unsorted.c: mcl_join_unsorted and mcl_join_gather. */
#include "support/arrays.h"
#include "support/plain_join.h"
#include "cases/elements.h"

#include <stdlib.h>
#include <string.h>

START_TEST(unsorted_keys_have_rows_of_their_own_places)
{
    enum { M = 500, N = 420, MOST = 8000 };
    static int32_t rows_a[MOST];
    static int32_t rows_b[MOST];
    static int32_t got_a[MOST];
    static int32_t got_b[MOST];
    static join_row rows[MOST];
    int32_t a[M];
    int32_t b[N];
    const mcl_output out_a = ints_out(array_empty(_i, sizeof got_a), MOST);
    const mcl_output out_b = ints_out(array_empty(_i, sizeof got_b), MOST);

    random_ints(a, M, 150, 5, 0);
    random_ints(b, N, 170, 6, 0);
    mcl_buffer *in_a = ARRAY_OF(_i, a);
    mcl_buffer *in_b = ARRAY_OF(_i, b);
    const int64_t nothing = -1;
    mcl_buffer *slot = array_of(_i, &nothing, sizeof nothing);
    for (int kind = 0; kind < 4; kind++) {
        const int64_t needed = plain_join(kind, a, M, b, N, rows_a, rows_b);
        int64_t count = -1;
        for (int64_t k = 0; k < needed; k++) {
            const join_row made = { rows_a[k] < 0 ? b[rows_b[k]] : a[rows_a[k]], rows_a[k], rows_b[k] };
            rows[k] = made;
        }
        qsort(rows, (size_t)needed, sizeof *rows, compare_join_rows);
        test_ok(mcl_join_unsorted(
            test_device_at(_i)->queue, (mcl_join_kind)kind, ints(in_a, M), ints(in_b, N), out_a, out_b, MCL_LESS,
            kind % 2 ? mcl_to_host(MCL_INT64, &count) : mcl_to_host_and_slot(MCL_INT64, &count, slot, 0), NULL));
        ck_assert_int_eq(count, needed);
        ARRAY_READ(_i, out_a.buffer, got_a);
        ARRAY_READ(_i, out_b.buffer, got_b);
        for (int64_t k = 0; k < count; k++)
            ck_assert_msg(got_a[k] == rows[k].a && got_b[k] == rows[k].b, "kind %d: row %lld is (%d, %d), not (%d, %d)",
                          kind, (long long)k, got_a[k], got_b[k], rows[k].a, rows[k].b);
    }
    mcl_buffer_release(in_a);
    mcl_buffer_release(in_b);
    mcl_buffer_release(slot);
    mcl_buffer_release(out_a.buffer);
    mcl_buffer_release(out_b.buffer);
}
END_TEST

/* Keys with and without a match are all keys. Too little room is reported. */
START_TEST(unsorted_keys_with_and_without_a_match)
{
    enum { M = 500, N = 420, MOST = 8000 };
    static int32_t got_a[MOST];
    int32_t a[M];
    int32_t b[N];
    const mcl_output out_a = ints_out(array_empty(_i, sizeof got_a), MOST);
    const mcl_output out_b = ints_out(array_empty(_i, sizeof got_a), MOST);

    random_ints(a, M, 150, 5, 0);
    random_ints(b, N, 170, 6, 0);
    mcl_buffer *in_a = ARRAY_OF(_i, a);
    mcl_buffer *in_b = ARRAY_OF(_i, b);
    int64_t semi = -1;
    int64_t anti = -1;
    const mcl_output none = { .type = NULL };
    test_ok(mcl_join_unsorted(test_device_at(_i)->queue, MCL_JOIN_SEMI, ints(in_a, M), ints(in_b, N), out_a, none,
                              MCL_LESS, mcl_to_host(MCL_INT64, &semi), NULL));
    ARRAY_READ(_i, out_a.buffer, got_a);
    for (int64_t k = 0; k < semi; k++) {
        int has_match = 0;
        for (int j = 0; j < N; j++) has_match |= b[j] == a[got_a[k]];
        ck_assert(has_match);
    }
    test_ok(mcl_join_unsorted(test_device_at(_i)->queue, MCL_JOIN_ANTI, ints(in_a, M), ints(in_b, N),
                              mcl_to_buffer(MCL_INT32, NULL, 0, 0), none, MCL_LESS, mcl_to_host(MCL_INT64, &anti),
                              NULL));
    ck_assert_int_eq(semi + anti, M);
    test_fails(mcl_join_unsorted(test_device_at(_i)->queue, MCL_JOIN_LEFT, ints(in_a, M), ints(in_b, N),
                                 ints_out(out_a.buffer, 100), out_b, MCL_LESS, mcl_to_host(MCL_INT64, &anti), NULL),
               MCL_ERROR_CAPACITY, "mcl_join_unsorted|out_a has capacity 100");
    mcl_buffer_release(in_a);
    mcl_buffer_release(in_b);
    mcl_buffer_release(out_a.buffer);
    mcl_buffer_release(out_b.buffer);
}
END_TEST

/* element_point's elements. */
typedef struct place {
    float x;
    float y;
    int32_t id;
} place;

/* The columns are structs or bytes, rows are counted on the device, or there is no column. */
/* Returns the least time of a sort of the same keys alone. */
static double least_sort_milliseconds(int device, mcl_input keys, mcl_output out, mcl_output order)
{
    double least = 1e9;
    for (int k = 0; k < 3; k++) {
        mcl_event *done = NULL;
        const mcl_options options = { .done = &done };
        double milliseconds = -1;
        test_ok(mcl_sort_pairs(test_device_at(device)->queue, keys, ints_counting(keys.count), out, order, MCL_LESS,
                               &options));
        test_ok(mcl_event_milliseconds(done, &milliseconds));
        mcl_event_release(done);
        if (milliseconds < least) least = milliseconds;
    }
    return least;
}

START_TEST(the_event_is_that_of_all_steps)
{
    enum { N = 6000 };
    mcl_event *done = NULL, *before = NULL;
    const int32_t unlike = -1;
    int32_t *keys = malloc(N * sizeof *keys);
    double milliseconds = -1;
    int64_t count = -1;

    random_ints(keys, N, 1 << 30, 7, 0);
    const mcl_input a = ints(array_of(_i, keys, N * sizeof *keys), N);
    const mcl_input b = ints(array_of(_i, &unlike, sizeof unlike), 1);
    const mcl_output rows = ints_out(array_empty(_i, sizeof unlike), 1);
    const mcl_output out = ints_out(array_empty(_i, N * sizeof *keys), N);
    const mcl_output order = ints_out(array_empty(_i, N * sizeof *keys), N);
    const double least = least_sort_milliseconds(_i, a, out, order);
    test_ok(mcl_event_record(test_device_at(_i)->queue, &before));
    const mcl_options options = { .wait = &before, .wait_count = 1, .done = &done };
    test_ok(mcl_join_unsorted(test_device_at(_i)->queue, MCL_JOIN_SEMI, a, b, rows, ints_out(NULL, 0), MCL_LESS,
                              mcl_to_host(MCL_INT64, &count), &options));
    test_ok(mcl_event_milliseconds(done, &milliseconds));
    ck_assert_int_eq(count, 0);
    ck_assert_msg(milliseconds >= least / 2, "%g ms; a sort takes %g of it", milliseconds, least);
    mcl_event_release(done);
    mcl_event_release(before);
    mcl_buffer_release(a.buffer);
    mcl_buffer_release(b.buffer);
    mcl_buffer_release(rows.buffer);
    mcl_buffer_release(out.buffer);
    mcl_buffer_release(order.buffer);
    free(keys);
}
END_TEST

/* The second sort needs more scratch than the first sort, which has one key. With passes no table avoids it. */
START_TEST(the_event_is_that_of_all_steps_where_scratch_grows_between_them)
{
    enum { N = 20000 };
    mcl_event *done = NULL;
    mcl_queue *queue = NULL;
    const int32_t unlike = -1;
    int32_t *keys = malloc(N * sizeof *keys);
    double milliseconds = -1;
    const mcl_options options = { .done = &done, .passes = 2 };

    random_ints(keys, N, 1 << 30, 7, 0);
    const mcl_input a = ints(array_of(_i, &unlike, sizeof unlike), 1);
    const mcl_input b = ints(array_of(_i, keys, N * sizeof *keys), N);
    const mcl_output rows = ints_out(array_empty(_i, sizeof unlike), 1);
    const mcl_output out = ints_out(array_empty(_i, N * sizeof *keys), N);
    const mcl_output order = ints_out(array_empty(_i, N * sizeof *keys), N);
    const double least = least_sort_milliseconds(_i, b, out, order);
    test_ok(mcl_queue_create(test_device_at(_i)->context, MCL_QUEUE_PROFILING, &queue));
    test_ok(
        mcl_join_unsorted(queue, MCL_JOIN_SEMI, a, b, rows, ints_out(NULL, 0), MCL_LESS, mcl_to_nowhere(), &options));
    test_ok(mcl_event_milliseconds(done, &milliseconds));
    ck_assert_msg(milliseconds >= least / 2, "%g ms; a sort takes %g of it", milliseconds, least);
    mcl_event_release(done);
    mcl_queue_release(queue);
    mcl_buffer_release(a.buffer);
    mcl_buffer_release(b.buffer);
    mcl_buffer_release(rows.buffer);
    mcl_buffer_release(out.buffer);
    mcl_buffer_release(order.buffer);
    free(keys);
}
END_TEST

START_TEST(columns_are_fetched_by_rows_with_a_null_value)
{
    enum { ROWS = 700, COLUMN = 90, FIRST = 5 }; /* the column of bytes begins at FIRST */
    static int32_t rows[ROWS];
    static int64_t wide_rows[ROWS];
    int8_t bytes[FIRST + COLUMN];
    int8_t got_bytes[ROWS];
    place points[COLUMN];
    static place got[ROWS];
    mcl_queue *queue = test_device_at(_i)->queue;
    const place null_point = { .x = -7 };
    const int64_t counts[] = { ROWS - 100 };

    memset(points, 0, sizeof points);
    for (int k = 0; k < ROWS; k++) {
        rows[k] = k % 7 == 3 ? -1 : k == 50 ? COLUMN : k == 51 ? -COLUMN : k * 37 % COLUMN;
        wide_rows[k] = rows[k];
    }
    for (int k = 0; k < FIRST + COLUMN; k++) bytes[k] = (int8_t)(k - FIRST - 40);
    for (int k = 0; k < COLUMN; k++) points[k].x = (float)k;
    mcl_buffer *buffers[] = { ARRAY_OF(_i, rows),   ARRAY_OF(_i, wide_rows),     ARRAY_OF(_i, bytes),
                              ARRAY_OF(_i, points), array_empty(_i, sizeof got), array_empty(_i, sizeof got_bytes),
                              ARRAY_OF(_i, counts) };
    test_ok(mcl_join_gather(queue, ints(buffers[0], ROWS), mcl_from_buffer(element_point.type, buffers[3], 0, COLUMN),
                            &null_point, mcl_to_buffer(element_point.type, buffers[4], 0, ROWS), NULL));
    ARRAY_READ(_i, buffers[4], got);
    for (int k = 0; k < ROWS; k++) ck_assert(got[k].x == (rows[k] >= 0 && rows[k] < COLUMN ? (float)rows[k] : -7.0f));
    memset(got_bytes, 99, sizeof got_bytes);
    test_ok(mcl_buffer_write(queue, buffers[5], 0, sizeof got_bytes, got_bytes));
    test_ok(mcl_join_gather(queue, mcl_with_count(mcl_from_buffer(MCL_INT64, buffers[1], 0, ROWS), buffers[6], 0),
                            mcl_from_buffer(MCL_INT8, buffers[2], FIRST, COLUMN), NULL,
                            mcl_to_buffer(MCL_INT8, buffers[5], 0, ROWS), NULL));
    ARRAY_READ(_i, buffers[5], got_bytes);
    for (int k = 0; k < ROWS; k++) {
        const int expected = rows[k] >= 0 && rows[k] < COLUMN ? rows[k] - 40 : 0;
        ck_assert_int_eq(got_bytes[k], k < ROWS - 100 ? expected : 99);
    }
    test_ok(mcl_join_gather(queue, ints(buffers[0], ROWS), mcl_from_buffer(MCL_INT8, NULL, 0, 0), &bytes[3],
                            mcl_to_buffer(MCL_INT8, buffers[5], 0, ROWS), NULL));
    ARRAY_READ(_i, buffers[5], got_bytes);
    for (int k = 0; k < ROWS; k++) ck_assert_int_eq(got_bytes[k], bytes[3]);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) mcl_buffer_release(buffers[k]);
}
END_TEST

START_TEST(bad_columns_are_named)
{
    enum { ROWS = 700, COLUMN = 90 };
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t zero = 0;
    mcl_buffer *rows = array_empty(_i, sizeof zero * ROWS);
    mcl_buffer *column = array_empty(_i, COLUMN);
    mcl_buffer *out = array_empty(_i, sizeof zero * ROWS);
    const mcl_input bytes = mcl_from_buffer(MCL_INT8, column, 0, COLUMN);
    const mcl_output to = mcl_to_buffer(MCL_INT8, out, 0, ROWS);

    test_fails(mcl_join_gather(queue, ints(rows, ROWS), bytes, NULL, mcl_to_buffer(MCL_INT8, out, 0, ROWS - 1), NULL),
               MCL_ERROR_ARGUMENT, "mcl_join_gather|out|699|700");
    test_fails(mcl_join_gather(queue, ints(rows, ROWS), bytes, NULL, mcl_to_buffer(MCL_FLOAT, out, 0, ROWS), NULL),
               MCL_ERROR_TYPE, "mcl_join_gather|int8_t|float");
    test_fails(mcl_join_gather(queue, mcl_from_buffer(MCL_FLOAT, rows, 0, 10), bytes, NULL, to, NULL), MCL_ERROR_TYPE,
               "mcl_join_gather|rows|float");
    test_fails(mcl_join_gather(queue, ints(rows, 10), bytes, NULL, mcl_to_buffer(MCL_INT8, column, 0, COLUMN), NULL),
               MCL_ERROR_ARGUMENT, "mcl_join_gather|out overlaps column");
    test_fails(mcl_join_gather(queue, ints_counting(10), bytes, NULL, to, NULL), MCL_ERROR_ARGUMENT,
               "mcl_join_gather|rows|expression");
    mcl_buffer_release(rows);
    mcl_buffer_release(column);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, unsorted_keys_have_rows_of_their_own_places, device);
    test_add(tcase, unsorted_keys_with_and_without_a_match, device);
    test_add(tcase, the_event_is_that_of_all_steps, device);
    test_add(tcase, the_event_is_that_of_all_steps_where_scratch_grows_between_them, device);
    test_add(tcase, columns_are_fetched_by_rows_with_a_null_value, device);
    test_add(tcase, bad_columns_are_named, device);
}

int main(void)
{
    return test_main("join_unsorted", add);
}
