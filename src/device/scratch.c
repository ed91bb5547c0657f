/* scratch.c: a queue's scratch memory, which is one growing block or the caller's block. It also has the queue's slots:
 * words that are zero between launches. */
#include "device/device.h"

#include <stdlib.h>

/* A replaced block. Work enqueued before event done may still use it. */
typedef struct mcl__retired {
    struct mcl__retired *next;
    mcl_buffer *buffer;
    mcl_event *done;
} mcl__retired;

void mcl__scratch_collect(mcl_queue *queue, int all)
{
    const mcl__backend *const backend = queue->context->backend;
    mcl__retired **link = &queue->retired;
    while (*link) {
        mcl__retired *const retired = *link;
        if (all && !mcl__context_lost(queue->context)) (void)backend->event_wait(retired->done);
        if (!all && !backend->event_done(retired->done)) {
            link = &retired->next;
            continue;
        }
        *link = retired->next;
        backend->event_close(retired->done);
        mcl_buffer_release(retired->buffer);
        free(retired);
    }
}

/* Retires the queue's own block, with a mark as its event. call_begin and call_end would make an event too. But a call
 * of several steps may need more scratch after its call_begin, and another pair would end it. */
static mcl_status scratch_retire(mcl_queue *queue)
{
    if (queue->recording) { /* the recorded commands keep the block */
        mcl_buffer_release(queue->own_scratch);
        queue->own_scratch = NULL;
        return MCL_OK;
    }
    mcl__retired *const retired = calloc(1, sizeof *retired);
    if (!retired) return mcl__fail(MCL_ERROR_MEMORY, "host memory to retire a scratch block is exhausted");
    const mcl_status status = queue->context->backend->queue_mark(queue, &retired->done);
    if (status != MCL_OK) {
        free(retired);
        return status;
    }
    retired->buffer = queue->own_scratch;
    retired->next = queue->retired;
    queue->retired = retired;
    queue->own_scratch = NULL;
    return MCL_OK;
}

/* Enlarges the block by at least half, so that slowly rising sizes replace few blocks. The retired blocks that wait for
 * the next finish have in total at most twice the bytes of the present block. */
mcl_status mcl__scratch_grow(mcl_queue *queue, size_t bytes)
{
    const size_t present = queue->own_scratch ? queue->own_scratch->bytes : 0;
    if (bytes <= present) return MCL_OK;
    const size_t grown = present + present / 2;
    const size_t wanted = bytes > grown ? bytes : grown;
    const size_t least = (size_t)64 * 1024;
    mcl_buffer *buffer = NULL;
    MCL__TRY(mcl__buffer_create_for(queue, wanted > least ? wanted : least, &buffer));
    const mcl_status status = queue->own_scratch ? scratch_retire(queue) : MCL_OK;
    if (status != MCL_OK) {
        mcl_buffer_release(buffer);
        return status;
    }
    queue->own_scratch = buffer;
    return MCL_OK;
}

/* Makes room for bytes from the beginning of the scratch on, and sets *made to the block, or to no block on a preparing
 * queue. options->scratch is checked already, but only here is it known how much of it a call needs. */
static mcl_status scratch_need(mcl_queue *queue, size_t bytes, const mcl_options *options, mcl__scratch *made)
{
    *made = (mcl__scratch){ 0 };
    if (!queue->in_steps || bytes > queue->scratch_bytes) queue->scratch_bytes = bytes;
    if (bytes > queue->scratch_peak) queue->scratch_peak = bytes;
    if (options && options->scratch) {
        if (options->scratch_bytes < bytes)
            return mcl__fail(MCL_ERROR_ARGUMENT, "options->scratch_bytes is %zu; expected %zu or more",
                             options->scratch_bytes, bytes);
        *made = (mcl__scratch){ .buffer = options->scratch, .offset = options->scratch_offset };
        return MCL_OK;
    }
    if (queue->preparing) return MCL_OK;
    if (queue->unmeasured && (!queue->own_scratch || bytes > queue->own_scratch->bytes))
        return (mcl_status)MCL__UNMEASURED;
    MCL__TRY(mcl__scratch_grow(queue, bytes));
    made->buffer = queue->own_scratch;
    return MCL_OK;
}

mcl_status mcl__scratch_reserve(mcl_queue *queue, size_t bytes, const mcl_options *options)
{
    const size_t held = bytes > 0 ? queue->scratch_held : 0;
    MCL__TRY(scratch_need(queue, held + bytes, options, &queue->scratch));
    queue->scratch.offset += held;
    queue->scratch.bytes = bytes;
    if (!queue->preparing) queue->unmeasured = 0;
    return MCL_OK;
}

mcl_status mcl__scratch_hold(mcl_queue *queue, size_t bytes, mcl_buffer **out)
{
    const size_t begin = queue->scratch_held, unit = MCL__SCRATCH_ALIGNMENT;
    const size_t end = begin + (bytes + unit - 1) / unit * unit;
    mcl__scratch block;
    MCL__TRY(scratch_need(queue, end, queue->step_options, &block));
    MCL__TRY(mcl__buffer_part(queue->context, block.buffer, block.offset + begin, bytes, out));
    queue->scratch_held = end;
    return MCL_OK;
}

/* Makes the slots of a recording. They are zero before the first replay, whichever queue that is on. */
static mcl_status slots_record(mcl_queue *queue, size_t bytes)
{
    void *const zeros = calloc(1, bytes);
    if (!zeros) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a recording is exhausted");
    mcl__function_hold();
    const mcl_status status = mcl_buffer_create(queue->context, bytes, zeros, &queue->slots);
    mcl__function_let_go();
    free(zeros);
    return status;
}

mcl_status mcl__slots_reserve(mcl_queue *queue)
{
    const size_t bytes = MCL__SLOTS * sizeof(uint64_t);
    const uint32_t zero = 0;
    mcl_buffer *slots = NULL;
    if (queue->slots || queue->preparing) return MCL_OK;
    if (queue->recording) return slots_record(queue, bytes);
    MCL__TRY(mcl__buffer_create_for(queue, bytes, &slots));
    const mcl_status status = queue->context->backend->fill(queue, slots, 0, bytes, &zero, sizeof zero);
    if (status != MCL_OK) {
        mcl_buffer_release(slots);
        return status;
    }
    queue->slots = slots;
    return MCL_OK;
}

mcl_status mcl_queue_reserve(mcl_queue *queue, size_t bytes)
{
    MCL__TRY(mcl__check_queue("mcl_queue_reserve", queue));
    if (queue->preparing) return MCL_OK;
    mcl__scratch_collect(queue, 0);
    MCL__TRY(mcl__slots_reserve(queue));
    return mcl__scratch_grow(queue, bytes);
}
