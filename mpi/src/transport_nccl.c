/* transport_nccl.c: operands travel from device to device by NCCL, in groups of sends and receives on the queue's
 * stream. libnccl.so.2 and the driver are opened at run time, so that the library needs neither. */
#include "ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include "moderncl/cuda.h"

/* ---- the two libraries ------------------------------------------------------------------------------------- */

/* As nccl.h declares them, with numbers for its enums. */
typedef struct ncclComm *nccl_comm;
typedef struct nccl_id {
    char bytes[128];
} nccl_id;
enum { NCCL_BYTES = 1 /* ncclUint8 */ };

typedef struct cuda_uuid {
    unsigned char bytes[16];
} cuda_uuid;

typedef struct libraries {
    int (*get_id)(nccl_id *id);
    int (*open)(nccl_comm *comm, int size, nccl_id id, int rank);
    int (*close)(nccl_comm comm);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *from, size_t count, int type, int peer, nccl_comm comm, CUstream stream);
    int (*receive)(void *to, size_t count, int type, int peer, nccl_comm comm, CUstream stream);
    const char *(*error)(int result);
    int (*push)(CUcontext context);
    int (*pop)(CUcontext *context);
    int (*device)(int *device);
    int (*uuid)(cuda_uuid *uuid, int device);
} libraries;

typedef struct nccl_state {
    libraries call;
    nccl_comm comm;
} nccl_state;

typedef struct symbol {
    const char *name;
    size_t offset;
} symbol;

static const symbol nccl_symbols[] = {
    { "ncclGetUniqueId", offsetof(libraries, get_id) },
    { "ncclCommInitRank", offsetof(libraries, open) },
    { "ncclCommDestroy", offsetof(libraries, close) },
    { "ncclGroupStart", offsetof(libraries, group_start) },
    { "ncclGroupEnd", offsetof(libraries, group_end) },
    { "ncclSend", offsetof(libraries, send) },
    { "ncclRecv", offsetof(libraries, receive) },
    { "ncclGetErrorString", offsetof(libraries, error) },
    { NULL, 0 },
};

static const symbol driver_symbols[] = {
    { "cuCtxPushCurrent_v2", offsetof(libraries, push) },
    { "cuCtxPopCurrent_v2", offsetof(libraries, pop) },
    { "cuCtxGetDevice", offsetof(libraries, device) },
    { "cuDeviceGetUuid", offsetof(libraries, uuid) },
    { NULL, 0 },
};

/* Stays open: NCCL has threads. The name of what is missing, or NULL. */
static const char *load(const char *library, const symbol *symbols, libraries *out)
{
    void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return library;
    for (; symbols->name; ++symbols) {
        void *const address = dlsym(handle, symbols->name);
        if (!address) return symbols->name;
        /* a data pointer cannot be cast to a function pointer in standard C; their bytes are the same */
        memcpy((char *)out + symbols->offset, &address, sizeof address);
    }
    return NULL;
}

static const char *load_both(libraries *out)
{
    const char *const missing = load("libcuda.so.1", driver_symbols, out);
    return missing ? missing : load("libnccl.so.2", nccl_symbols, out);
}

/* ---- whether it can be used -------------------------------------------------------------------------------- */

/* What a rank tells of itself. */
typedef struct account {
    char why_not[80]; /* "": it can */
    cuda_uuid uuid;
} account;

/* The calls between these two have the queue's context; the thread's own is there again after them. */
static mcl_status enter(const libraries *call, mcl_mpi *mpi)
{
    const int result = call->push(mcl_cuda_context(mpi->context));
    if (result == 0) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_DEVICE, "cuCtxPushCurrent failed (%d)", result);
}

static void leave(const libraries *call)
{
    CUcontext context = NULL;
    call->pop(&context);
}

static account own_account(mcl_mpi *mpi)
{
    account own = { .why_not = "" };
    libraries call = { 0 };
    int device = 0;
    if (!mcl_cuda_context(mpi->context)) {
        snprintf(own.why_not, sizeof own.why_not, "its queue is not of CUDA");
        return own;
    }
    const char *const missing = load_both(&call);
    if (missing) {
        snprintf(own.why_not, sizeof own.why_not, "%s is missing", missing);
        return own;
    }
    int result = enter(&call, mpi) == MCL_OK ? 0 : -1;
    if (result == 0) {
        result = call.device(&device);
        if (result == 0) result = call.uuid(&own.uuid, device);
        leave(&call);
    }
    if (result != 0) snprintf(own.why_not, sizeof own.why_not, "the driver does not tell its device (%d)", result);
    return own;
}

/* The first reason among all ranks' accounts; "" where there is none. */
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

static mcl_status nccl_status(mcl_mpi *mpi, int result, const char *what)
{
    const nccl_state *const state = mpi->transport_state;
    if (result == 0) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_DEVICE, "%s failed: %s", what, state->call.error(result));
}

static mcl_status nccl_open(mcl_mpi *mpi)
{
    nccl_state *state = NULL;
    nccl_id id;
    memset(&id, 0, sizeof id);
    mcl_status status = mcl__array(mpi, 1, sizeof *state, &state);
    mpi->transport_state = state;
    const char *const missing = state ? load_both(&state->call) : NULL;
    if (missing) status = mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "%s is missing", missing);
    if (mpi->rank == 0) MCL__THEN(status, nccl_status(mpi, state->call.get_id(&id), "ncclGetUniqueId"));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__mpi_status(mpi, MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, mpi->comm), "MPI_Bcast"));
    MCL__THEN(status, enter(&state->call, mpi));
    if (status != MCL_OK) return status;
    status = nccl_status(mpi, state->call.open(&state->comm, mpi->size, id, mpi->rank), "ncclCommInitRank");
    leave(&state->call);
    return status;
}

static void nccl_close(mcl_mpi *mpi)
{
    nccl_state *const state = mpi->transport_state;
    if (state && state->comm && enter(&state->call, mpi) == MCL_OK) {
        mcl_queue_finish(mpi->queue);
        state->call.close(state->comm);
        leave(&state->call);
    }
    free(state);
}

static mcl_status nccl_exchange(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                const mcl__part *receives)
{
    const nccl_state *const state = mpi->transport_state;
    const CUstream stream = mcl_cuda_queue(mpi->queue);
    const char *const source = (const char *)(uintptr_t)mcl_cuda_buffer(from);
    char *const target = (char *)(uintptr_t)mcl_cuda_buffer(to);
    mcl_status status = enter(&state->call, mpi);
    if (status != MCL_OK) return status;
    status = nccl_status(mpi, state->call.group_start(), "ncclGroupStart");
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        if (r == mpi->rank) continue;
        int result = 0;
        if (sends[r].bytes > 0)
            result =
                state->call.send(source + sends[r].offset, (size_t)sends[r].bytes, NCCL_BYTES, r, state->comm, stream);
        if (result == 0 && receives[r].bytes > 0)
            result = state->call.receive(target + receives[r].offset, (size_t)receives[r].bytes, NCCL_BYTES, r,
                                         state->comm, stream);
        status = nccl_status(mpi, result, "ncclSend or ncclRecv");
        mpi->bytes_sent += sends[r].bytes;
    }
    const mcl_status ended = nccl_status(mpi, state->call.group_end(), "ncclGroupEnd");
    leave(&state->call);
    return status != MCL_OK ? status : ended;
}

const mcl__transport mcl__transport_nccl = {
    .kind = MCL_MPI_NCCL,
    .open = nccl_open,
    .close = nccl_close,
    .exchange = nccl_exchange,
};
