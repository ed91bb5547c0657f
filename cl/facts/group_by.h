#pragma once
/* group_by.h: values and sizes of tables of groups. First come the indices of the counts that the kernels store, of 64
 * bits each. */
#define GROUPS_LISTED 0 /* groups in the list */
#define GROUPS_LEFT 1   /* elements that are still to be grouped */
#define GROUPS_COUNTS 2

/* Indices of the words of the tables' state, of 32 bits each. */
#define STATE_FULL 0   /* 1 where a table was too small */
#define STATE_LISTED 1 /* groups in the list */
#define STATE_NUMBERS 2

/* Bits of tables in the serial mapping: a table of b bits has 2^b + 1 slots. The small table of a part fits a core's
 * first cache, the large table its second. A third table has as many bits as the part's elements allow, up to
 * GROUP_BY_PART_BITS. Only shares of very many elements take larger tables. */
#define GROUP_BY_SMALL_BITS 11
#define GROUP_BY_LARGE_BITS 15
#define GROUP_BY_PART_BITS 18
#define GROUP_BY_SHARE_BITS 19
/* Largest number of groups in the last table of a part, by the table's bits. If a part has more groups, the call folds
 * shares of the keys instead of parts of the elements. */
#define GROUP_BY_PART_GROUPS(bits) (3 << ((bits) - 4))
/* Number of slots of a table, with one more for key 0. */
#define GROUP_BY_TABLE_LENGTH(slots) ((slots) + 1)
/* Number of slots of a bucket in work-group memory. A bucket is read at once. */
#define GROUP_BY_LOCAL_BUCKET 4

/* Values of SUM_WAY: how a table folds an element into an accumulator. */
#define GROUP_BY_SWAP 0 /* a compare-and-exchange stores the fold, and fails where the accumulator has changed */
#define GROUP_BY_ADD 1  /* an atomic addition folds */
#define GROUP_BY_FIRST 2 /* as GROUP_BY_SWAP, but the accumulator starts as the first element, not as the identity */
#define GROUP_BY_WIDE 3  /* as GROUP_BY_FIRST, of floats that are added as wide sums (pieces/fold/wide_sum.clh) */
