/* key_cuts.c: moves cuts so that no two equal keys are on different ranks. */
#include "splitters.h"

#include <stdlib.h>
#include <string.h>

/* The first key after each boundary. This is the smallest of the keys that follow the ranks' cuts, which are
 * candidates. */
typedef struct boundary_keys {
    mcl_mpi *mpi;
    mcl__cuts *cuts;
    const mcl_input *sorted;
    const mcl_op *before;
    int boundary_count;
    int key_count;         /* number of boundaries that have a key after them; these are the first ones */
    unsigned char *mine;   /* [list][boundary] this rank's candidates */
    unsigned char *all;    /* [rank][list][boundary] candidates of all ranks */
    unsigned char *listed; /* candidates of all boundaries, one boundary after the other */
    int64_t *offsets;      /* [boundary + 1] index in listed of each boundary's first candidate */
    int64_t *ranks;        /* index of each key in one of this rank's lists */
} boundary_keys;

static mcl_status make_arrays(boundary_keys *k)
{
    mcl_mpi *const mpi = k->mpi;
    const size_t size = k->sorted[0].type->size;
    const int64_t own = (int64_t)k->cuts->list_count * k->boundary_count, whole = own * mpi->size;
    mcl_status status = mcl__array(mpi, own, size, &k->mine);
    MCL__THEN(status, mcl__array(mpi, whole, size, &k->all));
    MCL__THEN(status, mcl__array(mpi, whole, size, &k->listed));
    MCL__THEN(status, mcl__array(mpi, k->boundary_count + 1, sizeof(int64_t), &k->offsets));
    MCL__THEN(status, mcl__array(mpi, k->boundary_count, sizeof(int64_t), &k->ranks));
    return status;
}

/* Fetches the keys after this rank's cuts. If no key follows a cut, the last key is fetched instead, and is ignored
 * later. */
static mcl_status fetch_mine(boundary_keys *k, int list)
{
    mcl_mpi *const mpi = k->mpi;
    const mcl_input *const in = &k->sorted[list];
    const int64_t count = k->boundary_count;
    const size_t bytes = (size_t)count * in->type->size;
    mcl_buffer *samples = NULL;
    if (in->count == 0) return MCL_OK;
    for (int b = 0; b < k->boundary_count; ++b) {
        const int64_t cut = mcl__cut(k->cuts, list, mpi->rank, b + 1);
        k->ranks[b] = cut < in->count ? cut : in->count - 1;
    }
    mcl_status status = mcl__room_of(mpi, ROOM_SAMPLES, (int64_t)bytes, &samples);
    MCL__THEN(status, mcl__fetch(mpi, in, k->ranks, count, samples));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, samples, 0, bytes, k->mine + (size_t)list * bytes));
    return status;
}

/* Collects the candidates of each boundary in listed. */
static void list_candidates(boundary_keys *k)
{
    const size_t size = k->sorted[0].type->size;
    const int lists = k->cuts->list_count, ranks = k->mpi->size;
    int64_t used = 0;
    for (int b = 0; b < k->boundary_count; ++b) {
        k->offsets[b] = used;
        for (int part = 0; part < lists * ranks; ++part) {
            const int list = part / ranks, rank = part % ranks;
            if (mcl__cut(k->cuts, list, rank, b + 1) >= mcl__count_of(k->cuts, list, rank)) continue;
            const size_t at = ((size_t)rank * (size_t)lists + (size_t)list) * (size_t)k->boundary_count + (size_t)b;
            memcpy(k->listed + (size_t)used++ * size, k->all + at * size, size);
        }
        if (used > k->offsets[b]) k->key_count = b + 1;
    }
    k->offsets[k->boundary_count] = used;
}

/* Finds the smallest candidate of each boundary, and stores it in keys on the device. */
static mcl_status choose_keys(boundary_keys *k, mcl_buffer **keys)
{
    mcl_mpi *const mpi = k->mpi;
    const mcl_type *const type = k->sorted[0].type;
    const int64_t size = (int64_t)type->size, count = k->offsets[k->boundary_count], key_count = k->key_count;
    mcl_buffer *candidates = NULL, *numbers = NULL;
    if (key_count == 0) return MCL_OK;
    mcl_status status = mcl__room_of(mpi, ROOM_PARTIALS, count * size, &candidates);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_NUMBERS, (key_count + 1) * 8, &numbers));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SAMPLES, key_count * size, keys));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, candidates, 0, (size_t)(count * size), k->listed));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, numbers, 0, (size_t)(key_count + 1) * 8, k->offsets));
    const mcl_input all = mcl_from_buffer(type, candidates, 0, count);
    const mcl_segments segments = mcl_segments_from_offsets(mcl_from_buffer(MCL_INT64, numbers, 0, key_count + 1));
    MCL__THEN(status, mcl_segmented_sort(mpi->queue, all, segments, mcl_to_buffer(type, candidates, 0, count),
                                         k->before, MCL_STABLE, NULL, NULL));
    MCL__THEN(status, mcl__fetch(mpi, &all, k->offsets, key_count, *keys));
    return status;
}

/* Makes this rank's cuts of a list. A cut is the number of keys before the boundary's key, but at least the cut before
 * it. */
static mcl_status cut_list(boundary_keys *k, int list, mcl_buffer *keys)
{
    int64_t *const row = mcl__row_of(k->cuts, list, k->mpi->rank);
    const int64_t count = k->sorted[list].count;
    memset(k->ranks, 0, (size_t)k->boundary_count * sizeof *k->ranks);
    const mcl_status status =
        mcl__rank_samples(k->mpi, &k->sorted[list], keys, k->key_count, k->key_count, k->before, k->ranks);
    for (int b = 0; b < k->boundary_count; ++b) {
        const int64_t rank = b < k->key_count ? k->ranks[b] : count;
        row[b + 1] = rank > row[b] ? rank : row[b];
    }
    return status;
}

/* Makes the shares from the numbers of elements between cuts. */
static void count_shares(mcl__cuts *cuts)
{
    for (int to = 0; to <= cuts->rank_count; ++to) {
        cuts->boundaries[to] = 0;
        for (int part = 0; part < cuts->list_count * cuts->rank_count; ++part)
            cuts->boundaries[to] += mcl__cut(cuts, part / cuts->rank_count, part % cuts->rank_count, to);
    }
}

static mcl_status cut_between(boundary_keys *k)
{
    mcl_mpi *const mpi = k->mpi;
    const int lists = k->cuts->list_count;
    const size_t own_bytes = (size_t)lists * (size_t)k->boundary_count * k->sorted[0].type->size;
    mcl_buffer *keys = NULL;
    mcl_status status = make_arrays(k);
    for (int list = 0; list < lists; ++list) MCL__THEN(status, fetch_mine(k, list));
    MCL__AGREE(mpi, status);
    status = mcl__gather_all(mpi, k->mine, k->all, own_bytes);
    if (status == MCL_OK) list_candidates(k);
    MCL__THEN(status, choose_keys(k, &keys));
    for (int list = 0; list < lists; ++list) MCL__THEN(status, cut_list(k, list, keys));
    MCL__AGREE(mpi, status);
    status = mcl__cuts_share(mpi, k->cuts);
    if (status == MCL_OK) count_shares(k->cuts);
    return status;
}

mcl_status mcl__cut_between_keys(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before)
{
    boundary_keys k = { .mpi = mpi, .cuts = cuts, .sorted = sorted, .before = before, .boundary_count = mpi->size - 1 };
    if (k.boundary_count == 0) return MCL_OK;
    const mcl_status status = cut_between(&k);
    free(k.mine);
    free(k.all);
    free(k.listed);
    free(k.offsets);
    free(k.ranks);
    return status;
}
