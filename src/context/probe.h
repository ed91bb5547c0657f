/* probe.h: finds by tests which paths a context's device can use. */
#ifndef MODERNCL_PROBE_H
#define MODERNCL_PROBE_H

#include "program/program.h"

/* Settles limits->word_path, sub_group_path and look_back by litmus kernels, once. The disk cache keeps the
 * verdict. It must be called before the first program of a context is described. */
mcl_status mcl__context_probe(mcl_context *context);

/* The litmus kernels: atomics of 64 bits, words between running groups, values within a sub-group. */
typedef enum mcl__trial_kind { MCL__TRIAL_ATOMICS, MCL__TRIAL_WORDS, MCL__TRIAL_SUB_GROUPS } mcl__trial_kind;

/* A litmus kernel with one word path, and the results of its runs. */
typedef struct mcl__trial {
    mcl__trial_kind kind;
    mcl__word_path words; /* the word path to try; unused for sub-groups */
    void *program;        /* the driver's program, kept between runs */
    int64_t runs;         /* finished runs; 0: the program does not build, or its groups are not allowed */
    int64_t failed;       /* runs with wrong results */
    int64_t stalled;      /* runs in which more than a quarter of the groups gave up their wait */
    int64_t members;      /* groups of all runs; in trials of sub-groups, work-items of all runs */
    int64_t given_up;     /* groups that gave up their wait */
} mcl__trial;

enum { MCL__TRIALS_MAX = 5 };

/* Lists the litmus kernels that the probe of a context may run, in its order, and returns their number. Call it before
 * the probe, which then keeps only the paths that it chose. */
int mcl__trial_list(const mcl_context *context, mcl__trial trials[MCL__TRIALS_MAX]);

/* Runs the litmus kernel once, waits for it, and adds to the trial's numbers. The kernel ends on any device, since a
 * group polls a limited number of times. */
mcl_status mcl__trial_run(mcl_context *context, mcl__trial *trial);

/* Releases the trial's program. */
void mcl__trial_end(mcl_context *context, mcl__trial *trial);

#endif
