/* test_dialect.c: the dialect as a text that comes before an application's own kernels. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"

#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 32, GROUPS = 8, COUNT = THREADS * GROUPS };

/* A kernel in which each group reverses its numbers through work-group memory. */
static const char kernel_text[] = "typedef struct { int32_t numbers[THREADS]; } turn_store;\n"
                                  "MCL_KERNEL(THREADS) turn(__global int32_t *numbers, const int64_t bias)\n"
                                  "{\n"
                                  "    MCL_SHARED(turn_store, store);\n"
                                  "    const int id = (int)get_local_id(0);\n"
                                  "    const uint64_t k = (uint64_t)get_group_id(0) * THREADS + (uint64_t)id;\n"
                                  "    store->numbers[id] = numbers[k];\n"
                                  "    group_barrier();\n"
                                  "    numbers[k] = store->numbers[THREADS - 1 - id] + (int32_t)bias;\n"
                                  "}\n";

/* Returns the dialect with the kernel after it. The caller frees the text. */
static char *whole_text(mcl_context *context)
{
    size_t needed = 0;
    test_ok(mcl_dialect_text(context, THREADS, NULL, 0, &needed));
    ck_assert_uint_gt(needed, 1000);
    char *const text = malloc(needed + sizeof kernel_text + 64);
    ck_assert_ptr_nonnull(text);
    test_ok(mcl_dialect_text(context, THREADS, text, needed, NULL));
    ck_assert_uint_eq(strlen(text), needed - 1);
    (void)sprintf(text + strlen(text), "#define THREADS %d\n%s", THREADS, kernel_text);
    return text;
}

/* Compiles the text and runs its kernel once. */
static void turn(mcl_context *context, const char *text)
{
    const mcl__backend *backend = context->backend;
    const int64_t bias = 1000;
    int32_t numbers[COUNT], got[COUNT];
    void *program = NULL, *kernel = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;

    for (int k = 0; k < COUNT; k++) numbers[k] = k;
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, sizeof numbers, numbers, &buffer));
    mcl__text log = { 0 };
    test_ok(backend->program_build(context, text, "turn", &log, &program));
    mcl__text_free(&log);
    test_ok(backend->kernel_create(context, program, "turn", &kernel));
    const mcl__arg args[] = { { .buffer = buffer }, { .value = &bias, .size = sizeof bias } };
    const mcl__launch launch = { .kernel = kernel, .groups = GROUPS, .threads = THREADS, .args = args, .arg_count = 2 };
    test_ok(backend->launch(queue, &launch));
    test_ok(mcl_buffer_read(queue, buffer, 0, sizeof got, got));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 1000 + k / THREADS * THREADS + THREADS - 1 - k % THREADS);
    backend->kernel_release(context, kernel);
    backend->program_release(context, program);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
}

START_TEST(a_kernel_of_the_applications_compiles_with_the_text_before_it)
{
    mcl_context *context = test_device_at(_i)->context;
    char *const text = whole_text(context);
    turn(context, text);
    free(text);
}
END_TEST

/* The compiler finds the header by -I, as it does in an application. */
START_TEST(a_kernel_of_the_applications_compiles_with_the_header)
{
    mcl_context *context = NULL;
    char text[1024];
    test_ok(setenv("MCL_BUILD_OPTIONS", "-I" TEST_GOLDEN_DIR "/../../cl", 1) ? MCL_ERROR_MEMORY : MCL_OK);
    test_ok(mcl_context_create(test_device_at(_i)->info.id, &context));
    (void)snprintf(text, sizeof text, "#include \"dialect/dialect.clh\"\n#define THREADS %d\n%s", THREADS, kernel_text);
    turn(context, text);
    mcl_context_release(context);
    (void)unsetenv("MCL_BUILD_OPTIONS");
}
END_TEST

START_TEST(mistakes_are_told)
{
    mcl_context *context = test_device_at(_i)->context;
    char text[8] = "as it";
    size_t needed = 7;

    test_fails(mcl_dialect_text(NULL, 32, NULL, 0, &needed), MCL_ERROR_ARGUMENT, "mcl_dialect_text|context");
    test_fails(mcl_dialect_text(context, 0, NULL, 0, &needed), MCL_ERROR_ARGUMENT, "mcl_dialect_text|threads is 0");
    ck_assert_uint_eq(needed, 7);
    test_fails(mcl_dialect_text(context, 32, text, sizeof text, &needed), MCL_ERROR_ARGUMENT,
               "capacity is 8; expected");
    ck_assert_uint_gt(needed, sizeof text);
    ck_assert_str_eq(text, "as it");
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_kernel_of_the_applications_compiles_with_the_text_before_it, device);
    test_add(tcase, a_kernel_of_the_applications_compiles_with_the_header, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("dialect", add);
}
