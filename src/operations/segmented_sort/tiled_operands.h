/* tiled_operands.h: the operands of the segmented sort and of the locality sort. Both do the same work, with or without
 * heads of segments. */
#ifndef MODERNCL_TILED_OPERANDS_H
#define MODERNCL_TILED_OPERANDS_H

#include "operations/fold/segments.h"
#include "operations/sort/sort_operands.h"

#include "moderncl/segmented_sort.h"

typedef struct mcl__tiled_sort {
    const char *function;
    mcl_input keys, values;
    mcl_output out, out_values;
    const mcl_op *before;
    int has_values;
    int makes_indices;       /* 1 if the values are the keys' indices, which the call makes; out may then be all zero */
    int drops_keys;          /* 1 if the sorted keys have no output; the call sets it */
    mcl_index_origin origin; /* the element that has index 0 */
    int segmented;
    mcl_segments segments;
    mcl_stability stability;
    mcl_sort_report *report; /* report of the sort, or NULL */
} mcl__tiled_sort;

/* tiled_sort.c */
mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options);

/* Return the memory that a tile of the call's elements needs, and the operation whose tuning rows give the tile. */
mcl__tile_need mcl__tiled_sort_need(const mcl__tiled_sort *plan);
mcl__operation mcl__tiled_sort_operation(const mcl__tiled_sort *plan);

/* Returns 1 where the order of equal keys is not visible: they have the same bits, and there are no values. */
int mcl__order_is_hidden(const mcl__tiled_sort *plan);

/* Returns 1 where vectors compare and move many keys at once: keys and values are numbers, and the order is one
 * expression. */
int mcl__tiled_sort_by_vectors(const mcl__tiled_sort *plan);
/* Defines the longest short segment, which one work-item sorts (sort_short.clh). */
void mcl__tiled_sort_define_short(mcl__call *call, const mcl__tiled_sort *plan);

/* row_sort.c. Sorts the rows of a call whose operands have been checked. It sets *applies to 0 and does nothing in two
 * cases. Either segments are not rows, or rows neither fit a tile nor are sorted faster by digits. */
mcl_status mcl__row_sort(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options, int *applies);

#endif
