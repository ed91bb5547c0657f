/* compact_operands.h: operands and common steps of the functions that keep some elements of a sequence (compact.c,
 * compact_unordered.c, partition.c, unique.c). */
#ifndef MODERNCL_COMPACT_OPERANDS_H
#define MODERNCL_COMPACT_OPERANDS_H

#include "call/call.h"
#include "facts/compact.h"

#include "moderncl/partition.h"

/* The most columns that the kernels of compact.cl move together with the elements. A launch of compact_columns.cl moves
 * at most as many further columns. */
enum { MCL__COMPACT_FUSED = 4 };
/* The most columns that the kernels of a partition move together with the elements, where no output is left out. A
 * program has at most MCL__OPERANDS_MAX outputs. If further columns follow, the kernels move one column less. */
enum { MCL__COMPACT_SPLIT = 2 };

/* Operands. IN is tested, and moved unless DATA is given, which is then moved instead. Elements go to OUT, SECOND and
 * REJECTED. COUNTS has a slot for each of these three outputs that is given. If columns follow later, INDICES receives
 * the index of each element: of elements for OUT from its beginning on, of elements for REJECTED from its end down.
 * TOTALS then receives both counts, in 64 bits each. */
enum {
    IN = 1,
    DATA,
    VALUES, /* the first of MCL__COMPACT_FUSED operands */
    OUT = VALUES + MCL__COMPACT_FUSED,
    SECOND,
    REJECTED,
    OUT_VALUES,                                        /* the first of MCL__COMPACT_FUSED operands */
    REJECTED_VALUES = OUT_VALUES + MCL__COMPACT_FUSED, /* the first of MCL__COMPACT_SPLIT operands */
    LENGTHS = REJECTED_VALUES + MCL__COMPACT_SPLIT,
    COUNTS,
    INDICES,
    TOTALS,
    TEST,
    SECOND_TEST,
    OPERANDS
};
enum { MOVED = 1, BESIDE }; /* groups of operands with one type: column k has the group BESIDE + k */

/* mcl__compact_operands are the operands that all compactions have. The other lists are operands by the kind of test;
 * the member own of a call points to one of them. mcl__compact_kept keeps elements that pass a test, mcl__compact_heads
 * the heads of runs. */
extern mcl__operands mcl__compact_operands;
extern mcl__operands mcl__compact_kept, mcl__compact_heads, mcl__compact_flagged, mcl__compact_stencil;

/* compact.c */
extern const mcl__declaration mcl__compact;
/* Run a call whose own operands are tests, one of these lists. The last two functions also move columns together with
 * the elements. */
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

/* Copies of a call's columns, which the call may change. Fused columns move together with the elements. The other
 * columns are in parts. */
typedef struct mcl__compact_columns {
    mcl_partition_column fused[MCL__COMPACT_FUSED];
    int part_count; /* number of parts; 0: all columns are fused */
    mcl__compact_part *parts;
} mcl__compact_columns;

/* The columns that a caller gives: plain ones, or columns of a partition. */
typedef struct mcl__given_columns {
    const mcl_column *plain;
    const mcl_partition_column *split;
    int count;
} mcl__given_columns;

/* Gives the columns to the call, or to parts that follow it. The caller frees columns->parts. */
mcl_status mcl__compact_give_columns(mcl__call *call, const mcl__given_columns *given, mcl__compact_columns *columns);
/* Do the steps of call.h for all parts of a call. */
mcl_status mcl__compact_parts_check(const mcl__compact_columns *columns);
/* Lowers limit to the lowest capacity of the parts' wanted outputs. way is OUT or REJECTED, and says which outputs
 * count. Returns 1 where one of them is wanted. */
int mcl__compact_parts_limit(const mcl__compact_columns *columns, int way, int64_t *limit);
/* Checks room and overlap. limit is the room of the parts' outputs, and rejected_limit the room of their rejected
 * outputs. */
mcl_status mcl__compact_parts_ready(const mcl__call *call, const mcl__compact_columns *columns, int64_t limit,
                                    int64_t rejected_limit);
mcl_status mcl__compact_parts_program(mcl__call *call, const mcl__compact_columns *columns);
mcl_status mcl__compact_parts_launch(const mcl__call *call, const mcl__compact_columns *columns);
mcl_status mcl__compact_parts_check_counted(const mcl__compact_columns *columns);

/* ---- compact_in_place.c: outputs that replace an input wait in scratch ------------------------------------------- */

/* The first scratch array for outputs that replace an input, in a call and in a part. */
enum { MCL__COMPACT_STAGED = 2 };

/* Returns 1 where an output of the call replaces an input. The call's room must be known. */
int mcl__compact_is_in_place(const mcl__call *call);
/* Do the steps for outputs that replace an input. mcl__compact_stage gets programs and asks for scratch.
 * mcl__compact_stage_begin is called before the first launch, mcl__compact_stage_end after the last. count is the
 * memory where the device stores the number of elements. */
mcl_status mcl__compact_stage(mcl__call *call);
void mcl__compact_stage_begin(mcl__call *call);
mcl_status mcl__compact_stage_end(const mcl__call *call, mcl__span count);

/* compact_unordered.c. Launches a checked call with one output, whose elements may have any order. */
mcl_status mcl__compact_unordered(mcl__call *call);

#endif
