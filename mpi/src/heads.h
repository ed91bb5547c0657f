/* heads.h: the heads of segments in a sequence that lies on all ranks. A head is the first element of a segment. */
#ifndef MCL_MPI_HEADS_H
#define MCL_MPI_HEADS_H

#include "cuts.h"

/* The heads among this rank's elements. The result of a segment is on the rank where the segment begins. A segment may
 * continue on later ranks. */
typedef struct mcl__heads {
    mcl__whole whole;      /* counts of the elements of all ranks */
    int64_t count;         /* number of this rank's elements */
    mcl_input list;        /* indices of heads on this rank, MCL_INT64 in memory; may repeat, and may equal count */
    int ends_last;         /* 1 if the last entry of list is no head, but the end of the segment before it */
    int64_t first_head;    /* first head; elements before it belong to a segment of a lower rank, or to none */
    int64_t last_head;     /* head of the last segment that begins on this rank */
    int64_t segment_count; /* number of segments that begin on this rank */
    mcl__cuts cuts;        /* cuts with which the list was sent */
} mcl__heads;

/* Checks counts, types and kind of segments, before a call's first agreement. */
mcl_status mcl__heads_check(mcl_mpi *mpi, mcl_segments *segments);

/* Finds the heads from a list of segments. count: number of this rank's elements. If validates is 1, a list that breaks
 * the rules of segmented.h is refused. Collective: the caller must call mcl__agree before and after it. The caller
 * frees the heads, also after a failure. */
mcl_status mcl__heads_of_segments(mcl_mpi *mpi, const mcl_segments *segments, int64_t count, int validates,
                                  mcl__heads *out);

/* Finds the heads of runs of equal keys. keys is a buffer range. Otherwise it is as mcl__heads_of_segments. */
mcl_status mcl__heads_of_runs(mcl_mpi *mpi, mcl_input keys, const mcl_op *equal, mcl__heads *out);
void mcl__heads_free(mcl__heads *heads);

#endif
