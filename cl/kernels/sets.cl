/* sets.cl: multiset operations on two sorted sequences. Passes: sets_partition cuts tiles that no pair of equal keys
 * crosses, and then
 *   SETS_LOOK_BACK  sets_tiles: one pass, each tile's place among the results by look-back;
 *   otherwise       sets_parts, sets_spine, sets_down: results are counted, then made again and stored, or, with
 *                   SETS_KEPT, sets_parts, sets_spine, sets_copy: made once, kept in scratch and then moved.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS RESIDENT; inputs a, b; outputs out, count;
 * before; fold, the sum of index_type; SET_KIND; SET_UNIQUE: neither input repeats a key. HAS_VALUES: inputs a_values
 * and, where results come from b too, b_values; output out_values. */

/* Bounds: set_tile.clh bounds a tile and its results, and every store to out is below capacity (set_room). Counts that
 * two passes, or a tile and its refold_tile, make of the same keys may differ under an order that contradicts itself:
 * places then overlap or stay empty, but each count is from 0 to the tile's keys, so that places are from 0 to the keys
 * of both inputs. Loops are over tiles, over the keys of a tile and over partials; none waits for a test to hold. */

#include "facts/sets.h"
#define TILE_SIZE SET_TILE_KEYS((index_type)TILE_THREADS, TILE_ITEMS)
/* Left alone, ptxas spills some for the sake of more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#undef OPENCL_GROUPS
#define OPENCL_GROUPS (sizeof(key_type) > 4 ? KERNEL_GROUPS : 0)

#include "pieces/fold_words.clh"
#include "pieces/set_tile.clh"
#if SETS_LOOK_BACK
#include "pieces/status_words.clh"
#endif

/* What the passes over tiles take, and how they make set_operands of it. */
#define PARAMS_inputs PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split)
#define SET_INPUTS(o) (o).a = MAKE_a, (o).b = MAKE_b, (o).split = ARRAY(index_type, split), (o).out = MAKE_out
#if HAS_VALUES && SET_FROM_B(SET_KIND)
#define PARAMS_operands PARAMS_inputs, PARAMS_a_values, PARAMS_b_values
#define SET_OPERANDS(o)                                                                                                \
    (SET_INPUTS(o), (o).a_values = MAKE_a_values, (o).b_values = MAKE_b_values, (o).out_values = MAKE_out_values)
#elif HAS_VALUES
#define PARAMS_operands PARAMS_inputs, PARAMS_a_values
#define SET_OPERANDS(o) (SET_INPUTS(o), (o).a_values = MAKE_a_values, (o).out_values = MAKE_out_values)
#else
#define PARAMS_operands PARAMS_inputs
#define SET_OPERANDS(o) (SET_INPUTS(o))
#endif
#if HAS_VALUES
#define PARAMS_results PARAMS_out, PARAMS_out_values
#else
#define PARAMS_results PARAMS_out
#endif

/* Pass 1: one work-item a tile boundary finds how many keys of a precede it. The states of look-back are emptied in
 * passing. */
MCL_KERNEL(PARTITION_THREADS) sets_partition(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split),
                                             index_type splits
#if SETS_LOOK_BACK
                                             , ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, ticket)
#endif
)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const index_type s = (index_type)get_global_id(0);
    if (s >= splits) return;
#if SETS_LOOK_BACK
    look_back_start(ARRAY(ulong, state), ARRAY(uint, ticket), s, splits);
#endif
    ARRAY(index_type, split)[s] = set_crossing(env, a, b, s);
}

#if SETS_LOOK_BACK
#define LOOK_BACK_FROM set_operands
#define INITIAL_PARAM
#define INITIAL
#include "pieces/reduce_group.clh"

/* How many results a whole tile has, counted in the inputs. One work-item goes through them; a sub-group counts the
 * pairs: b's copies of a key that have a copy of the same rank in a. */
static inline fold_type refold_tile(const env_type env, const set_operands o, const index_type number)
{
    const set_tile tile = set_tile_find(o, number);
#if FOLD_SUB_GROUPS && MCL_SUB_GROUP_SIZE == 32
    const input_a a = shift_a(o.a, tile.a_begin);
    const input_b b = shift_b(o.b, tile.b_begin);
    const int most = tile.a_part < tile.b_part ? tile.a_part : tile.b_part;
    fold_type pairs = 0;
    ROLLED
    for (int j = sub_group_lane(); j < tile.b_part; j += 32) {
        const key_type key = load_b(b, j);
        const int rank = j - (int)set_path_input_search_b(env, b, j, key, SET_LEVELS);
        const int i = (int)set_path_input_search_a(env, a, tile.a_part, key, 0) + rank;
        if (i < tile.a_part && !before(env, key, load_a(a, i))) ++pairs;
    }
    pairs = reduce_sub_group(env, pairs, 32);
    if (pairs > most) pairs = most; /* as inputs that are not sorted can give */
#if SET_KIND == SET_INTERSECTION
    return pairs;
#elif SET_KIND == SET_UNION
    return tile.a_part + tile.b_part - pairs;
#elif SET_KIND == SET_DIFFERENCE
    return tile.a_part - pairs;
#else
    return tile.a_part + tile.b_part - 2 * pairs;
#endif
#else
    return set_count(env, o, tile.a_begin, tile.a_begin + tile.a_part, tile.b_begin, tile.b_begin + tile.b_part);
#endif
}
#include "pieces/look_back.clh"

/* Pass 2: each group takes the next tile and stores its results behind those of the tiles before it. */
MCL_KERNEL(TILE_THREADS) sets_tiles(PARAMS_env PARAMS_operands, PARAMS_results, index_type capacity, PARAMS_count,
                                    int has_count, ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, ticket))
{
    MCL_SHARED(set_store, store);
    const env_type env = MAKE_env;
    const output_count results = MAKE_count;
    __global ulong *const states = ARRAY(ulong, state);
    set_operands o;
    SET_OPERANDS(o);
    o.capacity = capacity;
    const int item = (int)get_local_id(0);
    if (item == 0) {
        const index_type next = (index_type)ticket_take(ARRAY(uint, ticket));
        store->number = next;
        store->tile = set_tile_find(o, next);
    }
    group_barrier();
    const set_results found = set_tile_results(env, o, store);
    const index_type number = store->number, tiles = set_tiles(o);
    if (item < LOOK_BACK_ITEMS && number < tiles) {
        index_type begin = 0;
        if (number > 0) {
            if (item == 0) state_publish(states, number, STATE_AGGREGATE, found.total);
            begin = look_back(env, o, states, number);
        }
        if (item == 0) {
            state_publish(states, number, STATE_PREFIX, begin + found.total);
            store->begin = begin;
        }
    }
    group_barrier();
    const index_type begin = store->begin;
    set_store_results(o, number < tiles ? begin : 0, found, store);
    /* behind the tile's own stores: see scan.cl */
    if (item == 0 && number == tiles - 1 && has_count) store_count(results, 0, begin + found.total);
}
#else
/* The tiles of a part, whose first key is begin and last end, one after the other: makes their results, stores them
 * from store->begin on, where is_stored, and leaves there where the next would go. */
static inline void set_part(const env_type env, const set_operands o, const index_type begin, const index_type end,
                            const int is_stored, __local set_store *store)
{
    const int item = (int)get_local_id(0);
    for (index_type at = begin; at < end; at += TILE_SIZE) {
        if (item == 0) store->tile = set_tile_find(o, at / TILE_SIZE);
        group_barrier();
        const set_results found = set_tile_results(env, o, store);
        group_barrier();
        if (is_stored) set_store_results(o, store->begin, found, store);
        group_barrier();
        if (item == 0) store->begin += found.total;
        group_barrier();
    }
}

/* Pass 2: each group counts the results of its part. With SETS_KEPT out is scratch, where it keeps them, from the place
 * of the part's first key on. */
MCL_KERNEL(TILE_THREADS) sets_parts(PARAMS_env PARAMS_operands, PARAMS_results, ARRAY_PARAM(index_type, partials))
{
    MCL_SHARED(set_store, store);
    const env_type env = MAKE_env;
    const int item = (int)get_local_id(0);
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    set_operands o;
    SET_OPERANDS(o);
    part_range(o.a.count + o.b.count, (index_type)get_num_groups(0), part, &begin, &end);
    o.capacity = end;
    if (item == 0) store->begin = begin;
    group_barrier();
    set_part(env, o, begin, end, SETS_KEPT, store);
    /* A part whose end is starred has a key more than places. That key is half of a pair, which has one result, unless
     * the order contradicts itself: sets_copy must find what it copies among the part's places all the same. */
    const index_type found = store->begin - begin;
    const index_type places = begin < end ? end - begin : 0; /* a part that has no tile ends before it begins */
    if (item == 0) ARRAY(index_type, partials)[part] = found < places ? found : places;
}

/* Pass 3: one group turns the parts' counts into the counts of all before them; the total follows the last. */
MCL_KERNEL(TILE_THREADS) sets_spine(PARAMS_env ARRAY_PARAM(index_type, partials), int parts, PARAMS_count,
                                    int has_count)
{
    MCL_SHARED(set_store, store);
    const env_type env = MAKE_env;
    const output_count results = MAKE_count;
    __global index_type *const partials = ARRAY(index_type, partials);
    const int item = (int)get_local_id(0);
    const int share = (parts + TILE_THREADS - 1) / TILE_THREADS;
    const int begin = item * share < parts ? item * share : parts;
    const int end = begin + share < parts ? begin + share : parts;
    index_type own = 0, before_item = 0;
    for (int k = begin; k < end; ++k) own += partials[k];
#if TILE_THREADS > 1
    fold_type total;
    const fold_type before = scan_group(env, own, TILE_THREADS, &total, store->sums);
    if (item > 0) before_item = before;
#else
    const index_type total = own;
    (void)env;
    (void)store;
#endif
    for (int k = begin; k < end; ++k) {
        const index_type count = partials[k];
        partials[k] = before_item;
        before_item += count;
    }
    if (item == 0) partials[parts] = total;
    if (item == 0 && has_count) store_count(results, 0, total);
}

#if SETS_KEPT
/* Pass 4: each group moves what its part has kept to its place: at most as much as the part has places in kept. */
MCL_KERNEL(TILE_THREADS) sets_copy(PARAMS_a, PARAMS_b, PARAMS_results, index_type capacity,
                                   ARRAY_PARAM(index_type, partials), PARAMS_kept
#if HAS_VALUES
                                   , PARAMS_kept_values
#endif
)
{
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const output_out out = MAKE_out;
    const output_kept kept = MAKE_kept;
#if HAS_VALUES
    const output_out_values out_values = MAKE_out_values;
    const output_kept_values kept_values = MAKE_kept_values;
#endif
    const index_type part = (index_type)get_group_id(0);
    const index_type to = ARRAY(index_type, partials)[part], to_end = ARRAY(index_type, partials)[part + 1];
    const index_type stored = (to_end < capacity ? to_end : capacity) - to;
    index_type begin, end;
    part_range(a.count + b.count, (index_type)get_num_groups(0), part, &begin, &end);
    for (index_type k = (index_type)get_local_id(0); k < stored; k += TILE_THREADS) {
        if (WANTED_out) out.data[to + k] = kept.data[begin + k];
#if HAS_VALUES
        if (WANTED_out_values) out_values.data[to + k] = kept_values.data[begin + k];
#endif
    }
}
#else
/* Pass 4: each group makes the results of its part again and stores them. */
MCL_KERNEL(TILE_THREADS) sets_down(PARAMS_env PARAMS_operands, PARAMS_results, ARRAY_PARAM(index_type, partials),
                                   index_type capacity)
{
    MCL_SHARED(set_store, store);
    const env_type env = MAKE_env;
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    set_operands o;
    SET_OPERANDS(o);
    o.capacity = capacity;
    part_range(o.a.count + o.b.count, (index_type)get_num_groups(0), part, &begin, &end);
    if (get_local_id(0) == 0) store->begin = ARRAY(index_type, partials)[part];
    group_barrier();
    set_part(env, o, begin, end, 1, store);
}
#endif
#endif
