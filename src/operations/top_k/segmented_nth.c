/* segmented_nth.c: mcl_segmented_nth_element and mcl_segmented_quantiles. Kernels:
 * cl/kernels/top_k/segmented_nth.cl. */
#include "operations/top_k/segments_rows.h"

#include "tuning/cost.h"

#include "moderncl/segmented_top_k.h"

/* Passes, scratch, scalars. */
enum { SELECT };
enum { STATE, LEVEL_KEYS, LEVEL_INDICES, SUMS, CURSORS, SAMPLE };
enum { FIRST = OTHER_SCALARS, LIMIT, ROOM, EMITS, COLLECTS };

static const mcl__declaration segmented_nth = {
    .file = "kernels/top_k/segmented_nth.cl",
    .of_steps = 1,
    .operands = mcl__rows_operands,
    .scratch = { [STATE] = { "state", "top_k_state" },
                 [LEVEL_KEYS] = { "level_keys", "level_key" },
                 [LEVEL_INDICES] = { "level_indices", "index_type" },
                 [SUMS] = { "sums", "index_type" },
                 [CURSORS] = { "cursors", "uint" },
                 [SAMPLE] = { "sample", "key_type" } },
    .scalars = { [ROWS] = "rows",
                 [FIRST] = "first",
                 [ROW] = "each",
                 [WANTED] = "wanted",
                 [LIMIT] = "limit",
                 [ROOM] = "room",
                 [EMITS] = "emits",
                 [COLLECTS] = "collects" },
    .passes = (mcl__passes){ [SELECT] = { "segmented_nth",
                                          .arguments = { MCL__ENVIRONMENT, OPERAND(IN),         OPERAND(OFFSETS),
                                                         OPERAND(AMOUNTS), OPERAND(FRACTIONS),  OPERAND(OUT),
                                                         SCRATCH(STATE),   SCRATCH(LEVEL_KEYS), SCRATCH(LEVEL_INDICES),
                                                         SCRATCH(SUMS),    SCRATCH(CURSORS),    SCRATCH(SAMPLE),
                                                         AS_INDEX(ROWS),   AS_INDEX(FIRST),     AS_INDEX(ROW),
                                                         AS_INDEX(WANTED), AS_INDEX(LIMIT),     AS_INDEX(ROOM),
                                                         AS_INT(EMITS),    AS_INT(COLLECTS) } } },
};

/* Labels of operands in error sentences. */
static const char *const labels[MCL__DECLARED_MAX] = { [AMOUNTS] = "rank" };

/* The operands that differ where quantiles are interpolated between two keys. */
static mcl__operands between_keys = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "keys", .types = MCL__BUILT_INS, .group = KEY },
    [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__REALS },
};

/* GROUPS_MAX limits the work-groups of a launch: enough to keep a device busy, since each group needs memory for its
 * levels. LIMIT_BLOCKS, in blocks, limits the elements for which levels are planned. In a longer segment a round may
 * find no room, and another round follows. */
enum { GROUPS_MAX = 1024, LIMIT_BLOCKS = 32 };

static int index_bits(const mcl__call *call)
{
    const int64_t in = call->operands[IN].input->count, offsets = call->operands[OFFSETS].input->count;
    const int64_t most = in > offsets ? in : offsets, ranks = call->scalars[ROWS] * call->scalars[ROW];
    return mcl__index_bits(most > ranks ? most : ranks, call->options);
}

static mcl_status find_program(mcl__call *call, int has_end)
{
    const mcl__tile tile = mcl__top_k_tile(call, index_bits(call));
    call->without = tile.threads == 1 ? 0 : MCL__BIT(STATE) | MCL__BIT(SAMPLE);
    mcl__call_define(call, "BLOCK_SIZE", (int)mcl__top_k_block(tile));
    mcl__call_define(call, "HAS_END", has_end);
    mcl__top_k_define_image(call, call->operands[BEFORE].op, index_bits(call));
    return mcl__call_program(call, tile, index_bits(call));
}

static void need_scratch(mcl__call *call, int64_t groups)
{
    const mcl_type *const type = call->operands[IN].input->type;
    const int64_t block = mcl__top_k_block(mcl__call_tile(call)), room = groups * call->scalars[ROOM];
    const size_t key = mcl__staged_bytes(type);
    mcl__call_scratch(call, LEVEL_KEYS, (size_t)room * key);
    mcl__call_scratch(call, LEVEL_INDICES, mcl__call_index_bytes(call, room));
    mcl__call_scratch(call, SUMS, mcl__call_index_bytes(call, 2 * groups));
    mcl__call_scratch(call, CURSORS, (size_t)(TOP_K_CURSORS * groups) * sizeof(uint32_t));
    if (!mcl__call_is_serial(call)) return;
    mcl__call_scratch(call, STATE, (size_t)groups * mcl__top_k_state_bytes(type, index_bits(call)));
    mcl__call_scratch(call, SAMPLE,
                      (size_t)(groups * TOP_K_WHOLE_BLOCKS * block) * mcl__top_k_ranked_bytes(type, index_bits(call)));
}

static mcl_status select_rows(mcl__call *call, int has_end)
{
    const int64_t count = call->operands[IN].input->count, ranks = call->scalars[ROWS] * call->scalars[ROW];
    MCL__TRY(find_program(call, has_end));
    const int64_t block = mcl__top_k_block(mcl__call_tile(call)), limit = LIMIT_BLOCKS * block;
    const int64_t most =
        mcl__call_is_serial(call) ? 8 * (int64_t)call->queue->context->limits.compute_units : GROUPS_MAX;
    const int64_t groups = ranks < most ? ranks : most;
    call->scalars[LIMIT] = count < limit ? count : limit;
    call->scalars[ROOM] = mcl__top_k_room(call->scalars[LIMIT], block, block);
    need_scratch(call, groups);
    MCL__TRY(mcl__call_begin(call));
    for (int64_t first = 0; first < ranks; first += mcl__call_is_serial(call) ? ranks : groups) {
        call->scalars[FIRST] = first;
        MCL__TRY(mcl__call_launch(call, SELECT, ranks - first < groups ? ranks - first : groups));
    }
    return mcl__call_end(call);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static int64_t row_length(const mcl__call *call, int output)
{
    (void)output;
    return call->scalars[ROW];
}

/* Plans for the number of rows. A rank that is too large becomes the number of keys: no segment has an element of this
 * rank. */
static mcl_status plan_rows(mcl__call *call)
{
    const int64_t count = call->operands[IN].input->count, rows = call->scalars[ROWS], each = call->scalars[ROW];
    if (rows > 0 && each > INT64_MAX / rows)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%lld rows of %lld quantiles are too many for an output", (long long)rows,
                         (long long)each);
    MCL__TRY(mcl__amount_check("rank", call->operands[AMOUNTS].input, rows));
    if (call->scalars[WANTED] > count) call->scalars[WANTED] = count;
    call->room[OUT] = rows * each;
    return MCL_OK;
}

/* Returns the number of selections in a segment, since each rank is selected separately. */
static int64_t rounds(mcl__call *call)
{
    return call->scalars[ROW];
}

static double cost(const mcl__call *call, int64_t length)
{
    return (double)call->scalars[ROW] * mcl__cost_rank(call->queue->context, length);
}

static const mcl__rows of_rows = { .each = row_length,
                                   .plan = plan_rows,
                                   .select = select_rows,
                                   .first_output = OUT,
                                   .last_output = OUT,
                                   .sort_length = MCL__PARAMETER_segmented_top_k_rank_sort_length,
                                   .rounds = rounds,
                                   .cost = cost,
                                   .takes_rank = 1 };

mcl_status mcl_segmented_nth_element(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount rank,
                                     mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &segmented_nth, "mcl_segmented_nth_element", queue, options);
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[OUT].output = &out;
    call.operands[AMOUNTS].input = mcl__amount_numbers(&rank);
    call.label = labels;
    call.scalars[WANTED] = rank.number;
    call.scalars[ROW] = 1;
    if (rank.number < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "rank is %lld; expected 0 or more", (long long)rank.number);
    return mcl__rows_plan(&call, &segments, &of_rows);
}

mcl_status mcl_segmented_quantiles(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_input fractions,
                                   mcl_output out, const mcl_op *before, mcl_interpolation interpolation,
                                   const mcl_options *options)
{
    const int between = mcl__interpolates(interpolation);
    mcl__call call;
    mcl__call_init(&call, &segmented_nth, "mcl_segmented_quantiles", queue, options);
    if (between) call.own = between_keys;
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[OUT].output = &out;
    call.operands[FRACTIONS].input = &fractions;
    call.scalars[ROW] = fractions.count;
    fractions.count_slot = NULL;
    mcl__call_define(&call, "INTERPOLATION", (int)interpolation);
    MCL__TRY(mcl__interpolation_check(interpolation));
    return mcl__rows_plan(&call, &segments, &of_rows);
}
