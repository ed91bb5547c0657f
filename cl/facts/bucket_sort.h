#pragma once
/* bucket_sort.h: the sizes that the kernels and the host of a sort by buckets share. */

/* Sizes of the map from keys to quantiles (kernels/sort/quantile_map.clh). */
#define QUANTILE_ROOT_BITS 10
#define QUANTILE_NODE_BITS 7
#define QUANTILE_NODES 15 /* nodes besides the root */
/* Number of entries of a node: one for each cell, one for the images below its interval, one for those above it, and
 * one more that ends the list. */
#define QUANTILE_ENTRIES(bits) ((1 << (bits)) + 3)
#define QUANTILE_ROOT_ENTRIES QUANTILE_ENTRIES(QUANTILE_ROOT_BITS)
#define QUANTILE_NODE_ENTRIES QUANTILE_ENTRIES(QUANTILE_NODE_BITS)
#define QUANTILE_MAP_ENTRIES (QUANTILE_ROOT_ENTRIES + QUANTILE_NODES * QUANTILE_NODE_ENTRIES)
#define QUANTILE_NODE_BYTES 24
#define QUANTILE_HELD_BYTES \
    (8 * QUANTILE_ROOT_ENTRIES + 4 * (QUANTILE_MAP_ENTRIES - QUANTILE_ROOT_ENTRIES) + 20 * (1 + QUANTILE_NODES) + 16)
#define MAP_CROWDS_MOST 32 /* largest number of crowded cells that get nodes in one round */
#define QUANTILE_GAPS 3 /* largest number of runs of bits that are the same in all keys, between bits that differ */
#define QUANTILE_GAP_BYTES 16
#define QUANTILE_MAP_BYTES \
    (QUANTILE_NODE_BYTES * (1 + QUANTILE_NODES) + QUANTILE_GAP_BYTES * QUANTILE_GAPS + 16 + \
     (4 + 5 * QUANTILE_MAP_ENTRIES + 7) / 8 * 8)

/* Number of words in the record of a group that takes samples (bucket_map.clh): the least and the largest image, bits
 * that differ, the orders of neighbours, and the number of samples out of order. */
#define SAMPLE_RECORDS 5
#define SAMPLE_GROUPS_MOST 64

/* A range is cut into slices. A large slice is a bucket; neighbouring small slices together are a bucket. */
#define RANGES_USUAL 256 /* most ranges; the host gives RANGES_MOST, which is larger where more 8-byte keys need it */
#define RANGES_WIDE 1024
#define SLICE_BITS 8 /* bits of a slice's number in its range */
#define RANGE_SLICES (1 << SLICE_BITS)
#define SAMPLE_BATCH 4 /* samples that a work-item loads at once; with more, registers spill on Intel gen9 */

/* Alignment of a bucket's keys. A group loads and stores them from a multiple of this index on, so that it moves whole
 * lines of memory. */
#define KEYS_ALIGNED 32
#define BUCKET_KEYS(threads, items) ((threads) * (items) - (KEYS_ALIGNED - 1)) /* largest number of keys of a bucket */

/* Neighbouring small slices are joined until their bucket has about this number of keys. */
#define BUCKET_GOAL(most) ((most) / 4 * 3)
/* Largest number of keys that slices may have on average. It leaves room in a bucket, since slices differ in size. */
#define SLICE_GOAL(most) ((most) / 8 * 7)
#define WIDE_EIGHTHS 3 /* with more eighths of the keys in larger buckets the usual passes sort short keys faster */
#define CROWD_MOST (1 << 21) /* largest number of keys of a crowd without values, since one group reads all of them */
#define PLACE_BYTES 2 /* bytes of the index that a key with a value has in its bucket */
/* Number of keys, each with its index in its crowd, that fit a group's memory. Values are moved by these indices. */
#define PAIR_CROWD_KEYS(bytes, key_bytes) ((bytes) / ((key_bytes) + PLACE_BYTES))
#define BUCKET_RECORD_BYTES 24 /* bytes of a bucket_record, which has the facts about a bucket */
#define BUCKET_HEAD_BYTES 56   /* bytes of a bucket_head, which has the facts about all keys */
