/* segments_rows.h: operations that give a row of outputs for each segment: segmented_top_k.c, segmented_nth.c. */
#ifndef MCL_SEGMENTS_ROWS_H
#define MCL_SEGMENTS_ROWS_H

#include "operations/fold/segments.h"
#include "operations/top_k/selection.h"

/* Operands and scalars that their declarations have in common. Kernels know OFFSETS alone. */
enum { MCL__ROWS_IN = MCL__TOP_K_IN, MCL__ROWS_OFFSETS, MCL__ROWS_INDICES, MCL__ROWS_FLAGS, MCL__ROWS_OTHERS };
enum { MCL__ROWS_COUNT = 0 }; /* the number of segments, at most */

#define MCL__ROWS_SEGMENTS                                                                                             \
    [MCL__ROWS_OFFSETS] = { "offsets", .kind = MCL__INPUT, .label = "segments", .types = MCL__INTEGERS,                \
                            .offsets_of = MCL__ROWS_IN },                                                              \
    [MCL__ROWS_INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = MCL__ROWS_IN,        \
                            .unused = 1 },                                                                             \
    [MCL__ROWS_FLAGS] = { "segments", .kind = MCL__INPUT, .types = MCL__FLAGS, .unused = 1 }

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
