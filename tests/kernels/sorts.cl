/* sorts.cl: kernels of the pieces that sort: networks in registers, a block in a work-group's memory, runs by merging;
 * a stable mergesort with values, and the frames that it works in.
 * Needs: key_type; inputs in, in_values, a, a_values; outputs out, out_values, spare, spare_values (all int32_t) and
 * places (int32_t); before; HAS_VALUES 1; STABLE; BASE_RUN, BASE_COLUMNS. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define BLOCK_THREADS TILE_THREADS
#define BLOCK_SIZE TILE_SIZE
#define SEGMENTED 0
#include "pieces/sort_arrays.clh"
#define MERGE_OPERANDS array_merge
#include "pieces/merge_tile.clh"
#include "pieces/run_pair.clh"
#include "pieces/sort_tile.clh"

#include "pieces/sort_frame.clh"
#include "pieces/sort_network.clh"

/* ---- networks ----------------------------------------------------------------------------------------------- */

/* Sorts TILE_ITEMS keys by each work-item, first all of them, then in segments. A segment begins at every key whose bit
 * is set in flags. places gets each key's old index. Only whole work-items take part. */
MCL_KERNEL(TILE_THREADS) sort_networks(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_places, ARRAY_PARAM(uint, flags))
{
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const index_type first = (index_type)get_global_id(0) * TILE_ITEMS;
    key_type keys[TILE_ITEMS];
    int source[TILE_ITEMS];
    if (first + TILE_ITEMS > in.count) return;
    for (int k = 0; k < TILE_ITEMS; ++k) {
        keys[k] = load_in(in, first + k);
        source[k] = k;
    }
    sort_registers(env, 0, keys, source);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        store_out(out, first + k, keys[k]);
        store_places(MAKE_places, first + k, source[k]);
        keys[k] = load_in(in, first + k);
        source[k] = k;
    }
    sort_registers(env, ARRAY(uint, flags)[first / TILE_ITEMS], keys, source);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        store_out(out, in.count + first + k, keys[k]);
        store_places(MAKE_places, in.count + first + k, source[k]);
    }
}

/* Stores the frames of every work-item in the round of lists of width work-items. */
MCL_KERNEL(TILE_THREADS) put_frames(PARAMS_env PARAMS_places, int32_t width, int32_t count)
{
    const output_places places = MAKE_places;
    const int item = (int)get_local_id(0);
    const sort_frame frame = find_frame(item, width, count);
    store_places(places, 4 * item, frame.a_begin);
    store_places(places, 4 * item + 1, frame.a_end);
    store_places(places, 4 * item + 2, frame.b_end);
    store_places(places, 4 * item + 3, frame.diagonal);
}

/* ---- a mergesort -------------------------------------------------------------------------------------------- */

MCL_KERNEL(TILE_THREADS) sort_tiles(PARAMS_env PARAMS_in, PARAMS_in_values, PARAMS_out, PARAMS_out_values,
                                    PARAMS_spare, PARAMS_spare_values)
{
    MCL_SHARED(block_store, store);
    const env_type env = MAKE_env;
    const index_type begin = (index_type)get_group_id(0) * BLOCK_SIZE;
    const sort_arrays arrays = MAKE_arrays;
    sort_input in;
    in.keys = MAKE_in;
    in.values = MAKE_in_values;
    sort_block_parts(env, in, arrays, begin, sort_block_count(begin, in.keys.count), store);
}

MCL_KERNEL(TILE_THREADS) cut_runs(PARAMS_env PARAMS_a, ARRAY_PARAM(index_type, split), index_type run_tiles,
                                  index_type tiles)
{
    const env_type env = MAKE_env;
    const input_a runs = MAKE_a;
    const index_type tile = (index_type)get_global_id(0);
    const run_pair pair = run_pair_find(tile, runs.count, run_tiles);
    if (tile < tiles) ARRAY(index_type, split)[tile] = run_pair_cut(env, runs, pair, tile_begin(tile, runs.count));
    else if (tile == tiles) ARRAY(index_type, split)[tile] = 0;
}

MCL_KERNEL(TILE_THREADS) merge_runs_of_tiles(PARAMS_env PARAMS_a, PARAMS_a_values, ARRAY_PARAM(index_type, split),
                                             index_type run_tiles, PARAMS_out, PARAMS_out_values)
{
    MCL_SHARED(merge_store, store);
    const env_type env = MAKE_env;
    const input_a runs = MAKE_a;
    const index_type number = (index_type)get_group_id(0);
    const run_pair pair = run_pair_find(number, runs.count, run_tiles);
    __global const index_type *const split = ARRAY(index_type, split);
    const run_tile found = run_tile_between(number, runs.count, pair, split[number], split[number + 1]);
    merge_operands operands;
    merge_tile tile;
    operands.a = runs;
    operands.b = shift_a(runs, pair.middle);
    operands.out = MAKE_out;
    operands.a_values = MAKE_a_values;
    operands.b_values = shift_a_values(operands.a_values, pair.middle);
    operands.out_values = MAKE_out_values;
    tile.begin = found.begin;
    tile.a_begin = found.a_begin;
    tile.b_begin = found.begin - found.a_begin;
    tile.count = found.count;
    tile.a_part = found.a_part;
    merge_tile_parts(env, operands, tile, store);
}
