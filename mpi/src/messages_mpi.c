/* messages_mpi.c: implements the functions of mcl_mpi_messages by MPI. No other file of the library calls MPI. */
#include "moderncl/mpi.h"

#include "ranks.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    POSTED_MOST = 64, /* largest number of messages in a group; mcl__tell_all posts up to 31, an exchange 2 */
    TAG = 1
};

typedef struct mpi_state {
    MPI_Comm comm;
    MPI_Request requests[POSTED_MOST];
    int posted;
    int is_broken; /* 1 if a post has failed, so that the group is cancelled */
    char failure[MPI_MAX_ERROR_STRING + 64];
} mpi_state;

/* ---- MPI's state ------------------------------------------------------------------------------------------- */

static int is_finalized(void)
{
    int is_over = 0;
    return MPI_Finalized(&is_over) != MPI_SUCCESS || is_over;
}

/* Checks that MPI can be called from this thread. MPI answers these questions at any time. If a rank fails here, the
 * other ranks do not learn of it. */
static mcl_status check_mpi(const char *name)
{
    int is_there = 0, level = MPI_THREAD_SINGLE, is_main = 0;
    if (MPI_Initialized(&is_there) != MPI_SUCCESS || !is_there)
        return mcl__fail_alone(MCL_ERROR_PRECONDITION, "%s: MPI is not initialised; expected MPI_Init before", name);
    if (is_finalized())
        return mcl__fail_alone(MCL_ERROR_PRECONDITION, "%s: MPI is finalised; expected a call before MPI_Finalize",
                               name);
    if (MPI_Query_thread(&level) == MPI_SUCCESS && level >= MPI_THREAD_SERIALIZED) return MCL_OK;
    if (MPI_Is_thread_main(&is_main) == MPI_SUCCESS && is_main) return MCL_OK;
    return mcl__fail_alone(MCL_ERROR_PRECONDITION,
                           "%s: MPI's thread level is %s, and this is not the thread of MPI_Init; expected that "
                           "thread, or MPI_THREAD_SERIALIZED of MPI_Init_thread",
                           name, level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE");
}

/* Makes a sentence from a result of MPI. Returns NULL after a success. */
static const char *failure_of(mpi_state *state, int result, const char *what)
{
    if (result == MPI_SUCCESS) return NULL;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(result, text, &length);
    snprintf(state->failure, sizeof state->failure, "%s failed: %s", what, text);
    return state->failure;
}

/* ---- the functions ----------------------------------------------------------------------------------------- */

/* Waits for requests. result: the result of the MPI function that has made them. Between tests it gives the processor
 * to other threads, since ranks may share one, and MPI's own waits poll. */
static const char *wait_all(mpi_state *state, int result, MPI_Request *requests, int count, const char *what)
{
    for (int done = 0; result == MPI_SUCCESS && done < count;) {
        int is_done = 0;
        result = MPI_Test(&requests[done], &is_done, MPI_STATUS_IGNORE);
        done += is_done;
        if (!is_done) sched_yield();
    }
    return failure_of(state, result, what);
}

/* Cancels requests that other ranks may never answer. MPI frees a request later if it cannot be cancelled now. */
static void let_go(MPI_Request *requests, int count)
{
    for (int k = 0; k < count; ++k) {
        int is_done = 0;
        if (requests[k] == MPI_REQUEST_NULL) continue;
        const int result = MPI_Cancel(&requests[k]);
        if (result != MPI_SUCCESS || MPI_Test(&requests[k], &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !is_done)
            MPI_Request_free(&requests[k]);
    }
}

/* Returns the slot of another request. Returns NULL if there are too many, or an earlier post has failed. */
static MPI_Request *next_request(mpi_state *state)
{
    state->is_broken |= state->posted == POSTED_MOST;
    if (state->is_broken) return NULL;
    MPI_Request *const request = &state->requests[state->posted++];
    *request = MPI_REQUEST_NULL;
    return request;
}

static const char *post_failure(mpi_state *state, int result, const char *what)
{
    state->is_broken |= result != MPI_SUCCESS;
    return failure_of(state, result, what);
}

static const char *mpi_send(void *of, int rank, mcl_mpi_memory from)
{
    mpi_state *const state = of;
    MPI_Request *const request = next_request(state);
    if (!request) return "more messages than one group may hold";
    const int result = MPI_Isend(from.host, (int)from.bytes, MPI_BYTE, rank, TAG, state->comm, request);
    return post_failure(state, result, "MPI_Isend");
}

static const char *mpi_receive(void *of, int rank, mcl_mpi_memory to)
{
    mpi_state *const state = of;
    MPI_Request *const request = next_request(state);
    if (!request) return "more messages than one group may hold";
    const int result = MPI_Irecv(to.host, (int)to.bytes, MPI_BYTE, rank, TAG, state->comm, request);
    return post_failure(state, result, "MPI_Irecv");
}

static const char *mpi_group(void *of)
{
    mpi_state *const state = of;
    const char *const failure =
        state->is_broken ? NULL : wait_all(state, MPI_SUCCESS, state->requests, state->posted, "MPI_Test");
    if (state->is_broken || failure) let_go(state->requests, state->posted);
    state->posted = state->is_broken = 0;
    return failure;
}

static const char *mpi_all_gather(void *of, const void *mine, void *all, size_t bytes)
{
    mpi_state *const state = of;
    MPI_Request request = MPI_REQUEST_NULL;
    const int count = (int)bytes;
    const int result = MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, state->comm, &request);
    return wait_all(state, result, &request, 1, "MPI_Iallgather");
}

static const char *mpi_barrier(void *of)
{
    mpi_state *const state = of;
    MPI_Request request = MPI_REQUEST_NULL;
    return wait_all(state, MPI_Ibarrier(state->comm, &request), &request, 1, "MPI_Ibarrier");
}

static void mpi_close(void *of, int is_lost)
{
    mpi_state *const state = of;
    if (!is_lost) MPI_Comm_free(&state->comm);
    free(state);
}

static const mcl__library library = { .check = check_mpi, .is_over = is_finalized, .close = mpi_close };

/* ---- create ------------------------------------------------------------------------------------------------ */

static mcl_status check_comm(MPI_Comm comm, const char *name)
{
    int is_inter = 0;
    if (comm == MPI_COMM_NULL)
        return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: comm is MPI_COMM_NULL; expected an intra-communicator", name);
    if (MPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter)
        return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: comm is an inter-communicator; expected an intra-communicator",
                               name);
    return MCL_OK;
}

/* Duplicates the communicator. From here on the ranks can communicate. */
static mcl_status duplicate(MPI_Comm comm, const char *name, mpi_state *state)
{
    const char *const failure = failure_of(state, MPI_Comm_dup(comm, &state->comm), "MPI_Comm_dup");
    return failure ? mcl__fail_alone(MCL_ERROR_DEVICE, "%s: %s", name, failure) : MCL_OK;
}

mcl_status mcl_mpi_create(MPI_Comm comm, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out)
{
    static const char name[] = "mcl_mpi_create";
    if (!out) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: out is NULL", name);
    *out = NULL;
    mcl_status status = check_mpi(name);
    MCL__THEN(status, check_comm(comm, name));
    if (status != MCL_OK) return status;
    mcl_mpi_messages messages = { .send = mpi_send,
                                  .receive = mpi_receive,
                                  .group = mpi_group,
                                  .all_gather = mpi_all_gather,
                                  .barrier = mpi_barrier };
    MPI_Comm_rank(comm, &messages.rank);
    MPI_Comm_size(comm, &messages.rank_count);
    /* a rank without memory makes no duplicate, and so other ranks learn that it has failed */
    mcl_mpi *const mpi = mcl__allocate(name, messages.rank_count);
    mpi_state *const state = messages.state = calloc(1, sizeof *state);
    status =
        !mpi || !state ? mcl__fail_alone(MCL_ERROR_MEMORY, "%s: no host memory", name) : duplicate(comm, name, state);
    if (status == MCL_OK) return mcl__open(mpi, &messages, &library, queue, transport, out);
    mcl__free(mpi);
    free(state);
    return status;
}
