/* look_back.h: the states that tiles publish in a look-back (cl/pieces/look_back.clh): where they lie, and what makes
 * them zero before it. */
#ifndef MODERNCL_LOOK_BACK_H
#define MODERNCL_LOOK_BACK_H

#include "call/call.h"

enum { MCL__LOOK_BACK_BYTES_MAX = 16 }; /* larger accumulators take too many words to poll */

/* The kernel that clears states (cl/pieces/look_back_states.clh). */
#define MCL__LOOK_BACK_CLEAR "look_back_clear"

/* The states of few tiles lie in the queue's slots, and the kernel itself leaves them zero. Other states lie in
 * scratch. All zero: there is no look-back. */
typedef struct mcl__look_back {
    int few;
    int64_t tiles; /* at least one: the first also stores the result of no elements */
    int64_t words;
    mcl__span state;
    mcl__span counters;
} mcl__look_back;

/* States in scratch, which another kernel of the call clears. */
mcl__look_back mcl__look_back_in_scratch(int64_t count, int64_t tile_size, size_t accumulator_bytes);
/* States in the queue's slots where they are few, else in scratch. Called before mcl__call_begin. */
mcl_status mcl__look_back_plan(mcl_queue *queue, int64_t count, int64_t tile_size, size_t accumulator_bytes,
                               const mcl_options *options, mcl__look_back *out);
/* Bytes of scratch, which the call adds to its own. */
size_t mcl__look_back_scratch(const mcl__look_back *states);
/* After mcl__call_begin: takes the scratch. */
void mcl__look_back_take(mcl_queue *queue, mcl__look_back *states);
/* Clears the states where that needs a launch; kernel: the index of MCL__LOOK_BACK_CLEAR in the spec. */
mcl_status mcl__look_back_clear(mcl_queue *queue, const mcl__look_back *states, const mcl__kernels *kernels,
                                int kernel);
/* ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters). */
void mcl__look_back_args(mcl__args *args, const mcl__look_back *states);

#endif
