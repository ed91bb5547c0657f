/* merge_sort.c: stable mergesort by any order. Kernels: cl/kernels/sort/sort.cl.
 * Blocks are sorted (pass 1). Then each level merges pairs of runs from one array into another. A level is two
 * launches: the merge paths' cuts, then the tiles. Where tiles are few it is one. The number of levels decides in which
 * array the blocks begin, so that the last level ends where the result belongs.
 * Wide elements stay where they are: their indices are sorted or moved instead. They are fetched once at the end. */
#include "operations/sort/sort_call.h"

#include "moderncl/sort.h"

#include <stdlib.h>

/* Operands. A has the runs that a level merges; SPARE is an array that blocks may overwrite. */
enum { IN = 1, A, KEYS, IN_VALUES, A_VALUES, OUT, SPARE, OUT_VALUES, SPARE_VALUES, BEFORE };
enum { KEY = 1 };                             /* groups of types */
enum { BLOCKS, PARTITION, TILES, FEW_TILES }; /* passes */
enum { RUN_TILES, TILE_COUNT };               /* numbers */
/* Scratch: where tiles begin in their runs. The two arrays that levels alternate between, for the keys and for what
 * moves with them; the last level ends in HOME. What is fetched in place. */
enum { SPLIT, KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE, STAGING };

#define RUN_WORDS MCL__ENV, MCL__OF + KEYS, MCL__OF + A
#define MERGED_WORDS MCL__OF + OUT, MCL__OF + A_VALUES, MCL__OF + OUT_VALUES

static const mcl__declaration merge_sort_passes = {
    .file = "kernels/sort/sort.cl",
    .types = { [KEY] = "key" },
    .operands = {
        [IN] = { "in", .kind = MCL__INPUT },
        [A] = { "a", .kind = MCL__INPUT },
        [KEYS] = { "keys", .kind = MCL__INPUT },
        [IN_VALUES] = { "in_values", .kind = MCL__INPUT },
        [A_VALUES] = { "a_values", .kind = MCL__INPUT },
        [OUT] = { "out", .kind = MCL__OUTPUT, .in_place = MCL__BIT(IN), .arrays_only = 1 },
        [SPARE] = { "spare", .kind = MCL__SCRATCH },
        [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .in_place = MCL__BIT(IN_VALUES), .arrays_only = 1 },
        [SPARE_VALUES] = { "spare_values", .kind = MCL__SCRATCH },
        [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER },
    },
    .pieces = { [SPLIT] = { "split", "index_type" } },
    .numbers = { [RUN_TILES] = "run_tiles", [TILE_COUNT] = "tiles" },
    .passes = {
        [BLOCKS] = { "sort_blocks", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + IN, MCL__OF + OUT, MCL__OF + SPARE,
                                               MCL__OF + IN_VALUES, MCL__OF + OUT_VALUES, MCL__OF + SPARE_VALUES } },
        [PARTITION] = { "sort_partition", MCL__PARTITION_THREADS, "PARTITION_THREADS",
                        { RUN_WORDS, MCL__PIECE + SPLIT, MCL__INDEX + RUN_TILES, MCL__INDEX + TILE_COUNT } },
        [TILES] = { "sort_merge", .words = { RUN_WORDS, MCL__PIECE + SPLIT, MCL__INDEX + RUN_TILES, MERGED_WORDS } },
        [FEW_TILES] = { "sort_merge_few", .words = { RUN_WORDS, MCL__INDEX + RUN_TILES, MERGED_WORDS } },
    },
};

enum { PLACE_BYTES = 2 }; /* of a key's first index, beside it while a block with values is sorted */

/* A sort by merges. Its passes work on the call's operands, or on the indices of wide ones. */
typedef struct merge_sort {
    mcl__run run;
    mcl__sort_call call;
    int keys_stay;  /* indices in call->keys are sorted */
    int has_values; /* something moves with the sorted elements */
    int moves_indices;
    int block_tiles;
    mcl_input in, in_values;    /* the sorted elements, and those that move with them */
    mcl_input runs, run_values; /* the same in the arrays of the levels */
    mcl_output out, out_values; /* only their types are known where they are no operands of the call */
    mcl__gather keys, values;   /* of elements that stay; without an index_type nothing moves */
} merge_sort;

/* ---- operands ----------------------------------------------------------------------------------------------- */

/* Makes an input as the passes read it: as many elements as there are keys. Inputs go by pointers, as they have a KiB
 * and more. */
static void set_counted(const merge_sort *sort, const mcl_input *input, mcl_input *counted)
{
    *counted = *input;
    mcl__adopt_count(counted, &sort->call.keys);
}

/* Makes an array of the levels. */
static void set_array(const merge_sort *sort, const mcl_type *type, mcl_input *array)
{
    array->type = type;
    mcl__adopt_count(array, &sort->call.keys);
}

static void give_operands(merge_sort *sort)
{
    mcl__run *const run = &sort->run;
    set_array(sort, sort->in.type, &sort->runs);
    run->types[KEY] = run->given[SPARE].scratch = sort->in.type;
    run->element = sort->call.keys.type;
    run->given[IN].input = &sort->in;
    run->given[A].input = &sort->runs;
    run->given[OUT].output = &sort->out;
    run->given[BEFORE].op = sort->call.before;
    if (sort->keys_stay) run->given[KEYS].input = &sort->call.keys;
    if (!sort->has_values) return;
    set_array(sort, sort->in_values.type, &sort->run_values);
    run->given[IN_VALUES].input = &sort->in_values;
    run->given[A_VALUES].input = &sort->run_values;
    run->given[OUT_VALUES].output = &sort->out_values;
    run->given[SPARE_VALUES].scratch = sort->in_values.type;
}

static void choose_operands(merge_sort *sort)
{
    const mcl__sort_call *const call = &sort->call;
    const int64_t zero = 0;
    const int wide_index = mcl__index_bits(call->keys.count, sort->run.options) == 64;
    const mcl_type *const index = call->drops_keys ? call->out_values.type : wide_index ? MCL_INT64 : MCL_INT32;
    const mcl_input indices = mcl_from_counting(index, &zero, call->keys.count);
    sort->keys_stay = mcl__sort_is_wide(call->keys.type);
    sort->has_values = call->has_values && !sort->keys_stay;
    const int values_stay =
        call->has_values && !call->drops_keys && (sort->keys_stay || mcl__sort_is_wide(call->values.type));
    sort->moves_indices = call->drops_keys || values_stay;
    set_counted(sort, sort->keys_stay ? &indices : &call->keys, &sort->in);
    if (sort->has_values) set_counted(sort, values_stay ? &indices : &call->values, &sort->in_values);
    if (sort->keys_stay && !call->drops_keys) mcl__sort_gather(call, &call->keys, &call->out, index, &sort->keys);
    if (values_stay) mcl__sort_gather(call, &call->values, &call->out_values, index, &sort->values);
    sort->out = sort->keys_stay || call->drops_keys ? (mcl_output){ .type = sort->in.type } : call->out;
    if (sort->has_values) sort->out_values = values_stay ? (mcl_output){ .type = index } : call->out_values;
    give_operands(sort);
}

/* ---- the program ------------------------------------------------------------------------------------------ */

static mcl__tile_need tile_need(const merge_sort *sort)
{
    const size_t key = sort->in.type->size > sizeof(int) ? sort->in.type->size : sizeof(int);
    const size_t value = sort->has_values ? sort->in_values.type->size : 0;
    const size_t keyed = sort->has_values ? key + PLACE_BYTES : key;
    return (mcl__tile_need){ .element_bytes = sort->in.type->size,
                             .local_bytes_per_item = keyed > value ? keyed : value,
                             .local_bytes_fixed = 32 * keyed + 64 /* and two cuts */ };
}

/* Returns the number of tiles in a block, a power of two. The row of sort_block must have work-items for them, and
 * work-group memory room. */
static int block_tiles(mcl__run *run, mcl__tile tile, mcl__tile_need need)
{
    const mcl__tile_need any = { .element_bytes = need.element_bytes };
    const mcl_context *const context = run->queue->context;
    const mcl__limits *const limits = &context->limits;
    const int threads = mcl__tile_for(MCL__OPERATION_sort_block, limits, context->tuning, any, run->options).threads;
    mcl__tile block = tile;
    if (tile.threads == 1) return 1;
    for (mcl__tile twice = tile; twice.threads <= threads; twice.threads *= 2)
        if (mcl__tile_bytes(limits, need, twice) <= limits->local_memory) block = twice;
    run->spec.local_bytes = mcl__tile_bytes(limits, need, block);
    return block.threads / tile.threads;
}

/* Runs that a vector network sorts side by side; keys and values that are no numbers make no vectors. */
static int sorts_by_vectors(const merge_sort *sort)
{
    const mcl_op *const before = sort->call.before;
    return sort->in.type->kind != MCL_KIND_STRUCT && !sort->keys_stay && !before->source &&
           before->binding_count == 0 && (!sort->has_values || sort->in_values.type->kind != MCL_KIND_STRUCT);
}

static mcl_status get_programs(merge_sort *sort)
{
    mcl__run *const run = &sort->run;
    const mcl__tile_need need = tile_need(sort);
    const mcl__operation operation = sort->has_values ? MCL__OPERATION_sort_pairs : MCL__OPERATION_sort;
    const mcl__tile tile = mcl__run_choose_tile(run, operation, need);
    const int by_vectors = sorts_by_vectors(sort);
    sort->block_tiles = block_tiles(run, tile, need);
    run->spec.tiles[BLOCKS] = sort->block_tiles;
    run->passes = MCL__BIT(BLOCKS) | MCL__BIT(PARTITION) | MCL__BIT(TILES);
    if (tile.threads > 1) run->passes |= MCL__BIT(FEW_TILES);
    mcl__run_define(run, "BLOCK_TILES", sort->block_tiles);
    mcl__run_define(run, "VALUES_ARE_INDICES", sort->has_values && sort->moves_indices);
    mcl__run_define(run, "BASE_RUN", by_vectors ? 16 : 4);
    mcl__run_define(run, "BASE_COLUMNS", by_vectors ? 16 : 1);
    /* A CPU's own width is 64 bits. */
    const int index_bits = tile.threads == 1 ? 64 : mcl__index_bits(sort->call.keys.count, run->options);
    MCL__TRY(mcl__run_program(run, tile, index_bits));
    if (sort->keys.index_type) MCL__TRY(mcl__gather_plan(run->queue, run->options, &sort->keys));
    if (sort->values.index_type) MCL__TRY(mcl__gather_plan(run->queue, run->options, &sort->values));
    return MCL_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

static int64_t tile_count(const merge_sort *sort)
{
    return mcl__run_tiles(&sort->run, sort->in.count);
}

static void need_scratch(merge_sort *sort)
{
    mcl__run *const run = &sort->run;
    const mcl__sort_call *const call = &sort->call;
    const size_t count = (size_t)sort->in.count;
    const size_t staged_keys = mcl__gather_staging(&sort->keys), staged_values = mcl__gather_staging(&sort->values);
    const int64_t tiles = tile_count(sort);
    const int has_levels = tiles > sort->block_tiles, alternates = has_levels || mcl__run_is_serial(run);
    const mcl_output *const keys_home = sort->keys_stay ? &call->out_values : &call->out;
    mcl__sort_need_arrays(run, KEYS_HOME, KEYS_SPARE, count * sort->in.type->size,
                          sort->keys_stay != call->drops_keys ? NULL : keys_home, alternates);
    if (sort->has_values)
        mcl__sort_need_arrays(run, VALUES_HOME, VALUES_SPARE, count * sort->in_values.type->size,
                              sort->values.index_type ? NULL : &call->out_values, alternates);
    mcl__run_need(run, SPLIT, has_levels ? mcl__run_index_bytes(run, tiles) : 0);
    mcl__run_need(run, STAGING, staged_keys > staged_values ? staged_keys : staged_values);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Makes the next launch store to HOME, or to SPARE where side is 1. The other array is read, or is spare. */
static void turn(mcl__run *run, int side)
{
    mcl__run_put(run, OUT, run->pieces[KEYS_HOME + side].span);
    mcl__run_put(run, A, run->pieces[KEYS_SPARE - side].span);
    mcl__run_put(run, SPARE, run->pieces[KEYS_SPARE - side].span);
    mcl__run_put(run, OUT_VALUES, run->pieces[VALUES_HOME + side].span);
    mcl__run_put(run, A_VALUES, run->pieces[VALUES_SPARE - side].span);
    mcl__run_put(run, SPARE_VALUES, run->pieces[VALUES_SPARE - side].span);
}

/* Merges pairs of runs of run_tiles tiles. */
static mcl_status launch_level(mcl__run *run, int64_t tiles, int64_t run_tiles)
{
    const int few = mcl__run_has_pass(run, FEW_TILES) &&
                    tiles <= mcl__tuned_a_unit(run->queue->context, MCL__PARAMETER_sort_few_tiles);
    run->numbers[RUN_TILES] = run_tiles;
    run->numbers[TILE_COUNT] = tiles;
    if (few) return mcl__run_launch(run, FEW_TILES, tiles);
    MCL__TRY(mcl__run_launch_items(run, PARTITION, tiles));
    return mcl__run_launch(run, TILES, tiles);
}

static mcl_status launch_sort(merge_sort *sort)
{
    mcl__run *const run = &sort->run;
    const int64_t tiles = tile_count(sort);
    int side = 0;
    for (int64_t run_tiles = sort->block_tiles; run_tiles < tiles; run_tiles *= 2) side ^= 1;
    turn(run, side);
    MCL__TRY(mcl__run_launch(run, BLOCKS, mcl__divide_up(tiles, sort->block_tiles)));
    for (int64_t run_tiles = sort->block_tiles; run_tiles < tiles; run_tiles *= 2) {
        side ^= 1;
        turn(run, side);
        MCL__TRY(launch_level(run, tiles, run_tiles));
    }
    return MCL_OK;
}

/* Fetches the elements that stayed where they are. */
static mcl_status launch_gathers(merge_sort *sort)
{
    const mcl__run *const run = &sort->run;
    const mcl__span staging = run->pieces[STAGING].span;
    const mcl__span indices = run->pieces[sort->keys_stay ? KEYS_HOME : VALUES_HOME].span;
    if (sort->in.count == 0) return MCL_OK;
    if (sort->keys.index_type)
        MCL__TRY(mcl__gather_launch(&sort->keys, indices, mcl__output_span(&sort->call.out), staging));
    if (!sort->values.index_type) return MCL_OK;
    return mcl__gather_launch(&sort->values, indices, mcl__output_span(&sort->call.out_values), staging);
}

static mcl_status run_sort(merge_sort *sort)
{
    choose_operands(sort);
    MCL__TRY(get_programs(sort));
    need_scratch(sort);
    MCL__TRY(mcl__run_begin(&sort->run));
    MCL__TRY(launch_sort(sort));
    MCL__TRY(launch_gathers(sort));
    return mcl__run_end(&sort->run);
}

mcl_status mcl__merge_sort(mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options)
{
    merge_sort *sort = NULL;
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl__run_init(&sort->run, &merge_sort_passes, NULL, queue, options);
    sort->call = *call;
    const mcl_status status = run_sort(sort);
    free(sort);
    return status;
}
