/* partition.h: the stable partition: tests decide to which of two or three outputs each element goes. The elements keep
 * their order. */
#ifndef MODERNCL_PARTITION_H
#define MODERNCL_PARTITION_H

#include "compact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Order, outputs left out, overlap, tests, cost, scratch and errors are described at the beginning of compact.h. */

/* Do the same as mcl_compact, mcl_compact_flagged and mcl_compact_stencil, but elements that are not kept go to
 * rejected (std::partition_copy). counts receives two numbers, one after the other: the number of kept and the number
 * of rejected elements. */
MCL_API mcl_status mcl_partition(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected,
                                 const mcl_op *keep, mcl_result counts, const mcl_options *options);
MCL_API mcl_status mcl_partition_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out,
                                         mcl_output rejected, mcl_result counts, const mcl_options *options);
MCL_API mcl_status mcl_partition_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out,
                                         mcl_output rejected, const mcl_op *keep, mcl_result counts,
                                         const mcl_options *options);

/* A column of values for the elements of a partition. */
typedef struct mcl_partition_column {
    mcl_input in;        /* values, at least as many as the call's in has elements; a count slot is ignored */
    mcl_output out;      /* values of kept elements, of in's type */
    mcl_output rejected; /* values of rejected elements, of in's type */
} mcl_partition_column;

/* Does the same as mcl_partition, and moves each element's values in all columns too (mcl_compact_columns).
 * columns[c].out[r] receives the value of the element in out[r], and columns[c].rejected[r] the value of the element in
 * rejected[r]. Both keep the order of the elements.
 *
 * The lowest capacity of out and the columns' out is the limit of all these outputs. In the same way, the lowest
 * capacity of rejected and the columns' rejected limits all of these. Each output may be left out.
 * Cost: if no output is left out, the kernel that moves the elements also moves the first column, or both columns if
 * there are two. Further launches move the other columns, four each, and read an index per element. Scratch: for such
 * launches 16 bytes, and an index of 4 or 8 bytes per element of in. */
MCL_API mcl_status mcl_partition_columns(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected,
                                         const mcl_partition_column *columns, int column_count, const mcl_op *keep,
                                         mcl_result counts, const mcl_options *options);

/* Partitions in three. Elements that pass first_test go to first. Other elements go to second if they pass second_test,
 * else to rest. counts receives three numbers, one after the other. */
MCL_API mcl_status mcl_partition_three(mcl_queue *queue, mcl_input in, mcl_output first, mcl_output second,
                                       mcl_output rest, const mcl_op *first_test, const mcl_op *second_test,
                                       mcl_result counts, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
