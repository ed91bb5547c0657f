/* radix_sort.c: stable radix sort of built-in keys, from the least significant digit on. Kernels: radix_sort.cl.
 *
 * Keys are moved as their stored bits, in unsigned integers. Each pass moves the keys from one array into another, in
 * the order of one digit of their images (radix_digit.clh). The number of passes decides where the first pass stores,
 * so that the last pass ends in the array of the result. A sort in place has an even number of passes, since its first
 * pass must not overwrite its input. If groups may wait for each other, one launch counts all digits, and each pass is
 * one launch. Passes by digits that all keys share then do nothing: the count finds the bits in which keys differ.
 * Otherwise each pass is three launches: count, scan of the counts, move.
 *
 * Processors sort many keys by buckets. One pass moves keys by their top digit, and each bucket is sorted in the caches
 * of one core. The device finds out whether a bucket has too many keys. If one has, the usual passes sort instead. Wide
 * values stay where they are while their indices are moved. A gather fetches the values once, at the end. */
#include "call/rank.h"
#include "facts/radix_sort.h"
#include "operations/sort/sort_operands.h"

#include "moderncl/sort.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 1, OUT, VALUES, OUT_VALUES, SPARE, SPARE_VALUES };    /* operands; outputs only give types */
enum { CLEAR, COUNT, SWEEP, PARTS, SPINE, SCATTER, PLAN, BUCKETS }; /* passes; look-back uses the first three */
enum {                                                              /* scalars */
       FIRST_BIT,
       WINDOW_BITS,
       PASSES,
       FLIP,
       PASS,
       WORD_COUNT,
       NEXT_WORDS,
       PART_COUNT,
       ROW_LENGTH,
       ROW_TILES,
       ROW_PARTS,
       SHARES,
       TURN,
       IN_PLACE
};
/* Scratch. One launch clears WORDS, which contains the states of the first pass, bases and tickets. */
enum { WORDS, BASES, TICKETS, STATE, NEXT_STATE, TABLE, TOTALS, BUCKET_PLAN, OTHERS };
enum { KEYS_HOME = OTHERS, KEYS_SPARE, VALUES_HOME, VALUES_SPARE, STAGING };

#define OPERAND_ARGUMENTS OPERAND(KEYS), OPERAND(OUT), OPERAND(VALUES), OPERAND(OUT_VALUES)
#define TURN_ARGUMENTS SCRATCH(BUCKET_PLAN), AS_INT(TURN)
#define DIGIT_ARGUMENTS AS_INT(FIRST_BIT), AS_INT(WINDOW_BITS), AS_INT(PASSES), AS_LONG(FLIP)

static const mcl__declaration radix_passes = {
    .file = "kernels/sort/radix_sort.cl",
    .operands =
        (mcl__operands){
            [KEYS] = { "keys", .kind = MCL__INPUT },
            [OUT] = { "out", .kind = MCL__ARRAY },
            [VALUES] = { "values", .kind = MCL__INPUT },
            [OUT_VALUES] = { "out_values", .kind = MCL__ARRAY },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
            [SPARE_VALUES] = { "spare_values", .kind = MCL__ARRAY },
        },
    .scratch = { [WORDS] = { "words", "uint" },
                 [BASES] = { "bases", "uint" },
                 [TICKETS] = { "tickets", "uint" },
                 [STATE] = { "state", "state_word" },
                 [NEXT_STATE] = { "next_state", "state_word" },
                 [TABLE] = { "table", "index_type" },
                 [TOTALS] = { "totals", "index_type" },
                 [BUCKET_PLAN] = { "plan", "bucket_plan" } },
    .scalars = { [FIRST_BIT] = "first_bit",
                 [WINDOW_BITS] = "window_bits",
                 [PASSES] = "passes",
                 [FLIP] = "image_flip",
                 [PASS] = "pass",
                 [WORD_COUNT] = "count",
                 [NEXT_WORDS] = "next_words",
                 [PART_COUNT] = "parts",
                 [ROW_LENGTH] = "row_length",
                 [ROW_TILES] = "row_tiles",
                 [ROW_PARTS] = "row_parts",
                 [SHARES] = "shares",
                 [TURN] = "turn",
                 [IN_PLACE] = "in_place" },
    .passes =
        (mcl__passes){
            [CLEAR] = { "radix_clear", .arguments = { SCRATCH(WORDS), AS_LONG(WORD_COUNT), SCRATCH(BUCKET_PLAN) } },
            [COUNT] = { "radix_count",
                        .arguments = { OPERAND(KEYS), DIGIT_ARGUMENTS, SCRATCH(BASES), SCRATCH(TICKETS),
                                       AS_INDEX(ROW_LENGTH), AS_INDEX(ROW_PARTS), SCRATCH(BUCKET_PLAN) } },
            [SWEEP] = { "radix_sweep",
                        .arguments = { OPERAND_ARGUMENTS, OPERAND(SPARE), OPERAND(SPARE_VALUES), DIGIT_ARGUMENTS,
                                       AS_INT(PASS), AS_INT(IN_PLACE), SCRATCH(BASES), SCRATCH(TICKETS), SCRATCH(STATE),
                                       SCRATCH(NEXT_STATE), AS_LONG(NEXT_WORDS), AS_INDEX(ROW_LENGTH),
                                       AS_INDEX(ROW_TILES), SCRATCH(BUCKET_PLAN) } },
            [PARTS] = { "radix_parts", .arguments = { OPERAND(KEYS), DIGIT_ARGUMENTS, AS_INT(PASS), SCRATCH(TABLE),
                                                      SCRATCH(TOTALS), TURN_ARGUMENTS } },
            [SPINE] = { "radix_spine",
                        .arguments = { SCRATCH(TABLE), SCRATCH(TOTALS), AS_INDEX(PART_COUNT), TURN_ARGUMENTS } },
            [SCATTER] = { "radix_scatter", .arguments = { OPERAND_ARGUMENTS, DIGIT_ARGUMENTS, AS_INT(PASS),
                                                          SCRATCH(TABLE), SCRATCH(TOTALS), TURN_ARGUMENTS } },
            [PLAN] = { "radix_plan",
                       .arguments = { OPERAND(KEYS), DIGIT_ARGUMENTS, SCRATCH(BUCKET_PLAN), AS_INT(SHARES) } },
            [BUCKETS] = { "radix_buckets",
                          .arguments = { OPERAND(OUT), OPERAND(SPARE), OPERAND(OUT_VALUES), OPERAND(SPARE_VALUES),
                                         DIGIT_ARGUMENTS, SCRATCH(TOTALS), TURN_ARGUMENTS, AS_INT(IN_PLACE) } },
        },
};

enum {
    DIGIT_BITS = 8,
    SMALL_DIGIT_BITS = 4,    /* bits of a digit where each work-item has its own counters */
    LARGE_DIGIT_BITS = 11,   /* bits in a sort by buckets: counters fit a core's first cache, and passes are few */
    BUCKET_WINDOW_BITS = 16, /* the least bits of keys to sort: with fewer, buckets gain nothing */
    BUCKET_GROUPS = 32,      /* groups per compute unit: many, since buckets differ in length */
    BUCKET_PARTS = 4,        /* parts whose keys an even bucket has at most: other units sort the rest meanwhile */
    CLEARED_A_THREAD = 4
};
/* The count from which states have 64 bits. */
static const int64_t short_words = (int64_t)1 << (32 - STATE_STATUS_BITS);

int mcl__radix_sort_applies(const mcl__sort_operands *given)
{
    return given->keys.type->kind != MCL_KIND_STRUCT &&
           (mcl__same_op(given->before, MCL_LESS) || mcl__same_op(given->before, MCL_GREATER));
}

/* ---- what is sorted ------------------------------------------------------------------------------------------ */

static const mcl_type *stored_type(const mcl_type *type)
{
    static const mcl_type *const by_size[] = { [1] = MCL_UINT8, [2] = MCL_UINT16, [4] = MCL_UINT32, [8] = MCL_UINT64 };
    return type->kind == MCL_KIND_STRUCT ? type : by_size[type->size];
}

/* Makes the two inputs of a stream: in for the first pass, array for the other passes. Arrays are read as their stored
 * bits. Both inputs have the count of the keys. Inputs are passed by pointer, since each has more than 1 KiB. */
static void store_stream(const mcl__radix *sort, const mcl_input *input, mcl__radix_stream *stream)
{
    stream->in = *input;
    if (!input->expression) stream->in.type = stored_type(input->type);
    mcl__adopt_count(&stream->in, &sort->given.keys);
    memset(&stream->array, 0, sizeof stream->array);
    stream->array.type = stored_type(input->type);
    mcl__adopt_count(&stream->array, &sort->given.keys);
}

static void choose_operands(mcl__radix *sort, int index_bits)
{
    const mcl__sort_operands *const given = &sort->given;
    const int64_t zero = 0;
    const mcl_type *const index = index_bits == 64 ? MCL_INT64 : MCL_INT32;
    store_stream(sort, &given->keys, &sort->keys);
    if (!given->has_values) return;
    sort->values_stay = (int64_t)given->values.type->size >
                        mcl__tuned(sort->first.queue->context, MCL__PARAMETER_sort_pairs_moved_bytes);
    if (!sort->values_stay) {
        store_stream(sort, &given->values, &sort->values);
        return;
    }
    const mcl_input indices = mcl_from_counting(index, &zero, given->keys.count);
    store_stream(sort, &indices, &sort->values);
    mcl__sort_gather(given, &given->values, &given->out_values, index, &sort->gather);
}

/* Gives operands to call, the program of the first pass or of the other passes. */
static void give_operands(mcl__radix *sort, mcl__call *call)
{
    const int is_first = call == &sort->first;
    call->operands[KEYS].input = is_first ? &sort->keys.in : &sort->keys.array;
    call->operands[OUT].scratch = sort->keys.array.type;
    const int has_spare = sort->by_buckets || sort->looks_back;
    if (has_spare) call->operands[SPARE].scratch = sort->keys.array.type;
    if (!sort->given.has_values) return;
    call->operands[VALUES].input = is_first ? &sort->values.in : &sort->values.array;
    call->operands[OUT_VALUES].scratch = call->operands[VALUES].input->type;
    if (has_spare) call->operands[SPARE_VALUES].scratch = call->operands[VALUES].input->type;
}

static void choose_window(mcl__radix *sort)
{
    const mcl_type *const type = sort->given.keys.type;
    const mcl_options *const options = sort->first.options;
    const int key_bits = 8 * (int)type->size;
    const uint64_t all = UINT64_MAX >> (64 - key_bits);
    const int is_float = type->kind == MCL_KIND_FLOAT, is_window = options && options->end_bit > 0;
    uint64_t flip = type->kind == MCL_KIND_SIGNED ? all - all / 2 : 0;
    if (mcl__same_op(sort->given.before, MCL_GREATER)) flip ^= all;
    sort->window_bits = is_window ? options->end_bit - options->first_bit : key_bits;
    sort->order = !is_float ? ORDER_OF_INTEGERS : sort->window_bits == key_bits ? ORDER_OF_FLOATS : ORDER_OF_FLOAT_BITS;
    sort->first.scalars[FIRST_BIT] = is_window ? options->first_bit : 0;
    sort->first.scalars[WINDOW_BITS] = sort->window_bits;
    sort->first.scalars[FLIP] = (int64_t)flip;
}

static int in_place(const mcl__radix *sort)
{
    const mcl__sort_operands *const given = &sort->given;
    if (!given->drops_keys && mcl__is_in_place(&given->keys, &given->out)) return 1;
    return given->has_values && !sort->values_stay && mcl__is_in_place(&given->values, &given->out_values);
}

/* Chooses the number of passes, once digit_bits is known. If the sorted bits are fewer than the passes, a pass without
 * bits only copies. */
static void choose_passes(mcl__radix *sort)
{
    sort->passes = (int)mcl__divide_up(sort->window_bits, sort->digit_bits);
    if (in_place(sort)) sort->passes += sort->passes % 2;
    sort->first.scalars[PASSES] = sort->passes;
}

/* Decides whether to sort by buckets. A bucket has all keys with the same top digit. */
static void choose_buckets(mcl__radix *sort, mcl__tile tile)
{
    const mcl_context *const context = sort->first.queue->context;
    const int64_t least = mcl__tuned(context, MCL__PARAMETER_radix_sort_bucket_keys_serial);
    if (tile.threads > 1 || context->limits.is_gpu || context->limits.loop_budget > 0) return;
    sort->by_buckets = sort->given.keys.count >= least && sort->window_bits >= BUCKET_WINDOW_BITS;
}

/* ---- the programs -------------------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static mcl__tile choose_tile(mcl__radix *sort, int index_bits)
{
    const int has_values = sort->given.has_values;
    const size_t small = (size_t)1 << SMALL_DIGIT_BITS;
    const size_t digits = (size_t)1 << DIGIT_BITS;
    const size_t key = sort->keys.array.type->size;
    const size_t value = !has_values ? 0 : larger(sort->values.array.type->size, sort->values.in.expression ? 4 : 0);
    mcl__tile_need need = { .element_bytes = larger(key, value), .local_bytes_per_item = larger(key, value) };
    mcl__digits_need(&need, digits, small, (size_t)index_bits / 8);
    return mcl__call_choose_tile(&sort->first, has_values ? MCL__OPERATION_radix_sort_pairs : MCL__OPERATION_radix_sort,
                                 need);
}

static int64_t row_count(const mcl__radix *sort)
{
    return sort->given.row_length ? mcl__divide_up(sort->given.keys.count, sort->given.row_length) : 1;
}

/* Returns the number of tiles for a launch of this call. No tile has keys of two rows. */
static int64_t tile_count(const mcl__radix *sort, const mcl__call *call)
{
    const int64_t length = sort->given.row_length;
    return row_count(sort) * mcl__call_tiles(call, length ? length : sort->given.keys.count);
}

/* Returns the number of parts in a pass without look-back. A part is a tile; in the serial mapping there are a few
 * parts per core. */
static int64_t count_parts(const mcl__radix *sort, const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_radix_sort_parts_serial);
    if (!mcl__call_is_serial(call)) return tile_count(sort, call);
    return mcl__fold_parts(&context->limits, mcl__call_tile(call), tile_count(sort, call), wanted, 2);
}

static mcl_status get_program(mcl__radix *sort, mcl__call *call, mcl__tile tile, int index_bits)
{
    /* With look-back, one reading of the keys counts the digits of every pass. */
    const int counts_expression = sort->keys.in.expression && (call == &sort->first || sort->looks_back);
    const int resident = (int)mcl__tuned(call->queue->context, MCL__PARAMETER_radix_sort_resident);
    give_operands(sort, call);
    mcl__call_define(call, "RADIX_LOOK_BACK", sort->looks_back);
    mcl__call_define(call, "DIGIT_BITS", sort->digit_bits);
    mcl__call_define(call, "KEY_BITS", 8 * (int)sort->keys.array.type->size);
    mcl__call_define(call, "KEY_ORDER", sort->order);
    mcl__call_define(call, "STATE_BITS", sort->state_bits);
    mcl__call_define(call, "KEYS_VARY", counts_expression);
    mcl__call_define(call, "SWEEP_TURNS", sort->takes_turns);
    mcl__call_define(call, "RESIDENT", resident);
    mcl__call_define(call, "HAS_ROWS", sort->given.row_length > 0);
    mcl__call_define(call, "RADIX_BUCKETS", sort->by_buckets || sort->buckets.range_bits > 0);
    MCL__TRY(mcl__call_program(call, tile, index_bits));
    call->scalars[PART_COUNT] = count_parts(sort, call);
    call->scalars[ROW_LENGTH] = sort->given.row_length;
    call->scalars[ROW_TILES] = tile_count(sort, call) / row_count(sort);
    return MCL_OK;
}

/* Returns the work-group memory of radix_count: counters for every digit of a key, and sums of work-items. */
static int64_t count_bytes(const mcl__radix *sort, mcl__tile tile, int index_bits)
{
    const int64_t key_bits = 8 * (int64_t)sort->keys.array.type->size;
    const int64_t counters = KEY_DIGIT_WORDS(key_bits, sort->digit_bits) * (int64_t)sizeof(uint32_t);
    const int64_t differ = DIFFER_WORDS * (int64_t)sizeof(uint32_t);
    return sort->looks_back ? counters + differ + (2 * (int64_t)tile.threads + 40) * index_bits / 8 : 0;
}

/* Plans a sort by buckets in the group mapping, if it applies. Such a sort always uses all bits of the keys. */
static mcl_status plan_group_buckets(mcl__radix *sort, mcl__tile tile, int index_bits)
{
    const mcl__call *const call = &sort->first;
    const int is_whole = sort->window_bits == 8 * (int)sort->keys.array.type->size;
    if (tile.threads == 1 || sort->given.row_length > 0 || !is_whole || index_bits > 32) return MCL_OK;
    if (sort->given.has_values && !sort->looks_back) return MCL_OK;
    return mcl__buckets_plan(call->queue, call->options, &sort->keys, sort->given.has_values ? &sort->values : NULL,
                             sort->order, call->scalars[FLIP], in_place(sort), &sort->buckets);
}

/* Chooses operands, tile, digits and passes, then finds the programs. */
static mcl_status plan_sort(mcl__radix *sort)
{
    mcl__call *const call = &sort->first;
    const mcl__limits *const limits = &call->queue->context->limits;
    const int64_t count = sort->given.keys.count;
    const int index_bits = mcl__index_bits(count, call->options);
    sort->state_bits = index_bits == 32 && count < short_words ? 32 : 64;
    choose_operands(sort, index_bits);
    choose_window(sort);
    mcl__tile tile = choose_tile(sort, index_bits);
    const int by_sub_groups = mcl__sub_groups_rank(limits, tile.threads);
    sort->looks_back = tile.threads > 1 && limits->look_back;
    MCL__TRY(plan_group_buckets(sort, tile, index_bits));
    sort->takes_turns = sort->looks_back && limits->is_gpu && !sort->given.row_length &&
                        (sort->given.keys.count_slot || sort->buckets.range_bits > 0);
    if (sort->takes_turns) tile.items -= tile.items / 16; /* the loop over a group's tiles needs a few registers */
    sort->digit_bits = tile.threads == 1 || by_sub_groups ? DIGIT_BITS : SMALL_DIGIT_BITS;
    choose_buckets(sort, tile);
    if (sort->by_buckets) sort->digit_bits = LARGE_DIGIT_BITS;
    choose_passes(sort);
    mcl__call_takes_local(call, count_bytes(sort, tile, index_bits));
    call->passes = sort->looks_back ? MCL__BIT(CLEAR) | MCL__BIT(COUNT) | MCL__BIT(SWEEP)
                                    : MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(SCATTER);
    if (sort->by_buckets) call->passes |= MCL__BIT(PLAN) | MCL__BIT(BUCKETS);
    if (!sort->by_buckets && sort->buckets.range_bits == 0) call->without |= MCL__BIT(BUCKET_PLAN);
    sort->later = *call;
    MCL__TRY(get_program(sort, call, tile, index_bits));
    MCL__TRY(get_program(sort, &sort->later, tile, index_bits));
    return sort->values_stay ? mcl__gather_plan(call->queue, call->options, &sort->gather) : MCL_OK;
}

/* ---- scratch ------------------------------------------------------------------------------------------------- */

static void need_scratch(mcl__radix *sort)
{
    mcl__call *const call = &sort->first;
    const mcl__sort_operands *const given = &sort->given;
    const size_t count = (size_t)given->keys.count, digits = (size_t)1 << sort->digit_bits;
    const size_t index = mcl__call_index_bytes(call, 1);
    const int by_ranges = sort->buckets.range_bits > 0;
    const int alternates = sort->passes > 1 || sort->by_buckets || by_ranges;
    mcl__sort_need_arrays(call, KEYS_HOME, KEYS_SPARE, count * sort->keys.array.type->size,
                          given->drops_keys ? NULL : &given->out, alternates);
    if (given->has_values)
        mcl__sort_need_arrays(call, VALUES_HOME, VALUES_SPARE, count * sort->values.array.type->size,
                              sort->values_stay ? NULL : &given->out_values, alternates);
    if (sort->values_stay) mcl__call_scratch(call, STAGING, mcl__gather_staging(&sort->gather));
    if (by_ranges) mcl__call_scratch_of_part(call, &sort->buckets.call);
    if (!sort->looks_back) {
        mcl__call_scratch(call, TABLE,
                          larger((size_t)call->scalars[PART_COUNT], (size_t)sort->later.scalars[PART_COUNT]) * digits *
                              index);
        mcl__call_scratch(call, TOTALS, digits * index);
        if (sort->by_buckets) mcl__call_scratch(call, BUCKET_PLAN, BUCKET_PLAN_BYTES);
        return;
    }
    const size_t states = larger((size_t)tile_count(sort, call), (size_t)tile_count(sort, &sort->later)) * digits;
    const size_t ticket_bytes = (2 * (size_t)sort->passes + DIFFER_WORDS) * sizeof(uint32_t); /* turns, too */
    sort->state_bytes = states * ((size_t)sort->state_bits / 8);
    sort->base_bytes = (size_t)row_count(sort) * (size_t)sort->passes * digits * index;
    mcl__call_scratch(call, WORDS, sort->state_bytes + sort->base_bytes + ticket_bytes);
    mcl__call_scratch(call, NEXT_STATE, sort->state_bytes);
    call->scalars[WORD_COUNT] = (int64_t)(call->scratch[WORDS].bytes / sizeof(uint32_t));
    call->scalars[NEXT_WORDS] = sort->later.scalars[NEXT_WORDS] = (int64_t)states;
}

/* Assigns the arrays inside WORDS their memory, and gives both programs the same scratch. Call it after the scratch is
 * taken. */
static void share_scratch(mcl__radix *sort)
{
    mcl__call *const call = &sort->first;
    mcl__span span = call->scratch[WORDS].span;
    sort->states[0] = span;
    sort->states[1] = call->scratch[NEXT_STATE].span;
    span.offset += sort->state_bytes;
    mcl__call_scratch_at(call, BASES, span);
    span.offset += sort->base_bytes;
    mcl__call_scratch_at(call, TICKETS, span);
    memcpy(sort->later.scratch, call->scratch, sizeof call->scratch);
}

/* ---- launches ------------------------------------------------------------------------------------------------ */

/* Returns the call that launches a pass, after setting its arrays. Passes store to HOME and SPARE in turn, so that the
 * last pass ends in HOME. Each pass after the first reads the array to which the previous pass stored. */
static mcl__call *run_of_pass(mcl__radix *sort, int pass)
{
    mcl__call *const call = pass == 0 ? &sort->first : &sort->later;
    const int side = (sort->passes - pass) % 2 == 0;
    call->scalars[PASS] = pass;
    mcl__call_put(call, OUT, call->scratch[KEYS_HOME + side].span);
    mcl__call_put(call, OUT_VALUES, call->scratch[VALUES_HOME + side].span);
    if (pass == 0) return call;
    mcl__call_put(call, KEYS, call->scratch[KEYS_SPARE - side].span);
    mcl__call_put(call, VALUES, call->scratch[VALUES_SPARE - side].span);
    return call;
}

/* Launches the count of all digits. Its groups fill the device only once, since the counts of all groups must be added.
 * Each row has at least one group. */
static mcl_status launch_count(const mcl__radix *sort, mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t groups =
        mcl__tuned_groups(context, MCL__PARAMETER_radix_sort_count_work_items, mcl__call_tile(call).threads);
    const int64_t rows = row_count(sort), a_row = mcl__divide_up(groups, rows), tiles = tile_count(sort, call) / rows;
    call->scalars[ROW_PARTS] = a_row < tiles ? a_row : tiles;
    MCL__TRY(mcl__call_launch_items(call, CLEAR, mcl__divide_up(call->scalars[WORD_COUNT], CLEARED_A_THREAD)));
    return mcl__call_launch(call, COUNT, rows * call->scalars[ROW_PARTS]);
}

/* Returns the number of groups of a sweep. It is one per tile, unless groups take several tiles in turn. Then it is
 * twice the number that the device runs at once, so that groups end at different times. More groups would cost time: a
 * group without a tile takes a microsecond, and with a count slot most groups may have no tile. */
static int64_t sweep_groups(const mcl__radix *sort, const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int threads = mcl__call_tile(call).threads;
    const int64_t a_unit = 2 * mcl__tuned(context, MCL__PARAMETER_radix_sort_resident) / threads;
    const int64_t groups = context->limits.compute_units * (a_unit > 2 ? a_unit : 2), tiles = tile_count(sort, call);
    return sort->takes_turns && groups < tiles ? groups : tiles;
}

/* Launches a pass with look-back. The device decides by which digit it moves keys, since digits that all keys share
 * need no pass. It may swap the arrays, so that the last launch that moves keys still ends in HOME. It also clears the
 * next pass's states. */
static mcl_status launch_sweep(mcl__radix *sort, int pass)
{
    mcl__call *const call = run_of_pass(sort, pass);
    const int side = (sort->passes - pass) % 2 == 0;
    mcl__call_put(call, SPARE, call->scratch[KEYS_SPARE - side].span);
    mcl__call_put(call, SPARE_VALUES, call->scratch[VALUES_SPARE - side].span);
    call->scalars[IN_PLACE] = in_place(sort);
    mcl__call_scratch_at(call, STATE, sort->states[pass % 2]);
    mcl__call_scratch_at(call, NEXT_STATE, sort->states[1 - pass % 2]);
    if (pass == sort->passes - 1) call->scalars[NEXT_WORDS] = 0;
    return mcl__call_launch(call, SWEEP, sweep_groups(sort, call));
}

/* Returns the number of groups that scan counts: one per digit. On CPUs a group has several digits, since groups cost
 * much there and parts are few. */
static int64_t spine_groups(const mcl__radix *sort, const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t digits = (int64_t)1 << sort->digit_bits;
    const int64_t few = mcl__tuned_a_unit(context, MCL__PARAMETER_radix_sort_spine_groups_serial);
    return !mcl__call_is_serial(call) || context->limits.loop_budget > 0 || few > digits ? digits : few;
}

static mcl_status launch_three(const mcl__radix *sort, mcl__call *call)
{
    MCL__TRY(mcl__call_launch(call, PARTS, call->scalars[PART_COUNT]));
    MCL__TRY(mcl__call_launch(call, SPINE, spine_groups(sort, call)));
    return mcl__call_launch(call, SCATTER, call->scalars[PART_COUNT]);
}

/* Launches a processor's sort by buckets. Its kernels do nothing where buckets are uneven. The usual passes are
 * launched later, and do nothing where buckets are even. */
static mcl_status launch_buckets(mcl__radix *sort)
{
    mcl__call top = sort->first, buckets = sort->later;
    const int64_t shares = top.scalars[PART_COUNT] / BUCKET_PARTS, most = (int64_t)1 << LARGE_DIGIT_BITS;
    const int64_t groups = BUCKET_GROUPS * (int64_t)top.queue->context->limits.compute_units;
    const int odd = in_place(sort); /* 1: HOME is an input, so the first move must not store there */
    top.scalars[SHARES] = shares > 0 ? shares : 1;
    top.scalars[TURN] = buckets.scalars[TURN] = TURN_TOP;
    mcl__call_put(&top, OUT, top.scratch[KEYS_HOME + odd].span);
    mcl__call_put(&top, OUT_VALUES, top.scratch[VALUES_HOME + odd].span);
    MCL__TRY(mcl__call_launch(&top, PLAN, 1));
    MCL__TRY(launch_three(sort, &top));

    buckets.scalars[IN_PLACE] = odd;
    mcl__call_put(&buckets, OUT, top.scratch[KEYS_HOME].span);
    mcl__call_put(&buckets, OUT_VALUES, top.scratch[VALUES_HOME].span);
    mcl__call_put(&buckets, SPARE, top.scratch[KEYS_SPARE].span);
    mcl__call_put(&buckets, SPARE_VALUES, top.scratch[VALUES_SPARE].span);
    sort->first.scalars[TURN] = sort->later.scalars[TURN] = TURN_UNEVEN;
    return mcl__call_launch(&buckets, BUCKETS, groups < most ? groups : most);
}

mcl_status mcl__radix_plan(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options,
                           mcl__radix *sort)
{
    memset(sort, 0, sizeof *sort); /* compilers would make a compound literal on the stack first */
    mcl__call_init(&sort->first, &radix_passes, NULL, queue, options);
    sort->given = *given;
    MCL__TRY(plan_sort(sort));
    need_scratch(sort);
    return MCL_OK;
}

/* Launches the group mapping's sort by buckets. The usual passes are launched later, and do nothing where it has
 * sorted. */
static mcl_status launch_group_buckets(mcl__radix *sort)
{
    mcl__call *const call = &sort->first;
    const mcl__bucket_arrays keys = { call->scratch[KEYS_HOME].span, call->scratch[KEYS_SPARE].span };
    const mcl__bucket_arrays values = { call->scratch[VALUES_HOME].span, call->scratch[VALUES_SPARE].span };
    mcl__span unsorted;
    MCL__TRY(mcl__buckets_launch(&sort->buckets, keys, values, &unsorted));
    mcl__call_scratch_at(call, BUCKET_PLAN, unsorted);
    mcl__call_scratch_at(&sort->later, BUCKET_PLAN, unsorted);
    return MCL_OK;
}

/* Launches all passes. The scratch must be taken, and the outputs must have buffers. */
static mcl_status launch_sort(mcl__radix *sort)
{
    mcl__call *const call = &sort->first;
    if (sort->given.keys.count == 0) return MCL_OK;
    share_scratch(sort);
    if (sort->buckets.range_bits > 0) MCL__TRY(launch_group_buckets(sort));
    if (sort->looks_back) MCL__TRY(launch_count(sort, call));
    if (sort->by_buckets) MCL__TRY(launch_buckets(sort));
    for (int pass = 0; pass < sort->passes; ++pass)
        MCL__TRY(sort->looks_back ? launch_sweep(sort, pass) : launch_three(sort, run_of_pass(sort, pass)));
    if (!sort->values_stay) return MCL_OK;
    return mcl__gather_launch(&sort->gather, call->scratch[VALUES_HOME].span, mcl__output_span(&sort->given.out_values),
                              call->scratch[STAGING].span);
}

mcl_status mcl__radix_launch(mcl__radix *part, const mcl_output *out, const mcl_output *out_values)
{
    mcl__call_take(&part->first);
    mcl__call_scratch_at(&part->first, KEYS_HOME, mcl__output_span(out));
    mcl__call_scratch_at(&part->first, VALUES_HOME, mcl__output_span(out_values));
    return launch_sort(part);
}

mcl_status mcl__radix_sort(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    mcl__radix *sort = NULL;
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl_status status = mcl__radix_plan(queue, given, options, sort);
    if (status == MCL_OK) status = mcl__call_begin(&sort->first);
    if (status == MCL_OK) status = launch_sort(sort);
    if (status == MCL_OK) status = mcl__call_end(&sort->first);
    free(sort);
    return status;
}
