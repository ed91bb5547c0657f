/* new_name.c: mcl_new_name. Kernels: cl/new_name.cl, one pass. */
#include "call/gate.h"

#include "moderncl/new_name.h"

/* Kernels of the program, in the order of its list. */
enum { PASS };

typedef struct new_name_call {
    const char *function;
    mcl_input in;
    mcl_output out;
} new_name_call;

static mcl_status new_name_check(const mcl_queue *queue, const new_name_call *call,
                                 const mcl_options *options)
{
    const mcl__given operands[] = {
        { "in", .input = &call->in, .types = MCL__BUILT_INS },
        { "out", .output = &call->out },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, 0, operands));
    MCL__TRY(mcl__check_room(call->function, "out", &call->out, call->in.count));
    if (!mcl__same_type(call->in.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: in is %s and out is %s; they must be of one type", call->function,
                         call->in.type->name, call->out.type->name);
    return mcl__check_no_overlap(call->function, "in", &call->in, "out", &call->out, call->in.count);
}

/* From types and limits alone, so that calls with other buffers and counts find the same program. */
static void new_name_describe(mcl__spec *spec, const mcl_context *context,
                              const new_name_call *call, const mcl_options *options)
{
    /* a half is a float in work-group memory */
    const size_t kept_bytes = call->in.type->size < sizeof(float) ? sizeof(float) : call->in.type->size;
    const mcl__tile_need need = { .element_bytes = call->in.type->size,
                                  .local_bytes_per_item = kept_bytes,
                                  .local_bytes_fixed = kept_bytes };
    *spec = (mcl__spec){
        .file = "kernels/new_name.cl",
        .kernels = { [PASS] = "new_name" },
        .tile = mcl__tile_for(MCL__OPERATION_new_name, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(call->in.count, options),
        .inputs = { { "in", &call->in } },
        .outputs = { { "out", call->out.type } },
    };
}

static mcl_status new_name_run(mcl_queue *queue, const new_name_call *call,
                               const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;

    MCL__TRY(new_name_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    new_name_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, call->function, 0, options));
    mcl__args_start(&args, &spec);
    mcl__args_input(&args, &call->in);
    mcl__args_output(&args, &call->out);
    MCL__TRY(mcl__launch_groups(queue, kernels, PASS, mcl__divide_up(call->in.count, mcl__tile_size(kernels->tile)),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_new_name(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    const new_name_call call = { .function = "mcl_new_name", .in = in, .out = out };
    return new_name_run(queue, &call, options);
}
