/* map_service.c: the program that fills and counts for every call on a hash map, and the calls that do nothing else:
 * mcl_map_clear, mcl_map_size and mcl_map_skipped. Kernels: cl/kernels/map/map_service.cl. */
#include "operations/map/map_table.h"

enum { FILL, TOTAL };                                /* passes */
enum { WORDS, COUNTERS, RESULT };                    /* scratch */
enum { WORD_COUNT, SUB_MAPS, PLUS, MINUS, HIGHEST }; /* numbers */
enum { WORD_BYTES = 16 };

/* Its operand is checked and has its memory by the table; TOTAL stores to a span. */
const mcl__declaration mcl__map_service = {
    .file = "kernels/map/map_service.cl",
    .operands = { [MCL__MAP_COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 } },
    .pieces = { [WORDS] = { "words", "wide_word" },
                [COUNTERS] = { "counters", "uint" },
                [RESULT] = { "result", "char" } },
    .numbers = { [WORD_COUNT] = "word_count",
                 [SUB_MAPS] = "sub_maps",
                 [PLUS] = "plus",
                 [MINUS] = "minus",
                 [HIGHEST] = "highest" },
    .passes = { [FILL] = { "map_fill", .words = { MCL__PIECE + WORDS, MCL__LONG + WORD_COUNT } },
                [TOTAL] = { "map_total", .words = { MCL__PIECE + COUNTERS, MCL__INT + SUB_MAPS, MCL__INT + PLUS,
                                                    MCL__INT + MINUS, MCL__PIECE + RESULT, MCL__LONG + HIGHEST } } },
};

mcl_status mcl__map_service_program(mcl__run *service)
{
    const mcl_context *const context = service->queue->context;
    const mcl__tile_need need = { .element_bytes = WORD_BYTES };
    return mcl__run_program(service, mcl__tile_for(MCL__OPERATION_map, &context->limits, context->tuning, need, NULL),
                            32);
}

mcl_status mcl__map_zero(mcl__run *service, mcl__span words, size_t bytes)
{
    const int64_t count = mcl__divide_up((int64_t)bytes, WORD_BYTES);
    service->numbers[WORD_COUNT] = count;
    mcl__run_give(service, WORDS, words);
    return mcl__run_launch_tiles(service, FILL, count);
}

mcl_status mcl__map_settle(mcl__run *service, mcl_map *map)
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

/* Stores the sum over a number of sub-maps of a counter, less another (-1: none). */
static mcl_status launch_total(mcl__run *service, mcl__span counters, int sub_maps, int plus, int minus,
                               const mcl_result *result, mcl__span total)
{
    if (!total.buffer) return MCL_OK;
    service->numbers[HIGHEST] = mcl__count_highest(result->type);
    service->numbers[SUB_MAPS] = sub_maps;
    service->numbers[PLUS] = plus;
    service->numbers[MINUS] = minus;
    mcl__run_give(service, COUNTERS, counters);
    mcl__run_give(service, RESULT, total);
    return mcl__run_launch(service, TOTAL, 1);
}

mcl_status mcl__map_count_entries(mcl__run *service, const mcl_map *map, const mcl_result *result, mcl__span total)
{
    return launch_total(service, mcl__map_counters(map, 0), map->sub_map_count, MAP_ENTERED, MAP_ERASED, result, total);
}

mcl_status mcl__map_count_skipped(mcl__run *service, const mcl_map *map, const mcl_result *result, mcl__span total)
{
    return launch_total(service, mcl__map_counters(map, MCL__SUB_MAPS_MAX), 1, 0, -1, result, total);
}

/* ---- calls on all entries ----------------------------------------------------------------------------------- */

/* Checks the run, finds the service program and begins the call. */
static mcl_status whole_begin(mcl__run *run, mcl_map *map)
{
    MCL__TRY(mcl__map_check(run, map));
    MCL__TRY(mcl__run_ready(run));
    MCL__TRY(mcl__map_service_program(run));
    return mcl__run_begin(run);
}

mcl_status mcl_map_clear(mcl_queue *queue, mcl_map *map, const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &mcl__map_service, "mcl_map_clear", queue, options);
    MCL__TRY(whole_begin(&run, map));
    for (int k = 0; k < map->sub_map_count && !queue->preparing; ++k) {
        map->sub_maps[k].filled = 0;
        map->sub_maps[k].has_erased = 0;
        map->sub_maps[k].needs_fill = 1;
        map->sub_maps[k].needs_zero = 0;
        map->needs_zero = 1;
        map->known = map->erased_since = 0;
    }
    MCL__TRY(mcl__map_settle(&run, map));
    return mcl__run_end(&run);
}

mcl_status mcl_map_size(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options)
{
    const mcl_result on_device = mcl__map_on_device(count);
    mcl__run run = { &mcl__map_service, "mcl_map_size", queue, options,
                     .given = { [MCL__MAP_COUNT].result = &on_device } };
    int64_t entries = 0;
    MCL__TRY(whole_begin(&run, map));
    MCL__TRY(mcl__map_settle(&run, map));
    MCL__TRY(mcl__map_count_entries(&run, map, &on_device, run.results[MCL__MAP_COUNT]));
    MCL__TRY(mcl__run_end(&run));
    return mcl__map_tell(queue, map, &count, &entries);
}

mcl_status mcl_map_skipped(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options)
{
    mcl__run run = { &mcl__map_service, "mcl_map_skipped", queue, options,
                     .given = { [MCL__MAP_COUNT].result = &count } };
    MCL__TRY(whole_begin(&run, map));
    MCL__TRY(mcl__map_settle(&run, map));
    MCL__TRY(mcl__map_count_skipped(&run, map, &count, run.results[MCL__MAP_COUNT]));
    return mcl__run_end(&run);
}
