/* device_opencl.c: the renderer's own OpenCL context, queue, buffers and kernels. */
#include "device.h"

#include <moderncl/opencl.h>

#include "prelude.cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 16 };

/* ---- context and queue ---------------------------------------------------------------------------------------- */

static int opencl_open(device *opened)
{
    cl_int error = CL_SUCCESS;
    cl_device_id id = opened->id;
    opened->own_context = clCreateContext(NULL, 1, &id, NULL, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateContext", error);
    opened->own_queue =
        clCreateCommandQueue(opened->own_context, id, opened->is_timed ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateCommandQueue", error);
    return device_status(mcl_opencl_context_wrap(opened->own_context, id, &opened->context)) ||
                   device_status(mcl_opencl_queue_wrap(opened->context, opened->own_queue, &opened->queue))
               ? -1
               : 0;
}

static void opencl_close(device *closed)
{
    for (int k = 0; k < KERNELS; ++k)
        if (closed->kernels[k]) clReleaseKernel(closed->kernels[k]);
    if (closed->program) clReleaseProgram(closed->program);
    if (closed->own_queue) clReleaseCommandQueue(closed->own_queue);
    if (closed->own_context) clReleaseContext(closed->own_context);
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

static int opencl_make(device *of, size_t bytes, memory *made)
{
    cl_int error = CL_SUCCESS;
    made->buffer = clCreateBuffer(of->own_context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateBuffer", error);
    return device_status(mcl_opencl_buffer_wrap(of->context, made->buffer, &made->view));
}

static void opencl_release(void *buffer)
{
    clReleaseMemObject(buffer);
}

static int opencl_write(device *of, const memory *to, size_t bytes, const void *data)
{
    const cl_int error = clEnqueueWriteBuffer(of->own_queue, to->buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    return error == CL_SUCCESS ? 0 : device_failed("clEnqueueWriteBuffer", error);
}

static int opencl_read(device *of, const memory *from, size_t bytes, void *data)
{
    const cl_int error = clEnqueueReadBuffer(of->own_queue, from->buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    return error == CL_SUCCESS ? 0 : device_failed("clEnqueueReadBuffer", error);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

static void print_log(const device *of)
{
    size_t bytes = 0;
    if (clGetProgramBuildInfo(of->program, of->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS) return;
    char *const log = malloc(bytes + 1);
    if (log && clGetProgramBuildInfo(of->program, of->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS)
        fprintf(stderr, "%.*s\n", (int)bytes, log);
    free(log);
}

static int opencl_build(device *of, const char *const *parts, int count)
{
    char options[64], version[128] = "";
    const char *texts[PARTS_MAX] = { prelude_cl };
    cl_int error = CL_SUCCESS;
    const cl_device_id id = of->id;
    if (count >= PARTS_MAX) return device_failed("the number of parts of the kernels' text", count);
    for (int k = 0; k < count; ++k) texts[k + 1] = parts[k];
    of->program = clCreateProgramWithSource(of->own_context, (cl_uint)count + 1, texts, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateProgramWithSource", error);
    /* Fences between groups are a part of the language from 2.0 on; without the option it is that of 1.2. */
    (void)clGetDeviceInfo(of->id, CL_DEVICE_OPENCL_C_VERSION, sizeof version - 1, version, NULL);
    snprintf(options, sizeof options, "-DGROUP_ITEMS=%d%s", GROUP_ITEMS,
             strncmp(version, "OpenCL C 3", strlen("OpenCL C 3")) == 0 ? " -cl-std=CL3.0" : "");
    error = clBuildProgram(of->program, 1, &id, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        print_log(of);
        return device_failed("clBuildProgram", error);
    }
    for (int k = 0; k < KERNELS; ++k) {
        of->kernels[k] = clCreateKernel(of->program, kernel_names[k], &error);
        if (error != CL_SUCCESS) return device_failed(kernel_names[k], error);
    }
    return 0;
}

static int opencl_launch(device *of, int kernel, size_t groups, const argument *arguments, int count, timed *time)
{
    const size_t local = GROUP_ITEMS, global = groups * local;
    cl_int error = CL_SUCCESS;
    cl_event event = NULL;
    for (int k = 0; k < count && error == CL_SUCCESS; ++k)
        error = clSetKernelArg(of->kernels[kernel], (cl_uint)k, arguments[k].bytes, arguments[k].value);
    if (error != CL_SUCCESS) return device_failed("clSetKernelArg", error);
    error = clEnqueueNDRangeKernel(of->own_queue, of->kernels[kernel], 1, NULL, &global, &local, 0, NULL,
                                   time ? &event : NULL);
    if (error != CL_SUCCESS) return device_failed("clEnqueueNDRangeKernel", error);
    if (time) time->end = event;
    return 0;
}

static mcl_status opencl_record(device *of, int kernel, size_t groups, const mcl_driver_argument *arguments, int count)
{
    return mcl_opencl_launch(of->queue, of->kernels[kernel], (int64_t)groups, GROUP_ITEMS, arguments, count);
}

static double opencl_milliseconds(timed *time)
{
    cl_event event = time->end;
    cl_ulong begin = 0, end = 0;
    const int fine =
        clWaitForEvents(1, &event) == CL_SUCCESS &&
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) == CL_SUCCESS &&
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) == CL_SUCCESS;
    clReleaseEvent(event);
    return fine ? (double)(end - begin) * 1e-6 : 0;
}

const driver driver_opencl = {
    .open = opencl_open,
    .close = opencl_close,
    .make = opencl_make,
    .release = opencl_release,
    .write = opencl_write,
    .read = opencl_read,
    .build = opencl_build,
    .launch = opencl_launch,
    .record = opencl_record,
    .milliseconds = opencl_milliseconds,
};
