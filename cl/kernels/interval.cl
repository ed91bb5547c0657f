/* interval.cl: moves intervals of elements, or repeats elements. Passes: interval_partition, interval_tiles; under the
 * serial mapping interval_tiles alone.
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; inputs offsets, work (its count alone), in; output out.
 * HAS_GATHER: input gather, where each interval starts in in, GATHER_IS_UPPER: in the upper half of 64 bits;
 * HAS_SCATTER: input scatter, where it starts in out. Without one of them in is read, or out is written, item by item.
 * INTERVAL_EXPAND: an item's element is its interval's.
 *
 * Bounds: items and intervals are some of those there are (load_balance_tile.clh), lists are as long as the offsets,
 * and a run, unit or item is moved only as far as it lies in in and in out: interval_clip, interval_holds,
 * interval_load. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/load_balance_tile.clh"
#include "pieces/name_join.clh"
/* Many groups hide the latency of one, as far as registers go: left alone, ptxas spills some. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Pass 1: one work-item a tile boundary finds how many intervals precede it. */
MCL_KERNEL(PARTITION_THREADS) interval_partition(PARAMS_offsets, PARAMS_work, ARRAY_PARAM(index_type, split),
                                                 index_type splits)
{
    const input_offsets offsets = MAKE_offsets;
    const input_work work = MAKE_work;
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = balance_crossing(offsets, work.count, s);
}

typedef struct {
    input_offsets offsets;
    index_type items;
    input_in in;
#if HAS_GATHER
    input_gather gather;
#endif
#if HAS_SCATTER
    input_scatter scatter;
#endif
    output_out out;
    index_type capacity; /* of out */
} balance_operands;

/* Where an item comes from and goes to. Starts are the user's and may be any numbers: an item whose place lies outside
 * in or out is not moved. As unsigned numbers, negative places are past every end. */
#if INDEX_BITS == 64
typedef uint64_t interval_place;
#else
typedef uint32_t interval_place;
#endif
typedef struct {
    interval_place from, to;
} interval_places;

/* Starts that are no index are so far before the first element that no rank brings them back. (The test is for
 * equality: Mesa 22.3 compares 64-bit numbers with constants beyond 32 bits wrongly.) */
static inline interval_place interval_start(const int64_t start)
{
    const interval_place far = (interval_place)1 << (INDEX_BITS - 1);
    return start == (int64_t)(index_type)start ? (interval_place)start : far;
}

#if HAS_GATHER
static inline interval_place interval_source(const input_gather gather, const index_type object)
{
#if GATHER_IS_UPPER
    return interval_start((int64_t)(int32_t)(uint32_t)(load_gather(gather, object) >> 32));
#else
    return interval_start((int64_t)load_gather(gather, object));
#endif
}
#endif

static inline interval_places interval_find(const balance_operands o, const index_type item, const index_type object,
                                            const index_type rank)
{
    interval_places places;
    (void)rank;
#if INTERVAL_EXPAND
    places.from = (interval_place)object;
#elif HAS_GATHER
    places.from = interval_source(o.gather, object) + (interval_place)rank;
#else
    places.from = (interval_place)item;
#endif
#if HAS_SCATTER
    places.to = interval_start((int64_t)load_scatter(o.scatter, object)) + (interval_place)rank;
#else
    places.to = (interval_place)item;
#endif
    return places;
}

/* Of the ranks [*low, *high) of a run whose first one has this place, those whose places are among the first room. */
static inline void interval_clip(const interval_place place, const interval_place room, interval_place *low,
                                 interval_place *high)
{
    const int is_before = (index_type)place < 0;
    const interval_place begin = is_before ? (interval_place)0 - place : 0;
    const interval_place end = is_before ? begin + room : place < room ? room - place : 0;
    if (begin > *low) *low = begin;
    if (end < *high) *high = end;
}

#if TILE_THREADS == 1
#if INTERVAL_EXPAND
typedef struct {
    in_type value;
    output_out out;
} interval_run;
#define RUN_LOAD(o, k) (o).value
#define RUN_VECTOR(o, k) (out_vector)((o).value)
#else
typedef struct {
    input_in in;
    output_out out;
} interval_run;
#define RUN_LOAD(o, k) load_in((o).in, k)
#if ARRAY_in
#define RUN_VECTOR(o, k) vload8(0, (o).in.data + (k))
#endif
#endif
#define RUN interval_put
#define RUN_OPERANDS interval_run
#define RUN_OUT out
#include "pieces/run_serial.clh"

/* Intervals lie anywhere, and one work-item alone waits for the memory of each, unless it asks for those of later ones
 * in time: of the one AHEAD places on. */
static inline void interval_fetch_ahead(const balance_operands o, const index_type object)
{
#if !MCL_IS_GPU
    enum { AHEAD = 12, LINE_BYTES = 64 };
    if (o.offsets.count - object <= AHEAD) return;
#if HAS_GATHER && ARRAY_in
    const index_type from = (index_type)interval_source(o.gather, object + AHEAD);
    prefetch_load(o.in.data + from);
    prefetch_load(o.in.data + from + LINE_BYTES / sizeof(in_type));
#endif
#if HAS_SCATTER
    const index_type to = (index_type)interval_start((int64_t)load_scatter(o.scatter, object + AHEAD));
    prefetch_store(o.out.data + to);
    prefetch_store(o.out.data + to + LINE_BYTES / sizeof(out_type));
#endif
#endif
}

static inline void balance_run(const balance_operands o, const index_type object, const index_type offset,
                               const index_type begin, const index_type end, const index_type item_end)
{
    const interval_places places = interval_find(o, begin, object, begin - offset);
    interval_run run;
#if INTERVAL_EXPAND
    run.value = load_in(o.in, object);
    run.out = shift_out(o.out, begin);
    (void)places;
    interval_put(run, end - begin, item_end - begin);
#else
    interval_place low = 0, high = (interval_place)(end - begin);
    interval_fetch_ahead(o, object);
    interval_clip(places.from, (interval_place)o.in.count, &low, &high);
    interval_clip(places.to, (interval_place)o.capacity, &low, &high);
    if (low >= high) return;
    run.in = shift_in(o.in, (index_type)(places.from + low));
    run.out = shift_out(o.out, (index_type)(places.to + low));
    interval_put(run, (index_type)(high - low), (index_type)(high - low));
    (void)item_end;
#endif
}
#include "pieces/load_balance_serial.clh"
typedef struct {
    int unused;
} interval_store;

static inline void interval_items(const balance_operands o, const balance_tile tile, __local interval_store *store)
{
    (void)store;
    balance_objects(o, tile);
}
#else
#include "kernels/interval/interval_group.clh"
#endif

/* Pass 2: each group moves the elements of one tile. */
MCL_KERNEL(TILE_THREADS) interval_tiles(PARAMS_offsets, PARAMS_work, ARRAY_PARAM(index_type, split), PARAMS_in,
#if HAS_GATHER
                                        PARAMS_gather,
#endif
#if HAS_SCATTER
                                        PARAMS_scatter,
#endif
                                        PARAMS_out, int64_t capacity)
{
    MCL_SHARED(interval_store, store);
    balance_operands operands;
    operands.offsets = MAKE_offsets;
    const input_work work = MAKE_work;
    operands.items = work.count;
    operands.in = MAKE_in;
#if HAS_GATHER
    operands.gather = MAKE_gather;
#endif
#if HAS_SCATTER
    operands.scatter = MAKE_scatter;
#endif
    operands.out = MAKE_out;
    operands.capacity = (index_type)capacity;
    const balance_tile tile = balance_tile_find(operands.offsets, operands.items, ARRAY(index_type, split));
    interval_items(operands, tile, store);
}
