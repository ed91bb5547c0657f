/* devices.c: opens devices for a suite, runs it, and checks statuses. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "devices.h"
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 16 };

static test_device devices[DEVICES_MAX];
/* devices for rounds of cases; equal to devices where they are not opened twice */
static test_device round_devices[DEVICES_MAX];
static int device_count;

static int is_set(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] && strcmp(value, "0") != 0;
}

void test_variable_set(const char *name, const char *value)
{
#ifdef _WIN32
    _putenv_s(name, value ? value : "");
#else
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
#endif
}

int test_sees_races(int device)
{
    return is_set("MCL_TEST_SEES_RACES") || strcmp(test_device_at(device)->info.vendor, "Oclgrind") == 0;
}

int test_is_small(void)
{
    return is_set("MCL_TEST_SMALL");
}

int test_is_full(void)
{
    return is_set("MCL_TEST_FULL");
}

int test_has_rounds_only(void)
{
    return is_set("MCL_TEST_ROUNDS_ONLY");
}

int test_is_opencl_1_2(void)
{
    const char *features = getenv("MCL_FEATURES");

    return features && strstr(features, "opencl=1.2") != NULL;
}

static int step_of(const char *name)
{
    const char *step = getenv(name);

    return step && atoi(step) > 1 ? atoi(step) : 1;
}

int test_sample_step(void)
{
    const int asked = step_of("MCL_TEST_SAMPLE");
    const int own = step_of("MCL_TEST_OWN_SAMPLE");

    if (test_is_full()) return 1;
    return asked > own ? asked : own;
}

int test_sample_phase(void)
{
    const char *const phase = getenv("MCL_TEST_PHASE");

    return phase && atoi(phase) >= 0 ? atoi(phase) : test_sample_step() / 2;
}

int test_sample_has_groups_alone(void)
{
    return test_sample_step() > 1 && is_set("MCL_TEST_GROUPS_ALONE");
}

int test_sample_has_no_groups(void)
{
    return test_sample_step() > 1 && is_set("MCL_TEST_NO_GROUPS");
}

int test_takes_tile(const mcl_options *tile)
{
    return tile->tile_threads == 1 ? !test_sample_has_groups_alone() : !test_sample_has_no_groups();
}

int test_sample_takes(int round, int rounds)
{
    const int step = test_sample_step();

    return round % step == test_sample_phase() % (step < rounds ? step : rounds);
}

int test_takes_half(int number)
{
    return test_sample_step() == 1 || (number + test_sample_phase()) % 2 == 0;
}

test_device *test_device_at(int device)
{
    return &devices[device];
}

test_device *test_round_device(int device)
{
    return &round_devices[device];
}

/* Returns 1 where the device compiles without optimisations. POCL 3's compiler takes most of the suites' time, and most
 * of that for optimisations. (Without them POCL 5 aborts.) */
static int leaves_optimisations_out(const mcl_device_info *info)
{
    return strcmp(info->vendor, "POCL") == 0 && strncmp(info->driver, "3.", 2) == 0 && !test_is_full();
}

/* The options of the test's environment hold for contexts of both kinds. */
static mcl_status create_context(const char *name, int optimised, mcl_context **out)
{
    const char *const given = getenv("MCL_BUILD_OPTIONS");
    char *const kept = given ? strdup(given) : NULL;
    char all[256];

    (void)snprintf(all, sizeof all, "%s%s-cl-opt-disable", kept ? kept : "", kept ? " " : "");
    if (!optimised) test_variable_set("MCL_BUILD_OPTIONS", all);
    const mcl_status status = mcl_context_create(name, out);
    if (!optimised) test_variable_set("MCL_BUILD_OPTIONS", kept);
    free(kept);
    return status;
}

mcl_context *test_context(int device)
{
    const int optimised = devices[device].context == round_devices[device].context;
    mcl_context *context = NULL;

    test_ok(create_context(devices[device].info.id, optimised, &context));
    return context;
}

void test_load_rows(mcl_context *context, const char *rows)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];

    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    test_ok(mcl_context_load_tuning(context, path));
    folder_remove(&f);
}

mcl_context *test_context_of_rows(int device, const char *rows)
{
    mcl_context *const context = test_context(device);

    test_load_rows(context, rows);
    return context;
}

mcl_context *test_context_with(int device, const char *features)
{
    const char *earlier = getenv("MCL_FEATURES");
    char *kept = earlier ? strdup(earlier) : NULL;
    mcl_device_info info;
    char all[256];

    ck_assert_int_lt(snprintf(all, sizeof all, "%s%s%s", features, kept ? "," : "", kept ? kept : ""), sizeof all);
    test_variable_set("MCL_FEATURES", all);
    mcl_context *context = test_context(device);
    test_ok(mcl_context_info(context, &info)); /* runs the probes, which read the variable too */
    test_variable_set("MCL_FEATURES", kept);
    free(kept);
    return context;
}

int test_skip(int device, const char *what, const char *why)
{
    fprintf(stderr, "skipped: %s on %s (%s)\n", what, devices[device].info.id, why);
    return 1;
}

/* Opens a device, with the compiler's optimisations or without. Returns 0 where it cannot be opened. */
static int open_one(const char *name, int optimised, test_device *device)
{
    mcl_status status = create_context(name, optimised, &device->context);

    if (status == MCL_OK) status = mcl_context_info(device->context, &device->info);
    if (status == MCL_OK) status = mcl_queue_create(device->context, MCL_QUEUE_PROFILING, &device->queue);
    if (status == MCL_OK) return 1;
    fprintf(stderr, "cannot open %s: %s\n", name, mcl_last_error());
    mcl_context_release(device->context);
    memset(device, 0, sizeof *device);
    return 0;
}

static void close_one(test_device *device)
{
    mcl_queue_release(device->queue);
    mcl_context_release(device->context);
}

static void open_device(const char *name)
{
    test_device *device = &devices[device_count];
    test_device *of_rounds = &round_devices[device_count];

    if (!open_one(name, 1, of_rounds)) return;
    *device = *of_rounds;
    if (leaves_optimisations_out(&device->info) && !open_one(name, 0, device)) {
        close_one(of_rounds);
        return;
    }
    if (is_set("MCL_TEST_UNOPTIMISED") && device->context != of_rounds->context) {
        close_one(of_rounds);
        *of_rounds = *device;
    }
    fprintf(stderr, "device %s: %s, %s\n", device->info.id, device->info.name, device->info.driver);
    device_count++;
}

/* Sets MCL_FEATURES so that the tests have group tiles on POCL 5.0 too, where the library refuses them. */
static void take_barriers(void)
{
    const char *const given = getenv("MCL_FEATURES");
    char all[512];

    if (given && strstr(given, "barriers=")) return;
    (void)snprintf(all, sizeof all, "%s%sbarriers=1", given ? given : "", given && given[0] ? "," : "");
    test_variable_set("MCL_FEATURES", all);
}

static void open_devices(void)
{
    static mcl_device_info infos[DEVICES_MAX];
    const char *one = getenv("MCL_TEST_DEVICE");
    int count = 0;

    take_barriers();
    if (one && one[0]) {
        open_device(one);
        return;
    }
    if (mcl_device_list(infos, DEVICES_MAX, &count) != MCL_OK) fprintf(stderr, "%s\n", mcl_last_error());
    for (int i = 0; i < count && i < DEVICES_MAX; i++) open_device(infos[i].id);
}

static int without_device(const char *suite_name)
{
    const int allowed = is_set("MCL_TEST_ALLOW_NONE");

    fprintf(stderr, "%s: no device%s\n", suite_name, allowed ? ", as MCL_TEST_ALLOW_NONE allows" : "");
    return allowed ? EXIT_SUCCESS : EXIT_FAILURE;
}

int test_run(Suite *suite, enum fork_status forks)
{
    SRunner *runner = srunner_create(suite);

    srunner_set_fork_status(runner, forks);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int test_main(const char *suite_name, void (*add)(TCase *tcase, int device))
{
    Suite *suite = suite_create(suite_name);

    open_devices();
    if (device_count == 0) {
        srunner_free(srunner_create(suite));
        return without_device(suite_name);
    }
    for (int i = 0; i < device_count; i++) {
        TCase *tcase = tcase_create(devices[i].info.id);
        suite_add_tcase(suite, tcase);
        add(tcase, i);
    }
    const int result = test_run(suite, CK_NOFORK);
    for (int i = 0; i < device_count; i++) {
        if (devices[i].context != round_devices[i].context) close_one(&round_devices[i]);
        close_one(&devices[i]);
    }
    return result;
}

int test_main_host(const char *suite_name, void (*add)(TCase *tcase))
{
    Suite *suite = suite_create(suite_name);
    TCase *tcase = tcase_create("host");

    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 120);
    add(tcase);
    return test_run(suite, CK_FORK_GETENV);
}

void test_status_is(mcl_status status, mcl_status expected, const char *call, const char *file, int line)
{
    if (status == expected) return;
    ck_abort_msg("%s:%d: %s gave %s instead of %s: %s", file, line, call, mcl_status_name(status),
                 mcl_status_name(expected), status == MCL_OK ? "" : mcl_last_error());
}

void test_failure_is(mcl_status status, mcl_status expected, const char *words, const char *call, const char *file,
                     int line)
{
    char list[512];
    char *word = list;

    test_status_is(status, expected, call, file, line);
    snprintf(list, sizeof list, "%s", words);
    while (word) {
        char *end = strchr(word, '|');
        if (end) *end++ = 0;
        if (!strstr(mcl_last_error(), word))
            ck_abort_msg("%s:%d: the sentence of %s lacks \"%s\": %s", file, line, call, word, mcl_last_error());
        word = end;
    }
}
