/* samples.c: takes samples of a sequence that lies on all ranks, and sorts them. */
#include "samples.h"

#include "cuts.h"

#include <stdlib.h>

static int64_t divide_up(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

mcl_status mcl__gather_samples(mcl_mpi *mpi, mcl_input keys, const int64_t *counts, int64_t stride,
                               const mcl_op *before, mcl_input *samples, mcl_input *positions)
{
    const mcl_type *const type = keys.type;
    int64_t *taken = NULL, all = 0, first = 0;
    mcl_status status = mcl__array(mpi, mpi->size, sizeof *taken, &taken);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        taken[r] = divide_up(counts[r], stride);
        all += taken[r];
        if (r < mpi->rank) first += counts[r];
    }
    const int64_t count = status == MCL_OK ? taken[mpi->rank] : 0;
    mcl_buffer *all_keys = NULL, *all_at = NULL, *own_keys = NULL, *own_at = NULL;
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SAMPLES, all * (int64_t)type->size, &all_keys));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_NUMBERS, all * 8, &all_at));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME, count * (int64_t)type->size, &own_keys));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME_VALUES, count * 8, &own_at));
    MCL__THEN(status, mcl_splitters_sample(mpi->queue, keys, stride, first, mcl_to_buffer(type, own_keys, 0, count),
                                           mcl_to_buffer(MCL_INT64, own_at, 0, count), NULL));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_lists(mpi, type, taken, own_keys, 0, all_keys, 0));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_lists(mpi, MCL_INT64, taken, own_at, 0, all_at, 0));
    free(taken);
    *samples = mcl_from_buffer(type, all_keys, 0, all);
    *positions = mcl_from_buffer(MCL_INT64, all_at, 0, all);
    MCL__THEN(status, mcl_sort_pairs(mpi->queue, *samples, *positions, mcl_to_buffer(type, all_keys, 0, all),
                                     mcl_to_buffer(MCL_INT64, all_at, 0, all), before, NULL));
    return status;
}
