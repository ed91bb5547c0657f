/* find.c: mcl_find_if and mcl_count_if. Kernels: cl/kernels/select/find.cl. mcl_count_if is a reduction of the test's
 * results. mcl_find_if is a single launch if it can use the queue's slots. Otherwise it has three launches: one clears
 * the word for the found block, one searches the blocks, and one finds the element. */
#include "call/call.h"
#include "program/explain.h"

#include "moderncl/find.h"
#include "moderncl/reduce.h"

enum { IN = 1, TEST, RESULT };             /* operands */
enum { ONCE, BEGIN, BLOCKS, RESULT_PASS }; /* passes */
enum { FOUND };                            /* scratch, or the queue's slots */
enum { BLOCK, BLOCK_COUNT };               /* scalars */

static const mcl__declaration find = {
    .file = "kernels/select/find.cl",
    .operands = (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT },
                                 [TEST] = { "test", .kind = MCL__OPERATOR, .use = MCL_ROLE_TEST, .of = IN },
                                 [RESULT] = { "result", .kind = MCL__RESULT, .types = MCL__COUNTS, .indexes = IN } },
    .scratch = { [FOUND] = { "found", "uint" } },
    .scalars = { [BLOCK] = "block", [BLOCK_COUNT] = "blocks" },
    .passes =
        (mcl__passes){
            [ONCE] = { "find_once", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), SCRATCH(FOUND), AS_INDEX(BLOCK),
                                                   AS_LONG(BLOCK_COUNT), OPERAND(RESULT) } },
            [BEGIN] = { "find_begin", .arguments = { SCRATCH(FOUND) } },
            [BLOCKS] = { "find_blocks", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), SCRATCH(FOUND), AS_INDEX(BLOCK),
                                                       AS_LONG(BLOCK_COUNT) } },
            [RESULT_PASS] = { "find_result", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), SCRATCH(FOUND),
                                                            AS_INDEX(BLOCK), OPERAND(RESULT) } } },
};

static void run_init(mcl__call *call, const char *function, mcl_queue *queue, const mcl_input *in, const mcl_op *test,
                     const mcl_result *result, const mcl_options *options)
{
    mcl__call_init(call, &find, function, queue, options);
    call->operands[IN].input = (mcl_input *)in;
    call->operands[TEST].op = test;
    call->operands[RESULT].result = result;
}

/* ---- mcl_find_if ----------------------------------------------------------------------------------------------- */

/* Returns the number of elements in a block. A block is whole tiles, and large enough for block numbers to fit 31
 * bits. */
static int64_t block_of(const mcl__call *call, int64_t count)
{
    return mcl__call_tile_size(call) * mcl__divide_up(mcl__call_tiles(call, count), (int64_t)INT32_MAX);
}

/* Returns the number of groups that search. On a GPU all of them run at the same time. */
static int64_t groups_for(const mcl__call *call, int64_t blocks)
{
    const mcl_context *const context = call->queue->context;
    const mcl__tile tile = mcl__call_tile(call);
    const int64_t wanted = mcl__tuned_groups(context, MCL__PARAMETER_find_work_items, tile.threads);
    return context->limits.is_gpu ? mcl__fold_parts(&context->limits, tile, blocks, wanted, 1)
                                  : mcl__call_parts(call, blocks, 1);
}

static mcl_status launch(mcl__call *call, int once)
{
    const int64_t blocks = call->scalars[BLOCK_COUNT];
    const int64_t groups = groups_for(call, blocks);
    if (once) return mcl__call_launch(call, ONCE, groups);
    MCL__TRY(mcl__call_launch(call, BEGIN, 1));
    if (blocks > 0) MCL__TRY(mcl__call_launch(call, BLOCKS, groups));
    return mcl__call_launch(call, RESULT_PASS, 1);
}

static mcl_status find_run(mcl__call *call, int64_t count)
{
    const mcl__tile_need need = { .element_bytes = call->operands[IN].input->type->size, .local_bytes_fixed = 256 };
    const int has_once = call->queue->context->limits.loop_budget == 0;
    const int once = has_once && mcl__uses_slots(call->queue, call->options);
    call->passes = MCL__BIT(BEGIN) | MCL__BIT(BLOCKS) | MCL__BIT(RESULT_PASS) | (has_once ? MCL__BIT(ONCE) : 0);
    mcl__call_define(call, "FIND_ONCE", has_once);
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_find, need),
                               mcl__index_bits(count, call->options)));
    if (!mcl__is_asked(call->operands[RESULT].result)) return mcl__enqueue_nothing(call->queue, call->options);
    call->scalars[BLOCK] = block_of(call, count);
    call->scalars[BLOCK_COUNT] = mcl__divide_up(count, call->scalars[BLOCK] > 0 ? call->scalars[BLOCK] : 1);
    if (once)
        MCL__TRY(mcl__call_scratch_slots(call, FOUND));
    else
        mcl__call_scratch(call, FOUND, sizeof(uint32_t));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(launch(call, once));
    return mcl__call_end(call);
}

mcl_status mcl_find_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                       const mcl_options *options)
{
    mcl__call call;
    run_init(&call, "mcl_find_if", queue, &in, test, &result, options);
    MCL__TRY(mcl__call_check(&call));
    MCL__TRY(mcl__call_ready(&call));
    return find_run(&call, in.count);
}

/* ---- mcl_count_if ---------------------------------------------------------------------------------------------- */

mcl_status mcl_count_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                        const mcl_options *options)
{
    mcl__call call;
    run_init(&call, "mcl_count_if", queue, &in, test, &result, options);
    mcl__text answer = { 0 };
    MCL__TRY(mcl__call_check(&call));
    mcl_op sum = *test;
    mcl__text_format(&answer, MCL__COUNTED_TEST_OPENING "%s" MCL__COUNTED_TEST_CLOSING, test->expression);
    if (answer.failed) {
        mcl__text_free(&answer);
        return mcl__fail(MCL_ERROR_MEMORY, "host memory for the text of test is exhausted");
    }
    sum.role = MCL_ROLE_FOLD;
    sum.expression = "p + q";
    sum.extract = answer.data;
    sum.identity = "0";
    sum.value = in.count <= UINT32_MAX ? MCL_UINT32 : MCL_INT64;
    sum.commutative = 1;
    mcl__function_hold();
    const mcl_status status = mcl_reduce(queue, in, &sum, result, options);
    mcl__function_let_go();
    mcl__text_free(&answer);
    return status;
}
