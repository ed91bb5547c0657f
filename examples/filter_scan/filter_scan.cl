/* filter_scan.cl: of a sequence, keeps the elements that count, and stores each with the sum of all kept up to it, in
 * one kernel: what is kept, where it goes and what it is stored with come from one scan.
 * Passes: filter_clear, filter_tiles. Needs: index_type TILE_THREADS TILE_ITEMS; input in; fold, whose accumulator has
 * the member count: of what is kept; entry_of, in the user's text; outputs out, with room for limit entries, and total,
 * one accumulator; LOOK_BACK: groups may wait for each other; else one group does all tiles. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define INITIAL_PARAM
#define INITIAL
#include "pieces/fold_words.clh"
#include "pieces/part_range.clh"

static inline fold_type fold_range(const env_type env, const input_in in, const index_type begin, const index_type end)
{
    fold_type sum = fold_identity(env);
    ROLLED
    for (index_type k = begin; k < end; ++k) sum = fold(env, sum, fold_extract(env, load_in(in, k), k));
    return sum;
}

typedef struct {
    input_in in;
    output_out out;
    output_total total;
    index_type limit;
    __global ulong *state;
} filter_operands;

/* One element after sum; returns the sum up to it. */
static inline fold_type put_element(const env_type env, const filter_operands o, const in_type x, const index_type k,
                                    const fold_type sum)
{
    const fold_type v = fold_extract(env, x, k);
    if (v.count == 0) return sum;
    const fold_type next = fold(env, sum, v);
    const index_type place = (index_type)next.count - 1;
    if (place < o.limit) store_out(o.out, place, entry_of(x, k, next));
    return next;
}

static inline void put_total(const filter_operands o, const index_type end, const fold_type sum)
{
    if (end == o.in.count) store_total(o.total, 0, sum);
}

#if LOOK_BACK
#include "pieces/look_back.clh"

/* The sum of all tiles before one, whose own sum is published for those after it. */
static inline fold_type prefix_of(const env_type env, const filter_operands o, const index_type tile,
                                  const fold_type own)
{
    fold_type prefix = fold_identity(env);
    const int is_first = get_local_id(0) == 0;
    if (tile > 0) {
        if (is_first) state_publish(o.state, tile, STATE_AGGREGATE, own);
        prefix = look_back(env, o.in, o.state, tile);
    }
    if (is_first) state_publish(o.state, tile, STATE_PREFIX, fold(env, prefix, own));
    return prefix;
}
#else
#define LOOK_BACK_ITEMS 0
#endif

#if TILE_THREADS == 1
typedef struct {
    int unused;
} filter_store;

/* carried: of the tiles before, where this work-item has done them all. */
static inline fold_type filter_tile(const env_type env, const filter_operands o, const index_type tile,
                                    const fold_type carried)
{
    const index_type begin = tile * TILE_SIZE, end = begin + tile_count(begin, o.in.count);
    fold_type sum = carried;
#if LOOK_BACK
    sum = prefix_of(env, o, tile, fold_range(env, o.in, begin, end));
#endif
    for (index_type k = begin; k < end; ++k) sum = put_element(env, o, load_in(o.in, k), k, sum);
    put_total(o, end, sum);
    return sum;
}
#else
#include "pieces/scan_group.clh"

typedef struct {
    in_type elements[TILE_THREADS * TILE_ITEMS];
    fold_type sums[SCAN_GROUP_SHARED];
    fold_type prefix; /* of the tiles before */
    index_type number;
} filter_store;

/* Elements are read by neighbours together and summed by work-items in runs, so they go through work-group memory. */
static inline void filter_tile(const env_type env, const filter_operands o, const index_type tile,
                               __local filter_store *store)
{
    const int item = (int)get_local_id(0);
    const index_type begin = tile * TILE_SIZE;
    const int count = tile_count(begin, o.in.count);
    const int first = item * TILE_ITEMS < count ? item * TILE_ITEMS : count;
    const int last = first + TILE_ITEMS < count ? first + TILE_ITEMS : count;
    fold_type own = fold_identity(env), total;
    for (int k = item; k < count; k += TILE_THREADS) store->elements[k] = load_in(o.in, begin + k);
    group_barrier();
    for (int k = first; k < last; ++k) own = fold(env, own, fold_extract(env, store->elements[k], begin + k));
    const fold_type before = scan_group(env, own, TILE_THREADS, &total, store->sums);
#if LOOK_BACK
    if (item < LOOK_BACK_ITEMS) {
        const fold_type prefix = prefix_of(env, o, tile, total);
        if (item == 0) store->prefix = prefix;
    }
#endif
    group_barrier();
    const fold_type prefix = store->prefix;
    fold_type sum = item > 0 ? fold(env, prefix, before) : prefix;
    for (int k = first; k < last; ++k) sum = put_element(env, o, store->elements[k], begin + k, sum);
    if (item == 0) put_total(o, begin + count, fold(env, prefix, total));
    group_barrier();
    if (item == 0) store->prefix = fold(env, prefix, total);
}
#endif

/* Empties what tiles publish, and the ticket counter. */
MCL_KERNEL(TILE_THREADS) filter_clear(ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, ticket), index_type words)
{
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, words);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) ARRAY(ulong, state)[begin + k] = 0;
    if (get_global_id(0) == 0) ARRAY(uint, ticket)[0] = 0;
}

/* A group does one tile, the next that nobody has begun; or all of them. */
MCL_KERNEL(TILE_THREADS) filter_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_total, index_type limit,
                                      ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, ticket))
{
    MCL_SHARED(filter_store, store);
    const env_type env = MAKE_env;
    filter_operands o;
    o.in = MAKE_in;
    o.out = MAKE_out;
    o.total = MAKE_total;
    o.limit = limit;
    o.state = ARRAY(ulong, state);
#if TILE_THREADS == 1
    (void)store;
#if LOOK_BACK
    (void)filter_tile(env, o, (index_type)atomic_increment_global(ARRAY(uint, ticket)), fold_identity(env));
#else
    fold_type sum = fold_identity(env);
    for (index_type tile = 0; tile * TILE_SIZE < o.in.count || tile == 0; ++tile) sum = filter_tile(env, o, tile, sum);
#endif
#elif LOOK_BACK
    if (get_local_id(0) == 0) store->number = (index_type)atomic_increment_global(ARRAY(uint, ticket));
    group_barrier();
    filter_tile(env, o, store->number, store);
#else
    if (get_local_id(0) == 0) store->prefix = fold_identity(env);
    for (index_type tile = 0; tile * TILE_SIZE < o.in.count || tile == 0; ++tile) filter_tile(env, o, tile, store);
#endif
}
