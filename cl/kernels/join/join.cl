/* join.cl: the rows of a relational join, as pairs of indices. Passes: join_partition cuts the merge of a and b into
 * tiles. With JOIN_HASH a is in any order, and tiles are parts of a; join_clear and join_fill make a hash table of b
 * (join_hash.clh). Then
 *   JOIN_LOOK_BACK  join_tiles: one pass, which finds the index of each tile's first row by look-back
 *   otherwise       join_count, join_spine, join_tiles: rows are counted, then made again and stored
 *   where needed    join_windows: stores the rows of a tile past its first JOIN_WINDOW rows
 *   JOIN_REST       join_spine, join_rest: the last rows, for keys of b that have no equal key in a
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS RESIDENT; inputs a, b; outputs out_a, count;
 * before; fold, the sum of int64_t; JOIN_KIND (facts/join.h); JOIN_HASH. Output out_b is absent where rows are no
 * pairs. Inputs order and values and output row_keys are for JOIN_HASH alone.
 *
 * Bounds: a tile's keys are keys of the inputs (merge_path_input.clh). Its rows and its list are bounded in
 * join_group.clh and join_serial.clh. A row's index is a sum of counts, which are 0 or more, and below capacity
 * (join_room).
 *
 * An order that contradicts itself can make two passes, or a tile and its refold_tile, count the same keys differently.
 * Rows then overlap or are left out, but no row is past capacity. Rows of keys that are not sorted may hold any
 * numbers. */
#include "facts/join.h"
/* a key of a that has no equal key in b has a row */
#define JOIN_KEEPS_A (JOIN_KIND == JOIN_LEFT || JOIN_KIND == JOIN_OUTER)
/* a key of b that has no equal key in a has a row */
#define JOIN_REST (JOIN_KIND == JOIN_RIGHT || JOIN_KIND == JOIN_OUTER)
#define JOIN_PAIRS (JOIN_KIND < JOIN_SEMI)
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
/* Without this bound ptxas keeps values in registers that it could compute again. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#define JOIN_WINDOW JOIN_WINDOW_ROWS(TILE_THREADS, TILE_ITEMS)
#include "pieces/scan/spine.clh"
#include "pieces/merge/merge_path_input.clh"

/* Finds the end of the run of keys of b that do not sort after key. The keys before index from belong to the run. Steps
 * double until they pass the end, then halve: a near end costs the logarithm of its distance. */
static inline index_type join_run_end(const env_type env, const input_b b, const index_type from, const key_type key)
{
    index_type low = from, step = 1;
    while (step <= b.count - low && !before(env, key, load_b(b, low + step - 1))) {
        low += step;
        step *= 2;
    }
    index_type high = step <= b.count - low ? low + step - 1 : b.count;
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        if (!before(env, key, load_b(b, middle))) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* join_lower_bound(env, b, low, high, key): the lower bound of a key among the keys [low, high) of b. */
#define BINARY_SEARCH join_lower_bound
#define RUN input_b
#define RUN_KEY key_type
#define RUN_BEFORE(env, run, i, key) before(env, load_b(run, i), key)
#include "pieces/search/binary_search.clh"

#if JOIN_HASH
#include "kernels/join/join_hash.clh"
#endif

typedef struct {
    operands_type of;
#if JOIN_HASH
    __global const join_slot *slots;
#else
    __global const index_type *split;
#endif
    /* keys of b that have no equal key in a; a tile's entries begin at its first key's index in b */
    __global index_type *list;
} join_operands;

/* Returns the number of tiles, at least 1. A count from the device may be below its bound, so there may be no keys. */
static inline index_type join_tiles_of(const input_a a, const input_b b)
{
    const index_type total = JOIN_HASH ? a.count : a.count + b.count;
    return total > 0 ? (total - 1) / TILE_SIZE + 1 : 1;
}

/* Returns tile number number. */
static inline merge_tile join_tile(const join_operands o, const index_type number)
{
#if JOIN_HASH
    return hash_tile(o.of.a, number);
#else
    return merge_tile_find(o.of.a.count + o.of.b.count, o.split, number);
#endif
}

/* Returns the number of rows of a key of a that has matches equal keys in b. */
static inline index_type join_rows_of(const index_type matches)
{
    if (JOIN_KEEPS_A) return matches > 0 ? matches : 1;
    if (JOIN_KIND == JOIN_SEMI) return matches > 0;
    if (JOIN_KIND == JOIN_ANTI) return matches == 0;
    return matches;
}

/* Returns how many of count rows from begin on fit below capacity; at most JOIN_WINDOW. */
static inline int join_room(const fold_type begin, const fold_type count, const index_type capacity)
{
    const fold_type rest = capacity - (begin < capacity ? begin : (fold_type)capacity);
    const fold_type room = count < rest ? count : rest;
    return (int)(room < JOIN_WINDOW ? room : JOIN_WINDOW);
}

#if JOIN_REST
#define JOIN_TAKE_LIST(o) (o).list = ARRAY(index_type, list)
#define JOIN_PUT_REST(number, found) ARRAY(fold_type, rest)[number] = (found).rest
#else
#define JOIN_TAKE_LIST(o) (o).list = 0
#define JOIN_PUT_REST(number, found) (void)(number)
#endif

#if JOIN_HASH
#define JOIN_TAKE_TABLE(o) (o).slots = ARRAY(join_slot, slots)
#else
#define JOIN_TAKE_TABLE(o) (o).split = ARRAY(index_type, split)
#endif

#if JOIN_HASH && TILE_THREADS == 1
#include "kernels/join/join_hash_serial.clh"
#elif JOIN_HASH
#include "kernels/join/join_hash_group.clh"
#elif TILE_THREADS == 1
#include "kernels/join/join_serial.clh"
#else
#include "kernels/join/join_group.clh"
#endif

/* Chooses the tile to work on. One work-item calls it. */
static inline void join_choose(const join_operands o, const index_type number, __local join_store *store)
{
    store->number = number;
    store->tile = join_tile(o, number);
}

#if JOIN_LOOK_BACK
#include "kernels/join/join_look_back.clh"
#else
#include "kernels/join/join_two_pass.clh"
#endif

/* Each group stores its tile's first rows after the rows of earlier tiles, and lists its keys of b that have no equal
 * key in a. has_more becomes 1 where a tile has rows left over. */
MCL_KERNEL(TILE_THREADS) join_tiles(PARAMS_join_tiles)
{
    MCL_SHARED(join_store, store);
    const env_type env = MAKE_env;
    __global fold_type *const tile_rows = ARRAY(fold_type, rows);
    const int id = (int)get_local_id(0);
    join_operands o;
    TAKE_join_tiles(o.of);
    JOIN_TAKE_TABLE(o);
    JOIN_TAKE_LIST(o);
    if (id == 0) join_choose(o, JOIN_TILE, store);
    group_barrier();
    join_found found;
    join_find(env, o, store, JOIN_REST, &found);
    const index_type number = store->number, tiles = join_tiles_of(o.of.a, o.of.b);
    JOIN_BEGIN(env, o, number, tiles, found, store);
    group_barrier();
    const fold_type begin = number < tiles ? store->begin : 0;
    const int room = number < tiles ? join_room(begin, found.total, o.of.capacity) : 0;
    join_store_rows(env, o, found, store, begin, 0, room);
    /* this store comes after the tile's rows: NVIDIA's OpenCL (driver 580) loses a store that stands before a tile's
     * stores */
    if (id == 0 && found.total > JOIN_WINDOW && begin < o.of.capacity) atomic_or_global(ARRAY(uint, has_more), 1);
    if (id == 0) JOIN_PUT_REST(number, found);
    if (JOIN_LOOK_BACK && id == 0 && number < tiles) tile_rows[number] = begin;
    const int is_last = JOIN_LOOK_BACK && id == 0 && number == tiles - 1;
    if (is_last) tile_rows[tiles] = begin + found.total;
    if (is_last && o.of.has_count) store_count(o.of.count, 0, begin + found.total);
}

#if JOIN_HASH
/* Pass 1: clears the slots of the table, and the states of look-back. */
MCL_KERNEL(TILE_THREADS) join_clear(PARAMS_join_clear)
{
    const input_b b = MAKE_b;
    const index_type parts = (index_type)get_num_groups(0), part = (index_type)get_group_id(0);
    const int id = (int)get_local_id(0);
    __global join_slot *const slots = ARRAY(join_slot, slots);
    index_type k, end;
    part_range((index_type)1 << hash_bits(b.count), parts, part, &k, &end);
    for (k += id; k < end; k += TILE_THREADS) {
        slots[k].key = 0;
        slots[k].head = NO_HEAD;
    }
#if JOIN_LOOK_BACK
    part_range(splits, parts, part, &k, &end);
    for (k += id; k < end; k += TILE_THREADS) look_back_start(ARRAY(ulong, state), ARRAY(uint, counters), k, splits);
#endif
    if (part == 0 && id == 0) ARRAY(uint, has_more)[0] = 0;
}

/* Pass 2: enters the first of equal keys of b, those of a tile in each group. */
MCL_KERNEL(TILE_THREADS) join_fill(PARAMS_join_fill)
{
    const env_type env = MAKE_env;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    operands_type o;
    TAKE_join_fill(o);
    hash_enter_keys(env, o, ARRAY(join_slot, slots), begin, tile_count(begin, o.b.count));
}
#else
/* Pass 1: one work-item for each tile boundary finds how many keys of a precede the boundary. It also clears the states
 * of look-back. */
MCL_KERNEL(PARTITION_THREADS) join_partition(PARAMS_join_partition)
{
    const index_type s = (index_type)get_global_id(0);
    if (s >= splits) return;
#if JOIN_LOOK_BACK
    look_back_start(ARRAY(ulong, state), ARRAY(uint, counters), s, splits);
#endif
    if (s == 0) ARRAY(uint, has_more)[0] = 0;
    ARRAY(index_type, split)[s] = merge_crossing(MAKE_env, MAKE_a, MAKE_b, s);
}
#endif

#if JOIN_REST || !JOIN_LOOK_BACK
/* Replaces the count of each tile [first, first + most) by the sum of the counts before it, in one group. Tiles that do
 * not exist are left out. The total follows the last tile. carry has the sum of earlier launches. The result's count is
 * the total, plus base[tiles] where there is a base. */
MCL_KERNEL(TILE_THREADS) join_spine(PARAMS_join_spine)
{
    MCL_SHARED(join_store, store);
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const output_count results = MAKE_count;
    __global fold_type *const sums = ARRAY(fold_type, sums);
    const index_type tiles = join_tiles_of(a, b);
    const index_type rest = tiles - (first < tiles ? first : tiles);
    const index_type count = rest < most ? rest : most;
    const fold_type carried = first > 0 ? ARRAY(fold_type, carry)[0] : 0;
    const fold_type total = spine_scan(env, sums + first, (int)count, 1, carried, store->sums);
    if (get_local_id(0) > 0) return;
    ARRAY(fold_type, carry)[0] = total;
    if (first + count < tiles) return;
    sums[tiles] = total;
    const fold_type found = total + (has_base ? ARRAY(fold_type, base)[tiles] : 0);
    if (has_count) store_count(results, 0, found);
}
#endif

#if JOIN_PAIRS
/* Finds which rows join_windows stores for the window of JOIN_WINDOW rows from index on. These rows belong to the tile
 * that has row index, and come after the tile's first JOIN_WINDOW rows. The window's rows of later tiles are among the
 * first rows of their tiles, which join_tiles has stored. */
static inline void join_window_find(const join_operands o, __global const fold_type *tile_rows, const fold_type index,
                                    __local join_store *store)
{
    index_type low = 0, high = join_tiles_of(o.of.a, o.of.b) - 1;
    while (low < high) { /* finds the last tile with a first row that is not after index */
        const index_type middle = high - (high - low) / 2;
        if (tile_rows[middle] <= index) low = middle;
        else high = middle - 1;
    }
    const fold_type tile_begin = tile_rows[low], tile_end = tile_rows[low + 1];
    const fold_type begin = tile_begin + JOIN_WINDOW > index ? tile_begin + JOIN_WINDOW : index;
    const fold_type most = index + JOIN_WINDOW < tile_end ? index + JOIN_WINDOW : tile_end;
    merge_tile tile = join_tile(o, low);
    if (begin >= most) tile.count = tile.a_part = 0; /* where the tile has no such rows */
    store->tile = tile;
    store->begin = begin;
    store->skipped = begin - tile_begin;
    store->room = join_room(begin, begin < most ? most - begin : 0, o.of.capacity);
}

/* Stores the rows that join_tiles has left out, window by window. */
MCL_KERNEL(TILE_THREADS) join_windows(PARAMS_join_windows)
{
    MCL_SHARED(join_store, store);
    const env_type env = MAKE_env;
    __global const fold_type *const tile_rows = ARRAY(fold_type, rows);
    join_operands o;
    TAKE_join_windows(o.of);
    JOIN_TAKE_TABLE(o);
    const fold_type total = tile_rows[join_tiles_of(o.of.a, o.of.b)];
    const fold_type stored = !ARRAY(uint, has_more)[0] ? 0 : total < capacity ? total : capacity;
    const fold_type stride = (fold_type)get_num_groups(0) * JOIN_WINDOW;
    for (fold_type index = (fold_type)get_group_id(0) * JOIN_WINDOW; index < stored; index += stride) {
        if (get_local_id(0) == 0) join_window_find(o, tile_rows, index, store);
        group_barrier();
        join_found found;
        join_find(env, o, store, 0, &found);
        const fold_type left = found.total - store->skipped; /* fewer than were counted, if keys are not sorted */
        const int room = left < store->room ? (left > 0 ? (int)left : 0) : store->room;
        join_store_rows(env, o, found, store, store->begin, store->skipped, room);
        group_barrier();
    }
}
#endif

#if JOIN_REST
/* Stores the last rows: each group stores a row for each key that its tile has listed. */
MCL_KERNEL(TILE_THREADS) join_rest(PARAMS_join_rest)
{
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const output_out_a out_a = MAKE_out_a;
    const output_out_b out_b = MAKE_out_b;
    __global const fold_type *const rest = ARRAY(fold_type, rest);
    const index_type number = (index_type)get_group_id(0), tiles = join_tiles_of(a, b);
    const fold_type begin = number < tiles ? ARRAY(fold_type, rows)[tiles] + rest[number] : 0;
    const int room = number < tiles ? join_room(begin, rest[number + 1] - rest[number], capacity) : 0;
    __global const index_type *const list =
        ARRAY(index_type, list) + (number * TILE_SIZE - ARRAY(index_type, split)[number]);
    for (int k = (int)get_local_id(0); k < room; k += TILE_THREADS) {
        store_out_a(out_a, (index_type)begin + k, -1);
        store_out_b(out_b, (index_type)begin + k, (out_b_type)list[k]);
    }
}
#endif
