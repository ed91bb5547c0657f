/* generate_spec.c: writes the parts of a program's text that follow from its spec: users' texts, types with checks of
 * their layouts, bindings of operators, inputs and outputs. docs/kernel_dialect.md lists the names.
 *
 * The functions around users' expressions come before the macros of operands, so that these macros change no user's
 * text. */
#include "program/generate.h"

#include <string.h>

static void fill(mcl__text *out, const char *pattern, const char *one)
{
    mcl__generate_fill(out, pattern, one, NULL, NULL);
}

/* ---- users' texts -------------------------------------------------------------------------------------- */

enum {
    OP_TYPES = 4 + MCL_BINDINGS_MAX,
    TYPES_ALL = MCL__TYPES_MAX + MCL__OPS_MAX * OP_TYPES + MCL__OPERANDS_MAX * (2 + MCL_BINDINGS_MAX),
    SOURCES_ALL = TYPES_ALL + MCL__OPS_MAX + MCL__OPERANDS_MAX
};

typedef struct user_texts {
    int type_count;
    const mcl_type *types[TYPES_ALL]; /* the struct types, without repeats */
    int source_count;
    struct {
        const char *text;  /* a user's text; equal texts are one entry */
        const char *owner; /* name of the first type, operator or operand with this text */
    } sources[SOURCES_ALL];
} user_texts;

static void add_source(user_texts *texts, const char *source, const char *owner)
{
    if (!source) return;
    for (int k = 0; k < texts->source_count; ++k)
        if (strcmp(texts->sources[k].text, source) == 0) return;
    texts->sources[texts->source_count].text = source;
    texts->sources[texts->source_count++].owner = owner;
}

static void add_type(user_texts *texts, const mcl_type *type)
{
    if (!type || mcl__is_number(type) || mcl__is_indexed(type)) return;
    for (int k = 0; k < texts->type_count; ++k)
        if (texts->types[k] == type) return;
    texts->types[texts->type_count++] = type;
    add_source(texts, type->source, type->name);
}

static void add_binding_types(user_texts *texts, const mcl_binding *bindings, int count)
{
    for (int k = 0; k < count; ++k) add_type(texts, bindings[k].type);
}

static void collect(user_texts *texts, const mcl__spec *spec)
{
    for (int k = 0; k < MCL__TYPES_MAX; ++k) add_type(texts, spec->types[k].type);
    for (int k = 0; k < MCL__OPS_MAX; ++k) {
        const mcl_op *const op = spec->ops[k].op;
        if (!op) continue;
        add_type(texts, spec->ops[k].element);
        add_type(texts, spec->ops[k].stored);
        add_type(texts, op->value);
        add_type(texts, op->result);
        add_binding_types(texts, op->bindings, op->binding_count);
    }
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k) {
        const mcl_input *const input = spec->inputs[k].input;
        add_type(texts, spec->outputs[k].type);
        if (!input) continue;
        add_type(texts, input->type);
        add_binding_types(texts, input->bindings, input->binding_count);
    }
    for (int k = 0; k < MCL__OPS_MAX; ++k)
        if (spec->ops[k].op) add_source(texts, spec->ops[k].op->source, spec->ops[k].name);
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k)
        if (spec->inputs[k].input) add_source(texts, spec->inputs[k].input->source, spec->inputs[k].name);
}

static void generate_layout_condition(const mcl_type *type, mcl__text *out)
{
    const char *const name = type->name;
    mcl__text_format(out, " & (sizeof(%s) == %zu)", name, type->size);
    if (type->alignment)
        mcl__text_format(out, " & (sizeof(after_char_of_%s) - sizeof(%s) == %zu)", name, name, type->alignment);
    for (int k = 0; k < type->member_count; ++k)
        mcl__text_format(out, " & (MCL_OFFSET(%s, %s) == %zu)", name, type->members[k].name, type->members[k].offset);
}

/* Writes a compile-time check of a struct's layout: an array whose size is negative where the layouts differ. Both
 * languages reject that, and the array's name is the message. One array checks all types with the same name. */
static void generate_layout_check(const user_texts *texts, int number, mcl__text *out)
{
    const char *const name = texts->types[number]->name;
    for (int k = 0; k < number; ++k)
        if (strcmp(texts->types[k]->name, name) == 0) return;
    fill(out, "typedef struct {\n    char first;\n    $1 second;\n} after_char_of_$1;\n", name);
    fill(out, "typedef char layout_of_$1_differs_from_host[(1", name);
    for (int k = number; k < texts->type_count; ++k)
        if (strcmp(texts->types[k]->name, name) == 0) generate_layout_condition(texts->types[k], out);
    mcl__text_append(out, ") ? 1 : -1];\n");
}

static void generate_user_texts(const mcl__spec *spec, mcl__text *out)
{
    user_texts texts = { 0 };
    collect(&texts, spec);
    if (texts.source_count > 0) mcl__text_append(out, "USERS_TEXTS_BEGIN\n");
    for (int k = 0; k < texts.source_count; ++k) {
        fill(out, "#line 1 \"<$1: source>\"\n", texts.sources[k].owner);
        mcl__text_append(out, texts.sources[k].text);
        mcl__text_append(out, "\n");
    }
    if (texts.source_count > 0) mcl__text_append(out, "USERS_TEXTS_END\n");
    mcl__generate_mark(out);
    for (int k = 0; k < texts.type_count; ++k) generate_layout_check(&texts, k, out);
}

/* ---- types, scratch arrays, counts --------------------------------------------------------------------- */

static const char common[] =
    "#define ARRAY_PARAM(type, name) __global type *name##_data, int64_t name##_offset\n"
    "#define ARRAY(type, name) ((__global type *)((__global char *)name##_data + name##_offset))\n";

/* Writes a function that reads slots of a type. It tests the sign of a 32-bit number before the conversion to 64 bits,
 * since Mesa 22.3 loses the sign in the conversion. */
static void generate_count_of(const char *type, const char *suffix, int is_wide, mcl__text *out)
{
    mcl__generate_fill(
        out,
        "static inline index_type count_of$2(const int64_t count, __global const $1 *slot, const int64_t "
        "slot_offset)\n{\n"
        "    if (!slot) return (index_type)count;\n"
        "    const $1 wanted = *(__global const $1 *)((__global const char *)slot + slot_offset);\n",
        type, suffix, NULL);
    mcl__text_append(out, is_wide ? "    return (index_type)(wanted < 0 ? 0 : wanted > count ? count : wanted);\n}\n"
                                  : "    return (index_type)(wanted <= 0 ? 0 : (int64_t)wanted > count ? count : "
                                    "(int64_t)wanted);\n}\n");
}

/* Writes count_of for slots of int64_t, and count_of_TYPE for each other slot type of an input. */
static void generate_counts(const mcl__spec *spec, mcl__text *out)
{
    const mcl_type *const others[] = { MCL_INT32, MCL_UINT32 };
    mcl__text_append(out, common);
    generate_count_of("int64_t", "", 1, out);
    for (size_t t = 0; t < sizeof others / sizeof others[0]; ++t) {
        int used = 0;
        for (int k = 0; k < MCL__OPERANDS_MAX; ++k)
            used |= spec->inputs[k].input && strcmp(mcl__slot_type(spec->inputs[k].input)->name, others[t]->name) == 0;
        if (used) generate_count_of(others[t]->name, t == 0 ? "_int32_t" : "_uint32_t", 0, out);
    }
}

static void generate_types(const mcl__spec *spec, mcl__text *out)
{
    mcl__generate_fill(out, "typedef $1 index_type;\n", spec->index_bits == 64 ? "int64_t" : "int32_t", NULL, NULL);
    for (int k = 0; k < MCL__TYPES_MAX; ++k)
        if (spec->types[k].name)
            mcl__generate_fill(out, "typedef $1 $2_type;\n", mcl__value_text(spec->types[k].type), spec->types[k].name,
                               NULL);
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k) {
        const mcl_input *const input = spec->inputs[k].input;
        if (input)
            mcl__generate_fill(out, "typedef $1 $2_type;\n", mcl__value_text(input->type), spec->inputs[k].name, NULL);
        if (spec->outputs[k].name)
            mcl__generate_fill(out, "typedef $1 $2_type;\n", mcl__value_text(spec->outputs[k].type),
                               spec->outputs[k].name, NULL);
    }
}

/* ---- bindings ------------------------------------------------------------------------------------------ */

/* Writes a pattern for each binding. In the pattern, $1 stands for prefix, $2 for the type in memory, and $3 for the
 * bound name. */
static void each_binding(mcl__text *out, const char *prefix, const mcl_binding *bindings, int count,
                         const char *value_pattern, const char *array_pattern)
{
    for (int k = 0; k < count; ++k)
        mcl__generate_fill(out, bindings[k].buffer ? array_pattern : value_pattern, prefix,
                           mcl__memory_text(bindings[k].type), bindings[k].name);
}

/* ---- environment of the operators ---------------------------------------------------------------------- */

typedef struct binding_patterns {
    const char *value;
    const char *array;
} binding_patterns;

static const binding_patterns member = { "    $2 $1_value_$3;\n", "    __global const $2 *$1_data_$3;\n" };
static const binding_patterns parameter = { " $2 $1_value_$3,",
                                            " __global const $2 *$1_data_$3, int64_t $1_offset_$3," };
static const binding_patterns argument = { "$1_value_$3, ", "$1_data_$3, $1_offset_$3, " };
static const binding_patterns assignment = {
    "    made.$1_value_$3 = $1_value_$3;\n",
    "    made.$1_data_$3 = (__global const $2 *)((__global const char *)$1_data_$3 + $1_offset_$3);\n"
};

static int each_op_binding(const mcl__spec *spec, mcl__text *out, const binding_patterns *patterns)
{
    int count = 0;
    for (int k = 0; k < MCL__OPS_MAX; ++k) {
        const mcl_op *const op = spec->ops[k].op;
        if (!op) continue;
        each_binding(out, spec->ops[k].name, op->bindings, op->binding_count, patterns->value, patterns->array);
        count += op->binding_count;
    }
    return count;
}

static void generate_env_struct(const mcl__spec *spec, mcl__text *out)
{
    mcl__text_append(out, "typedef struct {\n");
    if (each_op_binding(spec, out, &member) == 0) mcl__text_append(out, "    int unused;\n");
    mcl__text_append(out, "} env_type;\n");
}

static void generate_env_macros(const mcl__spec *spec, mcl__text *out)
{
    mcl__text_append(out, "#define PARAMS_env");
    (void)each_op_binding(spec, out, &parameter);
    mcl__text_append(out, "\n#define MAKE_env make_env(");
    (void)each_op_binding(spec, out, &argument);
    /* make_env gets one more parameter, since PARAMS_env ends in a comma. */
    mcl__text_append(out, "0)\nstatic inline env_type make_env(PARAMS_env const int unused)\n{\n    env_type made;\n");
    if (each_op_binding(spec, out, &assignment) == 0) mcl__text_append(out, "    made.unused = unused;\n");
    mcl__text_append(out, "    (void)unused;\n    return made;\n}\n");
}

/* ---- inputs -------------------------------------------------------------------------------------------- */

/* The pattern of a function that moves an operand to its k-th element. Elements at constant distances from there need
 * no further arithmetic. */
static const char shift_pattern[] = "static inline $1_$2 shift_$2(const $1_$2 $2, const index_type k)\n{\n"
                                    "    $1_$2 shifted = $2;\n    shifted.$3 += k;\n    return shifted;\n}\n";

enum { WORDS_MOST = 16 };

/* Writes a load of a struct, word by word. LLVM keeps a struct in memory if the struct, or an array in it, is only
 * moved as a whole. A struct loaded by words stays in registers (docs/vendors.md). */
static void generate_word_loads(const char *name, const mcl_type *type, mcl__text *out)
{
    const size_t word = type->alignment % 8 == 0 ? 8 : 4, count = type->size / word;
    if (mcl__is_number(type) || type->alignment == 0 || type->alignment % word != 0 || count > WORDS_MOST) return;
    fill(out, "#if STRUCTS_BY_WORDS\n    typedef union {\n        $1_type value;\n", name);
    mcl__text_format(out, "        %s words[%d];\n    } mcl_words;\n", word == 8 ? "ulong" : "uint", (int)count);
    fill(out,
         "    __global const mcl_words *const mcl_from = (__global const mcl_words *)($1.data + k);\n"
         "    mcl_words mcl_made;\n",
         name);
    for (int k = 0; k < (int)count; ++k) mcl__text_format(out, "    mcl_made.words[%d] = mcl_from->words[%d];\n", k, k);
    mcl__text_append(out, "    return mcl_made.value;\n#endif\n");
}

static void generate_array_loader(const char *name, const mcl_input *input, mcl__text *out)
{
    const char *const type = mcl__memory_text(input->type);
    mcl__generate_fill(out, "typedef struct {\n    __global const $2 *data;\n    index_type count;\n} input_$1;\n",
                       name, type, NULL);
    fill(out, "static inline $1_type load_$1(const input_$1 $1, const index_type k)\n{\n", name);
    generate_word_loads(name, input->type, out);
    fill(out, mcl__is_half(input->type) ? "    return half_to_float($1.data[k]);\n}\n" : "    return $1.data[k];\n}\n",
         name);
    mcl__generate_fill(out, shift_pattern, "input", name, "data");
}

static const char loader_pattern[] =
    "static inline $1_type load_$1(const input_$1 mcl_bound, const index_type mcl_k)\n{\n";
/* The pattern of a loader whose expression may use the element's segment or object, and the element's rank there. */
static const char placed_loader_pattern[] =
    "static inline $1_type load_$1(const input_$1 mcl_bound, const index_type mcl_k, const index_type mcl_segment,\n"
    "                              const index_type mcl_rank)\n{\n"
    "    const int64_t segment = mcl_segment, object = mcl_segment, rank = mcl_rank;\n"
    "    (void)segment;\n    (void)object;\n    (void)rank;\n";

static void generate_expression_loader(const char *name, const mcl_input *input, int placed, mcl__text *out)
{
    mcl__text_append(out, "typedef struct {\n");
    each_binding(out, name, input->bindings, input->binding_count, member.value, member.array);
    fill(out, "    index_type count, first;\n} input_$1;\n", name);
    fill(out, placed ? placed_loader_pattern : loader_pattern, name);
    mcl__text_append(out, "    const int64_t i = mcl_bound.first + mcl_k;\n    (void)i;\n    (void)mcl_bound;\n");
    const mcl__expression expression = {
        .owner = name,
        .part = "input",
        .text = input->expression,
        .bindings = input->bindings,
        .binding_count = input->binding_count,
    };
    mcl__generate_expression(out, &expression);
    mcl__generate_fill(out, shift_pattern, "input", name, "first");
}

/* Writes the parameters of one input. Only parameters of kernels are restrict. In functions that kernels call, restrict
 * would promise nothing more, and oclgrind does not know the marks that clang makes for it. */
static void generate_input_params(const char *name, const mcl_input *input, const char *restricted, mcl__text *out)
{
    if (!input->expression)
        mcl__generate_fill(out, " __global const $2 *$3 $1_data, int64_t $1_offset,", name,
                           mcl__memory_text(input->type), restricted);
    else
        each_binding(out, name, input->bindings, input->binding_count, parameter.value, parameter.array);
    mcl__generate_fill(out, " int64_t $1_count, __global const $2 *$1_slot, int64_t $1_slot_offset", name,
                       mcl__slot_type(input)->name, NULL);
}

static void generate_input_macros(const char *name, const mcl_input *input, int aliased, int count_alone,
                                  mcl__text *out)
{
    const int is_array = !input->expression;
    fill(out, is_array ? "#define ARRAY_$1 1\n" : "#define ARRAY_$1 0\n", name);
    fill(out, "#define PARAMS_$1", name);
    generate_input_params(name, input, aliased ? "" : "restrict", out);
    fill(out, "\n#define MAKE_$1 make_$1(", name);
    if (is_array)
        fill(out, "$1_data, $1_offset, ", name);
    else
        each_binding(out, name, input->bindings, input->binding_count, argument.value, argument.array);
    fill(out, "$1_count, $1_slot, $1_slot_offset)\n", name);
    fill(out, "static inline input_$1 make_$1(", name);
    generate_input_params(name, input, "", out);
    fill(out, ")\n{\n    input_$1 made;\n", name);
    if (is_array && !count_alone)
        mcl__generate_fill(out, "    made.data = (__global const $2 *)((__global const char *)$1_data + $1_offset);\n",
                           name, mcl__memory_text(input->type), NULL);
    if (!is_array && !count_alone) {
        each_binding(out, name, input->bindings, input->binding_count, assignment.value, assignment.array);
        mcl__text_append(out, "    made.first = 0;\n");
    }
    const mcl_type *const slot = mcl__slot_type(input);
    const int is_wide = slot->size == sizeof(int64_t);
    mcl__generate_fill(out, "    made.count = count_of$2$3($1_count, $1_slot, $1_slot_offset);\n    return made;\n}\n",
                       name, is_wide ? "" : "_", is_wide ? "" : slot->name);
}

/* ---- outputs ------------------------------------------------------------------------------------------- */

static void generate_store(const char *name, const mcl_type *type, int is_left_out, mcl__text *out)
{
    fill(out, is_left_out ? "#define WANTED_$1 0\n" : "#define WANTED_$1 1\n", name);
    fill(out, "static inline void store_$1(const output_$1 $1, const index_type k, const $1_type v)\n{\n", name);
    if (is_left_out)
        fill(out, "    (void)$1;\n    (void)k;\n    (void)v;\n}\n", name);
    else
        fill(out, mcl__is_half(type) ? "    $1.data[k] = float_to_half(v);\n}\n" : "    $1.data[k] = v;\n}\n", name);
}

/* Writes the store of a count, which is 0 or more and may exceed the type. A shift tests for that instead of a
 * comparison: Mesa 22.3 takes 0 for greater than a 64-bit constant. */
static void generate_count_store(const char *name, const mcl_type *type, mcl__text *out)
{
    const int is_unsigned = type->kind == MCL_KIND_UNSIGNED;
    const char *const bits = is_unsigned ? "32" : "31", *const highest = is_unsigned ? "0xffffffffu" : "0x7fffffff";
    fill(out, "#define WANTED_$1 1\n", name);
    fill(out, "static inline void store_$1(const output_$1 $1, const index_type k, const int64_t v)\n{\n", name);
    mcl__generate_fill(out, "    $1.data[k] = v >> $2 ? $3 : ", name, bits, highest);
    mcl__generate_fill(out, "($1)v;\n}\n", type->name, NULL, NULL);
}

static void generate_output(const char *name, const mcl_type *type, int aliased, int is_left_out, int is_count,
                            mcl__text *out)
{
    const char *const text = mcl__memory_text(type);
    mcl__generate_fill(out, "typedef struct {\n    __global $2 *data;\n} output_$1;\n", name, text, NULL);
    mcl__generate_fill(out, "#define PARAMS_$1 __global $2 *$3 $1_data, int64_t $1_offset\n", name, text,
                       aliased ? "" : "restrict");
    fill(out, "#define MAKE_$1 make_$1($1_data, $1_offset)\n", name);
    mcl__generate_fill(out,
                       "static inline output_$1 make_$1(__global $2 *$1_data, int64_t $1_offset)\n{\n"
                       "    output_$1 made;\n    made.data = (__global $2 *)((__global char *)$1_data + $1_offset);\n"
                       "    return made;\n}\n",
                       name, text, NULL);
    if (is_count && type->size < sizeof(int64_t))
        generate_count_store(name, type, out);
    else
        generate_store(name, type, is_left_out, out);
    mcl__generate_fill(out, shift_pattern, "output", name, "data");
    /* Vectors are stored without store_NAME, so an output that is left out must have no vectors. */
    mcl__generate_vector_type(out, name, type, mcl__is_number(type) && !mcl__is_half(type) && !is_left_out);
}

void mcl__generate_spec(const mcl__spec *spec, mcl__text *out)
{
    generate_user_texts(spec, out);
    generate_types(spec, out);
    generate_env_struct(spec, out);
    for (int k = 0; k < MCL__OPS_MAX; ++k)
        if (spec->ops[k].op) mcl__generate_op(out, spec, k);
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k) {
        const mcl_input *const input = spec->inputs[k].input;
        if (!input) continue;
        if (spec->inputs[k].count_alone)
            fill(out, "typedef struct {\n    index_type count;\n} input_$1;\n", spec->inputs[k].name);
        else if (!input->expression)
            generate_array_loader(spec->inputs[k].name, input, out);
        else
            generate_expression_loader(spec->inputs[k].name, input, spec->inputs[k].placed, out);
        fill(out, spec->inputs[k].placed ? "#define PLACED_$1 1\n" : "#define PLACED_$1 0\n", spec->inputs[k].name);
    }
    generate_counts(spec, out);
    generate_env_macros(spec, out);
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k)
        if (spec->inputs[k].input)
            generate_input_macros(spec->inputs[k].name, spec->inputs[k].input, spec->aliased,
                                  spec->inputs[k].count_alone, out);
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k)
        if (spec->outputs[k].name)
            generate_output(spec->outputs[k].name, spec->outputs[k].type, spec->aliased, spec->outputs[k].is_left_out,
                            spec->outputs[k].is_count, out);
}
