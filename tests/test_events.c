/* test_events.c: events, wait lists, done, times, asynchronous copies. */
#include "support/arrays.h"

#include <string.h>

enum { COUNT = 20000 };

START_TEST(done_gives_an_event_with_the_time_of_the_call)
{
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    const int32_t one = 1;
    double milliseconds = -1;
    mcl_buffer *out = array_empty(_i, COUNT * sizeof(int32_t));

    test_ok(mcl_scan(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &one, COUNT), ints_out(out, COUNT),
                     MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options));
    ck_assert_ptr_nonnull(done);
    test_ok(mcl_event_milliseconds(done, &milliseconds));
    ck_assert_msg(milliseconds >= 0 && milliseconds < 60000, "%g ms", milliseconds);
    test_ok(mcl_event_retain(done));
    mcl_event_release(done);
    test_ok(mcl_event_wait(done));
    mcl_event_release(done);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(a_call_of_nothing_gives_an_event_too)
{
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    double milliseconds = -1;

    test_ok(mcl_transform(test_device_at(_i)->queue, ints(NULL, 0), ints_out(NULL, 0), &options));
    ck_assert_ptr_nonnull(done);
    test_ok(mcl_event_wait(done));
    test_ok(mcl_event_milliseconds(done, &milliseconds));
    ck_assert(milliseconds >= 0);
    mcl_event_release(done);
}
END_TEST

START_TEST(a_queue_without_profiling_has_no_times)
{
    mcl_queue *queue = NULL;
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    const int32_t one = 1;
    double milliseconds = -1;
    mcl_buffer *out = array_empty(_i, COUNT * sizeof(int32_t));

    test_ok(mcl_queue_create(test_device_at(_i)->context, 0, &queue));
    test_ok(mcl_transform(queue, mcl_from_constant(MCL_INT32, &one, COUNT), ints_out(out, COUNT), &options));
    test_fails(mcl_event_milliseconds(done, &milliseconds), MCL_ERROR_UNSUPPORTED, "mcl_event_milliseconds|profiling");
    mcl_event_release(done);
    mcl_queue_release(queue);
    mcl_buffer_release(out);
}
END_TEST

/* Two queues pass one array between them, and only events keep the order. */
START_TEST(wait_lists_order_the_work_of_two_queues)
{
    static int32_t got[COUNT];
    mcl_queue *queues[2] = { NULL, NULL };
    mcl_event *last = NULL;
    const int32_t zero = 0;
    mcl_buffer *data = array_empty(_i, sizeof got);
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, data, 0);

    test_ok(mcl_queue_create(test_device_at(_i)->context, 0, &queues[0]));
    test_ok(mcl_queue_create(test_device_at(_i)->context, MCL_QUEUE_PROFILING, &queues[1]));
    for (int k = 0; k < 21; k++) {
        mcl_event *done = NULL;
        const mcl_options options = { .wait = &last, .wait_count = k > 0, .done = &done };
        const mcl_input in = k == 0
                                 ? mcl_from_constant(MCL_INT32, &zero, COUNT)
                                 : mcl_from_expression(MCL_INT32, k % 2 ? "x[i] + 1" : "x[i] * 2", NULL, &x, 1, COUNT);
        test_ok(mcl_transform(queues[k % 2], in, ints_out(data, COUNT), &options));
        test_ok(mcl_queue_flush(queues[k % 2]));
        mcl_event_release(last);
        last = done;
    }
    test_ok(mcl_queue_wait(test_device_at(_i)->queue, &last, 1));
    ARRAY_READ(_i, data, got);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 2046);
    mcl_event_release(last);
    mcl_queue_release(queues[0]);
    mcl_queue_release(queues[1]);
    mcl_buffer_release(data);
}
END_TEST

START_TEST(a_recorded_event_is_the_point_after_all_before_it)
{
    static int32_t got[COUNT];
    mcl_queue *other = NULL;
    mcl_event *event = NULL;
    const int32_t start = 10;
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_queue_create(test_device_at(_i)->context, 0, &other));
    test_ok(mcl_transform(other, mcl_from_counting(MCL_INT32, &start, COUNT), ints_out(out, COUNT), NULL));
    test_ok(mcl_event_record(other, &event));
    test_ok(mcl_event_wait(event));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 10 + k);
    mcl_event_release(event);
    mcl_queue_release(other);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(asynchronous_copies_are_in_order_with_calls)
{
    static int32_t data[COUNT];
    static int32_t got[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_event *written = NULL;
    mcl_event *read = NULL;

    random_ints(data, COUNT, 1000, 6, 0);
    mcl_buffer *buffer = array_empty(_i, sizeof data);
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, buffer, 0);
    test_ok(mcl_buffer_write_async(queue, buffer, 0, sizeof data, data, &written));
    test_ok(mcl_transform(queue, mcl_from_expression(MCL_INT32, "x[i] + 7", NULL, &x, 1, COUNT),
                          ints_out(buffer, COUNT), NULL));
    test_ok(mcl_buffer_read_async(queue, buffer, 0, sizeof got, got, &read));
    test_ok(mcl_event_wait(read));
    test_ok(mcl_event_wait(written));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], data[k] + 7);
    test_ok(mcl_buffer_read_async(queue, buffer, 0, 4, got, NULL));
    test_ok(mcl_queue_finish(queue));
    mcl_event_release(written);
    mcl_event_release(read);
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(bad_events_are_named)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_event *none = NULL;
    mcl_event *foreign = NULL;
    mcl_context *context = test_context(_i);
    mcl_queue *other = NULL;
    double milliseconds;

    test_ok(mcl_queue_create(context, 0, &other));
    test_ok(mcl_event_record(other, &foreign));
    const mcl_options missing = { .wait = &none, .wait_count = 1 };
    const mcl_options strange = { .wait = &foreign, .wait_count = 1 };
    test_fails(mcl_queue_wait(queue, &none, 1), MCL_ERROR_ARGUMENT, "mcl_queue_wait|events[0]");
    test_fails(mcl_queue_wait(queue, &none, -1), MCL_ERROR_ARGUMENT, "mcl_queue_wait|count|-1");
    test_fails(mcl_queue_wait(queue, NULL, 1), MCL_ERROR_ARGUMENT, "mcl_queue_wait|events is NULL; expected 1 events");
    test_ok(mcl_queue_wait(queue, NULL, 0));
    test_fails(mcl_transform(queue, ints(NULL, 0), ints_out(NULL, 0), &missing), MCL_ERROR_ARGUMENT,
               "mcl_transform|wait[0]");
    test_fails(mcl_transform(queue, ints(NULL, 0), ints_out(NULL, 0), &strange), MCL_ERROR_ARGUMENT,
               "mcl_transform|wait[0]|context");
    test_fails(mcl_event_wait(NULL), MCL_ERROR_ARGUMENT, "mcl_event_wait|event is NULL");
    test_fails(mcl_event_milliseconds(NULL, &milliseconds), MCL_ERROR_ARGUMENT, "mcl_event_milliseconds|event is NULL");
    test_fails(mcl_event_record(queue, NULL), MCL_ERROR_ARGUMENT, "mcl_event_record|out");
    mcl_event_release(foreign);
    mcl_queue_release(other);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, done_gives_an_event_with_the_time_of_the_call, device);
    test_add(tcase, a_call_of_nothing_gives_an_event_too, device);
    test_add(tcase, a_queue_without_profiling_has_no_times, device);
    test_add(tcase, wait_lists_order_the_work_of_two_queues, device);
    test_add(tcase, a_recorded_event_is_the_point_after_all_before_it, device);
    test_add(tcase, asynchronous_copies_are_in_order_with_calls, device);
    test_add(tcase, bad_events_are_named, device);
}

int main(void)
{
    return test_main("events", add);
}
