/* kernel.c: mcl_kernel_tile and mcl_kernel_launch: users' kernels. What is checked of the kernel itself, and its
 * program, are in kernel_check.c. */
#include "call/gate.h"
#include "call/kernel_call.h"

typedef struct kernel_call {
    const char *function;
    const mcl_kernel *kernel;
    const mcl_launch *launches;
    int launch_count;
    const size_t *scratch;
    int scratch_count;
    int index_bits;
    mcl__pass_words words[MCL_PASSES_MAX];
} kernel_call;

/* ---- plain values --------------------------------------------------------------------------------------- */

int mcl_tile_parameter(const mcl_tile *tile, const char *name, int otherwise)
{
    for (int k = 0; tile && name && k < tile->parameter_count; ++k)
        if (strcmp(tile->parameters[k].name, name) == 0) return tile->parameters[k].value;
    return otherwise;
}

int64_t mcl_tile_groups(const mcl_tile *tile, int64_t count)
{
    if (count <= 0 || !tile || tile->threads < 1 || tile->items < 1) return 0;
    return mcl__divide_up(count, (int64_t)tile->threads * tile->items);
}

mcl_argument mcl_argument_input(const mcl_input *input)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_INPUT, .pointer = input };
}

mcl_argument mcl_argument_output(const mcl_output *output)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_OUTPUT, .pointer = output };
}

mcl_argument mcl_argument_index(int64_t value)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_INDEX, .number = value };
}

mcl_argument mcl_argument_int32(int32_t value)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_INT32, .type = MCL_INT32, .number = value };
}

mcl_argument mcl_argument_int64(int64_t value)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_INT64, .type = MCL_INT64, .number = value };
}

mcl_argument mcl_argument_value(const mcl_type *type, const void *value)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_VALUE, .type = type, .pointer = value };
}

mcl_argument mcl_argument_buffer(mcl_buffer *buffer, int64_t offset)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_BUFFER, .pointer = buffer, .number = offset };
}

mcl_argument mcl_argument_scratch(int piece)
{
    return (mcl_argument){ .kind = MCL_ARGUMENT_SCRATCH, .number = piece };
}

/* ---- checks of launches --------------------------------------------------------------------------------- */

/* One argument of a launch, for the sentences: "mcl_kernel_launch: launch 1, tiles, argument 2 (out)". */
typedef struct at {
    const kernel_call *call;
    const mcl_context *context;
    const mcl_launch *launch;
    int launch_number;
    int number;
    const mcl__word *word;
    const mcl_argument *given;
} at;

static const char *const kind_names[] = {
    [MCL_ARGUMENT_NONE] = "missing",     [MCL_ARGUMENT_INPUT] = "an input",  [MCL_ARGUMENT_OUTPUT] = "an output",
    [MCL_ARGUMENT_INDEX] = "an index",   [MCL_ARGUMENT_VALUE] = "a value",   [MCL_ARGUMENT_INT32] = "an int32_t",
    [MCL_ARGUMENT_INT64] = "an int64_t", [MCL_ARGUMENT_BUFFER] = "a buffer", [MCL_ARGUMENT_SCRATCH] = "scratch",
};

static mcl_status fail_at(const at *where, mcl_status status, const char *is, const char *expectation)
{
    const kernel_call *const call = where->call;
    return mcl__fail(status, "argument %d of launch %d is %s, where pass %s of kernel %s has %.*s; expected %s",
                     where->number, where->launch_number, is, call->kernel->passes[where->launch->pass].name,
                     call->kernel->name, where->word->length, where->word->text, expectation);
}

static mcl_status check_given_input(const at *where)
{
    const mcl_input *const input = where->given->pointer;
    const kernel_call *const call = where->call;
    const char *const name = call->kernel->inputs[where->word->operand].name;
    if (!input) return fail_at(where, MCL_ERROR_ARGUMENT, "a NULL input", "one that mcl_argument_input points to");
    MCL__TRY(mcl__check_input(name, where->context, input));
    if (!mcl__kernel_takes(call->kernel, where->word->operand, input))
        return fail_at(where, MCL_ERROR_TYPE, input->expression ? "an expression" : input->type->name,
                       "an input of the declared form: type, expression and bindings");
    if (call->index_bits == 32 && mcl__index_bits(input->count, NULL) != 32)
        return fail_at(where, MCL_ERROR_ARGUMENT, "an input of 2^31 - 2^24 elements or more",
                       "fewer, or index_bits 64");
    return MCL_OK;
}

static mcl_status check_given_output(const at *where)
{
    const mcl_output *const output = where->given->pointer;
    const kernel_call *const call = where->call;
    const char *const name = call->kernel->outputs[where->word->operand].name;
    if (!output) return fail_at(where, MCL_ERROR_ARGUMENT, "a NULL output", "one that mcl_argument_output points to");
    MCL__TRY(mcl__check_output(name, where->context, output));
    if (!mcl__same_type(output->type, call->kernel->outputs[where->word->operand].type))
        return fail_at(where, MCL_ERROR_TYPE, output->type->name, "an output of the declared type");
    if (call->index_bits == 32 && mcl__index_bits(output->capacity, NULL) != 32)
        return fail_at(where, MCL_ERROR_ARGUMENT, "an output of 2^31 - 2^24 elements or more",
                       "fewer, or index_bits 64");
    return MCL_OK;
}

static mcl_status check_given_memory(const at *where)
{
    const mcl_argument *const given = where->given;
    const mcl_buffer *const buffer = given->pointer;
    if (given->kind == MCL_ARGUMENT_SCRATCH) {
        if (where->word->kind == MCL__WORD_POINTER)
            return fail_at(where, MCL_ERROR_ARGUMENT, "scratch", "a buffer, or array for the pass's argument");
        return given->number >= 0 && given->number < where->call->scratch_count
                   ? MCL_OK
                   : fail_at(where, MCL_ERROR_ARGUMENT, "a piece of scratch that is not there",
                             "one of the call's scratch_count");
    }
    if (!buffer) return MCL_OK;
    if (buffer->context != where->context)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a buffer of another context", "one of the queue's context");
    if (given->number < 0 || given->number > (int64_t)buffer->bytes)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a buffer from outside its bytes", "an offset inside the buffer");
    if (where->word->kind == MCL__WORD_POINTER && given->number != 0)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a buffer with an offset", "offset 0, since a pointer takes none");
    return MCL_OK;
}

static mcl_status check_given_value(const at *where)
{
    const mcl_argument *const given = where->given;
    if (given->kind == MCL_ARGUMENT_VALUE && !given->pointer)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a NULL value", "one that mcl_argument_value points to");
    if (!given->type || !mcl__same_type(given->type, where->word->type))
        return fail_at(where, MCL_ERROR_TYPE, given->type ? given->type->name : "a value without a type",
                       "a value of the declared type");
    return MCL_OK;
}

static mcl_status check_argument(const at *where)
{
    const mcl_argument_kind kind = where->given->kind;
    const int64_t number = where->given->number;
    switch (where->word->kind) {
    case MCL__WORD_INPUT:
        if (kind == MCL_ARGUMENT_INPUT) return check_given_input(where);
        return fail_at(where, MCL_ERROR_ARGUMENT, kind_names[kind], "mcl_argument_input");
    case MCL__WORD_OUTPUT:
        if (kind == MCL_ARGUMENT_OUTPUT) return check_given_output(where);
        return fail_at(where, MCL_ERROR_ARGUMENT, kind_names[kind], "mcl_argument_output");
    case MCL__WORD_ARRAY:
    case MCL__WORD_POINTER:
        if (kind == MCL_ARGUMENT_BUFFER || kind == MCL_ARGUMENT_SCRATCH) return check_given_memory(where);
        return fail_at(where, MCL_ERROR_ARGUMENT, kind_names[kind], "mcl_argument_buffer or mcl_argument_scratch");
    case MCL__WORD_INDEX:
        if (kind != MCL_ARGUMENT_INDEX)
            return fail_at(where, MCL_ERROR_ARGUMENT, kind_names[kind], "mcl_argument_index");
        if (where->call->index_bits == 32 && (number > INT32_MAX || number < INT32_MIN))
            return fail_at(where, MCL_ERROR_ARGUMENT, "an index that 32 bits do not hold", "less, or index_bits 64");
        return MCL_OK;
    default:
        if (kind == MCL_ARGUMENT_VALUE || kind == MCL_ARGUMENT_INT32 || kind == MCL_ARGUMENT_INT64)
            return check_given_value(where);
        return fail_at(where, MCL_ERROR_ARGUMENT, kind_names[kind],
                       "mcl_argument_value, mcl_argument_int32 or mcl_argument_int64");
    }
}

static mcl_status check_arguments(const kernel_call *call, const mcl_context *context, int number)
{
    const mcl_launch *const launch = &call->launches[number];
    const mcl_pass *const pass = &call->kernel->passes[launch->pass];
    const mcl__pass_words *const words = &call->words[launch->pass];
    at where = { .call = call, .context = context, .launch = launch, .launch_number = number };
    for (int k = 0; k < words->count; ++k) {
        where.word = &words->list[k];
        where.given = &launch->arguments[k];
        where.number = k;
        MCL__TRY(check_argument(&where));
    }
    int given = words->count;
    while (given < MCL_ARGUMENTS_MAX && launch->arguments[given].kind != MCL_ARGUMENT_NONE) ++given;
    if (given > words->count)
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "launch %d has %d arguments, and pass %s of kernel %s is declared with others; expected %d: \"%s\"", number,
            given, pass->name, call->kernel->name, words->count, pass->arguments ? pass->arguments : "");
    return MCL_OK;
}

/* ---- overlap -------------------------------------------------------------------------------------------- */

static mcl_status check_output_apart(const kernel_call *call, const mcl_launch *launch, int operand, const char *name)
{
    const mcl_output *const output = launch->arguments[operand].pointer;
    const mcl__pass_words *const words = &call->words[launch->pass];
    for (int k = 0; k < MCL_ROLES_MAX - 1 && call->kernel->operators[k].name; ++k)
        MCL__TRY(mcl__check_op_overlap(call->kernel->operators[k].name, call->kernel->operators[k].op, name, output,
                                       output->capacity));
    for (int k = 0; k < words->count; ++k) {
        const mcl_argument *const other = &launch->arguments[k];
        const int other_operand = words->list[k].operand;
        if (other->kind == MCL_ARGUMENT_INPUT)
            MCL__TRY(mcl__check_no_overlap(call->kernel->inputs[other_operand].name, other->pointer, name, output,
                                           output->capacity));
        if (other->kind != MCL_ARGUMENT_OUTPUT || k >= operand) continue;
        const mcl_output *const earlier = other->pointer;
        const mcl_input read = mcl_from_buffer(earlier->type, earlier->buffer, earlier->offset, earlier->capacity);
        MCL__TRY(
            mcl__check_no_overlap(call->kernel->outputs[other_operand].name, &read, name, output, output->capacity));
    }
    return MCL_OK;
}

static mcl_status check_overlap(const kernel_call *call, const mcl_launch *launch)
{
    const mcl__pass_words *const words = &call->words[launch->pass];
    for (int k = 0; k < words->count; ++k)
        if (launch->arguments[k].kind == MCL_ARGUMENT_OUTPUT)
            MCL__TRY(check_output_apart(call, launch, k, call->kernel->outputs[words->list[k].operand].name));
    return MCL_OK;
}

static mcl_status check_launches(const mcl_queue *queue, const kernel_call *call)
{
    if (call->launch_count < 0 || (call->launch_count > 0 && !call->launches))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "launch_count is %d and launches is %s; expected as many launches as launch_count says",
                         call->launch_count, call->launches ? "given" : "NULL");
    if (call->scratch_count < 0 || call->scratch_count > MCL_SCRATCH_PIECES_MAX ||
        (call->scratch_count > 0 && !call->scratch))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "scratch_count is %d and scratch is %s; expected at most %d, and as many sizes",
                         call->scratch_count, call->scratch ? "given" : "NULL", MCL_SCRATCH_PIECES_MAX);
    int pass_count = 0;
    while (pass_count < MCL_PASSES_MAX && call->kernel->passes[pass_count].name) ++pass_count;
    for (int k = 0; k < call->launch_count; ++k) {
        const mcl_launch *const launch = &call->launches[k];
        if (launch->pass < 0 || launch->pass >= pass_count)
            return mcl__fail(MCL_ERROR_ARGUMENT, "launch %d has pass %d; expected 0 to %d, the passes of kernel %s", k,
                             launch->pass, pass_count - 1, call->kernel->name);
        if (launch->groups < 0 || launch->groups > INT32_MAX)
            return mcl__fail(MCL_ERROR_ARGUMENT, "launch %d has groups %lld; expected 0 to %d", k,
                             (long long)launch->groups, INT32_MAX);
        MCL__TRY(check_arguments(call, queue->context, k));
        if (!call->kernel->overlapping) MCL__TRY(check_overlap(call, launch));
    }
    return MCL_OK;
}

/* ---- running -------------------------------------------------------------------------------------------- */

/* Finds the kernel's program, or builds it. tile becomes the one that it was built with. */
static mcl_status kernel_get(mcl_queue *queue, const mcl_kernel *kernel, const mcl_options *options, mcl_input *forms,
                             mcl__spec *spec, mcl_tile *tile, const mcl__kernels **kernels)
{
    MCL__TRY(mcl__context_probe(queue->context));
    const mcl_context *const context = queue->context;
    MCL__TRY(mcl__kernel_tile_for(kernel, &context->limits, context->tuning, mcl__kernel_element_bytes(kernel), options,
                                  tile));
    mcl__kernel_describe(kernel, tile, options, forms, spec);
    MCL__TRY(mcl__program_get(queue, spec, kernels));
    tile->threads = (*kernels)->tile.threads;
    tile->items = (*kernels)->tile.items;
    return MCL_OK;
}

mcl_status mcl_kernel_tile(mcl_queue *queue, const mcl_kernel *kernel, const mcl_options *options, mcl_tile *tile)
{
    mcl_input forms[MCL_OPERANDS_MAX];
    mcl__spec spec;
    mcl_tile found;
    mcl__pass_words words[MCL_PASSES_MAX];
    const mcl__kernels *kernels;
    MCL__TRY(mcl__check_queue("mcl_kernel_tile", queue));
    MCL__TRY(mcl__check_options(queue, options, 0));
    if (!tile) return mcl__fail(MCL_ERROR_ARGUMENT, "tile is NULL; expected memory for the tile");
    MCL__TRY(mcl__check_kernel(queue->context, kernel, words));
    MCL__TRY(kernel_get(queue, kernel, options, forms, &spec, &found, &kernels));
    *tile = found;
    return MCL_OK;
}

static void push_argument(mcl__args *args, const mcl__word *word, const mcl_argument *given, const mcl__span *pieces)
{
    switch (given->kind) {
    case MCL_ARGUMENT_INPUT:
        mcl__args_input(args, given->pointer);
        break;
    case MCL_ARGUMENT_OUTPUT:
        mcl__args_output(args, given->pointer);
        break;
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
        mcl__args_span(args, pieces[given->number]);
        break;
    case MCL_ARGUMENT_BUFFER:
        if (word->kind == MCL__WORD_POINTER)
            mcl__args_buffer(args, (mcl_buffer *)(uintptr_t)given->pointer);
        else
            mcl__args_span(args, (mcl__span){ (mcl_buffer *)(uintptr_t)given->pointer, (size_t)given->number });
        break;
    default:
        mcl__args_value(args, given->pointer, given->type->size);
    }
}

static mcl_status launch_pass(mcl_queue *queue, const kernel_call *call, const mcl__spec *spec,
                              const mcl__kernels *kernels, const mcl_launch *launch, const mcl__span *pieces)
{
    const mcl_pass *const pass = &call->kernel->passes[launch->pass];
    const mcl__pass_words *const words = &call->words[launch->pass];
    mcl__args args;
    args.count = args.number_count = 0;
    args.index_bits = spec->index_bits;
    if (words->takes_env) mcl__args_start(&args, spec);
    for (int k = 0; k < words->count; ++k) push_argument(&args, &words->list[k], &launch->arguments[k], pieces);
    const int threads = pass->threads > 0 ? pass->threads : kernels->tile.threads;
    return mcl__launch_groups(queue, kernels, launch->pass, launch->groups, threads, &args);
}

mcl_status mcl_kernel_launch(mcl_queue *queue, const mcl_kernel *kernel, const mcl_launch *launches, int launch_count,
                             const size_t *scratch, int scratch_count, const mcl_options *options)
{
    kernel_call call;
    mcl_input forms[MCL_OPERANDS_MAX];
    mcl__span pieces[MCL_SCRATCH_PIECES_MAX];
    mcl__spec spec;
    mcl_tile tile;
    const mcl__kernels *kernels;
    size_t scratch_bytes = 0;
    call.function = "mcl_kernel_launch"; /* all but the words, which the check fills in */
    call.kernel = kernel;
    call.launches = launches;
    call.launch_count = launch_count;
    call.scratch = scratch;
    call.scratch_count = scratch_count;
    MCL__TRY(mcl__check_queue(call.function, queue));
    MCL__TRY(mcl__check_options(queue, options, 0));
    MCL__TRY(mcl__check_kernel(queue->context, kernel, call.words));
    call.index_bits = kernel->index_bits == 32 && !mcl__wants(options, MCL_INDEX_64) ? 32 : 64;
    MCL__TRY(check_launches(queue, &call));
    MCL__TRY(kernel_get(queue, kernel, options, forms, &spec, &tile, &kernels));
    for (int k = 0; k < scratch_count; ++k) scratch_bytes += mcl__scratch_round(scratch[k]);
    MCL__TRY(mcl__call_begin(queue, scratch_bytes, options));
    for (int k = 0; k < scratch_count; ++k) pieces[k] = mcl__scratch_take(queue, scratch[k]);
    for (int k = 0; k < launch_count; ++k) MCL__TRY(launch_pass(queue, &call, &spec, kernels, &launches[k], pieces));
    return mcl__call_end(queue, options);
}
