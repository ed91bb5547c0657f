/* rank.h: what numbering the chosen elements of a tile (cl/pieces/rank_group.clh) takes of work-group memory. */
#ifndef MODERNCL_RANK_H
#define MODERNCL_RANK_H

#include "call/call.h"

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

#endif
