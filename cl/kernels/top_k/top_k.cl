/* top_k.cl: finds the first k elements of a sequence in an order, or the element of one rank, by selection. Passes:
 *   top_k_pivots    completes the round before, and chooses pivots from a sample: one group sorts the sample, or groups
 *                   count the ranks of its elements, and the ranks of the last candidates (is_last)
 *   top_k_split     groups keep the candidates between the pivots, and count the candidates before the pivots
 *   top_k_finish    one group makes more rounds if they are needed, and puts the few last candidates in order
 *   top_k_collect   where a block has no room for k elements: groups store the chosen elements in any order
 *   top_k_fill      one group stores elements of the input where an order that contradicts itself has left gaps
 * Needs: index_type TILE_THREADS TILE_ITEMS; BLOCK_SIZE, the elements that one group sorts (group mapping: those of a
 * tile); TOP_K_RANK: 1 for the element of rank wanted; COUNTS_RANKS: 1 where groups count, and no two elements of the
 * input have one rank; input in; amounts, where the device has the number wanted; before; outputs out, and out_values
 * for the values in_values; results result and chosen.
 *
 * Bounds, whatever the keys and the order are: candidates are stored below the room of a level, which follows from the
 * host's count. Indices that levels hold are of elements of the input. The output gets elements below k, which is at
 * most the host's count too. There are at most ROUNDS_MOST rounds. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define LEVEL_LEAST BLOCK_SIZE
#include "facts/top_k.h"
#include "pieces/tile/part_range.clh"
#include "pieces/tile/amount.clh"
#include "kernels/top_k/top_k_state.clh"

/* The state and the pivots between launches have two copies. A group of top_k_pivots may write one copy while another
 * group still reads the other copy. In the serial mapping one group has the state, and changes it in place. */
#if TILE_THREADS == 1
#define STATE_IN(store) ARRAY(top_k_state, state)
#define STATE_OF(round) ARRAY(top_k_state, state)
#define PIVOTS_OF(round) ((__global key_type *)0)
#else
#define STATE_IN(store) (&(store)->state)
#define STATE_OF(round) (ARRAY(top_k_state, state) + ((round)&1))
#define PIVOTS_OF(round) (ARRAY(key_type, pivots) + 2 * ((round)&1))
#endif
enum { PIVOT_LO, PIVOT_HI }; /* indices in a copy of the pivots */
#define SCRATCH_top_k(store) memory_of(STATE_IN(store), ARRAY(level_key, level_keys), \
    ARRAY(index_type, level_indices), ARRAY(index_type, sums), ARRAY(uint, cursors))

#include "kernels/top_k/top_k_outputs.clh"

#if TILE_THREADS == 1
#include "kernels/top_k/top_k_serial.clh"
#else
#define before ranked_before
#include "pieces/sort/sort_shared.clh"
#include "kernels/top_k/top_k_group.clh"
#include "kernels/top_k/ranked_pivots.clh"
#endif

/* Copies the state, with its pivots, that the launch before has saved. */
static inline void state_copy(const top_k_memory m, __global const top_k_state *saved, __global const key_type *pivots)
{
#if TILE_THREADS > 1
    *m.state = *saved;
    if (m.state->has[MARK_LO]) m.state->mark[MARK_LO] = pivots[PIVOT_LO];
    if (m.state->has[MARK_HI]) m.state->mark[MARK_HI] = pivots[PIVOT_HI];
#endif
    (void)m;
    (void)saved;
    (void)pivots;
}

static inline void state_take(const top_k_memory m, __global const top_k_state *saved, __global const key_type *pivots)
{
    if (get_local_id(0) == 0) state_copy(m, saved, pivots);
    group_barrier();
}

/* Takes the state that a round needs, or starts the state in the first round. The parts of the round before have stored
 * their counts in the sums, from slot 1 on. */
static inline void state_take_round(const operands_type o, const top_k_memory m, __global const top_k_state *saved,
                                    __global const key_type *pivots)
{
    if (get_local_id(0) == 0) {
        if (o.round > 0) state_copy(m, saved, pivots);
        else top_k_start(o, m, o.in.count, amount_at(o, 0, o.wanted));
        if (o.round == 0 && get_group_id(0) == 0) cursors_begin(m);
        m.state->first_part = 1;
        m.state->parts = o.parts;
    }
    group_barrier_global();
}

static inline void state_save(const top_k_memory m, __global top_k_state *saved)
{
#if TILE_THREADS > 1
    if (get_global_id(0) == 0) *saved = *m.state;
#endif
    (void)m;
    (void)saved;
}

#if TILE_THREADS == 1
typedef no_store pivots_store;
#define SELECTION(store) store
#else
typedef struct {
    top_k_store selection;
    uint earlier[COUNTED];
} pivots_store;
#define SELECTION(store) (&store->selection)
#endif

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_pivots(PARAMS_top_k_pivots)
{
    MCL_SHARED(pivots_store, store);
    const env_type env = MAKE_env;
    top_k_memory m = SCRATCH_top_k(SELECTION(store));
    operands_type o;
    TAKE_top_k_pivots(o);
    state_take_round(o, m, STATE_OF(o.round), PIVOTS_OF(o.round));
#if TILE_THREADS == 1
    (void)store;
    m.sample = ARRAY(key_type, sample);
    top_k_step(env, o, m, 0);
#else
    top_k_go_on(o, m, &store->selection);
#if COUNTS_RANKS
    rank_pivots(env, o, m, PIVOTS_OF(o.round + 1), store->earlier, &store->selection);
#else
    choose_pivots(env, o, m, 0, &store->selection);
    if (get_local_id(0) == 0) {
        PIVOTS_OF(o.round + 1)[PIVOT_LO] = m.state->mark[MARK_LO];
        PIVOTS_OF(o.round + 1)[PIVOT_HI] = m.state->mark[MARK_HI];
    }
#endif
#endif
    state_save(m, STATE_OF(o.round + 1));
}

MCL_KERNEL(TILE_THREADS) top_k_split(PARAMS_top_k_split)
{
    MCL_SHARED(top_k_store, store);
    const env_type env = MAKE_env;
    const top_k_memory m = SCRATCH_top_k(store);
    const int part = (int)get_group_id(0), parts = (int)get_num_groups(0);
    operands_type o;
    TAKE_top_k_split(o);
    state_take(m, STATE_OF(o.round), PIVOTS_OF(o.round));
#if TILE_THREADS == 1
    (void)store;
    split_part(env, o, m, part, parts, part + 1);
#else
    split_part(env, o, m, part, parts, part + 1, store);
#endif
}

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_finish(PARAMS_top_k_finish)
{
    MCL_SHARED(top_k_store, store);
    const env_type env = MAKE_env;
    top_k_memory m = SCRATCH_top_k(store);
    operands_type o;
    TAKE_top_k_finish(o);
    state_take_round(o, m, STATE_OF(o.round), PIVOTS_OF(o.round));
#if TILE_THREADS == 1
    (void)store;
    m.sample = ARRAY(key_type, sample);
    top_k_results(o, m, own_rounds(env, o, m));
#else
    top_k_go_on(o, m, store);
    GROUP_IF(!m.state->is_found) own_rounds(env, o, m, store);
    top_k_results(o, m, store);
#endif
    state_save(m, STATE_OF(o.round));
    if (get_local_id(0) == 0 && o.has_chosen) store_chosen(o.chosen, 0, (int64_t)m.state->k);
}

#if !TOP_K_RANK
MCL_KERNEL(TILE_THREADS) top_k_collect(PARAMS_top_k_collect)
{
    MCL_SHARED(top_k_store, store);
    const env_type env = MAKE_env;
    const top_k_memory m = SCRATCH_top_k(store);
    operands_type o;
    TAKE_top_k_collect(o);
    state_take(m, STATE_OF(o.round), PIVOTS_OF(o.round));
#if TILE_THREADS == 1
    (void)store;
    collect_part(env, o, m, (int)get_group_id(0), (int)get_num_groups(0));
#else
    collect_part(env, o, m, (int)get_group_id(0), (int)get_num_groups(0), store);
#endif
}

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_fill(PARAMS_top_k_fill)
{
    const uint found = ARRAY(uint, cursors)[1];
    operands_type o;
    TAKE_top_k_fill(o);
    const index_type k = STATE_OF(o.round)->k;
    for (index_type first = found < (uint)k ? (index_type)found : k; first < k; first += TILE_THREADS) {
        const index_type to = first + (index_type)get_local_id(0);
        if (to < k) put_chosen(o, to, input_at(o, to));
    }
}
#endif
