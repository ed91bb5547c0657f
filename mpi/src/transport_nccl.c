/* transport_nccl.c: exchanges operands from device to device by NCCL, in groups of sends and receives on a stream of
 * its own. libnccl.so.2 is opened at run time, so that the library also loads without it. */
#include "cuda_driver.h"
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ------------------------------------------------------------------------------------------- */

/* Types and functions as nccl.h declares them, with int instead of its enums. */
typedef struct ncclComm *nccl_comm;
typedef struct nccl_id {
    char bytes[128];
} nccl_id;
enum { NCCL_BYTES = 1 /* value of ncclUint8 */, STREAM_NON_BLOCKING = 1 };

typedef struct nccl_library {
    int (*get_id)(nccl_id *id);
    int (*open)(nccl_comm *comm, int size, nccl_id id, int rank);
    int (*close)(nccl_comm comm);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *from, size_t count, int type, int peer, nccl_comm comm, CUstream stream);
    int (*receive)(void *to, size_t count, int type, int peer, nccl_comm comm, CUstream stream);
    const char *(*error)(int result);
} nccl_library;

typedef struct nccl_state {
    mcl__cuda_driver driver;
    nccl_library call;
    nccl_comm comm;
    CUstream stream;
    mcl_mpi *mpi;
    int in_group; /* 1 if a group has begun; the queue's CUDA context is then current */
    char failure[160];
} nccl_state;

static const mcl__symbol nccl_symbols[] = {
    { "ncclGetUniqueId", offsetof(nccl_library, get_id) },
    { "ncclCommInitRank", offsetof(nccl_library, open) },
    { "ncclCommDestroy", offsetof(nccl_library, close) },
    { "ncclGroupStart", offsetof(nccl_library, group_start) },
    { "ncclGroupEnd", offsetof(nccl_library, group_end) },
    { "ncclSend", offsetof(nccl_library, send) },
    { "ncclRecv", offsetof(nccl_library, receive) },
    { "ncclGetErrorString", offsetof(nccl_library, error) },
    { NULL, 0 },
};

/* Loads the driver and NCCL. Returns NULL, or the name of the missing library or function. */
static const char *load_both(mcl__cuda_driver *driver, nccl_library *out)
{
    const char *const missing = mcl__cuda_driver_load(driver);
    return missing ? missing : mcl__library_load("libnccl.so.2", nccl_symbols, out);
}

/* ---- checks before NCCL is used ---------------------------------------------------------------------------- */

/* The answer of one rank to the question whether it can use NCCL. */
typedef struct account {
    char why_not[80]; /* reason why the rank cannot use NCCL; "": it can */
    mcl__cuda_uuid uuid;
} account;

static account own_account(mcl_mpi *mpi)
{
    account own = { .why_not = "" };
    mcl__cuda_driver driver;
    nccl_library call;
    int device = 0;
    if (!mcl_cuda_context(mpi->context)) {
        snprintf(own.why_not, sizeof own.why_not, "its queue is not of CUDA");
        return own;
    }
    const char *const missing = load_both(&driver, &call);
    if (missing) {
        snprintf(own.why_not, sizeof own.why_not, "%s is missing", missing);
        return own;
    }
    int result = mcl__cuda_enter(&driver, mpi) == MCL_OK ? 0 : -1;
    if (result == 0) {
        result = driver.device(&device);
        if (result == 0) result = driver.uuid(&own.uuid, device);
        mcl__cuda_leave(&driver);
    }
    if (result != 0) snprintf(own.why_not, sizeof own.why_not, "the driver does not tell its device (%d)", result);
    return own;
}

/* Stores the first reason of a rank, or the first two ranks that share a device. Leaves reason as it is if there is no
 * reason. */
static void find_reason(const account *all, int size, char *reason, size_t capacity)
{
    for (int r = 0; r < size; ++r) {
        if (!all[r].why_not[0]) continue;
        snprintf(reason, capacity, "rank %d: %s", r, all[r].why_not);
        return;
    }
    for (int r = 0; r < size; ++r) {
        int other = r + 1;
        while (other < size && memcmp(&all[r].uuid, &all[other].uuid, sizeof all[r].uuid) != 0) ++other;
        if (other == size) continue;
        snprintf(reason, capacity, "ranks %d and %d share a device", r, other);
        return;
    }
}

int mcl__nccl_usable(mcl_mpi *mpi, char *reason, size_t capacity)
{
    account *all = NULL;
    snprintf(reason, capacity, "%s", mpi->size == 1 ? "there is one rank" : "");
    if (mpi->size == 1) return 0;
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *all, &all);
    status = mcl__agree(mpi, status);
    const account own = own_account(mpi);
    MCL__THEN(status, mcl__gather_all(mpi, &own, all, sizeof own));
    if (status == MCL_OK)
        find_reason(all, mpi->size, reason, capacity);
    else
        snprintf(reason, capacity, "the ranks cannot talk about it");
    free(all);
    if (reason[0]) return 0;
    snprintf(reason, capacity, "every rank has a CUDA device of its own");
    return 1;
}

/* ---- transport --------------------------------------------------------------------------------------------- */

static const char *failure_of(nccl_state *state, int result, const char *what)
{
    if (result == 0) return NULL;
    snprintf(state->failure, sizeof state->failure, "%s failed: %s", what, state->call.error(result));
    return state->failure;
}

static mcl_status nccl_status(mcl_mpi *mpi, int result, const char *what)
{
    const char *const failure = failure_of(mpi->transport_state, result, what);
    return failure ? mcl__refuse(mpi, MCL_ERROR_DEVICE, "%s", failure) : MCL_OK;
}

/* Begins a group, unless one has begun. */
static const char *begin(nccl_state *state)
{
    if (state->in_group) return NULL;
    if (mcl__cuda_enter(&state->driver, state->mpi) != MCL_OK) return "cuCtxPushCurrent failed";
    state->in_group = 1;
    return failure_of(state, state->call.group_start(), "ncclGroupStart");
}

static const char *nccl_send(void *of, int rank, mcl_mpi_memory from)
{
    nccl_state *const state = of;
    const char *const failure = begin(state);
    if (failure) return failure;
    const void *const address = (const char *)(uintptr_t)mcl_cuda_buffer(from.buffer) + from.offset;
    const int result = state->call.send(address, from.bytes, NCCL_BYTES, rank, state->comm, state->stream);
    return failure_of(state, result, "ncclSend");
}

static const char *nccl_receive(void *of, int rank, mcl_mpi_memory to)
{
    nccl_state *const state = of;
    const char *const failure = begin(state);
    if (failure) return failure;
    void *const address = (char *)(uintptr_t)mcl_cuda_buffer(to.buffer) + to.offset;
    const int result = state->call.receive(address, to.bytes, NCCL_BYTES, rank, state->comm, state->stream);
    return failure_of(state, result, "ncclRecv");
}

static const char *nccl_group(void *of)
{
    nccl_state *const state = of;
    if (!state->in_group) return NULL;
    state->in_group = 0;
    const char *const failure = failure_of(state, state->call.group_end(), "ncclGroupEnd");
    mcl__cuda_leave(&state->driver);
    return failure;
}

/* Opens a stream with the highest priority. Otherwise NCCL's kernels would not start before the last work-group of a
 * running kernel has started. */
static mcl_status stream_open(mcl_mpi *mpi, nccl_state *state)
{
    int least = 0, greatest = 0;
    int result = state->driver.priorities(&least, &greatest);
    if (result == 0) result = state->driver.stream_create(&state->stream, STREAM_NON_BLOCKING, greatest);
    if (result != 0) return mcl__refuse(mpi, MCL_ERROR_DEVICE, "cuStreamCreateWithPriority failed (%d)", result);
    return mcl_cuda_queue_wrap(mpi->context, state->stream, &mpi->exchange_queue);
}

static mcl_status nccl_open(mcl_mpi *mpi)
{
    nccl_state *state = NULL;
    nccl_id id;
    memset(&id, 0, sizeof id);
    mcl_status status = mcl__array(mpi, 1, sizeof *state, &state);
    mpi->transport_state = state;
    const char *const missing = state ? load_both(&state->driver, &state->call) : NULL;
    if (missing) status = mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "%s is missing", missing);
    if (mpi->rank == 0) MCL__THEN(status, nccl_status(mpi, state->call.get_id(&id), "ncclGetUniqueId"));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__tell_all(mpi, 0, &id, sizeof id));
    MCL__THEN(status, mcl__cuda_enter(&state->driver, mpi));
    if (status != MCL_OK) return status;
    status = nccl_status(mpi, state->call.open(&state->comm, mpi->size, id, mpi->rank), "ncclCommInitRank");
    MCL__THEN(status, stream_open(mpi, state));
    mcl__cuda_leave(&state->driver);
    state->mpi = mpi;
    mpi->carriers = (mcl_mpi_messages){
        .state = state, .queue = mpi->exchange_queue, .send = nccl_send, .receive = nccl_receive, .group = nccl_group
    };
    return status;
}

static void nccl_close(mcl_mpi *mpi)
{
    nccl_state *const state = mpi->transport_state;
    mcl_queue_release(mpi->exchange_queue);
    if (state && state->comm && mcl__cuda_enter(&state->driver, mpi) == MCL_OK) {
        mcl_queue_finish(mpi->queue);
        state->call.close(state->comm);
        if (state->stream) state->driver.stream_destroy(state->stream);
        mcl__cuda_leave(&state->driver);
    }
    free(state);
}

const mcl__transport mcl__transport_nccl = {
    .kind = MCL_MPI_NCCL,
    .open = nccl_open,
    .close = nccl_close,
    .exchange = mcl__exchange_on_device,
};
