/* group_by.c: folds the values of equal keys on all ranks, and finds distinct keys. Each rank folds the groups of its
 * own keys. The partials go to the owners of the keys, which fold them again. */
#include "operators.h"
#include "owners.h"

#include <stdio.h>
#include <stdlib.h>

enum { LABEL_BYTES = 32 };

/* A column of partials: one fold of the caller's, the sums of a mean, or the counts of all means. */
typedef struct column {
    mcl_input values;
    const mcl_type *type; /* type of the partials */
    mcl_op local, joined; /* fold of the elements, and fold of the partials */
    int64_t at;           /* index of its first partial in a scratch buffer of several columns */
    mcl_buffer *came;     /* received partials of the groups that this rank owns */
    mcl_output out;       /* output of the fold of received partials */
} column;

typedef struct group_call {
    mcl_input keys;
    mcl_output out_keys;
    const mcl_aggregate *aggregates;
    int aggregate_count;
    mcl_result count, whole;
    mcl_options own;
    column *columns;  /* one column for each aggregate; then one for the counts of means */
    int column_count; /* number of columns; there is one for counts only if there are means */
    int64_t groups;   /* number of groups of this rank's keys; later of groups that it owns */
    mcl__route route;
} group_call;

static int is_mean(const mcl_aggregate *of)
{
    return of->op && of->op->role == MCL_ROLE_MEAN;
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

static void sign(mcl__signature *signature, const group_call *call, const mcl_options *options)
{
    mcl__sign_type(signature, "the type of keys", call->keys.type);
    mcl__sign_options(signature, options);
    mcl__sign_number(signature, "aggregate_count", call->aggregate_count);
    for (int k = 0; call->aggregates && k < call->aggregate_count; ++k) {
        const mcl_aggregate *const of = &call->aggregates[k];
        char name[LABEL_BYTES];
        snprintf(name, sizeof name, "aggregates[%d].op", k);
        mcl__sign_op(signature, name, of->op);
        snprintf(name, sizeof name, "the type of values %d", k);
        mcl__sign_type(signature, name, of->values.type);
        snprintf(name, sizeof name, "the type of out %d", k);
        mcl__sign_given(signature, name, of->out.type,
                        is_mean(of)               ? MCL_DOUBLE
                        : of->op && of->op->value ? of->op->value
                                                  : of->values.type);
    }
}

static mcl_status check_aggregate(mcl_mpi *mpi, const mcl_aggregate *of, int k)
{
    if (!of->op) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "aggregates[%d].op is NULL", k);
    if (!of->values.type) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "aggregates[%d].values has no type", k);
    if (of->op->combine)
        return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "aggregates[%d].op has combine; expected none", k);
    const mcl_type *const out = of->out.type;
    if (!is_mean(of)) return MCL_OK;
    if (of->values.type->kind == MCL_KIND_STRUCT)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "aggregates[%d].values is of %s; expected numbers, for a mean", k,
                           of->values.type->name);
    if (out && out != MCL_FLOAT && out != MCL_DOUBLE)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "aggregates[%d].out is of %s; expected MCL_FLOAT or MCL_DOUBLE", k,
                           out->name ? out->name : "no name");
    return MCL_OK;
}

static mcl_status check(mcl_mpi *mpi, group_call *call, const mcl_options *options)
{
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->keys));
    if (status != MCL_OK) return status;
    if (options && options->initial)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "options->initial is given; expected NULL");
    if (call->aggregate_count < 0 || (call->aggregate_count > 0 && !call->aggregates))
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "there are %d aggregates%s", call->aggregate_count,
                           call->aggregates ? "; expected 0 or more" : ", and the list is NULL");
    if (mpi->size > OWNERS_MOST)
        return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "there are %d ranks; expected at most %d", mpi->size,
                           (int)OWNERS_MOST);
    for (int k = 0; k < call->aggregate_count; ++k) MCL__THEN(status, check_aggregate(mpi, &call->aggregates[k], k));
    MCL__THEN(status, mcl__array(mpi, call->aggregate_count + 1, sizeof *call->columns, &call->columns));
    return status;
}

/* ---- columns ----------------------------------------------------------------------------------------------- */

/* Plans a fold. Both steps fold in a type that is wide enough for the results of all ranks. */
static mcl_status plan_fold(mcl_mpi *mpi, const mcl_aggregate *of, column *to)
{
    const mcl_type *results[MCL__FOLD_RESULTS] = { of->out.type };
    mcl__fold fold;
    MCL__AGREE(mpi, mcl__fold_results(mpi, of->op, results));
    const mcl_status status = mcl__fold_plan(mpi, of->op, of->values.type, results, 0, NULL, &fold);
    if (status != MCL_OK) return status;
    if (fold.is_indexed)
        return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED,
                           "an aggregate has the accumulator MCL_INDEXED; expected one without an index");
    to->type = fold.partial;
    to->local = *of->op; /* the caller's own text, so that the core refuses an i in it */
    if (fold.partial != (of->op->value ? of->op->value : of->values.type)) to->local.value = fold.partial;
    return MCL_OK;
}

/* Plans the sums of a mean. As mcl_aggregate says, integers are added in 64 bits, floats in the wider type. */
static mcl_status plan_mean(mcl_mpi *mpi, const mcl_aggregate *of, column *to)
{
    const mcl_type *const values = of->values.type;
    const mcl_type *results[MCL__FOLD_RESULTS] = { of->out.type };
    MCL__AGREE(mpi, mcl__fold_results(mpi, MCL_ADD, results));
    const int is_wide = values->size == sizeof(double) || results[1] == MCL_DOUBLE;
    to->type = values->kind == MCL_KIND_SIGNED     ? MCL_INT64
               : values->kind == MCL_KIND_UNSIGNED ? MCL_UINT64
               : is_wide                           ? MCL_DOUBLE
                                                   : MCL_FLOAT;
    to->local = *MCL_ADD;
    to->local.value = to->type;
    return MCL_OK;
}

static mcl_status plan_columns(mcl_mpi *mpi, group_call *call)
{
    const int64_t one = 1;
    int means = 0;
    mcl_status status = MCL_OK;
    for (int k = 0; k < call->aggregate_count && status == MCL_OK; ++k) {
        const mcl_aggregate *const of = &call->aggregates[k];
        call->columns[k].values = of->values;
        call->columns[k].out = of->out;
        means += is_mean(of);
        status = mcl__agree(mpi, is_mean(of) ? plan_mean(mpi, of, &call->columns[k])
                                             : plan_fold(mpi, of, &call->columns[k]));
    }
    call->column_count = call->aggregate_count + (means > 0);
    if (means > 0)
        call->columns[call->aggregate_count] = (column){ .values = mcl_from_constant(MCL_INT64, &one, call->keys.count),
                                                         .type = MCL_INT64,
                                                         .local = *MCL_ADD };
    for (int k = 0; k < call->column_count; ++k) {
        column *const of = &call->columns[k];
        of->joined = of->local;
        of->joined.extract = NULL;
        of->joined.value = of->type;
    }
    return status;
}

/* Makes a scratch buffer for columns of count partials, one after the other. */
static mcl_status lay_out(mcl_mpi *mpi, group_call *call, mcl__room room, int64_t count, mcl_buffer **out)
{
    int64_t bytes = 0;
    for (int k = 0; k < call->column_count; ++k) {
        const int64_t size = (int64_t)call->columns[k].type->size;
        call->columns[k].at = (bytes + size - 1) / size;
        bytes = (call->columns[k].at + count) * size;
    }
    return mcl__room_of(mpi, room, bytes, out);
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

/* Folds this rank's elements, group by group. */
static mcl_status fold_own(mcl_mpi *mpi, group_call *call, mcl_aggregate *list, mcl_buffer **partials)
{
    const int64_t count = call->keys.count;
    const mcl_type *const type = call->keys.type;
    mcl_buffer *keys = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_LEFT, count * (int64_t)type->size, &keys);
    MCL__THEN(status, lay_out(mpi, call, ROOM_LEFT_VALUES, count, partials));
    for (int k = 0; k < call->column_count; ++k) {
        const column *const of = &call->columns[k];
        list[k] = (mcl_aggregate){ of->values, &of->local, mcl_to_buffer(of->type, *partials, of->at, count) };
    }
    MCL__THEN(status, mcl_group_by(mpi->queue, call->keys, mcl_to_buffer(type, keys, 0, count), list,
                                   call->column_count, mcl_to_host(MCL_INT64, &call->groups), &call->own));
    call->route = (mcl__route){ .load = LOAD_INDICES, .keys = mcl_from_buffer(type, keys, 0, call->groups) };
    return status;
}

/* Sends each group's partials to the rank that owns its key. */
static mcl_status send_partials(mcl_mpi *mpi, group_call *call, mcl_buffer *partials)
{
    const int64_t own = call->groups, came = call->route.came_keys.count;
    int64_t *at = NULL;
    mcl_buffer *there = NULL, *sorted = NULL;
    mcl_status status = mcl__array(mpi, call->column_count, sizeof *at, &at);
    for (int k = 0; k < call->column_count && status == MCL_OK; ++k) at[k] = call->columns[k].at;
    MCL__THEN(status, lay_out(mpi, call, ROOM_CAME_VALUES, came, &there));
    status = mcl__agree(mpi, status);
    for (int k = 0; k < call->column_count && status == MCL_OK; ++k) {
        column *const of = &call->columns[k];
        const mcl_type *const type = of->type;
        status = mcl__room_of(mpi, ROOM_RIGHT_VALUES, own * (int64_t)type->size, &sorted);
        if (own > 0)
            MCL__THEN(status,
                      mcl_join_gather(mpi->queue, call->route.indices, mcl_from_buffer(type, partials, at[k], own),
                                      NULL, mcl_to_buffer(type, sorted, 0, own), NULL));
        status = mcl__agree(mpi, status);
        MCL__THEN(status, mcl__exchange_list(mpi, &call->route.there, 0, type, sorted, 0, there, of->at));
        of->came = there;
    }
    free(at);
    return status;
}

/* Makes outputs in a scratch buffer for the sums and the counts of means. */
static mcl_status room_for_means(mcl_mpi *mpi, group_call *call)
{
    const int64_t came = call->route.came_keys.count;
    int64_t bytes = 0;
    if (call->column_count == call->aggregate_count) return MCL_OK;
    for (int k = 0; k < call->column_count; ++k) bytes += came * (int64_t)call->columns[k].type->size + 16;
    mcl_buffer *room = NULL;
    const mcl_status status = mcl__room_of(mpi, ROOM_MERGED_VALUES, bytes, &room);
    bytes = 0;
    for (int k = 0; k < call->column_count && status == MCL_OK; ++k) {
        column *const of = &call->columns[k];
        const int64_t size = (int64_t)of->type->size;
        if (k < call->aggregate_count && !is_mean(&call->aggregates[k])) continue;
        of->out = mcl_to_buffer(of->type, room, (bytes + size - 1) / size, came);
        bytes = (of->out.offset + came) * size;
    }
    return status;
}

/* Folds the partials of the groups that this rank owns. */
static mcl_status fold_came(mcl_mpi *mpi, group_call *call, mcl_aggregate *list)
{
    const mcl_input keys = call->route.came_keys;
    mcl_status status = room_for_means(mpi, call);
    for (int k = 0; k < call->column_count; ++k) {
        const column *const of = &call->columns[k];
        list[k] = (mcl_aggregate){ mcl_from_buffer(of->type, of->came, of->at, keys.count), &of->joined, of->out };
    }
    MCL__THEN(status, mcl_group_by(mpi->queue, keys, call->out_keys, list, call->column_count,
                                   mcl_to_host(MCL_INT64, &call->groups), &call->own));
    return status;
}

/* Divides the sums of a mean by the counts. */
static mcl_status divide(mcl_mpi *mpi, const group_call *call, int k)
{
    const mcl_output out = call->aggregates[k].out;
    const column *const sums = &call->columns[k], *const counts = &call->columns[call->aggregate_count];
    const int64_t count = call->groups < out.capacity ? call->groups : out.capacity;
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_sums", sums->type, sums->out.buffer, sums->out.offset),
                                  mcl_binding_buffer("mcl_counts", MCL_INT64, counts->out.buffer, counts->out.offset) };
    const int is_single = out.type == MCL_FLOAT, by_single = is_single && sums->type != MCL_DOUBLE;
    const char *const text = by_single   ? "(float)mcl_sums[i] / (float)mcl_counts[i]"
                             : is_single ? "(float)((double)mcl_sums[i] / (double)mcl_counts[i])"
                                         : "(double)mcl_sums[i] / (double)mcl_counts[i]";
    if (!out.type || count <= 0) return MCL_OK;
    mcl_status status =
        mcl_transform(mpi->queue, mcl_from_expression(out.type, text, NULL, bound, 2, count), out, NULL);
    if (status == MCL_OK && call->groups > out.capacity)
        status = mcl__refuse(mpi, MCL_ERROR_CAPACITY, "aggregates[%d].out has room for %lld elements; needed are %lld",
                             k, (long long)out.capacity, (long long)call->groups);
    return status;
}

static mcl_status run_steps(mcl_mpi *mpi, group_call *call, mcl_aggregate *list)
{
    mcl_buffer *partials = NULL;
    MCL__AGREE(mpi, fold_own(mpi, call, list, &partials));
    MCL__AGREE(mpi, mcl__route_keys(mpi, &call->route));
    MCL__AGREE(mpi, send_partials(mpi, call, partials));
    mcl_status status = fold_came(mpi, call, list);
    for (int k = 0; k < call->aggregate_count; ++k)
        if (is_mean(&call->aggregates[k])) MCL__THEN(status, divide(mpi, call, k));
    return mcl__agree(mpi, status);
}

static mcl_status group_by(mcl_mpi *mpi, group_call *call, const mcl_options *options)
{
    mcl__signature *const signature = mcl__sign(mpi);
    sign(signature, call, options);
    MCL__BEGIN(mpi, signature, check(mpi, call, options));
    mcl_status status = MCL_OK;
    if (mpi->size == 1) {
        status = mcl_group_by(mpi->queue, call->keys, call->out_keys, call->aggregates, call->aggregate_count,
                              mcl_to_host(MCL_INT64, &call->groups), &call->own);
    } else {
        mcl_aggregate *list = NULL;
        status = mcl__agree(mpi, mcl__array(mpi, call->aggregate_count + 1, sizeof *list, &list));
        MCL__THEN(status, plan_columns(mpi, call));
        MCL__THEN(status, run_steps(mpi, call, list));
        free(list);
    }
    MCL__AGREE(mpi, status);
    return mcl__agree(mpi, mcl__store_counts(mpi, call->groups, call->count, call->whole));
}

static mcl_status group_run(mcl_mpi *mpi, group_call *call, const mcl_options *options)
{
    call->own = mcl__own_options(options);
    const mcl_status status = group_by(mpi, call, options);
    free(call->columns);
    mcl__route_free(&call->route);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_group_by(mcl_mpi *mpi, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                            int aggregate_count, mcl_result count, mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_group_by");
    group_call call = { .keys = keys,
                        .out_keys = out_keys,
                        .aggregates = aggregates,
                        .aggregate_count = aggregate_count,
                        .count = count,
                        .whole = whole };
    return group_run(mpi, &call, options);
}

mcl_status mcl_mpi_distinct(mcl_mpi *mpi, mcl_input keys, mcl_output out, mcl_result count, mcl_result whole,
                            const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_distinct");
    group_call call = { .keys = keys, .out_keys = out, .count = count, .whole = whole };
    return group_run(mpi, &call, options);
}
