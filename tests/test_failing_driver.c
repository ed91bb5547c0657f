/* test_failing_driver.c: each function of OpenCL, CUDA and NVRTC fails in turn, once or for ever, in the first calls of
 * a context or in later ones. A call must then give a status and a sentence with the function's name. Nothing may leak,
 * and the next call must be right. In other rounds the device is lost, and every later call says so at once. OpenCL's
 * driver is the machine's own; with TEST_FALSE_DRIVER=1 it is a fake in the host's memory (support/false_opencl.c), as
 * CUDA is (support/fault_cuda.c). A fake's launches do nothing. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/false_opencl.h"
#include "support/sampler.h"

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include <moderncl/cuda.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };

typedef struct world {
    const fault_driver *driver;
    const char *device;
    int computes; /* 1 where launches really compute */
    mcl_context *context;
    mcl_queue *queue;
} world;

static world opencl = { .driver = &fault_opencl, .computes = 1 };
static world false_one = { .driver = &false_opencl, .device = "opencl:0:0" };
static world cuda = { .driver = &fault_cuda, .device = "cuda:0" };

/* ---- what is done with a device ---------------------------------------------------------------------------------- */

typedef struct things {
    int32_t data[COUNT];
    int32_t moved[COUNT];
    mcl_buffer *from;
    mcl_buffer *to;
    mcl_buffer *slots; /* int64 */
    mcl_event *scanned;
    mcl_event *reduced;
    mcl_event *written;
    mcl_event *read;
    mcl_queue *other;
    mcl_recording *recording;
} things;

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const mcl_status tried = (call);                                                                               \
        if (tried != MCL_OK) return tried;                                                                             \
    } while (0)

static mcl_status make_things(const world *w, things *t)
{
    for (int k = 0; k < COUNT; k++) t->data[k] = k;
    TRY(mcl_buffer_create(w->context, sizeof t->data, t->data, &t->from));
    TRY(mcl_buffer_create(w->context, sizeof t->data, NULL, &t->to));
    TRY(mcl_buffer_create(w->context, 4096, NULL, &t->slots));
    return mcl_queue_create(w->context, 0, &t->other);
}

static mcl_status compute(const world *w, things *t)
{
    static const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };
    const mcl_options options = { .done = &t->scanned }, reducing = { .done = &t->reduced };
    const mcl_input from = mcl_from_buffer(MCL_INT32, t->from, 0, COUNT);
    const mcl_output to = mcl_to_buffer(MCL_INT32, t->to, 0, COUNT);
    int32_t total = -1;
    int64_t numbers[2] = { -1, -1 };
    double milliseconds = -1;

    TRY(mcl_scan(w->queue, from, to, MCL_ADD, MCL_INCLUSIVE, mcl_to_host(MCL_INT32, &total), &options));
    TRY(mcl_event_wait(t->scanned));
    TRY(mcl_event_milliseconds(t->scanned, &milliseconds));
    TRY(mcl_queue_wait(t->other, &t->scanned, 1));
    TRY(mcl_queue_finish(t->other));
    TRY(mcl_reduce(w->queue, from, MCL_MAX, mcl_to_slot(MCL_INT64, t->slots, 0), &reducing));
    TRY(mcl_queue_wait(t->other, &t->reduced, 1)); /* nothing has flushed the queue that this queue waits for */
    TRY(mcl_queue_finish(t->other));
    TRY(mcl_compact(w->queue, from, to, &odd, mcl_to_slot(MCL_INT64, t->slots, 1), NULL));
    TRY(mcl_buffer_read(w->queue, t->slots, 0, sizeof numbers, numbers));
    if (!w->computes) return MCL_OK;
    ck_assert_int_eq(total, COUNT * (COUNT - 1) / 2);
    ck_assert_int_eq(numbers[0], COUNT - 1);
    ck_assert_int_eq(numbers[1], COUNT / 2);
    ck_assert(milliseconds >= 0);
    return MCL_OK;
}

static mcl_status move(const world *w, things *t)
{
    static const uint64_t pattern[2] = { 0x0123456789abcdef, 0xfedcba9876543210 };
    uint64_t filled[2] = { 0, 0 };

    for (size_t bytes = 1; bytes <= sizeof pattern; bytes *= 2)
        TRY(mcl_buffer_fill(w->queue, t->slots, 0, 4096, pattern, bytes));
    TRY(mcl_buffer_read(w->queue, t->slots, 4096 - sizeof filled, sizeof filled, filled));
    TRY(mcl_buffer_write_async(w->queue, t->from, 0, sizeof t->data, t->data, &t->written));
    TRY(mcl_buffer_copy(w->queue, t->from, 0, t->to, 0, sizeof t->data));
    TRY(mcl_queue_flush(w->queue));
    TRY(mcl_buffer_read_async(w->queue, t->to, 0, sizeof t->moved, t->moved, &t->read));
    TRY(mcl_event_wait(t->read));
    TRY(mcl_buffer_write(w->queue, t->to, 0, sizeof t->data, t->data));
    TRY(mcl_queue_reserve(w->queue, (size_t)1 << 20));
    TRY(mcl_queue_finish(w->queue));
    ck_assert_mem_eq(filled, pattern, sizeof pattern);
    ck_assert_mem_eq(t->moved, t->data, sizeof t->data);
    return MCL_OK;
}

/* Replays calls. Where an object cannot be made, the library has another way, or reports the failure. */
static mcl_status replay(const world *w, things *t)
{
    const mcl_input from = mcl_from_buffer(MCL_INT32, t->from, 0, COUNT);
    const mcl_output to = mcl_to_buffer(MCL_INT32, t->to, 0, COUNT);
    int64_t totals[2] = { -1, -1 };

    TRY(mcl_record_begin(t->other));
    mcl_status status = mcl_scan(t->other, from, to, MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
    if (status == MCL_OK) status = mcl_reduce(t->other, from, MCL_ADD, mcl_to_slot(MCL_INT64, t->slots, 0), NULL);
    if (status == MCL_OK) status = mcl_buffer_copy(t->other, t->slots, 0, t->slots, 8, 8);
    TRY(status != MCL_OK ? status : mcl_record_end(t->other, &t->recording));
    for (int k = 0; k < 2; k++) TRY(mcl_replay(t->other, t->recording, NULL));
    TRY(mcl_buffer_read(t->other, t->slots, 0, sizeof totals, totals));
    if (!w->computes) return MCL_OK;
    ck_assert_int_eq(totals[0], COUNT * (COUNT - 1) / 2);
    ck_assert_int_eq(totals[1], totals[0]);
    return MCL_OK;
}

/* Does the work on a device, and returns the first status that is no success. In either case it releases all objects
 * except context and queue. */
static mcl_status work(const world *w)
{
    static things t; /* static, since the driver may still use it after a call that failed */
    memset(&t, 0, sizeof t);
    mcl_status status = make_things(w, &t);
    if (status == MCL_OK) status = compute(w, &t);
    if (status == MCL_OK) status = move(w, &t);
    if (status == MCL_OK) status = replay(w, &t);
    if (status != MCL_OK && w->queue) (void)mcl_queue_finish(w->queue);
    mcl_event_release(t.scanned);
    mcl_event_release(t.reduced);
    mcl_event_release(t.written);
    mcl_event_release(t.read);
    mcl_buffer_release(t.from);
    mcl_buffer_release(t.to);
    mcl_buffer_release(t.slots);
    mcl_queue_release(t.other);
    mcl_recording_release(t.recording);
    return status;
}

static mcl_status start(world *w)
{
    mcl_status status = w->context ? MCL_OK : mcl_context_create(w->device, &w->context);
    if (status == MCL_OK && !w->queue) status = mcl_queue_create(w->context, MCL_QUEUE_PROFILING, &w->queue);
    return status;
}

static void end(world *w)
{
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
    w->queue = NULL;
    w->context = NULL;
}

/* ---- one fault --------------------------------------------------------------------------------------------------- */

typedef struct fault {
    int function;
    int at;
    int lasts;
    int code;
} fault;

static const char *fault_text(const world *w, const fault *f)
{
    static char text[200];

    snprintf(text, sizeof text, "%s: call %d%s gives %d", w->driver->names[f->function], f->at,
             f->lasts ? " and all later ones" : "", f->code);
    return text;
}

/* Returns 1 where the sentence names the driver's function without its version, or a name that stands for several
 * functions. */
static int names_function(const char *name)
{
    const char *const sentence = mcl_last_error();
    const size_t length = strstr(name, "_v2") ? (size_t)(strstr(name, "_v2") - name) : strlen(name);
    char base[64];

    snprintf(base, sizeof base, "%.*s", (int)length, name);
    if (strstr(sentence, base)) return 1;
    if (strncmp(name, "cuMem", 5) == 0 || strncmp(name, "cuStreamSync", 12) == 0)
        return strstr(sentence, "cuMem") != NULL;
    if (strncmp(name, "nvrtc", 5) == 0) return strstr(sentence, "NVRTC") != NULL;
    return strstr(sentence, "no device") || strstr(sentence, "expected one of") ||
           strstr(sentence, "no OpenCL or CUDA");
}

static void check_failed(const world *w, const fault *f, mcl_status status)
{
    if (status == MCL_OK) return; /* the work was done without the failed function, and its results were checked */
    ck_assert_msg(status == MCL_ERROR_DEVICE || status == MCL_ERROR_MEMORY || status == MCL_ERROR_ARGUMENT ||
                      status == MCL_ERROR_BUILD,
                  "%s: %s", fault_text(w, f), mcl_status_name(status));
    ck_assert_msg(names_function(w->driver->names[f->function]), "%s: the sentence is %s", fault_text(w, f),
                  mcl_last_error());
}

static void check_balance(const world *w, const fault *f)
{
    const char *const kept = fault_balance();

    ck_assert_msg(!kept[0], "%s: not given back: %s", fault_text(w, f), kept);
    ck_assert_msg(!fault_unflushed()[0], "%s: %s", fault_text(w, f), fault_unflushed());
}

/* Does work with a fault. With cold the fault comes in the first calls of a context, otherwise in a context that has
 * done the work before. */
static void meet(world *w, const fault *f, int cold)
{
    if (!cold) {
        test_ok(start(w));
        test_ok(work(w));
    }
    fault_arm(f->function, f->at, f->lasts, f->code);
    mcl_status status = start(w);
    if (status == MCL_OK) status = work(w);
    const int struck = fault_struck();
    fault_disarm();
    if (struck > 0) check_failed(w, f, status);
    ck_assert_msg(struck > 0 || status == MCL_OK, "%s: %s", fault_text(w, f), mcl_last_error());

    status = start(w);
    if (status == MCL_OK) status = work(w);
    ck_assert_msg(status == MCL_OK, "%s: the next call: %s", fault_text(w, f), mcl_last_error());
    if (!cold) return;
    end(w);
    check_balance(w, f);
}

/* Lets each function fail at its first calls, in the middle and at its last call, once and for ever. The codes
 * alternate. */
static void meet_all(world *w, int cold)
{
    int calls[FAULT_FUNCTIONS_MAX];
    int count = 0;
    int met = 0;
    int turn = 0;

    test_ok(start(w));
    test_ok(work(w));
    if (cold) end(w);
    fault_disarm();
    test_ok(start(w));
    test_ok(work(w));
    for (int k = 0; k < w->driver->function_count; k++) calls[k] = fault_calls(k);
    if (cold) end(w);
    for (int k = 0; k < w->driver->function_count; k++) {
        const int at[] = { 1, 2, (calls[k] + 1) / 2, calls[k] };
        for (int place = 0; place < 8; place++) {
            const int code_count = w->driver->code_count + w->driver->gives_handle(k);
            const int code = turn % code_count;
            const fault f = { k, at[place / 2], place % 2, code < w->driver->code_count ? w->driver->codes[code] : 0 };
            turn++;
            if (f.at < 1 || f.at > calls[k] || (place >= 2 && f.at == at[place / 2 - 1])) continue;
            if (!test_sample_takes(count++, INT_MAX)) continue;
            meet(w, &f, cold);
            met++;
        }
    }
    end(w);
    ck_assert_int_gt(count, 60);
    ck_assert_str_eq(fault_balance(), "");
    ck_assert_str_eq(fault_unflushed(), "");
    fprintf(stderr, "%s: %d faults, %s\n", w->device, met, cold ? "cold" : "warm");
}

/* ---- a device that is lost ------------------------------------------------------------------------------------ */

/* Returns the number of calls of functions that could wait for the device. With all it counts all functions. */
static int calls_made(const world *w, int all)
{
    int count = 0;

    for (int k = 0; k < w->driver->function_count; k++)
        if (all || w->driver->can_block(k)) count += fault_calls(k);
    return count;
}

static void check_lost(mcl_status status, const char *name)
{
    ck_assert_msg(status == MCL_ERROR_DEVICE, "%s on a lost device: %s", name, mcl_status_name(status));
    ck_assert_msg(strstr(mcl_last_error(), "mcl_") && strstr(mcl_last_error(), "is lost since"), "%s: %s", name,
                  mcl_last_error());
}

static void check_nothing_works(sampler *s, mcl_queue *queue, mcl_event *event)
{
    mcl_queue *queue_made = NULL;
    mcl_buffer *buffer = NULL;
    mcl_event *recorded = NULL;
    mcl_map *map = NULL;
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 100 };
    mcl_device_info info;
    int32_t word = 0;
    double milliseconds;

    for (int k = 0; k < sampler_entry_count; k++)
        check_lost(sampler_entries[k].call(s, queue, NULL), sampler_entries[k].name);
    check_lost(mcl_queue_create(s->context, 0, &queue_made), "mcl_queue_create");
    check_lost(mcl_queue_create_preparing(s->context, &queue_made), "mcl_queue_create_preparing");
    check_lost(mcl_buffer_create(s->context, 100, NULL, &buffer), "mcl_buffer_create");
    check_lost(mcl_map_create(s->context, &config, &map), "mcl_map_create");
    check_lost(mcl_context_info(s->context, &info), "mcl_context_info");
    check_lost(mcl_buffer_read(queue, s->sorted, 0, sizeof word, &word), "mcl_buffer_read");
    check_lost(mcl_buffer_write(queue, s->sorted, 0, sizeof word, &word), "mcl_buffer_write");
    check_lost(mcl_buffer_fill(queue, s->sorted, 0, sizeof word, &word, sizeof word), "mcl_buffer_fill");
    check_lost(mcl_buffer_copy(queue, s->sorted, 0, s->output, 0, sizeof word), "mcl_buffer_copy");
    check_lost(mcl_event_record(queue, &recorded), "mcl_event_record");
    check_lost(mcl_event_wait(event), "mcl_event_wait");
    check_lost(mcl_event_milliseconds(event, &milliseconds), "mcl_event_milliseconds");
    check_lost(mcl_queue_wait(queue, &event, 1), "mcl_queue_wait");
    check_lost(mcl_queue_flush(queue), "mcl_queue_flush");
    check_lost(mcl_queue_reserve(queue, 1 << 24), "mcl_queue_reserve");
    check_lost(mcl_queue_finish(queue), "mcl_queue_finish");
    check_lost(mcl_record_begin(queue), "mcl_record_begin");
    check_lost(mcl_replay(queue, NULL, NULL), "mcl_replay");
}

/* Loses a device: the fault comes with the function's next call, on a context that has worked. */
static void lose(world *w, int function, int code)
{
    mcl_event *event = NULL;
    sampler s;

    test_ok(start(w));
    test_ok(work(w));
    test_ok(sampler_create(w->context, &s));
    test_ok(mcl_event_record(w->queue, &event));
    fault_arm(function, 1, 0, code);
    const mcl_status status = work(w);
    const int struck = fault_struck();
    ck_assert_msg(struck == 0 || status == MCL_ERROR_DEVICE, "%s gives %d: %s", w->driver->names[function], code,
                  mcl_status_name(status));
    fault_disarm();
    if (struck == 0) {
        test_ok(status);
    } else {
        check_nothing_works(&s, w->queue, event);
        ck_assert_int_eq(calls_made(w, 1), 0);
        test_ok(mcl_queue_retain(w->queue)); /* the counting of references goes on */
        mcl_queue_release(w->queue);
    }
    mcl_event_release(event);
    sampler_free(&s);
    end(w);
    ck_assert_msg(struck == 0 || calls_made(w, 0) == 0, "%s gives %d: releases wait", w->driver->names[function], code);
    ck_assert_msg(!fault_balance()[0], "%s gives %d: not given back: %s", w->driver->names[function], code,
                  fault_balance());
}

static void lose_at_each(world *w)
{
    for (int k = 0; k < w->driver->function_count; k++) {
        if (!w->driver->can_block(k)) continue;
        lose(w, k, w->driver->lasting_codes[k % w->driver->lasting_code_count]);
    }
    for (int k = 0; k < w->driver->lasting_code_count; k++) {
        int launch = 0;
        while (!strstr(w->driver->names[launch], "NDRange") && !strstr(w->driver->names[launch], "LaunchKernel"))
            launch++;
        lose(w, launch, w->driver->lasting_codes[k]);
    }
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

START_TEST(opencl_fails_in_the_first_calls)
{
    meet_all(&opencl, 1);
}
END_TEST

START_TEST(opencl_fails_in_later_calls)
{
    meet_all(&opencl, 0);
}
END_TEST

START_TEST(a_lost_opencl_device_stays_lost)
{
    lose_at_each(&opencl);
}
END_TEST

/* The disk cache is off, so that NVRTC has work. */
START_TEST(cuda_fails_in_the_first_calls)
{
    meet_all(&cuda, 1);
}
END_TEST

/* The compiler knows only older devices, so it makes PTX. */
START_TEST(cuda_fails_in_the_first_calls_by_way_of_ptx)
{
    fault_cuda_is.known[1] = 89;
    meet_all(&cuda, 1);
    fault_cuda_is.known[1] = 90;
}
END_TEST

START_TEST(cuda_fails_in_later_calls)
{
    meet_all(&cuda, 0);
}
END_TEST

START_TEST(a_lost_cuda_device_stays_lost)
{
    lose_at_each(&cuda);
}
END_TEST

START_TEST(a_false_opencl_driver_fails_in_the_first_calls)
{
    meet_all(&false_one, 1);
}
END_TEST

START_TEST(a_false_opencl_driver_fails_in_later_calls)
{
    meet_all(&false_one, 0);
}
END_TEST

START_TEST(a_lost_false_opencl_device_stays_lost)
{
    lose_at_each(&false_one);
}
END_TEST

START_TEST(loaders_are_fixed_once_drivers_are_in_use)
{
    test_fails(mcl_cuda_loader_set(NULL, NULL), MCL_ERROR_ARGUMENT, "mcl_cuda_loader_set|function is NULL");
    test_fails(mcl_cuda_loader_set(fault_cuda_load, NULL), MCL_ERROR_ARGUMENT, "mcl_cuda_loader_set|before any other");
}
END_TEST

/* Returns 1 where there is an OpenCL device that the tests may use. */
static int find_opencl(void)
{
    const char *const wanted = getenv("MCL_TEST_DEVICE");
    mcl_context *context = NULL;

    opencl.device = wanted && strncmp(wanted, "opencl", 6) == 0 ? wanted : "opencl";
    if (mcl_context_create(opencl.device, &context) != MCL_OK) return 0;
    mcl_context_release(context);
    return 1;
}

/* The device has command buffers, for recordings. */
static const struct _cl_device_id false_device = { {
    FALSE_TEXT(CL_DEVICE_EXTENSIONS, "cl_khr_command_buffer cl_intel_unified_shared_memory"),
    FALSE_ULONG(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR),
    FALSE_ULONG(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0),
} };
static const struct _cl_platform_id false_platform = { "False", "OpenCL 1.2", CL_SUCCESS, 1, &false_device };

static void add_false(TCase *tcase)
{
    false_opencl_is.platforms = &false_platform;
    false_opencl_is.platform_count = 1;
    tcase_add_test(tcase, a_false_opencl_driver_fails_in_the_first_calls);
    tcase_add_test(tcase, a_false_opencl_driver_fails_in_later_calls);
    tcase_add_test(tcase, a_lost_false_opencl_device_stays_lost);
}

static void add_others(TCase *tcase)
{
    tcase_add_test(tcase, cuda_fails_in_the_first_calls);
    tcase_add_test(tcase, cuda_fails_in_the_first_calls_by_way_of_ptx);
    tcase_add_test(tcase, cuda_fails_in_later_calls);
    tcase_add_test(tcase, a_lost_cuda_device_stays_lost);
    tcase_add_test(tcase, loaders_are_fixed_once_drivers_are_in_use);
    if (find_opencl()) {
        tcase_add_test(tcase, opencl_fails_in_the_first_calls);
        tcase_add_test(tcase, opencl_fails_in_later_calls);
        tcase_add_test(tcase, a_lost_opencl_device_stays_lost);
    } else {
        fprintf(stderr, "skipped: OpenCL that fails (%s)\n", mcl_last_error());
    }
}

int main(void)
{
    const int is_false = getenv("TEST_FALSE_DRIVER") != NULL;
    setenv("MCL_CACHE_DIR", "", 1);
    setenv("MCL_BUILD_OPTIONS", "-cl-opt-disable", 1); /* without optimisations POCL compiles faster */
    if (mcl_opencl_loader_set(is_false ? false_opencl_load : fault_opencl_load, NULL) != MCL_OK ||
        mcl_cuda_loader_set(fault_cuda_load, NULL) != MCL_OK) {
        fprintf(stderr, "%s\n", mcl_last_error());
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("failing_driver");
    TCase *tcase = tcase_create("faults");

    suite_add_tcase(suite, tcase);
    if (is_false)
        add_false(tcase);
    else
        add_others(tcase);
    return test_run(suite, CK_NOFORK);
}
