/* by_key.c: calls that fold or scan runs: mcl_reduce_by_key, mcl_scan_by_key, and those of segmented.c. Kernels:
 * cl/kernels/by_key.cl.
 * Single pass: a group takes the next tile, publishes what it hands on and looks back for what comes before it. Two
 * passes, where groups may not wait for each other or the values would be overwritten under a group that has to fold
 * them again: fold parts, scan their folds, then store the parts behind them. */
#include "call/gate.h"
#include "call/look_back.h"
#include "primitives/runs.h"

#include "moderncl/by_key.h"

enum { CLEAR, TILES, FEW_TILES }; /* single pass */
enum { PARTS, SPINE, DOWN };      /* two passes */

/* ---- services for segmented.c ------------------------------------------------------------------------------- */

mcl_status mcl__validate_offsets(mcl_queue *queue, const char *function, const mcl_input *offsets, int64_t count,
                                 const mcl_options *options)
{
    if (!mcl__validates(options)) return MCL_OK;
    MCL__TRY(mcl__validate_sorted(queue, function, "offsets", offsets, MCL_LESS, options));
    return mcl__validate_range(queue, function, "offsets", offsets, 0, count, options);
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

int mcl__input_names(const mcl_input *input, const char *name)
{
    const size_t length = strlen(name);
    for (int k = 0; k < input->binding_count; ++k)
        if (strcmp(input->bindings[k].name, name) == 0) return 0;
    for (const char *at = strstr(input->expression, name); at; at = strstr(at + length, name))
        if ((at == input->expression || !is_letter(at[-1])) && !is_letter(at[length])) return 1;
    return 0;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

typedef struct runs_call {
    mcl__runs runs;
    mcl__initial initial;
    int64_t count; /* of elements */
    int index_bits;
    size_t accumulator; /* bytes of what a tile hands on */
    size_t state_bytes; /* of them in a tile's state (status_words.clh): a count of 32 bits stands beside the status */
    int looks_back;
} runs_call;

static const mcl_op same_number = { .role = MCL_ROLE_EQUALITY, .expression = "p == q" };

static mcl_status check_keys(const mcl__runs *runs)
{
    if (!runs->equal && runs->by.type->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: equal is NULL and keys are %s; only numbers compare without it",
                         runs->function, runs->by.type->name);
    MCL__TRY(mcl__check_as_many(runs->function, runs->values_name, &runs->values, "keys", runs->by.count));
    if (!runs->reduces) return MCL_OK;
    if (mcl__same_type(runs->by.type, runs->out_keys.type)) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s: keys are %s and out_keys is %s; they must be of one type", runs->function,
                     runs->by.type->name, runs->out_keys.type->name);
}

static mcl_status check_flags(const mcl__runs *runs)
{
    const int64_t words = mcl__divide_up(runs->values.count, HEAD_FLAG_BITS);
    if (runs->by.count >= words) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s: flags has %lld words; %lld elements need %lld", runs->function,
                     (long long)runs->by.count, (long long)runs->values.count, (long long)words);
}

/* How many elements an output is sure to take. */
static int64_t written(const runs_call *call, const mcl_output *out)
{
    if (!call->runs.reduces) return call->count;
    return out->capacity < call->count ? out->capacity : call->count;
}

/* An output lies on nothing that is read; of a scan it may be where the values are. */
static mcl_status check_out_overlap(const runs_call *call, const char *name, const mcl_output *out)
{
    const mcl__runs *runs = &call->runs;
    const int64_t needed = written(call, out);
    MCL__TRY(mcl__check_op_overlap(runs->function, "op", runs->op, name, out, needed));
    MCL__TRY(mcl__check_op_overlap(runs->function, "equal", runs->equal, name, out, needed));
    MCL__TRY(mcl__check_no_overlap(runs->function, runs->by_name, &runs->by, name, out, needed));
    if (!runs->reduces && !runs->values.expression)
        return mcl__check_in_place(runs->function, runs->values_name, &runs->values, name, out, needed);
    return mcl__check_no_overlap(runs->function, runs->values_name, &runs->values, name, out, needed);
}

static mcl_status check_overlap(const runs_call *call)
{
    const mcl__runs *runs = &call->runs;
    MCL__TRY(check_out_overlap(call, runs->out_name, &runs->out));
    if (!runs->reduces) return MCL_OK;
    const int has_keys = runs->heads == HEADS_KEYS;
    const mcl_input out =
        mcl_from_buffer(runs->out.type, runs->out.buffer, runs->out.offset, written(call, &runs->out));
    mcl_input keys = { .type = MCL_INT8 };
    if (has_keys) {
        MCL__TRY(check_out_overlap(call, "out_keys", &runs->out_keys));
        MCL__TRY(mcl__check_no_overlap(runs->function, runs->out_name, &out, "out_keys", &runs->out_keys,
                                       written(call, &runs->out_keys)));
        keys = mcl_from_buffer(runs->out_keys.type, runs->out_keys.buffer, runs->out_keys.offset,
                               written(call, &runs->out_keys));
    }
    if (!runs->count.buffer) return MCL_OK;
    const mcl_output slot = { runs->count.type, runs->count.buffer, runs->count.offset, 1 };
    MCL__TRY(check_out_overlap(call, "count", &slot));
    MCL__TRY(mcl__check_no_overlap(runs->function, runs->out_name, &out, "count", &slot, 1));
    return has_keys ? mcl__check_no_overlap(runs->function, "out_keys", &keys, "count", &slot, 1) : MCL_OK;
}

static mcl_status runs_gate(const mcl_queue *queue, const mcl__runs *runs, const mcl_options *options)
{
    const int has_keys = runs->heads == HEADS_KEYS;
    const mcl__given operands[] = {
        { runs->by_name, .input = &runs->by,
          .types = has_keys                     ? MCL__ANY_TYPE
                   : runs->heads == HEADS_FLAGS ? MCL__FLAGS
                                                : MCL__INTEGERS },
        { runs->values_name, .input = &runs->values },
        { runs->out_name, .output = &runs->out },
        { "op", .op = runs->op, .use = MCL__FOLD, .of = &runs->values },
        { "equal", .op = runs->equal, .use = MCL__EQUALITY, .of = &runs->by, .optional = 1 },
        { runs->reduces ? "count" : NULL, .result = &runs->count, .types = MCL__COUNTS },
        { has_keys ? "out_keys" : NULL, .output = &runs->out_keys },
        { NULL },
    };
    return mcl__gate(runs->function, queue, options, MCL__TAKES_INITIAL, operands);
}

static mcl_status runs_check(const runs_call *call, const mcl_options *options)
{
    const mcl__runs *runs = &call->runs;
    const int exclusive = !runs->reduces && !(runs->kind & MCL_INCLUSIVE);
    if (runs->kind != MCL_EXCLUSIVE && runs->kind != MCL_INCLUSIVE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: kind is %d; it must be MCL_EXCLUSIVE or MCL_INCLUSIVE",
                         runs->function, runs->kind);
    if (!runs->reduces) MCL__TRY(mcl__check_room(runs->function, runs->out_name, &runs->out, call->count));
    if (runs->heads == HEADS_KEYS) MCL__TRY(check_keys(runs));
    if (runs->heads == HEADS_FLAGS) MCL__TRY(check_flags(runs));
    MCL__TRY(mcl__check_fold(runs->function, runs->op, options, exclusive ? "an exclusive scan" : NULL));
    MCL__TRY(mcl__check_fold_result(runs->function, runs->out_name, runs->op, runs->values.type, runs->out.type));
    return check_overlap(call);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static int runs_look_back(const mcl__limits *limits, const runs_call *call, size_t value, const mcl_options *options)
{
    return limits->look_back && value <= MCL__LOOK_BACK_BYTES_MAX && !mcl__wants(options, MCL_DETERMINISTIC) &&
           (call->runs.reduces || !mcl__same_place(&call->runs.values, &call->runs.out));
}

static mcl__operation runs_operation(const mcl__runs *runs)
{
    if (runs->reduces) return MCL__OPERATION_reduce_by_key;
    return runs->heads == HEADS_KEYS ? MCL__OPERATION_scan_by_key : MCL__OPERATION_segmented_scan;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static mcl__tile runs_tile(const mcl_context *context, const runs_call *call, const mcl_options *options)
{
    const mcl__runs *runs = &call->runs;
    const size_t in = mcl__staged_bytes(runs->values.type), out = mcl__staged_bytes(runs->out.type);
    const size_t by = runs->heads == HEADS_KEYS ? mcl__staged_bytes(runs->by.type) : 0;
    const size_t widest = larger(larger(in, by), out);
    const size_t value = mcl__fold_bytes(runs->op, runs->values.type, call->index_bits);
    const size_t held = runs->reduces ? larger(widest, value) + sizeof(uint16_t) : widest;
    const mcl__tile_need need = {
        .element_bytes = larger(widest, value),
        .local_bytes_per_item = !runs->reduces && in != out ? held + out : held,
        .local_bytes_fixed = 36 * call->accumulator + by + 64,
        .lone_bytes_per_thread = call->accumulator,
    };
    return mcl__tile_for(runs_operation(runs), &context->limits, context->tuning, need, options);
}

static void runs_describe(mcl__spec *spec, const mcl_context *context, const runs_call *call,
                          const mcl_options *options)
{
    const mcl__runs *runs = &call->runs;
    const int has_keys = runs->heads == HEADS_KEYS;
    *spec = (mcl__spec){
        .file = "kernels/by_key.cl",
        .tile = runs_tile(context, call, options),
        .index_bits = call->index_bits,
        .aliased = !runs->reduces && mcl__same_place(&runs->values, &runs->out),
        .ops = { { "sum", runs->op, MCL__OP_FOLD, runs->values.type, runs->out.type } },
        .inputs = { { "values", &runs->values, 0 }, { "by", &runs->by, 0 } },
        .outputs = { { "out", runs->out.type } },
        .defines = { { "RUNS_LOOK_BACK", call->looks_back },
                     { "RUNS_HEADS", runs->heads },
                     { "RUNS_REDUCE", runs->reduces },
                     { "RUNS_KEYS", runs->reduces && has_keys },
                     { "RUNS_INCLUSIVE", (runs->kind & MCL_INCLUSIVE) != 0 },
                     { "RUNS_SEPARATE", mcl__staged_bytes(runs->values.type) != mcl__staged_bytes(runs->out.type) },
                     { "RUN_INITIAL", call->initial.given } },
    };
    if (has_keys) {
        spec->ops[1].name = "same";
        spec->ops[1].op = runs->equal ? runs->equal : &same_number;
        spec->ops[1].role = MCL__OP_COMPARE;
        spec->ops[1].element = runs->by.type;
    }
    if (runs->reduces) {
        spec->outputs[1].name = "count";
        spec->outputs[1].type = MCL_INT64;
    }
    if (runs->reduces && has_keys) {
        spec->outputs[2].name = "out_keys";
        spec->outputs[2].type = runs->by.type;
    }
    const char *const single[] = {
        [CLEAR] = MCL__LOOK_BACK_CLEAR, [TILES] = "runs_tiles", [FEW_TILES] = "runs_few_tiles"
    };
    const char *const twice[] = { [PARTS] = "runs_parts", [SPINE] = "runs_spine", [DOWN] = "runs_down" };
    for (int k = 0; k < 3; ++k) spec->kernels[k] = call->looks_back ? single[k] : twice[k];
    const mcl__parameter resident =
        runs->reduces ? MCL__PARAMETER_reduce_by_key_resident_4 : MCL__PARAMETER_scan_by_key_resident_4;
    const size_t value = mcl__fold_bytes(runs->op, runs->values.type, call->index_bits);
    mcl__spec_define(spec, "RESIDENT", mcl__resident(context, resident, value, call->index_bits));
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static void runs_inputs(mcl__args *args, const runs_call *call, const mcl__spec *spec)
{
    mcl__args_start(args, spec);
    mcl__args_input(args, &call->runs.values);
    mcl__args_input(args, &call->runs.by);
}

/* PARAMS_outputs. */
static void runs_outputs(mcl__args *args, const runs_call *call, mcl__span count)
{
    const mcl__runs *runs = &call->runs;
    if (runs->reduces && runs->heads == HEADS_KEYS) {
        mcl__args_output(args, &runs->out_keys);
        mcl__args_long(args, runs->out_keys.capacity);
    }
    mcl__args_output(args, &runs->out);
    if (!runs->reduces) return;
    mcl__args_long(args, runs->out.capacity);
    mcl__args_span(args, count);
    mcl__args_int(args, count.buffer != NULL);
}

static void runs_initial(mcl__args *args, const runs_call *call)
{
    if (call->initial.given) mcl__args_value(args, call->initial.value.bytes, call->initial.size);
}

static mcl_status runs_single_pass(mcl_queue *queue, const runs_call *call, const mcl__spec *spec,
                                   const mcl__kernels *kernels, mcl__span *count, const mcl_options *options)
{
    mcl__args args;
    mcl__look_back states;
    MCL__TRY(
        mcl__look_back_plan(queue, call->count, mcl__tile_size(kernels->tile), call->state_bytes, options, &states));
    MCL__TRY(mcl__call_begin(
        queue, call->runs.function,
        mcl__look_back_scratch(&states) + mcl__scratch_round(mcl__result_scratch(&call->runs.count)), options));
    mcl__look_back_take(queue, &states);
    MCL__TRY(mcl__look_back_clear(queue, &states, kernels, CLEAR));
    *count = mcl__result_span(queue, &call->runs.count);
    runs_inputs(&args, call, spec);
    runs_outputs(&args, call, *count);
    mcl__look_back_args(&args, &states);
    runs_initial(&args, call);
    MCL__TRY(
        mcl__launch_groups(queue, kernels, states.few ? FEW_TILES : TILES, states.tiles, kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

static mcl_status runs_two_passes(mcl_queue *queue, const runs_call *call, const mcl__spec *spec,
                                  const mcl__kernels *kernels, mcl__span *count, const mcl_options *options)
{
    mcl__args args;
    const mcl__limits *limits = &queue->context->limits;
    const int threads = kernels->tile.threads;
    const int64_t tiles = mcl__divide_up(call->count, mcl__tile_size(kernels->tile));
    const int64_t wanted = mcl__tuned_a_unit(queue->context, MCL__PARAMETER_any_parts);
    const int64_t parts = mcl__fold_parts(limits, kernels->tile, tiles, wanted, 16);
    const size_t bytes = (size_t)parts * call->accumulator;
    MCL__TRY(mcl__call_begin(queue, call->runs.function,
                             mcl__scratch_round(bytes) + mcl__scratch_round(mcl__result_scratch(&call->runs.count)),
                             options));
    const mcl__span partials = mcl__scratch_take(queue, bytes);
    *count = mcl__result_span(queue, &call->runs.count);
    if (parts > 1) {
        runs_inputs(&args, call, spec);
        mcl__args_span(&args, partials);
        const mcl__args shared = args;
        runs_initial(&args, call);
        MCL__TRY(mcl__launch_groups(queue, kernels, PARTS, parts, threads, &args));
        args = shared;
        mcl__args_int(&args, (int)parts);
        runs_initial(&args, call);
        MCL__TRY(mcl__launch_groups(queue, kernels, SPINE, 1, threads, &args));
    }
    runs_inputs(&args, call, spec);
    runs_outputs(&args, call, *count);
    mcl__args_span(&args, partials);
    runs_initial(&args, call);
    MCL__TRY(mcl__launch_groups(queue, kernels, DOWN, parts, threads, &args));
    return mcl__call_end(queue, options);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static mcl_status check_capacity(const mcl__runs *runs, const char *name, const mcl_output *out)
{
    const int64_t count = *(const int64_t *)runs->count.host;
    if (out->capacity == 0 || count <= out->capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "%s: %s has capacity %lld; expected %lld or more, or 0 to leave it out",
                     runs->function, name, (long long)out->capacity, (long long)count);
}

static mcl_status runs_count(mcl_queue *queue, const mcl__runs *runs, mcl__span count)
{
    if (!runs->reduces || !runs->count.host) return MCL_OK;
    MCL__TRY(mcl__result_read(queue, &runs->count, count));
    if (queue->preparing) return MCL_OK;
    if (runs->heads == HEADS_KEYS) MCL__TRY(check_capacity(runs, "out_keys", &runs->out_keys));
    return check_capacity(runs, runs->out_name, &runs->out);
}

mcl_status mcl__runs_call(mcl_queue *queue, const mcl__runs *runs, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__span count = { NULL, 0 };
    runs_call call = { .runs = *runs, .count = runs->heads == HEADS_KEYS ? runs->by.count : runs->values.count };

    MCL__TRY(runs_gate(queue, runs, options));
    MCL__TRY(runs_check(&call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (runs->heads == HEADS_OFFSETS)
        MCL__TRY(mcl__validate_offsets(queue, runs->function, &runs->by, runs->values.count, options));
    const int64_t bound = runs->by.count > call.count ? runs->by.count : call.count;
    call.initial = mcl__fold_initial(runs->op, runs->values.type, options);
    call.index_bits = mcl__index_bits(bound, options);
    const size_t value = mcl__fold_bytes(runs->op, runs->values.type, call.index_bits);
    call.accumulator = RUNS_FOLD_BYTES(value, (size_t)call.index_bits / 8);
    call.state_bytes = call.index_bits == 32 ? value : call.accumulator;
    call.looks_back = runs_look_back(&queue->context->limits, &call, value, options);
    runs_describe(&spec, queue->context, &call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__check_tiles(runs->function, call.count, mcl__tile_size(kernels->tile)));
    MCL__TRY(call.looks_back ? runs_single_pass(queue, &call, &spec, kernels, &count, options)
                             : runs_two_passes(queue, &call, &spec, kernels, &count, options));
    return runs_count(queue, runs, count);
}

mcl_status mcl_reduce_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                             mcl_output out_values, const mcl_op *op, const mcl_op *equal, mcl_result count,
                             const mcl_options *options)
{
    const mcl__runs runs = { .function = "mcl_reduce_by_key",
                             .heads = HEADS_KEYS,
                             .by = keys,
                             .by_name = "keys",
                             .values = values,
                             .values_name = "values",
                             .out_keys = out_keys,
                             .out = out_values,
                             .out_name = "out_values",
                             .op = op,
                             .equal = equal,
                             .count = count,
                             .reduces = 1 };
    return mcl__runs_call(queue, &runs, options);
}

mcl_status mcl_scan_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out, const mcl_op *op,
                           const mcl_op *equal, int kind, const mcl_options *options)
{
    const mcl__runs runs = { .function = "mcl_scan_by_key",
                             .heads = HEADS_KEYS,
                             .by = keys,
                             .by_name = "keys",
                             .values = values,
                             .values_name = "values",
                             .out = out,
                             .out_name = "out",
                             .op = op,
                             .equal = equal,
                             .kind = kind };
    return mcl__runs_call(queue, &runs, options);
}
