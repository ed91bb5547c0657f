/* scan.cl: folds every prefix of a sequence. Single pass (SCAN_LOOK_BACK): look_back_clear, scan_tiles; for few tiles
 * scan_few_tiles alone. Two passes: scan_parts, scan_spine, scan_down. Needs: index_type TILE_THREADS TILE_ITEMS
 * RESIDENT; input in; fold; outputs out, total; SCAN_INCLUSIVE; SCAN_SEPARATE: elements and results differ in size;
 * HAS_INITIAL: a value comes in front.
 *
 * flags of a launch: those of facts/scan.h.
 *
 * Bounds, whatever the elements are and whatever fold gives: no index and no loop's length is made of either. A tile's
 * or part's elements follow from its number and in.count (part_range.clh), which is from 0 to the host's count. Results
 * are stored to their elements' indices, and out has room for one more with TOTAL_AT_END. Tickets in the group mapping
 * are below the number of groups, which is the number of states, and one past the last tile has a count of 0; in the
 * serial mapping one past the last tile ends the loop. A part's number is below the length of partials, and carry's two
 * slots are turn and !turn, of 0 and 1. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
/* Left alone, ptxas spills some registers of wide accumulators for the sake of more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

#if HAS_INITIAL
#define INITIAL_PARAM , fold_type initial
#define INITIAL , initial
#else
#define INITIAL_PARAM
#define INITIAL
#endif

#include "facts/scan.h"
#include "pieces/fold_words.clh"
#include "pieces/part_range.clh"
#include "pieces/fold_serial.clh"
#if TILE_THREADS == 1
#include "pieces/scan_serial.clh"
typedef struct {
    index_type number;
} scan_store;
#else
#include "pieces/reduce_group.clh"
#include "pieces/scan_group.clh"
#if SCAN_SEPARATE
typedef struct {
#else /* elements of one size: each result takes the place of its own element */
typedef union {
#endif
    in_type in[TILE_THREADS * TILE_ITEMS];
    out_type out[TILE_THREADS * TILE_ITEMS];
} scan_tile;
typedef struct {
    scan_tile tile;
    fold_type sums[SCAN_GROUP_SHARED];
    fold_type prefix;
    index_type number; /* of the tile, for the whole group */
} scan_store;
#endif

/* What stands behind the last element: there is no element for a combine, so it sees one of zero bytes. */
static inline out_type end_result(const env_type env, const fold_type v)
{
#if fold_USES_ELEMENT
    union {
        in_type element;
        uint8_t bytes[sizeof(in_type)];
    } zero;
    for (int k = 0; k < (int)sizeof(in_type); ++k) zero.bytes[k] = 0;
    return fold_result(env, zero.element, v);
#else
    (void)env;
    return fold_to_out(v);
#endif
}

/* The fold of everything; has_sum is 0 where there is nothing. */
static inline void put_total(const env_type env, const output_out out, const output_total total, const index_type count,
                             const int flags, const int has_sum, const fold_type sum)
{
    fold_type v = sum;
#if fold_HAS_IDENTITY
    if (!has_sum) v = fold_identity(env);
#else
    if (!has_sum) return;
#endif
    if (flags & TOTAL_TO_SLOT) store_total(total, 0, fold_to_total(v));
    if (flags & TOTAL_AT_END) store_out(out, count, end_result(env, v));
}

/* The total of no elements. */
static inline void put_total_of_nothing(const env_type env, const output_out out, const output_total total,
                                        const int flags INITIAL_PARAM)
{
#if HAS_INITIAL
    put_total(env, out, total, 0, flags, 1, initial);
#else
    put_total(env, out, total, 0, flags, 0, fold_nothing());
#endif
}

#if TILE_THREADS > 1
/* A tile goes through work-group memory: it is read and written there in strides, so that neighbouring work-items
 * touch neighbouring elements of the buffers, and folded there by neighbours. A work-item keeps none of its
 * TILE_ITEMS elements in registers while the group waits for its prefix: that leaves room for more groups, which hide
 * the waiting. */
static inline void load_tile(const input_in in, const index_type begin, const int count, __local scan_store *store)
{
    const int item = (int)get_local_id(0);
    if (count == TILE_SIZE) { /* all loads are under way before the first is used */
        const input_in in_item = shift_in(in, begin + item);
        in_type strided[TILE_ITEMS];
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) strided[j] = load_in(in_item, j * TILE_THREADS);
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) store->tile.in[item + j * TILE_THREADS] = strided[j];
    } else {
        for (int k = item; k < count; k += TILE_THREADS) store->tile.in[k] = load_in(in, begin + k);
    }
    group_barrier();
}

/* The fold of a work-item's elements, of the tile's first count. */
static inline fold_type fold_items(const env_type env, const index_type begin, const int count,
                                   __local const scan_store *store)
{
    const int first = (int)get_local_id(0) * TILE_ITEMS;
    __local const in_type *const x = store->tile.in + first;
    fold_type sum = fold_nothing();
    if (first + TILE_ITEMS <= count) {
        sum = fold_extract(env, x[0], begin + first);
        UNROLL
        for (int j = 1; j < TILE_ITEMS; ++j) sum = fold(env, sum, fold_extract(env, x[j], begin + first + j));
    } else if (first < count) {
        sum = fold_extract(env, x[0], begin + first);
        for (int j = 1; j < count - first; ++j) sum = fold(env, sum, fold_extract(env, x[j], begin + first + j));
    }
    return sum;
}

/* Replaces one element by its result; sum is the fold of all before it, where has_sum, and becomes that of all up to
 * it. */
static inline fold_type scan_item(const env_type env, const index_type begin, const int place,
                                  __local scan_store *store, const int has_sum, const fold_type sum)
{
    const in_type x = store->tile.in[place];
    const fold_type v = fold_extract(env, x, begin + place);
    fold_type next = v;
    if (has_sum) next = fold(env, sum, v);
#if SCAN_INCLUSIVE
    store->tile.out[place] = fold_result(env, x, next);
#elif fold_HAS_IDENTITY
    store->tile.out[place] = fold_result(env, x, has_sum ? sum : fold_identity(env));
#else
    if (has_sum) store->tile.out[place] = fold_result(env, x, sum);
#endif
    return next;
}

/* Scans and stores the tile; before is the fold of everything before the work-item's elements, where has_before. */
static inline void store_tile(const env_type env, const output_out out, const index_type begin, const int count,
                              __local scan_store *store, const int has_before, const fold_type before)
{
    const int item = (int)get_local_id(0);
    const int first = item * TILE_ITEMS;
    if (first < count) {
        fold_type sum = scan_item(env, begin, first, store, has_before, before);
        if (first + TILE_ITEMS <= count) {
            UNROLL
            for (int j = 1; j < TILE_ITEMS; ++j) sum = scan_item(env, begin, first + j, store, 1, sum);
        } else {
            for (int j = 1; j < count - first; ++j) sum = scan_item(env, begin, first + j, store, 1, sum);
        }
    }
    group_barrier();
    if (count == TILE_SIZE) {
        const output_out out_item = shift_out(out, begin + item);
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j)
            store_out(out_item, j * TILE_THREADS, store->tile.out[item + j * TILE_THREADS]);
    } else {
        for (int k = item; k < count; k += TILE_THREADS) store_out(out, begin + k, store->tile.out[k]);
    }
}
#endif

#if SCAN_LOOK_BACK
#include "pieces/look_back.clh"
#include "pieces/look_back_states.clh"

typedef struct {
    input_in in;
    output_out out;
    output_total total;
    int flags;
    __global ulong *state;
} scan_operands;

#if TILE_THREADS == 1
static inline void scan_tile_items(const env_type env, const scan_operands o, const index_type tile, const int count,
                                   __local scan_store *store INITIAL_PARAM)
{
    const index_type begin = tile * TILE_SIZE;
    fold_type prefix = fold_nothing();
    (void)store;
#if HAS_INITIAL
    prefix = initial;
#endif
    if (count == 0) return;
    fold_type sums[4];
    const fold_type own = fold_with_streams(env, o.in, begin, begin + count, sums);
    if (tile > 0) {
        state_publish(o.state, tile, STATE_AGGREGATE, own);
        prefix = look_back(env, o.in, o.state, tile INITIAL);
    }
    const fold_type sum = scan_range(env, o.in, o.out, begin, begin + count, HAS_INITIAL || tile > 0, prefix, sums);
    state_publish(o.state, tile, STATE_PREFIX, sum);
    if (begin + count == o.in.count) put_total(env, o.out, o.total, o.in.count, o.flags, 1, sum);
}
#else
static inline void scan_tile_items(const env_type env, const scan_operands o, const index_type tile, const int count,
                                   __local scan_store *store INITIAL_PARAM)
{
    const int item = (int)get_local_id(0);
    const index_type begin = tile * TILE_SIZE;
    const int has_prefix = HAS_INITIAL || tile > 0;
    fold_type prefix = fold_nothing(), sum;
#if HAS_INITIAL
    prefix = initial;
#endif
    load_tile(o.in, begin, count, store);
    const fold_type own = fold_items(env, begin, count, store);
    fold_type before = scan_group(env, own, (count + TILE_ITEMS - 1) / TILE_ITEMS, &sum, store->sums);
    if (item < LOOK_BACK_ITEMS && count > 0) {
        if (tile > 0) {
            if (item == 0) state_publish(o.state, tile, STATE_AGGREGATE, sum);
            prefix = look_back(env, o.in, o.state, tile INITIAL);
        }
        if (item == 0) {
            if (has_prefix) sum = fold(env, prefix, sum);
            state_publish(o.state, tile, STATE_PREFIX, sum);
            store->prefix = prefix;
        }
    }
    group_barrier();
    if (has_prefix) {
        const fold_type shared_prefix = store->prefix;
        before = item > 0 && item * TILE_ITEMS < count ? fold(env, shared_prefix, before) : shared_prefix;
    }
    store_tile(env, o.out, begin, count, store, has_prefix || item > 0, before);
    /* behind the tile's own stores: NVIDIA's OpenCL (driver 580) loses a store to out that stands before them */
    if (item == 0 && count > 0 && begin + count == o.in.count)
        put_total(env, o.out, o.total, o.in.count, o.flags, 1, sum);
}
#endif

/* A group takes the next tile and scans it; under the serial mapping tile after tile as long as there are any, so that
 * a core that is late or has other things to do leaves them to the others. */
static inline void scan_next_tiles(const env_type env, const scan_operands o, __global uint *ticket,
                                   __local scan_store *store INITIAL_PARAM)
{
    const int item = (int)get_local_id(0);
#if TILE_THREADS == 1
    const index_type tiles = tile_number(o.in.count);
    index_type tile = (index_type)ticket_take(ticket);
    const int is_first = tile == 0;
    for (; tile < tiles; tile = (index_type)ticket_take(ticket))
        scan_tile_items(env, o, tile, tile_count(tile * TILE_SIZE, o.in.count), store INITIAL);
#else
    if (item == 0) store->number = (index_type)ticket_take(ticket);
    group_barrier();
    const index_type tile = store->number;
    const int is_first = tile == 0;
    scan_tile_items(env, o, tile, tile_count(tile * TILE_SIZE, o.in.count), store INITIAL);
#endif
    if (item == 0 && is_first && o.in.count == 0) put_total_of_nothing(env, o.out, o.total, o.flags INITIAL);
}

/* Pass 2. */
MCL_KERNEL(TILE_THREADS) scan_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_total, int flags,
                                    ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, ticket) INITIAL_PARAM)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    scan_operands operands;
    operands.in = MAKE_in;
    operands.out = MAKE_out;
    operands.total = MAKE_total;
    operands.flags = flags;
    operands.state = ARRAY(ulong, state);
    scan_next_tiles(env, operands, ARRAY(uint, ticket), store INITIAL);
}

/* The only pass where there are few tiles. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) scan_few_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_total, int flags,
                                        ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters) INITIAL_PARAM)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    __global uint *const counters = ARRAY(uint, counters);
    scan_operands operands;
    operands.in = MAKE_in;
    operands.out = MAKE_out;
    operands.total = MAKE_total;
    operands.flags = flags;
    operands.state = ARRAY(ulong, state);
    scan_next_tiles(env, operands, counters, store INITIAL);
    few_tiles_done(operands.state, counters, tile_number(operands.in.count), &store->number);
}
#else
/* The two-pass form works through blocks of the input that fit the device's cache, so that the second reading is cheap.
 * A block is dealt to the groups as parts; the fold of everything before it is in one of carry's two slots, in turn. */

/* The fold of elements [begin, end), in work-item 0. */
static inline fold_type scan_sum(const env_type env, const input_in in, const index_type begin, const index_type end,
                                 __local scan_store *store)
{
#if TILE_THREADS == 1
    fold_type sum = fold_nothing();
    (void)store;
    if (begin < end) sum = fold_range(env, in, begin, end);
    return sum;
#else
    const int item = (int)get_local_id(0);
    for (index_type tile = begin; tile < end; tile += TILE_SIZE) {
        const int count = (int)(end - tile < TILE_SIZE ? end - tile : TILE_SIZE);
        load_tile(in, tile, count, store);
        const fold_type own = fold_items(env, tile, count, store);
        const fold_type sum = reduce_group(env, own, (count + TILE_ITEMS - 1) / TILE_ITEMS, store->sums);
        if (item == 0) store->prefix = tile == begin ? sum : fold(env, store->prefix, sum);
        group_barrier();
    }
    return store->prefix;
#endif
}

/* Pass 1 of a block: each group folds its part. */
MCL_KERNEL(TILE_THREADS) scan_parts(PARAMS_env PARAMS_in, index_type block, index_type block_size,
                                    ARRAY_PARAM(fold_type, partials))
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(in.count, block, block_size), (index_type)get_num_groups(0), part, &begin, &end);
    const fold_type sum = scan_sum(env, in, block + begin, block + end, store);
    if (get_local_id(0) == 0 && begin < end) ARRAY(fold_type, partials)[part] = sum;
}

/* Pass 2 of a block: one group turns the parts' folds into the folds of everything before them. */
MCL_KERNEL(TILE_THREADS) scan_spine(PARAMS_env PARAMS_in, index_type block, index_type block_size,
                                    ARRAY_PARAM(fold_type, partials), int parts, ARRAY_PARAM(fold_type, carry),
                                    int turn INITIAL_PARAM)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    __global fold_type *const partials = ARRAY(fold_type, partials);
    __global fold_type *const carry = ARRAY(fold_type, carry);
    const int item = (int)get_local_id(0);
    const int valid = (int)part_count(block_count(in.count, block, block_size), parts);
    const int share = valid > TILE_THREADS ? (valid + TILE_THREADS - 1) / TILE_THREADS : 1;
    const int sharers = (valid + share - 1) / share;
    const int begin = item * share;
    const int end = begin + share < valid ? begin + share : valid;
    fold_type own = fold_nothing();
    if (begin < end) own = partials[begin];
    for (int k = begin + 1; k < end; ++k) own = fold(env, own, partials[k]);
    fold_type sum, before;
#if TILE_THREADS == 1
    (void)store;
    sum = before = own;
#else
    before = scan_group(env, own, sharers, &sum, store->sums);
#endif
    int has_before = item > 0;
    fold_type in_front = fold_nothing();
#if HAS_INITIAL
    in_front = initial;
#endif
    if (block > 0) in_front = carry[turn];
    if ((HAS_INITIAL || block > 0) && valid > 0) {
        before = item > 0 && item < sharers ? fold(env, in_front, before) : in_front;
        sum = fold(env, in_front, sum);
        has_before = 1;
    }
    if (item == 0 && valid > 0) carry[!turn] = sum;
    for (int k = begin; k < end; ++k) {
        const fold_type value = partials[k];
        if (has_before) partials[k] = before;
        before = has_before ? fold(env, before, value) : value;
        has_before = 1;
    }
}

/* Pass 3 of a block: each group scans its part behind partials[part]. */
MCL_KERNEL(TILE_THREADS) scan_down(PARAMS_env PARAMS_in, index_type block, index_type block_size,
                                   ARRAY_PARAM(fold_type, partials), PARAMS_out, PARAMS_total, int flags INITIAL_PARAM)
{
    MCL_SHARED(scan_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const output_total total = MAKE_total;
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(in.count, block, block_size), (index_type)get_num_groups(0), part, &begin, &end);
    const int has_prefix = HAS_INITIAL || block > 0 || part > 0;
    fold_type sum = fold_nothing();
#if HAS_INITIAL
    sum = initial;
#endif
    if ((block > 0 || part > 0) && begin < end) sum = ARRAY(fold_type, partials)[part];
#if TILE_THREADS == 1
    (void)store;
    if (in.count == 0 && part == 0 && block == 0) put_total_of_nothing(env, out, total, flags INITIAL);
    if (begin >= end) return;
    for (index_type tile = begin; tile < end; tile += TILE_SIZE) {
        const index_type tile_end = block + (end - tile < TILE_SIZE ? end : tile + TILE_SIZE);
        fold_type sums[4];
        (void)fold_with_streams(env, in, block + tile, tile_end, sums);
        sum = scan_range(env, in, out, block + tile, tile_end, has_prefix || tile > begin, sum, sums);
    }
#else
    const int item = (int)get_local_id(0);
    if (item == 0) store->prefix = sum; /* the fold of everything before a tile; not in registers: see the dialect */
    group_barrier();
    for (index_type tile = begin; tile < end; tile += TILE_SIZE) {
        const int count = (int)(end - tile < TILE_SIZE ? end - tile : TILE_SIZE);
        fold_type tile_sum;
        load_tile(in, block + tile, count, store);
        const fold_type own = fold_items(env, block + tile, count, store);
        fold_type before = scan_group(env, own, (count + TILE_ITEMS - 1) / TILE_ITEMS, &tile_sum, store->sums);
        const int has_sum = has_prefix || tile > begin;
        const fold_type prefix = store->prefix;
        if (has_sum) before = item > 0 && item * TILE_ITEMS < count ? fold(env, prefix, before) : prefix;
        store_tile(env, out, block + tile, count, store, has_sum || item > 0, before);
        if (item == 0) store->prefix = has_sum ? fold(env, prefix, tile_sum) : tile_sum;
        group_barrier();
    }
    sum = store->prefix;
    if (in.count == 0 && part == 0 && block == 0 && item == 0) put_total_of_nothing(env, out, total, flags INITIAL);
#endif
    if (begin < end && block + end == in.count && get_local_id(0) == 0)
        put_total(env, out, total, in.count, flags, 1, sum);
}
#endif
