/* tiled_operands.h: the operands of the segmented sort and of the locality sort. Both do the same work, with heads of
 * segments or without them. */
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
    int makes_indices;       /* 1: the call makes the keys' indices as values, and out may be all zero */
    int drops_keys;          /* set by the call: the sorted keys have no output */
    mcl_index_origin origin; /* where the indices count from */
    int segmented;
    mcl_segments segments;
    mcl_stability stability;
    mcl_sort_report *report; /* NULL: none */
} mcl__tiled_sort;

/* tiled_sort.c */
mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options);

/* Return the memory that a tile of the call's elements needs, and the operation whose tuning rows give the tile. */
mcl__tile_need mcl__tiled_sort_need(const mcl__tiled_sort *plan);
mcl__operation mcl__tiled_sort_operation(const mcl__tiled_sort *plan);

/* Returns 1 where nobody sees the order of equal keys: they have the same bits, and there are no values. */
int mcl__order_is_hidden(const mcl__tiled_sort *plan);

/* Returns 1 where vectors compare and move many keys at once: keys and values are numbers, and the order is one
 * expression. */
int mcl__tiled_sort_by_vectors(const mcl__tiled_sort *plan);
/* Defines the most keys of a short segment, which one work-item sorts (sort_short.clh). */
void mcl__tiled_sort_define_short(mcl__call *call, const mcl__tiled_sort *plan);

/* row_sort.c. Sorts the rows of a call whose operands have been checked. *applies receives 0, and nothing is done,
 * where segments are no rows, or where rows neither fit a tile nor are sorted faster by digits. */
mcl_status mcl__row_sort(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options, int *applies);

#endif
