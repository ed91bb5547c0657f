/* gather.h: out[k] = in[indices[k]], as a part of another call (gather.c). */
#ifndef MCL_GATHER_H
#define MCL_GATHER_H

#include "call/call.h"

typedef struct mcl__gather {
    mcl_input in;               /* the elements; indices has the same count, so that each is fetched once */
    const mcl_type *index_type; /* MCL_INT32 or MCL_INT64 */
    int in_place;               /* 1 if out is the same range as in */
    mcl__call call;
    mcl_input indices, staged;
} mcl__gather;

/* Returns the bytes of the array staging, which only a gather in place needs. */
size_t mcl__gather_staging(const mcl__gather *gather);
mcl_status mcl__gather_plan(mcl_queue *queue, const mcl_options *options, mcl__gather *gather);
mcl_status mcl__gather_launch(mcl__gather *gather, mcl__span indices, mcl__span out, mcl__span staging);

/* A copy of the first elements: out[k] = from[k]. An int64_t on the device has their number, which is at most most. A
 * first plan only builds the program, and its count may be 0. The call plans again before the launch. */
typedef struct mcl__copy {
    mcl__call call;
    mcl_input staged;
} mcl__copy;

mcl_status mcl__copy_plan(mcl_queue *queue, const mcl_options *options, const mcl_type *type, int64_t most,
                          mcl__span count, mcl__copy *copy);
mcl_status mcl__copy_launch(mcl__copy *copy, mcl__span from, mcl__span out);

#endif
