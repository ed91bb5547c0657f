/* opencl_queue.c: command queues. In an out-of-order queue each command waits for the previous one. In an in-order
 * queue commands have events only where a call's time is asked for. */
#include "opencl_internal.h"

#include <stdlib.h>
#include <string.h>

mcl_status mcl__opencl_queue_open(mcl_context *context, int flags, mcl_queue **out)
{
    const opencl_context *const owner = (const opencl_context *)context;
    const cl_command_queue_properties properties = flags & MCL_QUEUE_PROFILING ? CL_QUEUE_PROFILING_ENABLE : 0;
    opencl_queue *const queue = calloc(1, sizeof *queue);
    if (!queue) return mcl__fail(MCL_ERROR_MEMORY, "opencl: host memory for a queue is exhausted");
    cl_int error = CL_SUCCESS;
    queue->handle = mcl__cl.CreateCommandQueue(owner->handle, owner->device, properties, &error);
    queue->owned = 1;
    if (error != CL_SUCCESS || !queue->handle) {
        free(queue);
        return mcl__opencl_check_made(context, NULL, error, "clCreateCommandQueue");
    }
    *out = &queue->base;
    return MCL_OK;
}

static void event_drop(cl_event *slot)
{
    if (*slot) (void)mcl__cl.ReleaseEvent(*slot);
    *slot = NULL;
}

/* Makes slot hold a reference to event, or none where the driver refuses the reference. */
static mcl_status event_keep(mcl_context *context, cl_event *slot, cl_event event)
{
    const cl_int error = mcl__cl.RetainEvent(event);
    event_drop(slot);
    if (error == CL_SUCCESS) *slot = event;
    return mcl__opencl_check(context, error, "clRetainEvent");
}

void mcl__opencl_queue_close(mcl_queue *queue)
{
    opencl_queue *const own = (opencl_queue *)queue;
    event_drop(&own->previous);
    event_drop(&own->first);
    event_drop(&own->last);
    if (own->owned) (void)mcl__cl.ReleaseCommandQueue(own->handle);
    free(own);
}

/* Enqueues a marker and waits for it. The marker completes after all commands before it. */
static mcl_status marker_wait(mcl_context *context, cl_command_queue queue)
{
    cl_event marker = NULL;
    const cl_int marked = mcl__cl.EnqueueMarkerWithWaitList(queue, 0, NULL, &marker);
    MCL__TRY(mcl__opencl_check_made(context, marker, marked, "clEnqueueMarkerWithWaitList"));
    const cl_int error = mcl__cl.WaitForEvents(1, &marker);
    (void)mcl__cl.ReleaseEvent(marker);
    return mcl__opencl_check(context, error, "clWaitForEvents");
}

/* Waits for all commands of the queue. For Mesa it waits for a marker: clFinish of Mesa 22.3 does not wait for commands
 * that clFlush has handed to the device. */
mcl_status mcl__opencl_queue_finish(mcl_queue *queue)
{
    const cl_command_queue handle = ((opencl_queue *)queue)->handle;
    if (strcmp(queue->context->info.vendor, "Mesa") == 0) MCL__TRY(marker_wait(queue->context, handle));
    return mcl__opencl_check(queue->context, mcl__cl.Finish(handle), "clFinish");
}

mcl_status mcl__opencl_queue_flush(mcl_queue *queue)
{
    return mcl__opencl_check(queue->context, mcl__cl.Flush(((opencl_queue *)queue)->handle), "clFlush");
}

/* ---- one command -------------------------------------------------------------------------------------------- */

static cl_uint wait_count(const opencl_queue *queue)
{
    return queue->previous ? 1 : 0;
}

static const cl_event *wait_list(const opencl_queue *queue)
{
    return queue->previous ? &queue->previous : NULL;
}

static int records_times(const opencl_queue *queue)
{
    return queue->recording && queue->base.profiling;
}

/* Returns the pointer through which a command's enqueue gives its event, or NULL where nobody needs the event. */
static cl_event *event_wanted(const opencl_queue *queue, cl_event *event)
{
    return queue->out_of_order || records_times(queue) ? event : NULL;
}

/* Keeps the event for the next command of an out-of-order queue, which waits for it. Other queues release the event. */
static void command_follows(opencl_queue *queue, cl_event event)
{
    cl_event given = event;
    if (queue->out_of_order) {
        event_drop(&queue->previous);
        queue->previous = event;
    } else {
        event_drop(&given);
    }
}

mcl_status mcl__opencl_command_done(opencl_queue *queue, cl_int error, cl_event event, const char *function)
{
    MCL__TRY(mcl__opencl_check(queue->base.context, error, function));
    queue->enqueued = 1;
    atomic_fetch_add(&queue->base.work, 1);
    if (!event) return MCL_OK;
    mcl_context *const context = queue->base.context;
    mcl_status status = MCL_OK;
    if (records_times(queue)) {
        if (!queue->first) status = event_keep(context, &queue->first, event);
        if (status == MCL_OK) status = event_keep(context, &queue->last, event);
    }
    command_follows(queue, event);
    return status;
}

/* ---- copies and fills ------------------------------------------------------------------------------------------ */

static void *address_at(const mcl_buffer *buffer, size_t offset)
{
    return (char *)buffer->block + buffer->begin + offset;
}

/* Copies between an address and host memory, or between two addresses. */
static mcl_status address_copy(opencl_queue *queue, void *to, const void *from, size_t bytes, int blocking)
{
    const opencl_context *const context = (const opencl_context *)queue->base.context;
    cl_event event = NULL;
    const cl_int error = context->usm.copy(queue->handle, blocking ? CL_TRUE : CL_FALSE, to, from, bytes,
                                           wait_count(queue), wait_list(queue), event_wanted(queue, &event));
    return mcl__opencl_command_done(queue, error, event, "clEnqueueMemcpyINTEL");
}

static mcl_status address_fill(opencl_queue *queue, void *to, size_t bytes, const void *pattern, size_t pattern_bytes)
{
    const opencl_context *const context = (const opencl_context *)queue->base.context;
    cl_event event = NULL;
    const cl_int error = context->usm.fill(queue->handle, to, pattern, pattern_bytes, bytes, wait_count(queue),
                                           wait_list(queue), event_wanted(queue, &event));
    return mcl__opencl_command_done(queue, error, event, "clEnqueueMemFillINTEL");
}

mcl_status mcl__opencl_read(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking)
{
    opencl_queue *const own = (opencl_queue *)queue;
    cl_event event = NULL;
    if (from->is_address) return address_copy(own, data, address_at(from, offset), bytes, blocking);
    const cl_int error =
        mcl__cl.EnqueueReadBuffer(own->handle, (cl_mem)from->block, blocking ? CL_TRUE : CL_FALSE, from->begin + offset,
                                  bytes, data, wait_count(own), wait_list(own), event_wanted(own, &event));
    return mcl__opencl_command_done(own, error, event, "clEnqueueReadBuffer");
}

mcl_status mcl__opencl_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                             int blocking)
{
    opencl_queue *const own = (opencl_queue *)queue;
    cl_event event = NULL;
    if (to->is_address) return address_copy(own, address_at(to, offset), data, bytes, blocking);
    const cl_int error =
        mcl__cl.EnqueueWriteBuffer(own->handle, (cl_mem)to->block, blocking ? CL_TRUE : CL_FALSE, to->begin + offset,
                                   bytes, data, wait_count(own), wait_list(own), event_wanted(own, &event));
    MCL__TRY(mcl__opencl_command_done(own, error, event, "clEnqueueWriteBuffer"));
    /* After a blocking write the queue is finished. The write waits only until the driver has read data, not until it
     * is in the buffer (OpenCL 1.2, 5.2.2). Intel's CPU runtime returns that early, and another queue could still read
     * the old content. */
    return blocking ? mcl__opencl_queue_finish(queue) : MCL_OK;
}

mcl_status mcl__opencl_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                            size_t pattern_bytes)
{
    opencl_queue *const own = (opencl_queue *)queue;
    cl_event event = NULL;
    if (to->is_address) return address_fill(own, address_at(to, offset), bytes, pattern, pattern_bytes);
    const cl_int error =
        mcl__cl.EnqueueFillBuffer(own->handle, (cl_mem)to->block, pattern, pattern_bytes, to->begin + offset, bytes,
                                  wait_count(own), wait_list(own), event_wanted(own, &event));
    return mcl__opencl_command_done(own, error, event, "clEnqueueFillBuffer");
}

mcl_status mcl__opencl_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                            size_t bytes)
{
    opencl_queue *const own = (opencl_queue *)queue;
    cl_event event = NULL;
    if (from->is_address != to->is_address)
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "one buffer is unified shared memory and one a cl_mem; expected two of "
                                                "a kind, or mcl_transform");
    if (to->is_address) return address_copy(own, address_at(to, to_offset), address_at(from, from_offset), bytes, 0);
    const cl_int error = mcl__cl.EnqueueCopyBuffer(own->handle, (cl_mem)from->block, (cl_mem)to->block,
                                                   from->begin + from_offset, to->begin + to_offset, bytes,
                                                   wait_count(own), wait_list(own), event_wanted(own, &event));
    return mcl__opencl_command_done(own, error, event, "clEnqueueCopyBuffer");
}

static cl_int argument_set(const opencl_context *context, cl_kernel kernel, cl_uint place, const mcl__arg *arg)
{
    if (arg->buffer && arg->buffer->is_address)
        return context->usm.set_argument(kernel, place, (const void *)arg->buffer->block);
    if (arg->value) return mcl__cl.SetKernelArg(kernel, place, arg->size, arg->value);
    const cl_mem memory = arg->buffer ? (cl_mem)arg->buffer->block : NULL;
    return mcl__cl.SetKernelArg(kernel, place, sizeof memory, memory ? (const void *)&memory : NULL);
}

mcl_status mcl__opencl_arguments_set(mcl_context *context, const mcl__launch *launch)
{
    const opencl_context *const own = (const opencl_context *)context;
    for (int i = 0; i < launch->arg_count; ++i)
        MCL__TRY(mcl__opencl_check(context, argument_set(own, launch->kernel, (cl_uint)i, &launch->args[i]),
                                   "clSetKernelArg"));
    return MCL_OK;
}

mcl_status mcl__opencl_launch_enqueue(mcl_queue *queue, const mcl__launch *launch)
{
    opencl_queue *const own = (opencl_queue *)queue;
    const cl_kernel kernel = launch->kernel;
    const size_t local = (size_t)launch->threads;
    const size_t global = (size_t)launch->groups * local;
    cl_event event = NULL;
    const cl_int error = mcl__cl.EnqueueNDRangeKernel(own->handle, kernel, 1, NULL, &global, &local, wait_count(own),
                                                      wait_list(own), event_wanted(own, &event));
    return mcl__opencl_command_done(own, error, event, "clEnqueueNDRangeKernel");
}

mcl_status mcl__opencl_launch(mcl_queue *queue, const mcl__launch *launch)
{
    MCL__TRY(mcl__opencl_arguments_set(queue->context, launch));
    return mcl__opencl_launch_enqueue(queue, launch);
}

/* ---- events ------------------------------------------------------------------------------------------------- */

/* Flushes the event's queue if it is another queue than this one. Only then may this queue wait for the event. */
static mcl_status event_flush(const opencl_queue *queue, const opencl_event *event)
{
    if (!event->queue || event->queue == queue->handle) return MCL_OK;
    return mcl__opencl_check(event->base.context, mcl__cl.Flush(event->queue), "clFlush");
}

enum { WAIT_BATCH = 16 };

/* Enqueues a barrier for the events of list, which has room for one more. In an out-of-order queue the barrier also
 * waits for the previous command, since the next command waits only for the barrier. */
static mcl_status wait_batch(opencl_queue *own, cl_event *list, cl_uint listed)
{
    cl_event event = NULL;
    if (own->previous) list[listed++] = own->previous;
    const cl_int error =
        mcl__cl.EnqueueBarrierWithWaitList(own->handle, listed, list, own->out_of_order ? &event : NULL);
    if (error == CL_INVALID_CONTEXT || error == CL_INVALID_EVENT_WAIT_LIST)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "one of the events to wait for is not of queue's cl_context; expected events of it");
    MCL__TRY(mcl__opencl_check(own->base.context, error, "clEnqueueBarrierWithWaitList"));
    if (event) command_follows(own, event);
    return MCL_OK;
}

/* Enqueues several barriers with a few events each, so that no memory must be allocated. */
mcl_status mcl__opencl_queue_wait(mcl_queue *queue, mcl_event *const *events, int count)
{
    opencl_queue *const own = (opencl_queue *)queue;
    cl_event list[WAIT_BATCH + 1];
    for (int done = 0; done < count;) {
        cl_uint listed = 0;
        while (done < count && listed < WAIT_BATCH) {
            const opencl_event *const awaited = (const opencl_event *)events[done++];
            MCL__TRY(event_flush(own, awaited));
            list[listed++] = awaited->last;
        }
        MCL__TRY(wait_batch(own, list, listed));
    }
    return MCL_OK;
}

mcl_status mcl__opencl_queue_wait_driver(mcl_queue *queue, void *const *events, int count)
{
    cl_event list[WAIT_BATCH + 1];
    for (int done = 0; done < count;) {
        cl_uint listed = 0;
        while (done < count && listed < WAIT_BATCH) list[listed++] = events[done++];
        MCL__TRY(wait_batch((opencl_queue *)queue, list, listed));
    }
    return MCL_OK;
}

/* Makes an event of a marker. Without a wait list, a marker waits for all commands before it, even in an out-of-order
 * queue. */
mcl_status mcl__opencl_queue_mark(mcl_queue *queue, mcl_event **out)
{
    const cl_command_queue handle = ((opencl_queue *)queue)->handle;
    opencl_event *const event = calloc(1, sizeof *event);
    if (!event) return mcl__fail(MCL_ERROR_MEMORY, "opencl: host memory for an event is exhausted");
    const cl_int error = mcl__cl.EnqueueMarkerWithWaitList(handle, 0, NULL, &event->last);
    mcl_status status = mcl__opencl_check_made(queue->context, event->last, error, "clEnqueueMarkerWithWaitList");
    if (status == MCL_OK) status = mcl__opencl_check(queue->context, mcl__cl.Flush(handle), "clFlush");
    if (status == MCL_OK)
        status = mcl__opencl_check(queue->context, mcl__cl.RetainCommandQueue(handle), "clRetainCommandQueue");
    if (status != MCL_OK) {
        event_drop(&event->last);
        free(event);
        return status;
    }
    event->queue = handle;
    event->base.context = queue->context;
    *out = &event->base;
    return MCL_OK;
}

mcl_status mcl__opencl_call_begin(mcl_queue *queue, int wants_event)
{
    opencl_queue *const own = (opencl_queue *)queue;
    event_drop(&own->first);
    event_drop(&own->last);
    own->recording = wants_event;
    own->enqueued = 0;
    return MCL_OK;
}

/* Fills in the driver's events from which a call's event is made. */
static mcl_status call_events(opencl_queue *queue, opencl_event *event)
{
    mcl_context *const context = queue->base.context;
    if (queue->last) {
        MCL__TRY(event_keep(context, &event->first, queue->first));
        return event_keep(context, &event->last, queue->last);
    }
    if (queue->out_of_order && queue->enqueued) return event_keep(context, &event->last, queue->previous);
    const cl_int error = mcl__cl.EnqueueMarkerWithWaitList(queue->handle, 0, NULL, &event->last);
    MCL__TRY(mcl__opencl_check_made(queue->base.context, event->last, error, "clEnqueueMarkerWithWaitList"));
    return queue->base.profiling ? event_keep(context, &event->first, event->last) : MCL_OK;
}

mcl_status mcl__opencl_call_end(mcl_queue *queue, mcl_event **out)
{
    opencl_queue *const own = (opencl_queue *)queue;
    opencl_event *const event = calloc(1, sizeof *event);
    if (!event) return mcl__fail(MCL_ERROR_MEMORY, "opencl: host memory for an event is exhausted");
    mcl_status status = call_events(own, event);
    (void)mcl__opencl_call_begin(queue, 0);
    if (status == MCL_OK)
        status = mcl__opencl_check(queue->context, mcl__cl.RetainCommandQueue(own->handle), "clRetainCommandQueue");
    if (status != MCL_OK) {
        event_drop(&event->first);
        event_drop(&event->last);
        free(event);
        return status;
    }
    event->queue = own->handle;
    mcl__event_adopt(queue->context, &event->base);
    *out = &event->base;
    return MCL_OK;
}

/* Gives the driver's event for the commands between call_begin and call_end. Gives NULL on a preparing queue, which has
 * enqueued nothing. */
mcl_status mcl__opencl_call_end_driver(mcl_queue *queue, void **event)
{
    opencl_event made = { 0 };
    *event = NULL;
    if (queue->preparing) return MCL_OK;
    const mcl_status status = call_events((opencl_queue *)queue, &made);
    event_drop(&made.first);
    if (status != MCL_OK) event_drop(&made.last);
    *event = made.last;
    return status;
}
