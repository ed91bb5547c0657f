/* segmented_nth.cl: the element of one rank of each segment, by the selection of top_k.cl. One pass: a work-group takes
 * a segment, or a work-item under the serial mapping takes one after the other. It makes all rounds of a segment by
 * itself, in memory of its own.
 * Needs: index_type TILE_THREADS TILE_ITEMS; BLOCK_SIZE, the elements that a group sorts; HAS_END: the last number of
 * offsets is the end of the last segment; NTH_FRACTION: wanted is a fraction of the last index, in parts of 2^32, and
 * not the rank; inputs in, offsets; before; output out; numbers first, the launch's first segment, rows; limit, by
 * which levels have their room; room, the elements of all levels of a group; emits and collects, 0.
 *
 * Bounds, whatever the offsets, the keys and the order are: a segment is clamped to the input, and the output is stored
 * to below rows. What top_k.cl says of levels holds for those of a group. There are at most ROUNDS_MOST rounds. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define BLOCK_THREADS TILE_THREADS
#define HAS_VALUES 0
#define SEGMENTED 0
#define STABLE 0
#define TOP_K_RANK 1
#include "facts/top_k.h"
#include "pieces/part_range.clh"
#include "kernels/top_k/top_k_state.clh"
#include "kernels/top_k/segment_bounds.clh"

/* The memory of a group. */
static inline top_k_memory memory_of(const int group, const index_type room, STATE_SPACE top_k_state *state,
                                     __global in_type *keys, __global index_type *indices, __global index_type *sums,
                                     __global uint *cursors)
{
    top_k_memory m;
    m.state = state;
    m.keys = keys + group * room;
    m.indices = indices + group * room;
    m.sums = sums + 2 * group;
    m.cursors = cursors + 2 * group;
    m.sample = 0;
    return m;
}

/* What a selection in the segment that begins at begin is given. */
static inline operands_type segment_operands(const operands_type o, const index_type begin)
{
    operands_type own;
    own.in = shift_in(o.in, begin);
    own.offsets = o.offsets;
    own.out = o.out;
    own.limit = o.limit;
    own.emits = own.collects = 0;
    own.first = o.first;
    own.rows = o.rows;
    own.room = o.room;
    return own;
}

/* The rank that is wanted of a segment of length elements: below length, or length where it has no such element. The
 * product with a fraction is that of the two halves of the last index, so that 64 bits hold it. */
static inline index_type segment_rank(const index_type length, const int64_t wanted)
{
#if NTH_FRACTION
    const int64_t last = (int64_t)length - 1;
    return length > 0 ? (index_type)((last >> 32) * wanted + (((last & 0xffffffff) * wanted) >> 32)) : 0;
#else
    return wanted < (int64_t)length ? (index_type)wanted : length;
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
#include "kernels/top_k/top_k_serial.clh"

/* The element of rank target of the sample, which changes its order. Each round parts a range by one of its elements,
 * and goes on with one side. No branch depends on a key. (C. Hoare, "Algorithm 65: Find", 1961.) Bounds: low, high and
 * middle are indices of the sample, and a range has one element less after each round. */
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

/* The first segment from s on, in steps of groups, that has an element of the rank; or any one that there is not. */
static inline index_type next_segment(const operands_type o, const int64_t wanted, const index_type s,
                                      const index_type groups)
{
    const index_type segments = segment_count(o);
    index_type next = s;
    while (next < segments && segment_rank(segment_length(o, next), wanted) >= segment_length(o, next)) next += groups;
    return next;
}
#else
#define STATE_IN(store) (&store->state)
#define before ranked_before
#include "pieces/sort_shared.clh"
#include "kernels/top_k/top_k_group.clh"
#endif

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) segmented_nth(PARAMS_segmented_nth)
{
    MCL_SHARED(top_k_store, store);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_segmented_nth(o);
    const int group = (int)get_group_id(0);
    top_k_memory m = memory_of(group, o.room, STATE_IN(store), ARRAY(in_type, level_keys),
                               ARRAY(index_type, level_indices), ARRAY(index_type, sums), ARRAY(uint, cursors));
#if TILE_THREADS == 1
    const index_type groups = (index_type)get_num_groups(0);
    (void)store;
    m.sample = ARRAY(key_type, sample) + (index_type)group * 2 * BLOCK_SIZE;
    for (index_type s = next_segment(o, wanted, group, groups); s < segment_count(o);
         s = next_segment(o, wanted, s + groups, groups)) {
        const operands_type own = segment_operands(o, segment_first(o, s));
        const index_type length = segment_length(o, s);
        top_k_start(own, m, length, segment_rank(length, wanted));
        (void)top_k_step(env, own, m, 0);
        while (m.state->is_active && m.state->round < ROUNDS_MOST) {
            split_part(env, own, m, 0, 1, 0);
            own_round_follows(m);
            (void)top_k_step(env, own, m, 0);
        }
        const index_type target = m.state->target, found = m.state->is_done ? m.state->size : 0;
        if (target >= 0 && target < found) {
            const int count = take_sample(env, own, m, 0);
            store_out(o.out, s, select_sample(env, m.sample, count, (int)target).key);
        } else {
            store_out(o.out, s, load_in(own.in, 0));
        }
    }
#else
    const index_type s = o.first + group;
    const int is_there = s < segment_count(o);
    const operands_type own = segment_operands(o, is_there ? segment_first(o, s) : 0);
    const index_type length = is_there ? segment_length(o, s) : 0;
    if (get_local_id(0) == 0) top_k_start(own, m, length, segment_rank(length, wanted));
    group_barrier_global();
    top_k_go_on(own, m, store);
    own_rounds(env, own, m, store);
    if (get_local_id(0) == 0 && m.state->k > 0) {
        const index_type target = m.state->target, found = m.state->is_done ? m.state->size : 0;
        if (target >= 0 && target < found) store_out(own.out, s, store->block.keys[target].key);
        else store_out(own.out, s, load_in(own.in, 0));
    }
#endif
}
