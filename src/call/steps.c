/* steps.c: the functions that take a call from its operands to its program, its scratch and its launches. */
#include "call/call.h"

#include <stdlib.h>

/* ---- the program ---------------------------------------------------------------------------------------- */

void mcl__call_define(mcl__call *call, const char *name, int value)
{
    call->spec.defines[call->define_count].name = name;
    call->spec.defines[call->define_count].value = value;
    call->define_count += 1;
}

/* Returns the type in which operator k's folds are stored. It is the declared type, else the type of the first output
 * or result that holds them. For a result that is not asked for it is the accumulator type, or MCL_INT64 for an
 * index. */
static const mcl_type *stored_type(const mcl__call *call, int k)
{
    const mcl_type *const stored = mcl__call_operand(call, k)->stored;
    if (stored) return stored;
    int holder = mcl__call_next(call, 0);
    while (holder && (mcl__call_operand(call, holder)->fold != k || !call->operands[holder].pointer))
        holder = mcl__call_next(call, holder);
    if (!holder || mcl__call_type(call, holder)) return holder ? mcl__call_type(call, holder) : NULL;
    const mcl_type *const accumulator = mcl__call_accumulator(call, k);
    return mcl__same_type(accumulator, MCL_INDEXED) ? MCL_INT64 : accumulator;
}

/* Returns the type for a fold's result that the caller does not ask for. The program's text needs one. It is the stored
 * type, unless the accumulator is a struct of the caller. Only combine converts such a struct. But combine needs an
 * element, and there is none where a total is stored. */
static const mcl_type *unasked_type(const mcl__call *call, int k)
{
    const mcl_type *const accumulator = mcl__call_accumulator(call, k);
    return accumulator && accumulator->source ? accumulator : stored_type(call, k);
}

/* Returns the type that the text gives output, result or array k. A result that is not asked for has a type too:
 * MCL_INT64 for a count, else the type of its group or fold. */
static const mcl_type *output_type(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    if (p->kind == MCL__ARRAY) return call->operands[k].scratch;
    if (p->kind == MCL__OUTPUT || call->operands[k].result->type) return mcl__call_type(call, k);
    if (p->types == MCL__COUNTS) return MCL_INT64;
    return p->group ? call->types[p->group] : unasked_type(call, p->fold);
}

static void describe_operands(mcl__call *call)
{
    mcl__spec *const spec = &call->spec;
    int inputs = 0, outputs = 0, ops = 0;
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        const mcl__operand *const p = mcl__call_operand(call, k);
        if (p->unused || !call->operands[k].pointer) continue;
        spec->declared.operands |= MCL__BIT(k);
        if (p->kind == MCL__INPUT) {
            spec->inputs[inputs].name = p->name;
            spec->inputs[inputs].label = mcl__call_name(call, k);
            spec->inputs[inputs].placed = p->placed || (call->placed & MCL__BIT(k));
            spec->inputs[inputs].count_alone = p->count_alone;
            spec->inputs[inputs++].input = call->operands[k].input;
        } else if (p->kind == MCL__OPERATOR) {
            spec->ops[ops].name = p->name;
            spec->ops[ops].label = mcl__call_name(call, k);
            spec->ops[ops].op = call->operands[k].op;
            spec->ops[ops].role = p->use;
            spec->ops[ops].element = mcl__call_element(call, k);
            spec->ops[ops].value = mcl__call_accumulator(call, k);
            spec->ops[ops++].stored = stored_type(call, k);
        } else {
            spec->outputs[outputs].name = p->name;
            spec->outputs[outputs].is_left_out =
                p->kind == MCL__OUTPUT && p->optional && mcl__is_left_out(call->operands[k].output);
            spec->outputs[outputs].is_count = p->kind == MCL__RESULT && p->types == MCL__COUNTS;
            spec->outputs[outputs++].type = output_type(call, k);
        }
    }
}

/* Returns the index of a pass's kernel: the index of the first pass with the same kernel. */
static int kernel_of(const mcl__call *call, int pass)
{
    const mcl__pass *const list = call->declaration->passes;
    for (int k = 0; k < pass; ++k)
        if (list[k].name && strcmp(list[k].name, list[pass].name) == 0) return k;
    return pass;
}

mcl_status mcl__plan_new(size_t bytes, void *out)
{
    void *const made = calloc(1, bytes);
    memcpy(out, &made, sizeof made);
    return made ? MCL_OK : mcl__fail(MCL_ERROR_MEMORY, "host memory for the call's %zu bytes is exhausted", bytes);
}

int mcl__call_pass_threads(const mcl__call *call, int pass)
{
    return call->kernels->threads[kernel_of(call, pass)];
}

static void describe_passes(mcl__call *call)
{
    for (int k = 0; k < MCL__KERNELS_MAX; ++k) {
        const mcl__pass *const pass = &call->declaration->passes[k];
        const int kernel = pass->name ? kernel_of(call, k) : k;
        const int most = pass->threads_named ? call->spec.tile.threads : pass->threads;
        call->spec.threads[kernel] = pass->threads < most ? pass->threads : most;
        call->spec.threads_named[kernel] = pass->threads_named;
        if (mcl__call_has_pass(call, k)) call->spec.kernels[kernel] = pass->name;
    }
}

void mcl__call_initial(mcl__call *call, int fold, int value)
{
    const mcl__operand *const p = mcl__call_operand(call, fold);
    if (!call->options || !call->options->initial) return;
    call->initial = mcl__fold_initial(call->operands[fold].op, call->operands[p->of].input->type,
                                      mcl__call_accumulator(call, fold), call->options);
    if (!call->initial.given) return;
    call->by_value[value].bytes = call->initial.value.bytes;
    call->by_value[value].size = call->initial.size;
}

/* Describes in the spec the text that the declaration adds. This text depends only on the declaration's tables, on the
 * operands in the spec, and on the bit masks passes, without and values. */
static void describe_declaration(mcl__call *call)
{
    unsigned values = 0;
    if (call->declaration->text) return;
    for (int k = 0; k < MCL__BY_VALUE_MAX; ++k)
        if (call->by_value[k].bytes) values |= MCL__BIT(k);
    call->spec.declared.write = mcl__call_text;
    call->spec.declared.call = call;
    call->spec.declared.tables[0] = call->declaration;
    call->spec.declared.tables[1] = call->own;
    call->spec.declared.passes = call->passes;
    call->spec.declared.without = call->without;
    call->spec.declared.values = values;
}

mcl__tile mcl__call_choose_tile(mcl__call *call, mcl__operation operation, mcl__tile_need need)
{
    const mcl_context *const context = call->queue->context;
    const mcl__tile tile = mcl__tile_for(operation, &context->limits, context->tuning, need, call->options);
    call->spec.local_bytes = mcl__tile_bytes(&context->limits, need, tile);
    return tile;
}

void mcl__call_describe(mcl__call *call, mcl__tile tile, int index_bits)
{
    const mcl__declaration *const declaration = call->declaration;
    call->spec.file = declaration->file;
    call->spec.text = declaration->text;
    call->spec.tile = tile;
    call->spec.index_bits = index_bits;
    for (int group = 1; group < MCL__GROUPS_OF_TYPES_MAX; ++group) {
        if (!declaration->types[group] || !call->types[group]) continue;
        call->spec.types[group - 1].name = declaration->types[group];
        call->spec.types[group - 1].type = call->types[group];
    }
    call->spec.aliased = declaration->aliased || mcl__call_aliases(call);
    call->spec.uncontracted = declaration->uncontracted || mcl__wants(call->options, MCL_REPRODUCIBLE);
    describe_operands(call);
    describe_passes(call);
    describe_declaration(call);
}

mcl_status mcl__call_program(mcl__call *call, mcl__tile tile, int index_bits)
{
    mcl__call_describe(call, tile, index_bits);
    return mcl__program_get(call->queue, &call->spec, &call->kernels);
}

int64_t mcl__call_parts(const mcl__call *call, int64_t tiles, int steps)
{
    const mcl_context *const context = call->queue->context;
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_any_parts);
    return mcl__fold_parts(&context->limits, mcl__call_tile(call), tiles, wanted, steps);
}

int64_t mcl__call_block(const mcl__call *call, size_t bytes)
{
    const mcl_context *const context = call->queue->context;
    const mcl__limits *const limits = &context->limits;
    const int64_t cache_bytes = limits->cache_bytes > 0 ? limits->cache_bytes : (int64_t)limits->compute_units << 15;
    const int64_t cached = cache_bytes / (int64_t)bytes, tile_size = mcl__call_tile_size(call);
    const int64_t filling = mcl__tuned_a_unit(context, MCL__PARAMETER_any_block_tiles) * tile_size;
    return mcl__call_tiles(call, cached > filling ? cached : filling) * tile_size;
}

int64_t mcl__call_tree_block(const mcl__call *call, int64_t tiles)
{
    enum { STEPS = 16 }; /* most loop iterations for each tile of a block */
    const int64_t budget = mcl__call_is_serial(call) ? call->queue->context->limits.loop_budget : 0;
    const int64_t most = budget > 0 && tiles > budget / STEPS ? budget / STEPS : tiles;
    int64_t block = 1;
    while (2 * block <= most || (most == tiles && block < tiles)) block *= 2;
    return block;
}

int64_t mcl__call_tree_groups(const mcl__call *call, int64_t tiles, int steps)
{
    return call->queue->context->limits.is_gpu && tiles > 0 ? tiles : mcl__call_parts(call, tiles, steps);
}

/* ---- scratch -------------------------------------------------------------------------------------------- */

void mcl__call_scratch(mcl__call *call, int array, size_t bytes)
{
    call->scratch[array].bytes = bytes;
    call->scratch[array].is_needed = 1;
    call->scratch_bytes += mcl__scratch_round(bytes);
}

void mcl__call_scratch_at(mcl__call *call, int array, mcl__span span)
{
    call->scratch[array].is_needed = call->scratch[array].is_given = 1;
    call->scratch[array].span = span;
}

mcl_status mcl__call_scratch_slots(mcl__call *call, int array)
{
    MCL__TRY(mcl__slots_reserve(call->queue));
    mcl__call_scratch_at(call, array, (mcl__span){ call->queue->slots, 0 });
    return MCL_OK;
}

static size_t slots_of(const mcl__call *call, int k)
{
    return call->room[k] > 0 ? (size_t)call->room[k] : 1;
}

/* Returns the bytes of scratch that operand k takes. */
static size_t operand_scratch(const mcl__call *call, int k)
{
    const mcl__kind kind = mcl__call_operand(call, k)->kind;
    const mcl_result *const result = call->operands[k].result;
    if (kind == MCL__ARRAY && call->operands[k].scratch) return (size_t)call->room[k] * call->operands[k].scratch->size;
    if (kind != MCL__RESULT || !result || !result->host || result->buffer) return 0;
    return slots_of(call, k) * result->type->size;
}

void mcl__call_take(mcl__call *call)
{
    for (int k = 0; k < MCL__SCRATCH_MAX; ++k)
        if (call->scratch[k].is_needed && !call->scratch[k].is_given)
            call->scratch[k].span = mcl__scratch_take(call->queue, call->scratch[k].bytes);
    if (call->look_back.tiles > 0) mcl__call_look_back_take(call);
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        const size_t bytes = operand_scratch(call, k);
        const int is_result = mcl__call_operand(call, k)->kind == MCL__RESULT;
        const mcl_result *const result = is_result ? call->operands[k].result : NULL;
        if (bytes > 0)
            call->results[k] = mcl__scratch_take(call->queue, bytes);
        else if (result && result->buffer)
            call->results[k] = (mcl__span){ result->buffer, (size_t)result->offset * result->type->size };
    }
}

mcl_status mcl__call_begin(mcl__call *call)
{
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k))
        call->scratch_bytes += mcl__scratch_round(operand_scratch(call, k));
    MCL__TRY(mcl__enqueue_begin(call->queue, call->scratch_bytes, call->options));
    mcl__call_take(call);
    return MCL_OK;
}

/* ---- launches ------------------------------------------------------------------------------------------- */

/* Pushes the arguments for the parameters ARRAY_PARAM(ulong, state) and ARRAY_PARAM(uint, counters). */
static void push_states(mcl__args *args, const mcl__call *call)
{
    mcl__args_span(args, call->look_back.state);
    mcl__args_span(args, call->look_back.counters);
}

static void push_operand(mcl__args *args, const mcl__call *call, int k)
{
    const mcl__kind kind = mcl__call_operand(call, k)->kind;
    const mcl__span at = call->results[k];
    if (!call->operands[k].pointer) return;
    if (kind == MCL__INPUT && at.buffer)
        mcl__args_array(args, at, call->operands[k].input);
    else if (kind == MCL__INPUT)
        mcl__args_input(args, call->operands[k].input);
    else if (kind == MCL__OUTPUT && !at.buffer)
        mcl__args_output(args, call->operands[k].output);
    else
        mcl__args_span(args, at);
}

/* Pushes an argument of a user's launch that is no operand. */
static void push_argument(mcl__args *args, const mcl__call *call, int k)
{
    const mcl_argument *const given = &call->launch_arguments[k];
    mcl_buffer *const buffer = (mcl_buffer *)(uintptr_t)given->pointer;
    switch (given->kind) {
    case MCL_ARGUMENT_INDEX:
        mcl__args_index(args, given->number);
        break;
    case MCL_ARGUMENT_INT32:
        mcl__args_int(args, (int)given->number);
        break;
    case MCL_ARGUMENT_INT64:
        mcl__args_long(args, given->number);
        break;
    case MCL_ARGUMENT_SCRATCH:
        mcl__args_span(args, call->scratch[given->number].span);
        break;
    case MCL_ARGUMENT_BUFFER:
        mcl__args_span(args, (mcl__span){ buffer, (size_t)given->number });
        break;
    default:
        mcl__args_value(args, given->pointer, given->type->size);
    }
}

static void push_word(mcl__args *args, const mcl__call *call, unsigned word)
{
    const int k = (int)(word & 31u);
    switch (word & ~31u) {
    case MCL__ENVIRONMENT:
        mcl__args_start(args, &call->spec);
        break;
    case MCL__OPERAND:
        push_operand(args, call, k);
        break;
    case MCL__SCRATCH:
        if (call->scratch[k].is_needed) mcl__args_span(args, call->scratch[k].span);
        break;
    case MCL__INDEX:
        mcl__args_index(args, call->scalars[k]);
        break;
    case MCL__INT:
        mcl__args_int(args, (int)call->scalars[k]);
        break;
    case MCL__LONG:
        mcl__args_long(args, call->scalars[k]);
        break;
    case MCL__HAS_RESULT:
        mcl__args_int(args, call->results[k].buffer != NULL);
        break;
    case MCL__LIMIT:
        if (call->operands[k].output) mcl__args_index(args, call->room[k]);
        break;
    case MCL__STATES:
        if (call->look_back.tiles > 0) push_states(args, call);
        break;
    case MCL__ARGUMENT:
        push_argument(args, call, k);
        break;
    case MCL__POINTER:
        mcl__args_buffer(args, (mcl_buffer *)(uintptr_t)call->launch_arguments[k].pointer);
        break;
    default: /* MCL__BY_VALUE */
        if (call->by_value[k].bytes) mcl__args_value(args, call->by_value[k].bytes, call->by_value[k].size);
    }
}

static mcl_status launch_pass(mcl__call *call, int pass, int64_t groups, int threads, int64_t local_bytes)
{
    const uint16_t *const words = call->declaration->passes[pass].arguments;
    mcl__args *const args = mcl__args_of(call->queue, call->spec.index_bits);
    args->local_bytes = local_bytes;
    for (int k = 0; k < MCL__PASS_ARGUMENTS_MAX && words[k]; ++k) push_word(args, call, words[k]);
    return mcl__launch_groups(call->queue, call->kernels, kernel_of(call, pass), groups, threads, args);
}

mcl_status mcl__call_launch_wide(mcl__call *call, int pass, int64_t groups, int threads)
{
    return launch_pass(call, pass, groups, threads, 0);
}

mcl_status mcl__call_launch(mcl__call *call, int pass, int64_t groups)
{
    return launch_pass(call, pass, groups, mcl__call_pass_threads(call, pass), 0);
}

mcl_status mcl__call_launch_with_memory(mcl__call *call, int pass, int64_t groups, int64_t bytes)
{
    return launch_pass(call, pass, groups, mcl__call_pass_threads(call, pass), bytes);
}

mcl_status mcl__call_launch_tiles(mcl__call *call, int pass, int64_t count)
{
    return mcl__call_launch(call, pass, mcl__call_tiles(call, count));
}

mcl_status mcl__call_launch_items(mcl__call *call, int pass, int64_t items)
{
    const int threads = mcl__call_pass_threads(call, pass);
    return mcl__call_launch(call, pass, mcl__divide_up(items, threads));
}

/* The number of words that a work-item clears: CLEARED_A_THREAD in the group mapping, CLEARED_ALONE in the serial
 * mapping. */
enum { CLEARED_A_THREAD = 4, CLEARED_ALONE = 4096 };

static mcl_status clear_states(const mcl__call *call, int pass)
{
    const mcl__look_back *const states = &call->look_back;
    const int threads = mcl__call_tile(call).threads;
    const int64_t words_a_group = threads > 1 ? (int64_t)threads * CLEARED_A_THREAD : CLEARED_ALONE;
    if (states->few) return MCL_OK;
    mcl__args *const args = mcl__args_of(call->queue, call->kernels->index_bits);
    push_states(args, call);
    mcl__args_long(args, states->words);
    return mcl__launch_groups(call->queue, call->kernels, pass, mcl__divide_up(states->words, words_a_group), threads,
                              args);
}

mcl_status mcl__call_launch_look_back(mcl__call *call, int clearing, int tiles, int few_tiles, int64_t groups)
{
    MCL__TRY(clear_states(call, clearing));
    return mcl__call_launch(call, call->look_back.few ? few_tiles : tiles, groups);
}

mcl_status mcl__call_read(const mcl__call *call, int operand, mcl__span from)
{
    const mcl_result *const result = call->operands[operand].result;
    if (!result || !result->host || call->queue->preparing) return MCL_OK;
    return call->queue->context->backend->read(call->queue, from.buffer, from.offset,
                                               slots_of(call, operand) * result->type->size, result->host, 1);
}

mcl_status mcl__call_end(mcl__call *call)
{
    MCL__TRY(mcl__enqueue_end(call->queue, call->options));
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k))
        if (mcl__call_operand(call, k)->kind == MCL__RESULT) MCL__TRY(mcl__call_read(call, k, call->results[k]));
    return MCL_OK;
}

int64_t mcl__count_load(const mcl_type *type, const void *from)
{
    int64_t whole;
    uint32_t low;
    memcpy(&low, from, sizeof low);
    if (type->size == sizeof low) return low; /* reads the count as unsigned, since counts are never negative */
    memcpy(&whole, from, sizeof whole);
    return whole;
}

void mcl__count_store(const mcl_type *type, void *to, int64_t count)
{
    const int64_t highest = mcl__count_highest(type), stored = count < highest ? count : highest;
    const uint32_t low = (uint32_t)stored;
    if (type->size == sizeof low)
        memcpy(to, &low, sizeof low);
    else
        memcpy(to, &stored, sizeof stored);
}

mcl_status mcl__call_check_counted(const mcl__call *call, int output, int result, int slot)
{
    const mcl_result *const counted = call->operands[result].result;
    const char *const counts = counted->host;
    const mcl_output *const stored = call->operands[output].output;
    const int64_t capacity = stored->capacity;
    if (!counts || call->queue->preparing || capacity == 0 || mcl__is_left_out(stored)) return MCL_OK;
    const int64_t needed = mcl__count_load(counted->type, counts + (size_t)slot * counted->type->size);
    if (needed <= capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "%s has capacity %lld; expected %lld or more, or 0 to count only",
                     mcl__call_name(call, output), (long long)capacity, (long long)needed);
}
