/* multimap_steps.c: the launches of calls on a multimap. Kernels: cl/kernels/map/multimap.cl. */
#include "operations/map/multimap_table.h"

enum { KEYS = 1, VALUES, STORED, BEGINS, COUNTS }; /* operands of calls on keys */
enum { OUT_KEYS = 1, OUT_VALUES, ALL_STORED };     /* operands of those that take all entries out */
enum { ADD, FIND, ALL, TOTAL };                    /* passes */
enum { LIST, TOTALS, TABLE, RESULT };              /* scratch: memory of the multimap */
enum { ROOM, FROM, TO, IS_FIRST, SHIFT, HIGHEST }; /* numbers */

#define TEXTS                                                                                                          \
    .pieces = { [LIST] = { "list", "key_bits" },                                                                       \
                [TOTALS] = { "totals", "int64_t" },                                                                    \
                [TABLE] = { "table", "table_index" },                                                                  \
                [RESULT] = { "result", "char" } },                                                                     \
    .numbers = { [ROOM] = "room",         [FROM] = "from",   [TO] = "to",                                              \
                 [IS_FIRST] = "is_first", [SHIFT] = "shift", [HIGHEST] = "highest" }

static const mcl__declaration on_keys = {
    .file = "kernels/map/multimap.cl",
    .operands = { [KEYS] = { "keys", .kind = MCL__INPUT },
                  [VALUES] = { "values", .kind = MCL__INPUT },
                  [STORED] = { "stored", .kind = MCL__OUTPUT },
                  [BEGINS] = { "begins", .kind = MCL__OUTPUT },
                  [COUNTS] = { "counts", .kind = MCL__OUTPUT } },
    TEXTS,
    .passes = { [ADD] = { "multimap_add", .words = { MCL__OF + KEYS, MCL__OF + VALUES, MCL__OF + STORED,
                                                     MCL__PIECE + LIST, MCL__PIECE + TOTALS, MCL__INDEX + ROOM,
                                                     MCL__INT + FROM, MCL__INT + TO, MCL__INT + IS_FIRST } },
                [FIND] = { "multimap_find", .words = { MCL__OF + KEYS, MCL__OF + BEGINS, MCL__OF + COUNTS,
                                                       MCL__PIECE + LIST, MCL__PIECE + TABLE, MCL__INDEX + ROOM,
                                                       MCL__INT + SHIFT, MCL__LONG + HIGHEST } } },
};

static const mcl__declaration on_all = {
    .file = "kernels/map/multimap.cl",
    .operands = { [OUT_KEYS] = { "keys", .kind = MCL__OUTPUT },
                  [OUT_VALUES] = { "values", .kind = MCL__OUTPUT },
                  [ALL_STORED] = { "stored", .kind = MCL__INPUT } },
    TEXTS,
    .passes = { [ALL] = { "multimap_all",
                          .words = { MCL__OF + OUT_KEYS, MCL__OF + OUT_VALUES, MCL__OF + ALL_STORED, MCL__PIECE + LIST,
                                     MCL__PIECE + TOTALS, MCL__INDEX + ROOM, MCL__INT + FROM } },
                [TOTAL] = { "multimap_total", .words = { MCL__PIECE + TOTALS, MCL__INT + FROM, MCL__INT + TO,
                                                         MCL__PIECE + RESULT, MCL__LONG + HIGHEST } } },
};

static void run_init(mcl__run *run, const mcl__multimap_call *call, const mcl__declaration *declaration,
                     const mcl_options *options)
{
    mcl__run_init(run, declaration, call->run->function, call->run->queue, options);
}

static void give(mcl__run *run, int piece, mcl_buffer *buffer)
{
    mcl__run_give(run, piece, (mcl__span){ buffer, 0 });
}

/* Runs one pass, with a tile for each of count elements. Indices are below bound. */
static mcl_status launch(const mcl__multimap_call *call, mcl__run *run, int pass, int64_t count, int64_t bound)
{
    const mcl__tile_need need = { .element_bytes = call->map->key_bytes };
    run->passes = MCL__BIT(pass);
    mcl__run_define(run, "KEY_BYTES", (int)call->map->key_bytes);
    mcl__run_define(run, "TABLE_WIDE", call->map->table_is_wide);
    MCL__TRY(mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_map, need),
                              mcl__index_bits(bound > count ? bound : count, run->options)));
    MCL__TRY(mcl__run_begin(run));
    if (count > 0) MCL__TRY(mcl__run_launch_tiles(run, pass, count));
    return mcl__run_end(run);
}

mcl_status mcl__multimap_add(const mcl__multimap_call *call, mcl_input *keys, mcl_input *values,
                             const mcl__entries *list, mcl_buffer *totals, int from, int to, const mcl_options *options)
{
    mcl__run run;
    run_init(&run, call, &on_keys, options);
    mcl_output stored = { 0 };
    run.given[KEYS].input = keys;
    if (values) {
        stored = mcl_to_buffer(values->type, list->values, 0, list->room);
        run.given[VALUES].input = values;
        run.given[STORED].output = &stored;
    }
    give(&run, LIST, list->keys);
    give(&run, TOTALS, totals);
    run.numbers[ROOM] = list->room;
    run.numbers[IS_FIRST] = from < 0;
    run.numbers[FROM] = from < 0 ? to : from;
    run.numbers[TO] = to;
    return launch(call, &run, ADD, keys->count, list->room);
}

/* Without entries the kernel looks at no table. */
mcl_status mcl__multimap_find(const mcl__multimap_call *call, mcl_input *keys, mcl_output *begins, mcl_output *counts,
                              const mcl_options *options)
{
    const mcl_multimap *const map = call->map;
    mcl__run run;
    run_init(&run, call, &on_keys, options);
    run.given[KEYS].input = keys;
    run.given[BEGINS].output = begins;
    run.given[COUNTS].output = counts;
    give(&run, LIST, map->ordered.keys ? map->ordered.keys : map->totals);
    give(&run, TABLE, map->table ? map->table : map->totals);
    run.numbers[ROOM] = map->table ? map->ordered.bound : 0;
    run.numbers[SHIFT] = 8 * (int64_t)map->key_bytes - map->table_bits;
    run.numbers[HIGHEST] = mcl__count_highest(counts->type);
    return launch(call, &run, FIND, keys->count, map->ordered.bound);
}

mcl_status mcl__multimap_all(const mcl__multimap_call *call, mcl_output *keys, mcl_output *values, int64_t limit,
                             const mcl_options *options)
{
    const mcl_queue *const queue = call->run->queue;
    const mcl__entries *const list = mcl__multimap_list(call->map, queue);
    const int64_t planned = mcl__entries_planned(list, queue);
    mcl_input stored = { 0 };
    mcl__run run;
    run_init(&run, call, &on_all, options);
    run.given[OUT_KEYS].output = keys;
    run.given[OUT_VALUES].output = values;
    if (values) {
        stored = mcl_from_buffer(values->type, list->values, 0, planned);
        run.given[ALL_STORED].input = &stored;
    }
    give(&run, LIST, list->keys);
    give(&run, TOTALS, call->map->totals);
    run.numbers[ROOM] = limit < planned ? limit : planned;
    run.numbers[FROM] = list->slot;
    return launch(call, &run, ALL, run.numbers[ROOM], planned);
}

mcl_status mcl__multimap_total(const mcl__multimap_call *call, mcl_buffer *totals, int a, int b,
                               const mcl_result *result, const mcl_options *options)
{
    mcl__run run;
    run_init(&run, call, &on_all, options);
    if (!result->buffer) return MCL_OK;
    give(&run, TOTALS, totals);
    mcl__run_give(&run, RESULT, (mcl__span){ result->buffer, (size_t)result->offset * result->type->size });
    run.numbers[FROM] = a;
    run.numbers[TO] = b;
    run.numbers[HIGHEST] = mcl__count_highest(result->type);
    return launch(call, &run, TOTAL, 1, 1);
}
