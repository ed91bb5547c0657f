/* radix_sort.cl: moves keys into the order of one digit, stable. A sort does it for each digit, the least significant
 * first.
 *   RADIX_LOOK_BACK   radix_clear, radix_count, then radix_sweep for each digit in which keys differ
 *   otherwise         for each digit radix_parts, radix_spine, radix_scatter
 *   RADIX_BUCKETS     serial: first radix_plan, the last three for the top digit, and radix_buckets;
 *                     groups: first bucket_sort.cl. Where keys are sorted then, the passes above do nothing (IS_TURN)
 * Needs: index_type TILE_THREADS TILE_ITEMS RESIDENT; input keys; output out of their stored bits; what radix_digit.clh
 * needs. Input values and output out_values, which follow the keys, may be absent. RADIX_LOOK_BACK: STATE_BITS;
 * SWEEP_TURNS, 1: groups take tile after tile, for counts from the device, which may be far below their bounds.
 * HAS_ROWS: rows of row_length keys, of row_tiles tiles each, are sorted separately, and row_parts groups count each.
 * KEYS_VARY: an expression gave the keys that were counted.
 *
 * Bounds: a digit is below 1 << DIGIT_BITS for all bits of a key, NaN too, and depends on these bits alone. Keys of an
 * array have the same digit when they are counted and when they are moved. So each key gets an index of its own, below
 * the number of keys. An expression may give other keys the second time. So with KEYS_VARY a sum of counts is clamped
 * to the number of keys (bounded_sum). A key without an index below that number is dropped (is_index). */
#define HAS_VALUES HAS_out_values
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define COUNTS_VARY KEYS_VARY
#include "pieces/words/bounded_index.clh"
#include "pieces/tile/part_range.clh"

typedef operands_type radix_operands;
#include "kernels/sort/radix_digit.clh"
#include "pieces/digits/digit_spine.clh"
#define RADIX_TOP (RADIX_BUCKETS && TILE_THREADS == 1)
#if RADIX_TOP
#include "kernels/sort/radix_top.clh"
#include "kernels/sort/radix_buckets.clh"
#define IS_TURN(counts) is_turn(turn, counts, ARRAY(bucket_plan, plan))
#elif RADIX_BUCKETS
typedef struct {
    uint unsorted; /* the first member of bucket_sort.cl's bucket_head */
} bucket_plan;
#define IS_TURN(counts) (ARRAY(bucket_plan, plan)->unsorted != 0)
#else
#define IS_TURN(counts) 1
#endif
#if TILE_THREADS == 1
#include "kernels/sort/radix_serial.clh"
#else
#include "kernels/sort/radix_group.clh"
#endif

#if RADIX_LOOK_BACK

/* A sequence that is sorted separately: count keys from begin on. Without rows the sequence is all keys. */
typedef struct {
    index_type number, begin, count;
} radix_row;

static inline radix_row row_find(const index_type number, const index_type row_length, const index_type count)
{
    radix_row row;
#if HAS_ROWS
    row.number = number;
    row.begin = number * row_length < count ? number * row_length : count;
    row.count = count - row.begin < row_length ? count - row.begin : row_length;
#else
    (void)number;
    (void)row_length;
    row.number = row.begin = 0;
    row.count = count;
#endif
    return row;
}

/* Returns the digit counts of a row; each row has words of them. */
static inline __global uint *row_bases(__global uint *bases, const radix_row row, const int words)
{
    return bases + (int64_t)row.number * words * (INDEX_BITS / 32);
}

/* The keys of a tile's row, and the digit that is counted in them. */
typedef struct {
    input_keys keys;
    radix_digit digit;
} digit_source;

/* Returns how many keys of a whole tile have digit d. */
static inline int recount_digit(const env_type env, const digit_source source, const index_type tile, const int d)
{
    const input_keys own = shift_keys(source.keys, tile * TILE_SIZE);
    int count = 0;
    (void)env;
    ROLLED
    for (int k = 0; k < TILE_SIZE; ++k) count += digit_of(source.digit, key_bits(load_keys(own, k))) == (uint)d;
    return count;
}
#include "pieces/digits/digit_look_back.clh"
#include "pieces/words/index_words.clh"

/* Pass 1: clears the words that the next passes start from: the states of the first sweep, bases and tickets. After the
 * tickets lie DIFFER_WORDS words of bits in which keys differ, and a word for each launch of radix_sweep: its turn. */
MCL_KERNEL(TILE_THREADS) radix_clear(PARAMS_radix_clear)
{
    __global uint *const words = ARRAY(uint, words);
    const int64_t cleared = IS_TURN(1) ? count : 0;
    for (int64_t k = (int64_t)get_global_id(0); k < cleared; k += (int64_t)get_global_size(0)) words[k] = 0;
}

#define COUNT_WORDS KEY_DIGIT_WORDS(KEY_BITS, DIGIT_BITS)
typedef struct {
    uint counters[COUNT_WORDS];
    fold_type sums[SCAN_GROUP_SHARED];
    uint differ[DIFFER_WORDS];
} count_store;

/* Scans a group's counts of digits, words in all, and adds the scan to the global bases. It has counted keys. */
static inline void add_counts(const env_type env, __global uint *bases, const int words, const index_type counted,
                              __local count_store *store)
{
    const int id = (int)get_local_id(0);
    const int share = (words + TILE_THREADS - 1) / TILE_THREADS;
    const int first = id * share;
    const int last = first + share < words ? first + share : words;
    index_type own = 0, sum;
    for (int i = first; i < last; ++i) own += (index_type)store->counters[i];
    index_type offset = sums_before(env, own, &sum, store->sums);
    for (int i = first; i < last; ++i) {
        const index_type base = offset - i / DIGITS * counted; /* base is right since each pass counts every key */
        if (base > 0) index_words_add(bases, i, base);
        offset += (index_type)store->counters[i];
    }
}

/* Pass 2: reads the keys once, counts all digits, and notes the bits in which images differ from the first one. Each
 * group adds the scan of its own counts to the global bases, since the sum of the scans is the scan of the sums. */
MCL_KERNEL(TILE_THREADS) radix_count(PARAMS_radix_count)
{
    MCL_SHARED(count_store, store);
    GROUP_LEAVES_IF(!IS_TURN(1));
    input_keys all = MAKE_keys;
    if (!IS_TURN(1)) all.count = 0;
    const int id = (int)get_local_id(0);
    const int words = passes * DIGITS;
    const index_type group = (index_type)get_group_id(0);
    const index_type parts = HAS_ROWS ? row_parts : (index_type)get_num_groups(0);
    const radix_row row = row_find(HAS_ROWS ? group / parts : 0, row_length, all.count);
    const input_keys keys = shift_keys(all, row.begin);
    __global uint *const bases = row_bases(ARRAY(uint, bases), row, words);
    const image_type reference = all.count > 0 ? image_of(key_bits(load_keys(all, 0))) : 0;
    image_type differ = 0;
    index_type begin, end;
    part_range(row.count, parts, HAS_ROWS ? group % parts : group, &begin, &end);
    for (int k = id; k < words; k += TILE_THREADS) store->counters[k] = 0;
    if (id < DIFFER_WORDS) store->differ[id] = 0;
    group_barrier();
    index_type k = begin + id;
    for (; end - k > (TILE_ITEMS - 1) * TILE_THREADS; k += TILE_SIZE) {
        const input_keys own = shift_keys(keys, k);
        out_type kept[TILE_ITEMS];
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) kept[j] = key_bits(load_keys(own, j * TILE_THREADS));
        UNROLL
        for (int j = 0; j < TILE_ITEMS; ++j) differ |= image_of(kept[j]) ^ reference;
        for (int pass = 0; pass < passes; ++pass) {
            const radix_digit digit = MAKE_digit(pass);
            __local uint *const counters = store->counters + pass * DIGITS;
            UNROLL
            for (int j = 0; j < TILE_ITEMS; ++j) atomic_add_local(counters + digit_of(digit, kept[j]), 1);
        }
    }
    for (; k < end; k += TILE_THREADS) {
        const out_type bits = key_bits(load_keys(keys, k));
        differ |= image_of(bits) ^ reference;
        for (int pass = 0; pass < passes; ++pass)
            atomic_add_local(store->counters + pass * DIGITS + digit_of(MAKE_digit(pass), bits), 1);
    }
    note_image_bits(differ, store->differ);
    group_barrier();
    if (id < DIFFER_WORDS && store->differ[id] != 0)
        (void)atomic_or_global(ARRAY(uint, tickets) + passes + id, store->differ[id]);
    add_counts(MAKE_env, bases, words, begin < end ? end - begin : 0, store);
}

/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Keys of up to 32 bits may take either array as their first one. Registers do not last for it with longer keys or
 * indices, and with values in groups that take tile after tile. */
#define SWEEP_SWAPS (KEY_BITS <= 32 && INDEX_BITS == 32 && !(SWEEP_TURNS && HAS_VALUES))

/* What a launch of radix_sweep does, in a word: 0, or 1 and the number of its digit, and TURN_SWAPS where arrays are
 * swapped. They are swapped where the number of launches that move keys differs by an odd number from passes. */
enum { TURN_SWAPS = 1 << 8 };

/* Finds the turn of a launch. No launch moves keys by a digit that all keys share, except to make their number right.
 * There is one at least, since keys must be moved to the output. Where arrays are not swapped, the number is even or
 * odd as passes is: a sort in place first moves keys to the other array. differ: the bits in which images differ. */
static inline uint find_turn(const int launch, const int passes, const int first_bit, const int window_bits,
                             image_type differ, const int in_place)
{
    const int share = window_bits / passes, extra = window_bits % passes;
    uint moved = 0; /* a bit for each digit by which keys are moved */
    differ >>= first_bit & IMAGE_SHIFTS;
    for (int pass = 0; pass < passes; ++pass) {
        const int bits = share + (pass < extra);
        moved |= (uint)(((uint)differ & ((1u << bits) - 1)) != 0) << pass;
        differ >>= bits;
    }
    const int launches = popcount(moved) > 0 ? (int)popcount(moved) : 1;
    const int odd = (passes - launches) & 1, wanted = launches + (odd && (in_place | !SWEEP_SWAPS));
    while ((int)popcount(moved) < wanted) moved |= moved + 1; /* the lowest digit that is left out */
    for (int k = 0; k < launch; ++k) moved &= moved - 1;
    if (moved == 0) return 0;
    return (uint)(32 - (int)clz(moved & (0u - moved))) | (odd && wanted == launches ? TURN_SWAPS : 0);
}

/* Loads the bits in which images differ. */
static inline image_type load_differ(__global const uint *words)
{
#if KEY_BITS == 64
    return words[0] | (image_type)words[1] << 32;
#else
    return words[0];
#endif
}

/* Finds a turn from the kernel's parameters. */
#define FIND_turn(launch) \
    find_turn(launch, passes, first_bit, window_bits, load_differ(ARRAY(uint, tickets) + passes), in_place)

/* Takes the ticket of the next tile, and clears the counters. */
static inline void sweep_begin(__global uint *ticket, __local radix_store *store)
{
    if (get_local_id(0) == 0) store->digits.number = (index_type)atomic_increment_global(ticket);
    clear_counters(&store->digits);
}

/* Moves the keys of a tile by one digit, and returns 1. Returns 0 where SWEEP_TURNS is 1 and no tile is left. */
static INLINED int sweep_tile(const env_type env, const radix_operands o, const radix_digit digit, const int pass,
                              const int passes, const index_type row_tiles, const index_type row_length,
                              __global uint *all_bases, __global state_word *all_states, __local radix_store *store)
{
    digit_source source;
    out_type kept[TILE_ITEMS];
    uint ranks[RANK_WORDS], digits[DIGIT_WORDS];
    index_type totals[DIGIT_SHARE], begins[DIGIT_SHARE];
    const index_type ticket = store->digits.number;
    const radix_row row = row_find(HAS_ROWS ? ticket / row_tiles : 0, row_length, o.keys.count);
    const index_type tile = HAS_ROWS ? ticket % row_tiles : ticket; /* number of the tile in the row */
    __global state_word *const states = all_states + (int64_t)(ticket - tile) * DIGITS;
    __global uint *const bases = row_bases(all_bases, row, passes * DIGITS);
    const int count = tile_count(tile * TILE_SIZE, row.count);
#if SWEEP_TURNS
    if (count == 0) return 0; /* on a GPU the whole group returns here */
#endif
    source.keys = shift_keys(o.keys, row.begin);
    source.digit = digit;
    load_tile(source.keys, tile * TILE_SIZE, count, kept);
    UNROLL
    for (int s = 0; s < DIGIT_SHARE; ++s)
        begins[s] = DIGIT(s) < DIGITS ? row.begin + index_words_load(bases, pass * DIGITS + DIGIT(s)) : 0;
    count_tile(digit, kept, count, store);
    group_barrier();
    sum_digits((int)digit.mask, count, &store->digits, totals);
    digit_counts_publish(states, tile, begins, totals, o.keys.count);
    rank_digits(env, totals, &store->digits);
    group_barrier();
    stage_tile(digit, kept, count, store, ranks);
#if HAS_VALUES
    values_type kept_values[TILE_ITEMS];
    load_digits_values(o.values, row.begin + tile * TILE_SIZE, count, kept_values);
#endif
    digit_look_back(env, source, states, tile, begins, totals, o.keys.count, &store->digits);
    group_barrier();
    store_tile(digit, o, count, store, digits);
#if HAS_VALUES
    store_tile_values(o, count, kept_values, ranks, digits, store);
#endif
    return 1;
}

#if SWEEP_SWAPS
/* Swaps the arrays. Each launch after the first reads what the launch before it has stored. */
static inline void swap_arrays(const int launch, radix_operands *o)
{
#if ARRAY_keys
    if (launch > 0) o->keys.data = o->out.data;
#endif
    o->out.data = o->spare.data;
#if HAS_VALUES
#if ARRAY_values
    if (launch > 0) o->values.data = o->out_values.data;
#endif
    o->out_values.data = o->spare_values.data;
#endif
}
#endif

/* Passes from the third on: each group moves the keys of one tile by a digit. With SWEEP_TURNS it moves tile after tile
 * until none is left. It also clears its share of the next pass's states. */
MCL_KERNEL(TILE_THREADS) radix_sweep(PARAMS_radix_sweep)
{
    MCL_SHARED(radix_store, store);
    GROUP_LEAVES_IF(!IS_TURN(1));
    __global state_word *const next_states = ARRAY(state_word, next_state);
    __global uint *const tickets = ARRAY(uint, tickets), *const turns = tickets + passes + DIFFER_WORDS;
    const env_type env = MAKE_env;
    radix_operands o;
    TAKE_radix_sweep(o);
    sweep_begin(tickets + pass, store);
    /* The last work-item does not wait for the ticket. base is free until a tile is ranked. */
    if ((int)get_local_id(0) == TILE_THREADS - 1)
        store->digits.base[0] = (index_type)(pass > 0 ? turns[pass] : FIND_turn(0));
    group_barrier();
    const uint turn = (uint)store->digits.base[0];
    for (int64_t k = (int64_t)get_global_id(0); k < next_words; k += (int64_t)get_global_size(0)) next_states[k] = 0;
    if (pass == 0 && get_group_id(0) == 0)
        for (int k = 1 + (int)get_local_id(0); k < passes; k += TILE_THREADS)
            turns[k] = FIND_turn(k);
    GROUP_LEAVES_IF(turn == 0);
    if (turn == 0) o.keys.count = 0;
    const int number = turn == 0 ? 0 : (int)(turn % TURN_SWAPS) - 1;
    const radix_digit digit = MAKE_digit(number);
#if SWEEP_SWAPS
    if (turn >= TURN_SWAPS) swap_arrays(pass, &o);
#endif
#if SWEEP_TURNS
    ROLLED
    while (sweep_tile(env, o, digit, number, passes, row_tiles, row_length, ARRAY(uint, bases),
                      ARRAY(state_word, state), store)) {
        group_barrier();
        sweep_begin(tickets + pass, store);
        group_barrier();
    }
#else
    if (IS_TURN(1))
        (void)sweep_tile(env, o, digit, number, passes, row_tiles, row_length, ARRAY(uint, bases),
                         ARRAY(state_word, state), store);
#endif
}
#else
/* Without look-back each group moves a part of the keys: see radix_group.clh and radix_serial.clh. The table has the
 * count of digit 0 in each part, then the count of digit 1 in each part, and so on. */

#if RADIX_TOP
/* Before the first pass: finds the top digit. */
MCL_KERNEL(TILE_THREADS) radix_plan(PARAMS_radix_plan)
{
    plan_buckets(MAKE_keys, MAKE_window, shares, ARRAY(bucket_plan, plan));
}
#endif

/* Pass 1: counts a part's digits. */
MCL_KERNEL(TILE_THREADS) radix_parts(PARAMS_radix_parts)
{
    MCL_SHARED(radix_store, store);
    if (IS_TURN(1)) count_part(MAKE_keys, MAKE_part_digit(pass), ARRAY(index_type, table), store);
}

/* Pass 2: makes an exclusive scan of each digit's counts over the parts, and stores the digit's total. Each group does
 * some of the digits. */
MCL_KERNEL(TILE_THREADS) radix_spine(PARAMS_radix_spine)
{
    MCL_SHARED(spine_store, store);
    if (IS_TURN(1)) digit_spine(MAKE_env, ARRAY(index_type, table), parts, ARRAY(index_type, totals), store->sums);
#if RADIX_TOP
    if (turn == TURN_TOP) plan_check(ARRAY(bucket_plan, plan), ARRAY(index_type, totals));
#endif
}

/* Pass 3: moves a part's keys. */
MCL_KERNEL(TILE_THREADS) radix_scatter(PARAMS_radix_scatter)
{
    MCL_SHARED(radix_store, store);
    radix_operands o;
    TAKE_radix_scatter(o);
    if (IS_TURN(0)) move_part(o, MAKE_part_digit(pass), ARRAY(index_type, table), ARRAY(index_type, totals), store);
}

#if RADIX_TOP
/* Pass 4: sorts buckets, where they are even. */
MCL_KERNEL(TILE_THREADS) radix_buckets(PARAMS_radix_buckets)
{
    radix_operands o;
    TAKE_radix_buckets(o);
    if (IS_TURN(0)) sort_buckets(o, MAKE_window, ARRAY(bucket_plan, plan), in_place, ARRAY(index_type, totals));
}
#endif
#endif
