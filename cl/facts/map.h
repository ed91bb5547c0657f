#pragma once
/* map.h: a sub-map of a hash map on the device, and the programs that work on it. */

#define MAP_BUCKET_BYTES 32 /* bytes of a bucket: the least that memory moves at once */
#define MAP_WINDOW_BUCKETS 4096 /* number of buckets of a window, 128 KiB, which lie in one page and in the cache */

/* Bytes of a value as it is stored: 0 in a set. */
#define MAP_VALUE_BYTES(bytes) ((bytes) == 0 ? 0 : (bytes) <= 4 ? 4 : (bytes) <= 8 ? 8 : 16)
/* Is 1 where values lie in a separate array, not in the slots. */
#define MAP_VALUES_APART(value_bytes) ((value_bytes) > 8)
/* Bytes of a slot: a key and a value, or a key alone. Key and value both take the bytes of the larger one, 4 or 8. */
#define MAP_SLOT_BYTES(key_bytes, value_bytes) \
    ((key_bytes) * ((value_bytes) == 0 || MAP_VALUES_APART(value_bytes) ? 1 : (key_bytes) < (value_bytes) ? 4 : 2))

/* Indices of a sub-map's counters. Each is a pair of 32-bit words, the low word first. */
#define MAP_FILLED 0  /* slots that have held a key, also where it is erased now */
#define MAP_ENTERED 1 /* keys entered */
#define MAP_ERASED 2  /* keys erased */
#define MAP_SKIPPED 2 /* the same index in the counts of a call that enters keys: keys that are sentinels */
#define MAP_COUNTERS 3
#define MAP_COUNTER_WORDS 8 /* words of a sub-map's counters, with padding */

/* Bytes of the table in which a work-item of a processor gathers changes. */
#define MAP_GATHERED_BYTES 24576
/* Number of places for each work-item in the table where a work-group gathers changes, and bytes of a place
 * (map_changes_group.clh). */
#define MAP_GROUP_PLACES 4
#define MAP_GROUP_PLACE_BYTES(value_bytes) (4 + (value_bytes))
