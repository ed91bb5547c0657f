/* gather.c: fetches elements by their indices, for primitives that move indices instead of wide elements. Kernels:
 * cl/kernels/gather.cl. */
#include "call/call.h"

enum { INDICES, BACK };

size_t mcl__gather_scratch(const mcl__gather *gather)
{
    return gather->in_place ? (size_t)gather->in.count * gather->in.type->size : 0;
}

mcl_status mcl__gather_get(mcl_queue *queue, const mcl_options *options, mcl__gather *gather)
{
    const mcl_context *context = queue->context;
    const mcl__tile_need need = { .element_bytes = gather->in.type->size };
    const mcl_input array = { .type = gather->in.type };
    const mcl_input indices = { .type = gather->index_type };
    const mcl__spec spec = {
        .file = "kernels/gather.cl",
        .kernels = { [INDICES] = "gather_indices", [BACK] = "gather_back" },
        .tile = mcl__tile_for(MCL__OPERATION_transform, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(gather->in.count, options),
        .inputs = { { "in", &gather->in }, { "indices", &indices }, { "staged", &array } },
        .outputs = { { "out", gather->in.type } },
    };
    gather->index_bits = spec.index_bits;
    return mcl__program_get(queue, &spec, &gather->kernels);
}

mcl_status mcl__gather_run(mcl_queue *queue, const mcl__gather *gather, mcl__span indices, mcl__span out,
                           mcl__span staging)
{
    const mcl_input *in = &gather->in;
    const int threads = gather->kernels->tile.threads;
    const int64_t groups = mcl__divide_up(in->count, mcl__tile_size(gather->kernels->tile));
    mcl__args args = { .index_bits = gather->index_bits };

    mcl__args_input(&args, in);
    mcl__args_array(&args, indices, in);
    mcl__args_span(&args, gather->in_place ? staging : out);
    MCL__TRY(mcl__launch_groups(queue, gather->kernels, INDICES, groups, threads, &args));
    if (!gather->in_place) return MCL_OK;
    args = (mcl__args){ .index_bits = gather->index_bits };
    mcl__args_array(&args, staging, in);
    mcl__args_span(&args, out);
    return mcl__launch_groups(queue, gather->kernels, BACK, groups, threads, &args);
}
