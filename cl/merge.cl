/* merge.cl: merges two sorted sequences. Passes: merge_partition, merge_tiles.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS; inputs a, b; output out; before. HAS_VALUES: inputs a_values,
 * b_values and output out_values, which follow their keys. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)

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

#if TILE_THREADS == 1
#include "serial/merge_serial.clh"
#else
#include "group/merge_group.clh"
typedef union {
    key_type keys[MERGE_GROUP_KEYS];
    int source[TILE_THREADS * TILE_ITEMS];
} merge_store;

#endif

/* Pass 2: each tile of the output is merged from its parts of a and b. */
MCL_KERNEL(TILE_THREADS) merge_tiles(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split), PARAMS_out
#if HAS_VALUES
                                     , PARAMS_a_values, PARAMS_b_values, PARAMS_out_values
#endif
)
{
#if TILE_THREADS > 1
    MCL_SHARED(merge_store, store);
#endif
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const output_out out = MAKE_out;
#if HAS_VALUES
    const input_a_values a_values = MAKE_a_values;
    const input_b_values b_values = MAKE_b_values;
    const output_out_values out_values = MAKE_out_values;
#endif
    __global const index_type *const split = ARRAY(index_type, split);
    const index_type tile = (index_type)get_group_id(0);
    const index_type begin = tile * TILE_SIZE;
    const index_type rest = a.count + b.count - begin;
    /* counts from the device may be shorter than their bounds: nothing is left for the last tiles */
    const int count = (int)(rest < 0 ? 0 : rest < TILE_SIZE ? rest : TILE_SIZE);
    const index_type a_begin = split[tile], b_begin = begin - a_begin;
    const index_type a_length = split[tile + 1] - a_begin;
    /* inputs that are not sorted can give splits that run backwards */
    const int a_part = a_length < 0 ? 0 : a_length < count ? (int)a_length : count;
#if TILE_THREADS == 1
    merge_operands operands;
    operands.a = a;
    operands.b = b;
    operands.out = out;
#if HAS_VALUES
    operands.a_values = a_values;
    operands.b_values = b_values;
    operands.out_values = out_values;
#endif
    merge_range(env, operands, a_begin, a_begin + a_part, b_begin, b_begin + (count - a_part), begin);
#else
    const int item = (int)get_local_id(0);
    const input_a a_item = shift_a(a, a_begin + item);
    const input_b b_item = shift_b(b, b_begin - a_part + item);
    const output_out out_item = shift_out(out, begin + item);
    key_type keys[TILE_ITEMS];
    int source[TILE_ITEMS];
    if (count == TILE_SIZE) { /* all loads are under way before the first is used */
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k)
            keys[k] = item + k * TILE_THREADS < a_part ? load_a(a_item, k * TILE_THREADS) : load_b(b_item, k * TILE_THREADS);
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) store->keys[item + k * TILE_THREADS] = keys[k];
    } else {
        for (int k = 0; item + k < count; k += TILE_THREADS)
            store->keys[item + k] = item + k < a_part ? load_a(a_item, k) : load_b(b_item, k);
    }
    group_barrier();
    merge_items(env, store->keys, a_part, count, keys, source);
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) store->keys[item * TILE_ITEMS + k] = keys[k];
    group_barrier();
    if (count == TILE_SIZE) {
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) store_out(out_item, k * TILE_THREADS, store->keys[item + k * TILE_THREADS]);
    } else {
        for (int k = 0; item + k < count; k += TILE_THREADS) store_out(out_item, k, store->keys[item + k]);
    }
#if HAS_VALUES
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) store->source[item * TILE_ITEMS + k] = source[k];
    group_barrier();
    const input_a_values a_tile = shift_a_values(a_values, a_begin);
    const input_b_values b_tile = shift_b_values(b_values, b_begin - a_part);
    const output_out_values values_item = shift_out_values(out_values, begin + item);
    if (count == TILE_SIZE) {
        out_values_type values[TILE_ITEMS];
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) {
            const int s = store->source[item + k * TILE_THREADS];
            values[k] = s < a_part ? load_a_values(a_tile, s) : load_b_values(b_tile, s);
        }
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) store_out_values(values_item, k * TILE_THREADS, values[k]);
    } else {
        for (int k = 0; item + k < count; k += TILE_THREADS) {
            const int s = store->source[item + k];
            store_out_values(values_item, k, s < a_part ? load_a_values(a_tile, s) : load_b_values(b_tile, s));
        }
    }
#endif
#endif
}
