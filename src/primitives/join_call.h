/* join_call.h: what the joins share. */
#ifndef MCL_JOIN_CALL_H
#define MCL_JOIN_CALL_H

#include "primitives/primitive.h"

#include "moderncl/join.h"

/* join.c. Every error of a join's operands that can be known beforehand, in the name of function. */
mcl_status mcl__join_check(mcl_queue *queue, const char *function, mcl_join_kind kind, const mcl_input *a,
                           const mcl_input *b, const mcl_output *out_a, const mcl_output *out_b, const mcl_op *before,
                           const mcl_result *count, const mcl_options *options);

#endif
