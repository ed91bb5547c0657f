#pragma once
/* top_k.h: sizes of a selection that the host and the kernels know. */
/* The way of comparing keys: by the order's expression, or as unsigned integers that are made of their 32 bits. */
#define KEY_IMAGE_NONE 0
#define KEY_IMAGE_UNSIGNED 1
#define KEY_IMAGE_SIGNED 2
#define KEY_IMAGE_FLOAT 3
#define TOP_K_STATE_BYTES 256
#define TOP_K_MARKS 5           /* of a state, besides: keys with their indices */
#define TOP_K_CURSORS 2         /* of the next level, and of the output */
#define TOP_K_SHRINK 8          /* each level has room for one candidate of this many of the level before */
#define TOP_K_ROOM_MOST (1 << 30) /* of a level */
/* Blocks that a segment has at most whose ranks a work-item finds without rounds. A round sorts a sample, which takes
 * as long as parting some 30,000 elements. */
#define TOP_K_WHOLE_BLOCKS 16
/* The room of a level, from its share of the level before; least: of each level. */
#define TOP_K_LEVEL_ROOM(share, least) \
    ((share) > TOP_K_ROOM_MOST ? TOP_K_ROOM_MOST : (share) > (least) ? (share) : (least))
/* Bytes of a key with its index, at most. A type's alignment divides its size. */
#define TOP_K_ALIGNMENT(bytes) ((bytes) & (~(bytes) + 1))
#define TOP_K_WIDER(a, b) ((a) > (b) ? (a) : (b))
#define TOP_K_RANKED_BYTES(key_bytes, index_bytes) \
    (((key_bytes) + (index_bytes) + TOP_K_WIDER(TOP_K_ALIGNMENT(key_bytes), index_bytes) - 1) / \
     TOP_K_WIDER(TOP_K_ALIGNMENT(key_bytes), index_bytes) * TOP_K_WIDER(TOP_K_ALIGNMENT(key_bytes), index_bytes))
/* Most candidates whose ranks are counted where few elements are wanted. */
#define TOP_K_RANKED_MOST 16384
/* Most elements that are candidates without a pivot. */
#define TOP_K_UNSAMPLED_MOST 2048
/* The sample for the pivot of few wanted elements: the wanted elements in it, and the elements that each sampled one
 * stands for. Then its least and most elements. */
#define TOP_K_SAMPLE_RANK 16
#define TOP_K_SAMPLE_SHARE 128
#define TOP_K_SAMPLE_LEAST 65536
#define TOP_K_SAMPLE_MOST (1 << 28)
/* Work-items that count the rank of an element, and elements that they do it for at once; fewer work-items have one. */
#define TOP_K_COUNTERS 32
#define TOP_K_COUNTED_AT_ONCE 2
