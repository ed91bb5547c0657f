/* look_back.h: the states that tiles publish in a look-back (cl/pieces/look_back.clh), and where they lie. */
#ifndef MODERNCL_LOOK_BACK_H
#define MODERNCL_LOOK_BACK_H

#include "call/call.h"

enum { MCL__LOOK_BACK_BYTES_MAX = 16 }; /* larger accumulators take too many words to poll */

/* Of few tiles they lie in the queue's slots, and the kernel itself leaves them zero (cl/pieces/few_tiles.clh); else in
 * scratch, and a launch of its own clears them. */
typedef struct mcl__look_back {
    int few;
    int64_t tiles; /* at least one: the first also does what is to be done for nothing */
    int64_t words;
    mcl__span state;
    mcl__span counters;
} mcl__look_back;

/* Before mcl__call_begin. */
mcl_status mcl__look_back_plan(mcl_queue *queue, int64_t count, mcl__tile tile, size_t accumulator_bytes,
                               const mcl_options *options, mcl__look_back *out);
/* Of scratch, to be added to the call's. */
size_t mcl__look_back_scratch(const mcl__look_back *states);
/* After mcl__call_begin: takes the scratch and clears the states, where that needs a launch. */
mcl_status mcl__look_back_clear(mcl_queue *queue, mcl__look_back *states, const mcl__kernels *kernels, int kernel);

#endif
