/* cuda_loader.c: opens the CUDA driver and NVRTC at run time. It also has what all entries need: the error sentence of
 * a failed driver call, and the change of the current context. */
#include "backends/cuda/cuda_internal.h"

#include "moderncl/cuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cuda_driver mcl__cuda;
cuda_compiler mcl__nvrtc;

typedef struct library_function {
    const char *symbol;
    size_t offset; /* offset of the function's pointer in the table */
    int optional;
} library_function;

static const library_function driver_functions[] = {
#define CUDA_FUNCTION(member, symbol, parameters) { #symbol, offsetof(cuda_driver, member), 0 },
#define CUDA_FUNCTION_IF_THERE(member, symbol, parameters) { #symbol, offsetof(cuda_driver, member), 1 },
#include "cuda_functions.inc"
};

static const library_function compiler_functions[] = {
#define NVRTC_FUNCTION(result, member, symbol, parameters) { #symbol, offsetof(cuda_compiler, member), 0 },
#include "cuda_functions.inc"
};

static const char *const driver_libraries[] = {
#ifdef _WIN32
    "nvcuda.dll",
#else
    "libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1",
#endif
    NULL
};

/* The newest library comes first, since only it knows the newest devices. */
static const char *const compiler_libraries[] = {
#ifdef _WIN32
    "nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll",
#else
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so.11.2",
    "libnvrtc.so",
    "/usr/local/cuda/lib64/libnvrtc.so",
    "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/local/cuda/lib64/libnvrtc.so.12",
#endif
    NULL
};

typedef struct library_state {
    int tried;
    const char *missing;
} library_state;

/* The process lock guards the states and the caller's loader. */
static library_state driver_state;
static library_state compiler_state;
static mcl_cuda_loader callers_loader;
static void *callers_user;

static const char *library_load(const char *const *names, const library_function *functions, size_t count, void *table)
{
    void *const library = callers_loader ? NULL : mcl__library_open(names);
    if (!library && !callers_loader) return names[0];
    for (size_t i = 0; i < count; ++i) {
        const char *const symbol = functions[i].symbol;
        void *const address =
            callers_loader ? callers_loader(symbol, callers_user) : mcl__library_symbol(library, symbol);
        if (!address && !functions[i].optional) return functions[i].symbol;
        /* memcpy copies the pointer, since standard C has no cast from a data pointer to a function pointer. */
        memcpy((char *)table + functions[i].offset, &address, sizeof address);
    }
    return NULL;
}

const char *mcl__cuda_missing(void)
{
    mcl__process_lock();
    if (!driver_state.tried) {
        driver_state.missing = library_load(driver_libraries, driver_functions,
                                            sizeof driver_functions / sizeof *driver_functions, &mcl__cuda);
        driver_state.tried = 1;
    }
    const char *const missing = driver_state.missing;
    mcl__process_unlock();
    return missing;
}

const char *mcl__nvrtc_missing(void)
{
    int driver_version = 0;
    if (!mcl__cuda_missing()) mcl__cuda.DriverGetVersion(&driver_version);
    /* A driver does not load code from a compiler of a later major version. */
    const char *const *const names = compiler_libraries + (driver_version < 13000);

    mcl__process_lock();
    if (!compiler_state.tried) {
        compiler_state.missing = library_load(names, compiler_functions,
                                              sizeof compiler_functions / sizeof *compiler_functions, &mcl__nvrtc);
        compiler_state.tried = 1;
    }
    const char *const missing = compiler_state.missing;
    mcl__process_unlock();
    return missing;
}

mcl_status mcl_cuda_loader_set(mcl_cuda_loader function, void *user)
{
    mcl__function_is("mcl_cuda_loader_set");
    if (!function) return mcl__fail(MCL_ERROR_ARGUMENT, "function is NULL; expected a function");
    MCL__TRY(mcl__process_check());
    mcl__process_lock();
    const int in_time = !driver_state.tried; /* 1 if no call has tried to load the driver yet */
    if (in_time) {
        callers_loader = function;
        callers_user = user;
    }
    mcl__process_unlock();
    if (in_time) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "CUDA has been looked for already; expected this call before any other");
}

mcl_status mcl__cuda_require(void)
{
    const char *const missing = mcl__cuda_missing();
    if (missing) {
        return mcl__fail(MCL_ERROR_DEVICE,
                         "cuda: %s was not found: NVIDIA's driver is not installed, or is older than CUDA 11", missing);
    }
    /* cuInit is called each time. A repeated call costs nothing, and in a forked child it reports that the driver is
     * lost. */
    return mcl__cuda_check(NULL, mcl__cuda.Init(0), "cuInit");
}

/* Returns 1 for an error that every later call on the context gives too. For each of them cuda.h says: "Any existing
 * device memory allocations are invalid". */
static int is_lasting(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
        return 1;
    default:
        return 0;
    }
}

static mcl_status fail(mcl_context *context, CUresult result, const char *what, va_list arguments)
{
    char call[256];
    vsnprintf(call, sizeof call, what, arguments);
    if (result == CUDA_SUCCESS)
        return mcl__fail(MCL_ERROR_DEVICE, "cuda: %s gave CUDA_SUCCESS and no handle; expected one", call);

    const char *name = NULL;
    const char *text = NULL;
    mcl__cuda.GetErrorName(result, &name);
    mcl__cuda.GetErrorString(result, &text);
    if (context && is_lasting(result)) mcl__context_lose(context, call, name ? name : "an error that lasts");
    return mcl__fail(result == CUDA_ERROR_OUT_OF_MEMORY ? MCL_ERROR_MEMORY : MCL_ERROR_DEVICE,
                     "cuda: %s failed: %s, error %u (%s)", call, name ? name : "unknown", result,
                     text ? text : "the driver has no text for it");
}

mcl_status mcl__cuda_check(mcl_context *context, CUresult result, const char *what, ...)
{
    if (result == CUDA_SUCCESS) return MCL_OK;
    va_list arguments;
    va_start(arguments, what);
    const mcl_status status = fail(context, result, what, arguments);
    va_end(arguments);
    return status;
}

mcl_status mcl__cuda_check_made(mcl_context *context, const void *handle, CUresult result, const char *what, ...)
{
    if (result == CUDA_SUCCESS && handle) return MCL_OK;
    va_list arguments;
    va_start(arguments, what);
    const mcl_status status = fail(context, result, what, arguments);
    va_end(arguments);
    return status;
}

/* Returns what the driver says about the context. A new context at the same address has another number. If the driver
 * has no cuCtxGetId, the number is 0 and the driver is not asked. */
static CUresult context_state(const cuda_context *context)
{
    unsigned long long number = context->number;
    const CUresult result = number ? mcl__cuda.CtxGetId(context->handle, &number) : CUDA_SUCCESS;
    return result == CUDA_SUCCESS && number != context->number ? CUDA_ERROR_CONTEXT_IS_DESTROYED : result;
}

mcl_status mcl__cuda_enter(mcl_context *context)
{
    const cuda_context *const own = mcl__cuda_context_of(context);
    MCL__TRY(mcl__cuda_check(context, context_state(own), "cuCtxGetId"));
    return mcl__cuda_check(context, mcl__cuda.CtxPushCurrent(own->handle), "cuCtxPushCurrent");
}

int mcl__cuda_enter_quietly(mcl_context *context, int *entered)
{
    const cuda_context *const own = mcl__cuda_context_of(context);
    if (context_state(own) == CUDA_ERROR_CONTEXT_IS_DESTROYED) return 0;
    *entered = mcl__cuda.CtxPushCurrent(own->handle) == CUDA_SUCCESS;
    return 1;
}

void mcl__cuda_leave(void)
{
    CUcontext popped;
    mcl__cuda.CtxPopCurrent(&popped);
}
