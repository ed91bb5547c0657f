/* reduce.c: mcl_reduce. Kernels: cl/kernels/reduce.cl.
 * Each group folds one part of the input. Where groups can hand words to each other, the group that is done last folds
 * the parts' results in the same launch; elsewhere one group does so in a second. An input of few tiles is folded by
 * one group. */
#include "call/fold.h"
#include "call/gate.h"

#include "moderncl/reduce.h"

enum { SINGLE, PARTS, FINISH, ONCE };

enum { ONCE_BYTES_MAX = 16 }; /* larger accumulators take too many words */

/* An input of at most this many tiles takes one pass: a second launch would cost more than it gains. */
enum { SINGLE_TILES = 2 };

typedef struct reduce_call {
    mcl_input in;
    const mcl_op *op;
    mcl_result result;
    mcl__initial initial;
    int index_bits;
    size_t accumulator; /* bytes */
    int has_once;       /* groups can hand words to each other: one launch may do */
} reduce_call;

static mcl_status reduce_check(const mcl_queue *queue, const reduce_call *call, const mcl_options *options)
{
    const mcl__operand operands[] = {
        { "in", .input = &call->in },
        { "op", .op = call->op, .use = MCL__FOLD, .of = &call->in },
        { "result", .result = &call->result },
        { NULL },
    };
    MCL__TRY(mcl__gate("mcl_reduce", queue, options, MCL__TAKES_INITIAL, operands));
    MCL__TRY(mcl__check_fold("mcl_reduce", call->op, options, call->in.count == 0 ? "reducing nothing" : NULL));
    if (!call->result.type) return MCL_OK;
    MCL__TRY(mcl__check_fold_result("mcl_reduce", "result", call->op, call->in.type, call->result.type));
    if (!call->result.buffer) return MCL_OK;
    const mcl_output slot = { call->result.type, call->result.buffer, call->result.offset, 1 };
    MCL__TRY(mcl__check_op_overlap("mcl_reduce", "op", call->op, "result", &slot, 1));
    return mcl__check_no_overlap("mcl_reduce", "in", &call->in, "result", &slot, 1);
}

static void reduce_describe(mcl__spec *spec, const mcl_context *context, const reduce_call *call,
                            const mcl_options *options)
{
    const size_t element = mcl__same_type(call->in.type, MCL_HALF) ? sizeof(float) : call->in.type->size;
    const mcl__tile_need need = {
        .element_bytes = call->in.type->size,
        .local_bytes_per_item = call->op->commutative ? 0 : element,
        .local_bytes_fixed = 256 * call->accumulator,
        .lone_bytes_per_thread = call->accumulator,
    };
    *spec = (mcl__spec){
        .file = "kernels/reduce.cl",
        .kernels = { [SINGLE] = "reduce_single", [PARTS] = "reduce_parts", [FINISH] = "reduce_finish" },
        .tile = mcl__tile_for(MCL__OPERATION_reduce, &context->limits, context->tuning, need, options),
        .index_bits = call->index_bits,
        .ops = { { "fold", call->op, MCL__OP_FOLD, call->in.type, call->result.type } },
        .inputs = { { "in", &call->in } },
        .outputs = { { "result", call->result.type } },
        .defines = { { "HAS_INITIAL", call->initial.given }, { "REDUCE_ONCE", call->has_once } },
    };
    if (call->has_once) spec->kernels[ONCE] = "reduce_once";
}

/* Enough parts to fill the device several times over, so that their ends need not meet, and no more, since each leaves
 * a partial to be folded. */
static int64_t reduce_parts(const mcl__limits *limits, int64_t tiles, mcl__tile tile)
{
    const int64_t groups_a_unit = limits->is_gpu ? 2048 / tile.threads * 2 : 32;
    const int64_t wanted = (int64_t)limits->compute_units * (groups_a_unit > 0 ? groups_a_unit : 1);
    return mcl__fold_parts(limits, tile, tiles, wanted, 4);
}

static void reduce_result(mcl__args *args, const reduce_call *call, mcl__span result)
{
    mcl__args_span(args, result);
    if (call->initial.given) mcl__args_value(args, call->initial.value.bytes, call->initial.size);
}

/* once: one launch does, and partials are the queue's slots. */
static mcl_status reduce_launch(mcl_queue *queue, const reduce_call *call, const mcl__spec *spec,
                                const mcl__kernels *kernels, int64_t parts, int once, mcl__span partials,
                                mcl__span result)
{
    mcl__args args;
    const int threads = kernels->tile.threads;
    mcl__args_start(&args, spec);
    mcl__args_input(&args, &call->in);
    if (parts == 1) {
        reduce_result(&args, call, result);
        return mcl__launch_groups(queue, kernels, SINGLE, 1, threads, &args);
    }
    mcl__args_span(&args, partials);
    if (!once) MCL__TRY(mcl__launch_groups(queue, kernels, PARTS, parts, threads, &args));
    mcl__args_int(&args, (int)parts);
    reduce_result(&args, call, result);
    if (once) {
        const int64_t tiles = mcl__divide_up(call->in.count, mcl__tile_size(kernels->tile));
        const int64_t groups = mcl__fold_groups(&queue->context->limits, kernels->tile, tiles, parts);
        return mcl__launch_groups(queue, kernels, ONCE, groups, threads, &args);
    }
    return mcl__launch_groups(queue, kernels, FINISH, 1, threads, &args);
}

static mcl_status reduce_run(mcl_queue *queue, const reduce_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    const int64_t parts_once = (MCL__SLOTS - 1) / (int64_t)((call->accumulator + 3) / 4);

    reduce_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    const int64_t tiles = mcl__divide_up(call->in.count, mcl__tile_size(kernels->tile));
    int64_t parts = tiles <= SINGLE_TILES ? 1 : reduce_parts(&queue->context->limits, tiles, kernels->tile);
    if (call->has_once && parts > parts_once) parts = parts_once; /* also where it is not used: one result for all */
    const int once = call->has_once && parts > 1 && mcl__uses_slots(queue, options);
    if (once) MCL__TRY(mcl__slots_reserve(queue));
    const size_t partials_bytes = parts > 1 && !once ? (size_t)parts * call->accumulator : 0;
    const size_t result_bytes = mcl__result_scratch(&call->result);
    MCL__TRY(mcl__call_begin(queue, "mcl_reduce", mcl__scratch_round(partials_bytes) + mcl__scratch_round(result_bytes),
                             options));
    const mcl__span slots = { queue->slots, 0 };
    const mcl__span partials = once ? slots : mcl__scratch_take(queue, partials_bytes);
    const mcl__span result = mcl__result_span(queue, &call->result);
    MCL__TRY(reduce_launch(queue, call, &spec, kernels, parts, once, partials, result));
    MCL__TRY(mcl__call_end(queue, options));
    return mcl__result_read(queue, &call->result, result);
}

mcl_status mcl_reduce(mcl_queue *queue, mcl_input in, const mcl_op *op, mcl_result result, const mcl_options *options)
{
    reduce_call call = { .in = in, .op = op, .result = result };
    MCL__TRY(reduce_check(queue, &call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    call.initial = mcl__fold_initial(op, in.type, options);
    call.index_bits = mcl__index_bits(in.count, options);
    call.accumulator = mcl__fold_bytes(op, in.type, call.index_bits);
    call.has_once = queue->context->limits.word_path != MCL__WORDS_NONE && call.accumulator <= ONCE_BYTES_MAX &&
                    queue->context->limits.loop_budget == 0;
    if (!result.type) { /* nowhere to put it: only the events are wanted */
        MCL__TRY(mcl__call_begin(queue, "mcl_reduce", 0, options));
        return mcl__call_end(queue, options);
    }
    return reduce_run(queue, &call, options);
}
