/* operators.h: operators for one rank's part of a call. */
#ifndef MCL_MPI_OPERATORS_H
#define MCL_MPI_OPERATORS_H

#include "ranks.h"

enum { EXPRESSION_BYTES = 4096 };

/* A copy of an operator that gets indices of the whole sequence: i in its text becomes first + i. The copy uses the
 * text in this struct, so the struct must live during the call. */
typedef struct mcl__placed_op {
    mcl_op op;
    char text[EXPRESSION_BYTES + 128]; /* text of the copy, and the condition that a scan puts before it */
} mcl__placed_op;

/* Makes such a copy. Replaces the index in the expression of a test or an index, or in the extract of a fold. */
mcl_status mcl__place_op(mcl_mpi *mpi, const mcl_op *op, int64_t first, mcl__placed_op *out);

/* A fold in two steps: each rank folds its elements to a partial, then the partials are folded. */
typedef struct mcl__fold {
    const mcl_type *element;
    const mcl_type *partial; /* type of partials, which has all that an accumulator has */
    int is_indexed;          /* 1 if accumulators have an index */
    mcl_type indexed_type;   /* type of partials if accumulators have an index */
    char indexed_name[NAME_BYTES];
    char indexed_text[EXPRESSION_BYTES];
    const void *initial; /* initial value, of partial's type; NULL: none */
    union {
        uint64_t whole;
        float real_4;
        double real_8;
    } wide_initial;
    mcl__placed_op local; /* operator on a rank's elements */
    mcl_op joined;        /* operator on the partials: element k is partial k */
} mcl__fold;

/* Finds the widest integer and the widest float among the result types of all ranks, so that all ranks fold in one
 * type. results has this rank's result types; NULL: none. It receives the two types found, or NULL. Collective. */
enum { MCL__FOLD_RESULTS = 2 };
mcl_status mcl__fold_results(mcl_mpi *mpi, const mcl_op *op, const mcl_type *results[MCL__FOLD_RESULTS]);

/* Plans a fold. first is the index of the rank's first element; results comes from mcl__fold_results. */
mcl_status mcl__fold_plan(mcl_mpi *mpi, const mcl_op *op, const mcl_type *element, const mcl_type *const *results,
                          int64_t first, const mcl_options *options, mcl__fold *out);

/* Checks that an index of a sequence of whole elements fits the result type. type is NULL if no result is stored. The
 * core makes this check, in a reduction without a destination. */
mcl_status mcl__fold_fits(mcl_mpi *mpi, const mcl__fold *fold, const mcl_op *op, int64_t whole, const mcl_type *type);

/* Makes the local operator for a sequence with one more element in front. This element is the fold of all elements
 * before the sequence, a partial in a buffer. */
mcl_status mcl__fold_put_before(mcl_mpi *mpi, mcl__fold *fold, mcl_buffer *before);

/* Returns options for a call on a rank's part: the user's flags and tile, without an initial value. If accumulators
 * have an index, the index gets 64 bits. */
mcl_options mcl__fold_options(const mcl__fold *fold, const mcl_options *options);

/* Gives the partials of all ranks that have elements, on the device, in the order of ranks. counts[r] is the number of
 * elements of rank r. in.count must be on the host. Collective; the caller must call mcl__agree after it. */
mcl_status mcl__fold_partials(mcl_mpi *mpi, const mcl__fold *fold, mcl_input in, const mcl_options *options,
                              const int64_t *counts, mcl_buffer **partials);

/* A fold of a rank's elements that continues the fold of earlier elements. The first parts_before partials are the
 * folds of these. */
typedef struct mcl__fold_part {
    mcl_input in;
    const mcl_op *op;
    const mcl_options *options;
    const mcl_type *results[MCL__FOLD_RESULTS]; /* types of the results that any rank wants */
    int64_t first;                              /* index of the first element in the whole sequence */
    int parts_before;                           /* number of partials before this part */
    mcl__fold fold;
    mcl_buffer *partials;
} mcl__fold_part;

/* Scans the part, and starts from the fold of earlier elements. It uses ROOM_MERGED if accumulators have an index. */
mcl_status mcl__fold_scan(mcl_mpi *mpi, mcl__fold_part *part, mcl_output out, mcl_scan_kind kind);

/* Makes the operator that folds partials in a buffer. */
mcl_status mcl__fold_joined(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, mcl_op *out);

/* Reduces the whole sequence by the core's tree over its indices, with the same bits for any number of ranks. counts:
 * number of elements of all ranks, which are not all 0. Collective: the caller must call mcl__agree before and after
 * it. */
mcl_status mcl__fold_by_tree(mcl_mpi *mpi, mcl__fold_part *part, const int64_t *counts, mcl_result result);

/* Folds the first count partials. */
mcl_status mcl__fold_join(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, int64_t count, mcl_result result,
                          const mcl_options *options);

#endif
