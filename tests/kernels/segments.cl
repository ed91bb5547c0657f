/* segments.cl: a stable segmented mergesort of the library's pieces. It sorts tiles; then at each level a plan puts
 * tasks into a queue, and a few groups do them. Needs: key_type; inputs in, in_values, heads (uint32_t), a, a_values;
 * outputs out, out_values, spare, spare_values; before; HAS_VALUES 1, SEGMENTED 1, STABLE; BASE_RUN, BASE_COLUMNS,
 * SHORT_SEGMENT. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define SEAM_THREADS TILE_THREADS
#include "kernels/segmented_sort/segmented_tile.clh"
#include "pieces/work_queue.clh"
#define PARAMS_arrays PARAMS_out, PARAMS_spare, PARAMS_out_values, PARAMS_spare_values

/* counts has the number of the level's tasks, and of the tickets taken. */
MCL_KERNEL(TILE_THREADS) sort_tiles(PARAMS_env PARAMS_in, PARAMS_in_values, PARAMS_heads, PARAMS_arrays,
                                    ARRAY_PARAM(head_range, ranges), ARRAY_PARAM(uint, same))
{
    MCL_SHARED(sort_store, store);
    const env_type env = MAKE_env;
    const index_type tile = (index_type)get_group_id(0);
    sort_input in;
    in.keys = MAKE_in;
    in.values = MAKE_in_values;
    const index_type begin = tile_begin(tile, in.keys.count);
    const head_range range = sort_list_tile(env, in, MAKE_heads, MAKE_arrays, begin,
                                            tile_count(begin, in.keys.count), store);
    if (get_local_id(0) == 0) {
        ARRAY(head_range, ranges)[tile] = range;
        ARRAY(uint, same)[tile] = 0;
    }
}

typedef struct {
    list_tile tile;
    int task;
} job;

/* Plans one tile by each work-item. All work-items of a group call queue_indices. */
MCL_KERNEL(TILE_THREADS) plan_level(PARAMS_env PARAMS_arrays, index_type count, ARRAY_PARAM(head_range, ranges),
                                    ARRAY_PARAM(head_range, parents), ARRAY_PARAM(uint, same), int32_t level,
                                    ARRAY_PARAM(job, queue), ARRAY_PARAM(uint, counts))
{
    const env_type env = MAKE_env;
    const merge_operands o = lists_merge(MAKE_arrays);
    const index_type tile = (index_type)get_global_id(0);
    job found;
    head_range both;
    const run_pair pair = pair_of_tile(tile, level, count, ARRAY(head_range, ranges), &both);
    found.task = TASK_NONE;
    if (tile < tile_number(count)) {
        const index_type begin = tile_begin(tile, count), end = tile_begin(tile + 1, count);
        const index_type next = end < pair.end ? cut_at(env, o.a, pair, end) : 0;
        found.tile = run_tile_between(tile, count, pair, cut_at(env, o.a, pair, begin), next);
        found.task = list_task_of(found.tile, ARRAY(uint, same)[tile] != 0);
        if (found.task != TASK_NONE) ARRAY(uint, same)[tile] = found.task == TASK_COPY;
    }
    list_keep_range(tile, level, count, both, ARRAY(head_range, parents));
    const uint place = queue_indices(ARRAY(uint, counts), found.task != TASK_NONE);
    if (found.task != TASK_NONE) ARRAY(job, queue)[place] = found;
}

MCL_KERNEL(TILE_THREADS) work_level(PARAMS_env PARAMS_arrays, ARRAY_PARAM(job, queue), ARRAY_PARAM(uint, counts))
{
    MCL_SHARED(sort_store, store);
    const env_type env = MAKE_env;
    const merge_operands o = lists_merge(MAKE_arrays);
    const uint jobs = ARRAY(uint, counts)[0];
    __global const job *const queue = ARRAY(job, queue);
    queue_next(ARRAY(uint, counts) + 1, &store->ticket);
    while (store->ticket < jobs) {
        list_task_do(env, o, queue[store->ticket].tile, queue[store->ticket].task, store);
        queue_next(ARRAY(uint, counts) + 1, &store->ticket);
    }
}
