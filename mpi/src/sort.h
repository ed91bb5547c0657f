/* sort.h: a sort over all ranks as a step of another call. */
#ifndef MCL_MPI_SORT_H
#define MCL_MPI_SORT_H

#include "ranks.h"

/* Sorts as mcl_mpi_sort does. */
mcl_status mcl__sort_shares(mcl_mpi *mpi, mcl_input keys, int64_t share, mcl_output out, const mcl_op *before,
                            mcl_result count, const mcl_options *options);

#endif
