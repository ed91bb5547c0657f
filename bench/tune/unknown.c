/* unknown.c: compares the speed of a device when the library has no rows for it with its speed with rows. */
#define _POSIX_C_SOURCE 200809L
#include "command_line.h"
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7 };

/* Sets the environment in which contexts match no row by name, so that only rows for every device of a kind are left;
 * or restores the environment. */
static void hide(int hides)
{
    static char features[1024];
    static char before[1024];
    static char file[1024];
    if (hides) {
        (void)snprintf(before, sizeof before, "%s", getenv("MCL_FEATURES") ? getenv("MCL_FEATURES") : "");
        (void)snprintf(file, sizeof file, "%s", getenv("MCL_TUNING_FILE") ? getenv("MCL_TUNING_FILE") : "");
        (void)snprintf(features, sizeof features, "tuning_key=unknown,%.1000s", before);
    }
    (void)setenv("MCL_FEATURES", hides ? features : before, 1);
    (void)setenv("MCL_TUNING_FILE", hides ? "" : file, 1);
}

/* Runs one unit in turn on the device with rows and on the device without rows. The times go to last_ms of the
 * cases. */
static int times_in_turn(tuner *known, tuner *unknown, int place)
{
    const int queued = known->bench.options->queued;
    tune_unit *const a = &known->units[place];
    tune_unit *const b = &unknown->units[place];
    for (int k = 0; k < a->case_count; k++) {
        static bench_samples samples[2];
        const mcl_options options = { .flags = a->cases[k].flags };
        samples[0].count = samples[1].count = 0;
        for (int round = 0; round < 2 * ROUNDS; round++) {
            double ms = 0;
            bench_case *const c = round % 2 ? &b->cases[k].full : &a->cases[k].full;
            if (bench_run_once(c, &options, queued, &ms) != MCL_OK) return bench_failed(a->cases[k].op->name);
            bench_samples_add(&samples[round % 2], ms);
        }
        a->cases[k].last_ms = bench_median(&samples[0]);
        b->cases[k].last_ms = bench_median(&samples[1]);
    }
    return 0;
}

static int unit_compare(tuner *known, tuner *unknown, int place)
{
    tune_unit *const a = &known->units[place];
    tune_unit *const b = &unknown->units[place];
    int status = tune_device_open(known);
    hide(1);
    if (status == 0) status = tune_device_open(unknown);
    hide(0);
    if (status == 0) status = tune_unit_open(known, a);
    if (status == 0) status = tune_unit_open(unknown, b);
    if (status == 0) status = tune_unit_start(known, a);
    if (status == 0) status = tune_unit_start(unknown, b);
    if (status == 0) status = times_in_turn(known, unknown, place);
    tune_unit_close(a);
    tune_unit_close(b);
    tune_device_close(known);
    tune_device_close(unknown);
    return status;
}

static void unit_print(const tune_unit *a, const tune_unit *b, double *logs, double *least)
{
    const int width = column_width(bench_op_name);
    for (int k = 0; k < a->case_count; k++) {
        const double speed = a->cases[k].last_ms / b->cases[k].last_ms;
        printf("%-*s %-8s %10.5f %10.5f %6.3f\n", width, a->cases[k].op->name, a->cases[k].type->name,
               a->cases[k].last_ms, b->cases[k].last_ms, speed);
        *logs += log(speed);
        if (*least < 0 || speed < *least) *least = speed;
    }
    (void)fflush(stdout);
}

int tune_unknown(tuner *t)
{
    static tuner unknown;
    double logs = 0;
    double least = -1;
    int count = 0;
    int failures = 0;
    unknown = *t;
    unknown.bench.options = &unknown.bench_options;
    unknown.units = malloc(TUNE_UNITS_MAX * sizeof *unknown.units);
    if (!unknown.units) return -1;
    memcpy(unknown.units, t->units, TUNE_UNITS_MAX * sizeof *unknown.units);
    t->total = t->unit_count;
    t->start_ms = bench_now();
    printf("%-*s %-8s %10s %10s %6s\n", column_width(bench_op_name), "op", "type", "known_ms", "unknown_ms", "speed");
    for (int k = 0; k < t->unit_count; k++) {
        const int failed = unit_compare(t, &unknown, k) != 0;
        t->done += 1;
        failures += failed;
        if (failed) continue;
        tune_progress(t, NULL);
        unit_print(&t->units[k], &unknown.units[k], &logs, &least);
        count += t->units[k].case_count;
    }
    if (count > 0) printf("speed without rows: mean %.3f, least %.3f\n", exp(logs / count), least);
    free(unknown.units);
    return failures ? -1 : 0;
}
