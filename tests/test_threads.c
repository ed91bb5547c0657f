/* test_threads.c: threads that share a context, where each has its own queue. */
#include "support/arrays.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 15, COUNT = 5000 };

/* The state of a thread. Checks must not leave a thread by longjmp, so a failure is passed to the main thread. */
typedef struct worker {
    pthread_t thread;
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *a;
    mcl_buffer *b;
    int number;
    char wrong[256];
} worker;

static int is_ok(worker *w, mcl_status status, const char *what)
{
    if (status != MCL_OK && !w->wrong[0])
        snprintf(w->wrong, sizeof w->wrong, "thread %d, %s: %.200s", w->number, what, mcl_last_error());
    return status == MCL_OK;
}

static void expect(worker *w, int holds, const char *what)
{
    if (!holds && !w->wrong[0]) snprintf(w->wrong, sizeof w->wrong, "thread %d: wrong %s", w->number, what);
}

static void work_round(worker *w, int round)
{
    static const mcl_options tilings[] = { { 0 },
                                           { .tile_threads = 1, .tile_items = 64 },
                                           { .tile_threads = 32, .tile_items = 4 } };
    const mcl_options *options = &tilings[(w->number + round) % 3];
    const int32_t start = w->number * 1000 + round;
    const int32_t two = 2;
    int32_t last[2];
    int32_t sum = 0;

    if (!is_ok(w,
               mcl_transform(w->queue, mcl_from_step(MCL_INT32, &start, &two, COUNT), ints_out(w->a, COUNT), options),
               "transform"))
        return;
    if (!is_ok(w,
               mcl_merge(w->queue, ints(w->a, COUNT), ints(w->a, COUNT), ints_out(w->b, 2 * COUNT), MCL_LESS, options),
               "merge"))
        return;
    if (!is_ok(w, mcl_reduce(w->queue, ints(w->b, 2 * COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), options),
               "reduce"))
        return;
    expect(w, sum == 2 * (COUNT * start + COUNT * (COUNT - 1)), "sum");
    if (!is_ok(w,
               mcl_scan(w->queue, ints(w->a, COUNT), ints_out(w->b, COUNT), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(),
                        options),
               "scan"))
        return;
    if (!is_ok(w, mcl_buffer_read(w->queue, w->b, (COUNT - 2) * sizeof(int32_t), sizeof last, last), "read")) return;
    expect(w, last[1] == sum / 2, "last prefix");
    expect(w, last[0] == sum / 2 - (start + 2 * (COUNT - 1)), "prefix before");
    /* a failure of this thread must not appear in another thread's sentence */
    mcl_queue_wait(w->queue, NULL, -1000 - w->number);
    char expected[32];
    snprintf(expected, sizeof expected, "%d", -1000 - w->number);
    expect(w, strstr(mcl_last_error(), expected) != NULL, "sentence");
}

static void *work(void *argument)
{
    worker *w = argument;

    if (is_ok(w, mcl_queue_create(w->context, 0, &w->queue), "queue") &&
        is_ok(w, mcl_buffer_create(w->context, COUNT * sizeof(int32_t), NULL, &w->a), "buffer") &&
        is_ok(w, mcl_buffer_create(w->context, 2 * COUNT * sizeof(int32_t), NULL, &w->b), "buffer"))
        for (int round = 0; round < ROUNDS && !w->wrong[0]; round++) work_round(w, round);
    mcl_buffer_release(w->a);
    mcl_buffer_release(w->b);
    mcl_queue_release(w->queue);
    return NULL;
}

static void run_threads(mcl_context *context)
{
    static worker workers[THREADS];

    memset(workers, 0, sizeof workers);
    for (int k = 0; k < THREADS; k++) {
        workers[k].context = context;
        workers[k].number = k;
        ck_assert_int_eq(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(workers[k].thread, NULL);
    for (int k = 0; k < THREADS; k++) ck_assert_msg(!workers[k].wrong[0], "%s", workers[k].wrong);
}

/* Returns 1 for Oclgrind, which simulates one device for one thread at a time. */
static int skips(int device, const char *what)
{
    if (strcmp(test_device_at(device)->info.vendor, "Oclgrind") != 0) return 0;
    return test_skip(device, what, "its driver is not safe for threads");
}

START_TEST(threads_share_a_context_that_is_warm)
{
    if (skips(_i, "threads_share_a_context_that_is_warm")) return;
    run_threads(test_device_at(_i)->context);
    run_threads(test_device_at(_i)->context);
}
END_TEST

/* All threads build the same programs at the same time. */
START_TEST(threads_share_a_context_that_has_no_program_yet)
{
    if (skips(_i, "threads_share_a_context_that_has_no_program_yet")) return;
    mcl_context *context = test_context(_i);

    run_threads(context);
    mcl_context_release(context);
}
END_TEST

static void *prepare(void *argument)
{
    worker *w = argument;
    const mcl_input in = ints_counting(COUNT);
    mcl_queue *queue = NULL;

    if (is_ok(w, mcl_queue_create_preparing(w->context, &queue), "prepare"))
        is_ok(w, mcl_merge(queue, in, in, ints_out(w->b, 2 * COUNT), MCL_GREATER, NULL), "prepared merge");
    mcl_queue_release(queue);
    return NULL;
}

START_TEST(a_thread_prepares_while_another_works)
{
    if (skips(_i, "a_thread_prepares_while_another_works")) return;
    worker w = { .context = test_device_at(_i)->context };
    const int32_t one = 1;
    int32_t sum = 0;

    w.b = array_empty(_i, 2 * COUNT * sizeof(int32_t));
    ck_assert_int_eq(pthread_create(&w.thread, NULL, prepare, &w), 0);
    for (int k = 0; k < 50; k++)
        test_ok(mcl_reduce(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD,
                           mcl_to_host(MCL_INT32, &sum), NULL));
    pthread_join(w.thread, NULL);
    ck_assert_msg(!w.wrong[0], "%s", w.wrong);
    ck_assert_int_eq(sum, COUNT);
    mcl_buffer_release(w.b);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, threads_share_a_context_that_is_warm, device);
    test_add(tcase, threads_share_a_context_that_has_no_program_yet, device);
    test_add(tcase, a_thread_prepares_while_another_works, device);
}

int main(void)
{
    return test_main("threads", add);
}
