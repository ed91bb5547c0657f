/* merge.c: merges two sequences that lie on all ranks in order. */
#include "splitters.h"

typedef struct merge_call {
    mcl_input keys[2], values[2]; /* values[0].type is NULL where there are none */
    int64_t share;
    mcl_output out_keys, out_values;
    const mcl_op *before;
    mcl_result count;
    mcl_options own;
    mcl__cuts cuts;
} merge_call;

static int has_values(const merge_call *call)
{
    return call->values[0].type != NULL;
}

/* Other ranks may get parts of the inputs, so that these must be in memory. */
static mcl_status store_inputs(mcl_mpi *mpi, merge_call *call)
{
    static const mcl__room key_rooms[] = { ROOM_SORTED, ROOM_MERGED };
    static const mcl__room value_rooms[] = { ROOM_SORTED_VALUES, ROOM_MERGED_VALUES };
    mcl_status status = MCL_OK;
    for (int k = 0; k < 2; ++k) {
        MCL__THEN(status, mcl__store_input(mpi, key_rooms[k], &call->keys[k]));
        if (has_values(call)) MCL__THEN(status, mcl__store_input(mpi, value_rooms[k], &call->values[k]));
    }
    return status;
}

static mcl_status check(mcl_mpi *mpi, merge_call *call, const mcl_options *options)
{
    mcl_status status = mcl__check_options(mpi, options);
    for (int k = 0; k < 2; ++k) {
        MCL__THEN(status, mcl__settle_count(mpi, &call->keys[k]));
        if (!has_values(call)) continue;
        if (status == MCL_OK && call->values[k].count < call->keys[k].count)
            status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values have %lld elements; expected %lld, as many as keys",
                                 (long long)call->values[k].count, (long long)call->keys[k].count);
        call->values[k].count = call->keys[k].count;
        call->values[k].count_slot = NULL;
    }
    if (status == MCL_OK && call->keys[0].type->size != call->keys[1].type->size)
        status = mcl__refuse(mpi, MCL_ERROR_TYPE, "b is of %s; expected %s, as a", call->keys[1].type->name,
                             call->keys[0].type->name);
    return status;
}

/* Elements of a list that this rank gets. */
static int64_t came_count(const mcl_mpi *mpi, const merge_call *call, int list)
{
    int64_t count = 0;
    for (int r = 0; r < mpi->size; ++r) count += mcl__part_count(&call->cuts, list, r, mpi->rank);
    return count;
}

/* Both lists of keys or values into a room, one after the other. */
static mcl_status exchange(mcl_mpi *mpi, merge_call *call, const mcl_input *lists, mcl__room room, mcl_buffer **came)
{
    const mcl_type *const type = lists[0].type;
    const mcl_status status =
        mcl__room_of(mpi, room, mcl__share_of(&call->cuts, mpi->rank) * (int64_t)type->size, came);
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__exchange_list(mpi, &call->cuts, 0, type, lists[0].buffer, lists[0].offset, *came, 0, 1));
    return mcl__exchange_list(mpi, &call->cuts, 1, type, lists[1].buffer, lists[1].offset, *came,
                              came_count(mpi, call, 0), 1);
}

static mcl_status merge_came(mcl_mpi *mpi, const merge_call *call, mcl_buffer *keys, mcl_buffer *values)
{
    const mcl_type *const type = call->keys[0].type, *const value_type = call->values[0].type;
    const int64_t a = came_count(mpi, call, 0), b = came_count(mpi, call, 1);
    const mcl_input a_keys = mcl_from_buffer(type, keys, 0, a), b_keys = mcl_from_buffer(type, keys, a, b);
    if (!values) return mcl_merge(mpi->queue, a_keys, b_keys, call->out_keys, call->before, &call->own);
    return mcl_merge_pairs(mpi->queue, a_keys, mcl_from_buffer(value_type, values, 0, a), b_keys,
                           mcl_from_buffer(value_type, values, a, b), call->out_keys, call->out_values, call->before,
                           &call->own);
}

static mcl_status merge(mcl_mpi *mpi, merge_call *call, const mcl_options *options)
{
    mcl__signature signature = mcl__sign(mpi->function);
    mcl__sign_type(&signature, call->keys[0].type);
    if (has_values(call)) mcl__sign_type(&signature, call->values[0].type);
    mcl__sign_op(&signature, call->before);
    MCL__BEGIN(mpi, &signature, check(mpi, call, options));
    const int64_t counts[] = { call->keys[0].count, call->keys[1].count };
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, counts, 2, call->share, &call->cuts));
    const int64_t own = mcl__share_of(&call->cuts, mpi->rank);
    mcl_status status = mcl__check_output(mpi, call->out_keys, call->keys[0].type, own, "out");
    if (has_values(call))
        MCL__THEN(status, mcl__check_output(mpi, call->out_values, call->values[0].type, own, "out_values"));
    MCL__THEN(status, store_inputs(mpi, call));
    MCL__AGREE(mpi, status);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, &call->cuts, call->keys, call->before));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    mcl_buffer *keys = NULL, *values = NULL;
    MCL__AGREE(mpi, exchange(mpi, call, call->keys, ROOM_CAME, &keys));
    if (has_values(call)) MCL__AGREE(mpi, exchange(mpi, call, call->values, ROOM_CAME_VALUES, &values));
    mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
    if (own > 0) status = merge_came(mpi, call, keys, values);
    mcl__phase_end(mpi, MCL_MPI_MERGE);
    MCL__THEN(status, mcl__store_number(mpi, own, call->count));
    return mcl__agree(mpi, status);
}

static mcl_status merge_run(mcl_mpi *mpi, merge_call *call, const mcl_options *options)
{
    call->own = mcl__own_options(options);
    const mcl_status status = merge(mpi, call, options);
    mcl__cuts_free(&call->cuts);
    return status;
}

mcl_status mcl_mpi_merge(mcl_mpi *mpi, mcl_input a, mcl_input b, int64_t share, mcl_output out, const mcl_op *before,
                         mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_merge");
    merge_call call = { .keys = { a, b }, .share = share, .out_keys = out, .before = before, .count = count };
    return merge_run(mpi, &call, options);
}

mcl_status mcl_mpi_merge_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys, mcl_input b_values,
                               int64_t share, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                               mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_merge_pairs");
    merge_call call = { .keys = { a_keys, b_keys },
                        .values = { a_values, b_values },
                        .share = share,
                        .out_keys = out_keys,
                        .out_values = out_values,
                        .before = before,
                        .count = count };
    return merge_run(mpi, &call, options);
}
