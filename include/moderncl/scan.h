/* scan.h: prefix sums of any associative operator. */
#ifndef MODERNCL_SCAN_H
#define MODERNCL_SCAN_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of a scan. The last two kinds also store the total after the last element, so out needs count + 1
 * elements. */
typedef enum mcl_scan_kind {
    MCL_EXCLUSIVE = 0,
    MCL_INCLUSIVE = 1,
    MCL_EXCLUSIVE_WITH_TOTAL = 2,
    MCL_INCLUSIVE_WITH_TOTAL = 3
} mcl_scan_kind;

/* Folds every prefix of an input.
 *
 * Inclusive: out[k] = initial op v(0) op ... op v(k). Exclusive: out[k] = initial op v(0) op ... op v(k - 1), and
 * out[0] = initial. Without options->initial an exclusive scan begins with the operator's identity, which is stored.
 * mcl_op says where an identity may be folded. v(i) is the operator's extract of element i. out[k] is the operator's
 * combine of element k and the fold. The total is the fold of all elements (without elements: initial, else the
 * identity).
 *
 * in        any input
 * out       as many elements as in (one more if kind is WITH_TOTAL). Its type is the accumulator's type, a built-in
 *           type to which the accumulator converts, or the operator's result type. For MCL_INDEXED accumulators it is
 *           an integer type or a struct with value and index. out may be exactly the buffer range that in reads (in
 *           place), also with another type of the same size; no other overlap. With (mcl_output){0} the call only gives
 *           the total; mcl_reduce does so in less time
 * kind      any mcl_scan_kind
 * total     host, device slot, both or neither (mcl_to_nowhere()); types as in mcl_reduce
 *
 * The accumulator is that of mcl_op_accumulator: as wide as out and total, if op names no accumulator.
 * Method: a single pass with decoupled look-back (D. Merrill and M. Garland, 2016). It is used where running groups are
 * known to make progress and accumulators have at most 16 bytes. Otherwise, in place, and with MCL_DETERMINISTIC or
 * MCL_REPRODUCIBLE, two passes reduce and then scan, with a tree over indices (P. Fenwick, 1994). See docs/concepts.md,
 * "Accuracy and the same bits". Integer results are the same either way. Floats may differ in the last bits between
 * runs of the single pass, but not between runs of the tree.
 * Cost: reads each element once (reduce, then scan: twice) and writes each once. Scratch: at most 32 bytes a tile, or
 * two accumulators a tile. Waits only for a total on the host. Errors: as in mcl_reduce. */
MCL_API mcl_status mcl_scan(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                            mcl_result total, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
