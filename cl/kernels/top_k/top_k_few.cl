/* top_k_few.cl: finds the first k elements of a sequence in an order, where a work-group could sort twice as many
 * (group mapping). Passes:
 *   top_k_sample    groups find the best elements of a sample
 *   top_k_filter    each group finds the same pivot from these, and keeps the elements up to the pivot
 *   top_k_rank      groups put the kept elements in order; if these are too few or too many, one group makes rounds
 * Needs: index_type TILE_THREADS TILE_ITEMS; BLOCK_SIZE, the elements of a tile; input in; amounts, where the device
 * has the number wanted; before; outputs out, and out_values for the values in_values; result chosen.
 *
 * Bounds: the bounds of levels and outputs in top_k.cl hold here too. The indices of samples follow from the counts,
 * not from the keys. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define TOP_K_RANK 0
#define LEVEL_LEAST TOP_K_RANKED_MOST
#include "facts/top_k.h"
#include "pieces/tile/part_range.clh"
#include "pieces/tile/amount.clh"
#include "kernels/top_k/top_k_state.clh"
#include "kernels/top_k/top_k_outputs.clh"
#define before ranked_before
#include "pieces/sort/sort_shared.clh"
#include "kernels/top_k/top_k_group.clh"
#include "kernels/top_k/few_group.clh"

#define SCRATCH_few(store) memory_of(&store->selection.state, ARRAY(level_key, level_keys), \
    ARRAY(index_type, level_indices), ARRAY(index_type, sums), ARRAY(uint, cursors))

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_sample(PARAMS_top_k_sample)
{
    MCL_SHARED(few_store, store);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_top_k_sample(o);
    const few_plan plan = few_plan_of(o);
    if (get_global_id(0) == 0) ARRAY(uint, cursors)[0] = 0;
    few_sample(env, o, plan, ARRAY(key_type, bests), store);
}

MCL_KERNEL(TILE_THREADS) top_k_filter(PARAMS_top_k_filter)
{
    MCL_SHARED(few_store, store);
    const env_type env = MAKE_env;
    const top_k_memory m = SCRATCH_few(store);
    const int part = (int)get_group_id(0), parts = (int)get_num_groups(0);
    operands_type o;
    TAKE_top_k_filter(o);
    const few_plan plan = few_plan_of(o);
    few_pivot(env, o, m, plan, ARRAY(key_type, bests), store);
    claims_begin(o, plan.k, ARRAY(uint, claims));
    split_part(env, o, m, part, parts, part + 1, &store->selection);
}

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) top_k_rank(PARAMS_top_k_rank)
{
    MCL_SHARED(few_store, store);
    const env_type env = MAKE_env;
    const int group = (int)get_group_id(0);
    top_k_memory m = SCRATCH_few(store);
    operands_type o;
    TAKE_top_k_rank(o);
    const few_plan plan = few_plan_of(o);
    const uint kept = plan.groups > 0 ? ARRAY(uint, cursors)[0] : (uint)plan.count;
    const index_type room = level_room(o.limit, plan.groups > 0);
    const int is_ranked = kept <= TOP_K_RANKED_MOST && kept >= (uint)plan.k && kept <= (uint)room;
    const int rounds = !is_ranked && group == 0;
    m.sums += 2 * group;
    m.cursors += 2; /* other groups may still read cursors[0] */
    few_rank(env, o, m, plan, is_ranked ? (index_type)kept : 0, ARRAY(uint, claims), store);
    GROUP_IF(rounds)
    {
        if (get_local_id(0) == 0) top_k_start(o, m, rounds ? plan.count : 0, rounds ? plan.k : 0);
        group_barrier();
        top_k_go_on(o, m, &store->selection);
        own_rounds(env, o, m, &store->selection);
        top_k_results(o, m, &store->selection);
    }
    if (get_global_id(0) == 0 && o.has_chosen) store_chosen(o.chosen, 0, (int64_t)plan.k);
}
