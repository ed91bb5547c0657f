/* cuts.h: the elements of each rank that go to each other rank, and their exchange. */
#ifndef MCL_MPI_CUTS_H
#define MCL_MPI_CUTS_H

#include "ranks.h"

/* A list is a sorted sequence that lies on all ranks; most calls have one, a merge has two. */
enum { LISTS_MAX = 2 };

/* The cuts of every list on every rank: where the share of each rank begins in the list. All members are the same on
 * all ranks. A share may be in several pieces: then piece k of rank r is target r * pieces + k. */
typedef struct mcl__cuts {
    int rank_count;
    int list_count;
    int pieces;          /* pieces of a rank's share; 1 but for mcl__cuts_split */
    int64_t *counts;     /* [list][rank] elements there */
    int64_t *boundaries; /* [rank_count * pieces + 1] where each target begins in the whole */
    int64_t *at;         /* [list][rank][rank_count * pieces + 1] */
} mcl__cuts;

/* Gathers the counts of each list, and the shares. The counts and shares of all ranks must fit together. Collective. A
 * rank frees the cuts also where the function fails. */
mcl_status mcl__cuts_begin(mcl_mpi *mpi, const int64_t *counts, int list_count, int64_t share, mcl__cuts *out);
void mcl__cuts_free(mcl__cuts *cuts);

/* Cuts each rank's share in as many pieces, as even as can be, in place of those it had. Known cuts are lost. */
mcl_status mcl__cuts_split(mcl_mpi *mpi, mcl__cuts *cuts, int pieces);
int mcl__target_count(const mcl__cuts *cuts);

/* Makes the cuts from the counts: elements keep their order. For one list. */
void mcl__cuts_by_index(mcl__cuts *cuts);

/* Return a rank's cuts of a list, one more than the targets, and exchange them: every rank brings its own rows. */
int64_t *mcl__row_of(mcl__cuts *cuts, int list, int rank);
mcl_status mcl__cuts_share(mcl_mpi *mpi, mcl__cuts *cuts);

/* Makes cuts of any numbers at all such that shares are exact and cuts in order. Cuts that are right already stay as
 * they are. */
void mcl__cuts_mend(mcl__cuts *cuts);

/* Returns the start of a target in the part of a list that lies on rank from. Without pieces, targets are ranks. */
int64_t mcl__cut(const mcl__cuts *cuts, int list, int from, int to);
int64_t mcl__count_of(const mcl__cuts *cuts, int list, int rank);
int64_t mcl__share_of(const mcl__cuts *cuts, int rank);
int64_t mcl__total_of(const mcl__cuts *cuts);

/* Returns the number of elements of a list that go from a rank to a target. */
int64_t mcl__part_count(const mcl__cuts *cuts, int list, int from, int to);

/* Makes the cuts of the way back. Elements that a rank has got lie in the order of ranks, and each part goes to the
 * rank that it came from. Without memory the call is refused. For one list. */
mcl_status mcl__cuts_reverse(mcl_mpi *mpi, const mcl__cuts *cuts, mcl__cuts *out);

/* Returns the index of a rank's first element in a list. */
int64_t mcl__first_of(const mcl__cuts *cuts, int list, int rank);

/* Sends each rank its share of a list. from has this rank's elements from element from_offset on. Elements from all
 * ranks go to to, one after the other, in the order of ranks, from element to_offset on. Collective; all ranks must
 * have agreed before. */
mcl_status mcl__exchange_list(mcl_mpi *mpi, const mcl__cuts *cuts, int list, const mcl_type *type, mcl_buffer *from,
                              int64_t from_offset, mcl_buffer *to, int64_t to_offset);

/* Where a rank's own elements lie in an exchange: else they have a gap, in from and in to. */
enum { OWN_COPIED = 1, OWN_NOT_IN_FROM = 2, OWN_NOT_IN_TO = 4 }; /* OWN_COPIED: from one gap to the other */

/* Begins what mcl__exchange_list does. own: a sum of the numbers above. The queue's further work may run beside the
 * exchange. It must not change from, and must not touch what comes to to. mcl__exchange_end orders further work after
 * the exchange. Every rank calls it, also after a failure. */
mcl_status mcl__exchange_post(mcl_mpi *mpi, const mcl__cuts *cuts, int list, const mcl_type *type, mcl_buffer *from,
                              int64_t from_offset, mcl_buffer *to, int64_t to_offset, unsigned own);

/* Copies elements of from on each rank, from offset on, to every rank. In to the elements lie one after the other, in
 * the order of ranks. counts has the count of every rank. Collective; all ranks must have agreed before. */
mcl_status mcl__gather_lists(mcl_mpi *mpi, const mcl_type *type, const int64_t *counts, mcl_buffer *from,
                             int64_t from_offset, mcl_buffer *to, int64_t to_offset);

#endif
