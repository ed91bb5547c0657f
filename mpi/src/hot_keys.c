/* hot_keys.c: finds the hot keys of a join by samples. Copies of a hot key in one sequence go to any ranks. Copies in
 * the other sequence go to all ranks. */
#include "hot_keys.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHARE_PARTS = 32,       /* a key with more copies than a share / SHARE_PARTS is hot; owners have up to 1.2 shares */
    SAMPLES_OF_RANK = 512,  /* samples of each rank; a key at the limit has about 16 of them */
    SAMPLES_MOST = 1 << 15, /* largest number of samples of all ranks together */
    HOT_LEAST = 8           /* smallest number of samples of a hot key; fewer may be chance */
};

typedef struct samples {
    int64_t step, width; /* number of keys for each sample; largest number of samples on a rank */
    uint64_t *own, *all; /* bits of this rank's samples; bits of all ranks' samples, width for each rank */
    int64_t *positions;
} samples;

static int64_t sample_count(const samples *s, const mcl__hot_search *search, int rank, int list)
{
    return (search->whole[list].counts[rank] + s->step - 1) / s->step;
}

static int64_t rank_samples(const samples *s, const mcl__hot_search *search, int rank)
{
    return sample_count(s, search, rank, 0) + sample_count(s, search, rank, 1);
}

static uint64_t bits_of(const unsigned char *bytes, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight = 0;
    memcpy(&one, bytes, sizeof one);
    memcpy(&two, bytes, size < sizeof two ? size : sizeof two);
    memcpy(&four, bytes, size < sizeof four ? size : sizeof four);
    memcpy(&eight, bytes, size < sizeof eight ? size : sizeof eight);
    return size == 1 ? one : size == 2 ? two : size == 4 ? four : eight;
}

/* Reads this rank's samples of one sequence, and stores their bits from own[at] on. */
static mcl_status read_samples(mcl_mpi *mpi, const mcl__hot_search *search, samples *s, int list, int64_t at)
{
    const mcl_input *const keys = &search->keys[list];
    const int64_t count = sample_count(s, search, mpi->rank, list);
    const size_t size = keys->type->size;
    mcl_buffer *room = NULL;
    unsigned char *bytes = NULL;
    if (count == 0) return MCL_OK;
    for (int64_t k = 0; k < count; ++k) {
        const int64_t first = k * s->step, rest = keys->count - first;
        s->positions[k] = first + mcl__hashed_below((uint64_t)(first + list) + 1, rest < s->step ? rest : s->step);
    }
    mcl_status status = mcl__array(mpi, count + 1, 8, &bytes);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SAMPLES, count * (int64_t)size, &room));
    MCL__THEN(status, mcl__fetch(mpi, keys, s->positions, count, room));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, room, 0, (size_t)count * size, bytes));
    for (int64_t k = 0; k < count && status == MCL_OK; ++k) s->own[at + k] = bits_of(bytes + (size_t)k * size, size);
    free(bytes);
    return status;
}

/* Gathers the samples of all ranks, one after the other, and stores their number in count. */
static mcl_status gather_samples(mcl_mpi *mpi, const mcl__hot_search *search, samples *s, int64_t *count)
{
    const int64_t total = search->whole[0].total + search->whole[1].total;
    const int64_t wanted = (int64_t)SAMPLES_OF_RANK * mpi->size;
    s->step = total / (wanted < SAMPLES_MOST ? wanted : SAMPLES_MOST) + 1;
    for (int r = 0; r < mpi->size; ++r) {
        const int64_t own = rank_samples(s, search, r);
        if (own > s->width) s->width = own;
    }
    mcl_status status = mcl__array(mpi, s->width, sizeof *s->own, &s->own);
    MCL__THEN(status, mcl__array(mpi, s->width, sizeof *s->positions, &s->positions));
    MCL__THEN(status, mcl__array(mpi, s->width * mpi->size, sizeof *s->all, &s->all));
    MCL__THEN(status, read_samples(mpi, search, s, 0, 0));
    MCL__THEN(status, read_samples(mpi, search, s, 1, sample_count(s, search, mpi->rank, 0)));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__gather_all(mpi, s->own, s->all, (size_t)s->width * sizeof *s->own));
    for (int r = 0; r < mpi->size; ++r) {
        const int64_t own = rank_samples(s, search, r);
        memmove(s->all + *count, s->all + r * s->width, (size_t)own * sizeof *s->all);
        *count += own;
    }
    return MCL_OK;
}

static int compare_bits(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* Sorts the samples, and keeps each hot key once, ascending. Returns the number of hot keys. */
static int32_t keep_hot(const mcl_mpi *mpi, uint64_t *all, int64_t count)
{
    const int64_t part = count / ((int64_t)SHARE_PARTS * mpi->size), least = part > HOT_LEAST ? part : HOT_LEAST;
    int32_t kept = 0;
    qsort(all, (size_t)count, sizeof *all, compare_bits);
    for (int64_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && all[next] == all[first];) ++next;
        if (next - first > least) all[kept++] = all[first];
    }
    return kept;
}

/* ---- ways of hot keys -------------------------------------------------------------------------------------- */

static int is_filter(mcl_join_kind kind)
{
    return kind == MCL_JOIN_SEMI || kind == MCL_JOIN_ANTI;
}

/* Decides where a hot key of a and of b goes. a_count and b_count are its numbers of copies. A key goes to all ranks
 * only if the kind makes no row of a key that has no partner. */
static void set_ways(mcl_join_kind kind, int64_t a_count, int64_t b_count, unsigned char *a_way, unsigned char *b_way)
{
    const int spreads_a = kind != MCL_JOIN_RIGHT && kind != MCL_JOIN_OUTER && (a_count >= b_count || is_filter(kind));
    const int spreads_b = (kind == MCL_JOIN_INNER || kind == MCL_JOIN_RIGHT) && b_count >= a_count;
    const int is_alone = a_count == 0 || b_count == 0;
    *a_way = is_alone || spreads_a ? WAY_ANY : spreads_b ? WAY_ALL : WAY_OWNER;
    *b_way = is_alone ? WAY_ANY : spreads_a ? WAY_ALL : spreads_b ? WAY_ANY : WAY_OWNER;
}

/* Counts the copies of each hot key in both sequences, on this rank. */
static mcl_status count_hot(mcl_mpi *mpi, const mcl__hot_search *search, const mcl__hot *hot, int64_t *counts)
{
    const mcl_op place = mcl__hot_place(hot);
    const int64_t bins = hot->count + 1;
    mcl_buffer *room = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_PARTIALS, 2 * bins * (int64_t)sizeof *counts, &room);
    for (int list = 0; list < 2; ++list) {
        const mcl_input *const keys = &search->keys[list];
        MCL__THEN(status, mcl_histogram(mpi->queue,
                                        mcl_from_buffer(mcl__bits_type(keys->type->size), keys->buffer, keys->offset,
                                                        keys->count),
                                        &place, NULL, mcl_to_buffer(MCL_INT64, room, list * bins, bins), NULL));
    }
    MCL__THEN(status, mcl_buffer_read(mpi->queue, room, 0, 2 * (size_t)bins * sizeof *counts, counts));
    return status;
}

/* Makes b's keys distinct, so that a rank has a hot key once. */
static mcl_status make_distinct(mcl_mpi *mpi, mcl_input *b)
{
    mcl_buffer *room = NULL;
    int64_t count = 0;
    mcl_status status = mcl__room_of(mpi, ROOM_JOINED, b->count * (int64_t)b->type->size, &room);
    MCL__THEN(status, mcl_distinct(mpi->queue, *b, mcl_to_buffer(b->type, room, 0, b->count),
                                   mcl_to_host(MCL_INT64, &count), NULL));
    *b = mcl_from_buffer(b->type, room, 0, count);
    return status;
}

/* Counts the copies of each hot key on all ranks, and writes the ways of the keys to the device. */
static mcl_status find_ways(mcl_mpi *mpi, mcl__hot_search *search, const uint64_t *keys, mcl__hot *hot, int64_t *counts,
                            unsigned char *ways)
{
    const int64_t bins = hot->count + 1;
    mcl_status status = mcl__room_of(mpi, ROOM_FOUND, hot->count * (int64_t)sizeof *keys, &hot->keys);
    MCL__THEN(status, mcl__room_of(mpi, ROOM_SMALL, 2 * bins, &hot->ways));
    MCL__THEN(status, mcl_buffer_write(mpi->queue, hot->keys, 0, (size_t)hot->count * sizeof *keys, keys));
    if (is_filter(search->kind)) MCL__THEN(status, make_distinct(mpi, &search->keys[1]));
    MCL__THEN(status, count_hot(mpi, search, hot, counts));
    MCL__AGREE(mpi, status);
    MCL__AGREE(mpi, mcl__add_all(mpi, counts, (int)(2 * bins)));
    for (int64_t k = 0; k < hot->count; ++k)
        set_ways(search->kind, counts[k], counts[bins + k], &ways[k], &ways[bins + k]);
    ways[hot->count] = ways[bins + hot->count] = WAY_OWNER;
    return mcl_buffer_write(mpi->queue, hot->ways, 0, 2 * (size_t)bins, ways);
}

mcl_status mcl__find_hot(mcl_mpi *mpi, mcl__hot_search *search, mcl__hot *hot)
{
    samples s = { 0 };
    int64_t count = 0, *counts = NULL;
    unsigned char *ways = NULL;
    *hot = (mcl__hot){ 0 };
    mcl_status status = gather_samples(mpi, search, &s, &count);
    if (status == MCL_OK) hot->count = keep_hot(mpi, s.all, count);
    if (hot->count > 0) {
        MCL__THEN(status, mcl__array(mpi, 2 * ((int64_t)hot->count + 1), sizeof *counts, &counts));
        MCL__THEN(status, mcl__array(mpi, 2 * ((int64_t)hot->count + 1), 1, &ways));
        status = mcl__agree(mpi, status);
        MCL__THEN(status, find_ways(mpi, search, s.all, hot, counts, ways));
    }
    free(s.own);
    free(s.all);
    free(s.positions);
    free(counts);
    free(ways);
    return status;
}
