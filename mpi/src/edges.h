/* edges.h: runs of equal elements that continue from one rank to the next. */
#ifndef MCL_MPI_EDGES_H
#define MCL_MPI_EDGES_H

#include "ranks.h"

/* Stores 1 in joined if this rank's first element continues the run of the element before it, otherwise 0. That element
 * may be on any lower rank. in is a buffer range; counts has the number of elements of every rank. Collective: the
 * caller must call mcl__agree before and after it. */
mcl_status mcl__find_joined(mcl_mpi *mpi, const mcl_input *in, const mcl_op *equal, const int64_t *counts, int *joined);

/* Copies a buffer range to an output, up to its capacity. The errors are those of a compaction's output. Numbers are
 * converted to the output's type. An output that is left out is ignored. */
mcl_status mcl__copy_kept(mcl_mpi *mpi, mcl_input kept, mcl_output out, const char *name);

#endif
