/* device.c: what is the same for OpenCL and CUDA, and the library's views of the renderer's objects. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const kernel_names[KERNELS] = {
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

static int library(mcl_status status)
{
    if (status == MCL_OK) return 0;
    fprintf(stderr, "renderer: %s\n", mcl_last_error());
    return -1;
}

int device_open(device *opened, const char *name)
{
    mcl_context *found = NULL;
    *opened = (device){ 0 };
    /* The library knows devices by names; the renderer makes a context of its own on the one that it finds. */
    if (library(mcl_context_create(name, &found)) || library(mcl_context_info(found, &opened->info))) {
        mcl_context_release(found);
        return -1;
    }
    opened->backend = &opencl_backend;
    const int failed = opened->backend->open(opened, found);
    mcl_context_release(found);
    if (failed || library(mcl_queue_create_preparing(opened->context, &opened->preparing))) {
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
    if (closed->backend) closed->backend->close(closed);
    *closed = (device){ 0 };
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

int device_memory(device *of, size_t bytes, const void *data, memory *made)
{
    if (of->backend->memory_create(of, bytes, made)) return -1;
    return data ? library(mcl_buffer_write(of->queue, made->view, 0, bytes, data)) : 0;
}

void device_memory_release(device *of, memory *freed)
{
    mcl_buffer_release(freed->view);
    if (freed->handle) of->backend->memory_release(of, freed);
    *freed = (memory){ 0 };
}

int device_read(device *of, const memory *from, size_t bytes, void *data)
{
    return library(mcl_buffer_read(of->queue, from->view, 0, bytes, data));
}

int device_finish(device *of)
{
    return library(mcl_queue_finish(of->queue));
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

int device_build(device *of, const char *const *parts, int count)
{
    size_t length = 1;
    for (int k = 0; k < count; ++k) length += strlen(parts[k]);
    char *const text = malloc(length), *end = text;
    if (!text) return device_failed("malloc", (long)length);
    for (int k = 0; k < count; ++k) {
        const size_t part_length = strlen(parts[k]);
        memcpy(end, parts[k], part_length);
        end += part_length;
    }
    *end = '\0';
    const int failed = of->backend->build(of, text);
    free(text);
    return failed;
}

/* Where the times of a launch or call go; NULL: nowhere. */
static timed *time_next(device *of)
{
    if (!of->is_timed || of->is_preparing || of->time_count == TIMES_MAX) return NULL;
    timed *const next = &of->times[of->time_count++];
    *next = (timed){ .of = of->now };
    return next;
}

int device_launch(device *of, int kernel, int64_t items, const argument *arguments, int count)
{
    if (of->is_preparing) return 0;
    ++of->launches;
    return of->backend->launch(of, kernel, (size_t)((items + GROUP_ITEMS - 1) / GROUP_ITEMS), arguments, count,
                               time_next(of));
}

/* ---- calls of the library ------------------------------------------------------------------------------------- */

mcl_queue *device_calls(device *of)
{
    return of->is_preparing ? of->preparing : of->queue;
}

const mcl_options *device_options(device *of, mcl_options *options)
{
    timed *const time = time_next(of);
    options->size = sizeof *options;
    options->done = time ? &time->call : NULL;
    return options;
}

int device_called(device *of, mcl_status status)
{
    const size_t bytes = of->is_preparing ? mcl_queue_scratch_bytes(of->preparing) : 0;
    if (bytes > of->scratch_bytes) of->scratch_bytes = bytes;
    if (!of->is_preparing) ++of->calls;
    return library(status);
}

/* ---- times ---------------------------------------------------------------------------------------------------- */

times device_times(device *of)
{
    times sum = { .launches = of->launches, .calls = of->calls };
    for (int k = 0; k < of->time_count; ++k) {
        timed *const time = &of->times[k];
        double milliseconds = 0;
        if (time->call) {
            if (mcl_event_milliseconds(time->call, &milliseconds) != MCL_OK) milliseconds = 0;
            mcl_event_release(time->call);
            sum.library_milliseconds[time->of] += milliseconds;
        } else if (time->own[0]) {
            milliseconds = of->backend->milliseconds(time);
        }
        sum.milliseconds[time->of] += milliseconds;
    }
    of->time_count = of->launches = of->calls = 0;
    return sum;
}
