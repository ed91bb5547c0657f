/* hot_keys.h: keys of a join whose owner would hold far more than a share, with all their copies. */
#ifndef MCL_MPI_HOT_KEYS_H
#define MCL_MPI_HOT_KEYS_H

#include "owners.h"

typedef struct mcl__hot_search {
    mcl_join_kind kind;
    mcl_input keys[2]; /* integers in memory; b's become its distinct keys where more of them say nothing */
    mcl__whole whole[2];
} mcl__hot_search;

/* Finds hot keys by samples, counts them, and says where they go. hot->count is 0 where there are none. Collective; all
 * ranks must have agreed before; the call ends without an agreement. */
mcl_status mcl__find_hot(mcl_mpi *mpi, mcl__hot_search *search, mcl__hot *hot);

#endif
