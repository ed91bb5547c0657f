/* reduce.c: a reduction and a scan of a sequence that lies on all ranks. Each rank folds its part, then the partials of
 * all ranks are folded. */
#include "operators.h"

#include <stdlib.h>

/* A reduction or a scan. */
typedef struct fold_call {
    mcl__fold_part part;            /* this rank's part; parts_before counts the lower ranks that have elements */
    int64_t *counts;                /* number of elements of each rank */
    int parts;                      /* number of ranks that have elements */
    const mcl_type *stored, *total; /* types of the output and of the result; NULL: the call has none */
} fold_call;

/* Counts the elements of all ranks, and plans the fold. */
static mcl_status count_ranks(mcl_mpi *mpi, fold_call *call)
{
    int64_t whole = 0;
    mcl_status status = mcl__gather_all(mpi, &call->part.in.count, call->counts, sizeof call->part.in.count);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        if (r < mpi->rank) call->part.first += call->counts[r];
        call->part.parts_before += r < mpi->rank && call->counts[r] > 0;
        call->parts += call->counts[r] > 0;
        whole += call->counts[r];
    }
    MCL__THEN(status, mcl__fold_results(mpi, call->part.op, call->part.results));
    MCL__THEN(status, mcl__fold_plan(mpi, call->part.op, call->part.in.type, call->part.results, call->part.first,
                                     call->part.options, &call->part.fold));
    MCL__THEN(status, mcl__fold_fits(mpi, &call->part.fold, call->part.op, whole, call->stored));
    MCL__THEN(status, mcl__fold_fits(mpi, &call->part.fold, call->part.op, whole, call->total));
    return mcl__agree(mpi, status);
}

/* Counts the elements, plans the fold, and gathers the partials of all ranks. */
static mcl_status fold_begin(mcl_mpi *mpi, fold_call *call)
{
    MCL__AGREE(mpi, count_ranks(mpi, call));
    return mcl__fold_partials(mpi, &call->part.fold, call->part.in, call->part.options, call->counts,
                              &call->part.partials);
}

/* Checks the options and the count, before the first agreement. */
static mcl_status fold_check(mcl_mpi *mpi, fold_call *call)
{
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *call->counts, &call->counts);
    MCL__THEN(status, mcl__check_options(mpi, call->part.options));
    MCL__THEN(status, mcl__settle_count(mpi, &call->part.in));
    return status;
}

/* Folds the partials of all ranks. If no rank has elements, the core's call decides the result. */
static mcl_status fold_all(mcl_mpi *mpi, const fold_call *call, mcl_result result)
{
    if (call->parts > 0)
        return mcl__fold_join(mpi, &call->part.fold, call->part.partials, call->parts, result, call->part.options);
    return mcl_reduce(mpi->queue, call->part.in, call->part.op, result, call->part.options);
}

static const mcl_type *accumulator(const fold_call *call)
{
    return call->part.op && call->part.op->value ? call->part.op->value : call->part.in.type;
}

static void sign(mcl__signature *signature, const fold_call *call)
{
    mcl__sign_type(signature, "the type of in", call->part.in.type);
    mcl__sign_fold(signature, call->part.op, call->part.in.type, call->part.options);
    mcl__sign_options(signature, call->part.options);
}

static int keeps_bits(const mcl_options *options)
{
    return options && (options->flags & (MCL_DETERMINISTIC | MCL_REPRODUCIBLE)) != 0;
}

/* Reduces such that the result has the bits of the core's call on the whole sequence. With one rank, or without
 * elements, it makes this call. */
static mcl_status reduce_same_bits(mcl_mpi *mpi, fold_call *call, mcl_result result)
{
    MCL__AGREE(mpi, count_ranks(mpi, call));
    if (mpi->size == 1 || call->parts == 0) {
        mcl_options own = mcl__fold_options(&call->part.fold, call->part.options);
        own.initial = call->part.options->initial;
        return mcl_reduce(mpi->queue, call->part.in, call->part.op, result, &own);
    }
    return mcl__fold_by_tree(mpi, &call->part, call->counts, result);
}

static mcl_status reduce(mcl_mpi *mpi, fold_call *call, mcl_result result)
{
    mcl__signature *const signature = mcl__sign(mpi);
    sign(signature, call);
    mcl__sign_given(signature, "the type of result", result.type, accumulator(call));
    MCL__BEGIN(mpi, signature, fold_check(mpi, call));
    if (keeps_bits(call->part.options)) return mcl__agree(mpi, reduce_same_bits(mpi, call, result));
    mcl_status status = fold_begin(mpi, call);
    MCL__THEN(status, fold_all(mpi, call, result));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_reduce(mcl_mpi *mpi, mcl_input in, const mcl_op *op, mcl_result result, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_reduce");
    fold_call call = { .part = { .in = in, .op = op, .options = options, .results = { result.type } },
                       .total = result.type };
    const mcl_status status = reduce(mpi, &call, result);
    free(call.counts);
    return mcl__leave(mpi, status);
}

/* ---- scan -------------------------------------------------------------------------------------------------- */

/* Scans this rank's part. The initial value is the fold of all earlier elements. */
static mcl_status scan_after(mcl_mpi *mpi, const mcl__fold_part *part, mcl_output out, mcl_scan_kind kind)
{
    unsigned char before[MCL_VALUE_BYTES_MAX + 16];
    mcl_options own = mcl__fold_options(&part->fold, part->options);
    mcl_status status = MCL_OK;
    if (part->parts_before > 0) {
        status = mcl__fold_join(mpi, &part->fold, part->partials, part->parts_before,
                                mcl_to_host(part->fold.partial, before), part->options);
        own.initial = before;
    } else {
        own.initial = part->fold.initial;
    }
    MCL__THEN(status, mcl_scan(mpi->queue, part->in, out, &part->fold.local.op, kind, mcl_to_nowhere(), &own));
    return status;
}

/* Makes an expression of the elements with one more element in front, which the operator replaces. */
static mcl_status put_in_front(mcl_mpi *mpi, const mcl__fold_part *part, mcl_input *out)
{
    mcl_input in = part->in;
    mcl_status status = MCL_OK;
    if (!in.buffer) {
        mcl_buffer *stored = NULL;
        status = mcl__room_of(mpi, ROOM_CAME, in.count * (int64_t)in.type->size, &stored);
        MCL__THEN(status, mcl_transform(mpi->queue, in, mcl_to_buffer(in.type, stored, 0, in.count), NULL));
        in = mcl_from_buffer(in.type, stored, 0, in.count);
    }
    /* bindings hold a half as its bits, so they are converted */
    const int is_half = in.type->kind == MCL_KIND_FLOAT && in.type->size == 2;
    const char *const text =
        is_half ? "half_to_float(mcl_elements[i == 0 ? 0 : i - 1])" : "mcl_elements[i == 0 ? 0 : i - 1]";
    const mcl_binding elements = mcl_binding_buffer("mcl_elements", in.type, in.buffer, in.offset);
    *out = mcl_from_expression(in.type, text, NULL, &elements, 1, in.count + 1);
    return status;
}

/* Scans with an operator that tracks an index. Such a scan takes no initial value. So the fold of all earlier elements
 * becomes an element in front, and its own result is dropped. */
static mcl_status scan_indexed(mcl_mpi *mpi, mcl__fold_part *part, mcl_output out, mcl_scan_kind kind)
{
    const int has_total = kind >= MCL_EXCLUSIVE_WITH_TOTAL;
    const int64_t wanted = part->in.count + has_total;
    if (part->parts_before == 0) return scan_after(mpi, part, out, kind);
    if (!out.type || !out.buffer || wanted == 0) return MCL_OK;
    if (out.capacity < wanted)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "out has room for %lld elements; expected %lld",
                           (long long)out.capacity, (long long)wanted);
    if (part->in.count == 0)
        return mcl__fold_join(mpi, &part->fold, part->partials, part->parts_before,
                              mcl_to_slot(out.type, out.buffer, out.offset), part->options);
    const int64_t size = (int64_t)out.type->size;
    mcl_buffer *before = NULL, *made = NULL;
    mcl_input in = part->in;
    mcl_status status = mcl__room_of(mpi, ROOM_SMALL, (int64_t)part->fold.partial->size, &before);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_MERGED, (wanted + 1) * size, &made));
    MCL__THEN(status, mcl__fold_join(mpi, &part->fold, part->partials, part->parts_before,
                                     mcl_to_slot(part->fold.partial, before, 0), part->options));
    MCL__THEN(status, put_in_front(mpi, part, &in));
    const int64_t first = part->first - 1; /* the element in front has an index, too */
    MCL__THEN(status, mcl__fold_plan(mpi, part->op, part->in.type, part->results, first, NULL, &part->fold));
    MCL__THEN(status, mcl__fold_put_before(mpi, &part->fold, before));
    const mcl_options own = mcl__fold_options(&part->fold, part->options);
    MCL__THEN(status, mcl_scan(mpi->queue, in, mcl_to_buffer(out.type, made, 0, wanted + 1), &part->fold.local.op, kind,
                               mcl_to_nowhere(), &own));
    MCL__THEN(status, mcl_buffer_copy(mpi->queue, made, (size_t)size, out.buffer, (size_t)(out.offset * size),
                                      (size_t)(wanted * size)));
    return status;
}

mcl_status mcl__fold_scan(mcl_mpi *mpi, mcl__fold_part *part, mcl_output out, mcl_scan_kind kind)
{
    return part->fold.is_indexed ? scan_indexed(mpi, part, out, kind) : scan_after(mpi, part, out, kind);
}

static mcl_status scan(mcl_mpi *mpi, fold_call *call, mcl_output out, mcl_scan_kind kind, mcl_result total)
{
    mcl__signature *const signature = mcl__sign(mpi);
    sign(signature, call);
    mcl__sign_number(signature, "kind", kind);
    mcl__sign_given(signature, "the type of out", out.type, accumulator(call));
    mcl__sign_given(signature, "the type of total", total.type, accumulator(call));
    MCL__BEGIN(mpi, signature, fold_check(mpi, call));
    mcl_status status = fold_begin(mpi, call);
    /* only the last rank's output has the total */
    const int is_last = mpi->rank == mpi->size - 1;
    const mcl_scan_kind own_kind = is_last || kind < MCL_EXCLUSIVE_WITH_TOTAL ? kind
                                   : kind == MCL_EXCLUSIVE_WITH_TOTAL         ? MCL_EXCLUSIVE
                                                                              : MCL_INCLUSIVE;
    MCL__THEN(status, mcl__fold_scan(mpi, &call->part, out, own_kind));
    if (total.host || total.buffer) MCL__THEN(status, fold_all(mpi, call, total));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_scan(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                        mcl_result total, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_scan");
    fold_call call = { .part = { .in = in, .op = op, .options = options, .results = { out.type, total.type } },
                       .stored = out.type,
                       .total = total.type };
    const mcl_status status = scan(mpi, &call, out, kind, total);
    free(call.counts);
    return mcl__leave(mpi, status);
}
