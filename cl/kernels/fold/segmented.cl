/* segmented.cl: folds each segment of a sequence; segments are given by offsets or begins. Passes:
 *   segment_partition, segment_tiles, segment_finish
 *   SEGMENT_ONCE     segment_once alone, where groups can hand words to each other and tiles are few
 *   SEGMENT_DIRECT   segment_direct or segment_teams alone, without tiles, where segments are long on average and the
 *                    operator commutes
 *   SEGMENT_TREE     segment_tree alone, which folds each segment by a tree over the indices in the segment
 * Needs: index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS TILE_RESIDENT DIRECT_RESIDENT; inputs elements, offsets;
 * fold; output out; HAS_INITIAL: each segment's fold begins with initial. SEGMENTS_END: 1 where the last offset is the
 * end of the last segment, 0 where the last segment ends with the elements.
 *
 * Elements and segment ends are merged, where an end comes before the element with the end's index. The merge is cut
 * into equal tiles. So a tile of one long segment has as much work as a tile of empty segments. A tile stores the
 * segments that begin and end in it. It may also have elements of a segment that began earlier, and of one that goes on
 * after the tile. The tile leaves the folds of these elements. They are folded in order afterwards, always in the same
 * tree.
 *
 * Bounds, whatever numbers offsets has: each is clamped to [first, last], which lie in the elements. The number of ends
 * before a diagonal is searched between least_ends and most_ends. The ends between two diagonals are clamped to the
 * tile's steps (cut_tile). So a tile's elements and segments exist, even where the later diagonal has fewer ends before
 * it. An end is marked only if it lies in the tile. Every wait for a word is bounded. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
/* Without this bound ptxas spills registers to fit more groups. The kernels below that need no spill for more groups
 * have a higher bound, since more groups hide latency. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS 1

#include "pieces/scan/initial.clh"
#include "pieces/tile/part_range.clh"
#include "pieces/scan/segment_sum.clh"

/* ---- operands ------------------------------------------------------------------------------------------------ */

/* The elements of a segment. An expression may use the segment's number and its begin. */
typedef struct {
    input_elements elements;
    index_type segment, begin;
} input_in;

static inline elements_type load_in(const input_in in, const index_type k)
{
#if PLACED_elements
    return load_elements(in.elements, k, in.segment, k - in.begin);
#else
    return load_elements(in.elements, k);
#endif
}
#include "pieces/fold/fold_serial.clh"

/* The operands. first: begin of the first segment; last: end of the last segment. */
typedef struct {
    input_elements elements;
    input_offsets offsets;
    output_out out;
    index_type first, last, segments;
#if HAS_INITIAL
    fold_type initial;
#endif
} segment_operands;

/* Returns offset k, clamped to [low, high]. */
static inline index_type offset_at(const input_offsets offsets, const index_type k, const index_type low,
                                   const index_type high)
{
    if (!SEGMENTS_END && k >= offsets.count) return high;
    const int64_t offset = (int64_t)load_offsets(offsets, k);
    return offset < (int64_t)low ? low : offset > (int64_t)high ? high : (index_type)offset;
}

static inline segment_operands make_operands(const input_elements elements, const input_offsets offsets,
                                             const output_out out INITIAL_PARAM)
{
    segment_operands o;
    o.elements = elements;
    o.offsets = offsets;
    o.out = out;
    o.segments = offsets.count > 0 ? offsets.count - SEGMENTS_END : 0;
    o.first = o.last = 0;
    if (o.segments > 0) {
        o.first = offset_at(offsets, 0, 0, elements.count);
        o.last = offset_at(offsets, o.segments, o.first, elements.count);
    }
#if HAS_INITIAL
    o.initial = initial;
#endif
    return o;
}

static inline index_type begin_of(const segment_operands o, const index_type segment)
{
    return offset_at(o.offsets, segment, o.first, o.last);
}

static inline index_type end_of(const segment_operands o, const index_type segment)
{
    return offset_at(o.offsets, segment + 1, o.first, o.last);
}

static inline input_in in_segment(const segment_operands o, const index_type segment)
{
    input_in in;
    in.elements = o.elements;
    in.segment = segment;
    in.begin = PLACED_elements ? begin_of(o, segment) : 0;
    return in;
}

#if HAS_INITIAL
static inline void put_segment(const env_type env, const segment_operands o, const index_type segment,
                               const fold_type v)
{
    store_out(o.out, segment, fold_to_out(fold(env, o.initial, v)));
}

static inline void put_empty(const env_type env, const segment_operands o, const index_type segment)
{
    (void)env;
    store_out(o.out, segment, fold_to_out(o.initial));
}
#else
static inline void put_segment(const env_type env, const segment_operands o, const index_type segment,
                               const fold_type v)
{
    (void)env;
    store_out(o.out, segment, fold_to_out(v));
}

static inline void put_empty(const env_type env, const segment_operands o, const index_type segment)
{
#if fold_HAS_IDENTITY
    store_out(o.out, segment, fold_to_out(fold_identity(env)));
#else
    (void)env;
    (void)o;
    (void)segment;
#endif
}
#endif

#define PARAMS_operands PARAMS_env PARAMS_elements, PARAMS_offsets, PARAMS_out INITIAL_PARAM
#define MAKE_operands make_operands(MAKE_elements, MAKE_offsets, MAKE_out INITIAL)

#if SEGMENT_TREE
#include "kernels/fold/segment_tree.clh"

MCL_KERNEL(TILE_THREADS) segment_tree(PARAMS_operands)
{
    MCL_SHARED(segment_store, store);
    tree_segments(MAKE_env, MAKE_operands, store);
}
#else
/* ---- tiles --------------------------------------------------------------------------------------------------- */

/* A tile: count elements from begin on, and the ends of segments [segment, segment + ends). */
typedef struct {
    index_type begin, segment;
    int count, ends;
} segment_tile;

/* Returns 1 where the end of segment is among the first diagonal steps of the merge. */
static inline int takes_end(const segment_operands o, const index_type diagonal, const index_type segment)
{
    return end_of(o, segment) - o.first <= diagonal - 1 - segment;
}

static inline index_type least_ends(const segment_operands o, const index_type diagonal)
{
    const index_type elements = o.last - o.first;
    return diagonal > elements ? diagonal - elements : 0;
}

static inline index_type most_ends(const segment_operands o, const index_type diagonal)
{
    return diagonal < o.segments ? diagonal : o.segments;
}

/* Counts the ends among the first diagonal steps of the merge. */
static inline index_type ends_before(const segment_operands o, const index_type diagonal)
{
    index_type low = least_ends(o, diagonal), high = most_ends(o, diagonal);
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        if (takes_end(o, diagonal, middle)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Returns the index in the merge where tile number begins. After the last tile it is the end of the merge. */
static inline index_type tile_diagonal(const segment_operands o, const index_type number)
{
    const index_type total = o.last - o.first + o.segments;
    return number < total / TILE_SIZE + 1 ? number * TILE_SIZE : total;
}

/* Returns a tile from the numbers of segment ends before it and before the next tile. With unsorted offsets before_next
 * may be the smaller one. */
static inline segment_tile cut_tile(const segment_operands o, const index_type number, const index_type before,
                                    const index_type before_next)
{
    const int steps = tile_count(number * TILE_SIZE, o.last - o.first + o.segments);
    const index_type ends = before_next - before;
    segment_tile tile;
    tile.ends = ends < 0 ? 0 : ends < steps ? (int)ends : steps;
    tile.count = steps - tile.ends;
    tile.begin = o.first + (tile_diagonal(o, number) - before);
    tile.segment = before;
    return tile;
}

/* Returns a tile; one work-item alone searches its bounds. */
static inline segment_tile search_tile(const segment_operands o, const index_type number)
{
    return cut_tile(o, number, ends_before(o, tile_diagonal(o, number)), ends_before(o, tile_diagonal(o, number + 1)));
}

/* The folds that a tile leaves of segments that it does not have whole. PART_OPEN in flags: segment began in an earlier
 * tile and ends in this one. PART_HEAD in flags: that segment has elements in this tile, and head is their fold. rest:
 * the sum for the tiles after this one (segment_sum.clh). */
enum { PART_OPEN = 4, PART_HEAD = 8 };
typedef struct {
    index_type segment;
    int flags;
    fold_type head;
    segment_sum rest;
} segment_part;

/* Stores the segment of a part with PART_OPEN. before: the fold of the segment's elements in earlier tiles. */
static inline void put_open(const env_type env, const segment_operands o, const segment_part part,
                            const segment_sum before)
{
    if (!(part.flags & PART_OPEN)) return;
    fold_type v = part.head;
    if (before.flags & SEGMENT_VALUE) {
        v = before.value;
        if (part.flags & PART_HEAD) v = fold(env, v, part.head);
    }
    if ((before.flags & SEGMENT_VALUE) || (part.flags & PART_HEAD)) put_segment(env, o, part.segment, v);
}

/* Returns a tile's part; one work-item alone folds its elements. */
static inline segment_part part_of(const env_type env, const segment_operands o, const segment_tile tile)
{
    const index_type end = tile.begin + tile.count;
    index_type rest = tile.begin;
    segment_part part;
    part.segment = tile.segment;
    part.flags = 0;
    part.head = fold_nothing();
    part.rest = segment_nothing();
    if (tile.ends > 0) {
        const index_type first_begin = begin_of(o, tile.segment), first_end = end_of(o, tile.segment);
        if (first_begin < tile.begin && first_end > first_begin) part.flags = PART_OPEN;
        if (part.flags && first_end > tile.begin && first_end <= end) {
            part.head = fold_range(env, in_segment(o, tile.segment), tile.begin, first_end);
            part.flags |= PART_HEAD;
        }
        rest = end_of(o, tile.segment + tile.ends - 1);
        if (rest < tile.begin) rest = tile.begin;
        part.rest.flags = SEGMENT_CUT;
    }
    if (rest < end) {
        part.rest.value = fold_range(env, in_segment(o, tile.segment + tile.ends), rest, end);
        part.rest.flags |= SEGMENT_VALUE;
    }
    return part;
}

#if TILE_THREADS == 1
#include "kernels/fold/segment_serial.clh"
#else
#include "kernels/fold/segment_group.clh"
#endif

/* ---- several launches ---------------------------------------------------------------------------------------- */


typedef struct {
    segment_operands operands;
    index_type diagonal;
} ends_search;
#define WIDE_SEARCH ends_before_by_lanes
#define WIDE_OPERANDS ends_search
#define WIDE_TEST(search, k) takes_end((search).operands, (search).diagonal, k)
#include "pieces/search/wide_search.clh"

/* Pass 1: for each tile boundary one work-item finds how many segments end before the boundary. With lanes above 1 a
 * sub-group finds it. */
MCL_KERNEL(PARTITION_THREADS) segment_partition(PARAMS_operands, ARRAY_PARAM(index_type, split), index_type splits,
                                                int lanes)
{
    const env_type env = MAKE_env;
    const index_type s = (index_type)get_global_id(0) / lanes;
    ends_search search;
    search.operands = MAKE_operands;
    search.diagonal = tile_diagonal(search.operands, s);
    (void)env;
    if (s >= splits) return;
    __global index_type *const found = ARRAY(index_type, split) + s;
#if SUB_GROUP_LANES
    if (lanes > 1) {
        const index_type least = least_ends(search.operands, search.diagonal);
        *found = ends_before_by_lanes(search, least, most_ends(search.operands, search.diagonal));
        return;
    }
#endif
    *found = ends_before(search.operands, search.diagonal);
}

/* Parts in memory. infos[t] has the segment and the flags of tile t, folds[2 t] is head, folds[2 t + 1] is rest.value.
 * */
typedef struct {
    __global int64_t *infos;
    __global fold_type *folds;
} part_arrays;

enum { INFO_BITS = 5, INFO_SENT = 16 }; /* flags of a part and of its rest are bits 0 to 3 */

static inline segment_part info_part(const int64_t info)
{
    segment_part part;
    part.segment = (index_type)(info >> INFO_BITS);
    part.flags = (int)info & (PART_OPEN | PART_HEAD);
    part.rest.flags = (int)info & (SEGMENT_CUT | SEGMENT_VALUE);
    part.head = part.rest.value = fold_nothing();
    return part;
}

static inline int64_t part_info(const segment_part part)
{
    return (int64_t)part.segment << INFO_BITS | part.flags | part.rest.flags | INFO_SENT;
}

static inline segment_part array_take(const part_arrays parts, const index_type t)
{
    segment_part part = info_part(parts.infos[t]);
    if (part.flags & PART_HEAD) part.head = parts.folds[2 * t];
    if (part.rest.flags & SEGMENT_VALUE) part.rest.value = parts.folds[2 * t + 1];
    return part;
}

static inline void array_put(const part_arrays parts, const index_type t, const segment_part part)
{
    parts.infos[t] = part_info(part);
    if (part.flags & PART_HEAD) parts.folds[2 * t] = part.head;
    if (part.rest.flags & SEGMENT_VALUE) parts.folds[2 * t + 1] = part.rest.value;
}

/* Pass 2: each group does one tile. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(TILE_RESIDENT)
MCL_KERNEL(TILE_THREADS) segment_tiles(PARAMS_operands, ARRAY_PARAM(index_type, split), ARRAY_PARAM(int64_t, infos),
                                       ARRAY_PARAM(fold_type, folds))
{
    MCL_SHARED(segment_store, store);
    const env_type env = MAKE_env;
    const segment_operands o = MAKE_operands;
    __global const index_type *const split = ARRAY(index_type, split);
    const index_type number = (index_type)get_group_id(0);
    part_arrays parts;
    parts.infos = ARRAY(int64_t, infos);
    parts.folds = ARRAY(fold_type, folds);
    const segment_part part = do_tile(env, o, cut_tile(o, number, split[number], split[number + 1]), store);
    if (get_local_id(0) == 0) array_put(parts, number, part);
}

#undef KERNEL_GROUPS
#define KERNEL_GROUPS 1

/* In the serial mapping one work-item joins the parts of all tiles. Where sums are rounded it joins them by a tree. */
#if TILE_THREADS == 1 && fold_ROUNDS
#define SEGMENT_BY_TREE 1
#define TREE_STRUCT segment_joins
#define TREE_APPEND segment_append
#define TREE_VALUE segment_sum
#define TREE_FOLD segment_join
#include "pieces/tree/tree_append.clh"
#else
#define SEGMENT_BY_TREE 0
#endif

#define SEGMENT_FINISH finish_arrays
#define PARTS part_arrays
#define PART_TAKE(env, o, parts, t) array_take(parts, t)
#define PART_DONE(parts, t)
#include "kernels/fold/segment_finish.clh"

/* Returns the sum that all tiles before first leave. A group goes back by share tiles in each round, a multiple of
 * TILE_THREADS, until it finds a tile where a segment ends. The sum so far is in work-group memory. */
#if TILE_THREADS == 1
static inline segment_sum sum_before(const env_type env, const part_arrays parts, const index_type first,
                                      const index_type share, __local segment_store *store)
{
    segment_sum carry = segment_nothing();
    (void)share;
    (void)store;
#if SEGMENT_BY_TREE
    index_type begin = first;
    segment_joins tree;
    for (int is_cut = 0; begin > 0 && !is_cut; --begin) is_cut = (parts.infos[begin - 1] & SEGMENT_CUT) != 0;
    for (index_type t = begin; t < first; ++t)
        carry = segment_append(env, &tree, t - begin, array_take(parts, t).rest, 0, carry);
#else
    for (index_type t = first; t > 0 && !(carry.flags & SEGMENT_CUT); --t)
        carry = segment_join(env, array_take(parts, t - 1).rest, carry);
#endif
    return carry;
}
#else
static inline segment_sum sum_before(const env_type env, const part_arrays parts, const index_type first,
                                      const index_type share, __local segment_store *store)
{
    const int id = (int)get_local_id(0);
    if (id == 0) {
        store->carry = segment_nothing();
        store->earlier = first;
    }
    group_barrier();
    while (store->earlier > 0 && !(store->carry.flags & SEGMENT_CUT)) {
        const index_type t = store->earlier - share;
        const index_type begin = t + id * (share / TILE_THREADS);
        segment_sum own = segment_nothing(), total;
        for (index_type k = 0; k < share / TILE_THREADS; ++k)
            own = segment_join(env, own, array_take(parts, begin + k).rest);
        (void)segment_scan_group(env, own, &total, store->sums);
        group_barrier();
        if (id == 0) {
            store->carry = segment_join(env, total, store->carry);
            store->earlier -= share;
        }
        group_barrier();
    }
    return store->carry;
}
#endif

/* Pass 3: each group joins the parts of share tiles, and stores the segments that end in these tiles. */
MCL_KERNEL(TILE_THREADS) segment_finish(PARAMS_operands, ARRAY_PARAM(int64_t, infos), ARRAY_PARAM(fold_type, folds),
                                        index_type tiles, index_type share)
{
    MCL_SHARED(segment_store, store);
    const env_type env = MAKE_env;
    const segment_operands o = MAKE_operands;
    const index_type first = (index_type)get_group_id(0) * share;
    const index_type count = tiles - first < share ? tiles - first : share;
    part_arrays parts;
    parts.infos = ARRAY(int64_t, infos);
    parts.folds = ARRAY(fold_type, folds);
    const segment_sum carry = sum_before(env, parts, first, share, store);
    (void)finish_arrays(env, o, parts, first, count, carry, store);
}

/* ---- one launch ---------------------------------------------------------------------------------------------- */

#if SEGMENT_ONCE
#include "pieces/words/status_words.clh"

/* Parts as words that groups publish: a word for each tile's info, and status words for the tile's two folds. */
typedef struct {
    __global ulong *infos, *folds;
} part_words;

static inline void words_send(const part_words parts, const index_type t, const segment_part part)
{
    state_publish(parts.folds, 2 * t, STATE_PREFIX, part.head);
    state_publish(parts.folds, 2 * t + 1, STATE_PREFIX, part.rest.value);
    atomic_publish_global_64(parts.infos + t, (ulong)part_info(part));
}

/* Waits for the words of a part and returns the part. A group publishes its part before it counts itself as done. So
 * the wait is only for stores to become visible, never for a group to make progress. The wait is bounded so that
 * nothing can hang; after WAIT_POLLS polls the work-item folds the tile's elements instead. */
static inline segment_part words_take(const env_type env, const segment_operands o, const part_words parts,
                                      const index_type t)
{
    ulong info = 0;
    fold_type head = fold_nothing(), rest = fold_nothing();
    int sent = 0;
    for (int polls = 0; !sent && polls < WAIT_POLLS; ++polls) {
        info = atomic_poll_global_64(parts.infos + t);
        sent = info != 0 && state_poll(parts.folds, 2 * t, &head) != STATE_EMPTY &&
               state_poll(parts.folds, 2 * t + 1, &rest) != STATE_EMPTY;
    }
    segment_part part = info_part((int64_t)info);
    part.head = head;
    part.rest.value = rest;
    if (!sent) part = part_of(env, o, search_tile(o, t));
    return part;
}

static inline void words_clear(const part_words parts, const index_type t)
{
    state_clear(parts.folds, 2 * t);
    state_clear(parts.folds, 2 * t + 1);
    atomic_publish_global_64(parts.infos + t, 0);
}

#define SEGMENT_FINISH finish_words
#define PARTS part_words
#define PART_TAKE(env, o, parts, t) words_take(env, o, parts, t)
#define PART_DONE(parts, t) words_clear(parts, t)
#include "kernels/fold/segment_finish.clh"

/* Each group does one tile and publishes the tile's part. The group that is done last joins the parts. slots[0] counts
 * the groups that are done; the parts' words follow it. All slots are zero before the launch and after it. */
MCL_KERNEL(TILE_THREADS) segment_once(PARAMS_operands, ARRAY_PARAM(ulong, slots))
{
    MCL_SHARED(segment_store, store);
    const env_type env = MAKE_env;
    const segment_operands o = MAKE_operands;
    __global ulong *const slots = ARRAY(ulong, slots);
    const int id = (int)get_local_id(0);
    const index_type tiles = (index_type)get_num_groups(0), number = (index_type)get_group_id(0);
    part_words parts;
    parts.infos = slots + 1;
    parts.folds = parts.infos + tiles;
    const segment_part part = do_tile(env, o, find_tile(o, number, store), store);
    if (id == 0) {
        words_send(parts, number, part);
        store->is_last = atomic_increment_global((__global uint *)slots) == (uint)(tiles - 1);
    }
    group_barrier();
    const int is_last = store->is_last;
    (void)finish_words(env, o, parts, 0, is_last ? tiles : 0, segment_nothing(), store);
    if (id == 0 && is_last) atomic_publish_global_64(slots, 0);
}
#endif

/* ---- one launch, segments long on average ---------------------------------------------------------------------- */

#if SEGMENT_DIRECT
#include "kernels/fold/segment_direct.clh"
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(DIRECT_RESIDENT)

MCL_KERNEL(TILE_THREADS) segment_direct(PARAMS_operands, ARRAY_PARAM(ulong, slots), int bits, index_type pieces,
                                        int spread)
{
    MCL_SHARED(direct_store, store);
    const direct_groups groups = make_direct_groups(pieces, spread);
    direct_segment(MAKE_env, MAKE_operands, ARRAY(ulong, slots), bits, groups, store);
}

#if SUB_GROUP_LANES
MCL_KERNEL(TILE_THREADS) segment_teams(PARAMS_operands, ARRAY_PARAM(ulong, slots), int bits, index_type pieces,
                                       int spread)
{
    MCL_SHARED(direct_store, store);
    const direct_groups groups = make_direct_groups(pieces, spread);
    direct_teams(MAKE_env, MAKE_operands, ARRAY(ulong, slots), bits, groups, store);
}
#endif
#endif
#endif
