/* merge_unique.cl: merges two sorted sequences and keeps one of each run of equal keys. Passes: unique_partition,
 * unique_count, unique_store. Needs: key_type index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS; inputs a, b; output
 * out, with room for limit keys; before; fold, the sum of int32_t. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define HAS_VALUES 0
#include "pieces/merge_tile.clh"

/* 1: x, which comes next to the keys that precede the tile, is the first of its run. */
static inline int starts_run(const env_type env, const merge_operands o, const merge_tile tile, const key_type x)
{
    const int is_above_a = tile.a_begin == 0 || before(env, load_a(o.a, tile.a_begin - 1), x);
    const int is_above_b = tile.b_begin == 0 || before(env, load_b(o.b, tile.b_begin - 1), x);
    return is_above_a && is_above_b;
}

#if TILE_THREADS == 1
typedef merge_store unique_memory;

/* Goes through a tile: returns how many runs begin there, and stores their keys from out[to] on where stores. */
static INLINED fold_type unique_tile(const env_type env, const merge_operands o, const merge_tile tile,
                                     __local unique_memory *store, const int stores, const index_type to,
                                     const index_type limit)
{
    const index_type a_end = tile.a_begin + tile.a_part, b_end = tile.b_begin + tile.count - tile.a_part;
    index_type i = tile.a_begin, j = tile.b_begin;
    fold_type found = 0;
    key_type last;
    (void)store;
    for (int k = 0; k < tile.count; ++k) {
        const int takes_b = j < b_end && (i >= a_end || before(env, load_b(o.b, j), load_a(o.a, i)));
        const key_type x = takes_b ? load_b(o.b, j) : load_a(o.a, i);
        if (takes_b) ++j;
        else ++i;
        if (k == 0 ? starts_run(env, o, tile, x) : before(env, last, x)) {
            if (stores && to + found < limit) store_out(o.out, to + found, x);
            ++found;
        }
        last = x;
    }
    return found;
}
#else
#include "pieces/scan_group.clh"

typedef struct {
    merge_store merged;
    fold_type sums[SCAN_GROUP_SHARED];
} unique_memory;

/* Merges a tile in work-group memory; bit k of what is returned says that the work-item's key k begins a run. */
static INLINED uint merge_and_mark(const env_type env, const merge_operands o, const merge_tile tile,
                                   __local merge_store *store, key_type *keys)
{
    const int first = (int)get_local_id(0) * TILE_ITEMS;
    int source[TILE_ITEMS];
    uint marks = 0;
    merge_keys(o.a, o.b, tile, store->keys);
    group_barrier();
    merge_items(env, store->keys, tile.a_part, tile.count, keys, source);
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) store->keys[first + k] = keys[k];
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        if (first + k >= tile.count) continue;
        const int is_new = first + k > 0 ? before(env, store->keys[first + k - 1], keys[k])
                                         : starts_run(env, o, tile, keys[0]);
        marks |= (uint)is_new << k;
    }
    group_barrier();
    return marks;
}

/* The same as above. The keys that are kept are put next to each other in work-group memory first, so that neighbouring
 * work-items store neighbours. */
static INLINED fold_type unique_tile(const env_type env, const merge_operands o, const merge_tile tile,
                                     __local unique_memory *store, const int stores, const index_type to,
                                     const index_type limit)
{
    const int item = (int)get_local_id(0);
    key_type keys[TILE_ITEMS];
    fold_type total;
    const uint marks = merge_and_mark(env, o, tile, &store->merged, keys);
    const fold_type before_item = scan_group(env, popcount(marks), TILE_THREADS, &total, store->sums);
    fold_type rank = item > 0 ? before_item : 0;
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k)
        if (marks >> k & 1u) store->merged.keys[rank++] = keys[k];
    group_barrier();
    for (fold_type k = item; stores && k < total && to + k < limit; k += TILE_THREADS)
        store_out(o.out, to + k, store->merged.keys[k]);
    return total;
}
#endif

/* Where the tiles of the merge begin in a. */
MCL_KERNEL(PARTITION_THREADS) unique_partition(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split),
                                               index_type splits)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = merge_crossing(env, a, b, s);
}

/* The group's tile, which begins and ends where split has its cuts. */
static INLINED fold_type unique_group(const env_type env, const input_a a, const input_b b, const output_out out,
                                      __global const index_type *split, __local unique_memory *store, const int stores,
                                      const index_type to, const index_type limit)
{
    merge_operands o;
    o.a = a;
    o.b = b;
    o.out = out;
    const merge_tile tile = merge_tile_find(a.count + b.count, split, (index_type)get_group_id(0));
    return unique_tile(env, o, tile, store, stores, to, limit);
}

/* How many keys of each tile are kept. */
MCL_KERNEL(TILE_THREADS) unique_count(PARAMS_env PARAMS_a, PARAMS_b, PARAMS_out, ARRAY_PARAM(index_type, split),
                                      ARRAY_PARAM(fold_type, counts))
{
    MCL_SHARED(unique_memory, store);
    const env_type env = MAKE_env;
    const fold_type found = unique_group(env, MAKE_a, MAKE_b, MAKE_out, ARRAY(index_type, split), store, 0, 0, 0);
    if (get_local_id(0) == 0) ARRAY(fold_type, counts)[get_group_id(0)] = found;
}

/* Stores them after those of the tiles in front; offsets has the numbers of these. */
MCL_KERNEL(TILE_THREADS) unique_store(PARAMS_env PARAMS_a, PARAMS_b, PARAMS_out, ARRAY_PARAM(index_type, split),
                                      ARRAY_PARAM(fold_type, offsets), index_type limit)
{
    MCL_SHARED(unique_memory, store);
    const env_type env = MAKE_env;
    const index_type to = ARRAY(fold_type, offsets)[get_group_id(0)];
    (void)unique_group(env, MAKE_a, MAKE_b, MAKE_out, ARRAY(index_type, split), store, 1, to, limit);
}
