/* unique.c: mcl_unique, mcl_unique_by_key, mcl_run_length_encode. What they keep are the heads of runs: the work is
 * that of compact.c. */
#include "primitives/compact_call.h"

#include "moderncl/compact.h"

static mcl__compact_call heads_call(const char *function, mcl_input in, mcl_output out, const mcl_op *same,
                                    mcl_result count)
{
    return (mcl__compact_call){ .function = function,
                                .test = TEST_HEADS,
                                .ops = { { "same", same } },
                                .inputs = { { "in", in } },
                                .outputs = { { "out", out } },
                                .counts = count };
}

mcl_status mcl_unique(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                      const mcl_options *options)
{
    mcl__compact_call call = heads_call("mcl_unique", in, out, same, count);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_unique_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                             mcl_output out_values, const mcl_op *same, mcl_result count, const mcl_options *options)
{
    mcl__compact_call call = heads_call("mcl_unique_by_key", keys, out_keys, same, count);
    call.inputs[MCL__COMPACT_IN].name = "keys";
    call.outputs[MCL__COMPACT_OUT].name = "out_keys";
    call.inputs[MCL__COMPACT_VALUES].name = "values";
    call.inputs[MCL__COMPACT_VALUES].input = values;
    call.outputs[MCL__COMPACT_OUT_VALUES].name = "out_values";
    call.outputs[MCL__COMPACT_OUT_VALUES].output = out_values;
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_run_length_encode(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output lengths, const mcl_op *same,
                                 mcl_result count, const mcl_options *options)
{
    mcl__compact_call call = heads_call("mcl_run_length_encode", in, out, same, count);
    call.outputs[MCL__COMPACT_LENGTHS].name = "lengths";
    call.outputs[MCL__COMPACT_LENGTHS].output = lengths;
    return mcl__compact_run(queue, &call, options);
}
