/* compact_in_place.c: outputs of a compaction that replace an input. Without care, groups would read elements that
 * other groups have replaced. So the elements of such an output stay in scratch until all inputs have been read, and
 * are then copied. */
#include "operations/transform/gather.h"
#include "operations/select/compact_operands.h"

/* Returns 1 where the output is the same range as an input that it may replace. */
static int replaces(const mcl__call *call, int output)
{
    if (!call->operands[output].output || call->room[output] == 0) return 0;
    for (int k = 1; k < output; ++k)
        if ((mcl__call_operand(call, output)->in_place & MCL__BIT(k)) && call->operands[k].input &&
            mcl__is_in_place(call->operands[k].input, call->operands[output].output))
            return 1;
    return 0;
}

/* Returns the next operand after operand after that is an output and replaces an input, or 0. Inputs come before
 * outputs. */
static int next_in_place(const mcl__call *call, int after)
{
    for (int k = mcl__call_next(call, after); k; k = mcl__call_next(call, k))
        if (mcl__call_operand(call, k)->in_place && replaces(call, k)) return k;
    return 0;
}

int mcl__compact_is_in_place(const mcl__call *call)
{
    return next_in_place(call, 0) > 0;
}

mcl_status mcl__compact_stage(mcl__call *call)
{
    int array = MCL__COMPACT_STAGED;
    for (int k = next_in_place(call, 0); k; k = next_in_place(call, k)) {
        const mcl_type *const type = call->operands[k].output->type;
        mcl__copy copy;
        MCL__TRY(mcl__copy_plan(call->queue, call->options, type, call->room[k], (mcl__span){ 0 }, &copy));
        mcl__call_scratch(call, array++, (size_t)call->room[k] * type->size);
    }
    return MCL_OK;
}

void mcl__compact_stage_begin(mcl__call *call)
{
    int array = MCL__COMPACT_STAGED;
    for (int k = next_in_place(call, 0); k; k = next_in_place(call, k), ++array) {
        if (!call->scratch[array].span.buffer) /* parts use the array of their call, which has memory already */
            call->scratch[array].span = mcl__scratch_take(call->queue, call->scratch[array].bytes);
        mcl__call_put(call, k, call->scratch[array].span);
    }
}

mcl_status mcl__compact_stage_end(const mcl__call *call, mcl__span count)
{
    int array = MCL__COMPACT_STAGED;
    for (int k = next_in_place(call, 0); k; k = next_in_place(call, k)) {
        const mcl_output *const out = call->operands[k].output;
        mcl__copy copy;
        MCL__TRY(mcl__copy_plan(call->queue, call->options, out->type, call->room[k], count, &copy));
        MCL__TRY(mcl__copy_launch(&copy, call->scratch[array++].span, mcl__output_span(out)));
    }
    return MCL_OK;
}
