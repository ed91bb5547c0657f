/* test_driver_launch_cuda.c: kernels of a CUDA application as calls of the library, run at once and recorded. Like the
 * library, it builds without the toolkit. */
#include "support/arrays.h"

#include "backends/cuda/cuda_internal.h"

#include <moderncl/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096, GROUP = 64, GROUPS = COUNT / GROUP, BYTES = COUNT * (int)sizeof(int32_t) };

/* The kernel raise(int *data, int by). Each thread adds by to an element. */
static const char *const text = ".version 6.0\n"
                                ".target sm_50\n"
                                ".address_size 64\n"
                                ".visible .entry raise(.param .u64 data, .param .u32 by) {\n"
                                "    .reg .b32 %r<6>;\n"
                                "    .reg .b64 %rd<4>;\n"
                                "    ld.param.u64 %rd1, [data];\n"
                                "    ld.param.u32 %r1, [by];\n"
                                "    mov.u32 %r2, %ctaid.x;\n"
                                "    mov.u32 %r3, %ntid.x;\n"
                                "    mov.u32 %r4, %tid.x;\n"
                                "    mad.lo.s32 %r4, %r2, %r3, %r4;\n"
                                "    mul.wide.s32 %rd2, %r4, 4;\n"
                                "    add.s64 %rd3, %rd1, %rd2;\n"
                                "    ld.global.u32 %r5, [%rd3];\n"
                                "    add.s32 %r5, %r5, %r1;\n"
                                "    st.global.u32 [%rd3], %r5;\n"
                                "    ret;\n"
                                "}\n";

typedef struct fixture {
    mcl_queue *queue;
    mcl_buffer *data; /* buffer of 0, 1, 2 ... */
    CUmodule module;
    CUfunction raise;
} fixture;

static fixture start(int device)
{
    fixture f = { .queue = test_device_at(device)->queue };
    int32_t numbers[COUNT];
    for (int k = 0; k < COUNT; k++) numbers[k] = k;
    f.data = array_of(device, numbers, BYTES);
    test_ok(mcl__cuda_enter(f.queue->context));
    ck_assert_uint_eq(mcl__cuda.ModuleLoadData(&f.module, text), CUDA_SUCCESS);
    ck_assert_uint_eq(mcl__cuda.ModuleGetFunction(&f.raise, f.module, "raise"), CUDA_SUCCESS);
    mcl__cuda_leave();
    return f;
}

static void stop(fixture *f)
{
    mcl_buffer_release(f->data);
    test_ok(mcl_queue_finish(f->queue));
    test_ok(mcl__cuda_enter(f->queue->context));
    ck_assert_uint_eq(mcl__cuda.ModuleUnload(f->module), CUDA_SUCCESS);
    mcl__cuda_leave();
}

static mcl_status raise(const fixture *f, int32_t by)
{
    const mcl_driver_argument arguments[] = { { f->data, NULL, 0 }, { NULL, &by, sizeof by } };
    return mcl_cuda_launch(f->queue, f->raise, GROUPS, GROUP, arguments, 2);
}

static void data_is(const fixture *f, int32_t per_index, int32_t constant)
{
    int32_t found[COUNT];
    test_ok(mcl_buffer_read(f->queue, f->data, 0, BYTES, found));
    for (int32_t k = 0; k < COUNT; k++) ck_assert_int_eq(found[k], per_index * k + constant);
}

static mcl_status twice(const fixture *f)
{
    const mcl_binding data = mcl_binding_buffer("data", MCL_INT32, f->data, 0);
    return mcl_transform(f->queue, mcl_from_expression(MCL_INT32, "2 * data[i]", NULL, &data, 1, COUNT),
                         ints_out(f->data, COUNT), NULL);
}

START_TEST(launches_run_and_are_recorded)
{
    fixture f = start(_i);
    mcl_recording *recording = NULL;
    test_ok(raise(&f, 5));
    data_is(&f, 1, 5);
    test_ok(mcl_record_begin(f.queue));
    test_ok(raise(&f, 2));
    test_ok(twice(&f));
    test_ok(raise(&f, -7));
    test_ok(mcl_record_end(f.queue, &recording));
    data_is(&f, 1, 5);
    test_ok(mcl_replay(f.queue, recording, NULL));
    data_is(&f, 2, 7);
    test_ok(mcl_replay(f.queue, recording, NULL));
    data_is(&f, 4, 11);
    mcl_recording_release(recording);
    stop(&f);
}
END_TEST

START_TEST(mistakes_are_told)
{
    fixture f = start(_i);
    const int32_t by = 1;
    const mcl_driver_argument right[] = { { f.data, NULL, 0 }, { NULL, &by, sizeof by } };
    test_fails(mcl_cuda_launch(NULL, f.raise, GROUPS, GROUP, right, 2), MCL_ERROR_ARGUMENT, "mcl_cuda_launch|queue");
    test_fails(mcl_cuda_launch(f.queue, NULL, GROUPS, GROUP, right, 2), MCL_ERROR_ARGUMENT, "function is NULL");
    test_fails(mcl_cuda_launch(f.queue, f.raise, GROUPS, 100000, right, 2), MCL_ERROR_ARGUMENT,
               "group_items is 100000");
    test_fails(mcl_cuda_launch(f.queue, f.raise, GROUPS, GROUP, NULL, 2), MCL_ERROR_ARGUMENT, "arguments is NULL");
    data_is(&f, 1, 0);
    stop(&f);
}
END_TEST

static void add(TCase *tcase, int device)
{
    if (strcmp(test_device_at(device)->info.backend, "cuda") != 0) return;
    test_add(tcase, launches_run_and_are_recorded, device);
    test_add(tcase, mistakes_are_told, device);
}

/* Returns 1 where the suite's devices include a CUDA device. */
static int has_cuda_device(void)
{
    const char *const one = getenv("MCL_TEST_DEVICE");
    int count = 0;
    if (one && one[0] && strncmp(one, "cuda", 4) != 0) return 0;
    return mcl__cuda_device_count(&count) == MCL_OK && count > 0;
}

int main(void)
{
    if (has_cuda_device()) return test_main("driver_launch_cuda", add);
    fprintf(stderr, "skipped: driver_launch_cuda (no CUDA device)\n");
    return EXIT_SUCCESS;
}
