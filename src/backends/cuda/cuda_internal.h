/* cuda_internal.h: the inside of the CUDA backend: declarations of the driver and of NVRTC, the backend's structs, and
 * the functions of its table. Thanks to these declarations a build needs no CUDA toolkit. */
#ifndef MODERNCL_CUDA_INTERNAL_H
#define MODERNCL_CUDA_INTERNAL_H

#include "device/device.h"

/* ---- the driver's and NVRTC's own names, with the values of their headers -------------------------------------- */

#define MCL_CUDA_TYPES_DECLARED /* makes moderncl/cuda.h not include cuda.h */

typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct _nvrtcProgram *nvrtcProgram;
typedef int CUdevice;
#if UINTPTR_MAX > 0xffffffffu
typedef unsigned long long CUdeviceptr;
#else
typedef unsigned int CUdeviceptr;
#endif

/* These types are enumerations in the driver's headers. Only the values used here have names. */
typedef unsigned int CUresult;
typedef unsigned int CUdevice_attribute;
typedef unsigned int CUfunction_attribute;
typedef unsigned int CUstreamCaptureMode;
typedef unsigned int CUstreamCaptureStatus; /* 0 means that the stream is not being captured */
typedef unsigned int nvrtcResult;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_CAPTURED_EVENT = 907
};
enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
};
enum { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_STREAM_CAPTURE_MODE_RELAXED = 2 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

typedef struct CUlaunchAttribute {
    unsigned int id;
    char unused[4];
    union {
        char bytes[64];
        int programmaticStreamSerializationAllowed;
    } value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_OUT_OF_MEMORY = 1, NVRTC_ERROR_INVALID_PROGRAM = 4, NVRTC_ERROR_COMPILATION = 6 };

/* ---- cuda_loader.c ---------------------------------------------------------------------------------------------- */

typedef struct cuda_driver {
#define CUDA_FUNCTION(member, symbol, parameters) CUresult(*member) parameters;
#include "cuda_functions.inc"
} cuda_driver;

typedef struct cuda_compiler {
#define NVRTC_FUNCTION(result, member, symbol, parameters) result(*member) parameters;
#include "cuda_functions.inc"
} cuda_compiler;

/* The tables of functions. The first call of a function below fills them; after that they are constant. */
extern cuda_driver mcl__cuda;
extern cuda_compiler mcl__nvrtc;

/* Load the library if it is not loaded yet. They return NULL, or the name of the missing library or function. */
const char *mcl__cuda_missing(void);
const char *mcl__nvrtc_missing(void);

/* Initialises the driver. Fails with a sentence where the driver is missing or does not start. */
mcl_status mcl__cuda_require(void);

/* Returns MCL_OK for CUDA_SUCCESS. Otherwise it fails with a sentence "cuda: WHAT failed: CUDA_ERROR_X, error N
 * (text)". If the error is lasting, the device of context is lost. context may be NULL where there is none yet. */
mcl_status mcl__cuda_check(mcl_context *context, CUresult result, const char *what, ...) MCL__PRINTF(3, 4);
/* Checks the result of a function that makes a handle, and fails like mcl__cuda_check. Without a handle that function
 * has failed, whatever its result says. */
mcl_status mcl__cuda_check_made(mcl_context *context, const void *handle, CUresult result, const char *what, ...)
    MCL__PRINTF(4, 5);

/* ---- structs ---------------------------------------------------------------------------------------------------- */

typedef struct cuda_context {
    mcl_context base;
    CUcontext handle;
    CUdevice device;
    int owned;                 /* 1 if handle is the device's primary context, which is released on close */
    unsigned long long number; /* the driver's number of this context, or 0 where the driver has none */
    int capability;            /* compute capability of the device, 90 for sm_90 */
    int target;   /* architecture that NVRTC compiles for: capability, or a lower one with PTX; 0: none is possible */
    int overlaps; /* 1 if a launch may begin before the previous one has ended; its kernel then waits */
} cuda_context;

typedef struct cuda_queue {
    mcl_queue base;
    CUstream stream;
    int owned;
    int bracket_timed; /* 1 if the last call_begin has recorded start */
    CUevent start;     /* event for the next call_begin, until a cuda_event takes it; NULL: not made yet */
    struct {           /* arguments of the present launch */
        CUdeviceptr addresses[MCL__ARGS_MAX];
        void *parameters[MCL__ARGS_MAX];
    } args;
} cuda_queue;

typedef struct cuda_event {
    mcl_event base;
    CUevent start; /* event at the call's start; NULL where the call is not timed */
    CUevent end;
    int owned;
    CUstream stream;      /* stream of a mark; NULL in other events */
    atomic_int postponed; /* 1 if end must still be recorded, since the stream was being captured */
} cuda_event;

static inline cuda_context *mcl__cuda_context_of(mcl_context *context)
{
    return (cuda_context *)context;
}

/* Make the context current for an entry of the table, and afterwards restore the thread's earlier current context. */
mcl_status mcl__cuda_enter(mcl_context *context);
void mcl__cuda_leave(void);
/* Makes the context current for functions that release something. If the driver refuses, they continue without it.
 * *entered receives 1 where the caller must leave the context. Returns 0 where nothing may be released: other code has
 * ended the context, for example with cudaDeviceReset. The driver would then follow handles into freed memory. */
int mcl__cuda_enter_quietly(mcl_context *context, int *entered);

/* ---- entries of the table --------------------------------------------------------------------------------------- */

/* cuda_device.c */
mcl_status mcl__cuda_device_count(int *count);
mcl_status mcl__cuda_device_info(int device, mcl_device_info *info);
void mcl__cuda_device_missing(mcl__text *out, int is_wanted);
mcl_status mcl__cuda_context_open(int device, mcl_context **out);
mcl_status mcl__cuda_context_open_around(CUcontext handle, CUdevice device, int owned, mcl_context **out);
void mcl__cuda_context_close(mcl_context *context);
mcl_status mcl__cuda_memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block);
void mcl__cuda_memory_release(mcl_context *context, uintptr_t block);
void mcl__cuda_memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin);

/* cuda_queue.c */
mcl_status mcl__cuda_queue_open(mcl_context *context, int flags, mcl_queue **out);
void mcl__cuda_queue_close(mcl_queue *queue);
mcl_status mcl__cuda_queue_finish(mcl_queue *queue);
mcl_status mcl__cuda_queue_flush(mcl_queue *queue);
mcl_status mcl__cuda_queue_wait(mcl_queue *queue, mcl_event *const *events, int count);
mcl_status mcl__cuda_queue_wait_driver(mcl_queue *queue, void *const *events, int count);
mcl_status mcl__cuda_read(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking);
mcl_status mcl__cuda_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                           int blocking);
mcl_status mcl__cuda_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                          size_t pattern_bytes);
mcl_status mcl__cuda_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                          size_t bytes);
mcl_status mcl__cuda_launch(mcl_queue *queue, const mcl__launch *launch);

/* cuda_replay.c */
mcl_status mcl__cuda_recording_make(mcl_queue *queue, mcl_recording *recording);
mcl_status mcl__cuda_recording_replay(mcl_queue *queue, const mcl_recording *recording);
void mcl__cuda_recording_close(mcl_recording *recording);

/* cuda_event.c */
mcl_status mcl__cuda_queue_mark(mcl_queue *queue, mcl_event **out);
mcl_status mcl__cuda_call_begin(mcl_queue *queue, int wants_event);
mcl_status mcl__cuda_call_end(mcl_queue *queue, mcl_event **out);
mcl_status mcl__cuda_call_end_driver(mcl_queue *queue, void **event);
/* Makes an event around end, which it does not own. */
mcl_status mcl__cuda_event_around(mcl_context *context, CUevent end, mcl_event **out);
mcl_status mcl__cuda_event_wait(mcl_event *event);
int mcl__cuda_event_done(mcl_event *event);
mcl_status mcl__cuda_event_milliseconds(mcl_event *event, double *milliseconds);
void mcl__cuda_event_close(mcl_event *event);

/* cuda_program.c */
void mcl__cuda_language(char *out, size_t capacity);           /* writes a text such as "CUDA 13.0, NVRTC 13.0" */
mcl_status mcl__cuda_compiler_describe(cuda_context *context); /* fills target, language, options, identity */
mcl_status mcl__cuda_program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                   void **program);
mcl_status mcl__cuda_program_load(mcl_context *context, const void *binary, size_t bytes, void **program);
mcl_status mcl__cuda_program_binary(mcl_context *context, void *program, mcl__text *out);
void mcl__cuda_program_release(mcl_context *context, void *program);
mcl_status mcl__cuda_kernel_create(mcl_context *context, void *program, const char *name, void **kernel);
void mcl__cuda_kernel_release(mcl_context *context, void *kernel);
mcl_status mcl__cuda_kernel_max_threads(mcl_context *context, void *kernel, int *threads);
void mcl__cuda_kernel_warm(mcl_queue *queue, void *kernel, int64_t work_items);

#endif
