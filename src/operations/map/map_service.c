/* map_service.c: the service program, which fills slots and counts entries for calls on a hash map. It also has the
 * calls that need no other program: mcl_map_clear, mcl_map_size, mcl_map_skipped and mcl_map_reserve. Kernels:
 * cl/kernels/map/map_service.cl. */
#include "operations/map/map_table.h"

enum { COUNT = 1 };                                  /* operands */
enum { FILL, TOTAL };                                /* passes */
enum { WORDS, COUNTERS, RESULT };                    /* scratch */
enum { WORD_COUNT, SUB_MAPS, PLUS, MINUS, HIGHEST }; /* scalars */
enum { WORD_BYTES = 16 };

/* The operand count is only checked, and gets its memory. No kernel uses it as an operand, since TOTAL stores to a
 * span. */
static const mcl__declaration map_service = {
    .file = "kernels/map/map_service.cl",
    .operands = (mcl__operands){ [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 } },
    .scratch = { [WORDS] = { "words", "wide_word" },
                 [COUNTERS] = { "counters", "uint" },
                 [RESULT] = { "result", "char" } },
    .scalars = { [WORD_COUNT] = "word_count",
                 [SUB_MAPS] = "sub_maps",
                 [PLUS] = "plus",
                 [MINUS] = "minus",
                 [HIGHEST] = "highest" },
    .passes =
        (mcl__passes){ [FILL] = { "map_fill", .arguments = { SCRATCH(WORDS), AS_LONG(WORD_COUNT) } },
                       [TOTAL] = { "map_total", .arguments = { SCRATCH(COUNTERS), AS_INT(SUB_MAPS), AS_INT(PLUS),
                                                               AS_INT(MINUS), SCRATCH(RESULT), AS_LONG(HIGHEST) } } },
};

void mcl__map_call_init(mcl__map_plan *plan, const mcl__declaration *declaration, const char *function,
                        mcl_queue *queue, mcl_map *map, const mcl_options *options)
{
    mcl__call_init(&plan->call, declaration, function, queue, options);
    mcl__call_init(&plan->service, &map_service, function, queue, options);
    plan->map = map;
    plan->assigns = plan->is_unique = plan->is_counted = plan->has_target = plan->is_owned = 0;
    plan->offsets = NULL;
}

mcl_status mcl__map_service_program(mcl__call *service)
{
    const mcl_context *const context = service->queue->context;
    const mcl__tile_need need = { .element_bytes = WORD_BYTES };
    return mcl__call_program(service, mcl__tile_for(MCL__OPERATION_map, &context->limits, context->tuning, need, NULL),
                             32);
}

mcl_status mcl__map_zero(mcl__call *service, mcl__span words, size_t bytes)
{
    const int64_t count = mcl__divide_up((int64_t)bytes, WORD_BYTES);
    service->scalars[WORD_COUNT] = count;
    mcl__call_scratch_at(service, WORDS, words);
    return mcl__call_launch_tiles(service, FILL, count);
}

mcl_status mcl__map_settle(mcl__call *service, mcl_map *map)
{
    const size_t counter_bytes = MAP_COUNTER_WORDS * sizeof(uint32_t);
    if (service->queue->preparing) return MCL_OK;
    for (int k = 0; k < map->sub_map_count; ++k) {
        mcl__sub_map *const sub_map = &map->sub_maps[k];
        if (sub_map->needs_fill)
            MCL__TRY(
                mcl__map_zero(service, (mcl__span){ sub_map->slots, 0 }, (size_t)sub_map->buckets * MAP_BUCKET_BYTES));
        sub_map->needs_fill = 0;
        if (sub_map->needs_zero && !map->needs_zero)
            MCL__TRY(mcl__map_zero(service, mcl__map_counters(map, k), counter_bytes));
        sub_map->needs_zero = 0;
    }
    if (!map->needs_zero) return MCL_OK;
    map->needs_zero = 0;
    return mcl__map_zero(service, mcl__map_counters(map, 0), (MCL__SUB_MAPS_MAX + 1) * counter_bytes);
}

/* Stores at total: counter plus less counter minus (-1: no counter), summed over the first sub_maps sub-maps. */
static mcl_status launch_total(mcl__call *service, mcl__span counters, int sub_maps, int plus, int minus,
                               const mcl_result *result, mcl__span total)
{
    if (!total.buffer) return MCL_OK;
    service->scalars[HIGHEST] = mcl__count_highest(result->type);
    service->scalars[SUB_MAPS] = sub_maps;
    service->scalars[PLUS] = plus;
    service->scalars[MINUS] = minus;
    mcl__call_scratch_at(service, COUNTERS, counters);
    mcl__call_scratch_at(service, RESULT, total);
    return mcl__call_launch(service, TOTAL, 1);
}

mcl_status mcl__map_count_entries(mcl__call *service, const mcl_map *map, const mcl_result *result, mcl__span total)
{
    return launch_total(service, mcl__map_counters(map, 0), map->sub_map_count, MAP_ENTERED, MAP_ERASED, result, total);
}

/* ---- calls on all entries ----------------------------------------------------------------------------------- */

/* Checks the call, finds the service program and begins the call. */
static mcl_status whole_begin(mcl__call *call, mcl_map *map)
{
    MCL__TRY(mcl__map_check(call, map));
    MCL__TRY(mcl__call_ready(call));
    MCL__TRY(mcl__map_service_program(call));
    return mcl__call_begin(call);
}

mcl_status mcl_map_clear(mcl_queue *queue, mcl_map *map, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &map_service, "mcl_map_clear", queue, options);
    MCL__TRY(whole_begin(&call, map));
    for (int k = 0; k < map->sub_map_count && !queue->preparing; ++k) {
        map->sub_maps[k].filled = 0;
        map->sub_maps[k].has_erased = 0;
        map->sub_maps[k].needs_fill = 1;
        map->sub_maps[k].needs_zero = 0;
        map->needs_zero = 1;
        map->known = map->erased_since = 0;
    }
    MCL__TRY(mcl__map_settle(&call, map));
    return mcl__call_end(&call);
}

mcl_status mcl_map_size(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options)
{
    const mcl_result on_device = mcl__map_on_device(count);
    mcl__call call = { &map_service, "mcl_map_size", queue, options, .operands = { [COUNT].result = &on_device } };
    int64_t entries = 0;
    MCL__TRY(whole_begin(&call, map));
    MCL__TRY(mcl__map_settle(&call, map));
    MCL__TRY(mcl__map_count_entries(&call, map, &on_device, call.results[COUNT]));
    MCL__TRY(mcl__call_end(&call));
    return mcl__map_tell(queue, map, &count, &entries);
}

mcl_status mcl_map_skipped(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &map_service, "mcl_map_skipped", queue, options, .operands = { [COUNT].result = &count } };
    MCL__TRY(whole_begin(&call, map));
    MCL__TRY(mcl__map_settle(&call, map));
    MCL__TRY(launch_total(&call, mcl__map_counters(map, MCL__SUB_MAPS_MAX), 1, 0, -1, &count, call.results[COUNT]));
    return mcl__call_end(&call);
}

mcl_status mcl_map_reserve(mcl_queue *queue, mcl_map *map, int64_t entries, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &map_service, "mcl_map_reserve", queue, options);
    int64_t present = 0;
    MCL__TRY(mcl__map_check(&call, map));
    if (entries < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "entries is %lld; expected 0 or more", (long long)entries);
    MCL__TRY(mcl__call_begin(&call));
    if (!queue->preparing) {
        MCL__TRY(mcl__map_read(queue, map, &present));
        if (entries > present && mcl__map_with_room(map, entries - present) < 0)
            MCL__TRY(mcl__map_grow(map, entries - present));
    }
    return mcl__call_end(&call);
}
