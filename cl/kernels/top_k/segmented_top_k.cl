/* segmented_top_k.cl: finds the first k elements of each segment in an order. One pass: a work-group, or a work-item
 * under the serial mapping, does a segment at a time. Row s of an output is [s * row, (s + 1) * row).
 * Needs: index_type TILE_THREADS TILE_ITEMS; BLOCK_SIZE, the elements that a group sorts; FITS_BLOCK: 1: no segment has
 * more elements, and at most half as many are wanted; HAS_END: the last number of offsets is the end of the last
 * segment; inputs in, offsets, amounts; before; outputs out, out_values with in_values, out_indices, counts; numbers
 * row, rows, and wanted, which is at most row. positions, if it is given, has the index of each element in the caller's
 * input, where a row begins every apart elements.
 *
 * Bounds, whatever the offsets, the keys and the order are: a segment is clamped to the input. A group stores to rows
 * below the number of segments, and at most row elements to each. The host has checked that the outputs have room for
 * these rows. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/amount.clh"
#include "kernels/top_k/segment_bounds.clh"
#include "kernels/top_k/top_k_key.clh"
/* Is 0 also where the host had to choose a group with too few work-items for BLOCK_SIZE. */
#define TAKES_WHOLE (FITS_BLOCK && KEY_IMAGE != KEY_IMAGE_NONE && BLOCK_SIZE <= TILE_THREADS * TILE_ITEMS)

/* Returns element k of the segment that begins at begin, by its index in the segment. */
static inline key_type segment_at(const operands_type o, const index_type begin, const index_type k)
{
    return element_of(load_in(o.in, begin + k), k);
}

/* Returns the index in the caller's input of element k of the segment that begins at begin. */
static inline index_type position_at(const operands_type o, const index_type begin, const index_type k)
{
    return HAS_positions ? (index_type)load_positions(o.positions, begin + k) : begin + k;
}

/* Stores element x of segment s, which begins at begin, at index to of the outputs. */
static inline void put_chosen(const operands_type o, const index_type to, const index_type s, const index_type begin,
                              const key_type x)
{
#if HAS_out
    store_out(o.out, to, element_key(o.in, begin, x));
#endif
#if HAS_in_values
    store_out_values(o.out_values, to, load_in_values(o.in_values, position_at(o, begin, element_index(x))));
#endif
#if HAS_out_indices
    const index_type row = HAS_positions ? s * o.apart : begin;
    store_out_indices(o.out_indices, to, (out_indices_type)(position_at(o, begin, element_index(x)) - row));
#endif
    (void)o;
    (void)to;
    (void)s;
    (void)begin;
    (void)x;
}

#if TILE_THREADS == 1
#include "kernels/top_k/segment_serial.clh"
#else
#define before ranked_before
#include "pieces/sort/sort_shared.clh"
#include "kernels/top_k/segment_group.clh"
#endif

MCL_KERNEL(TILE_THREADS) segmented_top_k(PARAMS_segmented_top_k)
{
    MCL_SHARED(segment_store, store);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_segmented_top_k(o);
#if TILE_THREADS == 1
    (void)store;
    segments_select(env, o, ARRAY(key_type, heaps), (index_type)get_group_id(0), (index_type)get_num_groups(0));
#else
    segment_begin(o, (index_type)get_group_id(0), store);
#if TAKES_WHOLE
    segment_whole(env, o, store);
    segment_order(env, store);
    segment_advance(o, store);
#else
    segment_pivot(env, o, store);
    /* No test stands before the loop, since POCL copies the code after a barrier for each path that leads there. */
    do {
        do {
            GROUP_IF(store->at < store->length) segment_chunk(env, o, store);
        } while (store->at < store->length && !store->is_full);
        segment_order(env, store);
        segment_advance(o, store);
    } while (store->is_open);
#endif
#endif
}
