/* cuda_replay.c: recordings as CUDA graphs. The commands are captured on a new stream that nothing else uses. So no
 * other stream or thread can end the capture. */
#include "backends/cuda/cuda_internal.h"

static mcl_status commands_capture(mcl_queue *queue, const mcl_recording *recording)
{
    for (int k = 0; k < recording->count; ++k) MCL__TRY(mcl__command_enqueue(queue, &recording->commands[k]));
    return MCL_OK;
}

/* Captures the commands into a graph. It ends the capture in every case. The context must be current. */
static mcl_status graph_capture(mcl_queue *queue, const mcl_recording *recording, CUgraph *graph)
{
    mcl_context *const context = queue->context;
    const CUstream stream = ((const cuda_queue *)queue)->stream;
    MCL__TRY(mcl__cuda_check(context, mcl__cuda.StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
                             "cuStreamBeginCapture of a recording"));
    const mcl_status status = commands_capture(queue, recording);
    const CUresult result = mcl__cuda.StreamEndCapture(stream, graph);
    MCL__TRY(status);
    return mcl__cuda_check_made(context, *graph, result, "cuStreamEndCapture of a recording");
}

mcl_status mcl__cuda_recording_make(mcl_queue *queue, mcl_recording *recording)
{
    mcl_context *const context = queue->context;
    cuda_queue capturing = { .base = { .context = context } };
    CUgraph graph = NULL;
    CUgraphExec executable = NULL;
    atomic_init(&capturing.base.work, 0);
    MCL__TRY(mcl__cuda_enter(context));
    const CUresult result = mcl__cuda.StreamCreate(&capturing.stream, CU_STREAM_NON_BLOCKING);
    mcl_status status = mcl__cuda_check_made(context, capturing.stream, result, "cuStreamCreate");
    if (status == MCL_OK) status = graph_capture(&capturing.base, recording, &graph);
    if (status == MCL_OK) {
        const CUresult made = mcl__cuda.GraphInstantiate(&executable, graph, NULL, NULL, 0);
        status = mcl__cuda_check_made(context, executable, made, "cuGraphInstantiate of %d commands", recording->count);
    }
    if (graph) mcl__cuda.GraphDestroy(graph);
    if (capturing.stream) mcl__cuda.StreamDestroy(capturing.stream);
    mcl__cuda_leave();
    recording->made = executable;
    return status;
}

mcl_status mcl__cuda_recording_replay(mcl_queue *queue, const mcl_recording *recording)
{
    MCL__TRY(mcl__cuda_enter(queue->context));
    const CUresult result = mcl__cuda.GraphLaunch(recording->made, ((const cuda_queue *)queue)->stream);
    mcl__cuda_leave();
    atomic_fetch_add(&queue->work, 1);
    return mcl__cuda_check(queue->context, result, "cuGraphLaunch of %d commands", recording->count);
}

/* Destroys the recording's graph. If the graph still runs, the driver keeps it until that run has ended. */
void mcl__cuda_recording_close(mcl_recording *recording)
{
    int entered;
    if (!mcl__cuda_enter_quietly(recording->context, &entered)) return;
    mcl__cuda.GraphExecDestroy(recording->made);
    if (entered) mcl__cuda_leave();
}
