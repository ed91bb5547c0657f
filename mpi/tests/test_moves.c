/* test_moves.c: tests calls that move elements between ranks. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns a rank's share: an even share, or all elements on rank 0. Also gives the index of its first element. */
static int64_t share_to(const ranks_test *test, int rule, int64_t count, int64_t *first)
{
    if (rule == 0) return even_share(test, count, first);
    *first = test->rank == 0 ? 0 : count;
    return test->rank == 0 ? count : 0;
}

static void move_case(ranks_test *test, const spread *data, int rule)
{
    int64_t first = 0, got = -1;
    const int64_t own = share_to(test, rule, data->count, &first);
    room out = room_make(test, data->type, own);
    char what[128];
    snprintf(what, sizeof what, "redistribute %lld by rule %d", (long long)data->count, rule);
    expect_ok(test,
              mcl_mpi_redistribute(test->mpi, spread_input(data), rule == 0 ? MCL_MPI_EVEN : own, room_output(&out),
                                   mcl_to_host(MCL_INT64, &got), NULL),
              what);
    expect_true(test, got == own, what);
    expect_part(test, &out, data->whole, data->count, first, own, what);
    room_free(&out);
}

/* Returns the rank that an element goes to. A number that is no rank means the last rank. */
static int rank_of(const ranks_test *test, int64_t x, int64_t i)
{
    const int64_t rank = (x % 5 + i) % (test->size + 1) - (i % 11 == 0);
    return rank < 0 || rank >= test->size ? test->size - 1 : (int)rank;
}

/* Sorts the whole sequence and its indices by the rank that they go to. Returns the number of this rank's elements, and
 * gives the index of the first one. */
static int64_t split_whole(const ranks_test *test, const spread *data, int64_t *keys, int64_t *indices, int64_t *first)
{
    int64_t used = 0, own = 0;
    for (int rank = 0; rank < test->size; ++rank) {
        if (rank == test->rank) *first = used;
        for (int64_t k = 0; k < data->count; ++k) {
            const int64_t x = ((const int64_t *)(const void *)data->whole)[k];
            if (rank_of(test, x, k) != rank) continue;
            keys[used] = x;
            indices[used++] = k;
            own += rank == test->rank;
        }
    }
    return own;
}

/* Moves elements by an expression, without values, and with their indices as values. */
static void split_case(ranks_test *test, const spread *data)
{
    int64_t keys[2000], indices[2000], got[2] = { -1, -1 }, first = 0;
    const int64_t own = split_whole(test, data, keys, indices, &first), ranks = test->size, room_left = own > 1;
    const mcl_op bucket = { .role = MCL_ROLE_INDEX,
                            .expression = "(x % 5 + i) % (ranks + 1) - (i % 11 == 0)",
                            .binding_count = 1,
                            .bindings = { mcl_binding_value("ranks", MCL_INT64, &ranks) } };
    room out = room_make(test, MCL_INT64, own), alone = room_make(test, MCL_INT64, own),
         values = room_make(test, MCL_INT64, own);
    const mcl_input in = spread_input(data), numbers = mcl_from_counting(MCL_INT64, &data->first, data->own);
    mcl_output narrow = room_output(&out);
    narrow.capacity -= room_left;
    const int64_t is_narrow = most_of_all(test, room_left);
    expect_true(test,
                mcl_mpi_multisplit(test->mpi, in, narrow, &bucket, mcl_to_nowhere(), NULL) ==
                    (is_narrow ? MCL_ERROR_CAPACITY : MCL_OK),
                "a split into too little room");
    expect_ok(test,
              mcl_mpi_multisplit(test->mpi, in, room_output(&alone), &bucket, mcl_to_host(MCL_INT64, &got[0]), NULL),
              "a split");
    expect_ok(test,
              mcl_mpi_multisplit_pairs(test->mpi, in, numbers, room_output(&out), room_output(&values), &bucket,
                                       mcl_to_host(MCL_INT64, &got[1]), NULL),
              "a split of pairs");
    expect_true(test, got[0] == own && got[1] == own, "a split's counts");
    expect_part(test, &alone, keys, data->count, first, own, "a split");
    expect_part(test, &out, keys, data->count, first, own, "a split of pairs, keys");
    expect_part(test, &values, indices, data->count, first, own, "a split of pairs, values");
    room_free(&out);
    room_free(&alone);
    room_free(&values);
}

/* Moves a large sequence, in several pieces of host memory in each direction. */
static void move_much(ranks_test *test)
{
    const int64_t count = (48 << 20) / 8;
    int64_t got = 0, first = 0, wrong = -1;
    const int64_t own = even_share(test, count, &first), from = test->rank == test->size - 1 ? count : 0, zero = 0;
    mcl_buffer *out = NULL;
    expect_core(test, mcl_buffer_create(test->context, (size_t)own * 8, NULL, &out), "a large buffer");
    expect_ok(test,
              mcl_mpi_redistribute(test->mpi, mcl_from_counting(MCL_INT64, &zero, from), MCL_MPI_EVEN,
                                   mcl_to_buffer(MCL_INT64, out, 0, own), mcl_to_host(MCL_INT64, &got), NULL),
              "redistribute in pieces");
    mcl_op differs = { .role = MCL_ROLE_TEST, .expression = "x != i + first", .binding_count = 1 };
    differs.bindings[0] = mcl_binding_value("first", MCL_INT64, &first);
    expect_core(test,
                mcl_count_if(test->queue, mcl_from_buffer(MCL_INT64, out, 0, own), &differs,
                             mcl_to_host(MCL_INT64, &wrong), NULL),
                "elements are counted");
    expect_true(test, got == own && wrong == 0, "elements in pieces are in order");
    mcl_buffer_release(out);
}

void test_moves(ranks_test *test)
{
    static const int64_t counts[] = { 0, 1, 7, 2000 };
    int64_t numbers[2000];
    uint64_t seed = 7;
    for (int k = 0; k < 2000; ++k) numbers[k] = (int64_t)(random_next(&seed) >> 1);
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
        for (int kind = 0; kind < CUT_KINDS; ++kind) {
            if (!is_sampled(test)) continue;
            spread data = spread_make(test, MCL_INT64, numbers, counts[n], (cut_kind)kind);
            move_case(test, &data, 0);
            move_case(test, &data, 1);
            split_case(test, &data);
            spread_free(&data);
        }
    }
    move_much(test);
}
