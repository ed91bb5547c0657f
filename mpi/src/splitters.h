/* splitters.h: exact splitters of sorted lists that lie on all ranks. */
#ifndef MCL_MPI_SPLITTERS_H
#define MCL_MPI_SPLITTERS_H

#include "cuts.h"

/* Finds the cuts of the shares in the merge of all lists of all ranks: keys first, then the list, then the rank, then
 * the index. sorted has this rank's lists, buffer ranges of one type, each in order. Collective; ends without an
 * agreement.
 *
 * Every round looks at some samples of each rank's part of each interval that still can hold a boundary. All ranks
 * count how many of their elements come before each sample, and the counts are added up. The two samples nearest to
 * the boundary bound the next interval. An interval shrinks by the number of its samples in every round, whatever the
 * keys are, so that there are at most as many rounds as a count has bits. */
mcl_status mcl__find_splitters(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before);

#endif
