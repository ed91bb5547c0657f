/* bucket_pairs.c: moves keys with their values to ranges, then to buckets. It is a part of a sort by buckets
 * (bucket_sort.c). Kernels: bucket_pairs.cl. All groups take the same number of tiles, by tickets. Tiles look back at
 * earlier tiles, so that equal keys keep their order. */
#include "call/rank.h"
#include "facts/bucket_sort.h"
#include "facts/digits.h"
#include "operations/sort/sort_operands.h"

enum { KEYS = 1, OUT, VALUES, OUT_VALUES, SPARE, SPARE_VALUES }; /* operands; outputs only give types */
enum { PART, GATHER };
enum { FLIP, RANGE_BITS, TURNS };                                    /* scalars */
enum { HEAD, MAP, RANGES, SLICE_BUCKETS, CURSORS, STATES, TICKETS }; /* scratch of the whole sort by buckets */

#define MOVE_ARGUMENTS                                                                                                 \
    OPERAND(KEYS), OPERAND(OUT), OPERAND(VALUES), OPERAND(OUT_VALUES), AS_LONG(FLIP), AS_INT(RANGE_BITS),              \
        AS_INT(TURNS), SCRATCH(HEAD), SCRATCH(MAP), SCRATCH(RANGES), SCRATCH(SLICE_BUCKETS), SCRATCH(STATES),          \
        SCRATCH(TICKETS)

static const mcl__declaration pair_passes = {
    .file = "kernels/sort/bucket_pairs.cl",
    .operands =
        (mcl__operands){
            [KEYS] = { "keys", .kind = MCL__INPUT },
            [OUT] = { "out", .kind = MCL__ARRAY },
            [VALUES] = { "values", .kind = MCL__INPUT },
            [OUT_VALUES] = { "out_values", .kind = MCL__ARRAY },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
            [SPARE_VALUES] = { "spare_values", .kind = MCL__ARRAY },
        },
    .scratch = { [HEAD] = { "head", "bucket_head" },
                 [MAP] = { "map", "quantile_map" },
                 [RANGES] = { "ranges", "uint" },
                 [SLICE_BUCKETS] = { "buckets", "uint16_t" },
                 [CURSORS] = { "cursors", "uint" },
                 [STATES] = { "states", "state_word" },
                 [TICKETS] = { "tickets", "uint" } },
    .scalars = { [FLIP] = "image_flip", [RANGE_BITS] = "range_bits", [TURNS] = "turns" },
    .passes =
        (mcl__passes){
            [PART] = { "bucket_part_pairs", .arguments = { MOVE_ARGUMENTS, OPERAND(SPARE), OPERAND(SPARE_VALUES) } },
            [GATHER] = { "bucket_gather_pairs", .arguments = { MOVE_ARGUMENTS, SCRATCH(CURSORS) } },
        },
};

enum {
    PARTS = 256, /* the most ranges, or buckets of a range, to which a pass moves keys */
    PASSES = 2
};

static void give_operands(mcl__call *call, mcl_input *keys, mcl_input *values, const mcl__radix_stream *arrays)
{
    call->operands[KEYS].input = keys;
    call->operands[VALUES].input = values;
    call->operands[OUT].scratch = call->operands[SPARE].scratch = arrays->array.type;
    call->operands[OUT_VALUES].scratch = call->operands[SPARE_VALUES].scratch = values->type;
}

void mcl__bucket_pairs_choose(mcl_queue *queue, const mcl_options *options, mcl__radix_stream *keys,
                              mcl__radix_stream *values, int range_bits, mcl__bucket_pairs *pairs)
{
    const mcl_context *const context = queue->context;
    const size_t key = keys->array.type->size, value = values->array.type->size, wider = key > value ? key : value;
    mcl__tile_need need = {
        .element_bytes = wider,
        .local_bytes_per_item = wider + 1,
        .local_bytes_fixed = 4 * (2 * RANGES_USUAL + 1) + QUANTILE_HELD_BYTES + 2 * RANGE_SLICES + STORE_PADDING,
        .at_launch = 1,
    };
    mcl__call_init(&pairs->part, &pair_passes, NULL, queue, options);
    mcl__call_init(&pairs->gather, &pair_passes, NULL, queue, options);
    give_operands(&pairs->part, &keys->in, &values->in, keys);
    give_operands(&pairs->gather, &keys->array, &values->array, keys);
    mcl__digits_need(&need, PARTS, PARTS, sizeof(int32_t));
    pairs->tile = mcl__call_choose_tile(&pairs->part, MCL__OPERATION_bucket_pairs, need);
    pairs->move_bytes = pairs->gather.spec.local_bytes = pairs->part.spec.local_bytes;
    const int64_t most = mcl__tuned_groups(context, MCL__PARAMETER_bucket_pairs_resident, pairs->tile.threads);
    const int64_t tiles =
        mcl__divide_up(keys->in.count, (int64_t)pairs->tile.threads * pairs->tile.items) + ((int64_t)1 << range_bits);
    pairs->groups = most < tiles ? most : tiles;
    pairs->turns = mcl__divide_up(tiles, pairs->groups);
}

/* Returns the number of words for the states of one pass. */
static size_t state_words(const mcl__bucket_pairs *pairs)
{
    return (size_t)(pairs->groups * pairs->turns) * PARTS;
}

size_t mcl__bucket_pairs_words(const mcl__bucket_pairs *pairs)
{
    return PASSES * (1 + state_words(pairs)); /* 1 + for the pass's ticket counter */
}

static mcl_status get_program(mcl__bucket_pairs *pairs, mcl__call *call, int order, int varies)
{
    const mcl_context *const context = call->queue->context;
    mcl__call_define(call, "KEY_BITS", 8 * (int)call->operands[OUT].scratch->size);
    mcl__call_define(call, "KEY_ORDER", order);
    mcl__call_define(call, "KEYS_VARY", varies);
    mcl__call_define(call, "KEEPS_ORDER", 1);
    mcl__call_define(call, "STATE_BITS", 32);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(context, MCL__PARAMETER_bucket_pairs_resident));
    mcl__call_define(call, "MOVE_BYTES", (int)pairs->move_bytes);
    return mcl__call_program(call, pairs->tile, 32);
}

mcl_status mcl__bucket_pairs_plan(mcl__bucket_pairs *pairs, int order, int64_t flip, int range_bits)
{
    mcl__call *const both[] = { &pairs->part, &pairs->gather };
    const int varies = pairs->part.operands[KEYS].input->expression != NULL;
    for (int pass = PART; pass <= GATHER; ++pass) {
        mcl__call *const call = both[pass];
        call->scalars[FLIP] = flip;
        call->scalars[RANGE_BITS] = range_bits;
        call->scalars[TURNS] = pairs->turns;
        MCL__TRY(get_program(pairs, call, order, varies));
    }
    return MCL_OK;
}

/* Gives a pass its arrays of scratch. */
static void give_scratch(const mcl__bucket_pairs *pairs, mcl__call *call, int pass, const mcl__bucket_shared *shared)
{
    mcl__span states = shared->words, tickets = shared->words;
    states.offset += (size_t)pass * state_words(pairs) * sizeof(uint32_t);
    tickets.offset += (PASSES * state_words(pairs) + (size_t)pass) * sizeof(uint32_t);
    mcl__call_scratch_at(call, HEAD, shared->head);
    mcl__call_scratch_at(call, MAP, shared->map);
    mcl__call_scratch_at(call, RANGES, shared->ranges);
    mcl__call_scratch_at(call, SLICE_BUCKETS, shared->buckets);
    mcl__call_scratch_at(call, CURSORS, shared->cursors);
    mcl__call_scratch_at(call, STATES, states);
    mcl__call_scratch_at(call, TICKETS, tickets);
}

mcl_status mcl__bucket_pairs_launch(mcl__bucket_pairs *pairs, const mcl__bucket_shared *shared, mcl__bucket_arrays keys,
                                    mcl__bucket_arrays values)
{
    mcl__call *const part = &pairs->part, *const gather = &pairs->gather;
    give_scratch(pairs, part, PART, shared);
    give_scratch(pairs, gather, GATHER, shared);
    mcl__call_put(part, OUT, keys.home);
    mcl__call_put(part, OUT_VALUES, values.home);
    mcl__call_put(part, SPARE, keys.spare);
    mcl__call_put(part, SPARE_VALUES, values.spare);
    mcl__call_put(gather, KEYS, keys.spare);
    mcl__call_put(gather, VALUES, values.spare);
    mcl__call_put(gather, OUT, keys.home);
    mcl__call_put(gather, OUT_VALUES, values.home);
    MCL__TRY(mcl__call_launch_with_memory(part, PART, pairs->groups, pairs->move_bytes));
    return mcl__call_launch_with_memory(gather, GATHER, pairs->groups, pairs->move_bytes);
}
