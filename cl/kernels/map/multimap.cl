/* multimap.cl: appends entries to a multimap, looks keys up, and copies all entries. Passes:
 *   multimap_add      appends entries to a list, with the orders of key_order.clh as keys
 *   multimap_find     finds for each key the index of its first entry in the ordered list, and the number of its
 * entries
 *   multimap_all      stores the keys and values of the ordered list
 *   multimap_total    stores the sum of two counts
 * Needs: index_type TILE_THREADS TILE_ITEMS; KEY_BYTES, 4 or 8; TABLE_WIDE: the table has int64_t, else int32_t.
 *
 * The array totals has the numbers of entries of the lists. The table has, for each value b of a key's upper bits, the
 * index after the last entry with these bits.
 *
 * Bounds, whatever table and totals hold: an index is below the number of entries that its array has room for. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "kernels/map/key_order.clh"
#include "pieces/words/count_store.clh"
#include "pieces/tile/tile_count.clh"

#if KEY_BYTES == 8
typedef uint64_t key_bits;
#define key_order key_order_64
#define key_of_order key_of_order_64
#else
typedef uint32_t key_bits;
#define key_order key_order_32
#define key_of_order key_of_order_32
#endif

#if defined(PARAMS_multimap_add) || defined(PARAMS_multimap_find)
static inline key_bits order_at(const input_keys keys, const index_type k)
{
    union {
        keys_type element;
        key_bits bits;
    } key;
    key.element = load_keys(keys, k);
    return key_order(key.bits);
}
#endif

#ifdef PARAMS_multimap_add
/* Appends entries to a list. The list has totals[from] entries before, or 0 where is_first, and totals[to] after.
 * Entries past room would be left out, but the host has made room for all. */
MCL_KERNEL(TILE_THREADS) multimap_add(PARAMS_multimap_add)
{
    operands_type o;
    TAKE_multimap_add(o);
    __global key_bits *const list = ARRAY(key_bits, list);
    __global int64_t *const totals = ARRAY(int64_t, totals);
    const int64_t start = is_first ? 0 : totals[from];
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, o.keys.count);
    if (get_group_id(0) == 0 && get_local_id(0) == 0) totals[to] = start + (int64_t)o.keys.count;
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        const int64_t at = start + (int64_t)k;
        if (at < 0 || at >= (int64_t)o.room) continue;
        list[at] = order_at(o.keys, k);
        if (HAS_stored) store_stored(o.stored, (index_type)at, load_values(o.values, k));
    }
}
#endif

#ifdef PARAMS_multimap_find
#if TABLE_WIDE
typedef int64_t table_index;
#else
typedef int32_t table_index;
#endif

/* Returns the first index of [begin, end) with an order that is not below the argument order, or end. With upper it
 * must be above that order. */
static inline index_type order_bound(__global const key_bits *list, const index_type begin, const index_type end,
                                     const key_bits order, const int upper)
{
    index_type low = begin, high = end;
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        const key_bits seen = list[middle];
        if (seen < order || (upper && seen == order)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Prefetches the table's number for key k + 2 * AHEAD, and the list's first entry for key k + AHEAD. A single work-item
 * would else wait for memory at every key. On GPUs other work-items run meanwhile. */
enum { AHEAD = 16 };
static inline void fetch_ahead(const input_keys keys, __global const table_index *table,
                               __global const key_bits *list, const int shift, const index_type k, const int left)
{
    if (TILE_THREADS > 1 || MCL_IS_GPU || left <= 2 * AHEAD) return;
    prefetch_load(table + (order_at(keys, k + 2 * AHEAD) >> shift));
    prefetch_load(list + table[order_at(keys, k + AHEAD) >> shift]);
}

MCL_KERNEL(TILE_THREADS) multimap_find(PARAMS_multimap_find)
{
    operands_type o;
    TAKE_multimap_find(o);
    __global const key_bits *const list = ARRAY(key_bits, list);
    __global const table_index *const table = ARRAY(table_index, table);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, o.keys.count);
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        const key_bits order = order_at(o.keys, k);
        const key_bits upper_bits = order >> shift;
        if (o.room > 0) fetch_ahead(o.keys, table, list, shift, k, count - index);
        index_type end = o.room > 0 ? (index_type)table[upper_bits] : 0;
        index_type first = o.room > 0 && upper_bits > 0 ? (index_type)table[upper_bits - 1] : 0;
        end = end < o.room ? end : o.room;
        first = order_bound(list, first, end, order, 0);
        if (first < end && list[first] == order) end = order_bound(list, first + 1, end, order, 1);
        else end = first;
        const int64_t found = (int64_t)(end - first);
        store_begins(o.begins, k, (begins_type)first);
        store_counts(o.counts, k, (counts_type)(found < highest ? found : highest));
    }
}
#endif

#ifdef PARAMS_multimap_all
/* Stores the first room entries of the list, or all if they are fewer. */
MCL_KERNEL(TILE_THREADS) multimap_all(PARAMS_multimap_all)
{
    operands_type o;
    TAKE_multimap_all(o);
    __global const key_bits *const list = ARRAY(key_bits, list);
    __global const int64_t *const totals = ARRAY(int64_t, totals);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const index_type entries = totals[from] < (int64_t)o.room ? (index_type)totals[from] : o.room;
    const int count = tile_count(begin, entries);
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        union {
            key_bits bits;
            keys_type element;
        } key;
        key.bits = key_of_order(list[k]);
        store_keys(o.keys, k, key.element);
        if (HAS_stored) store_values(o.values, k, load_stored(o.stored, k));
    }
}
#endif

#ifdef PARAMS_multimap_total
/* Stores the sum of totals[from] and totals[to], by one group. An index of -1 stands for a count of 0. */
MCL_KERNEL(TILE_THREADS) multimap_total(PARAMS_multimap_total)
{
    __global const int64_t *const totals = ARRAY(int64_t, totals);
    if (get_local_id(0) == 0)
        count_store(ARRAY(char, result), highest, (from < 0 ? 0 : totals[from]) + (to < 0 ? 0 : totals[to]));
}
#endif
