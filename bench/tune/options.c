/* options.c: reads the command line of moderncl-tune. */
#include "command_line.h"
#include "tune.h"

#include <stdlib.h>
#include <string.h>

/* The texts from the command line. popt allocates them, and they live as long as the program. */
typedef struct raw_options {
    char *device;
    char *operations;
    char *types;
    char *n;
    char *output;
    char *chart;
    char *parameter;
    double budget;
    double spread;
    int quick;
    int full;
    int compares_unknown;
    int lists;
} raw_options;

static int add_operation(void *to, const char *item)
{
    tune_options *const options = to;
    for (int k = 0; mcl_operation_name(k); k++) {
        if (strcmp(mcl_operation_name(k), item) != 0) continue;
        if (bench_list_is_full(options->operation_count, "--op")) return -1;
        options->operations[options->operation_count++] = mcl_operation_name(k);
        return 0;
    }
    bench_note("--op %s: there is no such operation; moderncl-info --all lists them with their tiles", item);
    return -1;
}

static int add_type(void *to, const char *item)
{
    tune_options *const options = to;
    return bench_list_add_type(options->types, &options->type_count, item);
}

static int add_value(void *to, const char *item)
{
    tune_options *const options = to;
    char *end = NULL;
    const long value = strtol(item, &end, 10);
    if (*end || end == item || value < 0 || value > INT32_MAX) {
        bench_note("--parameter %s: %s must be a whole number from 0 to %d", options->parameter, item, INT32_MAX);
        return -1;
    }
    if (options->value_count == TUNE_VALUES_MAX) {
        bench_note("--parameter %s: more than %d values", options->parameter, TUNE_VALUES_MAX);
        return -1;
    }
    options->values[options->value_count++] = (int)value;
    return 0;
}

/* Reads NAME or NAME=VALUE,... Where no operation is given, the parameter's own operation is measured. */
static int read_parameter(char *text, tune_options *options)
{
    char *const values = text ? strchr(text, '=') : NULL;
    if (!text) return 0;
    if (values) *values = 0;
    for (int k = 0; mcl_tuning_parameter_name(k); k++)
        if (strcmp(mcl_tuning_parameter_name(k), text) == 0) options->parameter = mcl_tuning_parameter_name(k);
    if (!options->parameter) {
        bench_note("--parameter %s: there is no such parameter; moderncl-tune --list names them", text);
        return -1;
    }
    const size_t length = strcspn(text, ".");
    for (int k = 0; mcl_operation_name(k) && options->operation_count == 0; k++)
        if (strlen(mcl_operation_name(k)) == length && strncmp(mcl_operation_name(k), text, length) == 0)
            options->operations[options->operation_count++] = mcl_operation_name(k);
    return values ? bench_list_read(values + 1, options, add_value) : 0;
}

static int interpret(const raw_options *raw, tune_options *options)
{
    options->device = raw->device;
    options->output = raw->output;
    options->chart = raw->chart;
    options->compares_unknown = raw->compares_unknown;
    options->lists = raw->lists;
    options->effort = raw->quick ? TUNE_QUICK : raw->full ? TUNE_FULL : TUNE_USUAL;
    options->budget_ms = raw->budget * 1e3;
    options->spread = raw->spread / 100;
    options->tunes = !raw->chart || raw->output || raw->operations;
    if (raw->quick && raw->full) {
        bench_note("--quick and --full: only one of them can be had");
        return -1;
    }
    if (!(raw->budget > 0)) {
        bench_note("--budget %g: must be more than 0 seconds", raw->budget);
        return -1;
    }
    if (!(raw->spread >= 0)) {
        bench_note("--spread %g: must be 0 percent or more", raw->spread);
        return -1;
    }
    if (bench_list_read(raw->operations, options, add_operation) || bench_list_read(raw->types, options, add_type))
        return -1;
    if (read_parameter(raw->parameter, options) != 0) return -1;
    if (options->type_count == 0 && (add_type(options, "int32") || add_type(options, "int64"))) return -1;
    return raw->n ? bench_size_read(raw->n, &options->n) : 0;
}

int tune_options_parse(int argc, const char **argv, tune_options *options, int *status)
{
    static raw_options raw = { .budget = 1, .spread = 25 };
    const struct poptOption table[] = {
        OPTION("device", POPT_ARG_STRING, &raw.device, "device to tune: opencl:PLATFORM[:DEVICE], cuda:N", "NAME"),
        OPTION("op", POPT_ARG_STRING, &raw.operations, "operations of tuning rows (default: all)", "NAME,..."),
        OPTION("type", POPT_ARG_STRING, &raw.types, "element types (default: int32,int64)", "TYPE,..."),
        OPTION("n", POPT_ARG_STRING, &raw.n, "elements, 1e7 too (default: 1e6; on a GPU 1e7)", "N"),
        OPTION("quick", POPT_ARG_NONE, &raw.quick, "few tiles, one row of the bench each", NULL),
        OPTION("full", POPT_ARG_NONE, &raw.full, "all tiles of the grid instead of those near the best", NULL),
        OPTION("budget", POPT_ARG_DOUBLE, &raw.budget, "seconds to time a tile in one row of the bench (default: 1)",
               "S"),
        OPTION("spread", POPT_ARG_DOUBLE, &raw.spread,
               "most spread of the runs of the library's own tile, above which no row is written (default: 25)",
               "PERCENT"),
        OPTION("output", POPT_ARG_STRING, &raw.output, "file for the rows, which MCL_TUNING_FILE names", "FILE"),
        OPTION("parameter", POPT_ARG_STRING, &raw.parameter, "values of one parameter instead of tiles",
               "NAME[=VALUE,...]"),
        OPTION("list", POPT_ARG_NONE, &raw.lists, "the parameters and their values on the device", NULL),
        OPTION("chart", POPT_ARG_STRING, &raw.chart,
               "draw merge sort over all tiles; without --op or --output that alone", "FILE.svg"),
        OPTION("compare-unknown", POPT_ARG_NONE, &raw.compares_unknown,
               "time the device with its rows and as one that has none", NULL),
        OPTIONS_END
    };
    *status = 2;
    if (command_line_read("moderncl-tune", table, argc, argv, NULL, NULL) != 0) return 1;
    return interpret(&raw, options) != 0;
}
