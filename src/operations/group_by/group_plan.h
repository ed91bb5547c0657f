/* group_plan.h: a grouping as it is checked, and its steps (group_by_mean.c, group_by_tables.c, group_by_sorted.c). */
#ifndef MODERNCL_GROUP_PLAN_H
#define MODERNCL_GROUP_PLAN_H

#include "call/call.h"

#include "moderncl/group_by.h"

/* Operands of a call, and of each aggregate. */
enum { KEYS = 1, OUT_KEYS, COUNT };
enum {
    VALUES = 1,
    OP,
    OUT,
    GROUPED_KEYS, /* of the call */
    GROUPED_COUNT
};

enum { MCL__GROUP_NAME_BYTES = 40 };

/* An aggregate is a call of its own. */
typedef struct mcl__grouped {
    mcl__call call;
    mcl_aggregate given;
    mcl_op own; /* room for an operator that says what it folds in */
    char names[3][MCL__GROUP_NAME_BYTES];
    const char *label[GROUPED_COUNT + 1];
} mcl__grouped;

typedef struct mcl__group_plan {
    mcl__call *call;
    mcl__grouped *parts;
    int part_count;
} mcl__group_plan;

static inline int mcl__grouped_is_wanted(const mcl__grouped *part)
{
    return !mcl__is_left_out(part->call.operands[OUT].output);
}

/* A mean is none of the folds that tables and runs know. */
static inline int mcl__grouped_is_mean(const mcl__grouped *part)
{
    return part->given.op && mcl__same_op(part->given.op, MCL_MEAN);
}

/* Returns an output as the steps of a call see it. */
static inline mcl_output mcl__group_output(const mcl__call *call, int operand)
{
    const mcl_output *const out = call->operands[operand].output;
    return mcl__is_left_out(out) ? (mcl_output){ 0 } : *out;
}

/* The work of a checked call. */
typedef mcl_status mcl__group_steps(const mcl__group_plan *group);
/* Check a call, mcl_group_by or mcl_distinct, and do its work by steps. */
mcl_status mcl__group(mcl_queue *queue, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                      int aggregate_count, mcl_result count, const mcl_options *options, mcl__group_steps *steps);
mcl_status mcl__group_keys(mcl_queue *queue, mcl_input keys, mcl_output out, mcl_result count,
                           const mcl_options *options, mcl__group_steps *steps);
/* Gives the slot for the count of groups in device memory: the caller's, or *own, which is made for queue. */
mcl_status mcl__group_count_slot(const mcl__call *call, mcl_queue *queue, mcl_buffer **own, mcl_result *count);

/* Bytes of a key, at most. */
enum { MCL__GROUP_KEY_BYTES = 16 };

enum { MCL__GROUP_TEXT_BYTES = 2048 };

/* A call by sorting, or such a part of a call. */
typedef struct mcl__group_sort {
    const mcl__group_plan *group;
    mcl_queue *queue;
    mcl_input keys;      /* the caller's, in a buffer */
    int is_plain;        /* the keys themselves are sorted, else their indices */
    int wanted;          /* aggregates */
    mcl_buffer *stored;  /* keys that were an expression */
    mcl_buffer *sorted;  /* keys, or the words of them that were sorted last */
    mcl_buffer *order;   /* the index of each, where it is of use */
    mcl_buffer *swapped; /* the same after the second word */
    mcl_buffer *values;  /* values that were an expression */
    mcl_buffer *ordered; /* values in the order of the keys */
    mcl_buffer *firsts;  /* the index of each group's first key */
    mcl_buffer *slot;    /* the count's, where the caller has none */
    mcl__span count_at;
    char text[MCL__GROUP_TEXT_BYTES];
} mcl__group_sort;

/* group_by_sorted.c: the steps by sorting; these as a part of another call. */
mcl__group_steps mcl__group_sorted;
/* Begins a sort of the call in place, whatever was there. */
void mcl__group_sort_init(mcl__group_sort *sort, const mcl__group_plan *group);
mcl_status mcl__group_sort_steps(void *of, const mcl_options *options);
void mcl__group_sort_release(void *of);
/* Returns the integer of a built-in key's size that has its bits. */
const mcl_type *mcl__group_word(const mcl_type *type);

/* group_by_tables.c: the steps by tables where groups may be few, else by sorting. */
mcl__group_steps mcl__group_tabled;

/* group_by_mean.c: the steps where there are means, else those by tables. */
mcl__group_steps mcl__group_averaged;

#endif
