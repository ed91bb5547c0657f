/* sets.c: the multiset operations. Kernels: cl/kernels/merge/sets.cl.
 * Tiles are cut by balanced path, so that no pair of equal keys stands on both sides of a cut. Single pass: a group
 * takes the next tile, makes its results and finds their offset by look-back. Elsewhere each group has a part of
 * several tiles, and counts its results. Once the parts before it are counted, the group makes its results again, or
 * moves those that it has kept in scratch. */
#include "call/fold.h"
#include "call/run.h"
#include "facts/sets.h"

#include "moderncl/sets.h"

/* Operands; FOLD adds counts of results. */
enum { A = 1, B, OUT, BEFORE, FOLD, COUNT, A_VALUES, B_VALUES, OUT_VALUES, KEPT, KEPT_VALUES };
enum { KEYS = 1, VALUES };                                       /* groups of types */
enum { PARTITION, TILES, PARTS, PARTS_KEPT, SPINE, DOWN, COPY }; /* passes */
enum { SPLIT, PARTIALS };                                        /* scratch */
enum { SPLITS, CAPACITY, PART_COUNT };                           /* numbers */

#define OPERAND_WORDS MCL__OF + A, MCL__OF + B, MCL__PIECE + SPLIT, MCL__OF + A_VALUES, MCL__OF + B_VALUES
#define OUT_WORDS MCL__OF + OUT, MCL__OF + OUT_VALUES
#define KEPT_WORDS MCL__OF + KEPT, MCL__OF + KEPT_VALUES
#define COUNT_WORDS MCL__OF + COUNT, MCL__ASKED + COUNT

static const mcl__declaration sets = {
    .file = "kernels/merge/sets.cl",
    .takes = MCL__TAKES_PASSES | MCL__TAKES_UNIQUE_KEYS,
    .types = { [KEYS] = "key" },
    .operands = {
        [A] = { "a", "a_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
        [B] = { "b", "b_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
        [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEYS, .optional = 1 },
        [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
        [FOLD] = { "fold", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD },
        [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS },
        [A_VALUES] = { "a_values", .kind = MCL__INPUT, .group = VALUES, .as_many = A },
        [B_VALUES] = { "b_values", .kind = MCL__INPUT, .group = VALUES, .as_many = B },
        [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUES, .optional = 1 },
        [KEPT] = { "kept", .kind = MCL__SCRATCH },
        [KEPT_VALUES] = { "kept_values", .kind = MCL__SCRATCH },
    },
    .pieces = { [SPLIT] = { "split", "index_type" }, [PARTIALS] = { "partials", "index_type" } },
    .numbers = { [SPLITS] = "splits", [CAPACITY] = "capacity", [PART_COUNT] = "parts" },
    .passes = {
        [PARTITION] = { "sets_partition", MCL__PARTITION_THREADS, "PARTITION_THREADS",
                        { MCL__ENV, MCL__OF + A, MCL__OF + B, MCL__PIECE + SPLIT, MCL__INDEX + SPLITS, MCL__STATES } },
        [TILES] = { "sets_tiles", .words = { MCL__ENV, OPERAND_WORDS, OUT_WORDS, MCL__INDEX + CAPACITY, COUNT_WORDS,
                                             MCL__STATES } },
        [PARTS] = { "sets_parts", .words = { MCL__ENV, OPERAND_WORDS, OUT_WORDS, MCL__PIECE + PARTIALS } },
        [PARTS_KEPT] = { "sets_parts", .words = { MCL__ENV, OPERAND_WORDS, KEPT_WORDS, MCL__PIECE + PARTIALS } },
        [SPINE] = { "sets_spine", .words = { MCL__ENV, MCL__PIECE + PARTIALS, MCL__INT + PART_COUNT, COUNT_WORDS } },
        [DOWN] = { "sets_down", .words = { MCL__ENV, OPERAND_WORDS, OUT_WORDS, MCL__PIECE + PARTIALS,
                                           MCL__INDEX + CAPACITY } },
        [COPY] = { "sets_copy", .words = { MCL__OF + A, MCL__OF + B, OUT_WORDS, MCL__INDEX + CAPACITY,
                                           MCL__PIECE + PARTIALS, KEPT_WORDS } },
    },
};

typedef enum set_form { LOOK_BACK, COUNT_FIRST, KEEP } set_form;

/* About how many loop iterations a work-item takes for each key of a tile, for devices that limit them. */
enum { STEPS = 16 };

/* ---- operands ------------------------------------------------------------------------------------------------- */

static int64_t set_total(const mcl__run *run)
{
    return run->given[A].input->count + run->given[B].input->count;
}

/* Returns the output that has room for the fewer results. */
static int set_shorter(const mcl__run *run)
{
    const mcl_output *const values = run->given[OUT_VALUES].output;
    return values && values->capacity < run->given[OUT].output->capacity ? OUT_VALUES : OUT;
}

/* Results that may be stored, at most. */
static int64_t set_stored(const mcl__run *run, int kind)
{
    const int64_t a = run->given[A].input->count, b = run->given[B].input->count;
    const int64_t capacity = run->given[set_shorter(run)].output->capacity;
    const int64_t most = kind == SET_INTERSECTION ? (a < b ? a : b) : kind == SET_DIFFERENCE ? a : a + b;
    return most < capacity ? most : capacity;
}

/* Without any output the results are only counted. */
static mcl_status set_check(mcl__run *run, int kind)
{
    mcl_output *const out = run->given[OUT].output;
    const mcl_output *const values = run->given[OUT_VALUES].output;
    MCL__TRY(mcl__run_check(run));
    if (mcl__is_left_out(out) && (!values || mcl__is_left_out(values))) out->capacity = 0;
    run->numbers[CAPACITY] = run->room[OUT] = run->room[OUT_VALUES] = set_stored(run, kind);
    return mcl__run_ready(run);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* One pass by look-back where groups may wait for each other. */
static set_form set_choose_form(const mcl__run *run)
{
    const int passes = run->options ? run->options->passes : 0;
    if (passes == 2) return COUNT_FIRST;
    return run->queue->context->limits.look_back ? LOOK_BACK : passes == 1 ? KEEP : COUNT_FIRST;
}

/* A tile's results pass through work-group memory, under the serial mapping too. */
static mcl__tile set_tile(mcl__run *run)
{
    const size_t key = mcl__staged_bytes(run->types[KEYS]);
    const size_t value = run->has_values ? mcl__staged_bytes(run->types[VALUES]) : 0;
    const mcl__tile_need need = { .element_bytes = run->types[KEYS]->size,
                                  .local_bytes_per_item = key + sizeof(uint16_t),
                                  .local_bytes_per_thread = 2 * sizeof(int64_t), /* a sum and a cut */
                                  .local_bytes_fixed = 2 * key + 64,
                                  .serial_bytes_per_item = key + value,
                                  .serial_bytes_fixed = 3 * key + value + 64 };
    return mcl__run_choose_tile(run, run->has_values ? MCL__OPERATION_sets_pairs : MCL__OPERATION_sets, need);
}

static mcl_status set_program(mcl__run *run, int kind, set_form form)
{
    static const unsigned passes[] = {
        [LOOK_BACK] = MCL__BIT(TILES),
        [COUNT_FIRST] = MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(DOWN),
        [KEEP] = MCL__BIT(PARTS_KEPT) | MCL__BIT(SPINE) | MCL__BIT(COPY),
    };
    const mcl__parameter resident = form != LOOK_BACK ? MCL__PARAMETER_sets_two_pass_resident
                                    : run->has_values ? MCL__PARAMETER_sets_pairs_resident
                                                      : MCL__PARAMETER_sets_resident;
    const int index_bits = mcl__index_bits(set_total(run), run->options);
    run->element = index_bits == 64 ? MCL_INT64 : MCL_INT32;
    run->passes = MCL__BIT(PARTITION) | passes[form];
    if (form != LOOK_BACK) run->without = MCL__NO_STATES;
    if (form == KEEP) {
        run->given[KEPT].scratch = run->types[KEYS];
        run->given[KEPT_VALUES].scratch = run->types[VALUES];
        run->room[KEPT] = run->room[KEPT_VALUES] = set_total(run);
    }
    mcl__run_define(run, "SET_KIND", kind);
    mcl__run_define(run, "SET_UNIQUE", mcl__wants(run->options, MCL_UNIQUE_KEYS));
    mcl__run_define(run, "SETS_LOOK_BACK", form == LOOK_BACK);
    mcl__run_define(run, "SETS_KEPT", form == KEEP);
    mcl__run_define(run, "RESIDENT", (int)mcl__tuned(run->queue->context, resident));
    mcl__run_keeps_folds(run, (size_t)index_bits / 8, (size_t)index_bits / 8);
    return mcl__run_program(run, set_tile(run), index_bits);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

/* tiles: at least one, which stores the count of no results. */
static void set_scratch(mcl__run *run, set_form form, int64_t tiles, int64_t tile_size)
{
    run->numbers[SPLITS] = tiles + 1;
    mcl__run_need(run, SPLIT, mcl__run_index_bytes(run, tiles + 1));
    if (form == LOOK_BACK) {
        mcl__run_look_back_in_scratch(run, set_total(run), tile_size, mcl__run_index_bytes(run, 1));
        return;
    }
    const int64_t parts = mcl__run_parts(run, tiles, STEPS);
    run->numbers[PART_COUNT] = parts;
    mcl__run_need(run, PARTIALS, mcl__run_index_bytes(run, parts + 1));
}

static mcl_status set_launch(mcl__run *run, set_form form, int64_t tiles)
{
    const int64_t parts = run->numbers[PART_COUNT];
    MCL__TRY(mcl__run_launch_items(run, PARTITION, tiles + 1));
    if (form == LOOK_BACK) return mcl__run_launch(run, TILES, tiles);
    MCL__TRY(mcl__run_launch(run, form == KEEP ? PARTS_KEPT : PARTS, parts));
    MCL__TRY(mcl__run_launch(run, SPINE, 1));
    if (run->numbers[CAPACITY] == 0) return MCL_OK;
    return mcl__run_launch(run, form == KEEP ? COPY : DOWN, parts);
}

static mcl_status set_run(mcl__run *run, int kind)
{
    MCL__TRY(set_check(run, kind));
    const set_form form = set_choose_form(run);
    MCL__TRY(set_program(run, kind, form));
    const mcl__tile tile = mcl__run_tile(run);
    const int64_t tile_size = SET_TILE_KEYS((int64_t)tile.threads, tile.items);
    const int64_t needed = mcl__divide_up(set_total(run), tile_size), tiles = needed > 0 ? needed : 1;
    set_scratch(run, form, tiles, tile_size);
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(set_launch(run, form, tiles));
    MCL__TRY(mcl__run_end(run));
    return mcl__run_check_counted(run, set_shorter(run), COUNT, 0);
}

static mcl_status set_keys(mcl_queue *queue, const char *function, int kind, mcl_input a, mcl_input b, mcl_output out,
                           const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__run run = { &sets, function, queue, options,
                     .given = { [A].input = &a,
                                [B].input = &b,
                                [OUT].output = &out,
                                [BEFORE].op = before,
                                [FOLD].op = MCL_ADD,
                                [COUNT].result = &count } };
    return set_run(&run, kind);
}

static mcl_status set_pairs(mcl_queue *queue, const char *function, int kind, mcl_input a_keys, mcl_input a_values,
                            mcl_input b_keys, mcl_input b_values, mcl_output out_keys, mcl_output out_values,
                            const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__run run = { &sets,
                     function,
                     queue,
                     options,
                     .has_values = 1,
                     .given = { [A].input = &a_keys,
                                [B].input = &b_keys,
                                [OUT].output = &out_keys,
                                [BEFORE].op = before,
                                [FOLD].op = MCL_ADD,
                                [COUNT].result = &count,
                                [A_VALUES].input = &a_values,
                                [OUT_VALUES].output = &out_values } };
    if (SET_FROM_B(kind)) run.given[B_VALUES].input = &b_values;
    return set_run(&run, kind);
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
