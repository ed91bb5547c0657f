/* bounds.h: fewer keys that still have the wanted ones, by a bound before them and one after them. */
#ifndef MCL_MPI_BOUNDS_H
#define MCL_MPI_BOUNDS_H

#include "counting.h"

/* Drops keys that are not wanted, where the wanted ones lie near each other in the whole. In a round two samples of all
 * ranks become bounds. Each rank counts its keys before the first bound, and keeps those between the two. That reads
 * the keys once, where mcl__narrow reads them twice and stores a byte for each. (R. W. Floyd, R. L. Rivest, "Expected
 * time bounds for selection", 1975.) keys become those that are left, in their order; indices and whole are theirs.
 *
 * small  with as many keys of all ranks, or fewer, no round follows
 * Nothing is dropped where the wanted keys are far apart: mcl__narrow does these.
 * Collective, with two ranks or more; the call ends without an agreement. */
mcl_status mcl__narrow_between(mcl_mpi *mpi, mcl__wanted *wanted, int64_t small);

#endif
