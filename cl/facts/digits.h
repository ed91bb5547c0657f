#pragma once
/* digits.h: the sub-groups that rank elements by a digit, and the work-group memory that ranking takes. sub_group_size
 * is 0 on a device whose sub-groups do not shuffle. */
/* The least and the greatest number of lanes of a sub-group that can rank. */
#define RANK_LANES_MIN 8
#define RANK_LANES_MAX 32

/* Is 1 where each sub-group is a ranker, which ranks elements together; 0 where each work-item ranks by itself. */
#define SUB_GROUPS_RANK(threads, sub_group_size) \
    ((sub_group_size) >= RANK_LANES_MIN && (sub_group_size) <= RANK_LANES_MAX && (threads) % (sub_group_size) == 0)
#define DIGIT_COUNTERS(rankers, digits) ((rankers) * (digits))
/* Bytes of a digit_store (digit_group.clh): the counters, padded to whole indices; the index where each digit begins;
 * the sums of a scan; the tile's number. */
#define DIGIT_STORE_BYTES(rankers, digits, sums, index_bytes) \
    ((DIGIT_COUNTERS(rankers, digits) * 4 + (index_bytes) - 1) / (index_bytes) * (index_bytes) + \
     ((digits) + (sums) + 1) * (index_bytes))
/* Largest number of bytes of padding between and after the members of a struct in work-group memory. */
#define STORE_PADDING 64

/* A group counts each digit in several words (copies) where digits are few, so that lanes rarely add to the same
 * word. */
#define DIGIT_COUNT_COPIES(digits) ((digits) <= 32 ? 32 : 1024 / (digits))
#define DIGIT_COUNT_WORDS(digits) ((digits) * DIGIT_COUNT_COPIES(digits))
/* Number of counters for all digits of a key, and for one pass more, which a sort in place may need. */
#define KEY_DIGIT_WORDS(key_bits, digit_bits) (((key_bits) / (digit_bits) + 1) * (1 << (digit_bits)))
