/* device_opencl.c: the renderer's own OpenCL context, queue, buffers and kernels. */
#include "device.h"

#include <moderncl/opencl.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernels[KERNELS];
} opencl;

static void opencl_close(device *closed)
{
    opencl *const own = closed->own;
    if (!own) return;
    for (int k = 0; k < KERNELS; ++k)
        if (own->kernels[k]) clReleaseKernel(own->kernels[k]);
    if (own->program) clReleaseProgram(own->program);
    if (own->queue) clReleaseCommandQueue(own->queue);
    if (own->context) clReleaseContext(own->context);
    free(own);
}

static int opencl_open(device *opened, mcl_context *found)
{
    opencl *const own = calloc(1, sizeof *own);
    cl_int error = CL_SUCCESS;
    if (!own) return device_failed("calloc", (long)sizeof *own);
    opened->own = own;
    own->device = mcl_opencl_device(found);
    own->context = clCreateContext(NULL, 1, &own->device, NULL, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateContext", error);
    own->queue = clCreateCommandQueue(own->context, own->device, CL_QUEUE_PROFILING_ENABLE, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateCommandQueue", error);
    if (mcl_opencl_context_wrap(own->context, own->device, &opened->context) == MCL_OK &&
        mcl_opencl_queue_wrap(opened->context, own->queue, &opened->queue) == MCL_OK)
        return 0;
    fprintf(stderr, "renderer: %s\n", mcl_last_error());
    return -1;
}

static int opencl_memory_create(device *of, size_t bytes, memory *made)
{
    const opencl *const own = of->own;
    cl_int error;
    const cl_mem buffer = clCreateBuffer(own->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateBuffer", error);
    made->handle = (uintptr_t)buffer;
    if (mcl_opencl_buffer_wrap(of->context, buffer, &made->view) == MCL_OK) return 0;
    fprintf(stderr, "renderer: %s\n", mcl_last_error());
    return -1;
}

static void opencl_memory_release(device *of, memory *freed)
{
    (void)of;
    clReleaseMemObject((cl_mem)freed->handle);
}

static void print_log(const opencl *own)
{
    size_t bytes = 0;
    if (clGetProgramBuildInfo(own->program, own->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS) return;
    char *const log = malloc(bytes + 1);
    if (log && clGetProgramBuildInfo(own->program, own->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS)
        fprintf(stderr, "%.*s\n", (int)bytes, log);
    free(log);
}

static int opencl_build(device *of, const char *text)
{
    opencl *const own = of->own;
    char options[64];
    cl_int error;
    own->program = clCreateProgramWithSource(own->context, 1, &text, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateProgramWithSource", error);
    snprintf(options, sizeof options, "-DGROUP_ITEMS=%d", GROUP_ITEMS);
    error = clBuildProgram(own->program, 1, &own->device, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        print_log(own);
        return device_failed("clBuildProgram", error);
    }
    for (int k = 0; k < KERNELS; ++k) {
        own->kernels[k] = clCreateKernel(own->program, kernel_names[k], &error);
        if (error != CL_SUCCESS) return device_failed(kernel_names[k], error);
    }
    return 0;
}

static int opencl_launch(device *of, int kernel, size_t groups, const argument *arguments, int count, timed *time)
{
    const opencl *const own = of->own;
    const size_t local = GROUP_ITEMS, global = groups * local;
    cl_int error = CL_SUCCESS;
    for (int k = 0; k < count && error == CL_SUCCESS; ++k) {
        const argument *const a = &arguments[k];
        const cl_mem buffer = a->buffer ? (cl_mem)a->buffer->handle : NULL;
        error = clSetKernelArg(own->kernels[kernel], (cl_uint)k, a->buffer ? sizeof buffer : a->bytes,
                               a->buffer ? (const void *)&buffer : a->value);
    }
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(own->queue, own->kernels[kernel], 1, NULL, &global, &local, 0, NULL,
                                       time ? (cl_event *)&time->own[0] : NULL);
    return error == CL_SUCCESS ? 0 : device_failed(kernel_names[kernel], error);
}

static double opencl_milliseconds(timed *time)
{
    const cl_event event = time->own[0];
    cl_ulong begin = 0, end = 0;
    const int fine =
        clWaitForEvents(1, &event) == CL_SUCCESS &&
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) == CL_SUCCESS &&
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS;
    clReleaseEvent(event);
    return fine ? (double)(end - begin) * 1e-6 : 0;
}

const backend opencl_backend = { opencl_open,  opencl_close,  opencl_memory_create, opencl_memory_release,
                                 opencl_build, opencl_launch, opencl_milliseconds };
