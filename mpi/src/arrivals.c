/* arrivals.c: plans the ranges of a scratch buffer in which runs of other ranks are received, and exchanges the
 * runs. */
#include "arrivals.h"

#include "peers.h"

#include <stdlib.h>

/* ---- the ranks' parts -------------------------------------------------------------------------------------- */

mcl_status mcl__arrivals_begin(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list,
                               const mcl_type *key_type, const mcl_type *value_type, mcl__room part, mcl__room came,
                               mcl__arrivals *out)
{
    *out = (mcl__arrivals){ .cuts = cuts, .list = list };
    out->keys = (mcl__column){ .type = key_type, .part_room = part, .came_room = came };
    out->values = (mcl__column){ .type = value_type, .part_room = part + 1, .came_room = came + 1 };
    status = mcl__part_room(mpi, status, cuts, list, key_type, part, &out->keys.part);
    if (!value_type) return status;
    return mcl__part_room(mpi, status, cuts, list, value_type, out->values.part_room, &out->values.part);
}

static void free_column(mcl__column *column)
{
    free(column->starts);
    free(column->firsts);
    free(column->sends);
    free(column->receives);
    *column = (mcl__column){ 0 };
}

void mcl__arrivals_free(mcl__arrivals *arrivals)
{
    free_column(&arrivals->keys);
    free_column(&arrivals->values);
}

static int is_read(const mcl_mpi *mpi, const mcl__column *column)
{
    return mcl__peer_part(mpi, column->part_room, mpi->rank) != NULL;
}

int mcl__arrivals_are_read(const mcl_mpi *mpi, const mcl__arrivals *arrivals)
{
    return is_read(mpi, &arrivals->keys);
}

/* ---- layout ------------------------------------------------------------------------------------------------ */

/* The unit of byte offsets in an exchange. A received run begins as many bytes after a multiple of ALIGNED as on the
 * rank that sends it. Otherwise NCCL is slower by a third. */
enum { ALIGNED = 16 };

static int64_t aligned_up(int64_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* Returns the index of the first element after byte at that begins skip bytes after a multiple of ALIGNED. */
static int64_t element_after(int64_t at, int64_t skip, int64_t size)
{
    int64_t base = aligned_up(at);
    while ((base + skip) % size != 0) base += ALIGNED;
    return (base + skip) / size;
}

static int64_t size_of(const mcl__column *column)
{
    return (int64_t)column->type->size;
}

/* Returns the number of bytes between a target's first element on a rank and the multiple of ALIGNED before it. */
static int64_t skip_of(const mcl__arrivals *arrivals, const mcl__column *column, int from, int target)
{
    return mcl__cut(arrivals->cuts, arrivals->list, from, target) * size_of(column) % ALIGNED;
}

static void lay_out(mcl_mpi *mpi, const mcl__arrivals *arrivals, const mcl__column *column)
{
    const mcl__cuts *const cuts = arrivals->cuts;
    const int64_t size = size_of(column);
    int64_t first = 0;
    for (int piece = 0; piece < cuts->pieces; ++piece) {
        const int target = mpi->rank * cuts->pieces + piece;
        int64_t at = first * size, all = first;
        column->firsts[piece] = first;
        for (int r = 0; r < mpi->size; ++r) {
            const int64_t count = mcl__part_count(cuts, arrivals->list, r, target);
            int64_t *const start = &column->starts[(int64_t)piece * mpi->size + r];
            *start = first;
            all += count;
            if (r == mpi->rank || count == 0) continue;
            *start = element_after(at, skip_of(arrivals, column, r, target), size);
            at = (*start + count) * size;
        }
        first = element_after(at > all * size ? at : all * size, 0, size);
    }
    column->firsts[cuts->pieces] = first;
}

static mcl_status plan_column(mcl_mpi *mpi, const mcl__arrivals *arrivals, mcl__column *column)
{
    const mcl__cuts *const cuts = arrivals->cuts;
    if (is_read(mpi, column)) return mcl__peers_show(mpi);
    mcl_status status = mcl__array(mpi, mcl__target_count(cuts), sizeof *column->starts, &column->starts);
    MCL__THEN(status, mcl__array(mpi, cuts->pieces + 1, sizeof *column->firsts, &column->firsts));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *column->sends, &column->sends));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *column->receives, &column->receives));
    if (status != MCL_OK) return status;
    lay_out(mpi, arrivals, column);
    return mcl__room_of(mpi, column->came_room, column->firsts[cuts->pieces] * size_of(column), &column->came);
}

mcl_status mcl__arrivals_plan(mcl_mpi *mpi, mcl__arrivals *arrivals)
{
    const mcl_status status = plan_column(mpi, arrivals, &arrivals->keys);
    if (!arrivals->values.type || status != MCL_OK) return status;
    return plan_column(mpi, arrivals, &arrivals->values);
}

/* ---- exchange ---------------------------------------------------------------------------------------------- */

static mcl_status bring_column(mcl_mpi *mpi, const mcl__arrivals *arrivals, const mcl__column *column, int piece)
{
    const mcl__cuts *const cuts = arrivals->cuts;
    const int64_t size = size_of(column);
    for (int r = 0; r < mpi->size; ++r) {
        const int out = r * cuts->pieces + piece, in = mpi->rank * cuts->pieces + piece;
        const int64_t out_count = mcl__part_count(cuts, arrivals->list, mpi->rank, out),
                      in_count = mcl__part_count(cuts, arrivals->list, r, in);
        if (!column->came) {
            if (r != mpi->rank) mpi->bytes_sent += out_count * size;
            continue;
        }
        const int64_t out_skip = skip_of(arrivals, column, mpi->rank, out), in_skip = skip_of(arrivals, column, r, in),
                      start = column->starts[(int64_t)piece * mpi->size + r];
        /* a few bytes before the first element are sent too, so that both sides begin at a multiple of ALIGNED */
        column->sends[r] = (mcl__part){ mcl__cut(cuts, arrivals->list, mpi->rank, out) * size - out_skip,
                                        out_count > 0 ? out_count * size + out_skip : 0 };
        column->receives[r] = (mcl__part){ start * size - in_skip, in_count > 0 ? in_count * size + in_skip : 0 };
    }
    if (!column->came) return MCL_OK;
    return mpi->transport->exchange(mpi, column->part, column->sends, column->came, column->receives);
}

mcl_status mcl__arrivals_bring(mcl_mpi *mpi, const mcl__arrivals *arrivals, int piece)
{
    mcl_status status = bring_column(mpi, arrivals, &arrivals->keys, piece);
    if (arrivals->values.type) {
        const mcl_status also = bring_column(mpi, arrivals, &arrivals->values, piece);
        if (status == MCL_OK) status = also;
    }
    /* also after a failure, since no exchange may continue after the call */
    const mcl_status ended = mcl__exchange_end(mpi);
    if (status == MCL_OK) status = ended;
    if (arrivals->keys.came) mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
    return status;
}

/* Returns a rank's run in a column. This rank's own run is in its part. */
static mcl_input run_of(const mcl_mpi *mpi, const mcl__arrivals *arrivals, const mcl__column *column, int piece,
                        int rank)
{
    const mcl__cuts *const cuts = arrivals->cuts;
    const int target = mpi->rank * cuts->pieces + piece;
    const int64_t count = mcl__part_count(cuts, arrivals->list, rank, target);
    const int is_sent = column->came && rank != mpi->rank;
    if (is_sent)
        return mcl_from_buffer(column->type, column->came, column->starts[(int64_t)piece * mpi->size + rank], count);
    mcl_buffer *const part = rank == mpi->rank ? column->part : mcl__peer_part(mpi, column->part_room, rank);
    return mcl_from_buffer(column->type, part, mcl__cut(cuts, arrivals->list, rank, target), count);
}

mcl__run_of mcl__arrivals_run(const mcl_mpi *mpi, const mcl__arrivals *arrivals, int piece, int rank)
{
    mcl__run_of run = { .keys = run_of(mpi, arrivals, &arrivals->keys, piece, rank) };
    if (arrivals->values.type) run.values = run_of(mpi, arrivals, &arrivals->values, piece, rank);
    return run;
}

int64_t mcl__arrivals_first(const mcl__column *column, int piece)
{
    return column->came ? column->firsts[piece] : 0;
}
