/* segments_operands.h: the operands of calls that select in segments, and the struct that describes such an
 * operation. */
#ifndef MCL_SEGMENTS_OPERANDS_H
#define MCL_SEGMENTS_OPERANDS_H

#include "operations/fold/segments.h"
#include "operations/top_k/selection.h"

/* Operands of these calls. Kernels know segments only by OFFSETS. POSITIONS has indices of elements in the caller's
 * input; it is absent where IN is the caller's input. */
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
/* Scalars. ROWS: upper bound of the number of segments. LENGTH: length of every segment, or 0 where lengths differ.
 * WANTED: upper bound of k or of the rank. ROW: number of elements in a row of outputs. */
enum { ROWS, LENGTH, WANTED, ROW, OTHER_SCALARS };
enum { KEY = 1, VALUE }; /* groups of operands with one type */

extern mcl__operands mcl__rows_operands;

/* The functions and numbers by which the operations differ. */
typedef struct mcl__rows {
    /* Returns the number of elements that an output has per row, or 0 where any number of rows fits. */
    int64_t (*each)(const mcl__call *call, int output);
    /* Sets the outputs' room, and other numbers that depend on the number of rows. It is called before
     * mcl__call_ready. */
    mcl_status (*plan)(mcl__call *call);
    /* Does the work of a ready call, from mcl__call_program to mcl__call_end. has_end is 1 where segments have offsets,
     * not begins. */
    mcl_status (*select)(mcl__call *call, int has_end);
    int first_output, last_output; /* range of the operands that are outputs */

    /* The cost of selecting, for the comparison with a sort of all segments. */
    mcl__parameter sort_length;                            /* longest average segment that groups sort, per round */
    int64_t (*rounds)(mcl__call *call);                    /* returns how often a group selects in a segment */
    double (*cost)(const mcl__call *call, int64_t length); /* returns a segment's cost on a processor (cost.h) */
    int takes_rank;                                        /* 1 for elements by rank, 0 for the first k elements */
} mcl__rows;

#endif
