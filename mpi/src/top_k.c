/* top_k.c: the first k elements of a sequence that lies on all ranks. */
#include "plan.h"
#include "splitters.h"

#include <stdlib.h>

typedef struct top_call {
    mcl_input keys, values; /* inputs; values.type is NULL without values */
    int gives_indices;
    int64_t k;
    mcl_output out_keys, out_values;
    const mcl_op *before;
    mcl_result count;
    mcl_options own;
    mcl__whole whole;
    int64_t *chosen; /* number of elements that each rank chooses */
    int64_t chosen_count, result_count;
} top_call;

static int has_values(const top_call *call)
{
    return call->values.type != NULL;
}

static mcl_status check(mcl_mpi *mpi, top_call *call, const mcl_options *options)
{
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &call->keys));
    if (status == MCL_OK && call->k < 0)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "k is %lld; expected 0 or more", (long long)call->k);
    if (status == MCL_OK && has_values(call) && !call->gives_indices && call->values.count < call->keys.count)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "values has %lld elements; expected %lld, as many as keys",
                             (long long)call->values.count, (long long)call->keys.count);
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *call->chosen, &call->chosen));
    return status;
}

/* Finds how many elements chosen by each rank are among the first k of all ranks. Then only these are sent. A few
 * elements are sent at once, since splitters would take longer. keys: this rank's chosen keys, sorted. */
static mcl_status cut_chosen(mcl_mpi *mpi, top_call *call, mcl_input keys)
{
    mcl__cuts cuts = { 0 };
    if (call->chosen_count <= MCL__SAMPLES_WANTED || call->chosen_count == call->result_count) return MCL_OK;
    mcl_status status = mcl__agree(mpi, mcl__cuts_begin(mpi, &keys.count, 1, MCL_MPI_SAME, &cuts));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    for (int to = 1; to < mpi->size && status == MCL_OK; ++to) cuts.boundaries[to] = call->result_count;
    MCL__THEN(status, mcl__find_splitters(mpi, &cuts, &keys, call->before));
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) call->chosen[r] = mcl__part_count(&cuts, 0, r, 0);
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    call->chosen_count = call->result_count;
    mcl__cuts_free(&cuts);
    return status;
}

/* Counts the elements that each rank chooses and the results, and checks the outputs. */
static mcl_status count_chosen(mcl_mpi *mpi, top_call *call)
{
    for (int r = 0; r < mpi->size; ++r) {
        const int64_t count = call->whole.counts[r];
        call->chosen[r] = count < call->k ? count : call->k;
        call->chosen_count += call->chosen[r];
    }
    call->result_count = call->k < call->whole.total ? call->k : call->whole.total;
    mcl_status status = MCL_OK;
    if (call->gives_indices)
        call->values = mcl_from_counting(MCL_INT64, &call->whole.first, call->keys.count);
    else
        status = mcl__check_output(mpi, call->out_keys, call->keys.type, call->result_count, "out");
    if (has_values(call))
        MCL__THEN(status,
                  mcl__check_output(mpi, call->out_values, call->values.type, call->result_count, "out_values"));
    return status;
}

static mcl_status choose(mcl_mpi *mpi, const top_call *call, mcl_input keys, mcl_input values, int64_t k,
                         mcl_output out_keys, mcl_output out_values)
{
    const mcl_amount all = mcl_amount_of(k);
    if (k == 0) return MCL_OK;
    if (!has_values(call))
        return mcl_top_k(mpi->queue, keys, all, out_keys, call->before, mcl_to_nowhere(), &call->own);
    return mcl_top_k_pairs(mpi->queue, keys, values, all, out_keys, out_values, call->before, mcl_to_nowhere(),
                           &call->own);
}

/* Makes an output for keys or values in a scratch buffer. */
static mcl_status room_for(mcl_mpi *mpi, mcl__room room, const mcl_type *type, int64_t count, mcl_output *out)
{
    mcl_buffer *buffer = NULL;
    *out = (mcl_output){ 0 };
    if (!type) return MCL_OK;
    const mcl_status status = mcl__room_of(mpi, room, count * (int64_t)type->size, &buffer);
    *out = mcl_to_buffer(type, buffer, 0, count);
    return status;
}

static mcl_input as_input(mcl_output out)
{
    return out.type ? mcl_from_buffer(out.type, out.buffer, 0, out.capacity) : (mcl_input){ 0 };
}

static mcl_status top(mcl_mpi *mpi, top_call *call, const mcl_options *options)
{
    const mcl_type *const key_type = call->keys.type, *const value_type = call->values.type;
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of keys", key_type);
    mcl__sign_type(signature, "the type of values", value_type);
    mcl__sign_op(signature, "before", call->before);
    mcl__sign_options(signature, options);
    mcl__sign_number(signature, "k", call->k);
    MCL__BEGIN(mpi, signature, check(mpi, call, options));
    MCL__AGREE(mpi, mcl__count_whole(mpi, call->keys.count, &call->whole));
    mcl_output keys = { 0 }, values = { 0 }, came_keys = { 0 }, came_values = { 0 };
    mcl_status status = count_chosen(mpi, call);
    const int64_t mine = call->chosen[mpi->rank];
    MCL__THEN(status, room_for(mpi, ROOM_SORTED, key_type, mine, &keys));
    MCL__THEN(status, room_for(mpi, ROOM_SORTED_VALUES, value_type, mine, &values));
    if (call->gives_indices)
        MCL__THEN(status, room_for(mpi, ROOM_UNWANTED, key_type, call->result_count, &call->out_keys));
    MCL__THEN(status, choose(mpi, call, call->keys, call->values, mine, keys, values));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, cut_chosen(mpi, call, as_input(keys)));
    status = room_for(mpi, ROOM_CAME, key_type, call->chosen_count, &came_keys);
    MCL__THEN(status, room_for(mpi, ROOM_CAME_VALUES, value_type, call->chosen_count, &came_values));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__gather_lists(mpi, key_type, call->chosen, keys.buffer, 0, came_keys.buffer, 0));
    if (has_values(call))
        status = mcl__gather_lists(mpi, value_type, call->chosen, values.buffer, 0, came_values.buffer, 0);
    /* the received elements are in the order of ranks and indices, so that this choice is stable */
    MCL__THEN(status, choose(mpi, call, as_input(came_keys), as_input(came_values), call->result_count, call->out_keys,
                             call->out_values));
    MCL__THEN(status, mcl__store_number(mpi, call->result_count, call->count));
    return mcl__agree(mpi, status);
}

static mcl_status top_run(mcl_mpi *mpi, top_call *call, const mcl_options *options)
{
    call->own = mcl__own_options(options);
    const mcl_status status = top(mpi, call, options);
    free(call->whole.counts);
    free(call->chosen);
    return mcl__leave(mpi, status);
}

mcl_status mcl_mpi_top_k(mcl_mpi *mpi, mcl_input keys, int64_t k, mcl_output out, const mcl_op *before,
                         mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_top_k");
    top_call call = { .keys = keys, .k = k, .out_keys = out, .before = before, .count = count };
    return top_run(mpi, &call, options);
}

mcl_status mcl_mpi_top_k_pairs(mcl_mpi *mpi, mcl_input keys, mcl_input values, int64_t k, mcl_output out_keys,
                               mcl_output out_values, const mcl_op *before, mcl_result count,
                               const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_top_k_pairs");
    top_call call = { .keys = keys,
                      .values = values,
                      .k = k,
                      .out_keys = out_keys,
                      .out_values = out_values,
                      .before = before,
                      .count = count };
    return top_run(mpi, &call, options);
}

mcl_status mcl_mpi_top_k_indices(mcl_mpi *mpi, mcl_input keys, int64_t k, mcl_output out, const mcl_op *before,
                                 mcl_result count, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_top_k_indices");
    top_call call = { .keys = keys,
                      .values = { .type = MCL_INT64 },
                      .gives_indices = 1,
                      .k = k,
                      .out_values = out,
                      .before = before,
                      .count = count };
    return top_run(mpi, &call, options);
}
