/* demo_main.c: moderncl-demo NAME|all, the demonstrations of Modern GPU (S. Baxter, 2013) on any device. The table here
 * lists all demonstrations. demo_print.c has their shared parts, and each demo_*.c has a family. A new demonstration is
 * one function and one line of the table. */
#include "command_line.h"
#include "demo.h"

#include "../examples/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const char *name;
    mcl_status (*run)(demo *at);
} entry;

/* The table has the order of the stream of random numbers, in which "all" runs the demonstrations. */
static const entry entries[] = {
    { "library-fill-sort", demo_library_fill_sort },
    { "scan", demo_scan },
    { "max-index", demo_max_index },
    { "bulk-remove", demo_bulk_remove },
    { "bulk-insert", demo_bulk_insert },
    { "merge-keys", demo_merge_keys },
    { "merge-pairs", demo_merge_pairs },
    { "sorted-search", demo_sorted_search },
    { "sorted-search-2", demo_sorted_search_2 },
    { "load-balance", demo_load_balance },
    { "interval-expand", demo_interval_expand },
    { "interval-move", demo_interval_move },
    { "join", demo_join },
    { "sets-keys", demo_sets_keys },
    { "sets-pairs", demo_sets_pairs },
    { "sort-keys", demo_sort_keys },
    { "sort-pairs", demo_sort_pairs },
    { "segsort-keys", demo_segsort_keys },
    { "segsort-pairs", demo_segsort_pairs },
    { "locality-sort-keys", demo_locality_sort_keys },
    { "locality-sort-pairs", demo_locality_sort_pairs },
    { "launchbox", demo_launchbox },
};
enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

static int is_known(const char *name)
{
    if (strcmp(name, "all") == 0) return 1;
    for (int k = 0; k < ENTRY_COUNT; k++)
        if (strcmp(name, entries[k].name) == 0) return 1;
    return 0;
}

static void print_names(FILE *to)
{
    fputs("demonstrations: all", to);
    for (int k = 0; k < ENTRY_COUNT; k++) fprintf(to, ", %s", entries[k].name);
    fputc('\n', to);
}

static mcl_status run_entry(demo *at, const entry *chosen)
{
    const mcl_status status = chosen->run(at);

    for (int k = 0; k < at->buffer_count; k++) mcl_buffer_release(at->buffers[k]);
    at->buffer_count = 0;
    return status;
}

static mcl_status run_named(demo *at, const char *name)
{
    const int all = strcmp(name, "all") == 0;

    for (int k = 0; k < ENTRY_COUNT; k++)
        if (all || strcmp(name, entries[k].name) == 0) DEMO_TRY(run_entry(at, &entries[k]));
    return MCL_OK;
}

/* Runs a demonstration, or all, on a device. Returns the exit status. */
static int run_on_device(const char *device, const char *name)
{
    command_line_tell_passed_over("moderncl-demo");
    demo at = { .device_given = device || getenv("MCL_DEVICE") };
    mcl_status status = mcl_context_create(device, &at.context);
    const int failure = status == MCL_OK ? EXIT_FAILURE : COMMAND_LINE_WRONG;

    if (status == MCL_OK) progress_show(at.context);
    if (status == MCL_OK) status = mcl_queue_create(at.context, 0, &at.queue);
    if (status == MCL_OK) status = run_named(&at, name);
    if (status != MCL_OK) fprintf(stderr, "moderncl-demo: %s\n", mcl_last_error());
    mcl_queue_release(at.queue);
    mcl_context_release(at.context);
    return command_line_end("moderncl-demo", status == MCL_OK ? EXIT_SUCCESS : failure);
}

int main(int argument_count, const char **arguments)
{
    char *device = NULL;
    const struct poptOption options[] = { { "device", 'd', POPT_ARG_STRING, &device, 0,
                                            "run on this device, as moderncl-info names it", "DEVICE" },
                                          OPTIONS_END };
    char *name = NULL;
    const char *const usage = "[--device DEVICE] NAME|all";
    int code = COMMAND_LINE_WRONG;

    const int is_read = command_line_read("moderncl-demo", options, argument_count, arguments, usage, &name) == 0;
    if (is_read && name && is_known(name)) {
        code = run_on_device(device, name);
    } else {
        if (is_read) fprintf(stderr, "moderncl-demo: %s: expected a demonstration's name\n", name ? name : "no name");
        print_names(stderr);
    }
    free(name);
    free(device);
    return code;
}
