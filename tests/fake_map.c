/* fake_map.c: calls of kernel_texts on a hash map and on a multimap. */
#include "fake_calls.h"

/* Calls run on maps: with keys and values of 4 bytes, of 8 bytes, and with keys of 4 bytes and values of 8, 12 and
 * 16. */
static mcl_status call_map(const bench *at, mcl_status (*run)(const bench *at, mcl_map *map, mcl_input keys))
{
    const mcl_type *type = at->element->type;
    const mcl_type *key = type == MCL_DOUBLE || type->size < 4 || type->kind == MCL_KIND_STRUCT ? MCL_INT32 : type;
    const mcl_map_config config = { .key = key, .value = type, .capacity = COUNT };
    mcl_map *map = NULL;
    if (type->size > 16 || type == MCL_FLOAT) return MCL_OK;
    MCL__TRY(mcl_map_create(mcl_queue_context(at->queue), &config, &map));
    const mcl_status status = run(at, map, mcl_from_buffer(key, at->buffers[1], 0, COUNT / 4));
    mcl_map_release(map);
    return status;
}

static mcl_status run_map_insert(const bench *at, mcl_map *map, mcl_input keys)
{
    return mcl_map_insert(at->queue, map, keys, mcl_from_buffer(at->element->type, at->buffers[0], 0, COUNT),
                          at->options);
}

static mcl_status run_map_assign(const bench *at, mcl_map *map, mcl_input keys)
{
    return mcl_map_insert_or_assign(at->queue, map, keys, mcl_from_buffer(at->element->type, at->buffers[0], 0, COUNT),
                                    at->options);
}

/* Applies a fold by an atomic addition, and by swaps. */
static mcl_status run_map_apply(const bench *at, mcl_map *map, mcl_input keys)
{
    const mcl_input values = mcl_from_buffer(at->element->type, at->buffers[0], 0, COUNT);
    mcl_options options = *at->options;
    if (at->element->type->kind == MCL_KIND_STRUCT) return MCL_OK; /* for unique keys, which are entered like others */
    if (at->element->type->kind == MCL_KIND_FLOAT) options.flags &= ~(unsigned)MCL_DETERMINISTIC;
    MCL__TRY(mcl_map_insert_or_apply(at->queue, map, keys, values, MCL_ADD, &options));
    return mcl_map_insert_or_apply(at->queue, map, keys, values, MCL_MAX, &options);
}

static mcl_status run_map_find(const bench *at, mcl_map *map, mcl_input keys)
{
    const mcl_output found = mcl_to_buffer(MCL_UINT8, at->buffers[3], 0, COUNT);
    MCL__TRY(mcl_map_find(at->queue, map, keys, mcl_to_buffer(at->element->type, at->buffers[2], 0, COUNT), NULL,
                          (mcl_output){ 0 }, at->options));
    return mcl_map_contains(at->queue, map, keys, found, at->options);
}

static mcl_status run_map_erase(const bench *at, mcl_map *map, mcl_input keys)
{
    return mcl_map_erase(at->queue, map, keys, at->options);
}

static mcl_status run_map_retrieve(const bench *at, mcl_map *map, mcl_input keys)
{
    for (int way = MCL_APPEND_GLOBAL_ATOMIC; way <= MCL_APPEND_SUB_GROUP_TILE; ++way) {
        mcl_options options = *at->options;
        options.append = (mcl_append)way;
        options.append_width = 8;
        MCL__TRY(mcl_map_retrieve_all(at->queue, map, mcl_to_buffer(keys.type, at->buffers[2], 0, COUNT),
                                      mcl_to_buffer(at->element->type, at->buffers[3], 0, COUNT), mcl_to_nowhere(),
                                      &options));
    }
    return MCL_OK;
}

#define MAP_CALL(name)                                                                                                 \
    mcl_status call_map_##name(const bench *at)                                                                        \
    {                                                                                                                  \
        return call_map(at, run_map_##name);                                                                           \
    }
MAP_CALL(insert)
MAP_CALL(assign)
MAP_CALL(apply)
MAP_CALL(find)
MAP_CALL(erase)
MAP_CALL(retrieve)

/* Calls a set with keys of 4 bytes, and one with keys of 8. */
mcl_status call_map_set(const bench *at)
{
    const mcl_type *key = at->element->type;
    const mcl_map_config config = { .key = key, .capacity = COUNT, .max_load = 0.9 };
    mcl_map *set = NULL;
    if (key->kind == MCL_KIND_STRUCT || key->size < sizeof(int32_t)) return MCL_OK;
    MCL__TRY(mcl_map_create(mcl_queue_context(at->queue), &config, &set));
    const mcl_input keys = mcl_from_buffer(key, at->buffers[1], 0, COUNT / 4);
    mcl_status status = mcl_map_insert(at->queue, set, keys, (mcl_input){ 0 }, at->options);
    if (status == MCL_OK)
        status =
            mcl_map_contains(at->queue, set, keys, mcl_to_buffer(MCL_UINT8, at->buffers[3], 0, COUNT), at->options);
    mcl_map_release(set);
    return status;
}

/* Calls multimaps with keys of 4 bytes and of 8, since they have one kernel for each. */
mcl_status call_multimap(const bench *at)
{
    const mcl_type *type = at->element->type;
    const mcl_multimap_config config = { .key = type, .value = type, .capacity = COUNT };
    mcl_multimap *map = NULL;
    if (type->size > 8 || type->size < 4 || type == MCL_FLOAT || type->kind == MCL_KIND_STRUCT) return MCL_OK;
    MCL__TRY(mcl_multimap_create(mcl_queue_context(at->queue), &config, &map));
    const mcl_input keys = mcl_from_buffer(type, at->buffers[1], 0, COUNT / 4);
    mcl_status status =
        mcl_multimap_insert(at->queue, map, keys, mcl_from_buffer(type, at->buffers[0], 0, COUNT), at->options);
    if (status == MCL_OK)
        status =
            mcl_multimap_count(at->queue, map, keys, mcl_to_buffer(MCL_INT32, at->buffers[2], 0, COUNT), at->options);
    if (status == MCL_OK)
        status =
            mcl_multimap_retrieve_all(at->queue, map, mcl_to_buffer(type, at->buffers[2], 0, COUNT),
                                      mcl_to_buffer(type, at->buffers[3], 0, COUNT), mcl_to_nowhere(), at->options);
    mcl_multimap_release(map);
    return status;
}
