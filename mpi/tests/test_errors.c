/* test_errors.c: tests that all ranks get the error of one rank with its sentence, and that the next call works. */
#define _GNU_SOURCE
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks that the ranks still work together after a failure. */
static void expect_usable(ranks_test *test, const char *what)
{
    const int32_t one = 1;
    int64_t sum = 0;
    expect_ok(
        test,
        mcl_mpi_reduce(test->mpi, mcl_from_constant(MCL_INT32, &one, 3), MCL_ADD, mcl_to_host(MCL_INT64, &sum), NULL),
        what);
    expect_true(test, sum == 3 * (int64_t)test->size, what);
}

static void bad_arguments(ranks_test *test, const spread *data, int bad_rank)
{
    const int is_bad = test->rank == bad_rank;
    char rank[32];
    char words[256];
    snprintf(rank, sizeof rank, "rank %d:", bad_rank);
    room out = room_make(test, MCL_INT32, data->count);
    const mcl_input in = spread_input(data);
    mcl_input outside = in;
    if (is_bad) outside.offset = 1 << 20;
    int32_t sum = 0;

    snprintf(words, sizeof words, "mcl_mpi_reduce: |%s|mcl_reduce: |in ", rank);
    if (is_bad) outside.count = 5;
    expect_failure(test, mcl_mpi_reduce(test->mpi, outside, MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL),
                   MCL_ERROR_ARGUMENT, words, "reduce of a range that is not there");
    expect_usable(test, "after a reduction of a range that is not there");

    mcl_output narrow = room_output(&out);
    if (is_bad) narrow.capacity = 0;
    snprintf(words, sizeof words, "mcl_mpi_sort: |%s|out has room for 0 elements; expected ", rank);
    expect_failure(test, mcl_mpi_sort(test->mpi, in, MCL_MPI_EVEN, narrow, MCL_LESS, mcl_to_nowhere(), NULL),
                   MCL_ERROR_ARGUMENT, words, "sort into too little room");
    expect_usable(test, "after a sort into too little room");

    snprintf(words, sizeof words, "mcl_mpi_redistribute: |%s|share is -7", rank);
    expect_failure(test,
                   mcl_mpi_redistribute(test->mpi, in, is_bad ? -7 : 1, room_output(&out), mcl_to_nowhere(), NULL),
                   MCL_ERROR_ARGUMENT, words, "a share that there is not");
    expect_usable(test, "after a share that there is not");

    mcl_event *done = NULL;
    const mcl_options with_event = { .done = &done };
    snprintf(words, sizeof words, "mcl_mpi_sort: |%s|options have events", rank);
    expect_failure(test,
                   mcl_mpi_sort(test->mpi, in, MCL_MPI_EVEN, room_output(&out), MCL_LESS, mcl_to_nowhere(),
                                is_bad ? &with_event : NULL),
                   MCL_ERROR_ARGUMENT, words, "an event");
    expect_usable(test, "after an event");
    room_free(&out);
}

/* Gives one rank too little capacity. Its first elements are stored, and all ranks get the error. */
static void no_capacity(ranks_test *test, const spread *data, int bad_rank)
{
    const mcl_op all = { .role = MCL_ROLE_TEST, .expression = "1" };
    room out = room_make(test, MCL_INT32, data->count);
    mcl_output narrow = room_output(&out);
    if (test->rank == bad_rank) narrow.capacity = 1;
    char words[128];
    snprintf(words, sizeof words, "mcl_mpi_compact: rank %d: mcl_compact: ", bad_rank);
    expect_failure(
        test, mcl_mpi_compact(test->mpi, spread_input(data), narrow, &all, mcl_to_nowhere(), mcl_to_nowhere(), NULL),
        MCL_ERROR_CAPACITY, words, "a compaction into too little room");
    snprintf(words, sizeof words, "mcl_mpi_unique: rank %d: out has room for 1 elements; needed are ", bad_rank);
    expect_failure(
        test,
        mcl_mpi_unique(test->mpi, spread_input(data), narrow, MCL_EQUAL, mcl_to_nowhere(), mcl_to_nowhere(), NULL),
        MCL_ERROR_CAPACITY, words, "runs into too little room");
    expect_usable(test, "after a capacity");
    room_free(&out);
}

/* Checks errors that all ranks make. The sentence is rank 0's. */
static void wrong_everywhere(ranks_test *test, const spread *data)
{
    room out = room_make(test, MCL_INT32, data->count);
    const mcl_input in = spread_input(data);
    expect_failure(test, mcl_mpi_redistribute(test->mpi, in, 2, room_output(&out), mcl_to_nowhere(), NULL),
                   MCL_ERROR_ARGUMENT, "rank 0: |the ranks' shares add up to", "shares that do not add up");
    expect_failure(test, mcl_mpi_multisplit(test->mpi, in, room_output(&out), MCL_LESS, mcl_to_nowhere(), NULL),
                   MCL_ERROR_ARGUMENT, "mcl_mpi_multisplit: rank 0: bucket is of another role", "a split by an order");
    const mcl_op nonsense = { .role = MCL_ROLE_ORDER, .expression = "p ? q ;" };
    expect_failure(test,
                   mcl_mpi_sort(test->mpi, in, MCL_MPI_EVEN, room_output(&out), &nonsense, mcl_to_nowhere(), NULL),
                   MCL_ERROR_BUILD, "mcl_mpi_sort: rank ", "an order that does not compile");
    expect_failure(test, mcl_mpi_sort(NULL, in, MCL_MPI_EVEN, room_output(&out), MCL_LESS, mcl_to_nowhere(), NULL),
                   MCL_ERROR_ARGUMENT, "mcl_mpi_sort: mpi is NULL", "no ranks");
    expect_usable(test, "after errors on all ranks");
    room_free(&out);
}

/* Checks that indices of the whole sequence must fit the result, even if a rank's own do. The elements use no
 * memory. */
static void indices_that_do_not_fit(ranks_test *test)
{
    room out = room_make(test, MCL_INT32, 4);
    const int8_t one = 1;
    const mcl_input in = mcl_from_constant(MCL_INT8, &one, INT64_C(2147484648) / test->size + 1);
    int32_t index = -7;
    mcl_int8_at at;
    expect_failure(test, mcl_mpi_reduce(test->mpi, in, MCL_MAX_INDEX, mcl_to_host(MCL_INT32, &index), NULL),
                   MCL_ERROR_TYPE, "mcl_mpi_reduce: rank 0: |result is MCL_INT32|elements", "an index of 32 bits");
    expect_failure(test, mcl_mpi_reduce(test->mpi, in, MCL_MIN_INDEX, mcl_to_host(MCL_INT8_AT, &at), NULL),
                   MCL_ERROR_TYPE, "mcl_mpi_reduce: rank 0: |result is mcl_int8_at|elements",
                   "an index beside a value");
    expect_failure(test,
                   mcl_mpi_scan(test->mpi, in, room_output(&out), MCL_MAX_INDEX, MCL_INCLUSIVE, mcl_to_nowhere(), NULL),
                   MCL_ERROR_TYPE, "mcl_mpi_scan: rank 0: |is MCL_INT32|elements", "indices of 32 bits");
    expect_guards(test, &out, 0);
    room_free(&out);
}

/* Checks indices and fractions that are wrong, or that differ between ranks. */
static void wrong_points(ranks_test *test, const spread *data)
{
    room out = room_make(test, MCL_INT32, 4);
    const mcl_input in = spread_input(data);
    const int64_t one = 1, mine = test->rank == test->size - 1 ? 2 : 1;
    const float half = 0.5f;
    const mcl_input indices = mcl_from_constant(MCL_INT64, &one, 3), fractions = mcl_from_constant(MCL_FLOAT, &half, 3);
    expect_failure(test, mcl_mpi_nth_elements(test->mpi, in, fractions, room_output(&out), MCL_LESS, NULL),
                   MCL_ERROR_TYPE, "mcl_mpi_nth_elements: rank 0: indices are of float", "fractions as indices");
    expect_failure(
        test, mcl_mpi_quantiles(test->mpi, in, indices, room_output(&out), MCL_LESS, MCL_INTERPOLATION_LOWER, NULL),
        MCL_ERROR_TYPE, "mcl_mpi_quantiles: rank 0: fractions are of int64_t", "indices as fractions");
    expect_failure(
        test, mcl_mpi_quantiles(test->mpi, in, fractions, room_output(&out), MCL_LESS, MCL_INTERPOLATION_LINEAR, NULL),
        MCL_ERROR_TYPE, "out is of int32_t; expected MCL_FLOAT or MCL_DOUBLE", "numbers between keys as integers");
    expect_failure(test,
                   mcl_mpi_quantiles(test->mpi, in, fractions, room_output(&out), MCL_LESS, (mcl_interpolation)9, NULL),
                   MCL_ERROR_ARGUMENT, "interpolation is 9; expected an mcl_interpolation", "no interpolation");
    expect_failure(
        test,
        mcl_mpi_nth_elements(test->mpi, in, mcl_from_constant(MCL_INT64, &one, 5), room_output(&out), MCL_LESS, NULL),
        MCL_ERROR_ARGUMENT, "out has room for 4 elements; expected 5", "too little room for keys");
    if (test->size > 1)
        expect_failure(test,
                       mcl_mpi_nth_elements(test->mpi, in, mcl_from_constant(MCL_INT64, &mine, 3), room_output(&out),
                                            MCL_LESS, NULL),
                       MCL_ERROR_PRECONDITION, "indices is 3 of them, #|expected the same call", "different indices");
    expect_guards(test, &out, 0);
    expect_usable(test, "after wrong points");
    room_free(&out);
}

/* Checks that ranks fail if they call different functions, or pass different arguments. */
static void different_calls(ranks_test *test, const spread *data)
{
    room out = room_make(test, MCL_INT32, data->count);
    const mcl_input in = spread_input(data);
    const int is_other = test->rank == test->size - 1;
    int32_t sum = 0;
    expect_failure(test,
                   mcl_mpi_sort(test->mpi, in, MCL_MPI_EVEN, room_output(&out), is_other ? MCL_GREATER : MCL_LESS,
                                mcl_to_nowhere(), NULL),
                   MCL_ERROR_PRECONDITION, "before->expression is \"LESS(q, p)\", on rank 0 \"LESS(p, q)\"",
                   "sorts in different orders");
    const mcl_status status =
        is_other ? mcl_mpi_reduce(test->mpi, in, MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL)
                 : mcl_mpi_sort(test->mpi, in, MCL_MPI_EVEN, room_output(&out), MCL_LESS, mcl_to_nowhere(), NULL);
    expect_failure(test, status, MCL_ERROR_PRECONDITION,
                   "the function is \"mcl_mpi_reduce\", on rank 0 \"mcl_mpi_sort\"", "a reduction beside sorts");
    expect_usable(test, "after different calls");
    room_free(&out);
}

/* An allocator that refuses to allocate more than most bytes at once. */
typedef struct scarce {
    size_t most;
} scarce;

static mcl_status scarce_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    if (bytes > ((scarce *)user)->most) return MCL_ERROR_MEMORY;
    return mcl_block_create(context, bytes, block);
}

static void scarce_release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    (void)user;
    (void)bytes;
    mcl_block_release(context, block);
}

static void no_memory(ranks_test *test, const spread *data)
{
    scarce bound = { .most = SIZE_MAX };
    const mcl_allocator allocator = { &bound, scarce_allocate, scarce_release };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_mpi *mpi = NULL;
    mcl_buffer *keys = NULL, *out = NULL;
    mcl_device_info info;
    const int64_t own = data->count;
    expect_core(test, mcl_context_info(test->context, &info), "the device");
    expect_core(test, mcl_context_create(info.id, &context), "another context");
    expect_core(test, mcl_context_set_allocator(context, &allocator), "an allocator");
    expect_core(test, mcl_queue_create(context, 0, &queue), "another queue");
    expect_core(test, mcl_buffer_create(context, (size_t)own * 4, data->whole, &keys), "keys");
    expect_core(test, mcl_buffer_create(context, (size_t)own * 4, NULL, &out), "room");
    expect_ok(test, make_ranks(test, queue, MCL_MPI_HOST, &mpi), "other ranks");
    if (test->rank == test->size - 1) bound.most = 256;
    const mcl_input in = mcl_from_buffer(MCL_INT32, keys, 0, own);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out, 0, own);
    char words[64];
    snprintf(words, sizeof words, "mcl_mpi_sort_indices: rank %d: ", test->size - 1);
    expect_failure(test,
                   mcl_mpi_sort_indices(mpi, in, MCL_MPI_SAME, mcl_to_buffer(MCL_INT64, out, 0, own), MCL_LESS,
                                        mcl_to_nowhere(), NULL),
                   MCL_ERROR_ARGUMENT, "mcl_mpi_sort_indices: rank 0: out_values begins", "too short an output");
    /* an expression is stored before it is sent, which needs memory with any transport */
    const mcl_input stored = mcl_from_counting(MCL_INT32, data->whole, own);
    expect_failure(test, mcl_mpi_redistribute(mpi, stored, MCL_MPI_SAME, to, mcl_to_nowhere(), NULL), MCL_ERROR_MEMORY,
                   strchr(words, ' ') + 1, "an expression on a rank without memory");
    if (test->size > 1)
        expect_failure(test, mcl_mpi_sort(mpi, in, MCL_MPI_SAME, to, MCL_LESS, mcl_to_nowhere(), NULL),
                       MCL_ERROR_MEMORY, strchr(words, ' ') + 1, "a sort on a rank without memory");
    bound.most = SIZE_MAX;
    expect_ok(test, mcl_mpi_sort(mpi, in, MCL_MPI_SAME, to, MCL_LESS, mcl_to_nowhere(), NULL), "memory again");
    mcl_mpi_release(mpi);
    mcl_buffer_release(keys);
    mcl_buffer_release(out);
    mcl_queue_release(queue);
    mcl_context_release(context);
}

/* Checks that all ranks fail if an environment variable is wrong on one rank. */
static void wrong_environment(ranks_test *test, int bad_rank)
{
    static const char *const cases[][3] = {
        { "MCL_MPI_TRANSPORT", "nonsense",
          "MCL_MPI_TRANSPORT of the environment is \"nonsense\"; expected auto, host or nccl" },
        { "MCL_MPI_TRANSPORT", "Host", "is \"Host\"; expected auto, host or nccl" },
        { "MCL_MPI_PEERS", "maybe", "MCL_MPI_PEERS of the environment is \"maybe\"; expected auto, never or always" },
        { "MCL_MPI_SORT", "fast", "MCL_MPI_SORT of the environment is \"fast\"; expected auto, merge or scatter" },
        { "MCL_MPI_PIECES", "two", "MCL_MPI_PIECES of the environment is \"two\"; expected 1 to 16" },
        { "MCL_MPI_PIECES", "0", "is \"0\"; expected 1 to 16" },
        { "MCL_MPI_PIECES", "17", "is \"17\"; expected 1 to 16" },
        { "MCL_MPI_PIECES", "3x", "is \"3x\"; expected 1 to 16" },
    };
    char words[160];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        mcl_mpi *mpi = NULL;
        snprintf(words, sizeof words, "mcl_mpi_create: rank %d: |%s", bad_rank, cases[k][2]);
        if (test->rank == bad_rank) setenv(cases[k][0], cases[k][1], 1);
        expect_failure(test, make_ranks(test, test->queue, MCL_MPI_AUTO, &mpi), MCL_ERROR_ARGUMENT, words, cases[k][0]);
        unsetenv(cases[k][0]);
    }
    mcl_mpi *mpi = NULL;
    setenv("MCL_MPI_TRANSPORT", "", 1);
    setenv("MCL_MPI_PEERS", "auto", 1);
    expect_ok(test, make_ranks(test, test->queue, MCL_MPI_AUTO, &mpi), "empty, and auto");
    mcl_mpi_release(mpi);
    unsetenv("MCL_MPI_TRANSPORT");
    unsetenv("MCL_MPI_PEERS");
}

void test_errors(ranks_test *test)
{
    int32_t numbers[800];
    uint64_t seed = 3;
    for (int k = 0; k < 800; ++k) numbers[k] = (int32_t)random_next(&seed);
    spread data = spread_make(test, MCL_INT32, numbers, 800, CUT_EVEN);
    bad_arguments(test, &data, test->size / 2);
    no_capacity(test, &data, test->size / 2);
    wrong_everywhere(test, &data);
    indices_that_do_not_fit(test);
    wrong_points(test, &data);
    if (test->size > 1) different_calls(test, &data);
    if (!test->by->is_one_process) wrong_environment(test, test->size / 2);
    no_memory(test, &data);
    spread_free(&data);
}
