/* sort.cl: stable mergesort. Passes: sort_blocks, then for each level sort_partition and sort_merge, or sort_merge_few.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS BLOCK_TILES PARTITION_THREADS; MERGED_RUNS, the number of runs
 * that a level merges into one: 2, or FOUR_RUNS where tiles are many; before; BASE_RUN and BASE_COLUMNS of
 * sort_serial.clh.
 *   in, a                      inputs: what is sorted; the runs of the previous pass
 *   out, spare                 outputs; passes may overwrite spare
 *   in_values, a_values        inputs that may be absent: values, which follow their keys
 *   out_values, spare_values   outputs that may be absent
 *   keys                       input that may be absent: elements are indices in it, and before compares its keys
 *
 * Bounds, whatever before says: a cut is searched between the least and the most that a pair's lengths allow. The part
 * between two cuts is clamped to the tile (run_tile_between), so both parts of a tile lie in their runs. The parts of
 * four runs lie in the array (four_tile_between). A merge takes from a run only while that run has keys left. So every
 * stored key is one of the tile's keys. Where keys are indices, each is an index of the input. */
#define HAS_VALUES HAS_out_values
#define KEYS_STAY HAS_keys
#define STABLE 1
#define SEGMENTED 0
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define BLOCK_SIZE (TILE_SIZE * BLOCK_TILES)
#if TILE_THREADS == 1
#define BLOCK_THREADS 1
#else
#define BLOCK_THREADS (TILE_THREADS * BLOCK_TILES)
#endif
#include "pieces/tile/part_range.clh"

#if KEYS_STAY
/* The environment of before where keys are indices. It has the input that the indices refer to. */
typedef struct {
    env_type operators;
    input_keys keys;
} indices_env;

static inline int before_indices(const indices_env env, const key_type p, const key_type q)
{
    return before(env.operators, load_keys(env.keys, (index_type)p), load_keys(env.keys, (index_type)q));
}

static inline indices_env with_keys(const env_type operators, const input_keys keys)
{
    indices_env env;
    env.operators = operators;
    env.keys = keys;
    return env;
}
#define MAKE_sort with_keys(MAKE_env, MAKE_keys)
#define env_type indices_env
#define before before_indices
#else
#define MAKE_sort MAKE_env
#endif

#include "pieces/sort/sort_arrays.clh"
#define MERGE_OPERANDS array_merge
#include "pieces/merge/merge_tile.clh"

/* ---- blocks ------------------------------------------------------------------------------------------------- */

#include "pieces/sort/sort_tile.clh"

/* Without this bound ptxas spills some registers of pairs to fit more groups. */
#if INDEX_BITS == 64
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(512)
#endif

/* Pass 1: sorts each block of BLOCK_SIZE elements. out may be the memory of in, since a block is read before it is
 * written. */
MCL_KERNEL(BLOCK_THREADS) sort_blocks(PARAMS_sort_blocks)
{
    MCL_SHARED(block_store, store);
    const env_type env = MAKE_sort;
    const index_type begin = (index_type)get_group_id(0) * BLOCK_SIZE;
    const sort_arrays arrays = MAKE_arrays;
    sort_input in;
    in.keys = MAKE_in;
    in.values = MAKE_in_values;
    sort_block_parts(env, in, arrays, begin, sort_block_count(begin, in.keys.count), store);
}

/* ---- levels ------------------------------------------------------------------------------------------------- */

#include "facts/merge_sort.h"
#include "pieces/sort/run_pair.clh"
#undef KERNEL_GROUPS
#define KERNEL_GROUPS 0

/* Returns the operands of a merge of runs in one array. Where two runs are merged, b is the second one, which begins at
 * middle. An index in out is the sum of the indices in a and b. */
static inline merge_operands make_operands(const index_type middle, const input_a runs, const output_out out,
                                           const input_a_values a_values, const output_out_values out_values)
{
    merge_operands operands;
    operands.a = runs;
    operands.b = shift_a(runs, middle);
    operands.out = out;
    operands.a_values = a_values;
    operands.b_values = shift_a_values(a_values, middle);
    operands.out_values = out_values;
    return operands;
}

static inline merge_tile make_tile(const run_tile t)
{
    merge_tile tile;
    tile.begin = t.begin;
    tile.a_begin = t.a_begin;
    tile.b_begin = t.begin - t.a_begin;
    tile.count = t.count;
    tile.a_part = t.a_part;
    return tile;
}
#define MAKE_merge MAKE_out, MAKE_a_values, MAKE_out_values

#if TILE_THREADS == 1
/* Pass 2: one work-item cuts one tile. */
MCL_KERNEL(PARTITION_THREADS) sort_partition(PARAMS_sort_partition)
{
    const env_type env = MAKE_sort;
    const input_a runs = MAKE_a;
    const index_type tile = (index_type)get_global_id(0);
    if (tile >= tiles) return;
    const run_pair pair = run_pair_find(tile, runs.count, run_tiles);
    ARRAY(index_type, split)[tile] = run_pair_cut(env, runs, pair, tile_begin(tile, runs.count));
}

/* Pass 3: merges each tile from its parts of two runs. */
MCL_KERNEL(TILE_THREADS) sort_merge(PARAMS_sort_merge)
{
    MCL_SHARED(merge_store, store);
    const env_type env = MAKE_sort;
    const input_a runs = MAKE_a;
    const index_type number = (index_type)get_group_id(0);
    const run_pair pair = run_pair_find(number, runs.count, run_tiles);
    __global const index_type *const cuts = ARRAY(index_type, split) + number;
    const int last = (number + 1) * TILE_SIZE >= runs.count;
    const run_tile tile = run_tile_between(number, runs.count, pair, cuts[0], last ? 0 : cuts[1]);
    merge_tile_parts(env, make_operands(pair.middle, runs, MAKE_merge), make_tile(tile), store);
}
#elif MERGED_RUNS == FOUR_RUNS
#include "pieces/sort/four_runs.clh"
#include "pieces/merge/merge_four.clh"

/* Pass 2: one work-item cuts one tile. */
MCL_KERNEL(PARTITION_THREADS) sort_partition(PARAMS_sort_partition)
{
    const env_type env = MAKE_sort;
    const input_a array = MAKE_a;
    const index_type tile = (index_type)get_global_id(0);
    if (tile >= tiles) return;
    const four_runs runs = four_runs_find(tile, array.count, run_tiles);
    const four_cuts cuts = four_runs_cut(env, array, runs, tile_begin(tile, array.count));
    UNROLL
    for (int r = 0; r < FOUR_CUTS; ++r) ARRAY(index_type, split)[tile * FOUR_CUTS + r] = cuts.of[r];
}

/* Pass 3: merges each tile from its parts of four runs. */
MCL_KERNEL(TILE_THREADS) sort_merge(PARAMS_sort_merge)
{
    MCL_SHARED(four_store, store);
    const env_type env = MAKE_sort;
    const input_a array = MAKE_a;
    const index_type tile = (index_type)get_group_id(0), begin = tile_begin(tile, array.count);
    const index_type end = tile_begin(tile + 1, array.count);
    const four_runs runs = four_runs_find(tile, array.count, run_tiles);
    __global const index_type *const split = ARRAY(index_type, split) + tile * FOUR_CUTS;
    const four_cuts cuts = four_cuts_load(split, runs, begin);
    four_cuts next = four_runs_ends(runs);
    if (end < runs.ends[FOUR_RUNS]) next = four_cuts_load(split + FOUR_CUTS, runs, end);
    const four_tile merged = four_tile_between(tile, array.count, runs, cuts, next);
    merge_four_parts(env, make_operands(0, array, MAKE_merge), merged, store);
}

#else
/* Passes 2 and 3 in one launch, for few tiles: merges each tile from its parts of two runs. A sub-group finds each of
 * the two cuts; without sub-groups a work-item does. */
typedef struct {
    index_type of[2];
} tile_cuts;

MCL_KERNEL(TILE_THREADS) sort_merge_few(PARAMS_sort_merge_few)
{
    MCL_SHARED(merge_store, store);
    MCL_SHARED(tile_cuts, cuts);
    const env_type env = MAKE_sort;
    const input_a runs = MAKE_a;
    const index_type number = (index_type)get_group_id(0);
    const run_pair pair = run_pair_find(number, runs.count, run_tiles);
    const int id = (int)get_local_id(0);
#if SUB_GROUP_LANES
    for (int side = id / SUB_GROUP_LANES; side < 2; side += TILE_THREADS / SUB_GROUP_LANES) {
        const index_type cut = run_pair_cut_wide(env, runs, pair, tile_begin(number + side, runs.count));
        if (sub_group_lane() == 0) cuts->of[side] = cut;
    }
#else
    if (id < 2) cuts->of[id] = run_pair_cut(env, runs, pair, tile_begin(number + id, runs.count));
#endif
    group_barrier();
    const run_tile tile = run_tile_between(number, runs.count, pair, cuts->of[0], cuts->of[1]);
    merge_tile_parts(env, make_operands(pair.middle, runs, MAKE_merge), make_tile(tile), store);
}
#endif
