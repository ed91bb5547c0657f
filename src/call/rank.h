/* rank.h: the work-group memory with which a tile ranks its elements. Either chosen elements alone are ranked
 * (cl/pieces/tile/rank_group.clh), or all elements by a digit (cl/pieces/digits/digit_group.clh). */
#ifndef MODERNCL_RANK_H
#define MODERNCL_RANK_H

#include "call/enqueue.h"
#include "facts/digits.h"

/* Adds to need the memory for ranks, and for a fold of accumulators of sum_bytes over the work-items. Sub-groups that
 * vote need one word and one sum each. Otherwise each work-item needs a word and a sum, and each element of the tile
 * needs a word. */
static inline void mcl__rank_need(mcl__tile_need *need, const mcl__limits *limits, size_t sum_bytes)
{
    const int size = limits->sub_group_path != MCL__SUB_GROUP_NONE ? limits->sub_group_size : 0;
    const size_t own = sum_bytes + sizeof(uint32_t);
    need->local_bytes_fixed += 32 * own + 64;
    if (size > 0 && size <= 32) {
        need->lone_bytes_per_item += sizeof(uint32_t);
        need->lone_bytes_per_thread += own;
    } else {
        need->local_bytes_per_item += sizeof(uint32_t);
        need->local_bytes_per_thread += own;
    }
}

/* Returns 1 where sub-groups rank the elements of a tile by their digits. */
static inline int mcl__sub_groups_rank(const mcl__limits *limits, int threads)
{
    const int size = mcl__sub_group_size(limits);
    return size > 0 && SUB_GROUPS_RANK(threads, size);
}

/* Adds to need the memory of a digit_store (cl/pieces/digits/digit_group.clh). alone is the number of digits where
 * work-items rank without sub-groups. */
static inline void mcl__digits_need(mcl__tile_need *need, size_t digits, size_t alone, size_t index_bytes)
{
    need->digits = digits;
    need->lone_digits = alone;
    need->index_bytes = index_bytes;
    need->local_bytes_fixed += STORE_PADDING;
}

#endif
