/* spec.c: writes a spec as bytes. Every text follows its length, and every array element follows a mark that says
 * whether it is used. So equal bytes mean equal specs. Each call runs this code, so it only copies. */
#include "program/program.h"

#include <string.h>

/* Appends bytes. If there is room, it does so without a function call and a final 0. There nearly always is room, since
 * the key's memory is reused. */
static inline void put(mcl__text *out, const void *bytes, size_t count)
{
    if (out->data && !out->failed && count < out->capacity - out->length) {
        memcpy(out->data + out->length, bytes, count);
        out->length += count;
    } else {
        mcl__text_bytes(out, bytes, count);
    }
}

static inline void put_byte(mcl__text *out, int value)
{
    const unsigned char byte = (unsigned char)value;
    put(out, &byte, 1);
}

static inline void put_number(mcl__text *out, uint64_t value)
{
    put(out, &value, sizeof value);
}

static inline void put_int(mcl__text *out, int value)
{
    put(out, &value, sizeof value);
}

/* Appends a text after its length. NULL has its own length, so it differs from "". */
static inline void put_text(mcl__text *out, const char *text)
{
    const uint32_t length = text ? (uint32_t)strlen(text) : UINT32_MAX;
    put(out, &length, sizeof length);
    if (text) put(out, text, length);
}

/* Appends a type. A built-in number is one byte from its kind and size, below 64. Larger bytes mark other types. */
void mcl__key_type(mcl__text *out, const mcl_type *type)
{
    enum { NO_TYPE = 255, STRUCT_TYPE = 254 };
    if (!type) {
        put_byte(out, NO_TYPE);
        return;
    }
    if (type->kind != MCL_KIND_STRUCT) {
        put_byte(out, (int)type->kind * 16 + (int)type->size);
        return;
    }
    put_byte(out, STRUCT_TYPE);
    put_text(out, type->name);
    put_text(out, type->source);
    put_number(out, type->size);
    put_number(out, type->alignment);
    put_int(out, type->member_count);
    for (int k = 0; k < type->member_count; ++k) {
        put_text(out, type->members[k].name);
        put_number(out, type->members[k].offset);
    }
}

static void put_bindings(mcl__text *out, const mcl_binding *bindings, int count)
{
    put_byte(out, count);
    for (int k = 0; k < count; ++k) {
        put_text(out, bindings[k].name);
        mcl__key_type(out, bindings[k].type);
        put_byte(out, bindings[k].buffer != NULL);
    }
}

void mcl__key_op(mcl__text *out, const mcl_op *op)
{
    put_text(out, op->expression);
    put_text(out, op->source);
    put_text(out, op->identity);
    mcl__key_type(out, op->value);
    put_text(out, op->extract);
    mcl__key_type(out, op->result);
    put_text(out, op->combine);
    put_byte(out, op->commutative != 0);
    put_bindings(out, op->bindings, op->binding_count);
}

void mcl__key_input(mcl__text *out, const mcl_input *input)
{
    mcl__key_type(out, input->type);
    mcl__key_type(out, mcl__slot_type(input));
    put_text(out, input->expression);
    if (!input->expression) return;
    put_text(out, input->source);
    put_bindings(out, input->bindings, input->binding_count);
}

/* Appends a name. It appends nothing for a spec with a declaration, since names follow from the declaration. */
static void put_name(mcl__text *out, const mcl__spec *spec, const char *name)
{
    if (!spec->declared.write) put_text(out, name);
}

static void put_operands(const mcl__spec *spec, mcl__text *out)
{
    for (int k = 0; k < MCL__OPERANDS_MAX; ++k) {
        const mcl_input *const input = spec->inputs[k].input;
        put_byte(out, (input != NULL) + 2 * (spec->outputs[k].name != NULL));
        if (input) {
            put_name(out, spec, spec->inputs[k].name);
            put_byte(out, (spec->inputs[k].placed != 0) + 2 * (spec->inputs[k].count_alone != 0));
            mcl__key_input(out, input);
        }
        if (spec->outputs[k].name) {
            put_name(out, spec, spec->outputs[k].name);
            put_byte(out, (spec->outputs[k].is_left_out != 0) + 2 * (spec->outputs[k].is_count != 0));
            mcl__key_type(out, spec->outputs[k].type);
        }
    }
}

void mcl__spec_key(const mcl__spec *spec, mcl__text *out)
{
    mcl__text_clear(out);
    put(out, spec->declared.tables, sizeof spec->declared.tables);
    put_int(out, (int)spec->declared.operands);
    put_int(out, (int)spec->declared.passes);
    put_int(out, (int)spec->declared.without);
    put_int(out, (int)spec->declared.values);
    put_name(out, spec, spec->file);
    put_name(out, spec, spec->text);
    put_int(out, spec->tile.threads);
    put_int(out, spec->tile.items);
    put_int(out, (int)spec->local_bytes);
    put_byte(out, spec->index_bits);
    put_byte(out, spec->aliased != 0);
    put_byte(out, spec->uncontracted != 0);
    for (int k = 0; k < MCL__KERNELS_MAX && !spec->declared.write; ++k) {
        put_text(out, spec->kernels[k]);
        if (spec->kernels[k]) put_int(out, spec->threads[k]);
    }
    for (int k = 0; k < MCL__TYPES_MAX; ++k) {
        put_byte(out, spec->types[k].name != NULL);
        if (!spec->types[k].name) continue;
        put_name(out, spec, spec->types[k].name);
        mcl__key_type(out, spec->types[k].type);
    }
    for (int k = 0; k < MCL__OPS_MAX; ++k) {
        put_byte(out, spec->ops[k].op != NULL);
        if (!spec->ops[k].op) continue;
        put_name(out, spec, spec->ops[k].name);
        put_byte(out, (int)spec->ops[k].role);
        mcl__key_type(out, spec->ops[k].element);
        mcl__key_type(out, spec->ops[k].value);
        mcl__key_type(out, spec->ops[k].stored);
        mcl__key_op(out, spec->ops[k].op);
    }
    put_operands(spec, out);
    for (int k = 0; k < MCL__DEFINES_MAX; ++k) {
        put_byte(out, spec->defines[k].name != NULL);
        if (!spec->defines[k].name) continue;
        put_text(out, spec->defines[k].name);
        put_int(out, spec->defines[k].value);
    }
    if (!out->failed) out->data[out->length] = 0; /* put leaves room for this 0 */
}
