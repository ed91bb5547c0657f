#pragma once
/* runs.h: the values of RUNS_HEADS (what says where runs begin), and the bytes of the fold that a range of elements
 * hands on. */
#define HEADS_KEYS 0    /* a run begins where a key differs from the previous key */
#define HEADS_FLAGS 1   /* head flags: a bit for each element */
#define HEADS_OFFSETS 2 /* offsets: the begins of the runs, and the end of the last run */
#define HEADS_BEGINS 3  /* offsets: the begins of the runs; the last run ends with the elements */

#define HEAD_FLAG_SHIFT 5 /* element k is bit k & 31 of word k >> 5 */
#define HEAD_FLAG_BITS (1 << HEAD_FLAG_SHIFT)

/* Largest number of bytes of a struct of a value, then an index, with its padding. */
#define RUNS_FOLD_BYTES(value_bytes, index_bytes) (((value_bytes) + (index_bytes) + 7) / 8 * 8)
