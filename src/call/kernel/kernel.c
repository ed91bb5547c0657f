/* kernel.c: users' kernels: mcl_kernel_tile and mcl_kernel_launch. kernel_check.c makes the declaration of a user's
 * kernel. */
#include "call/kernel/kernel_check.h"

#include <stdlib.h>

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

/* ---- checks of a launch's arguments --------------------------------------------------------------------- */

/* One argument of a launch, with what its error sentences need. */
typedef struct at {
    mcl__kernel_plan *plan;
    const mcl_launch *launch;
    int launch_number;
    int number;
    const mcl__word *word;
    const mcl_argument *given;
} at;

/* Parts of error sentences, by kind. name describes an argument of this kind. expected names the function that makes
 * the argument a pass expects. */
static const struct {
    const char *name, *expected;
} kinds[] = {
    [MCL_ARGUMENT_NONE] = { "missing", "" },
    [MCL_ARGUMENT_INPUT] = { "an input", "mcl_argument_input" },
    [MCL_ARGUMENT_OUTPUT] = { "an output", "mcl_argument_output" },
    [MCL_ARGUMENT_INDEX] = { "an index", "mcl_argument_index" },
    [MCL_ARGUMENT_VALUE] = { "a value", "mcl_argument_value, mcl_argument_int32 or mcl_argument_int64" },
    [MCL_ARGUMENT_INT32] = { "an int32_t", "" },
    [MCL_ARGUMENT_INT64] = { "an int64_t", "" },
    [MCL_ARGUMENT_BUFFER] = { "a buffer", "mcl_argument_buffer" },
    [MCL_ARGUMENT_SCRATCH] = { "scratch", "mcl_argument_buffer or mcl_argument_scratch" },
};

static int takes(const mcl__word *word, mcl_argument_kind kind)
{
    if (word->kind == MCL_ARGUMENT_SCRATCH && kind == MCL_ARGUMENT_BUFFER) return 1;
    if (word->kind == MCL_ARGUMENT_VALUE && (kind == MCL_ARGUMENT_INT32 || kind == MCL_ARGUMENT_INT64)) return 1;
    return word->kind == kind;
}

static mcl_status fail_at(const at *where, mcl_status status, const char *is, const char *expectation)
{
    const mcl_kernel *const kernel = where->plan->kernel;
    return mcl__fail(status, "argument %d of launch %d is %s, where pass %s of kernel %s has %.*s; expected %s",
                     where->number, where->launch_number, is, kernel->passes[where->launch->pass].name, kernel->name,
                     where->word->length, where->word->text, expectation);
}

/* Returns 1 where the input has the declared form: the same type, expression and bindings. */
static int has_form(const mcl_input *input, const mcl_input *form)
{
    if (!mcl__same_type(input->type, form->type) || !mcl__same_text(input->expression, form->expression)) return 0;
    if (!form->expression) return 1;
    if (!mcl__same_text(input->source, form->source) || input->binding_count != form->binding_count) return 0;
    for (int k = 0; k < form->binding_count; ++k) {
        const mcl_binding *const a = &form->bindings[k], *const b = &input->bindings[k];
        if (!mcl__same_text(a->name, b->name) || !mcl__same_type(a->type, b->type) || !a->buffer != !b->buffer)
            return 0;
    }
    return 1;
}

/* Gives the declared form the type of an input's count slot, since the program reads the slot in this type. The first
 * launch of the call with a count slot decides the type; later launches must use the same. */
static mcl_status take_slot_type(const at *where, const mcl_input *input)
{
    mcl_input *const form = &where->plan->inputs[where->word->operand - 1];
    if (!input->count_slot) return MCL_OK;
    if (form->count_slot && !mcl__same_type(mcl__slot_type(input), mcl__slot_type(form)))
        return fail_at(where, MCL_ERROR_TYPE, "an input with a count slot of another type than in a launch before",
                       "count slots of one type for an operand in a call");
    form->count_slot = input->count_slot;
    form->count_slot_type = input->count_slot_type;
    return MCL_OK;
}

static mcl_status check_input(const at *where, const mcl_input *input)
{
    if (!input) return fail_at(where, MCL_ERROR_ARGUMENT, "a NULL input", "one that mcl_argument_input points to");
    MCL__TRY(mcl__call_check_operand(&where->plan->call, where->word->operand));
    if (!has_form(input, &where->plan->inputs[where->word->operand - 1]))
        return fail_at(where, MCL_ERROR_TYPE, input->expression ? "an expression" : input->type->name,
                       "an input of the declared form: type, expression and bindings");
    MCL__TRY(take_slot_type(where, input));
    if (where->plan->call.spec.index_bits == 32 && mcl__index_bits(input->count, NULL) != 32)
        return fail_at(where, MCL_ERROR_ARGUMENT, "an input of 2^31 - 2^24 elements or more",
                       "fewer, or index_bits 64");
    return MCL_OK;
}

static mcl_status check_output(const at *where, const mcl_output *output)
{
    const int operand = where->word->operand;
    if (!output) return fail_at(where, MCL_ERROR_ARGUMENT, "a NULL output", "one that mcl_argument_output points to");
    MCL__TRY(mcl__call_check_operand(&where->plan->call, operand));
    if (!mcl__same_type(output->type, where->plan->outputs[operand - 1 - where->plan->input_count].type))
        return fail_at(where, MCL_ERROR_TYPE, output->type->name, "an output of the declared type");
    if (where->plan->call.spec.index_bits == 32 && mcl__index_bits(output->capacity, NULL) != 32)
        return fail_at(where, MCL_ERROR_ARGUMENT, "an output of 2^31 - 2^24 elements or more",
                       "fewer, or index_bits 64");
    where->plan->call.room[operand] = output->capacity;
    return MCL_OK;
}

static mcl_status check_buffer(const at *where, const mcl_buffer *buffer)
{
    const int64_t offset = where->given->number;
    if (!buffer) return MCL_OK;
    if (buffer->context != where->plan->call.queue->context)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a buffer of another context", "one of the queue's context");
    if (offset < 0 || offset > (int64_t)buffer->bytes)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a buffer from outside its bytes", "an offset inside the buffer");
    if (where->word->kind == MCL_ARGUMENT_BUFFER && offset != 0)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a buffer with an offset", "offset 0, since a pointer takes none");
    return MCL_OK;
}

static mcl_status check_value(const at *where)
{
    const mcl_argument *const given = where->given;
    if (given->kind == MCL_ARGUMENT_VALUE && !given->pointer)
        return fail_at(where, MCL_ERROR_ARGUMENT, "a NULL value", "one that mcl_argument_value points to");
    if (!given->type || !mcl__same_type(given->type, where->word->type))
        return fail_at(where, MCL_ERROR_TYPE, given->type ? given->type->name : "a value without a type",
                       "a value of the declared type");
    return MCL_OK;
}

static mcl_status check_argument(const at *where, int scratch_count)
{
    const mcl_argument *const given = where->given;
    const int is_kind = (size_t)given->kind < sizeof kinds / sizeof kinds[0];
    if (!takes(where->word, given->kind))
        return fail_at(where, MCL_ERROR_ARGUMENT, is_kind ? kinds[given->kind].name : "of no kind",
                       kinds[where->word->kind].expected);
    switch (given->kind) {
    case MCL_ARGUMENT_INPUT:
        return check_input(where, given->pointer);
    case MCL_ARGUMENT_OUTPUT:
        return check_output(where, given->pointer);
    case MCL_ARGUMENT_BUFFER:
        return check_buffer(where, given->pointer);
    case MCL_ARGUMENT_SCRATCH:
        if (given->number >= 0 && given->number < scratch_count) return MCL_OK;
        return fail_at(where, MCL_ERROR_ARGUMENT, "a piece of scratch that is not there",
                       "one of the call's scratch_count");
    case MCL_ARGUMENT_INDEX:
        if (where->plan->call.spec.index_bits == 64 || (given->number <= INT32_MAX && given->number >= INT32_MIN))
            return MCL_OK;
        return fail_at(where, MCL_ERROR_ARGUMENT, "an index that 32 bits do not hold", "less, or index_bits 64");
    default:
        return check_value(where);
    }
}

/* ---- launches ------------------------------------------------------------------------------------------- */

/* Sets the call's operands to those of this launch. */
static void give_operands(mcl__kernel_plan *plan, const mcl_launch *launch)
{
    const mcl__words *const words = &plan->words[launch->pass];
    for (int k = 1; k <= plan->operand_count; ++k) plan->call.operands[k].pointer = NULL;
    for (int k = 0; k < words->count; ++k)
        if (words->list[k].operand) plan->call.operands[words->list[k].operand].pointer = launch->arguments[k].pointer;
    plan->call.launch_arguments = launch->arguments;
}

static mcl_status check_arguments(mcl__kernel_plan *plan, const mcl_launch *launch, int number, int scratch_count)
{
    const mcl_pass *const pass = &plan->kernel->passes[launch->pass];
    const mcl__words *const words = &plan->words[launch->pass];
    at where = { .plan = plan, .launch = launch, .launch_number = number };
    give_operands(plan, launch);
    for (int k = 0; k < words->count; ++k) {
        where.word = &words->list[k];
        where.given = &launch->arguments[k];
        where.number = k;
        MCL__TRY(check_argument(&where, scratch_count));
    }
    int given = words->count;
    while (given < MCL_ARGUMENTS_MAX && launch->arguments[given].kind != MCL_ARGUMENT_NONE) ++given;
    if (given > words->count)
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "launch %d has %d arguments, and pass %s of kernel %s is declared with others; expected %d: \"%s\"", number,
            given, pass->name, plan->kernel->name, words->count, pass->arguments ? pass->arguments : "");
    return plan->kernel->overlapping ? MCL_OK : mcl__call_check_memory(&plan->call);
}

static mcl_status check_launch(mcl__kernel_plan *plan, const mcl_launch *launch, int number, int scratch_count)
{
    int pass_count = 0;
    while (pass_count < MCL_PASSES_MAX && plan->kernel->passes[pass_count].name) ++pass_count;
    if (launch->pass < 0 || launch->pass >= pass_count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "launch %d has pass %d; expected 0 to %d, the passes of kernel %s", number,
                         launch->pass, pass_count - 1, plan->kernel->name);
    if (launch->groups < 0 || launch->groups > INT32_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "launch %d has groups %lld; expected 0 to %d", number,
                         (long long)launch->groups, INT32_MAX);
    return check_arguments(plan, launch, number, scratch_count);
}

static mcl_status check_lists(const mcl_launch *launches, int launch_count, const size_t *scratch, int scratch_count)
{
    if (launch_count < 0 || (launch_count > 0 && !launches))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "launch_count is %d and launches is %s; expected as many launches as launch_count says",
                         launch_count, launches ? "given" : "NULL");
    if (scratch_count < 0 || scratch_count > MCL_SCRATCH_PIECES_MAX || (scratch_count > 0 && !scratch))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "scratch_count is %d and scratch is %s; expected at most %d, and as many sizes", scratch_count,
                         scratch ? "given" : "NULL", MCL_SCRATCH_PIECES_MAX);
    return MCL_OK;
}

/* Chooses the tile for this device, and describes the kernel's program with it. */
static mcl_status describe(mcl__kernel_plan *plan, mcl_tile *tile)
{
    const mcl__call *const call = &plan->call;
    mcl_context *const context = call->queue->context;
    MCL__TRY(mcl__context_probe(context));
    MCL__TRY(mcl__kernel_tile_for(plan->kernel, &context->limits, context->tuning, mcl__kernel_element_bytes(plan),
                                  call->options, tile));
    mcl__kernel_describe(plan, tile);
    return MCL_OK;
}

/* Checks the queue and allocates a plan on the heap: a plan is too large for a small stack. */
static mcl_status call_new(const char *function, mcl_queue *queue, mcl__kernel_plan **plan)
{
    MCL__TRY(mcl__check_queue(function, queue));
    return mcl__plan_new(sizeof **plan, plan);
}

static mcl_status kernel_tile(mcl__kernel_plan *plan, mcl_tile *tile)
{
    mcl_tile found;
    if (!tile) return mcl__fail(MCL_ERROR_ARGUMENT, "tile is NULL; expected memory for the tile");
    MCL__TRY(describe(plan, &found));
    MCL__TRY(mcl__program_get(plan->call.queue, &plan->call.spec, &plan->call.kernels));
    found.threads = mcl__call_tile(&plan->call).threads;
    found.items = mcl__call_tile(&plan->call).items;
    *tile = found;
    return MCL_OK;
}

mcl_status mcl_kernel_tile(mcl_queue *queue, const mcl_kernel *kernel, const mcl_options *options, mcl_tile *tile)
{
    static const char name[] = "mcl_kernel_tile";
    mcl__kernel_plan *plan = NULL;
    MCL__TRY(call_new(name, queue, &plan));
    mcl_status status = mcl__kernel_declare(plan, name, queue, kernel, options);
    if (status == MCL_OK) status = kernel_tile(plan, tile);
    free(plan);
    return status;
}

static mcl_status kernel_launch(mcl__kernel_plan *plan, const mcl_launch *launches, int launch_count,
                                const size_t *scratch, int scratch_count)
{
    mcl__call *const call = &plan->call;
    mcl_tile tile;
    MCL__TRY(check_lists(launches, launch_count, scratch, scratch_count));
    MCL__TRY(describe(plan, &tile));
    for (int k = 0; k < launch_count; ++k) MCL__TRY(check_launch(plan, &launches[k], k, scratch_count));
    MCL__TRY(mcl__program_get(call->queue, &call->spec, &call->kernels));
    for (int k = 0; k < scratch_count; ++k) mcl__call_scratch(call, k, scratch[k]);
    MCL__TRY(mcl__call_begin(call));
    for (int k = 0; k < launch_count; ++k) {
        const int threads = plan->kernel->passes[launches[k].pass].threads;
        give_operands(plan, &launches[k]);
        MCL__TRY(mcl__call_launch_wide(call, launches[k].pass, launches[k].groups,
                                       threads > 0 ? threads : mcl__call_tile(call).threads));
    }
    return mcl__call_end(call);
}

mcl_status mcl_kernel_launch(mcl_queue *queue, const mcl_kernel *kernel, const mcl_launch *launches, int launch_count,
                             const size_t *scratch, int scratch_count, const mcl_options *options)
{
    static const char name[] = "mcl_kernel_launch";
    mcl__kernel_plan *plan = NULL;
    MCL__TRY(call_new(name, queue, &plan));
    mcl_status status = mcl__kernel_declare(plan, name, queue, kernel, options);
    if (status == MCL_OK) status = kernel_launch(plan, launches, launch_count, scratch, scratch_count);
    free(plan);
    return status;
}
