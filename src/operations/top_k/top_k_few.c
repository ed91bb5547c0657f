/* top_k_few.c: the first k elements in order, where a work-group could sort twice as many. Kernels:
 * cl/kernels/top_k/top_k_few.cl. Three launches: many groups take a large sample, keep what is up to a pivot, and
 * count the ranks of what was kept. */
#include "operations/top_k/top_k_call.h"

#include "facts/top_k.h"

enum {
    IN = MCL__TOP_K_IN,
    IN_VALUES = MCL__TOP_K_IN_VALUES,
    BEFORE = MCL__TOP_K_BEFORE,
    OUT = MCL__TOP_K_OUT,
    OUT_VALUES = MCL__TOP_K_OUT_VALUES,
    OUT_INDICES = MCL__TOP_K_OUT_INDICES,
    CHOSEN = MCL__TOP_K_CHOSEN,
    AMOUNTS = MCL__TOP_K_AMOUNTS
};
enum { SAMPLE, FILTER, RANK };                                    /* passes */
enum { BESTS, LEVEL_KEYS, LEVEL_INDICES, SUMS, CURSORS, CLAIMS }; /* scratch */
enum { WANTED, LIMIT, EMITS, COLLECTS, GROUPS };                  /* numbers */

#define PLAN_WORDS MCL__ENV, MCL__OF + IN, MCL__OF + AMOUNTS, MCL__INDEX + WANTED, MCL__INT + GROUPS
#define SELECTION_WORDS                                                                                                \
    MCL__INDEX + LIMIT, MCL__INT + EMITS, MCL__INT + COLLECTS, MCL__PIECE + LEVEL_KEYS, MCL__PIECE + LEVEL_INDICES,    \
        MCL__PIECE + SUMS, MCL__PIECE + CURSORS, MCL__PIECE + CLAIMS, MCL__OF + IN_VALUES, MCL__OF + OUT,              \
        MCL__OF + OUT_VALUES, MCL__OF + OUT_INDICES

static const mcl__declaration top_k_few = {
    .file = "kernels/top_k/top_k_few.cl",
    MCL__TOP_K_OPERANDS("k").pieces = { [BESTS] = { "bests", "key_type" },
                                        [LEVEL_KEYS] = { "level_keys", "level_key" },
                                        [LEVEL_INDICES] = { "level_indices", "index_type" },
                                        [SUMS] = { "sums", "index_type" },
                                        [CURSORS] = { "cursors", "uint" },
                                        [CLAIMS] = { "claims", "uint" } },
    .numbers = { [WANTED] = "wanted",
                 [LIMIT] = "limit",
                 [EMITS] = "emits",
                 [COLLECTS] = "collects",
                 [GROUPS] = "groups" },
    .passes = { [SAMPLE] = { "top_k_sample", .words = { PLAN_WORDS, MCL__PIECE + BESTS, MCL__PIECE + CURSORS } },
                [FILTER] = { "top_k_filter", .words = { PLAN_WORDS, MCL__PIECE + BESTS, SELECTION_WORDS } },
                [RANK] = { "top_k_rank",
                           .words = { PLAN_WORDS, SELECTION_WORDS, MCL__OF + CHOSEN, MCL__ASKED + CHOSEN } } },
    .takes = MCL__TAKES_UNORDERED,
};

/* Work-groups that take a sample. */
enum { SAMPLING_GROUPS = 64 };

static int index_bits(const mcl__run *run)
{
    return mcl__index_bits(run->given[IN].input->count, run->options);
}

int mcl__top_k_is_few(const mcl__run *run, int64_t wanted)
{
    mcl__run own = *run;
    const mcl__tile tile = mcl__top_k_tile(&own, index_bits(&own));
    const int64_t block = mcl__top_k_block(tile);
    return tile.threads > 1 && wanted > 0 && wanted <= block / 2 && run->given[IN].input->count > block;
}

static mcl_status find_program(mcl__run *run)
{
    const mcl__tile tile = mcl__top_k_tile(run, index_bits(run));
    mcl__run_define(run, "BLOCK_SIZE", (int)mcl__top_k_block(tile));
    mcl__top_k_define_image(run, run->given[BEFORE].op, index_bits(run));
    return mcl__run_program(run, tile, index_bits(run));
}

/* A work-group counts for two elements with each 32 work-items. Of a sample with many wanted elements three times as
 * many as are wanted are kept; of one with few, what a few samples stand for. */
static int64_t rank_groups(const mcl__run *run)
{
    const int64_t count = run->given[IN].input->count, likely = 3 * run->numbers[WANTED] + 12 * TOP_K_SAMPLE_SHARE;
    const int64_t candidates = count < likely ? count : likely;
    return mcl__divide_up(candidates < TOP_K_RANKED_MOST ? candidates : TOP_K_RANKED_MOST,
                          mcl__top_k_counted(mcl__run_tile(run).threads));
}

/* Each work-group looks for the pivot first: so no more than run at the same time. */
static int64_t filter_groups(const mcl__run *run)
{
    enum { RESIDENT = 1024 }; /* work-items of a compute unit */
    const int threads = mcl__run_tile(run).threads;
    const int64_t tiles = mcl__run_tiles(run, run->given[IN].input->count),
                  each = threads < RESIDENT ? RESIDENT / threads : 1;
    const int64_t most = each * run->queue->context->limits.compute_units, parts = mcl__run_parts(run, tiles, 8);
    return parts < most ? parts : most;
}

mcl_status mcl__top_k_few(const mcl__run *checked, int64_t wanted)
{
    mcl__run run = *checked;
    const mcl_type *const type = run.given[IN].input->type;
    const int64_t count = run.given[IN].input->count;
    run.declaration = &top_k_few;
    MCL__TRY(find_program(&run));
    const size_t ranked = mcl__top_k_ranked_bytes(type, index_bits(&run));
    const int64_t block = mcl__run_tile_size(&run), room = mcl__top_k_room(count, block, TOP_K_RANKED_MOST);
    const int64_t parts = filter_groups(&run);
    run.numbers[WANTED] = wanted;
    run.numbers[LIMIT] = count;
    run.numbers[EMITS] = 1;
    run.numbers[COLLECTS] = 0;
    run.numbers[GROUPS] = SAMPLING_GROUPS < mcl__run_tile(&run).threads ? SAMPLING_GROUPS : mcl__run_tile(&run).threads;
    const int64_t sums = parts > rank_groups(&run) ? parts : rank_groups(&run);
    mcl__run_need(&run, BESTS, (size_t)mcl__run_tile(&run).threads * ranked);
    mcl__run_need(&run, LEVEL_KEYS, (size_t)room * mcl__staged_bytes(type));
    mcl__run_need(&run, LEVEL_INDICES, mcl__run_index_bytes(&run, room));
    mcl__run_need(&run, SUMS, mcl__run_index_bytes(&run, 2 * (sums + 1)));
    mcl__run_need(&run, CURSORS, TOP_K_CURSORS * sizeof(uint32_t));
    mcl__run_need(&run, CLAIMS, (size_t)wanted * sizeof(uint32_t));
    MCL__TRY(mcl__run_begin(&run));
    MCL__TRY(mcl__run_launch(&run, SAMPLE, count > TOP_K_UNSAMPLED_MOST ? run.numbers[GROUPS] : 1));
    MCL__TRY(mcl__run_launch(&run, FILTER, count > TOP_K_UNSAMPLED_MOST ? parts : 1));
    MCL__TRY(mcl__run_launch(&run, RANK, rank_groups(&run)));
    return mcl__run_end(&run);
}
