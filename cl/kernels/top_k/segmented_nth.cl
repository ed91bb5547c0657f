/* segmented_nth.cl: finds the element of one or several ranks of each segment, by the selection of top_k.cl. One pass:
 * a work-group finds one rank of a segment; under the serial mapping a work-item finds one rank after the other. The
 * work-item makes all rounds alone, in its own part of scratch. Needs: index_type TILE_THREADS TILE_ITEMS; BLOCK_SIZE,
 * the elements that a group sorts; HAS_END: the last number of offsets is the end of the last segment; inputs in,
 * offsets; amounts, which has a rank for each segment, or fractions, all of them for each segment; before; output out;
 * numbers first, the launch's first rank; each, the number of ranks of a segment; rows; limit, which gives levels their
 * room; room, the elements of all levels of a group; emits and collects, 0.
 *
 * Bounds, whatever the offsets, the keys and the order are: a segment is clamped to the input. Stores to the output are
 * below rows * each. The bounds of levels in top_k.cl hold for a group's levels. There are at most ROUNDS_MOST rounds.
 * */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define TOP_K_RANK 1
#define LEVEL_LEAST BLOCK_SIZE
#include "facts/top_k.h"
#include "pieces/tile/part_range.clh"
#include "kernels/top_k/top_k_state.clh"
#include "kernels/top_k/segment_bounds.clh"
#include "pieces/tile/amount.clh"
#if HAS_fractions
#include "kernels/top_k/quantile.clh"
#else
#define BLENDS 0
#endif

/* Returns the memory of a group. */
static inline top_k_memory memory_of(const int group, const index_type room, STATE_SPACE top_k_state *state,
                                     __global level_key *keys, __global index_type *indices, __global index_type *sums,
                                     __global uint *cursors)
{
    top_k_memory m;
    m.state = state;
    m.keys = keys + group * room;
    m.indices = indices + group * room;
    m.sums = sums + 2 * group;
    m.cursors = cursors + TOP_K_CURSORS * group;
    m.sample = 0;
    return m;
}

/* Makes the operands of a selection in the segment that begins at begin. */
static inline operands_type segment_operands(const operands_type o, const index_type begin)
{
    operands_type own;
    own.in = shift_in(o.in, begin);
    own.offsets = o.offsets;
    own.amounts = o.amounts;
    own.fractions = o.fractions;
    own.out = o.out;
    own.wanted = o.wanted;
    own.each = o.each;
    own.limit = o.limit;
    own.emits = own.collects = 0;
    own.first = o.first;
    own.rows = o.rows;
    own.room = o.room;
    return own;
}

/* The two ranks that give output element to; they are equal where one is enough. A rank is below length, or is length
 * where the segment has no element of the rank. */
typedef struct {
    index_type low, high;
    index_type to;
#if BLENDS
    fractions_type share;
#endif
} wanted_ranks;

static inline wanted_ranks ranks_of(const operands_type o, const index_type s, const index_type to)
{
    const index_type length = segment_length(o, s);
    wanted_ranks r;
    r.to = to;
#if HAS_fractions
    if (length > 0) {
        const quantile q = quantile_at(o, length, to - s * o.each);
        r.low = q.low;
        r.high = q.high;
#if BLENDS
        r.share = q.share;
#endif
        return r;
    }
#endif
    r.low = HAS_fractions ? 0 : amount_at(o, s, o.wanted);
    if (r.low > length) r.low = length;
    r.high = r.low;
    return r;
}

/* Stores the result of two ranks from the keys of both. */
static inline void put_ranks(const operands_type o, const wanted_ranks r, const in_type low, const in_type high)
{
#if BLENDS
    store_out(o.out, r.to, quantile_between(low, high, r.share));
#else
    (void)high;
    store_out(o.out, r.to, low);
#endif
}

static inline void put_chosen(const operands_type o, const index_type to, const key_type x)
{
    (void)o;
    (void)to;
    (void)x;
}

static inline void put_rank(const operands_type o, const in_type key)
{
    (void)o;
    (void)key;
}

#if TILE_THREADS == 1
#define STATE_IN(store) (ARRAY(top_k_state, state) + get_group_id(0))
enum { SHORT = 32 }; /* largest number of elements of a segment where each element is compared with each other */
/* largest number of elements of a segment whose ranks need no rounds */
enum { WHOLE = TOP_K_WHOLE_BLOCKS * BLOCK_SIZE };
/* parts of the ranks for each group: neighbouring ranks share memory, and groups share long segments */
enum { PARTS = 16 };
#include "kernels/top_k/top_k_serial.clh"

/* Returns the element of rank target of the sample, and reorders the sample. Each round splits a range at one of its
 * elements, and goes on with one side. No branch depends on a key. (C. Hoare, "Algorithm 65: Find", 1961.) Bounds: low,
 * high and middle are indices of the sample, and a range has one element less after each round. */
static inline key_type select_sample(const env_type env, __global key_type *sample, const int count, const int target)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const int chosen = low + (int)((uint)high * 0x9e3779b1u >> 8) % (high - low + 1);
        const key_type pivot = sample[chosen];
        int middle = low;
        sample[chosen] = sample[high];
        for (int k = low; k < high; ++k) {
            const key_type x = sample[k];
            sample[k] = sample[middle];
            sample[middle] = x;
            middle += ranked_before(env, x, pivot);
        }
        sample[high] = sample[middle];
        sample[middle] = pivot;
        if (middle == target) break;
        if (target < middle) high = middle - 1;
        else low = middle + 1;
    }
    return sample[target];
}

/* Returns the key of a rank of a segment of up to SHORT elements: the rank is the number of elements before it. A loop
 * without branches compares one element with all elements. */
static inline in_type key_of_short(const env_type env, const operands_type own, const index_type length,
                                   const index_type rank)
{
    key_type keys[SHORT];
    for (index_type k = 0; k < length; ++k) keys[k] = element_of(load_in(own.in, k), k);
    for (index_type k = 0; k < length; ++k) {
        int lower = 0;
        for (index_type j = 0; j < length; ++j) lower += ranked_before(env, keys[j], keys[k]);
        if (lower == (int)rank) return element_key(own.in, 0, keys[k]);
    }
    return load_in(own.in, 0);
}

/* Returns the key of a rank of a segment of up to WHOLE elements, which the sample has room for. */
static inline in_type key_of_whole(const env_type env, const operands_type own, const top_k_memory m,
                                   const index_type length, const index_type rank)
{
    for (index_type k = 0; k < length; ++k) m.sample[k] = element_of(load_in(own.in, k), k);
    return element_key(own.in, 0, select_sample(env, m.sample, (int)length, (int)rank));
}

/* Returns the key of a rank of a segment, by rounds. Where the order contradicts itself and no element has the rank, it
 * returns the segment's first key. */
static inline in_type key_of_rank(const env_type env, const operands_type own, const top_k_memory m,
                                  const index_type length, const index_type rank)
{
    top_k_start(own, m, length, rank);
    cursors_begin(m);
    (void)top_k_step(env, own, m, 0);
    while (m.state->is_active && m.state->round < ROUNDS_MOST) {
        split_part(env, own, m, 0, 1, 0);
        own_round_follows(m);
        (void)top_k_step(env, own, m, 0);
    }
    const index_type target = m.state->target, found = m.state->is_done ? m.state->size : 0;
    if (target < 0 || target >= found) return load_in(own.in, 0);
    const int count = take_sample(env, own, m, 0);
    return element_key(own.in, 0, select_sample(env, m.sample, count, (int)target));
}

/* Finds rank number to of all ranks, and stores its result. */
static inline void rank_select(const env_type env, const operands_type o, const top_k_memory m, const index_type to)
{
    const index_type s = HAS_fractions ? to / o.each : to, length = segment_length(o, s);
    const operands_type own = segment_operands(o, segment_first(o, s));
    const wanted_ranks r = ranks_of(o, s, to);
    if (r.low >= length) return;
    if (length <= SHORT) {
        const in_type low = key_of_short(env, own, length, r.low);
        put_ranks(o, r, low, r.high > r.low ? key_of_short(env, own, length, r.high) : low);
    } else if (length <= WHOLE) {
        const in_type low = key_of_whole(env, own, m, length, r.low);
        put_ranks(o, r, low, r.high > r.low ? key_of_whole(env, own, m, length, r.high) : low);
    } else {
        const in_type low = key_of_rank(env, own, m, length, r.low);
        put_ranks(o, r, low, r.high > r.low ? key_of_rank(env, own, m, length, r.high) : low);
    }
}

/* Finds the ranks of some parts: the parts with the group's index as number, or with that index plus a multiple of the
 * number of groups. */
static inline void ranks_select(const env_type env, const operands_type o, const top_k_memory m)
{
    const index_type ends = segment_count(o) * o.each, groups = (index_type)get_num_groups(0);
    for (index_type part = (index_type)get_group_id(0); part < PARTS * groups; part += groups) {
        index_type to, last;
        part_tiles(ends, PARTS * groups, part, &to, &last);
        for (; to < last; ++to) rank_select(env, o, m, to);
    }
}
#else
#define STATE_IN(store) (&store->state)
#define before ranked_before
#include "pieces/sort/sort_shared.clh"
#include "kernels/top_k/top_k_group.clh"
#endif

#if TILE_THREADS == 1
typedef no_store nth_store;
#define SELECTION(store) store
#else
typedef struct {
    top_k_store selection;
    in_type low;   /* the key of the lower rank */
    int is_second; /* 1 while the higher rank is looked for */
} nth_store;
#define SELECTION(store) (&store->selection)

/* Stores the result after a selection, or asks for a selection of the higher rank. One work-item calls it. If the block
 * has the next element after the lower rank, that is the element of the higher rank. */
static inline void rank_found(const operands_type own, const top_k_memory m, const wanted_ranks r,
                              __local nth_store *store)
{
    const index_type target = m.state->target, found = m.state->is_done ? m.state->size : 0;
    __local const key_type *const keys = store->selection.block.keys;
    const in_type key = target >= 0 && target < found ? element_key(own.in, 0, keys[target]) : load_in(own.in, 0);
    if (store->is_second) {
        put_ranks(own, r, store->low, key);
        store->is_second = 0;
    } else if (r.high == r.low) {
        put_ranks(own, r, key, key);
    } else if (target >= 0 && target + 1 < found) {
        put_ranks(own, r, key, element_key(own.in, 0, keys[target + 1]));
    } else {
        store->low = key;
        store->is_second = 1;
    }
}

/* Finds the element of one rank by a group, and stores it as result number to. */
static inline void rank_select(const env_type env, const operands_type o, const top_k_memory m, const index_type to,
                               __local nth_store *store)
{
    const int is_there = to < segment_count(o) * o.each, id = (int)get_local_id(0);
    const index_type s = is_there ? to / o.each : 0, length = is_there ? segment_length(o, s) : 0;
    const operands_type own = segment_operands(o, is_there ? segment_first(o, s) : 0);
    if (id == 0) store->is_second = 0;
    group_barrier();
    do {
        if (id == 0) {
            const wanted_ranks r = ranks_of(own, s, is_there ? to : 0); /* other ranks have no fraction */
            top_k_start(own, m, length, length == 0 ? 0 : store->is_second ? r.high : r.low);
            cursors_begin(m);
        }
        group_barrier_global();
        top_k_go_on(own, m, &store->selection);
        own_rounds(env, own, m, &store->selection);
        if (id == 0 && m.state->k > 0) rank_found(own, m, ranks_of(own, s, to), store);
        group_barrier();
    } while (BLENDS && store->is_second);
}
#endif

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) segmented_nth(PARAMS_segmented_nth)
{
    MCL_SHARED(nth_store, store);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_segmented_nth(o);
    const int group = (int)get_group_id(0);
    top_k_memory m = memory_of(group, o.room, STATE_IN(SELECTION(store)), ARRAY(level_key, level_keys),
                               ARRAY(index_type, level_indices), ARRAY(index_type, sums), ARRAY(uint, cursors));
#if TILE_THREADS == 1
    (void)store;
    m.sample = ARRAY(key_type, sample) + (index_type)group * WHOLE;
    ranks_select(env, o, m);
#else
    rank_select(env, o, m, o.first + group, store);
#endif
}
