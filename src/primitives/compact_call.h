/* compact_call.h: what the functions that keep some elements of a sequence share (compact.c, compact_unordered.c,
 * partition.c, unique.c). */
#ifndef MODERNCL_COMPACT_CALL_H
#define MODERNCL_COMPACT_CALL_H

#include "call/run.h"
#include "facts/compact.h"

#include "moderncl/compact.h"

/* Operands. IN is tested; DATA, where it is given, is moved instead. Elements go to OUT, SECOND and REJECTED, and
 * COUNTS has a slot for each of the three that is given. */
enum {
    MCL__COMPACT_IN = 1,
    MCL__COMPACT_DATA,
    MCL__COMPACT_VALUES, /* the first of MCL_COLUMNS_MAX */
    MCL__COMPACT_OUT = MCL__COMPACT_VALUES + MCL_COLUMNS_MAX,
    MCL__COMPACT_SECOND,
    MCL__COMPACT_REJECTED,
    MCL__COMPACT_OUT_VALUES, /* the same */
    MCL__COMPACT_LENGTHS = MCL__COMPACT_OUT_VALUES + MCL_COLUMNS_MAX,
    MCL__COMPACT_COUNTS,
    MCL__COMPACT_TEST,
    MCL__COMPACT_SECOND_TEST,
    MCL__COMPACT_PARAMETERS
};
/* Groups of types. Each column has one of its own, from BESIDE on. */
enum { MCL__COMPACT_MOVED = 1, MCL__COMPACT_BESIDE };

/* Column k, of name suffix. Columns follow the elements that go to OUT. */
#define MCL__COMPACT_COLUMN(k, suffix)                                                                                 \
    [MCL__COMPACT_VALUES + (k)] = { "values" suffix, .kind = MCL__INPUT, .group = MCL__COMPACT_BESIDE + (k),           \
                                    .as_many = MCL__COMPACT_IN },                                                      \
                           [MCL__COMPACT_OUT_VALUES + (k)] = { "out_values" suffix, .kind = MCL__OUTPUT,               \
                                                               .group = MCL__COMPACT_BESIDE + (k), .optional = 1 }

/* The columns of a call, which it may change. */
typedef struct mcl__compact_beside {
    mcl_column columns[MCL_COLUMNS_MAX];
} mcl__compact_beside;

/* All operands but the tests and the one that is tested. */
#define MCL__COMPACT_OPERANDS                                                                                          \
    [MCL__COMPACT_DATA] = { "data", .kind = MCL__INPUT, .said = "in", .group = MCL__COMPACT_MOVED },                   \
    MCL__COMPACT_COLUMN(0, ""), MCL__COMPACT_COLUMN(1, "_2"), MCL__COMPACT_COLUMN(2, "_3"),                            \
    MCL__COMPACT_COLUMN(3, "_4"),                                                                                      \
    [MCL__COMPACT_OUT] = { "out", "out_keys", MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },               \
    [MCL__COMPACT_SECOND] = { "second", .kind = MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },             \
    [MCL__COMPACT_REJECTED] = { "rejected", .kind = MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },         \
    [MCL__COMPACT_LENGTHS] = { "lengths", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = MCL__COMPACT_IN,      \
                               .optional = 1 },                                                                        \
    [MCL__COMPACT_COUNTS] = { "counts", .kind = MCL__RESULT, .said = "count", .types = MCL__COUNTS }
/* The tested operand where it is also moved. */
#define MCL__COMPACT_TESTED { "in", "keys", MCL__INPUT, .group = MCL__COMPACT_MOVED }

/* compact.c. Keeps the heads of runs; or stores what is not kept too. */
extern const mcl__declaration mcl__compact_heads;
extern const mcl__declaration mcl__partition, mcl__partition_flagged, mcl__partition_stencil, mcl__partition_three;
/* Puts columns beside the elements of a call, which then takes their names for its sentences. */
mcl_status mcl__compact_columns(mcl__run *run, const mcl_column *columns, int column_count, mcl__compact_beside *list);
/* A call of one of the declarations. */
mcl_status mcl__compact_run(mcl__run *run);
/* How a call tests: TEST_KEEP, TEST_FLAG or TEST_HEADS. */
int mcl__compact_test(const mcl__run *run);

/* compact_unordered.c: the work of a checked call with one output, in any order. */
mcl_status mcl__compact_unordered(mcl__run *run);

#endif
