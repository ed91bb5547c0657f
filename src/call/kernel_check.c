/* kernel_check.c: a user's kernel as it is declared: its errors, its program, the words of its passes. */
#include "call/gate.h"
#include "call/kernel_call.h"

_Static_assert((int)MCL_PASSES_MAX <= (int)MCL__KERNELS_MAX && (int)MCL_ROLES_MAX <= (int)MCL__TYPES_MAX &&
                   (int)MCL_ROLES_MAX - 1 <= (int)MCL__OPS_MAX && (int)MCL_OPERANDS_MAX <= (int)MCL__OPERANDS_MAX &&
                   2 * (int)MCL_PARAMETERS_MAX <= (int)MCL__DEFINES_MAX,
               "a spec holds all that a kernel may have");

static int is_identifier(const char *name)
{
    static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return name && name[0] && (name[0] < '0' || name[0] > '9') && name[strspn(name, allowed)] == 0;
}

/* ---- words ---------------------------------------------------------------------------------------------- */

/* A word without its label. */
typedef struct bare_word {
    const char *text;
    size_t length;
} bare_word;

static int is_word(const bare_word *word, const char *name)
{
    return strncmp(word->text, name, word->length) == 0 && name[word->length] == 0;
}

static const mcl_type *word_type(const mcl_kernel *kernel, const bare_word *word)
{
    static const struct {
        const char *name;
        const mcl_type *type;
    } built_in[] = {
#define X(upper, lower, text, size, kind) { text, &mcl_type_##lower },
        MCL_TYPE_LIST(X)
#undef X
    };
    for (int k = 0; k < MCL_ROLES_MAX && kernel->types[k].name; ++k)
        if (is_word(word, kernel->types[k].name)) return kernel->types[k].type;
    for (size_t k = 0; k < sizeof built_in / sizeof built_in[0]; ++k)
        if (is_word(word, built_in[k].name)) return built_in[k].type;
    return NULL;
}

static void word_classify(const mcl_kernel *kernel, const bare_word *bare, mcl__word *word)
{
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->inputs[k].name; ++k) {
        if (!is_word(bare, kernel->inputs[k].name)) continue;
        word->kind = MCL__WORD_INPUT;
        word->operand = k;
        return;
    }
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->outputs[k].name; ++k) {
        if (!is_word(bare, kernel->outputs[k].name)) continue;
        word->kind = MCL__WORD_OUTPUT;
        word->operand = k;
        return;
    }
    if (is_word(bare, "array")) word->kind = MCL__WORD_ARRAY;
    if (is_word(bare, "pointer")) word->kind = MCL__WORD_POINTER;
    if (is_word(bare, "index_type")) word->kind = MCL__WORD_INDEX;
    if (word->kind != MCL__WORD_UNKNOWN) return;
    word->type = word_type(kernel, bare);
    if (word->type) word->kind = MCL__WORD_VALUE;
}

/* The word that *next begins with. *next is moved past it. At the end its length is 0. */
static mcl__word next_word(const mcl_kernel *kernel, const char **next)
{
    mcl__word word = { .text = *next + strspn(*next, " ") };
    bare_word bare = { .text = word.text };
    for (; word.text[word.length] && word.text[word.length] != ' '; ++word.length)
        if (word.text[word.length] == ':') bare.text = word.text + word.length + 1;
    *next = word.text + word.length;
    bare.length = (size_t)(*next - bare.text);
    if (word.length > 0) word_classify(kernel, &bare, &word);
    return word;
}

/* ---- checks --------------------------------------------------------------------------------------------- */

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
    if (is_identifier(name)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "kernel %s has %s named \"%s\"; expected a C identifier", kernel->name, what,
                     name);
}

static mcl_status check_words(const mcl_kernel *kernel, const mcl_pass *pass, mcl__pass_words *words)
{
    const char *next = pass->arguments ? pass->arguments + strspn(pass->arguments, " ") : "";
    words->takes_env = strncmp(next, "env", 3) == 0 && (next[3] == ' ' || next[3] == 0);
    words->count = 0;
    next += 3 * words->takes_env;
    for (mcl__word word = next_word(kernel, &next); word.length > 0; word = next_word(kernel, &next)) {
        if (word.kind == MCL__WORD_UNKNOWN)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "pass %s of kernel %s has the argument \"%.*s\"; expected env in front, or the name "
                             "of an input, an output or a type of the kernel, array, pointer, index_type, or a "
                             "built-in type",
                             pass->name, kernel->name, word.length, word.text);
        if (words->count == MCL_ARGUMENTS_MAX)
            return mcl__fail(MCL_ERROR_ARGUMENT, "pass %s of kernel %s has more than %d arguments; expected fewer",
                             pass->name, kernel->name, MCL_ARGUMENTS_MAX);
        words->list[words->count++] = word;
    }
    return MCL_OK;
}

static mcl_status check_passes(const mcl_context *context, const mcl_kernel *kernel, mcl__pass_words *words)
{
    if (!kernel->passes[0].name)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kernel %s has no passes; expected the name of one at least",
                         kernel->name);
    for (int k = 0; k < MCL_PASSES_MAX && kernel->passes[k].name; ++k) {
        const mcl_pass *const pass = &kernel->passes[k];
        MCL__TRY(check_name(kernel, "a pass", pass->name));
        if (pass->threads < 0)
            return mcl__fail(MCL_ERROR_ARGUMENT, "pass %s of kernel %s has threads %d; expected 0 or more", pass->name,
                             kernel->name, pass->threads);
        if (pass->threads > context->limits.max_threads)
            return mcl__fail(MCL_ERROR_UNSUPPORTED,
                             "pass %s of kernel %s has threads %d; expected at most %d, the largest work-group of %s",
                             pass->name, kernel->name, pass->threads, context->limits.max_threads, context->info.name);
        MCL__TRY(check_words(kernel, pass, &words[k]));
    }
    return MCL_OK;
}

static mcl_status check_types(const mcl_context *context, const mcl_kernel *kernel)
{
    for (int k = 0; k < MCL_ROLES_MAX && kernel->types[k].name; ++k) {
        MCL__TRY(check_name(kernel, "a type", kernel->types[k].name));
        MCL__TRY(mcl__check_type(kernel->types[k].name, context, kernel->types[k].type));
    }
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->outputs[k].name; ++k) {
        MCL__TRY(check_name(kernel, "an output", kernel->outputs[k].name));
        MCL__TRY(mcl__check_type(kernel->outputs[k].name, context, kernel->outputs[k].type));
    }
    return MCL_OK;
}

/* How an operator of each role is used, and what the text is told of it. 0: the role is not known. */
static const struct {
    mcl__use use;
    mcl__op_role told;
} role_list[] = {
    [MCL_ROLE_FOLD] = { MCL__FOLD, MCL__OP_FOLD },
    [MCL_ROLE_ORDER] = { MCL__ORDER, MCL__OP_COMPARE },
    [MCL_ROLE_EQUALITY] = { MCL__EQUALITY, MCL__OP_COMPARE },
    [MCL_ROLE_TEST] = { MCL__TEST, MCL__OP_PREDICATE },
    [MCL_ROLE_FUNCTION] = { MCL__FUNCTION, MCL__OP_FOLD },
};

static mcl_status check_operators(const mcl_context *context, const mcl_kernel *kernel)
{
    for (int k = 0; k < MCL_ROLES_MAX - 1 && kernel->operators[k].name; ++k) {
        const char *const name = kernel->operators[k].name;
        const mcl_role role = kernel->operators[k].role;
        MCL__TRY(check_name(kernel, "an operator", name));
        if ((unsigned)role >= sizeof role_list / sizeof role_list[0] || !role_list[role].use)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "kernel %s has the operator %s with role %d; expected MCL_ROLE_FOLD, MCL_ROLE_ORDER, "
                             "MCL_ROLE_EQUALITY, MCL_ROLE_TEST or MCL_ROLE_FUNCTION",
                             kernel->name, name, (int)role);
        MCL__TRY(mcl__check_type(name, context, kernel->operators[k].element));
        if (kernel->operators[k].stored) MCL__TRY(mcl__check_type(name, context, kernel->operators[k].stored));
        MCL__TRY(mcl__check_operator(name, context, role_list[role].use, kernel->operators[k].op,
                                     kernel->operators[k].element));
    }
    return MCL_OK;
}

/* Of a form, only what it says of the program is looked at. */
static mcl_status check_inputs(const mcl_context *context, const mcl_kernel *kernel)
{
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->inputs[k].name; ++k) {
        const char *const name = kernel->inputs[k].name;
        const mcl_input *const form = kernel->inputs[k].form;
        MCL__TRY(check_name(kernel, "an input", name));
        if (!form) {
            MCL__TRY(mcl__check_type(name, context, kernel->inputs[k].type));
        } else if (form->expression) {
            MCL__TRY(mcl__check_input(name, context, form));
        } else {
            MCL__TRY(mcl__check_type(name, context, form->type));
        }
    }
    return MCL_OK;
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

mcl_status mcl__check_kernel(const mcl_context *context, const mcl_kernel *kernel, mcl__pass_words *words)
{
    if (!kernel) return mcl__fail(MCL_ERROR_ARGUMENT, "kernel is NULL; expected a kernel");
    MCL__TRY(check_text(kernel));
    MCL__TRY(check_types(context, kernel));
    MCL__TRY(check_operators(context, kernel));
    MCL__TRY(check_inputs(context, kernel));
    MCL__TRY(check_passes(context, kernel, words));
    MCL__TRY(check_parameters(kernel, "a define", kernel->defines));
    return check_rows(kernel);
}

/* ---- the program ---------------------------------------------------------------------------------------- */

static const mcl_type *input_type(const mcl_kernel *kernel, int operand)
{
    return kernel->inputs[operand].form ? kernel->inputs[operand].form->type : kernel->inputs[operand].type;
}

size_t mcl__kernel_element_bytes(const mcl_kernel *kernel)
{
    size_t widest = kernel->element_bytes;
    if (widest > 0) return widest;
    for (int k = 0; k < MCL_ROLES_MAX && kernel->types[k].name; ++k)
        if (kernel->types[k].type->size > widest) widest = kernel->types[k].type->size;
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->inputs[k].name; ++k)
        if (input_type(kernel, k)->size > widest) widest = input_type(kernel, k)->size;
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->outputs[k].name; ++k)
        if (kernel->outputs[k].type->size > widest) widest = kernel->outputs[k].type->size;
    return widest > 0 ? widest : sizeof(int32_t);
}

static void describe_operators(const mcl_kernel *kernel, mcl__spec *spec)
{
    for (int k = 0; k < MCL_ROLES_MAX - 1 && kernel->operators[k].name; ++k) {
        spec->ops[k].name = kernel->operators[k].name;
        spec->ops[k].op = kernel->operators[k].op;
        spec->ops[k].role = role_list[kernel->operators[k].role].told;
        spec->ops[k].element = kernel->operators[k].element;
        spec->ops[k].stored = kernel->operators[k].stored;
    }
}

static void describe_operands(const mcl_kernel *kernel, mcl_input *forms, mcl__spec *spec)
{
    for (int k = 0; k < MCL_ROLES_MAX && kernel->types[k].name; ++k) {
        spec->types[k].name = kernel->types[k].name;
        spec->types[k].type = kernel->types[k].type;
    }
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->inputs[k].name; ++k) {
        spec->inputs[k].name = kernel->inputs[k].name;
        spec->inputs[k].input = kernel->inputs[k].form;
        spec->inputs[k].placed = kernel->inputs[k].placed;
        if (spec->inputs[k].input) continue;
        forms[k] = (mcl_input){ .type = kernel->inputs[k].type };
        spec->inputs[k].input = &forms[k];
    }
    for (int k = 0; k < MCL_OPERANDS_MAX && kernel->outputs[k].name; ++k) {
        spec->outputs[k].name = kernel->outputs[k].name;
        spec->outputs[k].type = kernel->outputs[k].type;
    }
}

void mcl__kernel_describe(const mcl_kernel *kernel, const mcl_tile *tile, const mcl_options *options, mcl_input *forms,
                          mcl__spec *spec)
{
    int defined = 0;
    *spec = (mcl__spec){
        .file = kernel->name,
        .text = kernel->text,
        .tile = { tile->threads, tile->items },
        .index_bits = kernel->index_bits == 32 && !mcl__wants(options, MCL_INDEX_64) ? 32 : 64,
        .aliased = kernel->overlapping != 0,
    };
    for (int k = 0; k < MCL_PASSES_MAX && kernel->passes[k].name; ++k) {
        spec->kernels[k] = kernel->passes[k].name;
        spec->threads[k] = kernel->passes[k].threads;
    }
    describe_operators(kernel, spec);
    describe_operands(kernel, forms, spec);
    for (int k = 0; k < MCL_PARAMETERS_MAX && kernel->defines[k].name; ++k, ++defined) {
        spec->defines[defined].name = kernel->defines[k].name;
        spec->defines[defined].value = kernel->defines[k].value;
    }
    for (int k = 0; k < tile->parameter_count; ++k, ++defined) {
        spec->defines[defined].name = tile->parameters[k].name;
        spec->defines[defined].value = tile->parameters[k].value;
    }
}

/* ---- forms of inputs ------------------------------------------------------------------------------------ */

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

int mcl__kernel_takes(const mcl_kernel *kernel, int operand, const mcl_input *input)
{
    const mcl_input *const form = kernel->inputs[operand].form;
    if (!mcl__same_type(input->type, input_type(kernel, operand))) return 0;
    if (!form || !form->expression) return !input->expression;
    if (form == input) return 1;
    if (!same_text(form->expression, input->expression) || !same_text(form->source, input->source) ||
        form->binding_count != input->binding_count)
        return 0;
    for (int k = 0; k < form->binding_count; ++k) {
        const mcl_binding *const a = &form->bindings[k], *const b = &input->bindings[k];
        if (!same_text(a->name, b->name) || !mcl__same_type(a->type, b->type) || !a->buffer != !b->buffer) return 0;
    }
    return 1;
}
