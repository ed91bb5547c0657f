/* group_plan.h: a checked grouping, and its steps (group_by_mean.c, group_by_tables.c, group_by_sorted.c). */
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
    GROUPED_KEYS, /* keys and count of the call */
    GROUPED_COUNT
};

enum { MCL__GROUP_NAME_BYTES = 40 };

/* An aggregate, which is checked as a call of its own. */
typedef struct mcl__grouped {
    mcl__call call;
    mcl_aggregate given;
    mcl_op own; /* copy of the operator with its accumulator type */
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

/* Returns 1 where the aggregate is a mean. A mean is no fold, so tables and runs cannot make it. */
static inline int mcl__grouped_is_mean(const mcl__grouped *part)
{
    return part->given.op && mcl__same_op(part->given.op, MCL_MEAN);
}

/* Returns an output of the call for its steps. It is all zero where the caller has left it out. */
static inline mcl_output mcl__group_output(const mcl__call *call, int operand)
{
    const mcl_output *const out = call->operands[operand].output;
    return mcl__is_left_out(out) ? (mcl_output){ 0 } : *out;
}

/* A function that does the work of a checked call. */
typedef mcl_status mcl__group_steps(const mcl__group_plan *group);
/* Check a call, mcl_group_by or mcl_distinct, and do its work with steps. */
mcl_status mcl__group(mcl_queue *queue, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                      int aggregate_count, mcl_result count, const mcl_options *options, mcl__group_steps *steps);
mcl_status mcl__group_keys(mcl_queue *queue, mcl_input keys, mcl_output out, mcl_result count,
                           const mcl_options *options, mcl__group_steps *steps);
/* Compiles the texts of aggregates without outputs, so that wrong texts are refused. It is a step of the call. */
mcl_status mcl__group_look_at_texts(const mcl__group_plan *group);
/* Sets *count to the slot for the number of groups in device memory. It is the caller's slot, else *own, which then is
 * scratch of queue. */
mcl_status mcl__group_count_slot(const mcl__call *call, mcl_queue *queue, mcl_buffer **own, mcl_result *count);

/* The most bytes of a key. */
enum { MCL__GROUP_KEY_BYTES = 16 };

enum { MCL__GROUP_TEXT_BYTES = 2048 };

/* The plan of a grouping by sorting, which is a whole call or a part of one. */
typedef struct mcl__group_sort {
    const mcl__group_plan *group;
    mcl_queue *queue;
    mcl_input keys;      /* keys of the call; once stored, they are in a buffer */
    int is_plain;        /* 1 if the keys themselves are sorted; 0 if their indices are */
    int wanted;          /* number of wanted aggregates */
    mcl_buffer *stored;  /* array for keys that are an expression */
    mcl_buffer *sorted;  /* sorted keys, or the words of keys by which indices were sorted last */
    mcl_buffer *order;   /* index of each sorted key, where a step needs it */
    mcl_buffer *swapped; /* order after the sort by the second word */
    mcl_buffer *values;  /* array for values that are an expression */
    mcl_buffer *ordered; /* values in the order of the keys */
    mcl_buffer *firsts;  /* index of each group's first key */
    mcl_buffer *slot;    /* slot of the count, if the caller gives none */
    mcl__span count_at;
    char text[MCL__GROUP_TEXT_BYTES];
} mcl__group_sort;

/* group_by_sorted.c. Does the work by sorting. The three functions below do it as a part of another call. */
mcl__group_steps mcl__group_sorted;
/* Initialises *sort for the call, whatever *sort contained before. */
void mcl__group_sort_init(mcl__group_sort *sort, const mcl__group_plan *group);
mcl_status mcl__group_sort_steps(void *of, const mcl_options *options);
void mcl__group_sort_release(void *of);
/* Returns the integer type in which keys of a built-in type are read. It has the same size, so it keeps their bits. */
const mcl_type *mcl__group_word(const mcl_type *type);

/* group_by_tables.c. Does the work with tables where groups may be few, else by sorting. */
mcl__group_steps mcl__group_tabled;

/* group_by_mean.c. Does the work where there are means; without means it calls mcl__group_tabled. */
mcl__group_steps mcl__group_averaged;

#endif
