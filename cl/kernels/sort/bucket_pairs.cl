/* bucket_pairs.cl: moves keys, and the values that follow them, to their buckets. Equal keys keep their order. The rest
 * of the sort is that of keys alone (bucket_sort.cl, bucket_finish.cl).
 *   bucket_part_pairs     moves keys to their ranges; or copies or reverses keys that are in order already
 *   bucket_gather_pairs   moves keys to their buckets
 * A tile looks back at the tiles before it to find the indices of its keys. In the second pass it looks back at tiles
 * of its range alone.
 *
 * Needs: index_type of 32 bits, TILE_THREADS TILE_ITEMS, STATE_BITS 32; MOVE_BYTES, the work-group memory;
 * KEEPS_ORDER 1; inputs keys and values; arrays out and spare of the keys' stored bits, out_values and spare_values;
 * what radix_digit.clh needs. KEYS_VARY: an expression gave the keys that were counted.
 *
 * Bounds: a part is below PARTS_MOST for all bits of a key. Keys that are moved were counted, unless an expression gave
 * other keys before: is_index drops such keys. All groups together take as many tiles as states has room for; tiles
 * past the last one have no keys. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define COUNTS_VARY KEYS_VARY
#define DIGIT_BITS 8
#include "facts/bucket_sort.h"
#define RANGES_MOST RANGES_USUAL
#include "pieces/words/bounded_index.clh"
#include "pieces/tile/part_range.clh"
#include "kernels/sort/radix_digit.clh"
#include "pieces/fold/index_sum.clh"
#include "pieces/digits/digit_group.clh"

#include "kernels/sort/bucket_record.clh"
#include "kernels/sort/quantile_map.clh"
#include "kernels/sort/bucket_place.clh"
#include "kernels/sort/bucket_ranges.clh"
#include "kernels/sort/ranked_keys.clh"
typedef char parts_are_digits[DIGITS == PARTS_MOST ? 1 : -1];
typedef char they_are_kept_as_digits_are[DIGIT_WORDS == PART_WORDS ? 1 : -1];

/* The keys of a sequence of tiles that look back at each other, from the first tile on, and how keys get their
 * parts. */
typedef struct {
    input_keys keys;
    key_place place;
    __global const uint16_t *buckets; /* the bucket of each slice of the range */
} digit_source;

/* Returns how many keys of a whole tile belong to part d. */
static inline int recount_digit(const env_type env, const digit_source source, const index_type tile, const int d)
{
    const input_keys own = shift_keys(source.keys, tile * TILE_SIZE);
    const int bits = source.place.range_bits;
    int count = 0;
    (void)env;
    ROLLED
    for (int k = 0; k < TILE_SIZE; ++k) {
        const image_type image = image_of(key_bits(load_keys(own, k))) ^ source.place.flip;
        const uint quantile = quantile_descend(source.place.map, image);
        const uint part = source.place.by_slice ? source.buckets[slice_of(quantile, bits)] : quantile >> (32 - bits);
        count += part == (uint)d;
    }
    return count;
}
#include "pieces/digits/digit_look_back.clh"

#define MOVED values
#define MOVED_TO out_values
#include "pieces/digits/digit_move.clh"

typedef struct {
    union {
        out_type keys[TILE_THREADS * TILE_ITEMS];
        values_type values[TILE_THREADS * TILE_ITEMS];
    } staged; /* staged keys and values, in the order of their parts */
    digit_store digits;
    place_store places;
    index_type begins[RANGES_MOST];
    index_type tiles[RANGES_MOST + 1];        /* number of tiles before each range */
    part_number parts[TILE_THREADS * TILE_ITEMS]; /* the part of each staged key */
} pair_store;

/* A tile of keys: its number among the tiles that look back at each other, its first key's index, and its count. */
typedef struct {
    index_type number, begin;
    int count;
} pair_tile;

static INLINED void stage_keys(const out_type *kept, const uint *parts, uint *ranks, __local pair_store *store)
{
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const uint part = digit_kept(parts, k);
        const int rank = next_rank(part, &store->digits);
        store->staged.keys[rank] = kept[k];
        store->parts[rank] = (part_number)part;
        keep_rank(ranks, k, rank);
    }
}

static INLINED void store_keys(const int count, const index_type limit, const output_out out,
                               __local const pair_store *store, uint *parts)
{
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        const int index = (int)get_local_id(0) + j * TILE_THREADS;
        const uint part = store->parts[index];
        const index_type to = store->digits.base[part] + index;
        keep_digit(parts, j, part);
        if (index < count && is_index(to, limit)) store_out(out, to, store->staged.keys[index]);
    }
}

/* Moves a tile's keys and values to their parts. begins: the first indices of the parts that this work-item does. The
 * counters must be zero. */
static INLINED void move_pairs(const env_type env, const digit_source source, const input_values values,
                               const pair_tile tile, const index_type *begins, __global state_word *states,
                               const index_type limit, const output_out out, const output_out_values out_values,
                               __local pair_store *store)
{
    out_type kept[TILE_ITEMS];
    uint parts[DIGIT_WORDS], ranks[RANK_WORDS];
    index_type totals[DIGIT_SHARE];
    load_tile(source.keys, tile.number * TILE_SIZE, tile.count, kept);
    UNROLL
    for (int k = 0; k < DIGIT_WORDS; ++k) {
        const int rest = TILE_ITEMS - k * WORD_PARTS, items = rest < WORD_PARTS ? rest : WORD_PARTS;
        parts[k] = find_parts(source.place, kept + k * WORD_PARTS, items, &store->places);
    }
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const int is_missing = first_element() + k * RANK_LANES >= tile.count;
        if (is_missing) parts[k / WORD_PARTS] |= (PARTS_MOST - 1u) << k % WORD_PARTS * PART_BITS;
        count_digit(digit_kept(parts, k), &store->digits);
    }
    group_barrier();
    sum_digits(PARTS_MOST - 1, tile.count, &store->digits, totals);
    digit_counts_publish(states, tile.number, begins, totals, limit);
    rank_digits(env, totals, &store->digits);
    group_barrier();
    stage_keys(kept, parts, ranks, store);
    values_type kept_values[TILE_ITEMS];
    load_digits_values(values, tile.begin, tile.count, kept_values);
    digit_look_back(env, source, states, tile.number, begins, totals, limit, &store->digits);
    group_barrier();
    store_keys(tile.count, limit, out, store, parts);
    group_barrier(); /* all staged keys have been read */
    stage_digits_values(kept_values, tile.count, ranks, store->staged.values);
    group_barrier();
    store_digits_values(out_values, limit, tile.count, parts, store->staged.values, &store->digits);
    group_barrier();
}

/* Draws the group's next ticket and returns it. It also clears the counters. */
static INLINED index_type take_ticket(__global uint *ticket, __local pair_store *store)
{
    if (get_local_id(0) == 0) store->digits.number = (index_type)atomic_increment_global(ticket);
    clear_counters(&store->digits);
    group_barrier();
    return store->digits.number;
}

/* Copies keys that are in order, or reverses keys in the opposite order, with their values, to the outputs. The outputs
 * may be the inputs' memory. */
static inline void move_ordered(const operands_type o, const int is_reverse)
{
    const index_type step = (index_type)get_global_size(0), count = o.keys.count;
    if (is_reverse) {
        for (index_type k = (index_type)get_global_id(0); k < (count + 1) / 2; k += step) {
            const index_type l = count - 1 - k;
            const out_type x = key_bits(load_keys(o.keys, k)), y = key_bits(load_keys(o.keys, l));
            const values_type p = load_values(o.values, k), q = load_values(o.values, l);
            store_out(o.out, k, y);
            store_out(o.out, l, x);
            store_out_values(o.out_values, k, q);
            store_out_values(o.out_values, l, p);
        }
    } else {
        for (index_type k = (index_type)get_global_id(0); k < count; k += step) {
            store_out(o.out, k, key_bits(load_keys(o.keys, k)));
            store_out_values(o.out_values, k, load_values(o.values, k));
        }
    }
}

/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Pass 5: each group moves tiles to their ranges. */
MCL_KERNEL(TILE_THREADS) bucket_part_pairs(PARAMS_bucket_part_pairs)
{
    MCL_SHARED_AT_LAUNCH(pair_store, store, MOVE_BYTES);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_bucket_part_pairs(o);
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    const int is_there = !is_done(head);
    output_out to;
    output_out_values to_values;
    digit_source source;
    to.data = MAKE_spare.data;
    to_values.data = MAKE_spare_values.data;
    source.keys = o.keys;
    source.place = make_place(map, image_flip, range_bits, 0);
    source.buckets = ARRAY(uint16_t, buckets);
    if (is_ordered(head)) move_ordered(o, head->orders == ORDER_DOWN);
    GROUP_LEAVES_IF(!is_there);
    quantile_hold(map, TILE_THREADS, &store->places.map);
    find_ranges(env, ARRAY(uint, ranges), store->begins, store->tiles, store->digits.sums);
    int turn = 0;
    do {
        const index_type ticket = take_ticket(ARRAY(uint, tickets), store);
        const int exists = is_there && ticket < tile_number(o.keys.count);
        pair_tile tile;
        index_type begins[DIGIT_SHARE];
        tile.number = exists ? ticket : 0;
        tile.begin = tile.number * TILE_SIZE;
        tile.count = exists ? tile_count(tile.begin, o.keys.count) : 0;
        UNROLL
        for (int s = 0; s < DIGIT_SHARE; ++s) begins[s] = DIGIT(s) < RANGES_MOST ? store->begins[DIGIT(s)] : 0;
        move_pairs(env, source, o.values, tile, begins,
                   ARRAY(state_word, states) + (int64_t)(ticket - tile.number) * DIGITS, o.keys.count, to, to_values,
                   store);
    } while (++turn < turns);
}

/* Pass 6: each group moves the ranges' tiles to their buckets. */
MCL_KERNEL(TILE_THREADS) bucket_gather_pairs(PARAMS_bucket_gather_pairs)
{
    MCL_SHARED_AT_LAUNCH(pair_store, store, MOVE_BYTES);
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_bucket_gather_pairs(o);
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global const uint *const counts = ARRAY(uint, ranges);
    const int is_there = !is_done(head), id = (int)get_local_id(0);
    GROUP_LEAVES_IF(!is_there);
    quantile_hold(map, TILE_THREADS, &store->places.map);
    find_ranges(env, counts, store->begins, store->tiles, store->digits.sums);
    int turn = 0;
    do {
        const index_type ticket = take_ticket(ARRAY(uint, tickets), store);
        const int exists = is_there && ticket < store->tiles[RANGES_MOST];
        const int range = exists ? range_of_tile(env, store->tiles, ticket) : 0;
        __global const uint *const own_begins = ARRAY(uint, cursors) + ((int64_t)range << SLICE_BITS);
        digit_source source;
        pair_tile tile;
        index_type begins[DIGIT_SHARE];
        source.keys = shift_keys(o.keys, store->begins[range]);
        source.place = make_place(map, image_flip, range_bits, 1);
        source.buckets = ARRAY(uint16_t, buckets) + ((int64_t)range << SLICE_BITS);
        for (int k = id; k < RANGE_SLICES; k += TILE_THREADS) store->places.buckets[k] = source.buckets[k];
        group_barrier();
        tile.number = exists ? ticket - store->tiles[range] : 0;
        tile.begin = store->begins[range] + tile.number * TILE_SIZE;
        tile.count = exists ? tile_count(tile.number * TILE_SIZE, (index_type)counts[range]) : 0;
        UNROLL
        for (int s = 0; s < DIGIT_SHARE; ++s)
            begins[s] = DIGIT(s) < RANGE_SLICES ? (index_type)own_begins[DIGIT(s)] : 0;
        move_pairs(env, source, o.values, tile, begins,
                   ARRAY(state_word, states) + (int64_t)(ticket - tile.number) * DIGITS, o.keys.count, o.out,
                   o.out_values, store);
    } while (++turn < turns);
}
