/* segmented_nth.c: mcl_segmented_nth_element and mcl_segmented_quantile. Kernels: cl/kernels/segmented_nth.cl. */
#include "primitives/segments_rows.h"

#include "facts/top_k.h"
#include "moderncl/segmented_top_k.h"

/* Operands, passes, scratch, numbers. */
enum { IN = MCL__ROWS_IN, OFFSETS = MCL__ROWS_OFFSETS, BEFORE = MCL__ROWS_OTHERS, OUT };
enum { KEY = 1 };
enum { SELECT };
enum { STATE, LEVEL_KEYS, LEVEL_INDICES, SUMS, CURSORS, SAMPLE };
enum { ROWS = MCL__ROWS_COUNT, FIRST, WANTED, LIMIT, ROOM, EMITS, COLLECTS };

#define SEGMENTED_NTH                                                                                                  \
    .file = "kernels/segmented_nth.cl",                                                                                \
    .operands = { [IN] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY },                                   \
                  MCL__ROWS_SEGMENTS,                                                                                  \
                  [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },                     \
                  [OUT] = { "out", .kind = MCL__OUTPUT, .group = KEY } },                                              \
    .pieces = { [STATE] = { "state", "top_k_state" },                                                                  \
                [LEVEL_KEYS] = { "level_keys", "in_type" },                                                            \
                [LEVEL_INDICES] = { "level_indices", "index_type" },                                                   \
                [SUMS] = { "sums", "index_type" },                                                                     \
                [CURSORS] = { "cursors", "uint" },                                                                     \
                [SAMPLE] = { "sample", "key_type" } },                                                                 \
    .numbers = { [ROWS] = "rows", [FIRST] = "first", [WANTED] = "wanted",    [LIMIT] = "limit",                        \
                 [ROOM] = "room", [EMITS] = "emits", [COLLECTS] = "collects" },                                        \
    .passes = { [SELECT] = { "segmented_nth",                                                                          \
                             .words = { MCL__ENV, MCL__OF + IN, MCL__OF + OFFSETS, MCL__OF + OUT, MCL__PIECE + STATE,  \
                                        MCL__PIECE + LEVEL_KEYS, MCL__PIECE + LEVEL_INDICES, MCL__PIECE + SUMS,        \
                                        MCL__PIECE + CURSORS, MCL__PIECE + SAMPLE, MCL__INDEX + ROWS,                  \
                                        MCL__INDEX + FIRST, MCL__LONG + WANTED, MCL__INDEX + LIMIT, MCL__INDEX + ROOM, \
                                        MCL__INT + EMITS, MCL__INT + COLLECTS } } }

static const mcl__declaration nth_element = { SEGMENTED_NTH };
static const mcl__declaration quantile = { SEGMENTED_NTH };

/* Work-groups have memory for levels of their own, so a launch has no more than keep a device busy. Candidates of a
 * level, in blocks: a round of a longer segment may find no room, and then another round follows. */
enum { GROUPS_MAX = 1024, LIMIT_BLOCKS = 32 };

static int index_bits(const mcl__run *run)
{
    const int64_t in = run->given[IN].input->count, offsets = run->given[OFFSETS].input->count;
    return mcl__index_bits(in > offsets ? in : offsets, run->options);
}

static mcl_status find_program(mcl__run *run, int has_end)
{
    const mcl__tile tile = mcl__top_k_tile(run, index_bits(run));
    run->without = tile.threads == 1 ? 0 : MCL__BIT(STATE) | MCL__BIT(SAMPLE);
    mcl__run_define(run, "BLOCK_SIZE", (int)mcl__top_k_block(tile));
    mcl__run_define(run, "HAS_END", has_end);
    mcl__run_define(run, "NTH_FRACTION", run->declaration == &quantile);
    return mcl__run_program(run, tile, index_bits(run));
}

static void need_scratch(mcl__run *run, int64_t groups)
{
    const mcl_type *const type = run->given[IN].input->type;
    const int64_t block = mcl__top_k_block(mcl__run_tile(run)), room = groups * run->numbers[ROOM];
    const size_t key = mcl__staged_bytes(type);
    mcl__run_need(run, LEVEL_KEYS, (size_t)room * key);
    mcl__run_need(run, LEVEL_INDICES, mcl__run_index_bytes(run, room));
    mcl__run_need(run, SUMS, mcl__run_index_bytes(run, 2 * groups));
    mcl__run_need(run, CURSORS, (size_t)(2 * groups) * sizeof(uint32_t));
    if (!mcl__run_is_serial(run)) return;
    mcl__run_need(run, STATE, (size_t)groups * mcl__top_k_state_bytes(type, index_bits(run)));
    mcl__run_need(run, SAMPLE, (size_t)(2 * groups * block) * mcl__top_k_ranked_bytes(type, index_bits(run)));
}

static mcl_status select_rows(mcl__run *run, int has_end)
{
    const int64_t count = run->given[IN].input->count, rows = run->numbers[ROWS];
    MCL__TRY(find_program(run, has_end));
    const int64_t block = mcl__top_k_block(mcl__run_tile(run)), limit = LIMIT_BLOCKS * block;
    const int64_t most = mcl__run_is_serial(run) ? 8 * (int64_t)run->queue->context->limits.compute_units : GROUPS_MAX;
    const int64_t groups = rows < most ? rows : most;
    run->numbers[LIMIT] = count < limit ? count : limit;
    run->numbers[ROOM] = mcl__top_k_room(run->numbers[LIMIT], block);
    need_scratch(run, groups);
    MCL__TRY(mcl__run_begin(run));
    for (int64_t first = 0; first < rows; first += mcl__run_is_serial(run) ? rows : groups) {
        run->numbers[FIRST] = first;
        MCL__TRY(mcl__run_launch(run, SELECT, rows - first < groups ? rows - first : groups));
    }
    return mcl__run_end(run);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static int64_t row_length(const mcl__run *run, int output)
{
    (void)run;
    (void)output;
    return 1;
}

static mcl_status plan_rows(mcl__run *run)
{
    run->room[OUT] = run->numbers[ROWS];
    return MCL_OK;
}

static const mcl__rows of_rows = { row_length, plan_rows, select_rows, OUT, OUT };

mcl_status mcl_segmented_nth_element(mcl_queue *queue, mcl_input keys, mcl_segments segments, int64_t rank,
                                     mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__run run = mcl__run_of(&nth_element, "mcl_segmented_nth_element", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out;
    run.numbers[WANTED] = rank;
    if (rank < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "rank is %lld; expected 0 or more", (long long)rank);
    return mcl__rows_call(&run, &segments, &of_rows);
}

mcl_status mcl_segmented_quantile(mcl_queue *queue, mcl_input keys, mcl_segments segments, double fraction,
                                  mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__run run = mcl__run_of(&quantile, "mcl_segmented_quantile", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out;
    if (!(fraction >= 0 && fraction <= 1))
        return mcl__fail(MCL_ERROR_ARGUMENT, "fraction is %g; expected a number from 0 to 1", fraction);
    const double parts = fraction * 4294967296.0;
    run.numbers[WANTED] = (int64_t)parts;
    if ((double)run.numbers[WANTED] < parts) ++run.numbers[WANTED];
    return mcl__rows_call(&run, &segments, &of_rows);
}
