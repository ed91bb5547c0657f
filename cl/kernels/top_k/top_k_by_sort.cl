/* top_k_by_sort.cl: copies the first k elements, or the element of a rank, after a sort. One pass: top_k_take.
 * Needs: index_type TILE_THREADS TILE_ITEMS; inputs in, in_values; order, which has the index of each element in in, or
 * is absent where in is in order; amounts; number wanted: k or the rank, or its bound; outputs out, out_values,
 * out_indices; result chosen, or result, the key of the rank.
 *
 * Bounds: elements are stored at indices below wanted and below the count of in. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/amount.clh"
#include "pieces/tile/tile_count.clh"

static inline void take_element(const operands_type o, const index_type k)
{
#if HAS_order
    const index_type from = (index_type)load_order(o.order, k);
#else
    const index_type from = k;
#endif
#if HAS_out
    store_out(o.out, k, load_in(o.in, from));
#endif
#if HAS_in_values
    store_out_values(o.out_values, k, load_in_values(o.in_values, from));
#endif
#if HAS_out_indices
    store_out_indices(o.out_indices, k, (out_indices_type)from);
#endif
}

MCL_KERNEL(TILE_THREADS) top_k_take(PARAMS_top_k_take)
{
    operands_type o;
    TAKE_top_k_take(o);
    const index_type amount = amount_at(o, 0, o.wanted);
#if HAS_result
    if (get_global_id(0) == 0 && o.has_result && amount < o.in.count) store_result(o.result, 0, load_in(o.in, amount));
#else
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const index_type chosen = amount < o.in.count ? amount : o.in.count;
    const int here = tile_count(begin, chosen);
    for (int k = (int)get_local_id(0); k < here; k += TILE_THREADS) take_element(o, begin + k);
    if (get_global_id(0) == 0 && o.has_chosen) store_chosen(o.chosen, 0, (int64_t)chosen);
#endif
}
