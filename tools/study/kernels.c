/* kernels.c: runs the merges of merge_study.cl on a device, as a user's kernel. */
#include "study/study.h"

static int64_t parts_of(int64_t count, int64_t size)
{
    return count / size + (count % size != 0);
}

static int64_t group_count(const study_merge_call *call, const mcl_tile *tile)
{
    const int64_t total = (int64_t)call->a_count + call->b_count;
    if (call->kind == MERGE_NAIVE) return mcl_tile_groups(tile, total);
    const int64_t parts = parts_of(total, call->share);
    return call->kind == MERGE_BASIC ? parts_of(parts, tile->threads) : parts;
}

mcl_status study_merge_run(mcl_queue *queue, const study_merge_call *call, const mcl_options *options)
{
    const mcl_kernel kernel = {
        .name = "merge_study",
        .text = study_merge_text,
        .passes = { { "study_merge", "a:array int32_t b:array int32_t c:array share:int32_t counts:array" } },
        .defines = { { "MERGE_KIND", call->kind }, { "COUNTS", call->counts_too } },
        .index_bits = 32,
    };
    mcl_options with_tile = options ? *options : (mcl_options){ 0 };
    mcl_tile tile;
    with_tile.tile_threads = call->threads;
    with_tile.tile_items = call->items;
    const mcl_status status = mcl_kernel_tile(queue, &kernel, &with_tile, &tile);
    if (status != MCL_OK) return status;
    const mcl_launch launch = {
        .groups = group_count(call, &tile),
        .arguments = { mcl_argument_buffer(call->a, 0), mcl_argument_int32(call->a_count),
                       mcl_argument_buffer(call->b, 0), mcl_argument_int32(call->b_count),
                       mcl_argument_buffer(call->c, 0), mcl_argument_int32(call->share),
                       mcl_argument_buffer(call->counts, 0) },
    };
    return mcl_kernel_launch(queue, &kernel, &launch, 1, NULL, 0, &with_tile);
}
