/* merge.c: mcl_merge and mcl_merge_pairs. Kernels: cl/kernels/merge.cl.
 * A tile of the output is cut from a and b by two merge-path searches (pass 1), then merged in a work-group's memory
 * (pass 2). Under the serial mapping one pass does both. */
#include "call/gate.h"

#include "moderncl/merge.h"

enum { PARTITION, TILES };

/* Work-items of a group of pass 1 under the group mapping: searches diverge, so small groups spread them. */
enum { PARTITION_THREADS = 64 };

typedef struct merge_call {
    const char *function;
    mcl_input a, a_values, b, b_values;
    mcl_output out, out_values;
    const mcl_op *before;
    int has_values;
} merge_call;

static int64_t merge_total(const merge_call *call)
{
    return call->a.count + call->b.count;
}

static mcl_status merge_gate(const mcl_queue *queue, const merge_call *call, const mcl_options *options)
{
    const int pairs = call->has_values;
    const mcl__operand operands[] = {
        { pairs ? "a_keys" : "a", .input = &call->a },
        { pairs ? "b_keys" : "b", .input = &call->b },
        { pairs ? "out_keys" : "out", .output = &call->out },
        { "before", .op = call->before, .use = MCL__ORDER, .of = &call->a },
        { pairs ? "a_values" : NULL, .input = &call->a_values },
        { "b_values", .input = &call->b_values },
        { "out_values", .output = &call->out_values },
        { NULL },
    };
    return mcl__gate(call->function, queue, options, 0, operands);
}

static mcl_status merge_check_keys(const merge_call *call)
{
    MCL__TRY(mcl__check_room(call->function, call->has_values ? "out_keys" : "out", &call->out, merge_total(call)));
    if (!mcl__same_type(call->a.type, call->b.type) || !mcl__same_type(call->a.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: keys of a are %s, of b %s, of out %s; they must be of one type",
                         call->function, call->a.type->name, call->b.type->name, call->out.type->name);
    return MCL_OK;
}

static mcl_status merge_check_values(const merge_call *call)
{
    MCL__TRY(mcl__check_room(call->function, "out_values", &call->out_values, merge_total(call)));
    if (!mcl__same_type(call->a_values.type, call->b_values.type) ||
        !mcl__same_type(call->a_values.type, call->out_values.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values of a are %s, of b %s, of out %s; they must be of one type",
                         call->function, call->a_values.type->name, call->b_values.type->name,
                         call->out_values.type->name);
    MCL__TRY(mcl__check_as_many(call->function, "a_values", &call->a_values, "a_keys", call->a.count));
    return mcl__check_as_many(call->function, "b_values", &call->b_values, "b_keys", call->b.count);
}

/* Neither output may lie on anything that is read, nor the two on each other. */
static mcl_status merge_check_overlap(const merge_call *call)
{
    const mcl_output *outputs[] = { &call->out, &call->out_values };
    const char *output_names[] = { call->has_values ? "out_keys" : "out", "out_values" };
    const mcl_input *inputs[] = { &call->a, &call->b, &call->a_values, &call->b_values };
    const char *input_names[] = { call->has_values ? "a_keys" : "a", call->has_values ? "b_keys" : "b", "a_values",
                                  "b_values" };
    const int64_t total = merge_total(call);
    for (int o = 0; o <= call->has_values; ++o) {
        for (int i = 0; i < (call->has_values ? 4 : 2); ++i)
            MCL__TRY(
                mcl__check_no_overlap(call->function, input_names[i], inputs[i], output_names[o], outputs[o], total));
        MCL__TRY(mcl__check_op_overlap(call->function, "before", call->before, output_names[o], outputs[o], total));
    }
    if (!call->has_values) return MCL_OK;
    const mcl_input written = mcl_from_buffer(call->out.type, call->out.buffer, call->out.offset, total);
    return mcl__check_no_overlap(call->function, "out_keys", &written, "out_values", &call->out_values, total);
}

static void merge_describe(mcl__spec *spec, const mcl_context *context, const merge_call *call,
                           const mcl_options *options)
{
    const size_t key = call->a.type->size > sizeof(int) ? call->a.type->size : sizeof(int);
    const mcl__tile_need need = { .element_bytes = call->a.type->size,
                                  .local_bytes_per_item = key,
                                  .local_bytes_fixed = 32 * key };
    const mcl__tile tile = mcl__tile_for(call->has_values ? MCL__OPERATION_merge_pairs : MCL__OPERATION_merge,
                                         &context->limits, context->tuning, need, options);
    *spec = (mcl__spec){
        .file = "kernels/merge.cl",
        .kernels = { [PARTITION] = "merge_partition", [TILES] = "merge_tiles" },
        .tile = tile,
        /* a CPU's addresses have 64 bits: a shorter place would be widened at each step */
        .index_bits = tile.threads == 1 ? 64 : mcl__index_bits(merge_total(call), options),
        .types = { { "key", call->a.type } },
        .ops = { { "before", call->before, MCL__OP_COMPARE, call->a.type, NULL } },
        .inputs = { { "a", &call->a }, { "b", &call->b } },
        .outputs = { { "out", call->out.type } },
        .defines = { { "HAS_VALUES", call->has_values } },
    };
    spec->defines[1].name = "PARTITION_THREADS";
    spec->defines[1].value = spec->tile.threads < PARTITION_THREADS ? spec->tile.threads : PARTITION_THREADS;
    if (!call->has_values) return;
    spec->inputs[2].name = "a_values";
    spec->inputs[2].input = &call->a_values;
    spec->inputs[3].name = "b_values";
    spec->inputs[3].input = &call->b_values;
    spec->outputs[1].name = "out_values";
    spec->outputs[1].type = call->out_values.type;
}

/* Shares of the output under the serial mapping: no larger than a tile, and several a core, so that all have as much to
 * do. */
static int64_t merge_shares(const mcl__limits *limits, int64_t tiles)
{
    const int64_t wanted = limits->is_gpu ? 1 : (int64_t)limits->compute_units * 8;
    return tiles < 2 || tiles > wanted ? tiles : wanted;
}

static mcl_status merge_launch(mcl_queue *queue, const merge_call *call, const mcl__spec *spec,
                               const mcl__kernels *kernels, int64_t tiles, mcl__span split)
{
    mcl__args args;
    const int is_serial = kernels->tile.threads == 1;
    mcl__args_start(&args, spec);
    mcl__args_input(&args, &call->a);
    mcl__args_input(&args, &call->b);
    if (!is_serial) {
        const int threads = spec->defines[1].value;
        mcl__args_span(&args, split);
        const mcl__args shared = args;
        mcl__args_index(&args, tiles + 1);
        MCL__TRY(mcl__launch_groups(queue, kernels, PARTITION, mcl__divide_up(tiles + 1, threads), threads, &args));
        args = shared;
    }
    mcl__args_output(&args, &call->out);
    if (call->has_values) {
        mcl__args_input(&args, &call->a_values);
        mcl__args_input(&args, &call->b_values);
        mcl__args_output(&args, &call->out_values);
    }
    const int64_t groups = is_serial ? merge_shares(&queue->context->limits, tiles) : tiles;
    return mcl__launch_groups(queue, kernels, TILES, groups, kernels->tile.threads, &args);
}

static mcl_status merge_run(mcl_queue *queue, const merge_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;

    MCL__TRY(merge_gate(queue, call, options));
    MCL__TRY(merge_check_keys(call));
    if (call->has_values) MCL__TRY(merge_check_values(call));
    MCL__TRY(merge_check_overlap(call));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) {
        const char *const names[] = { call->has_values ? "a_keys" : "a", call->has_values ? "b_keys" : "b" };
        MCL__TRY(mcl__validate_sorted(queue, call->function, names[0], &call->a, call->before, options));
        MCL__TRY(mcl__validate_sorted(queue, call->function, names[1], &call->b, call->before, options));
    }
    merge_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    const int64_t tiles = mcl__divide_up(merge_total(call), mcl__tile_size(kernels->tile));
    const size_t split_bytes = kernels->tile.threads > 1 ? (size_t)(tiles + 1) * (size_t)(spec.index_bits / 8) : 0;
    MCL__TRY(mcl__call_begin(queue, call->function, mcl__scratch_round(split_bytes), options));
    if (tiles > 0) MCL__TRY(merge_launch(queue, call, &spec, kernels, tiles, mcl__scratch_take(queue, split_bytes)));
    return mcl__call_end(queue, options);
}

mcl_status mcl_merge(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                     const mcl_options *options)
{
    const merge_call call = { .function = "mcl_merge", .a = a, .b = b, .out = out, .before = before };
    return merge_run(queue, &call, options);
}

mcl_status mcl_merge_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys, mcl_input b_values,
                           mcl_output out_keys, mcl_output out_values, const mcl_op *before, const mcl_options *options)
{
    const merge_call call = { .function = "mcl_merge_pairs",
                              .a = a_keys,
                              .a_values = a_values,
                              .b = b_keys,
                              .b_values = b_values,
                              .out = out_keys,
                              .out_values = out_values,
                              .before = before,
                              .has_values = 1 };
    return merge_run(queue, &call, options);
}
