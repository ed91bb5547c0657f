/* test_segments.c: compares the four kinds of segments, in the three operations that take them, with one loop. Cases:
 * odd integer types, elements outside all segments, no segments, counts on the device. Also sums of many tiles. */
#include "support/arrays.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 100, GIVEN_MAX = 8, KINDS = 4, UNTOUCHED = 0x55555555 };

/* Tiles of both mappings, small enough that COUNT elements have several. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 30 },
                                       { .tile_threads = 32, .tile_items = 1 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

/* The segments for a call on count elements. For flags numbers has the indices of the bits. */
typedef struct given {
    mcl_segment_kind kind;
    int64_t count, length;
    int64_t numbers[GIVEN_MAX];
    int64_t row_length; /* length of rows whose offsets are in numbers; 0: they are no rows */
} given;

/* The cases. Numbers fit in 8 bits. The last index of heads is outside the elements. */
static const given all[] = {
    { .kind = MCL_SEGMENT_OFFSETS, .count = COUNT, .length = 6, .numbers = { 7, 7, 20, 33, 33, 90 } },
    { .kind = MCL_SEGMENT_BEGINS, .count = COUNT, .length = 6, .numbers = { 7, 7, 20, 33, 90, 100 } },
    { .kind = MCL_SEGMENT_INDICES, .count = COUNT, .length = 6, .numbers = { 90, 7, 33, 7, 20, 101 } },
    { .kind = MCL_SEGMENT_FLAGS, .count = COUNT, .length = 4, .numbers = { 7, 20, 33, 90 } },
    { .kind = MCL_SEGMENT_OFFSETS, .count = COUNT, .length = 1, .numbers = { 40 } },
    { .kind = MCL_SEGMENT_OFFSETS, .count = COUNT, .length = 5, .numbers = { 0, 11, 22, 33, 44 }, .row_length = 11 },
    { .kind = MCL_SEGMENT_OFFSETS, .count = COUNT },
    { .kind = MCL_SEGMENT_BEGINS, .count = COUNT },
    { .kind = MCL_SEGMENT_INDICES, .count = COUNT },
    { .kind = MCL_SEGMENT_FLAGS, .count = COUNT },
    { .kind = MCL_SEGMENT_OFFSETS },
    { .kind = MCL_SEGMENT_BEGINS, .length = 2 },
    { .kind = MCL_SEGMENT_INDICES, .length = 2 },
    { .kind = MCL_SEGMENT_FLAGS },
};
enum { ALL = sizeof all / sizeof all[0] };

/* Segment s is [begins[s], ends[s]). */
typedef struct ranges {
    int count;
    int64_t begins[COUNT], ends[COUNT];
} ranges;

static int is_head(const given *g, int64_t k)
{
    int found = k == 0;
    for (int64_t j = 0; j < g->length; j++) found |= g->numbers[j] == k;
    return found;
}

static ranges ranges_of(const given *g)
{
    const int has_heads = g->kind == MCL_SEGMENT_INDICES || g->kind == MCL_SEGMENT_FLAGS;
    ranges made = { 0 };

    for (int64_t s = 0; !has_heads && s < g->length - (g->kind == MCL_SEGMENT_OFFSETS); s++) {
        made.begins[s] = g->numbers[s];
        made.ends[s] = s + 1 < g->length ? g->numbers[s + 1] : g->count;
        made.count++;
    }
    for (int64_t k = 0; has_heads && k < g->count; k++) {
        if (is_head(g, k)) made.begins[made.count++] = k;
        made.ends[made.count - 1] = k + 1;
    }
    return made;
}

static void put_number(void *data, size_t size, int64_t k, int64_t number)
{
    if (size == 1) ((int8_t *)data)[k] = (int8_t)number;
    if (size == 2) ((int16_t *)data)[k] = (int16_t)number;
    if (size == 4) ((int32_t *)data)[k] = (int32_t)number;
    if (size == 8) ((int64_t *)data)[k] = number;
}

/* Returns segments whose numbers are elements of a type, or bits. With slot their count comes from the device. */
static mcl_segments segments_of(int device, const given *g, const mcl_type *type, mcl_buffer *slot, mcl_buffer **made)
{
    int64_t data[GIVEN_MAX + 2] = { 0 };
    const int flagged = g->kind == MCL_SEGMENT_FLAGS;
    const int64_t words = (g->count + 31) / 32;

    for (int64_t k = 0; k < g->length && !flagged; k++) put_number(data, type->size, k, g->numbers[k]);
    for (int64_t k = 0; k < g->length && flagged; k++)
        ((uint32_t *)data)[g->numbers[k] / 32] |= 1u << g->numbers[k] % 32;
    *made = ARRAY_OF(device, data);
    if (flagged) return mcl_segments_from_flags(mcl_from_buffer(MCL_UINT32, *made, 0, words));
    const mcl_input input = slot ? mcl_with_count(mcl_from_buffer(type, *made, 0, GIVEN_MAX), slot, 0)
                                 : mcl_from_buffer(type, *made, 0, g->length);
    if (!g->row_length) return (mcl_segments){ .input = input, .kind = g->kind };
    mcl_segments rows = mcl_segments_from_rows(input.count - 1, g->row_length);
    if (slot) rows.input = mcl_with_count(rows.input, slot, 0);
    return rows;
}

/* The arrays of one call: keys, results, and the number of segments. */
typedef struct arrays {
    int32_t keys[COUNT], got[COUNT];
    int64_t counts[2]; /* number of given numbers, and number of segments */
    mcl_buffer *in, *out, *slots, *made;
    mcl_segments segments;
} arrays;

static arrays begin(int device, const given *g, const mcl_type *type, int on_device)
{
    arrays a = { .counts = { g->length, -1 } };

    for (int k = 0; k < COUNT; k++) a.keys[k] = k * 37 % 50 - 10;
    memset(a.got, UNTOUCHED & 0xFF, sizeof a.got);
    a.in = ARRAY_OF(device, a.keys);
    a.out = ARRAY_OF(device, a.got);
    a.slots = ARRAY_OF(device, a.counts);
    a.segments = segments_of(device, g, type, on_device ? a.slots : NULL, &a.made);
    return a;
}

static void end(int device, arrays *a)
{
    array_read(device, a->out, a->got, sizeof a->got);
    mcl_buffer *const buffers[] = { a->in, a->out, a->slots, a->made };
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
}

static void check_reduce(int device, const given *g, const mcl_type *type, int turn)
{
    const ranges by = ranges_of(g);
    arrays a = begin(device, g, type, turn);
    const mcl_result count = turn ? mcl_to_slot(MCL_INT64, a.slots, 1) : mcl_to_host(MCL_INT64, &a.counts[1]);

    test_ok(mcl_segmented_reduce(test_device_at(device)->queue, ints(a.in, g->count), a.segments,
                                 ints_out(a.out, COUNT), MCL_ADD, count, &tilings[turn]));
    if (turn) ARRAY_READ(device, a.slots, a.counts);
    end(device, &a);
    ck_assert_int_eq(a.counts[1], by.count);
    for (int s = 0; s < COUNT; s++) {
        int32_t sum = s < by.count ? 0 : UNTOUCHED;
        for (int64_t k = by.begins[s]; s < by.count && k < by.ends[s]; k++) sum += a.keys[k];
        ck_assert_msg(a.got[s] == sum, "kind %d of %s, turn %d, segment %d: %d is not %d", (int)g->kind, type->name,
                      turn, s, (int)a.got[s], (int)sum);
    }
}

static void check_scan(int device, const given *g, const mcl_type *type, int turn)
{
    const ranges by = ranges_of(g);
    arrays a = begin(device, g, type, turn);
    int32_t expected[COUNT];

    test_ok(mcl_segmented_scan(test_device_at(device)->queue, ints(a.in, g->count), a.segments, ints_out(a.out, COUNT),
                               MCL_ADD, turn ? MCL_INCLUSIVE : MCL_EXCLUSIVE, &tilings[turn]));
    end(device, &a);
    for (int k = 0; k < COUNT; k++) expected[k] = UNTOUCHED;
    for (int s = 0; s < by.count; s++) {
        int32_t sum = 0;
        for (int64_t k = by.begins[s]; k < by.ends[s]; k++) {
            sum += a.keys[k];
            expected[k] = turn ? sum : sum - a.keys[k];
        }
    }
    for (int k = 0; k < COUNT; k++)
        ck_assert_msg(a.got[k] == expected[k], "kind %d of %s, turn %d, element %d: %d is not %d", (int)g->kind,
                      type->name, turn, k, (int)a.got[k], (int)expected[k]);
}

static int ascending(const void *p, const void *q)
{
    const int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return a < b ? -1 : a > b;
}

static void check_sort(int device, const given *g, const mcl_type *type, int turn)
{
    const ranges by = ranges_of(g);
    arrays a = begin(device, g, type, turn);

    test_ok(mcl_segmented_sort(test_device_at(device)->queue, ints(a.in, g->count), a.segments, ints_out(a.out, COUNT),
                               MCL_LESS, MCL_STABLE, NULL, &tilings[turn]));
    end(device, &a);
    for (int s = 0; s < by.count; s++)
        qsort(a.keys + by.begins[s], (size_t)(by.ends[s] - by.begins[s]), sizeof *a.keys, ascending);
    for (int k = 0; k < COUNT; k++) {
        const int32_t expected = k < g->count ? a.keys[k] : UNTOUCHED;
        ck_assert_msg(a.got[k] == expected, "kind %d of %s, turn %d, element %d: %d is not %d", (int)g->kind,
                      type->name, turn, k, (int)a.got[k], (int)expected);
    }
}

/* Checks all types for each kind, in each mapping, except 32-bit types, which the loops' cases have. */
static void check_all(int device, void (*check)(int device, const given *g, const mcl_type *type, int turn))
{
    static const mcl_type *const types[TILINGS][KINDS] = { { MCL_INT8, MCL_UINT16, MCL_UINT64, MCL_UINT32 },
                                                           { MCL_UINT8, MCL_INT64, MCL_INT16, MCL_UINT32 } };

    for (int k = 0; k < ALL; k++)
        for (int turn = 0; turn < TILINGS; turn++) check(device, &all[k], types[turn][all[k].kind], turn);
}

START_TEST(a_reduction_takes_each_kind)
{
    check_all(_i, check_reduce);
}
END_TEST

START_TEST(a_scan_takes_each_kind)
{
    check_all(_i, check_scan);
}
END_TEST

START_TEST(a_sort_takes_each_kind)
{
    check_all(_i, check_sort);
}
END_TEST

/* Rows without results are not looked at. Otherwise these calls would take days. */
START_TEST(rows_that_give_nothing_take_no_time)
{
    static const int64_t most = INT64_C(1) << 40;
    mcl_queue *queue = test_device_at(_i)->queue;
    int32_t keys[COUNT], sorted[COUNT];
    random_ints(keys, COUNT, 40, 3, 0);
    mcl_buffer *const in = ARRAY_OF(_i, keys), *const out = ARRAY_OF(_i, keys), *const values = ARRAY_OF(_i, keys);
    const mcl_output none = { 0 }, to = ints_out(out, COUNT);

    for (int64_t length = 0; length < COUNT; length = 12 * length + 1) {
        const mcl_segments rows = mcl_segments_from_rows(most, length);
        test_ok(mcl_segmented_sort(queue, ints(in, COUNT), rows, to, MCL_LESS, MCL_STABLE, NULL, NULL));
        ARRAY_READ(_i, out, sorted);
        for (int k = 0; k + 1 < COUNT && length > 0; k++)
            ck_assert((k + 1) % length == 0 || sorted[k] <= sorted[k + 1]);
        if (length == 0) ck_assert_mem_eq(sorted, keys, sizeof keys);
        test_ok(mcl_segmented_sort_indices(queue, ints(in, COUNT), rows, to, ints_out(values, COUNT),
                                           MCL_INDEX_IN_SEGMENT, MCL_LESS, MCL_STABLE, NULL, NULL));
        test_ok(mcl_segmented_top_k(queue, ints(in, COUNT), rows, mcl_amount_of(0), to, none, MCL_LESS, NULL));
        test_ok(mcl_segmented_quantiles(queue, ints(in, COUNT), rows, mcl_from_buffer(MCL_FLOAT, values, 0, 0), to,
                                        MCL_LESS, MCL_INTERPOLATION_LOWER, NULL));
        test_ok(mcl_queue_finish(queue));
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(values);
}
END_TEST

/* Checks segments of WIDTH elements from FIRST on, with nearly 2^36 empty ones after each. An expression of 2^40
 * numbers gives them. The call may look only at few of these, or it would take days. on_device: the count on the device
 * is half of that. */
static void check_many_offsets(int device, mcl_segment_kind kind, int turn, int on_device)
{
    enum { FIRST = 3, WIDTH = 5, SEGMENTS = 16 };
    const int64_t most = INT64_C(1) << 40;
    const given nothing = { .kind = kind, .count = COUNT };
    arrays a = begin(device, &nothing, MCL_INT32, 0);
    const int64_t count[2] = { most / 2 + (kind == MCL_SEGMENT_OFFSETS), 0 };
    const int segments = on_device ? SEGMENTS / 2 : SEGMENTS;
    mcl_input numbers = mcl_from_expression(MCL_INT64, "3 + 5 * (i >> 36)", NULL, NULL, 0, most + 1);
    mcl_buffer *const slot = ARRAY_OF(device, count);

    if (kind == MCL_SEGMENT_BEGINS) numbers.count = most;
    if (on_device) numbers = mcl_with_count(numbers, slot, 0);
    test_ok(mcl_segmented_sort(test_device_at(device)->queue, ints(a.in, COUNT),
                               (mcl_segments){ .input = numbers, .kind = kind }, ints_out(a.out, COUNT), MCL_LESS,
                               MCL_STABLE, NULL, &tilings[turn]));
    end(device, &a);
    for (int s = 0; s < segments; s++) {
        const int is_last = kind == MCL_SEGMENT_BEGINS && s + 1 == segments, at = FIRST + WIDTH * s;
        qsort(a.keys + at, (size_t)(is_last ? COUNT - at : WIDTH), sizeof *a.keys, ascending);
    }
    ck_assert_mem_eq(a.got, a.keys, sizeof a.keys);
    mcl_buffer_release(slot);
}

START_TEST(far_more_offsets_than_elements_take_no_time)
{
    enum { ROUNDS = 2 * 2 * TILINGS };

    for (int round = 0; round < ROUNDS; round++)
        if (test_sample_takes(round, ROUNDS))
            check_many_offsets(_i, round % 2 ? MCL_SEGMENT_BEGINS : MCL_SEGMENT_OFFSETS, round / 4, round / 2 % 2);
}
END_TEST

/* ---- what is refused -------------------------------------------------------------------------------------------- */

START_TEST(validation_looks_at_each_kind)
{
    static const given disorder = { .kind = MCL_SEGMENT_BEGINS, .count = COUNT, .length = 3, .numbers = { 5, 30, 20 } };
    static const given outside = {
        .kind = MCL_SEGMENT_INDICES, .count = COUNT, .length = 3, .numbers = { 5, 101, 20 }
    };
    const mcl_options options = { .flags = MCL_VALIDATE };
    mcl_queue *queue = test_device_at(_i)->queue;
    arrays a = begin(_i, &disorder, MCL_INT32, 0), b = begin(_i, &outside, MCL_INT32, 0);
    const mcl_input in = ints(a.in, COUNT);
    const mcl_output out = ints_out(a.out, COUNT);

    test_fails(mcl_segmented_reduce(queue, in, a.segments, out, MCL_ADD, mcl_to_nowhere(), &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_reduce|segments[2]|sorted");
    test_fails(mcl_segmented_scan(queue, in, a.segments, out, MCL_ADD, MCL_INCLUSIVE, &options), MCL_ERROR_PRECONDITION,
               "mcl_segmented_scan|segments[2]|sorted");
    test_fails(mcl_segmented_sort(queue, in, a.segments, out, MCL_LESS, MCL_STABLE, NULL, &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_sort|segments[2]|sorted");
    test_fails(mcl_segmented_reduce(queue, in, b.segments, out, MCL_ADD, mcl_to_nowhere(), &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_reduce|segments[1]|range");
    test_fails(mcl_segmented_sort(queue, in, b.segments, out, MCL_LESS, MCL_STABLE, NULL, &options),
               MCL_ERROR_PRECONDITION, "mcl_segmented_sort|segments[1]|range");
    end(_i, &a);
    end(_i, &b);
}
END_TEST

START_TEST(what_is_no_kind_is_refused)
{
    static const given few = { .kind = MCL_SEGMENT_BEGINS, .count = COUNT, .length = 3, .numbers = { 5, 20, 30 } };
    mcl_queue *queue = test_device_at(_i)->queue;
    arrays a = begin(_i, &few, MCL_INT32, 0);
    const mcl_input in = ints(a.in, COUNT);
    const mcl_output out = ints_out(a.out, COUNT), short_out = ints_out(a.out, 2);
    const mcl_segments begins = a.segments, floats = mcl_segments_from_indices(mcl_from_buffer(MCL_FLOAT, a.in, 0, 9));
    mcl_segments wrong = begins;
    const mcl_segments backward = mcl_segments_from_rows(3, -1);

    wrong.kind = (mcl_segment_kind)4;
    test_fails(mcl_segmented_reduce(queue, in, wrong, out, MCL_ADD, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_reduce|segments.kind is 4");
    test_fails(mcl_segmented_scan(queue, in, wrong, out, MCL_ADD, MCL_INCLUSIVE, NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_scan|segments.kind is 4");
    test_fails(mcl_segmented_sort(queue, in, wrong, out, MCL_LESS, MCL_STABLE, NULL, NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_sort|segments.kind is 4");
    test_fails(mcl_segmented_reduce(queue, in, backward, out, MCL_ADD, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_reduce|3 rows of length -1");
    test_fails(mcl_segmented_scan(queue, in, backward, out, MCL_ADD, MCL_INCLUSIVE, NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_scan|3 rows of length -1");
    test_fails(mcl_segmented_reduce(queue, in, begins, short_out, MCL_ADD, mcl_to_nowhere(), NULL), MCL_ERROR_ARGUMENT,
               "mcl_segmented_reduce|out|capacity 2|3");
    test_fails(mcl_segmented_reduce(queue, in, begins, out, MCL_ADD, mcl_to_slot(MCL_FLOAT, a.slots, 0), NULL),
               MCL_ERROR_TYPE, "mcl_segmented_reduce|count|MCL_INT64");
    test_fails(mcl_segmented_scan(queue, in, floats, out, MCL_ADD, MCL_INCLUSIVE, NULL), MCL_ERROR_TYPE,
               "mcl_segmented_scan|segments|float|integer");
    end(_i, &a);
}
END_TEST

/* ---- recorded --------------------------------------------------------------------------------------------------- */

/* Checks the order in each segment. Indices count from its first key. */
static void check_order(const int32_t *keys, const int32_t *offsets, int64_t segments, const int32_t *order)
{
    for (int64_t s = 0; s < segments; s++)
        for (int k = offsets[s]; k < offsets[s + 1]; k++) {
            const int32_t *own = keys + offsets[s];
            ck_assert(order[k] >= 0 && order[k] < offsets[s + 1] - offsets[s]);
            if (k == offsets[s]) continue;
            ck_assert(own[order[k - 1]] < own[order[k]] ||
                      (own[order[k - 1]] == own[order[k]] && order[k - 1] < order[k]));
        }
}

/* A recording is made once. Between replays the segments, their number and the keys' number change. */
START_TEST(a_recorded_sort_takes_any_number_of_segments)
{
    enum { MOST = 20000, SEGMENTS_MOST = 9000 };
    static const int64_t segments[] = { 9000, 3, 700, 0, 1 }, lengths[] = { 2, 6000, 25, 1, 20000 };
    static int32_t keys[MOST], order[MOST], offsets[SEGMENTS_MOST + 1];
    int64_t counts[2] = { 0 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_recording *recording = NULL;
    mcl_buffer *in = ARRAY_OF(_i, keys), *out = ARRAY_OF(_i, order), *at = ARRAY_OF(_i, offsets);
    mcl_buffer *slots = ARRAY_OF(_i, counts);

    test_ok(mcl_record_begin(queue));
    test_ok(mcl_segmented_sort_indices(queue, mcl_with_count(ints(in, MOST), slots, 0),
                                       mcl_segments_from_offsets(mcl_with_count(ints(at, SEGMENTS_MOST + 1), slots, 1)),
                                       (mcl_output){ 0 }, ints_out(out, MOST), MCL_INDEX_IN_SEGMENT, MCL_LESS,
                                       MCL_STABLE, NULL, NULL));
    test_ok(mcl_record_end(queue, &recording));
    for (int turn = 0; turn < 5; turn++) {
        for (int64_t s = 0; s <= segments[turn]; s++) offsets[s] = (int32_t)(s * lengths[turn]);
        counts[0] = segments[turn] * lengths[turn];
        counts[1] = segments[turn] + 1;
        random_ints(keys, MOST, 40, (uint64_t)turn, 0);
        test_ok(mcl_buffer_write(queue, in, 0, sizeof keys, keys));
        test_ok(mcl_buffer_write(queue, at, 0, sizeof offsets, offsets));
        test_ok(mcl_buffer_write(queue, slots, 0, sizeof counts, counts));
        test_ok(mcl_replay(queue, recording, NULL));
        ARRAY_READ(_i, out, order);
        check_order(keys, offsets, segments[turn], order);
    }
    mcl_recording_release(recording);
    mcl_buffer *const buffers[] = { in, out, at, slots };
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
}
END_TEST

/* ---- sums that many tiles hand on ------------------------------------------------------------------------------ */

/* Compares sums of ones of a type over segments with their lengths. */
static void check_lengths(mcl_queue *queue, const mcl_type *type, const int32_t *offsets, int64_t segments,
                          const mcl_options *options)
{
    enum { MOST = 20 };
    float sums[MOST];
    int32_t counts[MOST];
    const float one = 1;
    const int32_t whole = 1;
    const int is_float = type == MCL_FLOAT;
    const int64_t count = offsets[segments];
    mcl_context *const context = mcl_queue_context(queue);
    mcl_buffer *in = NULL, *out = NULL;

    test_ok(mcl_buffer_create(context, (size_t)(segments + 1) * sizeof *offsets, offsets, &in));
    test_ok(mcl_buffer_create(context, sizeof sums, NULL, &out));
    test_ok(mcl_segmented_reduce(queue, mcl_from_constant(type, is_float ? (const void *)&one : &whole, count),
                                 mcl_segments_from_offsets(ints(in, segments + 1)),
                                 mcl_to_buffer(type, out, 0, segments), MCL_ADD, mcl_to_nowhere(), options));
    test_ok(mcl_buffer_read(queue, out, 0, (size_t)segments * sizeof *sums, is_float ? (void *)sums : (void *)counts));
    for (int64_t s = 0; s < segments; s++) {
        const int32_t length = offsets[s + 1] - offsets[s];
        const double got = is_float ? (double)sums[s] : (double)counts[s];
        ck_assert_msg(got == length, "%s: segment %lld of %d elements is %g", type->name, (long long)s, length, got);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}

/* One work-item joins the sums of each share of tiles. It goes back over the shares before its own, to the last segment
 * that begins there. The rows make a share of one tile. */
START_TEST(shares_of_tiles_go_back_to_where_their_segment_begins)
{
    static const mcl_options options = { .tile_threads = 1, .tile_items = 10 };
    static const int32_t offsets[] = { 0, 5, 5, 12, 95, 100, 110, 110, 133, 590, 600, 601, 777 };
    const mcl_type *const types[] = { MCL_FLOAT, MCL_INT32 };
    mcl_context *const context = test_context_of_rows(_i, "segmented_reduce.finish_tiles_serial \"\" 1\n"
                                                          "segmented_reduce.once_bytes \"\" 0\n");
    mcl_queue *queue = NULL;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < 2; k++) check_lengths(queue, types[k], offsets, sizeof offsets / sizeof *offsets - 1, &options);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_reduction_takes_each_kind, device);
    test_add(tcase, a_scan_takes_each_kind, device);
    test_add(tcase, a_sort_takes_each_kind, device);
    test_add(tcase, rows_that_give_nothing_take_no_time, device);
    test_add(tcase, far_more_offsets_than_elements_take_no_time, device);
    test_add(tcase, validation_looks_at_each_kind, device);
    test_add(tcase, what_is_no_kind_is_refused, device);
    test_add(tcase, a_recorded_sort_takes_any_number_of_segments, device);
    test_add(tcase, shares_of_tiles_go_back_to_where_their_segment_begins, device);
}

int main(void)
{
    return test_main("segments", add);
}
