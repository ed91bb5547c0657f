#pragma once
/* multisplit.h: the numbers of buckets at which multisplit takes another way. */
#define MULTISPLIT_BUCKETS_MOST 256
#define MULTISPLIT_FEW_BITS 5 /* of a bucket's number: up to these there are tiles and kernels for few buckets */
