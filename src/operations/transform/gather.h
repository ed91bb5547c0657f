/* gather.h: out[k] = in[indices[k]], as a part of another call (gather.c). */
#ifndef MCL_GATHER_H
#define MCL_GATHER_H

#include "call/call.h"

typedef struct mcl__gather {
    mcl_input in;               /* every element is fetched once: indices has as many elements */
    const mcl_type *index_type; /* MCL_INT32 or MCL_INT64 */
    int in_place;               /* out is in's own range */
    mcl__call call;
    mcl_input indices, staged;
} mcl__gather;

/* Returns the bytes of staging, which a gather in place needs. */
size_t mcl__gather_staging(const mcl__gather *gather);
mcl_status mcl__gather_plan(mcl_queue *queue, const mcl_options *options, mcl__gather *gather);
mcl_status mcl__gather_launch(mcl__gather *gather, mcl__span indices, mcl__span out, mcl__span staging);

/* out[k] = from[k] for the first elements, as many as an int64_t on the device counts, at most most. The plan needs no
 * memory: count may be empty, and the call plans again where it launches. */
typedef struct mcl__copy {
    mcl__call call;
    mcl_input staged;
} mcl__copy;

mcl_status mcl__copy_plan(mcl_queue *queue, const mcl_options *options, const mcl_type *type, int64_t most,
                          mcl__span count, mcl__copy *copy);
mcl_status mcl__copy_launch(mcl__copy *copy, mcl__span from, mcl__span out);

#endif
