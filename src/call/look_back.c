/* look_back.c: the memory for the states of a run's look-back, and the launch that clears them. */
#include "call/run.h"
#include "facts/look_back.h"

/* Words that a work-item of the launch clears: as one of a group, or alone (the serial mapping). */
enum { CLEARED_A_THREAD = 4, CLEARED_ALONE = 4096 };

static size_t state_bytes(const mcl__look_back *states)
{
    return states->few ? 0 : (size_t)states->words * sizeof(uint64_t);
}

/* States in scratch need no counter of groups that are done. */
static size_t counter_bytes(const mcl__look_back *states)
{
    return states->few || states->words == 0 ? 0 : (LOOK_BACK_TICKETS + 1) * sizeof(uint32_t);
}

static void plan(mcl__run *run, int64_t count, int64_t tile_size, size_t accumulator_bytes, int64_t few_words)
{
    const int64_t needed = mcl__divide_up(count, tile_size), tiles = needed > 0 ? needed : 1;
    const int64_t words = tiles * (int64_t)VALUE_WORDS(accumulator_bytes);
    run->look_back = (mcl__look_back){ .few = words <= few_words, .tiles = tiles, .words = words };
    run->scratch_bytes += mcl__scratch_round(state_bytes(&run->look_back));
    run->scratch_bytes += mcl__scratch_round(counter_bytes(&run->look_back));
}

void mcl__run_look_back_in_scratch(mcl__run *run, int64_t count, int64_t tile_size, size_t accumulator_bytes)
{
    plan(run, count, tile_size, accumulator_bytes, -1);
}

mcl_status mcl__run_look_back(mcl__run *run, int64_t count, size_t accumulator_bytes)
{
    const int64_t tile_size = mcl__run_tile_size(run);
    const int64_t few_words = mcl__tuned(run->queue->context, MCL__PARAMETER_any_few_words);
    MCL__TRY(mcl__check_tiles(count, tile_size));
    plan(run, count, tile_size, accumulator_bytes, mcl__uses_slots(run->queue, run->options) ? few_words : -1);
    return run->look_back.few ? mcl__slots_reserve(run->queue) : MCL_OK;
}

void mcl__run_look_back_take(mcl__run *run)
{
    mcl__look_back *const states = &run->look_back;
    if (states->few) {
        states->counters = (mcl__span){ run->queue->slots, 0 };
        states->state = (mcl__span){ run->queue->slots, LOOK_BACK_COUNTERS * sizeof(uint32_t) };
        return;
    }
    states->state = mcl__scratch_take(run->queue, state_bytes(states));
    states->counters = mcl__scratch_take(run->queue, counter_bytes(states));
}

void mcl__run_look_back_args(mcl__args *args, const mcl__run *run)
{
    mcl__args_span(args, run->look_back.state);
    mcl__args_span(args, run->look_back.counters);
}

static mcl_status clear(const mcl__run *run, int pass)
{
    const mcl__look_back *const states = &run->look_back;
    const int threads = mcl__run_tile(run).threads;
    const int64_t words_a_group = threads > 1 ? (int64_t)threads * CLEARED_A_THREAD : CLEARED_ALONE;
    if (states->few) return MCL_OK;
    mcl__args *const args = mcl__args_of(run->queue, run->kernels->index_bits);
    mcl__run_look_back_args(args, run);
    mcl__args_long(args, states->words);
    return mcl__launch_groups(run->queue, run->kernels, pass, mcl__divide_up(states->words, words_a_group), threads,
                              args);
}

mcl_status mcl__run_launch_look_back(mcl__run *run, int clearing, int tiles, int few_tiles, int64_t groups)
{
    MCL__TRY(clear(run, clearing));
    return mcl__run_launch(run, run->look_back.few ? few_tiles : tiles, groups);
}
