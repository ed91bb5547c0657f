/* test_interop_svm.c: shared virtual memory of an OpenCL application as operands. */
#define CL_TARGET_OPENCL_VERSION 200
#include "support/application.h"

enum { COUNT = APPLICATION_COUNT, BYTES = APPLICATION_BYTES };

static int has_svm(int device, const char *what)
{
    cl_device_svm_capabilities capabilities = 0;
    if (opencl_skips(device, what)) return 0;
    const cl_device_id id = mcl_opencl_device(test_device_at(device)->context);
    if (clGetDeviceInfo(id, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, NULL) == CL_SUCCESS &&
        capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
        return 1;
    (void)test_skip(device, what, "no shared virtual memory");
    return 0;
}

/* Maps the memory for the host, which numbers it; or checks what the library made of it. */
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

static void add(TCase *tcase, int device)
{
    test_add(tcase, shared_virtual_memory_is_an_operand, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("interop_svm", add);
}
