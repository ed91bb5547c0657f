/* segments_by_sort.h: selection in segments by a sort of all segments. */
#ifndef MCL_SEGMENTS_BY_SORT_H
#define MCL_SEGMENTS_BY_SORT_H

#include "operations/top_k/segments_operands.h"

/* Returns 1 where sorting all segments of a ready call, and taking elements from each, costs less than selecting. */
int mcl__rows_sort_is_faster(mcl__call *call, const mcl__rows *rows);
mcl_status mcl__rows_by_sort(mcl__call *call, int has_end, const mcl__rows *rows);

#endif
