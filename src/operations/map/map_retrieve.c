/* map_retrieve.c: mcl_map_retrieve_all. Kernels: cl/kernels/map/map_retrieve.cl. Each launch takes the entries of a
 * part of a sub-map, and has a cursor of its own that counts them. */
#include "call/append.h"
#include "operations/map/map_table.h"

enum { COUNT = 1, KEYS, VALUES };                    /* operands */
enum { CURSORS = MCL__MAP_PIECES };                  /* scratch */
enum { SLOT_COUNT = MCL__MAP_NUMBERS, LIMIT, TURN }; /* numbers */

static const mcl__declaration retrieve = {
    .file = "kernels/map/map_retrieve.cl",
    .takes = MCL__TAKES_APPEND,
    .operands = { [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 },
                  [KEYS] = { "keys", .kind = MCL__OUTPUT, .group = MCL__MAP_KEY },
                  [VALUES] = { "values", .kind = MCL__OUTPUT, .group = MCL__MAP_VALUE } },
    .pieces = { MCL__MAP_SLOTS_TEXT, [CURSORS] = { "cursors", "uint" } },
    .numbers = { MCL__MAP_BUCKETS_TEXT, [SLOT_COUNT] = "slot_count", [LIMIT] = "limit", [TURN] = "turn" },
    .values = { MCL__MAP_VALUES_TEXT },
    .passes = { { "map_retrieve", .words = { MCL__OF + KEYS, MCL__OF + VALUES, MCL__MAP_WORDS, MCL__INDEX + SLOT_COUNT,
                                             MCL__INDEX + LIMIT, MCL__PIECE + CURSORS, MCL__INT + TURN } } },
};

/* Entries that may be stored. */
static int64_t retrieve_limit(const mcl__map_call *call)
{
    const mcl_output *const keys = call->run.given[KEYS].output, *const values = call->run.given[VALUES].output;
    int64_t limit = keys || values ? mcl_map_capacity(call->map) : 0;
    if (keys && keys->capacity < limit) limit = keys->capacity;
    if (values && values->capacity < limit) limit = values->capacity;
    return limit;
}

static mcl_status retrieve_program(mcl__map_call *call)
{
    MCL__TRY(mcl__map_service_program(&call->service));
    mcl__map_define(&call->run, call->map);
    return mcl__append_program(&call->run, mcl__map_slot_bytes(call->map), mcl_map_capacity(call->map));
}

/* Launches, and so cursors, for a sub-map. */
static int64_t part_count(const mcl_map *map, const mcl__sub_map *sub_map)
{
    return mcl__divide_up(mcl__sub_map_capacity(map, sub_map), MCL__APPEND_PART);
}

static mcl_status retrieve_part(mcl__map_call *call, const mcl__sub_map *sub_map, int64_t part)
{
    mcl__run *const run = &call->run;
    const int64_t first = part * MCL__APPEND_PART, rest = mcl__sub_map_capacity(call->map, sub_map) - first;
    const int64_t slots = rest < MCL__APPEND_PART ? rest : MCL__APPEND_PART;
    mcl__map_give(run, call->map, sub_map, first);
    run->numbers[SLOT_COUNT] = slots;
    MCL__TRY(mcl__run_launch_tiles(run, 0, slots));
    run->numbers[TURN] += 1;
    return MCL_OK;
}

static mcl_status retrieve_launch(mcl__map_call *call, size_t cursor_bytes)
{
    const mcl_map *const map = call->map;
    int list[MCL__SUB_MAPS_MAX];
    const int count = mcl__map_list(map, -1, list);
    if (count == 0 || call->run.numbers[LIMIT] == 0) return MCL_OK;
    MCL__TRY(mcl__map_zero(&call->service, call->run.pieces[CURSORS].span, cursor_bytes));
    for (int k = 0; k < count; ++k)
        for (int64_t part = 0; part < part_count(map, &map->sub_maps[list[k]]); ++part)
            MCL__TRY(retrieve_part(call, &map->sub_maps[list[k]], part));
    return MCL_OK;
}

static mcl_status retrieve_run(mcl__map_call *call)
{
    mcl__run *const run = &call->run;
    size_t cursor_bytes = 0;
    MCL__TRY(mcl__map_check(run, call->map));
    run->numbers[LIMIT] = run->room[KEYS] = run->room[VALUES] = retrieve_limit(call);
    MCL__TRY(mcl__run_ready(run));
    MCL__TRY(retrieve_program(call));
    for (int k = 0; k < call->map->sub_map_count; ++k)
        cursor_bytes += (size_t)part_count(call->map, &call->map->sub_maps[k]) * sizeof(uint32_t);
    mcl__run_need(run, CURSORS, cursor_bytes);
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(mcl__map_settle(&call->service, call->map));
    MCL__TRY(retrieve_launch(call, cursor_bytes));
    MCL__TRY(mcl__map_count_entries(&call->service, call->map, run->given[COUNT].result, run->results[COUNT]));
    return mcl__run_end(run);
}

mcl_status mcl_map_retrieve_all(mcl_queue *queue, mcl_map *map, mcl_output keys, mcl_output values, mcl_result count,
                                const mcl_options *options)
{
    const mcl_result on_device = mcl__map_on_device(count);
    mcl__map_call call;
    mcl__map_call_init(&call, &retrieve, "mcl_map_retrieve_all", queue, map, options);
    int64_t entries;
    call.run.given[COUNT].result = &on_device;
    if (mcl__is_wanted(&keys)) call.run.given[KEYS].output = &keys;
    if (mcl__is_wanted(&values)) call.run.given[VALUES].output = &values;
    MCL__TRY(retrieve_run(&call));
    MCL__TRY(mcl__map_tell(queue, map, &count, &entries));
    const int64_t limit = call.run.numbers[LIMIT];
    if (limit == 0 || entries <= limit) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY,
                     "keys and values have room for %lld entries; expected room for %lld, which the map has",
                     (long long)limit, (long long)entries);
}
