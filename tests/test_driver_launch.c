/* test_driver_launch.c: kernels of an OpenCL application as calls of the library, run at once and recorded. */
#include "support/application.h"

#include <string.h>

enum { COUNT = APPLICATION_COUNT, GROUP = 8, GROUPS = COUNT / GROUP };

static const char *const text = "typedef struct { int by; int times[5]; } change;\n"
                                "__kernel void raise(__global int *data, change c, __global const int *more) {\n"
                                "    size_t k = get_global_id(0);\n"
                                "    data[k] += c.by * c.times[4] + (more ? more[k] : 0);\n"
                                "}\n";

typedef struct change {
    int32_t by;
    int32_t times[5];
} change;

static cl_kernel kernel_make(const application *app)
{
    cl_int error = CL_SUCCESS;
    const cl_program program = clCreateProgramWithSource(app->context, 1, (const char **)&text, NULL, &error);
    opencl_worked(error, "clCreateProgramWithSource");
    opencl_worked(clBuildProgram(program, 1, &app->device, "", NULL, NULL), "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, "raise", &error);
    opencl_worked(error, "clCreateKernel");
    opencl_worked(clReleaseProgram(program), "clReleaseProgram");
    return kernel;
}

static mcl_status raise(const wrapped *w, cl_kernel kernel, const change *by, mcl_buffer *more)
{
    const mcl_driver_argument arguments[] = { { w->data, NULL, 0 }, { NULL, by, sizeof *by }, { more, NULL, 0 } };
    return mcl_opencl_launch(w->queue, kernel, GROUPS, GROUP, arguments, 3);
}

static void data_is(const wrapped *w, int64_t per_index, int64_t constant)
{
    static int32_t found[COUNT];
    test_ok(mcl_buffer_read(w->queue, w->data, 0, sizeof found, found));
    for (int64_t k = 0; k < COUNT; k++) ck_assert_int_eq(found[k], per_index * k + constant);
}

START_TEST(launches_run_between_calls)
{
    if (opencl_skips(_i, "launches_run_between_calls")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    const cl_kernel kernel = kernel_make(&app);
    const change by = { 3, { 0, 0, 0, 0, 7 } };
    mcl_buffer *copy = NULL;
    test_ok(mcl_buffer_create(w.context, APPLICATION_BYTES, NULL, &copy));
    test_ok(mcl_transform(w.queue, ints(w.data, COUNT), ints_out(copy, COUNT), NULL));
    test_ok(raise(&w, kernel, &by, copy));
    data_is(&w, 2, 21);
    test_ok(raise(&w, kernel, &by, NULL));
    data_is(&w, 2, 42);
    test_ok(mcl_opencl_launch(w.queue, kernel, 0, GROUP, (mcl_driver_argument[3]){ { w.data, NULL, 0 } }, 3));
    data_is(&w, 2, 42);
    mcl_buffer_release(copy);
    opencl_worked(clReleaseKernel(kernel), "clReleaseKernel");
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

/* Records calls that raise data by 21, copy it, and raise it by the copy. The recording outlives the kernel, the buffer
 * and the values. */
static mcl_recording *record(const application *app, const wrapped *w)
{
    change by = { 3, { 0, 0, 0, 0, 7 } };
    mcl_recording *recording = NULL;
    mcl_buffer *copy = NULL;
    const cl_kernel kernel = kernel_make(app);
    test_ok(mcl_buffer_create(w->context, APPLICATION_BYTES, NULL, &copy));
    test_ok(mcl_record_begin(w->queue));
    test_ok(raise(w, kernel, &by, NULL));
    by.by = 0;
    test_ok(mcl_transform(w->queue, ints(w->data, COUNT), ints_out(copy, COUNT), NULL));
    test_ok(raise(w, kernel, &by, copy));
    test_fails(mcl_opencl_launch(w->queue, kernel, GROUPS, GROUP, NULL, 3), MCL_ERROR_ARGUMENT, "arguments is NULL");
    test_ok(mcl_record_end(w->queue, &recording));
    mcl_buffer_release(copy);
    opencl_worked(clReleaseKernel(kernel), "clReleaseKernel");
    return recording;
}

static void replays_are_right(int device, cl_command_queue_properties properties)
{
    application app = opencl_start(device, properties);
    wrapped w = opencl_wrap(&app);
    data_is(&w, 1, 0);
    mcl_recording *const recording = record(&app, &w);
    data_is(&w, 1, 0);
    test_ok(mcl_replay(w.queue, recording, NULL));
    data_is(&w, 2, 42);
    test_ok(mcl_replay(w.queue, recording, NULL));
    data_is(&w, 4, 126);
    mcl_recording_release(recording);
    opencl_unwrap(&w);
    opencl_stop(&app);
}

START_TEST(recorded_launches_run_with_the_calls)
{
    if (opencl_skips(_i, "recorded_launches_run_with_the_calls")) return;
    replays_are_right(_i, 0);
    replays_are_right(_i, CL_QUEUE_PROFILING_ENABLE);
    if (opencl_has_out_of_order(_i)) replays_are_right(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}
END_TEST

START_TEST(preparing_queues_launch_nothing)
{
    if (opencl_skips(_i, "preparing_queues_launch_nothing")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    const cl_kernel kernel = kernel_make(&app);
    const change by = { 3, { 0, 0, 0, 0, 7 } };
    wrapped preparing = w;
    test_ok(mcl_queue_create_preparing(w.context, &preparing.queue));
    test_ok(raise(&preparing, kernel, &by, NULL));
    data_is(&w, 1, 0);
    mcl_queue_release(preparing.queue);
    opencl_worked(clReleaseKernel(kernel), "clReleaseKernel");
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

static void wrong_numbers(const wrapped *w, cl_kernel kernel, const mcl_driver_argument *right)
{
    test_fails(mcl_opencl_launch(NULL, kernel, GROUPS, GROUP, right, 3), MCL_ERROR_ARGUMENT,
               "mcl_opencl_launch|queue is NULL");
    test_fails(mcl_opencl_launch(w->queue, NULL, GROUPS, GROUP, right, 3), MCL_ERROR_ARGUMENT, "kernel is NULL");
    test_fails(mcl_opencl_launch(w->queue, kernel, -1, GROUP, right, 3), MCL_ERROR_ARGUMENT, "groups is -1");
    test_fails(mcl_opencl_launch(w->queue, kernel, (int64_t)INT32_MAX + 1, GROUP, right, 3), MCL_ERROR_ARGUMENT,
               "groups is 2147483648");
    test_fails(mcl_opencl_launch(w->queue, kernel, GROUPS, 0, right, 3), MCL_ERROR_ARGUMENT, "group_items is 0");
    test_fails(mcl_opencl_launch(w->queue, kernel, GROUPS, 1 << 20, right, 3), MCL_ERROR_ARGUMENT,
               "group_items is 1048576");
    test_fails(mcl_opencl_launch(w->queue, kernel, GROUPS, GROUP, right, 2), MCL_ERROR_ARGUMENT,
               "argument_count is 2; expected the 3");
    test_fails(mcl_opencl_launch(w->queue, kernel, GROUPS, GROUP, right, -1), MCL_ERROR_ARGUMENT,
               "argument_count is -1");
}

START_TEST(mistakes_are_told)
{
    if (opencl_skips(_i, "mistakes_are_told")) return;
    application app = opencl_start(_i, 0), other = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app), foreign = opencl_wrap(&other);
    const cl_kernel kernel = kernel_make(&app), strange = kernel_make(&other);
    const change by = { 0 };
    const mcl_driver_argument right[] = { { w.data, NULL, 0 }, { NULL, &by, sizeof by }, { NULL, NULL, 0 } };
    const mcl_driver_argument both[] = { { w.data, &by, sizeof by }, right[1], right[2] };
    const mcl_driver_argument elsewhere[] = { { foreign.data, NULL, 0 }, right[1], right[2] };
    const mcl_driver_argument empty[] = { right[0], { NULL, &by, 0 }, right[2] };
    const mcl_driver_argument nowhere[] = { right[0], { NULL, NULL, 4 }, right[2] };
    wrong_numbers(&w, kernel, right);
    test_fails(mcl_opencl_launch(w.queue, strange, GROUPS, GROUP, right, 3), MCL_ERROR_ARGUMENT,
               "kernel is of another cl_context");
    test_fails(mcl_opencl_launch(w.queue, kernel, GROUPS, GROUP, both, 3), MCL_ERROR_ARGUMENT, "arguments[0] has a");
    test_fails(mcl_opencl_launch(w.queue, kernel, GROUPS, GROUP, elsewhere, 3), MCL_ERROR_ARGUMENT,
               "arguments[0].buffer");
    test_fails(mcl_opencl_launch(w.queue, kernel, GROUPS, GROUP, empty, 3), MCL_ERROR_ARGUMENT, "arguments[1].bytes");
    test_fails(mcl_opencl_launch(w.queue, kernel, GROUPS, GROUP, nowhere, 3), MCL_ERROR_ARGUMENT, "arguments[1].bytes");
    test_ok(mcl_opencl_launch(w.queue, kernel, GROUPS, GROUP, right, 3));
    data_is(&w, 1, 0);
    opencl_worked(clReleaseKernel(kernel), "clReleaseKernel");
    opencl_worked(clReleaseKernel(strange), "clReleaseKernel");
    opencl_unwrap(&w);
    opencl_unwrap(&foreign);
    opencl_stop(&app);
    opencl_stop(&other);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, launches_run_between_calls, device);
    test_add(tcase, recorded_launches_run_with_the_calls, device);
    test_add(tcase, preparing_queues_launch_nothing, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("driver_launch", add);
}
