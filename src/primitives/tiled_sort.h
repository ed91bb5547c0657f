/* tiled_sort.h: the sort by segments and the one of nearly sorted sequences: one work, with or without heads. */
#ifndef MCL_TILED_SORT_H
#define MCL_TILED_SORT_H

#include "call/call.h"
#include "primitives/segments.h"

#include "moderncl/segmented_sort.h"

typedef struct mcl__tiled_sort {
    const char *function;
    mcl_input keys, values;
    mcl_output out, out_values;
    const mcl_op *before;
    int has_values;
    int makes_indices;       /* values are the keys' indices: there are no values, and out may be all zero */
    mcl_index_origin origin; /* of the indices */
    int segmented;
    mcl_segments segments;
    mcl_stability stability;
    mcl_sort_report *report; /* NULL: none */
} mcl__tiled_sort;

mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *call, const mcl_options *options);

#endif
