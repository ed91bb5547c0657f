/* multimap_retrieve.c: reads the entries of given keys or all entries of a multimap, and counts all entries. Steps are
 * launches of kernels/map/multimap.cl and calls of other operations. A scan turns counts into offsets, a load-balancing
 * search finds the key of each row, and an interval gather finds its value. */
#include "operations/map/multimap_table.h"
#include "operations/transform/transform.h"

#include "moderncl/interval.h"
#include "moderncl/scan.h"

/* ---- outputs and counts --------------------------------------------------------------------------------------- */

/* Gives the call the wanted outputs, and returns the limit of both: the lower of their capacities. */
static int64_t give_outputs(mcl__call *call, int first, mcl_output *a, int second, mcl_output *b)
{
    int64_t limit = mcl__is_wanted(a) || mcl__is_wanted(b) ? MCL__COUNT_MAX : 0;
    if (mcl__is_wanted(a)) call->operands[first].output = a;
    if (mcl__is_wanted(b)) call->operands[second].output = b;
    if (mcl__is_wanted(a) && a->capacity < limit) limit = a->capacity;
    if (mcl__is_wanted(b) && b->capacity < limit) limit = b->capacity;
    call->room[first] = call->room[second] = limit;
    return limit;
}

/* Stores a count for the host: the sum of two totals, where index -1 stands for 0. Checks that it is within the
 * outputs' limit. */
static mcl_status tell(const mcl__call *call, mcl__span totals, int a, int b, const mcl_result *count,
                       const char *outputs, int64_t limit)
{
    int64_t read[MCL__TOTALS];
    const size_t slots = a > b ? (size_t)a + 1 : (size_t)b + 1;
    if (!count->host || call->queue->preparing) return MCL_OK;
    if (slots > 0)
        MCL__TRY(call->queue->context->backend->read(call->queue, totals.buffer, totals.offset, slots * sizeof *read,
                                                     read, 1));
    const int64_t found = (a < 0 ? 0 : read[a]) + (b < 0 ? 0 : read[b]);
    mcl__count_store(count->type, count->host, found);
    if (limit == 0 || found <= limit) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "%s have room for %lld entries; expected room for %lld, or 0 to count only",
                     outputs, (long long)limit, (long long)found);
}

/* ---- rows of keys --------------------------------------------------------------------------------------------- */

enum { KEYS = 1, ROWS, ROW_VALUES, OFFSETS, COUNT }; /* operands */
enum { BEGINS, ROW_OFFSETS, ROW_COUNT };             /* memory */

static const mcl__declaration of_rows = {
    .of_steps = 1,
    .operands = (mcl__operands){ [KEYS] = { "keys", .kind = MCL__INPUT, .group = MCL__MULTIMAP_KEY },
                                 [ROWS] = { "rows", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = KEYS },
                                 [ROW_VALUES] = { "values", .kind = MCL__OUTPUT, .group = MCL__MULTIMAP_VALUE },
                                 [OFFSETS] = { "offsets", .kind = MCL__OUTPUT, .types = MCL__OFFSETS },
                                 [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS } },
};

/* Stores where the entries of each key begin, and the offset of the key's rows. */
static mcl_status offset_step(const mcl__multimap_plan *plan, mcl_input *offsets, const mcl_options *options)
{
    mcl_input *const keys = plan->call->operands[KEYS].input;
    const mcl_options beside = mcl__beside_options(options);
    mcl_output begins = mcl_to_buffer(MCL_INT64, plan->memory[BEGINS], 0, keys->count);
    mcl_output counts = mcl_to_buffer(MCL_INT64, plan->memory[ROW_OFFSETS], 0, keys->count);
    *offsets = mcl_from_buffer(MCL_INT64, counts.buffer, 0, keys->count);
    mcl__adopt_slot(offsets, keys);
    MCL__TRY(mcl__multimap_find(plan, keys, &begins, &counts, options));
    return mcl_scan(plan->call->queue, *offsets, counts, MCL_ADD, MCL_EXCLUSIVE,
                    mcl_to_slot(MCL_INT64, plan->memory[ROW_COUNT], 0), &beside);
}

/* Stores the offsets to the caller's output. An offset too large for the output's type becomes that type's highest
 * number, as a count does. */
static mcl_status store_offsets(const mcl__call *call, mcl_input *offsets, const mcl_options *options)
{
    const mcl_output *const out = call->operands[OFFSETS].output;
    const int64_t highest = mcl__count_highest(out->type);
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_offsets", offsets->type, offsets->buffer, offsets->offset),
                                     mcl_binding_value("mcl_highest", MCL_INT64, &highest) };
    mcl_input within = mcl_from_expression(MCL_INT64, "mcl_offsets[i] < mcl_highest ? mcl_offsets[i] : mcl_highest",
                                           NULL, bindings, 2, offsets->count);
    mcl__adopt_slot(&within, offsets);
    return mcl__transform(call->queue, out->type->size < sizeof highest ? &within : offsets, *out, options);
}

static mcl_status row_steps(const mcl__multimap_plan *plan, mcl_input *offsets, const mcl_options *options)
{
    const mcl__call *const call = plan->call;
    const mcl_output *const rows = call->operands[ROWS].output, *const values = call->operands[ROW_VALUES].output;
    const mcl_work work = mcl_work_in_slot(call->room[ROWS], plan->memory[ROW_COUNT], 0);
    if (call->operands[OFFSETS].output) MCL__TRY(store_offsets(call, offsets, options));
    if (call->room[ROWS] == 0 || mcl__multimap_has_nothing(plan, offsets->count)) return MCL_OK;
    if (rows) MCL__TRY(mcl_load_balance_search(call->queue, work, *offsets, *rows, (mcl_output){ 0 }, options));
    if (!values) return MCL_OK;
    const mcl__entries *const list = mcl__multimap_list(plan->map, call->queue);
    return mcl_interval_gather(call->queue, work, mcl__entries_values(list, values->type, call->queue),
                               mcl_from_buffer(MCL_INT64, plan->memory[BEGINS], 0, offsets->count), *offsets, *values,
                               options);
}

static mcl_status retrieve_steps(void *of, const mcl_options *options)
{
    mcl__multimap_plan *const plan = of;
    const int64_t keys = plan->call->operands[KEYS].input->count;
    const mcl_options beside = mcl__beside_options(options);
    mcl_input offsets;
    MCL__TRY(mcl__multimap_ready(plan, options));
    MCL__TRY(mcl__multimap_take_memory(plan, BEGINS, keys, sizeof(int64_t)));
    MCL__TRY(mcl__multimap_take_memory(plan, ROW_OFFSETS, keys, sizeof(int64_t)));
    MCL__TRY(mcl__multimap_take_memory(plan, ROW_COUNT, 1, sizeof(int64_t)));
    plan->counted = mcl__result_span(&(mcl_result){ .type = MCL_INT64, .buffer = plan->memory[ROW_COUNT] });
    MCL__TRY(offset_step(plan, &offsets, options));
    MCL__TRY(mcl__multimap_total(plan, plan->memory[ROW_COUNT], 0, -1, plan->call->operands[COUNT].result, &beside));
    return row_steps(plan, &offsets, &beside);
}

mcl_status mcl_multimap_retrieve(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_output rows,
                                 mcl_output values, mcl_output offsets, mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &of_rows, "mcl_multimap_retrieve", queue, options);
    mcl__multimap_plan plan = { .call = &call, .map = map };
    const int64_t limit = give_outputs(&call, ROWS, &rows, ROW_VALUES, &values);
    call.operands[KEYS].input = &keys;
    call.operands[COUNT].result = &count;
    if (mcl__is_wanted(&offsets)) call.operands[OFFSETS].output = &offsets;
    MCL__TRY(mcl__multimap_check(&call, map));
    call.room[OFFSETS] = keys.count;
    MCL__TRY(mcl__multimap_run(&plan, retrieve_steps));
    return tell(&call, plan.counted, 0, -1, &count, "rows and values", limit);
}

/* ---- all entries ---------------------------------------------------------------------------------------------- */

enum { ALL_KEYS = 1, ALL_VALUES, ALL_COUNT }; /* operands */

static const mcl__declaration of_all = {
    .of_steps = 1,
    .operands = (mcl__operands){ [ALL_KEYS] = { "keys", .kind = MCL__OUTPUT, .group = MCL__MULTIMAP_KEY },
                                 [ALL_VALUES] = { "values", .kind = MCL__OUTPUT, .group = MCL__MULTIMAP_VALUE },
                                 [ALL_COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS } },
};

/* Returns the index of a list's total, or -1 where the list has no entries. */
static int total_of(const mcl__entries *list)
{
    return list->bound > 0 ? list->slot : -1;
}

static mcl_status all_steps(void *of, const mcl_options *options)
{
    const mcl__multimap_plan *const plan = of;
    const mcl__call *const call = plan->call;
    const mcl_options beside = mcl__beside_options(options);
    MCL__TRY(mcl__multimap_order(plan, &beside));
    MCL__TRY(mcl__multimap_total(plan, plan->map->totals, total_of(&plan->map->ordered), -1,
                                 call->operands[ALL_COUNT].result, &beside));
    if (call->room[ALL_KEYS] == 0 || mcl__multimap_has_nothing(plan, 1)) return MCL_OK;
    return mcl__multimap_all(plan, call->operands[ALL_KEYS].output, call->operands[ALL_VALUES].output,
                             call->room[ALL_KEYS], options);
}

mcl_status mcl_multimap_retrieve_all(mcl_queue *queue, mcl_multimap *map, mcl_output keys, mcl_output values,
                                     mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &of_all, "mcl_multimap_retrieve_all", queue, options);
    mcl__multimap_plan plan = { .call = &call, .map = map };
    const int64_t limit = give_outputs(&call, ALL_KEYS, &keys, ALL_VALUES, &values);
    call.operands[ALL_COUNT].result = &count;
    MCL__TRY(mcl__multimap_check(&call, map));
    MCL__TRY(mcl__multimap_run(&plan, all_steps));
    return tell(&call, (mcl__span){ map->totals, 0 }, total_of(&map->ordered), -1, &count, "keys and values", limit);
}

static mcl_status size_steps(void *of, const mcl_options *options)
{
    const mcl__multimap_plan *const plan = of;
    const mcl_multimap *const map = plan->map;
    return mcl__multimap_total(plan, map->totals, total_of(&map->ordered), total_of(&map->added),
                               plan->call->operands[ALL_COUNT].result, options);
}

mcl_status mcl_multimap_size(mcl_queue *queue, mcl_multimap *map, mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &of_all, "mcl_multimap_size", queue, options);
    mcl__multimap_plan plan = { .call = &call, .map = map };
    call.operands[ALL_COUNT].result = &count;
    MCL__TRY(mcl__multimap_check(&call, map));
    MCL__TRY(mcl__multimap_run(&plan, size_steps));
    return tell(&call, (mcl__span){ map->totals, 0 }, total_of(&map->ordered), total_of(&map->added), &count, "", 0);
}
