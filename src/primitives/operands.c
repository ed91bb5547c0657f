/* operands.c: what is checked of types, operands, operators and options before anything is enqueued. */
#include "primitive.h"

#include <stdarg.h>
#include <stdio.h>

/* Where a thing stands in a call, for the sentences: "mcl_merge: a" or "mcl_merge: a's binding table". */
typedef struct place {
    const char *function;
    const char *parameter;
    const char *binding; /* NULL: the parameter itself */
} place;

static mcl_status fail_at(const place *at, mcl_status status, const char *format, ...) MCL__PRINTF(3, 4);
static mcl_status fail_at(const place *at, mcl_status status, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mcl__fail(status, "%s: %s%s%s %s", at->function, at->parameter, at->binding ? "'s binding " : "",
                     at->binding ? at->binding : "", text);
}

/* Positions and a tile past them must fit 32 bits where mcl__index_bits says so. */
enum { TILE_ITEMS_MAX = 1 << 24, GROUP_ITEMS_MAX = 31 };

/* ---- types ---------------------------------------------------------------------------------------------- */

static const mcl_type *const built_in_types[] = {
#define X(upper, lower, text, size, kind) &mcl_type_##lower,
    MCL_TYPE_LIST(X)
#undef X
};

static int is_identifier(const char *name)
{
    static const char allowed[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return name && name[0] && (name[0] < '0' || name[0] > '9') && name[strspn(name, allowed)] == 0;
}

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

int mcl__same_type(const mcl_type *a, const mcl_type *b)
{
    return a == b || (a && b && a->size == b->size && a->kind == b->kind && same_text(a->name, b->name) &&
                      same_text(a->source, b->source));
}

static int is_built_in(const mcl_type *type)
{
    for (size_t k = 0; k < sizeof built_in_types / sizeof built_in_types[0]; ++k)
        if (mcl__same_type(type, built_in_types[k])) return 1;
    return 0;
}

static mcl_status check_members(const place *at, const mcl_type *type)
{
    if (type->member_count < 0 || (type->member_count > 0 && !type->members))
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "is of type %s with member_count %d and %s members; expected 0, or as many members as it says",
                       type->name, type->member_count, type->members ? "some" : "no");
    for (int k = 0; k < type->member_count; ++k) {
        const mcl_member *member = &type->members[k];
        if (!is_identifier(member->name) || member->offset >= type->size)
            return fail_at(
                at, MCL_ERROR_ARGUMENT,
                "is of type %s whose member %d is \"%s\" at byte %zu; expected a C identifier at a byte below %zu",
                type->name, k, member->name ? member->name : "NULL", member->offset, type->size);
    }
    return MCL_OK;
}

static mcl_status check_struct(const place *at, const mcl_type *type)
{
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

/* A struct of the user's that has doubles is found by the compiler: its text is not read here. */
static int needs_double(const mcl_type *type)
{
    return mcl__same_type(type, MCL_DOUBLE) || mcl__same_type(type, MCL_DOUBLE_AT);
}

static mcl_status check_type(const place *at, const mcl_context *context, const mcl_type *type)
{
    if (!type) return fail_at(at, MCL_ERROR_ARGUMENT, "has type NULL; expected an element type such as MCL_INT32");
    if (!is_identifier(type->name))
        return fail_at(at, MCL_ERROR_ARGUMENT, "has a type named \"%s\"; expected a C identifier",
                       type->name ? type->name : "NULL");
    if (mcl__same_type(type, MCL_INDEXED))
        return fail_at(at, MCL_ERROR_TYPE,
                       "is of type MCL_INDEXED; expected an element type: it is an operator's accumulator only");
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

mcl_status mcl__check_type(const char *function, const char *parameter, const mcl_context *context,
                           const mcl_type *type)
{
    const place at = { function, parameter, NULL };
    return check_type(&at, context, type);
}

/* ---- ranges --------------------------------------------------------------------------------------------- */

/* Elements [offset, offset + count) of a checked type lie in a buffer of the context. what: "count", "capacity". */
static mcl_status check_range(const place *at, const mcl_context *context, const mcl_type *type,
                              const mcl_buffer *buffer, int64_t offset, int64_t count, const char *what)
{
    if (offset < 0) return fail_at(at, MCL_ERROR_ARGUMENT, "has offset %lld; expected 0 or more", (long long)offset);
    if (count < 0) return fail_at(at, MCL_ERROR_ARGUMENT, "has %s %lld; expected 0 or more", what, (long long)count);
    if (!buffer && count == 0) return MCL_OK;
    if (!buffer)
        return fail_at(at, MCL_ERROR_ARGUMENT, "has buffer NULL and %s %lld; expected a buffer", what,
                       (long long)count);
    if (buffer->context != context)
        return fail_at(at, MCL_ERROR_ARGUMENT, "has a buffer of another context; expected one of the queue's context");
    const int64_t room = (int64_t)(buffer->bytes / type->size);
    if (offset > room || count > room - offset)
        return fail_at(
            at, MCL_ERROR_ARGUMENT,
            "has offset %lld and %s %lld of %s; expected a range inside its buffer of %zu bytes, %lld elements",
            (long long)offset, what, (long long)count, type->name, buffer->bytes, (long long)room);
    return MCL_OK;
}

static mcl_status check_count_slot(const place *at, const mcl_context *context, const mcl_input *input)
{
    const mcl_buffer *slot = input->count_slot;
    if (!slot) return MCL_OK;
    if (slot->context != context)
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "has a count slot of another context; expected one of the queue's context");
    const int64_t room = (int64_t)(slot->bytes / sizeof(int64_t));
    if (input->count_slot_index < 0 || input->count_slot_index >= room)
        return fail_at(at, MCL_ERROR_ARGUMENT,
                       "has count slot %lld; expected an index inside its buffer of %zu bytes, %lld slots",
                       (long long)input->count_slot_index, slot->bytes, (long long)room);
    return MCL_OK;
}

/* ---- bindings ------------------------------------------------------------------------------------------- */

/* taken: the names that the text itself uses, NULL-terminated. */
static mcl_status check_binding(const char *function, const char *parameter, const mcl_context *context,
                                const mcl_binding *binding, const char *const *taken)
{
    const place at = { function, parameter, binding->name ? binding->name : "NULL" };
    if (!is_identifier(binding->name)) return fail_at(&at, MCL_ERROR_ARGUMENT, "has a name that is not a C identifier");
    for (; *taken; ++taken)
        if (strcmp(binding->name, *taken) == 0)
            return fail_at(&at, MCL_ERROR_ARGUMENT,
                           "has a name that the expression has another use for; expected another name");
    if (!binding->type) return fail_at(&at, MCL_ERROR_ARGUMENT, "was made with a NULL type, buffer or value");
    MCL__TRY(check_type(&at, context, binding->type));
    return binding->buffer ? check_range(&at, context, binding->type, binding->buffer, binding->offset, 0, "count")
                           : MCL_OK;
}

static mcl_status check_bindings(const char *function, const char *parameter, const mcl_context *context,
                                 const mcl_binding *bindings, int count, const char *const *taken)
{
    if (count < 0 || count > MCL_BINDINGS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has binding_count %d; expected 0 to %d", function, parameter,
                         count, MCL_BINDINGS_MAX);
    for (int k = 0; k < count; ++k) {
        MCL__TRY(check_binding(function, parameter, context, &bindings[k], taken));
        for (int earlier = 0; earlier < k; ++earlier)
            if (strcmp(bindings[earlier].name, bindings[k].name) == 0)
                return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has two bindings named %s; expected different names",
                                 function, parameter, bindings[k].name);
    }
    return MCL_OK;
}

/* ---- operands ------------------------------------------------------------------------------------------- */

mcl_status mcl__check_input(const char *function, const char *parameter, const mcl_context *context,
                            const mcl_input *input)
{
    static const char *const taken[] = { "i", NULL };
    const place at = { function, parameter, NULL };
    MCL__TRY(check_type(&at, context, input->type));
    MCL__TRY(check_count_slot(&at, context, input));
    /* Without an expression it is an array, which has no buffer where it is empty. */
    if (!input->expression)
        return check_range(&at, context, input->type, input->buffer, input->offset, input->count, "count");
    if (input->buffer)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has a buffer and the expression \"%s\"; expected one of the two",
                         function, parameter, input->expression);
    if (!input->expression[0])
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: %s has an empty expression; expected a C expression (mcl_counting and mcl_step make one "
                         "for built-in types only; %s is none)",
                         function, parameter, input->type->name);
    if (input->count < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has count %lld; expected 0 or more", function, parameter,
                         (long long)input->count);
    return check_bindings(function, parameter, context, input->bindings, input->binding_count, taken);
}

mcl_status mcl__check_output(const char *function, const char *parameter, const mcl_context *context,
                             const mcl_output *output, int64_t needed)
{
    const place at = { function, parameter, NULL };
    MCL__TRY(check_type(&at, context, output->type));
    MCL__TRY(check_range(&at, context, output->type, output->buffer, output->offset, output->capacity, "capacity"));
    if (output->capacity < needed)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has capacity %lld; expected %lld or more", function, parameter,
                         (long long)output->capacity, (long long)needed);
    return MCL_OK;
}

mcl_status mcl__check_result(const char *function, const char *parameter, const mcl_context *context,
                             const mcl_result *result)
{
    const place at = { function, parameter, NULL };
    if (!result->host && !result->buffer) return MCL_OK;
    MCL__TRY(check_type(&at, context, result->type));
    return result->buffer ? check_range(&at, context, result->type, result->buffer, result->offset, 1, "count")
                          : MCL_OK;
}

mcl_status mcl__check_op(const char *function, const char *parameter, const mcl_context *context, const mcl_op *op)
{
    static const char *const taken[] = { "p", "q", "x", "i", "v", NULL };
    const place at = { function, parameter, NULL };
    if (!op)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s is NULL; expected an operator such as MCL_ADD or MCL_LESS",
                         function, parameter);
    if (!op->expression || !op->expression[0])
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s has expression %s; expected a C expression in p and q", function,
                         parameter, op->expression ? "\"\"" : "NULL");
    if (op->value && !mcl__same_type(op->value, MCL_INDEXED)) MCL__TRY(check_type(&at, context, op->value));
    if (op->result) MCL__TRY(check_type(&at, context, op->result));
    return check_bindings(function, parameter, context, op->bindings, op->binding_count, taken);
}

mcl_status mcl__check_predicate(const char *function, const char *parameter, const mcl_context *context,
                                const mcl_op *op)
{
    if (!op || !op->expression || !op->expression[0])
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s is %s; expected an operator whose expression is a test", function,
                         parameter, !op ? "NULL" : "an operator without an expression");
    return mcl__check_op(function, parameter, context, op);
}

/* ---- options -------------------------------------------------------------------------------------------- */

static mcl_status check_tile(const char *function, const mcl__limits *limits, const mcl_options *options)
{
    const int threads = options->tile_threads;
    const int items = options->tile_items;
    const int is_group = threads > 1 || (threads == 0 && limits->mapping == MCL_MAPPING_GROUP);
    const int items_max = is_group ? GROUP_ITEMS_MAX : TILE_ITEMS_MAX;
    if (threads < 0 || threads > limits->max_threads)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: options->tile_threads is %d; expected 0 to %d, the device's largest work-group", function,
                         threads, limits->max_threads);
    if (items < 0 || items > items_max)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->tile_items is %d; expected 0 to %d under the %s mapping",
                         function, items, items_max, is_group ? "group" : "serial");
    return MCL_OK;
}

static mcl_status check_wait_list(const char *function, const mcl_context *context, const mcl_options *options)
{
    if (options->wait_count < 0 || (options->wait_count > 0 && !options->wait))
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "%s: options->wait_count is %d and options->wait is %s; expected as many events as wait_count says",
            function, options->wait_count, options->wait ? "given" : "NULL");
    for (int k = 0; k < options->wait_count; ++k) {
        const mcl_event *event = options->wait[k];
        if (!event)
            return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->wait[%d] is NULL; expected an event", function, k);
        if (event->context != context)
            return mcl__fail(
                MCL_ERROR_ARGUMENT,
                "%s: options->wait[%d] is an event of another context; expected one of the queue's context", function,
                k);
    }
    return MCL_OK;
}

static mcl_status check_scratch(const char *function, const mcl_context *context, const mcl_options *options)
{
    const mcl_buffer *buffer = options->scratch;
    if (!buffer && options->scratch_bytes == 0) return MCL_OK;
    if (!buffer)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->scratch is NULL with scratch_bytes %zu; expected a buffer",
                         function, options->scratch_bytes);
    if (buffer->context != context)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: options->scratch is a buffer of another context; expected one of the queue's context",
                         function);
    if (options->scratch_offset % MCL__SCRATCH_ALIGNMENT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->scratch_offset is %zu; expected a multiple of %d", function,
                         options->scratch_offset, MCL__SCRATCH_ALIGNMENT);
    if (!mcl__buffer_holds(buffer, options->scratch_offset, options->scratch_bytes))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "%s: options->scratch_offset is %zu and scratch_bytes %zu; expected a range inside the "
                         "scratch buffer of %zu bytes",
                         function, options->scratch_offset, options->scratch_bytes, buffer->bytes);
    return MCL_OK;
}

mcl_status mcl__check_options(const char *function, const mcl_queue *queue, const mcl_options *options)
{
    static const unsigned known_flags =
        MCL_DETERMINISTIC | MCL_VALIDATE | MCL_INDEX_64 | MCL_UNIQUE_KEYS | MCL_UNORDERED;
    if (!options) return MCL_OK;
    if (options->flags & ~known_flags)
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "%s: options->flags is 0x%x; expected a combination of MCL_DETERMINISTIC, MCL_VALIDATE, MCL_INDEX_64, "
            "MCL_UNIQUE_KEYS and MCL_UNORDERED",
            function, options->flags);
    MCL__TRY(check_tile(function, &queue->context->limits, options));
    MCL__TRY(check_wait_list(function, queue->context, options));
    return check_scratch(function, queue->context, options);
}

/* ---- overlap -------------------------------------------------------------------------------------------- */

/* buffer from byte offset on, in elements of size bytes, starts exactly where output does. */
static int starts_with(const mcl_output *output, const mcl_buffer *buffer, size_t offset, size_t size)
{
    const mcl_buffer *out = output->buffer;
    return size == output->type->size && buffer->root == out->root &&
           buffer->origin + offset == out->origin + (size_t)output->offset * size;
}

int mcl__same_place(const mcl_input *input, const mcl_output *output)
{
    const size_t size = input->type->size;
    return input->buffer && output->buffer && starts_with(output, input->buffer, (size_t)input->offset * size, size);
}

/* An output of needed elements, for the sentences. in_place: it may be what is read, element for element. */
typedef struct target {
    const char *function;
    const char *name;
    const mcl_output *output;
    int64_t needed;
    int in_place;
} target;

static int meets(const target *to, const mcl_buffer *buffer, size_t offset, size_t bytes, size_t element_bytes)
{
    const mcl_output *output = to->output;
    const size_t size = output->type->size;
    if (to->in_place && starts_with(output, buffer, offset, element_bytes)) return 0;
    return mcl__buffers_overlap(output->buffer, (size_t)output->offset * size, (size_t)to->needed * size, buffer,
                                offset, bytes);
}

/* What an expression reads of an array is not known: all that lies behind its start counts. */
static mcl_status check_bindings_overlap(const target *to, const char *parameter, const mcl_binding *bindings,
                                         int count)
{
    for (int k = 0; k < count; ++k) {
        const mcl_binding *binding = &bindings[k];
        if (!binding->buffer) continue;
        const size_t size = binding->type->size;
        const size_t offset = (size_t)binding->offset * size;
        if (meets(to, binding->buffer, offset, binding->buffer->bytes - offset, size))
            return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s overlaps %s's binding %s; expected memory of its own",
                             to->function, to->name, parameter, binding->name);
    }
    return MCL_OK;
}

static mcl_status check_input_overlap(const target *to, const char *parameter, const mcl_input *input)
{
    const size_t slot_bytes = sizeof(int64_t);
    const size_t slot_offset = (size_t)input->count_slot_index * slot_bytes;
    const size_t size = input->type->size;
    if (!to->output->buffer || to->needed <= 0) return MCL_OK;
    /* Work-items read the count when they start: none may find an output there, in place or not. */
    if (input->count_slot && meets(to, input->count_slot, slot_offset, slot_bytes, 0))
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s overlaps %s's count slot; expected memory of its own",
                         to->function, to->name, parameter);
    if (input->expression) return check_bindings_overlap(to, parameter, input->bindings, input->binding_count);
    if (input->buffer && meets(to, input->buffer, (size_t)input->offset * size, (size_t)input->count * size, size))
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: %s overlaps %s; expected memory of its own", to->function, to->name,
                         parameter);
    return MCL_OK;
}

mcl_status mcl__check_no_overlap(const char *function, const char *input_name, const mcl_input *input,
                                 const char *output_name, const mcl_output *output, int64_t needed)
{
    const target to = { function, output_name, output, needed, 0 };
    return check_input_overlap(&to, input_name, input);
}

mcl_status mcl__check_in_place(const char *function, const char *input_name, const mcl_input *input,
                               const char *output_name, const mcl_output *output, int64_t needed)
{
    const target to = { function, output_name, output, needed, 1 };
    return check_input_overlap(&to, input_name, input);
}

mcl_status mcl__check_op_overlap(const char *function, const char *op_name, const mcl_op *op, const char *output_name,
                                 const mcl_output *output, int64_t needed)
{
    const target to = { function, output_name, output, needed, 0 };
    if (!op || !output->buffer || needed <= 0) return MCL_OK;
    return check_bindings_overlap(&to, op_name, op->bindings, op->binding_count);
}
