/* quantiles.c: mcl_nth_elements and mcl_quantiles. Each rank's key is selected separately, or all keys are sorted where
 * a sort costs less. The steps are calls of other operations. Kernels: cl/kernels/top_k/quantiles.cl. */
#include "operations/sort/sort_operands.h"
#include "operations/top_k/selection.h"
#include "tuning/cost.h"

#include "moderncl/sort.h"

enum { IN = 1, BEFORE, FRACTIONS, AMOUNTS, OUT, RANKS, FOUND }; /* operands */
enum { KEY = 1 };                                               /* groups of operands with one type */
enum { FIND, PICK };                                            /* passes */
enum { COUNT, ARE_SORTED };                                     /* scalars */

#define OF_KEYS OPERAND(IN), OPERAND(FRACTIONS), OPERAND(AMOUNTS), AS_INDEX(COUNT)

static const mcl__declaration quantiles = {
    .file = "kernels/top_k/quantiles.cl",
    .of_steps = 1,
    .operands =
        (mcl__operands){
            [IN] = { "in", .kind = MCL__INPUT, .label = "keys", .group = KEY, .count_alone = 1 },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN, .unused = 1 },
            [FRACTIONS] = { "fractions", .kind = MCL__INPUT, .types = MCL__REALS },
            [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .label = "ranks", .types = MCL__COUNTS },
            [OUT] = { "out", .kind = MCL__OUTPUT, .group = KEY },
            [RANKS] = { "ranks", .kind = MCL__OUTPUT },
            [FOUND] = { "found", .kind = MCL__INPUT, .group = KEY },
        },
    .scalars = { [COUNT] = "count", [ARE_SORTED] = "are_sorted" },
    .passes = (mcl__passes){ [FIND] = { "quantile_ranks", .arguments = { OF_KEYS, OPERAND(RANKS) } },
                             [PICK] = { "quantile_pick",
                                        .arguments = { OF_KEYS, OPERAND(FOUND), OPERAND(OUT), AS_INT(ARE_SORTED) } } },
};

/* The operands that differ where quantiles are interpolated between two keys. */
static mcl__operands between_keys = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "keys", .types = MCL__BUILT_INS, .group = KEY, .count_alone = 1 },
    [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__REALS },
};

typedef struct quantiles_plan {
    mcl__call *call;
    mcl_interpolation interpolation;
    mcl_input keys; /* the keys; if keys or quantiles are missing, both counts are 0 and steps only check texts */
    int64_t count;  /* number of quantiles */
    int sorts;
    mcl_buffer *ranks, *found;
} quantiles_plan;

/* ---- steps -------------------------------------------------------------------------------------------------- */

static int needs_pick(const quantiles_plan *plan)
{
    return plan->sorts || mcl__interpolates(plan->interpolation);
}

/* Launches one pass with a work-item for each quantile. */
static mcl_status launch(const quantiles_plan *plan, mcl__call *call, int pass)
{
    const mcl__tile_need need = { .element_bytes = sizeof(int64_t) };
    const int64_t keys = call->operands[IN].input->count, ranks = 2 * plan->count;
    call->passes = MCL__BIT(pass);
    call->scalars[COUNT] = plan->count;
    call->scalars[ARE_SORTED] = plan->sorts;
    mcl__call_define(call, "INTERPOLATION", (int)plan->interpolation);
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_transform, need),
                               mcl__index_bits(keys > ranks ? keys : ranks, call->options)));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__call_launch_tiles(call, pass, plan->count));
    return mcl__call_end(call);
}

static mcl_status rank_step(const quantiles_plan *plan, const mcl_options *options)
{
    mcl_output ranks = mcl_to_buffer(MCL_INT64, plan->ranks, 0, 2 * plan->count);
    mcl__call call = *plan->call;
    call.options = options;
    call.operands[OUT].output = NULL;
    call.operands[RANKS].output = &ranks;
    return launch(plan, &call, FIND);
}

/* Selects the key of quantile k, or the keys of both of its ranks. */
static mcl_status select_step(const quantiles_plan *plan, int64_t k, const mcl_options *options)
{
    const mcl_input *const keys = &plan->keys;
    const mcl_output *const out = plan->call->operands[OUT].output;
    const int between = mcl__interpolates(plan->interpolation);
    for (int side = 0; side <= between; ++side) {
        const mcl_amount rank = mcl_amount_in_slot(keys->count - 1, MCL_INT64, plan->ranks, 2 * k + side);
        const mcl_result key = between ? mcl_to_slot(keys->type, plan->found, 2 * k + side)
                                       : mcl_to_slot(keys->type, out->buffer, out->offset + k);
        MCL__TRY(mcl_nth_element(plan->call->queue, *keys, rank, key, plan->call->operands[BEFORE].op, options));
    }
    return MCL_OK;
}

static mcl_status sort_step(const quantiles_plan *plan, const mcl_options *options)
{
    const mcl_input *const keys = &plan->keys;
    return mcl_sort(plan->call->queue, *keys, mcl_to_buffer(keys->type, plan->found, 0, keys->count),
                    plan->call->operands[BEFORE].op, options);
}

static mcl_status pick_step(const quantiles_plan *plan, const mcl_options *options)
{
    const mcl_input *const keys = &plan->keys;
    mcl_input found = mcl_from_buffer(keys->type, plan->found, 0, plan->sorts ? keys->count : 2 * plan->count);
    mcl__call call = *plan->call;
    call.options = options;
    call.operands[FOUND].input = &found;
    return launch(plan, &call, PICK);
}

static mcl_status create_memory(quantiles_plan *plan)
{
    mcl_queue *const queue = plan->call->queue;
    const mcl_input *const keys = &plan->keys;
    const int64_t given = plan->sorts ? keys->count : 2 * plan->count, found = given > 0 ? given : 1;
    if (needs_pick(plan)) MCL__TRY(mcl__scratch_hold(queue, (size_t)found * keys->type->size, &plan->found));
    if (plan->sorts) return MCL_OK;
    return mcl__scratch_hold(queue, (size_t)(2 * plan->count) * sizeof(int64_t), &plan->ranks);
}

static mcl_status quantiles_steps(void *of, const mcl_options *options)
{
    quantiles_plan *const plan = of;
    /* The caller's tile is left out, since it is meant for the selection alone. */
    const mcl_options beside = mcl__beside_options(options);
    MCL__TRY(create_memory(plan));
    if (plan->sorts)
        MCL__TRY(sort_step(plan, &beside));
    else
        MCL__TRY(rank_step(plan, &beside));
    for (int64_t k = 0; !plan->sorts && k < plan->count; ++k) MCL__TRY(select_step(plan, k, options));
    return needs_pick(plan) ? pick_step(plan, &beside) : MCL_OK;
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static void release_memory(void *of)
{
    quantiles_plan *const plan = of;
    mcl__buffer_drop(&plan->ranks);
    mcl__buffer_drop(&plan->found);
}

/* Returns 1 where sorting all keys costs less than a selection per rank. A selection never costs more than a sort,
 * since a selection of few keys is itself a sort. */
static int sort_costs_less(const quantiles_plan *plan)
{
    const mcl_context *const context = plan->call->queue->context;
    const mcl__sort_operands by_digits = { .keys = plan->keys, .before = plan->call->operands[BEFORE].op };
    const int64_t count = plan->keys.count, ranks = plan->count * (1 + mcl__interpolates(plan->interpolation));
    const size_t bytes = plan->keys.type->size;
    const double sort = mcl__cost_sort(context, count, bytes, mcl__radix_sort_applies(&by_digits));
    const double select = mcl__cost_select(context, count, bytes);
    return (double)ranks * (select < sort ? select : sort) > sort;
}

/* Checks and runs a call. points has the ranks or the fractions. */
static mcl_status quantiles_run(mcl__call *call, mcl_input *points, mcl_interpolation interpolation)
{
    quantiles_plan plan = { .call = call, .interpolation = interpolation, .keys = *call->operands[IN].input };
    points->count_slot = NULL;
    MCL__TRY(mcl__call_check(call));
    call->room[OUT] = points->count;
    MCL__TRY(mcl__call_ready(call));
    plan.count = plan.keys.count > 0 ? points->count : 0;
    if (plan.count == 0) plan.keys.count = 0;
    plan.sorts = plan.count == 0 || sort_costs_less(&plan);
    return mcl__steps_run(call->queue, call->options, quantiles_steps, release_memory, &plan);
}

mcl_status mcl_nth_elements(mcl_queue *queue, mcl_input keys, mcl_input ranks, mcl_output out, const mcl_op *before,
                            const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &quantiles, "mcl_nth_elements", queue, options);
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[AMOUNTS].input = &ranks;
    call.operands[OUT].output = &out;
    return quantiles_run(&call, &ranks, MCL_INTERPOLATION_LOWER);
}

mcl_status mcl__interpolation_check(mcl_interpolation interpolation)
{
    if ((unsigned)interpolation <= MCL_INTERPOLATION_LINEAR) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "interpolation is %d; expected an mcl_interpolation", (int)interpolation);
}

mcl_status mcl_quantiles(mcl_queue *queue, mcl_input keys, mcl_input fractions, mcl_output out, const mcl_op *before,
                         mcl_interpolation interpolation, const mcl_options *options)
{
    const int between = mcl__interpolates(interpolation);
    mcl__call call;
    mcl__call_init(&call, &quantiles, "mcl_quantiles", queue, options);
    if (between) call.own = between_keys;
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[FRACTIONS].input = &fractions;
    call.operands[OUT].output = &out;
    MCL__TRY(mcl__interpolation_check(interpolation));
    return quantiles_run(&call, &fractions, interpolation);
}
