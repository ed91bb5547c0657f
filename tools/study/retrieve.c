/* retrieve.c: times five ways to take all entries out of a hash map with n entries in 2 n slots. */
#include "study/study.h"

typedef struct retrieve_call {
    mcl_map *map;
    mcl_buffer *keys, *values, *places;
    mcl_options options; /* the way */
} retrieve_call;

static mcl_status run_way(study *at, void *data, const mcl_options *options)
{
    retrieve_call *const call = data;
    mcl_options own = call->options;
    own.done = options ? options->done : NULL;
    return mcl_map_retrieve_all(at->queue, call->map, mcl_to_buffer(MCL_INT32, call->keys, 0, at->n),
                                mcl_to_buffer(MCL_INT32, call->values, 0, at->n), mcl_to_nowhere(), &own);
}

/* Checks a way's result. Keys are 0 to n - 1, and each value equals its key. Each value is put at its key's index, and
 * differences are counted. */
static mcl_status check_way(study *at, retrieve_call *call, study_row *row)
{
    const int32_t nothing = -1;
    const mcl_binding binding = mcl_binding_buffer("places", MCL_INT32, call->places, 0);
    const mcl_input wrong = mcl_from_expression(MCL_INT32, "places[i] != (int32_t)i", NULL, &binding, 1, at->n);
    int32_t differing = -1;
    const mcl_output places = mcl_to_buffer(MCL_INT32, call->places, 0, at->n);
    mcl_status status = mcl_transform(at->queue, mcl_from_constant(MCL_INT32, &nothing, at->n), places, NULL);
    if (status == MCL_OK)
        status = mcl_scatter(at->queue, mcl_from_buffer(MCL_INT32, call->values, 0, at->n),
                             mcl_from_buffer(MCL_INT32, call->keys, 0, at->n), places, NULL);
    if (status == MCL_OK) status = mcl_reduce(at->queue, wrong, MCL_ADD, mcl_to_host(MCL_INT32, &differing), NULL);
    row->is_right = status == MCL_OK && differing == 0;
    return status;
}

static mcl_status measure_way(study *at, retrieve_call *call, const char *name, mcl_append way, int width)
{
    const unsigned char pattern = 0xA5;
    study_row *const row = study_add_row(at, name);
    row->bytes = 2.0 * sizeof(int32_t) * 3.0 * (double)at->n;
    call->options = (mcl_options){ .append = way, .append_width = width };
    mcl_status status = mcl_buffer_fill(at->queue, call->keys, 0, (size_t)at->n * sizeof(int32_t), &pattern, 1);
    if (status == MCL_OK) status = run_way(at, call, NULL);
    if (status == MCL_OK) status = check_way(at, call, row);
    return status == MCL_OK ? study_time(at, run_way, call, &row->milliseconds) : status;
}

static mcl_status measure_ways(study *at, retrieve_call *call)
{
    mcl_status status = measure_way(at, call, "one global atomic", MCL_APPEND_GLOBAL_ATOMIC, 0);
    if (status == MCL_OK) status = measure_way(at, call, "work-group atomics", MCL_APPEND_GROUP_ATOMIC, 0);
    if (status == MCL_OK) status = measure_way(at, call, "work-group scan", MCL_APPEND_GROUP_SCAN, 0);
    if (status == MCL_OK) status = measure_way(at, call, "sub-group atomics", MCL_APPEND_SUB_GROUP_ATOMIC, 0);
    for (int width = 2; width <= 32 && status == MCL_OK; width *= 2) {
        char name[STUDY_NAME_BYTES];
        (void)snprintf(name, sizeof name, "sub-group tiles of %d", width);
        status = measure_way(at, call, name, MCL_APPEND_SUB_GROUP_TILE, width);
    }
    return status;
}

mcl_status study_retrieve(study *at)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 2 * at->n, .max_load = 0.5 };
    const size_t bytes = (size_t)at->n * sizeof(int32_t);
    const int32_t zero = 0;
    const mcl_input numbers = mcl_from_counting(MCL_INT32, &zero, at->n);
    retrieve_call call = { 0 };
    mcl_status status = mcl_map_create(at->context, &config, &call.map);
    if (status == MCL_OK) status = mcl_buffer_create(at->context, bytes, NULL, &call.keys);
    if (status == MCL_OK) status = mcl_buffer_create(at->context, bytes, NULL, &call.values);
    if (status == MCL_OK) status = mcl_buffer_create(at->context, bytes, NULL, &call.places);
    if (status == MCL_OK) status = mcl_map_insert(at->queue, call.map, numbers, numbers, NULL);
    if (status == MCL_OK) status = measure_ways(at, &call);
    mcl_buffer_release(call.keys);
    mcl_buffer_release(call.values);
    mcl_buffer_release(call.places);
    mcl_map_release(call.map);
    return status;
}
