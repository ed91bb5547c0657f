/* segments_rows.c: calls that give a row of outputs for each segment. Segments by indices or flags are first turned
 * into begins: mcl_segmented_reduce finds the lowest index of each segment. */
#include "operations/top_k/segments_rows.h"
#include "operations/top_k/segments_by_sort.h"

#include "moderncl/segmented.h"

/* Does the work of a ready call: selects in its segments, or sorts all segments where that costs less. */
static mcl_status select_or_sort(mcl__call *call, int has_end, const mcl__rows *rows)
{
    if (mcl__rows_sort_is_faster(call, rows)) return mcl__rows_by_sort(call, has_end, rows);
    return rows->select(call, has_end);
}

/* ---- segments by indices or flags ---------------------------------------------------------------------------- */

typedef struct heads_plan {
    mcl__call *call;
    mcl_segments *segments;
    const mcl__rows *rows;
    mcl_buffer *begins, *count;
} heads_plan;

/* Returns the number of segments for which the outputs have room. */
static int64_t rows_that_fit(const mcl__call *call, const mcl__rows *rows)
{
    int64_t fit = call->operands[IN].input->count;
    for (int k = rows->first_output; k <= rows->last_output; ++k) {
        const mcl_output *const out = call->operands[k].output;
        const int64_t each = rows->each(call, k);
        if (!out || each <= 0 || mcl__is_left_out(out)) continue;
        if (out->capacity / each < fit) fit = out->capacity / each;
    }
    return fit;
}

static mcl_status heads_check(const mcl__call *call)
{
    const mcl_input *const flags = call->operands[FLAGS].input;
    const int64_t count = call->operands[IN].input->count, words = mcl__divide_up(count, 32);
    if (!flags || flags->count >= words) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "segments has %lld words; expected %lld for %lld elements",
                     (long long)flags->count, (long long)words, (long long)count);
}

static const mcl_type *begins_type(const heads_plan *plan)
{
    return plan->call->operands[IN].input->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

/* Returns the room for begins. There is one begin more than rows, which gives the end of the last row. */
static int64_t begins_room(const heads_plan *plan)
{
    return plan->call->scalars[ROWS] + 1;
}

static mcl_status find_begins(const heads_plan *plan, const mcl_options *options)
{
    const mcl_type *const index = begins_type(plan);
    const mcl_input *const keys = plan->call->operands[IN].input;
    const mcl_options beside = mcl__beside_options(options); /* leaves out the tile, which is for the selection */
    const int64_t zero = 0;
    mcl_input positions = mcl_from_counting(index, &zero, keys->count);
    mcl__adopt_slot(&positions, keys);
    return mcl_segmented_reduce(plan->call->queue, positions, *plan->segments,
                                mcl_to_buffer(index, plan->begins, 0, begins_room(plan)), MCL_MIN,
                                mcl_to_slot(MCL_INT64, plan->count, 0), &beside);
}

static mcl_status select_rows(const heads_plan *plan, const mcl_options *options)
{
    mcl__call call = *plan->call;
    mcl_input offsets = mcl_from_buffer(begins_type(plan), plan->begins, 0, begins_room(plan));
    offsets = mcl_with_count(offsets, plan->count, 0);
    call.options = options;
    call.operands[OFFSETS].input = &offsets;
    call.operands[INDICES].input = call.operands[FLAGS].input = NULL;
    return select_or_sort(&call, 0, plan->rows);
}

static mcl_status heads_steps(void *of, const mcl_options *options)
{
    heads_plan *const plan = of;
    mcl_queue *const queue = plan->call->queue;
    MCL__TRY(mcl__scratch_hold(queue, (size_t)begins_room(plan) * begins_type(plan)->size, &plan->begins));
    MCL__TRY(mcl__scratch_hold(queue, sizeof(int64_t), &plan->count));
    MCL__TRY(find_begins(plan, options));
    return select_rows(plan, options);
}

static void heads_release(void *of)
{
    heads_plan *const plan = of;
    mcl__buffer_drop(&plan->begins);
    mcl__buffer_drop(&plan->count);
}

static mcl_status by_heads(mcl__call *call, mcl_segments *segments, const mcl__rows *rows)
{
    heads_plan plan = { .call = call, .segments = segments, .rows = rows };
    call->operands[segments->kind == MCL_SEGMENT_FLAGS ? FLAGS : INDICES].input = &segments->input;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(heads_check(call));
    call->scalars[ROWS] = rows_that_fit(call, rows);
    MCL__TRY(rows->plan(call));
    MCL__TRY(mcl__call_ready(call));
    return mcl__steps_run(call->queue, call->options, heads_steps, heads_release, &plan);
}

/* ---- all kinds ------------------------------------------------------------------------------------------------ */

/* Returns 1 where no output stores anything of a row. */
static int stores_nothing(const mcl__call *call, const mcl__rows *rows)
{
    for (int k = rows->first_output; k <= rows->last_output; ++k) {
        const mcl_output *const out = call->operands[k].output;
        if (out && !mcl__is_left_out(out) && rows->each(call, k) > 0) return 0;
    }
    return 1;
}

/* Plans and runs the call. If nothing is stored, it only compiles the texts. */
mcl_status mcl__rows_plan(mcl__call *call, mcl_segments *segments, const mcl__rows *rows)
{
    const int has_end = segments->kind == MCL_SEGMENT_OFFSETS;
    const int64_t given = segments->input.count;
    call->scalars[LENGTH] = segments->row_length;
    MCL__TRY(mcl__segments_check(segments));
    if (segments->kind == MCL_SEGMENT_INDICES || segments->kind == MCL_SEGMENT_FLAGS)
        return by_heads(call, segments, rows);
    call->operands[OFFSETS].input = &segments->input;
    MCL__TRY(mcl__call_check(call));
    call->scalars[ROWS] = given > has_end ? given - has_end : 0;
    MCL__TRY(rows->plan(call));
    MCL__TRY(mcl__call_ready(call));
    if (stores_nothing(call, rows)) call->scalars[ROWS] = segments->input.count = 0;
    return select_or_sort(call, has_end, rows);
}
