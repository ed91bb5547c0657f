/* probe.h: finds by litmus kernels which paths a context's device can use. */
#ifndef MODERNCL_PROBE_H
#define MODERNCL_PROBE_H

#include "program/program.h"

/* Sets limits->word_path, sub_group_path and look_back by litmus kernels, once. The disk cache keeps the verdict. Call
 * this function before the first program of a context is described. */
mcl_status mcl__context_probe(mcl_context *context);

/* The litmus kernels: 64-bit atomics, words between running groups, values within a sub-group. */
typedef enum mcl__trial_kind { MCL__TRIAL_ATOMICS, MCL__TRIAL_WORDS, MCL__TRIAL_SUB_GROUPS } mcl__trial_kind;

/* A litmus kernel with one word path, and the results of its runs. */
typedef struct mcl__trial {
    mcl__trial_kind kind;
    mcl__word_path words; /* the word path to try; unused for sub-groups */
    void *program;        /* the driver's program, kept between runs */
    int64_t runs;         /* finished runs; 0: the program does not build, or its groups are not allowed */
    int64_t failed;       /* runs with wrong results */
    int64_t stalled;      /* runs in which more than a quarter of the groups gave up waiting */
    int64_t members;      /* number of groups in all runs; for sub-groups, number of work-items in all runs */
    int64_t given_up;     /* number of groups that gave up waiting */
} mcl__trial;

enum { MCL__TRIALS_MAX = 5 };

/* Lists the litmus kernels that the probe of a context may run, in order, and returns their number. Call it before the
 * probe, after which only the chosen paths are left. */
int mcl__trial_list(const mcl_context *context, mcl__trial trials[MCL__TRIALS_MAX]);

/* Runs the litmus kernel once, waits for it, and adds the result to the trial's numbers. The kernel ends on any device,
 * since the number of polls is limited. */
mcl_status mcl__trial_run(mcl_context *context, mcl__trial *trial);

/* Releases the trial's program. */
void mcl__trial_end(mcl_context *context, mcl__trial *trial);

#endif
