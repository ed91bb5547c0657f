/* multisplit.c: moves each element to the rank that an expression names. */
#include "edges.h"
#include "operators.h"
#include "owners.h"

#include <stdlib.h>

typedef struct multisplit_call {
    mcl__route route; /* keys and values; values.type is NULL without values */
    mcl_output out_keys, out_values;
    const mcl_op *bucket;
    mcl_result count;
    mcl__placed_op placed;
    mcl__whole whole;
} multisplit_call;

static int has_values(const multisplit_call *call)
{
    return call->route.load == LOAD_VALUES;
}

static mcl_status check(mcl_mpi *mpi, multisplit_call *call, const mcl_options *options)
{
    mcl__route *const route = &call->route;
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &route->keys));
    if (status == MCL_OK && mpi->size > OWNERS_MOST)
        status = mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "there are %d ranks; expected at most %d", mpi->size,
                             (int)OWNERS_MOST);
    if (status == MCL_OK && (!call->bucket || (call->bucket->role && call->bucket->role != MCL_ROLE_INDEX)))
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "bucket is %s; expected an operator of MCL_ROLE_INDEX",
                             call->bucket ? "of another role" : "NULL");
    if (!has_values(call) || status != MCL_OK) return status;
    if (!route->values.type || route->values.count < route->keys.count)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has %lld elements; expected %lld, as many as keys",
                           route->values.type ? (long long)route->values.count : 0, (long long)route->keys.count);
    route->values.count = route->keys.count;
    route->values.count_slot = NULL;
    return MCL_OK;
}

static mcl_status multisplit(mcl_mpi *mpi, multisplit_call *call, const mcl_options *options)
{
    mcl__route *const route = &call->route;
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of keys", route->keys.type);
    mcl__sign_type(signature, "the type of values", route->values.type);
    mcl__sign_op(signature, "bucket", call->bucket);
    mcl__sign_options(signature, options);
    MCL__BEGIN(mpi, signature, check(mpi, call, options));
    MCL__AGREE(mpi, mcl__count_whole(mpi, route->keys.count, &call->whole));
    mcl_status status = mcl__place_op(mpi, call->bucket, call->whole.first, &call->placed);
    route->owner = &call->placed.op;
    /* with one rank nothing is sent, so expressions are stored here */
    if (mpi->size == 1) MCL__THEN(status, mcl__store_input(mpi, ROOM_CAME, &route->keys));
    if (mpi->size == 1 && has_values(call)) MCL__THEN(status, mcl__store_input(mpi, ROOM_CAME_VALUES, &route->values));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__route_keys(mpi, route));
    status = mcl__copy_kept(mpi, route->came_keys, call->out_keys, has_values(call) ? "out_keys" : "out");
    if (has_values(call)) MCL__THEN(status, mcl__copy_kept(mpi, route->came_values, call->out_values, "out_values"));
    MCL__THEN(status, mcl__store_number(mpi, route->came_keys.count, call->count));
    return mcl__agree(mpi, status);
}

static mcl_status multisplit_run(mcl_mpi *mpi, multisplit_call *call, const mcl_options *options)
{
    const mcl_status status = multisplit(mpi, call, options);
    free(call->whole.counts);
    mcl__route_free(&call->route);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_multisplit(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *bucket, mcl_result count,
                              const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_multisplit");
    multisplit_call call = { .route = { .keys = in }, .out_keys = out, .bucket = bucket, .count = count };
    return multisplit_run(mpi, &call, options);
}

mcl_status mcl_mpi_multisplit_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, mcl_output out_keys,
                                    mcl_output out_values, const mcl_op *bucket, mcl_result count,
                                    const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_multisplit_pairs");
    multisplit_call call = { .route = { .load = LOAD_VALUES, .keys = keys, .values = values },
                             .out_keys = out_keys,
                             .out_values = out_values,
                             .bucket = bucket,
                             .count = count };
    return multisplit_run(mpi, &call, options);
}
