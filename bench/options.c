/* options.c: the command line. */
#include "bench.h"
#include "command_line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_GIVEN = INT_MIN, SEED = 1 };

/* The texts from the command line. popt allocates them, and they live as long as the program. */
typedef struct raw_options {
    char *device;
    char *ops;
    char *types;
    char *sizes;
    char *compare;
    char *recorded;
    char *format;
    char *turns;
    char *keys;
    char *threads;
    char *items;
    char *child;
    double child_start;
    int queued;
    int device_counts;
    int cold;
    char *sweep;
    char *picture;
    double seconds;
    int random;
    int seed;
    int rule;
    int ranks;
    int reps;
    int list;
} raw_options;

/* ---- lists ---------------------------------------------------------------------------- */

static int add_op(void *to, const char *item)
{
    bench_options *const options = to;
    return bench_list_add_op(options->ops, &options->op_count, item);
}

static int add_type(void *to, const char *item)
{
    bench_options *const options = to;
    return bench_list_add_type(options->types, &options->type_count, item);
}

static int add_size(void *to, const char *item)
{
    bench_options *const options = to;
    if (bench_list_is_full(options->size_count, "--n")) return -1;
    return bench_size_read(item, &options->sizes[options->size_count++]);
}

static int add_number(const char *option, const char *item, int *list, int *count)
{
    char *end = NULL;
    const long number = strtol(item, &end, 10);
    if (end == item || *end != '\0' || number < 0 || number > 1 << 24) {
        bench_note("%s %s: must be a whole number; 0 is the tuning table's choice", option, item);
        return -1;
    }
    if (bench_list_is_full(*count, option)) return -1;
    list[(*count)++] = (int)number;
    return 0;
}

static int add_threads(void *to, const char *item)
{
    bench_options *const options = to;
    return add_number("--threads", item, options->threads, &options->thread_count);
}

static int add_items(void *to, const char *item)
{
    bench_options *const options = to;
    return add_number("--items", item, options->items, &options->item_count);
}

static int add_peer(void *to, const char *item)
{
    bench_options *const options = to;
    if (!bench_peer_known(item) || options->peer_count == BENCH_PEERS_MAX) {
        bench_note("--compare %s: must be some of native, cub, boost", item);
        return -1;
    }
    options->peers[options->peer_count++] = item;
    return 0;
}

static int set_format(bench_options *options, const char *format)
{
    if (!format || strcmp(format, "table") == 0)
        options->format = BENCH_TABLE;
    else if (strcmp(format, "csv") == 0)
        options->format = BENCH_CSV;
    else if (strcmp(format, "json") == 0)
        options->format = BENCH_JSON;
    else {
        bench_note("--format %s: must be table, csv or json", format);
        return -1;
    }
    return 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void fill_defaults(bench_options *options)
{
    if (options->op_count == 0)
        for (int k = 0; k < bench_op_count; k++) options->ops[options->op_count++] = bench_ops[k];
    if (options->type_count == 0) {
        (void)add_type(options, "int32");
        (void)add_type(options, "int64");
    }
    if (options->thread_count == 0) options->threads[options->thread_count++] = 0;
    if (options->item_count == 0) options->items[options->item_count++] = 0;
}

static int interpret_sweep(const raw_options *raw, bench_options *options)
{
    options->sweep = raw->sweep;
    options->picture = raw->picture;
    options->seconds = raw->seconds;
    options->random = raw->random;
    options->seed = raw->seed;
    options->rule = raw->rule;
    if (raw->sweep && !bench_sweep_known(raw->sweep)) return -1;
    if (raw->sweep && (raw->ops || raw->compare || raw->queued || raw->cold || raw->keys)) {
        bench_note("--sweep: goes without --op, --compare, --queued, --cold and --keys");
        return -1;
    }
    if (!raw->sweep && (raw->picture || raw->seconds != 0 || raw->random != 0 || raw->rule || raw->seed != SEED)) {
        bench_note("--random, --rule, --seconds, --seed and --picture: need --sweep");
        return -1;
    }
    if (raw->random < 0 || raw->seconds < 0) {
        bench_note("--random %d, --seconds %g: must not be below 0", raw->random, raw->seconds);
        return -1;
    }
    return bench_file_check("--picture", raw->picture);
}

static int interpret(const raw_options *raw, bench_options *options)
{
    options->device = raw->device;
    options->recorded = raw->recorded;
    options->child = raw->child;
    options->child_start = raw->child_start;
    options->queued = raw->queued;
    options->turns = raw->turns;
    options->keys = raw->keys;
    options->device_counts = raw->device_counts;
    options->cold = raw->cold;
    options->reps = raw->reps != NOT_GIVEN ? raw->reps : raw->sweep ? 5 : 15;
    options->list = raw->list;
    if (raw->keys && !bench_spread_known(raw->keys)) return -1;
    if (interpret_sweep(raw, options) != 0) return -1;
    if (raw->ranks) {
        bench_note("--ranks: must be the first argument");
        return -1;
    }
    if (options->reps < 1 || options->reps > BENCH_REPS_MAX) {
        bench_note("--reps %d: must be from 1 to %d", options->reps, BENCH_REPS_MAX);
        return -1;
    }
    if (bench_list_read(raw->ops, options, add_op) || bench_list_read(raw->types, options, add_type) ||
        bench_list_read(raw->sizes, options, add_size) || bench_list_read(raw->threads, options, add_threads) ||
        bench_list_read(raw->items, options, add_items) || bench_list_read(raw->compare, options, add_peer))
        return -1;
    fill_defaults(options);
    return set_format(options, raw->format);
}

#define HIDDEN(name, kind, place) { name, '\0', kind | POPT_ARGFLAG_DOC_HIDDEN, place, 0, NULL, NULL }

int bench_options_parse(int argc, const char **argv, bench_options *options, int *status)
{
    static raw_options raw = { .reps = NOT_GIVEN, .seed = SEED };
    const struct poptOption table[] = {
        OPTION("device", POPT_ARG_STRING, &raw.device, "device to run on: opencl:PLATFORM[:DEVICE], cuda:N", "NAME"),
        OPTION("op", POPT_ARG_STRING, &raw.ops, "rows, operations of moderncl-tune, or how names begin (default: all)",
               "NAME,..."),
        OPTION("type", POPT_ARG_STRING, &raw.types, "element types (default: int32,int64)", "TYPE,..."),
        OPTION("n", POPT_ARG_STRING, &raw.sizes, "sizes, 1e7 too (default: 1e5,1e6,1e7; on a GPU also 1e8)", "N,..."),
        OPTION("compare", POPT_ARG_STRING, &raw.compare, "time these peers in turn with ours: native, cub, boost",
               "PEER,..."),
        OPTION("recorded", POPT_ARG_STRING, &raw.recorded, "compare with a file of recorded peers where none ran",
               "FILE"),
        OPTION("queued", POPT_ARG_NONE, &raw.queued, "GPU: time launches that are queued after other work", NULL),
        OPTION("turns", POPT_ARG_STRING, &raw.turns,
               "one process at a time checks and times, of all that name this file", "FILE"),
        OPTION("keys", POPT_ARG_STRING, &raw.keys,
               "how keys are spread where rows have uniform ones: zipf, sorted, ... (a wrong name lists them)", "NAME"),
        OPTION("device-counts", POPT_ARG_NONE, &raw.device_counts, "also with the inputs' counts in device slots",
               NULL),
        OPTION("cold", POPT_ARG_NONE, &raw.cold, "time first calls, in processes that have compiled nothing", NULL),
        OPTION("ranks", POPT_ARG_NONE, &raw.ranks, "first argument, under mpirun: moderncl-mpi-bench takes all others",
               NULL),
        OPTION("sweep", POPT_ARG_STRING, &raw.sweep,
               "time operations over each of their parameters; a wrong name lists these; --n is the base point's",
               "all|NAME[:PARAMETER],..."),
        OPTION("random", POPT_ARG_INT, &raw.random, "sweep: random sets of values in place of one at a time", "N"),
        OPTION("seed", POPT_ARG_INT, &raw.seed, "sweep: number that random sets begin from (default: 1)", "S"),
        OPTION("rule", POPT_ARG_NONE, &raw.rule, "sweep: end with 1 and a list where points break the rule", NULL),
        OPTION("seconds", POPT_ARG_DOUBLE, &raw.seconds, "sweep: time for all points; coarse ones come first", "S"),
        OPTION("picture", POPT_ARG_STRING, &raw.picture, "sweep: draw the curves into this file (SVG)", "FILE"),
        OPTION("reps", POPT_ARG_INT, &raw.reps, "timed runs; the median counts (default: 15; sweep: 5)", "R"),
        OPTION("format", POPT_ARG_STRING, &raw.format, "table (default), csv or json", "FORMAT"),
        OPTION("threads", POPT_ARG_STRING, &raw.threads, "work-items in a tile; 1: serial mapping", "NT,..."),
        OPTION("items", POPT_ARG_STRING, &raw.items, "elements a work-item", "VT,..."),
        OPTION("list", POPT_ARG_NONE, &raw.list, "list operations, types and the peers that were built", NULL),
        HIDDEN("child", POPT_ARG_STRING, &raw.child),
        HIDDEN("child-start", POPT_ARG_DOUBLE, &raw.child_start),
        OPTIONS_END
    };
    options->program = argv[0];
    *status = 2;
    if (command_line_read("moderncl-bench", table, argc, argv, NULL, NULL) != 0) return 1;
    return interpret(&raw, options) != 0;
}
