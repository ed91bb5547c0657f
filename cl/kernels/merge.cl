/* merge.cl: merges two sorted sequences. Passes: merge_partition, merge_tiles; under the serial mapping merge_tiles
 * alone.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS; inputs a, b; output out; before. HAS_VALUES: inputs a_values,
 * b_values and output out_values, which follow their keys.
 *
 * Bounds: a tile or share is a range of the output by its number, and its keys are bounded by merge_tile.clh. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/merge_tile.clh"

/* Pass 1: one work-item a tile boundary finds how many keys of a precede it. */
MCL_KERNEL(PARTITION_THREADS) merge_partition(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split),
                                              index_type splits)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const index_type s = (index_type)get_global_id(0);
    if (s >= splits) return;
    ARRAY(index_type, split)[s] = merge_crossing(env, a, b, s);
}

#if TILE_THREADS == 1
#define SPLIT_PARAM

/* Merges the group's share of the output: shares differ by one element at most. */
static inline void merge_group_share(const env_type env, const merge_operands o)
{
    const index_type total = o.a.count + o.b.count;
    const index_type shares = (index_type)get_num_groups(0), share = (index_type)get_group_id(0);
    const index_type least = total / shares, larger = total % shares;
    const index_type begin = share * least + (share < larger ? share : larger);
    const index_type end = begin + least + (share < larger);
    const index_type a_begin = merge_split(env, o.a, o.b, begin);
    index_type a_end = merge_split(env, o.a, o.b, end);
    /* inputs that are not sorted can give splits that run backwards, or further apart than the share is long: all keys
     * are then those of one input, and end before its split */
    if (a_end < a_begin) a_end = a_begin;
    if (a_end > a_begin + (end - begin)) a_end = a_begin + (end - begin);
    merge_range(env, o, begin, end, a_begin, a_end);
}
#else
#define SPLIT_PARAM ARRAY_PARAM(index_type, split),
#endif

/* Pass 2: each tile of the output is merged from its parts of a and b. */
MCL_KERNEL(TILE_THREADS) merge_tiles(PARAMS_env PARAMS_a, PARAMS_b, SPLIT_PARAM PARAMS_out
#if HAS_VALUES
                                     , PARAMS_a_values, PARAMS_b_values, PARAMS_out_values
#endif
)
{
#if TILE_THREADS > 1
    MCL_SHARED(merge_store, store);
#endif
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
#if TILE_THREADS > 1
    const merge_tile tile =
        merge_tile_find(operands.a.count + operands.b.count, ARRAY(index_type, split), (index_type)get_group_id(0));
    merge_tile_parts(env, operands, tile, store);
#else
    merge_group_share(env, operands);
#endif
}
