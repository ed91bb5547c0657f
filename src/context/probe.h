/* probe.h: what a context's device is found to do. */
#ifndef MODERNCL_PROBE_H
#define MODERNCL_PROBE_H

#include "program/program.h"

/* Settles limits->word_path, sub_group_path and look_back by litmus kernels, once. The verdict is kept in the disk
 * cache. Called before the first program of a context is described. */
mcl_status mcl__context_probe(mcl_context *context);

/* The litmus kernels: atomics of 64 bits, words between running groups, values within a sub-group. */
typedef enum mcl__trial_kind { MCL__TRIAL_ATOMICS, MCL__TRIAL_WORDS, MCL__TRIAL_SUB_GROUPS } mcl__trial_kind;

/* A litmus kernel by one way, and what its runs have shown. */
typedef struct mcl__trial {
    mcl__trial_kind kind;
    mcl__word_path words; /* way of the words; not of sub-groups */
    void *program;        /* kept between runs */
    int64_t runs;         /* 0 after a run: the program does not build, or the device does not allow its groups */
    int64_t failed;       /* runs that left what is not right */
    int64_t stalled;      /* runs in which more than a quarter of the groups gave up their wait */
    int64_t members;      /* groups of all runs; of sub-groups, work-items */
    int64_t given_up;     /* groups whose wait was given up */
} mcl__trial;

enum { MCL__TRIALS_MAX = 5 };

/* Gives the litmus kernels that the probe of a context may run, in its order, and returns their number. Only before
 * the probe: it leaves the way that it has chosen alone. */
int mcl__trial_list(const mcl_context *context, mcl__trial trials[MCL__TRIALS_MAX]);

/* Runs the litmus kernel once, and adds to the numbers. It ends on any device: a group polls a limited number of times.
 * Waits. */
mcl_status mcl__trial_run(mcl_context *context, mcl__trial *trial);

/* Releases the program. */
void mcl__trial_end(mcl_context *context, mcl__trial *trial);

#endif
