/* locality_sort.c: mcl_locality_sort and mcl_locality_sort_pairs. tiled_sort.c sorts, without segments. */
#include "operations/segmented_sort/tiled_operands.h"

#include "moderncl/locality_sort.h"

mcl_status mcl_locality_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                             mcl_sort_report *report, const mcl_options *options)
{
    const mcl__tiled_sort plan = { .function = "mcl_locality_sort",
                                   .keys = keys,
                                   .out = out,
                                   .before = before,
                                   .stability = MCL_STABLE,
                                   .report = report };
    return mcl__tiled_sort_run(queue, &plan, options);
}

mcl_status mcl_locality_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                   mcl_output out_values, const mcl_op *before, mcl_sort_report *report,
                                   const mcl_options *options)
{
    const mcl__tiled_sort plan = { .function = "mcl_locality_sort_pairs",
                                   .keys = keys,
                                   .values = values,
                                   .out = out_keys,
                                   .out_values = out_values,
                                   .before = before,
                                   .has_values = 1,
                                   .stability = MCL_STABLE,
                                   .report = report };
    return mcl__tiled_sort_run(queue, &plan, options);
}
