/* search.h: breadth-first search on a device, by the kernels of bfs.cl. */
#ifndef BFS_SEARCH_H
#define BFS_SEARCH_H

#include "graph.h"

#include <moderncl/moderncl.h>

enum {
    BFS_FRONTIERS = 16,   /* counts of frontiers that are kept */
    BFS_LEVELS_A_CALL = 8 /* levels that are enqueued before the host looks whether there are more */
};

/* Where to search and what with. The graph's arrays are on the device. */
typedef struct bfs {
    mcl_queue *queue;
    int32_t vertex_count;
    int32_t edge_count;
    mcl_buffer *rows;
    mcl_buffer *columns;
    mcl_buffer *levels;       /* int32: the result; -1 where there is no way */
    mcl_buffer *frontiers[2]; /* of one level and the next: offsets, shifts, cuts */
    mcl_buffer *counts;       /* uint64: edges + 2^32 * vertices of each frontier */
    mcl_tile tile;
    mcl_options options; /* the tile, if not the chosen one */
    int64_t groups;
} bfs;

typedef struct bfs_result {
    int64_t edges;    /* that were gone along */
    int64_t vertices; /* that have edges, of those reached */
    int32_t levels;   /* that have such vertices */
} bfs_result;

/* Copies the graph to the device and builds the kernels. tile_threads: 0, or 1 for the serial mapping, or a group's. */
mcl_status bfs_open(bfs *opened, mcl_queue *queue, const graph *in, int tile_threads);
void bfs_close(bfs *closed);

/* Enqueues levels [first, first + count) of a search from source, at most BFS_LEVELS_A_CALL; first 0 begins a search.
 * Does not wait. done: NULL, or receives an event. */
mcl_status bfs_enqueue(const bfs *search, int32_t source, int first, int count, mcl_event **done);

/* A whole search. Waits. */
mcl_status bfs_run(const bfs *search, int32_t source, bfs_result *result);

/* How many vertices the last search has reached, those without edges of their own too. Waits. */
mcl_status bfs_reached(const bfs *search, int64_t *count);

#endif
