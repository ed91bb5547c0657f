/* compact_unordered.c: mcl_compact and variants where the order does not matter. Kernels: compact_unordered.cl. Every
 * tile takes room for its elements from one cursor, so that no tile waits for another, on any device. */
#include "call/append.h"
#include "operations/select/compact_call.h"

enum { IN = MCL__COMPACT_IN, DATA = MCL__COMPACT_DATA, OUT = MCL__COMPACT_OUT }; /* operands */
enum { CLEAR, APPEND, TOTAL };                                                   /* passes */
enum { CURSORS };                                                                /* scratch */
enum { LIMIT, BEGIN, SIZE, TURN, COUNT };                                        /* numbers */

#define COUNT_WORDS MCL__PIECE + CURSORS, MCL__INT + COUNT

/* A call is checked by a declaration of compact.c. */
static const mcl__declaration unordered = {
    .file = "kernels/select/compact_unordered.cl",
    .operands = { [IN] = MCL__COMPACT_TESTED, MCL__COMPACT_OPERANDS,
                  [MCL__COMPACT_TEST] = { "keep", .kind = MCL__OPERATOR, .use = MCL_ROLE_TEST, .of = IN } },
    .pieces = { [CURSORS] = { "cursors", "uint" } },
    .numbers = { [LIMIT] = "limit", [BEGIN] = "begin", [SIZE] = "size", [TURN] = "turn", [COUNT] = "count" },
    .passes = {
        [CLEAR] = { "compact_clear", .words = { COUNT_WORDS } },
        [APPEND] = { "compact_append", .words = { MCL__ENV, MCL__OF + IN, MCL__OF + DATA, MCL__OF + OUT,
                                                  MCL__INDEX + LIMIT, MCL__INDEX + BEGIN, MCL__INDEX + SIZE,
                                                  MCL__PIECE + CURSORS, MCL__INT + TURN } },
        [TOTAL] = { "compact_total", .words = { COUNT_WORDS, MCL__OF + MCL__COMPACT_COUNTS } },
    },
};

static mcl_status unordered_program(mcl__run *run)
{
    const mcl_input *const in = run->given[IN].input;
    const size_t tested = in->type->size, moved = run->types[MCL__COMPACT_MOVED]->size;
    mcl__run_define(run, "COMPACT_TEST", mcl__compact_test(run));
    mcl__run_define(run, "HAS_DATA", run->given[DATA].input != NULL);
    return mcl__append_program(run, tested > moved ? tested : moved, in->count);
}

/* Appends part turn of the input. */
static mcl_status append_part(mcl__run *run, int64_t turn)
{
    const int64_t begin = turn * MCL__APPEND_PART, rest = run->given[IN].input->count - begin;
    const int64_t size = rest < MCL__APPEND_PART ? rest : MCL__APPEND_PART;
    run->numbers[BEGIN] = begin;
    run->numbers[SIZE] = size;
    run->numbers[TURN] = turn;
    return mcl__run_launch_tiles(run, APPEND, size);
}

mcl_status mcl__compact_unordered(mcl__run *run)
{
    const int64_t parts = mcl__divide_up(run->given[IN].input->count, MCL__APPEND_PART);
    run->declaration = &unordered;
    run->numbers[LIMIT] = run->room[OUT];
    MCL__TRY(unordered_program(run));
    mcl__run_need(run, CURSORS, (size_t)(parts + 1) * sizeof(uint32_t));
    MCL__TRY(mcl__run_begin(run));
    run->numbers[COUNT] = parts + 1;
    MCL__TRY(mcl__run_launch(run, CLEAR, 1));
    for (int64_t turn = 0; turn < parts; ++turn) MCL__TRY(append_part(run, turn));
    run->numbers[COUNT] = parts;
    return run->results[MCL__COMPACT_COUNTS].buffer ? mcl__run_launch(run, TOTAL, 1) : MCL_OK;
}
