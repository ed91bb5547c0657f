/* select.h: finds the keys at some indices of the sorted whole sequence. */
#ifndef MCL_MPI_SELECT_H
#define MCL_MPI_SELECT_H

#include "ranks.h"

typedef struct mcl__selection {
    mcl_input keys; /* this rank's keys, with their count on the host; the call changes this member */
    const mcl_op *before;
    const mcl_options *options;
    const int64_t *indices; /* indices below the number of elements, ascending, each once; the same on all ranks */
    int64_t count;          /* number of indices */
    int64_t *slots;         /* index in found of each wanted key; the caller frees the array */
    mcl_input found;        /* wanted keys, on every rank, in ROOM_FOUND; other keys may lie between them */
} mcl__selection;

/* Finds the keys. With up to 1024 indices, the bytes that a rank sends do not grow with the keys. For more indices the
 * whole sequence is sorted. Collective, with two ranks or more; the caller must call mcl__agree after it. */
mcl_status mcl__select(mcl_mpi *mpi, mcl__selection *s);

#endif
