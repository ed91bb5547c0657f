/* scan.c: mcl_scan. Kernels: cl/kernels/fold/scan.cl.
 * Single pass: a group takes the next tile, publishes its fold and looks back for the fold of the tiles before it.
 * Two passes by a tree over indices, whose sums do not depend on the tile (cl/pieces/tree/tree.clh): where bits must
 * be the same, where groups may not wait for each other, or where the output replaces the input and a group could not
 * fold the input again. Fold each tile, make nodes of the tree above the tiles, then scan each tile after the prefix
 * that the nodes give. Processors do so in blocks that fit their cache. */
#include "operations/fold/scan.h"
#include "call/run.h"
#include "facts/scan.h"

#include "moderncl/scan.h"

enum { IN = 1, OUT, OP, TOTAL };                             /* operands */
enum { CLEAR, TILES, FEW_TILES, FOLDS, SPINE, DOWN, WHOLE }; /* passes */
enum { NODES, PREFIXES };                                    /* scratch: of the tree above the tiles */
enum { BLOCK, BLOCK_TILES, FLAGS };                          /* numbers */
enum { INITIAL };                                            /* values */
enum {
    SINGLE_PASS = MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES),
    TWO_PASSES = MCL__BIT(FOLDS) | MCL__BIT(SPINE) | MCL__BIT(DOWN) | MCL__BIT(WHOLE)
};

#define TILES_WORDS                                                                                                    \
    { MCL__ENV, MCL__OF + IN, MCL__OF + OUT, MCL__OF + TOTAL, MCL__INT + FLAGS, MCL__STATES, MCL__VALUE + INITIAL }
#define BLOCK_WORDS MCL__ENV, MCL__OF + IN, MCL__INDEX + BLOCK, MCL__INDEX + BLOCK_TILES, MCL__PIECE + NODES
#define PREFIX_WORDS BLOCK_WORDS, MCL__PIECE + PREFIXES, MCL__VALUE + INITIAL
#define RESULT_WORDS PREFIX_WORDS, MCL__OF + OUT, MCL__OF + TOTAL, MCL__INT + FLAGS

static const mcl__declaration scan = {
    .file = "kernels/fold/scan.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands = { [IN] = { "in", .kind = MCL__INPUT },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .in_place = MCL__BIT(IN), .arrays_only = 1,
                            .optional = 1 },
                  [OP] = { "fold", .kind = MCL__OPERATOR, .said = "op", .use = MCL_ROLE_FOLD, .of = IN },
                  [TOTAL] = { "total", .kind = MCL__RESULT, .fold = OP } },
    .pieces = { [NODES] = { "nodes", "fold_type" }, [PREFIXES] = { "prefixes", "fold_type" } },
    .numbers = { "block", "block_tiles", "flags" },
    .values = { [INITIAL] = { "initial", "fold_type" } },
    .passes = { [CLEAR] = { MCL__LOOK_BACK_CLEAR },
                [TILES] = { "scan_tiles", .words = TILES_WORDS },
                [FEW_TILES] = { "scan_few_tiles", .words = TILES_WORDS },
                [FOLDS] = { "scan_nodes", .words = { BLOCK_WORDS } },
                [SPINE] = { "scan_spine", .words = { PREFIX_WORDS } },
                [DOWN] = { "scan_down", .words = { RESULT_WORDS } },
                [WHOLE] = { "scan_total", .words = { RESULT_WORDS } } },
};

static int scan_is_inclusive(mcl_scan_kind kind)
{
    return kind == MCL_INCLUSIVE || kind == MCL_INCLUSIVE_WITH_TOTAL;
}

static int scan_stores_total(mcl_scan_kind kind)
{
    return kind == MCL_EXCLUSIVE_WITH_TOTAL || kind == MCL_INCLUSIVE_WITH_TOTAL;
}

static mcl_status scan_check(mcl__run *run, mcl_scan_kind kind)
{
    const mcl_input *const in = run->given[IN].input;
    const int has_total = run->given[TOTAL].result->type || scan_stores_total(kind);
    const char *const needs_identity = !scan_is_inclusive(kind)      ? "an exclusive scan"
                                       : in->count == 0 && has_total ? "a total of nothing"
                                                                     : NULL;
    MCL__TRY(mcl__run_check(run));
    MCL__TRY(mcl__check_fold(run->given[OP].op, run->options, needs_identity));
    run->room[OUT] = in->count + scan_stores_total(kind);
    return mcl__run_ready(run);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* accumulator: its bytes. */
static mcl_status scan_program(mcl__run *run, mcl_scan_kind kind, int index_bits, size_t accumulator)
{
    const mcl_context *const context = run->queue->context;
    const int is_wide = accumulator > MCL__LOOK_BACK_BYTES_MAX; /* such accumulators spill anyway */
    const int by_tree = mcl__fold_by_tree(mcl__run_accumulator(run, OP), run->options);
    const int looks_back = context->limits.look_back && !is_wide && !by_tree && !mcl__run_aliases(run);
    const size_t in = mcl__staged_bytes(run->given[IN].input->type);
    const size_t out = mcl__staged_bytes(run->given[OUT].output->type), wider = in > out ? in : out;
    const mcl__tile_need need = {
        .element_bytes = wider > accumulator ? wider : accumulator,
        .local_bytes_per_item = in == out ? in : in + out,
        .local_bytes_per_thread = looks_back ? 0 : accumulator + (in == out ? in : in + out), /* at most 32 items */
        .local_bytes_fixed = (looks_back ? 34 : 38) * accumulator + 64,
        .lone_bytes_per_thread = accumulator,
    };
    const mcl__operation operation = looks_back ? MCL__OPERATION_scan : MCL__OPERATION_scan_two_pass;
    const int64_t resident = is_wide ? 0
                             : looks_back
                                 ? mcl__resident(context, MCL__PARAMETER_scan_resident_4, accumulator, index_bits)
                                 : mcl__resident(context, MCL__PARAMETER_scan_tree_resident_4, accumulator, index_bits);
    run->passes = looks_back ? SINGLE_PASS : TWO_PASSES;
    mcl__run_initial(run, OP, INITIAL);
    mcl__run_define(run, "SCAN_LOOK_BACK", looks_back);
    mcl__run_define(run, "SCAN_INCLUSIVE", scan_is_inclusive(kind));
    mcl__run_define(run, "SCAN_SEPARATE", in != out);
    mcl__run_define(run, "HAS_INITIAL", run->initial.given);
    mcl__run_define(run, "RESIDENT", (int)resident);
    mcl__run_keeps_folds(run, accumulator, accumulator);
    const mcl__tile tile = mcl__run_choose_tile(run, operation, need);
    return mcl__run_program(run, looks_back ? tile : mcl__tree_tile(tile), index_bits);
}

/* ---- two passes ----------------------------------------------------------------------------------------------- */

/* Tiles of a block. The group mapping has one block: a GPU's launches cost more than the second reading. */
static int64_t scan_block_tiles(const mcl__run *run)
{
    const int64_t tiles = mcl__run_tiles(run, run->given[IN].input->count);
    const size_t bytes = run->given[IN].input->type->size + run->given[OUT].output->type->size;
    const int reads_once = mcl__is_left_out(run->given[OUT].output);
    const int64_t cached = mcl__run_block(run, bytes) / mcl__run_tile_size(run);
    int64_t block = mcl__run_tree_block(run, tiles);
    if (!mcl__run_is_serial(run) || run->queue->context->limits.is_gpu || reads_once) return block;
    while (block > 1 && block > cached) block /= 2;
    return block;
}

/* Where no output is wanted, the last pass is for the total alone. The host may know a higher count than the device. */
static mcl_status scan_launch_blocks(mcl__run *run)
{
    const int64_t count = run->given[IN].input->count, tiles = mcl__run_tiles(run, count);
    const int64_t block = scan_block_tiles(run), whole = count / mcl__run_tile_size(run);
    const int is_total_alone = mcl__is_left_out(run->given[OUT].output);
    run->numbers[BLOCK_TILES] = block;
    for (int64_t first = 0; first == 0 || first < tiles; first += block) {
        const int64_t folds = whole - first < block ? whole - first : block;
        const int64_t rest = tiles - first < block ? tiles - first : block;
        const int is_last = first + block >= tiles;
        run->numbers[BLOCK] = first;
        if (folds > 0) MCL__TRY(mcl__run_launch(run, FOLDS, mcl__run_tree_groups(run, folds, 8)));
        if (is_total_alone && is_last) return mcl__run_launch(run, WHOLE, 1);
        if (folds > 0) MCL__TRY(mcl__run_launch(run, SPINE, 1));
        if (!is_total_alone) MCL__TRY(mcl__run_launch(run, DOWN, mcl__run_tree_groups(run, rest, 8)));
    }
    return MCL_OK;
}

/* ---- both ----------------------------------------------------------------------------------------------------- */

/* The way, its program and its scratch. */
static mcl_status scan_plan(mcl__run *run, mcl_scan_kind kind)
{
    const mcl_input *const in = run->given[IN].input;
    const mcl_result *const total = run->given[TOTAL].result;
    const int index_bits = mcl__index_bits(in->count, run->options);
    const size_t accumulator = mcl__fold_bytes(mcl__run_accumulator(run, OP), in->type, index_bits);
    MCL__TRY(scan_program(run, kind, index_bits, accumulator));
    run->numbers[FLAGS] = (mcl__is_asked(total) ? TOTAL_TO_SLOT : 0) | (scan_stores_total(kind) ? TOTAL_AT_END : 0);
    if (run->passes == SINGLE_PASS) return mcl__run_look_back(run, in->count, accumulator);
    MCL__TRY(mcl__check_tiles(in->count, mcl__run_tile_size(run)));
    mcl__run_need(run, NODES, (size_t)(in->count / mcl__run_tile_size(run)) * accumulator);
    mcl__run_need(run, PREFIXES, (size_t)(in->count / mcl__run_tile_size(run) + 1) * accumulator);
    return MCL_OK;
}

static mcl_status scan_launch(mcl__run *run)
{
    const int64_t tiles = run->look_back.tiles;
    if (run->passes == TWO_PASSES) return scan_launch_blocks(run);
    return mcl__run_launch_look_back(run, CLEAR, TILES, FEW_TILES,
                                     mcl__fold_groups(run->queue->context, mcl__run_tile(run), tiles, tiles));
}

mcl_status mcl_scan(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *op, mcl_scan_kind kind,
                    mcl_result total, const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &scan, "mcl_scan", queue, options);
    run.given[IN].input = &in;
    run.given[OUT].output = &out;
    run.given[OP].op = op;
    run.given[TOTAL].result = &total;
    if (!scan_is_inclusive(kind) && kind != MCL_EXCLUSIVE && kind != MCL_EXCLUSIVE_WITH_TOTAL)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "kind is %d; expected MCL_EXCLUSIVE or MCL_INCLUSIVE, or either _WITH_TOTAL", (int)kind);
    MCL__TRY(scan_check(&run, kind));
    MCL__TRY(scan_plan(&run, kind));
    MCL__TRY(mcl__run_begin(&run));
    MCL__TRY(scan_launch(&run));
    return mcl__run_end(&run);
}

/* ---- a part of another call ------------------------------------------------------------------------------------- */

mcl_status mcl__scan_plan(mcl_queue *queue, mcl_input *in, mcl_output *out, const mcl_op *op,
                          const mcl_options *options, mcl__run *part)
{
    static const mcl_result no_total;
    mcl__run_init(part, &scan, NULL, queue, options);
    part->given[IN].input = in;
    part->given[OUT].output = out;
    part->given[OP].op = op;
    part->given[TOTAL].result = &no_total;
    MCL__TRY(mcl__context_probe(queue->context));
    return scan_plan(part, MCL_EXCLUSIVE);
}

mcl_status mcl__scan_launch(mcl__run *part)
{
    mcl__run_take(part);
    return scan_launch(part);
}

/* ---- a reduction ------------------------------------------------------------------------------------------------ */

mcl_status mcl__scan_total(mcl_queue *queue, mcl_input *in, const mcl_op *op, const mcl_result *result,
                           const mcl_options *options)
{
    static const char *const said[MCL__DECLARED_MAX] = { [TOTAL] = "result" };
    mcl_output nothing = { 0 };
    mcl__run run;
    mcl__run_init(&run, &scan, "mcl_reduce", queue, options);
    run.said = said;
    run.given[IN].input = in;
    run.given[OUT].output = &nothing;
    run.given[OP].op = op;
    run.given[TOTAL].result = result;
    MCL__TRY(mcl__run_check(&run));
    MCL__TRY(mcl__check_fold(op, options, in->count == 0 ? "reducing nothing" : NULL));
    MCL__TRY(mcl__run_ready(&run));
    if (!mcl__is_asked(result)) return mcl__call_nothing(queue, options);
    MCL__TRY(scan_plan(&run, MCL_INCLUSIVE));
    MCL__TRY(mcl__run_begin(&run));
    MCL__TRY(scan_launch(&run));
    return mcl__run_end(&run);
}
