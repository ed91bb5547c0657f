/* sampler_maps.h: the calls on maps and multimaps of sampler_maps.c, for sampler.c. */
#ifndef TEST_SAMPLER_MAPS_H
#define TEST_SAMPLER_MAPS_H

#include "sampler_data.h"

/* The calls as X(name of the function sampler_NAME, words, memory). */
#define SAMPLER_MAP_LIST(X)                                                                                            \
    X(map_insert, "map insert", 0)                                                                                     \
    X(map_apply, "map insert or apply", SAMPLER_TAKES_LESS)                                                            \
    X(map_find, "map find", 0)                                                                                         \
    X(map_retrieve_all, "map retrieve all", 0)                                                                         \
    X(map_skipped, "map skipped", 0)                                                                                   \
    X(map_erase, "map erase", 0)                                                                                       \
    X(map_size, "map size", 0)                                                                                         \
    X(map_contains, "map contains", 0)                                                                                 \
    X(map_reserve, "map reserve", 0)                                                                                   \
    X(map_growth, "map growth", SAMPLER_ALLOCATES)                                                                     \
    X(multimap_insert, "multimap insert", 0)                                                                           \
    X(multimap_size, "multimap size", 0)                                                                               \
    X(multimap_count, "multimap count", SAMPLER_ALLOCATES)                                                             \
    X(multimap_retrieve, "multimap retrieve", SAMPLER_ALLOCATES)                                                       \
    X(multimap_retrieve_all, "multimap retrieve all", SAMPLER_ALLOCATES | SAMPLER_TAKES_LESS)                          \
    X(multimap_erase, "multimap erase", SAMPLER_ALLOCATES)

#define X(name, words, memory) mcl_status sampler_##name(sampler *s, mcl_queue *queue, const mcl_options *options);
SAMPLER_MAP_LIST(X)
#undef X

#endif
