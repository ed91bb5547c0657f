/* main.c: answers queries of TPC-H from columns in files, and times them. usage: tpch [OPTION...]; run calls it. */
#define _POSIX_C_SOURCE 200809L
#include "plan.h"

#include "../progress.h"
#include "command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_MOST = 1000, PATH_BYTES = 4096 };

typedef struct options {
    char *device, *data, *answers;
    int runs;
} options;

static const struct query {
    int number;
    mcl_status (*run)(plan *at);
} queries[] = { { 1, query_01 }, { 3, query_03 }, { 5, query_05 }, { 9, query_09 }, { 18, query_18 } };

static int options_read(options *read, int count, const char **words)
{
    const struct poptOption table[] = {
        OPTION("device", POPT_ARG_STRING, &read->device, "the device, as moderncl-info names it", "DEVICE"),
        OPTION("data", POPT_ARG_STRING, &read->data, "the folder of the columns", "FOLDER"),
        OPTION("answers", POPT_ARG_STRING, &read->answers, "the folder that gets answers and times", "FOLDER"),
        OPTION("runs", POPT_ARG_INT, &read->runs, "timed runs of each query (5)", "N"), OPTIONS_END
    };
    *read = (options){ .runs = 5 };
    if (command_line_read("tpch", table, count, words, NULL, NULL)) return -1;
    if (read->data && read->answers && read->runs >= 1 && read->runs <= RUNS_MOST) return 0;
    fprintf(stderr, "tpch: expected --data, --answers, and --runs from 1 to %d\n", RUNS_MOST);
    return -1;
}

/* What a run takes, in milliseconds: by the clock, and of all processors. */
typedef struct cost {
    double clock, processors;
} cost;

static double milliseconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static cost cost_now(void)
{
    return (cost){ milliseconds_of(CLOCK_MONOTONIC), milliseconds_of(CLOCK_PROCESS_CPUTIME_ID) };
}

static int compare_times(const void *p, const void *q)
{
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
    return (times[count / 2] + times[(count - 1) / 2]) / 2;
}

static FILE *open_answer(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const opened = fopen(path, "w");
    if (!opened) fprintf(stderr, "tpch: %s: %s\n", path, strerror(errno));
    return opened;
}

/* Runs a query once and takes the time from the first call to the answer in its file. */
static int run_once(plan *at, const struct query *query, const char *folder, cost *spent)
{
    char name[32];
    snprintf(name, sizeof name, "query_%02d", query->number);
    at->answer = open_answer(folder, name);
    if (!at->answer) return -1;
    const cost begun = cost_now();
    const mcl_status status = query->run(at);
    plan_release(at);
    const cost ended = cost_now();
    *spent = (cost){ ended.clock - begun.clock, ended.processors - begun.processors };
    if (status != MCL_OK) fprintf(stderr, "tpch: query %d: %s\n", query->number, mcl_last_error());
    return fclose(at->answer) || status != MCL_OK ? -1 : 0;
}

/* A line of times: the number; the first run, which compiles; the medians of the others. */
static int run_query(plan *at, const struct query *query, const options *given, FILE *times)
{
    double clocks[RUNS_MOST], processors[RUNS_MOST];
    cost first, spent;
    if (run_once(at, query, given->answers, &first)) return -1;
    for (int k = 0; k < given->runs; ++k) {
        if (run_once(at, query, given->answers, &spent)) return -1;
        clocks[k] = spent.clock;
        processors[k] = spent.processors;
    }
    fprintf(times, "%d\t%.3f\t%.3f\t%.3f\n", query->number, first.clock, median(clocks, given->runs),
            median(processors, given->runs));
    return 0;
}

/* The first line of times is the device's name. */
static int run_queries(plan *at, const options *given)
{
    mcl_device_info info;
    FILE *const times = open_answer(given->answers, "times");
    int failed = !times;
    if (!failed && mcl_context_info(at->context, &info) != MCL_OK) failed = 1;
    if (!failed) fprintf(times, "%s (%s)\n", info.name, info.backend);
    for (size_t k = 0; !failed && k < sizeof queries / sizeof queries[0]; ++k)
        failed = run_query(at, &queries[k], given, times);
    if (times && fclose(times)) failed = 1;
    return failed;
}

int main(int argc, char **argv)
{
    options given;
    static columns tables;
    plan at = { .tables = &tables };
    int failed = options_read(&given, argc, (const char **)argv) ? COMMAND_LINE_WRONG : 0;
    if (!failed && (mcl_context_create(given.device, &at.context) || mcl_queue_create(at.context, 0, &at.queue))) {
        fprintf(stderr, "tpch: %s\n", mcl_last_error());
        failed = 1;
    }
    if (!failed) progress_show(at.context);
    if (!failed) failed = columns_load(&tables, at.context, at.queue, given.data) || run_queries(&at, &given);
    columns_release(&tables);
    mcl_queue_release(at.queue);
    mcl_context_release(at.context);
    free(given.device);
    free(given.data);
    free(given.answers);
    return failed;
}
