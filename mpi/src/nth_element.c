/* nth_element.c: the element of a sequence on all ranks that sorting would put at an index: each rank sorts its part,
 * and the splitter before that index tells where it is. */
#include "splitters.h"

#include <stdlib.h>

/* As if rank 0 wanted all before the index, and rank 1 the rest. */
static int64_t share_for(const mcl_mpi *mpi, int64_t nth, int64_t total)
{
    if (mpi->size == 1) return total;
    return mpi->rank == 0 ? nth : mpi->rank == 1 ? total - nth : 0;
}

/* The first key after the splitter of each rank that has one: the least of them, the lowest rank's where they are
 * equal, is it. */
static mcl_status pick(mcl_mpi *mpi, const mcl__cuts *cuts, const mcl_input *sorted, mcl_result result,
                       const mcl_op *before, int64_t *has_one)
{
    mcl_buffer *candidates = NULL;
    int64_t count = 0;
    for (int r = 0; r < mpi->size; ++r) {
        has_one[r] = mcl__cut(cuts, 0, r, 1) < mcl__count_of(cuts, 0, r);
        count += has_one[r];
    }
    const mcl_status status = mcl__room_of(mpi, ROOM_PARTIALS, count * (int64_t)sorted->type->size, &candidates);
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__gather_lists(mpi, sorted->type, has_one, sorted->buffer, mcl__cut(cuts, 0, mpi->rank, 1),
                                      candidates, 0));
    return mcl_nth_element(mpi->queue, mcl_from_buffer(sorted->type, candidates, 0, count), mcl_amount_of(0), result,
                           before, NULL);
}

static mcl_status nth_element(mcl_mpi *mpi, mcl_input keys, int64_t nth, mcl_result result, const mcl_op *before,
                              const mcl_options *options, mcl__whole *whole, mcl__cuts *cuts)
{
    mcl__signature signature = mcl__sign(mpi->function);
    mcl__sign_type(&signature, keys.type);
    mcl__sign_op(&signature, before);
    mcl__sign_number(&signature, "nth", nth);
    mcl_status status = mcl__check_options(mpi, options);
    MCL__THEN(status, mcl__settle_count(mpi, &keys));
    MCL__BEGIN(mpi, &signature, status);
    MCL__AGREE(mpi, mcl__count_whole(mpi, keys.count, whole));
    if (nth < 0 || nth >= whole->total)
        status = mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "nth is %lld; expected 0 to %lld, below the elements there are",
                             (long long)nth, (long long)whole->total - 1);
    MCL__AGREE(mpi, status);
    const mcl_options own = mcl__own_options(options);
    if (mpi->size == 1)
        return mcl__agree(mpi, mcl_nth_element(mpi->queue, keys, mcl_amount_of(nth), result, before, &own));
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &keys.count, 1, share_for(mpi, nth, whole->total), cuts));
    mcl_buffer *room = NULL;
    status = mcl__room_of(mpi, ROOM_SORTED, keys.count * (int64_t)keys.type->size, &room);
    MCL__THEN(status, mcl_sort(mpi->queue, keys, mcl_to_buffer(keys.type, room, 0, keys.count), before, &own));
    MCL__AGREE(mpi, status);
    const mcl_input sorted = mcl_from_buffer(keys.type, room, 0, keys.count);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, cuts, &sorted, before));
    return mcl__agree(mpi, pick(mpi, cuts, &sorted, result, before, whole->counts));
}

mcl_status mcl_mpi_nth_element(mcl_mpi *mpi, mcl_input keys, int64_t nth, mcl_result result, const mcl_op *before,
                               const mcl_options *options)
{
    MCL__ENTER(mpi, "mcl_mpi_nth_element");
    mcl__whole whole = { NULL, 0, 0 };
    mcl__cuts cuts = { 0 };
    const mcl_status status = nth_element(mpi, keys, nth, result, before, options, &whole, &cuts);
    free(whole.counts);
    mcl__cuts_free(&cuts);
    return status;
}
