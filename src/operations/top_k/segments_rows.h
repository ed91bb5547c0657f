/* segments_rows.h: operations that give a row of outputs for each segment: segmented_top_k.c and segmented_nth.c. */
#ifndef MCL_SEGMENTS_ROWS_H
#define MCL_SEGMENTS_ROWS_H

#include "operations/top_k/segments_operands.h"

/* Runs the whole call, which has every operand except the segments. */
mcl_status mcl__rows_plan(mcl__call *call, mcl_segments *segments, const mcl__rows *rows);

#endif
