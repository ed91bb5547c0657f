/* fold.c: checks and sizes of folding operators. */
#include "call/fold.h"
#include "call/gate.h"

static const mcl_type *fold_value(const mcl_op *op, const mcl_type *element)
{
    return op->value ? op->value : element;
}

int mcl__fold_is_indexed(const mcl_op *op)
{
    return op->value && mcl__same_type(op->value, MCL_INDEXED);
}

int mcl__fold_rounds(const mcl_op *op, const mcl_type *element)
{
    return mcl__fold_is_indexed(op) ? 0 : !mcl__is_integer(fold_value(op, element));
}

int mcl__fold_by_tree(const mcl_op *op, const mcl_type *element, const mcl_options *options)
{
    return mcl__wants_same_bits(options) && op && element && mcl__fold_rounds(op, element);
}

mcl_status mcl__check_fold(const mcl_op *op, const mcl_options *options, const char *needs_identity)
{
    if (options && options->initial && mcl__fold_is_indexed(op))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->initial is given; expected NULL for an operator that tracks an index");
    if (needs_identity && !op->identity && !(options && options->initial))
        return mcl__fail(MCL_ERROR_ARGUMENT, "op has no identity; expected one, or options->initial, for %s",
                         needs_identity);
    return MCL_OK;
}

mcl_status mcl__check_fold_result(const char *parameter, const mcl_op *op, const mcl_type *element,
                                  const mcl_type *type)
{
    const mcl_type *value = fold_value(op, element);
    if (op->combine && op->result && mcl__same_type(op->result, type)) return MCL_OK;
    if (mcl__fold_is_indexed(op)) {
        if (mcl__is_of(type, MCL__INTEGERS) || type->kind == MCL_KIND_STRUCT) return MCL_OK;
        return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected an integer, or a struct of value and index", parameter,
                         type->name);
    }
    if (mcl__same_type(value, type)) return MCL_OK;
    if (value->kind != MCL_KIND_STRUCT && type->kind != MCL_KIND_STRUCT) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s and op folds %s; expected one type, or two numbers", parameter,
                     type->name, value->name);
}

/* MCL_INDEXED has the value, then an index that is aligned to its own size. */
size_t mcl__fold_bytes(const mcl_op *op, const mcl_type *element, int index_bits)
{
    if (!mcl__fold_is_indexed(op)) return mcl__staged_bytes(fold_value(op, element));
    const size_t index = (size_t)index_bits / 8;
    const size_t value = mcl__staged_bytes(element);
    const size_t widest = index > 8 || element->kind == MCL_KIND_STRUCT ? 8 : index > value ? index : value;
    return ((value + index - 1) / index * index + index + widest - 1) / widest * widest;
}

int64_t mcl__fold_parts(const mcl__limits *limits, mcl__tile tile, int64_t tiles, int64_t wanted, int steps)
{
    int64_t parts = wanted;
    if (limits->loop_budget > 0) {
        const int64_t tiles_a_part = limits->loop_budget / steps / tile.items;
        const int64_t least = mcl__divide_up(tiles, tiles_a_part > 0 ? tiles_a_part : 1);
        if (parts < least) parts = least;
    }
    return tiles < 2 ? 1 : parts < tiles ? parts : tiles;
}

int64_t mcl__fold_groups(const mcl_context *context, mcl__tile tile, int64_t tiles, int64_t parts)
{
    const mcl__limits *const limits = &context->limits;
    if (tile.threads > 1 || limits->is_gpu) return parts;
    int64_t groups = tiles / mcl__tuned(context, MCL__PARAMETER_any_group_tiles_serial);
    if (groups > limits->compute_units) groups = limits->compute_units;
    return groups > 1 ? groups : 1;
}

float mcl__half_to_float(uint16_t bits)
{
    const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
    const uint32_t exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
    uint32_t word;
    float value;
    if (exponent == 0) { /* zero and subnormal: fraction / 2^24 */
        value = (float)fraction / 16777216.0f;
        return sign ? -value : value;
    }
    word = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    memcpy(&value, &word, sizeof value);
    return value;
}

mcl__initial mcl__fold_initial(const mcl_op *op, const mcl_type *element, const mcl_options *options)
{
    mcl__initial initial = { 0 };
    if (!options || !options->initial) return initial;
    const mcl_type *type = fold_value(op, element);
    initial.given = 1;
    initial.size = type->size;
    memcpy(initial.value.bytes, options->initial, type->size);
    if (mcl__same_type(type, MCL_HALF)) {
        uint16_t bits;
        memcpy(&bits, options->initial, sizeof bits);
        initial.value.real = mcl__half_to_float(bits);
        initial.size = sizeof(float);
    }
    return initial;
}
