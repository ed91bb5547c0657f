/* clock.c: the clock of the host. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <time.h>

double bench_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
