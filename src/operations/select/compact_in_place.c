/* compact_in_place.c: outputs of a compaction that replace an input. Groups would read what others have replaced. So
 * what belongs to such an output waits in scratch until everything has been read, and is copied then. */
#include "operations/transform/gather.h"
#include "operations/select/compact_call.h"

/* 1: the output is the range of an input that it may replace. */
static int replaces(const mcl__run *run, int output)
{
    const mcl__operand *const list = run->declaration->operands;
    if (!run->given[output].output || run->room[output] == 0) return 0;
    for (int k = 1; k < output; ++k)
        if ((list[output].in_place & MCL__BIT(k)) && run->given[k].input &&
            mcl__is_in_place(run->given[k].input, run->given[output].output))
            return 1;
    return 0;
}

/* Returns the next output after this one that replaces an input; 0: none. Inputs come before outputs. */
static int next_in_place(const mcl__run *run, int after)
{
    const mcl__operand *const list = run->declaration->operands;
    for (int k = after + 1; k < MCL__DECLARED_MAX && list[k].name; ++k)
        if (list[k].in_place && replaces(run, k)) return k;
    return 0;
}

int mcl__compact_is_in_place(const mcl__run *run)
{
    return next_in_place(run, 0) > 0;
}

mcl_status mcl__compact_stage(mcl__run *run)
{
    int piece = MCL__COMPACT_STAGED;
    for (int k = next_in_place(run, 0); k; k = next_in_place(run, k)) {
        const mcl_type *const type = run->given[k].output->type;
        mcl__copy copy;
        MCL__TRY(mcl__copy_plan(run->queue, run->options, type, run->room[k], (mcl__span){ 0 }, &copy));
        mcl__run_need(run, piece++, (size_t)run->room[k] * type->size);
    }
    return MCL_OK;
}

void mcl__compact_stage_begin(mcl__run *run)
{
    int piece = MCL__COMPACT_STAGED;
    for (int k = next_in_place(run, 0); k; k = next_in_place(run, k), ++piece) {
        if (!run->pieces[piece].span.buffer) /* of a part, for which the call has asked */
            run->pieces[piece].span = mcl__scratch_take(run->queue, run->pieces[piece].bytes);
        mcl__run_put(run, k, run->pieces[piece].span);
    }
}

mcl_status mcl__compact_stage_end(const mcl__run *run, mcl__span count)
{
    int piece = MCL__COMPACT_STAGED;
    for (int k = next_in_place(run, 0); k; k = next_in_place(run, k)) {
        const mcl_output *const out = run->given[k].output;
        mcl__copy copy;
        MCL__TRY(mcl__copy_plan(run->queue, run->options, out->type, run->room[k], count, &copy));
        MCL__TRY(mcl__copy_launch(&copy, run->pieces[piece++].span, mcl__output_span(out)));
    }
    return MCL_OK;
}
