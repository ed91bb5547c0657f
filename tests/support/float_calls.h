/* float_calls.h: one list of all calls that fold floats. Each call adds up the same numbers, in all, in runs or in
 * groups. Tests compare its sums with sums in double. */
#ifndef TEST_FLOAT_CALLS_H
#define TEST_FLOAT_CALLS_H

#include <moderncl/moderncl.h>

/* The numbers, and how they form runs and groups. Run k has the elements [begins[k], begins[k + 1]). Group k has the
 * elements whose entry in groups is k. All runs together have all numbers. */
typedef struct float_numbers {
    int64_t count;
    const float *x;
    int run_count;
    const int32_t *begins; /* begins of the runs, and the end of the last run */
    const int32_t *keys;   /* number of each element's run */
    const int32_t *groups; /* number of each element's group, below run_count, in no order */
    const mcl_op *op;      /* MCL_ADD, or another fold for calls with folds_any */
    mcl_buffer *in, *key, *group, *begin, *flag, *out, *out_keys;
} float_numbers;

/* The mappings in which a call takes the flags MCL_DETERMINISTIC and MCL_REPRODUCIBLE. */
typedef enum float_flags { FLOAT_NO_FLAGS, FLOAT_FLAGS_IN_SERIAL, FLOAT_FLAGS } float_flags;

/* The elements that a call adds up for each sum. */
typedef enum float_sums {
    FLOAT_ALL,       /* one sum of all numbers */
    FLOAT_PREFIXES,  /* one sum for each number: all numbers up to it */
    FLOAT_RUNS,      /* one sum for each run */
    FLOAT_RUN_PARTS, /* one sum for each number: the numbers of its run up to it */
    FLOAT_GROUPS     /* one sum for each group, in any order; where has_keys, out_keys has the groups' numbers */
} float_sums;

typedef enum float_kind {
    FLOAT_PLAIN,
    FLOAT_MEAN,     /* each sum is divided by the number of its elements */
    FLOAT_FROM_ZERO /* the sums start from 0 */
} float_kind;

typedef struct float_call {
    const char *name;
    float_sums sums;
    int has_keys;
    int folds_any; /* 1 where the call takes any operator */
    float_flags flags;
    double serial, group; /* bound of the relative error of a sum of n numbers, for each mapping, from docs/concepts.md;
                           * in units of 2^-23 for each doubling of n; 0: n / 2 units */
    /* Makes the call. The sums, also a single sum, go to numbers->out one after the other. */
    mcl_status (*call)(mcl_context *context, mcl_queue *queue, const float_numbers *numbers,
                       const mcl_options *options);
    float_kind kind;
} float_call;

extern const float_call float_calls[];
extern const int float_call_count;

#endif
