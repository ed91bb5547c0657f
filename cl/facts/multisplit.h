#pragma once
/* multisplit.h: the largest number of buckets for each set of multisplit's kernels. */
#define MULTISPLIT_BUCKETS_MOST 256
/* largest number of bits of a bucket's number where the tiles and kernels for few buckets are used */
#define MULTISPLIT_FEW_BITS 5
