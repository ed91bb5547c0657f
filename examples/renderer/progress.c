/* progress.c: a bar of samples on stderr. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 40 };
static const double terminal_seconds = 0.2, line_seconds = 10;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double seconds_worked(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

progress progress_begin(int64_t steps)
{
    const double now = seconds_now();
    return (progress){ .steps = steps, .begun = now, .shown = now, .is_terminal = isatty(STDERR_FILENO) };
}

void progress_step(progress *of)
{
    const double now = seconds_now();
    ++of->done;
    if (now - of->shown < (of->is_terminal ? terminal_seconds : line_seconds)) return;
    of->shown = now;
    const double left = (now - of->begun) / (double)of->done * (double)(of->steps - of->done);
    if (!of->is_terminal) {
        fprintf(stderr, "renderer: %lld of %lld samples, %.0f s left\n", (long long)of->done, (long long)of->steps,
                left);
        return;
    }
    const int full = (int)(of->done * BAR / of->steps);
    fputs("\r[", stderr);
    for (int k = 0; k < BAR; ++k) fputc(k < full ? '#' : '.', stderr);
    fprintf(stderr, "] %3lld %%, %.0f s left  ", (long long)(of->done * 100 / of->steps), left);
}

void progress_end(progress *of)
{
    if (of->is_terminal) fprintf(stderr, "\r%*s\r", BAR + 30, "");
}
