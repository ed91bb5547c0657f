/* compact.cl: puts the elements of a sequence that pass a test behind each other, in order.
 * Single pass (COMPACT_LOOK_BACK): look_back_clear, compact_tiles, or for few tiles compact_few_tiles. Two passes:
 * compact_parts, compact_spine, compact_down.
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in, which is tested; output out, with room for out_limit elements;
 * output counts. COMPACT_TEST says how in is tested (facts/compact.h).
 * Further operands:
 *   HAS_DATA       input data, which is moved instead of in
 *   COMPACT_THREE  keep_second, and output second for what passes this test but not keep
 *   HAS_REJECTED   output rejected for the rest
 *   HAS_VALUES     input values, output out_values: they follow in
 *   HAS_LENGTHS    output lengths: of the runs
 *
 * Bounds, whatever the tests say: an element goes one way at most, so that the counts of those before a tile are no
 * more than its begin, and the place of a rejected one is not negative. Each output is stored to below its limit alone.
 * A tile's flags are kept in registers between counting and storing; where a pass tests again, what it stores is held
 * against the limit too.
 *
 * counts[0] becomes the number of elements for out, counts[1] for second, the next that for rejected. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define INITIAL_PARAM
#define INITIAL

#include "facts/compact.h"
#include "pieces/part_range.clh"

/* ---- the test ------------------------------------------------------------------------------------------------ */

/* Where element k of in, x, goes: 0 rejected, 1 out, 2 second. */
static inline int way_of(const env_type env, const input_in in, const in_type x, const index_type k)
{
#if COMPACT_TEST == TEST_HEADS
    return (k == 0) | !same(env, load_in(in, k > 0 ? k - 1 : 0), x);
#elif COMPACT_TEST == TEST_FLAG
    (void)env;
    (void)in;
    (void)k;
    return x != 0;
#elif COMPACT_THREE
    (void)in;
    return keep(env, x, k) ? 1 : keep_second(env, x, k) ? 2 : 0;
#else
    (void)in;
    return keep(env, x, k);
#endif
}

/* What is counted of a range: the elements for out, and beside it, other: those for second; or with lengths the end of
 * the head of the last run, 0 where none begins. */
#if COMPACT_THREE || HAS_LENGTHS
#define COUNT_OF(sum) ((sum).count)
#define OTHER_OF(sum) ((sum).other)
typedef struct {
    index_type count, other;
} fold_type;
#else
#define COUNT_OF(sum) (sum)
#define OTHER_OF(sum) 0
typedef index_type fold_type;
#endif
#include "pieces/fold_words.clh" /* fold_nothing is the count of nothing */

static inline fold_type make_sum(const index_type count, const index_type other)
{
#if COMPACT_THREE || HAS_LENGTHS
    fold_type sum;
    sum.count = count;
    sum.other = other;
    return sum;
#else
    (void)other;
    return count;
#endif
}

static inline fold_type fold(const env_type env, const fold_type p, const fold_type q)
{
    (void)env;
#if HAS_LENGTHS
    return make_sum(p.count + q.count, p.other > q.other ? p.other : q.other);
#else
    return make_sum(COUNT_OF(p) + COUNT_OF(q), OTHER_OF(p) + OTHER_OF(q));
#endif
}

static inline fold_type sum_of(const int way, const index_type k)
{
#if HAS_LENGTHS
    return make_sum(way, way ? k + 1 : 0);
#else
    (void)k;
    return make_sum(way == 1, way == 2);
#endif
}

static inline fold_type fold_range(const env_type env, const input_in in, const index_type begin, const index_type end)
{
    fold_type sum = fold_nothing();
    ROLLED
    for (index_type k = begin; k < end; ++k) sum = fold(env, sum, sum_of(way_of(env, in, load_in(in, k), k), k));
    return sum;
}

/* ---- operands ------------------------------------------------------------------------------------------------ */

/* Parameters that only some programs have, and what puts them into compact_operands. */
#if HAS_DATA
#define PARAMS_moved PARAMS_data,
#define TAKE_moved(o) (o).data = MAKE_data;
#define LOAD_moved(o, k) load_data((o).data, k)
typedef data_type moved_type;
#else
#define PARAMS_moved
#define TAKE_moved(o)
#define LOAD_moved(o, k) load_in((o).in, k)
typedef in_type moved_type;
#endif
#if HAS_VALUES
#define PARAMS_beside PARAMS_values, PARAMS_out_values,
#define TAKE_beside(o) (o).values = MAKE_values; (o).out_values = MAKE_out_values;
#elif HAS_LENGTHS
#define PARAMS_beside PARAMS_lengths,
#define TAKE_beside(o) (o).lengths = MAKE_lengths;
#else
#define PARAMS_beside
#define TAKE_beside(o)
#endif
#if COMPACT_THREE
#define PARAMS_other PARAMS_second, index_type second_limit,
#define TAKE_other(o) (o).second = MAKE_second; (o).second_limit = second_limit;
#else
#define PARAMS_other
#define TAKE_other(o)
#endif
#if HAS_REJECTED
#define PARAMS_rest PARAMS_rejected, index_type rejected_limit,
#define TAKE_rest(o) (o).rejected = MAKE_rejected; (o).rejected_limit = rejected_limit;
#else
#define PARAMS_rest
#define TAKE_rest(o)
#endif
#define TAKE_first(o) (o).in = MAKE_in; (o).out = MAKE_out; (o).out_limit = out_limit;
#define TAKE_counts(o) (o).counts = MAKE_counts; (o).has_counts = has_counts;
#define PARAMS_operands PARAMS_env PARAMS_in, PARAMS_moved PARAMS_beside PARAMS_out, index_type out_limit, \
                        PARAMS_other PARAMS_rest PARAMS_counts, int has_counts
#define TAKE_operands(o) TAKE_first(o) TAKE_moved(o) TAKE_beside(o) TAKE_other(o) TAKE_rest(o) TAKE_counts(o)

typedef struct {
    input_in in;
    output_out out;
    index_type out_limit;
    output_counts counts;
    int has_counts;
#if HAS_DATA
    input_data data;
#endif
#if HAS_VALUES
    input_values values;
    output_out_values out_values;
#endif
#if HAS_LENGTHS
    output_lengths lengths;
#endif
#if COMPACT_THREE
    output_second second;
    index_type second_limit;
#endif
#if HAS_REJECTED
    output_rejected rejected;
    index_type rejected_limit;
#endif
} compact_operands;

#if HAS_LENGTHS
static inline void put_length(const compact_operands o, const index_type run, const index_type length)
{
    if (run >= 0 && run < o.out_limit) store_lengths(o.lengths, run, (lengths_type)length);
}
#endif

/* What is known when everything has been counted. */
static inline void put_total(const compact_operands o, const fold_type total)
{
#if HAS_LENGTHS
    put_length(o, COUNT_OF(total) - 1, o.in.count - (OTHER_OF(total) - 1));
#endif
    if (!o.has_counts) return;
    store_counts(o.counts, 0, (int64_t)COUNT_OF(total));
#if COMPACT_THREE
    store_counts(o.counts, 1, (int64_t)OTHER_OF(total));
#endif
#if HAS_REJECTED
    store_counts(o.counts, 1 + COMPACT_THREE, (int64_t)(o.in.count - COUNT_OF(total) - OTHER_OF(total)));
#endif
}

/* ---- a tile -------------------------------------------------------------------------------------------------- */

#if TILE_THREADS == 1
#include "kernels/compact/compact_serial.clh"
typedef struct {
    index_type number;
} compact_store;
#else
#define RANK_CLASSES (1 + COMPACT_THREE)
#include "pieces/rank_group.clh"
#include "pieces/reduce_group.clh"
#include "pieces/scan_group.clh"
#define NEEDS_PLACES (HAS_VALUES || HAS_LENGTHS)
typedef struct {
    moved_type staged[TILE_THREADS * TILE_ITEMS]; /* the tile's elements, those of each way together */
#if NEEDS_PLACES
    uint16_t places[TILE_THREADS * TILE_ITEMS]; /* in the tile, of those for out */
#endif
    rank_store ranks;
    fold_type sums[SCAN_GROUP_SHARED];
    fold_type prefix;
    index_type number;
} compact_store;

/* Which of the work-item's elements go where. */
static inline rank_flags test_tile(const env_type env, const compact_operands o, const index_type begin,
                                   const int count, const in_type *x)
{
    const int first = tile_first((int)get_local_id(0));
    rank_flags flags = {0, 0};
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        const int place = first + j * TILE_STEP;
        if (place >= count) continue;
        const int way = way_of(env, o.in, x[j], begin + place);
        flags.first |= (uint)(way == 1) << j;
        flags.second |= (uint)(way == 2) << j;
    }
    return flags;
}

/* Element j's place among the staged: those for out, for second, the rest. -1: it is dropped. */
static inline int staged_place(const rank_flags flags, const int j, const int place, const int count, const uint rank,
                               const uint total)
{
    const int before = (int)(rank & 0xffffu), kept = (int)(total & 0xffffu);
    const int others_before = (int)(rank >> 16), others = (int)(total >> 16); /* 0 where there is no second */
    if (flags.first >> j & 1u) return before;
    if (COMPACT_THREE && (flags.second >> j & 1u)) return kept + others_before;
    return HAS_REJECTED && place < count ? kept + others + place - before - others_before : -1;
}

/* Reads and tests a tile and leaves its elements in store, each way together; returns what is counted of it, in all
 * work-items. */
static inline fold_type stage_tile(const env_type env, const compact_operands o, const index_type begin,
                                   const int count, __local compact_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    const input_in in = shift_in(o.in, begin + first);
    in_type x[TILE_ITEMS];
    uint before = 0;
#if HAS_DATA
    const input_data data = shift_data(o.data, begin + first);
    moved_type moved[TILE_ITEMS];
#define MOVED moved
#else
#define MOVED x
#endif
    if (count == TILE_SIZE) { /* all loads are under way before the first is used */
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) {
            x[j] = load_in(in, j * TILE_STEP);
#if HAS_DATA
            moved[j] = load_data(data, j * TILE_STEP);
#endif
        }
    } else {
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) {
            if (first + j * TILE_STEP >= count) continue;
            x[j] = load_in(in, j * TILE_STEP);
#if HAS_DATA
            moved[j] = load_data(data, j * TILE_STEP);
#endif
        }
    }
    const rank_flags flags = test_tile(env, o, begin, count, x);
    const uint total = rank_start(flags, &before, &store->ranks);
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        const int place = first + j * TILE_STEP;
        const uint rank = rank_next(flags, j, &before, &store->ranks);
        const int to = staged_place(flags, j, place, count, rank, total);
        if (to >= 0) store->staged[to] = MOVED[j];
#if NEEDS_PLACES
        if (to >= 0) store->places[to] = (uint16_t)place;
#endif
    }
#undef MOVED
#if HAS_LENGTHS
    group_barrier();
    return make_sum((index_type)total, total ? begin + store->places[total - 1] + 1 : 0);
#else
    return make_sum((index_type)(total & 0xffffu), (index_type)(total >> 16));
#endif
}

/* How many of count elements from begin on there is room for; as tile_count. */
static inline int fitting(const index_type begin, const index_type limit, const int count)
{
    const index_type room = limit - (begin < limit ? begin : limit);
    return room < count ? (int)room : count;
}

/* Stores what stage_tile has left; prefix is what was counted before the tile, own what it returned. */
static inline void put_tile(const compact_operands o, const index_type begin, const int count, const fold_type own,
                            const fold_type prefix, __local const compact_store *store)
{
    const int item = (int)get_local_id(0);
    const int kept = (int)COUNT_OF(own);
    const int stored = fitting(COUNT_OF(prefix), o.out_limit, kept);
    const output_out out = shift_out(o.out, COUNT_OF(prefix));
    for (int k = item; k < stored; k += TILE_THREADS) store_out(out, k, store->staged[k]);
#if HAS_VALUES
    const input_values values = shift_values(o.values, begin);
    const output_out_values out_values = shift_out_values(o.out_values, COUNT_OF(prefix));
    for (int k = item; k < stored; k += TILE_THREADS)
        store_out_values(out_values, k, load_values(values, store->places[k]));
#endif
#if HAS_LENGTHS
    /* a head ends the run before it */
    for (int k = item; k < kept; k += TILE_THREADS) {
        const index_type head = begin + store->places[k];
        const index_type last = k > 0 ? begin + store->places[k - 1] : OTHER_OF(prefix) - 1;
        put_length(o, COUNT_OF(prefix) + k - 1, head - last);
    }
#endif
#if COMPACT_THREE
    const int seconds = (int)OTHER_OF(own);
    const int seconds_stored = fitting(OTHER_OF(prefix), o.second_limit, seconds);
    const output_second second = shift_second(o.second, OTHER_OF(prefix));
    for (int k = item; k < seconds_stored; k += TILE_THREADS) store_second(second, k, store->staged[kept + k]);
#else
    const int seconds = 0;
#endif
#if HAS_REJECTED
    const index_type rest = begin - COUNT_OF(prefix) - OTHER_OF(prefix);
    const int rest_stored = fitting(rest, o.rejected_limit, count - kept - seconds);
    const output_rejected rejected = shift_rejected(o.rejected, rest);
    for (int k = item; k < rest_stored; k += TILE_THREADS)
        store_rejected(rejected, k, store->staged[kept + seconds + k]);
#else
    (void)count;
    (void)seconds;
#endif
}
#endif

#if COMPACT_LOOK_BACK
#include "pieces/look_back.clh"
#include "pieces/look_back_states.clh"

#if TILE_THREADS == 1
static inline void compact_tile(const env_type env, const compact_operands o, __global ulong *state,
                                const index_type tile, const int count, __local compact_store *store)
{
    const index_type begin = tile * TILE_SIZE;
    fold_type prefix = fold_nothing();
    (void)store;
    if (count == 0) return;
    const fold_type own = fold_range(env, o.in, begin, begin + count);
    if (tile > 0) {
        state_publish(state, tile, STATE_AGGREGATE, own);
        prefix = look_back(env, o.in, state, tile);
    }
    const fold_type sum = fold(env, prefix, own);
    state_publish(state, tile, STATE_PREFIX, sum);
    put_range(env, o, begin, begin + count, prefix, sum);
    if (begin + count == o.in.count) put_total(o, sum);
}
#else
/* The elements wait in work-group memory for their prefix: a work-item that waits holds few registers, which leaves
 * room for more groups. */
static inline void compact_tile(const env_type env, const compact_operands o, __global ulong *state,
                                const index_type tile, const int count, __local compact_store *store)
{
    const int item = (int)get_local_id(0);
    const index_type begin = tile * TILE_SIZE;
    const fold_type own = stage_tile(env, o, begin, count, store);
    if (item < LOOK_BACK_ITEMS) {
        fold_type prefix = fold_nothing();
        if (tile > 0 && count > 0) {
            if (item == 0) state_publish(state, tile, STATE_AGGREGATE, own);
            prefix = look_back(env, o.in, state, tile);
        }
        if (item == 0 && count > 0) state_publish(state, tile, STATE_PREFIX, fold(env, prefix, own));
        if (item == 0) store->prefix = prefix;
    }
    group_barrier();
    const fold_type prefix = store->prefix;
    put_tile(o, begin, count, own, prefix, store);
    /* behind the tile's own stores: see scan.cl */
    if (item == 0 && count > 0 && begin + count == o.in.count) put_total(o, fold(env, prefix, own));
}
#endif

/* A group takes the next tile and does it. */
static inline void compact_next_tile(const env_type env, const compact_operands o, __global ulong *state,
                                     __global uint *ticket, __local compact_store *store)
{
#if TILE_THREADS == 1
    const index_type tile = (index_type)ticket_take(ticket);
#else
    if (get_local_id(0) == 0) store->number = (index_type)ticket_take(ticket);
    group_barrier();
    const index_type tile = store->number;
#endif
    compact_tile(env, o, state, tile, tile_count(tile * TILE_SIZE, o.in.count), store);
    if (get_local_id(0) == 0 && tile == 0 && o.in.count == 0) put_total(o, fold_nothing());
}

/* Pass 2: each group does one tile. */
MCL_KERNEL(TILE_THREADS) compact_tiles(PARAMS_operands, ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, ticket))
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    compact_operands o;
    TAKE_operands(o)
    compact_next_tile(env, o, ARRAY(ulong, state), ARRAY(uint, ticket), store);
}

/* The only pass where there are few tiles. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS)
compact_few_tiles(PARAMS_operands, ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters))
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    compact_operands o;
    TAKE_operands(o)
    compact_next_tile(env, o, ARRAY(ulong, state), ARRAY(uint, counters), store);
    few_tiles_done(ARRAY(ulong, state), ARRAY(uint, counters),
                   o.in.count / TILE_SIZE + (o.in.count % TILE_SIZE != 0), &store->number);
}
#else
/* The two-pass form works through blocks of the input that fit the device's cache, so that the second reading is cheap.
 * A block is dealt to the groups as parts; what was counted before it is in one of carry's two slots, in turn. */

/* Pass 1 of a block: each group counts its part. */
MCL_KERNEL(TILE_THREADS) compact_parts(PARAMS_env PARAMS_in, index_type block, index_type block_size,
                                       ARRAY_PARAM(fold_type, partials))
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(in.count, block, block_size), (index_type)get_num_groups(0), part, &begin, &end);
#if TILE_THREADS == 1
    (void)store;
    const fold_type sum = fold_range(env, in, block + begin, block + end);
#else
    fold_type own = fold_nothing();
    for (index_type k = block + begin + (index_type)get_local_id(0); k < block + end; k += TILE_THREADS)
        own = fold(env, own, sum_of(way_of(env, in, load_in(in, k), k), k));
    const fold_type sum = reduce_group(env, own, TILE_THREADS, store->sums);
#endif
    if (get_local_id(0) == 0) ARRAY(fold_type, partials)[part] = sum;
}

/* Pass 2 of a block: one group turns the parts' counts into the counts of everything before them, and before
 * partials[parts]. */
MCL_KERNEL(TILE_THREADS) compact_spine(PARAMS_env ARRAY_PARAM(fold_type, partials), int parts,
                                       ARRAY_PARAM(fold_type, carry), int turn, int has_carry)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    __global fold_type *const partials = ARRAY(fold_type, partials);
    __global fold_type *const carry = ARRAY(fold_type, carry);
    const int item = (int)get_local_id(0);
    const int share = (parts + TILE_THREADS - 1) / TILE_THREADS;
    const int begin = item * share < parts ? item * share : parts;
    const int end = begin + share < parts ? begin + share : parts;
    fold_type sum = fold_nothing(), before = fold_nothing(), own = fold_nothing();
    for (int k = begin; k < end; ++k) own = fold(env, own, partials[k]);
#if TILE_THREADS == 1
    (void)store;
    sum = own;
#else
    const fold_type scanned = scan_group(env, own, TILE_THREADS, &sum, store->sums);
    if (item > 0) before = scanned;
#endif
    if (has_carry) before = fold(env, carry[turn], before);
    if (has_carry) sum = fold(env, carry[turn], sum);
    if (item == 0) carry[!turn] = partials[parts] = sum;
    for (int k = begin; k < end; ++k) {
        const fold_type value = partials[k];
        partials[k] = before;
        before = fold(env, before, value);
    }
}

/* Pass 3 of a block: each group does its part behind partials[part]; the only part of the only block, where there is
 * no more, behind nothing. */
MCL_KERNEL(TILE_THREADS) compact_down(PARAMS_operands, index_type block, index_type block_size,
                                      ARRAY_PARAM(fold_type, partials), int has_partials)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    compact_operands o;
    TAKE_operands(o)
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(o.in.count, block, block_size), (index_type)get_num_groups(0), part, &begin, &end);
    fold_type sum = fold_nothing();
    if (has_partials) sum = ARRAY(fold_type, partials)[part];
#if TILE_THREADS == 1
    (void)store;
    fold_type total = fold_nothing();
    if (has_partials) total = ARRAY(fold_type, partials)[part + 1];
    else total = fold_range(env, o.in, begin, end);
    put_range(env, o, block + begin, block + end, sum, total);
#else
    const int item = (int)get_local_id(0);
    if (item == 0) store->prefix = sum; /* not in registers: see the dialect's rules */
    group_barrier();
    for (index_type tile = begin; tile < end; tile += TILE_SIZE) {
        const int count = (int)(end - tile < TILE_SIZE ? end - tile : TILE_SIZE);
        const fold_type own = stage_tile(env, o, block + tile, count, store);
        group_barrier();
        const fold_type prefix = store->prefix;
        put_tile(o, block + tile, count, own, prefix, store);
        group_barrier();
        if (item == 0) store->prefix = fold(env, prefix, own);
    }
    fold_type total = fold_nothing();
    if (item == 0) total = store->prefix; /* which it has written itself */
#endif
    if (get_local_id(0) == 0 && (begin < end ? block + end == o.in.count : block + part == 0 && o.in.count == 0))
        put_total(o, total);
}
#endif
