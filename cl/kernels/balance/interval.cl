/* interval.cl: moves intervals of elements, or repeats elements. Passes: interval_partition, interval_tiles; under the
 * serial mapping interval_tiles alone. Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; inputs offsets, work (its
 * count alone), in; output out. Two inputs may be absent:
 *   gather     where each interval starts in in; GATHER_IS_UPPER: in the upper half of 64 bits
 *   scatter    where each interval starts in out
 * Without gather item k reads element k of in; without scatter it writes element k of out. INTERVAL_EXPAND: interval k
 * repeats element k of in; there is no gather.
 *
 * A work unit of load balancing is here one element of an interval: an item.
 *
 * Bounds: numbers of items and intervals are below their counts (load_balance_tile.clh), and lists are as long as the
 * offsets. Only elements whose indices are inside in and out are moved (interval_clip, interval_holds,
 * interval_load). */
#include "kernels/balance/balance_operands.clh"
/* More resident groups hide more latency, as long as their registers fit. Without this bound ptxas spills registers to
 * fit still more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Pass 1: one work-item for each tile boundary finds how many intervals precede the boundary. */
MCL_KERNEL(PARTITION_THREADS) interval_partition(PARAMS_interval_partition)
{
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = balance_crossing(MAKE_offsets, MAKE_work.count, s);
}

/* The indices of an item in in (from) and in out (to). The user's starts may be any numbers, so an item is moved only
 * if both indices are inside. As an unsigned number, a negative index is past every end. */
#if INDEX_BITS == 64
typedef uint64_t interval_index;
#else
typedef uint32_t interval_index;
#endif
typedef struct {
    interval_index from, to;
} interval_indices;

/* Returns a start as an index. A start that index_type cannot hold becomes an index so far below 0 that start + rank is
 * never inside in or out. (The test is for equality: Mesa 22.3 compares 64-bit numbers with constants beyond 32 bits
 * wrongly.) */
static inline interval_index interval_start(const int64_t start)
{
    const interval_index far = (interval_index)1 << (INDEX_BITS - 1);
    return start == (int64_t)(index_type)start ? (interval_index)start : far;
}

static inline interval_index interval_source(const input_gather gather, const index_type object)
{
    if (!GATHER_IS_UPPER) return interval_start((int64_t)load_gather(gather, object));
    return interval_start((int64_t)(int32_t)(uint32_t)((uint64_t)load_gather(gather, object) >> 32));
}

static inline interval_indices interval_find(const balance_operands o, const index_type item, const index_type object,
                                            const index_type rank)
{
    interval_indices indices;
    indices.from = indices.to = (interval_index)item;
    if (INTERVAL_EXPAND) indices.from = (interval_index)object;
    if (HAS_gather) indices.from = interval_source(o.gather, object) + (interval_index)rank;
    if (HAS_scatter)
        indices.to = interval_start((int64_t)load_scatter(o.scatter, object)) + (interval_index)rank;
    return indices;
}

/* Shrinks the range of ranks [*low, *high) to the ranks whose index is in [0, room). index is the index of rank 0. */
static inline void interval_clip(const interval_index index, const interval_index room, interval_index *low,
                                 interval_index *high)
{
    const int is_before = (index_type)index < 0;
    const interval_index begin = is_before ? (interval_index)0 - index : 0;
    const interval_index end = is_before ? begin + room : index < room ? room - index : 0;
    if (begin > *low) *low = begin;
    if (end < *high) *high = end;
}

#if TILE_THREADS == 1
#include "kernels/balance/interval_serial.clh"
#else
#include "kernels/balance/interval_group.clh"
#endif

/* Pass 2: each group moves the elements of one tile. */
MCL_KERNEL(TILE_THREADS) interval_tiles(PARAMS_interval_tiles)
{
    MCL_SHARED(interval_store, store);
    balance_operands o;
    TAKE_interval_tiles(o);
    interval_items(o, balance_tile_find(o.offsets, o.work.count, ARRAY(index_type, split)), store);
}
