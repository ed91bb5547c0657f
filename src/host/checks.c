/* checks.c: checks arrays in host memory, and the room that a call is given. */
#include "host/host_call.h"

#include <stdlib.h>

enum { DEVICES_MOST = 64, SIZE_MOST = MCL_VALUE_BYTES_MAX };
static const int64_t COUNT_MOST = INT64_C(1) << 48;

mcl_status mcl__host_check_room(const mcl_host_room *room)
{
    if (!room) return mcl__fail(MCL_ERROR_ARGUMENT, "room is NULL; expected the devices to work with");
    if (!room->devices || room->device_count < 1 || room->device_count > DEVICES_MOST)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "room->device_count is %d and room->devices is %s; expected 1 to %d devices",
                         room->device_count, room->devices ? "given" : "NULL", (int)DEVICES_MOST);
    for (int d = 0; d < room->device_count; ++d) {
        if (!room->devices[d].context)
            return mcl__fail(MCL_ERROR_ARGUMENT, "room->devices[%d].context is NULL; expected a context", d);
        if (room->devices[d].bytes < 0)
            return mcl__fail(MCL_ERROR_ARGUMENT, "room->devices[%d].bytes is %lld; expected 0 or more", d,
                             (long long)room->devices[d].bytes);
    }
    return MCL_OK;
}

mcl_status mcl__host_check_count(const char *name, int64_t count)
{
    if (count >= 0 && count <= COUNT_MOST) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %lld; expected 0 to %lld", name, (long long)count,
                     (long long)COUNT_MOST);
}

mcl_status mcl__host_check_type(const char *name, const mcl_type *type)
{
    if (!type) return mcl__fail(MCL_ERROR_TYPE, "%s is NULL; expected an element type", name);
    if (type->size >= 1 && type->size <= SIZE_MOST) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s has elements of %zu bytes; expected 1 to %d", name, type->size,
                     (int)SIZE_MOST);
}

mcl_status mcl__host_check_array(const char *name, const void *data, int64_t count)
{
    if (data || count == 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected %lld elements in host memory", name, (long long)count);
}

static mcl_status check_apart(const mcl__host_memory *of, const mcl__host_memory *other, int may_replace)
{
    const uintptr_t a = (uintptr_t)of->data, b = (uintptr_t)other->data;
    if (of->bytes == 0 || other->bytes == 0 || a + of->bytes <= b || b + other->bytes <= a) return MCL_OK;
    if (may_replace && a == b) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s overlaps %s; expected %s", of->name, other->name,
                     may_replace ? "exactly the same array, or another one" : "arrays apart from each other");
}

mcl_status mcl__host_check_memory(const mcl_host_room *room, const mcl__host_memory *inputs, int input_count,
                                  const mcl__host_memory *outputs, int output_count, int in_place)
{
    const mcl__host_memory scratch = { "room->scratch", room->scratch, room->scratch ? room->scratch_bytes : 0 };
    for (int k = 0; k < output_count; ++k) {
        for (int j = 0; j < input_count; ++j) MCL__TRY(check_apart(&outputs[k], &inputs[j], in_place && j == k));
        for (int j = 0; j < k; ++j) MCL__TRY(check_apart(&outputs[k], &outputs[j], 0));
        MCL__TRY(check_apart(&scratch, &outputs[k], 0));
    }
    for (int j = 0; j < input_count; ++j) MCL__TRY(check_apart(&scratch, &inputs[j], 0));
    return MCL_OK;
}

mcl_status mcl__host_take_scratch(mcl__host_call *call)
{
    const mcl_host_room *const room = call->room;
    size_t bytes = 0;
    for (int c = 0; c < call->column_count; ++c)
        if (call->kept.types[c]) bytes += (size_t)call->count * call->kept.types[c]->size;
    if (room->scratch && room->scratch_bytes < bytes)
        return mcl__fail(MCL_ERROR_ARGUMENT, "room->scratch_bytes is %zu; expected %zu or more", room->scratch_bytes,
                         bytes);
    unsigned char *at = room->scratch;
    if (!at) at = call->own_scratch = malloc(bytes);
    if (!at) return mcl__fail(MCL_ERROR_MEMORY, "%zu bytes of host memory for scratch are not there", bytes);
    for (int c = 0; c < call->column_count; ++c) {
        if (!call->kept.types[c]) continue;
        call->kept.data[c] = at;
        at += (size_t)call->count * call->kept.types[c]->size;
    }
    return MCL_OK;
}

mcl_status mcl__host_run(mcl__host_call *call)
{
    mcl__function_hold();
    mcl_status status = mcl__channels_open(call);
    if (status == MCL_OK && call->count > call->capacity) status = mcl__host_take_scratch(call);
    if (status == MCL_OK) status = mcl__distribute(call);
    mcl__channels_close(call);
    mcl__function_let_go();
    free(call->own_scratch);
    return status;
}
