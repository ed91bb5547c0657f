/* merge.cl: merges two sorted sequences.
 *
 *   merge_partition   pass 1: finds how many keys of a come before each tile (split); not under the serial mapping
 *   merge_tiles       pass 2: merges each tile from its parts of a and b
 *
 * merge.c declares the parameters, as PARAMS_ and TAKE_ (docs/kernel_dialect.md). merge_crossing and merge_split are of
 * merge_path_input.clh, merge_range is of merge_serial.clh, the rest of merge_tile.clh.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS COARSE_SPLITS; inputs a, b; output out; before;
 * scratch split of splits elements, one more than there are tiles. Inputs a_values, b_values and output out_values,
 * which follow their keys, may be absent. MERGE_LINES: keys come over a link (merge_keys.clh).
 *
 * Bounds: a tile or share is a range of the output by its number, and its keys are bounded by merge_tile.clh. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define HAS_VALUES HAS_out_values
#define MERGE_OPERANDS operands_type
#include "pieces/merge/merge_tile.clh"

/* From COARSE_SPLITS boundaries on, a group first searches for every COARSE-th of its boundaries. The other boundaries
 * lie between two of these, so that their searches are shorter and read less. */
#define COARSE 16
#define HAS_COARSE (PARTITION_THREADS % COARSE == 0)

typedef struct {
    index_type found[PARTITION_THREADS / COARSE + 1];
} coarse_store;

/* Pass 1: each work-item finds the cut at one boundary of tiles. */
MCL_KERNEL(PARTITION_THREADS) merge_partition(PARAMS_merge_partition)
{
    MCL_SHARED(coarse_store, coarse);
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const int id = (int)get_local_id(0), is_coarse = HAS_COARSE && splits >= COARSE_SPLITS;
    const index_type s = (index_type)get_global_id(0);
    if (is_coarse && id <= PARTITION_THREADS / COARSE) {
        const index_type at = s - id + id * COARSE;
        coarse->found[id] = merge_crossing(env, a, b, at < splits ? at : splits - 1);
    }
    group_barrier();
    if (s >= splits) return;
    const index_type low = is_coarse ? coarse->found[id / COARSE] : 0;
    const index_type high = is_coarse ? coarse->found[id / COARSE + 1] : a.count;
    ARRAY(index_type, split)[s] = merge_crossing_between(env, a, b, s, low, high);
}

#if TILE_THREADS == 1
/* Merges the group's share of the output: shares differ by one element at most. */
static inline void merge_own(const env_type env, const operands_type o, __global const index_type *split,
                             __local merge_store *store)
{
    const index_type total = o.a.count + o.b.count;
    const index_type shares = (index_type)get_num_groups(0), share = (index_type)get_group_id(0);
    const index_type least = total / shares, larger = total % shares;
    const index_type begin = share * least + (share < larger ? share : larger);
    const index_type end = begin + least + (share < larger);
    const index_type a_begin = merge_split(env, o.a, o.b, begin);
    index_type a_end = merge_split(env, o.a, o.b, end);
    /* Inputs that are not sorted can give splits that run backwards, or that lie further apart than the share is long.
     * Then all keys of the share come from one input, and end before that input's split. */
    if (a_end < a_begin) a_end = a_begin;
    if (a_end > a_begin + (end - begin)) a_end = a_begin + (end - begin);
    merge_any(env, o, begin, end, a_begin, a_end);
    (void)split;
    (void)store;
}
#else
/* Merges the group's tile of the output. */
static inline void merge_own(const env_type env, const operands_type o, __global const index_type *split,
                             __local merge_store *store)
{
    merge_tile_parts(env, o, merge_tile_find(o.a.count + o.b.count, split, (index_type)get_group_id(0)), store);
}
#endif

/* Pass 2: each group merges one tile or share. */
MCL_KERNEL(TILE_THREADS) merge_tiles(PARAMS_merge_tiles)
{
    MCL_SHARED(merge_store, store);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_merge_tiles(o);
    merge_own(env, o, ARRAY(index_type, split), store);
}
