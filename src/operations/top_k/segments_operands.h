/* segments_operands.h: the operands of calls that select in segments, and the struct that describes an operation. */
#ifndef MCL_SEGMENTS_OPERANDS_H
#define MCL_SEGMENTS_OPERANDS_H

#include "operations/fold/segments.h"
#include "operations/top_k/selection.h"

/* Operands of these calls. Kernels get segments as OFFSETS alone. POSITIONS: indices of the elements in the caller's
 * input; absent where IN is the caller's input. */
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
/* Scalars. ROWS: upper bound of the number of segments. LENGTH: length of every segment, or 0. WANTED: upper
 * bound of k or of the rank. ROW: number of elements of a row of outputs. */
enum { ROWS, LENGTH, WANTED, ROW, OTHER_SCALARS };
enum { KEY = 1, VALUE }; /* groups of operands with one type */

extern mcl__operands mcl__rows_operands;

/* Functions and numbers of one operation, which the shared code of these calls uses. */
typedef struct mcl__rows {
    /* Returns the number of elements that an output has for each row; 0: any number of rows fits. */
    int64_t (*each)(const mcl__call *call, int output);
    /* Sets the outputs' room and other numbers that follow from the number of rows. It comes before mcl__call_ready. */
    mcl_status (*plan)(mcl__call *call);
    /* Does the work of a ready call, from mcl__call_program to mcl__call_end. has_end: segments have offsets, not
     * begins. */
    mcl_status (*select)(mcl__call *call, int has_end);
    int first_output, last_output; /* operands */

    /* The cost of selecting, which is compared with the cost of a sort of all segments. */
    mcl__parameter sort_length;                            /* groups sort up to this average length a round */
    int64_t (*rounds)(mcl__call *call);                    /* Returns how often a group selects in a segment. */
    double (*cost)(const mcl__call *call, int64_t length); /* Returns a segment's cost on a processor (cost.h). */
    int takes_rank;                                        /* 1: selects elements by rank, not the first k */
} mcl__rows;

#endif
