/* timing.c: measures the time of a run, and adds the rows of the table. */
#define _POSIX_C_SOURCE 200809L
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int ascending(const void *p, const void *q)
{
    const double a = *(const double *)p;
    const double b = *(const double *)q;
    return (a > b) - (a < b);
}

static mcl_status run_once(study *at, study_run run, void *call, double *milliseconds)
{
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    const double start = now_ms();
    mcl_status status = run(at, call, at->info.is_gpu ? &options : NULL);
    if (status == MCL_OK) status = mcl_queue_finish(at->queue);
    *milliseconds = now_ms() - start;
    if (status == MCL_OK && done) status = mcl_event_milliseconds(done, milliseconds);
    mcl_event_release(done);
    return status;
}

mcl_status study_time(study *at, study_run run, void *call, double *milliseconds)
{
    enum { WARM_UPS = 3, RUNS = 10 };
    double times[WARM_UPS + RUNS];
    for (int k = 0; k < WARM_UPS + RUNS; k++) {
        const mcl_status status = run_once(at, run, call, &times[k]);
        if (status != MCL_OK) return status;
    }
    qsort(times + WARM_UPS, RUNS, sizeof *times, ascending);
    *milliseconds = (times[WARM_UPS + RUNS / 2 - 1] + times[WARM_UPS + RUNS / 2]) / 2;
    return MCL_OK;
}

study_row *study_add_row(study *at, const char *name)
{
    const int size = at->table.size_count - 1;
    study_row *const row = &at->table.rows[size][at->table.row_counts[size]++];
    *row = (study_row){ .milliseconds = -1, .bytes_read = -1, .searches = -1 };
    (void)snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}
