/* segmented.h: folds and prefix sums of every segment of a sequence in one call. */
#ifndef MODERNCL_SEGMENTED_H
#define MODERNCL_SEGMENTED_H

#include "scan.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Folds each segment with an operator.
 *
 * out[s] = initial op v(b) op ... op v(e - 1), in this order, for segment s of elements [b, e). For an empty segment
 * out[s] is initial, or else the identity. Where neither exists out[s] keeps its content. v(i) is the operator's
 * extract of element i, and i counts from the start of the input; combine is not used.
 *
 * in        any input. With offsets or begins its expression may use, besides i, the names segment and rank. segment is
 *           the number of the segment that element i belongs to, rank is i's rank in it. So "values[i] * x[columns[i]]"
 *           over a matrix's row pointers is the product of the matrix and x.
 * segments  of any kind. Flags have in.count / 32 words, rounded up.
 * out       an element for each segment, of the accumulator's type or a built-in type that the accumulator converts to.
 *           For MCL_INDEXED accumulators it is of an integer type (the index) or a struct with value and index. May not
 *           overlap what is read. With indices and flags its capacity is the limit: results past it are not written,
 *           and with capacity 0 segments are counted only. Otherwise more segments than capacity are MCL_ERROR_CAPACITY
 *           where the count is asked for on the host. (mcl_output){0}: not wanted, segments are counted only
 * op        MCL_ADD, MCL_MAX_INDEX, ... or your own; must be associative, need not commute. The fold is in the type of
 *           mcl_op_accumulator: as wide as out, where op names no accumulator
 * count     receives the number of segments: MCL_INT32, MCL_UINT32 or MCL_INT64; host, device slot, both or
 *           neither (mcl_to_nowhere())
 *
 * With offsets and begins work is shared out by elements and segments together. So neither one segment of all elements
 * nor millions of empty segments leave the device idle. The order of folding is fixed for a device, counts and tile:
 * repeated calls give the same bits, floats too. If offsets or begins are not sorted, values are unspecified, but no
 * access is outside the operands. With MCL_VALIDATE offsets or begins that are not sorted, or outside [0, in.count],
 * are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads each element and offset once, writes each result. Scratch: two accumulators and 16 bytes a tile, at most
 * 128 KiB where segments are long. The call makes three launches. Where groups can hand words to each other it makes
 * one if tiles are few, or if segments are long on average and op commutes. A count that is asked for takes one more
 * launch.
 *
 * With MCL_DETERMINISTIC or MCL_REPRODUCIBLE each segment has the bits that mcl_reduce of the segment gives with the
 * flag, by a tree over its indices. So the bits are the same whatever the tile is, and with MCL_REPRODUCIBLE on every
 * device (docs/concepts.md, "Accuracy and the same bits"). The call is then one launch. Work is shared out by segments,
 * so few long segments leave a device idle. On a device that ends long loops early (llvmpipe), too many elements are
 * MCL_ERROR_UNSUPPORTED.
 *
 * With indices and flags cost, scratch and determinism are as in mcl_reduce_by_key. The tree is over the indices of all
 * elements, so the last bits of a float depend on where a segment lies. Indices take a bit an element of scratch
 * besides. With MCL_VALIDATE indices outside [0, in.count] are MCL_ERROR_PRECONDITION.
 *
 * Returns once the work is enqueued; waits only for a count on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps). MCL_ERROR_TYPE (segments
 * are not of a type named in segments.h, out cannot hold the accumulator). MCL_ERROR_CAPACITY, MCL_ERROR_PRECONDITION,
 * MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * Merge path over elements and segment ends: S. Baxter, moderngpu 2.0 (2016), "Load-balancing search"; D. Merrill and
 * M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (2016). */
MCL_API mcl_status mcl_segmented_reduce(mcl_queue *queue, mcl_input in, mcl_segments segments, mcl_output out,
                                        const mcl_op *op, mcl_result count, const mcl_options *options);

/* Folds every prefix of each segment. The call is an mcl_scan that starts anew with each segment.
 *
 * For element k of a segment that begins at b: inclusive, out[k] = initial op v(b) op ... op v(k); exclusive, without
 * v(k). The first result of a segment is then initial, or else the identity. What is stored is the operator's combine
 * of element k and the fold. out keeps its content at elements outside all segments.
 *
 * in        any input
 * segments  of any kind, as in mcl_segmented_reduce
 * out       as many elements as in, and cannot be left out; types as mcl_scan. May be exactly the buffer range that in
 *           reads (in place), also with another type of the same size; no other overlap.
 * kind      MCL_EXCLUSIVE or MCL_INCLUSIVE
 *
 * Method: a single pass with decoupled look-back where the device is known to make progress and accumulators are at
 * most 16 bytes. Otherwise, in place, and with MCL_DETERMINISTIC or MCL_REPRODUCIBLE: reduce, then scan, by a tree over
 * the indices of all elements. The tree gives floats the same bits (docs/concepts.md, "Accuracy and the same bits").
 * Offsets that are not sorted: as mcl_segmented_reduce. Cost: reads each element once (reduce, then scan: twice) and
 * writes each once. Scratch: at most 48 bytes a tile, or four accumulators a tile. Errors as mcl_segmented_reduce;
 * MCL_ERROR_ARGUMENT also for an exclusive scan with neither initial nor identity. */
MCL_API mcl_status mcl_segmented_scan(mcl_queue *queue, mcl_input in, mcl_segments segments, mcl_output out,
                                      const mcl_op *op, mcl_scan_kind kind, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
