/* tiled_operands.c: the tuning rows and the work-group memory of a sort by tiles. */
#include "operations/segmented_sort/tiled_operands.h"

mcl__operation mcl__tiled_sort_operation(const mcl__tiled_sort *plan)
{
    static const mcl__operation operations[2][2] = {
        { MCL__OPERATION_locality_sort, MCL__OPERATION_locality_sort_pairs },
        { MCL__OPERATION_segmented_sort, MCL__OPERATION_segmented_sort_pairs },
    };
    return operations[plan->segmented != 0][plan->has_values != 0];
}

mcl__tile_need mcl__tiled_sort_need(const mcl__tiled_sort *plan)
{
    const size_t key = mcl__staged_bytes(plan->keys.type);
    const size_t value = plan->has_values ? mcl__staged_bytes(plan->values.type) : 0;
    const size_t wider = key > value ? key : value;
    const size_t kept = wider + (plan->has_values ? sizeof(uint16_t) : 0);
    return (mcl__tile_need){
        .element_bytes = wider,
        .local_bytes_per_item = kept,
        /* The fixed bytes are a word per work-item, tasks, and room for keys past the tile that the last work-item of a
         * merge may read. */
        .local_bytes_fixed = 4096 + 256 + 32 * kept,
    };
}

int mcl__order_is_hidden(const mcl__tiled_sort *plan)
{
    const mcl_type *type = plan->keys.type;
    return !plan->has_values && mcl__is_integer(type) &&
           (mcl__same_op(plan->before, MCL_LESS) || mcl__same_op(plan->before, MCL_GREATER));
}

int mcl__tiled_sort_by_vectors(const mcl__tiled_sort *plan)
{
    return plan->keys.type->kind != MCL_KIND_STRUCT &&
           !(plan->has_values && plan->values.type->kind == MCL_KIND_STRUCT) && !plan->before->source &&
           plan->before->binding_count == 0;
}

/* Defines the longest short segment. In such a segment each key is compared with all others. */
void mcl__tiled_sort_define_short(mcl__call *call, const mcl__tiled_sort *plan)
{
    const mcl_context *const context = call->queue->context;
    mcl__call_define(call, "SHORT_SEGMENT",
                     (int)mcl__tuned(context, mcl__tiled_sort_by_vectors(plan)
                                                  ? MCL__PARAMETER_segmented_sort_short_by_vectors
                                                  : MCL__PARAMETER_segmented_sort_short_by_keys));
}
