#pragma once
/* top_k.h: sizes of a selection that the host and the kernels know. */
/* Ways to compare keys: by the comparator, or as unsigned integers that are made of the keys' 32 bits. */
#define KEY_IMAGE_NONE 0
#define KEY_IMAGE_UNSIGNED 1
#define KEY_IMAGE_SIGNED 2
#define KEY_IMAGE_FLOAT 3
#define TOP_K_STATE_BYTES 256
#define TOP_K_MARKS 5           /* marks of a state, which follow the TOP_K_STATE_BYTES: keys with their indices */
#define TOP_K_CURSORS 2         /* cursors: one of the next level and one of the output */
#define TOP_K_SHRINK 8          /* a level has room for one TOP_K_SHRINK-th of the previous level */
#define TOP_K_ROOM_MOST (1 << 30) /* largest number of candidates of a level */
/* Largest number of blocks of a segment in which a work-item finds ranks without rounds. A round sorts a sample, which
 * takes as long as parting about 30,000 elements. */
#define TOP_K_WHOLE_BLOCKS 16
/* Number of candidates that a level has room for. share: its share of the previous level. least: the least room of any
 * level. */
#define TOP_K_LEVEL_ROOM(share, least) \
    ((share) > TOP_K_ROOM_MOST ? TOP_K_ROOM_MOST : (share) > (least) ? (share) : (least))
/* Largest number of bytes of a key with its index and padding. It follows from the sizes, since a type's alignment
 * divides its size. */
#define TOP_K_ALIGNMENT(bytes) ((bytes) & (~(bytes) + 1))
#define TOP_K_WIDER(a, b) ((a) > (b) ? (a) : (b))
#define TOP_K_RANKED_BYTES(key_bytes, index_bytes) \
    (((key_bytes) + (index_bytes) + TOP_K_WIDER(TOP_K_ALIGNMENT(key_bytes), index_bytes) - 1) / \
     TOP_K_WIDER(TOP_K_ALIGNMENT(key_bytes), index_bytes) * TOP_K_WIDER(TOP_K_ALIGNMENT(key_bytes), index_bytes))
/* Largest number of candidates whose ranks are counted where few elements are wanted. */
#define TOP_K_RANKED_MOST 16384
/* Largest number of elements that are all candidates, so that no sample and no pivot is needed. */
#define TOP_K_UNSAMPLED_MOST 2048
/* The sample that gives the pivot where few elements are wanted: the number of wanted elements in it, the number of
 * elements that each sample stands for, then the least and the greatest number of samples. */
#define TOP_K_SAMPLE_RANK 16
#define TOP_K_SAMPLE_SHARE 128
#define TOP_K_SAMPLE_LEAST 65536
#define TOP_K_SAMPLE_MOST (1 << 28)
/* Number of work-items that count the rank of an element together, and of elements that they count for at once. A group
 * of fewer work-items counts for one element at once. */
#define TOP_K_COUNTERS 32
#define TOP_K_COUNTED_AT_ONCE 2
