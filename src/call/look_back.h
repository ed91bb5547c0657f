/* look_back.h: the states that tiles publish in a look-back (cl/pieces/look_back.clh), where they lie, and who makes
 * them zero before it. */
#ifndef MODERNCL_LOOK_BACK_H
#define MODERNCL_LOOK_BACK_H

#include "call/call.h"

enum { MCL__LOOK_BACK_BYTES_MAX = 16 }; /* larger accumulators take too many words to poll */

/* The kernel of cl/pieces/look_back_states.clh that clears. */
#define MCL__LOOK_BACK_CLEAR "look_back_clear"

/* Of few tiles they lie in the queue's slots, and the kernel itself leaves them zero; else in scratch. All zero: there
 * is no look-back. */
typedef struct mcl__look_back {
    int few;
    int64_t tiles; /* at least one: the first also does what is to be done for nothing */
    int64_t words;
    mcl__span state;
    mcl__span counters;
} mcl__look_back;

/* States in scratch, which a kernel of the call clears in passing. */
mcl__look_back mcl__look_back_in_scratch(int64_t count, int64_t tile_size, size_t accumulator_bytes);
/* States in the queue's slots where they are few, else in scratch; before mcl__call_begin. */
mcl_status mcl__look_back_plan(mcl_queue *queue, int64_t count, int64_t tile_size, size_t accumulator_bytes,
                               const mcl_options *options, mcl__look_back *out);
/* Of scratch, to be added to the call's. */
size_t mcl__look_back_scratch(const mcl__look_back *states);
/* After mcl__call_begin: takes the scratch. */
void mcl__look_back_take(mcl_queue *queue, mcl__look_back *states);
/* Clears the states where that needs a launch; kernel: the index of MCL__LOOK_BACK_CLEAR in the spec. */
mcl_status mcl__look_back_clear(mcl_queue *queue, const mcl__look_back *states, const mcl__kernels *kernels,
                                int kernel);
/* ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters). */
void mcl__look_back_args(mcl__args *args, const mcl__look_back *states);

#endif
