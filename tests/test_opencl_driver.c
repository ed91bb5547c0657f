/* test_opencl_driver.c: the requests of the OpenCL backend to drivers of several vendors, and its use of their answers:
 * contexts, programs, launches, events, recordings, and a caller's handles. The driver is a fake in the host's memory
 * (support/false_opencl.c). Each test is a separate process. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/false_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { COUNT = 1000, BYTES = COUNT * (int)sizeof(int32_t) };

#define EXTENSIONS "cl_khr_command_buffer cl_intel_unified_shared_memory"
#define GPU FALSE_ULONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU)
#define NAME(text) FALSE_TEXT(CL_DEVICE_NAME, text)
#define VENDOR(text) FALSE_TEXT(CL_DEVICE_VENDOR, text)
#define HAS(text) FALSE_TEXT(CL_DEVICE_EXTENSIONS, text)
#define CAPABILITIES(number) FALSE_ULONG(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, number)
#define REQUIRES(number) FALSE_ULONG(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, number)

static const struct _cl_device_id plain;
static const struct _cl_device_id able = { { HAS(EXTENSIONS), CAPABILITIES(4), REQUIRES(0),
                                             FALSE_ULONG(CL_DEVICE_SVM_CAPABILITIES,
                                                         CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) } };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
} world;

static struct _cl_platform_id platform = { "False", "OpenCL 1.2", CL_SUCCESS, 1, NULL };

static mcl_status open(const struct _cl_device_id *device, world *w)
{
    *w = (world){ NULL, NULL };
    platform.devices = device;
    false_opencl_is.platforms = &platform;
    false_opencl_is.platform_count = 1;
    setenv("MCL_CACHE_DIR", "", 1);
    (void)mcl_opencl_loader_set(false_opencl_load, NULL);
    const mcl_status status = mcl_context_create("opencl", &w->context);
    return status == MCL_OK ? mcl_queue_create(w->context, 0, &w->queue) : status;
}

static world start(const struct _cl_device_id *device)
{
    world w;
    test_ok(open(device, &w));
    return w;
}

static void stop(world *w)
{
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
    ck_assert_str_eq(fault_balance(), "");
}

/* ---- contexts --------------------------------------------------------------------------------------------------- */

static const struct _cl_device_id nvidia = { { GPU, VENDOR("NVIDIA"), FALSE_ULONG(CL_DEVICE_LOCAL_MEM_SIZE, 101376) } };
static const struct _cl_device_id nvidia_small = { { GPU, VENDOR("NVIDIA"),
                                                     FALSE_ULONG(CL_DEVICE_LOCAL_MEM_SIZE, 32768) } };
static const struct _cl_device_id roomy = { { FALSE_ULONG(CL_DEVICE_LOCAL_MEM_SIZE, 101376) } };

START_TEST(nvidias_kernels_declare_48_kib_at_most)
{
    static const struct _cl_device_id *const devices[] = { &nvidia, &nvidia_small, &roomy };
    static const int64_t most[] = { 49152, 32768, 101376 };
    world w = start(devices[_i]);
    ck_assert_int_eq(w.context->limits.local_memory, most[_i]);
    stop(&w);
}
END_TEST

#define SHUFFLES "cl_khr_subgroups cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative"
static const struct _cl_device_id shuffling = { { HAS(SHUFFLES), FALSE_SIZES(CL_DEVICE_SUB_GROUP_SIZES_INTEL, 32) } };
static const struct _cl_device_id narrow = { { HAS(SHUFFLES), FALSE_SIZES(CL_DEVICE_SUB_GROUP_SIZES_INTEL, 1) } };

/* A device that runs nothing passes no litmus test. */
START_TEST(sub_groups_are_tried_where_they_are_there)
{
    static const struct _cl_device_id *const devices[] = { &plain, &narrow, &shuffling };
    mcl_device_info info;
    world w = start(devices[_i]);
    test_ok(mcl_context_info(w.context, &info));
    ck_assert_str_eq(info.sub_group_path, "none");
    ck_assert((fault_calls_of(&false_opencl, "clBuildProgram") > 0) == (devices[_i] == &shuffling));
    stop(&w);
}
END_TEST

#define POCL(version)                                                                                                  \
    {                                                                                                                  \
        {                                                                                                              \
            FALSE_TEXT(CL_DRIVER_VERSION, version)                                                                     \
        }                                                                                                              \
    }
static const struct _cl_device_id pocls[] = { POCL("3.1"), POCL("5.0"), POCL("6.0"), POCL("7.1"), POCL("unknown") };

static mcl_status open_pocl(int version, world *w)
{
    platform.name = "Portable Computing Language";
    return open(&pocls[version], w);
}

START_TEST(two_versions_of_pocl_lose_barriers)
{
    static const int loses[] = { 0, 1, 1, 0, 0 };
    world w;
    test_ok(open_pocl(_i, &w));
    ck_assert_int_eq(w.context->limits.loses_barriers, loses[_i]);
    stop(&w);
}
END_TEST

START_TEST(pocl_needs_a_linker_before_version_7)
{
    static const int needs[] = { 1, 1, 1, 0, 1 };
    world w;
    unsetenv("PATH");
    const mcl_status status = open_pocl(_i, &w);
    if (needs[_i])
        test_fails(status, MCL_ERROR_DEVICE, "cannot link kernels, since PATH is not set|expected the folder");
    if (!needs[_i]) test_ok(status);
    stop(&w);
}
END_TEST

START_TEST(others_need_no_linker)
{
    unsetenv("PATH");
    world w = start(&plain);
    stop(&w);
}
END_TEST

START_TEST(pocl_6_is_refused_with_cbs)
{
    world w;
    setenv("POCL_WORK_GROUP_METHOD", "cbs", 1);
    const mcl_status status = open_pocl(_i, &w);
    if (_i == 2) test_fails(status, MCL_ERROR_DEVICE, "compiles kernels wrongly, since POCL_WORK_GROUP_METHOD is cbs");
    if (_i != 2) test_ok(status);
    stop(&w);
}
END_TEST

static const cl_name_version version_3 = { CL_MAKE_VERSION(3, 0, 0), "OpenCL C" };
static const struct _cl_device_id modern = { { FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 3.0"),
                                               HAS(EXTENSIONS),
                                               { CL_DEVICE_OPENCL_C_ALL_VERSIONS, &version_3, sizeof version_3 } } };

START_TEST(mcl_features_limits_a_device_to_version_1_2)
{
    static const char *const features[] = { "opencl=1.2", "" };
    static const char *const languages[] = { "OpenCL C 1.2", "OpenCL C 3.0" };
    mcl_device_info info;
    int32_t memory[4];
    mcl_buffer *buffer = NULL;
    setenv("MCL_FEATURES", features[_i], 1);
    world w = start(&modern);
    test_ok(mcl_context_info(w.context, &info));
    ck_assert_str_eq(info.language, languages[_i]);
    const mcl_status status = mcl_opencl_usm_wrap(w.context, memory, sizeof memory, &buffer);
    if (_i == 0) test_fails(status, MCL_ERROR_UNSUPPORTED, "mcl_opencl_usm_wrap: |no unified shared memory");
    if (_i != 0) test_ok(status);
    mcl_buffer_release(buffer);
    stop(&w);
}
END_TEST

START_TEST(mcl_features_knows_no_other_version)
{
    world w;
    setenv("MCL_FEATURES", "opencl=2.0", 1);
    test_fails(open(&modern, &w), MCL_ERROR_ARGUMENT, "MCL_FEATURES has opencl=2.0; expected one of 1.2");
}
END_TEST

/* ---- programs --------------------------------------------------------------------------------------------------- */

static mcl_status scan_ints(mcl_queue *queue, mcl_buffer *buffer)
{
    return mcl_scan(queue, mcl_from_buffer(MCL_INT32, buffer, 0, COUNT), mcl_to_buffer(MCL_INT32, buffer, 0, COUNT),
                    MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
}

static mcl_buffer *buffer_of(const world *w)
{
    mcl_buffer *buffer = NULL;
    test_ok(mcl_buffer_create(w->context, BYTES, NULL, &buffer));
    return buffer;
}

static const struct {
    const char *log; /* NULL: none */
    cl_int error;
    int builds;
    mcl_status status;
    const char *words;
} failures[] = {
    { "line 7: no such thing\n", CL_BUILD_PROGRAM_FAILURE, 1, MCL_ERROR_BUILD, "mcl_scan|line 7: no such thing" },
    { "\n \t\r\nlast line has no end", CL_BUILD_PROGRAM_FAILURE, 1, MCL_ERROR_BUILD, "last line has no end" },
    { "Device cpu failed to build the program\n\n", CL_BUILD_PROGRAM_FAILURE, 2, MCL_ERROR_BUILD,
      "clBuildProgram gave CL_BUILD_PROGRAM_FAILURE|and no log; expected CL_SUCCESS" },
    { "It failed to build the program", CL_BUILD_PROGRAM_FAILURE, 1, MCL_ERROR_BUILD, "It failed to build" },
    { "failed to build the program", CL_BUILD_PROGRAM_FAILURE, 1, MCL_ERROR_BUILD, "failed to build" },
    { "Device cpu failed to build the texture", CL_BUILD_PROGRAM_FAILURE, 1, MCL_ERROR_BUILD, "the texture" },
    { NULL, CL_BUILD_PROGRAM_FAILURE, 2, MCL_ERROR_BUILD, "and no log; expected CL_SUCCESS" },
    { "line 7: no such thing\n", CL_OUT_OF_RESOURCES, 2, MCL_ERROR_DEVICE, "clBuildProgram gave CL_OUT_OF_RESOURCES" },
    { "line 7: no such thing\n", CL_OUT_OF_HOST_MEMORY, 2, MCL_ERROR_MEMORY, "CL_OUT_OF_HOST_MEMORY" },
};

/* A failure whose cause is not in the text may pass. So the program is compiled once more, and again in the next
 * call. */
START_TEST(failed_builds_are_told_by_their_logs)
{
    world w = start(&plain);
    mcl_buffer *const buffer = buffer_of(&w);
    false_opencl_is.log = failures[_i].log;
    false_opencl_is.build_error = failures[_i].error;
    fault_disarm();
    test_fails(scan_ints(w.queue, buffer), failures[_i].status, failures[_i].words);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clBuildProgram"), failures[_i].builds);
    false_opencl_is.build_error = CL_SUCCESS;
    if (failures[_i].builds == 1)
        test_fails(scan_ints(w.queue, buffer), MCL_ERROR_BUILD, failures[_i].words);
    else
        test_ok(scan_ints(w.queue, buffer));
    mcl_buffer_release(buffer);
    stop(&w);
}
END_TEST

/* NVIDIA's programs are loaded again with launch bounds where the text has remarks. Without remarks, or where a step
 * fails, they stay as they were. */
START_TEST(nvidias_programs_get_launch_bounds)
{
    static const char ptx[] = ".entry f(\n)\n.reqntid 128, 1, 1\n{\n\t// groups 3\n}\n"
                              ".entry g(\n)\n.reqntid 64, 1, 1\n{\n}\n";
    static const char bounded[] = ".entry f(\n)\n.reqntid 128, 1, 1\n.minnctapersm 3\n{\n\t// groups 3\n}\n"
                                  ".entry g(\n)\n.reqntid 64, 1, 1\n{\n}\n";
    static const char *const failing[] = { "none", "clGetProgramInfo", "clCreateProgramWithBinary", "clBuildProgram" };
    void *program = NULL;
    mcl__text log = { 0 };
    world w = start(&nvidia);
    false_opencl_is.binary = ptx;
    false_opencl_loaded[0] = 0;
    if (_i > 0) fault_arm(fault_function(&false_opencl, failing[_i]), _i == 3 ? 2 : 1, 0, CL_OUT_OF_HOST_MEMORY);
    test_ok(w.context->backend->program_build(w.context, "", "name", &log, &program));
    ck_assert_str_eq(false_opencl_loaded, _i == 0 || _i == 3 ? bounded : "");
    fault_disarm();
    w.context->backend->program_release(w.context, program);
    false_opencl_is.binary = "no remarks";
    false_opencl_loaded[0] = 0;
    test_ok(w.context->backend->program_build(w.context, "", "name", &log, &program));
    ck_assert_str_eq(false_opencl_loaded, "");
    w.context->backend->program_release(w.context, program);
    mcl__text_free(&log);
    stop(&w);
}
END_TEST

static const struct {
    const char *function; /* function that fails with this code; NULL: none */
    int code;
    cl_int loaded, built;
    const char *log;
    mcl_status status;
} loads[] = {
    { NULL, 0, CL_SUCCESS, CL_SUCCESS, NULL, MCL_OK },
    { NULL, 0, CL_INVALID_BINARY, CL_SUCCESS, NULL, MCL_ERROR_BUILD },
    { "clCreateProgramWithBinary", CL_INVALID_BINARY, CL_SUCCESS, CL_SUCCESS, NULL, MCL_ERROR_BUILD },
    { "clCreateProgramWithBinary", 0, CL_SUCCESS, CL_SUCCESS, NULL, MCL_ERROR_BUILD },
    { NULL, 0, CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE, "a bad word", MCL_ERROR_BUILD },
    { NULL, 0, CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE, NULL, MCL_ERROR_BUILD },
    { NULL, 0, CL_SUCCESS, CL_OUT_OF_RESOURCES, NULL, MCL_ERROR_DEVICE },
};

START_TEST(binaries_that_a_driver_does_not_take_are_released)
{
    static const char binary[] = "of a cache";
    void *program = NULL;
    world w = start(&plain);
    false_opencl_is.load_error = loads[_i].loaded;
    false_opencl_is.build_error = loads[_i].built;
    false_opencl_is.log = loads[_i].log;
    if (loads[_i].function) fault_arm(fault_function(&false_opencl, loads[_i].function), 1, 0, loads[_i].code);
    const mcl_status status = w.context->backend->program_load(w.context, binary, sizeof binary - 1, &program);
    fault_disarm();
    ck_assert_int_eq(status, loads[_i].status);
    ck_assert((program != NULL) == (status == MCL_OK));
    if (program) ck_assert_str_eq(false_opencl_loaded, binary);
    if (program) w.context->backend->program_release(w.context, program);
    stop(&w);
}
END_TEST

START_TEST(a_programs_binary_is_that_of_the_contexts_device)
{
    mcl__text binary = { 0 }, log = { 0 };
    void *program = NULL;
    world w = start(&plain);
    const mcl__backend *const backend = w.context->backend;
    false_opencl_is.sharers = (cl_uint)_i;
    false_opencl_is.binary = "the device's own";
    test_ok(backend->program_build(w.context, "", "name", &log, &program));
    test_ok(backend->program_binary(w.context, program, &binary));
    ck_assert_str_eq(binary.data, "the device's own");
    for (int at = 1; at <= 4; at++) {
        fault_arm(fault_function(&false_opencl, "clGetProgramInfo"), at, 0, CL_OUT_OF_RESOURCES);
        if (at <= 2)
            test_fails(backend->program_binary(w.context, program, &binary), MCL_ERROR_UNSUPPORTED,
                       "Plain processor does not give binaries");
        else
            test_fails(backend->program_binary(w.context, program, &binary), MCL_ERROR_DEVICE,
                       "clGetProgramInfo gave CL_OUT_OF_RESOURCES");
    }
    fault_disarm();
    backend->program_release(w.context, program);
    mcl__text_free(&binary);
    mcl__text_free(&log);
    stop(&w);
}
END_TEST

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static void *kernel_of(const world *w, void **program)
{
    mcl__text log = { 0 };
    void *kernel = NULL;
    test_ok(w->context->backend->program_build(w->context, "", "name", &log, program));
    test_ok(w->context->backend->kernel_create(w->context, *program, "kernel", &kernel));
    mcl__text_free(&log);
    return kernel;
}

static void kernel_free(const world *w, void *kernel, void *program)
{
    w->context->backend->kernel_release(w->context, kernel);
    w->context->backend->program_release(w->context, program);
}

static const struct _cl_device_id llvmpipe = { { GPU, NAME("llvmpipe (LLVM 15)") } };

static const struct {
    const struct _cl_device_id *device;
    size_t allowed, compiled;
    int threads;
} kernels[] = {
    { &nvidia, 64, 96, 96 }, { &nvidia, 128, 96, 128 },          { &llvmpipe, 32, 256, 256 },
    { &plain, 32, 256, 32 }, { &plain, SIZE_MAX, 0, INT32_MAX },
};

START_TEST(two_drivers_understate_the_work_items_of_a_kernel)
{
    void *program = NULL;
    int threads = 0;
    world w = start(kernels[_i].device);
    void *const kernel = kernel_of(&w, &program);
    false_opencl_is.kernel_items = kernels[_i].allowed;
    false_opencl_is.compiled_items = kernels[_i].compiled;
    test_ok(w.context->backend->kernel_max_threads(w.context, kernel, &threads));
    ck_assert_int_eq(threads, kernels[_i].threads);
    fault_arm(fault_function(&false_opencl, "clGetKernelWorkGroupInfo"), 2, 0, CL_INVALID_VALUE);
    test_ok(w.context->backend->kernel_max_threads(w.context, kernel, &threads));
    ck_assert_int_eq(threads, kernels[_i].allowed > INT32_MAX ? INT32_MAX : (int)kernels[_i].allowed);
    fault_disarm();
    kernel_free(&w, kernel, program);
    stop(&w);
}
END_TEST

static const struct {
    size_t compiled_items, argument_bytes;
    cl_uint parameters;
    const char *function; /* which fails */
    int launches;
} warms[] = {
    { 1, 0, 3, NULL, 1 },
    { 1, 24, 2, NULL, 1 }, /* not a usual size of arguments */
    { 1, 65, 2, NULL, 0 },
    { 1, 65, 0, NULL, 1 },
    { 64, 0, 3, NULL, 0 },
    { 1, 0, 3, "clGetKernelWorkGroupInfo", 0 },
    { 1, 0, 3, "clGetKernelInfo", 0 },
};

START_TEST(kernels_of_one_work_item_are_launched_ahead)
{
    void *program = NULL;
    world w = start(&plain);
    void *const kernel = kernel_of(&w, &program);
    false_opencl_is.compiled_items = warms[_i].compiled_items;
    false_opencl_is.argument_bytes = warms[_i].argument_bytes;
    false_opencl_is.parameters = warms[_i].parameters;
    fault_disarm();
    if (warms[_i].function) fault_arm(fault_function(&false_opencl, warms[_i].function), 1, 0, CL_INVALID_VALUE);
    w.context->backend->kernel_warm(w.queue, kernel, 1);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueNDRangeKernel"), warms[_i].launches);
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clFinish"), warms[_i].launches);
    fault_disarm();
    kernel_free(&w, kernel, program);
    stop(&w);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------------------------- */

static const struct _cl_device_id able_once = { { HAS(EXTENSIONS), CAPABILITIES(3), REQUIRES(0) } };
static const struct _cl_device_id demanding = { { HAS(EXTENSIONS), CAPABILITIES(4), REQUIRES(2) } };
static const struct _cl_device_id silent = { { HAS(EXTENSIONS), REQUIRES(0) } };
static const struct _cl_device_id reticent = { { HAS(EXTENSIONS), CAPABILITIES(4) } };

static const struct {
    const struct _cl_device_id *device;
    const char *features, *lacks;
    int queue_flags;
    int buffers; /* number of command buffers that a replay enqueues */
} recordings[] = {
    { &able, "", NULL, 0, 1 },
    { &able, "", NULL, MCL_QUEUE_PROFILING, 0 },
    { &able, "opencl=1.2", NULL, 0, 0 },
    { &able, "command_buffer=0", NULL, 0, 0 },
    { &able, "command_buffer=1", NULL, 0, 1 },
    { &plain, "", NULL, 0, 0 },
    { &able_once, "", NULL, 0, 0 },
    { &demanding, "", NULL, 0, 0 },
    { &silent, "", NULL, 0, 0 },
    { &reticent, "", NULL, 0, 0 },
    { &able, "", "clCreateCommandBufferKHR", 0, 0 },
    { &able, "", "clCommandNDRangeKernelKHR", 0, 0 },
    { &able, "", "clFinalizeCommandBufferKHR", 0, 0 },
    { &able, "", "clReleaseCommandBufferKHR", 0, 0 },
    { &able, "", "clEnqueueCommandBufferKHR", 0, 0 },
};

static mcl_recording *record(const world *w, mcl_buffer *buffer)
{
    mcl_recording *recording = NULL;
    test_ok(scan_ints(w->queue, buffer));
    test_ok(mcl_record_begin(w->queue));
    for (int k = 0; k < 3; k++) test_ok(scan_ints(w->queue, buffer));
    test_ok(mcl_record_end(w->queue, &recording));
    return recording;
}

START_TEST(recordings_are_command_buffers_where_these_can_be_used)
{
    setenv("MCL_FEATURES", recordings[_i].features, 1);
    false_opencl_is.lacks = recordings[_i].lacks;
    world w = start(recordings[_i].device);
    mcl_queue_release(w.queue);
    test_ok(mcl_queue_create(w.context, recordings[_i].queue_flags, &w.queue));
    mcl_buffer *const buffer = buffer_of(&w);
    mcl_recording *const recording = record(&w, buffer);
    fault_disarm();
    test_ok(mcl_replay(w.queue, recording, NULL));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueCommandBufferKHR"), recordings[_i].buffers);
    ck_assert((fault_calls_of(&false_opencl, "clEnqueueNDRangeKernel") == 0) == (recordings[_i].buffers > 0));
    mcl_recording_release(recording);
    mcl_buffer_release(buffer);
    stop(&w);
}
END_TEST

/* A queue that does not suit the command buffers gets the launches one by one. */
START_TEST(a_command_buffer_that_does_not_fit_a_queue_is_not_used)
{
    enum { INCOMPATIBLE = -1140 };
    world w = start(&able);
    mcl_queue *timed = NULL;
    test_ok(mcl_queue_create(w.context, MCL_QUEUE_PROFILING, &timed));
    mcl_buffer *const buffer = buffer_of(&w);
    mcl_recording *const recording = record(&w, buffer);
    fault_disarm();
    test_ok(mcl_replay(timed, recording, NULL));
    ck_assert_int_eq(fault_calls_of(&false_opencl, "clEnqueueCommandBufferKHR"), 0);
    ck_assert_int_gt(fault_calls_of(&false_opencl, "clEnqueueNDRangeKernel"), 0);
    fault_arm(fault_function(&false_opencl, "clEnqueueCommandBufferKHR"), 1, 0, INCOMPATIBLE);
    test_ok(mcl_replay(w.queue, recording, NULL));
    ck_assert_int_gt(fault_calls_of(&false_opencl, "clEnqueueNDRangeKernel"), 0);
    fault_disarm();
    mcl_recording_release(recording);
    mcl_buffer_release(buffer);
    mcl_queue_release(timed);
    stop(&w);
}
END_TEST

static void add(TCase *tcase)
{
#define LOOP(test, list) tcase_add_loop_test(tcase, test, 0, (int)COUNT_OF(list))
    tcase_add_loop_test(tcase, nvidias_kernels_declare_48_kib_at_most, 0, 3);
    tcase_add_loop_test(tcase, sub_groups_are_tried_where_they_are_there, 0, 3);
    LOOP(two_versions_of_pocl_lose_barriers, pocls);
    LOOP(pocl_needs_a_linker_before_version_7, pocls);
    tcase_add_test(tcase, others_need_no_linker);
    LOOP(pocl_6_is_refused_with_cbs, pocls);
    tcase_add_loop_test(tcase, mcl_features_limits_a_device_to_version_1_2, 0, 2);
    tcase_add_test(tcase, mcl_features_knows_no_other_version);
    LOOP(failed_builds_are_told_by_their_logs, failures);
    tcase_add_loop_test(tcase, nvidias_programs_get_launch_bounds, 0, 4);
    LOOP(binaries_that_a_driver_does_not_take_are_released, loads);
    tcase_add_loop_test(tcase, a_programs_binary_is_that_of_the_contexts_device, 0, 3);
    LOOP(two_drivers_understate_the_work_items_of_a_kernel, kernels);
    LOOP(kernels_of_one_work_item_are_launched_ahead, warms);
    LOOP(recordings_are_command_buffers_where_these_can_be_used, recordings);
    tcase_add_test(tcase, a_command_buffer_that_does_not_fit_a_queue_is_not_used);
}

int main(void)
{
    return test_main_host("opencl_driver", add);
}
