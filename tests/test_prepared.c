/* test_prepared.c: after calls on a preparing queue, the same calls on another queue compile, load and allocate
 * nothing, and make no kernel objects. A layer before the driver counts this. With empty caches of library and driver,
 * the first frame then takes hardly longer than the second. */
#define _XOPEN_SOURCE 700 /* setenv, nftw */
#include "support/faults.h"
#include "support/sampler.h"

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include <moderncl/cuda.h>
#include <moderncl/opencl.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *opencl_device = "opencl";

/* ---- what is counted ------------------------------------------------------------------------------------------ */

static const char *const opencl_work[] = { "clCreateProgramWithSource", "clCreateProgramWithBinary", "clBuildProgram",
                                           "clCreateKernel", "clCreateBuffer" };
static const char *const cuda_work[] = { "nvrtcCompileProgram", "cuModuleLoadData", "cuModuleGetFunction",
                                         "cuMemAlloc_v2" };

/* Returns the number of calls of a function since fault_disarm. */
static int calls_of(const fault_driver *driver, const char *name)
{
    for (int k = 0; k < driver->function_count; k++)
        if (strcmp(driver->names[k], name) == 0) return fault_calls(k);
    ck_abort_msg("no function %s", name);
    return 0;
}

static void check_silent(const fault_driver *driver, const char *const *names, int count, const char *after)
{
    for (int k = 0; k < count; k++) {
        const int calls = calls_of(driver, names[k]);
        ck_assert_msg(calls == 0, "%s: %s was called %d times after mcl_queue_create_preparing", after, names[k],
                      calls);
    }
}

/* Makes a call. Where launches do nothing, a validated call finds keys unsorted. */
static void call(const fault_driver *driver, sampler *s, int entry, mcl_queue *queue)
{
    const mcl_status status = sampler_entries[entry].call(s, queue, NULL);

    if (driver != &fault_cuda || status != MCL_ERROR_PRECONDITION) test_ok(status);
}

static void calls_are_silent(const fault_driver *driver, const char *device, const char *const *names, int count,
                             int keeps_preparing)
{
    mcl_context *context = NULL;
    mcl_queue *preparing = NULL;
    mcl_queue *queue = NULL;
    size_t scratch = 0;
    sampler s;

    test_ok(mcl_context_create(device, &context));
    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create_preparing(context, &preparing));
    for (int k = 0; k < sampler_entry_count; k++) {
        if (!test_takes_half(k)) continue;
        test_ok(sampler_entries[k].call(&s, preparing, NULL));
        if (mcl_queue_scratch_bytes(preparing) > scratch) scratch = mcl_queue_scratch_bytes(preparing);
    }
    if (!keeps_preparing) mcl_queue_release(preparing);
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_queue_reserve(queue, scratch));
    for (int k = 0; k < sampler_entry_count; k++) {
        if (!test_takes_half(k)) continue;
        const int own_memory = (sampler_entries[k].memory & SAMPLER_ALLOCATES) != 0; /* the last entry of names */
        fault_disarm();
        call(driver, &s, k, queue);
        check_silent(driver, names, count - own_memory, sampler_entries[k].name);
    }
    sampler_free(&s);
    if (keeps_preparing) mcl_queue_release(preparing);
    mcl_queue_release(queue);

    /* the next queue uses memory that this queue gives back */
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(sampler_create(context, &s));
    fault_disarm();
    for (int k = 0; k < sampler_entry_count; k++)
        if (test_takes_half(k)) call(driver, &s, k, queue);
    check_silent(driver, names, count - 1, "on the next queue");
    sampler_free(&s);
    mcl_queue_release(queue);
    mcl_context_release(context);
    ck_assert_str_eq(fault_balance(), "");
}

/* The build options of all calls, so that POCL compiles each program once. A warning would be a line on the
 * application's stderr. */
static const char all_calls_options[] = "-cl-opt-disable -Werror";

START_TEST(prepared_calls_are_silent_on_opencl)
{
    setenv("MCL_BUILD_OPTIONS", all_calls_options, 1);
    calls_are_silent(&fault_opencl, opencl_device, opencl_work, sizeof opencl_work / sizeof *opencl_work, _i);
    unsetenv("MCL_BUILD_OPTIONS");
}
END_TEST

START_TEST(prepared_calls_are_silent_on_cuda)
{
    calls_are_silent(&fault_cuda, "cuda:0", cuda_work, sizeof cuda_work / sizeof *cuda_work, _i);
}
END_TEST

/* ---- scratch of the caller's ------------------------------------------------------------------------------------- */

static int commands(void)
{
    return calls_of(&fault_opencl, "clEnqueueNDRangeKernel") + calls_of(&fault_opencl, "clEnqueueFillBuffer");
}

/* Status words are not cleared where the queue has its own words, which stay zero. */
START_TEST(scratch_of_the_callers_costs_no_launches)
{
    const size_t bytes = (size_t)8 << 20;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *scratch = NULL;
    sampler s;

    setenv("MCL_BUILD_OPTIONS", all_calls_options, 1);
    test_ok(mcl_context_create(opencl_device, &context));
    unsetenv("MCL_BUILD_OPTIONS");
    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_queue_reserve(queue, 0));
    test_ok(mcl_buffer_create(context, bytes, NULL, &scratch));
    for (int k = 0; k < sampler_entry_count; k++) {
        const mcl_options options = { .scratch = scratch, .scratch_bytes = bytes };
        test_ok(sampler_entries[k].call(&s, queue, NULL));
        fault_disarm();
        test_ok(sampler_entries[k].call(&s, queue, NULL));
        const int usual = commands();
        fault_disarm();
        test_ok(sampler_entries[k].call(&s, queue, &options));
        ck_assert_msg(commands() <= usual, "%s: %d commands with scratch of the caller's, %d without",
                      sampler_entries[k].name, commands(), usual);
    }
    sampler_free(&s);
    mcl_buffer_release(scratch);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* ---- the first frame -------------------------------------------------------------------------------------------- */

enum { FRAME_COUNT = 200000, FRAME_MAP = 1000 };

typedef struct frame {
    mcl_buffer *keys; /* int32, ascending */
    mcl_buffer *out;
    mcl_buffer *other;
    mcl_buffer *slots;
    mcl_op less; /* operators with texts that no program had before */
    mcl_op plus;
    mcl_op odd;
    char texts[3][64];
} frame;

static void frame_make(mcl_context *context, int number, frame *f)
{
    static int32_t keys[2 * FRAME_COUNT];

    for (int k = 0; k < 2 * FRAME_COUNT; k++) keys[k] = k / 3;
    test_ok(mcl_buffer_create(context, sizeof keys, keys, &f->keys));
    test_ok(mcl_buffer_create(context, sizeof keys, keys, &f->out));
    test_ok(mcl_buffer_create(context, sizeof keys, keys, &f->other));
    test_ok(mcl_buffer_create(context, 64, keys, &f->slots));
    snprintf(f->texts[0], sizeof f->texts[0], "p + %d < q + %d", number, number);
    snprintf(f->texts[1], sizeof f->texts[1], "p + q + %d - %d", number, number);
    snprintf(f->texts[2], sizeof f->texts[2], "(x + 2 * %d) & 1", number);
    f->less = (mcl_op){ .role = MCL_ROLE_ORDER, .expression = f->texts[0] };
    f->plus = (mcl_op){ .role = MCL_ROLE_FOLD, .expression = f->texts[1], .identity = "0", .commutative = 1 };
    f->odd = (mcl_op){ .role = MCL_ROLE_TEST, .expression = f->texts[2] };
}

static void frame_free(frame *f)
{
    mcl_buffer_release(f->keys);
    mcl_buffer_release(f->out);
    mcl_buffer_release(f->other);
    mcl_buffer_release(f->slots);
}

/* Makes twelve calls, each with its own program. Returns the largest scratch that one of them takes. */
static size_t frame_run(const frame *f, mcl_queue *queue)
{
    const mcl_input keys = mcl_from_buffer(MCL_INT32, f->keys, 0, FRAME_COUNT);
    const mcl_output out = mcl_to_buffer(MCL_INT32, f->out, 0, 2 * FRAME_COUNT);
    const mcl_output other = mcl_to_buffer(MCL_INT32, f->other, 0, FRAME_COUNT);
    const mcl_result count = mcl_to_slot(MCL_INT64, f->slots, 0);
    size_t most = 0;
    mcl_output first = out;
    first.capacity = FRAME_COUNT;
#define CALL(...)                                                                                                      \
    do {                                                                                                               \
        test_ok(__VA_ARGS__);                                                                                          \
        if (mcl_queue_scratch_bytes(queue) > most) most = mcl_queue_scratch_bytes(queue);                              \
    } while (0)
    CALL(mcl_reduce(queue, keys, &f->plus, mcl_to_slot(MCL_INT64, f->slots, 1), NULL));
    CALL(mcl_scan(queue, keys, first, &f->plus, MCL_EXCLUSIVE, mcl_to_nowhere(), NULL));
    CALL(mcl_compact(queue, keys, first, &f->odd, count, NULL));
    CALL(mcl_partition(queue, keys, first, other, &f->odd, count, NULL));
    CALL(mcl_merge(queue, keys, keys, out, &f->less, NULL));
    CALL(mcl_sort(queue, keys, first, &f->less, NULL));
    CALL(mcl_set_union(queue, keys, keys, out, &f->less, count, NULL));
    CALL(mcl_join(queue, MCL_JOIN_SEMI, keys, keys, first, (mcl_output){ .type = MCL_INT32 }, &f->less, count, NULL));
    CALL(mcl_reduce_by_key(queue, keys, keys, first, other, &f->plus, NULL, count, NULL));
    CALL(mcl_scan_by_key(queue, keys, keys, first, &f->plus, NULL, MCL_INCLUSIVE, NULL));
    CALL(mcl_segmented_reduce(queue, keys, mcl_segments_from_offsets(mcl_from_buffer(MCL_INT32, f->keys, 0, FRAME_MAP)),
                              mcl_to_buffer(MCL_INT32, f->other, 0, FRAME_MAP), &f->plus, mcl_to_nowhere(), NULL));
    CALL(mcl_equality_count(queue, keys, keys, keys, first, &f->less, MCL_EQUALITY, NULL));
#undef CALL
    return most;
}

static double milliseconds_of(const frame *f, mcl_queue *queue)
{
    struct timespec before, after;

    clock_gettime(CLOCK_MONOTONIC, &before);
    (void)frame_run(f, queue);
    test_ok(mcl_queue_finish(queue));
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (double)(after.tv_sec - before.tv_sec) * 1e3 + (double)(after.tv_nsec - before.tv_nsec) * 1e-6;
}

/* Divides the time of the first frame by the time of the second frame, after mcl_queue_create_preparing, and returns
 * the quotient. */
static double first_frame(mcl_context *context, int number)
{
    mcl_queue *preparing = NULL;
    mcl_queue *queue = NULL;
    struct timespec before, after;
    frame f;

    frame_make(context, number, &f);
    clock_gettime(CLOCK_MONOTONIC, &before);
    test_ok(mcl_queue_create_preparing(context, &preparing));
    const size_t scratch = frame_run(&f, preparing);
    mcl_queue_release(preparing);
    clock_gettime(CLOCK_MONOTONIC, &after);
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_queue_reserve(queue, scratch));
    const double first = milliseconds_of(&f, queue);
    const double second = milliseconds_of(&f, queue);
    fprintf(stderr, "prepared in %.1f s, first frame %.1f ms, second %.1f ms\n",
            (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9, first, second);
    frame_free(&f);
    mcl_queue_release(queue);
    return first / second;
}

/* The machine may be busy at a wrong moment, so there are three attempts. */
START_TEST(the_first_frame_takes_hardly_longer_than_the_second)
{
    mcl_context *context = NULL;
    double least = 1e9;

    test_ok(mcl_context_create(opencl_device, &context));
    for (int attempt = 0; attempt < 3 && least > 2; attempt++) {
        const double ratio = first_frame(context, attempt);
        if (ratio < least) least = ratio;
    }
    mcl_context_release(context);
    ck_assert_msg(least <= 2, "the first frame takes %.2f times as long as the second", least);
}
END_TEST

/* ---- the suite --------------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static int find_opencl(void)
{
    const char *const wanted = getenv("MCL_TEST_DEVICE");
    mcl_context *context = NULL;

    if (wanted && strncmp(wanted, "opencl", 6) == 0) opencl_device = wanted;
    if (mcl_context_create(opencl_device, &context) != MCL_OK) return 0;
    mcl_context_release(context);
    return 1;
}

/* POCL reads its cache once, when the driver starts. That cache is empty, and the library has none. */
int main(void)
{
    char cache[] = "/tmp/test_prepared.XXXXXX";

    if (!mkdtemp(cache)) return EXIT_FAILURE;
    setenv("POCL_CACHE_DIR", cache, 1);
    setenv("MCL_CACHE_DIR", "", 1);
    if (mcl_opencl_loader_set(fault_opencl_load, NULL) != MCL_OK ||
        mcl_cuda_loader_set(fault_cuda_load, NULL) != MCL_OK) {
        fprintf(stderr, "%s\n", mcl_last_error());
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("prepared");
    TCase *tcase = tcase_create("prepared");

    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, prepared_calls_are_silent_on_cuda, 0, 2);
    if (find_opencl()) {
        tcase_add_test(tcase, the_first_frame_takes_hardly_longer_than_the_second);
        tcase_add_loop_test(tcase, prepared_calls_are_silent_on_opencl, 0, 2);
        tcase_add_test(tcase, scratch_of_the_callers_costs_no_launches);
    } else {
        fprintf(stderr, "skipped: OpenCL (%s)\n", mcl_last_error());
    }
    const int result = test_run(suite, CK_NOFORK);
    (void)nftw(cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return result;
}
