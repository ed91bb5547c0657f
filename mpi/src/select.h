/* select.h: the keys of some indices of the sorted whole. */
#ifndef MCL_MPI_SELECT_H
#define MCL_MPI_SELECT_H

#include "ranks.h"

typedef struct mcl__selection {
    mcl_input keys; /* this rank's keys, with their count on the host; the call leaves other ones */
    const mcl_op *before;
    const mcl_options *options;
    const int64_t *indices; /* indices below the number of elements, ascending, each once; the same on all ranks */
    int64_t count;          /* count of indices */
    int64_t *slots;         /* the index in found of the key of each index; the caller frees it */
    mcl_input found;        /* these keys, on every rank, in ROOM_FOUND; others may lie between them */
} mcl__selection;

/* Finds the keys. What ranks send does not grow with the keys, up to 1024 indices; for more the whole is sorted.
 * Collective, with two ranks or more; the call ends without an agreement. */
mcl_status mcl__select(mcl_mpi *mpi, mcl__selection *s);

#endif
