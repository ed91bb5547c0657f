/* row_sort.cl: sorts each row separately, in one pass; all rows have one length. A work-group, or a work-item under the
 * serial mapping, sorts rows_a_group neighbouring rows in its own memory. No row lies across a seam, so nothing is
 * merged later. Elements after the last row stay where they are.
 *
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS ROW_ITEMS RESIDENT BASE_RUN BASE_COLUMNS SHORT_SEGMENT
 * ROWS_SIDE_BY_SIDE VALUES_ARE_INDICES INDICES_IN_ROWS KEYS_DROPPED STABLE; before; what sort_arrays.clh needs; input
 * offsets, one more than there are rows, used for their count alone; numbers row_length and rows_a_group. In the group
 * mapping ROW_ITEMS is row_length, where that is TILE_ITEMS at most, or 0; rows_a_group is what TILE_THREADS work-items
 * of TILE_ITEMS keys can sort.
 *
 * Bounds, whatever before says: a group reads and stores the elements of its own rows, cut off at the input's end. A
 * merge takes from a list only while that list has keys left. So each index that is stored in a row belongs to it. */
#define HAS_VALUES HAS_in_values
#define SEGMENTED 0
#define BLOCK_THREADS TILE_THREADS
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/sort/sort_arrays.clh"

/* The rows of a group: elements [begin, begin + count). Only the first inside of these elements belong to rows. */
typedef struct {
    index_type begin, length;
    int count, inside;
} group_rows;

static inline group_rows rows_of_group(const input_in in, const input_offsets offsets, const index_type length,
                                       const index_type rows_a_group)
{
    const index_type first = (index_type)get_group_id(0) * rows_a_group;
    const index_type begin = first * length < in.count ? first * length : in.count;
    const index_type rows = offsets.count > first ? offsets.count - 1 - first : 0;
    const index_type rest = in.count - begin, most = length * rows_a_group;
    group_rows own;
    own.begin = begin;
    own.length = length;
    own.count = (int)(rest < most ? rest : most);
    own.inside = rows < rows_a_group && (int)(rows * length) < own.count ? (int)(rows * length) : own.count;
    return own;
}

#if TILE_THREADS == 1
#include "kernels/segmented_sort/row_serial.clh"
#else
#include "kernels/segmented_sort/row_group.clh"
#endif

#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#undef OPENCL_GROUPS
#define OPENCL_GROUPS KERNEL_GROUPS

MCL_KERNEL(TILE_THREADS) sort_rows(PARAMS_sort_rows)
{
    MCL_SHARED(row_store, store);
    const env_type env = MAKE_env;
    sort_input in;
    in.keys = MAKE_in;
    in.values = MAKE_in_values;
    const group_rows rows = rows_of_group(in.keys, MAKE_offsets, row_length, rows_a_group);
    sort_group_rows(env, in, MAKE_arrays, rows, store);
}
