/* segmented_sort.cl: sorts by merging, inside segments or (SEGMENTED 0: locality sort) as a whole. Tiles that need no
 * move are left alone. Passes:
 *
 *   sort_tiles             sorts each tile and keeps its first and last head
 *   sort_seams             merges, in place, short segments across the seam of two tiles; sort_wide_seams merges the
 *                          segments that need a whole group
 *   then, level by level, for lists of 1, 2, 4 ... tiles:
 *   sort_level             finds the task of each tile, to merge it, to copy it, or neither, and does it by a group; or
 *   sort_plan, sort_work   sort_plan puts the tasks into a queue; each group of sort_work does up to WORK_TASKS
 *   and at the end, where the values are indices in segments (INDICES_IN_SEGMENTS),
 *   sort_ranks             subtracts from each index the index of its segment's first key
 *
 * out and spare hold the lists in turn. A tile is marked when both have its keys. So it is copied at most once while
 * its keys keep their indices. After seams are merged, a tile is open only if a longer segment reaches into it; other
 * tiles are skipped. (S. Baxter, Modern GPU, 2013, "Segmented Sort and Locality Sort".)
 *
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS WORK_TASKS RESIDENT VALUES_ARE_INDICES INDICES_IN_SEGMENTS
 * KEYS_DROPPED; inputs in, a (an array of keys); outputs out, spare; before; STABLE; inputs that may be absent: heads,
 * words with a bit for each element, the lowest first, of segments, and for pairs in_values, a_values; outputs that may
 * be absent: out_values, spare_values.
 *
 * Bounds, whatever before says and whatever the heads are: heads are bits of a tile's own elements. So the ranges that
 * tiles keep lie in the array. Cuts are searched between the least and the most that the lists' lengths allow. The part
 * between two cuts is clamped to the tile (run_tile_between). A tile has at most one task a level, and counters are
 * zero before the first: the queue has room for all tasks. sort_ranks stores to the tile's own indices. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define SEGMENTED HAS_heads
#define HAS_VALUES HAS_in_values
#include "facts/segmented_sort.h"
#define QUEUE_THREADS PLAN_THREADS
#include "kernels/segmented_sort/segmented_tile.clh"
#include "pieces/tile/work_queue.clh"

/* ---- tiles and seams ---------------------------------------------------------------------------------------- */

MCL_KERNEL(TILE_THREADS) sort_tiles(PARAMS_sort_tiles)
{
    MCL_SHARED(sort_store, store);
    const env_type env = MAKE_env;
    const sort_arrays arrays = MAKE_arrays;
    const int id = (int)get_local_id(0);
    const index_type tile = (index_type)get_group_id(0);
    sort_input in;
    in.keys = MAKE_in;
    in.values = MAKE_in_values;
    const input_heads heads = MAKE_heads;
    const index_type begin = tile_begin(tile, in.keys.count);
    const head_range range = sort_list_tile(env, in, heads, arrays, begin, tile_count(begin, in.keys.count), store);
    if (id == 0) {
        ARRAY(head_range, ranges)[tile] = range;
        ARRAY(uint, same)[tile] = 0;
    }
    if (tile == 0)
        for (int k = id; k < counter_count; k += TILE_THREADS)
            ARRAY(uint, counters)[k] = k == COUNT_TILES ? (uint)tile_number(in.keys.count) : 0;
}

/* A seam is where a tile begins. It is open where a segment lies across it and its parts are not merged. It is wide,
 * for sort_wide_seams, where merging them needs a whole group. */
enum { SEAM_CLOSED, SEAM_OPEN, SEAM_WIDE };

/* Returns 1 where sort_seams has found a seam of this state. */
static inline int some_seam_is(const int state, __global const uint *counters)
{
    return (int)(counters[COUNT_STATES] >> state & 1u);
}

/* Returns 1 where the level has nothing to do, so that one load ends its launch. It returns 0 in sorts that end with
 * sort_ranks, since each level must then keep the heads of its lists. */
static inline int level_is_empty(const int mended, __global const uint *counters)
{
#if INDICES_IN_SEGMENTS
    (void)mended;
    (void)counters;
    return 0;
#else
    return mended && !some_seam_is(SEAM_OPEN, counters);
#endif
}

#if SEGMENTED
typedef struct {
    /* begin of the segment; a_part of its count keys come before the seam; count is 0 where nothing is merged */
    index_type low;
    int a_part, count;
} seam_segment;

static inline uint seam_look(const index_type seam, const index_type count, __global const head_range *ranges,
                             seam_segment *segment)
{
    const index_type tiles = tile_number(count), middle = tile_begin(seam, count);
    segment->low = 0;
    segment->a_part = segment->count = 0;
    if (seam >= tiles) return SEAM_CLOSED;
    const index_type low = ranges[seam - 1].last;
    const index_type first = ranges[seam].first;
    const index_type end = first == NO_HEAD && seam + 1 == tiles ? count : first;
    if (end == middle) return SEAM_CLOSED;
    if (low < 0 || end == NO_HEAD || end - low > TILE_SIZE) return SEAM_OPEN;
    segment->low = low;
    segment->a_part = (int)(middle - low);
    segment->count = (int)(end - low);
    return segment->count > SEAM_THREADS * TILE_ITEMS ? SEAM_WIDE : SEAM_CLOSED;
}

/* Stores that the right tile begins a segment, as the levels must know. */
static inline void seam_close(const index_type seam, const index_type middle, __global head_range *ranges)
{
    ranges[seam].first = middle;
    if (ranges[seam].last < 0) ranges[seam].last = middle;
}

MCL_KERNEL(SEAM_THREADS) sort_seams(PARAMS_sort_seams)
{
    MCL_SHARED(seam_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const index_type seam = (index_type)get_group_id(0) + 1;
    seam_segment segment;
    const uint state = seam_look(seam, in.count, ARRAY(head_range, ranges), &segment);
    if (state != SEAM_CLOSED) segment.count = 0;
    mend_by_few(env, MAKE_arrays, segment.low, segment.a_part, segment.count, store);
    group_barrier_global(); /* all work-items have looked at the seam */
    if (get_local_id(0) > 0) return;
    ARRAY(uint, open)[seam] = state;
    if (state != SEAM_CLOSED) atomic_or_global(ARRAY(uint, counters) + COUNT_STATES, 1u << state);
    if (segment.count > 0) {
        seam_close(seam, segment.low + segment.a_part, ARRAY(head_range, ranges));
        if (counts) atomic_add_global(ARRAY(uint, counters) + COUNT_MENDED, 1);
    }
}

MCL_KERNEL(TILE_THREADS) sort_wide_seams(PARAMS_sort_wide_seams)
{
    MCL_SHARED(wide_seam_store, store);
    const env_type env = MAKE_env;
    GROUP_LEAVES_IF(!some_seam_is(SEAM_WIDE, ARRAY(uint, counters)));
    const input_in in = MAKE_in;
    const index_type seam = (index_type)get_group_id(0) + 1;
    seam_segment segment;
    if (seam_look(seam, in.count, ARRAY(head_range, ranges), &segment) != SEAM_WIDE) segment.count = 0;
    mend_by_all(env, MAKE_arrays, segment.low, segment.a_part, segment.count, store);
    group_barrier_global(); /* all work-items have looked at the seam */
    if (get_local_id(0) > 0 || segment.count == 0) return;
    ARRAY(uint, open)[seam] = SEAM_CLOSED;
    seam_close(seam, segment.low + segment.a_part, ARRAY(head_range, ranges));
    if (counts) atomic_add_global(ARRAY(uint, counters) + COUNT_MENDED, 1);
}
#endif

/* ---- levels ------------------------------------------------------------------------------------------------- */

/* Returns 1 where keys of the tile may have to move. Once short segments across seams are merged, keys move only if a
 * longer segment reaches across one of the tile's two seams. */
static inline int tile_is_open(const index_type tile, const index_type count, const int mended,
                             __global const uint *open)
{
    const index_type tiles = tile_number(count);
    if (tile >= tiles) return 0;
    return !mended || (tile > 0 && open[tile] != 0) || (tile + 1 < tiles && open[tile + 1] != 0);
}

/* The groups of these kernels hold their keys in registers. Without this bound ptxas spills some registers to fit more
 * groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#undef OPENCL_GROUPS
#define OPENCL_GROUPS KERNEL_GROUPS

MCL_KERNEL(TILE_THREADS) sort_level(PARAMS_sort_level)
{
    MCL_SHARED(sort_store, store);
    GROUP_LEAVES_IF(level_is_empty(mended, ARRAY(uint, counters)));
    const env_type env = MAKE_env;
    const merge_operands o = lists_merge(MAKE_arrays);
    const input_in in = MAKE_in;
    const int id = (int)get_local_id(0);
    const index_type tile = (index_type)get_group_id(0);
    const int takes = tile_is_open(tile, in.count, mended, ARRAY(uint, open));
    head_range both;
    run_pair pair = pair_of_tile(tile, level, in.count, ARRAY(head_range, ranges), &both);
    if (!takes) pair.high = pair.middle; /* no search */
#if SUB_GROUP_LANES
    for (int side = id / SUB_GROUP_LANES; side < 2; side += TILE_THREADS / SUB_GROUP_LANES) {
        const index_type cut = cut_at_wide(env, o.a, pair, tile_begin(tile + side, in.count));
        if (sub_group_lane() == 0) store->cut[side] = cut;
    }
#else
    for (int k = id; k < 2; k += TILE_THREADS)
        store->cut[k] = cut_at(env, o.a, pair, tile_begin(tile + k, in.count));
#endif
    if (id == 0) {
        store->ticket = ARRAY(uint, same)[tile];
        list_keep_range(tile, level, in.count, both, ARRAY(head_range, parents));
    }
    group_barrier();
    const list_tile t = run_tile_between(tile, in.count, pair, store->cut[0], store->cut[1]);
    const int task = takes ? list_task_of(t, store->ticket != 0) : TASK_NONE;
    if (id == 0 && task != TASK_NONE) {
        ARRAY(uint, same)[tile] = task == TASK_COPY;
        atomic_add_global(ARRAY(uint, counters) + COUNT_LEVELS + level * COUNTS_A_LEVEL +
                              (task == TASK_COPY ? COUNT_COPIES : COUNT_MERGES), 1);
    }
    list_task_do(env, o, t, task, store);
}

typedef struct {
    index_type cut[PLAN_THREADS];
} plan_store;

typedef struct {
    sort_store sort;
    list_tile tasks[WORK_TASKS];
} work_store;

/* Finds each tile's task and puts it into the queue. A work-item finds the cut at a tile's begin, and with its
 * neighbour's cut the tile's task. The last work-item of a group has no neighbour, so groups overlap by one. Merges
 * fill the queue from its front, copies from its end. */
MCL_KERNEL(PLAN_THREADS) sort_plan(PARAMS_sort_plan)
{
    MCL_SHARED(plan_store, store);
    GROUP_LEAVES_IF(level_is_empty(mended, ARRAY(uint, counters)));
    const env_type env = MAKE_env;
    const merge_operands o = lists_merge(MAKE_arrays);
    const input_in in = MAKE_in;
    __global uint *const counts = ARRAY(uint, counters) + COUNT_LEVELS + level * COUNTS_A_LEVEL;
    __global uint *const same = ARRAY(uint, same);
    const int id = (int)get_local_id(0);
    const index_type tile = (index_type)get_group_id(0) * (PLAN_THREADS - 1) + id;
    head_range both;
    const run_pair pair = pair_of_tile(tile, level, in.count, ARRAY(head_range, ranges), &both);
    const index_type cut = cut_at(env, o.a, pair, tile_begin(tile, in.count));
    int task = TASK_NONE;
    store->cut[id] = cut;
    group_barrier();
    const index_type next = id < PLAN_THREADS - 1 ? store->cut[id + 1] : cut;
    const list_tile t = run_tile_between(tile, in.count, pair, cut, next);
    if (id < PLAN_THREADS - 1) {
        if (tile_is_open(tile, in.count, mended, ARRAY(uint, open))) task = list_task_of(t, same[tile] != 0);
        list_keep_range(tile, level, in.count, both, ARRAY(head_range, parents));
    }
    const uint merge_index = queue_indices(counts + COUNT_MERGES, task == TASK_MERGE);
    const uint copy_index = queue_indices(counts + COUNT_COPIES, task == TASK_COPY);
    if (task == TASK_NONE) return;
    ARRAY(list_tile, queue)[task == TASK_MERGE ? (index_type)merge_index
                                               : queue_length - 1 - (index_type)copy_index] = t;
    same[tile] = task == TASK_COPY;
}

/* Does up to WORK_TASKS tasks in each group, first merges, then copies. A group's tasks lie as far apart as there are
 * groups, so that no group has a second task where tasks are few. */
MCL_KERNEL(TILE_THREADS) sort_work(PARAMS_sort_work)
{
    MCL_SHARED(work_store, store);
    const env_type env = MAKE_env;
    const merge_operands o = lists_merge(MAKE_arrays);
    __global const uint *const counts = ARRAY(uint, counters) + COUNT_LEVELS + level * COUNTS_A_LEVEL;
    __global const list_tile *const queue = ARRAY(list_tile, queue);
    const uint merges = counts[COUNT_MERGES], all = merges + counts[COUNT_COPIES];
    const uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    for (int k = (int)get_local_id(0); k < WORK_TASKS; k += TILE_THREADS) {
        const uint task = group + (uint)k * groups;
        const index_type copy = (index_type)(task - merges);
        if (task < all) store->tasks[k] = queue[task < merges ? (index_type)task : queue_length - 1 - copy];
    }
    ROLLED
    for (int k = 0; k < WORK_TASKS && group + (uint)k * groups < all; ++k) {
        group_barrier();
        merge_list_tile(env, o, store->tasks[k], &store->sort);
    }
}

/* ---- indices in segments ------------------------------------------------------------------------------------ */

#if INDICES_IN_SEGMENTS
#include "kernels/segmented_sort/segment_ranks.clh"

/* Makes indices in segments. A key stays in its segment, so the value at an index belongs to that index's segment. */
MCL_KERNEL(TILE_THREADS) sort_ranks(PARAMS_sort_ranks)
{
    MCL_SHARED(rank_store, store);
    const input_in in = MAKE_in;
    const index_type tile = (index_type)get_group_id(0);
    const index_type begin = tile_begin(tile, in.count);
    rank_tile(MAKE_heads, MAKE_arrays, begin, tile_count(begin, in.count),
              head_before(ARRAY(head_range, ranges), tile, queue_length), store);
}
#endif
