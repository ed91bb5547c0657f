/* map_create.c: creates and releases a hash map. */
#include "operations/map/map_table.h"

#include <stdlib.h>

enum { CAPACITY_DEFAULT = 1024 };
static const double load_default = 0.5;

/* ---- checks ------------------------------------------------------------------------------------------------- */

static mcl_status check_config_type(const char *parameter, const mcl_context *context, const mcl_type *type)
{
    MCL__TRY(mcl__check_type(parameter, context, type));
    if (strlen(type->name) < MCL__MAP_NAME_BYTES) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected a name of less than %d characters", parameter, type->name,
                     MCL__MAP_NAME_BYTES);
}

mcl_status mcl__map_check_types(const mcl_context *context, const mcl_type *key, const mcl_type *value)
{
    MCL__TRY(check_config_type("config->key", context, key));
    if (key->size != 4 && key->size != 8)
        return mcl__fail(MCL_ERROR_TYPE, "config->key is %s, of %zu bytes; expected a type of 4 or 8 bytes", key->name,
                         key->size);
    return value ? check_config_type("config->value", context, value) : MCL_OK;
}

static mcl_status check_value_bytes(const mcl_map_config *config)
{
    if (!config->value || config->value->size <= MCL__MAP_VALUE_MAX) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "config->value is %s, of %zu bytes; expected a type of at most %d bytes",
                     config->value->name, config->value->size, MCL__MAP_VALUE_MAX);
}

static mcl_status check_config(const mcl_context *context, const mcl_map_config *config)
{
    if (!config) return mcl__fail(MCL_ERROR_ARGUMENT, "config is NULL; expected what the map is made of");
    MCL__TRY(mcl__map_check_types(context, config->key, config->value));
    MCL__TRY(check_value_bytes(config));
    if (config->capacity < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "config->capacity is %lld; expected 0 or more",
                         (long long)config->capacity);
    if (!(config->max_load >= 0 && config->max_load <= 1))
        return mcl__fail(MCL_ERROR_ARGUMENT, "config->max_load is %g; expected 0 to 1", config->max_load);
    return MCL_OK;
}

/* Sets the keys that mark empty and erased slots: the caller's keys, else the bit patterns of -1 and -2. */
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
                     "config->empty_key and config->erased_key are alike; expected two different keys");
}

/* ---- public functions --------------------------------------------------------------------------------------- */

static mcl_status map_make(mcl_map *map, const mcl_map_config *config)
{
    const size_t counter_bytes = (MCL__SUB_MAPS_MAX + 1) * MAP_COUNTER_WORDS * sizeof(uint32_t);
    const int64_t capacity = config->capacity > 0 ? config->capacity : CAPACITY_DEFAULT;
    map->key_bytes = config->key->size;
    strcpy(map->key_name, config->key->name);
    if (config->value) {
        map->value_bytes = config->value->size;
        strcpy(map->value_name, config->value->name);
    }
    map->max_load = config->max_load > 0 ? config->max_load : load_default;
    map->needs_zero = 1;
    MCL__TRY(set_sentinels(map, config));
    MCL__TRY(mcl__map_buffer(map, counter_bytes, &map->counters));
    return mcl__map_add(map, mcl__divide_up(capacity, mcl__map_bucket_slots(map)));
}

mcl_status mcl_map_create(mcl_context *context, const mcl_map_config *config, mcl_map **out)
{
    MCL__TRY(mcl__check_context("mcl_map_create", context));
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a map");
    MCL__TRY(check_config(context, config));
    MCL__TRY(mcl__context_probe(context));
    if (config->key->size == 8 && context->limits.word_path == MCL__WORDS_NONE)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "config->key is %s; expected a type of 4 bytes, since this device has no 64-bit atomics "
                         "that groups may share",
                         config->key->name);
    mcl_map *const map = calloc(1, sizeof *map);
    if (!map) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a map is exhausted");
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
    if (!map || mcl__process_is_forked()) return;
    while (map->sub_map_count > 0) mcl__map_shrink(map);
    mcl_buffer_release(map->counters);
    mcl_context_release(map->context);
    free(map);
}
