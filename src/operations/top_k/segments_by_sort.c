/* segments_by_sort.c: selection in segments by a sort of all segments. This costs less where segments are short, or
 * where many elements of each segment are selected. Kernel: cl/kernels/top_k/segments_taken.cl. The sort is a separate
 * call. */
#include "operations/top_k/segments_by_sort.h"

#include "tuning/cost.h"

#include "moderncl/segmented_sort.h"

enum { TAKE };                    /* passes */
enum { COLUMNS = OTHER_SCALARS }; /* scalars */

static const mcl__declaration segments_taken = {
    .file = "kernels/top_k/segments_taken.cl",
    .operands = mcl__rows_operands,
    .scalars = { [ROWS] = "rows", [WANTED] = "wanted", [ROW] = "row", [COLUMNS] = "columns" },
    .passes = (mcl__passes){ [TAKE] = { "segments_take",
                                        .arguments = { OPERAND(IN), OPERAND(IN_VALUES), OPERAND(OFFSETS),
                                                       OPERAND(POSITIONS), OPERAND(OUT), OPERAND(OUT_VALUES),
                                                       OPERAND(OUT_INDICES), OPERAND(COUNTS), OPERAND(AMOUNTS),
                                                       OPERAND(FRACTIONS), AS_INDEX(WANTED), AS_INDEX(ROW),
                                                       AS_INDEX(ROWS), AS_INDEX(COLUMNS) } } },
};

/* ---- the choice ----------------------------------------------------------------------------------------------- */

/* Returns 1 where the indices of elements are stored, or are used to fetch their values. */
static int stores_indices(const mcl__call *call)
{
    return call->operands[IN_VALUES].input || call->operands[OUT_INDICES].output;
}

/* Returns 1 where segments are long and few, so that most of the device would wait for the groups that select in them.
 * It returns 0 for the first k of rows with equal length, since these are selected in parts of a row. */
static int are_few(const mcl__call *call, const mcl__rows *rows, int64_t length)
{
    enum { SELECTIONS = 5, SORTS = 2 }; /* a sort by the whole device takes as long as 2.5 selections */
    const mcl_context *const context = call->queue->context;
    if (length < mcl__tuned(context, MCL__PARAMETER_segmented_top_k_few_length)) return 0;
    if (call->scalars[LENGTH] > 0 && !rows->takes_rank) return 0;
    return call->scalars[ROWS] * SELECTIONS < (int64_t)context->limits.compute_units * SORTS;
}

/* Returns 1 where a sort is faster in the group mapping. A group takes as long for a short segment as for a segment
 * that fills its tile. */
static int groups_sort(mcl__call *call, const mcl__rows *rows, int64_t length)
{
    const mcl_context *const context = call->queue->context;
    const int64_t rounds = rows->rounds(call);
    if (rounds > 0 && are_few(call, rows, length)) return 1;
    if (rounds > mcl__tuned(context, MCL__PARAMETER_segmented_top_k_sort_rounds)) return 1;
    return rounds > 0 && mcl__divide_up(length, rounds) <= mcl__tuned(context, rows->sort_length);
}

/* Compares costs for segments of average length, the only length that the host knows. */
int mcl__rows_sort_is_faster(mcl__call *call, const mcl__rows *rows)
{
    const mcl_context *const context = call->queue->context;
    const int64_t segments = call->scalars[ROWS], count = call->operands[IN].input->count;
    const int by_rows = call->scalars[LENGTH] > 0;
    if (context->limits.loop_budget > 0 || segments == 0 || count == 0) return 0;
    const int64_t length = by_rows ? call->scalars[LENGTH] : mcl__divide_up(count, segments);
    if (!mcl__call_asks_serial(call)) return groups_sort(call, rows, length);
    return mcl__cost_sort_segment(context, length, by_rows, stores_indices(call)) < rows->cost(call, length);
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

typedef struct sort_plan {
    mcl__call *call;
    const mcl__rows *rows;
    int has_end;
    mcl_buffer *keys, *indices; /* keys and indices of all elements, sorted within each segment */
} sort_plan;

static const mcl_type *position_type(const mcl__call *call)
{
    return call->operands[IN].input->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_status sort_segments(sort_plan *plan, const mcl_options *options)
{
    const mcl__call *const call = plan->call;
    const mcl_input *const in = call->operands[IN].input;
    const mcl_options beside = mcl__beside_options(options); /* leaves out the tile, which is for the selection */
    const mcl_segments segments = { .input = *call->operands[OFFSETS].input,
                                    .kind = plan->has_end ? MCL_SEGMENT_OFFSETS : MCL_SEGMENT_BEGINS,
                                    .row_length = call->scalars[LENGTH] };
    const mcl_output keys = mcl_to_buffer(in->type, plan->keys, 0, in->count);
    const mcl_output indices = mcl_to_buffer(position_type(call), plan->indices, 0, in->count);
    const mcl_op *const before = call->operands[BEFORE].op;
    if (!stores_indices(call))
        return mcl_segmented_sort(call->queue, *in, segments, keys, before, MCL_STABLE, NULL, &beside);
    return mcl_segmented_sort_indices(call->queue, *in, segments, keys, indices, MCL_INDEX_IN_SEQUENCE, before,
                                      MCL_STABLE, NULL, &beside);
}

/* Returns the bits of an index that can count every element of the input and of the outputs. */
static int index_bits(const mcl__call *call)
{
    const int64_t in = call->operands[IN].input->count, out = call->scalars[ROWS] * call->scalars[ROW];
    const int64_t offsets = call->operands[OFFSETS].input->count, most = in > out ? in : out;
    return mcl__index_bits(most > offsets ? most : offsets, call->options);
}

/* Stores the wanted elements of each sorted segment. */
static mcl_status take(const sort_plan *plan, const mcl_options *options)
{
    const mcl_input *const in = plan->call->operands[IN].input;
    const mcl__tile_need need = { .element_bytes = in->type->size };
    const int takes_rank = plan->rows->takes_rank;
    mcl__call call = *plan->call;
    mcl_input keys = mcl_from_buffer(in->type, plan->keys, 0, in->count);
    mcl_input positions = mcl_from_buffer(position_type(&call), plan->indices, 0, in->count);
    mcl__adopt_count(&keys, in);
    call.declaration = &segments_taken;
    call.options = options;
    call.operands[IN].input = &keys;
    call.operands[POSITIONS].input = stores_indices(&call) ? &positions : NULL;
    call.operands[BEFORE].op = NULL;
    call.scalars[COLUMNS] = takes_rank ? call.scalars[ROW] : call.scalars[WANTED];
    mcl__call_define(&call, "HAS_END", plan->has_end);
    mcl__call_define(&call, "TAKES_RANK", takes_rank);
    MCL__TRY(mcl__call_program(&call, mcl__call_choose_tile(&call, MCL__OPERATION_transform, need), index_bits(&call)));
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(mcl__call_launch_tiles(&call, TAKE, call.scalars[ROWS] * call.scalars[COLUMNS]));
    return mcl__call_end(&call);
}

static mcl_status by_sort_steps(void *of, const mcl_options *options)
{
    sort_plan *const plan = of;
    const size_t count = (size_t)plan->call->operands[IN].input->count;
    MCL__TRY(mcl__scratch_hold(plan->call->queue, count * plan->call->operands[IN].input->type->size, &plan->keys));
    if (stores_indices(plan->call))
        MCL__TRY(mcl__scratch_hold(plan->call->queue, count * position_type(plan->call)->size, &plan->indices));
    MCL__TRY(sort_segments(plan, options));
    return take(plan, options);
}

static void by_sort_release(void *of)
{
    sort_plan *const plan = of;
    mcl__buffer_drop(&plan->keys);
    mcl__buffer_drop(&plan->indices);
}

mcl_status mcl__rows_by_sort(mcl__call *call, int has_end, const mcl__rows *rows)
{
    sort_plan plan = { .call = call, .rows = rows, .has_end = has_end };
    return mcl__steps_run(call->queue, call->options, by_sort_steps, by_sort_release, &plan);
}
