/* load_balance.c: mcl_load_balance_search and mcl_transform_load_balanced. Kernels: cl/kernels/load_balance.cl.
 * The merge of work items and objects is cut into tiles (pass 1), in which each item finds its object (pass 2). */
#include "call/balance.h"
#include "call/gate.h"

typedef struct balance_call {
    const char *function;
    mcl_input work, offsets;
    mcl_output objects, ranks;
    mcl_input item; /* transform: the expression */
    mcl_output out;
    int transforms;
} balance_call;

/* A sequence of numbers from 0 to below bound. */
static mcl_status search_check_output(const balance_call *call, const char *parameter, const mcl_output *output,
                                      int64_t bound)
{
    MCL__TRY(mcl__check_room(call->function, parameter, output, call->work.count));
    if (output->type->size == sizeof(int32_t) && bound > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is MCL_INT32 for numbers up to %lld; it must be MCL_INT64",
                         call->function, parameter, (long long)bound);
    return mcl__check_balance_overlap(call->function, &call->work, &call->offsets, parameter, output, call->work.count);
}

static mcl_status search_check(const mcl_queue *queue, const balance_call *call, const mcl_options *options)
{
    const int has_both = call->objects.buffer && call->ranks.buffer;
    const mcl__operand operands[] = {
        { "work", .input = &call->work },
        { "offsets", .input = &call->offsets, .types = MCL__INTEGERS },
        { "objects", .output = &call->objects, .types = MCL__INDICES, .optional = 1 },
        { "ranks", .output = &call->ranks, .types = MCL__INDICES, .optional = 1 },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    if (!call->objects.buffer && !call->ranks.buffer && call->work.count > 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: objects and ranks have no buffer; one of them must", call->function);
    if (call->objects.buffer) MCL__TRY(search_check_output(call, "objects", &call->objects, call->offsets.count));
    if (call->ranks.buffer) MCL__TRY(search_check_output(call, "ranks", &call->ranks, call->work.count));
    if (!has_both) return MCL_OK;
    const mcl_input written =
        mcl_from_buffer(call->objects.type, call->objects.buffer, call->objects.offset, call->work.count);
    return mcl__check_no_overlap(call->function, "objects", &written, "ranks", &call->ranks, call->work.count);
}

static mcl_status transform_check(const mcl_queue *queue, const balance_call *call, const mcl_options *options)
{
    const mcl_input *const item = &call->item;
    const mcl__operand operands[] = {
        { "item", .input = item },
        { "offsets", .input = &call->offsets, .types = MCL__INTEGERS },
        { "out", .output = &call->out },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    if (!item->expression)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: item has no expression; it must be made by mcl_expression",
                         call->function);
    for (int k = 0; k < item->binding_count; ++k)
        if (strcmp(item->bindings[k].name, "object") == 0 || strcmp(item->bindings[k].name, "rank") == 0)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "%s: item's binding %s has a name that the expression has another use for; expected "
                             "another name",
                             call->function, item->bindings[k].name);
    MCL__TRY(mcl__check_room(call->function, "out", &call->out, item->count));
    if (!mcl__same_type(item->type, call->out.type) &&
        (item->type->kind == MCL_KIND_STRUCT || call->out.type->kind == MCL_KIND_STRUCT))
        return mcl__fail(MCL_ERROR_TYPE, "%s: item is %s and out is %s; a struct can only be stored as itself",
                         call->function, item->type->name, call->out.type->name);
    MCL__TRY(mcl__check_balance_overlap(call->function, &call->work, &call->offsets, "out", &call->out, item->count));
    return mcl__check_no_overlap(call->function, "item", item, "out", &call->out, item->count);
}

static void search_describe(mcl__spec *spec, const balance_call *call)
{
    if (call->objects.buffer) {
        spec->outputs[0].name = "objects";
        spec->outputs[0].type = call->objects.type;
    }
    if (call->ranks.buffer) {
        spec->outputs[1].name = "ranks";
        spec->outputs[1].type = call->ranks.type;
    }
    spec->defines[1].name = "HAS_OBJECTS";
    spec->defines[1].value = call->objects.buffer != NULL;
    spec->defines[2].name = "HAS_RANKS";
    spec->defines[2].value = call->ranks.buffer != NULL;
}

static void transform_describe(mcl__spec *spec, const balance_call *call)
{
    spec->inputs[2].name = "value";
    spec->inputs[2].input = &call->item;
    spec->inputs[2].placed = 1;
    spec->outputs[0].name = "out";
    spec->outputs[0].type = call->out.type;
    spec->defines[1].name = "HAS_VALUES";
    spec->defines[1].value = 1;
}

static void balance_describe(mcl__spec *spec, const mcl_context *context, const balance_call *call,
                             const mcl_options *options)
{
    const mcl_type *const stored = call->transforms       ? call->out.type
                                   : call->objects.buffer ? call->objects.type
                                                          : call->ranks.type;
    const mcl__tile_need need = { .element_bytes = stored ? stored->size : sizeof(int32_t),
                                  .local_bytes_per_item = MCL__BALANCE_ITEM_BYTES,
                                  .local_bytes_per_thread = MCL__BALANCE_THREAD_BYTES,
                                  .local_bytes_fixed = MCL__BALANCE_FIXED_BYTES };
    *spec = (mcl__spec){
        .file = "kernels/load_balance.cl",
        .kernels = { [MCL__BALANCE_PARTITION] = "balance_partition", [MCL__BALANCE_TILES] = "balance_tiles" },
        .tile = mcl__tile_for(MCL__OPERATION_load_balance, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(call->work.count + call->offsets.count, options),
        .inputs = { { "offsets", &call->offsets, 0 }, { "work", &call->work, 0 } },
    };
    spec->defines[0].name = "PARTITION_THREADS";
    spec->defines[0].value = mcl__balance_partition_threads(spec->tile);
    if (call->transforms)
        transform_describe(spec, call);
    else
        search_describe(spec, call);
}

static mcl_status balance_run(mcl_queue *queue, const balance_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;

    MCL__TRY(call->transforms ? transform_check(queue, call, options) : search_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options))
        MCL__TRY(mcl__validate_exclusive_offsets(queue, call->function, &call->offsets, options));
    balance_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, call->function, mcl__balance_scratch(&spec, kernels), options));
    MCL__TRY(mcl__balance_launch(queue, &spec, kernels, &args));
    if (!call->transforms && call->objects.buffer) mcl__args_output(&args, &call->objects);
    if (!call->transforms && call->ranks.buffer) mcl__args_output(&args, &call->ranks);
    if (call->transforms) {
        mcl__args_input(&args, &call->item);
        mcl__args_output(&args, &call->out);
    }
    MCL__TRY(mcl__launch_groups(queue, kernels, MCL__BALANCE_TILES, mcl__balance_tiles(&spec, kernels),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_load_balance_search(mcl_queue *queue, mcl_work work, mcl_input offsets, mcl_output objects,
                                   mcl_output ranks, const mcl_options *options)
{
    const balance_call call = { .function = "mcl_load_balance_search",
                                .work = mcl__work_input(&work),
                                .offsets = offsets,
                                .objects = objects,
                                .ranks = ranks };
    return balance_run(queue, &call, options);
}

mcl_status mcl_transform_load_balanced(mcl_queue *queue, mcl_input item, mcl_input offsets, mcl_output out,
                                       const mcl_options *options)
{
    const mcl_work work = { item.count, item.count_slot, item.count_slot_index };
    const balance_call call = { .function = "mcl_transform_load_balanced",
                                .work = mcl__work_input(&work),
                                .offsets = offsets,
                                .item = item,
                                .out = out,
                                .transforms = 1 };
    return balance_run(queue, &call, options);
}
