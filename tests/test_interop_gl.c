/* test_interop_gl.c: buffers of OpenGL, shared with a device of OpenCL (cl_khr_gl_sharing) or with CUDA. Where a driver
 * does not offer this, the test is skipped, and its name is printed. */
#include "support/arrays.h"
#include "support/gl.h"

#include "backends/cuda/cuda_internal.h"

#include <moderncl/cuda.h>
#include <moderncl/opencl.h>

#include <CL/cl_gl.h>

#include <string.h>

enum { COUNT = 10000, BYTES = COUNT * (int)sizeof(int32_t), LIST_MAX = 1 << 16 };

static void is_success(cl_int error, const char *what)
{
    ck_assert_msg(error == CL_SUCCESS, "%s gave %d", what, error);
}

/* Makes a GL buffer of the numbers 1, 1, 1 ... */
static unsigned ones_in_gl(void)
{
    static int32_t ones[COUNT];
    for (int k = 0; k < COUNT; k++) ones[k] = 1;
    const unsigned buffer = test_gl_buffer(ones, sizeof ones);
    test_gl_finish();
    return buffer;
}

/* Replaces the numbers by their running sums, and sorts them in descending order. */
static void change(mcl_queue *queue, mcl_buffer *numbers)
{
    const mcl_input in = ints(numbers, COUNT);
    const mcl_output out = ints_out(numbers, COUNT);
    test_ok(mcl_scan(queue, in, out, MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL));
    test_ok(mcl_sort(queue, in, out, MCL_GREATER, NULL));
}

static void check_in_gl(unsigned buffer)
{
    static int32_t found[COUNT];
    test_gl_read(buffer, found, sizeof found);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(found[k], COUNT - k);
}

/* ---- OpenCL -------------------------------------------------------------------------------------------------- */

static int has_extension(cl_device_id device, const char *name)
{
    static char list[LIST_MAX];
    is_success(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL), "clGetDeviceInfo");
    return strstr(list, name) != NULL;
}

/* Returns a context that shares with GL, or NULL. */
static cl_context shared_context(cl_device_id device, const test_gl *gl)
{
    cl_platform_id platform;
    cl_int error;
    is_success(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "clGetDeviceInfo");
    const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
                                                 (cl_context_properties)platform,
                                                 CL_GL_CONTEXT_KHR,
                                                 (cl_context_properties)gl->context,
                                                 CL_EGL_DISPLAY_KHR,
                                                 (cl_context_properties)gl->display,
                                                 0 };
    const cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    return error == CL_SUCCESS ? context : NULL;
}

/* Opens the first of EGL's devices whose context the OpenCL device accepts. */
static cl_context open_shared(cl_device_id device, test_gl *gl, const char **why)
{
    const int count = test_gl_count(why);
    for (int k = 0; k < count; k++) {
        *why = test_gl_open(k, gl);
        if (*why) continue;
        const cl_context context = shared_context(device, gl);
        if (context) return context;
        *why = "the driver shares no context of EGL's devices";
        test_gl_close(gl);
    }
    return NULL;
}

static void work_on_gl_buffer(cl_context own, cl_device_id device)
{
    cl_int error;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *numbers = NULL;
    const unsigned buffer = ones_in_gl();
    const cl_command_queue own_queue = clCreateCommandQueue(own, device, 0, &error);
    is_success(error, "clCreateCommandQueue");
    const cl_mem memory = clCreateFromGLBuffer(own, CL_MEM_READ_WRITE, buffer, &error);
    is_success(error, "clCreateFromGLBuffer");

    test_ok(mcl_opencl_context_wrap(own, device, &context));
    test_ok(mcl_opencl_queue_wrap(context, own_queue, &queue));
    test_ok(mcl_opencl_buffer_wrap(context, memory, &numbers));
    ck_assert_uint_eq(mcl_buffer_bytes(numbers), BYTES);
    is_success(clEnqueueAcquireGLObjects(own_queue, 1, &memory, 0, NULL, NULL), "clEnqueueAcquireGLObjects");
    change(queue, numbers);
    is_success(clEnqueueReleaseGLObjects(own_queue, 1, &memory, 0, NULL, NULL), "clEnqueueReleaseGLObjects");
    is_success(clFinish(own_queue), "clFinish");
    check_in_gl(buffer);

    mcl_buffer_release(numbers);
    mcl_queue_release(queue);
    mcl_context_release(context);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(own_queue);
    test_gl_delete(buffer);
}

START_TEST(buffers_acquired_from_gl_are_operands)
{
    const char *const name = "buffers_acquired_from_gl_are_operands";
    const char *why = NULL;
    test_gl gl;
    if (strcmp(test_device_at(_i)->info.backend, "opencl") != 0) {
        test_skip(_i, name, "not an OpenCL device");
        return;
    }
    const cl_device_id device = mcl_opencl_device(test_device_at(_i)->context);
    if (!has_extension(device, "cl_khr_gl_sharing")) {
        test_skip(_i, name, "the driver has no cl_khr_gl_sharing");
        return;
    }
    const cl_context own = open_shared(device, &gl, &why);
    if (!own) {
        test_skip(_i, name, why);
        return;
    }
    work_on_gl_buffer(own, device);
    clReleaseContext(own);
    test_gl_close(&gl);
}
END_TEST

/* ---- CUDA ---------------------------------------------------------------------------------------------------- */

typedef struct CUgraphicsResource_st *CUgraphicsResource;

/* The driver's functions that the application uses and the library does not. */
#define APPLICATION_FUNCTIONS(X)                                                                                       \
    X(register_buffer, cuGraphicsGLRegisterBuffer, (CUgraphicsResource * resource, unsigned buffer, unsigned flags))   \
    X(unregister, cuGraphicsUnregisterResource, (CUgraphicsResource resource))                                         \
    X(map, cuGraphicsMapResources, (unsigned count, CUgraphicsResource *resources, CUstream stream))                   \
    X(unmap, cuGraphicsUnmapResources, (unsigned count, CUgraphicsResource *resources, CUstream stream))               \
    X(pointer, cuGraphicsResourceGetMappedPointer_v2,                                                                  \
      (CUdeviceptr * address, size_t *bytes, CUgraphicsResource resource))                                             \
    X(current, cuCtxGetCurrent, (CUcontext * context))                                                                 \
    X(set_current, cuCtxSetCurrent, (CUcontext context))

static struct {
#define X(member, symbol, parameters) CUresult(*member) parameters;
    APPLICATION_FUNCTIONS(X)
#undef X
} cu;

/* Opens the driver. Returns the name of a missing function, or NULL where all exist. */
static const char *driver_open(void)
{
    static const char *const names[] = { "libcuda.so.1", "libcuda.so", NULL };
    void *const library = mcl__library_open(names);
    void *address;
    if (!library) return names[0];
#define X(member, symbol, parameters)                                                                                  \
    address = mcl__library_symbol(library, #symbol);                                                                   \
    if (!address) return #symbol;                                                                                      \
    memcpy(&cu.member, &address, sizeof address);
    APPLICATION_FUNCTIONS(X)
#undef X
    return NULL;
}

#define has_worked(call) ck_assert_msg((call) == CUDA_SUCCESS, "%s failed", #call)

static void work_on_mapped(mcl_context *context, CUgraphicsResource resource)
{
    mcl_queue *queue = NULL;
    mcl_buffer *numbers = NULL;
    CUdeviceptr address = 0;
    size_t bytes = 0;
    has_worked(cu.map(1, &resource, NULL));
    has_worked(cu.pointer(&address, &bytes, resource));
    ck_assert_uint_eq(bytes, BYTES);
    test_ok(mcl_cuda_queue_wrap(context, NULL, &queue));
    test_ok(mcl_cuda_buffer_wrap(context, address, bytes, &numbers));
    change(queue, numbers);
    test_ok(mcl_queue_finish(queue));
    mcl_buffer_release(numbers);
    mcl_queue_release(queue);
    has_worked(cu.unmap(1, &resource, NULL));
}

/* Returns 1 where EGL's device is the device of the CUDA context, after it has changed and checked the registered
 * buffer. */
static int work_on_registered(mcl_context *context)
{
    CUcontext before = NULL;
    CUgraphicsResource resource = NULL;
    const unsigned buffer = ones_in_gl();
    has_worked(cu.current(&before));
    has_worked(cu.set_current(mcl_cuda_context(context)));
    const int is_shared = cu.register_buffer(&resource, buffer, 0) == CUDA_SUCCESS;
    if (is_shared) {
        work_on_mapped(context, resource);
        has_worked(cu.unregister(resource));
        check_in_gl(buffer);
    }
    has_worked(cu.set_current(before));
    test_gl_delete(buffer);
    return is_shared;
}

START_TEST(buffers_mapped_from_gl_are_operands)
{
    const char *const name = "buffers_mapped_from_gl_are_operands";
    const char *why = NULL;
    int is_shared = 0;
    if (strcmp(test_device_at(_i)->info.backend, "cuda") != 0) {
        test_skip(_i, name, "not a CUDA device");
        return;
    }
    why = driver_open();
    const int count = why ? 0 : test_gl_count(&why);
    for (int k = 0; k < count && !is_shared; k++) {
        test_gl gl;
        why = test_gl_open(k, &gl);
        if (why) continue;
        is_shared = work_on_registered(test_device_at(_i)->context);
        why = "the driver registers no buffer of EGL's devices";
        test_gl_close(&gl);
    }
    if (!is_shared) test_skip(_i, name, why);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, buffers_acquired_from_gl_are_operands, device);
    test_add(tcase, buffers_mapped_from_gl_are_operands, device);
}

int main(void)
{
    return test_main("interop_gl", add);
}
