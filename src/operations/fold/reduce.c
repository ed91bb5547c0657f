/* reduce.c: mcl_reduce. Kernels: cl/kernels/fold/reduce.cl. Each group folds one part of the input. If groups can pass
 * words to each other, the last group to finish folds the parts' results in the same launch. Otherwise one group does
 * so in a second launch. An input of few tiles is folded by a single group. If bits must be the same, the result is the
 * total of a scan (scan.c). */
#include "operations/fold/scan.h"
#include "call/call.h"

#include "moderncl/reduce.h"

enum { IN = 1, OP, RESULT };          /* operands */
enum { SINGLE, PARTS, FINISH, ONCE }; /* passes */
enum { PARTIALS, SLOTS };             /* scratch; SLOTS is in the queue's slots */
enum { PART_COUNT };                  /* scalars */
enum { INITIAL };                     /* by-value arguments */

#define FINISH_ARGUMENTS(from)                                                                                         \
    { MCL__ENVIRONMENT, OPERAND(IN), SCRATCH(from), AS_INT(PART_COUNT), OPERAND(RESULT), BY_VALUE(INITIAL) }

static const mcl__declaration reduce = {
    .file = "kernels/fold/reduce.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands =
        (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT },
                         [OP] = { "fold", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = IN },
                         [RESULT] = { "result", .kind = MCL__RESULT, .fold = OP } },
    .scratch = { [PARTIALS] = { "partials", "fold_type" }, [SLOTS] = { "slots", "ulong" } },
    .scalars = { [PART_COUNT] = "parts" },
    .by_value = { [INITIAL] = { "initial", "fold_type" } },
    .passes =
        (mcl__passes){ [SINGLE] = { "reduce_single", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(RESULT),
                                                                    BY_VALUE(INITIAL) } },
                       [PARTS] = { "reduce_parts", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), SCRATCH(PARTIALS) } },
                       [FINISH] = { "reduce_finish", .arguments = FINISH_ARGUMENTS(PARTIALS) },
                       [ONCE] = { "reduce_once", .arguments = FINISH_ARGUMENTS(SLOTS) } },
};

enum {
    ONCE_BYTES_MAX = 16, /* accumulators of more bytes take too many words */
    SHARE_MOST = 256     /* the most parts per work-item of the last group, so that few roundings add up */
};

static mcl_status reduce_check(mcl__call *call)
{
    MCL__TRY(mcl__call_check(call));
    const mcl_input *const in = call->operands[IN].input;
    const mcl_op *const op = call->operands[OP].op;
    MCL__TRY(mcl__check_fold(op, call->options, in->count == 0 ? "reducing nothing" : NULL));
    return mcl__call_ready(call);
}

/* Finds the program. accumulator: bytes of an accumulator. has_once is 1 where groups can pass words to each other. */
static mcl_status reduce_program(mcl__call *call, size_t accumulator, int has_once)
{
    const mcl_input *const in = call->operands[IN].input;
    const size_t element = mcl__staged_bytes(in->type);
    const mcl__tile_need need = {
        .element_bytes = in->type->size,
        .local_bytes_per_item = call->operands[OP].op->commutative ? 0 : element,
        .local_bytes_fixed = 256 * accumulator,
        .lone_bytes_per_thread = accumulator,
    };
    call->passes = MCL__BIT(SINGLE) | MCL__BIT(PARTS) | MCL__BIT(FINISH) | (has_once ? MCL__BIT(ONCE) : 0);
    mcl__call_define(call, "HAS_INITIAL", call->initial.given);
    mcl__call_define(call, "REDUCE_ONCE", has_once);
    mcl__call_keeps_folds(call, accumulator, accumulator);
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_reduce, need),
                             mcl__index_bits(in->count, call->options));
}

/* Returns the number of parts. They fill the device several times over, so that groups need not all end at the same
 * time. More parts would only leave more partials to fold. With has_once their partials fit the queue's slots. A call
 * that may use slots, but does not, takes the same number of parts, so that its result is the same. */
static int64_t reduce_parts(const mcl__call *call, int64_t tiles, size_t accumulator, int has_once)
{
    const mcl_context *const context = call->queue->context;
    const mcl__limits *const limits = &context->limits;
    const mcl__tile tile = mcl__call_tile(call);
    const int64_t once_most = (MCL__SLOTS - 1) / (int64_t)((accumulator + 3) / 4);
    const int64_t last_most = tile.threads > 1 ? (int64_t)SHARE_MOST * tile.threads : INT64_MAX;
    const int64_t wanted = limits->is_gpu ? mcl__tuned_groups(context, MCL__PARAMETER_reduce_work_items, tile.threads)
                                          : mcl__tuned_a_unit(context, MCL__PARAMETER_reduce_parts);
    if (tiles <= mcl__tuned(context, MCL__PARAMETER_reduce_single_tiles)) return 1;
    int64_t parts = mcl__fold_parts(limits, tile, tiles, wanted, 4);
    if (parts > last_most) parts = last_most;
    return has_once && parts > once_most ? once_most : parts;
}

static mcl_status reduce_launch(mcl__call *call, int64_t tiles, int once)
{
    const int64_t parts = call->scalars[PART_COUNT];
    if (parts == 1) return mcl__call_launch(call, SINGLE, 1);
    if (once)
        return mcl__call_launch(call, ONCE, mcl__fold_groups(call->queue->context, mcl__call_tile(call), tiles, parts));
    MCL__TRY(mcl__call_launch(call, PARTS, parts));
    return mcl__call_launch(call, FINISH, 1);
}

static mcl_status reduce_run(mcl__call *call)
{
    const mcl__limits *const limits = &call->queue->context->limits;
    const mcl_input *const in = call->operands[IN].input;
    const size_t accumulator =
        mcl__fold_bytes(mcl__call_accumulator(call, OP), in->type, mcl__index_bits(in->count, call->options));
    const int has_once =
        limits->word_path != MCL__WORDS_NONE && accumulator <= ONCE_BYTES_MAX && limits->loop_budget == 0;
    MCL__TRY(reduce_program(call, accumulator, has_once));
    if (!mcl__is_asked(call->operands[RESULT].result)) return mcl__enqueue_nothing(call->queue, call->options);
    const int64_t tiles = mcl__call_tiles(call, in->count);
    const int64_t parts = call->scalars[PART_COUNT] = reduce_parts(call, tiles, accumulator, has_once);
    const int once = has_once && parts > 1 && mcl__uses_slots(call->queue, call->options);
    if (once)
        MCL__TRY(mcl__call_scratch_slots(call, SLOTS));
    else if (parts > 1)
        mcl__call_scratch(call, PARTIALS, (size_t)parts * accumulator);
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(reduce_launch(call, tiles, once));
    return mcl__call_end(call);
}

mcl_status mcl_reduce(mcl_queue *queue, mcl_input in, const mcl_op *op, mcl_result result, const mcl_options *options)
{
    mcl__call call = { &reduce, "mcl_reduce", queue, options,
                       .operands = { [IN].input = &in, [OP].op = op, [RESULT].result = &result } };
    if (mcl__call_by_tree(&call, OP)) return mcl__scan_total(queue, &in, op, &result, options);
    MCL__TRY(reduce_check(&call));
    mcl__call_initial(&call, OP, INITIAL);
    return reduce_run(&call);
}
