/* segments_taken.cl: copies the selected elements of segments that are sorted already. One pass: each work-item stores
 * elements of the outputs.
 * Needs: index_type TILE_THREADS TILE_ITEMS; HAS_END: the last number of offsets is the end of the last segment;
 * TAKES_RANK: 1: the keys of ranks or of fractions are taken, and not the first elements; inputs in, whose segments are
 * in order, offsets, amounts, fractions, in_values; positions, which has the index of each element of in in the
 * caller's input; outputs out, out_values, out_indices, counts; numbers wanted: k or the rank, or its bound; row, the
 * elements of a row of outputs; columns, how many of these may be stored; rows. At least one of each.
 *
 * Bounds, whatever the offsets are: a segment is clamped to the input, and only elements below its end are read. Stores
 * go to rows below the number of segments, and to at most columns elements of each row. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/amount.clh"
#include "kernels/top_k/segment_bounds.clh"
#include "pieces/tile/tile_count.clh"
#if HAS_fractions
#include "kernels/top_k/quantile.clh"
#else
#define BLENDS 0
#endif

/* An element of the outputs, at index to, and its source: the element of in at index from. With BLENDS, the element of
 * in at index high is a second source. */
typedef struct {
    index_type begin;
    index_type from, high;
    index_type to;
    int is_there;
#if BLENDS
    fractions_type share;
#endif
} taken;

/* Finds the element for column k of row s. For the first column it also stores the segment's count. */
static inline taken taken_at(const operands_type o, const index_type s, const index_type k)
{
    const index_type begin = segment_first(o, s), length = segment_length(o, s);
    taken t;
    t.begin = begin;
    t.to = s * o.row + k;
#if HAS_fractions
    t.is_there = length > 0;
    const quantile q = quantile_at(o, t.is_there ? length : 1, k);
    t.from = begin + q.low;
    t.high = begin + q.high;
#if BLENDS
    t.share = q.share;
#endif
#else
    const index_type wanted = amount_at(o, s, o.wanted), count = wanted < length ? wanted : length;
    t.is_there = TAKES_RANK ? wanted < length : k < count;
    t.from = t.high = begin + (TAKES_RANK ? wanted : k);
    if (HAS_counts && k == 0) store_counts(o.counts, s, (counts_type)count);
#endif
    return t;
}

#if HAS_out
static inline out_type key_of(const operands_type o, const taken t)
{
#if BLENDS
    const in_type low = load_in(o.in, t.from);
    return quantile_between(low, t.high > t.from ? load_in(o.in, t.high) : low, t.share);
#else
    return load_in(o.in, t.from);
#endif
}
#endif

/* Stores the value and the index that belong to a key. */
static inline void put_beside(const operands_type o, const taken t)
{
#if HAS_positions
    const index_type at = (index_type)load_positions(o.positions, t.from);
#if HAS_in_values
    store_out_values(o.out_values, t.to, load_in_values(o.in_values, at));
#endif
#if HAS_out_indices
    store_out_indices(o.out_indices, t.to, (out_indices_type)(at - t.begin));
#endif
#endif
    (void)o;
    (void)t;
}

static inline void take(const operands_type o, const taken t)
{
    if (!t.is_there) return;
#if HAS_out
    store_out(o.out, t.to, key_of(o, t));
#endif
    put_beside(o, t);
}

#if MCL_IS_GPU && TILE_THREADS > 1 && HAS_out
/* Stores a whole tile of outputs from begin on. It starts all loads of keys before the first store. */
static inline void take_tile(const operands_type o, const index_type begin)
{
    taken t[TILE_ITEMS];
    out_type kept[TILE_ITEMS];
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        const index_type k = begin + (index_type)get_local_id(0) + j * TILE_THREADS;
        const index_type s = o.columns == 1 ? k : k / o.columns;
        t[j] = taken_at(o, s, k - s * o.columns);
        if (t[j].is_there) kept[j] = key_of(o, t[j]);
    }
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        if (!t[j].is_there) continue;
        store_out(o.out, t[j].to, kept[j]);
        put_beside(o, t[j]);
    }
}
#endif

MCL_KERNEL(TILE_THREADS) segments_take(PARAMS_segments_take)
{
    operands_type o;
    TAKE_segments_take(o);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int here = tile_count(begin, segment_count(o) * o.columns);
#if MCL_IS_GPU && TILE_THREADS > 1 && HAS_out
    if (here == TILE_SIZE) {
        take_tile(o, begin);
        return;
    }
#endif
    if (TILE_THREADS == 1 && o.columns == 1) { /* no index depends on the previous index */
        for (int j = 0; j < here; ++j) take(o, taken_at(o, begin + j, 0));
        return;
    }
    const index_type first = begin + (index_type)get_local_id(0);
    index_type s = first / o.columns, k = first - s * o.columns;
    for (int j = (int)get_local_id(0); j < here; j += TILE_THREADS) {
        take(o, taken_at(o, s, k));
        k += TILE_THREADS;
        if (k < o.columns) continue;
        const index_type more = TILE_THREADS == 1 ? 1 : k / o.columns;
        s += more;
        k -= more * o.columns;
    }
}
