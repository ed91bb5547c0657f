/* compact.c: mcl_compact and its variants, and the work of partition.c and unique.c. Kernels:
 * cl/kernels/select/compact.cl.
 *
 * In a single pass, a group takes the next tile, publishes its count, and looks back for the counts of earlier tiles.
 * If groups may not wait for each other, there are two passes instead. They count parts, scan the counts, and move the
 * parts. The two passes go through the input in blocks that fit the device's cache. */
#include "operations/select/compact_operands.h"
#include "call/fold.h"
#include "call/rank.h"

#include <stdlib.h>

enum { CLEAR, TILES, FEW_TILES, PARTS, SPINE, DOWN };                  /* passes: one with look-back, or two without */
enum { PARTIALS, CARRY };                                              /* scratch, followed by MCL__COMPACT_STAGED */
enum { BLOCK, BLOCK_SIZE, PART_COUNT, TURN, HAS_CARRY, HAS_PARTIALS }; /* scalars */

#define COLUMN_ARGUMENTS(k) OPERAND(VALUES + (k)), OPERAND(OUT_VALUES + (k))
#define OPERAND_ARGUMENTS                                                                                              \
    MCL__ENVIRONMENT, OPERAND(IN), OPERAND(DATA), COLUMN_ARGUMENTS(0), COLUMN_ARGUMENTS(1), COLUMN_ARGUMENTS(2),       \
        COLUMN_ARGUMENTS(3), OPERAND(REJECTED_VALUES), OPERAND(REJECTED_VALUES + 1), OPERAND(LENGTHS), OPERAND(OUT),   \
        LIMIT(OUT), OPERAND(SECOND), LIMIT(SECOND), OPERAND(REJECTED), LIMIT(REJECTED), OPERAND(COUNTS),               \
        HAS_RESULT(COUNTS), OPERAND(INDICES), OPERAND(TOTALS)
#define BLOCK_ARGUMENTS AS_INDEX(BLOCK), AS_INDEX(BLOCK_SIZE), SCRATCH(PARTIALS)

const mcl__declaration mcl__compact = {
    .file = "kernels/select/compact.cl",
    .operands = mcl__compact_operands,
    .scratch = { [PARTIALS] = { "partials", "fold_type" }, [CARRY] = { "carry", "fold_type" } },
    .scalars = { [BLOCK] = "block",
                 [BLOCK_SIZE] = "block_size",
                 [PART_COUNT] = "parts",
                 [TURN] = "turn",
                 [HAS_CARRY] = "has_carry",
                 [HAS_PARTIALS] = "has_partials" },
    .passes =
        (mcl__passes){
            [CLEAR] = { MCL__LOOK_BACK_CLEAR },
            [TILES] = { "compact_tiles", .arguments = { OPERAND_ARGUMENTS, MCL__STATES } },
            [FEW_TILES] = { "compact_few_tiles", .arguments = { OPERAND_ARGUMENTS, MCL__STATES } },
            [PARTS] = { "compact_parts", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), BLOCK_ARGUMENTS } },
            [SPINE] = { "compact_spine", .arguments = { MCL__ENVIRONMENT, SCRATCH(PARTIALS), AS_INT(PART_COUNT),
                                                        SCRATCH(CARRY), AS_INT(TURN), AS_INT(HAS_CARRY) } },
            [DOWN] = { "compact_down", .arguments = { OPERAND_ARGUMENTS, BLOCK_ARGUMENTS, AS_INT(HAS_PARTIALS) } },
        },
};

/* ---- checks ------------------------------------------------------------------------------------------------- */

static int is_wanted(const mcl__call *call, int output)
{
    return call->operands[output].output && !mcl__is_left_out(call->operands[output].output);
}

/* Returns the output whose limit this output shares: OUT, SECOND or REJECTED. */
static int way_of(int output)
{
    if (output >= REJECTED_VALUES && output < LENGTHS) return REJECTED;
    return output == SECOND || output == REJECTED ? output : OUT;
}

/* Sets the room of unwanted outputs to 0. But outputs that share the limit of OUT keep their room where any of them is
 * wanted. Stores to the unwanted ones then do nothing. */
static void leave_out(mcl__call *call, const mcl__compact_columns *columns)
{
    int64_t unused = 0;
    int keeps_some = is_wanted(call, OUT);
    for (int k = OUT_VALUES; k <= LENGTHS; ++k) keeps_some |= way_of(k) == OUT && is_wanted(call, k);
    if (columns && !call->operands[REJECTED].output) keeps_some |= mcl__compact_parts_limit(columns, OUT, &unused);
    for (int k = OUT; k <= LENGTHS; ++k)
        if (call->operands[k].output && !is_wanted(call, k) && (!keeps_some || way_of(k) != OUT))
            call->operands[k].output->capacity = 0;
}

/* Returns the most elements that the outputs of one way may receive: the least of the input's count and the capacities
 * of wanted outputs. Returns 0 where no output of this way is wanted. way is OUT, SECOND or REJECTED. */
static int64_t way_limit(const mcl__call *call, const mcl__compact_columns *columns, int way)
{
    int64_t limit = call->operands[IN].input->count;
    int some = columns && mcl__compact_parts_limit(columns, way, &limit);
    for (int k = OUT; k <= LENGTHS; ++k) {
        if (way_of(k) != way || !is_wanted(call, k)) continue;
        some = 1;
        if (call->operands[k].output->capacity < limit) limit = call->operands[k].output->capacity;
    }
    return some ? limit : 0;
}

/* Asks for the scratch that launches after the compaction need: two counts of elements and, for columns, indices. */
static void follow_later(mcl__call *call, int has_parts, int64_t limit)
{
    const int64_t count = call->operands[IN].input->count;
    call->operands[TOTALS].scratch = MCL_INT64;
    call->room[TOTALS] = 2;
    if (!has_parts) return;
    call->operands[INDICES].scratch = mcl__index_bits(count, call->options) == 32 ? MCL_INT32 : MCL_INT64;
    call->room[INDICES] = call->operands[REJECTED].output ? count : limit;
}

static mcl_status compact_check(mcl__call *call, const mcl__compact_columns *columns)
{
    MCL__TRY(mcl__call_check(call));
    if (call->operands[DATA].input) mcl__adopt_count(call->operands[IN].input, call->operands[DATA].input);
    if (columns) MCL__TRY(mcl__compact_parts_check(columns));
    const int64_t limit = way_limit(call, columns, OUT), rejected_limit = way_limit(call, columns, REJECTED);
    const int64_t second_limit = way_limit(call, columns, SECOND);
    leave_out(call, columns);
    for (int k = OUT; k <= LENGTHS; ++k) {
        const int64_t most = way_of(k) == REJECTED ? rejected_limit : k == SECOND ? second_limit : limit;
        if (call->operands[k].output) call->room[k] = call->operands[k].output->capacity > 0 ? most : 0;
    }
    call->room[COUNTS] = 1 + (call->operands[SECOND].output != NULL) + (call->operands[REJECTED].output != NULL);
    MCL__TRY(mcl__call_ready(call));
    call->never_in_place = 1; /* kernels store outputs that replace an input to scratch */
    const int has_parts = columns && columns->part_count > 0;
    if (has_parts || mcl__compact_is_in_place(call)) follow_later(call, has_parts, limit);
    return has_parts ? mcl__compact_parts_ready(call, columns, limit, rejected_limit) : MCL_OK;
}

/* ---- the program -------------------------------------------------------------------------------------------- */

/* Returns the bytes of the counts that a range of elements has. */
static size_t accumulator_bytes(const mcl__call *call)
{
    const int is_pair = call->operands[SECOND].output || call->operands[LENGTHS].output;
    const int index_bits = mcl__index_bits(call->operands[IN].input->count, call->options);
    return (size_t)index_bits / 8 * (is_pair ? 2 : 1);
}

static int looks_back(const mcl__call *call)
{
    return call->queue->context->limits.look_back && accumulator_bytes(call) <= MCL__LOOK_BACK_BYTES_MAX &&
           !mcl__wants_same_bits(call->options);
}

static mcl__tile compact_tile(mcl__call *call)
{
    const size_t tested = call->operands[IN].input->type->size, moved = mcl__staged_bytes(call->types[MOVED]);
    const int has_indices =
        call->operands[OUT_VALUES].output || call->operands[LENGTHS].output || call->operands[INDICES].scratch;
    mcl__tile_need need = {
        .element_bytes = tested > moved ? tested : moved,
        .local_bytes_per_item = moved + (has_indices ? sizeof(uint16_t) : 0),
    };
    mcl__rank_need(&need, &call->queue->context->limits, accumulator_bytes(call));
    return mcl__call_choose_tile(call, looks_back(call) ? MCL__OPERATION_compact : MCL__OPERATION_compact_two_pass,
                                 need);
}

static mcl_status compact_program(mcl__call *call)
{
    call->passes = looks_back(call) ? MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES)
                                    : MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(DOWN);
    mcl__call_define(call, "COMPACT_LOOK_BACK", looks_back(call));
    mcl__call_define(call, "COMPACT_TEST", mcl__compact_test(call));
    mcl__call_keeps_folds(call, accumulator_bytes(call), accumulator_bytes(call));
    return mcl__call_program(call, compact_tile(call), mcl__index_bits(call->operands[IN].input->count, call->options));
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static mcl_status single_pass(mcl__call *call)
{
    MCL__TRY(mcl__call_look_back(call, call->operands[IN].input->count, accumulator_bytes(call)));
    MCL__TRY(mcl__call_begin(call));
    mcl__compact_stage_begin(call);
    return mcl__call_launch_look_back(call, CLEAR, TILES, FEW_TILES, call->look_back.tiles);
}

static int64_t part_count(const mcl__call *call, int64_t count)
{
    return mcl__call_parts(call, mcl__call_tiles(call, count), 8);
}

static mcl_status one_block(mcl__call *call, int64_t begin, int64_t size)
{
    const int64_t parts = part_count(call, size);
    const int has_partials = parts > 1 || size < call->operands[IN].input->count;
    call->scalars[BLOCK] = begin;
    call->scalars[BLOCK_SIZE] = size;
    call->scalars[PART_COUNT] = parts;
    call->scalars[HAS_CARRY] = begin > 0;
    call->scalars[HAS_PARTIALS] = has_partials;
    if (has_partials) {
        MCL__TRY(mcl__call_launch(call, PARTS, parts));
        MCL__TRY(mcl__call_launch(call, SPINE, 1));
    }
    return mcl__call_launch(call, DOWN, parts);
}

/* Launches two passes for each block. The carry has two slots, which blocks use in turn for the counts before them. */
static mcl_status two_passes(mcl__call *call)
{
    const mcl_input *const in = call->operands[IN].input;
    const int64_t count = in->count, block = mcl__call_block(call, 2 * (in->type->size + call->types[MOVED]->size));
    const int64_t parts = part_count(call, count < block ? count : block);
    int64_t begin = 0;
    mcl__call_scratch(call, PARTIALS, (size_t)(parts + 1) * accumulator_bytes(call));
    mcl__call_scratch(call, CARRY, 2 * accumulator_bytes(call));
    MCL__TRY(mcl__call_begin(call));
    mcl__compact_stage_begin(call);
    do {
        const int64_t rest = count - begin;
        MCL__TRY(one_block(call, begin, rest < block ? rest : block));
        begin += block;
        call->scalars[TURN] = !call->scalars[TURN];
    } while (begin < count);
    return MCL_OK;
}

/* ---- the call ----------------------------------------------------------------------------------------------- */

/* Checks that each output had room for all its elements. */
static mcl_status check_counted(const mcl__call *call)
{
    const int has_second = call->operands[SECOND].output != NULL;
    for (int k = OUT; k <= LENGTHS; ++k) {
        const int slot = way_of(k) == OUT ? 0 : way_of(k) == SECOND ? 1 : 1 + has_second;
        if (call->operands[k].output) MCL__TRY(mcl__call_check_counted(call, k, COUNTS, slot));
    }
    return MCL_OK;
}

/* Returns 1 where elements may be stored in any order. If a call does not take MCL_UNORDERED, the checks have refused
 * it already. */
static int is_unordered(const mcl__call *call)
{
    return mcl__wants(call->options, MCL_UNORDERED) && !mcl__wants_same_bits(call->options) &&
           !mcl__compact_is_in_place(call);
}

/* Makes all steps of a call. columns is NULL where the call has none. */
static mcl_status compact_steps(mcl__call *call, const mcl__compact_columns *columns)
{
    MCL__TRY(compact_check(call, columns));
    if (is_unordered(call)) {
        MCL__TRY(mcl__compact_unordered(call));
    } else {
        MCL__TRY(compact_program(call));
        MCL__TRY(mcl__compact_stage(call));
        if (columns) MCL__TRY(mcl__compact_parts_program(call, columns));
        MCL__TRY(looks_back(call) ? single_pass(call) : two_passes(call));
        if (columns) MCL__TRY(mcl__compact_parts_launch(call, columns));
        MCL__TRY(mcl__compact_stage_end(call, call->results[TOTALS]));
    }
    MCL__TRY(mcl__call_end(call));
    MCL__TRY(check_counted(call));
    return columns ? mcl__compact_parts_check_counted(columns) : MCL_OK;
}

mcl_status mcl__compact_run(mcl__call *call, const mcl__operand *tests)
{
    call->own = tests;
    return compact_steps(call, NULL);
}

static mcl_status with_columns(mcl__call *call, const mcl__given_columns *given)
{
    mcl__compact_columns *columns = NULL;
    mcl__function_is(call->function);
    if (given->count < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "column_count is %d; expected 0 or more", given->count);
    if (given->count > 0 && !given->plain && !given->split)
        return mcl__fail(MCL_ERROR_ARGUMENT, "columns is NULL and column_count %d; expected as many columns",
                         given->count);
    MCL__TRY(mcl__plan_new(sizeof *columns, &columns));
    mcl_status status = mcl__compact_give_columns(call, given, columns);
    if (status == MCL_OK) status = compact_steps(call, columns);
    free(columns->parts);
    free(columns);
    return status;
}

mcl_status mcl__compact_with_columns(mcl__call *call, const mcl__operand *tests, const mcl_column *columns,
                                     int column_count)
{
    call->own = tests;
    return with_columns(call, &(mcl__given_columns){ .plain = columns, .count = column_count });
}

mcl_status mcl__compact_with_split_columns(mcl__call *call, const mcl__operand *tests,
                                           const mcl_partition_column *columns, int column_count)
{
    call->own = tests;
    return with_columns(call, &(mcl__given_columns){ .split = columns, .count = column_count });
}

/* ---- public functions --------------------------------------------------------------------------------------- */

static mcl_status compact_run(mcl__call *call, const mcl__operand *tests)
{
    call->takes = MCL__TAKES_UNORDERED;
    return mcl__compact_run(call, tests);
}

mcl_status mcl_compact(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                       const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_compact", queue, options,
                       .operands = {
                           [IN].input = &in, [OUT].output = &out, [TEST].op = keep, [COUNTS].result = &count } };
    return compact_run(&call, mcl__compact_kept);
}

mcl_status mcl_compact_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, mcl_result count,
                               const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_compact_flagged", queue, options,
                       .operands = {
                           [IN].input = &flags, [DATA].input = &in, [OUT].output = &out, [COUNTS].result = &count } };
    return compact_run(&call, mcl__compact_flagged);
}

mcl_status mcl_compact_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out, const mcl_op *keep,
                               mcl_result count, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_compact_stencil", queue, options,
                       .operands = { [IN].input = &stencil,
                                     [DATA].input = &in,
                                     [OUT].output = &out,
                                     [TEST].op = keep,
                                     [COUNTS].result = &count } };
    return compact_run(&call, mcl__compact_stencil);
}

mcl_status mcl_compact_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                               int column_count, const mcl_op *keep, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_compact_columns", queue, options,
                       .operands = {
                           [IN].input = &in, [OUT].output = &out, [TEST].op = keep, [COUNTS].result = &count } };
    return mcl__compact_with_columns(&call, mcl__compact_kept, columns, column_count);
}
