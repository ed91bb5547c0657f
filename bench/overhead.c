/* overhead.c: puts clocks around the driver functions that calls use. The library gets OpenCL's functions in place of
 * its loader. For CUDA's functions this program defines dlsym, which is found before the C library's. */
#define _GNU_SOURCE
#include "overhead.h"

#include "bench.h"

#include <moderncl/opencl.h>

#include <dlfcn.h>
#include <string.h>

/* The OpenCL functions that a warm call may use, as X(name, parameters, arguments). Each returns a cl_int. */
#define DRIVER_LIST(X)                                                                                                 \
    X(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value)) \
    X(clEnqueueNDRangeKernel,                                                                                          \
      (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,       \
       const size_t *local, cl_uint wait_count, const cl_event *wait, cl_event *event),                                \
      (queue, kernel, dimensions, offset, global, local, wait_count, wait, event))                                     \
    X(clEnqueueFillBuffer,                                                                                             \
      (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes,  \
       cl_uint wait_count, const cl_event *wait, cl_event *event),                                                     \
      (queue, buffer, pattern, pattern_bytes, offset, bytes, wait_count, wait, event))                                 \
    X(clEnqueueCopyBuffer,                                                                                             \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes,             \
       cl_uint wait_count, const cl_event *wait, cl_event *event),                                                     \
      (queue, from, to, from_offset, to_offset, bytes, wait_count, wait, event))                                       \
    X(clEnqueueWriteBuffer,                                                                                            \
      (cl_command_queue queue, cl_mem to, cl_bool blocking, size_t offset, size_t bytes, const void *data,             \
       cl_uint wait_count, const cl_event *wait, cl_event *event),                                                     \
      (queue, to, blocking, offset, bytes, data, wait_count, wait, event))                                             \
    X(clEnqueueMarkerWithWaitList,                                                                                     \
      (cl_command_queue queue, cl_uint wait_count, const cl_event *wait, cl_event *event),                             \
      (queue, wait_count, wait, event))                                                                                \
    X(clEnqueueBarrierWithWaitList,                                                                                    \
      (cl_command_queue queue, cl_uint wait_count, const cl_event *wait, cl_event *event),                             \
      (queue, wait_count, wait, event))                                                                                \
    X(clGetEventInfo, (cl_event event, cl_event_info name, size_t bytes, void *value, size_t *bytes_returned),         \
      (event, name, bytes, value, bytes_returned))                                                                     \
    X(clRetainEvent, (cl_event event), (event))                                                                        \
    X(clReleaseEvent, (cl_event event), (event))                                                                       \
    X(clFlush, (cl_command_queue queue), (queue))

/* The CUDA functions that have clocks. Their results are ints. Handles are pointers, and addresses are 64-bit
 * integers. */
#define CUDA_LIST(X)                                                                                                   \
    X(cuLaunchKernel,                                                                                                  \
      (void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,                     \
       unsigned shared_bytes, void *stream, void **values, void **extra),                                              \
      (kernel, gx, gy, gz, bx, by, bz, shared_bytes, stream, values, extra))                                           \
    X(cuLaunchKernelEx, (const void *config, void *kernel, void **values, void **extra),                               \
      (config, kernel, values, extra))                                                                                 \
    X(cuCtxPushCurrent_v2, (void *context), (context))                                                                 \
    X(cuCtxPopCurrent_v2, (void **context), (context))                                                                 \
    X(cuMemsetD8Async, (unsigned long long to, unsigned char value, size_t count, void *stream),                       \
      (to, value, count, stream))                                                                                      \
    X(cuMemsetD32Async, (unsigned long long to, unsigned value, size_t count, void *stream),                           \
      (to, value, count, stream))                                                                                      \
    X(cuMemcpyDtoDAsync_v2, (unsigned long long to, unsigned long long from, size_t bytes, void *stream),              \
      (to, from, bytes, stream))                                                                                       \
    X(cuEventRecord, (void *event, void *stream), (event, stream))                                                     \
    X(cuEventQuery, (void *event), (event))                                                                            \
    X(cuEventCreate, (void **event, unsigned flags), (event, flags))                                                   \
    X(cuEventDestroy_v2, (void *event), (event))                                                                       \
    X(cuStreamWaitEvent, (void *stream, void *event, unsigned flags), (stream, event, flags))

enum {
#define X(name, parameters, arguments) DRIVER_##name,
    DRIVER_LIST(X) CUDA_LIST(X)
#undef X
        DRIVER_COUNT
};

static void *driver_functions[DRIVER_COUNT];
static double inside_ms;
static long inside_calls;

/* One template serves both, since cl_int and CUresult are ints here and neither driver has a calling convention of its
 * own on these systems. */
#define X(name, parameters, arguments)                                                                                 \
    static int watched_##name parameters                                                                               \
    {                                                                                                                  \
        int(*function) parameters;                                                                                     \
        *(void **)&function = driver_functions[DRIVER_##name];                                                         \
        const double start = bench_now();                                                                              \
        const int result = function arguments;                                                                         \
        inside_ms += bench_now() - start;                                                                              \
        inside_calls++;                                                                                                \
        return result;                                                                                                 \
    }
DRIVER_LIST(X)
CUDA_LIST(X)
#undef X

typedef void (*any_function)(void);

static const struct {
    const char *name;
    any_function function;
} watched_functions[] = {
#define X(name, parameters, arguments) { #name, (any_function)watched_##name },
    DRIVER_LIST(X) CUDA_LIST(X)
#undef X
};

/* Returns the function with a clock that replaces function, or function itself. */
static void *clocked(const char *name, void *function)
{
    for (size_t k = 0; k < DRIVER_COUNT && function; k++) {
        if (strcmp(name, watched_functions[k].name) != 0) continue;
        driver_functions[k] = function;
        *(any_function *)&function = watched_functions[k].function;
        break;
    }
    return function;
}

static void *find(const char *name, void *user)
{
    static void *library;
    (void)user;
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function && !library) library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!function && library) function = dlsym(library, name);
    return clocked(name, function);
}

static int watches;

void overhead_watch_driver(void)
{
    watches = 1;
    (void)mcl_opencl_loader_set(find, NULL);
}

/* The address sanitizer looks for symbols before any code of the program may run. */
#if defined(__SANITIZE_ADDRESS__)
#define DLSYM_IS_TAKEN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DLSYM_IS_TAKEN 1
#endif
#endif

#if defined(__GLIBC__) && !defined(DLSYM_IS_TAKEN)
/* Answers the library's calls of dlsym, with functions that have clocks. */
void *dlsym(void *restrict handle, const char *restrict name)
{
    static void *(*original)(void *, const char *);
    const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5" };
    for (size_t k = 0; k < sizeof versions / sizeof *versions && !original; k++)
        *(void **)&original = dlvsym(RTLD_NEXT, "dlsym", versions[k]);
    void *const function = original ? original(handle, name) : NULL;
    return watches && name[0] == 'c' && name[1] == 'u' ? clocked(name, function) : function;
}
#endif

void overhead_reset(void)
{
    inside_ms = 0;
    inside_calls = 0;
}

/* Returns the driver's time. A call with a clock reads the clock twice: about one of the two readings falls inside the
 * counted time. */
double overhead_driver_ms(void)
{
    static double reading_ms = -1;
    if (reading_ms < 0) {
        const int readings = 10000;
        const double start = bench_now();
        for (int k = 0; k < readings; k++) (void)bench_now();
        reading_ms = (bench_now() - start) / readings;
    }
    return inside_ms + (double)inside_calls * reading_ms;
}
