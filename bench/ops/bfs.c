/* bfs.c: breadth-first search over an R-MAT graph of n edges, by the kernel of examples/bfs. It starts at the vertex
 * with most outgoing edges. Times are wall times, since a search reads its counts back. The peer is the same search in
 * plain C. */
#include "bench.h"

#include "bfs/search.h"

#include <stdlib.h>
#include <string.h>

/* A graph with the results of the searches in it. */
typedef struct searched {
    graph graph;
    int32_t source;
    int32_t *levels, *expected, *work;
    int64_t expected_edges;
} searched;

/* Makes a graph and the memory of its searches. Returns 0, or -1 where there is no memory. */
static int searched_make(searched *made, int64_t edges)
{
    int scale = 1;
    *made = (searched){ 0 };
    while (((int64_t)16 << (scale + 1)) <= edges) scale++;
    if (edges >= GRAPH_SIZE_MAX / 2 || graph_rmat(&made->graph, scale, (int32_t)edges, 1) != 0) return -1;
    const size_t bytes = (size_t)made->graph.vertex_count * sizeof(int32_t);
    made->levels = malloc(bytes);
    made->expected = malloc(bytes);
    made->work = malloc(bytes);
    made->source = graph_largest_degree(&made->graph);
    return made->levels && made->expected && made->work ? 0 : -1;
}

static void searched_free(searched *freed)
{
    graph_free(&freed->graph);
    free(freed->levels);
    free(freed->expected);
    free(freed->work);
}

static void time_plain(const bench *b, searched *at, bench_samples *samples)
{
    for (int k = -1; k < b->options->reps; k++) {
        const double start = bench_now();
        at->expected_edges = graph_search(&at->graph, at->source, at->expected, at->work);
        if (k >= 0) bench_samples_add(samples, bench_now() - start);
    }
}

static mcl_status time_ours(const bench *b, searched *at, bfs *search, bench_samples *samples, bfs_result *result)
{
    mcl_status status = bfs_open(search, b->queue, &at->graph, b->options->threads[0]);
    for (int k = -3; k < b->options->reps && status == MCL_OK; k++) {
        const double start = bench_now();
        status = bfs_run(search, at->source, result);
        if (k >= 0) bench_samples_add(samples, bench_now() - start);
    }
    if (status != MCL_OK) return status;
    const size_t bytes = (size_t)at->graph.vertex_count * sizeof(int32_t);
    return mcl_buffer_read(b->queue, search->levels, 0, bytes, at->levels);
}

static int is_right(const searched *at, const bfs_result *result)
{
    const size_t bytes = (size_t)at->graph.vertex_count * sizeof(int32_t);
    return result->edges == at->expected_edges && memcmp(at->levels, at->expected, bytes) == 0;
}

/* Bytes: for each edge, the edge is read, and the level of its end. */
static void report(bench *b, const bench_op *op, int64_t n, const bfs *search, const bfs_result *result,
                   bench_samples *ours, bench_samples *plain)
{
    bench_row row = { .op = op->name, .type = "int32", .n = n, .copy_ratio = -1 };
    row.mapping = search->tile.threads == 1 ? "serial" : "group";
    row.threads = search->tile.threads;
    row.items = search->tile.items;
    row.median_ms = bench_median(ours);
    row.min_ms = bench_minimum(ours);
    row.gbps = 8.0 * (double)result->edges / row.median_ms * 1e-6;
    row.peer = "plain C";
    row.peer_ms = bench_median(plain);
    row.peer_source = "same-run";
    bench_report_row(b->report, &row);
    bench_note("%s n=%lld: %lld edges gone along, %.3f e9 a second; plain C %.3f e9", op->name, (long long)n,
               (long long)result->edges, (double)result->edges / row.median_ms * 1e-6,
               (double)result->edges / row.peer_ms * 1e-6);
}

static int bfs_measure_size(bench *b, const bench_op *op, int64_t n)
{
    bench_samples ours = { .count = 0 }, plain = { .count = 0 };
    bfs_result result = { 0 };
    bfs search = { 0 };
    searched at;
    int status = -1;
    if (searched_make(&at, n) != 0) {
        bench_note("%s n=%lld: no memory for the graph", op->name, (long long)n);
    } else {
        time_plain(b, &at, &plain);
        if (time_ours(b, &at, &search, &ours, &result) != MCL_OK)
            status = bench_failed(op->name);
        else if (!is_right(&at, &result))
            bench_note("%s n=%lld: the levels are not those of the plain search", op->name, (long long)n);
        else
            status = 0;
        if (status == 0) report(b, op, n, &search, &result, &ours, &plain);
        bfs_close(&search);
    }
    searched_free(&at);
    return status;
}

static int bfs_measure(bench *b, const bench_op *op)
{
    static const int64_t usual[] = { 1 << 20, 1 << 24 };
    const int64_t *sizes = b->options->size_count ? b->options->sizes : usual;
    const int count = b->options->size_count ? b->options->size_count : 2;
    int failed = 0;
    for (int k = 0; k < count; k++) failed |= bfs_measure_size(b, op, sizes[k]);
    return failed;
}

const bench_op bench_op_bfs_rmat = { .name = "bfs_rmat", .measure = bfs_measure };
