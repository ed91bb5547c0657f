/* multimap_table.h: a multimap as the host knows it, and the shared parts of its calls. Files: multimap.c and
 * multimap_retrieve.c (the calls), multimap_steps.c (launches) and multimap_order.c (room, order and the table). */
#ifndef MODERNCL_MULTIMAP_TABLE_H
#define MODERNCL_MULTIMAP_TABLE_H

#include "operations/map/map_table.h"

#include "moderncl/multimap.h"

/* Entries. Their keys are stored as the orders of cl/kernels/map/key_order.clh. */
typedef struct mcl__entries {
    mcl_buffer *keys, *values; /* a multiset has no values */
    int64_t room;
    int64_t bound; /* at most as many; 0: none */
    int slot;      /* of totals: how many, where the bound is not 0 */
} mcl__entries;

/* Of totals each list has two slots by turns, since a launch reads one and stores the other. */
enum { MCL__TOTALS = 4 };
static inline int mcl__other_slot(int slot)
{
    return slot ^ 1;
}

struct mcl_multimap {
    mcl_context *context;
    size_t key_bytes, value_bytes; /* a multiset's values have 0 */
    char key_name[MCL__MAP_NAME_BYTES], value_name[MCL__MAP_NAME_BYTES];
    mcl_type moved; /* values as words, for calls that move them */
    char moved_name[MCL__MAP_NAME_BYTES], moved_text[2 * MCL__MAP_NAME_BYTES];
    mcl_buffer *totals;          /* int64_t */
    mcl__entries ordered, added; /* those in order, and those inserted since */
    int is_loose;                /* bounds may be above the true numbers */
    mcl_buffer *table;           /* of ordered; NULL: there is none */
    int table_bits, table_is_wide;
};

/* A call on a multimap. */
typedef struct mcl__multimap_plan {
    mcl__call *call; /* with the caller's operands, which are checked */
    mcl_multimap *map;
    mcl_buffer *memory[4]; /* held by the steps */
    mcl__span counted;     /* a count among them */
} mcl__multimap_plan;

enum { MCL__MULTIMAP_KEY = 1, MCL__MULTIMAP_VALUE }; /* groups of types */

/* Return the list and the bound that a step is planned for: the entries in order. On a preparing queue any list with
 * memory will do, and its bound is its room. */
static inline const mcl__entries *mcl__multimap_list(const mcl_multimap *map, const mcl_queue *queue)
{
    return queue->preparing && !map->ordered.keys ? &map->added : &map->ordered;
}
static inline int64_t mcl__entries_planned(const mcl__entries *entries, const mcl_queue *queue)
{
    return queue->preparing ? entries->room : entries->bound;
}

/* ---- multimap.c ----------------------------------------------------------------------------------------------- */

/* mcl__call_check, and whether the multimap is of the queue's context and has the types of the operands. */
mcl_status mcl__multimap_check(mcl__call *call, const mcl_multimap *map);
/* mcl__call_ready, and the steps of the call. */
mcl_status mcl__multimap_run(mcl__multimap_plan *plan, mcl__steps steps);
mcl_status mcl__multimap_take_memory(mcl__multimap_plan *plan, int k, int64_t count, size_t size);
/* Steps: put entries in order and make the table. */
mcl_status mcl__multimap_ready(const mcl__multimap_plan *plan, const mcl_options *options);
/* 1: there is nothing to do without keys or entries. A preparing queue builds the programs all the same. */
int mcl__multimap_has_nothing(const mcl__multimap_plan *plan, int64_t keys);

/* ---- multimap_steps.c: the launches of kernels/map/multimap.cl, each a step of a call ---------------------------- */

/* Appends keys and values (NULL: none) to a list. Its count is in totals at slot from, -1: 0, and then at slot to. */
mcl_status mcl__multimap_add(const mcl__multimap_plan *plan, mcl_input *keys, mcl_input *values,
                             const mcl__entries *list, mcl_buffer *totals, int from, int to,
                             const mcl_options *options);
/* Looks keys up: where their entries begin (NULL: not asked for), and how many they are. */
mcl_status mcl__multimap_find(const mcl__multimap_plan *plan, mcl_input *keys, mcl_output *begins, mcl_output *counts,
                              const mcl_options *options);
/* Stores the first entries, limit at most. Either output may be NULL. */
mcl_status mcl__multimap_all(const mcl__multimap_plan *plan, mcl_output *keys, mcl_output *values, int64_t limit,
                             const mcl_options *options);
/* Stores the sum of two totals, -1: 0, where the result has memory. */
mcl_status mcl__multimap_total(const mcl__multimap_plan *plan, mcl_buffer *totals, int a, int b,
                               const mcl_result *result, const mcl_options *options);

/* ---- multimap_order.c ----------------------------------------------------------------------------------------- */

/* Makes memory for the multimap, as a part of the public function at work. */
mcl_status mcl__multimap_buffer(const mcl_multimap *map, int64_t count, size_t size, mcl_buffer **out);
mcl_status mcl__entries_create(const mcl_multimap *map, int64_t room, mcl__entries *out);
void mcl__entries_release(mcl__entries *entries);

/* Makes inputs of a list: its keys; its values, read as type. */
mcl_input mcl__entries_keys(const mcl_multimap *map, const mcl__entries *entries, const mcl_queue *queue);
mcl_input mcl__entries_values(const mcl__entries *entries, const mcl_type *type, const mcl_queue *queue);
/* Returns the keys as they are stored. */
static inline const mcl_type *mcl__multimap_key_type(const mcl_multimap *map)
{
    return map->key_bytes == sizeof(uint64_t) ? MCL_UINT64 : MCL_UINT32;
}

/* Makes room for count more entries that are not in order. */
mcl_status mcl__multimap_make_room(mcl_multimap *map, mcl_queue *queue, int64_t count);
/* Steps: put all entries in order; then make the table of them. */
mcl_status mcl__multimap_order(const mcl__multimap_plan *plan, const mcl_options *options);
mcl_status mcl__multimap_tabulate(const mcl__multimap_plan *plan, const mcl_options *options);
/* The entries in order have changed. */
void mcl__multimap_drop_table(mcl_multimap *map);
/* There are no entries. */
void mcl__multimap_empty(mcl_multimap *map);

#endif
