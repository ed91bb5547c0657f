/* test_interop_cuda.c: contexts, streams, pointers, events and graphs of a CUDA application. Like the library, it
 * builds without the toolkit and opens the driver at run time. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"

#include "backends/cuda/cuda_internal.h"

#include <moderncl/cuda.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 100000, BYTES = COUNT * (int)sizeof(int32_t), CAPTURE_GLOBAL = 0 /* no unsafe call in any thread */ };

/* ---- the application --------------------------------------------------------------------------------------------- */

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;

/* The driver's functions that the application uses and the library does not. */
#define APPLICATION_FUNCTIONS(X)                                                                                       \
    X(CtxCreate, cuCtxCreate_v2, (CUcontext * context, unsigned flags, CUdevice device))                               \
    X(CtxDestroy, cuCtxDestroy_v2, (CUcontext context))                                                                \
    X(CtxGetCurrent, cuCtxGetCurrent, (CUcontext * context))                                                           \
    X(CtxSetCurrent, cuCtxSetCurrent, (CUcontext context))                                                             \
    X(MemcpyHtoD, cuMemcpyHtoD_v2, (CUdeviceptr to, const void *from, size_t bytes))                                   \
    X(MemcpyDtoH, cuMemcpyDtoH_v2, (void *to, CUdeviceptr from, size_t bytes))                                         \
    X(LaunchHostFunc, cuLaunchHostFunc, (CUstream stream, void (*function)(void *), void *user))                       \
    X(StreamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode))                        \
    X(StreamEndCapture, cuStreamEndCapture, (CUstream stream, CUgraph * graph))                                        \
    X(GraphInstantiate, cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags))    \
    X(GraphLaunch, cuGraphLaunch, (CUgraphExec exec, CUstream stream))                                                 \
    X(GraphExecDestroy, cuGraphExecDestroy, (CUgraphExec exec))                                                        \
    X(GraphDestroy, cuGraphDestroy, (CUgraph graph))

static struct {
#define X(member, symbol, parameters) CUresult(*member) parameters;
    APPLICATION_FUNCTIONS(X)
#undef X
} cu;

/* Opens the driver. Returns the name of a missing function, or NULL where all exist. */
static const char *driver_open(void)
{
    static const char *const names[] = { "libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1", NULL };
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

#define is_success(call) success_is((call), #call, __LINE__)
static void success_is(CUresult result, const char *call, int line)
{
    ck_assert_msg(result == CUDA_SUCCESS, "line %d: %s gave %u", line, call, result);
}

/* The objects of an application that does not use this library yet. Its context is the thread's current one. */
typedef struct application {
    CUcontext context;
    CUstream stream;
    CUdeviceptr data; /* BYTES of numbers: 0, 1, 2 ... 9, 0, 1 ... */
} application;

static int32_t host[COUNT]; /* content of data */

static application start(int device, unsigned stream_flags)
{
    application app = { 0 };

    for (int k = 0; k < COUNT; k++) host[k] = k % 10;
    is_success(cu.CtxCreate(&app.context, 0, mcl__cuda_context_of(test_device_at(device)->context)->device));
    is_success(mcl__cuda.StreamCreate(&app.stream, stream_flags));
    is_success(mcl__cuda.MemAlloc(&app.data, BYTES));
    is_success(cu.MemcpyHtoD(app.data, host, BYTES));
    return app;
}

static void stop(application *app)
{
    is_success(cu.CtxSetCurrent(app->context));
    is_success(mcl__cuda.StreamSynchronize(app->stream));
    is_success(mcl__cuda.MemFree(app->data));
    is_success(mcl__cuda.StreamDestroy(app->stream));
    is_success(cu.CtxDestroy(app->context));
}

/* Fills memory of the application and waits. */
static void plain_fill(CUdeviceptr to, unsigned value)
{
    is_success(mcl__cuda.MemsetD32Async(to, value, COUNT, NULL));
    is_success(mcl__cuda.StreamSynchronize(NULL));
}

/* The application's objects, wrapped by the library. */
typedef struct wrapped {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *data;
} wrapped;

static wrapped wrap(const application *app)
{
    wrapped w = { 0 };
    test_ok(mcl_cuda_context_wrap(app->context, &w.context));
    test_ok(mcl_cuda_queue_wrap(w.context, app->stream, &w.queue));
    test_ok(mcl_cuda_buffer_wrap(w.context, app->data, BYTES, &w.data));
    return w;
}

static void unwrap(wrapped *w)
{
    mcl_buffer_release(w->data);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

/* Makes a buffer of the library in the wrapped context. */
static mcl_buffer *buffer_in(mcl_context *context, size_t bytes)
{
    mcl_buffer *buffer = NULL;
    test_ok(mcl_buffer_create(context, bytes, NULL, &buffer));
    return buffer;
}

static mcl_status scan_ints(mcl_queue *queue, mcl_buffer *in, mcl_buffer *out, const mcl_options *options)
{
    return mcl_scan(queue, ints(in, COUNT), ints_out(out, COUNT), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), options);
}

/* Checks that got is the inclusive scan of in. */
static void sums_are_right(const int32_t *got, const int32_t *in)
{
    for (int k = 0, sum = 0; k < COUNT; k++) {
        sum += in[k];
        ck_assert_msg(got[k] == sum, "sum %d is %d instead of %d", k, (int)got[k], (int)sum);
    }
}

/* ---- contexts, streams, pointers --------------------------------------------------------------------------------- */

START_TEST(a_wrapped_context_and_stream_run_a_scan_whose_result_a_plain_copy_reads)
{
    application app = start(_i, 0);
    static int32_t got[COUNT];

    for (int is_default = 0; is_default < 2; is_default++) {
        wrapped w = wrap(&app);
        mcl_queue *default_queue = NULL;
        mcl_buffer *sums = buffer_in(w.context, BYTES);
        test_ok(mcl_cuda_queue_wrap(w.context, NULL, &default_queue));
        test_ok(scan_ints(is_default ? default_queue : w.queue, w.data, sums, NULL));
        /* the copy itself waits for a stream made without flags */
        is_success(cu.MemcpyDtoH(got, mcl_cuda_buffer(sums), BYTES));
        sums_are_right(got, host);
        mcl_queue_release(default_queue);
        mcl_buffer_release(sums);
        unwrap(&w);
    }
    stop(&app);
}
END_TEST

START_TEST(a_wrapped_pointer_may_lie_inside_an_allocation)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    wrapped w = wrap(&app);
    const size_t first = 1003;
    mcl_buffer *inner = NULL;
    int32_t got[4] = { -1, -1, -1, -1 };
    int32_t sum = 0;

    test_ok(mcl_cuda_buffer_wrap(w.context, app.data + first * sizeof(int32_t), 5000 * sizeof(int32_t), &inner));
    ck_assert_uint_eq(mcl_buffer_bytes(inner), 5000 * sizeof(int32_t));
    test_ok(mcl_reduce(w.queue, mcl_from_buffer(MCL_INT32, inner, 4, 3), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, 7 + 8 + 9);
    test_ok(mcl_transform(w.queue, mcl_from_constant(MCL_INT32, &sum, 2), mcl_to_buffer(MCL_INT32, inner, 1, 2), NULL));
    test_ok(mcl_queue_finish(w.queue));
    is_success(cu.MemcpyDtoH(got, app.data + first * sizeof(int32_t), sizeof got));
    ck_assert_int_eq(got[0], 3);
    ck_assert_int_eq(got[1], sum);
    ck_assert_int_eq(got[2], sum);
    ck_assert_int_eq(got[3], 6);
    test_fails(mcl_transform(w.queue, ints(w.data, 10), mcl_to_buffer(MCL_INT32, inner, 4990, 11), NULL),
               MCL_ERROR_ARGUMENT, "mcl_transform|out|4990");
    mcl_buffer_release(inner);
    unwrap(&w);
    stop(&app);
}
END_TEST

START_TEST(overlap_is_found_between_pointers_into_one_allocation)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    wrapped w = wrap(&app);
    mcl_buffer *low = NULL, *high = NULL;
    int32_t got[4] = { -1, -1, -1, -1 };

    test_ok(mcl_cuda_buffer_wrap(w.context, app.data, 2000 * sizeof(int32_t), &low));
    test_ok(mcl_cuda_buffer_wrap(w.context, app.data + 1001 * sizeof(int32_t), 2000 * sizeof(int32_t), &high));
    test_fails(mcl_transform(w.queue, ints(high, 1002), ints_out(low, 1002), NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform|out|overlap|in");
    test_fails(mcl_scan(w.queue, ints(low, 1002), ints_out(high, 1002), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL),
               MCL_ERROR_ARGUMENT, "mcl_scan|out|overlap|in");
    test_fails(mcl_buffer_copy(w.queue, low, 0, high, 0, 1002 * sizeof(int32_t)), MCL_ERROR_ARGUMENT,
               "mcl_buffer_copy|overlap");
    test_ok(mcl_buffer_copy(w.queue, low, 0, high, 0, 1001 * sizeof(int32_t)));
    /* two wrappers of one address count as one buffer */
    test_ok(mcl_scan(w.queue, mcl_from_buffer(MCL_INT32, w.data, 1001, 1002), ints_out(high, 1002), MCL_ADD,
                     MCL_INCLUSIVE, mcl_to_nowhere(), NULL));
    test_ok(mcl_queue_finish(w.queue));
    is_success(cu.MemcpyDtoH(got, app.data + 1001 * sizeof(int32_t), sizeof got));
    for (int k = 0; k < 4; k++) ck_assert_int_eq(got[k], k * (k + 1) / 2);
    mcl_buffer_release(low);
    mcl_buffer_release(high);
    unwrap(&w);
    stop(&app);
}
END_TEST

START_TEST(unwrapping_gives_the_same_handles)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    wrapped w = wrap(&app);
    CUevent foreign = NULL;
    mcl_event *event = NULL;
    mcl_queue *default_queue = NULL;

    is_success(mcl__cuda.EventCreate(&foreign, CU_EVENT_DISABLE_TIMING));
    test_ok(mcl_cuda_event_wrap(w.context, foreign, &event));
    test_ok(mcl_cuda_queue_wrap(w.context, NULL, &default_queue));
    ck_assert_ptr_eq(mcl_cuda_context(w.context), app.context);
    ck_assert_ptr_eq(mcl_cuda_queue(w.queue), app.stream);
    ck_assert_ptr_null(mcl_cuda_queue(default_queue));
    ck_assert_uint_eq(mcl_cuda_buffer(w.data), app.data);
    ck_assert_ptr_eq(mcl_cuda_event(event), foreign);
    ck_assert_ptr_null(mcl_cuda_context(NULL));
    ck_assert_ptr_null(mcl_cuda_queue(NULL));
    ck_assert_uint_eq(mcl_cuda_buffer(NULL), 0);
    ck_assert_ptr_null(mcl_cuda_event(NULL));
    mcl_queue_release(default_queue);
    mcl_event_release(event);
    is_success(mcl__cuda.EventDestroy(foreign));
    unwrap(&w);
    stop(&app);
}
END_TEST

START_TEST(released_wrappers_leave_their_handles_usable)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    CUevent foreign = NULL;
    CUdevice device = -1;
    int32_t last = -1;

    is_success(mcl__cuda.EventCreate(&foreign, CU_EVENT_DISABLE_TIMING));
    for (int k = 0; k < 3; k++) {
        wrapped w = wrap(&app);
        mcl_event *event = NULL;
        int32_t sum = 0;
        test_ok(mcl_cuda_event_wrap(w.context, foreign, &event));
        const mcl_options options = { .wait = &event, .wait_count = 1 };
        test_ok(mcl_reduce(w.queue, ints(w.data, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), &options));
        ck_assert_int_eq(sum, COUNT / 10 * 45);
        mcl_event_release(event);
        unwrap(&w);
    }
    is_success(mcl__cuda.CtxGetDevice(&device));
    ck_assert_int_eq(device, mcl__cuda_context_of(test_device_at(_i)->context)->device);
    is_success(mcl__cuda.MemsetD32Async(app.data, 77, COUNT, app.stream));
    is_success(mcl__cuda.EventRecord(foreign, app.stream));
    is_success(mcl__cuda.EventSynchronize(foreign));
    is_success(cu.MemcpyDtoH(&last, app.data + (COUNT - 1) * sizeof last, sizeof last));
    ck_assert_int_eq(last, 77);
    is_success(mcl__cuda.EventDestroy(foreign));
    stop(&app);
}
END_TEST

static void current_is(CUcontext expected, const char *after)
{
    CUcontext current = NULL;

    is_success(cu.CtxGetCurrent(&current));
    ck_assert_msg(current == expected, "the current context is another one after %s", after);
}

/* Makes and releases every object, and checks the current context after each step. */
static void steps_keep_current(const application *app, CUcontext current)
{
    wrapped w = wrap(app);
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    int32_t sum = 0;

    current_is(current, "wrapping");
    mcl_buffer *sums = buffer_in(w.context, BYTES);
    current_is(current, "mcl_buffer_create");
    test_ok(scan_ints(w.queue, w.data, sums, &options));
    current_is(current, "mcl_scan");
    test_ok(mcl_event_wait(done));
    mcl_event_release(done);
    current_is(current, "an event");
    test_ok(mcl_reduce(w.queue, ints(w.data, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, COUNT / 10 * 45);
    current_is(current, "mcl_reduce");
    test_fails(mcl_reduce(w.queue, mcl_from_expression(MCL_INT32, "no_such_name", NULL, NULL, 0, COUNT), MCL_ADD,
                          mcl_to_host(MCL_INT32, &sum), NULL),
               MCL_ERROR_BUILD, "no_such_name");
    current_is(current, "a call that failed");
    mcl_buffer_release(sums);
    unwrap(&w);
    current_is(current, "releasing");
}

START_TEST(the_current_context_of_the_thread_stays)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    application other = start(_i, CU_STREAM_NON_BLOCKING);
    CUcontext popped;

    steps_keep_current(&app, other.context);
    is_success(cu.CtxSetCurrent(app.context));
    steps_keep_current(&app, app.context);
    for (int k = 0; k < 2; k++) is_success(mcl__cuda.CtxPopCurrent(&popped));
    steps_keep_current(&app, NULL);
    stop(&other);
    stop(&app);
}
END_TEST

START_TEST(handles_that_are_missing_or_of_another_backend_are_named)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    wrapped w = wrap(&app);
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_event *event = NULL;

    test_fails(mcl_cuda_context_wrap(NULL, &context), MCL_ERROR_ARGUMENT, "mcl_cuda_context_wrap|context is NULL");
    test_fails(mcl_cuda_context_wrap(app.context, NULL), MCL_ERROR_ARGUMENT, "mcl_cuda_context_wrap|out is NULL");
    test_fails(mcl_cuda_queue_wrap(NULL, app.stream, &queue), MCL_ERROR_ARGUMENT,
               "mcl_cuda_queue_wrap|context is NULL");
    test_fails(mcl_cuda_buffer_wrap(w.context, 0, 4, &buffer), MCL_ERROR_ARGUMENT,
               "mcl_cuda_buffer_wrap|address is NULL");
    test_fails(mcl_cuda_event_wrap(w.context, NULL, &event), MCL_ERROR_ARGUMENT, "mcl_cuda_event_wrap|event is NULL");
    if (mcl_context_create("opencl", &context) == MCL_OK) {
        test_fails(mcl_cuda_queue_wrap(context, app.stream, &queue), MCL_ERROR_ARGUMENT, "mcl_cuda_queue_wrap|opencl");
        ck_assert_ptr_null(mcl_cuda_context(context));
        mcl_context_release(context);
    }
    unwrap(&w);
    stop(&app);
}
END_TEST

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* A gate that holds a stream back until it is opened, or for 5 seconds, so that a failing test does not hang. */
static atomic_int gate_is_open;

static void gate_wait(void *user)
{
    const struct timespec millisecond = { 0, 1000000 };

    (void)user;
    for (int k = 0; k < 5000 && !atomic_load(&gate_is_open); k++) nanosleep(&millisecond, NULL);
}

/* Checks a chain of events: gate and fill in one foreign stream, then our scan, then a copy in another foreign stream.
 * Nothing here waits for the device.
 * is_plain: 1 where the options have the driver's own events. */
static void event_chain(const wrapped *w, mcl_buffer *sums, CUstream before, CUstream after, CUdeviceptr copy,
                        int is_plain)
{
    CUevent filled = NULL, scanned = NULL;
    mcl_event *wait = NULL, *done = NULL;
    is_success(mcl__cuda.EventCreate(&filled, CU_EVENT_DISABLE_TIMING));
    is_success(cu.LaunchHostFunc(before, gate_wait, NULL));
    is_success(mcl__cuda.MemsetD32Async(mcl_cuda_buffer(w->data), 3, COUNT, before));
    is_success(mcl__cuda.EventRecord(filled, before));
    is_success(mcl__cuda.EventCreate(&scanned, CU_EVENT_DISABLE_TIMING));
    test_ok(mcl_cuda_event_wrap(w->context, filled, &wait));
    const mcl_options wrapped_events = { .wait = &wait, .wait_count = 1, .done = &done };
    const mcl_options plain_events = { .driver_wait = (void *const *)&filled,
                                       .driver_wait_count = 1,
                                       .driver_done = (void **)&scanned };
    test_ok(scan_ints(w->queue, w->data, sums, is_plain ? &plain_events : &wrapped_events));
    is_success(mcl__cuda.StreamWaitEvent(after, is_plain ? scanned : mcl_cuda_event(done), 0));
    is_success(mcl__cuda.MemcpyDtoDAsync(copy, mcl_cuda_buffer(sums), BYTES, after));
    ck_assert_msg(!atomic_load(&gate_is_open), "the gate is open too soon");
    atomic_store(&gate_is_open, 1);
    is_success(mcl__cuda.StreamSynchronize(after));
    mcl_event_release(wait);
    mcl_event_release(done);
    is_success(mcl__cuda.EventDestroy(filled));
    is_success(mcl__cuda.EventDestroy(scanned));
}

START_TEST(a_foreign_event_is_waited_for_and_ours_by_a_foreign_stream)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    wrapped w = wrap(&app);
    static int32_t got[COUNT], filled[COUNT];
    mcl_buffer *sums = buffer_in(w.context, BYTES);
    CUstream before = NULL, after = NULL;
    CUdeviceptr copy = 0;

    is_success(mcl__cuda.StreamCreate(&before, CU_STREAM_NON_BLOCKING));
    is_success(mcl__cuda.StreamCreate(&after, CU_STREAM_NON_BLOCKING));
    is_success(mcl__cuda.MemAlloc(&copy, BYTES));
    for (int k = 0; k < COUNT; k++) filled[k] = 3;
    /* this compiles, allocates and loads all that would otherwise wait for the gate */
    test_ok(scan_ints(w.queue, w.data, sums, NULL));
    test_ok(mcl_queue_finish(w.queue));
    for (int round = 0; round < 6; round++) {
        plain_fill(app.data, 1);
        plain_fill(copy, 0);
        plain_fill(mcl_cuda_buffer(sums), 0);
        atomic_store(&gate_is_open, 0);
        event_chain(&w, sums, before, after, copy, round % 2);
        is_success(cu.MemcpyDtoH(got, copy, BYTES));
        sums_are_right(got, filled);
    }
    is_success(mcl__cuda.MemFree(copy));
    is_success(mcl__cuda.StreamDestroy(before));
    is_success(mcl__cuda.StreamDestroy(after));
    mcl_buffer_release(sums);
    unwrap(&w);
    stop(&app);
}
END_TEST

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

typedef struct pipeline {
    mcl_buffer *data;
    mcl_buffer *slots;  /* slot of int64 for the sum */
    mcl_buffer *sums;   /* COUNT */
    mcl_buffer *merged; /* buffer of 2 * COUNT elements */
} pipeline;

/* Reduces to a slot, scans, and merges the sums with 0, 1, 2 ... Returns the largest scratch that one of the calls
 * takes. */
static size_t run_pipeline(mcl_queue *queue, const pipeline *p)
{
    test_ok(mcl_reduce(queue, ints(p->data, COUNT), MCL_ADD, mcl_to_slot(MCL_INT64, p->slots, 0), NULL));
    test_ok(scan_ints(queue, p->data, p->sums, NULL));
    test_ok(
        mcl_merge(queue, ints(p->sums, COUNT), ints_counting(COUNT), ints_out(p->merged, 2 * COUNT), MCL_LESS, NULL));
    return mcl_queue_scratch_peak(queue);
}

/* Checks the results that a launch of the graph has left for this input. */
static void pipeline_is_right(const pipeline *p, const int32_t *in)
{
    static int32_t sums[COUNT];
    static int32_t merged[2 * COUNT];
    int64_t slot = -1;
    int a = 0, b = 0;

    is_success(cu.MemcpyDtoH(&slot, mcl_cuda_buffer(p->slots), sizeof slot));
    is_success(cu.MemcpyDtoH(sums, mcl_cuda_buffer(p->sums), sizeof sums));
    is_success(cu.MemcpyDtoH(merged, mcl_cuda_buffer(p->merged), sizeof merged));
    sums_are_right(sums, in);
    ck_assert_int_eq(slot, sums[COUNT - 1]);
    for (int k = 0; k < 2 * COUNT; k++) {
        const int32_t expected = b == COUNT || (a < COUNT && sums[a] <= b) ? sums[a++] : b++;
        ck_assert_msg(merged[k] == expected, "key %d is %d instead of %d", k, (int)merged[k], (int)expected);
    }
}

static CUgraphExec capture(const application *app, mcl_queue *queue, const pipeline *p, mcl_buffer *released)
{
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;

    is_success(cu.StreamBeginCapture(app->stream, CAPTURE_GLOBAL));
    run_pipeline(queue, p);
    mcl_buffer_release(released); /* the capture must not break */
    is_success(cu.StreamEndCapture(app->stream, &graph));
    ck_assert_ptr_nonnull(graph);
    is_success(cu.GraphInstantiate(&exec, graph, 0));
    is_success(cu.GraphDestroy(graph));
    return exec;
}

/* Launches the graph on two inputs, one after the other. */
static void launch_twice(const application *app, CUgraphExec exec, const pipeline *p)
{
    static int32_t in[COUNT];
    for (int round = 0; round < 2; round++) {
        random_ints(in, COUNT, 3 + round, 17 + (uint64_t)round, 0);
        is_success(cu.MemcpyHtoD(app->data, in, BYTES));
        plain_fill(mcl_cuda_buffer(p->sums), 0xffffffffu);
        plain_fill(mcl_cuda_buffer(p->merged), 0xffffffffu);
        is_success(cu.GraphLaunch(exec, app->stream));
        is_success(mcl__cuda.StreamSynchronize(app->stream));
        pipeline_is_right(p, in);
    }
}

START_TEST(prepared_calls_are_captured_into_a_graph_that_runs_on_changed_input)
{
    application app = start(_i, CU_STREAM_NON_BLOCKING);
    wrapped w = wrap(&app);
    mcl_queue *preparing = NULL;
    mcl_memory_statistics before;
    mcl_memory_statistics after;
    const pipeline p = { .data = w.data,
                         .slots = buffer_in(w.context, sizeof(int64_t)),
                         .sums = buffer_in(w.context, BYTES),
                         .merged = buffer_in(w.context, 2 * BYTES) };

    test_ok(mcl_queue_create_preparing(w.context, &preparing));
    test_ok(mcl_queue_reserve(w.queue, run_pipeline(preparing, &p)));
    test_ok(mcl_queue_finish(w.queue));
    mcl_buffer *const released = buffer_in(w.context, 9 * BYTES);
    test_ok(mcl_context_memory(w.context, &before));
    const CUgraphExec exec = capture(&app, w.queue, &p, released);
    test_ok(mcl_context_memory(w.context, &after));
    ck_assert_int_eq(after.allocations, before.allocations);
    ck_assert_int_eq(after.blocks_cached, before.blocks_cached + 1);
    launch_twice(&app, exec, &p);
    /* the queue goes on outside of the graph, and then the graph is launched again */
    is_success(cu.MemcpyHtoD(app.data, host, BYTES));
    run_pipeline(w.queue, &p);
    mcl_buffer_release(buffer_in(w.context, 9 * BYTES)); /* from now on it asks whether the released block is free */
    test_ok(mcl_queue_finish(w.queue));
    mcl_buffer_release(buffer_in(w.context, 9 * BYTES));
    test_ok(mcl_context_memory(w.context, &after));
    ck_assert_int_gt(after.cache_hits, before.cache_hits);
    pipeline_is_right(&p, host);
    launch_twice(&app, exec, &p);
    is_success(cu.GraphExecDestroy(exec));
    mcl_queue_release(preparing);
    mcl_buffer_release(p.slots);
    mcl_buffer_release(p.sums);
    mcl_buffer_release(p.merged);
    unwrap(&w);
    stop(&app);
}
END_TEST

/* ---- the suite --------------------------------------------------------------------------------------------------- */

static void add(TCase *tcase, int device)
{
    if (strcmp(test_device_at(device)->info.backend, "cuda") != 0) return;
    test_add(tcase, a_wrapped_context_and_stream_run_a_scan_whose_result_a_plain_copy_reads, device);
    test_add(tcase, a_wrapped_pointer_may_lie_inside_an_allocation, device);
    test_add(tcase, overlap_is_found_between_pointers_into_one_allocation, device);
    test_add(tcase, unwrapping_gives_the_same_handles, device);
    test_add(tcase, released_wrappers_leave_their_handles_usable, device);
    test_add(tcase, the_current_context_of_the_thread_stays, device);
    test_add(tcase, handles_that_are_missing_or_of_another_backend_are_named, device);
    test_add(tcase, a_foreign_event_is_waited_for_and_ours_by_a_foreign_stream, device);
    test_add(tcase, prepared_calls_are_captured_into_a_graph_that_runs_on_changed_input, device);
}

/* Returns 1 where the suite's devices include a CUDA device. */
static int has_cuda_device(void)
{
    const char *one = getenv("MCL_TEST_DEVICE");
    int count = 0;

    if (one && one[0] && strncmp(one, "cuda", 4) != 0) return 0;
    return mcl__cuda_device_count(&count) == MCL_OK && count > 0;
}

int main(void)
{
    if (!has_cuda_device()) {
        fprintf(stderr, "skipped: interop_cuda (no CUDA device)\n");
        return EXIT_SUCCESS;
    }
    const char *const missing = driver_open();
    if (missing) {
        fprintf(stderr, "interop_cuda: the CUDA driver has no %s\n", missing);
        return EXIT_FAILURE;
    }
    return test_main("interop_cuda", add);
}
