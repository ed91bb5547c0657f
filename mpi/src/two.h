/* two.h: calls on two sequences that lie on all ranks in order. */
#ifndef MCL_MPI_TWO_H
#define MCL_MPI_TWO_H

#include "splitters.h"

typedef struct mcl__two {
    mcl_input keys[2], values[2]; /* inputs; values[0].type is NULL without values, values[1].type where b has none */
    mcl__cuts cuts;
    mcl_input came_keys[2], came_values[2]; /* elements that this rank gets of each, in order */
} mcl__two;

/* Checks counts, and that both sequences fit together, before the first agreement of a call. */
mcl_status mcl__two_check(mcl_mpi *mpi, mcl__two *two);

void mcl__two_sign(mcl__signature *signature, const mcl__two *two);

/* Stores inputs that are not in memory. */
mcl_status mcl__two_store(mcl_mpi *mpi, mcl__two *two);

/* Sends each rank its share by the cuts. Collective. */
mcl_status mcl__two_exchange(mcl_mpi *mpi, mcl__two *two);

#endif
