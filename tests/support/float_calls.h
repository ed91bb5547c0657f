/* float_calls.h: one list of all calls that fold floats. Each adds up the same numbers, in runs or groups of them, and
 * its sums are compared with those of doubles. */
#ifndef TEST_FLOAT_CALLS_H
#define TEST_FLOAT_CALLS_H

#include <moderncl/moderncl.h>

/* How the numbers are shared out: run k has the elements [begins[k], begins[k + 1]), group k those of each key k. All
 * runs together are the numbers. */
typedef struct float_numbers {
    int64_t count;
    const float *x;
    int run_count;
    const int32_t *begins; /* one more than there are runs */
    const int32_t *keys;   /* of each element, its run's number */
    const int32_t *groups; /* of each element, below run_count; in no order */
    const mcl_op *op;      /* MCL_ADD, or what folds_any calls fold by instead */
    mcl_buffer *in, *key, *group, *begin, *flag, *out, *out_keys;
} float_numbers;

/* The mappings in which a call takes MCL_DETERMINISTIC and MCL_REPRODUCIBLE. */
typedef enum float_flags { FLOAT_NO_FLAGS, FLOAT_FLAGS_IN_SERIAL, FLOAT_FLAGS } float_flags;

/* What a call's sums are of. */
typedef enum float_sums {
    FLOAT_ALL,       /* of all numbers: one sum */
    FLOAT_PREFIXES,  /* of the numbers up to each */
    FLOAT_RUNS,      /* of each run */
    FLOAT_RUN_PARTS, /* of the numbers of its run up to each */
    FLOAT_GROUPS     /* of each group, in any order: out_keys names them where has_keys */
} float_sums;

typedef enum float_kind {
    FLOAT_PLAIN,
    FLOAT_MEAN,     /* sums are divided by how many numbers they have */
    FLOAT_FROM_ZERO /* numbers are added to 0 */
} float_kind;

typedef struct float_call {
    const char *name;
    float_sums sums;
    int has_keys;
    int folds_any; /* takes any operator */
    float_flags flags;
    double serial, group; /* docs/concepts.md: the bound of the relative error of a sum of n numbers, in units of 2^-23
                             for each doubling of n, in both mappings; 0: n / 2 units */
    /* Sums to numbers->out, one after the other; one of FLOAT_ALL too. */
    mcl_status (*call)(mcl_context *context, mcl_queue *queue, const float_numbers *numbers,
                       const mcl_options *options);
    float_kind kind;
} float_call;

extern const float_call float_calls[];
extern const int float_call_count;

#endif
