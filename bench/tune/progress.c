/* progress.c: prints the bar of progress. */
#include "tune.h"

#include <stdarg.h>

void tune_progress(tuner *t, const char *format, ...)
{
    enum { WIDTH = 24 };
    char what[128];
    char bar[WIDTH + 1];
    char left[48] = "";
    const double part = t->total > 0 && t->done < t->total ? t->done / t->total : t->total > 0;
    const double spent_ms = bench_now() - t->start_ms;
    if (!format) {
        bench_progress(NULL);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (int k = 0; k < WIDTH; k++) bar[k] = k < (int)(part * WIDTH) ? '#' : '.';
    bar[WIDTH] = 0;
    const long seconds = part > 0 ? (long)(spent_ms * (1 - part) / part / 1e3) : 0;
    if (part > 0) (void)snprintf(left, sizeof left, ", %ld min %02ld s left", seconds / 60, seconds % 60);
    bench_progress("[%s] %3.0f%%%s  %s", bar, 100 * part, left, what);
}
