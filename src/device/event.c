/* event.c: events, which mark points on queues. The host and other queues can wait for them. */
#include "device/device.h"

void mcl__event_adopt(mcl_context *context, mcl_event *opened)
{
    opened->context = context;
    atomic_init(&opened->references, 1);
    atomic_fetch_add(&context->references, 1);
}

static mcl_status check_event(const char *function, const mcl_event *event)
{
    mcl__function_is(function);
    if (!event) return mcl__fail(MCL_ERROR_ARGUMENT, "event is NULL; expected an event");
    return mcl__check_context(function, event->context);
}

mcl_status mcl_event_record(mcl_queue *queue, mcl_event **out)
{
    MCL__TRY(mcl__check_queue("mcl_event_record", queue));
    MCL__TRY(mcl__check_unrecorded(queue, "an event", "options->done of mcl_replay"));
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put an event");
    MCL__TRY(queue->context->backend->call_begin(queue, 1));
    return queue->context->backend->call_end(queue, out);
}

mcl_status mcl_event_retain(mcl_event *event)
{
    if (!event) return check_event("mcl_event_retain", event);
    MCL__TRY(mcl__check_reference("mcl_event_retain", event->context));
    atomic_fetch_add(&event->references, 1);
    return MCL_OK;
}

void mcl_event_release(mcl_event *event)
{
    if (!event || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&event->references, 1) != 1) return;
    mcl_context *const context = event->context;
    context->backend->event_close(event);
    mcl_context_release(context);
}

mcl_status mcl_event_wait(mcl_event *event)
{
    MCL__TRY(check_event("mcl_event_wait", event));
    return event->context->backend->event_wait(event);
}

mcl_status mcl_event_milliseconds(mcl_event *event, double *milliseconds)
{
    MCL__TRY(check_event("mcl_event_milliseconds", event));
    if (!milliseconds) return mcl__fail(MCL_ERROR_ARGUMENT, "milliseconds is NULL; expected where to put the time");
    return event->context->backend->event_milliseconds(event, milliseconds);
}

mcl_status mcl_queue_wait(mcl_queue *queue, mcl_event *const *events, int count)
{
    MCL__TRY(mcl__check_queue("mcl_queue_wait", queue));
    MCL__TRY(mcl__check_unrecorded(queue, "waiting for events", "options->wait of mcl_replay"));
    if (count < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "count is %d; expected 0 or more", count);
    if (count > 0 && !events) return mcl__fail(MCL_ERROR_ARGUMENT, "events is NULL; expected %d events", count);
    for (int i = 0; i < count; ++i) {
        if (!events[i]) return mcl__fail(MCL_ERROR_ARGUMENT, "events[%d] is NULL; expected an event", i);
        if (events[i]->context->backend != queue->context->backend)
            return mcl__fail(MCL_ERROR_ARGUMENT, "events[%d] is of backend %s; expected one of queue's, %s", i,
                             events[i]->context->backend->name, queue->context->backend->name);
    }
    if (count == 0 || queue->preparing) return MCL_OK;
    return queue->context->backend->queue_wait(queue, events, count);
}
