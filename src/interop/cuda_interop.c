/* cuda_interop.c: the public functions of moderncl/cuda.h. That header's driver types come from cuda_internal.h
 * here. */
#include "backends/cuda/cuda_internal.h"
#include "context/context.h"

#include "moderncl/cuda.h"

#include <stdlib.h>

static mcl_status check_context(const char *function, const mcl_context *context)
{
    MCL__TRY(mcl__check_context(function, context));
    if (context->backend != &mcl__cuda_backend) {
        return mcl__fail(MCL_ERROR_ARGUMENT, "context is of the backend %s; expected one of cuda",
                         context->backend->name);
    }
    return MCL_OK;
}

static mcl_status check_given(const char *parameter, int given)
{
    if (given) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected %s", parameter,
                     parameter[0] == 'o' ? "where to put the wrapper" : "a handle of the CUDA driver");
}

mcl_status mcl_cuda_context_wrap(CUcontext context, mcl_context **out)
{
    CUdevice device = 0;
    mcl_context *opened = NULL;
    mcl__function_is("mcl_cuda_context_wrap");
    MCL__TRY(check_given("out", out != NULL));
    MCL__TRY(check_given("context", context != NULL));
    MCL__TRY(mcl__process_claim());
    MCL__TRY(mcl__cuda_require());

    MCL__TRY(mcl__cuda_check(NULL, mcl__cuda.CtxPushCurrent(context), "cuCtxPushCurrent of the context to wrap"));
    const CUresult result = mcl__cuda.CtxGetDevice(&device);
    mcl__cuda_leave();
    MCL__TRY(mcl__cuda_check(NULL, result, "cuCtxGetDevice of the context to wrap"));
    MCL__TRY(mcl__cuda_context_open_around(context, device, 0, &opened));
    return mcl__context_adopt(&mcl__cuda_backend, opened, out);
}

/* Wraps a stream. A NULL stream is the context's default stream. */
mcl_status mcl_cuda_queue_wrap(mcl_context *context, CUstream stream, mcl_queue **out)
{
    MCL__TRY(check_context("mcl_cuda_queue_wrap", context));
    MCL__TRY(check_given("out", out != NULL));
    cuda_queue *const queue = calloc(1, sizeof *queue);
    if (!queue) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a queue is exhausted");
    queue->stream = stream;
    return mcl__queue_adopt(context, &queue->base, out);
}

static mcl_status wrap_buffer(const char *function, mcl_context *context, CUdeviceptr address, size_t bytes,
                              mcl_buffer **out)
{
    MCL__TRY(check_context(function, context));
    MCL__TRY(check_given("out", out != NULL));
    MCL__TRY(check_given("address", address != 0 || bytes == 0));
    return mcl__buffer_adopt(context, (uintptr_t)address, bytes, out);
}

mcl_status mcl_cuda_buffer_wrap(mcl_context *context, CUdeviceptr address, size_t bytes, mcl_buffer **out)
{
    return wrap_buffer("mcl_cuda_buffer_wrap", context, address, bytes, out);
}

mcl_status mcl_cuda_peer_buffer_wrap(mcl_context *context, CUdeviceptr address, size_t bytes, mcl_buffer **out)
{
    MCL__TRY(wrap_buffer("mcl_cuda_peer_buffer_wrap", context, address, bytes, out));
    (*out)->is_far = 1;
    return MCL_OK;
}

mcl_status mcl_cuda_event_wrap(mcl_context *context, CUevent event, mcl_event **out)
{
    MCL__TRY(check_context("mcl_cuda_event_wrap", context));
    MCL__TRY(check_given("out", out != NULL));
    MCL__TRY(check_given("event", event != NULL));
    return mcl__cuda_event_around(context, event, out);
}

mcl_status mcl_cuda_launch(mcl_queue *queue, struct CUfunc_st *function, int64_t groups, int group_items,
                           const mcl_driver_argument *arguments, int argument_count)
{
    MCL__TRY(mcl__check_queue("mcl_cuda_launch", queue));
    if (queue->context->backend != &mcl__cuda_backend)
        return mcl__fail(MCL_ERROR_ARGUMENT, "queue is of the backend %s; expected one of cuda",
                         queue->context->backend->name);
    if (!function) return mcl__fail(MCL_ERROR_ARGUMENT, "function is NULL; expected a CUfunction");
    return mcl__driver_launch(queue, function, groups, group_items, arguments, argument_count);
}

CUcontext mcl_cuda_context(mcl_context *context)
{
    return context && context->backend == &mcl__cuda_backend ? mcl__cuda_context_of(context)->handle : NULL;
}

CUstream mcl_cuda_queue(mcl_queue *queue)
{
    return queue && mcl_cuda_context(queue->context) ? ((cuda_queue *)queue)->stream : NULL;
}

CUdeviceptr mcl_cuda_buffer(mcl_buffer *buffer)
{
    if (!buffer || !mcl_cuda_context(buffer->context)) return 0;
    atomic_store(&buffer->exposed, 1);
    return (CUdeviceptr)buffer->block;
}

CUevent mcl_cuda_event(mcl_event *event)
{
    return event && mcl_cuda_context(event->context) ? ((cuda_event *)event)->end : NULL;
}
