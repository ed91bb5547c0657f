/* histogram.h: counts the elements that fall into each bin, or adds up their weights. */
#ifndef MODERNCL_HISTOGRAM_H
#define MODERNCL_HISTOGRAM_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters and results that the three functions share.
 *
 * in        any input; its count may come from the device
 * bins      receives a number for each bin. Its capacity is the number of bins, at least 1 where in has elements. Each
 *           number is set, so bins need not be zero before. bins may not overlap what is read.
 * weights   NULL: bins count elements, and are of MCL_INT32, MCL_UINT32, MCL_INT64 or MCL_UINT64. More elements than
 *           the type counts (with a count slot: a higher bound) are MCL_ERROR_TYPE. Else an input of a built-in type,
 *           of as many elements as in or more: bins add up the weights of their elements. Then bins are of one of these
 *           types, MCL_FLOAT or MCL_DOUBLE. Weights are converted to the type of bins before they are added. Weights
 *           that are floats need bins that are floats. A count slot of weights is not looked at.
 *
 * An element without a bin is not counted. A bin begins at 0, so weights of -0 alone give 0. Counts are exact. Sums of
 * integers are exact modulo 2^32 or 2^64. Counts and sums of integers are the same on every run. Floats are added in an
 * order that differs from run to run under the group mapping, and each addition is rounded. See docs/concepts.md,
 * "Accuracy and the same bits". The serial mapping has a fixed order for a device, count and tile. With
 * MCL_DETERMINISTIC sums of floats are MCL_ERROR_UNSUPPORTED under the group mapping; options->tile_threads 1 asks for
 * the serial one.
 *
 * Cost: reads each element once. Bins that fit work-group memory (8192 numbers of 32 bits) are counted there. Up to
 * 262144 bins that count are handled in this memory in ranges of 16384 bins: each range reads the input again. There
 * are no such ranges with levels or weights. Other bins take at most an atomic of global memory for each element. A
 * work-item first adds up neighbouring elements of one bin, so that skew costs less. Two launches. Scratch: none under
 * the group mapping. Under the serial mapping each part of the input has bins of its own. These bins take scratch of
 * two numbers for each element or one for each bin, whichever is more. Bins of floats take twice as many bytes. Returns
 * once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, bins overlap what is read, there are no bins).
 * MCL_ERROR_TYPE, MCL_ERROR_BUILD. MCL_ERROR_UNSUPPORTED (floats, as above; MCL_DOUBLE under the group mapping of a
 * device without 64-bit atomics). MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * V. Podlozhnyuk, Histogram Calculation in CUDA (2007): counters in work-group memory, a copy for each lane. */

/* Counts elements in the bins that an operator names. bin is an operator of MCL_ROLE_INDEX, a whole number made of x
 * and i. A number below 0, or not below bins.capacity, is no bin. in may be of any type. */
MCL_API mcl_status mcl_histogram(mcl_queue *queue, mcl_input in, const mcl_op *bin, const mcl_input *weights,
                                 mcl_output bins, const mcl_options *options);

/* Counts elements in bins of equal width from low up to high, without high itself. in is of a built-in type.
 *
 * Integers: low and high are whole numbers that an element can have, where high may also be the next number above
 * these. x falls into bin (x - low) * bins.capacity / (high - low), rounded down, exactly.
 * Floats: x falls into bin (x - low) * scale, rounded down, at most the last one. scale is bins.capacity / (high -
 * low). All is computed in the elements' type, so x within a rounding error of a bound may fall on either side of the
 * bound. NaN has no bin.
 * Errors besides: MCL_ERROR_ARGUMENT where low is not below high, or low or high is not finite. MCL_ERROR_ARGUMENT also
 * where bounds of integers are no whole numbers in the range above, or where the type of floats cannot hold high - low
 * or the scale. */
MCL_API mcl_status mcl_histogram_even(mcl_queue *queue, mcl_input in, double low, double high, const mcl_input *weights,
                                      mcl_output bins, const mcl_options *options);

/* Counts elements in bins with given bounds. x falls into bin k where levels[k] <= x < levels[k + 1], in the built-in
 * order. NaN has no bin.
 *
 * levels    any input of in's type, which is built in: sorted, bins.capacity + 1 elements or more. Levels may be equal:
 *           the bin between them stays empty. A count slot is not looked at.
 *
 * Levels that are not sorted give unspecified numbers, never an access outside the operands. With MCL_VALIDATE such
 * levels are MCL_ERROR_PRECONDITION and nothing is written. Cost besides: a binary search in levels for each
 * element. */
MCL_API mcl_status mcl_histogram_range(mcl_queue *queue, mcl_input in, mcl_input levels, const mcl_input *weights,
                                       mcl_output bins, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
