/* hostile.c: makes calls that break every precondition, between canaries. */
#define _POSIX_C_SOURCE 200809L /* alarm */
#include "hostile.h"

#include "cases/elements.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUARD_ELEMENTS = 64, GUARD_BYTES = 4096, SECONDS = 120 };

static unsigned char canary(size_t place)
{
    return (unsigned char)(0xC3u ^ (place * 31u));
}

static hostile_array make(int device, const mcl_type *type, const void *data, int64_t count)
{
    const size_t size = type->size;
    hostile_array array = { .type = type, .first = GUARD_ELEMENTS, .count = count };
    array.bytes = (size_t)(count + 2 * GUARD_ELEMENTS) * size;
    unsigned char *const content = malloc(array.bytes);

    ck_assert_ptr_nonnull(content);
    for (size_t k = 0; k < array.bytes; k++) content[k] = canary(k);
    if (data && count > 0) memcpy(content + GUARD_ELEMENTS * size, data, (size_t)count * size);
    test_ok(mcl_buffer_create(test_device_at(device)->context, array.bytes, content, &array.buffer));
    free(content);
    return array;
}

hostile_array hostile_array_of(int device, const mcl_type *type, const void *data, int64_t count)
{
    return make(device, type, data, count);
}

hostile_array hostile_array_empty(int device, const mcl_type *type, int64_t count)
{
    return make(device, type, NULL, count);
}

mcl_input hostile_input(const hostile_array *array)
{
    return mcl_from_buffer(array->type, array->buffer, array->first, array->count);
}

mcl_output hostile_output(const hostile_array *array)
{
    return mcl_to_buffer(array->type, array->buffer, array->first, array->count);
}

/* Checks that all bytes outside [begin, end) are canaries. */
static void check_canaries(const unsigned char *bytes, size_t count, size_t begin, size_t end, const char *what)
{
    for (size_t k = 0; k < count; k++) {
        if (k >= begin && k < end) continue;
        if (bytes[k] != canary(k))
            ck_abort_msg("%s: byte %lld of an array of %zu bytes was written", what, (long long)k - (long long)begin,
                         end - begin);
    }
}

void hostile_read(int device, const hostile_array *array, void *data, const char *what)
{
    const size_t begin = (size_t)array->first * array->type->size, bytes = (size_t)array->count * array->type->size;
    unsigned char *const content = malloc(array->bytes);

    ck_assert_ptr_nonnull(content);
    test_ok(mcl_buffer_read(test_device_at(device)->queue, array->buffer, 0, array->bytes, content));
    check_canaries(content, array->bytes, begin, begin + bytes, what);
    if (data && bytes > 0) memcpy(data, content + begin, bytes);
    free(content);
}

void hostile_free(hostile_array *array)
{
    mcl_buffer_release(array->buffer);
    memset(array, 0, sizeof *array);
}

mcl_options hostile_options(int number)
{
    static const mcl_options all[] = {
        { .tile_threads = 1, .tile_items = 7 },
        { .tile_threads = 64, .tile_items = 5 },
        { .tile_threads = 1, .tile_items = 96 },
        { .tile_threads = 33, .tile_items = 3 },
        { .tile_threads = 1, .tile_items = 512 },
        { .tile_threads = 128, .tile_items = 31, .flags = MCL_INDEX_64 },
        { .tile_threads = 1, .tile_items = 33, .flags = MCL_INDEX_64 | MCL_DETERMINISTIC },
        { .tile_threads = 2, .tile_items = 7 },
        { .tile_threads = 1, .tile_items = 1 },
        { .tile_threads = 100, .tile_items = 1, .flags = MCL_DETERMINISTIC },
    };
    return all[number % (int)(sizeof all / sizeof all[0])];
}

static size_t scratch_of(const hostile_turn *turn, hostile_call call, const void *operands)
{
    mcl_queue *prepared = NULL;
    test_ok(mcl_queue_create_preparing(test_device_at(turn->device)->context, &prepared));
    test_status_is(call(prepared, turn, operands, &turn->options), MCL_OK, turn->what, __FILE__, __LINE__);
    const size_t bytes = mcl_queue_scratch_bytes(prepared);
    mcl_queue_release(prepared);
    return bytes;
}

void hostile_run(const hostile_turn *turn, hostile_call call, const void *operands)
{
    mcl_queue *const queue = test_device_at(turn->device)->queue;
    const size_t bytes = scratch_of(turn, call, operands), all = bytes + 2 * GUARD_BYTES;
    unsigned char *const content = malloc(all);
    mcl_options options = turn->options;
    mcl_buffer *scratch = NULL;

    ck_assert_ptr_nonnull(content);
    for (size_t k = 0; k < all; k++) content[k] = canary(k);
    test_ok(mcl_buffer_create(test_device_at(turn->device)->context, all, content, &scratch));
    options.scratch = scratch;
    options.scratch_offset = GUARD_BYTES;
    options.scratch_bytes = bytes;
    (void)alarm(SECONDS);
    test_status_is(call(queue, turn, operands, &options), MCL_OK, turn->what, __FILE__, __LINE__);
    test_ok(mcl_queue_finish(queue));
    (void)alarm(0);
    test_ok(mcl_buffer_read(queue, scratch, 0, all, content));
    check_canaries(content, all, GUARD_BYTES, GUARD_BYTES + bytes, turn->what);
    mcl_buffer_release(scratch);
    free(content);
}

void hostile_ints(int32_t *out, int64_t count, int kind)
{
    static const int32_t extremes[] = { INT32_MIN, INT32_MAX, -1, 0, 1, INT32_MIN + 1 };
    for (int64_t k = 0; k < count; k++) {
        const uint64_t random = test_random(11 + (uint64_t)kind, (uint64_t)k);
        out[k] = (int32_t)(random % 7);
        if (kind == 1) out[k] = k % 2 ? 1000000 : -1000000;
        if (kind == 2) out[k] = (int32_t)(count - k);
        if (kind == 3) out[k] = extremes[random % 6];
        if (kind == 4) out[k] = (int32_t)random;
    }
}
