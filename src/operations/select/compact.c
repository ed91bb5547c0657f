/* compact.c: mcl_compact and its variants, and the work of partition.c and unique.c. Kernels:
 * cl/kernels/select/compact.cl. Single pass: a group takes the next tile, publishes what it has counted and looks back
 * for the counts of the tiles before it. Two passes, where groups may not wait for each other: count parts, scan their
 * counts, move the parts. They work through blocks that fit the device's cache. */
#include "operations/select/compact_call.h"
#include "call/fold.h"
#include "call/rank.h"

/* Short names of the operands. */
enum {
    IN = MCL__COMPACT_IN,
    DATA = MCL__COMPACT_DATA,
    VALUES = MCL__COMPACT_VALUES,
    OUT = MCL__COMPACT_OUT,
    SECOND = MCL__COMPACT_SECOND,
    REJECTED = MCL__COMPACT_REJECTED,
    OUT_VALUES = MCL__COMPACT_OUT_VALUES,
    REJECTED_VALUES = MCL__COMPACT_REJECTED_VALUES,
    LENGTHS = MCL__COMPACT_LENGTHS,
    COUNTS = MCL__COMPACT_COUNTS,
    INDICES = MCL__COMPACT_INDICES,
    TOTALS = MCL__COMPACT_TOTALS,
    TEST = MCL__COMPACT_TEST,
    SECOND_TEST = MCL__COMPACT_SECOND_TEST
};
enum { MOVED = MCL__COMPACT_MOVED };                                   /* groups of types */
enum { CLEAR, TILES, FEW_TILES, PARTS, SPINE, DOWN };                  /* passes: one by look-back, or two */
enum { PARTIALS, CARRY };                                              /* scratch, before MCL__COMPACT_STAGED */
enum { BLOCK, BLOCK_SIZE, PART_COUNT, TURN, HAS_CARRY, HAS_PARTIALS }; /* numbers */

/* The input that is tested in place of in. It has at least as many elements. */
#define FLAGS { "in", .kind = MCL__INPUT, .said = "flags", .types = MCL__INTEGERS, .as_many = DATA }
#define STENCIL { "in", .kind = MCL__INPUT, .said = "stencil", .as_many = DATA }
#define TEST_OF(name, said_as) { name, .kind = MCL__OPERATOR, .said = said_as, .use = MCL_ROLE_TEST, .of = IN }

#define COLUMN_WORDS(k) MCL__OF + VALUES + (k), MCL__OF + OUT_VALUES + (k)
#define OPERAND_WORDS                                                                                                  \
    MCL__ENV, MCL__OF + IN, MCL__OF + DATA, COLUMN_WORDS(0), COLUMN_WORDS(1), COLUMN_WORDS(2), COLUMN_WORDS(3),        \
        MCL__OF + REJECTED_VALUES, MCL__OF + REJECTED_VALUES + 1, MCL__OF + LENGTHS, MCL__OF + OUT, MCL__LIMIT + OUT,  \
        MCL__OF + SECOND, MCL__LIMIT + SECOND, MCL__OF + REJECTED, MCL__LIMIT + REJECTED, MCL__OF + COUNTS,            \
        MCL__ASKED + COUNTS, MCL__OF + INDICES, MCL__OF + TOTALS
#define BLOCK_WORDS MCL__INDEX + BLOCK, MCL__INDEX + BLOCK_SIZE, MCL__PIECE + PARTIALS
#define DECLARED(taken, tested, ...)                                                                                   \
    {                                                                                                                  \
        .file = "kernels/select/compact.cl", .takes = (taken),                                                         \
        .operands = { [IN] = tested, MCL__COMPACT_OPERANDS, __VA_ARGS__ },                                             \
        .pieces = { [PARTIALS] = { "partials", "fold_type" }, [CARRY] = { "carry", "fold_type" } },                    \
        .numbers = { [BLOCK] = "block", [BLOCK_SIZE] = "block_size", [PART_COUNT] = "parts", [TURN] = "turn",          \
                     [HAS_CARRY] = "has_carry", [HAS_PARTIALS] = "has_partials" },                                     \
        .passes = {                                                                                                    \
            [CLEAR] = { MCL__LOOK_BACK_CLEAR },                                                                        \
            [TILES] = { "compact_tiles", .words = { OPERAND_WORDS, MCL__STATES } },                                    \
            [FEW_TILES] = { "compact_few_tiles", .words = { OPERAND_WORDS, MCL__STATES } },                            \
            [PARTS] = { "compact_parts", .words = { MCL__ENV, MCL__OF + IN, BLOCK_WORDS } },                           \
            [SPINE] = { "compact_spine", .words = { MCL__ENV, MCL__PIECE + PARTIALS, MCL__INT + PART_COUNT,            \
                                                    MCL__PIECE + CARRY, MCL__INT + TURN, MCL__INT + HAS_CARRY } },     \
            [DOWN] = { "compact_down", .words = { OPERAND_WORDS, BLOCK_WORDS, MCL__INT + HAS_PARTIALS } },             \
        },                                                                                                             \
    }

static const mcl__declaration compact =
    DECLARED(MCL__TAKES_UNORDERED, MCL__COMPACT_TESTED, [TEST] = TEST_OF("keep", NULL));
static const mcl__declaration compact_flagged = DECLARED(MCL__TAKES_UNORDERED, FLAGS, [TEST] = { NULL });
static const mcl__declaration compact_stencil = DECLARED(MCL__TAKES_UNORDERED, STENCIL, [TEST] = TEST_OF("keep", NULL));
static const mcl__declaration compact_columns = DECLARED(0, MCL__COMPACT_TESTED, [TEST] = TEST_OF("keep", NULL));
const mcl__declaration mcl__partition = DECLARED(0, MCL__COMPACT_TESTED, [TEST] = TEST_OF("keep", NULL));
const mcl__declaration mcl__partition_flagged = DECLARED(0, FLAGS, [TEST] = { NULL });
const mcl__declaration mcl__partition_stencil = DECLARED(0, STENCIL, [TEST] = TEST_OF("keep", NULL));
const mcl__declaration mcl__partition_three = DECLARED(
    0,
    MCL__COMPACT_TESTED, [TEST] = TEST_OF("keep", "first_test"), [SECOND_TEST] = TEST_OF("keep_second", "second_test"));
const mcl__declaration mcl__compact_heads =
    DECLARED(0, MCL__COMPACT_TESTED, [TEST] = { "same", .kind = MCL__OPERATOR, .use = MCL_ROLE_EQUALITY, .of = IN });

int mcl__compact_test(const mcl__run *run)
{
    if (!run->given[TEST].op) return TEST_FLAG;
    return run->declaration->operands[TEST].use == MCL_ROLE_EQUALITY ? TEST_HEADS : TEST_KEEP;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

static int is_wanted(const mcl__run *run, int output)
{
    return run->given[output].output && !mcl__is_left_out(run->given[output].output);
}

/* Returns the output whose limit this output shares. */
static int way_of(int output)
{
    if (output >= REJECTED_VALUES && output < LENGTHS) return REJECTED;
    return output == SECOND || output == REJECTED ? output : OUT;
}

/* An output that is not wanted has no room. Where the kernels store others of its way by its limit it keeps its room,
 * and its stores do nothing. */
static void leave_out(mcl__run *run, const mcl__compact_columns *columns)
{
    int64_t unused = 0;
    int keeps_some = is_wanted(run, OUT);
    for (int k = OUT_VALUES; k <= LENGTHS; ++k) keeps_some |= way_of(k) == OUT && is_wanted(run, k);
    if (columns && !run->given[REJECTED].output) keeps_some |= mcl__compact_parts_limit(columns, OUT, &unused);
    for (int k = OUT; k <= LENGTHS; ++k)
        if (run->given[k].output && !is_wanted(run, k) && (!keeps_some || way_of(k) != OUT))
            run->given[k].output->capacity = 0;
}

/* Returns how many elements may be stored to the wanted outputs of one way. */
static int64_t way_limit(const mcl__run *run, const mcl__compact_columns *columns, int way)
{
    int64_t limit = run->given[IN].input->count;
    int some = columns && mcl__compact_parts_limit(columns, way, &limit);
    for (int k = OUT; k <= LENGTHS; ++k) {
        if (way_of(k) != way || !is_wanted(run, k)) continue;
        some = 1;
        if (run->given[k].output->capacity < limit) limit = run->given[k].output->capacity;
    }
    return some ? limit : 0;
}

/* Asks for the scratch that launches after the compaction need: the counts of elements; for columns also indices. */
static void follow_later(mcl__run *run, int has_parts, int64_t limit)
{
    const int64_t count = run->given[IN].input->count;
    run->given[TOTALS].scratch = MCL_INT64;
    run->room[TOTALS] = 2;
    if (!has_parts) return;
    run->given[INDICES].scratch = mcl__index_bits(count, run->options) == 32 ? MCL_INT32 : MCL_INT64;
    run->room[INDICES] = run->given[REJECTED].output ? count : limit;
}

static mcl_status compact_check(mcl__run *run, const mcl__compact_columns *columns)
{
    MCL__TRY(mcl__run_check(run));
    if (run->given[DATA].input) mcl__adopt_count(run->given[IN].input, run->given[DATA].input);
    if (columns) MCL__TRY(mcl__compact_parts_check(columns));
    const int64_t limit = way_limit(run, columns, OUT), rejected_limit = way_limit(run, columns, REJECTED);
    const int64_t second_limit = way_limit(run, columns, SECOND);
    leave_out(run, columns);
    for (int k = OUT; k <= LENGTHS; ++k) {
        const int64_t most = way_of(k) == REJECTED ? rejected_limit : k == SECOND ? second_limit : limit;
        if (run->given[k].output) run->room[k] = run->given[k].output->capacity > 0 ? most : 0;
    }
    run->room[COUNTS] = 1 + (run->given[SECOND].output != NULL) + (run->given[REJECTED].output != NULL);
    MCL__TRY(mcl__run_ready(run));
    run->never_in_place = 1; /* for the kernels: they store such an output to scratch */
    const int has_parts = columns && columns->part_count > 0;
    if (has_parts || mcl__compact_is_in_place(run)) follow_later(run, has_parts, limit);
    return has_parts ? mcl__compact_parts_ready(run, columns, limit, rejected_limit) : MCL_OK;
}

/* ---- the program -------------------------------------------------------------------------------------------- */

/* Returns the bytes of what is counted of a range. */
static size_t accumulator_bytes(const mcl__run *run)
{
    const int is_pair = run->given[SECOND].output || run->given[LENGTHS].output;
    const int index_bits = mcl__index_bits(run->given[IN].input->count, run->options);
    return (size_t)index_bits / 8 * (is_pair ? 2 : 1);
}

static int looks_back(const mcl__run *run)
{
    return run->queue->context->limits.look_back && accumulator_bytes(run) <= MCL__LOOK_BACK_BYTES_MAX &&
           !mcl__wants_same_bits(run->options);
}

static mcl__tile compact_tile(mcl__run *run)
{
    const size_t tested = run->given[IN].input->type->size, moved = mcl__staged_bytes(run->types[MOVED]);
    const int has_indices = run->given[OUT_VALUES].output || run->given[LENGTHS].output || run->given[INDICES].scratch;
    mcl__tile_need need = {
        .element_bytes = tested > moved ? tested : moved,
        .local_bytes_per_item = moved + (has_indices ? sizeof(uint16_t) : 0),
    };
    mcl__rank_need(&need, &run->queue->context->limits, accumulator_bytes(run));
    return mcl__run_choose_tile(run, looks_back(run) ? MCL__OPERATION_compact : MCL__OPERATION_compact_two_pass, need);
}

static mcl_status compact_program(mcl__run *run)
{
    run->passes = looks_back(run) ? MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES)
                                  : MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(DOWN);
    mcl__run_define(run, "COMPACT_LOOK_BACK", looks_back(run));
    mcl__run_define(run, "COMPACT_TEST", mcl__compact_test(run));
    mcl__run_keeps_folds(run, accumulator_bytes(run), accumulator_bytes(run));
    return mcl__run_program(run, compact_tile(run), mcl__index_bits(run->given[IN].input->count, run->options));
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static mcl_status single_pass(mcl__run *run)
{
    MCL__TRY(mcl__run_look_back(run, run->given[IN].input->count, accumulator_bytes(run)));
    MCL__TRY(mcl__run_begin(run));
    mcl__compact_stage_begin(run);
    return mcl__run_launch_look_back(run, CLEAR, TILES, FEW_TILES, run->look_back.tiles);
}

static int64_t part_count(const mcl__run *run, int64_t count)
{
    return mcl__run_parts(run, mcl__run_tiles(run, count), 8);
}

static mcl_status one_block(mcl__run *run, int64_t begin, int64_t size)
{
    const int64_t parts = part_count(run, size);
    const int has_partials = parts > 1 || size < run->given[IN].input->count;
    run->numbers[BLOCK] = begin;
    run->numbers[BLOCK_SIZE] = size;
    run->numbers[PART_COUNT] = parts;
    run->numbers[HAS_CARRY] = begin > 0;
    run->numbers[HAS_PARTIALS] = has_partials;
    if (has_partials) {
        MCL__TRY(mcl__run_launch(run, PARTS, parts));
        MCL__TRY(mcl__run_launch(run, SPINE, 1));
    }
    return mcl__run_launch(run, DOWN, parts);
}

/* Launches two passes for each block. The counts before a block are in one of two slots of the carry, in turn. */
static mcl_status two_passes(mcl__run *run)
{
    const mcl_input *const in = run->given[IN].input;
    const int64_t count = in->count, block = mcl__run_block(run, 2 * (in->type->size + run->types[MOVED]->size));
    const int64_t parts = part_count(run, count < block ? count : block);
    int64_t begin = 0;
    mcl__run_need(run, PARTIALS, (size_t)(parts + 1) * accumulator_bytes(run));
    mcl__run_need(run, CARRY, 2 * accumulator_bytes(run));
    MCL__TRY(mcl__run_begin(run));
    mcl__compact_stage_begin(run);
    do {
        const int64_t rest = count - begin;
        MCL__TRY(one_block(run, begin, rest < block ? rest : block));
        begin += block;
        run->numbers[TURN] = !run->numbers[TURN];
    } while (begin < count);
    return MCL_OK;
}

/* ---- the call ----------------------------------------------------------------------------------------------- */

/* Finds outputs that have less room than elements that belong to them. */
static mcl_status check_counted(const mcl__run *run)
{
    const int has_second = run->given[SECOND].output != NULL;
    for (int k = OUT; k <= LENGTHS; ++k) {
        const int slot = way_of(k) == OUT ? 0 : way_of(k) == SECOND ? 1 : 1 + has_second;
        if (run->given[k].output) MCL__TRY(mcl__run_check_counted(run, k, COUNTS, slot));
    }
    return MCL_OK;
}

/* 1: the order may be left open. Only calls that take MCL_UNORDERED come here with it. */
static int is_unordered(const mcl__run *run)
{
    return mcl__wants(run->options, MCL_UNORDERED) && !mcl__wants_same_bits(run->options) &&
           !mcl__compact_is_in_place(run);
}

mcl_status mcl__compact_steps(mcl__run *run, const mcl__compact_columns *columns)
{
    MCL__TRY(compact_check(run, columns));
    if (is_unordered(run)) {
        MCL__TRY(mcl__compact_unordered(run));
    } else {
        MCL__TRY(compact_program(run));
        MCL__TRY(mcl__compact_stage(run));
        if (columns) MCL__TRY(mcl__compact_parts_program(run, columns));
        MCL__TRY(looks_back(run) ? single_pass(run) : two_passes(run));
        if (columns) MCL__TRY(mcl__compact_parts_launch(run, columns));
        MCL__TRY(mcl__compact_stage_end(run, run->results[TOTALS]));
    }
    MCL__TRY(mcl__run_end(run));
    MCL__TRY(check_counted(run));
    return columns ? mcl__compact_parts_check_counted(columns) : MCL_OK;
}

mcl_status mcl__compact_run(mcl__run *run)
{
    return mcl__compact_steps(run, NULL);
}

/* ---- public functions --------------------------------------------------------------------------------------- */

mcl_status mcl_compact(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                       const mcl_options *options)
{
    mcl__run run = { &compact, "mcl_compact", queue, options,
                     .given = { [IN].input = &in, [OUT].output = &out, [TEST].op = keep, [COUNTS].result = &count } };
    return mcl__compact_run(&run);
}

mcl_status mcl_compact_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, mcl_result count,
                               const mcl_options *options)
{
    mcl__run run = { &compact_flagged, "mcl_compact_flagged", queue, options,
                     .given = {
                         [IN].input = &flags, [DATA].input = &in, [OUT].output = &out, [COUNTS].result = &count } };
    return mcl__compact_run(&run);
}

mcl_status mcl_compact_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out, const mcl_op *keep,
                               mcl_result count, const mcl_options *options)
{
    mcl__run run = { &compact_stencil, "mcl_compact_stencil", queue, options,
                     .given = { [IN].input = &stencil,
                                [DATA].input = &in,
                                [OUT].output = &out,
                                [TEST].op = keep,
                                [COUNTS].result = &count } };
    return mcl__compact_run(&run);
}

mcl_status mcl_compact_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                               int column_count, const mcl_op *keep, mcl_result count, const mcl_options *options)
{
    mcl__run run = { &compact_columns, "mcl_compact_columns", queue, options,
                     .given = { [IN].input = &in, [OUT].output = &out, [TEST].op = keep, [COUNTS].result = &count } };
    return mcl__compact_with_columns(&run, columns, column_count);
}
