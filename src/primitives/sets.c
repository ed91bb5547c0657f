/* sets.c: the multiset operations. Kernels: cl/kernels/sets.cl.
 * Tiles are cut by balanced path, so that no pair of equal keys stands on both sides of a cut. Single pass: a group
 * takes the next tile, makes its results and finds their place by look-back. Elsewhere each group has a part, several
 * tiles: it counts the results, and makes them again once the parts before it are counted, or keeps them in scratch
 * until then. */
#include "call/fold.h"
#include "call/gate.h"
#include "call/look_back.h"
#include "facts/sets.h"

#include "moderncl/sets.h"

enum { PARTITION, TILES };                         /* look-back */
enum { PARTS = 1, SPINE = 2, DOWN = 3, COPY = 3 }; /* otherwise */

typedef enum set_form { LOOK_BACK, COUNT_FIRST, KEEP } set_form;

/* Loop iterations of a work-item for each key of a tile, about, where they are limited. */
enum { STEPS = 16 };

typedef struct set_call {
    const char *function;
    int kind; /* SET_KIND */
    mcl_input a, a_values, b, b_values;
    mcl_output out, out_values;
    const mcl_op *before;
    mcl_result count;
    int has_values;
    int unique;
    set_form form;
    int index_bits;
} set_call;

static int64_t set_total(const set_call *call)
{
    return call->a.count + call->b.count;
}

static int set_from_b(const set_call *call)
{
    return SET_FROM_B(call->kind);
}

/* Results that the outputs have room for. */
static int64_t set_capacity(const set_call *call)
{
    return call->has_values && call->out_values.capacity < call->out.capacity ? call->out_values.capacity
                                                                              : call->out.capacity;
}

/* Results that may be stored, at most. */
static int64_t set_stored(const set_call *call)
{
    const int64_t lesser = call->a.count < call->b.count ? call->a.count : call->b.count;
    const int64_t most = call->kind == SET_INTERSECTION ? lesser
                         : call->kind == SET_DIFFERENCE ? call->a.count
                                                        : set_total(call);
    return most < set_capacity(call) ? most : set_capacity(call);
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

static mcl_status set_gate(const mcl_queue *queue, const set_call *call, const mcl_options *options)
{
    const int pairs = call->has_values;
    const mcl__given operands[] = {
        { pairs ? "a_keys" : "a", .input = &call->a },
        { pairs ? "b_keys" : "b", .input = &call->b },
        { pairs ? "out_keys" : "out", .output = &call->out, .optional = 1 },
        { "before", .op = call->before, .use = MCL__ORDER, .of = &call->a },
        { "count", .result = &call->count, .types = MCL__COUNTS },
        { pairs ? "a_values" : NULL, .input = &call->a_values },
        { "out_values", .output = &call->out_values, .optional = 1 },
        { set_from_b(call) ? "b_values" : NULL, .input = &call->b_values },
        { NULL },
    };
    MCL__TRY(mcl__gate(call->function, queue, options, MCL__TAKES_PASSES | MCL__TAKES_UNIQUE_KEYS, operands));
    if (!options || (options->passes >= 0 && options->passes <= 2)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->passes is %d; it must be 0, 1 or 2", call->function,
                     options->passes);
}

/* Without any output the results are only counted. */
static void set_leave_out(set_call *call)
{
    const int no_keys = mcl__leave_out(&call->out, call->a.type);
    const int no_values = !call->has_values || mcl__leave_out(&call->out_values, call->a_values.type);
    if (no_keys && no_values) call->out.capacity = 0;
}

static mcl_status set_check_keys(const set_call *call)
{
    if (!mcl__same_type(call->a.type, call->b.type) || !mcl__same_type(call->a.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: keys of a are %s, of b %s, of out %s; they must be of one type",
                         call->function, call->a.type->name, call->b.type->name, call->out.type->name);
    return MCL_OK;
}

static mcl_status set_check_values(const set_call *call)
{
    if (!mcl__same_type(call->a_values.type, call->out_values.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values of a are %s, of out %s; they must be of one type", call->function,
                         call->a_values.type->name, call->out_values.type->name);
    MCL__TRY(mcl__check_as_many(call->function, "a_values", &call->a_values, "a_keys", call->a.count));
    if (!set_from_b(call)) return MCL_OK;
    if (!mcl__same_type(call->b_values.type, call->out_values.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: values of b are %s, of out %s; they must be of one type", call->function,
                         call->b_values.type->name, call->out_values.type->name);
    MCL__TRY(mcl__check_as_many(call->function, "b_values", &call->b_values, "b_keys", call->b.count));
    return MCL_OK;
}

/* An output may not lie on anything that is read. */
static mcl_status set_check_apart(const set_call *call, const char *name, const mcl_output *output, int64_t needed)
{
    const mcl_input *inputs[] = { &call->a, &call->b, &call->a_values, &call->b_values };
    const char *input_names[] = { call->has_values ? "a_keys" : "a", call->has_values ? "b_keys" : "b", "a_values",
                                  "b_values" };
    const int read = call->has_values ? set_from_b(call) ? 4 : 3 : 2;
    for (int i = 0; i < read; ++i)
        MCL__TRY(mcl__check_no_overlap(call->function, input_names[i], inputs[i], name, output, needed));
    return mcl__check_op_overlap(call->function, "before", call->before, name, output, needed);
}

/* Nor may the outputs lie on each other. */
static mcl_status set_check_overlap(const set_call *call)
{
    const mcl_output *outputs[] = { &call->out, &call->out_values };
    const char *names[] = { call->has_values ? "out_keys" : "out", "out_values" };
    const mcl_output slot = { MCL_INT64, call->count.buffer, call->count.offset, 1 };
    mcl_input written[2];
    for (int o = 0; o <= call->has_values; ++o) {
        MCL__TRY(set_check_apart(call, names[o], outputs[o], set_stored(call)));
        written[o] = mcl_from_buffer(outputs[o]->type, outputs[o]->buffer, outputs[o]->offset, set_stored(call));
    }
    if (call->has_values)
        MCL__TRY(mcl__check_no_overlap(call->function, names[0], &written[0], names[1], outputs[1], set_stored(call)));
    if (!call->count.buffer) return MCL_OK;
    for (int o = 0; o <= call->has_values; ++o)
        MCL__TRY(mcl__check_no_overlap(call->function, names[o], &written[o], "count", &slot, 1));
    return set_check_apart(call, "count", &slot, 1);
}

static mcl_status set_check(const set_call *call)
{
    MCL__TRY(set_check_keys(call));
    if (call->has_values) MCL__TRY(set_check_values(call));
    return set_check_overlap(call);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Under the serial mapping too a tile's results pass through work-group memory. */
static mcl__tile set_tile(const mcl_context *context, const set_call *call, const mcl_options *options)
{
    const size_t key = mcl__staged_bytes(call->a.type);
    const size_t value = call->has_values ? mcl__staged_bytes(call->out_values.type) : 0;
    const size_t fixed = 2 * key + 64;
    const mcl__tile_need need = { .element_bytes = call->a.type->size,
                                  .local_bytes_per_item = key + sizeof(uint16_t),
                                  .local_bytes_per_thread = 2 * sizeof(int64_t), /* a sum and a cut */
                                  .local_bytes_fixed = fixed };
    mcl__tile tile = mcl__tile_for(call->has_values ? MCL__OPERATION_sets_pairs : MCL__OPERATION_sets, &context->limits,
                                   context->tuning, need, options);
    while (tile.threads == 1 && tile.items > 1 &&
           (uint64_t)(tile.items + 1) * (key + value) + fixed > (uint64_t)context->limits.local_memory)
        tile.items /= 2;
    return tile;
}

static void set_describe_values(mcl__spec *spec, const set_call *call)
{
    spec->inputs[2].name = "a_values";
    spec->inputs[2].input = &call->a_values;
    if (set_from_b(call)) {
        spec->inputs[3].name = "b_values";
        spec->inputs[3].input = &call->b_values;
    }
    spec->outputs[2].name = "out_values";
    spec->outputs[2].type = call->out_values.type;
    spec->outputs[2].is_left_out = mcl__is_left_out(&call->out_values);
    if (call->form != KEEP) return;
    spec->outputs[4].name = "kept_values";
    spec->outputs[4].type = call->out_values.type;
}

static void set_describe(mcl__spec *spec, const mcl_context *context, const set_call *call, const mcl_options *options)
{
    *spec = (mcl__spec){
        .file = "kernels/sets.cl",
        .kernels = { [PARTITION] = "sets_partition" },
        .tile = set_tile(context, call, options),
        .index_bits = call->index_bits,
        .types = { { "key", call->a.type } },
        .ops = { { "before", call->before, MCL__OP_COMPARE, call->a.type, NULL },
                 { "fold", MCL_ADD, MCL__OP_FOLD, call->index_bits == 64 ? MCL_INT64 : MCL_INT32, NULL } },
        .inputs = { { "a", &call->a }, { "b", &call->b } },
        .outputs = { { "out", call->out.type, mcl__is_left_out(&call->out) }, { "count", MCL_INT64 } },
        .defines = { { "SET_KIND", call->kind },
                     { "SET_UNIQUE", call->unique },
                     { "HAS_VALUES", call->has_values },
                     { "SETS_LOOK_BACK", call->form == LOOK_BACK },
                     { "SETS_KEPT", call->form == KEEP } },
    };
    spec->defines[5].name = "PARTITION_THREADS";
    spec->defines[5].value = mcl__partition_threads(spec->tile);
    const mcl__parameter resident = call->form != LOOK_BACK ? MCL__PARAMETER_sets_two_pass_resident
                                    : call->has_values      ? MCL__PARAMETER_sets_pairs_resident
                                                            : MCL__PARAMETER_sets_resident;
    mcl__spec_define(spec, "RESIDENT", mcl__tuned(context, resident));
    if (call->form == LOOK_BACK) {
        spec->kernels[TILES] = "sets_tiles";
    } else {
        spec->kernels[PARTS] = "sets_parts";
        spec->kernels[SPINE] = "sets_spine";
        spec->kernels[DOWN] = call->form == KEEP ? "sets_copy" : "sets_down";
    }
    if (call->form == KEEP) {
        spec->outputs[3].name = "kept";
        spec->outputs[3].type = call->out.type;
    }
    if (call->has_values) set_describe_values(spec, call);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

/* What a call takes of the scratch. */
typedef struct set_scratch {
    int64_t tiles, parts;
    size_t split_bytes, partials_bytes, kept_bytes, kept_values_bytes;
    mcl__look_back states;
    mcl__span split, partials, kept, kept_values, count;
} set_scratch;

static set_scratch set_scratch_size(const mcl_context *context, const set_call *call, mcl__tile tile)
{
    const size_t index = (size_t)call->index_bits / 8;
    const int64_t tile_size = SET_TILE_KEYS((int64_t)tile.threads, tile.items);
    const int64_t needed = mcl__divide_up(set_total(call), tile_size);
    set_scratch s = { .tiles = needed > 0 ? needed : 1 }; /* the first tile stores the count of nothing */
    s.split_bytes = (size_t)(s.tiles + 1) * index;
    if (call->form == LOOK_BACK) {
        s.states = mcl__look_back_in_scratch(set_total(call), tile_size, index);
        return s;
    }
    s.parts =
        mcl__fold_parts(&context->limits, tile, s.tiles, mcl__tuned_a_unit(context, MCL__PARAMETER_any_parts), STEPS);
    s.partials_bytes = (size_t)(s.parts + 1) * index;
    if (call->form != KEEP) return s;
    s.kept_bytes = (size_t)set_total(call) * call->out.type->size;
    if (call->has_values) s.kept_values_bytes = (size_t)set_total(call) * call->out_values.type->size;
    return s;
}

static mcl_status set_scratch_begin(mcl_queue *queue, const set_call *call, set_scratch *s, const mcl_options *options)
{
    MCL__TRY(mcl__call_begin(queue, call->function,
                             mcl__scratch_round(s->split_bytes) + mcl__look_back_scratch(&s->states) +
                                 mcl__scratch_round(s->partials_bytes) + mcl__scratch_round(s->kept_bytes) +
                                 mcl__scratch_round(s->kept_values_bytes) +
                                 mcl__scratch_round(mcl__result_scratch(&call->count)),
                             options));
    s->split = mcl__scratch_take(queue, s->split_bytes);
    mcl__look_back_take(queue, &s->states);
    s->partials = mcl__scratch_take(queue, s->partials_bytes);
    s->kept = mcl__scratch_take(queue, s->kept_bytes);
    s->kept_values = mcl__scratch_take(queue, s->kept_values_bytes);
    s->count = mcl__result_span(queue, &call->count);
    return MCL_OK;
}

static mcl_status set_partition(mcl_queue *queue, const set_call *call, const mcl__spec *spec,
                                const mcl__kernels *kernels, const set_scratch *s)
{
    mcl__args args;
    const int threads = spec->defines[5].value;
    mcl__args_start(&args, spec);
    mcl__args_input(&args, &call->a);
    mcl__args_input(&args, &call->b);
    mcl__args_span(&args, s->split);
    mcl__args_index(&args, s->tiles + 1);
    if (call->form == LOOK_BACK) mcl__look_back_args(&args, &s->states);
    return mcl__launch_groups(queue, kernels, PARTITION, mcl__divide_up(s->tiles + 1, threads), threads, &args);
}

/* PARAMS_operands. */
static void set_args_operands(mcl__args *args, const set_call *call, const mcl__spec *spec, const set_scratch *s)
{
    mcl__args_start(args, spec);
    mcl__args_input(args, &call->a);
    mcl__args_input(args, &call->b);
    mcl__args_span(args, s->split);
    if (!call->has_values) return;
    mcl__args_input(args, &call->a_values);
    if (set_from_b(call)) mcl__args_input(args, &call->b_values);
}

/* PARAMS_results. */
static void set_args_results(mcl__args *args, const set_call *call)
{
    mcl__args_output(args, &call->out);
    if (call->has_values) mcl__args_output(args, &call->out_values);
}

static void set_args_kept(mcl__args *args, const set_call *call, const set_scratch *s)
{
    mcl__args_span(args, s->kept);
    if (call->has_values) mcl__args_span(args, s->kept_values);
}

static void set_args_count(mcl__args *args, const set_scratch *s)
{
    mcl__args_span(args, s->count);
    mcl__args_int(args, s->count.buffer != NULL);
}

static mcl_status set_launch_tiles(mcl_queue *queue, const set_call *call, const mcl__spec *spec,
                                   const mcl__kernels *kernels, const set_scratch *s)
{
    mcl__args args;
    set_args_operands(&args, call, spec, s);
    set_args_results(&args, call);
    mcl__args_index(&args, set_stored(call));
    set_args_count(&args, s);
    mcl__look_back_args(&args, &s->states);
    return mcl__launch_groups(queue, kernels, TILES, s->tiles, kernels->tile.threads, &args);
}

static mcl_status set_launch_parts(mcl_queue *queue, const set_call *call, const mcl__spec *spec,
                                   const mcl__kernels *kernels, const set_scratch *s)
{
    mcl__args args;
    const int threads = kernels->tile.threads;
    set_args_operands(&args, call, spec, s);
    if (call->form == KEEP)
        set_args_kept(&args, call, s);
    else
        set_args_results(&args, call);
    mcl__args_span(&args, s->partials);
    MCL__TRY(mcl__launch_groups(queue, kernels, PARTS, s->parts, threads, &args));

    mcl__args_start(&args, spec);
    mcl__args_span(&args, s->partials);
    mcl__args_int(&args, (int)s->parts);
    set_args_count(&args, s);
    MCL__TRY(mcl__launch_groups(queue, kernels, SPINE, 1, threads, &args));
    if (set_stored(call) == 0) return MCL_OK;

    if (call->form == KEEP) {
        args = (mcl__args){ .index_bits = spec->index_bits };
        mcl__args_input(&args, &call->a);
        mcl__args_input(&args, &call->b);
        set_args_results(&args, call);
        mcl__args_index(&args, set_stored(call));
        mcl__args_span(&args, s->partials);
        set_args_kept(&args, call, s);
        return mcl__launch_groups(queue, kernels, COPY, s->parts, threads, &args);
    }
    set_args_operands(&args, call, spec, s);
    set_args_results(&args, call);
    mcl__args_span(&args, s->partials);
    mcl__args_index(&args, set_stored(call));
    return mcl__launch_groups(queue, kernels, DOWN, s->parts, threads, &args);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

/* One pass by look-back where groups may wait for each other. */
static set_form set_choose_form(const mcl__limits *limits, const mcl_options *options)
{
    const int passes = options ? options->passes : 0;
    if (passes == 2) return COUNT_FIRST;
    return limits->look_back ? LOOK_BACK : passes == 1 ? KEEP : COUNT_FIRST;
}

static mcl_status set_read_count(mcl_queue *queue, const set_call *call, mcl__span span)
{
    MCL__TRY(mcl__result_read(queue, &call->count, span));
    if (!call->count.host || queue->preparing) return MCL_OK;
    int64_t needed;
    memcpy(&needed, call->count.host, sizeof needed);
    if (needed <= set_capacity(call) || set_capacity(call) == 0) return MCL_OK; /* 0: only counted */
    return mcl__fail(MCL_ERROR_CAPACITY, "%s: there are %lld results; %s has room for %lld", call->function,
                     (long long)needed, call->has_values ? "the shorter of out_keys and out_values" : "out",
                     (long long)set_capacity(call));
}

static mcl_status set_validate(mcl_queue *queue, const set_call *call, const mcl_options *options)
{
    MCL__TRY(mcl__validate_sorted(queue, call->function, call->has_values ? "a_keys" : "a", &call->a, call->before,
                                  options));
    return mcl__validate_sorted(queue, call->function, call->has_values ? "b_keys" : "b", &call->b, call->before,
                                options);
}

static mcl_status set_run(mcl_queue *queue, set_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;

    MCL__TRY(set_gate(queue, call, options));
    set_leave_out(call);
    MCL__TRY(set_check(call));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) MCL__TRY(set_validate(queue, call, options));
    call->unique = mcl__wants(options, MCL_UNIQUE_KEYS);
    call->form = set_choose_form(&queue->context->limits, options);
    call->index_bits = mcl__index_bits(set_total(call), options);
    set_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    set_scratch scratch = set_scratch_size(queue->context, call, kernels->tile);
    MCL__TRY(set_scratch_begin(queue, call, &scratch, options));
    MCL__TRY(set_partition(queue, call, &spec, kernels, &scratch));
    MCL__TRY(call->form == LOOK_BACK ? set_launch_tiles(queue, call, &spec, kernels, &scratch)
                                     : set_launch_parts(queue, call, &spec, kernels, &scratch));
    MCL__TRY(mcl__call_end(queue, options));
    return set_read_count(queue, call, scratch.count);
}

static mcl_status set_keys(mcl_queue *queue, const char *function, int kind, mcl_input a, mcl_input b, mcl_output out,
                           const mcl_op *before, mcl_result count, const mcl_options *options)
{
    set_call call = {
        .function = function, .kind = kind, .a = a, .b = b, .out = out, .before = before, .count = count
    };
    return set_run(queue, &call, options);
}

static mcl_status set_pairs(mcl_queue *queue, const char *function, int kind, mcl_input a_keys, mcl_input a_values,
                            mcl_input b_keys, mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                            const mcl_op *before, mcl_result count, const mcl_options *options)
{
    set_call call = { .function = function,
                      .kind = kind,
                      .a = a_keys,
                      .a_values = a_values,
                      .b = b_keys,
                      .b_values = b_values,
                      .out = out_keys,
                      .out_values = out_values,
                      .before = before,
                      .count = count,
                      .has_values = 1 };
    return set_run(queue, &call, options);
}

mcl_status mcl_set_intersection(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_intersection", SET_INTERSECTION, a, b, out, before, count, options);
}

mcl_status mcl_set_union(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                         mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_union", SET_UNION, a, b, out, before, count, options);
}

mcl_status mcl_set_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                              mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_difference", SET_DIFFERENCE, a, b, out, before, count, options);
}

mcl_status mcl_set_symmetric_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out,
                                        const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_symmetric_difference", SET_SYMMETRIC_DIFFERENCE, a, b, out, before, count, options);
}

mcl_status mcl_set_intersection_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                      mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                      const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_intersection_pairs", SET_INTERSECTION, a_keys, a_values, b_keys, b_values,
                     out_keys, out_values, before, count, options);
}

mcl_status mcl_set_union_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                               mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                               mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_union_pairs", SET_UNION, a_keys, a_values, b_keys, b_values, out_keys, out_values,
                     before, count, options);
}

mcl_status mcl_set_difference_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                    mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                    const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_difference_pairs", SET_DIFFERENCE, a_keys, a_values, b_keys, b_values, out_keys,
                     out_values, before, count, options);
}

mcl_status mcl_set_symmetric_difference_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                              mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                              const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_symmetric_difference_pairs", SET_SYMMETRIC_DIFFERENCE, a_keys, a_values, b_keys,
                     b_values, out_keys, out_values, before, count, options);
}
