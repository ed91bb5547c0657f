/* group_list.h: the groups of tables as they are listed (group_list.c): before they are sorted, for mcl_group_by, and
 * as they are, for other families. */
#ifndef MODERNCL_GROUP_LIST_H
#define MODERNCL_GROUP_LIST_H

#include "call/call.h"

enum { MCL__GROUP_FUSED = 3 }; /* folds that tables make at once: a program has three operators */

/* One fold of the values of each key, and room for the input as the call has it. */
typedef struct mcl__group_fold {
    const mcl_op *op;
    mcl_input values;
} mcl__group_fold;

/* A list in the making, with the call that makes it. Each fold is of a key of the list, and a key may come more than
 * once: then all its folds together are those of its elements. */
typedef struct mcl__group_list {
    mcl__call call;
    mcl_input keys;
    mcl__group_fold folds[MCL__GROUP_FUSED];
    int fold_count;
    int least_elements; /* of a group on average, with which tables serve the caller; of fewer the list is empty */
    int64_t parts;      /* work-groups that fold */
    int64_t slots;      /* of all tables */
    int64_t room;       /* of the list */
    mcl_buffer *listed_keys, *sums[MCL__GROUP_FUSED];
    mcl_buffer *counts; /* GROUPS_LISTED, and GROUPS_LEFT: elements that are in no group; one of both is 0 */
} mcl__group_list;

/* 1: tables have the keys of a call, and can make a fold of their values. */
int mcl__group_lists_keys(const mcl__call *call, const mcl_input *keys);
int mcl__group_lists_fold(const mcl__call *call, const mcl_type *values, const mcl_op *op);
/* Returns the type of a fold's sums. */
const mcl_type *mcl__group_sum_type(const mcl__group_fold *fold);
/* Makes the list of keys and folds, in memory of its own. */
mcl_status mcl__group_list_make(mcl__group_list *list, mcl_queue *queue, const mcl_options *options);
void mcl__group_list_release(mcl__group_list *list);

#endif
