/* splitters.c: finds exact splitters in rounds of samples. The kernel is in splitters.cl. */
#include "splitters.h"

#include "plan.h"
#include "splitter_kernel.h"

#include <stdlib.h>

enum { ROUNDS_MOST = 64 };

/* A boundary: its bounds, which all ranks know, and the ranges of this rank's lists that contain its cuts. */
typedef struct boundary {
    int64_t target;                         /* number of elements before the boundary */
    int64_t low, high;                      /* bounds found so far: numbers of elements before them, in all lists */
    int64_t from[LISTS_MAX], to[LISTS_MAX]; /* this rank's cut of a list lies in [from, to] */
} boundary;

typedef struct search {
    mcl_mpi *mpi;
    const mcl__cuts *cuts;
    const mcl_input *sorted;
    const mcl_op *before;
    boundary *boundaries;
    int boundary_count;
    int samples;          /* number of samples for each boundary, in each list of a rank */
    int64_t chunk;        /* number of samples in one list of one rank */
    int64_t sample_count; /* number of samples of all lists and ranks; empty lists have none */
    int64_t *positions;   /* [list][chunk] indices of this rank's samples */
    int64_t *ranks;       /* [list][sample_count] number of elements before each sample; then the sums over lists */
    unsigned char *keys;  /* keys of this rank's samples, then of all ranks' samples */
} search;

/* ---- samples ----------------------------------------------------------------------------------------------- */

/* Returns the index of the first sample of a rank's list, among all samples. Empty lists have no samples. */
static int64_t chunk_at(const search *s, int list, int rank)
{
    int64_t at = 0;
    for (int part = 0; part < list * s->mpi->size + rank; ++part) at += s->cuts->counts[part] > 0 ? s->chunk : 0;
    return at;
}

static void choose_positions(const search *s, int list)
{
    const int64_t count = s->sorted[list].count;
    for (int b = 0; b < s->boundary_count; ++b) {
        const boundary *const at = &s->boundaries[b];
        const int64_t length = at->to[list] > at->from[list] ? at->to[list] - at->from[list] : 0;
        for (int k = 0; k < s->samples; ++k) {
            /* two steps, so that no product exceeds 2^63 */
            const int64_t parts = s->samples + 1, whole = length / parts, rest = length % parts;
            const int64_t position = at->from[list] + whole * (k + 1) + rest * (k + 1) / parts;
            s->positions[list * s->chunk + (int64_t)b * s->samples + k] = position < count ? position : count - 1;
        }
    }
}

/* Fetches the keys of the samples of this rank's list, to keys on the host. */
static mcl_status fetch_samples(const search *s, int list, unsigned char *keys)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl_input *const in = &s->sorted[list];
    const int64_t key_bytes = s->chunk * (int64_t)in->type->size;
    mcl_buffer *samples = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SAMPLES, key_bytes, &samples);
    MCL__THEN(status, mcl__fetch(mpi, in, s->positions + list * s->chunk, s->chunk, samples));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, samples, 0, (size_t)key_bytes, keys));
    return status;
}

/* Gathers the samples of all lists and ranks on the device, in the order of lists, without gaps for empty lists. */
static mcl_status gather_samples(search *s, mcl_buffer **samples)
{
    mcl_mpi *const mpi = s->mpi;
    const int lists = s->cuts->list_count;
    const size_t size = s->sorted[0].type->size, bytes = (size_t)s->chunk * size, own_bytes = (size_t)lists * bytes;
    unsigned char *const all = s->keys + own_bytes; /* [rank][list][chunk] keys of all samples */
    mcl_status status = MCL_OK;
    for (int list = 0; list < lists; ++list) {
        if (s->sorted[list].count == 0) continue;
        choose_positions(s, list);
        MCL__THEN(status, fetch_samples(s, list, s->keys + (size_t)list * bytes));
    }
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SAMPLES, s->sample_count * (int64_t)size, samples));
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_all(mpi, s->keys, all, own_bytes));
    for (int part = 0; part < lists * mpi->size; ++part) {
        const int list = part / mpi->size, rank = part % mpi->size;
        if (mcl__count_of(s->cuts, list, rank) == 0) continue;
        MCL__THEN(status, mcl_buffer_write(mpi->queue, *samples, (size_t)chunk_at(s, list, rank) * size, bytes,
                                           all + (size_t)rank * own_bytes + (size_t)list * bytes));
    }
    return status;
}

/* ---- elements before samples -------------------------------------------------------------------------------- */

mcl_status mcl__rank_samples(mcl_mpi *mpi, const mcl_input *sorted, mcl_buffer *samples, int64_t sample_count,
                             int64_t own, const mcl_op *before, int64_t *ranks)
{
    const mcl_kernel kernel = mcl__splitter_kernel(sorted->type, before);
    mcl_buffer *numbers = NULL;
    mcl_tile tile;
    if (sorted->count == 0 || sample_count == 0) return MCL_OK; /* the caller's ranks are 0 already */
    mcl_status status = mcl__room_of(mpi, ROOM_NUMBERS, sample_count * 8, &numbers);
    MCL__THEN(status, mcl_kernel_tile(mpi->queue, &kernel, NULL, &tile));
    if (status != MCL_OK) return status;
    const mcl_input in = mcl_from_buffer(sorted->type, samples, 0, sample_count);
    const mcl_output out = mcl_to_buffer(MCL_INT64, numbers, 0, sample_count);
    const mcl_launch launch = { .groups = mcl_tile_groups(&tile, sample_count),
                                .arguments = { mcl_argument_input(&in), mcl_argument_input(sorted),
                                               mcl_argument_output(&out), mcl_argument_index(own) } };
    status = mcl_kernel_launch(mpi->queue, &kernel, &launch, 1, NULL, 0, NULL);
    MCL__THEN(status, mcl_buffer_read(mpi->queue, numbers, 0, (size_t)(sample_count * 8), ranks));
    return status;
}

/* Counts the elements of this rank's list before each sample. */
static mcl_status rank_samples(search *s, int list, mcl_buffer *samples)
{
    int64_t *const ranks = s->ranks + list * s->sample_count;
    const int64_t own = chunk_at(s, list, s->mpi->rank);
    if (s->sorted[list].count == 0) return MCL_OK;
    const mcl_status status =
        mcl__rank_samples(s->mpi, &s->sorted[list], samples, s->sample_count, own, s->before, ranks);
    /* an own sample's index is the number of elements before it */
    for (int64_t k = 0; k < s->chunk && status == MCL_OK; ++k) ranks[own + k] = s->positions[list * s->chunk + k];
    return status;
}

/* Adds up the numbers of elements before each sample, over all lists of all ranks. The sums are stored after the
 * numbers of this rank's lists. */
static mcl_status add_ranks(search *s)
{
    const int lists = s->cuts->list_count;
    int64_t *const sums = s->ranks + lists * s->sample_count;
    for (int64_t k = 0; k < s->sample_count; ++k) {
        sums[k] = 0;
        for (int list = 0; list < lists; ++list) sums[k] += s->ranks[list * s->sample_count + k];
    }
    return mcl__add_all(s->mpi, sums, (int)s->sample_count);
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

/* Moves a boundary's lower bound up to a sample that is not after the boundary. If the sample is before the boundary,
 * the bound comes after the sample. */
static void raise(search *s, boundary *at, int64_t sample, int64_t sum)
{
    for (int list = 0; list < s->cuts->list_count; ++list) {
        const int64_t own = chunk_at(s, list, s->mpi->rank);
        const int is_own = sample >= own && sample < own + s->chunk && s->sorted[list].count > 0;
        at->from[list] = s->ranks[list * s->sample_count + sample] + (is_own && sum < at->target);
    }
    at->low = sum < at->target ? sum + 1 : sum;
}

static void lower(search *s, boundary *at, int64_t sample, int64_t sum)
{
    for (int list = 0; list < s->cuts->list_count; ++list) at->to[list] = s->ranks[list * s->sample_count + sample];
    at->high = sum;
}

/* Narrows the interval of one boundary by its samples, in the lists of all ranks. */
static void narrow(search *s, int b)
{
    const int64_t *const sums = s->ranks + s->cuts->list_count * s->sample_count;
    boundary *const at = &s->boundaries[b];
    for (int64_t chunk = 0; chunk < s->sample_count; chunk += s->chunk) {
        for (int64_t k = 0; k < s->samples && at->low < at->target; ++k) {
            const int64_t sample = chunk + (int64_t)b * s->samples + k, sum = sums[sample];
            if (sum <= at->target && sum >= at->low)
                raise(s, at, sample, sum);
            else if (sum > at->target && sum < at->high)
                lower(s, at, sample, sum);
        }
    }
}

static int is_found(const search *s)
{
    for (int b = 0; b < s->boundary_count; ++b)
        if (s->boundaries[b].low < s->boundaries[b].target) return 0;
    return 1;
}

static mcl_status search_rounds(search *s)
{
    mcl_status status = MCL_OK;
    for (int round = 0; round < ROUNDS_MOST && !is_found(s) && status == MCL_OK; ++round) {
        mcl_buffer *samples = NULL;
        status = gather_samples(s, &samples);
        for (int list = 0; list < s->cuts->list_count; ++list) MCL__THEN(status, rank_samples(s, list, samples));
        status = mcl__agree(s->mpi, status);
        MCL__THEN(status, add_ranks(s));
        for (int b = 0; b < s->boundary_count && status == MCL_OK; ++b) narrow(s, b);
    }
    return status;
}

/* ---- call -------------------------------------------------------------------------------------------------- */

static void plan(search *s)
{
    const int lists = s->cuts->list_count * s->mpi->size;
    s->samples = mcl__samples_planned(lists, s->boundary_count);
    s->chunk = (int64_t)s->samples * s->boundary_count;
    s->sample_count = chunk_at(s, s->cuts->list_count - 1, s->mpi->size - 1);
    if (s->cuts->counts[lists - 1] > 0) s->sample_count += s->chunk;
    for (int b = 0; b < s->boundary_count; ++b) {
        boundary *const at = &s->boundaries[b];
        at->target = s->cuts->boundaries[b + 1];
        at->high = mcl__total_of(s->cuts);
        for (int list = 0; list < s->cuts->list_count; ++list) at->to[list] = s->sorted[list].count;
        if (at->target < at->high) continue;
        at->low = at->high;
        for (int list = 0; list < s->cuts->list_count; ++list) at->from[list] = at->to[list];
    }
}

static mcl_status search_arrays(search *s)
{
    const int lists = s->cuts->list_count;
    const int64_t size = (int64_t)s->sorted[0].type->size;
    mcl_status status = mcl__array(s->mpi, s->boundary_count, sizeof *s->boundaries, &s->boundaries);
    if (status != MCL_OK) return status;
    plan(s);
    status = mcl__array(s->mpi, lists * s->chunk, sizeof(int64_t), &s->positions);
    MCL__THEN(status, mcl__array(s->mpi, (lists + 1) * s->sample_count, sizeof(int64_t), &s->ranks));
    MCL__THEN(status, mcl__array(s->mpi, (lists + lists * s->mpi->size) * s->chunk, (size_t)size, &s->keys));
    return status;
}

/* Stores the boundaries as this rank's cuts. */
static void store_cuts(const search *s, mcl__cuts *cuts)
{
    for (int list = 0; list < cuts->list_count; ++list) {
        int64_t *const row = mcl__row_of(cuts, list, s->mpi->rank);
        row[0] = 0;
        row[mcl__target_count(cuts)] = s->sorted[list].count;
        for (int b = 0; b < s->boundary_count; ++b) row[b + 1] = s->boundaries[b].from[list];
    }
}

mcl_status mcl__find_splitters(mcl_mpi *mpi, mcl__cuts *cuts, const mcl_input *sorted, const mcl_op *before)
{
    search s = {
        .mpi = mpi, .cuts = cuts, .sorted = sorted, .before = before, .boundary_count = mcl__target_count(cuts) - 1
    };
    mcl_status status = s.boundary_count > 0 ? search_arrays(&s) : MCL_OK;
    status = mcl__agree(mpi, status);
    if (s.boundary_count > 0) MCL__THEN(status, search_rounds(&s));
    if (status == MCL_OK) store_cuts(&s, cuts);
    MCL__THEN(status, mcl__cuts_share(mpi, cuts));
    if (status == MCL_OK) mcl__cuts_mend(cuts);
    free(s.boundaries);
    free(s.positions);
    free(s.ranks);
    free(s.keys);
    return status;
}
