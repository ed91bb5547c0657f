/* bucket_sort.c: sorts many keys by buckets, as a part of radix sort under the group mapping. Kernels: bucket_sort.cl.
 * A sample gives a map from keys to quantiles. By it keys are parted into ranges, then each range into buckets that a
 * group sorts in its memory: two moves, whatever the width of a key is. The device finds out whether that serves. Where
 * it does not, the usual passes sort, and do nothing else. */
#include "facts/bucket_sort.h"
#include "facts/digits.h"
#include "operations/sort/sort_operands.h"

enum { KEYS = 1, OUT, SPARE }; /* operands; of arrays only the types are known */
enum { SAMPLE, MAP_KEYS, COUNT_RANGES, PART, COUNT_SLICES, PLAN, GATHER, FINISH, CROWDS };
enum { FLIP, SAMPLES, WORDS, RANGE_BITS, IN_PLACE, LIST_SIZE }; /* scalars */
/* Scratch: COUNTS has the next four, which start from zero. */
enum { COUNTS, HEAD, RANGES, RESERVED, SLICES, MAP, SLICE_BUCKETS, CURSORS, BUCKET_LIST };

#define MAP_ARGUMENTS AS_LONG(FLIP), AS_INT(RANGE_BITS), SCRATCH(HEAD), SCRATCH(MAP)

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
                 [SLICE_BUCKETS] = { "buckets", "uint8_t" },
                 [CURSORS] = { "cursors", "uint" },
                 [BUCKET_LIST] = { "list", "bucket_record" } },
    .scalars = { [FLIP] = "image_flip",
                 [SAMPLES] = "samples",
                 [WORDS] = "words",
                 [RANGE_BITS] = "range_bits",
                 [IN_PLACE] = "in_place",
                 [LIST_SIZE] = "list_size" },
    .passes =
        (mcl__passes){
            [SAMPLE] = { "bucket_sample", .arguments = { OPERAND(KEYS), OPERAND(SPARE), AS_INT(SAMPLES),
                                                         SCRATCH(COUNTS), AS_LONG(WORDS) } },
            [MAP_KEYS] = { "bucket_map", .arguments = { OPERAND(SPARE), AS_INT(SAMPLES), MAP_ARGUMENTS } },
            [COUNT_RANGES] = { "bucket_ranges", .arguments = { OPERAND(KEYS), MAP_ARGUMENTS, SCRATCH(RANGES) } },
            [PART] = { "bucket_part", .arguments = { OPERAND(KEYS), OPERAND(OUT), OPERAND(SPARE), MAP_ARGUMENTS,
                                                     SCRATCH(RANGES), SCRATCH(RESERVED), AS_INT(IN_PLACE) } },
            [COUNT_SLICES] = { "bucket_slices",
                               .arguments = { OPERAND(SPARE), MAP_ARGUMENTS, SCRATCH(RANGES), SCRATCH(SLICES) } },
            [PLAN] = { "bucket_plan",
                       .arguments = { MAP_ARGUMENTS, SCRATCH(RANGES), SCRATCH(SLICES), SCRATCH(SLICE_BUCKETS),
                                      SCRATCH(CURSORS), SCRATCH(BUCKET_LIST), AS_INT(LIST_SIZE) } },
            [GATHER] = { "bucket_gather", .arguments = { OPERAND(OUT), OPERAND(SPARE), MAP_ARGUMENTS, SCRATCH(RANGES),
                                                         SCRATCH(SLICE_BUCKETS), SCRATCH(CURSORS) } },
            [FINISH] = { "bucket_finish", .arguments = { OPERAND(OUT), MAP_ARGUMENTS, SCRATCH(BUCKET_LIST) } },
            [CROWDS] = { "bucket_crowds",
                         .arguments = { OPERAND(OUT), MAP_ARGUMENTS, SCRATCH(BUCKET_LIST), AS_INT(LIST_SIZE) } },
        },
};

enum {
    KEY_BYTES_LEAST = 4,    /* shorter keys take few passes */
    FINISH_KEYS = 3072,     /* of a bucket, about */
    FINISH_ITEMS_LEAST = 4, /* a work-item */
    FINISH_ITEMS_MOST = 12,
    SAMPLES_MOST = 1 << 15,
    KEYS_A_SAMPLE = 128,      /* the samples lie in the spare array before keys do */
    RANGE_BUCKETS_GOAL = 200, /* of a range, since ranges differ */
    CROWD_GROUPS = 4          /* a unit */
};

static int finish_items(mcl__tile tile)
{
    const int items = FINISH_KEYS / tile.threads;
    return items < FINISH_ITEMS_LEAST ? FINISH_ITEMS_LEAST : items > FINISH_ITEMS_MOST ? FINISH_ITEMS_MOST : items;
}

/* Returns the work-group memory of a group's largest store. */
static int64_t store_bytes(const mcl__buckets *sort, mcl__tile tile)
{
    const int64_t key = (int64_t)sort->call.operands[OUT].scratch->size, threads = tile.threads;
    const int64_t image = key > 4 ? 8 : 4, sums = 4 * (threads + 32) + STORE_PADDING;
    const int64_t map =
        (1 + QUANTILE_NODES) * (QUANTILE_NODE_BYTES + 4) + 5 * QUANTILE_MAP_ENTRIES + threads * (2 * image + 4) + sums;
    const int64_t finish = BUCKET_KEYS(threads, finish_items(tile)) * (key + 4) + sums;
    const int64_t count = 4 * ((1 << SLICE_BITS) + QUANTILE_ROOT_ENTRIES + 2 * RANGES_MOST) + sums;
    const int64_t plan = 4 * (2 * RANGE_BUCKETS + 2 * RANGES_MOST) + sums;
    const int64_t most = map > finish ? map : finish, other = count > plan ? count : plan;
    return most > other ? most : other;
}

/* Returns the tile that moves keys: it has their staged bits, and what tells their parts. */
static mcl__tile choose_tile(mcl__buckets *sort)
{
    const size_t key = sort->call.operands[OUT].scratch->size;
    const mcl__tile_need need = {
        .element_bytes = key,
        .local_bytes_per_item = key,
        .local_bytes_fixed = 4 * (4 * RANGES_MOST + QUANTILE_ROOT_ENTRIES + 33) + (1 << SLICE_BITS) + STORE_PADDING,
        .lone_bytes_per_thread = 4,
    };
    return mcl__call_choose_tile(&sort->call, MCL__OPERATION_bucket_sort, need);
}

/* Chooses about as many ranges as a range gets buckets. 0: there are too many keys. */
static int choose_ranges(int64_t count, int64_t goal)
{
    int bits = 1;
    while ((goal << (2 * bits)) < count && 1 << bits < RANGES_MOST) ++bits;
    return count >> bits <= goal * RANGE_BUCKETS_GOAL ? bits : 0;
}

static void need_scratch(mcl__buckets *sort)
{
    mcl__call *const call = &sort->call;
    const size_t ranges = (size_t)1 << sort->range_bits, list = (size_t)call->scalars[LIST_SIZE];
    const size_t words = BUCKET_HEAD_BYTES / 4 + 2 * RANGES_MOST + (ranges << SLICE_BITS);
    mcl__call_scratch(call, COUNTS, words * sizeof(uint32_t));
    mcl__call_scratch(call, MAP, QUANTILE_MAP_BYTES);
    mcl__call_scratch(call, SLICE_BUCKETS, ranges << SLICE_BITS);
    mcl__call_scratch(call, CURSORS, ranges * RANGE_BUCKETS * sizeof(uint32_t));
    mcl__call_scratch(call, BUCKET_LIST, list * BUCKET_RECORD_BYTES);
    call->scalars[WORDS] = (int64_t)words;
}

static mcl_status get_program(mcl__buckets *sort, mcl__tile tile, int order)
{
    mcl__call *const call = &sort->call;
    const mcl_context *const context = call->queue->context;
    mcl__call_define(call, "KEY_BITS", 8 * (int)call->operands[OUT].scratch->size);
    mcl__call_define(call, "KEY_ORDER", order);
    mcl__call_define(call, "KEYS_VARY", call->operands[KEYS].input->expression != NULL);
    mcl__call_define(call, "FINISH_ITEMS", finish_items(tile));
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(context, MCL__PARAMETER_bucket_sort_resident));
    mcl__call_define(call, "FINISH_RESIDENT", (int)mcl__tuned(context, MCL__PARAMETER_bucket_sort_finish_resident));
    mcl__call_takes_local(call, store_bytes(sort, tile));
    return mcl__call_program(call, tile, 32);
}

mcl_status mcl__buckets_plan(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys, int order,
                             int64_t flip, int in_place, mcl__buckets *sort)
{
    mcl__call *const call = &sort->call;
    const mcl_context *const context = queue->context;
    const int64_t count = keys->in.count;
    sort->range_bits = 0;
    if (count < mcl__tuned(context, MCL__PARAMETER_bucket_sort_keys) || keys->array.type->size < KEY_BYTES_LEAST)
        return MCL_OK;
    if (context->limits.loop_budget > 0) return MCL_OK; /* llvmpipe: Mesa 22.3 makes wrong code of some programs */
    mcl__call_init(call, &bucket_passes, NULL, queue, options);
    call->operands[KEYS].input = &keys->in;
    call->operands[OUT].scratch = call->operands[SPARE].scratch = keys->array.type;
    const mcl__tile tile = choose_tile(sort);
    if (tile.threads == 1 || store_bytes(sort, tile) > context->limits.local_memory) return MCL_OK;
    const int64_t most = BUCKET_KEYS(tile.threads, finish_items(tile));
    const int range_bits = choose_ranges(count, BUCKET_GOAL(tile.threads, finish_items(tile)));
    const int64_t batch = (int64_t)SAMPLE_BATCH * tile.threads;
    const int64_t wanted = count / KEYS_A_SAMPLE < SAMPLES_MOST ? count / KEYS_A_SAMPLE : SAMPLES_MOST;
    const int64_t samples = mcl__divide_up(wanted, batch) * batch;
    if (range_bits == 0 || samples == 0 || 2 * samples > count) return MCL_OK;
    call->scalars[FLIP] = flip;
    call->scalars[SAMPLES] = samples;
    call->scalars[RANGE_BITS] = range_bits;
    call->scalars[IN_PLACE] = in_place;
    call->scalars[LIST_SIZE] = ((int64_t)RANGE_BUCKETS << range_bits) + count / most + 1;
    sort->range_bits = range_bits;
    MCL__TRY(get_program(sort, tile, order));
    need_scratch(sort);
    return MCL_OK;
}

/* Gives out the parts of COUNTS. */
static void share_scratch(mcl__buckets *sort)
{
    mcl__call *const call = &sort->call;
    mcl__span span = call->scratch[COUNTS].span;
    mcl__call_scratch_at(call, HEAD, span);
    span.offset += BUCKET_HEAD_BYTES;
    mcl__call_scratch_at(call, RANGES, span);
    span.offset += RANGES_MOST * sizeof(uint32_t);
    mcl__call_scratch_at(call, RESERVED, span);
    span.offset += RANGES_MOST * sizeof(uint32_t);
    mcl__call_scratch_at(call, SLICES, span);
}

mcl_status mcl__buckets_launch(mcl__buckets *sort, mcl__span out, mcl__span spare, mcl__span *unsorted)
{
    mcl__call *const call = &sort->call;
    const mcl_context *const context = call->queue->context;
    const int64_t count = call->operands[KEYS].input->count;
    const int threads = mcl__call_tile(call).threads;
    const int64_t counting = mcl__tuned_groups(context, MCL__PARAMETER_radix_sort_count_work_items, threads);
    const int64_t moving = mcl__tuned_groups(context, MCL__PARAMETER_bucket_sort_resident, threads);
    const int64_t tiles = mcl__call_tiles(call, count), ranges = (int64_t)1 << sort->range_bits;
    const int64_t goal = BUCKET_GOAL(threads, finish_items(mcl__call_tile(call)));
    mcl__call_take(call);
    share_scratch(sort);
    mcl__call_put(call, OUT, out);
    mcl__call_put(call, SPARE, spare);
    *unsorted = call->scratch[HEAD].span;
    MCL__TRY(mcl__call_launch_items(call, SAMPLE, call->scalars[SAMPLES]));
    MCL__TRY(mcl__call_launch(call, MAP_KEYS, 1));
    MCL__TRY(mcl__call_launch(call, COUNT_RANGES, counting < tiles ? counting : tiles));
    MCL__TRY(mcl__call_launch(call, PART, moving < tiles ? moving : tiles));
    MCL__TRY(mcl__call_launch(call, COUNT_SLICES, counting < tiles ? counting : tiles));
    MCL__TRY(mcl__call_launch(call, PLAN, ranges));
    MCL__TRY(mcl__call_launch(call, GATHER, moving < tiles ? moving : tiles));
    MCL__TRY(mcl__call_launch(call, FINISH, mcl__divide_up(count, goal) + ranges));
    return mcl__call_launch(call, CROWDS, CROWD_GROUPS * (int64_t)context->limits.compute_units);
}
