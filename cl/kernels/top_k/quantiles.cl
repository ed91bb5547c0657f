/* quantiles.cl: finds the ranks of quantiles, or the quantiles from keys of these ranks. Passes:
 *   quantile_ranks    stores the two ranks of quantile k as elements 2 * k and 2 * k + 1 of ranks
 *   quantile_pick     stores the quantiles; found has all keys in order (are_sorted), or both keys of each quantile
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in, the keys, for their count; fractions with INTERPOLATION, or
 * amounts, which are the ranks themselves; number count, of quantiles; outputs ranks, and out with input found. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/tile_count.clh"
#include "pieces/tile/amount.clh"
#include "kernels/top_k/quantile.clh"

/* Returns the ranks of quantile k. Bounds: both ranks are below the count of keys, which is at least one. */
static inline quantile ranks_at(const operands_type o, const index_type k)
{
#if HAS_fractions
    return quantile_at(o, o.in.count, k);
#else
    quantile q;
    q.low = q.high = amount_at(o, k, o.in.count - 1);
    q.share = 0;
    return q;
#endif
}

/* Stores the ranks of quantile k, or the quantile. */
static inline void store_quantile(const operands_type o, const index_type k, const quantile q)
{
#if HAS_ranks
    store_ranks(o.ranks, 2 * k, (ranks_type)q.low);
    store_ranks(o.ranks, 2 * k + 1, (ranks_type)q.high);
#else
    const in_type low = load_found(o.found, o.are_sorted ? q.low : 2 * k);
#if BLENDS
    store_out(o.out, k, quantile_between(low, load_found(o.found, o.are_sorted ? q.high : 2 * k + 1), q.share));
#else
    store_out(o.out, k, low);
#endif
#endif
}

static inline void store_quantiles(const operands_type o)
{
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int here = o.in.count > 0 ? tile_count(begin, o.count) : 0;
    for (int k = (int)get_local_id(0); k < here; k += TILE_THREADS)
        store_quantile(o, begin + k, ranks_at(o, begin + k));
}

#if HAS_ranks
MCL_KERNEL(TILE_THREADS) quantile_ranks(PARAMS_quantile_ranks)
{
    operands_type o;
    TAKE_quantile_ranks(o);
    store_quantiles(o);
}
#else
MCL_KERNEL(TILE_THREADS) quantile_pick(PARAMS_quantile_pick)
{
    operands_type o;
    TAKE_quantile_pick(o);
    store_quantiles(o);
}
#endif
