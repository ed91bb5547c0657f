/* generate_op.c: writes the functions of an operator. Each expression of the user becomes the body of one function. The
 * names LESS, LOWEST, HIGHEST and INDEXED stand for the library's own texts. They are macros that exist only around
 * these functions. */
#include "program/generate.h"

#include <string.h>

/* ---- built-in order and extreme values ----------------------------------------------------------------- */

typedef struct extremes {
    mcl_kind kind;
    size_t size;
    const char *lowest;
    const char *highest;
} extremes;

/* The numbers have no suffix L, since L means different types in OpenCL C and in CUDA. */
static const extremes integer_extremes[] = {
    { MCL_KIND_SIGNED, 1, "(-128)", "127" },
    { MCL_KIND_SIGNED, 2, "(-32768)", "32767" },
    { MCL_KIND_SIGNED, 4, "(-2147483647 - 1)", "2147483647" },
    { MCL_KIND_SIGNED, 8, "(-0x7fffffffffffffff - 1)", "0x7fffffffffffffff" },
    { MCL_KIND_UNSIGNED, 1, "0", "255" },
    { MCL_KIND_UNSIGNED, 2, "0", "65535" },
    { MCL_KIND_UNSIGNED, 4, "0", "0xffffffffu" },
    { MCL_KIND_UNSIGNED, 8, "0", "0xffffffffffffffffu" },
};

static void define_extremes(mcl__text *out, const mcl_type *type)
{
    extremes found = { .lowest = "(-INFINITY)", .highest = "INFINITY" };
    for (size_t k = 0; k < sizeof integer_extremes / sizeof integer_extremes[0]; ++k)
        if (integer_extremes[k].kind == type->kind && integer_extremes[k].size == type->size)
            found = integer_extremes[k];
    mcl__generate_fill(out, "#define LOWEST (($1)$2)\n#define HIGHEST (($1)$3)\n", mcl__value_text(type), found.lowest,
                       found.highest);
}

/* Defines the names LESS, LOWEST, HIGHEST and INDEXED. LESS compares elements, and accumulators of type value. */
static void define_names(mcl__text *out, const char *name, const mcl_type *element, const mcl_type *value)
{
    const int indexed = mcl__is_indexed(value);
    const int reals = element->kind == MCL_KIND_FLOAT || value->kind == MCL_KIND_FLOAT;
    if (mcl__is_number(element)) {
        /* LESS of floats puts NaN after every number, with two comparisons and no branch. */
        mcl__text_append(out, reals ? "#define LESS(p, q) (!((p) >= (q)) & ((p) == (p)))\n"
                                    : "#define LESS(p, q) ((p) < (q))\n");
        define_extremes(out, element);
    }
    if (indexed) mcl__generate_fill(out, "#define INDEXED(value, index) $1_indexed(value, index)\n", name, NULL, NULL);
}

static void undefine_names(mcl__text *out)
{
    mcl__text_append(out, "#undef LESS\n#undef LOWEST\n#undef HIGHEST\n#undef INDEXED\n");
}

/* ---- functions ----------------------------------------------------------------------------------------- */

static void generate_body(mcl__text *out, const char *name, const mcl_op *op, const char *part, const char *text)
{
    mcl__text_append(out, "    (void)mcl_bound;\n");
    const mcl__expression expression = {
        .owner = name,
        .part = part,
        .text = text,
        .bindings = op->bindings,
        .binding_count = op->binding_count,
    };
    mcl__generate_expression(out, &expression);
}

/* Writes the function of a test. In a user's text any nonzero number means true. The function returns 0 or 1, since
 * kernels add up the results of tests. */
static void generate_truth(mcl__text *out, const char *name, const mcl_op *op)
{
    const mcl__expression expression = {
        .owner = name,
        .part = "expression",
        .text = op->expression,
        .bindings = op->bindings,
        .binding_count = op->binding_count,
        .is_truth = 1,
    };
    mcl__text_append(out, "    (void)mcl_bound;\n");
    mcl__generate_expression(out, &expression);
}

/* Writes a test or an index: both are functions of an element and its index. */
static void generate_at(mcl__text *out, const char *name, const mcl_op *op, const mcl_type *element, mcl_role role)
{
    mcl__generate_fill(out,
                       "static inline $3 $1(const env_type mcl_bound, const $2 x, const index_type mcl_k)\n{\n"
                       "    const int64_t i = mcl_k;\n    (void)i;\n    (void)x;\n",
                       name, mcl__value_text(element), role == MCL_ROLE_TEST ? "int" : "int64_t");
    if (role == MCL_ROLE_TEST)
        generate_truth(out, name, op);
    else
        generate_body(out, name, op, "expression", op->expression);
}

static void generate_compare(mcl__text *out, const char *name, const mcl_op *op, const mcl_type *element)
{
    mcl__generate_fill(out, "static inline int $1(const env_type mcl_bound, const $2 p, const $2 q)\n{\n", name,
                       mcl__value_text(element), NULL);
    generate_truth(out, name, op);
}

static void generate_accumulator(mcl__text *out, const char *name, const mcl_type *value, const mcl_type *element)
{
    if (!mcl__is_indexed(value)) {
        mcl__generate_fill(out, "typedef $2 $1_type;\n", name, mcl__value_text(value), NULL);
        return;
    }
    mcl__generate_fill(out, "typedef struct {\n    $2 value;\n    index_type index;\n} $1_type;\n", name,
                       mcl__value_text(element), NULL);
    mcl__generate_fill(out, "static inline $1_type $1_indexed(const $2 value, const int64_t index)\n{\n", name,
                       mcl__value_text(element), NULL);
    mcl__generate_fill(out,
                       "    $1_type made;\n    made.value = value;\n    made.index = (index_type)index;\n"
                       "    return made;\n}\n",
                       name, NULL, NULL);
}

static void generate_fold(mcl__text *out, const char *name, const mcl_op *op, const mcl_type *value,
                          const mcl_type *element)
{
    mcl__generate_fill(
        out,
        "static inline $1_type $1_extract(const env_type mcl_bound, const $2 x, const index_type mcl_k)\n{\n"
        "    const int64_t i = mcl_k;\n    (void)i;\n",
        name, mcl__value_text(element), NULL);
    const char *const whole = mcl__is_indexed(value) ? "INDEXED(x, i)" : "x";
    generate_body(out, name, op, "extract", op->extract ? op->extract : whole);
    mcl__generate_fill(out, "static inline $1_type $1(const env_type mcl_bound, const $1_type p, const $1_type q)\n{\n",
                       name, NULL, NULL);
    generate_body(out, name, op, "expression", op->expression);
    if (!op->identity) return;
    mcl__generate_fill(out, "static inline $1_type $1_identity(const env_type mcl_bound)\n{\n", name, NULL, NULL);
    generate_body(out, name, op, "identity", op->identity);
}

/* Returns 1 where the operator's text folds vectors of numbers in the same way as numbers. */
static int folds_vectors(const mcl_op *op, const mcl_type *element, const mcl_type *value, const mcl_type *stored)
{
    static const char *const texts[] = { "p + q", "p * q", "p & q", "p | q", "p ^ q" };
    const int alone = !op->value && !op->source && !op->extract && !op->combine && op->binding_count == 0;
    const int one_type = element->kind == stored->kind && element->size == stored->size;
    if (value->kind != element->kind || value->size != element->size) return 0;
    if (!alone || !one_type || !mcl__is_number(element) || mcl__is_half(element)) return 0;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k)
        if (strcmp(op->expression, texts[k]) == 0) return 1;
    return 0;
}

static void generate_vectors(mcl__text *out, const char *name, const mcl_op *op, const mcl_type *element,
                             const mcl_type *value, const mcl_type *stored)
{
    const int folds = folds_vectors(op, element, value, stored);
    mcl__generate_vector_type(out, name, element, folds);
    if (folds)
        mcl__generate_fill(out,
                           "#if $1_HAS_VECTORS\n"
                           "static inline $1_vector $1_vectors(const $1_vector p, const $1_vector q)\n{\n"
                           "    return $2;\n}\n#endif\n",
                           name, op->expression, NULL);
}

/* ---- results ------------------------------------------------------------------------------------------- */

/* Returns the body of a function that converts an accumulator v to another type, or "" where there is no conversion. */
static const char *conversion(const mcl_type *value, const mcl_type *to)
{
    if (mcl__is_indexed(value)) {
        if (mcl__is_indexed(to)) return "    return v;\n";
        if (mcl__is_number(to)) return "    return ($1)v.index;\n";
        return "    $1 made;\n    made.value = v.value;\n    made.index = v.index;\n    return made;\n";
    }
    if (mcl__is_number(value) && mcl__is_number(to)) return "    return ($1)v;\n";
    const int same = !mcl__is_number(value) && !mcl__is_number(to) && strcmp(value->name, to->name) == 0;
    return same ? "    return v;\n" : "";
}

/* Writes the function that converts an accumulator to an output's type. If there is no conversion it writes nothing,
 * since the kernel uses combine instead. */
static void generate_store(mcl__text *out, const char *name, const mcl_type *value, const char *output,
                           const mcl_type *to)
{
    const char *const body = conversion(value, to);
    if (!body[0]) return;
    mcl__generate_fill(out, "static inline $2_type $1_to_$2(const $1_type v)\n{\n", name, output, NULL);
    mcl__generate_fill(out, body, mcl__value_text(to), NULL, NULL);
    mcl__text_append(out, "}\n");
}

/* Writes the functions of combine. If the operator has a result type, the value of combine is converted to it before it
 * is stored. */
static void generate_combine(mcl__text *out, const char *name, const mcl_op *op, const mcl_type *element)
{
    const char *const x = mcl__value_text(element);
    if (op->result)
        mcl__generate_fill(out, "typedef $2 $1_combined;\n", name, mcl__value_text(op->result), NULL);
    else
        mcl__generate_fill(out, "typedef $1_stored $1_combined;\n", name, NULL, NULL);
    mcl__generate_fill(
        out, "static inline $1_combined $1_combine(const env_type mcl_bound, const $2 x, const $1_type v)\n{\n", name,
        x, NULL);
    generate_body(out, name, op, "combine", op->combine);
    mcl__generate_fill(out,
                       "static inline $1_stored $1_result(const env_type env, const $2 x, const $1_type v)\n{\n"
                       "    return $1_combine(env, x, v);\n}\n",
                       name, x, NULL);
}

static void generate_result(mcl__text *out, const char *name, const mcl_op *op, const mcl_type *value,
                            const mcl_type *element, const mcl_type *stored)
{
    if (mcl__is_indexed(stored))
        mcl__generate_fill(out, "typedef $1_type $1_stored;\n", name, NULL, NULL);
    else
        mcl__generate_fill(out, "typedef $2 $1_stored;\n", name, mcl__value_text(stored), NULL);
    if (op->combine) {
        generate_combine(out, name, op, element);
        return;
    }
    const char *const body = conversion(value, stored);
    if (!body[0]) return;
    mcl__generate_fill(out,
                       "static inline $1_stored $1_result(const env_type env, const $2 x, const $1_type v)\n{\n"
                       "    (void)env;\n    (void)x;\n",
                       name, mcl__value_text(element), NULL);
    mcl__generate_fill(out, body, mcl__value_text(stored), NULL, NULL);
    mcl__text_append(out, "}\n");
}

/* Returns 1 where accumulators are floats that are rounded, so that results depend on how elements are grouped. The
 * built-in minimum and maximum never round. */
static int rounds(const mcl_op *op, const mcl_type *value)
{
    if (value->kind != MCL_KIND_FLOAT) return 0;
    return strcmp(op->expression, MCL_MIN->expression) != 0 && strcmp(op->expression, MCL_MAX->expression) != 0;
}

/* Returns 1 where a struct is the element type of an input, such as the keys of a fold by key. An output of this type
 * then stores elements, not values with indices. */
static int holds_elements(const mcl__spec *spec, const mcl_type *type)
{
    for (int k = 0; k < MCL__OPERANDS_MAX && !mcl__is_number(type); ++k)
        if (spec->inputs[k].input && strcmp(spec->inputs[k].input->type->name, type->name) == 0) return 1;
    return 0;
}

void mcl__generate_op(mcl__text *out, const mcl__spec *spec, int number)
{
    const char *const name = spec->ops[number].name;
    const mcl_op *const op = spec->ops[number].op;
    const mcl_type *const element = spec->ops[number].element;
    const mcl_type *const value = spec->ops[number].value;
    const mcl_role role = spec->ops[number].role;
    if (role != MCL_ROLE_FOLD && role != MCL_ROLE_FUNCTION) {
        define_names(out, name, element, element);
        if (role == MCL_ROLE_TEST || role == MCL_ROLE_INDEX)
            generate_at(out, name, op, element, role);
        else
            generate_compare(out, name, op, element);
        undefine_names(out);
        return;
    }
    generate_accumulator(out, name, value, element);
    define_names(out, name, element, value);
    generate_fold(out, name, op, value, element);
    const mcl_type *const stored = spec->ops[number].stored ? spec->ops[number].stored : value;
    generate_result(out, name, op, value, element, stored);
    generate_vectors(out, name, op, element, value, stored);
    undefine_names(out);
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k)
        if (spec->outputs[k].name && !(mcl__is_indexed(value) && holds_elements(spec, spec->outputs[k].type)))
            generate_store(out, name, value, spec->outputs[k].name, spec->outputs[k].type);
    mcl__text_format(out, "#define %s_HAS_IDENTITY %d\n#define %s_COMMUTATIVE %d\n#define %s_USES_ELEMENT %d\n", name,
                     op->identity != NULL, name, op->commutative != 0, name, op->combine != NULL);
    mcl__text_format(out, "#define %s_ROUNDS %d\n", name, rounds(op, value));
}
