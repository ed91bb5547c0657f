/* bulk.cl: removes or inserts elements at given positions. One pass: bulk_remove, or bulk_insert (BULK_INSERT).
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input indices, sorted; bulk_remove: input in; bulk_insert: inputs
 * a, which is inserted, and b; output out.
 *
 * A tile is a range of in (bulk_remove) or of out (bulk_insert). Each index marks a place in one tile, and places
 * increase strictly, so that a binary search in indices tells which of them belong to a tile. What stands at a place
 * follows from how many marks come before it.
 *
 * Bounds, whatever the indices are: places are pulled in (mark_place), a tile's marks are a range of the indices that
 * is no longer than the tile (make_tile), and only those that fall on its places are set (set_marks). Of n places that
 * are set each has a rank below n, which is at most the marks: an element of a that there is. Elements of b, and places
 * in out, are tested; an insertion's places are those of the tile, for which out has room. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/part_range.clh"
/* Many groups hide the latency of one, as far as registers go. */
#undef KERNEL_GROUPS
#define IS_NARROW (sizeof(out_type) <= 4)
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

typedef struct {
    input_indices indices;
#if BULK_INSERT
    input_a a;
    input_b b;
#else
    input_in in;
#endif
    output_out out;
    index_type limit; /* elements that out has room for */
} bulk_operands;

#if BULK_INSERT /* a has as many elements as there are indices */
#define TILED_COUNT(o) ((o).b.count + (o).indices.count)
#define INDEX_MOST(o) ((o).b.count)
#else
#define TILED_COUNT(o) ((o).in.count)
#define INDEX_MOST(o) ((o).in.count)
#endif

/* The place that index k marks. Indices out of range are pulled in, so that no sum overflows. */
static inline index_type mark_place(const bulk_operands o, const index_type k)
{
    const int64_t index = (int64_t)load_indices(o.indices, k);
    const int64_t most = (int64_t)INDEX_MOST(o);
    const index_type place = (index_type)(index < 0 ? 0 : index < most ? index : most);
#if BULK_INSERT
    return place + k; /* behind the k elements that are inserted before it */
#else
    return place;
#endif
}

/* How many marks come before a place. */
static inline index_type marks_before(const bulk_operands o, const index_type place)
{
    index_type low = 0, high = o.indices.count;
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        if (mark_place(o, middle) < place) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* A tile: count places from begin on, marks of them, from the first_mark-th on. Indices that are not sorted, or
 * repeated, can give any number of marks; a tile has no use for more than its places. */
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
#include "kernels/bulk/bulk_serial.clh"
#else
#define RANK_CLASSES 1
#include "pieces/rank_group.clh"
typedef struct {
    uint marks[(TILE_THREADS * TILE_ITEMS + 3) / 4]; /* a byte for each place */
    rank_store ranks;
    index_type split[2];
} bulk_store;

typedef struct {
    bulk_operands operands;
    index_type place;
} mark_search;
#define WIDE_SEARCH search_marks
#define WIDE_OPERANDS mark_search
#define WIDE_TEST(o, k) (mark_place((o).operands, k) < (o).place)
#include "pieces/wide_search.clh"

/* marks_before the tile's first place and its end, in store->split. */
#if SUB_GROUP_LANES
static inline void find_split(const bulk_operands o, const index_type begin, const int count,
                              __local bulk_store *store)
{
    mark_search search;
    search.operands = o;
    for (int side = (int)get_local_id(0) / SUB_GROUP_LANES; side < 2; side += TILE_THREADS / SUB_GROUP_LANES) {
        search.place = begin + (side ? count : 0);
        const index_type found = search_marks(search, 0, o.indices.count);
        if (sub_group_lane() == 0) store->split[side] = found;
    }
}
#else
static inline void find_split(const bulk_operands o, const index_type begin, const int count,
                              __local bulk_store *store)
{
    const int side = (int)get_local_id(0);
    if (side < 2) store->split[side] = marks_before(o, begin + (side ? count : 0));
}
#endif

/* Sets the bytes of marked places; clear before. */
static inline void set_marks(const bulk_operands o, const bulk_tile tile, __local bulk_store *store)
{
    enum { AT_ONCE = 4 }; /* loads under way together */
    __local uint8_t *const marks = (__local uint8_t *)store->marks;
    for (int k = (int)get_local_id(0); k < tile.marks; k += AT_ONCE * TILE_THREADS) {
        index_type place[AT_ONCE];
        UNROLL
        for (int j = 0; j < AT_ONCE; ++j) {
            const int mark = k + j * TILE_THREADS;
            place[j] = mark_place(o, tile.first_mark + (mark < tile.marks ? mark : k)) - tile.begin;
        }
        UNROLL
        for (int j = 0; j < AT_ONCE; ++j)
            if (place[j] >= 0 && place[j] < tile.count) marks[place[j]] = 1;
    }
}

/* Which of the work-item's elements are marked. */
static inline rank_flags read_marks(__local const bulk_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    __local const uint8_t *const marks = (__local const uint8_t *)store->marks;
    rank_flags marked = {0, 0};
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) marked.first |= (uint)marks[first + j * TILE_STEP] << j;
    return marked;
}

static inline bulk_tile mark_tile(const bulk_operands o, const index_type begin, const int count,
                                  __local bulk_store *store)
{
    for (int k = (int)get_local_id(0); k < (TILE_THREADS * TILE_ITEMS + 3) / 4; k += TILE_THREADS) store->marks[k] = 0;
    find_split(o, begin, count, store);
    group_barrier();
    const bulk_tile tile = make_tile(begin, count, store->split[0], store->split[1]);
    set_marks(o, tile, store);
    group_barrier();
    return tile;
}

/* Elements of a work-item whose loads are all under way before the first of them is stored. With the tile's other
 * elements still to come there are registers for many groups, and what finds the marks is shared by many elements. */
enum { AT_ONCE = IS_NARROW ? 8 : 4 };
#define IS_ITEM(k) (TILE_ITEMS % AT_ONCE == 0 || (k) < TILE_ITEMS)

#if BULK_INSERT
/* The element of a at one place, or of b at another. */
static inline out_type load_either(const input_a a, const index_type a_index, const input_b b,
                                   const index_type b_index, const int from_a)
{
#if ARRAY_a && ARRAY_b /* one load instead of two of which one does nothing */
    input_b either = b;
    if (from_a) either.data = a.data;
    return load_b(either, from_a ? a_index : b_index);
#else
    return from_a ? load_a(a, a_index) : load_b(b, b_index);
#endif
}

/* Neighbouring work-items read neighbouring elements of a, or of b. */
static inline void do_tile(const bulk_operands o, const index_type begin, const int count, __local bulk_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    uint before = 0;
    const bulk_tile tile = mark_tile(o, begin, count, store);
    const rank_flags marked = read_marks(store);
    (void)rank_start(marked, &before, &store->ranks);
    const input_a a = shift_a(o.a, tile.first_mark);
    const index_type b_begin = begin - tile.first_mark;
    const output_out out = shift_out(o.out, begin + first);
    ROLLED
    for (int j = 0; j < TILE_ITEMS; j += AT_ONCE) {
        out_type moved[AT_ONCE];
        uint valid = 0;
        UNROLL
        for (int k = 0; k < AT_ONCE; ++k) {
            if (!IS_ITEM(j + k)) break;
            const int place = first + (j + k) * TILE_STEP;
            const int rank = (int)rank_next(marked, j + k, &before, &store->ranks);
            const index_type b_index = b_begin + (place - rank);
            const int from_a = marked.first >> (j + k) & 1u;
            const int from_b = !from_a && place < count && b_index >= 0 && b_index < o.b.count;
            if (from_a | from_b) moved[k] = load_either(a, rank, o.b, b_index, from_a);
            valid |= (uint)(from_a | from_b) << k;
        }
        UNROLL
        for (int k = 0; k < AT_ONCE; ++k)
            if (valid >> k & 1u) store_out(out, (j + k) * TILE_STEP, moved[k]);
    }
}
#else
static inline void do_tile(const bulk_operands o, const index_type begin, const int count, __local bulk_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    const input_in in = shift_in(o.in, begin + first);
    uint before = 0;
    const bulk_tile tile = mark_tile(o, begin, count, store);
    const rank_flags marked = read_marks(store);
    (void)rank_start(marked, &before, &store->ranks);
    const index_type out_begin = begin - tile.first_mark;
    ROLLED
    for (int j = 0; j < TILE_ITEMS; j += AT_ONCE) {
        in_type kept[AT_ONCE];
        UNROLL
        for (int k = 0; k < AT_ONCE; ++k)
            if (IS_ITEM(j + k) && first + (j + k) * TILE_STEP < count) kept[k] = load_in(in, (j + k) * TILE_STEP);
        UNROLL
        for (int k = 0; k < AT_ONCE; ++k) {
            if (!IS_ITEM(j + k)) break;
            const int place = first + (j + k) * TILE_STEP;
            const index_type to = out_begin + (place - (int)rank_next(marked, j + k, &before, &store->ranks));
            const int stays = !(marked.first >> (j + k) & 1u) && place < count;
            if (stays && to >= 0 && to < o.limit) store_out(o.out, to, kept[k]);
        }
    }
}
#endif
#endif

#if BULK_INSERT
MCL_KERNEL(TILE_THREADS) bulk_insert(PARAMS_b, PARAMS_indices, PARAMS_a, PARAMS_out, index_type limit)
#else
MCL_KERNEL(TILE_THREADS) bulk_remove(PARAMS_in, PARAMS_indices, PARAMS_out, index_type limit)
#endif
{
    bulk_operands o;
    o.indices = MAKE_indices;
#if BULK_INSERT
    o.a = MAKE_a;
    o.b = MAKE_b;
#else
    o.in = MAKE_in;
#endif
    o.out = MAKE_out;
    o.limit = limit;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, TILED_COUNT(o));
#if TILE_THREADS == 1
    do_tile(o, begin, count);
#else
    MCL_SHARED(bulk_store, store);
    do_tile(o, begin, count, store);
#endif
}
