/* samples.h: takes samples of a sequence that lies on all ranks, and sorts them. */
#ifndef MCL_MPI_SAMPLES_H
#define MCL_MPI_SAMPLES_H

#include "ranks.h"

/* Gathers samples on every rank, one for each stride elements, and sorts them with their positions in the whole
 * sequence.
 *
 * keys       this rank's elements, with their count on the host
 * counts     number of elements of each rank
 * samples    receives the sorted samples, in ROOM_SAMPLES; equal samples are in the order of positions
 * positions  receives the position of each sample, an MCL_INT64, in ROOM_NUMBERS
 * Collective; the caller must call mcl__agree after it. */
mcl_status mcl__gather_samples(mcl_mpi *mpi, mcl_input keys, const int64_t *counts, int64_t stride,
                               const mcl_op *before, mcl_input *samples, mcl_input *positions);

#endif
