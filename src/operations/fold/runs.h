/* runs.h: shared parts of calls on runs of equal keys and of calls on segments that work alike. A run is a stretch of
 * elements from one head up to the next. A head is a key that differs from the one before, or comes from segments of
 * one of the four kinds. */
#ifndef MODERNCL_RUNS_H
#define MODERNCL_RUNS_H

#include "call/call.h"
#include "operations/fold/segments.h"

#include "moderncl/scan.h"

/* by_key.c: calls on segments. */
extern const mcl__declaration mcl__reduce_by_flags;
extern const mcl__declaration mcl__scan_runs;

/* Begins a call with these operands, and heads by segments. count: of the runs; NULL: the call is a scan. */
void mcl__runs_init(mcl__call *call, const mcl__declaration *declaration, const char *function, mcl_queue *queue,
                    mcl_input *values, mcl_output *out, const mcl_op *op, const mcl_options *options);
void mcl__runs_by(mcl__call *call, mcl_segments *segments, const mcl_result *count);

/* The whole call. kind: of a scan; reductions have MCL_INCLUSIVE. */
mcl_status mcl__runs_call(mcl__call *call, mcl_scan_kind kind);

#endif
