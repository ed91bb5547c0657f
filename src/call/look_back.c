/* look_back.c: plans the memory for the states of a call's look-back. */
#include "call/call.h"
#include "facts/look_back.h"

static size_t state_bytes(const mcl__look_back *states)
{
    return states->few ? 0 : (size_t)states->words * sizeof(uint64_t);
}

/* Returns the bytes of the counters that are in scratch. In scratch no counter of finished groups is needed. */
static size_t counter_bytes(const mcl__look_back *states)
{
    return states->few || states->words == 0 ? 0 : (LOOK_BACK_TICKETS + 1) * sizeof(uint32_t);
}

static void plan(mcl__call *call, int64_t count, int64_t tile_size, size_t accumulator_bytes, int64_t few_words)
{
    const int64_t needed = mcl__divide_up(count, tile_size), tiles = needed > 0 ? needed : 1;
    const int64_t words = tiles * (int64_t)VALUE_WORDS(accumulator_bytes);
    call->look_back = (mcl__look_back){ .few = words <= few_words, .tiles = tiles, .words = words };
    call->scratch_bytes += mcl__scratch_round(state_bytes(&call->look_back));
    call->scratch_bytes += mcl__scratch_round(counter_bytes(&call->look_back));
}

void mcl__call_look_back_in_scratch(mcl__call *call, int64_t count, int64_t tile_size, size_t accumulator_bytes)
{
    plan(call, count, tile_size, accumulator_bytes, -1);
}

mcl_status mcl__call_look_back(mcl__call *call, int64_t count, size_t accumulator_bytes)
{
    const int64_t tile_size = mcl__call_tile_size(call);
    const int64_t few_words = mcl__tuned(call->queue->context, MCL__PARAMETER_any_few_words);
    MCL__TRY(mcl__check_tiles(count, tile_size));
    plan(call, count, tile_size, accumulator_bytes, mcl__uses_slots(call->queue, call->options) ? few_words : -1);
    return call->look_back.few ? mcl__slots_reserve(call->queue) : MCL_OK;
}

void mcl__call_look_back_take(mcl__call *call)
{
    mcl__look_back *const states = &call->look_back;
    if (states->few) {
        states->counters = (mcl__span){ call->queue->slots, 0 };
        states->state = (mcl__span){ call->queue->slots, LOOK_BACK_COUNTERS * sizeof(uint32_t) };
        return;
    }
    states->state = mcl__scratch_take(call->queue, state_bytes(states));
    states->counters = mcl__scratch_take(call->queue, counter_bytes(states));
}
