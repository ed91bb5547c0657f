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
    IN = 1,
    DATA,
    VALUES, /* the first of MCL__COMPACT_FUSED */
    OUT = VALUES + MCL__COMPACT_FUSED,
    SECOND,
    REJECTED,
    OUT_VALUES,                                        /* the same */
    REJECTED_VALUES = OUT_VALUES + MCL__COMPACT_FUSED, /* the first of MCL__COMPACT_SPLIT */
    LENGTHS = REJECTED_VALUES + MCL__COMPACT_SPLIT,
    COUNTS,
    INDICES,
    TOTALS,
    TEST,
    SECOND_TEST,
    OPERANDS
};
enum { MOVED = 1, BESIDE }; /* groups of types: each column has one of its own, from BESIDE on */

/* Every call has one of the lists as its own operands. The first two test the elements that are moved. They keep those
 * that pass, or the heads of runs. */
extern mcl__operands mcl__compact_operands;
extern mcl__operands mcl__compact_kept, mcl__compact_heads, mcl__compact_flagged, mcl__compact_stencil;

/* compact.c */
extern const mcl__declaration mcl__compact;
/* Run a call with one of these lists; with columns beside its elements. */
mcl_status mcl__compact_run(mcl__call *call, const mcl__operand *tests);
mcl_status mcl__compact_with_columns(mcl__call *call, const mcl__operand *tests, const mcl_column *columns,
                                     int column_count);
mcl_status mcl__compact_with_split_columns(mcl__call *call, const mcl__operand *tests,
                                           const mcl_partition_column *columns, int column_count);

/* Returns the test of a call: TEST_KEEP, TEST_FLAG or TEST_HEADS. */
static inline int mcl__compact_test(const mcl__call *call)
{
    if (!call->operands[TEST].op) return TEST_FLAG;
    return mcl__call_operand(call, TEST)->use == MCL_ROLE_EQUALITY ? TEST_HEADS : TEST_KEEP;
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
