/* rank.h: what numbering the chosen elements of a tile (cl/pieces/rank_group.clh), or all elements by a digit
 * (cl/pieces/digit_group.clh), takes of work-group memory. */
#ifndef MODERNCL_RANK_H
#define MODERNCL_RANK_H

#include "call/call.h"
#include "facts/radix_sort.h"

/* Adds to what a tile needs the ranks and a fold of sum_bytes over the work-items. Sub-groups that vote need a word and
 * a sum each. Otherwise each work-item needs them, and each element of the tile needs a word. */
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

/* How many elements a ranker of digits (cl/pieces/digit_group.clh) takes at once. 1: each work-item ranks by itself. */
static inline int mcl__rank_lanes(const mcl__limits *limits)
{
    const int size = limits->sub_group_path == MCL__SUB_GROUP_NONE ? 1 : limits->sub_group_size;
    return size >= RANK_LANES_MIN && size <= RANK_LANES_MAX ? size : 1;
}

/* Adds to what a tile needs a digit_store: each ranker has a counter for each digit. alone: digits where work-items of
 * a device with sub-groups rank by themselves all the same. */
static inline void mcl__digits_need(mcl__tile_need *need, const mcl__limits *limits, size_t digits, size_t alone,
                                    size_t index_bytes)
{
    const size_t lanes = (size_t)mcl__rank_lanes(limits);
    need->local_bytes_per_thread += digits * sizeof(uint32_t) / lanes + (lanes > 1 ? 0 : index_bytes);
    need->local_bytes_fixed += (digits + 40) * index_bytes;
    need->lone_bytes_per_thread += lanes > 1 ? alone * sizeof(uint32_t) + index_bytes : 0;
}

#endif
