/* bulk.cl: removes or inserts elements at given positions. One pass: bulk_remove, or bulk_insert (BULK_INSERT).
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input indices, sorted; bulk_remove: input in; bulk_insert: inputs
 * a, which is inserted, and b; output out.
 *
 * A tile is a range of in (bulk_remove) or of out (bulk_insert). Each of the given indices marks an element of one
 * tile. The indices increase strictly, so that a binary search finds the ones of a tile. Where an element is stored, or
 * which element is read, follows from the number of marks before it.
 *
 * Bounds, whatever the indices are: they are clamped (marked_index). A tile's marks are a range of the indices, no
 * longer than the tile (make_tile). Only marks in the tile are set (set_marks). n marks that are set have ranks below
 * n, and n is at most the number of marks, so a has an element for each rank. Indices in b and in out are tested; an
 * insertion stores at the tile's own indices, for which out has room. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/tile_count.clh"
/* More resident groups hide more latency, as long as their registers fit. */
#undef KERNEL_GROUPS
#define IS_NARROW (sizeof(out_type) <= 4)
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

typedef operands_type bulk_operands; /* member limit: number of elements for which out has room */

#if BULK_INSERT /* a has as many elements as there are indices */
#define TILED_COUNT(o) ((o).b.count + (o).indices.count)
#define INDEX_MOST(o) ((o).b.count)
#define TAKE_BULK(o) TAKE_bulk_insert(o)
#else
#define TILED_COUNT(o) ((o).in.count)
#define INDEX_MOST(o) ((o).in.count)
#define TAKE_BULK(o) TAKE_bulk_remove(o)
#endif

/* Returns the element that index k marks. Indices out of range are clamped, so that no sum overflows. */
static inline index_type marked_index(const bulk_operands o, const index_type k)
{
    const int64_t index = (int64_t)load_indices(o.indices, k);
    const int64_t most = (int64_t)INDEX_MOST(o);
    const index_type inside = (index_type)(index < 0 ? 0 : index < most ? index : most);
    return inside + (BULK_INSERT ? k : 0); /* index after the k elements that are inserted before it */
}

/* Counts the marks that come before an index. */
static inline index_type marks_before(const bulk_operands o, const index_type index)
{
    index_type low = 0, high = o.indices.count;
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        if (marked_index(o, middle) < index) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* A tile: count elements from begin on. The indices [first_mark, first_mark + marks) mark elements of the tile. Indices
 * that are not sorted, or repeated, can give any number of marks; marks is clamped to count. */
typedef struct {
    index_type begin, first_mark;
    int count, marks;
} bulk_tile;

static inline bulk_tile make_tile(const index_type begin, const int count, const index_type first,
                                  const index_type last)
{
    bulk_tile tile;
    tile.begin = begin;
    tile.count = count;
    tile.first_mark = first;
    const index_type marks = last > first ? last - first : 0;
    tile.marks = marks < count ? (int)marks : count;
    return tile;
}

#if TILE_THREADS == 1
#include "kernels/transform/bulk_serial.clh"
#else
#include "kernels/transform/bulk_group.clh"
#endif

#if BULK_INSERT
MCL_KERNEL(TILE_THREADS) bulk_insert(PARAMS_bulk_insert)
#else
MCL_KERNEL(TILE_THREADS) bulk_remove(PARAMS_bulk_remove)
#endif
{
    MCL_SHARED(bulk_store, store);
    bulk_operands o;
    TAKE_BULK(o);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    do_tile(o, begin, tile_count(begin, TILED_COUNT(o)), store);
}
