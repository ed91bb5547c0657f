/* test_device_facts.c: the library's use of the facts that OpenCL drivers tell: drivers of several vendors, old ones,
 * some that tell nothing, and machines without a device. The driver is a fake in the host's memory
 * (support/false_opencl.c). Each test is a separate process. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/false_opencl.h"

#include <moderncl/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { INFOS_MAX = 80 };

static mcl_device_info infos[INFOS_MAX];

/* Finds none of CUDA's functions: the machine's own devices are not of these platforms. */
static void *no_cuda(const char *name, void *user)
{
    (void)name;
    (void)user;
    return NULL;
}

/* Returns the number of devices that the library lists on these platforms. */
static int list(const struct _cl_platform_id *platforms, size_t count)
{
    int listed = -1;
    false_opencl_is.platforms = platforms;
    false_opencl_is.platform_count = (cl_uint)count;
    test_ok(mcl_opencl_loader_set(false_opencl_load, NULL));
    test_ok(mcl_cuda_loader_set(no_cuda, NULL));
    setenv("MCL_CACHE_DIR", "", 1);
    test_ok(mcl_device_list(infos, INFOS_MAX, &listed));
    return listed;
}

/* Returns a device's facts. The library lists GPUs first. */
static const mcl_device_info *info_at(int platform, int device)
{
    char id[64];
    (void)snprintf(id, sizeof id, "opencl:%d:%d", platform, device);
    for (int k = 0; k < INFOS_MAX; k++)
        if (strcmp(infos[k].id, id) == 0) return &infos[k];
    ck_abort_msg("%s is not listed", id);
    return NULL;
}

/* ---- names and numbers ------------------------------------------------------------------------------------------ */

#define SUB_GROUPS "cl_khr_subgroups cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative"
#define REQUIRED " cl_intel_required_subgroup_size"
#define GPU FALSE_ULONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU)
#define NAME(text) FALSE_TEXT(CL_DEVICE_NAME, text)
#define VENDOR(text) FALSE_TEXT(CL_DEVICE_VENDOR, text)
#define HAS(text) FALSE_TEXT(CL_DEVICE_EXTENSIONS, text)
#define SUB_GROUP_SIZES(...) FALSE_SIZES(CL_DEVICE_SUB_GROUP_SIZES_INTEL, __VA_ARGS__)

static const cl_name_version versions[] = { { CL_MAKE_VERSION(1, 2, 0), "OpenCL C" },
                                            { CL_MAKE_VERSION(3, 0, 0), "OpenCL C" },
                                            { CL_MAKE_VERSION(2, 0, 0), "OpenCL C" },
                                            { CL_MAKE_VERSION(4, 0, 0), "Another C" } };
#define ALL_VERSIONS { CL_DEVICE_OPENCL_C_ALL_VERSIONS, versions, sizeof versions }

static const struct _cl_device_id machines[] = {
    { { NAME("  Two words  "), VENDOR("Nobody ") } },
    { { NAME("   "), FALSE_UNKNOWN(CL_DEVICE_VENDOR) } },
    { { GPU, NAME("Card"), VENDOR("NVIDIA Corporation"), FALSE_UINT(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 9),
        FALSE_UINT(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 0), FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 3.0 CUDA"),
        ALL_VERSIONS } },
    { { GPU, VENDOR("NVIDIA"), FALSE_UINT(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 9) } },
    { { GPU, VENDOR("NVIDIA"), FALSE_UINT(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 0),
        FALSE_UINT(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 1) } },
    { { GPU, NAME("gfx90a:xnack-"), VENDOR("Advanced Micro Devices, Inc."),
        FALSE_UINT(CL_DEVICE_WAVEFRONT_WIDTH_AMD, 64), FALSE_ULONG(CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, 3, 2) } },
    { { GPU, NAME("gfx1100"), VENDOR("AMD"), FALSE_ULONG(CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, 0, 0) } },
    { { GPU, NAME("gfx_of_a_name_that_is_too_long_for_it") } },
    { { GPU, NAME("llvmpipe (LLVM 15)"), VENDOR("Mesa/X.org") } },
    { { FALSE_ULONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU) } },
    { { FALSE_UNKNOWN(CL_DEVICE_TYPE) } },
    { { FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 2.1"), FALSE_TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 2.0"),
        ALL_VERSIONS } },
    { { FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 3.0") } },
};

static const struct {
    const char *name, *vendor, *architecture, *language;
    int is_gpu, sub_group_size;
    int64_t memory_free, loop_budget;
} told[COUNT_OF(machines)] = {
    { "Two words", "Nobody", "cpu", "OpenCL C 1.2", 0, 1, -1, 0 },
    { "", "", "cpu", "OpenCL C 1.2", 0, 1, -1, 0 },
    { "Card", "NVIDIA", "sm_90", "OpenCL C 3.0", 1, 32, -1, 0 },
    { "Plain processor", "NVIDIA", "gpu", "OpenCL C 1.2", 1, 32, -1, 0 },
    { "Plain processor", "NVIDIA", "gpu", "OpenCL C 1.2", 1, 32, -1, 0 },
    { "gfx90a:xnack-", "AMD", "gfx90a", "OpenCL C 1.2", 1, 64, 3 * 1024, 0 },
    { "gfx1100", "AMD", "gfx1100", "OpenCL C 1.2", 1, 1, -1, 0 },
    { "gfx_of_a_name_that_is_too_long_for_it", "Nobody", "gpu", "OpenCL C 1.2", 1, 1, -1, 0 },
    { "llvmpipe (LLVM 15)", "Mesa", "cpu", "OpenCL C 1.2", 0, 1, -1, 60000 },
    { "Plain processor", "Nobody", "cpu", "OpenCL C 1.2", 0, 1, -1, 0 },
    { "Plain processor", "Nobody", "cpu", "OpenCL C 1.2", 0, 1, -1, 0 },
    { "Plain processor", "Nobody", "cpu", "OpenCL C 2.0", 0, 1, -1, 0 },
    { "Plain processor", "Nobody", "cpu", "OpenCL C 1.2", 0, 1, -1, 0 },
};

START_TEST(devices_have_names_of_their_vendors)
{
    const struct _cl_platform_id platform = { " Many ", "OpenCL 1.2", CL_SUCCESS, COUNT_OF(machines), machines };
    ck_assert_int_eq(list(&platform, 1), COUNT_OF(machines));
    for (size_t k = 0; k < COUNT_OF(machines); k++) {
        const mcl_device_info *const info = info_at(0, (int)k);
        ck_assert_str_eq(info->name, told[k].name);
        ck_assert_str_eq(info->vendor, told[k].vendor);
        ck_assert_str_eq(info->platform, "Many");
        ck_assert_str_eq(info->architecture, told[k].architecture);
        ck_assert_str_eq(info->language, told[k].language);
        ck_assert_int_eq(info->is_gpu, told[k].is_gpu);
        ck_assert_int_eq(info->sub_group_size, told[k].sub_group_size);
        ck_assert_int_eq(info->memory_free, told[k].memory_free);
        ck_assert_int_eq(info->loop_budget, told[k].loop_budget);
    }
}
END_TEST

/* ---- sub-groups ------------------------------------------------------------------------------------------------- */

static const struct {
    struct _cl_device_id device;
    int size; /* expected lanes of a sub-group; 1: the device has none */
} grouped[] = {
    { { { GPU, VENDOR("Intel"), HAS(SUB_GROUPS REQUIRED), SUB_GROUP_SIZES(8, 16, 32) } }, 16 },
    { { { GPU, VENDOR("Intel"), HAS(SUB_GROUPS REQUIRED), SUB_GROUP_SIZES(32, 16, 8) } }, 16 },
    { { { VENDOR("Intel"), HAS(SUB_GROUPS REQUIRED), SUB_GROUP_SIZES(4, 8, 16, 32, 64) } }, 32 },
    { { { HAS(SUB_GROUPS REQUIRED), SUB_GROUP_SIZES(64, 128) } }, 1 },
    { { { HAS(SUB_GROUPS REQUIRED), SUB_GROUP_SIZES(16, 8) } }, 16 },
    { { { HAS(SUB_GROUPS), SUB_GROUP_SIZES(8, 16) } }, 1 },
    { { { HAS(SUB_GROUPS), SUB_GROUP_SIZES(64) } }, 64 },
    { { { HAS(SUB_GROUPS), SUB_GROUP_SIZES(1) } }, 1 },
    { { { HAS(SUB_GROUPS) } }, 1 },
    { { { HAS("cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative"), SUB_GROUP_SIZES(8),
          FALSE_UINT(CL_DEVICE_MAX_NUM_SUB_GROUPS, 4) } },
      8 },
    { { { HAS("cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative"), SUB_GROUP_SIZES(8) } }, 1 },
    { { { HAS("cl_khr_subgroups cl_khr_subgroup_shuffle"), SUB_GROUP_SIZES(8) } }, 1 },
    { { { HAS("cl_khr_subgroups cl_khr_subgroup_shuffle_relative"), SUB_GROUP_SIZES(8) } }, 1 },
};

/* Kernels ask for sub-groups of 32 or less, and of 16 on Intel's GPUs. Sub-groups without both shuffles are not
 * used. */
START_TEST(sub_groups_have_the_size_that_suits_kernels)
{
    static struct _cl_device_id devices[COUNT_OF(grouped)];
    const struct _cl_platform_id platform = { "Many", "OpenCL 1.2", CL_SUCCESS, COUNT_OF(grouped), devices };
    for (size_t k = 0; k < COUNT_OF(grouped); k++) devices[k] = grouped[k].device;
    ck_assert_int_eq(list(&platform, 1), COUNT_OF(grouped));
    for (size_t k = 0; k < COUNT_OF(grouped); k++)
        ck_assert_int_eq(info_at(0, (int)k)->sub_group_size, grouped[k].size);
}
END_TEST

/* ---- extensions and limits -------------------------------------------------------------------------------------- */

static const struct _cl_device_id worded[] = {
    { { HAS("cl_khr_fp64 cl_khr_fp16") } },
    { { HAS("cl_khr_fp64_more my_cl_khr_fp16") } },
    { { HAS("my_cl_khr_fp16 cl_khr_fp16 cl_other") } },
    { { FALSE_UNKNOWN(CL_DEVICE_EXTENSIONS) } },
    { { FALSE_ULONG(CL_DEVICE_DOUBLE_FP_CONFIG, 63) } },
    { { { CL_DEVICE_EXTENSIONS, "", 0 } } },
};

START_TEST(a_word_of_another_extensions_name_is_no_extension)
{
    static const int has_double[] = { 1, 0, 0, 0, 1, 0 }, has_half[] = { 1, 0, 1, 0, 0, 0 };
    const struct _cl_platform_id platform = { "Many", "OpenCL 1.2", CL_SUCCESS, COUNT_OF(worded), worded };
    ck_assert_int_eq(list(&platform, 1), COUNT_OF(worded));
    for (size_t k = 0; k < COUNT_OF(worded); k++) {
        ck_assert_int_eq(info_at(0, (int)k)->has_double, has_double[k]);
        ck_assert_int_eq(info_at(0, (int)k)->has_half, has_half[k]);
    }
}
END_TEST

static const struct _cl_device_id grouping[] = {
    { { FALSE_SIZES(CL_DEVICE_MAX_WORK_ITEM_SIZES, 256, 256, 64) } },
    { { FALSE_SIZES(CL_DEVICE_MAX_WORK_ITEM_SIZES, 4096, 1, 1) } },
    { { FALSE_SIZES(CL_DEVICE_MAX_WORK_ITEM_SIZES, 0, 0, 0) } },
    { { FALSE_SIZES(CL_DEVICE_MAX_WORK_ITEM_SIZES, SIZE_MAX, 1, 1) } },
    { { FALSE_UNKNOWN(CL_DEVICE_MAX_WORK_ITEM_SIZES) } },
};

START_TEST(the_largest_group_is_the_least_number_that_can_be_one)
{
    static const int most[] = { 256, 1024, 1024, 1024, 1024 };
    const struct _cl_platform_id platform = { "Many", "OpenCL 1.2", CL_SUCCESS, COUNT_OF(grouping), grouping };
    ck_assert_int_eq(list(&platform, 1), COUNT_OF(grouping));
    for (size_t k = 0; k < COUNT_OF(grouping); k++) ck_assert_int_eq(info_at(0, (int)k)->max_threads, most[k]);
}
END_TEST

static const struct _cl_device_id vast = { {
    FALSE_ULONG(CL_DEVICE_GLOBAL_MEM_SIZE, UINT64_MAX),
    FALSE_ULONG(CL_DEVICE_MAX_COMPUTE_UNITS, (cl_ulong)1 << 40),
    { CL_DEVICE_MAX_CLOCK_FREQUENCY, "ab", 2 },
} };

/* A number that does not fit its type becomes the type's largest. An answer of another size is ignored. */
START_TEST(numbers_beyond_their_type_are_limited)
{
    const struct _cl_platform_id platform = { "One", "OpenCL 1.2", CL_SUCCESS, 1, &vast };
    ck_assert_int_eq(list(&platform, 1), 1);
    ck_assert_int_eq(infos[0].memory_total, INT64_MAX);
    ck_assert_int_eq(infos[0].compute_units, INT32_MAX);
    ck_assert_int_eq(infos[0].clock_mhz, -1);
}
END_TEST

/* ---- which devices are listed ----------------------------------------------------------------------------------- */

static const struct _cl_device_id plain;

static const struct _cl_device_id mixed[] = {
    { { NAME("old"), FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 1.1") } },
    { { NAME("strange"), FALSE_TEXT(CL_DEVICE_VERSION, "Version 3") } },
    { { NAME("away"), FALSE_UINT(CL_DEVICE_AVAILABLE, CL_FALSE) } },
    { { NAME("without a compiler"), FALSE_UINT(CL_DEVICE_COMPILER_AVAILABLE, CL_FALSE) } },
    { { NAME("good") } },
    { { NAME("silent"), FALSE_UNKNOWN(CL_DEVICE_AVAILABLE) } },
    { { NAME("of no version"), FALSE_UNKNOWN(CL_DEVICE_VERSION) } },
    { { NAME("of a silent compiler"), FALSE_UNKNOWN(CL_DEVICE_COMPILER_AVAILABLE) } },
};

START_TEST(devices_that_cannot_compile_are_not_listed)
{
    const struct _cl_platform_id platforms[] = { { "Other", "OpenCL 1.2", CL_SUCCESS, 1, &plain },
                                                 { "Many", "OpenCL 1.2", CL_SUCCESS, COUNT_OF(mixed), mixed } };
    ck_assert_int_eq(list(platforms, 2), 2);
    ck_assert_str_eq(infos[0].id, "opencl:0:0");
    ck_assert_str_eq(infos[1].id, "opencl:1:4");
    ck_assert_str_eq(infos[1].name, "good");
}
END_TEST

/* Devices that did not answer are asked again. Devices that answered are listed once. */
START_TEST(a_platform_that_fails_is_asked_again)
{
    struct _cl_platform_id platforms[] = { { "First", "OpenCL 1.2", CL_OUT_OF_HOST_MEMORY, 1, &plain },
                                           { "Second", "OpenCL 1.2", CL_SUCCESS, 1, &machines[0] } };
    int function = 0, count = -1;
    while (strcmp(false_opencl.names[function], "clGetDeviceIDs") != 0) function++;
    ck_assert_int_eq(list(platforms, 2), 1);
    ck_assert_str_eq(infos[0].id, "opencl:1:0");
    platforms[0].error = CL_SUCCESS;
    fault_disarm();
    for (int k = 0; k < 2; k++) {
        test_ok(mcl_device_list(infos, INFOS_MAX, &count));
        ck_assert_int_eq(count, 2);
        ck_assert_int_eq(fault_calls(function), 1); /* the second platform's devices are known already */
        ck_assert_str_eq(infos[0].id, "opencl:1:0");
        ck_assert_str_eq(infos[1].id, "opencl:0:0");
    }
}
END_TEST

static const struct _cl_device_id rendering[] = { { { NAME("llvmpipe (LLVM 15)") } } };

/* Simulators, and drivers that lose work, come last. An index is a whole number, not a text that begins with one. */
START_TEST(the_default_is_the_first_device_that_suits)
{
    const struct _cl_platform_id platforms[] = { { "Oclgrind", "OpenCL 1.2", CL_SUCCESS, 1, &plain },
                                                 { "Mesa", "OpenCL 1.2", CL_SUCCESS, 1, rendering },
                                                 { "Other", "OpenCL 1.2", CL_SUCCESS, 1, &machines[0] } };
    mcl_context *context = NULL;
    mcl_device_info info;
    ck_assert_int_eq(list(platforms, COUNT_OF(platforms)), 3);
    ck_assert_str_eq(infos[0].id, "opencl:2:0");
    unsetenv("MCL_DEVICE");
    test_ok(mcl_context_create(NULL, &context));
    test_ok(mcl_context_info(context, &info));
    ck_assert_str_eq(info.id, "opencl:2:0");
    mcl_context_release(context);
    test_ok(mcl_context_create("opencl:1:0", &context));
    mcl_context_release(context);
    test_fails(mcl_context_create("opencl:1-", &context), MCL_ERROR_ARGUMENT, "expected one of: opencl:2:0");
    test_fails(mcl_context_create("opencl:1x", &context), MCL_ERROR_ARGUMENT, "expected one of: opencl:2:0");
}
END_TEST

/* There are more platforms and devices than the library has room for. */
START_TEST(the_first_platforms_and_devices_are_listed)
{
    static struct _cl_device_id devices[FALSE_DEVICES];
    static struct _cl_platform_id platforms[FALSE_PLATFORMS];
    for (int k = 0; k < FALSE_PLATFORMS; k++)
        platforms[k] = (struct _cl_platform_id){ "Bare", "OpenCL 1.2", CL_DEVICE_NOT_FOUND, 0, NULL };
    platforms[2] = (struct _cl_platform_id){ "Many", "OpenCL 1.2", CL_SUCCESS, FALSE_DEVICES, devices };
    platforms[70] = (struct _cl_platform_id){ "Late", "OpenCL 1.2", CL_SUCCESS, 1, &plain };
    ck_assert_int_eq(list(platforms, FALSE_PLATFORMS), 64);
    ck_assert_str_eq(infos[63].id, "opencl:2:63");
}
END_TEST

/* ---- machines without a device ---------------------------------------------------------------------------------- */

static void none_and_why(const struct _cl_platform_id *platforms, size_t count, const char *words)
{
    mcl_context *context = NULL;
    ck_assert_int_eq(list(platforms, count), 0);
    test_fails(mcl_context_create("opencl", &context), MCL_ERROR_DEVICE, words);
    ck_assert_ptr_null(context);
}

START_TEST(platforms_without_a_device_are_named_once)
{
    static const struct _cl_device_id old = { { FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 1.0") } };
    const struct _cl_platform_id platforms[] = {
        { "Portable Computing Language", "OpenCL 3.0", CL_DEVICE_NOT_FOUND, 0, NULL },
        { "Old", "OpenCL 1.0", CL_SUCCESS, 1, &old },
        { "rusticl", "OpenCL 3.0", CL_DEVICE_NOT_FOUND, 0, NULL },
        { NULL, NULL, CL_OUT_OF_HOST_MEMORY, 0, NULL },
        { "Old", "OpenCL 1.0", CL_OUT_OF_RESOURCES, 0, NULL },
    };
    none_and_why(platforms, COUNT_OF(platforms),
                 "Portable Computing Language (clGetDeviceIDs gave CL_DEVICE_NOT_FOUND; its cache needs|"
                 "Old (1 devices, none available with a compiler of OpenCL 1.2)|RUSTICL_ENABLE|"
                 "one without a name (clGetDeviceIDs gave CL_OUT_OF_HOST_MEMORY)");
    ck_assert_ptr_null(strstr(mcl_last_error(), "CL_OUT_OF_RESOURCES"));
}
END_TEST

START_TEST(a_loader_without_a_platform_says_so)
{
    none_and_why(NULL, 0, "OpenCL's loader has no platform (clGetPlatformIDs gave CL_PLATFORM_NOT_FOUND_KHR)");
}
END_TEST

/* After another error the loader is asked again. */
START_TEST(a_loader_that_fails_is_asked_again)
{
    const struct _cl_platform_id platform = { "One", "OpenCL 1.2", CL_SUCCESS, 1, &plain };
    int count = -1;
    false_opencl_is.platform_error = CL_OUT_OF_HOST_MEMORY;
    none_and_why(&platform, 1, "OpenCL's loader has no platform (clGetPlatformIDs gave CL_OUT_OF_HOST_MEMORY)");
    false_opencl_is.platform_error = CL_SUCCESS;
    test_ok(mcl_device_list(infos, INFOS_MAX, &count));
    ck_assert_int_eq(count, 1);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, devices_have_names_of_their_vendors);
    tcase_add_test(tcase, sub_groups_have_the_size_that_suits_kernels);
    tcase_add_test(tcase, a_word_of_another_extensions_name_is_no_extension);
    tcase_add_test(tcase, the_largest_group_is_the_least_number_that_can_be_one);
    tcase_add_test(tcase, numbers_beyond_their_type_are_limited);
    tcase_add_test(tcase, devices_that_cannot_compile_are_not_listed);
    tcase_add_test(tcase, a_platform_that_fails_is_asked_again);
    tcase_add_test(tcase, the_default_is_the_first_device_that_suits);
    tcase_add_test(tcase, the_first_platforms_and_devices_are_listed);
    tcase_add_test(tcase, platforms_without_a_device_are_named_once);
    tcase_add_test(tcase, a_loader_without_a_platform_says_so);
    tcase_add_test(tcase, a_loader_that_fails_is_asked_again);
}

int main(void)
{
    return test_main_host("device_facts", add);
}
