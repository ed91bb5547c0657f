/* edges.c: finds out whether a run continues from one rank to the next, and copies the elements that a rank keeps. */
#include "edges.h"

#include <stdlib.h>
#include <string.h>

/* Returns the last element of the nearest lower rank that has elements. Returns NULL if there is none. */
static const unsigned char *last_before(const mcl_mpi *mpi, const unsigned char *lasts, const int64_t *counts,
                                        size_t size)
{
    int rank = mpi->rank - 1;
    while (rank >= 0 && counts[rank] == 0) --rank;
    return rank < 0 ? NULL : lasts + (size_t)rank * size;
}

/* Stores 1 in joined if before and this rank's first element are equal. The core's mcl_unique compares them. */
static mcl_status compare(mcl_mpi *mpi, const mcl_input *in, const unsigned char *before, const mcl_op *equal,
                          int *joined)
{
    const size_t size = in->type->size;
    unsigned char both[2 * MCL_VALUE_BYTES_MAX];
    mcl_buffer *pair = NULL;
    int64_t runs = 2;
    memcpy(both, before, size);
    mcl_status status = mcl_buffer_read(mpi->queue, in->buffer, (size_t)in->offset * size, size, both + size);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SMALL, 2 * (int64_t)size, &pair));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, pair, 0, 2 * size, both));
    MCL__THEN(status, mcl_unique(mpi->queue, mcl_from_buffer(in->type, pair, 0, 2), (mcl_output){ 0 }, equal,
                                 mcl_to_host(MCL_INT64, &runs), NULL));
    *joined = runs == 1;
    return status;
}

mcl_status mcl__find_joined(mcl_mpi *mpi, const mcl_input *in, const mcl_op *equal, const int64_t *counts, int *joined)
{
    const size_t size = in->type->size;
    unsigned char mine[MCL_VALUE_BYTES_MAX] = { 0 }, *lasts = NULL;
    *joined = 0;
    mcl_status status = mcl__array(mpi, mpi->size, size, &lasts);
    if (in->count > 0)
        MCL__THEN(status,
                  mcl_buffer_read(mpi->queue, in->buffer, (size_t)(in->offset + in->count - 1) * size, size, mine));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_edges(mpi, mine, lasts, size));
    const unsigned char *const before = status == MCL_OK ? last_before(mpi, lasts, counts, size) : NULL;
    if (before && in->count > 0) status = compare(mpi, in, before, equal, joined);
    free(lasts);
    return status;
}

static int is_number(const mcl_type *type)
{
    return type->kind != MCL_KIND_STRUCT;
}

static int is_one_type(const mcl_type *a, const mcl_type *b)
{
    return a->size == b->size && a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

mcl_status mcl__copy_kept(mcl_mpi *mpi, mcl_input kept, mcl_output out, const char *name)
{
    if (!out.type || !out.buffer) return MCL_OK;
    const int64_t count = kept.count < out.capacity ? kept.count : out.capacity;
    const int converts = is_number(kept.type) && is_number(out.type);
    if (!is_one_type(kept.type, out.type) && !converts)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "%s is of %s; expected %s", name, out.type->name, kept.type->name);
    const mcl_input part = mcl_from_buffer(kept.type, kept.buffer, kept.offset, count);
    const mcl_status status = count > 0 ? mcl_transform(mpi->queue, part, out, NULL) : MCL_OK;
    if (status == MCL_OK && kept.count > out.capacity && out.capacity > 0)
        return mcl__refuse(mpi, MCL_ERROR_CAPACITY, "%s has room for %lld elements; needed are %lld", name,
                           (long long)out.capacity, (long long)kept.count);
    return status;
}
