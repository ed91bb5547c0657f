/* find.cl: finds the first element that passes a test. Passes:
 *   find_once     (FIND_ONCE) where the call can use the queue's words: each group tests blocks of the input until it
 *                 finds a passing element, or a group has found one in an earlier block. The group that is done last
 *                 finds the first passing element in the first such block; or
 *   find_begin    one work-item stores that nothing is found yet
 *   find_blocks   each group tests blocks
 *   find_result   one group finds the element
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in; predicate test; result result.
 *
 * A block is a whole number of tiles, so that block numbers fit 31 bits whatever the count is.
 *
 * Bounds, whatever the test says: a block's elements follow from its number and in.count. The word holds 0 or the word
 * of a number below blocks. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define NOT_FOUND 0u

typedef struct {
    uint marks[(TILE_THREADS + 31) / 32]; /* a bit for each work-item that has found an element */
    uint raised;                          /* is always 0; find_once says why */
    int is_last;
} find_store;

/* BLOCK_WORD gives the word of a block's number, BLOCK_NUMBER the number of a word. An earlier block has a higher word.
 * A word is not NOT_FOUND, and its highest bit is 0. */
#define BLOCK_WORD(number) (0x7fffffffu - (uint)(number))
#define BLOCK_NUMBER(word) ((int64_t)(0x7fffffffu - (word)))

/* Returns the end of the block that starts at begin, which is below in.count. */
static inline index_type block_end(const input_in in, const index_type begin, const index_type block)
{
    return in.count - begin < block ? in.count : begin + block;
}

/* Returns 1 where one of the work-item's elements of the tile from begin on passes. It tests all these elements, so
 * that loads need not wait for tests. */
static inline int tile_has(const env_type env, const input_in in, const index_type begin, const index_type end)
{
    const index_type count = end - begin < TILE_SIZE ? end - begin : TILE_SIZE;
    const index_type first = begin + (index_type)get_local_id(0);
    int has = 0;
    if (TILE_THREADS > 1 && count == TILE_SIZE) {
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) {
            const index_type k = first + j * TILE_THREADS;
            has |= test(env, load_in(in, k), k);
        }
    } else {
        for (index_type k = first; k < begin + count; k += TILE_THREADS) has |= test(env, load_in(in, k), k);
    }
    return has;
}

/* Raises *found to the word of the group's first block that has a passing element. There is no barrier: each work-item
 * goes on without the others. It loads *found together with a block's elements, so that no load waits for *found. So a
 * group may test one more block after another group has found an element. Returns the old word of *found, or 0 where
 * this work-item has found nothing. */
static inline uint look_through(const env_type env, const input_in in, const index_type block, const int64_t blocks,
                                __global uint *found)
{
    uint word = NOT_FOUND;
    for (int64_t number = (int64_t)get_group_id(0); number < blocks; number += (int64_t)get_num_groups(0)) {
        const index_type begin = (index_type)number * block;
        if (begin >= in.count || word >= BLOCK_WORD(number)) break;
        const index_type end = block_end(in, begin, block);
        int has = 0;
        word = atomic_load_global(found);
        for (index_type tile = begin; tile < end && !has; tile += TILE_SIZE) has = tile_has(env, in, tile, end);
        if (has) return atomic_max_global(found, BLOCK_WORD(number));
    }
    return 0;
}

/* Returns the first element of [begin, end) that passes, or end. */
static inline index_type first_of(const env_type env, const input_in in, const index_type begin, const index_type end)
{
    index_type k = begin;
    while (k < end && !test(env, load_in(in, k), k)) ++k;
    return k;
}

/* Returns 1 where no work-item before this one has a mark. */
static inline int is_first_mark(__local const find_store *store, const int id)
{
    uint earlier = store->marks[id / 32] & ((1u << (id % 32)) - 1u);
    for (int k = 0; k < id / 32; ++k) earlier |= store->marks[k];
    return earlier == 0;
}

/* Stores the index of the first passing element in the block of word, by the whole group. Where word names no block it
 * stores in.count. It stores nothing where puts is 0. Each work-item tests neighbours, so the first work-item that
 * finds an element has the first one. */
static inline void put_first(const env_type env, const input_in in, const index_type block, const uint word,
                             const int puts, const output_result result, __local find_store *store)
{
    const int id = (int)get_local_id(0);
    const index_type begin = puts && word != NOT_FOUND ? (index_type)BLOCK_NUMBER(word) * block : in.count;
    const index_type end = begin < in.count ? block_end(in, begin, block) : begin;
    const index_type share = block / TILE_THREADS;
    const index_type own_begin = end - begin > id * share ? begin + id * share : end;
    const index_type own_end = end - own_begin > share ? own_begin + share : end;
    const index_type k = first_of(env, in, own_begin, own_end);
    if (id < (TILE_THREADS + 31) / 32) store->marks[id] = 0;
    group_barrier();
    if (k < own_end) atomic_or_local(&store->marks[id / 32], 1u << (id % 32));
    group_barrier();
    if (k < own_end && is_first_mark(store, id)) store_result(result, 0, (int64_t)k);
    if (id == 0 && puts && word == NOT_FOUND) store_result(result, 0, (int64_t)in.count);
}

#if FIND_ONCE
/* Finds the first passing element in one launch. found[0] is the highest word; found[1] counts the groups that are
 * done. Both are 0 before the launch and after it. A group counts itself after its words are stored, since the number
 * that it adds depends on the words that they replaced. So the last group sees all words, and no group stores a word
 * after the last group has cleared them. */
MCL_KERNEL(TILE_THREADS) find_once(PARAMS_find_once)
{
    MCL_SHARED(find_store, store);
    const env_type env = MAKE_env;
    __global uint *const found = ARRAY(uint, found);
    const int id = (int)get_local_id(0);
    operands_type o;
    TAKE_find_once(o);
    if (id == 0) store->raised = 0;
    group_barrier();
    const uint held = look_through(env, o.in, o.block, o.blocks, found);
    if (held >> 31) atomic_or_local(&store->raised, 1);
    group_barrier();
    if (id == 0) store->is_last = atomic_add_global(found + 1, 1 + store->raised) == (uint)get_num_groups(0) - 1;
    group_barrier();
    const int is_last = store->is_last;
    GROUP_IF(is_last) put_first(env, o.in, o.block, atomic_load_global(found), is_last, o.result, store);
    if (id == 0 && is_last) atomic_store_global(found, 0);
    if (id == 0 && is_last) atomic_store_global(found + 1, 0);
}
#endif

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) find_begin(PARAMS_find_begin)
{
    if (get_local_id(0) == 0) ARRAY(uint, found)[0] = NOT_FOUND;
}

MCL_KERNEL(TILE_THREADS) find_blocks(PARAMS_find_blocks)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_find_blocks(o);
    (void)look_through(env, o.in, o.block, o.blocks, ARRAY(uint, found));
}

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) find_result(PARAMS_find_result)
{
    MCL_SHARED(find_store, store);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_find_result(o);
    put_first(env, o.in, o.block, ARRAY(uint, found)[0], 1, o.result, store);
}
