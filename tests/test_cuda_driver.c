/* test_cuda_driver.c: the requests of the CUDA backend to drivers and compilers, and its use of their answers. Both are
 * fakes in the host's memory (support/fault_cuda.c). Each test is a separate process. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/faults.h"

#include "backends/cuda/cuda_internal.h"

#include <moderncl/cuda.h>
#include <moderncl/opencl.h>

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { COUNT = 1000, BYTES = COUNT * (int)sizeof(int32_t) };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
} world;

static world cuda; /* the one false world that a process has */

static void *load_nothing(const char *name, void *user)
{
    (void)name;
    return user;
}

/* Opens a CUDA context. OpenCL has no device. */
static mcl_status open(void)
{
    test_ok(mcl_opencl_loader_set(load_nothing, NULL));
    setenv("MCL_CACHE_DIR", "", 1);
    test_ok(mcl_cuda_loader_set(fault_cuda_load, NULL));
    const mcl_status status = mcl_context_create("cuda", &cuda.context);
    return status == MCL_OK ? mcl_queue_create(cuda.context, 0, &cuda.queue) : status;
}

static void start(void)
{
    test_ok(open());
}

static void stop(void)
{
    mcl_queue_release(cuda.queue);
    mcl_context_release(cuda.context);
    ck_assert_str_eq(fault_balance(), "");
}

static mcl_buffer *buffer_of(size_t bytes)
{
    mcl_buffer *buffer = NULL;
    test_ok(mcl_buffer_create(cuda.context, bytes, NULL, &buffer));
    return buffer;
}

static mcl_status transform(mcl_queue *queue, mcl_buffer *buffer, const mcl_options *options)
{
    return mcl_transform(queue, mcl_from_buffer(MCL_INT32, buffer, 0, COUNT),
                         mcl_to_buffer(MCL_INT32, buffer, 0, COUNT), options);
}

/* ---- drivers ---------------------------------------------------------------------------------------------------- */

/* Without a device the sentence tells what the driver did. */
START_TEST(a_driver_without_a_device_is_told)
{
    static const struct {
        const char *function; /* which fails */
        int device_count;
        const char *words;
    } drivers[] = { { NULL, 0, "CUDA's driver is there and gives no device (it counts 0)" },
                    { "cuInit", 1, "gives no device (CUDA_ERROR_PLANNED)" },
                    { "cuDeviceGetCount", 1, "gives no device (CUDA_ERROR_PLANNED)" } };
    fault_cuda_is.device_count = drivers[_i].device_count;
    if (drivers[_i].function) fault_arm(fault_function(&fault_cuda, drivers[_i].function), 1, 1, 999);
    test_fails(open(), MCL_ERROR_DEVICE, drivers[_i].words);
}
END_TEST

/* A driver is used only if it has all functions, except those of newer drivers. */
START_TEST(a_driver_may_lack_two_functions)
{
    static const char *const functions[] = { "cuMemAlloc_v2", "cuLaunchKernel", "cuCtxGetId", "cuLaunchKernelEx" };
    fault_cuda_is.lacks = functions[_i];
    if (_i < 2) {
        test_fails(open(), MCL_ERROR_DEVICE, functions[_i]);
        return;
    }
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    test_ok(transform(cuda.queue, buffer, NULL));
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuCtxGetId") > 0, _i != 2);
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuLaunchKernelEx") > 0, _i != 3);
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* Launches overlap on devices of 9.0 and later, with drivers of 12.3 and later. */
START_TEST(launches_overlap_where_driver_and_device_are_new)
{
    static const int versions[] = { 12030, 12020, 12040 }, capabilities[] = { 90, 90, 89 };
    fault_cuda_is.driver_version = versions[_i];
    fault_cuda_is.capability = capabilities[_i];
    fault_cuda_is.known[0] = 89;
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    test_ok(transform(cuda.queue, buffer, NULL));
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuLaunchKernelEx") > 0, _i == 0);
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* A wrapped context belongs to a device, whose number the library finds. */
START_TEST(a_wrapped_context_has_its_devices_number)
{
    mcl_device_info info;
    mcl_context *wrapped = NULL;
    fault_cuda_is.device_count = 3;
    fault_cuda_is.current = _i;
    start();
    test_ok(mcl_cuda_context_wrap(mcl_cuda_context(cuda.context), &wrapped));
    test_ok(mcl_context_info(wrapped, &info));
    ck_assert_int_eq(info.id[5] - '0', _i);
    mcl_context_release(wrapped);
    stop();
}
END_TEST

/* ---- the compiler ----------------------------------------------------------------------------------------------- */

static const struct {
    int capability, known[2], count;
    const char *option; /* option of the compiler; NULL: nothing is compiled */
} targets[] = {
    { 90, { 80, 90 }, 2, "--gpu-architecture=sm_90 " },      { 90, { 90, 80 }, 2, "--gpu-architecture=sm_90 " },
    { 86, { 90, 80 }, 2, "--gpu-architecture=compute_80 " }, { 75, { 80, 90 }, 2, NULL },
    { 75, { 75, 0 }, 1, "--gpu-architecture=sm_75 " },       { 90, { 0, 0 }, 0, NULL },
};

START_TEST(programs_are_compiled_for_the_newest_architecture_that_fits)
{
    fault_cuda_is.capability = targets[_i].capability;
    memcpy(fault_cuda_is.known, targets[_i].known, sizeof targets[_i].known);
    fault_cuda_is.known_count = targets[_i].count;
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    if (targets[_i].option) {
        test_ok(transform(cuda.queue, buffer, NULL));
        ck_assert_ptr_eq(strstr(cuda.context->build_options, targets[_i].option), cuda.context->build_options);
    } else {
        test_fails(transform(cuda.queue, buffer, NULL), MCL_ERROR_DEVICE,
                   "mcl_transform: cuda: NVRTC 12.4 does not compile for the device|needs another version of NVRTC");
    }
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

START_TEST(a_compiler_that_counts_wrongly_is_refused)
{
    static const int counts[] = { -1, 129 };
    fault_cuda_is.known_count = counts[_i];
    test_fails(open(), MCL_ERROR_DEVICE, "nvrtcGetSupportedArchs does not tell what NVRTC compiles for");
    ck_assert_str_eq(fault_balance(), "");
}
END_TEST

START_TEST(without_a_compiler_nothing_is_compiled)
{
    mcl_device_info info;
    int count = 0;
    fault_cuda_is.lacks = "nvrtcVersion";
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    test_ok(mcl_device_list(&info, 1, &count));
    ck_assert_str_eq(info.language, "CUDA 12.4, no NVRTC");
    test_fails(transform(cuda.queue, buffer, NULL), MCL_ERROR_DEVICE,
               "nvrtcVersion was not found: programs are compiled by NVRTC 11.2 or later");
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* A failed compilation is reported by the compiler's log, or by the name of its status where there is no log. */
START_TEST(failed_compilations_are_told)
{
    static const struct {
        unsigned result;
        const char *log;
        int log_fails;
        mcl_status status;
        const char *words;
    } failures[] = {
        { NVRTC_ERROR_COMPILATION, "line 7: no such thing", 0, MCL_ERROR_BUILD, "line 7: no such thing" },
        { NVRTC_ERROR_COMPILATION, "", 0, MCL_ERROR_BUILD, "did not compile the program|a failure that was planned" },
        { NVRTC_ERROR_COMPILATION, "line 7", 1, MCL_ERROR_BUILD, "did not compile the program" },
        { NVRTC_ERROR_OUT_OF_MEMORY, "line 7", 0, MCL_ERROR_MEMORY, "did not compile the program" },
        { NVRTC_ERROR_INVALID_PROGRAM, "line 7", 0, MCL_ERROR_DEVICE, "did not compile the program" },
    };
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    fault_cuda_is.compiled = failures[_i].result;
    fault_cuda_is.log = failures[_i].log;
    if (failures[_i].log_fails) fault_arm(fault_function(&fault_cuda, "nvrtcGetProgramLogSize"), 1, 1, 1);
    test_fails(transform(cuda.queue, buffer, NULL), failures[_i].status, failures[_i].words);
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* A mark that is made during a capture of its stream is recorded later. Until then it is not done, and nobody waits for
 * it. */
START_TEST(marks_wait_for_the_end_of_a_capture)
{
    mcl_event *mark = NULL;
    start();
    const mcl__backend *const backend = cuda.context->backend;
    fault_cuda_is.is_capturing = 1;
    test_ok(backend->queue_mark(cuda.queue, &mark));
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventRecord"), 0);
    ck_assert_int_eq(backend->event_done(mark), 0);
    test_fails(backend->event_wait(mark), MCL_ERROR_DEVICE, "cuEventSynchronize|error 907");
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventRecord"), 0);
    fault_cuda_is.is_capturing = 0;
    ck_assert_int_eq(backend->event_done(mark), 1);
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventRecord"), 1);
    test_ok(backend->event_wait(mark));
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventRecord"), 1);
    backend->event_close(mark);
    stop();
}
END_TEST

/* A captured event never completes, but a failed event counts as done. */
START_TEST(an_event_is_done_unless_the_driver_says_not_yet)
{
    static const int codes[] = { CUDA_SUCCESS, CUDA_ERROR_NOT_READY, CUDA_ERROR_CAPTURED_EVENT, 999 };
    static const int done[] = { 1, 0, 0, 1 };
    mcl_event *event = NULL;
    start();
    test_ok(mcl_event_record(cuda.queue, &event));
    if (codes[_i]) fault_arm(fault_function(&fault_cuda, "cuEventQuery"), 1, 0, codes[_i]);
    ck_assert_int_eq(cuda.context->backend->event_done(event), done[_i]);
    fault_disarm();
    mcl_event_release(event);
    stop();
}
END_TEST

/* The library destroys only its own events. */
START_TEST(a_callers_event_is_not_destroyed)
{
    mcl_event *event = NULL, *wrapped = NULL;
    start();
    test_ok(mcl_event_record(cuda.queue, &event));
    test_ok(mcl_cuda_event_wrap(cuda.context, mcl_cuda_event(event), &wrapped));
    fault_disarm();
    mcl_event_release(wrapped);
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventDestroy_v2"), 0);
    mcl_event_release(event);
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventDestroy_v2"), 1);
    stop();
}
END_TEST

/* A reset context has already destroyed its events. */
START_TEST(an_event_of_a_reset_context_is_not_destroyed)
{
    mcl_event *event = NULL;
    start();
    test_ok(mcl_event_record(cuda.queue, &event));
    const CUevent handle = mcl_cuda_event(event);
    fault_disarm();
    fault_cuda_is.resets = 1;
    mcl_event_release(event);
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuEventDestroy_v2"), 0);
    fault_cuda_is.resets = 0; /* for the driver's count of handles */
    ck_assert_uint_eq(mcl__cuda.EventDestroy(handle), CUDA_SUCCESS);
    stop();
}
END_TEST

START_TEST(a_queue_waits_for_events_until_one_fails)
{
    enum { EVENTS = 3 };
    mcl_event *events[EVENTS];
    void *handles[EVENTS];
    const mcl_options options = { .driver_wait = handles, .driver_wait_count = EVENTS, .size = sizeof options };
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    for (int k = 0; k < EVENTS; k++) {
        test_ok(mcl_event_record(cuda.queue, &events[k]));
        handles[k] = mcl_cuda_event(events[k]);
    }
    fault_disarm();
    test_ok(mcl_queue_wait(cuda.queue, events, EVENTS));
    test_ok(transform(cuda.queue, buffer, &options));
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuStreamWaitEvent"), 2 * EVENTS);
    fault_arm(fault_function(&fault_cuda, "cuStreamWaitEvent"), 2, 0, 400);
    test_fails(mcl_queue_wait(cuda.queue, events, EVENTS), MCL_ERROR_DEVICE, "mcl_queue_wait: cuda: cuStreamWaitEvent");
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuStreamWaitEvent"), 2);
    fault_arm(fault_function(&fault_cuda, "cuStreamWaitEvent"), 2, 0, 400);
    test_fails(transform(cuda.queue, buffer, &options), MCL_ERROR_DEVICE, "mcl_transform: cuda: cuStreamWaitEvent");
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuStreamWaitEvent"), 2);
    fault_disarm();
    for (int k = 0; k < EVENTS; k++) mcl_event_release(events[k]);
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* ---- launches, and queues that prepare ------------------------------------------------------------------------- */

START_TEST(launches_take_the_arguments_that_are_given)
{
    const CUfunction function = (CUfunction)(void *)&cuda; /* any address, which the driver does not read */
    static mcl_driver_argument arguments[MCL__ARGS_MAX + 1];
    start();
    test_ok(mcl_cuda_launch(cuda.queue, function, 4, 8, arguments, MCL__ARGS_MAX));
    test_ok(mcl_cuda_launch(cuda.queue, function, 4, 8, NULL, 0));
    test_fails(mcl_cuda_launch(cuda.queue, function, 4, 8, arguments, MCL__ARGS_MAX + 1), MCL_ERROR_ARGUMENT,
               "mcl_cuda_launch: argument_count is |expected 0 to");
    test_fails(mcl_cuda_launch(cuda.queue, function, 4, 8, arguments, -1), MCL_ERROR_ARGUMENT, "argument_count is -1");
    test_fails(mcl_cuda_launch(cuda.queue, function, 4, 8, NULL, 1), MCL_ERROR_ARGUMENT,
               "arguments is NULL; expected 1 arguments");
    stop();
}
END_TEST

/* A queue that prepares enqueues no copy, no fill and no wait. */
START_TEST(a_queue_that_prepares_enqueues_nothing)
{
    static const char *const functions[] = { "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2",
                                             "cuMemsetD32Async", "cuStreamWaitEvent" };
    uint32_t word = 7;
    mcl_queue *preparing = NULL;
    mcl_event *event = NULL;
    start();
    mcl_buffer *const buffer = buffer_of(BYTES);
    test_ok(mcl_queue_create_preparing(cuda.context, &preparing));
    test_ok(mcl_event_record(cuda.queue, &event));
    for (int k = 0; k < 2; k++) {
        mcl_queue *const queue = k ? cuda.queue : preparing;
        fault_disarm();
        test_ok(mcl_buffer_write(queue, buffer, 0, sizeof word, &word));
        test_ok(mcl_buffer_read(queue, buffer, 0, sizeof word, &word));
        test_ok(mcl_buffer_copy(queue, buffer, 0, buffer, 8, sizeof word));
        test_ok(mcl_buffer_fill(queue, buffer, 0, 16, &word, sizeof word));
        test_ok(mcl_queue_wait(queue, &event, 1));
        test_ok(mcl_queue_wait(queue, NULL, 0));
        for (size_t f = 0; f < COUNT_OF(functions); f++) ck_assert_int_eq(fault_calls_of(&fault_cuda, functions[f]), k);
    }
    mcl_event_release(event);
    mcl_queue_release(preparing);
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* ---- fills ------------------------------------------------------------------------------------------------------ */

/* A pattern that repeats a shorter pattern is filled as the shorter one. */
START_TEST(fills_are_right_for_every_pattern)
{
    enum { FILLED = 200000, PATTERN = 16 };
    static unsigned char found[FILLED];
    static const struct {
        const char *pattern;
        int bytes, columns; /* bytes of a pattern; columns of a copy, 0: the driver fills */
    } fills[] = {
        { "a", 1, 0 },
        { "ab", 2, 0 },
        { "abcd", 4, 0 },
        { "abcdabcd", 8, 0 },
        { "abcdefgh", 8, 2 },
        { "abcdefghabcdefgh", 16, 2 },
        { "abcdabcdabcdabcd", 16, 0 },
        { "abcdefghijklmnop", 16, 4 },
    };
    start();
    mcl_buffer *const buffer = buffer_of(FILLED);
    fault_disarm();
    test_ok(mcl_buffer_fill(cuda.queue, buffer, 0, FILLED, fills[_i].pattern, (size_t)fills[_i].bytes));
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuMemsetD2D32Async"), fills[_i].columns);
    test_ok(mcl_buffer_read(cuda.queue, buffer, 0, FILLED, found));
    for (int k = 0; k < FILLED; k++) ck_assert_int_eq(found[k], fills[_i].pattern[k % fills[_i].bytes]);
    if (fills[_i].columns) {
        fault_arm(fault_function(&fault_cuda, "cuMemcpyDtoDAsync_v2"), 1, 0, 400);
        test_fails(mcl_buffer_fill(cuda.queue, buffer, 0, FILLED, fills[_i].pattern, (size_t)fills[_i].bytes),
                   MCL_ERROR_DEVICE, "mcl_buffer_fill: cuda: cuMemsetAsync of 200000 bytes");
        ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuMemcpyDtoDAsync_v2"), 1);
        fault_disarm();
    }
    mcl_buffer_release(buffer);
    stop();
}
END_TEST

/* ---- addresses and contexts ------------------------------------------------------------------------------------- */

static mcl_buffer *wrapped_at(mcl_context *context, mcl_buffer *block, size_t bytes_ahead)
{
    mcl_buffer *buffer = NULL;
    test_ok(mcl_cuda_buffer_wrap(context, mcl_cuda_buffer(block) + bytes_ahead, 4096, &buffer));
    return buffer;
}

/* Calls on elements with an alignment of one byte succeed. A device would stop at elements with a greater alignment. */
START_TEST(cuda_buffers_at_odd_addresses_are_refused)
{
    static const char text[] = "typedef struct three { uint8_t bytes[3]; } three;";
    static const mcl_type three = { .name = "three", .size = 3, .source = text, .kind = MCL_KIND_STRUCT };
    mcl_buffer *block = NULL;
    start();
    test_ok(mcl_buffer_create(cuda.context, 8192, NULL, &block));
    mcl_buffer *const four_ahead = wrapped_at(cuda.context, block, 4), *const odd = wrapped_at(cuda.context, block, 1);
    const mcl_input even_ints = mcl_from_buffer(MCL_INT32, four_ahead, 0, 8);
    const mcl_input slotted = mcl_with_count(even_ints, four_ahead, 0);
    const mcl_output ints = mcl_to_buffer(MCL_INT32, block, 1024, 8);
    const mcl_binding table = mcl_binding_buffer("table", MCL_INT16, odd, 0);
    const mcl_options options = { .scratch = four_ahead, .scratch_bytes = 2048 };

    test_fails(mcl_transform(cuda.queue, mcl_from_buffer(MCL_INT32, odd, 0, 8), ints, NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: in has a buffer at an address that is no multiple of 4; expected a multiple, the "
               "alignment of int32_t");
    test_fails(mcl_transform(cuda.queue, even_ints, mcl_to_buffer(MCL_INT64, four_ahead, 128, 8), NULL),
               MCL_ERROR_ARGUMENT,
               "mcl_transform: out |no multiple of 8; expected a multiple, the alignment of int64_t");
    test_fails(mcl_transform(cuda.queue, slotted, ints, NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: in |no multiple of 8|int64_t");
    test_fails(mcl_transform(cuda.queue, mcl_from_expression(MCL_INT32, "table[i]", NULL, &table, 1, 8), ints, NULL),
               MCL_ERROR_ARGUMENT, "mcl_transform: in|table |no multiple of 2|int16_t");
    test_fails(mcl_reduce(cuda.queue, even_ints, MCL_ADD, mcl_to_slot(MCL_INT64, four_ahead, 100), NULL),
               MCL_ERROR_ARGUMENT, "mcl_reduce: result |no multiple of 8");
    test_fails(mcl_transform(cuda.queue, even_ints, ints, &options), MCL_ERROR_ARGUMENT,
               "mcl_transform: options->scratch is a buffer at an address that is no multiple of 64");
    test_ok(mcl_transform(cuda.queue, even_ints, ints, NULL));
    test_ok(mcl_transform(cuda.queue, mcl_from_buffer(&three, odd, 0, 8), mcl_to_buffer(&three, block, 2000, 8), NULL));
    test_ok(mcl_queue_finish(cuda.queue));
    mcl_buffer_release(odd);
    mcl_buffer_release(four_ahead);
    mcl_buffer_release(block);
    stop();
}
END_TEST

/* Returns the number of programs that are compiled for a merge of two buffers. */
static int programs_for_merge(mcl_buffer *a, mcl_buffer *b, mcl_buffer *out)
{
    const int before = fault_calls_of(&fault_cuda, "nvrtcCreateProgram");
    test_ok(mcl_merge(cuda.queue, mcl_from_buffer(MCL_INT32, a, 0, COUNT), mcl_from_buffer(MCL_INT32, b, 0, COUNT),
                      mcl_to_buffer(MCL_INT32, out, 0, 2 * COUNT), MCL_LESS, NULL));
    return fault_calls_of(&fault_cuda, "nvrtcCreateProgram") - before;
}

/* That program loads whole lines. Either input may be on the other device. */
START_TEST(cuda_memory_of_another_device_is_merged_by_another_program)
{
    mcl_buffer *block = NULL, *out = NULL;
    start();
    test_ok(mcl_buffer_create(cuda.context, 4096, NULL, &block));
    test_ok(mcl_buffer_create(cuda.context, 2 * COUNT * sizeof(int32_t), NULL, &out));
    mcl_buffer *const near = wrapped_at(cuda.context, block, 0);
    mcl_buffer *far = NULL;
    test_ok(mcl_cuda_peer_buffer_wrap(cuda.context, mcl_cuda_buffer(block), 4096, &far));

    ck_assert_int_ge(programs_for_merge(near, near, out), 1);
    ck_assert_int_eq(programs_for_merge(near, block, out), 0);
    ck_assert_int_eq(programs_for_merge(far, near, out), 1);
    ck_assert_int_eq(programs_for_merge(near, far, out), 0);
    test_ok(mcl_queue_finish(cuda.queue));
    mcl_buffer_release(near);
    mcl_buffer_release(far);
    mcl_buffer_release(block);
    mcl_buffer_release(out);
    stop();
}
END_TEST

/* A launch would let the driver follow a kernel's handle into freed memory. */
START_TEST(nothing_is_launched_in_a_cuda_context_that_was_reset)
{
    const int32_t one = 1;
    const mcl_input ones = mcl_from_constant(MCL_INT32, &one, COUNT);
    mcl_buffer *out = NULL, *more = NULL;
    start();
    test_ok(mcl_buffer_create(cuda.context, COUNT * sizeof(int32_t), NULL, &out));
    const mcl_output ints = mcl_to_buffer(MCL_INT32, out, 0, COUNT);
    test_ok(mcl_transform(cuda.queue, ones, ints, NULL));
    const int launches = fault_calls_of(&fault_cuda, "cuLaunchKernelEx"),
              allocations = fault_calls_of(&fault_cuda, "cuMemAlloc_v2");

    fault_cuda_is.resets = 1;
    test_fails(mcl_transform(cuda.queue, ones, ints, NULL), MCL_ERROR_DEVICE,
               "mcl_transform: cuda: cuCtxGetId failed|error 709");
    test_fails(mcl_transform(cuda.queue, ones, ints, NULL), MCL_ERROR_DEVICE,
               "mcl_transform: the device of context is lost since cuCtxGetId gave|expected a new context");
    test_fails(mcl_buffer_create(cuda.context, 1 << 20, NULL, &more), MCL_ERROR_DEVICE, "lost");
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuLaunchKernelEx"), launches);
    ck_assert_int_eq(fault_calls_of(&fault_cuda, "cuMemAlloc_v2"), allocations);
    fault_cuda_is.resets = 0; /* for the driver's count of handles */
    mcl_buffer_release(out);
    stop();
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_loop_test(tcase, a_driver_without_a_device_is_told, 0, 3);
    tcase_add_loop_test(tcase, a_driver_may_lack_two_functions, 0, 4);
    tcase_add_loop_test(tcase, launches_overlap_where_driver_and_device_are_new, 0, 3);
    tcase_add_loop_test(tcase, a_wrapped_context_has_its_devices_number, 0, 3);
    tcase_add_loop_test(tcase, programs_are_compiled_for_the_newest_architecture_that_fits, 0, (int)COUNT_OF(targets));
    tcase_add_loop_test(tcase, a_compiler_that_counts_wrongly_is_refused, 0, 2);
    tcase_add_test(tcase, without_a_compiler_nothing_is_compiled);
    tcase_add_loop_test(tcase, failed_compilations_are_told, 0, 5);
    tcase_add_test(tcase, marks_wait_for_the_end_of_a_capture);
    tcase_add_loop_test(tcase, an_event_is_done_unless_the_driver_says_not_yet, 0, 4);
    tcase_add_test(tcase, a_callers_event_is_not_destroyed);
    tcase_add_test(tcase, an_event_of_a_reset_context_is_not_destroyed);
    tcase_add_test(tcase, a_queue_waits_for_events_until_one_fails);
    tcase_add_test(tcase, launches_take_the_arguments_that_are_given);
    tcase_add_test(tcase, a_queue_that_prepares_enqueues_nothing);
    tcase_add_loop_test(tcase, fills_are_right_for_every_pattern, 0, 8);
    tcase_add_test(tcase, cuda_buffers_at_odd_addresses_are_refused);
    tcase_add_test(tcase, cuda_memory_of_another_device_is_merged_by_another_program);
    tcase_add_test(tcase, nothing_is_launched_in_a_cuda_context_that_was_reset);
}

int main(void)
{
    return test_main_host("cuda_driver", add);
}
