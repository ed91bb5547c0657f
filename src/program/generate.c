/* generate.c: fills patterns, and writes the texts of types and the functions around users' expressions. */
#include "program/generate.h"

#include <string.h>

void mcl__generate_fill(mcl__text *out, const char *pattern, const char *one, const char *two, const char *three)
{
    const char *const names[] = { one, two, three };
    for (const char *hole = strchr(pattern, '$'); hole; hole = strchr(pattern, '$')) {
        mcl__text_bytes(out, pattern, (size_t)(hole - pattern));
        mcl__text_append(out, names[hole[1] - '1']);
        pattern = hole + 2;
    }
    mcl__text_append(out, pattern);
}

void mcl__generate_mark(mcl__text *out)
{
    int lines = 2; /* begins at 2: line numbers start at 1, and the mark itself takes a line */
    for (size_t k = 0; k < out->length; ++k) lines += out->data[k] == '\n';
    mcl__text_format(out, "#line %d \"<generated>\"\n", lines);
}

int mcl__is_number(const mcl_type *type)
{
    return type->kind != MCL_KIND_STRUCT;
}

void mcl__generate_vector_type(mcl__text *out, const char *name, const mcl_type *element, int has_vectors)
{
    if (has_vectors)
        mcl__generate_fill(out,
                           "#define $1_HAS_VECTORS MCL_HAS_VECTORS\n"
                           "#if MCL_HAS_VECTORS\ntypedef $2_vector $1_vector;\n#endif\n",
                           name, mcl__value_text(element), NULL);
    else
        mcl__generate_fill(out, "#define $1_HAS_VECTORS 0\n", name, NULL, NULL);
}

int mcl__is_half(const mcl_type *type)
{
    return mcl__is_number(type) && type->kind == MCL_KIND_FLOAT && type->size == 2;
}

int mcl__is_indexed(const mcl_type *type)
{
    return type->kind == MCL_KIND_STRUCT && !type->source && strcmp(type->name, MCL_INDEXED->name) == 0;
}

const char *mcl__value_text(const mcl_type *type)
{
    return mcl__is_half(type) ? "float" : type->name;
}

const char *mcl__memory_text(const mcl_type *type)
{
    return mcl__is_half(type) ? "half_bits" : type->name;
}

static void unpack_binding(mcl__text *out, const char *owner, const mcl_binding *binding)
{
    const char *pattern = "    const $2 $3 = mcl_bound.$1_value_$3;\n";
    if (mcl__is_half(binding->type)) pattern = "    const float $3 = half_to_float(mcl_bound.$1_value_$3);\n";
    if (binding->buffer) pattern = "    __global const $2 *const $3 = mcl_bound.$1_data_$3;\n";
    mcl__generate_fill(out, pattern, owner, mcl__memory_text(binding->type), binding->name);
    mcl__generate_fill(out, "    (void)$1;\n", binding->name, NULL, NULL);
}

void mcl__generate_expression(mcl__text *out, const mcl__expression *expression)
{
    for (int k = 0; k < expression->binding_count; ++k)
        unpack_binding(out, expression->owner, &expression->bindings[k]);
    /* The bracket closes on its own line, since the text may end in a comment. A #line mark assigns this line to the
     * user's text, so a missing end is reported there. */
    mcl__generate_fill(out,
                       expression->is_truth ? "#line 1 \"<$1: $2>\"\n    return !!($3\n"
                                            : "#line 1 \"<$1: $2>\"\n    return ($3\n",
                       expression->owner, expression->part, expression->text);
    mcl__text_append(out, "    );\n}\n");
    mcl__generate_mark(out);
}
