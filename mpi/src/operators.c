/* operators.c: operators that use indices of the whole sequence, and folds in two steps. */
#include "operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- indices ----------------------------------------------------------------------------------------------- */

/* Returns whether c can be in a name. Only letters of ASCII count, whatever the locale is, since compilers of the texts
 * do the same. */
static int is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_blank(char c)
{
    return c != 0 && strchr(" \t\n\v\f\r", c) != NULL;
}

/* Returns whether *at is the name i, and no member of a struct. */
static int is_index(const char *text, const char *at)
{
    if (*at != 'i' || is_word(at[1]) || (at > text && is_word(at[-1]))) return 0;
    const char *before = at;
    while (before > text && is_blank(before[-1])) --before;
    if (before == text) return 1;
    return before[-1] != '.' && !(before[-1] == '>' && before - 1 > text && before[-2] == '-');
}

/* Copies a text with the index of the whole sequence for i. out has EXPRESSION_BYTES bytes. */
static mcl_status place_index(mcl_mpi *mpi, const char *text, char *out)
{
    static const char index[] = "(i + mcl_first)";
    size_t used = 0;
    for (const char *at = text; *at; ++at) {
        const int is_replaced = is_index(text, at);
        const size_t length = is_replaced ? sizeof index - 1 : 1;
        if (used + length >= EXPRESSION_BYTES)
            return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "an operator's text has more than %d characters",
                               EXPRESSION_BYTES);
        memcpy(out + used, is_replaced ? index : at, length);
        used += length;
    }
    out[used] = 0;
    return MCL_OK;
}

static mcl_status bind(mcl_mpi *mpi, mcl_op *op, mcl_binding binding)
{
    if (op->binding_count < 0 || op->binding_count >= MCL_BINDINGS_MAX)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "op has %d bindings; expected at most %d", op->binding_count,
                           MCL_BINDINGS_MAX - 2);
    op->bindings[op->binding_count++] = binding;
    return MCL_OK;
}

static int is_indexed(const mcl_op *op)
{
    return op->value && strcmp(op->value->name, mcl_type_indexed.name) == 0 && op->value->size == 0;
}

mcl_status mcl__place_op(mcl_mpi *mpi, const mcl_op *op, int64_t first, mcl__placed_op *out)
{
    out->op = *op;
    const int is_fold = op->role == MCL_ROLE_FOLD;
    const char *text = is_fold ? op->extract : op->expression;
    if (!text && is_fold && is_indexed(op)) text = "INDEXED(x, i)";
    if (!text) return MCL_OK; /* the operator uses no index, or the core refuses it */
    const mcl_status status = place_index(mpi, text, out->text);
    if (status != MCL_OK || strcmp(out->text, text) == 0) return status;
    if (is_fold)
        out->op.extract = out->text;
    else
        out->op.expression = out->text;
    return bind(mpi, &out->op, mcl_binding_value("mcl_first", MCL_INT64, &first));
}

/* ---- folds ------------------------------------------------------------------------------------------------- */

/* Returns the type in which kernels compute with numbers of a type. */
static const mcl_type *computed(const mcl_type *type)
{
    return type->kind == MCL_KIND_FLOAT && type->size == 2 ? MCL_FLOAT : type;
}

/* Describes a struct of a value and a 64-bit index, as the type of partials. */
static void describe_indexed(mcl__fold *fold)
{
    const mcl_type *const value = computed(fold->element);
    snprintf(fold->indexed_name, sizeof fold->indexed_name, "mcl_partial_%s", value->name);
    snprintf(fold->indexed_text, sizeof fold->indexed_text, "%s\ntypedef struct { %s value; int64_t index; } %s;",
             value->source ? value->source : "", value->name, fold->indexed_name);
    const size_t index_offset = (value->size + 7) / 8 * 8;
    fold->indexed_type = (mcl_type){
        .name = fold->indexed_name, .size = index_offset + 8, .source = fold->indexed_text, .kind = MCL_KIND_STRUCT
    };
    fold->partial = &fold->indexed_type;
}

/* Converts a half to a float, which has the same value. Infinities and NaN stay what they are. */
static float half_to_float(const void *bytes)
{
    uint16_t half;
    memcpy(&half, bytes, sizeof half);
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;
    uint32_t bits = (magnitude << 13) + (112u << 23);
    if (magnitude >= 0x7c00) bits += 112u << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    if (magnitude < 0x0400) value = (float)magnitude / 16777216.0f; /* a subnormal half, in units of 2^-24 */
    memcpy(&bits, &value, sizeof bits);
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bytes of the widest integer and of the widest float among result types. */
typedef struct asked {
    int64_t whole, real;
} asked;

static void ask(asked *all, int64_t whole, int64_t real)
{
    if (whole > all->whole) all->whole = whole;
    if (real > all->real) all->real = real;
}

/* Returns whether type is the result type of combine. Such a result does not widen the fold. */
static int is_combined(const mcl_op *op, const mcl_type *type)
{
    return op && op->combine && op->result && op->result->name && strcmp(op->result->name, type->name) == 0;
}

mcl_status mcl__fold_results(mcl_mpi *mpi, const mcl_op *op, const mcl_type *results[MCL__FOLD_RESULTS])
{
    asked mine = { 0 }, *all = NULL;
    for (int k = 0; k < MCL__FOLD_RESULTS; ++k) {
        const mcl_type *const type = results[k];
        if (!type || !type->name || type->kind == MCL_KIND_STRUCT || is_combined(op, type)) continue;
        const int64_t bytes = (int64_t)type->size;
        ask(&mine, type->kind == MCL_KIND_FLOAT ? 0 : bytes, type->kind == MCL_KIND_FLOAT ? bytes : 0);
    }
    MCL__AGREE(mpi, mcl__array(mpi, mpi->size, sizeof *all, &all));
    const mcl_status status = mcl__gather_all(mpi, &mine, all, sizeof mine);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) ask(&mine, all[r].whole, all[r].real);
    free(all);
    results[0] = mine.whole > 4 ? MCL_INT64 : mine.whole > 2 ? MCL_INT32 : mine.whole > 1 ? MCL_INT16 : NULL;
    results[1] = mine.real > 4 ? MCL_DOUBLE : mine.real > 2 ? MCL_FLOAT : mine.real > 0 ? MCL_HALF : NULL;
    if (mine.whole == 1) results[0] = MCL_INT8;
    return status;
}

/* Returns an integer as 64 bits. */
static uint64_t whole_of(const mcl_type *type, const void *bytes)
{
    union {
        int8_t one;
        int16_t two;
        int32_t four;
        uint64_t all;
    } value = { .all = 0 };
    memcpy(&value, bytes, type->size);
    if (type->kind == MCL_KIND_UNSIGNED || type->size == 8) return value.all;
    return (uint64_t)(int64_t)(type->size == 1 ? value.one : type->size == 2 ? value.two : value.four);
}

static double real_of(const mcl_type *type, const void *bytes)
{
    double wide;
    float narrow;
    if (type->kind == MCL_KIND_SIGNED) return (double)(int64_t)whole_of(type, bytes);
    if (type->kind == MCL_KIND_UNSIGNED) return (double)whole_of(type, bytes);
    if (type->size == 2) return (double)half_to_float(bytes);
    memcpy(&wide, bytes, type->size == 8 ? 8 : 0);
    if (type->size == 8) return wide;
    memcpy(&narrow, bytes, sizeof narrow);
    return (double)narrow;
}

/* Converts the initial value to the type of partials. It is given in the operator's own type, or else in the elements'
 * type. */
static void widen_initial(mcl__fold *fold, const mcl_type *from)
{
    const void *const given = fold->initial;
    if (!given || fold->is_indexed || from->kind == MCL_KIND_STRUCT || from == fold->partial) return;
    if (fold->partial->kind != MCL_KIND_FLOAT)
        fold->wide_initial.whole = whole_of(from, given);
    else if (fold->partial->size == sizeof(double))
        fold->wide_initial.real_8 = real_of(from, given);
    else
        fold->wide_initial.real_4 = (float)real_of(from, given);
    fold->initial = &fold->wide_initial;
}

mcl_status mcl__fold_plan(mcl_mpi *mpi, const mcl_op *given, const mcl_type *element, const mcl_type *const *results,
                          int64_t first, const mcl_options *options, mcl__fold *out)
{
    if (!given) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "op is NULL");
    mcl_op fold = *given;
    const mcl_op *const op = &fold;
    if (fold.role == 0) fold.role = MCL_ROLE_FOLD; /* a call of a fold sets the missing role */
    if (op->role != MCL_ROLE_FOLD || !op->expression)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "op is no fold; expected an operator of MCL_ROLE_FOLD");
    memset(out, 0, sizeof *out);
    out->element = element;
    out->is_indexed = is_indexed(op);
    const mcl_status status = mcl__place_op(mpi, op, first, &out->local);
    if (status != MCL_OK) return status;
    if (out->is_indexed)
        describe_indexed(out);
    else
        out->partial = computed(mcl_op_accumulator(op, element, results, MCL__FOLD_RESULTS));
    out->initial = options ? options->initial : NULL;
    widen_initial(out, op->value ? op->value : element);
    /* both steps fold in the type of the whole call, whatever type they store */
    if (!out->is_indexed && out->partial != (op->value ? op->value : element)) out->local.op.value = out->partial;
    out->joined = *op;
    out->joined.value = out->local.op.value;
    out->joined.combine = NULL;
    out->joined.result = NULL;
    out->joined.extract = out->is_indexed ? "INDEXED(mcl_partials[i].value, mcl_partials[i].index)" : "mcl_partials[i]";
    return MCL_OK;
}

mcl_status mcl__fold_fits(mcl_mpi *mpi, const mcl__fold *fold, const mcl_op *op, int64_t whole, const mcl_type *type)
{
    if (!fold->is_indexed || !type || whole == 0) return MCL_OK;
    const mcl_input all = mcl_from_expression(fold->element, "0", NULL, NULL, 0, whole);
    return mcl_reduce(mpi->queue, all, op, (mcl_result){ .type = type }, NULL);
}

mcl_status mcl__fold_put_before(mcl_mpi *mpi, mcl__fold *fold, mcl_buffer *before)
{
    mcl_op *const op = &fold->local.op;
    char placed[sizeof fold->local.text];
    memcpy(placed, fold->local.text, sizeof placed);
    snprintf(fold->local.text, sizeof fold->local.text,
             "i == 0 ? INDEXED(mcl_before[0].value, mcl_before[0].index) : (%.*s\n)", EXPRESSION_BYTES, placed);
    op->extract = fold->local.text;
    return bind(mpi, op, mcl_binding_buffer("mcl_before", fold->partial, before, 0));
}

mcl_options mcl__fold_options(const mcl__fold *fold, const mcl_options *options)
{
    mcl_options own = { 0 };
    if (options) {
        own.flags = options->flags;
        own.tile_threads = options->tile_threads;
        own.tile_items = options->tile_items;
    }
    if (fold->is_indexed) own.flags |= MCL_INDEX_64;
    return own;
}

mcl_status mcl__fold_partials(mcl_mpi *mpi, const mcl__fold *fold, mcl_input in, const mcl_options *options,
                              const int64_t *counts, mcl_buffer **partials)
{
    const size_t size = fold->partial->size;
    unsigned char mine[MCL_VALUE_BYTES_MAX + 16] = { 0 }, *all = NULL;
    mcl_op local = fold->local.op;
    local.combine = NULL;
    const mcl_options own = mcl__fold_options(fold, options);
    mcl_status status = mcl__array(mpi, mpi->size, size, &all);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_PARTIALS, mpi->size * (int64_t)size, partials));
    if (in.count > 0) MCL__THEN(status, mcl_reduce(mpi->queue, in, &local, mcl_to_host(fold->partial, mine), &own));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_edges(mpi, mine, all, size));
    size_t used = 0;
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        if (counts[r] == 0) continue;
        memmove(all + used, all + (size_t)r * size, size);
        used += size;
    }
    if (used > 0) MCL__THEN(status, mcl_buffer_write(mpi->queue, *partials, 0, used, all));
    free(all);
    return status;
}

mcl_status mcl__fold_joined(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, mcl_op *out)
{
    *out = fold->joined;
    return bind(mpi, out, mcl_binding_buffer("mcl_partials", fold->partial, partials, 0));
}

mcl_status mcl__fold_join(mcl_mpi *mpi, const mcl__fold *fold, mcl_buffer *partials, int64_t count, mcl_result result,
                          const mcl_options *options)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    mcl_op joined;
    const mcl_status status = mcl__fold_joined(mpi, fold, partials, &joined);
    if (status != MCL_OK) return status;
    mcl_options own = mcl__fold_options(fold, options);
    own.initial = fold->initial;
    return mcl_reduce(mpi->queue, mcl_from_constant(fold->element, zeros, count), &joined, result, &own);
}
