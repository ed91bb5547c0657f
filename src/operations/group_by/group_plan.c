/* group_plan.c: plans a grouping: its operands, and their checks. */
#include "operations/group_by/group_plan.h"

#include "moderncl/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operands that are only checked. No kernel uses them, since the steps are calls of other operations. */
static const mcl__declaration group_by = {
    .of_steps = 1,
    .operands = (mcl__operands){ [KEYS] = { "keys", .kind = MCL__INPUT, .group = 1 },
                                 [OUT_KEYS] = { "out_keys", .kind = MCL__OUTPUT, .group = 1, .optional = 1 },
                                 [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS } },
};

/* The operands of an aggregate; keys and count belong to the whole call. */
static const mcl__declaration grouped = {
    .of_steps = 1,
    .operands =
        (mcl__operands){ [VALUES] = { "values", .kind = MCL__INPUT, .as_many = GROUPED_KEYS },
                         [OP] = { "op", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD, .of = VALUES },
                         [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .optional = 1 },
                         [GROUPED_KEYS] = { "keys", .kind = MCL__INPUT, .unused = 1 },
                         [GROUPED_COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 } },
};

/* The operands of a mean, which consists of two other aggregates and a quotient. */
static mcl__operands averaged = {
    [OP] = { "op", .kind = MCL__OPERATOR, .use = MCL_ROLE_MEAN, .of = VALUES },
    [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__REALS, .optional = 1 },
};

/* ---- aggregates ------------------------------------------------------------------------------------------------ */

static void part_begin(mcl__grouped *part, const mcl__call *plan, const mcl_aggregate *given, int index)
{
    static const char *const members[] = { "values", "op", "out" };
    for (int k = 0; k < 3; ++k) {
        (void)snprintf(part->names[k], sizeof part->names[k], "aggregates[%d].%s", index, members[k]);
        part->label[VALUES + k] = part->names[k];
    }
    part->given = *given;
    part->call = (mcl__call){ .declaration = &grouped,
                              .own = mcl__grouped_is_mean(part) ? averaged : NULL,
                              .function = plan->function,
                              .queue = plan->queue,
                              .options = plan->options,
                              .label = part->label };
    part->call.operands[VALUES].input = &part->given.values;
    part->call.operands[OP].op = part->given.op;
    part->call.operands[OUT].output = &part->given.out;
    part->call.operands[GROUPED_KEYS].input = plan->operands[KEYS].input;
    part->call.operands[GROUPED_COUNT].result = plan->operands[COUNT].result;
}

/* Makes a copy of the operator that names its accumulator type. The steps store sums in scratch, so the output's type
 * no longer gives the accumulator's. */
static void settle_accumulator(mcl__grouped *part)
{
    const mcl_op *const op = part->call.operands[OP].op;
    const mcl_type *const value = mcl__call_accumulator(&part->call, OP);
    if (op->value || mcl__same_type(value, part->given.values.type)) return;
    part->own = *op;
    part->own.value = value;
    part->call.operands[OP].op = &part->own;
}

/* Checks an aggregate. Its operator must not use indices, since elements are folded in sorted order. */
static mcl_status check_part(mcl__grouped *part)
{
    const mcl_op *const op = part->call.operands[OP].op;
    MCL__TRY(mcl__call_check(&part->call));
    if (mcl__grouped_is_mean(part)) return MCL_OK;
    if (mcl__fold_is_indexed(op))
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "%s has the accumulator MCL_INDEXED; expected one without an index",
                         part->label[OP]);
    if (!mcl__text_names(op->extract, 'i')) {
        settle_accumulator(part);
        return MCL_OK;
    }
    return mcl__fail(MCL_ERROR_UNSUPPORTED, "%s has an extract that names i; expected one of x alone", part->label[OP]);
}

/* ---- checks ----------------------------------------------------------------------------------------------------- */

static int64_t room_of(const mcl__call *call, int k, int64_t elements)
{
    const int64_t capacity = call->operands[k].output->capacity;
    return capacity < elements ? capacity : elements;
}

static mcl_status check_keys(const mcl__call *call)
{
    const mcl_input *const keys = call->operands[KEYS].input;
    const mcl_type *const count = call->operands[COUNT].result->type;
    const int64_t highest = count ? mcl__count_highest(count) : INT64_MAX;
    if (keys->type->size > MCL__GROUP_KEY_BYTES)
        return mcl__fail(MCL_ERROR_TYPE, "keys is %s of %zu bytes; expected a type of at most %d bytes",
                         keys->type->name, keys->type->size, MCL__GROUP_KEY_BYTES);
    if (keys->count <= highest) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "count is %s and keys has %lld elements; expected MCL_INT64 for more than %lld",
                     count->name, (long long)keys->count, (long long)highest);
}

/* Checks aggregate index against the call and the earlier aggregates: no output of one may overlap what another reads
 * or stores. */
static mcl_status check_apart(const mcl__group_plan *plan, int index)
{
    const mcl__call *const part = &plan->parts[index].call;
    MCL__TRY(mcl__call_check_apart(part, plan->call));
    MCL__TRY(mcl__call_check_apart(plan->call, part));
    for (int other = 0; other < index; ++other) {
        MCL__TRY(mcl__call_check_apart(part, &plan->parts[other].call));
        MCL__TRY(mcl__call_check_apart(&plan->parts[other].call, part));
    }
    return MCL_OK;
}

static mcl_status check(const mcl__group_plan *plan)
{
    mcl__call *const call = plan->call;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(check_keys(call));
    const int64_t elements = call->operands[KEYS].input->count;
    for (int k = 0; k < plan->part_count; ++k) MCL__TRY(check_part(&plan->parts[k]));
    call->room[OUT_KEYS] = room_of(call, OUT_KEYS, elements);
    MCL__TRY(mcl__call_ready(call));
    for (int k = 0; k < plan->part_count; ++k) {
        mcl__call *const part = &plan->parts[k].call;
        part->room[OUT] = room_of(part, OUT, elements);
        MCL__TRY(mcl__call_check_memory(part));
        MCL__TRY(check_apart(plan, k));
    }
    return MCL_OK;
}

mcl_status mcl__group_count_slot(const mcl__call *call, mcl_queue *queue, mcl_buffer **own, mcl_result *count)
{
    const mcl_result *const given = call->operands[COUNT].result;
    const mcl_type *const type = given->type ? given->type : MCL_INT64;
    *count = mcl_to_slot(type, given->buffer, given->offset);
    if (given->buffer) return MCL_OK;
    if (!*own) MCL__TRY(mcl__scratch_hold(queue, type->size, own));
    *count = mcl_to_slot(type, *own, 0);
    return MCL_OK;
}

/* ---- a grouping ----------------------------------------------------------------------------------------------- */

/* A call with its aggregates. It is on the heap: a mean contains a second grouping, and a small stack has no room for
 * both. */
typedef struct grouping {
    mcl__call call;
    mcl__grouped parts[];
} grouping;

/* Checks the texts of an aggregate that no step folds, since its output is left out. A reduction of one element, whose
 * result is not asked for, compiles the texts and does nothing else. */
static mcl_status look_at_texts(const mcl__grouped *part)
{
    static const unsigned char zero[MCL_VALUE_BYTES_MAX];
    const mcl_op *const op = mcl__grouped_is_mean(part) ? MCL_ADD : part->call.operands[OP].op;
    mcl_input one = part->given.values;
    if (!one.expression) one = mcl_from_constant(one.type, zero, 1);
    one.count = 1;
    one.count_slot = NULL;
    mcl__function_hold();
    const mcl_status status = mcl_reduce(part->call.queue, one, op, mcl_to_nowhere(), NULL);
    mcl__function_let_go();
    return status;
}

mcl_status mcl__group_look_at_texts(const mcl__group_plan *group)
{
    if (!group->call->queue->preparing) return MCL_OK; /* the measuring of new types and texts is enough */
    for (int k = 0; k < group->part_count; ++k)
        if (!mcl__grouped_is_wanted(&group->parts[k])) MCL__TRY(look_at_texts(&group->parts[k]));
    return MCL_OK;
}

static mcl_status group_run(const mcl__group_plan *plan, mcl__group_steps *steps)
{
    MCL__TRY(check(plan));
    MCL__TRY(steps(plan));
    MCL__TRY(mcl__call_check_counted(plan->call, OUT_KEYS, COUNT, 0));
    for (int k = 0; k < plan->part_count; ++k)
        MCL__TRY(mcl__call_check_counted(&plan->parts[k].call, OUT, GROUPED_COUNT, 0));
    return MCL_OK;
}

mcl_status mcl__group(mcl_queue *queue, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                      int aggregate_count, mcl_result count, const mcl_options *options, mcl__group_steps *steps)
{
    mcl__function_is("mcl_group_by");
    if (aggregate_count < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "aggregate_count is %d; expected 0 or more", aggregate_count);
    if (aggregate_count > 0 && !aggregates)
        return mcl__fail(MCL_ERROR_ARGUMENT, "aggregates is NULL and aggregate_count %d; expected as many aggregates",
                         aggregate_count);
    grouping *plan = NULL;
    MCL__TRY(mcl__plan_new(sizeof *plan + (size_t)aggregate_count * sizeof plan->parts[0], &plan));
    mcl__call_init(&plan->call, &group_by, "mcl_group_by", queue, options);
    plan->call.operands[KEYS].input = &keys;
    plan->call.operands[OUT_KEYS].output = &out_keys;
    plan->call.operands[COUNT].result = &count;
    for (int k = 0; k < aggregate_count; ++k) part_begin(&plan->parts[k], &plan->call, &aggregates[k], k);
    const mcl_status status = group_run(
        &(mcl__group_plan){ .call = &plan->call, .parts = plan->parts, .part_count = aggregate_count }, steps);
    free(plan);
    return status;
}

mcl_status mcl__group_keys(mcl_queue *queue, mcl_input keys, mcl_output out, mcl_result count,
                           const mcl_options *options, mcl__group_steps *steps)
{
    static const char *const label[COUNT + 1] = { [OUT_KEYS] = "out" };
    mcl__call call;
    mcl__call_init(&call, &group_by, "mcl_distinct", queue, options);
    call.label = label;
    call.operands[KEYS].input = &keys;
    call.operands[OUT_KEYS].output = &out;
    call.operands[COUNT].result = &count;
    return group_run(&(mcl__group_plan){ .call = &call }, steps);
}
