#pragma once
/* map.h: a sub-map of a hash map on the device, and the programs that work on it. */

#define MAP_BUCKET_BYTES 32 /* the least that memory hands out at once */
/* Bytes of a slot, a key and a value: both take the bytes of the larger one. */
#define MAP_SLOT_BYTES(key_bytes, value_bytes) (2 * ((key_bytes) > (value_bytes) ? (key_bytes) : (value_bytes)))

/* Counters of a sub-map: pairs of 32-bit words that carry over into each other. */
#define MAP_FILLED 0  /* slots that were empty and are not any more */
#define MAP_ENTERED 1 /* keys entered */
#define MAP_ERASED 2  /* keys erased */
#define MAP_COUNTERS 3
#define MAP_COUNTER_WORDS 8 /* of a sub-map's counters, with what pads them */
