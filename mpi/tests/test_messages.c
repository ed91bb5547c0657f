/* test_messages.c: tests mcl_mpi_create_with, the calls that it refuses, and messages that fail. */
#include "test_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of keys. LONG_KEYS are several pieces of host memory, and the last piece is not full. */
enum { KEYS = 100, LONG_KEYS = (9 << 20) / 4 + 5 };

mcl_mpi_messages next_messages(seat *own, mcl_queue *queue)
{
    if (++own->made < TEAMS_MOST) return team_messages(&own->teams[own->made], own->test.rank, queue);
    fputs("test_ranks: too few teams\n", stderr); /* ranks would wait for ever if a team were used twice */
    exit(1);
}

static mcl_status create(seat *own, const mcl_mpi_messages *messages, mcl_queue *queue, mcl_mpi_transport transport)
{
    mcl_mpi *made = (mcl_mpi *)own; /* the call must set this to NULL */
    const mcl_status status = mcl_mpi_create_with(messages, queue, transport, &made);
    expect_true(&own->test, made == NULL, "nothing was made");
    return status;
}

/* Checks errors that a rank finds alone, before it communicates. */
static void refused_alone(seat *own)
{
    ranks_test *const test = &own->test;
    const mcl_mpi_messages right = team_messages(own->teams, test->rank, NULL);
    mcl_mpi_messages wrong[6];
    static const char *const words[6] = { "send is NULL",       "receive is NULL", "group is NULL",
                                          "all_gather is NULL", "barrier is NULL", "expected 0 to rank_count - 1" };
    for (int k = 0; k < 6; ++k) wrong[k] = right;
    wrong[0].send = NULL;
    wrong[1].receive = NULL;
    wrong[2].group = NULL;
    wrong[3].all_gather = NULL;
    wrong[4].barrier = NULL;
    wrong[5].rank = test->size;
    for (int k = 0; k < 6; ++k)
        expect_failure(test, create(own, &wrong[k], test->queue, MCL_MPI_AUTO), MCL_ERROR_ARGUMENT, words[k], words[k]);
    expect_failure(test, create(own, NULL, test->queue, MCL_MPI_AUTO), MCL_ERROR_ARGUMENT,
                   "mcl_mpi_create_with: messages is NULL", "no functions");
    expect_failure(test, mcl_mpi_create_with(&right, test->queue, MCL_MPI_AUTO, NULL), MCL_ERROR_ARGUMENT,
                   "mcl_mpi_create_with: out is NULL", "no out");
}

/* Checks errors that all ranks get. */
static void refused_together(seat *own)
{
    ranks_test *const test = &own->test;
    const int is_last = test->rank == test->size - 1;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL, *elsewhere = NULL;
    mcl_device_info info;
    char words[96];
    expect_core(test, mcl_queue_create(test->context, 0, &queue), "a queue");
    expect_core(test, mcl_context_info(test->context, &info), "the device");
    expect_core(test, mcl_context_create(info.id, &context), "another context");
    expect_core(test, mcl_queue_create(context, 0, &elsewhere), "a queue of another context");

    mcl_mpi_messages messages = next_messages(own, NULL);
    snprintf(words, sizeof words, "mcl_mpi_create_with: rank %d: queue is NULL", test->size - 1);
    expect_failure(test, create(own, &messages, is_last ? NULL : test->queue, MCL_MPI_AUTO), MCL_ERROR_ARGUMENT, words,
                   "no queue on one rank");
    messages = next_messages(own, NULL);
    expect_failure(test, create(own, &messages, test->queue, MCL_MPI_OWN), MCL_ERROR_ARGUMENT,
                   "transport is 3; expected a value of mcl_mpi_transport", "a transport that is not asked for");
    messages = next_messages(own, NULL);
    expect_failure(test, create(own, &messages, test->queue, MCL_MPI_NCCL), MCL_ERROR_UNSUPPORTED,
                   "NCCL cannot be used: ", "NCCL on a processor");
    messages = next_messages(own, queue);
    expect_failure(test, create(own, &messages, test->queue, MCL_MPI_HOST), MCL_ERROR_ARGUMENT,
                   "transport is 1 beside messages->queue; expected MCL_MPI_AUTO", "a transport beside a queue");
    messages = next_messages(own, is_last ? elsewhere : queue);
    expect_failure(test, create(own, &messages, test->queue, MCL_MPI_AUTO), MCL_ERROR_ARGUMENT,
                   "messages->queue is of another context than queue", "a queue of another context");
    messages = next_messages(own, is_last ? queue : NULL);
    if (test->size > 1)
        expect_failure(test, create(own, &messages, test->queue, MCL_MPI_AUTO), MCL_ERROR_PRECONDITION,
                       "transport is 3, on rank 0 0; expected the same call on all ranks", "a queue on one rank");
    mcl_queue_release(queue);
    mcl_queue_release(elsewhere);
    mcl_context_release(context);
}

/* Sends more keys than a piece in both directions: each rank gets the keys of the opposite rank. */
static void long_messages(seat *own, int on_device)
{
    ranks_test *const test = &own->test;
    mcl_queue *queue = NULL;
    mcl_mpi *mpi = NULL;
    mcl_mpi_info info;
    const int32_t first = (test->size - 1 - test->rank) * LONG_KEYS, last = test->rank * LONG_KEYS;
    int32_t ends[2] = { 0, 0 };
    if (on_device) expect_core(test, mcl_queue_create(test->context, 0, &queue), "a queue of messages");
    const mcl_mpi_messages messages = next_messages(own, queue);
    room out = room_make(test, MCL_INT32, LONG_KEYS);
    expect_ok(test, mcl_mpi_create_with(&messages, test->queue, MCL_MPI_AUTO, &mpi), "ranks");
    mcl_queue_release(queue);
    expect_ok(test,
              mcl_mpi_sort(mpi, mcl_from_counting(MCL_INT32, &first, LONG_KEYS), MCL_MPI_EVEN, room_output(&out),
                           MCL_LESS, mcl_to_nowhere(), NULL),
              "a long sort");
    for (int k = 0; k < 2; ++k)
        expect_core(
            test,
            mcl_buffer_read(test->queue, out.buffer, (size_t)(out.offset + (k ? LONG_KEYS - 1 : 0)) * 4, 4, &ends[k]),
            "a key");
    expect_true(test, ends[0] == last && ends[1] == last + LONG_KEYS - 1, "the keys of a long sort");
    expect_guards(test, &out, LONG_KEYS);
    expect_ok(test, mcl_mpi_get_info(mpi, &info), "what is known");
    expect_true(test, info.rank == test->rank && info.rank_count == test->size, "the rank");
    expect_true(test, info.transport == (on_device ? MCL_MPI_OWN : MCL_MPI_HOST), "the transport");
    expect_true(test, test->rank * 2 == test->size - 1 || info.bytes_sent >= 4 * (int64_t)LONG_KEYS,
                "bytes that travel");
    mcl_mpi_release(mpi);
    room_free(&out);
}

/* Lets a function fail at a given call on one rank. Then all ranks must fail, since no further message arrives. */
static mcl_status fail_at(seat *own, int call, int on_device)
{
    ranks_test *const test = &own->test;
    mcl_queue *queue = NULL;
    mcl_mpi *mpi = NULL;
    const int32_t first = (test->size - 1 - test->rank) * KEYS;
    if (on_device) expect_core(test, mcl_queue_create(test->context, 0, &queue), "a queue of messages");
    const mcl_mpi_messages messages = next_messages(own, queue);
    const int is_bad = test->rank == test->size / 2;
    member *const state = messages.state;
    if (is_bad) state->fails_at = call;
    const char *const words = is_bad ? "the test wants a failure" : "has failed";
    room out = room_make(test, MCL_INT32, KEYS);
    const mcl_input keys = mcl_from_counting(MCL_INT32, &first, KEYS);
    mcl_status status = mcl_mpi_create_with(&messages, test->queue, MCL_MPI_AUTO, &mpi);
    if (status != MCL_OK) expect_failure(test, status, MCL_ERROR_DEVICE, words, "ranks of messages that fail");
    if (status == MCL_OK) {
        status = mcl_mpi_sort(mpi, keys, MCL_MPI_EVEN, room_output(&out), MCL_LESS, mcl_to_nowhere(), NULL);
        if (status != MCL_OK) {
            expect_failure(test, status, MCL_ERROR_DEVICE, words, "a sort whose messages fail");
            expect_failure(test,
                           mcl_mpi_sort(mpi, keys, MCL_MPI_EVEN, room_output(&out), MCL_LESS, mcl_to_nowhere(), NULL),
                           MCL_ERROR_DEVICE, "has failed", "a sort after messages have failed");
        }
    }
    mcl_mpi_release(mpi);
    expect_true(test, state->count == 0, "no message is left after a failure");
    mcl_queue_release(queue);
    room_free(&out);
    return status;
}

static void failing(seat *own, int on_device)
{
    enum { CALLS_MOST = 60 };
    ranks_test *const test = &own->test;
    int failed = 0;
    for (int call = 1; call < CALLS_MOST; ++call) {
        const int64_t is_over = most_of_all(test, fail_at(own, call, on_device) == MCL_OK);
        if (is_over) break; /* the sort makes fewer calls on some rank */
        ++failed;
    }
    expect_true(test, failed >= 4, "some calls of functions fail");
}

/* ---- bytes that selections send ---------------------------------------------------------------------------- */

typedef enum selection { SELECT_ONE, SELECT_QUANTILES, SELECT_MANY, SELECT_FIRST, SELECT_GROUPS, SELECTIONS } selection;
enum { CHOSEN = 5000, MANY = 100, QUANTILES = 9, FIRST_KEYS = 1 << 16, MORE_KEYS = 1 << 19 };

static mcl_status make_selection(mcl_mpi *mpi, selection kind, mcl_input keys, mcl_output out)
{
    const float tenth = 0.1f;
    const int64_t step = keys.count / MANY;
    uint32_t one = 0;
    switch (kind) {
    case SELECT_ONE:
        return mcl_mpi_nth_element(mpi, keys, keys.count, mcl_to_host(MCL_UINT32, &one), MCL_LESS, NULL);
    case SELECT_QUANTILES:
        return mcl_mpi_quantiles(mpi, keys, mcl_from_step(MCL_FLOAT, &tenth, &tenth, QUANTILES), out, MCL_LESS,
                                 MCL_INTERPOLATION_NEAREST, NULL);
    case SELECT_MANY:
        return mcl_mpi_nth_elements(mpi, keys, mcl_from_step(MCL_INT64, &step, &step, MANY), out, MCL_LESS, NULL);
    case SELECT_GROUPS:
        return mcl_mpi_group_by(mpi, keys, out, &(mcl_aggregate){ .values = keys, .op = MCL_ADD }, 1, mcl_to_nowhere(),
                                mcl_to_nowhere(), NULL);
    default:
        return mcl_mpi_top_k(mpi, keys, CHOSEN, out, MCL_LESS, mcl_to_nowhere(), NULL);
    }
}

/* Returns the bytes that a rank sends in a selection from count hashed keys on each rank. */
static int64_t bytes_of(seat *own, selection kind, int64_t count)
{
    ranks_test *const test = &own->test;
    mcl_mpi *mpi = NULL;
    const mcl_binding first = mcl_binding_value("first", MCL_UINT32, &(uint32_t){ (uint32_t)(test->rank * count) });
    const mcl_input keys = mcl_from_expression(MCL_UINT32,
                                               kind == SELECT_GROUPS ? "i % 3 ? 7 : (uint32_t)(i + first) % 1000"
                                                                     : "(uint32_t)(i + first) * 2654435761u",
                                               NULL, &first, 1, count);
    const mcl_mpi_messages messages = next_messages(own, NULL);
    member *const state = messages.state;
    room out = room_make(test, MCL_UINT32, CHOSEN);
    expect_ok(test, mcl_mpi_create_with(&messages, test->queue, MCL_MPI_AUTO, &mpi), "ranks that count bytes");
    const int64_t before = state->bytes;
    expect_ok(test, make_selection(mpi, kind, keys, room_output(&out)), "a selection whose bytes are counted");
    const int64_t bytes = state->bytes - before;
    mcl_mpi_release(mpi);
    room_free(&out);
    return bytes;
}

/* Checks that a rank sends at most three times the bytes for eight times the keys, and less than its own keys (2
 * MiB). */
static void bytes_of_selections(seat *own)
{
    static const char *const names[SELECTIONS] = { "nth_element", "quantiles", "nth_elements", "top_k", "group_by" };
    ranks_test *const test = &own->test;
    if (test->size == 1) return;
    for (int kind = 0; kind < SELECTIONS; ++kind) {
        const int64_t few = bytes_of(own, (selection)kind, FIRST_KEYS),
                      more = bytes_of(own, (selection)kind, MORE_KEYS);
        expect_true(test, more <= 3 * few, names[kind]);
        expect_true(test, more < (kind == SELECT_MANY ? 4 : 1) * MORE_KEYS, names[kind]);
    }
}

void test_messages(seat *own)
{
    bytes_of_selections(own);
    refused_alone(own);
    refused_together(own);
    for (int on_device = 0; on_device < 2; ++on_device) {
        long_messages(own, on_device);
        failing(own, on_device);
    }
}
