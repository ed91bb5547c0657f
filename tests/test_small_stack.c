/* test_small_stack.c: a call of every primitive on a thread whose stack has 64 KiB. A thread with a large one has made
 * the calls before: drivers compile in the thread that makes a call first, and compilers take more. */
#define _POSIX_C_SOURCE 200809L
#include "support/sampler.h"

#include <pthread.h>
#include <stdio.h>

enum { STACK_BYTES = 64 << 10 };

typedef struct work {
    sampler *s;
    mcl_queue *queue;
    sampler_call call;
    mcl_status status;
} work;

static void *make_call(void *of)
{
    work *const w = of;
    w->status = w->call(w->s, w->queue, NULL);
    return NULL;
}

START_TEST(every_call_runs_in_64_kib)
{
    mcl_context *const context = test_device_at(_i)->context;
    mcl_queue *const queue = test_device_at(_i)->queue;
    pthread_attr_t small;
    sampler s;

    if (test_device_at(_i)->info.is_gpu) {
        (void)test_skip(_i, "every_call_runs_in_64_kib",
                        "NVIDIA's driver takes what a sort by columns leaves of the stack");
        return;
    }
    test_ok(sampler_create(context, &s));
    ck_assert_int_eq(pthread_attr_init(&small), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&small, STACK_BYTES), 0);
    for (int k = 0; k < sampler_entry_count; k++) {
        work w = { .s = &s, .queue = queue, .call = sampler_entries[k].call };
        pthread_t thread;
        test_ok(w.call(&s, queue, NULL));
        test_ok(mcl_queue_finish(queue));
        fprintf(stderr, "%s\n", sampler_entries[k].name); /* the last line of a run that the stack ends */
        ck_assert_int_eq(pthread_create(&thread, &small, make_call, &w), 0);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        ck_assert_int_eq(w.status, MCL_OK);
    }
    pthread_attr_destroy(&small);
    sampler_free(&s);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, every_call_runs_in_64_kib, device);
}

int main(void)
{
    return test_main("small_stack", add);
}
