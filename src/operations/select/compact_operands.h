/* compact_operands.h: shared parts of the functions that keep some elements of a sequence (compact.c,
 * compact_unordered.c, partition.c, unique.c). */
#ifndef MODERNCL_COMPACT_OPERANDS_H
#define MODERNCL_COMPACT_OPERANDS_H

#include "call/call.h"
#include "facts/compact.h"

#include "moderncl/partition.h"

/* Columns that the kernels of compact.cl move with the elements. A launch of compact_columns.cl moves as many further
 * ones. */
enum { MCL__COMPACT_FUSED = 4 };
/* Columns that the kernels of a partition move with the elements, where no output is left out: a program has
 * MCL__OPERANDS_MAX outputs. If further columns follow, the kernels move one column less. */
enum { MCL__COMPACT_SPLIT = 2 };

/* Operands. IN is tested; DATA, where it is given, is moved instead. Elements go to OUT, SECOND and REJECTED, and
 * COUNTS has a slot for each of the three that is given. Where columns follow later, INDICES takes the index of each
 * element: those for OUT from its begin on, those for REJECTED from its end down. TOTALS then takes the counts of both,
 * of 64 bits. */
enum {
    MCL__COMPACT_IN = 1,
    MCL__COMPACT_DATA,
    MCL__COMPACT_VALUES, /* the first of MCL__COMPACT_FUSED */
    MCL__COMPACT_OUT = MCL__COMPACT_VALUES + MCL__COMPACT_FUSED,
    MCL__COMPACT_SECOND,
    MCL__COMPACT_REJECTED,
    MCL__COMPACT_OUT_VALUES,                                                     /* the same */
    MCL__COMPACT_REJECTED_VALUES = MCL__COMPACT_OUT_VALUES + MCL__COMPACT_FUSED, /* the first of MCL__COMPACT_SPLIT */
    MCL__COMPACT_LENGTHS = MCL__COMPACT_REJECTED_VALUES + MCL__COMPACT_SPLIT,
    MCL__COMPACT_COUNTS,
    MCL__COMPACT_INDICES,
    MCL__COMPACT_TOTALS,
    MCL__COMPACT_TEST,
    MCL__COMPACT_SECOND_TEST,
    MCL__COMPACT_PARAMETERS
};
/* Groups of types. Each column has one of its own, from BESIDE on. */
enum { MCL__COMPACT_MOVED = 1, MCL__COMPACT_BESIDE };

/* Column k, of name suffix. Columns go with the elements for OUT; those of a partition also with those for REJECTED. */
#define MCL__COMPACT_COLUMN(k, suffix)                                                                                 \
    [MCL__COMPACT_VALUES + (k)] = { "values" suffix, .kind = MCL__INPUT, .group = MCL__COMPACT_BESIDE + (k),           \
                                    .as_many = MCL__COMPACT_IN },                                                      \
                           [MCL__COMPACT_OUT_VALUES + (k)] = { "out_values" suffix,                                    \
                                                               .kind = MCL__OUTPUT,                                    \
                                                               .group = MCL__COMPACT_BESIDE + (k),                     \
                                                               .optional = 1,                                          \
                                                               .in_place = MCL__BIT(MCL__COMPACT_VALUES + (k)),        \
                                                               .arrays_only = 1 }

#define MCL__COMPACT_REJECTED_COLUMN(k, suffix)                                                                        \
    [MCL__COMPACT_REJECTED_VALUES + (k)] = { "rejected_values" suffix, .kind = MCL__OUTPUT,                            \
                                             .group = MCL__COMPACT_BESIDE + (k), .optional = 1 }

/* All operands but the tests and the one that is tested. */
#define MCL__COMPACT_OPERANDS                                                                                          \
    [MCL__COMPACT_DATA] = { "data", .kind = MCL__INPUT, .label = "in", .group = MCL__COMPACT_MOVED },                  \
    MCL__COMPACT_COLUMN(0, ""), MCL__COMPACT_COLUMN(1, "_2"), MCL__COMPACT_COLUMN(2, "_3"),                            \
    MCL__COMPACT_COLUMN(3, "_4"),                                                                                      \
    [MCL__COMPACT_OUT] = { "out",           "out_keys",                                                                \
                           MCL__OUTPUT,     .group = MCL__COMPACT_MOVED,                                               \
                           .optional = 1,   .in_place = MCL__BIT(MCL__COMPACT_IN) | MCL__BIT(MCL__COMPACT_DATA),       \
                           .arrays_only = 1 },                                                                         \
    [MCL__COMPACT_SECOND] = { "second", .kind = MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },             \
    [MCL__COMPACT_REJECTED] = { "rejected", .kind = MCL__OUTPUT, .group = MCL__COMPACT_MOVED, .optional = 1 },         \
    MCL__COMPACT_REJECTED_COLUMN(0, ""), MCL__COMPACT_REJECTED_COLUMN(1, "_2"),                                        \
    [MCL__COMPACT_LENGTHS] = { "lengths", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = MCL__COMPACT_IN,      \
                               .optional = 1 },                                                                        \
    [MCL__COMPACT_COUNTS] = { "counts", .kind = MCL__RESULT, .label = "count", .types = MCL__COUNTS },                 \
    [MCL__COMPACT_INDICES] = { "indices", .kind = MCL__ARRAY },                                                        \
    [MCL__COMPACT_TOTALS] = { "totals", .kind = MCL__ARRAY }
/* The tested operand where it is also moved. */
#define MCL__COMPACT_TESTED { "in", "keys", MCL__INPUT, .group = MCL__COMPACT_MOVED }

/* compact.c. Keeps the heads of runs; or stores what is not kept too. */
extern const mcl__declaration mcl__compact_heads;
extern const mcl__declaration mcl__partition, mcl__partition_flagged, mcl__partition_stencil, mcl__partition_three;
/* Run a call of one of the declarations; with columns beside its elements. */
mcl_status mcl__compact_run(mcl__call *call);
mcl_status mcl__compact_with_columns(mcl__call *call, const mcl_column *columns, int column_count);
mcl_status mcl__compact_with_split_columns(mcl__call *call, const mcl_partition_column *columns, int column_count);

/* Returns the test of a call: TEST_KEEP, TEST_FLAG or TEST_HEADS. */
static inline int mcl__compact_test(const mcl__call *call)
{
    if (!call->operands[MCL__COMPACT_TEST].op) return TEST_FLAG;
    return call->declaration->operands[MCL__COMPACT_TEST].use == MCL_ROLE_EQUALITY ? TEST_HEADS : TEST_KEEP;
}

/* ---- compact_columns.c: columns of values beside the elements of a call ----------------------------------------- */

typedef struct mcl__compact_part mcl__compact_part;

/* The columns of a call, which it may change: those that go with the elements, and parts that follow them. */
typedef struct mcl__compact_columns {
    mcl_partition_column fused[MCL__COMPACT_FUSED];
    int part_count; /* 0: all columns are fused */
    mcl__compact_part *parts;
} mcl__compact_columns;

/* The columns that a caller gives, of one kind or of the other. */
typedef struct mcl__given_columns {
    const mcl_column *plain;
    const mcl_partition_column *split;
    int count;
} mcl__given_columns;

/* Gives the columns to the call, or to parts that follow it. The parts are for free(). */
mcl_status mcl__compact_give_columns(mcl__call *call, const mcl__given_columns *given, mcl__compact_columns *columns);
/* Do the steps of call.h, as a call makes them for its parts. */
mcl_status mcl__compact_parts_check(const mcl__compact_columns *columns);
/* Lowers limit to the lowest capacity of the parts' wanted outputs of a way, OUT or REJECTED. 1: one is wanted. */
int mcl__compact_parts_limit(const mcl__compact_columns *columns, int way, int64_t *limit);
/* Checks room and overlap. limit, rejected_limit: the room of the outputs of each way. */
mcl_status mcl__compact_parts_ready(const mcl__call *call, const mcl__compact_columns *columns, int64_t limit,
                                    int64_t rejected_limit);
mcl_status mcl__compact_parts_program(mcl__call *call, const mcl__compact_columns *columns);
mcl_status mcl__compact_parts_launch(const mcl__call *call, const mcl__compact_columns *columns);
mcl_status mcl__compact_parts_check_counted(const mcl__compact_columns *columns);

/* ---- compact_in_place.c: outputs that replace an input wait in scratch ------------------------------------------- */

/* Their first array of scratch, of a call and of a part. */
enum { MCL__COMPACT_STAGED = 2 };

/* 1: a call whose room is known has such an output. */
int mcl__compact_is_in_place(const mcl__call *call);
/* Do the steps of call.h: programs and scratch; before the first launch; after the last launch. count is the slot of
 * the number of elements on the device. */
mcl_status mcl__compact_stage(mcl__call *call);
void mcl__compact_stage_begin(mcl__call *call);
mcl_status mcl__compact_stage_end(const mcl__call *call, mcl__span count);

/* compact_unordered.c: the work of a checked call with one output, in any order. */
mcl_status mcl__compact_unordered(mcl__call *call);

#endif
