/* join_unsorted.c: mcl_join_unsorted, and common steps of joins that sort first. */
#include "operations/join/join.h"
#include "operations/transform/transform.h"

#include "moderncl/sort.h"

#include <stdlib.h>

/* Operands that are only checked. No kernel uses them, since the steps are calls of other operations. */
static const mcl__declaration unsorted = {
    .of_steps = 1,
    .takes = MCL__TAKES_PASSES | MCL__TAKES_SORT_METHOD | MCL__TAKES_ANY_ORDER,
    .operands = mcl__join_operands,
};

/* ---- sorts, then a join ------------------------------------------------------------------------------------------ */

/* Leaves out what is for the join alone. side_sort sets the sort method again. */
mcl_options mcl__join_beside(const mcl_options *options)
{
    mcl_options own = *options;
    own.tile_threads = own.tile_items = own.passes = 0;
    own.sort_method = MCL_SORT_AUTO;
    own.flags &= ~(unsigned)MCL_UNORDERED;
    return own;
}

/* Returns the type of the count. Its slot in device memory has the same type. */
static const mcl_type *count_type(const mcl__call *call)
{
    const mcl_type *const type = call->operands[COUNT].result->type;
    return type ? type : MCL_INT64;
}

mcl_status mcl__join_check_count_type(const mcl__call *call, int64_t stored)
{
    const mcl_type *const type = count_type(call);
    const int64_t highest = mcl__count_highest(type);
    if (stored <= highest) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE,
                     "count is %s and the outputs have room for %lld rows; expected MCL_INT64 for "
                     "more than %lld rows",
                     type->name, (long long)stored, (long long)highest);
}

static mcl_status side_sort(const mcl__join_sorts *plan, mcl__join_side *side, const mcl_options *options)
{
    mcl_queue *const queue = plan->call->queue;
    const mcl_op *const before = plan->call->operands[BEFORE].op;
    const mcl_type *const carried = side->carried.type;
    const int64_t count = side->keys.count;
    const size_t room = (size_t)(count > 0 ? count : 1);
    mcl_options own = mcl__join_beside(options);
    own.sort_method = options->sort_method;
    MCL__TRY(mcl__scratch_hold(queue, room * side->keys.type->size, &side->sorted));
    const mcl_output sorted = mcl_to_buffer(side->keys.type, side->sorted, 0, count);
    if (!carried) return mcl_sort(queue, side->keys, sorted, before, &own);
    MCL__TRY(mcl__scratch_hold(queue, room * carried->size, &side->moved));
    return mcl_sort_pairs(queue, side->keys, side->carried, sorted, mcl_to_buffer(carried, side->moved, 0, count),
                          before, &own);
}

/* Returns the sorted keys of a side as an input, with the count of the side's keys. */
static mcl_input side_input(const mcl__join_side *side)
{
    mcl_input sorted = mcl_from_buffer(side->keys.type, side->sorted, 0, side->keys.count);
    mcl__adopt_slot(&sorted, &side->keys);
    return sorted;
}

/* Sets *count to the slot of the count in device memory: the caller's slot, else one in scratch. */
static mcl_status sorts_count(mcl__join_sorts *plan, mcl_result *count)
{
    const mcl_result *const result = plan->call->operands[COUNT].result;
    const mcl_type *const type = count_type(plan->call);
    if (!result->buffer && !plan->slot) MCL__TRY(mcl__scratch_hold(plan->call->queue, type->size, &plan->slot));
    *count = result->buffer ? mcl_to_slot(type, result->buffer, result->offset) : mcl_to_slot(type, plan->slot, 0);
    plan->count_at = mcl__result_span(count);
    return MCL_OK;
}

mcl_status mcl__join_sort_and_join(mcl__join_sorts *plan, mcl_output out_a, mcl_output out_b,
                                   const mcl_options *options, mcl_result *count)
{
    mcl_options join_options = *options;
    join_options.sort_method = MCL_SORT_AUTO;
    join_options.flags &= ~(unsigned)MCL_UNORDERED;
    MCL__TRY(sorts_count(plan, count));
    if (plan->has_hash) {
        mcl__join_side *const hashed = mcl__join_hashed(plan);
        MCL__TRY(side_sort(plan, hashed, options));
        return mcl__join_by_hash(plan, out_a, out_b, side_input(hashed), &join_options, count);
    }
    if (plan->has_table) {
        mcl__join_side *const small = mcl__join_large_is_a(plan) ? &plan->b : &plan->a;
        MCL__TRY(side_sort(plan, small, options));
        return mcl__join_by_table(plan, out_a, out_b, side_input(small), &join_options, count);
    }
    MCL__TRY(side_sort(plan, &plan->a, options));
    MCL__TRY(side_sort(plan, &plan->b, options));
    return mcl_join(plan->call->queue, plan->kind, side_input(&plan->a), side_input(&plan->b), out_a, out_b,
                    plan->call->operands[BEFORE].op, *count, &join_options);
}

mcl_input mcl__join_rows(const mcl__join_sorts *plan, const mcl_output *rows, const mcl_result *count)
{
    const mcl_input all = mcl_from_buffer(rows->type, rows->buffer, rows->offset, plan->stored);
    return mcl_with_count_of(all, count->type, count->buffer, count->offset);
}

void mcl__join_release(mcl__join_sorts *plan)
{
    mcl_buffer **const owned[] = { &plan->a.sorted, &plan->a.moved, &plan->b.sorted, &plan->b.moved, &plan->slot };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; ++k) mcl__buffer_drop(owned[k]);
}

mcl_status mcl__join_run(mcl__join_sorts *plan, mcl__steps steps, void (*release)(void *of), void *of)
{
    MCL__TRY(mcl__steps_run(plan->call->queue, plan->call->options, steps, release, of));
    return mcl__call_read(plan->call, COUNT, plan->count_at);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Returns an output of the call for the join. It is all zero where the caller has left it out. */
static mcl_output join_output(const mcl__join_sorts *plan, int operand)
{
    const mcl_output *const out = plan->call->operands[operand].output;
    return !out || mcl__is_left_out(out) ? (mcl_output){ 0 } : *out;
}

/* Turns indices of sorted keys into indices of the caller's keys. An operator that contradicts itself does not sort.
 * Then rows may have any numbers, or may not be stored at all. So a number that is no index becomes -1. */
static mcl_status restore(const mcl__join_sorts *plan, const mcl__join_side *side, int operand, const mcl_result *count,
                          const mcl_options *options)
{
    const mcl_output *const out = plan->call->operands[operand].output;
    const int64_t keys = side->keys.count;
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_rows", out->type, out->buffer, out->offset),
                                  mcl_binding_buffer("mcl_order", side->carried.type, side->moved, 0),
                                  mcl_binding_value("mcl_keys", MCL_INT64, &keys) };
    mcl_input restored =
        mcl_from_expression(out->type, "mcl_rows[i] >= 0 && mcl_rows[i] < mcl_keys ? mcl_order[mcl_rows[i]] : -1", NULL,
                            bound, 3, plan->stored);
    const mcl_options own = mcl__join_beside(options);
    const mcl_output to = mcl_to_buffer(out->type, out->buffer, out->offset, plan->stored);
    if (mcl__is_left_out(out)) return MCL_OK;
    restored = mcl_with_count_of(restored, count->type, count->buffer, count->offset);
    return mcl__transform(plan->call->queue, &restored, to, &own);
}

static mcl_status unsorted_steps(void *of, const mcl_options *options)
{
    mcl__join_sorts *const plan = of;
    mcl_result count;
    MCL__TRY(mcl__join_sort_and_join(plan, join_output(plan, OUT_A), join_output(plan, OUT_B), options, &count));
    if (plan->stored == 0 || plan->has_table || plan->has_hash) return MCL_OK;
    MCL__TRY(restore(plan, &plan->a, OUT_A, &count, options));
    return mcl__join_pairs(plan->kind) ? restore(plan, &plan->b, OUT_B, &count, options) : MCL_OK;
}

static void unsorted_release(void *of)
{
    mcl__join_release(of);
}

/* Gives a side its keys, and lets the sort carry the index of each key. */
static void side_begin(mcl__join_side *side, const mcl_input *keys)
{
    const int64_t zero = 0;
    side->keys = *keys;
    side->carried = mcl_from_counting(mcl__join_index(side), &zero, keys->count);
}

static mcl_status unsorted_run(mcl__call *call, mcl_join_kind kind)
{
    mcl__join_sorts *plan = NULL;
    MCL__TRY(mcl__plan_new(sizeof *plan, &plan));
    plan->call = call;
    plan->kind = kind;
    plan->stored = call->room[OUT_A];
    side_begin(&plan->a, call->operands[A].input);
    side_begin(&plan->b, call->operands[B].input);
    plan->has_hash = mcl__join_has_hash(plan);
    plan->has_table = plan->a.restores = plan->b.restores = !plan->has_hash && mcl__join_has_table(plan);
    const mcl_status status = mcl__join_run(plan, unsorted_steps, unsorted_release, plan);
    free(plan);
    return status;
}

mcl_status mcl_join_unsorted(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a,
                             mcl_output out_b, const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &unsorted, "mcl_join_unsorted", queue, options,
                       .operands = { [A].input = &a,
                                     [B].input = &b,
                                     [BEFORE].op = before,
                                     [OUT_A].output = &out_a,
                                     [COUNT].result = &count,
                                     [OUT_B].output = &out_b } };
    MCL__TRY(mcl__join_check(&call, kind));
    MCL__TRY(mcl__join_check_count_type(&call, call.room[OUT_A]));
    MCL__TRY(unsorted_run(&call, kind));
    return mcl__join_check_counted(&call);
}
