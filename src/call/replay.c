/* replay.c: records the calls on a queue, and replays them. */
#include "call/enqueue.h"

mcl_status mcl_record_begin(mcl_queue *queue)
{
    MCL__TRY(mcl__check_queue("mcl_record_begin", queue));
    if (queue->recording)
        return mcl__fail(MCL_ERROR_ARGUMENT, "queue is being recorded already; expected mcl_record_end before this");
    if (queue->preparing) return mcl__fail(MCL_ERROR_ARGUMENT, "queue only prepares; expected one of mcl_queue_create");
    return mcl__recording_open(queue);
}

mcl_status mcl_record_end(mcl_queue *queue, mcl_recording **out)
{
    MCL__TRY(mcl__check_queue("mcl_record_end", queue));
    mcl_recording *recording = NULL;
    if (!queue->recording)
        return mcl__fail(MCL_ERROR_ARGUMENT, "queue is not being recorded; expected mcl_record_begin before this");
    mcl__recording_take(queue, &recording);
    mcl_status status = MCL_OK;
    if (!out)
        status = mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a recording");
    else if (recording->count > 0)
        status = queue->context->backend->recording_make(queue, recording);
    if (status == MCL_OK)
        *out = recording;
    else
        mcl__recording_free(recording);
    return status;
}

/* Checks that options contain only events. */
static mcl_status check_events_alone(const mcl_options *options)
{
    if (!options) return MCL_OK;
    const char *const given = options->flags != 0          ? "flags"
                              : options->tile_threads != 0 ? "tile_threads"
                              : options->tile_items != 0   ? "tile_items"
                              : options->scratch           ? "scratch"
                                                           : NULL;
    if (!given) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "options->%s is given; expected wait and done alone, since the calls are recorded with the rest",
                     given);
}

mcl_status mcl_replay(mcl_queue *queue, mcl_recording *recording, const mcl_options *options)
{
    MCL__TRY(mcl__check_queue("mcl_replay", queue));
    MCL__TRY(mcl__check_unrecorded(queue, "a replay", "it after mcl_record_end"));
    if (!recording) return mcl__fail(MCL_ERROR_ARGUMENT, "recording is NULL; expected a recording");
    if (recording->context != queue->context)
        return mcl__fail(MCL_ERROR_ARGUMENT, "recording is of another context than queue; expected the same");
    MCL__TRY(mcl__check_options(queue, options, 0));
    MCL__TRY(check_events_alone(options));
    MCL__TRY(mcl__enqueue_begin(queue, 0, options));
    if (recording->made && !queue->preparing) MCL__TRY(queue->context->backend->recording_replay(queue, recording));
    return mcl__enqueue_end(queue, options);
}

mcl_status mcl_recording_retain(mcl_recording *recording)
{
    mcl__function_is("mcl_recording_retain");
    if (!recording) return mcl__fail(MCL_ERROR_ARGUMENT, "recording is NULL; expected a recording");
    MCL__TRY(mcl__check_reference("mcl_recording_retain", recording->context));
    atomic_fetch_add(&recording->references, 1);
    return MCL_OK;
}

void mcl_recording_release(mcl_recording *recording)
{
    if (!recording || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&recording->references, 1) != 1) return;
    mcl__recording_free(recording);
}
