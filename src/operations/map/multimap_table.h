/* multimap_table.h: a multimap as the host knows it, and the common steps of its calls. Files: multimap.c and
 * multimap_retrieve.c (the calls), multimap_steps.c (launches) and multimap_order.c (room, order and the table). */
#ifndef MODERNCL_MULTIMAP_TABLE_H
#define MODERNCL_MULTIMAP_TABLE_H

#include "operations/map/map_table.h"

#include "moderncl/multimap.h"

/* A list of entries. Keys are stored as numbers, by cl/kernels/map/key_order.clh. */
typedef struct mcl__entries {
    mcl_buffer *keys, *values; /* a multiset has no values */
    int64_t room;
    int64_t bound; /* upper bound of the number of entries; 0: there are none */
    int slot;      /* index in totals of the number of entries, unless bound is 0 */
} mcl__entries;

/* The number of totals. Each list uses two of them in turn, since a launch reads one and stores the other. */
enum { MCL__TOTALS = 4 };
static inline int mcl__other_slot(int slot)
{
    return slot ^ 1;
}

struct mcl_multimap {
    mcl_context *context;
    size_t key_bytes, value_bytes; /* sizes; value_bytes is 0 in a multiset */
    char key_name[MCL__MAP_NAME_BYTES], value_name[MCL__MAP_NAME_BYTES];
    mcl_type moved; /* type of values in calls that move them: words */
    char moved_name[MCL__MAP_NAME_BYTES], moved_text[2 * MCL__MAP_NAME_BYTES];
    mcl_buffer *totals;          /* the totals: MCL__TOTALS numbers of type int64_t */
    mcl__entries ordered, added; /* entries in order, and entries inserted since then */
    int is_loose;                /* 1 if bounds may be above the true numbers */
    mcl_buffer *table;           /* ends of keys in ordered, by their upper bits; NULL: there is no table */
    int table_bits, table_is_wide;
};

/* A call on a multimap. */
typedef struct mcl__multimap_plan {
    mcl__call *call; /* the call with the caller's operands, which are checked */
    mcl_multimap *map;
    mcl_buffer *memory[4]; /* scratch that the steps hold */
    mcl__span counted;     /* a count in that scratch, for the host */
} mcl__multimap_plan;

enum { MCL__MULTIMAP_KEY = 1, MCL__MULTIMAP_VALUE }; /* groups of operands with one type */

/* Return the list for which a step is planned, and its bound. It is the list of entries in order. On a preparing queue
 * it is any list that has memory, with its room as the bound. */
static inline const mcl__entries *mcl__multimap_list(const mcl_multimap *map, const mcl_queue *queue)
{
    return queue->preparing && !map->ordered.keys ? &map->added : &map->ordered;
}
static inline int64_t mcl__entries_planned(const mcl__entries *entries, const mcl_queue *queue)
{
    return queue->preparing ? entries->room : entries->bound;
}

/* ---- multimap.c ----------------------------------------------------------------------------------------------- */

/* Calls mcl__call_check, and checks that the multimap belongs to the queue's context and has the types of the
 * operands. */
mcl_status mcl__multimap_check(mcl__call *call, const mcl_multimap *map);
/* Calls mcl__call_ready, then runs the steps of the call. */
mcl_status mcl__multimap_run(mcl__multimap_plan *plan, mcl__steps steps);
mcl_status mcl__multimap_take_memory(mcl__multimap_plan *plan, int k, int64_t count, size_t size);
/* Puts entries in order and makes the table, as steps of a call. */
mcl_status mcl__multimap_ready(const mcl__multimap_plan *plan, const mcl_options *options);
/* Returns 1 where there is nothing to do: there are no keys, or the multimap has no entries. On a preparing queue only
 * missing keys count, so that the programs are built. */
int mcl__multimap_has_nothing(const mcl__multimap_plan *plan, int64_t keys);

/* ---- multimap_steps.c: the launches of kernels/map/multimap.cl, each a step of a call ---------------------------- */

/* Appends keys and values (NULL: none) to a list. The list's count before is totals[from], or 0 where from is -1. Its
 * count afterwards is stored in totals[to]. */
mcl_status mcl__multimap_add(const mcl__multimap_plan *plan, mcl_input *keys, mcl_input *values,
                             const mcl__entries *list, mcl_buffer *totals, int from, int to,
                             const mcl_options *options);
/* Stores the beginning of each key's entries (unless begins is NULL), and their number. */
mcl_status mcl__multimap_find(const mcl__multimap_plan *plan, mcl_input *keys, mcl_output *begins, mcl_output *counts,
                              const mcl_options *options);
/* Stores the first entries, at most limit. Either output may be NULL. */
mcl_status mcl__multimap_all(const mcl__multimap_plan *plan, mcl_output *keys, mcl_output *values, int64_t limit,
                             const mcl_options *options);
/* Stores totals[a] + totals[b] where the result has memory. An index of -1 stands for 0. */
mcl_status mcl__multimap_total(const mcl__multimap_plan *plan, mcl_buffer *totals, int a, int b,
                               const mcl_result *result, const mcl_options *options);

/* ---- multimap_order.c ----------------------------------------------------------------------------------------- */

/* Makes memory for the multimap. Error sentences name the public function at work. */
mcl_status mcl__multimap_buffer(const mcl_multimap *map, int64_t count, size_t size, mcl_buffer **out);
mcl_status mcl__entries_create(const mcl_multimap *map, int64_t room, mcl__entries *out);
void mcl__entries_release(mcl__entries *entries);

/* Return inputs that read a list: its keys, and its values as type. */
mcl_input mcl__entries_keys(const mcl_multimap *map, const mcl__entries *entries, const mcl_queue *queue);
mcl_input mcl__entries_values(const mcl__entries *entries, const mcl_type *type, const mcl_queue *queue);
/* Returns the type in which keys are stored. */
static inline const mcl_type *mcl__multimap_key_type(const mcl_multimap *map)
{
    return map->key_bytes == sizeof(uint64_t) ? MCL_UINT64 : MCL_UINT32;
}

/* Makes room for count more entries that are not in order. */
mcl_status mcl__multimap_make_room(mcl_multimap *map, mcl_queue *queue, int64_t count);
/* Put all entries in order, and make the table for them, as steps of a call. */
mcl_status mcl__multimap_order(const mcl__multimap_plan *plan, const mcl_options *options);
mcl_status mcl__multimap_tabulate(const mcl__multimap_plan *plan, const mcl_options *options);
/* Releases the table, since the entries in order have changed. */
void mcl__multimap_drop_table(mcl_multimap *map);
/* Forgets all entries, and releases the table. The lists keep their memory. */
void mcl__multimap_empty(mcl_multimap *map);

#endif
