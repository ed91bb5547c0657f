/* parameter.c: tries values for one tuning parameter, each in turn with the library's own value. */
#include "command_line.h"
#include "tune.h"

#include <math.h>
#include <string.h>

/* The trial of one value: the sum of the logarithms of its times divided by the times with the library's own value, and
 * the number of these times. */
typedef struct trial {
    int value;
    int fails;
    int count;
    double logs;
} trial;

typedef struct search {
    const char *name;
    int own;
    trial trials[TUNE_VALUES_MAX];
    int count;
} search;

/* ---- which values --------------------------------------------------------------------------------------------- */

static int add_value(search *s, int64_t value)
{
    if (value == s->own || value < 0 || value > INT32_MAX || s->count == TUNE_VALUES_MAX) return 0;
    s->trials[s->count++] = (trial){ .value = (int)value };
    return 0;
}

static int search_start(search *s, tuner *t)
{
    /* eighths of the library's own value, from a quarter to four times the value */
    static const int eighths[] = { 2, 4, 6, 12, 16, 32 };
    const tune_options *const options = t->options;
    s->name = options->parameter;
    if (tune_device_open(t) != 0) return -1;
    const int status = mcl_context_tuning_parameter(t->bench.context, s->name, &s->own);
    tune_device_close(t);
    if (status != MCL_OK) return bench_failed("asking for the parameter");
    for (int k = 0; k < options->value_count; k++) add_value(s, options->values[k]);
    for (size_t k = 0; options->value_count == 0 && k < sizeof eighths / sizeof *eighths; k++)
        if ((int64_t)s->own * eighths[k] % 8 == 0) add_value(s, (int64_t)s->own * eighths[k] / 8);
    if (s->count > 0) return 0;
    bench_note("--parameter %s: the library's own value is %d; name others to try: %s=1,2", s->name, s->own, s->name);
    return -1;
}

/* ---- their times ---------------------------------------------------------------------------------------------- */

/* Runs the case once with the value. name NULL: with the library's own value. */
static mcl_status value_run(tuner *t, tune_case *c, const char *name, int value, bench_samples *samples)
{
    const mcl_options options = { .flags = c->flags };
    double ms = 0;
    t->parameter = (tune_value){ name, value, 0 };
    mcl_status status = tune_rows_load(t, NULL);
    if (status == MCL_OK) status = bench_run_once(&c->full, &options, t->bench.options->queued, &ms);
    if (status == MCL_OK) bench_samples_add(samples, ms);
    t->parameter.name = NULL;
    return status;
}

/* Times the value in turn with the library's own value, so that other load on the machine affects both. */
static mcl_status value_compare(tuner *t, tune_case *c, const char *name, trial *tried)
{
    const int rounds = t->options->effort == TUNE_QUICK ? 5 : 15;
    bench_samples own = { .count = 0 };
    bench_samples other = { .count = 0 };
    for (int round = 0; round < rounds; round++) {
        mcl_status status = value_run(t, c, NULL, 0, &own);
        if (status == MCL_OK) status = value_run(t, c, name, tried->value, &other);
        if (status != MCL_OK) return status;
    }
    tried->logs += log(bench_median(&other) / bench_median(&own));
    tried->count += 1;
    return MCL_OK;
}

/* Checks the value's result, then compares its times. */
static void case_try(tuner *t, tune_case *c, const char *name, trial *tried)
{
    const double patience = 10; /* largest time, as a multiple of the time of the library's own value */
    const mcl_options options = { 0 };
    char message[TUNE_MESSAGE_BYTES] = "far slower than the library's own";
    double ms = 0;
    t->parameter = (tune_value){ name, tried->value, 0 };
    mcl_status status = tune_rows_load(t, NULL);
    tune_verdict verdict = TUNE_FAILED;
    if (status == MCL_OK) verdict = tune_case_time(t, c, &options, patience * c->own_ms, &ms, message, sizeof message);
    t->parameter.name = NULL;
    if (verdict == TUNE_TIMED) status = value_compare(t, c, name, tried);
    tried->fails |= verdict != TUNE_TIMED || status != MCL_OK;
    if (status != MCL_OK) (void)snprintf(message, sizeof message, "%s", mcl_last_error());
    if (tried->fails) bench_note("%s = %d is left out: %s: %s", name, tried->value, c->op->name, message);
}

static int unit_try(tuner *t, tune_unit *unit, search *s)
{
    if (tune_device_open(t) != 0) return -1;
    int status = tune_rows_load(t, NULL) == MCL_OK ? tune_unit_open(t, unit) : -1;
    if (status == 0) status = tune_unit_start(t, unit);
    if (status == 0) status = tune_unit_check_spread(t, unit);
    for (int k = 0; k < s->count && status == 0; k++) {
        t->done += 1;
        tune_progress(t, "%s = %d: %s of %zu bytes", s->name, s->trials[k].value, unit->operation, unit->bytes);
        for (int c = 0; c < unit->case_count && !s->trials[k].fails; c++)
            case_try(t, &unit->cases[c], s->name, &s->trials[k]);
    }
    tune_unit_close(unit);
    tune_device_close(t);
    return status;
}

/* Notes the gain of each value, and keeps the best value where its gain is no chance. */
static void search_end(const search *s, tuner *t)
{
    const double worth = 0.98;
    double best = worth;
    t->parameter = (tune_value){ s->name, s->own, 1 };
    for (int k = 0; k < s->count; k++) {
        const trial *const tried = &s->trials[k];
        if (tried->fails || tried->count == 0) {
            tune_note(t, "%s = %d: left out", s->name, tried->value);
            continue;
        }
        const double share = exp(tried->logs / tried->count);
        tune_note(t, "%s = %d: %.2f of the time of the library's own value, %d", s->name, tried->value, share, s->own);
        if (share >= best) continue;
        best = share;
        t->parameter = (tune_value){ s->name, tried->value, 1 / share };
    }
}

int tune_parameter(tuner *t)
{
    search s = { .count = 0 };
    int failures = 0;
    if (search_start(&s, t) != 0) return -1;
    t->total = (double)t->unit_count * s.count;
    t->start_ms = bench_now();
    for (int k = 0; k < t->unit_count; k++)
        if (unit_try(t, &t->units[k], &s) != 0) failures++;
    tune_progress(t, NULL);
    search_end(&s, t);
    return failures ? -1 : 0;
}

int tune_parameter_list(tuner *t)
{
    if (tune_device_open(t) != 0) return -1;
    const int width = column_width(mcl_tuning_parameter_name);
    int status = 0;
    for (int k = 0; mcl_tuning_parameter_name(k) && status == 0; k++) {
        int value = 0;
        status = mcl_context_tuning_parameter(t->bench.context, mcl_tuning_parameter_name(k), &value);
        if (status == MCL_OK) printf("%-*s %d\n", width, mcl_tuning_parameter_name(k), value);
    }
    if (status != MCL_OK) (void)bench_failed("asking for the parameters");
    tune_device_close(t);
    return status == MCL_OK ? 0 : -1;
}
