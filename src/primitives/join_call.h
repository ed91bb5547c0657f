/* join_call.h: what the joins share. */
#ifndef MCL_JOIN_CALL_H
#define MCL_JOIN_CALL_H

#include "call/call.h"

#include "moderncl/join.h"

/* join.c. Every error of a join's operands that can be known beforehand, in the name of function; takes as in gate.h.
 * Outputs that are not wanted are left out (mcl__leave_out); without any, out_a has capacity 0. */
mcl_status mcl__join_check(mcl_queue *queue, const char *function, mcl_join_kind kind, const mcl_input *a,
                           const mcl_input *b, mcl_output *out_a, mcl_output *out_b, const mcl_op *before,
                           const mcl_result *count, const mcl_options *options, unsigned takes);

#endif
