/* runs.h: shared parts of calls on runs of equal keys and of calls on segments that work alike. A run is a stretch of
 * elements from one head up to the next. A head is an element whose key differs from the key before, or one at which a
 * segment of any of the four kinds begins. */
#ifndef MODERNCL_RUNS_H
#define MODERNCL_RUNS_H

#include "call/call.h"
#include "operations/fold/segments.h"

#include "moderncl/scan.h"

/* by_key.c: the declarations of reductions of segments, and of scans of segments or of runs of equal keys. */
extern const mcl__declaration mcl__reduce_by_flags;
extern const mcl__declaration mcl__scan_runs;

/* mcl__runs_init begins a call with these operands. mcl__runs_by gives it the segments that tell the heads. count
 * receives the number of runs; it is NULL where the call is a scan. */
void mcl__runs_init(mcl__call *call, const mcl__declaration *declaration, const char *function, mcl_queue *queue,
                    mcl_input *values, mcl_output *out, const mcl_op *op, const mcl_options *options);
void mcl__runs_by(mcl__call *call, mcl_segments *segments, const mcl_result *count);

/* Checks and runs the whole call. kind is the kind of a scan; reductions pass MCL_INCLUSIVE. */
mcl_status mcl__runs_call(mcl__call *call, mcl_scan_kind kind);

#endif
