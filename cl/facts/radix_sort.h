#pragma once
/* radix_sort.h: the orders of keys, and words of sorts: those of a look-back's states, and of bits that differ. */

/* The values of KEY_ORDER: how a key's bits become its image. */
#define ORDER_OF_INTEGERS 0
#define ORDER_OF_FLOATS 1     /* the image is made in few steps, for sorts by all bits */
#define ORDER_OF_FLOAT_BITS 2 /* the image is for sorts by a window of its bits */

/* Values of turn in a sort by buckets, which say when a launch works. The launches of the top digit move keys where
 * buckets are even. The usual passes work where buckets are uneven. */
#define TURN_TOP 0
#define TURN_UNEVEN 1

/* Least and greatest number of bits of the digits by which a bucket is sorted. With the greatest, the counters still
 * fit a core's first cache. */
#define BUCKET_DIGIT_BITS_LEAST 8
#define BUCKET_DIGIT_BITS 12
#define BUCKET_PLAN_BYTES 32 /* bytes of a bucket_plan, which the device makes */

#define DIFFER_WORDS 2 /* words of the bits in which keys differ; 4-byte keys use the first */
#define STATE_STATUS_BITS 2 /* bits of the status in a word of state; the other bits hold the number */
