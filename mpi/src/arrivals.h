/* arrivals.h: the part of a rank in a sorted list that lies on all ranks: a run from each rank. The runs are sent, in
 * pieces, or they are read where they lie (peers.h). */
#ifndef MCL_MPI_ARRIVALS_H
#define MCL_MPI_ARRIVALS_H

#include "cuts.h"
#include "runs.h"

/* The keys of a list, or the values beside them. */
typedef struct mcl__column {
    const mcl_type *type; /* type of the elements; NULL: no column */
    mcl__room part_room, came_room;
    mcl_buffer *part; /* this rank's part, from its first element on */
    mcl_buffer *came; /* elements that are sent; NULL: they are read where they lie */
    int64_t *starts;  /* [pieces][rank] where the runs begin in came, in elements */
    int64_t *firsts;  /* [pieces + 1] where a piece's range of came begins, with room for all of its elements */
    mcl__part *sends, *receives;
} mcl__column;

typedef struct mcl__arrivals {
    const mcl__cuts *cuts;
    int list;
    mcl__column keys, values;
} mcl__arrivals;

/* Makes rooms for this rank's part of a list of the cuts, whose counts are known by now. value_type may be NULL. part
 * and came are rooms of keys; the room of values follows each. The function passes status on, and is collective where
 * mcl__part_room is. The caller frees the arrivals also where the function fails. */
mcl_status mcl__arrivals_begin(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list,
                               const mcl_type *key_type, const mcl_type *value_type, mcl__room part, mcl__room came,
                               mcl__arrivals *out);
void mcl__arrivals_free(mcl__arrivals *arrivals);

/* Returns whether the keys are read where they lie. The answer is the same on all ranks. */
int mcl__arrivals_are_read(const mcl_mpi *mpi, const mcl__arrivals *arrivals);

/* Plans where everything that is sent goes. The parts are in their rooms by now, or on their way there on the queue;
 * cuts are exact. An agreement comes after this call. */
mcl_status mcl__arrivals_plan(mcl_mpi *mpi, mcl__arrivals *arrivals);

/* Brings one piece, after mcl__exchange_begin; the queue's further work has it. All messages are exchanged, also where
 * one has failed. Collective. */
mcl_status mcl__arrivals_bring(mcl_mpi *mpi, const mcl__arrivals *arrivals, int piece);

/* Returns the elements that a rank has for this one in a piece. */
mcl__run_of mcl__arrivals_run(const mcl_mpi *mpi, const mcl__arrivals *arrivals, int piece, int rank);

/* Returns the first element of a piece's range, in the room of what is sent. */
int64_t mcl__arrivals_first(const mcl__column *column, int piece);

#endif
