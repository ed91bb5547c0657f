/* join_owners.h: sends keys of a join in any order to the ranks that join them. */
#ifndef MCL_MPI_JOIN_OWNERS_H
#define MCL_MPI_JOIN_OWNERS_H

#include "hot_keys.h"

typedef struct mcl__brought {
    mcl_input keys[2];    /* keys that are on this rank afterwards */
    mcl_input indices[2]; /* their indices in the whole sequence; without a type: they count up from first */
    int64_t first[2];
    mcl__hot_search search;
    mcl__route routes[2];
} mcl__brought;

/* Returns whether keys can go to owners by a hash. They must be integers in the order MCL_LESS or MCL_GREATER, so that
 * equal keys have equal bits. */
int mcl__goes_by_owners(const mcl_mpi *mpi, const mcl_input *keys, const mcl_op *before);

/* Brings equal keys of both sequences together on one rank. If the kind allows it, a small sequence goes to all ranks
 * instead. Collective: the caller must call mcl__agree before and after it. The caller frees out, also after a
 * failure. */
mcl_status mcl__bring_by_owners(mcl_mpi *mpi, mcl_join_kind kind, const mcl_input *keys, mcl__brought *out);
void mcl__brought_free(mcl__brought *of);

#endif
