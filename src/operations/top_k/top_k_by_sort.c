/* top_k_by_sort.c: the first k elements, or the element of a rank, by a sort of all keys. If keys are few, or k is a
 * large fraction of their number, a radix sort is faster than the rounds of a selection. The steps are calls of other
 * operations, and one launch. Kernel: cl/kernels/top_k/top_k_by_sort.cl. */
#include "operations/sort/sort_operands.h"
#include "operations/top_k/selection.h"
#include "operations/top_k/top_k_operands.h"

#include "moderncl/sort.h"

enum { TAKE };   /* passes */
enum { WANTED }; /* scalars */

static const mcl__declaration top_k_taken = {
    .file = "kernels/top_k/top_k_by_sort.cl",
    .operands = mcl__top_k_operands,
    .scalars = { [WANTED] = "wanted" },
    .passes = (mcl__passes){ [TAKE] = { "top_k_take",
                                        .arguments = { OPERAND(IN), OPERAND(IN_VALUES), OPERAND(ORDER),
                                                       OPERAND(AMOUNTS), AS_INDEX(WANTED), OPERAND(OUT),
                                                       OPERAND(OUT_VALUES), OPERAND(OUT_INDICES), OPERAND(RESULT),
                                                       HAS_RESULT(RESULT), OPERAND(CHOSEN), HAS_RESULT(CHOSEN) } } },
    .takes = MCL__TAKES_UNORDERED,
};

int mcl__top_k_sorts_all(const mcl__call *call, int64_t wanted, int in_order)
{
    const mcl_context *const context = call->queue->context;
    const mcl_input *const keys = call->operands[IN].input;
    const mcl__sort_operands by_digits = { .keys = *keys, .before = call->operands[BEFORE].op };
    const int64_t bytes = keys->count * (int64_t)keys->type->size;
    if (!mcl__radix_sort_applies(&by_digits)) return 0;
    if (!in_order) return bytes <= mcl__tuned(context, MCL__PARAMETER_top_k_rank_sort_bytes);
    return bytes <= mcl__tuned(context, MCL__PARAMETER_top_k_sort_bytes) ||
           100 * wanted >= keys->count * mcl__tuned(context, MCL__PARAMETER_top_k_sort_percent);
}

typedef struct by_sort_plan {
    mcl__call *call;
    int64_t wanted;
    mcl_buffer *sorted; /* sorted keys, or their indices */
} by_sort_plan;

/* Returns 1 where indices are sorted instead of keys. Values are then fetched by index, only for the chosen keys. */
static int sorts_indices(const mcl__call *call)
{
    return call->operands[IN_VALUES].input || call->operands[OUT_INDICES].output;
}

static const mcl_type *sorted_type(const mcl__call *call)
{
    const mcl_input *const keys = call->operands[IN].input;
    if (!sorts_indices(call)) return keys->type;
    return keys->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_status sort_step(by_sort_plan *plan, const mcl_options *options)
{
    const mcl__call *const call = plan->call;
    const mcl_input keys = *call->operands[IN].input;
    const mcl_type *const type = sorted_type(call);
    const mcl_op *const before = call->operands[BEFORE].op;
    MCL__TRY(mcl__scratch_hold(call->queue, (size_t)keys.count * type->size, &plan->sorted));
    const mcl_output sorted = mcl_to_buffer(type, plan->sorted, 0, keys.count);
    if (sorts_indices(call)) return mcl_sort_indices(call->queue, keys, sorted, before, options);
    return mcl_sort(call->queue, keys, sorted, before, options);
}

static mcl_status take_step(const by_sort_plan *plan, const mcl_options *options)
{
    const mcl_input *const keys = plan->call->operands[IN].input;
    const mcl__tile_need need = { .element_bytes = keys->type->size };
    mcl_input sorted = mcl_from_buffer(sorted_type(plan->call), plan->sorted, 0, keys->count);
    mcl__call call = *plan->call;
    mcl__adopt_slot(&sorted, keys);
    call.declaration = &top_k_taken;
    call.options = options;
    call.operands[BEFORE].op = NULL;
    call.operands[sorts_indices(plan->call) ? ORDER : IN].input = &sorted;
    call.scalars[WANTED] = plan->wanted;
    MCL__TRY(mcl__call_program(&call, mcl__call_choose_tile(&call, MCL__OPERATION_transform, need),
                               mcl__index_bits(keys->count, options)));
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(mcl__call_launch_tiles(&call, TAKE, call.operands[RESULT].result ? 1 : plan->wanted));
    return mcl__call_end(&call);
}

static mcl_status by_sort_steps(void *of, const mcl_options *options)
{
    by_sort_plan *const plan = of;
    const mcl_options own = mcl__top_k_step_options(options);
    /* The caller's tile is left out, since it is meant for a selection alone. */
    const mcl_options beside = mcl__beside_options(&own);
    MCL__TRY(sort_step(plan, &beside));
    return take_step(plan, &beside);
}

static void release_memory(void *of)
{
    by_sort_plan *const plan = of;
    mcl__buffer_drop(&plan->sorted);
}

mcl_status mcl__top_k_by_sort(mcl__call *call, int64_t wanted)
{
    by_sort_plan plan = { .call = call, .wanted = wanted };
    return mcl__steps_run(call->queue, call->options, by_sort_steps, release_memory, &plan);
}
