/* map.c: the calls on a hash map, except those of map_create.c, map_service.c and map_retrieve.c. Kernels:
 * cl/kernels/map/map.cl and map_own.cl. A call on keys makes one launch for each sub-map that may hold entries. Many
 * keys of a large map are moved into parts before they are inserted (map_part.c). If values are too wide for a GPU's
 * atomics, elements of equal keys are folded before they are inserted (map_fold.c). */
#include "operations/map/map_table.h"

enum { KEYS = MCL__MAP_KEYS, OUT_VALUES, VALUES, FOUND, OP }; /* operands */
enum { SEEK, ENTER, SKIP, FIND, ERASE, REST = SKIP };         /* passes; REST replaces SKIP in owned_keys */
enum { DONE = MCL__MAP_SCRATCH, COUNTERS, SKIPPED, OFFSETS, LEFT, LEFT_COUNTS };              /* scratch */
enum { IS_FIRST = MCL__MAP_SCALARS, HAS_DONE, HAS_ERASED, HAS_MISSING, PARTS, PART_BUCKETS }; /* scalars */
enum { MISSING = MCL__MAP_VALUE_COUNT };                                                      /* by-value arguments */

static mcl__operands keys_operands = {
    [KEYS] = { "keys", .kind = MCL__INPUT, .group = MCL__MAP_KEY },
    [OUT_VALUES] = { "values", .kind = MCL__OUTPUT, .group = MCL__MAP_VALUE },
    [VALUES] = { "values", .kind = MCL__INPUT, .group = MCL__MAP_VALUE, .as_many = KEYS },
    [FOUND] = { "found", .kind = MCL__OUTPUT, .types = MCL__BYTES },
    [OP] = { "fold", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = VALUES, .optional = 1 },
};

/* The declaration of most calls. Each call uses some of the passes. */
static const mcl__declaration map_keys = {
    .file = "kernels/map/map.cl",
    .of_steps = 1,
    .operands = keys_operands,
    .scratch = { [MCL__MAP_SLOTS] = { "slots", "map_slot" },
                 [MCL__MAP_APART] = { "apart", "value_bits" },
                 [DONE] = { "done", "uint8_t" },
                 [COUNTERS] = { "counters", "uint" },
                 [SKIPPED] = { "skipped", "uint" } },
    .scalars = { [MCL__MAP_BUCKETS] = "buckets",
                 [IS_FIRST] = "is_first",
                 [HAS_DONE] = "has_done",
                 [HAS_ERASED] = "has_erased",
                 [HAS_MISSING] = "has_missing" },
    .by_value = { [MCL__MAP_EMPTY] = { "empty", "key_bits" },
                  [MCL__MAP_ERASED] = { "erased", "key_bits" },
                  [MISSING] = { "missing", "value_bits" } },
    .passes =
        (mcl__passes){
            [SEEK] = { "map_seek", .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(VALUES), MCL__MAP_ARGUMENTS,
                                                  SCRATCH(DONE), AS_INT(IS_FIRST) } },
            [ENTER] = { "map_enter", .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(VALUES),
                                                    MCL__MAP_ARGUMENTS, AS_INT(HAS_ERASED), SCRATCH(DONE),
                                                    AS_INT(HAS_DONE), SCRATCH(COUNTERS), SCRATCH(SKIPPED) } },
            [SKIP] = { "map_skip", .arguments = { OPERAND(KEYS), MCL__MAP_ARGUMENTS, SCRATCH(SKIPPED) } },
            [FIND] = { "map_find", .arguments = { OPERAND(KEYS), OPERAND(OUT_VALUES), OPERAND(FOUND),
                                                  MCL__MAP_ARGUMENTS, BY_VALUE(MISSING), AS_INT(HAS_MISSING),
                                                  SCRATCH(DONE), AS_INT(HAS_DONE), AS_INT(IS_FIRST) } },
            [ERASE] = { "map_erase", .arguments = { OPERAND(KEYS), MCL__MAP_ARGUMENTS, SCRATCH(COUNTERS) } },
        },
};

#define OWNED_ELEMENTS MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(VALUES), MCL__MAP_ARGUMENTS

/* The declaration of a call in which each group of a processor inserts keys into buckets of its own. */
static const mcl__declaration owned_keys = {
    .file = "kernels/map/map_own.cl",
    .of_steps = 1,
    .operands = keys_operands,
    .scratch = { [MCL__MAP_SLOTS] = { "slots", "map_slot" },
                 [MCL__MAP_APART] = { "apart", "value_bits" },
                 [DONE] = { "done", "uint8_t" },
                 [COUNTERS] = { "counters", "uint" },
                 [SKIPPED] = { "skipped", "uint" },
                 [OFFSETS] = { "offsets", "int64_t" },
                 [LEFT] = { "left", "index_type" },
                 [LEFT_COUNTS] = { "left_counts", "int64_t" } },
    .scalars = { [MCL__MAP_BUCKETS] = "buckets",
                 [IS_FIRST] = "is_first",
                 [HAS_DONE] = "has_done",
                 [HAS_ERASED] = "has_erased",
                 [PARTS] = "parts",
                 [PART_BUCKETS] = "part_buckets" },
    .by_value = { [MCL__MAP_EMPTY] = { "empty", "key_bits" }, [MCL__MAP_ERASED] = { "erased", "key_bits" } },
    .passes =
        (mcl__passes){
            [SEEK] = { "map_own_seek", .arguments = { OWNED_ELEMENTS, SCRATCH(DONE), AS_INT(IS_FIRST), SCRATCH(OFFSETS),
                                                      AS_INT(PARTS) } },
            [ENTER] = { "map_own", .arguments = { OWNED_ELEMENTS, AS_INT(HAS_ERASED), SCRATCH(DONE), AS_INT(HAS_DONE),
                                                  SCRATCH(COUNTERS), SCRATCH(SKIPPED), SCRATCH(OFFSETS), SCRATCH(LEFT),
                                                  SCRATCH(LEFT_COUNTS), AS_INT(PARTS), AS_INT(PART_BUCKETS) } },
            [REST] = { "map_own_rest",
                       .arguments = { OWNED_ELEMENTS, AS_INT(HAS_ERASED), SCRATCH(COUNTERS), SCRATCH(OFFSETS),
                                      SCRATCH(LEFT), SCRATCH(LEFT_COUNTS), AS_INT(PARTS) } },
        },
};

/* ---- calls on keys ------------------------------------------------------------------------------------------ */

/* Checks a call. It also finds the service program, so that nothing can fail after a sub-map is added. */
static mcl_status keys_start(mcl__map_plan *plan)
{
    mcl__call *const call = &plan->call;
    const mcl_map *const map = plan->map;
    MCL__TRY(mcl__map_check(call, map));
    call->room[OUT_VALUES] = call->room[FOUND] = call->operands[KEYS].input->count;
    MCL__TRY(mcl__call_ready(call));
    if (mcl__validates(call->options))
        MCL__TRY(mcl__validate_keys(call->queue, "keys", call->operands[KEYS].input, map->empty, map->erased,
                                    call->options));
    return mcl__map_service_program(&plan->service);
}

/* Returns 1 where the call's operator is op and values are integers. */
static int folds_by(const mcl__call *call, const mcl_op *op)
{
    return mcl__same_op(call->operands[OP].op, op) && mcl__is_of(call->types[MCL__MAP_VALUE], MCL__INTEGERS);
}

/* Returns 1 where the fold of 0 and a value is that value, bit for bit. Then a new entry can begin at 0. */
static int folds_at_once(const mcl__call *call)
{
    return folds_by(call, MCL_ADD) || folds_by(call, MCL_OR) || folds_by(call, MCL_XOR);
}

/* Returns 1 where a work-group first gathers its changes to the same slot (map_changes_group.clh). It does so for
 * assignments, and for sums of integers, which it can fold itself. */
static int gathers(const mcl__map_plan *plan)
{
    return (plan->assigns || folds_by(&plan->call, MCL_ADD)) && !plan->is_unique;
}

/* Returns 1 where new keys are inserted first, and elements of existing keys are folded in a later launch. */
static int folds_later(const mcl__map_plan *plan)
{
    return plan->call.operands[OP].op && !folds_at_once(&plan->call) && !plan->is_unique && !plan->is_owned &&
           !mcl__map_claims_entry(plan->map);
}

static mcl_status keys_program(mcl__map_plan *plan, unsigned passes)
{
    mcl__call *const call = &plan->call;
    const size_t place_bytes = MAP_GROUP_PLACE_BYTES(mcl__map_stored_bytes(plan->map));
    const mcl__tile_need need = { .element_bytes = plan->map->key_bytes,
                                  .local_bytes_per_thread = gathers(plan) ? MAP_GROUP_PLACES * place_bytes : 0,
                                  .local_bytes_fixed = 64,
                                  .serial_bytes_fixed = 64 + MAP_GATHERED_BYTES };
    const int64_t slots = mcl_map_capacity(plan->map), keys = call->operands[KEYS].input->count;
    call->passes = passes;
    mcl__map_define(call, plan->map);
    mcl__call_define(call, "MAP_ASSIGNS", plan->assigns);
    mcl__call_define(call, "MAP_UNIQUE", plan->is_unique || plan->is_owned);
    mcl__call_define(call, "MAP_ADDS", folds_by(call, MCL_ADD)); /* sums have an atomic of their own */
    mcl__call_define(call, "MAP_FOLDS_AT_ONCE", folds_at_once(call));
    mcl__call_define(call, "GROUP_GATHERS", gathers(plan));
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(call->queue->context, MCL__PARAMETER_map_resident));
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_map, need),
                             mcl__index_bits(keys > slots ? keys : slots, call->options));
}

/* Begins the call. It reserves a byte per key if one pass must tell a later pass which keys are done. has_done is 1
 * where the pass that inserts or finds keys reads these bytes. */
static mcl_status keys_begin(mcl__map_plan *plan, int has_done)
{
    mcl__call *const call = &plan->call;
    const int needs_done = has_done || folds_later(plan);
    const int64_t count = call->operands[KEYS].input->count;
    call->scalars[HAS_DONE] = has_done;
    mcl__call_scratch(call, DONE, needs_done ? (size_t)count : 0);
    if (plan->is_owned) {
        call->scalars[PARTS] = plan->parts;
        call->scalars[PART_BUCKETS] = plan->part_buckets;
        if (plan->offsets)
            mcl__call_scratch_at(call, OFFSETS, (mcl__span){ plan->offsets, 0 });
        else
            mcl__call_scratch(call, OFFSETS, 0);
        mcl__call_scratch(call, LEFT, plan->parts > 1 ? mcl__call_index_bytes(call, count) : 0);
        mcl__call_scratch(call, LEFT_COUNTS, (size_t)plan->parts * sizeof(int64_t));
    }
    MCL__TRY(mcl__call_begin(call));
    return mcl__map_settle(&plan->service, plan->map);
}

/* Returns the number of work-groups of a pass. A group that gathers changes does several tiles, unless the groups would
 * then be too few to fill the GPU. */
static int64_t groups_of(const mcl__map_plan *plan, int pass)
{
    enum { STEPS = 64 }; /* loop iterations per key: buckets and slots of its search */
    const mcl__call *const call = &plan->call;
    const mcl_context *const context = call->queue->context;
    const int64_t tiles = mcl__call_tiles(call, call->operands[KEYS].input->count);
    const int is_serial = mcl__call_is_serial(call);
    if (plan->is_owned) return pass == REST ? 1 : plan->parts;
    if (pass != SEEK && pass != ENTER) return tiles;
    if (is_serial && !context->limits.is_gpu) return mcl__call_parts(call, tiles, STEPS);
    if (is_serial || !gathers(plan)) return tiles;
    const int64_t filling = mcl__tuned_groups(context, MCL__PARAMETER_map_resident, mcl__call_tile(call).threads);
    const int64_t least = filling < tiles ? filling : tiles;
    const int64_t groups = tiles / mcl__tuned(context, MCL__PARAMETER_map_gathered_tiles);
    return groups > least ? groups : least;
}

static mcl_status keys_launch(mcl__map_plan *plan, int pass, int sub_map)
{
    mcl__call *const call = &plan->call;
    mcl__map_give(call, plan->map, &plan->map->sub_maps[sub_map], 0);
    mcl__call_scratch_at(call, COUNTERS, mcl__map_counters(plan->map, sub_map));
    return mcl__call_launch(call, pass, groups_of(plan, pass));
}

/* ---- entering ----------------------------------------------------------------------------------------------- */

/* Returns 1 where atomics are wide enough for the map's values. Values of existing keys are changed with atomics, since
 * several work-items may have the same key. */
static int changes_by_atomics(const mcl_map *map)
{
    const int has_words = map->context->limits.word_path != MCL__WORDS_NONE;
    return mcl__map_stored_bytes(map) <= (has_words ? sizeof(uint64_t) : sizeof(uint32_t));
}

/* Finds the sub-map for the new keys, and adds one where no sub-map has room. If bounds may be far above the true
 * numbers, it asks the device first. Otherwise a map into which the same keys are inserted repeatedly would grow
 * without end. On a preparing queue *target may be a sub-map that does not exist. */
static mcl_status enter_target(mcl__map_plan *plan, int *target, int *has_grown)
{
    mcl_map *const map = plan->map;
    const int64_t count = plan->call.operands[KEYS].input->count;
    *has_grown = 0;
    *target = mcl__map_with_room(map, count);
    if (*target < 0 && !plan->call.queue->preparing && mcl__map_is_doubtful(map, count)) {
        MCL__TRY(mcl__map_tighten(&plan->call, map));
        *target = mcl__map_with_room(map, count);
    }
    if (*target >= 0) return MCL_OK;
    *target = map->sub_map_count;
    if (plan->call.queue->preparing) return MCL_OK;
    const mcl_status status = mcl__map_grow(map, count);
    *has_grown = status == MCL_OK;
    if (status != MCL_ERROR_MEMORY) return status;
    MCL__TRY(mcl__map_tighten(&plan->call, map));
    *target = mcl__map_with_room(map, count);
    return *target >= 0 ? MCL_OK : status;
}

static mcl_status enter_launch(mcl__map_plan *plan, int target, const int *others, int other_count)
{
    mcl__call *const call = &plan->call;
    mcl_map *const map = plan->map;
    if (call->queue->preparing) return MCL_OK;
    for (int k = 0; k < other_count; ++k) {
        call->scalars[IS_FIRST] = k == 0;
        MCL__TRY(keys_launch(plan, SEEK, others[k]));
    }
    if (!plan->has_target) map->sub_maps[target].filled += call->operands[KEYS].input->count;
    call->scalars[HAS_ERASED] = map->sub_maps[target].has_erased;
    mcl__call_scratch_at(call, SKIPPED, mcl__map_skipped_counter(map, plan->is_unique || plan->is_counted));
    MCL__TRY(keys_launch(plan, ENTER, target));
    if (plan->is_owned) return plan->parts > 1 ? keys_launch(plan, REST, target) : MCL_OK;
    if (!folds_later(plan)) return MCL_OK;
    call->scalars[IS_FIRST] = 0;
    return keys_launch(plan, SEEK, target);
}

/* Checks an operator. Its accumulator must be a value of the map, since entries keep it. The operator must commute,
 * since elements are folded in any order. */
static mcl_status check_applied(const mcl__map_plan *plan)
{
    const mcl_op *const op = plan->call.operands[OP].op;
    const mcl_type *const value = plan->call.types[MCL__MAP_VALUE];
    if (!op->commutative)
        return mcl__fail(MCL_ERROR_ARGUMENT, "op is not marked commutative; expected an operator that is, since the "
                                             "elements of a key are folded in any order");
    if (op->combine)
        return mcl__fail(MCL_ERROR_ARGUMENT, "op has combine; expected an operator without, whose accumulators are "
                                             "values of the map");
    if (op->value && !mcl__same_type(op->value, value))
        return mcl__fail(MCL_ERROR_TYPE, "op folds %s; expected %s, the type of the map's values", op->value->name,
                         value->name);
    if (value->kind != MCL_KIND_FLOAT || !mcl__wants_same_bits(plan->call.options)) return MCL_OK;
    return mcl__fail(MCL_ERROR_UNSUPPORTED,
                     "MCL_DETERMINISTIC is asked for and values are %s; expected integers, "
                     "since floats are folded in an order that differs from run to run",
                     value->name);
}

/* Uses keys and values instead of the call's operands. */
static void take(mcl__map_plan *plan, mcl_input *keys, mcl_input *values, const mcl_options *options)
{
    plan->call.options = plan->service.options = options;
    plan->call.operands[KEYS].input = keys;
    if (plan->call.operands[VALUES].input) plan->call.operands[VALUES].input = values;
}

/* Inserts elements into the target, which has room for them. */
static mcl_status enter_in_target(mcl__map_plan *plan)
{
    int others[MCL__SUB_MAPS_MAX];
    const int other_count = mcl__map_list(plan->map, plan->target, others);
    MCL__TRY(keys_program(plan, MCL__BIT(SEEK) | MCL__BIT(ENTER) | (plan->is_owned ? MCL__BIT(REST) : 0)));
    MCL__TRY(keys_begin(plan, other_count > 0));
    MCL__TRY(enter_launch(plan, plan->target, others, other_count));
    return mcl__call_end(&plan->call);
}

/* Inserts the elements of an owned call that have been moved into parts. */
static mcl_status enter_owned(const mcl__map_plan *whole, mcl_input *keys, mcl_input *values,
                              const mcl_options *options)
{
    mcl__map_plan plan = *whole;
    take(&plan, keys, values, options);
    return enter_in_target(&plan);
}

/* Inserts the elements of keys and values, which have been checked. */
static mcl_status enter_elements(mcl__map_plan *plan)
{
    const mcl__call *const call = &plan->call;
    const mcl_input *const keys = call->operands[KEYS].input, *const values = call->operands[VALUES].input;
    int has_grown = 0;
    /* The program is found after a sub-map is added, since a larger map may need wider indices. */
    if (!plan->has_target) MCL__TRY(enter_target(plan, &plan->target, &has_grown));
    if (plan->is_owned) mcl__map_plan_owned(plan);
    const mcl_status status = plan->is_owned && plan->parts > 1
                                  ? mcl__map_part(plan, *keys, values ? *values : (mcl_input){ 0 }, enter_owned)
                                  : enter_in_target(plan);
    if (status != MCL_OK && has_grown && plan->map->sub_maps[plan->target].filled == 0) mcl__map_shrink(plan->map);
    return status;
}

/* Inserts keys and values instead of the call's operands. */
static mcl_status enter_as(mcl__map_plan *plan, mcl_input *keys, mcl_input *values, const mcl_options *options)
{
    take(plan, keys, values, options);
    return enter_elements(plan);
}

/* Inserts the elements that a step has moved into parts or folded. */
static mcl_status enter_made(const mcl__map_plan *whole, mcl_input *keys, mcl_input *values, const mcl_options *options)
{
    mcl__map_plan plan = *whole;
    return enter_as(&plan, keys, values, options);
}

/* Counts the caller's keys that are sentinels as skipped. Keys that steps have made contain no sentinels. */
static mcl_status skip(const mcl__map_plan *plan, const mcl_options *options)
{
    mcl__map_plan own = *plan;
    mcl__call *const call = &own.call;
    call->options = own.service.options = options;
    call->declaration = &map_keys;
    own.is_owned = 0;
    call->operands[VALUES].input = NULL;
    call->operands[OP].op = NULL;
    MCL__TRY(keys_program(&own, MCL__BIT(SKIP)));
    MCL__TRY(keys_begin(&own, 0));
    mcl__call_scratch_at(call, SKIPPED, mcl__map_skipped_counter(own.map, 0));
    MCL__TRY(keys_launch(&own, SKIP, 0));
    return mcl__call_end(call);
}

static mcl_status enter_folded(const mcl__map_plan *whole, mcl_input *keys, mcl_input *values,
                               const mcl_options *options)
{
    MCL__TRY(skip(whole, options));
    return enter_made(whole, keys, values, options);
}

/* Inserts one list of elements into sub-map *target, which has room for all elements of the caller. If *target is -1,
 * it finds that sub-map first and stores its number in *target. */
static mcl_status enter_part(const mcl__map_plan *whole, mcl__map_elements *part, int *target,
                             const mcl_options *options)
{
    mcl__map_plan plan = *whole;
    plan.is_counted = 1;
    plan.has_target = *target >= 0;
    plan.target = *target;
    const mcl_status status = enter_as(&plan, &part->keys, &part->values, options);
    *target = plan.target;
    return status;
}

/* Inserts two lists of elements. The first may be as long as the caller's list, so it finds a sub-map for both. */
static mcl_status enter_both(const mcl__map_plan *whole, mcl__map_elements *first, mcl__map_elements *second,
                             const mcl_options *options)
{
    int target = -1;
    MCL__TRY(enter_part(whole, first, &target, options));
    MCL__TRY(skip(whole, options));
    return enter_part(whole, second, &target, options);
}

static mcl_status enter(mcl__map_plan *plan, mcl_input keys, mcl_input values)
{
    const mcl_op *const op = plan->call.operands[OP].op;
    const int changes = plan->assigns || op, is_set = plan->map && plan->map->value_bytes == 0;
    if (changes && is_set) return mcl__fail(MCL_ERROR_ARGUMENT, "map is a set; expected a map that has values");
    plan->call.operands[KEYS].input = &keys;
    if (values.type || !is_set) plan->call.operands[VALUES].input = &values;
    MCL__TRY(keys_start(plan));
    if (op) MCL__TRY(check_applied(plan));
    plan->is_owned = mcl__map_owns(plan, op);
    if (plan->is_owned) plan->call.declaration = &owned_keys;
    if (changes && !plan->is_owned && !changes_by_atomics(plan->map))
        return mcl__map_fold(plan, keys, values, op, enter_folded);
    /* An operator with an extract is excluded, since an extract may use an element's index. */
    if (!plan->is_owned && mcl__map_parts(plan, keys.count) > 1 && !(op && op->extract))
        return mcl__map_part(plan, keys, values, enter_made);
    if (mcl__map_lists(plan, op, &keys, &values)) return mcl__map_list_keys(plan, keys, values, op, enter_both);
    return enter_elements(plan);
}

mcl_status mcl_map_insert(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values, const mcl_options *options)
{
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &map_keys, "mcl_map_insert", queue, map, options);
    return enter(&plan, keys, values);
}

mcl_status mcl_map_insert_or_assign(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                    const mcl_options *options)
{
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &map_keys, "mcl_map_insert_or_assign", queue, map, options);
    plan.assigns = 1;
    return enter(&plan, keys, values);
}

mcl_status mcl_map_insert_or_apply(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values, const mcl_op *op,
                                   const mcl_options *options)
{
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &map_keys, "mcl_map_insert_or_apply", queue, map, options);
    if (!op) return mcl__fail(MCL_ERROR_ARGUMENT, "op is NULL; expected a fold");
    plan.call.operands[OP].op = op;
    return enter(&plan, keys, values);
}

/* ---- finding and erasing ------------------------------------------------------------------------------------ */

/* Stores a value in the form that the map has: halves become floats. */
static void store_value(const mcl_map *map, const void *value, unsigned char *out)
{
    uint16_t half;
    memcpy(out, value, map->value_bytes);
    if (strcmp(map->value_name, MCL_HALF->name) != 0) return;
    memcpy(&half, value, sizeof half);
    const float real = mcl__half_to_float(half);
    memcpy(out, &real, sizeof real);
}

static mcl_status find(mcl__map_plan *plan, mcl_input keys, mcl_output values, const void *missing, mcl_output found)
{
    mcl__call *const call = &plan->call;
    unsigned char absent[MCL__MAP_VALUE_MAX] = { 0 };
    int list[MCL__SUB_MAPS_MAX] = { 0 };
    call->operands[KEYS].input = &keys;
    if (mcl__is_wanted(&values)) call->operands[OUT_VALUES].output = &values;
    if (mcl__is_wanted(&found)) call->operands[FOUND].output = &found;
    MCL__TRY(keys_start(plan));
    call->scalars[HAS_MISSING] = missing != NULL;
    if (missing) store_value(plan->map, missing, absent);
    call->by_value[MISSING].bytes = absent;
    call->by_value[MISSING].size = MAP_VALUE_BYTES(plan->map->value_bytes > 0 ? plan->map->value_bytes : 1);
    MCL__TRY(keys_program(plan, MCL__BIT(FIND)));
    const int count = mcl__map_list(plan->map, -1, list);
    MCL__TRY(keys_begin(plan, count > 1));
    call->scalars[IS_FIRST] = 1;
    MCL__TRY(keys_launch(plan, FIND, list[0])); /* without entries, the launch stores that no key is found */
    call->scalars[IS_FIRST] = 0;
    for (int k = 1; k < count; ++k) MCL__TRY(keys_launch(plan, FIND, list[k]));
    return mcl__call_end(call);
}

mcl_status mcl_map_find(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output values, const void *missing,
                        mcl_output found, const mcl_options *options)
{
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &map_keys, "mcl_map_find", queue, map, options);
    if (!mcl__is_wanted(&values) && !mcl__is_wanted(&found))
        return mcl__fail(MCL_ERROR_ARGUMENT, "values and found are both all zero; expected one output at least");
    return find(&plan, keys, values, missing, found);
}

mcl_status mcl_map_contains(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output found,
                            const mcl_options *options)
{
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &map_keys, "mcl_map_contains", queue, map, options);
    MCL__TRY(mcl__check_wanted("found", &found));
    return find(&plan, keys, (mcl_output){ 0 }, NULL, found);
}

mcl_status mcl_map_erase(mcl_queue *queue, mcl_map *map, mcl_input keys, const mcl_options *options)
{
    mcl__map_plan plan;
    mcl__map_call_init(&plan, &map_keys, "mcl_map_erase", queue, map, options);
    int list[MCL__SUB_MAPS_MAX];
    plan.call.operands[KEYS].input = &keys;
    MCL__TRY(keys_start(&plan));
    MCL__TRY(keys_program(&plan, MCL__BIT(ERASE)));
    MCL__TRY(keys_begin(&plan, 0));
    const int count = keys.count > 0 && !queue->preparing ? mcl__map_list(map, -1, list) : 0;
    if (count > 0) map->erased_since += keys.count;
    for (int k = 0; k < count; ++k) {
        map->sub_maps[list[k]].has_erased = 1;
        MCL__TRY(keys_launch(&plan, ERASE, list[k]));
    }
    return mcl__call_end(&plan.call);
}
