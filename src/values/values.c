/* values.c: the built-in types and operators, and the functions that make bindings, inputs, outputs and results. */

#include "values/step.h"

#include "moderncl/values.h"

#include <string.h>

/* ---- types ---------------------------------------------------------------------------------------------- */

#define X(upper, lower, text, size, kind) const mcl_type mcl_type_##lower = { text, size, size, NULL, 0, NULL, kind };
MCL_TYPE_LIST(X)
#undef X

#define X(upper, lower, value_text, index_text)                                                                        \
    static const mcl_member lower##_at_members[] = {                                                                   \
        { "value", offsetof(mcl_##lower##_at, value) },                                                                \
        { "index", offsetof(mcl_##lower##_at, index) },                                                                \
    };                                                                                                                 \
    const mcl_type mcl_type_##lower##_at = {                                                                           \
        "mcl_" #lower "_at",                                                                                           \
        sizeof(mcl_##lower##_at),                                                                                      \
        MCL_ALIGNOF(mcl_##lower##_at),                                                                                 \
        "typedef struct mcl_" #lower "_at { " #value_text " value; " #index_text " index; } mcl_" #lower "_at;",       \
        2,                                                                                                             \
        lower##_at_members,                                                                                            \
        MCL_KIND_STRUCT,                                                                                               \
    };
MCL_AT_LIST(X)
#undef X

/* Lists the members of a vector type: each(m) makes the text for member m. */
#define MEMBERS_2(each) each(x) each(y)
#define MEMBERS_3(each) MEMBERS_2(each) each(z)
#define MEMBERS_4(each) MEMBERS_3(each) each(w)
#define LIST_2(before) before "x, " before "y"
#define LIST_3(before) LIST_2(before) ", " before "z"
#define LIST_4(before) LIST_3(before) ", " before "w"
#define TAKE(m) " r." #m " = " #m ";"
#define ADD(m) " r." #m " = p." #m " + q." #m ";"
#define LEAST(m) " r." #m " = q." #m " < p." #m " ? q." #m " : p." #m ";"
#define MOST(m) " r." #m " = p." #m " < q." #m " ? q." #m " : p." #m ";"
#define VECTOR_FUNCTION(name, function, parameters, body)                                                              \
    "static inline " name " " name "_" function "(" parameters ") { " name " r;" body " return r; }\n"
#define VECTOR_OF_TWO(name, function, body) VECTOR_FUNCTION(name, function, "const " name " p, const " name " q", body)
#define VECTOR_TEXT(name, number, list, members)                                                                       \
    "typedef struct { " number                                                                                         \
    " " list("") "; } " name ";\n" VECTOR_FUNCTION(name, "of", list("const " number " "), members(TAKE))               \
        VECTOR_OF_TWO(name, "add", members(ADD)) VECTOR_OF_TWO(name, "min", members(LEAST))                            \
            VECTOR_OF_TWO(name, "max", members(MOST))
#define VECTOR(type_name, number, list, members)                                                                       \
    { #type_name, sizeof(type_name), MCL_ALIGNOF(type_name), VECTOR_TEXT(#type_name, #number, list, members), 0,       \
      NULL,       MCL_KIND_STRUCT }
#define X(upper, lower, number)                                                                                        \
    const mcl_type mcl_type_##lower##2 = VECTOR(mcl_##lower##2, number, LIST_2, MEMBERS_2);                            \
    const mcl_type mcl_type_##lower##3 = VECTOR(mcl_##lower##3, number, LIST_3, MEMBERS_3);                            \
    const mcl_type mcl_type_##lower##4 = VECTOR(mcl_##lower##4, number, LIST_4, MEMBERS_4);
MCL_VECTOR_LIST(X)
#undef X

/* The size of MCL_INDEXED stays 0 here, since it depends on the elements. */
const mcl_type mcl_type_indexed = { .name = "indexed", .kind = MCL_KIND_STRUCT };

/* ---- operators ------------------------------------------------------------------------------------------ */

const mcl_op mcl_op_add = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .commutative = 1 };
const mcl_op mcl_op_multiply = { .role = MCL_ROLE_FOLD, .expression = "p * q", .identity = "1", .commutative = 1 };
const mcl_op mcl_op_min = {
    .role = MCL_ROLE_FOLD, .expression = "LESS(q, p) ? q : p", .identity = "HIGHEST", .commutative = 1
};
const mcl_op mcl_op_max = {
    .role = MCL_ROLE_FOLD, .expression = "LESS(p, q) ? q : p", .identity = "LOWEST", .commutative = 1
};
/* The identity has all bits set. Written so, it suits signed and unsigned types, without a conversion that compilers
 * warn of. */
const mcl_op mcl_op_and = {
    .role = MCL_ROLE_FOLD, .expression = "p & q", .identity = "HIGHEST | LOWEST", .commutative = 1
};
const mcl_op mcl_op_or = { .role = MCL_ROLE_FOLD, .expression = "p | q", .identity = "0", .commutative = 1 };
const mcl_op mcl_op_xor = { .role = MCL_ROLE_FOLD, .expression = "p ^ q", .identity = "0", .commutative = 1 };
/* Divides the sum p by the count q. */
const mcl_op mcl_op_mean = { .role = MCL_ROLE_MEAN, .expression = "p / q" };

/* The lower index wins if values are equal, whether it is in p or in q. The comparison of indices costs two more
 * instructions. But it lets work-items take elements in any order, and so read memory in whole lines. */
const mcl_op mcl_op_max_index = {
    .role = MCL_ROLE_FOLD,
    .expression = "LESS(p.value, q.value) || (!LESS(q.value, p.value) && q.index < p.index) ? q : p",
    .identity = "INDEXED(LOWEST, -1)",
    .value = &mcl_type_indexed,
    .extract = "INDEXED(x, i)",
    .commutative = 1,
};
const mcl_op mcl_op_min_index = {
    .role = MCL_ROLE_FOLD,
    .expression = "LESS(q.value, p.value) || (!LESS(p.value, q.value) && q.index < p.index) ? q : p",
    .identity = "INDEXED(HIGHEST, -1)",
    .value = &mcl_type_indexed,
    .extract = "INDEXED(x, i)",
    .commutative = 1,
};

const mcl_op mcl_op_less = { .role = MCL_ROLE_ORDER, .expression = "LESS(p, q)" };
const mcl_op mcl_op_greater = { .role = MCL_ROLE_ORDER, .expression = "LESS(q, p)" };
const mcl_op mcl_op_equal = { .role = MCL_ROLE_EQUALITY, .expression = "p == q" };

/* ---- bindings ------------------------------------------------------------------------------------------- */

/* The functions that make bindings and operands cannot fail. They leave out a wrong argument, and the call that gets
 * the operand reports the error. */

mcl_binding mcl_binding_buffer(const char *name, const mcl_type *type, mcl_buffer *buffer, int64_t offset)
{
    mcl_binding binding = { .name = name, .buffer = buffer, .offset = offset };
    /* A binding with a type and no buffer would be taken for a value. */
    if (buffer) binding.type = type;
    return binding;
}

mcl_binding mcl_binding_value(const char *name, const mcl_type *type, const void *value)
{
    mcl_binding binding = { .name = name };
    if (!type || !value) return binding;
    binding.type = type;
    if (type->size <= MCL_VALUE_BYTES_MAX) memcpy(binding.value.bytes, value, type->size);
    return binding;
}

/* ---- inputs --------------------------------------------------------------------------------------------- */

/* The C texts of a sequence of numbers, by type. They compute in that type; for MCL_HALF they compute in float. */
typedef struct sequence_text {
    const mcl_type *type;
    const char *counting;
    const char *step;
} sequence_text;

#define COUNTING(type) "(" type ")(start + (" type ")i)"
#define STEP(type) "(" type ")(start + (" type ")i * step)"

static const sequence_text *sequence_of(const mcl_type *type)
{
    static const sequence_text half_text = { &mcl_type_half, COUNTING("float"), STEP("float") };
    static const sequence_text none = { NULL, "", "" }; /* the call that gets an empty expression refuses it */
    static const sequence_text texts[] = {
#define X(upper, lower, text, size, kind) { &mcl_type_##lower, COUNTING(text), STEP(text) },
        MCL_TYPE_LIST(X)
#undef X
    };
    if (!type || !type->name || type->kind == MCL_KIND_STRUCT) return &none;
    if (strcmp(type->name, mcl_type_half.name) == 0) return &half_text;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k)
        if (strcmp(type->name, texts[k].type->name) == 0) return &texts[k];
    return &none;
}

mcl_input mcl_from_buffer(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count)
{
    return (mcl_input){ .type = type, .buffer = buffer, .offset = offset, .count = count };
}

mcl_input mcl_from_counting(const mcl_type *type, const void *start, int64_t count)
{
    const mcl_binding binding = mcl_binding_value("start", type, start);
    return mcl_from_expression(type, sequence_of(type)->counting, NULL, &binding, 1, count);
}

mcl_input mcl_from_step(const mcl_type *type, const void *start, const void *step, int64_t count)
{
    const mcl_binding bindings[] = { mcl_binding_value("start", type, start), mcl_binding_value("step", type, step) };
    return mcl_from_expression(type, sequence_of(type)->step, NULL, bindings, 2, count);
}

int mcl__steps_by_zero(const mcl_input *input)
{
    if (!input->type || !input->expression || input->expression != sequence_of(input->type)->step) return 0;
    const unsigned char *const step = input->bindings[1].value.bytes;
    for (size_t k = 0; k < input->type->size; ++k)
        if (step[k]) return 0;
    return 1;
}

mcl_input mcl_from_constant(const mcl_type *type, const void *value, int64_t count)
{
    const mcl_binding binding = mcl_binding_value("value", type, value);
    return mcl_from_expression(type, "value", NULL, &binding, 1, count);
}

mcl_input mcl_from_expression(const mcl_type *type, const char *expression, const char *source,
                              const mcl_binding *bindings, int binding_count, int64_t count)
{
    mcl_input input = {
        .type = type,
        .count = count,
        .expression = expression ? expression : "", /* NULL would make the input an array */
        .source = source,
        .binding_count = binding_count,
    };
    for (int k = 0; bindings && k < binding_count && k < MCL_BINDINGS_MAX; ++k) input.bindings[k] = bindings[k];
    return input;
}

mcl_input mcl_with_count(mcl_input input, mcl_buffer *slot, int64_t slot_index)
{
    return mcl_with_count_of(input, MCL_INT64, slot, slot_index);
}

mcl_input mcl_with_count_of(mcl_input input, const mcl_type *type, mcl_buffer *slot, int64_t slot_index)
{
    input.count_slot = slot;
    input.count_slot_index = slot_index;
    input.count_slot_type = type;
    return input;
}

/* ---- outputs and results -------------------------------------------------------------------------------- */

mcl_output mcl_to_buffer(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t capacity)
{
    return (mcl_output){ .type = type, .buffer = buffer, .offset = offset, .capacity = capacity };
}

mcl_result mcl_to_host(const mcl_type *type, void *host)
{
    return (mcl_result){ .type = type, .host = host };
}

mcl_result mcl_to_slot(const mcl_type *type, mcl_buffer *buffer, int64_t offset)
{
    return (mcl_result){ .type = type, .buffer = buffer, .offset = offset };
}

mcl_result mcl_to_host_and_slot(const mcl_type *type, void *host, mcl_buffer *buffer, int64_t offset)
{
    return (mcl_result){ .type = type, .host = host, .buffer = buffer, .offset = offset };
}

mcl_amount mcl_amount_of(int64_t number)
{
    return (mcl_amount){ .number = number };
}

mcl_amount mcl_amount_in_slot(int64_t bound, const mcl_type *type, mcl_buffer *slot, int64_t slot_index)
{
    return mcl_amount_of_each(bound, mcl_from_buffer(type, slot, slot_index, 1));
}

mcl_amount mcl_amount_of_each(int64_t bound, mcl_input numbers)
{
    return (mcl_amount){ bound, numbers };
}

mcl_result mcl_to_nowhere(void)
{
    return (mcl_result){ 0 };
}
