/* join.h: shared parts of the joins (join.c, join_unsorted.c, join_columns.c). */
#ifndef MODERNCL_JOIN_OPERATION_H
#define MODERNCL_JOIN_OPERATION_H

#include "call/call.h"

#include "moderncl/join.h"

/* Operands. Joins that sort first have them all; what others have besides is their own. */
enum { A = 1, B, BEFORE, OUT_A, COUNT, OUT_B, OTHERS };
extern mcl__operands mcl__join_operands;

/* 1: rows are pairs. */
static inline int mcl__join_pairs(mcl_join_kind kind)
{
    return kind < MCL_JOIN_SEMI;
}

/* join.c. */
mcl_status mcl__join_check_kind(mcl_join_kind kind);
/* Returns the number of rows that may be stored, at most, where outputs have room for capacity. */
int64_t mcl__join_stored(const mcl__call *call, mcl_join_kind kind, int64_t capacity);
/* Checks for every error of a join's operands that can be known beforehand. After it out_b is absent where
 * rows are no pairs. Outputs that are not wanted are left out (without any, out_a has capacity 0), and their room is
 * known. */
mcl_status mcl__join_check(mcl__call *call, mcl_join_kind kind);
/* join.c. After the call: checks that the outputs had room for the rows that the host was told of. */
mcl_status mcl__join_check_counted(const mcl__call *call);

/* ---- join_unsorted.c: joins that sort first ---------------------------------------------------------------------- */

/* One of the two sequences. */
typedef struct mcl__join_side {
    mcl_input keys;
    mcl_input carried; /* values that the sort moves with the keys; no type: none */
    mcl_buffer *sorted, *moved;
    int restores; /* by table: the side's output gets what the side carries, not indices of the sorted side */
} mcl__join_side;

/* A call that sorts two sequences and joins them. Its steps are calls of their own. */
typedef struct mcl__join_sorts {
    mcl__call *call; /* the call; its operands are those above, and checked */
    mcl_join_kind kind;
    mcl__join_side a, b;
    int64_t stored;   /* rows, at most */
    int has_table;    /* the smaller side becomes a table, and the larger one is not sorted */
    mcl_buffer *slot; /* the count's, where the caller has none */
    mcl__span count_at;
} mcl__join_sorts;

/* Returns the type of a side's indices in arrays of the call's own. */
static inline const mcl_type *mcl__join_index(const mcl__join_side *side)
{
    return side->keys.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}
/* Returns the call's options for a step that is not the join: without tile, passes and sort method. */
mcl_options mcl__join_beside(const mcl_options *options);
/* Checks that the count's type can hold stored rows. Later steps read the number of rows from the count. */
mcl_status mcl__join_check_count_type(const mcl__call *call, int64_t stored);
/* Sorts both sides and joins them. Each output is absent, or an array that takes rows of the sorted sequences. count
 * says where on the device their number is. */
mcl_status mcl__join_sort_and_join(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b,
                                   const mcl_options *options, mcl_result *count);
/* join_table.c. 1: the smaller side should become a table. */
int mcl__join_has_table(const mcl__join_sorts *plan);
static inline int mcl__join_large_is_a(const mcl__join_sorts *plan)
{
    return plan->a.keys.count >= plan->b.keys.count;
}
static inline const mcl__join_side *mcl__join_large(const mcl__join_sorts *plan)
{
    return mcl__join_large_is_a(plan) ? &plan->a : &plan->b;
}
static inline const mcl__join_side *mcl__join_small(const mcl__join_sorts *plan)
{
    return mcl__join_large_is_a(plan) ? &plan->b : &plan->a;
}
/* Joins both sides by a table of the smaller one, which is sorted. What the larger one carries is moved as by a sort,
 * but for keys without a partner, which come last; its keys are not. */
mcl_status mcl__join_by_table(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b, mcl_input sorted,
                              const mcl_options *options, const mcl_result *count);
/* Returns an array of rows as an input: as many as there are. */
mcl_input mcl__join_rows(const mcl__join_sorts *plan, const mcl_output *rows, const mcl_result *count);
/* Runs a whole call (mcl__steps_run), which reads the count. */
mcl_status mcl__join_run(mcl__join_sorts *plan, mcl__steps steps, void (*release)(void *of), void *of);
void mcl__join_release(mcl__join_sorts *plan);

#endif
