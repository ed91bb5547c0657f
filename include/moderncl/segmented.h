/* segmented.h: folds and prefix sums of every segment of a sequence in one call. */
#ifndef MODERNCL_SEGMENTED_H
#define MODERNCL_SEGMENTED_H

#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Segments are given in one of two ways.
 *
 * Offsets: one more than there are segments, in ascending order; segment s is elements [offsets[s], offsets[s + 1]).
 * The first need not be 0 nor the last the end of the input: elements outside all segments are left out. Equal
 * neighbours make an empty segment. Of any integer type, from a buffer or an expression: "i < g ? begins[i] : n" makes
 * offsets of begins alone. (The row pointers of a sparse matrix in CSR form are such offsets.)
 *
 * Flags: 32-bit words, bit k % 32 of word k / 32 (the least significant is bit 0) says that element k begins a
 * segment. Element 0 always does. There are no empty segments. */

/* Folds each segment with an operator.
 *
 * out[s] = initial op v(b) op ... op v(e - 1), in this order, for segment s of elements [b, e); of an empty segment
 * initial, without one the identity, and out[s] keeps its content where there is neither. v(i) is the operator's
 * extract of element i, and i counts from the start of the input; combine is not used.
 *
 * in        any input. An expression may use, besides i, the names segment and rank: the number of the segment that
 *           element i belongs to and i's rank in it. So "values[i] * x[columns[i]]" over a matrix's row pointers is
 *           the product of the matrix and x.
 * offsets   see above
 * out       an element for each segment; of the accumulator's type, a built-in type that it converts to, or for
 *           MCL_INDEXED accumulators an integer type (the index) or a struct with value and index. May not overlap
 *           what is read.
 * op        MCL_ADD, MCL_MAX_INDEX, ... or your own; must be associative, need not commute
 *
 * Work is shared out by elements and segments together: neither one segment of all elements nor millions of empty ones
 * leave the device idle. The tree is fixed for a device, counts and tile: repeated calls give the same bits, floats
 * too. Offsets that are not sorted give unspecified values, never an access outside the operands; with MCL_VALIDATE
 * they, and those outside [0, in.count], are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads each element and offset once, writes each result. Scratch: two accumulators and 16 bytes a tile, at most
 * 128 KiB where segments are long. Returns once the work is enqueued. Where groups can hand words to each other, one
 * launch if there are few tiles, or if segments are long on average and op commutes; else three.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps), MCL_ERROR_TYPE (offsets
 * are no integers, out cannot hold the accumulator), MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE.
 *
 * Merge path over elements and segment ends: S. Baxter, moderngpu 2.0 (2016), "Load-balancing search"; D. Merrill and
 * M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (2016). */
MCL_API mcl_status mcl_segmented_reduce(mcl_queue *queue, mcl_input in, mcl_input offsets, mcl_output out,
                                        const mcl_op *op, const mcl_options *options);

/* mcl_segmented_reduce with segments given by flags. The number of segments goes to count (MCL_INT64: host, device
 * slot, both or neither). out's capacity is the limit: results past it are not written, and with capacity 0 segments
 * are counted only. Otherwise more segments than capacity are MCL_ERROR_CAPACITY where the count is asked for on the
 * host.
 *
 * flags     MCL_UINT32 or MCL_INT32, in.count / 32 words, rounded up; in's count is the count of both
 * Cost, scratch and determinism as mcl_reduce_by_key. */
MCL_API mcl_status mcl_segmented_reduce_flags(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out,
                                              const mcl_op *op, mcl_result count, const mcl_options *options);

/* Folds every prefix of each segment: mcl_scan that starts anew with each.
 *
 * For element k of a segment that begins at b: inclusive, out[k] = initial op v(b) op ... op v(k); exclusive, without
 * v(k), and the segment's first is initial, without one the identity. What is stored is the operator's combine of
 * element k and the fold. out keeps its content at elements outside all segments.
 *
 * in        any input
 * out       as many elements as in; types as mcl_scan. May be exactly the buffer range that in reads (in place), also
 *           with another type of the same size; no other overlap.
 * kind      MCL_EXCLUSIVE or MCL_INCLUSIVE
 *
 * Single pass with decoupled look-back where the device is known to make progress and accumulators are at most 16
 * bytes; otherwise, in place, and with MCL_DETERMINISTIC: reduce, then scan. Offsets that are not sorted: as
 * mcl_segmented_reduce. Cost: reads each element once (reduce, then scan: twice) and writes each once. Scratch: at
 * most 48 bytes a tile, or two accumulators for each work-group. Errors as mcl_segmented_reduce; MCL_ERROR_ARGUMENT
 * also for an exclusive scan with neither initial nor identity. */
MCL_API mcl_status mcl_segmented_scan(mcl_queue *queue, mcl_input in, mcl_input offsets, mcl_output out,
                                      const mcl_op *op, mcl_scan_kind kind, const mcl_options *options);

/* mcl_segmented_scan with segments given by flags, as in mcl_segmented_reduce_flags. */
MCL_API mcl_status mcl_segmented_scan_flags(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out,
                                            const mcl_op *op, mcl_scan_kind kind, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
