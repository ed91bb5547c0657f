/* partition.c: mcl_partition, mcl_partition_flagged, mcl_partition_stencil, mcl_partition_columns and
 * mcl_partition_three. compact.c does the work. */
#include "operations/select/compact_operands.h"

#include "moderncl/partition.h"

mcl_status mcl_partition(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected, const mcl_op *keep,
                         mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_partition", queue, options,
                       .operands = { [IN].input = &in,
                                     [OUT].output = &out,
                                     [REJECTED].output = &rejected,
                                     [TEST].op = keep,
                                     [COUNTS].result = &counts } };
    return mcl__compact_run(&call, mcl__compact_kept);
}

mcl_status mcl_partition_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, mcl_output rejected,
                                 mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_partition_flagged", queue, options,
                       .operands = { [IN].input = &flags,
                                     [DATA].input = &in,
                                     [OUT].output = &out,
                                     [REJECTED].output = &rejected,
                                     [COUNTS].result = &counts } };
    return mcl__compact_run(&call, mcl__compact_flagged);
}

mcl_status mcl_partition_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out, mcl_output rejected,
                                 const mcl_op *keep, mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_partition_stencil", queue, options,
                       .operands = { [IN].input = &stencil,
                                     [DATA].input = &in,
                                     [OUT].output = &out,
                                     [REJECTED].output = &rejected,
                                     [TEST].op = keep,
                                     [COUNTS].result = &counts } };
    return mcl__compact_run(&call, mcl__compact_stencil);
}

mcl_status mcl_partition_columns(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected,
                                 const mcl_partition_column *columns, int column_count, const mcl_op *keep,
                                 mcl_result counts, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_partition_columns", queue, options,
                       .operands = { [IN].input = &in,
                                     [OUT].output = &out,
                                     [REJECTED].output = &rejected,
                                     [TEST].op = keep,
                                     [COUNTS].result = &counts } };
    return mcl__compact_with_split_columns(&call, mcl__compact_kept, columns, column_count);
}

mcl_status mcl_partition_three(mcl_queue *queue, mcl_input in, mcl_output first, mcl_output second, mcl_output rest,
                               const mcl_op *first_test, const mcl_op *second_test, mcl_result counts,
                               const mcl_options *options)
{
    static mcl__operands three_tests = {
        [TEST] = { "keep", .kind = MCL__OPERATOR, .label = "first_test", .use = MCL_ROLE_TEST, .of = IN },
        [SECOND_TEST] = { "keep_second", .kind = MCL__OPERATOR, .label = "second_test", .use = MCL_ROLE_TEST,
                          .of = IN },
    };
    static const char *const label[OPERANDS] = { [OUT] = "first", [REJECTED] = "rest" };
    mcl__call call = { &mcl__compact,
                       "mcl_partition_three",
                       queue,
                       options,
                       .label = label,
                       .operands = { [IN].input = &in,
                                     [OUT].output = &first,
                                     [SECOND].output = &second,
                                     [REJECTED].output = &rest,
                                     [TEST].op = first_test,
                                     [SECOND_TEST].op = second_test,
                                     [COUNTS].result = &counts } };
    return mcl__compact_run(&call, three_tests);
}
