/* multimap.c: creates a multimap; inserts, counts and erases entries. The steps of these calls are launches of
 * kernels/map/multimap.cl (multimap_steps.c), the ordering of entries (multimap_order.c), and calls of other
 * operations. */
#include "operations/map/multimap_table.h"

#include "moderncl/compact.h"
#include "moderncl/sort.h"
#include "moderncl/sorted_search.h"

#include <stdio.h>
#include <stdlib.h>

enum { CAPACITY_DEFAULT = 1024 };

/* ---- make and release ----------------------------------------------------------------------------------------- */

/* Makes the type in which values are moved: words with the same total size. The caller's type cannot be kept, since its
 * text need only live during the caller's calls. */
static void set_moved_type(mcl_multimap *map)
{
    static const mcl_type *const words[] = { MCL_UINT8, MCL_UINT16, MCL_UINT32, MCL_UINT64 };
    const int by_words = map->value_bytes % sizeof(uint32_t) == 0;
    const int count = (int)(map->value_bytes / (by_words ? sizeof(uint32_t) : 1));
    for (int k = 0; k < 4; ++k)
        if (map->value_bytes == words[k]->size) map->moved = *words[k];
    if (map->moved.name || map->value_bytes == 0) return;
    (void)snprintf(map->moved_name, sizeof map->moved_name, "mcl_value_of_%d", (int)map->value_bytes);
    (void)snprintf(map->moved_text, sizeof map->moved_text, "typedef struct { %s words[%d]; } %s;",
                   by_words ? "uint32_t" : "uint8_t", count, map->moved_name);
    map->moved = (mcl_type){ .name = map->moved_name, .size = map->value_bytes, .source = map->moved_text };
}

static mcl_status make(mcl_multimap *map, const mcl_multimap_config *config)
{
    map->key_bytes = config->key->size;
    strcpy(map->key_name, config->key->name);
    if (config->value) {
        map->value_bytes = config->value->size;
        strcpy(map->value_name, config->value->name);
    }
    set_moved_type(map);
    map->table_bits = 1;
    map->added.slot = MCL__TOTALS / 2;
    MCL__TRY(mcl__multimap_buffer(map, MCL__TOTALS, sizeof(int64_t), &map->totals));
    return mcl__entries_create(map, config->capacity > 0 ? config->capacity : CAPACITY_DEFAULT, &map->added);
}

mcl_status mcl_multimap_create(mcl_context *context, const mcl_multimap_config *config, mcl_multimap **out)
{
    MCL__TRY(mcl__check_context("mcl_multimap_create", context));
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a multimap");
    if (!config) return mcl__fail(MCL_ERROR_ARGUMENT, "config is NULL; expected what the multimap is made of");
    MCL__TRY(mcl__map_check_types(context, config->key, config->value));
    if (config->capacity < 0 || config->capacity > MCL__COUNT_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "config->capacity is %lld; expected 0 to %lld",
                         (long long)config->capacity, (long long)MCL__COUNT_MAX);
    mcl_multimap *const map = calloc(1, sizeof *map);
    if (!map) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a multimap is exhausted");
    map->context = context;
    atomic_fetch_add(&context->references, 1);
    const mcl_status status = make(map, config);
    if (status == MCL_OK)
        *out = map;
    else
        mcl_multimap_release(map);
    return status;
}

void mcl_multimap_release(mcl_multimap *map)
{
    if (!map || mcl__process_is_forked()) return;
    mcl__entries_release(&map->ordered);
    mcl__entries_release(&map->added);
    mcl__multimap_drop_table(map);
    mcl_buffer_release(map->totals);
    mcl_context_release(map->context);
    free(map);
}

/* ---- what all calls share ------------------------------------------------------------------------------------- */

mcl_status mcl__multimap_check(mcl__call *call, const mcl_multimap *map)
{
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__check_unrecorded(call->queue, "a call on a multimap, whose entries the host counts,",
                                   "it before mcl_record_begin or after mcl_record_end"));
    if (!map) return mcl__fail(MCL_ERROR_ARGUMENT, "map is NULL; expected a multimap");
    if (map->context != call->queue->context)
        return mcl__fail(MCL_ERROR_ARGUMENT, "map is of another context than queue; expected the same");
    MCL__TRY(mcl__map_check_type("keys", call->types[MCL__MULTIMAP_KEY], map->key_name, map->key_bytes));
    return mcl__map_check_type("values", call->types[MCL__MULTIMAP_VALUE], map->value_name, map->value_bytes);
}

static void release_memory(void *of)
{
    mcl__multimap_plan *const plan = of;
    for (size_t k = 0; k < sizeof plan->memory / sizeof plan->memory[0]; ++k) mcl__buffer_drop(&plan->memory[k]);
}

mcl_status mcl__multimap_take_memory(mcl__multimap_plan *plan, int k, int64_t count, size_t size)
{
    return mcl__scratch_hold(plan->call->queue, (size_t)(count > 0 ? count : 1) * size, &plan->memory[k]);
}

mcl_status mcl__multimap_run(mcl__multimap_plan *plan, mcl__steps steps)
{
    MCL__TRY(mcl__call_ready(plan->call));
    return mcl__steps_run(plan->call->queue, plan->call->options, steps, release_memory, plan);
}

int mcl__multimap_has_nothing(const mcl__multimap_plan *plan, int64_t keys)
{
    return keys == 0 || (!plan->call->queue->preparing && plan->map->ordered.bound == 0);
}

/* Runs these steps without the caller's tile, which is meant for the multimap's own kernels. */
mcl_status mcl__multimap_ready(const mcl__multimap_plan *plan, const mcl_options *options)
{
    const mcl_options beside = mcl__beside_options(options);
    MCL__TRY(mcl__multimap_order(plan, &beside));
    return mcl__multimap_tabulate(plan, &beside);
}

/* ---- insert --------------------------------------------------------------------------------------------------- */

enum { KEYS = 1, VALUES, COUNTS }; /* operands */

static const mcl__declaration on_keys = {
    .of_steps = 1,
    .operands =
        (mcl__operands){ [KEYS] = { "keys", .kind = MCL__INPUT, .group = MCL__MULTIMAP_KEY },
                         [VALUES] = { "values", .kind = MCL__INPUT, .group = MCL__MULTIMAP_VALUE, .as_many = KEYS },
                         [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__COUNTS } },
};

static mcl_status insert_steps(void *of, const mcl_options *options)
{
    const mcl__multimap_plan *const plan = of;
    mcl_multimap *const map = plan->map;
    mcl__entries *const added = &map->added;
    mcl_input *const keys = plan->call->operands[KEYS].input, *const values = plan->call->operands[VALUES].input;
    const int prepares = plan->call->queue->preparing, to = mcl__other_slot(added->slot);
    if (!prepares) MCL__TRY(mcl__multimap_make_room(map, plan->call->queue, keys->count));
    MCL__TRY(
        mcl__multimap_add(plan, keys, values, added, map->totals, added->bound > 0 ? added->slot : -1, to, options));
    if (prepares || keys->count == 0) return MCL_OK;
    added->bound += keys->count;
    added->slot = to;
    if (keys->count_slot) map->is_loose = 1;
    return MCL_OK;
}

mcl_status mcl_multimap_insert(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_input values,
                               const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &on_keys, "mcl_multimap_insert", queue, options);
    mcl__multimap_plan plan = { .call = &call, .map = map };
    call.operands[KEYS].input = &keys;
    if (values.type || !map || map->value_bytes > 0) call.operands[VALUES].input = &values;
    MCL__TRY(mcl__multimap_check(&call, map));
    return mcl__multimap_run(&plan, insert_steps);
}

/* ---- count ---------------------------------------------------------------------------------------------------- */

static mcl_status count_steps(void *of, const mcl_options *options)
{
    const mcl__multimap_plan *const plan = of;
    MCL__TRY(mcl__multimap_ready(plan, options));
    return mcl__multimap_find(plan, plan->call->operands[KEYS].input, NULL, plan->call->operands[COUNTS].output,
                              options);
}

mcl_status mcl_multimap_count(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_output counts,
                              const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &on_keys, "mcl_multimap_count", queue, options);
    mcl__multimap_plan plan = { .call = &call, .map = map };
    call.operands[KEYS].input = &keys;
    call.operands[COUNTS].output = &counts;
    MCL__TRY(mcl__multimap_check(&call, map));
    call.room[COUNTS] = keys.count;
    return mcl__multimap_run(&plan, count_steps);
}

/* ---- erase ---------------------------------------------------------------------------------------------------- */

enum { ERASED, ERASED_COUNT, FLAGS }; /* memory */

/* Returns the list of keys to erase, in the form in which a multimap stores keys. */
static mcl__entries erased_list(const mcl__multimap_plan *plan)
{
    return (mcl__entries){ .keys = plan->memory[ERASED], .room = plan->call->operands[KEYS].input->count };
}

/* Stores the keys to erase. Without entries it reads no key, but still refuses an expression that does not compile. */
static mcl_status store_erased(mcl__multimap_plan *plan, const mcl_options *options)
{
    mcl_input keys = *plan->call->operands[KEYS].input;
    if (mcl__multimap_has_nothing(plan, keys.count)) keys.count = 0;
    MCL__TRY(mcl__multimap_take_memory(plan, ERASED, keys.count, plan->map->key_bytes));
    MCL__TRY(mcl__multimap_take_memory(plan, ERASED_COUNT, 1, sizeof(int64_t)));
    const mcl__entries list = erased_list(plan);
    return mcl__multimap_add(plan, &keys, NULL, &list, plan->memory[ERASED_COUNT], -1, 0, options);
}

/* Sorts the keys and flags the entries that have one of them. */
static mcl_status mark_erased(const mcl__multimap_plan *plan, const mcl_options *beside)
{
    const mcl_multimap *const map = plan->map;
    mcl_queue *const queue = plan->call->queue;
    const mcl__entries list = erased_list(plan);
    const mcl_input entries = mcl__entries_keys(map, mcl__multimap_list(map, queue), queue);
    const mcl_input erased =
        mcl_with_count(mcl_from_buffer(entries.type, list.keys, 0, list.room), plan->memory[ERASED_COUNT], 0);
    const mcl_output flags = mcl_to_buffer(MCL_UINT8, plan->memory[FLAGS], 0, entries.count);
    MCL__TRY(mcl_sort(queue, erased, mcl_to_buffer(erased.type, list.keys, 0, list.room), MCL_LESS, beside));
    return mcl_sorted_search(queue, entries, erased, MCL_LOWER, mcl_found_matches(flags, mcl_to_nowhere()),
                             mcl_found_nothing(), MCL_LESS, beside);
}

/* Compacts the entries without a flag, in place. During the compaction they are in scratch. */
static mcl_status keep_others(const mcl__multimap_plan *plan, const mcl_options *options)
{
    const mcl_multimap *const map = plan->map;
    mcl_queue *const queue = plan->call->queue;
    const mcl__entries *const list = mcl__multimap_list(map, queue);
    const mcl_input keys = mcl__entries_keys(map, list, queue);
    const mcl_op keep = { .role = MCL_ROLE_TEST,
                          .expression = "!flags[i]",
                          .binding_count = 1,
                          .bindings = { mcl_binding_buffer("flags", MCL_UINT8, plan->memory[FLAGS], 0) } };
    const mcl_column values = { .in = mcl__entries_values(list, &map->moved, queue),
                                .out = mcl_to_buffer(&map->moved, list->values, 0, list->room) };
    return mcl_compact_columns(queue, keys, mcl_to_buffer(keys.type, list->keys, 0, list->room), &values,
                               list->values ? 1 : 0, &keep,
                               mcl_to_slot(MCL_INT64, map->totals, mcl__other_slot(list->slot)), options);
}

static mcl_status erase_steps(void *of, const mcl_options *options)
{
    mcl__multimap_plan *const plan = of;
    mcl_multimap *const map = plan->map;
    const mcl_queue *const queue = plan->call->queue;
    const int64_t keys = plan->call->operands[KEYS].input->count;
    const mcl_options beside = mcl__beside_options(options);
    MCL__TRY(mcl__multimap_order(plan, &beside));
    MCL__TRY(store_erased(plan, options));
    if (mcl__multimap_has_nothing(plan, keys)) return MCL_OK;
    MCL__TRY(mcl__multimap_take_memory(plan, FLAGS, mcl__entries_planned(mcl__multimap_list(map, queue), queue), 1));
    MCL__TRY(mark_erased(plan, &beside));
    MCL__TRY(keep_others(plan, &beside));
    if (queue->preparing) return MCL_OK;
    map->ordered.slot = mcl__other_slot(map->ordered.slot);
    map->is_loose = 1;
    mcl__multimap_drop_table(map);
    return MCL_OK;
}

mcl_status mcl_multimap_erase(mcl_queue *queue, mcl_multimap *map, mcl_input keys, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &on_keys, "mcl_multimap_erase", queue, options);
    mcl__multimap_plan plan = { .call = &call, .map = map };
    call.operands[KEYS].input = &keys;
    MCL__TRY(mcl__multimap_check(&call, map));
    return mcl__multimap_run(&plan, erase_steps);
}

/* ---- clear ----------------------------------------------------------------------------------------------------- */

static const mcl__declaration without_operands = { .operands = (mcl__operands){ { .name = NULL } } };

mcl_status mcl_multimap_clear(mcl_queue *queue, mcl_multimap *map, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &without_operands, "mcl_multimap_clear", queue, options);
    MCL__TRY(mcl__multimap_check(&call, map));
    if (!queue->preparing) mcl__multimap_empty(map);
    return mcl__enqueue_nothing(queue, options);
}
