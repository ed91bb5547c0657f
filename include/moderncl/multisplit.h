/* multisplit.h: moves elements into a small number of buckets, in the order of the buckets. An expression or splitters
 * give an element's bucket. */
#ifndef MODERNCL_MULTISPLIT_H
#define MODERNCL_MULTISPLIT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Moves each element into its bucket: elements of bucket 0 come first, then elements of bucket 1 and so on. Stable: the
 * elements of a bucket keep their order.
 *
 * in            any input, of any type
 * out           output of in's type, at least in.count elements. With (mcl_output){0} elements are only counted
 * bucket        an operator of role MCL_ROLE_INDEX: an expression of x, the element, and i, its index (int64_t), that
 *               gives the bucket's number. The number is converted to int64_t. A number below 0, or from bucket_count
 *               on, means the last bucket. The conversion of a float beyond int64_t depends on the device, so test for
 *               such floats in the expression
 * bucket_count  1 to 256
 * offsets       bucket_count + 1 elements of MCL_INT32, MCL_UINT32 or MCL_INT64: bucket b has the elements from
 *               offsets[b] to offsets[b + 1] - 1 of out. The last offset is the number of elements. May be left out
 * counts        bucket_count elements of one of these types: the number of elements of each bucket. May be left out
 *
 * Overlap: no output may overlap another, or anything that is read.
 * Calls of bucket: once for an element that is only counted, and twice for an element that is moved. There is a third
 *   call where a tile has waited too long for an earlier tile. All calls for one element should give the same number.
 *   If the numbers differ, elements may be lost or stored twice, but nothing is written outside the outputs.
 * Waiting: none. Counts and offsets are on the device when the call's work is done.
 * Method: if groups may wait for each other, one launch counts, then one launch moves, with decoupled look-back of each
 *   bucket's count. Otherwise each part of the elements is counted separately before the move. The result is always the
 *   same. (S. Ashkiani, A. Davidson, U. Meyer and J. Owens, "GPU Multisplit", 2016; A. Adinets and D. Merrill,
 *   "Onesweep", 2022.)
 * Cost: reads each element twice and writes it once. A tile needs more steps if the buckets' numbers have more bits.
 *   Scratch: a word of 4 or 8 bytes for each bucket and tile; bucket_count is rounded up to a power of 2.
 * Errors: MCL_ERROR_ARGUMENT (bucket_count; a range does not fit its buffer, or overlaps; an operator of another role).
 *   MCL_ERROR_TYPE (also offsets or counts that cannot hold the number of elements). MCL_ERROR_BUILD,
 *   MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_multisplit(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *bucket,
                                  int bucket_count, mcl_output offsets, mcl_output counts, const mcl_options *options);

/* Does the same as mcl_multisplit, and moves the value of each key with it. The expression gets the key. values has at
 * least as many elements as keys; its count slot is ignored. Either output may be left out. Without out_keys only the
 * values are moved, in the order of the keys' buckets. */
MCL_API mcl_status mcl_multisplit_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                        mcl_output out_values, const mcl_op *bucket, int bucket_count,
                                        mcl_output offsets, mcl_output counts, const mcl_options *options);

/* Moves each element into the bucket between two splitters: bucket b has the elements from splitter b - 1 on that come
 * before splitter b. There is one bucket more than splitters. The order is stable as in mcl_multisplit. With splitters
 * from mcl_splitters_choose, this is one step of a sort over several devices (splitters.h).
 *
 * in         any input, of any type
 * out        output of in's type, at least in.count elements. With (mcl_output){0} elements are only counted
 * splitters  up to 255 keys of in's type, sorted by before. A count slot is ignored
 * positions  (mcl_input){0}: an element that equals splitter b is in bucket b + 1. Equal splitters then leave the
 *            buckets between them empty. Otherwise MCL_INT32 or MCL_INT64, one per splitter, ascending where splitters
 *            are equal. An element that equals splitter b then comes before it if the element's index is below
 *            positions[b], which may be negative. So equal keys are spread over buckets, and stay in order
 * before     strict weak order; MCL_LESS, MCL_GREATER or your own
 * offsets, counts  as in mcl_multisplit
 *
 * Splitters that are not sorted give unspecified buckets, never an access outside the operands. With MCL_VALIDATE such
 * splitters are MCL_ERROR_PRECONDITION and nothing is written.
 * Overlap, waiting and scratch: as in mcl_multisplit. Further cost: a binary search in the splitters each time an
 * element is counted or moved.
 * Errors: MCL_ERROR_ARGUMENT (more than 255 splitters, fewer positions; a range does not fit its buffer, or overlaps).
 *   MCL_ERROR_TYPE (also splitters that are not of in's type). MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED,
 *   MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * W. D. Frazer, A. C. McKellar, "Samplesort: A Sampling Approach to Minimal Storage Tree Sorting" (1970). Equal keys by
 * position: G. E. Blelloch and others, "A Comparison of Sorting Algorithms for the Connection Machine CM-2" (1991). */
MCL_API mcl_status mcl_multisplit_by_splitters(mcl_queue *queue, mcl_input in, mcl_output out, mcl_input splitters,
                                               mcl_input positions, const mcl_op *before, mcl_output offsets,
                                               mcl_output counts, const mcl_options *options);

/* Does the same as mcl_multisplit_by_splitters, and moves the value of each key with it. values has at least as many
 * elements as keys; its count slot is ignored. Either output may be left out. Without out_keys only the values are
 * moved, in the order of the keys' buckets. Values that count from 0 then become the indices of the elements. */
MCL_API mcl_status mcl_multisplit_by_splitters_pairs(mcl_queue *queue, mcl_input keys, mcl_input values,
                                                     mcl_output out_keys, mcl_output out_values, mcl_input splitters,
                                                     mcl_input positions, const mcl_op *before, mcl_output offsets,
                                                     mcl_output counts, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
