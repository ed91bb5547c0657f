/* interval.c: mcl_interval_expand, _move, _gather and _scatter. Kernels: cl/interval.cl.
 * The merge of elements and intervals is cut into tiles (pass 1), whose elements are moved (pass 2). */
#include "primitives/balance.h"

#include "moderncl/interval.h"

typedef struct interval_call {
    const char *function;
    const char *in_name;
    mcl_input work, in, gather, scatter, offsets;
    mcl_output out;
    int expands, gathers, scatters;
} interval_call;

/* What may be written: the elements in order, or anything in out. */
static int64_t interval_written(const interval_call *call)
{
    return call->scatters ? call->out.capacity : call->work.count;
}

static mcl_status interval_check_list(const mcl_queue *queue, const interval_call *call, const char *parameter,
                                      const mcl_input *list)
{
    MCL__TRY(mcl__check_input(call->function, parameter, queue->context, list));
    if (list->count < call->offsets.count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has %lld elements; it must have as many as offsets, %lld",
                         call->function, parameter, (long long)list->count, (long long)call->offsets.count);
    return mcl__check_no_overlap(call->function, parameter, list, "out", &call->out, interval_written(call));
}

static mcl_status interval_check_starts(const mcl_queue *queue, const interval_call *call, const char *parameter,
                                        const mcl_input *starts)
{
    MCL__TRY(interval_check_list(queue, call, parameter, starts));
    if (starts->type->kind == MCL_KIND_SIGNED || starts->type->kind == MCL_KIND_UNSIGNED) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s; it must be of an integer type", call->function, parameter,
                     starts->type->name);
}

static mcl_status interval_check(const mcl_queue *queue, const interval_call *call)
{
    const mcl_context *context = queue->context;
    MCL__TRY(mcl__check_balance(call->function, context, &call->work, &call->offsets));
    MCL__TRY(mcl__check_input(call->function, call->in_name, context, &call->in));
    MCL__TRY(mcl__check_output(call->function, "out", context, &call->out, call->scatters ? 0 : call->work.count));
    if (!mcl__same_type(call->in.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s and out is %s; they must be of one type", call->function,
                         call->in_name, call->in.type->name, call->out.type->name);
    if (!call->expands && !call->gathers && call->in.count < call->work.count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: in has %lld elements; it must have as many as work, %lld",
                         call->function, (long long)call->in.count, (long long)call->work.count);
    MCL__TRY(mcl__check_balance_overlap(call->function, &call->work, &call->offsets, "out", &call->out,
                                        interval_written(call)));
    MCL__TRY(
        mcl__check_no_overlap(call->function, call->in_name, &call->in, "out", &call->out, interval_written(call)));
    if (call->expands) MCL__TRY(interval_check_list(queue, call, "values", &call->in));
    if (call->gathers) MCL__TRY(interval_check_starts(queue, call, "gather", &call->gather));
    return call->scatters ? interval_check_starts(queue, call, "scatter", &call->scatter) : MCL_OK;
}

static mcl_status interval_validate(mcl_queue *queue, const interval_call *call, const mcl_options *options)
{
    MCL__TRY(mcl__validate_exclusive_offsets(queue, call->function, &call->offsets, options));
    if (call->gathers)
        MCL__TRY(mcl__validate_intervals(queue, call->function, "gather", &call->gather, &call->offsets, &call->work,
                                         "in", call->in.count, options));
    if (!call->scatters) return MCL_OK;
    return mcl__validate_intervals(queue, call->function, "scatter", &call->scatter, &call->offsets, &call->work, "out",
                                   call->out.capacity, options);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void interval_describe(mcl__spec *spec, const mcl_context *context, const interval_call *call,
                              const mcl_options *options)
{
    /* an eighth of the tile may be objects that are staged: each three places in it, and a value or two places */
    const size_t staged = 3 * sizeof(uint16_t) + (call->expands ? call->out.type->size : 2 * sizeof(int64_t));
    const mcl__tile_need need = { .element_bytes = call->out.type->size,
                                  .local_bytes_per_item = MCL__BALANCE_ITEM_BYTES + (staged + 7) / 8,
                                  .local_bytes_per_thread = MCL__BALANCE_THREAD_BYTES,
                                  .local_bytes_fixed = MCL__BALANCE_FIXED_BYTES + staged };
    const int64_t places = larger(call->in.count, call->out.capacity);
    *spec = (mcl__spec){
        .file = "interval.cl",
        .kernels = { [MCL__BALANCE_PARTITION] = "interval_partition", [MCL__BALANCE_TILES] = "interval_tiles" },
        .tile = mcl__tile_for(MCL__OPERATION_interval, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(larger(call->work.count + call->offsets.count, places), options),
        .inputs = { { "offsets", &call->offsets, 0 }, { "work", &call->work, 0 }, { "in", &call->in, 0 } },
        .outputs = { { "out", call->out.type } },
    };
    if (call->gathers) {
        spec->inputs[3].name = "gather";
        spec->inputs[3].input = &call->gather;
    }
    if (call->scatters) {
        spec->inputs[4].name = "scatter";
        spec->inputs[4].input = &call->scatter;
    }
    spec->defines[0].name = "PARTITION_THREADS";
    spec->defines[0].value = mcl__balance_partition_threads(spec->tile);
    spec->defines[1].name = "INTERVAL_EXPAND";
    spec->defines[1].value = call->expands;
    spec->defines[2].name = "HAS_GATHER";
    spec->defines[2].value = call->gathers;
    spec->defines[3].name = "HAS_SCATTER";
    spec->defines[3].value = call->scatters;
}

static mcl_status interval_run(mcl_queue *queue, interval_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;
    int64_t tiles;

    MCL__TRY(mcl__check_queue(call->function, queue));
    MCL__TRY(mcl__check_options(call->function, queue, options));
    MCL__TRY(interval_check(queue, call));
    MCL__TRY(mcl__context_probe(queue->context));
    /* the offsets' count is that of all lists, which are as long at least */
    call->gather.count_slot = call->scatter.count_slot = NULL;
    if (call->expands) call->in.count_slot = NULL;
    if (mcl__validates(options)) MCL__TRY(interval_validate(queue, call, options));
    interval_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__balance_begin(queue, call->function, &spec, kernels, options, &args, &tiles));
    mcl__args_input(&args, &call->in);
    if (call->gathers) mcl__args_input(&args, &call->gather);
    if (call->scatters) mcl__args_input(&args, &call->scatter);
    mcl__args_output(&args, &call->out);
    mcl__args_long(&args, call->out.capacity);
    MCL__TRY(mcl__launch_groups(queue, kernels, MCL__BALANCE_TILES, tiles, kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_interval_expand(mcl_queue *queue, mcl_work work, mcl_input values, mcl_input offsets, mcl_output out,
                               const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_expand",
                           .in_name = "values",
                           .work = mcl__work_input(&work),
                           .in = values,
                           .offsets = offsets,
                           .out = out,
                           .expands = 1 };
    return interval_run(queue, &call, options);
}

mcl_status mcl_interval_move(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input scatter,
                             mcl_input offsets, mcl_output out, const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_move",
                           .in_name = "in",
                           .work = mcl__work_input(&work),
                           .in = in,
                           .gather = gather,
                           .scatter = scatter,
                           .offsets = offsets,
                           .out = out,
                           .gathers = 1,
                           .scatters = 1 };
    return interval_run(queue, &call, options);
}

mcl_status mcl_interval_gather(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input offsets,
                               mcl_output out, const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_gather",
                           .in_name = "in",
                           .work = mcl__work_input(&work),
                           .in = in,
                           .gather = gather,
                           .offsets = offsets,
                           .out = out,
                           .gathers = 1 };
    return interval_run(queue, &call, options);
}

mcl_status mcl_interval_scatter(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input scatter, mcl_input offsets,
                                mcl_output out, const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_scatter",
                           .in_name = "in",
                           .work = mcl__work_input(&work),
                           .in = in,
                           .scatter = scatter,
                           .offsets = offsets,
                           .out = out,
                           .scatters = 1 };
    return interval_run(queue, &call, options);
}
