/* group_by.cl: groups of equal keys that are few, in tables. Serial mapping only. Passes:
 *   groups_start    nothing is counted yet
 *   groups_fold     each part of the elements has a table, whose groups it puts into a list in the end
 *   groups_settle   how many groups the list has, and how many elements are still to be grouped
 * A key may come from several parts: who reads the list folds again. If a part has more groups than a table takes,
 * the list counts as empty, and all elements are still to be grouped.
 * Needs: index_type TILE_THREADS TILE_ITEMS; SLOT_BITS; input keys, of integers; GROUP_FOLDS: also input values and
 * sum.
 *
 * Bounds, whatever the keys are: a slot is an index below TABLE_SLOTS by a mask, or TABLE_SLOTS itself, which a table
 * has too. A part puts at most as many groups into the list as its table has slots, so the list ends before parts
 * times those. A search takes at most PROBES_MOST steps. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/group_by.h"
#include "pieces/part_range.clh"

#define TABLE_SLOTS (1 << SLOT_BITS)
#define TABLE_LENGTH (TABLE_SLOTS + 1) /* key 0 stands for an empty slot, and has the last one for itself */
enum { SLOTS_MOST = TABLE_SLOTS / 4 * 3, PROBES_MOST = 64, ROUND = 4096 };
enum { STATE_FULL, STATE_LISTED }; /* uints: 1 where a table was too small; the groups in the list */

MCL_KERNEL(1) groups_start(PARAMS_groups_start)
{
    __global uint *const state = ARRAY(uint, state);
    if (get_local_id(0) == 0) {
        state[STATE_FULL] = 0;
        state[STATE_LISTED] = 0;
    }
}

/* Fibonacci hashing: D. Knuth, The Art of Computer Programming 3, section 6.4. */
static inline uint first_slot(const keys_type key)
{
    const uint64_t bits = (uint64_t)key;
    return ((uint)bits * 0x9e3779b1u ^ (uint)(bits >> 32) * 0x85ebca6bu) >> (32 - SLOT_BITS);
}

/* The slot that has the key, or the empty one where it belongs; TABLE_LENGTH if both are too far. */
static inline uint find_slot(__global const keys_type *table, const keys_type key)
{
    uint slot = first_slot(key);
    if (key == 0) return TABLE_SLOTS;
    for (int probe = 0; probe < PROBES_MOST; ++probe) {
        const keys_type seen = table[slot];
        if (seen == key || seen == 0) return slot;
        slot = (slot + 1) & (TABLE_SLOTS - 1);
    }
    return TABLE_LENGTH;
}

#if GROUP_FOLDS
#define SUMS_OF(part) (ARRAY(sum_type, sums) + (int64_t)(part) * TABLE_LENGTH)
#endif

MCL_KERNEL(TILE_THREADS) groups_fold(PARAMS_groups_fold)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_groups_fold(o);
    __global keys_type *const table = ARRAY(keys_type, table) + (int64_t)get_group_id(0) * TABLE_LENGTH;
    __global keys_type *const list = ARRAY(keys_type, list);
    __global uint *const state = ARRAY(uint, state);
#if GROUP_FOLDS
    __global sum_type *const sums = SUMS_OF(get_group_id(0));
    __global sum_type *const list_sums = ARRAY(sum_type, list_sums);
#endif
    index_type begin, end;
    int used = 0, has_zero = 0, is_full = 0;
    (void)env;
    for (int slot = 0; slot < TABLE_LENGTH; ++slot) table[slot] = 0;
    part_range(o.keys.count, (index_type)get_num_groups(0), (index_type)get_group_id(0), &begin, &end);
    for (index_type k = begin; k < end && !is_full && !slot_load_32(state + STATE_FULL);) {
        const index_type stop = end - k > ROUND ? k + ROUND : end;
        for (; k < stop; ++k) {
            const keys_type key = load_keys(o.keys, k);
            const uint slot = find_slot(table, key);
            if (slot == TABLE_LENGTH) {
                is_full = 1;
                break;
            }
            const int is_new = key == 0 ? !has_zero : table[slot] == 0;
#if GROUP_FOLDS
            const sum_type x = sum_extract(env, load_values(o.values, k), k);
            if (is_new) sums[slot] = x;
            else sums[slot] = sum(env, sums[slot], x);
#endif
            if (is_new) {
                table[slot] = key;
                has_zero |= key == 0;
                ++used;
            }
        }
        is_full |= used > SLOTS_MOST;
    }
    if (is_full) bits_set(state + STATE_FULL, 1);
    if (!is_full && used > 0) {
        int64_t to = (int64_t)counter_add(state + STATE_LISTED, (uint)used);
        for (int slot = 0; slot < TABLE_LENGTH; ++slot) {
            if (slot < TABLE_SLOTS ? table[slot] == 0 : !has_zero) continue;
            list[to] = table[slot];
#if GROUP_FOLDS
            list_sums[to] = sums[slot];
#endif
            ++to;
        }
    }
}

MCL_KERNEL(1) groups_settle(PARAMS_groups_settle)
{
    operands_type o;
    TAKE_groups_settle(o);
    __global const uint *const state = ARRAY(uint, state);
    __global int64_t *const counts = ARRAY(int64_t, counts);
    if (get_local_id(0) == 0) {
        counts[GROUPS_LISTED] = state[STATE_FULL] ? 0 : (int64_t)state[STATE_LISTED];
        counts[GROUPS_LEFT] = state[STATE_FULL] ? (int64_t)o.keys.count : 0;
    }
}
