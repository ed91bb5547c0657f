/* segmented.c: mcl_segmented_reduce (kernels: segmented.cl) and the segmented calls that work on runs (runs.h).
 * A tile of elements and segment ends stores the segments that lie in it; the parts of those that cross tiles are put
 * together afterwards: in the same launch by the group that is done last, where groups can hand words to each other and
 * tiles are few, else in a launch of its own. Where segments are long on average, groups or sub-groups fold them one by
 * one without tiles (cl/kernels/segmented/segment_direct.clh). */
#include "call/gate.h"
#include "facts/look_back.h"
#include "facts/segmented.h"
#include "primitives/runs.h"

#include "moderncl/segmented.h"

enum { PARTITION, TILES, FINISH, ONCE, DIRECT, TEAMS };

enum { ONCE_BYTES_MAX = 16 }; /* larger accumulators take too many words */

static const char function[] = "mcl_segmented_reduce";

typedef struct segmented_call {
    mcl_input in, offsets;
    mcl_output out;
    const mcl_op *op;
    mcl__initial initial;
    int64_t segments;   /* at most */
    size_t accumulator; /* bytes */
    int placed;         /* in is told segment and rank */
    int has_once;       /* groups can hand words to each other: one launch may do */
    int has_direct;     /* and work-items may take elements in any order: segments may be folded each by itself */
} segmented_call;

static mcl_status segmented_check(const mcl_queue *queue, const segmented_call *call, const mcl_options *options)
{
    const mcl__given operands[] = {
        { "in", .input = &call->in },
        { "offsets", .input = &call->offsets, .types = MCL__INTEGERS },
        { "out", .output = &call->out },
        { "op", .op = call->op, .use = MCL__FOLD, .of = &call->in },
        { NULL },
    };
    MCL__TRY(mcl__gate(function, queue, options, MCL__TAKES_INITIAL, operands));
    MCL__TRY(mcl__check_room(function, "out", &call->out, call->segments));
    MCL__TRY(mcl__check_fold(function, call->op, options, NULL));
    MCL__TRY(mcl__check_fold_result(function, "out", call->op, call->in.type, call->out.type));
    MCL__TRY(mcl__check_op_overlap(function, "op", call->op, "out", &call->out, call->segments));
    MCL__TRY(mcl__check_no_overlap(function, "offsets", &call->offsets, "out", &call->out, call->segments));
    return mcl__check_no_overlap(function, "in", &call->in, "out", &call->out, call->segments);
}

/* Steps of the merge of elements and segment ends, at most. */
static int64_t segmented_steps(const segmented_call *call)
{
    return call->in.count > INT64_MAX - call->segments ? INT64_MAX : call->in.count + call->segments;
}

/* Lanes of a sub-group where kernels have one (sub_group_lanes.clh), else 1. */
static int segmented_lanes(const mcl__limits *limits, int threads, int searchers)
{
    const int size = limits->sub_group_path != MCL__SUB_GROUP_NONE ? limits->sub_group_size : 0;
    const int has_lanes = size > 0 && size <= 32 && threads % size == 0 && searchers % size == 0;
    return has_lanes ? size : 1;
}

static void segmented_describe(mcl__spec *spec, const mcl_context *context, segmented_call *call,
                               const mcl_options *options)
{
    const size_t element = call->in.type->size > sizeof(float) ? call->in.type->size : sizeof(float);
    const size_t slot = element > call->accumulator ? element : call->accumulator;
    const mcl__tile_need need = {
        .element_bytes = slot,
        .local_bytes_per_item = slot + sizeof(uint16_t),
        .local_bytes_per_thread = sizeof(uint16_t), /* with those of one item, a word for each work-item */
        .local_bytes_fixed = 34 * (call->accumulator + 8) + 64,
        .lone_bytes_per_thread = call->accumulator + 8,
    };
    *spec = (mcl__spec){
        .file = "kernels/segmented.cl",
        .kernels = { [PARTITION] = "segment_partition", [TILES] = "segment_tiles", [FINISH] = "segment_finish" },
        .tile = mcl__tile_for(MCL__OPERATION_segmented_reduce, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(segmented_steps(call), options),
        .ops = { { "fold", call->op, MCL__OP_FOLD, call->in.type, call->out.type } },
        .inputs = { { "elements", &call->in, call->placed }, { "offsets", &call->offsets, 0 } },
        .outputs = { { "out", call->out.type } },
        .defines = { { "HAS_INITIAL", call->initial.given }, { "SEGMENT_ONCE", call->has_once } },
    };
    call->has_direct = call->has_once && call->op->commutative && spec->tile.threads > 1;
    if (call->has_once) spec->kernels[ONCE] = "segment_once";
    if (call->has_direct) spec->kernels[DIRECT] = "segment_direct";
    if (call->has_direct && segmented_lanes(&context->limits, spec->tile.threads, spec->tile.threads) > 1)
        spec->kernels[TEAMS] = "segment_teams";
    spec->defines[2].name = "PARTITION_THREADS";
    spec->defines[2].value = mcl__partition_threads(spec->tile);
    spec->defines[3].name = "SEGMENT_DIRECT";
    spec->defines[3].value = call->has_direct;
    mcl__spec_define(spec, "TILE_RESIDENT",
                     mcl__resident(context, MCL__PARAMETER_segmented_reduce_tile_resident_4, slot, spec->index_bits));
    mcl__spec_define(spec, "DIRECT_RESIDENT",
                     mcl__resident(context, MCL__PARAMETER_segmented_reduce_direct_resident_4, slot, spec->index_bits));
}

static void segmented_args(mcl__args *args, const segmented_call *call, const mcl__spec *spec)
{
    mcl__args_start(args, spec);
    mcl__args_input(args, &call->in);
    mcl__args_input(args, &call->offsets);
    mcl__args_output(args, &call->out);
    if (call->initial.given) mcl__args_value(args, call->initial.value.bytes, call->initial.size);
}

/* ---- one launch --------------------------------------------------------------------------------------------- */

static int segmented_once(const mcl_queue *queue, const segmented_call *call, int64_t tiles, const mcl_options *options)
{
    const mcl_context *const context = queue->context;
    const int64_t words_a_tile = PART_WORDS((int64_t)VALUE_WORDS(call->accumulator));
    const int64_t most = (MCL__SLOTS - 1) / words_a_tile;
    if (!call->has_once || !mcl__uses_slots(queue, options) || tiles > most) return 0;
    return !context->limits.is_gpu || tiles <= mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_once_tiles);
}

static mcl_status segmented_run_once(mcl_queue *queue, const segmented_call *call, const mcl__spec *spec,
                                     const mcl__kernels *kernels, int64_t tiles, const mcl_options *options)
{
    mcl__args args;
    MCL__TRY(mcl__slots_reserve(queue));
    MCL__TRY(mcl__call_begin(queue, function, 0, options));
    segmented_args(&args, call, spec);
    mcl__args_span(&args, (mcl__span){ queue->slots, 0 });
    MCL__TRY(mcl__launch_groups(queue, kernels, ONCE, tiles, kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

/* ---- one launch, segments long on average -------------------------------------------------------------------- */

/* Groups that have segments of their own, groups that have pieces, one in 1 << spread, and the words for pieces. */
typedef struct direct_plan {
    int64_t owners, pieces, words;
    int kernel, bits, spread;
} direct_plan;

static int segmented_direct(const mcl_context *context, const segmented_call *call, int threads)
{
    const int few = segmented_lanes(&context->limits, threads, threads) > 1 &&
                    call->segments <= mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_few_segments);
    const int64_t length = mcl__tuned(context, few ? MCL__PARAMETER_segmented_reduce_direct_length_of_few
                                                   : MCL__PARAMETER_segmented_reduce_direct_length);
    return call->has_direct && call->segments > 0 && call->in.count / length >= call->segments;
}

static direct_plan segmented_plan_direct(const mcl_context *context, const segmented_call *call, int threads)
{
    const int64_t words_a_piece = PART_WORDS((int64_t)VALUE_WORDS(call->accumulator));
    const int teams = threads / segmented_lanes(&context->limits, threads, threads);
    const int64_t group_segments = mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_group_segments);
    const int64_t group_length = mcl__tuned(context, MCL__PARAMETER_segmented_reduce_group_length);
    const int is_single =
        teams == threads || call->segments <= group_segments || call->in.count / group_length >= call->segments;
    direct_plan plan = { .kernel = is_single ? DIRECT : TEAMS,
                         .bits = (int)mcl__tuned(context, MCL__PARAMETER_segmented_reduce_piece_bits) };
    while (((call->in.count >> plan.bits) + 1) * words_a_piece > MCL__SLOTS) ++plan.bits;
    plan.owners = is_single ? call->segments : mcl__divide_up(call->segments, teams);
    plan.pieces = call->in.count >> plan.bits;
    plan.words = (plan.pieces + 1) * words_a_piece;
    while (plan.pieces << (plan.spread + 1) <= plan.owners + plan.pieces && plan.pieces > 0) ++plan.spread;
    return plan;
}

static mcl_status segmented_run_direct(mcl_queue *queue, const segmented_call *call, const mcl__spec *spec,
                                       const mcl__kernels *kernels, const mcl_options *options)
{
    const int threads = kernels->tile.threads, slots = mcl__uses_slots(queue, options);
    const direct_plan plan = segmented_plan_direct(queue->context, call, threads);
    const size_t bytes = slots ? 0 : (size_t)plan.words * sizeof(uint64_t);
    const uint32_t zero = 0;
    mcl__args args;
    if (slots) MCL__TRY(mcl__slots_reserve(queue));
    MCL__TRY(mcl__call_begin(queue, function, mcl__scratch_round(bytes), options));
    const mcl__span words = slots ? (mcl__span){ queue->slots, 0 } : mcl__scratch_take(queue, bytes);
    if (!slots && !queue->preparing)
        MCL__TRY(queue->context->backend->fill(queue, words.buffer, words.offset, bytes, &zero, sizeof zero));
    segmented_args(&args, call, spec);
    mcl__args_span(&args, words);
    mcl__args_int(&args, plan.bits);
    mcl__args_index(&args, plan.pieces);
    mcl__args_int(&args, plan.spread);
    MCL__TRY(mcl__launch_groups(queue, kernels, plan.kernel, plan.owners + plan.pieces, threads, &args));
    return mcl__call_end(queue, options);
}

/* ---- several launches --------------------------------------------------------------------------------------- */

/* Tiles that a group of segment_finish puts together. */
static int64_t segmented_finish_share(const mcl_context *context, mcl__tile tile, int64_t tiles)
{
    const int64_t serial = mcl__tuned(context, MCL__PARAMETER_segmented_reduce_finish_tiles_serial);
    const int64_t least = tile.threads == 1 ? serial : tile.threads;
    return least * mcl__divide_up(tiles, least * mcl__tuned(context, MCL__PARAMETER_segmented_reduce_finish_shares));
}

static mcl_status segmented_launch(mcl_queue *queue, const segmented_call *call, const mcl__spec *spec,
                                   const mcl__kernels *kernels, int64_t tiles, const mcl__span *scratch)
{
    const int threads = kernels->tile.threads, searchers = spec->defines[2].value;
    const mcl_context *const context = queue->context;
    const int64_t share = segmented_finish_share(context, kernels->tile, tiles);
    const int few = tiles <= mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_lanes_tiles);
    const int lanes = few ? segmented_lanes(&context->limits, threads, searchers) : 1;
    mcl__args operands, args;
    segmented_args(&operands, call, spec);
    args = operands;
    mcl__args_span(&args, scratch[0]);
    const mcl__args with_split = args;
    mcl__args_index(&args, tiles + 1);
    mcl__args_int(&args, lanes);
    MCL__TRY(mcl__launch_groups(queue, kernels, PARTITION, mcl__divide_up((tiles + 1) * lanes, searchers), searchers,
                                &args));
    args = with_split;
    mcl__args_span(&args, scratch[1]);
    mcl__args_span(&args, scratch[2]);
    MCL__TRY(mcl__launch_groups(queue, kernels, TILES, tiles, threads, &args));
    args = operands;
    mcl__args_span(&args, scratch[1]);
    mcl__args_span(&args, scratch[2]);
    mcl__args_index(&args, tiles);
    mcl__args_index(&args, share);
    return mcl__launch_groups(queue, kernels, FINISH, mcl__divide_up(tiles, share), threads, &args);
}

static mcl_status segmented_run_passes(mcl_queue *queue, const segmented_call *call, const mcl__spec *spec,
                                       const mcl__kernels *kernels, int64_t tiles, const mcl_options *options)
{
    enum { SPLIT, INFOS, FOLDS, ARRAYS };
    const size_t places = (size_t)tiles;
    const size_t bytes[ARRAYS] = { [SPLIT] = (places + 1) * (size_t)(spec->index_bits / 8),
                                   [INFOS] = places * sizeof(int64_t),
                                   [FOLDS] = 2 * places * call->accumulator };
    mcl__span scratch[ARRAYS];
    size_t all = 0;
    for (int k = 0; k < ARRAYS; ++k) all += mcl__scratch_round(bytes[k]);
    MCL__TRY(mcl__call_begin(queue, function, tiles > 0 ? all : 0, options));
    if (tiles > 0) {
        for (int k = 0; k < ARRAYS; ++k) scratch[k] = mcl__scratch_take(queue, bytes[k]);
        MCL__TRY(segmented_launch(queue, call, spec, kernels, tiles, scratch));
    }
    return mcl__call_end(queue, options);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

mcl_status mcl_segmented_reduce(mcl_queue *queue, mcl_input in, mcl_input offsets, mcl_output out, const mcl_op *op,
                                const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    segmented_call call = { .in = in, .offsets = offsets, .out = out, .op = op };

    call.segments = offsets.count > 0 ? offsets.count - 1 : 0;
    MCL__TRY(segmented_check(queue, &call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    MCL__TRY(mcl__validate_offsets(queue, function, &call.offsets, in.count, options));
    call.placed = in.expression && (mcl__input_names(&in, "segment") || mcl__input_names(&in, "rank"));
    call.initial = mcl__fold_initial(op, in.type, options);
    call.accumulator = mcl__fold_bytes(op, in.type, mcl__index_bits(segmented_steps(&call), options));
    call.has_once = queue->context->limits.word_path != MCL__WORDS_NONE && call.accumulator <= ONCE_BYTES_MAX &&
                    queue->context->limits.loop_budget == 0;
    segmented_describe(&spec, queue->context, &call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    if (segmented_direct(queue->context, &call, kernels->tile.threads))
        return segmented_run_direct(queue, &call, &spec, kernels, options);
    const int64_t steps = call.segments > 0 ? segmented_steps(&call) : 0;
    MCL__TRY(mcl__check_tiles(function, steps, mcl__tile_size(kernels->tile)));
    const int64_t tiles = mcl__divide_up(steps, mcl__tile_size(kernels->tile));
    return tiles > 0 && segmented_once(queue, &call, tiles, options)
               ? segmented_run_once(queue, &call, &spec, kernels, tiles, options)
               : segmented_run_passes(queue, &call, &spec, kernels, tiles, options);
}

mcl_status mcl_segmented_reduce_flags(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, const mcl_op *op,
                                      mcl_result count, const mcl_options *options)
{
    const mcl__runs runs = { .function = "mcl_segmented_reduce_flags",
                             .heads = HEADS_FLAGS,
                             .by = flags,
                             .by_name = "flags",
                             .values = in,
                             .values_name = "in",
                             .out = out,
                             .out_name = "out",
                             .op = op,
                             .count = count,
                             .reduces = 1 };
    return mcl__runs_call(queue, &runs, options);
}

mcl_status mcl_segmented_scan(mcl_queue *queue, mcl_input in, mcl_input offsets, mcl_output out, const mcl_op *op,
                              int kind, const mcl_options *options)
{
    const mcl__runs runs = { .function = "mcl_segmented_scan",
                             .heads = HEADS_OFFSETS,
                             .by = offsets,
                             .by_name = "offsets",
                             .values = in,
                             .values_name = "in",
                             .out = out,
                             .out_name = "out",
                             .op = op,
                             .kind = kind };
    return mcl__runs_call(queue, &runs, options);
}

mcl_status mcl_segmented_scan_flags(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, const mcl_op *op,
                                    int kind, const mcl_options *options)
{
    const mcl__runs runs = { .function = "mcl_segmented_scan_flags",
                             .heads = HEADS_FLAGS,
                             .by = flags,
                             .by_name = "flags",
                             .values = in,
                             .values_name = "in",
                             .out = out,
                             .out_name = "out",
                             .op = op,
                             .kind = kind };
    return mcl__runs_call(queue, &runs, options);
}
