/* test_interop_events.c: events of an OpenCL application before and after the library's calls. */
#include "support/application.h"

enum { COUNT = APPLICATION_COUNT, BYTES = APPLICATION_BYTES };

/* Checks a chain of events in any kind of queue: a write that a user event holds back, our transform, a copy, our scan,
 * a read. */
static void event_chain(int device, cl_command_queue_properties properties)
{
    application app = opencl_start(device, properties);
    wrapped w = opencl_wrap(&app);
    static int32_t data[COUNT];
    static int32_t got[COUNT];
    cl_int error;
    cl_event written;
    cl_event copied;
    mcl_event *wait = NULL, *transformed = NULL;
    mcl_event *copied_wait = NULL, *scanned = NULL;
    const cl_event gate = clCreateUserEvent(app.context, &error);
    const cl_mem second = clCreateBuffer(app.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    mcl_buffer *second_buffer = NULL;
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, w.data, 0);

    for (int k = 0; k < COUNT; k++) data[k] = k % 10;
    test_ok(mcl_opencl_buffer_wrap(w.context, second, &second_buffer));
    opencl_worked(clEnqueueWriteBuffer(app.queue, app.data, CL_FALSE, 0, BYTES, data, 1, &gate, &written), "write");
    test_ok(mcl_opencl_event_wrap(w.context, written, &wait));
    const mcl_options after_write = { .wait = &wait, .wait_count = 1, .done = &transformed };
    test_ok(mcl_transform(w.queue, mcl_from_expression(MCL_INT32, "x[i] + 1", NULL, &x, 1, COUNT),
                          ints_out(w.data, COUNT), &after_write));
    const cl_event ours = mcl_opencl_event(transformed);
    opencl_worked(clEnqueueCopyBuffer(app.queue, app.data, second, 0, 0, BYTES, 1, &ours, &copied), "copy");
    test_ok(mcl_opencl_event_wrap(w.context, copied, &copied_wait));
    const mcl_options after_copy = { .wait = &copied_wait, .wait_count = 1, .done = &scanned };
    test_ok(mcl_scan(w.queue, ints(second_buffer, COUNT), ints_out(second_buffer, COUNT), MCL_ADD, MCL_INCLUSIVE,
                     mcl_to_nowhere(), &after_copy));
    opencl_worked(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    const cl_event last = mcl_opencl_event(scanned);
    opencl_worked(clEnqueueReadBuffer(app.queue, second, CL_TRUE, 0, BYTES, got, 1, &last, NULL), "read");
    for (int k = 0, sum = 0; k < COUNT; k++) {
        sum += k % 10 + 1;
        ck_assert_int_eq(got[k], sum);
    }
    mcl_event_release(wait);
    mcl_event_release(transformed);
    mcl_event_release(copied_wait);
    mcl_event_release(scanned);
    clReleaseEvent(written);
    clReleaseEvent(copied);
    clReleaseEvent(gate);
    mcl_buffer_release(second_buffer);
    opencl_unwrap(&w);
    clReleaseMemObject(second);
    opencl_stop(&app);
}

START_TEST(an_event_chain_runs_through_calls_in_an_in_order_queue)
{
    if (opencl_skips(_i, "an_event_chain_runs_through_calls_in_an_in_order_queue")) return;
    event_chain(_i, 0);
}
END_TEST

START_TEST(an_event_chain_runs_through_calls_in_an_out_of_order_queue)
{
    const char *name = "an_event_chain_runs_through_calls_in_an_out_of_order_queue";

    if (opencl_skips(_i, name)) return;
    if (!opencl_has_out_of_order(_i)) {
        test_skip(_i, name, "no out-of-order queues");
        return;
    }
    event_chain(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    event_chain(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
}
END_TEST

/* Checks the same chain with the driver's own events in the options. Nothing is wrapped, and only the events are
 * released. The same call also gives an event of the library. */
static void driver_event_chain(int device, cl_command_queue_properties properties)
{
    application app = opencl_start(device, properties);
    wrapped w = opencl_wrap(&app);
    static int32_t data[COUNT];
    static int32_t got[COUNT];
    cl_int error;
    void *written[2] = { NULL, NULL };
    void *added = NULL;
    mcl_event *also = NULL;
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, w.data, 0);
    const cl_event gate = clCreateUserEvent(app.context, &error);

    opencl_worked(error, "clCreateUserEvent");
    for (int k = 0; k < COUNT; k++) data[k] = k % 10;
    opencl_worked(
        clEnqueueWriteBuffer(app.queue, app.data, CL_FALSE, 0, BYTES, data, 1, &gate, (cl_event *)&written[0]),
        "write");
    written[1] = gate;
    const mcl_options after_write = {
        .driver_wait = written, .driver_wait_count = 2, .driver_done = &added, .done = &also
    };
    test_ok(mcl_transform(w.queue, mcl_from_expression(MCL_INT32, "x[i] + 1", NULL, &x, 1, COUNT),
                          ints_out(w.data, COUNT), &after_write));
    ck_assert_ptr_nonnull(added);
    cl_int state = CL_COMPLETE;
    opencl_worked(clGetEventInfo(added, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL),
                  "clGetEventInfo");
    ck_assert_int_gt(state, CL_COMPLETE); /* the gate is still closed */
    opencl_worked(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    opencl_worked(clEnqueueReadBuffer(app.queue, app.data, CL_TRUE, 0, BYTES, got, 1, (cl_event *)&added, NULL),
                  "read");
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], k % 10 + 1);
    test_ok(mcl_event_wait(also));
    cl_uint left = 0;
    opencl_worked(clFinish(app.queue), "clFinish");
    opencl_worked(clGetEventInfo(added, CL_EVENT_REFERENCE_COUNT, sizeof left, &left, NULL), "clGetEventInfo");
    ck_assert_uint_ge(left, 1);
    mcl_event_release(also);
    clReleaseEvent(written[0]);
    clReleaseEvent(added);
    clReleaseEvent(gate);
    opencl_unwrap(&w);
    opencl_stop(&app);
}

START_TEST(events_of_the_drivers_own_stand_in_the_options)
{
    if (opencl_skips(_i, "events_of_the_drivers_own_stand_in_the_options")) return;
    driver_event_chain(_i, 0);
    driver_event_chain(_i, CL_QUEUE_PROFILING_ENABLE);
    if (!opencl_has_out_of_order(_i)) return;
    driver_event_chain(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    driver_event_chain(_i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
}
END_TEST

START_TEST(a_preparing_queue_gives_no_event_of_the_driver)
{
    if (opencl_skips(_i, "a_preparing_queue_gives_no_event_of_the_driver")) return;
    application app = opencl_start(_i, 0);
    wrapped w = opencl_wrap(&app);
    mcl_queue *preparing = NULL;
    void *done = &app;
    const mcl_options options = { .driver_done = &done };
    test_ok(mcl_queue_create_preparing(w.context, &preparing));
    test_ok(mcl_transform(preparing, ints(w.data, COUNT), ints_out(w.data, COUNT), &options));
    ck_assert_ptr_null(done);
    mcl_queue_release(preparing);
    opencl_unwrap(&w);
    opencl_stop(&app);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, an_event_chain_runs_through_calls_in_an_in_order_queue, device);
    test_add(tcase, an_event_chain_runs_through_calls_in_an_out_of_order_queue, device);
    test_add(tcase, events_of_the_drivers_own_stand_in_the_options, device);
    test_add(tcase, a_preparing_queue_gives_no_event_of_the_driver, device);
}

int main(void)
{
    return test_main("interop_events", add);
}
