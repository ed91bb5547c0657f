/* segments_rows.h: operations that give a row of outputs for each segment: segmented_top_k.c, segmented_nth.c. */
#ifndef MCL_SEGMENTS_ROWS_H
#define MCL_SEGMENTS_ROWS_H

#include "operations/fold/segments.h"
#include "operations/top_k/selection.h"

/* What their declarations have first: operands and scalars. Kernels know no segments but OFFSETS. */
enum { IN = 1, OFFSETS, INDICES, FLAGS, OTHERS };
enum { ROWS, OTHER_SCALARS }; /* ROWS: the number of segments, at most */

/* The operation's own part of a call. */
typedef struct mcl__rows {
    /* Returns the number of elements that an output has for each row; 0: any number of rows fits. */
    int64_t (*each)(const mcl__call *call, int output);
    /* Gives the outputs their room, and whatever follows from the number of rows; before mcl__call_ready. */
    mcl_status (*plan)(mcl__call *call);
    /* The work of a ready call, from mcl__call_program to mcl__call_end. has_end: offsets, not begins. */
    mcl_status (*select)(mcl__call *call, int has_end);
    int first_output, last_output; /* operands */
} mcl__rows;

/* Runs the whole call. The call has every operand but the segments. */
mcl_status mcl__rows_plan(mcl__call *call, mcl_segments *segments, const mcl__rows *rows);

#endif
