/* fake_examples.c: the kernels of examples/, for kernel_texts. */
#include "fake_calls.h"

#include "bfs/search.h"
#include "filter_scan/filter_scan.h"
#include "merge_unique/merge_unique.h"

/* Returns 1 for one of the bench's elements, since the examples have their own element types. */
static int is_wanted(const bench *at)
{
    return mcl__same_type(at->element->type, MCL_INT32) && !mcl__wants(at->options, MCL_INDEX_64);
}

mcl_status call_bfs(const bench *at)
{
    int32_t first[] = { 0, 1, 1 }, to[] = { 1 };
    const graph two = { .vertex_count = 2, .edge_count = 1, .rows = first, .columns = to };
    bfs search;
    if (!is_wanted(at)) return MCL_OK;
    MCL__TRY(bfs_open(&search, at->queue, &two, at->options->tile_threads));
    const mcl_status status = bfs_enqueue(&search, 0, 0, 1, NULL);
    bfs_close(&search);
    return status;
}

mcl_status call_filter_scan(const bench *at)
{
    if (!is_wanted(at)) return MCL_OK;
    return filter_scan(at->queue, mcl_from_buffer(&booking_type, at->buffers[0], 0, COUNT), 0, 9,
                       mcl_to_buffer(&entry_type, at->buffers[1], 0, COUNT),
                       mcl_to_buffer(&balance_type, at->buffers[2], 0, 1), at->options->tile_threads);
}

mcl_status call_merge_unique(const bench *at)
{
    if (!is_wanted(at)) return MCL_OK;
    return merge_unique(at->queue, mcl_from_buffer(MCL_INT32, at->buffers[0], 0, COUNT),
                        mcl_from_buffer(MCL_INT32, at->buffers[1], 0, COUNT),
                        mcl_to_buffer(MCL_INT32, at->buffers[2], 0, 2 * COUNT), MCL_LESS, mcl_to_nowhere(),
                        at->options->tile_threads);
}
