/* new_name.h: each element with the one before it. */
#ifndef MODERNCL_NEW_NAME_H
#define MODERNCL_NEW_NAME_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the sum of each element and the one before it.
 *
 * out[0] = in[0] and out[k] = in[k - 1] + in[k], for k in [1, in.count).
 *
 * in      any input of a built-in type
 * out     of the same type, at least in.count elements; may not overlap what is read
 * Cost: reads and writes each element once. Scratch: none.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, or overlaps), MCL_ERROR_TYPE (a struct, or two types),
 * MCL_ERROR_BUILD (the expression of in does not compile), MCL_ERROR_UNSUPPORTED (double where the device has none),
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_new_name(mcl_queue *queue, mcl_input in, mcl_output out,
                                const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
