/* by_key.cl: folds or scans each run of a sequence: a run goes from one head up to the next. Passes:
 *   RUNS_LOOK_BACK   look_back_clear, runs_tiles; for few tiles only runs_few_tiles
 *   otherwise        runs_nodes, runs_spine, runs_down
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input values; input by, whose elements tell the heads as
 * RUNS_HEADS says; sum.
 *   HEADS_KEYS     operator same
 *   RUN_INITIAL    the fold of each run begins with initial
 *   RUNS_REDUCE    outputs out, out_keys (RUNS_KEYS), count
 *   otherwise      output out; RUNS_INCLUSIVE; RUNS_SEPARATE: values and results differ in size
 *
 * A fold_type stands for a range of elements: it has the number of heads in the range, and the fold of the elements
 * from the last head on. Joining two of these values is associative, so the pieces that fold and scan a sequence work
 * on runs as well. The function that joins two is called fold here; the user's operator is called sum.
 *
 * Bounds, whatever same says and whatever the heads are: heads are bits of a work-item's own elements. The first
 * element of all is a head. So a run's number is from 0 to below the number of elements. Runs and keys are stored only
 * to below the outputs' capacities, results of scans only to the tile's own elements. Offsets are clamped to the
 * elements. A search in offsets starts where the last one ended, and each round of a loop advances by at least one
 * element. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
/* Without this bound ptxas spills some registers to fit more groups. Where 8 bytes are reduced it spills none, and more
 * groups are faster. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#include "facts/runs.h"
#define HEADS_ARE_KEYS (RUNS_HEADS == HEADS_KEYS)
#define HEADS_ARE_FLAGS (RUNS_HEADS == HEADS_FLAGS)
#define HEADS_ARE_OFFSETS (RUNS_HEADS == HEADS_OFFSETS || RUNS_HEADS == HEADS_BEGINS)
#define HEADS_HAVE_END (RUNS_HEADS == HEADS_OFFSETS) /* 1: the last offset is an end */

/* ---- runs as a sequence that can be folded ---------------------------------------------------------------------- */

typedef struct {
    sum_type value;
    index_type heads;
} fold_type;
#define FOLD_COUNT heads
#define fold_COMMUTATIVE 0
#define fold_ROUNDS sum_ROUNDS
#define FOLD_ROLLED !sum_ROUNDS /* FOLD_ROLLED is for tiles that are folded again, which are rare */

static inline fold_type fold(const env_type env, const fold_type p, const fold_type q)
{
    if (BY_CASES(fold_type) && q.heads != 0) {
        fold_type cut;
        cut.value = q.value;
        cut.heads = p.heads + q.heads;
        return cut;
    }
    fold_type joined;
#if FOLDS_FIRST && fold_ROUNDS /* look_back_tree.clh folds in loops, where POCL 6.0 needs this order */
    const sum_type both = sum(env, p.value, q.value);
    joined.value = q.heads == 0 ? both : q.value;
#else
    if (!BY_CASES(fold_type)) joined.value = q.value;
    if (BY_CASES(fold_type) || q.heads == 0) joined.value = sum(env, p.value, q.value);
#endif
    joined.heads = p.heads + q.heads;
    return joined;
}

typedef struct {
    env_type env;
    input_values values;
    input_by by;
    index_type count;
#if RUN_INITIAL
    sum_type initial;
#endif
} input_in;

#if RUN_INITIAL
#define START_PARAM , sum_type initial
#define START , initial
#define START_SET(in) (in).initial = initial
#define RUN_NEUTRAL(in) (in).initial /* result of an exclusive scan at a head */
/* Returns the sum that a run starts with: initial, if there is one, and value x of the run's first element. */
static inline sum_type run_start(const input_in in, const values_type x, const index_type k)
{
    return sum(in.env, in.initial, sum_extract(in.env, x, k));
}
#else
#define START_PARAM
#define START
#define START_SET(in) (void)(in)
#define RUN_NEUTRAL(in) sum_identity((in).env)
static inline sum_type run_start(const input_in in, const values_type x, const index_type k)
{
    return sum_extract(in.env, x, k);
}
#endif

#if HEADS_ARE_OFFSETS
static inline index_type offset_at(const input_in in, const index_type k)
{
    const int64_t offset = (int64_t)load_by(in.by, k);
    return offset < 0 ? 0 : offset > (int64_t)in.count ? in.count : (index_type)offset;
}

/* Returns the lower bound of index in offsets [begin, end). */
static inline index_type offset_from(const input_in in, const index_type index, const index_type begin,
                                     const index_type end)
{
    index_type low = begin, high = end;
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        if (offset_at(in, middle) < index) low = middle + 1;
        else high = middle;
    }
    return low;
}
#endif

/* Return the index of the first element in a run, and the end of the last run; elements outside are not stored. Each
 * use computes them again, since as members of input_in they would cost registers. */
static inline index_type runs_begin(const input_in in)
{
#if HEADS_ARE_OFFSETS
    return in.by.count > HEADS_HAVE_END ? offset_at(in, 0) : HEADS_HAVE_END ? 0 : in.count;
#else
    (void)in;
    return 0;
#endif
}

static inline index_type runs_end(const input_in in)
{
#if HEADS_HAVE_END
    return in.by.count > 1 ? offset_at(in, in.by.count - 1) : 0;
#else
    return in.count;
#endif
}

/* Returns 1 where element k begins a run. k is above 0. */
static inline int is_inner_head(const input_in in, const index_type k)
{
#if HEADS_ARE_KEYS
    return !same(in.env, load_by(in.by, k - 1), load_by(in.by, k));
#elif HEADS_ARE_FLAGS
    return (int)((uint32_t)load_by(in.by, k >> HEAD_FLAG_SHIFT) >> (k & (HEAD_FLAG_BITS - 1)) & 1);
#else
    const index_type s = offset_from(in, k, 0, in.by.count);
    return s < in.by.count && offset_at(in, s) == k;
#endif
}

static inline int is_head(const input_in in, const index_type k)
{
    return k == 0 || is_inner_head(in, k);
}

static inline fold_type load_in(const input_in in, const index_type k)
{
    const values_type x = load_values(in.values, k);
    fold_type element;
    element.heads = is_head(in, k);
    element.value = element.heads ? run_start(in, x, k) : sum_extract(in.env, x, k);
    return element;
}

static inline fold_type fold_extract(const env_type env, const fold_type x, const index_type k)
{
    (void)env;
    (void)k;
    return x;
}

static inline input_in make_runs(const env_type env, const input_values values, const input_by by START_PARAM)
{
    input_in in;
    in.env = env;
    in.values = values;
    in.by = by;
    START_SET(in);
    /* only where heads are keys, by has the count of the sequence */
    in.count = HEADS_ARE_KEYS ? by.count : values.count;
    return in;
}

/* ---- outputs ------------------------------------------------------------------------------------------------- */

typedef struct {
    output_out out;
    output_count count;
    int64_t capacity;
    int has_count;
    output_out_keys out_keys;
    int64_t keys_capacity;
} run_outputs;

static inline run_outputs make_outputs(const output_out_keys out_keys, const int64_t keys_capacity,
                                       const output_out out, const int64_t capacity, const output_count count,
                                       const int has_count)
{
    run_outputs o;
    o.out_keys = out_keys;
    o.keys_capacity = keys_capacity;
    o.out = out;
    o.capacity = capacity;
    o.count = count;
    o.has_count = has_count;
    return o;
}

#if RUNS_KEYS
#define MAKE_outputs make_outputs(MAKE_out_keys, keys_capacity, MAKE_out, capacity, MAKE_count, has_count)
#elif RUNS_REDUCE
#define MAKE_outputs make_outputs(MAKE_out_keys, 0, MAKE_out, capacity, MAKE_count, has_count)
#else
#define MAKE_outputs make_outputs(MAKE_out_keys, 0, MAKE_out, 0, MAKE_count, 0)
#endif

static inline void put_count(const run_outputs o, const index_type runs)
{
    if (o.has_count) store_count(o.count, 0, (int64_t)runs);
}

#if RUNS_REDUCE
static inline void put_run(const run_outputs o, const index_type run, const sum_type v)
{
    if ((int64_t)run < o.capacity) store_out(o.out, run, sum_to_out(v));
}

static inline void put_key(const run_outputs o, const index_type run, const input_in in, const index_type k)
{
    if (RUNS_KEYS && (int64_t)run < o.keys_capacity) store_out_keys(o.out_keys, run, load_by(in.by, k));
}

/* Stores the last run and the number of runs. */
static inline void put_end(const run_outputs o, const fold_type all)
{
    put_run(o, all.heads - 1, all.value);
    put_count(o, all.heads);
}
#else
static inline void put_end(const run_outputs o, const fold_type all)
{
    (void)o;
    (void)all;
}
#endif

/* The fold of a tile (own), which later tiles need, and values with which each work-item stores its elements of the
 * tile. */
typedef struct {
    fold_type own, before; /* before: fold of the tile's elements before the work-item's own elements */
    uint heads;            /* head flags of the work-item's elements: bit j is element j */
    index_type last;       /* the tile's last head, in the serial mapping alone */
} run_part;

#include "pieces/fold/fold_words.clh"
#include "pieces/tile/part_range.clh"
#include "pieces/fold/fold_serial.clh"
#include "pieces/scan/scan_group.clh"
#if RUNS_LOOK_BACK && TILE_THREADS == 1
#include "kernels/fold/runs_serial.clh"
#elif RUNS_LOOK_BACK
#include "pieces/fold/reduce_group.clh"
#include "kernels/fold/runs_group.clh"
#else
#include "pieces/tree/tree_nodes.clh"
#if TILE_THREADS == 1
#include "kernels/fold/runs_tree_serial.clh"
#else
#include "kernels/fold/runs_group.clh"
#endif
#endif

#if RUNS_LOOK_BACK
#include "pieces/scan/look_back.clh"
#include "pieces/scan/look_back_states.clh"

#if fold_ROUNDS
/* Returns the fold of all tiles before this one, in work-item 0. own is the fold of this tile. */
static inline fold_type exchange(const input_in in, __global ulong *state, const index_type tile, const fold_type own)
{
    return look_back_nodes(in.env, in, state, tile, own);
}
#else
/* Returns the status with which a tile publishes its own fold before it looks back. For a scan a tile with a head has a
 * prefix already: later tiles need the fold from the last head on, and not the number of heads. */
static inline uint own_status(const index_type tile, const fold_type own)
{
    const int is_known = RUNS_REDUCE ? tile == 0 : tile == 0 || own.heads > 0;
    return is_known ? STATE_PREFIX : STATE_AGGREGATE;
}

/* Returns the fold of all tiles before this one, in the work-items that look back. own is the fold of this tile. */
static inline fold_type exchange(const input_in in, __global ulong *state, const index_type tile, const fold_type own)
{
    const int id = (int)get_local_id(0);
    fold_type prefix = fold_nothing();
    if (id == 0) state_publish(state, tile, own_status(tile, own), own);
    if (tile > 0) prefix = look_back(in.env, in, state, tile);
    if (id == 0 && own_status(tile, own) != STATE_PREFIX)
        state_publish(state, tile, STATE_PREFIX, fold(in.env, prefix, own));
    return prefix;
}
#endif

static inline void run_next_tile(const input_in in, const run_outputs o, __global ulong *state, __global uint *counters,
                                 __local run_store *store)
{
    const int id = (int)get_local_id(0);
    if (id == 0) store->number = (index_type)atomic_increment_global(counters);
    group_barrier();
    const index_type tile = store->number;
    const index_type begin = tile * TILE_SIZE;
    const int count = tile_count(begin, in.count);
    const run_part part = run_sum(in, begin, count, store);
    fold_type prefix = fold_nothing();
    if (id < LOOK_BACK_ITEMS && count > 0) prefix = exchange(in, state, tile, part.own);
    const fold_type all = run_store_tile(in, o, begin, count, tile > 0, prefix, part, store);
    /* put_end comes after run_store_tile: NVIDIA's OpenCL (driver 580) loses a store to out that stands before the
     * tile's stores */
    if (id == 0 && count > 0 && begin + count == in.count) put_end(o, all);
    if (id == 0 && tile == 0 && in.count == 0) put_count(o, 0);
}

/* Pass 2: each group does one tile. */
MCL_KERNEL(TILE_THREADS) runs_tiles(PARAMS_runs_tiles)
{
    MCL_SHARED(run_store, store);
    const env_type env = MAKE_env;
    const input_in in = make_runs(env, MAKE_values, MAKE_by START);
    const run_outputs o = MAKE_outputs;
    run_next_tile(in, o, ARRAY(ulong, state), ARRAY(uint, counters), store);
}

/* The only pass where there are few tiles. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) runs_few_tiles(PARAMS_runs_few_tiles)
{
    MCL_SHARED(run_store, store);
    const env_type env = MAKE_env;
    const input_in in = make_runs(env, MAKE_values, MAKE_by START);
    __global uint *const counters = ARRAY(uint, counters);
    __global ulong *const states = ARRAY(ulong, state);
    const run_outputs o = MAKE_outputs;
    const int id = (int)get_local_id(0);
    /* a variable of the work-item would take a register */
    if (id == 0) store->tiles = in.count / TILE_SIZE + (in.count % TILE_SIZE != 0);
    run_next_tile(in, o, states, counters, store);
    few_tiles_done(states, counters, store->tiles, &store->number);
}
#else
/* ---- two passes ------------------------------------------------------------------------------------------------ */

/* The tree of tree.clh over all elements joins the folds. Neither the tree nor the results depend on the tile's
 * size. */

/* Pass 1: each group stores the folds of its whole tiles. */
MCL_KERNEL(TILE_THREADS) runs_nodes(PARAMS_runs_nodes)
{
    MCL_SHARED(run_store, store);
    const env_type env = MAKE_env;
    const input_in in = make_runs(env, MAKE_values, MAKE_by START);
    __global fold_type *const nodes = ARRAY(fold_type, nodes);
    index_type first, last;
    part_tiles(in.count / TILE_SIZE, (index_type)get_num_groups(0), (index_type)get_group_id(0), &first, &last);
    for (index_type tile = first; tile < last; ++tile) {
        const fold_type node = run_node(in, tile * TILE_SIZE, store);
        if (get_local_id(0) == 0) nodes[tile] = node;
    }
}

/* Pass 2: one group makes the prefixes of a block of tiles. */
MCL_KERNEL(TILE_THREADS) runs_spine(PARAMS_runs_spine)
{
    MCL_SHARED(run_store, store);
    const env_type env = MAKE_env;
    const input_in in = make_runs(env, MAKE_values, MAKE_by START);
    tree_spine(env, ARRAY(fold_type, nodes), ARRAY(fold_type, prefixes), block,
               block_count(in.count / TILE_SIZE, block, block_tiles), &store->tree);
}

/* Pass 3: each group stores the results of its tiles, which continue from the prefixes. */
MCL_KERNEL(TILE_THREADS) runs_down(PARAMS_runs_down)
{
    MCL_SHARED(run_store, store);
    const env_type env = MAKE_env;
    const input_in in = make_runs(env, MAKE_values, MAKE_by START);
    const run_outputs o = MAKE_outputs;
    __global const fold_type *const prefixes = ARRAY(fold_type, prefixes);
    index_type first, last;
    part_tiles(tile_number(in.count), (index_type)get_num_groups(0), (index_type)get_group_id(0), &first, &last);
    for (index_type tile = first; tile < last; ++tile) {
        const index_type begin = tile * TILE_SIZE;
        const int count = tile_count(begin, in.count);
        const fold_type all = run_store_after(in, o, prefixes, tile, count, store);
        if (get_local_id(0) == 0 && begin + count == in.count) put_end(o, all);
    }
    if (get_local_id(0) == 0 && get_group_id(0) == 0 && in.count == 0) put_count(o, 0);
}
#endif
