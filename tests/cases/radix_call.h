/* radix_call.h: calls a radix sort of keys, or of pairs where values have a type. */
#ifndef TEST_RADIX_CALL_H
#define TEST_RADIX_CALL_H

#include "operations/sort/sort_operands.h"

static inline mcl_status sort_by_radix(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out,
                                       mcl_output out_values, const mcl_op *before, const mcl_options *options)
{
    const mcl__sort_operands call = { .keys = keys,
                                      .values = values,
                                      .out = out,
                                      .out_values = out_values,
                                      .before = before,
                                      .has_values = values.type != NULL,
                                      .drops_keys = out.type == NULL };
    mcl__function_is("mcl_sort");
    MCL__TRY(mcl__context_probe(queue->context));
    return mcl__radix_sort(queue, &call, options);
}

#endif
