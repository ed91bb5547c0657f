/* sort.c: sorts a sequence that lies on all ranks: each rank sorts its part, exact splitters cut all parts into the
 * ranks' shares, and every rank merges what it gets. */
#include "plan.h"
#include "runs.h"
#include "select.h"
#include "splitters.h"

#include <stdlib.h>

/* What the ranks send of the keys or the values. */
typedef struct came {
    mcl__pieces pieces;
    mcl_buffer *buffer;
} came;

typedef struct sort_call {
    mcl_input keys, values; /* values.type is NULL where there are none */
    int gives_indices;      /* values are the keys' indices */
    int64_t share;
    mcl_output out_keys, out_values;
    const mcl_op *before;
    mcl_result count;
    const mcl_options *options;
    mcl_options own; /* of the core's calls */
    mcl__cuts cuts;
    mcl__run_of sorted; /* this rank's part */
    came came_keys, came_values;
    mcl__run_of *runs;
} sort_call;

static int has_values(const sort_call *call)
{
    return call->values.type != NULL;
}

/* What the rank's own part needs of the call, before its first agreement. */
static mcl_status check(mcl_mpi *mpi, sort_call *call)
{
    mcl_status status = mcl__check_options(mpi, call->options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->keys));
    if (status == MCL_OK && has_values(call) && !call->gives_indices) {
        if (call->values.count < call->keys.count)
            status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has %lld elements; expected %lld, as many as keys",
                                 (long long)call->values.count, (long long)call->keys.count);
        call->values.count = call->keys.count;
        call->values.count_slot = NULL;
    }
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *call->runs, &call->runs));
    return status;
}

static mcl_status check_outputs(mcl_mpi *mpi, const sort_call *call)
{
    const int64_t own = mcl__share_of(&call->cuts, mpi->rank);
    mcl_status status = MCL_OK;
    if (!call->gives_indices) status = mcl__check_output(mpi, call->out_keys, call->keys.type, own, "out");
    if (has_values(call))
        MCL__THEN(status, mcl__check_output(mpi, call->out_values, call->values.type, own, "out_values"));
    return status;
}

/* ---- the rank's own part ----------------------------------------------------------------------------------- */

static mcl_status sort_into(mcl_mpi *mpi, const sort_call *call, mcl_output keys, mcl_output values)
{
    if (!has_values(call)) return mcl_sort(mpi->queue, call->keys, keys, call->before, &call->own);
    return mcl_sort_pairs(mpi->queue, call->keys, call->values, keys, values, call->before, &call->own);
}

/* Rooms for the rank's part, and the sort. */
static mcl_status sort_part(mcl_mpi *mpi, sort_call *call)
{
    const mcl_type *const type = call->keys.type;
    const int64_t count = call->keys.count;
    mcl_buffer *keys = NULL, *values = NULL;
    mcl_output to_values = { 0 };
    mcl_status status = mcl__room_of(mpi, ROOM_SORTED, count * (int64_t)type->size, &keys);
    const mcl_output to_keys = mcl_to_buffer(type, keys, 0, count);
    if (has_values(call)) {
        MCL__THEN(status, mcl__room_of(mpi, ROOM_SORTED_VALUES, count * (int64_t)call->values.type->size, &values));
        to_values = mcl_to_buffer(call->values.type, values, 0, count);
    }
    MCL__THEN(status, sort_into(mpi, call, to_keys, to_values));
    call->sorted.keys = mcl_from_buffer(type, keys, 0, count);
    if (has_values(call)) call->sorted.values = mcl_from_buffer(call->values.type, values, 0, count);
    return status;
}

/* ---- the exchange ------------------------------------------------------------------------------------------ */

/* All ranks have the same number. */
static int pieces_of(const mcl_mpi *mpi, const sort_call *call)
{
    if (mpi->pieces > 0) return mpi->pieces;
    return mcl__pieces_planned(mpi->size, mcl__total_of(&call->cuts) / mpi->size * (int64_t)call->keys.type->size);
}

/* Where what comes goes, and the exchange's plan. */
static mcl_status plan_exchange(mcl_mpi *mpi, sort_call *call)
{
    const mcl_type *const key_type = call->keys.type, *const value_type = call->values.type;
    mcl_status status = mcl__pieces_plan(mpi, &call->cuts, 0, key_type, &call->came_keys.pieces);
    MCL__THEN(status,
              mcl__room_of(mpi, ROOM_CAME, mcl__pieces_bytes(&call->came_keys.pieces), &call->came_keys.buffer));
    if (!has_values(call)) return status;
    MCL__THEN(status, mcl__pieces_plan(mpi, &call->cuts, 0, value_type, &call->came_values.pieces));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME_VALUES, mcl__pieces_bytes(&call->came_values.pieces),
                                   &call->came_values.buffer));
    return status;
}

/* The exchange of one piece. Where a rank has failed, the messages still go their way. */
static mcl_status exchange(mcl_mpi *mpi, const sort_call *call, int piece)
{
    mcl_status status =
        mcl__pieces_exchange(mpi, &call->came_keys.pieces, piece, call->sorted.keys.buffer, call->came_keys.buffer);
    if (has_values(call)) {
        const mcl_status also = mcl__pieces_exchange(mpi, &call->came_values.pieces, piece, call->sorted.values.buffer,
                                                     call->came_values.buffer);
        if (status == MCL_OK) status = also;
    }
    MCL__THEN(status, mcl__exchange_end(mpi));
    return status;
}

/* What a rank has sent of a piece; what is this rank's own stays where it is. */
static mcl_input run_of(const mcl_mpi *mpi, const came *from, const mcl_input *sorted, int rank, int piece)
{
    const mcl__cuts *const cuts = from->pieces.cuts;
    const int target = mpi->rank * cuts->pieces + piece;
    const int64_t count = mcl__part_count(cuts, 0, rank, target);
    if (rank == mpi->rank) return mcl_from_buffer(sorted->type, sorted->buffer, mcl__cut(cuts, 0, rank, target), count);
    return mcl_from_buffer(sorted->type, from->buffer, mcl__pieces_start(&from->pieces, piece, rank), count);
}

static mcl_output part_of(mcl_output out, int64_t at, int64_t count)
{
    if (!out.type) return out;
    return mcl_to_buffer(out.type, out.buffer, out.offset + at, count);
}

static mcl_status merge(mcl_mpi *mpi, const sort_call *call, int piece)
{
    const mcl__cuts *const cuts = &call->cuts;
    const int first = mpi->rank * cuts->pieces, target = first + piece;
    const int64_t at = cuts->boundaries[target] - cuts->boundaries[first];
    const int64_t count = cuts->boundaries[target + 1] - cuts->boundaries[target];
    int64_t values_at = 0;
    for (int r = 0; r < mpi->size; ++r) {
        call->runs[r] = (mcl__run_of){ .keys = run_of(mpi, &call->came_keys, &call->sorted.keys, r, piece) };
        if (has_values(call)) call->runs[r].values = run_of(mpi, &call->came_values, &call->sorted.values, r, piece);
    }
    if (has_values(call)) values_at = call->came_values.pieces.firsts[piece];
    return mcl__merge_piece(mpi, call->runs, mpi->size, call->came_keys.pieces.firsts[piece], values_at,
                            part_of(call->out_keys, at, count), part_of(call->out_values, at, count), call->before,
                            NULL);
}

static mcl_status exchange_and_merge(mcl_mpi *mpi, sort_call *call)
{
    MCL__AGREE(mpi, plan_exchange(mpi, call));
    mcl_status status = mcl__exchange_begin(mpi);
    for (int piece = 0; piece < call->cuts.pieces; ++piece) {
        const mcl_status exchanged = exchange(mpi, call, piece);
        if (status == MCL_OK) status = exchanged;
        mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
        MCL__THEN(status, merge(mpi, call, piece));
        mcl__phase_end(mpi, MCL_MPI_MERGE);
    }
    return status;
}

/* Where keys go that nobody wants. */
static mcl_status keys_room(mcl_mpi *mpi, sort_call *call)
{
    if (!call->gives_indices) return MCL_OK;
    const int64_t own = mcl__share_of(&call->cuts, mpi->rank);
    mcl_buffer *keys = NULL;
    const mcl_status status = mcl__room_of(mpi, ROOM_UNWANTED, own * (int64_t)call->keys.type->size, &keys);
    call->out_keys = mcl_to_buffer(call->keys.type, keys, 0, own);
    return status;
}

static mcl_status sort_run(mcl_mpi *mpi, sort_call *call)
{
    mcl__signature signature = mcl__sign(mpi->function);
    mcl__sign_type(&signature, call->keys.type);
    if (has_values(call)) mcl__sign_type(&signature, call->values.type);
    mcl__sign_op(&signature, call->before);
    MCL__BEGIN(mpi, &signature, check(mpi, call));
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &call->keys.count, 1, call->share, &call->cuts));
    if (call->gives_indices) {
        const int64_t first = mcl__first_of(&call->cuts, 0, mpi->rank);
        call->values = mcl_from_counting(MCL_INT64, &first, call->keys.count);
    }
    mcl_status status = check_outputs(mpi, call);
    MCL__THEN(status, keys_room(mpi, call));
    if (mpi->size == 1) {
        MCL__THEN(status, sort_into(mpi, call, call->out_keys, call->out_values));
    } else {
        MCL__THEN(status, mcl__cuts_split(mpi, &call->cuts, pieces_of(mpi, call)));
        MCL__THEN(status, sort_part(mpi, call));
        MCL__AGREE(mpi, status);
        mcl__phase_end(mpi, MCL_MPI_LOCAL);
        MCL__AGREE(mpi, mcl__find_splitters(mpi, &call->cuts, &call->sorted.keys, call->before));
        mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
        status = exchange_and_merge(mpi, call);
    }
    MCL__THEN(status, mcl__store_number(mpi, mcl__share_of(&call->cuts, mpi->rank), call->count));
    return mcl__agree(mpi, status);
}

static mcl_status sort_call_run(mcl_mpi *mpi, sort_call *call)
{
    call->own = mcl__own_options(call->options);
    const mcl_status status = sort_run(mpi, call);
    mcl__cuts_free(&call->cuts);
    mcl__pieces_free(&call->came_keys.pieces);
    mcl__pieces_free(&call->came_values.pieces);
    free(call->runs);
    return status;
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

mcl_status mcl__sort_shares(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out, const mcl_op *before,
                            mcl_result count, const mcl_options *options)
{
    sort_call call = {
        .keys = keys, .share = share, .out_keys = out, .before = before, .count = count, .options = options
    };
    return sort_call_run(mpi, &call);
}

mcl_status mcl_mpi_sort(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out, const mcl_op *before,
                        mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_sort");
    return mcl__sort_shares(mpi, keys, share, out, before, count, options);
}

mcl_status mcl_mpi_sort_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, int64_t share, mcl_output out_keys,
                              mcl_output out_values, const mcl_op *before, mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_sort_pairs");
    sort_call call = { .keys = keys,
                       .values = values,
                       .share = share,
                       .out_keys = out_keys,
                       .out_values = out_values,
                       .before = before,
                       .count = count,
                       .options = options };
    return sort_call_run(mpi, &call);
}

mcl_status mcl_mpi_sort_indices(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out, const mcl_op *before,
                                mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_sort_indices");
    sort_call call = { .keys = keys,
                       .values = { .type = MCL_INT64 },
                       .gives_indices = 1,
                       .share = share,
                       .out_values = out,
                       .before = before,
                       .count = count,
                       .options = options };
    return sort_call_run(mpi, &call);
}
