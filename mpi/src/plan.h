/* plan.h: constants of sorts and selections, which the calls and the model of their cost share. */
#ifndef MCL_MPI_PLAN_H
#define MCL_MPI_PLAN_H

#include <stdint.h>

enum {
    MCL__SAMPLES_MOST = 255,    /* largest number of samples of an interval; 2^32 elements then take four rounds */
    MCL__SAMPLES_LEAST = 3,     /* smallest number of samples of an interval; a round still shrinks it to a quarter */
    MCL__SAMPLES_WANTED = 8192, /* planned samples of all intervals and ranks; more cost more time than they save */
    MCL__PIECES_WANTED = 2,     /* largest number of pieces; on two H100 more are not faster, and 1 is 1 % slower */
    MCL__PIECE_BYTES = 1 << 30, /* smallest piece, in bytes of keys; smaller messages lose more time than they save */
    MCL__RANKS_PIECES = 64,     /* largest number of ranks with several pieces; more ranks have too many boundaries */
    MCL__PEERS_BYTES = 1 << 20, /* smallest average part, in bytes, that ranks read directly; less was not measured */

    /* Constants of a sort that scatters its elements first (scatter.h). On two H200 it took 1.17 of a merge's time for
     * shares of 1e8 elements, and 0.95 to 0.5 for 1e9. */
    MCL__SCATTER_SHARE = 400000000,                /* smallest average share that auto scatters, in elements */
    MCL__SCATTER_BUCKETS = 256,                    /* largest number of buckets of a partition */
    MCL__SCATTER_RANKS = MCL__SCATTER_BUCKETS / 2, /* largest number of ranks: each has a piece and a border */
    MCL__SCATTER_PIECE = 200000000, /* largest piece, in elements; the core sorts it by buckets with its usual tiles */
    MCL__SCATTER_SHORT_BYTES = 4,   /* bytes of short keys, which are merged if they have many copies */

    /* Constants of the samples that all ranks gather (samples.h). */
    MCL__SAMPLE_ROOT = 256, /* smallest square root of the number of samples, unless elements are few */
    MCL__SAMPLE_ROOT_MOST = 2048,
    MCL__SAMPLE_ROOT_RANK = 20, /* root for each rank: so a border's bucket is a tenth of a share */
    MCL__SAMPLE_STRIDE = 32,    /* smallest number of elements for each sample */

    MCL__SELECT_ROOT = 90,   /* largest square root of a selection's samples, if they go through the host */
    MCL__LEFT_MOST = 1 << 19 /* largest number of keys that all ranks sort, over NCCL; a round takes longer */
};

/* Returns the number of samples that each list gives for each boundary's interval, in a round of the search for
 * splitters. */
static inline int mcl__samples_planned(int64_t lists, int64_t boundaries)
{
    const int64_t samples = MCL__SAMPLES_WANTED / (lists * boundaries);
    return (int)(samples > MCL__SAMPLES_MOST    ? MCL__SAMPLES_MOST
                 : samples < MCL__SAMPLES_LEAST ? MCL__SAMPLES_LEAST
                                                : samples);
}

/* Returns the number of pieces of a share. One piece is merged while the next one is sent. More pieces make the
 * exchange slower, and each piece adds a boundary to find. share_bytes: bytes of the keys of a share. */
static inline int mcl__pieces_planned(int ranks, int64_t share_bytes)
{
    const int64_t pieces = ranks > MCL__RANKS_PIECES ? 1 : share_bytes / MCL__PIECE_BYTES;
    return (int)(pieces < 1 ? 1 : pieces > MCL__PIECES_WANTED ? MCL__PIECES_WANTED : pieces);
}

/* Returns the square root of the number of samples that all ranks gather. A sample's index in the sorted whole sequence
 * nearly always differs from the expected index by at most total / root. This is two standard deviations of a sample's
 * median. */
static inline int64_t mcl__sample_root(int ranks, int64_t total)
{
    int64_t root = (int64_t)MCL__SAMPLE_ROOT_RANK * ranks;
    if (root < MCL__SAMPLE_ROOT) root = MCL__SAMPLE_ROOT;
    if (root > MCL__SAMPLE_ROOT_MOST) root = MCL__SAMPLE_ROOT_MOST;
    while (root > 1 && root * root * MCL__SAMPLE_STRIDE > total) root /= 2;
    return root;
}

/* Returns the number of elements for each sample, such that there are at most root * root samples. */
static inline int64_t mcl__sample_stride(int64_t root, int64_t total)
{
    const int64_t most = root * root;
    return total / most + (total % most != 0);
}

/* Returns the number of pieces of a share in a scatter. One piece is sorted while the next one is sent. */
static inline int mcl__scatter_pieces(int64_t share)
{
    const int64_t pieces = (share + MCL__SCATTER_PIECE - 1) / MCL__SCATTER_PIECE;
    return (int)(pieces < 1 ? 1 : pieces < MCL__SCATTER_BUCKETS ? pieces : MCL__SCATTER_BUCKETS);
}

#endif
