/* merge.c: merges two sorted sequences that lie on all ranks. */
#include "two.h"

typedef struct merge_call {
    mcl__two two;
    int64_t share;
    mcl_output out_keys, out_values;
    const mcl_op *before;
    mcl_result count;
    mcl_options own;
} merge_call;

static int has_values(const merge_call *call)
{
    return call->two.values[0].type != NULL;
}

static mcl_status merge_came(mcl_mpi *mpi, const merge_call *call)
{
    const mcl_input *const keys = call->two.came_keys, *const values = call->two.came_values;
    if (!has_values(call)) return mcl_merge(mpi->queue, keys[0], keys[1], call->out_keys, call->before, &call->own);
    return mcl_merge_pairs(mpi->queue, keys[0], values[0], keys[1], values[1], call->out_keys, call->out_values,
                           call->before, &call->own);
}

static mcl_status merge(mcl_mpi *mpi, merge_call *call, const mcl_options *options)
{
    mcl__two *const two = &call->two;
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__two_sign(signature, two);
    mcl__sign_op(signature, "before", call->before);
    mcl__sign_options(signature, options);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__two_check(mpi, two));
    MCL__BEGIN(mpi, signature, status);
    const int64_t counts[] = { two->keys[0].count, two->keys[1].count };
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, counts, 2, call->share, &two->cuts));
    const int64_t own = mcl__share_of(&two->cuts, mpi->rank);
    status = mcl__check_output(mpi, call->out_keys, two->keys[0].type, own, "out");
    if (has_values(call))
        MCL__THEN(status, mcl__check_output(mpi, call->out_values, two->values[0].type, own, "out_values"));
    MCL__THEN(status, mcl__two_store(mpi, two));
    MCL__AGREE(mpi, status);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, &two->cuts, two->keys, call->before));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    MCL__AGREE(mpi, mcl__two_exchange(mpi, two));
    if (own > 0) status = merge_came(mpi, call);
    mcl__phase_end(mpi, MCL_MPI_MERGE);
    MCL__THEN(status, mcl__store_number(mpi, own, call->count));
    return mcl__agree(mpi, status);
}

static mcl_status merge_run(mcl_mpi *mpi, merge_call *call, const mcl_options *options)
{
    call->own = mcl__own_options(options);
    const mcl_status status = merge(mpi, call, options);
    mcl__cuts_free(&call->two.cuts);
    return status;
}

mcl_status mcl_mpi_merge(mcl_mpi *mpi, mcl_input a, mcl_input b, int64_t share, mcl_output out, const mcl_op *before,
                         mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_merge");
    merge_call call = {
        .two = { .keys = { a, b } }, .share = share, .out_keys = out, .before = before, .count = count
    };
    return merge_run(mpi, &call, options);
}

mcl_status mcl_mpi_merge_pairs(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys, mcl_input b_values,
                               int64_t share, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                               mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_merge_pairs");
    merge_call call = { .two = { .keys = { a_keys, b_keys }, .values = { a_values, b_values } },
                        .share = share,
                        .out_keys = out_keys,
                        .out_values = out_values,
                        .before = before,
                        .count = count };
    return merge_run(mpi, &call, options);
}
