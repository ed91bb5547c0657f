/* test_compact.c: mcl_compact, mcl_partition, mcl_unique and variants. They are run again with
 * MCL_FEATURES=poll_limit=0, where every look-back gives up at once and counts its predecessors itself. They are also
 * run in two passes through small blocks. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <math.h>
#include <string.h>

START_TEST(compact_equals_the_loop)
{
    run_case_round(&compact_case, _i);
}
END_TEST

enum { COUNT = 1500 };

/* Tiles of both mappings, small enough that a sequence of COUNT has several. The last one is for two passes. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 32, .tile_items = 5, .flags = MCL_DETERMINISTIC } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

static const mcl_op thirds = { .role = MCL_ROLE_TEST, .expression = "x % 3 == 0" };
static const mcl_op evens = { .role = MCL_ROLE_TEST, .expression = "x % 2 == 0" };

/* Checks that the first written numbers are 0, step, 2 * step ..., and that all others are unchanged. */
static void expect_steps(int device, const guarded *out, int64_t written, int32_t step, const char *what)
{
    static int32_t expected[COUNT];

    for (int32_t k = 0; k < written; k++) expected[k] = k * step;
    guarded_expect(test_device_at(device)->queue, out, (unsigned char *)expected, written, what);
}

START_TEST(nothing_is_stored_past_a_capacity_and_the_needed_count_is_reported)
{
    static const int64_t capacities[] = { 500, 499, 1, 0, 501 };
    mcl_queue *queue = test_device_at(_i)->queue;

    for (int k = 0; k < 5 * TILINGS; k++) {
        const int64_t capacity = capacities[k % 5];
        const mcl_options *options = &tilings[k / 5];
        int64_t count = -1;
        guarded out;
        guarded_create(test_device_at(_i)->context, &element_int32, 500, NULL, k % 3, &out);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, capacity);
        const mcl_result host = mcl_to_host(MCL_INT64, &count);
        if (capacity > 0 && capacity < 500)
            test_fails(mcl_compact(queue, ints_counting(COUNT), to, &thirds, host, options), MCL_ERROR_CAPACITY,
                       "mcl_compact|out|500");
        else
            test_ok(mcl_compact(queue, ints_counting(COUNT), to, &thirds, host, options));
        ck_assert_int_eq(count, 500);
        expect_steps(_i, &out, capacity < 500 ? capacity : 500, 3, "output with little room");
        test_ok(mcl_compact(queue, ints_counting(COUNT), to, &thirds, mcl_to_nowhere(), options));
        expect_steps(_i, &out, capacity < 500 ? capacity : 500, 3, "output without a count");
        guarded_free(&out);
    }
}
END_TEST

START_TEST(each_way_of_a_partition_has_its_own_capacity)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_output none = mcl_to_buffer(MCL_INT32, NULL, 0, 0);

    for (int k = 0; k < TILINGS; k++) {
        int64_t counts[4] = { -1, -1, -1, -1 };
        guarded out;
        guarded_create(test_device_at(_i)->context, &element_int32, 500, NULL, k, &out);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, 500);
        const mcl_output few = mcl_to_buffer(MCL_INT32, out.buffer, out.first, 10);
        test_ok(
            mcl_partition(queue, ints_counting(COUNT), to, none, &thirds, mcl_to_host(MCL_INT64, counts), &tilings[k]));
        expect_steps(_i, &out, 500, 3, "first way");
        ck_assert(counts[0] == 500 && counts[1] == 1000 && counts[2] == -1);
        test_fails(
            mcl_partition(queue, ints_counting(COUNT), none, few, &thirds, mcl_to_host(MCL_INT64, counts), &tilings[k]),
            MCL_ERROR_CAPACITY, "mcl_partition|rejected|1000");
        test_ok(mcl_partition_three(queue, ints_counting(COUNT), to, none, none, &thirds, &evens,
                                    mcl_to_host(MCL_INT64, counts), &tilings[k]));
        ck_assert(counts[0] == 500 && counts[1] == 500 && counts[2] == 500 && counts[3] == -1);
        test_fails(mcl_partition_three(queue, ints_counting(COUNT), none, few, none, &thirds, &evens,
                                       mcl_to_host(MCL_INT64, counts), &tilings[k]),
                   MCL_ERROR_CAPACITY, "mcl_partition_three|second|500");
        guarded_free(&out);
    }
}
END_TEST

START_TEST(compaction_clamps_a_count_from_the_device_to_its_bound)
{
    const int64_t slots[] = { 0, -5, INT64_MIN, 700, COUNT, COUNT + 1, INT64_MAX };
    const int64_t counts[] = { 0, 0, 0, 700, COUNT, COUNT, COUNT };
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    for (int k = 0; k < 7 * TILINGS; k++) {
        const int64_t kept = (counts[k % 7] + 2) / 3;
        int64_t count[2] = { -1, -1 };
        guarded out;
        guarded_create(test_device_at(_i)->context, &element_int32, 500, NULL, k % 4, &out);
        test_ok(mcl_partition(test_device_at(_i)->queue, mcl_with_count(ints_counting(COUNT), slot, k % 7),
                              mcl_to_buffer(MCL_INT32, out.buffer, out.first, 500),
                              mcl_to_buffer(MCL_INT32, NULL, 0, 0), &thirds, mcl_to_host(MCL_INT64, count),
                              &tilings[k / 7]));
        ck_assert_int_eq(count[0], kept);
        ck_assert_int_eq(count[1], counts[k % 7] - kept);
        expect_steps(_i, &out, kept, 3, "compaction with its count on the device");
        guarded_free(&out);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(compaction_of_nothing_counts_nothing)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_input in = ints(NULL, 0);
    const mcl_output out = ints_out(NULL, 0);
    int64_t counts[3] = { 7, 7, 7 };

    test_ok(mcl_compact(queue, in, out, &thirds, mcl_to_host(MCL_INT64, counts), NULL));
    ck_assert(counts[0] == 0 && counts[1] == 7);
    test_ok(mcl_partition_three(queue, in, out, out, out, &thirds, &evens, mcl_to_host(MCL_INT64, counts), NULL));
    ck_assert(counts[0] == 0 && counts[1] == 0 && counts[2] == 0);
    counts[0] = 7;
    test_ok(mcl_run_length_encode(queue, in, out, out, MCL_EQUAL, mcl_to_host(MCL_INT64, counts), &tilings[2]));
    ck_assert_int_eq(counts[0], 0);
}
END_TEST

/* The tests read a bound table, a bound value and the index. Some values have low 32 bits of zero. */
START_TEST(tests_read_their_bindings_and_ask_only_whether_a_value_is_zero)
{
    static int64_t data[COUNT];
    static int64_t got[COUNT];
    const int64_t high = INT64_C(1) << 40;
    int64_t count = -1;

    for (int k = 0; k < COUNT; k++) data[k] = k % 5 ? k : high | k;
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = array_empty(_i, sizeof got);
    mcl_op wide = { .role = MCL_ROLE_TEST, .expression = "mask & table[i]", .binding_count = 2 };
    wide.bindings[0] = mcl_binding_value("mask", MCL_INT64, &high);
    wide.bindings[1] = mcl_binding_buffer("table", MCL_INT64, in, 0);
    const mcl_input from = mcl_from_buffer(MCL_INT64, in, 0, COUNT);
    const mcl_binding bound = mcl_binding_buffer("table", MCL_INT64, in, 0);
    const mcl_input flags = mcl_from_expression(MCL_INT64, "table[i] >> 40 << 40", NULL, &bound, 1, COUNT);
    for (int k = 0; k < 2 * TILINGS; k++) {
        const mcl_output to = mcl_to_buffer(MCL_INT64, out, 0, COUNT / 5);
        const mcl_result result = mcl_to_host(MCL_INT64, &count);
        test_ok(k < TILINGS
                    ? mcl_compact(test_device_at(_i)->queue, from, to, &wide, result, &tilings[k])
                    : mcl_compact_flagged(test_device_at(_i)->queue, from, flags, to, result, &tilings[k - TILINGS]));
        ck_assert_int_eq(count, COUNT / 5);
        array_read(_i, out, got, sizeof *got * COUNT / 5);
        for (int j = 0; j < COUNT / 5; j++) ck_assert_int_eq(got[j], high | (5 * j));
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(every_nan_is_a_run_and_both_zeros_are_one)
{
    const float data[] = { NAN, NAN, -0.0f, 0.0f, -0.0f, 1.0f, 1.0f, NAN };
    const int32_t lengths[] = { 1, 1, 3, 2, 1 };
    float got[5];
    int32_t got_lengths[5];
    int64_t count = -1;
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = array_empty(_i, sizeof got);
    mcl_buffer *runs = array_empty(_i, sizeof got_lengths);

    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_run_length_encode(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, 8),
                                      mcl_to_buffer(MCL_FLOAT, out, 0, 5), ints_out(runs, 5), MCL_EQUAL,
                                      mcl_to_host(MCL_INT64, &count), &tilings[k]));
        ARRAY_READ(_i, out, got);
        ARRAY_READ(_i, runs, got_lengths);
        ck_assert_int_eq(count, 5);
        ck_assert(isnan(got[0]) && isnan(got[1]) && got[2] == 0.0f && signbit(got[2]) && got[3] == 1.0f);
        ck_assert_mem_eq(got_lengths, lengths, sizeof lengths);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(runs);
}
END_TEST

/* All runs have one length, from below a tile's up to the whole sequence. */
START_TEST(lengths_of_runs_that_cross_tiles_are_right)
{
    static const int64_t lengths[] = { 1, 2, 96, 100, 101, 480, COUNT };
    static int32_t runs[COUNT];
    static int32_t heads[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_empty(_i, sizeof heads);
    mcl_buffer *out_runs = array_empty(_i, sizeof runs);

    for (int k = 0; k < 7 * TILINGS; k++) {
        const int64_t length = lengths[k % 7];
        const int64_t expected = (COUNT + length - 1) / length;
        const mcl_binding bound = mcl_binding_value("length", MCL_INT64, &length);
        const mcl_input in = mcl_from_expression(MCL_INT32, "(int32_t)(i / length)", NULL, &bound, 1, COUNT);
        int64_t count = -1;
        test_ok(mcl_run_length_encode(queue, in, ints_out(out, COUNT), ints_out(out_runs, COUNT), MCL_EQUAL,
                                      mcl_to_host(MCL_INT64, &count), &tilings[k / 7]));
        ck_assert_int_eq(count, expected);
        ARRAY_READ(_i, out, heads);
        ARRAY_READ(_i, out_runs, runs);
        for (int r = 0; r < expected; r++) {
            ck_assert_int_eq(heads[r], r);
            ck_assert_int_eq(runs[r], r < expected - 1 ? length : COUNT - r * length);
        }
    }
    mcl_buffer_release(out);
    mcl_buffer_release(out_runs);
}
END_TEST

START_TEST(calls_in_a_row_take_each_others_counts_and_do_not_disturb_each_other)
{
    static int32_t got[COUNT / 6];
    mcl_queue *queue = test_device_at(_i)->queue;
    int64_t counts[2] = { -1, -1 };
    mcl_buffer *slots = ARRAY_OF(_i, counts);
    mcl_buffer *first = array_empty(_i, COUNT * sizeof(int32_t));
    mcl_buffer *second = array_empty(_i, COUNT * sizeof(int32_t));

    for (int k = 0; k < 12; k++) {
        const mcl_options *options = &tilings[k % TILINGS];
        test_ok(mcl_compact(queue, ints_counting(COUNT), ints_out(first, COUNT), &thirds,
                            mcl_to_slot(MCL_INT64, slots, 0), options));
        test_ok(mcl_compact(queue, mcl_with_count(ints(first, COUNT), slots, 0), ints_out(second, COUNT), &evens,
                            mcl_to_slot(MCL_INT64, slots, 1), options));
    }
    ARRAY_READ(_i, slots, counts);
    ARRAY_READ(_i, second, got);
    ck_assert(counts[0] == COUNT / 3 && counts[1] == COUNT / 6);
    for (int k = 0; k < COUNT / 6; k++) ck_assert_int_eq(got[k], 6 * k);
    mcl_buffer_release(slots);
    mcl_buffer_release(first);
    mcl_buffer_release(second);
}
END_TEST

/* ---- in place -------------------------------------------------------------------------------------------------- */

enum { IN_PLACE_FORMS = 7 };

/* Keeps thirds of 0, 1, 2 ... in the array itself, in one of the forms. rest: room for the rejected numbers. */
static mcl_status thirds_in_place(int device, int form, mcl_input in, mcl_output out, mcl_output rest, mcl_result count,
                                  const mcl_options *given)
{
    static const mcl_op zero = { .role = MCL_ROLE_TEST, .expression = "x == 0" };
    static const mcl_op third_alike = { .role = MCL_ROLE_EQUALITY, .expression = "p / 3 == q / 3" };
    mcl_queue *const queue = test_device_at(device)->queue;
    const mcl_input remainders = mcl_from_expression(MCL_INT32, "(int32_t)(i % 3)", NULL, NULL, 0, COUNT);
    const mcl_input flags = mcl_from_expression(MCL_UINT8, "i % 3 == 0", NULL, NULL, 0, COUNT);
    mcl_options options = *given;

    switch (form) {
    case 0:
        options.flags |= MCL_UNORDERED; /* the order is kept in spite of this flag */
        return mcl_compact(queue, in, out, &thirds, count, &options);
    case 1:
        return mcl_compact_flagged(queue, in, flags, out, count, given);
    case 2:
        return mcl_compact_stencil(queue, in, remainders, out, &zero, count, given);
    case 3:
        return mcl_partition(queue, in, out, rest, &thirds, count, given);
    case 4:
        return mcl_partition_three(queue, in, out, (mcl_output){ 0 }, rest, &thirds, &evens, count, given);
    case 5:
        return mcl_unique(queue, in, out, &third_alike, count, given);
    default:
        return mcl_run_length_encode(queue, in, out, rest, &third_alike, count, given);
    }
}

/* The whole array, or a part of it, is compacted, with a count from the device, and with little room. */
START_TEST(an_output_may_be_what_is_compacted)
{
    static int32_t data[COUNT], got[COUNT], expected[COUNT];
    const int64_t counts[] = { COUNT, 601, COUNT };

    for (int k = 0; k < COUNT; k++) data[k] = k;
    for (int turn = 0; turn < IN_PLACE_FORMS * TILINGS; turn++) {
        const int form = turn % IN_PLACE_FORMS, way = turn % 3;
        const int64_t kept = (counts[way] + 2) / 3, capacity = way == 2 ? 7 : kept;
        mcl_buffer *const array = ARRAY_OF(_i, data), *const rest = array_empty(_i, sizeof data);
        mcl_buffer *const slot = ARRAY_OF(_i, ((int64_t[]){ counts[way] }));
        const mcl_input in = mcl_with_count(ints(array, COUNT), slot, 0);
        test_ok(thirds_in_place(_i, form, way == 1 ? in : ints(array, COUNT), ints_out(array, capacity),
                                ints_out(rest, COUNT), mcl_to_nowhere(), &tilings[turn / IN_PLACE_FORMS]));
        memcpy(expected, data, sizeof data);
        for (int r = 0; r < capacity; r++) expected[r] = 3 * r;
        ARRAY_READ(_i, array, got);
        ck_assert_mem_eq(got, expected, sizeof got);
        mcl_buffer_release(array);
        mcl_buffer_release(rest);
        mcl_buffer_release(slot);
    }
}
END_TEST

/* ---- any order ------------------------------------------------------------------------------------------------ */

/* Keeps thirds of 0, 1, 2 ... by the call of this kind: by test, flags or stencil. */
static mcl_status keep_thirds(int device, int kind, mcl_input in, mcl_output out, mcl_result count,
                              const mcl_options *options)
{
    static const mcl_op nothing = { .role = MCL_ROLE_TEST, .expression = "x == 0" };
    mcl_queue *queue = test_device_at(device)->queue;
    const mcl_input rest = mcl_from_expression(MCL_INT32, "(int32_t)(i % 3)", NULL, NULL, 0, COUNT);
    const mcl_input flags = mcl_from_expression(MCL_UINT8, "i % 3 == 0", NULL, NULL, 0, COUNT);

    if (kind == 0) return mcl_compact(queue, in, out, &thirds, count, options);
    if (kind == 1) return mcl_compact_flagged(queue, in, flags, out, count, options);
    return mcl_compact_stencil(queue, in, rest, out, &nothing, count, options);
}

/* It tries every way to append, with counts from host and device and with little room. */
START_TEST(compaction_in_any_order_keeps_the_same_elements)
{
    static const int64_t counts[] = { COUNT, 1, 0, 97, 1024 };
    static int32_t got[COUNT];
    mcl_buffer *slot = ARRAY_OF(_i, counts);

    for (int k = 0; k < 6 * 5; k++) {
        mcl_options options = tilings[k % 2];
        int64_t count = -1;
        int seen[COUNT] = { 0 };
        const int64_t n = counts[k / 6], kept = (n + 2) / 3, room = k % 4 == 3 ? kept / 2 : kept;
        const mcl_input in = mcl_with_count(ints_counting(COUNT), slot, k / 6);
        guarded out;
        guarded_create(test_device_at(_i)->context, &element_int32, kept, NULL, k % 3, &out);
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, room);
        options.flags = MCL_UNORDERED | (k % 7 == 0 ? MCL_INDEX_64 : 0u);
        options.append = (mcl_append)(k % 6);
        options.append_width = 1 << k % 5;
        const mcl_status status =
            keep_thirds(_i, k % 3, k % 2 ? in : ints_counting(n), to, mcl_to_host(MCL_INT64, &count), &options);
        ck_assert_int_eq(status, room > 0 && room < kept ? MCL_ERROR_CAPACITY : MCL_OK);
        ck_assert_int_eq(count, kept);
        if (room > 0)
            test_ok(mcl_buffer_read(test_device_at(_i)->queue, out.buffer, (size_t)out.first * sizeof *got,
                                    (size_t)room * sizeof *got, got));
        for (int64_t i = 0; i < room; i++) {
            ck_assert(got[i] >= 0 && got[i] < n && got[i] % 3 == 0);
            ck_assert_int_eq(seen[got[i]]++, 0);
        }
        guarded_expect(test_device_at(_i)->queue, &out, (unsigned char *)got, room, "elements in any order");
        guarded_free(&out);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(order_is_kept_where_the_same_result_is_wanted_every_time)
{
    const mcl_options both = { .tile_threads = 1, .tile_items = 50, .flags = MCL_UNORDERED | MCL_DETERMINISTIC };
    static int32_t got[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_compact(queue, ints_counting(COUNT), ints_out(out, COUNT), &evens, mcl_to_nowhere(), &both));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT / 2; k++) ck_assert_int_eq(got[k], 2 * k);
    mcl_buffer_release(out);
}
END_TEST

/* ---- refused calls ------------------------------------------------------------------------------------------- */

#define ARGUMENT(call, words) test_fails(call, MCL_ERROR_ARGUMENT, words)
#define TYPE_ERROR(call, words) test_fails(call, MCL_ERROR_TYPE, words)

START_TEST(compaction_refuses_what_it_cannot_do)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    int64_t count;
    int32_t narrow;
    mcl_buffer *a = array_empty(_i, 400);
    mcl_buffer *b = array_empty(_i, 400);
    const mcl_input in = ints(a, 50);
    const mcl_output out = ints_out(b, 50);
    const mcl_input reals = mcl_from_buffer(MCL_FLOAT, a, 0, 50);
    const mcl_result host = mcl_to_host(MCL_INT64, &count);
    const mcl_op empty = { .role = MCL_ROLE_TEST, .expression = "" };
    const mcl_options bad_way = { .flags = MCL_UNORDERED, .append = (mcl_append)-1 };
    const mcl_options ordered = { .append = MCL_APPEND_GROUP_SCAN };
    const mcl_options bad_width = { .flags = MCL_UNORDERED, .append_width = 64 };

    ARGUMENT(mcl_compact(NULL, in, out, &thirds, host, NULL), "mcl_compact|queue");
    ARGUMENT(mcl_compact(queue, in, out, NULL, host, NULL), "mcl_compact|keep|NULL");
    ARGUMENT(mcl_compact(queue, in, out, &empty, host, NULL), "mcl_compact|keep");
    ARGUMENT(mcl_compact(queue, in, mcl_to_buffer(MCL_INT32, a, 1, 50), &thirds, host, NULL),
             "mcl_compact|out|overlaps|in");
    ARGUMENT(mcl_partition(queue, in, out, ints_out(a, 50), &thirds, host, NULL), "mcl_partition|rejected|overlaps|in");
    ARGUMENT(mcl_compact(queue, in, ints_out(b, 101), &thirds, host, NULL), "mcl_compact|out|101");
    ARGUMENT(mcl_compact(queue, in, out, &thirds, mcl_to_slot(MCL_INT64, b, 24), NULL), "mcl_compact|count|out");
    ARGUMENT(mcl_compact(queue, in, out, &thirds, mcl_to_slot(MCL_INT64, a, 3), NULL), "mcl_compact|count|in");
    ARGUMENT(mcl_compact(queue, in, out, &thirds, host, &bad_way), "mcl_compact|append|-1");
    ARGUMENT(mcl_compact(queue, in, out, &thirds, host, &bad_width), "mcl_compact|append_width|64");
    ARGUMENT(mcl_compact_flagged(queue, in, ints(a, 49), out, host, NULL), "mcl_compact_flagged|flags|49|50");
    ARGUMENT(mcl_compact_stencil(queue, in, ints(a, 49), out, &thirds, host, NULL), "mcl_compact_stencil|stencil|49");
    ARGUMENT(mcl_partition(queue, in, out, out, &thirds, host, NULL), "mcl_partition|rejected|overlaps|out");
    ARGUMENT(
        mcl_partition(queue, ints(a, 1), ints_out(b, 1), ints_out(b, 0), &thirds, mcl_to_slot(MCL_INT64, b, 49), NULL),
        "mcl_partition|count|49");
    ARGUMENT(mcl_partition(queue, ints(a, 1), mcl_to_buffer(MCL_INT32, b, 2, 1), ints_out(b, 0), &thirds,
                           mcl_to_slot(MCL_INT64, b, 0), NULL),
             "mcl_partition|count overlaps out");
    ARGUMENT(mcl_compact(queue, in, out, &thirds, host, &ordered), "mcl_compact|append");
    ARGUMENT(mcl_partition(queue, in, out, ints_out(b, 0), &thirds, host, &bad_way), "mcl_partition|MCL_UNORDERED");
    ARGUMENT(mcl_unique(queue, in, out, NULL, host, NULL), "mcl_unique|same|NULL");
    ARGUMENT(mcl_unique_by_key(queue, in, ints(a, 7), out, out, MCL_EQUAL, host, NULL),
             "mcl_unique_by_key|values|7|50");
    TYPE_ERROR(mcl_compact(queue, reals, out, &thirds, host, NULL), "mcl_compact|out|int32_t|float");
    TYPE_ERROR(mcl_compact(queue, in, out, &thirds, mcl_to_host(MCL_FLOAT, &narrow), NULL), "mcl_compact|count");
    TYPE_ERROR(mcl_compact_flagged(queue, in, reals, out, host, NULL), "mcl_compact_flagged|flags|float");
    TYPE_ERROR(mcl_run_length_encode(queue, in, out, mcl_to_buffer(MCL_FLOAT, b, 50, 50), MCL_EQUAL, host, NULL),
               "mcl_run_length_encode|lengths|float");
    mcl_buffer_release(a);
    mcl_buffer_release(b);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, compact_equals_the_loop, device, run_case_rounds(&compact_case));
    test_add(tcase, nothing_is_stored_past_a_capacity_and_the_needed_count_is_reported, device);
    test_add(tcase, each_way_of_a_partition_has_its_own_capacity, device);
    test_add(tcase, compaction_clamps_a_count_from_the_device_to_its_bound, device);
    test_add(tcase, compaction_of_nothing_counts_nothing, device);
    test_add(tcase, tests_read_their_bindings_and_ask_only_whether_a_value_is_zero, device);
    test_add(tcase, every_nan_is_a_run_and_both_zeros_are_one, device);
    test_add(tcase, lengths_of_runs_that_cross_tiles_are_right, device);
    test_add(tcase, calls_in_a_row_take_each_others_counts_and_do_not_disturb_each_other, device);
    test_add(tcase, an_output_may_be_what_is_compacted, device);
    test_add(tcase, compaction_in_any_order_keeps_the_same_elements, device);
    test_add(tcase, order_is_kept_where_the_same_result_is_wanted_every_time, device);
    test_add(tcase, compaction_refuses_what_it_cannot_do, device);
}

int main(void)
{
    return test_main("compact", add);
}
