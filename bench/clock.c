/* clock.c: the clocks of the host and of the process. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <time.h>

static double milliseconds(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double bench_now(void)
{
    return milliseconds(CLOCK_MONOTONIC);
}

double bench_cost_now(const bench *b)
{
    return milliseconds(b->info.is_gpu ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID);
}
