/* sets.c: multiset operations on two sorted sequences that lie on all ranks. Both are cut between the same keys. Then
 * each rank makes the core's call on the elements that it receives. */
#include "two.h"

typedef mcl_status (*set_function)(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                   mcl_result count, const mcl_options *options);

typedef mcl_status (*pairs_function)(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                     mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                     const mcl_op *before, mcl_result count, const mcl_options *options);

typedef struct set_call {
    mcl__two two;
    set_function function;
    pairs_function pairs; /* function for keys with values; NULL: keys alone */
    mcl_output out, out_values;
    const mcl_op *before;
    mcl_result count, whole;
    mcl_options own;
} set_call;

/* Makes the core's call on the received elements. */
static mcl_status set_came(mcl_mpi *mpi, const set_call *call, int64_t *kept)
{
    const mcl_input *const keys = call->two.came_keys, *const values = call->two.came_values;
    const mcl_result count = mcl_to_host(MCL_INT64, kept);
    if (!call->pairs) return call->function(mpi->queue, keys[0], keys[1], call->out, call->before, count, &call->own);
    return call->pairs(mpi->queue, keys[0], values[0], keys[1], values[1], call->out, call->out_values, call->before,
                       count, &call->own);
}

static mcl_status set(mcl_mpi *mpi, set_call *call, const mcl_options *options)
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
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, counts, 2, MCL_MPI_EVEN, &two->cuts));
    MCL__AGREE(mpi, mcl__two_store(mpi, two));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, &two->cuts, two->keys, call->before));
    MCL__AGREE(mpi, mcl__cut_between_keys(mpi, &two->cuts, two->keys, call->before));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    MCL__AGREE(mpi, mcl__two_exchange(mpi, two));
    int64_t kept = 0;
    MCL__AGREE(mpi, set_came(mpi, call, &kept));
    return mcl__agree(mpi, mcl__store_counts(mpi, kept, call->count, call->whole));
}

static mcl_status set_run(mcl_mpi *mpi, set_call *call, const mcl_options *options)
{
    call->own = mcl__own_options(options);
    const mcl_status status = set(mpi, call, options);
    mcl__cuts_free(&call->two.cuts);
    return mcl__leave(mpi, status);
}

#define SET_FUNCTION(name)                                                                                             \
    mcl_status mcl_mpi_##name(mcl_mpi *mpi, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,            \
                              mcl_result count, mcl_result whole, const mcl_options *options)                          \
    {                                                                                                                  \
        MCL__ENTER(mpi, "mcl_mpi_" #name);                                                                             \
        set_call call = { .two = { .keys = { a, b } },                                                                 \
                          .function = mcl_##name,                                                                      \
                          .out = out,                                                                                  \
                          .before = before,                                                                            \
                          .count = count,                                                                              \
                          .whole = whole };                                                                            \
        return set_run(mpi, &call, options);                                                                           \
    }

SET_FUNCTION(set_intersection)
SET_FUNCTION(set_union)
SET_FUNCTION(set_difference)
SET_FUNCTION(set_symmetric_difference)

/* uses_b: 1 if results may have values of b; otherwise all values come from a. */
#define PAIRS_FUNCTION(name, uses_b)                                                                                   \
    mcl_status mcl_mpi_##name(mcl_mpi *mpi, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,                    \
                              mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,    \
                              mcl_result count, mcl_result whole, const mcl_options *options)                          \
    {                                                                                                                  \
        MCL__ENTER(mpi, "mcl_mpi_" #name);                                                                             \
        set_call call = { .two = { .keys = { a_keys, b_keys }, .values = { a_values } },                               \
                          .pairs = mcl_##name,                                                                         \
                          .out = out_keys,                                                                             \
                          .out_values = out_values,                                                                    \
                          .before = before,                                                                            \
                          .count = count,                                                                              \
                          .whole = whole };                                                                            \
        if (uses_b) call.two.values[1] = b_values;                                                                     \
        return set_run(mpi, &call, options);                                                                           \
    }

PAIRS_FUNCTION(set_intersection_pairs, 0)
PAIRS_FUNCTION(set_union_pairs, 1)
PAIRS_FUNCTION(set_difference_pairs, 0)
PAIRS_FUNCTION(set_symmetric_difference_pairs, 1)
