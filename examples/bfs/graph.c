/* graph.c: makes, reads and searches graphs on the host. */
#include "graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct edge_list {
    int32_t *from, *to;
    int32_t count, capacity;
} edge_list;

static void edges_free(edge_list *freed)
{
    free(freed->from);
    free(freed->to);
}

static int edges_reserve(edge_list *grown, int32_t capacity)
{
    int32_t *const from = realloc(grown->from, (size_t)capacity * sizeof *from);
    if (from) grown->from = from;
    int32_t *const to = realloc(grown->to, (size_t)capacity * sizeof *to);
    if (to) grown->to = to;
    if (!from || !to) return -1;
    grown->capacity = capacity;
    return 0;
}

/* ---- compressed rows ------------------------------------------------------------------------------------------ */

static int graph_build(graph *made, const edge_list *edges, int32_t vertex_count)
{
    const size_t rows = (size_t)vertex_count + 1;
    *made = (graph){ .vertex_count = vertex_count, .edge_count = edges->count };
    made->rows = calloc(rows + 1, sizeof *made->rows);
    made->columns = malloc((size_t)(edges->count > 0 ? edges->count : 1) * sizeof *made->columns);
    if (!made->rows || !made->columns) {
        graph_free(made);
        return -1;
    }
    /* counted two places on, so that the places to fill from stand one on, and the rows stay before them */
    int32_t *const next = made->rows + 1;
    for (int32_t k = 0; k < edges->count; ++k)
        if (edges->from[k] + 1 < vertex_count) ++next[edges->from[k] + 1];
    for (int32_t v = 1; v < vertex_count; ++v) next[v] += next[v - 1];
    for (int32_t k = 0; k < edges->count; ++k) made->columns[next[edges->from[k]]++] = edges->to[k];
    return 0;
}

void graph_free(graph *freed)
{
    free(freed->rows);
    free(freed->columns);
    *freed = (graph){ 0 };
}

int32_t graph_degree(const graph *of, int32_t vertex)
{
    return of->rows[vertex + 1] - of->rows[vertex];
}

int32_t graph_largest_degree(const graph *of)
{
    int32_t best = 0;
    for (int32_t v = 1; v < of->vertex_count; ++v)
        if (graph_degree(of, v) > graph_degree(of, best)) best = v;
    return best;
}

/* ---- R-MAT ---------------------------------------------------------------------------------------------------- */

/* SplitMix64 at a place of its sequence. */
static uint64_t random_at(uint64_t seed, uint64_t place)
{
    uint64_t z = seed + (place + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* One to one on scale bits. */
static uint32_t scramble(uint32_t vertex, int scale)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << scale) - 1);
    uint32_t x = vertex;
    for (int round = 0; round < 2; ++round) {
        x = (x * 0x9E3779B1u + 0x7F4A7C15u) & mask;
        x ^= x >> (scale / 2 + 1);
    }
    return x;
}

int graph_rmat(graph *made, int scale, int32_t edge_count, uint64_t seed)
{
    /* of a quarter: both halves 0, the column's 1, the row's 1, both; of 2^16 */
    static const uint32_t column_from = 37356, row_from = 49807, both_from = 62259;
    edge_list edges = { 0 };
    int status = edges_reserve(&edges, edge_count > 0 ? edge_count : 1);
    for (int32_t k = 0; status == 0 && k < edge_count; ++k) {
        uint32_t from = 0, to = 0;
        uint64_t bits = 0;
        for (int level = 0; level < scale; ++level) {
            bits = level % 4 ? bits >> 16 : random_at(seed, (uint64_t)k * 8 + (uint64_t)level / 4);
            const uint32_t u = (uint32_t)(bits & 0xffff);
            from = from * 2 + (u >= row_from);
            to = to * 2 + ((u >= column_from && u < row_from) || u >= both_from);
        }
        edges.from[k] = (int32_t)scramble(from, scale);
        edges.to[k] = (int32_t)scramble(to, scale);
    }
    edges.count = edge_count;
    if (status == 0) status = graph_build(made, &edges, (int32_t)1 << scale);
    edges_free(&edges);
    return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

static int edges_add(edge_list *edges, long from, long to)
{
    if (edges->count == edges->capacity) {
        const int32_t more = edges->capacity < GRAPH_SIZE_MAX / 2 ? 2 * edges->capacity + 1024 : GRAPH_SIZE_MAX;
        if (edges->count == more || edges_reserve(edges, more) != 0) return -1;
    }
    edges->from[edges->count] = (int32_t)from;
    edges->to[edges->count++] = (int32_t)to;
    return 0;
}

/* One line; -1 and a sentence where it has no two numbers that will do. */
static int read_line(edge_list *edges, const char *text, int both_ways, long *largest)
{
    char *end = NULL;
    const char *const start = text + strspn(text, " \t\r\n");
    if (*start == 0 || *start == '#' || *start == '%') return 0;
    const long from = strtol(start, &end, 10);
    const char *const second = end;
    const long to = end == start ? -1 : strtol(second, &end, 10);
    if (end == start || end == second || from < 0 || to < 0 || from >= GRAPH_SIZE_MAX || to >= GRAPH_SIZE_MAX)
        return -1;
    if (from > *largest) *largest = from;
    if (to > *largest) *largest = to;
    if (edges_add(edges, from, to) != 0) return -1;
    return both_ways ? edges_add(edges, to, from) : 0;
}

int graph_read(graph *made, const char *path, int both_ways, FILE *messages)
{
    char text[256];
    edge_list edges = { 0 };
    long largest = -1;
    int status = 0;
    FILE *const file = fopen(path, "r");
    if (!file) {
        fprintf(messages, "bfs: %s: %s\n", path, strerror(errno));
        return -1;
    }
    for (int number = 1; status == 0 && fgets(text, sizeof text, file); ++number) {
        status = read_line(&edges, text, both_ways, &largest);
        if (status != 0)
            fprintf(messages, "bfs: %s: line %d must be two numbers from 0 to %d, with fewer edges than that\n", path,
                    number, GRAPH_SIZE_MAX - 1);
    }
    (void)fclose(file);
    if (status == 0 && largest + edges.count >= GRAPH_SIZE_MAX) {
        fprintf(messages, "bfs: %s: expected fewer than %d vertices and edges\n", path, GRAPH_SIZE_MAX);
        status = -1;
    }
    if (status == 0 && graph_build(made, &edges, (int32_t)largest + 1) != 0) {
        fprintf(messages, "bfs: %s: no memory for %d edges\n", path, edges.count);
        status = -1;
    }
    edges_free(&edges);
    return status;
}

/* ---- plain search --------------------------------------------------------------------------------------------- */

int64_t graph_search(const graph *in, int32_t source, int32_t *levels, int32_t *work)
{
    int64_t edges = 0;
    int32_t end = 1;
    memset(levels, 0xff, (size_t)in->vertex_count * sizeof *levels);
    levels[source] = 0;
    work[0] = source;
    for (int32_t begin = 0; begin < end; ++begin) {
        const int32_t vertex = work[begin], level = levels[vertex] + 1;
        edges += graph_degree(in, vertex);
        for (int32_t k = in->rows[vertex]; k < in->rows[vertex + 1]; ++k) {
            const int32_t to = in->columns[k];
            if (levels[to] >= 0) continue;
            levels[to] = level;
            work[end++] = to;
        }
    }
    return edges;
}
