/* merge_study.cl: the merges of a textbook (co_rank.clh), which run beside merge path. One pass: study_merge. Needs:
 * TILE_THREADS; TILE_ITEMS, number of elements of the result that a work-item merges at once; COUNTS: 1: also count.
 * MERGE_KIND (study/merge_study.h):
 *   MERGE_NAIVE       one search for each element of the inputs
 *   MERGE_BASIC       each work-item cuts its part of the result out of both inputs, in global memory
 *   MERGE_TILED       groups cut their parts so; tiles of both inputs in work-group memory, loaded anew for each tile
 *                     of the result
 *   MERGE_CIRCULAR    as MERGE_TILED, but elements that a tile has not used stay, and only used ones are replaced
 *   MERGE_ONE_SEARCH  exercise 3: one search for each tile tells which elements of both inputs it needs, so that
 *                     both fit one buffer
 *
 * counts: searches in global memory, elements read from it by the merge itself. */
#include "study/merge_study.h"
#define TILE_SIZE (TILE_THREADS * TILE_ITEMS)

#define CO_RANK(part) global_##part
#define CO_RANK_SPACE __global
#define CO_RANK_CIRCULAR 0
#include "study/co_rank.clh"
#define CO_RANK(part) local_##part
#define CO_RANK_SPACE __local
#define CO_RANK_CIRCULAR 1
#include "study/co_rank.clh"

typedef struct {
    int32_t a[TILE_SIZE], b[TILE_SIZE];
    int cuts[2];           /* indices in a where the group's part begins and ends */
    int a_used, b_used;    /* elements of the group's parts of a and b that the tiles so far have used */
    int a_loaded, b_loaded;
    int next;              /* elements of a that are used when this tile is done */
} merge_store;

static inline void count(__global uint *counts, const int which, const int amount)
{
#if COUNTS
    if (amount > 0) (void)atomic_add_global(counts + which, (uint)amount);
#else
    (void)counts;
    (void)which;
    (void)amount;
#endif
}

static inline co_rank_ring no_ring(void)
{
    co_rank_ring ring = {0, 0, 1};
    return ring;
}

#if MERGE_KIND == MERGE_NAIVE
/* Returns how many elements of data sort before x; where is_upper, equal elements count too. */
static inline int bound(__global const int32_t *data, const int length, const int32_t x, const int is_upper)
{
    int low = 0, high = length;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (data[middle] < x || (is_upper && data[middle] == x)) low = middle + 1;
        else high = middle;
    }
    return low;
}
#endif

#if MERGE_KIND >= MERGE_TILED
/* Loads elements [from, to) of a part to indices that are shift less, modulo TILE_SIZE. */
static INLINED void load_part(__global const int32_t *data, const int from, const int to, const int shift,
                              __local int32_t *store)
{
    for (int k = from + (int)get_local_id(0); k < to; k += TILE_THREADS)
        store[(k - shift) % TILE_SIZE] = data[k];
}

static inline int least(const int x, const int y)
{
    return x < y ? x : y;
}

/* Return the end up to which the group's part of a, or of b, is loaded for a tile. Here and below, known numbers are
 * read from work-group memory again after each barrier: see the dialect's rules. */
static inline int a_end_of(const int a_length, __local const merge_store *store)
{
#if MERGE_KIND == MERGE_ONE_SEARCH
    (void)a_length;
    return store->next;
#else
    return least(store->a_used + TILE_SIZE, a_length);
#endif
}

static inline int b_end_of(const int b_length, const int width, __local const merge_store *store)
{
#if MERGE_KIND == MERGE_ONE_SEARCH
    (void)b_length;
    return store->b_used + width - (store->next - store->a_used);
#else
    (void)width;
    return least(store->b_used + TILE_SIZE, b_length);
#endif
}

/* Loads the elements of the group's parts that the tile needs, or may need. */
static INLINED void load_tile(__global const int32_t *a, const int a_length, __global const int32_t *b,
                              const int b_length, const int width, __global uint *counts, __local merge_store *store)
{
    const int a_end = a_end_of(a_length, store), b_end = b_end_of(b_length, width, store);
#if MERGE_KIND == MERGE_CIRCULAR
    const int a_from = store->a_loaded, b_from = store->b_loaded;
    load_part(a, a_from, a_end, 0, store->a);
    load_part(b, b_from, b_end, 0, store->b);
#else
    const int a_from = store->a_used, b_from = store->b_used;
    load_part(a, a_from, a_end, a_from, store->a);
#if MERGE_KIND == MERGE_ONE_SEARCH
    load_part(b, b_from, b_end, b_from - (a_end - a_from), store->a);
#else
    load_part(b, b_from, b_end, b_from, store->b);
#endif
#endif
    if (get_local_id(0) == 0) count(counts, 1, a_end - a_from + b_end - b_from);
    group_barrier();
    if (get_local_id(0) == 0) {
        store->a_loaded = a_end_of(a_length, store);
        store->b_loaded = b_end_of(b_length, width, store);
    }
    group_barrier();
}

/* Merges a tile: each work-item merges TILE_ITEMS elements of the tile's width. The cut of the last work-item is the
 * tile's cut. */
static INLINED void merge_tile(const int width, __global int32_t *c, __local merge_store *store)
{
    const int id = (int)get_local_id(0);
    const int a_count = store->a_loaded - store->a_used, b_count = store->b_loaded - store->b_used;
    co_rank_ring ring = {0, 0, TILE_SIZE};
#if MERGE_KIND == MERGE_CIRCULAR
    ring.a = store->a_used % TILE_SIZE;
    ring.b = store->b_used % TILE_SIZE;
#endif
#if MERGE_KIND == MERGE_ONE_SEARCH
    __local const int32_t *const b = store->a + a_count;
#else
    __local const int32_t *const b = store->b;
#endif
    const int begin = co_rank_share(width, TILE_ITEMS, id), end = co_rank_share(width, TILE_ITEMS, id + 1);
    const int i = local_co_rank(begin, store->a, a_count, b, b_count, ring);
    const int i_end = local_co_rank(end, store->a, a_count, b, b_count, ring);
    local_merge(store->a, i, i_end, b, begin - i, end - i_end, ring, c + begin);
    if (id == TILE_THREADS - 1) store->next = store->a_used + i_end;
    group_barrier();
    if (id == 0) {
        store->b_used += width - (store->next - store->a_used);
        store->a_used = store->next;
    }
    group_barrier();
}

/* Merges part [begin, end) of the result by a group. */
static INLINED void merge_part(__global const int32_t *a, const int a_count, __global const int32_t *b,
                               const int b_count, __global int32_t *c, const int begin, const int end,
                               __global uint *counts, __local merge_store *store)
{
    if (get_local_id(0) == 0) {
        store->cuts[0] = global_co_rank(begin, a, a_count, b, b_count, no_ring());
        store->cuts[1] = global_co_rank(end, a, a_count, b, b_count, no_ring());
        store->a_used = store->b_used = store->a_loaded = store->b_loaded = 0;
        count(counts, 0, 2);
    }
    group_barrier();
    for (int done = begin; done < end; done += TILE_SIZE) {
        const int width = least(TILE_SIZE, end - done);
        const int a_first = store->cuts[0], b_first = begin - a_first;
        const int a_length = store->cuts[1] - a_first, b_length = end - begin - a_length;
#if MERGE_KIND == MERGE_ONE_SEARCH
        if (get_local_id(0) == 0) {
            const int a_used = store->a_used, b_used = store->b_used;
            store->next = a_used + global_co_rank(width, a + a_first + a_used, a_length - a_used,
                                                  b + b_first + b_used, b_length - b_used, no_ring());
            count(counts, 0, 1);
        }
        group_barrier();
#endif
        load_tile(a + a_first, a_length, b + b_first, b_length, width, counts, store);
        merge_tile(width, c + done, store);
    }
}
#endif

/* Merges by one of the kinds. share: number of elements of the result that a group (kinds 2 to 4) or a work-item (kind
 * 1) merges. */
MCL_KERNEL(TILE_THREADS) study_merge(ARRAY_PARAM(int32_t, a), int a_count, ARRAY_PARAM(int32_t, b), int b_count,
                                     ARRAY_PARAM(int32_t, c), int share, ARRAY_PARAM(uint, counts))
{
    MCL_SHARED(merge_store, store);
    __global const int32_t *const a = ARRAY(int32_t, a);
    __global const int32_t *const b = ARRAY(int32_t, b);
    __global int32_t *const c = ARRAY(int32_t, c);
    __global uint *const counts = ARRAY(uint, counts);
    const int total = a_count + b_count;
#if MERGE_KIND == MERGE_NAIVE
    (void)store;
    (void)share;
    const int64_t begin = (int64_t)get_group_id(0) * TILE_SIZE + (int64_t)get_local_id(0);
    for (int64_t k = begin; k < total && k < begin + TILE_SIZE; k += TILE_THREADS) {
        const int i = (int)k, j = (int)k - a_count;
        if (i < a_count) c[i + bound(b, b_count, a[i], 0)] = a[i];
        else c[j + bound(a, a_count, b[j], 1)] = b[j];
        count(counts, 0, 1);
        count(counts, 1, 1);
    }
#elif MERGE_KIND == MERGE_BASIC
    (void)store;
    const int index = (int)get_global_id(0);
    const int begin = co_rank_share(total, share, index), end = co_rank_share(total, share, index + 1);
    if (begin < end) {
        const int i = global_co_rank(begin, a, a_count, b, b_count, no_ring());
        const int i_end = global_co_rank(end, a, a_count, b, b_count, no_ring());
        global_merge(a, i, i_end, b, begin - i, end - i_end, no_ring(), c + begin);
        count(counts, 0, 2);
        count(counts, 1, end - begin);
    }
#else
    const int group = (int)get_group_id(0);
    merge_part(a, a_count, b, b_count, c, co_rank_share(total, share, group), co_rank_share(total, share, group + 1),
               counts, store);
#endif
}
