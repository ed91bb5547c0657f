/* test_relations.c: tests multiset operations and joins of sequences on ranks, against the core's calls on the
 * whole. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1500, ROWS_MOST = 60000 };

typedef mcl_status (*core_set)(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                               mcl_result count, const mcl_options *options);
typedef mcl_status (*ranks_set)(mcl_mpi *mpi, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                mcl_result count, mcl_result whole, const mcl_options *options);

typedef mcl_status (*core_pairs)(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                 mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                 mcl_result count, const mcl_options *options);
typedef mcl_status (*ranks_pairs)(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                  mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                  mcl_result count, mcl_result whole, const mcl_options *options);

static const struct set_case {
    const char *name;
    core_set core;
    ranks_set ranks;
    core_pairs pairs;
    ranks_pairs ranks_pairs;
} sets[] = {
    { "intersection", mcl_set_intersection, mcl_mpi_set_intersection, mcl_set_intersection_pairs,
      mcl_mpi_set_intersection_pairs },
    { "union", mcl_set_union, mcl_mpi_set_union, mcl_set_union_pairs, mcl_mpi_set_union_pairs },
    { "difference", mcl_set_difference, mcl_mpi_set_difference, mcl_set_difference_pairs,
      mcl_mpi_set_difference_pairs },
    { "symmetric difference", mcl_set_symmetric_difference, mcl_mpi_set_symmetric_difference,
      mcl_set_symmetric_difference_pairs, mcl_mpi_set_symmetric_difference_pairs },
};

static mcl_input whole_of(ranks_test *test, const spread *data, mcl_buffer **buffer)
{
    expect_core(test, mcl_buffer_create(test->context, (size_t)data->count * data->type->size, data->whole, buffer),
                "the whole");
    return mcl_from_buffer(data->type, *buffer, 0, data->count);
}

static void set_case_run(ranks_test *test, const struct set_case *c, const spread *a, const spread *b)
{
    static _Thread_local uint32_t expected[2 * MOST];
    int64_t own = -1, whole = -1, all = 0;
    room out = room_make(test, MCL_UINT32, a->count + b->count);
    expect_ok(test,
              c->ranks(test->mpi, spread_input(a), spread_input(b), room_output(&out), MCL_LESS,
                       mcl_to_host(MCL_INT64, &own), mcl_to_host(MCL_INT64, &whole), NULL),
              c->name);
    if (test->rank == 0) {
        mcl_buffer *all_a = NULL, *all_b = NULL, *to = NULL;
        const mcl_input whole_a = whole_of(test, a, &all_a), whole_b = whole_of(test, b, &all_b);
        expect_core(test, mcl_buffer_create(test->context, sizeof expected, NULL, &to), c->name);
        expect_core(test,
                    c->core(test->queue, whole_a, whole_b, mcl_to_buffer(MCL_UINT32, to, 0, 2 * MOST), MCL_LESS,
                            mcl_to_host(MCL_INT64, &all), NULL),
                    c->name);
        expect_core(test, mcl_buffer_read(test->queue, to, 0, sizeof expected, expected), c->name);
        mcl_buffer_release(all_a);
        mcl_buffer_release(all_b);
        mcl_buffer_release(to);
    }
    expect_bytes(test, &whole, &all, sizeof whole, c->name);
    expect_part(test, &out, expected, whole, sum_of_lower(test, own), own, c->name);
    room_free(&out);
}

/* Tests an operation with values. A value is the key's index in its sequence, plus B_FIRST in b. So it shows which of
 * several equal keys was taken. */
static void pairs_case_run(ranks_test *test, const struct set_case *c, const spread *a, const spread *b)
{
    enum { B_FIRST = 1000000 };
    static _Thread_local uint32_t expected[2 * MOST];
    static _Thread_local int64_t expected_values[2 * MOST];
    const int64_t b_first = B_FIRST + b->first;
    int64_t own = -1, whole = -1, all = 0;
    room out = room_make(test, MCL_UINT32, a->count + b->count),
         values = room_make(test, MCL_INT64, a->count + b->count);
    expect_ok(test,
              c->ranks_pairs(test->mpi, spread_input(a), mcl_from_counting(MCL_INT64, &a->first, a->own),
                             spread_input(b), mcl_from_counting(MCL_INT64, &b_first, b->own), room_output(&out),
                             room_output(&values), MCL_LESS, mcl_to_host(MCL_INT64, &own),
                             mcl_to_host(MCL_INT64, &whole), NULL),
              c->name);
    if (test->rank == 0) {
        mcl_buffer *all_a = NULL, *all_b = NULL, *to = NULL, *to_values = NULL;
        const mcl_input whole_a = whole_of(test, a, &all_a), whole_b = whole_of(test, b, &all_b);
        const int64_t zero = 0, first = B_FIRST;
        expect_core(test, mcl_buffer_create(test->context, sizeof expected, NULL, &to), c->name);
        expect_core(test, mcl_buffer_create(test->context, sizeof expected_values, NULL, &to_values), c->name);
        expect_core(test,
                    c->pairs(test->queue, whole_a, mcl_from_counting(MCL_INT64, &zero, a->count), whole_b,
                             mcl_from_counting(MCL_INT64, &first, b->count), mcl_to_buffer(MCL_UINT32, to, 0, 2 * MOST),
                             mcl_to_buffer(MCL_INT64, to_values, 0, 2 * MOST), MCL_LESS, mcl_to_host(MCL_INT64, &all),
                             NULL),
                    c->name);
        expect_core(test, mcl_buffer_read(test->queue, to, 0, sizeof expected, expected), c->name);
        expect_core(test, mcl_buffer_read(test->queue, to_values, 0, sizeof expected_values, expected_values), c->name);
        mcl_buffer_release(all_a);
        mcl_buffer_release(all_b);
        mcl_buffer_release(to);
        mcl_buffer_release(to_values);
    }
    expect_bytes(test, &whole, &all, sizeof whole, c->name);
    const int64_t first = sum_of_lower(test, own);
    expect_part(test, &out, expected, whole, first, own, c->name);
    expect_part(test, &values, expected_values, whole, first, own, c->name);
    room_free(&out);
    room_free(&values);
}

/* ---- joins ------------------------------------------------------------------------------------------------- */

typedef struct rows {
    int64_t a[ROWS_MOST], b[ROWS_MOST];
} rows;

static void core_join(ranks_test *test, mcl_join_kind kind, const spread *a, const spread *b, rows *out, int64_t *count)
{
    mcl_buffer *all_a = NULL, *all_b = NULL, *to = NULL;
    const mcl_input whole_a = whole_of(test, a, &all_a), whole_b = whole_of(test, b, &all_b);
    expect_core(test, mcl_buffer_create(test->context, sizeof *out, NULL, &to), "rows");
    expect_core(test,
                mcl_join_unsorted(test->queue, kind, whole_a, whole_b, mcl_to_buffer(MCL_INT64, to, 0, ROWS_MOST),
                                  mcl_to_buffer(MCL_INT64, to, ROWS_MOST, ROWS_MOST), MCL_LESS,
                                  mcl_to_host(MCL_INT64, count), NULL),
                "a join of the whole");
    expect_core(test, mcl_buffer_read(test->queue, to, 0, sizeof *out, out), "rows");
    mcl_buffer_release(all_a);
    mcl_buffer_release(all_b);
    mcl_buffer_release(to);
}

/* Returns a sum that differs for different sets of rows, but not for another order. */
static uint64_t sum_of(const int64_t *a, const int64_t *b, int64_t count)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < count; ++k) {
        uint64_t state = (uint64_t)a[k] * 0x100000001b3u + (uint64_t)b[k];
        sum += random_next(&state);
    }
    return sum;
}

static void join_case(ranks_test *test, mcl_join_kind kind, const spread *a, const spread *b)
{
    static _Thread_local rows expected, got;
    int64_t own = -1, whole = -1, all = 0;
    char name[64];
    snprintf(name, sizeof name, "join of kind %d, %lld and %lld", (int)kind, (long long)a->count, (long long)b->count);
    room out_a = room_make(test, MCL_INT64, ROWS_MOST), out_b = room_make(test, MCL_INT64, ROWS_MOST);
    const int has_b = kind != MCL_JOIN_SEMI && kind != MCL_JOIN_ANTI;
    expect_ok(test,
              mcl_mpi_join_unsorted(test->mpi, kind, spread_input(a), spread_input(b), room_output(&out_a),
                                    room_output(&out_b), MCL_LESS, mcl_to_host(MCL_INT64, &own),
                                    mcl_to_host(MCL_INT64, &whole), NULL),
              name);
    if (test->rank == 0) core_join(test, kind, a, b, &expected, &all);
    expect_bytes(test, &whole, &all, sizeof whole, name);
    if (kind != MCL_JOIN_RIGHT && kind != MCL_JOIN_OUTER) {
        const int64_t first = sum_of_lower(test, own);
        expect_part(test, &out_a, expected.a, whole, first, own, name);
        if (has_b) expect_part(test, &out_b, expected.b, whole, first, own, name);
    } else {
        const size_t bytes = (size_t)own * 8;
        expect_core(test, mcl_buffer_read(test->queue, out_a.buffer, (size_t)out_a.offset * 8, bytes, got.a), name);
        expect_core(test, mcl_buffer_read(test->queue, out_b.buffer, (size_t)out_b.offset * 8, bytes, got.b), name);
        uint64_t sum = sum_of(got.a, got.b, own);
        const uint64_t right = sum_of(expected.a, expected.b, all);
        sum = (uint64_t)sum_of_all(test, (int64_t)sum);
        expect_bytes(test, &sum, &right, sizeof sum, name);
    }
    room_free(&out_a);
    room_free(&out_b);
}

/* ---- suite ------------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

static void relation_round(ranks_test *test, uint32_t *a, int64_t a_count, uint32_t *b, int64_t b_count, cut_kind cut)
{
    const cut_kind other = (cut_kind)((cut + 1) % CUT_KINDS);
    spread join_a = spread_make(test, MCL_UINT32, a, a_count, cut),
           join_b = spread_make(test, MCL_UINT32, b, b_count, other);
    for (int kind = MCL_JOIN_INNER; kind <= MCL_JOIN_ANTI; ++kind)
        join_case(test, (mcl_join_kind)kind, &join_a, &join_b);
    spread_free(&join_a);
    spread_free(&join_b);
    qsort(a, (size_t)a_count, sizeof *a, compare_keys);
    qsort(b, (size_t)b_count, sizeof *b, compare_keys);
    spread set_a = spread_make(test, MCL_UINT32, a, a_count, cut),
           set_b = spread_make(test, MCL_UINT32, b, b_count, other);
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; ++k) {
        if ((test->rounds + (int)k) % 2)
            set_case_run(test, &sets[k], &set_a, &set_b);
        else
            pairs_case_run(test, &sets[k], &set_a, &set_b);
    }
    spread_free(&set_a);
    spread_free(&set_b);
}

void test_relations(ranks_test *test)
{
    static const int64_t counts[][2] = { { 0, 0 }, { 0, 5 }, { 7, 1 }, { 90, 60 }, { MOST, MOST / 2 } };
    static const uint32_t spans[] = { 1000, 40, 1 }; /* numbers of different keys; 1: all keys are equal */
    static _Thread_local uint32_t a[MOST], b[MOST];
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
        for (size_t s = 0; s < sizeof spans / sizeof spans[0]; ++s) {
            if (counts[n][0] * counts[n][1] / spans[s] > ROWS_MOST / 2) continue;
            for (int cut = 0; cut < CUT_KINDS; ++cut) {
                if (!is_sampled(test)) continue;
                uint64_t seed = n * 10 + s;
                for (int64_t k = 0; k < counts[n][0]; ++k) a[k] = (uint32_t)(random_next(&seed) % spans[s]);
                for (int64_t k = 0; k < counts[n][1]; ++k) b[k] = (uint32_t)(random_next(&seed) % spans[s]);
                relation_round(test, a, counts[n][0], b, counts[n][1], (cut_kind)cut);
            }
        }
    }
}
