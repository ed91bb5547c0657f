/* opencl.h: use moderncl inside an OpenCL application. No other public header needs CL/cl.h.
 *
 * Wrapping takes no ownership: the handle must live as long as the wrapper, and releasing the wrapper does not release
 * the handle. Unwrapping gives the handle without a reference. Events need no wrapping: options->driver_wait is a list
 * of cl_event, and *options->driver_done receives a cl_event, whose reference belongs to the caller. As always in
 * OpenCL, flush a queue (mcl_queue_flush) before another queue waits for its events. */
#ifndef MODERNCL_OPENCL_H
#define MODERNCL_OPENCL_H

#include "device.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the library take OpenCL's functions from function instead of looking for a loader itself. function(name, user)
 * returns the address of the function of that name, or NULL. Call mcl_opencl_loader_set before the library uses OpenCL
 * in any other call; a later call is MCL_ERROR_ARGUMENT. */
typedef void *(*mcl_opencl_loader)(const char *name, void *user);
MCL_API mcl_status mcl_opencl_loader_set(mcl_opencl_loader function, void *user);

/* Wraps a context with one of its devices. device: one of the context's devices, or a sub-device of one; NULL means the
 * only device of the context. Work runs only on that device. With POCL pass the sub-device, since POCL lists the
 * parents of a context's sub-devices. */
MCL_API mcl_status mcl_opencl_context_wrap(cl_context context, cl_device_id device, mcl_context **out);

/* Wraps any queue of the device of the wrapped (or any other moderncl) context: in order or out of order, with or
 * without profiling. In an out-of-order queue the library orders its own calls by events. The application orders its
 * commands relative to these calls, by wait lists and done events. */
MCL_API mcl_status mcl_opencl_queue_wrap(mcl_context *context, cl_command_queue queue, mcl_queue **out);

/* Wraps a buffer or sub-buffer. */
MCL_API mcl_status mcl_opencl_buffer_wrap(mcl_context *context, cl_mem buffer, mcl_buffer **out);

/* Wraps shared virtual memory: the range [memory, memory + bytes) of an allocation by clSVMAlloc. The buffer is a
 * cl_mem around that memory (OpenCL 2.0, 5.2.1), and nothing is copied. The memory must live as long as the wrapper and
 * the work on it. The application must map coarse-grained memory before the host reads or writes it, as for its own
 * kernels. The library finds overlapping ranges by their addresses. Further errors: MCL_ERROR_UNSUPPORTED where the
 * device has no such memory. */
MCL_API mcl_status mcl_opencl_svm_wrap(mcl_context *context, void *memory, size_t bytes, mcl_buffer **out);

/* Wraps unified shared memory: the range [memory, memory + bytes) of an allocation by clHostMemAllocINTEL,
 * clDeviceMemAllocINTEL or clSharedMemAllocINTEL. Kernels get the address itself, and nothing is copied. The memory
 * must live as long as the wrapper and the work on it. The library finds overlapping ranges by their addresses.
 * mcl_buffer_copy copies between two such buffers. Use mcl_transform to copy between such a buffer and a cl_mem.
 * mcl_opencl_buffer returns NULL for such a buffer. Further errors: MCL_ERROR_UNSUPPORTED where the device lacks
 * cl_intel_unified_shared_memory. */
MCL_API mcl_status mcl_opencl_usm_wrap(mcl_context *context, void *memory, size_t bytes, mcl_buffer **out);

MCL_API mcl_status mcl_opencl_event_wrap(mcl_context *context, cl_event event, mcl_event **out);

/* Enqueues a kernel of the application's as a call of the library's, which may be recorded (replay.h). So a recording
 * can hold a whole frame: the application's kernels and the library's calls.
 *
 * kernel       a kernel of a program of queue's context. The call sets its arguments, so no other thread may use it
 *              meanwhile. A recording makes its own kernel object of the same function, and needs kernel until
 *              mcl_record_end
 * groups       number of work-groups, in one dimension; 0: nothing is launched
 * group_items  work-items of each group
 * arguments    argument_count arguments, one for each parameter. __local pointers and images cannot be given
 *
 * The library cannot check whether arguments fit the parameters, or how the kernel uses its buffers. A recording keeps
 * values as they are at this call. The call does not wait. On a preparing queue (device.h) nothing is launched.
 * Errors: MCL_ERROR_ARGUMENT (queue or kernel is NULL, of another backend or context; groups, group_items or an
 * argument is invalid; kernel does not have argument_count parameters), MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_opencl_launch(mcl_queue *queue, cl_kernel kernel, int64_t groups, int group_items,
                                     const mcl_driver_argument *arguments, int argument_count);

/* Return the driver's handle of an object, or NULL if the object does not belong to the OpenCL backend. */
MCL_API cl_context mcl_opencl_context(mcl_context *context);
MCL_API cl_device_id mcl_opencl_device(mcl_context *context);
MCL_API cl_command_queue mcl_opencl_queue(mcl_queue *queue);
MCL_API cl_mem mcl_opencl_buffer(mcl_buffer *buffer);
MCL_API cl_event mcl_opencl_event(mcl_event *event);

#ifdef __cplusplus
}
#endif
#endif
