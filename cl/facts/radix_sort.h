#pragma once
/* radix_sort.h: the orders of keys, and the words of a look-back's states. */

/* The values of KEY_ORDER: how a key's bits become its image. */
#define ORDER_OF_INTEGERS 0
#define ORDER_OF_FLOATS 1     /* in few steps, for sorts by all bits */
#define ORDER_OF_FLOAT_BITS 2 /* the image that windows of bits are taken from */

/* The turn of a launch in a sort by buckets. The top digit's launches move keys where buckets are even. The usual
 * passes do their work where buckets are uneven. */
#define TURN_TOP 0
#define TURN_UNEVEN 1

/* Bits of the digits that a bucket is sorted by. At most: counters fit a core's first cache. */
#define BUCKET_DIGIT_BITS_LEAST 8
#define BUCKET_DIGIT_BITS 12
#define BUCKET_PLAN_BYTES 32 /* of what the device finds out about buckets */

#define STATE_STATUS_BITS 2 /* of a word of state; the others hold the number */
