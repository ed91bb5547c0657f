/* group_by_tables.c: groupings with few groups. Tables fold the elements by their keys. The groups of all tables form a
 * list (group_list.c), which is sorted and folded instead of the elements. If the list is empty, the elements are
 * sorted and folded. */
#include "operations/group_by/group_list.h"
#include "operations/group_by/group_plan.h"
#include "operations/transform/transform.h"

#include "facts/group_by.h"

#include <stdlib.h>

enum { FUSED = MCL__GROUP_FUSED };

/* The average number of elements per group below which a sort is no slower than shares of keys: LEAST_ONE with one
 * aggregate, LEAST_MANY with more. Each aggregate adds to the cost of the sort. */
enum { LEAST_ONE = 4, LEAST_MANY = 2 };

static const mcl_op *op_of(const mcl__grouped *part)
{
    return part->call.operands[OP].op;
}

/* Aggregates that tables fold together. */
typedef struct batch {
    const mcl__grouped *parts[FUSED];
    int count;
} batch;

/* Returns the next wanted aggregates, from number *next on, and moves *next past them. */
static batch next_batch(const mcl__group_plan *group, int *next)
{
    batch made = { .count = 0 };
    for (; *next < group->part_count && made.count < FUSED; ++*next)
        if (mcl__grouped_is_wanted(&group->parts[*next])) made.parts[made.count++] = &group->parts[*next];
    return made;
}

static int has_tables(const mcl__group_plan *group)
{
    if (!mcl__group_lists_keys(group->call, group->call->operands[KEYS].input)) return 0;
    for (int k = 0; k < group->part_count; ++k) {
        const mcl__grouped *const part = &group->parts[k];
        if (mcl__grouped_is_wanted(part) && !mcl__group_lists_fold(group->call, part->given.values.type, op_of(part)))
            return 0;
    }
    return 1;
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

/* A grouping with the operators of the call and other elements: the list's groups, or the elements in no table. */
typedef struct source {
    mcl__call call;
    mcl__grouped parts[FUSED];
    mcl_op ops[FUSED];
    mcl__group_plan group;
    mcl_input keys;
    mcl_output out_keys;
    mcl_result count;
    mcl__group_sort sort;
} source;

typedef struct tabled_plan {
    const mcl__group_plan *group;
    batch folds;
    mcl__group_list list;
    source listed, left;
    mcl_buffer *totals; /* number of groups of each source */
    mcl_buffer *slot;   /* slot of the count, if the caller gives none */
    mcl__span count_at;
} tabled_plan;

/* Releases the memory of one batch of aggregates. */
static void release_batch(tabled_plan *plan)
{
    mcl__group_list_release(&plan->list);
    mcl__buffer_drop(&plan->totals);
    mcl__group_sort_release(&plan->listed.sort);
    mcl__group_sort_release(&plan->left.sort);
}

/* Begins a source. index is the index of its number of elements in the list's counts, and of its number of groups in
 * totals. Only the first batch stores keys. */
static void source_begin(source *made, const tabled_plan *plan, const mcl_input *keys, int index, int is_first)
{
    const mcl__call *const call = plan->group->call;
    made->call = *call;
    made->keys = mcl_with_count(*keys, plan->list.counts, index);
    made->count = mcl_to_slot(MCL_INT64, plan->totals, index);
    made->out_keys = *call->operands[OUT_KEYS].output;
    if (!is_first) made->out_keys = (mcl_output){ .type = made->out_keys.type, .capacity = 1 };
    made->call.operands[KEYS].input = &made->keys;
    made->call.operands[OUT_KEYS].output = &made->out_keys;
    made->call.operands[COUNT].result = &made->count;
    made->group = (mcl__group_plan){ .call = &made->call, .parts = made->parts, .part_count = plan->folds.count };
    for (int k = 0; k < plan->folds.count; ++k) {
        made->parts[k] = *plan->folds.parts[k];
        made->parts[k].call.operands[VALUES].input = &made->parts[k].given.values;
    }
}

static mcl_status source_steps(source *made, const mcl_options *options)
{
    mcl__group_sort_init(&made->sort, &made->group);
    return mcl__group_sort_steps(&made->sort, options);
}

/* Folds the groups in the list with the operators of the call. */
static mcl_status listed_steps(tabled_plan *plan, const mcl_type *type, int is_first, const mcl_options *options)
{
    source *const made = &plan->listed;
    const mcl_input keys = mcl_from_buffer(type, plan->list.listed_keys, 0, plan->list.room);
    source_begin(made, plan, &keys, GROUPS_LISTED, is_first);
    for (int k = 0; k < plan->folds.count; ++k) {
        mcl__grouped *const part = &made->parts[k];
        const mcl_type *const sums = mcl__group_sum_type(&plan->list.folds[k]);
        made->ops[k] = *op_of(part);
        made->ops[k].extract = NULL;
        part->given.values = mcl_from_buffer(sums, plan->list.sums[k], 0, plan->list.room);
        part->call.operands[OP].op = &made->ops[k];
    }
    return source_steps(made, options);
}

static mcl_status count_slot(tabled_plan *plan, mcl_result *count)
{
    MCL__TRY(mcl__group_count_slot(plan->group->call, plan->group->call->queue, &plan->slot, count));
    plan->count_at = mcl__result_span(count);
    return MCL_OK;
}

/* Stores the number of groups of both sources. One source has no groups, but only the device knows which. */
static mcl_status add_counts(tabled_plan *plan, const mcl_options *options)
{
    const mcl_binding bound = mcl_binding_buffer("mcl_totals", MCL_INT64, plan->totals, 0);
    mcl_result count;
    MCL__TRY(count_slot(plan, &count));
    mcl_input total = mcl_from_expression(count.type, "mcl_totals[0] + mcl_totals[1]", NULL, &bound, 1, 1);
    return mcl__transform(plan->group->call->queue, &total, mcl_to_buffer(count.type, count.buffer, count.offset, 1),
                          options);
}

static mcl_status batch_steps(tabled_plan *plan, int is_first, const mcl_options *options)
{
    mcl_queue *const queue = plan->group->call->queue;
    mcl_input *const keys = &plan->list.keys;
    const mcl_options beside = mcl__beside_options(options);
    *keys = *plan->group->call->operands[KEYS].input;
    MCL__TRY(mcl__scratch_hold(queue, GROUPS_COUNTS * sizeof(int64_t), &plan->totals));
    plan->list.fold_count = plan->folds.count;
    plan->list.least_elements = plan->folds.count > 1 ? LEAST_MANY : LEAST_ONE;
    for (int k = 0; k < plan->folds.count; ++k)
        plan->list.folds[k] = (mcl__group_fold){ op_of(plan->folds.parts[k]), plan->folds.parts[k]->given.values };
    MCL__TRY(mcl__group_list_make(&plan->list, queue, options));
    MCL__TRY(listed_steps(plan, keys->type, is_first, options));
    source_begin(&plan->left, plan, keys, GROUPS_LEFT, is_first);
    MCL__TRY(source_steps(&plan->left, options));
    return is_first ? add_counts(plan, &beside) : MCL_OK;
}

static mcl_status tabled_steps(void *of, const mcl_options *options)
{
    tabled_plan *const plan = of;
    mcl_queue *const queue = plan->group->call->queue;
    mcl_result count;
    int next = 0, is_first = 1;
    MCL__TRY(mcl__group_look_at_texts(plan->group));
    MCL__TRY(count_slot(plan, &count)); /* all batches use the same slot */
    const size_t held = queue->scratch_held;
    for (plan->folds = next_batch(plan->group, &next); is_first || plan->folds.count > 0;
         plan->folds = next_batch(plan->group, &next)) {
        if (!is_first) release_batch(plan);
        queue->scratch_held = held;
        MCL__TRY(batch_steps(plan, is_first, options));
        is_first = 0;
    }
    return MCL_OK;
}

static void tabled_release(void *of)
{
    tabled_plan *const plan = of;
    release_batch(plan);
    mcl__buffer_drop(&plan->slot);
}

static mcl_status tabled_run(tabled_plan *plan)
{
    const mcl__call *const call = plan->group->call;
    MCL__TRY(mcl__steps_run(call->queue, call->options, tabled_steps, tabled_release, plan));
    return mcl__call_read(call, COUNT, plan->count_at);
}

mcl_status mcl__group_tabled(const mcl__group_plan *group)
{
    tabled_plan *plan = NULL;
    if (!has_tables(group)) return mcl__group_sorted(group);
    MCL__TRY(mcl__plan_new(sizeof *plan, &plan));
    plan->group = group;
    const mcl_status status = tabled_run(plan);
    free(plan);
    return status;
}
