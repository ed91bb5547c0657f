/* two.h: calls on two sorted sequences that lie on all ranks. */
#ifndef MCL_MPI_TWO_H
#define MCL_MPI_TWO_H

#include "splitters.h"

typedef struct mcl__two {
    mcl_input keys[2], values[2]; /* inputs; values[0].type is NULL without values, values[1].type if b has none */
    mcl__cuts cuts;
    mcl_input came_keys[2], came_values[2]; /* elements of each sequence that this rank receives, in order */
} mcl__two;

/* Checks the counts, and that the types of both sequences match. A call does this before its first agreement. */
mcl_status mcl__two_check(mcl_mpi *mpi, mcl__two *two);

void mcl__two_sign(mcl__signature *signature, const mcl__two *two);

/* Stores inputs that are expressions. */
mcl_status mcl__two_store(mcl_mpi *mpi, mcl__two *two);

/* Sends each rank its share of both sequences, as the cuts say. Collective. */
mcl_status mcl__two_exchange(mcl_mpi *mpi, mcl__two *two);

#endif
