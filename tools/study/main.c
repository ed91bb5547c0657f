/* main.c: moderncl-study merge|retrieve: prints a table for each size, and draws a chart. Needs popt. */
#include "command_line.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *device, *sizes, *chart, *name;
} arguments;

static int fails(const char *what)
{
    fprintf(stderr, "moderncl-study: %s: %s\n", what, mcl_last_error());
    return 1;
}

/* Runs the study at each size of the list. Returns 0 where all results were right. */
static int run_sizes(study *at, mcl_status (*run)(study *), const char *sizes)
{
    int wrong = 0;
    for (const char *text = sizes; *text && at->table.size_count < STUDY_SIZES_MAX;) {
        char *end = NULL;
        const double size = strtod(text, &end);
        if (end == text || size < 2 || size > 1e9) {
            fprintf(stderr, "moderncl-study: --n %s: expected numbers from 2 to 1e9, separated by commas\n", sizes);
            return COMMAND_LINE_WRONG;
        }
        text = *end == ',' ? end + 1 : end;
        at->n = (int64_t)size;
        const int number = at->table.size_count++;
        at->table.sizes[number] = at->n;
        if (run(at) != MCL_OK) return fails(at->table.title);
        study_print(&at->table, number);
        for (int r = 0; r < at->table.row_counts[number]; r++) wrong += !at->table.rows[number][r].is_right;
    }
    return wrong > 0;
}

static int study_open(study *at, const char *device)
{
    if (mcl_context_create(device, &at->context) != MCL_OK) return fails("device");
    if (mcl_context_info(at->context, &at->info) != MCL_OK) return fails("device");
    if (mcl_queue_create(at->context, MCL_QUEUE_PROFILING, &at->queue) != MCL_OK) return fails("queue");
    (void)snprintf(at->table.device, sizeof at->table.device, "%.60s (%s)", at->info.name, at->info.backend);
    return 0;
}

static int run_study(const arguments *told)
{
    static study at; /* static, since it is too large for a stack */
    const int is_merge = strcmp(told->name, "merge") == 0;
    at.table.title = is_merge ? "merges of int32" : "all entries of a map, int32 to int32";
    int status = study_open(&at, told->device) == 0 ? 0 : COMMAND_LINE_WRONG;
    if (status == 0) status = run_sizes(&at, is_merge ? study_merge : study_retrieve, told->sizes);
    if (status == 0 && told->chart && study_chart(&at.table, told->chart) != 0) {
        fprintf(stderr, "moderncl-study: %s cannot be written\n", told->chart);
        status = 1;
    }
    mcl_queue_release(at.queue);
    mcl_context_release(at.context);
    return status;
}

int main(int count, const char **words)
{
    arguments told = { .sizes = "1e5,1e6,1e7" };
    const struct poptOption options[] = {
        { "device", 'd', POPT_ARG_STRING, &told.device, 0, "the device; by default the best", "NAME" },
        { "n", 'n', POPT_ARG_STRING, &told.sizes, 0, "numbers of elements, by default 1e5,1e6,1e7", "LIST" },
        { "chart", 'c', POPT_ARG_STRING, &told.chart, 0, "write throughput against n there, as SVG", "FILE" },
        OPTIONS_END
    };
    char *name = NULL;
    int status = 2;
    if (command_line_read("moderncl-study", options, count, words, "[OPTION...] merge|retrieve", &name) != 0) return 2;
    told.name = name;
    if (name && (strcmp(name, "merge") == 0 || strcmp(name, "retrieve") == 0))
        status = run_study(&told);
    else
        fprintf(stderr, "usage: moderncl-study [OPTION...] merge|retrieve\n");
    free(name);
    return status;
}
