/* test_compact_columns.c: mcl_compact_columns, mcl_unique_columns and mcl_partition_columns: columns that move together
 * with the elements, and columns that follow in a later pass. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 1500, COLUMNS = 11, ROOM = 600 };

/* Tiles of both mappings, small enough that a sequence of COUNT has several. The last one is for two passes. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 32, .tile_items = 5, .flags = MCL_DETERMINISTIC } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

static const mcl_op thirds = { .role = MCL_ROLE_TEST, .expression = "x % 3 == 0" };

/* Returns the input 0, 0, 0, 3, 3, 3 ... */
static mcl_input steps(int64_t count)
{
    return mcl_from_expression(MCL_INT32, "(int32_t)(i / 3 * 3)", NULL, NULL, 0, count);
}

/* ---- columns ------------------------------------------------------------------------------------------------- */

/* Returns byte b of value k. Columns have values of 1, 4, 12 and 64 bytes in turn. */
static unsigned char column_byte(int column, int64_t k, size_t b)
{
    return (unsigned char)(k * 7 + (int64_t)b * 3 + column);
}

static const element *column_kind(int column)
{
    static const element *const kinds[] = { &element_int8, &element_int32, &element_point, &element_wide };

    return kinds[column % 4];
}

/* The arrays of a call. Of the outputs, element 0 is for keys and element 1 + c for column c. */
typedef struct columns {
    mcl_buffer *in[COLUMNS];
    guarded out[1 + COLUMNS], rejected[1 + COLUMNS];
    mcl_column list[COLUMNS];
    mcl_partition_column split[COLUMNS];
} columns;

static mcl_output to_guarded(const element *kind, const guarded *array)
{
    return mcl_to_buffer(kind->type, array->buffer, array->first, ROOM);
}

/* Makes arrays with room for ROOM elements each. */
static void columns_begin(int device, columns *c)
{
    static unsigned char data[COUNT * MCL_VALUE_BYTES_MAX];
    mcl_context *const context = test_device_at(device)->context;

    for (int o = 0; o <= COLUMNS; o++) {
        const element *const kind = o ? column_kind(o - 1) : &element_int32;
        const size_t size = kind->type->size;
        guarded_create(context, kind, ROOM, NULL, o % 3, &c->out[o]);
        guarded_create(context, kind, ROOM, NULL, o % 2, &c->rejected[o]);
        if (o == 0) continue;
        for (size_t at = 0; at < COUNT * size; at++) data[at] = column_byte(o - 1, (int64_t)(at / size), at % size);
        c->in[o - 1] = array_of(device, data, COUNT * size);
        mcl_partition_column *const column = &c->split[o - 1];
        column->in = mcl_from_buffer(kind->type, c->in[o - 1], 0, COUNT);
        column->out = to_guarded(kind, &c->out[o]);
        column->rejected = to_guarded(kind, &c->rejected[o]);
        c->list[o - 1] = (mcl_column){ column->in, column->out };
    }
}

static void columns_end(columns *c)
{
    for (int o = 0; o <= COLUMNS; o++) {
        if (o > 0) mcl_buffer_release(c->in[o - 1]);
        guarded_free(&c->out[o]);
        guarded_free(&c->rejected[o]);
    }
}

static mcl_output keys_out(const columns *c)
{
    return to_guarded(&element_int32, &c->out[0]);
}

static mcl_output keys_rejected(const columns *c)
{
    return to_guarded(&element_int32, &c->rejected[0]);
}

/* Returns the index of the r-th element that is kept, or rejected. */
static int64_t element_of(int64_t r, int is_rejected)
{
    return is_rejected ? r / 2 * 3 + r % 2 + 1 : r * 3;
}

/* Checks that an output has the values of its elements, written of them, and that all others are unchanged. */
static void expect_column(int device, const columns *c, int o, int is_rejected, int64_t written)
{
    static unsigned char expected[COUNT * MCL_VALUE_BYTES_MAX];
    const size_t size = o ? column_kind(o - 1)->type->size : sizeof(int32_t);

    for (int64_t r = 0; r < written; r++) {
        const int32_t k = (int32_t)element_of(r, is_rejected);
        if (o == 0) memcpy(expected + (size_t)r * size, &k, size);
        for (size_t b = 0; o > 0 && b < size; b++) expected[(size_t)r * size + b] = column_byte(o - 1, k, b);
    }
    guarded_expect(test_device_at(device)->queue, is_rejected ? &c->rejected[o] : &c->out[o], expected, written,
                   "column");
}

typedef enum mode { COMPACT_THIRDS, UNIQUE_STEPS, PARTITION_THIRDS, MODES } mode;

/* Makes a call in mode how. The keys are tested in an input of count elements, whose true count may be in a slot. */
static mcl_status call(int device, mode how, const columns *c, int column_count, int64_t count, mcl_buffer *slot,
                       mcl_result to, const mcl_options *options)
{
    mcl_queue *const queue = test_device_at(device)->queue;
    mcl_input in = how == UNIQUE_STEPS ? steps(count) : ints_counting(count);

    if (slot) in = mcl_with_count_of(in, MCL_UINT32, slot, 0);
    if (how == UNIQUE_STEPS)
        return mcl_unique_columns(queue, in, keys_out(c), c->list, column_count, MCL_EQUAL, to, options);
    if (how == COMPACT_THIRDS)
        return mcl_compact_columns(queue, in, keys_out(c), c->list, column_count, &thirds, to, options);
    return mcl_partition_columns(queue, in, keys_out(c), keys_rejected(c), c->split, column_count, &thirds, to,
                                 options);
}

/* Makes one turn of columns that follow. On odd turns the count comes from the device, and the last column is left
 * out. */
static void follow_turn(int device, mode how, int column_count, int tiling, int less)
{
    const uint32_t bound = less ? 77 : 600;
    const int64_t kept = (bound + 2) / 3, rejected = how == PARTITION_THIRDS ? bound - kept : 0;
    mcl_buffer *const slot = ARRAY_OF(device, ((uint32_t[]){ bound }));
    columns c;
    uint32_t count[2] = { 9, 9 };

    columns_begin(device, &c);
    if (less && column_count > 0) {
        c.list[column_count - 1].out = c.split[column_count - 1].out = (mcl_output){ 0 };
        c.split[column_count - 1].rejected = (mcl_output){ 0 };
    }
    test_ok(call(device, how, &c, column_count, less ? COUNT : 600, less ? slot : NULL, mcl_to_host(MCL_UINT32, count),
                 &tilings[tiling]));
    ck_assert_int_eq(count[0], kept);
    ck_assert_int_eq(count[1], how == PARTITION_THIRDS ? rejected : 9);
    for (int o = 0; o <= COLUMNS; o++) {
        const int is_there = o == 0 || o <= column_count - less;
        expect_column(device, &c, o, 0, is_there ? kept : 0);
        expect_column(device, &c, o, 1, is_there ? rejected : 0);
    }
    columns_end(&c);
    mcl_buffer_release(slot);
}

/* The turns of one device: each mode and number of columns, in changing tiles. */
static const int column_counts[] = { 0, 1, 4, 5, 8, COLUMNS };
enum { NUMBERS = sizeof column_counts / sizeof column_counts[0], TURNS = 2 * MODES * NUMBERS };

START_TEST(columns_follow_the_elements)
{
    for (int turn = 0; turn < TURNS; turn++) {
        const int number = turn / MODES % NUMBERS, how = turn % MODES;
        if (!test_takes_half(turn)) continue;
        follow_turn(_i, (mode)how, column_counts[number], (how + number + turn / (MODES * NUMBERS)) % TILINGS,
                    turn / MODES % 2);
    }
}
END_TEST

/* Later columns know the number of elements, even where the count is in a slot or nowhere. */
START_TEST(columns_follow_without_a_count_on_the_host)
{
    for (int turn = 0; turn < 2 * MODES; turn++) {
        const int how = turn / 2;
        uint32_t counts[3] = { 9, 9, 9 };
        mcl_buffer *const slots = ARRAY_OF(_i, counts);
        columns c;
        columns_begin(_i, &c);
        test_ok(call(_i, (mode)how, &c, 6, 600, NULL, turn % 2 ? mcl_to_slot(MCL_INT32, slots, 0) : mcl_to_nowhere(),
                     &tilings[how]));
        ARRAY_READ(_i, slots, counts);
        ck_assert_int_eq(counts[0], turn % 2 ? 200 : 9);
        ck_assert_int_eq(counts[1], turn % 2 && how == PARTITION_THIRDS ? 400 : 9);
        ck_assert_int_eq(counts[2], 9);
        mcl_buffer_release(slots);
        for (int o = 0; o <= 6; o++) {
            expect_column(_i, &c, o, 0, 200);
            expect_column(_i, &c, o, 1, how == PARTITION_THIRDS ? 400 : 0);
        }
        columns_end(&c);
    }
}
END_TEST

START_TEST(columns_of_nothing_are_left_as_they_were)
{
    for (int how = 0; how < MODES; how++) {
        int64_t count[2] = { 9, 9 };
        columns c;
        columns_begin(_i, &c);
        test_ok(call(_i, (mode)how, &c, COLUMNS, 0, NULL, mcl_to_host(MCL_INT64, count), &tilings[how]));
        ck_assert_int_eq(count[0], 0);
        for (int o = 0; o <= COLUMNS; o++) expect_column(_i, &c, o, 0, 0);
        columns_end(&c);
    }
}
END_TEST

/* Each column is its own output: with the elements, and in a later pass. */
START_TEST(columns_may_replace_their_inputs)
{
    static unsigned char got[COUNT * MCL_VALUE_BYTES_MAX];

    for (int turn = 0; turn < MODES * TILINGS; turn++) {
        const int how = turn % MODES, count = turn % 2 ? 9 : 3;
        columns c;
        columns_begin(_i, &c);
        for (int k = 0; k < count; k++)
            c.list[k].out = c.split[k].out = mcl_to_buffer(column_kind(k)->type, c.in[k], 0, ROOM);
        test_ok(call(_i, (mode)how, &c, count, 600, NULL, mcl_to_nowhere(), &tilings[turn / MODES]));
        expect_column(_i, &c, 0, 0, 200);
        for (int k = 0; k < count; k++) {
            const size_t size = column_kind(k)->type->size;
            array_read(_i, c.in[k], got, COUNT * size);
            for (size_t at = 0; at < COUNT * size; at++) {
                const int64_t r = (int64_t)(at / size);
                ck_assert_int_eq(got[at], column_byte(k, r < 200 ? element_of(r, 0) : r, at % size));
            }
            expect_column(_i, &c, k + 1, 1, how == PARTITION_THIRDS ? 400 : 0);
        }
        columns_end(&c);
    }
}
END_TEST

/* ---- room ---------------------------------------------------------------------------------------------------- */

/* Makes one turn in which output low of the kept elements has little room. */
static void little_room_turn(int device, mode how, int low, const char *words)
{
    columns c;
    int64_t count[2] = { -1, -1 };

    columns_begin(device, &c);
    if (low > 0) c.list[low - 1].out.capacity = c.split[low - 1].out.capacity = 33;
    test_fails(call(device, how, &c, COLUMNS, 600, NULL, mcl_to_host(MCL_INT64, count), &tilings[low % TILINGS]),
               MCL_ERROR_CAPACITY, words);
    ck_assert_int_eq(count[0], 200);
    for (int o = 0; o <= COLUMNS; o++) {
        expect_column(device, &c, o, 0, 33);
        expect_column(device, &c, o, 1, how == PARTITION_THIRDS ? 400 : 0);
    }
    columns_end(&c);
}

/* Makes one turn of a partition in which the rejected elements of column low have little room. */
static void little_room_of_rejected_turn(int device, int column_count, int low, const char *words)
{
    columns c;
    int64_t counts[2] = { -1, -1 };

    columns_begin(device, &c);
    c.split[low].rejected.capacity = 50;
    test_fails(call(device, PARTITION_THIRDS, &c, column_count, 600, NULL, mcl_to_host(MCL_INT64, counts), &tilings[1]),
               MCL_ERROR_CAPACITY, words);
    ck_assert(counts[0] == 200 && counts[1] == 400);
    for (int o = 0; o <= column_count; o++) {
        expect_column(device, &c, o, 0, 200);
        expect_column(device, &c, o, 1, 50);
    }
    columns_end(&c);
}

START_TEST(the_lowest_capacity_limits_all_columns_of_its_way)
{
    little_room_turn(_i, COMPACT_THIRDS, 2, "mcl_compact_columns|columns[1].out|33|200");
    little_room_turn(_i, COMPACT_THIRDS, 6, "mcl_compact_columns|columns[5].out|33|200");
    little_room_turn(_i, UNIQUE_STEPS, 11, "mcl_unique_columns|columns[10].out|33|200");
    little_room_turn(_i, PARTITION_THIRDS, 1, "mcl_partition_columns|columns[0].out|33|200");
    little_room_turn(_i, PARTITION_THIRDS, 9, "mcl_partition_columns|columns[8].out|33|200");
    /* two columns alone move with the elements; column 7 of many follows */
    little_room_of_rejected_turn(_i, 2, 0, "mcl_partition_columns|columns[0].rejected|50|400");
    little_room_of_rejected_turn(_i, 2, 1, "mcl_partition_columns|columns[1].rejected|50|400");
    little_room_of_rejected_turn(_i, COLUMNS, 7, "mcl_partition_columns|columns[7].rejected|50|400");
}
END_TEST

/* The keys and all other outputs are left out, except one column that follows. */
START_TEST(one_column_alone_may_be_wanted)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_output none = { 0 };

    for (int turn = 0; turn < 2 * TILINGS; turn++) {
        const mcl_options *const options = &tilings[turn % TILINGS];
        const int alone = turn / TILINGS ? 2 : 6;
        columns c;
        int64_t counts[2] = { -1, -1 };
        columns_begin(_i, &c);
        for (int k = 0; k < 7; k++)
            if (k != alone) c.list[k].out = c.split[k].out = none;
        test_ok(mcl_compact_columns(queue, ints_counting(600), none, c.list, 7, &thirds, mcl_to_nowhere(), options));
        for (int o = 0; o <= COLUMNS; o++) expect_column(_i, &c, o, 0, o == alone + 1 ? 200 : 0);
        columns_end(&c);
        columns_begin(_i, &c);
        for (int k = 0; k < 7; k++) c.split[k].out = none;
        c.split[alone].rejected = none;
        c.split[alone].out = c.list[alone].out;
        test_ok(mcl_partition_columns(queue, ints_counting(600), none, keys_rejected(&c), c.split, 7, &thirds,
                                      mcl_to_host(MCL_INT64, counts), options));
        ck_assert(counts[0] == 200 && counts[1] == 400);
        for (int o = 0; o <= COLUMNS; o++) {
            expect_column(_i, &c, o, 0, o == alone + 1 ? 200 : 0);
            expect_column(_i, &c, o, 1, o <= 7 && o != alone + 1 ? 400 : 0);
        }
        columns_end(&c);
    }
}
END_TEST

/* ---- refused calls ------------------------------------------------------------------------------------------- */

START_TEST(errors_of_columns_name_the_column)
{
    const mcl_result none = mcl_to_nowhere();
    columns c, bad;

    columns_begin(_i, &c);
#define FAILS(how, status, text) test_fails(call(_i, how, &bad, 9, COUNT, NULL, none, NULL), MCL_ERROR_##status, text)
    for (int k = 1; k < 9; k += 4) { /* columns with the elements, and columns that follow */
        char words[80];
        bad = c;
        bad.list[k].out = bad.list[k - 1].out;
        (void)snprintf(words, sizeof words, "mcl_compact_columns|columns[%d].out|int32_t", k);
        FAILS(COMPACT_THIRDS, TYPE, words);
        bad = c;
        bad.list[k].in.count = COUNT - 1;
        (void)snprintf(words, sizeof words, "mcl_compact_columns|columns[%d].in|1499|1500", k);
        FAILS(COMPACT_THIRDS, ARGUMENT, words);
        bad = c;
        bad.list[k].out = mcl_to_buffer(MCL_INT32, c.in[k], 100, 300);
        (void)snprintf(words, sizeof words, "columns[%d].out|overlaps|columns[%d].in", k, k);
        FAILS(UNIQUE_STEPS, ARGUMENT, words);
        bad = c;
        bad.list[k].out = keys_out(&c);
        (void)snprintf(words, sizeof words, "columns[%d].out|overlaps|out", k);
        FAILS(COMPACT_THIRDS, ARGUMENT, words);
    }
    bad = c;
    bad.list[1].out = bad.list[5].out;
    FAILS(COMPACT_THIRDS, ARGUMENT, "columns[5].out overlaps columns[1].out");
    bad = c;
    bad.list[8].out = mcl_to_buffer(column_kind(8)->type, c.in[6], 0, 300);
    FAILS(COMPACT_THIRDS, ARGUMENT, "columns[8].out overlaps columns[6].in");
    bad = c;
    bad.list[2].out = mcl_to_buffer(column_kind(2)->type, c.in[6], 0, 300);
    FAILS(COMPACT_THIRDS, ARGUMENT, "columns[2].out overlaps columns[6].in");
    bad = c;
    bad.split[1].out = mcl_to_buffer(MCL_INT32, c.in[5], 0, 300);
    FAILS(PARTITION_THIRDS, ARGUMENT, "mcl_partition_columns|columns[1].out overlaps columns[5].in");
    bad = c;
    bad.split[8].rejected = bad.split[4].out;
    FAILS(PARTITION_THIRDS, ARGUMENT, "columns[8].rejected overlaps columns[4].out");
    bad = c;
    bad.split[3].rejected.type = MCL_INT32;
    FAILS(PARTITION_THIRDS, TYPE, "columns[3].rejected|int32_t");
#undef FAILS
    test_fails(call(_i, COMPACT_THIRDS, &c, 9, COUNT, NULL, mcl_to_slot(MCL_INT64, c.in[6], 3), NULL),
               MCL_ERROR_ARGUMENT, "count overlaps columns[6].in");
    const mcl_result inside = mcl_to_slot(MCL_INT64, c.rejected[6].buffer, c.rejected[6].first / 2 + 1);
    test_fails(call(_i, PARTITION_THIRDS, &c, 9, COUNT, NULL, inside, NULL), MCL_ERROR_ARGUMENT,
               "count overlaps columns[5].rejected");
    columns_end(&c);
}
END_TEST

START_TEST(calls_with_columns_refuse_what_makes_no_sense)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_result none = mcl_to_nowhere();
    const mcl_options unordered = { .flags = MCL_UNORDERED };
    columns c;

    columns_begin(_i, &c);
    for (int count = -1; count < 2; count += 2) {
        const char *const words = count < 0 ? "_columns|column_count is -1|0 or more" : "_columns|columns is NULL|1";
        test_fails(mcl_compact_columns(queue, ints_counting(9), keys_out(&c), NULL, count, &thirds, none, NULL),
                   MCL_ERROR_ARGUMENT, words);
        test_fails(mcl_unique_columns(queue, ints_counting(9), keys_out(&c), NULL, count, MCL_EQUAL, none, NULL),
                   MCL_ERROR_ARGUMENT, words);
        test_fails(mcl_partition_columns(queue, ints_counting(9), keys_out(&c), keys_rejected(&c), NULL, count, &thirds,
                                         none, NULL),
                   MCL_ERROR_ARGUMENT, words);
    }
    test_fails(call(_i, COMPACT_THIRDS, &c, INT32_MIN, 9, NULL, none, NULL), MCL_ERROR_ARGUMENT, "-2147483648");
    test_fails(call(_i, COMPACT_THIRDS, &c, 2, 9, NULL, none, &unordered), MCL_ERROR_ARGUMENT, "MCL_UNORDERED");
    test_fails(call(_i, PARTITION_THIRDS, &c, 2, 9, NULL, none, &unordered), MCL_ERROR_ARGUMENT, "MCL_UNORDERED");
    test_fails(mcl_compact_columns(NULL, ints_counting(9), keys_out(&c), c.list, 9, &thirds, none, NULL),
               MCL_ERROR_ARGUMENT, "mcl_compact_columns|queue");
    columns_end(&c);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, columns_follow_the_elements, device);
    test_add(tcase, columns_follow_without_a_count_on_the_host, device);
    test_add(tcase, columns_of_nothing_are_left_as_they_were, device);
    test_add(tcase, columns_may_replace_their_inputs, device);
    test_add(tcase, the_lowest_capacity_limits_all_columns_of_its_way, device);
    test_add(tcase, one_column_alone_may_be_wanted, device);
    test_add(tcase, errors_of_columns_name_the_column, device);
    test_add(tcase, calls_with_columns_refuse_what_makes_no_sense, device);
}

int main(void)
{
    return test_main("compact_columns", add);
}
