/* main.c: breadth-first search over a graph, on a device and in plain C.
 *
 *     bfs [--device D] [--threads N] [--source V] [--undirected] [--runs N] (--rmat SCALE | FILE)
 *
 * FILE has lines "FROM TO"; --rmat makes a graph of 2^SCALE edges between a sixteenth as many vertices. The search
 * starts at V, else at the vertex that most edges leave. Prints how many vertices each level has and how long the
 * search takes on the device, read-backs included, and in plain C, the median of the runs each; both must agree.
 * --threads 1 is the serial mapping, more a work-group's. */
#include "search.h"
#include "../progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_MAX = 1000, LEVELS_SHOWN = 32 };

typedef struct settings {
    const char *device;
    const char *file;
    int scale; /* 0: a file */
    int threads;
    int runs;
    int undirected;
    long source; /* -1: chosen */
} settings;

/* ---- arguments -------------------------------------------------------------------------------------------------- */

static int number_in(const char *text, long least, long most, long *number)
{
    char *end = NULL;
    *number = strtol(text, &end, 10);
    return end != text && *end == 0 && *number >= least && *number <= most;
}

/* An option with a value, which is understood; else 0. */
static int take_value(settings *s, const char *option, const char *value)
{
    long number = 0;
    if (strcmp(option, "--device") == 0) {
        s->device = value;
        return 1;
    }
    if (strcmp(option, "--rmat") == 0 && number_in(value, 4, 30, &number)) {
        s->scale = (int)number;
        return 1;
    }
    if (strcmp(option, "--threads") == 0 && number_in(value, 0, 1024, &number)) {
        s->threads = (int)number;
        return 1;
    }
    if (strcmp(option, "--runs") == 0 && number_in(value, 1, RUNS_MAX, &number)) {
        s->runs = (int)number;
        return 1;
    }
    return strcmp(option, "--source") == 0 && number_in(value, 0, GRAPH_SIZE_MAX, &s->source);
}

static int settings_read(settings *s, int argc, char **argv)
{
    *s = (settings){ .runs = 5, .source = -1 };
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], "--undirected") == 0) {
            s->undirected = 1;
        } else if (argv[k][0] != '-' && !s->file) {
            s->file = argv[k];
        } else if (k + 1 < argc && take_value(s, argv[k], argv[k + 1])) {
            ++k;
        } else {
            fprintf(stderr, "bfs: %s is not understood\n", argv[k]);
            return -1;
        }
    }
    if (!s->file != !s->scale) return 0;
    fprintf(stderr, "usage: bfs [--device D] [--threads N] [--source V] [--undirected] [--runs N] "
                    "(--rmat SCALE | FILE)\n");
    return -1;
}

static int make_graph(const settings *s, graph *made)
{
    if (s->file) return graph_read(made, s->file, s->undirected, stderr);
    const int vertices = s->scale > 4 ? s->scale - 4 : 1;
    if (graph_rmat(made, vertices, (int32_t)1 << s->scale, 1) == 0) return 0;
    fprintf(stderr, "bfs: no memory for 2^%d edges\n", s->scale);
    return -1;
}

/* ---- timing ----------------------------------------------------------------------------------------------------- */

static double milliseconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
    return times[count / 2];
}

/* ---- the searches ----------------------------------------------------------------------------------------------- */

typedef struct searched {
    int32_t *levels;
    int64_t edges;
    int64_t reached;
    double ms;
} searched;

static mcl_status search_on_device(const settings *s, const graph *in, int32_t source, searched *out)
{
    double times[RUNS_MAX];
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_device_info info;
    bfs_result result = { 0 };
    bfs search = { 0 };
    mcl_status status = mcl_context_create(s->device, &context);
    if (status == MCL_OK) progress_show(context);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &queue);
    if (status == MCL_OK) status = mcl_context_info(context, &info);
    if (status == MCL_OK) status = bfs_open(&search, queue, in, s->threads);
    for (int k = -1; k < s->runs && status == MCL_OK; ++k) { /* the first run is not timed */
        const double start = milliseconds();
        status = bfs_run(&search, source, &result);
        if (k >= 0) times[k] = milliseconds() - start;
    }
    if (status == MCL_OK) status = bfs_reached(&search, &out->reached);
    if (status == MCL_OK)
        status = mcl_buffer_read(queue, search.levels, 0, (size_t)in->vertex_count * sizeof *out->levels, out->levels);
    if (status == MCL_OK) {
        printf("%s (%s), tile %d x %d\n", info.name, info.backend, search.tile.threads, search.tile.items);
        out->ms = median(times, s->runs);
    }
    out->edges = result.edges;
    bfs_close(&search);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

static void search_in_plain_c(const settings *s, const graph *in, int32_t source, int32_t *work, searched *out)
{
    double times[RUNS_MAX];
    for (int k = 0; k < s->runs; ++k) {
        const double start = milliseconds();
        out->edges = graph_search(in, source, out->levels, work);
        times[k] = milliseconds() - start;
    }
    out->ms = median(times, s->runs);
    out->reached = 0;
    for (int32_t v = 0; v < in->vertex_count; ++v) out->reached += out->levels[v] >= 0;
}

/* ---- the report ------------------------------------------------------------------------------------------------- */

static void print_levels(const graph *in, int32_t source, const searched *found)
{
    int64_t vertices[LEVELS_SHOWN] = { 0 };
    int32_t last = 0;
    for (int32_t v = 0; v < in->vertex_count; ++v) {
        const int32_t level = found->levels[v];
        if (level > last) last = level;
        if (level >= 0 && level < LEVELS_SHOWN) ++vertices[level];
    }
    printf("from vertex %d: %lld of %d vertices reached in %d levels, %lld edges\n", source, (long long)found->reached,
           in->vertex_count, last + 1, (long long)found->edges);
    for (int32_t level = 0; level <= last && level < LEVELS_SHOWN; ++level)
        printf("  level %2d %10lld vertices\n", level, (long long)vertices[level]);
    if (last >= LEVELS_SHOWN) printf("  and %d levels more\n", last + 1 - LEVELS_SHOWN);
}

static void print_time(const char *where, const searched *found)
{
    printf("%-8s %10.3f ms %10.4f e9 edges/s\n", where, found->ms, (double)found->edges / found->ms * 1e-6);
}

static int compare(const graph *in, const searched *device, const searched *plain)
{
    for (int32_t v = 0; v < in->vertex_count; ++v) {
        if (device->levels[v] == plain->levels[v]) continue;
        fprintf(stderr, "bfs: vertex %d has level %d on the device and %d in plain C\n", v, device->levels[v],
                plain->levels[v]);
        return 1;
    }
    if (device->edges == plain->edges && device->reached == plain->reached) return 0;
    fprintf(stderr, "bfs: %lld edges and %lld vertices on the device, %lld and %lld in plain C\n",
            (long long)device->edges, (long long)device->reached, (long long)plain->edges, (long long)plain->reached);
    return 1;
}

static int run(const settings *s, const graph *in)
{
    const size_t bytes = (size_t)in->vertex_count * sizeof(int32_t);
    searched device = { .levels = malloc(bytes) }, plain = { .levels = malloc(bytes) };
    int32_t *const work = malloc(bytes);
    const int32_t source = s->source >= 0 ? (int32_t)s->source : graph_largest_degree(in);
    int status = 1;
    if (!device.levels || !plain.levels || !work) {
        fprintf(stderr, "bfs: no memory for the levels of %d vertices\n", in->vertex_count);
    } else if (search_on_device(s, in, source, &device) != MCL_OK) {
        fprintf(stderr, "%s\n", mcl_last_error());
    } else {
        search_in_plain_c(s, in, source, work, &plain);
        print_levels(in, source, &device);
        print_time("device", &device);
        print_time("plain C", &plain);
        printf("ratio    %10.2f\n", plain.ms / device.ms);
        status = compare(in, &device, &plain);
    }
    free(device.levels);
    free(plain.levels);
    free(work);
    return status;
}

int main(int argc, char **argv)
{
    settings s;
    graph in;
    if (settings_read(&s, argc, argv) != 0) return 2;
    if (make_graph(&s, &in) != 0) return 1;
    int status = 1;
    if (in.vertex_count > 0 && s.source < in.vertex_count)
        status = run(&s, &in);
    else
        fprintf(stderr, "bfs: --source %ld: the graph has %d vertices\n", s.source, in.vertex_count);
    graph_free(&in);
    return status;
}
