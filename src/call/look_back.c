/* look_back.c: where the states of a look-back lie, and the launch that clears them. */
#include "call/look_back.h"
#include "facts/look_back.h"

/* Words that a work-item of the launch clears: as one of a group, or alone (the serial mapping). */
enum { CLEARED_A_THREAD = 4, CLEARED_ALONE = 4096 };

mcl__look_back mcl__look_back_in_scratch(int64_t count, int64_t tile_size, size_t accumulator_bytes)
{
    const int64_t needed = mcl__divide_up(count, tile_size), tiles = needed > 0 ? needed : 1;
    return (mcl__look_back){ .tiles = tiles, .words = tiles * (int64_t)VALUE_WORDS(accumulator_bytes) };
}

mcl_status mcl__look_back_plan(mcl_queue *queue, int64_t count, int64_t tile_size, size_t accumulator_bytes,
                               const mcl_options *options, mcl__look_back *out)
{
    *out = mcl__look_back_in_scratch(count, tile_size, accumulator_bytes);
    out->few =
        out->words <= mcl__tuned(queue->context, MCL__PARAMETER_any_few_words) && mcl__uses_slots(queue, options);
    return out->few ? mcl__slots_reserve(queue) : MCL_OK;
}

static size_t state_bytes(const mcl__look_back *states)
{
    return states->few ? 0 : (size_t)states->words * sizeof(uint64_t);
}

/* States in scratch need no counter of groups that are done. */
static size_t counter_bytes(const mcl__look_back *states)
{
    return states->few || states->words == 0 ? 0 : (LOOK_BACK_TICKETS + 1) * sizeof(uint32_t);
}

size_t mcl__look_back_scratch(const mcl__look_back *states)
{
    return mcl__scratch_round(state_bytes(states)) + mcl__scratch_round(counter_bytes(states));
}

void mcl__look_back_take(mcl_queue *queue, mcl__look_back *states)
{
    if (states->few) {
        states->counters = (mcl__span){ queue->slots, 0 };
        states->state = (mcl__span){ queue->slots, LOOK_BACK_COUNTERS * sizeof(uint32_t) };
        return;
    }
    states->state = mcl__scratch_take(queue, state_bytes(states));
    states->counters = mcl__scratch_take(queue, counter_bytes(states));
}

mcl_status mcl__look_back_clear(mcl_queue *queue, const mcl__look_back *states, const mcl__kernels *kernels, int kernel)
{
    mcl__args args = { .index_bits = kernels->index_bits };
    const int threads = kernels->tile.threads;
    const int64_t words_a_group = threads > 1 ? (int64_t)threads * CLEARED_A_THREAD : CLEARED_ALONE;
    if (states->few) return MCL_OK;
    mcl__look_back_args(&args, states);
    mcl__args_long(&args, states->words);
    return mcl__launch_groups(queue, kernels, kernel, mcl__divide_up(states->words, words_a_group), threads, &args);
}

void mcl__look_back_args(mcl__args *args, const mcl__look_back *states)
{
    mcl__args_span(args, states->state);
    mcl__args_span(args, states->counters);
}
