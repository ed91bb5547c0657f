#pragma once
/* digits.h: the sub-groups that rank elements by a digit, and the work-group memory that ranking takes. sub_group_size
 * is 0 on a device whose sub-groups do not shuffle. */
/* Sub-groups of other sizes do not rank. */
#define RANK_LANES_MIN 8
#define RANK_LANES_MAX 32

/* 1: sub-groups rank, and a ranker has as many lanes; 0: each work-item ranks by itself. */
#define SUB_GROUPS_RANK(threads, sub_group_size) \
    ((sub_group_size) >= RANK_LANES_MIN && (sub_group_size) <= RANK_LANES_MAX && (threads) % (sub_group_size) == 0)
#define DIGIT_COUNTERS(rankers, digits) ((rankers) * (digits))
/* Bytes of digit_store: counters, which fill up whole indices, where digits begin, sums of a scan, and a number. */
#define DIGIT_STORE_BYTES(rankers, digits, sums, index_bytes) \
    ((DIGIT_COUNTERS(rankers, digits) * 4 + (index_bytes) - 1) / (index_bytes) * (index_bytes) + \
     ((digits) + (sums) + 1) * (index_bytes))
/* Between the members of a struct in work-group memory, and after them, at most. */
#define STORE_PADDING 64

/* Words in which a group counts digits, several for each of few, so that lanes rarely meet. */
#define DIGIT_COUNT_COPIES(digits) ((digits) <= 32 ? 32 : 1024 / (digits))
#define DIGIT_COUNT_WORDS(digits) ((digits) * DIGIT_COUNT_COPIES(digits))
/* Counters of all digits of a key: a sort in place may have one pass more than digits. */
#define KEY_DIGIT_WORDS(key_bits, digit_bits) (((key_bits) / (digit_bits) + 1) * (1 << (digit_bits)))
