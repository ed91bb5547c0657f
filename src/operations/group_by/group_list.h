/* group_list.h: lists of the groups that tables make (group_list.c). mcl_group_by sorts such a list; other operations
 * use it unsorted. */
#ifndef MODERNCL_GROUP_LIST_H
#define MODERNCL_GROUP_LIST_H

#include "call/call.h"

enum { MCL__GROUP_FUSED = 3 }; /* the most folds that tables make together, since a program has three operators */

/* One fold of the values of each key. values is a copy of the input, since the call changes its count. */
typedef struct mcl__group_fold {
    const mcl_op *op;
    mcl_input values;
} mcl__group_fold;

/* A list of groups, and the call that makes it. The list has keys, each with folds of its elements. If a key occurs
 * several times, each of its folds covers some of its elements, and together they cover all. */
typedef struct mcl__group_list {
    mcl__call call;
    mcl_input keys;
    mcl__group_fold folds[MCL__GROUP_FUSED];
    int fold_count;
    int least_elements; /* least average size of a group for which tables are faster; below it the list is empty */
    int64_t parts;      /* number of work-groups that fold */
    int64_t slots;      /* number of slots in all tables */
    int64_t room;       /* the most groups that the list can hold */
    mcl_buffer *listed_keys, *sums[MCL__GROUP_FUSED];
    mcl_buffer *counts; /* at index GROUPS_LISTED the groups of the list, at GROUPS_LEFT the elements in no group; one
                         * of them is 0 */
} mcl__group_list;

/* Return 1 where tables can list the keys of a call, and where tables can make a fold of values. */
int mcl__group_lists_keys(const mcl__call *call, const mcl_input *keys);
int mcl__group_lists_fold(const mcl__call *call, const mcl_type *values, const mcl_op *op);
/* Returns the type of a fold's sums. */
const mcl_type *mcl__group_sum_type(const mcl__group_fold *fold);
/* Makes the list from list->keys and list->folds. mcl__group_list_release frees the list's memory. */
mcl_status mcl__group_list_make(mcl__group_list *list, mcl_queue *queue, const mcl_options *options);
void mcl__group_list_release(mcl__group_list *list);

#endif
