/* sampler_maps.c: calls on maps and multimaps for sampler.c. */
#include "sampler_maps.h"

/* Inserts into an empty map, so that the map does not grow with the number of calls. */
mcl_status sampler_map_insert(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_status status = mcl_map_clear(queue, s->map, NULL);

    return status == MCL_OK ? mcl_map_insert(queue, s->map, sorted(s), sorted(s), options) : status;
}

/* Inserts into an empty map with a fold. */
mcl_status sampler_map_apply(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_status status = mcl_map_clear(queue, s->map, NULL);

    if (status != MCL_OK) return status;
    return mcl_map_insert_or_apply(queue, s->map, sorted(s), sorted(s), MCL_MAX, options);
}

mcl_status sampler_map_find(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_find(queue, s->map, mcl_with_count(sorted(s), s->slots, 0), to(s->output, SAMPLER_COUNT), NULL,
                        (mcl_output){ 0 }, options);
}

mcl_status sampler_map_retrieve_all(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_map_retrieve_all(queue, s->map, to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                mcl_to_host(MCL_INT64, &count), options);
}

mcl_status sampler_map_skipped(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_skipped(queue, s->map, mcl_to_slot(MCL_INT64, s->slots, 1), options);
}

mcl_status sampler_map_erase(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_erase(queue, s->map, sorted(s), options);
}

/* Inserts into an empty multimap, so that the multimap does not grow with the number of calls. */
mcl_status sampler_multimap_insert(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_status status = mcl_multimap_clear(queue, s->multimap, NULL);

    return status == MCL_OK ? mcl_multimap_insert(queue, s->multimap, sorted(s), sorted(s), options) : status;
}

/* Makes a multimap with entries, for calls that put entries in order. */
static mcl_status multimap_filled(sampler *s, mcl_queue *queue, mcl_multimap **map)
{
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = SAMPLER_COUNT };
    mcl_status status = mcl_multimap_create(s->context, &config, map);

    if (status == MCL_OK) status = mcl_multimap_insert(queue, *map, sorted(s), sorted(s), NULL);
    return status;
}

mcl_status sampler_multimap_retrieve(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_multimap *map = NULL;
    mcl_status status = multimap_filled(s, queue, &map);

    if (status == MCL_OK)
        status =
            mcl_multimap_retrieve(queue, map, sorted(s), to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                  (mcl_output){ 0 }, mcl_to_slot(MCL_INT64, s->slots, 2), options);
    mcl_multimap_release(map);
    return status;
}

mcl_status sampler_multimap_erase(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_multimap *map = NULL;
    mcl_status status = multimap_filled(s, queue, &map);

    if (status == MCL_OK) status = mcl_multimap_erase(queue, map, sorted(s), options);
    mcl_multimap_release(map);
    return status;
}

mcl_status sampler_multimap_count(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_multimap *map = NULL;
    mcl_status status = multimap_filled(s, queue, &map);

    if (status == MCL_OK)
        status = mcl_multimap_count(queue, map, mcl_with_count(sorted(s), s->slots, 0), to(s->output, SAMPLER_COUNT),
                                    options);
    mcl_multimap_release(map);
    return status;
}

mcl_status sampler_multimap_retrieve_all(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    mcl_multimap *map = NULL;
    mcl_status status = multimap_filled(s, queue, &map);

    if (status == MCL_OK)
        status = mcl_multimap_retrieve_all(queue, map, to(s->output, SAMPLER_COUNT), to(s->values, SAMPLER_COUNT),
                                           mcl_to_slot(MCL_INT64, s->slots, 2), options);
    mcl_multimap_release(map);
    return status;
}

mcl_status sampler_multimap_size(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_multimap_size(queue, s->multimap, mcl_to_slot(MCL_INT64, s->slots, 2), options);
}

/* Makes a map grow to two sub-maps and more. */
mcl_status sampler_map_growth(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = SAMPLER_COUNT / 4 };
    mcl_map *map = NULL;
    mcl_status status = mcl_map_create(s->context, &config, &map);

    if (status == MCL_OK) status = mcl_map_insert_or_assign(queue, map, sorted(s), sorted(s), options);
    mcl_map_release(map);
    return status;
}

mcl_status sampler_map_size(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    int64_t count;

    return mcl_map_size(queue, s->map, mcl_to_host(MCL_INT64, &count), options);
}

/* Reserves room for as many entries as the map has room for. */
mcl_status sampler_map_reserve(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_reserve(queue, s->map, SAMPLER_COUNT, options);
}

mcl_status sampler_map_contains(sampler *s, mcl_queue *queue, const mcl_options *options)
{
    return mcl_map_contains(queue, s->map, sorted(s), mcl_to_buffer(MCL_UINT8, s->output, 0, SAMPLER_COUNT), options);
}
