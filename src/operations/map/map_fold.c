/* map_fold.c: folds the elements of a call that share a key before they are entered, where no atomic is as wide as a
 * map's value. Then each key comes once, and one work-item alone changes its value. The steps are calls of their own: a
 * grouping, a count of the keys that are sentinels, then what is done with the folded elements. */
#include "operations/map/map_table.h"

#include "moderncl/group_by.h"

/* One call. */
typedef struct fold_call {
    mcl__map_call *of;
    mcl_input keys, values; /* as the caller gives them */
    const mcl_op *op;
    mcl__map_enter enter;
    mcl_buffer *folded_keys, *folded_values, *count;
} fold_call;

static mcl_status fold_elements(const fold_call *call, const mcl_options *options)
{
    static const mcl_op any_of_two = { .role = MCL_ROLE_FOLD, .expression = "q", .commutative = 1 };
    const int64_t count = call->keys.count;
    const mcl_aggregate folded = { .values = call->values,
                                   .op = call->op ? call->op : &any_of_two,
                                   .out = mcl_to_buffer(call->values.type, call->folded_values, 0, count) };
    return mcl_group_by(call->of->run.queue, call->keys, mcl_to_buffer(call->keys.type, call->folded_keys, 0, count),
                        &folded, 1, mcl_to_slot(MCL_INT64, call->count, 0), options);
}

static mcl_input folded(const fold_call *call, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_with_count(mcl_from_buffer(type, buffer, 0, call->keys.count), call->count, 0);
}

/* Takes memory for the folded elements, which goes back once the call's work is done. */
static mcl_status take_memory(fold_call *call)
{
    mcl_queue *const queue = call->of->run.queue;
    const size_t count = (size_t)(call->keys.count > 0 ? call->keys.count : 1);
    MCL__TRY(mcl__buffer_create_for(queue, count * call->keys.type->size, &call->folded_keys));
    MCL__TRY(mcl__buffer_create_for(queue, count * call->values.type->size, &call->folded_values));
    return mcl__buffer_create_for(queue, sizeof(int64_t), &call->count);
}

/* The caller's tile is meant for the map. */
static mcl_status fold_steps(void *of, const mcl_options *options)
{
    fold_call *const call = of;
    const mcl_options beside = mcl__beside_options(options);
    MCL__TRY(take_memory(call));
    MCL__TRY(fold_elements(call, &beside));
    MCL__TRY(mcl__map_skip(call->of, &call->keys, options));
    mcl_input keys = folded(call, call->keys.type, call->folded_keys);
    mcl_input values = folded(call, call->values.type, call->folded_values);
    return call->enter(call->of, &keys, &values, options);
}

static void release_memory(void *of)
{
    fold_call *const call = of;
    mcl_buffer_release(call->folded_keys);
    mcl_buffer_release(call->folded_values);
    mcl_buffer_release(call->count);
    call->folded_keys = call->folded_values = call->count = NULL;
}

mcl_status mcl__map_fold(mcl__map_call *call, mcl_input keys, mcl_input values, const mcl_op *op, mcl__map_enter enter)
{
    fold_call folds = { .of = call, .keys = keys, .values = values, .op = op, .enter = enter };
    call->is_unique = 1;
    if (op && op->extract)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "op has extract and values are %s, of %zu bytes; expected an operator without, since this "
                         "device has no atomics as wide",
                         call->map->value_name, call->map->value_bytes);
    const mcl__run *const run = &call->run;
    const mcl_status status = mcl__steps_run(run->queue, run->options, fold_steps, release_memory, &folds);
    release_memory(&folds);
    return status;
}
