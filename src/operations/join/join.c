/* join.c: relational joins. Kernels: cl/kernels/join/join.cl.
 * Tiles of the merge of a and b count the rows of their keys and store the first of them. Where a tile has many rows,
 * groups of a second launch store the others, a window each. The tiles also list the keys of b without a partner. These
 * keys follow as the last rows, once it is known where these begin. */
#include "operations/join/join_call.h"
#include "facts/join.h"

/* Short names of the operands; FOLD adds rows. */
enum {
    A = MCL__JOIN_A,
    B = MCL__JOIN_B,
    BEFORE = MCL__JOIN_BEFORE,
    OUT_A = MCL__JOIN_OUT_A,
    COUNT = MCL__JOIN_COUNT,
    OUT_B = MCL__JOIN_OUT_B,
    FOLD
};
enum { KEYS = 1 };                                                                 /* groups of types */
enum { PARTITION, TILES, COUNT_TILES, COUNTED_TILES, SPINE, WINDOWS, REST_TILES }; /* passes */
enum { SPLIT, ROWS, REST, LIST, CARRY, HAS_MORE, SUMS, BASE };                     /* SUMS and BASE stand for others */
enum { SPLITS, CAPACITY, FIRST, MOST, HAS_BASE, HAS_COUNT };                       /* numbers */

#define OPERAND_WORDS MCL__OF + A, MCL__OF + B, MCL__PIECE + SPLIT
#define RESULT_WORDS MCL__OF + OUT_A, MCL__OF + OUT_B, MCL__INDEX + CAPACITY
#define COUNT_WORDS MCL__OF + COUNT, MCL__INT + HAS_COUNT
#define TILE_WORDS                                                                                                     \
    MCL__ENV, OPERAND_WORDS, RESULT_WORDS, MCL__PIECE + ROWS, MCL__PIECE + HAS_MORE, MCL__PIECE + LIST,                \
        MCL__PIECE + REST

/* COUNT_TILES, SPINE and COUNTED_TILES run where tiles do not wait for each other. SPINE and REST_TILES run for keys of
 * b without a partner. ROWS and REST have a number for each tile, and their sum. HAS_MORE says whether any tile has
 * rows left over. */
static const mcl__declaration join = {
    .file = "kernels/join/join.cl",
    .takes = MCL__TAKES_PASSES,
    .types = { [KEYS] = "key" },
    .operands = { MCL__JOIN_OPERANDS(BEFORE), [FOLD] = { "fold", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD } },
    .pieces = {
        [SPLIT] = { "split", "index_type" },
        [ROWS] = { "rows", "fold_type" },
        [REST] = { "rest", "fold_type" },
        [LIST] = { "list", "index_type" },
        [CARRY] = { "carry", "fold_type" },
        [HAS_MORE] = { "has_more", "uint" },
        [SUMS] = { "sums", "fold_type" },
        [BASE] = { "base", "fold_type" },
    },
    .numbers = { [SPLITS] = "splits", [CAPACITY] = "capacity", [FIRST] = "first", [MOST] = "most",
                 [HAS_BASE] = "has_base", [HAS_COUNT] = "has_count" },
    .passes = {
        [PARTITION] = { "join_partition", MCL__PARTITION_THREADS, "PARTITION_THREADS",
                        { MCL__ENV, OPERAND_WORDS, MCL__INDEX + SPLITS, MCL__PIECE + HAS_MORE, MCL__STATES } },
        [TILES] = { "join_tiles", .words = { TILE_WORDS, COUNT_WORDS, MCL__STATES } },
        [COUNT_TILES] = { "join_count", .words = { MCL__ENV, OPERAND_WORDS, MCL__PIECE + ROWS } },
        [COUNTED_TILES] = { "join_tiles", .words = { TILE_WORDS } },
        [SPINE] = { "join_spine", .words = { MCL__ENV, MCL__OF + A, MCL__OF + B, MCL__PIECE + SUMS, MCL__PIECE + CARRY,
                                             MCL__PIECE + BASE, MCL__INT + HAS_BASE, MCL__INDEX + FIRST,
                                             MCL__INDEX + MOST, COUNT_WORDS } },
        [WINDOWS] = { "join_windows", .words = { MCL__ENV, OPERAND_WORDS, RESULT_WORDS, MCL__PIECE + ROWS,
                                                 MCL__PIECE + HAS_MORE } },
        [REST_TILES] = { "join_rest", .words = { OPERAND_WORDS, RESULT_WORDS, MCL__PIECE + ROWS, MCL__PIECE + LIST,
                                                 MCL__PIECE + REST } },
    },
};

_Static_assert((int)MCL_JOIN_INNER == JOIN_INNER && (int)MCL_JOIN_LEFT == JOIN_LEFT &&
                   (int)MCL_JOIN_RIGHT == JOIN_RIGHT && (int)MCL_JOIN_OUTER == JOIN_OUTER &&
                   (int)MCL_JOIN_SEMI == JOIN_SEMI && (int)MCL_JOIN_ANTI == JOIN_ANTI,
               "kernels know the kinds of mcl_join_kind by these numbers");

/* About how many loop iterations the spine takes for each tile, for devices that limit them. */
enum { SPINE_STEPS = 4 };

/* 1: keys of b without a partner are the last rows. */
static int join_has_rest(mcl_join_kind kind)
{
    return kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Returns the output that has room for the fewer rows. */
static int join_shorter(const mcl__run *run)
{
    const mcl_output *const out_b = run->given[OUT_B].output;
    return out_b && out_b->capacity < run->given[OUT_A].output->capacity ? OUT_B : OUT_A;
}

int64_t mcl__join_stored(const mcl__run *run, mcl_join_kind kind, int64_t capacity)
{
    const int64_t a = run->given[A].input->count, b = run->given[B].input->count;
    const int64_t most = !mcl__join_pairs(kind) ? a : a > 0 && b > INT64_MAX / 2 / a ? INT64_MAX : a * b + a + b;
    return most < capacity ? most : capacity;
}

/* Without any output the rows are only counted. */
static void count_alone(const mcl__run *run)
{
    mcl_output *const out_a = run->given[OUT_A].output, *const out_b = run->given[OUT_B].output;
    if (mcl__is_left_out(out_a) && (!out_b || mcl__is_left_out(out_b))) out_a->capacity = 0;
}

mcl_status mcl__join_check_kind(mcl_join_kind kind)
{
    if ((int)kind >= MCL_JOIN_INNER && (int)kind <= MCL_JOIN_ANTI) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "kind is %d; expected one of mcl_join_kind", (int)kind);
}

mcl_status mcl__join_check(mcl__run *run, mcl_join_kind kind)
{
    if (!mcl__join_pairs(kind)) run->given[OUT_B].output = NULL;
    MCL__TRY(mcl__run_check(run));
    MCL__TRY(mcl__join_check_kind(kind));
    count_alone(run);
    run->room[OUT_A] = run->room[OUT_B] = mcl__join_stored(run, kind, run->given[join_shorter(run)].output->capacity);
    return mcl__run_ready(run);
}

mcl_status mcl__join_check_counted(const mcl__run *run)
{
    return mcl__run_check_counted(run, join_shorter(run), COUNT, 0);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* The need is that of a group's store in join_group.clh: keys, which indices replace, then owners, heads and the bits
 * of rows. Under the serial mapping it is bounds and matches. */
static mcl__tile join_tile(mcl__run *run, int index_bits)
{
    const size_t index = (size_t)index_bits / 8, size = mcl__staged_bytes(run->types[KEYS]);
    const size_t key = size > sizeof(int64_t) ? size : index > size ? 8 : size;
    const mcl__tile_need need = { .element_bytes = run->types[KEYS]->size,
                                  .local_bytes_per_item = key + 2 * sizeof(uint16_t) + 1,
                                  .local_bytes_fixed = 36 * key + 260 * sizeof(int64_t) + 128,
                                  .lone_bytes_per_thread = sizeof(int64_t),
                                  .serial_bytes_per_item = sizeof(int) + index,
                                  .serial_bytes_fixed = 128 };
    return mcl__run_choose_tile(run, MCL__OPERATION_join, need);
}

static mcl_status join_program(mcl__run *run, mcl_join_kind kind, int look_back)
{
    const int64_t keys = run->given[A].input->count + run->given[B].input->count, stored = run->numbers[CAPACITY];
    const int index_bits = mcl__index_bits(keys > stored ? keys : stored, run->options);
    run->element = MCL_INT64;
    run->passes = MCL__BIT(PARTITION);
    run->passes |= look_back ? MCL__BIT(TILES) : MCL__BIT(COUNT_TILES) | MCL__BIT(SPINE) | MCL__BIT(COUNTED_TILES);
    if (mcl__join_pairs(kind)) run->passes |= MCL__BIT(WINDOWS);
    if (join_has_rest(kind)) run->passes |= MCL__BIT(SPINE) | MCL__BIT(REST_TILES);
    if (!join_has_rest(kind)) run->without = MCL__BIT(LIST) | MCL__BIT(REST);
    if (!look_back) run->without |= MCL__NO_STATES;
    mcl__run_define(run, "JOIN_KIND", (int)kind);
    mcl__run_define(run, "JOIN_LOOK_BACK", look_back);
    mcl__run_define(run, "RESIDENT", (int)mcl__tuned(run->queue->context, MCL__PARAMETER_join_resident));
    mcl__run_keeps_folds(run, sizeof(int64_t), sizeof(int64_t));
    return mcl__run_program(run, join_tile(run, index_bits), index_bits);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

static void join_scratch(mcl__run *run, int has_rest, int look_back, int64_t tiles)
{
    const int64_t b = run->given[B].input->count, keys = run->given[A].input->count + b;
    const size_t sums_bytes = (size_t)(tiles + 1) * sizeof(int64_t);
    run->numbers[SPLITS] = tiles + 1;
    mcl__run_need(run, SPLIT, mcl__run_index_bytes(run, tiles + 1));
    mcl__run_need(run, ROWS, sums_bytes);
    if (has_rest) mcl__run_need(run, REST, sums_bytes);
    if (has_rest) mcl__run_need(run, LIST, mcl__run_index_bytes(run, b));
    mcl__run_need(run, CARRY, sizeof(int64_t));
    mcl__run_need(run, HAS_MORE, sizeof(uint32_t));
    if (look_back) mcl__run_look_back_in_scratch(run, keys, mcl__run_tile_size(run), sizeof(int64_t));
}

/* Makes the next launch store the count, if it knows the count and the caller asks for it. */
static void join_set_count(mcl__run *run, int is_known)
{
    run->numbers[HAS_COUNT] = is_known && run->results[COUNT].buffer;
}

/* Sums up the tiles' numbers in sums, in as many launches as a device's loop budget asks for. base: the count is the
 * sum of both. */
static mcl_status join_sum(mcl__run *run, int64_t tiles, int sums, const mcl__span *base)
{
    const int64_t budget = run->queue->context->limits.loop_budget;
    const int64_t most = budget > 0 ? budget / SPINE_STEPS * mcl__run_tile(run).threads : tiles;
    mcl__run_give(run, SUMS, run->pieces[sums].span);
    mcl__run_give(run, BASE, base ? *base : (mcl__span){ NULL, 0 });
    run->numbers[HAS_BASE] = base != NULL;
    run->numbers[MOST] = most;
    for (int64_t first = 0; first < tiles; first += most) {
        run->numbers[FIRST] = first;
        MCL__TRY(mcl__run_launch(run, SPINE, 1));
    }
    return MCL_OK;
}

static mcl_status join_launch_tiles(mcl__run *run, int has_rest, int look_back, int64_t tiles)
{
    MCL__TRY(mcl__run_launch_items(run, PARTITION, tiles + 1));
    join_set_count(run, !has_rest);
    if (look_back) return mcl__run_launch(run, TILES, tiles);
    MCL__TRY(mcl__run_launch(run, COUNT_TILES, tiles));
    MCL__TRY(join_sum(run, tiles, ROWS, NULL));
    if (run->numbers[CAPACITY] == 0 && !has_rest) return MCL_OK;
    return mcl__run_launch(run, COUNTED_TILES, tiles);
}

static mcl_status join_launch_windows(mcl__run *run)
{
    const mcl__tile tile = mcl__run_tile(run);
    const int64_t rows = JOIN_WINDOW_ROWS((int64_t)tile.threads, tile.items);
    const int64_t windows = mcl__divide_up(run->numbers[CAPACITY], rows);
    const int64_t groups = mcl__tuned_a_unit(run->queue->context, MCL__PARAMETER_join_window_groups);
    return mcl__run_launch(run, WINDOWS, windows < groups ? windows : groups);
}

static mcl_status join_launch_rest(mcl__run *run, int64_t tiles)
{
    join_set_count(run, 1);
    MCL__TRY(join_sum(run, tiles, REST, &run->pieces[ROWS].span));
    return run->numbers[CAPACITY] > 0 ? mcl__run_launch(run, REST_TILES, tiles) : MCL_OK;
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static mcl_status join_run(mcl__run *run, mcl_join_kind kind)
{
    const int has_rest = join_has_rest(kind);
    MCL__TRY(mcl__join_check(run, kind));
    const int look_back = run->queue->context->limits.look_back && !(run->options && run->options->passes == 2);
    run->numbers[CAPACITY] = run->room[OUT_A];
    MCL__TRY(join_program(run, kind, look_back));
    const int64_t keys = run->given[A].input->count + run->given[B].input->count;
    const int64_t needed = mcl__run_tiles(run, keys);
    const int64_t tiles = needed > 0 ? needed : 1; /* the first tile stores the count of nothing */
    join_scratch(run, has_rest, look_back, tiles);
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(join_launch_tiles(run, has_rest, look_back, tiles));
    if (mcl__join_pairs(kind) && run->numbers[CAPACITY] > 0) MCL__TRY(join_launch_windows(run));
    if (has_rest) MCL__TRY(join_launch_rest(run, tiles));
    MCL__TRY(mcl__run_end(run));
    return mcl__join_check_counted(run);
}

mcl_status mcl_join(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a, mcl_output out_b,
                    const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__run run = { &join, "mcl_join", queue, options,
                     .given = { [A].input = &a,
                                [B].input = &b,
                                [BEFORE].op = before,
                                [OUT_A].output = &out_a,
                                [COUNT].result = &count,
                                [OUT_B].output = &out_b,
                                [FOLD].op = MCL_ADD } };
    return join_run(&run, kind);
}
