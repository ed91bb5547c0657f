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
    MCL__PEERS_BYTES = 1 << 20  /* bytes of a share; smaller ones were not measured */
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

#endif
