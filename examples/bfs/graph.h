/* graph.h: directed graphs in compressed rows, on the host. */
#ifndef BFS_GRAPH_H
#define BFS_GRAPH_H

#include <stdint.h>
#include <stdio.h>

/* The edges of vertex v lead to columns[rows[v]] .. columns[rows[v + 1] - 1]. */
typedef struct graph {
    int32_t vertex_count;
    int32_t edge_count;
    int32_t *rows;    /* vertex_count + 1 */
    int32_t *columns; /* edge_count */
} graph;

/* Vertices and edges together must stay below this, so that 32 bits hold places in a list of both. */
enum { GRAPH_SIZE_MAX = INT32_MAX - (1 << 24) };

/* R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, 2004) with the odds of Graph500: edge_count edges between 2^scale
 * vertices, whose numbers are scrambled. 0, or -1: no memory. */
int graph_rmat(graph *made, int scale, int32_t edge_count, uint64_t seed);

/* A file of lines "FROM TO", two numbers from 0 on; lines that begin with # or % are comments. 0, or -1 and a sentence
 * on messages. */
int graph_read(graph *made, const char *path, int both_ways, FILE *messages);

void graph_free(graph *freed);

int32_t graph_degree(const graph *of, int32_t vertex);
int32_t graph_largest_degree(const graph *of); /* the first vertex that has it */

/* Plain C: the number of edges from source to each vertex, -1 where there is no way. Gives the edges that were gone
 * along; work has room for vertex_count numbers. */
int64_t graph_search(const graph *in, int32_t source, int32_t *levels, int32_t *work);

#endif
