/* histogram.h: counts the elements that fall into each bin, or adds up their weights. */
#ifndef MODERNCL_HISTOGRAM_H
#define MODERNCL_HISTOGRAM_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The three functions have these parameters and results in common.
 *
 * in        any input; its count may come from the device
 * bins      receives a number for each bin. Its capacity is the number of bins, at least 1 where in has elements. The
 *           call sets each number, so bins need not be zero before. bins may not overlap what is read.
 * weights   NULL: bins count elements, and are MCL_INT32, MCL_UINT32, MCL_INT64 or MCL_UINT64. If the type cannot hold
 *           the number of elements (with a count slot: the bound), the call is MCL_ERROR_TYPE. Otherwise an input of a
 *           built-in type with at least in.count elements: bins add the weights of their elements. Then bins may also
 *           be MCL_FLOAT or MCL_DOUBLE. Weights are converted to the type of bins before they are added. Weights that
 *           are floats need bins that are floats. A count slot of weights is ignored.
 *
 * An element without a bin is not counted. A bin begins at 0, so if all weights are -0 the sum is 0. Counts are exact.
 * Sums of integers are exact modulo 2^32 or 2^64. Counts and sums of integers are the same on every run. In the group
 * mapping, floats are added in an order that differs from run to run, and each addition is rounded. See
 * docs/concepts.md, "Accuracy and the same bits". The serial mapping has a fixed order for a device, count and tile.
 * With MCL_DETERMINISTIC sums of floats are MCL_ERROR_UNSUPPORTED under the group mapping; options->tile_threads 1 asks
 * for the serial one.
 *
 * Cost: reads each element once. Bins that fit work-group memory (8192 numbers of 32 bits) are counted there. Up to
 * 262144 bins that count are handled in this memory in ranges of 16384 bins. Each range reads the input again. There
 * are no such ranges with levels or weights. Other bins need at most one atomic of global memory per element. A
 * work-item first adds neighbouring elements of the same bin, so that uneven data cost less. Two launches.
 * Scratch: none in the group mapping. In the serial mapping each part of the input has its own bins. These bins need
 * scratch of two numbers per element, or one number per bin, whichever is more. Bins of floats need twice as many
 * bytes. Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, bins overlap what is read, there are no bins).
 * MCL_ERROR_TYPE, MCL_ERROR_BUILD. MCL_ERROR_UNSUPPORTED (floats, as above; MCL_DOUBLE under the group mapping of a
 * device without 64-bit atomics). MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * V. Podlozhnyuk, Histogram Calculation in CUDA (2007): counters in work-group memory, a copy for each lane. */

/* Counts elements in bins that an operator gives. bin is an operator of role MCL_ROLE_INDEX, a whole number computed
 * from x and i. A number below 0, or not below bins.capacity, is no bin. in may have any type. */
MCL_API mcl_status mcl_histogram(mcl_queue *queue, mcl_input in, const mcl_op *bin, const mcl_input *weights,
                                 mcl_output bins, const mcl_options *options);

/* Counts elements in bins of equal width from low up to high, without high itself. in has a built-in type.
 *
 * Integers: low and high are whole numbers that an element can have; high may also be one more than the largest. x
 * falls into bin (x - low) * bins.capacity / (high - low), rounded down, exactly.
 * Floats: x falls into bin (x - low) * scale, rounded down, at most the last one. scale is bins.capacity / (high -
 * low). All is computed in the elements' type, so x within a rounding error of a bound may fall on either side of the
 * bound. NaN has no bin.
 * Further errors: MCL_ERROR_ARGUMENT where low is not below high, or low or high is not finite. MCL_ERROR_ARGUMENT also
 * where bounds of integers are no whole numbers in the range above. MCL_ERROR_ARGUMENT too where the type of floats
 * cannot hold high - low or the scale. */
MCL_API mcl_status mcl_histogram_even(mcl_queue *queue, mcl_input in, double low, double high, const mcl_input *weights,
                                      mcl_output bins, const mcl_options *options);

/* Counts elements in bins with given bounds. x falls into bin k where levels[k] <= x < levels[k + 1], in the built-in
 * order. NaN has no bin.
 *
 * levels    any sorted input of in's type, a built-in type, with at least bins.capacity + 1 elements. Levels may be
 *           equal: the bin between them stays empty. A count slot is ignored.
 *
 * Levels that are not sorted give unspecified numbers, never an access outside the operands. With MCL_VALIDATE such
 * levels are MCL_ERROR_PRECONDITION and nothing is written. Further cost: a binary search in levels for each
 * element. */
MCL_API mcl_status mcl_histogram_range(mcl_queue *queue, mcl_input in, mcl_input levels, const mcl_input *weights,
                                       mcl_output bins, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
