/* sort.cl: stable mergesort. Passes: sort_blocks, then for each level sort_partition and sort_merge.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS BLOCK_TILES PARTITION_THREADS; before; input in, what is sorted;
 * input a, the runs of the pass before; outputs out and spare, an array that passes may overwrite. HAS_VALUES: inputs
 * in_values, a_values, outputs out_values, spare_values, which follow their keys. KEYS_STAY: what is sorted are places
 * in an input keys, which before compares. CUTS_IN_MERGE: sort_merge does sort_partition's searches, under the group
 * mapping. BASE_RUN, BASE_COLUMNS: of sort_serial.clh. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define BLOCK_SIZE (TILE_SIZE * BLOCK_TILES)
#if TILE_THREADS == 1
#define BLOCK_THREADS 1
#else
#define BLOCK_THREADS (TILE_THREADS * BLOCK_TILES)
#endif
#include "group/part_range.clh"

#if KEYS_STAY
/* From here on the keys are places, and the environment of before has the input that they are places in. */
typedef struct {
    env_type operators;
    input_keys keys;
} places_env;

static inline int before_places(const places_env env, const key_type p, const key_type q)
{
    return before(env.operators, load_keys(env.keys, (index_type)p), load_keys(env.keys, (index_type)q));
}

static inline places_env with_keys(const env_type operators, const input_keys keys)
{
    places_env env;
    env.operators = operators;
    env.keys = keys;
    return env;
}
#define PARAMS_sort PARAMS_env PARAMS_keys,
#define MAKE_sort with_keys(MAKE_env, MAKE_keys)
#define env_type places_env
#define before before_places
#else
#define PARAMS_sort PARAMS_env
#define MAKE_sort MAKE_env
#endif

/* Both runs of a merge lie in one array. */
#define input_b input_a
#define load_b load_a
#define shift_b shift_a
#define input_b_values input_a_values
#define load_b_values load_a_values
#define shift_b_values shift_a_values

#define MERGE_PATH merge_path_input
#define A_RUN input_a
#define B_RUN input_b
#define A_AT(a, i) load_a(a, i)
#define B_AT(b, i) load_b(b, i)
#include "group/merge_path.clh"
#include "group/merge_tile.clh"

/* ---- blocks ------------------------------------------------------------------------------------------------- */

typedef struct {
    input_in in;
    output_out out, spare;
#if HAS_VALUES
    input_in_values in_values;
    output_out_values out_values, spare_values;
#endif
} block_operands;

#if TILE_THREADS == 1
#include "serial/sort_serial.clh"
typedef struct {
    int unused;
} block_store;

static inline void sort_block_parts(const env_type env, const block_operands o, const index_type begin, const int count,
                                    __local block_store *store)
{
    (void)store;
    sort_range(env, o, begin, count);
}
#else
#include "group/sort_group.clh"
typedef union {
    block_keys block;
#if HAS_VALUES
    in_values_type values[BLOCK_KEYS];
#endif
} block_store;

static inline void load_block(const input_in in, const int count, __local block_keys *block)
{
    const int item = (int)get_local_id(0);
    const input_in in_item = shift_in(in, item);
    if (count == BLOCK_KEYS) { /* all loads are under way before the first is used */
        key_type keys[TILE_ITEMS];
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) keys[k] = load_in(in_item, k * BLOCK_THREADS);
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) block->keys[item + k * BLOCK_THREADS] = keys[k];
    } else {
        for (int k = 0; item + k < count; k += BLOCK_THREADS) block->keys[item + k] = load_in(in_item, k);
    }
    group_barrier();
}

#if HAS_VALUES
/* The values pass through work-group memory, in which each is fetched from its key's first place. */
static inline void move_block_values(const input_in_values in, const output_out_values out, const int count,
                                     __local block_store *store)
{
    const int item = (int)get_local_id(0);
    const input_in_values in_item = shift_in_values(in, item);
    const output_out_values out_item = shift_out_values(out, item);
    int places[TILE_ITEMS];
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) places[k] = store->block.places[item + k * BLOCK_THREADS];
    group_barrier();
    if (count == BLOCK_KEYS) {
        in_values_type values[TILE_ITEMS];
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) values[k] = load_in_values(in_item, k * BLOCK_THREADS);
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) store->values[item + k * BLOCK_THREADS] = values[k];
    } else {
        for (int k = 0; item + k < count; k += BLOCK_THREADS) store->values[item + k] = load_in_values(in_item, k);
    }
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k)
        if (item + k * BLOCK_THREADS < count) store_out_values(out_item, k * BLOCK_THREADS, store->values[places[k]]);
}
#endif

static inline void sort_block_parts(const env_type env, const block_operands o, const index_type begin, const int count,
                                    __local block_store *store)
{
    const int item = (int)get_local_id(0);
    const output_out out_item = shift_out(o.out, begin + item);
    load_block(shift_in(o.in, begin), count, &store->block);
    sort_block(env, &store->block, count);
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k)
        if (item + k * BLOCK_THREADS < count)
            store_out(out_item, k * BLOCK_THREADS, store->block.keys[item + k * BLOCK_THREADS]);
#if HAS_VALUES
    move_block_values(shift_in_values(o.in_values, begin), shift_out_values(o.out_values, begin), count, store);
#endif
}
#endif

/* How many elements the block that starts at begin has; as tile_count. */
static inline int sort_block_count(const index_type begin, const index_type count)
{
    const index_type rest = count - (begin < count ? begin : count);
    return (int)(rest < BLOCK_SIZE ? rest : BLOCK_SIZE);
}

/* Pass 1: runs of BLOCK_SIZE elements. out may be in's own memory: a block is read before it is written. */
MCL_KERNEL(BLOCK_THREADS) sort_blocks(PARAMS_sort PARAMS_in, PARAMS_out, PARAMS_spare
#if HAS_VALUES
                                      , PARAMS_in_values, PARAMS_out_values, PARAMS_spare_values
#endif
)
{
    MCL_SHARED(block_store, store);
    const env_type env = MAKE_sort;
    const index_type begin = (index_type)get_group_id(0) * BLOCK_SIZE;
    block_operands operands;
    operands.in = MAKE_in;
    operands.out = MAKE_out;
    operands.spare.data = MAKE_spare.data;
#if HAS_VALUES
    operands.in_values = MAKE_in_values;
    operands.out_values = MAKE_out_values;
    operands.spare_values.data = MAKE_spare_values.data;
#endif
    sort_block_parts(env, operands, begin, sort_block_count(begin, operands.in.count), store);
}

/* ---- levels ------------------------------------------------------------------------------------------------- */

/* Two neighbouring runs of run_tiles tiles, a power of two, of which the second or both may be shorter at the end of
 * the array. */
typedef struct {
    index_type begin, a_count, b_count;
} run_pair;

/* The pair that a tile's output comes from. */
static inline run_pair find_pair(const index_type tile, const index_type count, const index_type run_tiles)
{
    const index_type begin = (tile & -(2 * run_tiles)) * TILE_SIZE;
    const index_type width = run_tiles * TILE_SIZE;
    run_pair pair;
    pair.begin = begin < count ? begin : count;
    pair.a_count = count - pair.begin < width ? count - pair.begin : width;
    pair.b_count = count - pair.begin - pair.a_count;
    if (pair.b_count > width) pair.b_count = width;
    return pair;
}

/* How many keys of its pair's first run precede a tile. */
static inline index_type find_cut(const env_type env, const input_a runs, const index_type tile,
                                  const index_type run_tiles)
{
    const run_pair pair = find_pair(tile, runs.count, run_tiles);
    const index_type begin = tile * TILE_SIZE < runs.count ? tile * TILE_SIZE : runs.count;
    const index_type diagonal = begin - pair.begin;
    const input_a a = shift_a(runs, pair.begin);
    return merge_path_input(env, a, shift_a(a, pair.a_count), diagonal,
                            diagonal > pair.b_count ? diagonal - pair.b_count : 0,
                            diagonal < pair.a_count ? diagonal : pair.a_count);
}

/* Pass 2: one work-item a tile. */
MCL_KERNEL(PARTITION_THREADS) sort_partition(PARAMS_sort PARAMS_a, ARRAY_PARAM(index_type, split), index_type run_tiles,
                                             index_type tiles)
{
    const env_type env = MAKE_sort;
    const input_a runs = MAKE_a;
    const index_type tile = (index_type)get_global_id(0);
    if (tile >= tiles) return;
    ARRAY(index_type, split)[tile] = find_cut(env, runs, tile, run_tiles);
}

/* The tile of this group, counted from its pair on. cut and next_cut: of the tile and of the one
 * behind it, which at the end of a pair belongs to the next pair. */
static inline merge_tile find_tile(const run_pair pair, const index_type number, const index_type cut,
                                   const index_type next_cut)
{
    const index_type total = pair.a_count + pair.b_count;
    merge_tile tile;
    tile.begin = number * TILE_SIZE - pair.begin;
    tile.count = tile_count(tile.begin, total);
    tile.a_begin = cut;
    tile.b_begin = tile.begin - tile.a_begin;
    const index_type a_end = tile.begin + tile.count < total ? next_cut : pair.a_count;
    tile.a_part = merge_part(a_end - tile.a_begin, tile.count);
    return tile;
}

/* Without pass 2 each group searches for itself. */
#define SEARCHES_IN_MERGE (CUTS_IN_MERGE && TILE_THREADS > 1)
#if SEARCHES_IN_MERGE
typedef struct {
    index_type cuts[2];
} two_cuts;
#endif

/* Pass 3: each tile is merged from its parts of two runs. */
MCL_KERNEL(TILE_THREADS) sort_merge(PARAMS_sort PARAMS_a, ARRAY_PARAM(index_type, split), index_type run_tiles,
                                    PARAMS_out
#if HAS_VALUES
                                    , PARAMS_a_values, PARAMS_out_values
#endif
)
{
    MCL_SHARED(merge_store, store);
#if SEARCHES_IN_MERGE
    MCL_SHARED(two_cuts, cuts_of_tile);
    __local index_type *const cuts = cuts_of_tile->cuts;
#endif
    const env_type env = MAKE_sort;
    const input_a runs = MAKE_a;
    const index_type number = (index_type)get_group_id(0);
    const run_pair pair = find_pair(number, runs.count, run_tiles);
    merge_operands operands;
    operands.a = shift_a(runs, pair.begin);
    operands.b = shift_a(operands.a, pair.a_count);
    operands.out = shift_out(MAKE_out, pair.begin);
#if HAS_VALUES
    operands.a_values = shift_a_values(MAKE_a_values, pair.begin);
    operands.b_values = shift_a_values(operands.a_values, pair.a_count);
    operands.out_values = shift_out_values(MAKE_out_values, pair.begin);
#endif
#if SEARCHES_IN_MERGE
    const int item = (int)get_local_id(0);
    if (item < 2) cuts[item] = find_cut(env, runs, number + item, run_tiles);
    group_barrier();
    const merge_tile tile = find_tile(pair, number, cuts[0], cuts[1]);
#else
    __global const index_type *const cuts = ARRAY(index_type, split) + number;
    const int last = (number + 1) * TILE_SIZE >= runs.count;
    const merge_tile tile = find_tile(pair, number, cuts[0], last ? 0 : cuts[1]);
#endif
    merge_tile_parts(env, operands, tile, store);
}
