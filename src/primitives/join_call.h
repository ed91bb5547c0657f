/* join_call.h: what the joins share (join.c, join_unsorted.c). */
#ifndef MODERNCL_JOIN_CALL_H
#define MODERNCL_JOIN_CALL_H

#include "call/run.h"

#include "moderncl/join.h"

/* Operands. */
enum { MCL__JOIN_A = 1, MCL__JOIN_B, MCL__JOIN_BEFORE, MCL__JOIN_OUT_A, MCL__JOIN_COUNT, MCL__JOIN_OUT_B };

/* order: the operand that the inputs are sorted by. */
#define MCL__JOIN_OPERANDS(order)                                                                                      \
    [MCL__JOIN_A] = { "a", .kind = MCL__INPUT, .group = 1, .sorted_by = (order) },                                     \
    [MCL__JOIN_B] = { "b", .kind = MCL__INPUT, .group = 1, .sorted_by = (order) },                                     \
    [MCL__JOIN_BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = MCL__JOIN_A },                \
    [MCL__JOIN_OUT_A] = { "out_a", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = MCL__JOIN_A,                 \
                          .optional = 1 },                                                                             \
    [MCL__JOIN_COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS },                                        \
    [MCL__JOIN_OUT_B] = { "out_b", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = MCL__JOIN_B, .optional = 1 }

/* 1: rows are pairs. */
static inline int mcl__join_pairs(mcl_join_kind kind)
{
    return kind < MCL_JOIN_SEMI;
}

/* join.c. Checks for every error of a join's operands that can be known beforehand. After it out_b is absent where
 * rows are no pairs. Outputs that are not wanted are left out (without any, out_a has capacity 0), and their room is
 * known. */
mcl_status mcl__join_check(mcl__run *run, mcl_join_kind kind);
/* join.c. After the call: checks that the outputs had room for the rows that the host was told of. */
mcl_status mcl__join_check_counted(const mcl__run *run);

#endif
