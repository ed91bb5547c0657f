/* runs.h: shared parts of calls on runs of equal keys and of calls on segments that work alike. A run is a stretch of
 * elements from one head up to the next. A head is a key that differs from the one before, or comes from segments of
 * one of the four kinds. */
#ifndef MODERNCL_RUNS_H
#define MODERNCL_RUNS_H

#include "call/call.h"
#include "operations/fold/segments.h"

#include "moderncl/scan.h"

/* Operands of the three declarations. */
enum {
    MCL__RUNS_VALUES = 1,
    MCL__RUNS_KEYS,
    MCL__RUNS_FLAGS,
    MCL__RUNS_OFFSETS,
    MCL__RUNS_BEGINS,
    MCL__RUNS_INDICES,
    MCL__RUNS_OUT,
    MCL__RUNS_OP,
    MCL__RUNS_EQUAL,    /* of keys; NULL: == */
    MCL__RUNS_COUNT,    /* of runs: reductions */
    MCL__RUNS_OUT_KEYS, /* reductions by key */
    MCL__RUNS_OPERANDS
};

extern const mcl__declaration mcl__reduce_by_flags;
extern const mcl__declaration mcl__scan_runs;

/* Begins a call with these operands. The caller adds the heads and its other operands. */
static inline void mcl__runs_init(mcl__call *call, const mcl__declaration *declaration, const char *function,
                                  mcl_queue *queue, mcl_input *values, mcl_output *out, const mcl_op *op,
                                  const mcl_options *options)
{
    mcl__call_init(call, declaration, function, queue, options);
    call->operands[MCL__RUNS_VALUES].input = values;
    call->operands[MCL__RUNS_OUT].output = out;
    call->operands[MCL__RUNS_OP].op = op;
}

/* Heads by segments. */
static inline void mcl__runs_by(mcl__call *call, mcl_segments *segments)
{
    static const int operands[] = { [MCL_SEGMENT_OFFSETS] = MCL__RUNS_OFFSETS,
                                    [MCL_SEGMENT_BEGINS] = MCL__RUNS_BEGINS,
                                    [MCL_SEGMENT_INDICES] = MCL__RUNS_INDICES,
                                    [MCL_SEGMENT_FLAGS] = MCL__RUNS_FLAGS };
    call->operands[operands[segments->kind]].input = &segments->input;
}

/* by_key.c: the whole call. kind: of a scan; reductions have MCL_INCLUSIVE. */
mcl_status mcl__runs_call(mcl__call *call, mcl_scan_kind kind);

#endif
