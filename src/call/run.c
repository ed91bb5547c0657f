/* run.c: the steps of a run from its operands to its program, its scratch and its launches. */
#include "call/run.h"

#include <stdlib.h>

/* ---- the program ---------------------------------------------------------------------------------------- */

void mcl__run_define(mcl__run *run, const char *name, int value)
{
    run->spec.defines[run->define_count].name = name;
    run->spec.defines[run->define_count].value = value;
    run->define_count += 1;
}

/* Output k is an input, or an input's expression could read it. */
static int output_aliases(const mcl__run *run, int k)
{
    const mcl__operand *const list = run->declaration->operands;
    for (int other = 1; other < MCL__DECLARED_MAX && list[other].name; ++other) {
        const mcl_input *const input = run->given[other].input;
        if (!(list[k].in_place & MCL__BIT(other)) || !input) continue;
        if (mcl__is_in_place(input, run->given[k].output)) return 1;
        for (int b = 0; !list[k].arrays_only && input->expression && b < input->binding_count; ++b)
            if (input->bindings[b].buffer) return 1;
    }
    return 0;
}

int mcl__run_aliases(const mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    if (run->never_in_place) return 0;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k)
        if (list[k].in_place && run->given[k].output && output_aliases(run, k)) return 1;
    return 0;
}

/* Returns the type that operator k's folds are stored as: that of the first output or result which holds them. */
static const mcl_type *stored_type(const mcl__run *run, int k)
{
    const mcl__operand *const list = run->declaration->operands;
    if (list[k].stored) return list[k].stored;
    for (int holder = 1; holder < MCL__DECLARED_MAX && list[holder].name; ++holder)
        if (list[holder].fold == k && run->given[holder].pointer) return mcl__run_type(run, holder);
    return NULL;
}

/* Returns the type in the text of what operand k stores. A result that is not asked for has one too: what it counts as,
 * or what the fold gives. */
static const mcl_type *output_type(const mcl__run *run, int k)
{
    const mcl__operand *const p = &run->declaration->operands[k];
    if (p->kind == MCL__SCRATCH) return run->given[k].scratch;
    if (p->kind == MCL__OUTPUT || run->given[k].result->type) return mcl__run_type(run, k);
    return p->types == MCL__COUNTS ? MCL_INT64 : stored_type(run, p->fold);
}

static void describe_operands(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    mcl__spec *const spec = &run->spec;
    int inputs = 0, outputs = 0, ops = 0;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) {
        if (list[k].unused || !run->given[k].pointer) continue;
        if (list[k].kind == MCL__INPUT) {
            spec->inputs[inputs].name = list[k].name;
            spec->inputs[inputs].placed = list[k].placed || (run->placed & MCL__BIT(k));
            spec->inputs[inputs].count_alone = list[k].count_alone;
            spec->inputs[inputs++].input = run->given[k].input;
        } else if (list[k].kind == MCL__OPERATOR) {
            spec->ops[ops].name = list[k].name;
            spec->ops[ops].op = run->given[k].op;
            spec->ops[ops].role = list[k].use;
            spec->ops[ops].element = mcl__run_element(run, k);
            spec->ops[ops].value = mcl__run_accumulator(run, k);
            spec->ops[ops++].stored = stored_type(run, k);
        } else {
            spec->outputs[outputs].name = list[k].name;
            spec->outputs[outputs].is_left_out =
                list[k].kind == MCL__OUTPUT && list[k].optional && mcl__is_left_out(run->given[k].output);
            spec->outputs[outputs].is_count = list[k].kind == MCL__RESULT && list[k].types == MCL__COUNTS;
            spec->outputs[outputs++].type = output_type(run, k);
        }
    }
}

/* Returns the index of a pass's kernel: that of the first pass with this kernel. */
static int kernel_of(const mcl__run *run, int pass)
{
    const mcl__pass *const list = run->declaration->passes;
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

int mcl__run_pass_threads(const mcl__run *run, int pass)
{
    return run->kernels->threads[kernel_of(run, pass)];
}

static void describe_passes(mcl__run *run)
{
    for (int k = 0; k < MCL__KERNELS_MAX; ++k) {
        const mcl__pass *const pass = &run->declaration->passes[k];
        const int kernel = pass->name ? kernel_of(run, k) : k;
        const int most = pass->threads_named ? run->spec.tile.threads : pass->threads;
        run->spec.threads[kernel] = pass->threads < most ? pass->threads : most;
        run->spec.threads_named[kernel] = pass->threads_named;
        if (mcl__run_has_pass(run, k)) run->spec.kernels[kernel] = pass->name;
    }
}

void mcl__run_initial(mcl__run *run, int fold, int value)
{
    const mcl__operand *const p = &run->declaration->operands[fold];
    run->initial = mcl__fold_initial(run->given[fold].op, run->given[p->of].input->type,
                                     mcl__run_accumulator(run, fold), run->options);
    if (!run->initial.given) return;
    run->values[value].bytes = run->initial.value.bytes;
    run->values[value].size = run->initial.size;
}

/* Describes what the declaration adds to the text. That follows from its table, from the operands that the spec tells,
 * and from these bits. */
static void describe_declaration(mcl__run *run)
{
    unsigned values = 0;
    if (run->declaration->text) return;
    for (int k = 0; k < MCL__VALUES_MAX; ++k)
        if (run->values[k].bytes) values |= MCL__BIT(k);
    run->spec.declared.write = mcl__run_text;
    run->spec.declared.run = run;
    run->spec.declared.table = run->declaration;
    run->spec.declared.passes = run->passes;
    run->spec.declared.without = run->without;
    run->spec.declared.values = values;
}

mcl__tile mcl__run_choose_tile(mcl__run *run, mcl__operation operation, mcl__tile_need need)
{
    const mcl_context *const context = run->queue->context;
    const mcl__tile tile = mcl__tile_for(operation, &context->limits, context->tuning, need, run->options);
    run->spec.local_bytes = mcl__tile_bytes(&context->limits, need, tile);
    return tile;
}

void mcl__run_describe(mcl__run *run, mcl__tile tile, int index_bits)
{
    const mcl__declaration *const declaration = run->declaration;
    run->spec.file = declaration->file;
    run->spec.text = declaration->text;
    run->spec.tile = tile;
    run->spec.index_bits = index_bits;
    for (int group = 1; group < MCL__GROUPS_OF_TYPES_MAX; ++group) {
        if (!declaration->types[group] || !run->types[group]) continue;
        run->spec.types[group - 1].name = declaration->types[group];
        run->spec.types[group - 1].type = run->types[group];
    }
    run->spec.aliased = declaration->aliased || mcl__run_aliases(run);
    run->spec.uncontracted = declaration->uncontracted || mcl__wants(run->options, MCL_REPRODUCIBLE);
    describe_operands(run);
    describe_passes(run);
    describe_declaration(run);
}

mcl_status mcl__run_program(mcl__run *run, mcl__tile tile, int index_bits)
{
    mcl__run_describe(run, tile, index_bits);
    return mcl__program_get(run->queue, &run->spec, &run->kernels);
}

int64_t mcl__run_parts(const mcl__run *run, int64_t tiles, int steps)
{
    const mcl_context *const context = run->queue->context;
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_any_parts);
    return mcl__fold_parts(&context->limits, mcl__run_tile(run), tiles, wanted, steps);
}

int64_t mcl__run_block(const mcl__run *run, size_t bytes)
{
    const mcl_context *const context = run->queue->context;
    const mcl__limits *const limits = &context->limits;
    const int64_t cache_bytes = limits->cache_bytes > 0 ? limits->cache_bytes : (int64_t)limits->compute_units << 15;
    const int64_t cached = cache_bytes / (int64_t)bytes, tile_size = mcl__run_tile_size(run);
    const int64_t filling = mcl__tuned_a_unit(context, MCL__PARAMETER_any_block_tiles) * tile_size;
    return mcl__run_tiles(run, cached > filling ? cached : filling) * tile_size;
}

int64_t mcl__run_tree_block(const mcl__run *run, int64_t tiles)
{
    enum { STEPS = 16 }; /* loop iterations for each tile of a block, at most */
    const int64_t budget = mcl__run_is_serial(run) ? run->queue->context->limits.loop_budget : 0;
    const int64_t most = budget > 0 && tiles > budget / STEPS ? budget / STEPS : tiles;
    int64_t block = 1;
    while (2 * block <= most || (most == tiles && block < tiles)) block *= 2;
    return block;
}

int64_t mcl__run_tree_groups(const mcl__run *run, int64_t tiles, int steps)
{
    return run->queue->context->limits.is_gpu && tiles > 0 ? tiles : mcl__run_parts(run, tiles, steps);
}

/* ---- scratch -------------------------------------------------------------------------------------------- */

void mcl__run_need(mcl__run *run, int piece, size_t bytes)
{
    run->pieces[piece].bytes = bytes;
    run->pieces[piece].is_needed = 1;
    run->scratch_bytes += mcl__scratch_round(bytes);
}

void mcl__run_give(mcl__run *run, int piece, mcl__span span)
{
    run->pieces[piece].is_needed = run->pieces[piece].is_given = 1;
    run->pieces[piece].span = span;
}

mcl_status mcl__run_give_slots(mcl__run *run, int piece)
{
    MCL__TRY(mcl__slots_reserve(run->queue));
    mcl__run_give(run, piece, (mcl__span){ run->queue->slots, 0 });
    return MCL_OK;
}

static size_t slots_of(const mcl__run *run, int k)
{
    return run->room[k] > 0 ? (size_t)run->room[k] : 1;
}

/* Returns the bytes of scratch that operand k takes. */
static size_t operand_scratch(const mcl__run *run, int k)
{
    const mcl__kind kind = run->declaration->operands[k].kind;
    const mcl_result *const result = run->given[k].result;
    if (kind == MCL__SCRATCH && run->given[k].scratch) return (size_t)run->room[k] * run->given[k].scratch->size;
    if (kind != MCL__RESULT || !result || !result->host || result->buffer) return 0;
    return slots_of(run, k) * result->type->size;
}

void mcl__run_take(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    for (int k = 0; k < MCL__PIECES_MAX; ++k)
        if (run->pieces[k].is_needed && !run->pieces[k].is_given)
            run->pieces[k].span = mcl__scratch_take(run->queue, run->pieces[k].bytes);
    if (run->look_back.tiles > 0) mcl__run_look_back_take(run);
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) {
        const size_t bytes = operand_scratch(run, k);
        const mcl_result *const result = list[k].kind == MCL__RESULT ? run->given[k].result : NULL;
        if (bytes > 0)
            run->results[k] = mcl__scratch_take(run->queue, bytes);
        else if (result && result->buffer)
            run->results[k] = (mcl__span){ result->buffer, (size_t)result->offset * result->type->size };
    }
}

mcl_status mcl__run_begin(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k)
        run->scratch_bytes += mcl__scratch_round(operand_scratch(run, k));
    MCL__TRY(mcl__call_begin(run->queue, run->scratch_bytes, run->options));
    mcl__run_take(run);
    return MCL_OK;
}

/* ---- launches ------------------------------------------------------------------------------------------- */

static void push_operand(mcl__args *args, const mcl__run *run, int k)
{
    const mcl__kind kind = run->declaration->operands[k].kind;
    const mcl__span at = run->results[k];
    if (!run->given[k].pointer) return;
    if (kind == MCL__INPUT && at.buffer)
        mcl__args_array(args, at, run->given[k].input);
    else if (kind == MCL__INPUT)
        mcl__args_input(args, run->given[k].input);
    else if (kind == MCL__OUTPUT && !at.buffer)
        mcl__args_output(args, run->given[k].output);
    else
        mcl__args_span(args, at);
}

/* Pushes an argument of a user's launch that is no operand. */
static void push_argument(mcl__args *args, const mcl__run *run, int k)
{
    const mcl_argument *const given = &run->arguments[k];
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
        mcl__args_span(args, run->pieces[given->number].span);
        break;
    case MCL_ARGUMENT_BUFFER:
        mcl__args_span(args, (mcl__span){ buffer, (size_t)given->number });
        break;
    default:
        mcl__args_value(args, given->pointer, given->type->size);
    }
}

static void push_word(mcl__args *args, const mcl__run *run, unsigned word)
{
    const int k = (int)(word & 31u);
    switch (word & ~31u) {
    case MCL__ENV:
        mcl__args_start(args, &run->spec);
        break;
    case MCL__OF:
        push_operand(args, run, k);
        break;
    case MCL__PIECE:
        if (run->pieces[k].is_needed) mcl__args_span(args, run->pieces[k].span);
        break;
    case MCL__INDEX:
        mcl__args_index(args, run->numbers[k]);
        break;
    case MCL__INT:
        mcl__args_int(args, (int)run->numbers[k]);
        break;
    case MCL__LONG:
        mcl__args_long(args, run->numbers[k]);
        break;
    case MCL__ASKED:
        mcl__args_int(args, run->results[k].buffer != NULL);
        break;
    case MCL__LIMIT:
        if (run->given[k].output) mcl__args_index(args, run->room[k]);
        break;
    case MCL__STATES:
        if (run->look_back.tiles > 0) mcl__run_look_back_args(args, run);
        break;
    case MCL__ARGUMENT:
        push_argument(args, run, k);
        break;
    case MCL__POINTER:
        mcl__args_buffer(args, (mcl_buffer *)(uintptr_t)run->arguments[k].pointer);
        break;
    default: /* MCL__VALUE */
        if (run->values[k].bytes) mcl__args_value(args, run->values[k].bytes, run->values[k].size);
    }
}

mcl_status mcl__run_launch_wide(mcl__run *run, int pass, int64_t groups, int threads)
{
    const uint16_t *const words = run->declaration->passes[pass].words;
    mcl__args *const args = mcl__args_of(run->queue, run->spec.index_bits);
    for (int k = 0; k < MCL__WORDS_MAX && words[k]; ++k) push_word(args, run, words[k]);
    return mcl__launch_groups(run->queue, run->kernels, kernel_of(run, pass), groups, threads, args);
}

mcl_status mcl__run_launch(mcl__run *run, int pass, int64_t groups)
{
    return mcl__run_launch_wide(run, pass, groups, mcl__run_pass_threads(run, pass));
}

mcl_status mcl__run_launch_tiles(mcl__run *run, int pass, int64_t count)
{
    return mcl__run_launch(run, pass, mcl__run_tiles(run, count));
}

mcl_status mcl__run_launch_items(mcl__run *run, int pass, int64_t items)
{
    const int threads = mcl__run_pass_threads(run, pass);
    return mcl__run_launch(run, pass, mcl__divide_up(items, threads));
}

mcl_status mcl__run_read(const mcl__run *run, int operand, mcl__span from)
{
    const mcl_result *const result = run->given[operand].result;
    if (!result || !result->host || run->queue->preparing) return MCL_OK;
    return run->queue->context->backend->read(run->queue, from.buffer, from.offset,
                                              slots_of(run, operand) * result->type->size, result->host, 1);
}

mcl_status mcl__run_end(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    MCL__TRY(mcl__call_end(run->queue, run->options));
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k)
        if (list[k].kind == MCL__RESULT) MCL__TRY(mcl__run_read(run, k, run->results[k]));
    return MCL_OK;
}

int64_t mcl__count_load(const mcl_type *type, const void *from)
{
    int64_t whole;
    uint32_t low;
    memcpy(&low, from, sizeof low);
    if (type->size == sizeof low) return low; /* it has no sign: counts are 0 or more */
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

mcl_status mcl__run_check_counted(const mcl__run *run, int output, int result, int slot)
{
    const mcl_result *const counted = run->given[result].result;
    const char *const counts = counted->host;
    const int64_t capacity = run->given[output].output->capacity;
    if (!counts || run->queue->preparing || capacity == 0) return MCL_OK;
    const int64_t needed = mcl__count_load(counted->type, counts + (size_t)slot * counted->type->size);
    if (needed <= capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "%s has capacity %lld; expected %lld or more, or 0 to count only",
                     mcl__run_name(run, output), (long long)capacity, (long long)needed);
}
