#pragma once
/* bucket_sort.h: the sizes that the kernels and the host of a sort by buckets share. */

/* The map from keys to quantiles (kernels/sort/quantile_map.clh). */
#define QUANTILE_ROOT_BITS 10
#define QUANTILE_NODE_BITS 7
#define QUANTILE_NODES 15 /* besides the root */
/* A node has an entry for what sorts before it, for each cell, for what sorts after it, and one that ends these. */
#define QUANTILE_ENTRIES(bits) ((1 << (bits)) + 3)
#define QUANTILE_ROOT_ENTRIES QUANTILE_ENTRIES(QUANTILE_ROOT_BITS)
#define QUANTILE_NODE_ENTRIES QUANTILE_ENTRIES(QUANTILE_NODE_BITS)
#define QUANTILE_MAP_ENTRIES (QUANTILE_ROOT_ENTRIES + QUANTILE_NODES * QUANTILE_NODE_ENTRIES)
#define QUANTILE_NODE_BYTES 24
#define QUANTILE_HELD_BYTES \
    (8 * QUANTILE_ROOT_ENTRIES + 4 * (QUANTILE_MAP_ENTRIES - QUANTILE_ROOT_ENTRIES) + 20 * (1 + QUANTILE_NODES) + 16)
#define MAP_CROWDS_MOST 32 /* crowded cells that get nodes at once */
#define QUANTILE_GAPS 3 /* runs of bits that are the same in all keys, between others; at most */
#define QUANTILE_GAP_BYTES 16
#define QUANTILE_MAP_BYTES \
    (QUANTILE_NODE_BYTES * (1 + QUANTILE_NODES) + QUANTILE_GAP_BYTES * QUANTILE_GAPS + 16 + \
     (4 + 5 * QUANTILE_MAP_ENTRIES + 7) / 8 * 8)

/* What a group of the sample finds out about its share: images of the least and the largest, bits that differ,
 * order. */
#define SAMPLE_RECORDS 5
#define SAMPLE_GROUPS_MOST 64

/* A range is parted into slices; a slice is a bucket, or neighbouring small ones are. */
#define RANGES_MOST 256
#define SLICE_BITS 8 /* slices of a range */
#define RANGE_SLICES (1 << SLICE_BITS)
#define SAMPLE_BATCH 4 /* samples that a work-item loads at once: more spill on Intel gen9 */

/* A group takes a bucket's keys from this multiple on, so that its loads and stores are those of whole lines. */
#define KEYS_ALIGNED 32
#define BUCKET_KEYS(threads, items) ((threads) * (items) - (KEYS_ALIGNED - 1)) /* at most */

/* Small slices are joined until they have about as many keys. */
#define BUCKET_GOAL(most) ((most) / 4 * 3)
/* Keys that slices have at most on average, since they differ. */
#define SLICE_GOAL(most) ((most) / 8 * 7)
#define CROWD_MOST (1 << 21) /* keys that one group may look through */
#define PLACE_BYTES 2 /* of the place that a key with a value has in its bucket */
/* Keys of a crowd with values, each with its place, that a group's memory has room for. */
#define PAIR_CROWD_KEYS(bytes, key_bytes) ((bytes) / ((key_bytes) + PLACE_BYTES))
#define BUCKET_RECORD_BYTES 24 /* of what is known of a bucket */
#define BUCKET_HEAD_BYTES 48   /* of what is known of all keys */
