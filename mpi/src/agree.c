/* agree.c: passes the failure of one rank to all ranks, and checks that all ranks make the same call. */
#include "messages.h"

#include <stdio.h>
#include <string.h>

typedef struct verdict {
    int status;
    char sentence[SENTENCE_BYTES];
} verdict;

/* Returns the failure of a rank that cannot communicate any more. */
static mcl_status fail_lost(const mcl_mpi *mpi)
{
    return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: %s", mpi->function, mpi->rank, mpi->sentence);
}

/* Sends the status and the sentence of one rank to all ranks, and returns this status. */
static mcl_status tell(mcl_mpi *mpi, mcl_status status, int rank)
{
    verdict said = { .status = status };
    if (mpi->rank == rank)
        snprintf(said.sentence, sizeof said.sentence, "%s: rank %d: %.3900s", mpi->function, rank,
                 mpi->sentence[0] ? mpi->sentence : mcl_last_error());
    if (mcl__tell_all(mpi, rank, &said, sizeof said) != MCL_OK) return fail_lost(mpi);
    mpi->agreed = (mcl_status)said.status;
    return mcl__fail_alone(mpi->agreed, "%s", said.sentence);
}

/* Refuses a call that differs from rank 0's. All ranks get the sentence of the lowest rank whose call differs. */
static mcl_status refuse_different_calls(mcl_mpi *mpi, const mcl__signature *signature)
{
    if (mpi->rank == 0) mpi->first_signature = *signature;
    if (mcl__tell_all(mpi, 0, &mpi->first_signature, sizeof mpi->first_signature) != MCL_OK) return fail_lost(mpi);
    return mcl__agree(mpi, mcl__compare_signatures(mpi, signature, &mpi->first_signature));
}

mcl_status mcl__agree_on_call(mcl_mpi *mpi, mcl_status status, const mcl__signature *signature)
{
    if (mpi->agreed != MCL_OK) return mpi->agreed;
    if (mpi->lost)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: a message has failed before: %s", mpi->function,
                               mpi->rank, mpi->sentence);
    const int64_t hash = signature ? (int64_t)(signature->hash >> 1) : 0;
    int64_t least[LEAST_MOST] = { status == MCL_OK ? mpi->size : mpi->rank, hash, -hash };
    if (mcl__least_of_all(mpi, least, LEAST_MOST) != MCL_OK) return fail_lost(mpi);
    if (least[0] < mpi->size) return tell(mpi, status, (int)least[0]);
    if (least[1] != -least[2]) return refuse_different_calls(mpi, signature);
    return MCL_OK;
}

mcl_status mcl__agree(mcl_mpi *mpi, mcl_status status)
{
    return mcl__agree_on_call(mpi, status, NULL);
}
