/* unknown.c: how fast a device is when the library has no rows for it, beside what it has. */
#define _POSIX_C_SOURCE 200809L
#include "tune.h"

#include <math.h>
#include <stdlib.h>

/* Times the library's own tiles in all units: best_ms. */
static int pass(tuner *t, const char *name)
{
    int failures = 0;
    for (int k = 0; k < t->unit_count; k++) {
        tune_unit *const unit = &t->units[k];
        tune_progress(t, "%s: %s of %zu bytes", name, unit->operation, unit->bytes);
        if (tune_device_open(t) != 0) return -1;
        if (tune_unit_open(t, unit) != 0 || tune_unit_start(t, unit) != 0) failures++;
        tune_unit_close(unit);
        tune_device_close(t);
        t->done += 1;
    }
    return failures ? -1 : 0;
}

/* From now on contexts match no rows by name: only those for every device of a kind are left. */
static int hide(void)
{
    const char *const before = getenv("MCL_FEATURES");
    char features[1024];
    (void)snprintf(features, sizeof features, "tuning_key=unknown%s%s", before ? "," : "", before ? before : "");
    return setenv("MCL_FEATURES", features, 1) == 0 && unsetenv("MCL_TUNING_FILE") == 0 ? 0 : -1;
}

int tune_unknown(tuner *t)
{
    double logs = 0;
    double least = -1;
    int count = 0;
    t->total = 2.0 * t->unit_count;
    t->start_ms = bench_now();
    if (pass(t, "known") != 0) return -1;
    for (int k = 0; k < t->unit_count; k++)
        for (int m = 0; m < t->units[k].case_count; m++) t->units[k].cases[m].last_ms = t->units[k].cases[m].own_ms;
    if (hide() != 0 || pass(t, "unknown") != 0) return -1;
    tune_progress(t, NULL);
    printf("%-34s %-8s %10s %10s %6s\n", "op", "type", "known_ms", "unknown_ms", "speed");
    for (int k = 0; k < t->unit_count; k++) {
        for (int m = 0; m < t->units[k].case_count; m++) {
            const tune_case *const c = &t->units[k].cases[m];
            const double speed = c->last_ms / c->own_ms;
            printf("%-34s %-8s %10.5f %10.5f %6.3f\n", c->op->name, c->type->name, c->last_ms, c->own_ms, speed);
            logs += log(speed);
            least = least < 0 || speed < least ? speed : least;
            count++;
        }
    }
    if (count > 0) printf("speed without rows: mean %.3f, least %.3f\n", exp(logs / count), least);
    return 0;
}
