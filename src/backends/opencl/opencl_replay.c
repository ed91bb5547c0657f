/* opencl_replay.c: recordings. Each launch has its own kernel object, whose arguments are set once. If the driver has
 * cl_khr_command_buffer, neighbouring launches become a command buffer. Otherwise they are enqueued one by one. */
#include "opencl_internal.h"

#include <stdlib.h>
#include <string.h>

/* Types of the extension cl_khr_command_buffer, which hold for all its versions. Its functions for fills and copies are
 * not used, since they have more parameters in later versions. The types are declared here, since OpenCL's headers may
 * be older than the extension. */
typedef struct command_buffer *command_buffer;
typedef command_buffer(CL_API_CALL *create_function)(cl_uint queue_count, const cl_command_queue *queues,
                                                     const cl_ulong *properties, cl_int *error);
typedef cl_int(CL_API_CALL *launch_function)(command_buffer buffer, cl_command_queue queue, const cl_ulong *properties,
                                             cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                             const size_t *global, const size_t *local, cl_uint wait_count,
                                             const cl_uint *wait, cl_uint *point, void *handle);
typedef cl_int(CL_API_CALL *buffer_function)(command_buffer buffer);
typedef cl_int(CL_API_CALL *enqueue_function)(cl_uint queue_count, cl_command_queue *queues, command_buffer buffer,
                                              cl_uint wait_count, const cl_event *wait, cl_event *event);
enum {
    COMMAND_BUFFER_CAPABILITIES = 0x12A9, /* CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR */
    REQUIRED_QUEUE_PROPERTIES = 0x12AA,   /* CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR */
    CAN_BE_PENDING_TWICE = 1 << 2,        /* CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR */
    COMMAND_BUFFER_FLAGS = 0x1293,        /* CL_COMMAND_BUFFER_FLAGS_KHR */
    IS_PENDING_TWICE = 1,                 /* CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR */
    INCOMPATIBLE_QUEUE = -1140            /* CL_INCOMPATIBLE_COMMAND_QUEUE_KHR */
};

typedef struct extension {
    create_function create;
    launch_function launch;
    buffer_function finalize;
    buffer_function release;
    enqueue_function enqueue;
} extension;

/* The launches in one command buffer. If handle is NULL, there is no command buffer. */
typedef struct batch {
    command_buffer handle;
    int count;
} batch;

typedef struct opencl_recording {
    extension buffers;
    int kernel_count; /* number of commands with a kernel object that the recording has made */
    batch batches[];  /* one batch per command; a batch stands at its first command */
} opencl_recording;

/* ---- the extension ------------------------------------------------------------------------------------------ */

/* Returns 1 where the queue is in order and not profiling. A command buffer would have to know the properties of other
 * queues. */
static int is_plain(const opencl_queue *queue)
{
    return !queue->out_of_order && !queue->base.profiling;
}

/* Returns 1 where the driver's command buffers can be used. A replay does not wait for the previous one, so a command
 * buffer must be allowed to be pending twice. */
static int is_able(const opencl_context *context)
{
    const cl_device_id device = context->device;
    cl_ulong capabilities = 0;
    cl_ulong required = 0;
    if (context->is_limited || mcl__feature_number("command_buffer", 1) == 0) return 0;
    if (!mcl__opencl_has_extension(device, "cl_khr_command_buffer")) return 0;
    return mcl__cl.GetDeviceInfo(device, COMMAND_BUFFER_CAPABILITIES, sizeof capabilities, &capabilities, NULL) ==
               CL_SUCCESS &&
           mcl__cl.GetDeviceInfo(device, REQUIRED_QUEUE_PROPERTIES, sizeof required, &required, NULL) == CL_SUCCESS &&
           (capabilities & CAN_BE_PENDING_TWICE) && required == 0;
}

static int extension_find(const opencl_context *context, extension *out)
{
    cl_platform_id platform = NULL;
    if (!is_able(context)) return 0;
    if (mcl__cl.GetDeviceInfo(context->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS)
        return 0;
    return mcl__opencl_take(platform, "clCreateCommandBufferKHR", &out->create) &&
           mcl__opencl_take(platform, "clCommandNDRangeKernelKHR", &out->launch) &&
           mcl__opencl_take(platform, "clFinalizeCommandBufferKHR", &out->finalize) &&
           mcl__opencl_take(platform, "clReleaseCommandBufferKHR", &out->release) &&
           mcl__opencl_take(platform, "clEnqueueCommandBufferKHR", &out->enqueue);
}

/* ---- making ------------------------------------------------------------------------------------------------- */

/* Makes a new kernel object of the same function, and replaces the queue's kernel object in the launch by it. */
static mcl_status kernel_own(mcl_context *context, mcl__launch *launch)
{
    char name[128];
    cl_program program = NULL;
    void *kernel = NULL;
    cl_int error = mcl__cl.GetKernelInfo(launch->kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    if (error == CL_SUCCESS)
        error = mcl__cl.GetKernelInfo(launch->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    MCL__TRY(mcl__opencl_check(context, error, "clGetKernelInfo"));
    MCL__TRY(mcl__opencl_kernel_create(context, program, name, &kernel));
    launch->kernel = kernel;
    return MCL_OK;
}

static int is_launch(const mcl__command *command)
{
    return command->launch.kernel != NULL;
}

static cl_int launch_put(const extension *buffers, command_buffer handle, const mcl__launch *launch)
{
    const size_t local = (size_t)launch->threads;
    const size_t global = (size_t)launch->groups * local;
    return buffers->launch(handle, NULL, NULL, launch->kernel, 1, NULL, &global, &local, 0, NULL, NULL, NULL);
}

/* Makes a command buffer of count launches. Returns NULL where the driver refuses it; the launches are then enqueued
 * one by one. */
static command_buffer batch_make(const extension *buffers, cl_command_queue queue, const mcl__command *commands,
                                 int count)
{
    const cl_ulong properties[] = { COMMAND_BUFFER_FLAGS, IS_PENDING_TWICE, 0 };
    cl_int error = CL_SUCCESS;
    const command_buffer handle = buffers->create(1, &queue, properties, &error);
    if (!handle) return NULL;
    for (int k = 0; k < count && error == CL_SUCCESS; ++k) error = launch_put(buffers, handle, &commands[k].launch);
    if (error == CL_SUCCESS) error = buffers->finalize(handle);
    if (error == CL_SUCCESS) return handle;
    (void)buffers->release(handle);
    return NULL;
}

static void batches_make(opencl_recording *made, cl_command_queue queue, const mcl_recording *recording)
{
    for (int first = 0; first < recording->count;) {
        int end = first;
        while (end < recording->count && is_launch(&recording->commands[end])) ++end;
        const int count = end - first;
        batch *const here = &made->batches[first];
        if (count > 1) here->handle = batch_make(&made->buffers, queue, &recording->commands[first], count);
        here->count = count;
        first = end + (count == 0);
    }
}

mcl_status mcl__opencl_recording_make(mcl_queue *queue, mcl_recording *recording)
{
    const opencl_queue *const own = (const opencl_queue *)queue;
    mcl_context *const context = queue->context;
    opencl_recording *const made = calloc(1, sizeof *made + (size_t)recording->count * sizeof *made->batches);
    if (!made) return mcl__fail(MCL_ERROR_MEMORY, "opencl: host memory for a recording is exhausted");
    recording->made = made;
    for (; made->kernel_count < recording->count; ++made->kernel_count) {
        mcl__command *const command = &recording->commands[made->kernel_count];
        if (is_launch(command)) MCL__TRY(kernel_own(context, &command->launch));
    }
    for (int k = 0; k < recording->count; ++k)
        if (is_launch(&recording->commands[k]))
            MCL__TRY(mcl__opencl_arguments_set(context, &recording->commands[k].launch));
    if (is_plain(own) && extension_find((const opencl_context *)context, &made->buffers))
        batches_make(made, own->handle, recording);
    return MCL_OK;
}

/* ---- replaying ---------------------------------------------------------------------------------------------- */

/* Enqueues a batch's command buffer. *done receives the number of its commands. It receives 0 where there is no command
 * buffer, or where the buffer does not fit the queue. */
static mcl_status batch_enqueue(opencl_queue *queue, const extension *buffers, const batch *enqueued, int *done)
{
    *done = 0;
    if (!enqueued->handle || !is_plain(queue)) return MCL_OK;
    const cl_int error = buffers->enqueue(1, &queue->handle, enqueued->handle, 0, NULL, NULL);
    if (error == INCOMPATIBLE_QUEUE) return MCL_OK;
    MCL__TRY(mcl__opencl_command_done(queue, error, NULL, "clEnqueueCommandBufferKHR"));
    *done = enqueued->count;
    return MCL_OK;
}

mcl_status mcl__opencl_recording_replay(mcl_queue *queue, const mcl_recording *recording)
{
    const opencl_recording *const made = recording->made;
    for (int k = 0; k < recording->count;) {
        const mcl__command *const command = &recording->commands[k];
        int done = 0;
        MCL__TRY(batch_enqueue((opencl_queue *)queue, &made->buffers, &made->batches[k], &done));
        if (done == 0)
            MCL__TRY(is_launch(command) ? mcl__opencl_launch_enqueue(queue, &command->launch)
                                        : mcl__command_enqueue(queue, command));
        k += done > 0 ? done : 1;
    }
    return MCL_OK;
}

void mcl__opencl_recording_close(mcl_recording *recording)
{
    opencl_recording *const made = recording->made;
    for (int k = 0; k < recording->count; ++k)
        if (made->batches[k].handle) (void)made->buffers.release(made->batches[k].handle);
    for (int k = 0; k < made->kernel_count; ++k)
        if (is_launch(&recording->commands[k]))
            mcl__opencl_kernel_release(recording->context, recording->commands[k].launch.kernel);
    free(made);
}
