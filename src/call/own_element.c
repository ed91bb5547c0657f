/* own_element.c: whether an expression reads no more of an array than the element whose index it is asked for. Then an
 * output may lie over that array: nobody reads an element that another one has replaced. */
#include "call/run.h"

/* A token of C text: a word, a number or one character. At the end of the text it has no size. */
typedef struct token {
    const char *at;
    size_t size;
} token;

static const char word_letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char number_letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.";

static int is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static token token_from(const char *from)
{
    token next = { from + strspn(from, " \t\n\r\v\f"), 0 };
    if (is_digit(next.at[0]) || (next.at[0] == '.' && is_digit(next.at[1])))
        next.size = strspn(next.at, number_letters);
    else
        next.size = strspn(next.at, word_letters);
    if (next.size == 0 && next.at[0]) next.size = 1;
    return next;
}

static token token_after(token of)
{
    return token_from(of.at + of.size);
}

static int token_is(token of, const char *text)
{
    return of.size == strlen(text) && memcmp(of.at, text, of.size) == 0;
}

static int is_word(token of)
{
    return of.size > 0 && !is_digit(of.at[0]) && strchr(word_letters, of.at[0]) != NULL;
}

/* Text in which a name may stand for something else: macros, comments, splices of lines, types of expressions and
 * blocks, which could declare another i. */
static int is_plain(const char *text)
{
    static const char *const never[] = { "??", "%:", "<%", "//", "/*", "typeof", "decltype", "mcl_bound" };
    if (text[strcspn(text, "#\\\"'{};")]) return 0;
    for (size_t k = 0; k < sizeof never / sizeof never[0]; ++k)
        if (strstr(text, never[k])) return 0;
    return 1;
}

/* Source text that can define a macro, which would then be read in other texts. */
static int defines_macros(const char *source)
{
    return source && (strchr(source, '#') || strstr(source, "??") || strstr(source, "%:"));
}

static int source_names(const char *source, const char *name)
{
    for (token word = token_from(source ? source : ""); word.size > 0; word = token_after(word))
        if (token_is(word, name)) return 1;
    return 0;
}

/* The token & between before and after takes no address of an element of name: it is an operator of two numbers. */
static int joins_numbers(token before, token after, const char *name)
{
    const int has_left = before.size > 0 && strchr(number_letters, before.at[0]) != NULL;
    const int has_right = is_word(after) ? !token_is(after, name) : after.size > 0 && is_digit(after.at[0]);
    return has_left || token_is(before, "]") || has_right;
}

/* Each use of the name is name[i]. A member of that name is another thing. */
static int reads_own_element(const char *text, const char *name)
{
    token before = { text, 0 }, earlier = before;
    for (token at = token_from(text); at.size > 0; earlier = before, before = at, at = token_after(at)) {
        const int is_member = token_is(before, ".") || (token_is(before, ">") && token_is(earlier, "-"));
        const token next = token_after(at), index = token_after(next);
        if (token_is(at, "&") && token_is(next, "&") && next.at == at.at + 1)
            at = next;
        else if (token_is(at, "&") && !joins_numbers(before, next, name))
            return 0;
        else if (token_is(at, name) && !is_member &&
                 !(token_is(next, "[") && token_is(index, "i") && token_is(token_after(index), "]")))
            return 0;
    }
    return 1;
}

/* Sources of all operands are in one program. */
static int run_defines_macros(const mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) {
        if (!run->given[k].pointer) continue;
        if (list[k].kind == MCL__INPUT && defines_macros(run->given[k].input->source)) return 1;
        if (list[k].kind == MCL__OPERATOR && defines_macros(run->given[k].op->source)) return 1;
    }
    return 0;
}

int mcl__run_reads_own_element(const mcl__run *run, const mcl_input *input, const char *name)
{
    return is_plain(input->expression) && reads_own_element(input->expression, name) &&
           !source_names(input->source, name) && !run_defines_macros(run);
}
