/* look_back.c: where the states of a look-back lie. */
#include "call/look_back.h"

mcl_status mcl__look_back_plan(mcl_queue *queue, int64_t count, mcl__tile tile, size_t accumulator_bytes,
                               const mcl_options *options, mcl__look_back *out)
{
    const int64_t needed = mcl__divide_up(count, mcl__tile_size(tile));
    *out = (mcl__look_back){ .tiles = needed > 0 ? needed : 1 };
    out->words = out->tiles * (int64_t)((accumulator_bytes + 3) / 4);
    out->few =
        out->words <= mcl__tuned(queue->context, MCL__PARAMETER_any_few_words) && mcl__uses_slots(queue, options);
    return out->few ? mcl__slots_reserve(queue) : MCL_OK;
}

static size_t state_bytes(const mcl__look_back *states)
{
    return states->few ? 0 : (size_t)states->words * sizeof(uint64_t);
}

static size_t counter_bytes(const mcl__look_back *states)
{
    return states->few ? 0 : sizeof(uint32_t);
}

size_t mcl__look_back_scratch(const mcl__look_back *states)
{
    return mcl__scratch_round(state_bytes(states)) + mcl__scratch_round(counter_bytes(states));
}

mcl_status mcl__look_back_clear(mcl_queue *queue, mcl__look_back *states, const mcl__kernels *kernels, int kernel)
{
    mcl__args args = { .index_bits = kernels->index_bits };
    const int threads = kernels->tile.threads;
    const int64_t words_a_group = threads > 1 ? (int64_t)threads * 4 : 4096;
    if (states->few) {
        states->counters = (mcl__span){ queue->slots, 0 };
        states->state = (mcl__span){ queue->slots, sizeof(uint64_t) };
        return MCL_OK;
    }
    states->state = mcl__scratch_take(queue, state_bytes(states));
    states->counters = mcl__scratch_take(queue, counter_bytes(states));
    mcl__args_span(&args, states->state);
    mcl__args_span(&args, states->counters);
    mcl__args_long(&args, states->words);
    return mcl__launch_groups(queue, kernels, kernel, mcl__divide_up(states->words, words_a_group), threads, &args);
}
