/* bucket_sort.c: sorts many keys by buckets, as a part of radix sort in the group mapping. Kernels: bucket_sort.cl,
 * bucket_finish.cl.
 *
 * A sample gives a map from keys to quantiles. With this map, one pass counts the keys, one moves them to ranges, and
 * one moves each range's keys to buckets. A group then sorts each bucket in its work-group memory. So keys of any width
 * are counted once and moved twice. The device itself finds out whether the buckets suit the keys. If they do not,
 * radix sort's usual passes sort. Otherwise the usual passes do nothing. */
#include "facts/bucket_sort.h"
#include "facts/digits.h"
#include "facts/radix_sort.h"
#include "operations/sort/sort_operands.h"

enum { KEYS = 1, OUT, SPARE, VALUES, OUT_VALUES, SPARE_VALUES }; /* operands; arrays only give types */
enum { SAMPLE, MAP_KEYS, COUNT, PLAN, PART, GATHER };
enum { FINISH, CROWDS, WIDE }; /* passes of bucket_finish.cl */
enum { FLIP, SAMPLES, SAMPLE_GROUPS, WORDS, RANGE_BITS, SHARES, TOTAL, IN_PLACE, LIST_SIZE, FIRST_WIDE }; /* scalars */
/* Scratch. COUNTS contains the next four arrays, and the words of bucket_pairs.c. All of them must be zero at first. */
enum { COUNTS, HEAD, RANGES, RESERVED, SLICES, MAP, SLICE_BUCKETS, CURSORS, BUCKET_LIST };
enum { FINISH_HEAD, FINISH_MAP, FINISH_LIST }; /* scratch of bucket_finish.cl, which shares it with bucket_sort.cl */

#define MAP_ARGUMENTS AS_LONG(FLIP), AS_INT(RANGE_BITS), SCRATCH(HEAD), SCRATCH(MAP)
#define FINISH_ARGUMENTS                                                                                               \
    OPERAND(OUT), OPERAND(OUT_VALUES), AS_LONG(FLIP), SCRATCH(FINISH_HEAD), SCRATCH(FINISH_MAP), SCRATCH(FINISH_LIST)

static const mcl__declaration bucket_passes = {
    .file = "kernels/sort/bucket_sort.cl",
    .operands =
        (mcl__operands){
            [KEYS] = { "keys", .kind = MCL__INPUT },
            [OUT] = { "out", .kind = MCL__ARRAY },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
        },
    .scratch = { [COUNTS] = { "counts", "uint" },
                 [HEAD] = { "head", "bucket_head" },
                 [RANGES] = { "ranges", "uint" },
                 [RESERVED] = { "reserved", "uint" },
                 [SLICES] = { "slices", "uint" },
                 [MAP] = { "map", "quantile_map" },
                 [SLICE_BUCKETS] = { "buckets", "uint16_t" },
                 [CURSORS] = { "cursors", "uint" },
                 [BUCKET_LIST] = { "list", "bucket_record" } },
    .scalars = { [FLIP] = "image_flip",
                 [SAMPLES] = "samples",
                 [SAMPLE_GROUPS] = "sample_groups",
                 [WORDS] = "words",
                 [RANGE_BITS] = "range_bits",
                 [SHARES] = "shares",
                 [TOTAL] = "total",
                 [IN_PLACE] = "in_place",
                 [LIST_SIZE] = "list_size" },
    .passes =
        (mcl__passes){
            [SAMPLE] = { "bucket_sample", .arguments = { OPERAND(KEYS), OPERAND(SPARE), AS_INT(SAMPLES), AS_LONG(FLIP),
                                                         SCRATCH(COUNTS), AS_LONG(WORDS) } },
            [MAP_KEYS] = { "bucket_map", .arguments = { OPERAND(SPARE), AS_INT(SAMPLES), AS_INT(SAMPLE_GROUPS),
                                                        AS_INT(TOTAL), MAP_ARGUMENTS } },
            [COUNT] = { "bucket_count", .arguments = { OPERAND(KEYS), MAP_ARGUMENTS, SCRATCH(RANGES), SCRATCH(SLICES),
                                                       AS_INT(SHARES) } },
            [PLAN] = { "bucket_plan",
                       .arguments = { MAP_ARGUMENTS, SCRATCH(RANGES), SCRATCH(SLICES), SCRATCH(SLICE_BUCKETS),
                                      SCRATCH(CURSORS), SCRATCH(BUCKET_LIST), AS_INT(LIST_SIZE), AS_INT(TOTAL) } },
            [PART] = { "bucket_part", .arguments = { OPERAND(KEYS), OPERAND(OUT), OPERAND(SPARE), MAP_ARGUMENTS,
                                                     SCRATCH(RANGES), SCRATCH(RESERVED), AS_INT(IN_PLACE) } },
            [GATHER] = { "bucket_gather", .arguments = { OPERAND(OUT), OPERAND(SPARE), MAP_ARGUMENTS, SCRATCH(RANGES),
                                                         SCRATCH(SLICE_BUCKETS), SCRATCH(CURSORS), AS_INT(TOTAL) } },
        },
};

static const mcl__declaration finish_passes = {
    .file = "kernels/sort/bucket_finish.cl",
    .operands =
        (mcl__operands){
            [KEYS] = { "keys", .kind = MCL__INPUT },
            [OUT] = { "out", .kind = MCL__ARRAY },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
            [VALUES] = { "values", .kind = MCL__INPUT },
            [OUT_VALUES] = { "out_values", .kind = MCL__ARRAY },
            [SPARE_VALUES] = { "spare_values", .kind = MCL__ARRAY },
        },
    .scratch = { [FINISH_HEAD] = { "head", "bucket_head" },
                 [FINISH_MAP] = { "map", "quantile_map" },
                 [FINISH_LIST] = { "list", "bucket_record" } },
    .scalars = { [FLIP] = "image_flip", [LIST_SIZE] = "list_size", [FIRST_WIDE] = "first_wide" },
    .passes =
        (mcl__passes){
            [FINISH] = { "bucket_finish", .arguments = { FINISH_ARGUMENTS } },
            [CROWDS] = { "bucket_crowds",
                         .arguments = { FINISH_ARGUMENTS, OPERAND(SPARE), OPERAND(SPARE_VALUES), AS_INT(LIST_SIZE) } },
            [WIDE] = { "bucket_finish", .arguments = { FINISH_ARGUMENTS, AS_INT(FIRST_WIDE) } },
        },
};

enum {
    LITTLE_MEMORY = 1 << 15, /* bytes of work-group memory */
    KEY_BYTES_LEAST = 4,     /* radix sort takes few passes for shorter keys */
    SAMPLES_MOST = 1 << 16,
    THREADS_MOST = 1024, /* work-items of a group that counts */
    CROWD_BUCKETS = 4,   /* full buckets that a crowd's group has room for: few, since its sorting network is slow */
    CROWD_FIXED_BYTES = 512, /* room of that group besides keys */
    KEYS_A_SAMPLE = 32, /* keys for each sample, so that small slices have samples; samples lie in spare at first */
    GROUP_TURNS = 4,    /* how often groups that sort buckets fill the device */
    CROWD_GROUPS = 4    /* groups of each compute unit that sort crowds */
};

/* Returns the work-group memory of a group that counts, in bytes: two for each slice, and the map. */
static int64_t count_bytes(int64_t slices)
{
    return 2 * slices + QUANTILE_HELD_BYTES + STORE_PADDING;
}

/* Returns the number of tiles whose work-items form a group that counts. It is 2 where a compute unit has memory for
 * only one such group and the device allows so large a group; else 1. */
static int count_tiles(const mcl__limits *limits, int64_t slices, int threads)
{
    const int has_one = 2 * count_bytes(slices) > limits->launch_memory;
    return has_one && 2 * threads <= limits->max_threads && 2 * threads <= THREADS_MOST ? 2 : 1;
}

/* Returns the number of slices that a group counts: the largest power of two for which its memory has room. */
static int64_t held_slices(const mcl_context *context)
{
    const int64_t most = mcl__tuned(context, MCL__PARAMETER_bucket_sort_held);
    int64_t held = RANGE_SLICES;
    while (2 * held <= most && count_bytes(2 * held) <= context->limits.launch_memory) held *= 2;
    return held;
}

/* Returns the slots of the table that finds how often keys come, half as many on devices of little memory. */
static int64_t repeat_slots(const mcl__buckets *sort)
{
    return sort->call.queue->context->limits.local_memory > LITTLE_MEMORY ? 1 << 13 : 1 << 12;
}

/* Returns the most work-group memory that a kernel of the program declares. */
static int64_t store_bytes(const mcl__buckets *sort, mcl__tile tile)
{
    const int64_t key = (int64_t)sort->call.operands[OUT].scratch->size, threads = tile.threads;
    const int64_t image = key > 4 ? 8 : 4, sums = 4 * (threads + 32) + STORE_PADDING;
    const int64_t map = (1 + QUANTILE_NODES) * (QUANTILE_NODE_BYTES + 24) + 4 * (MAP_CROWDS_MOST + 2) +
                        (4 << QUANTILE_ROOT_BITS) + 8 * QUANTILE_MAP_ENTRIES + 2 * image * threads + sums;
    const int64_t plan = 4 * (3 * RANGE_SLICES + 2 * sort->ranges_most + threads) + sums;
    const int64_t copies = 4 * repeat_slots(sort) + STORE_PADDING, larger = map > plan ? map : plan;
    return larger > copies ? larger : copies;
}

/* Returns the tile for moving keys. Its memory has the bits and the part of each key, and the tables that assign parts
 * to keys. Also stores the bytes of this memory in move_bytes. */
static mcl__tile choose_tile(mcl__buckets *sort)
{
    const size_t key = sort->call.operands[OUT].scratch->size, ranges = (size_t)sort->ranges_most;
    const mcl__tile_need need = {
        .element_bytes = key,
        .local_bytes_per_item = key + (ranges > RANGES_USUAL ? 2 : 1),
        .local_bytes_fixed = 4 * (4 * ranges + 1) + QUANTILE_HELD_BYTES + 2 * RANGE_SLICES + STORE_PADDING,
        .lone_bytes_per_thread = 4,
        .at_launch = 1,
    };
    const mcl__tile tile = mcl__call_choose_tile(&sort->call, MCL__OPERATION_bucket_sort, need);
    sort->move_bytes = sort->call.spec.local_bytes;
    return tile;
}

/* Returns the most keys that a bucket may have. */
static int64_t bucket_most(mcl__tile finish_tile)
{
    return BUCKET_KEYS((int64_t)finish_tile.threads, finish_tile.items);
}

/* Returns the bits of a range's number, so that a slice has at most goal keys on average. Returns 0 where there are too
 * many keys for most ranges. */
static int choose_ranges(int64_t count, int64_t goal, int most)
{
    int bits = 1;
    while (goal * RANGE_SLICES << bits < count && 1 << bits < most) ++bits;
    return count <= goal * RANGE_SLICES << bits ? bits : 0;
}

/* Makes a tile longer until the ranges of such buckets have room for a number of keys: more work-items first, then more
 * keys of each. Where the device does not allow it, the keys are too many for the longest tile. */
static mcl__tile lengthen(const mcl_context *context, mcl__tile_need need, int64_t count, mcl__tile tile)
{
    const mcl__limits *const limits = &context->limits;
    const int64_t most_items = mcl__tuned(context, MCL__PARAMETER_bucket_finish_items_most);
    const int most_threads = limits->max_threads < THREADS_MOST ? limits->max_threads : THREADS_MOST;
    mcl__tile longer = tile;
    while (tile.threads > 1 && choose_ranges(count, SLICE_GOAL(bucket_most(tile)), RANGES_USUAL) == 0) {
        if (longer.threads < most_threads)
            longer.threads = 2 * longer.threads < most_threads ? 2 * longer.threads : most_threads;
        else
            ++longer.items;
        if (longer.items > most_items || mcl__tile_bytes(limits, need, longer) > limits->launch_memory) break;
        tile = longer;
    }
    return tile;
}

/* Returns the number of keys that slices must have room for. Slices of floats are less even than those of integers.
 * Where floats are too many for a tile, slices of the longer tile have room for twice as many. */
static int64_t keys_wanted(mcl__tile tile, int64_t count, int order)
{
    const int fits = choose_ranges(count, SLICE_GOAL(bucket_most(tile)), RANGES_USUAL) > 0;
    return fits || order == ORDER_OF_INTEGERS ? count : 2 * count;
}

/* Returns the need of a tile that sorts a bucket. Its memory has the keys and a counter for each key. */
static mcl__tile_need finish_need(const mcl__buckets *sort)
{
    const size_t key = sort->finish.operands[OUT].scratch->size, place = sort->has_values ? PLACE_BYTES : 0;
    const size_t value = sort->has_values ? sort->finish.operands[OUT_VALUES].scratch->size : 0;
    return (mcl__tile_need){
        .element_bytes = key > value ? key : value,
        .local_bytes_per_item = key + place + 8, /* 8, since counters have gaps */
        /* The fixed bytes hold sums, and the keys that a window may read past the end. */
        .local_bytes_fixed = STORE_PADDING + 4 * 36 + 64 * (key + place),
        .lone_bytes_per_thread = 4,
        .at_launch = 1,
    };
}

/* Returns the tile that sorts a bucket. Keys that are too many for the ranges of such buckets get a longer tile. Also
 * stores the bytes of work-group memory (finish_bytes, crowd_bytes), and in wanted what keys_wanted says. */
static mcl__tile choose_finish_tile(mcl__buckets *sort, int64_t count, int order, int64_t *wanted)
{
    const mcl__limits *const limits = &sort->finish.queue->context->limits;
    const mcl__tile_need need = finish_need(sort);
    const size_t key = sort->finish.operands[OUT].scratch->size, place = sort->has_values ? PLACE_BYTES : 0;
    const mcl__operation operation =
        sort->has_values ? MCL__OPERATION_bucket_finish_pairs : MCL__OPERATION_bucket_finish;
    mcl__tile tile = mcl__call_choose_tile(&sort->finish, operation, need);
    *wanted = keys_wanted(tile, count, order);
    tile = lengthen(sort->finish.queue->context, need, *wanted, tile);
    sort->finish_bytes = sort->finish.spec.local_bytes = mcl__tile_bytes(limits, need, tile);
    const int64_t crowd_bytes = CROWD_BUCKETS * bucket_most(tile) * (int64_t)(key + place) + CROWD_FIXED_BYTES;
    sort->crowd_bytes = limits->launch_memory < crowd_bytes ? limits->launch_memory : crowd_bytes;
    return tile;
}

/* Returns the tile for larger buckets: the same items, and as many work-items as a group may have and has memory for.
 * Slices of keys that repeat are uneven, and so are their buckets. Also stores the bytes of work-group memory
 * (wide_bytes). They are 0 where there is no such tile, or where equal keys must keep their order: such keys are slow
 * there in any tile. */
static mcl__tile choose_wide_tile(mcl__buckets *sort, mcl__tile tile)
{
    const mcl__limits *const limits = &sort->finish.queue->context->limits;
    const mcl__tile_need need = finish_need(sort);
    mcl__tile wide = tile;
    wide.threads = limits->max_threads < THREADS_MOST ? limits->max_threads : THREADS_MOST;
    while (wide.threads > tile.threads && mcl__tile_bytes(limits, need, wide) > limits->launch_memory)
        wide.threads -= tile.threads;
    const int64_t bytes = mcl__tile_bytes(limits, need, wide);
    sort->wide_bytes = !sort->has_values && wide.threads > tile.threads ? bytes : 0;
    return wide;
}

static void need_scratch(mcl__buckets *sort)
{
    mcl__call *const call = &sort->call;
    const size_t ranges = (size_t)1 << sort->range_bits, list = (size_t)call->scalars[LIST_SIZE];
    const size_t pair_words = sort->has_values ? mcl__bucket_pairs_words(&sort->pairs) : 0;
    const size_t words = BUCKET_HEAD_BYTES / 4 + 2 * (size_t)sort->ranges_most + (ranges << SLICE_BITS) + pair_words;
    mcl__call_scratch(call, COUNTS, words * sizeof(uint32_t));
    mcl__call_scratch(call, MAP, QUANTILE_MAP_BYTES);
    mcl__call_scratch(call, SLICE_BUCKETS, (ranges << SLICE_BITS) * sizeof(uint16_t));
    mcl__call_scratch(call, CURSORS, ranges * RANGE_SLICES * sizeof(uint32_t));
    mcl__call_scratch(call, BUCKET_LIST, list * BUCKET_RECORD_BYTES);
    call->scalars[WORDS] = (int64_t)words;
}

/* Returns the most keys of a crowd: a bucket that is too large for bucket_finish. If a crowd has more, the usual passes
 * sort. */
static int64_t crowd_limit(const mcl__buckets *sort)
{
    const int64_t key = (int64_t)sort->finish.operands[OUT].scratch->size;
    return sort->has_values ? PAIR_CROWD_KEYS(sort->crowd_bytes, key) : CROWD_MOST;
}

static mcl__parameter finish_resident(const mcl__buckets *sort)
{
    return sort->has_values ? MCL__PARAMETER_bucket_finish_pairs_resident : MCL__PARAMETER_bucket_finish_resident;
}

/* Returns how many of 256 samples may lie in crowded cells. If more do, the usual passes sort. For many long keys
 * without values there is no limit, since their usual passes are slow. */
static int hard_crowds(const mcl__buckets *sort, int key_bits)
{
    const mcl_context *const context = sort->call.queue->context;
    const int is_long = key_bits > 8 * KEY_BYTES_LEAST && !sort->has_values;
    const int64_t many = mcl__tuned(context, MCL__PARAMETER_bucket_sort_crowded_keys);
    const int all_may = is_long && sort->call.scalars[TOTAL] >= many;
    return all_may ? 256 : (int)mcl__tuned(context, MCL__PARAMETER_bucket_sort_crowds);
}

/* Finds a program that sorts buckets, for tiles of one length. */
static mcl_status find_finish(const mcl__buckets *sort, mcl__call *finish, mcl__tile tile, int order, int64_t bytes)
{
    mcl__call_define(finish, "KEY_BITS", 8 * (int)finish->operands[OUT].scratch->size);
    mcl__call_define(finish, "KEY_ORDER", order);
    mcl__call_define(finish, "IS_WIDE", finish == &sort->wide);
    mcl__call_define(finish, "KEEPS_ORDER", sort->has_values);
    mcl__call_define(finish, "RESIDENT", (int)mcl__tuned(finish->queue->context, finish_resident(sort)));
    mcl__call_define(finish, "FINISH_BYTES", (int)bytes);
    mcl__call_define(finish, "CROWD_BYTES", (int)sort->crowd_bytes);
    return mcl__call_program(finish, tile, 32);
}

static mcl_status get_programs(mcl__buckets *sort, mcl__tile tile, mcl__tile finish_tile, int order)
{
    mcl__call *const call = &sort->call;
    const mcl_context *const context = call->queue->context;
    const int key_bits = 8 * (int)call->operands[OUT].scratch->size;
    const mcl__tile wide_tile = choose_wide_tile(sort, finish_tile);
    mcl__call_define(call, "KEY_BITS", key_bits);
    mcl__call_define(call, "KEY_ORDER", order);
    mcl__call_define(call, "KEEPS_ORDER", sort->has_values);
    mcl__call_define(call, "CROWD_LIMIT", (int)crowd_limit(sort));
    mcl__call_define(call, "KEYS_VARY", call->operands[KEYS].input->expression != NULL);
    mcl__call_define(call, "REPEAT_SLOTS", (int)repeat_slots(sort));
    mcl__call_define(call, "HARD_CROWDS", hard_crowds(sort, key_bits));
    mcl__call_define(call, "BUCKET_MOST", (int)bucket_most(finish_tile));
    mcl__call_define(call, "WIDE_MOST", sort->wide_bytes > 0 ? (int)bucket_most(wide_tile) : 0);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(context, MCL__PARAMETER_bucket_sort_resident));
    mcl__call_define(call, "RANGES_MOST", sort->ranges_most);
    mcl__call_define(call, "HELD_SLICES", (int)sort->held);
    mcl__call_define(call, "COUNT_TILES", sort->count_tiles);
    mcl__call_define(call, "COUNT_BYTES", (int)count_bytes(sort->held));
    mcl__call_define(call, "MOVE_BYTES", (int)sort->move_bytes);
    mcl__call_takes_local(call, store_bytes(sort, tile));
    call->spec.tiles[COUNT] = sort->count_tiles;
    call->passes = MCL__BIT(SAMPLE) | MCL__BIT(MAP_KEYS) | MCL__BIT(COUNT) | MCL__BIT(PLAN);
    if (!sort->has_values) call->passes |= MCL__BIT(PART) | MCL__BIT(GATHER);
    MCL__TRY(mcl__call_program(call, tile, 32));
    if (sort->has_values) MCL__TRY(mcl__bucket_pairs_plan(&sort->pairs, order, call->scalars[FLIP], sort->range_bits));
    MCL__TRY(find_finish(sort, &sort->finish, finish_tile, order, sort->finish_bytes));
    if (sort->wide_bytes == 0) return MCL_OK;
    sort->wide.spec.local_bytes = sort->wide_bytes;
    return find_finish(sort, &sort->wide, wide_tile, order, sort->wide_bytes);
}

/* Gives the programs their operands. */
static void give_operands(mcl__buckets *sort, mcl__radix_stream *keys, mcl__radix_stream *values)
{
    mcl__call *const call = &sort->call, *const finish = &sort->finish, *const wide = &sort->wide;
    call->operands[KEYS].input = &keys->in;
    call->operands[OUT].scratch = call->operands[SPARE].scratch = keys->array.type;
    finish->operands[KEYS].input = wide->operands[KEYS].input = &keys->array;
    finish->operands[OUT].scratch = finish->operands[SPARE].scratch = keys->array.type;
    wide->operands[OUT].scratch = keys->array.type;
    if (!values) return;
    finish->operands[VALUES].input = &values->array;
    finish->operands[OUT_VALUES].scratch = finish->operands[SPARE_VALUES].scratch = values->array.type;
}

/* Returns 1 where keys are enough for a sort by buckets to be faster. */
static int are_many(const mcl_context *context, const mcl__radix_stream *keys, int order, int has_values)
{
    const int is_wide = keys->array.type->size > KEY_BYTES_LEAST, is_float = order != ORDER_OF_INTEGERS;
    const mcl__parameter alone = is_wide    ? MCL__PARAMETER_bucket_sort_wide_keys
                                 : is_float ? MCL__PARAMETER_bucket_sort_float_keys
                                            : MCL__PARAMETER_bucket_sort_keys;
    const mcl__parameter pairs = is_wide ? MCL__PARAMETER_bucket_pairs_wide_keys : MCL__PARAMETER_bucket_pairs_keys;
    return keys->in.count >= mcl__tuned(context, has_values ? pairs : alone);
}

/* Returns the bits of a range's number; 0 where the keys are too many. Keys of 8 bytes without values have more ranges
 * where they need them, since radix sort's passes are slow for these. */
static int range_bits_of(const mcl__buckets *sort, int64_t count, int64_t wanted, mcl__tile finish_tile)
{
    const int64_t goal = SLICE_GOAL(bucket_most(finish_tile));
    const int is_wide = sort->finish.operands[OUT].scratch->size > KEY_BYTES_LEAST;
    int bits = choose_ranges(wanted, goal, RANGES_USUAL);
    if (bits == 0) bits = choose_ranges(count, goal, RANGES_USUAL);
    if (bits == 0 && is_wide && !sort->has_values) bits = choose_ranges(count, goal, RANGES_WIDE);
    return bits;
}

/* Returns how often keys may be read to count them. More ranges than usual need as many more counters. */
static int64_t shares_allowed(const mcl__buckets *sort)
{
    const int64_t usual = mcl__tuned(sort->call.queue->context, MCL__PARAMETER_bucket_sort_shares);
    return usual * sort->ranges_most / RANGES_USUAL;
}

/* Chooses the number of samples, and of the groups that take them. Returns 0 where there are too few keys. */
static int choose_samples(mcl__call *call, int64_t count, int threads)
{
    const int64_t batch = (int64_t)SAMPLE_BATCH * threads, most_batches = SAMPLES_MOST / batch;
    const int64_t wanted = count / KEYS_A_SAMPLE < SAMPLES_MOST ? count / KEYS_A_SAMPLE : SAMPLES_MOST;
    const int64_t batches = mcl__divide_up(wanted, batch);
    const int64_t samples = (batches < most_batches ? batches : most_batches) * batch, groups = samples / threads;
    const int64_t sample_groups = groups < SAMPLE_GROUPS_MOST ? groups : SAMPLE_GROUPS_MOST;
    call->scalars[SAMPLES] = samples;
    call->scalars[SAMPLE_GROUPS] = sample_groups;
    return samples > 0 && samples + SAMPLE_RECORDS * sample_groups <= count;
}

mcl_status mcl__buckets_plan(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys,
                             mcl__radix_stream *values, int order, int64_t flip, int in_place, mcl__buckets *sort)
{
    mcl__call *const call = &sort->call, *const finish = &sort->finish;
    const mcl_context *const context = queue->context;
    const int64_t count = keys->in.count;
    sort->range_bits = 0;
    if (keys->array.type->size < KEY_BYTES_LEAST) return MCL_OK;
    if (!are_many(context, keys, order, values != NULL)) return MCL_OK;
    /* The loop limit of llvmpipe: Mesa 22.3 generates wrong code for some programs. */
    if (context->limits.loop_budget > 0) return MCL_OK;
    mcl__call_init(call, &bucket_passes, NULL, queue, options);
    mcl__call_init(finish, &finish_passes, NULL, queue, options);
    mcl__call_init(&sort->wide, &finish_passes, NULL, queue, options);
    finish->passes = MCL__BIT(FINISH) | MCL__BIT(CROWDS);
    sort->wide.passes = MCL__BIT(WIDE);
    sort->has_values = values != NULL;
    give_operands(sort, keys, values);
    int64_t wanted = count;
    const mcl__tile finish_tile = choose_finish_tile(sort, count, order, &wanted);
    const int range_bits = range_bits_of(sort, count, wanted, finish_tile);
    sort->ranges_most = 1 << range_bits > RANGES_USUAL ? 1 << range_bits : RANGES_USUAL;
    const mcl__tile tile = choose_tile(sort);
    if (range_bits == 0 || tile.threads == 1 || finish_tile.threads == 1) return MCL_OK;
    sort->held = held_slices(context);
    sort->count_tiles = count_tiles(&context->limits, sort->held, tile.threads);
    if (store_bytes(sort, tile) > context->limits.local_memory) return MCL_OK;
    if (count_bytes(sort->held) > context->limits.launch_memory) return MCL_OK;
    const int64_t shares = mcl__divide_up((int64_t)RANGE_SLICES << range_bits, sort->held);
    if (shares > shares_allowed(sort)) return MCL_OK;
    if (!choose_samples(call, count, tile.threads)) return MCL_OK;
    if (values) mcl__bucket_pairs_choose(queue, options, keys, values, range_bits, &sort->pairs);
    if (values && sort->pairs.tile.threads == 1) return MCL_OK;
    call->scalars[FLIP] = finish->scalars[FLIP] = sort->wide.scalars[FLIP] = flip;
    call->scalars[RANGE_BITS] = range_bits;
    call->scalars[SHARES] = shares;
    call->scalars[TOTAL] = count;
    call->scalars[IN_PLACE] = in_place;
    call->scalars[LIST_SIZE] = finish->scalars[LIST_SIZE] =
        ((int64_t)RANGE_SLICES << range_bits) + count / bucket_most(finish_tile) + 1;
    sort->wide.scalars[FIRST_WIDE] = (int64_t)RANGE_SLICES << range_bits;
    sort->range_bits = range_bits;
    MCL__TRY(get_programs(sort, tile, finish_tile, order));
    need_scratch(sort);
    return MCL_OK;
}

/* Cuts COUNTS into its arrays, and gives the programs that sort buckets those that they need too. */
static void share_scratch(mcl__buckets *sort)
{
    mcl__call *const call = &sort->call;
    const size_t ranges_bytes = (size_t)sort->ranges_most * sizeof(uint32_t);
    mcl__span span = call->scratch[COUNTS].span;
    mcl__call_scratch_at(call, HEAD, span);
    span.offset += BUCKET_HEAD_BYTES;
    mcl__call_scratch_at(call, RANGES, span);
    span.offset += ranges_bytes;
    mcl__call_scratch_at(call, RESERVED, span);
    span.offset += ranges_bytes;
    mcl__call_scratch_at(call, SLICES, span);
    for (int k = 0; k < 2; ++k) {
        mcl__call *const finish = k ? &sort->wide : &sort->finish;
        mcl__call_scratch_at(finish, FINISH_HEAD, call->scratch[HEAD].span);
        mcl__call_scratch_at(finish, FINISH_MAP, call->scratch[MAP].span);
        mcl__call_scratch_at(finish, FINISH_LIST, call->scratch[BUCKET_LIST].span);
    }
}

/* Launches the two passes that move keys, first to ranges, then to buckets. */
static mcl_status launch_moves(mcl__buckets *sort, mcl__bucket_arrays keys, mcl__bucket_arrays values)
{
    mcl__call *const call = &sort->call;
    if (sort->has_values) {
        mcl__bucket_shared shared = { call->scratch[HEAD].span,    call->scratch[MAP].span,
                                      call->scratch[RANGES].span,  call->scratch[SLICE_BUCKETS].span,
                                      call->scratch[CURSORS].span, call->scratch[SLICES].span };
        shared.words.offset += (sizeof(uint32_t) << SLICE_BITS) << sort->range_bits;
        return mcl__bucket_pairs_launch(&sort->pairs, &shared, keys, values);
    }
    const int64_t tiles = mcl__call_tiles(call, call->operands[KEYS].input->count);
    const int64_t most =
        mcl__tuned_groups(call->queue->context, MCL__PARAMETER_bucket_sort_resident, mcl__call_tile(call).threads);
    const int64_t groups = most < tiles ? most : tiles;
    MCL__TRY(mcl__call_launch_with_memory(call, PART, groups, sort->move_bytes));
    return mcl__call_launch_with_memory(call, GATHER, groups, sort->move_bytes);
}

/* Launches as many groups as sort up to buckets buckets. */
static mcl_status launch_finish(const mcl__buckets *sort, mcl__call *finish, int pass, int64_t buckets, int64_t bytes)
{
    const int64_t groups =
        GROUP_TURNS * mcl__tuned_groups(finish->queue->context, finish_resident(sort), mcl__call_tile(finish).threads);
    return mcl__call_launch_with_memory(finish, pass, groups < buckets ? groups : buckets, bytes);
}

mcl_status mcl__buckets_launch(mcl__buckets *sort, mcl__bucket_arrays keys, mcl__bucket_arrays values,
                               mcl__span *unsorted)
{
    mcl__call *const call = &sort->call, *const finish = &sort->finish;
    const mcl_context *const context = call->queue->context;
    const int64_t tiles = mcl__call_tiles(call, call->operands[KEYS].input->count);
    /* The number of ranges, and the most buckets. */
    const int64_t ranges = (int64_t)1 << sort->range_bits, buckets = ranges * RANGE_SLICES;
    /* A group's counters may use all memory of a compute unit. */
    const int64_t units = (int64_t)context->limits.compute_units;
    const int64_t counting = units < tiles ? units : tiles;
    mcl__call_take(call);
    share_scratch(sort);
    mcl__call_put(call, OUT, keys.home);
    mcl__call_put(call, SPARE, keys.spare);
    mcl__call_put(finish, OUT, keys.home);
    mcl__call_put(&sort->wide, OUT, keys.home);
    mcl__call_put(finish, SPARE, keys.spare);
    mcl__call_put(finish, OUT_VALUES, values.home);
    mcl__call_put(finish, SPARE_VALUES, values.spare);
    *unsorted = call->scratch[HEAD].span;
    MCL__TRY(mcl__call_launch(call, SAMPLE, call->scalars[SAMPLE_GROUPS]));
    MCL__TRY(mcl__call_launch(call, MAP_KEYS, 1));
    MCL__TRY(mcl__call_launch_with_memory(call, COUNT, counting * call->scalars[SHARES], count_bytes(sort->held)));
    MCL__TRY(mcl__call_launch(call, PLAN, ranges));
    MCL__TRY(launch_moves(sort, keys, values));
    MCL__TRY(launch_finish(sort, finish, FINISH, buckets, sort->finish_bytes));
    if (sort->wide_bytes > 0) MCL__TRY(launch_finish(sort, &sort->wide, WIDE, buckets, sort->wide_bytes));
    return mcl__call_launch_with_memory(finish, CROWDS, CROWD_GROUPS * (int64_t)context->limits.compute_units,
                                        sort->crowd_bytes);
}
