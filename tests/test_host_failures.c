/* test_host_failures.c: functions of OpenCL that fail in turn while mcl_host_sort is moving chunks. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/faults.h"

#include <moderncl/opencl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3000, ROOM = 16 * 1024, OUT_OF_HOST_MEMORY = -6 };

static int32_t keys[COUNT], out[COUNT];
static mcl_context *context;

static mcl_status sort(void)
{
    const mcl_host_device device = { context, ROOM };
    const mcl_host_room room = { .devices = &device, .device_count = 1 };
    memset(out, 0, sizeof out);
    return mcl_host_sort(&room, MCL_INT32, keys, out, COUNT, MCL_LESS);
}

static void check_sorted(void)
{
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(out[k], k);
}

/* Lets a function fail at each of its calls. Copies in other queues must still find their memory, and the call must
 * release all memory. */
static void fail_at_each_call(const char *name)
{
    const int function = fault_function(&fault_opencl, name);
    mcl_memory_statistics before, after;
    test_ok(sort());
    fault_disarm();
    test_ok(sort());
    check_sorted();
    const int calls = fault_calls(function), step = test_is_small() ? calls / 2 + 1 : 1;
    int failures = 0;
    ck_assert_int_gt(calls, 8);
    test_ok(mcl_context_memory(context, &before));
    for (int at = 1; at <= calls; at += step) {
        fault_arm(function, at, 0, OUT_OF_HOST_MEMORY);
        const mcl_status status = sort();
        ck_assert_int_gt(fault_struck(), 0);
        fault_disarm();
        failures += status != MCL_OK;
        if (status == MCL_OK) /* a launch that only prepares may fail */
            check_sorted();
        else
            ck_assert_msg(strstr(mcl_last_error(), "mcl_host_sort: opencl: ") != NULL, "%s", mcl_last_error());
        test_ok(mcl_context_memory(context, &after));
        ck_assert_int_eq(after.bytes_in_use, before.bytes_in_use);
    }
    ck_assert_int_gt(failures, 0);
    test_ok(sort());
    check_sorted();
}

START_TEST(launches_fail)
{
    fail_at_each_call("clEnqueueNDRangeKernel");
}
END_TEST

START_TEST(copies_to_the_device_fail)
{
    fail_at_each_call("clEnqueueWriteBuffer");
}
END_TEST

START_TEST(copies_to_the_host_fail)
{
    fail_at_each_call("clEnqueueReadBuffer");
}
END_TEST

START_TEST(flushes_fail)
{
    fail_at_each_call("clFlush");
}
END_TEST

/* Closes the context, and checks that the driver got everything back. */
static void close_context(void)
{
    mcl_context_release(context);
    context = NULL;
    ck_assert_str_eq(fault_balance(), "");
}

int main(void)
{
    const char *const wanted = getenv("MCL_TEST_DEVICE");
    setenv("MCL_CACHE_DIR", "", 1);
    setenv("MCL_BUILD_OPTIONS", "-cl-opt-disable", 1); /* without optimisations POCL compiles faster */
    if (mcl_opencl_loader_set(fault_opencl_load, NULL) != MCL_OK ||
        mcl_context_create(wanted && strncmp(wanted, "opencl", 6) == 0 ? wanted : "opencl", &context) != MCL_OK) {
        fprintf(stderr, "skipped: host_failures (%s)\n", mcl_last_error());
        return EXIT_SUCCESS;
    }
    for (int k = 0; k < COUNT; k++) keys[k] = (int32_t)((int64_t)k * 1231 % COUNT);
    Suite *const suite = suite_create("host_failures");
    TCase *const tcase = tcase_create("faults");
    suite_add_tcase(suite, tcase);
    tcase_add_unchecked_fixture(tcase, NULL, close_context);
    tcase_add_test(tcase, launches_fail);
    tcase_add_test(tcase, copies_to_the_device_fail);
    tcase_add_test(tcase, copies_to_the_host_fail);
    tcase_add_test(tcase, flushes_fail);
    return test_run(suite, CK_NOFORK);
}
