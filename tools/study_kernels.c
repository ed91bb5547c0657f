/* study_kernels.c: the merges of cl/study/merge_study.cl on a device. */
#include "study.h"

#include "primitives/primitive.h"

static int64_t group_count(const study_merge_call *call, mcl__tile tile)
{
    const int64_t total = (int64_t)call->a_count + call->b_count;
    if (call->kind == MERGE_NAIVE) return mcl__divide_up(total, mcl__tile_size(tile));
    const int64_t parts = mcl__divide_up(total, call->share);
    return call->kind == MERGE_BASIC ? mcl__divide_up(parts, tile.threads) : parts;
}

static void array_arg(mcl__args *args, mcl_buffer *buffer)
{
    mcl__args_span(args, (mcl__span){ buffer, 0 });
}

mcl_status study_merge_run(mcl_queue *queue, const study_merge_call *call, const mcl_options *options)
{
    static const char function[] = "study_merge_run";
    const mcl__kernels *kernels;
    mcl__args args = { .index_bits = 32 };
    const mcl__spec spec = {
        .file = "study/merge_study.cl",
        .kernels = { "study_merge" },
        .tile = { call->threads, call->items },
        .index_bits = 32,
        .defines = { { "MERGE_KIND", (int)call->kind }, { "COUNTS", call->counts_too } },
    };
    MCL__TRY(mcl__check_queue(function, queue));
    MCL__TRY(mcl__check_options(function, queue, options));
    if (call->threads < 1 || call->items < 1 || call->share < 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: threads %d, items %d and share %d; expected 1 or more of each",
                         function, call->threads, call->items, call->share);
    MCL__TRY(mcl__context_probe(queue->context));
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, function, 0, options));
    array_arg(&args, call->a);
    mcl__args_int(&args, call->a_count);
    array_arg(&args, call->b);
    mcl__args_int(&args, call->b_count);
    array_arg(&args, call->c);
    mcl__args_int(&args, call->share);
    array_arg(&args, call->counts);
    MCL__TRY(mcl__launch_groups(queue, kernels, 0, group_count(call, kernels->tile), kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}
