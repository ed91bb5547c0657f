/* scatter.h: a sort that sends each element once, before elements are sorted. */
#ifndef MCL_MPI_SCATTER_H
#define MCL_MPI_SCATTER_H

#include "cuts.h"

typedef struct mcl__scatter_sort {
    mcl_input keys, values; /* inputs; values.type is NULL without values */
    mcl_output out_keys, out_values;
    const mcl_op *before;
    const mcl_options *options; /* options of the core's sorts */
    mcl__cuts *cuts;            /* cuts of one list, after mcl__cuts_begin */
} mcl__scatter_sort;

/* Returns whether elements are sent to their ranks before they are sorted. Otherwise each rank sorts its own elements
 * first. The answer is the same on all ranks. */
int mcl__scatters(const mcl_mpi *mpi, const mcl__cuts *cuts, const mcl_op *before);

/* Sorts the elements of all ranks into the shares of the cuts. The sort is stable. Each rank has checked its outputs
 * before, and passes the status. If short keys have many copies, nothing is sorted and is_declined is 1 on all ranks,
 * since a merge is then faster. Collective; the caller must call mcl__agree after it.
 *
 * Splitters from a sample cut the whole sequence into buckets: some inside each share, and a narrow one around each
 * border between two shares. Each rank partitions its elements by bucket. Every bucket goes to each rank that has
 * elements of it in its share: an inner bucket to one rank, a border's bucket to both neighbours. So shares are exact,
 * although splitters are not. A rank sorts one bucket while the next one is sent. (W. D. Frazer, A. C. McKellar,
 * "Samplesort: A Sampling Approach to Minimal Storage Tree Sorting", 1970. Equal keys by position: G. E. Blelloch and
 * others, "A Comparison of Sorting Algorithms for the Connection Machine CM-2", 1991.) */
mcl_status mcl__sort_by_scatter(mcl_mpi *mpi, mcl_status status, const mcl__scatter_sort *sort, int *is_declined);

#endif
