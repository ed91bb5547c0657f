/* test_probe.c: the verdicts of the probe about a device's litmus kernels. The device runs nothing: its launches store
 * the results of a right device, or the results that a case of the test gives. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/folder.h"

#include "context/probe.h"
#include "guided/idle_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- the device ----------------------------------------------------------------------------------------------- */

enum { RIGHT, REJECTED, REJECTED_SILENTLY, FAILS, WRONG = 10, NONE_IN = 50, TOO_FEW_IN, STALLED, ZERO, THREE };
enum { PATHS = MCL__WORDS_LEGACY + 1 };

/* The behaviour of the device. With WRONG + k, word k is one more than it must be. */
typedef struct behaviour {
    int builds[PATHS]; /* result of a build by the text's word path; at 0 of a text without one, for sub-groups */
    int atomics[PATHS], words[PATHS], sub_groups;
    int most_threads; /* largest number of work-items of a compiled kernel; 0: as many as asked for */
} behaviour;

/* The kernel that exists. It knows its path and its name. */
static struct {
    int path;
    char name[32];
} made;
static behaviour device;
static int build_count;
static const mcl__backend *idle;

static mcl_status build(mcl_context *context, const char *source, const char *name, mcl__text *log, void **program)
{
    static const char define[] = "#define MCL_WORD_PATH ";
    const char *const at = strstr(source, define);
    build_count++;
    ck_assert_ptr_nonnull(at);
    made.path = atoi(at + sizeof define - 1);
    const int way = device.builds[made.path];
    if (way == FAILS) return mcl__fail(MCL_ERROR_DEVICE, "the device is gone");
    if (way == REJECTED) mcl__text_append(log, "error: this cannot be\n");
    if (way == REJECTED) return MCL_ERROR_BUILD;
    if (way == REJECTED_SILENTLY) return mcl__fail(MCL_ERROR_BUILD, "the compiler says nothing");
    return idle->program_build(context, source, name, log, program);
}

static mcl_status create(mcl_context *context, void *program, const char *name, void **kernel)
{
    (void)snprintf(made.name, sizeof made.name, "%s", name);
    return idle->kernel_create(context, program, name, kernel);
}

static mcl_status max_threads(mcl_context *context, void *kernel, int *out)
{
    (void)context;
    (void)kernel;
    if (device.most_threads > 0) *out = device.most_threads;
    return MCL_OK;
}

static void run_atomics(uint64_t *words, uint64_t groups, int way)
{
    const uint64_t in = way == NONE_IN ? 0 : way == STALLED ? groups / 2 : groups;
    words[0] = (groups << 32) + groups * (groups - 1) / 2;
    words[1] = in << 32 | in;
    words[2] = groups - in;
    words[3] = groups;
    words[4] = 1;
    if (way == TOO_FEW_IN) words[2] = groups + 1;
    if (way >= WRONG && way < NONE_IN) words[way - WRONG]++;
}

static void run_words(uint64_t *words, uint64_t groups, int way)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < groups; i++) {
        sum += i;
        words[i] = (uint64_t)(way == STALLED ? 2 : 1) << 32 | (uint32_t)sum;
    }
    if (way == ZERO) words[3] = (uint32_t)words[3];
    if (way == THREE) words[3] += UINT64_C(2) << 32;
    if (way >= WRONG && way < NONE_IN) words[way - WRONG]++;
}

static mcl_status launch(mcl_queue *queue, const mcl__launch *launched)
{
    unsigned char *const memory = (unsigned char *)launched->args[0].buffer->block;
    const uint64_t groups = (uint64_t)launched->groups;
    (void)queue;
    if (strcmp(made.name, "probe_sub_groups") == 0) {
        if (device.sub_groups == FAILS) return mcl__fail(MCL_ERROR_DEVICE, "the device is gone");
        for (int k = 0; k < launched->threads; k++)
            ((int32_t *)(void *)memory)[k] = device.sub_groups != WRONG || k != launched->threads / 2;
        return MCL_OK;
    }
    const int is_atomics = strcmp(made.name, "probe_atomics") == 0;
    const int way = is_atomics ? device.atomics[made.path] : device.words[made.path];
    if (way == FAILS) return mcl__fail(MCL_ERROR_DEVICE, "the device is gone");
    (is_atomics ? run_atomics : run_words)((uint64_t *)(void *)memory, groups, way);
    return MCL_OK;
}

/* The paths of a device's backend before the probe. The device's vendor promises that groups make progress. */
typedef struct paths {
    int words, other_words, sub_groups, sub_group_size;
} paths;

static mcl_context *context_make(const paths *of)
{
    static mcl__backend backend;
    mcl_context *context = NULL;
    ck_assert_int_eq(idle_context(2, &context), MCL_OK); /* it is a GPU of NVIDIA */
    idle = context->backend;
    backend = *idle;
    backend.program_build = build;
    backend.kernel_create = create;
    backend.kernel_max_threads = max_threads;
    backend.launch = launch;
    context->backend = &backend;
    atomic_store(&context->probed, 0);
    context->limits.word_path = (mcl__word_path)of->words;
    context->other_word_path = (mcl__word_path)of->other_words;
    context->limits.sub_group_path = (mcl__sub_group_path)of->sub_groups;
    context->limits.sub_group_size = of->sub_group_size;
    return context;
}

static void context_end(mcl_context *context)
{
    context->backend = idle;
    mcl_context_release(context);
}

/* ---- words ---------------------------------------------------------------------------------------------------- */

enum { C11 = MCL__WORDS_C11, LEGACY = MCL__WORDS_LEGACY, NONE = MCL__WORDS_NONE };

START_TEST(words_pass_where_both_kernels_are_right)
{
    static const struct {
        const char *what;
        behaviour device;
        int words, look_back;
    } cases[] = {
        { "right", { .sub_groups = RIGHT }, C11, 1 },
        { "atomics, count", { .atomics = { [C11] = WRONG } }, LEGACY, 1 },
        { "atomics, sums of those that came", { .atomics = { [C11] = WRONG + 1 } }, LEGACY, 1 },
        { "atomics, those that came", { .atomics = { [C11] = WRONG + 3 } }, LEGACY, 1 },
        { "atomics, the last one", { .atomics = { [C11] = WRONG + 4 } }, LEGACY, 1 },
        { "atomics, none came", { .atomics = { [C11] = NONE_IN } }, LEGACY, 1 },
        { "atomics, more gave up than there are", { .atomics = { [C11] = TOO_FEW_IN } }, LEGACY, 1 },
        { "atomics, half gave up", { .atomics = { [C11] = STALLED } }, LEGACY, 1 },
        { "words, a sum", { .words = { [C11] = WRONG + 7 } }, LEGACY, 1 },
        { "words, no status", { .words = { [C11] = ZERO } }, LEGACY, 1 },
        { "words, another status", { .words = { [C11] = THREE } }, LEGACY, 1 },
        { "words, all gave up", { .words = { [C11] = STALLED } }, LEGACY, 1 },
        { "words of both", { .words = { [C11] = STALLED, [LEGACY] = STALLED } }, C11, 0 },
        { "atomics, words of the other", { .atomics = { [C11] = WRONG }, .words = { [LEGACY] = ZERO } }, LEGACY, 0 },
        { "atomics of both", { .atomics = { [C11] = WRONG, [LEGACY] = WRONG } }, NONE, 0 },
        { "no build", { .builds = { [C11] = REJECTED } }, LEGACY, 1 },
        { "no build of both", { .builds = { [C11] = REJECTED, [LEGACY] = REJECTED_SILENTLY } }, NONE, 0 },
        { "groups of one", { .most_threads = 1 }, C11, 1 },
        { "no groups of 64", { .most_threads = 32 }, C11, 1 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_context *const context = context_make(&(paths){ C11, LEGACY, MCL__SUB_GROUP_NONE, 1 });
        device = cases[k].device;
        test_ok(mcl__context_probe(context));
        ck_assert_msg((int)context->limits.word_path == cases[k].words, "%s: path %d", cases[k].what,
                      (int)context->limits.word_path);
        ck_assert_msg(context->limits.look_back == cases[k].look_back, "%s: look_back %d", cases[k].what,
                      context->limits.look_back);
        ck_assert_str_eq(context->info.look_back_reason,
                         cases[k].look_back ? "probe passed" : "no way to pass words between groups passed its probe");
        ck_assert_int_eq(context->probe_unsure, cases[k].device.builds[LEGACY] == REJECTED_SILENTLY);
        context_end(context);
    }
}
END_TEST

/* The next call then runs the probe again. */
START_TEST(a_device_that_fails_is_not_judged)
{
    static const behaviour cases[] = { { .builds = { [C11] = FAILS } },
                                       { .atomics = { [C11] = FAILS } },
                                       { .words = { [C11] = FAILS } },
                                       { .sub_groups = FAILS } };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_context *const context = context_make(&(paths){ C11, LEGACY, MCL__SUB_GROUP_KHR, 32 });
        device = cases[k];
        test_fails(mcl__context_probe(context), MCL_ERROR_DEVICE, "the device is gone");
        ck_assert_int_eq(atomic_load(&context->probed), 0);
        ck_assert_int_eq((int)context->limits.word_path, C11);
        device = (behaviour){ 0 };
        test_ok(mcl__context_probe(context));
        ck_assert_int_eq(atomic_load(&context->probed), 1);
        ck_assert_int_eq(context->limits.look_back, 1);
        context_end(context);
    }
}
END_TEST

/* ---- sub-groups ----------------------------------------------------------------------------------------------- */

START_TEST(sub_groups_are_tried_where_the_kernel_can_run)
{
    enum { KHR = MCL__SUB_GROUP_KHR };
    static const struct {
        paths paths;
        int max_threads, way, build, is_chosen;
    } cases[] = {
        { { C11, NONE, KHR, 32 }, 1024, RIGHT, RIGHT, 1 }, { { NONE, NONE, KHR, 32 }, 1024, RIGHT, RIGHT, 1 },
        { { C11, NONE, KHR, 2 }, 64, RIGHT, RIGHT, 1 },    { { C11, NONE, KHR, 1 }, 1024, RIGHT, RIGHT, 0 },
        { { C11, NONE, KHR, 24 }, 1024, RIGHT, RIGHT, 0 }, { { C11, NONE, KHR, 32 }, 63, RIGHT, RIGHT, 0 },
        { { C11, NONE, KHR, 32 }, 1024, WRONG, RIGHT, 0 }, { { C11, NONE, KHR, 32 }, 1024, RIGHT, REJECTED, 0 },
        { { C11, NONE, 0, 32 }, 1024, RIGHT, RIGHT, 0 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_context *const context = context_make(&cases[k].paths);
        mcl__trial trials[MCL__TRIALS_MAX];
        context->limits.max_threads = cases[k].max_threads;
        device = (behaviour){ .builds = { [NONE] = cases[k].build }, .sub_groups = cases[k].way };
        const int is_tried = cases[k].is_chosen || cases[k].way != RIGHT || cases[k].build != RIGHT;
        ck_assert_int_eq(mcl__trial_list(context, trials), 2 * (cases[k].paths.words != NONE) + is_tried);
        test_ok(mcl__context_probe(context));
        ck_assert_msg(((int)context->limits.sub_group_path == KHR) == cases[k].is_chosen, "case %zu", k);
        ck_assert_int_eq(context->limits.sub_group_size, cases[k].is_chosen ? cases[k].paths.sub_group_size : 1);
        context_end(context);
    }
}
END_TEST

/* ---- what is known, and what MCL_FEATURES says ---------------------------------------------------------------- */

START_TEST(drivers_that_are_known_are_not_tried)
{
    static const struct {
        const char *vendor, *driver, *features;
        int is_gpu, words, sub_groups, is_known;
    } cases[] = {
        { "POCL", "3.1+debian", "", 0, C11, 0, 1 },
        { "POCL", "6.0", "", 0, C11, 0, 1 },
        { "POCL", "5.0", "", 0, C11, 0, 0 },
        { "Mesa", "3.1", "", 0, C11, 0, 0 },
        { "POCL", "3.1", "", 1, C11, 0, 0 },
        { "POCL", "3.1", "", 0, LEGACY, 0, 0 },
        { "POCL", "3.1", "", 0, C11, MCL__SUB_GROUP_KHR, 0 },
        { "POCL", "3.1", "probe=1", 0, C11, 0, 0 },
        { "POCL", "3.1", "words=c11", 0, C11, 0, 1 },
        { "POCL", "3.1", "sub_group=none", 0, C11, 0, 0 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_context *const context = context_make(&(paths){ cases[k].words, NONE, cases[k].sub_groups, 32 });
        context->limits.is_gpu = cases[k].is_gpu;
        (void)snprintf(context->info.vendor, sizeof context->info.vendor, "%s", cases[k].vendor);
        (void)snprintf(context->info.driver, sizeof context->info.driver, "%s", cases[k].driver);
        device = (behaviour){ 0 };
        build_count = 0;
        setenv("MCL_FEATURES", cases[k].features, 1);
        test_ok(mcl__context_probe(context));
        unsetenv("MCL_FEATURES");
        ck_assert_msg((build_count == 0) == cases[k].is_known, "case %zu: %d builds", k, build_count);
        ck_assert_int_eq((int)context->limits.word_path, cases[k].words);
        context_end(context);
    }
}
END_TEST

START_TEST(features_come_before_what_the_kernels_say)
{
    static const char by_features[] = "MCL_FEATURES", unknown[] = "driver not on the list";
    static const struct {
        const char *vendor, *features;
        int words, look_back;
        const char *reason;
    } cases[] = {
        { "NVIDIA", "", C11, 1, "probe passed" },
        { "nobody", "", C11, 0, unknown },
        { "nobody", "progress=1", C11, 1, by_features },
        { "NVIDIA", "progress=0", C11, 0, by_features },
        { "NVIDIA", "progress=1", C11, 1, "probe passed" },
        { "NVIDIA", "look_back=0", C11, 0, by_features },
        { "nobody", "look_back=1", C11, 1, by_features },
        { "NVIDIA", "words=none", NONE, 0, by_features },
        { "NVIDIA", "words=legacy", LEGACY, 1, by_features },
        { "NVIDIA", "sub_group=ptx", C11, 1, "probe passed" },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_context *const context = context_make(&(paths){ C11, NONE, MCL__SUB_GROUP_NONE, 1 });
        (void)snprintf(context->info.vendor, sizeof context->info.vendor, "%s", cases[k].vendor);
        device = (behaviour){ 0 };
        setenv("MCL_FEATURES", cases[k].features, 1);
        test_ok(mcl__context_probe(context));
        unsetenv("MCL_FEATURES");
        ck_assert_msg((int)context->limits.word_path == cases[k].words, "case %zu", k);
        ck_assert_msg(context->limits.look_back == cases[k].look_back, "case %zu", k);
        ck_assert_msg(strncmp(context->info.look_back_reason, cases[k].reason, strlen(cases[k].reason)) == 0,
                      "case %zu: %s", k, context->info.look_back_reason);
        context_end(context);
    }
}
END_TEST

/* ---- the disk ------------------------------------------------------------------------------------------------- */

static int builds_of_a_probe(const behaviour *of)
{
    mcl_context *const context = context_make(&(paths){ C11, LEGACY, MCL__SUB_GROUP_NONE, 1 });
    device = *of;
    build_count = 0;
    test_ok(mcl__context_probe(context));
    context_end(context);
    return build_count;
}

/* A verdict is not kept where a build failed without a log, since the next build may succeed. */
START_TEST(a_sure_verdict_is_kept_on_the_disk)
{
    folder kept;
    const behaviour right = { 0 }, unsure = { .builds = { [C11] = REJECTED_SILENTLY } };
    const behaviour rejected = { .builds = { [C11] = REJECTED } };
    folder_make(&kept);
    setenv("MCL_CACHE_DIR", kept.path, 1);
    ck_assert_int_gt(builds_of_a_probe(&unsure), 0);
    ck_assert_int_gt(builds_of_a_probe(&unsure), 0);
    ck_assert_int_gt(builds_of_a_probe(&rejected), 0);
    ck_assert_int_eq(builds_of_a_probe(&right), 0);
    setenv("MCL_KERNEL_DIR", kept.path, 1);
    ck_assert_int_gt(builds_of_a_probe(&right), 0);
    unsetenv("MCL_KERNEL_DIR");
    unsetenv("MCL_CACHE_DIR");
    folder_remove(&kept);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, words_pass_where_both_kernels_are_right);
    tcase_add_test(tcase, a_device_that_fails_is_not_judged);
    tcase_add_test(tcase, sub_groups_are_tried_where_the_kernel_can_run);
    tcase_add_test(tcase, drivers_that_are_known_are_not_tried);
    tcase_add_test(tcase, features_come_before_what_the_kernels_say);
    tcase_add_test(tcase, a_sure_verdict_is_kept_on_the_disk);
}

int main(void)
{
    unsetenv("MCL_FEATURES");
    setenv("MCL_CACHE_DIR", "", 1);
    return test_main_host("probe", add);
}
