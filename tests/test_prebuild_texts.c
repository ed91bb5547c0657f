/* test_prebuild_texts.c: texts of programs that are built before a call needs them. The tests check which of their
 * kernels are warmed, and which programs the disk cache keeps. The device runs nothing. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"
#include "support/folder.h"

#include "context/context.h"
#include "guided/idle_device.h"
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { PROCESSOR = 0, GPU = 2, NAME_BYTES = 256 };

/* ---- the device ----------------------------------------------------------------------------------------------- */

static const mcl__backend *idle;
static int builds, loads, warms, rejects_binaries, has_no_binary;
static char warmed[NAME_BYTES];

static mcl_status build(mcl_context *context, const char *source, const char *name, mcl__text *log, void **program)
{
    builds++;
    return idle->program_build(context, source, name, log, program);
}

static mcl_status load(mcl_context *context, const void *binary, size_t bytes, void **program)
{
    mcl__text log = { 0 };
    loads++;
    if (rejects_binaries) return mcl__fail(MCL_ERROR_BUILD, "the driver does not take this binary");
    ck_assert_uint_eq(bytes, strlen("binary"));
    ck_assert_mem_eq(binary, "binary", bytes);
    return idle->program_build(context, "", "loaded", &log, program);
}

static mcl_status binary(mcl_context *context, void *program, mcl__text *out)
{
    (void)context;
    (void)program;
    if (has_no_binary) return mcl__fail(MCL_ERROR_DEVICE, "there is no binary");
    mcl__text_append(out, "binary");
    return MCL_OK;
}

static mcl_status create(mcl_context *context, void *program, const char *name, void **kernel)
{
    (void)context;
    if (strcmp(name, "left_out") == 0) return mcl__fail(MCL_ERROR_BUILD, "there is no such kernel");
    (void)snprintf(warmed, sizeof warmed, "%s", name);
    *kernel = program;
    return MCL_OK;
}

static void warm(mcl_queue *queue, void *kernel, int64_t work_items)
{
    (void)queue;
    (void)kernel;
    ck_assert_int_gt(work_items, 0);
    warms++;
}

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl__text text; /* text of a program of the library for this device */
} world;

static world world_open(int number, int keeps_binaries)
{
    static mcl__backend backend;
    const mcl__spec spec = {
        .file = "kernels/device/probe.cl", .kernels = { "probe_words" }, .tile = { 1, 1 }, .index_bits = 32
    };
    world w = { 0 };
    ck_assert_int_eq(idle_context(number, &w.context), MCL_OK);
    idle = w.context->backend;
    backend = *idle;
    backend.program_build = build;
    backend.program_load = load;
    backend.program_binary = binary;
    backend.kernel_create = create;
    backend.kernel_warm = warm;
    w.context->backend = &backend;
    w.context->keeps_binaries = keeps_binaries;
    ck_assert_int_eq(mcl_queue_create_preparing(w.context, &w.queue), MCL_OK);
    test_ok(mcl__source_assemble(&w.context->limits, w.context->dialect, &spec, &w.text));
    builds = loads = warms = rejects_binaries = has_no_binary = 0;
    warmed[0] = 0;
    return w;
}

static void world_close(world *w)
{
    mcl__text_free(&w->text);
    mcl_queue_release(w->queue);
    w->context->backend = idle;
    mcl_context_release(w->context);
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

#define LETTERS_32 "abcdefghijklmnopqrstuvwxyzabcdef"
#define LETTERS_127 LETTERS_32 LETTERS_32 LETTERS_32 "abcdefghijklmnopqrstuvwxyzabcde"

/* A processor's driver takes long at the first launch of a kernel with MCL_ENTER. */
START_TEST(each_kernel_that_may_return_at_once_is_warmed)
{
    static const struct {
        const char *text, *name; /* name "": there is none */
    } cases[] = {
        { "MCL_KERNEL(TILE_THREADS) one(void)\n{ MCL_ENTER(1); }\n", "one" },
        { "MCL_FEW_GROUPS_KERNEL(64)\ntwo (void)\n{ MCL_ENTER(1); }\n", "two" },
        { "MCL_KERNEL(1) " LETTERS_127 "(void)\n{ MCL_ENTER(1); }\n", LETTERS_127 },
        { "MCL_KERNEL(1) " LETTERS_127 "f(void)\n{ MCL_ENTER(1); }\n", "" },
        { "MCL_KERNEL(1) (void)\n{ MCL_ENTER(1); }\n", "" },
        { "MCL_KERNEL(1)\n{ MCL_ENTER(1); }\n", "" },
        { "MCL_KERNEL(1) left_out(void)\n{ MCL_ENTER(1); }\n", "" },
        { "MCL_KERNEL(1) slow(void)\n{ MCL_LEAVE(1); }\n", "" },
    };
    int was_there = 1;
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        for (int is_large = 0; is_large < 2; is_large++) {
            world w = world_open(PROCESSOR, 0);
            test_ok(mcl__prebuild(w.queue, "plain", w.text.data, is_large, &was_there));
            const int before = warms;
            warmed[0] = 0;
            mcl__text_append(&w.text, cases[k].text);
            warms = 0;
            test_ok(mcl__prebuild(w.queue, "more", w.text.data, is_large, &was_there));
            ck_assert_int_eq(was_there, 0);
            ck_assert_msg(warms == before + (cases[k].name[0] ? 1 + is_large : 0), "case %zu: %d warmed", k, warms);
            if (cases[k].name[0]) ck_assert_str_eq(warmed, cases[k].name);
            world_close(&w);
        }
}
END_TEST

START_TEST(a_gpu_warms_nothing_and_takes_its_own_texts_alone)
{
    world w = world_open(GPU, 0);
    int was_there = 1;
    mcl__text_append(&w.text, "MCL_KERNEL(1) one(void)\n{ MCL_ENTER(1); }\n");
    test_ok(mcl__prebuild(w.queue, "a text", w.text.data, 1, &was_there));
    ck_assert_int_eq(warms, 0);
    ck_assert_int_eq(builds, 1);
    test_fails(mcl__prebuild(w.queue, "a text", "MCL_KERNEL(1) one(void) { }", 1, &was_there), MCL_ERROR_ARGUMENT,
               "a text is not for idle device 2");
    ck_assert_int_eq(builds, 1);
    world_close(&w);
}
END_TEST

/* ---- the disk ------------------------------------------------------------------------------------------------- */

START_TEST(a_program_is_kept_where_the_driver_has_no_cache_of_its_own)
{
    folder kept;
    int was_there = 1;
    folder_make(&kept);
    setenv("MCL_CACHE_DIR", kept.path, 1);
    world w = world_open(PROCESSOR, 1);
    has_no_binary = 1;
    test_fails(mcl__prebuild(w.queue, "a text", w.text.data, 0, &was_there), MCL_ERROR_DEVICE, "there is no binary");
    has_no_binary = 0;
    test_ok(mcl__prebuild(w.queue, "a text", w.text.data, 0, &was_there));
    ck_assert_int_eq(was_there, 0);
    ck_assert_int_eq(builds, 2);
    test_ok(mcl__prebuild(w.queue, "a text", w.text.data, 0, &was_there));
    ck_assert_int_eq(was_there, 1);
    ck_assert_int_eq(builds, 2);
    rejects_binaries = 1;
    test_ok(mcl__prebuild(w.queue, "a text", w.text.data, 0, &was_there));
    ck_assert_int_eq(was_there, 0);
    ck_assert_int_eq(builds, 3);
    w.context->keeps_binaries = loads = 0;
    test_ok(mcl__prebuild(w.queue, "a text", w.text.data, 0, &was_there));
    ck_assert_int_eq(was_there, 0);
    ck_assert_int_eq(loads, 0);
    w.context->keeps_binaries = 1;
    setenv("MCL_CACHE_DIR", "", 1);
    test_fails(mcl__prebuild(w.queue, "a text", w.text.data, 0, &was_there), MCL_ERROR_ARGUMENT,
               "the program a text is built, but the cache does not take its file");
    world_close(&w);
    folder_remove(&kept);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, each_kernel_that_may_return_at_once_is_warmed);
    tcase_add_test(tcase, a_gpu_warms_nothing_and_takes_its_own_texts_alone);
    tcase_add_test(tcase, a_program_is_kept_where_the_driver_has_no_cache_of_its_own);
}

int main(void)
{
    setenv("MCL_CACHE_DIR", "", 1);
    return test_main_host("prebuild_texts", add);
}
