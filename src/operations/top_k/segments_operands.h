/* segments_operands.h: the operands of calls that select in segments, and what such an operation is. */
#ifndef MCL_SEGMENTS_OPERANDS_H
#define MCL_SEGMENTS_OPERANDS_H

#include "operations/fold/segments.h"
#include "operations/top_k/selection.h"

/* Operands and scalars of both. Kernels know no segments but OFFSETS. POSITIONS: indices of the elements in the
 * caller's input; absent: they are in it. */
enum {
    IN = 1,
    OFFSETS,
    INDICES,
    FLAGS,
    IN_VALUES,
    BEFORE,
    OUT,
    OUT_VALUES,
    OUT_INDICES,
    COUNTS,
    AMOUNTS,
    POSITIONS,
    FRACTIONS
};
/* ROWS: the number of segments, at most. LENGTH: of each, or 0. WANTED: k or the rank, at most. ROW: the elements of a
 * row of outputs. */
enum { ROWS, LENGTH, WANTED, ROW, OTHER_SCALARS };
enum { KEY = 1, VALUE }; /* groups of types */

extern mcl__operands mcl__rows_operands;

/* The operation's own part of a call. */
typedef struct mcl__rows {
    /* Returns the number of elements that an output has for each row; 0: any number of rows fits. */
    int64_t (*each)(const mcl__call *call, int output);
    /* Gives the outputs their room, and whatever follows from the number of rows; before mcl__call_ready. */
    mcl_status (*plan)(mcl__call *call);
    /* The work of a ready call, from mcl__call_program to mcl__call_end. has_end: offsets, not begins. */
    mcl_status (*select)(mcl__call *call, int has_end);
    int first_output, last_output; /* operands */

    /* What selecting costs, beside a sort of all segments. */
    mcl__parameter sort_length;                            /* average length up to which groups sort, ... */
    int64_t (*rounds)(mcl__call *call);                    /* where they select so often in a segment */
    double (*cost)(const mcl__call *call, int64_t length); /* of a segment on a processor (cost.h) */
    int takes_rank;                                        /* 1: an element of each segment, not the first k */
} mcl__rows;

#endif
