/* partition.c: mcl_partition, mcl_partition_flagged, mcl_partition_stencil, mcl_partition_columns, mcl_partition_three.
 * The work is that of compact.c. */
#include "operations/select/compact_operands.h"

#include "moderncl/partition.h"

mcl_status mcl_partition(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected, const mcl_op *keep,
                         mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__partition, "mcl_partition", queue, options,
                       .operands = { [MCL__COMPACT_IN].input = &in,
                                     [MCL__COMPACT_OUT].output = &out,
                                     [MCL__COMPACT_REJECTED].output = &rejected,
                                     [MCL__COMPACT_TEST].op = keep,
                                     [MCL__COMPACT_COUNTS].result = &counts } };
    return mcl__compact_run(&call);
}

mcl_status mcl_partition_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, mcl_output rejected,
                                 mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__partition_flagged, "mcl_partition_flagged", queue, options,
                       .operands = { [MCL__COMPACT_IN].input = &flags,
                                     [MCL__COMPACT_DATA].input = &in,
                                     [MCL__COMPACT_OUT].output = &out,
                                     [MCL__COMPACT_REJECTED].output = &rejected,
                                     [MCL__COMPACT_COUNTS].result = &counts } };
    return mcl__compact_run(&call);
}

mcl_status mcl_partition_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out, mcl_output rejected,
                                 const mcl_op *keep, mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__partition_stencil, "mcl_partition_stencil", queue, options,
                       .operands = { [MCL__COMPACT_IN].input = &stencil,
                                     [MCL__COMPACT_DATA].input = &in,
                                     [MCL__COMPACT_OUT].output = &out,
                                     [MCL__COMPACT_REJECTED].output = &rejected,
                                     [MCL__COMPACT_TEST].op = keep,
                                     [MCL__COMPACT_COUNTS].result = &counts } };
    return mcl__compact_run(&call);
}

mcl_status mcl_partition_columns(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected,
                                 const mcl_partition_column *columns, int column_count, const mcl_op *keep,
                                 mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__partition, "mcl_partition_columns", queue, options,
                       .operands = { [MCL__COMPACT_IN].input = &in,
                                     [MCL__COMPACT_OUT].output = &out,
                                     [MCL__COMPACT_REJECTED].output = &rejected,
                                     [MCL__COMPACT_TEST].op = keep,
                                     [MCL__COMPACT_COUNTS].result = &counts } };
    return mcl__compact_with_split_columns(&call, columns, column_count);
}

mcl_status mcl_partition_three(mcl_queue *queue, mcl_input in, mcl_output first, mcl_output second, mcl_output rest,
                               const mcl_op *first_test, const mcl_op *second_test, mcl_result counts,
                               const mcl_options *options)
{
    static const char *const label[MCL__COMPACT_PARAMETERS] = {
        [MCL__COMPACT_OUT] = "first", [MCL__COMPACT_REJECTED] = "rest"
    };
    mcl__call call = { &mcl__partition_three,
                       "mcl_partition_three",
                       queue,
                       options,
                       .label = label,
                       .operands = { [MCL__COMPACT_IN].input = &in,
                                     [MCL__COMPACT_OUT].output = &first,
                                     [MCL__COMPACT_SECOND].output = &second,
                                     [MCL__COMPACT_REJECTED].output = &rest,
                                     [MCL__COMPACT_TEST].op = first_test,
                                     [MCL__COMPACT_SECOND_TEST].op = second_test,
                                     [MCL__COMPACT_COUNTS].result = &counts } };
    return mcl__compact_run(&call);
}
