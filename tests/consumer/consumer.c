/* consumer.c: a user's program with every header, built-in and own types, one scan and one reduction. It is also
 * compiled as C++. */
#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>

#include <stdio.h>

MCL_SOURCE(interval_source,
typedef struct interval { float low; float high; } interval;
static inline interval interval_hull(interval p, interval q)
{
    if (q.low < p.low) p.low = q.low;
    if (q.high > p.high) p.high = q.high;
    return p;
}
)
static const mcl_type INTERVAL = MCL_TYPE(interval, interval_source);
static const mcl_op HULL = { MCL_ROLE_FOLD,
                             "interval_hull(p, q)",
                             interval_source,
                             NULL,
                             NULL,
                             NULL,
                             NULL,
                             NULL,
                             1,
                             0,
                             { { NULL, NULL, NULL, 0, { 0 } } } };

enum { COUNT = 5 };

static int run(mcl_context *context)
{
    const int32_t numbers[COUNT] = { 3, 1, 4, 1, 5 };
    const int32_t expected[COUNT] = { 3, 4, 8, 9, 14 };
    const interval intervals[COUNT] = { { 2, 3 }, { 0, 1 }, { 5, 9 }, { -1, 0 }, { 4, 4 } };
    int32_t sums[COUNT];
    interval hull;
    mcl_queue *queue = NULL;
    mcl_buffer *a = NULL, *b = NULL;

    int failed = mcl_queue_create(context, 0, &queue) || mcl_buffer_create(context, sizeof numbers, numbers, &a) ||
                 mcl_buffer_create(context, sizeof intervals, intervals, &b) ||
                 mcl_scan(queue, mcl_from_buffer(MCL_INT32, a, 0, COUNT), mcl_to_buffer(MCL_INT32, a, 0, COUNT),
                          MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL) ||
                 mcl_buffer_read(queue, a, 0, sizeof sums, sums) ||
                 mcl_reduce(queue, mcl_from_buffer(&INTERVAL, b, 0, COUNT), &HULL, mcl_to_host(&INTERVAL, &hull), NULL);
    if (failed) {
        fprintf(stderr, "%s\n", mcl_last_error());
    } else {
        for (int i = 0; i < COUNT; ++i) failed |= sums[i] != expected[i];
        failed |= hull.low != -1 || hull.high != 9;
        if (failed) fprintf(stderr, "wrong result\n");
    }
    mcl_buffer_release(a);
    mcl_buffer_release(b);
    mcl_queue_release(queue);
    return failed;
}

int main(void)
{
    mcl_context *context = NULL;
    if (mcl_context_create(NULL, &context)) {
        fprintf(stderr, "%s\n", mcl_last_error());
        return 1;
    }
    const int failed = run(context) || mcl_opencl_context(NULL) != NULL;
    mcl_context_release(context);
    printf("moderncl %s: %s\n", mcl_version(), failed ? "failed" : "passed");
    return failed;
}
