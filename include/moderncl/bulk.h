/* bulk.h: removes or inserts many elements at once, at given positions. */
#ifndef MODERNCL_BULK_H
#define MODERNCL_BULK_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies the elements whose positions are not listed.
 *
 * out[0 .. in.count - indices.count) becomes in without the elements at indices, in their order.
 *
 * in        any input
 * indices   any input of an integer type: positions in in, sorted and without repeats
 * out       output of in's type, at least in.count - indices.count elements (in.count where indices take their count
 *           from the device); may not overlap what is read
 *
 * Indices that are out of range, not sorted or repeated give unspecified values, never an access outside the operands.
 * With MCL_VALIDATE such indices are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: one launch that reads each element and index once and writes each element that stays. Scratch: none. Returns
 * once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps, more indices than
 * elements). MCL_ERROR_TYPE (out is not of in's type, indices are no integers). MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED,
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * S. Baxter, Modern GPU (2013), "Bulk Remove and Bulk Insert". */
MCL_API mcl_status mcl_bulk_remove(mcl_queue *queue, mcl_input in, mcl_input indices, mcl_output out,
                                   const mcl_options *options);

/* Copies b with the elements of a inserted.
 *
 * out[0 .. a.count + b.count) becomes b with each a[k] inserted in front of b[indices[k]]. Elements inserted at the
 * same position keep a's order.
 *
 * a         any input
 * indices   any input of an integer type with at least a.count elements: sorted positions in b, from 0 to b.count;
 *           repeats are allowed. Position b.count appends. a gives the count; a count slot of indices is ignored.
 * b         input of a's type
 * out       output of a's type, at least a.count + b.count elements; may not overlap what is read
 *
 * Wrong indices have the same effect as in mcl_bulk_remove. Cost: one launch that reads and writes each element once,
 * and reads each index. Scratch: none. Errors: as in mcl_bulk_remove. */
MCL_API mcl_status mcl_bulk_insert(mcl_queue *queue, mcl_input a, mcl_input indices, mcl_input b, mcl_output out,
                                   const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
