/* test_index_range.c: indices, offsets and lengths for more elements than their type can number. Elements are
 * expressions, which take no memory. Calls are made on a queue that only prepares, since the checks come first. */
#include "support/arrays.h"

#include <string.h>

static const int64_t many = INT64_C(2147484648);

/* ---- what a fold tracks --------------------------------------------------------------------------------------- */

static mcl_queue *preparing(int device)
{
    mcl_queue *queue = NULL;

    test_ok(mcl_queue_create_preparing(test_device_at(device)->context, &queue));
    return queue;
}

static mcl_input bytes(int64_t count)
{
    const int8_t one = 1;

    return mcl_from_constant(MCL_INT8, &one, count);
}

typedef struct narrow_at {
    int32_t index;
    int8_t value;
} narrow_at;
typedef struct wide_at {
    int64_t index, other;
    int8_t value;
} wide_at;
static const mcl_type NARROW =
    MCL_TYPE(narrow_at, "typedef struct narrow_at { int32_t index; int8_t value; } narrow_at;");
static const mcl_type WIDE = MCL_TYPE(
    wide_at, "typedef struct wide_at { const int64_t index, other; int8_t value; } wide_at; /* an index of int64_t */");
static const mcl_type TOLD_LATE =
    MCL_TYPE(wide_at, "typedef struct wide_at { int64_t other, index; int8_t value; } wide_at;");

static const struct {
    const mcl_type *type;
    int64_t most;     /* largest number of elements; 0: any number */
    const char *said; /* in sentences */
} index_types[] = {
    { MCL_INT8, 127, "is MCL_INT8;" },
    { MCL_UINT8, 255, "is MCL_UINT8;" },
    { MCL_INT16, 32767, "is MCL_INT16;" },
    { MCL_UINT16, 65535, "is MCL_UINT16;" },
    { MCL_INT32, INT32_MAX, "is MCL_INT32;" },
    { MCL_UINT32, UINT32_MAX, "is MCL_UINT32;" },
    { MCL_INT64, 0, NULL },
    { MCL_UINT64, 0, NULL },
    { MCL_INT8_AT, INT32_MAX, "is mcl_int8_at," },
    { &NARROW, INT32_MAX, "is narrow_at," },
    { &WIDE, INT32_MAX, "is wide_at," }, /* the word is in a comment, which has no effect */
    { &TOLD_LATE, INT32_MAX, "is wide_at," },
};
enum { INDEX_TYPES = sizeof index_types / sizeof *index_types };

static void expect_type(mcl_status status, const char *function, const char *type)
{
    ck_assert_msg(status == MCL_ERROR_TYPE && strstr(mcl_last_error(), type) && strstr(mcl_last_error(), function),
                  "%s with %s: %s, %s", function, type, mcl_status_name(status), mcl_last_error());
}

START_TEST(an_index_fits_the_type_that_it_is_stored_to)
{
    mcl_queue *const queue = preparing(_i);
    mcl_buffer *const out = array_empty(_i, 4096);

    for (int k = 0; k < INDEX_TYPES; k++) {
        const mcl_type *const type = index_types[k].type;
        const char *const said = index_types[k].said;
        const int64_t most = index_types[k].most, least = most ? most + 1 : many;
        const mcl_result slot = mcl_to_slot(type, out, 0);
        const mcl_output list = mcl_to_buffer(type, out, 0, 8);
        const mcl_segments rows = mcl_segments_from_rows(1, least);
        if (most == 0) {
            test_ok(mcl_reduce(queue, bytes(least), MCL_MAX_INDEX, slot, NULL));
            continue;
        }
        expect_type(mcl_reduce(queue, bytes(least), MCL_MAX_INDEX, slot, NULL), "mcl_reduce", said);
        expect_type(mcl_reduce(queue, mcl_with_count(bytes(least), out, 1), MCL_MIN_INDEX, slot, NULL), "mcl_reduce",
                    said);
        expect_type(mcl_scan(queue, bytes(least), list, MCL_MIN_INDEX, MCL_INCLUSIVE, mcl_to_nowhere(), NULL),
                    "mcl_scan", said);
        expect_type(mcl_scan(queue, bytes(least), (mcl_output){ 0 }, MCL_MIN_INDEX, MCL_INCLUSIVE, slot, NULL),
                    "mcl_scan", said);
        expect_type(mcl_segmented_reduce(queue, bytes(least), rows, list, MCL_MAX_INDEX, mcl_to_nowhere(), NULL),
                    "mcl_segmented_reduce", said);
        expect_type(mcl_segmented_scan(queue, bytes(least), rows, list, MCL_MAX_INDEX, MCL_INCLUSIVE, NULL),
                    "mcl_segmented_scan", said);
        expect_type(mcl_reduce_by_key(queue, bytes(least), bytes(least), (mcl_output){ 0 }, list, MCL_MAX_INDEX, NULL,
                                      mcl_to_nowhere(), NULL),
                    "mcl_reduce_by_key", said);
        expect_type(mcl_scan_by_key(queue, bytes(least), bytes(least), list, MCL_MAX_INDEX, NULL, MCL_INCLUSIVE, NULL),
                    "mcl_scan_by_key", said);
        if (type->kind != MCL_KIND_STRUCT || type == MCL_INT8_AT)
            test_ok(mcl_reduce(queue, bytes(most), MCL_MAX_INDEX, slot, NULL));
    }
    mcl_buffer_release(out);
    mcl_queue_release(queue);
}
END_TEST

START_TEST(a_struct_with_an_index_of_64_bits_takes_any_number)
{
    static const mcl_type told =
        MCL_TYPE(wide_at, "typedef struct wide_at { int64_t index; int64_t other; int8_t value; } wide_at;");
    mcl_queue *const queue = preparing(_i);
    mcl_buffer *const out = array_empty(_i, 4096);
    const int64_t one = 1;

    test_ok(mcl_reduce(queue, bytes(many), MCL_MAX_INDEX, mcl_to_slot(&told, out, 0), NULL));
    test_ok(mcl_reduce(queue, mcl_from_constant(MCL_INT64, &one, many), MCL_MAX_INDEX,
                       mcl_to_slot(MCL_INT64_AT, out, 0), NULL));
    mcl_buffer_release(out);
    mcl_queue_release(queue);
}
END_TEST

/* ---- operands that hold indices -------------------------------------------------------------------------------- */

typedef struct operands {
    mcl_queue *queue;
    mcl_input in; /* input of many elements */
    mcl_output out;
    mcl_result slot;
    mcl_multimap *map;
} operands;

static const mcl_op is_one = { .role = MCL_ROLE_TEST, .expression = "x == 1" };
static const mcl_op as_bin = { .role = MCL_ROLE_INDEX, .expression = "x" };
#define NONE ((mcl_output){ 0 })
#define NOWHERE mcl_to_nowhere()
#define FEW bytes(4)

static mcl_status find_first(operands *o)
{
    return mcl_find_if(o->queue, o->in, &is_one, o->slot, NULL);
}
#define CALL(name, ...)                                                                                                \
    static mcl_status name(operands *o)                                                                                \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }
CALL(count_if, mcl_count_if(o->queue, o->in, &is_one, o->slot, NULL))
CALL(histogram, mcl_histogram(o->queue, o->in, &as_bin, NULL, o->out, NULL))
CALL(histogram_even, mcl_histogram_even(o->queue, o->in, 0, 8, NULL, o->out, NULL))
CALL(histogram_range, mcl_histogram_range(o->queue, o->in, bytes(9), NULL, o->out, NULL))
CALL(sort_indices, mcl_sort_indices(o->queue, o->in, o->out, MCL_LESS, NULL))
CALL(sort_columns, mcl_sort_columns_indices(o->queue, &(mcl_key_column){ o->in, MCL_LESS }, 1, o->out, NULL))
CALL(segmented_sort, mcl_segmented_sort_indices(o->queue, o->in, mcl_segments_from_rows(1, many), NONE, o->out,
                                                MCL_INDEX_IN_SEQUENCE, MCL_LESS, MCL_STABLE, NULL, NULL))
CALL(top_k, mcl_top_k_indices(o->queue, o->in, mcl_amount_of(4), o->out, MCL_LESS, NOWHERE, NULL))
CALL(segmented_top_k, mcl_segmented_top_k_indices(o->queue, o->in, mcl_segments_from_rows(1, many), mcl_amount_of(4),
                                                  o->out, NONE, MCL_LESS, NULL))
CALL(top_k_counts, mcl_segmented_top_k(o->queue, o->in, mcl_segments_from_rows(1, many), mcl_amount_of(0),
                                       mcl_to_buffer(MCL_INT8, NULL, 0, 0), o->out, MCL_LESS, NULL))
CALL(multisplit_offsets, mcl_multisplit(o->queue, o->in, NONE, &as_bin, 7, o->out, NONE, NULL))
CALL(multisplit_counts, mcl_multisplit(o->queue, o->in, NONE, &as_bin, 8, NONE, o->out, NULL))
CALL(splitter_offsets,
     mcl_multisplit_by_splitters(o->queue, o->in, NONE, bytes(6), (mcl_input){ 0 }, MCL_LESS, o->out, NONE, NULL))
CALL(run_lengths, mcl_run_length_encode(o->queue, o->in, NONE, o->out, MCL_EQUAL, NOWHERE, NULL))
CALL(objects, mcl_load_balance_search(o->queue, mcl_work_items(8), o->in, o->out, NONE, NULL))
CALL(ranks, mcl_load_balance_search(o->queue, mcl_work_items(many), FEW, NONE, o->out, NULL))
CALL(cut_search, mcl_cut_search(o->queue, o->in, many, many / 4, MCL_LOWER, o->out, NULL))
CALL(cut_merge_path, mcl_cut_merge_path(o->queue, o->in, FEW, many / 4, 0, MCL_LOWER, o->out, MCL_LESS, NULL))
CALL(cut_balanced_path, mcl_cut_balanced_path(o->queue, o->in, FEW, many / 4, o->out, MCL_LESS, NULL))
CALL(join_a, mcl_join(o->queue, MCL_JOIN_INNER, o->in, FEW, o->out, NONE, MCL_LESS, NOWHERE, NULL))
CALL(join_b, mcl_join(o->queue, MCL_JOIN_INNER, FEW, o->in, NONE, o->out, MCL_LESS, NOWHERE, NULL))
CALL(join_unsorted_a, mcl_join_unsorted(o->queue, MCL_JOIN_INNER, o->in, FEW, o->out, NONE, MCL_LESS, NOWHERE, NULL))
CALL(join_unsorted_b, mcl_join_unsorted(o->queue, MCL_JOIN_INNER, FEW, o->in, NONE, o->out, MCL_LESS, NOWHERE, NULL))
CALL(search,
     mcl_sorted_search(o->queue, FEW, o->in, MCL_LOWER, mcl_found_indices(o->out), mcl_found_nothing(), MCL_LESS, NULL))
CALL(search_matches, mcl_sorted_search(o->queue, FEW, o->in, MCL_UPPER, mcl_found_index_matches(o->out, NOWHERE),
                                       mcl_found_nothing(), MCL_LESS, NULL))
CALL(needles, mcl_sorted_search_needles(o->queue, FEW, o->in, MCL_UPPER, o->out, MCL_LESS, NULL))
CALL(equality, mcl_equality_count(o->queue, FEW, o->in, mcl_from_expression(MCL_INT64, "0", NULL, NULL, 0, 4), o->out,
                                  MCL_LESS, MCL_EQUALITY, NULL))
CALL(left_join, mcl_equality_count(o->queue, FEW, o->in, mcl_from_expression(MCL_INT64, "0", NULL, NULL, 0, 4), o->out,
                                   MCL_LESS, MCL_LEFT_JOIN, NULL))
CALL(multimap_rows, mcl_multimap_retrieve(o->queue, o->map, mcl_from_expression(MCL_INT32, "1", NULL, NULL, 0, many),
                                          o->out, NONE, NONE, NOWHERE, NULL))

static mcl_status (*const calls[])(operands *) = {
    find_first,       count_if,          histogram,   histogram_even,  histogram_range, sort_indices,
    sort_columns,     segmented_sort,    top_k,       segmented_top_k, top_k_counts,    multisplit_offsets,
    splitter_offsets, multisplit_counts, run_lengths, objects,         ranks,           cut_search,
    cut_merge_path,   cut_balanced_path, join_a,      join_b,          join_unsorted_a, join_unsorted_b,
    search,           search_matches,    needles,     equality,        left_join,       multimap_rows,
};

START_TEST(operands_of_32_bits_hold_no_more_indices_than_fit)
{
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    mcl_buffer *const out = array_empty(_i, 64);
    operands o = { .queue = preparing(_i), .in = bytes(many), .out = mcl_to_buffer(MCL_INT32, out, 0, 8) };

    o.slot = mcl_to_slot(MCL_INT32, out, 0);
    test_ok(mcl_multimap_create(test_device_at(_i)->context, &config, &o.map));
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        const mcl_status status = calls[k](&o);
        ck_assert_msg(status == MCL_ERROR_TYPE && strstr(mcl_last_error(), "2147484648"), "call %d: %s, %s", (int)k,
                      mcl_status_name(status), mcl_last_error());
    }
    mcl_multimap_release(o.map);
    mcl_buffer_release(out);
    mcl_queue_release(o.queue);
}
END_TEST

/* The 32 bits of an unsigned number hold more. */
START_TEST(operands_of_uint32_hold_as_many_as_they_can)
{
    mcl_buffer *const out = array_empty(_i, 64);
    operands o = { .queue = preparing(_i), .in = bytes(many), .out = mcl_to_buffer(MCL_UINT32, out, 0, 8) };

    o.slot = mcl_to_slot(MCL_UINT32, out, 0);
    test_ok(find_first(&o));
    test_ok(count_if(&o));
    test_ok(multisplit_counts(&o));
    test_ok(histogram(&o));
    o.in = bytes((int64_t)UINT32_MAX + 1);
    ck_assert_int_eq(find_first(&o), MCL_ERROR_TYPE);
    ck_assert_int_eq(count_if(&o), MCL_ERROR_TYPE);
    ck_assert_int_eq(multisplit_counts(&o), MCL_ERROR_TYPE);
    ck_assert_int_eq(histogram(&o), MCL_ERROR_TYPE);
    mcl_buffer_release(out);
    mcl_queue_release(o.queue);
}
END_TEST

/* ---- numbers out of range --------------------------------------------------------------------------------------- */

static const mcl_type *const element = MCL_INT32;

static void refuses_rows(int device, mcl_segments rows)
{
    mcl_queue *const queue = test_device_at(device)->queue;
    mcl_buffer *const data = array_empty(device, 64), *const other = array_empty(device, 64);
    const mcl_input in = ints(data, 16), half = mcl_from_expression(MCL_DOUBLE, "0.5", NULL, NULL, 0, 1);
    const mcl_output out = ints_out(other, 16), indices = mcl_to_buffer(element, data, 0, 16);
    const mcl_amount two = mcl_amount_of(2);

#define REFUSE(call) test_fails(call, MCL_ERROR_ARGUMENT, "segments")
    REFUSE(mcl_segmented_reduce(queue, in, rows, out, MCL_ADD, mcl_to_nowhere(), NULL));
    REFUSE(mcl_segmented_scan(queue, in, rows, out, MCL_ADD, MCL_INCLUSIVE, NULL));
    REFUSE(mcl_segmented_sort(queue, in, rows, out, MCL_LESS, MCL_STABLE, NULL, NULL));
    REFUSE(mcl_segmented_sort_pairs(queue, in, in, rows, out, indices, MCL_LESS, MCL_STABLE, NULL, NULL));
    REFUSE(mcl_segmented_sort_indices(queue, in, rows, (mcl_output){ 0 }, out, MCL_INDEX_IN_SEGMENT, MCL_LESS,
                                      MCL_STABLE, NULL, NULL));
    REFUSE(mcl_segmented_top_k(queue, in, rows, two, out, (mcl_output){ 0 }, MCL_LESS, NULL));
    REFUSE(mcl_segmented_top_k_indices(queue, in, rows, two, out, (mcl_output){ 0 }, MCL_LESS, NULL));
    REFUSE(mcl_segmented_nth_element(queue, in, rows, two, out, MCL_LESS, NULL));
    REFUSE(mcl_segmented_quantiles(queue, in, rows, half, out, MCL_LESS, MCL_INTERPOLATION_LOWER, NULL));
    mcl_buffer_release(data);
    mcl_buffer_release(other);
}

START_TEST(rows_that_cannot_be_are_refused)
{
    static const int64_t numbers[] = { -1, -2, -5, INT64_MIN, INT64_MAX };
    static const int64_t lengths[] = { 0, 1, 4, INT64_MAX };

    for (int r = 0; r < 5; r++)
        for (int k = 0; k < 4; k++) refuses_rows(_i, mcl_segments_from_rows(numbers[r], lengths[k]));
    refuses_rows(_i, mcl_segments_from_rows(4, -1));
    refuses_rows(_i, mcl_segments_from_rows(INT64_C(1) << 33, INT64_C(1) << 31));
}
END_TEST

/* ---- more tiles than a launch has ------------------------------------------------------------------------------- */

static const mcl_op first_of_two = { .role = MCL_ROLE_FOLD, .expression = "p", .identity = "0" };

typedef mcl_status (*tiled_call)(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options);

static mcl_status call_scan(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    (void)out;
    return mcl_scan(queue, in, (mcl_output){ 0 }, &first_of_two, MCL_INCLUSIVE, mcl_to_host(MCL_INT8, NULL), options);
}

static mcl_status call_segmented_reduce(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    const int64_t zero = 0, all = in.count;
    return mcl_segmented_reduce(queue, in, mcl_segments_from_offsets(mcl_from_step(MCL_INT64, &zero, &all, 2)), out,
                                &first_of_two, mcl_to_nowhere(), options);
}

static mcl_status call_reduce_by_key(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    return mcl_reduce_by_key(queue, in, in, out, (mcl_output){ 0 }, &first_of_two, MCL_EQUAL,
                             mcl_to_host(MCL_INT64, NULL), options);
}

/* In one launch with look-back, and in several launches. */
START_TEST(more_tiles_than_a_launch_has_are_refused)
{
    static const tiled_call calls[] = { call_scan, call_segmented_reduce, call_reduce_by_key };
    enum { CALLS = sizeof calls / sizeof *calls };
    mcl_context *const context = test_context_with(_i, "look_back=0");
    mcl_queue *queues[] = { preparing(_i), NULL };
    mcl_buffer *out = NULL;

    test_ok(mcl_queue_create_preparing(context, &queues[1]));
    for (int k = 0; k < 4 * CALLS; k++) {
        const mcl_options options = { .tile_threads = k % 2 ? 1 : 32, .tile_items = 4 };
        test_ok(mcl_buffer_create(k < 2 * CALLS ? test_device_at(_i)->context : context, 64, NULL, &out));
        const mcl_status status = calls[k / 2 % CALLS](queues[k / 2 / CALLS], bytes(INT64_C(1) << 46),
                                                       mcl_to_buffer(MCL_INT8, out, 0, 1), &options);
        ck_assert_msg(status == MCL_ERROR_ARGUMENT && strstr(mcl_last_error(), "too many for one launch"),
                      "call %d: %s, %s", k, mcl_status_name(status), mcl_last_error());
        mcl_buffer_release(out);
    }
    mcl_queue_release(queues[0]);
    mcl_queue_release(queues[1]);
    mcl_context_release(context);
}
END_TEST

/* ---- no elements at all ---------------------------------------------------------------------------------------- */

START_TEST(no_elements_need_no_buffer_whatever_their_offset)
{
    mcl_queue *const queue = preparing(_i);
    mcl_input nothing = ints(NULL, 0);

    nothing.offset = INT64_C(1) << 48; /* the largest */
    test_ok(mcl_transform(queue, nothing, ints_out(NULL, 0), NULL));
    ++nothing.offset;
    test_fails(mcl_transform(queue, nothing, ints_out(NULL, 0), NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform|in|buffer NULL|offset 281474976710657");
    mcl_queue_release(queue);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, an_index_fits_the_type_that_it_is_stored_to, device);
    test_add(tcase, a_struct_with_an_index_of_64_bits_takes_any_number, device);
    test_add(tcase, operands_of_32_bits_hold_no_more_indices_than_fit, device);
    test_add(tcase, operands_of_uint32_hold_as_many_as_they_can, device);
    test_add(tcase, rows_that_cannot_be_are_refused, device);
    test_add(tcase, more_tiles_than_a_launch_has_are_refused, device);
    test_add(tcase, no_elements_need_no_buffer_whatever_their_offset, device);
}

int main(void)
{
    return test_main("index_range", add);
}
