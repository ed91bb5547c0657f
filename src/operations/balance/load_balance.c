/* load_balance.c: mcl_load_balance_search and mcl_transform_load_balanced. Kernels: cl/kernels/balance/load_balance.cl.
 * Pass 1 cuts the merge of work units and objects into tiles. In pass 2 each work unit of a tile finds its object. */
#include "call/balance.h"

enum { OBJECTS = OTHERS, RANKS, ITEM, OUT }; /* the search has OBJECTS and RANKS, the transform ITEM and OUT */

static const mcl__declaration load_balance = {
    .file = "kernels/balance/load_balance.cl",
    .operands =
        (mcl__operands){
            [OFFSETS] = { "offsets", .kind = MCL__INPUT, .types = MCL__INTEGERS },
            [WORK] = { "work", .kind = MCL__INPUT, .count_alone = 1 },
            [OBJECTS] = { "objects", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = OFFSETS, .optional = 1 },
            [RANKS] = { "ranks", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = WORK, .optional = 1 },
            [ITEM] = { "value", .kind = MCL__INPUT, .label = "item", .placed = 1 },
            [OUT] = { "out", .kind = MCL__OUTPUT } },
    .scratch = { [SPLIT] = { "split", "index_type" } },
    .scalars = { [SPLITS] = "splits" },
    .passes =
        (mcl__passes){ [PARTITION] = { "balance_partition",
                                       MCL__PARTITION_THREADS,
                                       "PARTITION_THREADS",
                                       { MCL__BALANCE_ARGUMENTS, AS_INDEX(SPLITS) } },
                       [TILES] = { "balance_tiles", .arguments = { MCL__BALANCE_ARGUMENTS, OPERAND(OBJECTS),
                                                                   OPERAND(RANKS), OPERAND(ITEM), OPERAND(OUT) } } },
};

/* Runs a call of either function after its checks. stored is the type of the elements that a tile stores. */
static mcl_status balance_run(mcl__call *call, const mcl_type *stored)
{
    const mcl_input *const work = call->operands[WORK].input, *const offsets = call->operands[OFFSETS].input;
    const mcl__tile_need need = { .element_bytes = stored ? stored->size : sizeof(int32_t),
                                  .local_bytes_per_item = MCL__BALANCE_ITEM_BYTES,
                                  .local_bytes_per_thread = MCL__BALANCE_THREAD_BYTES,
                                  .local_bytes_fixed = MCL__BALANCE_FIXED_BYTES };
    if (mcl__validates(call->options)) MCL__TRY(mcl__validate_exclusive_offsets(call->queue, offsets, call->options));
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_load_balance, need),
                               mcl__index_bits(work->count + offsets->count, call->options)));
    const int64_t tiles = mcl__balance_need(call);
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__balance_launch(call, tiles));
    return mcl__call_end(call);
}

/* ---- mcl_load_balance_search -------------------------------------------------------------------------------- */

/* Removes output k from the call where the caller does not want it, so that kernels do not know it. Otherwise sets its
 * room. */
static void drop_unwanted(mcl__call *call, int k)
{
    if (mcl__is_left_out(call->operands[k].output)) call->operands[k].output = NULL;
    call->room[k] = call->operands[WORK].input->count;
}

mcl_status mcl_load_balance_search(mcl_queue *queue, mcl_work work, mcl_input offsets, mcl_output objects,
                                   mcl_output ranks, const mcl_options *options)
{
    mcl_input items = mcl__work_input(&work);
    mcl__call call;
    mcl__call_init(&call, &load_balance, "mcl_load_balance_search", queue, options);
    call.operands[OFFSETS].input = &offsets;
    call.operands[WORK].input = &items;
    call.operands[OBJECTS].output = &objects;
    call.operands[RANKS].output = &ranks;
    if (!mcl__is_wanted(&objects) && !mcl__is_wanted(&ranks))
        return mcl__fail(MCL_ERROR_ARGUMENT, "objects and ranks are both all zero; expected one output at least");
    MCL__TRY(mcl__call_check(&call));
    drop_unwanted(&call, OBJECTS);
    drop_unwanted(&call, RANKS);
    MCL__TRY(mcl__call_ready(&call));
    return balance_run(&call, call.operands[OBJECTS].output ? objects.type : ranks.type);
}

/* ---- mcl_transform_load_balanced ---------------------------------------------------------------------------- */

static mcl_status check_item(const mcl_input *item, const mcl_type *stored)
{
    if (!item->expression)
        return mcl__fail(MCL_ERROR_ARGUMENT, "item has no expression; expected an input of mcl_from_expression");
    for (int k = 0; k < item->binding_count; ++k)
        if (strcmp(item->bindings[k].name, "object") == 0 || strcmp(item->bindings[k].name, "rank") == 0)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "item's binding %s has a name that the expression has another use for; expected "
                             "another name",
                             item->bindings[k].name);
    if (mcl__same_type(item->type, stored) || (item->type->kind != MCL_KIND_STRUCT && stored->kind != MCL_KIND_STRUCT))
        return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "item is %s and out is %s; expected one type, or two built-in types",
                     item->type->name, stored->name);
}

mcl_status mcl_transform_load_balanced(mcl_queue *queue, mcl_input item, mcl_input offsets, mcl_output out,
                                       const mcl_options *options)
{
    const mcl_work work = { item.count, item.count_slot, item.count_slot_index, item.count_slot_type };
    mcl_input items = mcl__work_input(&work);
    mcl__call call = {
        &load_balance,
        "mcl_transform_load_balanced",
        queue,
        options,
        .operands = { [OFFSETS].input = &offsets, [WORK].input = &items, [ITEM].input = &item, [OUT].output = &out },
    };
    MCL__TRY(mcl__call_check(&call));
    MCL__TRY(check_item(&item, out.type));
    call.room[OUT] = item.count;
    MCL__TRY(mcl__call_ready(&call));
    return balance_run(&call, out.type);
}
