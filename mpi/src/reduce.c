/* reduce.c: a reduction and a scan of a sequence that lies on all ranks: of each rank's part, and of the partials. */
#include "operators.h"

#include <stdlib.h>

/* A call of either kind after its first agreement. */
typedef struct fold_call {
    mcl_input in;
    const mcl_op *op;
    const mcl_options *options;
    int64_t *counts;         /* of all ranks */
    int64_t first;           /* index of this rank's first element */
    int parts_before, parts; /* ranks before this one that have elements; all that have */
    mcl__fold fold;
    mcl_buffer *partials;
} fold_call;

/* Counts and partials of all ranks. */
static mcl_status fold_begin(mcl_mpi *mpi, fold_call *call)
{
    mcl_status status = mcl__gather_all(mpi, &call->in.count, call->counts, sizeof call->in.count);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        if (r < mpi->rank) call->first += call->counts[r];
        call->parts_before += r < mpi->rank && call->counts[r] > 0;
        call->parts += call->counts[r] > 0;
    }
    MCL__THEN(status, mcl__fold_plan(mpi, call->op, call->in.type, call->first, call->options, &call->fold));
    MCL__AGREE(mpi, status);
    return mcl__fold_partials(mpi, &call->fold, call->in, call->options, call->counts, &call->partials);
}

/* What every rank checks before the first agreement. */
static mcl_status fold_check(mcl_mpi *mpi, fold_call *call)
{
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *call->counts, &call->counts);
    MCL__THEN(status, mcl__check_options(mpi, call->options));
    MCL__THEN(status, mcl__settle_count(mpi, &call->in));
    return status;
}

/* The fold of nothing is for the core to say. */
static mcl_status fold_all(mcl_mpi *mpi, const fold_call *call, mcl_result result)
{
    if (call->parts > 0) return mcl__fold_join(mpi, &call->fold, call->partials, call->parts, result, call->options);
    return mcl_reduce(mpi->queue, call->in, call->op, result, call->options);
}

static mcl_status reduce(mcl_mpi *mpi, fold_call *call, mcl_result result)
{
    mcl__signature signature = mcl__sign(mpi->function);
    mcl__sign_type(&signature, call->in.type);
    mcl__sign_op(&signature, call->op);
    MCL__BEGIN(mpi, &signature, fold_check(mpi, call));
    mcl_status status = fold_begin(mpi, call);
    MCL__THEN(status, fold_all(mpi, call, result));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_reduce(mcl_mpi *mpi, mcl_input in, const mcl_op *op, mcl_result result, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_reduce");
    fold_call call = { .in = in, .op = op, .options = options };
    const mcl_status status = reduce(mpi, &call, result);
    free(call.counts);
    return status;
}

/* ---- scan -------------------------------------------------------------------------------------------------- */

/* The fold of all before this rank, as the initial value of its scan. */
static mcl_status scan_after(mcl_mpi *mpi, const fold_call *call, mcl_output out, mcl_scan_kind kind)
{
    unsigned char before[MCL_VALUE_BYTES_MAX + 16];
    mcl_options own = mcl__fold_options(&call->fold, call->options);
    mcl_status status = MCL_OK;
    if (call->parts_before > 0) {
        status = mcl__fold_join(mpi, &call->fold, call->partials, call->parts_before,
                                mcl_to_host(call->fold.partial, before), call->options);
        own.initial = before;
    } else {
        own.initial = call->fold.initial;
    }
    MCL__THEN(status, mcl_scan(mpi->queue, call->in, out, &call->fold.local.op, kind, mcl_to_nowhere(), &own));
    return status;
}

/* The elements with one more in front. */
static mcl_status put_in_front(mcl_mpi *mpi, const fold_call *call, mcl_input *out)
{
    mcl_input in = call->in;
    mcl_status status = MCL_OK;
    if (!in.buffer) {
        mcl_buffer *stored = NULL;
        status = mcl__room_of(mpi, ROOM_CAME, in.count * (int64_t)in.type->size, &stored);
        MCL__THEN(status, mcl_transform(mpi->queue, in, mcl_to_buffer(in.type, stored, 0, in.count), NULL));
        in = mcl_from_buffer(in.type, stored, 0, in.count);
    }
    const mcl_binding elements = mcl_binding_buffer("mcl_elements", in.type, in.buffer, in.offset);
    *out = mcl_from_expression(in.type, "mcl_elements[i == 0 ? 0 : i - 1]", NULL, &elements, 1, in.count + 1);
    return status;
}

/* Operators that track an index take no initial value. So the fold of all before stands in front of the elements, and
 * what is stored of it is left out. */
static mcl_status scan_indexed(mcl_mpi *mpi, fold_call *call, mcl_output out, mcl_scan_kind kind)
{
    const int has_total = kind >= MCL_EXCLUSIVE_WITH_TOTAL;
    const int64_t wanted = call->in.count + has_total;
    if (call->parts_before == 0) return scan_after(mpi, call, out, kind);
    if (!out.type || !out.buffer || wanted == 0) return MCL_OK;
    if (out.capacity < wanted)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "out has room for %lld elements; expected %lld",
                           (long long)out.capacity, (long long)wanted);
    if (call->in.count == 0)
        return mcl__fold_join(mpi, &call->fold, call->partials, call->parts,
                              mcl_to_slot(out.type, out.buffer, out.offset), call->options);
    const int64_t size = (int64_t)out.type->size;
    mcl_buffer *before = NULL, *made = NULL;
    mcl_input in = call->in;
    mcl_status status = mcl__room_of(mpi, ROOM_SMALL, (int64_t)call->fold.partial->size, &before);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_MERGED, (wanted + 1) * size, &made));
    MCL__THEN(status, mcl__fold_join(mpi, &call->fold, call->partials, call->parts_before,
                                     mcl_to_slot(call->fold.partial, before, 0), call->options));
    MCL__THEN(status, put_in_front(mpi, call, &in));
    const int64_t first = call->first - 1; /* the element in front takes one index */
    MCL__THEN(status, mcl__fold_plan(mpi, call->op, call->in.type, first, NULL, &call->fold));
    MCL__THEN(status, mcl__fold_put_before(mpi, &call->fold, before));
    const mcl_options own = mcl__fold_options(&call->fold, call->options);
    MCL__THEN(status, mcl_scan(mpi->queue, in, mcl_to_buffer(out.type, made, 0, wanted + 1), &call->fold.local.op, kind,
                               mcl_to_nowhere(), &own));
    MCL__THEN(status, mcl_buffer_copy(mpi->queue, made, (size_t)size, out.buffer, (size_t)(out.offset * size),
                                      (size_t)(wanted * size)));
    return status;
}

static mcl_status scan(mcl_mpi *mpi, fold_call *call, mcl_output out, mcl_scan_kind kind, mcl_result total)
{
    mcl__signature signature = mcl__sign(mpi->function);
    mcl__sign_type(&signature, call->in.type);
    mcl__sign_op(&signature, call->op);
    mcl__sign_number(&signature, "kind", kind);
    MCL__BEGIN(mpi, &signature, fold_check(mpi, call));
    mcl_status status = fold_begin(mpi, call);
    /* Only the last rank's output has the total. */
    const int is_last = mpi->rank == mpi->size - 1;
    const mcl_scan_kind own_kind = is_last || kind < MCL_EXCLUSIVE_WITH_TOTAL ? kind
                                   : kind == MCL_EXCLUSIVE_WITH_TOTAL         ? MCL_EXCLUSIVE
                                                                              : MCL_INCLUSIVE;
    MCL__THEN(status,
              call->fold.is_indexed ? scan_indexed(mpi, call, out, own_kind) : scan_after(mpi, call, out, own_kind));
    if (total.host || total.buffer) MCL__THEN(status, fold_all(mpi, call, total));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_scan(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                        mcl_result total, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_scan");
    fold_call call = { .in = in, .op = op, .options = options };
    const mcl_status status = scan(mpi, &call, out, kind, total);
    free(call.counts);
    return status;
}
