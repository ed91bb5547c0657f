/* compact_call.h: what the functions that keep some elements of a sequence share (compact.c, compact_unordered.c,
 * partition.c, unique.c). */
#ifndef MODERNCL_COMPACT_CALL_H
#define MODERNCL_COMPACT_CALL_H

#include "call/run.h"
#include "facts/compact.h"

/* Operands. IN is tested; DATA, where it is given, is moved instead. Elements go to OUT, SECOND and REJECTED, and
 * COUNTS has a slot for each of the three that is given. */
enum {
    MCL__COMPACT_IN = 1,
    MCL__COMPACT_DATA,
    MCL__COMPACT_VALUES,
    MCL__COMPACT_OUT,
    MCL__COMPACT_SECOND,
    MCL__COMPACT_REJECTED,
    MCL__COMPACT_OUT_VALUES,
    MCL__COMPACT_LENGTHS,
    MCL__COMPACT_COUNTS,
    MCL__COMPACT_TEST,
    MCL__COMPACT_SECOND_TEST,
    MCL__COMPACT_PARAMETERS
};
/* Groups of types. */
enum { MCL__COMPACT_MOVED = 1, MCL__COMPACT_BESIDE };

/* All operands but the tests and the one that is tested. */
#define MCL__COMPACT_OPERANDS                                                                                          \
    [MCL__COMPACT_DATA] = { "data", .kind = MCL__INPUT, .said = "in", .group = MCL__COMPACT_MOVED },                   \
    [MCL__COMPACT_VALUES] = { "values", .kind = MCL__INPUT, .group = MCL__COMPACT_BESIDE,                              \
                              .as_many = MCL__COMPACT_IN },                                                            \
    [MCL__COMPACT_OUT] = { "out", "out_keys", MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },               \
    [MCL__COMPACT_SECOND] = { "second", .kind = MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },             \
    [MCL__COMPACT_REJECTED] = { "rejected", .kind = MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },         \
    [MCL__COMPACT_OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = MCL__COMPACT_BESIDE, .optional = 1 },    \
    [MCL__COMPACT_LENGTHS] = { "lengths", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = MCL__COMPACT_IN,      \
                               .optional = 1 },                                                                        \
    [MCL__COMPACT_COUNTS] = { "counts", .kind = MCL__RESULT, .said = "count", .types = MCL__COUNTS }
/* The tested operand where it is also moved. */
#define MCL__COMPACT_TESTED { "in", "keys", MCL__INPUT, .group = MCL__COMPACT_MOVED }

/* compact.c. Keeps the heads of runs; or stores what is not kept too. */
extern const mcl__declaration mcl__compact_heads;
extern const mcl__declaration mcl__partition, mcl__partition_flagged, mcl__partition_stencil, mcl__partition_three;
/* A call of one of the declarations. */
mcl_status mcl__compact_run(mcl__run *run);
/* How a call tests: TEST_KEEP, TEST_FLAG or TEST_HEADS. */
int mcl__compact_test(const mcl__run *run);

/* compact_unordered.c: the work of a checked call with one output, in any order. */
mcl_status mcl__compact_unordered(mcl__run *run);

#endif
