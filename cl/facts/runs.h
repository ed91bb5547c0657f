#pragma once
/* runs.h: the values of RUNS_HEADS, and the bytes of what a stretch of elements hands on. */
#define HEADS_KEYS 0    /* a key that differs from the one before */
#define HEADS_FLAGS 1   /* a bit for each element */
#define HEADS_OFFSETS 2 /* begins of the runs, and the end of the last */
#define HEADS_BEGINS 3  /* begins of the runs; the last ends with the elements */

#define HEAD_FLAG_SHIFT 5 /* element k is bit k & 31 of word k >> 5 */
#define HEAD_FLAG_BITS (1 << HEAD_FLAG_SHIFT)

/* A value, then an index, and padding: at most. */
#define RUNS_FOLD_BYTES(value_bytes, index_bytes) (((value_bytes) + (index_bytes) + 7) / 8 * 8)
