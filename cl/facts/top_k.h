#pragma once
/* top_k.h: sizes of a selection that the host and the kernels know. */
#define TOP_K_STATE_BYTES 256
#define TOP_K_MARKS 5           /* of a state, besides: keys with their indices */
#define TOP_K_SHRINK 8          /* each level has room for one candidate of this many of the level before */
#define TOP_K_ROOM_MOST (1 << 30) /* of a level */
/* How the first elements get to the output in order: not at all; by one group, which sorts them; by many, which count
 * for each element how many are before it. */
#define TOP_K_EMITS_NONE 0
#define TOP_K_EMITS_SORTED 1
#define TOP_K_EMITS_RANKED 2
#define TOP_K_RANKED_BLOCKS 2 /* elements that are counted, in blocks that a group sorts */
/* The pivot by the best samples of the work-items: samples of a work-item, and of how many best ones one is wanted. */
#define TOP_K_SAMPLES_MOST 64
#define TOP_K_BEST_SHARE 12
