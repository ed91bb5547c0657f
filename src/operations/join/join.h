/* join.h: operands and common steps of the joins (join.c, join_unsorted.c, join_columns.c). */
#ifndef MODERNCL_JOIN_OPERATION_H
#define MODERNCL_JOIN_OPERATION_H

#include "call/call.h"

#include "moderncl/join.h"

/* Operands of joins. A call numbers its further operands from OTHERS on. */
enum { A = 1, B, BEFORE, OUT_A, COUNT, OUT_B, OTHERS };
extern mcl__operands mcl__join_operands;

/* join.c. What a join by a hash table needs beside the operands above. a is looked up in b, which is sorted. */
typedef struct mcl__join_hash {
    mcl_input order;     /* what out_b gets of each key of b, such as its index among the caller's keys */
    mcl_input values;    /* what out_a gets of each key of a; without a type: its index */
    mcl_output row_keys; /* the key of each row; without a type where it is not wanted */
    int order_is_index;  /* 1 where order has these indices */
    int keys_of_b;       /* 1 where row_keys gets the key of b in rows that have one */
} mcl__join_hash;
/* Launches such a join, whose operands are set: b has from 1 to 2^24 - 1 keys, and kind is MCL_JOIN_INNER, _LEFT,
 * _SEMI or _ANTI. Rows are in no order. */
mcl_status mcl__join_run_hash(mcl__call *call, mcl_join_kind kind, mcl__join_hash *hash);
extern const mcl__declaration mcl__join_rows_of_keys;

/* Returns 1 where a join's rows are pairs. */
static inline int mcl__join_pairs(mcl_join_kind kind)
{
    return kind < MCL_JOIN_SEMI;
}

/* join.c. Checks that kind is one of mcl_join_kind. */
mcl_status mcl__join_check_kind(mcl_join_kind kind);
/* Returns the most rows that may be stored where the outputs have room for capacity rows. */
int64_t mcl__join_stored(const mcl__call *call, mcl_join_kind kind, int64_t capacity);
/* Checks a join's operands for every error that can be known before the call, and sets the room of the outputs.
 * Afterwards the call has no out_b if rows are not pairs. If no output is wanted, out_a has capacity 0. */
mcl_status mcl__join_check(mcl__call *call, mcl_join_kind kind);
/* join.c. Checks after the call that the outputs had room for all rows, if the host knows their count. */
mcl_status mcl__join_check_counted(const mcl__call *call);

/* ---- join_unsorted.c: joins that sort first ---------------------------------------------------------------------- */

/* One of the two sequences of a join. */
typedef struct mcl__join_side {
    mcl_input keys;
    mcl_input carried; /* values that the sort moves with the keys; without a type there are none */
    mcl_buffer *sorted, *moved;
    int restores; /* 1 in a join by a table: the output gets the values that the side carries, not indices of sorted
                   * keys, nor of keys that are not sorted */
} mcl__join_side;

/* The plan of a call that sorts two sequences and joins them. Its steps are calls of other operations. */
typedef struct mcl__join_sorts {
    mcl__call *call; /* the checked call, with the operands of this header */
    mcl_join_kind kind;
    mcl__join_side a, b;
    int64_t stored;   /* the most rows to store */
    int has_table;    /* 1 if the smaller side becomes a table, and the larger side is not sorted */
    int has_hash;     /* 1 if rows may come in any order, and one side is looked up in a hash table of the other one */
    mcl_output keys;  /* the rows' keys, which a join with has_hash stores itself; without a type: not wanted */
    mcl_buffer *slot; /* slot of the count, if the caller gives none */
    mcl__span count_at;
} mcl__join_sorts;

/* Returns the type of a side's indices in scratch. */
static inline const mcl_type *mcl__join_index(const mcl__join_side *side)
{
    return side->keys.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}
/* Returns the call's options for a step other than the join: without tile, passes, sort method and MCL_UNORDERED. */
mcl_options mcl__join_beside(const mcl_options *options);
/* Checks that the count's type can hold the number stored: later steps read the number of rows from the count. */
mcl_status mcl__join_check_count_type(const mcl__call *call, int64_t stored);
/* Sorts both sides and joins them. An output is all zero, or an array that receives the index of each row in the sorted
 * sequence. *count becomes the device slot with the number of rows. */
mcl_status mcl__join_sort_and_join(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b,
                                   const mcl_options *options, mcl_result *count);
/* join_table.c. Returns 1 where keys are equal exactly if their images are equal (cl/kernels/join/join_image.clh). A
 * key's slot in a hash table is computed from its image. */
int mcl__join_has_image(const mcl__join_sorts *plan);
/* Returns 1 where the smaller side should become a table. */
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
/* Joins both sides with a table of the smaller side, whose sorted keys are given. The values that the larger side
 * carries are moved as a sort would move them. But the values of keys without a partner come last. The larger side's
 * keys are not moved. */
mcl_status mcl__join_by_table(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b, mcl_input sorted,
                              const mcl_options *options, const mcl_result *count);
/* join_hash.c. Returns 1 where one side should be looked up in a hash table of the other one. */
int mcl__join_has_hash(const mcl__join_sorts *plan);
/* Returns the side that becomes the table. */
mcl__join_side *mcl__join_hashed(mcl__join_sorts *plan);
/* Joins both sides with this table, whose side is sorted: sorted has its keys. Rows have the caller's indices. */
mcl_status mcl__join_by_hash(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b, mcl_input sorted,
                             const mcl_options *options, const mcl_result *count);
/* Returns an array of rows as an input, with *count as its number of elements. */
mcl_input mcl__join_rows(const mcl__join_sorts *plan, const mcl_output *rows, const mcl_result *count);
/* Runs the steps of a call (mcl__steps_run), then reads the count. */
mcl_status mcl__join_run(mcl__join_sorts *plan, mcl__steps steps, void (*release)(void *of), void *of);
void mcl__join_release(mcl__join_sorts *plan);

#endif
