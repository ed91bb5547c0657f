/* edges.h: runs of equal elements that go on from one rank to the next. */
#ifndef MCL_MPI_EDGES_H
#define MCL_MPI_EDGES_H

#include "ranks.h"

/* Finds whether this rank's first element goes on with the run of the last element before it: 1 or 0. That element may
 * be on any rank. in is a buffer range; counts has the elements of every rank. Collective; all ranks must have agreed
 * before; the call ends without an agreement. */
mcl_status mcl__find_joined(mcl_mpi *mpi, const mcl_input *in, const mcl_op *equal, const int64_t *counts, int *joined);

/* Copies a buffer range to an output as far as the output has room, with the errors of a compaction's output. Numbers
 * of another type are converted. An output that is not wanted is left alone. */
mcl_status mcl__copy_kept(mcl_mpi *mpi, mcl_input kept, mcl_output out, const char *name);

#endif
