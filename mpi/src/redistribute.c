/* redistribute.c: moves elements between ranks, such that they keep their order. */
#include "cuts.h"

static mcl_status redistribute(mcl_mpi *mpi, mcl_input in, int64_t share, mcl_output out, mcl_result count,
                               const mcl_options *options, mcl__cuts *cuts)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of in", in.type);
    mcl__sign_options(signature, options);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &in));
    MCL__BEGIN(mpi, signature, status);
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &in.count, 1, share, cuts));
    mcl__cuts_by_index(cuts);
    const int64_t own = mcl__share_of(cuts, mpi->rank);
    status = mcl__check_output(mpi, out, in.type, own, "out");
    MCL__THEN(status, mcl__store_input(mpi, ROOM_SORTED, &in));
    MCL__THEN(status, mcl__check_apart(mpi, &in, out, own));
    MCL__AGREE(mpi, status);
    status = mcl__exchange_list(mpi, cuts, 0, in.type, in.buffer, in.offset, out.buffer, out.offset);
    MCL__THEN(status, mcl__store_number(mpi, own, count));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_redistribute(mcl_mpi *mpi, mcl_input in, int64_t share, mcl_output out, mcl_result count,
                                const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_redistribute");
    mcl__cuts cuts = { 0 };
    const mcl_status status = redistribute(mpi, in, share, out, count, options, &cuts);
    mcl__cuts_free(&cuts);
    return mcl__leave(mpi, status);
}
