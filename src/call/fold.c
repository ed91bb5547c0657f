/* fold.c: checks folding operators, and computes sizes of accumulators. */
#include "call/fold.h"
#include "call/check/check.h"

/* ---- the accumulator ------------------------------------------------------------------------------------ */

static int is_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int mcl__fold_is_indexed(const mcl_op *op)
{
    return mcl__same_type(op->value, MCL_INDEXED);
}

/* Returns 1 where the parenthesis at open begins the arguments of a function. LESS is no function here, since it takes
 * numbers of every type. */
static int is_call(const char *text, const char *open)
{
    const char *begin = open;
    while (begin > text && begin[-1] == ' ') --begin;
    const char *const end = begin;
    while (begin > text && is_name(begin[-1])) --begin;
    return begin < end && !(end - begin == 4 && strncmp(begin, "LESS", 4) == 0);
}

/* Returns 1 where the text may need integers: it has one of & | ^ ~ % << >>, an index in brackets, or a function
 * call. */
static int text_takes_integers(const char *text)
{
    for (const char *at = text; at && *at; ++at) {
        const int is_twice = at[1] == *at;
        if (strchr("^~%[", *at) || ((*at == '<' || *at == '>') && is_twice)) return 1;
        if (*at == '(' && is_call(text, at)) return 1;
        if (*at != '&' && *at != '|') continue;
        if (!is_twice) return 1;
        ++at;
    }
    return 0;
}

/* Returns 1 where the operator may need integers. Any combine may need them, since it may divide. */
static int takes_integers(const mcl_op *op)
{
    return op->combine || text_takes_integers(op->expression) || text_takes_integers(op->identity);
}

static const mcl_type *integer_of(mcl_kind kind, size_t size)
{
    for (int k = 0; k < MCL__BUILT_IN_TYPES; ++k)
        if (mcl__built_in_types[k]->kind == kind && mcl__built_in_types[k]->size == size) return mcl__built_in_types[k];
    return NULL;
}

/* Returns the type in which floats of this size are accumulated. */
static const mcl_type *real_of(size_t size)
{
    return size > sizeof(float) ? MCL_DOUBLE : MCL_FLOAT;
}

/* Returns the bytes of the widest float result if reals is 1, else those of the widest integer result; 0 where there is
 * none. Results that combine makes in its own type do not count. */
static size_t widest(const mcl_op *op, int reals, const mcl_type *const *results, int result_count)
{
    size_t bytes = 0;
    for (int k = 0; k < result_count; ++k) {
        const mcl_type *const type = results[k];
        if (!type || type->kind == MCL_KIND_STRUCT || (type->kind == MCL_KIND_FLOAT) != reals) continue;
        if (op->combine && op->result && mcl__same_type(op->result, type)) continue;
        if (type->size > bytes) bytes = type->size;
    }
    return bytes;
}

const mcl_type *mcl_op_accumulator(const mcl_op *op, const mcl_type *element, const mcl_type *const *results,
                                   int result_count)
{
    if (!op || op->value) return op ? op->value : element;
    if (!element || element->kind == MCL_KIND_STRUCT) return element;
    const size_t real = widest(op, 1, results, result_count), whole = widest(op, 0, results, result_count);
    if (element->kind == MCL_KIND_FLOAT) return real > element->size ? real_of(real) : element;
    if (real > 0 && whole == 0 && !takes_integers(op)) return real_of(real);
    const size_t size = real > 0 ? sizeof(int64_t) : whole;
    return size > element->size ? integer_of(element->kind, size) : element;
}

static int is_indexed(const mcl_type *value)
{
    return mcl__same_type(value, MCL_INDEXED);
}

int mcl__fold_rounds(const mcl_type *value)
{
    return value && !is_indexed(value) && !mcl__is_integer(value);
}

/* ---- checks and sizes ----------------------------------------------------------------------------------- */

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

mcl_status mcl__check_fold_result(const char *parameter, const mcl_op *op, int combined, const mcl_type *value,
                                  const mcl_type *type)
{
    if (combined && op->combine && op->result && mcl__same_type(op->result, type)) return MCL_OK;
    if (is_indexed(value)) {
        if (mcl__is_of(type, MCL__INTEGERS) || type->kind == MCL_KIND_STRUCT) return MCL_OK;
        return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected an integer, or a struct of value and index", parameter,
                         type->name);
    }
    if (mcl__same_type(value, type)) return MCL_OK;
    if (value->kind != MCL_KIND_STRUCT && type->kind != MCL_KIND_STRUCT) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s and op folds %s; expected one type, or two numbers%s", parameter,
                     type->name, value->name, op->value ? "" : " (op.value is NULL: it folds the elements' type)");
}

/* Returns the bytes of an accumulator. MCL_INDEXED has the value, then an index aligned to its own size. */
size_t mcl__fold_bytes(const mcl_type *value, const mcl_type *element, int index_bits)
{
    if (!is_indexed(value)) return mcl__staged_bytes(value);
    const size_t index = (size_t)index_bits / 8;
    const size_t bytes = mcl__staged_bytes(element);
    const size_t alignment = element->kind == MCL_KIND_STRUCT ? 8 : index > bytes ? index : bytes;
    return ((bytes + index - 1) / index * index + index + alignment - 1) / alignment * alignment;
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
    if (exponent == 0) { /* zero or a subnormal number: fraction / 2^24 */
        value = (float)fraction / 16777216.0f;
        return sign ? -value : value;
    }
    word = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* ---- initial values ------------------------------------------------------------------------------------- */

/* A number of any type. kind says whether whole or real is used. */
typedef struct number {
    mcl_kind kind;
    int64_t whole; /* the bits of the number where kind is unsigned */
    double real;
} number;

typedef union bytes_of {
    int8_t signed_1;
    uint8_t unsigned_1;
    int16_t signed_2;
    uint16_t unsigned_2;
    int32_t signed_4;
    uint32_t unsigned_4;
    int64_t whole;
    float real_4;
    double real_8;
} bytes_of;

static double real_in(bytes_of bytes, size_t size)
{
    if (size == sizeof(double)) return bytes.real_8;
    return (double)(size == sizeof(float) ? bytes.real_4 : mcl__half_to_float(bytes.unsigned_2));
}

static int64_t whole_in(bytes_of bytes, size_t size, int is_signed)
{
    if (size == 1) return is_signed ? bytes.signed_1 : bytes.unsigned_1;
    if (size == 2) return is_signed ? bytes.signed_2 : bytes.unsigned_2;
    if (size == 4) return is_signed ? bytes.signed_4 : (int64_t)bytes.unsigned_4;
    return bytes.whole;
}

static number load_number(const mcl_type *type, const void *from)
{
    number made = { .kind = type->kind };
    bytes_of bytes = { .whole = 0 };
    memcpy(&bytes, from, type->size);
    if (type->kind == MCL_KIND_FLOAT)
        made.real = real_in(bytes, type->size);
    else
        made.whole = whole_in(bytes, type->size, type->kind == MCL_KIND_SIGNED);
    return made;
}

/* Converts a number to float. An integer is converted in one step, so that it is rounded only once. */
static float to_float(number from)
{
    if (from.kind == MCL_KIND_FLOAT) return (float)from.real;
    return from.kind == MCL_KIND_SIGNED ? (float)from.whole : (float)(uint64_t)from.whole;
}

static double to_double(number from)
{
    if (from.kind == MCL_KIND_FLOAT) return from.real;
    return from.kind == MCL_KIND_SIGNED ? (double)from.whole : (double)(uint64_t)from.whole;
}

/* Converts a number to type, and returns its bytes. An integer becomes a float, or an integer that is at least as
 * wide. */
static bytes_of as_bytes(number from, const mcl_type *type)
{
    bytes_of made = { .whole = 0 };
    if (type->kind == MCL_KIND_FLOAT && type->size == sizeof(double))
        made.real_8 = to_double(from);
    else if (type->kind == MCL_KIND_FLOAT)
        made.real_4 = to_float(from);
    else if (type->size == 1)
        made.unsigned_1 = (uint8_t)from.whole;
    else if (type->size == 2)
        made.unsigned_2 = (uint16_t)from.whole;
    else if (type->size == 4)
        made.unsigned_4 = (uint32_t)from.whole;
    else
        made.whole = from.whole;
    return made;
}

mcl__initial mcl__fold_initial(const mcl_op *op, const mcl_type *element, const mcl_type *value,
                               const mcl_options *options)
{
    mcl__initial initial = { 0 };
    if (!options || !options->initial) return initial;
    const mcl_type *const given = op->value ? op->value : element;
    initial.given = 1;
    initial.size = mcl__staged_bytes(value);
    if (given->kind == MCL_KIND_STRUCT) {
        memcpy(initial.value.bytes, options->initial, given->size);
        return initial;
    }
    const bytes_of bytes = as_bytes(load_number(given, options->initial), value);
    memcpy(initial.value.bytes, &bytes, initial.size);
    return initial;
}
