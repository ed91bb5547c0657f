/* multimap_steps.c: the launches of calls on a multimap. Kernels: cl/kernels/map/multimap.cl. */
#include "operations/map/multimap_table.h"

enum { KEYS = 1, VALUES, STORED, BEGINS, COUNTS }; /* operands of calls on keys */
enum { OUT_KEYS = 1, OUT_VALUES, ALL_STORED };     /* operands of calls that read all entries */
enum { ADD, FIND, ALL, TOTAL };                    /* passes */
enum { LIST, TOTALS, TABLE, RESULT };              /* scratch: memory of the multimap */
enum { ROOM, FROM, TO, IS_FIRST, SHIFT, HIGHEST }; /* scalars */

static const mcl__declaration on_keys = {
    .file = "kernels/map/multimap.cl",
    .operands = (mcl__operands){ [KEYS] = { "keys", .kind = MCL__INPUT },
                                 [VALUES] = { "values", .kind = MCL__INPUT },
                                 [STORED] = { "stored", .kind = MCL__OUTPUT },
                                 [BEGINS] = { "begins", .kind = MCL__OUTPUT },
                                 [COUNTS] = { "counts", .kind = MCL__OUTPUT } },
    .scratch = { [LIST] = { "list", "key_bits" },
                 [TOTALS] = { "totals", "int64_t" },
                 [TABLE] = { "table", "table_index" } },
    .scalars = { [ROOM] = "room",
                 [FROM] = "from",
                 [TO] = "to",
                 [IS_FIRST] = "is_first",
                 [SHIFT] = "shift",
                 [HIGHEST] = "highest" },
    .passes = (mcl__passes){ [ADD] = { "multimap_add", .arguments = { OPERAND(KEYS), OPERAND(VALUES), OPERAND(STORED),
                                                                      SCRATCH(LIST), SCRATCH(TOTALS), AS_INDEX(ROOM),
                                                                      AS_INT(FROM), AS_INT(TO), AS_INT(IS_FIRST) } },
                             [FIND] = { "multimap_find", .arguments = { OPERAND(KEYS), OPERAND(BEGINS), OPERAND(COUNTS),
                                                                        SCRATCH(LIST), SCRATCH(TABLE), AS_INDEX(ROOM),
                                                                        AS_INT(SHIFT), AS_LONG(HIGHEST) } } },
};

static const mcl__declaration on_all = {
    .file = "kernels/map/multimap.cl",
    .operands = (mcl__operands){ [OUT_KEYS] = { "keys", .kind = MCL__OUTPUT },
                                 [OUT_VALUES] = { "values", .kind = MCL__OUTPUT },
                                 [ALL_STORED] = { "stored", .kind = MCL__INPUT } },
    .scratch = { [LIST] = { "list", "key_bits" }, [TOTALS] = { "totals", "int64_t" }, [RESULT] = { "result", "char" } },
    .scalars = { [ROOM] = "room", [FROM] = "from", [TO] = "to", [HIGHEST] = "highest" },
    .passes = (mcl__passes){ [ALL] = { "multimap_all",
                                       .arguments = { OPERAND(OUT_KEYS), OPERAND(OUT_VALUES), OPERAND(ALL_STORED),
                                                      SCRATCH(LIST), SCRATCH(TOTALS), AS_INDEX(ROOM), AS_INT(FROM) } },
                             [TOTAL] = { "multimap_total", .arguments = { SCRATCH(TOTALS), AS_INT(FROM), AS_INT(TO),
                                                                          SCRATCH(RESULT), AS_LONG(HIGHEST) } } },
};

static void run_init(mcl__call *call, const mcl__multimap_plan *plan, const mcl__declaration *declaration,
                     const mcl_options *options)
{
    mcl__call_init(call, declaration, plan->call->function, plan->call->queue, options);
}

static void give(mcl__call *call, int array, mcl_buffer *buffer)
{
    mcl__call_scratch_at(call, array, (mcl__span){ buffer, 0 });
}

/* Runs one pass with tiles for count elements, whose indices are below bound. */
static mcl_status launch(const mcl__multimap_plan *plan, mcl__call *call, int pass, int64_t count, int64_t bound)
{
    const mcl__tile_need need = { .element_bytes = plan->map->key_bytes };
    call->passes = MCL__BIT(pass);
    mcl__call_define(call, "KEY_BYTES", (int)plan->map->key_bytes);
    mcl__call_define(call, "TABLE_WIDE", plan->map->table_is_wide);
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_map, need),
                               mcl__index_bits(bound > count ? bound : count, call->options)));
    MCL__TRY(mcl__call_begin(call));
    if (count > 0) MCL__TRY(mcl__call_launch_tiles(call, pass, count));
    return mcl__call_end(call);
}

mcl_status mcl__multimap_add(const mcl__multimap_plan *plan, mcl_input *keys, mcl_input *values,
                             const mcl__entries *list, mcl_buffer *totals, int from, int to, const mcl_options *options)
{
    mcl__call call;
    run_init(&call, plan, &on_keys, options);
    mcl_output stored = { 0 };
    call.operands[KEYS].input = keys;
    if (values) {
        stored = mcl_to_buffer(values->type, list->values, 0, list->room);
        call.operands[VALUES].input = values;
        call.operands[STORED].output = &stored;
    }
    give(&call, LIST, list->keys ? list->keys : totals); /* any memory does where no keys are added */
    give(&call, TOTALS, totals);
    call.scalars[ROOM] = list->room;
    call.scalars[IS_FIRST] = from < 0;
    call.scalars[FROM] = from < 0 ? to : from;
    call.scalars[TO] = to;
    return launch(plan, &call, ADD, keys->count, list->room);
}

/* Passes other memory to the kernel where there is no table. The kernel does not read it, since there are no entries
 * then. */
mcl_status mcl__multimap_find(const mcl__multimap_plan *plan, mcl_input *keys, mcl_output *begins, mcl_output *counts,
                              const mcl_options *options)
{
    const mcl_multimap *const map = plan->map;
    mcl__call call;
    run_init(&call, plan, &on_keys, options);
    call.operands[KEYS].input = keys;
    call.operands[BEGINS].output = begins;
    call.operands[COUNTS].output = counts;
    give(&call, LIST, map->ordered.keys ? map->ordered.keys : map->totals);
    give(&call, TABLE, map->table ? map->table : map->totals);
    call.scalars[ROOM] = map->table ? map->ordered.bound : 0;
    call.scalars[SHIFT] = 8 * (int64_t)map->key_bytes - map->table_bits;
    call.scalars[HIGHEST] = mcl__count_highest(counts->type);
    return launch(plan, &call, FIND, keys->count, map->ordered.bound);
}

mcl_status mcl__multimap_all(const mcl__multimap_plan *plan, mcl_output *keys, mcl_output *values, int64_t limit,
                             const mcl_options *options)
{
    const mcl_queue *const queue = plan->call->queue;
    const mcl__entries *const list = mcl__multimap_list(plan->map, queue);
    const int64_t planned = mcl__entries_planned(list, queue);
    mcl_input stored = { 0 };
    mcl__call call;
    run_init(&call, plan, &on_all, options);
    call.operands[OUT_KEYS].output = keys;
    call.operands[OUT_VALUES].output = values;
    if (values) {
        stored = mcl_from_buffer(values->type, list->values, 0, planned);
        call.operands[ALL_STORED].input = &stored;
    }
    give(&call, LIST, list->keys);
    give(&call, TOTALS, plan->map->totals);
    call.scalars[ROOM] = limit < planned ? limit : planned;
    call.scalars[FROM] = list->slot;
    return launch(plan, &call, ALL, call.scalars[ROOM], planned);
}

mcl_status mcl__multimap_total(const mcl__multimap_plan *plan, mcl_buffer *totals, int a, int b,
                               const mcl_result *result, const mcl_options *options)
{
    mcl__call call;
    run_init(&call, plan, &on_all, options);
    if (!result->buffer) return MCL_OK;
    give(&call, TOTALS, totals);
    mcl__call_scratch_at(&call, RESULT, (mcl__span){ result->buffer, (size_t)result->offset * result->type->size });
    call.scalars[FROM] = a;
    call.scalars[TO] = b;
    call.scalars[HIGHEST] = mcl__count_highest(result->type);
    return launch(plan, &call, TOTAL, 1, 1);
}
