/* device.h: what the renderer owns on a device: a context, a queue, buffers and kernels, and the library's views of the
 * first three.
 *
 * All functions but the last ones return 0, or -1 after a sentence on stderr. */
#ifndef RENDERER_DEVICE_H
#define RENDERER_DEVICE_H

#include <moderncl/moderncl.h>

/* The renderer's kernels; kernel_names has their names. */
enum {
    KERNEL_move_triangles,
    KERNEL_build_tree,
    KERNEL_fit_boxes,
    KERNEL_begin_paths,
    KERNEL_extend_paths,
    KERNEL_shade_paths,
    KERNEL_shadow_rays,
    KERNEL_whole_paths,
    KERNEL_first_hits,
    KERNEL_develop,
    KERNELS
};
extern const char *const kernel_names[KERNELS];

enum { GROUP_ITEMS = 64, DEVICE_ARGUMENTS_MAX = 20, TIMES_MAX = 4096 };

/* Device memory: a cl_mem or a CUdeviceptr, and the library's view of it. */
typedef struct memory {
    uintptr_t handle;
    mcl_buffer *view;
} memory;

/* An argument of a kernel: memory, or a value. */
typedef struct argument {
    const memory *buffer;
    const void *value;
    size_t bytes;
} argument;
#define BUFFER(of) { &(of), NULL, 0 }
#define VALUE(of) { NULL, &(of), sizeof(of) }

/* What a part of a frame is for, in times. */
typedef enum frame_part { PART_BUILD, PART_PATHS, PARTS } frame_part;

/* A launch or a call that took time on the device. */
typedef struct timed {
    frame_part of;
    mcl_event *call; /* of the library; NULL: a launch of the renderer's own */
    void *own[2];    /* cl_event, or two CUevents */
} timed;

typedef struct times {
    double milliseconds[PARTS];
    double library_milliseconds[PARTS];
    int launches, calls; /* of the renderer's kernels, of the library's functions */
} times;

typedef struct device device;

/* What differs between OpenCL and CUDA. */
typedef struct backend {
    int (*open)(device *opened, mcl_context *found); /* of the device that found is of */
    void (*close)(device *closed);
    int (*memory_create)(device *of, size_t bytes, memory *made);
    void (*memory_release)(device *of, memory *freed);
    int (*build)(device *of, const char *text);
    int (*launch)(device *of, int kernel, size_t groups, const argument *arguments, int count, timed *time);
    double (*milliseconds)(timed *time); /* waits; gives the events back */
} backend;

struct device {
    const backend *backend;
    void *own; /* the backend's */
    mcl_device_info info;
    mcl_context *context; /* the library's view of the renderer's context, */
    mcl_queue *queue;     /* and of its queue */
    mcl_queue *preparing; /* runs nothing */
    int is_preparing;     /* 1: calls go to preparing, and launches are left out */
    size_t scratch_bytes; /* the most that a call has asked for */
    int is_timed;
    frame_part now;
    int time_count, launches, calls;
    timed times[TIMES_MAX];
};

extern const backend opencl_backend;

int device_open(device *opened, const char *name);
void device_close(device *closed);
int device_memory(device *of, size_t bytes, const void *data, memory *made);
void device_memory_release(device *of, memory *freed);
int device_read(device *of, const memory *from, size_t bytes, void *data);
int device_finish(device *of);

/* Compiles the parts of a text, one after the other. */
int device_build(device *of, const char *const *parts, int count);

/* Enqueues a kernel of at least items work-items, in groups of GROUP_ITEMS. */
int device_launch(device *of, int kernel, int64_t items, const argument *arguments, int count);
#define LAUNCH(of, kernel, items, ...)                                                                                 \
    device_launch(of, KERNEL_##kernel, items, (const argument[]){ __VA_ARGS__ },                                       \
                  (int)(sizeof((const argument[]){ __VA_ARGS__ }) / sizeof(argument)))

/* Where a call of the library goes, its options, and what is made of its status. */
mcl_queue *device_calls(device *of);
const mcl_options *device_options(device *of, mcl_options *options);
int device_called(device *of, mcl_status status);

/* The times of all since the last call, which begins anew. Waits. */
times device_times(device *of);

int device_failed(const char *what, long code);

#endif
