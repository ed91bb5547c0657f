/* transform.c: mcl_transform, mcl_scatter, mcl_scatter_if, mcl_random. Kernels: transform.cl, one pass each. */
#include "call/gate.h"

#include "moderncl/transform.h"

typedef struct transform_call {
    const char *function;
    mcl_input in;             /* scatter: the values */
    mcl_input indices, flags; /* scatter */
    mcl_output out;
    int scatters, has_flags;
} transform_call;

static mcl_status transform_check(const mcl_queue *queue, const transform_call *call, const mcl_options *options)
{
    const mcl__operand operands[] = { { "in", .input = &call->in }, { "out", .output = &call->out }, { NULL } };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    MCL__TRY(mcl__check_room(call->function, "out", &call->out, call->in.count));
    if (!mcl__same_type(call->in.type, call->out.type) &&
        (call->in.type->kind == MCL_KIND_STRUCT || call->out.type->kind == MCL_KIND_STRUCT))
        return mcl__fail(MCL_ERROR_TYPE, "%s: in is %s and out is %s; a struct can only be stored as itself",
                         call->function, call->in.type->name, call->out.type->name);
    return mcl__check_in_place(call->function, "in", &call->in, "out", &call->out, call->in.count);
}

static mcl_status scatter_check_list(const transform_call *call, const char *parameter, const mcl_input *input)
{
    MCL__TRY(mcl__check_as_many(call->function, parameter, input, "values", call->in.count));
    return mcl__check_no_overlap(call->function, parameter, input, "out", &call->out, call->out.capacity);
}

static mcl_status scatter_check(const mcl_queue *queue, const transform_call *call, const mcl_options *options)
{
    const mcl__operand operands[] = {
        { "values", .input = &call->in },
        { "indices", .input = &call->indices, .types = MCL__INTEGERS },
        { "out", .output = &call->out },
        { call->has_flags ? "flags" : NULL, .input = &call->flags, .types = MCL__INTEGERS },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    if (!mcl__same_type(call->in.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values are %s and out is %s; they must be of one type", call->function,
                         call->in.type->name, call->out.type->name);
    MCL__TRY(mcl__check_no_overlap(call->function, "values", &call->in, "out", &call->out, call->out.capacity));
    MCL__TRY(scatter_check_list(call, "indices", &call->indices));
    return call->has_flags ? scatter_check_list(call, "flags", &call->flags) : MCL_OK;
}

/* An expression may read out where it stores, element for element: the compiler must not assume otherwise. */
static int transform_aliased(const transform_call *call)
{
    if (mcl__same_place(&call->in, &call->out)) return 1;
    for (int k = 0; k < call->in.binding_count; ++k)
        if (call->in.bindings[k].buffer) return 1;
    return 0;
}

static void transform_describe(mcl__spec *spec, const mcl_context *context, const transform_call *call,
                               const mcl_options *options)
{
    const mcl__tile_need need = { .element_bytes = call->out.type->size };
    const int64_t bound = call->scatters && call->out.capacity > call->in.count ? call->out.capacity : call->in.count;
    *spec = (mcl__spec){
        .file = "kernels/transform.cl",
        .kernels = { call->scatters ? "scatter" : "transform" },
        .tile = mcl__tile_for(MCL__OPERATION_transform, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(bound, options),
        .outputs = { { "out", call->out.type } },
    };
    if (!call->scatters) {
        spec->inputs[0].name = "in";
        spec->inputs[0].input = &call->in;
        spec->aliased = transform_aliased(call);
        return;
    }
    spec->inputs[0].name = "values";
    spec->inputs[0].input = &call->in;
    spec->inputs[1].name = "indices";
    spec->inputs[1].input = &call->indices;
    if (call->has_flags) {
        spec->inputs[2].name = "flags";
        spec->inputs[2].input = &call->flags;
    }
    spec->defines[0].name = "WITH_SCATTER";
    spec->defines[0].value = 1;
    spec->defines[1].name = "HAS_FLAGS";
    spec->defines[1].value = call->has_flags;
}

static mcl_status transform_run(mcl_queue *queue, const transform_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;

    MCL__TRY(call->scatters ? scatter_check(queue, call, options) : transform_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (call->scatters && mcl__validates(options)) {
        mcl_input indices = call->indices; /* those that values have a use for */
        indices.count = call->in.count;
        indices.count_slot = call->in.count_slot;
        indices.count_slot_index = call->in.count_slot_index;
        MCL__TRY(mcl__validate_range(queue, call->function, "indices", &indices, 0, call->out.capacity - 1, options));
    }
    if (call->in.count == 0) {
        MCL__TRY(mcl__call_begin(queue, call->function, 0, options));
        return mcl__call_end(queue, options);
    }
    transform_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, call->function, 0, options));
    mcl__args_start(&args, &spec);
    mcl__args_input(&args, &call->in);
    if (call->scatters) mcl__args_input(&args, &call->indices);
    if (call->has_flags) mcl__args_input(&args, &call->flags);
    mcl__args_output(&args, &call->out);
    if (call->scatters) mcl__args_long(&args, call->out.capacity);
    MCL__TRY(mcl__launch_groups(queue, kernels, 0, mcl__divide_up(call->in.count, mcl__tile_size(kernels->tile)),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_transform(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    const transform_call call = { .function = "mcl_transform", .in = in, .out = out };
    return transform_run(queue, &call, options);
}

mcl_status mcl_scatter(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_output out,
                       const mcl_options *options)
{
    const transform_call call = {
        .function = "mcl_scatter", .in = values, .indices = indices, .out = out, .scatters = 1
    };
    return transform_run(queue, &call, options);
}

mcl_status mcl_scatter_if(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_input flags, mcl_output out,
                          const mcl_options *options)
{
    const transform_call call = { .function = "mcl_scatter_if",
                                  .in = values,
                                  .indices = indices,
                                  .flags = flags,
                                  .out = out,
                                  .scatters = 1,
                                  .has_flags = 1 };
    return transform_run(queue, &call, options);
}

/* ---- mcl_random --------------------------------------------------------------------------------------------- */

/* A value of a built-in type, for comparing low with high. */
static int value_below(const mcl_type *type, const void *a, const void *b)
{
#define BELOW(value_text)                                                                                              \
    do {                                                                                                               \
        value_text left, right;                                                                                        \
        memcpy(&left, a, sizeof left);                                                                                 \
        memcpy(&right, b, sizeof right);                                                                               \
        return left < right;                                                                                           \
    } while (0)
    const int is_signed = type->kind == MCL_KIND_SIGNED;
    switch (type->size) {
    case 1:
        if (is_signed)
            BELOW(int8_t);
        else
            BELOW(uint8_t);
    case 2:
        if (is_signed)
            BELOW(int16_t);
        else
            BELOW(uint16_t);
    case 4:
        if (type->kind == MCL_KIND_FLOAT) BELOW(float);
        if (is_signed)
            BELOW(int32_t);
        else
            BELOW(uint32_t);
    default:
        if (type->kind == MCL_KIND_FLOAT) BELOW(double);
        if (is_signed)
            BELOW(int64_t);
        else
            BELOW(uint64_t);
    }
#undef BELOW
}

static mcl_status random_check(const mcl_queue *queue, const mcl_output *out, const void *low, const void *high,
                               const mcl_options *options)
{
    const mcl__operand operands[] = { { "out", .output = out }, { NULL } };
    MCL__TRY(mcl__gate("mcl_random", queue, options, 0, operands));
    if (!mcl__is_of(out->type, MCL__BUILT_INS) || mcl__same_type(out->type, MCL_HALF))
        return mcl__fail(MCL_ERROR_TYPE, "mcl_random: out is %s; it must be of a built-in type other than half",
                         out->type->name);
    if (!low || !high)
        return mcl__fail(MCL_ERROR_ARGUMENT, "mcl_random: %s is NULL; it must point to one %s", low ? "high" : "low",
                         out->type->name);
    if (value_below(out->type, high, low))
        return mcl__fail(MCL_ERROR_ARGUMENT, "mcl_random: high is below low; it must be low or more");
    return MCL_OK;
}

mcl_status mcl_random(mcl_queue *queue, mcl_output out, uint64_t seed, int64_t first, const void *low, const void *high,
                      const mcl_options *options)
{
    const mcl__kernels *kernels;
    mcl__args args;

    MCL__TRY(random_check(queue, &out, low, high, options));
    MCL__TRY(mcl__context_probe(queue->context));
    const mcl_context *context = queue->context;
    const mcl__tile_need need = { .element_bytes = out.type->size };
    const int real_bits = out.type->kind != MCL_KIND_FLOAT ? 0 : out.type->size == 4 ? 24 : 53;
    const mcl__spec spec = {
        .file = "kernels/transform.cl",
        .kernels = { "random" },
        .tile = mcl__tile_for(MCL__OPERATION_transform, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(out.capacity, options),
        .outputs = { { "out", out.type } },
        .defines = { { "WITH_RANDOM", 1 }, { "RANDOM_REAL", real_bits } },
    };
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, "mcl_random", 0, options));
    mcl__args_start(&args, &spec);
    mcl__args_output(&args, &out);
    mcl__args_long(&args, out.capacity);
    mcl__args_long(&args, (int64_t)seed);
    mcl__args_long(&args, first);
    mcl__args_value(&args, low, out.type->size);
    mcl__args_value(&args, high, out.type->size);
    MCL__TRY(mcl__launch_groups(queue, kernels, 0, mcl__divide_up(out.capacity, mcl__tile_size(kernels->tile)),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}
