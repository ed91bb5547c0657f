/* runs.h: what the calls on segments and on runs of equal keys share. A run is a stretch of elements from one head up
 * to the next; heads are told by keys that differ from the one before, by flags, or by offsets. */
#ifndef MODERNCL_RUNS_H
#define MODERNCL_RUNS_H

#include "call/fold.h"
#include "facts/runs.h"

typedef struct mcl__runs {
    const char *function;
    int heads;           /* what tells them: HEADS_KEYS, HEADS_FLAGS or HEADS_OFFSETS */
    mcl_input by;        /* keys, flags or offsets */
    const char *by_name; /* as the caller knows it; so are the other names */
    mcl_input values;
    const char *values_name;
    mcl_output out_keys; /* reduce by key */
    mcl_output out;
    const char *out_name;
    const mcl_op *op;
    const mcl_op *equal; /* keys; NULL: == */
    mcl_result count;    /* of runs: reductions */
    int reduces;         /* 0: a scan */
    int kind;            /* of a scan */
} mcl__runs;

/* by_key.c: the whole call. */
mcl_status mcl__runs_call(mcl_queue *queue, const mcl__runs *runs, const mcl_options *options);

/* With MCL_VALIDATE: they are in order and in [0, count]. */
mcl_status mcl__validate_offsets(mcl_queue *queue, const char *function, const mcl_input *offsets, int64_t count,
                                 const mcl_options *options);
/* 1: the input's expression uses a name that none of its bindings has. */
int mcl__input_names(const mcl_input *input, const char *name);

#endif
