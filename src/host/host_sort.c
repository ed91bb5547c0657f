/* host_sort.c: mcl_host_sort and mcl_host_sort_pairs. */
#include "host/host_call.h"

enum { KEYS, VALUES, SORTED_COLUMNS };

/* The names of the operands of each call in error sentences: types, inputs, outputs. */
static const char *const names[2][3][SORTED_COLUMNS] = {
    { { "type" }, { "keys" }, { "out" } },
    { { "key_type", "value_type" }, { "keys", "values" }, { "out_keys", "out_values" } },
};

static mcl_status sort_keys(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage, int64_t count)
{
    const mcl_type *const type = call->in.types[KEYS];
    (void)stage;
    return mcl_sort(channel->queue, mcl_from_buffer(type, channel->from[KEYS], 0, count),
                    mcl_to_buffer(type, channel->to[KEYS], 0, count), call->before, NULL);
}

static mcl_status sort_pairs(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage, int64_t count)
{
    const mcl_type *const keys = call->in.types[KEYS], *const values = call->in.types[VALUES];
    (void)stage;
    return mcl_sort_pairs(channel->queue, mcl_from_buffer(keys, channel->from[KEYS], 0, count),
                          mcl_from_buffer(values, channel->from[VALUES], 0, count),
                          mcl_to_buffer(keys, channel->to[KEYS], 0, count),
                          mcl_to_buffer(values, channel->to[VALUES], 0, count), call->before, NULL);
}

/* Checks the columns that in and out have, and sorts them. */
static mcl_status sort(mcl__host_call *call)
{
    const char *const(*const name)[SORTED_COLUMNS] = names[call->column_count - 1];
    mcl__host_memory in[SORTED_COLUMNS], out[SORTED_COLUMNS];
    MCL__TRY(mcl__host_check_room(call->room));
    MCL__TRY(mcl__host_check_count("count", call->count));
    for (int c = 0; c < call->column_count; ++c) {
        MCL__TRY(mcl__host_check_type(name[0][c], call->in.types[c]));
        MCL__TRY(mcl__host_check_array(name[1][c], call->in.data[c], call->count));
        MCL__TRY(mcl__host_check_array(name[2][c], call->out.data[c], call->count));
        const size_t bytes = (size_t)call->count * call->in.types[c]->size;
        in[c] = (mcl__host_memory){ name[1][c], call->in.data[c], bytes };
        out[c] = (mcl__host_memory){ name[2][c], call->out.data[c], bytes };
        call->kept.types[c] = call->out.types[c] = call->in.types[c];
    }
    MCL__TRY(mcl__host_check_memory(call->room, in, call->column_count, out, call->column_count, 1));
    call->out_capacity = call->second_begin = call->count;
    return mcl__host_run(call);
}

mcl_status mcl_host_sort(const mcl_host_room *room, const mcl_type *type, const void *keys, void *out, int64_t count,
                         const mcl_op *before)
{
    mcl__host_call call = { .room = room,
                            .before = before,
                            .work = sort_keys,
                            .column_count = 1,
                            .count = count,
                            .in = { { type }, { (unsigned char *)(uintptr_t)keys } },
                            .out = { .data = { out } } };
    mcl__function_is("mcl_host_sort");
    return sort(&call);
}

mcl_status mcl_host_sort_pairs(const mcl_host_room *room, const mcl_type *key_type, const void *keys,
                               const mcl_type *value_type, const void *values, void *out_keys, void *out_values,
                               int64_t count, const mcl_op *before)
{
    mcl__host_call call = { .room = room,
                            .before = before,
                            .work = sort_pairs,
                            .column_count = SORTED_COLUMNS,
                            .count = count,
                            .in = { { key_type, value_type },
                                    { (unsigned char *)(uintptr_t)keys, (unsigned char *)(uintptr_t)values } },
                            .out = { .data = { out_keys, out_values } } };
    mcl__function_is("mcl_host_sort_pairs");
    return sort(&call);
}
