/* transport_host.c: operands travel through host memory, in pieces: while MPI moves one, the device copies the next.
 * No message has more than a piece, so that counts above 2^31 need nothing more of MPI. */
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECE_BYTES = 4 << 20, /* large enough for the bandwidth of PCIe, small enough to overlap */
    DEPTH = 2,             /* pieces of each direction at once */
    TAG = 1
};

/* One direction of the exchange with one rank. */
typedef struct stream {
    unsigned char *pieces[DEPTH];
    MPI_Request requests[DEPTH];
    mcl_event *copied[DEPTH]; /* the device has taken the piece */
} stream;

typedef struct host_state {
    stream out, in;
} host_state;

/* What has failed on this rank stays noted, and the messages go on. */
static void note(mcl_status *status, mcl_status now)
{
    if (*status == MCL_OK) *status = now;
}

static mcl_status host_open(mcl_mpi *mpi)
{
    host_state *state = NULL;
    mcl_status status = mcl__array(mpi, 1, sizeof *state, &state);
    mpi->transport_state = state;
    for (int k = 0; k < DEPTH && status == MCL_OK; ++k) {
        status = mcl__array(mpi, PIECE_BYTES, 1, &state->out.pieces[k]);
        MCL__THEN(status, mcl__array(mpi, PIECE_BYTES, 1, &state->in.pieces[k]));
        state->out.requests[k] = state->in.requests[k] = MPI_REQUEST_NULL;
    }
    return status;
}

static void host_close(mcl_mpi *mpi)
{
    host_state *const state = mpi->transport_state;
    for (int k = 0; state && k < DEPTH; ++k) {
        free(state->out.pieces[k]);
        free(state->in.pieces[k]);
    }
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

/* The device has taken what lay in a piece of memory, so that it may be filled again. */
static mcl_status wait_copied(stream *in, int slot)
{
    mcl_event *const event = in->copied[slot];
    in->copied[slot] = NULL;
    const mcl_status status = event ? mcl_event_wait(event) : MCL_OK;
    mcl_event_release(event);
    return status;
}

/* Posts the receipt of a piece. */
static mcl_status receive_begin(mcl_mpi *mpi, stream *in, mcl__part part, int64_t piece, int rank)
{
    const int slot = (int)(piece % DEPTH);
    const mcl_status copied = wait_copied(in, slot);
    const mcl_status posted = mcl__mpi_status(
        mpi, MPI_Irecv(in->pieces[slot], piece_bytes(part, piece), MPI_BYTE, rank, TAG, mpi->comm, &in->requests[slot]),
        "MPI_Irecv");
    return copied != MCL_OK ? copied : posted;
}

static mcl_status receive_end(mcl_mpi *mpi, stream *in, mcl__part part, int64_t piece, mcl_buffer *to, int works)
{
    const int slot = (int)(piece % DEPTH);
    const mcl_status arrived = mcl__mpi_wait(mpi, MPI_SUCCESS, &in->requests[slot], "MPI_Test");
    if (arrived != MCL_OK || !works) return arrived;
    return mcl_buffer_write_async(mpi->queue, to, (size_t)(part.offset + piece * PIECE_BYTES),
                                  (size_t)piece_bytes(part, piece), in->pieces[slot], &in->copied[slot]);
}

static mcl_status send_piece(mcl_mpi *mpi, stream *out, mcl__part part, int64_t piece, mcl_buffer *from, int rank,
                             int works)
{
    const int slot = (int)(piece % DEPTH), bytes = piece_bytes(part, piece);
    mcl_status status = mcl__mpi_wait(mpi, MPI_SUCCESS, &out->requests[slot], "MPI_Test");
    if (works)
        MCL__THEN(status, mcl_buffer_read(mpi->queue, from, (size_t)(part.offset + piece * PIECE_BYTES), (size_t)bytes,
                                          out->pieces[slot]));
    if (mpi->lost) return status;
    const mcl_status sent = mcl__mpi_status(
        mpi, MPI_Isend(out->pieces[slot], bytes, MPI_BYTE, rank, TAG, mpi->comm, &out->requests[slot]), "MPI_Isend");
    mpi->bytes_sent += bytes;
    return status != MCL_OK ? status : sent;
}

/* All pieces to one rank, and all from another one. */
static mcl_status exchange_pair(mcl_mpi *mpi, mcl_buffer *from, mcl__part send, int to_rank, mcl_buffer *to,
                                mcl__part receive, int from_rank, mcl_status earlier)
{
    host_state *const state = mpi->transport_state;
    const int64_t out_count = piece_count(send), in_count = piece_count(receive);
    mcl_status status = earlier;
    for (int64_t k = 0; k < DEPTH && k < in_count && !mpi->lost; ++k)
        note(&status, receive_begin(mpi, &state->in, receive, k, from_rank));
    for (int64_t k = 0; (k < out_count || k < in_count) && !mpi->lost; ++k) {
        if (k < out_count) note(&status, send_piece(mpi, &state->out, send, k, from, to_rank, status == MCL_OK));
        if (k >= in_count || mpi->lost) continue;
        note(&status, receive_end(mpi, &state->in, receive, k, to, status == MCL_OK));
        if (k + DEPTH < in_count) note(&status, receive_begin(mpi, &state->in, receive, k + DEPTH, from_rank));
    }
    for (int k = 0; k < DEPTH; ++k) {
        if (!mpi->lost) note(&status, mcl__mpi_wait(mpi, MPI_SUCCESS, &state->out.requests[k], "MPI_Test"));
        note(&status, wait_copied(&state->in, k));
    }
    return status;
}

/* In as many rounds as there are other ranks, so that in each everybody sends to one and receives from one. */
static mcl_status host_exchange(mcl_mpi *mpi, mcl_buffer *from, const mcl__part *sends, mcl_buffer *to,
                                const mcl__part *receives)
{
    mcl_status status = MCL_OK;
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
