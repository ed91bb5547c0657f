/* compact_unordered.c: mcl_compact and variants where the order does not matter. Kernels: compact_unordered.cl. Each
 * tile reserves room for its elements by adding their number to a cursor. So no tile waits for another, on any
 * device. */
#include "call/append.h"
#include "operations/select/compact_operands.h"

enum { CLEAR, APPEND, TOTAL };            /* passes */
enum { CURSORS };                         /* scratch */
enum { LIMIT, BEGIN, SIZE, TURN, COUNT }; /* scalars */

#define COUNT_ARGUMENTS SCRATCH(CURSORS), AS_INT(COUNT)

/* The passes of a call whose operands the declaration in compact.c has checked. */
static const mcl__declaration unordered = {
    .file = "kernels/select/compact_unordered.cl",
    .operands = mcl__compact_operands,
    .scratch = { [CURSORS] = { "cursors", "uint" } },
    .scalars = { [LIMIT] = "limit", [BEGIN] = "begin", [SIZE] = "size", [TURN] = "turn", [COUNT] = "count" },
    .passes =
        (mcl__passes){
            [CLEAR] = { "compact_clear", .arguments = { COUNT_ARGUMENTS } },
            [APPEND] = { "compact_append",
                         .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(DATA), OPERAND(OUT), AS_INDEX(LIMIT),
                                        AS_INDEX(BEGIN), AS_INDEX(SIZE), SCRATCH(CURSORS), AS_INT(TURN) } },
            [TOTAL] = { "compact_total", .arguments = { COUNT_ARGUMENTS, OPERAND(COUNTS) } },
        },
};

static mcl_status unordered_program(mcl__call *call)
{
    const mcl_input *const in = call->operands[IN].input;
    const size_t tested = in->type->size, moved = call->types[MOVED]->size;
    mcl__call_define(call, "COMPACT_TEST", mcl__compact_test(call));
    mcl__call_define(call, "HAS_DATA", call->operands[DATA].input != NULL);
    return mcl__append_program(call, tested > moved ? tested : moved, in->count);
}

/* Launches the pass that appends part number turn of the input. */
static mcl_status append_part(mcl__call *call, int64_t turn)
{
    const int64_t begin = turn * MCL__APPEND_PART, rest = call->operands[IN].input->count - begin;
    const int64_t size = rest < MCL__APPEND_PART ? rest : MCL__APPEND_PART;
    call->scalars[BEGIN] = begin;
    call->scalars[SIZE] = size;
    call->scalars[TURN] = turn;
    return mcl__call_launch_tiles(call, APPEND, size);
}

mcl_status mcl__compact_unordered(mcl__call *call)
{
    const int64_t parts = mcl__divide_up(call->operands[IN].input->count, MCL__APPEND_PART);
    call->declaration = &unordered;
    call->own = mcl__compact_kept;
    call->scalars[LIMIT] = call->room[OUT];
    MCL__TRY(unordered_program(call));
    mcl__call_scratch(call, CURSORS, (size_t)(parts + 1) * sizeof(uint32_t));
    MCL__TRY(mcl__call_begin(call));
    call->scalars[COUNT] = parts + 1;
    MCL__TRY(mcl__call_launch(call, CLEAR, 1));
    for (int64_t turn = 0; turn < parts; ++turn) MCL__TRY(append_part(call, turn));
    call->scalars[COUNT] = parts;
    return call->results[COUNTS].buffer ? mcl__call_launch(call, TOTAL, 1) : MCL_OK;
}
