/* unique.c: mcl_unique, mcl_unique_by_key, mcl_unique_columns and mcl_run_length_encode. They keep the heads of runs;
 * compact.c does the work. */
#include "operations/select/compact_operands.h"

mcl_status mcl_unique(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                      const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_unique", queue, options,
                       .operands = {
                           [IN].input = &in, [OUT].output = &out, [TEST].op = same, [COUNTS].result = &count } };
    return mcl__compact_run(&call, mcl__compact_heads);
}

mcl_status mcl_unique_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                             mcl_output out_values, const mcl_op *same, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &mcl__compact,
                       "mcl_unique_by_key",
                       queue,
                       options,
                       .has_values = 1,
                       .operands = { [IN].input = &keys,
                                     [VALUES].input = &values,
                                     [OUT].output = &out_keys,
                                     [OUT_VALUES].output = &out_values,
                                     [TEST].op = same,
                                     [COUNTS].result = &count } };
    return mcl__compact_run(&call, mcl__compact_heads);
}

mcl_status mcl_unique_columns(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_column *columns,
                              int column_count, const mcl_op *same, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_unique_columns", queue, options,
                       .operands = {
                           [IN].input = &in, [OUT].output = &out, [TEST].op = same, [COUNTS].result = &count } };
    return mcl__compact_with_columns(&call, mcl__compact_heads, columns, column_count);
}

mcl_status mcl_run_length_encode(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output lengths, const mcl_op *same,
                                 mcl_result count, const mcl_options *options)
{
    mcl__call call = { &mcl__compact, "mcl_run_length_encode", queue, options,
                       .operands = { [IN].input = &in,
                                     [OUT].output = &out,
                                     [LENGTHS].output = &lengths,
                                     [TEST].op = same,
                                     [COUNTS].result = &count } };
    return mcl__compact_run(&call, mcl__compact_heads);
}
