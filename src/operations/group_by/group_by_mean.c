/* group_by_mean.c: groups with means. Each mean needs a sum, and all means share one count. Sums and count are
 * aggregates of a grouping without means. Then each sum is divided by the count. The steps are calls of other
 * operations. */
#include "operations/group_by/group_plan.h"
#include "operations/transform/transform.h"

#include <stdio.h>
#include <stdlib.h>

enum { QUOTIENT_BYTES = 96 };

/* The sums for one mean. */
typedef struct mean {
    mcl_op sum;
    mcl_buffer *sums; /* NULL where the aggregate is no mean, or stores nothing */
} mean;

typedef struct mean_plan {
    const mcl__group_plan *group;
    mean *means;         /* one element per aggregate */
    mcl_aggregate *list; /* the aggregates that are no means, the sums and the count */
    mcl_buffer *counts;
    mcl_buffer *slot; /* slot of the count of groups, if the caller gives none */
    mcl__span count_at;
} mean_plan;

static int has_means(const mcl__group_plan *group)
{
    for (int k = 0; k < group->part_count; ++k)
        if (mcl__grouped_is_mean(&group->parts[k])) return 1;
    return 0;
}

static void release_sums(void *of)
{
    mean_plan *const plan = of;
    for (int k = 0; k < plan->group->part_count; ++k) mcl__buffer_drop(&plan->means[k].sums);
    mcl__buffer_drop(&plan->counts);
    mcl__buffer_drop(&plan->slot);
}

/* ---- sums and counts --------------------------------------------------------------------------------------------- */

/* Returns the type of a mean's sums. For integers it has 64 bits. For floats it is the wider type of values and out, at
 * least float. */
static const mcl_type *sum_type(const mcl__grouped *part)
{
    const mcl_type *const values = part->given.values.type, *const out = part->given.out.type;
    if (values->kind == MCL_KIND_SIGNED) return MCL_INT64;
    if (values->kind == MCL_KIND_UNSIGNED) return MCL_UINT64;
    return mcl__same_type(values, MCL_DOUBLE) || mcl__same_type(out, MCL_DOUBLE) ? MCL_DOUBLE : MCL_FLOAT;
}

static const mcl_type *size_type(const mean_plan *plan)
{
    return plan->group->call->operands[KEYS].input->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_input ones(const mean_plan *plan)
{
    const int64_t count = plan->group->call->operands[KEYS].input->count;
    const int32_t narrow = 1;
    const int64_t wide = 1;
    const mcl_type *const type = size_type(plan);
    return mcl_from_constant(type, mcl__same_type(type, MCL_INT32) ? (const void *)&narrow : &wide, count);
}

static mcl_status list_mean(mean_plan *plan, int k)
{
    const mcl__grouped *const part = &plan->group->parts[k];
    mean *const made = &plan->means[k];
    const int64_t room = mcl__grouped_is_wanted(part) ? part->call.room[OUT] : 0;
    made->sum = *MCL_ADD;
    plan->list[k] = (mcl_aggregate){ .values = part->given.values, .op = &made->sum };
    if (room == 0) return MCL_OK;
    made->sum.value = sum_type(part);
    MCL__TRY(mcl__scratch_hold(plan->group->call->queue, (size_t)room * made->sum.value->size, &made->sums));
    plan->list[k].out = mcl_to_buffer(made->sum.value, made->sums, 0, room);
    return MCL_OK;
}

/* Lists the aggregates of the grouping without means. The last one counts. */
static mcl_status list_aggregates(mean_plan *plan)
{
    const int parts = plan->group->part_count;
    int64_t room = 0;
    for (int k = 0; k < parts; ++k) {
        const mcl__grouped *const part = &plan->group->parts[k];
        if (!mcl__grouped_is_mean(part)) {
            plan->list[k] = part->given;
            plan->list[k].out = mcl__group_output(&part->call, OUT);
            continue;
        }
        MCL__TRY(list_mean(plan, k));
        if (plan->means[k].sums && part->call.room[OUT] > room) room = part->call.room[OUT];
    }
    plan->list[parts] = (mcl_aggregate){ .values = ones(plan), .op = MCL_ADD };
    if (room == 0) return MCL_OK;
    MCL__TRY(mcl__scratch_hold(plan->group->call->queue, (size_t)room * size_type(plan)->size, &plan->counts));
    plan->list[parts].out = mcl_to_buffer(size_type(plan), plan->counts, 0, room);
    return MCL_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static mcl_status divide(const mean_plan *plan, int k, const mcl_result *count, const mcl_options *options)
{
    const mcl__grouped *const part = &plan->group->parts[k];
    const mcl_output out = part->given.out;
    const mcl_binding bound[] = {
        mcl_binding_buffer("mcl_sums", plan->means[k].sum.value, plan->means[k].sums, 0),
        mcl_binding_buffer("mcl_counts", size_type(plan), plan->counts, 0),
    };
    const char *const by = plan->means[k].sum.value == MCL_DOUBLE ? "double" : out.type->name;
    char quotient[QUOTIENT_BYTES];
    (void)snprintf(quotient, sizeof quotient, "(%s)((%s)mcl_sums[i] / (%s)mcl_counts[i])", out.type->name, by, by);
    mcl_input means = mcl_from_expression(out.type, quotient, NULL, bound, 2, part->call.room[OUT]);
    means = mcl_with_count_of(means, count->type, count->buffer, count->offset);
    return mcl__transform(plan->group->call->queue, &means, out, options);
}

static mcl_status mean_steps(void *of, const mcl_options *options)
{
    mean_plan *const plan = of;
    const mcl__call *const call = plan->group->call;
    /* The caller's tile is left out, since it is meant for the folds alone. */
    const mcl_options beside = mcl__beside_options(options);
    mcl_result count;
    MCL__TRY(mcl__group_count_slot(call, call->queue, &plan->slot, &count));
    plan->count_at = mcl__result_span(&count);
    MCL__TRY(list_aggregates(plan));
    MCL__TRY(mcl__group(call->queue, *call->operands[KEYS].input, mcl__group_output(call, OUT_KEYS), plan->list,
                        plan->group->part_count + 1, count, options, mcl__group_tabled));
    for (int k = 0; k < plan->group->part_count; ++k)
        if (plan->means[k].sums) MCL__TRY(divide(plan, k, &count, &beside));
    return MCL_OK;
}

static mcl_status mean_run(mean_plan *plan)
{
    const mcl__call *const call = plan->group->call;
    if (!plan->means || !plan->list)
        return mcl__fail(MCL_ERROR_MEMORY, "no host memory for %d aggregates", plan->group->part_count);
    MCL__TRY(mcl__steps_run(call->queue, call->options, mean_steps, release_sums, plan));
    return mcl__call_read(call, COUNT, plan->count_at);
}

mcl_status mcl__group_averaged(const mcl__group_plan *group)
{
    if (!has_means(group)) return mcl__group_tabled(group);
    const size_t parts = (size_t)group->part_count;
    mean_plan plan = { .group = group,
                       .means = calloc(parts, sizeof *plan.means),
                       .list = calloc(parts + 1, sizeof *plan.list) };
    const mcl_status status = mean_run(&plan);
    free(plan.means);
    free(plan.list);
    return status;
}
