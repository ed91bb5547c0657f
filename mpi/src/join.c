/* join.c: joins of two sequences that lie on all ranks, in any order. Each rank sorts its parts, both sequences are cut
 * between the same keys, and each rank joins what it gets. Where the rows' order is open, keys go to their owners. */
#include "arrivals.h"
#include "join_owners.h"
#include "two.h"

#include <stdlib.h>

typedef struct join_call {
    mcl_join_kind kind;
    mcl_output out[2];
    const mcl_op *before;
    mcl_result count, whole;
    mcl_options own;
    mcl__two two;               /* the ranks' parts, sorted, with their indices on the rank */
    const mcl_type *index_type; /* type of these indices */
    mcl__arrivals arrivals[2];  /* keys, and where they stood on their rank */
    mcl__run_of joined[2];      /* with the indices in the whole */
    mcl__run_of *runs;
    mcl__brought brought; /* keys that came by owners */
} join_call;

static int uses_b(const join_call *call)
{
    return call->kind != MCL_JOIN_SEMI && call->kind != MCL_JOIN_ANTI;
}

/* Returns the type of indices on a rank, which travel. It has 32 bits, half of an index in the whole, unless a rank has
 * more keys. All ranks get the same type. */
static const mcl_type *index_type_of(const mcl__cuts *cuts)
{
    for (int part = 0; part < cuts->list_count * cuts->rank_count; ++part)
        if (cuts->counts[part] > UINT32_MAX) return MCL_INT64;
    return MCL_UINT32;
}

/* Sorts this rank's part of one sequence, with its indices. */
static mcl_status sort_part(mcl_mpi *mpi, mcl_status status, join_call *call, int list)
{
    static const mcl__room rooms[2][2] = { { ROOM_PART, ROOM_LEFT }, { ROOM_SECOND_PART, ROOM_RIGHT } };
    const mcl_input keys = call->two.keys[list];
    const mcl_type *const index_type = call->index_type;
    const int64_t zero = 0, count = keys.count;
    mcl__arrivals *const to = &call->arrivals[list];
    status = mcl__arrivals_begin(mpi, status, &call->two.cuts, list, keys.type, index_type, rooms[list][0],
                                 rooms[list][1], to);
    MCL__THEN(status, mcl_sort_pairs(mpi->queue, keys, mcl_from_counting(index_type, &zero, count),
                                     mcl_to_buffer(keys.type, to->keys.part, 0, count),
                                     mcl_to_buffer(index_type, to->values.part, 0, count), call->before, &call->own));
    call->two.keys[list] = mcl_from_buffer(keys.type, to->keys.part, 0, count);
    return status;
}

/* Returns a run of a rank, with the indices in the whole. */
static mcl__run_of run_of(const mcl_mpi *mpi, const join_call *call, int list, int rank)
{
    const mcl__run_of run = mcl__arrivals_run(mpi, &call->arrivals[list], 0, rank);
    const int64_t first = mcl__first_of(&call->two.cuts, list, rank);
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_row", call->index_type, run.values.buffer,
                                                        run.values.offset),
                                     mcl_binding_value("mcl_first", MCL_INT64, &first) };
    return (mcl__run_of){ run.keys, mcl_from_expression(MCL_INT64, "mcl_first + (int64_t)mcl_row[i]", NULL, bindings, 2,
                                                        run.keys.count) };
}

/* Merges the runs that came of one sequence. The second result goes to the room that the first sequence came to, which
 * is merged by now. */
static mcl_status merge_part(mcl_mpi *mpi, join_call *call, int list)
{
    const mcl_type *const type = call->two.keys[list].type;
    mcl_buffer *merged = NULL, *indices = NULL;
    int64_t count = 0;
    for (int r = 0; r < mpi->size; ++r) {
        call->runs[r] = run_of(mpi, call, list, r);
        count += call->runs[r].keys.count;
    }
    mcl_status status = mcl__room_of(mpi, list ? ROOM_LEFT : ROOM_JOINED, count * (int64_t)type->size, &merged);
    MCL__THEN(status, mcl__room_of(mpi, list ? ROOM_LEFT_VALUES : ROOM_JOINED_VALUES, count * 8, &indices));
    MCL__THEN(status, mcl__merge_runs(mpi, call->runs, mpi->size, mcl_to_buffer(type, merged, 0, count),
                                      mcl_to_buffer(MCL_INT64, indices, 0, count), call->before, NULL));
    call->joined[list] =
        (mcl__run_of){ mcl_from_buffer(type, merged, 0, count), mcl_from_buffer(MCL_INT64, indices, 0, count) };
    return status;
}

/* Gives the rows of this rank's join rooms, with as many rows as the caller's outputs have room for. */
static mcl_status room_for_rows(mcl_mpi *mpi, const join_call *call, const mcl_type *type, mcl_output *rows)
{
    static const mcl__room rooms[] = { ROOM_MERGED, ROOM_MERGED_VALUES };
    int64_t room = INT64_MAX;
    mcl_status status = MCL_OK;
    const int lists = uses_b(call) ? 2 : 1;
    for (int list = 0; list < lists; ++list)
        if (call->out[list].buffer && call->out[list].capacity < room) room = call->out[list].capacity;
    for (int list = 0; list < lists; ++list) {
        mcl_buffer *buffer = NULL;
        if (!call->out[list].buffer) continue;
        MCL__THEN(status, mcl__room_of(mpi, rooms[list], room * (int64_t)type->size, &buffer));
        rows[list] = mcl_to_buffer(type, buffer, 0, room);
    }
    return status;
}

/* Returns how many rows of a join are stored. */
static int64_t stored_rows(mcl_output rows, int64_t row_count)
{
    return rows.buffer && rows.capacity < row_count ? rows.capacity : rows.buffer ? row_count : 0;
}

/* Joins this rank's parts. The join gives rows of the parts, and a gather turns them into indices of the whole. */
static mcl_status join_parts(mcl_mpi *mpi, join_call *call, int64_t *row_count)
{
    const int64_t none = -1;
    mcl_output rows[2] = { { 0 }, { 0 } };
    mcl_status status = room_for_rows(mpi, call, MCL_INT64, rows);
    MCL__THEN(status, mcl_join(mpi->queue, call->kind, call->joined[0].keys, call->joined[1].keys, rows[0], rows[1],
                               call->before, mcl_to_host(MCL_INT64, row_count), &call->own));
    for (int list = 0; list < 2; ++list) {
        const int64_t stored = stored_rows(rows[list], *row_count);
        if (stored > 0)
            MCL__THEN(status, mcl_join_gather(mpi->queue, mcl_from_buffer(MCL_INT64, rows[list].buffer, 0, stored),
                                              call->joined[list].values, &none, call->out[list], NULL));
    }
    return status;
}

/* ---- by owners --------------------------------------------------------------------------------------------- */

static const int64_t no_index = -1; /* its first bytes are also what stands for it in 32 bits */

/* Stores indices in the whole, which are shorter in the rows of the rank, or begin with 0. */
static mcl_status store_indices(mcl_mpi *mpi, const join_call *call, int list, mcl_output rows, int64_t row_count)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("mcl_rows", rows.type, rows.buffer, 0),
                                     mcl_binding_value("mcl_none", rows.type, &no_index),
                                     mcl_binding_value("mcl_first", MCL_INT64, &call->brought.first[list]) };
    static const char text[] = "mcl_rows[i] == mcl_none ? (int64_t)-1 : mcl_first + (int64_t)mcl_rows[i]";
    return mcl_transform(mpi->queue, mcl_from_expression(MCL_INT64, text, NULL, bindings, 3, row_count),
                         call->out[list], NULL);
}

/* Joins keys that came by owners. Their indices go with them as columns. */
static mcl_status join_brought(mcl_mpi *mpi, join_call *call, const mcl_output *rows, int64_t *row_count)
{
    const mcl__brought *const of = &call->brought;
    const mcl_join_column a = { of->indices[0], rows[0], &no_index }, b = { of->indices[1], rows[1], &no_index };
    const mcl_output no_keys = { 0 };
    const mcl_result count = mcl_to_host(MCL_INT64, row_count);
    mcl_options any_order = call->own;
    any_order.flags |= MCL_UNORDERED; /* as the caller asked: joins in order do not go by owners */
    if (!of->indices[0].type)
        return mcl_join_unsorted(mpi->queue, call->kind, of->keys[0], of->keys[1], rows[0], rows[1], call->before,
                                 count, &any_order);
    return mcl_join_columns(mpi->queue, call->kind, of->keys[0], of->keys[1], &a, 1, &b, uses_b(call), no_keys,
                            call->before, count, &any_order);
}

static mcl_status join_by_owners(mcl_mpi *mpi, join_call *call, int64_t *row_count)
{
    const mcl__brought *const of = &call->brought;
    mcl_output rows[2] = { { 0 }, { 0 } };
    MCL__AGREE(mpi, mcl__bring_by_owners(mpi, call->kind, call->two.keys, &call->brought));
    const int is_narrow = of->keys[0].count <= INT32_MAX && of->keys[1].count <= INT32_MAX;
    const mcl_type *const type = of->indices[0].type ? of->indices[0].type : is_narrow ? MCL_INT32 : MCL_INT64;
    mcl_status status = room_for_rows(mpi, call, type, rows);
    MCL__THEN(status, join_brought(mpi, call, rows, row_count));
    for (int list = 0; list < 2; ++list) {
        const int64_t stored = stored_rows(rows[list], *row_count);
        if (stored > 0) MCL__THEN(status, store_indices(mpi, call, list, rows[list], stored));
    }
    return status;
}

/* ---- the call ---------------------------------------------------------------------------------------------- */

static mcl_status join_by_order(mcl_mpi *mpi, join_call *call, int64_t *row_count)
{
    mcl__two *const two = &call->two;
    const int64_t counts[] = { two->keys[0].count, two->keys[1].count };
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, counts, 2, MCL_MPI_EVEN, &two->cuts));
    call->index_type = index_type_of(&two->cuts);
    mcl_status status = sort_part(mpi, MCL_OK, call, 0);
    MCL__AGREE(mpi, sort_part(mpi, status, call, 1));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, &two->cuts, two->keys, call->before));
    MCL__AGREE(mpi, mcl__cut_between_keys(mpi, &two->cuts, two->keys, call->before));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    status = mcl__arrivals_plan(mpi, &call->arrivals[0]);
    MCL__THEN(status, mcl__arrivals_plan(mpi, &call->arrivals[1]));
    MCL__AGREE(mpi, status);
    status = mcl__exchange_begin(mpi);
    for (int list = 0; list < 2; ++list) {
        const mcl_status brought = mcl__arrivals_bring(mpi, &call->arrivals[list], 0);
        if (status == MCL_OK) status = brought;
        MCL__THEN(status, merge_part(mpi, call, list));
        mcl__phase_end(mpi, MCL_MPI_MERGE);
    }
    MCL__THEN(status, join_parts(mpi, call, row_count));
    return status;
}

static mcl_status join(mcl_mpi *mpi, join_call *call, const mcl_options *options)
{
    mcl__two *const two = &call->two;
    mcl__signature *const signature = mcl__sign(mpi);
    const int by_owners =
        options && (options->flags & (unsigned)MCL_UNORDERED) && mcl__goes_by_owners(mpi, two->keys, call->before);
    mcl__sign_type(signature, "the type of a", two->keys[0].type);
    mcl__sign_type(signature, "the type of b", two->keys[1].type);
    mcl__sign_op(signature, "before", call->before);
    mcl__sign_options(signature, options);
    mcl__sign_number(signature, "kind", call->kind);
    mcl__sign_number(signature, "whether keys are integers", by_owners);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__two_check(mpi, two));
    for (int list = 0; list < 2; ++list)
        if (status == MCL_OK && call->out[list].buffer && call->out[list].type != MCL_INT64)
            status = mcl__refuse(mpi, MCL_ERROR_TYPE, "an output of rows is of %s; expected MCL_INT64",
                                 call->out[list].type ? call->out[list].type->name : "no type");
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *call->runs, &call->runs));
    MCL__BEGIN(mpi, signature, status);
    int64_t rows = 0;
    status = by_owners ? join_by_owners(mpi, call, &rows) : join_by_order(mpi, call, &rows);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
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
    mcl__brought_free(&call.brought);
    for (int list = 0; list < 2; ++list) mcl__arrivals_free(&call.arrivals[list]);
    free(call.runs);
    return status;
}
