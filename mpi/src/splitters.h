/* splitters.h: finds exact splitters of sorted lists that lie on all ranks. */
#ifndef MCL_MPI_SPLITTERS_H
#define MCL_MPI_SPLITTERS_H

#include "cuts.h"

/* Finds the cuts of the shares in the merge of all lists of all ranks. Elements are ordered by key, then list, then
 * rank, then index. sorted has this rank's lists: sorted buffer ranges of one type. Collective; the caller must call
 * mcl__agree after it.
 *
 * Every round takes samples of each interval that may contain a boundary, on each rank. All ranks count their elements
 * before each sample, and the counts are added up. The two samples nearest to a boundary become its next interval. With
 * s samples an interval shrinks by a factor of about s + 1, whatever the keys are. So there are at most as many rounds
 * as a count has bits. */
mcl_status mcl__find_splitters(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before);

/* Moves each cut of mcl__find_splitters down to the first key that equals the key at the boundary, in all lists of all
 * ranks. So equal keys go to one rank. The shares become those of the new cuts. Collective; the caller must call
 * mcl__agree after it. */
mcl_status mcl__cut_between_keys(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before);

/* Stores in ranks, on the host, the number of elements of sorted before each sample. Elements that equal one of the
 * first own samples come after it. Elements that equal a later sample come before it. If sorted is empty, ranks must be
 * zero already. */
mcl_status mcl__rank_samples(mcl_mpi *mpi, const mcl_input *sorted, mcl_buffer *samples, int64_t sample_count,
                             int64_t own, const mcl_op *before, int64_t *ranks);

#endif
