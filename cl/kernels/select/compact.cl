/* compact.cl: stores the elements of a sequence that pass a test next to each other, in order. Passes:
 *   COMPACT_LOOK_BACK   look_back_clear, compact_tiles; for few tiles only compact_few_tiles
 *   otherwise           compact_parts, compact_spine, compact_down
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in, which is tested; output out, with room for out_limit elements;
 * output counts. COMPACT_TEST says how in is tested (facts/compact.h).
 * Operands that may be absent:
 *   data                input, which is moved instead of in
 *   second              output for elements that pass keep_second but not keep
 *   rejected            output for all other elements
 *   values, out_values  input and output: values that move with in; also values_2 and out_values_2 to out_values_4
 *   rejected_values     output for values of rejected elements, with rejected and without second; also
 * rejected_values_2
 *   lengths             output for the lengths of the runs
 *   indices, totals     outputs in scratch, for columns that follow later (compact_columns.cl): indices has the index
 * of
 *                       each element for out from 0 on, and of each element for rejected from in.count - 1 down; totals
 *                       has both counts. indices has as much room as out, with rejected in.count elements or more
 *
 * Bounds, whatever the tests say: an element goes to one output at most. So the counts before a tile are at most its
 * begin, and the index of a rejected element is not negative. Each output is stored only to below its limit. A tile's
 * flags are kept in registers between counting and storing. A pass that tests again compares with the limit too. The
 * index of an element in out or in rejected is at most its index in in.
 *
 * counts[0] becomes the number of elements for out. The number for second follows, then the number for rejected. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)

#include "facts/compact.h"
#include "pieces/tile/part_range.clh"

/* ---- the test ------------------------------------------------------------------------------------------------ */

/* Returns the output for element k of in, which is x: 0 rejected, 1 out, 2 second. */
static inline int way_of(const env_type env, const input_in in, const in_type x, const index_type k)
{
#if COMPACT_TEST == TEST_HEADS
    return (k == 0) | !same(env, load_in(in, k > 0 ? k - 1 : 0), x);
#elif COMPACT_TEST == TEST_FLAG
    (void)env;
    (void)in;
    (void)k;
    return x != 0;
#elif HAS_second
    (void)in;
    return keep(env, x, k) ? 1 : keep_second(env, x, k) ? 2 : 0;
#else
    (void)in;
    return keep(env, x, k);
#endif
}

/* The counts of a range of elements. count: number of elements for out. other: number of elements for second; with
 * lengths, the index of the range's last head plus 1, or 0 without a head. */
#if HAS_second || HAS_lengths
#define COUNT_OF(sum) ((sum).count)
#define OTHER_OF(sum) ((sum).other)
typedef struct {
    index_type count, other;
} fold_type;
static inline fold_type make_sum(const index_type count, const index_type other)
{
    fold_type sum;
    sum.count = count;
    sum.other = other;
    return sum;
}
#else
#define COUNT_OF(sum) (sum)
#define OTHER_OF(sum) ((index_type)0)
typedef index_type fold_type;
static inline fold_type make_sum(const index_type count, const index_type other)
{
    (void)other;
    return count;
}
#endif
#include "pieces/fold/fold_words.clh" /* defines fold_nothing, which stands for the counts of no elements */

static inline fold_type fold(const env_type env, const fold_type p, const fold_type q)
{
    const index_type larger = OTHER_OF(p) > OTHER_OF(q) ? OTHER_OF(p) : OTHER_OF(q);
    (void)env;
    return make_sum(COUNT_OF(p) + COUNT_OF(q), HAS_lengths ? larger : OTHER_OF(p) + OTHER_OF(q));
}

static inline fold_type sum_of(const int way, const index_type k)
{
    if (HAS_lengths) return make_sum(way, way ? k + 1 : 0);
    return make_sum(way == 1, way == 2);
}

static inline fold_type fold_range(const env_type env, const input_in in, const index_type begin, const index_type end)
{
    fold_type sum = fold_nothing();
    ROLLED
    for (index_type k = begin; k < end; ++k) sum = fold(env, sum, sum_of(way_of(env, in, load_in(in, k), k), k));
    return sum;
}

/* ---- operands ------------------------------------------------------------------------------------------------ */

typedef operands_type compact_operands;

/* x is element k. MOVED_OF and LOAD_moved return the element that is moved where element k is chosen. MOVED_OF also
 * takes a data that is shifted. */
#if HAS_data
typedef data_type moved_type;
#define MOVED_OF(data, k, x) load_data(data, k)
#define LOAD_moved(o, k) load_data((o).data, k)
#else
typedef in_type moved_type;
#define MOVED_OF(data, k, x) (x)
#define LOAD_moved(o, k) load_in((o).in, k)
#endif

static inline void put_length(const compact_operands o, const index_type run, const index_type length)
{
    if (run >= 0 && run < o.out_limit) store_lengths(o.lengths, run, (lengths_type)length);
}

/* Stores the counts of all elements, and the length of the last run. */
static inline void put_total(const compact_operands o, const fold_type total)
{
    if (HAS_lengths) put_length(o, COUNT_OF(total) - 1, o.in.count - (OTHER_OF(total) - 1));
    store_totals(o.totals, 0, (int64_t)COUNT_OF(total));
    store_totals(o.totals, 1, (int64_t)(o.in.count - COUNT_OF(total)));
    if (!o.has_counts) return;
    store_counts(o.counts, 0, (int64_t)COUNT_OF(total));
    if (HAS_second) store_counts(o.counts, 1, (int64_t)OTHER_OF(total));
    if (HAS_rejected)
        store_counts(o.counts, 1 + HAS_second, (int64_t)(o.in.count - COUNT_OF(total) - OTHER_OF(total)));
}

/* ---- a tile -------------------------------------------------------------------------------------------------- */

#if COMPACT_LOOK_BACK
#include "pieces/scan/look_back.clh"
#include "pieces/scan/look_back_states.clh"
#endif
#include "pieces/scan/spine.clh"
#if TILE_THREADS == 1
#include "kernels/select/compact_serial.clh"
#else
#include "kernels/select/compact_group.clh"
#endif

#if COMPACT_LOOK_BACK
static inline void compact_next_tile(const env_type env, const compact_operands o, __global ulong *state,
                                     __global uint *counters, __local compact_store *store)
{
    const index_type tile = compact_number(counters, store);
    compact_tile(env, o, state, tile, tile_count(tile * TILE_SIZE, o.in.count), store);
    if (get_local_id(0) == 0 && tile == 0 && o.in.count == 0) put_total(o, fold_nothing());
}

/* Pass 2: each group does one tile. */
MCL_KERNEL(TILE_THREADS) compact_tiles(PARAMS_compact_tiles)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    compact_operands o;
    TAKE_compact_tiles(o);
    compact_next_tile(env, o, ARRAY(ulong, state), ARRAY(uint, counters), store);
}

/* The only pass where there are few tiles. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) compact_few_tiles(PARAMS_compact_few_tiles)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    compact_operands o;
    TAKE_compact_few_tiles(o);
    compact_next_tile(env, o, ARRAY(ulong, state), ARRAY(uint, counters), store);
    few_tiles_done(ARRAY(ulong, state), ARRAY(uint, counters),
                   o.in.count / TILE_SIZE + (o.in.count % TILE_SIZE != 0), &store->number);
}
#else
/* Without look-back the passes do one block of the input after the other. A block fits the device's cache, so that the
 * second reading is cheap. Each group does a part of the block. carry[turn] has the counts of all elements before the
 * block, where turn changes between 0 and 1. */

/* Pass 1 of a block: each group counts its part. */
MCL_KERNEL(TILE_THREADS) compact_parts(PARAMS_compact_parts)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(in.count, block, block_size), (index_type)get_num_groups(0), part, &begin, &end);
    const fold_type sum = compact_count(env, in, block + begin, block + end, store);
    if (get_local_id(0) == 0) ARRAY(fold_type, partials)[part] = sum;
}

/* Pass 2 of a block: one group replaces each part's counts by the counts of all elements before the part.
 * partials[parts] becomes the counts up to the block's end. */
MCL_KERNEL(TILE_THREADS) compact_spine(PARAMS_compact_spine)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    __global fold_type *const partials = ARRAY(fold_type, partials);
    __global fold_type *const carry = ARRAY(fold_type, carry);
    fold_type counted = fold_nothing();
    if (has_carry) counted = carry[turn];
    const fold_type sum = spine_scan(env, partials, parts, 1, counted, store->sums);
    if (get_local_id(0) == 0) carry[!turn] = partials[parts] = sum;
}

/* Pass 3 of a block: each group moves the elements of its part. partials[part] has the counts of all elements before
 * the part. Where there is only one part, it needs no partials. */
MCL_KERNEL(TILE_THREADS) compact_down(PARAMS_compact_down)
{
    MCL_SHARED(compact_store, store);
    const env_type env = MAKE_env;
    compact_operands o;
    TAKE_compact_down(o);
    const index_type part = (index_type)get_group_id(0);
    index_type begin, end;
    part_range(block_count(o.in.count, o.block, o.block_size), (index_type)get_num_groups(0), part, &begin, &end);
    const fold_type total = compact_part(env, o, begin, end, ARRAY(fold_type, partials), store);
    if (get_local_id(0) == 0 && (begin < end ? o.block + end == o.in.count : o.block + part == 0 && o.in.count == 0))
        put_total(o, total);
}
#endif
