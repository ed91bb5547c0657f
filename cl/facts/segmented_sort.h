#pragma once
/* segmented_sort.h: work-items, counters and tasks of the sort by tiles. */
#define SEAM_THREADS_MAX 32 /* work-items of a group that merges a seam, at most */
#define PLAN_THREADS_MAX 64 /* work-items of a group that plans, at most */

/* Indices of the counters: first those of the call, then COUNTS_A_LEVEL counters for each level. */
#define COUNT_TILES 0
#define COUNT_MENDED 1 /* number of mended seams */
#define COUNT_STATES 2 /* a bit for each state, set where some seam has it */
#define COUNT_LEVELS 3 /* index at which the levels begin */
#define COUNT_MERGES 0
#define COUNT_COPIES 1
#define COUNTS_A_LEVEL 2

#define HEAD_RANGE_BYTES(index_bytes) (2 * (index_bytes))     /* bytes of a head_range: two indices */
#define LIST_TILE_BYTES(index_bytes) (5 * (index_bytes) + 8) /* bytes of a list_tile: five indices and two counts */
