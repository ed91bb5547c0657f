/* find.c: mcl_find_if and mcl_count_if. Kernels: cl/kernels/select/find.cl. A count is a reduction of the test's
 * answers. One launch finds an element where the queue's slots are at hand. Elsewhere one more launch prepares the
 * word, and one takes the result from it. */
#include "call/run.h"

#include "moderncl/find.h"
#include "moderncl/reduce.h"

enum { IN = 1, TEST, RESULT };             /* operands */
enum { ONCE, BEGIN, BLOCKS, RESULT_PASS }; /* passes */
enum { FOUND };                            /* scratch, or the queue's slots */
enum { BLOCK, BLOCK_COUNT };               /* numbers */

static const mcl__declaration find = {
    .file = "kernels/select/find.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT },
                  [TEST] = { "test", .kind = MCL__OPERATOR, .use = MCL_ROLE_TEST, .of = IN },
                  [RESULT] = { "result", .kind = MCL__RESULT, .types = MCL__COUNTS, .indexes = IN } },
    .pieces = { [FOUND] = { "found", "uint" } },
    .numbers = { [BLOCK] = "block", [BLOCK_COUNT] = "blocks" },
    .passes = { [ONCE] = { "find_once", .words = { MCL__ENV, MCL__OF + IN, MCL__PIECE + FOUND, MCL__INDEX + BLOCK,
                                                   MCL__LONG + BLOCK_COUNT, MCL__OF + RESULT } },
                [BEGIN] = { "find_begin", .words = { MCL__PIECE + FOUND } },
                [BLOCKS] = { "find_blocks", .words = { MCL__ENV, MCL__OF + IN, MCL__PIECE + FOUND, MCL__INDEX + BLOCK,
                                                       MCL__LONG + BLOCK_COUNT } },
                [RESULT_PASS] = { "find_result", .words = { MCL__ENV, MCL__OF + IN, MCL__PIECE + FOUND,
                                                            MCL__INDEX + BLOCK, MCL__OF + RESULT } } },
};

static void run_init(mcl__run *run, const char *function, mcl_queue *queue, const mcl_input *in, const mcl_op *test,
                     const mcl_result *result, const mcl_options *options)
{
    mcl__run_init(run, &find, function, queue, options);
    run->given[IN].input = (mcl_input *)in;
    run->given[TEST].op = test;
    run->given[RESULT].result = result;
}

/* ---- mcl_find_if ----------------------------------------------------------------------------------------------- */

/* Whole tiles, few enough for a word of 31 bits that holds a block's number. */
static int64_t block_of(const mcl__run *run, int64_t count)
{
    return mcl__run_tile_size(run) * mcl__divide_up(mcl__run_tiles(run, count), (int64_t)INT32_MAX);
}

/* A GPU's groups all run at once. */
static int64_t groups_for(const mcl__run *run, int64_t blocks)
{
    const mcl_context *const context = run->queue->context;
    const mcl__tile tile = mcl__run_tile(run);
    const int64_t wanted = mcl__tuned_groups(context, MCL__PARAMETER_find_work_items, tile.threads);
    return context->limits.is_gpu ? mcl__fold_parts(&context->limits, tile, blocks, wanted, 1)
                                  : mcl__run_parts(run, blocks, 1);
}

static mcl_status launch(mcl__run *run, int once)
{
    const int64_t blocks = run->numbers[BLOCK_COUNT];
    const int64_t groups = groups_for(run, blocks);
    if (once) return mcl__run_launch(run, ONCE, groups);
    MCL__TRY(mcl__run_launch(run, BEGIN, 1));
    if (blocks > 0) MCL__TRY(mcl__run_launch(run, BLOCKS, groups));
    return mcl__run_launch(run, RESULT_PASS, 1);
}

static mcl_status find_run(mcl__run *run, int64_t count)
{
    const mcl__tile_need need = { .element_bytes = run->given[IN].input->type->size, .local_bytes_fixed = 256 };
    const int has_once = run->queue->context->limits.loop_budget == 0;
    const int once = has_once && mcl__uses_slots(run->queue, run->options);
    run->passes = MCL__BIT(BEGIN) | MCL__BIT(BLOCKS) | MCL__BIT(RESULT_PASS) | (has_once ? MCL__BIT(ONCE) : 0);
    mcl__run_define(run, "FIND_ONCE", has_once);
    MCL__TRY(mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_find, need),
                              mcl__index_bits(count, run->options)));
    run->numbers[BLOCK] = block_of(run, count);
    run->numbers[BLOCK_COUNT] = mcl__divide_up(count, run->numbers[BLOCK] > 0 ? run->numbers[BLOCK] : 1);
    if (once)
        MCL__TRY(mcl__run_give_slots(run, FOUND));
    else
        mcl__run_need(run, FOUND, sizeof(uint32_t));
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(launch(run, once));
    return mcl__run_end(run);
}

mcl_status mcl_find_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                       const mcl_options *options)
{
    mcl__run run;
    run_init(&run, "mcl_find_if", queue, &in, test, &result, options);
    MCL__TRY(mcl__run_check(&run));
    MCL__TRY(mcl__run_ready(&run));
    return mcl__is_asked(&result) ? find_run(&run, in.count) : mcl__call_nothing(queue, options);
}

/* ---- mcl_count_if ---------------------------------------------------------------------------------------------- */

mcl_status mcl_count_if(mcl_queue *queue, mcl_input in, const mcl_op *test, mcl_result result,
                        const mcl_options *options)
{
    mcl__run run;
    run_init(&run, "mcl_count_if", queue, &in, test, &result, options);
    mcl__text answer = { 0 };
    MCL__TRY(mcl__run_check(&run));
    mcl_op sum = *test;
    mcl__text_format(&answer, "(%s) != 0", test->expression);
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
