/* find.h: finds the first element that passes a test, and counts all that pass. */
#ifndef MODERNCL_FIND_H
#define MODERNCL_FIND_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the first element that passes a test.
 *
 * result = the lowest k whose element passes the test; it is the input's count where no element passes.
 *
 * in      any input
 * test    an operator of role MCL_ROLE_TEST. It uses x, the element, and i, its index
 * result  MCL_INT32, MCL_UINT32 or MCL_INT64: host, device slot, both or neither. If the type cannot hold the number of
 *         elements (with a count slot: the bound), the call is MCL_ERROR_TYPE
 * Cost: reads the elements up to the first that passes, and some more. Each element is read at most once, but twice in
 * the block that has the result. Work-groups take blocks in order. After a group has found an element, each other group
 * ends after its present block or the next. One launch. Scratch: at most 512 bytes. Waits only for a result on the
 * host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer), MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED,
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_find_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                               const mcl_options *options);

/* Counts the elements that pass a test. Operands are as in mcl_find_if. Cost, scratch and errors are as in
 * mcl_reduce. With a device count of 0 the result is 0. */
MCL_API mcl_status mcl_count_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                                const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
