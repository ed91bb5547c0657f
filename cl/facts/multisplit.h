#pragma once
/* multisplit.h: the most buckets for each set of multisplit's kernels. */
#define MULTISPLIT_BUCKETS_MOST 256
#define MULTISPLIT_FEW_BITS 5 /* most bits of a bucket's number where the tiles and kernels for few buckets are used */
