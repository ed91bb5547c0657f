/* group_by_mean.c: groups with means. A mean is a sum, and all means share one count. Both are aggregates of a grouping
 * without means; then each sum is divided. The steps are calls of their own. */
#include "operations/group_by/group_by_call.h"
#include "operations/transform/transform.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = MCL__GROUP_KEYS, OUT_KEYS = MCL__GROUP_OUT_KEYS, COUNT = MCL__GROUP_COUNT };
enum { VALUES = MCL__GROUPED_VALUES, OUT = MCL__GROUPED_OUT };
enum { QUOTIENT_BYTES = 96 };

/* The sums of one mean. */
typedef struct mean {
    mcl_op sum;
    mcl_buffer *sums; /* NULL: no mean, or one that stores nothing */
} mean;

typedef struct mean_call {
    const mcl__group_call *group;
    mean *means;         /* one for each aggregate */
    mcl_aggregate *list; /* the aggregates without means, and the count */
    mcl_buffer *counts;
    mcl_buffer *slot; /* the count's of groups, where the caller has none */
} mean_call;

int mcl__group_has_means(const mcl__group_call *group)
{
    for (int k = 0; k < group->part_count; ++k)
        if (mcl__grouped_is_mean(&group->parts[k])) return 1;
    return 0;
}

static void release(mcl_buffer **owned)
{
    mcl_buffer_release(*owned);
    *owned = NULL;
}

static void release_sums(void *of)
{
    mean_call *const call = of;
    for (int k = 0; k < call->group->part_count; ++k) release(&call->means[k].sums);
    release(&call->counts);
}

/* ---- sums and counts --------------------------------------------------------------------------------------------- */

/* Integers are summed in 64 bits, floats in the wider type of values and out. */
static const mcl_type *sum_type(const mcl__grouped *part)
{
    const mcl_type *const values = part->given.values.type, *const out = part->given.out.type;
    if (values->kind == MCL_KIND_SIGNED) return MCL_INT64;
    if (values->kind == MCL_KIND_UNSIGNED) return MCL_UINT64;
    return mcl__same_type(values, MCL_DOUBLE) || mcl__same_type(out, MCL_DOUBLE) ? MCL_DOUBLE : MCL_FLOAT;
}

static const mcl_type *size_type(const mean_call *call)
{
    return call->group->run->given[KEYS].input->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_input ones(const mean_call *call)
{
    const int64_t count = call->group->run->given[KEYS].input->count;
    const int32_t narrow = 1;
    const int64_t wide = 1;
    const mcl_type *const type = size_type(call);
    return mcl_from_constant(type, mcl__same_type(type, MCL_INT32) ? (const void *)&narrow : &wide, count);
}

static mcl_status list_mean(mean_call *call, int k)
{
    const mcl__grouped *const part = &call->group->parts[k];
    mean *const made = &call->means[k];
    const int64_t room = mcl__grouped_is_wanted(part) ? part->run.room[OUT] : 0;
    made->sum = *MCL_ADD;
    call->list[k] = (mcl_aggregate){ .values = part->given.values, .op = &made->sum };
    if (room == 0) return MCL_OK;
    made->sum.value = sum_type(part);
    MCL__TRY(mcl__buffer_create_for(call->group->run->queue, (size_t)room * made->sum.value->size, &made->sums));
    call->list[k].out = mcl_to_buffer(made->sum.value, made->sums, 0, room);
    return MCL_OK;
}

/* Lists the aggregates of the grouping without means. The last one counts. */
static mcl_status list_aggregates(mean_call *call)
{
    const int parts = call->group->part_count;
    int64_t room = 0;
    for (int k = 0; k < parts; ++k) {
        const mcl__grouped *const part = &call->group->parts[k];
        if (!mcl__grouped_is_mean(part)) {
            call->list[k] = part->given;
            call->list[k].out = mcl__group_output(&part->run, OUT);
            continue;
        }
        MCL__TRY(list_mean(call, k));
        if (call->means[k].sums && part->run.room[OUT] > room) room = part->run.room[OUT];
    }
    call->list[parts] = (mcl_aggregate){ .values = ones(call), .op = MCL_ADD };
    if (room == 0) return MCL_OK;
    MCL__TRY(mcl__buffer_create_for(call->group->run->queue, (size_t)room * size_type(call)->size, &call->counts));
    call->list[parts].out = mcl_to_buffer(size_type(call), call->counts, 0, room);
    return MCL_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static mcl_status divide(const mean_call *call, int k, const mcl_result *count, const mcl_options *options)
{
    const mcl__grouped *const part = &call->group->parts[k];
    const mcl_output out = part->given.out;
    const mcl_binding bound[] = {
        mcl_binding_buffer("mcl_sums", call->means[k].sum.value, call->means[k].sums, 0),
        mcl_binding_buffer("mcl_counts", size_type(call), call->counts, 0),
    };
    const char *const by = call->means[k].sum.value == MCL_DOUBLE ? "double" : out.type->name;
    char quotient[QUOTIENT_BYTES];
    (void)snprintf(quotient, sizeof quotient, "(%s)((%s)mcl_sums[i] / (%s)mcl_counts[i])", out.type->name, by, by);
    mcl_input means = mcl_from_expression(out.type, quotient, NULL, bound, 2, part->run.room[OUT]);
    means = mcl_with_count_of(means, count->type, count->buffer, count->offset);
    return mcl__transform(call->group->run->queue, &means, out, options);
}

static mcl_status mean_steps(void *of, const mcl_options *options)
{
    mean_call *const call = of;
    const mcl__run *const run = call->group->run;
    const mcl_options beside = mcl__beside_options(options); /* the tile is meant for the folds */
    mcl_result count;
    MCL__TRY(mcl__group_count_slot(run, run->queue, &call->slot, &count));
    MCL__TRY(list_aggregates(call));
    MCL__TRY(mcl_group_by(run->queue, *run->given[KEYS].input, mcl__group_output(run, OUT_KEYS), call->list,
                          call->group->part_count + 1, count, options));
    for (int k = 0; k < call->group->part_count; ++k)
        if (call->means[k].sums) MCL__TRY(divide(call, k, &count, &beside));
    return MCL_OK;
}

static mcl_status mean_run(mean_call *call)
{
    const mcl__run *const run = call->group->run;
    mcl_result count;
    if (!call->means || !call->list)
        return mcl__fail(MCL_ERROR_MEMORY, "no host memory for %d aggregates", call->group->part_count);
    MCL__TRY(mcl__steps_run(run->queue, run->options, mean_steps, release_sums, call));
    MCL__TRY(mcl__group_count_slot(run, run->queue, &call->slot, &count));
    return mcl__run_read(run, COUNT, (mcl__span){ count.buffer, (size_t)count.offset * count.type->size });
}

mcl_status mcl__group_averaged(const mcl__group_call *group)
{
    const size_t parts = (size_t)group->part_count;
    mean_call call = { .group = group,
                       .means = calloc(parts, sizeof *call.means),
                       .list = calloc(parts + 1, sizeof *call.list) };
    const mcl_status status = mean_run(&call);
    if (call.means) release_sums(&call);
    release(&call.slot);
    free(call.means);
    free(call.list);
    return status;
}
