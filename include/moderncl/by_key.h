/* by_key.h: folds and prefix sums of every run of equal keys. */
#ifndef MODERNCL_BY_KEY_H
#define MODERNCL_BY_KEY_H

#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A run is a longest stretch of neighbours with equal keys. Keys need not be sorted: a key that occurs again later
 * makes another run.
 *
 * keys      any input; its count is the count of values too
 * values    any input of at least as many elements as keys, of any type; a count slot is ignored
 * equal     nonzero where two keys, p before q, belong to one run. NULL means p == q, for numbers (each NaN is a run of
 *           its own). Each key is compared with the key before it. */

/* Folds the values of each run of equal keys.
 *
 * out_keys[r] = the first key of run r; out_values[r] = initial op v(b) op ... op v(e - 1), in this order, over the
 * run's elements [b, e). v(i) is the operator's extract of value i; combine is not used. The number of runs goes to
 * count (MCL_INT32, MCL_UINT32 or MCL_INT64: host, device slot, both or neither).
 *
 * out_keys    output of the keys' type
 * out_values  output of the accumulator's type or a built-in type that the accumulator converts to. For MCL_INDEXED
 *             accumulators it is of an integer type or a struct with value and index
 * op          must be associative, need not commute. The fold is in the type of mcl_op_accumulator: as wide as
 *             out_values, where op names no accumulator
 *
 * Each output's capacity is its limit: nothing is written past it, and with capacity 0 nothing is stored. Either output
 * may be (mcl_output){0} if not wanted, and both if only the count is wanted. count always receives the number needed.
 * Where count goes to the host and is above a capacity other than 0, the call fails with MCL_ERROR_CAPACITY. No output
 * may overlap what is read, or another.
 *
 * Method: a single pass with decoupled look-back (D. Merrill and M. Garland, 2016). It is used where running groups are
 * known to make progress and accumulators are at most 16 bytes. Otherwise, and with MCL_DETERMINISTIC or
 * MCL_REPRODUCIBLE, two passes reduce and then store, with a tree over indices (docs/concepts.md, "Accuracy and the
 * same bits"). Floats may differ in the last bits between runs of the single pass, but not between runs of the tree.
 * Cost: reads keys and values once (reduce, then store: twice), writes each run once. Scratch: at most 48 bytes a tile,
 * or four accumulators a tile. Waits only for a count on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, too few values, overlaps). MCL_ERROR_TYPE (out_keys is
 * not of the keys' type, out_values cannot hold the accumulator). MCL_ERROR_CAPACITY, MCL_ERROR_BUILD,
 * MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_reduce_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                     mcl_output out_values, const mcl_op *op, const mcl_op *equal, mcl_result count,
                                     const mcl_options *options);

/* Folds every prefix of each run's values: an mcl_scan that starts again at each run.
 *
 * kind      MCL_EXCLUSIVE or MCL_INCLUSIVE, as in mcl_segmented_scan
 * out       an element for each key; out cannot be left out; types as in mcl_scan. May be exactly the buffer range that
 *           values reads (in place); no other overlap.
 * Cost, scratch and errors: as in mcl_segmented_scan. */
MCL_API mcl_status mcl_scan_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out, const mcl_op *op,
                                   const mcl_op *equal, mcl_scan_kind kind, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
