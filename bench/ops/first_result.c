/* first_result.c: the time from the start of a process to its first result, with programs in the disk cache. It also
 * gives the part of this time in which the driver opens its device. Both are measured in child processes, which are
 * this program again with --child. */
#define _GNU_SOURCE
#include "child.h"

#include <moderncl/opencl.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- in the child ---------------------------------------------------------------------------- */

static mcl_status reduce_once(const char *device, int32_t *sum)
{
    enum { ELEMENTS = 1000 };
    int32_t numbers[ELEMENTS];
    for (int k = 0; k < ELEMENTS; k++) numbers[k] = k;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_status status = mcl_context_create(device, &context);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &queue);
    if (status == MCL_OK) status = mcl_buffer_create(context, sizeof numbers, numbers, &buffer);
    if (status == MCL_OK)
        status = mcl_reduce(queue, mcl_from_buffer(MCL_INT32, buffer, 0, ELEMENTS), MCL_ADD,
                            mcl_to_host(MCL_INT32, sum), NULL);
    if (status == MCL_OK && *sum != ELEMENTS * (ELEMENTS - 1) / 2) status = MCL_ERROR_DEVICE;
    return status; /* nothing is released, since the process ends here */
}

static void *function_of(void *library, const char *name)
{
    return library ? dlsym(library, name) : NULL;
}

static int open_opencl(int platform, int device)
{
    typedef cl_int(CL_API_CALL * platforms_function)(cl_uint, cl_platform_id *, cl_uint *);
    typedef cl_int(CL_API_CALL * devices_function)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
    typedef cl_context(CL_API_CALL * context_function)(const cl_context_properties *, cl_uint, const cl_device_id *,
                                                       void (*)(const char *, const void *, size_t, void *), void *,
                                                       cl_int *);
    typedef cl_command_queue(CL_API_CALL * queue_function)(cl_context, cl_device_id, cl_command_queue_properties,
                                                           cl_int *);
    enum { MOST = 32 };
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    platforms_function get_platforms;
    devices_function get_devices;
    context_function create_context;
    queue_function create_queue;
    *(void **)&get_platforms = function_of(library, "clGetPlatformIDs");
    *(void **)&get_devices = function_of(library, "clGetDeviceIDs");
    *(void **)&create_context = function_of(library, "clCreateContext");
    *(void **)&create_queue = function_of(library, "clCreateCommandQueue");
    if (!get_platforms || !get_devices || !create_context || !create_queue) return -1;
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    cl_uint count = 0;
    if (get_platforms(MOST, platforms, &count) != CL_SUCCESS || (cl_uint)platform >= count) return -1;
    if (get_devices(platforms[platform], CL_DEVICE_TYPE_ALL, MOST, devices, &count) != CL_SUCCESS) return -1;
    if ((cl_uint)device >= count) return -1;
    cl_int error = CL_SUCCESS;
    cl_context context = create_context(NULL, 1, &devices[device], NULL, NULL, &error);
    if (context) (void)create_queue(context, devices[device], 0, &error);
    return error == CL_SUCCESS ? 0 : -1;
}

static int open_cuda(int device)
{
    typedef int (*init_function)(unsigned);
    typedef int (*get_function)(int *, int);
    typedef int (*retain_function)(void **, int);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    init_function init;
    get_function get;
    retain_function retain;
    *(void **)&init = function_of(library, "cuInit");
    *(void **)&get = function_of(library, "cuDeviceGet");
    *(void **)&retain = function_of(library, "cuDevicePrimaryCtxRetain");
    int handle = 0;
    void *context = NULL;
    if (!init || !get || !retain) return -1;
    return init(0) == 0 && get(&handle, device) == 0 && retain(&context, handle) == 0 ? 0 : -1;
}

static int open_driver(const char *id)
{
    int platform = 0;
    int device = 0;
    if (sscanf(id, "cuda:%d", &device) == 1) return open_cuda(device);
    if (sscanf(id, "opencl:%d:%d", &platform, &device) == 2) return open_opencl(platform, device);
    return -1;
}

int first_result_child(const bench_options *options)
{
    int32_t sum = 0;
    if (strcmp(options->child, "driver") == 0) {
        if (open_driver(options->device) != 0) return 1;
    } else if (reduce_once(options->device, &sum) != MCL_OK) {
        (void)bench_failed("first_result");
        return 1;
    }
    printf("%.6f\n", bench_now() - options->child_start);
    (void)fflush(stdout);
    _exit(0); /* ends without closing the device, whose time is not measured */
}

/* ---- in the parent ---------------------------------------------------------------------------- */

/* Returns the milliseconds from the start of this function to the child's mark, or -1. */
static double child_time(const bench *b, const char *what)
{
    char start[64];
    double ms = -1;
    (void)snprintf(start, sizeof start, "%.6f", bench_now());
    const char *const arguments[] = { "--child", what, "--child-start", start, NULL };
    return bench_child_run(b, arguments, &ms, 1) == 0 ? ms : -1;
}

static int first_result_measure(bench *b, const bench_op *op)
{
    enum { TURNS = 7 };
    bench_samples whole = { .count = 0 };
    bench_samples driver = { .count = 0 };
    for (int k = -1; k < TURNS; k++) { /* turn -1 fills the caches */
        const double whole_ms = child_time(b, "first");
        const double driver_ms = child_time(b, "driver");
        if (whole_ms < 0 || driver_ms < 0) {
            bench_note("%s: a child process failed", op->name);
            return -1;
        }
        if (k < 0) continue;
        bench_samples_add(&whole, whole_ms);
        bench_samples_add(&driver, driver_ms);
    }
    bench_row row = { .op = op->name, .type = "int32", .n = 1000, .gbps = -1, .copy_ratio = -1 };
    row.peer = "driver";
    row.peer_ms = bench_median(&driver);
    row.peer_source = "same-run";
    row.median_ms = bench_median(&whole) - row.peer_ms;
    row.min_ms = bench_minimum(&whole) - row.peer_ms;
    if (row.min_ms < 0) row.min_ms = 0;
    bench_report_row(b->report, &row);
    return 0;
}

const bench_op bench_op_first_result = { .name = "first_result", .measure = first_result_measure };
