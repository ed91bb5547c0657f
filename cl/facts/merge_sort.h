#pragma once
/* merge_sort.h: a constant for the host and the kernels of a mergesort. */
/* Number of runs that a work-group merges into one. */
#define FOUR_RUNS 4
/* Number of cuts that a tile of a merge of FOUR_RUNS runs needs. The cut of the last run follows from the others. */
#define FOUR_CUTS (FOUR_RUNS - 1)
