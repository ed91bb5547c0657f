/* cuts.h: the cuts say which elements each rank sends to each other rank. The functions also exchange these
 * elements. */
#ifndef MCL_MPI_CUTS_H
#define MCL_MPI_CUTS_H

#include "ranks.h"

/* A list is a sequence that lies on all ranks, often sorted. Most calls have one list, a merge has two. */
enum { LISTS_MAX = 2 };

/* The cuts of every list on every rank: the index at which the elements for each target begin. All members are the same
 * on all ranks. A target is a rank. If a share has several pieces, piece k of rank r is target r * pieces + k. */
typedef struct mcl__cuts {
    int rank_count;
    int list_count;
    int pieces;          /* number of pieces of a rank's share; 1 unless mcl__cuts_split was called */
    int64_t *counts;     /* [list][rank] number of elements of the list on the rank */
    int64_t *boundaries; /* [rank_count * pieces + 1] index in the whole sequence at which each target begins */
    int64_t *at;         /* [list][rank][rank_count * pieces + 1] index in the rank's part where a target begins */
} mcl__cuts;

/* Gathers the counts of each list and the shares, and checks that they fit together. Collective. The caller frees the
 * cuts, also after a failure. */
mcl_status mcl__cuts_begin(mcl_mpi *mpi, const int64_t *counts, int list_count, int64_t share, mcl__cuts *out);
void mcl__cuts_free(mcl__cuts *cuts);

/* Divides each rank's share into pieces of nearly equal size, instead of its earlier pieces. All cuts are lost. */
mcl_status mcl__cuts_split(mcl_mpi *mpi, mcl__cuts *cuts, int pieces);
int mcl__target_count(const mcl__cuts *cuts);

/* Makes the cuts of one list from the counts, such that elements keep their order. */
void mcl__cuts_by_index(mcl__cuts *cuts);

/* Return a rank's cuts of a list (one more than there are targets), and exchange the cuts: every rank sends its own. */
int64_t *mcl__row_of(mcl__cuts *cuts, int list, int rank);
mcl_status mcl__cuts_share(mcl_mpi *mpi, mcl__cuts *cuts);

/* Corrects cuts so that they are in order and shares are exact, whatever numbers they are. Correct cuts do not
 * change. */
void mcl__cuts_mend(mcl__cuts *cuts);

/* Returns the index at which target to begins, in the part of a list on rank from. */
int64_t mcl__cut(const mcl__cuts *cuts, int list, int from, int to);
int64_t mcl__count_of(const mcl__cuts *cuts, int list, int rank);
int64_t mcl__share_of(const mcl__cuts *cuts, int rank);
int64_t mcl__total_of(const mcl__cuts *cuts);

/* Returns the number of elements of a list that rank from sends to target to. */
int64_t mcl__part_count(const mcl__cuts *cuts, int list, int from, int to);

/* Makes the cuts with which one list's received elements go back to the ranks that sent them. A rank has these elements
 * in the order of ranks. Without memory the call is refused. */
mcl_status mcl__cuts_reverse(mcl_mpi *mpi, const mcl__cuts *cuts, mcl__cuts *out);

/* Returns the index of a rank's first element in a list. */
int64_t mcl__first_of(const mcl__cuts *cuts, int list, int rank);

/* Sends each rank its share of a list. This rank's elements begin at element from_offset of from. Elements of all ranks
 * are stored in to, in the order of ranks, from element to_offset on. Collective; the caller must call mcl__agree
 * before it. */
mcl_status mcl__exchange_list(mcl_mpi *mpi, const mcl__cuts *cuts, int list, const mcl_type *type, mcl_buffer *from,
                              int64_t from_offset, mcl_buffer *to, int64_t to_offset);

/* Bits for the elements that a rank keeps in an exchange. With 0, from and to have gaps for them, and nothing is
 * copied. OWN_COPIED copies them from gap to gap. With OWN_NOT_IN_FROM, from has no such gap; with OWN_NOT_IN_TO, to
 * has none. */
enum { OWN_COPIED = 1, OWN_NOT_IN_FROM = 2, OWN_NOT_IN_TO = 4 };

/* Begins the exchange of mcl__exchange_list. own: bits of the enum above. Meanwhile the queue may do other work that
 * does not change from and does not use to. mcl__exchange_end makes later work wait for the exchange. Every rank calls
 * it, also after a failure. */
mcl_status mcl__exchange_post(mcl_mpi *mpi, const mcl__cuts *cuts, int list, const mcl_type *type, mcl_buffer *from,
                              int64_t from_offset, mcl_buffer *to, int64_t to_offset, unsigned own);

/* Copies elements of each rank, from element from_offset of from on, to every rank. In to the elements are in the order
 * of ranks. counts has the number of elements of every rank. Collective; the caller must call mcl__agree before it. */
mcl_status mcl__gather_lists(mcl_mpi *mpi, const mcl_type *type, const int64_t *counts, mcl_buffer *from,
                             int64_t from_offset, mcl_buffer *to, int64_t to_offset);

#endif
