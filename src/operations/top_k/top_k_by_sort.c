/* top_k_by_sort.c: the first k elements, or the element of a rank, by a sort of all keys. Of few keys, and where k is a
 * large part of them, a radix sort takes less than the rounds of a search. Kernel: cl/kernels/top_k/top_k_by_sort.cl.
 * The steps are calls of their own. */
#include "operations/sort/sort_call.h"
#include "operations/top_k/top_k_call.h"

#include "moderncl/sort.h"

enum {
    IN = MCL__TOP_K_IN,
    BEFORE = MCL__TOP_K_BEFORE,
    OUT_INDICES = MCL__TOP_K_OUT_INDICES,
    RESULT = MCL__TOP_K_RESULT,
    ORDER = MCL__TOP_K_ORDER
};
enum { TAKE };   /* passes */
enum { WANTED }; /* numbers */

static const mcl__declaration top_k_taken = {
    .file = "kernels/top_k/top_k_by_sort.cl",
    MCL__TOP_K_OPERANDS("k").numbers = { [WANTED] = "wanted" },
    .passes = { [TAKE] = { "top_k_take", .words = { MCL__OF + IN, MCL__OF + MCL__TOP_K_IN_VALUES, MCL__OF + ORDER,
                                                    MCL__OF + MCL__TOP_K_AMOUNTS, MCL__INDEX + WANTED,
                                                    MCL__OF + MCL__TOP_K_OUT, MCL__OF + MCL__TOP_K_OUT_VALUES,
                                                    MCL__OF + OUT_INDICES, MCL__OF + RESULT, MCL__ASKED + RESULT,
                                                    MCL__OF + MCL__TOP_K_CHOSEN, MCL__ASKED + MCL__TOP_K_CHOSEN } } },
    .takes = MCL__TAKES_UNORDERED,
};

int mcl__top_k_sorts_all(const mcl__run *run, int64_t wanted, int in_order)
{
    const mcl_context *const context = run->queue->context;
    const mcl_input *const keys = run->given[IN].input;
    const mcl__sort_call by_digits = { .keys = *keys, .before = run->given[BEFORE].op };
    const int64_t bytes = keys->count * (int64_t)keys->type->size;
    if (!mcl__radix_sort_applies(&by_digits)) return 0;
    if (!in_order) return bytes <= mcl__tuned(context, MCL__PARAMETER_top_k_rank_sort_bytes);
    return bytes <= mcl__tuned(context, MCL__PARAMETER_top_k_sort_bytes) ||
           100 * wanted >= keys->count * mcl__tuned(context, MCL__PARAMETER_top_k_sort_percent);
}

typedef struct by_sort_call {
    mcl__run *run;
    int64_t wanted;
    mcl_buffer *sorted; /* keys, or indices of them */
} by_sort_call;

/* Values are read only of keys that are chosen: so they are fetched by the indices of these. */
static int sorts_indices(const mcl__run *run)
{
    return run->given[MCL__TOP_K_IN_VALUES].input || run->given[OUT_INDICES].output;
}

static const mcl_type *sorted_type(const mcl__run *run)
{
    const mcl_input *const keys = run->given[IN].input;
    if (!sorts_indices(run)) return keys->type;
    return keys->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_status sort_step(by_sort_call *call, const mcl_options *options)
{
    const mcl__run *const run = call->run;
    const mcl_input keys = *run->given[IN].input;
    const mcl_type *const type = sorted_type(run);
    const mcl_op *const before = run->given[BEFORE].op;
    MCL__TRY(mcl__buffer_create_for(run->queue, (size_t)keys.count * type->size, &call->sorted));
    const mcl_output sorted = mcl_to_buffer(type, call->sorted, 0, keys.count);
    if (sorts_indices(run)) return mcl_sort_indices(run->queue, keys, sorted, before, options);
    return mcl_sort(run->queue, keys, sorted, before, options);
}

static mcl_status take_step(const by_sort_call *call, const mcl_options *options)
{
    const mcl_input *const keys = call->run->given[IN].input;
    const mcl__tile_need need = { .element_bytes = keys->type->size };
    mcl_input sorted = mcl_from_buffer(sorted_type(call->run), call->sorted, 0, keys->count);
    mcl__run run = *call->run;
    mcl__adopt_slot(&sorted, keys);
    run.declaration = &top_k_taken;
    run.options = options;
    run.given[BEFORE].op = NULL;
    run.given[sorts_indices(call->run) ? ORDER : IN].input = &sorted;
    run.numbers[WANTED] = call->wanted;
    MCL__TRY(mcl__run_program(&run, mcl__run_choose_tile(&run, MCL__OPERATION_transform, need),
                              mcl__index_bits(keys->count, options)));
    MCL__TRY(mcl__run_begin(&run));
    MCL__TRY(mcl__run_launch_tiles(&run, TAKE, run.given[RESULT].result ? 1 : call->wanted));
    return mcl__run_end(&run);
}

static mcl_status by_sort_steps(void *of, const mcl_options *options)
{
    by_sort_call *const call = of;
    const mcl_options own = mcl__top_k_step_options(options);
    const mcl_options beside = mcl__beside_options(&own); /* the tile is meant for the search */
    MCL__TRY(sort_step(call, &beside));
    return take_step(call, &beside);
}

/* The block is kept until the call's work is done. */
static void release_memory(void *of)
{
    by_sort_call *const call = of;
    mcl_buffer_release(call->sorted);
    call->sorted = NULL;
}

mcl_status mcl__top_k_by_sort(mcl__run *run, int64_t wanted)
{
    by_sort_call call = { .run = run, .wanted = wanted };
    const mcl_status status = mcl__steps_run(run->queue, run->options, by_sort_steps, release_memory, &call);
    release_memory(&call);
    return status;
}
