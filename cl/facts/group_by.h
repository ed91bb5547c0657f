#pragma once
/* group_by.h: the ways in which tables of groups fold, and the numbers of 64 bits that they leave. */
#define GROUPS_LISTED 0 /* groups in the list */
#define GROUPS_LEFT 1   /* elements that are still to be grouped */
#define GROUPS_COUNTS 2

/* State of the tables, numbers of 32 bits. */
#define STATE_FULL 0   /* 1 where a table was too small */
#define STATE_LISTED 1 /* groups in the list */
#define STATE_NUMBERS 2

/* Bits of tables under the serial mapping: these have 2 to this number of slots, and one more. The small table of a
 * part fits a core's first cache, the large one its second. A third one has up to GROUP_BY_PART_BITS, where a part has
 * four times as many elements. Only shares of very many elements take larger ones. */
#define GROUP_BY_SMALL_BITS 11
#define GROUP_BY_LARGE_BITS 15
#define GROUP_BY_PART_BITS 18
#define GROUP_BY_SHARE_BITS 19
/* Groups in the last table of a part, by its bits, from which on shares of the keys are folded and not parts of the
 * elements. */
#define GROUP_BY_PART_GROUPS(bits) (3 << ((bits) - 4))
/* Slots of a table, with that of key 0. */
#define GROUP_BY_TABLE_LENGTH(slots) ((slots) + 1)
/* Slots of a bucket in work-group memory, which is read at once. */
#define GROUP_BY_LOCAL_BUCKET 4

/* SUM_WAY */
#define GROUP_BY_SWAP 0 /* an accumulator is replaced by the fold, if it is still what was folded */
#define GROUP_BY_ADD 1  /* an atomic adds */
#define GROUP_BY_FIRST 2 /* as GROUP_BY_SWAP, but what is folded starts from the first element, not the identity */
#define GROUP_BY_WIDE 3  /* as GROUP_BY_FIRST, of floats that are added as wide sums (pieces/fold/wide_sum.clh) */
