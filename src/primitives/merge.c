/* merge.c: mcl_merge and mcl_merge_pairs. Kernels: cl/merge.cl.
 * A tile of the output is cut from a and b by two merge-path searches (pass 1), then merged in a work-group's memory
 * (pass 2). Under the serial mapping one pass does both. */
#include "primitives/primitive.h"

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

static mcl_status merge_check_keys(const mcl_queue *queue, const merge_call *call)
{
    const mcl_context *context = queue->context;
    MCL__TRY(mcl__check_input(call->function, call->has_values ? "a_keys" : "a", context, &call->a));
    MCL__TRY(mcl__check_input(call->function, call->has_values ? "b_keys" : "b", context, &call->b));
    if (call->a.count > INT64_MAX / 128 - call->b.count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: a and b have %lld and %lld elements; their sum is too large",
                         call->function, (long long)call->a.count, (long long)call->b.count);
    MCL__TRY(mcl__check_output(call->function, call->has_values ? "out_keys" : "out", context, &call->out,
                               merge_total(call)));
    if (!mcl__same_type(call->a.type, call->b.type) || !mcl__same_type(call->a.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: keys of a are %s, of b %s, of out %s; they must be of one type",
                         call->function, call->a.type->name, call->b.type->name, call->out.type->name);
    return mcl__check_op(call->function, "before", context, call->before);
}

static mcl_status merge_check_values(const mcl_queue *queue, const merge_call *call)
{
    const mcl_context *context = queue->context;
    MCL__TRY(mcl__check_input(call->function, "a_values", context, &call->a_values));
    MCL__TRY(mcl__check_input(call->function, "b_values", context, &call->b_values));
    MCL__TRY(mcl__check_output(call->function, "out_values", context, &call->out_values, merge_total(call)));
    if (!mcl__same_type(call->a_values.type, call->b_values.type) ||
        !mcl__same_type(call->a_values.type, call->out_values.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values of a are %s, of b %s, of out %s; they must be of one type",
                         call->function, call->a_values.type->name, call->b_values.type->name,
                         call->out_values.type->name);
    if (call->a_values.count < call->a.count || call->b_values.count < call->b.count)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: there are %lld a_values for %lld a_keys and %lld b_values for %lld "
                         "b_keys; every key must have a value",
                         call->function, (long long)call->a_values.count, (long long)call->a.count,
                         (long long)call->b_values.count, (long long)call->b.count);
    return MCL_OK;
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
        .file = "merge.cl",
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

    MCL__TRY(mcl__check_queue(call->function, queue));
    MCL__TRY(mcl__check_options(call->function, queue, options));
    MCL__TRY(merge_check_keys(queue, call));
    if (call->has_values) MCL__TRY(merge_check_values(queue, call));
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
