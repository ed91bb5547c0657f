/* test_small_groups.c: devices that allow fewer work-items in a dimension, or in a kernel, than in a work-group. One
 * call of every primitive has the same results with and without these limits. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/faults.h"
#include "support/sampler.h"

#include <moderncl/opencl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_BYTES = 2 * SAMPLER_COUNT * 4, CALLS_MAX = 128 };

static const char *device = "opencl";
static unsigned char usual[CALLS_MAX][OUTPUT_BYTES];
static unsigned char found[CALLS_MAX][OUTPUT_BYTES];

static const struct {
    int dimension, kernel;
} allowed[] = { { 32, 0 }, { 0, 16 } };
enum { ALLOWED = sizeof allowed / sizeof allowed[0], ALLOWED_DIMENSIONS = 1 /* they come first */ };

/* Returns 1 where a call is made under this limit. Each program is compiled anew under each limit, so calls
 * alternate, and a sample has half of them. */
static int takes(int call, int limit)
{
    return test_is_full() || (call % ALLOWED == limit && test_takes_half(call / ALLOWED));
}

/* Makes the calls. A limit of ALLOWED means none. */
static void run_calls(unsigned char outputs[][OUTPUT_BYTES], int limit)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    sampler s;

    test_ok(mcl_context_create(device, &context));
    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create(context, 0, &queue));
    ck_assert_int_le(sampler_entry_count, CALLS_MAX);
    for (int k = 0; k < sampler_entry_count; k++) {
        const uint32_t none = 0;
        if (limit < ALLOWED ? !takes(k, limit) : !test_takes_half(k / ALLOWED)) continue;
        test_ok(mcl_buffer_fill(queue, s.output, 0, OUTPUT_BYTES, &none, sizeof none));
        const mcl_status status = sampler_entries[k].call(&s, queue, NULL);
        ck_assert_msg(status == MCL_OK, "%s: %s", sampler_entries[k].name, mcl_last_error());
        test_ok(mcl_buffer_read(queue, s.output, 0, OUTPUT_BYTES, outputs[k]));
    }
    sampler_free(&s);
    mcl_queue_release(queue);
    mcl_context_release(context);
}

START_TEST(every_call_fits_what_the_device_allows)
{
    static int is_known;

    /* in the device's own mapping, whose programs other suites have compiled */
    fault_opencl_allow(0, 0);
    unsetenv("MCL_FEATURES");
    if (!is_known) run_calls(usual, ALLOWED);
    is_known = 1;
    setenv("MCL_FEATURES", "mapping=group", 1);
    fault_opencl_allow(allowed[_i].dimension, allowed[_i].kernel);
    run_calls(found, _i);
    fault_opencl_allow(0, 0);
    for (int k = 0; k < sampler_entry_count; k++)
        ck_assert_msg(!takes(k, _i) || strstr(sampler_entries[k].name, "retrieve all") ||
                          strstr(sampler_entries[k].name, "in any order") ||
                          memcmp(usual[k], found[k], OUTPUT_BYTES) == 0,
                      "%s: another result", sampler_entries[k].name);
}
END_TEST

START_TEST(the_largest_group_is_the_least_that_the_device_tells)
{
    mcl_context *context = NULL;
    mcl_device_info info;

    fault_opencl_allow(32, 0);
    test_ok(mcl_context_create(device, &context));
    test_ok(mcl_context_info(context, &info));
    ck_assert_int_eq(info.max_threads, 32);
    mcl_context_release(context);
    fault_opencl_allow(0, 0);
}
END_TEST

/* A user's kernel has exactly the work-items that its text says. */
START_TEST(a_users_kernel_that_is_too_large_is_refused)
{
    static const char text[] = "MCL_KERNEL(64) wide(PARAMS_out)\n{\n    store_out(MAKE_out, 0, 1);\n}\n";
    const mcl_kernel kernel = {
        .name = "wide.cl", .text = text, .passes = { { "wide", "out", 64 } }, .outputs = { { "out", MCL_INT32 } }
    };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;

    fault_opencl_allow(0, 32);
    test_ok(mcl_context_create(device, &context));
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, 4, NULL, &buffer));
    const mcl_output out = mcl_to_buffer(MCL_INT32, buffer, 0, 1);
    const mcl_launch launch = { .groups = 1, .arguments = { mcl_argument_output(&out) } };
    test_fails(mcl_kernel_launch(queue, &kernel, &launch, 1, NULL, 0, NULL), MCL_ERROR_UNSUPPORTED,
               "kernel wide has work-groups of 64 work-items|at most 32");
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
    fault_opencl_allow(0, 0);
}
END_TEST

/* POCL 5.0 sometimes compiles kernels with barriers to wrong code. */
START_TEST(groups_are_refused_where_barriers_are_lost)
{
    const mcl_options options = { .tile_threads = 8 };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    int32_t sum = 0;
    const int32_t one = 1;
    const mcl_input ones = mcl_from_constant(MCL_INT32, &one, 1000);

    fault_opencl_version("5.0+debian");
    test_fails(mcl_context_create(device, &context), MCL_ERROR_DEVICE, "POCL 5.0+debian|barriers|serial mapping");
    unsetenv("MCL_FEATURES");
    test_ok(mcl_context_create(device, &context));
    test_ok(mcl_queue_create(context, 0, &queue));
    test_fails(mcl_reduce(queue, ones, MCL_ADD, mcl_to_host(MCL_INT32, &sum), &options), MCL_ERROR_UNSUPPORTED,
               "mcl_reduce: |tile_threads is 8|barriers");
    test_ok(mcl_reduce(queue, ones, MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, 1000);
    mcl_queue_release(queue);
    mcl_context_release(context);
    setenv("MCL_FEATURES", "mapping=group,barriers=1", 1);
    test_ok(mcl_context_create(device, &context));
    mcl_context_release(context);
    setenv("MCL_FEATURES", "mapping=group", 1);
    fault_opencl_version(NULL);
}
END_TEST

int main(void)
{
    mcl_context *context = NULL;
    const char *const wanted = getenv("MCL_TEST_DEVICE");

    setenv("MCL_CACHE_DIR", "", 1);
    setenv("MCL_BUILD_OPTIONS", "-cl-opt-disable", 1);
    setenv("MCL_FEATURES", "mapping=group", 1);
    if (wanted && strncmp(wanted, "opencl", 6) == 0) device = wanted;
    if (mcl_opencl_loader_set(fault_opencl_load, NULL) != MCL_OK || mcl_context_create(device, &context) != MCL_OK) {
        fprintf(stderr, "skipped: %s\n", mcl_last_error());
        return 77;
    }
    mcl_device_info info;
    const int is_told = mcl_context_info(context, &info) == MCL_OK && strcmp(info.vendor, "NVIDIA") != 0 &&
                        strcmp(info.vendor, "Mesa") != 0;
    const int is_pocl = strcmp(info.vendor, "POCL") == 0;
    mcl_context_release(context);
    if (!is_told)
        fprintf(stderr, "skipped: the driver of %s is not believed where it says what a kernel allows\n", info.vendor);
    Suite *suite = suite_create("small_groups");
    TCase *tcase = tcase_create("small_groups");
    tcase_add_loop_test(tcase, every_call_fits_what_the_device_allows, 0, is_told ? ALLOWED : ALLOWED_DIMENSIONS);
    tcase_add_test(tcase, the_largest_group_is_the_least_that_the_device_tells);
    if (is_told) tcase_add_test(tcase, a_users_kernel_that_is_too_large_is_refused);
    if (is_pocl) tcase_add_test(tcase, groups_are_refused_where_barriers_are_lost);
    suite_add_tcase(suite, tcase);
    return test_run(suite, CK_NOFORK);
}
