/* top_k_sorted.c: the first k elements in order, where k is more than one work-group sorts. The elements are chosen in
 * any order, sorted by their indices, and then sorted by their keys, which keeps the order of equal ones. The steps are
 * calls of their own. */
#include "operations/top_k/top_k_call.h"
#include "operations/transform/transform.h"

#include "moderncl/sort.h"

enum {
    IN = MCL__TOP_K_IN,
    IN_VALUES = MCL__TOP_K_IN_VALUES,
    BEFORE = MCL__TOP_K_BEFORE,
    OUT = MCL__TOP_K_OUT,
    OUT_VALUES = MCL__TOP_K_OUT_VALUES,
    OUT_INDICES = MCL__TOP_K_OUT_INDICES,
    CHOSEN = MCL__TOP_K_CHOSEN
};

/* A sequence of the chosen elements: as they were chosen, and in the order of their indices. */
typedef struct column {
    const mcl_type *type; /* NULL: the call has none */
    mcl_buffer *chosen, *ordered;
} column;

typedef struct sorted_call {
    mcl__run *run;
    int64_t wanted;
    column keys, values, indices;
    mcl_buffer *slots;  /* slots that the elements were chosen to, in the order of their indices */
    mcl_buffer *count;  /* the count's, where the caller has no slot for it */
    mcl_result counted; /* the result that the selection is given */
} sorted_call;

/* ---- memory ------------------------------------------------------------------------------------------------- */

static mcl_status column_create(const sorted_call *call, column *made)
{
    const size_t bytes = made->type ? (size_t)call->wanted * made->type->size : 0;
    if (!made->type) return MCL_OK;
    MCL__TRY(mcl__buffer_create_for(call->run->queue, bytes, &made->chosen));
    return mcl__buffer_create_for(call->run->queue, bytes, &made->ordered);
}

/* 1: the device alone knows how many elements are chosen. */
static int is_on_device(const sorted_call *call)
{
    return call->run->given[IN].input->count_slot || call->run->given[MCL__TOP_K_AMOUNTS].input;
}

/* Makes a slot for a count that only the device knows. Later steps read the number of elements from it. */
static mcl_status create_count(sorted_call *call)
{
    call->counted = *call->run->given[CHOSEN].result;
    if (!is_on_device(call)) return MCL_OK;
    if (!call->counted.type) call->counted.type = MCL_INT64;
    const int64_t highest = mcl__count_highest(call->counted.type);
    if (call->wanted > highest)
        return mcl__fail(MCL_ERROR_TYPE, "count is %s and k is %lld; expected MCL_INT64 for more than %lld elements",
                         call->counted.type->name, (long long)call->wanted, (long long)highest);
    if (call->counted.buffer) return MCL_OK;
    MCL__TRY(mcl__buffer_create_for(call->run->queue, call->counted.type->size, &call->count));
    call->counted.buffer = call->count;
    call->counted.offset = 0;
    return MCL_OK;
}

static mcl_status create_memory(sorted_call *call)
{
    MCL__TRY(create_count(call));
    MCL__TRY(column_create(call, &call->keys));
    MCL__TRY(column_create(call, &call->values));
    MCL__TRY(column_create(call, &call->indices));
    return mcl__buffer_create_for(call->run->queue, (size_t)call->wanted * call->indices.type->size, &call->slots);
}

/* The blocks are kept until the call's work is done. */
static void release_memory(void *of)
{
    sorted_call *const call = of;
    mcl_buffer **const owned[] = { &call->keys.chosen,    &call->keys.ordered,   &call->values.chosen,
                                   &call->values.ordered, &call->indices.chosen, &call->indices.ordered,
                                   &call->slots,          &call->count };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; ++k) {
        mcl_buffer_release(*owned[k]);
        *owned[k] = NULL;
    }
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

/* Gives the input as many elements as were chosen. */
static mcl_input counted(const sorted_call *call, mcl_input input)
{
    const mcl_result *const count = &call->counted;
    if (!is_on_device(call)) return input;
    return mcl_with_count_of(input, count->type, count->buffer, count->offset);
}

static mcl_input chosen_input(const sorted_call *call, const mcl_type *type, mcl_buffer *buffer)
{
    return counted(call, mcl_from_buffer(type, buffer, 0, call->wanted));
}

static mcl_output output_of(const sorted_call *call, const mcl_type *type, mcl_buffer *buffer)
{
    return mcl_to_buffer(type, buffer, 0, call->wanted);
}

static mcl_status select_step(sorted_call *call, const mcl_options *options)
{
    mcl_output keys = output_of(call, call->keys.type, call->keys.chosen);
    mcl_output indices = output_of(call, call->indices.type, call->indices.chosen);
    mcl_output values = { 0 };
    mcl__run run = *call->run;
    run.options = options;
    run.given[OUT].output = &keys;
    run.given[OUT_INDICES].output = &indices;
    run.given[CHOSEN].result = &call->counted;
    run.room[OUT] = run.room[OUT_VALUES] = run.room[OUT_INDICES] = call->wanted;
    if (call->values.type) {
        values = output_of(call, call->values.type, call->values.chosen);
        run.given[OUT_VALUES].output = &values;
    }
    return mcl__top_k_select(&run, call->wanted);
}

static mcl_status order_step(sorted_call *call, const mcl_options *options)
{
    const mcl_type *const index = call->indices.type;
    const int64_t zero = 0;
    const mcl_input slots = mcl_from_counting(index, &zero, call->wanted);
    return mcl_sort_pairs(call->run->queue, chosen_input(call, index, call->indices.chosen), slots,
                          output_of(call, index, call->indices.ordered), output_of(call, index, call->slots), MCL_LESS,
                          options);
}

static mcl_status gather_step(sorted_call *call, const column *moved, const mcl_options *options)
{
    if (!moved->type) return MCL_OK;
    const mcl_input slots = chosen_input(call, call->indices.type, call->slots);
    const mcl_input chosen = mcl_from_buffer(moved->type, moved->chosen, 0, call->wanted);
    return mcl__gather_rows(call->run->queue, &slots, &chosen, output_of(call, moved->type, moved->ordered), options);
}

static mcl_status sort_step(sorted_call *call, const mcl_options *options)
{
    const mcl__run *const run = call->run;
    const mcl_op *const before = run->given[BEFORE].op;
    const mcl_input keys = chosen_input(call, call->keys.type, call->keys.ordered);
    if (!run->given[OUT].output) /* the keys themselves are of no use: they end where they were chosen to */
        return mcl_sort_pairs(run->queue, keys, chosen_input(call, call->indices.type, call->indices.ordered),
                              output_of(call, call->keys.type, call->keys.chosen), *run->given[OUT_INDICES].output,
                              before, options);
    if (!call->values.type) return mcl_sort(run->queue, keys, *run->given[OUT].output, before, options);
    return mcl_sort_pairs(run->queue, keys, chosen_input(call, call->values.type, call->values.ordered),
                          *run->given[OUT].output, *run->given[OUT_VALUES].output, before, options);
}

static mcl_status sorted_steps(void *of, const mcl_options *options)
{
    sorted_call *const call = of;
    const mcl_options own = mcl__top_k_step_options(options);
    const mcl_options beside = mcl__beside_options(&own); /* the tile is meant for the selection */
    MCL__TRY(create_memory(call));
    MCL__TRY(select_step(call, &own));
    MCL__TRY(order_step(call, &beside));
    MCL__TRY(gather_step(call, &call->keys, &beside));
    MCL__TRY(gather_step(call, &call->values, &beside));
    return sort_step(call, &beside);
}

mcl_status mcl__top_k_sorted(mcl__run *run, int64_t wanted)
{
    const mcl_input *const keys = run->given[IN].input;
    const mcl_output *const indices = run->given[OUT_INDICES].output;
    sorted_call call = { .run = run, .wanted = wanted, .keys.type = keys->type };
    call.indices.type = indices ? indices->type : keys->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
    if (run->given[IN_VALUES].input) call.values.type = run->given[IN_VALUES].input->type;
    const mcl_status status = mcl__steps_run(run->queue, run->options, sorted_steps, release_memory, &call);
    release_memory(&call);
    return status;
}
