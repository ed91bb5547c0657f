/* search.c: launches of bfs.cl. A level needs no answer from the one before: how many vertices and edges a frontier has
 * stays on the device, and the groups of a launch go through as many tiles as there are. */
#include "search.h"

#include "bfs.cl.h"

#include <string.h>

enum { CLEAR, START, LEVEL };

/* GROUPS: groups that a compute unit is given; of 256 work-items on a GPU as many as leave each 48 registers. The last
 * tile is the serial mapping's. */
static const mcl_tile_row rows[] = {
    { .device = "gpu", .threads = 256, .items = 7 },
    { .device = "cpu", .threads = 64, .items = 7 },
    { .threads = 1, .items = 4096 },
    { .device = "gpu", .parameters = { { "GROUPS", 5 } } },
    { .parameters = { { "GROUPS", 4 } } },
};

static const mcl_kernel kernel = {
    .name = "bfs.cl",
    .text = bfs_cl,
    .operation = "bfs",
    .passes = { [CLEAR] = { "bfs_clear", "levels:array index_type" },
                [START] = { "bfs_start",
                            "rows offsets:array shifts:array split:array next_split:array levels:array counts:array "
                            "index_type",
                            1 },
                [LEVEL] = { "bfs_level", "env rows columns offsets shifts:array split:array next_offsets:array "
                                         "next_shifts:array next_split:array levels:array counts:array int32_t" } },
    .operators = { { "fold", MCL_ROLE_FOLD, MCL_ADD, MCL_UINT64 } },
    .inputs = { { "rows", MCL_INT32 }, { "columns", MCL_INT32 }, { "offsets", MCL_INT32 } },
    .defines = { { "FRONTIERS", BFS_FRONTIERS } },
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .local_bytes = 256, /* a bit and a quarter of a byte for each place, a sum for each work-item */
    .local_bytes_per_thread = 8,
    .local_bytes_per_item = 1,
    .index_bits = 32,
};

/* A frontier's three parts. No vertex is in two of them and each has an edge. */
typedef struct layout {
    int64_t vertices; /* at most */
    int64_t tiles;    /* cuts of vertices and edges */
} layout;

static layout layout_of(const bfs *search)
{
    const int64_t least =
        search->vertex_count < search->edge_count ? search->vertex_count : (int64_t)search->edge_count;
    const layout l = { least, mcl_tile_groups(&search->tile, least + search->edge_count) + 1 };
    return l;
}

static mcl_argument part(const bfs *search, int level, int which)
{
    return mcl_argument_buffer(search->frontiers[level % 2],
                               which * layout_of(search).vertices * (int64_t)sizeof(int32_t));
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

static mcl_status make_buffers(bfs *opened, const graph *in)
{
    mcl_context *const context = mcl_queue_context(opened->queue);
    const layout l = layout_of(opened);
    const size_t frontier_bytes = (size_t)(2 * l.vertices + l.tiles) * sizeof(int32_t);
    const size_t rows_bytes = ((size_t)in->vertex_count + 1) * sizeof(int32_t);
    const size_t columns_bytes = (size_t)in->edge_count * sizeof(int32_t);
    mcl_status status = mcl_buffer_create(context, rows_bytes, in->rows, &opened->rows);
    if (status == MCL_OK) status = mcl_buffer_create(context, columns_bytes, in->columns, &opened->columns);
    if (status == MCL_OK)
        status = mcl_buffer_create(context, (size_t)in->vertex_count * sizeof(int32_t), NULL, &opened->levels);
    for (int k = 0; k < 2 && status == MCL_OK; ++k)
        status = mcl_buffer_create(context, frontier_bytes, NULL, &opened->frontiers[k]);
    if (status == MCL_OK) status = mcl_buffer_create(context, BFS_FRONTIERS * sizeof(uint64_t), NULL, &opened->counts);
    return status;
}

mcl_status bfs_open(bfs *opened, mcl_queue *queue, const graph *in, int tile_threads)
{
    mcl_device_info info;
    *opened = (bfs){ .queue = queue, .vertex_count = in->vertex_count, .edge_count = in->edge_count };
    opened->options.tile_threads = tile_threads;
    mcl_status status = mcl_context_info(mcl_queue_context(queue), &info);
    if (status == MCL_OK) status = mcl_kernel_tile(queue, &kernel, &opened->options, &opened->tile);
    if (status != MCL_OK) return status;
    const int64_t tiles = layout_of(opened).tiles - 1;
    opened->groups = (int64_t)info.compute_units * mcl_tile_parameter(&opened->tile, "GROUPS", 1);
    if (opened->groups > tiles) opened->groups = tiles;
    /* places are given out by 64-bit atomics, if more than one group needs any */
    if (strcmp(info.status_word_path, "none") == 0 && opened->groups > 1) opened->groups = 1;
    status = make_buffers(opened, in);
    if (status != MCL_OK) bfs_close(opened);
    return status;
}

void bfs_close(bfs *closed)
{
    mcl_buffer_release(closed->rows);
    mcl_buffer_release(closed->columns);
    mcl_buffer_release(closed->levels);
    mcl_buffer_release(closed->frontiers[0]);
    mcl_buffer_release(closed->frontiers[1]);
    mcl_buffer_release(closed->counts);
    *closed = (bfs){ 0 };
}

/* ---- searching ------------------------------------------------------------------------------------------------ */

mcl_status bfs_enqueue(const bfs *search, int32_t source, int first, int count, mcl_event **done)
{
    const int64_t vertices = layout_of(search).vertices;
    const mcl_input graph_rows = mcl_from_buffer(MCL_INT32, search->rows, 0, (int64_t)search->vertex_count + 1);
    const mcl_input columns = mcl_from_buffer(MCL_INT32, search->columns, 0, search->edge_count);
    const mcl_input offsets[2] = { mcl_from_buffer(MCL_INT32, search->frontiers[0], 0, vertices),
                                   mcl_from_buffer(MCL_INT32, search->frontiers[1], 0, vertices) };
    const mcl_argument rows_in = mcl_argument_input(&graph_rows);
    const mcl_argument levels = mcl_argument_buffer(search->levels, 0), counts = mcl_argument_buffer(search->counts, 0);
    mcl_launch launches[2 + BFS_LEVELS_A_CALL];
    mcl_options options = search->options;
    int launch_count = 0;
    options.done = done;
    if (first == 0) {
        const int64_t groups = mcl_tile_groups(&search->tile, search->vertex_count);
        launches[launch_count++] = (mcl_launch){ CLEAR, groups, { levels, mcl_argument_index(search->vertex_count) } };
        launches[launch_count++] = (mcl_launch){ START,
                                                 1,
                                                 { rows_in, part(search, 0, 0), part(search, 0, 1), part(search, 0, 2),
                                                   part(search, 1, 2), levels, counts, mcl_argument_index(source) } };
    }
    for (int level = first; level < first + count; ++level)
        launches[launch_count++] =
            (mcl_launch){ LEVEL,
                          search->groups,
                          { rows_in, mcl_argument_input(&columns), mcl_argument_input(&offsets[level % 2]),
                            part(search, level, 1), part(search, level, 2), part(search, level + 1, 0),
                            part(search, level + 1, 1), part(search, level + 1, 2), levels, counts,
                            mcl_argument_int32(level) } };
    return mcl_kernel_launch(search->queue, &kernel, launches, launch_count, NULL, 0, &options);
}

mcl_status bfs_run(const bfs *search, int32_t source, bfs_result *result)
{
    uint64_t counts[BFS_FRONTIERS];
    *result = (bfs_result){ 0 };
    for (int level = 0;; level += BFS_LEVELS_A_CALL) {
        mcl_status status = bfs_enqueue(search, source, level, BFS_LEVELS_A_CALL, NULL);
        if (status == MCL_OK) status = mcl_buffer_read(search->queue, search->counts, 0, sizeof counts, counts);
        if (status != MCL_OK) return status;
        for (int k = level; k < level + BFS_LEVELS_A_CALL; ++k) {
            const uint64_t count = counts[k % BFS_FRONTIERS];
            if (count == 0) return MCL_OK;
            result->edges += (int64_t)(count & UINT32_MAX);
            result->vertices += (int64_t)(count >> 32);
            ++result->levels;
        }
    }
}

mcl_status bfs_reached(const bfs *search, int64_t *count)
{
    static const mcl_op reached = { .role = MCL_ROLE_FOLD,
                                    .expression = "p + q",
                                    .identity = "0",
                                    .value = MCL_INT64,
                                    .extract = "x >= 0",
                                    .commutative = 1 };
    const mcl_input levels = mcl_from_buffer(MCL_INT32, search->levels, 0, search->vertex_count);
    return mcl_reduce(search->queue, levels, &reached, mcl_to_host(MCL_INT64, count), NULL);
}
