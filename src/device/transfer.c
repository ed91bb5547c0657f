/* transfer.c: copies data to, from and between buffers, and fills buffers. */
#include "device/device.h"

static mcl_status check_range(const char *parameter, const mcl_queue *queue, const mcl_buffer *buffer, size_t offset,
                              size_t bytes)
{
    if (!buffer) return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected a buffer", parameter);
    if (buffer->context != queue->context)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is of another context than queue; expected the same", parameter);
    if (!mcl__buffer_holds(buffer, offset, bytes))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%zu bytes from offset %zu on do not fit in %s; expected a range of its %zu bytes", bytes,
                         offset, parameter, buffer->bytes);
    return MCL_OK;
}

static mcl_status check_data(const void *data, size_t bytes)
{
    if (data || bytes == 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "data is NULL; expected %zu bytes of host memory", bytes);
}

/* Returns 1 where there is nothing to enqueue. The call may still have to make an event. */
static int queue_idle(const mcl_queue *queue, size_t bytes)
{
    return bytes == 0 || queue->preparing;
}

static mcl_status check_unrecorded(const mcl_queue *queue)
{
    return mcl__check_unrecorded(queue, "a copy between host and device",
                                 "it before mcl_record_begin or after mcl_record_end");
}

mcl_status mcl_buffer_read(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data)
{
    MCL__TRY(mcl__check_queue("mcl_buffer_read", queue));
    MCL__TRY(check_unrecorded(queue));
    MCL__TRY(check_range("from", queue, from, offset, bytes));
    MCL__TRY(check_data(data, bytes));
    const mcl__backend *const backend = queue->context->backend;
    if (queue_idle(queue, bytes)) return MCL_OK;
    MCL__TRY(backend->call_begin(queue, 0));
    return backend->read(queue, from, offset, bytes, data, 1);
}

mcl_status mcl_buffer_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data)
{
    MCL__TRY(mcl__check_queue("mcl_buffer_write", queue));
    MCL__TRY(check_unrecorded(queue));
    MCL__TRY(check_range("to", queue, to, offset, bytes));
    MCL__TRY(check_data(data, bytes));
    const mcl__backend *const backend = queue->context->backend;
    if (queue_idle(queue, bytes)) return MCL_OK;
    MCL__TRY(backend->call_begin(queue, 0));
    return backend->write(queue, to, offset, bytes, data, 1);
}

mcl_status mcl_buffer_read_async(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data,
                                 mcl_event **done)
{
    MCL__TRY(mcl__check_queue("mcl_buffer_read_async", queue));
    MCL__TRY(check_unrecorded(queue));
    MCL__TRY(check_range("from", queue, from, offset, bytes));
    MCL__TRY(check_data(data, bytes));
    const mcl__backend *const backend = queue->context->backend;
    MCL__TRY(backend->call_begin(queue, done != NULL));
    if (!queue_idle(queue, bytes)) MCL__TRY(backend->read(queue, from, offset, bytes, data, 0));
    return done ? backend->call_end(queue, done) : MCL_OK;
}

mcl_status mcl_buffer_write_async(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                                  mcl_event **done)
{
    MCL__TRY(mcl__check_queue("mcl_buffer_write_async", queue));
    MCL__TRY(check_unrecorded(queue));
    MCL__TRY(check_range("to", queue, to, offset, bytes));
    MCL__TRY(check_data(data, bytes));
    const mcl__backend *const backend = queue->context->backend;
    MCL__TRY(backend->call_begin(queue, done != NULL));
    if (!queue_idle(queue, bytes)) MCL__TRY(backend->write(queue, to, offset, bytes, data, 0));
    return done ? backend->call_end(queue, done) : MCL_OK;
}

mcl_status mcl_buffer_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                           size_t pattern_bytes)
{
    MCL__TRY(mcl__check_queue("mcl_buffer_fill", queue));
    if (!pattern) return mcl__fail(MCL_ERROR_ARGUMENT, "pattern is NULL; expected the bytes to repeat");
    if (pattern_bytes == 0 || pattern_bytes > MCL__PATTERN_MAX || (pattern_bytes & (pattern_bytes - 1)) != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "pattern_bytes is %zu; expected 1, 2, 4, 8 or 16", pattern_bytes);
    if (offset % pattern_bytes != 0 || bytes % pattern_bytes != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "offset is %zu and bytes %zu; expected multiples of pattern_bytes, %zu",
                         offset, bytes, pattern_bytes);
    MCL__TRY(check_range("to", queue, to, offset, bytes));
    if (queue_idle(queue, bytes)) return MCL_OK;
    MCL__TRY(mcl__command_begin(queue));
    return mcl__command_end(queue, mcl__enqueue_fill(queue, to, offset, bytes, pattern, pattern_bytes));
}

mcl_status mcl_buffer_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                           size_t bytes)
{
    MCL__TRY(mcl__check_queue("mcl_buffer_copy", queue));
    MCL__TRY(check_range("from", queue, from, from_offset, bytes));
    MCL__TRY(check_range("to", queue, to, to_offset, bytes));
    if (mcl__buffers_overlap(from, from_offset, bytes, to, to_offset, bytes))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "the %zu bytes at from_offset %zu and at to_offset %zu overlap; expected separate ranges",
                         bytes, from_offset, to_offset);
    if (queue_idle(queue, bytes)) return MCL_OK;
    MCL__TRY(mcl__command_begin(queue));
    return mcl__command_end(queue, mcl__enqueue_copy(queue, from, from_offset, to, to_offset, bytes));
}
