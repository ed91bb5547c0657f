/* opencl_internal.h: the inside of the OpenCL backend: the driver's functions, and the backend's structs and
 * functions. */
#ifndef MODERNCL_OPENCL_INTERNAL_H
#define MODERNCL_OPENCL_INTERNAL_H

/* The headers must declare OpenCL 3.0, since some queries use its constants. All functions that are called are in
 * 1.2. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "device/device.h"
#include "moderncl/opencl.h"

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

/* ---- opencl_loader.c ---------------------------------------------------------------------------------------- */

typedef struct mcl__opencl_functions {
#ifdef OPENCL_CL_FUNCTION_TYPES_H_ /* newer headers declare function types, older ones pointer types */
#define F(name) cl##name##_t *name;
#else
#define F(name) cl_api_cl##name name;
#endif
#include "opencl_functions.inc"
#undef F
} mcl__opencl_functions;

extern mcl__opencl_functions mcl__cl; /* filled by mcl__opencl_load */

int mcl__opencl_load(void); /* returns 1 where mcl__cl may be used */
/* Appends a part of a sentence that says what was not found. Call it after mcl__opencl_load has returned 0. */
void mcl__opencl_missing(mcl__text *out);
/* Stores an extension's function in *out, which points to a pointer of the function's type. Returns 0 where there is no
 * such function. */
int mcl__opencl_take(cl_platform_id platform, const char *name, void *out);
/* Returns MCL_OK for CL_SUCCESS. Otherwise it fails with a sentence that names the driver's function and the error. If
 * the error is lasting, the device of context is lost. context is NULL where the handle is a caller's. */
mcl_status mcl__opencl_check(mcl_context *context, cl_int error, const char *function);
/* Checks the result of a function that makes a handle, and fails like mcl__opencl_check. Without a handle that function
 * has failed, whatever its result says. */
mcl_status mcl__opencl_check_made(mcl_context *context, const void *handle, cl_int error, const char *function);
const char *mcl__opencl_error_name(cl_int error); /* returns a name such as "CL_INVALID_VALUE" */

/* ---- opencl_device.c ---------------------------------------------------------------------------------------- */

/* Properties that the driver reports of a device and that mcl_device_info does not have. */
typedef struct mcl__opencl_facts {
    int language_version; /* newest OpenCL C that the driver compiles, such as 300 for 3.0 */
    char platform_version[128];
    int has_int64_atomics;    /* 1 if the device has cl_khr_int64_base_atomics */
    int has_subgroup_shuffle; /* 1 if it has sub-groups with cl_khr_subgroup_shuffle and shuffle_relative */
    int sub_group_required;   /* 1 if it has several sub-group sizes, so that kernels must ask for one */
    int is_limited;           /* 1 if MCL_FEATURES has opencl=1.2: then only OpenCL 1.2, double and half are used */
} mcl__opencl_facts;

mcl_status mcl__opencl_device_count(int *count);
mcl_status mcl__opencl_device_info(int device, mcl_device_info *info);
void mcl__opencl_device_missing(mcl__text *out, int is_wanted);
cl_device_id mcl__opencl_device_handle(int device);
int mcl__opencl_has_extension(cl_device_id device, const char *name);
mcl_status mcl__opencl_describe(cl_device_id device, mcl_device_info *info, mcl__opencl_facts *facts);

/* ---- opencl_usm.c ------------------------------------------------------------------------------------------- */

/* The driver's functions for unified shared memory, whose handle is an address. */
typedef struct mcl__opencl_usm {
    clSetKernelArgMemPointerINTEL_fn set_argument;
    clEnqueueMemcpyINTEL_fn copy;
    clEnqueueMemFillINTEL_fn fill;
    int is_there;
} mcl__opencl_usm;

void mcl__opencl_usm_find(cl_device_id device, mcl__opencl_usm *out); /* leaves *out zero where a function is missing */

/* ---- opencl_context.c --------------------------------------------------------------------------------------- */

typedef struct opencl_context {
    mcl_context base;
    cl_context handle;
    cl_device_id device;
    int owned;
    int is_limited;      /* the member is_limited of mcl__opencl_facts */
    mcl__opencl_usm usm; /* functions for addresses; all zero where is_limited is 1 */
} opencl_context;

mcl_status mcl__opencl_context_open(int device, mcl_context **out);
/* Makes a context around a handle. An owned handle is released together with the context, and also where this function
 * fails. */
mcl_status mcl__opencl_context_make(cl_context handle, cl_device_id device, int owned, mcl_context **out);
void mcl__opencl_context_close(mcl_context *context);
mcl_status mcl__opencl_memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block);
void mcl__opencl_memory_release(mcl_context *context, uintptr_t block);
/* The common root of all buffers with addresses, as if they were ranges of one buffer. No cl_mem has this value. */
enum { MCL__OPENCL_ADDRESSES = 1 };
void mcl__opencl_memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin);

/* ---- opencl_queue.c ----------------------------------------------------------------------------------------- */

typedef struct opencl_queue {
    mcl_queue base;
    cl_command_queue handle;
    int owned;
    int out_of_order;
    int recording;     /* 1 if the last call_begin was told that an event is wanted */
    int enqueued;      /* 1 if a command has been enqueued since call_begin */
    cl_event previous; /* event that the next command of an out-of-order queue waits for */
    cl_event first;    /* on a profiling queue: events of the first and last command since call_begin */
    cl_event last;
} opencl_queue;

mcl_status mcl__opencl_queue_open(mcl_context *context, int flags, mcl_queue **out);
void mcl__opencl_queue_close(mcl_queue *queue);
mcl_status mcl__opencl_queue_finish(mcl_queue *queue);
mcl_status mcl__opencl_queue_flush(mcl_queue *queue);
mcl_status mcl__opencl_queue_wait(mcl_queue *queue, mcl_event *const *events, int count);
mcl_status mcl__opencl_queue_wait_driver(mcl_queue *queue, void *const *events, int count);
mcl_status mcl__opencl_queue_mark(mcl_queue *queue, mcl_event **out);
mcl_status mcl__opencl_read(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking);
mcl_status mcl__opencl_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                             int blocking);
mcl_status mcl__opencl_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                            size_t pattern_bytes);
mcl_status mcl__opencl_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                            size_t bytes);
mcl_status mcl__opencl_launch(mcl_queue *queue, const mcl__launch *launch);
/* Do the two parts of a launch: mcl__opencl_arguments_set sets the kernel's arguments, mcl__opencl_launch_enqueue
 * enqueues the kernel. */
mcl_status mcl__opencl_arguments_set(mcl_context *context, const mcl__launch *launch);
mcl_status mcl__opencl_launch_enqueue(mcl_queue *queue, const mcl__launch *launch);
/* Counts a command that has been enqueued, and becomes the owner of its event. Fails where error says that the enqueue
 * failed. */
mcl_status mcl__opencl_command_done(opencl_queue *queue, cl_int error, cl_event event, const char *function);
mcl_status mcl__opencl_call_begin(mcl_queue *queue, int wants_event);
mcl_status mcl__opencl_call_end(mcl_queue *queue, mcl_event **out);
mcl_status mcl__opencl_call_end_driver(mcl_queue *queue, void **event);

/* ---- opencl_replay.c ---------------------------------------------------------------------------------------- */

mcl_status mcl__opencl_recording_make(mcl_queue *queue, mcl_recording *recording);
mcl_status mcl__opencl_recording_replay(mcl_queue *queue, const mcl_recording *recording);
void mcl__opencl_recording_close(mcl_recording *recording);

/* ---- opencl_event.c ----------------------------------------------------------------------------------------- */

typedef struct opencl_event {
    mcl_event base;
    cl_event first; /* event of the first command; NULL: the event has no times */
    cl_event last;
    cl_command_queue queue; /* queue of the command; NULL: the event is the caller's, and no member is a reference */
} opencl_event;

mcl_status mcl__opencl_event_wait(mcl_event *event);
int mcl__opencl_event_done(mcl_event *event);
mcl_status mcl__opencl_event_milliseconds(mcl_event *event, double *milliseconds);
void mcl__opencl_event_close(mcl_event *event);

/* ---- opencl_program.c --------------------------------------------------------------------------------------- */

mcl_status mcl__opencl_program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                     void **program);
mcl_status mcl__opencl_program_load(mcl_context *context, const void *binary, size_t bytes, void **program);
mcl_status mcl__opencl_program_binary(mcl_context *context, void *program, mcl__text *out);
void mcl__opencl_program_release(mcl_context *context, void *program);
mcl_status mcl__opencl_kernel_create(mcl_context *context, void *program, const char *name, void **kernel);
void mcl__opencl_kernel_release(mcl_context *context, void *kernel);
mcl_status mcl__opencl_kernel_max_threads(mcl_context *context, void *kernel, int *threads);

/* ---- opencl_warm.c ------------------------------------------------------------------------------------------ */

void mcl__opencl_kernel_warm(mcl_queue *queue, void *kernel, int64_t work_items);

/* ---- opencl_ptx.c ------------------------------------------------------------------------------------------- */

/* Copies a program's PTX, and adds the directive .minnctapersm N to each kernel that has the remark "// groups N". The
 * driver then limits the kernel's registers so that N groups can share a compute unit. Returns 0 where no kernel has
 * such a remark. */
int mcl__opencl_ptx_bounds(const mcl__text *ptx, mcl__text *out);

#endif
