/* map.c: a hash map that lies on all ranks: each key has one rank that owns it, whose map of the core has its entry. */
#include "owners.h"

#include <stdlib.h>
#include <string.h>

enum { TYPE_NAME_BYTES = 64 }; /* the core's maps take no longer names */

struct mcl_mpi_map {
    mcl_mpi *mpi;
    mcl_map *own;                  /* entries of the keys that this rank owns */
    int64_t number;                /* number among the maps that the ranks have made, the same on all of them */
    size_t key_bytes, value_bytes; /* a set's values have 0 */
    char key_name[TYPE_NAME_BYTES], value_name[TYPE_NAME_BYTES];
};

/* ---- create and release ------------------------------------------------------------------------------------ */

static mcl_status make_own(mcl_mpi *mpi, const mcl_map_config *config, mcl_mpi_map *map, mcl_mpi_map **out)
{
    if (!out) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "out is NULL");
    if (!map) return mcl__refuse(mpi, MCL_ERROR_MEMORY, "no host memory for a map");
    if (mpi->size > OWNERS_MOST)
        return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "a map has %d ranks; expected at most %d", mpi->size,
                           (int)OWNERS_MOST);
    const mcl_status status = mcl_map_create(mpi->context, config, &map->own);
    if (status != MCL_OK) return status;
    map->mpi = mpi;
    map->key_bytes = config->key->size;
    strcpy(map->key_name, config->key->name);
    if (!config->value) return MCL_OK;
    map->value_bytes = config->value->size;
    strcpy(map->value_name, config->value->name);
    return MCL_OK;
}

mcl_status mcl_mpi_map_create(mcl_mpi *mpi, const mcl_map_config *config, mcl_mpi_map **out)
{
    MCL__ENTER(mpi, "mcl_mpi_map_create");
    if (out) *out = NULL;
    mcl_mpi_map *const map = calloc(1, sizeof *map);
    mcl__signature *const signature = mcl__sign(mpi);
    const mcl_type *const key = config ? config->key : NULL;
    mcl__sign_type(signature, "config->key", key);
    mcl__sign_type(signature, "config->value", config ? config->value : NULL);
    mcl__sign_bytes(signature, "config->empty_key", config ? config->empty_key : NULL, key ? key->size : 0);
    mcl__sign_bytes(signature, "config->erased_key", config ? config->erased_key : NULL, key ? key->size : 0);
    const mcl_status status = mcl__begin(mpi, signature, make_own(mpi, config, map, out));
    if (status != MCL_OK) {
        mcl_mpi_map_release(map);
        return status;
    }
    map->number = ++mpi->maps_made;
    *out = map;
    return MCL_OK;
}

void mcl_mpi_map_release(mcl_mpi_map *map)
{
    if (!map) return;
    mcl_map_release(map->own);
    free(map);
}

/* ---- what calls share -------------------------------------------------------------------------------------- */

typedef mcl_status (*enter_function)(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                     const mcl_options *options);

typedef struct map_call {
    mcl_mpi_map *map;
    mcl__route route;
    enter_function enter; /* NULL: op is applied, or keys are erased where nothing is */
    int applies;
    const mcl_op *op;
    mcl_options own;
} map_call;

static mcl_status check_map(mcl_mpi *mpi, const mcl_mpi_map *map)
{
    if (!map) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "map is NULL");
    if (map->mpi != mpi) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "map is of other ranks than mpi");
    return MCL_OK;
}

static mcl_status check_type(mcl_mpi *mpi, const mcl_type *type, const char *operand, const char *name, size_t bytes)
{
    if (type && type->name && type->size == bytes && strcmp(type->name, name) == 0) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_TYPE, "%s is of %s; expected %s, as the map", operand,
                       type && type->name ? type->name : "no type", name);
}

static mcl_status check_values(mcl_mpi *mpi, const mcl_mpi_map *map, mcl__route *route)
{
    mcl_input *const values = &route->values;
    if (route->load != LOAD_VALUES) return MCL_OK;
    if (map->value_bytes == 0)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values is given; expected none, since the map is a set");
    const mcl_status status = check_type(mpi, values->type, "values", map->value_name, map->value_bytes);
    if (status != MCL_OK) return status;
    if (values->count < route->keys.count)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has %lld elements; expected %lld, as many as keys",
                           (long long)values->count, (long long)route->keys.count);
    values->count = route->keys.count;
    values->count_slot = NULL;
    return MCL_OK;
}

/* Refuses sentinels among this rank's keys, since owners would know neither their rank nor their index. */
static mcl_status validate_keys(mcl_mpi *mpi, const map_call *call, const mcl_options *options)
{
    const mcl_input keys = call->route.keys;
    const mcl_options checks = { .flags = MCL_VALIDATE };
    mcl_buffer *found = NULL;
    if (!options || !(options->flags & MCL_VALIDATE) || keys.count == 0) return MCL_OK;
    mcl_status status = mcl__room_of(mpi, ROOM_RIGHT, keys.count, &found);
    MCL__THEN(status, mcl_map_contains(mpi->queue, call->map->own, keys, mcl_to_buffer(MCL_UINT8, found, 0, keys.count),
                                       &checks));
    return status;
}

static mcl_status check_keys(mcl_mpi *mpi, map_call *call, const mcl_options *options)
{
    mcl_status status = check_map(mpi, call->map);
    MCL__THEN(status, mcl__check_options(mpi, options));
    MCL__THEN(status, mcl__settle_count(mpi, &call->route.keys));
    MCL__THEN(status, check_type(mpi, call->route.keys.type, "keys", call->map->key_name, call->map->key_bytes));
    MCL__THEN(status, check_values(mpi, call->map, &call->route));
    MCL__THEN(status, validate_keys(mpi, call, options));
    call->own = mcl__own_options(options);
    call->own.flags &= ~(unsigned)MCL_VALIDATE;
    return status;
}

static mcl__signature *sign_map(mcl_mpi *mpi, const mcl_mpi_map *map, const mcl_options *options)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_number(signature, "the number of map", map ? map->number : 0);
    mcl__sign_options(signature, options);
    return signature;
}

/* ---- calls on keys ----------------------------------------------------------------------------------------- */

/* Checks the fold. Elements have other indices where they arrive, so an extract could not see i. */
static mcl_status check_fold(mcl_mpi *mpi, const map_call *call)
{
    if (!call->applies) return MCL_OK;
    if (!call->op) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "op is NULL");
    if (call->op->extract) return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "op has extract; expected none");
    return MCL_OK;
}

static mcl_status enter(mcl_mpi *mpi, map_call *call, const mcl_options *options)
{
    const mcl__route *const route = &call->route;
    mcl__signature *const signature = sign_map(mpi, call->map, options);
    if (call->applies) mcl__sign_op(signature, "op", call->op);
    mcl_status status = check_keys(mpi, call, options);
    MCL__THEN(status, check_fold(mpi, call));
    MCL__BEGIN(mpi, signature, status);
    /* All keys go in one call, since the core splits many keys by their buckets first, and half as many may not do. */
    MCL__AGREE(mpi, mcl__route_keys(mpi, &call->route));
    if (call->applies)
        status = mcl_map_insert_or_apply(mpi->queue, call->map->own, route->came_keys, route->came_values, call->op,
                                         &call->own);
    else if (call->enter)
        status = call->enter(mpi->queue, call->map->own, route->came_keys, route->came_values, &call->own);
    else
        status = mcl_map_erase(mpi->queue, call->map->own, route->came_keys, &call->own);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    return mcl__agree(mpi, status);
}

static mcl_status enter_run(mcl_mpi *mpi, map_call *call, const mcl_options *options)
{
    const mcl_status status = enter(mpi, call, options);
    mcl__route_free(&call->route);
    return status;
}

static map_call entries_of(mcl_mpi_map *map, mcl_input keys, mcl_input values)
{
    /* a set has no values, and what is given all the same is for the check to say */
    const mcl__load load = map && map->value_bytes == 0 && !values.type ? LOAD_NONE : LOAD_VALUES;
    return (map_call){ .map = map, .route = { .load = load, .keys = keys, .values = values } };
}

mcl_status mcl_mpi_map_insert(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                              const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_insert");
    map_call call = entries_of(map, keys, values);
    call.enter = mcl_map_insert;
    return enter_run(mpi, &call, options);
}

mcl_status mcl_mpi_map_insert_or_assign(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                        const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_insert_or_assign");
    map_call call = entries_of(map, keys, values);
    call.enter = mcl_map_insert_or_assign;
    return enter_run(mpi, &call, options);
}

mcl_status mcl_mpi_map_insert_or_apply(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_input values,
                                       const mcl_op *op, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_insert_or_apply");
    map_call call = entries_of(map, keys, values);
    call.applies = 1;
    call.op = op;
    return enter_run(mpi, &call, options);
}

mcl_status mcl_mpi_map_erase(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_erase");
    map_call call = { .map = map, .route = { .load = LOAD_NONE, .keys = keys } };
    return enter_run(mpi, &call, options);
}

/* ---- find -------------------------------------------------------------------------------------------------- */

typedef struct find_call {
    map_call call;
    mcl_output values, found;
    const void *missing;
} find_call;

/* Returns whether owners must tell which keys were found. Without a value for missing keys found tells which values to
 * leave alone. */
static int needs_found(const find_call *find)
{
    return find->found.buffer || !find->missing;
}

static mcl_status check_answer(mcl_mpi *mpi, mcl_output out, const mcl_type *type, int64_t count, const char *name)
{
    if (!out.buffer) return MCL_OK;
    if (out.capacity < count)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "%s has room for %lld elements; expected %lld, as many as keys",
                           name, (long long)out.capacity, (long long)count);
    return mcl__check_output(mpi, out, type, count, name);
}

static mcl_status check_find(mcl_mpi *mpi, find_call *find, const mcl_options *options)
{
    const mcl_mpi_map *const map = find->call.map;
    mcl_status status = check_keys(mpi, &find->call, options);
    if (status != MCL_OK) return status;
    const int64_t count = find->call.route.keys.count;
    if (!find->values.buffer && !find->found.buffer)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values and found are both not given; expected one of them");
    if (find->values.buffer && map->value_bytes == 0)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values is given; expected none, since the map is a set");
    if (find->values.buffer) status = check_type(mpi, find->values.type, "values", map->value_name, map->value_bytes);
    MCL__THEN(status, check_answer(mpi, find->values, find->values.type, count, "values"));
    if (status == MCL_OK && find->found.buffer && find->found.type != MCL_UINT8 && find->found.type != MCL_INT8)
        status = mcl__refuse(mpi, MCL_ERROR_TYPE, "found is of %s; expected MCL_UINT8 or MCL_INT8",
                             find->found.type ? find->found.type->name : "no type");
    MCL__THEN(status, check_answer(mpi, find->found, find->found.type, count, "found"));
    return status;
}

/* Answers of keys: values, and whether they were found; NULL: not asked for. */
typedef struct answers {
    mcl_buffer *values, *found;
} answers;

/* Gives rooms for the answers of count keys. */
static mcl_status answer_rooms(mcl_mpi *mpi, const find_call *find, mcl__room values, mcl__room found, int64_t count,
                               answers *out)
{
    mcl_status status = MCL_OK;
    *out = (answers){ NULL, NULL };
    if (find->values.buffer) status = mcl__room_of(mpi, values, count * (int64_t)find->values.type->size, &out->values);
    if (needs_found(find)) MCL__THEN(status, mcl__room_of(mpi, found, count, &out->found));
    return status;
}

/* Finds the answers of some keys that this rank owns. They go to elements from first on. */
static mcl_status find_part(mcl_mpi *mpi, const find_call *find, mcl_input keys, const answers *to, int64_t first)
{
    mcl_output values = { 0 }, found = { 0 };
    if (keys.count == 0) return MCL_OK;
    if (to->values) values = mcl_to_buffer(find->values.type, to->values, first, keys.count);
    if (to->found) found = mcl_to_buffer(MCL_UINT8, to->found, first, keys.count);
    return mcl_map_find(mpi->queue, find->call.map->own, keys, values, find->missing, found, &find->call.own);
}

/* Stores the answers from first to end where their keys were. Answers are in the order of the keys' owners. */
static mcl_status store_answers(mcl_mpi *mpi, const find_call *find, const answers *of, int64_t first, int64_t end)
{
    const int64_t count = end - first;
    mcl_input indices = find->call.route.indices;
    mcl_status status = MCL_OK;
    if (count == 0) return MCL_OK;
    indices.offset += first;
    indices.count = count;
    const mcl_input found = mcl_from_buffer(MCL_UINT8, of->found, first, count);
    if (find->values.buffer) {
        const mcl_input values = mcl_from_buffer(find->values.type, of->values, first, count);
        status = find->missing ? mcl_scatter(mpi->queue, values, indices, find->values, NULL)
                               : mcl_scatter_flagged(mpi->queue, values, indices, found, find->values, NULL);
    }
    if (!find->found.buffer) return status;
    mcl_output bytes = find->found;
    bytes.type = MCL_UINT8;
    MCL__THEN(status, mcl_scatter(mpi->queue, found, indices, bytes, NULL));
    return status;
}

/* Brings the keys to their owners. This rank finds those that it owns itself while the others are on their way. */
static mcl_status find_owned(mcl_mpi *mpi, find_call *find, answers *back, answers *there)
{
    mcl__route *const route = &find->call.route;
    mcl_status status = mcl__agree(mpi, mcl__route_begin(mpi, route));
    MCL__THEN(status, answer_rooms(mpi, find, ROOM_LEFT_VALUES, ROOM_RIGHT_VALUES, route->keys.count, back));
    MCL__THEN(status, find_part(mpi, find, route->own_keys, back, route->own_keys.offset));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    const mcl_status ended = mcl__route_end(mpi);
    if (status == MCL_OK) status = ended;
    MCL__THEN(status, answer_rooms(mpi, find, ROOM_LEFT, ROOM_RIGHT, route->came_keys.count, there));
    MCL__THEN(status, find_part(mpi, find, route->came_keys, there, 0));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    return mcl__agree(mpi, status);
}

/* Brings the answers back. Those of the rank's own keys are stored meanwhile. */
static mcl_status bring_answers(mcl_mpi *mpi, const find_call *find, const answers *back, const answers *there)
{
    const mcl__route *const route = &find->call.route;
    const int64_t own_first = route->own_keys.offset, own_end = own_first + route->own_keys.count;
    mcl_status status = MCL_OK;
    if (there->values) status = mcl__route_answers(mpi, route, find->values.type, there->values, back->values);
    if (there->found) {
        const mcl_status posted = mcl__route_answers(mpi, route, MCL_UINT8, there->found, back->found);
        if (status == MCL_OK) status = posted;
    }
    MCL__THEN(status, store_answers(mpi, find, back, own_first, own_end));
    const mcl_status ended = mcl__route_end(mpi);
    if (status == MCL_OK) status = ended;
    MCL__THEN(status, store_answers(mpi, find, back, 0, own_first));
    MCL__THEN(status, store_answers(mpi, find, back, own_end, route->keys.count));
    return status;
}

static mcl_status find_keys(mcl_mpi *mpi, find_call *find, const mcl_options *options)
{
    map_call *const call = &find->call;
    mcl__signature *const signature = sign_map(mpi, call->map, options);
    mcl__sign_number(signature, "whether values are given", find->values.buffer != NULL);
    mcl__sign_number(signature, "whether found is given", find->found.buffer != NULL);
    mcl__sign_bytes(signature, "missing", find->missing, call->map ? call->map->value_bytes : 0);
    MCL__BEGIN(mpi, signature, check_find(mpi, find, options));
    if (mpi->size == 1)
        return mcl__agree(mpi, mcl_map_find(mpi->queue, call->map->own, call->route.keys, find->values, find->missing,
                                            find->found, &call->own));
    answers back, there;
    MCL__AGREE(mpi, find_owned(mpi, find, &back, &there));
    const mcl_status status = bring_answers(mpi, find, &back, &there);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    return mcl__agree(mpi, status);
}

static mcl_status find_run(mcl_mpi *mpi, find_call *find, const mcl_options *options)
{
    const mcl_status status = find_keys(mpi, find, options);
    mcl__route_free(&find->call.route);
    return status;
}

mcl_status mcl_mpi_map_find(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_output values, const void *missing,
                            mcl_output found, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_find");
    find_call find = { .call = { .map = map, .route = { .load = LOAD_INDICES, .is_apart = 1, .keys = keys } },
                       .values = values,
                       .found = found,
                       .missing = missing };
    return find_run(mpi, &find, options);
}

mcl_status mcl_mpi_map_contains(mcl_mpi *mpi, mcl_mpi_map *map, mcl_input keys, mcl_output found,
                                const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_contains");
    find_call find = { .call = { .map = map, .route = { .load = LOAD_INDICES, .is_apart = 1, .keys = keys } },
                       .found = found };
    return find_run(mpi, &find, options);
}

/* ---- calls on all entries ---------------------------------------------------------------------------------- */

typedef mcl_status (*count_function)(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

static mcl_status check_all(mcl_mpi *mpi, const mcl_mpi_map *map, const mcl_options *options)
{
    mcl_status status = check_map(mpi, map);
    MCL__THEN(status, mcl__check_options(mpi, options));
    return status;
}

mcl_status mcl_mpi_map_retrieve_all(mcl_mpi *mpi, mcl_mpi_map *map, mcl_output keys, mcl_output values,
                                    mcl_result count, mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_retrieve_all");
    const mcl__signature *const signature = sign_map(mpi, map, options);
    const mcl_options own = mcl__own_options(options);
    int64_t kept = 0;
    MCL__BEGIN(mpi, signature, check_all(mpi, map, options));
    MCL__AGREE(mpi, mcl_map_retrieve_all(mpi->queue, map->own, keys, values, mcl_to_host(MCL_INT64, &kept), &own));
    return mcl__leave(mpi, mcl__agree(mpi, mcl__store_counts(mpi, kept, count, whole)));
}

static mcl_status count_all(mcl_mpi *mpi, mcl_mpi_map *map, count_function function, mcl_result count, mcl_result whole,
                            const mcl_options *options)
{
    const mcl__signature *const signature = sign_map(mpi, map, options);
    const mcl_options own = mcl__own_options(options);
    int64_t number = 0;
    MCL__BEGIN(mpi, signature, check_all(mpi, map, options));
    MCL__AGREE(mpi, function(mpi->queue, map->own, mcl_to_host(MCL_INT64, &number), &own));
    return mcl__leave(mpi, mcl__agree(mpi, mcl__store_counts(mpi, number, count, whole)));
}

mcl_status mcl_mpi_map_size(mcl_mpi *mpi, mcl_mpi_map *map, mcl_result count, mcl_result whole,
                            const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_size");
    return count_all(mpi, map, mcl_map_size, count, whole, options);
}

mcl_status mcl_mpi_map_skipped(mcl_mpi *mpi, mcl_mpi_map *map, mcl_result count, mcl_result whole,
                               const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_skipped");
    return count_all(mpi, map, mcl_map_skipped, count, whole, options);
}

mcl_status mcl_mpi_map_clear(mcl_mpi *mpi, mcl_mpi_map *map, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_map_clear");
    const mcl__signature *const signature = sign_map(mpi, map, options);
    const mcl_options own = mcl__own_options(options);
    MCL__BEGIN(mpi, signature, check_all(mpi, map, options));
    return mcl__leave(mpi, mcl__agree(mpi, mcl_map_clear(mpi->queue, map->own, &own)));
}
