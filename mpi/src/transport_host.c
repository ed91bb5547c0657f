/* transport_host.c: exchanges operands through host memory, in pieces. While one piece of each direction is sent, the
 * device copies the next piece to the host and the piece before from the host. The copies of each direction have a
 * queue of their own, so that both run at the same time. A message has at most a piece, so a part of more than 2^31
 * bytes needs no other functions of MPI. */
#include "cuda_driver.h"
#include "messages.h"

#include <stdlib.h>

enum {
    PIECE_BYTES = 4 << 20, /* bytes of a piece: enough for PCIe's bandwidth, and few enough to overlap */
    DEPTH = 2,             /* pieces of each direction in memory: one is sent, one is copied */
    PAGE_BYTES = 4096
};

/* One direction of an exchange. */
typedef struct stream {
    mcl_queue *queue; /* queue of this direction's copies */
    unsigned char *pieces[DEPTH];
    mcl_event *copied[DEPTH]; /* event after which the device does not use the piece any more */
} stream;

typedef struct host_state {
    unsigned char *memory; /* memory of the pieces of both directions */
    int is_locked;
    mcl__cuda_driver driver; /* driver that locks the memory */
    stream out, in;
} host_state;

/* Keeps the first failure of this rank, while messages go on. */
static void note(mcl_status *status, mcl_status now)
{
    if (*status == MCL_OK) *status = now;
}

/* Locks the pages for a CUDA device. Otherwise the driver copies through its own memory, and waits. If pages cannot be
 * locked, they are used as they are. */
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
    for (int k = 0; k < DEPTH; ++k) s->pieces[k] = memory + (size_t)k * PIECE_BYTES;
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

static size_t piece_bytes(mcl__part part, int64_t piece)
{
    const int64_t left = part.bytes - piece * PIECE_BYTES;
    return (size_t)(left < PIECE_BYTES ? left : PIECE_BYTES);
}

static int64_t piece_count(mcl__part part)
{
    return (part.bytes + PIECE_BYTES - 1) / PIECE_BYTES;
}

/* Waits until the device does not use a piece's memory any more. */
static mcl_status wait_copied(stream *s, int64_t piece)
{
    mcl_event *const event = s->copied[piece % DEPTH];
    s->copied[piece % DEPTH] = NULL;
    const mcl_status status = event ? mcl_event_wait(event) : MCL_OK;
    mcl_event_release(event);
    return status;
}

/* Begins to copy a piece from the device to the host. */
static mcl_status read_begin(stream *out, mcl__part part, int64_t piece, mcl_buffer *from)
{
    return mcl_buffer_read_async(out->queue, from, (size_t)(part.offset + piece * PIECE_BYTES),
                                 piece_bytes(part, piece), out->pieces[piece % DEPTH], &out->copied[piece % DEPTH]);
}

/* Begins to copy a piece from the host to the device. */
static mcl_status write_begin(stream *in, mcl__part part, int64_t piece, mcl_buffer *to)
{
    return mcl_buffer_write_async(in->queue, to, (size_t)(part.offset + piece * PIECE_BYTES), piece_bytes(part, piece),
                                  in->pieces[piece % DEPTH], &in->copied[piece % DEPTH]);
}

/* ---- exchange ---------------------------------------------------------------------------------------------- */

/* An exchange that sends to one rank, and receives from one rank. */
typedef struct pair {
    mcl_buffer *from, *to;
    mcl__part send, receive;
    int to_rank, from_rank;
} pair;

/* Sends and receives a piece, after the device has finished with the memory of both. */
static mcl_status move_pieces(mcl_mpi *mpi, const pair *of, int64_t piece)
{
    host_state *const state = mpi->transport_state;
    mcl_status status = MCL_OK;
    if (piece < piece_count(of->send)) {
        const size_t bytes = piece_bytes(of->send, piece);
        note(&status, wait_copied(&state->out, piece));
        note(&status, mcl__send(mpi, of->to_rank, state->out.pieces[piece % DEPTH], bytes));
        mpi->bytes_sent += (int64_t)bytes;
    }
    if (piece < piece_count(of->receive) && !mpi->lost) {
        note(&status, wait_copied(&state->in, piece));
        note(&status,
             mcl__receive(mpi, of->from_rank, state->in.pieces[piece % DEPTH], piece_bytes(of->receive, piece)));
    }
    if (!mpi->lost) note(&status, mcl__group(mpi));
    return status;
}

/* Sends all pieces to one rank, and receives all pieces from one rank. earlier: status before the exchange. */
static mcl_status exchange_pair(mcl_mpi *mpi, const pair *of, mcl_status earlier)
{
    host_state *const state = mpi->transport_state;
    const int64_t out_count = piece_count(of->send), in_count = piece_count(of->receive);
    mcl_status status = earlier;
    for (int64_t k = -1; (k < out_count || k < in_count) && !mpi->lost; ++k) {
        if (k + 1 < out_count && status == MCL_OK) status = read_begin(&state->out, of->send, k + 1, of->from);
        if (k < 0) continue;
        note(&status, move_pieces(mpi, of, k));
        if (k < in_count && status == MCL_OK) status = write_begin(&state->in, of->receive, k, of->to);
    }
    for (int k = 0; k < DEPTH; ++k) {
        note(&status, wait_copied(&state->out, k));
        note(&status, wait_copied(&state->in, k));
    }
    return status;
}

/* Exchanges in rounds, one for each other rank. In a round every rank sends to one rank and receives from one rank. */
static mcl_status host_exchange(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                const mcl__part *receives)
{
    host_state *const state = mpi->transport_state;
    mcl_status status = mpi->size > 1 ? mcl__follow(state->in.queue, state->out.queue) : MCL_OK;
    for (int round = 1; round < mpi->size; ++round) {
        const int to_rank = (mpi->rank + round) % mpi->size;
        const int from_rank = (mpi->rank - round + mpi->size) % mpi->size;
        const pair of = { from, to, sends[to_rank], receives[from_rank], to_rank, from_rank };
        status = exchange_pair(mpi, &of, status);
    }
    return status;
}

const mcl__transport mcl__transport_host = {
    .kind = MCL_MPI_HOST,
    .open = host_open,
    .close = host_close,
    .exchange = host_exchange,
};
