/* test_interop_opencl.c: contexts, queues, buffers and events of an OpenCL application. */
#include "support/application.h"

#include <string.h>

enum { COUNT = APPLICATION_COUNT, BYTES = APPLICATION_BYTES };

static cl_uint references(const application *app)
{
    cl_uint context = 0, queue = 0;
    cl_uint data = 0;

    clGetContextInfo(app->context, CL_CONTEXT_REFERENCE_COUNT, sizeof context, &context, NULL);
    clGetCommandQueueInfo(app->queue, CL_QUEUE_REFERENCE_COUNT, sizeof queue, &queue, NULL);
    clGetMemObjectInfo(app->data, CL_MEM_REFERENCE_COUNT, sizeof data, &data, NULL);
    return context + queue + data;
}

START_TEST(foreign_objects_work_and_keep_their_references)
{
    if (opencl_skips(_i, "foreign_objects_work_and_keep_their_references")) return;
    enum { ROUNDS = 8 };
    application app = opencl_start(_i, 0);
    cl_uint before = 0;

    for (int k = 0; k < ROUNDS; k++) {
        wrapped w = opencl_wrap(&app);
        int32_t sum = 0;
        ck_assert_uint_eq(mcl_buffer_bytes(w.data), BYTES);
        test_ok(mcl_reduce(w.queue, ints(w.data, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
        ck_assert_int_eq(sum, COUNT * (COUNT - 1) / 2);
        test_ok(mcl_transform(w.queue, ints(w.data, COUNT), ints_out(w.data, COUNT), NULL));
        opencl_unwrap(&w);
        opencl_worked(clEnqueueReadBuffer(app.queue, app.data, CL_TRUE, 4, sizeof sum, &sum, 0, NULL, NULL), "read");
        ck_assert_int_eq(sum, 1);
        opencl_worked(clFinish(app.queue), "clFinish");
        if (k == 0) before = references(&app);
    }
    /* a driver keeps some references once there was a command, and releases them later; but one reference left in each
     * round would be more */
    ck_assert_uint_lt(references(&app), before + ROUNDS - 1);
    opencl_stop(&app);
}
END_TEST

START_TEST(unwrapping_gives_the_same_handles)
{
    if (opencl_skips(_i, "unwrapping_gives_the_same_handles")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    cl_int error;
    const cl_event user = clCreateUserEvent(app.context, &error);
    mcl_event *event = NULL;

    opencl_worked(error, "clCreateUserEvent");
    test_ok(mcl_opencl_event_wrap(w.context, user, &event));
    ck_assert_ptr_eq(mcl_opencl_context(w.context), app.context);
    ck_assert_ptr_eq(mcl_opencl_device(w.context), app.device);
    ck_assert_ptr_eq(mcl_opencl_queue(w.queue), app.queue);
    ck_assert_ptr_eq(mcl_opencl_buffer(w.data), app.data);
    ck_assert_ptr_eq(mcl_opencl_event(event), user);
    ck_assert_ptr_null(mcl_opencl_context(NULL));
    ck_assert_ptr_null(mcl_opencl_queue(NULL));
    mcl_event_release(event);
    opencl_worked(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
    clReleaseEvent(user);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

/* Makes at most two parts of one compute unit each, and returns their number; 0 where the device has none. Some drivers
 * crash on a request for parts that they do not support. The parts are never released: POCL 3.1's worker reads the
 * device of a finished command even after clFinish has returned and its queue and context are released. */
static cl_uint two_parts(cl_device_id device, cl_device_id *pair)
{
    static cl_device_id whole = NULL, parts[2];
    const cl_device_partition_property counts[] = { CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0 };
    cl_uint most = 0, units = 0;

    if (whole != device) {
        clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, NULL);
        clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
        if (most < 2 || units < 2) return 0;
        if (clCreateSubDevices(device, counts, 2, parts, NULL) != CL_SUCCESS) return 0;
        whole = device;
    }
    memcpy(pair, parts, sizeof parts);
    return 2;
}

/* Finds two devices for one context: of the platform, or parts of the device. Returns their number. */
static cl_uint two_devices(cl_device_id device, cl_device_id *pair)
{
    cl_platform_id platform;
    cl_uint count = 0;

    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, pair, &count) == CL_SUCCESS && count >= 2) return 2;
    return two_parts(device, pair);
}

/* Checks a sum on one device of a context, which is wrapped for this device. */
static void expect_sum_on(cl_context foreign, cl_device_id device)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    const int32_t one = 1;
    int32_t sum = 0;

    test_ok(mcl_opencl_context_wrap(foreign, device, &context));
    ck_assert_ptr_eq(mcl_opencl_device(context), device);
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, COUNT);
    mcl_queue_release(queue);
    mcl_context_release(context);
}

START_TEST(a_context_of_several_devices_works_on_the_one_named)
{
    if (opencl_skips(_i, "a_context_of_several_devices_works_on_the_one_named")) return;
    cl_device_id pair[2];
    mcl_context *context = NULL;

    if (two_devices(mcl_opencl_device(test_device_at(_i)->context), pair) != 2) {
        test_skip(_i, "a_context_of_several_devices_works_on_the_one_named", "only one device");
        return;
    }
    const cl_context both = opencl_open(2, pair);
    cl_uint count = 0;
    clGetContextInfo(both, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL);
    /* POCL lists the device of both parts once, and an only device need not be named */
    if (count == 2)
        test_fails(mcl_opencl_context_wrap(both, NULL, &context), MCL_ERROR_ARGUMENT, "mcl_opencl_context_wrap|device");
    for (int k = 0; k < 2; k++) expect_sum_on(both, pair[k]);
    clReleaseContext(both);
}
END_TEST

/* A part is also wrapped where the context's list has the whole device in its place, as in POCL. */
START_TEST(a_part_of_a_device_is_wrapped)
{
    if (opencl_skips(_i, "a_part_of_a_device_is_wrapped")) return;
    const cl_device_id device = mcl_opencl_device(test_device_at(_i)->context);
    cl_device_id pair[2];

    if (two_parts(device, pair) != 2) {
        test_skip(_i, "a_part_of_a_device_is_wrapped", "the device has no parts");
        return;
    }
    const cl_context alone = opencl_open(1, &pair[0]), whole = opencl_open(1, &device);
    expect_sum_on(alone, pair[0]);
    expect_sum_on(whole, device);
    clReleaseContext(alone);
    clReleaseContext(whole);
}
END_TEST

/* The queue waits for the gate, then fills a buffer that is released by then. */
static void release_behind_gate(int device, cl_command_queue_properties properties)
{
    application app = opencl_start(device, properties);
    wrapped w = opencl_wrap(&app);
    static int32_t got[COUNT];
    const int32_t one = 1;
    const int32_t two = 2;
    mcl_queue *other = NULL;
    mcl_buffer *first = NULL, *second = NULL;
    mcl_buffer *third = NULL;
    mcl_event *wait = NULL;
    mcl_memory_statistics now;
    cl_event done = NULL;
    cl_int error;
    const cl_event gate = clCreateUserEvent(app.context, &error);

    opencl_worked(error, "clCreateUserEvent");
    test_ok(mcl_context_set_memory_cache(w.context, 1 << 24));
    test_ok(mcl_queue_create(w.context, 0, &other));
    test_ok(mcl_opencl_event_wrap(w.context, gate, &wait));
    test_ok(mcl_buffer_create(w.context, BYTES, NULL, &first));
    test_ok(mcl_queue_wait(w.queue, &wait, 1));
    test_ok(mcl_buffer_fill(w.queue, first, 0, BYTES, &one, sizeof one));
    mcl_buffer_release(first);
    test_ok(mcl_buffer_create(w.context, BYTES, NULL, &second));
    test_ok(mcl_context_memory(w.context, &now));
    ck_assert_int_eq(now.cache_hits, 0);
    ck_assert_int_eq(now.blocks_cached, 1);
    test_ok(mcl_buffer_fill(other, second, 0, BYTES, &two, sizeof two));
    test_ok(mcl_queue_finish(other));
    opencl_worked(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    /* the library does not see this event; it is needed since clFinish of Mesa 22.3 does not wait for commands that
     * clFlush has passed on */
    opencl_worked(clEnqueueMarkerWithWaitList(app.queue, 0, NULL, &done), "clEnqueueMarkerWithWaitList");
    opencl_worked(clWaitForEvents(1, &done), "clWaitForEvents");
    opencl_worked(clReleaseEvent(done), "clReleaseEvent");
    test_ok(mcl_buffer_create(w.context, BYTES, NULL, &third));
    test_ok(mcl_context_memory(w.context, &now));
    ck_assert_int_eq(now.cache_hits, 1);
    test_ok(mcl_buffer_read(other, second, 0, BYTES, got));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], two);
    /* objects that the application knows are left to the driver */
    ck_assert_ptr_nonnull(mcl_opencl_buffer(third));
    mcl_buffer_release(third);
    test_ok(mcl_context_memory(w.context, &now));
    ck_assert_int_eq(now.blocks_cached, 0);
    mcl_event_release(wait);
    clReleaseEvent(gate);
    mcl_buffer_release(second);
    mcl_queue_release(other);
    opencl_unwrap(&w);
    opencl_stop(&app);
}

START_TEST(a_buffer_released_before_its_work_has_begun_is_not_had_again)
{
    const char *name = "a_buffer_released_before_its_work_has_begun_is_not_had_again";

    if (opencl_skips(_i, name)) return;
    if (strcmp(test_device_at(_i)->info.vendor, "Oclgrind") == 0) {
        test_skip(_i, name, "its clFlush waits for all commands, and so for the gate");
        return;
    }
    release_behind_gate(_i, 0);
    if (opencl_has_out_of_order(_i))
        release_behind_gate(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    else
        test_skip(_i, name, "no out-of-order queues");
}
END_TEST

START_TEST(calls_in_an_out_of_order_queue_are_in_order)
{
    const char *name = "calls_in_an_out_of_order_queue_are_in_order";

    if (opencl_skips(_i, name)) return;
    if (!opencl_has_out_of_order(_i)) {
        test_skip(_i, name, "no out-of-order queues");
        return;
    }
    application app = opencl_start(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    wrapped w = opencl_wrap(&app);
    static int32_t got[COUNT];
    const int32_t pattern = 1;
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, w.data, 0);

    test_ok(mcl_buffer_fill(w.queue, w.data, 0, BYTES, &pattern, sizeof pattern));
    for (int k = 0; k < 20; k++)
        test_ok(mcl_transform(w.queue,
                              mcl_from_expression(MCL_INT32, k % 2 ? "x[i] + 1" : "x[i] * 2", NULL, &x, 1, COUNT),
                              ints_out(w.data, COUNT), NULL));
    test_ok(mcl_buffer_read(w.queue, w.data, 0, BYTES, got));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 2047);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

START_TEST(a_replay_in_an_out_of_order_queue_is_in_order)
{
    const char *name = "a_replay_in_an_out_of_order_queue_is_in_order";

    if (opencl_skips(_i, name)) return;
    if (!opencl_has_out_of_order(_i)) {
        test_skip(_i, name, "no out-of-order queues");
        return;
    }
    application app = opencl_start(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    wrapped w = opencl_wrap(&app);
    static int32_t got[COUNT];
    mcl_recording *recording = NULL;
    const int32_t pattern = 1;
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, w.data, 0);

    test_ok(mcl_record_begin(w.queue));
    for (int k = 0; k < 4; k++)
        test_ok(mcl_transform(w.queue,
                              mcl_from_expression(MCL_INT32, k % 2 ? "x[i] + 1" : "x[i] * 2", NULL, &x, 1, COUNT),
                              ints_out(w.data, COUNT), NULL));
    test_ok(mcl_record_end(w.queue, &recording));
    test_ok(mcl_buffer_fill(w.queue, w.data, 0, BYTES, &pattern, sizeof pattern));
    for (int k = 0; k < 5; k++) test_ok(mcl_replay(w.queue, recording, NULL));
    test_ok(mcl_buffer_read(w.queue, w.data, 0, BYTES, got));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 2047);
    mcl_recording_release(recording);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

START_TEST(overlap_is_found_through_sub_buffers_to_their_parents)
{
    if (opencl_skips(_i, "overlap_is_found_through_sub_buffers_to_their_parents")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    cl_int error;
    const cl_buffer_region low = { 0, BYTES / 2 / 4096 * 4096 };
    const cl_buffer_region high = { low.size, 4096 };
    const cl_mem low_mem = clCreateSubBuffer(app.data, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &low, &error);
    mcl_buffer *low_buffer = NULL, *high_buffer = NULL;

    opencl_worked(error, "clCreateSubBuffer");
    const cl_mem high_mem = clCreateSubBuffer(app.data, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &high, &error);
    opencl_worked(error, "clCreateSubBuffer");
    test_ok(mcl_opencl_buffer_wrap(w.context, low_mem, &low_buffer));
    test_ok(mcl_opencl_buffer_wrap(w.context, high_mem, &high_buffer));
    ck_assert_uint_eq(mcl_buffer_bytes(high_buffer), 4096);
    const int64_t start_of_high = (int64_t)(high.origin / sizeof(int32_t));
    test_fails(mcl_transform(w.queue, ints(high_buffer, 1000),
                             mcl_to_buffer(MCL_INT32, w.data, start_of_high + 1, 1000), NULL),
               MCL_ERROR_ARGUMENT, "mcl_transform|out|overlap|in");
    test_ok(mcl_transform(w.queue, ints(high_buffer, 1000), ints_out(w.data, 1000), NULL));
    test_ok(mcl_transform(w.queue, ints(high_buffer, 1000), ints_out(low_buffer, 1000), NULL));
    int32_t first = 0;
    test_ok(mcl_buffer_read(w.queue, w.data, 0, sizeof first, &first));
    ck_assert_int_eq(first, (int32_t)start_of_high);
    mcl_buffer_release(low_buffer);
    mcl_buffer_release(high_buffer);
    clReleaseMemObject(low_mem);
    clReleaseMemObject(high_mem);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

/* Kernels never access a buffer in a way that the application has excluded. */
START_TEST(buffers_for_one_direction_are_used_in_it_alone)
{
    if (opencl_skips(_i, "buffers_for_one_direction_are_used_in_it_alone")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    cl_int error;
    mcl_buffer *source = NULL, *target = NULL;
    const cl_mem read_only = clCreateBuffer(app.context, CL_MEM_READ_ONLY, BYTES, NULL, &error);
    const cl_mem write_only = clCreateBuffer(app.context, CL_MEM_WRITE_ONLY, BYTES, NULL, &error);

    test_ok(mcl_opencl_buffer_wrap(w.context, read_only, &source));
    test_ok(mcl_opencl_buffer_wrap(w.context, write_only, &target));
    test_ok(mcl_transform(w.queue, ints(source, COUNT), ints_out(target, COUNT), NULL));
    test_fails(mcl_transform(w.queue, ints(w.data, COUNT), ints_out(source, COUNT), NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: out|may not write|CL_MEM_READ_ONLY");
    test_fails(mcl_reduce(w.queue, ints(w.data, COUNT), MCL_ADD, mcl_to_slot(MCL_INT32, source, 0), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce: result|may not write");
    test_fails(mcl_transform(w.queue, ints(target, COUNT), ints_out(w.data, COUNT), NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: in|may not read|CL_MEM_WRITE_ONLY");
    test_fails(mcl_transform(w.queue, mcl_with_count(ints(source, COUNT), target, 0), ints_out(w.data, COUNT), NULL),
               MCL_ERROR_ARGUMENT, "mcl_transform: in|may not read");
    const mcl_options options = { .scratch = source, .scratch_bytes = 1024 };
    test_fails(mcl_transform(w.queue, ints(source, COUNT), ints_out(target, COUNT), &options), MCL_ERROR_ARGUMENT,
               "mcl_transform: options->scratch|read and write");
    test_ok(mcl_queue_finish(w.queue));
    mcl_buffer_release(source);
    mcl_buffer_release(target);
    clReleaseMemObject(read_only);
    clReleaseMemObject(write_only);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

START_TEST(a_wrapped_queue_has_times_where_it_was_made_with_profiling)
{
    if (opencl_skips(_i, "a_wrapped_queue_has_times_where_it_was_made_with_profiling")) return;
    for (int profiling = 0; profiling < 2; profiling++) {
        application app = opencl_start(_i, profiling ? CL_QUEUE_PROFILING_ENABLE : 0);
        wrapped w = opencl_wrap(&app);
        mcl_event *done = NULL;
        const mcl_options options = { .done = &done };
        double milliseconds = -1;
        test_ok(mcl_scan(w.queue, ints(w.data, COUNT), ints_out(w.data, COUNT), MCL_ADD, MCL_INCLUSIVE,
                         mcl_to_nowhere(), &options));
        if (profiling) {
            test_ok(mcl_event_milliseconds(done, &milliseconds));
            ck_assert(milliseconds >= 0);
        } else
            test_fails(mcl_event_milliseconds(done, &milliseconds), MCL_ERROR_UNSUPPORTED,
                       "mcl_event_milliseconds|profiling");
        mcl_event_release(done);
        opencl_unwrap(&w);
        opencl_stop(&app);
    }
}
END_TEST

START_TEST(handles_that_do_not_belong_together_are_named)
{
    if (opencl_skips(_i, "handles_that_do_not_belong_together_are_named")) return;
    application app = opencl_start(_i, 0);
    application other = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_event *event = NULL;

    test_fails(mcl_opencl_context_wrap(NULL, NULL, &context), MCL_ERROR_ARGUMENT, "mcl_opencl_context_wrap|NULL");
    test_fails(mcl_opencl_queue_wrap(w.context, NULL, &queue), MCL_ERROR_ARGUMENT, "mcl_opencl_queue_wrap|NULL");
    test_fails(mcl_opencl_buffer_wrap(w.context, NULL, &buffer), MCL_ERROR_ARGUMENT, "mcl_opencl_buffer_wrap|NULL");
    test_fails(mcl_opencl_event_wrap(w.context, NULL, &event), MCL_ERROR_ARGUMENT, "mcl_opencl_event_wrap|NULL");
    test_fails(mcl_opencl_queue_wrap(w.context, other.queue, &queue), MCL_ERROR_ARGUMENT,
               "mcl_opencl_queue_wrap|context");
    test_fails(mcl_opencl_buffer_wrap(w.context, other.data, &buffer), MCL_ERROR_ARGUMENT,
               "mcl_opencl_buffer_wrap|context");
    const cl_image_format format = { CL_RGBA, CL_FLOAT };
    const cl_image_desc of_image = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4 };
    cl_int error;
    const cl_mem image = clCreateImage(app.context, CL_MEM_READ_WRITE, &format, &of_image, NULL, &error);
    if (error == CL_SUCCESS) /* some devices have no images */
        test_fails(mcl_opencl_buffer_wrap(w.context, image, &buffer), MCL_ERROR_ARGUMENT,
                   "mcl_opencl_buffer_wrap: buffer is an image or a pipe, of type 0x10f1; expected a buffer");
    if (error == CL_SUCCESS) clReleaseMemObject(image);
    test_fails(mcl_opencl_loader_set(NULL, NULL), MCL_ERROR_ARGUMENT, "mcl_opencl_loader_set");
    opencl_unwrap(&w);
    opencl_stop(&app);
    opencl_stop(&other);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, foreign_objects_work_and_keep_their_references, device);
    test_add(tcase, unwrapping_gives_the_same_handles, device);
    test_add(tcase, a_context_of_several_devices_works_on_the_one_named, device);
    test_add(tcase, a_part_of_a_device_is_wrapped, device);
    test_add(tcase, a_buffer_released_before_its_work_has_begun_is_not_had_again, device);
    test_add(tcase, calls_in_an_out_of_order_queue_are_in_order, device);
    test_add(tcase, a_replay_in_an_out_of_order_queue_is_in_order, device);
    test_add(tcase, overlap_is_found_through_sub_buffers_to_their_parents, device);
    test_add(tcase, buffers_for_one_direction_are_used_in_it_alone, device);
    test_add(tcase, a_wrapped_queue_has_times_where_it_was_made_with_profiling, device);
    test_add(tcase, handles_that_do_not_belong_together_are_named, device);
}

int main(void)
{
    return test_main("interop_opencl", add);
}
