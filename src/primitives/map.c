/* map.c: what is done with the entries of a hash map: mcl_map_insert, mcl_map_find, mcl_map_erase, mcl_map_retrieve_all
 * and the other calls. Kernels: cl/kernels/map.cl. A call makes one launch for each sub-map that may hold entries. */
#include "call/append.h"
#include "call/gate.h"
#include "primitives/map_table.h"

enum { SEEK_KERNEL, ENTER_KERNEL }; /* of MAP_ENTER; the other programs have one */

typedef struct map_call {
    const char *function;
    mcl_map *map;
    int work;               /* MAP_WORK */
    int assigns;            /* MAP_ENTER */
    mcl_input keys, values; /* but for MAP_RETRIEVE; MAP_ENTER */
    mcl_output out_keys;    /* MAP_RETRIEVE */
    mcl_output out_values;  /* MAP_FIND, MAP_RETRIEVE */
    mcl_output found;       /* MAP_FIND */
    const void *missing;    /* MAP_FIND */
    mcl_result count;       /* MAP_RETRIEVE */
    mcl__append append;     /* MAP_RETRIEVE */
    const mcl__kernels *service;
} map_call;

/* ---- checks ------------------------------------------------------------------------------------------------- */

static mcl_status check_type(const map_call *call, const char *parameter, const mcl_type *type, int is_key)
{
    const char *const name = is_key ? call->map->key_name : call->map->value_name;
    const size_t bytes = is_key ? call->map->key_bytes : call->map->value_bytes;
    if (type->size == bytes && strcmp(type->name, name) == 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s; expected %s, the type of the map's %s", call->function, parameter,
                     type->name, name, is_key ? "keys" : "values");
}

static mcl_status map_gate(const mcl_queue *queue, const map_call *call, const mcl_options *options)
{
    const int retrieves = call->work == MAP_RETRIEVE;
    mcl__given operands[5] = { { NULL } }, *next = operands;
    if (retrieves)
        *next++ = (mcl__given){ "keys", .output = &call->out_keys, .optional = 1 };
    else
        *next++ = (mcl__given){ "keys", .input = &call->keys };
    if (call->work == MAP_ENTER) *next++ = (mcl__given){ "values", .input = &call->values };
    if (call->work == MAP_FIND || retrieves)
        *next++ = (mcl__given){ "values", .output = &call->out_values, .optional = 1 };
    if (call->work == MAP_FIND)
        *next++ = (mcl__given){ "found", .output = &call->found, .types = MCL__BYTES, .optional = 1 };
    if (retrieves) *next++ = (mcl__given){ "count", .result = &call->count, .types = MCL__COUNTS };
    MCL__TRY(mcl__gate(call->function, queue, options, retrieves ? MCL__TAKES_APPEND : 0, operands));
    return mcl__map_check(call->function, queue, call->map);
}

static mcl_status enter_check(const mcl_queue *queue, const map_call *call)
{
    MCL__TRY(check_type(call, "values", call->values.type, 0));
    MCL__TRY(mcl__check_as_many(call->function, "values", &call->values, "keys", call->keys.count));
    if (call->assigns && call->map->value_bytes == 8 && queue->context->limits.word_path == MCL__WORDS_NONE)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "%s: values are %s; expected a type of 4 bytes, since this device has no 64-bit atomics that "
                         "groups may share",
                         call->function, call->values.type->name);
    return MCL_OK;
}

/* Neither the keys, count apart, nor an earlier output lies under an output. */
static mcl_status find_check(const map_call *call)
{
    const int64_t count = call->keys.count;
    if (mcl__is_wanted(&call->out_values)) {
        MCL__TRY(mcl__check_room(call->function, "values", &call->out_values, count));
        MCL__TRY(check_type(call, "values", call->out_values.type, 0));
        MCL__TRY(mcl__check_no_overlap(call->function, "keys", &call->keys, "values", &call->out_values, count));
    }
    if (!mcl__is_wanted(&call->found)) return MCL_OK;
    MCL__TRY(mcl__check_room(call->function, "found", &call->found, count));
    MCL__TRY(mcl__check_no_overlap(call->function, "keys", &call->keys, "found", &call->found, count));
    if (!mcl__is_wanted(&call->out_values)) return MCL_OK;
    const mcl_input values =
        mcl_from_buffer(call->out_values.type, call->out_values.buffer, call->out_values.offset, count);
    return mcl__check_no_overlap(call->function, "values", &values, "found", &call->found, count);
}

/* How many entries may be stored. */
static int64_t retrieve_limit(const map_call *call)
{
    const int stores = mcl__is_wanted(&call->out_keys) || mcl__is_wanted(&call->out_values);
    int64_t limit = stores ? mcl_map_capacity(call->map) : 0;
    if (mcl__is_wanted(&call->out_keys) && call->out_keys.capacity < limit) limit = call->out_keys.capacity;
    if (mcl__is_wanted(&call->out_values) && call->out_values.capacity < limit) limit = call->out_values.capacity;
    return limit;
}

static mcl_status retrieve_check_count(const map_call *call)
{
    const mcl_result *const count = &call->count;
    if (!count->buffer) return MCL_OK;
    const mcl_input slot = mcl_from_buffer(count->type, count->buffer, count->offset, 1);
    const int64_t limit = retrieve_limit(call);
    if (mcl__is_wanted(&call->out_keys))
        MCL__TRY(mcl__check_no_overlap(call->function, "count", &slot, "keys", &call->out_keys, limit));
    if (mcl__is_wanted(&call->out_values))
        MCL__TRY(mcl__check_no_overlap(call->function, "count", &slot, "values", &call->out_values, limit));
    return MCL_OK;
}

static mcl_status retrieve_check(const mcl_queue *queue, map_call *call, const mcl_options *options)
{
    if (mcl__is_wanted(&call->out_keys)) MCL__TRY(check_type(call, "keys", call->out_keys.type, 1));
    if (mcl__is_wanted(&call->out_values)) MCL__TRY(check_type(call, "values", call->out_values.type, 0));
    if (mcl__is_wanted(&call->out_keys) && mcl__is_wanted(&call->out_values)) {
        const int64_t limit = retrieve_limit(call);
        const mcl_input keys =
            mcl_from_buffer(call->out_keys.type, call->out_keys.buffer, call->out_keys.offset, limit);
        MCL__TRY(mcl__check_no_overlap(call->function, "keys", &keys, "values", &call->out_values, limit));
    }
    MCL__TRY(mcl__append_choose(call->function, queue->context, options, &call->append));
    return retrieve_check_count(call);
}

/* What all calls begin with; the service program is found here, so that nothing fails after a sub-map is added. */
static mcl_status map_start(mcl_queue *queue, map_call *call, const mcl_options *options)
{
    MCL__TRY(map_gate(queue, call, options));
    if (call->work != MAP_RETRIEVE) MCL__TRY(check_type(call, "keys", call->keys.type, 1));
    if (call->work == MAP_ENTER) MCL__TRY(enter_check(queue, call));
    if (call->work == MAP_FIND) MCL__TRY(find_check(call));
    if (call->work == MAP_RETRIEVE) MCL__TRY(retrieve_check(queue, call, options));
    if (call->work != MAP_RETRIEVE && mcl__validates(options))
        MCL__TRY(mcl__validate_keys(queue, call->function, "keys", &call->keys, call->map->empty, call->map->erased,
                                    options));
    return mcl__map_service(queue, call->map, &call->service);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

/* Elements of a part: sub-maps are taken out of in launches of this many slots. */
static int64_t part_slots(const mcl_map *map, const mcl__sub_map *sub_map, int64_t part)
{
    const int64_t rest = mcl__sub_map_capacity(map, sub_map) - part * MCL__APPEND_PART;
    return rest < MCL__APPEND_PART ? rest : MCL__APPEND_PART;
}

static void describe_operands(mcl__spec *spec, const map_call *call)
{
    if (call->work == MAP_RETRIEVE) {
        if (mcl__is_wanted(&call->out_keys)) spec->outputs[0].name = "keys";
        spec->outputs[0].type = call->out_keys.type;
    } else {
        spec->inputs[0].name = "keys";
        spec->inputs[0].input = &call->keys;
    }
    if (call->work == MAP_ENTER) {
        spec->inputs[1].name = "values";
        spec->inputs[1].input = &call->values;
    } else if (mcl__is_wanted(&call->out_values)) {
        spec->outputs[1].name = "values";
        spec->outputs[1].type = call->out_values.type;
    }
    if (mcl__is_wanted(&call->found)) {
        spec->outputs[2].name = "found";
        spec->outputs[2].type = call->found.type;
    }
}

static void map_describe(mcl__spec *spec, const mcl_context *context, const map_call *call, const mcl_options *options)
{
    static const char *const names[] = {
        [MAP_ENTER] = "map_seek", [MAP_FIND] = "map_find", [MAP_ERASE] = "map_erase", [MAP_RETRIEVE] = "map_retrieve"
    };
    const mcl_map *const map = call->map;
    const size_t slot_bytes = mcl__map_slot_bytes(map);
    const mcl__tile_need need = { .element_bytes = map->key_bytes, .local_bytes_fixed = 64 };
    int64_t bound = mcl_map_capacity(map);
    if (call->work != MAP_RETRIEVE && call->keys.count > bound) bound = call->keys.count;
    *spec = (mcl__spec){
        .file = "kernels/map.cl",
        .kernels = { names[call->work], call->work == MAP_ENTER ? "map_enter" : NULL },
        .tile = call->work == MAP_RETRIEVE
                    ? mcl__append_tile(context, slot_bytes, options)
                    : mcl__tile_for(MCL__OPERATION_map, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(bound, options),
        .defines = { { "MAP_WORK", call->work },
                     { "KEY_BYTES", (int)map->key_bytes },
                     { "VALUE_BYTES", (int)map->value_bytes },
                     { "MAP_ASSIGNS", call->assigns },
                     { "HAS_KEYS", mcl__is_wanted(&call->out_keys) },
                     { "HAS_VALUES", mcl__is_wanted(&call->out_values) },
                     { "HAS_FOUND", mcl__is_wanted(&call->found) },
                     { "APPEND_WAY", call->append.way },
                     { "APPEND_WIDTH", call->append.width } },
    };
    mcl__spec_define(spec, "RESIDENT", mcl__tuned(context, MCL__PARAMETER_map_resident));
    describe_operands(spec, call);
}

/* ---- which sub-maps ------------------------------------------------------------------------------------------ */

/* Those that may hold entries, the fullest first, but for one (-1: all): their number. */
static int list_sub_maps(const mcl_map *map, int but, int *list)
{
    int count = 0;
    for (int k = 0; k < map->sub_map_count; ++k) {
        if (k == but || map->sub_maps[k].filled == 0) continue;
        int place = count++;
        for (; place > 0 && map->sub_maps[list[place - 1]].filled < map->sub_maps[k].filled; --place)
            list[place] = list[place - 1];
        list[place] = k;
    }
    return count;
}

void mcl__map_args(mcl__args *args, const mcl_map *map, const mcl__sub_map *sub_map, int64_t first)
{
    mcl__args_span(args, (mcl__span){ sub_map->slots, (size_t)first * mcl__map_slot_bytes(map) });
    mcl__args_int(args, (int)(uint32_t)sub_map->buckets);
    mcl__args_value(args, map->empty, map->key_bytes);
    mcl__args_value(args, map->erased_stored, map->key_bytes);
}

static mcl_status launch_keys(mcl_queue *queue, const map_call *call, const mcl__kernels *kernels, int kernel,
                              const mcl__args *args)
{
    return mcl__launch_groups(queue, kernels, kernel, mcl__divide_up(call->keys.count, mcl__tile_size(kernels->tile)),
                              kernels->tile.threads, args);
}

/* ---- entering ------------------------------------------------------------------------------------------------ */

/* The sub-map that the keys go to; one is added where none has room, once the true numbers say so too where bounds
 * tell little: the same keys entered again and again would else make a map without end. On a preparing queue it
 * may not be there. */
static mcl_status enter_target(mcl_queue *queue, const map_call *call, const mcl_options *options, int *target,
                               int *has_grown)
{
    mcl_map *const map = call->map;
    int64_t entries;
    *has_grown = 0;
    *target = mcl__map_with_room(map, call->keys.count);
    if (*target >= 0) return MCL_OK;
    *target = map->sub_map_count;
    if (queue->preparing) return MCL_OK;
    if (mcl__map_is_doubtful(map, call->keys.count)) {
        MCL__TRY(mcl__map_tighten(queue, map, call->function, options, &entries));
        *target = mcl__map_with_room(map, call->keys.count);
        if (*target >= 0) return MCL_OK;
        *target = map->sub_map_count;
    }
    const mcl_status status = mcl__map_grow(map, call->function, call->keys.count);
    *has_grown = status == MCL_OK;
    if (status != MCL_ERROR_MEMORY) return status;
    MCL__TRY(mcl__map_tighten(queue, map, call->function, options, &entries));
    *target = mcl__map_with_room(map, call->keys.count);
    return *target >= 0 ? MCL_OK : status;
}

static mcl_status enter_launch(mcl_queue *queue, const map_call *call, const mcl__spec *spec,
                               const mcl__kernels *kernels, int target, const int *others, int other_count)
{
    mcl_map *const map = call->map;
    mcl__args args;
    const mcl__span none = { NULL, 0 };
    const mcl__span done = other_count > 0 ? mcl__scratch_take(queue, (size_t)call->keys.count) : none;
    if (queue->preparing) return MCL_OK;
    MCL__TRY(mcl__map_settle(queue, map, call->service));
    for (int k = 0; k < other_count; ++k) {
        mcl__args_start(&args, spec);
        mcl__args_input(&args, &call->keys);
        mcl__args_input(&args, &call->values);
        mcl__map_args(&args, map, &map->sub_maps[others[k]], 0);
        mcl__args_span(&args, done);
        mcl__args_int(&args, k == 0);
        MCL__TRY(launch_keys(queue, call, kernels, SEEK_KERNEL, &args));
    }
    mcl__sub_map *const sub_map = &map->sub_maps[target];
    sub_map->filled += call->keys.count;
    mcl__args_start(&args, spec);
    mcl__args_input(&args, &call->keys);
    mcl__args_input(&args, &call->values);
    mcl__map_args(&args, map, sub_map, 0);
    mcl__args_int(&args, sub_map->has_erased);
    mcl__args_span(&args, done);
    mcl__args_int(&args, other_count > 0);
    mcl__args_span(&args, mcl__map_counters(map, target));
    mcl__args_span(&args, mcl__map_counters(map, MCL__SUB_MAPS_MAX));
    return launch_keys(queue, call, kernels, ENTER_KERNEL, &args);
}

static mcl_status enter_run(mcl_queue *queue, map_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    int others[MCL__SUB_MAPS_MAX], target = 0, has_grown = 0;
    MCL__TRY(map_start(queue, call, options));
    /* A sub-map that is added may need a program with wider numbers: it is described when it is there. */
    MCL__TRY(enter_target(queue, call, options, &target, &has_grown));
    const int other_count = list_sub_maps(call->map, target, others);
    map_describe(&spec, queue->context, call, options);
    mcl_status status = mcl__program_get(queue, &spec, &kernels);
    if (status == MCL_OK)
        status = mcl__call_begin(queue, call->function,
                                 other_count > 0 ? mcl__scratch_round((size_t)call->keys.count) : 0, options);
    if (status != MCL_OK) {
        if (has_grown) mcl__map_shrink(call->map);
        return status;
    }
    MCL__TRY(enter_launch(queue, call, &spec, kernels, target, others, other_count));
    return mcl__call_end(queue, options);
}

/* ---- finding and erasing ------------------------------------------------------------------------------------- */

static void find_args(mcl__args *args, const map_call *call, const mcl__spec *spec, const mcl__sub_map *sub_map,
                      mcl__span done, int is_first)
{
    static const unsigned char nothing[8] = { 0 };
    mcl__args_start(args, spec);
    mcl__args_input(args, &call->keys);
    if (mcl__is_wanted(&call->out_values)) mcl__args_output(args, &call->out_values);
    if (mcl__is_wanted(&call->found)) mcl__args_output(args, &call->found);
    mcl__map_args(args, call->map, sub_map, 0);
    mcl__args_value(args, call->missing ? call->missing : nothing, call->map->value_bytes);
    mcl__args_int(args, call->missing != NULL);
    mcl__args_span(args, done);
    mcl__args_int(args, done.buffer != NULL);
    mcl__args_int(args, is_first);
}

static mcl_status find_run(mcl_queue *queue, map_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;
    int list[MCL__SUB_MAPS_MAX] = { 0 };
    MCL__TRY(map_start(queue, call, options));
    map_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    int count = list_sub_maps(call->map, -1, list);
    const int has_done = count > 1;
    if (count == 0) count = 1; /* an empty one says that nothing is there */
    MCL__TRY(
        mcl__call_begin(queue, call->function, has_done ? mcl__scratch_round((size_t)call->keys.count) : 0, options));
    const mcl__span none = { NULL, 0 };
    const mcl__span done = has_done ? mcl__scratch_take(queue, (size_t)call->keys.count) : none;
    MCL__TRY(mcl__map_settle(queue, call->map, call->service));
    for (int k = 0; k < count; ++k) {
        find_args(&args, call, &spec, &call->map->sub_maps[list[k]], done, k == 0);
        MCL__TRY(launch_keys(queue, call, kernels, 0, &args));
    }
    return mcl__call_end(queue, options);
}

static mcl_status erase_run(mcl_queue *queue, map_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;
    int list[MCL__SUB_MAPS_MAX];
    MCL__TRY(map_start(queue, call, options));
    map_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(mcl__call_begin(queue, call->function, 0, options));
    MCL__TRY(mcl__map_settle(queue, call->map, call->service));
    const int count = call->keys.count > 0 && !queue->preparing ? list_sub_maps(call->map, -1, list) : 0;
    for (int k = 0; k < count; ++k) {
        mcl__sub_map *const sub_map = &call->map->sub_maps[list[k]];
        sub_map->has_erased = 1;
        if (k == 0) call->map->erased_since += call->keys.count;
        mcl__args_start(&args, &spec);
        mcl__args_input(&args, &call->keys);
        mcl__map_args(&args, call->map, sub_map, 0);
        mcl__args_span(&args, mcl__map_counters(call->map, list[k]));
        MCL__TRY(launch_keys(queue, call, kernels, 0, &args));
    }
    return mcl__call_end(queue, options);
}

/* ---- taking all out ------------------------------------------------------------------------------------------ */

/* Launches, and so cursors, for a sub-map. */
static int64_t part_count(const mcl_map *map, const mcl__sub_map *sub_map)
{
    return mcl__divide_up(mcl__sub_map_capacity(map, sub_map), MCL__APPEND_PART);
}

static mcl_status retrieve_part(mcl_queue *queue, const map_call *call, const mcl__spec *spec,
                                const mcl__kernels *kernels, const mcl__sub_map *sub_map, int64_t part,
                                mcl__span cursors, int turn)
{
    mcl__args args;
    const int64_t slots = part_slots(call->map, sub_map, part);
    mcl__args_start(&args, spec);
    if (mcl__is_wanted(&call->out_keys)) mcl__args_output(&args, &call->out_keys);
    if (mcl__is_wanted(&call->out_values)) mcl__args_output(&args, &call->out_values);
    mcl__map_args(&args, call->map, sub_map, part * MCL__APPEND_PART);
    mcl__args_index(&args, slots);
    mcl__args_index(&args, retrieve_limit(call));
    mcl__args_span(&args, cursors);
    mcl__args_int(&args, turn);
    return mcl__launch_groups(queue, kernels, 0, mcl__divide_up(slots, mcl__tile_size(kernels->tile)),
                              kernels->tile.threads, &args);
}

static mcl_status retrieve_launch(mcl_queue *queue, const map_call *call, const mcl__spec *spec,
                                  const mcl__kernels *kernels, mcl__span cursors, int64_t cursor_count)
{
    int list[MCL__SUB_MAPS_MAX], turn = 0;
    const int count = list_sub_maps(call->map, -1, list);
    if (count == 0 || retrieve_limit(call) == 0) return MCL_OK;
    MCL__TRY(mcl__map_zero(queue, call->service, cursors, cursor_count));
    for (int k = 0; k < count; ++k) {
        const mcl__sub_map *const sub_map = &call->map->sub_maps[list[k]];
        for (int64_t part = 0; part < part_count(call->map, sub_map); ++part)
            MCL__TRY(retrieve_part(queue, call, spec, kernels, sub_map, part, cursors, turn++));
    }
    return MCL_OK;
}

static mcl_status retrieve_read(mcl_queue *queue, const map_call *call)
{
    int64_t entries = 0;
    if (!call->count.host || queue->preparing) return MCL_OK;
    MCL__TRY(mcl__map_read(queue, call->map, &entries));
    memcpy(call->count.host, &entries, sizeof entries);
    const int64_t limit = retrieve_limit(call);
    if (limit == 0 || entries <= limit) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY,
                     "%s: keys and values have room for %lld entries; expected room for %lld, which the map has",
                     call->function, (long long)limit, (long long)entries);
}

static mcl_status retrieve_run(mcl_queue *queue, map_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    int64_t cursor_count = 0;
    MCL__TRY(map_start(queue, call, options));
    map_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    for (int k = 0; k < call->map->sub_map_count; ++k) cursor_count += part_count(call->map, &call->map->sub_maps[k]);
    const size_t bytes = (size_t)cursor_count * sizeof(uint32_t);
    MCL__TRY(mcl__call_begin(queue, call->function, mcl__scratch_round(bytes), options));
    const mcl__span cursors = mcl__scratch_take(queue, bytes);
    MCL__TRY(mcl__map_settle(queue, call->map, call->service));
    MCL__TRY(retrieve_launch(queue, call, &spec, kernels, cursors, cursor_count));
    if (call->count.buffer)
        MCL__TRY(mcl__map_total(queue, call->map, call->service, MAP_ENTERED, MAP_ERASED,
                                mcl__result_span(queue, &call->count)));
    MCL__TRY(mcl__call_end(queue, options));
    return retrieve_read(queue, call);
}

/* ---- public functions ---------------------------------------------------------------------------------------- */

mcl_status mcl_map_insert(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values, const mcl_options *options)
{
    map_call call = { .function = "mcl_map_insert", .map = map, .work = MAP_ENTER, .keys = keys, .values = values };
    return enter_run(queue, &call, options);
}

mcl_status mcl_map_insert_or_assign(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                    const mcl_options *options)
{
    map_call call = { .function = "mcl_map_insert_or_assign",
                      .map = map,
                      .work = MAP_ENTER,
                      .assigns = 1,
                      .keys = keys,
                      .values = values };
    return enter_run(queue, &call, options);
}

mcl_status mcl_map_find(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output values, const void *missing,
                        mcl_output found, const mcl_options *options)
{
    map_call call = { .function = "mcl_map_find",
                      .map = map,
                      .work = MAP_FIND,
                      .keys = keys,
                      .out_values = values,
                      .found = found,
                      .missing = missing };
    if (!mcl__is_wanted(&values) && !mcl__is_wanted(&found))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "mcl_map_find: values and found are both all zero; expected one output at least");
    return find_run(queue, &call, options);
}

mcl_status mcl_map_contains(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output found,
                            const mcl_options *options)
{
    map_call call = { .function = "mcl_map_contains", .map = map, .work = MAP_FIND, .keys = keys, .found = found };
    MCL__TRY(mcl__check_wanted(call.function, "found", &found));
    return find_run(queue, &call, options);
}

mcl_status mcl_map_erase(mcl_queue *queue, mcl_map *map, mcl_input keys, const mcl_options *options)
{
    map_call call = { .function = "mcl_map_erase", .map = map, .work = MAP_ERASE, .keys = keys };
    return erase_run(queue, &call, options);
}

mcl_status mcl_map_retrieve_all(mcl_queue *queue, mcl_map *map, mcl_output keys, mcl_output values, mcl_result count,
                                const mcl_options *options)
{
    map_call call = { .function = "mcl_map_retrieve_all",
                      .map = map,
                      .work = MAP_RETRIEVE,
                      .out_keys = keys,
                      .out_values = values,
                      .count = count };
    return retrieve_run(queue, &call, options);
}
