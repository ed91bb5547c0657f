/* map_part.c: moves many keys of a large map into parts, by the upper bits of their hashes, before they are inserted.
 * The keys of a part go to neighbouring buckets of every sub-map. So the slots used at the same time fit the device's
 * cache, and each slot is read from memory once. The steps are calls of other operations: a multisplit, then a call
 * that inserts the moved elements. */
#include "operations/map/map_table.h"

#include "moderncl/multisplit.h"

#include <stdio.h>

enum { PARTS_MAX = 256, TEXT_BYTES = 2048 };

/* The plan of one call. */
typedef struct part_plan {
    mcl__map_plan *of;
    mcl_input keys, values; /* the caller's elements; a set has no values */
    mcl__map_enter enter;
    mcl_buffer *parted_keys, *parted_values;
    int has_memory;
    char text[TEXT_BYTES];
} part_plan;

/* Plans for the slots that the map has if this call fills it up to max_load. If each key is alone in its bucket, parts
 * save nothing. */
int mcl__map_parts(const mcl__map_plan *plan, int64_t keys)
{
    const mcl_map *const map = plan->map;
    const mcl_context *const context = map->context;
    const int64_t from = mcl__tuned(context, MCL__PARAMETER_map_parted_bytes);
    const double needed = (double)keys / map->max_load, present = (double)mcl_map_capacity(map);
    const double slots = needed > present ? needed : present;
    const double bytes = slots * (double)mcl__map_slot_bytes(map);
    if (from == 0 || bytes < (double)from || (double)keys * MAP_BUCKET_BYTES < bytes) return 1;
    const double parts = bytes / (double)mcl__tuned(context, MCL__PARAMETER_map_part_bytes);
    return parts < PARTS_MAX ? (int)parts + 1 : PARTS_MAX;
}

/* ---- groups that own buckets ----------------------------------------------------------------------------------- */

/* Returns 0 for an operator with an extract: an extract may use an element's index, and moves change the index. */
int mcl__map_owns(const mcl__map_plan *plan, const mcl_op *op)
{
    const mcl_context *const context = plan->call.queue->context;
    if (!mcl__call_asks_serial(&plan->call) || context->limits.is_gpu || context->limits.loop_budget > 0) return 0;
    return mcl__tuned(context, MCL__PARAMETER_map_parted_bytes) > 0 && !(op && op->extract);
}

/* Plans the parts. A part is a number of whole windows, equal for all parts but the last. If keys are fewer than
 * parted_bytes has buckets, there is one part. On a preparing queue the target may not exist. */
void mcl__map_plan_owned(mcl__map_plan *plan)
{
    const mcl_map *const map = plan->map;
    const int64_t keys = plan->call.operands[MCL__MAP_KEYS].input->count;
    const int64_t buckets =
        plan->target < map->sub_map_count ? map->sub_maps[plan->target].buckets : mcl__map_growth(map, keys);
    const int64_t least = mcl__tuned(map->context, MCL__PARAMETER_map_parted_bytes) / MAP_BUCKET_BYTES;
    const int64_t wanted = mcl__tuned(map->context, MCL__PARAMETER_map_part_bytes) / MAP_BUCKET_BYTES;
    plan->part_buckets = MAP_WINDOW_BUCKETS;
    while (plan->part_buckets < wanted || mcl__divide_up(buckets, plan->part_buckets) > PARTS_MAX)
        plan->part_buckets *= 2;
    plan->parts = buckets < least || keys < least ? 1 : (int)mcl__divide_up(buckets, plan->part_buckets);
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* Writes the text of the operator that gives a key's part. It contains the kernels' hash, without the line #pragma
 * once. */
static void write_text(part_plan *plan)
{
    const mcl_map *const map = plan->of->map;
    const char *const hash = strchr(mcl__embedded_file("kernels/map/map_hash.clh"), '\n');
    const int bits = 8 * (int)map->key_bytes;
    (void)snprintf(plan->text, sizeof plan->text,
                   "%s\nstatic inline int64_t mcl_map_part(const %s x, const int32_t parts)\n"
                   "{\n"
                   "    union { %s element; uint%d_t bits; } key;\n"
                   "    key.element = x;\n"
                   "    return (int64_t)map_bucket(map_hash_%d(key.bits), (uint32_t)parts);\n"
                   "}\n",
                   hash, map->key_name, map->key_name, bits, bits);
}

static mcl_status split(const part_plan *plan, const mcl_op *by, int parts, mcl_output offsets,
                        const mcl_options *options)
{
    mcl_queue *const queue = plan->of->call.queue;
    const mcl_output keys = mcl_to_buffer(plan->keys.type, plan->parted_keys, 0, plan->keys.count), none = { 0 };
    if (!plan->values.type) return mcl_multisplit(queue, plan->keys, keys, by, parts, offsets, none, options);
    return mcl_multisplit_pairs(queue, plan->keys, plan->values, keys,
                                mcl_to_buffer(plan->values.type, plan->parted_values, 0, plan->keys.count), by, parts,
                                offsets, none, options);
}

static mcl_status part_elements(part_plan *plan, const mcl_options *options)
{
    const int32_t parts = mcl__map_parts(plan->of, plan->keys.count);
    const mcl_op by = { .role = MCL_ROLE_INDEX,
                        .expression = "mcl_map_part(x, mcl_parts)",
                        .source = plan->text,
                        .binding_count = 1,
                        .bindings = { mcl_binding_value("mcl_parts", MCL_INT32, &parts) } };
    write_text(plan);
    return split(plan, &by, parts, (mcl_output){ 0 }, options);
}

/* Moves the elements into the parts of an owned call. The operator finds a key's bucket, and from it the part. */
static mcl_status part_owned(part_plan *plan, const mcl_options *options)
{
    const mcl__map_plan *const of = plan->of;
    int32_t buckets = 0, shift = 0;
    while (1 << shift < of->part_buckets) ++shift;
    buckets = (int32_t)of->map->sub_maps[of->target].buckets;
    const mcl_op by = { .role = MCL_ROLE_INDEX,
                        .expression = "mcl_map_part(x, mcl_buckets) >> mcl_shift",
                        .source = plan->text,
                        .binding_count = 2,
                        .bindings = { mcl_binding_value("mcl_buckets", MCL_INT32, &buckets),
                                      mcl_binding_value("mcl_shift", MCL_INT32, &shift) } };
    write_text(plan);
    return split(plan, &by, of->parts, mcl_to_buffer(MCL_INT64, of->offsets, 0, of->parts + 1), options);
}

static mcl_input parted(const part_plan *plan, const mcl_input *from, mcl_buffer *buffer)
{
    if (!from->type) return *from;
    mcl_input input = mcl_from_buffer(from->type, buffer, 0, plan->keys.count);
    mcl__adopt_slot(&input, &plan->keys);
    return input;
}

/* Takes memory for the moved elements. */
static mcl_status take_memory(part_plan *plan)
{
    mcl_queue *const queue = plan->of->call.queue;
    const size_t count = (size_t)plan->keys.count;
    if (plan->of->is_owned)
        MCL__TRY(mcl__scratch_hold(queue, ((size_t)plan->of->parts + 1) * sizeof(int64_t), &plan->of->offsets));
    MCL__TRY(mcl__scratch_hold(queue, count * plan->keys.type->size, &plan->parted_keys));
    if (!plan->values.type) return MCL_OK;
    return mcl__scratch_hold(queue, count * plan->values.type->size, &plan->parted_values);
}

static mcl_status enter_unparted(part_plan *plan, const mcl_options *options)
{
    plan->of->parts = 1;
    return plan->enter(plan->of, &plan->keys, &plan->values, options);
}

/* Moves the elements into parts and inserts them. If memory is exhausted, the elements are inserted as they are. The
 * multisplit does not get the caller's tile, which is meant for the map. */
static mcl_status part_steps(void *of, const mcl_options *options)
{
    part_plan *const plan = of;
    const mcl_options beside = mcl__beside_options(options);
    const mcl_status status = take_memory(plan);
    if (status == MCL_ERROR_MEMORY) return enter_unparted(plan, options);
    MCL__TRY(status);
    plan->has_memory = !plan->of->call.queue->preparing;
    MCL__TRY(plan->of->is_owned ? part_owned(plan, &beside) : part_elements(plan, &beside));
    mcl_input keys = parted(plan, &plan->keys, plan->parted_keys);
    mcl_input values = parted(plan, &plan->values, plan->parted_values);
    return plan->enter(plan->of, &keys, &values, options);
}

static void release_memory(void *of)
{
    part_plan *const plan = of;
    mcl__buffer_drop(&plan->parted_keys);
    mcl__buffer_drop(&plan->parted_values);
    mcl__buffer_drop(&plan->of->offsets);
}

mcl_status mcl__map_part(mcl__map_plan *plan, mcl_input keys, mcl_input values, mcl__map_enter enter)
{
    part_plan parts = { .of = plan, .keys = keys, .values = values, .enter = enter };
    const mcl__call *const call = &plan->call;
    const mcl_status status = mcl__steps_run(call->queue, call->options, part_steps, release_memory, &parts);
    if (status != MCL_ERROR_MEMORY || parts.has_memory) return status;
    return enter_unparted(&parts, call->options);
}
