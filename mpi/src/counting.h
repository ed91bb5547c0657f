/* counting.h: drops keys that are not wanted, until few keys are left. All ranks count keys for this. */
#ifndef MCL_MPI_COUNTING_H
#define MCL_MPI_COUNTING_H

#include "ranks.h"

/* This rank's keys, and the indices of the wanted keys. */
typedef struct mcl__wanted {
    mcl_input keys; /* this rank's keys, with their count on the host */
    const mcl_op *before;
    int64_t *indices; /* indices of wanted keys in the sorted whole, ascending, each once; the same on all ranks */
    int64_t count;    /* number of indices */
    mcl__whole whole; /* number of keys of each rank */
} mcl__wanted;

/* Drops keys that are not wanted, in rounds. Each rank gives some hundred samples. Samples near the wanted keys become
 * pivots, and all ranks count their keys between pivots. Regions without a wanted key are dropped. Keys are ordered by
 * key, then rank, then index. The call updates keys (in their order), indices and whole.
 *
 * small  number of keys of all ranks at which the rounds end. They also end after a round that leaves more than three
 *        quarters of the keys
 * The bytes that a rank sends do not grow with the keys. Collective, with two ranks or more; the caller must call
 * mcl__agree after it. */
mcl_status mcl__narrow(mcl_mpi *mpi, mcl__wanted *wanted, int64_t small);

/* Returns the scratch buffer for the keys that a round keeps: one that does not contain keys. */
mcl__room mcl__room_to_keep(const mcl_mpi *mpi, const mcl_input *keys);

#endif
