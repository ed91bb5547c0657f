/* agree.c: errors of one rank become errors of all, and each call is the same one on all ranks. */
#include "ranks.h"

#include <stdio.h>
#include <string.h>

typedef struct verdict {
    int status;
    char sentence[SENTENCE_BYTES];
} verdict;

/* Brings the sentence of one rank to all ranks. */
static mcl_status tell(mcl_mpi *mpi, mcl_status status, int rank)
{
    verdict said = { .status = status };
    if (mpi->rank == rank)
        snprintf(said.sentence, sizeof said.sentence, "%s: rank %d: %.3900s", mpi->function, rank,
                 mpi->sentence[0] ? mpi->sentence : mcl_last_error());
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = MPI_Ibcast(&said, (int)sizeof said, MPI_BYTE, rank, mpi->comm, &request);
    if (mcl__mpi_wait(mpi, result, &request, "MPI_Ibcast") != MCL_OK)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: %s", mpi->function, mpi->rank, mpi->sentence);
    mpi->agreed = (mcl_status)said.status;
    return mcl__fail_alone(mpi->agreed, "%s", said.sentence);
}

/* Refuses calls that differ from that of rank 0. The lowest rank whose call differs tells how. */
static mcl_status refuse_different_calls(mcl_mpi *mpi, const mcl__signature *signature)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (mpi->rank == 0) mpi->first_signature = *signature;
    const int bytes = (int)sizeof mpi->first_signature;
    const int result = MPI_Ibcast(&mpi->first_signature, bytes, MPI_BYTE, 0, mpi->comm, &request);
    if (mcl__mpi_wait(mpi, result, &request, "MPI_Ibcast") != MCL_OK)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: %s", mpi->function, mpi->rank, mpi->sentence);
    return mcl__agree(mpi, mcl__compare_signatures(mpi, signature, &mpi->first_signature));
}

mcl_status mcl__agree_on_call(mcl_mpi *mpi, mcl_status status, const mcl__signature *signature)
{
    if (mpi->agreed != MCL_OK) return mpi->agreed;
    if (mpi->lost)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: MPI has failed before: %s", mpi->function, mpi->rank,
                               mpi->sentence);
    const int64_t hash = signature ? (int64_t)(signature->hash >> 1) : 0;
    int64_t least[] = { status == MCL_OK ? mpi->size : mpi->rank, hash, -hash };
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = MPI_Iallreduce(MPI_IN_PLACE, least, 3, MPI_INT64_T, MPI_MIN, mpi->comm, &request);
    if (mcl__mpi_wait(mpi, result, &request, "MPI_Iallreduce") != MCL_OK)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: %s", mpi->function, mpi->rank, mpi->sentence);
    if (least[0] < mpi->size) return tell(mpi, status, (int)least[0]);
    if (least[1] != -least[2]) return refuse_different_calls(mpi, signature);
    return MCL_OK;
}

mcl_status mcl__agree(mcl_mpi *mpi, mcl_status status)
{
    return mcl__agree_on_call(mpi, status, NULL);
}
