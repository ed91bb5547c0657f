/* map_table.h: a hash map as the host knows it (map.c, map_growth.c). */
#ifndef MODERNCL_MAP_TABLE_H
#define MODERNCL_MAP_TABLE_H

#include "call/call.h"
#include "facts/map.h"

#include "moderncl/map.h"

/* Each sub-map is as large as all before it together, so that memory ends long before this. */
enum { MCL__SUB_MAPS_MAX = 64, MCL__MAP_NAME_BYTES = 64 };

typedef struct mcl__sub_map {
    mcl_buffer *slots;
    int64_t buckets;
    int64_t limit;  /* slots that may be filled */
    int64_t filled; /* slots that are not empty, erased ones included: an upper bound */
    int has_erased;
    int needs_fill; /* its slots have not been written yet */
    int needs_zero; /* nor its counters, since all its entries were found erased */
} mcl__sub_map;

struct mcl_map {
    mcl_context *context;
    size_t key_bytes, value_bytes;
    char key_name[MCL__MAP_NAME_BYTES], value_name[MCL__MAP_NAME_BYTES];
    unsigned char empty[8], erased[8];
    unsigned char erased_stored[8]; /* the slots hold keys as their exclusive or with empty */
    double max_load;
    mcl_buffer *counters; /* of each sub-map, and after them a pair for skipped keys */
    int needs_zero;       /* the counters have not been written yet */
    int64_t known;        /* slots that were filled when the true numbers were read last */
    int64_t erased_since; /* keys that were to be erased since: an upper bound of those that were */
    int sub_map_count;
    mcl__sub_map sub_maps[MCL__SUB_MAPS_MAX];
};

static inline size_t mcl__map_slot_bytes(const mcl_map *map)
{
    return MAP_SLOT_BYTES(map->key_bytes, map->value_bytes);
}
static inline int64_t mcl__map_bucket_slots(const mcl_map *map)
{
    return MAP_BUCKET_BYTES / (int64_t)mcl__map_slot_bytes(map);
}
static inline int64_t mcl__sub_map_capacity(const mcl_map *map, const mcl__sub_map *sub_map)
{
    return sub_map->buckets * mcl__map_bucket_slots(map);
}
static inline mcl__span mcl__map_counters(const mcl_map *map, int sub_map)
{
    return (mcl__span){ map->counters, (size_t)sub_map * MAP_COUNTER_WORDS * sizeof(uint32_t) };
}

/* map_growth.c. After the gate, which has checked the queue: the map is one of its context. */
mcl_status mcl__map_check(const char *function, const mcl_queue *queue, const mcl_map *map);
/* The program that fills and counts, which every call may need. */
mcl_status mcl__map_service(mcl_queue *queue, const mcl_map *map, const mcl__kernels **service);
/* Enqueues what has been put off until a queue was there. Inside a call's bracket; all that enqueue nothing else first
 * call this. */
mcl_status mcl__map_settle(mcl_queue *queue, mcl_map *map, const mcl__kernels *service);
/* Enqueues the sum over the sub-maps of a counter, less another (-1: none), to span. */
mcl_status mcl__map_total(mcl_queue *queue, const mcl_map *map, const mcl__kernels *service, int plus, int minus,
                          mcl__span result);
/* Zeroes words of 32 bits. */
mcl_status mcl__map_zero(mcl_queue *queue, const mcl__kernels *service, mcl__span words, int64_t count);
/* Waits, puts the true numbers of filled slots in place of the bounds and tells how many entries there are. A sub-map
 * whose entries are all erased becomes empty: its slots are written anew before it is used. */
mcl_status mcl__map_read(mcl_queue *queue, mcl_map *map, int64_t *entries);
/* The same as a call of its own, which waits for the events of options too. */
mcl_status mcl__map_tighten(mcl_queue *queue, mcl_map *map, const char *function, const mcl_options *options,
                            int64_t *entries);
/* The sub-map in which count more slots may be filled; -1: none. */
int mcl__map_with_room(const mcl_map *map, int64_t count);
/* 1: to add a sub-map with room for count may be a waste, since the bounds tell little of the true numbers. */
int mcl__map_is_doubtful(const mcl_map *map, int64_t count);
/* Adds a sub-map with room for count more; mcl__map_shrink takes it back while nothing has been entered. */
mcl_status mcl__map_grow(mcl_map *map, const char *function, int64_t count);
void mcl__map_shrink(mcl_map *map);

/* PARAMS_sub_map of map_slots.clh, from slot first on. */
void mcl__map_args(mcl__args *args, const mcl_map *map, const mcl__sub_map *sub_map, int64_t first);

#endif
