/* heads.h: the heads of segments in a sequence that lies on all ranks. */
#ifndef MCL_MPI_HEADS_H
#define MCL_MPI_HEADS_H

#include "cuts.h"

/* The heads of this rank's elements. Segments that begin on this rank have their results on this rank, and may go on
 * over later ranks. */
typedef struct mcl__heads {
    mcl__whole whole;      /* the whole of the elements */
    int64_t count;         /* this rank's elements */
    mcl_input list;        /* elements that segments begin at, MCL_INT64 in memory; may repeat, and be count */
    int ends_last;         /* whether the last entry of the list is no head, but ends the segment before it */
    int64_t first_head;    /* first head; elements before it are of a segment of a lower rank, or of none */
    int64_t last_head;     /* head of the last segment that begins here */
    int64_t segment_count; /* segments that begin here */
    mcl__cuts cuts;        /* cuts of the list on its way */
} mcl__heads;

/* Checks counts, types and kind of segments, before a call's first agreement. */
mcl_status mcl__heads_check(mcl_mpi *mpi, mcl_segments *segments);

/* Finds the heads by segments of a rank that has count elements. validates: a list that breaks the rules of segments.h
 * is refused. Collective; all ranks must have agreed before; the call ends without an agreement. A rank frees the heads
 * also where the call fails. */
mcl_status mcl__heads_of_segments(mcl_mpi *mpi, const mcl_segments *segments, int64_t count, int validates,
                                  mcl__heads *out);

/* Finds the heads of the runs of equal keys, a buffer range. */
mcl_status mcl__heads_of_runs(mcl_mpi *mpi, mcl_input keys, const mcl_op *equal, mcl__heads *out);
void mcl__heads_free(mcl__heads *heads);

#endif
