/* bulk.c: mcl_bulk_remove and mcl_bulk_insert. Kernels: cl/kernels/bulk.cl, one pass each.
 * A tile finds by binary search which of the sorted indices belong to it; they tell for each of its places what stands
 * there. */
#include "call/gate.h"
#include "call/rank.h"

#include "moderncl/bulk.h"

typedef struct bulk_call {
    const char *function;
    mcl_input in;      /* insert: b */
    mcl_input a;       /* insert */
    mcl_input indices; /* insert: with a's count after the gate */
    mcl_output out;
    int inserts;
} bulk_call;

static const char *in_name(const bulk_call *call)
{
    return call->inserts ? "b" : "in";
}

/* Elements that are cut into tiles. */
static int64_t tiled_count(const bulk_call *call)
{
    return call->in.count + (call->inserts ? call->a.count : 0);
}

/* Elements that out must have room for. Where fewer indices may come than there could be, more elements stay. */
static int64_t needed_count(const bulk_call *call)
{
    if (call->inserts || call->indices.count_slot) return tiled_count(call);
    return call->in.count > call->indices.count ? call->in.count - call->indices.count : 0;
}

static mcl_status bulk_check_counts(const bulk_call *call)
{
    if (!call->inserts && !call->indices.count_slot && call->indices.count > call->in.count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: indices has %lld elements; it must have at most as many as in, %lld",
                         call->function, (long long)call->indices.count, (long long)call->in.count);
    return MCL_OK;
}

static mcl_status bulk_check(const mcl_queue *queue, bulk_call *call, const mcl_options *options)
{
    const mcl__operand operands[] = {
        { "indices", .input = &call->indices, .types = MCL__INTEGERS },
        { in_name(call), .input = &call->in },
        { "out", .output = &call->out },
        { call->inserts ? "a" : NULL, .input = &call->a },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    if (call->inserts) {
        MCL__TRY(mcl__check_as_many(call->function, "indices", &call->indices, "a", call->a.count));
        mcl__adopt_count(&call->indices, &call->a);
    }
    MCL__TRY(bulk_check_counts(call));
    const int64_t needed = needed_count(call);
    MCL__TRY(mcl__check_room(call->function, "out", &call->out, needed));
    if (call->inserts && !mcl__same_type(call->a.type, call->in.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: a is %s and b is %s; they must be of one type", call->function,
                         call->a.type->name, call->in.type->name);
    if (!mcl__same_type(call->in.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s and out is %s; they must be of one type", call->function,
                         in_name(call), call->in.type->name, call->out.type->name);
    if (call->inserts) MCL__TRY(mcl__check_no_overlap(call->function, "a", &call->a, "out", &call->out, needed));
    MCL__TRY(mcl__check_no_overlap(call->function, "indices", &call->indices, "out", &call->out, needed));
    return mcl__check_no_overlap(call->function, in_name(call), &call->in, "out", &call->out, needed);
}

/* Ranges are looked at first: an index out of range is the more telling offender. */
static mcl_status bulk_validate(mcl_queue *queue, const bulk_call *call, const mcl_options *options)
{
    const mcl_input *const indices = &call->indices;
    const int64_t most = call->inserts ? call->in.count : call->in.count - 1;
    MCL__TRY(mcl__validate_range(queue, call->function, "indices", indices, 0, most, options));
    if (call->inserts) return mcl__validate_sorted(queue, call->function, "indices", indices, MCL_LESS, options);
    return mcl__validate_increasing(queue, call->function, "indices", indices, options);
}

static void bulk_describe(mcl__spec *spec, const mcl_context *context, const bulk_call *call,
                          const mcl_options *options)
{
    mcl__tile_need need = { .element_bytes = call->in.type->size, .local_bytes_per_item = 1 };
    const mcl__operation operation = call->inserts ? MCL__OPERATION_bulk_insert : MCL__OPERATION_bulk_remove;
    const int64_t total = tiled_count(call);
    mcl__rank_need(&need, &context->limits, 0);
    *spec = (mcl__spec){
        .file = "kernels/bulk.cl",
        .kernels = { call->inserts ? "bulk_insert" : "bulk_remove" },
        .tile = mcl__tile_for(operation, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(total > call->indices.count ? total : call->indices.count, options),
        .inputs = { { call->inserts ? "b" : "in", &call->in }, { "indices", &call->indices } },
        .outputs = { { "out", call->out.type } },
        .defines = { { "BULK_INSERT", call->inserts } },
    };
    if (!call->inserts) return;
    spec->inputs[2].name = "a";
    spec->inputs[2].input = &call->a;
}

static mcl_status bulk_run(mcl_queue *queue, bulk_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;

    MCL__TRY(bulk_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) MCL__TRY(bulk_validate(queue, call, options));
    bulk_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, call->function, 0, options));
    mcl__args_start(&args, &spec);
    mcl__args_input(&args, &call->in);
    mcl__args_input(&args, &call->indices);
    if (call->inserts) mcl__args_input(&args, &call->a);
    mcl__args_output(&args, &call->out);
    mcl__args_index(&args, needed_count(call));
    MCL__TRY(mcl__launch_groups(queue, kernels, 0, mcl__divide_up(tiled_count(call), mcl__tile_size(kernels->tile)),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_bulk_remove(mcl_queue *queue, mcl_input in, mcl_input indices, mcl_output out,
                           const mcl_options *options)
{
    bulk_call call = { .function = "mcl_bulk_remove", .in = in, .indices = indices, .out = out };
    return bulk_run(queue, &call, options);
}

mcl_status mcl_bulk_insert(mcl_queue *queue, mcl_input a, mcl_input indices, mcl_input b, mcl_output out,
                           const mcl_options *options)
{
    bulk_call call = { .function = "mcl_bulk_insert", .in = b, .a = a, .indices = indices, .out = out, .inserts = 1 };
    return bulk_run(queue, &call, options);
}
