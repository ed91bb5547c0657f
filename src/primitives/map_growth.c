/* map_growth.c: a hash map's sub-maps: making, filling, counting, adding and clearing them. Kernels: map.cl. */
#include "call/gate.h"
#include "primitives/map_table.h"

#include <stdlib.h>

enum { FILL, ZERO, TOTAL }; /* kernels of the service program */
enum {
    CAPACITY_DEFAULT = 1024,
    ROOM_A_KEY = 16 /* slots that bounds may fill for each that is known to be filled, before the device is asked */
};
static const double load_default = 0.5;
static const int64_t buckets_max = 0xfffffffe; /* kernels number them with 32 bits */

/* ---- sub-maps ----------------------------------------------------------------------------------------------- */

static int64_t limit_of(const mcl_map *map, int64_t slots)
{
    const int64_t limit = (int64_t)(map->max_load * (double)slots);
    return limit < slots ? limit : slots;
}

/* The least buckets in which count slots may be filled; more than there can be where they are too many. */
static int64_t buckets_for(const mcl_map *map, int64_t count)
{
    const int64_t a_bucket = mcl__map_bucket_slots(map);
    const double slots = (double)count / map->max_load;
    if (slots >= (double)(buckets_max * a_bucket)) return buckets_max + 1;
    int64_t buckets = mcl__divide_up((int64_t)slots, a_bucket);
    while (buckets == 0 || limit_of(map, buckets * a_bucket) < count) ++buckets;
    return buckets;
}

/* As a part of the public function at work. */
static mcl_status map_buffer(mcl_map *map, size_t bytes, mcl_buffer **out)
{
    mcl__function_hold();
    const mcl_status status = mcl_buffer_create(map->context, bytes, NULL, out);
    mcl__function_let_go();
    return status;
}

static mcl_status sub_map_add(mcl_map *map, const char *function, int64_t buckets)
{
    mcl_buffer *slots = NULL;
    if (map->sub_map_count == MCL__SUB_MAPS_MAX)
        return mcl__fail(MCL_ERROR_MEMORY, "%s: the map has %d sub-maps already; expected fewer", function,
                         map->sub_map_count);
    if (buckets > buckets_max)
        return mcl__fail(MCL_ERROR_MEMORY, "%s: a sub-map would need more than %lld slots; expected fewer", function,
                         (long long)(buckets_max * mcl__map_bucket_slots(map)));
    MCL__TRY(map_buffer(map, (size_t)buckets * MAP_BUCKET_BYTES, &slots));
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
        /* the fewer of them hold entries, the fewer are looked through */
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

mcl_status mcl__map_grow(mcl_map *map, const char *function, int64_t count)
{
    const int64_t needed = buckets_for(map, count);
    int64_t wanted = 0;
    for (int k = 0; k < map->sub_map_count; ++k) wanted += map->sub_maps[k].buckets;
    if (wanted > buckets_max) wanted = buckets_max;
    if (wanted > needed && sub_map_add(map, function, wanted) == MCL_OK) return MCL_OK;
    return sub_map_add(map, function, needed);
}

void mcl__map_shrink(mcl_map *map)
{
    mcl__sub_map *const last = &map->sub_maps[--map->sub_map_count];
    mcl_buffer_release(last->slots);
    *last = (mcl__sub_map){ 0 };
}

/* ---- the service program ------------------------------------------------------------------------------------ */

mcl_status mcl__map_service(mcl_queue *queue, const mcl_map *map, const mcl__kernels **service)
{
    const mcl_context *const context = queue->context;
    const mcl__tile_need need = { .element_bytes = 16 };
    const mcl__spec spec = {
        .file = "kernels/map.cl",
        .kernels = { [FILL] = "map_fill", [ZERO] = "map_zero", [TOTAL] = "map_total" },
        .tile = mcl__tile_for(MCL__OPERATION_map, &context->limits, context->tuning, need, NULL),
        .index_bits = 32,
        .defines = { { "MAP_WORK", 0 },
                     { "KEY_BYTES", (int)map->key_bytes },
                     { "VALUE_BYTES", (int)map->value_bytes } },
    };
    return mcl__program_get(queue, &spec, service);
}

static mcl_status sub_map_fill(mcl_queue *queue, const mcl__sub_map *sub_map, const mcl__kernels *service)
{
    const int64_t words = sub_map->buckets * 2; /* of 16 bytes */
    mcl__args args = { .index_bits = service->index_bits };
    mcl__args_span(&args, (mcl__span){ sub_map->slots, 0 });
    mcl__args_long(&args, words);
    return mcl__launch_groups(queue, service, FILL, mcl__divide_up(words, mcl__tile_size(service->tile)),
                              service->tile.threads, &args);
}

mcl_status mcl__map_zero(mcl_queue *queue, const mcl__kernels *service, mcl__span words, int64_t count)
{
    mcl__args args = { .index_bits = service->index_bits };
    mcl__args_span(&args, words);
    mcl__args_int(&args, (int)count);
    return mcl__launch_groups(queue, service, ZERO, 1, service->tile.threads, &args);
}

mcl_status mcl__map_settle(mcl_queue *queue, mcl_map *map, const mcl__kernels *service)
{
    if (queue->preparing) return MCL_OK;
    for (int k = 0; k < map->sub_map_count; ++k) {
        mcl__sub_map *const sub_map = &map->sub_maps[k];
        if (sub_map->needs_fill) MCL__TRY(sub_map_fill(queue, sub_map, service));
        sub_map->needs_fill = 0;
        if (sub_map->needs_zero && !map->needs_zero)
            MCL__TRY(mcl__map_zero(queue, service, mcl__map_counters(map, k), MAP_COUNTER_WORDS));
        sub_map->needs_zero = 0;
    }
    if (!map->needs_zero) return MCL_OK;
    map->needs_zero = 0;
    return mcl__map_zero(queue, service, mcl__map_counters(map, 0), (MCL__SUB_MAPS_MAX + 1) * MAP_COUNTER_WORDS);
}

mcl_status mcl__map_total(mcl_queue *queue, const mcl_map *map, const mcl__kernels *service, int plus, int minus,
                          mcl__span result)
{
    mcl__args args = { .index_bits = service->index_bits };
    mcl__args_span(&args, mcl__map_counters(map, 0));
    mcl__args_int(&args, map->sub_map_count);
    mcl__args_int(&args, plus);
    mcl__args_int(&args, minus);
    mcl__args_span(&args, result);
    return mcl__launch_groups(queue, service, TOTAL, 1, service->tile.threads, &args);
}

/* ---- true numbers ------------------------------------------------------------------------------------------- */

static int64_t pair_value(const uint32_t *pair)
{
    return (int64_t)((uint64_t)pair[1] << 32 | pair[0]);
}

/* What the device has counted of a sub-map; returns its entries. */
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

mcl_status mcl__map_tighten(mcl_queue *queue, mcl_map *map, const char *function, const mcl_options *options,
                            int64_t *entries)
{
    const mcl_options own = { .wait = options ? options->wait : NULL, .wait_count = options ? options->wait_count : 0 };
    MCL__TRY(mcl__call_begin(queue, function, 0, &own));
    return mcl__map_read(queue, map, entries);
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

mcl_status mcl__map_check(const char *function, const mcl_queue *queue, const mcl_map *map)
{
    if (!map) return mcl__fail(MCL_ERROR_ARGUMENT, "%s: map is NULL; expected a map", function);
    if (map->context != queue->context)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: map is of another context than queue; expected the same", function);
    return MCL_OK;
}

/* A call on the whole map, whose one operand is a count; NULL: it has none. */
static mcl_status check_whole(const char *function, const mcl_queue *queue, const mcl_map *map, const mcl_result *count,
                              const mcl_options *options)
{
    const mcl__given operands[] = { { count ? "count" : NULL, .result = count, .types = MCL__COUNTS }, { NULL } };
    MCL__TRY(mcl__gate(function, queue, options, 0, operands));
    return mcl__map_check(function, queue, map);
}

static mcl_status check_config_type(const char *parameter, const mcl_context *context, const mcl_type *type)
{
    static const char function[] = "mcl_map_create";
    MCL__TRY(mcl__check_type(function, parameter, context, type));
    if (type->size != 4 && type->size != 8)
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s, of %zu bytes; expected a type of 4 or 8 bytes", function,
                         parameter, type->name, type->size);
    if (strlen(type->name) >= MCL__MAP_NAME_BYTES)
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s; expected a name of less than %d characters", function,
                         parameter, type->name, MCL__MAP_NAME_BYTES);
    return MCL_OK;
}

static mcl_status check_config(const mcl_context *context, const mcl_map_config *config)
{
    static const char function[] = "mcl_map_create";
    if (!config) return mcl__fail(MCL_ERROR_ARGUMENT, "%s: config is NULL; expected what the map is made of", function);
    MCL__TRY(check_config_type("config->key", context, config->key));
    MCL__TRY(check_config_type("config->value", context, config->value));
    if (config->capacity < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: config->capacity is %lld; expected 0 or more", function,
                         (long long)config->capacity);
    if (!(config->max_load >= 0 && config->max_load <= 1))
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: config->max_load is %g; expected 0 to 1", function, config->max_load);
    return MCL_OK;
}

/* The patterns -1 and -2 where the caller names none. */
static mcl_status set_sentinels(mcl_map *map, const mcl_map_config *config)
{
    const int64_t empty = -1, erased = -2;
    const int32_t empty_narrow = -1, erased_narrow = -2;
    const int is_wide = map->key_bytes == 8;
    const void *const default_empty = is_wide ? (const void *)&empty : (const void *)&empty_narrow;
    const void *const default_erased = is_wide ? (const void *)&erased : (const void *)&erased_narrow;
    memcpy(map->empty, config->empty_key ? config->empty_key : default_empty, map->key_bytes);
    memcpy(map->erased, config->erased_key ? config->erased_key : default_erased, map->key_bytes);
    for (size_t k = 0; k < map->key_bytes; ++k) map->erased_stored[k] = map->empty[k] ^ map->erased[k];
    if (memcmp(map->empty, map->erased, map->key_bytes) != 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "mcl_map_create: config->empty_key and config->erased_key are alike; expected two different keys");
}

/* ---- public functions --------------------------------------------------------------------------------------- */

static mcl_status map_make(mcl_map *map, const mcl_map_config *config)
{
    const size_t counter_bytes = (MCL__SUB_MAPS_MAX + 1) * MAP_COUNTER_WORDS * sizeof(uint32_t);
    const int64_t capacity = config->capacity > 0 ? config->capacity : CAPACITY_DEFAULT;
    map->key_bytes = config->key->size;
    map->value_bytes = config->value->size;
    strcpy(map->key_name, config->key->name);
    strcpy(map->value_name, config->value->name);
    map->max_load = config->max_load > 0 ? config->max_load : load_default;
    map->needs_zero = 1;
    MCL__TRY(set_sentinels(map, config));
    MCL__TRY(map_buffer(map, counter_bytes, &map->counters));
    return sub_map_add(map, "mcl_map_create", mcl__divide_up(capacity, mcl__map_bucket_slots(map)));
}

mcl_status mcl_map_create(mcl_context *context, const mcl_map_config *config, mcl_map **out)
{
    static const char function[] = "mcl_map_create";
    MCL__TRY(mcl__check_context(function, context));
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "%s: out is NULL; expected where to put a map", function);
    MCL__TRY(check_config(context, config));
    MCL__TRY(mcl__context_probe(context));
    if (config->key->size == 8 && context->limits.word_path == MCL__WORDS_NONE)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "%s: config->key is %s; expected a type of 4 bytes, since this device has no 64-bit atomics "
                         "that groups may share",
                         function, config->key->name);
    mcl_map *const map = calloc(1, sizeof *map);
    if (!map) return mcl__fail(MCL_ERROR_MEMORY, "%s: host memory for a map is exhausted", function);
    map->context = context;
    atomic_fetch_add(&context->references, 1);
    const mcl_status status = map_make(map, config);
    if (status == MCL_OK)
        *out = map;
    else
        mcl_map_release(map);
    return status;
}

void mcl_map_release(mcl_map *map)
{
    if (!map) return;
    while (map->sub_map_count > 0) mcl__map_shrink(map);
    mcl_buffer_release(map->counters);
    mcl_context_release(map->context);
    free(map);
}

mcl_status mcl_map_reserve(mcl_queue *queue, mcl_map *map, int64_t entries, const mcl_options *options)
{
    static const char function[] = "mcl_map_reserve";
    int64_t present = 0;
    MCL__TRY(check_whole(function, queue, map, NULL, options));
    if (entries < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: entries is %lld; expected 0 or more", function, (long long)entries);
    MCL__TRY(mcl__call_begin(queue, function, 0, options));
    if (!queue->preparing) {
        MCL__TRY(mcl__map_read(queue, map, &present));
        if (entries > present && mcl__map_with_room(map, entries - present) < 0)
            MCL__TRY(mcl__map_grow(map, function, entries - present));
    }
    return mcl__call_end(queue, options);
}

mcl_status mcl_map_clear(mcl_queue *queue, mcl_map *map, const mcl_options *options)
{
    static const char function[] = "mcl_map_clear";
    const mcl__kernels *service;
    MCL__TRY(check_whole(function, queue, map, NULL, options));
    MCL__TRY(mcl__map_service(queue, map, &service));
    MCL__TRY(mcl__call_begin(queue, function, 0, options));
    for (int k = 0; k < map->sub_map_count && !queue->preparing; ++k) {
        map->sub_maps[k].filled = 0;
        map->sub_maps[k].has_erased = 0;
        map->sub_maps[k].needs_fill = 1;
        map->sub_maps[k].needs_zero = 0;
        map->needs_zero = 1;
        map->known = map->erased_since = 0;
    }
    MCL__TRY(mcl__map_settle(queue, map, service));
    return mcl__call_end(queue, options);
}

mcl_status mcl_map_size(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options)
{
    static const char function[] = "mcl_map_size";
    const mcl__kernels *service;
    int64_t entries = 0;
    MCL__TRY(check_whole(function, queue, map, &count, options));
    MCL__TRY(mcl__map_service(queue, map, &service));
    MCL__TRY(mcl__call_begin(queue, function, 0, options));
    MCL__TRY(mcl__map_settle(queue, map, service));
    if (count.buffer)
        MCL__TRY(mcl__map_total(queue, map, service, MAP_ENTERED, MAP_ERASED, mcl__result_span(queue, &count)));
    MCL__TRY(mcl__call_end(queue, options));
    if (!count.host || queue->preparing) return MCL_OK;
    MCL__TRY(mcl__map_read(queue, map, &entries));
    memcpy(count.host, &entries, sizeof entries);
    return MCL_OK;
}

mcl_status mcl_map_skipped(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options)
{
    static const char function[] = "mcl_map_skipped";
    const mcl__kernels *service;
    mcl__args args;
    MCL__TRY(check_whole(function, queue, map, &count, options));
    MCL__TRY(mcl__map_service(queue, map, &service));
    MCL__TRY(mcl__call_begin(queue, function, mcl__scratch_round(mcl__result_scratch(&count)), options));
    MCL__TRY(mcl__map_settle(queue, map, service));
    const mcl__span result = mcl__result_span(queue, &count);
    if (result.buffer) {
        args = (mcl__args){ .index_bits = service->index_bits };
        mcl__args_span(&args, mcl__map_counters(map, MCL__SUB_MAPS_MAX));
        mcl__args_int(&args, 1);
        mcl__args_int(&args, 0);
        mcl__args_int(&args, -1);
        mcl__args_span(&args, result);
        MCL__TRY(mcl__launch_groups(queue, service, TOTAL, 1, service->tile.threads, &args));
    }
    MCL__TRY(mcl__call_end(queue, options));
    return mcl__result_read(queue, &count, result);
}

int64_t mcl_map_capacity(const mcl_map *map)
{
    int64_t slots = 0;
    for (int k = 0; map && k < map->sub_map_count; ++k) slots += mcl__sub_map_capacity(map, &map->sub_maps[k]);
    return slots;
}

int mcl_map_sub_map_count(const mcl_map *map)
{
    return map ? map->sub_map_count : 0;
}
