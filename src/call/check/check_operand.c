/* check_operand.c: checks one operand alone: its type, its range, its count and its bindings. */
#include "call/check/check.h"

#include <stdarg.h>
#include <stdio.h>

/* The subject of an error sentence, such as "a" or "a's binding table". */
typedef struct subject {
    const char *parameter;
    const char *binding; /* NULL if the subject is the parameter itself */
} subject;

static mcl_status fail_at(const subject *at, mcl_status status, const char *format, ...) MCL__PRINTF(3, 4);
static mcl_status fail_at(const subject *at, mcl_status status, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mcl__fail(status, "%s%s%s %s", at->parameter, at->binding ? "'s binding " : "",
                     at->binding ? at->binding : "", text);
}

/* ---- types ---------------------------------------------------------------------------------------------- */

static int is_built_in(const mcl_type *type)
{
    for (int k = 0; k < MCL__BUILT_IN_TYPES; ++k)
        if (mcl__same_type(type, mcl__built_in_types[k])) return 1;
    return 0;
}

/* The end of an error sentence about a reserved name (mcl__is_reserved). */
#define RESERVED "a word of OpenCL C, of CUDA C++ or of the library's texts; expected another name"

static mcl_status check_members(const subject *at, const mcl_type *type)
{
    if (type->member_count < 0 || (type->member_count > 0 && !type->members))
        return fail_at(
            at, MCL_ERROR_ARGUMENT,
            "is of type %s with member_count %d and %s members; expected 0, or as many members as member_count says",
            type->name, type->member_count, type->members ? "some" : "no");
    for (int k = 0; k < type->member_count; ++k) {
        const mcl_member *member = &type->members[k];
        if (!mcl__is_identifier(member->name) || member->offset >= type->size)
            return fail_at(
                at, MCL_ERROR_ARGUMENT,
                "is of type %s whose member %d is \"%s\" at byte %zu; expected a C identifier at a byte below %zu",
                type->name, k, member->name ? member->name : "NULL", member->offset, type->size);
        if (mcl__is_reserved(member->name))
            return fail_at(at, MCL_ERROR_ARGUMENT, "is of type %s whose member %d is \"%s\", " RESERVED, type->name, k,
                           member->name);
    }
    return MCL_OK;
}

static mcl_status check_struct(const subject *at, const mcl_type *type)
{
    if (mcl__is_reserved(type->name) || (type->name[1] == 0 && strchr("pqxivk", type->name[0])))
        return fail_at(at, MCL_ERROR_ARGUMENT, "is of a struct type named \"%s\", " RESERVED, type->name);
    if (!type->source)
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "is of the struct type %s without source; expected the C text that defines it", type->name);
    if (type->alignment & (type->alignment - 1))
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "is of type %s with alignment %zu; expected a power of two, or 0 for no check", type->name,
                       type->alignment);
    if (type->alignment && type->size % type->alignment)
        return fail_at(
            at, MCL_ERROR_ARGUMENT,
            "is of type %s with size %zu and alignment %zu; expected a size that is a multiple of the alignment",
            type->name, type->size, type->alignment);
    return check_members(at, type);
}

/* Returns 1 for MCL_DOUBLE and MCL_DOUBLE_AT. Other structs pass: their text is not read here, and the compiler finds a
 * double. */
static int needs_double(const mcl_type *type)
{
    return mcl__same_type(type, MCL_DOUBLE) || mcl__same_type(type, MCL_DOUBLE_AT);
}

static mcl_status check_type(const subject *at, const mcl_context *context, const mcl_type *type)
{
    if (!type) return fail_at(at, MCL_ERROR_ARGUMENT, "has type NULL; expected an element type such as MCL_INT32");
    if (!mcl__is_identifier(type->name))
        return fail_at(at, MCL_ERROR_ARGUMENT, "has a type named \"%s\"; expected a C identifier",
                       type->name ? type->name : "NULL");
    if (mcl__same_type(type, MCL_INDEXED))
        return fail_at(at, MCL_ERROR_TYPE,
                       "is of type MCL_INDEXED; expected an element type, since MCL_INDEXED is for accumulators alone");
    if (type->size == 0 || type->size > MCL_VALUE_BYTES_MAX)
        return fail_at(at, MCL_ERROR_ARGUMENT, "is of type %s with size %zu; expected 1 to %d bytes", type->name,
                       type->size, MCL_VALUE_BYTES_MAX);
    if (type->kind == MCL_KIND_STRUCT)
        MCL__TRY(check_struct(at, type));
    else if (!is_built_in(type))
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "is of type %s with size %zu and kind %d; expected a built-in type, or kind MCL_KIND_STRUCT",
                       type->name, type->size, (int)type->kind);
    if (!context->limits.has_double && needs_double(type))
        return fail_at(at, MCL_ERROR_UNSUPPORTED,
                       "is of type %s, but %s has no double-precision arithmetic; expected another type", type->name,
                       context->info.name);
    return MCL_OK;
}

mcl_status mcl__check_type(const char *parameter, const mcl_context *context, const mcl_type *type)
{
    const subject at = { parameter, NULL };
    return check_type(&at, context, type);
}

/* ---- ranges --------------------------------------------------------------------------------------------- */

/* Checks that kernels of this context may read or write the buffer, as access says. */
static mcl_status check_access(const subject *at, const mcl_context *context, const mcl_buffer *buffer,
                               mcl__access access)
{
    if (buffer->context != context)
        return fail_at(at, MCL_ERROR_ARGUMENT, "has a buffer of another context; expected one of the queue's context");
    if (!(buffer->refused & access)) return MCL_OK;
    return fail_at(at, MCL_ERROR_ARGUMENT, "has a buffer that kernels may not %s; expected a buffer without %s",
                   access == MCL__ACCESS_READ ? "read" : "write",
                   access == MCL__ACCESS_READ ? "CL_MEM_WRITE_ONLY" : "CL_MEM_READ_ONLY");
}

/* Checks the buffer's address: devices load an element only at a multiple of its alignment. Drivers align their blocks,
 * but a wrapped pointer may have any address. */
static mcl_status check_alignment(const subject *at, const mcl_type *type, const mcl_buffer *buffer)
{
    /* A type's size is a multiple of its alignment. Without a given alignment, the largest power of two that divides
     * the size is used. */
    const size_t alignment = type->alignment ? type->alignment : type->size & (~type->size + 1);
    if (buffer->origin % alignment == 0) return MCL_OK;
    return fail_at(at, MCL_ERROR_ARGUMENT,
                   "has a buffer at an address that is no multiple of %zu; expected a multiple, the alignment of %s",
                   alignment, type->name);
}

/* Checks that elements [offset, offset + count) of a checked type lie in a buffer of the context. what names count in
 * error sentences: "count" or "capacity". */
static mcl_status check_range(const subject *at, const mcl_context *context, const mcl_type *type,
                              const mcl_buffer *buffer, int64_t offset, int64_t count, const char *what,
                              mcl__access access)
{
    if (offset < 0) return fail_at(at, MCL_ERROR_ARGUMENT, "has offset %lld; expected 0 or more", (long long)offset);
    if (count < 0) return fail_at(at, MCL_ERROR_ARGUMENT, "has %s %lld; expected 0 or more", what, (long long)count);
    if (!buffer && count == 0 && offset <= MCL__COUNT_MAX) return MCL_OK;
    if (!buffer)
        return fail_at(at, MCL_ERROR_ARGUMENT, "has buffer NULL with %s %lld and offset %lld; expected a buffer", what,
                       (long long)count, (long long)offset);
    MCL__TRY(check_access(at, context, buffer, access));
    MCL__TRY(check_alignment(at, type, buffer));
    const int64_t room = (int64_t)(buffer->bytes / type->size);
    if (offset > room || count > room - offset)
        return fail_at(
            at, MCL_ERROR_ARGUMENT,
            "has offset %lld and %s %lld of %s; expected a range inside its buffer of %zu bytes, %lld elements",
            (long long)offset, what, (long long)count, type->name, buffer->bytes, (long long)room);
    return MCL_OK;
}

static mcl_status check_count_slot(const subject *at, const mcl_context *context, const mcl_input *input)
{
    const mcl_buffer *slot = input->count_slot;
    if (!slot) return MCL_OK;
    if (slot->context != context)
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "has a count slot of another context; expected one of the queue's context");
    const mcl_type *const type = mcl__slot_type(input);
    if (!mcl__is_of(type, MCL__COUNTS))
        return fail_at(at, MCL_ERROR_TYPE, "has a count slot of %s; expected MCL_INT32, MCL_UINT32 or MCL_INT64",
                       type->name);
    MCL__TRY(check_access(at, context, slot, MCL__ACCESS_READ));
    MCL__TRY(check_alignment(at, type, slot));
    const int64_t room = (int64_t)(slot->bytes / type->size);
    if (input->count_slot_index < 0 || input->count_slot_index >= room)
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "has count slot %lld; expected an index inside its buffer of %zu bytes, %lld slots",
                       (long long)input->count_slot_index, slot->bytes, (long long)room);
    return MCL_OK;
}

/* ---- bindings ------------------------------------------------------------------------------------------- */

/* Checks one binding. taken lists the names that the library's text itself uses; NULL ends it. */
static mcl_status check_binding(const char *parameter, const mcl_context *context, const mcl_binding *binding,
                                const char *const *taken)
{
    const subject at = { parameter, binding->name ? binding->name : "NULL" };
    if (!mcl__is_identifier(binding->name))
        return fail_at(&at, MCL_ERROR_ARGUMENT,
                       "has a name that is not a C identifier; expected letters, digits and _");
    if (mcl__is_reserved(binding->name)) return fail_at(&at, MCL_ERROR_ARGUMENT, "has for its name " RESERVED);
    for (; *taken; ++taken)
        if (strcmp(binding->name, *taken) == 0)
            return fail_at(&at, MCL_ERROR_ARGUMENT,
                           "has a name that the expression has another use for; expected another name");
    if (!binding->type)
        return fail_at(&at, MCL_ERROR_ARGUMENT, "was made with a NULL type, buffer or value; expected all of them");
    MCL__TRY(check_type(&at, context, binding->type));
    if (!binding->buffer) return MCL_OK;
    return check_range(&at, context, binding->type, binding->buffer, binding->offset, binding->value.count, "count",
                       MCL__ACCESS_READ);
}

static mcl_status check_bindings(const char *parameter, const mcl_context *context, const mcl_binding *bindings,
                                 int count, const char *const *taken)
{
    if (count < 0 || count > MCL_BINDINGS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has binding_count %d; expected 0 to %d", parameter, count,
                         MCL_BINDINGS_MAX);
    for (int k = 0; k < count; ++k) {
        MCL__TRY(check_binding(parameter, context, &bindings[k], taken));
        for (int earlier = 0; earlier < k; ++earlier)
            if (strcmp(bindings[earlier].name, bindings[k].name) == 0)
                return mcl__fail(MCL_ERROR_ARGUMENT, "%s has two bindings named %s; expected different names",
                                 parameter, bindings[k].name);
    }
    return MCL_OK;
}

/* ---- operands ------------------------------------------------------------------------------------------- */

static mcl_status check_is_of(const char *parameter, const mcl_type *type, mcl__types types)
{
    static const char *const texts[] = {
        [MCL__ANY_TYPE] = "",
        [MCL__INTEGERS] = "an integer type",
        [MCL__INDICES] = "MCL_INT32 or MCL_INT64",
        [MCL__FLAGS] = "MCL_UINT32 or MCL_INT32",
        [MCL__COUNTS] = "MCL_INT32, MCL_UINT32 or MCL_INT64",
        [MCL__BUILT_INS] = "a built-in type",
        [MCL__BYTES] = "MCL_UINT8 or MCL_INT8",
        [MCL__OFFSETS] = "MCL_INT32, MCL_UINT32 or MCL_INT64",
        [MCL__REALS] = "MCL_FLOAT or MCL_DOUBLE",
    };
    if (mcl__is_of(type, types)) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected %s", parameter, type->name, texts[types]);
}

static mcl_status check_expression(const char *parameter, const mcl_context *context, const mcl_input *input)
{
    static const char *const taken[] = { "i", NULL };
    if (input->buffer)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has a buffer and the expression \"%s\"; expected one of the two",
                         parameter, input->expression);
    if (!input->expression[0])
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has an empty expression; expected a C expression%s", parameter,
                         input->type->kind == MCL_KIND_STRUCT ? " (sequences and differences are of numbers)" : "");
    if (input->count < 0 || input->count > MCL__COUNT_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has count %lld; expected 0 to %lld", parameter,
                         (long long)input->count, (long long)MCL__COUNT_MAX);
    return check_bindings(parameter, context, input->bindings, input->binding_count, taken);
}

mcl_status mcl__check_input(const char *parameter, const mcl_context *context, const mcl_input *input, mcl__types types)
{
    const subject at = { parameter, NULL };
    MCL__TRY(check_type(&at, context, input->type));
    MCL__TRY(check_count_slot(&at, context, input));
    if (input->expression)
        MCL__TRY(check_expression(parameter, context, input));
    else /* the input is an array; an empty array has no buffer */
        MCL__TRY(check_range(&at, context, input->type, input->buffer, input->offset, input->count, "count",
                             MCL__ACCESS_READ));
    return check_is_of(parameter, input->type, types);
}

mcl_status mcl__check_wanted(const char *parameter, const mcl_output *output)
{
    if (mcl__is_wanted(output)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is all zero; expected an output, which this call cannot leave out",
                     parameter);
}

mcl_status mcl__check_output(const char *parameter, const mcl_context *context, const mcl_output *output,
                             mcl__types types)
{
    const subject at = { parameter, NULL };
    MCL__TRY(mcl__check_wanted(parameter, output));
    MCL__TRY(check_type(&at, context, output->type));
    MCL__TRY(check_range(&at, context, output->type, output->buffer, output->offset, output->capacity, "capacity",
                         MCL__ACCESS_WRITE));
    return check_is_of(parameter, output->type, types);
}

int mcl__is_wanted(const mcl_output *output)
{
    return output->type || output->buffer || output->offset != 0 || output->capacity != 0;
}

int mcl__is_left_out(const mcl_output *output)
{
    return !output->buffer && output->capacity > 0;
}

mcl_status mcl__check_result(const char *parameter, const mcl_queue *queue, const mcl_result *result, mcl__types types)
{
    const subject at = { parameter, NULL };
    if (!result->host && !result->buffer && !result->type) return MCL_OK;
    MCL__TRY(check_type(&at, queue->context, result->type));
    if (result->buffer)
        MCL__TRY(check_range(&at, queue->context, result->type, result->buffer, result->offset, 1, "count",
                             MCL__ACCESS_WRITE));
    if (result->host) MCL__TRY(mcl__check_unrecorded(queue, "a result on the host", "mcl_to_slot"));
    return check_is_of(parameter, result->type, types);
}

mcl_status mcl__check_as_many(const char *name, const mcl_input *input, const char *as_name, int64_t as)
{
    if (input->count >= as) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s has %lld elements; expected as many as %s has or more, %lld", name,
                     (long long)input->count, as_name, (long long)as);
}

mcl_status mcl__check_op_bindings(const char *parameter, const mcl_context *context, const mcl_op *op)
{
    static const char *const taken[] = { "p", "q", "x", "i", "v", NULL };
    return check_bindings(parameter, context, op->bindings, op->binding_count, taken);
}
