/* device.c: what the renderer's objects of OpenCL and of CUDA have in common. */
#include "device.h"

#include <moderncl/opencl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const kernel_names[KERNELS] = {
    [KERNEL_move_triangles] = "move_triangles",
    [KERNEL_build_tree] = "build_tree",
    [KERNEL_fit_boxes] = "fit_boxes",
    [KERNEL_begin_frame] = "begin_frame",
    [KERNEL_next_sample] = "next_sample",
    [KERNEL_begin_paths] = "begin_paths",
    [KERNEL_trace_rays] = "trace_rays",
    [KERNEL_shade_paths] = "shade_paths",
    [KERNEL_whole_paths] = "whole_paths",
    [KERNEL_first_hits] = "first_hits",
    [KERNEL_develop] = "develop",
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
    const int failed =
        device_status(mcl_context_create(name, &found)) || device_status(mcl_context_info(found, &opened->info));
    const char *const ordinal = failed ? NULL : strchr(opened->info.id, ':');
    opened->id = failed ? NULL : mcl_opencl_device(found);
    opened->by = opened->id ? &driver_opencl : &driver_cuda;
    opened->ordinal = ordinal ? atoi(ordinal + 1) : 0;
    if (!failed && !opened->id && strcmp(opened->info.backend, "cuda") != 0) {
        fprintf(stderr, "renderer: %s is a device of neither OpenCL nor CUDA\n", opened->info.id);
        opened->by = NULL;
    }
    mcl_context_release(found);
    return failed || !opened->by ? -1 : 0;
}

int device_open(device *opened, const char *name, int is_timed)
{
    *opened = (device){ .is_timed = is_timed };
    if (find_device(opened, name)) return -1;
    if (opened->by->open(opened) || device_status(mcl_queue_create_preparing(opened->context, &opened->preparing))) {
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
    closed->by->close(closed);
    *closed = (device){ 0 };
}

int device_finish(device *of)
{
    return device_status(mcl_queue_finish(of->queue));
}

/* ---- memory and kernels --------------------------------------------------------------------------------------- */

int device_memory(device *of, size_t bytes, const void *data, memory *made)
{
    made->by = of->by;
    if (of->by->make(of, bytes, made)) return -1;
    return data ? of->by->write(of, made, bytes, data) : 0;
}

void device_memory_release(memory *freed)
{
    mcl_buffer_release(freed->view);
    if (freed->buffer) freed->by->release(freed->buffer);
    *freed = (memory){ 0 };
}

int device_read(device *of, const memory *from, size_t bytes, void *data)
{
    return of->by->read(of, from, bytes, data);
}

int device_build(device *of, const char *const *parts, int count)
{
    return of->by->build(of, parts, count);
}
