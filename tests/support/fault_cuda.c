/* fault_cuda.c: a CUDA driver and an NVRTC in the host's memory, in which any function may fail. Copies and fills are
 * made at once, and launches do nothing. A function that releases something releases it even where it reports a
 * failure. */
#include "faults.h"

#include "backends/cuda/cuda_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* a driver that runs nothing uses few of its parameters */

fault_cuda_state fault_cuda_is = FAULT_CUDA_USUAL;

enum {
#define CUDA_FUNCTION(member, symbol, parameters) FAULT_##member,
#define NVRTC_FUNCTION(result, member, symbol, parameters) FAULT_nvrtc_##member,
#include "backends/cuda/cuda_functions.inc"
    FUNCTION_COUNT
};

static const char *const names[FUNCTION_COUNT] = {
#define CUDA_FUNCTION(member, symbol, parameters) #symbol,
#define NVRTC_FUNCTION(result, member, symbol, parameters) #symbol,
#include "backends/cuda/cuda_functions.inc"
};

/* Begins a function: the function fails here where a test has planned that. */
#define FAIL_IF_PLANNED(number)                                                                                        \
    do {                                                                                                               \
        int code = 0;                                                                                                  \
        if (fault_strikes(number, &code)) return (CUresult)code;                                                       \
    } while (0)

#define STATUS(name, parameters, result)                                                                               \
    static CUresult cuda_##name parameters                                                                             \
    {                                                                                                                  \
        FAIL_IF_PLANNED(FAULT_##name);                                                                                 \
        return result;                                                                                                 \
    }

/* Makes a handle: a block of one byte, so that tools for leaks report handles that are not released. */
static CUresult handle_make(int number, fault_kind kind, void **out)
{
    *out = NULL;
    FAIL_IF_PLANNED(number);
    *out = malloc(1);
    fault_gave(kind, *out);
    return CUDA_SUCCESS;
}

static CUresult handle_free(int number, fault_kind kind, void *handle)
{
    int code = 0;
    const int strikes = fault_strikes(number, &code);

    free(handle);
    fault_got_back(kind);
    return strikes ? (CUresult)code : CUDA_SUCCESS;
}

/* ---- the driver: devices and contexts ---------------------------------------------------------------------------- */

static struct {
    void *primary;
    int retained;
} device;

STATUS(Init, (unsigned flags), flags == 0 ? CUDA_SUCCESS : 1)

static CUresult cuda_DriverGetVersion(int *version)
{
    FAIL_IF_PLANNED(FAULT_DriverGetVersion);
    *version = fault_cuda_is.driver_version;
    return CUDA_SUCCESS;
}

static CUresult cuda_GetErrorName(CUresult error, const char **name)
{
    FAIL_IF_PLANNED(FAULT_GetErrorName);
    *name = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_PLANNED";
    return CUDA_SUCCESS;
}

static CUresult cuda_GetErrorString(CUresult error, const char **text)
{
    FAIL_IF_PLANNED(FAULT_GetErrorString);
    *text = error ? "a failure that was planned" : "no error";
    return CUDA_SUCCESS;
}

static CUresult cuda_DeviceGetCount(int *count)
{
    FAIL_IF_PLANNED(FAULT_DeviceGetCount);
    *count = fault_cuda_is.device_count;
    return CUDA_SUCCESS;
}

static CUresult cuda_DeviceGet(CUdevice *handle, int ordinal)
{
    FAIL_IF_PLANNED(FAULT_DeviceGet);
    *handle = ordinal;
    return CUDA_SUCCESS;
}

static CUresult cuda_DeviceGetName(char *name, int capacity, CUdevice handle)
{
    FAIL_IF_PLANNED(FAULT_DeviceGetName);
    snprintf(name, (size_t)capacity, "Host memory as device %d", handle);
    return CUDA_SUCCESS;
}

static CUresult cuda_DeviceTotalMem(size_t *bytes, CUdevice handle)
{
    FAIL_IF_PLANNED(FAULT_DeviceTotalMem);
    *bytes = handle == 0 ? (size_t)1 << 30 : 0;
    return CUDA_SUCCESS;
}

static CUresult cuda_DeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice handle)
{
    FAIL_IF_PLANNED(FAULT_DeviceGetAttribute);
    *value = handle == 0 ? 1 : 0;
    if (attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) *value = 1024;
    if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) *value = 49152;
    if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) *value = 232448;
    if (attribute == CU_DEVICE_ATTRIBUTE_WARP_SIZE) *value = fault_cuda_is.lanes;
    if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) *value = 4;
    if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = fault_cuda_is.capability / 10;
    if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = fault_cuda_is.capability % 10;
    return CUDA_SUCCESS;
}

static CUresult cuda_DevicePrimaryCtxRetain(CUcontext *context, CUdevice handle)
{
    *context = NULL;
    FAIL_IF_PLANNED(FAULT_DevicePrimaryCtxRetain);
    if (!device.primary) device.primary = malloc(1);
    device.retained++;
    *context = handle == 0 ? device.primary : NULL;
    fault_gave(FAULT_CONTEXT, *context);
    return CUDA_SUCCESS;
}

static CUresult cuda_DevicePrimaryCtxRelease(CUdevice handle)
{
    int code = 0;
    const int strikes = fault_strikes(FAULT_DevicePrimaryCtxRelease, &code);

    if (handle == 0 && --device.retained == 0) {
        free(device.primary);
        device.primary = NULL;
    }
    fault_got_back(FAULT_CONTEXT);
    return strikes ? (CUresult)code : CUDA_SUCCESS;
}

STATUS(CtxPushCurrent, (CUcontext context), (void *)context == device.primary ? CUDA_SUCCESS : 201)

static CUresult cuda_CtxPopCurrent(CUcontext *context)
{
    FAIL_IF_PLANNED(FAULT_CtxPopCurrent);
    *context = device.primary;
    return CUDA_SUCCESS;
}

/* Gives the number of a context. A reset context has a new number. */
static CUresult cuda_CtxGetId(CUcontext context, unsigned long long *number)
{
    FAIL_IF_PLANNED(FAULT_CtxGetId);
    *number = 1 + (unsigned long long)fault_cuda_is.resets;
    return (void *)context == device.primary ? CUDA_SUCCESS : 201;
}

static CUresult cuda_CtxGetDevice(CUdevice *handle)
{
    FAIL_IF_PLANNED(FAULT_CtxGetDevice);
    *handle = fault_cuda_is.current;
    return CUDA_SUCCESS;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void *host(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static CUresult cuda_MemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    FAIL_IF_PLANNED(FAULT_MemGetInfo);
    *free_bytes = *total_bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

static CUresult cuda_MemAlloc(CUdeviceptr *address, size_t bytes)
{
    *address = 0;
    FAIL_IF_PLANNED(FAULT_MemAlloc);
    *address = (CUdeviceptr)(uintptr_t)calloc(1, bytes);
    fault_gave(FAULT_MEMORY, host(*address));
    return CUDA_SUCCESS;
}

static CUresult cuda_MemFree(CUdeviceptr address)
{
    return handle_free(FAULT_MemFree, FAULT_MEMORY, host(address));
}

static CUresult cuda_MemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemcpyHtoDAsync);
    memcpy(host(to), from, bytes);
    return CUDA_SUCCESS;
}

static CUresult cuda_MemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemcpyDtoHAsync);
    memcpy(to, host(from), bytes);
    return CUDA_SUCCESS;
}

static CUresult cuda_MemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemcpyDtoDAsync);
    memcpy(host(to), host(from), bytes);
    return CUDA_SUCCESS;
}

static CUresult cuda_MemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemsetD8Async);
    memset(host(to), value, count);
    return CUDA_SUCCESS;
}

static CUresult cuda_MemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemsetD16Async);
    for (size_t k = 0; k < count; k++) memcpy((char *)host(to) + k * sizeof value, &value, sizeof value);
    return CUDA_SUCCESS;
}

static CUresult cuda_MemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemsetD32Async);
    for (size_t k = 0; k < count; k++) memcpy((char *)host(to) + k * sizeof value, &value, sizeof value);
    return CUDA_SUCCESS;
}

static CUresult cuda_MemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                                      CUstream stream)
{
    FAIL_IF_PLANNED(FAULT_MemsetD2D32Async);
    for (size_t row = 0; row < height; row++)
        for (size_t k = 0; k < width; k++) memcpy((char *)host(to) + row * pitch + 4 * k, &value, sizeof value);
    return CUDA_SUCCESS;
}

/* ---- streams, events, modules --------------------------------------------------------------------------------- */

static CUresult cuda_StreamCreate(CUstream *stream, unsigned flags)
{
    void *made = NULL;
    const CUresult result = handle_make(FAULT_StreamCreate, FAULT_QUEUE, &made);

    *stream = made;
    return result;
}

static CUresult cuda_StreamDestroy(CUstream stream)
{
    return handle_free(FAULT_StreamDestroy, FAULT_QUEUE, stream);
}

STATUS(StreamSynchronize, (CUstream stream), CUDA_SUCCESS)

STATUS(StreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), event ? CUDA_SUCCESS : 400)

static CUresult cuda_StreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    FAIL_IF_PLANNED(FAULT_StreamIsCapturing);
    *status = fault_cuda_is.is_capturing;
    return CUDA_SUCCESS;
}

static CUresult cuda_ThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    FAIL_IF_PLANNED(FAULT_ThreadExchangeStreamCaptureMode);
    *mode = 0;
    return CUDA_SUCCESS;
}

/* Copies and fills are made at once also during a capture, and a graph is empty. */
STATUS(StreamBeginCapture, (CUstream stream, CUstreamCaptureMode mode),
       stream &&mode == CU_STREAM_CAPTURE_MODE_RELAXED ? CUDA_SUCCESS : 400)

static CUresult cuda_StreamEndCapture(CUstream stream, CUgraph *graph)
{
    void *made = NULL;
    const CUresult result = handle_make(FAULT_StreamEndCapture, FAULT_GRAPH, &made);

    *graph = made;
    return result;
}

static CUresult cuda_GraphInstantiate(CUgraphExec *executable, CUgraph graph, CUgraphNode *failed, char *log,
                                      size_t log_bytes)
{
    void *made = NULL;
    const CUresult result = handle_make(FAULT_GraphInstantiate, FAULT_GRAPH, &made);

    *executable = made;
    return result;
}

static CUresult cuda_GraphDestroy(CUgraph graph)
{
    return handle_free(FAULT_GraphDestroy, FAULT_GRAPH, graph);
}

STATUS(GraphLaunch, (CUgraphExec executable, CUstream stream), executable ? CUDA_SUCCESS : 400)

static CUresult cuda_GraphExecDestroy(CUgraphExec executable)
{
    return handle_free(FAULT_GraphExecDestroy, FAULT_GRAPH, executable);
}

static CUresult cuda_EventCreate(CUevent *event, unsigned flags)
{
    void *made = NULL;
    const CUresult result = handle_make(FAULT_EventCreate, FAULT_EVENT, &made);

    *event = made;
    return result;
}

static CUresult cuda_EventDestroy(CUevent event)
{
    return handle_free(FAULT_EventDestroy, FAULT_EVENT, event);
}

STATUS(EventRecord, (CUevent event, CUstream stream), event ? CUDA_SUCCESS : 400)

STATUS(EventQuery, (CUevent event), event ? CUDA_SUCCESS : 400)

STATUS(EventSynchronize, (CUevent event), event ? CUDA_SUCCESS : 400)

static CUresult cuda_EventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    FAIL_IF_PLANNED(FAULT_EventElapsedTime);
    *milliseconds = 0.5f;
    return start && end ? CUDA_SUCCESS : 400;
}

static CUresult cuda_ModuleLoadData(CUmodule *module, const void *image)
{
    void *made = NULL;
    const CUresult result = handle_make(FAULT_ModuleLoadData, FAULT_PROGRAM, &made);

    *module = made;
    return result;
}

static CUresult cuda_ModuleUnload(CUmodule module)
{
    return handle_free(FAULT_ModuleUnload, FAULT_PROGRAM, module);
}

static CUresult cuda_ModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    *function = NULL;
    FAIL_IF_PLANNED(FAULT_ModuleGetFunction);
    *function = (CUfunction)(void *)module;
    return CUDA_SUCCESS;
}

static CUresult cuda_FuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    FAIL_IF_PLANNED(FAULT_FuncGetAttribute);
    *value = 1024;
    return function ? CUDA_SUCCESS : 400;
}

/* bytes of memory that a launch may give; the driver has a number for each kernel */
static unsigned launch_memory = 49152;

static CUresult cuda_FuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    FAIL_IF_PLANNED(FAULT_FuncSetAttribute);
    if (!function || attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return 1;
    launch_memory = (unsigned)value;
    return CUDA_SUCCESS;
}

static CUresult cuda_LaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                  CUstream stream, void **parameters, void **extra)
{
    FAIL_IF_PLANNED(FAULT_LaunchKernel);
    if (shared_bytes > launch_memory) return 1;
    return function && grid_x && grid_y && grid_z && block_x && block_y && block_z ? CUDA_SUCCESS : 1;
}

static CUresult cuda_LaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)
{
    FAIL_IF_PLANNED(FAULT_LaunchKernelEx);
    if (config->sharedMemBytes > launch_memory) return 1;
    return function && config->gridDimX && config->blockDimX && config->numAttrs == 1 ? CUDA_SUCCESS : 1;
}

/* ---- NVRTC: what it makes is one word ------------------------------------------------------------------------ */

static const char image[] = "image";

static nvrtcResult nvrtc_Version(int *major, int *minor)
{
    FAIL_IF_PLANNED(FAULT_nvrtc_Version);
    *major = 12;
    *minor = 4;
    return NVRTC_SUCCESS;
}

static const char *nvrtc_GetErrorString(nvrtcResult error)
{
    int code = 0;
    return fault_strikes(FAULT_nvrtc_GetErrorString, &code) ? NULL : "a failure that was planned";
}

static nvrtcResult nvrtc_GetNumSupportedArchs(int *count)
{
    FAIL_IF_PLANNED(FAULT_nvrtc_GetNumSupportedArchs);
    *count = fault_cuda_is.known_count;
    return NVRTC_SUCCESS;
}

static nvrtcResult nvrtc_GetSupportedArchs(int *architectures)
{
    FAIL_IF_PLANNED(FAULT_nvrtc_GetSupportedArchs);
    for (int k = 0; k < fault_cuda_is.known_count; k++) architectures[k] = fault_cuda_is.known[k];
    return NVRTC_SUCCESS;
}

static nvrtcResult nvrtc_CreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count,
                                       const char *const *headers, const char *const *header_names)
{
    void *made = NULL;
    const nvrtcResult result = handle_make(FAULT_nvrtc_CreateProgram, FAULT_PROGRAM, &made);

    *program = made;
    return result;
}

static nvrtcResult nvrtc_DestroyProgram(nvrtcProgram *program)
{
    return handle_free(FAULT_nvrtc_DestroyProgram, FAULT_PROGRAM, *program);
}

static nvrtcResult nvrtc_CompileProgram(nvrtcProgram program, int option_count, const char *const *options)
{
    FAIL_IF_PLANNED(FAULT_nvrtc_CompileProgram);
    return program ? fault_cuda_is.compiled : NVRTC_ERROR_INVALID_PROGRAM;
}

#define NVRTC_TEXT(what, text)                                                                                         \
    static nvrtcResult nvrtc_Get##what##Size(nvrtcProgram program, size_t *bytes)                                      \
    {                                                                                                                  \
        FAIL_IF_PLANNED(FAULT_nvrtc_Get##what##Size);                                                                  \
        *bytes = strlen(text) + 1;                                                                                     \
        return NVRTC_SUCCESS;                                                                                          \
    }                                                                                                                  \
    static nvrtcResult nvrtc_Get##what(nvrtcProgram program, char *out)                                                \
    {                                                                                                                  \
        FAIL_IF_PLANNED(FAULT_nvrtc_Get##what);                                                                        \
        memcpy(out, text, strlen(text) + 1);                                                                           \
        return NVRTC_SUCCESS;                                                                                          \
    }
NVRTC_TEXT(ProgramLog, fault_cuda_is.log)
NVRTC_TEXT(CUBIN, image)
NVRTC_TEXT(PTX, image)

/* ---- the table ------------------------------------------------------------------------------------------------- */

static void (*const table[FUNCTION_COUNT])(void) = {
#define CUDA_FUNCTION(member, symbol, parameters) (void (*)(void)) cuda_##member,
#define NVRTC_FUNCTION(result, member, symbol, parameters) (void (*)(void)) nvrtc_##member,
#include "backends/cuda/cuda_functions.inc"
};

void *fault_cuda_load(const char *name, void *user)
{
    void *address = NULL;

    if (fault_cuda_is.lacks && strcmp(name, fault_cuda_is.lacks) == 0) return NULL;
    for (int k = 0; k < FUNCTION_COUNT; k++) {
        if (strcmp(name, names[k]) != 0) continue;
        memcpy(&address, &table[k], sizeof address);
        return address;
    }
    return NULL;
}

static int gives_handle(int function)
{
    return function == FAULT_MemAlloc || function == FAULT_StreamCreate || function == FAULT_EventCreate ||
           function == FAULT_ModuleLoadData || function == FAULT_ModuleGetFunction ||
           function == FAULT_DevicePrimaryCtxRetain || function == FAULT_nvrtc_CreateProgram;
}

/* Returns 1 where a function can wait for work. cuMemFree waits, but on a lost device there is no work for which it
 * could wait. */
static int can_block(int function)
{
    return function == FAULT_StreamSynchronize || function == FAULT_EventSynchronize ||
           function == FAULT_LaunchKernel || function == FAULT_LaunchKernelEx ||
           strncmp(names[function], "cuMemcpy", 8) == 0 || strncmp(names[function], "cuMemset", 8) == 0;
}

static const int codes[] = { 1 /* CUDA_ERROR_INVALID_VALUE */, CUDA_ERROR_OUT_OF_MEMORY, 400, 999 };
static const int lasting_codes[] = { CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_ECC_UNCORRECTABLE,
                                     CUDA_ERROR_LAUNCH_TIMEOUT };

const fault_driver fault_cuda = {
    .names = names,
    .function_count = FUNCTION_COUNT,
    .codes = codes,
    .code_count = sizeof codes / sizeof codes[0],
    .lasting_codes = lasting_codes,
    .lasting_code_count = sizeof lasting_codes / sizeof lasting_codes[0],
    .gives_handle = gives_handle,
    .can_block = can_block,
};
