/* scan.cl: folds every prefix of a sequence. Passes:
 *   SCAN_LOOK_BACK   look_back_clear, scan_tiles; for few tiles only scan_few_tiles
 *   otherwise        scan_parts, scan_spine, scan_down
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input in; fold; outputs out, total; SCAN_INCLUSIVE;
 * SCAN_SEPARATE: elements and results differ in size; HAS_INITIAL: a value comes in front. A launch's flags are those
 * of facts/scan.h.
 *
 * Bounds, whatever the elements are and whatever fold gives: no index and no loop's length is made of either. A tile's
 * or part's elements follow from its number and in.count (part_range.clh), which is from 0 to the host's count. Results
 * are stored to their elements' indices, and out has room for one more with TOTAL_AT_END. In the group mapping tickets
 * are below the number of groups, which is the number of states. A ticket past the last tile has a count of 0; in the
 * serial mapping it ends the loop. A part's number is below the length of partials, and carry's two slots are turn and
 * !turn, of 0 and 1. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
/* Without this bound ptxas spills some registers of wide accumulators to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

#include "facts/scan.h"
#include "pieces/fold_words.clh"
#include "pieces/initial.clh"
#include "pieces/part_range.clh"
#include "pieces/fold_serial.clh"
#include "pieces/spine.clh"

/* The result after the last element. A combine looks at the element; there is none, so it sees one of zero bytes. */
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

/* The fold of everything; has_sum is 0 where there is nothing. */
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

/* The total of no elements. */
static inline void put_total_of_nothing(const env_type env, const output_out out, const output_total total,
                                        const int flags INITIAL_PARAM)
{
    put_total(env, out, total, 0, flags, HAS_INITIAL, INITIAL_OR_NOTHING);
}

typedef operands_type scan_operands;

#if SCAN_LOOK_BACK
#include "pieces/look_back.clh"
#include "pieces/look_back_states.clh"
#endif
#if TILE_THREADS == 1
#include "kernels/scan/scan_tile_serial.clh"
#else
#include "kernels/scan/scan_tile_group.clh"
#endif

#if SCAN_LOOK_BACK
/* A group scans the next tile, under the serial mapping tile after tile. */
static inline void scan_next_tiles(const env_type env, const scan_operands o, __global ulong *state,
                                   __global uint *counters, __local scan_store *store INITIAL_PARAM)
{
    const int is_first = scan_take_tiles(env, o, state, counters, store INITIAL);
    if (get_local_id(0) == 0 && is_first && o.in.count == 0)
        put_total_of_nothing(env, o.out, o.total, o.flags INITIAL);
}

/* Pass 2. */
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
/* The two-pass form works through blocks of the input that fit the device's cache, so that the second reading is cheap.
 * A block is dealt to the groups as parts; the fold of everything before it is in one of carry's two slots, in turn. */

/* Pass 1 of a block: each group folds its part. */
MCL_KERNEL(TILE_THREADS) scan_parts(PARAMS_scan_parts)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(in.count, block, block_size), (index_type)get_num_groups(0), part, &begin, &end);
    const fold_type sum = scan_sum(env, in, block + begin, block + end, store);
    if (get_local_id(0) == 0 && begin < end) ARRAY(fold_type, partials)[part] = sum;
}

/* Pass 2 of a block: one group turns the parts' folds into the folds of everything before them. */
MCL_KERNEL(TILE_THREADS) scan_spine(PARAMS_scan_spine)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    __global fold_type *const partials = ARRAY(fold_type, partials);
    __global fold_type *const carry = ARRAY(fold_type, carry);
    const int valid = (int)part_count(block_count(in.count, block, block_size), parts);
    fold_type in_front = INITIAL_OR_NOTHING;
    if (block > 0) in_front = carry[turn];
    const fold_type sum = spine_scan(env, partials, valid, HAS_INITIAL || block > 0, in_front, store->sums);
    if (get_local_id(0) == 0 && valid > 0) carry[!turn] = sum;
}

/* Pass 3 of a block: each group scans its part; partials[part] is the fold of all before it. */
MCL_KERNEL(TILE_THREADS) scan_down(PARAMS_scan_down)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    scan_operands o;
    TAKE_scan_down(o);
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(o.in.count, o.block, o.block_size), (index_type)get_num_groups(0), part, &begin, &end);
    fold_type sum = INITIAL_OR_NOTHING;
    if ((o.block > 0 || part > 0) && begin < end) sum = ARRAY(fold_type, partials)[part];
    const fold_type all = scan_part(env, o, begin, end, HAS_INITIAL || o.block > 0 || part > 0, sum, store);
    /* get_local_id anew: POCL 3.1 stores another total where a variable keeps it across scan_part */
    if (o.in.count == 0 && part == 0 && o.block == 0 && get_local_id(0) == 0)
        put_total_of_nothing(env, o.out, o.total, o.flags INITIAL);
    if (begin < end && o.block + end == o.in.count && get_local_id(0) == 0)
        put_total(env, o.out, o.total, o.in.count, o.flags, 1, all);
}
#endif
