/* compact_call.h: what the functions that keep some elements of a sequence are told (compact.c, unique.c). */
#ifndef MODERNCL_COMPACT_CALL_H
#define MODERNCL_COMPACT_CALL_H

#include "call/call.h"
#include "facts/compact.h"

/* Places in the lists of operands. */
enum { MCL__COMPACT_IN, MCL__COMPACT_DATA, MCL__COMPACT_VALUES, MCL__COMPACT_INPUTS };
enum {
    MCL__COMPACT_OUT,
    MCL__COMPACT_SECOND,
    MCL__COMPACT_REJECTED,
    MCL__COMPACT_OUT_VALUES,
    MCL__COMPACT_LENGTHS,
    MCL__COMPACT_OUTPUTS
};

/* An operand's name is the caller's word for it, for the sentences; NULL where there is no such operand. */
typedef struct mcl__compact_call {
    const char *function;
    int test; /* how IN is tested: TEST_KEEP, TEST_FLAG or TEST_HEADS */
    struct {
        const char *name;
        const mcl_op *op;
    } ops[2]; /* keep and keep_second, or same */
    struct {
        const char *name;
        mcl_input input;
    } inputs[MCL__COMPACT_INPUTS]; /* DATA: moved instead of IN, which is then only tested, with DATA's count. */
    struct {
        const char *name;
        mcl_output output;
    } outputs[MCL__COMPACT_OUTPUTS];
    mcl_result counts; /* as many numbers, one behind the other, as there are outputs that elements go to */
} mcl__compact_call;

/* compact.c: checks a call and does it. */
mcl_status mcl__compact_run(mcl_queue *queue, mcl__compact_call *call, const mcl_options *options);

/* compact_unordered.c: the work of a checked call with one output, in any order; limit: elements that may be stored.
 * counts: where the count is. */
mcl_status mcl__compact_unordered(mcl_queue *queue, const mcl__compact_call *call, int64_t limit,
                                  const mcl_options *options, mcl__span *counts);

#endif
