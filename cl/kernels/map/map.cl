/* map.cl: enters, finds and erases keys in a sub-map of a hash map. A call on several sub-maps makes a launch for each;
 * done then says which keys an earlier launch has handled. A program has the kernels of one call. Needs: index_type
 * TILE_THREADS TILE_ITEMS RESIDENT; KEY_BYTES, VALUE_BYTES; input keys; input or output values; output found;
 * MAP_CLAIMS_ENTRY; MAP_UNIQUE: each key comes once. With MAP_ASSIGNS keys that exist get the new value. With an
 * operator fold they get the fold of the old and the new value; MAP_ADDS: by an atomic addition. Wide values change
 * only where keys are unique. GROUP_GATHERS: a work-group may join its changes of one key before it changes the map.
 *
 * With an operator several work-items may change one entry, and no work-item may read a value before it is stored.
 * Where an entry is claimed as a whole, or keys are unique, this cannot happen. MAP_FOLDS_AT_ONCE: the fold of 0 and a
 * value is that value. Slots without an entry have value 0, so one launch folds all elements. Else a first launch
 * stores each new key with the value of one element, and a later launch folds the other elements.
 *
 * Bounds, whatever the keys are: a hash is reduced to a bucket of the sub-map. A search visits at most as many buckets
 * as the sub-map has. A key that finds no room is left out.
 *
 * A sub-map's counters are pairs of 32-bit words with a carry, since not every device has wider atomics. */
#include "kernels/map/map_elements.clh"

#ifdef PARAMS_map_enter
#if SEARCHES_ARE_SERIAL
#include "kernels/map/map_changes.clh"
#elif GROUP_GATHERS
#include "kernels/map/map_changes_group.clh"
#endif
#ifndef CHANGES_STORE
#define CHANGES_STORE (void)0
#define CHANGES_TAKE(env, map, o, begin, count, has_done, done, has_erased, own, taken)
#define CHANGES_BEGIN(keys, begin, count)
#define CHANGE(env, map, index, slot, value) value_change(env, map, slot, value)
#define CHANGES_END
#endif

/* Sets done[k] to 1 where the sub-map has key k, else to 0, and changes the key's value. It runs before map_enter on
 * each sub-map that takes no new keys. Where a launch folds later, it also runs after map_enter on that sub-map. */
MCL_KERNEL(TILE_THREADS) map_seek(PARAMS_map_seek)
{
    CHANGES_STORE;
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_map_seek(o);
    const sub_map map = MAKE_sub_map;
    __global uint8_t *const done = ARRAY(uint8_t, done);
    index_type begin, count;
    part_keys(o.keys, &begin, &count);
    BATCH_BEGIN
    CHANGES_BEGIN(o.keys, begin, count)
    ROLLED
    for (index_type index = (index_type)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        key_bits key;
        __global map_slot *slot = BATCH_SLOT(map, o.keys, k, BATCH_AT(index), count - index);
        if (!key_open(o.keys, k, !is_first, done, &key)) continue;
        if (slot == SLOT_NONE && !is_sentinel(map, key)) slot = map_locate(map, key);
        done[k] = slot != SLOT_NONE;
        if (MAP_CHANGES && slot != SLOT_NONE) CHANGE(env, map, index, slot, value_at(env, o, k));
    }
    CHANGES_END
}

/* Enters the keys that no other sub-map has. Keys equal to a sentinel are counted in skipped. Where a later launch
 * folds, done[k] becomes 1 if element k needs no fold, else 0. */
MCL_KERNEL(TILE_THREADS) map_enter(PARAMS_map_enter)
{
    MCL_SHARED(map_counts, store);
    CHANGES_STORE;
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_map_enter(o);
    const sub_map map = MAKE_sub_map;
    __global uint8_t *const done = ARRAY(uint8_t, done);
    index_type begin, count, taken = 0;
    uint own[MAP_COUNTERS] = {0, 0, 0};
    part_keys(o.keys, &begin, &count);
    counts_start(store);
    CHANGES_TAKE(env, map, o, begin, count, has_done, done, has_erased, own, taken)
    BATCH_BEGIN
    CHANGES_BEGIN(o.keys, begin + taken, count - taken)
    const index_type end = begin + count;
    ROLLED
    for (index_type k = begin + taken + (index_type)get_local_id(0); k < end; k += TILE_THREADS) {
        const index_type index = k - begin;
        key_bits key;
        __global map_slot *known = BATCH_SLOT(map, o.keys, k, BATCH_AT(index), count - index);
        if (!key_open(o.keys, k, has_done, done, &key)) continue;
        int is_done = known == SLOT_NONE;
        if (is_done && is_sentinel(map, key)) {
            count_skipped(own, store);
        } else if (is_done | MAP_CHANGES_FOUND) {
            const value_bits value = value_at(env, o, k);
            if (is_done) is_done = enter_key(env, map, key, value, has_erased, own, &known);
            if (MAP_CHANGES_FOUND && known != SLOT_NONE) CHANGE(env, map, index, known, value);
        }
        if (MAP_FOLDS_LATER) done[k] = (uint8_t)is_done;
    }
    CHANGES_END
    __global uint *const counters = ARRAY(uint, counters);
    __global uint *const pairs[MAP_COUNTERS] = {counters, counters + 2 * MAP_ENTERED, ARRAY(uint, skipped)};
    counts_add(own, store, pairs);
}
#endif

/* Counts in skipped the sentinels among the caller's keys. The call itself enters keys that were made of these and have
 * no sentinels. */
#ifdef PARAMS_map_skip
MCL_KERNEL(TILE_THREADS) map_skip(PARAMS_map_skip)
{
    MCL_SHARED(map_counts, store);
    operands_type o;
    TAKE_map_skip(o);
    const sub_map map = MAKE_sub_map;
    __global uint *const skipped = ARRAY(uint, skipped);
    __global uint *const pairs[MAP_COUNTERS] = {skipped, skipped, skipped};
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, o.keys.count);
    uint own[MAP_COUNTERS] = {0, 0, 0};
    counts_start(store);
    ROLLED
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS)
        own[0] += (uint)is_sentinel(map, key_at(o.keys, begin + index));
    counts_add(own, store, pairs);
}
#endif

/* ---- finding ------------------------------------------------------------------------------------------------- */

#ifdef PARAMS_map_find
/* Finds a key, and stores its value and whether the key exists. has_done: 1 where done[k] also gets 1 for a key that
 * exists. */
static inline void find_key(const sub_map map, const operands_type o, const index_type k, const key_bits key,
                            const value_bits missing, const int has_missing, const int is_first, const int has_done,
                            __global uint8_t *done)
{
    value_bits value = missing;
    int is_there = 0;
    if (!is_sentinel(map, key)) is_there = map_lookup(map, key, &value);
    if (has_done) done[k] = (uint8_t)is_there;
    if (is_there || is_first) store_found(o.found, k, (found_type)is_there);
    if (is_there || (is_first && has_missing)) store_values(o.values, k, value_element(value));
}

#if SEARCHES_ARE_SERIAL
#include "kernels/map/map_find_serial.clh"
#else
#define FIND_BATCHES (int)get_local_id(0)
#endif

MCL_KERNEL(TILE_THREADS) map_find(PARAMS_map_find)
{
    operands_type o;
    TAKE_map_find(o);
    const sub_map map = MAKE_sub_map;
    __global uint8_t *const done = ARRAY(uint8_t, done);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, o.keys.count);
    ROLLED
    for (int index = FIND_BATCHES; index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        key_bits key;
        if (!key_open(o.keys, k, !is_first, done, &key)) continue;
        find_key(map, o, k, key, missing, has_missing, is_first, has_done, done);
    }
}
#endif

/* ---- erasing ------------------------------------------------------------------------------------------------- */

#ifdef PARAMS_map_erase
MCL_KERNEL(TILE_THREADS) map_erase(PARAMS_map_erase)
{
    MCL_SHARED(map_counts, store);
    operands_type o;
    TAKE_map_erase(o);
    const sub_map map = MAKE_sub_map;
    __global uint *const counters = ARRAY(uint, counters);
    __global uint *const pairs[MAP_COUNTERS] = {counters, counters + 2 * MAP_ENTERED, counters + 2 * MAP_ERASED};
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, o.keys.count);
    uint own[MAP_COUNTERS] = {0, 0, 0};
    counts_start(store);
    BATCH_BEGIN
    ROLLED
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        __global map_slot *slot = BATCH_SLOT(map, o.keys, k, BATCH_AT(index), count - index);
        const key_bits key = key_at(o.keys, k);
        if (slot == SLOT_NONE && !is_sentinel(map, key)) slot = map_locate(map, key);
        /* where several work-items erase one key, exactly one of them swaps it */
        if (slot != SLOT_NONE && key_swap(&slot->key, stored_key(map, key), map.erased) != stored_key(map, key))
            slot = SLOT_NONE;
        own[MAP_ERASED] += slot != SLOT_NONE;
#if VALUES_BESIDE
        if (slot != SLOT_NONE) slot->value = 0;
#endif
    }
    counts_add(own, store, pairs);
}
#endif
