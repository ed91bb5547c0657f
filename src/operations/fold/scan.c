/* scan.c: mcl_scan. Kernels: cl/kernels/fold/scan.cl.
 *
 * In a single pass, a group takes the next tile, publishes its fold, and looks back for the fold of all earlier tiles.
 *
 * Two passes use a tree over indices, so that sums do not depend on the tile (cl/pieces/tree/tree.clh). Calls take two
 * passes where bits must be the same, and where groups may not wait for each other. Calls whose output replaces the
 * input take two passes too: a group could not fold the input again. The first launch folds each tile. The second makes
 * the nodes of the tree above the tiles. The last scans each tile, starting from the prefix that the nodes give.
 * Processors repeat these launches for blocks of tiles that fit the cache. */
#include "operations/fold/scan.h"
#include "call/call.h"
#include "facts/scan.h"

#include "moderncl/scan.h"

enum { IN = 1, OUT, OP, TOTAL };                             /* operands */
enum { CLEAR, TILES, FEW_TILES, FOLDS, SPINE, DOWN, WHOLE }; /* passes */
enum { NODES, PREFIXES };                                    /* scratch for the tree above the tiles */
enum { BLOCK, BLOCK_TILES, FLAGS };                          /* scalars */
enum { INITIAL };                                            /* by-value arguments */
enum {
    SINGLE_PASS = MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES),
    TWO_PASSES = MCL__BIT(FOLDS) | MCL__BIT(SPINE) | MCL__BIT(DOWN) | MCL__BIT(WHOLE)
};

#define TILES_ARGUMENTS                                                                                                \
    { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(OUT), OPERAND(TOTAL), AS_INT(FLAGS), MCL__STATES, BY_VALUE(INITIAL) }
#define BLOCK_ARGUMENTS MCL__ENVIRONMENT, OPERAND(IN), AS_INDEX(BLOCK), AS_INDEX(BLOCK_TILES), SCRATCH(NODES)
#define PREFIX_ARGUMENTS BLOCK_ARGUMENTS, SCRATCH(PREFIXES), BY_VALUE(INITIAL)
#define RESULT_ARGUMENTS PREFIX_ARGUMENTS, OPERAND(OUT), OPERAND(TOTAL), AS_INT(FLAGS)

static const mcl__declaration scan = {
    .file = "kernels/fold/scan.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands =
        (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT },
                         [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .combined = 1, .in_place = MCL__BIT(IN),
                                   .arrays_only = 1, .optional = 1 },
                         [OP] = { "fold", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = IN },
                         [TOTAL] = { "total", .kind = MCL__RESULT, .fold = OP } },
    .scratch = { [NODES] = { "nodes", "fold_type" }, [PREFIXES] = { "prefixes", "fold_type" } },
    .scalars = { "block", "block_tiles", "flags" },
    .by_value = { [INITIAL] = { "initial", "fold_type" } },
    .passes = (mcl__passes){ [CLEAR] = { MCL__LOOK_BACK_CLEAR },
                             [TILES] = { "scan_tiles", .arguments = TILES_ARGUMENTS },
                             [FEW_TILES] = { "scan_few_tiles", .arguments = TILES_ARGUMENTS },
                             [FOLDS] = { "scan_nodes", .arguments = { BLOCK_ARGUMENTS } },
                             [SPINE] = { "scan_spine", .arguments = { PREFIX_ARGUMENTS } },
                             [DOWN] = { "scan_down", .arguments = { RESULT_ARGUMENTS } },
                             [WHOLE] = { "scan_total", .arguments = { RESULT_ARGUMENTS } } },
};

static int scan_is_inclusive(mcl_scan_kind kind)
{
    return kind == MCL_INCLUSIVE || kind == MCL_INCLUSIVE_WITH_TOTAL;
}

static int scan_stores_total(mcl_scan_kind kind)
{
    return kind == MCL_EXCLUSIVE_WITH_TOTAL || kind == MCL_INCLUSIVE_WITH_TOTAL;
}

static mcl_status scan_check(mcl__call *call, mcl_scan_kind kind)
{
    const mcl_input *const in = call->operands[IN].input;
    const int has_total = call->operands[TOTAL].result->type || scan_stores_total(kind);
    const char *const needs_identity = !scan_is_inclusive(kind)      ? "an exclusive scan"
                                       : in->count == 0 && has_total ? "a total of nothing"
                                                                     : NULL;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__check_fold(call->operands[OP].op, call->options, needs_identity));
    call->room[OUT] = in->count + scan_stores_total(kind);
    return mcl__call_ready(call);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Finds the program. accumulator: bytes of an accumulator. */
static mcl_status scan_program(mcl__call *call, mcl_scan_kind kind, int index_bits, size_t accumulator)
{
    const mcl_context *const context = call->queue->context;
    const int is_wide = accumulator > MCL__LOOK_BACK_BYTES_MAX; /* registers cannot hold so large accumulators */
    const int by_tree = mcl__call_by_tree(call, OP);
    const int looks_back = context->limits.look_back && !is_wide && !by_tree && !mcl__call_aliases(call);
    const size_t in = mcl__staged_bytes(call->operands[IN].input->type);
    const size_t out = mcl__staged_bytes(call->operands[OUT].output->type), wider = in > out ? in : out;
    const mcl__tile_need need = {
        .element_bytes = wider > accumulator ? wider : accumulator,
        .local_bytes_per_item = in == out ? in : in + out,
        /* Padding for up to 32 elements per work-item. */
        .local_bytes_per_thread = looks_back ? 0 : accumulator + (in == out ? in : in + out),
        .local_bytes_fixed = (looks_back ? 34 : 38) * accumulator + 64,
        .lone_bytes_per_thread = accumulator,
    };
    const mcl__operation operation = looks_back ? MCL__OPERATION_scan : MCL__OPERATION_scan_two_pass;
    const int64_t resident = is_wide ? 0
                             : looks_back
                                 ? mcl__resident(context, MCL__PARAMETER_scan_resident_4, accumulator, index_bits)
                                 : mcl__resident(context, MCL__PARAMETER_scan_tree_resident_4, accumulator, index_bits);
    call->passes = looks_back ? SINGLE_PASS : TWO_PASSES;
    mcl__call_initial(call, OP, INITIAL);
    mcl__call_define(call, "SCAN_LOOK_BACK", looks_back);
    mcl__call_define(call, "SCAN_INCLUSIVE", scan_is_inclusive(kind));
    mcl__call_define(call, "SCAN_SEPARATE", in != out);
    mcl__call_define(call, "HAS_INITIAL", call->initial.given);
    mcl__call_define(call, "RESIDENT", (int)resident);
    mcl__call_keeps_folds(call, accumulator, accumulator);
    const mcl__tile tile = mcl__call_choose_tile(call, operation, need);
    return mcl__call_program(call, looks_back ? tile : mcl__tree_tile(tile), index_bits);
}

/* ---- two passes ----------------------------------------------------------------------------------------------- */

/* Returns the number of tiles in a block. The group mapping has a single block: on a GPU, more launches cost more than
 * reading the input from memory a second time. */
static int64_t scan_block_tiles(const mcl__call *call)
{
    const int64_t tiles = mcl__call_tiles(call, call->operands[IN].input->count);
    const size_t bytes = call->operands[IN].input->type->size + call->operands[OUT].output->type->size;
    const int reads_once = mcl__is_left_out(call->operands[OUT].output);
    const int64_t cached = mcl__call_block(call, bytes) / mcl__call_tile_size(call);
    int64_t block = mcl__call_tree_block(call, tiles);
    if (!mcl__call_is_serial(call) || call->queue->context->limits.is_gpu || reads_once) return block;
    while (block > 1 && block > cached) block /= 2;
    return block;
}

/* Launches the two passes block by block. Without an output the last pass only computes the total. The count on the
 * host may be higher than the count on the device. */
static mcl_status scan_launch_blocks(mcl__call *call)
{
    const int64_t count = call->operands[IN].input->count, tiles = mcl__call_tiles(call, count);
    const int64_t block = scan_block_tiles(call), whole = count / mcl__call_tile_size(call);
    const int is_total_alone = mcl__is_left_out(call->operands[OUT].output);
    call->scalars[BLOCK_TILES] = block;
    for (int64_t first = 0; first == 0 || first < tiles; first += block) {
        const int64_t folds = whole - first < block ? whole - first : block;
        const int64_t rest = tiles - first < block ? tiles - first : block;
        const int is_last = first + block >= tiles;
        call->scalars[BLOCK] = first;
        if (folds > 0) MCL__TRY(mcl__call_launch(call, FOLDS, mcl__call_tree_groups(call, folds, 8)));
        if (is_total_alone && is_last) return mcl__call_launch(call, WHOLE, 1);
        if (folds > 0) MCL__TRY(mcl__call_launch(call, SPINE, 1));
        if (!is_total_alone) MCL__TRY(mcl__call_launch(call, DOWN, mcl__call_tree_groups(call, rest, 8)));
    }
    return MCL_OK;
}

/* ---- both ----------------------------------------------------------------------------------------------------- */

/* Chooses between a single pass and two passes, finds the program and asks for scratch. */
static mcl_status scan_plan(mcl__call *call, mcl_scan_kind kind)
{
    const mcl_input *const in = call->operands[IN].input;
    const mcl_result *const total = call->operands[TOTAL].result;
    const int index_bits = mcl__index_bits(in->count, call->options);
    const size_t accumulator = mcl__fold_bytes(mcl__call_accumulator(call, OP), in->type, index_bits);
    MCL__TRY(scan_program(call, kind, index_bits, accumulator));
    call->scalars[FLAGS] = (mcl__is_asked(total) ? TOTAL_TO_SLOT : 0) | (scan_stores_total(kind) ? TOTAL_AT_END : 0);
    if (call->passes == SINGLE_PASS) return mcl__call_look_back(call, in->count, accumulator);
    MCL__TRY(mcl__check_tiles(in->count, mcl__call_tile_size(call)));
    mcl__call_scratch(call, NODES, (size_t)(in->count / mcl__call_tile_size(call)) * accumulator);
    mcl__call_scratch(call, PREFIXES, (size_t)(in->count / mcl__call_tile_size(call) + 1) * accumulator);
    return MCL_OK;
}

static mcl_status scan_launch(mcl__call *call)
{
    const int64_t tiles = call->look_back.tiles;
    if (call->passes == TWO_PASSES) return scan_launch_blocks(call);
    return mcl__call_launch_look_back(call, CLEAR, TILES, FEW_TILES,
                                      mcl__fold_groups(call->queue->context, mcl__call_tile(call), tiles, tiles));
}

mcl_status mcl_scan(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                    mcl_result total, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &scan, "mcl_scan", queue, options);
    call.operands[IN].input = &in;
    call.operands[OUT].output = &out;
    call.operands[OP].op = op;
    call.operands[TOTAL].result = &total;
    if (!scan_is_inclusive(kind) && kind != MCL_EXCLUSIVE && kind != MCL_EXCLUSIVE_WITH_TOTAL)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "kind is %d; expected MCL_EXCLUSIVE or MCL_INCLUSIVE, or either _WITH_TOTAL", (int)kind);
    MCL__TRY(scan_check(&call, kind));
    MCL__TRY(scan_plan(&call, kind));
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(scan_launch(&call));
    return mcl__call_end(&call);
}

/* ---- a part of another call ------------------------------------------------------------------------------------- */

mcl_status mcl__scan_plan(mcl_queue *queue, mcl_input *in, mcl_output *out, const mcl_op *op,
                          const mcl_options *options, mcl__call *part)
{
    static const mcl_result no_total;
    mcl__call_init(part, &scan, NULL, queue, options);
    part->operands[IN].input = in;
    part->operands[OUT].output = out;
    part->operands[OP].op = op;
    part->operands[TOTAL].result = &no_total;
    MCL__TRY(mcl__context_probe(queue->context));
    return scan_plan(part, MCL_EXCLUSIVE);
}

mcl_status mcl__scan_launch(mcl__call *part)
{
    mcl__call_take(part);
    return scan_launch(part);
}

/* ---- a reduction ------------------------------------------------------------------------------------------------ */

mcl_status mcl__scan_total(mcl_queue *queue, mcl_input *in, const mcl_op *op, const mcl_result *result,
                           const mcl_options *options)
{
    static const char *const label[MCL__DECLARED_MAX] = { [TOTAL] = "result" };
    mcl_output nothing = { 0 };
    mcl__call call;
    mcl__call_init(&call, &scan, "mcl_reduce", queue, options);
    call.label = label;
    call.operands[IN].input = in;
    call.operands[OUT].output = &nothing;
    call.operands[OP].op = op;
    call.operands[TOTAL].result = result;
    MCL__TRY(mcl__call_check(&call));
    MCL__TRY(mcl__check_fold(op, options, in->count == 0 ? "reducing nothing" : NULL));
    MCL__TRY(mcl__call_ready(&call));
    MCL__TRY(scan_plan(&call, MCL_INCLUSIVE));
    if (!mcl__is_asked(result)) return mcl__enqueue_nothing(queue, options);
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(scan_launch(&call));
    return mcl__call_end(&call);
}
