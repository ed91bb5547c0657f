/* sets.h: intersection, union and differences of two sorted sequences, in which keys may repeat. */
#ifndef MODERNCL_SETS_H
#define MODERNCL_SETS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Do the multiset operations on two sorted sequences, as the functions std::set_* do. The k-th copy of a key in a is
 * paired with the k-th copy in b. If a has m copies and b has n copies, the result has
 *
 *   mcl_set_intersection           the first min(m, n) of a
 *   mcl_set_union                  all m of a, then the last max(n - m, 0) of b
 *   mcl_set_difference             the last max(m - n, 0) of a
 *   mcl_set_symmetric_difference   the last m - n of a, or the last n - m of b
 *
 * The result is sorted. Two keys are copies of one key where neither sorts before the other.
 *
 * a, b      sorted inputs of one type
 * out       output of that type; may not overlap what a or b reads. Receives the first out.capacity results; with
 *           capacity 0 or (mcl_output){0} results are only counted. With pairs either output may be left out, which
 *           does not change the other output. Both may be left out too
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own
 * count     MCL_INT32, MCL_UINT32 or MCL_INT64: the number of results, which may be more than were stored
 *
 * There are at most min(a.count, b.count) results of an intersection, a.count of a difference, and a.count + b.count of
 * the others. If there are more results than a capacity other than 0, and the count goes to the host, the call is
 * MCL_ERROR_CAPACITY. It has then stored the first out.capacity results, and the count is the number of all results. A
 * count in a device slot is this number too. A later call that takes its count from this slot limits it to its own
 * bound.
 *
 * options->flags  MCL_UNIQUE_KEYS: neither a nor b repeats a key, which saves searches. If an input nevertheless
 *                 repeats a key, values are unspecified.
 * options->passes 1: the keys are read once, and each tile of keys finds its offset among the results by look-back.
 *                 If the device does not allow look-back, results are kept in scratch as large as the inputs until
 *                 offsets are known.
 *                 2: the keys are read twice, the first time to count.
 *                 0: one pass if look-back is allowed, else two.
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
 * Balanced path: S. Baxter, Modern GPU (2013), "Multisets"; look-back as in mcl_scan. */
MCL_API mcl_status mcl_set_intersection(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out,
                                        const mcl_op *before, mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_union(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                 mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                      mcl_result count, const mcl_options *options);
MCL_API mcl_status mcl_set_symmetric_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out,
                                                const mcl_op *before, mcl_result count, const mcl_options *options);

/* Do the multiset operations on keys, and move the value of each key with it. a_values has as many elements as a_keys,
 * and b_values as many as b_keys. Values have one type, which may differ from the keys' type. Count slots of values
 * inputs are ignored. All values of an intersection or a difference are from a, so b_values is ignored there. The
 * shorter of out_keys and out_values limits the number of stored results. */
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
