/* sign.c: makes the signature of a call, item by item, and compares signatures. No other file compares the items on
 * which ranks must agree. */
#include "ranks.h"

#include <stdio.h>
#include <string.h>

static const uint64_t FNV_START = 14695981039346656037u, FNV_PRIME = 1099511628211u;

/* ---- hashes ------------------------------------------------------------------------------------------------ */

static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *const all = bytes;
    for (size_t k = 0; k < count; ++k) hash = (hash ^ all[k]) * FNV_PRIME;
    return hash;
}

/* Adds a text and a mark of its end to a hash, so that the texts "a", "bc" differ from "ab", "c". NULL differs from
 * "". */
static uint64_t mix_text(uint64_t hash, const char *text)
{
    if (!text) return (hash ^ 0xfe) * FNV_PRIME;
    return (mix_bytes(hash, text, strlen(text)) ^ 0xff) * FNV_PRIME;
}

static uint64_t mix_number(uint64_t hash, int64_t number)
{
    return mix_bytes(hash, &number, sizeof number);
}

static uint64_t mix_type(uint64_t hash, const mcl_type *type)
{
    if (!type) return mix_number(hash, -1);
    hash = mix_text(mix_text(hash, type->name), type->source);
    hash = mix_number(mix_number(hash, (int64_t)type->size), (int64_t)type->alignment);
    hash = mix_number(mix_number(hash, type->kind), type->member_count);
    for (int k = 0; type->members && k < type->member_count; ++k)
        hash = mix_number(mix_text(hash, type->members[k].name), (int64_t)type->members[k].offset);
    return hash;
}

/* ---- items ------------------------------------------------------------------------------------------------- */

/* Adds an item. If the signature is full, only its hash changes. */
static void add(mcl__signature *signature, const char *name, uint64_t hash, const char *text)
{
    signature->hash = mix_number(mix_text(signature->hash, name), (int64_t)hash);
    if (signature->count == SIGNED_MOST) return;
    mcl__signed_item *const item = &signature->items[signature->count++];
    snprintf(item->name, sizeof item->name, "%s", name);
    snprintf(item->text, sizeof item->text, "%s", text);
    item->hash = hash;
}

/* Adds a text. For a long text the item has its beginning, its length and its hash. */
static void add_text(mcl__signature *signature, const char *name, const char *text)
{
    char shown[2 * SIGNED_TEXT_BYTES]; /* the item keeps at most the first half of this */
    const uint64_t hash = mix_text(FNV_START, text);
    if (text && strlen(text) >= SIGNED_TEXT_BYTES - 2)
        snprintf(shown, sizeof shown, "\"%.50s ...\" (%zu characters, #%08x)", text, strlen(text), (unsigned)hash);
    else
        snprintf(shown, sizeof shown, text ? "\"%s\"" : "not given", text);
    add(signature, name, hash, shown);
}

mcl__signature *mcl__sign(mcl_mpi *mpi)
{
    mpi->signature.hash = FNV_START;
    mpi->signature.count = 0;
    add_text(&mpi->signature, "the function", mpi->function);
    return &mpi->signature;
}

void mcl__sign_number(mcl__signature *signature, const char *name, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)number);
    add(signature, name, mix_number(FNV_START, number), text);
}

void mcl__sign_real(mcl__signature *signature, const char *name, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", number);
    add(signature, name, mix_bytes(FNV_START, &number, sizeof number), text);
}

static void write_hex(char *text, size_t capacity, const void *bytes, size_t count)
{
    const unsigned char *const all = bytes;
    for (size_t k = 0; k < count && 2 * k + 2 < capacity; ++k) snprintf(text + 2 * k, capacity - 2 * k, "%02x", all[k]);
}

void mcl__sign_bytes(mcl__signature *signature, const char *name, const void *bytes, size_t count)
{
    char text[40] = "not given";
    const size_t used = count < MCL_VALUE_BYTES_MAX ? count : MCL_VALUE_BYTES_MAX;
    if (bytes) snprintf(text, sizeof text, "of no bytes");
    if (bytes) write_hex(text, sizeof text, bytes, used < 12 ? used : 12);
    const uint64_t hash = bytes ? mix_bytes(FNV_START, bytes, used) : 0;
    const size_t length = strlen(text);
    if (bytes && used > 12) snprintf(text + length, sizeof text - length, "... #%08x", (unsigned)hash);
    add(signature, name, hash, text);
}

void mcl__sign_list(mcl__signature *signature, const char *name, const void *elements, int64_t count, size_t size)
{
    const uint64_t hash = mix_number(mix_bytes(FNV_START, elements, (size_t)count * size), count);
    char text[64];
    snprintf(text, sizeof text, "%lld of them, #%016llx", (long long)count, (unsigned long long)hash);
    add(signature, name, hash, text);
}

void mcl__sign_type(mcl__signature *signature, const char *name, const mcl_type *type)
{
    char text[SIGNED_TEXT_BYTES] = "not given";
    const uint64_t hash = mix_type(FNV_START, type);
    if (type && type->kind == MCL_KIND_STRUCT)
        snprintf(text, sizeof text, "%.40s of %zu bytes (#%08x)", type->name ? type->name : "without a name",
                 type->size, (unsigned)hash);
    else if (type)
        snprintf(text, sizeof text, "%.60s", type->name ? type->name : "without a name");
    add(signature, name, hash, text);
}

/* Signs a binding. The offset and the content of an array may differ between ranks, so they are not signed. */
static void sign_binding(mcl__signature *signature, const char *op_name, int index, const mcl_binding *binding)
{
    char name[SIGNED_NAME_BYTES], text[2 * SIGNED_TEXT_BYTES];
    uint64_t hash = mix_type(mix_text(FNV_START, binding->name), binding->type);
    const size_t bytes = binding->type && !binding->buffer ? binding->type->size : 0;
    const size_t used = bytes < MCL_VALUE_BYTES_MAX ? bytes : MCL_VALUE_BYTES_MAX;
    hash = mix_bytes(mix_number(hash, binding->buffer != NULL), binding->value.bytes, used);
    char value[40] = "array";
    write_hex(value, sizeof value, binding->value.bytes, used);
    snprintf(name, sizeof name, "%s->bindings[%d]", op_name, index);
    snprintf(text, sizeof text, "%.24s %.16s %s (#%08x)",
             binding->type && binding->type->name ? binding->type->name : "?", binding->name ? binding->name : "?",
             value, (unsigned)hash);
    add(signature, name, hash, text);
}

/* Makes the name of an operator's member, such as "op->role". */
static const char *member_of(char *out, const char *name, const char *member)
{
    snprintf(out, SIGNED_NAME_BYTES, "%s->%s", name, member);
    return out;
}

void mcl__sign_op(mcl__signature *signature, const char *name, const mcl_op *op)
{
    char full[SIGNED_NAME_BYTES];
    add(signature, name, op != NULL, op ? "given" : "not given");
    if (!op) return;
    mcl__sign_number(signature, member_of(full, name, "role"), op->role);
    const struct {
        const char *name, *text;
    } texts[] = { { "expression", op->expression },
                  { "source", op->source },
                  { "identity", op->identity },
                  { "extract", op->extract },
                  { "combine", op->combine } };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k)
        add_text(signature, member_of(full, name, texts[k].name), texts[k].text);
    mcl__sign_type(signature, member_of(full, name, "value"), op->value);
    mcl__sign_type(signature, member_of(full, name, "result"), op->result);
    mcl__sign_number(signature, member_of(full, name, "commutative"), op->commutative != 0);
    mcl__sign_number(signature, member_of(full, name, "binding_count"), op->binding_count);
    for (int k = 0; k < op->binding_count && k < MCL_BINDINGS_MAX; ++k)
        sign_binding(signature, name, k, &op->bindings[k]);
}

void mcl__sign_fold(mcl__signature *signature, const mcl_op *op, const mcl_type *element, const mcl_options *options)
{
    const mcl_type *const accumulator = op && op->value ? op->value : element;
    mcl__sign_op(signature, "op", op);
    mcl__sign_bytes(signature, "options->initial", options ? options->initial : NULL,
                    accumulator ? accumulator->size : 0);
}

void mcl__sign_given(mcl__signature *signature, const char *name, const mcl_type *given, const mcl_type *otherwise)
{
    mcl__sign_type(signature, name, given ? given : otherwise);
}

void mcl__sign_options(mcl__signature *signature, const mcl_options *options)
{
    static const mcl_options none;
    const mcl_options *const of = options ? options : &none;
    mcl__sign_number(signature, "options->flags", of->flags);
    mcl__sign_number(signature, "options->sort_method", of->sort_method);
}

/* ---- comparison -------------------------------------------------------------------------------------------- */

mcl_status mcl__compare_signatures(mcl_mpi *mpi, const mcl__signature *mine, const mcl__signature *first)
{
    if (mine->hash == first->hash) return MCL_OK;
    int k = 0;
    while (k < mine->count && k < first->count && mine->items[k].hash == first->items[k].hash &&
           strcmp(mine->items[k].name, first->items[k].name) == 0)
        ++k;
    if (k == mine->count || k == first->count)
        return mcl__refuse(mpi, MCL_ERROR_PRECONDITION, "what is called differs from rank 0; expected the same call");
    const mcl__signed_item *const own = &mine->items[k], *const other = &first->items[k];
    return mcl__refuse(mpi, MCL_ERROR_PRECONDITION, "%s is %s, on rank 0 %s; expected the same call on all ranks",
                       own->name, own->text, other->text);
}
