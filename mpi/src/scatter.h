/* scatter.h: a sort that sends each element once, before it is sorted. */
#ifndef MCL_MPI_SCATTER_H
#define MCL_MPI_SCATTER_H

#include "cuts.h"

typedef struct mcl__scatter_sort {
    mcl_input keys, values; /* inputs; values.type is NULL without values */
    mcl_output out_keys, out_values;
    const mcl_op *before;
    const mcl_options *options; /* options of the core's sorts */
    mcl__cuts *cuts;            /* begun, for one list */
} mcl__scatter_sort;

/* Returns whether elements are scattered to ranks and then sorted. Otherwise each rank sorts its own elements first.
 * The answer is the same on all ranks. */
int mcl__scatters(const mcl_mpi *mpi, const mcl__cuts *cuts, const mcl_op *before);

/* Sorts the elements of all ranks into the shares of the cuts, stable. Each rank checks its outputs before, and brings
 * its status. Gives in is_declined whether nothing was sorted, since short keys with many copies are sorted faster the
 * other way; the same on all ranks. Collective; ends without an agreement.
 *
 * Splitters from a sample cut the whole into buckets: some for the inside of each share, and a narrow one around each
 * border between two shares. Each rank partitions its elements by bucket. Every bucket goes to each rank that has a
 * part of it in its share: an inner one to one rank, a border's to both. So shares are exact, although splitters are
 * not. A rank sorts one bucket while the next one is on its way. (W. D. Frazer, A. C. McKellar, "Samplesort: A Sampling
 * Approach to Minimal Storage Tree Sorting", 1970. Equal keys by position: G. E. Blelloch and others, "A Comparison of
 * Sorting Algorithms for the Connection Machine CM-2", 1991.) */
mcl_status mcl__sort_by_scatter(mcl_mpi *mpi, mcl_status status, const mcl__scatter_sort *sort, int *is_declined);

#endif
