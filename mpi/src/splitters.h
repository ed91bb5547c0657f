/* splitters.h: exact splitters of sorted lists that lie on all ranks. */
#ifndef MCL_MPI_SPLITTERS_H
#define MCL_MPI_SPLITTERS_H

#include "cuts.h"

/* Finds the cuts of the shares in the merge of all lists of all ranks. The order is by key, then list, then rank, then
 * index. sorted has this rank's lists, buffer ranges of one type, each in order. Collective; ends without an agreement.
 *
 * Every round looks at some samples of each rank's part of each interval that still can hold a boundary. All ranks
 * count how many of their elements come before each sample, and the counts are added up. The two samples nearest to the
 * boundary bound the next interval. An interval shrinks by the number of its samples in every round, whatever the keys
 * are. So there are at most as many rounds as a count has bits. */
mcl_status mcl__find_splitters(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before);

/* Moves the cuts of mcl__find_splitters down to the first key that equals the key at the boundary, in all lists of all
 * ranks. So equal keys go to one rank, and shares follow from the cuts. Collective; the call ends without an
 * agreement. */
mcl_status mcl__cut_between_keys(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before);

/* Counts the elements of sorted that come before each sample. The first own samples come before elements that equal
 * them, the others after these. ranks is on the host, and zero where sorted is empty. */
mcl_status mcl__rank_samples(mcl_mpi *mpi, const mcl_input *sorted, mcl_buffer *samples, int64_t sample_count,
                             int64_t own, const mcl_op *before, int64_t *ranks);

#endif
