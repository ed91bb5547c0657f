/* sets.cl: a set operation of the library's pieces. It cuts tiles along the balanced path, counts their results, and
 * stores these after the results of earlier tiles. Needs: key_type; inputs a, b, a_values, b_values; outputs out,
 * out_values; before; fold, the sum of index_type; HAS_VALUES 1, SET_KIND, SET_UNIQUE 0. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS - (TILE_THREADS > 1))
#include "pieces/set_tile.clh"

MCL_KERNEL(TILE_THREADS) cut_sets(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split), index_type splits)
{
    const env_type env = MAKE_env;
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = set_crossing(env, MAKE_a, MAKE_b, s);
}

/* Does a tile. With stores 0, counts[tile] gets the number of results. With stores 1 the results are stored from
 * out[counts[tile]] on. */
MCL_KERNEL(TILE_THREADS) do_sets(PARAMS_env PARAMS_a, PARAMS_b, PARAMS_a_values, PARAMS_b_values,
                                 ARRAY_PARAM(index_type, split), PARAMS_out, PARAMS_out_values, index_type capacity,
                                 ARRAY_PARAM(index_type, counts), int32_t stores)
{
    MCL_SHARED(set_store, store);
    const env_type env = MAKE_env;
    __global index_type *const counts = ARRAY(index_type, counts);
    const index_type number = (index_type)get_group_id(0);
    set_operands o;
    o.a = MAKE_a;
    o.b = MAKE_b;
    o.split = ARRAY(index_type, split);
    o.out = MAKE_out;
    o.capacity = capacity;
    o.a_values = MAKE_a_values;
    o.out_values = MAKE_out_values;
#if SET_FROM_B(SET_KIND)
    o.b_values = MAKE_b_values;
#endif
    if (get_local_id(0) == 0) store->tile = set_tile_find(o, number);
    group_barrier();
    const set_results found = set_tile_results(env, o, store);
    group_barrier();
    if (stores) set_store_results(o, counts[number], found, store);
    else if (get_local_id(0) == 0) counts[number] = found.total;
}

/* Replaces each count by the sum of the counts before it. The total follows the last count. */
MCL_KERNEL(1) add_sets(PARAMS_env ARRAY_PARAM(index_type, counts), index_type tiles)
{
    __global index_type *const counts = ARRAY(index_type, counts);
    index_type sum = 0;
    for (index_type k = 0; k < tiles; ++k) {
        const index_type count = counts[k];
        counts[k] = sum;
        sum += count;
    }
    counts[tiles] = sum;
}
