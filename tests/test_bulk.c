/* test_bulk.c: mcl_bulk_remove and mcl_bulk_insert. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(bulk_equals_the_loop)
{
    run_case_round(&bulk_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 70 },
                                       { .tile_threads = 32, .tile_items = 3 },
                                       { .tile_threads = 64, .tile_items = 8, .flags = MCL_INDEX_64 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

/* Returns the input first, first + 1 ... */
static mcl_input counting(int32_t first, int64_t count)
{
    return mcl_from_counting(MCL_INT32, &first, count);
}

/* Checks that out has number(i) at index i, for count numbers. */
static void expect_numbers(int device, mcl_buffer *out, int count, int32_t (*number)(int))
{
    static int32_t got[4096];

    array_read(device, out, got, sizeof *got * (size_t)count);
    for (int i = 0; i < count; i++) ck_assert_msg(got[i] == number(i), "element %d is %d", i, got[i]);
}

/* ---- bad indices --------------------------------------------------------------------------------------------- */

enum { BAD_COUNT = 1000, BAD_KINDS = 8 };

/* Returns index k of a kind of bad list. */
static int64_t bad_index(int kind, int64_t k)
{
    const int64_t random = (int64_t)(test_random((uint64_t)kind, (uint64_t)k) >> 1);

    switch (kind) {
    case 0: /* indices in no order */
        return random % BAD_COUNT;
    case 1: /* falling */
        return BAD_COUNT - 1 - k;
    case 2: /* all alike */
        return 17;
    case 3: /* far out of range on both sides */
        return k % 2 ? random : -random;
    case 4: /* past the end */
        return BAD_COUNT - 10 + k;
    case 5: /* before the start */
        return k - BAD_COUNT / 2;
    case 6: /* the ends of the range of numbers */
        return k % 3 == 0 ? INT64_MIN : k % 3 == 1 ? INT64_MAX : k;
    default: /* all positions are sorted except one */
        return k == 300 ? 5 : 2 * k;
    }
}

static mcl_status call_bad(int device, int kind, int inserts, const guarded *in, const guarded *indices,
                           const guarded *out, const mcl_options *options)
{
    mcl_queue *queue = test_device_at(device)->queue;
    const mcl_input from = mcl_from_buffer(MCL_INT32, in->buffer, in->first, in->count);
    const mcl_input places = mcl_from_buffer(indices->kind->type, indices->buffer, indices->first, indices->count);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out->buffer, out->first, out->count);

    if (!inserts) return mcl_bulk_remove(queue, from, places, to, options);
    return mcl_bulk_insert(queue, counting(kind, indices->count), places, from, to, options);
}

/* Returns a tile. With bad indices the tiles of a removal may store to the same places. Oclgrind would report each, so
 * there it is one tile. */
static const mcl_options *bad_tiling(int device, int turn, int inserts)
{
    static const mcl_options whole[] = { { .tile_threads = 1, .tile_items = BAD_COUNT },
                                         { .tile_threads = 64, .tile_items = 31 } };
    const int tells = strcmp(test_device_at(device)->info.vendor, "Oclgrind") == 0;

    return tells && !inserts ? &whole[turn % 2] : &tilings[turn % TILINGS];
}

/* Values are unspecified, but memory outside the operands is not touched, and every call ends. */
START_TEST(bad_indices_never_touch_memory_outside_the_operands)
{
    static int64_t wide[BAD_COUNT];
    static int32_t narrow[BAD_COUNT];
    mcl_context *context = test_device_at(_i)->context;
    char what[] = "bulk work with bad indices";

    for (int turn = 0; turn < BAD_KINDS * 4; turn++) {
        const int kind = turn % BAD_KINDS, inserts = turn / BAD_KINDS % 2, is_wide = turn / BAD_KINDS / 2;
        const int64_t count = BAD_COUNT / (1 + turn % 2);
        const element *type = is_wide ? &element_int64 : &element_int32;
        const unsigned char *data = is_wide ? (unsigned char *)wide : (unsigned char *)narrow;
        guarded in;
        guarded indices;
        guarded out;
        for (int64_t k = 0; k < count; k++) narrow[k] = (int32_t)(wide[k] = bad_index(kind, k));
        guarded_create(context, &element_int32, BAD_COUNT, NULL, turn % 4, &in);
        guarded_create(context, type, count, data, turn % 3, &indices);
        guarded_create(context, &element_int32, inserts ? BAD_COUNT + count : BAD_COUNT - count, NULL, 1, &out);
        test_ok(call_bad(_i, kind, inserts, &in, &indices, &out, bad_tiling(_i, turn, inserts)));
        const size_t start = (size_t)out.first * sizeof(int32_t);
        const size_t bytes = (size_t)out.count * sizeof(int32_t);
        if (bytes) test_ok(mcl_buffer_read(test_device_at(_i)->queue, out.buffer, start, bytes, out.content + start));
        guarded_unchanged(test_device_at(_i)->queue, &out, what);
        guarded_unchanged(test_device_at(_i)->queue, &in, what);
        guarded_unchanged(test_device_at(_i)->queue, &indices, what);
        guarded_free(&in);
        guarded_free(&indices);
        guarded_free(&out);
    }
}
END_TEST

START_TEST(validation_names_the_first_bad_index_and_nothing_is_written)
{
    enum { LISTED = 500 };
    static const struct {
        int at;
        int32_t index;
        int inserts;
        const char *words;
    } bad[] = { { 123, 122 * 2, 0, "mcl_bulk_remove|indices[123]|not above|indices[122]" },
                { 400, 7, 0, "mcl_bulk_remove|indices[400]|not above" },
                { 499, 1000, 0, "mcl_bulk_remove|indices[499]|out of range|999" },
                { 0, -1, 0, "mcl_bulk_remove|indices[0]|out of range" },
                { 77, 3, 1, "mcl_bulk_insert|indices[77]|before" },
                { 499, 1001, 1, "mcl_bulk_insert|indices[499]|out of range|1000" } };
    static int32_t good[LISTED];
    const mcl_options options = { .flags = MCL_VALIDATE };
    mcl_queue *queue = test_device_at(_i)->queue;
    guarded out;

    guarded_create(test_device_at(_i)->context, &element_int32, 1500, NULL, 0, &out);
    for (int k = 0; k < LISTED; k++) good[k] = 2 * k;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const int32_t before = good[bad[k].at];
        good[bad[k].at] = bad[k].index;
        mcl_buffer *indices = ARRAY_OF(_i, good);
        good[bad[k].at] = before;
        const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, 1500);
        test_fails(bad[k].inserts ? mcl_bulk_insert(queue, counting(0, LISTED), ints(indices, LISTED),
                                                    counting(0, 1000), to, &options)
                                  : mcl_bulk_remove(queue, counting(0, 1000), ints(indices, LISTED), to, &options),
                   MCL_ERROR_PRECONDITION, bad[k].words);
        mcl_buffer_release(indices);
    }
    guarded_unchanged(queue, &out, "output of bulk work that failed its validation");
    guarded_free(&out);
}
END_TEST

/* ---- ends and counts ----------------------------------------------------------------------------------------- */

static int32_t same(int i)
{
    return i;
}

static int32_t behind_hundred(int i)
{
    return i < 300 ? 100 + i : i < 400 ? 10000 + (i - 300) : i - 300;
}

START_TEST(all_may_be_removed_or_nothing_and_insertions_may_pile_up_at_either_end)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_empty(_i, 1000 * sizeof(int32_t));
    const int32_t end = 400;
    const int32_t none = 0;

    for (int k = 0; k < TILINGS; k++) {
        const mcl_options *options = &tilings[k];
        test_ok(mcl_bulk_remove(queue, counting(0, 600), ints(NULL, 0), ints_out(out, 600), options));
        expect_numbers(_i, out, 600, same);
        test_ok(mcl_bulk_remove(queue, counting(0, 600), counting(0, 600), ints_out(out, 0), options));
        test_ok(mcl_bulk_remove(queue, ints(NULL, 0), ints(NULL, 0), ints_out(out, 0), options));
        test_ok(mcl_bulk_insert(queue, counting(400, 600), mcl_from_constant(MCL_INT32, &end, 600), counting(0, 400),
                                ints_out(out, 1000), options));
        expect_numbers(_i, out, 1000, same);
        test_ok(mcl_bulk_insert(queue, counting(0, 400), mcl_from_constant(MCL_INT32, &none, 400), counting(400, 600),
                                ints_out(out, 1000), options));
        expect_numbers(_i, out, 1000, same);
        test_ok(mcl_bulk_insert(queue, ints(NULL, 0), ints(NULL, 0), counting(0, 700), ints_out(out, 700), options));
        expect_numbers(_i, out, 700, same);
        test_ok(mcl_bulk_insert(queue, counting(0, 700), mcl_from_constant(MCL_INT32, &none, 700), ints(NULL, 0),
                                ints_out(out, 700), options));
        expect_numbers(_i, out, 700, same);
    }
    mcl_buffer_release(out);
}
END_TEST

/* Indices are bytes. Indices past the number of inserted elements are not read. */
START_TEST(indices_may_be_bytes_or_longer_than_what_is_inserted)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *out = array_empty(_i, 1000 * sizeof(int32_t));
    const mcl_input bytes = mcl_from_expression(MCL_UINT8, "(uint8_t)i", NULL, NULL, 0, 100);
    int16_t listed[200] = { 0 };

    for (int k = 0; k < 100; k++) listed[k] = 300;
    mcl_buffer *indices = ARRAY_OF(_i, listed);
    const mcl_input places = mcl_from_buffer(MCL_INT16, indices, 0, 200);
    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_bulk_remove(queue, counting(-100, 500), bytes, ints_out(out, 400), &tilings[k]));
        expect_numbers(_i, out, 400, same);
        test_ok(
            mcl_bulk_insert(queue, counting(10000, 100), places, counting(100, 300), ints_out(out, 400), &tilings[k]));
        expect_numbers(_i, out, 400, behind_hundred);
    }
    mcl_buffer_release(indices);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(bulk_work_clamps_counts_from_the_device_to_their_bounds)
{
    enum { BOUND = 600 };
    const int64_t slots[] = { 0, -9, INT64_MIN, 200, BOUND, BOUND + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 200, BOUND, BOUND, BOUND };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *slot = ARRAY_OF(_i, slots);
    guarded out;
    static int32_t expected[2 * BOUND];

    for (int k = 0; k < 7 * TILINGS; k++) {
        const int in_count = counts[(k + 3) % 7];
        const int listed = counts[k % 7] < in_count ? counts[k % 7] : in_count;
        const mcl_input in = mcl_with_count(counting(0, BOUND), slot, (k + 3) % 7);
        const mcl_input indices = mcl_with_count(counting(0, BOUND), slot, k % 7);
        const mcl_options *options = &tilings[k / 7];
        for (int i = 0; i < 2 * BOUND; i++) expected[i] = listed + i;
        guarded_create(test_device_at(_i)->context, &element_int32, BOUND, NULL, k % 3, &out);
        test_ok(mcl_bulk_remove(queue, in, indices, mcl_to_buffer(MCL_INT32, out.buffer, out.first, BOUND), options));
        guarded_expect(queue, &out, (unsigned char *)expected, in_count - listed, "removal with counts on the device");
        guarded_free(&out);
        const mcl_input a = mcl_with_count(counting(0, BOUND), slot, k % 7);
        const mcl_input at_start = mcl_from_expression(MCL_INT32, "0", NULL, NULL, 0, BOUND);
        const int inserted = counts[k % 7];
        for (int i = 0; i < 2 * BOUND; i++) expected[i] = i < inserted ? i : i - inserted;
        guarded_create(test_device_at(_i)->context, &element_int32, 2 * BOUND, NULL, k % 3, &out);
        test_ok(mcl_bulk_insert(queue, a, at_start, in, mcl_to_buffer(MCL_INT32, out.buffer, out.first, 2 * BOUND),
                                options));
        guarded_expect(queue, &out, (unsigned char *)expected, in_count + inserted,
                       "insertion with counts on the device");
        guarded_free(&out);
    }
    mcl_buffer_release(slot);
}
END_TEST

/* ---- refused calls ------------------------------------------------------------------------------------------- */

START_TEST(bulk_work_refuses_what_it_cannot_do)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *a = array_empty(_i, 400);
    mcl_buffer *b = array_empty(_i, 400);
    mcl_buffer *slot = array_empty(_i, 8);
    const mcl_input in = ints(a, 50);
    const mcl_input few = counting(0, 10);
    const mcl_output out = ints_out(b, 100);
    const mcl_input reals = mcl_from_buffer(MCL_FLOAT, a, 0, 50);

    test_fails(mcl_bulk_remove(NULL, in, few, out, NULL), MCL_ERROR_ARGUMENT, "mcl_bulk_remove|queue");
    test_fails(mcl_bulk_remove(queue, in, few, ints_out(b, 39), NULL), MCL_ERROR_ARGUMENT, "mcl_bulk_remove|out|39|40");
    test_fails(mcl_bulk_remove(queue, in, mcl_with_count(few, slot, 0), ints_out(b, 49), NULL), MCL_ERROR_ARGUMENT,
               "mcl_bulk_remove|out|49|50");
    test_fails(mcl_bulk_remove(queue, in, counting(0, 51), out, NULL), MCL_ERROR_ARGUMENT,
               "mcl_bulk_remove|indices|51|50");
    test_fails(mcl_bulk_remove(queue, in, few, ints_out(a, 50), NULL), MCL_ERROR_ARGUMENT,
               "mcl_bulk_remove|out|overlaps|in");
    test_fails(mcl_bulk_remove(queue, in, reals, out, NULL), MCL_ERROR_TYPE, "mcl_bulk_remove|indices|float");
    test_fails(mcl_bulk_remove(queue, reals, few, out, NULL), MCL_ERROR_TYPE, "mcl_bulk_remove|in|float|int32_t");
    test_fails(mcl_bulk_insert(queue, in, few, in, out, NULL), MCL_ERROR_ARGUMENT, "mcl_bulk_insert|indices|10|50");
    test_fails(mcl_bulk_insert(queue, in, in, in, ints_out(b, 99), NULL), MCL_ERROR_ARGUMENT,
               "mcl_bulk_insert|out|99|100");
    test_fails(mcl_bulk_insert(queue, reals, in, in, out, NULL), MCL_ERROR_TYPE, "mcl_bulk_insert|a|float|b|int32_t");
    test_fails(mcl_bulk_insert(queue, in, ints(b, 50), in, out, NULL), MCL_ERROR_ARGUMENT,
               "mcl_bulk_insert|out|overlaps|indices");
    mcl_buffer_release(a);
    mcl_buffer_release(b);
    mcl_buffer_release(slot);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, bulk_equals_the_loop, device, run_case_rounds(&bulk_case));
    test_add(tcase, bad_indices_never_touch_memory_outside_the_operands, device);
    test_add(tcase, validation_names_the_first_bad_index_and_nothing_is_written, device);
    test_add(tcase, all_may_be_removed_or_nothing_and_insertions_may_pile_up_at_either_end, device);
    test_add(tcase, indices_may_be_bytes_or_longer_than_what_is_inserted, device);
    test_add(tcase, bulk_work_clamps_counts_from_the_device_to_their_bounds, device);
    test_add(tcase, bulk_work_refuses_what_it_cannot_do, device);
}

int main(void)
{
    return test_main("bulk", add);
}
