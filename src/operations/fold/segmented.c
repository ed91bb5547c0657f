/* segmented.c: mcl_segmented_reduce (kernels: segmented.cl), and the segmented calls that work on runs (runs.h).
 *
 * Tiles are cut from the merge of elements and segment ends. A tile stores the folds of segments that lie completely in
 * it. Another launch combines the parts of segments that cross tiles. If tiles are few and groups can pass words to
 * each other, the last group to finish combines them in the same launch. If segments are long on average, groups or
 * sub-groups fold them one by one, without tiles (cl/kernels/fold/segment_direct.clh). If bits must be the same,
 * segments are folded by a tree (segment_tree.clh). */
#include "facts/look_back.h"
#include "facts/segmented.h"
#include "operations/fold/runs.h"

#include "moderncl/segmented.h"

enum { IN = 1, OFFSETS, OUT, OP, COUNT };                              /* operands */
enum { PARTITION, TILES, FINISH, ONCE, DIRECT, TEAMS, TREE };          /* passes */
enum { SPLIT, INFOS, FOLDS, SLOTS };                                   /* scratch */
enum { SPLITS, LANES, TILE_COUNT, SHARE, PIECE_BITS, PIECES, SPREAD }; /* scalars */
enum { INITIAL };                                                      /* by-value arguments */

enum { ONCE_BYTES_MAX = 16 }; /* accumulators of more bytes take too many words */

#define OPERANDS MCL__ENVIRONMENT, OPERAND(IN), OPERAND(OFFSETS), OPERAND(OUT), BY_VALUE(INITIAL)
#define DIRECT_ARGUMENTS { OPERANDS, SCRATCH(SLOTS), AS_INT(PIECE_BITS), AS_INDEX(PIECES), AS_INT(SPREAD) }

static const mcl__declaration segmented_reduce = {
    .file = "kernels/fold/segmented.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands =
        (mcl__operands){ [IN] = { "elements", .kind = MCL__INPUT, .label = "in" },
                         [OFFSETS] = { "offsets", .kind = MCL__INPUT, .label = "segments", .types = MCL__INTEGERS,
                                       .offsets_of = IN },
                         [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .optional = 1 },
                         [OP] = { "fold", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = IN },
                         [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 } },
    .scratch = { { "split", "index_type" }, { "infos", "int64_t" }, { "folds", "fold_type" }, { "slots", "ulong" } },
    .scalars = { "splits", "lanes", "tiles", "share", "bits", "pieces", "spread" },
    .by_value = { { "initial", "fold_type" } },
    .passes = (mcl__passes){ [PARTITION] = { "segment_partition",
                                             MCL__PARTITION_THREADS,
                                             "PARTITION_THREADS",
                                             { OPERANDS, SCRATCH(SPLIT), AS_INDEX(SPLITS), AS_INT(LANES) } },
                             [TILES] = { "segment_tiles",
                                         .arguments = { OPERANDS, SCRATCH(SPLIT), SCRATCH(INFOS), SCRATCH(FOLDS) } },
                             [FINISH] = { "segment_finish", .arguments = { OPERANDS, SCRATCH(INFOS), SCRATCH(FOLDS),
                                                                           AS_INDEX(TILE_COUNT), AS_INDEX(SHARE) } },
                             [ONCE] = { "segment_once", .arguments = { OPERANDS, SCRATCH(SLOTS) } },
                             [DIRECT] = { "segment_direct", .arguments = DIRECT_ARGUMENTS },
                             [TEAMS] = { "segment_teams", .arguments = DIRECT_ARGUMENTS },
                             [TREE] = { "segment_tree", .arguments = { OPERANDS } } },
};

/* Returns the most steps in the merge of elements and segment ends. call->room[OUT] is the most segments. */
static int64_t segmented_steps(const mcl__call *call)
{
    const int64_t elements = call->operands[IN].input->count, segments = call->room[OUT];
    return elements > INT64_MAX - segments ? INT64_MAX : elements + segments;
}

/* Returns the bytes of an accumulator. */
static size_t segmented_accumulator(const mcl__call *call)
{
    return mcl__fold_bytes(mcl__call_accumulator(call, OP), call->operands[IN].input->type,
                           mcl__index_bits(segmented_steps(call), call->options));
}

/* Returns the number of words that a tile or a piece passes to another group. */
static int64_t segmented_part_words(const mcl__call *call)
{
    return PART_WORDS((int64_t)VALUE_WORDS(segmented_accumulator(call)));
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Returns 1 where the input's expression uses this name and none of its bindings has this name. */
static int input_uses(const mcl_input *input, const char *name)
{
    static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t length = strlen(name);
    for (int k = 0; input->expression && k < input->binding_count; ++k)
        if (strcmp(input->bindings[k].name, name) == 0) return 0;
    for (const char *at = input->expression; at && *at;) {
        const size_t word = strspn(at, letters);
        if (word == length && memcmp(at, name, length) == 0) return 1;
        at += word > 0 ? word : 1;
    }
    return 0;
}

/* Returns the number of lanes in a sub-group where kernels can use sub-groups (sub_group_lanes.clh), else 1. */
static int segmented_lanes(const mcl__call *call, int threads, int searchers)
{
    const mcl__limits *const limits = &call->queue->context->limits;
    const int size = limits->sub_group_path != MCL__SUB_GROUP_NONE ? limits->sub_group_size : 0;
    const int has_lanes = size > 0 && size <= 32 && threads % size == 0 && searchers % size == 0;
    return has_lanes ? size : 1;
}

/* Returns the most bytes of a segment_slot, which holds an element or an accumulator: the bytes of the larger one,
 * padded to the alignment of the smaller one. */
static size_t segmented_slot(size_t element, size_t accumulator)
{
    const size_t longer = element > accumulator ? element : accumulator;
    const size_t shorter = element > accumulator ? accumulator : element;
    const size_t alignment = shorter & (~shorter + 1);
    return (longer + alignment - 1) / alignment * alignment;
}

static void segmented_place(mcl__call *call)
{
    const mcl_input *const in = call->operands[IN].input;
    if (input_uses(in, "segment") || input_uses(in, "rank")) call->placed = MCL__BIT(IN);
}

/* Finds the program for calls without the tree. has_end is 1 where segments are given by offsets, not by begins. */
static mcl_status segmented_program(mcl__call *call, int has_end)
{
    const mcl_context *const context = call->queue->context;
    const mcl_input *const in = call->operands[IN].input;
    const size_t element = in->type->size > sizeof(float) ? in->type->size : sizeof(float);
    const size_t accumulator = segmented_accumulator(call), slot = segmented_slot(element, accumulator);
    const mcl__tile_need need = {
        .element_bytes = slot,
        .local_bytes_per_item = slot + sizeof(uint16_t),
        .local_bytes_per_thread = sizeof(uint16_t), /* together with 2 bytes per element: one word per work-item */
        .local_bytes_fixed = 34 * (accumulator + 8) + 64,
        .lone_bytes_per_thread = accumulator + 8,
    };
    const mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_segmented_reduce, need);
    const int index_bits = mcl__index_bits(segmented_steps(call), call->options);
    /* has_words is 1 where groups can pass words to each other, has_direct where work-items may take elements in any
     * order. */
    const int has_words = context->limits.word_path != MCL__WORDS_NONE && accumulator <= ONCE_BYTES_MAX &&
                          context->limits.loop_budget == 0;
    const int has_once =
        has_words && (int64_t)accumulator <= mcl__tuned(context, MCL__PARAMETER_segmented_reduce_once_bytes);
    const int has_direct = has_words && call->operands[OP].op->commutative && tile.threads > 1;
    const int has_teams = has_direct && segmented_lanes(call, tile.threads, tile.threads) > 1;
    call->passes = MCL__BIT(PARTITION) | MCL__BIT(TILES) | MCL__BIT(FINISH) | (has_once ? MCL__BIT(ONCE) : 0) |
                   (has_direct ? MCL__BIT(DIRECT) : 0) | (has_teams ? MCL__BIT(TEAMS) : 0);
    segmented_place(call);
    mcl__call_initial(call, OP, INITIAL);
    mcl__call_define(call, "HAS_INITIAL", call->initial.given);
    mcl__call_define(call, "SEGMENT_TREE", 0);
    mcl__call_keeps_folds(call, accumulator, accumulator);
    mcl__call_define(call, "SEGMENT_ONCE", has_once);
    mcl__call_define(call, "SEGMENT_DIRECT", has_direct);
    const int groups = (int)mcl__resident(context, MCL__PARAMETER_segmented_reduce_tile_resident_4, slot, index_bits);
    mcl__call_define(call, "SEGMENTS_END", has_end);
    /* If no offset gives the last end, the kernel needs one more register, so one group fewer is resident. */
    mcl__call_define(call, "TILE_RESIDENT", groups > 1 && !has_end ? groups - 1 : groups);
    mcl__call_define(call, "DIRECT_RESIDENT",
                     (int)mcl__resident(context, MCL__PARAMETER_segmented_reduce_direct_resident_4, slot, index_bits));
    return mcl__call_program(call, tile, index_bits);
}

/* ---- one launch --------------------------------------------------------------------------------------------- */

static int segmented_is_once(const mcl__call *call, int64_t tiles)
{
    const mcl_context *const context = call->queue->context;
    const int64_t most = (MCL__SLOTS - 1) / segmented_part_words(call);
    const int64_t wanted =
        context->limits.is_gpu ? mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_once_tiles) : most;
    return (call->passes & MCL__BIT(ONCE)) && mcl__uses_slots(call->queue, call->options) && tiles > 0 &&
           tiles <= most && tiles <= wanted;
}

static mcl_status segmented_once(mcl__call *call, int64_t tiles)
{
    MCL__TRY(mcl__call_scratch_slots(call, SLOTS));
    MCL__TRY(mcl__call_begin(call));
    return mcl__call_launch(call, ONCE, tiles);
}

/* ---- one launch, segments long on average -------------------------------------------------------------------- */

static int segmented_is_direct(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int threads = mcl__call_tile(call).threads;
    const int64_t segments = call->room[OUT];
    const int few = segmented_lanes(call, threads, threads) > 1 &&
                    segments <= mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_few_segments);
    const int64_t length = mcl__tuned(context, few ? MCL__PARAMETER_segmented_reduce_direct_length_of_few
                                                   : MCL__PARAMETER_segmented_reduce_direct_length);
    return (call->passes & MCL__BIT(DIRECT)) && segments > 0 && call->operands[IN].input->count / length >= segments;
}

/* Begins the call and clears the words of the pieces. They are in the queue's slots, which are zero already, or in
 * scratch. */
static mcl_status segmented_begin_direct(mcl__call *call)
{
    const size_t bytes = (size_t)((call->scalars[PIECES] + 1) * segmented_part_words(call)) * sizeof(uint64_t);
    const mcl__span *const words = &call->scratch[SLOTS].span;
    const uint32_t zero = 0;
    const int in_slots = mcl__uses_slots(call->queue, call->options);
    if (in_slots)
        MCL__TRY(mcl__call_scratch_slots(call, SLOTS));
    else
        mcl__call_scratch(call, SLOTS, bytes);
    MCL__TRY(mcl__call_begin(call));
    if (in_slots || call->queue->preparing) return MCL_OK;
    return mcl__enqueue_fill(call->queue, words->buffer, words->offset, bytes, &zero, sizeof zero);
}

/* Launches groups that fold segments without tiles. owners is the number of groups that fold whole segments. One group
 * in 1 << spread folds a piece of 1 << bits elements instead. */
static mcl_status segmented_direct(mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int threads = mcl__call_tile(call).threads, teams = threads / segmented_lanes(call, threads, threads);
    const int64_t segments = call->room[OUT], count = call->operands[IN].input->count;
    const int64_t group_segments = mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_group_segments);
    const int64_t group_length = mcl__tuned(context, MCL__PARAMETER_segmented_reduce_group_length);
    const int is_single = teams == threads || segments <= group_segments || count / group_length >= segments;
    const int64_t owners = is_single ? segments : mcl__divide_up(segments, teams);
    int64_t bits = mcl__tuned(context, MCL__PARAMETER_segmented_reduce_piece_bits), spread = 0;
    while (((count >> bits) + 1) * segmented_part_words(call) > MCL__SLOTS) ++bits;
    const int64_t pieces = count >> bits;
    while (pieces << (spread + 1) <= owners + pieces && pieces > 0) ++spread;
    call->scalars[PIECE_BITS] = bits;
    call->scalars[PIECES] = pieces;
    call->scalars[SPREAD] = spread;
    MCL__TRY(segmented_begin_direct(call));
    return mcl__call_launch(call, is_single ? DIRECT : TEAMS, owners + pieces);
}

/* ---- several launches --------------------------------------------------------------------------------------- */

/* Begins the call and launches its tiles. share is the number of tiles whose parts one group of segment_finish
 * combines. */
static mcl_status segmented_in_tiles(mcl__call *call, int64_t tiles)
{
    const mcl_context *const context = call->queue->context;
    const int threads = mcl__call_tile(call).threads, searchers = mcl__call_pass_threads(call, PARTITION);
    const int few = tiles <= mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_reduce_lanes_tiles);
    const int64_t lanes = few ? segmented_lanes(call, threads, searchers) : 1;
    const int64_t serial = mcl__tuned(context, MCL__PARAMETER_segmented_reduce_finish_tiles_serial);
    const int64_t least = threads == 1 ? serial : threads;
    const int64_t shares = least * mcl__tuned(context, MCL__PARAMETER_segmented_reduce_finish_shares);
    const int64_t share = least * mcl__divide_up(tiles, shares);
    if (tiles == 0) return mcl__call_begin(call);
    call->scalars[SPLITS] = tiles + 1;
    call->scalars[LANES] = lanes;
    call->scalars[TILE_COUNT] = tiles;
    call->scalars[SHARE] = share;
    mcl__call_scratch(call, SPLIT, mcl__call_index_bytes(call, tiles + 1));
    mcl__call_scratch(call, INFOS, (size_t)tiles * sizeof(int64_t));
    mcl__call_scratch(call, FOLDS, 2 * (size_t)tiles * segmented_accumulator(call));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__call_launch_items(call, PARTITION, (tiles + 1) * lanes));
    MCL__TRY(mcl__call_launch(call, TILES, tiles));
    return mcl__call_launch(call, FINISH, mcl__divide_up(tiles, share));
}

/* ---- by a tree, where bits must be the same ------------------------------------------------------------------- */

/* Checks that the device's loop limit allows a segment of all elements. A segment's work-item takes 5 loop iterations
 * for a leaf of 16 elements (fold_serial.clh). */
static mcl_status check_tree_loops(const mcl__call *call)
{
    enum { ELEMENTS_A_STEP = 3 };
    const int64_t budget = call->queue->context->limits.loop_budget, count = call->operands[IN].input->count;
    if (budget == 0 || count / ELEMENTS_A_STEP <= budget) return MCL_OK;
    return mcl__fail(MCL_ERROR_UNSUPPORTED,
                     "in has up to %lld elements, but the device ends loops early; expected at most %lld with "
                     "MCL_DETERMINISTIC or MCL_REPRODUCIBLE",
                     (long long)count, (long long)(budget * ELEMENTS_A_STEP));
}

static mcl_status segmented_tree_program(mcl__call *call, int has_end)
{
    const mcl_type *const type = call->operands[IN].input->type;
    const size_t accumulator = segmented_accumulator(call), element = mcl__staged_bytes(type);
    const mcl__tile_need need = {
        .element_bytes = segmented_slot(type->size, accumulator),
        .local_bytes_per_item = element,
        .local_bytes_per_thread = element + accumulator + sizeof(int64_t),
        .local_bytes_fixed = (34 + 66) * accumulator + element + 64,
        .lone_bytes_per_thread = accumulator,
    };
    MCL__TRY(check_tree_loops(call));
    segmented_place(call);
    call->passes = MCL__BIT(TREE);
    mcl__call_initial(call, OP, INITIAL);
    mcl__call_define(call, "HAS_INITIAL", call->initial.given);
    mcl__call_define(call, "SEGMENTS_END", has_end);
    mcl__call_define(call, "SEGMENT_TREE", 1);
    const mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_scan_two_pass, need);
    return mcl__call_program(call, mcl__tree_tile(tile), mcl__index_bits(segmented_steps(call), call->options));
}

/* Begins the call and launches the tree. Groups share the segments. In the serial mapping a part may have several
 * segments. */
static mcl_status segmented_tree(mcl__call *call)
{
    const int64_t segments = call->room[OUT];
    const int threads = mcl__call_tile(call).threads;
    MCL__TRY(mcl__call_begin(call));
    if (segments == 0) return MCL_OK;
    if (threads > 1) return mcl__call_launch(call, TREE, mcl__divide_up(segments, threads));
    const int64_t parts = mcl__tuned_a_unit(call->queue->context, MCL__PARAMETER_any_parts);
    const int64_t least = call->queue->context->limits.loop_budget > 0 ? segments : parts;
    return mcl__call_launch(call, TREE, segments < least ? segments : least);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

/* Begins and launches the call: without tiles, with tiles in one launch, or with tiles in several launches. */
static mcl_status segmented_run(mcl__call *call)
{
    const int64_t tile_size = mcl__call_tile_size(call);
    const int64_t steps = call->room[OUT] > 0 ? segmented_steps(call) : 0, tiles = mcl__divide_up(steps, tile_size);
    if (segmented_is_direct(call)) return segmented_direct(call);
    MCL__TRY(mcl__check_tiles(steps, tile_size));
    return segmented_is_once(call, tiles) ? segmented_once(call, tiles) : segmented_in_tiles(call, tiles);
}

/* Runs a reduction with segments given by offsets or begins. */
static mcl_status segmented_by_offsets(mcl__call *call, mcl_segments *segments)
{
    const int has_end = segments->kind == MCL_SEGMENT_OFFSETS;
    const int64_t given = segments->input.count;
    mcl__call number;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__check_fold(call->operands[OP].op, call->options, NULL));
    const int stores = !mcl__is_left_out(call->operands[OUT].output);
    const mcl_result *const count = mcl__is_asked(call->operands[COUNT].result) ? call->operands[COUNT].result : NULL;
    call->room[OUT] = stores && given > has_end ? given - has_end : 0;
    MCL__TRY(mcl__call_ready(call));
    const int has_tree = mcl__call_by_tree(call, OP);
    MCL__TRY(has_tree ? segmented_tree_program(call, has_end) : segmented_program(call, has_end));
    if (count) MCL__TRY(mcl__segments_count_plan(call->queue, segments, count, call->options, &number));
    MCL__TRY(has_tree ? segmented_tree(call) : segmented_run(call));
    if (count) MCL__TRY(mcl__segments_count_launch(&number, call->results[COUNT]));
    return mcl__call_end(call);
}

mcl_status mcl_segmented_reduce(mcl_queue *queue, mcl_input in, mcl_segments segments, mcl_output out, const mcl_op *op,
                                mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &segmented_reduce, "mcl_segmented_reduce", queue, options);
    MCL__TRY(mcl__segments_check(&segments));
    if (segments.kind == MCL_SEGMENT_INDICES || segments.kind == MCL_SEGMENT_FLAGS) {
        mcl__runs_init(&call, &mcl__reduce_by_flags, call.function, queue, &in, &out, op, options);
        mcl__runs_by(&call, &segments, &count);
        return mcl__runs_call(&call, MCL_INCLUSIVE);
    }
    call.operands[IN].input = &in;
    call.operands[OFFSETS].input = &segments.input;
    call.operands[OUT].output = &out;
    call.operands[OP].op = op;
    call.operands[COUNT].result = &count;
    return segmented_by_offsets(&call, &segments);
}

mcl_status mcl_segmented_scan(mcl_queue *queue, mcl_input in, mcl_segments segments, mcl_output out, const mcl_op *op,
                              mcl_scan_kind kind, const mcl_options *options)
{
    mcl__call call;
    mcl__runs_init(&call, &mcl__scan_runs, "mcl_segmented_scan", queue, &in, &out, op, options);
    MCL__TRY(mcl__segments_check(&segments));
    mcl__runs_by(&call, &segments, NULL);
    return mcl__runs_call(&call, kind);
}
