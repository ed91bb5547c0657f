/* compact_unordered.c: mcl_compact and variants where the order does not matter. Kernels: compact_unordered.cl. Every
 * tile takes places for its elements from one cursor, so that no tile waits for another, on any device. */
#include "call/append.h"
#include "primitives/compact_call.h"

enum { CLEAR, APPEND, TOTAL };

/* What is moved. */
static const mcl_type *moved_type(const mcl__compact_call *call)
{
    return call->inputs[call->inputs[MCL__COMPACT_DATA].name ? MCL__COMPACT_DATA : MCL__COMPACT_IN].input.type;
}

static void unordered_describe(mcl__spec *spec, const mcl_context *context, const mcl__compact_call *call,
                               mcl__append append, const mcl_options *options)
{
    const mcl_input *const in = &call->inputs[MCL__COMPACT_IN].input;
    const size_t tested = in->type->size, moved = moved_type(call)->size;
    *spec = (mcl__spec){
        .file = "kernels/compact_unordered.cl",
        .kernels = { [CLEAR] = "compact_clear", [APPEND] = "compact_append", [TOTAL] = "compact_total" },
        .tile = mcl__append_tile(context, tested > moved ? tested : moved, options),
        .index_bits = mcl__index_bits(in->count, options),
        .inputs = { { "in", in } },
        .outputs = { { "out", call->outputs[MCL__COMPACT_OUT].output.type }, { "counts", MCL_INT64 } },
        .defines = { { "COMPACT_TEST", call->test },
                     { "HAS_DATA", call->inputs[MCL__COMPACT_DATA].name != NULL },
                     { "APPEND_WAY", append.way },
                     { "APPEND_WIDTH", append.width } },
    };
    if (call->inputs[MCL__COMPACT_DATA].name) {
        spec->inputs[1].name = "data";
        spec->inputs[1].input = &call->inputs[MCL__COMPACT_DATA].input;
    }
    if (!call->ops[0].name) return;
    spec->ops[0].name = "keep";
    spec->ops[0].op = call->ops[0].op;
    spec->ops[0].role = MCL__OP_PREDICATE;
    spec->ops[0].element = in->type;
}

static mcl_status launch_part(mcl_queue *queue, const mcl__compact_call *call, const mcl__spec *spec,
                              const mcl__kernels *kernels, int64_t limit, mcl__span cursors, int turn)
{
    const mcl_input *const in = &call->inputs[MCL__COMPACT_IN].input;
    const int64_t begin = (int64_t)turn * MCL__APPEND_PART;
    const int64_t size = in->count - begin < MCL__APPEND_PART ? in->count - begin : MCL__APPEND_PART;
    mcl__args args;
    mcl__args_start(&args, spec);
    mcl__args_input(&args, in);
    if (call->inputs[MCL__COMPACT_DATA].name) mcl__args_input(&args, &call->inputs[MCL__COMPACT_DATA].input);
    mcl__args_output(&args, &call->outputs[MCL__COMPACT_OUT].output);
    mcl__args_index(&args, limit);
    mcl__args_index(&args, begin);
    mcl__args_index(&args, size);
    mcl__args_span(&args, cursors);
    mcl__args_int(&args, turn);
    return mcl__launch_groups(queue, kernels, APPEND, mcl__divide_up(size, mcl__tile_size(kernels->tile)),
                              kernels->tile.threads, &args);
}

mcl_status mcl__compact_unordered(mcl_queue *queue, const mcl__compact_call *call, int64_t limit,
                                  const mcl_options *options, mcl__span *counts)
{
    mcl__spec spec;
    mcl__append append;
    const mcl__kernels *kernels;
    mcl__args args;
    const int parts = (int)mcl__divide_up(call->inputs[MCL__COMPACT_IN].input.count, MCL__APPEND_PART);
    const size_t bytes = (size_t)(parts + 1) * sizeof(uint32_t);

    MCL__TRY(mcl__append_choose(call->function, queue->context, options, &append));
    unordered_describe(&spec, queue->context, call, append, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    const int threads = kernels->tile.threads;
    MCL__TRY(mcl__call_begin(queue, call->function,
                             mcl__scratch_round(bytes) + mcl__scratch_round(mcl__result_scratch(&call->counts)),
                             options));
    const mcl__span cursors = mcl__scratch_take(queue, bytes);
    *counts = mcl__result_span(queue, &call->counts);
    args = (mcl__args){ .index_bits = kernels->index_bits };
    mcl__args_span(&args, cursors);
    mcl__args_int(&args, parts + 1);
    MCL__TRY(mcl__launch_groups(queue, kernels, CLEAR, 1, threads, &args));
    for (int turn = 0; turn < parts; ++turn) MCL__TRY(launch_part(queue, call, &spec, kernels, limit, cursors, turn));
    if (!counts->buffer) return MCL_OK;
    args = (mcl__args){ .index_bits = kernels->index_bits };
    mcl__args_span(&args, cursors);
    mcl__args_int(&args, parts);
    mcl__args_span(&args, *counts);
    return mcl__launch_groups(queue, kernels, TOTAL, 1, threads, &args);
}
