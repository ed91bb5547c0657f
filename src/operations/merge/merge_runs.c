/* merge_runs.c: mcl_merge_runs and mcl_merge_runs_pairs. Kernels: cl/kernels/merge/merge_runs.cl. Each level merges
 * pairs of neighbouring runs from one array into another. The first level reads the caller's array. Later levels
 * alternate between scratch and the output. The number of levels decides where the first level stores, so that the last
 * level ends in the output. */
#include "call/call.h"

#include "moderncl/merge.h"

#include <stdlib.h>

enum { A = 1, OUT, BEFORE, A_VALUES, OUT_VALUES, OFFSETS }; /* operands */
enum { KEYS = 1, VALUES };                                  /* groups of operands with one type */
enum { PARTITION, TILES };                                  /* passes */
enum { SPLIT, KEYS_SPARE, VALUES_SPARE };                   /* scratch: cuts, and second arrays of levels */
enum { RUN_COUNT, SIDE, IS_FIRST, TILE_COUNT };             /* scalars */

static const mcl__declaration merge_runs_passes = {
    .file = "kernels/merge/merge_runs.cl",
    .types = { [KEYS] = "key" },
    .operands =
        (mcl__operands){
            [A] = { "a", .kind = MCL__INPUT, .label = "keys", .group = KEYS },
            [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEYS },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
            [A_VALUES] = { "a_values", .kind = MCL__INPUT, .label = "values", .group = VALUES, .as_many = A },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUES },
            [OFFSETS] = { "offsets", .kind = MCL__INPUT, .types = MCL__OFFSETS, .offsets_of = A },
        },
    .scratch = { [SPLIT] = { "split", "index_type" } },
    .scalars = { [RUN_COUNT] = "run_count", [SIDE] = "side", [IS_FIRST] = "is_first", [TILE_COUNT] = "tiles" },
    .passes =
        (mcl__passes){
            [PARTITION] = { "merge_runs_partition",
                            MCL__PARTITION_THREADS,
                            "PARTITION_THREADS",
                            { MCL__ENVIRONMENT, OPERAND(A), OPERAND(OFFSETS), SCRATCH(SPLIT), AS_INDEX(RUN_COUNT),
                              AS_INDEX(SIDE), AS_INT(IS_FIRST), AS_INDEX(TILE_COUNT) } },
            [TILES] = { "merge_runs_tiles",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(OFFSETS), SCRATCH(SPLIT), OPERAND(OUT),
                                       OPERAND(A_VALUES), OPERAND(OUT_VALUES), AS_INDEX(RUN_COUNT), AS_INDEX(SIDE),
                                       AS_INT(IS_FIRST) } },
        },
};

/* One call. first has the caller's operands, and merges the first level. later has arrays as operands, and merges the
 * later levels. */
typedef struct merge_runs {
    mcl__call first, later;
    mcl_input keys, values, offsets;
    mcl_input runs, run_values; /* arrays, with only types and counts set */
    mcl_output out, out_values;
    int64_t run_count;
    int levels;
} merge_runs;

/* ---- checks ------------------------------------------------------------------------------------------------- */

static int64_t given_runs(const merge_runs *plan)
{
    return plan->offsets.count - 1;
}

/* Checks the operands, and counts the runs. If there are more runs than keys, each key is taken as a run: a part of a
 * sorted run is sorted too. */
static mcl_status check(merge_runs *plan)
{
    mcl__call *const call = &plan->first;
    MCL__TRY(mcl__call_check(call));
    if (plan->offsets.count < 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "offsets has 0 elements; expected 1 or more, one more than runs");
    plan->run_count = given_runs(plan) < plan->keys.count ? given_runs(plan) : plan->keys.count;
    call->room[OUT] = call->room[OUT_VALUES] = plan->keys.count;
    return mcl__call_ready(call);
}

/* ---- the programs ------------------------------------------------------------------------------------------- */

static mcl_status find_program(const merge_runs *plan, mcl__call *call)
{
    /* merge_store has room after the tile for the keys of one work-item, at most 31, and for one more key. */
    const size_t element = call->types[KEYS]->size, key = element > sizeof(int) ? element : sizeof(int);
    const mcl__tile_need need = { .element_bytes = element,
                                  .local_bytes_per_item = key,
                                  .local_bytes_fixed = 32 * key + sizeof(int) };
    const mcl__operation operation = call->has_values ? MCL__OPERATION_merge_pairs : MCL__OPERATION_merge;
    const mcl__tile tile = mcl__call_choose_tile(call, operation, need);
    const int64_t count = plan->keys.count, most = count > plan->offsets.count ? count : plan->offsets.count;
    mcl__call_define(call, "KEYS_ARE_RUNS", given_runs(plan) > plan->run_count);
    return mcl__call_program(call, tile, tile.threads == 1 ? 64 : mcl__index_bits(2 * most, call->options));
}

/* Gives the later levels arrays as their operands, with the types of the checked operands. */
static void give_arrays(merge_runs *plan)
{
    mcl__call *const call = &plan->later;
    call->types[KEYS] = plan->first.types[KEYS];
    call->types[VALUES] = plan->first.types[VALUES];
    plan->runs = (mcl_input){ .type = plan->keys.type };
    mcl__adopt_count(&plan->runs, &plan->keys);
    call->operands[A].input = &plan->runs;
    call->operands[OUT].output = &plan->out;
    call->operands[BEFORE].op = plan->first.operands[BEFORE].op;
    call->operands[OFFSETS].input = &plan->offsets;
    if (!plan->first.has_values) return;
    call->has_values = 1;
    plan->run_values = (mcl_input){ .type = plan->values.type };
    mcl__adopt_count(&plan->run_values, &plan->keys);
    call->operands[A_VALUES].input = &plan->run_values;
    call->operands[OUT_VALUES].output = &plan->out_values;
}

static void count_levels(merge_runs *plan)
{
    plan->levels = plan->run_count > 0 && plan->keys.count > 0;
    while (plan->levels > 0 && (INT64_C(1) << plan->levels) < plan->run_count) ++plan->levels;
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Returns the number of tiles for the pairs of runs of a level. Some tiles may be empty. */
static int64_t level_tiles(const merge_runs *plan, const mcl__call *call, int level)
{
    return plan->keys.count / mcl__call_tile_size(call) + mcl__divide_up(plan->run_count, INT64_C(2) << level);
}

static void need_scratch(merge_runs *plan)
{
    mcl__call *const call = &plan->first;
    const int alternates = plan->levels > 1;
    const size_t count = alternates ? (size_t)plan->keys.count : 0;
    int64_t tiles = plan->levels > 0 ? level_tiles(plan, call, 0) : 0;
    if (alternates && level_tiles(plan, &plan->later, 1) > tiles) tiles = level_tiles(plan, &plan->later, 1);
    mcl__call_scratch(call, SPLIT, mcl__call_index_bytes(call, tiles));
    mcl__call_scratch(call, KEYS_SPARE, count * plan->keys.type->size);
    mcl__call_scratch(call, VALUES_SPARE, call->has_values ? count * plan->values.type->size : 0);
}

/* Makes a level read one array and store to the other. The last level stores to the output. */
static void put_arrays(const merge_runs *plan, mcl__call *call, int level)
{
    const mcl__call *const first = &plan->first;
    const mcl__span keys[] = { mcl__output_span(&plan->out), first->scratch[KEYS_SPARE].span };
    const int to = (plan->levels - 1 - level) % 2;
    mcl__call_put(call, OUT, keys[to]);
    if (level > 0) mcl__call_put(call, A, keys[1 - to]);
    if (!first->has_values) return;
    const mcl__span values[] = { mcl__output_span(&plan->out_values), first->scratch[VALUES_SPARE].span };
    mcl__call_put(call, OUT_VALUES, values[to]);
    if (level > 0) mcl__call_put(call, A_VALUES, values[1 - to]);
}

static mcl_status launch_level(merge_runs *plan, int level)
{
    mcl__call *const call = level == 0 ? &plan->first : &plan->later;
    const int64_t tiles = level_tiles(plan, call, level);
    put_arrays(plan, call, level);
    call->scalars[RUN_COUNT] = plan->run_count;
    call->scalars[SIDE] = INT64_C(1) << level;
    call->scalars[IS_FIRST] = level == 0;
    call->scalars[TILE_COUNT] = tiles;
    MCL__TRY(mcl__call_launch_items(call, PARTITION, tiles));
    return mcl__call_launch(call, TILES, tiles);
}

static mcl_status run(merge_runs *plan)
{
    mcl__call *const call = &plan->first;
    MCL__TRY(check(plan));
    count_levels(plan);
    MCL__TRY(find_program(plan, call));
    MCL__TRY(mcl__check_tiles(plan->keys.count, mcl__call_tile_size(call)));
    if (plan->levels > 1) {
        give_arrays(plan);
        MCL__TRY(find_program(plan, &plan->later));
    }
    need_scratch(plan);
    MCL__TRY(mcl__call_begin(call));
    mcl__call_scratch_at(&plan->later, SPLIT, call->scratch[SPLIT].span);
    for (int level = 0; level < plan->levels; ++level) MCL__TRY(launch_level(plan, level));
    return mcl__call_end(call);
}

/* ---- the calls ---------------------------------------------------------------------------------------------- */

/* Makes the plan of a call and runs it. values is NULL where there are only keys. offsets.count is the count on the
 * host; a count slot is ignored. */
static mcl_status merge_runs_run(const char *function, mcl_queue *queue, const mcl_input *keys, const mcl_input *values,
                                 const mcl_input *offsets, const mcl_output *out, const mcl_output *out_values,
                                 const mcl_op *before, const mcl_options *options)
{
    merge_runs *plan = NULL;
    mcl__function_is(function);
    MCL__TRY(mcl__plan_new(sizeof *plan, &plan));
    mcl__call *const call = &plan->first;
    mcl__call_init(call, &merge_runs_passes, function, queue, options);
    mcl__call_init(&plan->later, &merge_runs_passes, NULL, queue, options);
    plan->keys = *keys;
    plan->offsets = *offsets;
    plan->offsets.count_slot = NULL;
    plan->out = *out;
    call->operands[A].input = &plan->keys;
    call->operands[OUT].output = &plan->out;
    call->operands[BEFORE].op = before;
    call->operands[OFFSETS].input = &plan->offsets;
    if (values) {
        call->has_values = 1;
        plan->values = *values;
        plan->out_values = *out_values;
        call->operands[A_VALUES].input = &plan->values;
        call->operands[OUT_VALUES].output = &plan->out_values;
    }
    const mcl_status status = run(plan);
    free(plan);
    return status;
}

mcl_status mcl_merge_runs(mcl_queue *queue, mcl_input keys, mcl_input offsets, mcl_output out, const mcl_op *before,
                          const mcl_options *options)
{
    return merge_runs_run("mcl_merge_runs", queue, &keys, NULL, &offsets, &out, NULL, before, options);
}

mcl_status mcl_merge_runs_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_input offsets,
                                mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                const mcl_options *options)
{
    return merge_runs_run("mcl_merge_runs_pairs", queue, &keys, &values, &offsets, &out_keys, &out_values, before,
                          options);
}
