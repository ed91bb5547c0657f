/* map_retrieve.cl: copies the entries of a part of a sub-map of a hash map, in any order. Needs: index_type
 * TILE_THREADS TILE_ITEMS; KEY_BYTES, VALUE_BYTES; APPEND_WAY, APPEND_WIDTH (append_group.clh); outputs keys, values.
 *
 * Bounds, whatever the slots hold: an entry is stored only to an index below limit. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "kernels/map/map_slots.clh"
#include "kernels/map/map_value.clh"
#include "pieces/tile/tile_count.clh"

static inline map_slot read_slot(__global const map_slot *from)
{
    __global const map_slot_word *const word = (__global const map_slot_word *)from;
    map_slot_word read;
    read.word = word->word;
    return read.slot;
}

static inline map_slot no_entry(void)
{
    map_slot slot;
    slot.key = 0;
#if VALUES_BESIDE
    slot.value = 0;
#endif
    return slot;
}

/* Stores an entry at index to of the outputs. from: the entry's slot. */
static inline void put_entry(const operands_type o, const sub_map map, const index_type to, const map_slot entry,
                             __global const map_slot *from)
{
    union {
        key_bits bits;
        keys_type element;
    } key;
    if (to >= o.limit) return;
    key.bits = stored_key(map, entry.key);
    store_keys(o.keys, to, key.element);
#if VALUES_BESIDE
    (void)from;
    store_values(o.values, to, value_element(entry.value));
#elif VALUES_APART
    if (WANTED_values) store_values(o.values, to, value_element(value_get(map, from)));
#else
    (void)from;
#endif
}

#include "pieces/tile/append_group.clh"

#if TILE_THREADS == 1
/* Stores the tile's entries. It counts them first, takes their indices at once, and reads them again from the cache.
 * With APPEND_GLOBAL_ATOMIC it takes an index for each entry instead. */
static inline void retrieve_tile(const operands_type o, const sub_map map, const int count, const index_type base,
                                 __global uint *cursor, __local append_store *store)
{
    uint to = 0;
    (void)store;
    if (APPEND_WAY != APPEND_GLOBAL_ATOMIC) {
        for (int k = 0; k < count; ++k) to += (uint)!is_free(map, map.slots[k].key);
        if (to > 0) to = atomic_add_global(cursor, to);
    }
    for (int k = 0; k < count; ++k) {
        const map_slot slot = read_slot(map.slots + k);
        if (is_free(map, slot.key)) continue;
        if (APPEND_WAY == APPEND_GLOBAL_ATOMIC) to = atomic_add_global(cursor, 1);
        put_entry(o, map, base + (index_type)to++, slot, map.slots + k);
    }
}
#else
static inline void retrieve_tile(const operands_type o, const sub_map map, const int count, const index_type base,
                                 __global uint *cursor, __local append_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    map_slot read[TILE_ITEMS];
    uint to[TILE_ITEMS];
    uint chosen = 0;
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        read[j] = no_entry();
        if (first + j * TILE_STEP < count) read[j] = read_slot(map.slots + first + j * TILE_STEP);
    }
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) chosen |= (uint)!is_free(map, read[j].key) << j;
    append_indices(chosen, cursor, store, to);
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (chosen >> j & 1u)
            put_entry(o, map, base + (index_type)to[j], read[j], map.slots + first + j * TILE_STEP);
}
#endif

/* Stores the entries of slot_count slots, after the entries of earlier launches. cursors[k] is the number of entries of
 * launch k, and this launch is launch turn. */
MCL_KERNEL(TILE_THREADS) map_retrieve(PARAMS_map_retrieve)
{
    MCL_SHARED(append_store, store);
    operands_type o;
    sub_map map = MAKE_sub_map;
    __global uint *const cursors = ARRAY(uint, cursors);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    index_type base = 0;
    for (int k = 0; k < turn; ++k) base += (index_type)cursors[k];
    TAKE_map_retrieve(o);
    map.slots += begin;
#if VALUES_APART
    map.values += begin;
#endif
    retrieve_tile(o, map, tile_count(begin, slot_count), base, cursors + turn, store);
}
