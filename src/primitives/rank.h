/* rank.h: what numbering the chosen elements of a tile (cl/group/rank_group.clh) takes of work-group memory. */
#ifndef MODERNCL_RANK_H
#define MODERNCL_RANK_H

#include "primitives/primitive.h"

/* 1: sub-groups vote, whatever tile the options ask for. */
static inline int mcl__rank_votes(const mcl__limits *limits, const mcl_options *options)
{
    const int threads = options ? options->tile_threads : 0;
    const int size = limits->sub_group_path != MCL__SUB_GROUP_NONE ? limits->sub_group_size : 0;
    return size > 0 && size <= 32 && threads % size == 0;
}

/* For each element of the tile: without votes, a word. */
static inline size_t mcl__rank_bytes(const mcl__limits *limits, const mcl_options *options)
{
    return mcl__rank_votes(limits, options) ? 0 : sizeof(uint32_t);
}

/* Besides, with a fold of sum_bytes over the work-items: a word and a sum for each sub-group, or for each work-item. */
static inline size_t mcl__rank_bytes_fixed(const mcl__limits *limits, const mcl_options *options, size_t sum_bytes)
{
    const int threads = options && options->tile_threads > 256 ? options->tile_threads : 256;
    return (size_t)(mcl__rank_votes(limits, options) ? 32 : threads) * (sum_bytes + sizeof(uint32_t));
}

#endif
