/* segments_rows.c: calls that give a row of outputs for each segment. Segments by indices or flags become begins first:
 * the lowest index of each segment, by mcl_segmented_reduce. */
#include "operations/top_k/segments_rows.h"

#include "moderncl/segmented.h"

enum { IN = MCL__ROWS_IN, OFFSETS = MCL__ROWS_OFFSETS, INDICES = MCL__ROWS_INDICES, FLAGS = MCL__ROWS_FLAGS };
enum { ROWS = MCL__ROWS_COUNT };

/* ---- segments by indices or flags ---------------------------------------------------------------------------- */

typedef struct heads_call {
    mcl__run *run;
    mcl_segments *segments;
    const mcl__rows *rows;
    mcl_buffer *begins, *count;
} heads_call;

/* Returns how many segments the outputs have room for. */
static int64_t rows_that_fit(const mcl__run *run, const mcl__rows *rows)
{
    int64_t fit = run->given[IN].input->count;
    for (int k = rows->first_output; k <= rows->last_output; ++k) {
        const mcl_output *const out = run->given[k].output;
        const int64_t each = rows->each(run, k);
        if (!out || each <= 0 || mcl__is_left_out(out)) continue;
        if (out->capacity / each < fit) fit = out->capacity / each;
    }
    return fit;
}

static mcl_status heads_check(const mcl__run *run)
{
    const mcl_input *const flags = run->given[FLAGS].input;
    const int64_t count = run->given[IN].input->count, words = mcl__divide_up(count, 32);
    if (!flags || flags->count >= words) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "segments has %lld words; expected %lld for %lld elements",
                     (long long)flags->count, (long long)words, (long long)count);
}

static const mcl_type *begins_type(const heads_call *call)
{
    return call->run->given[IN].input->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

/* One begin more than rows tells where the last row ends. */
static int64_t begins_room(const heads_call *call)
{
    return call->run->numbers[ROWS] + 1;
}

static mcl_status find_begins(const heads_call *call, const mcl_options *options)
{
    const mcl_type *const index = begins_type(call);
    const mcl_input *const keys = call->run->given[IN].input;
    const mcl_options beside = mcl__beside_options(options); /* the tile is meant for the selection */
    const int64_t zero = 0;
    mcl_input positions = mcl_from_counting(index, &zero, keys->count);
    mcl__adopt_slot(&positions, keys);
    return mcl_segmented_reduce(call->run->queue, positions, *call->segments,
                                mcl_to_buffer(index, call->begins, 0, begins_room(call)), MCL_MIN,
                                mcl_to_slot(MCL_INT64, call->count, 0), &beside);
}

static mcl_status select_rows(const heads_call *call, const mcl_options *options)
{
    mcl__run run = *call->run;
    mcl_input offsets = mcl_from_buffer(begins_type(call), call->begins, 0, begins_room(call));
    offsets = mcl_with_count(offsets, call->count, 0);
    run.options = options;
    run.given[OFFSETS].input = &offsets;
    run.given[INDICES].input = run.given[FLAGS].input = NULL;
    return call->rows->select(&run, 0);
}

static mcl_status heads_steps(void *of, const mcl_options *options)
{
    heads_call *const call = of;
    mcl_queue *const queue = call->run->queue;
    MCL__TRY(mcl__buffer_create_for(queue, (size_t)begins_room(call) * begins_type(call)->size, &call->begins));
    MCL__TRY(mcl__buffer_create_for(queue, sizeof(int64_t), &call->count));
    MCL__TRY(find_begins(call, options));
    return select_rows(call, options);
}

/* The blocks are kept until the call's work is done. */
static void heads_release(void *of)
{
    heads_call *const call = of;
    mcl_buffer_release(call->begins);
    mcl_buffer_release(call->count);
    call->begins = call->count = NULL;
}

static mcl_status by_heads(mcl__run *run, mcl_segments *segments, const mcl__rows *rows)
{
    heads_call call = { .run = run, .segments = segments, .rows = rows };
    run->given[segments->kind == MCL_SEGMENT_FLAGS ? FLAGS : INDICES].input = &segments->input;
    MCL__TRY(mcl__run_check(run));
    MCL__TRY(heads_check(run));
    run->numbers[ROWS] = rows_that_fit(run, rows);
    MCL__TRY(rows->plan(run));
    MCL__TRY(mcl__run_ready(run));
    const mcl_status status = mcl__steps_run(run->queue, run->options, heads_steps, heads_release, &call);
    heads_release(&call);
    return status;
}

/* ---- all kinds ------------------------------------------------------------------------------------------------ */

mcl_status mcl__rows_call(mcl__run *run, mcl_segments *segments, const mcl__rows *rows)
{
    const int has_end = segments->kind == MCL_SEGMENT_OFFSETS;
    const int64_t given = segments->input.count;
    MCL__TRY(mcl__segments_check(segments));
    if (segments->kind == MCL_SEGMENT_INDICES || segments->kind == MCL_SEGMENT_FLAGS)
        return by_heads(run, segments, rows);
    run->given[OFFSETS].input = &segments->input;
    MCL__TRY(mcl__run_check(run));
    run->numbers[ROWS] = given > has_end ? given - has_end : 0;
    MCL__TRY(rows->plan(run));
    MCL__TRY(mcl__run_ready(run));
    return rows->select(run, has_end);
}
