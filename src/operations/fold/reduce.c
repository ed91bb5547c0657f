/* reduce.c: mcl_reduce. Kernels: cl/kernels/fold/reduce.cl.
 * Each group folds one part of the input. Where groups can hand words to each other, the group that is done last folds
 * the parts' results in the same launch. Elsewhere one group does so in a second launch. An input of few tiles is
 * folded by one group. Where bits must be the same, the result is the total of a scan (scan.c). */
#include "operations/fold/scan.h"
#include "call/run.h"

#include "moderncl/reduce.h"

enum { IN = 1, OP, RESULT };          /* operands */
enum { SINGLE, PARTS, FINISH, ONCE }; /* passes */
enum { PARTIALS, SLOTS };             /* scratch; SLOTS: the queue's */
enum { PART_COUNT };                  /* numbers */
enum { INITIAL };                     /* values */

#define FINISH_WORDS(from)                                                                                             \
    { MCL__ENV, MCL__OF + IN, MCL__PIECE + from, MCL__INT + PART_COUNT, MCL__OF + RESULT, MCL__VALUE + INITIAL }

static const mcl__declaration reduce = {
    .file = "kernels/fold/reduce.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands = { [IN] = { "in", .kind = MCL__INPUT },
                  [OP] = { "fold", .kind = MCL__OPERATOR, .said = "op", .use = MCL_ROLE_FOLD, .of = IN },
                  [RESULT] = { "result", .kind = MCL__RESULT, .fold = OP } },
    .pieces = { [PARTIALS] = { "partials", "fold_type" }, [SLOTS] = { "slots", "ulong" } },
    .numbers = { [PART_COUNT] = "parts" },
    .values = { [INITIAL] = { "initial", "fold_type" } },
    .passes = { [SINGLE] = { "reduce_single",
                             .words = { MCL__ENV, MCL__OF + IN, MCL__OF + RESULT, MCL__VALUE + INITIAL } },
                [PARTS] = { "reduce_parts", .words = { MCL__ENV, MCL__OF + IN, MCL__PIECE + PARTIALS } },
                [FINISH] = { "reduce_finish", .words = FINISH_WORDS(PARTIALS) },
                [ONCE] = { "reduce_once", .words = FINISH_WORDS(SLOTS) } },
};

enum { ONCE_BYTES_MAX = 16 }; /* larger accumulators take too many words */

static mcl_status reduce_check(mcl__run *run)
{
    MCL__TRY(mcl__run_check(run));
    const mcl_input *const in = run->given[IN].input;
    const mcl_op *const op = run->given[OP].op;
    MCL__TRY(mcl__check_fold(op, run->options, in->count == 0 ? "reducing nothing" : NULL));
    return mcl__run_ready(run);
}

/* accumulator: its bytes. has_once: groups can hand words to each other. */
static mcl_status reduce_program(mcl__run *run, size_t accumulator, int has_once)
{
    const mcl_input *const in = run->given[IN].input;
    const size_t element = mcl__staged_bytes(in->type);
    const mcl__tile_need need = {
        .element_bytes = in->type->size,
        .local_bytes_per_item = run->given[OP].op->commutative ? 0 : element,
        .local_bytes_fixed = 256 * accumulator,
        .lone_bytes_per_thread = accumulator,
    };
    run->passes = MCL__BIT(SINGLE) | MCL__BIT(PARTS) | MCL__BIT(FINISH) | (has_once ? MCL__BIT(ONCE) : 0);
    mcl__run_define(run, "HAS_INITIAL", run->initial.given);
    mcl__run_define(run, "REDUCE_ONCE", has_once);
    mcl__run_keeps_folds(run, accumulator, accumulator);
    return mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_reduce, need),
                            mcl__index_bits(in->count, run->options));
}

/* There are enough parts to fill the device several times over, so groups need not all end at once. There are no more,
 * since each leaves a partial to be folded. The words of a single launch lie in the queue's slots. A call that could
 * use slots but does not takes the same number of parts, so that its result is the same. */
static int64_t reduce_parts(const mcl__run *run, int64_t tiles, size_t accumulator, int has_once)
{
    const mcl_context *const context = run->queue->context;
    const mcl__limits *const limits = &context->limits;
    const mcl__tile tile = mcl__run_tile(run);
    const int64_t once_most = (MCL__SLOTS - 1) / (int64_t)((accumulator + 3) / 4);
    const int64_t wanted = limits->is_gpu ? mcl__tuned_groups(context, MCL__PARAMETER_reduce_work_items, tile.threads)
                                          : mcl__tuned_a_unit(context, MCL__PARAMETER_reduce_parts);
    if (tiles <= mcl__tuned(context, MCL__PARAMETER_reduce_single_tiles)) return 1;
    const int64_t parts = mcl__fold_parts(limits, tile, tiles, wanted, 4);
    return has_once && parts > once_most ? once_most : parts;
}

static mcl_status reduce_launch(mcl__run *run, int64_t tiles, int once)
{
    const int64_t parts = run->numbers[PART_COUNT];
    if (parts == 1) return mcl__run_launch(run, SINGLE, 1);
    if (once)
        return mcl__run_launch(run, ONCE, mcl__fold_groups(run->queue->context, mcl__run_tile(run), tiles, parts));
    MCL__TRY(mcl__run_launch(run, PARTS, parts));
    return mcl__run_launch(run, FINISH, 1);
}

static mcl_status reduce_run(mcl__run *run)
{
    const mcl__limits *const limits = &run->queue->context->limits;
    const mcl_input *const in = run->given[IN].input;
    const size_t accumulator =
        mcl__fold_bytes(mcl__run_accumulator(run, OP), in->type, mcl__index_bits(in->count, run->options));
    const int has_once =
        limits->word_path != MCL__WORDS_NONE && accumulator <= ONCE_BYTES_MAX && limits->loop_budget == 0;
    MCL__TRY(reduce_program(run, accumulator, has_once));
    const int64_t tiles = mcl__run_tiles(run, in->count);
    const int64_t parts = run->numbers[PART_COUNT] = reduce_parts(run, tiles, accumulator, has_once);
    const int once = has_once && parts > 1 && mcl__uses_slots(run->queue, run->options);
    if (once)
        MCL__TRY(mcl__run_give_slots(run, SLOTS));
    else if (parts > 1)
        mcl__run_need(run, PARTIALS, (size_t)parts * accumulator);
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(reduce_launch(run, tiles, once));
    return mcl__run_end(run);
}

mcl_status mcl_reduce(mcl_queue *queue, mcl_input in, const mcl_op *op, mcl_result result, const mcl_options *options)
{
    mcl__run run = { &reduce, "mcl_reduce", queue, options,
                     .given = { [IN].input = &in, [OP].op = op, [RESULT].result = &result } };
    if (mcl__fold_by_tree(mcl__run_accumulator(&run, OP), options))
        return mcl__scan_total(queue, &in, op, &result, options);
    MCL__TRY(reduce_check(&run));
    if (!mcl__is_asked(&result)) return mcl__call_nothing(queue, options);
    mcl__run_initial(&run, OP, INITIAL);
    return reduce_run(&run);
}
