/* map_own.cl: work-items of processors enter keys in a sub-map without atomics, each in buckets of its own. Needs: as
 * map.cl; MAP_UNIQUE is 1, since one work-item alone changes a value.
 *
 * The elements lie in parts. Part p has the keys whose searches begin in the part_buckets buckets from p * part_buckets
 * on. A part's buckets are whole windows, which few searches leave (map_way.clh). A group enters the elements of one
 * part, but lists those whose search leaves the part's buckets. When all groups are done, one work-item enters these.
 * So one work-item at a time changes a bucket, and a single work-item enters all elements of a key. Where there is one
 * part, it has all elements and all buckets, and there are no offsets. */
#include "kernels/map/map_elements.clh"

/* The elements of a part, and its buckets. */
typedef struct {
    index_type begin, end;
    uint32_t first_bucket, buckets;
} map_part;

static INLINED map_part part_at(const sub_map map, const input_keys keys, const int part, const int parts,
                                const uint32_t part_buckets, __global const int64_t *offsets)
{
    map_part made;
    made.begin = parts > 1 ? (index_type)offsets[part] : 0;
    made.end = parts > 1 ? (index_type)offsets[part + 1] : keys.count;
    made.first_bucket = (uint32_t)part * part_buckets;
    made.buckets = part < parts - 1 ? part_buckets : map.buckets - made.first_bucket;
    return made;
}

/* Returns the slot that has the key, or the first open slot of the search for it. Returns SLOT_NONE where the search
 * leaves the part's buckets, or finds no room. It is not inlined, since most searches end in their first bucket. */
static OUTLINED __global map_slot *slot_in_part(const sub_map map, const key_bits key, const uint32_t first_bucket,
                                                const uint32_t buckets, const int has_erased)
{
    const key_bits stored = stored_key(map, key);
    __global map_slot *open = SLOT_NONE;
    map_way way = way_begin(map.buckets, key_hash(key));
    for (uint32_t round = 0; round < map.buckets; ++round) {
        if (way.bucket - first_bucket >= buckets) return SLOT_NONE;
        const bucket_seen seen = bucket_look(map, way.bucket, 1);
        const uint32_t with = slots_with(seen, stored), empty = slots_with(seen, 0);
        const uint32_t free = empty | (has_erased ? slots_with(seen, map.erased) : 0);
        if (with) return slot_at(map, way.bucket, highest_bit(with));
        if (free && open == SLOT_NONE) open = slot_at(map, way.bucket, highest_bit(free));
        if (empty) return open;
        way_go_on(map.buckets, LINE_BUCKETS, &way);
    }
    return open;
}

/* Enters element k in a slot, which has the element's key already or will get it. */
static INLINED void own_enter(const env_type env, const sub_map map, const operands_type o, const index_type k,
                              const key_bits stored, __global map_slot *slot, uint *own)
{
    const key_bits before = slot->key;
    const int is_new = before != stored;
    own[MAP_FILLED] += (uint)(before == 0);
    own[MAP_ENTERED] += (uint)is_new;
    slot->key = stored;
#if MAP_FOLDS_AT_ONCE | MAP_ASSIGNS
    value_change(env, map, slot, value_at(env, o, k));
#elif HAS_fold
    if (is_new) value_put(map, slot, value_at(env, o, k));
    else value_change(env, map, slot, value_at(env, o, k));
#elif VALUES_BESIDE
    const value_bits value = value_at(env, o, k), old = slot->value;
    slot->value = is_new ? value : old;
#elif VALUES_APART
    if (is_new) value_put(map, slot, value_at(env, o, k));
#endif
    (void)env, (void)map, (void)o, (void)k;
}

/* Finds the buckets where the searches of count keys from k on begin. */
static INLINED void own_buckets(const sub_map map, const input_keys keys, const index_type k, const index_type left,
                                key_batch *batch, uint32_t *buckets)
{
    if (left >= BATCH_KEYS) batch_next(map, keys, k, left, batch, buckets);
    else
        for (int j = 0; j < (int)left; ++j) buckets[j] = map_bucket(key_hash(key_at(keys, k + j)), map.buckets);
}

/* Adds a group's counts to the pairs of words, and sets own to 0. */
static inline void own_counts_add(__global uint *counters, __global uint *skipped, uint *own)
{
    __global uint *const pairs[MAP_COUNTERS] = {counters, counters + 2 * MAP_ENTERED, skipped};
    counts_add(own, 0, pairs);
    for (int k = 0; k < MAP_COUNTERS; ++k) own[k] = 0;
}

/* Enters the elements of a part that no other sub-map has. Elements whose search leaves the part's buckets are listed
 * in left, from the part's begin on; left_counts gets their number. */
MCL_KERNEL(TILE_THREADS) map_own(PARAMS_map_own)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_map_own(o);
    const sub_map map = MAKE_sub_map;
    __global const uint8_t *const done = ARRAY(uint8_t, done);
    __global index_type *const left = ARRAY(index_type, left);
    __global uint *const counters = ARRAY(uint, counters), *const skipped = ARRAY(uint, skipped);
    const int part = (int)get_group_id(0);
    const map_part at = part_at(map, o.keys, part, parts, (uint32_t)part_buckets, ARRAY(int64_t, offsets));
    uint own[MAP_COUNTERS] = {0, 0, 0};
    index_type left_count = 0;
    key_batch batch;
    batch.after = -1;
    for (index_type first = at.begin; first < at.end; first += BATCH_KEYS) {
        const int count = at.end - first < BATCH_KEYS ? (int)(at.end - first) : BATCH_KEYS;
        uint32_t buckets[BATCH_KEYS];
        own_buckets(map, o.keys, first, at.end - first, &batch, buckets);
        for (int j = 0; j < count; ++j) {
            const index_type k = first + j;
            const key_bits key = key_at(o.keys, k), stored = stored_key(map, key);
            if (has_done && done[k]) continue;
            if (is_free(map, stored)) {
                ++own[MAP_SKIPPED];
                continue;
            }
            const bucket_seen seen = bucket_look(map, buckets[j], 1);
            const uint32_t with = slots_with(seen, stored), empty = slots_with(seen, 0);
            __global map_slot *slot = slot_at(map, buckets[j], highest_bit(with ? with : empty));
            if (!with && (has_erased || !empty)) slot = slot_in_part(map, key, at.first_bucket, at.buckets, has_erased);
            if (slot != SLOT_NONE) own_enter(env, map, o, k, stored, slot, own);
            else if (parts > 1) left[at.begin + left_count++] = k; /* one part is the whole map */
        }
        if ((own[MAP_FILLED] | own[MAP_ENTERED] | own[MAP_SKIPPED]) >> 31) own_counts_add(counters, skipped, own);
    }
    if (parts > 1) ARRAY(int64_t, left_counts)[part] = left_count;
    own_counts_add(counters, skipped, own);
}

/* Enters the elements that map_own has listed. It runs in one group. */
MCL_KERNEL(TILE_THREADS) map_own_rest(PARAMS_map_own_rest)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_map_own_rest(o);
    const sub_map map = MAKE_sub_map;
    __global const index_type *const left = ARRAY(index_type, left);
    __global uint *const counters = ARRAY(uint, counters);
    uint own[MAP_COUNTERS] = {0, 0, 0};
    for (int part = 0; part < parts; ++part) {
        const index_type begin = (index_type)ARRAY(int64_t, offsets)[part];
        const index_type count = (index_type)ARRAY(int64_t, left_counts)[part];
        for (index_type j = 0; j < count; ++j) {
            const index_type k = left[begin + j];
            const key_bits key = key_at(o.keys, k);
            __global map_slot *const slot = slot_in_part(map, key, 0, map.buckets, has_erased);
            if (slot != SLOT_NONE) own_enter(env, map, o, k, stored_key(map, key), slot, own);
        }
    }
    pair_add(counters, own[MAP_FILLED]);
    pair_add(counters + 2 * MAP_ENTERED, own[MAP_ENTERED]);
}

/* Does the work of map_seek for the elements of a part. */
MCL_KERNEL(TILE_THREADS) map_own_seek(PARAMS_map_own_seek)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_map_own_seek(o);
    const sub_map map = MAKE_sub_map;
    __global uint8_t *const done = ARRAY(uint8_t, done);
    const map_part at = part_at(map, o.keys, (int)get_group_id(0), parts, 0, ARRAY(int64_t, offsets));
    BATCH_BEGIN
    for (index_type k = at.begin; k < at.end; ++k) {
        __global map_slot *slot = BATCH_SLOT(map, o.keys, k, BATCH_AT(k - at.begin), at.end - k);
        const key_bits key = key_at(o.keys, k);
        if (!is_first && done[k]) continue;
        if (slot == SLOT_NONE && !is_sentinel(map, key)) slot = map_locate(map, key);
        done[k] = slot != SLOT_NONE;
        if (MAP_CHANGES && slot != SLOT_NONE) value_change(env, map, slot, value_at(env, o, k));
    }
}
