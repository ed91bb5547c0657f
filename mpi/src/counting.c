/* counting.c: drops keys that are not wanted. In each round samples become pivots, and keys between pivots are counted.
 * The kernel is in regions.cl. */
#include "counting.h"

#include "plan.h"
#include "region_kernel.h"

#include <stdlib.h>

enum {
    ROUNDS_MOST = 64,
    PIVOTS_MOST = 255, /* largest number of pivots, since a region's number is a byte */
    PARTS_MOST = 6,    /* parts of the interval around a wanted key; its 7 pivots take 3 steps of a search */
    SAMPLES_LEAST = 64
};

typedef struct search {
    mcl_mpi *mpi;
    mcl__wanted *of;
    int64_t chunk;                 /* number of samples of a rank that has keys */
    int64_t *positions;            /* [chunk] indices of this rank's samples, ascending */
    unsigned char *keys;           /* keys of this rank's samples, then of all ranks' samples */
    int32_t *order;                /* numbers of all ranks' samples, in the order of their keys */
    int64_t picked[PIVOTS_MOST];   /* indices in order of the samples that are pivots, ascending */
    int64_t places[PIVOTS_MOST];   /* index of each pivot among this rank's keys, as regions.cl needs it */
    int64_t own[PIVOTS_MOST + 1];  /* number of this rank's keys in each region */
    int64_t sums[PIVOTS_MOST + 1]; /* number of all ranks' keys in each region */
    unsigned char wanted[PIVOTS_MOST + 1];
    int pivots;
} search;

/* ---- samples ----------------------------------------------------------------------------------------------- */

/* Cuts this rank's keys into chunk parts, and chooses a random index in each. */
static void choose_positions(const search *s, int round)
{
    const int64_t count = s->of->keys.count, part = count / s->chunk, rest = count % s->chunk;
    for (int64_t k = 0; k < s->chunk; ++k) {
        const int64_t first = part * k + rest * k / s->chunk, next = part * (k + 1) + rest * (k + 1) / s->chunk;
        const uint64_t seed = (uint64_t)(k * ROUNDS_MOST + round) * PIVOTS_MOST + (uint64_t)s->mpi->rank + 1;
        s->positions[k] = next > first ? first + mcl__hashed_below(seed, next - first) : first;
        if (s->positions[k] >= count) s->positions[k] = count - 1;
    }
}

/* Returns the number of ranks below rank that have keys. */
static int64_t chunks_before(const search *s, int rank)
{
    int64_t chunks = 0;
    for (int r = 0; r < rank; ++r) chunks += s->of->whole.counts[r] > 0;
    return chunks;
}

/* Gathers the samples of all ranks on the device, in the order of ranks, without gaps for ranks without keys. */
static mcl_status gather_samples(search *s, mcl_buffer *samples)
{
    mcl_mpi *const mpi = s->mpi;
    const size_t size = s->of->keys.type->size, bytes = (size_t)s->chunk * size;
    mcl_status status = MCL_OK;
    if (s->of->keys.count > 0) {
        status = mcl__fetch(mpi, &s->of->keys, s->positions, s->chunk, samples);
        MCL__THEN(status, mcl_buffer_read(mpi->queue, samples, 0, bytes, s->keys));
    }
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_all(mpi, s->keys, s->keys + bytes, bytes));
    for (int r = 0; r < mpi->size; ++r) {
        if (s->of->whole.counts[r] == 0) continue;
        MCL__THEN(status, mcl_buffer_write(mpi->queue, samples, (size_t)chunks_before(s, r) * bytes, bytes,
                                           s->keys + (size_t)(r + 1) * bytes));
    }
    return status;
}

/* Sorts the samples of all ranks, together with their numbers. Equal samples keep the order of ranks and indices. */
static mcl_status sort_samples(search *s, int64_t count, mcl_buffer **sorted)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl_type *const type = s->of->keys.type;
    const int32_t first = 0;
    mcl_buffer *samples = NULL, *order = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SAMPLES, count * (int64_t)type->size, &samples);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME, count * (int64_t)type->size, sorted));
    MCL__THEN(status, mcl__room_of(mpi, ROOM_CAME_VALUES, count * (int64_t)sizeof *s->order, &order));
    MCL__AGREE(mpi, status);
    status = gather_samples(s, samples);
    MCL__THEN(status,
              mcl_sort_pairs(mpi->queue, mcl_from_buffer(type, samples, 0, count),
                             mcl_from_counting(MCL_INT32, &first, count), mcl_to_buffer(type, *sorted, 0, count),
                             mcl_to_buffer(MCL_INT32, order, 0, count), s->of->before, NULL));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, order, 0, (size_t)count * sizeof *s->order, s->order));
    return status;
}

/* ---- pivots ------------------------------------------------------------------------------------------------ */

/* Returns the rank that gave a sample. */
static int rank_of(const search *s, int64_t sample)
{
    int rank = -1;
    for (int64_t chunks = sample / s->chunk + 1; chunks > 0; chunks -= s->of->whole.counts[rank] > 0) ++rank;
    return rank;
}

/* Returns the square root of x, nearly. C's own sqrt would need another library (libm). */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    for (int k = 0; k < 64; ++k) r = (r + x / r) / 2;
    return r;
}

static void pick(search *s, int64_t sample)
{
    if (s->pivots > 0 && s->picked[s->pivots - 1] >= sample) return;
    if (s->pivots < PIVOTS_MOST) s->picked[s->pivots++] = sample;
}

/* Picks pivots around each wanted key. A sample represents an equal number of its rank's keys. So the index of a wanted
 * key gives the samples near it, within three standard deviations. */
static void pick_pivots(search *s, int64_t count)
{
    const int64_t each = PIVOTS_MOST / s->of->count, parts = each - 1 < PARTS_MOST ? each - 1 : PARTS_MOST;
    double variance = 0, sum = 0;
    int64_t at = 0;
    s->pivots = 0;
    for (int r = 0; r < s->mpi->size; ++r) {
        const double own = (double)s->of->whole.counts[r];
        variance += own * own / (4 * (double)s->chunk);
    }
    const double margin = 3 * root(variance);
    for (int64_t k = 0; k < s->of->count; ++k)
        for (int64_t part = 0; part <= parts; ++part) {
            const double wanted = (double)s->of->indices[k] + margin * (2 * (double)part / (double)parts - 1);
            for (; at < count && sum < wanted; ++at)
                sum += (double)s->of->whole.counts[rank_of(s, s->order[at])] / (double)s->chunk;
            if (at > 0 && at < count) pick(s, at);
        }
    if (s->pivots == 0) pick(s, count / 2);
    while (s->pivots &
           (s->pivots + 1)) { /* the last pivot again, up to 2^k - 1, as regions.cl wants; between them no key lies */
        s->picked[s->pivots] = s->picked[s->pivots - 1];
        ++s->pivots;
    }
}

/* Finds the index of each pivot among this rank's keys, as regions.cl needs it. */
static void set_places(search *s)
{
    const int64_t own = chunks_before(s, s->mpi->rank) * s->chunk;
    for (int k = 0; k < s->pivots; ++k) {
        const int64_t sample = s->order[s->picked[k]];
        const int rank = rank_of(s, sample);
        s->places[k] = rank < s->mpi->rank ? -1 : rank > s->mpi->rank ? INT64_MAX : s->positions[sample - own];
    }
}

/* ---- regions ----------------------------------------------------------------------------------------------- */

static mcl_status find_regions(search *s, mcl_buffer *sorted, int64_t samples, mcl_buffer *regions)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl_type *const type = s->of->keys.type;
    const mcl_kernel kernel = mcl__region_kernel(type, s->of->before);
    const mcl_input all = mcl_from_buffer(type, sorted, 0, samples);
    mcl_buffer *pivots = NULL, *places = NULL;
    mcl_tile tile;
    mcl_status status = mcl__room_of(mpi, ROOM_MERGED, PIVOTS_MOST * (int64_t)type->size, &pivots);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_MERGED_VALUES, sizeof s->places, &places));
    MCL__THEN(status, mcl__fetch(mpi, &all, s->picked, s->pivots, pivots));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, places, 0, (size_t)s->pivots * sizeof *s->places, s->places));
    MCL__THEN(status, mcl_kernel_tile(mpi->queue, &kernel, NULL, &tile));
    if (status != MCL_OK) return status;
    const mcl_input pivot_keys = mcl_from_buffer(type, pivots, 0, s->pivots),
                    pivot_places = mcl_from_buffer(MCL_INT64, places, 0, s->pivots);
    const mcl_output out = mcl_to_buffer(MCL_UINT8, regions, 0, s->of->keys.count);
    const mcl_launch launch = { .groups = mcl_tile_groups(&tile, s->of->keys.count),
                                .arguments = { mcl_argument_input(&s->of->keys), mcl_argument_input(&pivot_keys),
                                               mcl_argument_input(&pivot_places), mcl_argument_output(&out) } };
    return mcl_kernel_launch(mpi->queue, &kernel, &launch, 1, NULL, 0, NULL);
}

/* Counts this rank's keys in each region. */
static mcl_status count_regions(search *s, mcl_buffer *regions)
{
    static const mcl_op itself = { .role = MCL_ROLE_INDEX, .expression = "x" };
    mcl_mpi *const mpi = s->mpi;
    mcl_buffer *counts = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_PARTIALS, sizeof s->own, &counts);
    MCL__THEN(status, mcl_histogram(mpi->queue, mcl_from_buffer(MCL_UINT8, regions, 0, s->of->keys.count), &itself,
                                    NULL, mcl_to_buffer(MCL_INT64, counts, 0, s->pivots + 1), NULL));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, counts, 0, (size_t)(s->pivots + 1) * sizeof *s->own, s->own));
    return status;
}

/* Marks regions that contain a wanted key. Changes the indices of wanted keys to indices among the keys of these
 * regions. */
static void mark_wanted(search *s)
{
    int64_t before = 0, dropped = 0, k = 0;
    for (int region = 0; region <= s->pivots; ++region) {
        const int64_t first = k, end = before + s->sums[region];
        for (; k < s->of->count && s->of->indices[k] < end; ++k) s->of->indices[k] -= dropped;
        s->wanted[region] = k > first;
        before = end;
        if (!s->wanted[region]) dropped += s->sums[region];
    }
}

mcl__room mcl__room_to_keep(const mcl_mpi *mpi, const mcl_input *keys)
{
    return keys->buffer == mpi->rooms[ROOM_LEFT] ? ROOM_SECOND : ROOM_LEFT;
}

/* Keeps the keys of the marked regions, in their order. */
static mcl_status keep_wanted(search *s, mcl_buffer *regions)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl_type *const type = s->of->keys.type;
    int64_t left = 0;
    for (int region = 0; region <= s->pivots; ++region) left += s->wanted[region] ? s->own[region] : 0;
    mcl_buffer *wanted = NULL, *kept = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SMALL, sizeof s->wanted, &wanted);
    MCL__THEN(status, mcl__room_of(mpi, mcl__room_to_keep(mpi, &s->of->keys), left * (int64_t)type->size, &kept));
    if (left > 0) {
        const mcl_op keep = { .role = MCL_ROLE_TEST,
                              .expression = "mcl_wanted[mcl_regions[i]]",
                              .binding_count = 2,
                              .bindings = { mcl_binding_buffer("mcl_wanted", MCL_UINT8, wanted, 0),
                                            mcl_binding_buffer("mcl_regions", MCL_UINT8, regions, 0) } };
        MCL__THEN(status, mcl_buffer_write(mpi->queue, wanted, 0, sizeof s->wanted, s->wanted));
        MCL__THEN(status, mcl_compact(mpi->queue, s->of->keys, mcl_to_buffer(type, kept, 0, left), &keep,
                                      mcl_to_nowhere(), NULL));
    }
    s->of->keys = mcl_from_buffer(type, kept, 0, left);
    return status;
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

static mcl_status narrow_once(search *s, int round)
{
    mcl_mpi *const mpi = s->mpi;
    const int64_t samples = chunks_before(s, mpi->size) * s->chunk, count = s->of->keys.count;
    mcl_buffer *sorted = NULL, *regions = NULL;
    if (count > 0) choose_positions(s, round);
    mcl_status status = sort_samples(s, samples, &sorted);
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    pick_pivots(s, samples);
    set_places(s);
    for (int region = 0; region <= s->pivots; ++region) s->own[region] = s->sums[region] = 0;
    MCL__THEN(status, mcl__room_of(mpi, ROOM_RIGHT, count, &regions));
    if (count > 0) MCL__THEN(status, find_regions(s, sorted, samples, regions));
    if (count > 0) MCL__THEN(status, count_regions(s, regions));
    MCL__AGREE(mpi, status);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    for (int region = 0; region <= s->pivots; ++region) s->sums[region] = s->own[region];
    MCL__AGREE(mpi, mcl__add_all(mpi, s->sums, s->pivots + 1));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    mark_wanted(s);
    status = keep_wanted(s, regions);
    MCL__AGREE(mpi, status);
    free(s->of->whole.counts);
    return mcl__count_whole(mpi, s->of->keys.count, &s->of->whole);
}

static mcl_status search_arrays(search *s)
{
    const int64_t samples = s->mpi->size * s->chunk;
    mcl_status status = mcl__array(s->mpi, s->chunk, sizeof *s->positions, &s->positions);
    MCL__THEN(status, mcl__array(s->mpi, samples + s->chunk, s->of->keys.type->size, &s->keys));
    MCL__THEN(status, mcl__array(s->mpi, samples, sizeof *s->order, &s->order));
    return status;
}

mcl_status mcl__narrow(mcl_mpi *mpi, mcl__wanted *wanted, int64_t small)
{
    const int64_t planned = MCL__SAMPLES_WANTED / mpi->size;
    search s = { .mpi = mpi, .of = wanted, .chunk = planned > SAMPLES_LEAST ? planned : SAMPLES_LEAST };
    mcl_status status = search_arrays(&s);
    MCL__THEN(status, mcl__store_input(mpi, ROOM_UNWANTED, &wanted->keys));
    status = mcl__agree(mpi, status);
    int gains = 1;
    for (int round = 0; round < ROUNDS_MOST && gains && wanted->whole.total > small && status == MCL_OK; ++round) {
        const int64_t before = wanted->whole.total;
        status = narrow_once(&s, round);
        gains = wanted->whole.total <= before / 4 * 3;
    }
    free(s.positions);
    free(s.keys);
    free(s.order);
    return status;
}
