/* types.c: compares types and operators by their content. */
#include "call/check/check.h"

const mcl_type *const mcl__built_in_types[MCL__BUILT_IN_TYPES] = {
#define X(upper, lower, text, size, kind) &mcl_type_##lower,
    MCL_TYPE_LIST(X)
#undef X
};

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int mcl__is_identifier(const char *name)
{
    if (!name || !is_letter(name[0])) return 0;
    while (is_letter(*name) || (*name >= '0' && *name <= '9')) ++name;
    return *name == 0;
}

int mcl__same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

int mcl__same_type(const mcl_type *a, const mcl_type *b)
{
    return a == b || (a && b && a->size == b->size && a->kind == b->kind && mcl__same_text(a->name, b->name) &&
                      mcl__same_text(a->source, b->source));
}

int mcl__is_of(const mcl_type *type, mcl__types types)
{
    const int is_integer = mcl__is_integer(type);
    switch (types) {
    case MCL__INTEGERS:
        return is_integer;
    case MCL__INDICES:
        return mcl__same_type(type, MCL_INT32) || mcl__same_type(type, MCL_INT64);
    case MCL__FLAGS:
        return mcl__same_type(type, MCL_UINT32) || mcl__same_type(type, MCL_INT32);
    case MCL__COUNTS:
        return mcl__is_of(type, MCL__INDICES) || mcl__same_type(type, MCL_UINT32);
    case MCL__BUILT_INS:
        return type->kind != MCL_KIND_STRUCT;
    case MCL__BYTES:
        return is_integer && type->size == 1;
    case MCL__OFFSETS:
        return mcl__is_of(type, MCL__INDICES) || mcl__same_type(type, MCL_UINT32);
    case MCL__REALS:
        return mcl__same_type(type, MCL_FLOAT) || mcl__same_type(type, MCL_DOUBLE);
    default:
        return 1;
    }
}

int mcl__is_integer(const mcl_type *type)
{
    return type->kind == MCL_KIND_SIGNED || type->kind == MCL_KIND_UNSIGNED;
}

size_t mcl__staged_bytes(const mcl_type *type)
{
    return mcl__same_type(type, MCL_HALF) ? sizeof(float) : type->size;
}

int mcl__same_op(const mcl_op *a, const mcl_op *b)
{
    if (a == b) return 1;
    return a && b && a->role == b->role && mcl__same_text(a->expression, b->expression) &&
           mcl__same_text(a->source, b->source) && mcl__same_text(a->identity, b->identity) &&
           mcl__same_text(a->extract, b->extract) && mcl__same_text(a->combine, b->combine) &&
           mcl__same_type(a->value, b->value) && mcl__same_type(a->result, b->result) &&
           !a->commutative == !b->commutative && a->binding_count == 0 && b->binding_count == 0;
}
