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
 * in        any input. With offsets or begins, its expression may use the names segment and rank besides i: the number
 *           of the segment of element i, and the element's rank in that segment. So "values[i] * x[columns[i]]", with
 *           the row pointers of a matrix as offsets, gives the product of the matrix and x
 * segments  of any kind. Flags have in.count / 32 words, rounded up.
 * out       an element for each segment, of the accumulator's type or a built-in type to which the accumulator
 *           converts. For MCL_INDEXED accumulators its type is an integer type (for the index) or a struct with value
 *           and index. May not overlap what is read. With indices and flags its capacity is the limit: results past it
 *           are not written, and with capacity 0 segments are only counted. With offsets and begins, more segments than
 *           capacity are MCL_ERROR_CAPACITY if the count goes to the host. With (mcl_output){0} segments are only
 *           counted
 * op        MCL_ADD, MCL_MAX_INDEX, ... or your own; must be associative, need not commute. The type of the fold is
 *           that of mcl_op_accumulator: as wide as out, if op names no accumulator
 * count     receives the number of segments: MCL_INT32, MCL_UINT32 or MCL_INT64; host, device slot, both or
 *           neither (mcl_to_nowhere())
 *
 * With offsets and begins, work-groups get equal shares of elements and segments together. So neither one segment of
 * all elements nor millions of empty segments leave the device idle. The order of folding is fixed for a device, counts
 * and tile: repeated calls give the same bits, also for floats. If offsets or begins are not sorted, values are
 * unspecified, but no access is outside the operands. With MCL_VALIDATE offsets or begins that are not sorted, or
 * outside [0, in.count], are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads each element and offset once, writes each result. Scratch: two accumulators and 16 bytes a tile, at most
 * 128 KiB where segments are long. The call makes three launches. If groups can pass words to each other, it makes one
 * launch where tiles are few, or where segments are long on average and op commutes. A count needs one more launch.
 *
 * With MCL_DETERMINISTIC or MCL_REPRODUCIBLE, a tree over its indices gives each segment the bits that mcl_reduce of
 * the segment gives with the same flag. So the bits are the same for every tile, and with MCL_REPRODUCIBLE on every
 * device (docs/concepts.md, "Accuracy and the same bits"). The call is then one launch. Work-groups get whole segments,
 * so few long segments leave a device partly idle. On a device that ends long loops early (llvmpipe), too many elements
 * are MCL_ERROR_UNSUPPORTED.
 *
 * With indices and flags cost, scratch and determinism are as in mcl_reduce_by_key. The tree is over the indices of all
 * elements, so the last bits of a float depend on the position of a segment. Indices also need one bit of scratch per
 * element. With MCL_VALIDATE indices outside [0, in.count] are MCL_ERROR_PRECONDITION.
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

/* Folds every prefix of each segment: an mcl_scan that starts again at each segment.
 *
 * For element k of a segment that begins at b: inclusive, out[k] = initial op v(b) op ... op v(k); exclusive, without
 * v(k). The first result of a segment is then initial, or else the identity. out[k] is the operator's combine of
 * element k and the fold. For elements outside all segments, out keeps its content.
 *
 * in        any input
 * segments  of any kind, as in mcl_segmented_reduce
 * out       as many elements as in; out cannot be left out; types as in mcl_scan. May be exactly the buffer range that
 *           in reads (in place), also with another type of the same size; no other overlap.
 * kind      MCL_EXCLUSIVE or MCL_INCLUSIVE
 *
 * Method: a single pass with decoupled look-back, where running groups are known to make progress and accumulators have
 * at most 16 bytes. Otherwise, in place, and with MCL_DETERMINISTIC or MCL_REPRODUCIBLE, two passes reduce and then
 * scan, with a tree over the indices of all elements. The tree gives floats the same bits (docs/concepts.md, "Accuracy
 * and the same bits"). Offsets that are not sorted have the same effect as in mcl_segmented_reduce. Cost: reads each
 * element once (reduce, then scan: twice) and writes each once. Scratch: at most 48 bytes a tile, or four accumulators
 * a tile. Errors: as in mcl_segmented_reduce; MCL_ERROR_ARGUMENT also for an exclusive scan with neither initial nor
 * identity. */
MCL_API mcl_status mcl_segmented_scan(mcl_queue *queue, mcl_input in, mcl_segments segments, mcl_output out,
                                      const mcl_op *op, mcl_scan_kind kind, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
