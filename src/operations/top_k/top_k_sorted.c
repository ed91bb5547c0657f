/* top_k_sorted.c: the first k elements in order, where k is more than one work-group sorts. First the elements are
 * chosen in any order. Then they are sorted by their indices, and after that by their keys. The second sort keeps the
 * order of equal keys. The steps are calls of other operations. */
#include "operations/top_k/selection.h"
#include "operations/top_k/top_k_operands.h"
#include "operations/transform/transform.h"

#include "moderncl/sort.h"

/* A sequence of the chosen elements: in the order of choice, and in the order of their indices. */
typedef struct column {
    const mcl_type *type; /* type of the elements, or NULL where the call has no such sequence */
    mcl_buffer *chosen, *ordered;
} column;

typedef struct sorted_plan {
    mcl__call *call;
    int64_t wanted;
    column keys, values, indices;
    mcl_buffer *slots;  /* index in chosen of each element, in the order of the elements' indices */
    mcl_buffer *count;  /* slot of the count, if the caller gives none */
    mcl_result counted; /* result to which the selection stores the count */
} sorted_plan;

/* ---- memory ------------------------------------------------------------------------------------------------- */

static mcl_status column_create(const sorted_plan *plan, column *made)
{
    const size_t bytes = made->type ? (size_t)plan->wanted * made->type->size : 0;
    if (!made->type) return MCL_OK;
    MCL__TRY(mcl__scratch_hold(plan->call->queue, bytes, &made->chosen));
    return mcl__scratch_hold(plan->call->queue, bytes, &made->ordered);
}

/* Returns 1 where only the device knows the number of chosen elements. */
static int is_on_device(const sorted_plan *plan)
{
    return plan->call->operands[IN].input->count_slot || plan->call->operands[AMOUNTS].input;
}

/* Makes a slot for a count that only the device knows. Later steps read the number of elements from it. */
static mcl_status create_count(sorted_plan *plan)
{
    plan->counted = *plan->call->operands[CHOSEN].result;
    if (!is_on_device(plan)) return MCL_OK;
    if (!plan->counted.type) plan->counted.type = MCL_INT64;
    const int64_t highest = mcl__count_highest(plan->counted.type);
    if (plan->wanted > highest)
        return mcl__fail(MCL_ERROR_TYPE, "count is %s and k is %lld; expected MCL_INT64 for more than %lld elements",
                         plan->counted.type->name, (long long)plan->wanted, (long long)highest);
    if (plan->counted.buffer) return MCL_OK;
    MCL__TRY(mcl__scratch_hold(plan->call->queue, plan->counted.type->size, &plan->count));
    plan->counted.buffer = plan->count;
    plan->counted.offset = 0;
    return MCL_OK;
}

static mcl_status create_memory(sorted_plan *plan)
{
    MCL__TRY(create_count(plan));
    MCL__TRY(column_create(plan, &plan->keys));
    MCL__TRY(column_create(plan, &plan->values));
    MCL__TRY(column_create(plan, &plan->indices));
    return mcl__scratch_hold(plan->call->queue, (size_t)plan->wanted * plan->indices.type->size, &plan->slots);
}

static void release_memory(void *of)
{
    sorted_plan *const plan = of;
    mcl_buffer **const owned[] = { &plan->keys.chosen,    &plan->keys.ordered,   &plan->values.chosen,
                                   &plan->values.ordered, &plan->indices.chosen, &plan->indices.ordered,
                                   &plan->slots,          &plan->count };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; ++k) mcl__buffer_drop(owned[k]);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

/* Returns the input with the number of chosen elements as its count. */
static mcl_input counted(const sorted_plan *plan, mcl_input input)
{
    const mcl_result *const count = &plan->counted;
    if (!is_on_device(plan)) return input;
    return mcl_with_count_of(input, count->type, count->buffer, count->offset);
}

static mcl_input chosen_input(const sorted_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    return counted(plan, mcl_from_buffer(type, buffer, 0, plan->wanted));
}

static mcl_output output_of(const sorted_plan *plan, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_to_buffer(type, buffer, 0, plan->wanted);
}

static mcl_status select_step(sorted_plan *plan, const mcl_options *options)
{
    mcl_output keys = output_of(plan, plan->keys.type, plan->keys.chosen);
    mcl_output indices = output_of(plan, plan->indices.type, plan->indices.chosen);
    mcl_output values = { 0 };
    mcl__call call = *plan->call;
    call.options = options;
    call.operands[OUT].output = &keys;
    call.operands[OUT_INDICES].output = &indices;
    call.operands[CHOSEN].result = &plan->counted;
    call.room[OUT] = call.room[OUT_VALUES] = call.room[OUT_INDICES] = plan->wanted;
    if (plan->values.type) {
        values = output_of(plan, plan->values.type, plan->values.chosen);
        call.operands[OUT_VALUES].output = &values;
    }
    return mcl__top_k_select(&call, plan->wanted);
}

static mcl_status order_step(sorted_plan *plan, const mcl_options *options)
{
    const mcl_type *const index = plan->indices.type;
    const int64_t zero = 0;
    const mcl_input slots = mcl_from_counting(index, &zero, plan->wanted);
    return mcl_sort_pairs(plan->call->queue, chosen_input(plan, index, plan->indices.chosen), slots,
                          output_of(plan, index, plan->indices.ordered), output_of(plan, index, plan->slots), MCL_LESS,
                          options);
}

static mcl_status gather_step(sorted_plan *plan, const column *moved, const mcl_options *options)
{
    if (!moved->type) return MCL_OK;
    const mcl_input slots = chosen_input(plan, plan->indices.type, plan->slots);
    const mcl_input chosen = mcl_from_buffer(moved->type, moved->chosen, 0, plan->wanted);
    return mcl__gather_rows(plan->call->queue, &slots, &chosen, NULL, output_of(plan, moved->type, moved->ordered),
                            options);
}

static mcl_status sort_step(sorted_plan *plan, const mcl_options *options)
{
    const mcl__call *const call = plan->call;
    const mcl_op *const before = call->operands[BEFORE].op;
    const mcl_input keys = chosen_input(plan, plan->keys.type, plan->keys.ordered);
    if (!call->operands[OUT].output) /* sorted keys without an output overwrite the chosen keys */
        return mcl_sort_pairs(call->queue, keys, chosen_input(plan, plan->indices.type, plan->indices.ordered),
                              output_of(plan, plan->keys.type, plan->keys.chosen), *call->operands[OUT_INDICES].output,
                              before, options);
    if (!plan->values.type) return mcl_sort(call->queue, keys, *call->operands[OUT].output, before, options);
    return mcl_sort_pairs(call->queue, keys, chosen_input(plan, plan->values.type, plan->values.ordered),
                          *call->operands[OUT].output, *call->operands[OUT_VALUES].output, before, options);
}

static mcl_status sorted_steps(void *of, const mcl_options *options)
{
    sorted_plan *const plan = of;
    const mcl_options own = mcl__top_k_step_options(options);
    const mcl_options beside = mcl__beside_options(&own); /* leaves out the tile, which is for the selection */
    MCL__TRY(create_memory(plan));
    MCL__TRY(select_step(plan, &own));
    MCL__TRY(order_step(plan, &beside));
    MCL__TRY(gather_step(plan, &plan->keys, &beside));
    MCL__TRY(gather_step(plan, &plan->values, &beside));
    return sort_step(plan, &beside);
}

mcl_status mcl__top_k_sorted(mcl__call *call, int64_t wanted)
{
    const mcl_input *const keys = call->operands[IN].input;
    const mcl_output *const indices = call->operands[OUT_INDICES].output;
    sorted_plan plan = { .call = call, .wanted = wanted, .keys.type = keys->type };
    plan.indices.type = indices ? indices->type : keys->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
    if (call->operands[IN_VALUES].input) plan.values.type = call->operands[IN_VALUES].input->type;
    return mcl__steps_run(call->queue, call->options, sorted_steps, release_memory, &plan);
}
