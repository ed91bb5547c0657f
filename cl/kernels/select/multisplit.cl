/* multisplit.cl: moves elements into buckets, stable. A bucket's number is a digit of digit_group.clh.
 *   MULTISPLIT_LOOK_BACK   multisplit_clear, multisplit_count, multisplit_offsets, multisplit_sweep
 *   otherwise              multisplit_parts, multisplit_spine, multisplit_offsets, multisplit_scatter
 * The last pass is left out where nothing is moved.
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input keys; operator bucket, or input splitters and operator
 * before; DIGIT_BITS; BUCKETS_ANEW: see multisplit_group.clh; MULTISPLIT_LOOK_BACK: STATE_BITS. Inputs values and
 * positions and outputs out, out_values, offsets and counts may be absent or not wanted.
 *
 * Bounds: a bucket's number is clamped to be below bucket_count, whatever the expression gives (bucket_of). A search in
 * bucket_count - 1 splitters gives only such numbers. Expression and search may give another number when they are
 * called again. So each kernel finds an element's bucket once and keeps it: ranks in the tile are below the tile's
 * size. An expression of the key alone gives the same number again (BUCKETS_ANEW). Sums of counts of different kernels
 * are clamped to the number of elements (bounded_sum). An element without an index below that number is dropped
 * (is_index). */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define DIGITS (1 << DIGIT_BITS)
#define COUNTS_VARY 1
#define MOVES_KEYS WANTED_out
#define MOVES_VALUES (HAS_values && WANTED_out_values)
#include "pieces/words/bounded_index.clh"
#include "pieces/tile/part_range.clh"

typedef operands_type split_operands;
#include "pieces/digits/digit_spine.clh"

#if HAS_splitters
/* Returns 1 where element k, which is x, comes before splitter s. An element that equals the splitter comes before it
 * where k is below the splitter's position. */
static inline int is_before_splitter(const env_type env, const split_operands o, const keys_type x, const index_type k,
                                     const index_type s)
{
    const keys_type splitter = load_splitters(o.splitters, s);
    const int is_less = before(env, x, splitter) != 0;
    (void)k;
#if HAS_positions
    return is_less || (!before(env, splitter, x) && (int64_t)k < (int64_t)load_positions(o.positions, s));
#else
    return is_less;
#endif
}

/* Does a step of the search for the bucket of element k, which is x. found: number of splitters that are known not to
 * come after the element. Returns the new number. It has no branch, since half of the predictions would be wrong. */
static inline uint bucket_step(const env_type env, const split_operands o, const keys_type x, const index_type k,
                               const uint found, const uint step)
{
    const uint splitters = (uint)o.bucket_count - 1, most = found + step;
    const uint looked_at = most < splitters ? most : splitters;
    const int is_before = is_before_splitter(env, o, x, k, (index_type)looked_at - 1);
    return found + (step & -(uint)((most <= splitters) & !is_before));
}

/* Returns the number of splitters that element k, which is x, does not come before. */
static inline uint search_splitters(const env_type env, const split_operands o, const keys_type x, const index_type k)
{
    uint found = 0;
    UNROLL
    for (uint step = DIGITS / 2; step > 0; step /= 2) found = bucket_step(env, o, x, k, found, step);
    return found;
}

/* Returns the bucket of element k, which is x. With positions the first search looks at the splitters' keys alone. Only
 * an element that equals a splitter is searched for again, by position. */
static inline uint bucket_of(const env_type env, const split_operands o, const keys_type x, const index_type k)
{
    if (o.bucket_count == 1) return 0;
#if HAS_positions
    const uint splitters = (uint)o.bucket_count - 1;
    uint found = 0;
    UNROLL
    for (uint step = DIGITS / 2; step > 0; step /= 2) {
        const uint most = found + step, looked_at = most < splitters ? most : splitters;
        const int is_before = before(env, x, load_splitters(o.splitters, (index_type)looked_at - 1)) != 0;
        found += step & -(uint)((most <= splitters) & !is_before);
    }
    if (found == 0 || before(env, load_splitters(o.splitters, (index_type)found - 1), x)) return found;
#endif
    return search_splitters(env, o, x, k);
}
#else
/* Returns the bucket of element k, which is x. A number outside [0, bucket_count) gives the last bucket. */
static inline uint bucket_of(const env_type env, const split_operands o, const keys_type x, const index_type k)
{
    const ulong number = (ulong)bucket(env, x, k);
    const uint last = (uint)o.bucket_count - 1;
    return number < last ? (uint)number : last;
}
#endif

#if TILE_THREADS == 1
#include "kernels/select/multisplit_serial.clh"
#else
#include "kernels/select/multisplit_group.clh"
#endif

#if MULTISPLIT_LOOK_BACK
#include "pieces/words/index_words.clh"
typedef uint total_word;
#define TOTAL(totals, d) index_words_load(totals, d)
#else
typedef index_type total_word;
#define TOTAL(totals, d) (totals)[d]
#endif

/* Pass 3: one group finds the indices where the buckets begin, and stores offsets and counts. */
MCL_KERNEL(TILE_THREADS) multisplit_offsets(PARAMS_multisplit_offsets)
{
    MCL_SHARED(spine_store, store);
    const env_type env = MAKE_env;
    __global const total_word *const totals = ARRAY(total_word, totals);
    __global index_type *const bases = ARRAY(index_type, bases);
    split_operands o;
    TAKE_multisplit_offsets(o);
    const int first = (int)get_local_id(0) * DIGIT_SHARE;
    const int last = first + DIGIT_SHARE < o.bucket_count ? first + DIGIT_SHARE : o.bucket_count;
    index_type own = 0, sum;
    for (int d = first; d < last; ++d) own += TOTAL(totals, d);
    index_type base = sums_before(env, own, &sum, store->sums);
    for (int d = first; d < last; ++d) {
        const index_type total = TOTAL(totals, d);
        bases[d] = base;
        store_offsets(o.offsets, d, (offsets_type)base);
        store_counts(o.counts, d, (counts_type)total);
        base += total;
    }
    if (get_local_id(0) == 0) store_offsets(o.offsets, o.bucket_count, (offsets_type)sum);
}

#if MULTISPLIT_LOOK_BACK
/* Pass 1: clears the words that the next passes start from. */
MCL_KERNEL(TILE_THREADS) multisplit_clear(PARAMS_multisplit_clear)
{
    __global uint *const words = ARRAY(uint, words);
    for (int64_t k = (int64_t)get_global_id(0); k < count; k += (int64_t)get_global_size(0)) words[k] = 0;
}

#if HAS_splitters /* the search needs many registers */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#endif

/* Pass 2: each group counts the elements of each bucket in its part. A bucket has several counters, so that lanes
 * rarely add to the same one. */
MCL_KERNEL(TILE_THREADS) multisplit_count(PARAMS_multisplit_count)
{
    MCL_SHARED(count_store, store);
    const env_type env = MAKE_env;
    split_operands o;
    TAKE_multisplit_count(o);
    const int id = (int)get_local_id(0);
    for (int k = id; k < COUNT_WORDS; k += TILE_THREADS) store->counters[k] = 0;
    group_barrier();
    count_range(env, o, store);
    group_barrier();
    for (int d = id; d < DIGITS; d += TILE_THREADS) {
        const uint sum = counted(store, d);
        if (sum > 0) index_words_add(ARRAY(uint, totals), d, (index_type)sum);
    }
}

#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Pass 4: each group moves one tile. */
MCL_KERNEL(TILE_THREADS) multisplit_sweep(PARAMS_multisplit_sweep)
{
    MCL_SHARED(split_store, store);
    const env_type env = MAKE_env;
    __global state_word *const states = ARRAY(state_word, state);
    split_operands o;
    TAKE_multisplit_sweep(o);
    if (get_local_id(0) == 0) store->digits.number = (index_type)atomic_increment_global(ARRAY(uint, tickets));
    clear_counters(&store->digits);
    group_barrier();
    sweep_tile(env, o, states, ARRAY(index_type, bases), store->digits.number, store);
}
#else
/* Without look-back each group moves a part of the elements: see multisplit_group.clh and multisplit_serial.clh. */

/* Pass 1: each group counts the elements of each bucket in its part. */
MCL_KERNEL(TILE_THREADS) multisplit_parts(PARAMS_multisplit_parts)
{
    MCL_SHARED(split_store, store);
    split_operands o;
    TAKE_multisplit_parts(o);
    count_part(MAKE_env, o, ARRAY(index_type, table), store);
}

/* Pass 2: scans each bucket's counts over the parts. */
MCL_KERNEL(TILE_THREADS) multisplit_spine(PARAMS_multisplit_spine)
{
    MCL_SHARED(spine_store, store);
    digit_spine(MAKE_env, ARRAY(index_type, table), parts, ARRAY(index_type, totals), store->sums);
}

/* Pass 4: each group moves the elements of its part. */
MCL_KERNEL(TILE_THREADS) multisplit_scatter(PARAMS_multisplit_scatter)
{
    MCL_SHARED(split_store, store);
    split_operands o;
    TAKE_multisplit_scatter(o);
    move_part(MAKE_env, o, ARRAY(index_type, table), ARRAY(index_type, bases), store);
}
#endif
