/* test_no_driver.c: a machine without an OpenCL driver. Each test is a separate process, which looks for OpenCL with
 * the loader here. CUDA is not replaced: the machine usually has no CUDA driver. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"

#include <moderncl/opencl.h>

#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 16 };

static int asked; /* number of functions that the loader was asked for */

static void *load_nothing(const char *name, void *user)
{
    ck_assert(name[0] == 'c' && name[1] == 'l');
    ck_assert_ptr_eq(user, &asked);
    asked++;
    return NULL;
}

/* Gives all functions but one. None is called, since a driver is used only if it has all functions. */
static void *load_all_but_one(const char *name, void *user)
{
    return strcmp(name, "clFinish") == 0 ? NULL : user;
}

/* Lists the remaining devices, and checks that none is a device of OpenCL. */
static int list_devices(mcl_device_info *infos)
{
    int count = -1;

    test_ok(mcl_device_list(infos, DEVICES_MAX, &count));
    ck_assert(count >= 0 && count <= DEVICES_MAX);
    for (int k = 0; k < count; k++) ck_assert_str_eq(infos[k].backend, "cuda");
    return count;
}

/* Checks that a context of a missing device fails. The sentence lists the existing devices, or says that there are
 * none. */
static void create_fails(const char *device, const char *named)
{
    static mcl_device_info infos[DEVICES_MAX];
    const int count = list_devices(infos);
    mcl_context *context = NULL;

    if (count == 0)
        test_fails(
            mcl_context_create(device, &context), MCL_ERROR_DEVICE,
            "mcl_context_create: device is |there is no device|CUDA's driver|mcl_opencl_loader_set does not find");
    else
        test_fails(mcl_context_create(device, &context), MCL_ERROR_ARGUMENT,
                   "mcl_context_create: device is |expected one of");
    ck_assert_ptr_null(context);
    ck_assert_msg(strstr(mcl_last_error(), named) != NULL, "\"%s\" is not named: %s", named, mcl_last_error());
    for (int k = 0; k < count; k++) ck_assert_ptr_nonnull(strstr(mcl_last_error(), infos[k].id));
}

START_TEST(a_missing_driver_has_no_devices_and_that_is_no_error)
{
    static mcl_device_info infos[DEVICES_MAX];

    test_ok(mcl_opencl_loader_set(load_nothing, &asked));
    ck_assert_int_eq(asked, 0);
    const int count = list_devices(infos);
    ck_assert_int_gt(asked, 0);
    ck_assert_str_eq(mcl_last_error(), "");
    /* the driver is not looked for again */
    const int asked_once = asked;
    ck_assert_int_eq(list_devices(infos), count);
    ck_assert_int_eq(asked, asked_once);
}
END_TEST

START_TEST(no_device_is_opened_and_the_sentence_says_why)
{
    static const char *const names[] = { "opencl", "OpenCL:0:0", "opencl:portable", "opencl:0", "teapot", "" };

    test_ok(mcl_opencl_loader_set(load_nothing, &asked));
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) create_fails(names[k], names[k]);
}
END_TEST

START_TEST(the_default_device_and_that_of_the_environment_are_missing_too)
{
    static mcl_device_info infos[DEVICES_MAX];

    test_ok(mcl_opencl_loader_set(load_nothing, &asked));
    setenv("MCL_DEVICE", "opencl", 1);
    create_fails(NULL, "opencl");
    unsetenv("MCL_DEVICE");
    if (list_devices(infos) == 0) create_fails(NULL, "NULL");
}
END_TEST

START_TEST(a_driver_that_lacks_a_function_is_no_driver)
{
    test_ok(mcl_opencl_loader_set(load_all_but_one, &asked));
    create_fails("opencl", "opencl");
}
END_TEST

START_TEST(a_foreign_context_cannot_be_wrapped_without_a_driver)
{
    const cl_context foreign = (cl_context)&asked; /* any address, which is not read */
    mcl_context *context = NULL;

    test_ok(mcl_opencl_loader_set(load_nothing, &asked));
    test_fails(mcl_opencl_context_wrap(foreign, NULL, &context), MCL_ERROR_DEVICE,
               "mcl_opencl_context_wrap|no OpenCL loader");
    ck_assert_ptr_null(context);
}
END_TEST

START_TEST(the_loader_may_be_replaced_until_opencl_is_looked_for)
{
    static mcl_device_info infos[DEVICES_MAX];

    test_ok(mcl_opencl_loader_set(load_all_but_one, NULL));
    test_ok(mcl_opencl_loader_set(load_nothing, &asked));
    (void)list_devices(infos);
    ck_assert_int_gt(asked, 0);
    test_fails(mcl_opencl_loader_set(load_nothing, &asked), MCL_ERROR_ARGUMENT,
               "mcl_opencl_loader_set|looked for already|before any other");
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_missing_driver_has_no_devices_and_that_is_no_error);
    tcase_add_test(tcase, no_device_is_opened_and_the_sentence_says_why);
    tcase_add_test(tcase, the_default_device_and_that_of_the_environment_are_missing_too);
    tcase_add_test(tcase, a_driver_that_lacks_a_function_is_no_driver);
    tcase_add_test(tcase, a_foreign_context_cannot_be_wrapped_without_a_driver);
    tcase_add_test(tcase, the_loader_may_be_replaced_until_opencl_is_looked_for);
}

int main(void)
{
    return test_main_host("no_driver", add);
}
