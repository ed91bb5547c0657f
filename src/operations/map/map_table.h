/* map_table.h: a hash map as the host knows it, and the common steps of its calls. Files: map.c (the calls),
 * map_create.c, map_growth.c (room for more entries), map_part.c (keys in the order of their slots), map_fold.c (folds
 * of equal keys), map_list.c (few keys), map_retrieve.c and map_service.c (filling and counting). */
#ifndef MODERNCL_MAP_TABLE_H
#define MODERNCL_MAP_TABLE_H

#include "call/call.h"
#include "facts/map.h"

#include "moderncl/map.h"

/* Limits. Each sub-map is as large as all earlier ones together, so memory ends long before MCL__SUB_MAPS_MAX of
 * them. */
enum { MCL__SUB_MAPS_MAX = 64, MCL__MAP_NAME_BYTES = 64, MCL__MAP_VALUE_MAX = 16 };

typedef struct mcl__sub_map {
    mcl_buffer *slots;
    int64_t buckets;
    int64_t limit;  /* the most slots that may be filled */
    int64_t filled; /* upper bound of the number of slots that are not empty, including erased ones */
    int has_erased;
    int needs_fill; /* 1 if its slots have not been written yet */
    int needs_zero; /* 1 if its counters must become zero, since all its entries were found erased */
} mcl__sub_map;

struct mcl_map {
    mcl_context *context;
    size_t key_bytes, value_bytes; /* sizes; value_bytes is 0 in a set */
    char key_name[MCL__MAP_NAME_BYTES], value_name[MCL__MAP_NAME_BYTES];
    unsigned char empty[8], erased[8];
    unsigned char erased_stored[8]; /* the key erased as slots store it: its exclusive or with empty */
    double max_load;
    mcl_buffer *counters; /* counters of each sub-map, then a pair of counters for skipped keys */
    int needs_zero;       /* 1 if the counters have not been written yet */
    int64_t known;        /* number of filled slots when the true numbers were last read */
    int64_t erased_since; /* upper bound of the keys erased since the true numbers were read */
    int sub_map_count;
    mcl__sub_map sub_maps[MCL__SUB_MAPS_MAX];
};

/* A call that works on entries. */
typedef struct mcl__map_plan {
    mcl__call call;
    mcl_map *map;
    mcl__call service;    /* the service program, whose launches run between the begin and the end of call */
    int assigns;          /* 1 if keys that the map has already get the new value */
    int is_unique;        /* 1 if each key occurs once */
    int is_counted;       /* 1 if the skipped keys have been counted */
    int target;           /* the sub-map for new keys */
    int has_target;       /* 1 if target was found before, with room for the new keys */
    int is_owned;         /* 1 if each group of a processor inserts keys into its own buckets, without atomics */
    int parts;            /* number of parts of the elements in an owned call */
    int64_t part_buckets; /* number of target's buckets that belong to each part of an owned call */
    mcl_buffer *offsets;  /* beginning of each part of an owned call */
} mcl__map_plan;

/* Returns the bytes of a value in the map. */
static inline size_t mcl__map_stored_bytes(const mcl_map *map)
{
    return MAP_VALUE_BYTES(map->value_bytes);
}
static inline size_t mcl__map_slot_bytes(const mcl_map *map)
{
    return MAP_SLOT_BYTES(map->key_bytes, mcl__map_stored_bytes(map));
}
static inline int64_t mcl__map_bucket_slots(const mcl_map *map)
{
    return MAP_BUCKET_BYTES / (int64_t)mcl__map_slot_bytes(map);
}
static inline int64_t mcl__sub_map_capacity(const mcl_map *map, const mcl__sub_map *sub_map)
{
    return sub_map->buckets * mcl__map_bucket_slots(map);
}
/* Returns the bytes of the values that a sub-map with this number of buckets has after its slots. */
static inline size_t mcl__map_apart_bytes(const mcl_map *map, int64_t buckets)
{
    const size_t stored = mcl__map_stored_bytes(map);
    return MAP_VALUES_APART(stored) ? (size_t)(buckets * mcl__map_bucket_slots(map)) * stored : 0;
}
static inline mcl__span mcl__map_counters(const mcl_map *map, int sub_map)
{
    return (mcl__span){ map->counters, (size_t)sub_map * MAP_COUNTER_WORDS * sizeof(uint32_t) };
}
/* Returns the counter of skipped keys. If these have been counted already, it returns a counter that nobody reads. */
static inline mcl__span mcl__map_skipped_counter(const mcl_map *map, int is_counted)
{
    mcl__span counter = mcl__map_counters(map, MCL__SUB_MAPS_MAX);
    if (is_counted) counter.offset += 2 * sizeof(uint32_t);
    return counter;
}

/* ---- what tables of calls on entries have first ------------------------------------------------------------- */

enum { MCL__MAP_KEYS = 1 };                                     /* operands */
enum { MCL__MAP_KEY = 1, MCL__MAP_VALUE };                      /* groups of operands with one type */
enum { MCL__MAP_SLOTS, MCL__MAP_APART, MCL__MAP_SCRATCH };      /* scratch */
enum { MCL__MAP_BUCKETS, MCL__MAP_SCALARS };                    /* scalars */
enum { MCL__MAP_EMPTY, MCL__MAP_ERASED, MCL__MAP_VALUE_COUNT }; /* by-value arguments */

/* The arguments for MAKE_sub_map of map_slots.clh. */
#define MCL__MAP_ARGUMENTS                                                                                             \
    SCRATCH(MCL__MAP_SLOTS), SCRATCH(MCL__MAP_APART), AS_INT(MCL__MAP_BUCKETS), BY_VALUE(MCL__MAP_EMPTY),              \
        BY_VALUE(MCL__MAP_ERASED)

/* ---- map_create.c, for multimaps too ------------------------------------------------------------------------ */

/* Checks the key type and the value type of a config. A value of NULL means a set. */
mcl_status mcl__map_check_types(const mcl_context *context, const mcl_type *key, const mcl_type *value);

/* ---- map_table.c -------------------------------------------------------------------------------------------- */

/* Checks that operands with the map's keys, or its values, have the type with that name and size. type is NULL where
 * there is no such operand. */
mcl_status mcl__map_check_type(const char *operand, const mcl_type *type, const char *name, size_t bytes);
/* Calls mcl__call_check, and checks that the map belongs to the queue's context and has the types of the operands. */
mcl_status mcl__map_check(mcl__call *call, const mcl_map *map);
/* Returns 1 where the device has atomics as wide as a slot, so that a key is inserted together with its value. NVIDIA's
 * devices have 16-byte atomics from sm_90 on. */
int mcl__map_claims_entry(const mcl_map *map);
/* Gives a call what its text and its passes need to know about the map. Call it before mcl__call_program. */
void mcl__map_define(mcl__call *call, const mcl_map *map);
/* Gives all later launches the slots of a sub-map, from slot first on. */
void mcl__map_give(mcl__call *call, const mcl_map *map, const mcl__sub_map *sub_map, int64_t first);
/* Lists the sub-maps that may hold entries, the fullest first, and returns their number. without is a sub-map to leave
 * out, or -1. */
int mcl__map_list(const mcl_map *map, int without, int *list);

/* ---- map_part.c, map_fold.c, map_list.c ---------------------------------------------------------------------- */

/* A function that inserts keys and values into the map: the caller's own, or those that a step has made from them. */
typedef mcl_status (*mcl__map_enter)(const mcl__map_plan *plan, mcl_input *keys, mcl_input *values,
                                     const mcl_options *options);
typedef struct mcl__map_elements {
    mcl_input keys, values;
} mcl__map_elements;
typedef mcl_status (*mcl__map_enter_both)(const mcl__map_plan *plan, mcl__map_elements *first,
                                          mcl__map_elements *second, const mcl_options *options);
/* Returns the number of parts into which keys should be moved before they are inserted, by the slots that they go to.
 * 1: keys should not be moved. */
int mcl__map_parts(const mcl__map_plan *plan, int64_t keys);
/* Returns 1 where groups of a processor insert the elements, each into its own buckets. */
int mcl__map_owns(const mcl__map_plan *plan, const mcl_op *op);
/* Plans the parts of an owned call, whose target is known. */
void mcl__map_plan_owned(mcl__map_plan *plan);
/* Moves the elements of keys and values into parts, and calls enter with them. If memory is exhausted, calls enter with
 * keys and values as they are. */
mcl_status mcl__map_part(mcl__map_plan *plan, mcl_input keys, mcl_input values, mcl__map_enter enter);
/* Returns 1 where tables fold the elements before they are inserted, since their keys may be few. */
int mcl__map_lists(const mcl__map_plan *plan, const mcl_op *op, const mcl_input *keys, const mcl_input *values);
/* Folds elements in tables by op. If op is NULL, it keeps one element of each key. Calls enter with the elements that
 * are in no table, and with the tables' keys and folds. One of these two lists is empty. */
mcl_status mcl__map_list_keys(mcl__map_plan *plan, mcl_input keys, mcl_input values, const mcl_op *op,
                              mcl__map_enter_both enter);
/* Folds the elements of each key by op, or keeps one of them if op is NULL. Calls enter with the keys and their
 * folds. */
mcl_status mcl__map_fold(mcl__map_plan *plan, mcl_input keys, mcl_input values, const mcl_op *op, mcl__map_enter enter);

/* ---- map_service.c ------------------------------------------------------------------------------------------ */

/* Begins a call, and its service, whose launches fill slots and count entries for the call. */
void mcl__map_call_init(mcl__map_plan *plan, const mcl__declaration *declaration, const char *function,
                        mcl_queue *queue, mcl_map *map, const mcl_options *options);
/* Finds the program of a service. Every call may need this program. */
mcl_status mcl__map_service_program(mcl__call *service);
/* The next functions enqueue between the begin and the end of a call. */
/* Fills slots and zeroes counters where that has been postponed until a queue is known. Every call begins with this
 * function. */
mcl_status mcl__map_settle(mcl__call *service, mcl_map *map);
/* Zeroes bytes of memory; bytes is rounded up to a multiple of 16. */
mcl_status mcl__map_zero(mcl__call *service, mcl__span words, size_t bytes);
/* Stores the number of entries at total. It does nothing where total has no buffer. */
mcl_status mcl__map_count_entries(mcl__call *service, const mcl_map *map, const mcl_result *result, mcl__span total);

/* ---- map_growth.c ------------------------------------------------------------------------------------------- */

/* Makes memory for a map. Error sentences name the public function at work. */
mcl_status mcl__map_buffer(const mcl_map *map, size_t bytes, mcl_buffer **out);
mcl_status mcl__map_add(mcl_map *map, int64_t buckets);
/* Returns the number of buckets of the sub-map that mcl__map_grow would add, if memory allows it. */
int64_t mcl__map_growth(const mcl_map *map, int64_t count);
/* Adds a sub-map with room for count more entries. mcl__map_shrink removes it again; it must be empty then. */
mcl_status mcl__map_grow(mcl_map *map, int64_t count);
void mcl__map_shrink(mcl_map *map);
/* Returns the sub-map in which count more slots may be filled, or -1. */
int mcl__map_with_room(const mcl_map *map, int64_t count);
/* Returns 1 where the bounds may be far above the true numbers, so that count more entries may need no new sub-map. */
int mcl__map_is_doubtful(const mcl_map *map, int64_t count);
/* Waits, replaces the bounds by the true numbers of filled slots, and stores the number of entries. A sub-map whose
 * entries are all erased becomes empty. Its slots are written again before it is used. */
mcl_status mcl__map_read(mcl_queue *queue, mcl_map *map, int64_t *entries);
/* Waits for the events of the call's options, then calls mcl__map_read. */
mcl_status mcl__map_tighten(const mcl__call *call, mcl_map *map);
/* Returns count without its variable on the host. The device stores only the slot; the host reads the counters
 * instead. */
static inline mcl_result mcl__map_on_device(mcl_result count)
{
    count.host = NULL;
    return count;
}
/* Stores the number of entries, after the call, in *entries and in count's variable on the host. Without such a
 * variable *entries is 0. */
mcl_status mcl__map_tell(mcl_queue *queue, mcl_map *map, const mcl_result *count, int64_t *entries);

#endif
