/* group_list.h: lists of the groups that tables make (group_list.c). mcl_group_by sorts a list; other families take it
 * as it is. */
#ifndef MODERNCL_GROUP_LIST_H
#define MODERNCL_GROUP_LIST_H

#include "call/call.h"

enum { MCL__GROUP_FUSED = 3 }; /* most folds that tables make at once, since a program has three operators */

/* One fold of the values of each key. values is a copy of the input, since the call changes its count. */
typedef struct mcl__group_fold {
    const mcl_op *op;
    mcl_input values;
} mcl__group_fold;

/* A list of groups, and the call that makes it. The list has keys, each with folds of its elements. A key may come
 * more than once. Then each of its folds covers some of its elements, and together they cover all. */
typedef struct mcl__group_list {
    mcl__call call;
    mcl_input keys;
    mcl__group_fold folds[MCL__GROUP_FUSED];
    int fold_count;
    int least_elements; /* average size of a group from which on tables pay; the list is empty below it */
    int64_t parts;      /* number of work-groups that fold */
    int64_t slots;      /* number of slots of all tables */
    int64_t room;       /* most groups that the list can hold */
    mcl_buffer *listed_keys, *sums[MCL__GROUP_FUSED];
    mcl_buffer *counts; /* at GROUPS_LISTED the groups of the list, at GROUPS_LEFT the elements in no group; one is 0 */
} mcl__group_list;

/* Return 1 where tables can list the keys of a call, and where they can make a fold of values. */
int mcl__group_lists_keys(const mcl__call *call, const mcl_input *keys);
int mcl__group_lists_fold(const mcl__call *call, const mcl_type *values, const mcl_op *op);
/* Returns the type of a fold's sums. */
const mcl_type *mcl__group_sum_type(const mcl__group_fold *fold);
/* Makes the list from list->keys and list->folds, in memory that mcl__group_list_release gives back. */
mcl_status mcl__group_list_make(mcl__group_list *list, mcl_queue *queue, const mcl_options *options);
void mcl__group_list_release(mcl__group_list *list);

#endif
