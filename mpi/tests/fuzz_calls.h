/* fuzz_calls.h: the calls that are drawn at random, on ranks and of the core. */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include "ranks_test.h"

/* result: NULL: the elements' type */
typedef struct fold_kind {
    const mcl_op *op;
    const mcl_type *result;
    int has_identity;
} fold_kind;

typedef struct drawing {
    uint64_t state;
    int64_t shape; /* bits that say what is compiled, used up by shape_below */
    const mcl_type *type;
    const fold_kind *fold;
    const mcl_type *value; /* of the values of groups */
    const mcl_op *order, *equal;
    mcl_scan_kind kind;
    mcl_join_kind join, any_join; /* of the kinds whose rows are in the core's order; of all */
    int64_t number;               /* k, nth */
    int64_t share;                /* of this rank */
    int ranks;                    /* how many there are */
    int segments;                 /* mcl_segment_kind */
} drawing;

/* The operands of one side: a rank's, or the whole. */
typedef struct side {
    mcl_mpi *mpi; /* NULL: the core */
    mcl_queue *queue;
    mcl_input a, b, a_values, b_values;
    int64_t first; /* index of its first element of a in the whole */
    mcl_segments segments;
    mcl_output out[2];
    int64_t count, whole; /* results of this side; of all ranks */
} side;

/* Where a rank's results are in the whole's. */
typedef enum form {
    KEPT,      /* as many as the call says, after those of the ranks before */
    OWNED,     /* as many as the call says, in the whole's order, with those of other ranks between them */
    ANYHOW,    /* as many as the call says, in any order */
    ALIGNED,   /* where its elements of a are */
    EVERYWHERE /* every rank has all */
} form;
typedef enum out_type { NOTHING, ELEMENTS, NUMBERS, FOLDS, BYTES } out_type;
enum {
    SORTED = 1,        /* operands are in order */
    ONE_FOLD = 2,      /* one that the outputs are of */
    WHOLE_WORDS = 4,   /* elements have 4 bytes or more */
    FOLDS_ALL = 8,     /* without elements there must be an identity */
    NOT_EMPTY = 16,    /* there must be elements */
    JOINS = 32,        /* results may be more than there is room for */
    HAS_SEGMENTS = 64, /* there must be a list */
    GROUPS = 128       /* the fold is one that groups take */
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
