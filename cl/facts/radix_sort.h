#pragma once
/* radix_sort.h: how keys are ordered, which sub-groups rank, and the words of a look-back's states. */

/* The values of KEY_ORDER: how a key's bits become its image. */
#define ORDER_OF_INTEGERS 0
#define ORDER_OF_FLOATS 1     /* in few steps, for sorts by all bits */
#define ORDER_OF_FLOAT_BITS 2 /* the image that windows of bits are taken from */

/* Sub-groups of other sizes do not rank. */
#define RANK_LANES_MIN 8
#define RANK_LANES_MAX 32

#define STATE_STATUS_BITS 2 /* of a word of state; the others hold the number */
