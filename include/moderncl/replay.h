/* replay.h: calls that are recorded once and run again by one enqueue, on data and counts that have changed. */
#ifndef MODERNCL_REPLAY_H
#define MODERNCL_REPLAY_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mcl_recording mcl_recording;

/* Starts a recording: calls on the queue go into the recording from now on, and do not run.
 *
 * A recorded call checks its arguments and builds its programs as always. The recording keeps the call's arguments by
 * value, also counts on the host and bindings, and a reference to each buffer that the call works on. What the buffers
 * hold, and counts on the device (mcl_with_count), are read anew by each replay. So a frame whose counts change passes
 * them from call to call in slots, with bounds that are never exceeded.
 *
 * These may be recorded: every operation on operands, kernels of one's own (mcl_kernel_launch, and by the driver's
 * handles mcl_opencl_launch and mcl_cuda_launch), mcl_buffer_fill and mcl_buffer_copy.
 * These are MCL_ERROR_UNSUPPORTED, while the recording goes on without that call:
 *   what waits for the device: a result on the host, MCL_VALIDATE, a report, mcl_buffer_read, mcl_buffer_write;
 *   what has to do with events: wait and done of the options, mcl_event_record, mcl_queue_wait (mcl_replay takes them);
 *   calls on a hash map, since the host counts its entries; mcl_replay.
 * MCL_VALIDATE=1 in the environment does not reach recorded calls. Any other call that fails leaves nothing in the
 * recording either.
 *
 * The recording has scratch of its own, and 128 KiB of words where its calls use such words (mcl_queue_reserve). So
 * later calls on the queue may take more of the queue's scratch. While a recording is open mcl_queue_reserve sizes the
 * recording's scratch. Nothing else may use options->scratch of a recorded call while a replay runs.
 *
 * Errors: MCL_ERROR_ARGUMENT (queue is NULL, is being recorded already, or only prepares), MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_record_begin(mcl_queue *queue);

/* Ends the queue's recording, also where the call fails (except on a lost device). Where the status is MCL_OK the
 * caller gets the recording with one reference. The queue's next calls run again. A queue that is released while it is
 * recorded drops the recording.
 *
 * With CUDA the recording becomes a graph. Where an OpenCL driver has cl_khr_command_buffer, neighbouring launches
 * become a command buffer, which a replay uses on a queue in order without profiling. Elsewhere a replay enqueues the
 * launches one by one, with kernel objects whose arguments are set already.
 *
 * Errors: MCL_ERROR_ARGUMENT (queue is NULL or is not being recorded, out is NULL), MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_record_end(mcl_queue *queue, mcl_recording **out);

/* Runs the recorded calls, in their order, on any queue of their context, as one call. The calls run after all work
 * that was enqueued before, and before all work that is enqueued later. Two replays of one recording may not run at the
 * same time: on two queues events must keep them apart. Buffers that the caller has released meanwhile still exist.
 *
 * options   wait and done alone, or driver_wait and driver_done; NULL: none. The event gives the time of all calls
 *           together.
 *
 * Cost: on the host one enqueue of a graph (CUDA), or of a command buffer; on the device the cost of the calls.
 * Scratch: the recording's. Returns once the work is enqueued. On a preparing queue mcl_replay does nothing.
 * Errors: MCL_ERROR_ARGUMENT (recording is NULL or of another context, options have anything else),
 * MCL_ERROR_UNSUPPORTED (queue is being recorded), MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_replay(mcl_queue *queue, mcl_recording *recording, const mcl_options *options);

MCL_API mcl_status mcl_recording_retain(mcl_recording *recording);
/* Releases a recording, also while a replay runs. What the replay needs stays until it is done. */
MCL_API void mcl_recording_release(mcl_recording *recording);

#ifdef __cplusplus
}
#endif
#endif
