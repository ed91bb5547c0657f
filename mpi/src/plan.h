/* plan.h: numbers of a sort's plan, which its calls and the model of their cost share. */
#ifndef MCL_MPI_PLAN_H
#define MCL_MPI_PLAN_H

#include <stdint.h>

enum {
    MCL__SAMPLES_MOST = 255,    /* samples of an interval: four rounds for 2^32 elements */
    MCL__SAMPLES_LEAST = 3,     /* samples that shrink an interval to a quarter, with many ranks too */
    MCL__SAMPLES_WANTED = 8192, /* samples of all intervals and ranks; more take longer to send than they save */
    MCL__PIECES_WANTED = 2,     /* pieces: on two H100 as fast as 3 or 4, and 1 % faster than 1 */
    MCL__PIECE_BYTES = 1 << 30, /* bytes of keys, at least: smaller messages are slower by more than they save */
    MCL__RANKS_PIECES = 64,     /* most ranks; with more the boundaries are too many */
    MCL__PEERS_BYTES = 1 << 20, /* bytes of a share; smaller ones were not measured */

    /* A sort that scatters its elements first (scatter.h). */
    MCL__SCATTER_SHARE = 400000000, /* elements of a share: on two H200 1e8 are 1.17 of a merge, 1e9 0.95 to 0.5 */
    MCL__SCATTER_BUCKETS = 256,     /* most buckets that a partition knows */
    MCL__SCATTER_RANKS = MCL__SCATTER_BUCKETS / 2, /* most ranks: each has a piece and a border */
    MCL__SCATTER_PIECE = 200000000, /* most elements of a piece: the core sorts them by buckets of its usual tiles */
    MCL__SCATTER_SHORT_BYTES = 4,   /* bytes of keys whose copies are not worth a partition by position */

    /* Samples that all ranks gather (samples.h). */
    MCL__SAMPLE_ROOT = 256, /* square root of the number of samples, at least */
    MCL__SAMPLE_ROOT_MOST = 2048,
    MCL__SAMPLE_ROOT_RANK = 20, /* for each rank: so a border's bucket is a tenth of a share */
    MCL__SAMPLE_STRIDE = 32,    /* elements of each sample, at least */

    MCL__SELECT_ROOT = 90,   /* square root of the samples of a selection, at most, that go through the host's memory */
    MCL__LEFT_MOST = 1 << 19 /* keys of a selection that all ranks get and sort, over NCCL: a round takes longer */
};

/* Returns how many samples each list gives of each boundary's interval, in a round of the search for splitters. */
static inline int mcl__samples_planned(int64_t lists, int64_t boundaries)
{
    const int64_t samples = MCL__SAMPLES_WANTED / (lists * boundaries);
    return (int)(samples > MCL__SAMPLES_MOST    ? MCL__SAMPLES_MOST
                 : samples < MCL__SAMPLES_LEAST ? MCL__SAMPLES_LEAST
                                                : samples);
}

/* Returns the number of pieces of a share. One piece is merged while the next is on its way. More pieces make the
 * exchange slower, and each is a boundary more to find. share_bytes: bytes of the keys of a share. */
static inline int mcl__pieces_planned(int ranks, int64_t share_bytes)
{
    const int64_t pieces = ranks > MCL__RANKS_PIECES ? 1 : share_bytes / MCL__PIECE_BYTES;
    return (int)(pieces < 1 ? 1 : pieces > MCL__PIECES_WANTED ? MCL__PIECES_WANTED : pieces);
}

/* Returns the square root of the number of samples that all ranks gather. A sample is hardly ever further from its
 * place than the number of elements divided by this root: two deviations of a sample's median. */
static inline int64_t mcl__sample_root(int ranks, int64_t total)
{
    int64_t root = (int64_t)MCL__SAMPLE_ROOT_RANK * ranks;
    if (root < MCL__SAMPLE_ROOT) root = MCL__SAMPLE_ROOT;
    if (root > MCL__SAMPLE_ROOT_MOST) root = MCL__SAMPLE_ROOT_MOST;
    while (root > 1 && root * root * MCL__SAMPLE_STRIDE > total) root /= 2;
    return root;
}

/* Returns the number of elements for which a sample stands, where there are root * root samples at most. */
static inline int64_t mcl__sample_stride(int64_t root, int64_t total)
{
    const int64_t most = root * root;
    return total / most + (total % most != 0);
}

/* Returns the number of pieces of a share in a scatter. One is sorted while the next is on its way. */
static inline int mcl__scatter_pieces(int64_t share)
{
    const int64_t pieces = (share + MCL__SCATTER_PIECE - 1) / MCL__SCATTER_PIECE;
    return (int)(pieces < 1 ? 1 : pieces < MCL__SCATTER_BUCKETS ? pieces : MCL__SCATTER_BUCKETS);
}

#endif
