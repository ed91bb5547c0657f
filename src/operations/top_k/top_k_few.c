/* top_k_few.c: the first k elements in order, where a work-group could sort twice that many. Kernels:
 * cl/kernels/top_k/top_k_few.cl. There are three launches with many groups. The first takes a large sample, the second
 * keeps the elements up to a pivot, and the third counts the ranks of the kept elements. */
#include "operations/top_k/selection.h"
#include "operations/top_k/top_k_operands.h"

enum { SAMPLE, FILTER, RANK };                                    /* passes */
enum { BESTS, LEVEL_KEYS, LEVEL_INDICES, SUMS, CURSORS, CLAIMS }; /* scratch */
enum { WANTED, LIMIT, EMITS, COLLECTS, GROUPS };                  /* scalars */

#define PLAN_ARGUMENTS MCL__ENVIRONMENT, OPERAND(IN), OPERAND(AMOUNTS), AS_INDEX(WANTED), AS_INT(GROUPS)
#define SELECTION_ARGUMENTS                                                                                            \
    AS_INDEX(LIMIT), AS_INT(EMITS), AS_INT(COLLECTS), SCRATCH(LEVEL_KEYS), SCRATCH(LEVEL_INDICES), SCRATCH(SUMS),      \
        SCRATCH(CURSORS), SCRATCH(CLAIMS), OPERAND(IN_VALUES), OPERAND(OUT), OPERAND(OUT_VALUES), OPERAND(OUT_INDICES)

static const mcl__declaration top_k_few = {
    .file = "kernels/top_k/top_k_few.cl",
    .operands = mcl__top_k_operands,
    .scratch = { [BESTS] = { "bests", "key_type" },
                 [LEVEL_KEYS] = { "level_keys", "level_key" },
                 [LEVEL_INDICES] = { "level_indices", "index_type" },
                 [SUMS] = { "sums", "index_type" },
                 [CURSORS] = { "cursors", "uint" },
                 [CLAIMS] = { "claims", "uint" } },
    .scalars = { [WANTED] = "wanted",
                 [LIMIT] = "limit",
                 [EMITS] = "emits",
                 [COLLECTS] = "collects",
                 [GROUPS] = "groups" },
    .passes =
        (mcl__passes){
            [SAMPLE] = { "top_k_sample", .arguments = { PLAN_ARGUMENTS, SCRATCH(BESTS), SCRATCH(CURSORS) } },
            [FILTER] = { "top_k_filter", .arguments = { PLAN_ARGUMENTS, SCRATCH(BESTS), SELECTION_ARGUMENTS } },
            [RANK] = { "top_k_rank",
                       .arguments = { PLAN_ARGUMENTS, SELECTION_ARGUMENTS, OPERAND(CHOSEN), HAS_RESULT(CHOSEN) } } },
    .takes = MCL__TAKES_UNORDERED,
};

/* The most work-groups that take a sample. */
enum { SAMPLING_GROUPS = 64 };

static int index_bits(const mcl__call *call)
{
    return mcl__index_bits(call->operands[IN].input->count, call->options);
}

int mcl__top_k_is_few(const mcl__call *call, int64_t wanted)
{
    mcl__call own = *call;
    const mcl__tile tile = mcl__top_k_tile(&own, index_bits(&own));
    const int64_t block = mcl__top_k_block(tile);
    return tile.threads > 1 && wanted > 0 && wanted <= block / 2 && call->operands[IN].input->count > block;
}

static mcl_status find_program(mcl__call *call)
{
    const mcl__tile tile = mcl__top_k_tile(call, index_bits(call));
    mcl__call_define(call, "BLOCK_SIZE", (int)mcl__top_k_block(tile));
    mcl__top_k_define_image(call, call->operands[BEFORE].op, index_bits(call));
    return mcl__call_program(call, tile, index_bits(call));
}

/* Returns the number of work-groups that count ranks. In a work-group, each 32 work-items count for two elements. If
 * many elements of the sample are wanted, three times as many elements as wanted are kept. If few are wanted, the
 * elements that a few samples represent are kept too. */
static int64_t rank_groups(const mcl__call *call)
{
    const int64_t count = call->operands[IN].input->count, likely = 3 * call->scalars[WANTED] + 12 * TOP_K_SAMPLE_SHARE;
    const int64_t candidates = count < likely ? count : likely;
    return mcl__divide_up(candidates < TOP_K_RANKED_MOST ? candidates : TOP_K_RANKED_MOST,
                          mcl__top_k_counted(mcl__call_tile(call).threads));
}

/* Returns the number of work-groups that filter. It is at most the number that run at the same time, since each group
 * first looks for the pivot. */
static int64_t filter_groups(const mcl__call *call)
{
    enum { RESIDENT = 1024 }; /* work-items of a compute unit */
    const int threads = mcl__call_tile(call).threads;
    const int64_t tiles = mcl__call_tiles(call, call->operands[IN].input->count),
                  each = threads < RESIDENT ? RESIDENT / threads : 1;
    const int64_t most = each * call->queue->context->limits.compute_units, parts = mcl__call_parts(call, tiles, 8);
    return parts < most ? parts : most;
}

mcl_status mcl__top_k_few(const mcl__call *checked, int64_t wanted)
{
    mcl__call call = *checked;
    const mcl_type *const type = call.operands[IN].input->type;
    const int64_t count = call.operands[IN].input->count;
    call.declaration = &top_k_few;
    MCL__TRY(find_program(&call));
    const size_t ranked = mcl__top_k_ranked_bytes(type, index_bits(&call));
    const int64_t block = mcl__call_tile_size(&call), room = mcl__top_k_room(count, block, TOP_K_RANKED_MOST);
    const int64_t parts = filter_groups(&call);
    call.scalars[WANTED] = wanted;
    call.scalars[LIMIT] = count;
    call.scalars[EMITS] = 1;
    call.scalars[COLLECTS] = 0;
    call.scalars[GROUPS] =
        SAMPLING_GROUPS < mcl__call_tile(&call).threads ? SAMPLING_GROUPS : mcl__call_tile(&call).threads;
    const int64_t sums = parts > rank_groups(&call) ? parts : rank_groups(&call);
    mcl__call_scratch(&call, BESTS, (size_t)mcl__call_tile(&call).threads * ranked);
    mcl__call_scratch(&call, LEVEL_KEYS, (size_t)room * mcl__staged_bytes(type));
    mcl__call_scratch(&call, LEVEL_INDICES, mcl__call_index_bytes(&call, room));
    mcl__call_scratch(&call, SUMS, mcl__call_index_bytes(&call, 2 * (sums + 1)));
    mcl__call_scratch(&call, CURSORS, TOP_K_CURSORS * sizeof(uint32_t));
    mcl__call_scratch(&call, CLAIMS, (size_t)wanted * sizeof(uint32_t));
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(mcl__call_launch(&call, SAMPLE, count > TOP_K_UNSAMPLED_MOST ? call.scalars[GROUPS] : 1));
    MCL__TRY(mcl__call_launch(&call, FILTER, count > TOP_K_UNSAMPLED_MOST ? parts : 1));
    MCL__TRY(mcl__call_launch(&call, RANK, rank_groups(&call)));
    return mcl__call_end(&call);
}
