/* check_call.c: checks a call's options, each operand alone, then that types and counts agree. */
#include "call/call.h"

const char *mcl__call_name(const mcl__call *call, int operand)
{
    const mcl__operand *const p = mcl__call_operand(call, operand);
    if (call->label && call->label[operand]) return call->label[operand];
    if (call->has_values && p->pairs_name) return p->pairs_name;
    return p->label ? p->label : p->name;
}

/* ---- each by itself ------------------------------------------------------------------------------------- */

/* Returns the type of an operand, or NULL where the operand is absent or has no type. */
const mcl_type *mcl__call_type(const mcl__call *call, int operand)
{
    const mcl__kind kind = mcl__call_operand(call, operand)->kind;
    if (kind == MCL__INPUT && call->operands[operand].input) return call->operands[operand].input->type;
    if (kind == MCL__OUTPUT && call->operands[operand].output) return call->operands[operand].output->type;
    if (kind == MCL__RESULT && call->operands[operand].result) return call->operands[operand].result->type;
    return NULL;
}

const mcl_type *mcl__call_element(const mcl__call *call, int operand)
{
    const mcl__operand *const p = mcl__call_operand(call, operand);
    if (p->of) return mcl__call_type(call, p->of);
    return p->element ? p->element : call->element;
}

const mcl_type *mcl__call_accumulator(const mcl__call *call, int fold)
{
    const mcl_type *results[MCL__DECLARED_MAX];
    int count = 0;
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k))
        if (mcl__call_operand(call, k)->fold == fold) results[count++] = mcl__call_type(call, k);
    return mcl_op_accumulator(call->operands[fold].op, mcl__call_element(call, fold), results, count);
}

int mcl__call_by_tree(const mcl__call *call, int fold)
{
    return mcl__wants_same_bits(call->options) && mcl__fold_rounds(mcl__call_accumulator(call, fold));
}

mcl_status mcl__call_check_operand(const mcl__call *call, int operand)
{
    const mcl__operand *const p = mcl__call_operand(call, operand);
    const mcl_context *const context = call->queue->context;
    const char *const name = mcl__call_name(call, operand);
    if (!call->operands[operand].pointer && (p->kind != MCL__OPERATOR || p->optional)) return MCL_OK;
    switch (p->kind) {
    case MCL__INPUT:
        return mcl__check_input(name, context, call->operands[operand].input, p->types);
    case MCL__OUTPUT:
        if (p->optional && !mcl__is_wanted(call->operands[operand].output)) return MCL_OK;
        return mcl__check_output(name, context, call->operands[operand].output, p->types);
    case MCL__RESULT:
        return mcl__check_result(name, call->queue, call->operands[operand].result, p->types);
    case MCL__OPERATOR:
        return mcl__check_operator(name, context, p->use, call->operands[operand].op, mcl__call_element(call, operand));
    default:
        return MCL_OK;
    }
}

/* ---- what must agree ------------------------------------------------------------------------------------ */

/* Returns the type for an output that is left out: its group's type, its fold's accumulator, or MCL_INT64 for an
 * index. */
static const mcl_type *type_left_out(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    if (p->group) return call->types[p->group];
    if (!p->fold || mcl__same_type(call->operands[p->fold].op->value, MCL_INDEXED)) return MCL_INT64;
    return mcl__call_accumulator(call, p->fold);
}

/* Gives an output that the caller has left out a type, and a capacity without limit. */
static void leave_out(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    mcl_output *const output = call->operands[k].output;
    if (p->kind != MCL__OUTPUT || !p->optional || !output || mcl__is_wanted(output)) return;
    output->type = type_left_out(call, k);
    output->capacity = MCL__COUNT_MAX;
}

/* Checks that operand k has the type of its group of operands. The group's first operand that is present decides that
 * type. */
static mcl_status check_group(mcl__call *call, int k, int first_of[])
{
    const int group = mcl__call_operand(call, k)->group;
    const mcl_type *const type = mcl__call_type(call, k);
    if (group == 0 || !type) return MCL_OK;
    if (!call->types[group]) {
        call->types[group] = type;
        first_of[group] = k;
        return MCL_OK;
    }
    if (mcl__same_type(type, call->types[group])) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected %s, the type of %s", mcl__call_name(call, k), type->name,
                     call->types[group]->name, mcl__call_name(call, first_of[group]));
}

static mcl_status check_as_many(const mcl__call *call, int k)
{
    const int other = mcl__call_operand(call, k)->as_many;
    if (other == 0 || !call->operands[k].input || !call->operands[other].input) return MCL_OK;
    return mcl__check_as_many(mcl__call_name(call, k), call->operands[k].input, mcl__call_name(call, other),
                              call->operands[other].input->count);
}

/* Checks that the accumulator of a fold converts to the type of a result that holds the fold. */
static mcl_status check_holds(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    const mcl_type *const type = mcl__call_type(call, k);
    if (p->fold == 0 || !type) return MCL_OK;
    return mcl__check_fold_result(mcl__call_name(call, k), call->operands[p->fold].op, p->combined,
                                  mcl__call_accumulator(call, p->fold), type);
}

/* Checks that operand k can hold the indices of all elements of an input. Either its declaration says that it holds
 * indices, or its fold tracks them. Where the operator's combine converts folds, the caller is responsible. */
static mcl_status check_indexes(const mcl__call *call, int k)
{
    const mcl__operand *const p = mcl__call_operand(call, k);
    const mcl_op *const op = p->fold ? call->operands[p->fold].op : NULL;
    const int tracks = op && mcl__fold_is_indexed(op) && !op->combine;
    const int other = tracks ? mcl__call_operand(call, p->fold)->of : p->indexes;
    const mcl_type *const type = mcl__call_type(call, k);
    if (other == 0 || !type) return MCL_OK;
    return mcl__check_holds_indices(mcl__call_name(call, k), type, call->operands[other].input->count);
}

/* Checks that an operand agrees with the operands before it. */
static mcl_status check_agrees(mcl__call *call, int k, int first_of[])
{
    leave_out(call, k);
    MCL__TRY(check_group(call, k, first_of));
    MCL__TRY(check_as_many(call, k));
    MCL__TRY(check_holds(call, k));
    return check_indexes(call, k);
}

/* Adds to the queue's hash the types and texts that decide which programs a call of several steps needs. With this hash
 * mcl__steps_run recognises a call that the queue has seen before. Absent and empty operands count too: without
 * elements a call may need fewer programs. */
static void note_kind(const mcl__call *call)
{
    mcl_queue *const queue = call->queue;
    mcl__text *const key = &queue->key;
    uint64_t told[2] = { queue->kind, 0 }; /* second word: a bit for each operand that is absent or has no elements */
    if (!call->declaration->of_steps || queue->in_steps) return;
    mcl__text_clear(key);
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) {
        const mcl__kind kind = mcl__call_operand(call, k)->kind;
        const mcl_input *const input = kind == MCL__INPUT ? call->operands[k].input : NULL;
        if (!call->operands[k].pointer || (input && input->count == 0)) told[1] |= MCL__BIT(k);
        if (input)
            mcl__key_input(key, input);
        else if (kind == MCL__OPERATOR && call->operands[k].op)
            mcl__key_op(key, call->operands[k].op);
        else
            mcl__key_type(key, mcl__call_type(call, k));
    }
    mcl__text_bytes(key, told, sizeof told);
    mcl__text_bytes(key, &call->function, sizeof call->function);
    queue->kind = mcl__hash(key->data, key->length);
}

mcl_status mcl__call_check(mcl__call *call)
{
    int first_of[MCL__GROUPS_OF_TYPES_MAX] = { 0 };
    MCL__TRY(mcl__check_queue(call->function, call->queue));
    MCL__TRY(mcl__check_options(call->queue, call->options, call->declaration->takes | call->takes));
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k)) MCL__TRY(mcl__call_check_operand(call, k));
    for (int k = mcl__call_next(call, 0); k; k = mcl__call_next(call, k))
        if (mcl__call_operand(call, k)->kind != MCL__OPERATOR) MCL__TRY(check_agrees(call, k, first_of));
    note_kind(call);
    return MCL_OK;
}
