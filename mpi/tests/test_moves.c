/* test_moves.c: elements move between ranks. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>

/* Shares that need not be even: everything to one rank, or random numbers. */
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

/* Pieces of the host's way, several in each direction. */
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
    for (int k = 0; k < 2000; ++k) numbers[k] = (int64_t)random_next(&seed);
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
        for (int kind = 0; kind < CUT_KINDS; ++kind) {
            if (!is_sampled(test)) continue;
            spread data = spread_make(test, MCL_INT64, numbers, counts[n], (cut_kind)kind);
            move_case(test, &data, 0);
            move_case(test, &data, 1);
            spread_free(&data);
        }
    }
    move_much(test);
}
