/* runs.h: common steps of calls on runs of equal keys, and of calls on segments that work in the same way. A run goes
 * from one head up to the next head. A head is an element whose key differs from the previous key, or the first element
 * of a segment of any of the four kinds. */
#ifndef MODERNCL_RUNS_H
#define MODERNCL_RUNS_H

#include "call/call.h"
#include "operations/fold/segments.h"

#include "moderncl/scan.h"

/* by_key.c. The declarations for reductions of segments, and for scans of segments or of runs of equal keys. */
extern const mcl__declaration mcl__reduce_by_flags;
extern const mcl__declaration mcl__scan_runs;

/* mcl__runs_init begins a call with these operands. mcl__runs_by sets the segments that give the heads. count receives
 * the number of runs; for a scan it is NULL. */
void mcl__runs_init(mcl__call *call, const mcl__declaration *declaration, const char *function, mcl_queue *queue,
                    mcl_input *values, mcl_output *out, const mcl_op *op, const mcl_options *options);
void mcl__runs_by(mcl__call *call, mcl_segments *segments, const mcl_result *count);

/* Checks and runs the whole call. kind is the kind of a scan; reductions pass MCL_INCLUSIVE. */
mcl_status mcl__runs_call(mcl__call *call, mcl_scan_kind kind);

#endif
