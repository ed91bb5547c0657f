/* operators.h: operators as one rank's part of a call needs them. */
#ifndef MCL_MPI_OPERATORS_H
#define MCL_MPI_OPERATORS_H

#include "ranks.h"

enum { EXPRESSION_BYTES = 4096 };

/* A copy of an operator that sees the indices of the whole sequence: i in its text is first + i. It keeps its text in
 * the struct, which must live during the call. */
typedef struct mcl__placed_op {
    mcl_op op;
    char text[EXPRESSION_BYTES + 128]; /* and what a scan puts in front */
} mcl__placed_op;

/* expression: of a test or an index, the expression; of a fold, what its extract is. */
mcl_status mcl__place_op(mcl_mpi *mpi, const mcl_op *op, int64_t first, mcl__placed_op *out);

/* A fold in parts: a partial of each rank, then the fold of the partials. */
typedef struct mcl__fold {
    const mcl_type *element;
    const mcl_type *partial; /* the type of partials, which has all that an accumulator has */
    int is_indexed;          /* accumulators have an index */
    mcl_type indexed_type;   /* partial's, where accumulators have an index */
    char indexed_name[NAME_BYTES];
    char indexed_text[EXPRESSION_BYTES];
    const void *initial; /* the value that the fold starts from, of partial's type; or NULL */
    union {
        uint64_t whole;
        float real_4;
        double real_8;
    } wide_initial;
    mcl__placed_op local; /* of a rank's elements */
    mcl_op joined;        /* of the partials: element k is partial k */
} mcl__fold;

/* Collective. In: the types that this rank asks for results in; NULL: none. Out: an integer and a float as wide as any
 * rank's, or NULL, so that all ranks fold in one type. */
enum { MCL__FOLD_RESULTS = 2 };
mcl_status mcl__fold_results(mcl_mpi *mpi, const mcl_op *op, const mcl_type *results[MCL__FOLD_RESULTS]);

/* first: the index of the rank's first element. results: what mcl__fold_results gives. */
mcl_status mcl__fold_plan(mcl_mpi *mpi, const mcl_op *op, const mcl_type *element, const mcl_type *const *results,
                          int64_t first, const mcl_options *options, mcl__fold *out);

/* An index of a sequence of whole elements fits a type that the fold is stored as; NULL: it is not. The core makes this
 * check, of a reduction that goes nowhere. */
mcl_status mcl__fold_fits(mcl_mpi *mpi, const mcl__fold *fold, const mcl_op *op, int64_t whole, const mcl_type *type);

/* Makes the local operator one of a sequence that has the fold of all before it, a partial in a buffer, in front. */
mcl_status mcl__fold_put_before(mcl_mpi *mpi, mcl__fold *fold, mcl_buffer *before);

/* Returns options for a call on a rank's part. They are the user's, without an initial value. Where accumulators have
 * an index it has 64 bits. */
mcl_options mcl__fold_options(const mcl__fold *fold, const mcl_options *options);

/* Gives the partials of all ranks that have elements, on the device, in their order; counts[r] is the elements of rank
 * r. in has its count. Collective; it ends without an agreement. */
mcl_status mcl__fold_partials(mcl_mpi *mpi, const mcl__fold *fold, mcl_input in, const mcl_options *options,
                              const int64_t *counts, mcl_buffer **partials);

/* A fold of a rank's elements that goes on with what is before them: the first parts_before of the partials. */
typedef struct mcl__fold_part {
    mcl_input in;
    const mcl_op *op;
    const mcl_options *options;
    const mcl_type *results[MCL__FOLD_RESULTS]; /* types that any rank asks for results in */
    int64_t first;                              /* index of the first element */
    int parts_before;                           /* of the partials */
    mcl__fold fold;
    mcl_buffer *partials;
} mcl__fold_part;

/* Makes the scan of the part, of a kind without total, in ROOM_MERGED where accumulators have an index. */
mcl_status mcl__fold_scan(mcl_mpi *mpi, mcl__fold_part *part, mcl_output out, mcl_scan_kind kind);

/* The operator of a fold of partials in a buffer. */
mcl_status mcl__fold_joined(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, mcl_op *out);

/* Makes the reduction of the whole by the core's tree over its indices, with the same bits for any number of ranks.
 * counts: of all ranks, which have elements. Collective, after an agreement; ends without one. */
mcl_status mcl__fold_by_tree(mcl_mpi *mpi, mcl__fold_part *part, const int64_t *counts, mcl_result result);

/* Folds the first count partials. */
mcl_status mcl__fold_join(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, int64_t count, mcl_result result,
                          const mcl_options *options);

#endif
