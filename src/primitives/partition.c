/* partition.c: mcl_binary_search_partition, mcl_merge_path_partition and mcl_balanced_path_partition. Kernels:
 * cl/kernels/partition.cl, one pass each. */
#include "call/gate.h"

#include "moderncl/partition.h"

typedef struct partition_call {
    const char *function;
    mcl_input a, b; /* binary search: a is the list */
    int64_t count;  /* of what is cut into tiles; of merge paths known after the gate */
    int64_t tile;
    int coop;
    int balanced;
    int unique; /* balanced path: neither input repeats a key */
    mcl_bounds bounds;
    mcl_output out;
    const mcl_op *before; /* of merge paths */
    int searches;         /* binary search */
} partition_call;

static int64_t partition_splits(const partition_call *call)
{
    return mcl__divide_up(call->count, call->tile) + 1;
}

static mcl_status partition_check_out(const partition_call *call)
{
    if (call->tile < 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: tile is %lld; it must be 1 or more", call->function,
                         (long long)call->tile);
    if (call->bounds != MCL_LOWER && call->bounds != MCL_UPPER)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: bounds is %d; it must be MCL_LOWER or MCL_UPPER", call->function,
                         (int)call->bounds);
    MCL__TRY(mcl__check_room(call->function, "out", &call->out, partition_splits(call)));
    if (mcl__same_type(call->out.type, MCL_INT32) && call->a.count > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: out is MCL_INT32 and the input has %lld elements; it must be MCL_INT64",
                         call->function, (long long)call->a.count);
    MCL__TRY(mcl__check_no_overlap(call->function, call->searches ? "data" : "a", &call->a, "out", &call->out,
                                   partition_splits(call)));
    return mcl__check_op_overlap(call->function, "before", call->before, "out", &call->out, partition_splits(call));
}

static mcl_status search_check(const mcl_queue *queue, const partition_call *call, const mcl_options *options)
{
    const mcl__operand operands[] = {
        { "data", .input = &call->a, .types = MCL__INTEGERS },
        { "out", .output = &call->out, .types = MCL__INDICES },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    if (call->count < 0 || call->count > MCL__COUNT_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: count is %lld; expected 0 to %lld", call->function,
                         (long long)call->count, (long long)MCL__COUNT_MAX);
    return partition_check_out(call);
}

static mcl_status merge_path_gate(const mcl_queue *queue, const partition_call *call, const mcl_options *options)
{
    const mcl__operand operands[] = {
        { "a", .input = &call->a },
        { "before", .op = call->before, .use = MCL__ORDER, .of = &call->a },
        { "out", .output = &call->out, .types = MCL__INDICES },
        { call->coop == 0 ? "b" : NULL, .input = &call->b },
        { NULL },
    };
    return mcl__gate(call->function, queue, options, call->balanced ? MCL__TAKES_UNIQUE_KEYS : 0, operands);
}

static mcl_status merge_path_check(const partition_call *call)
{
    if (call->coop < 0 || call->coop == 1 || (call->coop & (call->coop - 1)))
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: coop is %d; it must be 0 or a power of two from 2 on", call->function,
                         call->coop);
    if (call->coop == 0 && !mcl__same_type(call->a.type, call->b.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: a is %s and b is %s; they must be of one type", call->function,
                         call->a.type->name, call->b.type->name);
    MCL__TRY(partition_check_out(call));
    if (call->coop) return MCL_OK;
    return mcl__check_no_overlap(call->function, "b", &call->b, "out", &call->out, partition_splits(call));
}

/* The lists of the mergesort mode are not looked at. */
static mcl_status partition_validate(mcl_queue *queue, const partition_call *call, const mcl_options *options)
{
    if (call->searches) return mcl__validate_sorted(queue, call->function, "data", &call->a, MCL_LESS, options);
    if (call->coop) return MCL_OK;
    MCL__TRY(mcl__validate_sorted(queue, call->function, "a", &call->a, call->before, options));
    return mcl__validate_sorted(queue, call->function, "b", &call->b, call->before, options);
}

static void partition_describe(mcl__spec *spec, const mcl_context *context, const partition_call *call,
                               const mcl_options *options)
{
    const mcl__tile_need need = { .element_bytes = call->a.type->size };
    const int64_t bound = call->searches ? call->a.count : call->count;
    const int64_t places = bound > partition_splits(call) ? bound : partition_splits(call);
    *spec = (mcl__spec){
        .file = "kernels/partition.cl",
        .kernels = { call->searches   ? "binary_search"
                     : call->balanced ? "balanced_path"
                                      : "merge_path" },
        .tile = mcl__tile_for(MCL__OPERATION_partition, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(places, options),
        .outputs = { { "out", call->out.type } },
    };
    if (call->searches) {
        spec->inputs[0].name = "data";
        spec->inputs[0].input = &call->a;
        spec->defines[0].name = "PARTITION_SEARCH";
        spec->defines[0].value = 1;
        spec->defines[1].name = "SEARCH_UPPER";
        spec->defines[1].value = call->bounds == MCL_UPPER;
        return;
    }
    spec->types[0].name = "key";
    spec->types[0].type = call->a.type;
    spec->ops[0].name = "before";
    spec->ops[0].op = call->before;
    spec->ops[0].role = MCL__OP_COMPARE;
    spec->ops[0].element = call->a.type;
    spec->inputs[0].name = "a";
    spec->inputs[0].input = &call->a;
    spec->defines[0].name = "PARTITION_COOP";
    spec->defines[0].value = call->coop > 0;
    spec->defines[1].name = "MERGE_UPPER";
    spec->defines[1].value = call->bounds == MCL_UPPER;
    spec->defines[2].name = "PARTITION_BALANCED";
    spec->defines[2].value = call->balanced;
    spec->defines[3].name = "PARTITION_UNIQUE";
    spec->defines[3].value = call->unique;
    if (call->coop) return;
    spec->inputs[1].name = "b";
    spec->inputs[1].input = &call->b;
}

/* What is cut: a list of the keys of both, or with coop of a alone. */
static mcl_status partition_check(const mcl_queue *queue, partition_call *call, const mcl_options *options)
{
    if (call->searches) return search_check(queue, call, options);
    call->count = 0;
    MCL__TRY(merge_path_gate(queue, call, options));
    call->count = call->a.count + (call->coop ? 0 : call->b.count);
    return merge_path_check(call);
}

static mcl_status partition_run(mcl_queue *queue, partition_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;

    MCL__TRY(partition_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) MCL__TRY(partition_validate(queue, call, options));
    partition_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, call->function, 0, options));
    mcl__args_start(&args, &spec);
    mcl__args_input(&args, &call->a);
    if (!call->searches && !call->coop) mcl__args_input(&args, &call->b);
    if (call->searches) mcl__args_long(&args, call->count);
    mcl__args_long(&args, call->tile);
    if (call->coop) mcl__args_int(&args, call->coop);
    mcl__args_long(&args, partition_splits(call));
    mcl__args_output(&args, &call->out);
    MCL__TRY(mcl__launch_groups(queue, kernels, 0, mcl__divide_up(partition_splits(call), kernels->tile.threads),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_binary_search_partition(mcl_queue *queue, mcl_input data, int64_t count, int64_t tile, mcl_bounds bounds,
                                       mcl_output out, const mcl_options *options)
{
    partition_call call = { .function = "mcl_binary_search_partition",
                            .a = data,
                            .count = count,
                            .tile = tile,
                            .bounds = bounds,
                            .out = out,
                            .searches = 1 };
    return partition_run(queue, &call, options);
}

mcl_status mcl_merge_path_partition(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, int coop,
                                    mcl_bounds bounds, mcl_output out, const mcl_op *before, const mcl_options *options)
{
    partition_call call = { .function = "mcl_merge_path_partition",
                            .a = a,
                            .b = b,
                            .tile = tile,
                            .coop = coop,
                            .bounds = bounds,
                            .out = out,
                            .before = before };
    return partition_run(queue, &call, options);
}

mcl_status mcl_balanced_path_partition(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, mcl_output out,
                                       const mcl_op *before, const mcl_options *options)
{
    partition_call call = { .function = "mcl_balanced_path_partition",
                            .a = a,
                            .b = b,
                            .tile = tile,
                            .balanced = 1,
                            .unique = mcl__wants(options, MCL_UNIQUE_KEYS),
                            .bounds = MCL_LOWER,
                            .out = out,
                            .before = before };
    return partition_run(queue, &call, options);
}
