/* reduce_by_key.c: folds the runs of a sequence that lies on all ranks. Each rank folds the runs of its part. Then a
 * run that continues on other ranks is folded from these ranks' partials. */
#include "edges.h"
#include "operators.h"

#include <stdlib.h>
#include <string.h>

typedef struct by_key_call {
    mcl_input keys, values;
    mcl_output out_keys, out_values;
    const mcl_op *op, *equal;
    mcl_result count, whole_count;
    const mcl_options *options;
    mcl__whole whole;
    mcl__fold fold;
    mcl_buffer *run_keys, *partials; /* keys and partials of this rank's runs */
    int64_t runs;
    int joined; /* 1 if this rank's first run began on a lower rank */
} by_key_call;

/* The first run of a rank, as all ranks know it. */
typedef struct edge {
    int64_t runs;
    int64_t joined;
    unsigned char first[MCL_VALUE_BYTES_MAX + 16]; /* partial of the rank's first run */
} edge;

static mcl_status check(mcl_mpi *mpi, by_key_call *call)
{
    mcl_status status = mcl__check_options(mpi, call->options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->keys));
    if (status == MCL_OK && call->options && call->options->initial)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "options->initial is given; expected NULL");
    if (status == MCL_OK && !call->values.type) status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has no type");
    if (status == MCL_OK && call->values.count < call->keys.count)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has %lld elements; expected %lld, as many as keys",
                             (long long)call->values.count, (long long)call->keys.count);
    return status;
}

static mcl_status local_runs(mcl_mpi *mpi, by_key_call *call)
{
    const mcl_type *const type = call->keys.type;
    const int64_t count = call->keys.count;
    const mcl_options own = mcl__fold_options(&call->fold, call->options);
    mcl_op local = call->fold.local.op;
    local.combine = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SORTED, count * (int64_t)type->size, &call->run_keys);
    MCL__THEN(status,
              mcl__room_of(mpi, ROOM_SORTED_VALUES, count * (int64_t)call->fold.partial->size, &call->partials));
    if (count == 0) return status;
    MCL__THEN(status,
              mcl_reduce_by_key(mpi->queue, call->keys, call->values, mcl_to_buffer(type, call->run_keys, 0, count),
                                mcl_to_buffer(call->fold.partial, call->partials, 0, count), &local, call->equal,
                                mcl_to_host(MCL_INT64, &call->runs), &own));
    return status;
}

/* Collects in chain the partials of this rank's last run on later ranks. Returns their number. */
static size_t chain_after(const mcl_mpi *mpi, const edge *edges, size_t size, unsigned char *chain)
{
    size_t length = 0;
    for (int r = mpi->rank + 1; r < mpi->size; ++r) {
        if (edges[r].runs == 0) continue;
        if (!edges[r].joined) break;
        memcpy(chain + length++ * size, edges[r].first, size);
        if (edges[r].runs > 1) break;
    }
    return length;
}

/* Folds the partials of this rank's last run on all ranks into one. */
static mcl_status fold_last(mcl_mpi *mpi, by_key_call *call, const edge *edges, unsigned char *chain)
{
    const size_t size = call->fold.partial->size;
    const int64_t last = call->runs - 1;
    if (call->runs - call->joined == 0) return MCL_OK; /* no run begins on this rank */
    const size_t more = chain_after(mpi, edges, size, chain + size);
    if (more == 0) return MCL_OK;
    mcl_buffer *parts = NULL;
    mcl_status status = mcl_buffer_read(mpi->queue, call->partials, (size_t)last * size, size, chain);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_PARTIALS, (int64_t)((more + 1) * size), &parts));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, parts, 0, (more + 1) * size, chain));
    MCL__THEN(status, mcl__fold_join(mpi, &call->fold, parts, (int64_t)more + 1,
                                     mcl_to_slot(call->fold.partial, call->partials, last), NULL));
    return status;
}

static mcl_status join_edges(mcl_mpi *mpi, by_key_call *call)
{
    const size_t size = call->fold.partial->size;
    edge mine = { .runs = call->runs, .joined = call->joined }, *edges = NULL;
    unsigned char *chain = NULL;
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *edges, &edges);
    MCL__THEN(status, mcl__array(mpi, mpi->size + 1, size, &chain));
    if (call->runs > 0) MCL__THEN(status, mcl_buffer_read(mpi->queue, call->partials, 0, size, mine.first));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_edges(mpi, &mine, edges, sizeof mine));
    MCL__THEN(status, fold_last(mpi, call, edges, chain));
    free(edges);
    free(chain);
    return status;
}

/* Stores the partials in the type of the output. If it is an integer for MCL_INDEXED, only the index is stored. */
static mcl_status store_values(mcl_mpi *mpi, const by_key_call *call, int64_t kept)
{
    const mcl_type *const partial = call->fold.partial;
    const mcl_output out = call->out_values;
    if (!call->fold.is_indexed || !out.type || out.type->kind == MCL_KIND_STRUCT)
        return mcl__copy_kept(mpi, mcl_from_buffer(partial, call->partials, call->joined, kept), out, "out_values");
    mcl_buffer *indices = NULL;
    const mcl_binding partials = mcl_binding_buffer("mcl_partials", partial, call->partials, call->joined);
    mcl_status status = mcl__room_of(mpi, ROOM_CAME_VALUES, kept * 8, &indices);
    MCL__THEN(status, mcl_transform(mpi->queue,
                                    mcl_from_expression(MCL_INT64, "mcl_partials[i].index", NULL, &partials, 1, kept),
                                    mcl_to_buffer(MCL_INT64, indices, 0, kept), NULL));
    MCL__THEN(status, mcl__copy_kept(mpi, mcl_from_buffer(MCL_INT64, indices, 0, kept), out, "out_values"));
    return status;
}

static mcl_status by_key(mcl_mpi *mpi, by_key_call *call)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of keys", call->keys.type);
    mcl__sign_type(signature, "the type of values", call->values.type);
    mcl__sign_fold(signature, call->op, call->values.type, call->options);
    mcl__sign_op(signature, "equal", call->equal ? call->equal : MCL_EQUAL);
    mcl__sign_given(signature, "the type of out_values", call->out_values.type,
                    call->op && call->op->value ? call->op->value : call->values.type);
    mcl__sign_options(signature, call->options);
    MCL__BEGIN(mpi, signature, check(mpi, call));
    MCL__AGREE(mpi, mcl__count_whole(mpi, call->keys.count, &call->whole));
    const mcl_type *results[MCL__FOLD_RESULTS] = { call->out_values.type };
    MCL__AGREE(mpi, mcl__fold_results(mpi, call->op, results));
    mcl_status status = mcl__fold_plan(mpi, call->op, call->values.type, results, call->whole.first, NULL, &call->fold);
    MCL__THEN(status, mcl__fold_fits(mpi, &call->fold, call->op, call->whole.total, call->out_values.type));
    MCL__THEN(status, mcl__store_input(mpi, ROOM_CAME, &call->keys));
    MCL__THEN(status, local_runs(mpi, call));
    MCL__AGREE(mpi, status);
    const mcl_op *const equal = call->equal ? call->equal : MCL_EQUAL;
    MCL__AGREE(mpi, mcl__find_joined(mpi, &call->keys, equal, call->whole.counts, &call->joined));
    MCL__AGREE(mpi, join_edges(mpi, call));
    const int64_t kept = call->runs - call->joined;
    status = mcl__store_counts(mpi, kept, call->count, call->whole_count);
    MCL__THEN(status, mcl__copy_kept(mpi, mcl_from_buffer(call->keys.type, call->run_keys, call->joined, kept),
                                     call->out_keys, "out_keys"));
    MCL__THEN(status, store_values(mpi, call, kept));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_reduce_by_key(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out_keys,
                                 mcl_output out_values, const mcl_op *op, const mcl_op *equal, mcl_result count,
                                 mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_reduce_by_key");
    by_key_call call = { .keys = keys,
                         .values = values,
                         .out_keys = out_keys,
                         .out_values = out_values,
                         .op = op,
                         .equal = equal,
                         .count = count,
                         .whole_count = whole,
                         .options = options };
    const mcl_status status = by_key(mpi, &call);
    free(call.whole.counts);
    return mcl__leave(mpi, status);
}
