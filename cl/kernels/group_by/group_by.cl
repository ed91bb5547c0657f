/* group_by.cl: finds groups of equal keys by tables, where the groups are few. Passes:
 *   groups_start    clears the state; under the group mapping also empties the device's table
 *   groups_fold     folds the elements in tables; under the serial mapping: puts the groups into a list in the end
 *   groups_list     group mapping alone: puts the groups of the device's table into the list
 *   groups_settle   counts the groups of the list, and the elements that are still to be grouped
 * The serial mapping has four more passes before the last one (tables_serial.clh). There several parts may list the
 * same key, so the reader of the list folds again. If a table is too small, the list counts as empty, and all elements
 * are still to be grouped.
 * Needs: index_type TILE_THREADS TILE_ITEMS; input keys, of integers; GROUP_FOLDS, 0 to 3: as many inputs
 * values, values_2, values_3 with operators sum, sum_2, sum_3; SUM_BYTES_1 to _3, 0 where there is none;
 * SUM_WAY_1 to _3 (group_sum.clh). Serial mapping: SLOT_BYTES_MOST; SAME_VALUES, a bit for each input of values that
 * has one value for all elements; LEAST_ELEMENTS of a group on average, else the list counts as empty. Group mapping:
 * KEY_BYTES, 4 or 8, of a key as a word; LOCAL_SLOTS, RESIDENT; APPEND_WAY, APPEND_WIDTH.
 *
 * Bounds, whatever the keys are: a slot is an index below the number of a table's slots by a mask, or that number: the
 * slot of key 0. A table puts at most as many groups into the list as it has slots, so the list has at most the slots
 * of all tables; under the serial mapping at most list_room. A search takes a limited number of steps. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/group_by.h"
#include "pieces/tile/part_range.clh"

/* Arrays of accumulators: in the tables, and in the list. */
#if GROUP_FOLDS > 0
#define SUMS_1 ARRAY(sum_word, sums)
#define LIST_SUMS_1 ARRAY(sum_type, list_sums)
#else
#define SUMS_1 ((__global uint *)0)
#define LIST_SUMS_1 ((__global uint *)0)
#endif
#if GROUP_FOLDS > 1
#define SUMS_2 ARRAY(sum_2_word, sums_2)
#define LIST_SUMS_2 ARRAY(sum_2_type, list_sums_2)
#else
#define SUMS_2 ((__global uint *)0)
#define LIST_SUMS_2 ((__global uint *)0)
#endif
#if GROUP_FOLDS > 2
#define SUMS_3 ARRAY(sum_3_word, sums_3)
#define LIST_SUMS_3 ARRAY(sum_3_type, list_sums_3)
#else
#define SUMS_3 ((__global uint *)0)
#define LIST_SUMS_3 ((__global uint *)0)
#endif

#if TILE_THREADS == 1
#include "kernels/group_by/tables_serial.clh"
#else
#include "kernels/group_by/tables_group.clh"
#endif

MCL_KERNEL(1) groups_settle(PARAMS_groups_settle)
{
    operands_type o;
    TAKE_groups_settle(o);
    __global const uint *const state = ARRAY(uint, state);
    __global int64_t *const counts = ARRAY(int64_t, counts);
#if TILE_THREADS == 1
    const int are_left = (state[STATE_FULL] & GROUPS_ARE_MANY) != 0;
    if (get_local_id(0) == 0) {
        counts[GROUPS_LISTED] = are_left ? 0 : (int64_t)state[STATE_LISTED];
        counts[GROUPS_LEFT] = are_left ? (int64_t)o.keys.count : 0;
    }
#else
    if (get_local_id(0) == 0) {
        counts[GROUPS_LISTED] = state[STATE_FULL] ? 0 : (int64_t)state[STATE_LISTED];
        counts[GROUPS_LEFT] = state[STATE_FULL] ? (int64_t)o.keys.count : 0;
    }
#endif
}
