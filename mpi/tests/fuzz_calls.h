/* fuzz_calls.h: the operations of random calls, on ranks and by the core. */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include "ranks_test.h"

/* A fold and the type of its results. result is NULL if that is the elements' type. */
typedef struct fold_kind {
    const mcl_op *op;
    const mcl_type *result;
    int has_identity;
} fold_kind;

typedef struct drawing {
    uint64_t state;
    int64_t shape; /* random bits that choose what is compiled; shape_below uses them up */
    const mcl_type *type;
    const fold_kind *fold;
    const mcl_type *value; /* type of the values of groups */
    const mcl_op *order, *equal;
    mcl_scan_kind kind;
    mcl_join_kind join, any_join; /* kind whose rows are in the core's order; any kind */
    int64_t number;               /* random number, such as k or nth */
    int64_t share;                /* share of this rank */
    int ranks;                    /* number of ranks */
    int segments;                 /* a value of mcl_segment_kind */
} drawing;

/* The operands of one rank, or of the core's call on the whole sequence. */
typedef struct side {
    mcl_mpi *mpi; /* NULL: the core's call */
    mcl_queue *queue;
    mcl_input a, b, a_values, b_values;
    int64_t first; /* index of the first element of a in the whole sequence */
    mcl_segments segments;
    mcl_output out[2];
    int64_t count, whole; /* number of results of this side; number of results of all ranks */
} side;

/* The order in which the ranks' results make up the expected results. */
typedef enum form {
    KEPT,      /* results after those of lower ranks; the call gives their number */
    OWNED,     /* results in order, with other ranks' results between them; the call gives their number */
    ANYHOW,    /* results in any order; the call gives their number */
    ALIGNED,   /* one result for each element of a, in their order */
    EVERYWHERE /* all results, on every rank */
} form;
typedef enum out_type { NOTHING, ELEMENTS, NUMBERS, FOLDS, BYTES } out_type;
enum {
    SORTED = 1,        /* inputs that are sorted */
    ONE_FOLD = 2,      /* outputs that belong to one fold */
    WHOLE_WORDS = 4,   /* elements of 4 bytes or more */
    FOLDS_ALL = 8,     /* an identity of the fold, if there are no elements */
    NOT_EMPTY = 16,    /* at least one element */
    JOINS = 32,        /* a check that outputs have space for all rows of a join */
    HAS_SEGMENTS = 64, /* a list of segments */
    GROUPS = 128       /* a fold that groups can take */
};

typedef mcl_status (*run_function)(const drawing *d, side *s);

typedef struct operation {
    const char *name;
    run_function run;
    form form;
    unsigned needs;
    out_type out[2];
} operation;

extern const operation fuzz_operations[];
extern const int fuzz_operation_count;

#endif
