/* tiled_operands.h: the operands of the sort by segments and of the one of nearly sorted sequences. Both are one work,
 * with or without heads. */
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
    int makes_indices;       /* values are the keys' indices: there are no values, and out may be all zero */
    int drops_keys;          /* set by the call: the sorted keys have no output */
    mcl_index_origin origin; /* of the indices */
    int segmented;
    mcl_segments segments;
    mcl_stability stability;
    mcl_sort_report *report; /* NULL: none */
} mcl__tiled_sort;

/* tiled_sort.c */
mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options);

/* Returns the needs of a tile of the call's elements, and the operation whose rows of tuning give the tile. */
mcl__tile_need mcl__tiled_sort_need(const mcl__tiled_sort *plan);
mcl__operation mcl__tiled_sort_operation(const mcl__tiled_sort *plan);

/* 1: keys that compare equal are the same bits. Nobody sees their order. */
int mcl__order_is_hidden(const mcl__tiled_sort *plan);

/* 1: a vector compares and moves many keys at once: keys and values are numbers, in an order that is one expression. */
int mcl__tiled_sort_by_vectors(const mcl__tiled_sort *plan);
/* Defines what one work-item takes for a short segment (sort_short.clh). */
void mcl__tiled_sort_define_short(mcl__call *call, const mcl__tiled_sort *plan);

/* row_sort.c: a call whose operands have been checked, where segments are rows that fit a tile. applies: 0 where they
 * are not or do not; nothing is done then. */
mcl_status mcl__row_sort(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options, int *applies);

#endif
