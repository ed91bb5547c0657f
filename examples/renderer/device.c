/* device.c: the renderer's own OpenCL context, queue, buffers and kernels, and how the library gets to know them. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernel_names[KERNELS] = {
    [KERNEL_move_triangles] = "move_triangles", [KERNEL_build_tree] = "build_tree",
    [KERNEL_fit_boxes] = "fit_boxes",           [KERNEL_begin_paths] = "begin_paths",
    [KERNEL_extend_paths] = "extend_paths",     [KERNEL_shade_paths] = "shade_paths",
    [KERNEL_shadow_rays] = "shadow_rays",       [KERNEL_whole_paths] = "whole_paths",
    [KERNEL_first_hits] = "first_hits",         [KERNEL_develop] = "develop",
};

int device_failed(const char *what, long code)
{
    fprintf(stderr, "renderer: %s failed with code %ld\n", what, code);
    return -1;
}

int device_status(mcl_status status)
{
    if (status == MCL_OK) return 0;
    fprintf(stderr, "renderer: %s\n", mcl_last_error());
    return -1;
}

/* ---- context and queue ---------------------------------------------------------------------------------------- */

/* The library knows devices by names. */
static int find_device(device *opened, const char *name)
{
    mcl_context *found = NULL;
    int failed =
        device_status(mcl_context_create(name, &found)) || device_status(mcl_context_info(found, &opened->info));
    opened->id = failed ? NULL : mcl_opencl_device(found);
    if (!failed && !opened->id) {
        fprintf(stderr, "renderer: %s is no device of OpenCL; --device opencl takes the best one\n", opened->info.id);
        failed = -1;
    }
    mcl_context_release(found);
    return failed;
}

static int open_own(device *opened)
{
    cl_int error = CL_SUCCESS;
    opened->own_context = clCreateContext(NULL, 1, &opened->id, NULL, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateContext", error);
    opened->own_queue = clCreateCommandQueue(opened->own_context, opened->id, CL_QUEUE_PROFILING_ENABLE, &error);
    return error == CL_SUCCESS ? 0 : device_failed("clCreateCommandQueue", error);
}

int device_open(device *opened, const char *name)
{
    *opened = (device){ 0 };
    if (find_device(opened, name) || open_own(opened) ||
        device_status(mcl_opencl_context_wrap(opened->own_context, opened->id, &opened->context)) ||
        device_status(mcl_opencl_queue_wrap(opened->context, opened->own_queue, &opened->queue)) ||
        device_status(mcl_queue_create_preparing(opened->context, &opened->preparing))) {
        device_close(opened);
        return -1;
    }
    return 0;
}

void device_close(device *closed)
{
    (void)device_times(closed);
    mcl_queue_release(closed->preparing);
    mcl_queue_release(closed->queue);
    mcl_context_release(closed->context);
    for (int k = 0; k < KERNELS; ++k)
        if (closed->kernels[k]) clReleaseKernel(closed->kernels[k]);
    if (closed->program) clReleaseProgram(closed->program);
    if (closed->own_queue) clReleaseCommandQueue(closed->own_queue);
    if (closed->own_context) clReleaseContext(closed->own_context);
    *closed = (device){ 0 };
}

int device_finish(device *of)
{
    return device_status(mcl_queue_finish(of->queue));
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

int device_memory(device *of, size_t bytes, const void *data, memory *made)
{
    cl_int error = CL_SUCCESS;
    made->buffer = clCreateBuffer(of->own_context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateBuffer", error);
    if (device_status(mcl_opencl_buffer_wrap(of->context, made->buffer, &made->view))) return -1;
    if (!data) return 0;
    error = clEnqueueWriteBuffer(of->own_queue, made->buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    return error == CL_SUCCESS ? 0 : device_failed("clEnqueueWriteBuffer", error);
}

void device_memory_release(memory *freed)
{
    mcl_buffer_release(freed->view);
    if (freed->buffer) clReleaseMemObject(freed->buffer);
    *freed = (memory){ 0 };
}

int device_read(device *of, const memory *from, size_t bytes, void *data)
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

int device_build(device *of, const char *const *parts, int count)
{
    char options[64], version[128] = "";
    cl_int error = CL_SUCCESS;
    of->program =
        clCreateProgramWithSource(of->own_context, (cl_uint)count, (const char **)(uintptr_t)parts, NULL, &error);
    if (error != CL_SUCCESS) return device_failed("clCreateProgramWithSource", error);
    /* Fences between groups are a part of the language from 2.0 on; without the option it is that of 1.2. */
    (void)clGetDeviceInfo(of->id, CL_DEVICE_OPENCL_C_VERSION, sizeof version - 1, version, NULL);
    snprintf(options, sizeof options, "-DGROUP_ITEMS=%d%s", GROUP_ITEMS,
             strncmp(version, "OpenCL C 3", strlen("OpenCL C 3")) == 0 ? " -cl-std=CL3.0" : "");
    error = clBuildProgram(of->program, 1, &of->id, options, NULL, NULL);
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
