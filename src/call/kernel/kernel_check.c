/* kernel_check.c: checks a user's kernel, and makes the declaration that its calls follow. */
#include "call/kernel/kernel_check.h"

_Static_assert((int)MCL_PASSES_MAX <= (int)MCL__KERNELS_MAX && (int)MCL_ROLES_MAX <= (int)MCL__TYPES_MAX &&
                   (int)MCL_ROLES_MAX - 1 <= (int)MCL__OPS_MAX && (int)MCL_OPERANDS_MAX <= (int)MCL__OPERANDS_MAX &&
                   2 * (int)MCL_PARAMETERS_MAX <= (int)MCL__DEFINES_MAX &&
                   (int)MCL_SCRATCH_PIECES_MAX <= (int)MCL__SCRATCH_MAX,
               "a run holds all that a kernel may have");

/* ---- the kernel ----------------------------------------------------------------------------------------- */

static mcl_status check_text(const mcl_kernel *kernel)
{
    if (!kernel->name || !kernel->name[0] || kernel->name[strcspn(kernel->name, "\"\\\n\r")])
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "kernel has name \"%s\"; expected a name for compilers' messages without quotes, "
                         "backslashes and line ends",
                         kernel->name ? kernel->name : "NULL");
    if (!kernel->text || !kernel->text[0])
        return mcl__fail(MCL_ERROR_ARGUMENT, "kernel %s has text %s; expected the text of its kernels", kernel->name,
                         kernel->text ? "\"\"" : "NULL");
    if (kernel->index_bits != 0 && kernel->index_bits != 32 && kernel->index_bits != 64)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kernel %s has index_bits %d; expected 32, 64 or 0", kernel->name,
                         kernel->index_bits);
    return MCL_OK;
}

static mcl_status check_name(const mcl_kernel *kernel, const char *what, const char *name)
{
    if (mcl__is_identifier(name) && !mcl__is_reserved(name)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "kernel %s has %s named \"%s\"; expected a C identifier%s", kernel->name, what,
                     name,
                     mcl__is_identifier(name) ? " that OpenCL C, CUDA C++ and the library's texts leave free" : "");
}

static mcl_status check_parameters(const mcl_kernel *kernel, const char *what, const mcl_parameter *list)
{
    for (int k = 0; k < MCL_PARAMETERS_MAX && list[k].name; ++k) MCL__TRY(check_name(kernel, what, list[k].name));
    return MCL_OK;
}

static mcl_status check_rows(const mcl_kernel *kernel)
{
    if (kernel->row_count < 0 || (kernel->row_count > 0 && !kernel->rows))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "kernel %s has row_count %d and %s rows; expected as many rows as row_count says",
                         kernel->name, kernel->row_count, kernel->rows ? "some" : "no");
    for (int k = 0; k < kernel->row_count; ++k) {
        const mcl_tile_row *const row = &kernel->rows[k];
        if (row->threads < 0 || row->threads > 1024 || row->items < 0 || row->items > 1 << 24 || row->element_bytes < 0)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "row %d of kernel %s has element_bytes %d, threads %d and items %d; expected 0 or "
                             "more, at most 1024 threads and at most 16777216 items",
                             k, kernel->name, row->element_bytes, row->threads, row->items);
        MCL__TRY(check_parameters(kernel, "a parameter", row->parameters));
    }
    return MCL_OK;
}

/* ---- operands ------------------------------------------------------------------------------------------- */

static mcl_status declare_types(mcl__kernel_plan *plan)
{
    const mcl_kernel *const kernel = plan->kernel;
    for (int k = 0; k < MCL_ROLES_MAX && kernel->types[k].name; ++k) {
        MCL__TRY(check_name(kernel, "a type", kernel->types[k].name));
        MCL__TRY(mcl__check_type(kernel->types[k].name, plan->call.queue->context, kernel->types[k].type));
        plan->declaration.types[1 + k] = kernel->types[k].name;
        plan->call.types[1 + k] = kernel->types[k].type;
    }
    return MCL_OK;
}

/* Declares the inputs. Of an array's form only the type is used. The form has no count slot: the launches decide that
 * slot's type. */
static mcl_status declare_inputs(mcl__kernel_plan *plan)
{
    const mcl_kernel *const kernel = plan->kernel;
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->inputs[k].name; ++k) {
        const mcl_input *const form = kernel->inputs[k].form;
        const mcl_type *const type = form ? form->type : kernel->inputs[k].type;
        const int number = ++plan->operand_count;
        MCL__TRY(check_name(kernel, "an input", kernel->inputs[k].name));
        plan->inputs[k] = (mcl_input){ .type = type };
        if (form && form->expression) plan->inputs[k] = *form;
        plan->inputs[k].count_slot = NULL;
        plan->call.operands[number].input = &plan->inputs[k];
        plan->operands[number] =
            (mcl__operand){ kernel->inputs[k].name, .kind = MCL__INPUT, .placed = kernel->inputs[k].placed };
    }
    plan->input_count = plan->operand_count;
    return MCL_OK;
}

static mcl_status declare_outputs(mcl__kernel_plan *plan)
{
    const mcl_kernel *const kernel = plan->kernel;
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->outputs[k].name; ++k) {
        const char *const name = kernel->outputs[k].name;
        const int number = ++plan->operand_count;
        MCL__TRY(check_name(kernel, "an output", name));
        MCL__TRY(mcl__check_type(name, plan->call.queue->context, kernel->outputs[k].type));
        plan->outputs[k] = (mcl_output){ .type = kernel->outputs[k].type };
        plan->call.operands[number].output = &plan->outputs[k];
        plan->operands[number] = (mcl__operand){ name, .kind = MCL__OUTPUT };
    }
    return MCL_OK;
}

static mcl_status declare_operators(mcl__kernel_plan *plan)
{
    const mcl_kernel *const kernel = plan->kernel;
    const mcl_context *const context = plan->call.queue->context;
    for (int k = 0; k < MCL_ROLES_MAX - 1 && kernel->operators[k].name; ++k) {
        const char *const name = kernel->operators[k].name;
        const mcl_role role = kernel->operators[k].role;
        const int number = plan->operand_count + 1 + k;
        MCL__TRY(check_name(kernel, "an operator", name));
        if (!mcl__is_role(role))
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "kernel %s has the operator %s with role %d; expected MCL_ROLE_FOLD, MCL_ROLE_ORDER, "
                             "MCL_ROLE_EQUALITY, MCL_ROLE_TEST, MCL_ROLE_FUNCTION or MCL_ROLE_INDEX",
                             kernel->name, name, (int)role);
        MCL__TRY(mcl__check_type(name, context, kernel->operators[k].element));
        if (kernel->operators[k].stored) MCL__TRY(mcl__check_type(name, context, kernel->operators[k].stored));
        plan->call.operands[number].op = kernel->operators[k].op;
        plan->operands[number] =
            (mcl__operand){ name, .kind = MCL__OPERATOR, .use = role, .element = kernel->operators[k].element,
                            .stored = kernel->operators[k].stored };
    }
    return MCL_OK;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

static int is_word(const mcl__word *word, const char *name)
{
    const size_t length = (size_t)(word->text + word->length - word->name);
    return strncmp(word->name, name, length) == 0 && name[length] == 0;
}

static const mcl_type *word_type(const mcl__kernel_plan *plan, const mcl__word *word)
{
    for (int k = 0; k < MCL_ROLES_MAX && plan->kernel->types[k].name; ++k)
        if (is_word(word, plan->kernel->types[k].name)) return plan->kernel->types[k].type;
    for (int k = 0; k < MCL__BUILT_IN_TYPES; ++k)
        if (is_word(word, mcl__built_in_types[k]->name)) return mcl__built_in_types[k];
    return NULL;
}

static void word_classify(const mcl__kernel_plan *plan, mcl__word *word)
{
    for (int k = 1; k <= plan->operand_count && !word->operand; ++k)
        if (is_word(word, plan->operands[k].name)) word->operand = k;
    if (word->operand) {
        word->kind = word->operand <= plan->input_count ? MCL_ARGUMENT_INPUT : MCL_ARGUMENT_OUTPUT;
        return;
    }
    if (is_word(word, "array")) word->kind = MCL_ARGUMENT_SCRATCH;
    if (is_word(word, "pointer")) word->kind = MCL_ARGUMENT_BUFFER;
    if (is_word(word, "index_type")) word->kind = MCL_ARGUMENT_INDEX;
    if (word->kind != MCL_ARGUMENT_NONE) return;
    word->type = word_type(plan, word);
    if (word->type) word->kind = MCL_ARGUMENT_VALUE;
}

/* Returns the word at *next, and moves *next past it. At the end of the text the word's length is 0. */
static mcl__word next_word(const mcl__kernel_plan *plan, const char **next)
{
    mcl__word word = { .text = *next + strspn(*next, " ") };
    word.name = word.text;
    for (; word.text[word.length] && word.text[word.length] != ' '; ++word.length)
        if (word.text[word.length] == ':') word.name = word.text + word.length + 1;
    *next = word.text + word.length;
    if (word.length > 0) word_classify(plan, &word);
    return word;
}

/* Returns the code of argument k of a pass, as in the table of a declaration. */
static uint16_t call_word(const mcl__word *word, int k)
{
    if (word->operand) return (uint16_t)OPERAND(word->operand);
    return (uint16_t)((word->kind == MCL_ARGUMENT_BUFFER ? MCL__POINTER : MCL__ARGUMENT) + k);
}

static mcl_status check_word(const mcl__kernel_plan *plan, const mcl_pass *pass, const mcl__words *before,
                             const mcl__word *word)
{
    const char *const kernel = plan->kernel->name;
    if (word->kind == MCL_ARGUMENT_NONE)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "pass %s of kernel %s has the argument \"%.*s\"; expected env in front, or the name of an "
                         "input, an output or a type of the kernel, array, pointer, index_type, or a built-in type",
                         pass->name, kernel, word->length, word->text);
    if (before->count == MCL_ARGUMENTS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "pass %s of kernel %s has more than %d arguments; expected fewer",
                         pass->name, kernel, MCL_ARGUMENTS_MAX);
    for (int k = 0; k < before->count; ++k)
        if (word->operand && before->list[k].operand == word->operand)
            return mcl__fail(MCL_ERROR_ARGUMENT, "pass %s of kernel %s has %.*s twice; expected each operand once",
                             pass->name, kernel, word->length, word->text);
    return MCL_OK;
}

static mcl_status declare_words(mcl__kernel_plan *plan, const mcl_pass *pass, mcl__words *words, uint16_t *declared)
{
    const char *next = pass->arguments ? pass->arguments + strspn(pass->arguments, " ") : "";
    const int takes_env = strncmp(next, "env", 3) == 0 && (next[3] == ' ' || next[3] == 0);
    if (takes_env) *declared++ = MCL__ENVIRONMENT;
    next += 3 * takes_env;
    words->count = 0;
    for (mcl__word word = next_word(plan, &next); word.length > 0; word = next_word(plan, &next)) {
        MCL__TRY(check_word(plan, pass, words, &word));
        declared[words->count] = call_word(&word, words->count);
        words->list[words->count++] = word;
    }
    return MCL_OK;
}

static mcl_status declare_passes(mcl__kernel_plan *plan)
{
    const mcl_kernel *const kernel = plan->kernel;
    const mcl_context *const context = plan->call.queue->context;
    if (!kernel->passes[0].name)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kernel %s has no passes; expected the name of one at least",
                         kernel->name);
    for (int k = 0; k < MCL_PASSES_MAX && kernel->passes[k].name; ++k) {
        const mcl_pass *const pass = &kernel->passes[k];
        mcl__pass *const declared = &plan->passes[k];
        MCL__TRY(check_name(kernel, "a pass", pass->name));
        if (pass->threads < 0)
            return mcl__fail(MCL_ERROR_ARGUMENT, "pass %s of kernel %s has threads %d; expected 0 or more", pass->name,
                             kernel->name, pass->threads);
        if (pass->threads > context->limits.max_threads)
            return mcl__fail(MCL_ERROR_UNSUPPORTED,
                             "pass %s of kernel %s has threads %d; expected at most %d, the largest work-group of %s",
                             pass->name, kernel->name, pass->threads, context->limits.max_threads, context->info.name);
        declared->name = pass->name;
        declared->threads = pass->threads;
        MCL__TRY(declare_words(plan, pass, &plan->words[k], declared->arguments));
    }
    return MCL_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

mcl_status mcl__kernel_declare(mcl__kernel_plan *plan, const char *function, mcl_queue *queue, const mcl_kernel *kernel,
                               const mcl_options *options)
{
    if (!kernel) return mcl__fail(MCL_ERROR_ARGUMENT, "kernel is NULL; expected a kernel");
    MCL__TRY(check_text(kernel));
    plan->kernel = kernel;
    plan->operand_count = 0;
    plan->declaration = (mcl__declaration){
        .file = kernel->name,
        .text = kernel->text,
        .aliased = kernel->overlapping != 0,
        .operands = plan->operands,
        .passes = plan->passes,
    };
    memset(plan->operands, 0, sizeof plan->operands);
    memset(plan->passes, 0, sizeof plan->passes);
    mcl__call_init(&plan->call, &plan->declaration, function, queue, options);
    MCL__TRY(declare_types(plan));
    MCL__TRY(declare_inputs(plan));
    MCL__TRY(declare_outputs(plan));
    MCL__TRY(declare_operators(plan));
    MCL__TRY(declare_passes(plan));
    MCL__TRY(check_parameters(kernel, "a define", kernel->defines));
    MCL__TRY(check_rows(kernel));
    return mcl__call_check(&plan->call);
}

size_t mcl__kernel_element_bytes(const mcl__kernel_plan *plan)
{
    size_t widest = plan->kernel->element_bytes;
    if (widest > 0) return widest;
    for (int k = 1; k <= MCL_ROLES_MAX && plan->call.types[k]; ++k)
        if (plan->call.types[k]->size > widest) widest = plan->call.types[k]->size;
    for (int k = 1; k <= plan->operand_count; ++k)
        if (mcl__call_type(&plan->call, k)->size > widest) widest = mcl__call_type(&plan->call, k)->size;
    return widest > 0 ? widest : sizeof(int32_t);
}

static void define(mcl__call *call, const mcl_parameter *list, int count)
{
    for (int k = 0; k < count && list[k].name; ++k) mcl__call_define(call, list[k].name, list[k].value);
}

void mcl__kernel_describe(mcl__kernel_plan *plan, const mcl_tile *tile)
{
    const mcl_kernel *const kernel = plan->kernel;
    const int is_narrow = kernel->index_bits == 32 && !mcl__wants(plan->call.options, MCL_INDEX_64);
    define(&plan->call, kernel->defines, MCL_PARAMETERS_MAX);
    define(&plan->call, tile->parameters, tile->parameter_count);
    mcl__call_describe(&plan->call, (mcl__tile){ tile->threads, tile->items }, is_narrow ? 32 : 64);
}
