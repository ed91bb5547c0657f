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

static mcl_status check_by_itself(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    mcl__given operand = { .name = mcl__run_name(run, k), .use = p->use, .types = p->types, .optional = p->optional };
    switch (p->kind) {
    case MCL__INPUT:
        operand.input = run->given[k].input;
        if (!operand.input) return MCL_OK;
        break;
    case MCL__OUTPUT:
        operand.output = run->given[k].output;
        if (!operand.output) return MCL_OK;
        break;
    case MCL__RESULT:
        operand.result = run->given[k].result;
        if (!operand.result) return MCL_OK;
        break;
    case MCL__SCRATCH:
        return MCL_OK;
    default:
        operand.op = run->given[k].op;
        operand.of = p->of ? run->given[p->of].input : NULL;
    }
    return mcl__check_operand(run->queue->context, &operand);
}

/* ---- what must agree ------------------------------------------------------------------------------------ */

/* The type of an operand that is given. NULL: it is not, or has none. */
static const mcl_type *type_of(const mcl__run *run, int k)
{
    const mcl__kind kind = operand_at(run, k)->kind;
    if (kind == MCL__INPUT && run->given[k].input) return run->given[k].input->type;
    if (kind == MCL__OUTPUT && run->given[k].output) return run->given[k].output->type;
    if (kind == MCL__RESULT && run->given[k].result) return run->given[k].result->type;
    return NULL;
}

/* The type that an output has when it is left out: that of its group, what its fold gives, or an index's. */
static const mcl_type *type_left_out(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    if (p->group) return run->types[p->group];
    if (!p->fold || mcl__same_type(run->given[p->fold].op->value, MCL_INDEXED)) return MCL_INT64;
    return run->given[p->fold].op->value ? run->given[p->fold].op->value : type_of(run, operand_at(run, p->fold)->of);
}

/* From then on an output that is not wanted has a type and room for everything. */
static void leave_out(const mcl__run *run, int k)
{
    const mcl__operand *const p = operand_at(run, k);
    if (p->kind == MCL__OUTPUT && p->optional && run->given[k].output)
        mcl__leave_out(run->given[k].output, type_left_out(run, k));
}

/* The first operand of a group decides the type. */
static mcl_status check_group(mcl__run *run, int k, int first_of[])
{
    const int group = operand_at(run, k)->group;
    const mcl_type *const type = type_of(run, k);
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

/* What holds the results of a fold has a type that its accumulator converts to. */
static mcl_status check_holds(const mcl__run *run, int k)
{
    const int fold = operand_at(run, k)->fold;
    const mcl_type *const type = type_of(run, k);
    if (fold == 0 || !type) return MCL_OK;
    return mcl__check_fold_result(mcl__run_name(run, k), run->given[fold].op, type_of(run, operand_at(run, fold)->of),
                                  type);
}

/* Indices of all elements of an input fit the output. */
static mcl_status check_indexes(const mcl__run *run, int k)
{
    const int other = operand_at(run, k)->indexes;
    const mcl_output *const out = run->given[k].output;
    if (other == 0 || !out || !run->given[other].input) return MCL_OK;
    const int64_t count = run->given[other].input->count;
    if (out->type->size > sizeof(int32_t) || count <= INT32_MAX) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is MCL_INT32; expected MCL_INT64 for indices of %lld elements",
                     mcl__run_name(run, k), (long long)count);
}

mcl_status mcl__run_check(mcl__run *run)
{
    const mcl__operand *const list = run->declaration->operands;
    int first_of[MCL__GROUPS_OF_TYPES_MAX] = { 0 };
    MCL__TRY(mcl__check_queue(run->function, run->queue));
    MCL__TRY(mcl__check_options(run->queue, run->options, run->declaration->takes));
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) MCL__TRY(check_by_itself(run, k));
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

static int64_t stored_count(const mcl__run *run, int k)
{
    return operand_at(run, k)->kind == MCL__RESULT && run->room[k] == 0 ? 1 : run->room[k];
}

/* What a run stores for operand k, as an output; 0: nothing. */
static int stored_range(const mcl__run *run, int k, mcl_output *out)
{
    const mcl__kind kind = operand_at(run, k)->kind;
    if (kind == MCL__OUTPUT && run->given[k].output) {
        *out = *run->given[k].output;
        return !mcl__is_left_out(out);
    }
    if (kind != MCL__RESULT || !run->given[k].result || !run->given[k].result->buffer) return 0;
    const mcl_result *const result = run->given[k].result;
    *out = (mcl_output){ result->type, result->buffer, result->offset, stored_count(run, k) };
    return 1;
}

/* Output k may replace input other, element for element. */
static int may_replace(const mcl__run *run, int k, int other)
{
    const mcl__operand *const p = operand_at(run, k);
    if (run->never_in_place || !(p->in_place & MCL__BIT(other))) return 0;
    return !p->arrays_only || !run->given[other].input->expression;
}

/* Operand other, which the run reads or has stored to before, does not lie under out, which is operand k. */
static mcl_status check_apart(const mcl__run *run, int k, const mcl_output *out, int other)
{
    const char *const name = mcl__run_name(run, k), *const other_name = mcl__run_name(run, other);
    const int64_t needed = stored_count(run, k);
    mcl_output earlier;
    switch (operand_at(run, other)->kind) {
    case MCL__INPUT:
        if (!run->given[other].input) return MCL_OK;
        if (may_replace(run, k, other))
            return mcl__check_in_place(other_name, run->given[other].input, name, out, needed);
        return mcl__check_no_overlap(other_name, run->given[other].input, name, out, needed);
    case MCL__OPERATOR:
        return mcl__check_op_overlap(other_name, run->given[other].op, name, out, needed);
    case MCL__SCRATCH:
        return MCL_OK;
    default:
        if (other >= k || !stored_range(run, other, &earlier)) return MCL_OK;
        const mcl_input written =
            mcl_from_buffer(earlier.type, earlier.buffer, earlier.offset, stored_count(run, other));
        return mcl__check_no_overlap(other_name, &written, name, out, needed);
    }
}

static mcl_status check_memory(const mcl__run *run, int k)
{
    const mcl__operand *const list = run->declaration->operands;
    mcl_output out;
    if (!stored_range(run, k, &out)) return MCL_OK;
    if (list[k].kind == MCL__OUTPUT)
        MCL__TRY(mcl__check_room(mcl__run_name(run, k), &out, run->room[k]));
    else /* each of its slots */
        MCL__TRY(mcl__check_output(mcl__run_name(run, k), run->queue->context, &out));
    for (int other = 1; other < MCL__DECLARED_MAX && list[other].name; ++other)
        MCL__TRY(check_apart(run, k, &out, other));
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
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) MCL__TRY(check_memory(run, k));
    MCL__TRY(mcl__context_probe(run->queue->context));
    if (!mcl__validates(run->options)) return MCL_OK;
    for (int k = 1; k < MCL__DECLARED_MAX && list[k].name; ++k) MCL__TRY(validate(run, k));
    return MCL_OK;
}
