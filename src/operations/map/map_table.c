/* map_table.c: checks calls on a hash map, and tells their kernels about the map. */
#include "operations/map/map_table.h"

#include <stdio.h>

mcl_status mcl__map_check_type(const char *operand, const mcl_type *type, const char *name, size_t bytes)
{
    if (!type || (type->size == bytes && strcmp(type->name, name) == 0)) return MCL_OK;
    if (bytes == 0) return mcl__fail(MCL_ERROR_ARGUMENT, "%s is given; expected none, since the map is a set", operand);
    return mcl__fail(MCL_ERROR_TYPE, "%s is %s; expected %s, the type of the map's %s", operand, type->name, name,
                     operand);
}

mcl_status mcl__map_check(mcl__call *call, const mcl_map *map)
{
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__check_unrecorded(call->queue, "a call on a map, whose entries the host counts,",
                                   "it before mcl_record_begin or after mcl_record_end"));
    if (!map) return mcl__fail(MCL_ERROR_ARGUMENT, "map is NULL; expected a map");
    if (map->context != call->queue->context)
        return mcl__fail(MCL_ERROR_ARGUMENT, "map is of another context than queue; expected the same");
    MCL__TRY(mcl__map_check_type("keys", call->types[MCL__MAP_KEY], map->key_name, map->key_bytes));
    return mcl__map_check_type("values", call->types[MCL__MAP_VALUE], map->value_name, map->value_bytes);
}

int mcl__map_claims_entry(const mcl_map *map)
{
    const mcl__limits *const limits = &map->context->limits;
    const size_t slot_bytes = mcl__map_slot_bytes(map);
    int architecture = 0;
    if (slot_bytes == map->key_bytes || limits->word_path == MCL__WORDS_NONE) return 0;
    if (slot_bytes == sizeof(uint64_t)) return 1;
    return (limits->word_path == MCL__WORDS_CUDA || limits->word_path == MCL__WORDS_PTX) &&
           sscanf(limits->tuning_key, "NVIDIA sm_%d", &architecture) == 1 && architecture >= 90;
}

/* Returns the number of neighbouring buckets that a search visits before it jumps. Four buckets are 128 bytes, a cache
 * line of a GPU. In maps that may be nearly full, a search jumps after each bucket. */
static int line_buckets(const mcl_map *map)
{
    static const double few = 0.7;
    return map->max_load <= few ? 4 : 1;
}

void mcl__map_define(mcl__call *call, const mcl_map *map)
{
    mcl__call_define(call, "KEY_BYTES", (int)map->key_bytes);
    mcl__call_define(call, "VALUE_BYTES", (int)mcl__map_stored_bytes(map));
    mcl__call_define(call, "LINE_BUCKETS", line_buckets(map));
    mcl__call_define(call, "MAP_CLAIMS_ENTRY", mcl__map_claims_entry(map));
    if (!MAP_VALUES_APART(mcl__map_stored_bytes(map))) call->without |= MCL__BIT(MCL__MAP_APART);
    call->by_value[MCL__MAP_EMPTY].bytes = map->empty;
    call->by_value[MCL__MAP_ERASED].bytes = map->erased_stored;
    call->by_value[MCL__MAP_EMPTY].size = call->by_value[MCL__MAP_ERASED].size = map->key_bytes;
}

void mcl__map_give(mcl__call *call, const mcl_map *map, const mcl__sub_map *sub_map, int64_t first)
{
    const size_t apart = (size_t)sub_map->buckets * MAP_BUCKET_BYTES;
    mcl__call_scratch_at(call, MCL__MAP_SLOTS, (mcl__span){ sub_map->slots, (size_t)first * mcl__map_slot_bytes(map) });
    if (mcl__map_apart_bytes(map, 1) > 0)
        mcl__call_scratch_at(call, MCL__MAP_APART,
                             (mcl__span){ sub_map->slots, apart + (size_t)first * mcl__map_stored_bytes(map) });
    call->scalars[MCL__MAP_BUCKETS] = sub_map->buckets;
}

int mcl__map_list(const mcl_map *map, int without, int *list)
{
    int count = 0;
    for (int k = 0; k < map->sub_map_count; ++k) {
        if (k == without || map->sub_maps[k].filled == 0) continue;
        int index = count++;
        for (; index > 0 && map->sub_maps[list[index - 1]].filled < map->sub_maps[k].filled; --index)
            list[index] = list[index - 1];
        list[index] = k;
    }
    return count;
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
