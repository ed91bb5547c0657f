/* map_growth.c: adds sub-maps to a hash map. The host decides with upper bounds of the filled slots. It reads the true
 * numbers from the device where these bounds are not exact enough. */
#include "operations/map/map_table.h"

/* The room that the map may have, as a multiple of the call's keys and the slots known to be filled. With more room,
 * the device is asked before the map grows. An example: the same 1000 keys are inserted repeatedly into a map of 1000
 * keys. Then one call in ten waits (map.h says how far the map grows). */
enum { ROOM_A_KEY = 4 };
static const int64_t buckets_max = 0xfffffffe; /* kernels number buckets with 32 bits */

/* ---- sub-maps ----------------------------------------------------------------------------------------------- */

static int64_t limit_of(const mcl_map *map, int64_t slots)
{
    const int64_t limit = (int64_t)(map->max_load * (double)slots);
    return limit < slots ? limit : slots;
}

/* Returns the least number of buckets in which count slots may be filled. The number is above buckets_max where no
 * sub-map can be large enough. */
static int64_t buckets_for(const mcl_map *map, int64_t count)
{
    const int64_t a_bucket = mcl__map_bucket_slots(map);
    const double slots = (double)count / map->max_load;
    if (slots >= (double)(buckets_max * a_bucket)) return buckets_max + 1;
    int64_t buckets = mcl__divide_up((int64_t)slots, a_bucket);
    while (buckets == 0 || limit_of(map, buckets * a_bucket) < count) ++buckets;
    return buckets;
}

mcl_status mcl__map_buffer(const mcl_map *map, size_t bytes, mcl_buffer **out)
{
    mcl__function_hold();
    const mcl_status status = mcl_buffer_create(map->context, bytes, NULL, out);
    mcl__function_let_go();
    return status;
}

mcl_status mcl__map_add(mcl_map *map, int64_t buckets)
{
    mcl_buffer *slots = NULL;
    if (map->sub_map_count == MCL__SUB_MAPS_MAX)
        return mcl__fail(MCL_ERROR_MEMORY, "the map has %d sub-maps already; expected fewer", map->sub_map_count);
    if (buckets > buckets_max)
        return mcl__fail(MCL_ERROR_MEMORY, "a sub-map would need more than %lld slots; expected fewer",
                         (long long)(buckets_max * mcl__map_bucket_slots(map)));
    MCL__TRY(mcl__map_buffer(map, (size_t)buckets * MAP_BUCKET_BYTES + mcl__map_apart_bytes(map, buckets), &slots));
    map->sub_maps[map->sub_map_count++] = (mcl__sub_map){
        .slots = slots,
        .buckets = buckets,
        .limit = limit_of(map, buckets * mcl__map_bucket_slots(map)),
        .needs_fill = 1,
    };
    return MCL_OK;
}

int mcl__map_with_room(const mcl_map *map, int64_t count)
{
    int found = -1;
    for (int k = 0; k < map->sub_map_count; ++k) {
        const mcl__sub_map *const sub_map = &map->sub_maps[k];
        if (sub_map->limit - sub_map->filled < count) continue;
        /* A sub-map with entries is preferred, since a search goes through every sub-map that has entries. */
        if (found < 0 || sub_map->filled > 0 || map->sub_maps[found].filled == 0) found = k;
    }
    return found;
}

int mcl__map_is_doubtful(const mcl_map *map, int64_t count)
{
    int64_t room = 0, filled = 0;
    for (int k = 0; k < map->sub_map_count; ++k) {
        room += map->sub_maps[k].limit;
        filled += map->sub_maps[k].filled;
    }
    if (filled == 0) return 0;
    return room / ROOM_A_KEY >= map->known + count || map->erased_since >= filled;
}

int64_t mcl__map_growth(const mcl_map *map, int64_t count)
{
    const int64_t needed = buckets_for(map, count);
    int64_t wanted = 0;
    for (int k = 0; k < map->sub_map_count; ++k) wanted += map->sub_maps[k].buckets;
    if (wanted > buckets_max) wanted = buckets_max;
    return wanted > needed ? wanted : needed;
}

mcl_status mcl__map_grow(mcl_map *map, int64_t count)
{
    const int64_t needed = buckets_for(map, count), wanted = mcl__map_growth(map, count);
    if (wanted > needed && mcl__map_add(map, wanted) == MCL_OK) return MCL_OK;
    return mcl__map_add(map, needed);
}

void mcl__map_shrink(mcl_map *map)
{
    mcl__sub_map *const last = &map->sub_maps[--map->sub_map_count];
    mcl_buffer_release(last->slots);
    *last = (mcl__sub_map){ 0 };
}

/* ---- true numbers ------------------------------------------------------------------------------------------- */

static int64_t pair_value(const uint32_t *pair)
{
    return (int64_t)((uint64_t)pair[1] << 32 | pair[0]);
}

/* Sets the numbers of a sub-map from its counters on the device, and returns the number of its entries. */
static int64_t sub_map_take(mcl__sub_map *sub_map, const uint32_t *counters)
{
    const int64_t entries = pair_value(counters + 2 * MAP_ENTERED) - pair_value(counters + 2 * MAP_ERASED);
    sub_map->filled = pair_value(counters + 2 * MAP_FILLED);
    if (entries == 0 && sub_map->filled > 0) {
        sub_map->filled = 0;
        sub_map->has_erased = 0;
        sub_map->needs_fill = 1;
        sub_map->needs_zero = 1;
    }
    return entries;
}

mcl_status mcl__map_read(mcl_queue *queue, mcl_map *map, int64_t *entries)
{
    uint32_t words[MCL__SUB_MAPS_MAX * MAP_COUNTER_WORDS];
    const size_t bytes = (size_t)map->sub_map_count * MAP_COUNTER_WORDS * sizeof *words;
    *entries = 0;
    if (map->needs_zero) return MCL_OK; /* nothing has been enqueued yet */
    MCL__TRY(queue->context->backend->read(queue, map->counters, 0, bytes, words, 1));
    map->known = map->erased_since = 0;
    for (int k = 0; k < map->sub_map_count; ++k) {
        *entries += sub_map_take(&map->sub_maps[k], words + k * MAP_COUNTER_WORDS);
        map->known += map->sub_maps[k].filled;
    }
    return MCL_OK;
}

mcl_status mcl__map_tighten(const mcl__call *call, mcl_map *map)
{
    const mcl_options own = mcl__wait_options(call->options);
    int64_t entries;
    MCL__TRY(mcl__enqueue_begin(call->queue, 0, &own));
    return mcl__map_read(call->queue, map, &entries);
}

mcl_status mcl__map_tell(mcl_queue *queue, mcl_map *map, const mcl_result *count, int64_t *entries)
{
    *entries = 0;
    if (!count->host || queue->preparing) return MCL_OK;
    MCL__TRY(mcl__map_read(queue, map, entries));
    mcl__count_store(count->type, count->host, *entries);
    return MCL_OK;
}
