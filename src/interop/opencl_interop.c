/* opencl_interop.c: the public functions of opencl.h. They wrap the caller's handles, and return the library's. */
#include "backends/opencl/opencl_internal.h"
#include "context/context.h"

#include <stdlib.h>

/* ---- contexts ----------------------------------------------------------------------------------------------- */

enum { CONTEXT_DEVICES_MAX = 64 };

/* Returns 1 where the device is listed, or is a sub-device of a listed device. POCL lists the parent in place of a
 * sub-device. */
static int is_listed(cl_device_id wanted, const cl_device_id *devices, size_t count)
{
    for (cl_device_id device = wanted; device;) {
        cl_device_id parent = NULL;
        for (size_t i = 0; i < count; ++i)
            if (devices[i] == device) return 1;
        if (mcl__cl.GetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL) != CL_SUCCESS) break;
        device = parent;
    }
    return 0;
}

/* Finds the device to use: the wanted one, or the only one of the context. */
static mcl_status context_device(cl_context context, cl_device_id wanted, cl_device_id *out)
{
    cl_device_id devices[CONTEXT_DEVICES_MAX];
    size_t size = 0;
    MCL__TRY(mcl__opencl_check(
        NULL, mcl__cl.GetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &size), "clGetContextInfo"));
    const size_t count = size / sizeof *devices;
    if (!wanted && count != 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "device is NULL and context has %zu devices; expected one of them", count);
    *out = wanted ? wanted : devices[0];
    if (is_listed(*out, devices, count)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "device is none of context's %zu devices; expected one of them, or a part of one", count);
}

mcl_status mcl_opencl_context_wrap(cl_context context, cl_device_id device, mcl_context **out)
{
    mcl__function_is("mcl_opencl_context_wrap");
    if (!context) return mcl__fail(MCL_ERROR_ARGUMENT, "context is NULL; expected a cl_context");
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a context");
    MCL__TRY(mcl__process_claim());
    if (!mcl__opencl_load())
        return mcl__fail(MCL_ERROR_DEVICE, "no OpenCL loader was found; expected the one that made context");
    cl_device_id used = NULL;
    MCL__TRY(context_device(context, device, &used));
    mcl_context *opened = NULL;
    MCL__TRY(mcl__opencl_context_make(context, used, 0, &opened));
    return mcl__context_adopt(&mcl__opencl_backend, opened, out);
}

/* Checks that context belongs to this backend and this process, and that handle and out are not NULL. */
static mcl_status check_owner(const char *function, const mcl_context *context, const void *handle, const void *out)
{
    MCL__TRY(mcl__check_context(function, context));
    if (context->backend != &mcl__opencl_backend)
        return mcl__fail(MCL_ERROR_ARGUMENT, "context is of backend %s; expected one of opencl",
                         context->backend->name);
    if (!handle) return mcl__fail(MCL_ERROR_ARGUMENT, "the handle to wrap is NULL; expected one of OpenCL");
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put the wrapper");
    return MCL_OK;
}

static mcl_status check_same_context(const mcl_context *context, cl_context found)
{
    if (found == ((const opencl_context *)context)->handle) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "the handle to wrap is of another cl_context than context; expected the same");
}

/* ---- queues, buffers, events -------------------------------------------------------------------------------- */

mcl_status mcl_opencl_queue_wrap(mcl_context *context, cl_command_queue queue, mcl_queue **out)
{
    MCL__TRY(check_owner("mcl_opencl_queue_wrap", context, queue, out));
    cl_context found = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    cl_int error = mcl__cl.GetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof found, &found, NULL);
    if (error == CL_SUCCESS) error = mcl__cl.GetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (error == CL_SUCCESS)
        error = mcl__cl.GetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    MCL__TRY(mcl__opencl_check(NULL, error, "clGetCommandQueueInfo"));
    MCL__TRY(check_same_context(context, found));
    if (device != ((const opencl_context *)context)->device)
        return mcl__fail(MCL_ERROR_ARGUMENT, "queue is of another device than context; expected the same");
    opencl_queue *const opened = calloc(1, sizeof *opened);
    if (!opened) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a queue is exhausted");
    opened->handle = queue;
    opened->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    opened->base.profiling = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    return mcl__queue_adopt(context, &opened->base, out);
}

mcl_status mcl_opencl_buffer_wrap(mcl_context *context, cl_mem buffer, mcl_buffer **out)
{
    MCL__TRY(check_owner("mcl_opencl_buffer_wrap", context, buffer, out));
    cl_context found = NULL;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    size_t bytes = 0;
    cl_int error = mcl__cl.GetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof found, &found, NULL);
    if (error == CL_SUCCESS) error = mcl__cl.GetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (error == CL_SUCCESS) error = mcl__cl.GetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (error == CL_SUCCESS) error = mcl__cl.GetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    MCL__TRY(mcl__opencl_check(NULL, error, "clGetMemObjectInfo"));
    MCL__TRY(check_same_context(context, found));
    if (type != CL_MEM_OBJECT_BUFFER)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "buffer is an image or a pipe, of type 0x%x; expected a buffer of clCreateBuffer",
                         (unsigned)type);
    MCL__TRY(mcl__buffer_adopt(context, (uintptr_t)buffer, bytes, out));
    if (flags & CL_MEM_READ_ONLY) (*out)->refused = MCL__ACCESS_WRITE;
    if (flags & CL_MEM_WRITE_ONLY) (*out)->refused = MCL__ACCESS_READ;
    return MCL_OK;
}

mcl_status mcl_opencl_svm_wrap(mcl_context *context, void *memory, size_t bytes, mcl_buffer **out)
{
    MCL__TRY(check_owner("mcl_opencl_svm_wrap", context, memory, out));
    const opencl_context *const own = (const opencl_context *)context;
    cl_device_svm_capabilities capabilities = 0;
    if (bytes == 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is 0; expected 1 or more");
    if (own->is_limited ||
        mcl__cl.GetDeviceInfo(own->device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, NULL) !=
            CL_SUCCESS ||
        !(capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "%s has no shared virtual memory", context->info.name);
    cl_int error = CL_SUCCESS;
    const cl_mem made =
        mcl__cl.CreateBuffer(own->handle, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory, &error);
    MCL__TRY(mcl__opencl_check_made(context, made, error, "clCreateBuffer"));
    const mcl_status status = mcl__buffer_adopt(context, (uintptr_t)made, bytes, out);
    if (status == MCL_OK)
        (*out)->made_by_wrap = 1;
    else
        (void)mcl__cl.ReleaseMemObject(made);
    return status;
}

mcl_status mcl_opencl_usm_wrap(mcl_context *context, void *memory, size_t bytes, mcl_buffer **out)
{
    MCL__TRY(check_owner("mcl_opencl_usm_wrap", context, memory, out));
    if (bytes == 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is 0; expected 1 or more");
    if (!((const opencl_context *)context)->usm.is_there)
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "%s has no unified shared memory (cl_intel_unified_shared_memory)",
                         context->info.name);
    mcl_buffer *buffer = NULL;
    MCL__TRY(mcl__buffer_adopt(context, 0, bytes, &buffer));
    buffer->block = (uintptr_t)memory;
    buffer->is_address = 1;
    buffer->root = MCL__OPENCL_ADDRESSES;
    buffer->origin = (uintptr_t)memory;
    *out = buffer;
    return MCL_OK;
}

mcl_status mcl_opencl_event_wrap(mcl_context *context, cl_event event, mcl_event **out)
{
    MCL__TRY(check_owner("mcl_opencl_event_wrap", context, event, out));
    cl_context found = NULL;
    MCL__TRY(mcl__opencl_check(NULL, mcl__cl.GetEventInfo(event, CL_EVENT_CONTEXT, sizeof found, &found, NULL),
                               "clGetEventInfo"));
    MCL__TRY(check_same_context(context, found));
    opencl_event *const opened = calloc(1, sizeof *opened);
    if (!opened) return mcl__fail(MCL_ERROR_MEMORY, "host memory for an event is exhausted");
    opened->first = event;
    opened->last = event;
    mcl__event_adopt(context, &opened->base);
    *out = &opened->base;
    return MCL_OK;
}

/* ---- unwrapping --------------------------------------------------------------------------------------------- */

static int is_own(const mcl_context *context)
{
    return context && context->backend == &mcl__opencl_backend;
}

cl_context mcl_opencl_context(mcl_context *context)
{
    return is_own(context) ? ((opencl_context *)context)->handle : NULL;
}

cl_device_id mcl_opencl_device(mcl_context *context)
{
    return is_own(context) ? ((opencl_context *)context)->device : NULL;
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static mcl_status check_kernel(mcl_context *context, cl_kernel kernel, int argument_count)
{
    cl_context found = NULL;
    cl_uint parameters = 0;
    if (!kernel) return mcl__fail(MCL_ERROR_ARGUMENT, "kernel is NULL; expected a cl_kernel");
    cl_int error = mcl__cl.GetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof found, &found, NULL);
    if (error == CL_SUCCESS)
        error = mcl__cl.GetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof parameters, &parameters, NULL);
    if (error == CL_INVALID_KERNEL)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kernel is none of this driver's; expected a cl_kernel");
    MCL__TRY(mcl__opencl_check(context, error, "clGetKernelInfo"));
    if (found != ((const opencl_context *)context)->handle)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kernel is of another cl_context than queue; expected the same");
    if (argument_count >= 0 && (cl_uint)argument_count == parameters) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "argument_count is %d; expected the %u of kernel's parameters", argument_count,
                     parameters);
}

mcl_status mcl_opencl_launch(mcl_queue *queue, cl_kernel kernel, int64_t groups, int group_items,
                             const mcl_driver_argument *arguments, int argument_count)
{
    MCL__TRY(mcl__check_queue("mcl_opencl_launch", queue));
    if (!is_own(queue->context))
        return mcl__fail(MCL_ERROR_ARGUMENT, "queue is of backend %s; expected one of opencl",
                         queue->context->backend->name);
    MCL__TRY(check_kernel(queue->context, kernel, argument_count));
    return mcl__driver_launch(queue, kernel, groups, group_items, arguments, argument_count);
}

/* ---- handles ------------------------------------------------------------------------------------------------ */

cl_command_queue mcl_opencl_queue(mcl_queue *queue)
{
    return queue && is_own(queue->context) ? ((opencl_queue *)queue)->handle : NULL;
}

cl_mem mcl_opencl_buffer(mcl_buffer *buffer)
{
    if (!buffer || !is_own(buffer->context) || buffer->is_address) return NULL;
    atomic_store(&buffer->exposed, 1);
    return (cl_mem)buffer->block;
}

cl_event mcl_opencl_event(mcl_event *event)
{
    return event && is_own(event->context) ? ((opencl_event *)event)->last : NULL;
}
