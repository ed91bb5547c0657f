/* scan.cl: folds every prefix of a sequence. Passes:
 *   SCAN_LOOK_BACK   look_back_clear, scan_tiles; for few tiles only scan_few_tiles
 *   otherwise        scan_nodes, scan_spine, scan_down; for the total alone scan_nodes, scan_total
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input in; fold; outputs out, total; SCAN_INCLUSIVE;
 * SCAN_SEPARATE: elements and results differ in size; HAS_INITIAL: the fold begins with initial. A launch's flags are
 * in facts/scan.h.
 *
 * Bounds, whatever the elements are and whatever fold returns: no index and no loop depends on them. A tile's
 * or part's elements follow from its number and in.count (part_range.clh), which is from 0 to the host's count. Results
 * are stored to their elements' indices, and out has room for one more with TOTAL_AT_END. In the group mapping tickets
 * are below the number of groups, which is the number of states. A ticket past the last tile has a count of 0; in the
 * serial mapping it ends the loop. Without look-back each whole tile has a node and a prefix, at indices
 * up to the number of whole tiles. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
/* Without this bound ptxas spills some registers of wide accumulators to fit more groups. */
#undef KERNEL_GROUPS
#if SCAN_LOOK_BACK
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#else
#define KERNEL_GROUPS 0
#endif

#include "facts/scan.h"
#include "pieces/fold/fold_words.clh"
#include "pieces/scan/initial.clh"
#include "pieces/tile/part_range.clh"
#include "pieces/fold/fold_serial.clh"
#if SCAN_LOOK_BACK
#include "pieces/scan/scan_group.clh"
#else
#include "pieces/tree/tree_nodes.clh"
#endif

/* Returns the result after the last element. A combine takes an element, and there is none here, so it gets an element
 * whose bytes are zero. */
static inline out_type end_result(const env_type env, const fold_type v)
{
#if fold_USES_ELEMENT
    union {
        in_type element;
        uint8_t bytes[sizeof(in_type)];
    } zero;
    for (int k = 0; k < (int)sizeof(in_type); ++k) zero.bytes[k] = 0;
    return fold_result(env, zero.element, v);
#else
    (void)env;
    return fold_to_out(v);
#endif
}

/* Stores the total sum where flags say. has_sum is 0 where there are no elements and no initial value. */
static inline void put_total(const env_type env, const output_out out, const output_total total, const index_type count,
                             const int flags, const int has_sum, const fold_type sum)
{
    fold_type v = sum;
#if fold_HAS_IDENTITY
    if (!has_sum) v = fold_identity(env);
#else
    if (!has_sum) return;
#endif
    if (flags & TOTAL_TO_SLOT) store_total(total, 0, fold_to_total(v));
    if (flags & TOTAL_AT_END) store_out(out, count, end_result(env, v));
}

/* Stores the total of a sequence without elements. */
static inline void put_total_of_nothing(const env_type env, const output_out out, const output_total total,
                                        const int flags INITIAL_PARAM)
{
    put_total(env, out, total, 0, flags, HAS_INITIAL, INITIAL_OR_NOTHING);
}

typedef operands_type scan_operands;

#if SCAN_LOOK_BACK
#include "pieces/scan/look_back.clh"
#include "pieces/scan/look_back_states.clh"
#endif
#if TILE_THREADS == 1
#include "kernels/fold/scan_tile_serial.clh"
#else
#include "kernels/fold/scan_tile_group.clh"
#endif

#if SCAN_LOOK_BACK
/* Scans the next tile; under the serial mapping tile after tile. */
static inline void scan_next_tiles(const env_type env, const scan_operands o, __global ulong *state,
                                   __global uint *counters, __local scan_store *store INITIAL_PARAM)
{
    const int is_first = scan_take_tiles(env, o, state, counters, store INITIAL);
    if (get_local_id(0) == 0 && is_first && o.in.count == 0)
        put_total_of_nothing(env, o.out, o.total, o.flags INITIAL);
}

/* Pass 2: each group scans a tile, under the serial mapping tile after tile. */
MCL_KERNEL(TILE_THREADS) scan_tiles(PARAMS_scan_tiles)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    scan_operands o;
    TAKE_scan_tiles(o);
    scan_next_tiles(env, o, ARRAY(ulong, state), ARRAY(uint, counters), store INITIAL);
}

/* The only pass where there are few tiles. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) scan_few_tiles(PARAMS_scan_few_tiles)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    __global uint *const counters = ARRAY(uint, counters);
    __global ulong *const state = ARRAY(ulong, state);
    scan_operands o;
    TAKE_scan_few_tiles(o);
    scan_next_tiles(env, o, state, counters, store INITIAL);
    few_tiles_done(state, counters, tile_number(o.in.count), &store->number);
}
#else
/* Without look-back the tree of tree.clh joins the folds, and the results do not depend on the tile. The passes do one
 * block of the input after the other. A block fits a processor's cache, so that the second reading is cheap. It has a
 * power of two of tiles, from tile block on. */

/* Finds the group's tiles [*first, *last) in a block of the input. tiles: number of tiles of the sequence. backwards:
 * the first groups take the last tiles, which the pass before left in the GPU's cache. */
static inline void group_tiles(const index_type tiles, const index_type block, const index_type block_tiles,
                               const int backwards, index_type *first, index_type *last)
{
    const index_type groups = (index_type)get_num_groups(0), id = (index_type)get_group_id(0);
    part_tiles(block_count(tiles, block, block_tiles), groups, backwards ? groups - 1 - id : id, first, last);
    *first += block;
    *last += block;
}

/* Pass 1 of a block: each group stores the folds of its whole tiles. */
MCL_KERNEL(TILE_THREADS) scan_nodes(PARAMS_scan_nodes)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    __global fold_type *const nodes = ARRAY(fold_type, nodes);
    index_type first, last;
    group_tiles(in.count / TILE_SIZE, block, block_tiles, 0, &first, &last);
    for (index_type tile = first; tile < last; ++tile) {
        const fold_type node = tile_node(env, in, tile * TILE_SIZE, store);
        if (get_local_id(0) == 0) nodes[tile] = node;
    }
}

/* Pass 2 of a block: one group makes the tiles' prefixes. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS 1
MCL_KERNEL(TILE_THREADS) scan_spine(PARAMS_scan_spine)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    tree_spine(env, ARRAY(fold_type, nodes), ARRAY(fold_type, prefixes), block,
               block_count(in.count / TILE_SIZE, block, block_tiles), &store->tree INITIAL);
}

#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#undef OPENCL_GROUPS
#define OPENCL_GROUPS KERNEL_GROUPS
/* Pass 3 of a block: each group scans its tiles, which continue from the prefixes. */
MCL_KERNEL(TILE_THREADS) scan_down(PARAMS_scan_down)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    scan_operands o;
    TAKE_scan_down(o);
    __global const fold_type *const prefixes = ARRAY(fold_type, prefixes);
    index_type first, last;
    group_tiles(tile_number(o.in.count), o.block, o.block_tiles, MCL_IS_GPU, &first, &last);
    for (index_type tile = first; tile < last; ++tile) {
        const index_type begin = tile * TILE_SIZE;
        const int count = tile_count(begin, o.in.count);
        const fold_type sum = scan_tile_after(env, o, prefixes, tile, count, store INITIAL);
        if (get_local_id(0) == 0 && begin + count == o.in.count)
            put_total(env, o.out, o.total, o.in.count, o.flags, 1, sum);
    }
    if (o.in.count == 0 && o.block == 0 && get_group_id(0) == 0 && get_local_id(0) == 0)
        put_total_of_nothing(env, o.out, o.total, o.flags INITIAL);
}

#undef KERNEL_GROUPS
#define KERNEL_GROUPS 1
#undef OPENCL_GROUPS
#define OPENCL_GROUPS 0
/* Takes the place of passes 2 and 3 for the last block where only the total is asked for. One group folds the nodes of
 * the tiles by the tree, and the elements after the last whole tile. */
MCL_KERNEL(TILE_THREADS) scan_total(PARAMS_scan_total)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    scan_operands o;
    TAKE_scan_total(o);
    __global fold_type *const prefixes = ARRAY(fold_type, prefixes);
    const index_type tile = o.in.count / TILE_SIZE;
    const int count = (int)(o.in.count - tile * TILE_SIZE);
    tree_spine(env, ARRAY(fold_type, nodes), prefixes, o.block, block_count(tile, o.block, o.block_tiles),
               &store->tree INITIAL);
    const fold_type sum = scan_tile_after(env, o, prefixes, tile, count, store INITIAL);
    if (get_local_id(0) == 0) {
        if (o.in.count == 0) put_total_of_nothing(env, o.out, o.total, o.flags INITIAL);
        else put_total(env, o.out, o.total, o.in.count, o.flags, 1, sum);
    }
}
#endif
