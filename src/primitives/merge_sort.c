/* merge_sort.c: stable mergesort by any order. Kernels: cl/kernels/sort.cl.
 * Blocks are sorted (pass 1), then each level merges pairs of runs, from one array into another: two launches a level,
 * the merge paths' cuts and the tiles, or one where tiles are few. The number of levels decides in which array the
 * blocks begin, so that the last level ends where the result belongs.
 * Wide elements stay where they are: their places are sorted or moved instead, and they are fetched once at the end. */
#include "primitives/sort_call.h"

#include "moderncl/sort.h"

enum { BLOCKS, PARTITION, TILES, FEW_TILES };

enum {
    MOVED_BYTES = 16, /* elements up to this size are moved in every level */
    PLACE_BYTES = 2   /* of a key's first index, beside it while a block with values is sorted */
};

/* What the passes work on: the call's operands, or the places of wide ones. */
typedef struct merge_sort {
    const mcl__sort_call *call;
    int keys_stay;              /* what is sorted are places in call->keys */
    int values_stay;            /* what moves with the keys are places in call->values */
    int has_values;             /* something moves with what is sorted */
    mcl_input in;               /* what is sorted */
    mcl_input in_values;        /* what moves with it */
    mcl_input runs, run_values; /* arrays that the spec knows by their types alone */
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__gather keys, values; /* of those that stay; without a place_type where none is needed */
} merge_sort;

static mcl__span output_span(const mcl_output *output)
{
    return (mcl__span){ output->buffer, (size_t)output->offset * output->type->size };
}

static int is_wide(const mcl_type *type)
{
    return type->size > MOVED_BYTES;
}

/* The same input with the count of another. */
static mcl_input with_count_of(mcl_input input, const mcl_input *counted)
{
    input.count = counted->count;
    input.count_slot = counted->count_slot;
    input.count_slot_index = counted->count_slot_index;
    return input;
}

static void choose_operands(merge_sort *sort, const mcl_options *options)
{
    const mcl__sort_call *call = sort->call;
    const int64_t zero = 0;
    const int wide_index = mcl__index_bits(call->keys.count, options) == 64;
    const mcl_type *place = call->drops_keys ? call->out_values.type : wide_index ? MCL_INT64 : MCL_INT32;
    const mcl_input places = with_count_of(mcl_counting(place, &zero, call->keys.count), &call->keys);

    sort->keys_stay = is_wide(call->keys.type);
    sort->values_stay = call->has_values && !call->drops_keys && (sort->keys_stay || is_wide(call->values.type));
    sort->has_values = call->has_values && !sort->keys_stay;
    sort->in = sort->keys_stay ? places : call->keys;
    if (sort->has_values) sort->in_values = sort->values_stay ? places : with_count_of(call->values, &call->keys);
    if (sort->keys_stay && !call->drops_keys)
        sort->keys = (mcl__gather){ .in = call->keys,
                                    .place_type = place,
                                    .in_place = mcl__same_place(&call->keys, &call->out) };
    if (sort->values_stay)
        sort->values = (mcl__gather){ .in = with_count_of(call->values, &call->keys),
                                      .place_type = place,
                                      .in_place = mcl__same_place(&call->values, &call->out_values) };
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

/* How many tiles a block has: a power of two, as many as the row of sort_block has work-items for and the device's
 * work-group memory has room for. */
static int block_tiles(const mcl_context *context, mcl__tile tile, mcl__tile_need need, const mcl_options *options)
{
    const mcl__tile_need any = { .element_bytes = need.element_bytes };
    const int64_t threads =
        mcl__tile_for(MCL__OPERATION_sort_block, &context->limits, context->tuning, any, options).threads;
    const int64_t room = context->limits.local_memory - (int64_t)need.local_bytes_fixed;
    int tiles = 1;
    if (tile.threads == 1) return 1;
    while (2 * (int64_t)tiles * tile.threads <= threads &&
           2 * tiles * mcl__tile_size(tile) * (int64_t)need.local_bytes_per_item <= room)
        tiles *= 2;
    return tiles;
}

/* Runs that a vector network sorts side by side; keys and values that are no numbers make no vectors. */
static int sorts_by_vectors(const merge_sort *sort)
{
    const mcl_op *before = sort->call->before;
    return sort->in.type->kind != MCL_KIND_STRUCT && !sort->keys_stay && !before->source &&
           before->binding_count == 0 && (!sort->has_values || sort->in_values.type->kind != MCL_KIND_STRUCT);
}

static void describe(merge_sort *sort, const mcl_context *context, const mcl_options *options)
{
    const mcl__sort_call *call = sort->call;
    const mcl__tile_need need = tile_need(sort);
    const mcl__operation operation = sort->has_values ? MCL__OPERATION_sort_pairs : MCL__OPERATION_sort;
    const mcl__tile tile = mcl__tile_for(operation, &context->limits, context->tuning, need, options);
    const int by_vectors = sorts_by_vectors(sort);
    mcl__spec *spec = &sort->spec;
    *spec = (mcl__spec){
        .file = "kernels/sort.cl",
        .kernels = { [BLOCKS] = "sort_blocks", [PARTITION] = "sort_partition", [TILES] = "sort_merge" },
        .tile = tile,
        .index_bits = tile.threads == 1 ? 64 : mcl__index_bits(call->keys.count, options), /* a CPU's own width */
        .aliased = !sort->keys_stay && !call->drops_keys &&
                   (mcl__same_place(&call->keys, &call->out) ||
                    (sort->has_values && mcl__same_place(&call->values, &call->out_values))),
        .types = { { "key", sort->in.type } },
        .ops = { { "before", call->before, MCL__OP_COMPARE, call->keys.type, NULL } },
        .inputs = { { "in", &sort->in } },
        .outputs = { { "out", sort->in.type }, { "spare", sort->in.type } },
        .defines = { { "HAS_VALUES", sort->has_values },
                     { "KEYS_STAY", sort->keys_stay },
                     { "BLOCK_TILES", block_tiles(context, tile, need, options) },
                     { "PARTITION_THREADS", mcl__partition_threads(tile) },
                     { "BASE_RUN", by_vectors ? 16 : 4 },
                     { "BASE_COLUMNS", by_vectors ? 16 : 1 } },
    };
    if (tile.threads > 1) spec->kernels[FEW_TILES] = "sort_merge_few";
}

static void describe_arrays(merge_sort *sort)
{
    mcl__spec *spec = &sort->spec;
    sort->runs = (mcl_input){ .type = sort->in.type };
    spec->inputs[1].name = "a";
    spec->inputs[1].input = &sort->runs;
    if (sort->keys_stay) {
        spec->inputs[2].name = "keys";
        spec->inputs[2].input = &sort->call->keys;
    }
    if (!sort->has_values) return;
    sort->run_values = (mcl_input){ .type = sort->in_values.type };
    spec->inputs[3].name = "in_values";
    spec->inputs[3].input = &sort->in_values;
    spec->inputs[4].name = "a_values";
    spec->inputs[4].input = &sort->run_values;
    spec->outputs[2].name = "out_values";
    spec->outputs[2].type = sort->in_values.type;
    spec->outputs[3].name = "spare_values";
    spec->outputs[3].type = sort->in_values.type;
}

static mcl_status get_programs(mcl_queue *queue, merge_sort *sort, const mcl_options *options)
{
    describe(sort, queue->context, options);
    describe_arrays(sort);
    MCL__TRY(mcl__program_get(queue, &sort->spec, &sort->kernels));
    if (sort->keys.place_type) MCL__TRY(mcl__gather_get(queue, options, &sort->keys));
    if (sort->values.place_type) MCL__TRY(mcl__gather_get(queue, options, &sort->values));
    return MCL_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

/* The arrays of a call: two that levels alternate between for the keys, two for what moves with them, of which HOME is
 * where the last level ends; the cuts of a level; and what is fetched in place. */
enum { KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE, CUTS, STAGING, ARRAY_COUNT };

static int64_t tile_count(const merge_sort *sort)
{
    return mcl__divide_up(sort->in.count, mcl__tile_size(sort->kernels->tile));
}

static int block_tile_count(const merge_sort *sort)
{
    return sort->spec.defines[2].value;
}

/* Bytes of each array that comes from scratch. */
static size_t measure_arrays(const merge_sort *sort, size_t bytes[ARRAY_COUNT])
{
    const mcl__sort_call *call = sort->call;
    const size_t count = (size_t)sort->in.count;
    const int64_t tiles = tile_count(sort);
    const int alternates = tiles > block_tile_count(sort) || sort->kernels->tile.threads == 1;
    const size_t keys = count * sort->in.type->size;
    const size_t values = sort->has_values ? count * sort->in_values.type->size : 0;
    const size_t staged_keys = mcl__gather_scratch(&sort->keys);
    const size_t staged_values = mcl__gather_scratch(&sort->values);
    size_t total = 0;

    bytes[KEYS_HOME] = (sort->keys_stay ? !call->drops_keys : call->drops_keys) ? keys : 0;
    bytes[KEYS_SPARE] = alternates ? keys : 0;
    bytes[VALUES_HOME] = sort->values_stay ? values : 0;
    bytes[VALUES_SPARE] = alternates ? values : 0;
    bytes[CUTS] = tiles > block_tile_count(sort) ? (size_t)tiles * (size_t)(sort->spec.index_bits / 8) : 0;
    bytes[STAGING] = staged_keys > staged_values ? staged_keys : staged_values;
    for (int k = 0; k < ARRAY_COUNT; ++k) total += mcl__scratch_round(bytes[k]);
    return total;
}

static void take_arrays(mcl_queue *queue, const merge_sort *sort, const size_t bytes[ARRAY_COUNT],
                        mcl__span arrays[ARRAY_COUNT])
{
    const mcl__sort_call *call = sort->call;
    const mcl__span none = { NULL, 0 };
    for (int k = 0; k < ARRAY_COUNT; ++k) arrays[k] = bytes[k] > 0 ? mcl__scratch_take(queue, bytes[k]) : none;
    if (bytes[KEYS_HOME] == 0) arrays[KEYS_HOME] = output_span(sort->keys_stay ? &call->out_values : &call->out);
    if (bytes[VALUES_HOME] == 0 && sort->has_values) arrays[VALUES_HOME] = output_span(&call->out_values);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static void start_args(const merge_sort *sort, mcl__args *args)
{
    mcl__args_start(args, &sort->spec);
    if (sort->keys_stay) mcl__args_input(args, &sort->call->keys);
}

/* side: 0 where the blocks begin in HOME, 1 in SPARE. */
static mcl_status launch_blocks(mcl_queue *queue, const merge_sort *sort, const mcl__span *arrays, int side)
{
    const int threads = sort->kernels->tile.threads;
    const int block_threads = threads == 1 ? 1 : threads * block_tile_count(sort);
    mcl__args args;
    start_args(sort, &args);
    mcl__args_input(&args, &sort->in);
    mcl__args_span(&args, arrays[KEYS_HOME + side]);
    mcl__args_span(&args, arrays[KEYS_SPARE - side]);
    if (sort->has_values) {
        mcl__args_input(&args, &sort->in_values);
        mcl__args_span(&args, arrays[VALUES_HOME + side]);
        mcl__args_span(&args, arrays[VALUES_SPARE - side]);
    }
    return mcl__launch_groups(queue, sort->kernels, BLOCKS, mcl__divide_up(tile_count(sort), block_tile_count(sort)),
                              block_threads, &args);
}

/* Merges pairs of runs of run_tiles tiles. from: 0 where they are in HOME, 1 in SPARE. */
static mcl_status launch_level(mcl_queue *queue, const merge_sort *sort, const mcl__span *arrays, int from,
                               int64_t run_tiles)
{
    const int64_t tiles = tile_count(sort);
    const int partition_threads = sort->spec.defines[3].value;
    const int few =
        sort->spec.kernels[FEW_TILES] && tiles <= mcl__tuned_a_unit(queue->context, MCL__PARAMETER_sort_few_tiles);
    mcl__args args;
    start_args(sort, &args);
    mcl__args_array(&args, arrays[KEYS_HOME + from], &sort->in);
    if (!few) {
        mcl__args_span(&args, arrays[CUTS]);
        mcl__args_index(&args, run_tiles);
        const mcl__args shared = args;
        mcl__args_index(&args, tiles);
        MCL__TRY(mcl__launch_groups(queue, sort->kernels, PARTITION, mcl__divide_up(tiles, partition_threads),
                                    partition_threads, &args));
        args = shared;
    } else {
        mcl__args_index(&args, run_tiles);
    }
    mcl__args_span(&args, arrays[KEYS_SPARE - from]);
    if (sort->has_values) {
        mcl__args_array(&args, arrays[VALUES_HOME + from], &sort->in);
        mcl__args_span(&args, arrays[VALUES_SPARE - from]);
    }
    return mcl__launch_groups(queue, sort->kernels, few ? FEW_TILES : TILES, tiles, sort->kernels->tile.threads, &args);
}

static mcl_status launch_sort(mcl_queue *queue, const merge_sort *sort, const mcl__span *arrays)
{
    const int64_t tiles = tile_count(sort);
    int side = 0;
    for (int64_t run_tiles = block_tile_count(sort); run_tiles < tiles; run_tiles *= 2) side ^= 1;
    MCL__TRY(launch_blocks(queue, sort, arrays, side));
    for (int64_t run_tiles = block_tile_count(sort); run_tiles < tiles; run_tiles *= 2) {
        MCL__TRY(launch_level(queue, sort, arrays, side, run_tiles));
        side ^= 1;
    }
    const mcl__span staging = arrays[STAGING];
    const mcl__span places = arrays[sort->keys_stay ? KEYS_HOME : VALUES_HOME];
    if (sort->keys.place_type)
        MCL__TRY(mcl__gather_run(queue, &sort->keys, places, output_span(&sort->call->out), staging));
    if (sort->values.place_type)
        MCL__TRY(mcl__gather_run(queue, &sort->values, places, output_span(&sort->call->out_values), staging));
    return MCL_OK;
}

mcl_status mcl__merge_sort(mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options)
{
    merge_sort sort = { .call = call };
    size_t bytes[ARRAY_COUNT];
    mcl__span arrays[ARRAY_COUNT];

    choose_operands(&sort, options);
    MCL__TRY(get_programs(queue, &sort, options));
    MCL__TRY(mcl__call_begin(queue, call->function, measure_arrays(&sort, bytes), options));
    if (sort.in.count > 0) {
        take_arrays(queue, &sort, bytes, arrays);
        MCL__TRY(launch_sort(queue, &sort, arrays));
    }
    return mcl__call_end(queue, options);
}
