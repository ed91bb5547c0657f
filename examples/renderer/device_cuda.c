/* device_cuda.c: the renderer's own CUDA context, stream, memory and module. The driver and NVRTC are opened at run
 * time, so that the renderer is built without the toolkit. */
#include "device.h"

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct _nvrtcProgram *nvrtcProgram;
typedef unsigned long long CUdeviceptr;
#include <moderncl/cuda.h>

#include "prelude_cuda.cl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_NON_BLOCKING = 1, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

#define DRIVER_FUNCTIONS(X)                                                                                            \
    X(Init, cuInit, (unsigned flags))                                                                                  \
    X(DeviceGet, cuDeviceGet, (int *device, int ordinal))                                                              \
    X(DeviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, int device))                               \
    X(CtxRetain, cuDevicePrimaryCtxRetain, (CUcontext * context, int device))                                          \
    X(CtxRelease, cuDevicePrimaryCtxRelease_v2, (int device))                                                          \
    X(CtxSetCurrent, cuCtxSetCurrent, (CUcontext context))                                                             \
    X(StreamCreate, cuStreamCreate, (CUstream * stream, unsigned flags))                                               \
    X(StreamDestroy, cuStreamDestroy_v2, (CUstream stream))                                                            \
    X(StreamSynchronize, cuStreamSynchronize, (CUstream stream))                                                       \
    X(MemAlloc, cuMemAlloc_v2, (CUdeviceptr * address, size_t bytes))                                                  \
    X(MemFree, cuMemFree_v2, (CUdeviceptr address))                                                                    \
    X(MemcpyHtoD, cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))             \
    X(MemcpyDtoH, cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))                   \
    X(ModuleLoadData, cuModuleLoadData, (CUmodule * module, const void *image))                                        \
    X(ModuleUnload, cuModuleUnload, (CUmodule module))                                                                 \
    X(ModuleGetFunction, cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))              \
    X(LaunchKernel, cuLaunchKernel,                                                                                    \
      (CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned items_x,                 \
       unsigned items_y, unsigned items_z, unsigned shared_bytes, CUstream stream, void **arguments, void **extra))    \
    X(EventCreate, cuEventCreate, (CUevent * event, unsigned flags))                                                   \
    X(EventDestroy, cuEventDestroy_v2, (CUevent event))                                                                \
    X(EventRecord, cuEventRecord, (CUevent event, CUstream stream))                                                    \
    X(EventSynchronize, cuEventSynchronize, (CUevent event))                                                           \
    X(EventElapsedTime, cuEventElapsedTime, (float *milliseconds, CUevent begin, CUevent end))

#define COMPILER_FUNCTIONS(X)                                                                                          \
    X(Create, nvrtcCreateProgram,                                                                                      \
      (nvrtcProgram * program, const char *text, const char *name, int headers, const char *const *texts,              \
       const char *const *names))                                                                                      \
    X(Compile, nvrtcCompileProgram, (nvrtcProgram program, int count, const char *const *options))                     \
    X(Destroy, nvrtcDestroyProgram, (nvrtcProgram * program))                                                          \
    X(LogSize, nvrtcGetProgramLogSize, (nvrtcProgram program, size_t *bytes))                                          \
    X(Log, nvrtcGetProgramLog, (nvrtcProgram program, char *log))                                                      \
    X(BinarySize, nvrtcGetCUBINSize, (nvrtcProgram program, size_t *bytes))                                            \
    X(Binary, nvrtcGetCUBIN, (nvrtcProgram program, char *binary))

#define MEMBER(member, symbol, parameters) int(*member) parameters;
static struct {
    DRIVER_FUNCTIONS(MEMBER)
} cu;
static struct {
    COMPILER_FUNCTIONS(MEMBER)
} nvrtc;

static int check(int code, const char *what)
{
    return code == 0 ? 0 : device_failed(what, code);
}

/* ---- the two libraries ---------------------------------------------------------------------------------------- */

static void *open_one_of(const char *const *names)
{
    void *library = NULL;
    for (int k = 0; names[k] && !library; ++k) library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "renderer: %s cannot be opened; CUDA needs it\n", names[0]);
    return library;
}

static int find_function(void *library, const char *name, void *function)
{
    void *const address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    if (!address) fprintf(stderr, "renderer: CUDA has no function %s here\n", name);
    return address ? 0 : -1;
}

static int open_libraries(void)
{
    static const char *const drivers[] = { "libcuda.so.1", "libcuda.so", NULL };
    static const char *const compilers[] = {
        "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so", NULL
    };
    void *const main_library = open_one_of(drivers), *const compiler = main_library ? open_one_of(compilers) : NULL;
    if (!compiler) return -1;
#define FIND(member, symbol, parameters) || find_function(main_library, #symbol, &cu.member)
    if (0 DRIVER_FUNCTIONS(FIND)) return -1;
#undef FIND
#define FIND(member, symbol, parameters) || find_function(compiler, #symbol, &nvrtc.member)
    return 0 COMPILER_FUNCTIONS(FIND) ? -1 : 0;
#undef FIND
}

/* ---- context and stream --------------------------------------------------------------------------------------- */

static int cuda_open(device *opened)
{
    int major = 0, minor = 0, id = 0;
    CUcontext context = NULL;
    CUstream stream = NULL;
    if (open_libraries() || check(cu.Init(0), "cuInit") || check(cu.DeviceGet(&id, opened->ordinal), "cuDeviceGet") ||
        check(cu.DeviceGetAttribute(&major, CAPABILITY_MAJOR, id), "cuDeviceGetAttribute") ||
        check(cu.DeviceGetAttribute(&minor, CAPABILITY_MINOR, id), "cuDeviceGetAttribute") ||
        check(cu.CtxRetain(&context, id), "cuDevicePrimaryCtxRetain"))
        return -1;
    opened->ordinal = id;
    opened->architecture = 10 * major + minor;
    opened->own_context = context;
    if (check(cu.CtxSetCurrent(context), "cuCtxSetCurrent") ||
        check(cu.StreamCreate(&stream, STREAM_NON_BLOCKING), "cuStreamCreate"))
        return -1;
    opened->own_queue = stream;
    return device_status(mcl_cuda_context_wrap(context, &opened->context)) ||
                   device_status(mcl_cuda_queue_wrap(opened->context, stream, &opened->queue))
               ? -1
               : 0;
}

static void cuda_close(device *closed)
{
    if (closed->program) cu.ModuleUnload(closed->program);
    if (closed->own_queue) cu.StreamDestroy(closed->own_queue);
    if (closed->own_context) cu.CtxRelease(closed->ordinal);
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

static CUdeviceptr address_of(const void *buffer)
{
    return (CUdeviceptr)(uintptr_t)buffer;
}

static int cuda_make(device *of, size_t bytes, memory *made)
{
    CUdeviceptr address = 0;
    if (check(cu.MemAlloc(&address, bytes), "cuMemAlloc")) return -1;
    made->buffer = (void *)(uintptr_t)address;
    return device_status(mcl_cuda_buffer_wrap(of->context, address, bytes, &made->view));
}

static void cuda_release(void *buffer)
{
    cu.MemFree(address_of(buffer));
}

static int cuda_write(device *of, const memory *to, size_t bytes, const void *data)
{
    return check(cu.MemcpyHtoD(address_of(to->buffer), data, bytes, of->own_queue), "cuMemcpyHtoDAsync") ||
                   check(cu.StreamSynchronize(of->own_queue), "cuStreamSynchronize")
               ? -1
               : 0;
}

static int cuda_read(device *of, const memory *from, size_t bytes, void *data)
{
    return check(cu.MemcpyDtoH(data, address_of(from->buffer), bytes, of->own_queue), "cuMemcpyDtoHAsync") ||
                   check(cu.StreamSynchronize(of->own_queue), "cuStreamSynchronize")
               ? -1
               : 0;
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

static char *joined(const char *const *parts, int count)
{
    size_t bytes = strlen(prelude_cuda_cl) + 1;
    for (int k = 0; k < count; ++k) bytes += strlen(parts[k]);
    char *const text = malloc(bytes);
    if (!text) return NULL;
    size_t at = (size_t)snprintf(text, bytes, "%s", prelude_cuda_cl);
    for (int k = 0; k < count; ++k) at += (size_t)snprintf(text + at, bytes - at, "%s", parts[k]);
    return text;
}

static void print_log(nvrtcProgram program)
{
    size_t bytes = 0;
    char *const log = nvrtc.LogSize(program, &bytes) == 0 ? malloc(bytes + 1) : NULL;
    if (log && nvrtc.Log(program, log) == 0) fprintf(stderr, "%.*s\n", (int)bytes, log);
    free(log);
}

/* The machine code of a text; free it. NULL after a sentence. */
static char *compiled(const char *text, int architecture)
{
    char target[32], group[32];
    size_t bytes = 0;
    nvrtcProgram program = NULL;
    snprintf(target, sizeof target, "--gpu-architecture=sm_%d", architecture);
    snprintf(group, sizeof group, "-DGROUP_ITEMS=%d", GROUP_ITEMS);
    const char *const options[] = { target, group, "--std=c++17", "--device-as-default-execution-space" };
    if (check(nvrtc.Create(&program, text, "renderer.cu", 0, NULL, NULL), "nvrtcCreateProgram")) return NULL;
    const int error = nvrtc.Compile(program, sizeof options / sizeof options[0], options);
    if (error) print_log(program);
    char *binary = NULL;
    if (check(error, "nvrtcCompileProgram") == 0 && check(nvrtc.BinarySize(program, &bytes), "nvrtcGetCUBINSize") == 0)
        binary = malloc(bytes + 1);
    if (binary && check(nvrtc.Binary(program, binary), "nvrtcGetCUBIN")) {
        free(binary);
        binary = NULL;
    }
    nvrtc.Destroy(&program);
    return binary;
}

static int cuda_build(device *of, const char *const *parts, int count)
{
    CUmodule module = NULL;
    char *const text = joined(parts, count), *const binary = text ? compiled(text, of->architecture) : NULL;
    int failed = binary ? check(cu.ModuleLoadData(&module, binary), "cuModuleLoadData") : -1;
    of->program = module;
    for (int k = 0; k < KERNELS && !failed; ++k) {
        CUfunction function = NULL;
        failed = check(cu.ModuleGetFunction(&function, module, kernel_names[k]), kernel_names[k]);
        of->kernels[k] = function;
    }
    free(text);
    free(binary);
    return failed;
}

/* Records a new event; a time without both events counts as 0. */
static void cuda_mark(device *of, void **event)
{
    CUevent made = NULL;
    if (cu.EventCreate(&made, 0) == 0) cu.EventRecord(made, of->own_queue);
    *event = made;
}

static int cuda_launch(device *of, int kernel, size_t groups, const argument *arguments, int count, timed *time)
{
    void *values[ARGUMENTS_MAX];
    for (int k = 0; k < count; ++k) memcpy(&values[k], &arguments[k].value, sizeof values[k]);
    if (time) cuda_mark(of, &time->begin);
    const int failed = check(
        cu.LaunchKernel(of->kernels[kernel], (unsigned)groups, 1, 1, GROUP_ITEMS, 1, 1, 0, of->own_queue, values, NULL),
        kernel_names[kernel]);
    if (time) cuda_mark(of, &time->end);
    return failed;
}

static mcl_status cuda_record(device *of, int kernel, size_t groups, const mcl_driver_argument *arguments, int count)
{
    return mcl_cuda_launch(of->queue, of->kernels[kernel], (int64_t)groups, GROUP_ITEMS, arguments, count);
}

static double cuda_milliseconds(timed *time)
{
    float milliseconds = 0;
    if (!time->begin || cu.EventSynchronize(time->end) != 0 ||
        cu.EventElapsedTime(&milliseconds, time->begin, time->end) != 0)
        milliseconds = 0;
    if (time->begin) cu.EventDestroy(time->begin);
    cu.EventDestroy(time->end);
    return milliseconds;
}

const driver driver_cuda = {
    .open = cuda_open,
    .close = cuda_close,
    .make = cuda_make,
    .release = cuda_release,
    .write = cuda_write,
    .read = cuda_read,
    .build = cuda_build,
    .launch = cuda_launch,
    .record = cuda_record,
    .mark = cuda_mark,
    .milliseconds = cuda_milliseconds,
};
