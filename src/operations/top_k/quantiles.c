/* quantiles.c: mcl_nth_elements and mcl_quantiles. Few ranks are selected one by one, for many the keys are sorted. The
 * steps are calls of their own. Kernels: cl/kernels/top_k/quantiles.cl. */
#include "operations/top_k/top_k_call.h"

#include "moderncl/sort.h"

enum { IN = 1, BEFORE, FRACTIONS, AMOUNTS, OUT, RANKS, FOUND }; /* operands */
enum { KEY = 1 };                                               /* groups of types */
enum { FIND, PICK };                                            /* passes */
enum { COUNT, ARE_SORTED };                                     /* numbers */

/* A selection takes an eighth of the time of a sort. */
enum { SELECTED_MOST = 6 };

#define OF_KEYS MCL__OF + IN, MCL__OF + FRACTIONS, MCL__OF + AMOUNTS, MCL__INDEX + COUNT
#define QUANTILES(out_types, ...)                                                                                      \
    .file = "kernels/top_k/quantiles.cl",                                                                              \
    .operands = {                                                                                                      \
        [IN] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY, .count_alone = 1, __VA_ARGS__ },              \
        [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN, .unused = 1 },                  \
        [FRACTIONS] = { "fractions", .kind = MCL__INPUT, .types = MCL__REALS },                                        \
        [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .said = "ranks", .types = MCL__COUNTS },                          \
        [OUT] = { "out", .kind = MCL__OUTPUT, out_types },                                                             \
        [RANKS] = { "ranks", .kind = MCL__OUTPUT },                                                                    \
        [FOUND] = { "found", .kind = MCL__INPUT, .group = KEY },                                                       \
    },                                                                                                                 \
    .numbers = { [COUNT] = "count", [ARE_SORTED] = "are_sorted" },                                                     \
    .passes = { [FIND] = { "quantile_ranks", .words = { OF_KEYS, MCL__OF + RANKS } },                                  \
                [PICK] = { "quantile_pick",                                                                            \
                           .words = { OF_KEYS, MCL__OF + FOUND, MCL__OF + OUT, MCL__INT + ARE_SORTED } } }

static const mcl__declaration of_keys = { QUANTILES(.group = KEY, .types = MCL__ANY_TYPE) };
/* Numbers between two keys. */
static const mcl__declaration between_keys = { QUANTILES(.types = MCL__REALS, .types = MCL__BUILT_INS) };

typedef struct quantiles_call {
    mcl__run *run;
    mcl_interpolation interpolation;
    int64_t count; /* quantiles */
    int sorts;
    mcl_buffer *ranks, *found;
} quantiles_call;

/* ---- steps -------------------------------------------------------------------------------------------------- */

static int needs_pick(const quantiles_call *call)
{
    return call->sorts || mcl__interpolates(call->interpolation);
}

/* One pass, with a work-item for each quantile. */
static mcl_status launch(const quantiles_call *call, mcl__run *run, int pass)
{
    const mcl__tile_need need = { .element_bytes = sizeof(int64_t) };
    const int64_t keys = run->given[IN].input->count, ranks = 2 * call->count;
    run->passes = MCL__BIT(pass);
    run->numbers[COUNT] = call->count;
    run->numbers[ARE_SORTED] = call->sorts;
    mcl__run_define(run, "INTERPOLATION", (int)call->interpolation);
    MCL__TRY(mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_transform, need),
                              mcl__index_bits(keys > ranks ? keys : ranks, run->options)));
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(mcl__run_launch_tiles(run, pass, call->count));
    return mcl__run_end(run);
}

static mcl_status rank_step(const quantiles_call *call, const mcl_options *options)
{
    mcl_output ranks = mcl_to_buffer(MCL_INT64, call->ranks, 0, 2 * call->count);
    mcl__run run = *call->run;
    run.options = options;
    run.given[OUT].output = NULL;
    run.given[RANKS].output = &ranks;
    return launch(call, &run, FIND);
}

/* Quantile k: its key, or the keys of both of its ranks. */
static mcl_status select_step(const quantiles_call *call, int64_t k, const mcl_options *options)
{
    const mcl_input *const keys = call->run->given[IN].input;
    const mcl_output *const out = call->run->given[OUT].output;
    const int between = mcl__interpolates(call->interpolation);
    for (int side = 0; side <= between; ++side) {
        const mcl_amount rank = mcl_amount_in_slot(keys->count - 1, MCL_INT64, call->ranks, 2 * k + side);
        const mcl_result key = between ? mcl_to_slot(keys->type, call->found, 2 * k + side)
                                       : mcl_to_slot(keys->type, out->buffer, out->offset + k);
        MCL__TRY(mcl_nth_element(call->run->queue, *keys, rank, key, call->run->given[BEFORE].op, options));
    }
    return MCL_OK;
}

static mcl_status sort_step(const quantiles_call *call, const mcl_options *options)
{
    const mcl_input *const keys = call->run->given[IN].input;
    return mcl_sort(call->run->queue, *keys, mcl_to_buffer(keys->type, call->found, 0, keys->count),
                    call->run->given[BEFORE].op, options);
}

static mcl_status pick_step(const quantiles_call *call, const mcl_options *options)
{
    const mcl_input *const keys = call->run->given[IN].input;
    mcl_input found = mcl_from_buffer(keys->type, call->found, 0, call->sorts ? keys->count : 2 * call->count);
    mcl__run run = *call->run;
    run.options = options;
    run.given[FOUND].input = &found;
    return launch(call, &run, PICK);
}

static mcl_status create_memory(quantiles_call *call)
{
    mcl_queue *const queue = call->run->queue;
    const mcl_input *const keys = call->run->given[IN].input;
    const int64_t found = call->sorts ? keys->count : 2 * call->count;
    if (needs_pick(call)) MCL__TRY(mcl__buffer_create_for(queue, (size_t)found * keys->type->size, &call->found));
    if (call->sorts) return MCL_OK;
    return mcl__buffer_create_for(queue, (size_t)(2 * call->count) * sizeof(int64_t), &call->ranks);
}

static mcl_status quantiles_steps(void *of, const mcl_options *options)
{
    quantiles_call *const call = of;
    const mcl_options beside = mcl__beside_options(options); /* the tile is meant for the selection */
    MCL__TRY(create_memory(call));
    if (call->sorts)
        MCL__TRY(sort_step(call, &beside));
    else
        MCL__TRY(rank_step(call, &beside));
    for (int64_t k = 0; !call->sorts && k < call->count; ++k) MCL__TRY(select_step(call, k, options));
    return needs_pick(call) ? pick_step(call, &beside) : MCL_OK;
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

/* The blocks are kept until the call's work is done. */
static void release_memory(void *of)
{
    quantiles_call *const call = of;
    mcl_buffer_release(call->ranks);
    mcl_buffer_release(call->found);
    call->ranks = call->found = NULL;
}

/* points: the ranks or the fractions. */
static mcl_status quantiles_run(mcl__run *run, mcl_input *points, mcl_interpolation interpolation)
{
    quantiles_call call = { .run = run, .interpolation = interpolation, .count = points->count };
    points->count_slot = NULL;
    MCL__TRY(mcl__run_check(run));
    run->room[OUT] = call.count;
    MCL__TRY(mcl__run_ready(run));
    if (call.count == 0 || run->given[IN].input->count == 0) return mcl__call_nothing(run->queue, run->options);
    call.sorts = call.count * (1 + mcl__interpolates(interpolation)) > SELECTED_MOST;
    const mcl_status status = mcl__steps_run(run->queue, run->options, quantiles_steps, release_memory, &call);
    release_memory(&call);
    return status;
}

mcl_status mcl_nth_elements(mcl_queue *queue, mcl_input keys, mcl_input ranks, mcl_output out, const mcl_op *before,
                            const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &of_keys, "mcl_nth_elements", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[AMOUNTS].input = &ranks;
    run.given[OUT].output = &out;
    return quantiles_run(&run, &ranks, MCL_INTERPOLATION_LOWER);
}

mcl_status mcl__interpolation_check(mcl_interpolation interpolation)
{
    if (interpolation >= MCL_INTERPOLATION_LOWER && interpolation <= MCL_INTERPOLATION_LINEAR) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "interpolation is %d; expected an mcl_interpolation", (int)interpolation);
}

mcl_status mcl_quantiles(mcl_queue *queue, mcl_input keys, mcl_input fractions, mcl_output out, const mcl_op *before,
                         mcl_interpolation interpolation, const mcl_options *options)
{
    const int between = mcl__interpolates(interpolation);
    mcl__run run;
    mcl__run_init(&run, between ? &between_keys : &of_keys, "mcl_quantiles", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[FRACTIONS].input = &fractions;
    run.given[OUT].output = &out;
    MCL__TRY(mcl__interpolation_check(interpolation));
    return quantiles_run(&run, &fractions, interpolation);
}
