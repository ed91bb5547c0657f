/* join_owners.h: keys of a join on their way to the ranks that join them, in any order. */
#ifndef MCL_MPI_JOIN_OWNERS_H
#define MCL_MPI_JOIN_OWNERS_H

#include "hot_keys.h"

typedef struct mcl__brought {
    mcl_input keys[2];    /* keys that this rank joins */
    mcl_input indices[2]; /* their indices in the whole; without a type: they stand from first on */
    int64_t first[2];
    mcl__hot_search search;
    mcl__route routes[2];
} mcl__brought;

/* Returns whether keys can go by owners: integers, whose bits tell which are equal in this order. */
int mcl__goes_by_owners(const mcl_mpi *mpi, const mcl_input *keys, const mcl_op *before);

/* Brings equal keys of both sequences together. A small sequence goes to all ranks, where the kind allows it.
 * Collective; all ranks must have agreed before; the call ends without an agreement. A rank frees it also where the
 * call fails. */
mcl_status mcl__bring_by_owners(mcl_mpi *mpi, mcl_join_kind kind, const mcl_input *keys, mcl__brought *out);
void mcl__brought_free(mcl__brought *of);

#endif
