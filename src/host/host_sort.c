/* host_sort.c: mcl_host_sort. */
#include "host/host_call.h"

static mcl_status sort_work(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage, int64_t count)
{
    const mcl_type *const type = call->in.types[0];
    (void)stage;
    return mcl_sort(channel->queue, mcl_from_buffer(type, channel->from[0], 0, count),
                    mcl_to_buffer(type, channel->to[0], 0, count), call->before, NULL);
}

mcl_status mcl_host_sort(const mcl_host_room *room, const mcl_type *type, const void *keys, void *out, int64_t count,
                         const mcl_op *before)
{
    mcl__host_call call = { .room = room,
                            .before = before,
                            .work = sort_work,
                            .column_count = 1,
                            .count = count,
                            .out_capacity = count,
                            .in = { { type }, { (unsigned char *)(uintptr_t)keys } },
                            .kept = { .types = { type } },
                            .out = { { type }, { out } } };
    mcl__function_is("mcl_host_sort");
    MCL__TRY(mcl__host_check_room(room));
    MCL__TRY(mcl__host_check_count("count", count));
    MCL__TRY(mcl__host_check_type("type", type));
    MCL__TRY(mcl__host_check_array("keys", keys, count));
    MCL__TRY(mcl__host_check_array("out", out, count));
    const mcl__host_memory in = { "keys", keys, (size_t)count * type->size };
    const mcl__host_memory sorted = { "out", out, (size_t)count * type->size };
    MCL__TRY(mcl__host_check_memory(room, &in, 1, &sorted, 1, 1));
    return mcl__host_run(&call);
}
