/* scan.c: mcl_scan. Kernels: cl/kernels/scan.cl.
 * Single pass: a group takes the next tile, publishes its fold and looks back for the fold of the tiles before it.
 * Two passes, where groups may not wait for each other, or where the output replaces the input and a group could not
 * fold the input again. They work in blocks that fit the device's cache: fold the block's parts, scan these folds, then
 * scan each part after its fold. */
#include "call/run.h"
#include "facts/scan.h"

#include "moderncl/scan.h"

enum { IN = 1, OUT, OP, TOTAL };                      /* operands */
enum { CLEAR, TILES, FEW_TILES, PARTS, SPINE, DOWN }; /* passes */
enum { PARTIALS, CARRY };                             /* scratch: folds of parts; of all before a block */
enum { BLOCK, BLOCK_SIZE, PART_COUNT, TURN, FLAGS };  /* numbers; TURN: which of CARRY's two holds the fold */
enum { INITIAL };                                     /* values */
enum {
    SINGLE_PASS = MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES),
    TWO_PASSES = MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(DOWN)
};

#define TILES_WORDS                                                                                                    \
    { MCL__ENV, MCL__OF + IN, MCL__OF + OUT, MCL__OF + TOTAL, MCL__INT + FLAGS, MCL__STATES, MCL__VALUE + INITIAL }
#define BLOCK_WORDS MCL__ENV, MCL__OF + IN, MCL__INDEX + BLOCK, MCL__INDEX + BLOCK_SIZE, MCL__PIECE + PARTIALS

static const mcl__declaration scan = {
    .file = "kernels/scan.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands = { [IN] = { "in", .kind = MCL__INPUT },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .in_place = MCL__BIT(IN), .arrays_only = 1,
                            .optional = 1 },
                  [OP] = { "fold", .kind = MCL__OPERATOR, .said = "op", .use = MCL_ROLE_FOLD, .of = IN },
                  [TOTAL] = { "total", .kind = MCL__RESULT, .fold = OP } },
    .pieces = { [PARTIALS] = { "partials", "fold_type" }, [CARRY] = { "carry", "fold_type" } },
    .numbers = { "block", "block_size", "parts", "turn", "flags" },
    .values = { [INITIAL] = { "initial", "fold_type" } },
    .passes = { [CLEAR] = { MCL__LOOK_BACK_CLEAR },
                [TILES] = { "scan_tiles", .words = TILES_WORDS },
                [FEW_TILES] = { "scan_few_tiles", .words = TILES_WORDS },
                [PARTS] = { "scan_parts", .words = { BLOCK_WORDS } },
                [SPINE] = { "scan_spine", .words = { BLOCK_WORDS, MCL__INT + PART_COUNT, MCL__PIECE + CARRY,
                                                     MCL__INT + TURN, MCL__VALUE + INITIAL } },
                [DOWN] = { "scan_down", .words = { BLOCK_WORDS, MCL__OF + OUT, MCL__OF + TOTAL, MCL__INT + FLAGS,
                                                   MCL__VALUE + INITIAL } } },
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
    const int looks_back =
        context->limits.look_back && !is_wide && !mcl__wants(run->options, MCL_DETERMINISTIC) && !mcl__run_aliases(run);
    const size_t in = mcl__staged_bytes(run->given[IN].input->type);
    const size_t out = mcl__staged_bytes(run->given[OUT].output->type), wider = in > out ? in : out;
    const mcl__tile_need need = {
        .element_bytes = wider > accumulator ? wider : accumulator,
        .local_bytes_per_item = in == out ? in : in + out,
        .local_bytes_fixed = 34 * accumulator + 64,
        .lone_bytes_per_thread = accumulator,
    };
    const mcl__operation operation = looks_back ? MCL__OPERATION_scan : MCL__OPERATION_scan_two_pass;
    const int64_t resident =
        is_wide ? 0 : mcl__resident(context, MCL__PARAMETER_scan_resident_4, accumulator, index_bits);
    run->passes = looks_back ? SINGLE_PASS : TWO_PASSES;
    mcl__run_initial(run, OP, INITIAL);
    mcl__run_define(run, "SCAN_LOOK_BACK", looks_back);
    mcl__run_define(run, "SCAN_INCLUSIVE", scan_is_inclusive(kind));
    mcl__run_define(run, "SCAN_SEPARATE", in != out);
    mcl__run_define(run, "HAS_INITIAL", run->initial.given);
    mcl__run_define(run, "RESIDENT", (int)resident);
    return mcl__run_program(run, mcl__run_choose_tile(run, operation, need), index_bits);
}

/* ---- two passes ----------------------------------------------------------------------------------------------- */

static int64_t scan_block(const mcl__run *run)
{
    return mcl__run_block(run, run->given[IN].input->type->size + run->given[OUT].output->type->size);
}

/* Parts of a block of size elements. */
static int64_t scan_parts(const mcl__run *run, int64_t size)
{
    return mcl__run_parts(run, mcl__run_tiles(run, size), 8);
}

static mcl_status scan_launch_blocks(mcl__run *run)
{
    const int64_t count = run->given[IN].input->count, block = scan_block(run);
    for (int64_t begin = 0; begin == 0 || begin < count; begin += block) {
        const int64_t size = count - begin < block ? count - begin : block;
        const int64_t parts = scan_parts(run, size);
        run->numbers[BLOCK] = begin;
        run->numbers[BLOCK_SIZE] = size;
        run->numbers[PART_COUNT] = parts;
        if (parts > 1 || count > block) {
            MCL__TRY(mcl__run_launch(run, PARTS, parts));
            MCL__TRY(mcl__run_launch(run, SPINE, 1));
        }
        MCL__TRY(mcl__run_launch(run, DOWN, parts));
        run->numbers[TURN] = !run->numbers[TURN];
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
    const size_t accumulator = mcl__fold_bytes(run->given[OP].op, in->type, index_bits);
    MCL__TRY(scan_program(run, kind, index_bits, accumulator));
    run->numbers[FLAGS] = (mcl__is_asked(total) ? TOTAL_TO_SLOT : 0) | (scan_stores_total(kind) ? TOTAL_AT_END : 0);
    if (run->passes == SINGLE_PASS) return mcl__run_look_back(run, in->count, accumulator);
    const int64_t block = scan_block(run);
    mcl__run_need(run, PARTIALS, (size_t)scan_parts(run, in->count < block ? in->count : block) * accumulator);
    mcl__run_need(run, CARRY, 2 * accumulator);
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
    mcl__run run = mcl__run_of(&scan, "mcl_scan", queue, options);
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
    *part = mcl__run_of(&scan, NULL, queue, options);
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
