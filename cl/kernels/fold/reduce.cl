/* reduce.cl: folds a sequence to one value. Passes:
 *   reduce_parts, reduce_finish
 *   reduce_once                   REDUCE_ONCE: does the work of both, where groups can hand words to each other
 *   reduce_single                 does the work of both for a short sequence
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in; fold; output result; HAS_INITIAL: the fold begins with initial.
 *
 * Each group's part is one range, and the order is kept. The groups share rows of TILE_THREADS elements where the
 * operator commutes, else whole tiles, by quotient and remainder: earlier groups take one row or tile more. With rows
 * the shares differ less. In a launch with few tiles for each group, one tile more would take noticeable time.
 *
 * Bounds, whatever the elements are and whatever fold returns: no index and no loop depends on them. A part's
 * elements follow from its number and in.count (part_range.clh), which is from 0 to the host's count. A part without a
 * tile may begin after its end: it loads and stores nothing. Groups store to part numbers below parts, which partials
 * and slots have room for. The last group reads the folds of parts below valid, which is at most parts. A wait for a
 * part's words ends after WAIT_POLLS polls. The one result goes to result[0]. */
#if fold_COMMUTATIVE && TILE_THREADS > 1
#define TILE_SIZE ((index_type)TILE_THREADS)
#else
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#endif
#include "pieces/fold/fold_both.clh"
#include "pieces/fold/fold_words.clh"
#include "pieces/scan/initial.clh"
#include "pieces/tile/part_range.clh"
#if TILE_THREADS == 1
#include "pieces/fold/fold_serial.clh"
typedef struct {
    int is_last;
} reduce_store;
#else
#include "pieces/fold/reduce_group.clh"
#include "pieces/fold/fold_loaded.clh"
#include "pieces/fold/fold_serial.clh"
typedef struct {
#if !fold_COMMUTATIVE
    in_type tile[TILE_THREADS * TILE_ITEMS];
#endif
    fold_type sums[REDUCE_GROUP_SHARED];
    fold_type part;
#if fold_ROUNDS && !fold_COMMUTATIVE
    fold_type batch;
#endif
    int is_last;
} reduce_store;
#endif

#if TILE_THREADS == 1 && fold_ROUNDS
#define FOLD_PARTS_BY_TREE 1 /* one work-item folds all parts */
#else
#define FOLD_PARTS_BY_TREE 0
#endif

/* Returns the fold of elements [begin, end) in work-item 0. Without elements the result is unspecified. */
#if TILE_THREADS == 1
static inline fold_type reduce_range(const env_type env, const input_in in, const index_type begin,
                                     const index_type end, __local reduce_store *store)
{
    fold_type sum = fold_nothing();
    (void)store;
    if (begin < end) sum = fold_range(env, in, begin, end);
    return sum;
}
#elif fold_COMMUTATIVE && fold_ROUNDS
/* Returns the fold of a work-item's elements of TILE_ITEMS rows from element k on, where k is below end. whole: 1 where
 * all of them are below end. */
static INLINED fold_type fold_rows(const env_type env, const input_in in, const index_type k, const index_type end,
                                   const int whole)
{
    const input_in in_item = shift_in(in, k);
    in_type x[TILE_ITEMS];
    fold_type v[TILE_ITEMS];
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (whole || k + j * TILE_THREADS < end) x[j] = load_in(in_item, j * TILE_THREADS);
    v[0] = fold_extract(env, x[0], k);
    UNROLL
    for (int j = 1; j < TILE_ITEMS; ++j) {
        if (whole || k + j * TILE_THREADS < end) v[j] = fold_extract(env, x[j], k + j * TILE_THREADS);
        if (!whole && k + j * TILE_THREADS < end) v[0] = fold(env, v[0], v[j]);
    }
    return whole ? fold_loaded(env, v, TILE_ITEMS) : v[0];
}

/* Folds a range. Each work-item folds every TILE_THREADS-th element. Then the group folds the work-items' sums. */
static inline fold_type reduce_range(const env_type env, const input_in in, const index_type begin,
                                     const index_type end, __local reduce_store *store)
{
    index_type k = begin + (index_type)get_local_id(0);
    fold_batches batches;
    fold_batches_begin(&batches);
    for (; end - k > (TILE_ITEMS - 1) * TILE_THREADS; k += TILE_ITEMS * TILE_THREADS)
        fold_batches_add(env, &batches, fold_rows(env, in, k, end, 1));
    if (k < end) fold_batches_add(env, &batches, fold_rows(env, in, k, end, 0));
    const fold_type sum = fold_batches_end(env, &batches);
    return reduce_group(env, sum, (int)(end - begin < TILE_THREADS ? end - begin : TILE_THREADS), store->sums);
}
#elif fold_COMMUTATIVE
/* Folds a work-item's elements of TILE_ITEMS rows from element k on into *sum. It loads them all at once; k is below
 * end. whole: 1 where all of them are below end; is_first: 1 where *sum has no element yet. */
static INLINED void fold_rows(const env_type env, const input_in in, const index_type k, const index_type end,
                              const int whole, const int is_first, fold_type *sum)
{
    const input_in in_item = shift_in(in, k);
    in_type x[TILE_ITEMS];
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (whole || k + j * TILE_THREADS < end) x[j] = load_in(in_item, j * TILE_THREADS);
    const fold_type first = fold_extract(env, x[0], k);
    *sum = is_first ? first : fold(env, *sum, first);
    UNROLL
    for (int j = 1; j < TILE_ITEMS; ++j)
        if (whole || k + j * TILE_THREADS < end)
            *sum = fold(env, *sum, fold_extract(env, x[j], k + j * TILE_THREADS));
}

/* Folds a range. Each work-item folds every TILE_THREADS-th element. Then the group folds the work-items' sums. */
static inline fold_type reduce_range(const env_type env, const input_in in, const index_type begin,
                                     const index_type end, __local reduce_store *store)
{
    index_type k = begin + (index_type)get_local_id(0);
    fold_type sum = fold_nothing();
    for (; end - k > (TILE_ITEMS - 1) * TILE_THREADS; k += TILE_ITEMS * TILE_THREADS)
        fold_rows(env, in, k, end, 1, k - begin < TILE_THREADS, &sum);
    if (k < end) fold_rows(env, in, k, end, 0, k - begin < TILE_THREADS, &sum);
    return reduce_group(env, sum, (int)(end - begin < TILE_THREADS ? end - begin : TILE_THREADS), store->sums);
}
#else
/* Folds tile by tile. Each work-item folds TILE_ITEMS neighbours, which come through work-group memory, and the group
 * folds the work-items' sums in order. Where sums are rounded, the sums of tiles are folded in batches. */
static inline fold_type reduce_range(const env_type env, const input_in in, const index_type begin,
                                     const index_type end, __local reduce_store *store)
{
    const int id = (int)get_local_id(0);
    const int first = id * TILE_ITEMS;
    for (index_type tile = begin; tile < end; tile += TILE_SIZE) {
        const int count = (int)(end - tile < TILE_SIZE ? end - tile : TILE_SIZE);
        for (int k = id; k < count; k += TILE_THREADS) store->tile[k] = load_in(in, tile + k);
        group_barrier();
        fold_type sum = fold_nothing();
        if (first < count) sum = fold_extract(env, store->tile[first], tile + first);
        UNROLL
        for (int j = 1; j < TILE_ITEMS; ++j)
            if (first + j < count) sum = fold(env, sum, fold_extract(env, store->tile[first + j], tile + first + j));
        sum = reduce_group(env, sum, (count + TILE_ITEMS - 1) / TILE_ITEMS, store->sums);
#if fold_ROUNDS
        const index_type number = (tile - begin) / TILE_SIZE;
        const int begins = number % FOLD_BATCHES == 0;
        const int ends = (number + 1) % FOLD_BATCHES == 0 || end - tile <= TILE_SIZE;
        if (id == 0) store->batch = begins ? sum : fold(env, store->batch, sum);
        if (id == 0 && ends)
            store->part = number < FOLD_BATCHES ? store->batch : fold(env, store->part, store->batch);
#else
        if (id == 0) store->part = tile == begin ? sum : fold(env, store->part, sum);
#endif
        group_barrier();
    }
    return store->part;
}
#endif

/* ---- folds of parts ---------------------------------------------------------------------------------------------- */

/* The fold so far of a work-item of the last group. With small tiles the work-item folds up to thousands of parts. So
 * sums that are rounded are added in batches or as a tree. */
typedef struct {
#if FOLD_PARTS_BY_TREE
    fold_tree tree;
#elif fold_ROUNDS
    fold_batches batches;
#endif
    fold_type sum;
} parts_fold;

/* Adds the fold of a part to parts. number: the number of parts that were added before. */
static INLINED void parts_fold_add(const env_type env, parts_fold *parts, const int number, const fold_type part)
{
#if FOLD_PARTS_BY_TREE
    parts->sum = tree_append(env, &parts->tree, number, part, 0, parts->sum);
#elif fold_ROUNDS
    if (number == 0) fold_batches_begin(&parts->batches);
    fold_batches_add(env, &parts->batches, part);
#else
    parts->sum = fold_after_any(env, number > 0, parts->sum, part);
#endif
}

/* Returns the fold of the count parts that were added. Without parts the result is unspecified. */
static INLINED fold_type parts_fold_end(const env_type env, parts_fold *parts, const int count)
{
#if fold_ROUNDS && !FOLD_PARTS_BY_TREE
    if (count > 0) parts->sum = fold_batches_end(env, &parts->batches);
#else
    (void)env;
#endif
    return count > 0 ? parts->sum : fold_nothing();
}

/* Stores the result. has_sum is 0 where there are no elements. Then the result is the initial value, else the identity;
 * without both nothing is stored. */
static inline void reduce_put(const env_type env, const output_result result, const int has_sum,
                              const fold_type sum INITIAL_PARAM)
{
#if HAS_INITIAL
    store_result(result, 0, fold_to_result(has_sum ? fold(env, initial, sum) : initial));
#elif fold_HAS_IDENTITY
    store_result(result, 0, fold_to_result(has_sum ? sum : fold_identity(env)));
#else
    if (has_sum) store_result(result, 0, fold_to_result(sum));
#endif
}

#if REDUCE_ONCE
#include "pieces/words/status_words.clh"

/* Waits for a part's fold, returns it and clears its words. After WAIT_POLLS polls it folds the part's elements
 * instead. */
static inline fold_type take_part(const env_type env, const input_in in, __global ulong *state, const index_type parts,
                                  const index_type part)
{
    fold_type value = fold_nothing();
    if (state_await(state, part, &value) == STATE_EMPTY) {
        index_type begin, end;
        part_range(in.count, parts, part, &begin, &end);
        value = fold_range(env, in, begin, end);
    }
    state_clear(state, part);
    return value;
}

/* Folds the group's part and publishes the fold. Under the serial mapping a group takes part after part, as long as
 * parts are left. So a core that is late leaves its parts to other cores. */
static inline void send_parts(const env_type env, const input_in in, __global ulong *slots, const index_type parts,
                              __local reduce_store *store)
{
    index_type begin, end;
#if TILE_THREADS == 1
    __global uint *const taken = (__global uint *)slots + 1;
    index_type part = (index_type)atomic_increment_global(taken);
    for (; part < parts; part = (index_type)atomic_increment_global(taken)) {
        part_range(in.count, parts, part, &begin, &end);
        if (begin < end) state_publish(slots + 1, part, STATE_PREFIX, reduce_range(env, in, begin, end, store));
    }
#else
    const index_type part = (index_type)get_group_id(0);
    part_range(in.count, parts, part, &begin, &end);
    const fold_type own = reduce_range(env, in, begin, end, store);
    if (get_local_id(0) == 0 && begin < end) state_publish(slots + 1, part, STATE_PREFIX, own);
#endif
}

/* The only pass of REDUCE_ONCE: groups fold parts and publish the folds, and the group that is done last folds these.
 * slots[0] counts the groups that are done and the parts that are taken; the parts' words follow it. All slots are zero
 * before the launch and after it. */
MCL_KERNEL(TILE_THREADS) reduce_once(PARAMS_reduce_once)
{
    MCL_SHARED(reduce_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const output_result result = MAKE_result;
    __global ulong *const slots = ARRAY(ulong, slots);
    const int id = (int)get_local_id(0);
    send_parts(env, in, slots, parts, store);
    if (id == 0) store->is_last = atomic_increment_global((__global uint *)slots) == (uint)get_num_groups(0) - 1;
    group_barrier();
    const int is_last = store->is_last;
    const int valid = is_last ? (int)part_count(in.count, parts) : 0;
    const int share = valid > TILE_THREADS ? (valid + TILE_THREADS - 1) / TILE_THREADS : 1;
    const int first = id * share;
    const int last = first + share < valid ? first + share : valid;
    parts_fold own;
    for (int k = first; k < last; ++k) parts_fold_add(env, &own, k - first, take_part(env, in, slots + 1, parts, k));
    fold_type sum = parts_fold_end(env, &own, last - first);
#if TILE_THREADS > 1
    sum = reduce_group(env, sum, (valid + share - 1) / share, store->sums);
#endif
    if (id == 0 && is_last) reduce_put(env, result, valid > 0, sum INITIAL);
    if (id == 0 && is_last) atomic_publish_global_64(slots, 0);
}
#endif

/* Pass 1: each group folds its part to partials[group]. */
MCL_KERNEL(TILE_THREADS) reduce_parts(PARAMS_reduce_parts)
{
    MCL_SHARED(reduce_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    __global fold_type *const partials = ARRAY(fold_type, partials);
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(in.count, (index_type)get_num_groups(0), part, &begin, &end);
    const fold_type sum = reduce_range(env, in, begin, end, store);
    if (get_local_id(0) == 0 && begin < end) partials[part] = sum;
}

/* Pass 2: one group folds the partials. Each work-item folds neighbouring partials, so that the order is kept. */
MCL_KERNEL(TILE_THREADS) reduce_finish(PARAMS_reduce_finish)
{
    MCL_SHARED(reduce_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const output_result result = MAKE_result;
    __global const fold_type *const partials = ARRAY(fold_type, partials);
    const int id = (int)get_local_id(0);
    const int valid = (int)part_count(in.count, parts);
    const int share = valid > TILE_THREADS ? (valid + TILE_THREADS - 1) / TILE_THREADS : 1;
    const int begin = id * share;
    const int end = begin + share < valid ? begin + share : valid;
    parts_fold own;
    for (int k = begin; k < end; ++k) parts_fold_add(env, &own, k - begin, partials[k]);
    fold_type sum = parts_fold_end(env, &own, end - begin);
#if TILE_THREADS > 1
    sum = reduce_group(env, sum, (valid + share - 1) / share, store->sums);
#endif
    if (id == 0) reduce_put(env, result, valid > 0, sum INITIAL);
}

/* The only pass where one group is enough. */
MCL_KERNEL(TILE_THREADS) reduce_single(PARAMS_reduce_single)
{
    MCL_SHARED(reduce_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const output_result result = MAKE_result;
    const fold_type sum = reduce_range(env, in, 0, in.count, store);
    if (get_local_id(0) == 0) reduce_put(env, result, in.count > 0, sum INITIAL);
}
