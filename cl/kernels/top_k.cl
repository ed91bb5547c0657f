/* top_k.cl: the first k elements of a sequence in an order, or the element of one rank, by selection. Passes:
 *   top_k_pivots    one group: goes on after the round before, and chooses pivots from a sample
 *   top_k_split     groups: keep the candidates between the pivots, and count those before
 *   top_k_finish    one group: more rounds by itself if they are needed, then the few candidates in order
 *   top_k_collect   groups: where k is more than a block has room for, the chosen elements in any order
 *   top_k_fill      one group: elements for what an order that contradicts itself left open
 * Needs: index_type TILE_THREADS TILE_ITEMS; BLOCK_SIZE, the elements that one group sorts (group mapping: those of a
 * tile); TOP_K_RANK: 1 for the element of rank wanted; input in; before; outputs out, and out_values that take
 * in_values with them; results result and chosen.
 *
 * Bounds, whatever the keys and the order are: candidates are stored below the room of a level, which follows from the
 * host's count. Indices that levels hold are of elements of the input. The output gets elements below k, which is at
 * most the host's count too. There are at most ROUNDS_MOST rounds. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define BLOCK_THREADS TILE_THREADS
#define HAS_VALUES 0
#define SEGMENTED 0
#define STABLE 0
#include "facts/top_k.h"
#include "pieces/part_range.clh"
#include "kernels/top_k/top_k_state.clh"

enum { ROUNDS_MOST = 200 }; /* a few are likely; each leaves a fraction of the candidates */

#define SCRATCH_top_k memory_of(ARRAY(top_k_state, state), ARRAY(in_type, marks), ARRAY(in_type, level_keys), \
    ARRAY(index_type, level_indices), ARRAY(index_type, sums), ARRAY(uint, cursors))

static inline top_k_memory memory_of(__global top_k_state *state, __global in_type *marks, __global in_type *keys,
                                     __global index_type *indices, __global index_type *sums, __global uint *cursors)
{
    top_k_memory m;
    m.state = state;
    m.marks = marks;
    m.keys = keys;
    m.indices = indices;
    m.sums = sums;
    m.cursors = cursors;
    m.sample = 0;
    return m;
}

static inline void put_chosen(const operands_type o, const index_type to, const key_type x)
{
#if HAS_out
    store_out(o.out, to, x.key);
#endif
#if HAS_in_values
    store_out_values(o.out_values, to, load_in_values(o.in_values, x.index));
#endif
#if HAS_out_indices
    store_out_indices(o.out_indices, to, (out_indices_type)x.index);
#endif
    (void)o;
    (void)to;
    (void)x;
}

static inline void put_rank(const operands_type o, const in_type key)
{
#if TOP_K_RANK
    if (o.has_result) store_result(o.result, 0, key);
#else
    (void)o;
    (void)key;
#endif
}

#if TILE_THREADS == 1
#include "kernels/top_k/top_k_serial.clh"
#else
#define before ranked_before
#include "pieces/sort_shared.clh"
#include "kernels/top_k/top_k_group.clh"
#endif

/* In the first launch of a call. */
static inline void top_k_begin(const operands_type o, const top_k_memory m)
{
    if (o.round == 0 && get_local_id(0) == 0) top_k_start(o, m, o.in.count, o.wanted);
    group_barrier_global();
}

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_pivots(PARAMS_top_k_pivots)
{
    MCL_SHARED(top_k_store, store);
    const env_type env = MAKE_env;
    top_k_memory m = SCRATCH_top_k;
    operands_type o;
    TAKE_top_k_pivots(o);
    top_k_begin(o, m);
#if TILE_THREADS == 1
    (void)store;
    m.sample = ARRAY(key_type, sample);
    top_k_step(env, o, m, 0);
#else
    top_k_step(env, o, m, 0, store);
#endif
}

MCL_KERNEL(TILE_THREADS) top_k_split(PARAMS_top_k_split)
{
    MCL_SHARED(split_store, store);
    const env_type env = MAKE_env;
    const top_k_memory m = SCRATCH_top_k;
    operands_type o;
    TAKE_top_k_split(o);
#if TILE_THREADS == 1
    (void)store;
    split_part(env, o, m, (int)get_group_id(0), (int)get_num_groups(0));
#else
    split_part(env, o, m, (int)get_group_id(0), (int)get_num_groups(0), store);
#endif
}

/* A round of its own has one part. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_finish(PARAMS_top_k_finish)
{
    MCL_SHARED(top_k_store, store);
    const env_type env = MAKE_env;
    top_k_memory m = SCRATCH_top_k;
    operands_type o;
    TAKE_top_k_finish(o);
    top_k_begin(o, m);
#if TILE_THREADS == 1
    (void)store;
    m.sample = ARRAY(key_type, sample);
    __global key_type *sorted = top_k_step(env, o, m, 1);
    while (m.state->is_active && m.state->round < ROUNDS_MOST) {
        split_part(env, o, m, 0, 1);
        sorted = top_k_step(env, o, m, 1);
    }
    top_k_results(o, m, sorted);
#else
    do {
        top_k_step(env, o, m, 1, store);
        split_part(env, o, m, 0, 1, &store->split);
    } while (m.state->is_active && m.state->round < ROUNDS_MOST);
    top_k_results(o, m, store);
#endif
    if (get_local_id(0) == 0 && o.has_chosen) store_chosen(o.chosen, 0, (int64_t)m.state->k);
}

#if !TOP_K_RANK
MCL_KERNEL(TILE_THREADS) top_k_collect(PARAMS_top_k_collect)
{
    MCL_SHARED(split_store, store);
    const env_type env = MAKE_env;
    const top_k_memory m = SCRATCH_top_k;
    operands_type o;
    TAKE_top_k_collect(o);
#if TILE_THREADS == 1
    (void)store;
    collect_part(env, o, m, (int)get_group_id(0), (int)get_num_groups(0));
#else
    collect_part(env, o, m, (int)get_group_id(0), (int)get_num_groups(0), store);
#endif
}

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_fill(PARAMS_top_k_fill)
{
    const top_k_memory m = SCRATCH_top_k;
    const uint found = m.cursors[1];
    operands_type o;
    TAKE_top_k_fill(o);
    for (index_type first = 0; first < m.state->k; first += TILE_THREADS) {
        const index_type to = first + (index_type)get_local_id(0);
        if (to < m.state->k && to >= 0 && (uint)to >= found) put_chosen(o, to, level_at(o, m, 0, 0, to));
    }
}
#endif
