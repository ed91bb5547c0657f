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
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/map.h"
#include "kernels/map/map_slots.clh"
#include "pieces/tile/part_range.clh"
#if defined(PARAMS_map_enter) || defined(PARAMS_map_find)
#include "kernels/map/map_value.clh"
#endif

static inline key_bits key_at(const input_keys keys, const index_type k)
{
    union {
        keys_type element;
        key_bits bits;
    } key;
    key.element = load_keys(keys, k);
    return key.bits;
}

/* Prefetches the bucket of key k + AHEAD, since a single work-item would else wait for memory at every key. On GPUs
 * other work-items run meanwhile. */
enum { AHEAD = 12 };
static inline void fetch_ahead(const sub_map map, const input_keys keys, const index_type k, const index_type left)
{
    if (TILE_THREADS > 1 || MCL_IS_GPU || left <= AHEAD) return;
    prefetch_store(slot_at(map, map_bucket(key_hash(key_at(keys, k + AHEAD)), map.buckets), 0));
}

#if SEARCHES_ARE_SERIAL
#include "kernels/map/map_batch.clh"
#else
#define BATCH_BEGIN
#define BATCH_AT(index) 0
#define BATCH_SLOT(map, keys, k, at, left) SLOT_NONE
#endif

/* Loads key k. Where has_done is 1 and done[k] says that an earlier launch has handled the key, it loads nothing and
 * returns 0. */
static inline int key_open(const sub_map map, const input_keys keys, const index_type k, const index_type left,
                           const int has_done, __global const uint8_t *done, key_bits *key)
{
    if (!SEARCHES_ARE_SERIAL) fetch_ahead(map, keys, k, left);
    if (has_done && done[k]) return 0;
    *key = key_at(keys, k);
    return 1;
}

/* Finds the keys that a group does in map_seek or map_enter. They are several tiles where the group gathers changes,
 * because these go to the map at its end. */
static inline void part_keys(const input_keys keys, index_type *begin, index_type *count)
{
#if SEARCHES_ARE_SERIAL || GROUP_GATHERS
    index_type end;
    part_range(keys.count, (index_type)get_num_groups(0), (index_type)get_group_id(0), begin, &end);
    *count = end > *begin ? end - *begin : 0;
#else
    *begin = (index_type)get_group_id(0) * TILE_SIZE;
    *count = tile_count(*begin, keys.count);
#endif
}

/* ---- counting ------------------------------------------------------------------------------------------------ */

typedef struct {
    uint counts[MAP_COUNTERS];
} map_counts;

static inline void pair_add(__global uint *pair, const uint amount)
{
    if (amount == 0) return;
    const uint before = atomic_add_global(pair, amount);
    if (before + amount < before) (void)atomic_add_global(pair + 1, 1);
}

static inline void counts_start(__local map_counts *store)
{
    if (get_local_id(0) == 0)
        for (int k = 0; k < MAP_COUNTERS; ++k) store->counts[k] = 0;
    group_barrier();
}

/* Adds the work-item's counts to the pairs. A group first adds up the counts of its work-items. */
static inline void counts_add(const uint *own, __local map_counts *store, __global uint *const *pairs)
{
    if (TILE_THREADS == 1) {
        for (int k = 0; k < MAP_COUNTERS; ++k) pair_add(pairs[k], own[k]);
    } else {
        for (int k = 0; k < MAP_COUNTERS; ++k)
            if (own[k] > 0) atomic_add_local(&store->counts[k], own[k]);
        group_barrier();
        if (get_local_id(0) == 0)
            for (int k = 0; k < MAP_COUNTERS; ++k) pair_add(pairs[k], store->counts[k]);
    }
}

/* Counts a key that is a sentinel. There are few, so a group counts them at once: that saves a register. */
static inline void count_skipped(uint *own, __local map_counts *store)
{
    if (TILE_THREADS == 1) ++own[MAP_SKIPPED];
    else (void)atomic_add_local(&store->counts[MAP_SKIPPED], 1);
}

/* ---- entering ------------------------------------------------------------------------------------------------ */

#ifdef PARAMS_map_enter
#define MAP_CHANGES (MAP_ASSIGNS | HAS_fold)
/* 1: an entry whose key is found has its value already. */
#define MAP_FINDS_WHOLE (MAP_CLAIMS_ENTRY | MAP_UNIQUE)
#define MAP_CHANGES_AT_ONCE ((MAP_ASSIGNS | MAP_FOLDS_AT_ONCE) & !MAP_FINDS_WHOLE)
#define MAP_CHANGES_FOUND (MAP_CHANGES_AT_ONCE | (MAP_CHANGES & MAP_FINDS_WHOLE))
#define MAP_GATHERS (MAP_CHANGES_FOUND | !MAP_CHANGES) /* 1: this launch makes all changes of a key */
#define MAP_FOLDS_LATER (HAS_fold & !MAP_FOLDS_AT_ONCE & !MAP_FINDS_WHOLE)
#undef KERNEL_GROUPS
/* Enough groups to hide the latency of memory, without spilled registers. */
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

static inline value_bits value_at(const env_type env, const operands_type o, const index_type k)
{
    (void)env;
    (void)o;
    (void)k;
#if HAS_fold
    return value_of(fold_extract(env, load_values(o.values, k), k));
#elif VALUE_BYTES > 0
    return value_of(load_values(o.values, k));
#else
    return 0;
#endif
}

#if HAS_fold
static inline value_bits value_folded(const env_type env, const value_bits p, const value_bits q)
{
    return value_of(fold(env, value_element(p), value_element(q)));
}
#endif

/* Changes the value of an entry: to the new value, or to the fold of both. Other work-items may change it meanwhile,
 * unless keys are unique. A swap fails only after another work-item's fold, so there are no more rounds than folds.
 * Where keys are unique the text has no atomics, since some devices lack them. */
static inline void value_change(const env_type env, const sub_map map, __global map_slot *slot, const value_bits value)
{
#if MAP_UNIQUE && HAS_fold
    value_put(map, slot, value_folded(env, value_get(map, slot), value));
#elif MAP_UNIQUE && MAP_ASSIGNS
    value_put(map, slot, value);
#elif HAS_fold && MAP_ADDS
    value_add(&slot->value, value);
#elif HAS_fold
    value_bits seen = value_load(&slot->value), expected;
    do {
        expected = seen;
        const value_bits folded = value_folded(env, expected, value);
        if (folded == expected) break;
        seen = value_swap(&slot->value, expected, folded);
    } while (seen != expected);
#elif MAP_ASSIGNS
    value_store(&slot->value, value);
#else
    (void)slot;
    (void)value;
#endif
    (void)env;
    (void)map;
}

/* Enters a key, and counts in own a filled slot and an entered key. Returns 1 where the key is new. Where it exists,
 * *known becomes its slot, whose value the caller still has to change. */
static INLINED int enter_key(const env_type env, const sub_map map, const key_bits key, const value_bits value,
                            const int has_erased, uint *own, __global map_slot **known)
{
    __global map_slot *slot = SLOT_NONE;
    const int claim = map_claim(map, key, value, has_erased, &slot);
    own[MAP_FILLED] += (uint)(claim == CLAIM_EMPTY);
    const int is_new = claim == CLAIM_EMPTY || claim == CLAIM_ERASED;
    own[MAP_ENTERED] += (uint)is_new;
#if MAP_CHANGES_AT_ONCE
    if (is_new) value_change(env, map, slot, value);
#elif !MAP_CLAIMS_ENTRY
    if (is_new) value_put(map, slot, value);
#endif
    if (claim == CLAIM_FOUND) *known = slot;
    (void)env;
    return is_new;
}

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
        if (!key_open(map, o.keys, k, count - index, !is_first, done, &key)) continue;
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
        if (!key_open(map, o.keys, k, count - index, has_done, done, &key)) continue;
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

/* Counts the sentinels among keys in skipped. The call enters other keys, which were made of these and have no
 * sentinels. */
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
/* Finds a key, and stores its value and whether it exists. has_done: 1 where done[k] gets that flag too. */
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
        if (!key_open(map, o.keys, k, count - index, !is_first, done, &key)) continue;
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
        if (!SEARCHES_ARE_SERIAL) fetch_ahead(map, o.keys, k, count - index);
        const key_bits key = key_at(o.keys, k);
        if (slot == SLOT_NONE && !is_sentinel(map, key)) slot = map_locate(map, key);
        /* of several work-items that erase one key, exactly one swaps it */
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
