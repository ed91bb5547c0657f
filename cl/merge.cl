/* merge.cl: merges two sorted sequences. Passes: merge_partition, merge_tiles.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS; inputs a, b; output out; before. HAS_VALUES: inputs a_values,
 * b_values and output out_values, which follow their keys. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "group/part_range.clh"

#define MERGE_PATH merge_path_input
#define A_RUN input_a
#define B_RUN input_b
#define A_AT(a, i) load_a(a, i)
#define B_AT(b, i) load_b(b, i)
#include "group/merge_path.clh"

/* Pass 1: one work-item a tile boundary finds how many keys of a precede it. */
MCL_KERNEL(PARTITION_THREADS) merge_partition(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split),
                                              index_type splits)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const index_type s = (index_type)get_global_id(0);
    if (s >= splits) return;
    const index_type total = a.count + b.count;
    const index_type diagonal = s < total / TILE_SIZE + 1 ? s * TILE_SIZE : total;
    ARRAY(index_type, split)[s] = merge_path_input(env, a, b, diagonal, diagonal > b.count ? diagonal - b.count : 0,
                                                   diagonal < a.count ? diagonal : a.count);
}

#include "group/merge_tile.clh"

static inline merge_tile find_tile(const index_type total, __global const index_type *split)
{
    const index_type number = (index_type)get_group_id(0);
    merge_tile tile;
    tile.begin = number * TILE_SIZE;
    tile.count = tile_count(tile.begin, total);
    tile.a_begin = split[number];
    tile.b_begin = tile.begin - tile.a_begin;
    tile.a_part = merge_part(split[number + 1] - tile.a_begin, tile.count);
    return tile;
}

/* Pass 2: each tile of the output is merged from its parts of a and b. */
MCL_KERNEL(TILE_THREADS) merge_tiles(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split), PARAMS_out
#if HAS_VALUES
                                     , PARAMS_a_values, PARAMS_b_values, PARAMS_out_values
#endif
)
{
    MCL_SHARED(merge_store, store);
    const env_type env = MAKE_env;
    merge_operands operands;
    operands.a = MAKE_a;
    operands.b = MAKE_b;
    operands.out = MAKE_out;
#if HAS_VALUES
    operands.a_values = MAKE_a_values;
    operands.b_values = MAKE_b_values;
    operands.out_values = MAKE_out_values;
#endif
    const merge_tile tile = find_tile(operands.a.count + operands.b.count, ARRAY(index_type, split));
    merge_tile_parts(env, operands, tile, store);
}
