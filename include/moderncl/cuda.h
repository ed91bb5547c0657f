/* cuda.h: use moderncl inside a CUDA application (driver or runtime API: a cudaStream_t is a CUstream). No other public
 * header needs CUDA's cuda.h.
 *
 * Wrapping takes no ownership: the handle must live as long as the wrapper. Events need no wrapping:
 * options->driver_wait is a list of CUevent, and *options->driver_done is a CUevent that the call records. Each call
 * pushes the context and pops it again, so it does not change the thread's current context. */
#ifndef MODERNCL_CUDA_H
#define MODERNCL_CUDA_H

#include "device.h"

#ifndef MCL_CUDA_TYPES_DECLARED /* defined where the four types are declared without the toolkit */
#include <cuda.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the library take the functions of the CUDA driver ("cuMemAlloc_v2") and of NVRTC ("nvrtcCreateProgram") from
 * function instead of opening the two libraries itself. function(name, user) returns the address of the function of
 * that name, or NULL. Call mcl_cuda_loader_set before the library uses CUDA in any other call; a later call is
 * MCL_ERROR_ARGUMENT. */
typedef void *(*mcl_cuda_loader)(const char *name, void *user);
MCL_API mcl_status mcl_cuda_loader_set(mcl_cuda_loader function, void *user);

MCL_API mcl_status mcl_cuda_context_wrap(CUcontext context, mcl_context **out);
MCL_API mcl_status mcl_cuda_queue_wrap(mcl_context *context, CUstream stream, mcl_queue **out);
/* Wraps bytes bytes of device memory from address on. A call refuses a buffer whose address is not a multiple of its
 * elements' alignment. A buffer for options->scratch needs an address that is a multiple of 64. */
MCL_API mcl_status mcl_cuda_buffer_wrap(mcl_context *context, CUdeviceptr address, size_t bytes, mcl_buffer **out);

/* Wraps memory of another device that context's device can read: peer access is enabled, or cuIpcOpenMemHandle gave the
 * address. Merges load such a buffer's keys in whole cache lines, since these take less time over a link between
 * devices. The caller must say where the memory is: for memory that another process shares, the driver reports
 * context's own device. */
MCL_API mcl_status mcl_cuda_peer_buffer_wrap(mcl_context *context, CUdeviceptr address, size_t bytes, mcl_buffer **out);

MCL_API mcl_status mcl_cuda_event_wrap(mcl_context *context, CUevent event, mcl_event **out);

/* Enqueues a kernel of the application's as a call of the library's, which may be recorded (replay.h). So a recording
 * can hold a whole frame: the application's kernels and the library's calls.
 *
 * function     a CUfunction of a module of queue's context. The module must be loaded as long as a recording with the
 *              call may run
 * groups       number of work-groups (CUDA's blocks), in one dimension; 0: nothing is launched
 * group_items  work-items (CUDA's threads) of each group
 * arguments    argument_count arguments, one for each parameter. The launch gives the kernel no dynamic work-group
 *              memory
 *
 * For each parameter of function, the driver reads as many bytes as the parameter's type has. The library cannot check
 * the arguments: only the caller knows the parameters. A recording keeps values as they are at this call. The call does
 * not wait. On a preparing queue (device.h) nothing is launched.
 * Errors: MCL_ERROR_ARGUMENT (queue or function is NULL, queue is not of CUDA; groups, group_items or an argument is
 * invalid), MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
struct CUfunc_st;
MCL_API mcl_status mcl_cuda_launch(mcl_queue *queue, struct CUfunc_st *function, int64_t groups, int group_items,
                                   const mcl_driver_argument *arguments, int argument_count);

/* Return the driver's handle of an object; 0 or NULL if the object does not belong to the CUDA backend. */
MCL_API CUcontext mcl_cuda_context(mcl_context *context);
MCL_API CUstream mcl_cuda_queue(mcl_queue *queue);
MCL_API CUdeviceptr mcl_cuda_buffer(mcl_buffer *buffer);
MCL_API CUevent mcl_cuda_event(mcl_event *event);

#ifdef __cplusplus
}
#endif
#endif
