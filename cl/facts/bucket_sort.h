#pragma once
/* bucket_sort.h: the sizes that the kernels and the host of a sort by buckets share. */

/* The map from keys to quantiles (kernels/sort/quantile_map.clh). */
#define QUANTILE_ROOT_BITS 10
#define QUANTILE_NODE_BITS 8
#define QUANTILE_NODES 8 /* besides the root */
/* A node has an entry for what sorts before it, for each cell, for what sorts after it, and one that ends these. */
#define QUANTILE_ENTRIES(bits) ((1 << (bits)) + 3)
#define QUANTILE_ROOT_ENTRIES QUANTILE_ENTRIES(QUANTILE_ROOT_BITS)
#define QUANTILE_NODE_ENTRIES QUANTILE_ENTRIES(QUANTILE_NODE_BITS)
#define QUANTILE_MAP_ENTRIES (QUANTILE_ROOT_ENTRIES + QUANTILE_NODES * QUANTILE_NODE_ENTRIES)
#define QUANTILE_NODE_BYTES 24
#define QUANTILE_GAPS 3 /* runs of bits that are the same in all keys, between others; at most */
#define QUANTILE_GAP_BYTES 16
#define QUANTILE_MAP_BYTES \
    (QUANTILE_NODE_BYTES * (1 + QUANTILE_NODES) + QUANTILE_GAP_BYTES * QUANTILE_GAPS + 16 + \
     (4 + 4 * QUANTILE_MAP_ENTRIES + 7) / 8 * 8)

/* A range is parted into slices; neighbouring slices make a bucket. */
#define RANGES_MOST 256
#define RANGE_BUCKETS 256 /* at most */
#define SLICE_BITS 11     /* slices of a range */
#define SAMPLE_BATCH 8    /* samples that a work-item loads at once */

/* Keys of a bucket that a group sorts in its memory: at most, and about as many as buckets get. */
#define BUCKET_KEYS(threads, items) ((threads) * (items))
#define BUCKET_GOAL(threads, items) (BUCKET_KEYS(threads, items) / 4 * 3)
#define BUCKET_RECORD_BYTES 16 /* of what is known of a bucket */
#define BUCKET_HEAD_BYTES 40   /* of what is known of all keys */
