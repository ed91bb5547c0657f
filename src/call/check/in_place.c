/* in_place.c: tests whether an output lies exactly on an input, and whether it may. It may where the input's expression
 * for index i reads only element i. Then no work-item reads an element that another work-item has replaced. */
#include "call/call.h"
#include "call/token.h"

/* Returns 0 for text in which a name may have another meaning. Such text has macros, comments, continued lines, type
 * expressions, or blocks, which could declare another i. */
static int is_plain(const char *text)
{
    static const char *const never[] = { "??", "%:", "<%", "//", "/*", "typeof", "decltype", "mcl_bound" };
    if (text[strcspn(text, "#\\\"'{};")]) return 0;
    for (size_t k = 0; k < sizeof never / sizeof never[0]; ++k)
        if (strstr(text, never[k])) return 0;
    return 1;
}

/* Returns 1 where a source text can define a macro, since a macro would change the program's other texts. */
static int defines_macros(const char *source)
{
    return source && (strchr(source, '#') || strstr(source, "??") || strstr(source, "%:"));
}

static int source_names(const char *source, const char *name)
{
    for (mcl__token word = mcl__token_from(source ? source : ""); word.size > 0; word = mcl__token_after(word))
        if (mcl__token_is(word, name)) return 1;
    return 0;
}

/* Returns 1 where the token & between before and after is the bitwise operator of two numbers. Returns 0 where it may
 * take the address of an element of name. */
static int joins_numbers(mcl__token before, mcl__token after, const char *name)
{
    const int has_left = before.size > 0 && strchr(MCL__WORD_LETTERS, before.at[0]) != NULL;
    const int has_right = after.size > 0 && strchr(MCL__WORD_LETTERS, after.at[0]) && !mcl__token_is(after, name);
    return has_left || mcl__token_is(before, "]") || has_right;
}

/* Returns 1 where the text uses name only as name[i], and no & can take its address. A struct's member of that name
 * does not count. */
static int reads_own_element(const char *text, const char *name)
{
    mcl__token before = { text, 0 }, earlier = before;
    for (mcl__token at = mcl__token_from(text); at.size > 0; earlier = before, before = at, at = mcl__token_after(at)) {
        const int is_member = mcl__token_is(before, ".") || (mcl__token_is(before, ">") && mcl__token_is(earlier, "-"));
        const mcl__token next = mcl__token_after(at), index = mcl__token_after(next);
        const int is_own =
            mcl__token_is(next, "[") && mcl__token_is(index, "i") && mcl__token_is(mcl__token_after(index), "]");
        const int is_and = mcl__token_is(at, "&"), is_logical = is_and && next.at == at.at + 1;
        if (is_logical && mcl__token_is(next, "&"))
            at = next;
        else if ((is_and && !joins_numbers(before, next, name)) || (mcl__token_is(at, name) && !is_member && !is_own))
            return 0;
    }
    return 1;
}

/* Returns 1 where the source of any operand can define a macro: one program contains all sources. */
static int run_defines_macros(const mcl__call *call)
{
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        if (!call->operands[k].pointer) continue;
        if (mcl__call_operand(call, k)->kind == MCL__INPUT && defines_macros(call->operands[k].input->source)) return 1;
        if (mcl__call_operand(call, k)->kind == MCL__OPERATOR && defines_macros(call->operands[k].op->source)) return 1;
    }
    return 0;
}

int mcl__call_reads_own_element(const mcl__call *call, const mcl_input *input, const char *name)
{
    return is_plain(input->expression) && reads_own_element(input->expression, name) &&
           !source_names(input->source, name) && !run_defines_macros(call);
}

int mcl__starts_with(const mcl_output *output, const mcl_buffer *buffer, size_t offset, size_t size)
{
    const mcl_buffer *const out = output->buffer;
    return size == output->type->size && buffer->root == out->root &&
           buffer->origin + offset == out->origin + (size_t)output->offset * size;
}

int mcl__is_in_place(const mcl_input *input, const mcl_output *output)
{
    const size_t size = input->type->size;
    return input->buffer && output->buffer &&
           mcl__starts_with(output, input->buffer, (size_t)input->offset * size, size);
}

/* Returns 1 where output k is also an input, or where an input's expression may read its memory. */
static int output_aliases(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    for (int other = mcl__call_next(call, 0); other; other = mcl__call_next(call, other)) {
        const mcl_input *const input = call->operands[other].input;
        if (!(p->in_place & MCL__BIT(other))) continue;
        if (mcl__is_in_place(input, call->operands[k].output)) return 1;
        for (int b = 0; !p->arrays_only && input->expression && b < input->binding_count; ++b)
            if (input->bindings[b].buffer) return 1;
    }
    return 0;
}

int mcl__call_aliases(const mcl__call *call)
{
    if (call->never_in_place) return 0;
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k))
        if (mcl__call_operand(call, k)->in_place && call->operands[k].output && output_aliases(call, k)) return 1;
    return 0;
}
