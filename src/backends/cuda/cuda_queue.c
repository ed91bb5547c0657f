/* cuda_queue.c: streams, and the commands enqueued on them. A function here waits or allocates only where its comment
 * says so. Thus calls are legal while a stream is being captured. */
#include "backends/cuda/cuda_internal.h"

#include <stdlib.h>
#include <string.h>

static CUstream queue_stream(const mcl_queue *queue)
{
    return ((const cuda_queue *)queue)->stream;
}

static CUdeviceptr buffer_address(const mcl_buffer *buffer, size_t offset)
{
    return (CUdeviceptr)buffer->block + buffer->begin + offset;
}

mcl_status mcl__cuda_queue_open(mcl_context *context, int flags, mcl_queue **out)
{
    cuda_queue *const queue = calloc(1, sizeof *queue);
    if (!queue)
        return mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for a queue of %zu bytes is exhausted", sizeof *queue);

    queue->base.profiling = (flags & MCL_QUEUE_PROFILING) != 0;
    queue->owned = 1;
    mcl_status status = mcl__cuda_enter(context);
    if (status == MCL_OK) {
        const CUresult result = mcl__cuda.StreamCreate(&queue->stream, CU_STREAM_NON_BLOCKING);
        mcl__cuda_leave();
        status = mcl__cuda_check_made(context, queue->stream, result, "cuStreamCreate");
    }
    if (status != MCL_OK) {
        free(queue);
        return status;
    }
    *out = &queue->base;
    return MCL_OK;
}

void mcl__cuda_queue_close(mcl_queue *queue)
{
    cuda_queue *const own = (cuda_queue *)queue;
    int entered;
    if (mcl__cuda_enter_quietly(queue->context, &entered)) {
        if (own->start) mcl__cuda.EventDestroy(own->start);
        if (own->owned) mcl__cuda.StreamDestroy(own->stream);
        if (entered) mcl__cuda_leave();
    }
    free(own);
}

mcl_status mcl__cuda_queue_finish(mcl_queue *queue)
{
    MCL__TRY(mcl__cuda_enter(queue->context));
    const CUresult result = mcl__cuda.StreamSynchronize(queue_stream(queue));
    mcl__cuda_leave();
    return mcl__cuda_check(queue->context, result, "cuStreamSynchronize: work of the queue");
}

/* Does nothing: a stream hands each command to the device when it is enqueued. */
mcl_status mcl__cuda_queue_flush(mcl_queue *queue)
{
    (void)queue;
    return MCL_OK;
}

mcl_status mcl__cuda_queue_wait(mcl_queue *queue, mcl_event *const *events, int count)
{
    CUresult result = CUDA_SUCCESS;
    MCL__TRY(mcl__cuda_enter(queue->context));
    for (int i = 0; i < count && result == CUDA_SUCCESS; ++i) {
        result = mcl__cuda.StreamWaitEvent(queue_stream(queue), ((const cuda_event *)events[i])->end, 0);
    }
    mcl__cuda_leave();
    return mcl__cuda_check(queue->context, result, "cuStreamWaitEvent");
}

mcl_status mcl__cuda_queue_wait_driver(mcl_queue *queue, void *const *events, int count)
{
    CUresult result = CUDA_SUCCESS;
    MCL__TRY(mcl__cuda_enter(queue->context));
    for (int i = 0; i < count && result == CUDA_SUCCESS; ++i)
        result = mcl__cuda.StreamWaitEvent(queue_stream(queue), (CUevent)events[i], 0);
    mcl__cuda_leave();
    return mcl__cuda_check(queue->context, result, "cuStreamWaitEvent");
}

/* Leaves the context in which a command has been enqueued, and counts the command. A refused command counts too, since
 * the driver may have begun it. */
static void command_leave(mcl_queue *queue)
{
    mcl__cuda_leave();
    atomic_fetch_add(&queue->work, 1);
}

/* ---- copies -------------------------------------------------------------------------------------------------- */

/* Reads from a buffer. With pageable memory the driver's call returns after the copy, with page-locked memory it may
 * return before. So a blocking read always waits. Without blocking, the caller must keep data valid. */
mcl_status mcl__cuda_read(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking)
{
    const CUstream stream = queue_stream(queue);
    MCL__TRY(mcl__cuda_enter(queue->context));
    CUresult result = mcl__cuda.MemcpyDtoHAsync(data, buffer_address(from, offset), bytes, stream);
    if (result == CUDA_SUCCESS && blocking) result = mcl__cuda.StreamSynchronize(stream);
    command_leave(queue);
    return mcl__cuda_check(queue->context, result, "cuMemcpyDtoHAsync of %zu bytes, or work before it,", bytes);
}

mcl_status mcl__cuda_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                           int blocking)
{
    const CUstream stream = queue_stream(queue);
    MCL__TRY(mcl__cuda_enter(queue->context));
    CUresult result = mcl__cuda.MemcpyHtoDAsync(buffer_address(to, offset), data, bytes, stream);
    if (result == CUDA_SUCCESS && blocking) result = mcl__cuda.StreamSynchronize(stream);
    command_leave(queue);
    return mcl__cuda_check(queue->context, result, "cuMemcpyHtoDAsync of %zu bytes, or work before it,", bytes);
}

mcl_status mcl__cuda_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                          size_t bytes)
{
    MCL__TRY(mcl__cuda_enter(queue->context));
    const CUresult result = mcl__cuda.MemcpyDtoDAsync(buffer_address(to, to_offset), buffer_address(from, from_offset),
                                                      bytes, queue_stream(queue));
    command_leave(queue);
    return mcl__cuda_check(queue->context, result, "cuMemcpyDtoDAsync of %zu bytes", bytes);
}

/* ---- fill ---------------------------------------------------------------------------------------------------- */

static CUresult fill_narrow(CUdeviceptr to, size_t bytes, const unsigned char *pattern, size_t pattern_bytes,
                            CUstream stream)
{
    unsigned short two = 0;
    unsigned four = 0;
    if (pattern_bytes == 1) return mcl__cuda.MemsetD8Async(to, pattern[0], bytes, stream);
    if (pattern_bytes == 2) {
        memcpy(&two, pattern, sizeof two);
        return mcl__cuda.MemsetD16Async(to, two, bytes / 2, stream);
    }
    memcpy(&four, pattern, sizeof four);
    return mcl__cuda.MemsetD32Async(to, four, bytes / 4, stream);
}

/* Fills with a pattern of more than 4 bytes, which the driver cannot do. It fills the first ROWS patterns, one column
 * of 4 bytes at a time. Then it copies the filled bytes to the bytes after them, until all are filled. */
static CUresult fill_wide(CUdeviceptr to, size_t bytes, const unsigned char *pattern, size_t pattern_bytes,
                          CUstream stream)
{
    enum { ROWS = 4096 }; /* enough for few copies, and little enough that strided writes are cheap */
    const size_t rows = bytes / pattern_bytes < ROWS ? bytes / pattern_bytes : ROWS;
    CUresult result = CUDA_SUCCESS;

    for (size_t column = 0; column < pattern_bytes && result == CUDA_SUCCESS; column += 4) {
        unsigned value;
        memcpy(&value, pattern + column, sizeof value);
        result = mcl__cuda.MemsetD2D32Async(to + column, pattern_bytes, value, 1, rows, stream);
    }
    for (size_t done = rows * pattern_bytes; done < bytes && result == CUDA_SUCCESS; done *= 2) {
        result = mcl__cuda.MemcpyDtoDAsync(to + done, to, done < bytes - done ? done : bytes - done, stream);
    }
    return result;
}

mcl_status mcl__cuda_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                          size_t pattern_bytes)
{
    const unsigned char *const first = pattern;
    const CUdeviceptr address = buffer_address(to, offset);
    size_t period = pattern_bytes;
    while (period > 4 && memcmp(first, first + period / 2, period / 2) == 0) period /= 2;

    MCL__TRY(mcl__cuda_enter(queue->context));
    const CUresult result = period > 4 ? fill_wide(address, bytes, first, period, queue_stream(queue))
                                       : fill_narrow(address, bytes, first, period, queue_stream(queue));
    command_leave(queue);
    return mcl__cuda_check(queue->context, result, "cuMemsetAsync of %zu bytes with a pattern of %zu", bytes,
                           pattern_bytes);
}

/* ---- launch -------------------------------------------------------------------------------------------------- */

/* Allows a launch to give the kernel more work-group memory than a kernel may declare. */
static CUresult allow_memory(const mcl_queue *queue, const mcl__launch *launch)
{
    if (launch->local_bytes <= queue->context->limits.local_memory) return CUDA_SUCCESS;
    return mcl__cuda.FuncSetAttribute(launch->kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      (int)launch->local_bytes);
}

/* Launches a kernel. If overlaps is 1, the kernel may begin before the previous launch has ended, since it waits
 * itself. */
static CUresult launch_kernel(const mcl_queue *queue, const mcl__launch *launch, int overlaps, void **parameters)
{
    const unsigned groups = (unsigned)launch->groups, threads = (unsigned)launch->threads;
    const unsigned bytes = (unsigned)launch->local_bytes;
    CUlaunchAttribute overlap = { .id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION };
    const CUlaunchConfig config = { groups, 1, 1, threads, 1, 1, bytes, queue_stream(queue), &overlap, 1 };
    overlap.value.programmaticStreamSerializationAllowed = 1;
    if (overlaps) return mcl__cuda.LaunchKernelEx(&config, launch->kernel, parameters, NULL);
    return mcl__cuda.LaunchKernel(launch->kernel, groups, 1, 1, threads, 1, 1, bytes, queue_stream(queue), parameters,
                                  NULL);
}

mcl_status mcl__cuda_launch(mcl_queue *queue, const mcl__launch *launch)
{
    const int overlaps = launch->waits && ((const cuda_context *)queue->context)->overlaps;
    CUdeviceptr *const addresses = ((cuda_queue *)queue)->args.addresses;
    void **const parameters = ((cuda_queue *)queue)->args.parameters;

    if (launch->arg_count > MCL__ARGS_MAX) {
        return mcl__fail(MCL_ERROR_ARGUMENT, "cuda: a launch has %d kernel arguments, more than %d", launch->arg_count,
                         (int)MCL__ARGS_MAX);
    }
    if (launch->groups > INT32_MAX) {
        return mcl__fail(MCL_ERROR_ARGUMENT, "cuda: a launch has %lld work-groups, more than the %d of a grid",
                         (long long)launch->groups, INT32_MAX);
    }
    for (int i = 0; i < launch->arg_count; ++i) {
        const mcl__arg *const arg = &launch->args[i];
        addresses[i] = arg->buffer ? (CUdeviceptr)arg->buffer->block : 0;
        /* The cast removes const: the driver only reads the values, but its parameter type lacks const. */
        parameters[i] = arg->value ? (void *)(uintptr_t)arg->value : &addresses[i];
    }

    MCL__TRY(mcl__cuda_enter(queue->context));
    const char *function = "cuFuncSetAttribute";
    CUresult result = allow_memory(queue, launch);
    if (result == CUDA_SUCCESS) {
        function = overlaps ? "cuLaunchKernelEx" : "cuLaunchKernel";
        result = launch_kernel(queue, launch, overlaps, parameters);
    }
    command_leave(queue);
    return mcl__cuda_check(queue->context, result, "%s of %lld work-groups of %d", function, (long long)launch->groups,
                           launch->threads);
}
