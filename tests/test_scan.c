/* test_scan.c: mcl_scan. It runs a second time with MCL_FEATURES=poll_limit=0, where every look-back gives up at once
 * and folds its predecessors' elements itself. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <limits.h>
#include <string.h>

START_TEST(scan_equals_the_loop)
{
    run_case_round(&scan_case, _i);
}
END_TEST

enum { COUNT = 1500 };

/* Tiles of both mappings, small enough that a sequence of COUNT has several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 } };

START_TEST(exclusive_max_index_begins_with_minus_1_and_all_lowest_values_give_0)
{
    static int32_t got[COUNT];
    const int32_t lowest = INT32_MIN;

    for (int tiling = 0; tiling < 2; tiling++) {
        int32_t total = 5;
        mcl_buffer *out = array_empty(_i, sizeof got);
        test_ok(mcl_scan(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &lowest, COUNT), ints_out(out, COUNT),
                         MCL_MAX_INDEX, MCL_EXCLUSIVE, mcl_to_host(MCL_INT32, &total), &tilings[tiling]));
        ARRAY_READ(_i, out, got);
        ck_assert_int_eq(got[0], -1);
        for (int k = 1; k < COUNT; k++) ck_assert_msg(got[k] == 0, "element %d is %d", k, got[k]);
        ck_assert_int_eq(total, 0);
        mcl_buffer_release(out);
    }
}
END_TEST

/* The identity is wrong, so that it would be seen wherever it is folded. */
START_TEST(the_identity_is_stored_but_never_folded)
{
    static int32_t got[COUNT];
    const mcl_op odd = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "100000", .commutative = 1 };
    const int32_t one = 1;

    for (int tiling = 0; tiling < 2; tiling++) {
        int32_t total = 0;
        mcl_buffer *out = array_empty(_i, sizeof got);
        test_ok(mcl_scan(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &one, COUNT), ints_out(out, COUNT),
                         &odd, MCL_EXCLUSIVE, mcl_to_host(MCL_INT32, &total), &tilings[tiling]));
        ARRAY_READ(_i, out, got);
        ck_assert_int_eq(got[0], 100000);
        for (int k = 1; k < COUNT; k++) ck_assert_msg(got[k] == k, "element %d is %d", k, got[k]);
        ck_assert_int_eq(total, COUNT);
        mcl_buffer_release(out);
    }
}
END_TEST

MCL_SOURCE(marked_source, typedef struct marked {
    int32_t sum;
    int32_t mark;
} marked;)

/* No total of these structs is requested, so nothing needs to turn one into a number. */
START_TEST(combine_makes_numbers_of_structs_where_no_total_is_asked_for)
{
    static int32_t got[COUNT];
    static const mcl_type type = MCL_TYPE(marked, marked_source);
    const mcl_op restart = { .role = MCL_ROLE_FOLD,
                             .value = &type,
                             .source =
                                 "marked join(marked p, marked q) { if (!q.mark) { q.sum += p.sum; q.mark = p.mark; } "
                                 "return q; } marked begin(int32_t i) { marked m; m.sum = 1; m.mark = i % 7 == 0; "
                                 "return m; }",
                             .expression = "join(p, q)",
                             .extract = "begin((int32_t)i)",
                             .combine = "v.sum",
                             .result = MCL_INT32 };
    const int32_t zero = 0;

    for (int tiling = 0; tiling < 2; tiling++) {
        mcl_buffer *out = array_empty(_i, sizeof got);
        test_ok(mcl_scan(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &zero, COUNT), ints_out(out, COUNT),
                         &restart, MCL_INCLUSIVE, mcl_to_nowhere(), &tilings[tiling]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < COUNT; k++) ck_assert_msg(got[k] == k % 7 + 1, "element %d is %d", k, got[k]);
        mcl_buffer_release(out);
    }
}
END_TEST

START_TEST(scan_of_nothing_stores_only_the_total)
{
    const int32_t before[2] = { 77, 78 };
    int32_t got[2];
    int32_t total = -1;
    mcl_buffer *out = ARRAY_OF(_i, before);

    test_ok(mcl_scan(test_device_at(_i)->queue, ints(NULL, 0), ints_out(out, 1), MCL_ADD, MCL_INCLUSIVE_WITH_TOTAL,
                     mcl_to_host(MCL_INT32, &total), NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_int_eq(got[0], 0);
    ck_assert_int_eq(got[1], 78);
    ck_assert_int_eq(total, 0);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(scan_clamps_a_count_from_the_device_to_its_bound)
{
    static int32_t got[COUNT + 1];
    static int32_t before[COUNT + 1];
    const int64_t slots[] = { 0, -5, INT64_MIN, 700, COUNT, COUNT + 1, INT64_MAX };
    const int64_t counts[] = { 0, 0, 0, 700, COUNT, COUNT, COUNT };
    const int32_t one = 1;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    memset(before, 0x77, sizeof before);
    for (int k = 0; k < 14; k++) {
        int32_t total = -1;
        mcl_buffer *out = ARRAY_OF(_i, before);
        const mcl_input in = mcl_with_count(mcl_from_constant(MCL_INT32, &one, COUNT), slot, k / 2);
        test_ok(mcl_scan(test_device_at(_i)->queue, in, ints_out(out, COUNT + 1), MCL_ADD, MCL_INCLUSIVE_WITH_TOTAL,
                         mcl_to_host(MCL_INT32, &total), &tilings[k % 2]));
        ARRAY_READ(_i, out, got);
        ck_assert_int_eq(total, (int32_t)counts[k / 2]);
        for (int i = 0; i <= COUNT; i++) {
            const int32_t expected = i < counts[k / 2] ? i + 1 : i == counts[k / 2] ? total : before[0];
            ck_assert_msg(got[i] == expected, "slot %lld: element %d is %d", (long long)slots[k / 2], i, got[i]);
        }
        mcl_buffer_release(out);
    }
    mcl_buffer_release(slot);
}
END_TEST

START_TEST(deterministic_scans_of_floats_have_the_same_bits)
{
    static float data[COUNT];
    static float first[COUNT];
    static float got[COUNT];
    const mcl_options options = { .flags = MCL_DETERMINISTIC, .tile_threads = 32, .tile_items = 3 };

    for (int k = 0; k < COUNT; k++) data[k] = (float)test_random(4, (uint64_t)k) * 1e-19f - 0.7f;
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = array_empty(_i, sizeof data);
    for (int k = 0; k < 5; k++) {
        test_ok(mcl_scan(test_device_at(_i)->queue, mcl_from_buffer(MCL_FLOAT, in, 0, COUNT),
                         mcl_to_buffer(MCL_FLOAT, out, 0, COUNT), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options));
        array_read(_i, out, k ? got : first, sizeof got);
        if (k) ck_assert_mem_eq(got, first, sizeof got);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* Scans with vectors, in place and not, by operators that commute and that do not. */
static const struct stream_scan {
    mcl_op op;
    int kind, in_place;
} stream_scans[] = {
    { { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .commutative = 1 }, MCL_EXCLUSIVE, 0 },
    { { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .commutative = 1 }, MCL_INCLUSIVE, 1 },
    { { .role = MCL_ROLE_FOLD, .expression = "p < q ? q : p", .identity = "0", .commutative = 1 }, MCL_EXCLUSIVE, 1 },
    { { .role = MCL_ROLE_FOLD, .expression = "q == 0 ? p : q", .identity = "0" }, MCL_INCLUSIVE, 0 },
    { { .role = MCL_ROLE_FOLD, .expression = "q == 0 ? p : q", .identity = "0", .value = MCL_FLOAT },
      MCL_INCLUSIVE,
      0 },
};
enum { STREAM_SCANS = sizeof stream_scans / sizeof stream_scans[0] };

static int32_t stream_fold(int scan, int32_t p, int32_t q)
{
    if (scan < 2) return p + q;
    if (scan == 2) return p < q ? q : p;
    return q == 0 ? p : q;
}

/* A work-item of a CPU scans its tile as four streams, in steps and vectors, and the rest one by one. The test has
 * every length of a tile of 150, with a second tile after it. */
START_TEST(tiles_of_every_length_are_scanned_by_one_work_item)
{
    enum { MOST = 310 };
    const mcl_options options = { .tile_threads = 1, .tile_items = 150 };
    int32_t data[MOST], got[MOST];

    random_ints(data, MOST, 5, 11, 0);
    for (int scan = 0; scan < STREAM_SCANS; scan++) {
        const struct stream_scan *const tried = &stream_scans[scan];
        for (int count = 1; count <= MOST; count += count > 150 || test_is_small() ? 31 : 1) {
            mcl_buffer *const in = array_of(_i, data, (size_t)count * sizeof *data);
            mcl_buffer *const out = tried->in_place ? in : array_empty(_i, sizeof got);
            test_ok(mcl_scan(test_device_at(_i)->queue, ints(in, count), ints_out(out, count), &tried->op, tried->kind,
                             mcl_to_nowhere(), &options));
            array_read(_i, out, got, (size_t)count * sizeof *got);
            int32_t sum = 0;
            for (int k = 0; k < count; k++) {
                const int32_t next = stream_fold(scan, sum, data[k]);
                ck_assert_msg(got[k] == (tried->kind == MCL_INCLUSIVE ? next : sum), "scan %d of %d: element %d is %d",
                              scan, count, k, got[k]);
                sum = next;
            }
            if (!tried->in_place) mcl_buffer_release(out);
            mcl_buffer_release(in);
        }
    }
}
END_TEST

/* Calls that follow each other without waiting share the queue's scratch. */
START_TEST(scans_in_a_row_do_not_disturb_each_other)
{
    static int32_t got[COUNT];
    const int32_t one = 1;
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_transform(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &one, COUNT), ints_out(out, COUNT),
                          NULL));
    for (int k = 0; k < 20; k++)
        test_ok(mcl_scan(test_device_at(_i)->queue, ints(out, COUNT), ints_out(out, COUNT), MCL_MAX, MCL_INCLUSIVE,
                         mcl_to_nowhere(), &tilings[k % 2]));
    test_ok(mcl_scan(test_device_at(_i)->queue, ints(out, COUNT), ints_out(out, COUNT), MCL_ADD, MCL_INCLUSIVE,
                     mcl_to_nowhere(), &tilings[1]));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], k + 1);
    mcl_buffer_release(out);
}
END_TEST

/* The call is in place, so it has two passes. 64 tiles have a node each, and the 64 tiles and the rest have a prefix
 * each, of 4 bytes. Scratch comes in multiples of 256 bytes. */
START_TEST(a_callers_scratch_has_room_for_the_last_prefix)
{
    enum { ITEMS = 16, TILES = 64, ELEMENTS = TILES * ITEMS + 5, GUARD = 256 };
    static int32_t ones[ELEMENTS], got[ELEMENTS];
    static unsigned char filled[1 << 16], after[GUARD];
    test_device *const on = test_device_at(_i);
    mcl_options options = { .tile_threads = 1, .tile_items = ITEMS };
    mcl_queue *prepared = NULL;

    for (int k = 0; k < ELEMENTS; k++) ones[k] = 1;
    memset(filled, 0x5a, sizeof filled);
    mcl_buffer *const data = ARRAY_OF(_i, ones), *const scratch = ARRAY_OF(_i, filled);
    const mcl_input in = mcl_from_buffer(MCL_INT32, data, 0, ELEMENTS);
    const mcl_output out = mcl_to_buffer(MCL_INT32, data, 0, ELEMENTS);
    test_ok(mcl_queue_create_preparing(on->context, &prepared));
    test_ok(mcl_scan(prepared, in, out, MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options));
    options.scratch = scratch;
    options.scratch_bytes = mcl_queue_scratch_bytes(prepared);
    mcl_queue_release(prepared);
    ck_assert_uint_le(options.scratch_bytes + GUARD, sizeof filled);
    test_ok(mcl_scan(on->queue, in, out, MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options));
    ARRAY_READ(_i, data, got);
    for (int k = 0; k < ELEMENTS; k++) ck_assert_int_eq(got[k], k + 1);
    test_ok(mcl_buffer_read(on->queue, scratch, options.scratch_bytes, GUARD, after));
    for (int k = 0; k < GUARD; k++) ck_assert_int_eq(after[k], 0x5a);
    mcl_buffer_release(data);
    mcl_buffer_release(scratch);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, scan_equals_the_loop, device, run_case_rounds(&scan_case));
    test_add(tcase, a_callers_scratch_has_room_for_the_last_prefix, device);
    test_add(tcase, exclusive_max_index_begins_with_minus_1_and_all_lowest_values_give_0, device);
    test_add(tcase, the_identity_is_stored_but_never_folded, device);
    test_add(tcase, combine_makes_numbers_of_structs_where_no_total_is_asked_for, device);
    test_add(tcase, scan_of_nothing_stores_only_the_total, device);
    test_add(tcase, scan_clamps_a_count_from_the_device_to_its_bound, device);
    test_add(tcase, deterministic_scans_of_floats_have_the_same_bits, device);
    test_add(tcase, tiles_of_every_length_are_scanned_by_one_work_item, device);
    test_add(tcase, scans_in_a_row_do_not_disturb_each_other, device);
}

int main(void)
{
    return test_main("scan", add);
}
