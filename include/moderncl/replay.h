/* replay.h: records calls once and runs them again with one enqueue, on data and counts that may have changed. */
#ifndef MODERNCL_REPLAY_H
#define MODERNCL_REPLAY_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mcl_recording mcl_recording;

/* Starts a recording: calls on the queue go into the recording from now on, and do not run.
 *
 * A recorded call checks its arguments and builds its programs as usual. The recording keeps copies of the call's
 * arguments, including bindings and counts on the host, and a reference to each buffer of the call. Each replay reads
 * the content of buffers, and counts on the device (mcl_with_count), again. So if counts change from frame to frame,
 * calls pass them to each other in slots, with bounds that are never exceeded.
 *
 * These calls can be recorded: every operation on operands, kernels of your own (mcl_kernel_launch, and with the
 * driver's handles mcl_opencl_launch and mcl_cuda_launch), mcl_buffer_fill and mcl_buffer_copy. These calls are
 * MCL_ERROR_UNSUPPORTED, and the recording continues without them:
 *   calls that wait for the device: with a result on the host, MCL_VALIDATE or a report, mcl_buffer_read,
 *   mcl_buffer_write; calls with events: wait and done of the options (mcl_replay takes them), mcl_event_record,
 *   mcl_queue_wait; calls on a hash map, since the host counts its entries; mcl_replay.
 * MCL_VALIDATE=1 in the environment does not affect recorded calls. A call that fails for another reason leaves nothing
 * in the recording either.
 *
 * The recording has its own scratch, and 128 KiB of words if its calls use such words (mcl_queue_reserve). So later
 * calls on the queue can use the queue's scratch. While a recording is open, mcl_queue_reserve sets the size of the
 * recording's scratch. Nothing else may use options->scratch of a recorded call while a replay runs.
 *
 * Errors: MCL_ERROR_ARGUMENT (queue is NULL, is being recorded already, or is a preparing queue), MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_record_begin(mcl_queue *queue);

/* Ends the queue's recording, even where the call fails (except on a lost device). With MCL_OK the caller gets the
 * recording with one reference. Later calls on the queue run as usual. A queue that is released while it is recorded
 * drops the recording.
 *
 * With CUDA the recording becomes a graph. If an OpenCL driver has cl_khr_command_buffer, neighbouring launches become
 * a command buffer, which a replay uses on an in-order queue without profiling. Otherwise a replay enqueues the
 * launches one by one, with kernel objects whose arguments have been set before.
 *
 * Errors: MCL_ERROR_ARGUMENT (queue is NULL or is not being recorded, out is NULL), MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_record_end(mcl_queue *queue, mcl_recording **out);

/* Runs the recorded calls, in their order, on any queue of their context, as one call. The calls run after all work
 * that was enqueued before, and before all work that is enqueued later. Two replays of one recording may not run at the
 * same time: on two queues, events must separate them. Buffers that the caller has released meanwhile still exist.
 *
 * options   only wait and done, or driver_wait and driver_done; NULL: none. The event gives the time of all calls
 *           together
 *
 * Cost: on the host one enqueue of a graph (CUDA), or of a command buffer; on the device the cost of the calls.
 * Scratch: the recording's. Returns once the work is enqueued. On a preparing queue mcl_replay does nothing.
 * Errors: MCL_ERROR_ARGUMENT (recording is NULL or of another context, options have anything else),
 * MCL_ERROR_UNSUPPORTED (queue is being recorded), MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_replay(mcl_queue *queue, mcl_recording *recording, const mcl_options *options);

MCL_API mcl_status mcl_recording_retain(mcl_recording *recording);
/* Releases a recording, even while a replay runs. Data that the replay needs are kept until it is done. */
MCL_API void mcl_recording_release(mcl_recording *recording);

#ifdef __cplusplus
}
#endif
#endif
