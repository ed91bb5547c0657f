/* multimap_order.c: makes room for the entries of a multimap, puts them in order, and makes the table that finds keys.
 * Steps are calls of other operations: a sort, a merge, a search. */
#include "operations/map/multimap_table.h"

#include "moderncl/merge.h"
#include "moderncl/sort.h"
#include "moderncl/sorted_search.h"

/* Entries per number of the table. More entries make a search longer; fewer entries make the table larger. */
enum { TABLE_ENTRIES = 4, TABLE_BITS_MAX = 30 };

/* ---- memory --------------------------------------------------------------------------------------------------- */

mcl_status mcl__multimap_buffer(const mcl_multimap *map, int64_t count, size_t size, mcl_buffer **out)
{
    mcl__function_hold();
    const mcl_status status = mcl_buffer_create(map->context, (size_t)(count > 0 ? count : 1) * size, NULL, out);
    mcl__function_let_go();
    return status;
}

mcl_status mcl__entries_create(const mcl_multimap *map, int64_t room, mcl__entries *out)
{
    mcl_status status = mcl__multimap_buffer(map, room, map->key_bytes, &out->keys);
    if (status == MCL_OK && map->value_bytes > 0)
        status = mcl__multimap_buffer(map, room, map->value_bytes, &out->values);
    out->room = room;
    if (status != MCL_OK) mcl__entries_release(out);
    return status;
}

void mcl__entries_release(mcl__entries *entries)
{
    mcl_buffer_release(entries->keys);
    mcl_buffer_release(entries->values);
    entries->keys = entries->values = NULL;
    entries->room = 0;
}

/* ---- what steps are planned for ------------------------------------------------------------------------------- */

static mcl_input with_total(const mcl_multimap *map, const mcl__entries *entries, mcl_input input)
{
    return mcl_with_count_of(input, MCL_INT64, map->totals, entries->slot);
}

mcl_input mcl__entries_keys(const mcl_multimap *map, const mcl__entries *entries, const mcl_queue *queue)
{
    return with_total(
        map, entries,
        mcl_from_buffer(mcl__multimap_key_type(map), entries->keys, 0, mcl__entries_planned(entries, queue)));
}

/* Returns an input with the planned bound as its count, since a call takes its count from the keys. */
mcl_input mcl__entries_values(const mcl__entries *entries, const mcl_type *type, const mcl_queue *queue)
{
    return mcl_from_buffer(type, entries->values, 0, mcl__entries_planned(entries, queue));
}

/* ---- room ----------------------------------------------------------------------------------------------------- */

/* Returns the number of entries that the device has counted. It is at most their bound. */
static int64_t counted(const mcl__entries *entries, const int64_t *totals)
{
    const int64_t total = totals[entries->slot];
    return entries->bound > 0 && total >= 0 && total < entries->bound ? total : entries->bound;
}

/* Waits for the true numbers of entries, where bounds may be higher. */
static mcl_status tighten(mcl_multimap *map, mcl_queue *queue)
{
    int64_t totals[MCL__TOTALS];
    if (!map->is_loose) return MCL_OK;
    MCL__TRY(queue->context->backend->read(queue, map->totals, 0, sizeof totals, totals, 1));
    map->ordered.bound = counted(&map->ordered, totals);
    map->added.bound = counted(&map->added, totals);
    map->is_loose = 0;
    return MCL_OK;
}

/* Copies the inserted entries to new memory with room for more. */
static mcl_status move_added(mcl_multimap *map, mcl_queue *queue, int64_t room)
{
    mcl__entries *const added = &map->added;
    mcl__entries moved = { .bound = added->bound, .slot = added->slot };
    const size_t count = (size_t)added->bound;
    MCL__TRY(mcl__entries_create(map, room, &moved));
    mcl_status status = MCL_OK;
    if (count > 0) status = mcl_buffer_copy(queue, added->keys, 0, moved.keys, 0, count * map->key_bytes);
    if (status == MCL_OK && count > 0 && moved.values)
        status = mcl_buffer_copy(queue, added->values, 0, moved.values, 0, count * map->value_bytes);
    mcl__entries_release(status == MCL_OK ? added : &moved);
    if (status == MCL_OK) *added = moved;
    return status;
}

mcl_status mcl__multimap_make_room(mcl_multimap *map, mcl_queue *queue, int64_t count)
{
    const mcl__entries *const added = &map->added;
    if (added->room - added->bound >= count) return MCL_OK;
    MCL__TRY(tighten(map, queue));
    const int64_t needed = added->bound + count, wanted = 2 * added->room;
    if (added->room >= needed) return MCL_OK;
    if (wanted > needed && move_added(map, queue, wanted) == MCL_OK) return MCL_OK;
    return move_added(map, queue, needed);
}

/* ---- order ---------------------------------------------------------------------------------------------------- */

/* Sorts the inserted entries in place. The sort is stable, so a key's values stay in the order of insertion. */
static mcl_status sort_added(const mcl__multimap_plan *plan, const mcl_options *options)
{
    const mcl_multimap *const map = plan->map;
    mcl_queue *const queue = plan->call->queue;
    const mcl__entries *const added = &map->added;
    const mcl_input keys = mcl__entries_keys(map, added, queue);
    const mcl_output out = mcl_to_buffer(keys.type, added->keys, 0, added->room);
    if (!added->values) return mcl_sort(queue, keys, out, MCL_LESS, options);
    return mcl_sort_pairs(queue, keys, mcl__entries_values(added, &map->moved, queue), out,
                          mcl_to_buffer(&map->moved, added->values, 0, added->room), MCL_LESS, options);
}

/* Merges both lists into a third one, and stores its count. */
static mcl_status merge_lists(const mcl__multimap_plan *plan, const mcl__entries *merged, const mcl_options *options)
{
    const mcl_multimap *const map = plan->map;
    mcl_queue *const queue = plan->call->queue;
    const mcl__entries *const a = mcl__multimap_list(map, queue), *const b = &map->added;
    const mcl_input a_keys = mcl__entries_keys(map, a, queue), b_keys = mcl__entries_keys(map, b, queue);
    const mcl_output out = mcl_to_buffer(a_keys.type, merged->keys, 0, merged->room);
    const mcl_result total = mcl_to_slot(MCL_INT64, map->totals, merged->slot);
    if (!merged->values) {
        MCL__TRY(mcl_merge(queue, a_keys, b_keys, out, MCL_LESS, options));
    } else {
        MCL__TRY(mcl_merge_pairs(queue, a_keys, mcl__entries_values(a, &map->moved, queue), b_keys,
                                 mcl__entries_values(b, &map->moved, queue), out,
                                 mcl_to_buffer(&map->moved, merged->values, 0, merged->room), MCL_LESS, options));
    }
    return mcl__multimap_total(plan, map->totals, a->slot, b->slot, &total, options);
}

static mcl_status merge_added(const mcl__multimap_plan *plan, const mcl_options *options)
{
    mcl_multimap *const map = plan->map;
    const mcl_queue *const queue = plan->call->queue;
    const mcl__entries *const list = mcl__multimap_list(map, queue);
    const int64_t bound = mcl__entries_planned(list, queue) + mcl__entries_planned(&map->added, queue);
    mcl__entries merged = { .bound = bound, .slot = mcl__other_slot(list->slot) };
    MCL__TRY(mcl__entries_create(map, bound, &merged));
    const mcl_status status = merge_lists(plan, &merged, options);
    if (status != MCL_OK || queue->preparing) {
        mcl__entries_release(&merged);
        return status;
    }
    mcl__entries_release(&map->ordered);
    map->ordered = merged;
    map->added.bound = 0;
    return MCL_OK;
}

static void swap_lists(mcl_multimap *map)
{
    const mcl__entries ordered = map->ordered;
    map->ordered = map->added;
    map->added = ordered;
}

mcl_status mcl__multimap_order(const mcl__multimap_plan *plan, const mcl_options *options)
{
    mcl_multimap *const map = plan->map;
    mcl_queue *const queue = plan->call->queue;
    const int prepares = queue->preparing;
    if (!prepares && map->ordered.bound > 0 && map->added.bound > 0) MCL__TRY(tighten(map, queue));
    if (!prepares && map->added.bound == 0) return MCL_OK;
    MCL__TRY(sort_added(plan, options));
    if (!prepares) mcl__multimap_drop_table(map);
    if (prepares || map->ordered.bound > 0) return merge_added(plan, options);
    swap_lists(map); /* there are no earlier entries, so the inserted ones are all */
    map->added.bound = 0;
    return MCL_OK;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

void mcl__multimap_drop_table(mcl_multimap *map)
{
    mcl_buffer_release(map->table);
    map->table = NULL;
}

/* Stores for each number the index after the last key whose upper bits are at most that number. */
static mcl_status search_table(const mcl__multimap_plan *plan, mcl_buffer *table, int bits, const mcl_type *type,
                               const mcl_options *options)
{
    const mcl_multimap *const map = plan->map;
    mcl_queue *const queue = plan->call->queue;
    const int64_t count = (int64_t)1 << bits;
    const int32_t shift = 8 * (int32_t)map->key_bytes - bits;
    const mcl_binding bound = mcl_binding_value("shift", MCL_INT32, &shift);
    const mcl_input last_keys =
        mcl_from_expression(mcl__multimap_key_type(map), "((uint64_t)(i + 1) << shift) - 1", NULL, &bound, 1, count);
    return mcl_sorted_search_needles(queue, last_keys, mcl__entries_keys(map, mcl__multimap_list(map, queue), queue),
                                     MCL_UPPER, mcl_to_buffer(type, table, 0, count), MCL_LESS, options);
}

mcl_status mcl__multimap_tabulate(const mcl__multimap_plan *plan, const mcl_options *options)
{
    mcl_multimap *const map = plan->map;
    const mcl_queue *const queue = plan->call->queue;
    const int64_t entries = mcl__entries_planned(mcl__multimap_list(map, queue), queue);
    const int is_wide = entries > INT32_MAX;
    const mcl_type *const type = is_wide ? MCL_INT64 : MCL_INT32;
    mcl_buffer *table = NULL;
    int bits = 1;
    if (!queue->preparing && (map->table || entries == 0)) return MCL_OK;
    while (bits < TABLE_BITS_MAX && (int64_t)TABLE_ENTRIES << bits < entries) ++bits;
    MCL__TRY(mcl__multimap_buffer(map, (int64_t)1 << bits, type->size, &table));
    const mcl_status status = search_table(plan, table, bits, type, options);
    if (status != MCL_OK || queue->preparing) {
        mcl_buffer_release(table);
        return status;
    }
    map->table = table;
    map->table_bits = bits;
    map->table_is_wide = is_wide;
    return MCL_OK;
}

/* ---- no entries ----------------------------------------------------------------------------------------------- */

/* Gives the larger memory to the list added, for the next insertions. */
void mcl__multimap_empty(mcl_multimap *map)
{
    if (map->ordered.room > map->added.room) swap_lists(map);
    map->ordered.bound = map->added.bound = 0;
    map->is_loose = 0;
    mcl__multimap_drop_table(map);
}
