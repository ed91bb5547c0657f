/* sorted_search.cl: finds where the keys of two sorted sequences stand in each other. Passes: search_partition,
 * search_tiles and, with SEARCH_COUNTS, search_totals. Needs: key_type index_type TILE_THREADS TILE_ITEMS RESIDENT;
 * inputs a, b; before.
 *
 * A key of a gets its lower bound in b, and a key of b its upper bound in a. A bound is the number of keys of the other
 * sequence that precede the key in the stable merge. A_SEARCH and B_SEARCH (facts/search.h) say what outputs a_found
 * and b_found get:
 *   SEARCH_NOTHING       there is no output
 *   SEARCH_INDEX         the bound
 *   SEARCH_MATCH         whether the other sequence has an equal key
 *   SEARCH_INDEX_MATCH   both, the match in the top bit
 *   SEARCH_MATCHED       only for b: the result of operator matched from input lower and the bound
 * SEARCH_IN_PLACE: an output may be the memory of its keys. SEARCH_COUNTS: keys with a match are counted.
 *
 * Bounds: a tile's keys are keys of the inputs (merge_path_input.clh). The result of key k is stored at index k of an
 * output that is as long as the key's input. Where keys are not sorted it may be any number. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/search.h"
#include "pieces/words/count_store.clh"
#include "pieces/merge/merge_path_input.clh"
#if !(A_SEARCH && B_SEARCH)
/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#endif

/* Pass 1: one work-item for each tile boundary finds how many keys of a precede the boundary. */
MCL_KERNEL(PARTITION_THREADS) search_partition(PARAMS_search_partition)
{
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = merge_crossing(MAKE_env, MAKE_a, MAKE_b, s);
}

typedef operands_type search_operands;

static inline void put_a(const search_operands o, const index_type k, const index_type index, const int matches)
{
    const uint64_t bit = (uint64_t)matches << (8 * sizeof(a_found_type) - 1);
    if (A_SEARCH == SEARCH_MATCH) store_a_found(o.a_found, k, (a_found_type)matches);
    if (A_SEARCH == SEARCH_INDEX_MATCH) store_a_found(o.a_found, k, (a_found_type)((uint64_t)index | bit));
    if (A_SEARCH == SEARCH_INDEX) store_a_found(o.a_found, k, (a_found_type)index);
}

#if B_SEARCH == SEARCH_MATCHED
static inline void put_b(const env_type env, const search_operands o, const index_type k, const index_type index,
                         const int matches)
{
    const matched_type lower = (matched_type)load_lower(o.lower, k);
    store_b_found(o.b_found, k, matched_to_b_found(matched(env, lower, (matched_type)index)));
    (void)matches;
}
#else
static inline void put_b(const env_type env, const search_operands o, const index_type k, const index_type index,
                         const int matches)
{
    const uint64_t bit = (uint64_t)matches << (8 * sizeof(b_found_type) - 1);
    if (B_SEARCH == SEARCH_MATCH) store_b_found(o.b_found, k, (b_found_type)matches);
    if (B_SEARCH == SEARCH_INDEX_MATCH) store_b_found(o.b_found, k, (b_found_type)((uint64_t)index | bit));
    if (B_SEARCH == SEARCH_INDEX) store_b_found(o.b_found, k, (b_found_type)index);
    (void)env;
}
#endif

#include "pieces/search/sorted_search.clh"

/* Pass 2: searches each tile of the merge. */
MCL_KERNEL(TILE_THREADS) search_tiles(PARAMS_search_tiles)
{
    MCL_SHARED(search_store, store);
    const env_type env = MAKE_env;
    search_operands o;
    TAKE_search_tiles(o);
    __global const index_type *const split = ARRAY(index_type, split);
    const merge_tile tile = merge_tile_find(o.a.count + o.b.count, split, (index_type)get_group_id(0));
    const search_count count = search_tile(env, o, tile, store);
#if SEARCH_COUNTS
    if (get_local_id(0) == 0) {
        ARRAY(uint, a_counts)[get_group_id(0)] = count.a;
        ARRAY(uint, b_counts)[get_group_id(0)] = count.b;
    }
#endif
    (void)count;
}

#if SEARCH_COUNTS
typedef struct {
    int64_t parts[TILE_THREADS];
} search_sums;

/* Pass 3: one group adds up the tiles' counts of one sequence. The kernel names its parameters here, since it is
 * launched once for a and once for b. */
MCL_KERNEL(TILE_THREADS) search_totals(PARAMS_env ARRAY_PARAM(uint, counts), index_type tiles,
                                            ARRAY_PARAM(char, total), int64_t highest)
{
    MCL_SHARED(search_sums, sums);
    const int id = (int)get_local_id(0);
    __global const uint *const counts = ARRAY(uint, counts);
    int64_t sum = 0;
    for (index_type k = id; k < tiles; k += TILE_THREADS) sum += counts[k];
    sums->parts[id] = sum;
    group_barrier();
    for (int width = TILE_THREADS; width > 1; width = (width + 1) / 2) {
        const int rest = (width + 1) / 2;
        if (id + rest < width) sums->parts[id] += sums->parts[id + rest];
        group_barrier();
    }
    if (id == 0) count_store(ARRAY(char, total), highest, sums->parts[0]);
}
#endif
