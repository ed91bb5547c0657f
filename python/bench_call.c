/* bench_call.c: makes the calls of bench.py from C. usage: bench_call DEVICE CALLS. It prints the microseconds that a
 * call of mcl_transform and a call of mcl_sort take the calling thread. */
#define _POSIX_C_SOURCE 200809L
#include <moderncl/moderncl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double thread_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static mcl_status call(mcl_queue *queue, mcl_buffer *x, mcl_buffer *y, int sorts)
{
    const mcl_input in = mcl_from_buffer(MCL_FLOAT, x, 0, 16);
    const mcl_output out = mcl_to_buffer(MCL_FLOAT, y, 0, 16);
    return sorts ? mcl_sort(queue, in, out, MCL_LESS, NULL) : mcl_transform(queue, in, out, NULL);
}

int main(int argc, char **argv)
{
    const int count = argc > 2 ? atoi(argv[2]) : 1000;
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *x = NULL;
    mcl_buffer *y = NULL;
    int failed = argc < 2 || mcl_context_create(argv[1], &context) || mcl_queue_create(context, 0, &queue) ||
                 mcl_buffer_create(context, 64, NULL, &x) || mcl_buffer_create(context, 64, NULL, &y);
    for (int sorts = 0; !failed && sorts < 2; ++sorts) {
        double best = 1e30;
        failed = call(queue, x, y, sorts) || mcl_queue_finish(queue);
        for (int round = 0; !failed && round < 5; ++round) {
            const double start = thread_microseconds();
            for (int k = 0; !failed && k < count; ++k) failed = call(queue, x, y, sorts);
            const double time = (thread_microseconds() - start) / count;
            if (time < best) best = time;
            failed = failed || mcl_queue_finish(queue);
        }
        printf("%8.2f  mcl_%s from C\n", best, sorts ? "sort" : "transform");
    }
    if (failed) fprintf(stderr, "%s\n", mcl_last_error());
    mcl_buffer_release(y);
    mcl_buffer_release(x);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return failed;
}
