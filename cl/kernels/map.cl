/* map.cl: a sub-map of a hash map: enters, finds and erases keys, and takes all entries out. A call on several sub-maps
 * makes a launch for each; done then says which keys an earlier launch has handled. Needs: index_type TILE_THREADS
 * TILE_ITEMS; KEY_BYTES, VALUE_BYTES; and by MAP_WORK (facts/map.h):
 *   MAP_SERVE     nothing: fills slots, zeroes words, sums counters
 *   MAP_ENTER     RESIDENT; inputs keys, values; MAP_ASSIGNS: keys that exist get the new value
 *   MAP_FIND      input keys; HAS_VALUES: output values; HAS_FOUND: output found
 *   MAP_ERASE     input keys
 *   MAP_RETRIEVE  HAS_KEYS: output keys; HAS_VALUES: output values; APPEND_WAY, APPEND_WIDTH
 *
 * Bounds, whatever the keys are: a hash is reduced to a bucket of the sub-map. A search takes at most as many steps as
 * there are slots. A key without room is left out. Entries are stored only below limit.
 *
 * A sub-map's counters are pairs of 32-bit words with a carry, since not every device has wider atomics. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/append.h"
#include "facts/map.h"
#include "kernels/map/map_slots.clh"
#include "pieces/part_range.clh"

static inline int64_t pair_value(__global const uint *pair)
{
    return (int64_t)((uint64_t)pair[1] << 32 | pair[0]);
}

#if MAP_WORK == MAP_SERVE
/* Empties slots; words: 16 bytes each. */
MCL_KERNEL(TILE_THREADS) map_fill(ARRAY_PARAM(wide_word, slots), int64_t words)
{
    __global wide_word *const to = ARRAY(wide_word, slots);
    const int64_t size = (int64_t)TILE_THREADS * TILE_ITEMS;
    const int64_t begin = (int64_t)get_group_id(0) * size;
    const int64_t end = words - begin < size ? words : begin + size;
    map_bucket_words bucket;
    UNROLL
    for (int j = 0; j < BUCKET_SLOTS; ++j) bucket.slots[j].key = bucket.slots[j].value = 0;
    const wide_word pattern = bucket.words[0];
    for (int64_t k = begin + (int64_t)get_local_id(0); k < end; k += TILE_THREADS) to[k] = pattern;
}

/* One group. */
MCL_KERNEL(TILE_THREADS) map_zero(ARRAY_PARAM(uint, words), int count)
{
    __global uint *const to = ARRAY(uint, words);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) to[k] = 0;
}

/* One group: *result = the sum over the sub-maps of the counter plus, minus that of the counter minus (-1: none). */
MCL_KERNEL(TILE_THREADS) map_total(ARRAY_PARAM(uint, counters), int sub_maps, int plus, int minus,
                                   ARRAY_PARAM(int64_t, result))
{
    __global const uint *const from = ARRAY(uint, counters);
    int64_t total = 0;
    if (get_local_id(0) == 0) {
        for (int k = 0; k < sub_maps; ++k) {
            total += pair_value(from + k * MAP_COUNTER_WORDS + 2 * plus);
            if (minus >= 0) total -= pair_value(from + k * MAP_COUNTER_WORDS + 2 * minus);
        }
        ARRAY(int64_t, result)[0] = total;
    }
}
#endif

/* ---- counting ------------------------------------------------------------------------------------------------ */

#if MAP_WORK == MAP_ENTER || MAP_WORK == MAP_ERASE
typedef struct {
    uint counts[MAP_COUNTERS];
} map_counts;

static inline void pair_add(__global uint *pair, const uint amount)
{
    if (amount == 0) return;
    const uint before = counter_add(pair, amount);
    if (before + amount < before) (void)counter_add(pair + 1, 1);
}

static inline void counts_start(__local map_counts *store)
{
    if (get_local_id(0) == 0)
        for (int k = 0; k < MAP_COUNTERS; ++k) store->counts[k] = 0;
    group_barrier();
}

/* Adds what the work-item has counted, once the group is done. */
static inline void counts_add(const uint *own, __local map_counts *store, __global uint *const *pairs)
{
#if TILE_THREADS == 1
    (void)store;
    for (int k = 0; k < MAP_COUNTERS; ++k) pair_add(pairs[k], own[k]);
#else
    for (int k = 0; k < MAP_COUNTERS; ++k)
        if (own[k] > 0) local_add(&store->counts[k], own[k]);
    group_barrier();
    if (get_local_id(0) == 0)
        for (int k = 0; k < MAP_COUNTERS; ++k) pair_add(pairs[k], store->counts[k]);
#endif
}
#endif

#if MAP_WORK == MAP_ENTER || MAP_WORK == MAP_FIND || MAP_WORK == MAP_ERASE
static inline key_bits key_at(const input_keys keys, const index_type k)
{
    union {
        keys_type element;
        key_bits bits;
    } key;
    key.element = load_keys(keys, k);
    return key.bits;
}

/* One work-item alone would wait for memory at every key. So it prefetches the bucket of the key AHEAD later. GPUs have
 * other work-items. */
enum { AHEAD = 12 };
static inline void fetch_ahead(const sub_map map, const input_keys keys, const index_type k, const int left)
{
#if TILE_THREADS == 1 && !MCL_IS_GPU
    if (left <= AHEAD) return;
    prefetch_store(slot_at(map, map_bucket(key_hash(key_at(keys, k + AHEAD)), map.buckets), 0));
#else
    (void)map;
    (void)keys;
    (void)k;
    (void)left;
#endif
}
#endif

/* ---- entering ------------------------------------------------------------------------------------------------ */

#if MAP_WORK == MAP_ENTER
#undef KERNEL_GROUPS
/* enough to hide the latency of memory, and registers for all */
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
static inline value_bits value_at(const input_values values, const index_type k)
{
    union {
        values_type element;
        value_bits bits;
    } value;
    value.element = load_values(values, k);
    return value.bits;
}

/* Sets done[k] to whether key k is in a sub-map that takes no new keys. */
MCL_KERNEL(TILE_THREADS) map_seek(PARAMS_keys, PARAMS_values, PARAMS_sub_map, ARRAY_PARAM(uint8_t, done), int is_first)
{
    const input_keys keys = MAKE_keys;
    const input_values values = MAKE_values;
    const sub_map map = MAKE_sub_map;
    __global uint8_t *const done = ARRAY(uint8_t, done);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, keys.count);
    ROLLED
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        fetch_ahead(map, keys, k, count - index);
        if (!is_first && done[k]) continue;
        const key_bits key = key_at(keys, k);
        __global map_slot *slot = SLOT_NONE;
        if (!is_sentinel(map, key)) slot = map_locate(map, key, 0);
        done[k] = slot != SLOT_NONE;
#if MAP_ASSIGNS
        if (slot != SLOT_NONE) value_store(&slot->value, value_at(values, k));
#endif
    }
    (void)values;
}

/* Enters a key; counts what became of it. */
static inline void enter_key(const sub_map map, const key_bits key, const value_bits value, const int has_erased,
                             uint *own)
{
    __global map_slot *slot = SLOT_NONE;
    int claim = CLAIM_NO_ROOM;
    if (has_erased) claim = map_claim_erased(map, key, &slot);
    else claim = map_claim(map, key, &slot);
    own[MAP_FILLED] += (uint)(claim == CLAIM_EMPTY);
    own[MAP_ENTERED] += (uint)(claim == CLAIM_EMPTY || claim == CLAIM_ERASED);
#if MAP_ASSIGNS
    if (claim != CLAIM_NO_ROOM) value_store(&slot->value, value);
#else
    if (claim == CLAIM_EMPTY || claim == CLAIM_ERASED) slot->value = value;
#endif
}

/* Enters the keys that no other sub-map has. Keys equal to a sentinel are counted in skipped. */
MCL_KERNEL(TILE_THREADS) map_enter(PARAMS_keys, PARAMS_values, PARAMS_sub_map, int has_erased,
                                   ARRAY_PARAM(uint8_t, done), int has_done, ARRAY_PARAM(uint, counters),
                                   ARRAY_PARAM(uint, skipped))
{
    MCL_SHARED(map_counts, store);
    const input_keys keys = MAKE_keys;
    const input_values values = MAKE_values;
    const sub_map map = MAKE_sub_map;
    __global const uint8_t *const done = ARRAY(uint8_t, done);
    __global uint *const counters = ARRAY(uint, counters);
    __global uint *const pairs[MAP_COUNTERS] = {counters, counters + 2 * MAP_ENTERED, ARRAY(uint, skipped)};
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, keys.count);
    uint own[MAP_COUNTERS] = {0, 0, 0};
    counts_start(store);
    ROLLED
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        fetch_ahead(map, keys, k, count - index);
        if (has_done && done[k]) continue;
        const key_bits key = key_at(keys, k);
        if (is_sentinel(map, key)) ++own[2];
        else enter_key(map, key, value_at(values, k), has_erased, own);
    }
    counts_add(own, store, pairs);
}
#endif

/* ---- finding ------------------------------------------------------------------------------------------------- */

#if MAP_WORK == MAP_FIND
MCL_KERNEL(TILE_THREADS) map_find(PARAMS_keys,
#if HAS_VALUES
                                  PARAMS_values,
#endif
#if HAS_FOUND
                                  PARAMS_found,
#endif
                                  PARAMS_sub_map, value_bits missing, int has_missing, ARRAY_PARAM(uint8_t, done),
                                  int has_done, int is_first)
{
    const input_keys keys = MAKE_keys;
#if HAS_VALUES
    const output_values values = MAKE_values;
#endif
#if HAS_FOUND
    const output_found found = MAKE_found;
#endif
    const sub_map map = MAKE_sub_map;
    __global uint8_t *const done = ARRAY(uint8_t, done);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, keys.count);
    ROLLED
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        const index_type k = begin + index;
        fetch_ahead(map, keys, k, count - index);
        if (!is_first && done[k]) continue;
        const key_bits key = key_at(keys, k);
        value_bits value = missing;
        int is_there = 0;
        if (!is_sentinel(map, key)) is_there = map_lookup(map, key, &value);
        if (has_done) done[k] = (uint8_t)is_there;
#if HAS_FOUND
        if (is_there || is_first) store_found(found, k, (found_type)is_there);
#endif
#if HAS_VALUES
        union {
            value_bits bits;
            values_type element;
        } stored;
        stored.bits = value;
        if (is_there || (is_first && has_missing)) store_values(values, k, stored.element);
#else
        (void)has_missing;
#endif
    }
}
#endif

/* ---- erasing ------------------------------------------------------------------------------------------------- */

#if MAP_WORK == MAP_ERASE
MCL_KERNEL(TILE_THREADS) map_erase(PARAMS_keys, PARAMS_sub_map, ARRAY_PARAM(uint, counters))
{
    MCL_SHARED(map_counts, store);
    const input_keys keys = MAKE_keys;
    const sub_map map = MAKE_sub_map;
    __global uint *const counters = ARRAY(uint, counters);
    __global uint *const pairs[MAP_COUNTERS] = {counters, counters + 2 * MAP_ENTERED, counters + 2 * MAP_ERASED};
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, keys.count);
    uint own[MAP_COUNTERS] = {0, 0, 0};
    counts_start(store);
    ROLLED
    for (int index = (int)get_local_id(0); index < count; index += TILE_THREADS) {
        fetch_ahead(map, keys, begin + index, count - index);
        const key_bits key = key_at(keys, begin + index);
        __global map_slot *slot = SLOT_NONE;
        if (!is_sentinel(map, key)) slot = map_locate(map, key, 1);
        /* of several that erase the same key one finds it still there */
        if (slot != SLOT_NONE && slot_claim(slot, stored_key(map, key), map.erased) != stored_key(map, key))
            slot = SLOT_NONE;
        own[MAP_ERASED] += slot != SLOT_NONE;
    }
    counts_add(own, store, pairs);
}
#endif

/* ---- taking all out ------------------------------------------------------------------------------------------ */

#if MAP_WORK == MAP_RETRIEVE
/* A slot as it moves. */
typedef union {
    map_slot slot;
#if KEY_BYTES == 4 && VALUE_BYTES == 4
    uint64_t word;
#else
    wide_word word;
#endif
} map_slot_word;

static inline map_slot read_slot(__global const map_slot *from)
{
    __global const map_slot_word *const word = (__global const map_slot_word *)from;
    map_slot_word read;
    read.word = word->word;
    return read.slot;
}

#if HAS_KEYS
#define PARAMS_of_keys PARAMS_keys,
#define TAKE_keys(o) (o).keys = MAKE_keys;
#else
#define PARAMS_of_keys
#define TAKE_keys(o)
#endif
#if HAS_VALUES
#define PARAMS_of_values PARAMS_values,
#define TAKE_values(o) (o).values = MAKE_values;
#else
#define PARAMS_of_values
#define TAKE_values(o)
#endif

typedef struct {
#if HAS_KEYS
    output_keys keys;
#endif
#if HAS_VALUES
    output_values values;
#endif
    index_type limit;
} retrieve_outputs;

static inline void put_entry(const retrieve_outputs o, const sub_map map, const index_type to, const map_slot slot)
{
    if (to >= o.limit) return;
#if HAS_KEYS
    union {
        key_bits bits;
        keys_type element;
    } key;
    key.bits = stored_key(map, slot.key);
    store_keys(o.keys, to, key.element);
#endif
#if HAS_VALUES
    union {
        value_bits bits;
        values_type element;
    } value;
    value.bits = slot.value;
    store_values(o.values, to, value.element);
#endif
    (void)map;
    (void)slot;
}

#if TILE_THREADS == 1
typedef struct {
    int unused;
} append_store;

/* Counts the tile's entries and then stores them, both from the cache; or takes an index for each. */
static inline void retrieve_tile(const retrieve_outputs o, const sub_map map, const int count, const index_type base,
                                 __global uint *cursor, __local append_store *store)
{
    uint to = 0;
    (void)store;
#if APPEND_WAY != APPEND_GLOBAL_ATOMIC
    for (int k = 0; k < count; ++k) to += (uint)!is_free(map, map.slots[k].key);
    if (to > 0) to = counter_add(cursor, to);
#endif
    for (int k = 0; k < count; ++k) {
        const map_slot slot = read_slot(map.slots + k);
        if (is_free(map, slot.key)) continue;
#if APPEND_WAY == APPEND_GLOBAL_ATOMIC
        to = counter_add(cursor, 1);
#endif
        put_entry(o, map, base + (index_type)to++, slot);
    }
}
#else
#include "pieces/append_group.clh"

static inline void retrieve_tile(const retrieve_outputs o, const sub_map map, const int count, const index_type base,
                                 __global uint *cursor, __local append_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    map_slot read[TILE_ITEMS];
    uint to[TILE_ITEMS];
    uint chosen = 0;
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        read[j].key = 0;
        read[j].value = 0;
        if (first + j * TILE_STEP < count) read[j] = read_slot(map.slots + first + j * TILE_STEP);
    }
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) chosen |= (uint)!is_free(map, read[j].key) << j;
    append_indices(chosen, cursor, store, to);
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (chosen >> j & 1u) put_entry(o, map, base + (index_type)to[j], read[j]);
}
#endif

/* Stores the entries of count slots after those of earlier launches; their cursors come before this one's. */
MCL_KERNEL(TILE_THREADS) map_retrieve(PARAMS_of_keys PARAMS_of_values PARAMS_sub_map, index_type count,
                                      index_type limit, ARRAY_PARAM(uint, cursors), int turn)
{
    MCL_SHARED(append_store, store);
    retrieve_outputs o;
    sub_map map = MAKE_sub_map;
    __global uint *const cursors = ARRAY(uint, cursors);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    index_type base = 0;
    for (int k = 0; k < turn; ++k) base += (index_type)cursors[k];
    TAKE_keys(o)
    TAKE_values(o)
    o.limit = limit;
    map.slots += begin;
    retrieve_tile(o, map, tile_count(begin, count), base, cursors + turn, store);
}
#endif
