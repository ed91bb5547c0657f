/* scan.h: an exclusive scan as a part of another call (scan.c). */
#ifndef MCL_SCAN_H
#define MCL_SCAN_H

#include "call/call.h"

/* The operands stay where they are until the launch. Only their buffers may be given after the plan. */
mcl_status mcl__scan_plan(mcl_queue *queue, mcl_input *in, mcl_output *out, const mcl_op *op,
                          const mcl_options *options, mcl__call *part);
mcl_status mcl__scan_launch(mcl__call *part);
/* mcl_reduce by the tree over indices: the total of a scan without output. */
mcl_status mcl__scan_total(mcl_queue *queue, mcl_input *in, const mcl_op *op, const mcl_result *result,
                           const mcl_options *options);

#endif
