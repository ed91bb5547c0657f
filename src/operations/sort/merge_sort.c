/* merge_sort.c: stable mergesort by any order. Kernels: cl/kernels/sort/sort.cl.
 *
 * Pass 1 sorts blocks. Then each level merges runs from one array into another: four runs at once, or two in the serial
 * mapping. A level has two launches: one finds the cuts between tiles, the other merges the tiles. If tiles are few, a
 * level merges two runs in one launch. The number of levels decides into which array the blocks are sorted, so that the
 * last level ends in the array of the result. Wide elements stay where they are while their indices are sorted or
 * moved. A gather fetches them at the end. */
#include "facts/merge_sort.h"
#include "operations/sort/sort_operands.h"

#include "moderncl/sort.h"

#include <stdlib.h>

/* Operands. A has the runs that a level merges; SPARE is an array that blocks may overwrite. */
enum { IN = 1, A, KEYS, IN_VALUES, A_VALUES, OUT, SPARE, OUT_VALUES, SPARE_VALUES, BEFORE };
enum { KEY = 1 };                             /* groups of operands with one type */
enum { BLOCKS, PARTITION, TILES, FEW_TILES }; /* passes */
enum { RUN_TILES, TILE_COUNT };               /* scalars */
/* Scratch. SPLIT has the beginnings of tiles in their runs. Levels alternate between a HOME and a SPARE array, of keys
 * and of values. The last level ends in HOME. STAGING has elements that a gather fetches in place. */
enum { SPLIT, KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE, STAGING };

#define RUN_ARGUMENTS MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(A)
#define MERGED_ARGUMENTS OPERAND(OUT), OPERAND(A_VALUES), OPERAND(OUT_VALUES)

static const mcl__declaration merge_sort_passes = {
    .file = "kernels/sort/sort.cl",
    .types = { [KEY] = "key" },
    .operands =
        (mcl__operands){
            [IN] = { "in", .kind = MCL__INPUT, .label = "keys" },
            [A] = { "a", .kind = MCL__INPUT },
            [KEYS] = { "keys", .kind = MCL__INPUT },
            [IN_VALUES] = { "in_values", .kind = MCL__INPUT, .label = "values" },
            [A_VALUES] = { "a_values", .kind = MCL__INPUT },
            [OUT] = { "out", .kind = MCL__OUTPUT, .in_place = MCL__BIT(IN), .arrays_only = 1 },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .in_place = MCL__BIT(IN_VALUES), .arrays_only = 1 },
            [SPARE_VALUES] = { "spare_values", .kind = MCL__ARRAY },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER },
        },
    .scratch = { [SPLIT] = { "split", "index_type" } },
    .scalars = { [RUN_TILES] = "run_tiles", [TILE_COUNT] = "tiles" },
    .passes =
        (mcl__passes){
            [BLOCKS] = { "sort_blocks",
                         .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(IN), OPERAND(OUT), OPERAND(SPARE),
                                        OPERAND(IN_VALUES), OPERAND(OUT_VALUES), OPERAND(SPARE_VALUES) } },
            [PARTITION] = { "sort_partition",
                            MCL__PARTITION_THREADS,
                            "PARTITION_THREADS",
                            { RUN_ARGUMENTS, SCRATCH(SPLIT), AS_INDEX(RUN_TILES), AS_INDEX(TILE_COUNT) } },
            [TILES] = { "sort_merge",
                        .arguments = { RUN_ARGUMENTS, SCRATCH(SPLIT), AS_INDEX(RUN_TILES), MERGED_ARGUMENTS } },
            [FEW_TILES] = { "sort_merge_few", .arguments = { RUN_ARGUMENTS, AS_INDEX(RUN_TILES), MERGED_ARGUMENTS } },
        },
};

enum { PLACE_BYTES = 2 }; /* bytes of a key's index in the unsorted block, stored with the key where there are values */

/* A sort by merges. Its passes sort the call's operands, or the indices of wide elements. */
typedef struct merge_sort {
    mcl__call call;
    mcl__sort_operands given;
    int keys_stay;  /* 1 if keys are wide, so that their indices are sorted */
    int has_values; /* 1 if values or indices move together with the sorted elements */
    int moves_indices;
    int block_tiles;
    int merged_runs;            /* number of runs that a level merges into one run */
    mcl_input in, in_values;    /* elements that are sorted, and elements that move with them */
    mcl_input runs, run_values; /* the same elements in the arrays of the levels */
    mcl_output out, out_values; /* outputs; passes that store elsewhere use only the types */
    mcl__gather keys, values;   /* gathers of wide elements; without an index_type there is no gather */
} merge_sort;

/* ---- operands ----------------------------------------------------------------------------------------------- */

/* Copies an input for the passes, and gives it the count of the keys. Inputs are passed by pointer, since each has more
 * than 1 KiB. */
static void set_counted(const merge_sort *sort, const mcl_input *input, mcl_input *counted)
{
    *counted = *input;
    mcl__adopt_count(counted, &sort->given.keys);
}

/* Describes an array of the levels by its type and count. */
static void set_array(const merge_sort *sort, const mcl_type *type, mcl_input *array)
{
    array->type = type;
    mcl__adopt_count(array, &sort->given.keys);
}

static void give_operands(merge_sort *sort)
{
    mcl__call *const call = &sort->call;
    set_array(sort, sort->in.type, &sort->runs);
    call->types[KEY] = call->operands[SPARE].scratch = sort->in.type;
    call->element = sort->given.keys.type;
    call->operands[IN].input = &sort->in;
    call->operands[A].input = &sort->runs;
    call->operands[OUT].output = &sort->out;
    call->operands[BEFORE].op = sort->given.before;
    if (sort->keys_stay) call->operands[KEYS].input = &sort->given.keys;
    if (!sort->has_values) return;
    set_array(sort, sort->in_values.type, &sort->run_values);
    call->operands[IN_VALUES].input = &sort->in_values;
    call->operands[A_VALUES].input = &sort->run_values;
    call->operands[OUT_VALUES].output = &sort->out_values;
    call->operands[SPARE_VALUES].scratch = sort->in_values.type;
}

static void choose_operands(merge_sort *sort)
{
    const mcl__sort_operands *const given = &sort->given;
    const int64_t zero = 0;
    const int wide_index = mcl__index_bits(given->keys.count, sort->call.options) == 64;
    const mcl_type *const index = given->drops_keys ? given->out_values.type : wide_index ? MCL_INT64 : MCL_INT32;
    const mcl_input indices = mcl_from_counting(index, &zero, given->keys.count);
    sort->keys_stay = mcl__sort_is_wide(given->keys.type);
    sort->has_values = given->has_values && !sort->keys_stay;
    const int values_stay =
        given->has_values && !given->drops_keys && (sort->keys_stay || mcl__sort_is_wide(given->values.type));
    sort->moves_indices = given->drops_keys || values_stay;
    set_counted(sort, sort->keys_stay ? &indices : &given->keys, &sort->in);
    if (sort->has_values) set_counted(sort, values_stay ? &indices : &given->values, &sort->in_values);
    if (sort->keys_stay && !given->drops_keys) mcl__sort_gather(given, &given->keys, &given->out, index, &sort->keys);
    if (values_stay) mcl__sort_gather(given, &given->values, &given->out_values, index, &sort->values);
    sort->out = sort->keys_stay || given->drops_keys ? (mcl_output){ .type = sort->in.type } : given->out;
    if (sort->has_values) sort->out_values = values_stay ? (mcl_output){ .type = index } : given->out_values;
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
                             .local_bytes_fixed = 32 * keyed + 64 /* keys past the tile, and two cuts */ };
}

/* Returns the number of tiles in a block: a power of two. The tuning row of sort_block limits the block's work-items,
 * and the block must fit work-group memory. */
static int block_tiles(mcl__call *call, mcl__tile tile, mcl__tile_need need)
{
    const mcl__tile_need any = { .element_bytes = need.element_bytes };
    const mcl_context *const context = call->queue->context;
    const mcl__limits *const limits = &context->limits;
    const int threads = mcl__tile_for(MCL__OPERATION_sort_block, limits, context->tuning, any, call->options).threads;
    mcl__tile block = tile;
    if (tile.threads == 1) return 1;
    for (mcl__tile twice = tile; twice.threads <= threads; twice.threads *= 2)
        if (mcl__tile_bytes(limits, need, twice) <= limits->local_memory) block = twice;
    call->spec.local_bytes = mcl__tile_bytes(limits, need, block);
    return block.threads / tile.threads;
}

/* Returns 1 where a network in vectors sorts several runs at once. Keys and values must be numbers, and the order must
 * be one expression. */
static int sorts_by_vectors(const merge_sort *sort)
{
    const mcl_op *const before = sort->given.before;
    return sort->in.type->kind != MCL_KIND_STRUCT && !sort->keys_stay && !before->source &&
           before->binding_count == 0 && (!sort->has_values || sort->in_values.type->kind != MCL_KIND_STRUCT);
}

/* Chooses the tile, and how levels merge: two runs in one launch where tiles are few, else four runs at once. The
 * serial mapping merges two runs. */
static mcl__tile choose_tile(merge_sort *sort, mcl__tile_need need)
{
    mcl__call *const call = &sort->call;
    const int64_t few = mcl__tuned_a_unit(call->queue->context, MCL__PARAMETER_sort_few_tiles);
    mcl__tile tile =
        mcl__call_choose_tile(call, sort->has_values ? MCL__OPERATION_sort_pairs : MCL__OPERATION_sort, need);
    const int has_few = tile.threads > 1 && mcl__divide_up(sort->in.count, (int64_t)tile.threads * tile.items) <= few;
    if (tile.threads > 1 && !has_few)
        tile = mcl__call_choose_tile(call, sort->has_values ? MCL__OPERATION_sort_four_pairs : MCL__OPERATION_sort_four,
                                     need);
    sort->merged_runs = tile.threads == 1 || has_few ? 2 : FOUR_RUNS;
    call->passes = MCL__BIT(BLOCKS) | (has_few ? MCL__BIT(FEW_TILES) : MCL__BIT(PARTITION) | MCL__BIT(TILES));
    mcl__call_define(call, "MERGED_RUNS", sort->merged_runs);
    return tile;
}

static mcl_status get_programs(merge_sort *sort)
{
    mcl__call *const call = &sort->call;
    const mcl__tile_need need = tile_need(sort);
    const mcl__tile tile = choose_tile(sort, need);
    const int by_vectors = sorts_by_vectors(sort);
    sort->block_tiles = block_tiles(call, tile, need);
    call->spec.tiles[BLOCKS] = sort->block_tiles;
    mcl__call_define(call, "BLOCK_TILES", sort->block_tiles);
    mcl__call_define(call, "VALUES_ARE_INDICES", sort->has_values && sort->moves_indices);
    mcl__call_define(call, "BASE_RUN", by_vectors ? 16 : 4);
    mcl__call_define(call, "BASE_COLUMNS", by_vectors ? 16 : 1);
    /* On a CPU, whose addresses have 64 bits, indices have 64 bits too. */
    const int index_bits = tile.threads == 1 ? 64 : mcl__index_bits(sort->given.keys.count, call->options);
    MCL__TRY(mcl__call_program(call, tile, index_bits));
    if (sort->keys.index_type) MCL__TRY(mcl__gather_plan(call->queue, call->options, &sort->keys));
    if (sort->values.index_type) MCL__TRY(mcl__gather_plan(call->queue, call->options, &sort->values));
    return MCL_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

static int64_t tile_count(const merge_sort *sort)
{
    return mcl__call_tiles(&sort->call, sort->in.count);
}

static void need_scratch(merge_sort *sort)
{
    mcl__call *const call = &sort->call;
    const mcl__sort_operands *const given = &sort->given;
    const size_t count = (size_t)sort->in.count;
    const size_t staged_keys = mcl__gather_staging(&sort->keys), staged_values = mcl__gather_staging(&sort->values);
    const int64_t tiles = tile_count(sort);
    const int has_levels = tiles > sort->block_tiles, alternates = has_levels || mcl__call_is_serial(call);
    const mcl_output *const keys_home = sort->keys_stay ? &given->out_values : &given->out;
    mcl__sort_need_arrays(call, KEYS_HOME, KEYS_SPARE, count * sort->in.type->size,
                          sort->keys_stay != given->drops_keys ? NULL : keys_home, alternates);
    if (sort->has_values)
        mcl__sort_need_arrays(call, VALUES_HOME, VALUES_SPARE, count * sort->in_values.type->size,
                              sort->values.index_type ? NULL : &given->out_values, alternates);
    mcl__call_scratch(call, SPLIT, has_levels ? mcl__call_index_bytes(call, tiles * (sort->merged_runs - 1)) : 0);
    mcl__call_scratch(call, STAGING, staged_keys > staged_values ? staged_keys : staged_values);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Makes the next launches store to HOME, or to SPARE where side is 1. Levels read the other array; blocks may overwrite
 * it. */
static void turn(mcl__call *call, int side)
{
    mcl__call_put(call, OUT, call->scratch[KEYS_HOME + side].span);
    mcl__call_put(call, A, call->scratch[KEYS_SPARE - side].span);
    mcl__call_put(call, SPARE, call->scratch[KEYS_SPARE - side].span);
    mcl__call_put(call, OUT_VALUES, call->scratch[VALUES_HOME + side].span);
    mcl__call_put(call, A_VALUES, call->scratch[VALUES_SPARE - side].span);
    mcl__call_put(call, SPARE_VALUES, call->scratch[VALUES_SPARE - side].span);
}

/* Launches a level, which merges runs of run_tiles tiles. */
static mcl_status launch_level(mcl__call *call, int64_t tiles, int64_t run_tiles)
{
    call->scalars[RUN_TILES] = run_tiles;
    call->scalars[TILE_COUNT] = tiles;
    if (mcl__call_has_pass(call, FEW_TILES)) return mcl__call_launch(call, FEW_TILES, tiles);
    MCL__TRY(mcl__call_launch_items(call, PARTITION, tiles));
    return mcl__call_launch(call, TILES, tiles);
}

static mcl_status launch_sort(merge_sort *sort)
{
    mcl__call *const call = &sort->call;
    const int64_t tiles = tile_count(sort), runs = sort->merged_runs;
    int side = 0;
    for (int64_t run_tiles = sort->block_tiles; run_tiles < tiles; run_tiles *= runs) side ^= 1;
    turn(call, side);
    MCL__TRY(mcl__call_launch(call, BLOCKS, mcl__divide_up(tiles, sort->block_tiles)));
    for (int64_t run_tiles = sort->block_tiles; run_tiles < tiles; run_tiles *= runs) {
        side ^= 1;
        turn(call, side);
        MCL__TRY(launch_level(call, tiles, run_tiles));
    }
    return MCL_OK;
}

/* Launches the gathers that fetch elements left in place. */
static mcl_status launch_gathers(merge_sort *sort)
{
    const mcl__call *const call = &sort->call;
    const mcl__span staging = call->scratch[STAGING].span;
    const mcl__span indices = call->scratch[sort->keys_stay ? KEYS_HOME : VALUES_HOME].span;
    if (sort->in.count == 0) return MCL_OK;
    if (sort->keys.index_type)
        MCL__TRY(mcl__gather_launch(&sort->keys, indices, mcl__output_span(&sort->given.out), staging));
    if (!sort->values.index_type) return MCL_OK;
    return mcl__gather_launch(&sort->values, indices, mcl__output_span(&sort->given.out_values), staging);
}

static mcl_status run_sort(merge_sort *sort)
{
    choose_operands(sort);
    MCL__TRY(get_programs(sort));
    need_scratch(sort);
    MCL__TRY(mcl__call_begin(&sort->call));
    MCL__TRY(launch_sort(sort));
    MCL__TRY(launch_gathers(sort));
    return mcl__call_end(&sort->call);
}

mcl_status mcl__merge_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    merge_sort *sort = NULL;
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl__call_init(&sort->call, &merge_sort_passes, NULL, queue, options);
    sort->given = *given;
    const mcl_status status = run_sort(sort);
    free(sort);
    return status;
}
