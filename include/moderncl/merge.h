/* merge.h: merges two sorted sequences. */
#ifndef MODERNCL_MERGE_H
#define MODERNCL_MERGE_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Merges two sorted sequences into one.
 *
 * out[0 .. a.count + b.count) becomes the merge of a and b by before. Stable: where neither of two keys sorts before
 * the other, a's comes first, and keys of one input keep their order (std::merge).
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

/* Does the same as mcl_merge with keys that take their values with them. a_values has as many elements as a_keys,
 * b_values as b_keys; values are of one type, which need not be the keys'. The values' counts are the keys': a count
 * slot of a values input is not looked at. Neither output can be left out: mcl_merge has the keys alone. */
MCL_API mcl_status mcl_merge_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                   mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                   const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
