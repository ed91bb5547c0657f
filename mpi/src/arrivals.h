/* arrivals.h: the elements of a sorted list that a rank receives: one run from each rank. The runs are sent in pieces,
 * or read from the memory of other ranks (peers.h). */
#ifndef MCL_MPI_ARRIVALS_H
#define MCL_MPI_ARRIVALS_H

#include "cuts.h"
#include "runs.h"

/* The keys of a list, or the values that belong to them. */
typedef struct mcl__column {
    const mcl_type *type; /* type of the elements; NULL: no column */
    mcl__room part_room, came_room;
    mcl_buffer *part; /* this rank's part of the list, from its first element on */
    mcl_buffer *came; /* received elements; NULL: the elements are read from other ranks' memory */
    int64_t *starts;  /* [pieces][rank] index of each run's first element in came */
    int64_t *firsts;  /* [pieces + 1] index of the first element of each piece's range in came */
    mcl__part *sends, *receives;
} mcl__column;

typedef struct mcl__arrivals {
    const mcl__cuts *cuts;
    int list;
    mcl__column keys, values;
} mcl__arrivals;

/* Makes a scratch buffer for this rank's part of a list. part is the buffer's name for keys, and came that of the
 * buffer for received keys. Values use the next name of the enum. The counts of cuts must be known. value_type may be
 * NULL. If status is a failure, the call only returns it. Collective if mcl__part_room is collective. The caller frees
 * the arrivals, also after a failure. */
mcl_status mcl__arrivals_begin(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list,
                               const mcl_type *key_type, const mcl_type *value_type, mcl__room part, mcl__room came,
                               mcl__arrivals *out);
void mcl__arrivals_free(mcl__arrivals *arrivals);

/* Returns whether keys are read from other ranks' memory. The answer is the same on all ranks. */
int mcl__arrivals_are_read(const mcl_mpi *mpi, const mcl__arrivals *arrivals);

/* Plans the ranges of received runs. Each rank's part must be stored, or the queue must have work that stores it. The
 * cuts must be exact. The caller must call mcl__agree after it. */
mcl_status mcl__arrivals_plan(mcl_mpi *mpi, mcl__arrivals *arrivals);

/* Receives one piece, after mcl__exchange_begin. The queue's later work can use it. If one message fails, the others
 * are still exchanged. Collective. */
mcl_status mcl__arrivals_bring(mcl_mpi *mpi, const mcl__arrivals *arrivals, int piece);

/* Returns the run that this rank receives from a rank, in one piece. */
mcl__run_of mcl__arrivals_run(const mcl_mpi *mpi, const mcl__arrivals *arrivals, int piece, int rank);

/* Returns the index of a piece's first element among the received elements. */
int64_t mcl__arrivals_first(const mcl__column *column, int piece);

#endif
