/* test_interop_svm.c: shared virtual memory and unified shared memory of an OpenCL application as operands. */
#define CL_TARGET_OPENCL_VERSION 200
#include "support/application.h"

#include <CL/cl_ext.h>
#include <string.h>

enum { COUNT = APPLICATION_COUNT, BYTES = APPLICATION_BYTES };

static int has_svm(int device, const char *what)
{
    cl_device_svm_capabilities capabilities = 0;
    if (opencl_skips(device, what)) return 0;
    const cl_device_id id = mcl_opencl_device(test_device_at(device)->context);
    if (!test_is_opencl_1_2() &&
        clGetDeviceInfo(id, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, NULL) == CL_SUCCESS &&
        capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
        return 1;
    (void)test_skip(device, what, "no shared virtual memory");
    return 0;
}

/* Maps the memory for the host and numbers its elements, or checks the library's results in it. */
static void on_host(const application *app, int32_t *memory, int is_start)
{
    opencl_worked(clEnqueueSVMMap(app->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, BYTES, 0, NULL, NULL),
                  "map");
    for (int k = 0; k < COUNT; k++) {
        if (is_start) memory[k] = k;
        ck_assert_int_eq(memory[k], is_start ? k : COUNT - 1 - k + 5);
    }
    opencl_worked(clEnqueueSVMUnmap(app->queue, memory, 0, NULL, NULL), "unmap");
}

START_TEST(shared_virtual_memory_is_an_operand)
{
    if (!has_svm(_i, "shared_virtual_memory_is_an_operand")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    mcl_buffer *whole = NULL, *half = NULL;
    int32_t *const memory = clSVMAlloc(app.context, CL_MEM_READ_WRITE, BYTES, 0);

    ck_assert_ptr_nonnull(memory);
    on_host(&app, memory, 1);
    test_ok(mcl_opencl_svm_wrap(w.context, memory, BYTES, &whole));
    test_ok(mcl_opencl_svm_wrap(w.context, memory, BYTES / 2, &half));
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, whole, 0);
    test_ok(mcl_transform(w.queue, mcl_from_expression(MCL_INT32, "x[i] + 5", NULL, &x, 1, COUNT),
                          ints_out(whole, COUNT), NULL));
    test_ok(mcl_sort(w.queue, ints(whole, COUNT), ints_out(whole, COUNT), MCL_GREATER, NULL));
    /* two wrappers of one range are known to overlap */
    test_fails(
        mcl_merge(w.queue, ints(whole, 4), mcl_from_buffer(MCL_INT32, whole, 4, 4), ints_out(half, 8), MCL_LESS, NULL),
        MCL_ERROR_ARGUMENT, "mcl_merge|overlaps");
    mcl_buffer_release(half);
    mcl_buffer_release(whole);
    opencl_worked(clFinish(app.queue), "clFinish");
    on_host(&app, memory, 0);
    opencl_worked(clFinish(app.queue), "clFinish");
    clSVMFree(app.context, memory);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

START_TEST(mistakes_are_told)
{
    if (!has_svm(_i, "mistakes_are_told")) return;
    int32_t here = 0;
    mcl_buffer *out = NULL;
    mcl_context *context = test_device_at(_i)->context;
    test_fails(mcl_opencl_svm_wrap(NULL, &here, 4, &out), MCL_ERROR_ARGUMENT, "mcl_opencl_svm_wrap|context");
    test_fails(mcl_opencl_svm_wrap(context, NULL, 4, &out), MCL_ERROR_ARGUMENT, "mcl_opencl_svm_wrap|NULL");
    test_fails(mcl_opencl_svm_wrap(context, &here, 0, &out), MCL_ERROR_ARGUMENT, "mcl_opencl_svm_wrap|bytes is 0");
    test_fails(mcl_opencl_svm_wrap(context, &here, 4, NULL), MCL_ERROR_ARGUMENT, "mcl_opencl_svm_wrap|out is NULL");
}
END_TEST

/* ---- unified shared memory -------------------------------------------------------------------------------------- */

typedef struct allocator {
    clHostMemAllocINTEL_fn host;
    clDeviceMemAllocINTEL_fn device;
    clSharedMemAllocINTEL_fn shared;
    clMemFreeINTEL_fn release;
} allocator;

static void find(cl_platform_id platform, const char *name, void *function)
{
    void *const address = clGetExtensionFunctionAddressForPlatform(platform, name);
    ck_assert_msg(address != NULL, "%s is not there", name);
    memcpy(function, &address, sizeof address);
}

static int has_usm(int device, const char *what, allocator *out)
{
    char extensions[8192] = "";
    cl_platform_id platform = NULL;
    if (opencl_skips(device, what)) return 0;
    const cl_device_id id = mcl_opencl_device(test_device_at(device)->context);
    opencl_worked(clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL), "extensions");
    if (test_is_opencl_1_2() || !strstr(extensions, "cl_intel_unified_shared_memory")) {
        (void)test_skip(device, what, "no unified shared memory");
        return 0;
    }
    opencl_worked(clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "platform");
    find(platform, "clHostMemAllocINTEL", &out->host);
    find(platform, "clDeviceMemAllocINTEL", &out->device);
    find(platform, "clSharedMemAllocINTEL", &out->shared);
    find(platform, "clMemFreeINTEL", &out->release);
    return 1;
}

/* Writes, copies, fills, sorts, records and reads memory of each kind. */
static void use_memory(const application *app, const wrapped *w, int32_t *memory)
{
    static int32_t numbers[COUNT];
    const int32_t nothing = -1;
    mcl_recording *recording = NULL;
    mcl_buffer *whole = NULL, *half = NULL;

    test_ok(mcl_opencl_usm_wrap(w->context, memory, BYTES, &whole));
    test_ok(mcl_opencl_usm_wrap(w->context, memory + COUNT / 2, BYTES / 2, &half));
    ck_assert_ptr_null(mcl_opencl_buffer(whole));
    for (int k = 0; k < COUNT; k++) numbers[k] = k;
    test_ok(mcl_buffer_write(w->queue, whole, 0, BYTES, numbers));
    /* 0, 1 ... in both halves, then -1 in the last element */
    test_ok(mcl_buffer_copy(w->queue, whole, 0, half, 0, BYTES / 2));
    test_ok(mcl_buffer_fill(w->queue, half, BYTES / 2 - sizeof nothing, sizeof nothing, &nothing, sizeof nothing));
    test_ok(mcl_record_begin(w->queue));
    test_ok(mcl_sort(w->queue, ints(whole, COUNT), ints_out(whole, COUNT), MCL_GREATER, NULL));
    test_ok(mcl_record_end(w->queue, &recording));
    test_ok(mcl_replay(w->queue, recording, NULL));
    test_fails(mcl_merge(w->queue, ints(whole, 4), mcl_from_buffer(MCL_INT32, whole, COUNT / 2, 4), ints_out(half, 8),
                         MCL_LESS, NULL),
               MCL_ERROR_ARGUMENT, "mcl_merge|overlaps");
    test_ok(mcl_buffer_read(w->queue, whole, 0, BYTES, numbers));
    for (int k = 0; k < COUNT; k++)
        ck_assert_int_eq(numbers[k], k == 0 ? COUNT / 2 - 1 : k == COUNT - 1 ? -1 : COUNT / 2 - 2 - (k - 1) / 2);
    opencl_worked(clFinish(app->queue), "clFinish");
    mcl_recording_release(recording);
    mcl_buffer_release(half);
    mcl_buffer_release(whole);
}

START_TEST(unified_shared_memory_is_an_operand)
{
    allocator from = { 0 };
    cl_int error = CL_SUCCESS;
    if (!has_usm(_i, "unified_shared_memory_is_an_operand", &from)) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    const cl_device_id id = mcl_opencl_device(w.context);
    for (int kind = 0; kind < 3; kind++) {
        int32_t *const memory = kind == 0   ? from.host(app.context, NULL, BYTES, 0, &error)
                                : kind == 1 ? from.device(app.context, id, NULL, BYTES, 0, &error)
                                            : from.shared(app.context, id, NULL, BYTES, 0, &error);
        opencl_worked(error, "allocation");
        use_memory(&app, &w, memory);
        opencl_worked(from.release(app.context, memory), "clMemFreeINTEL");
    }
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

START_TEST(unified_memory_and_a_cl_mem_are_not_copied)
{
    allocator from = { 0 };
    cl_int error = CL_SUCCESS;
    mcl_buffer *address = NULL;
    if (!has_usm(_i, "unified_memory_and_a_cl_mem_are_not_copied", &from)) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    void *const memory = from.host(app.context, NULL, 64, 0, &error);
    opencl_worked(error, "allocation");
    mcl_buffer *other = NULL;
    test_ok(mcl_buffer_create(w.context, 64, NULL, &other));
    test_ok(mcl_opencl_usm_wrap(w.context, memory, 64, &address));
    test_fails(mcl_buffer_copy(w.queue, address, 0, other, 0, 64), MCL_ERROR_UNSUPPORTED, "mcl_buffer_copy|cl_mem");
    test_fails(mcl_buffer_copy(w.queue, other, 0, address, 0, 64), MCL_ERROR_UNSUPPORTED, "mcl_buffer_copy|cl_mem");
    test_fails(mcl_opencl_usm_wrap(w.context, memory, 0, &address), MCL_ERROR_ARGUMENT,
               "mcl_opencl_usm_wrap|bytes is 0");
    mcl_buffer_release(other);
    mcl_buffer_release(address);
    opencl_worked(from.release(app.context, memory), "clMemFreeINTEL");
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

START_TEST(a_device_without_unified_memory_is_told)
{
    int32_t here = 0;
    mcl_buffer *out = NULL;
    char extensions[8192] = "";
    mcl_context *context = test_device_at(_i)->context;
    if (opencl_skips(_i, "a_device_without_unified_memory_is_told")) return;
    opencl_worked(
        clGetDeviceInfo(mcl_opencl_device(context), CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL),
        "extensions");
    if (!test_is_opencl_1_2() && strstr(extensions, "cl_intel_unified_shared_memory")) return;
    test_fails(mcl_opencl_usm_wrap(context, &here, 4, &out), MCL_ERROR_UNSUPPORTED,
               "mcl_opencl_usm_wrap|cl_intel_unified_shared_memory");
}
END_TEST

/* The result is the same, whatever extensions the driver has. */
START_TEST(a_device_of_opencl_1_2_has_no_shared_memory)
{
    int32_t here = 0;
    mcl_buffer *out = NULL;
    if (opencl_skips(_i, "a_device_of_opencl_1_2_has_no_shared_memory")) return;
    mcl_context *context = test_context_with(_i, "opencl=1.2");
    test_fails(mcl_opencl_svm_wrap(context, &here, 4, &out), MCL_ERROR_UNSUPPORTED,
               "mcl_opencl_svm_wrap|no shared virtual memory");
    test_fails(mcl_opencl_usm_wrap(context, &here, 4, &out), MCL_ERROR_UNSUPPORTED,
               "mcl_opencl_usm_wrap|cl_intel_unified_shared_memory");
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, unified_shared_memory_is_an_operand, device);
    test_add(tcase, unified_memory_and_a_cl_mem_are_not_copied, device);
    test_add(tcase, a_device_without_unified_memory_is_told, device);
    test_add(tcase, a_device_of_opencl_1_2_has_no_shared_memory, device);
    test_add(tcase, shared_virtual_memory_is_an_operand, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("interop_svm", add);
}
