/* buffer.c: creates and releases buffers, and finds whether ranges of buffers overlap. */
#include "device/device.h"

#include <stdlib.h>

static mcl_status buffer_make(mcl_context *context, size_t bytes, mcl_buffer **out)
{
    mcl_buffer *const buffer = calloc(1, sizeof *buffer);
    if (!buffer) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a buffer is exhausted");
    buffer->context = context;
    atomic_init(&buffer->references, 1);
    atomic_init(&buffer->exposed, 0);
    buffer->bytes = bytes;
    *out = buffer;
    return MCL_OK;
}

/* Finds the address of the buffer's block, and adds the buffer's reference to the context. */
static void buffer_settle(mcl_buffer *buffer)
{
    mcl_context *const context = buffer->context;
    if (buffer->block) context->backend->memory_place(context, buffer->block, &buffer->root, &buffer->origin);
    atomic_fetch_add(&context->references, 1);
}

mcl_status mcl__buffer_adopt(mcl_context *context, uintptr_t block, size_t bytes, mcl_buffer **out)
{
    mcl_buffer *buffer = NULL;
    MCL__TRY(buffer_make(context, bytes, &buffer));
    buffer->block = block;
    buffer_settle(buffer);
    *out = buffer;
    return MCL_OK;
}

/* Makes a buffer with a block of its own. queue is the only queue that will use the buffer; with NULL any queue may. */
static mcl_status buffer_create(mcl_context *context, const mcl_queue *queue, size_t bytes, mcl_buffer **out)
{
    mcl_buffer *buffer = NULL;
    MCL__TRY(buffer_make(context, bytes, &buffer));
    buffer->owned = 1;
    buffer->only_queue = queue ? queue->number : 0;
    const mcl_status status = bytes > 0 ? mcl__block_allocate(context, buffer) : MCL_OK;
    if (status != MCL_OK) {
        free(buffer);
        return status;
    }
    buffer_settle(buffer);
    *out = buffer;
    return MCL_OK;
}

mcl_status mcl__buffer_create_for(mcl_queue *queue, size_t bytes, mcl_buffer **out)
{
    return buffer_create(queue->context, queue->recording ? NULL : queue, bytes, out);
}

mcl_status mcl__buffer_part(mcl_context *context, mcl_buffer *whole, size_t begin, size_t bytes, mcl_buffer **out)
{
    mcl_buffer *part = NULL;
    MCL__TRY(buffer_make(context, bytes, &part));
    part->whole = whole;
    part->begin = part->origin = begin;
    part->root = (uintptr_t)context; /* if whole is NULL, parts overlap only other such parts */
    if (whole) {
        atomic_fetch_add(&whole->references, 1);
        part->block = whole->block;
        part->root = whole->root;
        part->origin += whole->origin;
        part->is_address = whole->is_address;
    }
    atomic_fetch_add(&context->references, 1);
    *out = part;
    return MCL_OK;
}

/* Uploads the first data of a buffer. No other work can use the buffer yet, so a new queue can do it. */
static mcl_status buffer_upload(mcl_buffer *buffer, const void *data)
{
    const mcl__backend *const backend = buffer->context->backend;
    mcl_queue *queue = NULL;
    MCL__TRY(backend->queue_open(buffer->context, 0, &queue));
    queue->context = buffer->context;
    const mcl_status status = backend->write(queue, buffer, 0, buffer->bytes, data, 1);
    backend->queue_close(queue);
    return status;
}

mcl_status mcl_buffer_create(mcl_context *context, size_t bytes, const void *data, mcl_buffer **out)
{
    MCL__TRY(mcl__check_context("mcl_buffer_create", context));
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a buffer");
    if (bytes > INT64_MAX)
        return mcl__fail(MCL_ERROR_MEMORY, "bytes is %zu; expected no more than a device has", bytes);
    mcl_buffer *buffer = NULL;
    MCL__TRY(buffer_create(context, NULL, bytes, &buffer));
    mcl_status status = MCL_OK;
    if (data && bytes > 0) status = buffer_upload(buffer, data);
    if (status != MCL_OK) {
        mcl_buffer_release(buffer);
        return status;
    }
    *out = buffer;
    return MCL_OK;
}

mcl_status mcl_buffer_retain(mcl_buffer *buffer)
{
    mcl__function_is("mcl_buffer_retain");
    if (!buffer) return mcl__fail(MCL_ERROR_ARGUMENT, "buffer is NULL; expected a buffer");
    MCL__TRY(mcl__check_reference("mcl_buffer_retain", buffer->context));
    atomic_fetch_add(&buffer->references, 1);
    return MCL_OK;
}

void mcl_buffer_release(mcl_buffer *buffer)
{
    if (!buffer || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&buffer->references, 1) != 1) return;
    mcl_context *const context = buffer->context;
    mcl_buffer_release(buffer->whole);
    if (buffer->owned && buffer->block) mcl__block_release(context, buffer);
    if (buffer->made_by_wrap) context->backend->memory_release(context, buffer->block);
    free(buffer);
    mcl_context_release(context);
}

size_t mcl_buffer_bytes(mcl_buffer *buffer)
{
    return buffer ? buffer->bytes : 0;
}

int mcl__buffer_holds(const mcl_buffer *buffer, size_t offset, size_t bytes)
{
    return offset <= buffer->bytes && bytes <= buffer->bytes - offset;
}

int mcl__buffers_overlap(const mcl_buffer *a, size_t a_offset, size_t a_bytes, const mcl_buffer *b, size_t b_offset,
                         size_t b_bytes)
{
    if (a_bytes == 0 || b_bytes == 0 || a->context->backend != b->context->backend || a->root != b->root) return 0;
    const size_t a_start = a->origin + a_offset;
    const size_t b_start = b->origin + b_offset;
    return a_start < b_start ? b_start - a_start < a_bytes : a_start - b_start < b_bytes;
}
