/* sets.h: intersection, union and differences of two sorted sequences, in which keys may repeat. */
#ifndef MODERNCL_SETS_H
#define MODERNCL_SETS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Do the multiset operations on two sorted sequences, as the functions std::set_* do. The k-th copy of a key in a is
 * paired with the k-th copy in b. Where a has m copies and b has n, the result has
 *
 *   mcl_set_intersection           the first min(m, n) of a
 *   mcl_set_union                  all m of a, then the last max(n - m, 0) of b
 *   mcl_set_difference             the last max(m - n, 0) of a
 *   mcl_set_symmetric_difference   the last m - n of a, or the last n - m of b
 *
 * and is sorted. Two keys are copies of one key where neither sorts before the other.
 *
 * a, b      sorted inputs of one type
 * out       output of that type; may not overlap what a or b reads. Gets the results, or the first out.capacity of
 *           them; capacity 0 only counts. (mcl_output){0}: not wanted, only the count is. With pairs either output may
 *           be left out, which does not change the other one. Both may be left out too
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own
 * count     MCL_INT32, MCL_UINT32 or MCL_INT64: the number of results, which may be more than were stored
 *
 * There are at most min(a.count, b.count) results of an intersection, a.count of a difference, and a.count + b.count of
 * the others. More results than out has room for are MCL_ERROR_CAPACITY where the count goes to the host and the
 * capacity is not 0. Such a call has stored the first out.capacity results, and the count is the number that is needed.
 * The number in a device slot is the same. A call that takes its count from this slot clamps that count to its bound.
 *
 * options->flags  MCL_UNIQUE_KEYS: neither a nor b repeats a key, which saves searches. Where an input repeats a key
 *                 all the same, values are unspecified.
 * options->passes 1: the keys are read once, and each tile of keys finds its offset among the results by look-back.
 *                 Where look-back is not allowed, tiles wait for their offsets in scratch as large as the inputs. 2:
 *                 the keys are read twice, once to count. 0: one pass where look-back is allowed, else two.
 *
 * Inputs that are not sorted give unspecified results and an unspecified count, from 0 to a.count + b.count. So does a
 * before that is no strict weak order (p <= q is none). The call still ends, and never touches memory outside the
 * operands. With MCL_VALIDATE inputs that are not sorted are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads each key once or twice (passes) and writes each result once. Scratch: at most 24 bytes a tile; with one
 * pass but without look-back also room for a.count + b.count keys and values. Waits only for a count on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, operands overlap, passes is none of 0, 1, 2).
 * MCL_ERROR_TYPE (a, b and out are not of one type, count is of no type of counts). MCL_ERROR_CAPACITY,
 * MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * Balanced path: S. Baxter, Modern GPU (2013), "Multisets"; look-back as mcl_scan. */
MCL_API mcl_status mcl_set_intersection(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out,
                                        const mcl_op *before, mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_union(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                 mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                      mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_symmetric_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out,
                                                const mcl_op *before, mcl_result count, const mcl_options *options);

/* Do the multiset operations on keys that take their values with them. a_values has as many elements as a_keys,
 * b_values as b_keys; values are of one type, which need not be the keys'. Count slots of values inputs are not looked
 * at. All values of an intersection or a difference are a's: b_values is not looked at. The shorter of out_keys and
 * out_values limits how many results are stored. */
MCL_API mcl_status mcl_set_intersection_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                              mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                              const mcl_op *before, mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_union_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                       mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                       const mcl_op *before, mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_difference_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                            mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                            const mcl_op *before, mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_symmetric_difference_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values,
                                                      mcl_input b_keys, mcl_input b_values, mcl_output out_keys,
                                                      mcl_output out_values, const mcl_op *before, mcl_result count,
                                                      const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
