/* scan.h: an exclusive scan as a part of another call, and a reduction with the tree of a scan (scan.c). */
#ifndef MCL_SCAN_H
#define MCL_SCAN_H

#include "call/call.h"

/* Plan and launch the scan. *in and *out must keep their addresses until the launch, and after the plan only their
 * buffers may change. */
mcl_status mcl__scan_plan(mcl_queue *queue, mcl_input *in, mcl_output *out, const mcl_op *op,
                          const mcl_options *options, mcl__call *part);
mcl_status mcl__scan_launch(mcl__call *part);
/* Makes a call of mcl_reduce with the tree over indices. The result is the total of a scan without output. */
mcl_status mcl__scan_total(mcl_queue *queue, mcl_input *in, const mcl_op *op, const mcl_result *result,
                           const mcl_options *options);

#endif
