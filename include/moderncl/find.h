/* find.h: the first element that passes a test, and the number of all that pass. */
#ifndef MODERNCL_FIND_H
#define MODERNCL_FIND_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the first element that passes a test.
 *
 * result = the lowest k whose element passes the test; the input's count where no element passes.
 *
 * in      any input
 * test    of role MCL_ROLE_TEST, in x, the element, and i, its index
 * result  MCL_INT32, MCL_UINT32 or MCL_INT64: host, device slot, both or neither. More elements (with a count slot: a
 *         higher bound) than the type counts are MCL_ERROR_TYPE
 * Cost: reads the elements up to the first that passes and some more. Each element is read once at most, but twice in
 * the block that has the result. Work-groups take blocks from the front on. After a group has found an element, each
 * other group ends with its block or the next. One launch. Scratch: at most 512 bytes. Waits only for a result on the
 * host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer), MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED,
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_find_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                               const mcl_options *options);

/* Counts the elements that pass a test. Operands as in mcl_find_if; cost, scratch and errors as in mcl_reduce. A device
 * count of 0 gives 0. */
MCL_API mcl_status mcl_count_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                                const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
