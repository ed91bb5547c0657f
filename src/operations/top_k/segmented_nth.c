/* segmented_nth.c: mcl_segmented_nth_element and mcl_segmented_quantiles. Kernels:
 * cl/kernels/top_k/segmented_nth.cl. */
#include "operations/top_k/segments_rows.h"

#include "facts/top_k.h"
#include "moderncl/segmented_top_k.h"

/* Operands, passes, scratch, numbers. */
enum { IN = MCL__ROWS_IN, OFFSETS = MCL__ROWS_OFFSETS, BEFORE = MCL__ROWS_OTHERS, OUT, AMOUNTS, FRACTIONS };
enum { KEY = 1 };
enum { SELECT };
enum { STATE, LEVEL_KEYS, LEVEL_INDICES, SUMS, CURSORS, SAMPLE };
enum { ROWS = MCL__ROWS_COUNT, FIRST, EACH, WANTED, LIMIT, ROOM, EMITS, COLLECTS };

#define SEGMENTED_NTH(out_types, ...)                                                                                  \
    .file = "kernels/top_k/segmented_nth.cl",                                                                          \
    .operands = { [IN] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY, __VA_ARGS__ },                      \
                  MCL__ROWS_SEGMENTS,                                                                                  \
                  [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },                     \
                  [OUT] = { "out", .kind = MCL__OUTPUT, out_types },                                                   \
                  [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .said = "rank", .types = MCL__COUNTS },                 \
                  [FRACTIONS] = { "fractions", .kind = MCL__INPUT, .types = MCL__REALS } },                            \
    .pieces = { [STATE] = { "state", "top_k_state" },                                                                  \
                [LEVEL_KEYS] = { "level_keys", "level_key" },                                                          \
                [LEVEL_INDICES] = { "level_indices", "index_type" },                                                   \
                [SUMS] = { "sums", "index_type" },                                                                     \
                [CURSORS] = { "cursors", "uint" },                                                                     \
                [SAMPLE] = { "sample", "key_type" } },                                                                 \
    .numbers = { [ROWS] = "rows",   [FIRST] = "first", [EACH] = "each",   [WANTED] = "wanted",                         \
                 [LIMIT] = "limit", [ROOM] = "room",   [EMITS] = "emits", [COLLECTS] = "collects" },                   \
    .passes = { [SELECT] = { "segmented_nth", .words = { MCL__ENV,                                                     \
                                                         MCL__OF + IN,                                                 \
                                                         MCL__OF + OFFSETS,                                            \
                                                         MCL__OF + AMOUNTS,                                            \
                                                         MCL__OF + FRACTIONS,                                          \
                                                         MCL__OF + OUT,                                                \
                                                         MCL__PIECE + STATE,                                           \
                                                         MCL__PIECE + LEVEL_KEYS,                                      \
                                                         MCL__PIECE + LEVEL_INDICES,                                   \
                                                         MCL__PIECE + SUMS,                                            \
                                                         MCL__PIECE + CURSORS,                                         \
                                                         MCL__PIECE + SAMPLE,                                          \
                                                         MCL__INDEX + ROWS,                                            \
                                                         MCL__INDEX + FIRST,                                           \
                                                         MCL__INDEX + EACH,                                            \
                                                         MCL__INDEX + WANTED,                                          \
                                                         MCL__INDEX + LIMIT,                                           \
                                                         MCL__INDEX + ROOM,                                            \
                                                         MCL__INT + EMITS,                                             \
                                                         MCL__INT + COLLECTS } } }

static const mcl__declaration of_keys = { SEGMENTED_NTH(.group = KEY, .types = MCL__ANY_TYPE) };
/* Numbers between two keys. */
static const mcl__declaration between_keys = { SEGMENTED_NTH(.types = MCL__REALS, .types = MCL__BUILT_INS) };

/* Work-groups have memory for levels of their own, so a launch has no more than keep a device busy. Candidates of a
 * level, in blocks: a round of a longer segment may find no room, and then another round follows. */
enum { GROUPS_MAX = 1024, LIMIT_BLOCKS = 32 };

static int index_bits(const mcl__run *run)
{
    const int64_t in = run->given[IN].input->count, offsets = run->given[OFFSETS].input->count;
    const int64_t most = in > offsets ? in : offsets, ranks = run->numbers[ROWS] * run->numbers[EACH];
    return mcl__index_bits(most > ranks ? most : ranks, run->options);
}

static mcl_status find_program(mcl__run *run, int has_end)
{
    const mcl__tile tile = mcl__top_k_tile(run, index_bits(run));
    run->without = tile.threads == 1 ? 0 : MCL__BIT(STATE) | MCL__BIT(SAMPLE);
    mcl__run_define(run, "BLOCK_SIZE", (int)mcl__top_k_block(tile));
    mcl__run_define(run, "HAS_END", has_end);
    mcl__top_k_define_image(run, run->given[BEFORE].op, index_bits(run));
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
    mcl__run_need(run, CURSORS, (size_t)(TOP_K_CURSORS * groups) * sizeof(uint32_t));
    if (!mcl__run_is_serial(run)) return;
    mcl__run_need(run, STATE, (size_t)groups * mcl__top_k_state_bytes(type, index_bits(run)));
    mcl__run_need(run, SAMPLE, (size_t)(2 * groups * block) * mcl__top_k_ranked_bytes(type, index_bits(run)));
}

static mcl_status select_rows(mcl__run *run, int has_end)
{
    const int64_t count = run->given[IN].input->count, ranks = run->numbers[ROWS] * run->numbers[EACH];
    MCL__TRY(find_program(run, has_end));
    const int64_t block = mcl__top_k_block(mcl__run_tile(run)), limit = LIMIT_BLOCKS * block;
    const int64_t most = mcl__run_is_serial(run) ? 8 * (int64_t)run->queue->context->limits.compute_units : GROUPS_MAX;
    const int64_t groups = ranks < most ? ranks : most;
    run->numbers[LIMIT] = count < limit ? count : limit;
    run->numbers[ROOM] = mcl__top_k_room(run->numbers[LIMIT], block, block);
    need_scratch(run, groups);
    MCL__TRY(mcl__run_begin(run));
    for (int64_t first = 0; first < ranks; first += mcl__run_is_serial(run) ? ranks : groups) {
        run->numbers[FIRST] = first;
        MCL__TRY(mcl__run_launch(run, SELECT, ranks - first < groups ? ranks - first : groups));
    }
    return mcl__run_end(run);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static int64_t row_length(const mcl__run *run, int output)
{
    (void)output;
    return run->numbers[EACH];
}

/* A rank that is the number of keys is in no segment. */
static mcl_status plan_rows(mcl__run *run)
{
    const int64_t count = run->given[IN].input->count, rows = run->numbers[ROWS], each = run->numbers[EACH];
    if (rows > 0 && each > INT64_MAX / rows)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%lld rows of %lld quantiles are too many for an output", (long long)rows,
                         (long long)each);
    MCL__TRY(mcl__amount_check("rank", run->given[AMOUNTS].input, rows));
    if (run->numbers[WANTED] > count) run->numbers[WANTED] = count;
    run->room[OUT] = rows * each;
    return MCL_OK;
}

static const mcl__rows of_rows = { row_length, plan_rows, select_rows, OUT, OUT };

mcl_status mcl_segmented_nth_element(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount rank,
                                     mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &of_keys, "mcl_segmented_nth_element", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out;
    run.given[AMOUNTS].input = mcl__amount_numbers(&rank);
    run.numbers[WANTED] = rank.number;
    run.numbers[EACH] = 1;
    if (rank.number < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "rank is %lld; expected 0 or more", (long long)rank.number);
    return mcl__rows_call(&run, &segments, &of_rows);
}

mcl_status mcl_segmented_quantiles(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_input fractions,
                                   mcl_output out, const mcl_op *before, mcl_interpolation interpolation,
                                   const mcl_options *options)
{
    const int between = mcl__interpolates(interpolation);
    mcl__run run;
    mcl__run_init(&run, between ? &between_keys : &of_keys, "mcl_segmented_quantiles", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out;
    run.given[FRACTIONS].input = &fractions;
    run.numbers[EACH] = fractions.count;
    fractions.count_slot = NULL;
    mcl__run_define(&run, "INTERPOLATION", (int)interpolation);
    MCL__TRY(mcl__interpolation_check(interpolation));
    return mcl__rows_call(&run, &segments, &of_rows);
}
