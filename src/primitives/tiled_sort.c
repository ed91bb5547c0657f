/* tiled_sort.c: sorts tiles, then merges lists of tiles level by level, and leaves alone what is in its place. Kernels:
 * cl/kernels/segmented_sort.cl, whose head comment names the passes.
 * Two arrays hold the lists by turns: the caller's output and a spare one in scratch. With segments the tiles are
 * sorted into the output, where those stay that no longer segment reaches into; so the number of levels is made even.
 * Without, they are sorted into the array from which the last level leads to the output. */
#include "call/gate.h"
#include "facts/segmented_sort.h"
#include "primitives/tiled_sort.h"

enum { TILES, SEAMS, WIDE_SEAMS, LEVEL, PLAN, WORK };

enum { WORK_TASKS = 3 }; /* index of the define */

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* The kernels see head bits. 1: they are made of what the call gives. */
static int makes_heads(const mcl__tiled_sort *call)
{
    return call->segmented && call->segments.kind != MCL_SEGMENT_FLAGS;
}

static const char *out_name(const mcl__tiled_sort *call)
{
    return call->has_values ? "out_keys" : "out";
}

/* An output against what is read; own: the input that it may be in place of. */
static mcl_status sort_check_output(const mcl__tiled_sort *call, const char *name, const mcl_output *out,
                                    const mcl_input *own)
{
    const char *const function = call->function;
    const int64_t count = call->keys.count;
    MCL__TRY(mcl__check_room(function, name, out, count));
    MCL__TRY(mcl__check_op_overlap(function, "before", call->before, name, out, count));
    if (call->segmented) MCL__TRY(mcl__check_no_overlap(function, "segments", &call->segments.input, name, out, count));
    const mcl_input *const inputs[] = { &call->keys, &call->values };
    const char *const names[] = { "keys", "values" };
    for (int k = 0; k <= call->has_values; ++k)
        MCL__TRY(inputs[k] == own && !own->expression
                     ? mcl__check_in_place(function, names[k], inputs[k], name, out, count)
                     : mcl__check_no_overlap(function, names[k], inputs[k], name, out, count));
    return MCL_OK;
}

static mcl_status sort_check_values(const mcl__tiled_sort *call)
{
    MCL__TRY(sort_check_output(call, "out_values", &call->out_values, &call->values));
    if (!mcl__same_type(call->values.type, call->out_values.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values are %s and out_values %s; expected one type", call->function,
                         call->values.type->name, call->out_values.type->name);
    MCL__TRY(mcl__check_as_many(call->function, "values", &call->values, "keys", call->keys.count));
    const mcl_input written = mcl_from_buffer(call->out.type, call->out.buffer, call->out.offset, call->keys.count);
    return mcl__check_no_overlap(call->function, "out_keys", &written, "out_values", &call->out_values,
                                 call->keys.count);
}

static mcl_status sort_check(const mcl_queue *queue, const mcl__tiled_sort *call, const mcl_options *options)
{
    const int pairs = call->has_values;
    mcl__given operands[8] = {
        { "keys", .input = &call->keys },
        { "before", .op = call->before, .use = MCL__ORDER, .of = &call->keys },
        { out_name(call), .output = &call->out },
    };
    mcl__given *next = operands + 3;
    if (call->segmented) MCL__TRY(mcl__segments_check(call->function, &call->segments));
    if (call->segmented)
        *next++ =
            (mcl__given){ "segments", .input = &call->segments.input, .types = mcl__segments_types(&call->segments) };
    if (pairs) {
        *next++ = (mcl__given){ "values", .input = &call->values };
        *next++ = (mcl__given){ "out_values", .output = &call->out_values };
    }
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    if (call->stability != MCL_STABLE && call->stability != MCL_UNSTABLE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: stability is %d; expected MCL_UNSTABLE or MCL_STABLE", call->function,
                         (int)call->stability);
    MCL__TRY(sort_check_output(call, out_name(call), &call->out, &call->keys));
    if (!mcl__same_type(call->keys.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: keys are %s and %s %s; expected one type", call->function,
                         call->keys.type->name, out_name(call), call->out.type->name);
    return pairs ? sort_check_values(call) : MCL_OK;
}

static mcl_status sort_validate(mcl_queue *queue, const mcl__tiled_sort *call, const mcl_options *options)
{
    const mcl_segments *const segments = &call->segments;
    if (!makes_heads(call)) return MCL_OK;
    if (segments->kind != MCL_SEGMENT_INDICES)
        MCL__TRY(mcl__validate_sorted(queue, call->function, "segments", &segments->input, MCL_LESS, options));
    return mcl__validate_range(queue, call->function, "segments", &segments->input, 0, call->keys.count, options);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static mcl__tile sort_tile_for(const mcl_context *context, const mcl__tiled_sort *call, const mcl_options *options)
{
    static const mcl__operation operations[2][2] = {
        { MCL__OPERATION_locality_sort, MCL__OPERATION_locality_sort_pairs },
        { MCL__OPERATION_segmented_sort, MCL__OPERATION_segmented_sort_pairs },
    };
    const size_t key = mcl__staged_bytes(call->keys.type);
    const size_t value = call->has_values ? mcl__staged_bytes(call->values.type) : 0;
    const size_t wider = key > value ? key : value;
    const size_t kept = wider + (call->has_values ? sizeof(uint16_t) : 0);
    const mcl__tile_need need = {
        .element_bytes = wider,
        .local_bytes_per_item = kept,
        /* a word a work-item, tasks, and what a last share of a merge runs on by */
        .local_bytes_fixed = 4096 + 256 + 32 * kept,
    };
    return mcl__tile_for(operations[call->segmented != 0][call->has_values != 0], &context->limits, context->tuning,
                         need, options);
}

/* Keys that compare equal are the same bits: their order cannot be seen. */
static int order_is_hidden(const mcl__tiled_sort *call)
{
    const mcl_type *type = call->keys.type;
    return !call->has_values && mcl__is_integer(type) &&
           (mcl__same_op(call->before, MCL_LESS) || mcl__same_op(call->before, MCL_GREATER));
}

/* array, array_values, words: inputs by their types alone. */
typedef struct sort_inputs {
    mcl_input array, array_values, words;
} sort_inputs;

/* By the bytes of a work-item's keys, which it holds in registers. */
static mcl__parameter sort_resident(const mcl__tiled_sort *call, mcl__tile tile)
{
    const size_t bytes = (size_t)tile.items * mcl__staged_bytes(call->keys.type);
    return bytes <= 64    ? MCL__PARAMETER_segmented_sort_resident_64
           : bytes <= 104 ? MCL__PARAMETER_segmented_sort_resident_104
           : bytes <= 136 ? MCL__PARAMETER_segmented_sort_resident_136
                          : MCL__PARAMETER_segmented_sort_resident_more;
}

static void sort_describe(mcl__spec *spec, const mcl_context *context, const mcl__tiled_sort *call, sort_inputs *inputs,
                          const mcl_options *options)
{
    inputs->array = mcl_from_buffer(call->keys.type, NULL, 0, 0);
    inputs->words = makes_heads(call) ? mcl_from_buffer(MCL_UINT32, NULL, 0, 0) : call->segments.input;
    *spec = (mcl__spec){
        .file = "kernels/segmented_sort.cl",
        .kernels = { [TILES] = "sort_tiles", [LEVEL] = "sort_level", [PLAN] = "sort_plan", [WORK] = "sort_work" },
        .threads = { [SEAMS] = SEAM_THREADS_MAX, [PLAN] = PLAN_THREADS },
        .tile = sort_tile_for(context, call, options),
        .index_bits = mcl__index_bits(call->keys.count, options),
        .aliased = 1, /* in place or not: one program */
        .types = { { "key", call->keys.type } },
        .ops = { { "before", call->before, MCL__OP_COMPARE, call->keys.type, NULL } },
        .inputs = { { "keys", &call->keys }, { "a", &inputs->array } },
        .outputs = { { "out", call->out.type }, { "spare", call->out.type } },
        .defines = { { "SEGMENTED", call->segmented },
                     { "STABLE", call->stability == MCL_STABLE && !order_is_hidden(call) },
                     { "HAS_VALUES", call->has_values },
                     [WORK_TASKS] = { "WORK_TASKS",
                                      (int)mcl__tuned(context, MCL__PARAMETER_segmented_sort_work_tasks) } },
    };
    mcl__spec_define(spec, "RESIDENT", mcl__tuned(context, sort_resident(call, spec->tile)));
    int input = 2;
    if (call->segmented) {
        spec->kernels[SEAMS] = "sort_seams";
        spec->kernels[WIDE_SEAMS] = "sort_wide_seams";
        spec->inputs[input].name = "heads";
        spec->inputs[input++].input = &inputs->words;
    }
    if (!call->has_values) return;
    inputs->array_values = mcl_from_buffer(call->values.type, NULL, 0, 0);
    spec->inputs[input].name = "values";
    spec->inputs[input++].input = &call->values;
    spec->inputs[input].name = "a_values";
    spec->inputs[input].input = &inputs->array_values;
    spec->outputs[2].name = "out_values";
    spec->outputs[2].type = call->out_values.type;
    spec->outputs[3].name = "spare_values";
    spec->outputs[3].type = call->out_values.type;
}

/* ---- the plan ----------------------------------------------------------------------------------------------- */

/* Arrays of a call. keys and values: [0] the caller's outputs, [1] the spare ones. */
typedef struct sort_plan {
    const mcl__tiled_sort *call;
    const mcl__spec *spec;
    const mcl__kernels *kernels;
    int64_t tile, tiles, ranges_length;
    int levels; /* that are launched */
    int mends;  /* short segments are merged before the levels */
    int queued;
    int work_tasks; /* of the queue, that a group does */
    int counter_count;
    mcl__span keys[2], values[2];
    mcl_input words; /* head bits */
    mcl__span ranges, same, open, counters, queue;
} sort_plan;

static int levels_of(int64_t tiles)
{
    int levels = 0;
    while (((int64_t)1 << levels) < tiles) ++levels;
    return levels;
}

static size_t range_bytes(const sort_plan *plan)
{
    return HEAD_RANGE_BYTES((size_t)plan->spec->index_bits / 8);
}

static size_t task_bytes(const sort_plan *plan)
{
    return LIST_TILE_BYTES((size_t)plan->spec->index_bits / 8);
}

static sort_plan sort_plan_make(const mcl_queue *queue, const mcl__tiled_sort *call, const mcl__spec *spec,
                                const mcl__kernels *kernels)
{
    const mcl__limits *limits = &queue->context->limits;
    sort_plan plan = { .call = call, .spec = spec, .kernels = kernels };
    plan.tile = mcl__tile_size(kernels->tile);
    plan.tiles = mcl__divide_up(call->keys.count, plan.tile);
    plan.mends = call->segmented && limits->mends_seams;
    plan.levels = levels_of(plan.tiles);
    if (plan.mends) plan.levels += plan.levels % 2;
    for (int level = 0; level <= plan.levels; ++level) plan.ranges_length += (plan.tiles >> level) + 1;
    plan.queued = kernels->tile.threads > 1 && limits->loop_budget == 0 && limits->max_threads >= PLAN_THREADS &&
                  plan.tiles > mcl__tuned_a_unit(queue->context, MCL__PARAMETER_segmented_sort_direct_tiles);
    plan.work_tasks = spec->defines[WORK_TASKS].value;
    plan.counter_count = COUNT_LEVELS + plan.levels * COUNTS_A_LEVEL;
    return plan;
}

/* Scratch in the order of this list: NULL: only its size. A single tile that a group sorts needs no spare array. */
static size_t sort_scratch(sort_plan *plan, mcl_queue *queue)
{
    const mcl__tiled_sort *const call = plan->call;
    const size_t count = (size_t)call->keys.count;
    const size_t tiles = (size_t)plan->tiles;
    const int spare = plan->levels > 0 || plan->kernels->tile.threads == 1;
    const struct {
        mcl__span *span;
        size_t bytes;
    } parts[] = {
        { &plan->keys[1], spare ? count * call->keys.type->size : 0 },
        { &plan->values[1], spare && call->has_values ? count * call->values.type->size : 0 },
        { &plan->ranges, (size_t)plan->ranges_length * range_bytes(plan) },
        { &plan->same, tiles * sizeof(uint32_t) },
        { &plan->open, plan->mends ? tiles * sizeof(uint32_t) : 0 },
        { &plan->counters, (size_t)plan->counter_count * sizeof(uint32_t) },
        { &plan->queue, plan->queued ? tiles * task_bytes(plan) : 0 },
    };
    size_t bytes = 0;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        bytes += mcl__scratch_round(parts[k].bytes);
        if (queue) *parts[k].span = mcl__scratch_take(queue, parts[k].bytes);
    }
    return bytes;
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static mcl__span output_span(const mcl_output *output)
{
    return (mcl__span){ output->buffer, (size_t)output->offset * output->type->size };
}

/* PARAMS_env PARAMS_keys. */
static void sort_args_start(mcl__args *args, const sort_plan *plan)
{
    mcl__args_start(args, plan->spec);
    mcl__args_input(args, &plan->call->keys);
}

/* PARAMS_arrays: to: which of the two is written. */
static void sort_args_arrays(mcl__args *args, const sort_plan *plan, int to)
{
    mcl__args_span(args, plan->keys[to]);
    mcl__args_span(args, plan->keys[!to]);
    if (!plan->call->has_values) return;
    mcl__args_span(args, plan->values[to]);
    mcl__args_span(args, plan->values[!to]);
}

static mcl_status sort_launch_tiles(mcl_queue *queue, const sort_plan *plan, int to)
{
    const mcl__tiled_sort *const call = plan->call;
    mcl__args args;
    sort_args_start(&args, plan);
    if (call->has_values) mcl__args_input(&args, &call->values);
    if (call->segmented) mcl__args_input(&args, &plan->words);
    sort_args_arrays(&args, plan, to);
    mcl__args_span(&args, plan->ranges);
    mcl__args_span(&args, plan->same);
    mcl__args_span(&args, plan->counters);
    mcl__args_int(&args, plan->counter_count);
    return mcl__launch_groups(queue, plan->kernels, TILES, plan->tiles, plan->kernels->tile.threads, &args);
}

static mcl_status sort_launch_seams(mcl_queue *queue, const sort_plan *plan)
{
    const int all = plan->kernels->tile.threads;
    const int few = all < SEAM_THREADS_MAX ? all : SEAM_THREADS_MAX;
    mcl__args args;
    sort_args_start(&args, plan);
    sort_args_arrays(&args, plan, 0);
    mcl__args_span(&args, plan->ranges);
    mcl__args_span(&args, plan->open);
    mcl__args_span(&args, plan->counters);
    mcl__args_int(&args, plan->call->report != NULL);
    MCL__TRY(mcl__launch_groups(queue, plan->kernels, SEAMS, plan->tiles - 1, few, &args));
    if (few == all) return MCL_OK;
    return mcl__launch_groups(queue, plan->kernels, WIDE_SEAMS, plan->tiles - 1, all, &args);
}

/* Merges lists of 1 << level tiles; ranges: where those of the level begin. */
static mcl_status sort_launch_level(mcl_queue *queue, const sort_plan *plan, int level, int to, mcl__span ranges,
                                    mcl__span parents)
{
    const int threads = plan->kernels->tile.threads;
    mcl__args args;
    sort_args_start(&args, plan);
    sort_args_arrays(&args, plan, to);
    mcl__args_span(&args, ranges);
    mcl__args_span(&args, parents);
    mcl__args_span(&args, plan->same);
    mcl__args_span(&args, plan->open);
    mcl__args_span(&args, plan->counters);
    mcl__args_int(&args, level);
    mcl__args_int(&args, plan->mends);
    if (!plan->queued) return mcl__launch_groups(queue, plan->kernels, LEVEL, plan->tiles, threads, &args);
    mcl__args_span(&args, plan->queue);
    mcl__args_index(&args, plan->tiles);
    MCL__TRY(mcl__launch_groups(queue, plan->kernels, PLAN, mcl__divide_up(plan->tiles, PLAN_THREADS - 1), PLAN_THREADS,
                                &args));
    mcl__args_start(&args, plan->spec);
    sort_args_arrays(&args, plan, to);
    mcl__args_span(&args, plan->counters);
    mcl__args_int(&args, level);
    mcl__args_span(&args, plan->queue);
    mcl__args_index(&args, plan->tiles);
    return mcl__launch_groups(queue, plan->kernels, WORK, mcl__divide_up(plan->tiles, plan->work_tasks), threads,
                              &args);
}

static mcl_status sort_launch(mcl_queue *queue, const sort_plan *plan)
{
    int to = plan->mends ? 0 : plan->levels % 2;
    mcl__span ranges = plan->ranges;
    if (plan->tiles == 0) return MCL_OK;
    MCL__TRY(sort_launch_tiles(queue, plan, to));
    if (plan->mends && plan->levels > 0) MCL__TRY(sort_launch_seams(queue, plan));
    for (int level = 0; level < plan->levels; ++level) {
        mcl__span parents = ranges;
        to = !to;
        parents.offset += (size_t)((plan->tiles >> level) + 1) * range_bytes(plan);
        MCL__TRY(sort_launch_level(queue, plan, level, to, ranges, parents));
        ranges = parents;
    }
    return MCL_OK;
}

/* ---- reports ------------------------------------------------------------------------------------------------ */

static mcl_status sort_read_report(mcl_queue *queue, const sort_plan *plan)
{
    mcl_sort_report *const report = plan->call->report;
    uint32_t counters[COUNT_LEVELS + MCL_SORT_PASSES_MAX * COUNTS_A_LEVEL] = { 0 };
    *report = (mcl_sort_report){ .tile = plan->tile, .pass_count = plan->levels };
    if (plan->tiles == 0 || queue->preparing) return MCL_OK;
    MCL__TRY(queue->context->backend->read(queue, plan->counters.buffer, plan->counters.offset,
                                           (size_t)plan->counter_count * sizeof *counters, counters, 1));
    report->tiles = counters[COUNT_TILES];
    report->mended = counters[COUNT_MENDED];
    for (int pass = 0; pass < plan->levels; ++pass) {
        const uint32_t *const counts = counters + COUNT_LEVELS + pass * COUNTS_A_LEVEL;
        report->merge_tiles[pass] = counts[COUNT_MERGES];
        report->copy_tiles[pass] = counts[COUNT_COPIES];
    }
    return MCL_OK;
}

mcl_status mcl__tiled_sort_run(mcl_queue *queue, const mcl__tiled_sort *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    sort_inputs inputs;

    MCL__TRY(sort_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) MCL__TRY(sort_validate(queue, call, options));
    sort_describe(&spec, queue->context, call, &inputs, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    const int64_t tile = mcl__tile_size(kernels->tile);
    MCL__TRY(mcl__check_tiles(call->function, call->keys.count, tile));
    mcl__heads heads = { call->function, call->segments, call->keys.count };
    size_t heads_bytes = 0;
    if (makes_heads(call)) MCL__TRY(mcl__heads_measure(queue, &heads, options, &heads_bytes));
    sort_plan plan = sort_plan_make(queue, call, &spec, kernels);
    MCL__TRY(mcl__call_begin(queue, call->function, sort_scratch(&plan, NULL) + heads_bytes, options));
    (void)sort_scratch(&plan, queue);
    plan.keys[0] = output_span(&call->out);
    if (call->has_values) plan.values[0] = output_span(&call->out_values);
    plan.words = call->segments.input;
    if (makes_heads(call)) MCL__TRY(mcl__heads_launch(queue, &heads, options, &plan.words));
    MCL__TRY(sort_launch(queue, &plan));
    MCL__TRY(mcl__call_end(queue, options));
    return call->report ? sort_read_report(queue, &plan) : MCL_OK;
}
