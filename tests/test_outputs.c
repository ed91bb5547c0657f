/* test_outputs.c: outputs that a caller leaves out by all zero, and outputs of capacity 0. Other results are the same
 * without them. Calls of several steps that are refused leave their outputs unchanged. */
#include "support/arrays.h"

#include <stdio.h>
#include <string.h>

/* With capacity 0, or with an output that is all zero, results are counted, and the count on the host is no error. */
START_TEST(without_outputs_results_are_only_counted)
{
    const int32_t a[] = { 1, 2, 2, 5 }, b[] = { 2, 2, 2, 7 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const left = ARRAY_OF(_i, a), *const right = ARRAY_OF(_i, b);
    const mcl_output none = { 0 };
    for (int turn = 0; turn < 4; turn++) {
        const mcl_output out = turn % 2 ? none : mcl_to_buffer(MCL_INT32, left, 0, 0);
        const mcl_options options = { .passes = 1 + turn / 2 };
        int64_t count = -1;
        test_ok(mcl_set_union(queue, ints(left, 4), ints(right, 4), out, MCL_LESS, mcl_to_host(MCL_INT64, &count),
                              &options));
        ck_assert_int_eq(count, 6);
        test_ok(mcl_set_union_pairs(queue, ints(left, 4), ints(left, 4), ints(right, 4), ints(right, 4), out, out,
                                    MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        test_ok(mcl_join(queue, MCL_JOIN_OUTER, ints(left, 4), ints(right, 4), out, out, MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6 + 2 + 1);
        test_ok(mcl_join_unsorted(queue, MCL_JOIN_SEMI, ints(right, 4), ints(left, 4), out, none, MCL_LESS,
                                  mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 3);
        test_ok(mcl_join_columns(queue, MCL_JOIN_OUTER, ints(left, 4), ints(right, 4),
                                 &(mcl_join_column){ ints(left, 4), out, NULL }, 1, NULL, 0, out, MCL_LESS,
                                 mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6 + 2 + 1);
    }
    mcl_buffer_release(left);
    mcl_buffer_release(right);
}
END_TEST

/* One of two outputs may be left out. The other output gets the same content. */
START_TEST(an_output_that_is_not_wanted_is_left_out)
{
    const int32_t a[] = { 1, 2, 2, 5 }, b[] = { 2, 2, 2, 7 }, rows[] = { -1, -1, -1, -1, -1, -1 };
    const int32_t values[] = { 10, 11, 12, 13 };
    const int32_t expected_b[] = { 0, 1, 2, 0, 1, 2 }, expected_values[] = { 10, 11, 12, 12, 13, 13 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_output none = { 0 };
    for (int turn = 0; turn < 4; turn++) {
        const mcl_options options = { .passes = 1 + turn % 2, .tile_threads = turn / 2 };
        mcl_buffer *const left = ARRAY_OF(_i, a), *const right = ARRAY_OF(_i, b), *const payload = ARRAY_OF(_i, values);
        mcl_buffer *const out = ARRAY_OF(_i, rows);
        int32_t got[6];
        int64_t count = -1;
        test_ok(mcl_join(queue, MCL_JOIN_INNER, ints(left, 4), ints(right, 4), none, ints_out(out, 6), MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected_b, sizeof got);
        test_ok(mcl_join_unsorted(queue, MCL_JOIN_INNER, ints(left, 4), ints(right, 4), none, ints_out(out, 6),
                                  MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected_b, sizeof got);
        const mcl_join_column columns[] = { { ints(payload, 4), none, NULL },
                                            { ints(payload, 4), ints_out(out, 6), NULL } };
        test_ok(mcl_join_columns(queue, MCL_JOIN_INNER, ints(left, 4), ints(right, 4), columns, 1, columns, 2, none,
                                 MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < 6; k++) ck_assert_int_eq(got[k], 10 + expected_b[k]);
        test_ok(mcl_set_union_pairs(queue, ints(left, 4), ints(payload, 4), ints(right, 4), ints(payload, 4), none,
                                    ints_out(out, 6), MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected_values, sizeof got);
        mcl_buffer_release(left);
        mcl_buffer_release(right);
        mcl_buffer_release(payload);
        mcl_buffer_release(out);
    }
}
END_TEST

/* ---- every set of outputs -------------------------------------------------------------------------------------- */

enum { OUTS = 3, COUNT = 600, ROOM = 2000 };
static int64_t elements = COUNT; /* number of elements of a call's input */

/* A call of COUNT elements with up to three outputs of ROOM elements each. */
typedef mcl_status some_call(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                             const mcl_options *options);
#define CALL(name, ...)                                                                                                \
    static mcl_status some_##name(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,            \
                                  const mcl_options *options)                                                          \
    {                                                                                                                  \
        (void)in;                                                                                                      \
        (void)count;                                                                                                   \
        return mcl_##name(queue, __VA_ARGS__, options);                                                                \
    }

static const mcl_op is_odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };
static const mcl_op is_two = { .role = MCL_ROLE_TEST, .expression = "x == 2" };

static mcl_input of_index(const char *expression, int64_t count)
{
    return mcl_from_expression(MCL_INT32, expression, NULL, NULL, 0, count);
}

CALL(compact, in, outs[0], &is_odd, count)
CALL(partition, in, outs[0], outs[1], &is_odd, count)
CALL(partition_three, in, outs[0], outs[1], outs[2], &is_odd, &is_two, count)
CALL(unique_by_key, in, in, outs[0], outs[1], MCL_EQUAL, count)
CALL(run_length_encode, in, outs[0], outs[1], MCL_EQUAL, count)
CALL(reduce_by_key, in, in, outs[0], outs[1], MCL_ADD, NULL, count)
CALL(scan, in, outs[0], MCL_ADD, MCL_INCLUSIVE, count)
CALL(segmented_reduce, in, mcl_segments_from_offsets(of_index("5 * i", COUNT / 5)), outs[0], MCL_ADD, count)
CALL(sorted_search, of_index("i / 2", COUNT), of_index("i / 3 * 2", COUNT), MCL_LOWER,
     mcl_found_matches(outs[0], count), mcl_found_index_matches(outs[1], mcl_to_nowhere()), MCL_LESS)
CALL(set_union_pairs, of_index("i / 2", COUNT), in, of_index("i / 3", COUNT), in, outs[0], outs[1], MCL_LESS, count)
CALL(join, MCL_JOIN_OUTER, of_index("i / 2", COUNT), of_index("i / 3", COUNT), outs[0], outs[1], MCL_LESS, count)
CALL(load_balance_search, mcl_work_items(3 * COUNT), of_index("3 * i", COUNT), outs[0], outs[1])

static mcl_status some_first_index(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                   const mcl_options *options)
{
    return mcl_reduce_by_key(queue, in, in, outs[0], outs[1], MCL_MAX_INDEX, NULL, count, options);
}

static mcl_status some_scan_with_total(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                       const mcl_options *options)
{
    return mcl_scan(queue, in, outs[0], MCL_ADD, MCL_EXCLUSIVE_WITH_TOTAL, count, options);
}

static mcl_status some_segments_by_indices(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                           const mcl_options *options)
{
    return mcl_segmented_reduce(queue, in, mcl_segments_from_indices(of_index("7 * i", COUNT / 7)), outs[0], MCL_ADD,
                                count, options);
}

/* Finds keys in a map that has the even ones of COUNT keys. */
static mcl_status some_map_find(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                const mcl_options *options)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    const mcl_output found = outs[1].buffer ? mcl_to_buffer(MCL_UINT8, outs[1].buffer, 0, ROOM) : (mcl_output){ 0 };
    const int32_t missing = -1;
    mcl_map *map = NULL;
    (void)count;
    test_ok(mcl_map_create(mcl_queue_context(queue), &config, &map));
    test_ok(mcl_map_insert(queue, map, of_index("2 * i", COUNT / 2), in, NULL));
    const mcl_status status = mcl_map_find(queue, map, of_index("i", COUNT), outs[0], &missing, found, options);
    mcl_map_release(map);
    return status;
}

typedef struct some {
    some_call *call;
    int outs;
    int has_count; /* 0 where at least one output is wanted */
} some;

/* The results of a call: its outputs and its counts. */
typedef struct given {
    mcl_status status;
    int32_t outs[OUTS][ROOM];
    int64_t counts[OUTS];
} given;

static void make(int device, const some *made, int wanted, const mcl_options *options, const int32_t *blank, given *to)
{
    int32_t data[COUNT];
    mcl_output outs[OUTS] = { { 0 } };
    mcl_buffer *memory[OUTS];
    random_ints(data, COUNT, 4, 9, 0);
    mcl_buffer *const in = ARRAY_OF(device, data);
    for (int k = 0; k < OUTS; k++) {
        memory[k] = array_of(device, blank, ROOM * sizeof *blank);
        if (wanted >> k & 1) outs[k] = ints_out(memory[k], ROOM);
        to->counts[k] = 0;
    }
    to->status = made->call(test_device_at(device)->queue, ints(in, elements), outs, mcl_to_host(MCL_INT64, to->counts),
                            options);
    for (int k = 0; k < OUTS; k++) {
        ARRAY_READ(device, memory[k], to->outs[k]);
        mcl_buffer_release(memory[k]);
    }
    mcl_buffer_release(in);
}

/* Checks that each wanted output has the same content without the others, and that counts are equal. */
static void check_sets_of_outputs(int device, const some *made, const mcl_options *options)
{
    static given all, got;
    static int32_t blank[ROOM];
    const int every = (1 << made->outs) - 1;
    for (int k = 0; k < ROOM; k++) blank[k] = -7;
    make(device, made, every, options, blank, &all);
    test_ok(all.status);
    ck_assert_int_eq(all.counts[0] > 0, made->has_count);
    for (int k = 0; k < made->outs; k++) ck_assert_mem_ne(all.outs[k], blank, sizeof blank);
    for (int wanted = made->has_count ? 0 : 1; wanted < every; wanted++) {
        make(device, made, wanted, options, blank, &got);
        test_ok(got.status);
        ck_assert_mem_eq(got.counts, all.counts, sizeof got.counts);
        for (int k = 0; k < OUTS; k++)
            ck_assert_mem_eq(got.outs[k], wanted >> k & 1 ? all.outs[k] : blank, sizeof blank);
    }
    if (made->has_count) return;
    make(device, made, 0, options, blank, &got);
    test_fails(got.status, MCL_ERROR_ARGUMENT, "both all zero; expected one output at least");
}

START_TEST(outputs_that_are_not_wanted_change_no_other)
{
    static const some calls[] = {
        { some_compact, 1, 1 },
        { some_partition, 2, 1 },
        { some_partition_three, 3, 1 },
        { some_unique_by_key, 2, 1 },
        { some_run_length_encode, 2, 1 },
        { some_reduce_by_key, 2, 1 },
        { some_first_index, 2, 1 },
        { some_scan, 1, 1 },
        { some_scan_with_total, 1, 1 },
        { some_segmented_reduce, 1, 1 },
        { some_segments_by_indices, 1, 1 },
        { some_sorted_search, 2, 1 },
        { some_set_union_pairs, 2, 1 },
        { some_join, 2, 1 },
        { some_load_balance_search, 2, 0 },
        { some_map_find, 2, 0 },
    };
    static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 150 },
                                           { .tile_threads = 32, .tile_items = 3 } };
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) /* scans are also made in two passes */
        for (int turn = 0; turn < (calls[k].call == some_scan ? 4 : 2); turn++) {
            mcl_options options = tilings[turn % 2];
            if (!test_takes_half((int)k + turn)) continue;
            options.flags = turn / 2 ? MCL_DETERMINISTIC : 0;
            check_sets_of_outputs(_i, &calls[k], &options);
        }
}
END_TEST

/* ---- calls of several steps that are refused --------------------------------------------------------------------- */

enum { TEXTS = 3 };
static const char *texts[TEXTS]; /* texts of the inputs and operators of the present call */

static mcl_input said(int k)
{
    return of_index(texts[k], elements);
}

static const mcl_op *order_said(int k)
{
    static mcl_op op = { .role = MCL_ROLE_ORDER };
    op.expression = texts[k];
    return &op;
}

static const mcl_op *fold_said(int k)
{
    static mcl_op op = { .role = MCL_ROLE_FOLD, .identity = "0", .commutative = 1 };
    op.expression = texts[k];
    return &op;
}

static mcl_segments rows_of_five(int by_indices)
{
    const mcl_input begins = of_index("5 * i", elements / 5);
    return by_indices ? mcl_segments_from_indices(begins) : mcl_segments_from_offsets(begins);
}

CALL(sort_columns_indices, (mcl_key_column[]){ { said(0), MCL_LESS }, { said(1), order_said(2) }, { in, MCL_LESS } }, 3,
     outs[0])
CALL(sort_columns, (mcl_key_column[]){ { in, order_said(0) }, { said(1), MCL_GREATER } }, 2,
     (mcl_column[]){ { in, outs[0] }, { said(2), outs[1] } }, 2)
CALL(join_unsorted, MCL_JOIN_INNER, said(0), said(1), outs[0], outs[1], order_said(2), count)
CALL(join_columns, MCL_JOIN_INNER, said(0), said(1), (mcl_join_column[]){ { in, outs[0], NULL } }, 1,
     (mcl_join_column[]){ { in, outs[1], NULL } }, 1, outs[2], order_said(2), count)
CALL(distinct, said(0), outs[0], count)
CALL(group_by, said(0), outs[0], (mcl_aggregate[]){ { in, MCL_ADD, outs[1] }, { said(1), fold_said(2), outs[2] } }, 2,
     count)
CALL(run_length_decode, said(0), said(1), outs[0], count)
CALL(nth_elements, said(0), said(1), outs[0], order_said(2))
CALL(top_k_pairs, said(0), said(1), mcl_amount_of(COUNT), outs[0], outs[1], order_said(2), count)
CALL(segmented_top_k_pairs, said(0), said(1), rows_of_five(0), mcl_amount_of(3), outs[0], outs[1], outs[2],
     order_said(2))

static mcl_status some_quantiles(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                 const mcl_options *options)
{
    const mcl_input fractions = mcl_from_expression(MCL_FLOAT, texts[1], NULL, NULL, 0, elements);
    (void)in;
    (void)count;
    return mcl_quantiles(queue, said(0), fractions, outs[0], order_said(2), MCL_INTERPOLATION_NEAREST, options);
}

static mcl_status some_top_k_by_indices(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                        const mcl_options *options)
{
    (void)in;
    (void)count;
    return mcl_segmented_top_k_pairs(queue, said(0), said(1), rows_of_five(1), mcl_amount_of(3), outs[0], outs[1],
                                     outs[2], order_said(2), options);
}

/* Makes a multimap, inserts entries, erases keys, and finds rows. */
static mcl_status some_multimap(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                const mcl_options *options)
{
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    mcl_multimap *map = NULL;
    test_ok(mcl_multimap_create(mcl_queue_context(queue), &config, &map));
    mcl_status status = mcl_multimap_insert(queue, map, said(0), in, options);
    if (status == MCL_OK) status = mcl_multimap_erase(queue, map, said(1), options);
    if (status == MCL_OK)
        status = mcl_multimap_retrieve(queue, map, said(2), outs[0], outs[1], outs[2], count, options);
    mcl_multimap_release(map);
    return status;
}

typedef struct refused {
    some_call *call;
    const char *texts[TEXTS];
} refused;

/* Makes the call with right texts, then with each text in turn cut off. */
static void check_refused(int device, const refused *of, const mcl_options *options)
{
    static given got;
    static int32_t blank[ROOM];
    static const int64_t no_counts[OUTS];
    const some made = { of->call, OUTS, 1 };
    for (int k = 0; k < ROOM; k++) blank[k] = -7;
    memcpy(texts, of->texts, sizeof texts);
    make(device, &made, 7, options, blank, &got);
    test_ok(got.status);
    ck_assert_int_eq(memcmp(got.outs[0], blank, sizeof blank) != 0, elements > 0);
    for (int k = 0; k < TEXTS && of->texts[k]; k++) {
        char cut[64];
        ck_assert_int_lt(snprintf(cut, sizeof cut, "%s +", of->texts[k]), sizeof cut);
        texts[k] = cut;
        make(device, &made, 7, options, blank, &got);
        ck_assert_msg(got.status == MCL_ERROR_BUILD, "%s: %s", cut, mcl_status_name(got.status));
        for (int out = 0; out < OUTS; out++)
            ck_assert_msg(memcmp(got.outs[out], blank, sizeof blank) == 0, "%s: output %d: %s", cut, out,
                          mcl_last_error());
        ck_assert_mem_eq(got.counts, no_counts, sizeof no_counts);
        texts[k] = of->texts[k];
    }
}

START_TEST(a_call_of_several_steps_that_is_refused_stores_nothing)
{
    static const char less[] = "p / 2 < q / 2";
    static const refused calls[] = {
        { some_sort_columns_indices, { "i % 9", "i % 7", less } },
        { some_sort_columns, { less, "i % 7", "i * 3" } },
        { some_join_unsorted, { "599 - i", "(599 - i) * 2", "p < q && 1" } },
        { some_join_columns, { "599 - i", "(599 - i) * 2", "p < q && 1" } },
        { some_distinct, { "i % 9" } },
        { some_group_by, { "i % 9", "i * 3", "p + q" } },
        { some_run_length_decode, { "i * 3", "i % 2" } },
        { some_nth_elements, { "i % 97", "i", less } },
        { some_top_k_pairs, { "i % 97", "i * 3", less } },
        { some_segmented_top_k_pairs, { "i % 97", "i * 3", less } },
        { some_top_k_by_indices, { "i % 97", "i * 3", less } },
        { some_quantiles, { "i % 97", "i / 900.0f", less } },
        { some_multimap, { "i % 97", "i % 7", "i * 3" } },
    };
    static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 150 },
                                           { .tile_threads = 32, .tile_items = 3 } };
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++)
        for (int turn = 0; turn < 4; turn++) { /* a text that does not compile is refused also without elements */
            elements = turn < 2 ? COUNT : 0;
            if (!test_takes_half((int)k + turn)) continue;
            check_refused(_i, &calls[k], &tilings[turn % 2]);
        }
    elements = COUNT;
}
END_TEST

/* ---- results that nobody asks for -------------------------------------------------------------------------------- */

static const mcl_op *test_said(int k)
{
    static mcl_op op = { .role = MCL_ROLE_TEST };
    op.expression = texts[k];
    return &op;
}

CALL(reduce, said(0), fold_said(1), mcl_to_nowhere())
CALL(min_max, said(0), mcl_to_nowhere())
CALL(find_if, said(0), test_said(1), mcl_to_nowhere())
CALL(count_if, said(0), test_said(1), mcl_to_nowhere())
CALL(nth_element, said(0), mcl_amount_of(3), mcl_to_nowhere(), order_said(1))

static mcl_status some_decode_count(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                    const mcl_options *options)
{
    (void)in;
    (void)outs;
    return mcl_run_length_decode(queue, said(0), said(1), (mcl_output){ 0 }, count, options);
}

static mcl_status some_group_by_count(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                      const mcl_options *options)
{
    const mcl_aggregate folds[] = { { said(1), fold_said(2), { 0 } }, { in, MCL_ADD, outs[1] } };
    return mcl_group_by(queue, said(0), outs[0], folds, 2, count, options);
}

static mcl_status some_group_by_means(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                      const mcl_options *options)
{
    const mcl_aggregate folds[] = { { said(1), MCL_MEAN, { 0 } }, { in, fold_said(2), outs[1] } };
    return mcl_group_by(queue, said(0), outs[0], folds, 2, count, options);
}

/* A text that does not compile is refused, although no requested result depends on it. */
START_TEST(texts_are_looked_at_where_nobody_asks_for_results)
{
    static const refused calls[] = {
        { some_reduce, { "i % 9", "p + q" } },
        { some_min_max, { "i % 9" } },
        { some_find_if, { "i % 9", "x == 3" } },
        { some_count_if, { "i % 9", "x == 3" } },
        { some_nth_element, { "i % 9", "p < q" } },
        { some_decode_count, { "i * 3", "i % 2" } },
        { some_group_by_count, { "i % 9", "i", "p + q" } },
        { some_group_by_means, { "i % 9", "i", "p + q" } },
    };
    static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 150 },
                                           { .tile_threads = 32, .tile_items = 3, .flags = MCL_DETERMINISTIC } };
    static given got;
    static int32_t blank[ROOM];
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        const refused *const of = &calls[k];
        const some made = { of->call, OUTS, 1 };
        for (int text = -1; text < TEXTS && (text < 0 || of->texts[text]); text++) { /* -1: all texts are right */
            char cut[64];
            memcpy(texts, of->texts, sizeof texts);
            if (text >= 0) {
                (void)snprintf(cut, sizeof cut, "%s +", of->texts[text]);
                texts[text] = cut;
            }
            make(_i, &made, 7, &tilings[k % 2], blank, &got);
            ck_assert_msg(got.status == (text < 0 ? MCL_OK : MCL_ERROR_BUILD), "call %d, text %d: %s", (int)k, text,
                          mcl_status_name(got.status));
        }
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, without_outputs_results_are_only_counted, device);
    test_add(tcase, an_output_that_is_not_wanted_is_left_out, device);
    test_add(tcase, outputs_that_are_not_wanted_change_no_other, device);
    test_add(tcase, a_call_of_several_steps_that_is_refused_stores_nothing, device);
    test_add(tcase, texts_are_looked_at_where_nobody_asks_for_results, device);
}

int main(void)
{
    return test_main("outputs", add);
}
