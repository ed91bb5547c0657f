/* member_sort.c: sorts structs by an order that compares one number of each struct, such as "p.key < q.key". Radix sort
 * sorts the numbers, and the structs follow them. For any other order mergesort is used. */
#include "operations/sort/sort_operands.h"
#include "tuning/cost.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, NO_INDEX = -1 };

/* The number that an order compares: a member, or one element of an array member. */
typedef struct member {
    char name[NAME_BYTES];
    int64_t index;
    int falls; /* 1 if the largest number comes first */
    const mcl_type *type;
} member;

/* ---- words of a text: each function moves at past what it takes, and returns 0 where something else stands ------- */

static void skip_spaces(const char **at)
{
    while (isspace((unsigned char)**at)) ++*at;
}

static int take_sign(const char **at, char sign)
{
    skip_spaces(at);
    if (**at != sign) return 0;
    ++*at;
    return 1;
}

static int take_name(const char **at, char name[NAME_BYTES])
{
    size_t length = 0;
    skip_spaces(at);
    while (isalnum((unsigned char)(*at)[length]) || (*at)[length] == '_') ++length;
    if (length == 0 || length >= NAME_BYTES || isdigit((unsigned char)**at)) return 0;
    memcpy(name, *at, length);
    name[length] = 0;
    *at += length;
    return 1;
}

/* Reads an index, if there is one. It refuses numbers in octal, in hexadecimal or with a suffix. */
static int take_index(const char **at, int64_t *index)
{
    *index = NO_INDEX;
    if (!take_sign(at, '[')) return 1;
    skip_spaces(at);
    if (!isdigit((unsigned char)**at) || (**at == '0' && isdigit((unsigned char)(*at)[1]))) return 0;
    for (*index = 0; isdigit((unsigned char)**at) && *index < INT32_MAX; ++*at) *index = 10 * *index + (**at - '0');
    return take_sign(at, ']');
}

/* Reads the length of an array, if there is one. The length may be any text. */
static int take_length(const char **at, int *is_array)
{
    *is_array = take_sign(at, '[');
    if (*is_array) *at += strcspn(*at, "[];");
    return !*is_array || take_sign(at, ']');
}

/* ---- the order, and the member's type ---------------------------------------------------------------------------- */

static int take_side(const char **at, const char *side, member *found)
{
    char name[NAME_BYTES];
    return take_name(at, name) && strcmp(name, side) == 0 && take_sign(at, '.') && take_name(at, found->name) &&
           take_index(at, &found->index);
}

static int read_order(const char *text, member *found)
{
    member other;
    if (!take_side(&text, "p", found)) return 0;
    found->falls = take_sign(&text, '>');
    if (!found->falls && !take_sign(&text, '<')) return 0;
    if (!take_side(&text, "q", &other)) return 0;
    skip_spaces(&text);
    return *text == 0 && strcmp(found->name, other.name) == 0 && found->index == other.index;
}

/* Returns the number type with this C name, or NULL. */
static const mcl_type *number_type(const char *name)
{
    static const mcl_type *const types[] = { MCL_INT8,   MCL_INT16,  MCL_INT32,  MCL_INT64, MCL_UINT8,
                                             MCL_UINT16, MCL_UINT32, MCL_UINT64, MCL_FLOAT, MCL_DOUBLE };
    if (strcmp(name, "int") == 0) return MCL_INT32;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
        if (strcmp(name, types[k]->name) == 0) return types[k];
    return NULL;
}

/* Looks for the member in a declaration's list of names. Returns 1 where the list has it. */
static int is_declared(const char *at, const member *wanted)
{
    do {
        char name[NAME_BYTES];
        int is_array = 0;
        if (!take_name(&at, name) || !take_length(&at, &is_array)) return 0;
        skip_spaces(&at);
        if (strcmp(name, wanted->name) == 0)
            return is_array == (wanted->index != NO_INDEX) && (*at == ',' || *at == ';');
    } while (take_sign(&at, ','));
    return 0;
}

/* Returns the text after the brace that opens the struct of this name, or NULL. The name stands after the brace that
 * closes it. A struct with braces inside is not found. */
static const char *find_struct(const char *text, const char *wanted)
{
    char name[NAME_BYTES];
    while ((text = strchr(text, '{')) != NULL) {
        const char *const begin = ++text, *at = strpbrk(text, "{}");
        const int closes = at && take_sign(&at, '}');
        if (closes && take_name(&at, name) && strcmp(name, wanted) == 0 && take_sign(&at, ';')) return begin;
    }
    return NULL;
}

/* Finds the member's type in the text of its struct, type. Returns 0 where it does not find the type. It refuses texts
 * with comments, macros or strings. */
static int find_type(const mcl_type *type, member *wanted)
{
    const char *const text = type->source, *at = find_struct(text, type->name);
    if (!at || strpbrk(text, "#\"'\\") || strstr(text, "//") || strstr(text, "/*")) return 0;
    for (const char *end; (end = strpbrk(at, ";}")) != NULL && *end == ';'; at = end + 1) {
        char name[NAME_BYTES];
        wanted->type = take_name(&at, name) ? number_type(name) : NULL;
        if (wanted->type && is_declared(at, wanted)) return 1;
    }
    return 0;
}

static int read_member(const mcl__sort_operands *given, member *found)
{
    const mcl_op *const before = given->before;
    const mcl_input *const keys = &given->keys;
    if (keys->type->kind != MCL_KIND_STRUCT || !keys->type->source || keys->expression) return 0;
    if (!before->expression || before->source || before->binding_count > 0) return 0;
    return read_order(before->expression, found) && find_type(keys->type, found);
}

/* ---- the sort ---------------------------------------------------------------------------------------------------- */

int mcl__member_sort_applies(const mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    const mcl_context *const context = queue->context;
    const int64_t count = given->keys.count;
    const double fetch = given->drops_keys ? 0 : (double)mcl__tuned(context, MCL__PARAMETER_sort_fetch_cost);
    member found;
    if (options && (options->sort_method != MCL_SORT_AUTO || options->first_bit || options->end_bit)) return 0;
    if ((given->has_values && !given->drops_keys) || !read_member(given, &found)) return 0;
    return mcl__cost_sort_by_digits(context, count, found.type->size, 1) + (double)count * fetch <
           mcl__cost_sort_by_merges(context, count, given->keys.type->size, given->drops_keys);
}

mcl_status mcl__member_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    const mcl_binding structs =
        mcl_binding_buffer("mcl_structs", given->keys.type, given->keys.buffer, given->keys.offset);
    char text[NAME_BYTES + 64];
    mcl__sort_operands *by_member = NULL;
    member found;
    if (!read_member(given, &found)) return mcl__fail(MCL_ERROR_ARGUMENT, "the order compares no member");
    MCL__TRY(mcl__plan_new(sizeof *by_member, &by_member));
    if (found.index == NO_INDEX)
        snprintf(text, sizeof text, "mcl_structs[i].%s", found.name);
    else
        snprintf(text, sizeof text, "mcl_structs[i].%s[%d]", found.name, (int)found.index);
    *by_member = *given;
    by_member->keys = mcl_from_expression(found.type, text, NULL, &structs, 1, given->keys.count);
    mcl__adopt_slot(&by_member->keys, &given->keys);
    by_member->before = found.falls ? MCL_GREATER : MCL_LESS;
    if (!given->drops_keys) {
        by_member->values = given->keys;
        by_member->out_values = given->out;
        by_member->has_values = by_member->drops_keys = 1;
    }
    const mcl_status status = mcl__radix_sort(queue, by_member, options);
    free(by_member);
    return status;
}
