/* transport_host.c: operands travel through host memory, in pieces. MPI moves some pieces while the device copies
 * earlier pieces out of the memory and later pieces into it. The copies have queues of their own, so both directions
 * run at the same time. No message has more than a piece, so counts above 2^31 need nothing more of MPI. */
#include "cuda_driver.h"

#include <stdlib.h>

enum {
    PIECE_BYTES = 4 << 20, /* large enough for the bandwidth of PCIe, small enough to overlap */
    AHEAD = 2,             /* pieces that are begun before the one whose turn it is */
    DEPTH = 2 * AHEAD,     /* pieces of each direction at once: AHEAD come, and AHEAD go */
    PAGE_BYTES = 4096,
    TAG = 1
};

/* One direction of the exchange with one rank. */
typedef struct stream {
    mcl_queue *queue; /* queue of its copies */
    unsigned char *pieces[DEPTH];
    MPI_Request requests[DEPTH];
    mcl_event *copied[DEPTH]; /* event after which the device is done with the piece */
} stream;

typedef struct host_state {
    unsigned char *memory; /* all pieces */
    int is_locked;
    mcl__cuda_driver driver; /* driver that locks memory */
    stream out, in;
} host_state;

/* Notes what has failed on this rank, while the messages go on. */
static void note(mcl_status *status, mcl_status now)
{
    if (*status == MCL_OK) *status = now;
}

/* Locks the pages for a CUDA device. Its driver would else copy through memory of its own, and wait. Pages that cannot
 * be locked serve too. */
static void lock_pages(mcl_mpi *mpi, host_state *state, size_t bytes)
{
    if (!mcl_cuda_context(mpi->context) || mcl__cuda_driver_load(&state->driver)) return;
    if (mcl__cuda_enter(&state->driver, mpi) != MCL_OK) return;
    state->is_locked = state->driver.host_register(state->memory, bytes, 0) == 0;
    mcl__cuda_leave(&state->driver);
}

static void unlock_pages(mcl_mpi *mpi, host_state *state)
{
    if (!state->is_locked || mcl__cuda_enter(&state->driver, mpi) != MCL_OK) return;
    state->driver.host_unregister(state->memory);
    mcl__cuda_leave(&state->driver);
}

static mcl_status stream_open(mcl_mpi *mpi, stream *s, unsigned char *memory)
{
    for (int k = 0; k < DEPTH; ++k) {
        s->pieces[k] = memory + (size_t)k * PIECE_BYTES;
        s->requests[k] = MPI_REQUEST_NULL;
    }
    return mcl_queue_create(mpi->context, 0, &s->queue);
}

static mcl_status host_open(mcl_mpi *mpi)
{
    const size_t bytes = (size_t)DEPTH * PIECE_BYTES;
    host_state *state = NULL;
    mcl_status status = mcl__array(mpi, 1, sizeof *state, &state);
    mpi->transport_state = state;
    if (status != MCL_OK || mpi->size == 1) return status;
    state->memory = aligned_alloc(PAGE_BYTES, 2 * bytes);
    if (!state->memory) return mcl__refuse(mpi, MCL_ERROR_MEMORY, "no host memory for %zu bytes", 2 * bytes);
    lock_pages(mpi, state, 2 * bytes);
    status = stream_open(mpi, &state->out, state->memory);
    MCL__THEN(status, stream_open(mpi, &state->in, state->memory + bytes));
    mpi->exchange_queue = state->out.queue;
    return status;
}

static void host_close(mcl_mpi *mpi)
{
    host_state *const state = mpi->transport_state;
    if (!state) return;
    mcl_queue_release(state->out.queue);
    mcl_queue_release(state->in.queue);
    unlock_pages(mpi, state);
    free(state->memory);
    free(state);
}

static int piece_bytes(mcl__part part, int64_t piece)
{
    const int64_t left = part.bytes - piece * PIECE_BYTES;
    return (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
}

static int64_t piece_count(mcl__part part)
{
    return (part.bytes + PIECE_BYTES - 1) / PIECE_BYTES;
}

/* Waits until the device is done with a piece of memory. */
static mcl_status wait_copied(stream *s, int64_t piece)
{
    mcl_event *const event = s->copied[piece % DEPTH];
    s->copied[piece % DEPTH] = NULL;
    const mcl_status status = event ? mcl_event_wait(event) : MCL_OK;
    mcl_event_release(event);
    return status;
}

static mcl_status wait_message(mcl_mpi *mpi, stream *s, int64_t piece)
{
    return mcl__mpi_wait(mpi, MPI_SUCCESS, &s->requests[piece % DEPTH], "MPI_Test");
}

/* ---- out --------------------------------------------------------------------------------------------------- */

/* Begins the copy of a piece from the device, once the message before it in the same memory has left. */
static mcl_status read_begin(mcl_mpi *mpi, stream *out, mcl__part part, int64_t piece, mcl_buffer *from, int works)
{
    const int slot = (int)(piece % DEPTH);
    const mcl_status left = wait_message(mpi, out, piece);
    if (left != MCL_OK || !works) return left;
    return mcl_buffer_read_async(out->queue, from, (size_t)(part.offset + piece * PIECE_BYTES),
                                 (size_t)piece_bytes(part, piece), out->pieces[slot], &out->copied[slot]);
}

static mcl_status send_piece(mcl_mpi *mpi, stream *out, mcl__part part, int64_t piece, int rank)
{
    const int slot = (int)(piece % DEPTH), bytes = piece_bytes(part, piece);
    const mcl_status copied = wait_copied(out, piece);
    const mcl_status sent = mcl__mpi_status(
        mpi, MPI_Isend(out->pieces[slot], bytes, MPI_BYTE, rank, TAG, mpi->comm, &out->requests[slot]), "MPI_Isend");
    mpi->bytes_sent += bytes;
    return copied != MCL_OK ? copied : sent;
}

/* ---- in ---------------------------------------------------------------------------------------------------- */

/* Posts the receipt of a piece, once the device has taken what lay in its memory. */
static mcl_status receive_begin(mcl_mpi *mpi, stream *in, mcl__part part, int64_t piece, int rank)
{
    const int slot = (int)(piece % DEPTH);
    const mcl_status copied = wait_copied(in, piece);
    const mcl_status posted = mcl__mpi_status(
        mpi, MPI_Irecv(in->pieces[slot], piece_bytes(part, piece), MPI_BYTE, rank, TAG, mpi->comm, &in->requests[slot]),
        "MPI_Irecv");
    return copied != MCL_OK ? copied : posted;
}

static mcl_status receive_end(mcl_mpi *mpi, stream *in, mcl__part part, int64_t piece, mcl_buffer *to, int works)
{
    const int slot = (int)(piece % DEPTH);
    const mcl_status arrived = wait_message(mpi, in, piece);
    if (arrived != MCL_OK || !works) return arrived;
    return mcl_buffer_write_async(in->queue, to, (size_t)(part.offset + piece * PIECE_BYTES),
                                  (size_t)piece_bytes(part, piece), in->pieces[slot], &in->copied[slot]);
}

/* ---- exchange ---------------------------------------------------------------------------------------------- */

/* Exchanges all pieces to one rank, and all from another. */
static mcl_status exchange_pair(mcl_mpi *mpi, mcl_buffer *from, mcl__part send, int to_rank, mcl_buffer *to,
                                mcl__part receive, int from_rank, mcl_status earlier)
{
    host_state *const state = mpi->transport_state;
    const int64_t out_count = piece_count(send), in_count = piece_count(receive);
    mcl_status status = earlier;
    for (int64_t k = -AHEAD; (k < out_count || k < in_count) && !mpi->lost; ++k) {
        const int64_t next = k + AHEAD;
        const int works = status == MCL_OK;
        if (next < in_count) note(&status, receive_begin(mpi, &state->in, receive, next, from_rank));
        if (next < out_count && !mpi->lost) note(&status, read_begin(mpi, &state->out, send, next, from, works));
        if (k >= 0 && k < out_count && !mpi->lost) note(&status, send_piece(mpi, &state->out, send, k, to_rank));
        if (k >= 0 && k < in_count && !mpi->lost)
            note(&status, receive_end(mpi, &state->in, receive, k, to, status == MCL_OK));
    }
    for (int k = 0; k < DEPTH; ++k) {
        if (!mpi->lost) note(&status, wait_message(mpi, &state->out, k));
        note(&status, wait_copied(&state->out, k));
        note(&status, wait_copied(&state->in, k));
    }
    return status;
}

/* Exchanges in as many rounds as there are other ranks. In each round every rank sends to one and receives from one. */
static mcl_status host_exchange(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                const mcl__part *receives)
{
    host_state *const state = mpi->transport_state;
    mcl_status status = mpi->size > 1 ? mcl__follow(state->in.queue, state->out.queue) : MCL_OK;
    for (int round = 1; round < mpi->size; ++round) {
        const int to_rank = (mpi->rank + round) % mpi->size;
        const int from_rank = (mpi->rank - round + mpi->size) % mpi->size;
        status = exchange_pair(mpi, from, sends[to_rank], to_rank, to, receives[from_rank], from_rank, status);
    }
    return status;
}

const mcl__transport mcl__transport_host = {
    .kind = MCL_MPI_HOST,
    .open = host_open,
    .close = host_close,
    .exchange = host_exchange,
};
