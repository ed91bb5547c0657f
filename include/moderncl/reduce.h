/* reduce.h: folds a sequence to one value. */
#ifndef MODERNCL_REDUCE_H
#define MODERNCL_REDUCE_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Folds all elements of an input with an operator.
 *
 * result = v(0) op v(1) op ... op v(count - 1), in this order. An operator marked commutative may be folded in any
 * order. If there is an initial value, the fold begins with it: initial op v(0) and so on. v(i) is the operator's
 * extract of element i; combine is not used. The result of no elements is initial, else the identity.
 *
 * in        any input
 * op        MCL_ADD, MCL_MAX_INDEX, ... or your own; must be associative
 * result    host, device slot, both or neither. result is of the accumulator's type, or a built-in type that the
 *           accumulator converts to. For MCL_INDEXED accumulators it is of an integer type (the index) or a struct with
 *           value and index
 * The accumulator is that of mcl_op_accumulator: as wide as result, where op names none.
 * Floats: the bits are the same on every run with one device, count and tile. With MCL_DETERMINISTIC they are the same
 * for every tile, and with MCL_REPRODUCIBLE on every device. They then equal the last result of an inclusive scan with
 * the same flag (docs/concepts.md, "Accuracy and the same bits"). A rounding error always passes through few folds.
 * Cost: reads each element once. Scratch: a result's size, or one accumulator for each work-group, below 256 KiB.
 * With a count of 0 on the device and an operator without identity the result keeps its content.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer; nothing to reduce and no identity),
 * MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * After S. Baxter, Modern GPU (2013), "Reduce and Scan". */
MCL_API mcl_status mcl_reduce(mcl_queue *queue, mcl_input in, const mcl_op *op, mcl_result result,
                              const mcl_options *options);

/* Finds the least and the greatest element, in the order of MCL_LESS, by one reduction.
 *
 * in      any input of a built-in type other than MCL_HALF
 * result  host, device slot, both or neither. Its type is the struct of two elements of in's type, such as
 *         MCL_INT32_RANGE for MCL_INT32
 * A NaN is greater than every number. Without elements (also if the count on the device is 0), least is the type's
 * highest value and greatest its lowest, so least > greatest. Cost, scratch and errors: as in mcl_reduce. */
MCL_API mcl_status mcl_min_max(mcl_queue *queue, mcl_input in, mcl_result result, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
