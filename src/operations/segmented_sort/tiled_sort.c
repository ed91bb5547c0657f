/* tiled_sort.c: sorts tiles, then merges lists of tiles level by level. Tiles that need no move stay where they are.
 * Kernels: cl/kernels/segmented_sort/segmented_sort.cl, whose first comment names the passes.
 *
 * The lists alternate between two arrays: the caller's output and a spare array in scratch. With segments, tiles are
 * sorted into the output. A tile stays there unless one of its segments is still merged by the levels, so the number of
 * levels must be even. Without segments, tiles are sorted into the array from which the last level ends in the
 * output. */
#include "operations/segmented_sort/tiled_operands.h"

#include "call/call.h"
#include "facts/segmented_sort.h"

#include <stdlib.h>

/* Operands. Segments are given as OFFSETS, INDICES or HEADS. The kernels use only HEADS, which the call makes from the
 * other two. A is an array of keys. */
enum { KEYS = 1, OFFSETS, INDICES, HEADS, VALUES, BEFORE, OUT, OUT_VALUES, A, A_VALUES, SPARE, SPARE_VALUES };
enum { KEY = 1, VALUE };                                             /* groups of operands with one type */
enum { TILES, SEAMS, WIDE_SEAMS, LEVEL, PLAN, WORK, RANKS };         /* passes */
enum { COUNTER_COUNT, REPORTS, LEVEL_NUMBER, MENDED, QUEUE_LENGTH }; /* scalars */
/* Scratch. Levels alternate between two arrays of keys and two of values. ALL_RANGES has the heads of all lists; its
 * parts RANGES and PARENTS are for a level's lists and for the next level's lists. SAME and OPEN have marks of tiles.
 * QUEUE has tasks. */
enum { KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE, ALL_RANGES, RANGES, PARENTS, SAME, OPEN, COUNTERS, QUEUE };

#define ARRAYS OPERAND(OUT), OPERAND(SPARE), OPERAND(OUT_VALUES), OPERAND(SPARE_VALUES)
#define SEAM_ARGUMENTS                                                                                                 \
    { MCL__ENVIRONMENT, OPERAND(KEYS), ARRAYS, SCRATCH(RANGES), SCRATCH(OPEN), SCRATCH(COUNTERS), AS_INT(REPORTS) }
#define LEVEL_ARGUMENTS                                                                                                \
    MCL__ENVIRONMENT, OPERAND(KEYS), ARRAYS, SCRATCH(RANGES), SCRATCH(PARENTS), SCRATCH(SAME), SCRATCH(OPEN),          \
        SCRATCH(COUNTERS), AS_INT(LEVEL_NUMBER), AS_INT(MENDED)

/* The outputs of mcl_segmented_sort_indices, for the check of its operands. Its passes then sort pairs. */
static mcl__operands index_operands = {
    [OUT] = { "out_keys", .kind = MCL__OUTPUT, .group = KEY, .in_place = MCL__BIT(KEYS), .arrays_only = 1,
              .optional = 1 },
    [OUT_VALUES] = { "out_indices", .kind = MCL__OUTPUT, .types = MCL__INDICES, .group = VALUE, .indexes = KEYS },
};

static const mcl__declaration tiled_sort = {
    .file = "kernels/segmented_sort/segmented_sort.cl",
    .types = { [KEY] = "key" },
    .aliased = 1,
    .operands =
        (mcl__operands){
            [KEYS] = { "in", .kind = MCL__INPUT, .label = "keys", .group = KEY },
            [OFFSETS] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .offsets_of = KEYS, .unused = 1 },
            [INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = KEYS, .unused = 1 },
            [HEADS] = { "heads", .kind = MCL__INPUT, .label = "segments", .types = MCL__FLAGS },
            [VALUES] = { "in_values", .kind = MCL__INPUT, .label = "values", .group = VALUE, .as_many = KEYS },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
            [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY, .in_place = MCL__BIT(KEYS), .arrays_only = 1 },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE, .in_place = MCL__BIT(VALUES),
                             .arrays_only = 1 },
            [A] = { "a", .kind = MCL__INPUT },
            [A_VALUES] = { "a_values", .kind = MCL__INPUT },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
            [SPARE_VALUES] = { "spare_values", .kind = MCL__ARRAY },
        },
    .scratch = { [RANGES] = { "ranges", "head_range" },
                 [PARENTS] = { "parents", "head_range" },
                 [SAME] = { "same", "uint" },
                 [OPEN] = { "open", "uint" },
                 [COUNTERS] = { "counters", "uint" },
                 [QUEUE] = { "queue", "list_tile" } },
    .scalars = { [COUNTER_COUNT] = "counter_count",
                 [REPORTS] = "counts",
                 [LEVEL_NUMBER] = "level",
                 [MENDED] = "mended",
                 [QUEUE_LENGTH] = "queue_length" },
    .passes =
        (mcl__passes){
            [TILES] = { "sort_tiles",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(VALUES), OPERAND(HEADS), ARRAYS,
                                       SCRATCH(RANGES), SCRATCH(SAME), SCRATCH(COUNTERS), AS_INT(COUNTER_COUNT) } },
            [SEAMS] = { "sort_seams", SEAM_THREADS_MAX, "SEAM_THREADS", .arguments = SEAM_ARGUMENTS },
            [WIDE_SEAMS] = { "sort_wide_seams", .arguments = SEAM_ARGUMENTS },
            [LEVEL] = { "sort_level", .arguments = { LEVEL_ARGUMENTS } },
            [PLAN] = { "sort_plan", PLAN_THREADS_MAX, "PLAN_THREADS",
                       .arguments = { LEVEL_ARGUMENTS, SCRATCH(QUEUE), AS_INDEX(QUEUE_LENGTH) } },
            [WORK] = { "sort_work", .arguments = { MCL__ENVIRONMENT, ARRAYS, SCRATCH(COUNTERS), AS_INT(LEVEL_NUMBER),
                                                   SCRATCH(QUEUE), AS_INDEX(QUEUE_LENGTH) } },
            [RANKS] = { "sort_ranks", .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(HEADS), ARRAYS,
                                                     SCRATCH(RANGES), AS_INDEX(QUEUE_LENGTH) } },
        },
};

/* One call, whose operands are in plan. array and array_values only give types. heads does too, unless the caller gives
 * flags. */
typedef struct tiled_sort_run {
    mcl__call call;
    mcl__tiled_sort plan;
    mcl_input array, array_values, heads;
    mcl__call made; /* the part that makes heads from offsets, begins or indices */
    int64_t tile, tiles, ranges_length;
    int levels; /* number of levels to launch */
    int mends;  /* 1 if short segments are merged before the levels */
    int queued;
    int work_tasks; /* the most tasks that a group takes from the queue */
} tiled_sort_run;

/* ---- operands ----------------------------------------------------------------------------------------------- */

/* Returns 1 where the call must make head bits, since kernels know segments only in this form. */
static int makes_heads(const mcl__tiled_sort *plan)
{
    return plan->segmented && plan->segments.kind != MCL_SEGMENT_FLAGS;
}

static void give_segments(tiled_sort_run *sort)
{
    mcl_segments *const segments = &sort->plan.segments;
    mcl__call *const call = &sort->call;
    sort->heads = makes_heads(&sort->plan) ? mcl_from_buffer(MCL_UINT32, NULL, 0, 0) : segments->input;
    call->operands[HEADS].input = &sort->heads;
    if (makes_heads(&sort->plan))
        call->operands[segments->kind == MCL_SEGMENT_INDICES ? INDICES : OFFSETS].input = &segments->input;
}

static void give_operands(tiled_sort_run *sort)
{
    mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    call->operands[KEYS].input = &plan->keys;
    call->operands[BEFORE].op = plan->before;
    call->operands[OUT].output = &plan->out;
    if (plan->segmented) give_segments(sort);
    if (!plan->has_values) return;
    call->has_values = 1;
    if (!plan->makes_indices) call->operands[VALUES].input = &plan->values;
    call->operands[OUT_VALUES].output = &plan->out_values;
}

/* Makes the keys' indices the values of a call of mcl_segmented_sort_indices. If the sorted keys have no output, they
 * go to scratch. */
static void give_indices(tiled_sort_run *sort)
{
    mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    const int64_t zero = 0;
    const mcl_type *const index = mcl__same_type(plan->out_values.type, MCL_INT64) ? MCL_INT64 : MCL_INT32;
    call->own = NULL;
    plan->values = mcl_from_counting(index, &zero, plan->keys.count);
    call->operands[VALUES].input = &plan->values;
    plan->drops_keys = mcl__is_left_out(&plan->out);
    if (plan->drops_keys) plan->out = (mcl_output){ .type = call->types[KEY] };
}

/* Gives the call the arrays of the levels, with the types of the checked operands. */
static void give_arrays(tiled_sort_run *sort)
{
    mcl__call *const call = &sort->call;
    sort->array = mcl_from_buffer(call->types[KEY], NULL, 0, 0);
    call->operands[A].input = &sort->array;
    call->operands[SPARE].scratch = call->types[KEY];
    if (!call->has_values) return;
    sort->array_values = mcl_from_buffer(call->types[VALUE], NULL, 0, 0);
    call->operands[A_VALUES].input = &sort->array_values;
    call->operands[SPARE_VALUES].scratch = call->types[VALUE];
}

static mcl_status check_operands(tiled_sort_run *sort)
{
    mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    if (plan->segmented) MCL__TRY(mcl__segments_check(&plan->segments));
    MCL__TRY(mcl__call_check(call));
    if (plan->segmented) mcl__segments_leave_out_rows(&plan->segments, plan->keys.count);
    if (sort->plan.report) MCL__TRY(mcl__check_unrecorded(call->queue, "a report", "report to be NULL"));
    if (plan->stability != MCL_STABLE && plan->stability != MCL_UNSTABLE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "stability is %d; expected MCL_UNSTABLE or MCL_STABLE",
                         (int)plan->stability);
    if ((int)plan->origin != MCL_INDEX_IN_SEQUENCE && (int)plan->origin != MCL_INDEX_IN_SEGMENT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "origin is %d; expected MCL_INDEX_IN_SEQUENCE or MCL_INDEX_IN_SEGMENT",
                         (int)plan->origin);
    call->room[OUT] = call->room[OUT_VALUES] = plan->keys.count;
    return mcl__call_ready(call);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

/* Returns the parameter for resident work-items. It depends on the bytes of keys that a work-item holds in
 * registers. */
static mcl__parameter resident(const mcl__tiled_sort *plan, mcl__tile tile)
{
    const size_t bytes = (size_t)tile.items * mcl__staged_bytes(plan->keys.type);
    return bytes <= 64    ? MCL__PARAMETER_segmented_sort_resident_64
           : bytes <= 104 ? MCL__PARAMETER_segmented_sort_resident_104
           : bytes <= 136 ? MCL__PARAMETER_segmented_sort_resident_136
                          : MCL__PARAMETER_segmented_sort_resident_more;
}

/* Defines the length of the runs that a work-item sorts before it merges them. */
static void define_runs(mcl__call *call, const mcl__tiled_sort *plan)
{
    mcl__call_define(call, "BASE_RUN", plan->keys.type->size > 8 ? 8 : 16);
    mcl__call_define(call, "BASE_COLUMNS", mcl__tiled_sort_by_vectors(plan) ? 4 : 1);
    mcl__tiled_sort_define_short(call, plan);
}

static mcl_status get_program(tiled_sort_run *sort)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    const mcl_context *const context = call->queue->context;
    const mcl__tile tile = mcl__call_choose_tile(call, mcl__tiled_sort_operation(plan), mcl__tiled_sort_need(plan));
    call->passes = MCL__BIT(TILES) | MCL__BIT(LEVEL) | MCL__BIT(PLAN) | MCL__BIT(WORK);
    if (plan->segmented) call->passes |= MCL__BIT(SEAMS) | MCL__BIT(WIDE_SEAMS);
    sort->work_tasks = (int)mcl__tuned(context, MCL__PARAMETER_segmented_sort_work_tasks);
    if (plan->origin == MCL_INDEX_IN_SEGMENT) call->passes |= MCL__BIT(RANKS);
    mcl__call_define(call, "VALUES_ARE_INDICES", plan->makes_indices);
    mcl__call_define(call, "KEYS_DROPPED", plan->drops_keys);
    mcl__call_define(call, "INDICES_IN_SEGMENTS", plan->origin == MCL_INDEX_IN_SEGMENT);
    mcl__call_define(call, "STABLE", plan->stability == MCL_STABLE && !mcl__order_is_hidden(plan));
    mcl__call_define(call, "WORK_TASKS", sort->work_tasks);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(context, resident(plan, tile)));
    if (tile.threads == 1) define_runs(call, plan);
    return mcl__call_program(call, tile, mcl__index_bits(plan->keys.count, call->options));
}

/* ---- the plan ----------------------------------------------------------------------------------------------- */

static int levels_of(int64_t tiles)
{
    int levels = 0;
    while (((int64_t)1 << levels) < tiles) ++levels;
    return levels;
}

static size_t range_bytes(const tiled_sort_run *sort)
{
    return HEAD_RANGE_BYTES((size_t)sort->call.spec.index_bits / 8);
}

static void plan_levels(tiled_sort_run *sort)
{
    const mcl_context *const context = sort->call.queue->context;
    const mcl__limits *const limits = &context->limits;
    sort->tile = mcl__call_tile_size(&sort->call);
    sort->tiles = mcl__divide_up(sort->plan.keys.count, sort->tile);
    sort->mends = sort->plan.segmented && limits->mends_seams;
    sort->levels = levels_of(sort->tiles);
    if (sort->mends) sort->levels += sort->levels % 2;
    for (int level = 0; level <= sort->levels; ++level) sort->ranges_length += (sort->tiles >> level) + 1;
    sort->queued = !mcl__call_is_serial(&sort->call) && limits->loop_budget == 0 &&
                   mcl__call_pass_threads(&sort->call, PLAN) > 1 &&
                   sort->tiles > mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_sort_direct_tiles);
}

/* Asks for scratch. If a single group sorts all keys, no spare array is needed. */
static mcl_status need_scratch(tiled_sort_run *sort)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    const size_t count = (size_t)plan->keys.count, tiles = (size_t)sort->tiles;
    const int alternates = sort->levels > 0 || mcl__call_is_serial(call);
    call->scalars[COUNTER_COUNT] = COUNT_LEVELS + sort->levels * COUNTS_A_LEVEL;
    call->scalars[REPORTS] = plan->report != NULL;
    call->scalars[MENDED] = sort->mends;
    call->scalars[QUEUE_LENGTH] = sort->tiles;
    mcl__sort_need_arrays(call, KEYS_HOME, KEYS_SPARE, count * call->types[KEY]->size,
                          plan->drops_keys ? NULL : &plan->out, alternates);
    if (plan->has_values)
        mcl__sort_need_arrays(call, VALUES_HOME, VALUES_SPARE, count * call->types[VALUE]->size, &plan->out_values,
                              alternates);
    mcl__call_scratch(call, ALL_RANGES, (size_t)sort->ranges_length * range_bytes(sort));
    mcl__call_scratch(call, SAME, tiles * sizeof(uint32_t));
    mcl__call_scratch(call, OPEN, sort->mends ? tiles * sizeof(uint32_t) : 0);
    mcl__call_scratch(call, COUNTERS, (size_t)call->scalars[COUNTER_COUNT] * sizeof(uint32_t));
    mcl__call_scratch(call, QUEUE, sort->queued ? tiles * LIST_TILE_BYTES((size_t)call->spec.index_bits / 8) : 0);
    if (!makes_heads(plan)) return MCL_OK;
    MCL__TRY(mcl__heads_plan(call->queue, &sort->plan.segments, plan->keys.count, call->options, &sort->made));
    mcl__call_scratch_of_part(call, &sort->made);
    return MCL_OK;
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Makes the next launches store to HOME, or to SPARE where side is 1. */
static void turn(mcl__call *call, int side)
{
    mcl__call_put(call, OUT, call->scratch[KEYS_HOME + side].span);
    mcl__call_put(call, SPARE, call->scratch[KEYS_SPARE - side].span);
    mcl__call_put(call, OUT_VALUES, call->scratch[VALUES_HOME + side].span);
    mcl__call_put(call, SPARE_VALUES, call->scratch[VALUES_SPARE - side].span);
}

static mcl_status launch_seams(tiled_sort_run *sort)
{
    mcl__call *const call = &sort->call;
    const int all = mcl__call_tile(call).threads;
    const int few = mcl__call_pass_threads(call, SEAMS);
    MCL__TRY(mcl__call_launch(call, SEAMS, sort->tiles - 1));
    return few == all ? MCL_OK : mcl__call_launch(call, WIDE_SEAMS, sort->tiles - 1);
}

/* Launches a level, which merges lists of 1 << level tiles. */
static mcl_status launch_level(tiled_sort_run *sort, int level)
{
    mcl__call *const call = &sort->call;
    call->scalars[LEVEL_NUMBER] = level;
    if (!sort->queued) return mcl__call_launch(call, LEVEL, sort->tiles);
    const int planned = mcl__call_pass_threads(call, PLAN) - 1; /* number of tiles that a group plans */
    MCL__TRY(mcl__call_launch(call, PLAN, mcl__divide_up(sort->tiles, planned)));
    return mcl__call_launch(call, WORK, mcl__divide_up(sort->tiles, sort->work_tasks));
}

static mcl_status launch_sort(tiled_sort_run *sort)
{
    mcl__call *const call = &sort->call;
    int side = sort->mends ? 0 : sort->levels % 2;
    mcl__span ranges = call->scratch[ALL_RANGES].span;
    if (sort->tiles == 0) return MCL_OK;
    turn(call, side);
    mcl__call_scratch_at(call, RANGES, ranges);
    MCL__TRY(mcl__call_launch(call, TILES, sort->tiles));
    if (sort->mends && sort->levels > 0) MCL__TRY(launch_seams(sort));
    for (int level = 0; level < sort->levels; ++level) {
        side = !side;
        turn(call, side);
        mcl__call_scratch_at(call, RANGES, ranges);
        ranges.offset += (size_t)((sort->tiles >> level) + 1) * range_bytes(sort);
        mcl__call_scratch_at(call, PARENTS, ranges);
        MCL__TRY(launch_level(sort, level));
    }
    if (!mcl__call_has_pass(call, RANKS)) return MCL_OK;
    mcl__call_scratch_at(call, RANGES, call->scratch[ALL_RANGES].span);
    return mcl__call_launch(call, RANKS, sort->tiles);
}

/* ---- reports ------------------------------------------------------------------------------------------------ */

static mcl_status read_report(const tiled_sort_run *sort)
{
    const mcl__call *const call = &sort->call;
    const mcl__span from = call->scratch[COUNTERS].span;
    mcl_sort_report *const report = sort->plan.report;
    uint32_t counters[COUNT_LEVELS + MCL_SORT_PASSES_MAX * COUNTS_A_LEVEL] = { 0 };
    *report = (mcl_sort_report){ .tile = sort->tile, .pass_count = sort->levels };
    if (sort->tiles == 0 || call->queue->preparing) return MCL_OK;
    MCL__TRY(call->queue->context->backend->read(call->queue, from.buffer, from.offset,
                                                 (size_t)call->scalars[COUNTER_COUNT] * sizeof *counters, counters, 1));
    report->tiles = counters[COUNT_TILES];
    report->mended = counters[COUNT_MENDED];
    for (int pass = 0; pass < sort->levels; ++pass) {
        const uint32_t *const counts = counters + COUNT_LEVELS + pass * COUNTS_A_LEVEL;
        report->merge_tiles[pass] = counts[COUNT_MERGES];
        report->copy_tiles[pass] = counts[COUNT_COPIES];
    }
    return MCL_OK;
}

static mcl_status run_sort(tiled_sort_run *sort)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    int is_done = 0;
    give_operands(sort);
    MCL__TRY(check_operands(sort));
    if (plan->makes_indices) give_indices(sort);
    if (plan->segmented) MCL__TRY(mcl__row_sort(call->queue, plan, call->options, &is_done));
    if (is_done) return MCL_OK;
    give_arrays(sort);
    MCL__TRY(get_program(sort));
    MCL__TRY(mcl__check_tiles(plan->keys.count, mcl__call_tile_size(call)));
    plan_levels(sort);
    MCL__TRY(need_scratch(sort));
    MCL__TRY(mcl__call_begin(call));
    if (makes_heads(plan)) MCL__TRY(mcl__heads_launch(&sort->made, &sort->heads));
    MCL__TRY(launch_sort(sort));
    MCL__TRY(mcl__call_end(call));
    return plan->report ? read_report(sort) : MCL_OK;
}

mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options)
{
    tiled_sort_run *sort = NULL;
    if (plan->function) mcl__function_is(plan->function);
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl__call_init(&sort->call, &tiled_sort, plan->function, queue, options);
    if (plan->makes_indices) sort->call.own = index_operands;
    sort->plan = *plan;
    const mcl_status status = run_sort(sort);
    free(sort);
    return status;
}
