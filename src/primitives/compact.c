/* compact.c: mcl_compact, mcl_partition and their variants, and the work of unique.c. Kernels: cl/kernels/compact.cl.
 * Single pass: a group takes the next tile, publishes what it has counted and looks back for the counts of the tiles
 * before it. Two passes, where groups may not wait for each other: in blocks that fit the device's cache, count parts,
 * scan their counts, move the parts. */
#include "primitives/compact_call.h"
#include "call/fold.h"
#include "call/gate.h"
#include "call/look_back.h"
#include "call/rank.h"

#include "moderncl/compact.h"

enum { CLEAR, TILES, FEW_TILES }; /* single pass */
enum { PARTS, SPINE, DOWN };      /* two passes */

/* What is known of a call before its program is. */
typedef struct compact_plan {
    const mcl__compact_call *call;
    const mcl_input *in;
    int64_t count;
    int index_bits;
    size_t accumulator; /* bytes */
    int looks_back;
    int64_t part_wish;   /* two passes: parts that a block should have, as far as there are tiles */
    int64_t block_tiles; /* and tiles that fill the device */
} compact_plan;

static const char *const input_names[MCL__COMPACT_INPUTS] = { "in", "data", "values" };
static const char *const output_names[MCL__COMPACT_OUTPUTS] = { "out", "second", "rejected", "out_values", "lengths" };

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Outputs that elements go to each have their number. */
static int count_count(const mcl__compact_call *call)
{
    return 1 + (call->outputs[MCL__COMPACT_SECOND].name != NULL) + (call->outputs[MCL__COMPACT_REJECTED].name != NULL);
}

/* The input whose elements an output takes; NULL: none. */
static const mcl_input *source_of(const mcl__compact_call *call, int output)
{
    if (output == MCL__COMPACT_LENGTHS) return NULL;
    if (output == MCL__COMPACT_OUT_VALUES) return &call->inputs[MCL__COMPACT_VALUES].input;
    return &call->inputs[call->inputs[MCL__COMPACT_DATA].name ? MCL__COMPACT_DATA : MCL__COMPACT_IN].input;
}

/* How many elements may be stored there. */
static int64_t output_limit(const mcl__compact_call *call, int output)
{
    const int64_t count = call->inputs[MCL__COMPACT_IN].input.count;
    int64_t limit = call->outputs[output].output.capacity;
    if (output == MCL__COMPACT_OUT || output == MCL__COMPACT_OUT_VALUES || output == MCL__COMPACT_LENGTHS)
        for (int o = 0; o < MCL__COMPACT_OUTPUTS; ++o) { /* these are stored together */
            const int beside = o == MCL__COMPACT_OUT || o == MCL__COMPACT_OUT_VALUES || o == MCL__COMPACT_LENGTHS;
            if (beside && call->outputs[o].name && call->outputs[o].output.capacity < limit)
                limit = call->outputs[o].output.capacity;
        }
    return limit < count ? limit : count;
}

/* How options->append fills a list; only lists in any order are filled so. */
static unsigned options_taken(const mcl__compact_call *call, const mcl_options *options)
{
    for (int o = MCL__COMPACT_OUT + 1; o < MCL__COMPACT_OUTPUTS; ++o)
        if (call->outputs[o].name) return 0;
    if (call->test == TEST_HEADS) return 0;
    return MCL__TAKES_UNORDERED | (mcl__wants(options, MCL_UNORDERED) ? MCL__TAKES_APPEND : 0u);
}

static mcl_status compact_gate(const mcl_queue *queue, const mcl__compact_call *call, const mcl_options *options)
{
    enum { OPERANDS = MCL__COMPACT_INPUTS + MCL__COMPACT_OUTPUTS + 2 + 1 };
    const mcl_input *const in = &call->inputs[MCL__COMPACT_IN].input;
    mcl__given operands[OPERANDS + 1] = { { NULL } }, *next = operands;
    for (int k = 0; k < MCL__COMPACT_INPUTS; ++k) {
        if (!call->inputs[k].name) continue;
        const int is_flag = k == MCL__COMPACT_IN && call->test == TEST_FLAG;
        *next++ = (mcl__given){ call->inputs[k].name, .input = &call->inputs[k].input,
                                .types = is_flag ? MCL__INTEGERS : MCL__ANY_TYPE };
    }
    for (int k = 0; k < 2; ++k)
        if (call->ops[k].name)
            *next++ = (mcl__given){ call->ops[k].name, .op = call->ops[k].op,
                                    .use = call->test == TEST_HEADS ? MCL__EQUALITY : MCL__TEST, .of = in };
    for (int o = 0; o < MCL__COMPACT_OUTPUTS; ++o)
        if (call->outputs[o].name)
            *next++ = (mcl__given){ call->outputs[o].name, .output = &call->outputs[o].output,
                                    .types = o == MCL__COMPACT_LENGTHS ? MCL__INDICES : MCL__ANY_TYPE };
    *next = (mcl__given){ "count", .result = &call->counts, .types = MCL__COUNTS };
    return mcl__gate(call->function, queue, options, options_taken(call, options), operands);
}

static mcl_status check_output(const mcl__compact_call *call, int output)
{
    const char *const name = call->outputs[output].name;
    const mcl_output *const out = &call->outputs[output].output;
    const mcl_input *const source = source_of(call, output);
    const int64_t count = call->inputs[MCL__COMPACT_IN].input.count;
    if (source && !mcl__same_type(source->type, out->type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s and takes elements of type %s; they must be of one type",
                         call->function, name, out->type->name, source->type->name);
    if (source) return MCL_OK;
    if (mcl__same_type(out->type, MCL_INT32) && count > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is MCL_INT32 and the input has %lld elements; it must be MCL_INT64",
                         call->function, name, (long long)count);
    return MCL_OK;
}

/* Neither what is read nor an earlier output may lie under an output. */
static mcl_status check_overlap(const mcl__compact_call *call, const char *name, const mcl_output *out, int64_t needed,
                                int earlier_outputs)
{
    for (int k = 0; k < MCL__COMPACT_INPUTS; ++k)
        if (call->inputs[k].name)
            MCL__TRY(
                mcl__check_no_overlap(call->function, call->inputs[k].name, &call->inputs[k].input, name, out, needed));
    for (int k = 0; k < 2; ++k)
        if (call->ops[k].name)
            MCL__TRY(mcl__check_op_overlap(call->function, call->ops[k].name, call->ops[k].op, name, out, needed));
    for (int o = 0; o < earlier_outputs; ++o) {
        if (!call->outputs[o].name) continue;
        const mcl_output *const other = &call->outputs[o].output;
        const mcl_input written = mcl_from_buffer(other->type, other->buffer, other->offset, output_limit(call, o));
        MCL__TRY(mcl__check_no_overlap(call->function, call->outputs[o].name, &written, name, out, needed));
    }
    return MCL_OK;
}

static mcl_status check_counts(const mcl_context *context, const mcl__compact_call *call)
{
    const mcl_result *const counts = &call->counts;
    if (!counts->buffer) return MCL_OK;
    const mcl_output slots = { counts->type, counts->buffer, counts->offset, count_count(call) };
    MCL__TRY(mcl__check_output(call->function, "count", context, &slots));
    return check_overlap(call, "count", &slots, slots.capacity, MCL__COMPACT_OUTPUTS);
}

/* What is tested, or has the values, has as many elements as what is moved. */
static mcl_status check_lengths(mcl__compact_call *call)
{
    mcl_input *const in = &call->inputs[MCL__COMPACT_IN].input;
    const mcl_input *const data = &call->inputs[MCL__COMPACT_DATA].input;
    if (call->inputs[MCL__COMPACT_DATA].name) {
        MCL__TRY(mcl__check_as_many(call->function, call->inputs[MCL__COMPACT_IN].name, in, "in", data->count));
        mcl__adopt_count(in, data);
    }
    if (!call->inputs[MCL__COMPACT_VALUES].name) return MCL_OK;
    return mcl__check_as_many(call->function, "values", &call->inputs[MCL__COMPACT_VALUES].input, "keys", in->count);
}

static mcl_status compact_check(const mcl_queue *queue, mcl__compact_call *call, const mcl_options *options)
{
    MCL__TRY(compact_gate(queue, call, options));
    MCL__TRY(check_lengths(call));
    for (int o = 0; o < MCL__COMPACT_OUTPUTS; ++o) {
        if (!call->outputs[o].name) continue;
        MCL__TRY(check_output(call, o));
    }
    for (int o = 0; o < MCL__COMPACT_OUTPUTS; ++o) {
        if (!call->outputs[o].name) continue;
        MCL__TRY(check_overlap(call, call->outputs[o].name, &call->outputs[o].output, output_limit(call, o), o));
    }
    return check_counts(queue->context, call);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static compact_plan compact_make_plan(const mcl_context *context, const mcl__compact_call *call,
                                      const mcl_options *options)
{
    compact_plan plan = { .call = call, .in = &call->inputs[MCL__COMPACT_IN].input };
    const int is_pair = call->outputs[MCL__COMPACT_SECOND].name || call->outputs[MCL__COMPACT_LENGTHS].name;
    plan.count = plan.in->count;
    plan.index_bits = mcl__index_bits(plan.count, options);
    plan.accumulator = (size_t)plan.index_bits / 8 * (is_pair ? 2 : 1);
    plan.looks_back = context->limits.look_back && plan.accumulator <= MCL__LOOK_BACK_BYTES_MAX &&
                      !mcl__wants(options, MCL_DETERMINISTIC);
    plan.part_wish = mcl__tuned_a_unit(context, MCL__PARAMETER_any_parts);
    plan.block_tiles = mcl__tuned_a_unit(context, MCL__PARAMETER_any_block_tiles);
    return plan;
}

static mcl__tile compact_tile(const mcl_context *context, const compact_plan *plan, const mcl_options *options)
{
    const mcl__compact_call *const call = plan->call;
    const size_t tested = plan->in->type->size, moved = mcl__staged_bytes(source_of(call, MCL__COMPACT_OUT)->type);
    const int has_places = call->outputs[MCL__COMPACT_OUT_VALUES].name || call->outputs[MCL__COMPACT_LENGTHS].name;
    mcl__tile_need need = {
        .element_bytes = tested > moved ? tested : moved,
        .local_bytes_per_item = moved + (has_places ? sizeof(uint16_t) : 0),
    };
    mcl__rank_need(&need, &context->limits, plan->accumulator);
    return mcl__tile_for(plan->looks_back ? MCL__OPERATION_compact : MCL__OPERATION_compact_two_pass, &context->limits,
                         context->tuning, need, options);
}

static void compact_describe(mcl__spec *spec, const mcl_context *context, const compact_plan *plan,
                             const mcl_options *options)
{
    const mcl__compact_call *const call = plan->call;
    *spec = (mcl__spec){
        .file = "kernels/compact.cl",
        .tile = compact_tile(context, plan, options),
        .index_bits = plan->index_bits,
        .defines = { { "COMPACT_LOOK_BACK", plan->looks_back },
                     { "COMPACT_TEST", call->test },
                     { "COMPACT_THREE", call->outputs[MCL__COMPACT_SECOND].name != NULL },
                     { "HAS_REJECTED", call->outputs[MCL__COMPACT_REJECTED].name != NULL },
                     { "HAS_DATA", call->inputs[MCL__COMPACT_DATA].name != NULL },
                     { "HAS_VALUES", call->inputs[MCL__COMPACT_VALUES].name != NULL },
                     { "HAS_LENGTHS", call->outputs[MCL__COMPACT_LENGTHS].name != NULL } },
    };
    for (int k = 0; k < 2; ++k) {
        if (!call->ops[k].name) continue;
        const int is_heads = call->test == TEST_HEADS;
        spec->ops[k].name = is_heads ? "same" : k == 0 ? "keep" : "keep_second";
        spec->ops[k].op = call->ops[k].op;
        spec->ops[k].role = is_heads ? MCL__OP_COMPARE : MCL__OP_PREDICATE;
        spec->ops[k].element = plan->in->type;
    }
    for (int k = 0; k < MCL__COMPACT_INPUTS; ++k) {
        if (!call->inputs[k].name) continue;
        spec->inputs[k].name = input_names[k];
        spec->inputs[k].input = &call->inputs[k].input;
    }
    for (int o = 0; o < MCL__COMPACT_OUTPUTS; ++o) {
        if (!call->outputs[o].name) continue;
        spec->outputs[o].name = output_names[o];
        spec->outputs[o].type = call->outputs[o].output.type;
    }
    spec->outputs[MCL__COMPACT_OUTPUTS].name = "counts";
    spec->outputs[MCL__COMPACT_OUTPUTS].type = MCL_INT64;
    const char *const single_pass[] = {
        [CLEAR] = MCL__LOOK_BACK_CLEAR, [TILES] = "compact_tiles", [FEW_TILES] = "compact_few_tiles"
    };
    const char *const two_passes[] = { [PARTS] = "compact_parts", [SPINE] = "compact_spine", [DOWN] = "compact_down" };
    memcpy(spec->kernels, plan->looks_back ? single_pass : two_passes, sizeof single_pass);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static size_t counts_scratch(const mcl__compact_call *call)
{
    return call->counts.host && !call->counts.buffer ? (size_t)count_count(call) * sizeof(int64_t) : 0;
}

static mcl__span counts_span(mcl_queue *queue, const mcl__compact_call *call)
{
    if (counts_scratch(call) > 0) return mcl__scratch_take(queue, counts_scratch(call));
    return (mcl__span){ call->counts.buffer, (size_t)call->counts.offset * sizeof(int64_t) };
}

/* PARAMS_operands of compact.cl. */
static void operand_args(mcl__args *args, const mcl__spec *spec, const mcl__compact_call *call, mcl__span counts)
{
    static const int beside[] = { MCL__COMPACT_OUT_VALUES, MCL__COMPACT_LENGTHS };
    static const int ways[] = { MCL__COMPACT_OUT, MCL__COMPACT_SECOND, MCL__COMPACT_REJECTED };
    mcl__args_start(args, spec);
    for (int k = 0; k < MCL__COMPACT_INPUTS; ++k)
        if (call->inputs[k].name) mcl__args_input(args, &call->inputs[k].input);
    for (int k = 0; k < 2; ++k)
        if (call->outputs[beside[k]].name) mcl__args_output(args, &call->outputs[beside[k]].output);
    for (int k = 0; k < 3; ++k) {
        if (!call->outputs[ways[k]].name) continue;
        mcl__args_output(args, &call->outputs[ways[k]].output);
        mcl__args_index(args, output_limit(call, ways[k]));
    }
    mcl__args_span(args, counts);
    mcl__args_int(args, counts.buffer != NULL);
}

static mcl_status single_pass(mcl_queue *queue, const compact_plan *plan, const mcl__spec *spec,
                              const mcl__kernels *kernels, const mcl_options *options, mcl__span *counts)
{
    const mcl__compact_call *const call = plan->call;
    mcl__look_back states;
    mcl__args args;
    MCL__TRY(mcl__check_tiles(call->function, plan->count, mcl__tile_size(kernels->tile)));
    MCL__TRY(
        mcl__look_back_plan(queue, plan->count, mcl__tile_size(kernels->tile), plan->accumulator, options, &states));
    MCL__TRY(mcl__call_begin(queue, call->function,
                             mcl__look_back_scratch(&states) + mcl__scratch_round(counts_scratch(call)), options));
    *counts = counts_span(queue, call);
    mcl__look_back_take(queue, &states);
    MCL__TRY(mcl__look_back_clear(queue, &states, kernels, CLEAR));
    operand_args(&args, spec, call, *counts);
    mcl__look_back_args(&args, &states);
    return mcl__launch_groups(queue, kernels, states.few ? FEW_TILES : TILES, states.tiles, kernels->tile.threads,
                              &args);
}

/* Elements of a block: half of the device's cache, in whole tiles, but enough to fill the device. */
static int64_t block_size(const mcl__limits *limits, const compact_plan *plan, mcl__tile tile)
{
    const int64_t tile_size = mcl__tile_size(tile);
    const int64_t element = 2 * (int64_t)(plan->in->type->size + source_of(plan->call, MCL__COMPACT_OUT)->type->size);
    const int64_t cached =
        (limits->cache_bytes > 0 ? limits->cache_bytes : (int64_t)limits->compute_units << 15) / element;
    const int64_t filling = plan->block_tiles * tile_size;
    return mcl__divide_up(cached > filling ? cached : filling, tile_size) * tile_size;
}

static int64_t part_count(const mcl__limits *limits, const compact_plan *plan, int64_t count, mcl__tile tile)
{
    return mcl__fold_parts(limits, tile, mcl__divide_up(count, mcl__tile_size(tile)), plan->part_wish, 8);
}

typedef struct two_pass_scratch {
    mcl__span partials, carry, counts;
    int turn; /* which of carry's two slots has what was counted before the block */
} two_pass_scratch;

static mcl_status one_block(mcl_queue *queue, const compact_plan *plan, const mcl__spec *spec,
                            const mcl__kernels *kernels, const two_pass_scratch *scratch, int64_t begin, int64_t size)
{
    mcl__args args;
    const int threads = kernels->tile.threads;
    const int64_t parts = part_count(&queue->context->limits, plan, size, kernels->tile);
    const int has_partials = parts > 1 || size < plan->count;
    if (has_partials) {
        mcl__args_start(&args, spec);
        mcl__args_input(&args, plan->in);
        mcl__args_index(&args, begin);
        mcl__args_index(&args, size);
        mcl__args_span(&args, scratch->partials);
        MCL__TRY(mcl__launch_groups(queue, kernels, PARTS, parts, threads, &args));
        mcl__args_start(&args, spec);
        mcl__args_span(&args, scratch->partials);
        mcl__args_int(&args, (int)parts);
        mcl__args_span(&args, scratch->carry);
        mcl__args_int(&args, scratch->turn);
        mcl__args_int(&args, begin > 0);
        MCL__TRY(mcl__launch_groups(queue, kernels, SPINE, 1, threads, &args));
    }
    operand_args(&args, spec, plan->call, scratch->counts);
    mcl__args_index(&args, begin);
    mcl__args_index(&args, size);
    mcl__args_span(&args, scratch->partials);
    mcl__args_int(&args, has_partials);
    return mcl__launch_groups(queue, kernels, DOWN, parts, threads, &args);
}

static mcl_status two_passes(mcl_queue *queue, const compact_plan *plan, const mcl__spec *spec,
                             const mcl__kernels *kernels, const mcl_options *options, mcl__span *counts)
{
    const mcl__limits *const limits = &queue->context->limits;
    const int64_t block = block_size(limits, plan, kernels->tile);
    const int64_t first = plan->count < block ? plan->count : block;
    const size_t partials = (size_t)(part_count(limits, plan, first, kernels->tile) + 1) * plan->accumulator;
    two_pass_scratch scratch = { .turn = 0 };
    MCL__TRY(mcl__call_begin(queue, plan->call->function,
                             mcl__scratch_round(partials) + mcl__scratch_round(2 * plan->accumulator) +
                                 mcl__scratch_round(counts_scratch(plan->call)),
                             options));
    scratch.partials = mcl__scratch_take(queue, partials);
    scratch.carry = mcl__scratch_take(queue, 2 * plan->accumulator);
    scratch.counts = *counts = counts_span(queue, plan->call);
    int64_t begin = 0;
    do {
        const int64_t rest = plan->count - begin;
        MCL__TRY(one_block(queue, plan, spec, kernels, &scratch, begin, rest < block ? rest : block));
        begin += block;
        scratch.turn = !scratch.turn;
    } while (begin < plan->count);
    return MCL_OK;
}

/* ---- the call ----------------------------------------------------------------------------------------------- */

/* Outputs that more elements belong to than they have room for. One without capacity has only been counted. */
static mcl_status check_capacity(const mcl__compact_call *call, const int64_t *numbers)
{
    int number = 0;
    for (int o = 0; o < MCL__COMPACT_OUTPUTS; ++o) {
        if (!call->outputs[o].name) continue;
        const int has_number = o <= MCL__COMPACT_REJECTED;
        const int64_t needed = numbers[has_number ? number++ : 0];
        const int64_t capacity = call->outputs[o].output.capacity;
        if (capacity > 0 && capacity < needed)
            return mcl__fail(MCL_ERROR_CAPACITY, "%s: %s has capacity %lld; %lld elements belong there", call->function,
                             call->outputs[o].name, (long long)capacity, (long long)needed);
    }
    return MCL_OK;
}

static mcl_status read_counts(mcl_queue *queue, const mcl__compact_call *call, mcl__span span)
{
    if (!call->counts.host || queue->preparing) return MCL_OK;
    const size_t bytes = (size_t)count_count(call) * sizeof(int64_t);
    MCL__TRY(queue->context->backend->read(queue, span.buffer, span.offset, bytes, call->counts.host, 1));
    return check_capacity(call, call->counts.host);
}

/* 1: the order may be left open. Only calls that take MCL_UNORDERED come here with it. */
static int is_unordered(const mcl_options *options)
{
    return mcl__wants(options, MCL_UNORDERED) && !mcl__wants(options, MCL_DETERMINISTIC);
}

mcl_status mcl__compact_run(mcl_queue *queue, mcl__compact_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__span counts;

    MCL__TRY(compact_check(queue, call, options));
    MCL__TRY(mcl__context_probe(queue->context));
    if (is_unordered(options)) {
        const int64_t limit = output_limit(call, MCL__COMPACT_OUT);
        MCL__TRY(mcl__compact_unordered(queue, call, limit, options, &counts));
        MCL__TRY(mcl__call_end(queue, options));
        return read_counts(queue, call, counts);
    }
    const compact_plan plan = compact_make_plan(queue->context, call, options);
    compact_describe(&spec, queue->context, &plan, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(plan.looks_back ? single_pass(queue, &plan, &spec, kernels, options, &counts)
                             : two_passes(queue, &plan, &spec, kernels, options, &counts));
    MCL__TRY(mcl__call_end(queue, options));
    return read_counts(queue, call, counts);
}

/* ---- public functions --------------------------------------------------------------------------------------- */

/* Adds a sequence that is tested in place of in; it has in's count after the gate. */
static void stencil_call(mcl__compact_call *call, const char *name, mcl_input stencil)
{
    call->inputs[MCL__COMPACT_DATA] = call->inputs[MCL__COMPACT_IN];
    call->inputs[MCL__COMPACT_IN].name = name;
    call->inputs[MCL__COMPACT_IN].input = stencil;
}

static mcl__compact_call start_call(const char *function, mcl_input in, mcl_output out, const mcl_op *keep,
                                    mcl_result counts)
{
    return (mcl__compact_call){ .function = function,
                                .ops = { { "keep", keep } },
                                .inputs = { { "in", in } },
                                .outputs = { { "out", out } },
                                .counts = counts };
}

static void rejected_call(mcl__compact_call *call, const char *name, mcl_output rejected)
{
    call->outputs[MCL__COMPACT_REJECTED].name = name;
    call->outputs[MCL__COMPACT_REJECTED].output = rejected;
}

static void flags_call(mcl__compact_call *call)
{
    call->test = TEST_FLAG;
    call->ops[0].name = NULL;
}

mcl_status mcl_compact(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                       const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_compact", in, out, keep, count);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_compact_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, mcl_result count,
                               const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_compact_flagged", in, out, NULL, count);
    flags_call(&call);
    stencil_call(&call, "flags", flags);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_compact_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out, const mcl_op *keep,
                               mcl_result count, const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_compact_stencil", in, out, keep, count);
    stencil_call(&call, "stencil", stencil);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_partition(mcl_queue *queue, mcl_input in, mcl_output out, mcl_output rejected, const mcl_op *keep,
                         mcl_result counts, const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_partition", in, out, keep, counts);
    rejected_call(&call, "rejected", rejected);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_partition_flagged(mcl_queue *queue, mcl_input in, mcl_input flags, mcl_output out, mcl_output rejected,
                                 mcl_result counts, const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_partition_flagged", in, out, NULL, counts);
    rejected_call(&call, "rejected", rejected);
    flags_call(&call);
    stencil_call(&call, "flags", flags);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_partition_stencil(mcl_queue *queue, mcl_input in, mcl_input stencil, mcl_output out, mcl_output rejected,
                                 const mcl_op *keep, mcl_result counts, const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_partition_stencil", in, out, keep, counts);
    rejected_call(&call, "rejected", rejected);
    stencil_call(&call, "stencil", stencil);
    return mcl__compact_run(queue, &call, options);
}

mcl_status mcl_partition_three(mcl_queue *queue, mcl_input in, mcl_output first, mcl_output second, mcl_output rest,
                               const mcl_op *first_test, const mcl_op *second_test, mcl_result counts,
                               const mcl_options *options)
{
    mcl__compact_call call = start_call("mcl_partition_three", in, first, first_test, counts);
    rejected_call(&call, "rest", rest);
    call.outputs[MCL__COMPACT_OUT].name = "first";
    call.outputs[MCL__COMPACT_SECOND].name = "second";
    call.outputs[MCL__COMPACT_SECOND].output = second;
    call.ops[0].name = "first_test";
    call.ops[1].name = "second_test";
    call.ops[1].op = second_test;
    return mcl__compact_run(queue, &call, options);
}
