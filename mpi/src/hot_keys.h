/* hot_keys.h: finds the hot keys of a join: keys whose copies are too many for one owner. */
#ifndef MCL_MPI_HOT_KEYS_H
#define MCL_MPI_HOT_KEYS_H

#include "owners.h"

typedef struct mcl__hot_search {
    mcl_join_kind kind;
    mcl_input keys[2]; /* integers in memory; for semi and anti joins the search makes b's keys distinct */
    mcl__whole whole[2];
} mcl__hot_search;

/* Finds hot keys by samples, counts them, and decides where they go. hot->count is 0 if there are none. Collective: the
 * caller must call mcl__agree before and after it. */
mcl_status mcl__find_hot(mcl_mpi *mpi, mcl__hot_search *search, mcl__hot *hot);

#endif
