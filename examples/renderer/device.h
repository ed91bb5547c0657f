/* device.h: what the renderer owns on a device: a context, a queue, buffers and kernels, of OpenCL or of CUDA; and the
 * library's views of the first three. Handles are void * here; device_opencl.c and device_cuda.c know what they are.
 *
 * Functions that return int return 0, or -1 after a sentence on stderr. */
#ifndef RENDERER_DEVICE_H
#define RENDERER_DEVICE_H

#include <moderncl/moderncl.h>

/* The renderer's kernels; kernel_names has their names. */
enum {
    KERNEL_move_triangles,
    KERNEL_build_tree,
    KERNEL_fit_boxes,
    KERNEL_begin_frame,
    KERNEL_next_sample,
    KERNEL_begin_paths,
    KERNEL_trace_rays,
    KERNEL_shade_paths,
    KERNEL_whole_paths,
    KERNEL_first_hits,
    KERNEL_develop,
    KERNELS
};

extern const char *const kernel_names[KERNELS];

enum { GROUP_ITEMS = 64, TIMES_MAX = 4096, ARGUMENTS_MAX = 32 };

/* Device memory, and the library's view of it. */
typedef struct memory {
    void *buffer; /* cl_mem, or the address that CUDA gives */
    mcl_buffer *view;
    const struct driver *by;
} memory;

/* An argument of a kernel: clSetKernelArg takes the first two, cuLaunchKernel the value alone. */
typedef struct argument {
    size_t bytes;
    const void *value;
    mcl_buffer *view; /* of a buffer, for the library */
} argument;
#define BUFFER(of) { sizeof(of).buffer, &(of).buffer, (of).view }
#define VALUE(of) { sizeof(of), &(of), NULL }

/* What a part of a frame is for, in times. */
typedef enum frame_part { PART_BUILD, PART_PATHS, PARTS } frame_part;

/* A launch or a call that takes time on the device. */
typedef struct timed {
    frame_part of;
    int is_call;       /* of the library */
    mcl_event *call;   /* its event on OpenCL; else NULL, and: */
    void *begin, *end; /* events of the driver; one for both, end, where OpenCL times a launch */
} timed;

/* Sums of times: of all, and of the library's calls alone. */
typedef struct times {
    double milliseconds[PARTS];
    double library_milliseconds[PARTS];
    int launches, calls; /* of the renderer's kernels, of the library's functions */
} times;

typedef struct device {
    const struct driver *by;
    void *id;                  /* of OpenCL */
    int ordinal, architecture; /* of CUDA: 90 for sm_90 */
    void *own_context, *own_queue, *program;
    void *kernels[KERNELS];
    mcl_device_info info;
    mcl_context *context; /* the library's view of own_context, */
    mcl_queue *queue;     /* and of own_queue */
    mcl_queue *preparing; /* runs nothing */
    int is_preparing;     /* 1: calls go to preparing, and launches do nothing */
    int is_recording;     /* 1: calls and launches go into a recording */
    size_t scratch_bytes; /* the most that a call has asked for */
    int is_timed;
    frame_part now;
    int time_count, launches, calls;
    timed *call; /* the time of the call that is being made; NULL: it is not timed */
    timed times[TIMES_MAX];
} device;

/* What differs between OpenCL and CUDA. */
typedef struct driver {
    int (*open)(device *opened); /* makes own_context and own_queue, and the library's views of them */
    void (*close)(device *closed);
    int (*make)(device *of, size_t bytes, memory *made); /* a buffer and its view */
    void (*release)(void *buffer);
    int (*write)(device *of, const memory *to, size_t bytes, const void *data); /* waits, as read does */
    int (*read)(device *of, const memory *from, size_t bytes, void *data);
    int (*build)(device *of, const char *const *parts, int count);
    int (*launch)(device *of, int kernel, size_t groups, const argument *arguments, int count, timed *time);
    mcl_status (*record)(device *of, int kernel, size_t groups, const mcl_driver_argument *arguments, int count);
    void (*mark)(device *of, void **event); /* the time of a call begins or ends; NULL: the library measures it */
    double (*milliseconds)(timed *time);    /* waits, and releases the events */
} driver;

extern const driver driver_opencl, driver_cuda;

/* ---- device.c -------------------------------------------------------------------------------------------------- */

/* name: as mcl_context_create takes it. is_timed: launches and calls are, which a recording's cannot be. */
int device_open(device *opened, const char *name, int is_timed);
void device_close(device *closed);
int device_memory(device *of, size_t bytes, const void *data, memory *made);
void device_memory_release(memory *freed);
int device_read(device *of, const memory *from, size_t bytes, void *data);
int device_finish(device *of);

/* Compiles the parts of a text, one after the other, after the prelude of the language. */
int device_build(device *of, const char *const *parts, int count);

int device_failed(const char *what, long code);
int device_status(mcl_status status);

/* ---- launch.c -------------------------------------------------------------------------------------------------- */

/* Enqueues a kernel of at least items work-items, in groups of GROUP_ITEMS. */
int device_launch(device *of, int kernel, int64_t items, const argument *arguments, int count);
#define LAUNCH(of, kernel, items, ...)                                                                                 \
    device_launch(of, KERNEL_##kernel, items, (const argument[]){ __VA_ARGS__ },                                       \
                  (int)(sizeof((const argument[]){ __VA_ARGS__ }) / sizeof(argument)))

/* Launches and calls between the two are recorded and do not run; device_replay runs them. */
int device_record(device *of);
int device_recorded(device *of, mcl_recording **made);
int device_replay(device *of, mcl_recording *recording);

/* Where a call of the library goes, its options, and what is made of its status. */
mcl_queue *device_calls(device *of);
const mcl_options *device_options(device *of, mcl_options *options);
int device_called(device *of, mcl_status status);

/* The times of all since the last call, which begins anew. Waits. */
times device_times(device *of);

#endif
