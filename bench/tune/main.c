/* main.c: moderncl-tune finds the tiles, or the value of a parameter, that are fastest on a device. It writes them as a
 * file of tuning. */
#define _POSIX_C_SOURCE 200809L
#include "tune.h"

#include "command_line.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int tune_unit_all(tuner *t, tune_unit *unit)
{
    if (tune_device_open(t) != 0) return -1;
    int status = tune_rows_load(t, NULL) == MCL_OK ? tune_unit_open(t, unit) : -1;
    if (status == 0) status = tune_unit_start(t, unit);
    if (status == 0) status = tune_unit_check_spread(t, unit);
    if (status == 0) status = tune_unit_search(t, unit);
    if (status == 0 && tune_rows_load(t, NULL) == MCL_OK) tune_unit_choices(t, unit);
    tune_unit_close(unit);
    tune_device_close(t);
    return status;
}

static int tune_all(tuner *t)
{
    int failures = 0;
    t->start_ms = bench_now();
    for (int k = 0; k < t->unit_count; k++) t->total += tune_unit_effort(t, &t->units[k]);
    for (int k = 0; k < t->unit_count; k++)
        if (tune_unit_all(t, &t->units[k]) != 0) failures++;
    tune_progress(t, NULL);
    return failures ? -1 : 0;
}

/* Opens the output. Mode "a" comes before any measurement, so that a wrong name costs no time and the file keeps its
 * content until there is better. */
static int output_open(const tune_options *options, const char *mode, FILE **file)
{
    *file = NULL;
    if (!options->output) return 0;
    *file = fopen(options->output, mode);
    if (*file) return 0;
    bench_note("--output %s: cannot be written", options->output);
    return -1;
}

static int output_write(const tuner *t)
{
    FILE *file = NULL;
    tune_rows_write(t, stdout);
    if (output_open(t->options, "w", &file) != 0) return -1;
    if (!file) return 0;
    tune_rows_write(t, file);
    if (fclose(file) == 0) return 0;
    bench_note("--output %s: cannot be written", t->options->output);
    return -1;
}

static int rows_file_make(tuner *t)
{
    const char *const folder = getenv("TMPDIR");
    (void)snprintf(t->rows_path, sizeof t->rows_path, "%s/moderncl-tune-XXXXXX", folder ? folder : "/tmp");
    const int handle = mkstemp(t->rows_path);
    if (handle >= 0) return close(handle);
    bench_note("%s: cannot be made, and is for the rows that are tried", t->rows_path);
    return -1;
}

static int run(tuner *t)
{
    const tune_options *const options = t->options;
    int status = 0;
    if (options->compares_unknown) return tune_unknown(t);
    if (options->tunes) {
        status = options->parameter ? tune_parameter(t) : tune_all(t);
        if (options->parameter && !t->parameter.name) return -1;
        if ((t->row_count > 0 || t->parameter.name) && output_write(t) != 0) status = -1;
    }
    if (options->chart && tune_chart(t) != 0) status = -1;
    return t->wrong ? -1 : status;
}

/* Runs the tuning. Returns 2 where the request cannot be done at all, and 1 where a part of it has failed. */
static int tune_main(const tune_options *options)
{
    static tuner t;
    const int64_t gpu_n = 10000000;
    const int64_t cpu_n = 1000000;
    FILE *output = NULL;
    t.options = options;
    t.bench_options.device = options->device;
    t.bench.options = &t.bench_options;
    if (!options->compares_unknown) (void)unsetenv("MCL_TUNING_FILE");
    /* No cache on disk, since programs of rejected tiles need not be kept. */
    (void)setenv("MCL_CACHE_DIR", "", 0);
    if (tune_device_open(&t) != 0) return 2;
    tune_device_close(&t);
    if (options->lists) return tune_parameter_list(&t) == 0 ? 0 : 1;
    t.n = options->n ? options->n : t.bench.info.is_gpu ? gpu_n : cpu_n;
    if (tune_chart_check(&t) != 0) return 1;
    if (bench_file_check("--chart", options->chart) != 0) return 2;
    if (output_open(options, "a", &output) != 0) return 2;
    if (output) (void)fclose(output);
    if (rows_file_make(&t) != 0) return 2;
    int status = tune_units_make(&t) == 0 ? 0 : 2;
    if (status == 0 && run(&t) != 0) status = 1;
    tune_rows_free(&t);
    (void)unlink(t.rows_path);
    return status;
}

int main(int argc, char **argv)
{
    static tune_options options;
    int status = 0;
    bench_call_itself("moderncl-tune");
    bench_spread_threads();
    if (tune_options_parse(argc, (const char **)argv, &options, &status)) return status;
    command_line_tell_passed_over("moderncl-tune");
    return command_line_end("moderncl-tune", tune_main(&options));
}
