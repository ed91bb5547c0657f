/* tiled_sort.c: sorts tiles, then merges lists of tiles level by level. It leaves alone what needs no move. Kernels:
 * cl/kernels/sort/segmented_sort.cl, whose head comment names the passes.
 * Two arrays hold the lists by turns: the caller's output and a spare one in scratch. With segments the tiles are
 * sorted into the output. A tile stays there if no longer segment reaches into it, so the number of levels is made
 * even. Without segments the tiles are sorted into the array from which the last level leads to the output. */
#include "operations/sort/tiled_sort.h"

#include "call/run.h"
#include "facts/segmented_sort.h"

#include <stdlib.h>

/* Operands. OFFSETS, INDICES, HEADS: segments as they are given; the kernels see HEADS, the others become them. A: an
 * array of keys. */
enum { KEYS = 1, OFFSETS, INDICES, HEADS, VALUES, BEFORE, OUT, OUT_VALUES, A, A_VALUES, SPARE, SPARE_VALUES };
enum { KEY = 1, VALUE };                                             /* groups of types */
enum { TILES, SEAMS, WIDE_SEAMS, LEVEL, PLAN, WORK, RANKS };         /* passes */
enum { COUNTER_COUNT, REPORTS, LEVEL_NUMBER, MENDED, QUEUE_LENGTH }; /* numbers */
/* Scratch. Two arrays of keys and two of values, between which levels alternate. Heads: of all lists, of a level's
 * lists, of the next level's lists. A tile's marks; counters; tasks. */
enum { KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE, ALL_RANGES, RANGES, PARENTS, SAME, OPEN, COUNTERS, QUEUE };

#define ARRAYS MCL__OF + OUT, MCL__OF + SPARE, MCL__OF + OUT_VALUES, MCL__OF + SPARE_VALUES
#define SEAM_WORDS                                                                                                     \
    { MCL__ENV,          MCL__OF + KEYS, ARRAYS, MCL__PIECE + RANGES, MCL__PIECE + OPEN, MCL__PIECE + COUNTERS,        \
      MCL__INT + REPORTS }
#define LEVEL_WORDS                                                                                                    \
    MCL__ENV, MCL__OF + KEYS, ARRAYS, MCL__PIECE + RANGES, MCL__PIECE + PARENTS, MCL__PIECE + SAME, MCL__PIECE + OPEN, \
        MCL__PIECE + COUNTERS, MCL__INT + LEVEL_NUMBER, MCL__INT + MENDED

/* clang-format off */
#define READ_OPERANDS                                                                                                  \
    [KEYS] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY },                                               \
    [OFFSETS] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .offsets_of = KEYS, .unused = 1 },           \
    [INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = KEYS, .unused = 1 },           \
    [HEADS] = { "heads", .kind = MCL__INPUT, .said = "segments", .types = MCL__FLAGS },                                \
    [VALUES] = { "in_values", .kind = MCL__INPUT, .said = "values", .group = VALUE, .as_many = KEYS },                 \
    [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS }
/* clang-format on */

/* The operands that a call for indices is checked by. Its passes are those of a sort of pairs. */
static const mcl__declaration tiled_sort_indices = {
    .operands = { READ_OPERANDS,
                  [OUT] = { "out_keys", .kind = MCL__OUTPUT, .group = KEY, .in_place = MCL__BIT(KEYS), .arrays_only = 1,
                            .optional = 1 },
                  [OUT_VALUES] = { "out_indices", .kind = MCL__OUTPUT, .types = MCL__INDICES, .group = VALUE,
                                   .indexes = KEYS } },
};

static const mcl__declaration tiled_sort = {
    .file = "kernels/sort/segmented_sort.cl",
    .types = { [KEY] = "key" },
    .aliased = 1,
    .operands = {
        READ_OPERANDS,
        [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY, .in_place = MCL__BIT(KEYS), .arrays_only = 1 },
        [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE, .in_place = MCL__BIT(VALUES),
                         .arrays_only = 1 },
        [A] = { "a", .kind = MCL__INPUT },
        [A_VALUES] = { "a_values", .kind = MCL__INPUT },
        [SPARE] = { "spare", .kind = MCL__SCRATCH },
        [SPARE_VALUES] = { "spare_values", .kind = MCL__SCRATCH },
    },
    .pieces = { [RANGES] = { "ranges", "head_range" }, [PARENTS] = { "parents", "head_range" },
                [SAME] = { "same", "uint" }, [OPEN] = { "open", "uint" }, [COUNTERS] = { "counters", "uint" },
                [QUEUE] = { "queue", "list_tile" } },
    .numbers = { [COUNTER_COUNT] = "counter_count", [REPORTS] = "counts", [LEVEL_NUMBER] = "level",
                 [MENDED] = "mended", [QUEUE_LENGTH] = "queue_length" },
    .passes = {
        [TILES] = { "sort_tiles", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + VALUES, MCL__OF + HEADS, ARRAYS,
                                             MCL__PIECE + RANGES, MCL__PIECE + SAME, MCL__PIECE + COUNTERS,
                                             MCL__INT + COUNTER_COUNT } },
        [SEAMS] = { "sort_seams", SEAM_THREADS_MAX, "SEAM_THREADS", .words = SEAM_WORDS },
        [WIDE_SEAMS] = { "sort_wide_seams", .words = SEAM_WORDS },
        [LEVEL] = { "sort_level", .words = { LEVEL_WORDS } },
        [PLAN] = { "sort_plan", PLAN_THREADS_MAX, "PLAN_THREADS",
                   .words = { LEVEL_WORDS, MCL__PIECE + QUEUE, MCL__INDEX + QUEUE_LENGTH } },
        [WORK] = { "sort_work", .words = { MCL__ENV, ARRAYS, MCL__PIECE + COUNTERS, MCL__INT + LEVEL_NUMBER,
                                           MCL__PIECE + QUEUE, MCL__INDEX + QUEUE_LENGTH } },
        [RANKS] = { "sort_ranks", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + HEADS, ARRAYS, MCL__PIECE + RANGES,
                                             MCL__INDEX + QUEUE_LENGTH } },
    },
};

/* One call. inputs and outputs are its operands; array, array_values and heads are inputs by their types alone. */
typedef struct tiled_sort_run {
    mcl__run run;
    mcl__tiled_sort call;
    mcl_input array, array_values, heads;
    mcl__run made; /* makes heads of offsets, begins or indices */
    int64_t tile, tiles, ranges_length;
    int levels; /* that are launched */
    int mends;  /* short segments are merged before the levels */
    int queued;
    int work_tasks; /* of the queue, that a group does */
} tiled_sort_run;

/* ---- operands ----------------------------------------------------------------------------------------------- */

/* The kernels see head bits. 1: they are made of what the call gives. */
static int makes_heads(const mcl__tiled_sort *call)
{
    return call->segmented && call->segments.kind != MCL_SEGMENT_FLAGS;
}

static void give_segments(tiled_sort_run *sort)
{
    mcl_segments *const segments = &sort->call.segments;
    mcl__run *const run = &sort->run;
    sort->heads = makes_heads(&sort->call) ? mcl_from_buffer(MCL_UINT32, NULL, 0, 0) : segments->input;
    run->given[HEADS].input = &sort->heads;
    if (makes_heads(&sort->call))
        run->given[segments->kind == MCL_SEGMENT_INDICES ? INDICES : OFFSETS].input = &segments->input;
}

static void give_operands(tiled_sort_run *sort)
{
    mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    run->given[KEYS].input = &call->keys;
    run->given[BEFORE].op = call->before;
    run->given[OUT].output = &call->out;
    if (call->segmented) give_segments(sort);
    if (!call->has_values) return;
    run->has_values = 1;
    if (!call->makes_indices) run->given[VALUES].input = &call->values;
    run->given[OUT_VALUES].output = &call->out_values;
}

/* The values are the keys' indices. Keys that are not wanted lie in scratch. */
static void give_indices(tiled_sort_run *sort)
{
    mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    const int64_t zero = 0;
    const mcl_type *const index = mcl__same_type(call->out_values.type, MCL_INT64) ? MCL_INT64 : MCL_INT32;
    run->declaration = &tiled_sort;
    call->values = mcl_from_counting(index, &zero, call->keys.count);
    run->given[VALUES].input = &call->values;
    call->drops_keys = mcl__is_left_out(&call->out);
    if (call->drops_keys) call->out = (mcl_output){ .type = run->types[KEY] };
}

/* The arrays of the levels have the types of the operands, which have been checked. */
static void give_arrays(tiled_sort_run *sort)
{
    mcl__run *const run = &sort->run;
    sort->array = mcl_from_buffer(run->types[KEY], NULL, 0, 0);
    run->given[A].input = &sort->array;
    run->given[SPARE].scratch = run->types[KEY];
    if (!run->has_values) return;
    sort->array_values = mcl_from_buffer(run->types[VALUE], NULL, 0, 0);
    run->given[A_VALUES].input = &sort->array_values;
    run->given[SPARE_VALUES].scratch = run->types[VALUE];
}

static mcl_status check_operands(tiled_sort_run *sort)
{
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    if (call->segmented) MCL__TRY(mcl__segments_check(&call->segments));
    MCL__TRY(mcl__run_check(run));
    if (sort->call.report) MCL__TRY(mcl__check_unrecorded(run->queue, "a report", "report to be NULL"));
    if (call->stability != MCL_STABLE && call->stability != MCL_UNSTABLE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "stability is %d; expected MCL_UNSTABLE or MCL_STABLE",
                         (int)call->stability);
    if ((int)call->origin != MCL_INDEX_IN_SEQUENCE && (int)call->origin != MCL_INDEX_IN_SEGMENT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "origin is %d; expected MCL_INDEX_IN_SEQUENCE or MCL_INDEX_IN_SEGMENT",
                         (int)call->origin);
    run->room[OUT] = run->room[OUT_VALUES] = call->keys.count;
    return mcl__run_ready(run);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

mcl__operation mcl__tiled_sort_operation(const mcl__tiled_sort *call)
{
    static const mcl__operation operations[2][2] = {
        { MCL__OPERATION_locality_sort, MCL__OPERATION_locality_sort_pairs },
        { MCL__OPERATION_segmented_sort, MCL__OPERATION_segmented_sort_pairs },
    };
    return operations[call->segmented != 0][call->has_values != 0];
}

mcl__tile_need mcl__tiled_sort_need(const mcl__tiled_sort *call)
{
    const size_t key = mcl__staged_bytes(call->keys.type);
    const size_t value = call->has_values ? mcl__staged_bytes(call->values.type) : 0;
    const size_t wider = key > value ? key : value;
    const size_t kept = wider + (call->has_values ? sizeof(uint16_t) : 0);
    return (mcl__tile_need){
        .element_bytes = wider,
        .local_bytes_per_item = kept,
        /* a word a work-item, tasks, and what a last share of a merge runs on by */
        .local_bytes_fixed = 4096 + 256 + 32 * kept,
    };
}

int mcl__order_is_hidden(const mcl__tiled_sort *call)
{
    const mcl_type *type = call->keys.type;
    return !call->has_values && mcl__is_integer(type) &&
           (mcl__same_op(call->before, MCL_LESS) || mcl__same_op(call->before, MCL_GREATER));
}

/* Chooses by the bytes of a work-item's keys, which it holds in registers. */
static mcl__parameter resident(const mcl__tiled_sort *call, mcl__tile tile)
{
    const size_t bytes = (size_t)tile.items * mcl__staged_bytes(call->keys.type);
    return bytes <= 64    ? MCL__PARAMETER_segmented_sort_resident_64
           : bytes <= 104 ? MCL__PARAMETER_segmented_sort_resident_104
           : bytes <= 136 ? MCL__PARAMETER_segmented_sort_resident_136
                          : MCL__PARAMETER_segmented_sort_resident_more;
}

static mcl_status get_program(tiled_sort_run *sort)
{
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    const mcl_context *const context = run->queue->context;
    const mcl__tile tile = mcl__run_choose_tile(run, mcl__tiled_sort_operation(call), mcl__tiled_sort_need(call));
    run->passes = MCL__BIT(TILES) | MCL__BIT(LEVEL) | MCL__BIT(PLAN) | MCL__BIT(WORK);
    if (call->segmented) run->passes |= MCL__BIT(SEAMS) | MCL__BIT(WIDE_SEAMS);
    sort->work_tasks = (int)mcl__tuned(context, MCL__PARAMETER_segmented_sort_work_tasks);
    if (call->origin == MCL_INDEX_IN_SEGMENT) run->passes |= MCL__BIT(RANKS);
    mcl__run_define(run, "VALUES_ARE_INDICES", call->makes_indices);
    mcl__run_define(run, "KEYS_DROPPED", call->drops_keys);
    mcl__run_define(run, "INDICES_IN_SEGMENTS", call->origin == MCL_INDEX_IN_SEGMENT);
    mcl__run_define(run, "STABLE", call->stability == MCL_STABLE && !mcl__order_is_hidden(call));
    mcl__run_define(run, "WORK_TASKS", sort->work_tasks);
    mcl__run_define(run, "RESIDENT", (int)mcl__tuned(context, resident(call, tile)));
    return mcl__run_program(run, tile, mcl__index_bits(call->keys.count, run->options));
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
    return HEAD_RANGE_BYTES((size_t)sort->run.spec.index_bits / 8);
}

static void plan_levels(tiled_sort_run *sort)
{
    const mcl_context *const context = sort->run.queue->context;
    const mcl__limits *const limits = &context->limits;
    sort->tile = mcl__run_tile_size(&sort->run);
    sort->tiles = mcl__divide_up(sort->call.keys.count, sort->tile);
    sort->mends = sort->call.segmented && limits->mends_seams;
    sort->levels = levels_of(sort->tiles);
    if (sort->mends) sort->levels += sort->levels % 2;
    for (int level = 0; level <= sort->levels; ++level) sort->ranges_length += (sort->tiles >> level) + 1;
    sort->queued = !mcl__run_is_serial(&sort->run) && limits->loop_budget == 0 &&
                   mcl__run_pass_threads(&sort->run, PLAN) > 1 &&
                   sort->tiles > mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_sort_direct_tiles);
}

/* A single tile that a group sorts needs no spare array. */
static mcl_status need_scratch(tiled_sort_run *sort)
{
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    const size_t count = (size_t)call->keys.count, tiles = (size_t)sort->tiles;
    const int alternates = sort->levels > 0 || mcl__run_is_serial(run);
    run->numbers[COUNTER_COUNT] = COUNT_LEVELS + sort->levels * COUNTS_A_LEVEL;
    run->numbers[REPORTS] = call->report != NULL;
    run->numbers[MENDED] = sort->mends;
    run->numbers[QUEUE_LENGTH] = sort->tiles;
    mcl__sort_need_arrays(run, KEYS_HOME, KEYS_SPARE, count * run->types[KEY]->size,
                          call->drops_keys ? NULL : &call->out, alternates);
    if (call->has_values)
        mcl__sort_need_arrays(run, VALUES_HOME, VALUES_SPARE, count * run->types[VALUE]->size, &call->out_values,
                              alternates);
    mcl__run_need(run, ALL_RANGES, (size_t)sort->ranges_length * range_bytes(sort));
    mcl__run_need(run, SAME, tiles * sizeof(uint32_t));
    mcl__run_need(run, OPEN, sort->mends ? tiles * sizeof(uint32_t) : 0);
    mcl__run_need(run, COUNTERS, (size_t)run->numbers[COUNTER_COUNT] * sizeof(uint32_t));
    mcl__run_need(run, QUEUE, sort->queued ? tiles * LIST_TILE_BYTES((size_t)run->spec.index_bits / 8) : 0);
    if (!makes_heads(call)) return MCL_OK;
    MCL__TRY(mcl__heads_plan(run->queue, &sort->call.segments, call->keys.count, run->options, &sort->made));
    mcl__run_need_part(run, &sort->made);
    return MCL_OK;
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Makes the next launches store to HOME, or to SPARE where side is 1. */
static void turn(mcl__run *run, int side)
{
    mcl__run_put(run, OUT, run->pieces[KEYS_HOME + side].span);
    mcl__run_put(run, SPARE, run->pieces[KEYS_SPARE - side].span);
    mcl__run_put(run, OUT_VALUES, run->pieces[VALUES_HOME + side].span);
    mcl__run_put(run, SPARE_VALUES, run->pieces[VALUES_SPARE - side].span);
}

static mcl_status launch_seams(tiled_sort_run *sort)
{
    mcl__run *const run = &sort->run;
    const int all = mcl__run_tile(run).threads;
    const int few = mcl__run_pass_threads(run, SEAMS);
    MCL__TRY(mcl__run_launch(run, SEAMS, sort->tiles - 1));
    return few == all ? MCL_OK : mcl__run_launch(run, WIDE_SEAMS, sort->tiles - 1);
}

/* Merges lists of 1 << level tiles. */
static mcl_status launch_level(tiled_sort_run *sort, int level)
{
    mcl__run *const run = &sort->run;
    run->numbers[LEVEL_NUMBER] = level;
    if (!sort->queued) return mcl__run_launch(run, LEVEL, sort->tiles);
    const int planned = mcl__run_pass_threads(run, PLAN) - 1; /* tiles of a group */
    MCL__TRY(mcl__run_launch(run, PLAN, mcl__divide_up(sort->tiles, planned)));
    return mcl__run_launch(run, WORK, mcl__divide_up(sort->tiles, sort->work_tasks));
}

static mcl_status launch_sort(tiled_sort_run *sort)
{
    mcl__run *const run = &sort->run;
    int side = sort->mends ? 0 : sort->levels % 2;
    mcl__span ranges = run->pieces[ALL_RANGES].span;
    if (sort->tiles == 0) return MCL_OK;
    turn(run, side);
    mcl__run_give(run, RANGES, ranges);
    MCL__TRY(mcl__run_launch(run, TILES, sort->tiles));
    if (sort->mends && sort->levels > 0) MCL__TRY(launch_seams(sort));
    for (int level = 0; level < sort->levels; ++level) {
        side = !side;
        turn(run, side);
        mcl__run_give(run, RANGES, ranges);
        ranges.offset += (size_t)((sort->tiles >> level) + 1) * range_bytes(sort);
        mcl__run_give(run, PARENTS, ranges);
        MCL__TRY(launch_level(sort, level));
    }
    if (!mcl__run_has_pass(run, RANKS)) return MCL_OK;
    mcl__run_give(run, RANGES, run->pieces[ALL_RANGES].span);
    return mcl__run_launch(run, RANKS, sort->tiles);
}

/* ---- reports ------------------------------------------------------------------------------------------------ */

static mcl_status read_report(const tiled_sort_run *sort)
{
    const mcl__run *const run = &sort->run;
    const mcl__span from = run->pieces[COUNTERS].span;
    mcl_sort_report *const report = sort->call.report;
    uint32_t counters[COUNT_LEVELS + MCL_SORT_PASSES_MAX * COUNTS_A_LEVEL] = { 0 };
    *report = (mcl_sort_report){ .tile = sort->tile, .pass_count = sort->levels };
    if (sort->tiles == 0 || run->queue->preparing) return MCL_OK;
    MCL__TRY(run->queue->context->backend->read(run->queue, from.buffer, from.offset,
                                                (size_t)run->numbers[COUNTER_COUNT] * sizeof *counters, counters, 1));
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
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    int is_done = 0;
    give_operands(sort);
    MCL__TRY(check_operands(sort));
    if (call->makes_indices) give_indices(sort);
    if (call->segmented) MCL__TRY(mcl__row_sort(run->queue, call, run->options, &is_done));
    if (is_done) return MCL_OK;
    give_arrays(sort);
    MCL__TRY(get_program(sort));
    MCL__TRY(mcl__check_tiles(call->keys.count, mcl__run_tile_size(run)));
    plan_levels(sort);
    MCL__TRY(need_scratch(sort));
    MCL__TRY(mcl__run_begin(run));
    if (makes_heads(call)) MCL__TRY(mcl__heads_launch(&sort->made, &sort->heads));
    MCL__TRY(launch_sort(sort));
    MCL__TRY(mcl__run_end(run));
    return call->report ? read_report(sort) : MCL_OK;
}

mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *call, const mcl_options *options)
{
    const mcl__declaration *const checked_by = call->makes_indices ? &tiled_sort_indices : &tiled_sort;
    tiled_sort_run *sort = NULL;
    if (call->function) mcl__function_is(call->function);
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl__run_init(&sort->run, checked_by, call->function, queue, options);
    sort->call = *call;
    const mcl_status status = run_sort(sort);
    free(sort);
    return status;
}
