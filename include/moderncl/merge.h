/* merge.h: merges two sorted sequences, or any number of sorted runs. */
#ifndef MODERNCL_MERGE_H
#define MODERNCL_MERGE_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Merges two sorted sequences into one.
 *
 * out[0 .. a.count + b.count) becomes the merge of a and b by before. Stable: where neither of two keys sorts before
 * the other, the key of a comes first, and keys of one input keep their order (std::merge).
 *
 * a, b      sorted inputs of one type
 * out       output of that type, at least a.count + b.count elements; may not overlap what a or b reads
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own
 *
 * Inputs that are not sorted give unspecified values, never an access outside the operands. With MCL_VALIDATE such
 * inputs are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads and writes each key once. Scratch: at most 8 bytes a tile. Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps). MCL_ERROR_TYPE (a, b and
 * out are not of one type). MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * Merge path: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012); S. Baxter, Modern GPU (2013), "Merge". */
MCL_API mcl_status mcl_merge(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                             const mcl_options *options);

/* Does the same as mcl_merge, and moves the value of each key with it. a_values has as many elements as a_keys, and
 * b_values as many as b_keys. Values have one type, which may differ from the keys' type. a_keys and b_keys give the
 * counts; count slots of values inputs are ignored. Neither output can be left out: mcl_merge merges keys without
 * values. */
MCL_API mcl_status mcl_merge_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                   mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                   const mcl_options *options);

/* Merges the sorted runs of a sequence into one. Run r is keys[offsets[r] .. offsets[r + 1]), and may be empty.
 *
 * out[0 .. offsets[last] - offsets[0]) becomes the merge of all runs by before. Stable: among equal keys, keys of an
 * earlier run come first, and keys of one run keep their order. So out is what mcl_sort would give.
 *
 * keys      any input
 * offsets   MCL_INT32, MCL_UINT32 or MCL_INT64: ascending, one offset more than runs, at least 1. A count slot is
 *           ignored. Keys before the first offset, and from the last offset on, belong to no run
 * out       output of the keys' type, at least keys.count elements; may not overlap what is read
 * before    strict weak order; MCL_LESS, MCL_GREATER or your own
 *
 * Runs that are not sorted, and offsets that do not ascend, give unspecified values, never an access outside the
 * operands. With MCL_VALIDATE such offsets are MCL_ERROR_PRECONDITION and nothing is written; the order within runs is
 * not checked.
 * Cost: reads and writes each key once for each level. A level merges neighbouring runs in pairs: 2 runs need one
 * level, up to 4 runs two levels, up to 8 runs three levels. If there are more runs than keys, each key counts as a
 * run. Each level has two launches. Scratch: at most 8 bytes per tile and per pair of runs; with three or more runs
 * also as much as keys. Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (no offsets; a range does not fit its buffer, out is too short or overlaps).
 * MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * Merge path, as in mcl_merge, with the levels of a mergesort (S. Baxter, Modern GPU, 2013, "Mergesort"). */
MCL_API mcl_status mcl_merge_runs(mcl_queue *queue, mcl_input keys, mcl_input offsets, mcl_output out,
                                  const mcl_op *before, const mcl_options *options);

/* Does the same as mcl_merge_runs, and moves the value of each key with it. values has any type, and at least as many
 * elements as keys; its count slot is ignored. Neither output can be left out. Scratch: as much for the values as for
 * the keys. */
MCL_API mcl_status mcl_merge_runs_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_input offsets,
                                        mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                        const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
