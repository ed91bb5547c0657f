#pragma once
/* merge_study.h: the values of MERGE_KIND. */
#define MERGE_NAIVE 0      /* one search for each element */
#define MERGE_BASIC 1      /* each work-item merges its part in global memory */
#define MERGE_TILED 2      /* by groups, through work-group memory */
#define MERGE_CIRCULAR 3   /* as MERGE_TILED, with circular buffers */
#define MERGE_ONE_SEARCH 4 /* exercise 3 of the textbook */
