/* join.c: joins of two sequences that lie on all ranks, in any order: each rank sorts its parts, both sequences are cut
 * between the same keys, and each rank joins what it gets. */
#include "runs.h"
#include "two.h"

#include <stdlib.h>

typedef struct join_call {
    mcl_join_kind kind;
    mcl_output out[2];
    const mcl_op *before;
    mcl_result count, whole;
    mcl_options own;
    mcl__two two; /* the ranks' parts, sorted, with their indices in the whole; then what came, as runs */
    mcl__run_of joined[2];
    mcl__run_of *runs;
} join_call;

static int uses_b(const join_call *call)
{
    return call->kind != MCL_JOIN_SEMI && call->kind != MCL_JOIN_ANTI;
}

/* This rank's part of one sequence, sorted, with the indices in the whole. */
static mcl_status sort_part(mcl_mpi *mpi, join_call *call, int list)
{
    const mcl_input keys = call->two.keys[list];
    const int64_t first = mcl__first_of(&call->two.cuts, list, mpi->rank), count = keys.count;
    mcl_buffer *sorted = NULL, *indices = NULL;
    mcl_status status = mcl__room_of(mpi, list ? ROOM_SECOND : ROOM_SORTED, count * (int64_t)keys.type->size, &sorted);
    MCL__THEN(status, mcl__room_of(mpi, list ? ROOM_SECOND_VALUES : ROOM_SORTED_VALUES, count * 8, &indices));
    MCL__THEN(status, mcl_sort_pairs(mpi->queue, keys, mcl_from_counting(MCL_INT64, &first, count),
                                     mcl_to_buffer(keys.type, sorted, 0, count),
                                     mcl_to_buffer(MCL_INT64, indices, 0, count), call->before, &call->own));
    call->two.keys[list] = mcl_from_buffer(keys.type, sorted, 0, count);
    call->two.values[list] = mcl_from_buffer(MCL_INT64, indices, 0, count);
    return status;
}

/* What came of one sequence is a run of each rank; merged it lies in the rooms of the rank's own part, which all have
 * got by now. */
static mcl_status merge_part(mcl_mpi *mpi, join_call *call, int list)
{
    const mcl_input keys = call->two.came_keys[list], values = call->two.came_values[list];
    mcl_buffer *merged = NULL, *indices = NULL;
    int64_t at = 0;
    for (int r = 0; r < mpi->size; ++r) {
        const int64_t count = mcl__part_count(&call->two.cuts, list, r, mpi->rank);
        call->runs[r] = (mcl__run_of){ mcl_from_buffer(keys.type, keys.buffer, at, count),
                                       mcl_from_buffer(MCL_INT64, values.buffer, at, count) };
        at += count;
    }
    mcl_status status = mcl__room_of(mpi, list ? ROOM_SECOND : ROOM_SORTED, at * (int64_t)keys.type->size, &merged);
    MCL__THEN(status, mcl__room_of(mpi, list ? ROOM_SECOND_VALUES : ROOM_SORTED_VALUES, at * 8, &indices));
    MCL__THEN(status, mcl__merge_runs(mpi, call->runs, mpi->size, mcl_to_buffer(keys.type, merged, 0, at),
                                      mcl_to_buffer(MCL_INT64, indices, 0, at), call->before, NULL));
    call->joined[list] =
        (mcl__run_of){ mcl_from_buffer(keys.type, merged, 0, at), mcl_from_buffer(MCL_INT64, indices, 0, at) };
    return status;
}

/* Rows of what this rank has, then of the whole. */
static mcl_status join_parts(mcl_mpi *mpi, join_call *call, int64_t *row_count)
{
    static const mcl__room rooms[] = { ROOM_MERGED, ROOM_MERGED_VALUES };
    mcl_output rows[2] = { { 0 }, { 0 } };
    int64_t room = INT64_MAX;
    mcl_status status = MCL_OK;
    const int lists = uses_b(call) ? 2 : 1;
    for (int list = 0; list < lists; ++list)
        if (call->out[list].buffer && call->out[list].capacity < room) room = call->out[list].capacity;
    for (int list = 0; list < lists; ++list) {
        mcl_buffer *buffer = NULL;
        if (!call->out[list].buffer) continue;
        MCL__THEN(status, mcl__room_of(mpi, rooms[list], room * 8, &buffer));
        rows[list] = mcl_to_buffer(MCL_INT64, buffer, 0, room);
    }
    MCL__THEN(status, mcl_join(mpi->queue, call->kind, call->joined[0].keys, call->joined[1].keys, rows[0], rows[1],
                               call->before, mcl_to_host(MCL_INT64, row_count), &call->own));
    const int64_t none = -1, stored = *row_count < room ? *row_count : room;
    for (int list = 0; list < lists; ++list) {
        if (!rows[list].buffer || stored == 0) continue;
        MCL__THEN(status, mcl_join_gather(mpi->queue, mcl_from_buffer(MCL_INT64, rows[list].buffer, 0, stored),
                                          call->joined[list].values, &none, call->out[list], NULL));
    }
    return status;
}

static mcl_status join(mcl_mpi *mpi, join_call *call, const mcl_options *options)
{
    mcl__two *const two = &call->two;
    mcl__signature signature = mcl__sign(mpi->function);
    mcl__sign_type(&signature, two->keys[0].type);
    mcl__sign_op(&signature, call->before);
    mcl__sign_number(&signature, "kind", call->kind);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__two_check(mpi, two));
    for (int list = 0; list < 2; ++list)
        if (status == MCL_OK && call->out[list].buffer && call->out[list].type != MCL_INT64)
            status = mcl__refuse(mpi, MCL_ERROR_TYPE, "an output of rows is of %s; expected MCL_INT64",
                                 call->out[list].type ? call->out[list].type->name : "no type");
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *call->runs, &call->runs));
    MCL__BEGIN(mpi, &signature, status);
    const int64_t counts[] = { two->keys[0].count, two->keys[1].count };
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, counts, 2, MCL_MPI_EVEN, &two->cuts));
    status = sort_part(mpi, call, 0);
    MCL__THEN(status, sort_part(mpi, call, 1));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, &two->cuts, two->keys, call->before));
    MCL__AGREE(mpi, mcl__cut_between_keys(mpi, &two->cuts, two->keys, call->before));
    MCL__AGREE(mpi, mcl__two_exchange(mpi, two));
    int64_t rows = 0;
    status = merge_part(mpi, call, 0);
    MCL__THEN(status, merge_part(mpi, call, 1));
    MCL__THEN(status, join_parts(mpi, call, &rows));
    MCL__AGREE(mpi, status);
    return mcl__agree(mpi, mcl__store_counts(mpi, rows, call->count, call->whole));
}

mcl_status mcl_mpi_join_unsorted(mcl_mpi *mpi, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a,
                                 mcl_output out_b, const mcl_op *before, mcl_result count, mcl_result whole,
                                 const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_join_unsorted");
    join_call call = { .kind = kind,
                       .out = { out_a, out_b },
                       .before = before,
                       .count = count,
                       .whole = whole,
                       .own = mcl__own_options(options),
                       .two = { .keys = { a, b } } };
    const mcl_status status = join(mpi, &call, options);
    mcl__cuts_free(&call.two.cuts);
    free(call.runs);
    return status;
}
