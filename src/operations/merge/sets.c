/* sets.c: the multiset operations. Kernels: cl/kernels/merge/sets.cl. Tiles are cut along a balanced path, so that no
 * cut separates a pair of equal keys.
 *
 * In a single pass, a group takes the next tile, makes its results, and finds their offset by look-back. In two passes,
 * each group has a part of several tiles, and first counts its results. Once all parts are counted, the group makes its
 * results again, or moves the results that it has kept in scratch. */
#include "call/fold.h"
#include "call/call.h"
#include "facts/sets.h"

#include "moderncl/sets.h"

/* Operands; FOLD adds counts of results. */
enum { A = 1, B, OUT, BEFORE, FOLD, COUNT, A_VALUES, B_VALUES, OUT_VALUES, KEPT, KEPT_VALUES };
enum { KEYS = 1, VALUES };                                       /* groups of operands with one type */
enum { PARTITION, TILES, PARTS, PARTS_KEPT, SPINE, DOWN, COPY }; /* passes */
enum { SPLIT, PARTIALS };                                        /* scratch */
enum { SPLITS, CAPACITY, PART_COUNT };                           /* scalars */

#define OPERAND_ARGUMENTS OPERAND(A), OPERAND(B), SCRATCH(SPLIT), OPERAND(A_VALUES), OPERAND(B_VALUES)
#define OUT_ARGUMENTS OPERAND(OUT), OPERAND(OUT_VALUES)
#define KEPT_ARGUMENTS OPERAND(KEPT), OPERAND(KEPT_VALUES)
#define COUNT_ARGUMENTS OPERAND(COUNT), HAS_RESULT(COUNT)

static const mcl__declaration sets = {
    .file = "kernels/merge/sets.cl",
    .takes = MCL__TAKES_PASSES | MCL__TAKES_UNIQUE_KEYS,
    .types = { [KEYS] = "key" },
    .operands =
        (mcl__operands){
            [A] = { "a", "a_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
            [B] = { "b", "b_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
            [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEYS, .optional = 1 },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
            [FOLD] = { "fold", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD },
            [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS },
            [A_VALUES] = { "a_values", .kind = MCL__INPUT, .group = VALUES, .as_many = A },
            [B_VALUES] = { "b_values", .kind = MCL__INPUT, .group = VALUES, .as_many = B },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUES, .optional = 1 },
            [KEPT] = { "kept", .kind = MCL__ARRAY },
            [KEPT_VALUES] = { "kept_values", .kind = MCL__ARRAY },
        },
    .scratch = { [SPLIT] = { "split", "index_type" }, [PARTIALS] = { "partials", "index_type" } },
    .scalars = { [SPLITS] = "splits", [CAPACITY] = "capacity", [PART_COUNT] = "parts" },
    .passes =
        (mcl__passes){
            [PARTITION] = { "sets_partition",
                            MCL__PARTITION_THREADS,
                            "PARTITION_THREADS",
                            { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), SCRATCH(SPLIT), AS_INDEX(SPLITS),
                              MCL__STATES } },
            [TILES] = { "sets_tiles", .arguments = { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, OUT_ARGUMENTS,
                                                     AS_INDEX(CAPACITY), COUNT_ARGUMENTS, MCL__STATES } },
            [PARTS] = { "sets_parts",
                        .arguments = { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, OUT_ARGUMENTS, SCRATCH(PARTIALS) } },
            [PARTS_KEPT] = { "sets_parts",
                             .arguments = { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, KEPT_ARGUMENTS, SCRATCH(PARTIALS) } },
            [SPINE] = { "sets_spine",
                        .arguments = { MCL__ENVIRONMENT, SCRATCH(PARTIALS), AS_INT(PART_COUNT), COUNT_ARGUMENTS } },
            [DOWN] = { "sets_down", .arguments = { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, OUT_ARGUMENTS,
                                                   SCRATCH(PARTIALS), AS_INDEX(CAPACITY) } },
            [COPY] = { "sets_copy", .arguments = { OPERAND(A), OPERAND(B), OUT_ARGUMENTS, AS_INDEX(CAPACITY),
                                                   SCRATCH(PARTIALS), KEPT_ARGUMENTS } },
        },
};

typedef enum set_form { LOOK_BACK, COUNT_FIRST, KEEP } set_form;

/* The approximate number of loop iterations per key of a tile. Some devices limit a work-item's iterations. */
enum { STEPS = 16 };

/* ---- operands ------------------------------------------------------------------------------------------------- */

static int64_t set_total(const mcl__call *call)
{
    return call->operands[A].input->count + call->operands[B].input->count;
}

/* Returns the output that has room for fewer results. */
static int set_shorter(const mcl__call *call)
{
    const mcl_output *const values = call->operands[OUT_VALUES].output;
    return values && values->capacity < call->operands[OUT].output->capacity ? OUT_VALUES : OUT;
}

/* Returns the most results that may be stored. */
static int64_t set_stored(const mcl__call *call, int kind)
{
    const int64_t a = call->operands[A].input->count, b = call->operands[B].input->count;
    const int64_t capacity = call->operands[set_shorter(call)].output->capacity;
    const int64_t most = kind == SET_INTERSECTION ? (a < b ? a : b) : kind == SET_DIFFERENCE ? a : a + b;
    return most < capacity ? most : capacity;
}

/* Checks a call, and finds the room that its outputs need. Without any output the results are only counted. */
static mcl_status set_check(mcl__call *call, int kind)
{
    mcl_output *const out = call->operands[OUT].output;
    const mcl_output *const values = call->operands[OUT_VALUES].output;
    MCL__TRY(mcl__call_check(call));
    if (mcl__is_left_out(out) && (!values || mcl__is_left_out(values))) out->capacity = 0;
    call->scalars[CAPACITY] = call->room[OUT] = call->room[OUT_VALUES] = set_stored(call, kind);
    return mcl__call_ready(call);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Chooses one pass with look-back where groups may wait for each other, unless options ask for two passes. */
static set_form set_choose_form(const mcl__call *call)
{
    const int passes = call->options ? call->options->passes : 0;
    if (passes == 2) return COUNT_FIRST;
    return call->queue->context->limits.look_back ? LOOK_BACK : passes == 1 ? KEEP : COUNT_FIRST;
}

/* Chooses the tile. Its results go through work-group memory, even in the serial mapping. */
static mcl__tile set_tile(mcl__call *call)
{
    const size_t key = mcl__staged_bytes(call->types[KEYS]);
    const size_t value = call->has_values ? mcl__staged_bytes(call->types[VALUES]) : 0;
    const mcl__tile_need need = { .element_bytes = call->types[KEYS]->size,
                                  .local_bytes_per_item = key + sizeof(uint16_t),
                                  .local_bytes_per_thread = 2 * sizeof(int64_t), /* one sum and one cut */
                                  .local_bytes_fixed = 2 * key + 64,
                                  .serial_bytes_per_item = key + value,
                                  .serial_bytes_fixed = 3 * key + value + 64 };
    return mcl__call_choose_tile(call, call->has_values ? MCL__OPERATION_sets_pairs : MCL__OPERATION_sets, need);
}

static mcl_status set_program(mcl__call *call, int kind, set_form form)
{
    static const unsigned passes[] = {
        [LOOK_BACK] = MCL__BIT(TILES),
        [COUNT_FIRST] = MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(DOWN),
        [KEEP] = MCL__BIT(PARTS_KEPT) | MCL__BIT(SPINE) | MCL__BIT(COPY),
    };
    const mcl__parameter resident = form != LOOK_BACK  ? MCL__PARAMETER_sets_two_pass_resident
                                    : call->has_values ? MCL__PARAMETER_sets_pairs_resident
                                                       : MCL__PARAMETER_sets_resident;
    const mcl__tile tile = set_tile(call);
    /* On a CPU, whose addresses have 64 bits, each step would widen a shorter index. */
    const int index_bits = tile.threads == 1 ? 64 : mcl__index_bits(set_total(call), call->options);
    call->element = index_bits == 64 ? MCL_INT64 : MCL_INT32;
    call->passes = MCL__BIT(PARTITION) | passes[form];
    if (form != LOOK_BACK) call->without = MCL__NO_STATES;
    if (form == KEEP) {
        call->operands[KEPT].scratch = call->types[KEYS];
        call->operands[KEPT_VALUES].scratch = call->types[VALUES];
        call->room[KEPT] = call->room[KEPT_VALUES] = set_total(call);
    }
    mcl__call_define(call, "SET_KIND", kind);
    mcl__call_define(call, "SET_UNIQUE", mcl__wants(call->options, MCL_UNIQUE_KEYS));
    mcl__call_define(call, "SETS_LOOK_BACK", form == LOOK_BACK);
    mcl__call_define(call, "SETS_KEPT", form == KEEP);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(call->queue->context, resident));
    mcl__call_keeps_folds(call, (size_t)index_bits / 8, (size_t)index_bits / 8);
    return mcl__call_program(call, tile, index_bits);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

/* Asks for scratch. tiles is at least 1, since a group must store the count even where there are no keys. */
static void set_scratch(mcl__call *call, set_form form, int64_t tiles, int64_t tile_size)
{
    call->scalars[SPLITS] = tiles + 1;
    mcl__call_scratch(call, SPLIT, mcl__call_index_bytes(call, tiles + 1));
    if (form == LOOK_BACK) {
        mcl__call_look_back_in_scratch(call, set_total(call), tile_size, mcl__call_index_bytes(call, 1));
        return;
    }
    const int64_t parts = mcl__call_parts(call, tiles, STEPS);
    call->scalars[PART_COUNT] = parts;
    mcl__call_scratch(call, PARTIALS, mcl__call_index_bytes(call, parts + 1));
}

static mcl_status set_launch(mcl__call *call, set_form form, int64_t tiles)
{
    const int64_t parts = call->scalars[PART_COUNT];
    MCL__TRY(mcl__call_launch_items(call, PARTITION, tiles + 1));
    if (form == LOOK_BACK) return mcl__call_launch(call, TILES, tiles);
    MCL__TRY(mcl__call_launch(call, form == KEEP ? PARTS_KEPT : PARTS, parts));
    MCL__TRY(mcl__call_launch(call, SPINE, 1));
    if (call->scalars[CAPACITY] == 0) return MCL_OK;
    return mcl__call_launch(call, form == KEEP ? COPY : DOWN, parts);
}

static mcl_status set_run(mcl__call *call, int kind)
{
    MCL__TRY(set_check(call, kind));
    const set_form form = set_choose_form(call);
    MCL__TRY(set_program(call, kind, form));
    const mcl__tile tile = mcl__call_tile(call);
    const int64_t tile_size = SET_TILE_KEYS((int64_t)tile.threads, tile.items);
    const int64_t needed = mcl__divide_up(set_total(call), tile_size), tiles = needed > 0 ? needed : 1;
    set_scratch(call, form, tiles, tile_size);
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(set_launch(call, form, tiles));
    MCL__TRY(mcl__call_end(call));
    return mcl__call_check_counted(call, set_shorter(call), COUNT, 0);
}

static mcl_status set_keys(mcl_queue *queue, const char *function, int kind, mcl_input a, mcl_input b, mcl_output out,
                           const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &sets, function, queue, options,
                       .operands = { [A].input = &a,
                                     [B].input = &b,
                                     [OUT].output = &out,
                                     [BEFORE].op = before,
                                     [FOLD].op = MCL_ADD,
                                     [COUNT].result = &count } };
    return set_run(&call, kind);
}

static mcl_status set_pairs(mcl_queue *queue, const char *function, int kind, mcl_input a_keys, mcl_input a_values,
                            mcl_input b_keys, mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                            const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &sets,
                       function,
                       queue,
                       options,
                       .has_values = 1,
                       .operands = { [A].input = &a_keys,
                                     [B].input = &b_keys,
                                     [OUT].output = &out_keys,
                                     [BEFORE].op = before,
                                     [FOLD].op = MCL_ADD,
                                     [COUNT].result = &count,
                                     [A_VALUES].input = &a_values,
                                     [OUT_VALUES].output = &out_values } };
    if (SET_FROM_B(kind)) call.operands[B_VALUES].input = &b_values;
    return set_run(&call, kind);
}

mcl_status mcl_set_intersection(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                                mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_intersection", SET_INTERSECTION, a, b, out, before, count, options);
}

mcl_status mcl_set_union(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                         mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_union", SET_UNION, a, b, out, before, count, options);
}

mcl_status mcl_set_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                              mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_difference", SET_DIFFERENCE, a, b, out, before, count, options);
}

mcl_status mcl_set_symmetric_difference(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out,
                                        const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_keys(queue, "mcl_set_symmetric_difference", SET_SYMMETRIC_DIFFERENCE, a, b, out, before, count, options);
}

mcl_status mcl_set_intersection_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                      mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                      const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_intersection_pairs", SET_INTERSECTION, a_keys, a_values, b_keys, b_values,
                     out_keys, out_values, before, count, options);
}

mcl_status mcl_set_union_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                               mcl_input b_values, mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                               mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_union_pairs", SET_UNION, a_keys, a_values, b_keys, b_values, out_keys, out_values,
                     before, count, options);
}

mcl_status mcl_set_difference_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                    mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                    const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_difference_pairs", SET_DIFFERENCE, a_keys, a_values, b_keys, b_values, out_keys,
                     out_values, before, count, options);
}

mcl_status mcl_set_symmetric_difference_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys,
                                              mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                                              const mcl_op *before, mcl_result count, const mcl_options *options)
{
    return set_pairs(queue, "mcl_set_symmetric_difference_pairs", SET_SYMMETRIC_DIFFERENCE, a_keys, a_values, b_keys,
                     b_values, out_keys, out_values, before, count, options);
}
