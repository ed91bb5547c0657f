/* map_fold.c: folds elements with equal keys before they are inserted, if no atomic is as wide as a map's value. Each
 * key then occurs once, and only one work-item changes its value. The steps are calls of other operations: a grouping,
 * then a call that inserts the folded elements. */
#include "operations/map/map_table.h"

#include "moderncl/group_by.h"

/* The plan of one call. */
typedef struct fold_plan {
    mcl__map_plan *of;
    mcl_input keys, values; /* the caller's elements */
    const mcl_op *op;
    mcl__map_enter enter;
    mcl_buffer *folded_keys, *folded_values, *count;
} fold_plan;

static mcl_status fold_elements(const fold_plan *plan, const mcl_options *options)
{
    static const mcl_op any_of_two = { .role = MCL_ROLE_FOLD, .expression = "q", .commutative = 1 };
    const int64_t count = plan->keys.count;
    const mcl_aggregate folded = { .values = plan->values,
                                   .op = plan->op ? plan->op : &any_of_two,
                                   .out = mcl_to_buffer(plan->values.type, plan->folded_values, 0, count) };
    return mcl_group_by(plan->of->call.queue, plan->keys, mcl_to_buffer(plan->keys.type, plan->folded_keys, 0, count),
                        &folded, 1, mcl_to_slot(MCL_INT64, plan->count, 0), options);
}

static mcl_input folded(const fold_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_with_count(mcl_from_buffer(type, buffer, 0, plan->keys.count), plan->count, 0);
}

/* Takes memory for the folded elements. */
static mcl_status take_memory(fold_plan *plan)
{
    mcl_queue *const queue = plan->of->call.queue;
    const size_t count = (size_t)plan->keys.count;
    MCL__TRY(mcl__scratch_hold(queue, count * plan->keys.type->size, &plan->folded_keys));
    MCL__TRY(mcl__scratch_hold(queue, count * plan->values.type->size, &plan->folded_values));
    return mcl__scratch_hold(queue, sizeof(int64_t), &plan->count);
}

/* Folds and inserts the elements. The grouping does not get the caller's tile, which is meant for the map. */
static mcl_status fold_steps(void *of, const mcl_options *options)
{
    fold_plan *const plan = of;
    const mcl_options beside = mcl__beside_options(options);
    MCL__TRY(take_memory(plan));
    MCL__TRY(fold_elements(plan, &beside));
    mcl_input keys = folded(plan, plan->keys.type, plan->folded_keys);
    mcl_input values = folded(plan, plan->values.type, plan->folded_values);
    return plan->enter(plan->of, &keys, &values, options);
}

static void release_memory(void *of)
{
    fold_plan *const plan = of;
    mcl__buffer_drop(&plan->folded_keys);
    mcl__buffer_drop(&plan->folded_values);
    mcl__buffer_drop(&plan->count);
}

mcl_status mcl__map_fold(mcl__map_plan *plan, mcl_input keys, mcl_input values, const mcl_op *op, mcl__map_enter enter)
{
    fold_plan folds = { .of = plan, .keys = keys, .values = values, .op = op, .enter = enter };
    plan->is_unique = 1;
    if (op && op->extract)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "op has extract and values are %s, of %zu bytes; expected an operator without, since this "
                         "device has no atomics as wide",
                         plan->map->value_name, plan->map->value_bytes);
    const mcl__call *const call = &plan->call;
    return mcl__steps_run(call->queue, call->options, fold_steps, release_memory, &folds);
}
