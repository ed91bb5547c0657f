/* select.c: finds the keys at some indices of the sorted whole sequence. For up to COUNT_MOST indices, ranks drop keys
 * by counting, and all ranks sort the rest. For more indices each rank sorts its part, and splitters before and after
 * each index find its key. For many more indices all keys are sorted. */
#include "select.h"

#include "bounds.h"
#include "counting.h"
#include "plan.h"
#include "sort.h"
#include "splitters.h"

#include <stdlib.h>

enum {
    COUNT_MOST = 32,  /* largest number of indices for counting; with more a round drops few keys */
    SPLIT_MOST = 64,  /* indices of one search; its rounds still have enough samples for each boundary */
    BATCHES_MOST = 16 /* largest number of searches; more take longer than a sort of all keys */
};

/* The rank that has each wanted key, and the key's index among the rank's sorted keys. */
typedef struct holders {
    int *ranks;
    int64_t *at;
    int64_t *counts; /* number of wanted keys of each rank */
    mcl_input sorted;
} holders;

static mcl_status holders_make(mcl_mpi *mpi, mcl__selection *s, holders *out)
{
    mcl_status status = mcl__array(mpi, s->count, sizeof *out->ranks, &out->ranks);
    MCL__THEN(status, mcl__array(mpi, s->count, sizeof *out->at, &out->at));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *out->counts, &out->counts));
    MCL__THEN(status, mcl__array(mpi, s->count, sizeof *s->slots, &s->slots));
    return status;
}

/* ---- selection by counting --------------------------------------------------------------------------------- */

/* Sends the keys that are left to all ranks, and sorts them there. Keys are received in the order of the whole
 * sequence, so that the sort is stable. */
static mcl_status sort_left(mcl_mpi *mpi, mcl__selection *s, const mcl__whole *whole)
{
    const mcl_options own = mcl__own_options(s->options);
    const mcl_type *const type = s->keys.type;
    const int64_t bytes = whole->total * (int64_t)type->size;
    mcl_buffer *came = NULL, *found = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_CAME, bytes, &came);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_FOUND, bytes, &found));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__gather_lists(mpi, type, whole->counts, s->keys.buffer, s->keys.offset, came, 0));
    mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
    for (int64_t k = 0; k < s->count; ++k) s->slots[k] = s->indices[k];
    s->found = mcl_from_buffer(type, found, 0, whole->total);
    return mcl_sort(mpi->queue, mcl_from_buffer(type, came, 0, whole->total),
                    mcl_to_buffer(type, found, 0, whole->total), s->before, &own);
}

/* ---- selection by splitters -------------------------------------------------------------------------------- */

/* The indices of one search: count indices from number first on. */
typedef struct batch {
    int64_t first, count;
} batch;

/* Sets boundaries such that target 2 * k + 1 has exactly one key: the key at index k of the batch. */
static void set_boundaries(const mcl__selection *s, batch b, mcl__cuts *cuts)
{
    const int64_t total = mcl__total_of(cuts);
    for (int to = 1; to <= mcl__target_count(cuts); ++to) {
        const int64_t k = (to - 1) / 2;
        cuts->boundaries[to] = k < b.count ? s->indices[b.first + k] + (to - 1) % 2 : total;
    }
}

static mcl_status sort_part(mcl_mpi *mpi, const mcl__selection *s, mcl_input *sorted)
{
    const mcl_options own = mcl__own_options(s->options);
    const mcl_type *const type = s->keys.type;
    mcl_buffer *room = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SORTED, s->keys.count * (int64_t)type->size, &room);
    MCL__THEN(status, mcl_sort(mpi->queue, s->keys, mcl_to_buffer(type, room, 0, s->keys.count), s->before, &own));
    *sorted = mcl_from_buffer(type, room, 0, s->keys.count);
    return status;
}

static mcl_status find_batch(mcl_mpi *mpi, const mcl__selection *s, batch b, holders *out, mcl__cuts *cuts)
{
    const int targets = 2 * (int)b.count + 1;
    MCL__AGREE(mpi, mcl__cuts_begin(mpi, &s->keys.count, 1, MCL_MPI_SAME, cuts));
    mcl_status status = mcl__cuts_split(mpi, cuts, (targets + mpi->size - 1) / mpi->size);
    if (status == MCL_OK) set_boundaries(s, b, cuts);
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__find_splitters(mpi, cuts, &out->sorted, s->before));
    int *const ranks = out->ranks + b.first;
    for (int k = 0; k < (int)b.count; ++k) {
        while (mcl__part_count(cuts, 0, ranks[k], 2 * k + 1) == 0) ++ranks[k];
        out->at[b.first + k] = mcl__cut(cuts, 0, ranks[k], 2 * k + 1);
    }
    return MCL_OK;
}

static mcl_status find_by_splitters(mcl_mpi *mpi, const mcl__selection *s, holders *out)
{
    mcl_status status = mcl__agree(mpi, sort_part(mpi, s, &out->sorted));
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    for (int64_t first = 0; first < s->count && status == MCL_OK; first += SPLIT_MOST) {
        const int64_t more = s->count - first;
        const batch b = { first, more < SPLIT_MOST ? more : SPLIT_MOST };
        mcl__cuts cuts = { 0 };
        status = find_batch(mpi, s, b, out, &cuts);
        mcl__cuts_free(&cuts);
    }
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    return status;
}

/* ---- selection by a sort ----------------------------------------------------------------------------------- */

static mcl_status find_by_sort(mcl_mpi *mpi, const mcl__selection *s, int64_t total, holders *out)
{
    const mcl_type *const type = s->keys.type;
    const int64_t least = total / mpi->size, more = total % mpi->size, own = least + (mpi->rank < more);
    mcl_buffer *room = NULL;
    MCL__AGREE(mpi, mcl__room_of(mpi, ROOM_LEFT, own * (int64_t)type->size, &room));
    MCL__AGREE(mpi, mcl__sort_shares(mpi, s->keys, MCL_MPI_EVEN, mcl_to_buffer(type, room, 0, own), s->before,
                                     mcl_to_nowhere(), s->options));
    out->sorted = mcl_from_buffer(type, room, 0, own);
    int rank = 0;
    int64_t first = 0;
    for (int64_t k = 0; k < s->count; ++k) {
        while (s->indices[k] >= first + least + (rank < more)) {
            first += least + (rank < more);
            ++rank;
        }
        out->ranks[k] = rank;
        out->at[k] = s->indices[k] - first;
    }
    return MCL_OK;
}

/* ---- keys to all ranks ------------------------------------------------------------------------------------- */

/* Numbers the slots of the wanted keys, in the order of the ranks that have them. */
static void number_slots(const mcl_mpi *mpi, mcl__selection *s, const holders *h)
{
    int64_t next = 0;
    for (int64_t k = 0; k < s->count; ++k) ++h->counts[h->ranks[k]];
    for (int r = 0; r < mpi->size; ++r)
        for (int64_t k = 0; k < s->count; ++k)
            if (h->ranks[k] == r) s->slots[k] = next++;
}

/* Fetches the wanted keys of this rank, one after the other. */
static mcl_status collect_own(mcl_mpi *mpi, const mcl__selection *s, const holders *h, mcl_buffer **own)
{
    const mcl_type *const type = s->keys.type;
    const int64_t count = h->counts[mpi->rank];
    int64_t used = 0;
    mcl_status status = mcl__room_of(mpi, ROOM_CAME, count * (int64_t)type->size, own);
    for (int64_t k = 0; k < s->count; ++k)
        if (h->ranks[k] == mpi->rank) h->at[used++] = h->at[k];
    MCL__THEN(status, mcl__fetch(mpi, &h->sorted, h->at, count, *own));
    return status;
}

static mcl_status tell_all(mcl_mpi *mpi, mcl__selection *s, const holders *h)
{
    const mcl_type *const type = s->keys.type;
    mcl_buffer *own = NULL, *found = NULL;
    number_slots(mpi, s, h);
    mcl_status status = collect_own(mpi, s, h, &own);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_FOUND, s->count * (int64_t)type->size, &found));
    MCL__AGREE(mpi, status);
    s->found = mcl_from_buffer(type, found, 0, s->count);
    return mcl__gather_lists(mpi, type, h->counts, own, 0, found, 0);
}

/* Returns the number of keys that all ranks may sort. On processors another round is faster than a sort of many
 * keys. */
static int64_t left_most(const mcl_mpi *mpi)
{
    return mpi->transport->kind == MCL_MPI_NCCL ? MCL__LEFT_MOST : MCL__SAMPLES_WANTED;
}

/* Drops keys that are not wanted, if up to COUNT_MOST are. targets receives the indices among the keys that are
 * left. */
static mcl_status narrow(mcl_mpi *mpi, mcl__selection *s, int64_t *targets, mcl__whole *whole)
{
    if (s->count > COUNT_MOST) return MCL_OK;
    for (int64_t k = 0; k < s->count; ++k) targets[k] = s->indices[k];
    mcl__wanted wanted = { s->keys, s->before, targets, s->count, *whole };
    mcl_status status = mcl__narrow_between(mpi, &wanted, left_most(mpi));
    MCL__THEN(status, mcl__narrow(mpi, &wanted, left_most(mpi)));
    *whole = wanted.whole;
    s->keys = wanted.keys;
    s->indices = targets;
    return status;
}

/* Finds the keys by the method that suits their number. If counting leaves too many keys, splitters follow. */
static mcl_status find(mcl_mpi *mpi, mcl__selection *s, int64_t *targets, mcl__whole *whole, holders *h)
{
    mcl_status status = narrow(mpi, s, targets, whole);
    if (status == MCL_OK && s->count <= COUNT_MOST && whole->total <= left_most(mpi)) return sort_left(mpi, s, whole);
    MCL__THEN(status, s->count > SPLIT_MOST * BATCHES_MOST ? find_by_sort(mpi, s, whole->total, h)
                                                           : find_by_splitters(mpi, s, h));
    MCL__THEN(status, tell_all(mpi, s, h));
    return status;
}

mcl_status mcl__select(mcl_mpi *mpi, mcl__selection *s)
{
    holders h = { NULL, NULL, NULL, { 0 } };
    mcl__whole whole = { NULL, 0, 0 };
    int64_t *targets = NULL;
    mcl_status status = holders_make(mpi, s, &h);
    MCL__THEN(status, mcl__array(mpi, s->count, sizeof *targets, &targets));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__count_whole(mpi, s->keys.count, &whole));
    const int64_t *const indices = s->indices;
    MCL__THEN(status, find(mpi, s, targets, &whole, &h));
    s->indices = indices; /* the caller's array, since narrow has replaced it */
    free(h.ranks);
    free(h.at);
    free(h.counts);
    free(whole.counts);
    free(targets);
    return status;
}
