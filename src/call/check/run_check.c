/* run_check.c: checks a run's operands: each by itself, then types and counts that must agree, then room, overlap. */
#include "call/run.h"

static const mcl__operand *operand_at(const mcl__run *run, int k)
{
    return &run->declaration->operands[k];
}

const char *mcl__run_name(const mcl__run *run, int operand)
{
    const mcl__operand *const p = operand_at(run, operand);
    if (run->said && run->said[operand]) return run->said[operand];
    if (run->has_values && p->pairs_name) return p->pairs_name;
    return p->said ? p->said : p->name;
}

/* ---- each by itself ------------------------------------------------------------------------------------- */

/* NULL: the operand is not given, or has none. */
const mcl_type *mcl__run_type(const mcl__run *run, int operand)
{
    const mcl__kind kind = operand_at(run, operand)->kind;
    if (kind == MCL__INPUT && run->given[operand].input) return run->given[operand].input->type;
    if (kind == MCL__OUTPUT && run->given[operand].output) return run->given[operand].output->type;
    if (kind == MCL__RESULT && run->given[operand].result) return run->given[operand].result->type;
    return NULL;
}

const mcl_type *mcl__run_element(const mcl__run *run, int operand)
{
    const mcl__operand *const p = operand_at(run, operand);
    if (p->of) return mcl__run_type(run, p->of);
    return p->element ? p->element : run->element;
}

const mcl_type *mcl__run_accumulator(const mcl__run *run, int fold)
{
    const mcl_type *results[MCL__DECLARED_MAX];
    int count = 0;
    for (int k = 1; k < MCL__DECLARED_MAX && run->declaration->operands[k].name; ++k)
        if (operand_at(run, k)->fold == fold) results[count++] = mcl__run_type(run, k);
    return mcl_op_accumulator(run->given[fold].op, mcl__run_element(run, fold), results, count);
}

mcl_status mcl__run_check_operand(const mcl__run *run, int operand)
{
    const mcl__operand *const p = operand_at(run, operand);
    const mcl_context *const context = run->queue->context;
    const char *const name = mcl__run_name(run, operand);
    const int is_absent = !run->given[operand].pointer;
    if (p->kind == MCL__OPERATOR && is_absent && p->optional) return MCL_OK;
    if (p->kind == MCL__OPERATOR)
        return mcl__check_operator(name, context, p->use, run->given[operand].op, mcl__run_element(run, operand));
    if (is_absent || p->kind == MCL__SCRATCH) return MCL_OK;
    if (p->kind == MCL__OUTPUT && p->optional && !mcl__is_wanted(run->given[operand].output)) return MCL_OK;
    if (p->kind == MCL__INPUT) MCL__TRY(mcl__check_input(name, context, run->given[operand].input));
    if (p->kind == MCL__OUTPUT) MCL__TRY(mcl__check_output(name, context, run->given[operand].output));
    if (p->kind == MCL__RESULT) {
        MCL__TRY(mcl__check_result(name, context, run->given[operand].result));
        if (run->given[operand].result->host)
            MCL__TRY(mcl__check_unrecorded(run->queue, "a result on the host", "mcl_to_slot"));
    }
    const mcl_type *const type = mcl__run_type(run, operand);
    return type ? mcl__check_is_of(name, type, p->types) : MCL_OK;
}

/* ---- what must agree ------------------------------------------------------------------------------------ */

/* Returns the type that an output has when it is left out: that of its group, what its fold gives, or an index's. */
static const mcl_type *type_left_out(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    if (p->group) return run->types[p->group];
    if (!p->fold || mcl__same_type(run->given[p->fold].op->value, MCL_INDEXED)) return MCL_INT64;
    return mcl__run_accumulator(run, p->fold);
}

/* Gives an output that is not wanted a type, and room for everything. */
static void leave_out(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    mcl_output *const output = run->given[k].output;
    if (p->kind != MCL__OUTPUT || !p->optional || !output || mcl__is_wanted(output)) return;
    output->type = type_left_out(run, k);
    output->capacity = MCL__COUNT_MAX;
}

/* The first operand of a group decides the type. */
static mcl_status check_group(mcl__run *run, int k, int first_of[])
{
    const int group = operand_at(run, k)->group;
    const mcl_type *const type = mcl__run_type(run, k);
    if (group == 0 || !type) return MCL_OK;
    if (!run->types[group]) {
        run->types[group] = type;
        first_of[group] = k;
        return MCL_OK;
    }
    if (mcl__same_type(type, run->types[group])) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected %s, the type of %s", mcl__run_name(run, k), type->name,
                     run->types[group]->name, mcl__run_name(run, first_of[group]));
}

static mcl_status check_as_many(const mcl__run *run, int k)
{
    const int other = operand_at(run, k)->as_many;
    if (other == 0 || !run->given[k].input || !run->given[other].input) return MCL_OK;
    return mcl__check_as_many(mcl__run_name(run, k), run->given[k].input, mcl__run_name(run, other),
                              run->given[other].input->count);
}

/* Checks that the results of a fold have a type that its accumulator converts to. */
static mcl_status check_holds(const mcl__run *run, int k)
{
    const int fold = operand_at(run, k)->fold;
    const mcl_type *const type = mcl__run_type(run, k);
    if (fold == 0 || !type) return MCL_OK;
    return mcl__check_fold_result(mcl__run_name(run, k), run->given[fold].op, mcl__run_accumulator(run, fold), type);
}

/* Checks that indices of all elements of an input fit what holds them. An operand is declared to hold them, or a fold
 * tracks them. What combine makes of them is the caller's. */
static mcl_status check_indexes(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    const mcl_op *const op = p->fold ? run->given[p->fold].op : NULL;
    const int tracks = op && mcl__fold_is_indexed(op) && !op->combine;
    const int other = tracks ? operand_at(run, p->fold)->of : p->indexes;
    const mcl_type *const type = mcl__run_type(run, k);
    if (other == 0 || !type || !run->given[other].input) return MCL_OK;
    return mcl__check_holds_indices(mcl__run_name(run, k), type, run->given[other].input->count);
}

mcl_status mcl__run_check(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    int first_of[MCL__GROUPS_OF_TYPES_MAX] = { 0 };
    MCL__TRY(mcl__check_queue(run->function, run->queue));
    MCL__TRY(mcl__check_options(run->queue, run->options, run->declaration->takes));
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) MCL__TRY(mcl__run_check_operand(run, k));
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) {
        if (list[k].kind == MCL__OPERATOR) continue;
        leave_out(run, k);
        MCL__TRY(check_group(run, k, first_of));
        MCL__TRY(check_as_many(run, k));
        MCL__TRY(check_holds(run, k));
        MCL__TRY(check_indexes(run, k));
    }
    return MCL_OK;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

/* buffer from byte offset on, in elements of size bytes, starts exactly where output does. */
static int starts_with(const mcl_output *output, const mcl_buffer *buffer, size_t offset, size_t size)
{
    const mcl_buffer *const out = output->buffer;
    return size == output->type->size && buffer->root == out->root &&
           buffer->origin + offset == out->origin + (size_t)output->offset * size;
}

int mcl__is_in_place(const mcl_input *input, const mcl_output *output)
{
    const size_t size = input->type->size;
    return input->buffer && output->buffer && starts_with(output, input->buffer, (size_t)input->offset * size, size);
}

/* The elements that a run stores for an operand: the first needed ones of an output. They must not meet what the run in
 * the member with reads or stores: the same run, or another one of the call. */
typedef struct target {
    const mcl__run *run, *with;
    int operand;
    mcl_output output;
    int64_t needed;
    int in_place; /* it may be what is read, element for element */
} target;

/* 0: the run stores nothing for operand k. */
static int stores(const mcl__run *run, int k, target *out)
{
    const mcl__kind kind = operand_at(run, k)->kind;
    *out = (target){ .run = run, .with = run, .operand = k, .needed = run->room[k] };
    if (kind == MCL__OUTPUT && run->given[k].output) {
        out->output = *run->given[k].output;
        return !mcl__is_left_out(&out->output);
    }
    if (kind != MCL__RESULT || !run->given[k].result || !run->given[k].result->buffer) return 0;
    const mcl_result *const result = run->given[k].result;
    if (out->needed == 0) out->needed = 1;
    out->output = mcl_to_buffer(result->type, result->buffer, result->offset, out->needed);
    return 1;
}

static mcl_status fail_overlap(const target *to, int other, const char *part, const char *binding)
{
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s overlaps %s%s%s; expected memory of its own",
                     mcl__run_name(to->run, to->operand), mcl__run_name(to->with, other), part, binding);
}

static int meets(const target *to, const mcl_buffer *buffer, size_t offset, size_t bytes, size_t element_bytes)
{
    const mcl_output *const output = &to->output;
    const size_t size = output->type->size;
    if (to->in_place && starts_with(output, buffer, offset, element_bytes)) return 0;
    return mcl__buffers_overlap(output->buffer, (size_t)output->offset * size, (size_t)to->needed * size, buffer,
                                offset, bytes);
}

/* Nobody knows what an expression reads of an array: everything from its start on counts. input: the one that has the
 * bindings; NULL: an operator has them, whose elements no output replaces. */
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
        if (!input || !to->in_place || !starts_with(&to->output, binding->buffer, offset, size)) continue;
        if (!mcl__run_reads_own_element(to->with, input, binding->name))
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "%s replaces %s's binding %s, which \"%.80s\" may read elsewhere; expected memory of its "
                             "own, or %s[i] alone and no macros",
                             mcl__run_name(to->run, to->operand), mcl__run_name(to->with, other), binding->name,
                             input->expression, binding->name);
    }
    return MCL_OK;
}

static mcl_status check_input_apart(const target *to, int other, const mcl_input *input)
{
    const size_t slot_bytes = mcl__slot_type(input)->size;
    const size_t slot_offset = (size_t)input->count_slot_index * slot_bytes;
    const size_t size = input->type->size;
    /* Work-items read the count when they start: an output must not overlap it, in place or not. */
    if (input->count_slot && meets(to, input->count_slot, slot_offset, slot_bytes, 0))
        return fail_overlap(to, other, "'s count slot", "");
    if (input->expression) return check_bindings_apart(to, other, input, input->bindings, input->binding_count);
    if (input->buffer && meets(to, input->buffer, (size_t)input->offset * size, (size_t)input->count * size, size))
        return fail_overlap(to, other, "", "");
    return MCL_OK;
}

/* Checks that an earlier output, which the run stores too, does not lie under the target. */
static mcl_status check_stored_apart(const target *to, int other)
{
    target earlier;
    if (to->with == to->run && other >= to->operand) return MCL_OK;
    if (!stores(to->with, other, &earlier) || !earlier.output.buffer) return MCL_OK;
    const size_t size = earlier.output.type->size;
    if (!meets(to, earlier.output.buffer, (size_t)earlier.output.offset * size, (size_t)earlier.needed * size, 0))
        return MCL_OK;
    return fail_overlap(to, other, "", "");
}

/* 1: the target may replace input other, element for element. */
static int may_replace(const target *to, int other)
{
    const mcl__operand *const p = operand_at(to->run, to->operand);
    if (to->with != to->run || to->run->never_in_place || !(p->in_place & MCL__BIT(other))) return 0;
    return !p->arrays_only || !to->run->given[other].input->expression;
}

static mcl_status check_apart(target *to, int other)
{
    const mcl__run *const run = to->with;
    const mcl__kind kind = operand_at(run, other)->kind;
    if (!run->given[other].pointer || kind == MCL__SCRATCH) return MCL_OK;
    to->in_place = kind == MCL__INPUT && may_replace(to, other);
    if (kind == MCL__INPUT) return check_input_apart(to, other, run->given[other].input);
    if (kind != MCL__OPERATOR) return check_stored_apart(to, other);
    const mcl_op *const op = run->given[other].op;
    return check_bindings_apart(to, other, NULL, op->bindings, op->binding_count);
}

static mcl_status check_target_apart(target *to)
{
    const mcl__operand *const list = to->with->declaration->operands;
    if (!to->output.buffer || to->needed <= 0) return MCL_OK;
    for (int other = 1; other < MCL__DECLARED_MAX && list[other].name; ++other)
        if (to->with == to->run || !list[other].unused) MCL__TRY(check_apart(to, other));
    return MCL_OK;
}

static mcl_status check_memory(const mcl__run *run, int k)
{
    const mcl__operand *const list = run->declaration->operands;
    target to;
    if (!stores(run, k, &to)) return MCL_OK;
    if (list[k].kind == MCL__RESULT) /* each of its slots */
        MCL__TRY(mcl__check_output(mcl__run_name(run, k), run->queue->context, &to.output));
    if (to.output.capacity < to.needed)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s has capacity %lld; expected %lld or more", mcl__run_name(run, k),
                         (long long)to.output.capacity, (long long)to.needed);
    return check_target_apart(&to);
}

mcl_status mcl__run_check_apart(const mcl__run *run, const mcl__run *with)
{
    const mcl__operand *const list = run->declaration->operands;
    target to;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) {
        if (list[k].unused || !stores(run, k, &to)) continue;
        to.with = with;
        MCL__TRY(check_target_apart(&to));
    }
    return MCL_OK;
}

mcl_status mcl__run_check_memory(const mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) MCL__TRY(check_memory(run, k));
    return MCL_OK;
}

static mcl_status validate(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    const char *const name = mcl__run_name(run, k);
    const int range_of = p->offsets_of ? p->offsets_of : p->indices_of;
    if (p->kind != MCL__INPUT || !run->given[k].input) return MCL_OK;
    if (p->sorted_by || p->offsets_of)
        MCL__TRY(mcl__validate_sorted(run->queue, name, run->given[k].input,
                                      p->sorted_by ? run->given[p->sorted_by].op : MCL_LESS, run->options));
    if (!range_of) return MCL_OK;
    return mcl__validate_range(run->queue, name, run->given[k].input, 0, run->given[range_of].input->count,
                               run->options);
}

mcl_status mcl__run_ready(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    MCL__TRY(mcl__run_check_memory(run));
    MCL__TRY(mcl__context_probe(run->queue->context));
    if (!mcl__validates(run->options)) return MCL_OK;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) MCL__TRY(validate(run, k));
    return MCL_OK;
}
