/* cuda_event.c: events. An event is recorded at the end of a call. On a profiling queue another one is recorded at the
 * call's start. */
#include "backends/cuda/cuda_internal.h"

#include <stdlib.h>

/* Makes an event of the driver. The context must be current. */
static mcl_status driver_event(mcl_context *context, unsigned flags, CUevent *out)
{
    const CUresult result = mcl__cuda.EventCreate(out, flags);
    return mcl__cuda_check_made(context, *out, result, "cuEventCreate");
}

mcl_status mcl__cuda_call_begin(mcl_queue *queue, int wants_event)
{
    cuda_queue *const own = (cuda_queue *)queue;
    own->bracket_timed = queue->profiling && wants_event;
    if (!own->bracket_timed) return MCL_OK;

    MCL__TRY(mcl__cuda_enter(queue->context));
    mcl_status status = own->start ? MCL_OK : driver_event(queue->context, CU_EVENT_DEFAULT, &own->start);
    if (status == MCL_OK)
        status = mcl__cuda_check(queue->context, mcl__cuda.EventRecord(own->start, own->stream),
                                 "cuEventRecord at the start of a call");
    mcl__cuda_leave();
    return status;
}

static mcl_status event_create(mcl_context *context, cuda_event **out)
{
    cuda_event *const event = calloc(1, sizeof *event);
    if (!event)
        return mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for an event of %zu bytes is exhausted", sizeof *event);
    mcl__event_adopt(context, &event->base);
    *out = event;
    return MCL_OK;
}

mcl_status mcl__cuda_call_end(mcl_queue *queue, mcl_event **out)
{
    cuda_queue *const own = (cuda_queue *)queue;
    const unsigned flags = own->bracket_timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
    CUevent end = NULL;
    cuda_event *event = NULL;

    MCL__TRY(mcl__cuda_enter(queue->context));
    mcl_status status = driver_event(queue->context, flags, &end);
    if (status == MCL_OK)
        status = mcl__cuda_check(queue->context, mcl__cuda.EventRecord(end, own->stream),
                                 "cuEventRecord at the end of a call");
    if (status == MCL_OK) status = event_create(queue->context, &event);
    if (status != MCL_OK && end) mcl__cuda.EventDestroy(end);
    mcl__cuda_leave();
    MCL__TRY(status);

    event->end = end;
    event->owned = 1;
    if (own->bracket_timed) {
        event->start = own->start;
        own->start = NULL;
        own->bracket_timed = 0;
    }
    *out = &event->base;
    return MCL_OK;
}

mcl_status mcl__cuda_call_end_driver(mcl_queue *queue, void **event)
{
    if (queue->preparing) return MCL_OK;
    MCL__TRY(mcl__cuda_enter(queue->context));
    const CUresult result = mcl__cuda.EventRecord((CUevent)*event, ((cuda_queue *)queue)->stream);
    mcl__cuda_leave();
    return mcl__cuda_check(queue->context, result, "cuEventRecord of options->driver_done");
}

/* Returns 1 where the stream is being captured, or where the driver does not say. It does not say for the default
 * stream while another stream is captured. */
static int is_captured(CUstream stream)
{
    CUstreamCaptureStatus status = 0;
    return mcl__cuda.StreamIsCapturing(stream, &status) != CUDA_SUCCESS || status != 0;
}

/* Records a mark, or postpones it while its stream is captured. A captured mark would never be passed, and a query of
 * it would end the capture. */
static CUresult mark_record(cuda_event *event)
{
    atomic_store(&event->postponed, is_captured(event->stream));
    return atomic_load(&event->postponed) ? CUDA_SUCCESS : mcl__cuda.EventRecord(event->end, event->stream);
}

mcl_status mcl__cuda_queue_mark(mcl_queue *queue, mcl_event **out)
{
    cuda_event *const event = calloc(1, sizeof *event);
    if (!event)
        return mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for an event of %zu bytes is exhausted", sizeof *event);
    event->stream = ((cuda_queue *)queue)->stream;
    mcl_status status = mcl__cuda_enter(queue->context);
    if (status == MCL_OK) {
        status = driver_event(queue->context, CU_EVENT_DISABLE_TIMING, &event->end);
        if (status == MCL_OK)
            status = mcl__cuda_check(queue->context, mark_record(event), "cuEventRecord after released memory");
        if (status != MCL_OK && event->end) mcl__cuda.EventDestroy(event->end);
        mcl__cuda_leave();
    }
    if (status != MCL_OK) {
        free(event);
        return status;
    }
    event->owned = 1;
    event->base.context = queue->context;
    *out = &event->base;
    return MCL_OK;
}

mcl_status mcl__cuda_event_around(mcl_context *context, CUevent end, mcl_event **out)
{
    cuda_event *event = NULL;
    MCL__TRY(event_create(context, &event));
    event->end = end;
    *out = &event->base;
    return MCL_OK;
}

mcl_status mcl__cuda_event_wait(mcl_event *event)
{
    cuda_event *const own = (cuda_event *)event;
    MCL__TRY(mcl__cuda_enter(event->context));
    CUresult result = atomic_load(&own->postponed) ? mark_record(own) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && atomic_load(&own->postponed)) result = CUDA_ERROR_CAPTURED_EVENT;
    if (result == CUDA_SUCCESS) result = mcl__cuda.EventSynchronize(own->end);
    mcl__cuda_leave();
    return mcl__cuda_check(event->context, result, "cuEventSynchronize");
}

/* Returns whether the event is complete. In a thread that captures a stream, only relaxed mode allows the query of an
 * event, so the query runs in this mode. A captured event never completes, since the graph still uses its memory. */
int mcl__cuda_event_done(mcl_event *event)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    cuda_event *const own = (cuda_event *)event;
    if (mcl__cuda.CtxPushCurrent(mcl__cuda_context_of(event->context)->handle) != CUDA_SUCCESS) return 1;
    mcl__cuda.ThreadExchangeStreamCaptureMode(&mode);
    CUresult result = atomic_load(&own->postponed) ? mark_record(own) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && atomic_load(&own->postponed)) result = CUDA_ERROR_NOT_READY;
    if (result == CUDA_SUCCESS) result = mcl__cuda.EventQuery(own->end);
    mcl__cuda.ThreadExchangeStreamCaptureMode(&mode);
    mcl__cuda_leave();
    return result != CUDA_ERROR_NOT_READY && result != CUDA_ERROR_CAPTURED_EVENT;
}

mcl_status mcl__cuda_event_milliseconds(mcl_event *event, double *milliseconds)
{
    const cuda_event *const own = (const cuda_event *)event;
    float elapsed = 0;
    if (!own->start) {
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "event is of a queue without profiling; expected one made with "
                                                "MCL_QUEUE_PROFILING");
    }
    MCL__TRY(mcl__cuda_enter(event->context));
    const char *what = "cuEventSynchronize";
    CUresult result = mcl__cuda.EventSynchronize(own->end);
    if (result == CUDA_SUCCESS) {
        what = "cuEventElapsedTime";
        result = mcl__cuda.EventElapsedTime(&elapsed, own->start, own->end);
    }
    mcl__cuda_leave();
    MCL__TRY(mcl__cuda_check(event->context, result, "%s", what));
    *milliseconds = elapsed;
    return MCL_OK;
}

void mcl__cuda_event_close(mcl_event *event)
{
    cuda_event *const own = (cuda_event *)event;
    int entered;
    if (own->owned && mcl__cuda_enter_quietly(event->context, &entered)) {
        if (own->start) mcl__cuda.EventDestroy(own->start);
        mcl__cuda.EventDestroy(own->end);
        if (entered) mcl__cuda_leave();
    }
    free(own);
}
