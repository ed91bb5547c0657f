/* test_driver_handles.c: a caller's handles of OpenCL and CUDA as objects of the library, and events, waits and unified
 * shared memory by them. Both drivers are fakes in the host's memory (support/false_opencl.c, support/fault_cuda.c).
 * Each test is a separate process. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/false_opencl.h"

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include <moderncl/cuda.h>

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { COUNT = 1000, BYTES = COUNT * (int)sizeof(int32_t), SHARED = 256 };

static const struct _cl_device_id device = { {
    FALSE_TEXT(CL_DEVICE_EXTENSIONS, "cl_intel_unified_shared_memory"),
    FALSE_ULONG(CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
} };
static const struct _cl_platform_id platform = { "False", "OpenCL 1.2", CL_SUCCESS, 1, &device };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer;
} world;

static world start_at(const char *name)
{
    world w = { 0 };
    test_ok(mcl_context_create(name, &w.context));
    test_ok(mcl_queue_create(w.context, 0, &w.queue));
    test_ok(mcl_buffer_create(w.context, BYTES, NULL, &w.buffer));
    return w;
}

static void load(void)
{
    false_opencl_is.platforms = &platform;
    false_opencl_is.platform_count = 1;
    setenv("MCL_CACHE_DIR", "", 1);
    test_ok(mcl_opencl_loader_set(false_opencl_load, NULL));
    test_ok(mcl_cuda_loader_set(fault_cuda_load, NULL));
}

static world start(void)
{
    load();
    return start_at("opencl");
}

static void stop_one(world *w)
{
    mcl_buffer_release(w->buffer);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

static void stop(world *w)
{
    stop_one(w);
    ck_assert_str_eq(fault_balance(), "");
}

static mcl_event *mark(mcl_queue *queue)
{
    mcl_event *event = NULL;
    test_ok(mcl_event_record(queue, &event));
    return event;
}

/* ---- handles ---------------------------------------------------------------------------------------------------- */

/* Each backend gives handles only for its own objects. */
START_TEST(handles_are_of_their_backend)
{
    load();
    world of_opencl = start_at("opencl"), of_cuda = start_at("cuda");
    mcl_event *const driver_event = mark(of_opencl.queue), *const stream_event = mark(of_cuda.queue);
    ck_assert_ptr_nonnull(mcl_opencl_context(of_opencl.context));
    ck_assert_ptr_eq(mcl_opencl_device(of_opencl.context), &device);
    ck_assert_ptr_nonnull(mcl_opencl_queue(of_opencl.queue));
    ck_assert_ptr_nonnull(mcl_opencl_buffer(of_opencl.buffer));
    ck_assert_ptr_nonnull(mcl_opencl_event(driver_event));
    ck_assert_ptr_nonnull(mcl_cuda_context(of_cuda.context));
    ck_assert_ptr_nonnull(mcl_cuda_queue(of_cuda.queue));
    ck_assert_uint_ne(mcl_cuda_buffer(of_cuda.buffer), 0);
    ck_assert_ptr_nonnull(mcl_cuda_event(stream_event));
    ck_assert_ptr_null(mcl_opencl_context(of_cuda.context));
    ck_assert_ptr_null(mcl_opencl_device(of_cuda.context));
    ck_assert_ptr_null(mcl_opencl_queue(of_cuda.queue));
    ck_assert_ptr_null(mcl_opencl_buffer(of_cuda.buffer));
    ck_assert_ptr_null(mcl_opencl_event(stream_event));
    ck_assert_ptr_null(mcl_cuda_context(of_opencl.context));
    ck_assert_ptr_null(mcl_cuda_queue(of_opencl.queue));
    ck_assert_uint_eq(mcl_cuda_buffer(of_opencl.buffer), 0);
    ck_assert_ptr_null(mcl_cuda_event(driver_event));
    mcl_event_release(driver_event);
    mcl_event_release(stream_event);
    stop_one(&of_opencl);
    stop(&of_cuda);
}
END_TEST

START_TEST(nothing_has_no_handle)
{
    ck_assert_ptr_null(mcl_opencl_context(NULL));
    ck_assert_ptr_null(mcl_opencl_device(NULL));
    ck_assert_ptr_null(mcl_opencl_queue(NULL));
    ck_assert_ptr_null(mcl_opencl_buffer(NULL));
    ck_assert_ptr_null(mcl_opencl_event(NULL));
    ck_assert_ptr_null(mcl_cuda_context(NULL));
    ck_assert_ptr_null(mcl_cuda_queue(NULL));
    ck_assert_uint_eq(mcl_cuda_buffer(NULL), 0);
    ck_assert_ptr_null(mcl_cuda_event(NULL));
}
END_TEST

/* A wrapper refuses a handle with a context of the other backend. */
START_TEST(wrappers_refuse_another_backends_context)
{
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_event *event = NULL;
    load();
    world of_opencl = start_at("opencl"), of_cuda = start_at("cuda");
    const cl_command_queue handle = mcl_opencl_queue(of_opencl.queue);
    test_fails(mcl_opencl_queue_wrap(of_cuda.context, handle, &queue), MCL_ERROR_ARGUMENT,
               "mcl_opencl_queue_wrap: context is of backend cuda; expected one of opencl");
    test_fails(mcl_cuda_queue_wrap(of_opencl.context, NULL, &queue), MCL_ERROR_ARGUMENT,
               "mcl_cuda_queue_wrap: context is of the backend opencl; expected one of cuda");
    test_fails(mcl_cuda_buffer_wrap(of_cuda.context, 0, 4, &buffer), MCL_ERROR_ARGUMENT,
               "mcl_cuda_buffer_wrap: address is NULL");
    test_fails(mcl_cuda_event_wrap(of_cuda.context, NULL, &event), MCL_ERROR_ARGUMENT, "event is NULL");
    test_fails(mcl_cuda_event_wrap(of_cuda.context, (CUevent)&event, NULL), MCL_ERROR_ARGUMENT,
               "out is NULL; expected where to put the wrapper");
    test_ok(mcl_cuda_buffer_wrap(of_cuda.context, 0, 0, &buffer));
    mcl_buffer_release(buffer);
    stop_one(&of_opencl);
    stop(&of_cuda);
}
END_TEST

/* ---- wrapping in OpenCL ----------------------------------------------------------------------------------------- */

START_TEST(a_context_of_several_devices_needs_one_named)
{
    mcl_context *wrapped = NULL;
    world w = start();
    const cl_context handle = mcl_opencl_context(w.context);
    test_ok(mcl_opencl_context_wrap(handle, NULL, &wrapped));
    ck_assert_ptr_eq(mcl_opencl_device(wrapped), &device);
    mcl_context_release(wrapped);
    false_opencl_is.sharers = 2;
    test_fails(mcl_opencl_context_wrap(handle, NULL, &wrapped), MCL_ERROR_ARGUMENT,
               "device is NULL and context has 3 devices");
    test_ok(mcl_opencl_context_wrap(handle, (cl_device_id)&device, &wrapped));
    ck_assert_ptr_eq(mcl_opencl_device(wrapped), &device);
    mcl_context_release(wrapped);
    stop(&w);
}
END_TEST

/* Each query about a wrapped handle fails in turn. */
START_TEST(a_driver_that_does_not_tell_of_a_handle_fails_its_wrapper)
{
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_event *wrapped = NULL;
    world w = start();
    mcl_event *const event = mark(w.queue);
    for (int at = 1; at <= 3; at++) {
        fault_arm(fault_function(&false_opencl, "clGetCommandQueueInfo"), at, 0, CL_OUT_OF_RESOURCES);
        test_fails(mcl_opencl_queue_wrap(w.context, mcl_opencl_queue(w.queue), &queue), MCL_ERROR_DEVICE,
                   "mcl_opencl_queue_wrap: opencl: clGetCommandQueueInfo gave CL_OUT_OF_RESOURCES");
    }
    for (int at = 1; at <= 4; at++) {
        fault_arm(fault_function(&false_opencl, "clGetMemObjectInfo"), at, 0, CL_OUT_OF_RESOURCES);
        test_fails(mcl_opencl_buffer_wrap(w.context, mcl_opencl_buffer(w.buffer), &buffer), MCL_ERROR_DEVICE,
                   "mcl_opencl_buffer_wrap: opencl: clGetMemObjectInfo gave CL_OUT_OF_RESOURCES");
    }
    fault_arm(fault_function(&false_opencl, "clGetEventInfo"), 1, 0, CL_OUT_OF_RESOURCES);
    test_fails(mcl_opencl_event_wrap(w.context, mcl_opencl_event(event), &wrapped), MCL_ERROR_DEVICE,
               "mcl_opencl_event_wrap: opencl: clGetEventInfo");
    fault_disarm();
    mcl_event_release(event);
    stop(&w);
}
END_TEST

static const struct _cl_device_id without_svm = { { FALSE_ULONG(CL_DEVICE_SVM_CAPABILITIES, 0) } };
static const struct _cl_device_id silent;
static const struct {
    const struct _cl_device_id *device;
    const char *features;
    int has_svm;
} svms[] = { { &device, "", 1 }, { &device, "opencl=1.2", 0 }, { &without_svm, "", 0 }, { &silent, "", 0 } };

START_TEST(shared_virtual_memory_is_wrapped_where_it_is_there)
{
    static int32_t memory[COUNT];
    const struct _cl_platform_id one = { "False", "OpenCL 1.2", CL_SUCCESS, 1, svms[_i].device };
    mcl_buffer *buffer = NULL;
    setenv("MCL_FEATURES", svms[_i].features, 1);
    load();
    false_opencl_is.platforms = &one;
    world w = start_at("opencl");
    const mcl_status status = mcl_opencl_svm_wrap(w.context, memory, sizeof memory, &buffer);
    if (!svms[_i].has_svm)
        test_fails(status, MCL_ERROR_UNSUPPORTED, "mcl_opencl_svm_wrap: Plain processor has no shared virtual memory");
    else
        test_ok(status);
    mcl_buffer_release(buffer);
    stop(&w);
}
END_TEST

/* ---- launches of a caller's kernels ----------------------------------------------------------------------------- */

START_TEST(a_launch_needs_the_arguments_that_the_kernel_has)
{
    mcl__text log = { 0 };
    void *program = NULL, *kernel = NULL;
    const int32_t value = 7;
    world w = start();
    const mcl_driver_argument arguments[] = { { w.buffer, NULL, 0 },
                                              { NULL, &value, sizeof value },
                                              { NULL, NULL, 0 } };
    test_ok(w.context->backend->program_build(w.context, "", "name", &log, &program));
    test_ok(w.context->backend->kernel_create(w.context, program, "kernel", &kernel));
    false_opencl_is.parameters = 3;
    fault_disarm();
    test_ok(mcl_opencl_launch(w.queue, kernel, 4, 8, arguments, 3));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clSetKernelArg"), 3);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueNDRangeKernel"), 1);
    test_fails(mcl_opencl_launch(w.queue, kernel, 4, 8, arguments, 2), MCL_ERROR_ARGUMENT,
               "expected the 3 of kernel's");
    test_fails(mcl_opencl_launch(w.queue, kernel, 4, 8, arguments, -3), MCL_ERROR_ARGUMENT, "argument_count is -3");
    for (int at = 1; at <= 2; at++) {
        fault_arm(fault_function(&false_opencl, "clGetKernelInfo"), at, 0,
                  at == 1 ? CL_INVALID_KERNEL : CL_OUT_OF_RESOURCES);
        const mcl_status status = mcl_opencl_launch(w.queue, kernel, 4, 8, arguments, 3);
        if (at == 1) test_fails(status, MCL_ERROR_ARGUMENT, "kernel is none of this driver's");
        if (at == 2) test_fails(status, MCL_ERROR_DEVICE, "clGetKernelInfo gave CL_OUT_OF_RESOURCES");
    }
    fault_disarm();
    w.context->backend->kernel_release(w.context, kernel);
    w.context->backend->program_release(w.context, program);
    mcl__text_free(&log);
    stop(&w);
}
END_TEST

/* ---- unified shared memory -------------------------------------------------------------------------------------- */

static mcl_buffer *shared_buffer(const world *w, int32_t *memory)
{
    mcl_buffer *buffer = NULL;
    test_ok(mcl_opencl_usm_wrap(w->context, memory, SHARED * sizeof *memory, &buffer));
    return buffer;
}

START_TEST(shared_memory_is_copied_and_filled_by_its_address)
{
    static int32_t a[SHARED], b[SHARED], data[SHARED], found[SHARED];
    static const int32_t word = 5;
    world w = start();
    mcl_buffer *const from = shared_buffer(&w, a), *const to = shared_buffer(&w, b);
    for (int k = 0; k < SHARED; k++) data[k] = k;
    fault_disarm();
    test_ok(mcl_buffer_write(w.queue, from, 0, sizeof data, data));
    test_ok(mcl_buffer_copy(w.queue, from, 0, to, 0, sizeof data));
    test_ok(mcl_buffer_fill(w.queue, from, 4, 8, &word, sizeof word));
    test_ok(mcl_buffer_read(w.queue, to, 0, sizeof found, found));
    ck_assert_mem_eq(found, data, sizeof data);
    ck_assert(a[0] == 0 && a[1] == 5 && a[2] == 5 && a[3] == 3);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueMemcpyINTEL"), 3);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueMemFillINTEL"), 1);
    ck_assert_ptr_null(mcl_opencl_buffer(from));
    test_fails(mcl_buffer_copy(w.queue, from, 0, w.buffer, 0, 4), MCL_ERROR_UNSUPPORTED,
               "unified shared memory|cl_mem");
    test_fails(mcl_buffer_copy(w.queue, w.buffer, 0, from, 0, 4), MCL_ERROR_UNSUPPORTED,
               "unified shared memory|cl_mem");
    test_ok(mcl_transform(w.queue, mcl_from_buffer(MCL_INT32, from, 0, SHARED), mcl_to_buffer(MCL_INT32, to, 0, SHARED),
                          NULL));
    ck_assert_int_ge(fault_calls_of(&false_opencl, "clSetKernelArgMemPointerINTEL"), 2);
    mcl_buffer_release(from);
    mcl_buffer_release(to);
    stop(&w);
}
END_TEST

START_TEST(shared_memory_needs_each_function_of_its_extension)
{
    static const char *const functions[] = { "clSetKernelArgMemPointerINTEL", "clEnqueueMemcpyINTEL",
                                             "clEnqueueMemFillINTEL" };
    int32_t memory[4];
    mcl_buffer *buffer = NULL;
    false_opencl_is.lacks = functions[_i];
    world w = start();
    test_fails(mcl_opencl_usm_wrap(w.context, memory, sizeof memory, &buffer), MCL_ERROR_UNSUPPORTED,
               "has no unified shared memory (cl_intel_unified_shared_memory)");
    stop(&w);
}
END_TEST

/* ---- events and waits ------------------------------------------------------------------------------------------- */

/* A barrier takes at most sixteen events. */
START_TEST(many_events_are_waited_for_by_several_barriers)
{
    enum { EVENTS = 20 };
    static const int counts[] = { 1, 16, 17, 20 }, barriers[] = { 1, 1, 2, 2 };
    mcl_event *events[EVENTS];
    void *handles[EVENTS];
    world w = start();
    mcl_options options = { .driver_wait = handles, .size = sizeof options };
    mcl_queue *other = NULL;
    test_ok(mcl_queue_create(w.context, 0, &other));
    for (int k = 0; k < EVENTS; k++) {
        events[k] = mark(k % 2 ? w.queue : other);
        handles[k] = mcl_opencl_event(events[k]);
    }
    fault_disarm();
    test_ok(mcl_queue_wait(w.queue, events, counts[_i]));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueBarrierWithWaitList"), barriers[_i]);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clFlush"),
                     (counts[_i] + 1) / 2); /* one barrier more for the events of the other queue */
    fault_disarm();
    options.driver_wait_count = counts[_i];
    test_ok(mcl_transform(w.queue, mcl_from_buffer(MCL_INT32, w.buffer, 0, COUNT),
                          mcl_to_buffer(MCL_INT32, w.buffer, 0, COUNT), &options));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueBarrierWithWaitList"), barriers[_i]);
    for (int k = 0; k < EVENTS; k++) mcl_event_release(events[k]);
    mcl_queue_release(other);
    stop(&w);
}
END_TEST

START_TEST(events_that_a_queue_cannot_wait_for_are_told)
{
    static const struct {
        int code;
        mcl_status status;
        const char *words;
    } faults[] = { { CL_INVALID_CONTEXT, MCL_ERROR_ARGUMENT, "one of the events to wait for is not of queue's" },
                   { CL_INVALID_EVENT_WAIT_LIST, MCL_ERROR_ARGUMENT, "one of the events to wait for is not of" },
                   { CL_OUT_OF_RESOURCES, MCL_ERROR_DEVICE, "clEnqueueBarrierWithWaitList gave CL_OUT_OF_RESOURCES" } };
    mcl_event *wrapped = NULL;
    world w = start();
    mcl_event *const event = mark(w.queue);
    test_ok(mcl_opencl_event_wrap(w.context, mcl_opencl_event(event), &wrapped));
    for (size_t k = 0; k < COUNT_OF(faults); k++) {
        fault_arm(fault_function(&false_opencl, "clEnqueueBarrierWithWaitList"), 1, 0, faults[k].code);
        test_fails(mcl_queue_wait(w.queue, &wrapped, 1), faults[k].status, faults[k].words);
    }
    fault_disarm();
    test_ok(mcl_queue_wait(w.queue, &wrapped, 1));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clFlush"), 0); /* the event's queue is not known */
    mcl_event_release(wrapped);
    mcl_event_release(event);
    stop(&w);
}
END_TEST

START_TEST(an_event_is_done_when_the_driver_says_so_or_fails)
{
    world w = start();
    mcl_event *const event = mark(w.queue);
    ck_assert_int_eq(w.context->backend->event_done(event), 1);
    false_opencl_is.is_pending = 1;
    ck_assert_int_eq(w.context->backend->event_done(event), 0);
    fault_arm(fault_function(&false_opencl, "clGetEventInfo"), 1, 0, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(w.context->backend->event_done(event), 1);
    fault_disarm();
    mcl_event_release(event);
    stop(&w);
}
END_TEST

/* In an out-of-order queue a call's event is its last command's event. A call without commands has a marker's event. */
START_TEST(calls_of_out_of_order_queues_have_events)
{
    cl_int error = CL_SUCCESS;
    mcl_queue *queue = NULL;
    mcl_event *done = NULL, *empty = NULL;
    world w = start();
    const mcl_options options = { .done = &done }, with_none = { .done = &empty };
    const cl_command_queue handle = mcl__cl.CreateCommandQueue(
        mcl_opencl_context(w.context), mcl_opencl_device(w.context), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    test_ok(mcl_opencl_queue_wrap(w.context, handle, &queue));
    fault_disarm();
    test_ok(mcl_transform(queue, mcl_from_buffer(MCL_INT32, w.buffer, 0, COUNT),
                          mcl_to_buffer(MCL_INT32, w.buffer, 0, COUNT), &options));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueMarkerWithWaitList"), 0);
    test_ok(mcl_transform(queue, mcl_from_buffer(MCL_INT32, w.buffer, 0, 0), mcl_to_buffer(MCL_INT32, w.buffer, 0, 0),
                          &with_none));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueMarkerWithWaitList"), 1);
    ck_assert_ptr_ne(mcl_opencl_event(done), mcl_opencl_event(empty));
    mcl_event_release(done);
    mcl_event_release(empty);
    mcl_queue_release(queue);
    ck_assert_int_eq(mcl__cl.ReleaseCommandQueue(handle), CL_SUCCESS);
    stop(&w);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, handles_are_of_their_backend);
    tcase_add_test(tcase, nothing_has_no_handle);
    tcase_add_test(tcase, wrappers_refuse_another_backends_context);
    tcase_add_test(tcase, a_context_of_several_devices_needs_one_named);
    tcase_add_test(tcase, a_driver_that_does_not_tell_of_a_handle_fails_its_wrapper);
    tcase_add_loop_test(tcase, shared_virtual_memory_is_wrapped_where_it_is_there, 0, (int)COUNT_OF(svms));
    tcase_add_test(tcase, a_launch_needs_the_arguments_that_the_kernel_has);
    tcase_add_test(tcase, shared_memory_is_copied_and_filled_by_its_address);
    tcase_add_loop_test(tcase, shared_memory_needs_each_function_of_its_extension, 0, 3);
    tcase_add_loop_test(tcase, many_events_are_waited_for_by_several_barriers, 0, 4);
    tcase_add_test(tcase, events_that_a_queue_cannot_wait_for_are_told);
    tcase_add_test(tcase, an_event_is_done_when_the_driver_says_so_or_fails);
    tcase_add_test(tcase, calls_of_out_of_order_queues_have_events);
}

int main(void)
{
    return test_main_host("driver_handles", add);
}
