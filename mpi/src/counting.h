/* counting.h: fewer keys that still have the wanted ones, by counting on the ranks. */
#ifndef MCL_MPI_COUNTING_H
#define MCL_MPI_COUNTING_H

#include "ranks.h"

/* Keys among which some are wanted. */
typedef struct mcl__wanted {
    mcl_input keys; /* this rank's keys, with their count on the host */
    const mcl_op *before;
    int64_t *indices; /* indices of the wanted ones in the sorted whole, ascending, each once; the same on all ranks */
    int64_t count;    /* count of indices */
    mcl__whole whole; /* counts of the keys of all ranks */
} mcl__wanted;

/* Drops keys that are not wanted. Rounds look at some hundred samples of each rank. Those near the wanted keys become
 * pivots, and all ranks count their keys between these. Keys of other regions are dropped. The order is that of the
 * whole: by key, then rank, then index. keys become those that are left, in their order; indices and whole are theirs.
 *
 * small  with as many keys of all ranks, or fewer, no round follows
 * Rounds also end where one leaves most of the keys. What a rank sends does not grow with the keys. Collective, with
 * two ranks or more; the call ends without an agreement. */
mcl_status mcl__narrow(mcl_mpi *mpi, mcl__wanted *wanted, int64_t small);

/* Returns a room for the wanted of some keys, which do not lie there. */
mcl__room mcl__room_to_keep(const mcl_mpi *mpi, const mcl_input *keys);

#endif
