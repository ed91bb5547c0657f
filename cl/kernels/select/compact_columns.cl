/* compact_columns.cl: moves columns of values to the indices of their elements in a compaction. Pass: columns_move.
 * Needs: index_type TILE_THREADS TILE_ITEMS; arrays indices and totals, as compact.cl leaves them for a sequence of at
 * most count elements.
 * Operands that may be absent, each for a column:
 *   values to values_4      inputs
 *   out to out_4            outputs for the values of kept elements
 *   rejected to rejected_4  outputs for the values of rejected elements
 * out_2 to out_4 have the limit of out, and rejected_2 to rejected_4 have that of rejected.
 *
 * Bounds, whatever a test has said: a value is stored below the limit, and fetched where its index is in [0, count).
 * totals add up to at most count. So the indices of rejected elements are in the array. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/tile_count.clh"

static inline index_type at_most(const int64_t total, const index_type limit)
{
    return total < (int64_t)limit ? (index_type)total : limit;
}

static inline void move_kept(const operands_type o, const index_type to, const index_type from)
{
    store_out(o.out, to, load_values(o.values, from));
    if (HAS_values_2) store_out_2(o.out_2, to, load_values_2(o.values_2, from));
    if (HAS_values_3) store_out_3(o.out_3, to, load_values_3(o.values_3, from));
    if (HAS_values_4) store_out_4(o.out_4, to, load_values_4(o.values_4, from));
}

#if HAS_rejected
static inline void move_rejected(const operands_type o, const index_type to, const index_type from)
{
    store_rejected(o.rejected, to, load_values(o.values, from));
    if (HAS_values_2) store_rejected_2(o.rejected_2, to, load_values_2(o.values_2, from));
    if (HAS_values_3) store_rejected_3(o.rejected_3, to, load_values_3(o.values_3, from));
    if (HAS_values_4) store_rejected_4(o.rejected_4, to, load_values_4(o.values_4, from));
}
#endif

/* Moves, in each group, the values of a tile of kept elements and of a tile of rejected elements. */
MCL_KERNEL(TILE_THREADS) columns_move(PARAMS_columns_move)
{
    operands_type o;
    TAKE_columns_move(o);
    __global const index_type *const indices = ARRAY(index_type, indices);
    __global const int64_t *const totals = ARRAY(int64_t, totals);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int id = (int)get_local_id(0);
    const int kept = tile_count(begin, at_most(totals[0], o.out_limit));
    for (int k = id; k < kept; k += TILE_THREADS) {
        const index_type from = indices[begin + k];
        if ((uint64_t)from < (uint64_t)o.count) move_kept(o, begin + k, from);
    }
#if HAS_rejected
    const index_type last = (index_type)(totals[0] + totals[1]) - 1;
    const int others = tile_count(begin, at_most(totals[1], o.rejected_limit));
    for (int k = id; k < others; k += TILE_THREADS) {
        const index_type from = indices[last - begin - k];
        if ((uint64_t)from < (uint64_t)o.count) move_rejected(o, begin + k, from);
    }
#endif
}
