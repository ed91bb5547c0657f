/* check_memory.c: checks room and overlap of a call's operands, then the preconditions that MCL_VALIDATE asks for. */
#include "call/call.h"

/* The first elements of an output of call, as many as the call stores. They must not overlap memory that is read or
 * stored by with: call itself, or another part of the same public call. */
typedef struct target {
    const mcl__call *call, *with;
    int operand;
    mcl_output output;
    int64_t needed;
    int in_place; /* 1 if output may lie exactly on the input that is being checked */
} target;

/* Describes in *out the elements that the call stores for operand k. Returns 0 where it stores none. */
static int stores(const mcl__call *call, int k, target *out)
{
    const mcl__kind kind = mcl__call_operand(call, k)->kind;
    *out = (target){ .call = call, .with = call, .operand = k, .needed = call->room[k] };
    if (kind == MCL__OUTPUT && call->operands[k].output) {
        out->output = *call->operands[k].output;
        return !mcl__is_left_out(&out->output);
    }
    if (kind != MCL__RESULT || !call->operands[k].result || !call->operands[k].result->buffer) return 0;
    const mcl_result *const result = call->operands[k].result;
    if (out->needed == 0) out->needed = 1;
    out->output = mcl_to_buffer(result->type, result->buffer, result->offset, out->needed);
    return 1;
}

static mcl_status fail_overlap(const target *to, int other, const char *part, const char *binding)
{
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s overlaps %s%s%s; expected memory of its own",
                     mcl__call_name(to->call, to->operand), mcl__call_name(to->with, other), part, binding);
}

static int meets(const target *to, const mcl_buffer *buffer, size_t offset, size_t bytes, size_t element_bytes)
{
    const mcl_output *const output = &to->output;
    const size_t size = output->type->size;
    if (to->in_place && mcl__starts_with(output, buffer, offset, element_bytes)) return 0;
    return mcl__buffers_overlap(output->buffer, (size_t)output->offset * size, (size_t)to->needed * size, buffer,
                                offset, bytes);
}

/* Checks that the target overlaps no bound array. An expression may read any element of such an array, so all bytes
 * from its start to its buffer's end count. input is the input with the bindings. It is NULL for bindings of an
 * operator, whose arrays no output may replace. */
static mcl_status check_bindings_apart(const target *to, int other, const mcl_input *input, const mcl_binding *bindings,
                                       int count)
{
    for (int k = 0; k < count; ++k) {
        const mcl_binding *const binding = &bindings[k];
        if (!binding->buffer) continue;
        const size_t size = binding->type->size;
        const size_t offset = (size_t)binding->offset * size;
        if (meets(to, binding->buffer, offset, binding->buffer->bytes - offset, size))
            return fail_overlap(to, other, "'s binding ", binding->name);
        if (!input || !to->in_place || !mcl__starts_with(&to->output, binding->buffer, offset, size)) continue;
        if (!mcl__call_reads_own_element(to->with, input, binding->name))
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "%s replaces %s's binding %s, which \"%.80s\" may read elsewhere; expected memory of its "
                             "own, or %s[i] alone and no macros",
                             mcl__call_name(to->call, to->operand), mcl__call_name(to->with, other), binding->name,
                             input->expression, binding->name);
    }
    return MCL_OK;
}

static mcl_status check_input_apart(const target *to, int other, const mcl_input *input)
{
    const size_t slot_bytes = mcl__slot_type(input)->size;
    const size_t slot_offset = (size_t)input->count_slot_index * slot_bytes;
    const size_t size = input->type->size;
    /* Work-items read the count when they start. So an output must never overlap the count slot, not even in place. */
    if (input->count_slot && meets(to, input->count_slot, slot_offset, slot_bytes, 0))
        return fail_overlap(to, other, "'s count slot", "");
    if (input->expression) return check_bindings_apart(to, other, input, input->bindings, input->binding_count);
    if (input->buffer && meets(to, input->buffer, (size_t)input->offset * size, (size_t)input->count * size, size))
        return fail_overlap(to, other, "", "");
    return MCL_OK;
}

/* Checks that the target does not overlap an earlier output of the call. */
static mcl_status check_stored_apart(const target *to, int other)
{
    target earlier;
    if (to->with == to->call && other >= to->operand) return MCL_OK;
    if (!stores(to->with, other, &earlier) || !earlier.output.buffer) return MCL_OK;
    const size_t size = earlier.output.type->size;
    if (!meets(to, earlier.output.buffer, (size_t)earlier.output.offset * size, (size_t)earlier.needed * size, 0))
        return MCL_OK;
    return fail_overlap(to, other, "", "");
}

/* Returns 1 where the target may lie exactly on input other, so that each element is replaced by its result. */
static int may_replace(const target *to, int other)
{
    const mcl__operand *const p = mcl__call_operand(to->call, to->operand);
    if (to->with != to->call || to->call->never_in_place || !(p->in_place & MCL__BIT(other))) return 0;
    return !p->arrays_only || !to->call->operands[other].input->expression;
}

static mcl_status check_apart(target *to, int other)
{
    const mcl__call *const call = to->with;
    const mcl__kind kind = mcl__call_operand(call, other)->kind;
    if (!call->operands[other].pointer || kind == MCL__ARRAY) return MCL_OK;
    to->in_place = kind == MCL__INPUT && may_replace(to, other);
    if (kind == MCL__INPUT) return check_input_apart(to, other, call->operands[other].input);
    if (kind != MCL__OPERATOR) return check_stored_apart(to, other);
    const mcl_op *const op = call->operands[other].op;
    return check_bindings_apart(to, other, NULL, op->bindings, op->binding_count);
}

static mcl_status check_target_apart(target *to)
{
    if (!to->output.buffer || to->needed <= 0) return MCL_OK;
    for (int other = mcl__call_next(to->with, 0); other; other = mcl__call_next(to->with, other))
        if (to->with == to->call || !mcl__call_operand(to->with, other)->unused) MCL__TRY(check_apart(to, other));
    return MCL_OK;
}

static mcl_status check_memory(const mcl__call *call, int k)
{
    target to;
    if (!stores(call, k, &to)) return MCL_OK;
    if (mcl__call_operand(call, k)->kind == MCL__RESULT) /* checks all slots of the result */
        MCL__TRY(mcl__check_output(mcl__call_name(call, k), call->queue->context, &to.output, MCL__ANY_TYPE));
    if (to.output.capacity < to.needed)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has capacity %lld; expected %lld or more", mcl__call_name(call, k),
                         (long long)to.output.capacity, (long long)to.needed);
    return check_target_apart(&to);
}

mcl_status mcl__call_check_apart(const mcl__call *call, const mcl__call *with)
{
    target to;
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        if (mcl__call_operand(call, k)->unused || !stores(call, k, &to)) continue;
        to.with = with;
        MCL__TRY(check_target_apart(&to));
    }
    return MCL_OK;
}

mcl_status mcl__call_check_memory(const mcl__call *call)
{
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) MCL__TRY(check_memory(call, k));
    return MCL_OK;
}

static mcl_status validate(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    const char *const name = mcl__call_name(call, k);
    const int range_of = p->offsets_of ? p->offsets_of : p->indices_of;
    if (p->kind != MCL__INPUT || !call->operands[k].input) return MCL_OK;
    if (p->sorted_by || p->offsets_of)
        MCL__TRY(mcl__validate_sorted(call->queue, name, call->operands[k].input,
                                      p->sorted_by ? call->operands[p->sorted_by].op : MCL_LESS, call->options));
    if (!range_of) return MCL_OK;
    return mcl__validate_range(call->queue, name, call->operands[k].input, 0, call->operands[range_of].input->count,
                               call->options);
}

mcl_status mcl__call_ready(mcl__call *call)
{
    MCL__TRY(mcl__call_check_memory(call));
    MCL__TRY(mcl__context_probe(call->queue->context));
    if (!mcl__validates(call->options)) return MCL_OK;
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) MCL__TRY(validate(call, k));
    return MCL_OK;
}
