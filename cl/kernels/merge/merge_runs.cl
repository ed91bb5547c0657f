/* merge_runs.cl: merges sorted runs that lie side by side in one array. A level merges pairs of neighbours, in tiles:
 *
 *   merge_runs_partition   finds where the first run of its pair is cut for each tile (split)
 *   merge_runs_tiles       merges each tile from its parts of the two runs
 *
 * Run r of the caller is [offsets[r], offsets[r + 1]) of a. A level's run consists of side of the caller's runs.
 * Between levels and in out the first run begins at index 0. Only a level with is_first reads from the caller's first
 * offset on. No tile has keys of two pairs. The tiles of pair p begin with number (begin of the pair) / TILE_SIZE + p.
 * So each pair has enough tiles, and some tiles are empty. With KEYS_ARE_RUNS each of the caller's keys is a run.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS; inputs a, offsets; output out; before; scratch
 * split. Input a_values and output out_values, which follow their keys, may be absent.
 *
 * Bounds, whatever offsets, keys and order are: runs_offset clamps offsets, and a pair's bounds ascend. So a pair's
 * runs lie in a, and what is merged is as long as both. A tile lies in its pair. Its keys lie in the pair's runs,
 * since its own cut does (merge_path_input.clh). runs_part clamps the next tile's cut, which may be a cut of another
 * pair where offsets descend. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define HAS_VALUES HAS_out_values
#include "pieces/sort/run_pair.clh"

/* The operands of a merge. Both runs of a pair lie in input a. */
typedef struct {
    input_a a, b;
    input_a_values a_values, b_values;
    output_out out;
    output_out_values out_values;
} runs_merge;
#define MERGE_OPERANDS runs_merge
#include "pieces/merge/merge_tile.clh"

/* Clamps by masks. Mesa 22.3 makes a branch of a choice between an offset and a.count, and reads another number than
 * a.count there: llvmpipe then reads past the keys. */
static inline index_type clamped_offset(const operands_type o, const index_type run)
{
    const int64_t count = (int64_t)o.a.count, offset = (int64_t)load_offsets(o.offsets, run);
    const int64_t least = offset & ~(offset >> 63), above = least - count;
    return (index_type)(count + (above & above >> 63));
}

/* Returns where a run of the caller begins, counted from offset first. */
static inline index_type runs_offset(const operands_type o, const index_type first, const index_type run)
{
#if KEYS_ARE_RUNS
    const index_type length = clamped_offset(o, o.offsets.count - 1) - first;
    return length < 0 ? 0 : run < length ? run : length;
#else
    const index_type offset = clamped_offset(o, run < o.run_count ? run : o.run_count);
    return offset > first ? offset - first : 0;
#endif
}

/* A tile of a level: count keys of a pair's output, from begin on. */
typedef struct {
    run_pair pair;
    index_type first; /* the first run's offset */
    index_type begin;
    int count;
} runs_tile;

/* Returns the pair of a tile: the last pair with a first tile that is not after this tile. */
static inline index_type runs_pair_of(const operands_type o, const index_type first, const index_type tile)
{
    const index_type pairs = (o.run_count - 1) / (2 * o.side) + 1;
    index_type low = 0, high = pairs - 1;
    while (low < high) {
        const index_type middle = high - (high - low) / 2;
        if (runs_offset(o, first, 2 * o.side * middle) / TILE_SIZE + middle <= tile) low = middle;
        else high = middle - 1;
    }
    return low;
}

static inline runs_tile runs_tile_find(const operands_type o, const index_type number)
{
    runs_tile tile;
    tile.first = clamped_offset(o, 0);
    const index_type pair = runs_pair_of(o, tile.first, number), run = 2 * o.side * pair;
    const index_type begin = runs_offset(o, tile.first, run), middle = runs_offset(o, tile.first, run + o.side);
    const index_type end = runs_offset(o, tile.first, run + 2 * o.side);
    tile.pair.begin = tile.pair.low = begin;
    tile.pair.middle = middle > begin ? middle : begin;
    tile.pair.end = tile.pair.high = end > tile.pair.middle ? end : tile.pair.middle;
    const index_type length = tile.pair.end - begin, own = number - (begin / TILE_SIZE + pair);
    const int is_there = own >= 0 && own < length / TILE_SIZE + (length % TILE_SIZE > 0);
    tile.begin = is_there ? begin + own * TILE_SIZE : begin;
    tile.count = is_there ? tile_count(tile.begin, tile.pair.end) : 0;
    return tile;
}

/* Returns the runs that a level reads. */
static inline input_a level_runs(const operands_type o, const index_type first)
{
    return shift_a(o.a, o.is_first ? first : 0);
}

/* Pass 1: one work-item cuts one tile. */
MCL_KERNEL(PARTITION_THREADS) merge_runs_partition(PARAMS_merge_runs_partition)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_merge_runs_partition(o);
    const index_type number = (index_type)get_global_id(0);
    if (number >= tiles) return;
    const runs_tile tile = runs_tile_find(o, number);
    ARRAY(index_type, split)[number] = run_pair_cut(env, level_runs(o, tile.first), tile.pair, tile.begin);
}

/* Returns the operands of a tile's merge. An index in out is the sum of the indices in a and in b. */
static inline merge_operands make_operands(const operands_type o, const runs_tile tile)
{
    const index_type first = o.is_first ? tile.first : 0;
    merge_operands operands;
    operands.a = shift_a(o.a, first);
    operands.b = shift_a(o.a, first + tile.pair.middle);
    operands.out = o.out;
    operands.a_values = shift_a_values(o.a_values, first);
    operands.b_values = shift_a_values(o.a_values, first + tile.pair.middle);
    operands.out_values = o.out_values;
    return operands;
}

/* Returns the number of a tile's keys that come from the first run: next - cut, clamped to the keys that both runs have
 * left. */
static inline int runs_part(const runs_tile tile, const index_type cut, const index_type next)
{
    const index_type a_left = tile.pair.middle - cut, b_left = tile.pair.end - tile.begin - a_left;
    const int least = b_left < tile.count ? tile.count - (int)b_left : 0;
    const int part = merge_part(next - cut, a_left < tile.count ? (int)a_left : tile.count);
    return part > least ? part : least;
}

/* Pass 2: each group merges one tile. */
MCL_KERNEL(TILE_THREADS) merge_runs_tiles(PARAMS_merge_runs_tiles)
{
    MCL_SHARED(merge_store, store);
    const env_type env = MAKE_env;
    __global const index_type *const cuts = ARRAY(index_type, split) + (index_type)get_group_id(0);
    operands_type o;
    TAKE_merge_runs_tiles(o);
    const runs_tile found = runs_tile_find(o, (index_type)get_group_id(0));
    const int is_last = found.begin + found.count >= found.pair.end;
    merge_tile tile;
    tile.begin = found.begin;
    tile.count = found.count;
    tile.a_begin = cuts[0];
    tile.b_begin = tile.begin - tile.a_begin;
    tile.a_part = runs_part(found, tile.a_begin, is_last ? found.pair.middle : cuts[1]);
    merge_tile_parts(env, make_operands(o, found), tile, store);
}
