/* counting.h: fewer keys that still have the wanted ones, by counting on the ranks. */
#ifndef MCL_MPI_COUNTING_H
#define MCL_MPI_COUNTING_H

#include "select.h"

/* Narrows a selection. Rounds look at some hundred samples of each rank. Those near the wanted keys become pivots, and
 * all ranks count their keys between these. Keys of other regions are dropped. The order is that of the whole: by
 * key, then rank, then index.
 *
 * s        its keys become those that are left, in their order, and its indices become theirs among these
 * targets  room for the new indices, which the caller frees after s
 * small    with as many keys of all ranks, or fewer, no round follows
 * whole    counts of s->keys; it becomes those of the keys that are left
 * Rounds also end where one leaves most of the keys. What a rank sends does not grow with the keys. Collective, with
 * two ranks or more; the call ends without an agreement. */
mcl_status mcl__narrow(mcl_mpi *mpi, mcl__selection *s, int64_t *targets, int64_t small, mcl__whole *whole);

#endif
