/* compact.c: compaction, partition and unique of a sequence that lies on all ranks. Elements do not move between
 * ranks. */
#include "edges.h"
#include "operators.h"

#include <stdlib.h>

static mcl_status begin(mcl_mpi *mpi, mcl_input *in, const mcl_op *op, const mcl_options *options, mcl__whole *whole)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl__sign_type(signature, "the type of in", in->type);
    mcl__sign_op(signature, "the operator", op);
    mcl__sign_options(signature, options);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, in));
    if (status == MCL_OK && !op) status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "the operator is NULL");
    MCL__BEGIN(mpi, signature, status);
    return mcl__agree(mpi, mcl__count_whole(mpi, in->count, whole));
}

mcl_status mcl_mpi_compact(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *keep, mcl_result count,
                           mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_compact");
    mcl__whole all = { NULL, 0, 0 };
    mcl__placed_op placed = { .op = { 0 } };
    const mcl_options own = mcl__own_options(options);
    int64_t kept = 0;
    mcl_status status = begin(mpi, &in, keep, options, &all);
    MCL__THEN(status, mcl__place_op(mpi, keep, all.first, &placed));
    MCL__THEN(status, mcl_compact(mpi->queue, in, out, &placed.op, mcl_to_host(MCL_INT64, &kept), &own));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__store_counts(mpi, kept, count, whole));
    free(all.counts);
    return mcl__leave(mpi, mcl__agree(mpi, status));
}

/* ---- partition --------------------------------------------------------------------------------------------- */

/* Returns the result for the second of two numbers, which follows the first. */
static mcl_result second_of(mcl_result numbers)
{
    if (numbers.host) numbers.host = (unsigned char *)numbers.host + numbers.type->size;
    ++numbers.offset;
    return numbers;
}

static mcl_status check_counts(mcl_mpi *mpi, mcl_result counts)
{
    if ((!counts.host && !counts.buffer) || counts.type) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_TYPE, "counts has no type");
}

static mcl_status partition(mcl_mpi *mpi, mcl_input in, mcl_output out, mcl_output rejected, const mcl_op *keep,
                            const mcl__whole *all, const mcl_options *options, int64_t *parts)
{
    mcl__placed_op placed = { .op = { 0 } };
    const mcl_options own = mcl__own_options(options);
    mcl_status status = mcl__place_op(mpi, keep, all->first, &placed);
    MCL__THEN(status, mcl_partition(mpi->queue, in, out, rejected, &placed.op, mcl_to_host(MCL_INT64, parts), &own));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_partition(mcl_mpi *mpi, mcl_input in, mcl_output out, mcl_output rejected, const mcl_op *keep,
                             mcl_result counts, mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_partition");
    mcl__whole all = { NULL, 0, 0 };
    int64_t parts[2] = { 0, 0 };
    mcl_status status = begin(mpi, &in, keep, options, &all);
    MCL__THEN(status, partition(mpi, in, out, rejected, keep, &all, options, parts));
    free(all.counts);
    MCL__THEN(status, check_counts(mpi, counts));
    MCL__THEN(status, check_counts(mpi, whole));
    MCL__AGREE(mpi, status);
    status = mcl__store_counts(mpi, parts[0], counts, whole);
    MCL__AGREE(mpi, status);
    return mcl__leave(mpi, mcl__agree(mpi, mcl__store_counts(mpi, parts[1], second_of(counts), second_of(whole))));
}

/* ---- unique ------------------------------------------------------------------------------------------------ */

static mcl_status unique(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *same, const mcl__whole *all,
                         const mcl_options *options, int64_t *kept)
{
    const mcl_options own = mcl__own_options(options);
    mcl_buffer *room = NULL;
    int joined = 0;
    int64_t runs = 0;
    mcl_status status = mcl__store_input(mpi, ROOM_CAME, &in);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SORTED, in.count * (int64_t)in.type->size, &room));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__find_joined(mpi, &in, same, all->counts, &joined));
    if (in.count > 0)
        status = mcl_unique(mpi->queue, in, mcl_to_buffer(in.type, room, 0, in.count), same,
                            mcl_to_host(MCL_INT64, &runs), &own);
    *kept = runs - joined;
    MCL__THEN(status, mcl__copy_kept(mpi, mcl_from_buffer(in.type, room, joined, *kept), out, "out"));
    return mcl__agree(mpi, status);
}

mcl_status mcl_mpi_unique(mcl_mpi *mpi, mcl_input in, mcl_output out, const mcl_op *same, mcl_result count,
                          mcl_result whole, const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_unique");
    mcl__whole all = { NULL, 0, 0 };
    int64_t kept = 0;
    mcl_status status = begin(mpi, &in, same, options, &all);
    MCL__THEN(status, unique(mpi, in, out, same, &all, options, &kept));
    MCL__THEN(status, mcl__store_counts(mpi, kept, count, whole));
    free(all.counts);
    return mcl__leave(mpi, mcl__agree(mpi, status));
}
