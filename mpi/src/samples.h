/* samples.h: samples of a sequence that lies on all ranks. */
#ifndef MCL_MPI_SAMPLES_H
#define MCL_MPI_SAMPLES_H

#include "ranks.h"

/* Gathers samples on every rank, one of each stride elements, and sorts them with their positions in the whole.
 *
 * keys       this rank's elements, with their count on the host
 * counts     elements of each rank
 * samples    ROOM_SAMPLES: the samples in order; equal ones in the order of positions
 * positions  ROOM_NUMBERS: MCL_INT64
 * Collective; ends without an agreement. */
mcl_status mcl__gather_samples(mcl_mpi *mpi, mcl_input keys, const int64_t *counts, int64_t stride,
                               const mcl_op *before, mcl_input *samples, mcl_input *positions);

#endif
