/* sort.c: sorts a sequence that lies on all ranks. Many elements are first scattered to their ranks, then sorted
 * (scatter.h). Otherwise each rank sorts its part, exact splitters cut the parts into shares, and every rank merges the
 * runs that it receives. */
#include "arrivals.h"
#include "plan.h"
#include "scatter.h"
#include "sort.h"
#include "splitters.h"

#include <stdlib.h>

typedef struct sort_call {
    mcl_input keys, values; /* inputs; values.type is NULL without values */
    int gives_indices;      /* 1 if values are the keys' indices */
    int64_t share;
    mcl_output out_keys, out_values;
    const mcl_op *before;
    mcl_result count;
    const mcl_options *options;
    mcl_options own; /* options of the core's calls */
    mcl__cuts cuts;
    mcl__arrivals arrivals;
    mcl__run_of *runs;
} sort_call;

static int has_values(const sort_call *call)
{
    return call->values.type != NULL;
}

/* Checks the arguments for this rank's own part, before the call's first agreement. */
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

/* Returns the number of pieces of a share. It is the same on all ranks. */
static int pieces_of(const mcl_mpi *mpi, const sort_call *call)
{
    if (mcl__arrivals_are_read(mpi, &call->arrivals)) return 1;
    if (mpi->pieces > 0) return mpi->pieces;
    return mcl__pieces_planned(mpi->size, mcl__total_of(&call->cuts) / mpi->size * (int64_t)call->keys.type->size);
}

/* Sorts this rank's part into scratch buffers. */
static mcl_status sort_part(mcl_mpi *mpi, mcl_status status, sort_call *call)
{
    const mcl_type *const key_type = call->keys.type, *const value_type = call->values.type;
    const int64_t count = call->keys.count;
    mcl__arrivals *const to = &call->arrivals;
    status = mcl__arrivals_begin(mpi, status, &call->cuts, 0, key_type, value_type, ROOM_PART, ROOM_CAME, to);
    MCL__THEN(status, mcl__cuts_split(mpi, &call->cuts, pieces_of(mpi, call)));
    mcl_output values = { 0 };
    if (has_values(call)) values = mcl_to_buffer(value_type, to->values.part, 0, count);
    MCL__THEN(status, sort_into(mpi, call, mcl_to_buffer(key_type, to->keys.part, 0, count), values));
    return status;
}

/* ---- the exchange ------------------------------------------------------------------------------------------ */

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
    for (int r = 0; r < mpi->size; ++r) call->runs[r] = mcl__arrivals_run(mpi, &call->arrivals, piece, r);
    return mcl__merge_piece(mpi, call->runs, mpi->size, mcl__arrivals_first(&call->arrivals.keys, piece),
                            mcl__arrivals_first(&call->arrivals.values, piece), part_of(call->out_keys, at, count),
                            part_of(call->out_values, at, count), call->before, NULL);
}

static mcl_status exchange_and_merge(mcl_mpi *mpi, sort_call *call)
{
    MCL__AGREE(mpi, mcl__arrivals_plan(mpi, &call->arrivals));
    mcl_status status = mcl__exchange_begin(mpi);
    for (int piece = 0; piece < call->cuts.pieces; ++piece) {
        const mcl_status brought = mcl__arrivals_bring(mpi, &call->arrivals, piece);
        if (status == MCL_OK) status = brought;
        MCL__THEN(status, merge(mpi, call, piece));
        mcl__phase_end(mpi, MCL_MPI_MERGE);
    }
    return status;
}

/* Makes a scratch buffer for the sorted keys, if the caller wants indices alone. */
static mcl_status keys_room(mcl_mpi *mpi, sort_call *call)
{
    if (!call->gives_indices) return MCL_OK;
    const int64_t own = mcl__share_of(&call->cuts, mpi->rank);
    mcl_buffer *keys = NULL;
    const mcl_status status = mcl__room_of(mpi, ROOM_UNWANTED, own * (int64_t)call->keys.type->size, &keys);
    call->out_keys = mcl_to_buffer(call->keys.type, keys, 0, own);
    return status;
}

static mcl_status sort_by_merge(mcl_mpi *mpi, mcl_status status, sort_call *call)
{
    MCL__AGREE(mpi, sort_part(mpi, status, call));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    const mcl_input sorted = mcl_from_buffer(call->keys.type, call->arrivals.keys.part, 0, call->keys.count);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, &call->cuts, &sorted, call->before));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    return exchange_and_merge(mpi, call);
}

static mcl_status sort_by_scatter(mcl_mpi *mpi, mcl_status status, sort_call *call)
{
    int is_declined = 0;
    const mcl__scatter_sort sort = { .keys = call->keys,
                                     .values = call->values,
                                     .out_keys = call->out_keys,
                                     .out_values = call->out_values,
                                     .before = call->before,
                                     .options = &call->own,
                                     .cuts = &call->cuts };
    status = mcl__sort_by_scatter(mpi, status, &sort, &is_declined);
    return is_declined ? sort_by_merge(mpi, status, call) : status;
}

static mcl_status sort_run(mcl_mpi *mpi, sort_call *call)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of keys", call->keys.type);
    mcl__sign_type(signature, "the type of values", call->values.type);
    mcl__sign_op(signature, "before", call->before);
    mcl__sign_options(signature, call->options);
    MCL__BEGIN(mpi, signature, check(mpi, call));
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &call->keys.count, 1, call->share, &call->cuts));
    if (call->gives_indices) {
        const int64_t first = mcl__first_of(&call->cuts, 0, mpi->rank);
        call->values = mcl_from_counting(MCL_INT64, &first, call->keys.count);
    }
    mcl_status status = check_outputs(mpi, call);
    MCL__THEN(status, keys_room(mpi, call));
    if (mpi->size == 1)
        MCL__THEN(status, sort_into(mpi, call, call->out_keys, call->out_values));
    else if (mcl__scatters(mpi, &call->cuts, call->before))
        status = sort_by_scatter(mpi, status, call);
    else
        status = sort_by_merge(mpi, status, call);
    MCL__THEN(status, mcl__store_number(mpi, mcl__share_of(&call->cuts, mpi->rank), call->count));
    return mcl__agree(mpi, status);
}

static mcl_status sort_call_run(mcl_mpi *mpi, sort_call *call)
{
    call->own = mcl__own_options(call->options);
    const mcl_status status = sort_run(mpi, call);
    mcl__cuts_free(&call->cuts);
    mcl__arrivals_free(&call->arrivals);
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
