/* segmented.c: reductions and scans of segments in a sequence that lies on all ranks, and scans of its runs. Each rank
 * does its own part. Then a segment on several ranks is folded from the partials of these ranks. */
#include "edges.h"
#include "heads.h"
#include "operators.h"

#include <stdlib.h>
#include <string.h>

/* The partials at a rank's edges, which all ranks gather. */
typedef struct edge {
    int64_t listed, ends_last;
    int64_t first_count,
        last_count; /* elements of the segment that continues here, and of the last one that begins here */
    unsigned char first[MCL_VALUE_BYTES_MAX + 16], last[MCL_VALUE_BYTES_MAX + 16]; /* partials of these two segments */
} edge;

typedef struct segmented_call {
    mcl__fold_part part;
    mcl_segments segments;
    mcl_input keys; /* keys of a scan by key; their type is NULL otherwise */
    const mcl_op *equal;
    mcl_output out;
    mcl_scan_kind kind;
    mcl_result count, whole;
    mcl__heads heads;
    edge *edges;
    unsigned char *chain; /* partials of one segment, in the order of ranks */
} segmented_call;

/* ---- edges ------------------------------------------------------------------------------------------------- */

static mcl_status fold_first(mcl_mpi *mpi, const segmented_call *call, const mcl_op *local, edge *mine)
{
    const mcl_options own = mcl__fold_options(&call->part.fold, call->part.options);
    mcl_input in = call->part.in;
    in.count = mine->first_count;
    if (in.count == 0) return MCL_OK;
    return mcl_reduce(mpi->queue, in, local, mcl_to_host(call->part.fold.partial, mine->first), &own);
}

static mcl_status fold_last(mcl_mpi *mpi, const segmented_call *call, const mcl_op *local, edge *mine)
{
    const mcl_options own = mcl__fold_options(&call->part.fold, call->part.options);
    const mcl_type *const partial = call->part.fold.partial;
    const int64_t offsets[] = { call->heads.last_head, call->heads.count };
    mcl_buffer *list = NULL, *folded = NULL;
    if (mine->last_count == 0) return MCL_OK;
    mcl_status status = mcl__room_of(mpi, ROOM_LEFT_VALUES, sizeof offsets, &list);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_RIGHT_VALUES, (int64_t)partial->size, &folded));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, list, 0, sizeof offsets, offsets));
    MCL__THEN(status, mcl_segmented_reduce(mpi->queue, call->part.in,
                                           mcl_segments_from_offsets(mcl_from_buffer(MCL_INT64, list, 0, 2)),
                                           mcl_to_buffer(partial, folded, 0, 1), local, mcl_to_nowhere(), &own));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, folded, 0, partial->size, mine->last));
    return status;
}

static mcl_status gather_edges(mcl_mpi *mpi, segmented_call *call)
{
    const mcl__heads *const heads = &call->heads;
    const int is_open = heads->segment_count > 0 && !heads->ends_last;
    edge mine = { .listed = heads->list.count,
                  .ends_last = heads->ends_last,
                  .first_count = heads->first_head,
                  .last_count = is_open ? heads->count - heads->last_head : 0 };
    mcl_op local = call->part.fold.local.op;
    local.combine = NULL;
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *call->edges, &call->edges);
    MCL__THEN(status, mcl__array(mpi, mpi->size + 1, call->part.fold.partial->size, &call->chain));
    MCL__THEN(status, fold_first(mpi, call, &local, &mine));
    MCL__THEN(status, fold_last(mpi, call, &local, &mine));
    MCL__AGREE(mpi, status);
    return mcl__gather_edges(mpi, &mine, call->edges, sizeof mine);
}

/* Adds a partial to the chain, unless it is of no elements. */
static void add_link(segmented_call *call, int64_t elements, const unsigned char *partial)
{
    const size_t size = call->part.fold.partial->size;
    if (elements > 0) memcpy(call->chain + (size_t)call->part.parts_before++ * size, partial, size);
}

/* Makes the chain of the last segment that begins on this rank: its partials here and on later ranks. Returns 0 if
 * later ranks have none of it. */
static int chain_after(const mcl_mpi *mpi, segmented_call *call)
{
    const edge *const mine = &call->edges[mpi->rank];
    add_link(call, mine->last_count, mine->last);
    const int own = call->part.parts_before;
    if (call->heads.segment_count == 0 || mine->ends_last) return 0;
    for (int r = mpi->rank + 1; r < mpi->size; ++r) {
        add_link(call, call->edges[r].first_count, call->edges[r].first);
        if (call->edges[r].listed > 0) break;
    }
    return call->part.parts_before > own;
}

/* Makes the chain of the segment that continues on this rank, from the rank where it begins. Returns 0 if there is no
 * such segment. */
static int chain_before(const mcl_mpi *mpi, segmented_call *call)
{
    int begin = mpi->rank - 1;
    while (begin >= 0 && call->edges[begin].listed == 0) --begin;
    if (begin < 0 || call->edges[begin].ends_last) return 0;
    add_link(call, call->edges[begin].last_count, call->edges[begin].last);
    for (int r = begin + 1; r < mpi->rank; ++r) add_link(call, call->edges[r].first_count, call->edges[r].first);
    return 1;
}

/* Stores the chain in a buffer. */
static mcl_status store_chain(mcl_mpi *mpi, segmented_call *call)
{
    const size_t bytes = (size_t)call->part.parts_before * call->part.fold.partial->size;
    mcl_status status = mcl__room_of(mpi, ROOM_PARTIALS, (int64_t)bytes, &call->part.partials);
    if (bytes > 0) MCL__THEN(status, mcl_buffer_write(mpi->queue, call->part.partials, 0, bytes, call->chain));
    return status;
}

/* ---- the rank's own part ----------------------------------------------------------------------------------- */

static mcl_options own_options(const segmented_call *call)
{
    mcl_options own = mcl__fold_options(&call->part.fold, call->part.options);
    own.initial = call->part.fold.initial;
    return own;
}

static mcl_segments own_segments(const mcl__heads *heads)
{
    return heads->ends_last ? mcl_segments_from_offsets(heads->list) : mcl_segments_from_begins(heads->list);
}

static mcl_status reduce_own(mcl_mpi *mpi, segmented_call *call)
{
    const int64_t count = call->heads.segment_count;
    const mcl_options own = own_options(call);
    const mcl_output out = call->out;
    if (!out.buffer || out.capacity == 0 || count == 0) return MCL_OK;
    if (out.capacity < count)
        return mcl__refuse(mpi, MCL_ERROR_CAPACITY, "out has room for %lld elements; needed are %lld",
                           (long long)out.capacity, (long long)count);
    mcl_status status = mcl_segmented_reduce(mpi->queue, call->part.in, own_segments(&call->heads), out,
                                             &call->part.fold.local.op, mcl_to_nowhere(), &own);
    if (!chain_after(mpi, call)) return status;
    MCL__THEN(status, store_chain(mpi, call));
    MCL__THEN(status, mcl__fold_join(mpi, &call->part.fold, call->part.partials, call->part.parts_before,
                                     mcl_to_slot(out.type, out.buffer, out.offset + count - 1), call->part.options));
    return status;
}

static mcl_status scan_own(mcl_mpi *mpi, segmented_call *call)
{
    const mcl__heads *const heads = &call->heads;
    const mcl_options own = own_options(call);
    if (heads->count == 0) return MCL_OK;
    mcl_status status = MCL_OK;
    if (heads->segment_count > 0)
        status = mcl_segmented_scan(mpi->queue, call->part.in, own_segments(heads), call->out,
                                    &call->part.fold.local.op, call->kind, &own);
    if (heads->first_head == 0 || !chain_before(mpi, call)) return status;
    MCL__THEN(status, store_chain(mpi, call));
    call->part.in.count = heads->first_head;
    call->out.capacity = heads->first_head;
    MCL__THEN(status, mcl__fold_scan(mpi, &call->part, call->out, call->kind));
    return status;
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

static mcl_status check(mcl_mpi *mpi, segmented_call *call)
{
    mcl_status status = mcl__check_options(mpi, call->part.options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->part.in));
    if (!call->keys.type) MCL__THEN(status, mcl__heads_check(mpi, &call->segments));
    return status;
}

/* Checks that there is a value for each key. Stores keys that are an expression. */
static mcl_status check_keys(mcl_mpi *mpi, segmented_call *call)
{
    if (!call->keys.type) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "keys has no type");
    if (!call->part.in.type) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has no type");
    call->part.in.count_slot = NULL;
    mcl_status status = mcl__settle_count(mpi, &call->keys);
    if (status == MCL_OK && call->part.in.count < call->keys.count)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has %lld elements; expected %lld, as many as keys",
                             (long long)call->part.in.count, (long long)call->keys.count);
    call->part.in.count = call->keys.count;
    MCL__THEN(status, mcl__store_input(mpi, ROOM_UNWANTED, &call->keys));
    return status;
}

static mcl_status check_scan(mcl_mpi *mpi, const segmented_call *call)
{
    if (call->kind != MCL_EXCLUSIVE && call->kind != MCL_INCLUSIVE)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "kind is %d; expected MCL_EXCLUSIVE or MCL_INCLUSIVE",
                           (int)call->kind);
    if (call->part.in.count == 0) return MCL_OK;
    if (!call->out.type || !call->out.buffer) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "out is not given");
    if (call->out.capacity >= call->part.in.count) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "out has room for %lld elements; expected %lld, as many as in",
                       (long long)call->out.capacity, (long long)call->part.in.count);
}

static int validates(const segmented_call *call)
{
    return call->part.options && (call->part.options->flags & MCL_VALIDATE) != 0;
}

static mcl__signature *sign(mcl_mpi *mpi, const segmented_call *call)
{
    mcl__signature *const signature = mcl__sign(mpi);
    const mcl_type *const element = call->part.in.type;
    const mcl_op *const op = call->part.op;
    mcl__sign_type(signature, "the type of elements", element);
    mcl__sign_type(signature, "the type of keys", call->keys.type);
    mcl__sign_fold(signature, op, element, call->part.options);
    mcl__sign_number(signature, "segments.kind", call->segments.kind);
    mcl__sign_number(signature, "segments.row_length", call->segments.row_length);
    mcl__sign_op(signature, "equal", call->equal);
    mcl__sign_given(signature, "the type of out", call->out.type, op && op->value ? op->value : element);
    mcl__sign_options(signature, call->part.options);
    return signature;
}

/* Finds the heads, and gathers the partials at the edges of all ranks. All ranks have agreed before. */
static mcl_status find_edges(mcl_mpi *mpi, segmented_call *call)
{
    const int64_t count = call->part.in.count;
    MCL__AGREE(mpi, call->keys.type
                        ? mcl__heads_of_runs(mpi, call->keys, call->equal, &call->heads)
                        : mcl__heads_of_segments(mpi, &call->segments, count, validates(call), &call->heads));
    call->part.first = call->heads.whole.first;
    call->part.results[0] = call->out.type;
    MCL__AGREE(mpi, mcl__fold_results(mpi, call->part.op, call->part.results));
    mcl_status status = mcl__fold_plan(mpi, call->part.op, call->part.in.type, call->part.results, call->part.first,
                                       call->part.options, &call->part.fold);
    MCL__THEN(status, mcl__fold_fits(mpi, &call->part.fold, call->part.op, call->heads.whole.total, call->out.type));
    MCL__AGREE(mpi, status);
    return gather_edges(mpi, call);
}

static void call_free(segmented_call *call)
{
    mcl__heads_free(&call->heads);
    free(call->edges);
    free(call->chain);
}

static mcl_status reduce(mcl_mpi *mpi, segmented_call *call)
{
    const mcl__signature *const signature = sign(mpi, call);
    MCL__BEGIN(mpi, signature, check(mpi, call));
    mcl_status status = find_edges(mpi, call);
    MCL__THEN(status, reduce_own(mpi, call));
    MCL__AGREE(mpi, status);
    return mcl__agree(mpi, mcl__store_counts(mpi, call->heads.segment_count, call->count, call->whole));
}

static mcl_status scan(mcl_mpi *mpi, segmented_call *call, mcl_status status)
{
    mcl__signature *const signature = sign(mpi, call);
    mcl__sign_number(signature, "kind", call->kind);
    MCL__THEN(status, check(mpi, call));
    MCL__THEN(status, check_scan(mpi, call));
    MCL__BEGIN(mpi, signature, status);
    status = find_edges(mpi, call);
    MCL__THEN(status, scan_own(mpi, call));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_segmented_reduce(mcl_mpi *mpi, mcl_input in, mcl_segments segments, mcl_output out, const mcl_op *op,
                                    mcl_result count, mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_segmented_reduce");
    segmented_call call = { .part = { .in = in, .op = op, .options = options },
                            .segments = segments,
                            .out = out,
                            .count = count,
                            .whole = whole };
    const mcl_status status = reduce(mpi, &call);
    call_free(&call);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_segmented_scan(mcl_mpi *mpi, mcl_input in, mcl_segments segments, mcl_output out, const mcl_op *op,
                                  mcl_scan_kind kind, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_segmented_scan");
    segmented_call call = {
        .part = { .in = in, .op = op, .options = options }, .segments = segments, .out = out, .kind = kind
    };
    const mcl_status status = scan(mpi, &call, MCL_OK);
    call_free(&call);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_scan_by_key(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out, const mcl_op *op,
                               const mcl_op *equal, mcl_scan_kind kind, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_scan_by_key");
    segmented_call call = {
        .part = { .in = values, .op = op, .options = options }, .keys = keys, .equal = equal, .out = out, .kind = kind
    };
    const mcl_status status = scan(mpi, &call, check_keys(mpi, &call));
    call_free(&call);
    return mcl__leave(mpi, status);
}
