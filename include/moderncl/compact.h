/* compact.h: keeps some elements of a sequence, in order: by a test, by flags, one of each run of equal elements. */
#ifndef MODERNCL_COMPACT_H
#define MODERNCL_COMPACT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All functions here and in partition.h have this in common.
 *
 * Order: elements keep their order, in every output. With MCL_UNORDERED mcl_compact, mcl_compact_flagged and
 *   mcl_compact_stencil store elements in any order, unless MCL_DETERMINISTIC is asked for too. That order differs from
 *   run to run. options->append says how elements get their indices. No tile then waits for another, on any device, and
 *   a test is called twice at most. The other functions do not take MCL_UNORDERED.
 * Outputs: an output's capacity is its limit. The elements that belong to an output are counted in any case, and
 *   nothing is stored past the capacity. Where the count goes to the host and is above the capacity, the call fails
 *   with MCL_ERROR_CAPACITY. The first elements are stored then, and the count is written. With capacity 0 elements are
 *   only counted, which is no failure. Without a host count a caller takes the count from its slot with mcl_with_count,
 *   which clamps it.
 * Left out: each output may be (mcl_output){0}, not wanted. All outputs may be left out where only the count is wanted.
 *   An output that is left out limits no other, and all counts stay the same.
 * In place: out may start exactly where in does (out_keys where keys does), if in is a buffer. A column's or the
 *   values' output may start where its input does, if that input is a buffer. Past the stored elements the array stays
 *   as it was. On all devices kept elements then wait in scratch, and are copied when everything has been read. The
 *   copy costs one more reading and writing, one more launch, and scratch for as many elements as the output can take.
 *   In place, elements keep their order even with MCL_UNORDERED.
 * Overlap: otherwise no output may overlap another, or anything that is read: groups that run at the same time would
 *   read what others have replaced.
 * Tests: a test is called at least once for an element, and may be called again. Its answer must always be the same.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere(). A call waits only for a host
 *   count.
 * Method: a single pass with decoupled look-back (as mcl_scan) where the device is known to make progress. Otherwise,
 *   and with MCL_DETERMINISTIC: count, then move, in blocks of the device's cache. The results are the same.
 * Cost: reads each element once (count, then move: twice), writes each kept element once. Scratch: at most 32 bytes a
 *   tile, or 16 for each work-group.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, or overlaps; too few flags), MCL_ERROR_TYPE,
 *   MCL_ERROR_CAPACITY (see above), MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */

/* Keeps the elements that pass a test (std::copy_if).
 *
 * in      any input
 * out     of in's type
 * keep    an operator whose expression, in x, the element, and i, its index (int64_t), is nonzero for elements to be
 *         kept
 * count   the number of kept elements */
MCL_API mcl_status mcl_compact(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                               const mcl_options *options);

/* Does the same as mcl_compact, where each element that is kept takes its values in all columns with it. The elements
 * are tested and ranked once for all columns.
 *
 * in, out, keep, count  as mcl_compact
 * columns               column_count columns of any types: columns[c].out[r] is the value of the element that went to
 *                       out[r]
 * column_count          0 or more; with 0 columns may be NULL
 *
 * The lowest capacity of out and the columns' outputs is the limit of all these outputs. Each output may be left out. A
 * value whose element is not kept is not read where a work-group does a tile. Under the serial mapping it may be read.
 * The call does not take MCL_UNORDERED.
 * Cost: up to four columns are moved with the elements, by the same kernel. From the fifth on, columns follow in
 *   launches of four, which read an index for each element that is kept. The checks of overlap compare all columns
 *   with each other.
 * Scratch: from the fifth column on also 16 bytes. Each element that is kept, up to the lowest capacity, takes an index
 *   of 4 or 8 bytes besides. The host keeps some kilobytes for every four columns during the call. */
MCL_API mcl_status mcl_compact_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                                       int column_count, const mcl_op *keep, mcl_result count,
                                       const mcl_options *options);

/* Keeps in[k] where flags[k] is nonzero. flags: any input of an integer type, such as bytes, with as many elements as
 * in or more; its count slot is not looked at. */
MCL_API mcl_status mcl_compact_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out,
                                       mcl_result count, const mcl_options *options);

/* Keeps in[k] where stencil[k] passes the test. stencil: any input with as many elements as in or more; its count slot
 * is not looked at. */
MCL_API mcl_status mcl_compact_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out,
                                       const mcl_op *keep, mcl_result count, const mcl_options *options);

/* Keeps the first element of every run of equal elements (std::unique_copy).
 *
 * in      any input
 * out     of in's type
 * same    nonzero where neighbours p and q, p before q, are equal: MCL_EQUAL or your own equivalence
 * count   the number of runs */
MCL_API mcl_status mcl_unique(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                              const mcl_options *options);

/* Does the same as mcl_unique with keys, where each key that is kept takes its value with it: the value of its run's
 * first element. values has as many elements as keys or more; its count slot is not looked at. */
MCL_API mcl_status mcl_unique_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                     mcl_output out_values, const mcl_op *same, mcl_result count,
                                     const mcl_options *options);

/* Does the same as mcl_unique with several columns of values, as in mcl_compact_columns. */
MCL_API mcl_status mcl_unique_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                                      int column_count, const mcl_op *same, mcl_result count,
                                      const mcl_options *options);

/* Finds the runs of equal elements: out[r] is the first element of run r, lengths[r] its number of elements. lengths:
 * MCL_INT32 or MCL_INT64. count: the number of runs. The lower capacity of the two outputs is the limit of both. */
MCL_API mcl_status mcl_run_length_encode(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output lengths,
                                         const mcl_op *same, mcl_result count, const mcl_options *options);

/* Stores each value as often as its length says, one after the other: the inverse of mcl_run_length_encode.
 *
 * values   any input
 * lengths  any input of an integer type, with as many elements as values or more; its count slot is not looked at. A
 *          negative length counts as 0
 * out      of values' type. Nothing is stored past its capacity, and with capacity 0, or (mcl_output){0}, nothing at
 *          all. May not overlap what is read
 * count    the sum of the lengths, which must be below 2^63: MCL_INT32, MCL_UINT32 or MCL_INT64; host, slot, both or
 *          nowhere. Where the count goes to the host, more than a capacity other than 0 is MCL_ERROR_CAPACITY
 *
 * Cost: a scan, then mcl_interval_expand. Scratch: that of these two calls, and 8 bytes for each value. Waits only for
 * a count on the host. */
MCL_API mcl_status mcl_run_length_decode(mcl_queue *queue, mcl_input values, mcl_input lengths, mcl_output out,
                                         mcl_result count, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
