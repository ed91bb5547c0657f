/* join_columns.cl: columns of a side of a join follow its rows. Pass: columns_fetch.
 * Needs: index_type TILE_THREADS TILE_ITEMS; input rows: each is the index of one of keys keys, or any other number
 * where the row has no key.
 * Operands that may be absent:
 *   order               input: the index in values of each key
 *   record              input in place of values: the bits of all columns of a key; out's column begins at bit shift
 *   values to values_4  inputs, each for a column
 *   out to out_4        outputs, with their null values */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/tile_count.clh"

/* Returns the index of a row's values; -1 where the row has none. As an unsigned number a negative index is past every
 * count. Each index is checked, since an order that contradicts itself may spoil the result of a sort. */
static inline int64_t place_of(const operands_type o, const index_type k)
{
    int64_t place = (int64_t)load_rows(o.rows, k);
    if ((uint64_t)place >= (uint64_t)o.keys) return -1;
#if HAS_order
    place = (int64_t)load_order(o.order, (index_type)place);
    if ((uint64_t)place >= (uint64_t)o.keys) return -1;
#endif
    return place;
}

#if HAS_record
#define FETCHED(name, out_type, at) (out_type)(record >> o.shift##name)
#else
#define FETCHED(name, out_type, at) load_values##name(o.values##name, at)
#endif

MCL_KERNEL(TILE_THREADS) columns_fetch(PARAMS_columns_fetch)
{
    operands_type o;
    TAKE_columns_fetch(o);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, o.rows.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) {
        const index_type to = begin + k;
        const int64_t place = place_of(o, to);
        const index_type at = (index_type)place;
#if HAS_record
        const record_type record = place < 0 ? 0 : load_record(o.record, at);
#endif
#if HAS_out
        store_out(o.out, to, place < 0 ? null_value : FETCHED(, out_type, at));
#endif
#if HAS_out_2
        store_out_2(o.out_2, to, place < 0 ? null_value_2 : FETCHED(_2, out_2_type, at));
#endif
#if HAS_out_3
        store_out_3(o.out_3, to, place < 0 ? null_value_3 : FETCHED(_3, out_3_type, at));
#endif
#if HAS_out_4
        store_out_4(o.out_4, to, place < 0 ? null_value_4 : FETCHED(_4, out_4_type, at));
#endif
    }
}
