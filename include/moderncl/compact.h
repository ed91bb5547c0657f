/* compact.h: keeps some elements of a sequence, in order: those that pass a test or have a flag, or one of each run of
 * equal elements. */
#ifndef MODERNCL_COMPACT_H
#define MODERNCL_COMPACT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The following holds for all functions here and in partition.h.
 *
 * Order: elements keep their order, in every output. With MCL_UNORDERED mcl_compact, mcl_compact_flagged and
 *   mcl_compact_stencil store elements in any order, unless MCL_DETERMINISTIC is asked for too. That order differs from
 *   run to run. options->append says how elements get their indices. No tile then waits for another, on any device, and
 *   a test is called at most twice. The other functions do not take MCL_UNORDERED.
 * Outputs: an output's capacity is its limit. All elements that belong to an output are counted, but nothing is stored
 *   past the capacity. Where the count goes to the host and is above the capacity, the call fails with
 *   MCL_ERROR_CAPACITY. The first elements are stored then, and the count is written. With capacity 0 elements are only
 *   counted, which is no failure. Without a host count, later calls take the count from its slot with mcl_with_count,
 *   which limits it to the capacity.
 * Left out: each output may be (mcl_output){0} if not wanted, and all outputs if only the count is wanted. Leaving an
 *   output out does not change the limits of other outputs, or any count.
 * In place: out may start exactly where in does (out_keys where keys does), if in is a buffer. The output of a column
 *   or of values may start where its input does, if that input is a buffer. The array does not change past the stored
 *   elements. In place, kept elements are first stored in scratch, and copied when everything has been read. The copy
 *   costs one more reading and writing, one more launch, and scratch for as many elements as the output can take. In
 *   place, elements keep their order even with MCL_UNORDERED.
 * Overlap: otherwise no output may overlap another output, or anything that is read: a group would read elements that
 *   another group has already replaced.
 * Tests: a test is called at least once for an element, and may be called again. It must always give the same answer.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere(). A call waits only for a host
 *   count.
 * Method: a single pass with decoupled look-back (as in mcl_scan) where the device is known to make progress.
 *   Otherwise, and with MCL_DETERMINISTIC: count, then move, in blocks of the device's cache. The results are the same.
 * Cost: reads each element once (count, then move: twice), writes each kept element once. Scratch: at most 32 bytes a
 *   tile, or 16 for each work-group.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, or overlaps; too few flags), MCL_ERROR_TYPE,
 *   MCL_ERROR_CAPACITY (see above), MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */

/* Keeps the elements that pass a test (std::copy_if).
 *
 * in      any input
 * out     output of in's type
 * keep    an operator whose expression is nonzero for elements to keep. It uses x, the element, and i, its index
 *         (int64_t)
 * count   the number of kept elements */
MCL_API mcl_status mcl_compact(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                               const mcl_options *options);

/* Does the same as mcl_compact, and moves the values of each kept element in all columns too. The elements are tested
 * and ranked once for all columns.
 *
 * in, out, keep, count  as in mcl_compact
 * columns               column_count columns of any types: columns[c].out[r] receives the value of the element in
 *                       out[r]
 * column_count          0 or more; with 0 columns may be NULL
 *
 * The lowest capacity of out and the columns' outputs is the limit of all these outputs. Each output may be left out.
 * In the group mapping, values of elements that are not kept are not read. In the serial mapping they may be read. The
 * call does not take MCL_UNORDERED.
 * Cost: up to four columns are moved with the elements, by the same kernel. From the fifth column on, further launches
 *   move four columns each, and read an index for each kept element. The checks of overlap compare all columns with
 *   each other.
 * Scratch: with five or more columns also 16 bytes, and an index of 4 or 8 bytes for each kept element, up to the
 *   lowest capacity. The host keeps some kilobytes for every four columns during the call. */
MCL_API mcl_status mcl_compact_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                                       int column_count, const mcl_op *keep, mcl_result count,
                                       const mcl_options *options);

/* Keeps in[k] where flags[k] is nonzero. flags is any input of an integer type, such as bytes, with at least in.count
 * elements. Its count slot is ignored. */
MCL_API mcl_status mcl_compact_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out,
                                       mcl_result count, const mcl_options *options);

/* Keeps in[k] where stencil[k] passes the test. stencil is any input with at least in.count elements. Its count slot is
 * ignored. */
MCL_API mcl_status mcl_compact_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out,
                                       const mcl_op *keep, mcl_result count, const mcl_options *options);

/* Keeps the first element of every run of equal elements (std::unique_copy).
 *
 * in      any input
 * out     output of in's type
 * same    nonzero where neighbours p and q, p before q, are equal: MCL_EQUAL or your own equivalence
 * count   the number of runs */
MCL_API mcl_status mcl_unique(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                              const mcl_options *options);

/* Does the same as mcl_unique with keys, and moves the value of each kept key too: the value of the first element of
 * its run. values has at least as many elements as keys; its count slot is ignored. */
MCL_API mcl_status mcl_unique_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                     mcl_output out_values, const mcl_op *same, mcl_result count,
                                     const mcl_options *options);

/* Does the same as mcl_unique with several columns of values, as in mcl_compact_columns. */
MCL_API mcl_status mcl_unique_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                                      int column_count, const mcl_op *same, mcl_result count,
                                      const mcl_options *options);

/* Finds the runs of equal elements: out[r] receives the first element of run r, and lengths[r] its number of elements.
 * lengths is MCL_INT32 or MCL_INT64. count receives the number of runs. The lower capacity of the two outputs limits
 * both. */
MCL_API mcl_status mcl_run_length_encode(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output lengths,
                                         const mcl_op *same, mcl_result count, const mcl_options *options);

/* Repeats each value as often as its length says. It is the inverse of mcl_run_length_encode.
 *
 * values   any input
 * lengths  any input of an integer type, with at least values.count elements; its count slot is ignored. A negative
 *          length counts as 0
 * out      output of values' type. Nothing is stored past its capacity. With capacity 0 or (mcl_output){0} nothing is
 *          stored at all. May not overlap what is read
 * count    the sum of the lengths, which must be below 2^63: MCL_INT32, MCL_UINT32 or MCL_INT64; host, slot, both or
 *          nowhere. If the count goes to the host and is above a capacity other than 0, the call is MCL_ERROR_CAPACITY
 *
 * Cost: a scan, then mcl_interval_expand. Scratch: the scratch of these two calls, and 8 bytes for each value. Waits
 * only for a count on the host. */
MCL_API mcl_status mcl_run_length_decode(mcl_queue *queue, mcl_input values, mcl_input lengths, mcl_output out,
                                         mcl_result count, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
