/* find.cl: the first element that passes a test. Passes:
 *   find_begin    one work-item: nothing is found yet
 *   find_blocks   each group looks through blocks of the input until one of its own, or an earlier one, has an element
 *   find_result   one group finds the element in the first block that has one
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in; predicate test; result result.
 *
 * A block is a whole number of tiles, so that block numbers fit a word whatever the count is.
 *
 * Bounds, whatever the test says: a block's elements follow from its number and in.count. The word holds a number below
 * blocks, or NOT_FOUND. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define NOT_FOUND 0xffffffffu

typedef struct {
    uint marks[(TILE_THREADS + 31) / 32]; /* a bit for each work-item that has an element */
} find_store;

/* The end of the block from begin on, which begins below in.count. */
static inline index_type block_end(const input_in in, const index_type begin, const index_type block)
{
    return in.count - begin < block ? in.count : begin + block;
}

/* 1: the work-item has an element that passes in the tile from begin on. It looks at all of its elements, so that loads
 * need not wait for tests. */
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

MCL_FEW_GROUPS_KERNEL(TILE_THREADS) find_begin(PARAMS_find_begin)
{
    if (get_local_id(0) == 0) ARRAY(uint, found)[0] = NOT_FOUND;
}

/* Without a barrier: a work-item goes on by itself. */
MCL_KERNEL(TILE_THREADS) find_blocks(PARAMS_find_blocks)
{
    const env_type env = MAKE_env;
    __global uint *const found = ARRAY(uint, found);
    operands_type o;
    TAKE_find_blocks(o);
    for (int64_t number = (int64_t)get_group_id(0); number < o.blocks; number += (int64_t)get_num_groups(0)) {
        const index_type begin = (index_type)number * o.block;
        if (begin >= o.in.count || (int64_t)slot_load_32(found) <= number) break;
        const index_type end = block_end(o.in, begin, o.block);
        int has = 0;
        for (index_type tile = begin; tile < end && !has; tile += TILE_SIZE) has = tile_has(env, o.in, tile, end);
        if (has) counter_lower(found, (uint)number);
    }
}

/* The first element of [begin, end) that passes, or end. */
static inline index_type first_of(const env_type env, const input_in in, const index_type begin, const index_type end)
{
    index_type k = begin;
    while (k < end && !test(env, load_in(in, k), k)) ++k;
    return k;
}

/* 1: no work-item before this one has a mark. */
static inline int is_first_mark(__local const find_store *store, const int id)
{
    uint earlier = store->marks[id / 32] & ((1u << (id % 32)) - 1u);
    for (int k = 0; k < id / 32; ++k) earlier |= store->marks[k];
    return earlier == 0;
}

/* Each work-item looks through neighbours, so that the first work-item with an element has the first element. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) find_result(PARAMS_find_result)
{
    MCL_SHARED(find_store, store);
    const env_type env = MAKE_env;
    const int id = (int)get_local_id(0);
    operands_type o;
    TAKE_find_result(o);
    const uint number = ARRAY(uint, found)[0];
    const index_type begin = number != NOT_FOUND ? (index_type)number * o.block : o.in.count;
    const index_type end = begin < o.in.count ? block_end(o.in, begin, o.block) : begin;
    const index_type share = o.block / TILE_THREADS;
    const index_type own_begin = end - begin > id * share ? begin + id * share : end;
    const index_type own_end = end - own_begin > share ? own_begin + share : end;
    const index_type k = first_of(env, o.in, own_begin, own_end);
    if (id < (TILE_THREADS + 31) / 32) store->marks[id] = 0;
    group_barrier();
    if (k < own_end) local_or(&store->marks[id / 32], 1u << (id % 32));
    group_barrier();
    if (k < own_end && is_first_mark(store, id)) store_result(o.result, 0, (int64_t)k);
    if (id == 0 && number == NOT_FOUND) store_result(o.result, 0, (int64_t)o.in.count);
}
