/* operators.h: operators for one rank's part of a call. */
#ifndef MCL_MPI_OPERATORS_H
#define MCL_MPI_OPERATORS_H

#include "ranks.h"

enum { EXPRESSION_BYTES = 4096 };

/* A copy of an operator that sees the indices of the whole sequence: i in its text is first + i. The text is in the
 * struct, which must live during the call. */
typedef struct mcl__placed_op {
    mcl_op op;
    char text[EXPRESSION_BYTES + 128]; /* the text, and what a scan puts in front */
} mcl__placed_op;

/* A name of one letter in an operator's text, and the text that stands for it in a copy. */
typedef struct mcl__renamed {
    char name;
    const char *becomes;
} mcl__renamed;

/* Copies a text with other names; out has room for EXPRESSION_BYTES. */
mcl_status mcl__rename(mcl_mpi *mpi, const char *text, const mcl__renamed *names, int count, char *out);

/* Makes such a copy. The text is the expression of a test or an index, or the extract of a fold. */
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
    mcl__placed_op local; /* the operator on a rank's elements */
    mcl_op joined;        /* the operator on the partials: element k is partial k */
} mcl__fold;

/* Widens the types of results over all ranks, so that all fold in one type. results has the types that this rank asks
 * for; NULL: none. It receives an integer and a float as wide as any rank's, or NULL. Collective. */
enum { MCL__FOLD_RESULTS = 2 };
mcl_status mcl__fold_results(mcl_mpi *mpi, const mcl_op *op, const mcl_type *results[MCL__FOLD_RESULTS]);

/* Plans a fold. first is the index of the rank's first element, results comes from mcl__fold_results. */
mcl_status mcl__fold_plan(mcl_mpi *mpi, const mcl_op *op, const mcl_type *element, const mcl_type *const *results,
                          int64_t first, const mcl_options *options, mcl__fold *out);

/* Checks that an index of a sequence of whole elements fits the type that the fold is stored as (NULL: not stored). The
 * core makes this check, of a reduction that goes nowhere. */
mcl_status mcl__fold_fits(mcl_mpi *mpi, const mcl__fold *fold, const mcl_op *op, int64_t whole, const mcl_type *type);

/* Makes the local operator one of a sequence that has the fold of all before it, a partial in a buffer, in front. */
mcl_status mcl__fold_put_before(mcl_mpi *mpi, mcl__fold *fold, mcl_buffer *before);

/* Returns options for a call on a rank's part: the user's, without an initial value. Where accumulators have an index,
 * it has 64 bits. */
mcl_options mcl__fold_options(const mcl__fold *fold, const mcl_options *options);

/* Gives the partials of all ranks that have elements, on the device, in their order; counts[r] is the number of
 * elements of rank r. in has its count. Collective; the call ends without an agreement. */
mcl_status mcl__fold_partials(mcl_mpi *mpi, const mcl__fold *fold, mcl_input in, const mcl_options *options,
                              const int64_t *counts, mcl_buffer **partials);

/* A fold of a rank's elements that goes on with what is before them: the first parts_before of the partials. */
typedef struct mcl__fold_part {
    mcl_input in;
    const mcl_op *op;
    const mcl_options *options;
    const mcl_type *results[MCL__FOLD_RESULTS]; /* types that any rank asks for results in */
    int64_t first;                              /* index of the first element */
    int parts_before;                           /* number of partials before this part */
    mcl__fold fold;
    mcl_buffer *partials;
} mcl__fold_part;

/* Makes the scan of the part, of a kind without total, in ROOM_MERGED where accumulators have an index. */
mcl_status mcl__fold_scan(mcl_mpi *mpi, mcl__fold_part *part, mcl_output out, mcl_scan_kind kind);

/* Makes the operator of a fold of partials in a buffer. */
mcl_status mcl__fold_joined(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, mcl_op *out);

/* Makes the reduction of the whole by the core's tree over its indices, with the same bits for any number of ranks.
 * counts: the elements of all ranks, which are not all 0. Collective, after an agreement; ends without one. */
mcl_status mcl__fold_by_tree(mcl_mpi *mpi, mcl__fold_part *part, const int64_t *counts, mcl_result result);

/* Folds the first count partials. */
mcl_status mcl__fold_join(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, int64_t count, mcl_result result,
                          const mcl_options *options);

#endif
