/* map_retrieve.c: mcl_map_retrieve_all. Kernels: cl/kernels/map/map_retrieve.cl. Each launch stores the entries in a
 * range of a sub-map's slots, and counts them with a cursor of its own. */
#include "call/append.h"
#include "operations/map/map_table.h"

enum { COUNT = 1, KEYS, VALUES };                    /* operands */
enum { CURSORS = MCL__MAP_SCRATCH };                 /* scratch */
enum { SLOT_COUNT = MCL__MAP_SCALARS, LIMIT, TURN }; /* scalars */

static const mcl__declaration retrieve = {
    .file = "kernels/map/map_retrieve.cl",
    .takes = MCL__TAKES_APPEND,
    .operands = (mcl__operands){ [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 },
                                 [KEYS] = { "keys", .kind = MCL__OUTPUT, .group = MCL__MAP_KEY },
                                 [VALUES] = { "values", .kind = MCL__OUTPUT, .group = MCL__MAP_VALUE } },
    .scratch = { [MCL__MAP_SLOTS] = { "slots", "map_slot" },
                 [MCL__MAP_APART] = { "apart", "value_bits" },
                 [CURSORS] = { "cursors", "uint" } },
    .scalars = { [MCL__MAP_BUCKETS] = "buckets", [SLOT_COUNT] = "slot_count", [LIMIT] = "limit", [TURN] = "turn" },
    .by_value = { [MCL__MAP_EMPTY] = { "empty", "key_bits" }, [MCL__MAP_ERASED] = { "erased", "key_bits" } },
    .passes = (mcl__passes){ { "map_retrieve",
                               .arguments = { OPERAND(KEYS), OPERAND(VALUES), MCL__MAP_ARGUMENTS, AS_INDEX(SLOT_COUNT),
                                              AS_INDEX(LIMIT), SCRATCH(CURSORS), AS_INT(TURN) } } },
};

/* Returns the most entries that may be stored. */
static int64_t retrieve_limit(const mcl__map_plan *plan)
{
    const mcl_output *const keys = plan->call.operands[KEYS].output, *const values = plan->call.operands[VALUES].output;
    int64_t limit = keys || values ? mcl_map_capacity(plan->map) : 0;
    if (keys && keys->capacity < limit) limit = keys->capacity;
    if (values && values->capacity < limit) limit = values->capacity;
    return limit;
}

static mcl_status retrieve_program(mcl__map_plan *plan)
{
    MCL__TRY(mcl__map_service_program(&plan->service));
    mcl__map_define(&plan->call, plan->map);
    return mcl__append_program(&plan->call, mcl__map_slot_bytes(plan->map), mcl_map_capacity(plan->map));
}

/* Returns the number of launches for a sub-map. Each launch has its own cursor. */
static int64_t part_count(const mcl_map *map, const mcl__sub_map *sub_map)
{
    return mcl__divide_up(mcl__sub_map_capacity(map, sub_map), MCL__APPEND_PART);
}

static mcl_status retrieve_part(mcl__map_plan *plan, const mcl__sub_map *sub_map, int64_t part)
{
    mcl__call *const call = &plan->call;
    const int64_t first = part * MCL__APPEND_PART, rest = mcl__sub_map_capacity(plan->map, sub_map) - first;
    const int64_t slots = rest < MCL__APPEND_PART ? rest : MCL__APPEND_PART;
    mcl__map_give(call, plan->map, sub_map, first);
    call->scalars[SLOT_COUNT] = slots;
    MCL__TRY(mcl__call_launch_tiles(call, 0, slots));
    call->scalars[TURN] += 1;
    return MCL_OK;
}

static mcl_status retrieve_launch(mcl__map_plan *plan, size_t cursor_bytes)
{
    const mcl_map *const map = plan->map;
    int list[MCL__SUB_MAPS_MAX];
    const int count = mcl__map_list(map, -1, list);
    if (count == 0 || plan->call.scalars[LIMIT] == 0) return MCL_OK;
    MCL__TRY(mcl__map_zero(&plan->service, plan->call.scratch[CURSORS].span, cursor_bytes));
    for (int k = 0; k < count; ++k)
        for (int64_t part = 0; part < part_count(map, &map->sub_maps[list[k]]); ++part)
            MCL__TRY(retrieve_part(plan, &map->sub_maps[list[k]], part));
    return MCL_OK;
}

static mcl_status retrieve_run(mcl__map_plan *plan)
{
    mcl__call *const call = &plan->call;
    size_t cursor_bytes = 0;
    MCL__TRY(mcl__map_check(call, plan->map));
    call->scalars[LIMIT] = call->room[KEYS] = call->room[VALUES] = retrieve_limit(plan);
    MCL__TRY(mcl__call_ready(call));
    MCL__TRY(retrieve_program(plan));
    for (int k = 0; k < plan->map->sub_map_count; ++k)
        cursor_bytes += (size_t)part_count(plan->map, &plan->map->sub_maps[k]) * sizeof(uint32_t);
    mcl__call_scratch(call, CURSORS, cursor_bytes);
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__map_settle(&plan->service, plan->map));
    MCL__TRY(retrieve_launch(plan, cursor_bytes));
    MCL__TRY(mcl__map_count_entries(&plan->service, plan->map, call->operands[COUNT].result, call->results[COUNT]));
    return mcl__call_end(call);
}

mcl_status mcl_map_retrieve_all(mcl_queue *queue, mcl_map *map, mcl_output keys, mcl_output values, mcl_result count,
                                const mcl_options *options)
{
    const mcl_result on_device = mcl__map_on_device(count);
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &retrieve, "mcl_map_retrieve_all", queue, map, options);
    int64_t entries;
    plan.call.operands[COUNT].result = &on_device;
    if (mcl__is_wanted(&keys)) plan.call.operands[KEYS].output = &keys;
    if (mcl__is_wanted(&values)) plan.call.operands[VALUES].output = &values;
    MCL__TRY(retrieve_run(&plan));
    MCL__TRY(mcl__map_tell(queue, map, &count, &entries));
    const int64_t limit = plan.call.scalars[LIMIT];
    if (limit == 0 || entries <= limit) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY,
                     "keys and values have room for %lld entries; expected room for %lld, which the map has",
                     (long long)limit, (long long)entries);
}
