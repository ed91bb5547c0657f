/* queue.c: opens, finishes and closes queues, including preparing queues. */
#include "device/device.h"

mcl_status mcl__queue_adopt(mcl_context *context, mcl_queue *opened, mcl_queue **out)
{
    opened->context = context;
    atomic_init(&opened->references, 1);
    atomic_init(&opened->work, 0);
    atomic_fetch_add(&context->references, 1);
    mcl__mutex_lock(&context->memory_lock);
    opened->number = ++context->queue_count;
    opened->next = context->queues;
    context->queues = opened;
    mcl__mutex_unlock(&context->memory_lock);
    *out = opened;
    return MCL_OK;
}

mcl_status mcl_queue_create(mcl_context *context, int flags, mcl_queue **out)
{
    MCL__TRY(mcl__check_context("mcl_queue_create", context));
    if ((flags & ~MCL_QUEUE_PROFILING) != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "flags is %d; expected 0 or MCL_QUEUE_PROFILING", flags);
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a queue");
    mcl_queue *opened = NULL;
    MCL__TRY(context->backend->queue_open(context, flags, &opened));
    opened->profiling = (flags & MCL_QUEUE_PROFILING) != 0;
    return mcl__queue_adopt(context, opened, out);
}

mcl_status mcl_queue_create_preparing(mcl_context *context, mcl_queue **out)
{
    MCL__TRY(mcl__check_context("mcl_queue_create_preparing", context));
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a queue");
    mcl_queue *opened = NULL;
    MCL__TRY(context->backend->queue_open(context, 0, &opened));
    opened->only_prepares = opened->preparing = 1;
    return mcl__queue_adopt(context, opened, out);
}

mcl_status mcl_queue_retain(mcl_queue *queue)
{
    if (!queue) return mcl__check_queue("mcl_queue_retain", queue);
    MCL__TRY(mcl__check_reference("mcl_queue_retain", queue->context));
    atomic_fetch_add(&queue->references, 1);
    return MCL_OK;
}

static void queue_unlink(mcl_queue *queue)
{
    mcl_context *const context = queue->context;
    mcl__mutex_lock(&context->memory_lock);
    mcl_queue **link = &context->queues;
    while (*link && *link != queue) link = &(*link)->next;
    if (*link) *link = queue->next;
    mcl__mutex_unlock(&context->memory_lock);
    mcl__queue_forget(queue);
}

/* Waits for the queue's work. Afterwards no block waits for this work any more, and replaced scratch is freed. */
static mcl_status queue_finish(mcl_queue *queue)
{
    const long long work = atomic_load(&queue->work);
    MCL__TRY(queue->context->backend->queue_finish(queue));
    mcl__queue_idle(queue, work);
    mcl__scratch_collect(queue, 1);
    return MCL_OK;
}

void mcl_queue_release(mcl_queue *queue)
{
    if (!queue || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&queue->references, 1) != 1) return;
    mcl__function_is("mcl_queue_release");
    mcl_context *const context = queue->context;
    mcl_recording *dropped = NULL;
    if (queue->recording) mcl__recording_take(queue, &dropped);
    if (dropped) mcl__recording_free(dropped);
    if (mcl__context_lost(context) || queue_finish(queue) != MCL_OK) mcl__scratch_collect(queue, 1);
    mcl_buffer_release(queue->own_scratch);
    mcl_buffer_release(queue->slots);
    if (queue->forget) queue->forget(queue);
    mcl__text_free(&queue->key);
    queue_unlink(queue);
    context->backend->queue_close(queue);
    mcl_context_release(context);
}

mcl_status mcl_queue_finish(mcl_queue *queue)
{
    MCL__TRY(mcl__check_queue("mcl_queue_finish", queue));
    return queue_finish(queue);
}

mcl_status mcl_queue_flush(mcl_queue *queue)
{
    MCL__TRY(mcl__check_queue("mcl_queue_flush", queue));
    return queue->context->backend->queue_flush(queue);
}

mcl_context *mcl_queue_context(mcl_queue *queue)
{
    return queue ? queue->context : NULL;
}

size_t mcl_queue_scratch_bytes(mcl_queue *queue)
{
    return queue ? queue->scratch_bytes : 0;
}

size_t mcl_queue_scratch_peak(mcl_queue *queue)
{
    return queue ? queue->scratch_peak : 0;
}
