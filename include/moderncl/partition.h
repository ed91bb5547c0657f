/* partition.h: the stable partition: a test moves each element to one of two or three outputs, in the elements'
 * order. */
#ifndef MODERNCL_PARTITION_H
#define MODERNCL_PARTITION_H

#include "compact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Order, outputs, overlap, tests, cost, scratch and errors are as compact.h says at its beginning. Each output may be
 * left out, as compact.h says. */

/* Do the same as mcl_compact, mcl_compact_flagged and mcl_compact_stencil, but elements that are not kept go to
 * rejected (std::partition_copy). counts: two numbers, one after the other, namely of elements kept and of elements
 * rejected. */
MCL_API mcl_status mcl_partition(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected,
                                 const mcl_op *keep, mcl_result counts, const mcl_options *options);
MCL_API mcl_status mcl_partition_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out,
                                         mcl_output rejected, mcl_result counts, const mcl_options *options);
MCL_API mcl_status mcl_partition_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out,
                                         mcl_output rejected, const mcl_op *keep, mcl_result counts,
                                         const mcl_options *options);

/* A column of values beside the elements of a partition. */
typedef struct mcl_partition_column {
    mcl_input in;        /* values, as many as the call's in or more; a count slot of in is not looked at */
    mcl_output out;      /* values of kept elements, of in's type */
    mcl_output rejected; /* values of rejected elements, of in's type */
} mcl_partition_column;

/* Does the same as mcl_partition, where each element takes its values in all columns with it (mcl_compact_columns).
 * columns[c].out[r] is the value of the element that went to out[r]. columns[c].rejected[r] is the value of the element
 * that went to rejected[r]. Both keep the order of the elements.
 *
 * The lowest capacity of out and the columns' out is the limit of all these outputs. In the same manner the lowest
 * capacity of rejected and the columns' rejected is their limit. Each output may be left out.
 * Cost: where no output is left out, the elements' kernel also moves the first column, or both where there are two. All
 *   other columns follow in launches of four, which read an index for each element.
 * Scratch: where a column follows in such a launch, 16 bytes, and an index of 4 or 8 bytes for each element of in. */
MCL_API mcl_status mcl_partition_columns(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected,
                                         const mcl_partition_column *columns, int column_count, const mcl_op *keep,
                                         mcl_result counts, const mcl_options *options);

/* Partitions in three. Elements that pass first_test go to first. Other elements go to second where they pass
 * second_test, else to rest. counts: three numbers, one after the other. */
MCL_API mcl_status mcl_partition_three(mcl_queue *queue, mcl_input in, mcl_output first, mcl_output second,
                                       mcl_output rest, const mcl_op *first_test, const mcl_op *second_test,
                                       mcl_result counts, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
